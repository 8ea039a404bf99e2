"""What the doctests of the compiled core's stub find defined: the public names of Hnefi."""

import pytest


@pytest.fixture(autouse=True)
def _names_of_the_stub(request: pytest.FixtureRequest, doctest_namespace: dict[str, object]) -> None:
    if request.path.suffix == ".pyi":
        import hnefi

        doctest_namespace.update({name: getattr(hnefi, name) for name in hnefi.__all__})

"""The form that enters the key of a school or club."""

from hnefi.server.pages.page import PageRequest
from hnefi.server.settings import SECRET


def key_values(request: PageRequest) -> dict[str, object]:
    """Returns the values of the form; after a wrong key it says so."""
    return {"is_wrong": "wrong" in dict(request.parameters), "pattern": SECRET.pattern}

"""`hnefi variants new`: creating a variant by switches and by questions."""

from pathlib import Path

import pytest

from hnefi.variants.finding import variant
from tests.cli_runs import answer, printed, refusal, run


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HNEFI_VARIANTS", str(tmp_path))
    monkeypatch.setenv("HNEFI_LANG", "en")
    return tmp_path


def test_variants_new_without_questions(folder: Path) -> None:
    found = answer(
        "variants", "new", "my-fetlar", "--from", "fetlar-11", "--set", "king_armed=none", "--name", "Mine"
    )
    assert Path(found["file"]) == folder / "my-fetlar.toml"
    assert variant("my-fetlar").name() == "Mine"
    assert refusal("variants", "new", "my-fetlar")["code"] == "variant_kept"
    assert refusal("variants", "new", "Not An Id!")["code"] == "bad_variant"
    assert refusal("variants", "new", "other", "--set", "king_armed=maybe")["code"] == "bad_rules"
    assert refusal("variants", "new")["code"] == "bad_usage"


def test_variants_new_prints_rules_changed_in_consequence() -> None:
    out = run("variants", "new", "no-corners", "--from", "brandub-globe", "--set", "corners=none")[1]
    assert "Also set: goal = edge." in out
    assert (
        "Also set"
        not in run("variants", "new", "calm", "--from", "brandub-globe", "--set", "king_armed=none")[1]
    )


def test_variants_new_supports_back_and_reports_contradictions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hnefi.cli.variants.new.is_terminal", lambda _: True)
    lines = ["brandub-globe", "", "", "<", "", "defenders", "nonsense", "edge", "!", "asked", "Asked"]
    out = printed("variants", "new", stdin="\n".join(lines) + "\n")
    made = variant("asked")
    assert made.tree.first == "defenders"
    assert made.tree.ends.goal == "edge"
    assert "nonsense" in out
    assert "asked.toml" in out


def test_variants_new_takes_another_board(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hnefi.cli.variants.new.is_terminal", lambda _: True)
    # An id that is taken, and a bad one, do not lose the answers.
    lines = ["brandub-globe", "9", "tablut-kouvia", "!", "fetlar-11", "Nine", "Not An Id!", "", "nine", ""]
    assert "is a built-in variant" in printed("variants", "new", stdin="\n".join(lines) + "\n")
    assert variant("nine").rules.start == variant("tablut-kouvia").rules.start

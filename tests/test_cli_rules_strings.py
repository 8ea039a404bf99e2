"""OpenTafl rules strings on the command line: as a variant, as output, identification."""

import pytest

from hnefi import variant
from hnefi.formats.opentafl import format_rules_text, parse_rules_text, variant_rules_text
from tests.cli_runs import answer, printed, refusal, run
from tests.opentafl_rules import BUILT_IN

pytestmark = pytest.mark.usefixtures("plain_cli")


def test_a_variant_is_written_as_a_string() -> None:
    out = printed("show", "fetlar-11", "--rules-string")
    assert parse_rules_text(out.strip()).dim == 11
    code, out, err = run("show", "brandub-breyer", "--rules-string", "--lang", "fr")
    assert code == 0
    assert "ne peut pas s’exprimer" in err
    found = answer("show", "brandub-breyer", "--rules-string")
    assert found["rules_string"] == format_rules_text(variant_rules_text(variant("brandub-breyer"))[0])
    assert "rules.king_capture" in [gap["code"] for gap in found["gaps"]]


def test_a_rules_string_replaces_a_variant() -> None:
    text = BUILT_IN["tablut"]
    assert answer("apply", text, "start", "d1-c1")["moves"]
    assert answer("rules", text)["title"]
    assert answer("diff", text, "linnaean-tablut-9")["differences"]
    assert "t" in run("show", text, "--ascii")[1]
    assert answer("hint", text, "--nodes", "500")["move"]
    relaxed = BUILT_IN["copenhagen-relaxed"]
    _, out, err = run("show", relaxed, "--rules-string")
    assert "swf" in err
    assert "swf" not in out
    err = run("show", "brandub-globe", "--rules-string")[2]
    assert "`quiet_limit = 20` has no key in OpenTafl, which has no such limit\n" in err


def test_rules_are_identified() -> None:
    nearest = answer("variants", "identify", BUILT_IN["fetlar"])["variants"]
    assert (nearest[0]["id"], nearest[0]["distance"]) == ("fetlar-11", 0)
    split = answer("variants", "identify", *BUILT_IN["tablut-15"].split())["variants"]
    assert split[0]["id"] == "walker-15"
    assert run("variants", "identify", BUILT_IN["fetlar"])[1].startswith("These rules play like fetlar-11:")
    named = answer("variants", "identify", "fetlar-11")["variants"]
    assert (named[0]["id"], named[0]["distance"]) == ("fetlar-11", 0)
    assert answer("variants", "--like", "fetlar-11")["variants"][0]["id"] != "fetlar-11"
    other = run("variants", "identify", "dim:7 start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/")[1]
    assert other.startswith("No variant has exactly these rules. The most similar:\n")
    assert "hist-brandubh-7" in other


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("dim:7", "bad_rules_text"),
        ("dim:7 esc:q start:/7/", "bad_rules_text"),
        ("dim:5 esc:e start:/2g2/5/2K2/5/2t2/", "special_piece"),
        ("dim:6 esc:e start:/6/6/2K3/6/6/1t4/", "bad_rules"),
    ],
)
def test_strings_that_cannot_be_played_are_refused(text: str, code: str) -> None:
    assert refusal("show", text)["code"] == code
    assert refusal("variants", "identify", text)["code"] == code

"""Custom variants: creation, storage, lookup, links, and isolation from built-in variants."""

import json
import time
from pathlib import Path

import pytest

from hnefi import (
    Record,
    Rules,
    all_variants,
    find_variants,
    format_records,
    parse_records,
    variant,
    variant_ids,
    words,
)
from hnefi.errors import RecordError, VariantError
from hnefi.formats.opentafl import format_rules_text, parse_rules_text, tree_of, variant_rules_text
from hnefi.i18n import explain
from hnefi.record import variant_headers
from hnefi.variants.built_in import built_in_ids
from hnefi.variants.conflicts import resolve
from hnefi.variants.custom import CustomVariantError, custom_variants, derive, remove_variant, save_variant
from hnefi.variants.files import format_variant, load_variant
from hnefi.variants.links import format_link, parse_link
from hnefi.variants.model import Variant
from hnefi.variants.schema import RULE_GROUPS, schema
from hnefi.variants.similarity import as_switches, switches_between
from tests.cli_runs import answer, printed, refusal, run
from tests.codes import has_code
from tests.deep.report import note
from tests.strategies import invented


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "variants"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HNEFI_VARIANTS", str(path))
    monkeypatch.setenv("HNEFI_LANG", "en")
    return path


def mine(variant_id: str = "my-brandub", **switches: str) -> Variant:
    names = {"en": "My Brandub", "fr": "Mon brandub"}
    return derive(variant("brandub-globe"), variant_id, names, switches or {"king_armed": "none"})


def test_saved_variants_are_found_everywhere() -> None:
    made = mine()
    path = save_variant(made)
    assert load_variant(path) == made
    assert variant("MY-brandub") == made
    assert variant("My Brandub") == made
    assert "my-brandub" in variant_ids()
    assert "my-brandub" not in built_in_ids()
    assert made in all_variants()
    assert made in find_variants("mon brandub")
    out = printed("variants", "my-brandub")
    assert "My Brandub" in out
    assert answer("apply", "my-brandub", "start", "d2-c2")["position"]
    assert run("rules", "my-brandub", "--lang", "fr")[1].startswith("Règles")
    record = Record.from_game(made.new_game().play("d2-c2"), variant_headers(made))
    (read,) = parse_records(format_records([record]))
    assert not read.replay().faults


def test_a_file_that_is_no_variant_is_not_read_whole() -> None:
    Path("large.toml").write_bytes(b"\n" * 1_000_001)
    with pytest.raises(VariantError, match="1 MB"):
        load_variant(Path("large.toml"))


def test_the_address_of_a_page_is_a_variant(folder: Path) -> None:
    address = "https://tafl.example/fr/rules/new?variant=fetlar-11&rule.king_armed=none&name=Mild+Fetlar"
    assert answer("variants", "add", address)["kept"] == [
        {"id": "mild-fetlar", "file": str(folder / "mild-fetlar.toml")}
    ]
    assert variant("mild-fetlar").rules == variant("fetlar-11").with_switches({"king_armed": "none"}).rules
    assert refusal("variants", "add", "/rules/new?variant=chess")["code"] == "unknown_variant"


def test_every_rule_is_asked_about_once() -> None:
    asked = [leaf for group in RULE_GROUPS.values() for leaf in group]
    assert sorted(asked) == sorted(schema())


@pytest.mark.parametrize("base", ["brandub-globe", "copenhagen-11", "alea-evangelii-19"])
def test_switches_make_any_rules_out_of_any_others(base: str) -> None:
    for one in all_variants():
        switches = switches_between(variant(base), one.rules)
        assert variant(base).with_switches(switches).rules == one.rules
    assert switches_between(variant(base), variant(base).rules) == {}


def test_a_variant_is_nearest_to_itself_and_calls_are_kept() -> None:
    for one in all_variants():
        found, switches = as_switches(one)
        made = found.with_switches(switches)
        assert made.rules == one.rules
        assert (made.calls is None) == (one.calls is None)
        assert not switches or found.id != one.id


def test_only_pinned_rules_do_not_yield() -> None:
    base = variant("fetlar-11")
    wishes = {"corners": "none", "goal": "corner", "corner_stop": "king", "throne_stop": "king"}
    followed = resolve(base, wishes, {"corners"}).switches
    assert followed["goal"] == "edge"
    assert followed["corner_stop"] == "attackers,defenders,king"
    assert followed["throne_stop"] == "king"
    with pytest.raises(VariantError) as refused:
        resolve(base, wishes, {"goal"})
    assert [fault.path for fault in refused.value.faults] == ["ends.goal"]
    camps = resolve(base, {"corners": "2x2", "camps": "b1 c1 d1/k5"}, {"corners"}).switches
    assert camps["camps"] == "c1 d1/k5"
    small = {"size": "7", "start": "7/7/7/3K3/3T3/7/3t3", "camps": "k5"}
    assert resolve(base, small, {"size"}).switches["camps"] == "none"
    # A rule of which a part was wished gives way as a whole.
    none = resolve(base, {"throne": "none", "throne_hostile.king": "always"}, {"throne"}).switches
    assert none["throne_hostile"] == "never,never,never"
    assert "throne_hostile.king" not in none


def test_a_changed_file_is_read_again(folder: Path) -> None:
    save_variant(mine())
    assert variant("my-brandub").tree.capture.king_armed == "none"
    save_variant(mine(king_armed="anvil"), overwrite=True)
    assert variant("my-brandub").tree.capture.king_armed == "anvil"
    (folder / "my-brandub.toml").unlink()
    with pytest.raises(VariantError, match="There is no variant"):
        variant("my-brandub")


def test_games_by_rules_that_were_replaced_are_read_and_gone_on_with(folder: Path) -> None:
    new = ("variants", "new", "mine", "--from", "brandub-globe", "--replace")
    printed(*new, "--set", "range.king=1")
    by_before = variant("mine")
    game = by_before.new_game().play("d2-c2").play("d3-c3")
    record = Record.from_game(game, variant_headers(by_before))
    Path("before.tafl").write_text(f"{record}\n")
    told = printed(*new, "--set", "range.king=2")
    assert "Games by those are still read" in told
    assert "Games by those" not in printed(*new, "--set", "range.king=2")
    assert variant("mine").revision == by_before.revision + 1
    replayed = record.replay()
    assert (replayed.faults, replayed.variant) == ((), by_before)
    assert replayed.game is not None
    assert replayed.game.rules == by_before.rules != variant("mine").rules
    assert "1 without errors" in printed("replay", "before.tafl")
    # What can't be read is passed over; then the record contradicts the rules of now unless it has its own.
    for path in (folder / "earlier").iterdir():
        path.write_text("broken")
    assert record.replay().ok
    without = record.with_headers({"Base": None})
    assert [fault.code for fault in without.replay().faults] == ["rules_mismatch"]


def test_records_hold_the_rules_for_those_who_do_not_have_the_variant() -> None:
    save_variant(mine(**{"range.king": "1"}))
    played = variant("my-brandub").with_switches({"quiet_limit": 40})
    record = Record.from_game(played.new_game().play("d2-c2").play("d3-c3"), variant_headers(played))
    assert record.header("Base") == "brandub-globe; range=0,0,1; quiet_limit=40"
    Path("game.tafl").write_text(f"{record}\n")
    remove_variant("my-brandub")
    replayed = record.replay()
    assert replayed.ok
    assert replayed.variant is not None
    assert replayed.variant.rules == played.rules
    assert "1 without errors" in printed("replay", "game.tafl")
    for name in ("tafl", "pgn", "otg"):
        assert run("convert", "game.tafl", "--to", name, "-o", f"again.{name}")[0] == 0
        assert "1 without errors" in printed("replay", f"again.{name}")
    with pytest.raises(RecordError, check=has_code("bad_header_value")):
        record.with_headers({"Base": "brandub-globe; king"})
    assert [fault.code for fault in record.with_headers({"Base": "no-game"}).replay().faults] == [
        "unknown_variant"
    ]


def test_ids_are_not_taken_from_others() -> None:
    with pytest.raises(CustomVariantError, check=has_code("shipped_variant")):
        save_variant(mine("fetlar-11"))
    save_variant(mine())
    with pytest.raises(CustomVariantError, check=has_code("variant_kept")):
        save_variant(mine())
    with pytest.raises(CustomVariantError, check=has_code("not_own")):
        remove_variant("nobodys")


@pytest.mark.parametrize(
    "content",
    [b"", b"garbage", b"\xff\xfe\x00", b'id = "x"\nrevision = 1\n', b'id = "brandub-globe"', b"[[[["],
    ids=["empty", "no TOML", "no text", "half", "taken and half", "brackets"],
)
def test_a_broken_file_takes_nothing_from_the_others(folder: Path, content: bytes) -> None:
    save_variant(mine())
    (folder / "broken.toml").write_bytes(content)
    assert variant("my-brandub") == mine()
    assert len(all_variants()) == len(built_in_ids()) + 1
    assert [path.name for path in custom_variants().faults] == ["broken.toml"]
    found = answer("variants", "check", code=1)
    assert found["sound"] == ["my-brandub"]
    assert [Path(one["file"]).name for one in found["faulty"]] == ["broken.toml"]
    assert run("variants", "--lang", "en")[2].startswith("1 file of your own variants has faults")
    assert answer("variants", "remove", "broken")["removed"][0]["id"] == "broken"
    assert answer("variants", "check")["faulty"] == []


def test_a_file_with_the_id_of_a_variant_that_is_brought_is_a_fault(folder: Path) -> None:
    folder.mkdir()
    (folder / "copy.toml").write_text(format_variant(variant("fetlar-11")), "utf-8")
    assert [fault.code for error in custom_variants().faults.values() for fault in error.faults] == ["taken"]
    assert variant("fetlar-11").about["sources"]
    assert "taken" in run("variants", "check")[1]
    assert "déjà pris" in run("variants", "check", "--lang", "fr")[1]
    # A copy is the same game; by the id of a changed one, others would find the built-in game.
    copied = folder / "copy.toml"
    found = answer("variants", "check", str(copied))
    assert (found["sound"], [one["code"] for one in found["remarks"]]) == (["fetlar-11"], ["shipped_variant"])
    code, out, _ = run("variants", "check", str(copied), "--lang", "fr")
    assert (code, out.count("donnez un autre identifiant")) == (0, 1)
    copied.write_text(copied.read_text("utf-8").replace("revision = ", "revision = 9"), "utf-8")
    assert "taken" in run("variants", "check", str(copied))[1]


def test_an_absent_file_hides_no_fault_of_another_one(tmp_path: Path) -> None:
    faulty, absent = tmp_path / "faulty.toml", str(tmp_path / "absent.toml")
    text = format_variant(variant("brandub-globe"))
    faulty.write_text(text.replace("t t T K T t t", "t t T K T t"), "utf-8")
    found = answer("variants", "check", str(faulty), absent, code=1)["faulty"]
    assert [one["code"] for one in found] == ["bad_variant", "cannot_read"]
    out = run("variants", "check", str(faulty), absent)[1]
    assert f"{faulty} cannot be used as a variant:\nrules.board.start: row 4" in out
    assert f"{absent} cannot be read" in out
    assert out.endswith("0 variants without errors, 2 with errors.\n")
    assert f"{faulty} cannot be used as a variant:" in run("rules", str(faulty))[2]


@pytest.mark.parametrize("name", ["bin.dat", "game.toml.gz", "folder", "-"])
def test_a_file_of_another_kind_is_no_variant_file(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    if name == "folder":
        path.mkdir()
    else:
        path.write_bytes(b"\xff")
    file = "-" if name == "-" else str(path)
    assert answer("variants", "check", file, code=1)["faulty"][0]["code"] == "no_variant_file"
    assert refusal("variants", "add", file)["code"] == "no_variant_file"
    assert refusal("replay", "games.tafl", "--variant", file)["code"] == "no_variant_file"


def check_round_trips(made: Variant) -> None:
    """Round-trips a variant: save, link, describe, play, export, import."""
    kept = save_variant(made)
    assert load_variant(kept).rules == made.rules
    assert parse_link(format_link(made)).rules == made.rules
    for lang in ("en", "fr"):
        rules_text = words.rules(made, lang)
        assert all(rules_text.clauses_about(leaf) for leaf in schema())
    game = made.new_game()
    if game.outcome is None:
        move = str(game.legal_moves()[0])
        assert answer("apply", made.id, "start", move)["position"]
        assert answer("hint", made.id, "start", "--nodes", "50")["move"]
        out = run("play", made.id, "--calls", "off", stdin=f"{move}\nquit\n")
        assert (out[0], out[2]) == (0, ""), out
    rules, gaps = variant_rules_text(made)
    text = format_rules_text(rules)
    assert format_rules_text(parse_rules_text(text)) == text
    tree, _ = tree_of(parse_rules_text(text))
    assert gaps or Rules(json.dumps(tree)).hash == made.rules.hash
    kept.unlink()


def test_random_rules_round_trip() -> None:
    for made in invented(8, 17):
        check_round_trips(made)


@pytest.mark.deep
def test_a_thousand_invented_rules() -> None:
    started, seed = time.monotonic(), 20261120
    made = invented(1000, seed)
    for one in made:
        check_round_trips(one)
    playable = sum(one.new_game().outcome is None for one in made)
    done = f"1,000 invented rule sets, {playable:,} of them not over at the start"
    note("own rules", done, "played, described, written and read again", seed, time.monotonic() - started)


def test_dependent_rules_follow_a_change() -> None:
    found = resolve(variant("brandub-globe"), {"throne": "none"})
    assert found.switches == {"throne": "none", **found.follows}
    assert found.follows["throne_hostile"] == "never,never,never"
    assert variant("brandub-globe").with_switches(found.switches) == found.variant
    assert found.variant.rules.throne is None
    with pytest.raises(VariantError):
        resolve(variant("brandub-globe"), {"throne": "none", "throne_stop": "king"})
    with pytest.raises(VariantError):
        resolve(variant("brandub-globe"), {"nonsense": "1"})
    unchanged = resolve(variant("brandub-globe"), {})
    assert (unchanged.variant, unchanged.switches, unchanged.follows) == (variant("brandub-globe"), {}, {})


def test_a_board_of_another_size_gets_a_start_position() -> None:
    made = resolve(variant("brandub-globe"), {"size": "9"})
    assert made.variant.rules.size == 9
    assert made.follows.keys() == {"start"}
    given = resolve(
        variant("brandub-globe"), {"size": "9", "start": variant("tablut-kouvia").tree.board.start}
    )
    assert "start" not in given.follows


@pytest.mark.parametrize("text", ["", "#", "x" * 9000, "eNp", "====", "é", "#AAAA"])
def test_invalid_links_are_refused(text: str) -> None:
    with pytest.raises(CustomVariantError, check=has_code("damaged_link")):
        parse_link(text)


def test_a_link_that_unpacks_without_end_is_refused() -> None:
    import base64
    import zlib

    bomb = base64.urlsafe_b64encode(zlib.compress(b"#" * 5_000_000, 9)).decode()
    assert len(bomb) < 8192
    with pytest.raises(CustomVariantError, check=has_code("damaged_link")):
        parse_link(bomb)


@pytest.mark.parametrize(
    ("name", "found"), [(" ", "is empty"), ("N" * 81, "has 81 letters; expected at most 80")]
)
def test_a_name_is_neither_empty_nor_longer_than_a_printed_line(name: str, found: str) -> None:
    assert found in refusal("variants", "new", "mine", "--name", name)["message"]
    for command in (("booklet", "brandub-globe"), ("site", "build", "tafl")):
        assert found in refusal(*command, "--publisher", name)["message"]
    with pytest.raises(VariantError) as refused:
        derive(variant("brandub-globe"), "mine", {"en": name}, {})
    (fault,) = refused.value.faults
    assert (fault.kind, fault.path) == ("name_length", "about.names.en")
    assert explain(refused.value, "en").endswith(f"has {len(name.strip())} letters; expected 1 to 80")


def test_variants_are_exported_and_added() -> None:
    code, text, err = run("variants", "export", "fetlar-11", "--switch", "king_armed=none")
    assert (code, err) == (0, "")
    Path("mine.toml").write_text("# my own comment\n" + text.replace("fetlar-11", "mine"), "utf-8")
    kept = answer("variants", "add", "mine.toml")["kept"]
    assert Path(kept[0]["file"]).read_text("utf-8").startswith("# my own comment")
    link = run("variants", "export", "mine", "--to", "link")[1].strip()
    made = variant("mine")
    for address in (link, f"https://tafl.example/rules/new#{link}"):
        refused = refusal("variants", "add", address)
        assert refused["code"] == "variant_kept"
        assert "you already have these rules under the id “mine”" in refused["message"]
        run("variants", "remove", "mine")
        assert answer("variants", "add", address)["kept"][0]["id"] == "mine"
        assert variant("mine") == made
    Path("mine.toml").write_text(text.replace("fetlar-11", "twin"), "utf-8")
    assert "The rules are those of mine." in printed("variants", "add", "mine.toml")
    other = run("variants", "export", "fetlar-11")[1]
    Path("mine.toml").write_text(other.replace("fetlar-11", "mine"), "utf-8")
    refused = refusal("variants", "add", "mine.toml")
    assert "you already have a variant “mine” with other rules" in refused["message"]
    code, out, err = run("variants", "export", "copenhagen-11", "--to", "opentafl")
    assert code == 0
    assert out.startswith("dim:11 ")
    assert "Not expressed" in err
    assert run("variants", "path")[1].strip().endswith("variants")

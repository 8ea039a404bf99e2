"""The positions of docs/explanation/rulings, played by the core and by the plain-Python reference."""

import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import hnefi
from hnefi.variants.switches import CALL_SWITCHES, parse_switches
from tests.cli_runs import run
from tests.facts import Facts, core_facts, reference_facts
from tests.reference.calls import CalledGame
from tests.reference.tafl import Game, Rules, parse_position, perft
from tests.samples import grouped
from tests.variant_files import IDS as VARIANT_IDS
from tests.variant_files import NO_CALLS, entries, load
from tests.worked import apply_switch, variant_tree

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "explanation" / "rulings"
DOCUMENTS = (
    FOLDER / "texts.md",
    FOLDER / "mechanisms.md",
    FOLDER / "world.md",
    FOLDER / "special.md",
    FOLDER / "later.md",
)
# Rulings about matches, whose example is a score.
WITHOUT_POSITION = {18, 27}


class Example(NamedTuple):
    """One command of the document and the facts it states."""

    ruling: int
    words: list[str]
    facts: list[str]


def sections() -> dict[int, str]:
    text = "".join(document.read_text(encoding="utf-8") for document in DOCUMENTS)
    parts = re.split(r"^## R(\d+)\. .+$", text, flags=re.MULTILINE)
    return {int(number): body for number, body in zip(parts[1::2], parts[2::2], strict=True)}


def examples() -> Iterator[Example]:
    for number, body in sections().items():
        for line in re.findall(r"^hnefi .+$", body, flags=re.MULTILINE):
            command, _, facts = line.partition("    # ")
            yield Example(number, shlex.split(command)[1:], facts.split("; "))


def arguments(words: list[str]) -> tuple[list[str], dict[str, list[str]]]:
    """Separates arguments from options, which all have a value."""
    plain: list[str] = []
    options: dict[str, list[str]] = {"--switch": [], "--calls": [], "--position": []}
    rest = iter(words)
    for word in rest:
        if word.startswith("--"):
            options[word].append(next(rest))
        else:
            plain.append(word)
    return plain, options


def rules_of(variant_id: str, switches: list[str]) -> Rules:
    """Returns the rules of a variant with switches, those of the calls ignored."""
    tree = variant_tree(variant_id)
    for switch in switches:
        if switch.partition("=")[0] not in CALL_SWITCHES:
            apply_switch(tree, switch)
    return Rules(tree)


class Result(NamedTuple):
    """The output of an `apply` command, in the words of the document."""

    legal: bool  # whether its last move was
    refused: bool
    must_replay: str | None
    outcome: str
    facts: dict[str, str]


def by_reference(words: list[str]) -> Result:
    """Plays an `apply` command by the reference."""
    (_, variant_id, position, *_), options = arguments(words)
    game = Game(rules_of(variant_id, options["--switch"]), None if position == "start" else position)
    calls = load(variant_id).get("calls", NO_CALLS)
    settings = {name: calls[name] for name in CALL_SWITCHES}
    settings |= dict(s.split("=") for s in options["--switch"] if s.split("=")[0] in CALL_SWITCHES)
    called = CalledGame(game, *(options["--calls"] or ["auto"]), **settings)
    return result_of(words, called, reference_facts)


def by_core(words: list[str]) -> Result:
    """Plays an `apply` command by the core."""
    (_, variant_id, position, *_), options = arguments(words)
    played = hnefi.variant(variant_id).with_switches(parse_switches(options["--switch"]))
    setup = None if position == "start" else hnefi.Setup(position)
    called = played.new_called_game(mode=(options["--calls"] or ["auto"])[0], setup=setup)
    return result_of(words, called, core_facts)


def result_of(words: list[str], called: Any, facts_of: Callable[..., Facts]) -> Result:
    """Plays the moves of an `apply` command, and states the facts."""
    legal = True
    for text in arguments(words)[0][3:]:
        assert legal, f"{words}: a move after one that is not legal"
        move, _, call = text.partition("!")
        legal = move in map(str, called.legal_moves())
        called = called.play(move, int(call or 0)) if legal else called
    found = facts_of(called, danger=False)
    board, _, counter, *_ = found["position"].split()
    facts = {
        "captures": " ".join(found["captures"]) or "nothing",
        "turn": found["turn"] or "nobody",
        "moves": str(len(found["moves"])),
        "counter": counter,
        "exits": str(found["exits"]),
        "board": board,
        "position": found["position"],
        "owed": " ".join(found["owed"]) or "nothing",
        "called": "yes" if found["called"] else "no",
    }
    outcome = "goes on"
    if found["outcome"]:
        winner, reason = found["outcome"]
        outcome = f"{winner} win: {reason}" if winner else f"draw: {reason}"
    return Result(legal, found["refused"], found["must_replay"], outcome, facts)


def holds(fact: str, result: Result) -> bool:
    """Checks one stated fact."""
    if fact == "not legal":
        return not result.legal
    if not result.legal:
        return False
    if fact == "refused":
        return result.refused
    if fact.startswith("must replay "):
        return result.refused and fact == f"must replay {result.must_replay or 'nothing'}"
    name, _, value = fact.partition(" ")
    if name in result.facts:
        return result.facts[name] == value
    return not result.refused and fact == result.outcome


def nodes_by_reference(words: list[str]) -> int:
    (_, _, variant_id, depth), options = arguments(words)
    rules = rules_of(variant_id, options["--switch"])
    state = parse_position(options["--position"][0]) if options["--position"] else rules.start
    return perft(rules, state, int(depth))


def nodes_by_core(words: list[str]) -> int:
    (_, _, variant_id, depth), options = arguments(words)
    setup = hnefi.Setup(options["--position"][0]) if options["--position"] else None
    played = hnefi.variant(variant_id).with_switches(parse_switches(options["--switch"]))
    return hnefi.Position(played.rules, setup).perft(int(depth))


@grouped((f"R{example.ruling}", example) for example in examples())
def test_the_example_comes_out_as_written(ruling: str, example: Example) -> None:
    if example.words[:2] == ["lab", "perft"]:
        for count in (nodes_by_reference, nodes_by_core):
            assert example.facts == [f"nodes {count(example.words)}"], (ruling, example.words)
        return
    assert example.words[0] == "apply"
    for play in (by_reference, by_core):
        result = play(example.words)
        assert [fact for fact in example.facts if not holds(fact, result)] == [], (ruling, example.words)


def test_every_example_can_be_typed() -> None:
    codes = {tuple(example.words): run(*example.words)[0] for example in examples()}
    refused = {tuple(example.words) for example in examples() if "not legal" in example.facts}
    assert {words for words, code in codes.items() if code} == refused


def test_rulings_are_numbered_without_gap() -> None:
    assert list(sections()) == list(range(1, len(sections()) + 1))


def test_the_contents_link_to_every_ruling() -> None:
    contents = (FOLDER / "README.md").read_text(encoding="utf-8")
    for document in DOCUMENTS:
        numbers = re.findall(r"^## R(\d+)\.", document.read_text(encoding="utf-8"), flags=re.MULTILINE)
        span = f"R{numbers[0]} to R{numbers[-1]}"
        assert f"]({document.name}): {span}" in contents
        assert f"*[Rulings](README.md) {span}.*" in document.read_text(encoding="utf-8")


def test_every_ruling_is_complete() -> None:
    shown = {example.ruling for example in examples()} | WITHOUT_POSITION
    for number, body in sections().items():
        assert "**Ruling**:" in body, f"R{number}"
        assert number in shown, f"R{number} has no position"
        assert re.search(r"\*\*Switch\*\*:|\bFixed\b|switch", body), (
            f"R{number} does not say how to switch it"
        )


def test_a_variant_file_points_to_rulings_that_exist() -> None:
    for variant_id in VARIANT_IDS:
        for place, entry in entries(load(variant_id)):
            if "doubt" in entry:
                assert entry["doubt"] in sections(), f"{variant_id} {place}"


def test_switches_of_a_variant_file_are_named_by_its_ruling() -> None:
    missing = [
        f"{variant_id} {place}: {switch} is not in R{entry['doubt']}"
        for variant_id in VARIANT_IDS
        for place, entry in entries(load(variant_id))
        for switch in entry.get("switch", [])
        if "doubt" in entry and switch.partition("=")[0] not in sections()[entry["doubt"]]
    ]
    assert missing == []


@pytest.mark.parametrize(
    "fact",
    ["goes on", "captures d6", "moves 41", "turn defenders", "refused", "not legal", "owed a1", "called no"],
)
def test_a_false_fact_is_found(fact: str) -> None:
    words = ["apply", "brandub-globe", "7/1Tt4/3T3/3K3/7/7/7 d", "d5-d6"]
    assert not holds(fact, by_reference(words))
    assert not holds(fact, by_core(words))

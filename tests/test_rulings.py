"""The positions of docs/rulings.md, played by the plain-Python reference: the document says what happens."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.reference.board import format_rows
from tests.reference.calls import CalledGame
from tests.reference.moves import routes
from tests.reference.tafl import Game, Rules, parse_position, perft
from tests.test_variant_files import CALL_SWITCHES, LEAVES, entries, leaves, load, switched
from tests.test_variant_files import IDS as VARIANT_IDS

DOCUMENT = Path(__file__).resolve().parents[1] / "docs" / "rulings.md"
# Rulings about matches, whose example is a score.
WITHOUT_POSITION = {18, 27}


class Example(NamedTuple):
    """One command of the document and the facts it promises."""

    ruling: int
    words: list[str]
    facts: list[str]


def sections() -> dict[int, str]:
    text = DOCUMENT.read_text(encoding="utf-8")
    parts = re.split(r"^### R(\d+)\. .+$", text, flags=re.MULTILINE)
    return {int(number): body for number, body in zip(parts[1::2], parts[2::2], strict=True)}


def examples() -> Iterator[Example]:
    for number, body in sections().items():
        for line in re.findall(r"^hnefi .+$", body, flags=re.MULTILINE):
            command, _, facts = line.partition("    # ")
            yield Example(number, shlex.split(command)[1:], facts.split("; "))


def arguments(words: list[str]) -> tuple[list[str], dict[str, list[str]]]:
    """Separates what stands by itself from the options, which all have a value."""
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
    """Gives the rules of a variant with switches, those of the calls left aside."""
    values = leaves(load(variant_id)["rules"])
    for switch in switches:
        if switch.partition("=")[0] not in CALL_SWITCHES:
            values = switched(values, switch)
    tree: dict[str, Any] = {"first": values["first"]}
    for leaf, (section, _) in LEAVES.items():
        if section:
            tree.setdefault(section, {})[leaf] = values[leaf]
    return Rules(tree)


def play(words: list[str]) -> tuple[CalledGame, bool]:
    """Plays an `apply` command; the flag tells whether its last move was legal."""
    (command, variant_id, position, *moves), options = arguments(words)
    assert command == "apply"
    game = Game(rules_of(variant_id, options["--switch"]), None if position == "start" else position)
    calls = load(variant_id).get("calls", {"sanction": "none", "replay": "same_piece"})
    settings = {name: calls[name] for name in CALL_SWITCHES}
    settings |= dict(s.split("=") for s in options["--switch"] if s.split("=")[0] in CALL_SWITCHES)
    called = CalledGame(game, *(options["--calls"] or ["auto"]), **settings)
    for number, text in enumerate(moves, start=1):
        move, _, call = text.partition("!")
        if move not in called.legal_moves():
            assert number == len(moves), f"{move} is not legal, and not the last"
            return called, False
        called = called.play(move, int(call or 0))
    return called, True


def outcome_text(game: Game) -> str:
    if game.outcome is None:
        return "goes on"
    winner = f"{game.outcome.winner} win" if game.outcome.winner else "draw"
    return f"{winner}: {game.outcome.reason}"


def holds(fact: str, called: CalledGame, legal: bool) -> bool:
    """Tests one promised fact."""
    game = called.game
    name, _, value = fact.partition(" ")
    if fact == "not legal":
        return not legal
    if fact == "refused":
        return legal and called.refused
    if fact.startswith("must replay "):
        return called.refused and fact == f"must replay {called.must_replay or 'nothing'}"
    found = {
        "captures": lambda: " ".join(called.captures) or "nothing",
        "turn": lambda: str(game.turn),
        "moves": lambda: str(len(called.legal_moves())),
        "counter": lambda: str(game.state.quiet),
        "exits": lambda: str(routes(game.rules, game.state)),
        "board": lambda: format_rows(game.state.size, game.state.board),
    }
    if name in found:
        return legal and found[name]() == value
    return legal and not called.refused and fact == outcome_text(game)


@pytest.mark.parametrize("example", list(examples()), ids=lambda e: f"R{e.ruling} {' '.join(e.words)}")
def test_the_example_comes_out_as_written(example: Example) -> None:
    if example.words[0] == "perft":
        (_, variant_id, depth), options = arguments(example.words)
        rules = rules_of(variant_id, options["--switch"])
        state = parse_position(options["--position"][0]) if options["--position"] else rules.start
        assert example.facts == [f"nodes {perft(rules, state, int(depth))}"]
        return
    called, legal = play(example.words)
    assert [fact for fact in example.facts if not holds(fact, called, legal)] == []


def test_rulings_are_numbered_without_gap() -> None:
    assert list(sections()) == list(range(1, len(sections()) + 1))


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
    "fact", ["goes on", "captures d6", "moves 41", "turn defenders", "refused", "not legal"]
)
def test_a_false_fact_is_found(fact: str) -> None:
    called, legal = play(["apply", "brandub-globe", "7/1Tt4/3T3/3K3/7/7/7 d", "d5-d6"])
    assert not holds(fact, called, legal)

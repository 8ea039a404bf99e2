"""Fuzzing of everything that parses text: random bad input gives a valid value or a clear error.

Each target parses a text and uses the value. Anything but a value or a `HnefiError` with a code and a short
message (one line; one for each fault if there can be several) is a finding, and so is more than a second.
"""

import io
import json
import random
import re
import resource
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from hnefi import (
    CalledGame,
    Game,
    HnefiError,
    Move,
    Position,
    Rules,
    Setup,
    VariantError,
    all_variants,
    format_move,
    parse_move,
    parse_variant,
    variant,
    variant_ids,
)
from hnefi._core import random_game
from hnefi.formats import RawGame, ReadOptions, find_format
from hnefi.i18n import explain
from hnefi.record import Record, format_records, read_records, variant_headers
from hnefi.variants.schema import completed, schema
from hnefi.variants.switches import parse_switches
from tests.bad_texts import mutated
from tests.reference.random_rules import random_tree
from tests.worked import VARIANTS, load_worked

SECONDS = 1.0
"""The most processor time for an input; the longest take 0.03 s."""

MEGABYTES = 100
CODE = re.compile(r"[a-z]+(_[a-z]+)*")
CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


class Finding(NamedTuple):
    """An input that broke an invariant."""

    target: str
    text: str
    what: str


class Target(NamedTuple):
    """A parser under test: a corpus of valid texts, and a function that parses a text and uses the value."""

    corpus: Callable[[], list[str]]
    read: Callable[[str], None]


# --- What is read -----------------------------------------------------------------------------------------


@cache
def position_texts() -> list[str]:
    texts = [worked.position for worked in load_worked()] + [str(one.rules.start) for one in all_variants()]
    return texts + [str(game.position) for game in long_turns() for _ in range(2)]


@cache
def long_turns() -> list[Game]:
    """Returns berserk games in mid-turn, with commanders and knights on the board."""
    games: list[Game] = []
    for value in ("may", "must"):
        rules = variant("berserk-11").with_switches({"berserk": value}).rules
        for seed in range(60):
            played = random_game(rules, seed, 200)
            games += [game for game in pasts(played) if game.position.going is not None][:1]
    assert len(games) > 20
    return games


def pasts(game: Game | None) -> Iterator[Game]:
    """Returns a game and its states before each of the last plies."""
    while game is not None:
        yield game
        game = game.parent


def read_position(text: str) -> None:
    setup = Setup(text)
    assert Setup(str(setup)) == setup
    rules = next(
        (one.rules for one in all_variants() if one.rules.size == setup.size), variant("brandub-globe").rules
    )
    position = Position(rules, setup)
    for move in position.legal_moves()[:3]:
        position.describe(move)
    _ = position.open_roads, position.threatened_king, position.outcome, position.perft(2)
    use_game(Game(rules, setup))


def use_game(game: Game) -> None:
    for move in game.legal_moves()[:2]:
        CalledGame(game, "manual", sanction="replay").play(move, 1)


@cache
def move_texts() -> list[str]:
    texts = ["e5-e8xe9/f8", "d1c1", "d1 c1", "d1xc1", "D1-C1", "a10-a11", "Ke5-e1", "e7-k7xk6xk5"]
    texts += ["s19-s1", "d1–c1", "e5-e8×e9"]
    for one in all_variants():
        texts += [str(ply) for ply in random_game(one.rules, 1, 60).plies]
    for game in long_turns():
        texts += [str(ply) for ply in game.plies[-2:]] + [format_move(move) for move in game.legal_moves()]
    return texts


def read_move(text: str) -> None:
    move, captures = parse_move(text)
    assert Move(text) == move
    assert parse_move(format_move(move, captures or ())) == (move, captures)
    for one in all_variants():
        explained(one.new_game().play, text)
    for game in long_turns()[::5]:
        explained(game.play, text)


def explained(play: Callable[[str], object], text: str) -> None:
    """Plays a text; a refused move must raise a well-formed error."""
    try:
        play(text)
    except HnefiError as error:
        check_error(error)


@cache
def tree_texts() -> list[str]:
    rng = random.Random(1)
    trees = [json.loads(one.rules.to_json()) for one in all_variants()]
    trees += [random_tree(rng, rng.choice([5, 7])) for _ in range(20)]
    return [json.dumps(tree, indent=rng.choice([None, 1])) for tree in trees]


def read_tree(text: str) -> None:
    rules = Rules(text)
    assert Rules(rules.to_json()) == rules
    use_game(random_game(rules, 1, 20))


@cache
def variant_texts() -> list[str]:
    return [file.read_text("utf-8") for file in sorted(VARIANTS.glob("*.toml"))] + small_variants()


def small_variants() -> list[str]:
    """Returns minimal variant files, in which a mutation hits a rule more often."""
    texts = []
    for identity in variant_ids():
        text = (VARIANTS / f"{identity}.toml").read_text("utf-8")
        start, rest = text.index("[rules]"), text[text.index("[rules]") :]
        end = next((found.start() for found in re.finditer(r"^\[+(?!rules)", rest, re.MULTILINE)), len(rest))
        names = '[about]\nnames = { en = "A", fr = "B" }\n'
        texts += [f'id = "{identity}"\nrevision = 1\n{names}\n{text[start : start + end]}'] * 3
    return texts


def read_variant(text: str) -> None:
    one = parse_variant(text)
    _ = one.name("fr"), one.name("en"), hash(one)
    use_game(one.new_called_game("manual").game)


@cache
def record_texts() -> list[str]:
    texts = []
    for number, one in enumerate(all_variants()):
        headers = {**dict(variant_headers(one)), "Event": 'A "fair" {one}', "Calls": "manual"}
        game = random_game(one.rules, number, 30)
        text = format_records([Record.from_game(game, headers.items())])
        texts += [text, text.replace(" 4. ", " {odd} (3. a1-a2 {!} (3. b1-b2)) 4. @1:02:03 ")]
    texts += [format_records([one]) for one in records_of_long_turns()]
    decisions = Path(__file__).parents[1] / "docs" / "explanation" / "decisions"
    return [*texts, (decisions / "0014-records.md").read_text("utf-8")]


@cache
def records_of_long_turns() -> list[Record]:
    games = [random_game(variant("berserk-11").rules, seed, 150) for seed in range(8)]
    return [Record.from_game(game, variant_headers(variant("berserk-11"))) for game in games]


def read_record(text: str) -> None:
    reading = read_records(text)
    reading_of_bytes = read_records(text.encode("utf-8", "surrogatepass"))
    for fault in (*reading.faults, *reading_of_bytes.faults)[:20]:
        check_error(fault)
    for record in reading.records[:5]:
        replay = record.replay()
        for found in replay.faults[:20]:
            assert CODE.fullmatch(found.code), found.code
    if reading.records:
        assert read_records(format_records(reading.records)).records == reading.records
    if reading.faults:
        raise reading.faults[0]


@cache
def otg_texts() -> list[str]:
    form = find_format("otg")
    records = records_of_long_turns()
    for number, one in enumerate(all_variants()):
        game = random_game(one.rules, number, 30)
        if not any(ply.passed for ply in game.plies) and not game.passed:
            records = [*records, Record.from_game(game, variant_headers(one))]
    texts = [form.write(RawGame.of(one)).text for one in records]
    return texts + [
        text.replace("\n2. ", "\n1b.1.1a. ..... a1-a2 b1^=c1xcd1\n[a|b]\n\n2. ") for text in texts
    ]


def read_otg(text: str) -> None:
    form = find_format("otg")
    for lenient in (False, True):
        raw = text[:50_000].encode("utf-8", "surrogatepass")  # long ones have tests of their own
        for found in islice(form.read(io.BytesIO(raw), ReadOptions(lenient=lenient)), 5):
            if isinstance(found, HnefiError):
                check_error(found)
                continue
            found.replay()
            again = form.write(found).text
            (back,) = form.read(io.BytesIO(again.encode()), ReadOptions())
            assert isinstance(back, RawGame), back
            assert form.write(back).text == again


@cache
def switch_texts() -> list[str]:
    rng = random.Random(2)
    texts = ["quiet_limit=40", "throne_hostile.A=always", "throne_pass=AD", "repetition=3,draw"]
    texts += [
        "replay=any_piece",
        "berserk=must",
        "jumps=over,none,capture",
        "jumps.king=restricted",
        "commander_pair=open",
    ]
    texts += ["camps=d1 e1 f1/a4 a5", "king_capture=two,four,never", "sanction=none", "refuge_stop=ADK"]
    for _ in range(10):
        tree = completed(random_tree(rng, 7))
        for leaf, parameter in schema().items():
            section = str(parameter["path"]).rpartition(".")[0]
            texts.append(f"{leaf}={(tree[section] if section else tree)[leaf]}")
    return texts


def read_switch(text: str) -> None:
    switches = parse_switches(text.split(";"))
    for identity in ("brandub-globe", "tablut-geoludie", "berserk-11"):
        one = variant(identity).with_switches(switches)
        again = variant(identity).with_switches(one.switches)
        assert again.rules == one.rules, one.switches
        use_game(one.new_game())


TARGETS: Mapping[str, Target] = {
    "positions": Target(position_texts, read_position),
    "moves": Target(move_texts, read_move),
    "rule trees": Target(tree_texts, read_tree),
    "variant files": Target(variant_texts, read_variant),
    "records": Target(record_texts, read_record),
    "switches": Target(switch_texts, read_switch),
    "records of OpenTafl": Target(otg_texts, read_otg),
}


# --- Running ----------------------------------------------------------------------------------------------


def check_error(error: HnefiError) -> None:
    """Tests that an error has a stable code and a message that can be shown, in both languages."""
    assert CODE.fullmatch(error.code), f"code {error.code!r}"
    faults = error.faults if isinstance(error, VariantError) else ()
    for lines in (str(error), explain(error, "en"), explain(error, "fr")):
        assert lines.strip(), "an empty message"
        assert len(lines.split("\n")) <= 1 + len(faults), f"more than one line: {lines[:300]!r}"
        assert max(map(len, lines.split("\n"))) <= 1000, f"a long message: {lines[:300]!r}"
        assert not CONTROL.search(lines), f"control characters: {lines[:300]!r}"
    for fault in faults:
        assert CODE.fullmatch(fault.code), f"code {fault.code!r}"


def answer_to(target: Target, text: str) -> tuple[str, str]:
    """Runs a target on a text; returns `value` or `error`, and the finding, empty if there is none."""
    begin = time.process_time()
    try:
        target.read(text)
        kind = "value"
    except HnefiError as error:
        kind = "error"
        try:
            check_error(error)
        except AssertionError as fault:
            return kind, str(fault)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # a panic of the core is no Exception
        return "error", f"{type(error).__name__}: {str(error)[:300]}"
    seconds = time.process_time() - begin
    return kind, f"{seconds:.1f} s" if seconds > SECONDS else ""


def inputs(name: str, seed: int, first: int = 0) -> Iterator[tuple[int, str]]:
    """Iterates over the inputs of a target with their numbers, without end."""
    corpus = TARGETS[name].corpus()
    number = first
    while True:
        yield number, mutated(random.Random(f"{seed}/{name}/{number}"), corpus)
        number += 1


def fuzz(name: str, seed: int, count: int, first: int = 0) -> tuple[Counter[str], list[Finding]]:
    """Runs a target on a number of inputs; returns the counts of values and errors, and the findings."""
    answers: Counter[str] = Counter()
    findings = []
    for number, text in islice(inputs(name, seed, first), count):
        answer, wrong = answer_to(TARGETS[name], text)
        answers[answer] += 1
        if wrong:
            findings.append(Finding(name, text, f"input {number} of seed {seed}: {wrong}"))
    return answers, findings


def megabytes() -> float:
    """Returns the peak memory of the process, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

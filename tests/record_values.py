"""Arbitrary records, and arbitrary texts that look like records, for hypothesis."""

from hypothesis import strategies as st

from hnefi._core import Move, Square
from hnefi.pieces import Reason
from hnefi.record import Node, Record, Status, Variation
from hnefi.record.headers import CLOSED, RESULTS

AWKWARD = '\\"{}[]()*!@/x.-0 1\n\r\t\x00\x85\u2028\ud800\ufeff'

texts = st.text(st.one_of(st.sampled_from(AWKWARD), st.characters()), max_size=120)
squares = st.builds(Square.at, st.integers(0, 18), st.integers(0, 18))
moves = st.builds(Move.of, squares, squares)
comments = st.lists(texts, max_size=2).map(tuple)
passes = st.builds(Node, st.none(), comments=comments)


def lines(variations: st.SearchStrategy[tuple[Variation, ...]]) -> st.SearchStrategy[list[Node]]:
    plies = st.builds(
        Node,
        moves,
        captures=st.lists(squares, max_size=4).map(tuple),
        call=st.integers(0, 2),
        status=st.sampled_from(Status),
        clock_ms=st.none() | st.integers(0, 3_599_999_999_999),
        comments=comments,
        variations=variations,
    )
    return st.lists(plies | passes, min_size=1, max_size=4)


def side_lines(inner: st.SearchStrategy[list[Node]]) -> st.SearchStrategy[list[Node]]:
    variation = st.builds(Variation, inner.map(tuple), comments)
    return lines(st.lists(variation, max_size=2).map(tuple))


nodes = st.recursive(lines(st.just(())), side_lines, max_leaves=6).map(tuple) | st.just(())

free_headers = st.dictionaries(
    st.from_regex(r"[A-Za-z][A-Za-z0-9_]{0,12}", fullmatch=True).filter(lambda name: name not in CLOSED),
    texts,
    max_size=4,
).map(lambda free: {k: v for k, v in free.items() if k not in ("Rules", "Revision", "Switches")})
known_headers = st.fixed_dictionaries(
    {},
    optional={
        "Variant": texts,
        "Revision": st.integers(1, 999_999_999).map(str),
        "Rules": st.binary(min_size=32, max_size=32).map(bytes.hex),
        "Switches": st.just("quiet_limit=40; throne_pass=attackers,defenders"),
        "Calls": st.sampled_from(CLOSED["Calls"]),
        "Result": st.sampled_from(RESULTS),
        "Reason": st.sampled_from(Reason).map(lambda reason: reason.value),
    },
)
headers = (
    st.tuples(free_headers, known_headers)
    .map(lambda both: list({**both[0], **both[1]}.items()))
    .flatmap(st.permutations)
    .map(tuple)
)
records = st.builds(Record, headers, nodes, comments)

fragments = st.sampled_from(
    [
        *('[Variant "brandub-globe"]\n', '[Result "draw"]\n', '[Event "a \\"b\\"', '"]\n', "\n["),
        *("1. d2-c2 ", "2. c4-c6xd6/e6!2 ", "1.", " taken_back ", " refused ", " @0:01:02.500 ", "@"),
        *(" -- ", "{", "}", "\\", "\\u2028", "(", ")", " * ", " attackers ", "\n", "\r\n", "\t"),
    ]
)
texts_like_records = st.lists(fragments | texts, max_size=30).map("".join)

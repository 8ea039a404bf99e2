"""The format `tafl`: the records of Hnefi, read game by game."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import BinaryIO

from hnefi.errors import RecordError
from hnefi.formats.bare import is_move_word
from hnefi.formats.format import Format, ReadOptions, Written, with_variant
from hnefi.formats.lines import LARGEST_GAME, TextLine, lines_of
from hnefi.formats.raw_game import RawGame
from hnefi.record import Record, format_records, read_records
from hnefi.record.faults import in_game, record_error
from hnefi.record.headers import RESULTS

# Headers that no other format has.
_NATIVE_HEADERS = ("[Variant ", "[Rules ", "[Revision ")


class TaflFormat(Format):
    """The records of Hnefi (decision 14), which can express everything."""

    name = "tafl"
    extensions = (".tafl",)
    has_rules = True

    def recognise(self, head: str) -> float:
        """Returns a high confidence if the text has quoted headers or a result in words."""
        text = head.lstrip("\ufeff \t\r\n")
        words = text.split()
        has_result = any(word in RESULTS for word in words)
        if any(text.startswith(mark) or f"\n{mark}" in text for mark in _NATIVE_HEADERS):
            return 0.9 if has_result else 0.55
        if text.startswith("["):
            return 0.6 if has_result and '"' in text.split("\n", 1)[0] else 0.0
        if has_result and is_move_word(words[0]):
            return 0.85
        return 0.5 if has_result and words[0] == "1." else 0.0

    def read(self, stream: BinaryIO, options: ReadOptions) -> Iterator[RawGame | RecordError]:
        """Iterates over the games; keeps at most those between two blocks of headers in memory."""
        games = 0
        for first, text, fault in _blocks(lines_of(stream)):
            if fault is not None and not text:
                games += 1
                yield in_game(fault, games)
                continue
            reading = read_records(text, line=first, lenient=options.lenient)
            errors = [(int(error.parameters["game"]), error) for error in reading.faults]
            last = max((0, *reading.numbers, *(number for number, _ in errors)))
            if fault is not None:
                # What the archive lacks is the only fault of the game that it cuts.
                last += all(number != last for number, _ in errors)
                errors = [*(pair for pair in errors if pair[0] != last), (last, fault)]
            passed_over: dict[int, list[RecordError]] = {number: [] for number in reading.numbers}
            for number, error in errors:
                placed = in_game(error, games + number)
                if number in passed_over:
                    passed_over[number].append(placed)
                else:
                    yield placed
            for number, record in zip(reading.numbers, reading.records, strict=True):
                complete = replace(record, headers=with_variant(record.headers, options))
                # Only the first game of a block has headers.
                begin = first if number == 1 or not record.nodes else record.nodes[0].line
                raw = RawGame.of(complete, game=games + number, line=begin)
                yield _in_spite_of(passed_over[number], raw, record)
            games += last

    def write(self, raw: RawGame) -> Written:
        """Formats the whole record."""
        return Written(f"{format_records([raw.record()])}\n")


def _blocks(lines: Iterator[TextLine]) -> Iterator[tuple[int, str, RecordError | None]]:
    """Splits a file where headers follow moves; no other line begins with `[`.

    A block with a fault has no text, except the last one of a truncated archive.
    """
    first, size, kept, in_moves = 1, 0, list[str](), False
    fault: RecordError | None = None
    for line in lines:
        is_header = line.text.startswith("[")
        if is_header and in_moves:
            yield first, "\n".join(kept), fault
            first, size, kept, fault, in_moves = line.number, 0, [], None, False
        in_moves = in_moves or (not is_header and bool(line.text.strip()))
        if line.fault is not None and line.fault.code != "bad_encoding":
            # Which game of the block a byte that is not UTF-8 spoils is told by parsing the block.
            fault = fault or line.fault
        if line.fault is not None and line.fault.code == "archive_cut":
            break
        size += len(line.text) + 1
        if size > LARGEST_GAME:
            fault = fault or record_error("game_too_long", (first, 1), limit=LARGEST_GAME)
        if fault is None:
            kept.append(line.text)
        else:
            kept.clear()
    if kept or fault:
        yield first, "\n".join(kept), fault


def _in_spite_of(faults: Sequence[RecordError], raw: RawGame, record: Record) -> RawGame:
    """Returns a game with its faults: those of headers, and the first of the moves, before which it ends."""
    begin = record.nodes[0].line if record.nodes else 0
    of_headers = [fault for fault in faults if fault.line < begin]
    of_moves = [fault for fault in faults if fault.line >= begin]
    return raw.cut_before(*of_headers, of_moves[0]) if of_moves else replace(raw, faults=tuple(of_headers))

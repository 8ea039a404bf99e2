"""Parses the records of OpenTafl, game by game."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import BinaryIO

from hnefi._core import Game, Move, Setup
from hnefi.errors import HnefiError, IllegalMove, RecordError, SetupError, VariantError
from hnefi.formats.format import ReadOptions
from hnefi.formats.gaps import Gap
from hnefi.formats.lines import LARGEST_GAME, follows_archive
from hnefi.formats.opentafl.line_reading import Address, Lines, parse_address
from hnefi.formats.opentafl.move import RESIGNATION, is_placeholder, parse_move_text
from hnefi.formats.opentafl.naming import Named, named_rules, variant_named
from hnefi.formats.opentafl.position import read_position, setup_of
from hnefi.formats.opentafl.rules_text import parse_rules_text
from hnefi.formats.opentafl.tags import HEADERS, RESULTS, TAGS, date_of, reason_in, time_control
from hnefi.formats.opentafl.tokens import Token, tokens_of
from hnefi.formats.raw_game import RawGame
from hnefi.pieces import Side
from hnefi.record import GLYPHS, Record, stop_before, variant_headers
from hnefi.record.drafts import Draft
from hnefi.record.faults import in_game, record_error

MAX_FAULTS = 100
"""The maximum number of faults reported for one game."""

_TAG = re.compile(r"([a-z][a-z-]{0,40}):(.*)", re.DOTALL)
_CLOCK = re.compile(r"(\d{1,8})(?:\s+|$)(?!\d+/\d+|\d+i\b)(.*)", re.DOTALL)


def read_otg(stream: BinaryIO, options: ReadOptions) -> Iterator[RawGame | RecordError]:
    """Iterates over the games of a stream, or their faults; a tag after moves begins the next game."""
    game = _Game(1, options)
    for token in tokens_of(stream):
        is_behind = follows_archive(token.fault) and not game.is_blank
        if is_behind or (token.in_brackets and game.is_over_at(token)):
            yield from game.finish()
            game = _Game(game.number + 1, options)
        game.take(token)
    if not game.is_blank:
        yield from game.finish()


class _Game:
    """A game that is being parsed."""

    def __init__(self, number: int, options: ReadOptions) -> None:
        self.number = number
        self._options = options
        self._tags: dict[str, Token] = {}
        self._lines = Lines()
        self._faults: list[RecordError] = []
        self._gaps: dict[Gap, None] = {}
        self._first_line = 0
        self._size = 0
        self._awaits_comment = False
        self._waiting: tuple[Address, Token] | None = None
        self._skipped = 0
        self._before_cut: tuple[RecordError, ...] = ()
        """The faults up to the first that ends the main line."""
        self._resigned: int | None = None
        self._is_lost = False
        self._is_named = False

    @property
    def is_blank(self) -> bool:
        """Whether no token has been read."""
        return not self._first_line

    def is_over_at(self, token: Token) -> bool:
        """Checks whether a text in brackets is a tag of the next game and not a comment of this one."""
        self._begin_turn()
        if self._lines.is_empty:
            return False
        match = _TAG.match(token.text)
        is_tag = match is not None and match[1] in TAGS
        return is_tag and not (self._awaits_comment and "|" in token.text)

    def take(self, token: Token) -> None:
        """Processes the next token."""
        self._first_line = self._first_line or token.line
        self._size += len(token.text) + 1
        if self._size > LARGEST_GAME and not self._is_lost:
            self._is_lost = True
            self._report(record_error("game_too_long", (self._first_line, 1), limit=LARGEST_GAME))
        if self._is_lost:
            return
        if token.fault is not None:
            self._report(token.fault)
            if token.fault.code == "archive_cut":
                self._before_cut = self._before_cut or tuple(self._faults)
        elif not token.in_brackets:
            self._word(token)
        elif self._lines.is_empty:
            self._tag(token)
        else:
            self._comment(token)

    # --- Tags ---

    def _tag(self, token: Token) -> None:
        match = _TAG.fullmatch(token.text)
        if match is None:
            self._fault("bad_tag", token, found=token.text)
        elif match[1] not in TAGS:
            self._gaps[Gap("tag", {"name": match[1]})] = None
        elif match[1] in self._tags:
            self._fault("duplicate_header", token, name=match[1])
        else:
            self._tags[match[1]] = Token(match[2], token.line, token.column + len(match[1]) + 2)

    def _value(self, name: str) -> str:
        found = self._tags.get(name)
        return found.text.strip() if found else ""

    # --- Moves ---

    def _word(self, token: Token) -> None:
        rest = token
        while found := parse_address(rest.text):
            self._begin_turn()
            self._waiting, self._skipped = (found[0], rest), 0
            if not found[1]:
                return
            rest = Token(found[1], rest.line, rest.column + len(rest.text) - len(found[1]))
        if is_placeholder(rest.text):
            self._skipped += 1
        else:
            self._move(rest)

    def _begin_turn(self) -> None:
        """Begins the turn of the last address, now that the number of its placeholders is known."""
        if self._waiting is None:
            return
        (address, token), self._waiting = self._waiting, None
        self._awaits_comment = True
        try:
            self._lines.begin_turn(address, self._skipped)
        except RecordError as error:
            self._cut(error.code, token, **error.parameters)

    def _move(self, token: Token) -> None:
        self._begin_turn()
        if self._lines.is_empty:
            self._fault("unexpected_token", token, found=token.text)
            return
        if token.text == RESIGNATION:
            self._resigned = len(self._lines.main())
            return
        try:
            found = parse_move_text(token.text)
        except IllegalMove as error:
            self._cut(error.code, token, **error.parameters)
            return
        if found.special:
            self._cut("special_move", token, text=token.text, found=found.special)
            return
        self._lines.add(Draft(found.move, token.line, found.captures))

    # --- Comments ---

    def _comment(self, token: Token) -> None:
        self._begin_turn()
        self._awaits_comment = False
        drafts, before, skipped = self._lines.open_turn()
        parts = token.text.split("|")
        # A turn with one move, the last one, still has the separator of two comments.
        while len(parts) > max(len(drafts) + skipped, 1) and not parts[-1].strip():
            del parts[-1]
        if len(parts) > len(drafts) + skipped:
            kept = max(len(drafts) + skipped, 1)
            parts = [*parts[: kept - 1], "|".join(parts[kept - 1 :])]
        if len(parts) > len(drafts):
            ahead = len(parts) - len(drafts)
            before += [part.strip() for part in parts[:ahead] if part.strip()]
            parts = parts[ahead:]
        for draft, part in zip(drafts, parts, strict=False):
            self._annotate(draft, part.strip())

    def _annotate(self, draft: Draft, comment: str) -> None:
        clock = _CLOCK.fullmatch(comment) if "time-control" in self._tags else None
        if clock is not None:
            draft.clock_ms = int(clock[1]) * 1000
            comment = clock[2].strip()
        glyph, _, said = comment.partition("\n\n")
        draft.comments += [one for one in ((glyph, said.strip()) if glyph in GLYPHS else (comment,)) if one]

    # --- The end ---

    def finish(self) -> Iterator[RawGame | RecordError]:
        """Iterates over the game, or its faults; with `lenient`, over the game in spite of them."""
        self._begin_turn()
        try:
            raw = self._raw_game()
        except HnefiError as error:
            place = error.line if isinstance(error, RecordError) and error.line else self._first_line
            fault = record_error(error.code, (place, 1), **error.parameters)
            self._faults.append(in_game(fault, self.number))
            raw = None
        if raw is not None and (not self._faults or self._options.lenient) and not self._is_lost:
            if not self._before_cut:
                yield replace(raw, faults=tuple(self._faults))
                return
            if raw.moves:
                yield raw.cut_before(*self._before_cut)
                return
        yield from self._faults

    def _raw_game(self) -> RawGame:
        headers = self._plain_headers()
        named = self._variant()
        start: Setup | None = None
        gaps: tuple[Gap, ...] = ()
        variant = self._options.played
        if named is not None:
            variant, start, gaps = named
            self._gaps |= dict.fromkeys(gaps)
            if self._is_named:
                headers.pop("VariantName", None)
            else:
                headers["OpenTaflRules"] = self._value("rules")
        elif variant is None and "rules" not in self._tags and not self._options.lenient:
            raise record_error("missing_rules_tag", (self._first_line, 1))
        if variant is not None:
            headers = {**headers, **dict(variant_headers(variant))}
            start = self._position(variant.rules.start.turn) or start
            if start is not None and start != variant.rules.start:
                headers["Start"] = str(start)
        self._add_result(headers, Game(variant.rules, start) if variant else None)
        comments = (text,) if (text := self._value("start-comment")) else ()
        record = Record(tuple(headers.items()), self._lines.nodes(), comments)
        return RawGame(
            record.headers,
            full_record=record,
            variant=variant if named is not None else None,
            game=self.number,
            line=self._first_line,
            gaps=tuple(self._gaps),
            rules_gaps=gaps,
        )

    def _plain_headers(self) -> dict[str, str]:
        headers: dict[str, str] = {}
        for tag, name in HEADERS.items():
            value = self._value(tag)
            if not value or tag == "result":
                continue
            headers[name] = {"date": date_of, "time-control": time_control}.get(tag, str)(value)
        return headers

    def _variant(self) -> Named | None:
        token = self._tags.get("rules")
        if token is None:
            return None
        follow = self._options.follow_specification
        try:
            rules = parse_rules_text(token.text)
            named = variant_named(self._value("variant"), rules, follow_specification=follow)
            if named is not None:
                self._is_named = True
                return *named, ()
            return named_rules(rules, follow_specification=follow)
        except VariantError as error:
            faults = "; ".join(f"{one.path}:{one.found}" for one in error.faults)
            self._fault("bad_rules_tag", token, found=faults or error.parameters.get("found", token.text))
        except SetupError as error:
            self._fault(error.code, token, **error.parameters)
        return None

    def _position(self, turn: Side) -> Setup | None:
        token = self._tags.get("position")
        if token is None:
            return None
        try:
            return setup_of(read_position(token.text), turn)
        except SetupError as error:
            self._fault(error.code, token, **error.parameters)
            return None

    def _add_result(self, headers: dict[str, str], game: Game | None) -> None:
        """Adds the result, and the reason if it comes from the players and not from the rules."""
        token = self._tags.get("result")
        written = token.text.strip() if token else "?"
        if token and written not in RESULTS:
            self._fault("bad_outcome", token, found=written, expected=" | ".join(RESULTS))
        result = RESULTS.get(written, "*")
        reason = reason_in(headers.get("Termination", ""))
        if self._resigned is not None and (loser := self._loser(game)) is not None:
            result = loser.opponent.value if result == "*" else result
            reason = reason or reason_in("resigns")
        headers["Result"] = result
        if reason is None or result == "*":
            return
        ended = game and _played(game, self._lines.main())
        if not ended or ended.outcome is None:
            headers["Reason"] = reason.value

    def _loser(self, game: Game | None) -> Side | None:
        """Returns the side that resigned: the one to move at that point, None if unknown."""
        if game is None or game.turn is None or self._resigned is None:
            return None
        there = _played(game, self._lines.main()[: self._resigned])
        if there is not None and there.turn is not None:
            return there.turn
        return game.turn if self._resigned % 2 == 0 else game.turn.opponent

    def _fault(self, code: str, token: Token, /, **facts: object) -> None:
        self._report(record_error(code, token.position, **facts))

    def _cut(self, code: str, token: Token, /, **facts: object) -> None:
        """Reports a fault that ends its line."""
        self._fault(code, token, **facts)
        self._lines.cut()
        if self._lines.is_cut and not self._before_cut:
            self._before_cut = tuple(self._faults)

    def _report(self, fault: RecordError) -> None:
        if len(self._faults) < MAX_FAULTS:
            self._faults.append(in_game(fault, self.number))


def _played(game: Game, moves: Sequence[Move]) -> Game | None:
    """Returns the game after moves without explicit ends of turns; None if one is illegal."""
    try:
        for move in moves:
            stop = stop_before(game.position, move)
            game = (game if stop is None else game.play(stop)).play(move)
    except IllegalMove:
        return None
    return game

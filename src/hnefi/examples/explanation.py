"""Formats an example as sentences: what the move does, and what it would do under the other value."""

from collections.abc import Mapping, Sequence

from hnefi._core import Game, Move, Square
from hnefi.errors import IllegalMove
from hnefi.examples.model import Effect, Example
from hnefi.i18n import explain, outcome_text, plural, text
from hnefi.variants.schema import value_at
from hnefi.words.nouns import nouns_of, uncapitalised
from hnefi.words.values import rule_title, value_words
from hnefi.words.wording import listed


def example_text(shown: Example, lang: str) -> str:
    """Returns a few sentences about an example.

    >>> from hnefi import variant
    >>> from hnefi.examples import example
    >>> for sentence in example_text(example(variant("brandub-globe"), "corner_hostile"), "en").split(". "):
    ...     print(sentence)
    The defender moves from c6 to c7: b7 is captured
    With “The corners in captures: against attackers: never”: b7 is not captured.
    """
    game = shown.game
    sentences = [*_past(shown, game, lang), _effect_with_value(shown, game, lang)]
    what = uncapitalised(" ".join(_effect_with_other(shown, game, lang)))
    sentences.append(text("example.with", lang, rule=_other_rule(shown, lang), what=what))
    return " ".join(sentences)


def _past(shown: Example, game: Game, lang: str) -> list[str]:
    """Returns a sentence about the game history, if the rule depends on it."""
    if shown.leaf == "quiet_limit":
        return [plural("example.quiet", game.quiet, lang)]
    if shown.history:
        return [text("example.repeated", lang)]
    return []


def _effect_with_value(shown: Example, game: Game, lang: str) -> str:
    """Returns the sentences about the move with the value of the rule."""
    move = Move(shown.move)
    facts = {
        "The_mover": _mover(game, move, lang),
        "origin": move.from_square.name,
        "target": move.to_square.name,
    }
    if move.is_stop:
        key = "example.may_stop" if shown.effect.legal else "example.may_not_stop"
        return text(key, lang, **facts)
    if not shown.effect.legal:
        return text("example.may_not", lang, **facts, why=_why(shown.effect.refusal, lang))
    what = " ".join(_effect(shown.effect, shown.otherwise, game, lang))
    if shown.otherwise.legal:
        return text("example.goes", lang, **facts, what=uncapitalised(what))
    return " ".join([text("example.may", lang, **facts), *([what] if what else [])])


def _mover(game: Game, move: Move, lang: str) -> str:
    piece = game.position.piece_at(move.from_square)
    assert piece is not None
    if piece is piece.soldier:
        return nouns_of({}, lang)[f"The_{piece.value}"]
    return text(f"example.mover.{piece.value}", lang)


def _why(refusal: IllegalMove | None, lang: str) -> str:
    return "" if refusal is None else explain(refusal, lang)


def _effect_with_other(shown: Example, game: Game, lang: str) -> list[str]:
    """Returns the sentences about the move with the other value."""
    if not shown.otherwise.legal:
        return [text("example.refused", lang, why=_why(shown.otherwise.refusal, lang))]
    if not shown.effect.legal:
        return [text("example.allowed", lang), *_effect(shown.otherwise, shown.effect, game, lang)]
    return _effect(shown.otherwise, shown.effect, game, lang)


def _effect(effect: Effect, versus: Effect, game: Game, lang: str) -> list[str]:
    """Returns the sentences about the effect of a move, compared with another effect."""
    sentences = []
    king = game.position.king
    soldiers = [square for square in effect.captures if square != king]
    if soldiers:
        sentences.append(plural("example.taken", len(soldiers), lang, squares=_named(soldiers, lang)))
    if effect.outcome is not None:
        sentences.append(outcome_text(effect.outcome, lang))
    elif king in effect.captures:
        sentences.append(text("example.king_taken", lang))
    spared = [square for square in versus.captures if square not in effect.captures]
    if king in spared:
        sentences.append(text("example.king_stays", lang))
    if stay := [square for square in spared if square != king]:
        sentences.append(plural("example.stays", len(stay), lang, squares=_named(stay, lang)))
    elif not spared and versus.outcome is not None and effect.outcome is None:
        sentences.append(text("example.goes_on", lang))
    if effect.passed != versus.passed and effect.passed:
        sentences.append(text(f"example.passes.{game.position.turn.opponent.value}", lang))
    if (effect.captures, effect.outcome) == (versus.captures, versus.outcome):
        sentences += _turn(effect, versus, lang)
    return sentences


def _turn(effect: Effect, versus: Effect, lang: str) -> list[str]:
    """Returns the sentence about whether the piece moves again in the same turn."""
    if effect.going is not None and versus.going is None:
        return [text("example.again", lang)]
    if effect.going is None and versus.going is not None:
        return [text("example.turn_over", lang)]
    return []


def _named(squares: Sequence[Square], lang: str) -> str:
    return listed([square.name for square in squares], lang)


def _other_rule(shown: Example, lang: str) -> str:
    """Returns the rule with its other value; for a map only the entries that differ."""
    value, other = (value_at(rules.tree, shown.leaf) for rules in (shown.rules, shown.other_rules))
    if isinstance(value, Mapping) and isinstance(other, Mapping) and shown.leaf != "repetition":
        other = {entry: each for entry, each in other.items() if each != value[entry]}
    title = rule_title(shown.leaf, lang)
    return text("words.value.entry", lang, entry=title, value=value_words(shown.leaf, other, lang))

"""Finding the move in which two rule sets differ, and taking away what has nothing to do with it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from hnefi import words
from hnefi._core import Game, Move, Position, Rules, Setup, Square
from hnefi.errors import IllegalMove, SetupError
from hnefi.examples.ground import Ground, distance
from hnefi.examples.model import Effect
from hnefi.examples.trials import Trial
from hnefi.pieces import Piece, Reason, Side
from hnefi.rule_tree import RuleTree
from hnefi.words.stage import Place, square_at

__all__ = ["Found", "best_of", "game_of", "move_of", "pictured", "seen"]

# So many good ones are compared before the best is taken, and so many of them are cleared of what is idle.
_ENOUGH = 60
_CLEARED = 6
# A capture where the rule is about moves, a move where it is about captures or ends.
_OF_ANOTHER_SORT = 8
_GOALS = (Reason.CORNER, Reason.EDGE)


@dataclass(frozen=True, slots=True)
class Found:
    """A trial that comes out otherwise under the two rule sets.

    Attributes:
        trial: The position and the move.
        effects: What the move does under each.
        cost: How far it is from showing one thing alone; 0 is best.
    """

    trial: Trial
    effects: tuple[Effect, Effect]
    cost: int


def move_of(trial: Trial) -> Move:
    """Returns the move of a trial."""
    return Move.of(square_at(trial.origin), square_at(trial.target))


def setup_of(size: int, trial: Trial) -> Setup:
    """Returns the position of a trial, before its history."""
    pieces = {square_at(place): piece for place, piece in trial.pieces.items()}
    going = None if trial.going is None else square_at(trial.going)
    return Setup.of(size, pieces, trial.turn, trial.quiet, going)


def game_of(rules: Rules, trial: Trial, setup: Setup | None = None) -> Game | None:
    """Returns the game before the move, None if there is none: its side has to be able to move.

    Args:
        rules: The rules.
        trial: The trial.
        setup: Its position, if it is known.
    """
    try:
        game = Game(rules, setup or setup_of(rules.size, trial))
        for origin, target in trial.history:
            game = game.play(Move.of(square_at(origin), square_at(target)))
    except (SetupError, IllegalMove):
        return None
    mover = trial.pieces[trial.origin].side if not trial.history else game.turn
    return game if game.turn is not None and game.turn is mover and not game.passed else None


def seen(game: Game, move: Move) -> Effect:
    """Returns what a move does in a game."""
    try:
        after = game.play(move)
    except IllegalMove as refusal:
        return Effect(False, refusal)
    king = game.position.king
    taken = set(after.last.captures) if after.last else set()
    if king is not None and after.position.king is None:
        taken.add(king)
    setup = after.position.setup
    return Effect(True, None, tuple(sorted(taken)), after.outcome, str(setup), after.passed)


def _compare(ground: Ground, trial: Trial, section: str) -> Found | None:
    """Returns what a trial shows, None if it shows nothing."""
    games = []
    setup = setup_of(ground.size, trial)
    for rules in ground.pair:
        game = game_of(rules, trial, setup)
        if game is None:
            return None
        games.append(game)
    move = move_of(trial)
    if not any(game.is_legal(move) for game in games):
        return None
    effects = seen(games[0], move), seen(games[1], move)
    if effects[0] == effects[1]:
        return None
    return Found(trial, effects, _cost(effects, section))


def _cost(effects: tuple[Effect, Effect], section: str) -> int:
    """Tells how far a difference is from what a section is about, and how much happens besides."""
    first, second = effects
    if first.legal != second.legal:
        played = first if first.legal else second
        beside = len(played.captures) + (played.outcome is not None and played.outcome.reason not in _GOALS)
        return beside + (0 if section in ("movement", "special", "board") else _OF_ANOTHER_SORT)
    cost = _OF_ANOTHER_SORT if section == "movement" else 0
    common = set(first.captures) & set(second.captures)
    either = set(first.captures) ^ set(second.captures)
    ended = first.outcome != second.outcome
    if section == "ends":
        cost += 0 if ended or first.passed != second.passed else _OF_ANOTHER_SORT
        cost += len(common) if not _falls(first) else 0
    elif section in ("hostility", "capture"):
        cost += 0 if either else _OF_ANOTHER_SORT
        cost += 2 * len(common)
        cost += sum(one.outcome is not None and not _falls(one) for one in effects)
    if ended and first.outcome and second.outcome:
        # Two ends for the same side are hard to tell apart.
        cost += 3 if first.outcome.winner is second.outcome.winner else 1
    if section != "ends" and any(one.passed for one in effects):
        cost += 2
    return cost


def _falls(effect: Effect) -> bool:
    return effect.outcome is not None and effect.outcome.reason is Reason.KING_CAPTURED


def best_of(ground: Ground, section: str, tried: Iterable[Trial]) -> Found | None:
    """Returns the clearest trial in which the rules differ, without idle soldiers; None if none differs."""
    clearest: list[tuple[_Burden, Found]] = []
    good = 0
    for trial in tried:
        if not all(ground.may_stand(place, piece) for place, piece in trial.pieces.items()):
            continue
        one = _compare(ground, trial, section)
        if one is None or (clearest and one.cost > clearest[0][1].cost):
            continue
        if clearest and one.cost < clearest[0][1].cost:
            clearest.clear()
        burden = _burden(ground, one, section)
        clearest.append((burden, one))
        good += one.cost == 0 and not burden.disturbs
        if good == _ENOUGH:
            break
    clearest.sort(key=lambda pair: pair[0])
    cleared = [_cleared(ground, one, section) for _, one in clearest[:_CLEARED]]
    return min(cleared, key=lambda one: _burden(ground, one, section), default=None)


def _cleared(ground: Ground, found: Found, section: str) -> Found:
    """Sets the king on his throne and takes away men, one by one, as long as the same happens and no more."""
    moving = {found.trial.origin, *(origin for origin, _ in found.trial.history)}
    for place, piece in sorted(found.trial.pieces.items()):
        men = {at: man for at, man in found.trial.pieces.items() if at != place}
        if place in moving or (piece is Piece.KING and ground.centre in men):
            continue
        if piece is Piece.KING:
            men[ground.centre] = piece
        elif not any(man.side is Side.ATTACKERS for man in men.values()):
            continue
        simpler = _compare(ground, replace(found.trial, pieces=men), section)
        if simpler is None or not _same(simpler.effects, found.effects):
            continue
        if _burden(ground, simpler, section).disturbs <= _burden(ground, found, section).disturbs:
            found = simpler
    return found


def _same(first: tuple[Effect, Effect], second: tuple[Effect, Effect]) -> bool:
    """Checks that two pairs of effects are alike, but for the men who have no part in them."""
    return all(
        (one.legal, one.captures, one.outcome, one.passed, one.going)
        == (other.legal, other.captures, other.outcome, other.passed, other.going)
        and (one.refusal and one.refusal.code) == (other.refusal and other.refusal.code)
        for one, other in zip(first, second, strict=True)
    )


class _Burden(NamedTuple):
    """What there is to look at besides the rule; less is better, and what stands first weighs more.

    `disturbs`: a king who captures himself, commanders and knights where the rule is not about them, a king
    who could leave the board instead. `aside`: a capture where other rules may have a part in it. `astray`:
    a king who is not on his throne. `spread`: men far from the action.
    """

    disturbs: int
    aside: bool
    astray: bool
    captures: int
    men: int
    spread: int


def _burden(ground: Ground, found: Found, section: str) -> _Burden:
    trial = found.trial
    king = next((place for place, piece in trial.pieces.items() if piece is Piece.KING), None)
    disturbs = 0
    if section != "special":
        disturbs += sum(piece not in (Piece.KING, piece.soldier) for piece in trial.pieces.values())
    if section in ("hostility", "capture", "special"):
        disturbs += king == trial.origin
    game = game_of(ground.pair[0], trial) if trial.turn is Side.DEFENDERS else None
    disturbs += game is not None and bool(game.position.open_roads)
    taken = {square for effect in found.effects for square in effect.captures}
    return _Burden(
        disturbs,
        aside=any(_is_aside(ground, _place(square), section) for square in taken),
        captures=len(taken),
        men=len(trial.pieces),
        astray=king not in (ground.centre, trial.origin),
        spread=sum(distance(place, trial.target) for place in trial.pieces if place != king),
    )


def _is_aside(ground: Ground, taken: Place, section: str) -> bool:
    """Checks whether a capture is in a camp, or on the edge where the rule is about captures in general."""
    return taken in ground.camps or (section in ("capture", "ends") and ground.is_edge(taken))


def pictured(rules: Rules) -> Iterator[Trial]:
    """Returns the pictures of the rules in words, each a position and a move."""
    for section in words.rules(rules, "en").sections:
        for clause in section.clauses:
            for picture in clause.pictures:
                if picture.move is not None:
                    yield _trial_of(picture.position, picture.move)


def _trial_of(position: Position, move: Move) -> Trial:
    men = {_place(square): piece for square, piece in position.pieces.items()}
    return Trial(men, _place(move.from_square), _place(move.to_square))


def _place(square: Square) -> Place:
    return square.file, square.rank


def kinds_that_stop(tree: RuleTree) -> Mapping[str, tuple[str, ...]]:
    """Returns who may stop on the throne and on a corner, by a rules tree."""
    return {"throne": tree.movement.throne_stop, "corner": tree.movement.corner_stop}

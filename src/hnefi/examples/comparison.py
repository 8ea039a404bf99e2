"""Compares the effects of a move under two rule sets, and simplifies the position where it differs."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from hnefi import words
from hnefi._core import Game, Move, Rules, Setup
from hnefi.errors import IllegalMove, SetupError
from hnefi.examples.model import Effect
from hnefi.examples.trial_board import TrialBoard
from hnefi.examples.trials import Trial
from hnefi.pieces import Piece, Reason, Side
from hnefi.staging import Coordinates, distance, move_between, place_of

# The number of good differences compared before the best is chosen, and of those that are simplified.
_ENOUGH = 60
_MOST_SIMPLIFIED = 6
# The cost of a difference of another sort: a capture for a rule about moves, or the reverse.
_OF_ANOTHER_SORT = 8
_GOALS = (Reason.CORNER, Reason.EDGE)


@dataclass(frozen=True, slots=True)
class Difference:
    """A trial with different effects under the two rule sets.

    Attributes:
        cost: How far it is from showing one thing only; 0 is best.
    """

    trial: Trial
    effects: tuple[Effect, Effect]
    cost: int


def move_of(trial: Trial) -> Move:
    """Returns the move of a trial."""
    return move_between(trial.origin, trial.target)


def game_of(rules: Rules, trial: Trial, setup: Setup | None = None) -> Game | None:
    """Returns the game before the move; None if it is invalid or its side cannot move."""
    try:
        game = Game(rules, setup or trial.setup(rules.size))
        for origin, target in trial.history:
            game = game.play(move_between(origin, target))
    except (SetupError, IllegalMove):
        return None
    mover = trial.pieces[trial.origin].side if not trial.history else game.turn
    return game if game.turn is not None and game.turn is mover and not game.passed else None


def effect_of(game: Game, move: Move) -> Effect:
    """Returns the effect of a move in a game."""
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


def _compare(board: TrialBoard, trial: Trial, section: str) -> Difference | None:
    """Returns the difference that a trial shows, None if it shows none."""
    games = []
    setup = trial.setup(board.size)
    for rules in board.pair:
        game = game_of(rules, trial, setup)
        if game is None:
            return None
        games.append(game)
    move = move_of(trial)
    if not any(game.is_legal(move) for game in games):
        return None
    effects = effect_of(games[0], move), effect_of(games[1], move)
    if effects[0] == effects[1]:
        return None
    return Difference(trial, effects, _cost(effects, section))


def _cost(effects: tuple[Effect, Effect], section: str) -> int:
    """Returns the cost of a difference: its distance from the subject of a section, and side effects."""
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
        cost += len(common) if not _captures_king(first) else 0
    elif section in ("hostility", "capture"):
        cost += 0 if either else _OF_ANOTHER_SORT
        cost += 2 * len(common)
        cost += sum(one.outcome is not None and not _captures_king(one) for one in effects)
    if ended and first.outcome and second.outcome:
        # Two wins of the same side are hard to tell apart.
        cost += 3 if first.outcome.winner is second.outcome.winner else 1
    if section != "ends" and any(one.passed for one in effects):
        cost += 2
    return cost


def _captures_king(effect: Effect) -> bool:
    return effect.outcome is not None and effect.outcome.reason is Reason.KING_CAPTURED


def best_of(board: TrialBoard, section: str, tried: Iterable[Trial]) -> Difference | None:
    """Returns the clearest trial in which the rules differ, without idle soldiers; None if none differs."""
    clearest: list[tuple[_SideEffects, Difference]] = []
    good = 0
    for trial in tried:
        if not board.may_stand(trial.pieces.items()):
            continue
        one = _compare(board, trial, section)
        if one is None or (clearest and one.cost > clearest[0][1].cost):
            continue
        if clearest and one.cost < clearest[0][1].cost:
            clearest.clear()
        distraction = _side_effects_of(board, one, section)
        clearest.append((distraction, one))
        good += one.cost == 0 and not distraction.disturbs
        if good == _ENOUGH:
            break
    clearest.sort(key=lambda pair: pair[0])
    simplified = [_simplified(board, one, section) for _, one in clearest[:_MOST_SIMPLIFIED]]
    return min(simplified, key=lambda one: _side_effects_of(board, one, section), default=None)


def _simplified(board: TrialBoard, found: Difference, section: str) -> Difference:
    """Puts the king on his throne and removes soldiers, one by one, as long as the effects stay the same."""
    moving = {found.trial.origin, *(origin for origin, _ in found.trial.history)}
    for place, piece in sorted(found.trial.pieces.items()):
        others = {at: other for at, other in found.trial.pieces.items() if at != place}
        if place in moving or (piece is Piece.KING and board.centre in others):
            continue
        if piece is Piece.KING:
            others[board.centre] = piece
        elif not any(other.side is Side.ATTACKERS for other in others.values()):
            continue
        simpler = _compare(board, replace(found.trial, pieces=others), section)
        if simpler is None or not _same(simpler.effects, found.effects):
            continue
        if (
            _side_effects_of(board, simpler, section).disturbs
            <= _side_effects_of(board, found, section).disturbs
        ):
            found = simpler
    return found


def _same(first: tuple[Effect, Effect], second: tuple[Effect, Effect]) -> bool:
    """Checks that two pairs of effects are equal, apart from uninvolved pieces."""
    return all(
        (one.legal, one.captures, one.outcome, one.passed, one.going)
        == (other.legal, other.captures, other.outcome, other.passed, other.going)
        and (one.refusal and one.refusal.code) == (other.refusal and other.refusal.code)
        for one, other in zip(first, second, strict=True)
    )


class _SideEffects(NamedTuple):
    """Side effects that distract from the rule; fewer are better, and earlier fields weigh more.

    `disturbs`: a king who captures, ranks in a rule that is not about them, a king who could escape instead.
    `mixes_rules`: a capture in which other rules may be involved. `has_displaced_king`: a king off his
    throne. `captures` and `pieces`: their numbers. `spread`: the distance of the pieces from the action.
    """

    disturbs: int
    mixes_rules: bool
    has_displaced_king: bool
    captures: int
    pieces: int
    spread: int


def _side_effects_of(board: TrialBoard, found: Difference, section: str) -> _SideEffects:
    trial = found.trial
    king = next((place for place, piece in trial.pieces.items() if piece is Piece.KING), None)
    disturbs = 0
    if section != "special":
        disturbs += sum(piece not in (Piece.KING, piece.soldier) for piece in trial.pieces.values())
    if section in ("hostility", "capture", "special"):
        disturbs += king == trial.origin
    game = game_of(board.pair[0], trial) if trial.turn is Side.DEFENDERS else None
    disturbs += game is not None and bool(game.position.open_roads)
    taken = {square for effect in found.effects for square in effect.captures}
    return _SideEffects(
        disturbs,
        mixes_rules=any(_mixes_rules(board, place_of(square), section) for square in taken),
        captures=len(taken),
        pieces=len(trial.pieces),
        has_displaced_king=king not in (board.centre, trial.origin),
        spread=sum(distance(place, trial.target) for place in trial.pieces if place != king),
    )


def _mixes_rules(board: TrialBoard, taken: Coordinates, section: str) -> bool:
    """Checks whether a capture is in a camp, or on the edge for a rule about captures or ends."""
    return taken in board.camps or (section in ("capture", "ends") and board.is_edge(taken))


def trials_from_pictures(rules: Rules) -> Iterator[Trial]:
    """Iterates over trials made from the pictures of the printed rules that show a move."""
    for section in words.rules(rules, "en").sections:
        for clause in section.clauses:
            for picture in clause.pictures:
                if picture.move is not None:
                    pieces = {place_of(square): piece for square, piece in picture.position.pieces.items()}
                    origin, target = picture.move.from_square, picture.move.to_square
                    yield Trial(pieces, place_of(origin), place_of(target))

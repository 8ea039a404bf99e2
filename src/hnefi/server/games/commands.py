"""Commands: which events follow from a command of a player in a state of a game."""

from typing import Annotated, Literal, NamedTuple

from pydantic import AfterValidator, Field

from hnefi._core import CalledGame, Move, format_move
from hnefi.engine.levels import LEVEL_COUNT
from hnefi.match import draw_sides
from hnefi.pieces import Side
from hnefi.server import events as e
from hnefi.server.games.actions import (
    OFFER_KINDS,
    Action,
    acting_player,
    action_context,
    move_refusal,
    moves_to_take_back,
    refusal_code,
)
from hnefi.server.games.state import State
from hnefi.server.names import LONGEST_TITLE, normalised_name
from hnefi.server.refusals import refused
from hnefi.server.secrets import hash_of

AWAY_US = 60 * 1_000_000
"""After which absence of the other player a game with a clock can be claimed."""

AWAY_WITHOUT_CLOCK_US = 3 * 86_400 * 1_000_000
"""The same for a game without a clock."""

LONGEST_LEG = 2_000
"""The most moves of a leg; then only the players or the clock can end it."""

_LEG_ENDS = ("resign", "abort")
_LOT_NAMES = ("first", "second")
MessageId = Annotated[str, Field(min_length=1, max_length=36, pattern=r"^[A-Za-z0-9_-]+$")]
Seq = Annotated[int, Field(ge=0, le=1_000_000)]
MoveText = Annotated[str, Field(min_length=2, max_length=40)]
Name = Annotated[str, Field(max_length=30), AfterValidator(normalised_name)]
Title = Annotated[str, Field(max_length=LONGEST_TITLE), AfterValidator(normalised_name)]
VariantId = Annotated[str, Field(min_length=1, max_length=60)]
Switch = Annotated[str, Field(max_length=400)]
Switches = Annotated[
    dict[Annotated[str, Field(max_length=60)], Switch], Field(default_factory=dict, max_length=60)
]


class VariantRequest(e.Message):
    """The base of requests about a variant, whose rules may be changed."""

    variant: VariantId
    switches: Switches
    """The changed rules, as `Variant.with_switches` takes them."""


class NewGameRequest(VariantRequest):
    """Creates a game."""

    start: Annotated[str, Field(max_length=600)] | None = None  # None for the position of the rules
    opponent: e.Opponent  # who has the other seat
    level: Annotated[int, Field(ge=1, le=LEVEL_COUNT)] | None = None  # of a computer opponent
    side: e.Choice = "lot"  # that of the creator in the first leg
    form: Literal["single", "two_legs"] = "single"
    clock: Annotated[e.Clock, Field(discriminator="kind")] = e.NoClock()
    calls: Literal["off", "auto", "manual"] = "auto"  # whether open roads are announced, and by whom
    name: Name = ""  # that of the creator
    open: bool = False
    """Whether it is an open challenge, whose free seat anybody may take."""

    title: Title = ""
    """The name of changed rules; without changed rules it is ignored."""


class MoveRequest(e.Message):
    """Plays a move. A client repeats it with the same id until it is answered; it acts once."""

    id: MessageId
    """Letters, digits, `-` and `_`, at most 36, chosen by the sender and used once."""

    seq: Seq
    """The last event that the sender had seen."""

    move: MoveText
    """The move, such as `d2-c2`."""

    call: Annotated[int, Field(ge=0, le=2)] = 0
    """Its call: 0 for none, 1 for one open road, 2 for two; ignored where nothing is to be called."""


class CommandRequest(e.Message):
    """Performs any other action; like a move, it acts once."""

    id: MessageId
    """As in a move."""

    seq: Seq
    """The last event that the sender had seen."""

    do: Action
    """The action."""


class Actor(NamedTuple):
    """The sender of a command.

    Attributes:
        players: The sender's seats: none for a spectator, both on a shared device.
        now_us: When the command was received.
        away_us: For each player, how long the player has been gone; 0 if present.
    """

    players: frozenset[int]
    now_us: int
    away_us: tuple[int, int] = (0, 0)


Decision = tuple[int, list[e.Body], CalledGame | None]
"""The player, what follows from a command, and the game after the move, if it is one."""


def decide(state: State, actor: Actor, command: MoveRequest | CommandRequest) -> Decision:
    """Returns what follows from a command of a player.

    Raises:
        Refused: If it cannot be carried out.
        IllegalMove: If the rules forbid the move.
    """
    if not actor.players:
        raise refused("no_seat")
    if command.seq > state.seq:
        raise refused("seq_unknown", found=command.seq, expected=state.seq)
    if isinstance(command, MoveRequest):
        return _play(state, actor, command)
    player = acting_player(state, actor.players)
    _check_permitted(state, player, command.do, actor.now_us)
    _check_seen(state, command)
    if command.do == "claim":
        _check_absence(state, actor, player)
    return player, _bodies(state, player, command.do), None


def _check_permitted(state: State, player: int, action: Action, now_us: int) -> None:
    code = refusal_code(action_context(state, player, now_us), action)
    match code:
        case None:
            return
        case "too_late_to_abort":
            raise refused(code, moves=state.leg.ply_count)
        case "already_rematched":
            raise refused(code, game=state.rematch)
        case "already_offered" | "no_offer":
            raise refused(code, what=OFFER_KINDS.get(action))
        case _:
            raise refused(code)


def _check_seen(state: State, command: CommandRequest) -> None:
    """Checks that the sender knew what the action is about: the leg, or the offer."""
    if command.do in _LEG_ENDS and state.legs and command.seq < state.leg.seq:
        raise refused("board_changed", found=command.seq, expected=state.leg.seq)
    what = OFFER_KINDS.get(command.do)
    if what is not None and command.do.startswith("accept") and command.seq < state.offers[what].seq:
        raise refused("no_offer", what=what)


def _check_absence(state: State, actor: Actor, player: int) -> None:
    """Checks that the other player has been away for long enough to claim the game."""
    away_us = actor.away_us[1 - player]
    if away_us < claim_us(state):
        raise refused("not_long_enough", found=away_us // 1000, expected=claim_us(state) // 1000)


def begin(state: State, seed: str | None) -> list[e.Body]:
    """Returns the events with which a game begins once both seats are taken; the seed if sides are drawn."""
    side = state.created.side
    if side != "lot":
        return [e.Began(attackers=0 if side == "attackers" else 1)]
    assert seed is not None
    assert hash_of(seed) == state.created.lot
    drawn = draw_sides(_LOT_NAMES, seed)
    return [e.Began(attackers=_LOT_NAMES.index(drawn.attackers), seed=seed)]


def claim_us(state: State) -> int:
    """Returns how long the player to move has to be gone before the other may claim the game."""
    return AWAY_WITHOUT_CLOCK_US if state.created.clock.kind == "none" else AWAY_US


def _play(state: State, actor: Actor, command: MoveRequest) -> Decision:
    if (code := move_refusal(state, actor.now_us)) is not None:
        raise refused(code)
    leg, mover = state.leg, state.mover
    assert mover is not None
    if mover not in actor.players:
        raise refused("not_your_turn")
    if command.seq < state.board_seq:
        raise refused("board_changed", found=command.seq, expected=state.board_seq)
    if leg.ply_count >= LONGEST_LEG:
        raise refused("leg_too_long", limit=LONGEST_LEG)
    before, call = leg.called, command.call
    after = before.play(command.move, call)
    if call and not (after.mode == "manual" and leg.side(mover) is Side.DEFENDERS and after.required):
        after, call = before.play(command.move), 0
    return mover, [e.Moved(move=_written(command), call=call)], after


def _written(command: MoveRequest) -> str:
    """Returns the move of a command without its captures, which follow from the game."""
    return format_move(Move(command.move))


_ACCEPTED = {"draw": "ended", "takeback": "taken_back", "rematch": "rematched"}
_KINDS = {"resign": "ended", "claim": "ended", "abort": "aborted", "next_leg": "leg_began"}


def is_repeated(command: MoveRequest | CommandRequest, what: str) -> bool:
    """Checks whether an event may have followed from a command, by its move or else its kind."""
    if isinstance(command, MoveRequest):
        return what == _written(command)
    kind = OFFER_KINDS.get(command.do)
    if kind is None:
        return what == _KINDS[command.do]
    if command.do.startswith("decline"):
        return what == "declined"
    return what == _ACCEPTED[kind] or (what == "offered" and command.do.startswith("offer"))


def _bodies(state: State, player: int, action: Action) -> list[e.Body]:
    """Returns the events that follow from an action that `refusal_code` permits."""
    if (what := OFFER_KINDS.get(action)) is not None:
        if action.startswith("decline"):
            return [e.Declined(what=what)]
        return (
            _accepted(state, player, what) if action.startswith("accept") else _offered(state, player, what)
        )
    match action:
        case "resign":
            return [e.Ended(winner=state.leg.side(1 - player).value, reason="resignation")]
        case "claim":
            return [e.Ended(winner=state.leg.side(player).value, reason="abandoned")]
        case "next_leg":
            return [e.LegBegan()]
        case "abort":
            return [e.Aborted()]
    raise AssertionError(f"{action} has no events")


def _offered(state: State, player: int, what: e.OfferKind) -> list[e.Body]:
    is_free = state.is_free if what != "draw" else state.created.opponent == "same_device"
    if is_free or what in state.offers:
        return _accepted(state, player, what)
    if what == "draw" and state.has_computer:
        return [e.Offered(what=what), e.Declined(what=what)]
    return [e.Offered(what=what)]


def _accepted(state: State, player: int, what: e.OfferKind) -> list[e.Body]:
    if what == "rematch":
        return [e.Rematched(game="")]  # the room fills in the id
    if what == "draw":
        return [e.Ended(winner=None, reason="agreement")]
    offer = state.offers.get(what)
    return [e.TakenBack(count=moves_to_take_back(state, offer.player if offer else player))]

"""Actions of players: those sent to pages are exactly those that commands accept."""

import random
from typing import Literal

import pytest

from hnefi import variant
from hnefi.server import events as e
from hnefi.server.games.actions import ACTIONS, Action, permitted_actions
from hnefi.server.games.clocks import SECOND_US
from hnefi.server.games.commands import (
    AWAY_WITHOUT_CLOCK_US,
    Actor,
    CommandRequest,
    MoveRequest,
    begin,
    decide,
    is_repeated,
)
from hnefi.server.games.state import State, Status
from hnefi.server.refusals import Refused
from tests.server.harness import created

BRANDUB = variant("brandub-globe")
SEATS = (frozenset({0}), frozenset({1}))
BOTH = frozenset({0, 1})
Form = Literal["single", "two_legs"]


def new(opponent: e.Opponent = "friend", form: Form = "single", clock: e.Clock | None = None) -> State:
    level = 1 if opponent == "computer" else None
    body = created(opponent=opponent, form=form, clock=clock or e.NoClock(), level=level)
    return State.begin(e.Event(1, 0, 0, None, body), BRANDUB.rules)


def test_a_wrong_number_is_a_call_in_games_stored_without_its_worth() -> None:
    """Brandub of Le Globe Joueur counts a wrong number as forgotten; games from before do not."""
    body = created().model_dump()
    body |= {"calls": "manual", "sanction": "replay", "start": "7/7/2K4/7/7/7/3t3 d"}
    outcomes = []
    for worth in ({}, {"wrong_number": "forgotten"}):
        stored = e.Created.model_validate(
            {key: one for key, one in body.items() if key != "wrong_number"} | worth
        )
        state = State.begin(e.Event(1, 0, 0, None, stored), BRANDUB.rules)
        state = after(state, e.Joined(name="Bran"), *begin(state, None))
        for move, call in (("c5-a5", 1), ("d1-d2", 0), ("a5-a7", 0)):
            state = after(state, e.Moved(move=move, call=call))
        outcomes.append(state.leg.called.refused)
    assert outcomes == [False, True]


def after(state: State, *bodies: e.Body, actor: int | None = None, t_us: int | None = None) -> State:
    for body in bodies:
        state = state.apply(e.Event(state.seq + 1, state.t_us if t_us is None else t_us, actor, None, body))
    return state


def begun(opponent: e.Opponent = "friend", form: Form = "single", clock: e.Clock | None = None) -> State:
    state = new(opponent, form, clock)
    return after(state, e.Joined(name="Bran"), *begin(state, None))


def actor(state: State, players: frozenset[int], now_us: int | None = None) -> Actor:
    away_us = (AWAY_WITHOUT_CLOCK_US, AWAY_WITHOUT_CLOCK_US)
    return Actor(players, state.t_us if now_us is None else now_us, away_us)


def do(state: State, action: Action) -> CommandRequest:
    return CommandRequest(id="a", seq=state.seq, do=action)


def play(state: State, move: object) -> MoveRequest:
    return MoveRequest(id="m", seq=state.seq, move=str(move))


def accepted(state: State, players: frozenset[int], now_us: int | None = None) -> tuple[Action, ...]:
    """Returns the actions that commands accept when the other player has been away for long."""
    found = []
    for action in ACTIONS:
        try:
            decide(state, actor(state, players, now_us), do(state, action))
        except Refused:
            continue
        found.append(action)
    return tuple(found)


def act(state: State, player: int, command: MoveRequest | CommandRequest) -> State:
    players = BOTH if state.created.opponent == "same_device" else SEATS[player]
    who, bodies, _ = decide(state, actor(state, players), command)
    first = bodies[0]
    assert is_repeated(command, first.move if isinstance(first, e.Moved) else first.kind)
    return after(state, *bodies, actor=who)


def names(state: State, player: int) -> set[str]:
    return set(permitted_actions(state, state.t_us)[player])


def check(state: State, now_us: int | None = None) -> None:
    """Checks that what is permitted is what commands accept, for everybody who has a seat."""
    permitted = permitted_actions(state, state.t_us if now_us is None else now_us)
    if state.created.opponent == "same_device":
        assert permitted[0] == permitted[1] == accepted(state, BOTH, now_us)
        return
    assert permitted[0] == accepted(state, SEATS[0], now_us)
    if state.has_computer:
        assert permitted[1] == ()
    else:
        assert permitted[1] == accepted(state, SEATS[1], now_us)


@pytest.mark.parametrize("form", ["single", "two_legs"])
@pytest.mark.parametrize("opponent", ["friend", "computer", "same_device"])
def test_permitted_actions_are_those_that_commands_accept(opponent: e.Opponent, form: Form) -> None:
    reached = set[Status]()
    for seed in range(30):
        chance = random.Random(f"{opponent} {form} {seed}")
        state = begun(opponent, form)
        for _ in range(40):
            check(state)
            reached.add(state.status)
            player = chance.randrange(2)
            actions = permitted_actions(state, state.t_us)[player]
            if state.mover is not None and chance.random() < 0.6:
                move = chance.choice(state.leg.called.legal_moves())
                state = act(state, state.mover, play(state, move))
            elif actions:
                state = act(state, player, do(state, chance.choice(actions)))
    assert reached >= {Status.PLAYING, Status.OVER, Status.ABORTED}
    assert (Status.BETWEEN_LEGS in reached) is (form == "two_legs")


def test_a_game_that_waits_can_only_be_aborted() -> None:
    assert names(new(), 0) == {"abort"}
    check(new())


def test_only_the_player_who_waits_may_claim_and_not_where_moves_take_days() -> None:
    state = begun()
    assert ("claim" in names(state, 0), "claim" in names(state, 1)) == (False, True)
    slow = begun(clock=e.Days(days=3))
    assert "claim" not in names(slow, 1)


def test_nothing_may_be_done_once_the_clock_has_run_out() -> None:
    state = begun(clock=e.Fischer(initial_s=60, increment_s=0))
    late_us = state.t_us + 3_600 * SECOND_US
    assert permitted_actions(state, late_us) == ((), ())
    check(state, late_us)

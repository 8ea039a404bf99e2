"""Response models made from games and variants."""

from collections.abc import Iterable

from hnefi.server.events import Created, Joined
from hnefi.server.games.retention import EXPIRY
from hnefi.server.games.room import Room
from hnefi.server.games.time import Leads
from hnefi.server.messages.http import OwnGame, OwnGames, SetAsideGame, VariantView
from hnefi.server.messages.rules import shape_of
from hnefi.server.messages.views import outcome_view
from hnefi.server.store.rows import StoredGame
from hnefi.variants.model import Variant

_MS_PER_DAY = 86_400_000


def own_games(games: Iterable[Room], set_aside: Iterable[StoredGame], visitor: str, leads: Leads) -> OwnGames:
    """Returns the list of a visitor's games."""
    return OwnGames(
        games=[_own_game(game, game.players_of(visitor)) for game in games],
        set_aside=[_set_aside_game(game, visitor, leads) for game in set_aside],
    )


def _set_aside_game(stored: StoredGame, visitor: str, leads: Leads) -> SetAsideGame:
    """Returns what is left of a damaged game: a damaged name is empty, that of a free seat None."""
    bodies = [event.body for event in stored.events]
    created = next((body for body in bodies if isinstance(body, Created)), None)
    joined = next((body for body in bodies if isinstance(body, Joined)), None)
    is_taken = any(seat.player == 1 for seat in stored.seats)
    changed_us = max((event.t_us for event in stored.events), default=stored.changed_us)
    return SetAsideGame(
        game=stored.id,
        variant=created.variant if created else None,
        you=sorted({seat.player for seat in stored.seats if seat.visitor == visitor}),
        names=[created.name if created else "", joined.name if joined else "" if is_taken else None],
        level=created.level if created else None,
        opponent=created.opponent if created else None,
        changed_ms=leads.shown_us(changed_us) // 1000,
    )


def _own_game(game: Room, you: frozenset[int]) -> OwnGame:
    state = game.state
    leg = state.leg if state.legs else None
    changed_ms = game.time.leads.shown_us(state.t_us) // 1000
    return OwnGame(
        game=game.id,
        variant=state.created.variant,
        switches=state.created.switches,
        title=state.created.title,
        status=state.status.value,
        you=sorted(you),
        names=list(state.names),
        level=state.created.level,
        opponent=state.created.opponent,
        mover=state.mover,
        attackers=leg.attackers if leg else None,
        position=str(leg.game.position.setup) if leg else state.created.start or str(state.rules.start),
        shape=shape_of(state.rules),
        outcome=outcome_view(leg.outcome) if leg else None,
        changed_ms=changed_ms,
        expires_ms=changed_ms + EXPIRY[state.status.value] * _MS_PER_DAY,
    )


def variant_view(one: Variant) -> VariantView:
    """Returns a variant as the list of variants shows it."""
    return VariantView(
        id=one.id,
        names=dict(one.about["names"]),
        revision=one.revision,
        rules=one.rules.hash,
        size=one.rules.size,
        start=str(one.rules.start),
        calls=one.calls is not None,
        legs=one.match["legs"],
        lot=one.match["lot"],
    )

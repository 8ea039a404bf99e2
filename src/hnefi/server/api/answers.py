"""Response models made from games, variants and errors."""

from http import HTTPStatus

from hnefi.errors import HnefiError
from hnefi.server.events import Created, Joined
from hnefi.server.games.games import OwnList
from hnefi.server.games.retention import Expiry
from hnefi.server.games.room import Room
from hnefi.server.games.time import Leads
from hnefi.server.messages.http import OwnGame, OwnGames, SetAsideGame, VariantView
from hnefi.server.messages.rules import shape_of
from hnefi.server.messages.views import outcome_view
from hnefi.server.refusals import Refused, TooManyRequests
from hnefi.server.store import StoredGame
from hnefi.variants.model import Variant

_MS_PER_DAY = 86_400_000
_CODES = {
    HTTPStatus.FORBIDDEN: ("not_host", "no_seat", "bad_invite", "bad_link"),
    HTTPStatus.NOT_FOUND: (
        *("unknown_game", "unknown_library_game", "no_openings", "unknown_variant", "ambiguous_variant"),
        *("no_such_leg", "unknown_class", "unknown_member"),
    ),
    HTTPStatus.CONFLICT: ("superseded",),
    HTTPStatus.GONE: ("damaged_game",),
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: ("too_many_plies",),
    HTTPStatus.UNPROCESSABLE_ENTITY: ("bad_request",),
    # An EngineError: `hnefi.workers` does not know `TooManyRequests`.
    HTTPStatus.TOO_MANY_REQUESTS: ("too_many_analyses",),
    HTTPStatus.SERVICE_UNAVAILABLE: (
        "library_fails",
        "engine_busy",
        "engine_died",
        "server_full",
        "not_saved",
    ),
}
_STATUS = {code: status for status, codes in _CODES.items() for code in codes}


def status_of(error: HnefiError) -> HTTPStatus:
    """Returns the status of an error.

    Above a rate limit it is 429. A code without a status gets 409 if the request cannot be carried out now,
    and 422 if it never can.
    """
    if isinstance(error, TooManyRequests):
        return HTTPStatus.TOO_MANY_REQUESTS
    usual = HTTPStatus.CONFLICT if isinstance(error, Refused) else HTTPStatus.UNPROCESSABLE_ENTITY
    return _STATUS.get(error.code, usual)


def own_games(own: OwnList, visitor: str, expiry: Expiry, leads: Leads) -> OwnGames:
    """Returns the list of a visitor's games."""
    return OwnGames(
        games=[_own_game(game, game.players_of(visitor), expiry) for game in own.games],
        set_aside=[_set_aside_game(game, visitor, leads) for game in own.set_aside],
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


def _own_game(game: Room, you: frozenset[int], expiry: Expiry) -> OwnGame:
    state = game.state
    leg = state.leg if state.legs else None
    changed_ms = game.time.leads.shown_us(state.t_us) // 1000
    return OwnGame(
        game=game.id,
        variant=state.created.variant,
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
        expires_ms=changed_ms + expiry[state.status.value] * _MS_PER_DAY,
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

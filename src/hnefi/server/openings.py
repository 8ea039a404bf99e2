"""What the games of a library played at a position, and those games; read, never written."""

from itertools import islice

from hnefi._core import Setup
from hnefi.errors import HnefiError
from hnefi.library import (
    Choice,
    KeptGame,
    Library,
    LibraryError,
    Query,
    count_games,
    find_games,
    moves_played,
)
from hnefi.record import format_records
from hnefi.server.games.faults import refused
from hnefi.server.requests import LibraryGameView, OpeningMoveView, OpeningsRequest, OpeningsView
from hnefi.server.settings import Settings
from hnefi.variant import variant

__all__ = ["has_library", "openings_at", "record_text"]

_MOST_GAMES = 10


def has_library(settings: Settings) -> bool:
    """Whether there is a library to look into; one's own may come while the server runs."""
    return settings.library is not None and settings.library.is_file()


def openings_at(settings: Settings, asked: OpeningsRequest) -> OpeningsView:
    """Tells what was played at a position.

    Raises:
        Refused: `no_openings`, `library_fails`.
        HnefiError: If there is no such variant, or no game can be played from the position.
    """
    found = variant(asked.variant)
    if asked.switches:
        found = found.with_switches(asked.switches)
    position = found.new_game(Setup(asked.position)).position
    wanted = found.id if asked.variant_only else None
    query = Query(variant=wanted, position=position)
    try:
        with _opened(settings) as library:
            played = moves_played(library, position, query)
            latest = list(islice(find_games(library, query, limit=_MOST_GAMES), _MOST_GAMES))
            return OpeningsView(
                games=count_games(library, query),
                moves=[view for one in played if (view := _move(one)) is not None],
                latest=[_game(one) for one in latest],
            )
    except LibraryError as error:
        raise _failed(error) from error


def record_text(settings: Settings, number: int) -> str:
    """Gives the record of a game of the library.

    Raises:
        Refused: `no_openings`, `unknown_library_game`, `library_fails`.
    """
    try:
        with _opened(settings) as library:
            found = next(find_games(library, Query(ids=(number,)), limit=1), None)
        if found is None:
            raise refused("unknown_library_game")
        return format_records([found.record()])
    except LibraryError as error:
        raise _failed(error) from error


def _opened(settings: Settings) -> Library:
    """Opens the library anew for each question: it may have been replaced, and none holds up another."""
    if not has_library(settings):
        raise refused("no_openings")
    assert settings.library is not None
    return Library(settings.library)


def _failed(error: LibraryError) -> HnefiError:
    """Says that it cannot be read, without where it lies on this machine."""
    return refused("no_openings" if error.code == "no_library" else "library_fails")


def _move(one: Choice) -> OpeningMoveView | None:
    if one.move is None:
        return None
    results = one.results
    bounds = results.interval
    return OpeningMoveView(
        move=str(one.move),
        attackers=results.attackers,
        draws=results.draws,
        defenders=results.defenders,
        unknown=results.unknown,
        share=results.share,
        interval=[bounds.low, bounds.high],
    )


def _game(one: KeptGame) -> LibraryGameView:
    return LibraryGameView(
        id=one.id,
        variant=one.variant,
        attackers=one.attackers,
        defenders=one.defenders,
        date=one.date,
        result=one.result,  # type: ignore[arg-type]
        reason=one.reason,
        plies=one.plies,
    )

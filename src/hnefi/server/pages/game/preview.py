"""What a link to a game says where it is shared: who plays what, or who invites, and the result."""

from hnefi.errors import VariantError
from hnefi.i18n import outcome_text, text
from hnefi.match import MatchFormat
from hnefi.pieces import Side
from hnefi.server.game_facts import heading_of
from hnefi.server.games.state import PLAYERS, State, Status
from hnefi.variants.finding import variant


def game_preview(state: State, lang: str) -> tuple[str, str]:
    """Returns the title and the description of a game for link previews; empty if its variant is gone."""
    try:
        game = _title(state, lang)
    except VariantError:
        return "", ""
    if state.status is Status.ABORTED:
        return "", text("web.game_cancelled", lang)
    facts = {"game": game, "size": state.rules.size}
    if not state.legs:
        name, side = state.names[0], state.created.side
        seat = side if side == "lot" else Side(side).opponent.value
        title = text(f"page.preview.{'invites' if name else 'invited'}", lang, name=name, **facts)
        return title, text(f"page.preview.seat.{seat}", lang)
    leg = state.legs[-1]
    names = {side.value: _name(state, leg.player(side), lang) for side in Side}
    title = text("page.preview.game", lang, **names, **facts)
    if state.status is Status.OVER and leg.outcome:
        said = outcome_text(leg.outcome, lang)
        return title, f"{said} {_match_result(state, lang)}".strip()
    return title, text("page.preview.sides", lang, **names)


def _title(state: State, lang: str) -> str:
    """Returns the name of the game; that of changed rules is the one they were given, else it says so."""
    created = state.created
    if created.title:
        return created.title
    name = heading_of(variant(created.variant), lang)[0]
    return text("web.changed_game", lang, name=name) if created.switches else name


def _match_result(state: State, lang: str) -> str:
    """Returns who has won a match of two legs; empty if it has one, or goes on."""
    match = state.match
    if match.format is not MatchFormat.TWO_LEGS or match.verdict is None:
        return ""
    winner, decision = match.verdict.winner, match.verdict.decision.value
    if winner is None:
        return text("play.match.drawn", lang)
    return text(f"play.match.won.{decision}", lang, player=_name(state, PLAYERS.index(winner), lang))


def _name(state: State, player: int, lang: str) -> str:
    """Returns the name of a player; of a computer its level, of a nameless person “Guest”."""
    if state.has_computer and player == 1:
        return text(f"level.named.{state.created.level}", lang)
    return state.names[player] or text("web.guest", lang)

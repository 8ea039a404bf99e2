"""The page that compares two games: the rules in which they differ, and what each of them says."""

from hnefi.server.pages.game_choices import game_choices
from hnefi.server.pages.page import PageRequest
from hnefi.variants.finding import variant
from hnefi.words.differences import differences

_USUAL = ("brandub-globe", "brandub-breyer")


def compare_values(request: PageRequest) -> dict[str, object]:
    """Returns the two games and their differences.

    Raises:
        VariantError: If there is no such game.
    """
    lang = request.lang
    given = {name: request.values.get(name, "").lower() for name in ("first", "second")}
    # One game alone is compared with a usual one that is another.
    usual = [name for name in _USUAL if name not in given.values()]
    pair = {side: variant(name or usual.pop(0)) for side, name in given.items()}
    return {
        "games": game_choices(lang),
        "pair": [(name, one.id, one.name(lang)) for name, one in pair.items()],
        "differences": list(differences(pair["first"], pair["second"], lang)),
    }

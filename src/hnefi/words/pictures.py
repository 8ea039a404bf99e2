"""The pictures of the rules. Each is played by the core under the rules it is for, or left out."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from hnefi.pieces import Piece, Reason, Side
from hnefi.words.model import Picture
from hnefi.words.stage import Place, Scene, square_at, staged
from hnefi.words.teller import Teller

if TYPE_CHECKING:
    from hnefi._core import Square

__all__ = [
    "armed_king",
    "blocked_groups",
    "custodial",
    "enclosure",
    "exit_fort",
    "hostile_corner",
    "hostile_throne",
    "king_beside_corner",
    "king_beside_throne",
    "king_elsewhere",
    "king_on_edge",
    "king_on_throne",
    "linnaean",
    "roads",
    "safe",
    "shieldwall",
    "start_picture",
]

_A, _D, _K = Piece.ATTACKER, Piece.DEFENDER, Piece.KING


def start_picture(teller: Teller) -> Picture:
    """Shows the start position."""
    from hnefi._core import Position

    return Picture("start", teller.say("words.picture.start"), Position(teller.rules))


def _caption(teller: Teller, kind: str) -> str:
    """Returns a caption whose squares are still to be filled in."""
    open_facts = {name: f"{{{name}}}" for name in ("The_mover", "the_victim", "to", "square")}
    return teller.say(f"words.picture.{kind}", **open_facts)


def _staged(teller: Teller, scene: Scene) -> tuple[Picture, ...]:
    return _first_shown(teller, [scene])


def _first_shown(teller: Teller, scenes: Iterable[Scene]) -> tuple[Picture, ...]:
    """Returns the picture of the first scene these rules allow, preferably one where nothing else wins."""
    tried = list(scenes)
    for quietly in (True, False):
        for scene in tried:
            if shown := staged(teller, scene, _caption(teller, scene.kind), quietly=quietly):
                return shown
    return ()


def _roomy(teller: Teller) -> list[Place]:
    """Lists places with room around them for a capture between two, the best first."""
    size = teller.rules.size
    return [(2, size - 2), (size // 2, size - 2), (size // 2, 1), (2, size // 2 - 1), (1, size // 2)]


def _pincer(kind: str, at: Place, waiting: Piece, victim: Piece, mover: Piece) -> Scene:
    """A capture between two: one waits on the left, the other comes to the right from below."""
    x, y = at
    pieces = {(x - 1, y): waiting, (x, y): victim, (x + 1, y - 1): mover}
    return Scene(kind, pieces, (x + 1, y - 1), (x + 1, y), frozenset({at}))


def custodial(teller: Teller) -> tuple[Picture, ...]:
    """Shows a defender taken between two attackers."""
    return _first_shown(teller, (_pincer("custodial", at, _A, _D, _A) for at in _roomy(teller)))


def safe(teller: Teller) -> tuple[Picture, ...]:
    """Shows a defender who steps in between two attackers."""
    scenes = (
        Scene("safe", {(x - 1, y): _A, (x + 1, y): _A, (x, y - 1): _D}, (x, y - 1), (x, y))
        for x, y in _roomy(teller)
    )
    return _first_shown(teller, scenes)


def armed_king(teller: Teller) -> tuple[Picture, ...]:
    """Shows the king taking part in a capture: by his move where he may, else standing still."""
    armed = teller.tree.capture.king_armed
    if armed in ("both", "hammer"):
        return _first_shown(teller, (_pincer("king_hammer", at, _D, _A, _K) for at in _roomy(teller)))
    if armed == "anvil":
        return _first_shown(teller, (_pincer("king_anvil", at, _K, _A, _D) for at in _roomy(teller)))
    return ()


def hostile_throne(teller: Teller) -> tuple[Picture, ...]:
    """Shows a soldier taken against the empty throne, and against the occupied one where that is the rule."""
    when = teller.tree.hostility.throne_hostile
    c = teller.rules.size // 2
    shown: tuple[Picture, ...] = ()
    for kind, victim, taker in (("defenders", _D, _A), ("attackers", _A, _D)):
        pieces = {(c - 1, c): victim, (c - 2, c - 1): taker}
        taken = frozenset({(c - 1, c)})
        if getattr(when, kind) != "never" and not shown:
            shown += _staged(teller, Scene("throne", pieces, (c - 2, c - 1), (c - 2, c), taken))
        if getattr(when, kind) == "always":
            held = {**pieces, (c, c): _K}
            shown += _staged(teller, Scene("throne_held", held, (c - 2, c - 1), (c - 2, c), taken))
    return shown


def hostile_corner(teller: Teller) -> tuple[Picture, ...]:
    """Shows a soldier taken against an empty corner."""
    when = teller.tree.hostility.corner_hostile
    top = teller.rules.size - 1
    beside = _beside_corner(teller)
    for kind, victim, taker in (("attackers", _A, _D), ("defenders", _D, _A)):
        if getattr(when, kind) != "never":
            pieces = {(beside, top): victim, (beside + 1, top - 1): taker}
            taken = frozenset({(beside, top)})
            origin, target = (beside + 1, top - 1), (beside + 1, top)
            return _staged(teller, Scene("corner", pieces, origin, target, taken, also=((0, top),)))
    return ()


def _beside_corner(teller: Teller) -> int:
    """The file of the square beside the corner on the left."""
    return 2 if teller.tree.board.corners == "2x2" else 1


def linnaean(teller: Teller) -> tuple[Picture, ...]:
    """Shows a defender, and where it is the rule the king, taken against the occupied throne."""
    value = teller.tree.capture.linnaean
    if value == "none":
        return ()
    c = teller.rules.size // 2
    pieces = {(c, c): _K, (c - 1, c): _A, (c + 1, c): _A, (c, c - 1): _A, (c, c + 1): _D, (c + 1, c + 2): _A}
    with_king = value == "guard_and_king"
    scene = Scene(
        kind="linnaean_king" if with_king else "linnaean",
        pieces=pieces,
        origin=(c + 1, c + 2),
        target=(c, c + 2),
        victims=frozenset({(c, c + 1)}),
        king_falls=with_king,
        span=(4, 4),
    )
    return _staged(teller, scene)


def blocked_groups(teller: Teller) -> tuple[Picture, ...]:
    """Shows two pieces side by side on the edge, taken because they cannot move."""
    value = teller.tree.capture.blocked_groups
    if value == "none":
        return ()
    x = teller.rules.size // 2 - 1
    pair = {(x, 0): _D, (x + 1, 0): _D if value == "groups" else _K}
    ring = {(x - 1, 0): _A, (x + 2, 0): _A, (x, 1): _A, (x + 1, 2): _A}
    scene = Scene(
        kind="blocked_group" if value == "groups" else "king_and_one",
        pieces={**pair, **ring},
        origin=(x + 1, 2),
        target=(x + 1, 1),
        victims=frozenset(place for place, piece in pair.items() if piece is _D),
        king_falls=value == "king_and_one",
        how="blocked_group",
    )
    return _staged(teller, scene) or _staged(teller, _lifted(scene))


def _lifted(scene: Scene) -> Scene:
    """The same scene in the middle of the board, closed from below too: where the edge is a goal."""
    pieces = {(x, y + 2): piece for (x, y), piece in scene.pieces.items()}
    pieces |= {(x, 1): _A for x, y in scene.pieces if y == 0 and scene.pieces[x, y] is not _A}
    return Scene(
        kind=scene.kind,
        pieces=pieces,
        origin=(scene.origin[0], scene.origin[1] + 2),
        target=(scene.target[0], scene.target[1] + 2),
        victims=frozenset((x, y + 2) for x, y in scene.victims),
        king_falls=scene.king_falls,
        how=scene.how,
    )


def shieldwall(teller: Teller) -> tuple[Picture, ...]:
    """Shows a row taken along the edge: against a corner where that is the rule."""
    value = teller.tree.capture.shieldwall
    if value == "none":
        return ()
    against_corner = value == "with_corner"
    first = _beside_corner(teller) if against_corner else teller.rules.size // 2 - 1
    row = {(first, 0): _D, (first + 1, 0): _D}
    front = {(first, 1): _A, (first + 1, 1): _A, (first + 2, 1): _A}
    bracket = {} if against_corner else {(first - 1, 0): _A}
    scene = Scene(
        kind="shieldwall",
        pieces={**row, **front, **bracket},
        origin=(first + 2, 1),
        target=(first + 2, 0),
        victims=frozenset(row),
        how="shieldwall",
        also=((0, 0),) if against_corner else (),
    )
    return _staged(teller, scene)


def _king_taken(
    teller: Teller,
    kind: str,
    king: Place,
    attackers: Iterable[Place],
    *,
    origin: Place,
    target: Place,
    also: tuple[Place, ...] = (),
) -> tuple[Picture, ...]:
    """Shows the king taken by a move beside him."""
    pieces = {king: _K, **dict.fromkeys(attackers, _A), origin: _A}
    return _staged(teller, Scene(kind, pieces, origin, target, king_falls=True, also=also, span=(3, 3)))


def king_on_throne(teller: Teller) -> tuple[Picture, ...]:
    """Shows the king taken on the throne."""
    mode = teller.tree.capture.king_capture.on_throne
    c = teller.rules.size // 2
    others = [(c - 1, c), (c, c + 1), (c, c - 1)] if mode == "four_sides" else [(c - 1, c)]
    return _king_taken(teller, "king_on_throne", (c, c), others, origin=(c + 1, c + 1), target=(c + 1, c))


def king_beside_throne(teller: Teller) -> tuple[Picture, ...]:
    """Shows the king taken on the square below the throne."""
    mode = teller.tree.capture.king_capture.beside_throne
    c = teller.rules.size // 2
    king = (c, c - 1)
    against_throne = teller.tree.hostility.throne_hostile.king != "never"
    if mode == "custodial" and against_throne:
        return _king_taken(
            teller, "king_beside_throne", king, [], origin=(c + 1, c - 2), target=(c, c - 2), also=((c, c),)
        )
    others = [(c - 1, c - 1)]
    if mode == "four_sides":
        others += [(c, c - 2)] if against_throne else [(c, c - 2), (c, c)]
    origin, target = (c + 1, c - 2), (c + 1, c - 1)
    return _king_taken(
        teller, "king_beside_throne", king, others, origin=origin, target=target, also=((c, c),)
    )


def king_elsewhere(teller: Teller) -> tuple[Picture, ...]:
    """Shows the king taken in the open, away from throne, edge and corners."""
    mode = teller.tree.capture.king_capture.elsewhere
    size = teller.rules.size
    for x, y in [(2, size - 3), *_roomy(teller)]:
        others = [(x - 1, y)] if mode == "custodial" else [(x - 1, y), (x, y - 1), (x, y + 1)]
        origin, target = (x + 1, y - 1), (x + 1, y)
        shown = _king_taken(teller, "king_elsewhere", (x, y), others, origin=origin, target=target)
        if shown:
            return shown
    return ()


def king_on_edge(teller: Teller) -> tuple[Picture, ...]:
    """Shows the king taken on the edge by three."""
    x = teller.rules.size // 2
    others = [(x - 1, 0), (x, 1)]
    return _king_taken(teller, "king_edge", (x, 0), others, origin=(x + 1, 1), target=(x + 1, 0))


def king_beside_corner(teller: Teller) -> tuple[Picture, ...]:
    """Shows the king taken beside a corner."""
    x = _beside_corner(teller)
    mode = teller.tree.capture.king_capture.elsewhere
    others = [(x, 1)] if mode == "four_sides" else []
    return _king_taken(
        teller, "king_corner", (x, 0), others, origin=(x + 1, 1), target=(x + 1, 0), also=((0, 0),)
    )


def roads(teller: Teller, number: int) -> tuple[Picture, ...]:
    """Shows a king on the top rank with one open road to a corner, or two."""
    from hnefi._core import Position, Setup

    if teller.tree.ends.goal != "corner":
        return ()
    size = teller.rules.size
    c = size // 2
    pieces = {(c, size - 1): _K, (1, size - 3): _D, (size - 2, size - 2): _A}
    if number == 1:
        del pieces[size - 2, size - 2]
        pieces[size - 2, size - 1] = _A
    by_square = {square_at(place): piece for place, piece in pieces.items()}
    position = Position(teller.rules, Setup.of(size, by_square, Side.ATTACKERS))
    if position.outcome is not None or len(position.open_roads) != number:
        return ()
    kind = "one_road" if number == 1 else "two_roads"
    crop: tuple[Square, Square] = (square_at((0, size - 3)), square_at((size - 1, size - 1)))
    return (
        Picture(kind, teller.say(f"words.picture.{kind}"), position, roads=position.open_roads, crop=crop),
    )


def enclosure(teller: Teller) -> tuple[Picture, ...]:
    """Shows the attackers closing a ring."""
    if teller.tree.ends.enclosure == "none":
        return ()
    c = teller.rules.size // 2
    ring = [
        (dx, dy)
        for dx in range(-2, 3)
        for dy in range(-2, 3)
        if abs(dx) + abs(dy) == 2 and (dx, dy) != (2, 0)
    ]
    pieces = {(c + dx, c + dy): _A for dx, dy in ring}
    pieces |= {(c, c): _K, (c, c + 1): _D, (c + 2, c - 1): _A}
    scene = Scene("enclosure", pieces, (c + 2, c - 1), (c + 2, c), reason=Reason.ENCLOSURE, span=(5, 5))
    return _staged(teller, scene)


def exit_fort(teller: Teller) -> tuple[Picture, ...]:
    """Shows the defenders completing a fort on the edge."""
    if teller.tree.ends.exit_fort == "none":
        return ()
    x = teller.rules.size // 2
    wall = [(x - 1, 0), (x - 1, 1), (x, 1), (x + 1, 1)]
    pieces = {**dict.fromkeys(wall, _D), (x, 0): _K, (x + 2, 1): _D}
    scene = Scene("exit_fort", pieces, (x + 2, 1), (x + 2, 0), reason=Reason.EXIT_FORT, span=(5, 3))
    return _staged(teller, scene)

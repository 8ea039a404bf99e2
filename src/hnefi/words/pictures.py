"""The pictures of rules. The core verifies each under the rules it is for; others are left out."""

from dataclasses import replace
from typing import TYPE_CHECKING

from hnefi.pieces import Piece, Reason, Side
from hnefi.staging import Coordinates, setup_of, square_at
from hnefi.words.model import Picture
from hnefi.words.nouns import capitalised
from hnefi.words.scenes import Scene, picture_of
from hnefi.words.wording import Wording

if TYPE_CHECKING:
    from hnefi._core import Square

_A, _D, _K = Piece.ATTACKER, Piece.DEFENDER, Piece.KING


def start_picture(wording: Wording) -> Picture:
    """Returns the picture of the start position."""
    from hnefi._core import Position

    position = Position(wording.rules)
    by_piece: dict[Piece, list[str]] = {}
    for square, piece in position.pieces.items():
        by_piece.setdefault(piece, []).append(square.name)
    told = [
        wording.text(
            "words.picture.start_squares",
            piece=capitalised(wording.nouns["king" if piece is Piece.KING else f"{piece.soldier.value}s"]),
            squares=wording.listed(sorted(names)),
        )
        for piece, names in sorted(by_piece.items(), key=lambda found: list(Piece).index(found[0]))
    ]
    return Picture("start", wording.text("words.picture.start"), position, squares=" ".join(told))


def _caption(wording: Wording, scene: Scene) -> str:
    """Returns a caption with open placeholders for squares."""
    facts = {name: f"{{{name}}}" for name in ("The_mover", "the_victim", "e_victim", "to", "square")}
    if count := scene.captors:
        facts["captors_take"] = wording.plural(
            "words.picture.captors_take", count, count=wording.number(count)
        )
    return wording.text(f"words.picture.{scene.kind}", **facts)


def _shown(wording: Wording, *scenes: Scene) -> tuple[Picture, ...]:
    """Returns the picture of the first scene these rules allow, preferably one where nothing else wins."""
    tried = scenes if wording.has_pictures else ()
    for quietly in (True, False):
        for scene in tried:
            if shown := picture_of(wording, scene, _caption(wording, scene), quietly=quietly):
                return shown
    return ()


def _places_with_room(wording: Wording) -> list[Coordinates]:
    """Returns places with free squares around them for a custodial capture, the best first."""
    size = wording.rules.size
    return [(2, size - 2), (size // 2, size - 2), (size // 2, 1), (2, size // 2 - 1), (1, size // 2)]


def _pincer(kind: str, at: Coordinates, waiting: Piece, victim: Piece, mover: Piece) -> Scene:
    """Returns the scene of a custodial capture: one piece waits on the left, the mover comes from below."""
    x, y = at
    pieces = {(x - 1, y): waiting, (x, y): victim, (x + 1, y - 1): mover}
    return Scene(kind, pieces, (x + 1, y - 1), (x + 1, y), frozenset({at}))


def a_move(wording: Wording) -> tuple[Picture, ...]:
    """Returns the picture of an attacker who moves as far as the rules allow, or four squares."""
    reach = wording.tree.movement.range.attackers or 4
    kind, length = ("one_step", 1) if reach == 1 else ("move", min(reach, 4))
    scenes = (
        Scene(kind, {(x, y): _A}, (x, y), (x + length, y), span=(5, 2)) for x, y in _places_with_room(wording)
    )
    return _shown(wording, *scenes)


def crossing(wording: Wording) -> tuple[Picture, ...]:
    """Returns the picture of an attacker who crosses the empty throne."""
    c = wording.rules.size // 2
    if wording.rules.throne is None or wording.tree.movement.range.attackers == 1:
        return ()
    return _shown(
        wording, Scene("crossing", {(c - 1, c): _A}, (c - 1, c), (c + 1, c), also=((c, c),), span=(5, 2))
    )


def double(wording: Wording) -> tuple[Picture, ...]:
    """Returns the picture of two defenders captured by one move."""
    scenes = (
        Scene(
            "double",
            {(x - 1, y): _A, (x, y): _D, (x + 1, y - 1): _D, (x + 1, y - 2): _A, (x + 2, y): _A},
            (x + 2, y),
            (x + 1, y),
            frozenset({(x, y), (x + 1, y - 1)}),
        )
        for x, y in _places_with_room(wording)
    )
    return _shown(wording, *scenes)


def side_by_side(wording: Wording) -> tuple[Picture, ...]:
    """Returns the picture of two defenders between two attackers who are not captured."""
    scenes = (
        Scene(
            "side_by_side",
            {(x - 1, y): _A, (x, y): _D, (x + 1, y): _D, (x + 2, y - 1): _A},
            (x + 2, y - 1),
            (x + 2, y),
        )
        for x, y in _places_with_room(wording)
    )
    return _shown(wording, *scenes)


def safe_in_corner(wording: Wording) -> tuple[Picture, ...]:
    """Returns the picture of a defender in a corner between two attackers who is not captured."""
    top = wording.rules.size - 1
    pieces = {(0, top): _D, (0, top - 1): _A, (2, top): _A}
    return _shown(wording, Scene("safe_in_corner", pieces, (2, top), (1, top)))


def custodial(wording: Wording) -> tuple[Picture, ...]:
    """Returns the picture of a defender captured between two attackers."""
    return _shown(wording, *(_pincer("custodial", at, _A, _D, _A) for at in _places_with_room(wording)))


def safe(wording: Wording) -> tuple[Picture, ...]:
    """Returns the picture of a defender who moves between two attackers unharmed."""
    scenes = (
        Scene("safe", {(x - 1, y): _A, (x + 1, y): _A, (x, y - 1): _D}, (x, y - 1), (x, y))
        for x, y in _places_with_room(wording)
    )
    return _shown(wording, *scenes)


def armed_king(wording: Wording) -> tuple[Picture, ...]:
    """Returns the picture of a king who takes part in a capture, as hammer if he may, else as anvil."""
    armed = wording.tree.capture.king_armed
    if armed in ("both", "hammer"):
        return _shown(wording, *(_pincer("king_hammer", at, _D, _A, _K) for at in _places_with_room(wording)))
    if armed == "anvil":
        return _shown(wording, *(_pincer("king_anvil", at, _K, _A, _D) for at in _places_with_room(wording)))
    return ()


def hostile_throne(wording: Wording) -> tuple[Picture, ...]:
    """Returns the pictures of soldiers captured against the empty and the occupied throne."""
    when = wording.tree.hostility.throne_hostile
    c = wording.rules.size // 2
    shown: tuple[Picture, ...] = ()
    for kind, victim, taker in (("defenders", _D, _A), ("attackers", _A, _D)):
        pieces = {(c - 1, c): victim, (c - 2, c - 1): taker}
        taken = frozenset({(c - 1, c)})
        if getattr(when, kind) != "never" and not shown:
            shown += _shown(wording, Scene("throne", pieces, (c - 2, c - 1), (c - 2, c), taken))
        if getattr(when, kind) == "always":
            held = {**pieces, (c, c): _K}
            shown += _shown(wording, Scene("throne_held", held, (c - 2, c - 1), (c - 2, c), taken))
    return shown


def hostile_corner(wording: Wording) -> tuple[Picture, ...]:
    """Returns the picture of a soldier captured against an empty corner."""
    when = wording.tree.hostility.corner_hostile
    top = wording.rules.size - 1
    beside = _beside_corner(wording)
    for kind, victim, taker in (("attackers", _A, _D), ("defenders", _D, _A)):
        if getattr(when, kind) != "never":
            pieces = {(beside, top): victim, (beside + 1, top - 1): taker}
            taken = frozenset({(beside, top)})
            origin, target = (beside + 1, top - 1), (beside + 1, top)
            return _shown(wording, Scene("corner", pieces, origin, target, taken, also=((0, top),)))
    return ()


def _beside_corner(wording: Wording) -> int:
    """Returns the file of the square beside the left corner."""
    return 2 if wording.tree.board.corners == "2x2" else 1


def linnaean(wording: Wording) -> tuple[Picture, ...]:
    """Returns the picture of the Linnaean capture, of a defender and possibly the king."""
    value = wording.tree.capture.linnaean
    if value == "none":
        return ()
    c = wording.rules.size // 2
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
    return _shown(wording, scene)


def blocked_groups(wording: Wording, *, has_king: bool) -> tuple[Picture, ...]:
    """Returns the picture of a blocked pair on the edge, of which one may be the king."""
    if wording.tree.capture.blocked_groups == "none":
        return ()
    x = wording.rules.size // 2 - 1
    pair = {(x, 0): _D, (x + 1, 0): _K if has_king else _D}
    ring = {(x - 1, 0): _A, (x + 2, 0): _A, (x, 1): _A, (x + 1, 2): _A}
    scene = Scene(
        kind="king_and_one" if has_king else "blocked_group",
        pieces={**pair, **ring},
        origin=(x + 1, 2),
        target=(x + 1, 1),
        victims=frozenset(place for place, piece in pair.items() if piece is _D),
        king_falls=has_king,
        how="blocked_group",
    )
    return _shown(wording, scene) or _shown(wording, _lifted(scene))


def _lifted(scene: Scene) -> Scene:
    """Returns the same scene off the edge, enclosed from below too, for rules with the edge as goal."""
    pieces = {(x, y + 2): piece for (x, y), piece in scene.pieces.items()}
    pieces |= {(x, 1): _A for x, y in scene.pieces if y == 0 and scene.pieces[x, y] is not _A}
    (x, y), (to_x, to_y) = scene.origin, scene.target
    victims = frozenset((x, y + 2) for x, y in scene.victims)
    return replace(scene, pieces=pieces, origin=(x, y + 2), target=(to_x, to_y + 2), victims=victims)


def shieldwall(wording: Wording) -> tuple[Picture, ...]:
    """Returns the picture of a shieldwall, against a corner if the rules say so."""
    value = wording.tree.capture.shieldwall
    if value == "none":
        return ()
    against_corner = value == "with_corner"
    first = _beside_corner(wording) if against_corner else wording.rules.size // 2 - 1
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
    return _shown(wording, scene)


def _king_taken(
    wording: Wording,
    kind: str,
    king: Coordinates,
    attackers: list[Coordinates],
    *,
    origin: Coordinates,
    target: Coordinates,
    also: tuple[Coordinates, ...] = (),
) -> tuple[Picture, ...]:
    """Returns the picture of the king captured by a move beside him."""
    pieces = {king: _K, **dict.fromkeys(attackers, _A), origin: _A}
    captors = len(attackers) + 1
    scene = Scene(kind, pieces, origin, target, king_falls=True, captors=captors, also=also, span=(3, 3))
    return _shown(wording, scene)


def king_on_throne(wording: Wording) -> tuple[Picture, ...]:
    """Returns the picture of the king captured on the throne."""
    mode = wording.tree.capture.king_capture.on_throne
    c = wording.rules.size // 2
    others = [(c - 1, c), (c, c + 1), (c, c - 1)] if mode == "four_sides" else [(c - 1, c)]
    return _king_taken(wording, "king_on_throne", (c, c), others, origin=(c + 1, c + 1), target=(c + 1, c))


def king_beside_throne(wording: Wording) -> tuple[Picture, ...]:
    """Returns the picture of the king captured below the throne."""
    mode = wording.tree.capture.king_capture.beside_throne
    c = wording.rules.size // 2
    king = (c, c - 1)
    against_throne = wording.tree.hostility.throne_hostile.king != "never"
    if mode == "custodial" and against_throne:
        return _king_taken(
            wording, "king_beside_throne", king, [], origin=(c + 1, c - 2), target=(c, c - 2), also=((c, c),)
        )
    others = [(c - 1, c - 1)]
    if mode == "four_sides":
        others += [(c, c - 2)] if against_throne else [(c, c - 2), (c, c)]
    origin, target = (c + 1, c - 2), (c + 1, c - 1)
    return _king_taken(
        wording, "king_beside_throne", king, others, origin=origin, target=target, also=((c, c),)
    )


def king_elsewhere(wording: Wording) -> tuple[Picture, ...]:
    """Returns the picture of the king captured in the open."""
    mode = wording.tree.capture.king_capture.elsewhere
    size = wording.rules.size
    for x, y in [(2, size - 3), *_places_with_room(wording)]:
        others = [(x - 1, y)] if mode == "custodial" else [(x - 1, y), (x, y - 1), (x, y + 1)]
        origin, target = (x + 1, y - 1), (x + 1, y)
        shown = _king_taken(wording, "king_elsewhere", (x, y), others, origin=origin, target=target)
        if shown:
            return shown
    return ()


def king_on_edge(wording: Wording) -> tuple[Picture, ...]:
    """Returns the picture of the king captured on the edge by three attackers."""
    x = wording.rules.size // 2
    others = [(x - 1, 0), (x, 1)]
    return _king_taken(wording, "king_edge", (x, 0), others, origin=(x + 1, 1), target=(x + 1, 0))


def king_beside_corner(wording: Wording) -> tuple[Picture, ...]:
    """Returns the picture of the king captured beside a corner."""
    x = _beside_corner(wording)
    mode = wording.tree.capture.king_capture.elsewhere
    others = [(x, 1)] if mode == "four_sides" else []
    return _king_taken(
        wording, "king_corner", (x, 0), others, origin=(x + 1, 1), target=(x + 1, 0), also=((0, 0),)
    )


def roads(wording: Wording, number: int) -> tuple[Picture, ...]:
    """Returns the picture of a king on the top rank with one or two open roads to corners."""
    from hnefi._core import Position

    if wording.tree.ends.goal != "corner":
        return ()
    size = wording.rules.size
    c = size // 2
    pieces = {(c, size - 1): _K, (1, size - 3): _D, (size - 2, size - 2): _A}
    if number == 1:
        del pieces[size - 2, size - 2]
        pieces[size - 2, size - 1] = _A
    position = Position(wording.rules, setup_of(size, pieces, Side.ATTACKERS))
    if position.outcome is not None or len(position.open_roads) != number:
        return ()
    kind = "one_road" if number == 1 else "two_roads"
    crop: tuple[Square, Square] = (square_at((0, size - 3)), square_at((size - 1, size - 1)))
    return (
        Picture(kind, wording.text(f"words.picture.{kind}"), position, roads=position.open_roads, crop=crop),
    )


def enclosure(wording: Wording) -> tuple[Picture, ...]:
    """Returns the picture of attackers who complete an enclosure."""
    if wording.tree.ends.enclosure == "none":
        return ()
    c = wording.rules.size // 2
    ring = [
        (dx, dy)
        for dx in range(-2, 3)
        for dy in range(-2, 3)
        if abs(dx) + abs(dy) == 2 and (dx, dy) != (2, 0)
    ]
    pieces = {(c + dx, c + dy): _A for dx, dy in ring}
    pieces |= {(c, c): _K, (c, c + 1): _D, (c + 2, c - 1): _A}
    scene = Scene("enclosure", pieces, (c + 2, c - 1), (c + 2, c), reason=Reason.ENCLOSURE, span=(5, 5))
    return _shown(wording, scene)


def exit_fort(wording: Wording) -> tuple[Picture, ...]:
    """Returns the picture of defenders who complete an exit fort."""
    if wording.tree.ends.exit_fort == "none":
        return ()
    x = wording.rules.size // 2
    wall = [(x - 1, 0), (x - 1, 1), (x, 1), (x + 1, 1)]
    pieces = {**dict.fromkeys(wall, _D), (x, 0): _K, (x + 2, 1): _D}
    scene = Scene("exit_fort", pieces, (x + 2, 1), (x + 2, 0), reason=Reason.EXIT_FORT, span=(5, 3))
    return _shown(wording, scene)

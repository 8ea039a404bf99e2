"""Random valid rule trees, to compare the reference with the compiled core."""

import random
from typing import Any

from tests.reference.board import KIND, Board, Rules, Square, corner_blocks, format_rows, square_name
from tests.reference.tafl import outcome_as_loaded

KINDS = ["attackers", "defenders", "king"]
SIZES = [5, 5, 7, 7, 7, 9, 9, 9, 11, 11, 13, 15, 17, 19]

BLOCKED_GROUPS = ["none", "king_and_one", "king_and_one_surrounded", "groups", "groups_and_rows"]


def random_tree(rng: random.Random, size: int | None = None) -> dict[str, Any]:
    """Draws a rule tree with all parameters, free of contradictions, whose start position is not over.

    Args:
        rng: The random generator; the same state gives the same tree.
        size: The size of the board; drawn if absent, small boards more often.
    """
    while True:
        tree = draw_tree(rng, size or rng.choice(SIZES))
        rules = Rules(tree)
        both_sides = {"t", "T"} <= set(rules.start_board.values())
        if both_sides and outcome_as_loaded(rules, rules.start) is None:
            return tree


def draw_tree(rng: random.Random, size: int) -> dict[str, Any]:
    """Draws a tree whose keys agree with each other; its start may be over already."""
    throne = rng.choice(["centre", "centre", "centre", "none"])
    corners = rng.choice(["none", "1x1", "1x1", "1x1", "2x2"])
    goal = "edge" if corners == "none" else rng.choice(["edge", "corner", "corner"])
    camps = draw_camps(rng, size, corners)
    tree: dict[str, Any] = {
        "first": rng.choice(["attackers", "defenders"]),
        "board": {
            "size": size,
            "start": format_rows(size, {}),
            "throne": throne,
            "corners": corners,
            "camps": camps,
        },
        "movement": draw_movement(rng, throne, corners, goal),
        "hostility": {
            "throne_hostile": draw_hostility(rng, throne != "none"),
            "corner_hostile": draw_hostility(rng, corners != "none"),
            "edge_hostile_king": rng.random() < 0.5,
            "camp_hostile": subset(rng, KINDS) if camps else [],
        },
        "capture": draw_capture(rng, throne, corners),
        "ends": draw_ends(rng, goal),
    }
    start = draw_start(rng, Rules(tree))
    camps_count = "attackers" in tree["hostility"]["camp_hostile"]
    occupied_camps = rng.choice(["harmless", "hostile"]) if camps_count else "harmless"
    if rng.random() < 0.4:
        tree["special"] = draw_special(rng) | {"occupied_camps": occupied_camps}
        promote(rng, start)
    elif occupied_camps == "hostile":
        tree["special"] = SOLDIERS_ONLY | {"occupied_camps": occupied_camps}
    tree["board"]["start"] = format_rows(size, start)
    return tree


SOLDIERS_ONLY: dict[str, Any] = {
    "berserk": "none",
    "jumps": {"king": "none", "commanders": "none", "knights": "none"},
    "commander_pair": "none",
    "knights_taken": "by_two",
}
"""The special rules of a game without ranks, jumps and turns of several captures."""


def draw_special(rng: random.Random) -> dict[str, Any]:
    """Draws turns of several captures, jumps, and the capture of the king by commanders."""
    return {
        "berserk": rng.choice(["none", "may", "may", "must"]),
        "jumps": {
            jumper: rng.choice(["none", "restricted", "over", "over", "anyone", "capture"])
            for jumper in ("king", "commanders", "knights")
        },
        "commander_pair": rng.choice(["none", "open", "everywhere"]),
        "knights_taken": rng.choice(["by_two", "by_two", "by_three"]),
    }


def promote(rng: random.Random, board: Board) -> None:
    """Promotes some soldiers, and leaves one ordinary soldier to each side."""
    for ordinary, special in (("t", "cnr"), ("T", "CNR")):
        soldiers = [square for square, piece in board.items() if piece == ordinary]
        for square in rng.sample(soldiers, max(0, len(soldiers) - 1) * rng.choice([0, 1, 2, 4]) // 4):
            board[square] = rng.choice(special)


def subset(rng: random.Random, items: list[str]) -> list[str]:
    """Draws any subset, in the given order."""
    return [item for item in items if rng.random() < 0.6]


def draw_hostility(rng: random.Random, exists: bool) -> dict[str, str]:
    """Draws the hostility of a special square; never if there is no such square."""
    return {kind: rng.choice(["never", "empty", "empty", "always"]) if exists else "never" for kind in KINDS}


def draw_movement(rng: random.Random, throne: str, corners: str, goal: str) -> dict[str, Any]:
    """Draws how far and where pieces go. A king whose goal is a corner may stop there."""
    corner_stop = subset(rng, KINDS) if corners != "none" else list(KINDS)
    if goal == "corner" and "king" not in corner_stop:
        corner_stop.append("king")
    return {
        "range": {kind: rng.choice([0, 0, 0, 0, 1, 2, 3]) for kind in KINDS},
        "throne_stop": subset(rng, KINDS) if throne != "none" else list(KINDS),
        "throne_pass": subset(rng, KINDS) if throne != "none" else list(KINDS),
        "corner_stop": corner_stop,
    }


def draw_capture(rng: random.Random, throne: str, corners: str) -> dict[str, Any]:
    """Draws how pieces are captured. Without a throne the king is captured in one way everywhere."""
    manners = ["custodial", "custodial", "four_sides", "four_sides", "never"]
    zones = {zone: rng.choice(manners) for zone in ("on_throne", "beside_throne", "elsewhere")}
    if throne == "none":
        zones = dict.fromkeys(zones, zones["elsewhere"])
    return {
        "king_armed": rng.choice(["both", "hammer", "anvil", "none"]),
        "king_capture": zones,
        "linnaean": rng.choice(["none", "guard", "guard_and_king"]) if throne != "none" else "none",
        "blocked_groups": rng.choice(BLOCKED_GROUPS),
        "shieldwall": rng.choice(["none", "pieces"] + (["with_corner"] * 2 if corners != "none" else [])),
    }


def draw_ends(rng: random.Random, goal: str) -> dict[str, Any]:
    """Draws the ends of a game."""
    count = rng.choice([0, 2, 3, 3, 4])
    return {
        "goal": goal,
        "king_captured": rng.choice(["attackers_win", "attackers_win", "draw"]),
        "guards_captured": rng.choice(["none", "attackers_win"]),
        "attackers_captured": rng.choice(["none", "defenders_win"]),
        "tuichi": rng.choice(["none", "none", "defenders_win"]),
        "enclosure": rng.choice(["none", "attackers_win"]),
        "exit_fort": rng.choice(["none", "defenders_win"]),
        "no_move": rng.choice(["loses", "draw", "pass", "pass"]),
        "repetition": {
            "count": count,
            "result": rng.choice(["draw", "draw_in_a_row", "defenders_lose", "mover_loses"])
            if count
            else "none",
        },
        "quiet_limit": rng.choice([0, 0, 0, 8, 30, 60]),
    }


def special_squares(size: int, corners: str) -> set[Square]:
    """Returns the centre and the squares of the corners."""
    return {square for block in corner_blocks(size, corners) for square in block} | {(size // 2, size // 2)}


def turned(square: Square, size: int, quarters: int) -> Square:
    """Returns the square after a number of quarter turns of the board."""
    for _ in range(quarters):
        square = square[1], size - 1 - square[0]
    return square


def draw_camps(rng: random.Random, size: int, corners: str) -> list[list[str]]:
    """Draws no camps, the same camp at all four edges, or one or two anywhere; never on the centre."""
    taken = special_squares(size, corners)
    chance = rng.random()
    if chance < 0.6:
        return []
    if chance < 0.8:
        width = rng.randrange(1, max(2, size // 2 - 1))
        camp = {(size // 2 + offset, 0) for offset in range(-(width // 2), width // 2 + 1)} | {(size // 2, 1)}
        groups = [{turned(square, size, quarters) for square in camp} for quarters in range(4)]
    else:
        groups = []
        for _ in range(rng.choice([1, 1, 2])):
            file, rank = rng.randrange(size), rng.randrange(size)
            shape = rng.choice([[(0, 0)], [(0, 0), (1, 0)], [(0, 0), (0, 1), (1, 0)], [(0, 0), (0, 2)]])
            groups.append({(file + right, rank + up) for right, up in shape})
    camps = []
    for group in groups:
        free = {square for square in group if max(square) < size and square not in taken}
        taken |= free
        if free:
            camps.append([square_name(square) for square in sorted(free)])
    return camps


def draw_start(rng: random.Random, rules: Rules) -> Board:
    """Draws a start position in one of four manners.

    Scattered: pieces anywhere, symmetric or not. Crowded: the same, with hardly an empty square. Ringed: the
    defenders near their king, attackers on a ring around them, a gap or two left. Edge: the defenders and
    their king at the edge. No soldier stands where it may not stop, and only attackers stand in camps.
    """
    manner = rng.choice(["scattered", "scattered", "crowded", "ringed", "edge"])
    symmetric = manner in ("scattered", "crowded") and rng.random() < 0.5
    king = draw_king(rng, rules, manner, symmetric)
    reach = rng.choice([1, 2]) if manner in ("ringed", "edge") else rules.size

    def distance(square: Square) -> int:
        return max(abs(square[0] - king[0]), abs(square[1] - king[1]))

    near = [square for square in rules.squares() if distance(square) <= reach]
    around = [square for square in rules.squares() if distance(square) == reach + 1]
    if manner == "crowded":
        attackers, defenders = rng.randrange(30, 60), rng.randrange(20, 40)  # per cent of the squares
    else:
        attackers, defenders = rng.randrange(3, 30), rng.randrange(2, 20)

    board: Board = {king: "K"}
    if manner == "ringed":
        place_all(rules, board, "t", rng.sample(around, max(0, len(around) - rng.randrange(3))))
        attackers = rng.randrange(0, 10)
    defender_squares = draw_squares(rng, near, defenders if reach == rules.size else rng.randrange(20, 90))
    attacker_squares = draw_squares(rng, rules.squares(), attackers)
    for piece, squares in (("T", defender_squares), ("t", attacker_squares)):
        for square in squares:
            quarters = range(4 if symmetric and rng.random() < 0.9 else 1)
            place_all(rules, board, piece, [turned(square, rules.size, quarter) for quarter in quarters])
    return board


def draw_squares(rng: random.Random, squares: list[Square], per_cent: int) -> list[Square]:
    """Draws a percentage of the squares, at least one."""
    return rng.sample(squares, max(1, len(squares) * per_cent // 100))


def draw_king(rng: random.Random, rules: Rules, manner: str, symmetric: bool) -> Square:
    """Draws the king's square: the centre, or a square outside corners and camps that is no goal."""
    taken = {square for camp in rules.camps for square in camp} | rules.corners
    free = [square for square in rules.squares() if square not in taken and not rules.is_goal(square)]
    last = rules.size - 1
    if manner == "edge":
        by_edge = [square for square in free if {0, 1, last - 1, last} & set(square)]
        return rng.choice([square for square in by_edge if rules.on_edge(square)] or by_edge or free)
    if symmetric or rng.random() < 0.5:
        return rules.size // 2, rules.size // 2
    return rng.choice(free)


def place_all(rules: Rules, board: Board, piece: str, squares: list[Square]) -> None:
    """Puts a soldier on each empty square where it may stop."""
    kind = KIND[piece]
    for square in squares:
        if square == rules.throne and kind not in rules.throne_stop:
            continue
        if square in rules.corners and kind not in rules.corner_stop:
            continue
        if square not in board and (piece == "t" or not rules.camp(square)):
            board[square] = piece

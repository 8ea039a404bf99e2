"""Enumerations: the two sides, the pieces, and the reasons a game ends for."""

from enum import Enum


class Side(Enum):
    """One of the two sides."""

    ATTACKERS = "attackers"
    DEFENDERS = "defenders"

    @property
    def opponent(self) -> "Side":
        """The other side.

        >>> Side.ATTACKERS.opponent
        <Side.DEFENDERS: 'defenders'>
        """
        return Side.DEFENDERS if self is Side.ATTACKERS else Side.ATTACKERS


class Piece(Enum):
    """A piece. The king belongs to the defenders and is not a soldier.

    Commanders, knights and renegades are soldiers with a rank; few rules have them.
    """

    ATTACKER = "attacker"
    DEFENDER = "defender"
    KING = "king"
    ATTACKER_COMMANDER = "attacker_commander"
    ATTACKER_KNIGHT = "attacker_knight"
    DEFENDER_COMMANDER = "defender_commander"
    DEFENDER_KNIGHT = "defender_knight"
    ATTACKER_RENEGADE = "attacker_renegade"
    DEFENDER_RENEGADE = "defender_renegade"

    @property
    def side(self) -> Side:
        """The side of the piece.

        >>> Piece.KING.side
        <Side.DEFENDERS: 'defenders'>
        """
        return Side.ATTACKERS if self.value.startswith("attacker") else Side.DEFENDERS

    @property
    def soldier(self) -> "Piece":
        """The plain soldier of its side for a soldier with a rank, itself otherwise.

        >>> Piece.DEFENDER_KNIGHT.soldier
        <Piece.DEFENDER: 'defender'>
        """
        return Piece(self.value.partition("_")[0])

    @property
    def letter(self) -> str:
        """Its letter in position texts: `t`, `T` or `K`; with a rank `c`, `n`, `r`, `C`, `N` or `R`.

        >>> Piece.KING.letter
        'K'
        """
        kind, _, rank = self.value.partition("_")
        if not rank:
            return {"attacker": "t", "defender": "T", "king": "K"}[kind]
        letter = rank[0] if rank != "knight" else "n"
        return letter if kind == "attacker" else letter.upper()


class Reason(Enum):
    """The reason a game ended. The rules never produce the last five: players, clocks and arbiters do."""

    CORNER = "corner"
    EDGE = "edge"
    KING_CAPTURED = "king_captured"
    GUARDS_CAPTURED = "guards_captured"
    ATTACKERS_CAPTURED = "attackers_captured"
    TUICHI = "tuichi"
    ENCLOSURE = "enclosure"
    EXIT_FORT = "exit_fort"
    REPETITION = "repetition"
    QUIET_MOVES = "quiet_moves"
    NO_MOVE = "no_move"
    BLOCKED = "blocked"
    AGREEMENT = "agreement"
    RESIGNATION = "resignation"
    TIME = "time"
    ABANDONED = "abandoned"
    ADJUDICATION = "adjudication"
    """An arbiter decided the result, such as the host of a class."""

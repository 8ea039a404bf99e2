"""The two sides, the three pieces and the reasons a game ends for, as closed lists."""

from enum import Enum


class Side(Enum):
    """One of the two camps."""

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
    """One piece. The king is no soldier; he belongs to the defenders."""

    ATTACKER = "attacker"
    DEFENDER = "defender"
    KING = "king"

    @property
    def side(self) -> Side:
        """The side it belongs to.

        >>> Piece.KING.side
        <Side.DEFENDERS: 'defenders'>
        """
        return Side.ATTACKERS if self is Piece.ATTACKER else Side.DEFENDERS

    @property
    def letter(self) -> str:
        """The letter it has in position texts: `t`, `T` or `K`.

        >>> Piece.KING.letter
        'K'
        """
        return {"attacker": "t", "defender": "T", "king": "K"}[self.value]


class Reason(Enum):
    """What ended a game. The last four are never found by the rules themselves."""

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

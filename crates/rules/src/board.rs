//! Boards of one width and the moves on them: the code that must be fast.

use crate::bits::{Bits, Ranks};
use crate::law::KingCapture;
use crate::piece::{Piece, Side};
use crate::square::Direction;
use crate::tables::Tables;

/// The pieces on a board. Copied at every move.
///
/// ```
/// use hnefi_rules::{Setup, Side, board::Board};
///
/// let board = Board::<u64>::of(&Setup::parse("5/2t2/t1K1t/5/2T2 d")?);
/// assert_eq!(board.soldiers[Side::Attackers as usize].count_ones(), 3);
/// assert_eq!(board.pieces(Side::Defenders).count_ones(), 2);
/// # Ok::<(), hnefi_rules::Refusal>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Board<B: Bits> {
    /// The soldiers, by side.
    pub soldiers: [B; 2],
    /// The king; empty when he is captured.
    pub king: B,
    /// The ranks of soldiers, and the piece in mid-turn.
    pub ranks: B::Ranks,
}

/// The squares on which the arrival of a piece captures something, computed once for all moves of a side.
#[derive(Clone, Copy, Debug)]
pub struct Threats<B> {
    /// Squares on which an arrival captures the soldier one step on, by direction.
    hits: [B; 4],
    /// The union of `hits`.
    any_hit: B,
    /// Squares on which an arrival captures anything.
    pub captures: B,
    /// Squares on which an arrival captures the king.
    pub king_captures: B,
    /// The square on which an arrival makes the Linnaean capture, and the defender it captures.
    linnaean: (B, B),
}

/// The result of a move: the board after it, and the captures.
///
/// ```
/// use hnefi_rules::bits::Bits;
/// use hnefi_rules::board::Board;
/// use hnefi_rules::tables::Tables;
/// use hnefi_rules::{Game, Piece, Rules, Side, Width};
///
/// struct Captures;
///
/// impl Width for Captures {
///     type Output = u32;
///
///     fn run<B: Bits>(self, tables: &Tables<B>, board: &Board<B>) -> u32 {
///         let threats = board.threats(tables, Side::Attackers);
///         let from = board.pieces(Side::Attackers).lowest();
///         let to = board.destinations(tables, Piece::Attacker, from).lowest();
///         board.make(tables, &threats, Piece::Attacker, from, to).captured.count()
///     }
/// }
///
/// # let rules = Rules::from_json(include_str!("../tests/brandub-globe.json")).unwrap();
/// assert_eq!(Game::new(rules).position().in_width(Captures), 0);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct MoveResult<B: Bits> {
    /// The board after the move, captured pieces removed.
    pub board: Board<B>,
    /// The squares of captured soldiers.
    pub captured: B,
    /// Whether the king was captured.
    pub king_captured: bool,
}

impl<B: Bits> Board<B> {
    /// Returns the squares of all pieces.
    #[inline(always)]
    pub fn occupied(&self) -> B {
        self.soldiers[0] | self.soldiers[1] | self.king
    }

    /// Returns the squares of all pieces of a side.
    #[inline(always)]
    pub fn pieces(&self, side: Side) -> B {
        match side {
            Side::Attackers => self.soldiers[0],
            Side::Defenders => self.soldiers[1] | self.king,
        }
    }

    /// Returns the piece on an index.
    pub fn piece_at(&self, index: usize) -> Option<Piece> {
        let bit = B::bit(index);
        if self.soldiers[0].intersects(bit) {
            return Some(self.with_rank(Piece::Attacker, bit));
        }
        if self.soldiers[1].intersects(bit) {
            return Some(self.with_rank(Piece::Defender, bit));
        }
        self.king.intersects(bit).then_some(Piece::King)
    }

    /// Returns the squares that can be the anvil in a custodial capture of a piece of this kind.
    #[inline(always)]
    pub(crate) fn anvils(&self, tables: &Tables<B>, kind: Piece) -> B {
        let by = kind.side().opponent();
        let king = if by == Side::Defenders && tables.law.king_is_anvil { self.king } else { B::EMPTY };
        self.soldiers[by as usize] | king | self.hostile(tables, kind)
    }

    /// Returns the special squares that are hostile to a kind in this position of the pieces.
    #[inline(always)]
    pub fn hostile(&self, tables: &Tables<B>, kind: Piece) -> B {
        (tables.hostile_empty[kind as usize] & !self.occupied())
            | tables.hostile_occupied[kind as usize]
            | (tables.throne_hostile_under_king[kind as usize] & self.king)
    }

    /// Computes the captures by an arrival on each square, for a side.
    ///
    /// They do not depend on the square of origin: it cannot lie beyond the victim on the line of arrival.
    #[inline(always)]
    pub fn threats(&self, tables: &Tables<B>, side: Side) -> Threats<B> {
        let victim = if side == Side::Attackers { Piece::Defender } else { Piece::Attacker };
        let victims = self.soldiers[side.opponent() as usize];
        let anvils = self.anvils(tables, victim);
        // Arriving south of a victim needs an anvil north of it, and so on.
        let hit = |back: Direction| tables.shift(victims & tables.shift(anvils, back), back);
        let mut hits =
            [hit(Direction::South), hit(Direction::West), hit(Direction::North), hit(Direction::East)];
        if B::HAS_RANKS && tables.law.knights_by_three {
            hits = self.hits_with_knights(tables, victims, anvils);
        }
        let mut threats = Threats {
            hits,
            any_hit: hits[0] | hits[1] | hits[2] | hits[3],
            captures: B::EMPTY,
            king_captures: B::EMPTY,
            linnaean: (B::EMPTY, B::EMPTY),
        };
        if side == Side::Attackers && !self.king.is_empty() {
            threats.king_captures = self.king_captures(tables);
            if tables.has_linnaean() && self.king == tables.throne {
                threats.linnaean = self.linnaean(tables);
            }
        }
        threats.captures = threats.any_hit | threats.king_captures | threats.linnaean.0;
        if B::HAS_RANKS {
            threats.captures |= self.special_captures(tables, side);
        }
        threats
    }

    /// Returns the squares on which an attacker's arrival captures the king.
    #[inline(always)]
    fn king_captures(&self, tables: &Tables<B>) -> B {
        let king = self.king.lowest();
        match tables.king_capture[king] {
            KingCapture::Never => B::EMPTY,
            KingCapture::Custodial => {
                let anvils = self.anvils(tables, Piece::King);
                Direction::ALL.iter().fold(B::EMPTY, |found, direction| {
                    let beyond = tables.shift(self.king, *direction);
                    found
                        | if beyond.intersects(anvils) {
                            tables.shift(self.king, opposite(*direction))
                        } else {
                            B::EMPTY
                        }
                })
            }
            KingCapture::FourSides => {
                let around = tables.neighbours[king];
                let closed = self.soldiers[0] | self.hostile(tables, Piece::King);
                let open = around & !closed;
                if open.has_multiple() || (!tables.law.edge_hostile_king && self.king.intersects(tables.edge))
                {
                    return B::EMPTY;
                }
                let arrivals = around & !self.occupied();
                if open.is_empty() { arrivals } else { arrivals & open }
            }
        }
    }

    /// Returns the square of arrival of the Linnaean capture, and the defender it captures. The king is on the throne.
    fn linnaean(&self, tables: &Tables<B>) -> (B, B) {
        let around = tables.around(self.king);
        let guard = around & self.soldiers[1];
        if (around & self.soldiers[0]).count() != 3 || guard.is_empty() {
            return (B::EMPTY, B::EMPTY);
        }
        for direction in Direction::ALL {
            if tables.shift(self.king, direction) == guard {
                return (tables.shift(guard, direction), guard);
            }
        }
        (B::EMPTY, B::EMPTY)
    }

    /// Makes a move, which must be possible.
    #[inline(always)]
    pub fn make(
        &self,
        tables: &Tables<B>,
        threats: &Threats<B>,
        piece: Piece,
        from: usize,
        to: usize,
    ) -> MoveResult<B> {
        if B::HAS_RANKS {
            return self.make_special(tables, threats, piece, from, to);
        }
        self.make_move(tables, threats, piece, from, to)
    }

    /// Makes a move by the rules of boards without ranks: one move a turn, no jumps.
    #[inline(always)]
    pub(crate) fn make_move(
        &self,
        tables: &Tables<B>,
        threats: &Threats<B>,
        piece: Piece,
        from: usize,
        to: usize,
    ) -> MoveResult<B> {
        let (side, kind) = (piece.side(), piece.as_kind());
        let arrival = B::bit(to);
        let moved = B::bit(from) | arrival;
        let moved_if = |is_it: bool| if is_it { moved } else { B::EMPTY };
        // Sets are selected by value: indexing would send them through memory.
        let mut board = Self {
            soldiers: [
                self.soldiers[0] ^ moved_if(kind == Piece::Attacker),
                self.soldiers[1] ^ moved_if(kind == Piece::Defender),
            ],
            king: if piece == Piece::King { arrival } else { self.king },
            ranks: self.ranks,
        };
        if B::HAS_RANKS {
            board.ranks.move_rank(B::bit(from), arrival);
        }
        let mut result = MoveResult { board, captured: B::EMPTY, king_captured: false };
        if piece != Piece::King || tables.law.king_is_hammer {
            if threats.any_hit.intersects(arrival) {
                for (direction, hits) in Direction::ALL.iter().zip(threats.hits) {
                    result.captured |= tables.shift(hits & arrival, *direction);
                }
            }
            result.king_captured = threats.king_captures.intersects(arrival);
            if threats.linnaean.0.intersects(arrival) {
                result.captured |= threats.linnaean.1;
                result.king_captured |= tables.law.linnaean == crate::law::Linnaean::GuardAndKing;
            }
        }
        if tables.has_group_captures {
            result.add_group_captures(tables, piece, to);
        }
        let is_attacker = side == Side::Attackers;
        let left = !result.captured;
        result.board.soldiers = [
            if is_attacker { result.board.soldiers[0] } else { result.board.soldiers[0] & left },
            if is_attacker { result.board.soldiers[1] & left } else { result.board.soldiers[1] },
        ];
        if result.king_captured {
            result.board.king = B::EMPTY;
        }
        result
    }
}

/// Returns the opposite direction.
pub(crate) const fn opposite(direction: Direction) -> Direction {
    match direction {
        Direction::North => Direction::South,
        Direction::East => Direction::West,
        Direction::South => Direction::North,
        Direction::West => Direction::East,
    }
}

impl<B: Bits> Board<B> {
    /// Creates the board of a setup.
    pub fn of(setup: &crate::setup::Setup) -> Self {
        let mut board = Self { soldiers: [B::EMPTY; 2], king: B::EMPTY, ranks: B::Ranks::default() };
        for (square, piece) in setup.pieces() {
            let bit = B::bit(crate::tables::index_of::<B>(square));
            match piece.as_kind() {
                Piece::Attacker => board.soldiers[0] |= bit,
                Piece::King => board.king |= bit,
                _ => board.soldiers[1] |= bit,
            }
            board.ranks.promote(bit, piece);
        }
        let going = setup.going.map_or(B::EMPTY, |square| B::bit(crate::tables::index_of::<B>(square)));
        board.ranks.set_going(going & board.occupied());
        board
    }
}

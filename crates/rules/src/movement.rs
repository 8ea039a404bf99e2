//! Where pieces can go: destinations, open roads, whether a side can move.

use crate::bits::Bits;
use crate::board::Board;
use crate::piece::{Piece, Side};
use crate::square::Direction;
use crate::tables::Tables;

impl<B: Bits> Board<B> {
    /// Calls `visit` with every piece of a side that can move, its index and its destinations, until it returns true.
    ///
    /// Returns whether `visit` returned true.
    #[inline(always)]
    pub fn for_each_mover(
        &self,
        tables: &Tables<B>,
        side: Side,
        mut visit: impl FnMut(Piece, usize, B) -> bool,
    ) -> bool {
        if B::HAS_RANKS {
            return self.for_each_special_mover(tables, side, visit);
        }
        let occupied = self.occupied();
        let soldier = if side == Side::Attackers { Piece::Attacker } else { Piece::Defender };
        for from in self.soldiers[side as usize].indices() {
            let destinations = tables.destinations(soldier as usize, from, occupied);
            if !destinations.is_empty() && visit(soldier, from, destinations) {
                return true;
            }
        }
        if side == Side::Defenders && !self.king.is_empty() {
            let from = self.king.lowest();
            let destinations = tables.destinations(Piece::King as usize, from, occupied);
            if !destinations.is_empty() && visit(Piece::King, from, destinations) {
                return true;
            }
        }
        false
    }

    /// Calls `visit` with all soldier moves of a side, grouped by direction and length: the squares of arrival, and the
    /// difference of index between origin and arrival. Only for rules without zones.
    ///
    /// All soldiers slide at once, so the cost depends on the length of the lines, not on the number of pieces.
    #[inline(always)]
    pub fn for_each_soldier_shift(&self, tables: &Tables<B>, side: Side, mut visit: impl FnMut(B, isize)) {
        let kind = side as usize;
        let passage = tables.passage(kind, 0);
        let empty = tables.playable & !self.occupied();
        let reach = tables.reach[kind];
        for direction in Direction::ALL {
            let (file, rank) = direction.vector();
            let stride = rank * B::STRIDE as isize + file;
            let mut front = self.soldiers[side as usize];
            let mut offset = 0;
            for _ in 0..reach {
                front = tables.shift(front, direction) & empty;
                if front.is_empty() {
                    break;
                }
                offset += stride;
                visit(front & passage.landing, offset);
                front = front & !passage.barrier;
            }
        }
    }

    /// Checks whether a side has a legal move.
    #[inline]
    pub fn can_move(&self, tables: &Tables<B>, side: Side) -> bool {
        let soldier = if side == Side::Attackers { Piece::Attacker } else { Piece::Defender };
        if tables.is_uniform() {
            // Usually some soldier can move to a neighbouring square.
            let open = tables.passage(soldier as usize, 0).landing & !self.occupied();
            if tables.around(self.soldiers[side as usize]).intersects(open) {
                return true;
            }
        }
        self.for_each_mover(tables, side, |_, _, _| true)
    }

    /// Returns the destinations of the king; none without a king.
    pub fn king_destinations(&self, tables: &Tables<B>) -> B {
        if self.king.is_empty() {
            return B::EMPTY;
        }
        self.destinations(tables, Piece::King, self.king.lowest())
    }

    /// Returns the squares a piece on an index could move to, by a slide or a jump, if it is its turn.
    #[inline(always)]
    pub fn destinations(&self, tables: &Tables<B>, piece: Piece, from: usize) -> B {
        self.destinations_between(tables, piece, from, B::EMPTY)
    }

    /// Returns the destinations of a piece if slides also end before the squares of `closed`.
    #[inline(always)]
    pub(crate) fn destinations_between(&self, tables: &Tables<B>, piece: Piece, from: usize, closed: B) -> B {
        let slides = tables.destinations(piece.as_kind() as usize, from, self.occupied() | closed);
        if B::HAS_RANKS { slides | self.jumps(tables, piece, from) } else { slides }
    }

    /// Returns the goals that the king can reach in one move.
    #[inline(always)]
    pub fn open_road_goals(&self, tables: &Tables<B>) -> B {
        if self.king.is_empty() {
            return B::EMPTY;
        }
        let king = self.king.lowest();
        if !B::HAS_RANKS && !tables.lines_from(Piece::King as usize, king).intersects(tables.goals) {
            return B::EMPTY;
        }
        self.destinations(tables, Piece::King, king) & tables.goals
    }

    /// Counts the directions in which the king can reach a goal.
    #[inline(always)]
    pub fn count_open_roads(&self, tables: &Tables<B>) -> usize {
        let goals = self.open_road_goals(tables);
        if goals.is_empty() {
            return 0;
        }
        let king = self.king.lowest();
        let open = |direction: &&Direction| {
            let mut ray = tables.ray_from(Piece::King as usize, king, **direction);
            if B::HAS_RANKS {
                // A jump covers two squares, whatever the king's range.
                ray |= tables.shift(tables.shift(self.king, **direction), **direction);
            }
            ray.intersects(goals)
        };
        Direction::ALL.iter().filter(open).count()
    }
}

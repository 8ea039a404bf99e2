//! The king's open roads.

use hnefi_rules::bits::Bits;
use hnefi_rules::board::Board;
use hnefi_rules::tables::Tables;
use hnefi_rules::{Direction, Piece};

/// Returns the squares from which the king can move to a goal on an empty board.
pub(crate) fn near_goals<B: Bits>(tables: &Tables<B>) -> B {
    let from = |near, goal| near | tables.lines_from(Piece::King as usize, goal);
    tables.goals.indices().fold(B::EMPTY, from)
}

/// The king's open roads: the ways on which he can reach a goal in one move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpenRoads<B> {
    /// The squares between the king and the goals, the goals included.
    pub(crate) squares: B,
    /// In how many directions they lead.
    pub(crate) count: u32,
}

impl<B: Bits> OpenRoads<B> {
    pub(crate) const NONE: Self = Self { squares: B::EMPTY, count: 0 };

    /// Returns the roads to the goals that the king can reach in one move.
    #[inline]
    pub(crate) fn new(tables: &Tables<B>, board: &Board<B>, goals: B) -> Self {
        let mut roads = Self::NONE;
        if goals.is_empty() {
            return roads;
        }
        let occupied = board.occupied();
        for direction in Direction::ALL {
            let (mut road, mut square) = (B::EMPTY, tables.shift(board.king, direction));
            while !square.is_empty() && !square.intersects(occupied) {
                road |= square;
                if square.intersects(goals) {
                    roads.squares |= road;
                    roads.count += 1;
                    break;
                }
                square = tables.shift(square, direction);
            }
        }
        roads
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }
}

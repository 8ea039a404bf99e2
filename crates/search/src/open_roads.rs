//! The squares of the king's open roads.

use hnefi_rules::Direction;
use hnefi_rules::bits::Bits;
use hnefi_rules::board::Board;
use hnefi_rules::tables::Tables;

/// Returns the squares between the king and the goals he can reach in one move, the goals included.
#[inline]
pub(crate) fn open_road_squares<B: Bits>(tables: &Tables<B>, board: &Board<B>, goals: B) -> B {
    let mut roads = B::EMPTY;
    if goals.is_empty() {
        return roads;
    }
    let occupied = board.occupied();
    for direction in Direction::ALL {
        let (mut road, mut square) = (B::EMPTY, tables.shift(board.king, direction));
        while !square.is_empty() && !square.intersects(occupied) {
            road |= square;
            if square.intersects(goals) {
                roads |= road;
                break;
            }
            square = tables.shift(square, direction);
        }
    }
    roads
}

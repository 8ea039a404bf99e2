//! Ends that depend on areas of the board: enclosure and the exit fort.

use crate::bits::Bits;
use crate::board::Board;
use crate::law::{BlockedGroups, KingCapture};
use crate::piece::Piece;
use crate::square::Direction;
use crate::tables::Tables;

/// Checks whether no defender, the king included, can reach the edge through empty squares.
pub(crate) fn is_enclosed<B: Bits>(tables: &Tables<B>, board: &Board<B>) -> bool {
    let inside = board.soldiers[1] | board.king;
    if inside.intersects(tables.edge) {
        return false;
    }
    let empty = tables.playable & !board.occupied();
    let outside = tables.flood(tables.edge & empty, empty);
    !tables.around(outside).intersects(inside)
}

/// Checks whether the king stands in a fort on the edge that attackers cannot break.
///
/// R is the king's square with all empty squares connected to it. The fort holds if the king stands on the edge and has
/// a legal move, no attacker is next to R, and no defender next to R could ever be captured from outside R, when every
/// square outside counts as occupied by attackers. Shieldwalls need no test of their own: in a row that touches R only
/// at a hostile corner, the soldier beside that corner is captured between it and the outside.
pub(crate) fn is_exit_fort<B: Bits>(tables: &Tables<B>, board: &Board<B>) -> bool {
    let empty = tables.playable & !board.occupied();
    let room = tables.flood(board.king, empty | board.king);
    let beside = tables.around(room);
    if !board.king.intersects(tables.edge)
        || beside.intersects(board.soldiers[0])
        || board.king_destinations(tables).is_empty()
    {
        return false;
    }
    let mut wall = board.soldiers[1];
    loop {
        let outside = tables.playable & !room & !wall;
        let closed_from = |direction: Direction| with_closed_behind(tables, board, wall, outside, direction);
        let on_file = closed_from(Direction::North) & closed_from(Direction::South);
        let on_rank = closed_from(Direction::East) & closed_from(Direction::West);
        let broken = wall & (on_file | on_rank);
        if broken.is_empty() {
            return true;
        }
        if broken.intersects(beside) {
            return false;
        }
        wall = wall & !broken;
    }
}

/// Returns the squares with a closed one behind them, seen in a direction: the next one, or where rows are captured the one
/// behind a row of the wall, and of the king where two capture him.
fn with_closed_behind<B: Bits>(
    tables: &Tables<B>,
    board: &Board<B>,
    wall: B,
    outside: B,
    direction: Direction,
) -> B {
    let mut found = tables.shift(outside | board.hostile(tables, Piece::Defender), direction);
    if tables.law.blocked_groups != BlockedGroups::GroupsAndRows {
        return found;
    }
    let has_king = tables.king_capture[board.king.lowest()] == KingCapture::Custodial;
    let king = if has_king { board.king } else { B::EMPTY };
    let against_king = outside | board.hostile(tables, Piece::King);
    found = (found & !king) | (tables.shift(against_king, direction) & king);
    loop {
        let further = tables.shift(found & (wall | king), direction) & !found;
        if further.is_empty() {
            return found;
        }
        found |= further;
    }
}

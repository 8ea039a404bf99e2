//! Ends that depend on areas of the board: enclosure and the exit fort.

use crate::bits::Bits;
use crate::board::Board;
use crate::square::{Direction, Piece};
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
    let special = board.hostile(tables, Piece::Defender);
    let mut wall = board.soldiers[1];
    loop {
        let outside = tables.playable & !room & !wall;
        let closed = outside | special;
        let on_file = tables.shift(closed, Direction::North) & tables.shift(closed, Direction::South);
        let on_rank = tables.shift(closed, Direction::East) & tables.shift(closed, Direction::West);
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

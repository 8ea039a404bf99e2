//! Ends that depend on areas of the board: enclosure and the exit fort.

use crate::bits::Bits;
use crate::board::Board;
use crate::capture::edge_lines;
use crate::law::Shieldwall;
use crate::square::{Direction, Piece};
use crate::tables::Tables;

/// Whether no defender, the king included, can reach the edge through empty squares.
pub(crate) fn is_enclosed<B: Bits>(tables: &Tables<B>, board: &Board<B>) -> bool {
    let inside = board.men[1] | board.king;
    if inside.meets(tables.edge) {
        return false;
    }
    let empty = tables.playable & !board.occupied();
    let outside = tables.flood(tables.edge & empty, empty);
    !tables.around(outside).meets(inside)
}

/// Whether the king stands in a fort on the edge that attackers cannot break.
///
/// R is the king's square with all empty squares connected to it. The fort holds if R reaches the edge, the king has a
/// legal move, no attacker is next to R, and no defender next to R could ever be captured from outside R, when every
/// square outside counts as the attackers'.
pub(crate) fn is_exit_fort<B: Bits>(tables: &Tables<B>, board: &Board<B>) -> bool {
    let empty = tables.playable & !board.occupied();
    let room = tables.flood(board.king, empty | board.king);
    let beside = tables.around(room);
    if !room.meets(tables.edge) || beside.meets(board.men[0]) || board.king_destinations(tables).is_empty() {
        return false;
    }
    let special = board.hostile(tables, Piece::Defender);
    let mut wall = board.men[1];
    loop {
        let outside = tables.playable & !room & !wall;
        let closed = outside | special;
        let on_file = tables.shift(closed, Direction::North) & tables.shift(closed, Direction::South);
        let on_rank = tables.shift(closed, Direction::East) & tables.shift(closed, Direction::West);
        let mut broken = wall & (on_file | on_rank);
        if tables.law.shieldwall != Shieldwall::None {
            broken |= walled_from_outside(tables, board, wall, outside, special);
        }
        if broken.is_empty() {
            return true;
        }
        if broken.meets(beside) {
            return false;
        }
        wall = wall & !broken;
    }
}

/// The men of the wall in rows along the edge that a shieldwall from outside would take.
fn walled_from_outside<B: Bits>(tables: &Tables<B>, board: &Board<B>, wall: B, outside: B, special: B) -> B {
    let line = wall | board.king;
    let corners = match tables.law.shieldwall {
        Shieldwall::WithCorner => special & tables.corners,
        _ => B::EMPTY,
    };
    let brackets = outside | corners;
    let mut broken = B::EMPTY;
    for bracket in (brackets & tables.edge).indices() {
        for (along, inward) in edge_lines(tables, bracket) {
            let mut row = B::EMPTY;
            let mut place = tables.shift(B::bit(bracket), along);
            loop {
                if row.is_many() && place.meets(brackets) {
                    broken |= row & wall;
                }
                // A corner that is always hostile can hold a man of the row and end a shorter row too.
                if !place.meets(line) || !tables.shift(place, inward).meets(outside) {
                    break;
                }
                row |= place;
                place = tables.shift(place, along);
            }
        }
    }
    broken
}

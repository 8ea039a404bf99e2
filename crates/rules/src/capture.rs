//! Captures of groups: blocked groups and the shieldwall. Decided after the move, before anything is removed.

use crate::bits::Bits;
use crate::board::{Board, MoveResult};
use crate::law::{BlockedGroups, KingCapture, Shieldwall};
use crate::piece::{Piece, Side};
use crate::square::Direction;
use crate::tables::Tables;

impl<B: Bits> MoveResult<B> {
    /// Adds the groups that the move captures. `board` is the board after the move, before removals.
    pub(crate) fn add_group_captures(&mut self, tables: &Tables<B>, piece: Piece, to: usize) {
        let board = self.board;
        if tables.law.blocked_groups != BlockedGroups::None {
            let taken = blocked_groups(tables, &board, piece.side(), to);
            self.captured |= taken & !board.king;
            self.king_captured |= taken.intersects(board.king);
        }
        if tables.law.blocked_groups == BlockedGroups::GroupsAndRows
            && (piece != Piece::King || tables.law.king_is_hammer)
        {
            let taken = Direction::ALL
                .iter()
                .fold(B::EMPTY, |taken, along| taken | row(tables, &board, piece.side(), to, *along));
            self.captured |= taken & !board.king;
            self.king_captured |= taken.intersects(board.king);
        }
        if tables.law.shieldwall != Shieldwall::None && (piece != Piece::King || tables.law.king_is_hammer) {
            self.captured |= shieldwall(tables, &board, piece.side(), to);
        }
    }
}

/// Returns the enemy groups next to an index that are captured because none of their pieces can move.
pub(crate) fn blocked_groups<B: Bits>(tables: &Tables<B>, board: &Board<B>, by: Side, to: usize) -> B {
    let enemies = board.pieces(by.opponent());
    let mut touched = tables.neighbours[to] & enemies;
    let mut taken = B::EMPTY;
    while !touched.is_empty() {
        let group = tables.flood(B::bit(touched.lowest()), enemies);
        touched = touched & !group;
        if group.has_multiple() && is_captured(tables, board, group) {
            taken |= group;
        }
    }
    taken
}

fn is_captured<B: Bits>(tables: &Tables<B>, board: &Board<B>, group: B) -> bool {
    let has_king = group.intersects(board.king);
    let is_spared = has_king && tables.king_capture[board.king.lowest()] == KingCapture::Never;
    let is_size_right = match tables.law.blocked_groups {
        BlockedGroups::None => false,
        BlockedGroups::KingAndOne | BlockedGroups::KingAndOneSurrounded => has_king && group.count() == 2,
        BlockedGroups::Groups | BlockedGroups::GroupsAndRows => true,
    };
    let closed = if tables.law.blocked_groups == BlockedGroups::KingAndOneSurrounded {
        tables.hostile_empty[Piece::King as usize]
    } else {
        B::EMPTY
    };
    is_size_right
        && !is_spared
        && group.indices().all(|index| {
            board
                .piece_at(index)
                .is_none_or(|piece| board.destinations_between(tables, piece, index, closed).is_empty())
        })
}

/// Returns the row of two enemies or more that begins beside an index and ends at an anvil against its last piece; else
/// nothing. A king whom two cannot capture where he stands spares his row.
pub(crate) fn row<B: Bits>(tables: &Tables<B>, board: &Board<B>, by: Side, to: usize, along: Direction) -> B {
    let enemies = board.pieces(by.opponent());
    let soldier = if by == Side::Attackers { Piece::Defender } else { Piece::Attacker };
    let mut row = B::EMPTY;
    let mut square = tables.shift(B::bit(to), along);
    while square.intersects(enemies) {
        let kind = if square.intersects(board.king) { Piece::King } else { soldier };
        row |= square;
        square = tables.shift(square, along);
        if square.intersects(board.anvils(tables, kind)) {
            let is_spared = row.intersects(board.king)
                && tables.king_capture[board.king.lowest()] != KingCapture::Custodial;
            return if row.has_multiple() && !is_spared { row } else { B::EMPTY };
        }
    }
    B::EMPTY
}

/// Iterates over the directions along the edge from an index, each with the direction inward.
pub(crate) fn edge_lines<B: Bits>(
    tables: &Tables<B>,
    index: usize,
) -> impl Iterator<Item = (Direction, Direction)> {
    let (file, rank, last) = (index % B::STRIDE, index / B::STRIDE, tables.size - 1);
    let vertical = [(file == 0, Direction::East), (file == last, Direction::West)];
    let horizontal = [(rank == 0, Direction::North), (rank == last, Direction::South)];
    let along_files = vertical
        .into_iter()
        .filter(|(is_edge, _)| *is_edge)
        .flat_map(|(_, inward)| [(Direction::North, inward), (Direction::South, inward)]);
    let along_ranks = horizontal
        .into_iter()
        .filter(|(is_edge, _)| *is_edge)
        .flat_map(|(_, inward)| [(Direction::East, inward), (Direction::West, inward)]);
    along_files.chain(along_ranks)
}

/// Returns the soldiers captured by a wall that the piece on an index closes.
pub(crate) fn shieldwall<B: Bits>(tables: &Tables<B>, board: &Board<B>, by: Side, to: usize) -> B {
    let mut captured = B::EMPTY;
    for (along, inward) in edge_lines(tables, to) {
        captured |= wall_row(tables, board, by, to, along, inward) & !board.king;
    }
    captured
}

/// Returns the row of enemies between an index and the other bracket, if every piece of it is faced; else nothing.
pub(crate) fn wall_row<B: Bits>(
    tables: &Tables<B>,
    board: &Board<B>,
    by: Side,
    to: usize,
    along: Direction,
    inward: Direction,
) -> B {
    let enemies = board.pieces(by.opponent());
    let walls = wall_pieces(tables, board, by);
    let corners = wall_corners(tables, board, by.opponent());
    let mut row = B::EMPTY;
    let mut square = tables.shift(B::bit(to), along);
    // A corner that is always hostile ends the row even when an enemy stands on it.
    while square.intersects(enemies & !corners) {
        if !tables.shift(square, inward).intersects(walls) {
            return B::EMPTY;
        }
        row |= square;
        square = tables.shift(square, along);
    }
    if row.has_multiple() && square.intersects(walls | corners) { row } else { B::EMPTY }
}

/// Returns the pieces of a side that can be part of a wall without moving: the king only as an anvil.
fn wall_pieces<B: Bits>(tables: &Tables<B>, board: &Board<B>, by: Side) -> B {
    let king = if by == Side::Defenders && tables.law.king_is_anvil { board.king } else { B::EMPTY };
    board.soldiers[by as usize] | king
}

/// Returns the corner squares that can close a wall against soldiers of a side.
fn wall_corners<B: Bits>(tables: &Tables<B>, board: &Board<B>, against: Side) -> B {
    if tables.law.shieldwall != Shieldwall::WithCorner {
        return B::EMPTY;
    }
    let kind = if against == Side::Attackers { Piece::Attacker } else { Piece::Defender };
    board.hostile(tables, kind) & tables.corners
}

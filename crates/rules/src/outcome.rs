//! The ends of a game that do not depend on its history.

use crate::bits::Bits;
use crate::board::{Board, MoveResult};
use crate::law::{Goal, NoMove};
use crate::piece::{Piece, Side};
use crate::square::{Outcome, Reason};
use crate::tables::Tables;

const fn won(winner: Side, reason: Reason) -> Outcome {
    Outcome { winner: Some(winner), reason }
}

/// Returns the quiet counter after a move. Ending a turn of several captures leaves it unchanged.
///
/// ```
/// use hnefi_rules::outcome::quiet_after;
///
/// assert_eq!(quiet_after(true, false, 3), 4);
/// assert_eq!(quiet_after(true, true, 3), 3);
/// assert_eq!(quiet_after(false, false, 3), 0);
/// ```
#[must_use]
#[inline(always)]
pub const fn quiet_after(is_quiet: bool, is_stop: bool, quiet: u32) -> u32 {
    match (is_quiet, is_stop) {
        (false, _) => 0,
        (true, true) => quiet,
        (true, false) => quiet.saturating_add(1),
    }
}

/// Returns the outcome if a move ends the game.
#[inline(always)]
pub fn after_move<B: Bits>(
    tables: &Tables<B>,
    result: &MoveResult<B>,
    piece: Piece,
    to: usize,
) -> Option<Outcome> {
    if piece == Piece::King && tables.goals.intersects(B::bit(to)) {
        return Some(won(Side::Defenders, goal_reason(tables)));
    }
    if result.king_captured {
        return Some(king_captured(tables));
    }
    if !result.captured.is_empty() {
        let end = annihilation(tables, &result.board);
        if end.is_some() {
            return end;
        }
    }
    if tables.has_area_ends {
        return area_ends(tables, &result.board, piece.side());
    }
    None
}

/// Returns the outcome of a board on which the game is over. Does not check whether the side to move can move.
pub fn of_board<B: Bits>(tables: &Tables<B>, board: &Board<B>) -> Option<Outcome> {
    if board.king.is_empty() {
        return Some(king_captured(tables));
    }
    if board.king.intersects(tables.goals) {
        return Some(won(Side::Defenders, goal_reason(tables)));
    }
    annihilation(tables, board)
}

fn goal_reason<B: Bits>(tables: &Tables<B>) -> Reason {
    match tables.law.goal {
        Goal::Corner => Reason::Corner,
        Goal::Edge => Reason::Edge,
    }
}

fn king_captured<B: Bits>(tables: &Tables<B>) -> Outcome {
    let winner = if tables.law.king_captured_draws { None } else { Some(Side::Attackers) };
    Outcome { winner, reason: Reason::KingCaptured }
}

#[inline]
fn annihilation<B: Bits>(tables: &Tables<B>, board: &Board<B>) -> Option<Outcome> {
    if tables.law.guards_captured && board.soldiers[1].is_empty() {
        return Some(won(Side::Attackers, Reason::GuardsCaptured));
    }
    if tables.law.attackers_captured && board.soldiers[0].is_empty() {
        return Some(won(Side::Defenders, Reason::AttackersCaptured));
    }
    None
}

fn area_ends<B: Bits>(tables: &Tables<B>, board: &Board<B>, moved: Side) -> Option<Outcome> {
    match moved {
        Side::Defenders => {
            if tables.law.tuichi && board.count_open_roads(tables) >= 2 {
                return Some(won(Side::Defenders, Reason::Tuichi));
            }
            if tables.law.exit_fort && crate::area::is_exit_fort(tables, board) {
                return Some(won(Side::Defenders, Reason::ExitFort));
            }
        }
        Side::Attackers => {
            if tables.law.enclosure && crate::area::is_enclosed(tables, board) {
                return Some(won(Side::Attackers, Reason::Enclosure));
            }
        }
    }
    None
}

/// The consequence for a side to move that cannot move.
pub enum NoMoveEffect {
    /// The game ends.
    Ends(Outcome),
    /// The other side moves instead.
    Passes,
}

impl NoMoveEffect {
    /// Returns the outcome, if the game ends.
    pub fn outcome(self) -> Option<Outcome> {
        match self {
            Self::Ends(outcome) => Some(outcome),
            Self::Passes => None,
        }
    }
}

/// Returns the consequence for a side to move that cannot move; `None` if it can.
#[inline]
pub fn no_move_effect<B: Bits>(tables: &Tables<B>, board: &Board<B>, turn: Side) -> Option<NoMoveEffect> {
    if board.can_move(tables, turn) {
        return None;
    }
    Some(match tables.law.no_move {
        NoMove::Loses => NoMoveEffect::Ends(won(turn.opponent(), Reason::NoMove)),
        NoMove::Draw => NoMoveEffect::Ends(draw(Reason::NoMove)),
        NoMove::Pass if board.can_move(tables, turn.opponent()) => NoMoveEffect::Passes,
        NoMove::Pass => NoMoveEffect::Ends(draw(Reason::Blocked)),
    })
}

pub(crate) const fn draw(reason: Reason) -> Outcome {
    Outcome { winner: None, reason }
}

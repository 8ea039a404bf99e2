//! What the positions before decide at the end of a turn: repetition, the quiet limit, a forced pass.

use alloc::vec::Vec;

use super::{Game, Node};
use crate::law::Repetition;
use crate::outcome::{NoMoveEffect, draw, no_move_effect};
use crate::piece::Side;
use crate::rules::on_width;
use crate::square::{Outcome, Reason};
use crate::zobrist::Keys;

impl Game {
    /// Returns the keys of all positions since the last capture, the current one last: those that repetition compares.
    #[must_use]
    pub fn recent_keys(&self) -> Vec<u64> {
        let mut keys = Vec::new();
        for node in self.nodes() {
            keys.push(node.key ^ Keys::turn(node.turn));
            if node.passed {
                keys.push(node.key ^ Keys::turn(node.turn.opponent()));
            }
            if node.quiet == 0 {
                break;
            }
        }
        keys.reverse();
        keys
    }

    /// Sets the outcomes that need history or the next move (repetition, quiet limit, no move), and forced passes.
    pub(super) fn finish_turn(&self, node: &mut Node, mover: Side) {
        let limit = self.rules.law().quiet_limit;
        node.outcome = self
            .repetition_outcome(node, node.turn, mover)
            .or_else(|| (limit > 0 && node.quiet >= limit).then_some(draw(Reason::QuietMoves)));
        if node.outcome.is_some() {
            return;
        }
        match on_width!(self.rules, node.board, |tables, board| no_move_effect(tables, board, node.turn)) {
            None => {}
            Some(NoMoveEffect::Ends(outcome)) => node.outcome = Some(outcome),
            Some(NoMoveEffect::Passes) => {
                node.passed = true;
                node.turn = mover;
                node.outcome = self.repetition_outcome(node, mover, mover);
            }
        }
    }

    fn repetition_outcome(&self, node: &Node, turn: Side, mover: Side) -> Option<Outcome> {
        let rule = self.rules.law().repetition;
        let count = rule.count()?;
        (self.occurrences(node, turn) >= count).then_some(rule.outcome(mover))
    }

    /// Counts how often the board of a node occurred with a side to move since the last capture, the node included; in a
    /// row if the rules count them so.
    pub(super) fn occurrences(&self, node: &Node, turn: Side) -> u32 {
        if matches!(self.rules.law().repetition, Repetition::DrawInARow(_)) {
            return Self::occurrences_in_a_row(node);
        }
        let occurs = |other: &Node| {
            other.key == node.key && other.board == node.board && (other.turn == turn || other.passed)
        };
        let mut count = 1;
        let mut quiet = node.quiet;
        let mut next = node.parent.as_ref();
        while let Some(earlier) = next.filter(|_| quiet > 0) {
            count += u32::from(occurs(earlier));
            quiet = earlier.quiet;
            next = earlier.parent.as_ref();
        }
        count
    }

    /// Counts the occurrences of a node's position as [`Repetition::occurrences_in_a_row`] does.
    fn occurrences_in_a_row(node: &Node) -> u32 {
        let mut line = Vec::new();
        let mut next = Some(node);
        while let Some(one) = next {
            line.push((one.key, one.board, one.turn));
            if one.passed {
                line.push((one.key, one.board, one.turn.opponent()));
            }
            next = one.parent.as_deref().filter(|_| one.quiet > 0);
        }
        Repetition::occurrences_in_a_row(|back| line.get(back))
    }
}

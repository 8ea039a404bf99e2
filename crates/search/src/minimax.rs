//! Plain minimax, the yardstick of correctness.

use hnefi_rules::bits::Bits;

use crate::alphabeta::{Entered, Place, Searcher, each_step};
use crate::evaluate::Evaluate;
use crate::node::Node;
use crate::score::{INFINITE, Score};

impl<B: Bits, E: Evaluate<B>> Searcher<'_, B, E> {
    /// Plain minimax: nothing pruned, nothing extended, nothing remembered. The yardstick of correctness.
    pub(crate) fn minimax(&mut self, node: &Node<B>, depth: i32, place: Place) -> Score {
        if depth <= 0 {
            return self.evaluate(node);
        }
        let threats = node.board.threats(self.field.tables, node.turn);
        let mut steps = Vec::new();
        each_step(self.field, node, |step| steps.push(step));
        let mut best = -INFINITE;
        for step in steps {
            let value = match self.enter(node, &threats, step, place) {
                Entered::Over(score) => score,
                Entered::Open(child, since) => {
                    let next = Place { ply: place.ply + 1, since, before: step, may_skip: true };
                    let mark = self.mark(&child);
                    let same = child.node.turn == node.turn;
                    let value = self.below(&child.node, depth - 1, -INFINITE, INFINITE, next, same);
                    self.occurrences.truncate(mark);
                    value
                }
            };
            best = best.max(value);
        }
        best
    }
}

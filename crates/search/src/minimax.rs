//! Plain minimax: the reference that the pruned search is tested against.

use hnefi_rules::bits::Bits;

use crate::movegen::for_each_move;
use crate::node::Node;
use crate::score::{INFINITE, Score};
use crate::searcher::{PathInfo, Searcher, Successor};

impl<B: Bits> Searcher<'_, B> {
    /// Returns the minimax value of a position, without pruning, extensions or transposition table.
    pub(crate) fn minimax(&mut self, node: &Node<B>, depth: i32, path: PathInfo) -> Score {
        if depth <= 0 {
            return self.evaluate(node);
        }
        let threats = node.board.threats(self.context.tables, node.turn);
        let mut moves = Vec::new();
        for_each_move(self.context, node, |mv| moves.push(mv));
        let mut best = -INFINITE;
        for mv in moves {
            let value = match self.make_move(node, &threats, mv, path) {
                Successor::Terminal(score) => score,
                Successor::Open(child, repetition_start) => {
                    let next = PathInfo {
                        ply: path.ply + 1,
                        repetition_start,
                        previous_move: mv,
                        allow_null_move: true,
                    };
                    let occurrences = self.push_occurrence(&child);
                    let same_side = child.node.turn == node.turn;
                    let value =
                        self.search_child(&child.node, depth - 1, -INFINITE, INFINITE, next, same_side);
                    self.occurrences.truncate(occurrences);
                    value
                }
            };
            best = best.max(value);
        }
        best
    }
}

//! Plain minimax: the reference that the pruned search is tested against.

use hnefi_rules::bits::Bits;

use crate::movegen::for_each_move;
use crate::node::Node;
use crate::score::{INFINITE, Score};
use crate::searcher::{PathInfo, Searcher};

impl<B: Bits> Searcher<'_, B> {
    /// Returns the minimax value of a position, without pruning, extensions or transposition table.
    pub(crate) fn minimax(&mut self, node: &Node<B>, depth: i32, path: PathInfo) -> Score {
        if depth <= 0 {
            return self.evaluate(node);
        }
        let threats = node.board.threats(self.context.tables, node.turn);
        let mut moves = Vec::new();
        for_each_move(self.context, node, |mv| moves.push(mv));
        let value =
            |mv| self.search_move(node, &threats, mv, path, 0, depth, -INFINITE, INFINITE, -INFINITE, false);
        moves.into_iter().map(value).fold(-INFINITE, Score::max)
    }
}

//! Where the defenders may make an exit fort.
//!
//! A fort is made by quiet moves that no evaluation announces, so that pruning and reductions hide it. Near a fort the search
//! looks one ply further and prunes less (docs/measurements/search.md, "Exit forts").

use hnefi_rules::Side;
use hnefi_rules::bits::Bits;
use hnefi_rules::board::{Board, Threats};
use hnefi_rules::tables::Tables;

use crate::movegen::for_each_move_to;
use crate::node::{Node, PackedMove, SearchContext};
use crate::searcher::Searcher;

/// Defenders around the king from which on a fort is looked for. Not measured separately.
const FORT_MIN_DEFENDERS: u32 = 4;

/// Returns the squares on the edge and beside it; none if the rules have no exit fort.
pub(crate) fn near_edge<B: Bits>(tables: &Tables<B>) -> B {
    if tables.law.exit_fort { tables.edge | tables.around(tables.edge) } else { B::EMPTY }
}

/// Returns the squares within three steps of a king near the edge, if defenders enough stand there, else none.
#[cold]
#[inline(never)]
fn fort_site<B: Bits>(context: &SearchContext<'_, B>, board: &Board<B>) -> B {
    let tables = context.tables;
    let site = (0..3).fold(board.king, |site, _| site | tables.around(site));
    if (site & board.soldiers[1]).count() < FORT_MIN_DEFENDERS { B::EMPTY } else { site }
}

impl<B: Bits> Searcher<'_, B> {
    /// Checks whether a fort may follow after a move of the attackers, who are to move.
    #[inline]
    pub(crate) fn may_fort_follow(&self, node: &Node<B>) -> bool {
        node.turn == Side::Attackers
            && node.board.king.intersects(self.context.near_edge)
            && !fort_site(self.context, &node.board).is_empty()
    }

    /// Checks whether a move of the defenders may build a fort.
    #[inline]
    pub(crate) fn may_build_fort(&self, node: &Node<B>, mv: PackedMove) -> bool {
        node.turn == Side::Defenders
            && node.board.king.intersects(self.context.near_edge)
            && fort_site(self.context, &node.board)
                .intersects(B::bit(mv.from as usize) | B::bit(mv.to as usize))
    }

    /// Checks whether the defenders are to move and can win at once by a fort.
    #[inline(always)]
    pub(crate) fn can_make_fort(&self, node: &Node<B>, threats: &Threats<B>) -> bool {
        node.turn == Side::Defenders
            && node.board.king.intersects(self.context.near_edge)
            && self.makes_fort(node, threats)
    }

    /// Apart from the search, which its code would slow: 8 instead of 13 % fewer positions a second when it was written.
    #[cold]
    #[inline(never)]
    fn makes_fort(&self, node: &Node<B>, threats: &Threats<B>) -> bool {
        let tables = self.context.tables;
        if tables.around(node.board.king).intersects(node.board.soldiers[0]) {
            return false;
        }
        let site = fort_site(self.context, &node.board);
        if site.is_empty() {
            return false;
        }
        let makes = |mv| {
            let end = node.play(self.context, threats, mv).outcome;
            end.is_some_and(|end| end.winner == Some(Side::Defenders))
        };
        if !node.board.king.intersects(tables.edge) {
            let from = node.board.king.lowest() as u16;
            let arrivals = node.board.king_destinations(tables) & tables.edge & site;
            return arrivals.indices().any(|to| makes(PackedMove { from, to: to as u16 }));
        }
        let mut found = false;
        for_each_move_to(self.context, node, site, |mv| found = found || makes(mv));
        found
    }
}

//! Move generation for the search.

use hnefi_rules::Side;
use hnefi_rules::bits::Bits;

use crate::node::{Node, PackedMove, SearchContext};

/// Calls `visit` with every move of a position.
#[inline]
pub(crate) fn for_each_move<B: Bits>(
    context: &SearchContext<'_, B>,
    node: &Node<B>,
    visit: impl FnMut(PackedMove),
) {
    for_each_move_to(context, node, !B::EMPTY, visit);
}

/// Calls `visit` with every move of a position whose destination is in `targets`.
#[inline]
pub(crate) fn for_each_move_to<B: Bits>(
    context: &SearchContext<'_, B>,
    node: &Node<B>,
    targets: B,
    mut visit: impl FnMut(PackedMove),
) {
    let tables = context.tables;
    if !tables.is_uniform() {
        node.board.for_each_mover(tables, node.turn, |_, from, destinations| {
            (destinations & targets).for_each(|to| visit(PackedMove { from: from as u16, to: to as u16 }));
            false
        });
        return;
    }
    node.board.for_each_soldier_shift(tables, node.turn, |arrivals, offset| {
        (arrivals & targets).for_each(|to| {
            visit(PackedMove { from: to.wrapping_add_signed(-offset) as u16, to: to as u16 });
        });
    });
    if node.turn == Side::Defenders && !node.board.king.is_empty() {
        let from = node.board.king.lowest() as u16;
        (node.board.king_destinations(tables) & targets)
            .for_each(|to| visit(PackedMove { from, to: to as u16 }));
    }
}

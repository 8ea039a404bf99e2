//! Quiescence search: captures, and the answers to an open road.

use hnefi_rules::bits::Bits;
use hnefi_rules::board::Threats;
use hnefi_rules::{Piece, Side};

use crate::evaluation::Evaluate;
use crate::move_ordering::pick_best;
use crate::node::Node;
use crate::open_roads::open_road_squares;
use crate::score::{MAX_HEURISTIC_SCORE, MAX_PLY, Score};
use crate::searcher::{PathInfo, Searcher, Successor};

/// Greatest depth of the quiescence search, in plies: on crowded boards captures answer captures nearly without end. Not
/// measured separately.
const QUIESCENCE_MAX_PLIES: i32 = 12;
/// Plies in which all captures are searched. Not measured separately.
const QUIESCENCE_FULL_WIDTH_PLIES: i32 = 4;
/// Moves searched at each node after those plies. Not measured separately.
const QUIESCENCE_NARROW_MOVES: usize = 2;

impl<B: Bits, E: Evaluate<B>> Searcher<'_, B, E> {
    /// Checks whether the side to move can capture the king and win by it.
    #[inline]
    pub(crate) fn can_capture_king(&self, node: &Node<B>, threats: &Threats<B>) -> bool {
        let tables = self.context.tables;
        if node.turn == Side::Defenders || threats.king_captures.is_empty() || tables.law.king_captured_draws
        {
            return false;
        }
        let empty = tables.playable & !node.board.occupied();
        if tables.is_uniform() {
            return tables
                .slides(Piece::Attacker as usize, node.board.soldiers[0], empty)
                .intersects(threats.king_captures);
        }
        node.board.for_each_mover(tables, Side::Attackers, |_, _, destinations| {
            destinations.intersects(threats.king_captures)
        })
    }

    /// Returns the squares of the king's open roads if the attackers are to move, else none.
    #[inline]
    pub(crate) fn open_roads(&self, node: &Node<B>) -> B {
        let tables = self.context.tables;
        if node.turn == Side::Defenders {
            return B::EMPTY;
        }
        open_road_squares(tables, &node.board, node.board.open_road_goals(tables))
    }

    /// Returns the value of a position after captures and answers to an open road, `quiescence_ply` plies below the
    /// end of the main search.
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn quiescence(
        &mut self,
        node: &Node<B>,
        mut alpha: Score,
        beta: Score,
        path: PathInfo,
        threats: &Threats<B>,
        roads: B,
        quiescence_ply: i32,
    ) -> Score {
        let is_last = quiescence_ply >= QUIESCENCE_MAX_PLIES || path.ply + 2 >= MAX_PLY;
        let is_forced = !roads.is_empty() && !is_last;
        // With an open road, standing pat loses. It is no proven loss, since a draw by rule may come first.
        let stand_pat =
            if is_forced { -(MAX_HEURISTIC_SCORE - path.ply as Score) } else { self.evaluate(node) };
        if stand_pat >= beta {
            return stand_pat;
        }
        alpha = alpha.max(stand_pat);
        let mut best = stand_pat;
        let targets = threats.captures | roads;
        if targets.is_empty() || is_last {
            return best;
        }
        let begin = self.moves.len();
        self.generate(node, targets, threats.captures, &[]);
        let generated = self.moves.len() - begin;
        let is_full_width = quiescence_ply < QUIESCENCE_FULL_WIDTH_PLIES;
        let count = if is_full_width { generated } else { generated.min(QUIESCENCE_NARROW_MOVES) };
        for index in 0..count {
            let mv = pick_best(&mut self.moves[begin..], index);
            let value = match self.make_move(node, threats, mv, path) {
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
                        self.search_child(&child.node, -quiescence_ply - 1, alpha, beta, next, same_side);
                    self.occurrences.truncate(occurrences);
                    value
                }
            };
            if self.is_stopped {
                break;
            }
            if value > best {
                best = value;
                alpha = alpha.max(value);
                if value >= beta {
                    break;
                }
            }
        }
        self.moves.truncate(begin);
        best
    }
}

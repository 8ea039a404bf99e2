//! Quiescence search: captures, moves of the king that open a road, and the answers to an open road.

use hnefi_rules::bits::Bits;
use hnefi_rules::board::Threats;
use hnefi_rules::{Piece, Side};

use crate::move_ordering::{ScoredMove, pick_best};
use crate::node::{Node, PackedMove};
use crate::open_roads::OpenRoads;
use crate::score::{MAX_HEURISTIC_SCORE, MAX_PLY, Score, WIN};
use crate::searcher::{PathInfo, Searcher, Successor};

/// Greatest depth of the quiescence search, in plies: on crowded boards captures answer captures nearly without end. Not
/// measured separately.
const QUIESCENCE_MAX_PLIES: i32 = 12;
/// Plies in which all captures are searched. Not measured separately.
const QUIESCENCE_FULL_WIDTH_PLIES: i32 = 4;
/// The last ply in which the king's moves that open a road are searched. One ply more cost Elo on 11 × 11
/// (docs/measurements/search.md, "Open roads").
const QUIESCENCE_ROAD_PLIES: i32 = 0;
/// Moves searched at each node after those plies. Not measured separately.
const QUIESCENCE_NARROW_MOVES: usize = 2;

impl<B: Bits> Searcher<'_, B> {
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

    /// Returns the king's open roads if the attackers are to move, else none.
    #[inline]
    pub(crate) fn open_roads(&self, node: &Node<B>) -> OpenRoads<B> {
        let tables = self.context.tables;
        if node.turn == Side::Defenders {
            return OpenRoads::NONE;
        }
        OpenRoads::new(tables, &node.board, node.board.open_road_goals(tables))
    }

    /// Returns the destinations of the attackers' moves that may answer open roads: every move to another square loses to
    /// the king's next one. `None` if the rules or the position allow other answers.
    #[inline]
    pub(crate) fn evasions(&self, node: &Node<B>, threats: &Threats<B>, roads: OpenRoads<B>) -> Option<B> {
        let law = &self.context.tables.law;
        let may_end_quietly = law.quiet_limit > 0 && node.quiet + 1 >= law.quiet_limit;
        if roads.is_empty() || !self.context.open_roads_win || may_end_quietly {
            return None;
        }
        // One soldier cannot stand on two roads.
        let mut targets = if roads.count == 1 { roads.squares } else { B::EMPTY };
        if law.king_captured_draws {
            targets |= threats.king_captures;
        }
        if law.guards_captured {
            targets |= threats.captures;
        }
        Some(targets)
    }

    /// Returns the squares from which the king would have an open road after his move, if the defenders are to move.
    #[inline]
    pub(crate) fn road_openings(&self, node: &Node<B>) -> B {
        let tables = self.context.tables;
        if node.turn == Side::Attackers || !tables.is_uniform() {
            return B::EMPTY;
        }
        let empty = tables.playable & !node.board.occupied();
        let mut found = B::EMPTY;
        (node.board.king_destinations(tables) & self.context.near_goals).for_each(|to| {
            let king = B::bit(to);
            if tables.slides(Piece::King as usize, king, empty | node.board.king).intersects(tables.goals) {
                found |= king;
            }
        });
        found
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
        roads: OpenRoads<B>,
        quiescence_ply: i32,
    ) -> Score {
        let is_last = quiescence_ply >= QUIESCENCE_MAX_PLIES || path.ply + 2 >= MAX_PLY;
        let is_forced = !roads.is_empty() && !is_last;
        let evasions = if is_last { None } else { self.evasions(node, threats, roads) };
        // With an open road, standing pat loses; where it is no proven loss, a draw by rule may come first.
        let stand_pat = match (is_forced, evasions) {
            (true, Some(_)) => -(WIN - (path.ply as Score + 2)),
            (true, None) => -(MAX_HEURISTIC_SCORE - path.ply as Score),
            (false, _) => self.evaluate(node),
        };
        if stand_pat >= beta {
            return stand_pat;
        }
        alpha = alpha.max(stand_pat);
        let mut best = stand_pat;
        let targets = evasions.unwrap_or(threats.captures | roads.squares);
        let opens_roads = quiescence_ply <= QUIESCENCE_ROAD_PLIES;
        let openings = if opens_roads { self.road_openings(node) & !targets } else { B::EMPTY };
        if (targets | openings).is_empty() || is_last {
            return best;
        }
        let begin = self.moves.len();
        if !targets.is_empty() {
            self.generate(node, targets, threats.captures, &[]);
        }
        if !openings.is_empty() {
            let from = node.board.king.lowest() as u16;
            openings.for_each(|to| {
                let mv = PackedMove { from, to: to as u16 };
                let score = self.ordering.move_score(node.turn as usize, mv, true);
                self.moves.push(ScoredMove::new(mv, score));
            });
        }
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

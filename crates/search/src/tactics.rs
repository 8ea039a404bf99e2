//! What is tactical in tafl: wins at once, open roads and the answers to them, captures.

use hnefi_rules::bits::Bits;
use hnefi_rules::board::{Board, Threats};
use hnefi_rules::tables::Tables;
use hnefi_rules::{Direction, Piece, Side};

use crate::alphabeta::{Entered, Place, Searcher};
use crate::evaluate::Evaluate;
use crate::node::Node;
use crate::order::next_move;
use crate::score::{MAX_PLY, Score, UNPROVEN};

/// Plies after which looking on ends. On crowded boards captures answer captures nearly without end.
const LONGEST_LOOK: i32 = 12;
/// Plies after which only the most promising moves are looked at.
const WIDE_LOOK: i32 = 4;

impl<B: Bits, E: Evaluate<B>> Searcher<'_, B, E> {
    /// Whether the side to move can take the king and win by it.
    #[inline]
    pub(crate) fn takes_king(&self, node: &Node<B>, threats: &Threats<B>) -> bool {
        let tables = self.field.tables;
        if node.turn == Side::Defenders || threats.kills.is_empty() || tables.law.king_captured_draws {
            return false;
        }
        let empty = tables.playable & !node.board.occupied();
        if tables.is_uniform() {
            return tables.slides(Piece::Attacker as usize, node.board.men[0], empty).meets(threats.kills);
        }
        node.board.movers(tables, Side::Attackers, |_, _, destinations| destinations.meets(threats.kills))
    }

    /// If the attackers are to move: the squares on the king's open roads, the goals included.
    #[inline]
    pub(crate) fn roads(&self, node: &Node<B>) -> B {
        let tables = self.field.tables;
        if node.turn == Side::Defenders {
            return B::EMPTY;
        }
        roads(tables, &node.board, node.board.open_road_goals(tables))
    }

    /// Looks on at captures, and at answers to an open road, until the position is quiet.
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn quiesce(
        &mut self,
        node: &Node<B>,
        mut alpha: Score,
        beta: Score,
        place: Place,
        threats: &Threats<B>,
        roads: B,
        looked: i32,
    ) -> Score {
        let is_last = looked >= LONGEST_LOOK || place.ply + 2 >= MAX_PLY;
        let is_forced = !roads.is_empty() && !is_last;
        // With a road open, standing still loses; that is no proof, since a draw rule may come first.
        let stand = if is_forced { -(UNPROVEN - place.ply as Score) } else { self.evaluate(node) };
        if stand >= beta {
            return stand;
        }
        alpha = alpha.max(stand);
        let mut best = stand;
        let wanted = threats.events | roads;
        if wanted.is_empty() || is_last {
            return best;
        }
        let begin = self.moves.len();
        self.generate(node, wanted, threats.events, &[]);
        let found = self.moves.len() - begin;
        let count = if looked < WIDE_LOOK { found } else { found.min(2) };
        for index in 0..count {
            let step = next_move(&mut self.moves[begin..], index);
            let value = match self.enter(node, threats, step, place) {
                Entered::Over(score) => score,
                Entered::Open(child, since) => {
                    let next = Place { ply: place.ply + 1, since, before: step, may_skip: true };
                    let mark = self.mark(&child);
                    let same = child.node.turn == node.turn;
                    let value = self.below(&child.node, -looked - 1, alpha, beta, next, same);
                    self.occurrences.truncate(mark);
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

/// The squares on the ways of the king to the goals he can reach, the goals included.
#[inline]
pub(crate) fn roads<B: Bits>(tables: &Tables<B>, board: &Board<B>, goals: B) -> B {
    let mut roads = B::EMPTY;
    if goals.is_empty() {
        return roads;
    }
    let occupied = board.occupied();
    for direction in Direction::ALL {
        let (mut road, mut place) = (B::EMPTY, tables.shift(board.king, direction));
        while !place.is_empty() && !place.meets(occupied) {
            road |= place;
            if place.meets(goals) {
                roads |= road;
                break;
            }
            place = tables.shift(place, direction);
        }
    }
    roads
}

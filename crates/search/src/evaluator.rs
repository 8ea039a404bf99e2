//! The evaluation of a search: by the terms, or by the network of the weights.

use hnefi_rules::bits::Bits;
use hnefi_rules::board::Board;
use hnefi_rules::tables::Tables;
use hnefi_rules::{Piece, Rules, Side};

use crate::evaluation::Evaluation;
use crate::network_evaluation::{NetworkEvaluation, NetworkState};
use crate::score::Score;
use crate::weights::Weights;

/// An evaluation by terms or by a network. One type for both: the search is compiled once for each width of board.
pub(crate) enum Evaluator<B> {
    Terms(Evaluation<B>),
    Network(NetworkEvaluation<B>),
}

impl<B: Bits> Evaluator<B> {
    /// Compiles weights; without a network, or with one that does not fit the rules, those of the terms.
    pub(crate) fn new(tables: &Tables<B>, rules: &Rules, weights: &Weights) -> Self {
        match weights.network.as_ref().filter(|network| network.check(rules).is_ok()) {
            Some(network) => Self::Network(NetworkEvaluation::new(tables, rules, network.clone())),
            None => Self::Terms(Evaluation::new(tables, weights)),
        }
    }

    /// Returns what one thread keeps from one evaluation to the next.
    pub(crate) fn new_state(&self) -> Option<NetworkState<B>> {
        match self {
            Self::Terms(_) => None,
            Self::Network(network) => Some(network.new_state()),
        }
    }

    /// Returns the score of a piece on a square, independent of other pieces. The search updates the sum move by move.
    pub(crate) fn piece_square_score(&self, piece: Piece, index: usize) -> Score {
        match self {
            Self::Terms(terms) => terms.piece_square_score(piece, index),
            Self::Network(_) => 0,
        }
    }

    /// Returns the score for the attackers, given the sum of the piece-square scores. No score reaches that of a win.
    #[inline]
    pub(crate) fn evaluate(
        &self,
        state: &mut Option<NetworkState<B>>,
        tables: &Tables<B>,
        board: &Board<B>,
        turn: Side,
        piece_squares: Score,
    ) -> Score {
        match (self, state) {
            (Self::Network(network), Some(state)) => network.evaluate(state, tables, board, turn),
            (Self::Terms(terms), _) => terms.evaluate(tables, board, turn, piece_squares),
            (Self::Network(_), None) => 0,
        }
    }
}

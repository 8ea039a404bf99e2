//! A network as evaluation of a search: its hidden layer is updated along the line that is searched.

use std::sync::Arc;

use hnefi_rules::bits::Bits;
use hnefi_rules::board::Board;
use hnefi_rules::tables::{Tables, square_of};
use hnefi_rules::{Piece, Rules, Side};

use crate::evaluation::{Evaluate, Evaluation};
use crate::folding::Folding;
use crate::network::{Network, Sums, TermValues};
use crate::score::Score;
use crate::weights::Weights;

/// A network prepared for rules and a width of board.
#[derive(Clone, Debug)]
pub(crate) struct NetworkEvaluation<B> {
    network: Arc<Network>,
    folding: Folding,
    /// The number of the square, by index.
    numbers: Vec<u16>,
    /// What counts the terms, if they are inputs.
    terms: Option<Evaluation<B>>,
}

/// The hidden layer of the position last evaluated with the king on a square.
#[derive(Clone, Copy)]
struct Remembered<B> {
    soldiers: [B; 2],
    sums: Sums,
}

/// The hidden layers that one thread keeps, by the index of the king's square.
///
/// A search evaluates neighbours of a position one after the other, so that few soldiers stand elsewhere. A move of the king
/// changes every weight; the layer kept for his other square is often near.
pub(crate) struct NetworkState<B>(Vec<Remembered<B>>);

impl<B: Bits> NetworkEvaluation<B> {
    /// Prepares a network that fits the rules (see [`Network::check`]).
    #[must_use]
    pub(crate) fn new(tables: &Tables<B>, rules: &Rules, network: Arc<Network>) -> Self {
        let folding = Folding::new(rules);
        let counting = || Evaluation::new(tables, &Weights::default_for(&tables.law));
        let terms = network.terms.as_ref().map(|_| counting());
        let number = |index| {
            let on_board = square_of::<B>(index).filter(|one| one.file().max(one.rank()) < rules.size());
            on_board.map_or(0, |square| folding.number(square) as u16)
        };
        let numbers = (0..B::WIDTH).map(number).collect();
        Self { network, folding, numbers, terms }
    }

    /// Returns the symmetry, the class and the first weights of soldiers for an index of the king's square.
    #[inline]
    fn of_king(&self, king: usize) -> (u8, usize, usize) {
        let (symmetry, class) = self.folding.of_king(self.numbers[king] as usize);
        let network = &self.network;
        let bucket = if network.buckets() == 1 { 0 } else { class };
        (symmetry, class, bucket * 2 * network.size * network.size)
    }

    /// Adds (`SIGN` 1) or subtracts (-1) the weights of soldiers.
    #[inline(always)]
    fn update<const SIGN: i16>(&self, sums: &mut Sums, symmetry: u8, first: usize, set: B) {
        for index in set.indices() {
            let square = self.folding.image(symmetry, self.numbers[index] as usize);
            for (sum, weight) in sums.iter_mut().zip(&self.network.soldiers[first + square]) {
                *sum = sum.wrapping_add(SIGN * i16::from(*weight));
            }
        }
    }
}

impl<B: Bits> Evaluate<B> for NetworkEvaluation<B> {
    type State = NetworkState<B>;

    fn new_state(&self) -> NetworkState<B> {
        let empty = |index| {
            let sums = self.network.king[self.of_king(index).1];
            Remembered { soldiers: [B::EMPTY; 2], sums }
        };
        NetworkState((0..B::WIDTH).map(empty).collect())
    }

    fn piece_square_score(&self, _: Piece, _: usize) -> Score {
        0
    }

    #[inline]
    fn evaluate(
        &self,
        state: &mut NetworkState<B>,
        tables: &Tables<B>,
        board: &Board<B>,
        turn: Side,
        _: Score,
    ) -> Score {
        if board.king.is_empty() {
            return 0;
        }
        let king = board.king.lowest();
        let (symmetry, _, first) = self.of_king(king);
        let Remembered { soldiers, sums } = &mut state.0[king];
        let squares = self.network.size * self.network.size;
        for (side, (before, now)) in soldiers.iter_mut().zip(board.soldiers).enumerate() {
            let first = first + side * squares;
            self.update::<1>(sums, symmetry, first, now & !*before);
            self.update::<-1>(sums, symmetry, first, *before & !now);
            *before = now;
        }
        let terms =
            self.terms.as_ref().map(|terms| TermValues::new(terms.positional_terms(tables, board, turn)));
        self.network.score(sums, terms.as_ref(), turn)
    }
}

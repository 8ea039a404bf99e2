//! A network as evaluation of a search: its hidden layer is updated along the line that is searched.

use std::sync::Arc;

use hnefi_rules::bits::{Bits, Ranks};
use hnefi_rules::board::Board;
use hnefi_rules::tables::{Tables, square_of};
use hnefi_rules::{Rules, Side};

use crate::evaluation::Evaluation;
use crate::folding::Folding;
use crate::network::{BLOCK, KINDS_WITH_RANKS, Network, Sums, TermValues};
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

/// The hidden layers that one thread keeps, by the index of the king's square: that of the position last evaluated with
/// the king there.
///
/// A search evaluates neighbours of a position one after the other, so that few soldiers stand elsewhere. A move of the king
/// changes every weight; the layer kept for his other square is often near.
pub(crate) struct NetworkState<B> {
    soldiers: Vec<[B; KINDS_WITH_RANKS]>,
    sums: Vec<Sums>,
}

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
        (symmetry, class, bucket * network.kinds * network.size * network.size)
    }

    /// Returns the soldiers by kind.
    #[inline(always)]
    fn kinds_on(&self, board: &Board<B>) -> [B; KINDS_WITH_RANKS] {
        let [attackers, defenders] = board.soldiers;
        if self.kinds() == 2 {
            return [attackers, defenders, B::EMPTY, B::EMPTY];
        }
        let ranks = board.ranks.commanders() | board.ranks.knights() | board.ranks.renegades();
        [attackers & !ranks, defenders & !ranks, attackers & ranks, defenders & ranks]
    }

    /// Returns the kinds of soldiers; the compiler knows them for boards without ranks.
    #[inline(always)]
    fn kinds(&self) -> usize {
        if B::HAS_RANKS { self.network.kinds } else { 2 }
    }

    /// Adds (`SIGN` 1) or subtracts (-1) the weights of soldiers.
    #[inline(always)]
    fn update<const SIGN: i16>(&self, sums: &mut [Sums], symmetry: u8, first: usize, set: B) {
        for index in set.indices() {
            let square = self.folding.image(symmetry, self.numbers[index] as usize);
            let soldiers = &self.network.soldiers;
            if let [sums] = sums {
                // Most networks have one block; a loop over blocks took 2 to 4 % of a search.
                add::<SIGN>(sums, &soldiers[first + square]);
                continue;
            }
            let rows = &soldiers[(first + square) * sums.len()..];
            for (sums, row) in sums.iter_mut().zip(rows) {
                add::<SIGN>(sums, row);
            }
        }
    }

    /// Returns the state of a thread before its first evaluation.
    pub(crate) fn new_state(&self) -> NetworkState<B> {
        let Network { king, blocks, .. } = &*self.network;
        let sums = (0..B::WIDTH).flat_map(|index| &king[self.of_king(index).1 * blocks..][..*blocks]);
        NetworkState { soldiers: vec![[B::EMPTY; KINDS_WITH_RANKS]; B::WIDTH], sums: sums.copied().collect() }
    }

    /// Returns the score for the attackers.
    #[inline]
    pub(crate) fn evaluate(
        &self,
        state: &mut NetworkState<B>,
        tables: &Tables<B>,
        board: &Board<B>,
        turn: Side,
    ) -> Score {
        if board.king.is_empty() {
            return 0;
        }
        let king = board.king.lowest();
        let (symmetry, _, first) = self.of_king(king);
        let blocks = self.network.blocks;
        let (soldiers, sums) = (&mut state.soldiers[king], &mut state.sums[king * blocks..][..blocks]);
        let squares = self.network.size * self.network.size;
        let on_board = self.kinds_on(board);
        for kind in 0..self.kinds() {
            let (first, before, now) = (first + kind * squares, soldiers[kind], on_board[kind]);
            self.update::<1>(sums, symmetry, first, now & !before);
            self.update::<-1>(sums, symmetry, first, before & !now);
            soldiers[kind] = now;
        }
        let terms =
            self.terms.as_ref().map(|terms| TermValues::new(terms.positional_terms(tables, board, turn)));
        self.network.score(sums, terms.as_ref(), turn)
    }
}

#[inline(always)]
fn add<const SIGN: i16>(sums: &mut Sums, row: &[i8; BLOCK]) {
    for (sum, weight) in sums.iter_mut().zip(row) {
        *sum = sum.wrapping_add(SIGN * i16::from(*weight));
    }
}

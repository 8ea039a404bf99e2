//! Tests of networks: their file, their updates against recomputation, symmetry, and what the search makes of them.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use hnefi_rules::bits::Bits;
use hnefi_rules::board::Board;
use hnefi_rules::tables::Tables;
use hnefi_rules::zobrist::split_mix;
use hnefi_rules::{Game, Position, Rules, Side, Width};

use crate::evaluation::evaluate;
use crate::folding::Folding;
use crate::network::{BLOCK, Head, Network, TermInputs, kinds_of};
use crate::network_evaluation::NetworkEvaluation;
use crate::test_rules::{CHANGES, Change, brandub, changed};
use crate::weights::{TERM_COUNT, Weights};
use crate::{Limit, Options, Signals, TranspositionTable, analyse};

/// Returns a network with random weights, also of the terms.
fn network_with_terms(rules: &Rules, has_buckets: bool, seed: u64) -> Network {
    let mut state = seed;
    let mut number = |most: i64| split_mix(&mut state) as i64 % (most + 1);
    let network = random_network(rules, has_buckets, seed);
    let unit = |_| [0; TERM_COUNT].map(|_| number(900) as i16);
    let units: Vec<_> = (0..network.blocks * BLOCK).map(unit).collect();
    let heads = [[0; TERM_COUNT]; 2].map(|head| head.map(|_| number(2_000) as i32));
    Network { terms: Some(Box::new(TermInputs::new(&units, heads))), ..network }
}

/// Returns a network with random weights, of two blocks if the seed is even.
fn random_network(rules: &Rules, has_buckets: bool, seed: u64) -> Network {
    let (mut state, size) = (seed, rules.size());
    let mut number = |most: i64| split_mix(&mut state) as i64 % (most + 1);
    let classes = Folding::new(rules).class_count;
    let blocks = if seed % 2 == 0 { 2 } else { 1 };
    let king = (0..classes * blocks).map(|_| [0; BLOCK].map(|_| number(300) as i16)).collect();
    let kinds = kinds_of(rules);
    let rows = if has_buckets { classes } else { 1 } * kinds * size * size * blocks;
    let soldiers = (0..rows).map(|_| [0; BLOCK].map(|_| number(60) as i8)).collect();
    let mut head = || Head {
        weights: (0..blocks).map(|_| [0; BLOCK].map(|_| number(200) as i16)).collect(),
        constant: number(9_000) as i32,
    };
    let heads = [head(), head()];
    Network {
        size,
        kinds,
        blocks,
        scale: 190,
        king,
        soldiers,
        heads,
        terms: None,
        facts: r#"{"seed":1}"#.to_string(),
    }
}

fn games(rules: &Arc<Rules>) -> impl Iterator<Item = Game> {
    (0..30).map(|seed| Game::new(rules.clone()).play_random(seed, 60))
}

/// Rules that change how boards change, also by ranks.
fn changed_rules() -> impl Iterator<Item = Arc<Rules>> {
    let with_ranks: Change = &[("ttTKTtt", "ctNKTtc")];
    CHANGES.into_iter().chain([with_ranks]).map(changed)
}

#[test]
fn a_file_is_read_as_it_was_written() {
    for (rules, make) in changed_rules().flat_map(|rules| {
        [random_network as fn(&Rules, bool, u64) -> Network, network_with_terms]
            .map(|make| (rules.clone(), make))
    }) {
        let network = make(&rules, true, 6);
        assert_eq!(Network::from_text(&network.to_text()).unwrap(), network);
        let bytes = network.to_bytes();
        // At each length of its head and of its end, and at every fiftieth between.
        for length in (0..bytes.len()).filter(|n| n % 50 == 0 || *n < 200 || n + 200 > bytes.len()) {
            assert!(Network::from_bytes(&bytes[..length]).is_err(), "{length}");
        }
        assert!(Network::from_bytes(&[&bytes[..], &[0]].concat()).is_err());
    }
}

/// Compares the scores of positions, one after the other, with those of a state that has seen nothing.
struct Comparison<'a>(&'a [Position], &'a Arc<Network>);

impl Width for Comparison<'_> {
    type Output = usize;

    fn run<B: Bits>(self, tables: &Tables<B>, _: &Board<B>) -> usize {
        let evaluation = NetworkEvaluation::<B>::new(tables, self.0[0].rules(), self.1.clone());
        let mut state = evaluation.new_state();
        let mut scores = std::collections::HashSet::new();
        for position in self.0 {
            let board = Board::of(&position.setup());
            for turn in [Side::Attackers, Side::Defenders] {
                let updated = evaluation.evaluate(&mut state, tables, &board, turn);
                let anew = evaluation.evaluate(&mut evaluation.new_state(), tables, &board, turn);
                assert_eq!(updated, anew);
                scores.insert(updated);
            }
        }
        scores.len()
    }
}

#[test]
fn updates_agree_with_recomputation() {
    for (seed, rules) in changed_rules().enumerate() {
        let positions: Vec<Position> = games(&rules).flat_map(|game| game.positions()).collect();
        for (make, has_buckets) in [
            (random_network as fn(&Rules, bool, u64) -> Network, false),
            (random_network, true),
            (network_with_terms, false),
        ] {
            let network = Arc::new(make(&rules, has_buckets, seed as u64));
            let different = positions[0].in_width(Comparison(&positions, &network));
            assert!(different > 300, "{different} scores");
        }
    }
}

fn weights_with(rules: &Rules, network: Network) -> Weights {
    Weights { network: Some(Arc::new(network)), ..Weights::default_for(rules.law()) }
}

#[test]
fn an_image_scores_as_the_position_with_buckets() {
    let rules = brandub();
    let weights = weights_with(&rules, random_network(&rules, true, 3));
    let mut compared = 0;
    for game in games(&rules).filter(|game| game.outcome().is_none()) {
        let position = game.position();
        let setup = position.setup();
        let king =
            setup.pieces().find(|(_, piece)| *piece == hnefi_rules::Piece::King).map(|(at, _)| at).unwrap();
        // On an axis two symmetries bring him to the same square.
        let is_on_axis = rules.symmetries().iter().skip(1).any(|one| rules.map_square(king, *one) == king);
        for symmetry in rules.symmetries().iter().filter(|_| !is_on_axis) {
            assert_eq!(evaluate(&position.transformed(*symmetry), &weights), evaluate(&position, &weights));
            compared += 1;
        }
    }
    assert!(compared > 10, "{compared}");
}

/// The scores stand here, so that every build of the core is tested for the same ones.
#[test]
fn scores_are_the_same_in_every_build() {
    let rules = brandub();
    let golden = [
        (random_network as fn(&Rules, bool, u64) -> Network, GOLDEN_SCORES),
        (network_with_terms, GOLDEN_SCORES_WITH_TERMS),
    ];
    for (make, golden) in golden {
        let weights = weights_with(&rules, make(&rules, true, 3));
        let scores: Vec<i32> =
            games(&rules).take(6).map(|game| evaluate(&game.position(), &weights)).collect();
        assert_eq!(scores, golden);
    }
}

const GOLDEN_SCORES: [i32; 6] = [-229, 50, -124, -129, 319, 121];
const GOLDEN_SCORES_WITH_TERMS: [i32; 6] = [-399, -421, -57, -53, 8, -112];

#[test]
fn searches_with_a_network_share_no_table_entries_with_others() {
    let rules = brandub();
    let game = Game::new(rules.clone());
    let options = Options::default();
    let limit = Limit { depth: Some(4), ..Limit::default() };
    let search = |weights: &Weights, table: &TranspositionTable| {
        let signals = Signals::default();
        let report = analyse(&game, weights, table, &signals, limit, &options, &mut |_| {});
        (report.lines, report.nodes)
    };
    let fresh = || TranspositionTable::new(1);
    let all = [
        Weights::default_for(rules.law()),
        weights_with(&rules, random_network(&rules, true, 3)),
        weights_with(&rules, random_network(&rules, true, 4)),
        weights_with(&rules, random_network(&rules, false, 4)),
        weights_with(&rules, network_with_terms(&rules, false, 4)),
    ];
    let alone: Vec<_> = all.iter().map(|weights| search(weights, &fresh())).collect();
    let shared = fresh();
    for (weights, alone) in all.iter().zip(&alone) {
        assert_eq!(&search(weights, &shared).0, &alone.0);
    }
    assert_ne!(alone[1], alone[2]);
}

#[test]
fn a_network_of_other_rules_is_refused() {
    let rules = brandub();
    let network = random_network(&rules, true, 3);
    assert_eq!(network.check(&rules), Ok(()));
    let few = Network { king: network.king[..9].to_vec(), ..network.clone() };
    assert_eq!(few.check(&rules), Err("network: 9 classes of squares, expected 10".to_string()));
    let other_size = Network { size: 9, ..network };
    assert!(other_size.check(&rules).is_err());
    let text = weights_with(&rules, random_network(&rules, true, 3)).to_json();
    assert!(Weights::from_json(&text, 7).unwrap().network.is_some());
    assert!(Weights::from_json(&text, 9).is_err());
}

//! Search, evaluation and proofs of forced wins for every tafl game.
//!
//! [`analyse`] searches any game under any valid rules; [`prove`] searches for a forced win. The evaluation is data
//! ([`Weights`]). Nothing here names a variant.
//!
//! | Technique | Module |
//! |---|---|
//! | Iterative deepening, aspiration windows | `iterative_deepening` |
//! | Principal variation search, reverse futility pruning, null-move pruning, late move reductions | `alphabeta` |
//! | Quiescence search | `quiescence` |
//! | Killer moves, counter-moves, history heuristic | `move_ordering`, `move_picker` |
//! | Transposition table | `transposition_table` |
//! | Evaluation by a small network | `network` |
//! | Parallel search (simplified ABDADA, shared iterations) | `parallel` |
//! | Depth-first proof-number search (df-pn) | `df_pn`, `proof_table`, `static_info` |

mod alphabeta;
mod base64;
mod calibration;
mod certificate;
mod clock;
#[cfg(test)]
mod collision_tests;
mod df_pn;
mod evaluation;
mod evaluator;
mod folding;
mod forts;
mod iterative_deepening;
mod level;
mod minimax;
mod move_ordering;
mod move_picker;
mod movegen;
mod network;
mod network_evaluation;
#[cfg(test)]
mod network_tests;
mod node;
mod open_roads;
mod options;
mod pace;
mod parallel;
mod proof_table;
mod prove;
mod prover;
mod quiescence;
mod random;
mod report;
mod score;
mod searcher;
mod static_info;
#[cfg(test)]
mod static_info_tests;
#[cfg(test)]
mod test_rules;
mod time_budget;
mod transposition_table;
#[cfg(test)]
mod unfinished_tests;
mod weights;

pub use calibration::{Calibration, logistic};
pub use clock::Clock;
pub use evaluation::{evaluate, features, term_values};
pub use folding::Folding;
pub use iterative_deepening::analyse;
pub use level::{Candidate, Choice, Level, move_at_level, static_candidates};
pub use network::{
    BLOCK, HEAD_ONE, Head, MAX_FIRST_SUM, Network, ONE, TERM_ONE, TermInputs, TermValues, kind_of, kinds_of,
};
pub use options::{Limit, Options, Signals};
pub use prove::prove;
pub use prover::{Answer, Proof, Task};
pub use report::{Line, Report};
pub use score::{PROVEN, Score, WIN, for_side, win_in};
pub use transposition_table::TranspositionTable;
pub use weights::{TERM_COUNT, TERMS, Term, Terms, Weights, class_count, class_of};

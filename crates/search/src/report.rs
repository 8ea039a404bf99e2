//! Reports of a search: the best lines so far, with depth, positions and time.

use hnefi_rules::Move;

use crate::score::Score;

/// One line of an analysis.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// For the attackers.
    pub score: Score,
    /// The principal variation; its first move is the one that is scored.
    pub moves: Vec<Move>,
}

/// The state of an analysis after an iteration.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// The depth to which all lines were searched, in plies.
    pub depth: u32,
    /// The deepest line visited (selective depth), in plies.
    pub deepest: u32,
    /// Positions visited.
    pub nodes: u64,
    /// Time spent, in milliseconds.
    pub time_ms: u64,
    /// The best moves, best first.
    pub lines: Vec<Line>,
}

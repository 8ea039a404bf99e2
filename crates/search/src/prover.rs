//! The state of the prover: its task, limits and tables, and the rules for static analysis.

use hnefi_rules::bits::Bits;
use hnefi_rules::board::Threats;
use hnefi_rules::law::Shieldwall;
use hnefi_rules::tables::Tables;
use hnefi_rules::{Move, Outcome, Reason, Setup, Side};

use crate::node::{Child, Node, PackedMove, SearchContext};
use crate::options::Signals;
use crate::pace::Pace;
use crate::proof_table::{NOT_WON, Numbers, ProofTable, WON};

/// A task of the prover: the side, and the limits of the effort.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    /// The side to prove a win for.
    pub side: Side,
    /// The greatest number of positions to expand.
    pub nodes: u64,
    /// The number of plies without a capture after which a line counts as drawn. A lower limit of the rules replaces it.
    pub quiet_limit: u32,
    /// Memory, in mebibytes.
    pub table_mib: usize,
    /// The threads of a search that it runs beside: it then works a tenth of the time unless a core is idle. `None` for
    /// all of the time.
    pub beside: Option<usize>,
}

/// The answer of the prover.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The side wins by force.
    Proven(Proof),
    /// The side cannot force a win within the quiet limit of the task.
    Disproven,
    /// The search reached a limit first.
    Unknown,
}

/// The certificate of a forced win: for each position the winner can come to, the move that keeps the win.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    /// The positions, each once, and the winning moves. The quiet counter of a position is the highest with which its
    /// move still wins in time, 0 under rules without a limit.
    pub moves: Vec<(Setup, Move)>,
    /// A line of the proof: the winner's moves against the longest defence.
    pub line: Vec<Move>,
    /// Plies until the win at the latest, if the winner follows the proof. No win is shorter where the search for a
    /// shorter one could be finished.
    pub longest: u32,
}

/// One run of df-pn.
pub(crate) struct Prover<'a, B: Bits> {
    pub(crate) context: &'a SearchContext<'a, B>,
    pub(crate) task: Task,
    pub(crate) signals: &'a Signals,
    /// The quiet counter at which the game is drawn.
    pub(crate) limit: u32,
    /// Repetition keys of positions that end the game when they occur once more.
    pub(crate) exhausted: Vec<u64>,
    pub(crate) static_rules: StaticRules,
    pub(crate) table: ProofTable,
    /// Stack of the unsolved moves of all states on the current path.
    pub(crate) branches: Vec<Branch>,
    pub(crate) nodes: u64,
    /// Positions that may be expanded in all.
    pub(crate) budget: u64,
    /// Positions after which the current search is interrupted.
    pub(crate) node_limit: u64,
    pub(crate) is_stopped: bool,
    pub(crate) pace: Option<Pace>,
    /// Whether a win found by a search of some depth has to come within that depth, to the ply.
    pub(crate) is_strict: bool,
}

/// A move whose result is not known yet.
#[derive(Clone, Copy)]
pub(crate) struct Branch {
    pub(crate) mv: PackedMove,
    pub(crate) numbers: Numbers,
}

/// The facts that static analysis can decide under the rules, without making moves.
pub(crate) struct StaticRules {
    /// By side: whether a move that does not answer a threat may capture or end the game anyway.
    pub(crate) has_indirect_answers: [bool; 2],
    /// Whether capturing the king wins and the squares for it can be computed.
    pub(crate) king_capture_wins: bool,
    /// By side: whether the ends that its soldiers cause can be detected without making the move.
    pub(crate) has_static_ends: [bool; 2],
}

impl StaticRules {
    fn new<B: Bits>(tables: &Tables<B>, may_repeat: bool) -> Self {
        let law = &tables.law;
        let has_shieldwall = law.shieldwall != Shieldwall::None;
        let has_static_ends = tables.is_uniform() && !has_shieldwall;
        let has_indirect_answers = has_shieldwall || may_repeat;
        Self {
            has_indirect_answers: [has_indirect_answers, has_indirect_answers || law.exit_fort],
            king_capture_wins: tables.is_uniform() && !law.king_captured_draws,
            has_static_ends: [has_static_ends && !law.enclosure, has_static_ends && !law.exit_fort],
        }
    }
}

impl<'a, B: Bits> Prover<'a, B> {
    pub(crate) fn new(
        context: &'a SearchContext<'a, B>,
        task: Task,
        signals: &'a Signals,
        limit: u32,
        past: Vec<u64>,
    ) -> Self {
        let tables = context.tables;
        let exhausted: Vec<u64> = match tables.law.repetition.count() {
            None => Vec::new(),
            Some(count) => {
                let next = |key: &u64| 1 + past.iter().filter(|other| *other == key).count() as u32;
                past.iter().copied().filter(|key| next(key) >= count).collect()
            }
        };
        Self {
            context,
            task,
            signals,
            limit,
            static_rules: StaticRules::new(tables, !exhausted.is_empty()),
            exhausted,
            table: ProofTable::new(task.table_mib, true),
            branches: Vec::with_capacity(4096),
            nodes: 0,
            budget: task.nodes,
            node_limit: task.nodes,
            is_stopped: false,
            pace: task.beside.map(Pace::new),
            is_strict: false,
        }
    }

    /// Returns the quiet plies left after some quiet plies.
    pub(crate) fn remaining(&self, quiet: u32) -> u16 {
        self.limit.saturating_sub(quiet).min(u32::from(u16::MAX - 1)) as u16
    }

    /// Returns the numbers of a game that is over.
    pub(crate) fn won_by(&self, winner: Option<Side>) -> Numbers {
        if winner == Some(self.task.side) { WON } else { NOT_WON }
    }

    /// Checks whether a side is the one to prove a win for.
    pub(crate) fn is_winner(&self, side: Side) -> bool {
        side == self.task.side
    }

    /// Makes a move and detects every end of the game.
    pub(crate) fn child(&self, node: &Node<B>, threats: &Threats<B>, mv: PackedMove) -> Child<B> {
        let mut child = node.play(self.context, threats, mv);
        if child.outcome.is_none() {
            child.outcome = self.repetition_outcome(&child, node.turn);
        }
        if child.outcome.is_none() {
            child.finish_turn(self.context);
            if child.passed {
                child.outcome = self.repetition_outcome(&child, node.turn);
            }
        }
        if child.outcome.is_none() && child.node.quiet >= self.limit {
            child.outcome = Some(Outcome { winner: None, reason: Reason::QuietMoves });
        }
        child
    }

    /// Returns the end by repetition of a position of the game's past. Within the search no position repeats.
    fn repetition_outcome(&self, child: &Child<B>, mover: Side) -> Option<Outcome> {
        let repeats = !child.captures && self.exhausted.contains(&child.node.repetition_key());
        repeats.then(|| self.context.tables.law.repetition.outcome(mover))
    }
}

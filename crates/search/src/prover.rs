//! Proofs of forced wins: depth-first proof-number search (Nagai 2002) over position and remaining quiet plies.
//!
//! The state searched is a position with the plies that may still pass without a capture. Every move lowers that number
//! or the material, so no line comes back to a state, and what is stored never depends on the way to it. Working numbers
//! are kept for each position *and* counter; with one place for all counters of a position they would drive each other
//! out without end. What is solved holds more widely: won with r plies left is won with more, not won with r is not
//! won with fewer.
//!
//! Under rules without a quiet limit the prover plays with one of its own. Its wins hold all the same: along a line the
//! least number of plies with which a position is won falls strictly, so no position comes twice.
//!
//! Searches that stop some plies below the root take turns with one that does not: the first find short wins in which a
//! quiet move prepares a threat, the other long chases. What one proves holds for all.
//!
//! Most moves are never made. Where the other side threatens to win at once, only moves that could answer the threat
//! are looked at; where there is none of them, the position is lost without a look.

use std::sync::atomic::Ordering;

use hnefi_rules::bits::Bits;
use hnefi_rules::board::{Board, Threats};
use hnefi_rules::tables::Tables;
use hnefi_rules::{Game, Move, Outcome, Reason, Setup, Side, Width};

use crate::alphabeta::{Signals, each_step};
use crate::node::{Child, Field, Node, Step};
use crate::outlook::Looks;
use crate::proof::Walk;
use crate::proof_table::{INFINITE, NOT_WON, Number, Numbers, ProofTable, State, WON};

/// What to prove, and how hard to try.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    /// Whose forced win is looked for.
    pub side: Side,
    /// Positions to expand at most.
    pub nodes: u64,
    /// Plies without capture within which the win has to come; those the rules leave, if they are fewer.
    pub quiet_limit: u32,
    /// Memory, in mebibytes.
    pub table_mib: usize,
}

/// The answer of the prover.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The side wins by force.
    Proven(Proof),
    /// The side cannot force a win within the quiet limit of the task.
    Disproven,
    /// The limit was reached before either was clear.
    Unknown,
}

/// A forced win: for each position the winner can come to, the move that keeps the win.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    /// The positions, each once, and the winning moves. The quiet counter of a position is the highest with which its
    /// move still wins in time, 0 under rules without a limit.
    pub moves: Vec<(Setup, Move)>,
    /// A line of the proof: the winner's moves against answers that hold out longest.
    pub line: Vec<Move>,
    /// Plies after which the win has come at the latest, if the winner follows the proof. Where little has to be
    /// searched for it, no win is shorter.
    pub longest: u32,
}

/// Looks for a forced win. Gives the answer and how many positions were expanded: `Unknown` and none for rules with
/// turns of several captures or jumps.
pub fn prove(game: &Game, task: Task, signals: &Signals) -> (Answer, u64) {
    match game.outcome() {
        Some(outcome) if outcome.winner == Some(task.side) => {
            (Answer::Proven(Proof { moves: Vec::new(), line: Vec::new(), longest: 0 }), 0)
        }
        Some(_) => (Answer::Disproven, 0),
        None => game.position().in_width(Work { game, task, signals }),
    }
}

struct Work<'a> {
    game: &'a Game,
    task: Task,
    signals: &'a Signals,
}

impl Width for Work<'_> {
    type Output = (Answer, u64);

    fn run<B: Bits>(self, tables: &Tables<B>, board: &Board<B>) -> (Answer, u64) {
        if B::HAS_RANKS {
            // Its looks ahead take every turn for one move.
            return (Answer::Unknown, 0);
        }
        let field = Field::new(tables, self.game.rules());
        let position = self.game.position();
        let own = tables.law.quiet_limit;
        let wanted = self.task.quiet_limit.clamp(1, LONGEST_LIMIT).saturating_add(position.quiet());
        let limit = if own > 0 { own.min(wanted) } else { wanted };
        let root = Node::new(&field, board, position.turn(), position.quiet());
        let mut prover = Prover::new(&field, self.task, self.signals, limit, self.game.recent_keys());
        let numbers = prover.alternate(&root);
        let nodes = prover.nodes;
        let answer = if numbers.proof == 0 {
            // What was driven out of the memory has to be proven again on the way.
            prover.budget = nodes + self.task.nodes + 100_000;
            let found = Walk::new(&mut prover).extract(&root, BOUNDLESS);
            found.map_or(Answer::Unknown, |proof| Answer::Proven(prover.shorten(&root, proof, nodes)))
        } else if numbers.disproof == 0 {
            Answer::Disproven
        } else {
            Answer::Unknown
        };
        (answer, nodes)
    }
}

/// The longest quiet limit that is looked at: the lines searched may be as long.
const LONGEST_LIMIT: u32 = 400;
/// How deep a search goes that stops nowhere.
pub(crate) const BOUNDLESS: u16 = u16::MAX;
/// The shallowest search that takes turns with it, in plies.
const SHALLOWEST: u16 = 3;
/// Positions that may be expanded to find a shorter win than the first: as many as that one took, within these.
const LEAST_TO_SHORTEN: u64 = 2_000;
const MOST_TO_SHORTEN: u64 = 100_000;
/// Positions each search expands at its first turn; four times as many at each further one.
const FIRST_TURN: u64 = 1_000;

pub(crate) struct Prover<'a, B: Bits> {
    pub(crate) field: &'a Field<'a, B>,
    task: Task,
    signals: &'a Signals,
    pub(crate) limit: u32,
    /// Positions that end the game by repetition when they come once more.
    pub(crate) worn: Vec<u64>,
    pub(crate) looks: Looks,
    pub(crate) table: ProofTable,
    /// The undecided moves of all states on the way, one after the other.
    branches: Vec<Branch>,
    nodes: u64,
    /// Positions that may be expanded in all.
    budget: u64,
    /// Positions after which this turn ends.
    node_limit: u64,
    is_stopped: bool,
    /// Whether a win within some depth has to come within it to the ply.
    pub(crate) is_strict: bool,
}

/// A move whose result is not known yet.
#[derive(Clone, Copy)]
struct Branch {
    step: Step,
    numbers: Numbers,
}

/// What a look at all moves of a state gave.
struct Sums {
    numbers: Numbers,
    best: usize,
    second: Number,
}

impl<'a, B: Bits> Prover<'a, B> {
    pub(crate) fn new(
        field: &'a Field<'a, B>,
        task: Task,
        signals: &'a Signals,
        limit: u32,
        past: Vec<u64>,
    ) -> Self {
        let tables = field.tables;
        let worn: Vec<u64> = match tables.law.repetition.count() {
            None => Vec::new(),
            Some(count) => {
                let times = |key: &u64| 1 + past.iter().filter(|other| *other == key).count() as u32;
                past.iter().copied().filter(|key| times(key) >= count).collect()
            }
        };
        Self {
            field,
            task,
            signals,
            limit,
            looks: Looks::new(tables, !worn.is_empty()),
            worn,
            table: ProofTable::new(task.table_mib, true),
            branches: Vec::with_capacity(4096),
            nodes: 0,
            budget: task.nodes,
            node_limit: task.nodes,
            is_stopped: false,
            is_strict: false,
        }
    }

    pub(crate) fn remaining(&self, node: &Node<B>) -> u16 {
        self.remaining_of(node.quiet)
    }

    pub(crate) fn remaining_of(&self, quiet: u32) -> u16 {
        self.limit.saturating_sub(quiet).min(u32::from(u16::MAX - 1)) as u16
    }

    pub(crate) fn won_by(&self, side: Side) -> Numbers {
        if side == self.task.side { WON } else { NOT_WON }
    }

    pub(crate) fn won_from(&self, node: &Node<B>) -> Option<u16> {
        self.table.won_from(node.repetition_key())
    }

    pub(crate) fn is_winners(&self, node: &Node<B>) -> bool {
        node.turn == self.task.side
    }

    /// Lets searches of several depths take turns until one of them is through. Gives the numbers of the last.
    fn alternate(&mut self, root: &Node<B>) -> Numbers {
        let mut share = FIRST_TURN;
        let mut open: Vec<u16> = Vec::new();
        let mut next = SHALLOWEST + u16::from(!self.is_winners(root));
        loop {
            open.push(next);
            next += 2;
            for depth in core::iter::once(BOUNDLESS).chain(open.clone()) {
                self.node_limit = self.budget.min(self.nodes + share);
                self.is_stopped = false;
                let numbers = self.expand(root, depth, INFINITE, INFINITE);
                let is_over = self.nodes >= self.budget || self.signals.stop.load(Ordering::Relaxed);
                if numbers.proof == 0 || (depth == BOUNDLESS && numbers.disproof == 0) {
                    return numbers;
                }
                if is_over {
                    return Numbers { proof: 1, disproof: 1 };
                }
                if numbers.disproof == 0 {
                    open.retain(|other| *other != depth);
                }
            }
            share *= 4;
        }
    }

    /// Looks for the shortest win, for as long as the first one took. Gives that one if there is nothing shorter.
    fn shorten(&mut self, root: &Node<B>, proof: Proof, nodes: u64) -> Proof {
        self.is_strict = true;
        self.table = ProofTable::new(self.task.table_mib, false);
        self.budget = self.nodes + nodes.clamp(LEAST_TO_SHORTEN, MOST_TO_SHORTEN);
        let mut depth = 1 + u16::from(!self.is_winners(root));
        while u32::from(depth) < proof.longest {
            match self.settle(root, depth) {
                None => return proof,
                Some(true) => return Walk::new(self).extract(root, depth).unwrap_or(proof),
                Some(false) => depth += 2,
            }
        }
        proof
    }

    /// Searches a state to its end. Gives whether it is won; `None` if the search was stopped.
    pub(crate) fn settle(&mut self, node: &Node<B>, depth: u16) -> Option<bool> {
        let numbers = if depth == BOUNDLESS {
            self.alternate(node)
        } else {
            self.node_limit = self.budget;
            self.is_stopped = self.nodes >= self.budget;
            self.expand(node, depth, INFINITE, INFINITE)
        };
        numbers.is_solved().then_some(numbers.proof == 0)
    }

    /// Searches a state, `depth` plies deep, until a number reaches its threshold.
    fn expand(&mut self, node: &Node<B>, depth: u16, most_proof: Number, most_disproof: Number) -> Numbers {
        let state = State { key: node.repetition_key(), remaining: self.remaining(node), depth };
        if let Some(numbers) = self.table.recall(state).filter(|numbers| numbers.is_solved()) {
            return numbers;
        }
        self.nodes += 1;
        if self.nodes % 256 == 0 || self.nodes >= self.node_limit {
            let is_told = self.signals.stop.load(Ordering::Relaxed);
            self.is_stopped = is_told || self.nodes >= self.node_limit;
        }
        let begun = self.nodes;
        let begin = self.branches.len();
        let threats = node.board.threats(self.field.tables, node.turn);
        let below = shallower(depth);
        let mut settled = self.branch(node, &threats, below);
        loop {
            let sums = match settled {
                Some(numbers) => Sums { numbers, best: 0, second: 0 },
                None => self.combine(node, begin),
            };
            let numbers = sums.numbers;
            let is_done = numbers.proof >= most_proof || numbers.disproof >= most_disproof;
            if is_done || self.is_stopped || numbers.is_solved() {
                self.branches.truncate(begin);
                self.table.keep(state, numbers, self.nodes - begun + 1);
                return numbers;
            }
            let branch = self.branches[begin + sums.best];
            // The thresholds of Pawlewicz and Lew (2007): a little beyond the second best, so that work does not flap.
            let wider = sums.second.saturating_add(sums.second / 4).saturating_add(1).min(INFINITE);
            let rest =
                |most: Number, all: Number, own: Number| (most.saturating_sub(all) + own).min(INFINITE);
            let next = self.child(node, &threats, branch.step).node;
            let found = if self.is_winners(node) {
                let most = rest(most_disproof, numbers.disproof, branch.numbers.disproof);
                self.expand(&next, below, most_proof.min(wider), most)
            } else {
                let most = rest(most_proof, numbers.proof, branch.numbers.proof);
                self.expand(&next, below, most, most_disproof.min(wider))
            };
            if !found.is_solved() {
                self.branches[begin + sums.best].numbers = found;
            } else if (found.proof == 0) == self.is_winners(node) {
                settled = Some(found);
            } else {
                self.branches.swap_remove(begin + sums.best);
            }
        }
    }

    /// Puts the moves of a state that are not decided at once on `branches`; gives the result if one decides it.
    fn branch(&mut self, node: &Node<B>, threats: &Threats<B>, below: u16) -> Option<Numbers> {
        let is_winners = self.is_winners(node);
        let outlook = self.outlook(node, threats);
        let wanted = outlook.wanted;
        let king = if node.turn == Side::Defenders { node.board.king } else { B::EMPTY };
        let has_surprises = self.looks.has_surprises[node.turn as usize];
        let mut settled = None;
        each_step(self.field, node, |step| {
            let is_idle = !wanted.meets(B::bit(step.to as usize)) && !king.meets(B::bit(step.from as usize));
            if settled.is_some() || (is_idle && !has_surprises) {
                return;
            }
            let numbers = if let Some(numbers) = self.glance(node, &outlook, step, below) {
                numbers
            } else {
                let child = self.child(node, threats, step);
                if is_idle && !child.captures && child.outcome.is_none() {
                    return;
                }
                self.first_numbers(&child, below)
            };
            if !numbers.is_solved() {
                self.branches.push(Branch { step, numbers });
            } else if (numbers.proof == 0) == is_winners {
                settled = Some(numbers);
            }
        });
        settled
    }

    /// Makes a move and finds every end.
    pub(crate) fn child(&self, node: &Node<B>, threats: &Threats<B>, step: Step) -> Child<B> {
        let mut child = node.play(self.field, threats, step);
        if child.outcome.is_none() {
            child.outcome = self.by_history(&child, node.turn);
        }
        if child.outcome.is_none() {
            child.settle(self.field);
            if child.outcome.is_none() && child.passed {
                child.outcome = self.by_history(&child, node.turn);
            }
        }
        if child.outcome.is_none() && child.node.quiet >= self.limit {
            child.outcome = Some(Outcome { winner: None, reason: Reason::QuietMoves });
        }
        child
    }

    /// What is known of the state a move leads to, without a search that deep.
    pub(crate) fn first_numbers(&self, child: &Child<B>, depth: u16) -> Numbers {
        match child.outcome {
            Some(outcome) if outcome.winner == Some(self.task.side) => WON,
            Some(_) => NOT_WON,
            None => self.first_look(child.node.repetition_key(), &self.sight(&child.node), depth),
        }
    }

    /// The end by repetition that the game's own past brings about; within the search nothing repeats.
    fn by_history(&self, child: &Child<B>, mover: Side) -> Option<Outcome> {
        let is_worn = !child.captures && self.worn.contains(&child.node.repetition_key());
        is_worn.then(|| self.field.tables.law.repetition.outcome(mover))
    }

    /// The numbers of a state from those of its undecided moves, and the most promising of them.
    fn combine(&self, node: &Node<B>, begin: usize) -> Sums {
        let is_winners = self.is_winners(node);
        let (mut best, mut first, mut second, mut sum) = (0, INFINITE, INFINITE, 0_u32);
        for (place, branch) in self.branches[begin..].iter().enumerate() {
            let Numbers { proof, disproof } = branch.numbers;
            let (own, other) = if is_winners { (proof, disproof) } else { (disproof, proof) };
            sum = sum.saturating_add(other);
            if own < first {
                (best, second, first) = (place, first, own);
            } else if own < second {
                second = own;
            }
        }
        let sum = sum.min(INFINITE);
        let numbers = if is_winners {
            Numbers { proof: first, disproof: sum }
        } else {
            Numbers { proof: sum, disproof: first }
        };
        Sums { numbers, best, second }
    }
}

/// How deep the moves of a state are to be searched.
pub(crate) const fn shallower(depth: u16) -> u16 {
    if depth == BOUNDLESS { depth } else { depth.saturating_sub(1) }
}

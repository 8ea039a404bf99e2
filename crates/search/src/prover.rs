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

use std::collections::HashMap;
use std::sync::atomic::Ordering;

use hnefi_rules::bits::Bits;
use hnefi_rules::board::Board;
use hnefi_rules::tables::{Tables, square_of};
use hnefi_rules::{Game, Move, Outcome, Setup, Side, Width};

use crate::alphabeta::{Signals, each_step};
use crate::node::{Field, Node, Step};

/// A proof or disproof number: 0 is solved, `INFINITE` cannot be.
type Number = u32;

const INFINITE: Number = 1 << 30;

/// What to prove, and how hard to try.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    /// Whose forced win is looked for.
    pub side: Side,
    /// Positions to expand at most.
    pub nodes: u64,
    /// Plies without capture within which the win has to come under rules that have no limit of their own.
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
    /// The positions, with side to move and quiet counter, and the winning moves.
    pub moves: Vec<(Setup, Move)>,
    /// A line of the proof: the winner's moves against answers that hold out longest.
    pub line: Vec<Move>,
    /// Plies after which the win has come at the latest, if the winner follows the proof.
    pub longest: u32,
}

/// Looks for a forced win. Gives the answer and how many positions were expanded.
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
        let field = Field::new(tables, self.game.rules().keys());
        let position = self.game.position();
        let own = tables.law.quiet_limit;
        let limit = if own > 0 { own } else { self.task.quiet_limit + position.quiet() };
        let root = Node::new(&field, board, position.turn(), position.quiet());
        let past = if own > 0 && field.repetition.is_none() { Vec::new() } else { self.game.recent_keys() };
        let mut prover = Prover::new(&field, self.task, self.signals, limit, past);
        let numbers = prover.expand(&root, INFINITE, INFINITE);
        let answer = if numbers.proof == 0 {
            prover.extract(&root).map_or(Answer::Unknown, Answer::Proven)
        } else if numbers.disproof == 0 {
            Answer::Disproven
        } else {
            Answer::Unknown
        };
        (answer, prover.nodes)
    }
}

/// The proof and disproof numbers of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Numbers {
    proof: Number,
    disproof: Number,
}

const WON: Numbers = Numbers { proof: 0, disproof: INFINITE };
const NOT_WON: Numbers = Numbers { proof: INFINITE, disproof: 0 };

/// The working numbers of one state.
#[derive(Clone, Copy)]
struct Slot {
    key: u64,
    numbers: Numbers,
    /// How much work is under it.
    work: u32,
}

const WAYS: usize = 4;
const EMPTY: Slot = Slot { key: 0, numbers: Numbers { proof: 1, disproof: 1 }, work: 0 };

/// What is known for good of a position: won with at least so many plies left, not won with at most so many.
#[derive(Clone, Copy)]
struct Solved {
    key: u64,
    won_from: u16,
    not_won_to: u16,
}

const NEVER_WON: u16 = u16::MAX;

struct Prover<'a, B> {
    field: &'a Field<'a, B>,
    task: Task,
    signals: &'a Signals,
    limit: u32,
    /// Occurrences before the root that repetition counts.
    past: Vec<u64>,
    slots: Vec<Slot>,
    solved: Vec<Solved>,
    nodes: u64,
    is_stopped: bool,
}

/// A move and the state it leads to.
struct Branch<B> {
    step: Step,
    node: Node<B>,
    numbers: Numbers,
    is_end: bool,
}

impl<'a, B: Bits> Prover<'a, B> {
    fn new(field: &'a Field<'a, B>, task: Task, signals: &'a Signals, limit: u32, past: Vec<u64>) -> Self {
        let bytes = task.table_mib.max(1) << 20;
        let slots = (bytes / 2 / size_of::<Slot>()).next_power_of_two() / 2;
        let solved = (bytes / 2 / size_of::<Solved>()).next_power_of_two() / 2;
        Self {
            field,
            task,
            signals,
            limit,
            past,
            slots: vec![EMPTY; slots.max(WAYS)],
            solved: vec![Solved { key: 0, won_from: NEVER_WON, not_won_to: 0 }; solved.max(WAYS)],
            nodes: 0,
            is_stopped: false,
        }
    }

    fn remaining(&self, node: &Node<B>) -> u16 {
        self.limit.saturating_sub(node.quiet) as u16
    }

    fn is_winners(&self, node: &Node<B>) -> bool {
        node.turn == self.task.side
    }

    /// Searches a state until a number reaches its threshold.
    fn expand(&mut self, node: &Node<B>, most_proof: Number, most_disproof: Number) -> Numbers {
        self.nodes += 1;
        if self.nodes % 256 == 0 {
            let is_told = self.signals.stop.load(Ordering::Relaxed);
            self.is_stopped = self.is_stopped || is_told || self.nodes >= self.task.nodes;
        }
        let begun = self.nodes;
        let mut branches = self.branches(node);
        loop {
            let numbers = self.combine(node, &branches);
            let is_done = numbers.proof >= most_proof || numbers.disproof >= most_disproof;
            if is_done || self.is_stopped || numbers.proof == 0 || numbers.disproof == 0 {
                self.keep(node, numbers, self.nodes - begun + 1);
                return numbers;
            }
            let (best, second) = self.choose(node, &branches);
            let next = branches[best].node;
            // The thresholds of Pawlewicz and Lew (2007): a little beyond the second best, so that work does not flap.
            let wider = second.saturating_add(second / 4).saturating_add(1).min(INFINITE);
            let found = if self.is_winners(node) {
                let most = most_disproof
                    .saturating_sub(numbers.disproof)
                    .saturating_add(branches[best].numbers.disproof);
                self.expand(&next, most_proof.min(wider), most.min(INFINITE))
            } else {
                let most =
                    most_proof.saturating_sub(numbers.proof).saturating_add(branches[best].numbers.proof);
                self.expand(&next, most.min(INFINITE), most_disproof.min(wider))
            };
            branches[best].numbers = found;
            // A state reached by several moves: what was found of it holds for all of them.
            for branch in &mut branches {
                if !branch.is_end {
                    branch.numbers = self.recall(&branch.node).unwrap_or(branch.numbers);
                }
            }
        }
    }

    /// The moves of a state with what is known of each; stops at the first that settles it.
    fn branches(&self, node: &Node<B>) -> Vec<Branch<B>> {
        let threats = node.board.threats(self.field.tables, node.turn);
        let mut branches = Vec::with_capacity(48);
        each_step(self.field, node, |step| {
            let mut child = node.play(self.field, &threats, step);
            if child.outcome.is_none() {
                child.outcome = self.by_history(child.node.repetition_key(), child.captures, node.turn);
            }
            if child.outcome.is_none() {
                child.settle(self.field);
            }
            let own_limit = self.field.tables.law.quiet_limit == 0 && child.node.quiet >= self.limit;
            let (numbers, is_end) = match child.outcome {
                Some(outcome) if outcome.winner == Some(self.task.side) => (WON, true),
                Some(_) => (NOT_WON, true),
                None if own_limit => (NOT_WON, true),
                None => (self.recall(&child.node).unwrap_or_else(|| self.guess(&child.node)), false),
            };
            branches.push(Branch { step, node: child.node, numbers, is_end });
        });
        branches
    }

    /// The end by repetition that the game's own past brings about; within the search nothing repeats.
    fn by_history(&self, key: u64, captures: bool, mover: Side) -> Option<Outcome> {
        use hnefi_rules::Reason;
        use hnefi_rules::law::Repetition;
        let (count, rule) = self.field.repetition.filter(|_| !captures)?;
        let times = 1 + self.past.iter().filter(|other| **other == key).count() as u32;
        let winner = match rule {
            Repetition::DefendersLose(_) => Some(Side::Attackers),
            Repetition::MoverLoses(_) => Some(mover.opponent()),
            _ => None,
        };
        (times >= count).then_some(Outcome { winner, reason: Reason::Repetition })
    }

    /// First numbers of a state: one look ahead for wins at once, else how many moves there are.
    fn guess(&self, node: &Node<B>) -> Numbers {
        let tables = self.field.tables;
        let is_winners = self.is_winners(node);
        let at_once = if is_winners { WON } else { NOT_WON };
        let roads = node.board.routes(tables);
        if node.turn == Side::Defenders && roads > 0 {
            return at_once;
        }
        let empty = tables.playable & !node.board.occupied();
        let (kind, men) = (node.turn as usize, node.board.men[node.turn as usize]);
        let arrivals = crate::evaluate::slides(tables, kind, men, empty);
        if node.turn == Side::Attackers && tables.is_uniform() && !tables.law.king_captured_draws {
            let threats = node.board.threats(tables, Side::Attackers);
            if threats.kills.meets(arrivals) {
                return at_once;
            }
        }
        let choices = if node.turn == Side::Attackers && roads > 0 { 2 } else { arrivals.count().max(1) };
        if is_winners {
            Numbers { proof: 1, disproof: choices }
        } else {
            Numbers { proof: choices, disproof: 1 }
        }
    }

    fn combine(&self, node: &Node<B>, branches: &[Branch<B>]) -> Numbers {
        let sum = |number: fn(&Numbers) -> Number| {
            branches
                .iter()
                .fold(0, |sum: Number, branch| sum.saturating_add(number(&branch.numbers)))
                .min(INFINITE)
        };
        let least = |number: fn(&Numbers) -> Number| {
            branches.iter().map(|branch| number(&branch.numbers)).min().unwrap_or(INFINITE)
        };
        if self.is_winners(node) {
            let proof = least(|numbers| numbers.proof);
            let disproof = if proof == 0 { INFINITE } else { sum(|numbers| numbers.disproof) };
            Numbers { proof, disproof }
        } else {
            let disproof = least(|numbers| numbers.disproof);
            let proof = if disproof == 0 { INFINITE } else { sum(|numbers| numbers.proof) };
            Numbers { proof, disproof }
        }
    }

    /// The most promising branch, and the number of the second.
    fn choose(&self, node: &Node<B>, branches: &[Branch<B>]) -> (usize, Number) {
        let is_winners = self.is_winners(node);
        let (mut best, mut first, mut second) = (0, INFINITE + 1, INFINITE);
        for (place, branch) in branches.iter().enumerate() {
            let number = if is_winners { branch.numbers.proof } else { branch.numbers.disproof };
            if number < first {
                (best, second, first) = (place, first.min(INFINITE), number);
            } else if number < second {
                second = number;
            }
        }
        (best, second)
    }

    fn place(&self, key: u64) -> usize {
        (key >> 16) as usize & (self.slots.len() - WAYS) & !(WAYS - 1)
    }

    fn state_key(&self, node: &Node<B>) -> u64 {
        let counter = u64::from(self.remaining(node)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (node.repetition_key() ^ counter ^ (counter >> 29)) | 1
    }

    fn solved_of(&self, node: &Node<B>) -> Option<&Solved> {
        let key = node.repetition_key() | 1;
        let solved = &self.solved[(key >> 16) as usize & (self.solved.len() - 1)];
        (solved.key == key).then_some(solved)
    }

    /// What is stored of a state.
    fn recall(&self, node: &Node<B>) -> Option<Numbers> {
        let remaining = self.remaining(node);
        if let Some(solved) = self.solved_of(node) {
            if remaining >= solved.won_from {
                return Some(WON);
            }
            if remaining <= solved.not_won_to {
                return Some(NOT_WON);
            }
        }
        let key = self.state_key(node);
        let first = self.place(key);
        self.slots[first..first + WAYS].iter().find(|slot| slot.key == key).map(|slot| slot.numbers)
    }

    fn keep(&mut self, node: &Node<B>, numbers: Numbers, work: u64) {
        if numbers.proof == 0 || numbers.disproof == 0 {
            self.keep_solved(node, numbers.proof == 0);
            return;
        }
        let key = self.state_key(node);
        let first = self.place(key);
        let bucket = &mut self.slots[first..first + WAYS];
        let place = bucket
            .iter()
            .position(|slot| slot.key == key)
            .or_else(|| (0..WAYS).min_by_key(|place| bucket[*place].work))
            .unwrap_or(0);
        let work = work.min(u64::from(u32::MAX)) as u32;
        let before = if bucket[place].key == key { bucket[place].work } else { 0 };
        bucket[place] = Slot { key, numbers, work: work.saturating_add(before) };
    }

    fn keep_solved(&mut self, node: &Node<B>, is_won: bool) {
        let remaining = self.remaining(node);
        let key = node.repetition_key() | 1;
        let place = (key >> 16) as usize & (self.solved.len() - 1);
        let solved = &mut self.solved[place];
        if solved.key != key {
            *solved = Solved { key, won_from: NEVER_WON, not_won_to: 0 };
        }
        if is_won {
            solved.won_from = solved.won_from.min(remaining);
        } else {
            solved.not_won_to = solved.not_won_to.max(remaining);
        }
    }

    /// Walks through the proof and writes down the winner's moves; `None` if the search was stopped on the way.
    fn extract(&mut self, root: &Node<B>) -> Option<Proof> {
        let mut found = HashMap::new();
        let mut moves = Vec::new();
        let longest = self.walk(root, &mut found, &mut moves)?;
        let mut line = Vec::new();
        let mut node = *root;
        while let Some((step, next)) = found.get(&self.state_key(&node)).and_then(|seen| seen.best) {
            line.extend(to_move::<B>(step));
            match next {
                Some(next) => node = next,
                None => break,
            }
        }
        Some(Proof { moves, line, longest })
    }

    /// How many plies the win takes at most from a state that is won.
    fn walk(
        &mut self,
        node: &Node<B>,
        found: &mut HashMap<u64, Seen<B>>,
        moves: &mut Vec<(Setup, Move)>,
    ) -> Option<u32> {
        let key = self.state_key(node);
        if let Some(seen) = found.get(&key) {
            return Some(seen.longest);
        }
        let mut branches = self.branches(node);
        for branch in branches.iter_mut().filter(|branch| !branch.is_end && branch.numbers.proof != 0) {
            // What was proven may have been driven out of the memory: prove it again where it is needed.
            if !self.is_winners(node) {
                branch.numbers = self.expand(&branch.node, INFINITE, INFINITE);
            }
        }
        if self.is_winners(node) && branches.iter().all(|branch| branch.numbers.proof != 0) {
            self.expand(node, INFINITE, INFINITE);
            branches = self.branches(node);
        }
        let won: Vec<&Branch<B>> = branches.iter().filter(|branch| branch.numbers.proof == 0).collect();
        let mut longest = 0;
        let mut best = None;
        if self.is_winners(node) {
            let chosen = won.iter().find(|branch| branch.is_end).or_else(|| won.first())?;
            let mv = to_move::<B>(chosen.step)?;
            moves.push((setup_of(node, self.field.tables.size)?, mv));
            let next = (!chosen.is_end).then_some(chosen.node);
            longest = 1 + next.map_or(Some(0), |next| self.walk(&next, found, moves))?;
            best = Some((chosen.step, next));
        } else {
            if won.len() < branches.len() {
                return None;
            }
            for branch in &branches {
                let next = (!branch.is_end).then_some(branch.node);
                let plies = 1 + next.map_or(Some(0), |next| self.walk(&next, found, moves))?;
                if plies > longest {
                    (longest, best) = (plies, Some((branch.step, next)));
                }
            }
        }
        found.insert(key, Seen { longest, best });
        Some(longest)
    }
}

/// A state of the proof that was walked through.
struct Seen<B> {
    longest: u32,
    best: Option<(Step, Option<Node<B>>)>,
}

fn to_move<B: Bits>(step: Step) -> Option<Move> {
    Some(Move { from: square_of::<B>(step.from as usize)?, to: square_of::<B>(step.to as usize)? })
}

fn setup_of<B: Bits>(node: &Node<B>, size: usize) -> Option<Setup> {
    let mut setup = Setup::empty(size, node.turn, node.quiet).ok()?;
    for index in node.board.occupied().indices() {
        setup.put(square_of::<B>(index)?, node.board.piece_at(index)).ok()?;
    }
    Some(setup)
}

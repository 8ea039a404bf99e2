//! Writing a proof down: one winning move for each position, so that nothing repeats and every win comes in time.
//!
//! Each position gets a need: the quiet plies that suffice to win from it by the moves written down. The need falls with
//! every quiet move, so the moves lead to no position twice, whatever the other side answers, and the quiet counter of a
//! position does not matter as long as it leaves that many plies.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use hnefi_rules::bits::Bits;
use hnefi_rules::board::Threats;
use hnefi_rules::tables::square_of;
use hnefi_rules::{Move, Setup};

use crate::alphabeta::each_step;
use crate::node::{Node, Step};
use crate::proof_table::{NOT_WON, Numbers, WON};
use crate::prover::{Proof, Prover, shallower};

/// What is written down of a position.
#[derive(Clone, Copy)]
struct Entry<B: Bits> {
    node: Node<B>,
    /// The quiet plies with which the win is sure.
    need: u32,
    /// The plies that the win takes at most.
    plies: u16,
    /// The winner's move, where he is to move.
    step: Option<Step>,
    /// The longest line from here, in plies, and its first move; 0 before it is measured.
    longest: (u32, Step),
}

/// Positions by their keys, which are as good as random: nothing has to be mixed.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0, |hash, byte| hash.rotate_left(8) ^ u64::from(*byte));
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

/// A move that keeps the win, and where it leads if the game is not over.
struct Way<B: Bits> {
    step: Step,
    next: Option<Node<B>>,
    captures: bool,
}

/// Walks through what a prover has proven.
pub(crate) struct Walk<'p, 'a, B: Bits> {
    prover: &'p mut Prover<'a, B>,
    entries: HashMap<u64, Entry<B>, BuildHasherDefault<KeyHasher>>,
}

impl<'p, 'a, B: Bits> Walk<'p, 'a, B> {
    pub(crate) fn new(prover: &'p mut Prover<'a, B>) -> Self {
        Self { prover, entries: HashMap::default() }
    }

    /// Writes down the proof of a position that is won; `None` if the search was stopped on the way.
    pub(crate) fn extract(mut self, root: &Node<B>, depth: u16) -> Option<Proof> {
        self.walk(*root, depth)?;
        let mut moves = Vec::with_capacity(self.entries.len());
        let longest = self.measure(root, &mut moves)?;
        let line = self.line(root)?;
        Some(Proof { moves, line, longest })
    }

    /// Finds the moves from a position that is won, with as few quiet plies as are known to do. Gives its need and the
    /// plies that the win takes at most, no more than the depth.
    fn walk(&mut self, mut node: Node<B>, mut depth: u16) -> Option<(u32, u16)> {
        let mut remaining = u32::from(self.prover.remaining(&node));
        let key = node.repetition_key();
        if let Some(entry) = self.entries.get(&key) {
            if entry.need <= remaining && entry.plies <= depth {
                return Some((entry.need, entry.plies));
            }
            // Whoever came here before relies on what was written down.
            remaining = remaining.min(entry.need);
            depth = depth.min(if self.prover.is_strict { entry.plies } else { depth });
        }
        let fewest = self.prover.won_from(&node).filter(|_| !self.prover.is_strict);
        node.quiet = self.prover.limit - remaining.min(fewest.map_or(remaining, u32::from));
        let ways = self.ways(&node, depth)?;
        let step = if self.prover.is_winners(&node) { Some(ways.first()?.step) } else { None };
        let (mut need, mut plies) = (1, 1);
        for way in &ways {
            if let Some(next) = way.next {
                let (after, longest) = self.walk(next, shallower(depth))?;
                need = need.max(if way.captures { 1 } else { 1 + after });
                plies = plies.max(1_u16.saturating_add(longest));
            }
        }
        // The position may have come again below, and been written down there with less need.
        let is_strict = self.prover.is_strict;
        let is_better = |entry: &&Entry<B>| entry.need <= need && (!is_strict || entry.plies <= plies);
        if let Some(entry) = self.entries.get(&key).filter(is_better) {
            return Some((entry.need, entry.plies));
        }
        self.entries.insert(key, Entry { node, need, plies, step, longest: (0, Step::NONE) });
        Some((need, plies))
    }

    /// The moves to follow from a position that is won: one of the winner's, all of the other side's.
    fn ways(&mut self, node: &Node<B>, depth: u16) -> Option<Vec<Way<B>>> {
        let threats = node.board.threats(self.prover.field.tables, node.turn);
        if self.prover.is_winners(node) {
            let way = match self.prover.winning_step(node) {
                Some(step) => self.way(node, &threats, step, depth).0,
                None => self.winning_way(node, &threats, depth)?,
            };
            return Some(vec![way]);
        }
        let mut steps = Vec::new();
        each_step(self.prover.field, node, |step| steps.push(step));
        let mut ways: Vec<Way<B>> = Vec::with_capacity(steps.len());
        for step in steps {
            let (way, numbers) = self.way(node, &threats, step, depth);
            // What was proven may have been driven out of the memory: prove it again where it is needed.
            if numbers == NOT_WON || (numbers != WON && !self.prover.settle(&way.next?, shallower(depth))?) {
                return None;
            }
            ways.push(way);
        }
        Some(ways)
    }

    /// Makes a move, and tells what is known of it.
    fn way(&self, node: &Node<B>, threats: &Threats<B>, step: Step, depth: u16) -> (Way<B>, Numbers) {
        let child = self.prover.child(node, threats, step);
        let numbers = self.prover.first_numbers(&child, shallower(depth));
        let next = child.outcome.is_none().then_some(child.node);
        (Way { step, next, captures: child.captures }, numbers)
    }

    /// The winner's move that needs the fewest quiet plies, as far as is known.
    fn winning_way(&mut self, node: &Node<B>, threats: &Threats<B>, depth: u16) -> Option<Way<B>> {
        if let Some(way) = self.known_way(node, threats, depth) {
            return Some(way);
        }
        if !self.prover.settle(node, depth)? {
            return None;
        }
        if let Some(way) = self.known_way(node, threats, depth) {
            return Some(way);
        }
        // Driven out again: search the moves one by one.
        let mut steps = Vec::new();
        each_step(self.prover.field, node, |step| steps.push(step));
        for step in steps {
            let (way, numbers) = self.way(node, threats, step, depth);
            if numbers != NOT_WON && self.prover.settle(&way.next?, shallower(depth))? {
                return Some(way);
            }
        }
        None
    }

    /// The best of the winner's moves that are known to win.
    fn known_way(&self, node: &Node<B>, threats: &Threats<B>, depth: u16) -> Option<Way<B>> {
        let cost = |way: &Way<B>| match &way.next {
            None => 0,
            Some(_) if way.captures => 1,
            Some(next) => 2 + self.prover.won_from(next).unwrap_or(0),
        };
        let outlook = self.prover.outlook(node, threats);
        let mut best: Option<(u16, Way<B>)> = None;
        each_step(self.prover.field, node, |step| {
            let glance = self.prover.glance(node, &outlook, step, shallower(depth));
            if glance.is_some_and(|numbers| numbers != WON) {
                return;
            }
            let (way, numbers) = self.way(node, threats, step, depth);
            if numbers == WON && best.as_ref().is_none_or(|(least, _)| cost(&way) < *least) {
                best = Some((cost(&way), way));
            }
        });
        best.map(|(_, way)| way)
    }

    /// Measures the longest line from a position by the moves written down, and lists the winner's moves on the way.
    fn measure(&mut self, node: &Node<B>, moves: &mut Vec<(Setup, Move)>) -> Option<u32> {
        let key = node.repetition_key();
        let entry = *self.entries.get(&key)?;
        if entry.longest.0 > 0 {
            return Some(entry.longest.0);
        }
        let mut steps = Vec::new();
        match entry.step {
            Some(step) => {
                moves.push((self.setup_of(&entry)?, step.to_move::<B>()?));
                steps.push(step);
            }
            None => each_step(self.prover.field, node, |step| steps.push(step)),
        }
        let threats = node.board.threats(self.prover.field.tables, node.turn);
        let mut found = (0, Step::NONE);
        for step in steps {
            let child = self.prover.child(&entry.node, &threats, step);
            let next = child.outcome.is_none().then_some(child.node);
            let longest = 1 + next.map_or(Some(0), |next| self.measure(&next, moves))?;
            if longest > found.0 {
                found = (longest, step);
            }
        }
        self.entries.get_mut(&key)?.longest = found;
        Some(found.0)
    }

    /// The winner's moves against the answers that hold out longest.
    fn line(&self, root: &Node<B>) -> Option<Vec<Move>> {
        let mut line = Vec::new();
        let mut node = *root;
        loop {
            let entry = self.entries.get(&node.repetition_key())?;
            let step = entry.longest.1;
            line.push(step.to_move::<B>()?);
            let threats = entry.node.board.threats(self.prover.field.tables, entry.node.turn);
            let child = self.prover.child(&entry.node, &threats, step);
            if child.outcome.is_some() {
                return Some(line);
            }
            node = child.node;
        }
    }

    fn setup_of(&self, entry: &Entry<B>) -> Option<Setup> {
        let tables = self.prover.field.tables;
        let has_limit = tables.law.quiet_limit > 0;
        let quiet = if has_limit { self.prover.limit.saturating_sub(entry.need) } else { 0 };
        let node = &entry.node;
        let mut setup = Setup::empty(tables.size, node.turn, quiet).ok()?;
        for index in node.board.occupied().indices() {
            setup.put(square_of::<B>(index)?, node.board.piece_at(index)).ok()?;
        }
        Some(setup)
    }
}

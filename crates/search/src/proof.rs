//! Writing a proof down: one winning move for each position, so that nothing repeats and every win comes in time.
//!
//! Each position gets a need: the quiet plies that suffice to win from it by the moves written down. The need falls with
//! every quiet move, so the moves lead to no position twice, whatever the other side answers, and the quiet counter of a
//! position does not matter as long as it leaves that many plies.

use std::collections::HashMap;

use hnefi_rules::bits::Bits;
use hnefi_rules::tables::square_of;
use hnefi_rules::{Move, Setup};

use crate::alphabeta::each_step;
use crate::node::{Node, Step};
use crate::proof_table::{NOT_WON, WON};
use crate::prover::{BOUNDLESS, Proof, Prover};

/// What is written down of a position.
#[derive(Clone, Copy)]
struct Entry<B> {
    node: Node<B>,
    /// The quiet plies with which the win is sure.
    need: u32,
    /// The winner's move, where he is to move.
    step: Option<Step>,
}

/// A move that keeps the win, and where it leads if the game is not over.
struct Way<B> {
    step: Step,
    next: Option<Node<B>>,
    captures: bool,
}

/// The longest line from a position: its length, its first move and where that leads.
type Longest<B> = (u32, Step, Option<Node<B>>);

/// Walks through what a prover has proven.
pub(crate) struct Walk<'p, 'a, B> {
    prover: &'p mut Prover<'a, B>,
    entries: HashMap<u64, Entry<B>>,
}

impl<'p, 'a, B: Bits> Walk<'p, 'a, B> {
    pub(crate) fn new(prover: &'p mut Prover<'a, B>) -> Self {
        Self { prover, entries: HashMap::new() }
    }

    /// Writes down the proof of a position that is won; `None` if the search was stopped on the way.
    pub(crate) fn extract(mut self, root: &Node<B>) -> Option<Proof> {
        self.walk(*root)?;
        let mut lengths = HashMap::new();
        let mut moves = Vec::new();
        let longest = self.measure(root, &mut lengths, &mut moves)?;
        let mut line = Vec::new();
        let mut next = Some(*root);
        while let Some(node) = next {
            let (_, step, after) = *lengths.get(&node.repetition_key())?;
            line.push(step.to_move::<B>()?);
            next = after;
        }
        Some(Proof { moves, line, longest })
    }

    /// Finds the moves from a position that is won, with as few quiet plies as are known to do. Gives its need.
    fn walk(&mut self, mut node: Node<B>) -> Option<u32> {
        let remaining = u32::from(self.prover.remaining(&node));
        let key = node.repetition_key();
        if let Some(entry) = self.entries.get(&key).filter(|entry| entry.need <= remaining) {
            return Some(entry.need);
        }
        if let Some(fewest) = self.prover.won_from(&node).filter(|fewest| u32::from(*fewest) < remaining) {
            node.quiet = self.prover.limit - u32::from(fewest);
        }
        let ways = self.ways(&node)?;
        let step = if self.prover.is_winners(&node) { Some(ways.first()?.step) } else { None };
        let mut need = 1;
        for way in &ways {
            if let Some(next) = way.next {
                let after = self.walk(next)?;
                need = need.max(if way.captures { 1 } else { 1 + after });
            }
        }
        let entry = Entry { node, need, step };
        let kept = self.entries.entry(key).or_insert(entry);
        if need < kept.need {
            *kept = entry;
        }
        Some(kept.need)
    }

    /// The moves to follow from a position that is won: one of the winner's, all of the other side's.
    fn ways(&mut self, node: &Node<B>) -> Option<Vec<Way<B>>> {
        let is_winners = self.prover.is_winners(node);
        let threats = node.board.threats(self.prover.field.tables, node.turn);
        let mut steps = Vec::new();
        each_step(self.prover.field, node, |step| steps.push(step));
        let mut ways: Vec<Way<B>> = Vec::new();
        let mut open = Vec::new();
        for step in steps {
            let child = self.prover.child(node, &threats, step);
            let numbers = self.prover.first_numbers(&child, BOUNDLESS);
            let next = child.outcome.is_none().then_some(child.node);
            let way = Way { step, next, captures: child.captures };
            if numbers == WON {
                ways.push(way);
            } else if numbers != NOT_WON {
                open.push(way);
            } else if !is_winners {
                return None;
            }
        }
        if is_winners {
            return self.winning_way(node, ways, open).map(|way| vec![way]);
        }
        // What was proven may have been driven out of the memory: prove it again where it is needed.
        for way in open {
            if !self.prover.settle(&way.next?)? {
                return None;
            }
            ways.push(way);
        }
        Some(ways)
    }

    /// The winner's move that needs the fewest quiet plies, as far as is known.
    fn winning_way(&mut self, node: &Node<B>, ways: Vec<Way<B>>, mut open: Vec<Way<B>>) -> Option<Way<B>> {
        let cost = |way: &Way<B>| match &way.next {
            None => 0,
            Some(_) if way.captures => 1,
            Some(next) => 2 + self.prover.won_from(next).unwrap_or(0),
        };
        if let Some(way) = ways.into_iter().min_by_key(cost) {
            return Some(way);
        }
        if !self.prover.settle(node)? {
            return None;
        }
        let threats = node.board.threats(self.prover.field.tables, node.turn);
        let is_proven = |way: &Way<B>| {
            let child = self.prover.child(node, &threats, way.step);
            self.prover.first_numbers(&child, BOUNDLESS) == WON
        };
        if let Some(place) = open.iter().position(is_proven) {
            return Some(open.swap_remove(place));
        }
        // Driven out again: search the moves one by one.
        for way in open {
            if self.prover.settle(&way.next?)? {
                return Some(way);
            }
        }
        None
    }

    /// Measures the longest line from a position by the moves written down, and lists the winner's moves on the way.
    fn measure(
        &self,
        node: &Node<B>,
        lengths: &mut HashMap<u64, Longest<B>>,
        moves: &mut Vec<(Setup, Move)>,
    ) -> Option<u32> {
        let key = node.repetition_key();
        if let Some((longest, ..)) = lengths.get(&key) {
            return Some(*longest);
        }
        let entry = self.entries.get(&key)?;
        let mut steps = Vec::new();
        match entry.step {
            Some(step) => {
                moves.push((self.setup_of(entry)?, step.to_move::<B>()?));
                steps.push(step);
            }
            None => each_step(self.prover.field, node, |step| steps.push(step)),
        }
        let threats = node.board.threats(self.prover.field.tables, node.turn);
        let mut found = (0, Step::NONE, None);
        for step in steps {
            let child = self.prover.child(&entry.node, &threats, step);
            let next = child.outcome.is_none().then_some(child.node);
            let longest = 1 + next.map_or(Some(0), |next| self.measure(&next, lengths, moves))?;
            if longest > found.0 {
                found = (longest, step, next);
            }
        }
        lengths.insert(key, found);
        Some(found.0)
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

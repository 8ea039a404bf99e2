//! Certificates: one winning move for each position, so that no position repeats and every win comes in time.
//!
//! Each position has a need: the quiet plies that suffice to win from it by the moves of the certificate. The need falls
//! with every quiet move, so the moves lead to no position twice, whatever the other side answers, and the quiet counter of
//! a position does not matter as long as it leaves that many plies.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use hnefi_rules::bits::Bits;
use hnefi_rules::board::Threats;
use hnefi_rules::tables::square_of;
use hnefi_rules::{Move, Setup};

use crate::df_pn::shallower;
use crate::movegen::for_each_move;
use crate::node::{Node, PackedMove};
use crate::proof_table::{NOT_WON, Numbers, WON};
use crate::prover::{Proof, Prover};

/// The certificate of one position.
#[derive(Clone, Copy)]
struct Entry<B: Bits> {
    node: Node<B>,
    /// The quiet plies that suffice to win.
    need: u32,
    /// The plies until the win at the latest.
    plies: u16,
    /// The winner's move, if the winner is to move.
    mv: Option<PackedMove>,
    /// The longest line from here, in plies, and its first move; 0 before it is measured.
    longest: (u32, PackedMove),
}

/// Hashes Zobrist keys to themselves, since they are as good as random.
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

/// A move that keeps the win, and the position it leads to if the game is not over.
struct WinningBranch<B: Bits> {
    mv: PackedMove,
    next: Option<Node<B>>,
    captures: bool,
}

/// Extracts a certificate from the table of a prover.
pub(crate) struct CertificateBuilder<'p, 'a, B: Bits> {
    prover: &'p mut Prover<'a, B>,
    entries: HashMap<u64, Entry<B>, BuildHasherDefault<KeyHasher>>,
}

impl<'p, 'a, B: Bits> CertificateBuilder<'p, 'a, B> {
    pub(crate) fn new(prover: &'p mut Prover<'a, B>) -> Self {
        Self { prover, entries: HashMap::default() }
    }

    /// Returns the proof of a position that is won; `None` if the search was stopped on the way.
    pub(crate) fn extract(mut self, root: &Node<B>, depth: u16) -> Option<Proof> {
        self.add_position(*root, depth)?;
        let mut moves = Vec::with_capacity(self.entries.len());
        let longest = self.measure(root, &mut moves)?;
        let line = self.line(root)?;
        Some(Proof { moves, line, longest })
    }

    /// Adds a position that is won, with as few quiet plies as are known to suffice. Returns its need and the plies until
    /// the win at the latest, at most `depth`.
    fn add_position(&mut self, mut node: Node<B>, mut depth: u16) -> Option<(u32, u16)> {
        let mut remaining = u32::from(self.prover.remaining(node.quiet));
        let key = node.repetition_key();
        if let Some(entry) = self.entries.get(&key) {
            if entry.need <= remaining && entry.plies <= depth {
                return Some((entry.need, entry.plies));
            }
            // Positions added before rely on this entry.
            remaining = remaining.min(entry.need);
            depth = depth.min(if self.prover.is_strict { entry.plies } else { depth });
        }
        let fewest = self.prover.table.won_from(key).filter(|_| !self.prover.is_strict);
        node.quiet = self.prover.limit - remaining.min(fewest.map_or(remaining, u32::from));
        let branches = self.winning_branches(&node, depth)?;
        let mv = if self.prover.is_winner(node.turn) { Some(branches.first()?.mv) } else { None };
        let (mut need, mut plies) = (1, 1);
        for branch in &branches {
            if let Some(next) = branch.next {
                let (after, longest) = self.add_position(next, shallower(depth))?;
                need = need.max(if branch.captures { 1 } else { 1 + after });
                plies = plies.max(1_u16.saturating_add(longest));
            }
        }
        // The position may have been added below, with less need.
        let is_strict = self.prover.is_strict;
        let is_better = |entry: &&Entry<B>| entry.need <= need && (!is_strict || entry.plies <= plies);
        if let Some(entry) = self.entries.get(&key).filter(is_better) {
            return Some((entry.need, entry.plies));
        }
        self.entries.insert(key, Entry { node, need, plies, mv, longest: (0, PackedMove::NONE) });
        Some((need, plies))
    }

    /// Returns the moves to follow from a position that is won: one of the winner's, all of the other side's.
    fn winning_branches(&mut self, node: &Node<B>, depth: u16) -> Option<Vec<WinningBranch<B>>> {
        let threats = node.board.threats(self.prover.context.tables, node.turn);
        if self.prover.is_winner(node.turn) {
            let branch = match self.prover.winning_move(node) {
                Some(mv) => self.branch(node, &threats, mv, depth).0,
                None => self.best_winning_branch(node, &threats, depth)?,
            };
            return Some(vec![branch]);
        }
        let mut moves = Vec::new();
        for_each_move(self.prover.context, node, |mv| moves.push(mv));
        let mut branches: Vec<WinningBranch<B>> = Vec::with_capacity(moves.len());
        for mv in moves {
            let (branch, numbers) = self.branch(node, &threats, mv, depth);
            // A state may have been replaced in the table: it is proven again where it is needed.
            if numbers == NOT_WON
                || (numbers != WON && !self.prover.solve(&branch.next?, shallower(depth))?)
            {
                return None;
            }
            branches.push(branch);
        }
        Some(branches)
    }

    /// Makes a move; returns it with its known numbers.
    fn branch(
        &self,
        node: &Node<B>,
        threats: &Threats<B>,
        mv: PackedMove,
        depth: u16,
    ) -> (WinningBranch<B>, Numbers) {
        let child = self.prover.child(node, threats, mv);
        let numbers = self.prover.static_eval_child(&child, shallower(depth));
        let next = child.outcome.is_none().then_some(child.node);
        (WinningBranch { mv, next, captures: child.captures }, numbers)
    }

    /// Returns the winner's move that needs the fewest quiet plies, as far as is known.
    fn best_winning_branch(
        &mut self,
        node: &Node<B>,
        threats: &Threats<B>,
        depth: u16,
    ) -> Option<WinningBranch<B>> {
        if let Some(branch) = self.known_branch(node, threats, depth) {
            return Some(branch);
        }
        if !self.prover.solve(node, depth)? {
            return None;
        }
        if let Some(branch) = self.known_branch(node, threats, depth) {
            return Some(branch);
        }
        // Replaced again: search the moves one by one.
        let mut moves = Vec::new();
        for_each_move(self.prover.context, node, |mv| moves.push(mv));
        for mv in moves {
            let (branch, numbers) = self.branch(node, threats, mv, depth);
            if numbers != NOT_WON && self.prover.solve(&branch.next?, shallower(depth))? {
                return Some(branch);
            }
        }
        None
    }

    /// Returns the best of the winner's moves that are known to win.
    fn known_branch(&self, node: &Node<B>, threats: &Threats<B>, depth: u16) -> Option<WinningBranch<B>> {
        let cost = |branch: &WinningBranch<B>| match &branch.next {
            None => 0,
            Some(_) if branch.captures => 1,
            Some(next) => 2 + self.prover.table.won_from(next.repetition_key()).unwrap_or(0),
        };
        let info = self.prover.quiet_move_info(node, threats);
        let mut best: Option<(u16, WinningBranch<B>)> = None;
        for_each_move(self.prover.context, node, |mv| {
            let static_eval = self.prover.static_eval_move(node, &info, mv, shallower(depth));
            if static_eval.is_some_and(|numbers| numbers != WON) {
                return;
            }
            let (branch, numbers) = self.branch(node, threats, mv, depth);
            if numbers == WON && best.as_ref().is_none_or(|(least, _)| cost(&branch) < *least) {
                best = Some((cost(&branch), branch));
            }
        });
        best.map(|(_, branch)| branch)
    }

    /// Returns the length of the longest line in plies, and appends the winner's moves to the certificate.
    fn measure(&mut self, node: &Node<B>, certificate: &mut Vec<(Setup, Move)>) -> Option<u32> {
        let key = node.repetition_key();
        let entry = *self.entries.get(&key)?;
        if entry.longest.0 > 0 {
            return Some(entry.longest.0);
        }
        let mut moves = Vec::new();
        match entry.mv {
            Some(mv) => {
                certificate.push((self.setup_of(&entry)?, mv.to_move::<B>()?));
                moves.push(mv);
            }
            None => for_each_move(self.prover.context, node, |mv| moves.push(mv)),
        }
        let threats = node.board.threats(self.prover.context.tables, node.turn);
        let mut longest = (0, PackedMove::NONE);
        for mv in moves {
            let child = self.prover.child(&entry.node, &threats, mv);
            let next = child.outcome.is_none().then_some(child.node);
            let length = 1 + next.map_or(Some(0), |next| self.measure(&next, certificate))?;
            if length > longest.0 {
                longest = (length, mv);
            }
        }
        self.entries.get_mut(&key)?.longest = longest;
        Some(longest.0)
    }

    /// Returns the winner's moves against the longest defence.
    fn line(&self, root: &Node<B>) -> Option<Vec<Move>> {
        let mut line = Vec::new();
        let mut node = *root;
        loop {
            let entry = self.entries.get(&node.repetition_key())?;
            let mv = entry.longest.1;
            line.push(mv.to_move::<B>()?);
            let threats = entry.node.board.threats(self.prover.context.tables, entry.node.turn);
            let child = self.prover.child(&entry.node, &threats, mv);
            if child.outcome.is_some() {
                return Some(line);
            }
            node = child.node;
        }
    }

    /// Returns a position with the highest quiet counter with which its move still wins in time.
    fn setup_of(&self, entry: &Entry<B>) -> Option<Setup> {
        let tables = self.prover.context.tables;
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

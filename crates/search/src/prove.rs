//! Proofs of forced wins: df-pn, then a certificate, then a search for a shorter win.

use hnefi_rules::bits::Bits;
use hnefi_rules::board::Board;
use hnefi_rules::tables::Tables;
use hnefi_rules::{Game, Width};

use crate::certificate::CertificateBuilder;
use crate::node::{Node, SearchContext};
use crate::options::Signals;
use crate::proof_table::{ProofTable, UNLIMITED_DEPTH};
use crate::prover::{Answer, Proof, Prover, Task};

/// The greatest quiet limit of a task: the lines searched may be as long.
const MAX_QUIET_LIMIT: u32 = 400;
/// Positions that may be expanded to extract a certificate, besides those of the task.
const CERTIFICATE_NODES: u64 = 100_000;
/// Positions that may be expanded to find a shorter win: as many as the first one took, within these bounds. Not measured
/// separately.
const MIN_SHORTENING_NODES: u64 = 2_000;
const MAX_SHORTENING_NODES: u64 = 100_000;

/// Searches for a forced win. Returns the answer and the number of positions expanded.
///
/// Rules with turns of several captures or jumps are not supported: the answer is `Unknown`, with 0 positions.
pub fn prove(game: &Game, task: Task, signals: &Signals) -> (Answer, u64) {
    match game.outcome() {
        Some(outcome) if outcome.winner == Some(task.side) => {
            (Answer::Proven(Proof { moves: Vec::new(), line: Vec::new(), longest: 0 }), 0)
        }
        Some(_) => (Answer::Disproven, 0),
        None => game.position().in_width(ProofSearch { game, task, signals }),
    }
}

struct ProofSearch<'a> {
    game: &'a Game,
    task: Task,
    signals: &'a Signals,
}

impl Width for ProofSearch<'_> {
    type Output = (Answer, u64);

    fn run<B: Bits>(self, tables: &Tables<B>, board: &Board<B>) -> (Answer, u64) {
        if B::HAS_RANKS {
            // The static analysis takes every turn for one move.
            return (Answer::Unknown, 0);
        }
        let context = SearchContext::new(tables, self.game.rules());
        let position = self.game.position();
        let rules_limit = tables.law.quiet_limit;
        let task_limit = self.task.quiet_limit.clamp(1, MAX_QUIET_LIMIT).saturating_add(position.quiet());
        let limit = if rules_limit > 0 { rules_limit.min(task_limit) } else { task_limit };
        let root = Node::new(&context, board, position.turn(), position.quiet());
        let mut prover = Prover::new(&context, self.task, self.signals, limit, self.game.recent_keys());
        let numbers = prover.alternate(&root);
        let nodes = prover.nodes;
        let answer = if numbers.proof == 0 {
            // States that were replaced in the table have to be proven again on the way.
            prover.budget = nodes + self.task.nodes + CERTIFICATE_NODES;
            let proof = CertificateBuilder::new(&mut prover).extract(&root, UNLIMITED_DEPTH);
            proof.map_or(Answer::Unknown, |proof| {
                Answer::Proven(shorten_proof(&mut prover, &root, proof, nodes))
            })
        } else if numbers.disproof == 0 {
            Answer::Disproven
        } else {
            Answer::Unknown
        };
        (answer, nodes)
    }
}

/// Searches for the shortest win with as many positions as the first proof took. Returns the first proof if it finds none.
fn shorten_proof<B: Bits>(prover: &mut Prover<'_, B>, root: &Node<B>, proof: Proof, nodes: u64) -> Proof {
    prover.is_strict = true;
    prover.table = ProofTable::new(prover.task.table_mib, false);
    prover.budget = prover.nodes + nodes.clamp(MIN_SHORTENING_NODES, MAX_SHORTENING_NODES);
    let mut depth = 1 + u16::from(!prover.is_winner(root.turn));
    while u32::from(depth) < proof.longest {
        match prover.solve(root, depth) {
            None => return proof,
            Some(true) => return CertificateBuilder::new(prover).extract(root, depth).unwrap_or(proof),
            Some(false) => depth += 2,
        }
    }
    proof
}

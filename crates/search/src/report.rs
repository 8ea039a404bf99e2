//! Reports of a search: the best lines so far, with depth, positions and time.

use hnefi_rules::{Game, Move, Side};

use crate::score::{Score, win_in};

/// One line of an analysis.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// For the attackers.
    pub score: Score,
    /// The principal variation; its first move is the one that is scored. A proven win ends it where the search has seen all.
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

impl Line {
    /// Adds the last two plies of a proven win, which the search sees without making them.
    fn complete(&mut self, game: &Game) {
        let Some(length) = win_in(self.score) else { return };
        let winner = if length > 0 { Side::Attackers } else { Side::Defenders };
        let missing = (length.unsigned_abs() as usize).saturating_sub(self.moves.len());
        if !(1..=2).contains(&missing) {
            return;
        }
        let end = self.moves.iter().try_fold(game.clone(), |game, mv| game.play(*mv));
        if let Some(last) = end.ok().and_then(|end| last_plies(&end, winner, missing)) {
            self.moves.extend(last);
        }
    }
}

impl Report {
    /// Returns the report with its proven wins played to their end.
    pub(crate) fn completed(mut self, game: &Game) -> Self {
        self.lines.iter_mut().for_each(|line| line.complete(game));
        self
    }
}

/// Returns a line of one or two plies to the end that is known to be forced.
fn last_plies(game: &Game, winner: Side, count: usize) -> Option<Vec<Move>> {
    game.legal_moves().into_iter().find_map(|mv| {
        let next = game.play(mv).ok()?;
        match next.outcome() {
            Some(outcome) => (count == 1 && outcome.winner == Some(winner)).then(|| vec![mv]),
            None if count > 1 => last_plies(&next, winner, count - 1).map(|rest| [vec![mv], rest].concat()),
            None => None,
        }
    })
}

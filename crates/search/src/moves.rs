//! The moves of a position in stages: most positions are refuted before all moves need to be known.

use hnefi_rules::Side;
use hnefi_rules::bits::Bits;

use crate::alphabeta::{Place, Searcher};
use crate::busy::Busy;
use crate::evaluate::Evaluate;
use crate::node::{Field, Node, Step};
use crate::order::{Ranked, next_move};

/// What is listed next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Table,
    Tactical,
    Remembered,
    Quiet,
    Over,
}

/// How far the moves of a position are listed and tried. They lie on the stack of moves of the search.
#[derive(Debug)]
pub(crate) struct Stages<B> {
    stage: Stage,
    /// Where the moves of the position begin, those of the stage, and those not yet tried.
    begin: usize,
    stage_begin: usize,
    next: usize,
    /// The move of the table, if it is possible here.
    first: Option<Step>,
    /// Squares whose arrival captures or closes a road.
    captures: B,
    roads: B,
    /// Where the moves put off begin, and those of them not yet tried.
    deferred_begin: usize,
    deferred_next: usize,
}

impl<B: Bits, E: Evaluate<B>> Searcher<'_, B, E> {
    /// Begins to list the moves of a position; `first` is what the table says of it.
    #[inline]
    pub(crate) fn stages(&self, node: &Node<B>, first: Option<Step>, captures: B, roads: B) -> Stages<B> {
        let begin = self.moves.len();
        let first = first.filter(|step| node.can_make(self.field.tables, *step));
        let deferred = self.deferred.len();
        Stages {
            stage: Stage::Table,
            begin,
            stage_begin: begin,
            next: begin,
            first,
            captures,
            roads,
            deferred_begin: deferred,
            deferred_next: deferred,
        }
    }

    /// The next move of a position and its place in the order; those that other threads search now come last.
    #[inline]
    pub(crate) fn next_free(
        &mut self,
        stages: &mut Stages<B>,
        node: &Node<B>,
        place: Place,
        busy: Option<&Busy>,
        key: u64,
        depth: i32,
    ) -> Option<(Step, usize)> {
        while let Some(step) = self.next_step(stages, node, place) {
            let index = stages.next - stages.begin - 1;
            if index == 0 || !busy.is_some_and(|busy| busy.holds(Busy::name(key, step, depth))) {
                return Some((step, index));
            }
            self.deferred.push((step, index));
        }
        let late = self.deferred.get(stages.deferred_next).copied()?;
        stages.deferred_next += 1;
        Some(late)
    }

    /// The next move of a position.
    #[inline]
    fn next_step(&mut self, stages: &mut Stages<B>, node: &Node<B>, place: Place) -> Option<Step> {
        while stages.next == self.moves.len() {
            stages.stage_begin = stages.next;
            self.list(stages, node, place)?;
        }
        let step = next_move(&mut self.moves[stages.stage_begin..], stages.next - stages.stage_begin);
        stages.next += 1;
        Some(step)
    }

    /// Remembers a quiet move that refuted the one before, and those tried in vain.
    pub(crate) fn reward(
        &mut self,
        node: &Node<B>,
        stages: &Stages<B>,
        place: Place,
        best: Step,
        depth: i32,
    ) {
        let tried = &self.moves[stages.begin..stages.next];
        self.memory.reward(node.turn as usize, place.ply, place.before, best, tried, depth);
    }

    /// Forgets the moves of a position.
    pub(crate) fn end(&mut self, stages: &Stages<B>) {
        self.moves.truncate(stages.begin);
        self.deferred.truncate(stages.deferred_begin);
    }

    fn list(&mut self, stages: &mut Stages<B>, node: &Node<B>, place: Place) -> Option<()> {
        let tactical = stages.captures | stages.roads;
        let remembered = self.memory.remembered(node.turn as usize, place.ply, place.before);
        let first = stages.first.unwrap_or(Step::NONE);
        stages.stage = match stages.stage {
            Stage::Table => {
                self.moves.extend(stages.first.map(|step| Ranked::new(step, 0)));
                Stage::Tactical
            }
            Stage::Tactical => {
                if !tactical.is_empty() {
                    self.generate(node, tactical, stages.captures, &[first]);
                }
                Stage::Remembered
            }
            Stage::Remembered => {
                for (rank, step) in remembered.iter().enumerate() {
                    let is_new = *step != first && !remembered[..rank].contains(step);
                    if is_new
                        && !tactical.meets(B::bit(step.to as usize))
                        && node.can_make(self.field.tables, *step)
                    {
                        self.moves.push(Ranked::new(*step, -(rank as i32)));
                    }
                }
                Stage::Quiet
            }
            Stage::Quiet => {
                let [one, two, three] = remembered;
                self.generate(node, !tactical, B::EMPTY, &[first, one, two, three]);
                Stage::Over
            }
            Stage::Over => return None,
        };
        Some(())
    }

    /// Lists the moves to wanted squares with their ranks, but for some that are tried elsewhere.
    #[inline]
    pub(crate) fn generate<const N: usize>(
        &mut self,
        node: &Node<B>,
        wanted: B,
        captures: B,
        but: &[Step; N],
    ) {
        let Self { moves, memory, field, .. } = self;
        let side = node.turn as usize;
        each_step_to(field, node, wanted, |step| {
            if !but.contains(&step) {
                let is_capture = captures.meets(B::bit(step.to as usize));
                moves.push(Ranked::new(step, memory.rank(side, step, is_capture)));
            }
        });
    }
}

/// Calls `visit` with every move of a position.
#[inline]
pub(crate) fn each_step<B: Bits>(field: &Field<'_, B>, node: &Node<B>, visit: impl FnMut(Step)) {
    each_step_to(field, node, !B::EMPTY, visit);
}

#[inline]
fn each_step_to<B: Bits>(field: &Field<'_, B>, node: &Node<B>, wanted: B, mut visit: impl FnMut(Step)) {
    let tables = field.tables;
    if !tables.is_uniform() {
        node.board.movers(tables, node.turn, |_, from, destinations| {
            (destinations & wanted).each(|to| visit(Step { from: from as u16, to: to as u16 }));
            false
        });
        return;
    }
    node.board.sweeps(tables, node.turn, |arrivals, offset| {
        (arrivals & wanted).each(|to| {
            visit(Step { from: to.wrapping_add_signed(-offset) as u16, to: to as u16 });
        });
    });
    if node.turn == Side::Defenders && !node.board.king.is_empty() {
        let from = node.board.king.lowest() as u16;
        (node.board.king_destinations(tables) & wanted).each(|to| visit(Step { from, to: to as u16 }));
    }
}

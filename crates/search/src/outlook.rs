//! What the prover sees of a position without a search: wins at once, answers to them, and how many moves there are.
//!
//! Most moves of soldiers neither capture nor touch the king's lines. What they lead to is seen from the position they
//! come from, without making them.

use hnefi_rules::bits::Bits;
use hnefi_rules::board::{Board, Threats};
use hnefi_rules::law::{BlockedGroups, Shieldwall};
use hnefi_rules::tables::Tables;
use hnefi_rules::{Direction, Piece, Side};

use crate::alphabeta::each_step;
use crate::evaluate::slides;
use crate::node::{Node, Step};
use crate::proof_table::{NOT_WON, Number, Numbers, State, WON};
use crate::prover::Prover;
use crate::tactics::roads;

/// What may be left out of sight under the rules.
pub(crate) struct Looks {
    /// By side: whether a move that looks idle in the face of a threat may capture or end the game all the same.
    pub(crate) has_surprises: [bool; 2],
    /// Whether taking the king wins, and who can do it is seen from the masks.
    king_is_lost: bool,
    /// By side: whether the ends that its soldiers bring about can be seen without making the move.
    is_plain: [bool; 2],
}

impl Looks {
    /// What the rules allow; `has_worn` if repetition may end the game soon.
    pub(crate) fn new<B: Bits>(tables: &Tables<B>, has_worn: bool) -> Self {
        let law = &tables.law;
        let has_walls = law.shieldwall != Shieldwall::None;
        let is_plain = tables.is_uniform() && !has_walls;
        Self {
            has_surprises: [has_walls || has_worn, has_walls || has_worn || law.exit_fort],
            king_is_lost: tables.is_uniform() && !law.king_captured_draws,
            is_plain: [is_plain && !law.enclosure, is_plain && !law.exit_fort],
        }
    }
}

/// A position as the prover looks at it.
pub(crate) struct Sight<B: Bits> {
    board: Board<B>,
    turn: Side,
    quiet: u32,
    /// The goals that the king reaches, were it his turn.
    goals: B,
    /// Where the arrival of an attacker wins by taking the king, if one of them can arrive.
    kills: B,
    /// How many squares the side to move comes to, if that is known and nothing forces it.
    choices: Option<Number>,
}

/// What is the same for all quiet moves of soldiers from a position.
pub(crate) struct Outlook<B> {
    /// Where soldiers of the side to move may arrive without losing at once.
    pub(crate) wanted: B,
    /// Arrivals that may capture.
    loud: B,
    /// What the other side has to step on to, besides the ways of its king: one of them is enough for a move.
    open: B,
    /// The lines on which a change may open or close a road of the king or a way to take him.
    lines: B,
    goals: B,
    kills: B,
    choices: Number,
}

impl<B: Bits> Prover<'_, B> {
    /// Looks at what all moves from a position have in common.
    pub(crate) fn outlook(&self, node: &Node<B>, threats: &Threats<B>) -> Outlook<B> {
        let tables = self.field.tables;
        let board = &node.board;
        let sight = self.sight(node);
        let other = node.turn.opponent();
        let king = board.king.lowest();
        Outlook {
            wanted: self.answers(&sight, threats).unwrap_or(!B::EMPTY),
            loud: threats.events | blocking(tables, board, node.turn),
            open: tables.around(board.men[other as usize])
                & tables.passage(other as usize, 0).landing
                & !board.occupied(),
            lines: tables.cross(Piece::King as usize, king)
                | tables.neighbours[king]
                | ways_back(tables, board, kills(tables, board)),
            goals: sight.goals,
            kills: sight.kills,
            choices: self.choices(board, other),
        }
    }

    /// Looks at a position.
    pub(crate) fn sight(&self, node: &Node<B>) -> Sight<B> {
        let (tables, board) = (self.field.tables, node.board);
        Sight {
            board,
            turn: node.turn,
            quiet: node.quiet,
            goals: board.open_road_goals(tables),
            kills: self.kills_in_reach(&board),
            choices: None,
        }
    }

    /// Where the arrival of an attacker wins by taking the king; nothing if none can arrive.
    #[inline]
    fn kills_in_reach(&self, board: &Board<B>) -> B {
        let tables = self.field.tables;
        let kills = kills(tables, board);
        let is_lost = !kills.is_empty()
            && self.looks.king_is_lost
            && ways_back(tables, board, kills).meets(board.men[0]);
        if is_lost { kills } else { B::EMPTY }
    }

    /// The first numbers of what a move of a soldier leads to, if that can be seen without making it.
    #[inline]
    pub(crate) fn glance(
        &self,
        node: &Node<B>,
        outlook: &Outlook<B>,
        step: Step,
        depth: u16,
    ) -> Option<Numbers> {
        let tables = self.field.tables;
        let (from, to) = (B::bit(step.from as usize), B::bit(step.to as usize));
        let is_quiet = !outlook.loud.meets(to) && !(outlook.open & !to).is_empty();
        if !is_quiet || !self.looks.is_plain[node.turn as usize] || node.board.king.meets(from) {
            return None;
        }
        let mut board = node.board;
        // An index known only at run time would make every reader of the board wait.
        let moved = from | to;
        match node.turn {
            Side::Attackers => board.men[0] ^= moved,
            Side::Defenders => board.men[1] ^= moved,
        }
        let mut sight = Sight {
            board,
            turn: node.turn.opponent(),
            quiet: node.quiet + 1,
            goals: outlook.goals,
            kills: outlook.kills,
            choices: Some(outlook.choices),
        };
        if outlook.lines.meets(moved) {
            sight.goals = board.open_road_goals(tables);
            sight.kills = self.kills_in_reach(&board);
        }
        if tables.law.tuichi && node.turn == Side::Defenders && !sight.goals.is_empty() {
            return None;
        }
        let piece = Piece::KINDS[node.turn as usize];
        let change = self.field.key(piece, step.from as usize) ^ self.field.key(piece, step.to as usize);
        let key = node.repetition_key_of(sight.turn) ^ change;
        if !self.worn.is_empty() && self.worn.contains(&key) {
            return None;
        }
        Some(if sight.quiet >= self.limit { NOT_WON } else { self.first_look(key, &sight, depth) })
    }

    /// A move that wins at once, if one is seen.
    pub(crate) fn winning_step(&self, node: &Node<B>) -> Option<Step> {
        let sight = self.sight(node);
        if node.turn == Side::Defenders {
            let goal = sight.goals.indices().next()?;
            return Some(Step { from: node.board.king.lowest() as u16, to: goal as u16 });
        }
        let mut found = None;
        if !sight.kills.is_empty() {
            each_step(self.field, node, |step| {
                if sight.kills.meets(B::bit(step.to as usize)) {
                    found = Some(step);
                }
            });
        }
        found
    }

    /// What is known of a position, without a search that deep.
    #[inline]
    pub(crate) fn first_look(&self, key: u64, sight: &Sight<B>, depth: u16) -> Numbers {
        let remaining = self.remaining_of(sight.quiet);
        if depth > 0 {
            if let Some(numbers) = self.table.recall(State { key, remaining, depth }) {
                return numbers;
            }
        }
        let guess = self.guess(sight);
        let plies = if self.won_by(sight.turn) == WON { 1 } else { 2 };
        let is_late = if guess == WON { self.is_strict && depth < plies } else { depth == 0 };
        if is_late { NOT_WON } else { guess }
    }

    /// First numbers of a state: a look ahead for wins at once and for answers to them, else how many moves there are.
    fn guess(&self, sight: &Sight<B>) -> Numbers {
        let tables = self.field.tables;
        let Sight { board, turn, .. } = sight;
        if *turn == Side::Defenders && !sight.goals.is_empty() {
            return self.won_by(Side::Defenders);
        }
        if *turn == Side::Attackers && !sight.kills.is_empty() {
            return self.won_by(Side::Attackers);
        }
        let choices = if self.is_threatened(sight) {
            let threats = board.threats(tables, *turn);
            let wanted = self.answers(sight, &threats).unwrap_or(!B::EMPTY);
            let answers = (arrivals(tables, board, *turn) & wanted).count() + self.ways_of_king(sight);
            if answers == 0 && !self.surprises(sight, &threats) {
                return self.won_by(turn.opponent());
            }
            answers
        } else {
            sight.choices.unwrap_or_else(|| self.choices(board, *turn))
        };
        if self.won_by(*turn) == WON {
            Numbers { proof: 1, disproof: choices.max(1) }
        } else {
            Numbers { proof: choices.max(1), disproof: 1 }
        }
    }

    /// Whether the side to move loses at once unless it answers. The last quiet ply draws.
    fn is_threatened(&self, sight: &Sight<B>) -> bool {
        let is_threat = match sight.turn {
            Side::Attackers => !sight.goals.is_empty(),
            Side::Defenders => !sight.kills.is_empty(),
        };
        is_threat && self.field.tables.is_uniform() && self.remaining_of(sight.quiet) >= 2
    }

    /// Where the other side threatens to win at once: the squares on which a soldier may help by arriving. Any other
    /// move, unless the king himself goes, lets the threat be carried out. `None` where nothing is threatened.
    fn answers(&self, sight: &Sight<B>, threats: &Threats<B>) -> Option<B> {
        if !self.is_threatened(sight) {
            return None;
        }
        let tables = self.field.tables;
        let board = &sight.board;
        let loud = threats.events | blocking(tables, board, sight.turn);
        if sight.turn == Side::Attackers {
            return Some(loud | roads(tables, board, sight.goals));
        }
        let empty = tables.playable & !board.occupied();
        let ways = slides(tables, Piece::Attacker as usize, sight.kills, empty);
        let special = tables.hostile_empty[Piece::King as usize] | tables.throne | tables.corners;
        Some(loud | sight.kills | ways | special)
    }

    /// Whether a move that looks idle captures or ends the game.
    fn surprises(&self, sight: &Sight<B>, threats: &Threats<B>) -> bool {
        let mut found = false;
        if self.looks.has_surprises[sight.turn as usize] {
            let node = Node::new(self.field, &sight.board, sight.turn, sight.quiet);
            each_step(self.field, &node, |step| {
                if !found {
                    let child = self.child(&node, threats, step);
                    found = child.captures || child.outcome.is_some();
                }
            });
        }
        found
    }

    fn ways_of_king(&self, sight: &Sight<B>) -> Number {
        let is_his = sight.turn == Side::Defenders;
        if is_his { sight.board.king_destinations(self.field.tables).count() } else { 0 }
    }

    /// How many squares a side can come to.
    fn choices(&self, board: &Board<B>, side: Side) -> Number {
        let tables = self.field.tables;
        let king = if side == Side::Defenders { board.king_destinations(tables).count() } else { 0 };
        arrivals(tables, board, side).count() + king
    }
}

/// Every square that soldiers of a side can come to.
fn arrivals<B: Bits>(tables: &Tables<B>, board: &Board<B>, side: Side) -> B {
    let empty = tables.playable & !board.occupied();
    slides(tables, side as usize, board.men[side as usize], empty)
}

/// Where the arrival of an attacker takes the king.
#[inline]
fn kills<B: Bits>(tables: &Tables<B>, board: &Board<B>) -> B {
    board.threats(tables, Side::Attackers).kills
}

/// Everything on the ways of attackers to some squares, looked at backwards: the empty squares and what stands behind
/// them. Whatever moves elsewhere changes nothing about who can arrive.
fn ways_back<B: Bits>(tables: &Tables<B>, board: &Board<B>, squares: B) -> B {
    let kind = Piece::Attacker as usize;
    let passage = tables.passage(kind, 0);
    let empty = tables.playable & !board.occupied();
    let begin = squares & empty & passage.landing;
    let mut ways = B::EMPTY;
    if begin.is_empty() {
        return ways;
    }
    for direction in Direction::ALL {
        let mut front = begin;
        for _ in 0..tables.reach[kind] {
            front = tables.shift(front, direction);
            ways |= front;
            front = front & empty & !passage.barrier;
            if front.is_empty() {
                break;
            }
        }
    }
    ways
}

/// Arrivals of a side that may leave a group of the other side without a move.
///
/// A piece without a move has nothing to step on to; before the move it had at most the square of the arrival.
fn blocking<B: Bits>(tables: &Tables<B>, board: &Board<B>, side: Side) -> B {
    if tables.law.blocked_groups == BlockedGroups::None {
        return B::EMPTY;
    }
    let enemies = board.pieces(side.opponent());
    let man = side.opponent() as usize;
    let few = |kind: usize, pieces: B| {
        let open = tables.passage(kind, 0).landing & !board.occupied();
        let [mut one, mut two] = [B::EMPTY; 2];
        for direction in Direction::ALL {
            let beside = tables.shift(open, direction) & pieces;
            two |= one & beside;
            one |= beside;
        }
        pieces & !two
    };
    let king = few(Piece::King as usize, board.king & enemies);
    let mut stuck = few(man, enemies & !board.king) | king;
    if tables.law.blocked_groups == BlockedGroups::KingAndOne {
        stuck = stuck & (king | tables.around(king));
    }
    tables.around(stuck & tables.around(stuck))
}

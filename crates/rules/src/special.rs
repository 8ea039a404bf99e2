//! Commanders, knights and renegades, jumps, and turns of several captures. Only boards with ranks use it.

use crate::bits::{Bits, Ranks};
use crate::board::{Board, MoveResult, Threats};
use crate::law::{Berserk, CommanderPair, Jump, KingCapture};
use crate::piece::{Piece, Side};
use crate::square::Direction;
use crate::tables::Tables;

impl<B: Bits> Board<B> {
    /// Returns the index of the piece that has captured and may go on.
    #[inline(always)]
    pub fn going(&self) -> Option<usize> {
        let going = self.ranks.going();
        if going.is_empty() { None } else { Some(going.lowest()) }
    }

    /// Returns the side to move after a move of this side.
    #[inline(always)]
    pub fn turn_after(&self, mover: Side) -> Side {
        if B::HAS_RANKS && self.going().is_some() { mover } else { mover.opponent() }
    }

    /// Returns the board after the end of the turn, even if a piece could go on.
    #[inline(always)]
    #[must_use]
    pub fn with_turn_over(mut self) -> Self {
        self.ranks.set_going(B::EMPTY);
        self
    }

    /// Returns the piece of a soldier on a square, with its rank.
    #[inline(always)]
    pub(crate) fn with_rank(&self, soldier: Piece, bit: B) -> Piece {
        let attacks = soldier == Piece::Attacker;
        if self.ranks.commanders().intersects(bit) {
            return if attacks { Piece::AttackerCommander } else { Piece::DefenderCommander };
        }
        if self.ranks.knights().intersects(bit) {
            return if attacks { Piece::AttackerKnight } else { Piece::DefenderKnight };
        }
        if self.ranks.renegades().intersects(bit) {
            return if attacks { Piece::AttackerRenegade } else { Piece::DefenderRenegade };
        }
        soldier
    }

    /// Returns the squares to which a piece may jump: over an ordinary soldier next to it, usually an enemy, to the empty
    /// square beyond.
    pub(crate) fn jumps(&self, tables: &Tables<B>, piece: Piece, from: usize) -> B {
        let manner = jump_of(tables, piece);
        if manner == Jump::None {
            return B::EMPTY;
        }
        let ordinary = !(self.ranks.commanders() | self.ranks.knights());
        let enemies = self.soldiers[piece.side().opponent() as usize];
        let enemies_or_all =
            if manner == Jump::Anyone { self.soldiers[0] | self.soldiers[1] } else { enemies };
        let jumpable = ordinary & enemies_or_all;
        let open = tables.passage(piece.as_kind() as usize, from).landing & !self.occupied();
        let origin = B::bit(from);
        let restricted = tables.throne | tables.corners;
        let is_free = manner != Jump::Restricted || origin.intersects(restricted);
        Direction::ALL.iter().fold(B::EMPTY, |jumps, direction| {
            let over = tables.shift(origin, *direction) & jumpable;
            let target = tables.shift(over, *direction) & open;
            jumps | if is_free { target } else { target & restricted }
        })
    }

    /// Returns the soldier that a possible move jumps over, or nothing.
    pub(crate) fn jumped(&self, tables: &Tables<B>, from: usize, to: usize) -> B {
        let between = tables.neighbours[from] & tables.neighbours[to];
        // Two squares have one neighbour in common on a line, and two on a bend.
        if between.has_multiple() { B::EMPTY } else { between & self.occupied() }
    }

    /// Returns the hits of `threats` where knights are captured on three sides: two of the other three have to be closed.
    pub(crate) fn hits_with_knights(&self, tables: &Tables<B>, victims: B, anvils: B) -> [B; 4] {
        let knights = victims & self.ranks.knights();
        let arrivals = [Direction::South, Direction::West, Direction::North, Direction::East];
        // Victims with an anvil north of them, east, south and west: each opposite to its arrival.
        let closed = arrivals.map(|arrival| tables.shift(anvils, arrival));
        core::array::from_fn(|side| {
            let [across, one, other] = [0, 1, 3].map(|turn| closed[(side + turn) % 4]);
            let on_three = knights & ((across & (one | other)) | (one & other));
            tables.shift((victims & !knights & across) | on_three, arrivals[side])
        })
    }

    /// Returns the squares on which an arrival captures by a jump, or captures the king by a commander.
    pub(crate) fn special_captures(&self, tables: &Tables<B>, side: Side) -> B {
        let mut captures = B::EMPTY;
        for from in (self.ranks.commanders() | self.ranks.knights() | self.king).indices() {
            let Some(piece) = self.piece_at(from).filter(|piece| piece.side() == side) else { continue };
            if jump_of(tables, piece) == Jump::Capture {
                captures |= self.jumps(tables, piece, from);
            }
        }
        if side == Side::Attackers && !self.king.is_empty() {
            let anvils = self.commander_anvils(tables);
            for direction in Direction::ALL {
                if tables.shift(self.king, direction).intersects(anvils) {
                    captures |= tables.shift(self.king, crate::board::opposite(direction));
                }
            }
        }
        captures
    }

    /// Returns the anvils of an attacking commander: squares against which it captures a king next to them.
    fn commander_anvils(&self, tables: &Tables<B>) -> B {
        let pair = tables.law.commander_pair;
        if pair == CommanderPair::None || tables.king_capture[self.king.lowest()] == KingCapture::Never {
            return B::EMPTY;
        }
        let anvils = (self.ranks.commanders() & self.soldiers[0]) | self.hostile(tables, Piece::King);
        match pair {
            CommanderPair::Open if self.king == tables.throne => B::EMPTY,
            CommanderPair::Open => anvils & !tables.throne,
            _ => anvils,
        }
    }

    /// Returns the square against which the commander on an index captures the king, if it does.
    ///
    /// The board is the one after the commander's move, before removals.
    pub(crate) fn commander_takes_king(&self, tables: &Tables<B>, at: usize) -> Option<B> {
        let anvils = if self.king.is_empty() { B::EMPTY } else { self.commander_anvils(tables) };
        Direction::ALL.iter().find_map(|direction| {
            let beside = tables.shift(B::bit(at), *direction);
            let beyond = tables.shift(beside, *direction);
            (beside.intersects(self.king) && beyond.intersects(anvils)).then_some(beyond)
        })
    }

    /// Makes a move on a board with ranks: a jump, a capture of the king by commanders, a stop, or any other.
    pub(crate) fn make_special(
        &self,
        tables: &Tables<B>,
        threats: &Threats<B>,
        piece: Piece,
        from: usize,
        to: usize,
    ) -> MoveResult<B> {
        if from == to {
            return MoveResult { board: self.with_turn_over(), captured: B::EMPTY, king_captured: false };
        }
        let mut result = self.make_hop(tables, threats, piece, from, to);
        let escapes = piece == Piece::King && tables.goals.intersects(B::bit(to));
        let may_go_on = tables.law.berserk != Berserk::None && !result.captured.is_empty();
        if may_go_on && !result.king_captured && !escapes {
            let going = result.board.continuations(tables, piece, to);
            result.board.ranks.set_going(if going.is_empty() { B::EMPTY } else { B::bit(to) });
        }
        result
    }

    /// Makes one hop of a turn, without checking whether the piece may go on.
    fn make_hop(
        &self,
        tables: &Tables<B>,
        threats: &Threats<B>,
        piece: Piece,
        from: usize,
        to: usize,
    ) -> MoveResult<B> {
        let over = self.jumped(tables, from, to);
        let mut result = if over.is_empty() {
            self.make_move(tables, threats, piece, from, to)
        } else {
            // Behind the jumped piece lies the square of origin, so captures are computed without the jumper there.
            let lifted = self.without_piece(B::bit(from));
            self.make_move(tables, &lifted.threats(tables, piece.side()), piece, from, to)
        };
        if jump_of(tables, piece) == Jump::Capture {
            result.captured |= over;
            result.board.soldiers = result.board.soldiers.map(|soldiers| soldiers & !over);
        }
        if piece == Piece::AttackerCommander {
            let moved = self.moved(piece, from, to);
            if moved.commander_takes_king(tables, to).is_some() {
                result.king_captured = true;
                result.board.king = B::EMPTY;
            }
        }
        // A captured renegade changes sides on its square.
        result.board.soldiers[piece.side() as usize] |= result.captured & self.ranks.renegades();
        let ranks = &mut result.board.ranks;
        ranks.set_going(B::EMPTY);
        ranks.retain(result.board.soldiers[0] | result.board.soldiers[1]);
        result
    }

    /// Returns the board without the piece on a square.
    fn without_piece(mut self, bit: B) -> Self {
        self.soldiers = self.soldiers.map(|soldiers| soldiers & !bit);
        self.king = self.king & !bit;
        self
    }

    /// Returns the board with one piece moved and nothing removed.
    pub(crate) fn moved(mut self, piece: Piece, from: usize, to: usize) -> Self {
        let (from, to) = (B::bit(from), B::bit(to));
        if piece == Piece::King {
            self.king = to;
        } else {
            self.soldiers[piece.side() as usize] ^= from | to;
        }
        self.ranks.move_rank(from, to);
        self
    }

    /// Returns the squares on which a piece that has captured may go on: it captures again, or the king escapes.
    pub(crate) fn continuations(&self, tables: &Tables<B>, piece: Piece, from: usize) -> B {
        let targets = self.destinations(tables, piece, from);
        if targets.is_empty() {
            return B::EMPTY;
        }
        let threats = self.threats(tables, piece.side());
        let captures = |to: &usize| {
            let result = self.make_hop(tables, &threats, piece, from, *to);
            result.king_captured || !result.captured.is_empty()
        };
        let found = targets.indices().filter(captures).fold(B::EMPTY, |set, to| set | B::bit(to));
        if piece == Piece::King { found | (targets & tables.goals) } else { found }
    }

    /// Implements `for_each_mover` for boards with ranks. In mid-turn only the piece that goes on moves; a move
    /// to its own square ends the turn.
    pub(crate) fn for_each_special_mover(
        &self,
        tables: &Tables<B>,
        side: Side,
        mut visit: impl FnMut(Piece, usize, B) -> bool,
    ) -> bool {
        let going = self.ranks.going();
        if going.intersects(self.pieces(side)) {
            let from = going.lowest();
            let Some(piece) = self.piece_at(from) else { return false };
            let stop = if tables.law.berserk == Berserk::May { going } else { B::EMPTY };
            let targets = self.continuations(tables, piece, from) | stop;
            return !targets.is_empty() && visit(piece, from, targets);
        }
        let king = if side == Side::Defenders { self.king } else { B::EMPTY };
        for from in self.soldiers[side as usize].indices().chain(king.indices()) {
            let Some(piece) = self.piece_at(from) else { continue };
            let targets = self.destinations(tables, piece, from);
            if !targets.is_empty() && visit(piece, from, targets) {
                return true;
            }
        }
        false
    }

    /// Returns the destinations of a piece in the current turn. In mid-turn only the piece that goes on has any.
    pub fn turn_destinations(&self, tables: &Tables<B>, piece: Piece, from: usize) -> B {
        if !B::HAS_RANKS || !self.ranks.going().intersects(self.pieces(piece.side())) {
            return self.destinations(tables, piece, from);
        }
        let mut found = B::EMPTY;
        self.for_each_special_mover(tables, piece.side(), |_, going, targets| {
            found = if going == from { targets } else { B::EMPTY };
            true
        });
        found
    }
}

/// Returns how a piece jumps.
pub(crate) fn jump_of<B: Bits>(tables: &Tables<B>, piece: Piece) -> Jump {
    let [king, commanders, knights] = tables.law.jumps;
    match piece {
        Piece::Attacker | Piece::Defender | Piece::AttackerRenegade | Piece::DefenderRenegade => Jump::None,
        Piece::King => king,
        Piece::AttackerCommander | Piece::DefenderCommander => commanders,
        Piece::AttackerKnight | Piece::DefenderKnight => knights,
    }
}

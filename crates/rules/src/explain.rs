//! Explanations of moves: the reason of a refusal, and the captures of a legal move with their reasons.

use alloc::vec::Vec;

use crate::bits::Bits;
use crate::board::Board;
use crate::capture;
use crate::law::{BlockedGroups, Jump, KingCapture, Shieldwall};
use crate::piece::Piece;
use crate::position::Position;
use crate::refusal::Refusal;
use crate::rules::on_width;
use crate::special::jump_of;
use crate::square::{Direction, Move, Outcome, Square};
use crate::tables::{Tables, index_of, square_of, squares};

/// One capture of a move, with its reason.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Capture {
    /// The square of the captured piece.
    pub square: Square,
    /// The captured piece.
    pub piece: Piece,
    /// `custodial`, `three_sides`, `four_sides`, `commanders`, `linnaean`, `shieldwall`, `row`, `blocked_group` or `jump`.
    pub how: &'static str,
    /// The squares that enclose it, the hammer first.
    pub by: Vec<Square>,
}

/// The effects of a move.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Description {
    /// The move.
    pub mv: Move,
    /// The moved piece.
    pub piece: Piece,
    /// All captures, the king included.
    pub captures: Vec<Capture>,
    /// The outcome, if the move ends the game; repetition does not count.
    pub outcome: Option<Outcome>,
}

impl Description {
    /// Returns the squares of the captured soldiers, in the order of `captures`.
    #[must_use]
    pub fn soldiers(&self) -> Vec<Square> {
        let soldiers = self.captures.iter().filter(|capture| capture.piece != Piece::King);
        soldiers.map(|capture| capture.square).collect()
    }
}

impl Position {
    /// Returns an error if a move is illegal.
    ///
    /// # Errors
    /// `game_over`, or the reason for which the rules refuse it.
    pub fn check(&self, mv: Move) -> Result<(), Refusal> {
        self.check_not_over()?;
        if self.is_possible(mv) {
            return Ok(());
        }
        Err(self.refusal_of(mv))
    }

    /// Returns the reason for which a move is impossible. Only for impossible moves.
    pub(crate) fn refusal_of(&self, mv: Move) -> Refusal {
        let size = self.rules().size();
        for square in [mv.from, mv.to] {
            if !square.is_on(size) {
                return Refusal::new("not_on_board").with("square", square).with("size", size);
            }
        }
        let Some(piece) = self.piece_at(mv.from) else {
            return Refusal::new("no_piece").with("square", mv.from);
        };
        if piece.side() != self.turn() {
            return Refusal::new("not_your_piece")
                .with("square", mv.from)
                .with("piece", piece.name())
                .with("turn", self.turn().name());
        }
        if let Some(going) = self.going() {
            let code = if mv.from == going { "must_capture" } else { "other_goes_on" };
            return Refusal::new(code).with("square", going);
        }
        if mv.from == mv.to {
            return Refusal::new("no_move_made").with("square", mv.from);
        }
        let Some(direction) = Direction::between(mv.from, mv.to) else {
            return Refusal::new("not_in_line").with("from", mv.from).with("to", mv.to);
        };
        line_refusal(self, mv, piece, direction)
    }
}

/// Returns the reason for which a piece cannot move along a line.
fn line_refusal(position: &Position, mv: Move, piece: Piece, direction: Direction) -> Refusal {
    let law = position.rules().law();
    let kind = piece.as_kind() as usize;
    let steps = mv.from.file().abs_diff(mv.to.file()) + mv.from.rank().abs_diff(mv.to.rank());
    let limit = law.range[kind];
    if limit > 0 && steps > limit {
        return Refusal::new("too_far").with("limit", limit).with("piece", piece.name());
    }
    let corners: Vec<Vec<Square>> = law.corner_blocks();
    let block = |square: &Square| corners.iter().position(|squares| squares.contains(square));
    let camp = |square: &Square| law.camps.iter().position(|squares| squares.contains(square));
    let refused = |code: &'static str, square: Square| {
        Refusal::new(code).with("square", square).with("piece", piece.name())
    };
    for step in 1..=steps {
        let Some(square) = mv.from.step(direction, step, law.size()) else { break };
        let is_last = step == steps;
        if let Some(other) = position.piece_at(square) {
            let code = if is_last { "square_occupied" } else { "path_blocked" };
            return Refusal::new(code).with("square", square).with("piece", other.name());
        }
        if camp(&square).is_some() && camp(&square) != camp(&mv.from) {
            return refused("camp_closed", square);
        }
        if law.throne_square() == Some(square) {
            if is_last && !law.throne_stop[kind] {
                return refused("throne_no_stop", square);
            }
            if !is_last && !law.throne_pass[kind] {
                return refused("throne_no_pass", square);
            }
        }
        if block(&square).is_some() {
            if is_last && !law.corner_stop[kind] {
                return refused("corner_no_stop", square);
            }
            let next = square.step(direction, 1, law.size());
            if !is_last && next.is_some_and(|next| block(&next) != block(&square)) {
                return refused("corner_no_pass", square);
            }
        }
    }
    // All other causes are excluded; what remains are moves that only some ranks have.
    Refusal::new("not_in_line").with("from", mv.from).with("to", mv.to)
}

/// Describes a legal move: its captures with their reasons, and the outcome.
///
/// ```
/// use hnefi_rules::{Position, Rules, Setup, describe, parse_move};
/// # let rules = Rules::from_json(include_str!("../tests/brandub-globe.json")).unwrap();
/// let position = Position::new(rules, &Setup::parse("7/7/7/tT5/7/2t1K2/7 a")?)?;
/// let description = describe(&position, parse_move("c2-c4")?.0)?;
/// assert_eq!((description.captures[0].square.to_string(), description.captures[0].how), ("b4".into(), "custodial"));
/// # Ok::<(), hnefi_rules::Refusal>(())
/// ```
///
/// # Errors
/// As `Position::check`.
pub fn describe(position: &Position, mv: Move) -> Result<Description, Refusal> {
    position.check_not_over()?;
    let played = position.make(mv)?;
    let captures = on_width!(position.rules(), position.board, |tables, board| {
        captures_of(tables, board, played.piece, mv)
    });
    Ok(Description { mv, piece: played.piece, captures, outcome: played.outcome })
}

fn captures_of<B: Bits>(tables: &Tables<B>, board: &Board<B>, piece: Piece, mv: Move) -> Vec<Capture> {
    let (from, to) = (index_of::<B>(mv.from), index_of::<B>(mv.to));
    let threats = board.threats(tables, piece.side());
    let result = board.make(tables, &threats, piece, from, to);
    let moved = board.moved(piece, from, to);
    let is_jump_capture = B::HAS_RANKS && jump_of(tables, piece) == Jump::Capture;
    let over = if is_jump_capture { board.jumped(tables, from, to) } else { B::EMPTY };
    let mut taken = result.captured;
    if result.king_captured {
        taken |= board.king;
    }
    let jump_capture = |victim: usize| {
        let piece = board.piece_at(victim).filter(|_| over.intersects(B::bit(victim)))?;
        Some(Capture { square: square_of::<B>(victim)?, piece, how: "jump", by: alloc::vec![mv.to] })
    };
    let capture = |victim| jump_capture(victim).or_else(|| capture_of(tables, &moved, piece, to, victim));
    taken.indices().filter_map(capture).collect()
}

/// Returns the capture of the piece on `victim` by the one that moved to `to`, with its reason.
///
/// `board` is the board after the move, before removals.
fn capture_of<B: Bits>(
    tables: &Tables<B>,
    board: &Board<B>,
    piece: Piece,
    to: usize,
    victim: usize,
) -> Option<Capture> {
    let (square, hammer) = (square_of::<B>(victim)?, square_of::<B>(to)?);
    let taken = board.piece_at(victim)?;
    let capture = |how, others: B| {
        let by = core::iter::once(hammer).chain(squares(others)).collect();
        Some(Capture { square, piece: taken, how, by })
    };
    let direction = Direction::between(hammer, square);
    let is_beside = tables.neighbours[to].intersects(B::bit(victim));
    if let Some(direction) =
        direction.filter(|_| is_beside && (piece != Piece::King || tables.law.king_is_hammer))
    {
        let beyond = tables.shift(B::bit(victim), direction);
        if tables.law.knights_by_three && matches!(taken, Piece::AttackerKnight | Piece::DefenderKnight) {
            let others = tables.neighbours[victim] & !B::bit(to) & board.anvils(tables, taken.as_kind());
            if others.has_multiple() {
                return capture("three_sides", others);
            }
        }
        let mode = match taken {
            Piece::King => tables.king_capture[victim],
            Piece::AttackerKnight | Piece::DefenderKnight if tables.law.knights_by_three => {
                KingCapture::Never
            }
            _ => KingCapture::Custodial,
        };
        if mode == KingCapture::Custodial && beyond.intersects(board.anvils(tables, taken.as_kind())) {
            return capture("custodial", beyond);
        }
        let closed = board.soldiers[0] | board.hostile(tables, taken.as_kind());
        if taken == Piece::King
            && mode == KingCapture::FourSides
            && !(tables.neighbours[victim] & !closed).intersects(tables.playable)
        {
            return capture("four_sides", tables.neighbours[victim] & !B::bit(to));
        }
    }
    if B::HAS_RANKS && taken == Piece::King && piece == Piece::AttackerCommander {
        if let Some(beyond) = board.commander_takes_king(tables, to) {
            return capture("commanders", beyond);
        }
    }
    if tables.has_linnaean() && board.king == tables.throne {
        let around = tables.around(board.king);
        let (attackers, guard) = (around & board.soldiers[0], around & board.soldiers[1]);
        let is_behind = attackers.count() == 3 && tables.neighbours[to].intersects(guard);
        if is_behind && (taken == Piece::King || guard.intersects(B::bit(victim))) {
            return capture("linnaean", attackers);
        }
    }
    if tables.law.shieldwall != Shieldwall::None && taken != Piece::King {
        let found = capture::edge_lines(tables, to)
            .map(|(along, inward)| {
                (inward, capture::wall_row(tables, board, piece.side(), to, along, inward))
            })
            .find(|(_, row)| row.intersects(B::bit(victim)));
        if let Some((inward, row)) = found {
            let faces = tables.shift(row, inward) | (tables.around(row) & tables.edge & !row);
            return capture("shieldwall", faces & !B::bit(to));
        }
    }
    if tables.law.blocked_groups == BlockedGroups::GroupsAndRows {
        let found = Direction::ALL.iter().find_map(|along| {
            let row = capture::row(tables, board, piece.side(), to, *along);
            row.intersects(B::bit(victim)).then(|| tables.shift(row, *along) & !row)
        });
        if let Some(end) = found.filter(|_| piece != Piece::King || tables.law.king_is_hammer) {
            return capture("row", end);
        }
    }
    let enemies = board.pieces(piece.side().opponent());
    let group = tables.flood(B::bit(victim), enemies);
    capture("blocked_group", tables.around(group) & !group & !B::bit(to))
}

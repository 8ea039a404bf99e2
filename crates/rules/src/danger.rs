//! Hostile squares, the closed sides of the king, and faults of setups: for programs that draw or explain a board.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::bits::Bits;
use crate::law::KingCapture;
use crate::piece::Piece;
use crate::position::Position;
use crate::refusal::{Refusal, bad_position};
use crate::rules::{Rules, on_width};
use crate::setup::Setup;
use crate::square::{Direction, Square};
use crate::tables::squares;

/// The closed sides of the king, and how many have to be closed to capture him.
///
/// ```
/// use hnefi_rules::{Direction, Position, Rules, Setup};
/// # let rules = Rules::from_json(include_str!("../tests/brandub-globe.json")).unwrap();
/// let danger = Position::new(rules, &Setup::parse("7/3t3/3K3/7/7/7/3T3 a")?)?.king_danger().unwrap();
/// assert_eq!(danger.closed, [Direction::North, Direction::South]);
/// # Ok::<(), hnefi_rules::Refusal>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KingDanger {
    /// The sides that are closed to him, by an attacker, a hostile square or a hostile edge.
    pub closed: Vec<Direction>,
    /// The number of closed sides that count together: all of them, or those on one line.
    pub count: usize,
    /// The number that captures him on his square; 0 where he cannot be captured.
    pub needed: usize,
}

impl Position {
    /// Returns the closed sides of the king; `None` without a king.
    #[must_use]
    pub fn king_danger(&self) -> Option<KingDanger> {
        let king = self.king()?;
        let law = self.rules().law();
        let (mode, closing) = on_width!(self.rules(), self.board, |tables, board| {
            let closing = board.soldiers[0] | board.hostile(tables, Piece::King);
            (tables.king_capture[board.king.lowest()], squares(closing))
        });
        let is_closed = |direction: &Direction| match king.step(*direction, 1, law.size()) {
            Some(square) => closing.contains(&square),
            None => law.edge_hostile_king && mode == KingCapture::FourSides,
        };
        let closed: Vec<Direction> = Direction::ALL.into_iter().filter(is_closed).collect();
        let on_line = |line: [Direction; 2]| line.iter().filter(|side| closed.contains(side)).count();
        let (count, needed) = match mode {
            KingCapture::Never => (0, 0),
            KingCapture::FourSides => (closed.len(), 4),
            KingCapture::Custodial => {
                let lines = [[Direction::North, Direction::South], [Direction::East, Direction::West]];
                (lines.into_iter().map(on_line).max().unwrap_or(0), 2)
            }
        };
        Some(KingDanger { closed, count, needed })
    }

    /// Returns the special squares that are hostile in this position, with the kinds they are hostile to.
    #[must_use]
    pub fn hostile_squares(&self) -> Vec<(Square, Vec<Piece>)> {
        on_width!(self.rules(), self.board, |tables, board| {
            let by_kind = Piece::KINDS.map(|kind| board.hostile(tables, kind));
            let lists = by_kind.map(squares);
            let kinds = |square: &Square| {
                Piece::KINDS.into_iter().filter(|kind| lists[*kind as usize].contains(square)).collect()
            };
            let any = squares(by_kind[0] | by_kind[1] | by_kind[2]);
            any.into_iter().map(|square| (square, kinds(&square))).collect()
        })
    }
}

/// Returns all faults of a setup under the given rules, the most severe first.
///
/// A setup with a wrong size or a second king is no position, and `game_over` marks a game that is over. With the other
/// faults a setup can be played, but no game leads to it.
///
/// ```
/// use hnefi_rules::{Rules, Setup, setup_faults};
/// # let rules = Rules::from_json(include_str!("../tests/brandub-globe.json")).unwrap();
/// let faults = setup_faults(&rules, &Setup::parse("t6/7/7/2T1K2/7/7/7 d")?);
/// assert_eq!(faults[0].code, "corner_no_stop");
/// # Ok::<(), hnefi_rules::Refusal>(())
/// ```
#[must_use]
pub fn setup_faults(rules: &Arc<Rules>, setup: &Setup) -> Vec<Refusal> {
    let mut faults = Vec::new();
    match Position::new(rules.clone(), setup) {
        Err(refusal) => {
            let is_size = setup.size() != rules.size();
            faults.push(refusal);
            if is_size {
                return faults;
            }
        }
        Ok(position) => faults.extend(position.outcome().map(Refusal::game_over)),
    }
    let start = &rules.law().start;
    for piece in Piece::ALL.into_iter().filter(|piece| *piece != Piece::King) {
        let (found, expected) = (setup.count(piece), start.count(piece));
        if found > expected {
            faults.push(bad_position(piece.part(), "", found, expected));
        }
    }
    let misplaced = |(square, piece)| {
        placement_fault(rules, square, piece)
            .map(|code| Refusal::new(code).with("square", square).with("piece", piece.name()))
    };
    faults.extend(setup.pieces().filter_map(misplaced));
    faults
}

/// Returns the code of the rule that keeps a piece from a square; `None` if it can have come there.
fn placement_fault(rules: &Rules, square: Square, piece: Piece) -> Option<&'static str> {
    let law = rules.law();
    let begins_there = law.start.piece_at(square) == Some(piece);
    if begins_there {
        return None;
    }
    if law.throne_square() == Some(square) && !law.throne_stop[piece.as_kind() as usize] {
        return Some("throne_no_stop");
    }
    let is_corner = law.corner_squares().contains(&square);
    if is_corner && !law.corner_stop[piece.as_kind() as usize] {
        return Some("corner_no_stop");
    }
    let camp = law.camps.iter().find(|camp| camp.contains(&square))?;
    let from_inside = camp.iter().any(|other| law.start.piece_at(*other) == Some(piece));
    (!from_inside).then_some("camp_closed")
}

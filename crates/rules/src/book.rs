//! Opening books: the moves of known positions with scores and results, found for a position and its symmetric images.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use serde_json::Value;

use crate::game::Game;
use crate::position::Position;
use crate::rules::Rules;
use crate::square::Move;
use crate::text::parse_move;

/// The format of files, their value of `format`.
pub const BOOK_FORMAT: &str = "hnefi book 1";

/// The longest line of a book, in plies.
const MAX_LINE: usize = 200;

/// A move of a book at a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BookMove {
    /// The move, and the other moves that are equal to it by symmetry.
    pub moves: Vec<Move>,
    /// The score for the attackers, in hundredths of a soldier.
    pub score: i32,
    /// How many searches of positions after the move the score rests on; 0 if only on that of the position itself.
    pub searches: u32,
    /// Games of self-play with the move: won by the attackers, drawn, won by the defenders.
    pub self_play: [u32; 3],
    /// Recorded games with the move: the same, then those with unknown results.
    pub recorded: [u32; 4],
}

/// The opening book of a set of rules.
#[derive(Clone, Debug)]
pub struct Book {
    rules: Arc<Rules>,
    /// By canonical key, with each move as it is on the canonical image of the position.
    positions: BTreeMap<u64, Vec<(Move, BookMove)>>,
}

impl Book {
    /// Parses a book in JSON for the rules that it names.
    ///
    /// # Errors
    /// Returns what is wrong: the format, other rules, a line or a move that is not legal, a position that occurs twice,
    /// or a row that is no move with its numbers.
    pub fn from_json(rules: Arc<Rules>, text: &str) -> Result<Self, String> {
        let tree: Value = serde_json::from_str(text).map_err(|error| format!("book: {error}"))?;
        for (name, expected) in [("format", BOOK_FORMAT), ("rules", rules.hash())] {
            if tree[name] != expected {
                return Err(format!("{name}: {}, expected {expected:?}", tree[name]));
            }
        }
        let lines = tree["positions"].as_object().ok_or("positions: expected an object of lines")?;
        let mut positions = BTreeMap::new();
        for (line, rows) in lines {
            let position = position_after(&rules, line)?;
            let rows =
                rows.as_array().ok_or_else(|| format!("{line:?}: {rows}, expected a list of moves"))?;
            let rows = rows.iter().map(|row| {
                row_of(&position, row).ok_or_else(|| format!("{line:?}: {row}, expected a legal move"))
            });
            if positions.insert(position.canonical_key(), rows.collect::<Result<_, _>>()?).is_some() {
                return Err(format!("{line:?}: expected a position that is not in the book yet"));
            }
        }
        Ok(Self { rules, positions })
    }

    /// Returns the rules.
    #[must_use]
    pub fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    /// Returns the number of positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Checks whether the book has no positions.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Returns the moves of the book at a position, in the order of the file; none if the position is not in the book or
    /// has other rules.
    #[must_use]
    pub fn moves(&self, position: &Position) -> Vec<BookMove> {
        if position.rules().hash() != self.rules.hash() {
            return Vec::new();
        }
        let Some(rows) = self.positions.get(&position.canonical_key()) else { return Vec::new() };
        let legal = position.legal_moves();
        let images = position.canonical_moves(&legal);
        let found = rows.iter().map(|(row_image, row)| {
            let equal = legal.iter().zip(&images).filter(|(_, image)| *image == row_image);
            BookMove { moves: equal.map(|(mv, _)| *mv).collect(), ..row.clone() }
        });
        found.filter(|found| !found.moves.is_empty()).collect()
    }
}

fn position_after(rules: &Arc<Rules>, line: &str) -> Result<Position, String> {
    let mut game = Game::new(rules.clone());
    for (ply, text) in line.split_whitespace().enumerate() {
        let played = parse_move(text).and_then(|(mv, _)| game.play(mv));
        game = played
            .ok()
            .filter(|_| ply < MAX_LINE)
            .ok_or_else(|| format!("{line:?}: {text}, expected a legal move"))?;
    }
    Ok(game.position())
}

/// Parses a row: move, score, searches, results of self-play, results of recorded games. The last two may be absent.
fn row_of(position: &Position, row: &Value) -> Option<(Move, BookMove)> {
    let fields = row.as_array()?;
    let (mv, _) = parse_move(fields.first()?.as_str()?).ok()?;
    let image = *position.canonical_moves(&[mv]).first().filter(|_| position.is_legal(mv))?;
    let found = BookMove {
        moves: Vec::new(),
        score: i32::try_from(fields.get(1)?.as_i64()?).ok()?,
        searches: u32::try_from(fields.get(2)?.as_u64()?).ok()?,
        self_play: counts(fields.get(3))?,
        recorded: counts(fields.get(4))?,
    };
    Some((image, found))
}

fn counts<const N: usize>(field: Option<&Value>) -> Option<[u32; N]> {
    let mut counts = [0; N];
    let Some(field) = field else { return Some(counts) };
    let numbers = field.as_array().filter(|numbers| numbers.len() == N)?;
    for (count, number) in counts.iter_mut().zip(numbers) {
        *count = u32::try_from(number.as_u64()?).ok()?;
    }
    Some(counts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    fn rules() -> Arc<Rules> {
        Rules::from_json(include_str!("../tests/brandub-globe.json")).expect("rules")
    }

    fn book(positions: &str) -> Result<Book, String> {
        let rules = rules();
        let text = format!(
            r#"{{"format": "{BOOK_FORMAT}", "rules": "{}", "positions": {positions}}}"#,
            rules.hash()
        );
        Book::from_json(rules, &text)
    }

    #[test]
    fn a_position_is_found_by_all_its_images() {
        let book =
            book(r#"{"": [["d1-c1", -12, 3, [2, 0, 1]]], "d1-c1": [["d3-c3", 5, 0]]}"#).expect("a book");
        assert_eq!(book.len(), 2);
        let start = Game::new(rules());
        let found = book.moves(&start.position());
        assert_eq!((found[0].score, found[0].searches, found[0].self_play), (-12, 3, [2, 0, 1]));
        // The start position has eight symmetries.
        assert_eq!(found[0].moves.len(), 8);
        for mv in &found[0].moves {
            let after = start.play(*mv).expect("legal");
            let answers = book.moves(&after.position());
            assert_eq!((answers.len(), answers[0].score), (1, 5));
            assert!(answers[0].moves.iter().all(|answer| after.is_legal(*answer)));
        }
        let other = start.play(parse_move("d2-c2").expect("a move").0).expect("legal");
        assert_eq!(book.moves(&other.position()), vec![]);
    }

    #[test]
    fn a_fault_is_named() {
        for (positions, fault) in [
            ("[]", "positions: expected an object of lines"),
            (r#"{"d1-e2": []}"#, "\"d1-e2\": d1-e2, expected a legal move"),
            (r#"{"": [["d1-e2", 0, 0]]}"#, "\"\": [\"d1-e2\",0,0], expected a legal move"),
            (r#"{"": [["d1-c1", 0]]}"#, "\"\": [\"d1-c1\",0], expected a legal move"),
            (r#"{"": [["d1-c1", 0, 0, [1]]]}"#, "\"\": [\"d1-c1\",0,0,[1]], expected a legal move"),
            (r#"{"d1-c1": [], "d1-e1": []}"#, "\"d1-e1\": expected a position that is not in the book yet"),
        ] {
            assert_eq!(book(positions).err().as_deref(), Some(fault));
        }
        let other = Book::from_json(rules(), r#"{"format": "hnefi book 1", "rules": "0"}"#);
        assert!(other.is_err_and(|error| error.starts_with("rules: \"0\", expected")));
    }
}

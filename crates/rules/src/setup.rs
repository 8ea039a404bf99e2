//! Setups: pieces, side to move and quiet counter, not necessarily playable, and their text format.

use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use crate::piece::{Piece, Side};
use crate::refusal::{Refusal, bad_position};
use crate::square::{MAX_SIZE, Square};

/// Pieces on a board, the side to move and the quiet counter, as files and editors hold them.
///
/// ```
/// use hnefi_rules::{Piece, Setup, Square};
///
/// let mut setup = Setup::parse("5/2t2/t1K1t/5/2T2 d")?;
/// assert_eq!(setup.count(Piece::Attacker), 3);
/// setup.put(Square::parse("c4").unwrap(), None)?;
/// assert_eq!(setup.to_string(), "5/5/t1K1t/5/2T2 d 0");
/// # Ok::<(), hnefi_rules::Refusal>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct Setup {
    size: usize,
    /// By `rank * size + file`.
    cells: Vec<Option<Piece>>,
    /// The side to move.
    pub turn: Side,
    /// The number of plies since the last capture.
    pub quiet: u32,
    /// The piece that has captured and may go on in the same turn.
    pub going: Option<Square>,
}

impl Setup {
    /// Creates an empty board.
    ///
    /// # Errors
    /// `bad_position` if the size is not odd and from 5 to 19.
    pub fn empty(size: usize, turn: Side, quiet: u32) -> Result<Self, Refusal> {
        if !(5..=MAX_SIZE).contains(&size) || size & 1 == 0 {
            return Err(bad_position("rows", "", size, "5 | 7 | 9 | 11 | 13 | 15 | 17 | 19"));
        }
        Ok(Self { size, cells: vec![None; size * size], turn, quiet, going: None })
    }

    /// Returns the number of squares along a side of the board.
    #[must_use]
    pub const fn size(&self) -> usize {
        self.size
    }

    /// Returns the piece on a square, if there is one.
    #[must_use]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        if square.is_on(self.size) {
            return self.cells[square.rank() * self.size + square.file()];
        }
        None
    }

    /// Sets or removes the piece on a square.
    ///
    /// # Errors
    /// `not_on_board` if the square is off the board.
    pub fn put(&mut self, square: Square, piece: Option<Piece>) -> Result<(), Refusal> {
        if !square.is_on(self.size) {
            return Err(Refusal::new("not_on_board").with("square", square).with("size", self.size));
        }
        self.cells[square.rank() * self.size + square.file()] = piece;
        Ok(())
    }

    /// Iterates over all pieces, from `a1` rank by rank.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        self.cells.iter().enumerate().filter_map(|(index, cell)| {
            let square = Square::new(index % self.size, index / self.size)?;
            cell.map(|piece| (square, piece))
        })
    }

    /// Counts the pieces equal to this one.
    #[must_use]
    pub fn count(&self, piece: Piece) -> usize {
        self.cells.iter().filter(|cell| **cell == Some(piece)).count()
    }

    /// Counts the pieces of a kind; those with a rank count as soldiers.
    #[must_use]
    pub fn count_kind(&self, kind: Piece) -> usize {
        self.cells.iter().flatten().filter(|piece| piece.as_kind() == kind).count()
    }

    /// Returns the first piece with a rank, if there is one.
    #[must_use]
    pub fn first_special(&self) -> Option<(Square, Piece)> {
        self.pieces().find(|(_, piece)| piece.is_special())
    }

    /// Formats the rows from the top, `3t3/…`, without side and counter.
    #[must_use]
    pub fn rows(&self) -> String {
        let mut text = String::new();
        for rank in (0..self.size).rev() {
            let mut empty = 0;
            for file in 0..self.size {
                let Some(piece) = self.cells[rank * self.size + file] else {
                    empty += 1;
                    continue;
                };
                if empty > 0 {
                    text.push_str(&empty.to_string());
                    empty = 0;
                }
                text.push(piece.letter());
            }
            if empty > 0 {
                text.push_str(&empty.to_string());
            }
            if rank > 0 {
                text.push('/');
            }
        }
        text
    }

    /// Parses `rows side [quiet [going]]`: rows from the top, `a` or `d`, plies since the last capture, and the square of
    /// a piece in mid-turn (a turn of several captures).
    ///
    /// # Errors
    /// `bad_position`, with the part, what was found and what was expected.
    ///
    /// ```
    /// use hnefi_rules::{Setup, Side};
    ///
    /// assert_eq!(Setup::parse("5/5/2K2/5/5 a 12")?.turn, Side::Attackers);
    /// assert_eq!(Setup::parse("5/5/2K2/5/6 a").unwrap_err().code, "bad_position");
    /// # Ok::<(), hnefi_rules::Refusal>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self, Refusal> {
        let mut words = text.split_ascii_whitespace();
        let rows = words.next().unwrap_or("");
        let turn = match words.next() {
            Some("a") => Side::Attackers,
            Some("d") => Side::Defenders,
            other => return Err(bad_position("turn", "", other.unwrap_or("-"), "a | d")),
        };
        let quiet = match words.next() {
            None => 0,
            Some(digits) => parse_quiet(digits)?,
        };
        let going =
            words.next().map(|name| Square::parse(name).ok_or_else(|| bad_position("going", "", name, "e5")));
        if let Some(word) = words.next() {
            return Err(bad_position("end", "", word, "-"));
        }
        let setup = Self::parse_rows(rows, turn, quiet)?;
        Ok(Self { going: going.transpose()?, ..setup })
    }

    /// Parses rows alone, `3t3/…` or drawn: one row a line, `.` for an empty square, blanks ignored.
    ///
    /// # Errors
    /// As `parse`.
    pub fn parse_rows(text: &str, turn: Side, quiet: u32) -> Result<Self, Refusal> {
        const LONGEST: usize = 4096;
        if text.len() > LONGEST {
            return Err(bad_position("rows", "", text.len(), LONGEST));
        }
        let lines: Vec<&str> = text
            .split(['/', '\n'])
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .take(MAX_SIZE + 1)
            .collect();
        let size = lines.len();
        let mut setup = Self::empty(size, turn, quiet)?;
        for (index, line) in lines.iter().enumerate() {
            let row = parse_row(line, index + 1, size)?;
            let rank = size - 1 - index;
            setup.cells[rank * size..(rank + 1) * size].copy_from_slice(&row);
        }
        Ok(setup)
    }
}

fn parse_row(line: &str, number: usize, size: usize) -> Result<Vec<Option<Piece>>, Refusal> {
    let mut row = Vec::with_capacity(size);
    let mut empty: usize = 0;
    for letter in line.chars() {
        if let Some(digit) = letter.to_digit(10) {
            empty = empty * 10 + digit as usize;
            if empty == 0 || empty > size {
                return Err(bad_position("row", number, line, size));
            }
            continue;
        }
        row.resize(row.len() + empty, None);
        empty = 0;
        match Piece::from_letter(letter) {
            Some(piece) => row.push(Some(piece)),
            None if letter == '.' => row.push(None),
            None if letter.is_whitespace() => {}
            None => {
                return Err(bad_position(
                    "letter",
                    number,
                    letter,
                    "t | c | n | r | T | C | N | R | K | . | 1…19",
                ));
            }
        }
        if row.len() > size {
            return Err(bad_position("row", number, row.len(), size));
        }
    }
    row.resize(row.len() + empty, None);
    if row.len() != size {
        return Err(bad_position("row", number, row.len(), size));
    }
    Ok(row)
}

fn parse_quiet(digits: &str) -> Result<u32, Refusal> {
    let plain = digits.len() <= 6 && digits.bytes().all(|digit| digit.is_ascii_digit());
    digits.parse().ok().filter(|_| plain).ok_or_else(|| bad_position("quiet", "", digits, "0…999999"))
}

impl fmt::Display for Setup {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = if self.turn == Side::Attackers { 'a' } else { 'd' };
        write!(out, "{} {side} {}", self.rows(), self.quiet)?;
        self.going.map_or(Ok(()), |square| write!(out, " {square}"))
    }
}

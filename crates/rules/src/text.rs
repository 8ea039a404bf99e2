//! Parsing and formatting of moves.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::refusal::{Refusal, shorten};
use crate::square::{Move, Square, join_squares};

/// Parses a move in any usual notation, and the captures written with it; `None` where none are written.
///
/// Accepted are `d1-c1`, `d1c1`, `d1 c1`, `d1–c1`, `d1xc1`, `e7-k7xk6xk5`, `e5-e8xe9/f8` and `e5-e8×e9`, in either case.
/// A piece letter may stand before a square (`Ke5-e1`, `Ne6^=e8xce7/ne9`), `^` marks a jump, `x` between the squares a
/// capture, `=` a move that goes on in a turn, and `+`, `-` or `#` after the last square a warning.
///
/// ```
/// use hnefi_rules::{format_move, parse_move};
///
/// let (mv, captures) = parse_move("E5-E8×F8×E9")?;
/// assert_eq!(mv.to_string(), "e5-e8");
/// assert_eq!(format_move(mv, &captures.unwrap()), "e5-e8xe9/f8");
/// assert_eq!(parse_move("e5").unwrap_err().code, "bad_move");
/// # Ok::<(), hnefi_rules::Refusal>(())
/// ```
///
/// # Errors
/// `bad_move` if the text is not a move.
pub fn parse_move(text: &str) -> Result<(Move, Option<Vec<Square>>), Refusal> {
    const LONGEST: usize = 2000;
    let refused = || Refusal::new("bad_move").with("text", shorten(text));
    if text.len() > LONGEST {
        return Err(refused());
    }
    let mut plain = text.trim().to_lowercase();
    if !plain.is_ascii() {
        plain = plain.replace('×', "x").replace(['–', '—', '−'], "-");
    }
    let mut rest = plain.trim_end_matches(['+', '-', '#']);
    rest = without_letter(rest);
    let from = parse_square(&mut rest).ok_or_else(refused)?;
    rest = rest.trim_start_matches(' ');
    rest = ["-=", "^=", "-", "^", "=", "x"].iter().find_map(|mark| rest.strip_prefix(mark)).unwrap_or(rest);
    rest = rest.trim_start_matches(' ');
    let to = parse_square(&mut rest).ok_or_else(refused)?;
    let mut captures = Vec::new();
    while let Some(after) =
        rest.strip_prefix('x').or_else(|| rest.strip_prefix('/').filter(|_| !captures.is_empty()))
    {
        rest = without_letter(after);
        captures.push(parse_square(&mut rest).ok_or_else(refused)?);
    }
    if !rest.is_empty() {
        return Err(refused());
    }
    captures.sort_unstable();
    captures.dedup();
    Ok((Move { from, to }, Some(captures).filter(|captures| !captures.is_empty())))
}

/// Returns the text without the letter of a piece before a square.
fn without_letter(text: &str) -> &str {
    let starts_with_letters =
        text.len() > 2 && text.bytes().take(2).all(|letter| letter.is_ascii_lowercase());
    if starts_with_letters { &text[1..] } else { text }
}

/// Parses the square at the beginning of a text, and removes it from the text.
fn parse_square(rest: &mut &str) -> Option<Square> {
    let digits = rest.bytes().skip(1).take(2).take_while(u8::is_ascii_digit).count();
    let name = rest.get(..=digits)?;
    let square = Square::parse(name)?;
    *rest = &rest[name.len()..];
    Some(square)
}

/// Formats a move with its captures, which are sorted: `e5-e8xe9/f8`.
///
/// ```
/// use hnefi_rules::{format_move, parse_move};
///
/// let (mv, _) = parse_move("d1c1")?;
/// assert_eq!(format_move(mv, &[]), "d1-c1");
/// # Ok::<(), hnefi_rules::Refusal>(())
/// ```
#[must_use]
pub fn format_move(mv: Move, captures: &[Square]) -> String {
    let mut text = mv.to_string();
    if !captures.is_empty() {
        let mut sorted = captures.to_vec();
        sorted.sort_unstable();
        text.push('x');
        text.push_str(&join_squares(&sorted));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_in_any_notation_are_parsed_and_formatted_as_one() {
        for (text, written) in [
            ("d1-c1", "d1-c1"),
            ("D1C1", "d1-c1"),
            (" d1–c1 ", "d1-c1"),
            ("D1  c1", "d1-c1"),
            ("d1 - c1xd2", "d1-c1xd2"),
            ("d1×c1", "d1-c1"),
            ("Kd1xc1xd2", "d1-c1xd2"),
            ("e7-k7xk6xk5", "e7-k7xk5/k6"),
            ("e5-e8xf8/e9", "e5-e8xe9/f8"),
            ("E5-E8×E9", "e5-e8xe9"),
            ("Ke5-e1--", "e5-e1"),
            ("ka10a11+", "a10-a11"),
            ("s19s1", "s19-s1"),
            ("ce6^e8", "e6-e8"),
            ("Ne6^=e8xce7/ne9/f8", "e6-e8xe7/e9/f8"),
            ("e6=e8xe9", "e6-e8xe9"),
            ("e6-=e8xte9", "e6-e8xe9"),
            ("e6-e6", "e6-e6"),
        ] {
            let (mv, captures) = parse_move(text).unwrap_or_else(|refusal| panic!("{refusal}"));
            assert_eq!(format_move(mv, &captures.unwrap_or_default()), written, "{text}");
        }
    }

    #[test]
    fn malformed_moves_are_refused() {
        let ends = "|d1|d1-|d1-c|d1-c1x|d1-c1/e5|t1-a1|a0-a1|a01-a2|a20-a1|d1-c1 e|é1-a1";
        let marks = "d1\nc1|d1,c1|d1--c1|d1x-c1|d1 c1 d1|d1-c1 xd2|d 1c1|d1/c1";
        for text in ends.split('|').chain(marks.split('|')) {
            assert!(parse_move(text).is_err(), "{text}");
        }
    }
}

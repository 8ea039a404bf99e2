//! The rules core for browsers: a request goes in as JSON, an answer comes out as JSON. No rule stands here.
//!
//! A request is an object with `do` (one of `VERBS`) and what the verb needs. An answer is an object with `ok`, `refusal`
//! (a code and facts, of a move or a position text), `faults` (of a rules tree) or `error` (a request of another form).
//! Rules and games are kept under numbers until `drop`; a game is a value, so playing gives a new number.

pub mod abi;
mod answers;
mod session;

pub use session::{Session, VERBS};

//! The rules core for browsers: JSON requests and JSON responses.
//!
//! A request is an object with `do` (one of `VERBS`) and the arguments of the verb. A response is an object with `ok`,
//! `refusal` (the code and facts of a refused move or position text), `faults` (of a rule tree) or `error` (a malformed
//! request). Rules and games are kept under numbers until `drop`. A game is a value: playing returns a new number.

pub mod abi;
mod response;
mod session;

pub use session::{Session, VERBS};

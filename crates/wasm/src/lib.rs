//! The rules and the engine for browsers: JSON requests and JSON responses.
//!
//! A request is an object with `do` (one of `VERBS`) and the arguments of the verb. A response is an object with `ok`,
//! `refusal` (the code and facts of a refused move or position text), `faults` (of a rule tree) or `error` (a malformed
//! request). Rules and games are kept under numbers until `drop`. A game is a value: playing returns a new number.
//!
//! There are two modules: the rules alone, which pages load, and with the feature `search` the rules and the engine, which
//! a worker loads when it is first needed.

pub mod abi;
#[cfg(feature = "search")]
pub mod engine;
mod response;
mod session;

pub use session::{Session, VERBS};

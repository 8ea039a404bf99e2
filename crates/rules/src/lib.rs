//! The rules of tafl games. Every other part of Hnefi uses this implementation.
//!
//! A rule tree (JSON) is checked and compiled into [`Rules`]. A [`Setup`] is a board as an editor holds it, a [`Position`]
//! is a setup under rules, a [`Game`] adds history, and a [`CalledGame`] announcements. All values are immutable.
//!
//! ```
//! use hnefi_rules::{Game, Rules};
//! let rules = Rules::from_json(include_str!("../tests/brandub-globe.json")).unwrap();
//! let game = Game::new(rules);
//! assert_eq!(game.legal_moves().len(), 40);
//! ```
//!
//! Boards are sets of bits ([`bits`]) in one of several widths, which [`Rules`] chooses. Programs that must be fast work
//! on [`board::Board`] and [`tables::Tables`] in that width ([`Position::in_width`]).

#![no_std]

extern crate alloc;

mod area;
pub mod bits;
pub mod board;
mod book;
mod calls;
mod canonical;
mod capture;
mod contradictions;
mod danger;
mod explain;
mod fault;
mod game;
pub mod law;
mod match_score;
mod movement;
mod named;
pub mod outcome;
mod perft;
mod piece;
mod position;
pub mod ranks;
mod reader;
mod refusal;
mod rules;
pub mod schema;
mod setup;
mod special;
mod square;
pub mod tables;
mod text;
mod unwritten;
pub mod wide;
pub mod zobrist;

pub use book::{BOOK_FORMAT, Book, BookMove};
pub use calls::{CalledGame, Calls, Mode, Protocol, Replay, Sanction, WrongNumber};
pub use canonical::move_number;
pub use danger::{KingDanger, setup_faults};
pub use explain::{Capture, Description, describe};
pub use fault::Fault;
pub use game::{Game, Ply, check_captures};
pub use match_score::{Decision, Leg, MatchScore};
pub use perft::Counts;
pub use position::Position;
pub use refusal::Refusal;
pub use rules::{Rules, Width};

pub use piece::{Piece, Side};
pub use setup::Setup;
pub use square::{Direction, MAX_SIZE, Move, Outcome, Reason, Square};
pub use text::{format_move, parse_move};
pub use unwritten::unwritten_hops;

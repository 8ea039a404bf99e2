//! Keys that a position shares with its images, by which a library of games finds it however the board was turned.

use alloc::vec::Vec;

use crate::game::Game;
use crate::position::Position;
use crate::square::{MAX_SIZE, Move, Piece, Square};
use crate::zobrist::{Keys, split_mix};

/// One of the images of a position, the same for all of them.
struct Canonical<'a> {
    position: &'a Position,
    key: u64,
    /// The symmetries that map the position onto it; more than one if it is symmetrical itself.
    onto: Vec<u8>,
}

impl<'a> Canonical<'a> {
    fn of(position: &'a Position) -> Self {
        let setup = position.setup();
        let pieces: Vec<(Square, Piece)> = setup.pieces().collect();
        let mut best = Self { position, key: u64::MAX, onto: Vec::new() };
        for &symmetry in position.rules().symmetries() {
            let key = best.key_of(&pieces, symmetry);
            if key < best.key {
                best.key = key;
                best.onto.clear();
            }
            if key == best.key {
                best.onto.push(symmetry);
            }
        }
        best
    }

    fn key_of(&self, pieces: &[(Square, Piece)], symmetry: u8) -> u64 {
        let rules = self.position.rules();
        let mut size = rules.size() as u64;
        let going = self.position.going().map_or(0, |at| rules.keys().going(rules.map_square(at, symmetry)));
        let start = split_mix(&mut size) ^ Keys::turn(self.position.turn()) ^ going;
        pieces.iter().fold(start, |key, &(square, piece)| {
            key ^ rules.keys().piece(piece, rules.map_square(square, symmetry))
        })
    }

    /// The smallest of the images of a move, so that moves which come to the same have the same.
    fn image(&self, mv: Move) -> Move {
        let rules = self.position.rules();
        let images = self.onto.iter().map(|&symmetry| Move {
            from: rules.map_square(mv.from, symmetry),
            to: rules.map_square(mv.to, symmetry),
        });
        images.min().unwrap_or(mv)
    }
}

/// A move as one number below 2¹⁷, whatever the size of the board.
#[must_use]
pub fn move_number(mv: Move) -> u32 {
    let place = |square: Square| (square.rank() * MAX_SIZE + square.file()) as u32;
    place(mv.from) * (MAX_SIZE * MAX_SIZE) as u32 + place(mv.to)
}

impl Position {
    /// A key of board, size and side to move that all images of the position by the symmetries of its rules share.
    ///
    /// It does not depend on the rules otherwise, and not on the quiet counter.
    #[must_use]
    pub fn canonical_key(&self) -> u64 {
        Canonical::of(self).key
    }

    /// Moves as they are on the image that `canonical_key` stands for; those that come to the same are the same.
    #[must_use]
    pub fn canonical_moves(&self, moves: &[Move]) -> Vec<Move> {
        let canonical = Canonical::of(self);
        moves.iter().map(|&mv| canonical.image(mv)).collect()
    }
}

impl Game {
    /// For each position from the start to the present one its canonical key and the canonical move that was played.
    #[must_use]
    pub fn canonical_line(&self) -> Vec<(u64, Option<Move>)> {
        let plies = self.plies();
        let positions = self.positions();
        let moves = plies.iter().map(|ply| Some(ply.mv)).chain([None]);
        let step = |(position, mv): (&Position, Option<Move>)| {
            let canonical = Canonical::of(position);
            (canonical.key, mv.map(|mv| canonical.image(mv)))
        };
        positions.iter().zip(moves).map(step).collect()
    }
}

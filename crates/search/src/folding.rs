//! How boards are mapped before a network with buckets sees them.

use hnefi_rules::{Rules, Square};

/// How boards are mapped so that the king stands on one square of each class of symmetric squares.
#[derive(Clone, Debug)]
pub struct Folding {
    /// Squares along a side.
    size: usize,
    /// The symmetry and the class for each square of the king.
    of_king: Vec<(u8, u8)>,
    /// The images of the squares, by symmetry.
    images: Vec<u16>,
    /// The number of classes.
    pub class_count: usize,
}

impl Folding {
    /// Creates the mapping for rules.
    #[must_use]
    pub fn new(rules: &Rules) -> Self {
        let size = rules.size();
        let squares = size * size;
        let number = |square: Square| square.rank() * size + square.file();
        let mut images = vec![0; 8 * squares];
        for symmetry in 0..8_u8 {
            for index in 0..squares {
                let square = Square::new(index % size, index / size);
                let image = square.map_or(0, |square| number(rules.map_square(square, symmetry)));
                images[symmetry as usize * squares + index] = image as u16;
            }
        }
        let mut classes: Vec<u16> = Vec::new();
        let mut of_king = Vec::with_capacity(squares);
        for index in 0..squares {
            let image = |symmetry: u8| images[symmetry as usize * squares + index];
            let symmetry = rules.symmetries().iter().copied().min_by_key(|one| image(*one)).unwrap_or(0);
            let least = image(symmetry);
            let class = classes.iter().position(|other| *other == least).unwrap_or_else(|| {
                classes.push(least);
                classes.len() - 1
            });
            of_king.push((symmetry, class as u8));
        }
        Self { size, of_king, images, class_count: classes.len() }
    }

    /// Returns the number of a square.
    #[must_use]
    pub const fn number(&self, square: Square) -> usize {
        square.rank() * self.size + square.file()
    }

    /// Returns the symmetry that maps the board, and the class of the square, for the number of the king's square.
    #[must_use]
    pub fn of_king(&self, king: usize) -> (u8, usize) {
        let (symmetry, class) = self.of_king[king];
        (symmetry, class as usize)
    }

    /// Returns the number of the image of a square.
    #[must_use]
    pub fn image(&self, symmetry: u8, square: usize) -> usize {
        self.images[symmetry as usize * self.size * self.size + square] as usize
    }
}

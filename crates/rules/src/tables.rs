//! Tables of a law in one width: the masks that `Board` uses.

use alloc::vec::Vec;

use crate::bits::Bits;
use crate::law::{BlockedGroups, Hostility, KingCapture, Law, Linnaean, Shieldwall};
use crate::piece::Piece;
use crate::square::{Direction, Square};

/// The squares that pieces of one kind in one zone may pass, and those on which they may stop.
#[derive(Clone, Copy, Debug)]
pub struct Passage<B> {
    /// Squares that end a slide.
    pub barrier: B,
    /// Squares on which a move may end, if they are empty.
    pub landing: B,
}

/// The squares on a line from one square, by direction.
#[derive(Clone, Copy, Debug)]
pub struct Rays<B> {
    pub(crate) north: B,
    pub(crate) east: B,
    pub(crate) south: B,
    pub(crate) west: B,
}

/// The masks of a law in one width.
///
/// ```
/// use hnefi_rules::bits::Bits;
/// use hnefi_rules::tables::{Tables, square_of};
/// use hnefi_rules::{Piece, Rules};
/// # let rules = Rules::from_json(include_str!("../tests/brandub-globe.json")).unwrap();
/// let tables = Tables::<u64>::new(rules.law());
/// assert_eq!(square_of::<u64>(tables.throne.lowest()).unwrap().to_string(), "d4");
/// assert_eq!(tables.lines_from(Piece::King as usize, tables.throne.lowest()).count(), 12);
/// ```
#[derive(Clone, Debug)]
pub struct Tables<B> {
    /// The number of squares along a side of the board.
    pub size: usize,
    /// All squares of the board.
    pub playable: B,
    not_last_file: B,
    not_first_file: B,
    /// The squares on the edge.
    pub edge: B,
    /// The throne; empty if there is none.
    pub throne: B,
    /// The corner squares; empty if corners are ordinary squares.
    pub corners: B,
    /// The squares on which the king wins.
    pub goals: B,
    /// Whether there are zones besides zone 0.
    zoned: bool,
    /// The zone of each index: its camp or corner block, or 0.
    zones: Vec<u16>,
    /// By zone, then kind.
    passages: Vec<[Passage<B>; 3]>,
    /// By kind, then index.
    rays: [Vec<Rays<B>>; 3],
    /// The longest move of a kind.
    pub reach: [usize; 3],
    /// Whether a kind moves one square at most.
    pub single_step: [bool; 3],
    /// The orthogonal neighbours of each index.
    pub neighbours: Vec<B>,
    /// Special squares that are hostile to a kind while they are empty, by kind.
    pub hostile_empty: [B; 3],
    /// Corners and camp squares that are hostile to a kind even while they are occupied, by kind.
    pub hostile_occupied: [B; 3],
    /// The throne, if it is hostile to a kind while the king is on it, by kind.
    pub throne_hostile_under_king: [B; 3],
    /// How the king is captured, by index.
    pub king_capture: Vec<KingCapture>,
    /// Whether the rules have blocked groups or the shieldwall.
    pub has_group_captures: bool,
    /// Whether the rules have tuichi, enclosure or the exit fort.
    pub has_area_ends: bool,
    /// The law itself.
    pub law: Law,
}

/// Returns the index of a square in words of this width.
///
/// ```
/// use hnefi_rules::Square;
/// use hnefi_rules::tables::{index_of, square_of};
///
/// let square = Square::parse("b2").unwrap();
/// assert_eq!(index_of::<u64>(square), 9);
/// assert_eq!(square_of::<u64>(9), Some(square));
/// ```
#[inline]
pub fn index_of<B: Bits>(square: Square) -> usize {
    square.rank() * B::STRIDE + square.file()
}

/// Returns the square of an index; `None` off the largest board.
#[inline]
pub fn square_of<B: Bits>(index: usize) -> Option<Square> {
    Square::new(index % B::STRIDE, index / B::STRIDE)
}

/// Returns the squares of a set, sorted.
pub(crate) fn squares<B: Bits>(set: B) -> Vec<Square> {
    if set.is_empty() {
        return Vec::new();
    }
    let mut squares: Vec<Square> = set.indices().filter_map(square_of::<B>).collect();
    squares.sort_unstable();
    squares
}

fn set_of<B: Bits>(squares: impl IntoIterator<Item = Square>) -> B {
    squares.into_iter().fold(B::EMPTY, |set, square| set | B::bit(index_of::<B>(square)))
}

impl<B: Bits> Tables<B> {
    /// Compiles the tables of a law.
    #[must_use]
    pub fn new(law: &Law) -> Self {
        let size = law.size();
        let all = || crate::law::all_squares(size);
        let throne = set_of::<B>(law.throne_square());
        let blocks = law.corner_blocks();
        let corners = set_of::<B>(blocks.iter().flatten().copied());
        let camps = set_of::<B>(law.camps.iter().flatten().copied());
        let outer_camps = set_of::<B>(law.outer_camps());
        let blocks_matter = matches!(law.corners, crate::law::Corners::Blocks);
        let zone_squares: Vec<&Vec<Square>> =
            law.camps.iter().chain(blocks.iter().filter(|_| blocks_matter)).collect();
        let mut tables = Self {
            size,
            playable: set_of(all()),
            not_last_file: set_of(all().filter(|square| square.file() + 1 < size)),
            not_first_file: set_of(all().filter(|square| square.file() > 0)),
            edge: set_of(all().filter(|square| square.is_edge(size))),
            throne,
            corners,
            goals: set_of(law.goals()),
            zoned: !zone_squares.is_empty(),
            zones: alloc::vec![0; B::WIDTH],
            passages: Vec::new(),
            rays: law.range.map(|range| rays(size, range)),
            reach: law.range.map(|range| if range == 0 { size - 1 } else { range }),
            single_step: law.range.map(|range| range == 1),
            neighbours: alloc::vec![B::EMPTY; B::WIDTH],
            hostile_empty: Piece::KINDS.map(|piece| {
                let kind = piece as usize;
                let part = |is_hostile: bool, set: B| if is_hostile { set } else { B::EMPTY };
                part(law.throne_hostile[kind] != Hostility::Never, throne)
                    | part(law.corner_hostile[kind] != Hostility::Never, corners)
                    | part(
                        law.camp_hostile[kind],
                        if law.occupied_camps_against(piece) { outer_camps } else { camps },
                    )
            }),
            hostile_occupied: Piece::KINDS.map(|piece| {
                let part = |is_hostile: bool, set: B| if is_hostile { set } else { B::EMPTY };
                part(law.corner_hostile[piece as usize] == Hostility::Always, corners)
                    | part(law.occupied_camps_against(piece), outer_camps)
            }),
            throne_hostile_under_king: law
                .throne_hostile
                .map(|one| if one == Hostility::Always { throne } else { B::EMPTY }),
            king_capture: alloc::vec![law.king_capture[2]; B::WIDTH],
            has_group_captures: law.blocked_groups != BlockedGroups::None
                || law.shieldwall != Shieldwall::None,
            has_area_ends: law.tuichi || law.enclosure || law.exit_fort,
            law: law.clone(),
        };
        for square in all() {
            let near = Direction::ALL.iter().filter_map(|direction| square.step(*direction, 1, size));
            tables.neighbours[index_of::<B>(square)] = set_of(near);
        }
        if let Some(square) = law.throne_square() {
            let index = index_of::<B>(square);
            tables.king_capture[index] = law.king_capture[0];
            for beside in tables.neighbours[index].indices() {
                tables.king_capture[beside] = law.king_capture[1];
            }
        }
        tables.add_zones(&zone_squares, camps);
        tables
    }

    fn add_zones(&mut self, zone_squares: &[&Vec<Square>], camps: B) {
        for zone in 0..=zone_squares.len() {
            let own = if zone == 0 { B::EMPTY } else { set_of(zone_squares[zone - 1].iter().copied()) };
            let closed = camps & !own;
            // A slide from inside a corner block ends at the corner squares. From outside, every ray ends at the edge
            // inside the block, so no barrier is needed.
            let corner_barrier = own & self.corners;
            self.passages.push(Piece::KINDS.map(|piece| {
                let kind = piece as usize;
                let unless = |may: bool, set: B| if may { B::EMPTY } else { set };
                Passage {
                    barrier: closed | corner_barrier | unless(self.law.throne_pass[kind], self.throne),
                    landing: self.playable
                        & !closed
                        & !unless(self.law.throne_stop[kind], self.throne)
                        & !unless(self.law.corner_stop[kind], self.corners),
                }
            }));
            for index in own.indices() {
                self.zones[index] = u16::try_from(zone).unwrap_or(0);
            }
        }
    }

    /// Returns the squares that a kind on this index may pass, and those on which it may stop.
    #[inline(always)]
    pub fn passage(&self, kind: usize, index: usize) -> &Passage<B> {
        let zone = if self.zoned { self.zones[index] as usize } else { 0 };
        &self.passages[zone][kind]
    }

    /// Checks whether the squares that a kind may pass or stop on are the same from everywhere, and no piece jumps.
    #[inline(always)]
    pub const fn is_uniform(&self) -> bool {
        !self.zoned && !B::HAS_RANKS
    }

    /// Returns the squares on which a piece of a kind on this index could end a slide.
    #[inline(always)]
    pub fn destinations(&self, kind: usize, index: usize, occupied: B) -> B {
        let passage = self.passage(kind, index);
        let open = passage.landing & !occupied;
        if self.single_step[kind] {
            return self.neighbours[index] & open;
        }
        let rays = &self.rays[kind][index];
        let stop = occupied | passage.barrier;
        let reach = (rays.north & (rays.north & stop).up_to_lowest())
            | (rays.east & (rays.east & stop).up_to_lowest())
            | (rays.south & (rays.south & stop).highest_on())
            | (rays.west & (rays.west & stop).highest_on());
        reach & open
    }

    /// Returns the squares on the lines of an index that a kind could reach on an empty board.
    #[inline(always)]
    pub fn lines_from(&self, kind: usize, index: usize) -> B {
        let rays = &self.rays[kind][index];
        rays.north | rays.east | rays.south | rays.west
    }

    /// Returns the squares in one direction from an index that a kind could reach on an empty board.
    #[inline(always)]
    pub fn ray_from(&self, kind: usize, index: usize, direction: Direction) -> B {
        let rays = &self.rays[kind][index];
        match direction {
            Direction::North => rays.north,
            Direction::East => rays.east,
            Direction::South => rays.south,
            Direction::West => rays.west,
        }
    }

    /// Returns the set moved by one square in a direction; squares that leave the board are dropped.
    #[inline(always)]
    pub fn shift(&self, set: B, direction: Direction) -> B {
        match direction {
            Direction::North => set.up_rank() & self.playable,
            Direction::East => (set & self.not_last_file).up_file(),
            Direction::South => set.down_rank(),
            Direction::West => (set & self.not_first_file).down_file(),
        }
    }

    /// Returns every square that pieces of a kind on a set can slide to in one move, zones ignored.
    ///
    /// This is a Kogge-Stone fill: the length of the slides doubles at every step. The squares that are passed are
    /// filled first; one more step leads to the squares where a slide may end.
    #[inline]
    pub fn slides(&self, kind: usize, set: B, empty: B) -> B {
        let passage = self.passage(kind, 0);
        let empty = empty & self.playable;
        if self.single_step[kind] {
            return self.around(set) & empty & passage.landing;
        }
        let pass = empty & !passage.barrier;
        if self.reach[kind] + 1 < self.size {
            return self.short_slides(kind, set, empty, pass) & passage.landing;
        }
        // A step sideways must not wrap round to the opposite file.
        let (east, west) = (pass & self.not_first_file, pass & self.not_last_file);
        let north = self.filled(set, pass, B::up_rank).up_rank();
        let south = self.filled(set, pass, B::down_rank).down_rank();
        let east = self.filled(set, east, B::up_file).up_file() & self.not_first_file;
        let west = self.filled(set, west, B::down_file).down_file() & self.not_last_file;
        (north | south | east | west) & empty & passage.landing
    }

    /// Returns a set with the squares connected to it in the direction of a step.
    #[inline(always)]
    fn filled(&self, set: B, pass: B, step: impl Fn(B) -> B) -> B {
        let two = |set: B| step(step(set));
        let four = |set: B| two(two(set));
        let eight = |set: B| four(four(set));
        let pairs = pass & step(pass);
        let fours = pairs & two(pairs);
        let filled = set | (pass & step(set));
        let filled = filled | (pairs & two(filled));
        let mut filled = filled | (fours & four(filled));
        // Seven squares are filled so far, and a slide may end on the eighth.
        if B::STRIDE > 9 && self.size > 9 {
            let eights = fours & four(fours);
            filled |= eights & eight(filled);
            if B::STRIDE > 17 {
                filled |= eights & eight(eights) & eight(eight(filled));
            }
        }
        filled
    }

    fn short_slides(&self, kind: usize, set: B, empty: B, pass: B) -> B {
        let mut reached = B::EMPTY;
        for direction in Direction::ALL {
            let mut front = set;
            for _ in 0..self.reach[kind] {
                front = self.shift(front, direction) & empty;
                reached |= front;
                front = front & pass;
            }
        }
        reached
    }

    /// Returns the squares orthogonally next to a set.
    #[inline(always)]
    pub fn around(&self, set: B) -> B {
        self.shift(set, Direction::North)
            | self.shift(set, Direction::East)
            | self.shift(set, Direction::South)
            | self.shift(set, Direction::West)
    }

    /// Returns the squares of `area` connected with `from`, those of `from` included (flood fill).
    #[inline]
    pub fn flood(&self, from: B, area: B) -> B {
        let mut reached = from & area;
        loop {
            let grown = reached | (self.around(reached) & area);
            if grown == reached {
                return reached;
            }
            reached = grown;
        }
    }

    /// Checks whether the linnaean capture is played.
    #[inline(always)]
    pub fn has_linnaean(&self) -> bool {
        self.law.linnaean != Linnaean::None
    }
}

fn rays<B: Bits>(size: usize, range: usize) -> Vec<Rays<B>> {
    let reach = if range == 0 { size } else { range };
    let mut list =
        alloc::vec![Rays { north: B::EMPTY, east: B::EMPTY, south: B::EMPTY, west: B::EMPTY }; B::WIDTH];
    for square in crate::law::all_squares(size) {
        let line =
            |direction| set_of::<B>((1..=reach).filter_map(|steps| square.step(direction, steps, size)));
        list[index_of::<B>(square)] = Rays {
            north: line(Direction::North),
            east: line(Direction::East),
            south: line(Direction::South),
            west: line(Direction::West),
        };
    }
    list
}

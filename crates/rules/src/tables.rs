//! The law compiled into masks for one width of the board: what the fast code reads.

use alloc::vec::Vec;

use crate::bits::Bits;
use crate::law::{BlockedGroups, Hostility, KingCapture, Law, Linnaean, Shieldwall};
use crate::square::{Direction, Piece, Square};

/// Where pieces of one kind, standing in one zone, may go.
#[derive(Clone, Copy, Debug)]
pub struct Passage<B> {
    /// Squares that end a slide: nothing goes on beyond them.
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

/// Masks for one law and one width.
#[derive(Clone, Debug)]
pub struct Tables<B> {
    /// The side of the board.
    pub size: usize,
    /// All squares of the board.
    pub playable: B,
    not_last_file: B,
    not_first_file: B,
    /// The outer squares.
    pub edge: B,
    /// The throne, or nothing.
    pub throne: B,
    /// The corner squares, or nothing.
    pub corners: B,
    /// Where the king wins.
    pub goals: B,
    /// Whether some zone other than 0 exists.
    zoned: bool,
    /// The zone of each index: 0, or the camp or corner block a piece stands in.
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
    /// Special squares that are hostile to a kind while empty (or always).
    pub hostile_empty: [B; 3],
    /// Squares of corners and camps that are hostile to a kind whatever stands on them.
    pub ground_always: [B; 3],
    /// The throne where it is hostile to a kind while the king sits on it.
    pub throne_always: [B; 3],
    /// How the king is taken, by index.
    pub king_capture: Vec<KingCapture>,
    /// Whether some capture needs more than the custodial masks.
    pub has_group_captures: bool,
    /// Whether some end needs more than the masks.
    pub has_area_ends: bool,
    /// The law itself.
    pub law: Law,
}

/// The index of a square in words of this width.
#[inline]
pub fn index_of<B: Bits>(square: Square) -> usize {
    square.rank() * B::STRIDE + square.file()
}

/// The square of an index.
#[inline]
pub fn square_of<B: Bits>(index: usize) -> Option<Square> {
    Square::new(index % B::STRIDE, index / B::STRIDE)
}

/// The squares of a set, in the order of their names.
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
    /// Compiles a law.
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
            ground_always: Piece::KINDS.map(|piece| {
                let part = |is_hostile: bool, set: B| if is_hostile { set } else { B::EMPTY };
                part(law.corner_hostile[piece as usize] == Hostility::Always, corners)
                    | part(law.occupied_camps_against(piece), outer_camps)
            }),
            throne_always: law
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
            // Leaving or crossing a corner block: a walk that comes to a corner goes on only inside that block.
            // From outside every ray ends at the rim inside the block, so no barrier is needed there.
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

    /// Where a kind standing on this index may go.
    #[inline(always)]
    pub fn passage(&self, kind: usize, index: usize) -> &Passage<B> {
        let zone = if self.zoned { self.zones[index] as usize } else { 0 };
        &self.passages[zone][kind]
    }

    /// Whether all pieces of a kind go the same ways wherever they stand, and slide.
    #[inline(always)]
    pub const fn is_uniform(&self) -> bool {
        !self.zoned && !B::HAS_RANKS
    }

    /// The squares a piece of a kind on this index could end a move on.
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

    /// Everything on the lines of an index that a kind could reach on an empty board.
    #[inline(always)]
    pub fn cross(&self, kind: usize, index: usize) -> B {
        let rays = &self.rays[kind][index];
        rays.north | rays.east | rays.south | rays.west
    }

    /// The part of a set on one ray from an index.
    #[inline(always)]
    pub fn on_ray(&self, kind: usize, index: usize, direction: Direction) -> B {
        let rays = &self.rays[kind][index];
        match direction {
            Direction::North => rays.north,
            Direction::East => rays.east,
            Direction::South => rays.south,
            Direction::West => rays.west,
        }
    }

    /// The set moved one square in a direction; what leaves the board is dropped.
    #[inline(always)]
    pub fn shift(&self, set: B, direction: Direction) -> B {
        match direction {
            Direction::North => set.up_rank() & self.playable,
            Direction::East => (set & self.not_last_file).up_file(),
            Direction::South => set.down_rank(),
            Direction::West => (set & self.not_first_file).down_file(),
        }
    }

    /// Every square that pieces of a kind on a set can come to in one move, zones left aside.
    ///
    /// A slide doubles its length at every step: the squares it goes on over are filled first, and one step more leads
    /// to where it may end.
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
        // A step sideways may not come to the file that it would wrap round to.
        let (east, west) = (pass & self.not_first_file, pass & self.not_last_file);
        let north = self.filled(set, pass, B::up_rank).up_rank();
        let south = self.filled(set, pass, B::down_rank).down_rank();
        let east = self.filled(set, east, B::up_file).up_file() & self.not_first_file;
        let west = self.filled(set, west, B::down_file).down_file() & self.not_last_file;
        (north | south | east | west) & empty & passage.landing
    }

    /// A set with the squares that are joined to it in the direction of a step, as far as the board is wide.
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
        // Seven squares are filled by now, and a slide may end on the eighth.
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

    /// The squares orthogonally next to a set.
    #[inline(always)]
    pub fn around(&self, set: B) -> B {
        self.shift(set, Direction::North)
            | self.shift(set, Direction::East)
            | self.shift(set, Direction::South)
            | self.shift(set, Direction::West)
    }

    /// Everything connected with `from` inside `area`, `from` included as far as it lies in it.
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

    /// Whether the linnaean capture is played.
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

//! The baseline: perft for three games with hard-coded rules.
//!
//! It makes every leaf and finds the end of the game, as the core does, and has nothing that its game does not need.

/// Defines the perft of one game. The flags are constants, so that the compiler drops rules that a game does not have.
macro_rules! baseline {
    ($name:ident, $word:ty, $size:literal, stride $stride:literal, men_on_corners $men_on_corners:literal,
     king_between_two $king_between_two:literal, linnaean $linnaean:literal, king_on_throne $king_on_throne:literal) => {
        pub(crate) mod $name {
            type Word = $word;

            const SIZE: usize = $size;
            const STRIDE: usize = $stride;
            const fn at(file: usize, rank: usize) -> Word {
                1 << (rank * STRIDE + file)
            }
            const fn column(file: usize) -> Word {
                let (mut set, mut rank) = (0, 0);
                while rank < SIZE {
                    set |= at(file, rank);
                    rank += 1;
                }
                set
            }
            const fn board() -> Word {
                let (mut set, mut file) = (0, 0);
                while file < SIZE {
                    set |= column(file);
                    file += 1;
                }
                set
            }
            const LAST: usize = SIZE - 1;
            const BOARD: Word = board();
            const THRONE: Word = at(SIZE / 2, SIZE / 2);
            const CORNERS: Word = at(0, 0) | at(0, LAST) | at(LAST, 0) | at(LAST, LAST);
            const SPECIAL: Word = THRONE | CORNERS;
            const BESIDE: Word = around(THRONE);
            const EDGE: Word = column(0)
                | column(LAST)
                | ((BOARD << (STRIDE * LAST)) & BOARD)
                | (BOARD & !(BOARD << STRIDE));

            const fn north(set: Word) -> Word {
                (set << STRIDE) & BOARD
            }
            const fn south(set: Word) -> Word {
                set >> STRIDE
            }
            const fn east(set: Word) -> Word {
                (set & !column(LAST)) << 1
            }
            const fn west(set: Word) -> Word {
                (set & !column(0)) >> 1
            }
            const fn around(set: Word) -> Word {
                north(set) | south(set) | east(set) | west(set)
            }

            /// Pieces by bit: attackers, defenders, king.
            #[derive(Clone, Copy)]
            pub(crate) struct Board {
                pub(crate) attackers: Word,
                pub(crate) defenders: Word,
                pub(crate) king: Word,
            }

            impl Board {
                /// Parses `3t3/…`, rows from the top.
                pub(crate) fn read(rows: &str) -> Self {
                    let mut board = Self { attackers: 0, defenders: 0, king: 0 };
                    for (place, row) in rows.split('/').enumerate() {
                        let (mut file, mut digits) = (0, 0);
                        for letter in row.chars().chain(['.']) {
                            if let Some(digit) = letter.to_digit(10) {
                                digits = digits * 10 + digit as usize;
                                continue;
                            }
                            file += std::mem::take(&mut digits);
                            match letter {
                                't' => board.attackers |= at(file, LAST - place),
                                'T' => board.defenders |= at(file, LAST - place),
                                'K' => board.king |= at(file, LAST - place),
                                _ => {}
                            }
                            file += 1;
                        }
                    }
                    board
                }
            }

            struct Arrivals {
                north: Word,
                east: Word,
                south: Word,
                west: Word,
                king: Word,
                guard: (Word, Word),
                all: Word,
            }

            fn arrivals<const ATTACKING: bool>(board: &Board) -> Arrivals {
                let occupied = board.attackers | board.defenders | board.king;
                let (victims, own) = if ATTACKING {
                    (board.defenders, board.attackers)
                } else {
                    (board.attackers, board.defenders | board.king)
                };
                let hostile = SPECIAL & !occupied;
                let partners = own | hostile;
                let mut found = Arrivals {
                    north: south(victims & south(partners)),
                    east: west(victims & west(partners)),
                    south: north(victims & north(partners)),
                    west: east(victims & east(partners)),
                    king: 0,
                    guard: (0, 0),
                    all: 0,
                };
                if ATTACKING {
                    let king = board.king;
                    if $king_between_two && king & (THRONE | BESIDE) == 0 {
                        found.king = south(king & south(partners))
                            | north(king & north(partners))
                            | west(king & west(partners))
                            | east(king & east(partners));
                    } else if king & EDGE == 0 {
                        let open = around(king) & !(own | hostile);
                        if open & open.wrapping_sub(1) == 0 {
                            found.king = open;
                        }
                    }
                    if $linnaean && king == THRONE && (BESIDE & own).count_ones() == 3 {
                        let guard = BESIDE & board.defenders;
                        if guard != 0 {
                            found.guard =
                                (around(guard) & around(around(THRONE)) & !BESIDE & beyond(guard), guard);
                        }
                    }
                }
                found.all = found.north | found.east | found.south | found.west | found.king | found.guard.0;
                found
            }

            /// The square behind a defender beside the throne, seen from the throne.
            const fn beyond(guard: Word) -> Word {
                if guard == north(THRONE) {
                    north(guard)
                } else if guard == south(THRONE) {
                    south(guard)
                } else if guard == east(THRONE) {
                    east(guard)
                } else {
                    west(guard)
                }
            }

            /// Returns the captured soldiers, and whether the king is captured, for an arrival.
            fn captured(found: &Arrivals, arrival: Word) -> (Word, bool) {
                let mut taken = north(found.north & arrival)
                    | east(found.east & arrival)
                    | south(found.south & arrival)
                    | west(found.west & arrival);
                let mut king = found.king & arrival != 0;
                if $linnaean && found.guard.0 & arrival != 0 {
                    taken |= found.guard.1;
                    king = true;
                }
                (taken, king)
            }

            const WORDS: usize = Word::BITS as usize / 64;

            /// Each index as a set: faster to load than to shift in two words.
            static SINGLE: [Word; Word::BITS as usize] = {
                let mut single = [0; Word::BITS as usize];
                let mut index = 0;
                while index < single.len() {
                    single[index] = 1 << index;
                    index += 1;
                }
                single
            };

            #[inline(always)]
            fn each(set: Word, mut visit: impl FnMut(usize)) {
                for word in 0..WORDS {
                    let mut rest = (set >> (64 * word)) as u64;
                    while rest != 0 {
                        visit(64 * word + rest.trailing_zeros() as usize);
                        rest &= rest - 1;
                    }
                }
            }

            /// Slides all soldiers of a set in one direction; returns the arrivals by distance.
            #[inline(always)]
            fn slide(
                men: Word,
                empty: Word,
                landing: Word,
                step: impl Fn(Word) -> Word,
                mut visit: impl FnMut(Word, usize),
            ) {
                let mut front = men;
                for distance in 1..SIZE {
                    front = step(front) & empty;
                    if front == 0 {
                        return;
                    }
                    visit(front & landing, distance);
                }
            }

            pub(crate) fn perft<const ATTACKING: bool>(board: &Board, depth: u32) -> u64 {
                let empty = BOARD & !(board.attackers | board.defenders | board.king);
                let found = arrivals::<ATTACKING>(board);
                let men = if ATTACKING { board.attackers } else { board.defenders };
                let corners = if !ATTACKING && $men_on_corners { 0 } else { CORNERS };
                let landing = !THRONE & !corners;
                let mut nodes = 0;
                let mut play = |from: usize, to: usize| {
                    let (from, to) = (SINGLE[from & (SINGLE.len() - 1)], SINGLE[to]);
                    let (taken, king_falls) =
                        if found.all & to == 0 { (0, false) } else { captured(&found, to) };
                    let next = if ATTACKING {
                        Board {
                            attackers: board.attackers ^ from ^ to,
                            defenders: board.defenders & !taken,
                            king: board.king,
                        }
                    } else {
                        Board {
                            attackers: board.attackers & !taken,
                            defenders: board.defenders ^ from ^ to,
                            king: board.king,
                        }
                    };
                    if depth == 1 {
                        std::hint::black_box(next.attackers ^ next.defenders);
                        nodes += 1;
                    } else if !king_falls && next.attackers != 0 {
                        nodes += if ATTACKING {
                            perft::<false>(&next, depth - 1)
                        } else {
                            perft::<true>(&next, depth - 1)
                        };
                    }
                };
                slide(men, empty, landing, north, |set, steps| {
                    each(set, |to| play(to.wrapping_sub(STRIDE * steps), to))
                });
                slide(men, empty, landing, south, |set, steps| each(set, |to| play(to + STRIDE * steps, to)));
                slide(men, empty, landing, east, |set, steps| {
                    each(set, |to| play(to.wrapping_sub(steps), to))
                });
                slide(men, empty, landing, west, |set, steps| each(set, |to| play(to + steps, to)));
                if !ATTACKING {
                    nodes += king_moves(board, &found, empty, depth);
                }
                nodes
            }

            #[inline(always)]
            fn king_moves(board: &Board, found: &Arrivals, empty: Word, depth: u32) -> u64 {
                let mut nodes = 0;
                let landing = if $king_on_throne { BOARD } else { !THRONE };
                let mut play = |to: usize| {
                    let to = SINGLE[to];
                    let (taken, _) = captured(found, to);
                    let next =
                        Board { attackers: board.attackers & !taken, defenders: board.defenders, king: to };
                    if depth == 1 {
                        std::hint::black_box(next.attackers ^ next.king);
                        nodes += 1;
                    } else if to & CORNERS == 0 && next.attackers != 0 {
                        nodes += perft::<true>(&next, depth - 1);
                    }
                };
                slide(board.king, empty, landing, north, |set, _| each(set, &mut play));
                slide(board.king, empty, landing, south, |set, _| each(set, &mut play));
                slide(board.king, empty, landing, east, |set, _| each(set, &mut play));
                slide(board.king, empty, landing, west, |set, _| each(set, &mut play));
                nodes
            }
        }
    };
}

baseline!(brandub, u64, 7, stride 8, men_on_corners true, king_between_two true, linnaean true, king_on_throne false);
baseline!(tablut, u128, 9, stride 10, men_on_corners false, king_between_two true, linnaean false, king_on_throne false);
baseline!(eleven, u128, 11, stride 11, men_on_corners false, king_between_two false, linnaean false, king_on_throne true);

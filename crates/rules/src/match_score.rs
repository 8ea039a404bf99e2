//! The score of a match: points, captures, and who leads by the tie-break.

use crate::game::Game;
use crate::named::named;
use crate::piece::Side;
use crate::square::Outcome;

/// The facts of a leg that count in a match of players 0 and 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Leg {
    /// The player who has the attackers.
    pub attackers: usize,
    /// The outcome; `None` while the leg goes on.
    pub outcome: Option<Outcome>,
    /// The numbers of soldiers that the attackers and the defenders captured.
    pub captures: [u32; 2],
}

impl Leg {
    /// Returns the leg of a game.
    #[must_use]
    pub fn of(game: &Game, attackers: usize) -> Self {
        let captures = Side::ALL.map(|side| game.captured_by(side));
        Self { attackers, outcome: game.outcome(), captures }
    }
}

named! {
    /// The criterion that decides between two players.
    Decision {
        /// The points.
        Points = "points",
        /// The soldiers captured in all legs.
        Captures = "captures",
        /// Nothing: they are level.
        Drawn = "drawn",
    }
}

/// The score of a match, by player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MatchScore {
    /// Half points: 2 for a leg won, 1 for a drawn one.
    pub half_points: [u32; 2],
    /// The soldiers captured in all legs, with either side.
    pub captures: [u32; 2],
    /// The player who leads, if one does.
    pub leader: Option<usize>,
    /// The criterion that decides.
    pub decision: Decision,
}

impl MatchScore {
    /// Adds up legs. Captures decide between players who are level if `captures_break_ties`.
    ///
    /// ```
    /// use hnefi_rules::{Decision, Leg, MatchScore, Outcome, Reason, Side};
    /// let won = Some(Outcome { winner: Some(Side::Defenders), reason: Reason::Corner });
    /// let legs = [
    ///     Leg { attackers: 0, outcome: won, captures: [2, 3] },
    ///     Leg { attackers: 1, outcome: won, captures: [4, 4] },
    /// ];
    /// let score = MatchScore::of(&legs, true);
    /// assert_eq!((score.half_points, score.captures), ([2, 2], [6, 7]));
    /// assert_eq!((score.leader, score.decision), (Some(1), Decision::Captures));
    /// assert_eq!(MatchScore::of(&legs, false).leader, None);
    /// ```
    #[must_use]
    pub fn of(legs: &[Leg], captures_break_ties: bool) -> Self {
        let (mut half_points, mut captures) = ([0; 2], [0; 2]);
        for leg in legs {
            for (player, side) in [(leg.attackers, Side::Attackers), (1 - leg.attackers, Side::Defenders)] {
                captures[player] += leg.captures[side as usize];
                half_points[player] += match leg.outcome.map(|outcome| outcome.winner) {
                    Some(None) => 1,
                    Some(winner) if winner == Some(side) => 2,
                    _ => 0,
                };
            }
        }
        let leader = |[first, second]: [u32; 2]| match first.cmp(&second) {
            core::cmp::Ordering::Greater => Some(0),
            core::cmp::Ordering::Less => Some(1),
            core::cmp::Ordering::Equal => None,
        };
        let by_captures = leader(captures).filter(|_| captures_break_ties);
        let (leader, decision) = match (leader(half_points), by_captures) {
            (Some(player), _) => (Some(player), Decision::Points),
            (None, Some(player)) => (Some(player), Decision::Captures),
            (None, None) => (None, Decision::Drawn),
        };
        Self { half_points, captures, leader, decision }
    }
}

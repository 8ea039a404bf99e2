//! Log-losses, and the expected results of scores.

/// Log-losses of held-out games by side to move, in nats, draws as half a win.
#[derive(Clone, Copy, Debug, Default)]
pub struct Losses {
    /// Positions.
    pub positions: usize,
    /// Knowing the mean result alone.
    pub nothing: f64,
    /// By the scores of the searches.
    pub score: f64,
    /// By what was learned.
    pub learned: f64,
    /// By what was learned, in integers.
    pub quantised: f64,
}

impl Losses {
    /// Measures held-out positions: the result of each, and what is expected of it by the score, by what was learned, and
    /// by that in integers. `known` has the results that it was learned from.
    pub(crate) fn of(known: impl Iterator<Item = f32>, tests: impl Iterator<Item = (f32, [f32; 3])>) -> Self {
        let (known, tests): (Vec<_>, Vec<_>) = (known.collect(), tests.collect());
        let mean = known.iter().sum::<f32>() / known.len().max(1) as f32;
        let [score, learned, quantised] =
            [0, 1, 2].map(|by| mean_loss(tests.iter().map(|(result, expected)| (*result, expected[by]))));
        let nothing = mean_loss(tests.iter().map(|(result, _)| (*result, mean)));
        Self { positions: tests.len(), nothing, score, learned, quantised }
    }
}

/// Returns the mean log-loss of results and what was expected of them.
pub(crate) fn mean_loss(expected: impl Iterator<Item = (f32, f32)>) -> f64 {
    let (mut sum, mut count) = (0.0, 0);
    for (result, expected) in expected {
        sum += cross_entropy(f64::from(result), f64::from(expected));
        count += 1;
    }
    sum / f64::from(count.max(1))
}

pub(crate) fn cross_entropy(result: f64, expected: f64) -> f64 {
    let expected = expected.clamp(1e-6, 1.0 - 1e-6);
    -(result * expected.ln() + (1.0 - result) * (1.0 - expected).ln())
}

pub(crate) fn logistic(output: f32) -> f32 {
    1.0 / (1.0 + (-output).exp())
}

/// The expected result of a score: a logistic curve.
pub(crate) struct Logistic {
    slope: f64,
    offset: f64,
}

impl Logistic {
    /// Fits a curve to scores with their results, by Newton's method.
    pub(crate) fn fit(examples: impl Iterator<Item = (f32, f32)>) -> Self {
        let points: Vec<(f64, f64)> =
            examples.map(|(score, result)| (f64::from(score) / 100.0, f64::from(result))).collect();
        let (mut slope, mut offset) = (0.0_f64, 0.0_f64);
        for _ in 0..20 {
            let (mut g0, mut g1, mut h00, mut h01, mut h11) = (1e-6 * offset, 1e-6 * slope, 1e-6, 0.0, 1e-6);
            for (score, result) in &points {
                let expected = hnefi_search::logistic(slope * score + offset);
                let (error, weight) = (expected - result, expected * (1.0 - expected));
                g0 += error;
                g1 += error * score;
                h00 += weight;
                h01 += weight * score;
                h11 += weight * score * score;
            }
            let determinant = h00 * h11 - h01 * h01;
            if determinant <= 1e-9 {
                break;
            }
            offset -= (h11 * g0 - h01 * g1) / determinant;
            slope -= (h00 * g1 - h01 * g0) / determinant;
        }
        Self { slope: slope / 100.0, offset }
    }

    pub(crate) fn expected(&self, score: f32) -> f32 {
        logistic((self.slope * f64::from(score) + self.offset) as f32)
    }

    /// Returns what is learned: so great a share of the result, if it is known, and the rest from the score.
    pub(crate) fn target(&self, score: f32, result: Option<f32>, share: f32) -> f32 {
        let expected = self.expected(score);
        result.map_or(expected, |result| share * result + (1.0 - share) * expected)
    }
}

//! Time, as the caller of a search measures it: not every platform has a clock in the standard library.

/// A clock: milliseconds since any fixed moment.
#[derive(Clone, Copy, Debug)]
pub struct Clock(pub fn() -> f64);

impl Clock {
    /// Returns the milliseconds since the fixed moment of this clock.
    pub(crate) fn now(self) -> f64 {
        (self.0)()
    }
}

impl Default for Clock {
    /// Returns the clock of the system. In a browser there is none: this one stands still.
    fn default() -> Self {
        Self(system)
    }
}

#[cfg(not(target_family = "wasm"))]
fn system() -> f64 {
    use std::sync::OnceLock;
    use std::time::Instant;

    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64() * 1_000.0
}

#[cfg(target_family = "wasm")]
fn system() -> f64 {
    0.0
}

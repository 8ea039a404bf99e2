//! The pace of the prover beside a search: as fast as it can on a core that is idle, else a tenth of the time.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// It works about this long before it looks again whether a core is idle.
const WORK: Duration = Duration::from_millis(4);
/// It rests this many times as long as it worked where no core is idle.
const REST: u32 = 9;
/// The longest rest without a look at the signal to stop.
const LONGEST_NAP: Duration = Duration::from_millis(2);

/// The pace of a prover.
pub(crate) struct Pace {
    /// The threads of the search it runs beside.
    beside: usize,
    cores: usize,
    since: Instant,
}

impl Pace {
    pub(crate) fn new(beside: usize) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self { beside, cores, since: Instant::now() }
    }

    /// Rests if it is time to; not beyond the signal to stop.
    pub(crate) fn keep(&mut self, stop: &AtomicBool) {
        let worked = self.since.elapsed();
        if worked < WORK {
            return;
        }
        if !is_idle(running(), self.beside, self.cores) {
            let end = Instant::now() + worked * REST;
            while Instant::now() < end && !stop.load(Ordering::Relaxed) {
                std::thread::sleep(LONGEST_NAP.min(end.saturating_duration_since(Instant::now())));
            }
        }
        self.since = Instant::now();
    }
}

/// Checks whether the core of the prover is needed by nobody else: everything that runs or waits for a core, the prover
/// included, has one. Where that number is not known, only the threads of the search count.
fn is_idle(running: Option<usize>, beside: usize, cores: usize) -> bool {
    running.unwrap_or(beside + 1) <= cores
}

/// Returns how many threads of this machine run or wait for a core; `None` where the system does not say.
fn running() -> Option<usize> {
    if !cfg!(target_os = "linux") {
        return None;
    }
    let text = std::fs::read_to_string("/proc/loadavg").ok()?;
    text.split_whitespace().nth(3)?.split('/').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_core_is_idle_where_everything_that_runs_has_one() {
        assert!(is_idle(Some(2), 1, 2) && is_idle(Some(1), 4, 2));
        assert!(!is_idle(Some(3), 1, 2) && !is_idle(Some(2), 1, 1));
        assert!(is_idle(None, 1, 2) && !is_idle(None, 2, 2));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_system_counts_at_least_this_thread() {
        assert!(running().is_some_and(|running| running > 0));
    }

    #[test]
    fn a_stopped_prover_does_not_rest() {
        let long_ago = Instant::now().checked_sub(Duration::from_secs(3600));
        let mut pace = Pace { beside: 1, cores: 0, since: long_ago.unwrap_or_else(Instant::now) };
        pace.keep(&AtomicBool::new(true));
        assert!(pace.since.elapsed() < Duration::from_secs(3600));
    }
}

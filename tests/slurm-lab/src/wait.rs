//! Waiting with a deadline, and saying what was waited for when it passes.

use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

/// Often enough not to be noticed in a test, seldom enough not to be noticed by Slurm.
const BETWEEN_LOOKS: Duration = Duration::from_millis(100);

/// Looks until the condition holds; fails when `deadline` has passed in real time, naming `what` was waited for.
pub fn wait_until(what: &str, deadline: Duration, mut condition: impl FnMut() -> Result<bool>) -> Result<()> {
    let begun = Instant::now();
    while !condition()? {
        if begun.elapsed() > deadline {
            bail!("waited {} s in vain for {what}", deadline.as_secs());
        }
        sleep(BETWEEN_LOOKS);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_holds_is_not_waited_for() {
        wait_until("nothing", Duration::ZERO, || Ok(true)).unwrap();
    }

    #[test]
    fn a_passed_deadline_says_what_was_waited_for() {
        let failure = wait_until("the tide", Duration::ZERO, || Ok(false)).unwrap_err();
        assert!(failure.to_string().contains("the tide"));
    }
}

//! How deep into the queue backfill gets before its time is over.
//!
//! A pass ends after `bf_max_time`, by default after as long as lies between two passes, wherever it is then; whoever stands behind is
//! neither planned nor started, and `squeue --start` is blank. `sdiag` tells how many jobs the last pass looked at, and how many
//! there were.
//!
//! Not for: `bf_max_job_test`, which is a setting.

use std::collections::VecDeque;

use queuecast_records::Diagnostics;
use queuecast_workload::Seconds;

/// So many passes are remembered. A job that any of them gets to may be started.
const PASSES: usize = 6;

/// The last passes that were asked about.
#[derive(Clone, Debug, Default)]
pub struct Reach {
    /// How many jobs each looked at, and of how many.
    passes: VecDeque<(u64, u64)>,
    pass: Seconds,
}

impl Reach {
    /// Another answer of `sdiag`.
    pub fn see(&mut self, said: &Diagnostics) {
        let microseconds = i64::try_from(said.backfill_cycle_mean_microseconds).unwrap_or(0);
        self.pass = Seconds(microseconds / 1_000_000);
        let Some(depth) = said.backfill_depth_last else { return };
        if self.passes.len() == PASSES {
            self.passes.pop_front();
        }
        self.passes.push_back((depth, said.backfill_queue));
    }

    /// How many jobs backfill looks at; `None` if it gets to the end of the queue, or nobody says.
    pub fn jobs(&self) -> Option<usize> {
        if self.passes.iter().any(|(depth, queue)| depth >= queue) {
            return None;
        }
        let deepest = self.passes.iter().map(|(depth, _)| *depth).max()?;
        Some(usize::try_from(deepest).unwrap_or(usize::MAX).max(1))
    }

    /// How long a pass takes; the next begins so much later.
    pub fn pass(&self) -> Seconds {
        self.pass
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reach(passes: &[(u64, u64)]) -> Option<usize> {
        let mut reach = Reach::default();
        for (depth, queue) in passes {
            let said =
                Diagnostics { backfill_depth_last: Some(*depth), backfill_queue: *queue, ..Diagnostics::default() };
            reach.see(&said);
        }
        reach.jobs()
    }

    #[test]
    fn it_is_the_deepest_of_the_last_passes_unless_one_saw_the_whole_queue() {
        assert_eq!(reach(&[]), None);
        assert_eq!(reach(&[(60, 150), (72, 151), (0, 150)]), Some(72));
        assert_eq!(reach(&[(60, 150), (72, 72)]), None);
        assert_eq!(reach(&[(0, 5)]), Some(1), "the head is always looked at");
        let whole_queue_long_ago = [(9, 9), (5, 9), (5, 9), (5, 9), (5, 9), (5, 9), (5, 9)];
        assert_eq!(reach(&whole_queue_long_ago), Some(5));
    }

    #[test]
    fn what_nobody_says_is_not_known() {
        let mut reach = Reach::default();
        reach.see(&Diagnostics { backfill_cycle_mean_microseconds: 4_816_017, ..Diagnostics::default() });
        assert_eq!((reach.jobs(), reach.pass()), (None, Seconds(4)));
    }
}

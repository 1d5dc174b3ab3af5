//! Threads on which questions are played: a hand on a slider first, then the watching, then everybody else.
//!
//! For: few cores and many who ask. Futures are played by as many threads as there are cores, and whoever comes later would wait for all that was begun before;
//! so each kind of question has threads of its own, and those of long questions yield.
//!
//! Not for: how many are answered at once, and whose turn it is (`desk`).

use queuecast_forecast::queue::Threads;
use rayon::{ThreadPoolBuilder, current_num_threads};
use tracing::warn;

/// How much threads yield to others of this process and of the machine: beside one that does not, one that does has a tenth of a core.
const YIELDING: i32 = 10;

/// As many as there are cores, for what is answered at once.
pub(crate) fn urgent() -> Threads {
    begun(ThreadPoolBuilder::new().thread_name(|place| format!("slider-{place}")))
}

/// As many as there are cores, for what takes a while.
pub(crate) fn yielding() -> Threads {
    let threads = ThreadPoolBuilder::new().thread_name(|place| format!("question-{place}"));
    begun(threads.start_handler(|_| _ = rustix::process::nice(YIELDING)))
}

fn begun(threads: ThreadPoolBuilder) -> Threads {
    threads.num_threads(current_num_threads()).build().map_or_else(
        |error| {
            warn!(%error, "cannot start request threads; requests share the forecast threads");
            Threads::SHARED
        },
        Threads::of,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The nice value of the thread that asks, as the system has it.
    fn niceness() -> i64 {
        let stat = std::fs::read_to_string("/proc/thread-self/stat").expect("Linux");
        let behind_name = stat.rsplit_once(") ").expect("a name in brackets").1;
        behind_name.split(' ').nth(16).expect("the nineteenth field").parse().expect("a number")
    }

    #[test]
    fn long_questions_yield_and_sliders_do_not() {
        let own = niceness();
        assert_eq!(urgent().run(niceness), own);
        assert_eq!(yielding().run(niceness), (own + i64::from(YIELDING)).min(19));
        assert_eq!(niceness(), own, "and whoever asks stays as they are");
    }
}

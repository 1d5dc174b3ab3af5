//! Forecasts of waits, by the paper's protocol (R-K1, R-K6): the log's own waits, jobs 10,001 to 50,000 in the order of
//! submission, what came before only teaches.
//!
//! For: Table 3 (R-K8), Table 4 (R-K9), Figure 2 and three classes (R-K10), quick starters (R-K11), always beside the
//! majority answer, which the paper does not give; all our forecasters on the same jobs; and a second regime, never mixed
//! with the first, in which EASY decides the waits and is known.
//!
//! Not for: making forecasts (`queuecast-forecast`) or scoring them (`queuecast_evaluate::wait`).
//!
//! Intervals come from resampling the weeks of a log; differences between methods are taken over the same weeks.

mod beyond;
mod bound_class;
mod logs;
mod methods;
mod pictures;
mod regimes;
mod simulated;
mod tables;

pub use logs::{Expected, LOGS};
pub use regimes::{JOBS, TEACHING_JOBS};

use self::regimes::Regimes;
use crate::{Effort, Log, Picture, Table};

/// How many forecasters are run along a log.
pub fn steps(logs: &[Log]) -> u64 {
    regimes::runs(logs)
}

/// All tables and pictures. `logs` are those of [`LOGS`], in its order; `on_step` is called after every run.
pub fn reproduce(logs: &[Log], effort: Effort, on_step: &(dyn Fn() + Sync)) -> (Vec<Table>, Vec<Picture>) {
    let regimes = Regimes::run(logs, effort, on_step);
    let mut tables = vec![
        tables::response_time(&regimes),
        tables::single_class(&regimes, tables::Jobs::All),
        tables::single_class(&regimes, tables::Jobs::OverAnHour),
        tables::several_classes(&regimes, &tables::TWO),
        tables::several_classes(&regimes, &tables::THREE),
        tables::gains(&regimes),
        tables::quick_starters(&regimes),
    ];
    tables.push(beyond::ours(&regimes));
    tables.extend(beyond::tables(&regimes));
    tables.push(simulated::table(&regimes));
    let pictures = [pictures::two_classes, pictures::bounds_on_logs, pictures::bounds_under_easy];
    (tables, pictures.map(|draw| draw(&regimes)).into())
}

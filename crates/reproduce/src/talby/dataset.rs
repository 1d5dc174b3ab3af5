//! Table 1: the logs themselves, as the paper describes them and as they are here.
//!
//! For: whether these are the paper's logs at all. Nothing is simulated.
//!
//! Not for: CTC's machine. Table 1 gives it 128 nodes, on which its jobs would not fit (E-S0.1); its utilisation is right
//! with 512, and that is what is shown.

use queuecast_workload::Time;

use super::{LOGS, Standing};
use crate::{Claim, Log, Measured, OnTrace, Table};

/// Jobs, weeks, and utilisation in per cent, as printed; in the order of [`LOGS`].
const PRINTED: [(f64, f64, f64); 4] =
    [(59_725.0, 105.2, 84.0), (77_222.0, 48.5, 56.0), (28_490.0, 48.6, 69.0), (243_314.0, 140.1, 76.0)];

const WEEK_SECONDS: f64 = 7.0 * 86_400.0;

/// How long a log is and how busy its machine was, by the waits it recorded.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Extent {
    weeks: f64,
    utilisation_percent: f64,
}

impl Extent {
    /// From the first submission to the last end. A job whose wait is not known is taken to have started at once.
    fn of(log: &Log) -> Option<Self> {
        let first = log.jobs.iter().map(|job| job.submission.submitted).min()?;
        let end = |job: &queuecast_workload::TracedJob| -> Time {
            job.submission.submitted + job.recorded.wait.unwrap_or_default() + job.recorded.run
        };
        let seconds = (log.jobs.iter().map(end).max()? - first).as_f64();
        let work = log.jobs.iter().map(|job| f64::from(job.submission.request.processors) * job.recorded.run.as_f64());
        let capacity = f64::from(log.machine.processors) * seconds;
        (seconds > 0.0)
            .then(|| Self { weeks: seconds / WEEK_SECONDS, utilisation_percent: 100.0 * work.sum::<f64>() / capacity })
    }
}

pub fn table(logs: &[Log]) -> Table {
    const TABLE: &str = "Table 1";
    let mut claims = Vec::new();
    let in_mean = logs.iter().zip(LOGS).filter(|(_, specification)| specification.particulars == Standing::InMean);
    for ((log, _), (jobs, weeks, utilisation)) in in_mean.zip(PRINTED) {
        let name = &log.name;
        claims.push(Claim::of_count(
            TABLE,
            format!("{name}: jobs; here those with a run time and a limit"),
            "jobs",
            jobs,
            log.jobs.len() as f64,
        ));
        if let Some(extent) = Extent::of(log) {
            claims.push(Claim::of_count(TABLE, format!("{name}: weeks"), "weeks", weeks, extent.weeks));
            let claim = format!("{name}: utilisation");
            claims.push(Claim::of_count(TABLE, claim, "%", utilisation, extent.utilisation_percent));
        }
    }
    let beside = logs.iter().zip(LOGS).filter(|(_, specification)| specification.particulars == Standing::Beside);
    for (log, _) in beside {
        let measured =
            Extent::of(log).map_or(Measured::NOTHING, |extent| Measured::exactly(extent.utilisation_percent));
        let reason = "the paper uses one machine size only; this is the size in the log's header";
        let claim = Claim::not_testable(TABLE, format!("{}: utilisation", log.name), "%", None, reason);
        let traces = vec![OnTrace { trace: log.name.clone(), measured }];
        claims.push(Claim { measured, traces, ..claim.ours() });
    }
    Table { title: format!("{TABLE}: the logs"), claims }
}

#[cfg(test)]
mod tests {
    use queuecast_workload::{Machine, Recorded, Seconds, Submission, TracedJob};

    use super::*;

    /// Four processors for a thousand seconds, of which one job holds two for 500 and another all for 250.
    #[test]
    fn utilisation_is_work_over_what_the_machine_could_do_from_first_submission_to_last_end() {
        let job = |number: i64, submitted: i64, processors: u32, wait: Option<i64>, run: i64| TracedJob {
            number,
            recorded: Recorded { wait: wait.map(Seconds), ..Recorded::completed(Seconds(run)) },
            submission: Submission::new(Time(submitted), processors),
        };
        let jobs = vec![job(1, 100, 2, None, 500), job(2, 200, 4, Some(650), 250)];
        let log = Log { name: "made up".to_owned(), machine: Machine { processors: 4 }, jobs };
        let extent = Extent::of(&log).unwrap();
        assert!((extent.utilisation_percent - 50.0).abs() < 1e-9, "{extent:?}");
        assert!((extent.weeks * WEEK_SECONDS - 1_000.0).abs() < 1e-6, "{extent:?}");
        assert_eq!(Extent::of(&Log { jobs: Vec::new(), ..log }), None);
    }
}

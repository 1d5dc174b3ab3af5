//! `sdiag`: the scheduler's figures, a name and a number a line, in sections.
//!
//! For: versions and sites without REST. Why passes ended is printed from 23.11 on only (seen in 26.05.3).
//!
//! Not for: the statistics of messages behind the figures.
//!
//! Source: 22.05.8 in our lab, 26.05.3 in `tests/shared_samples.rs`. Names repeat from section to section (`Last cycle`),
//! so each is looked for in its own. Times are printed for people, with the seconds since 1970 in parentheses behind
//! them.

use queuecast_workload::Time;

use super::listing::shown;
use super::printed::PrintedError;
use super::value::{self, WrittenTime};
use queuecast_records::{Diagnostics, PassExits};

const COMMAND: &str = "sdiag";
const MAIN: &str = "Main schedule statistics";
const BACKFILL: &str = "Backfilling stats";
const EXITS: &str = "Backfill exit";

/// Reads what `sdiag` prints.
pub fn diagnostics(bytes: &[u8]) -> Result<Diagnostics, PrintedError> {
    let text = String::from_utf8_lossy(bytes);
    let figures = Figures { lines: (1..).zip(text.lines()).collect() };
    let top = figures.top();
    let main = figures.section(MAIN)?;
    let backfill = figures.section(BACKFILL)?;
    Ok(Diagnostics {
        asked: top.time_behind("sdiag output at")?,
        since: top.time_behind("Data since")?,
        jobs_pending: top.count("Jobs pending")?,
        jobs_running: top.count("Jobs running")?,
        jobs_submitted: top.count("Jobs submitted")?,
        jobs_started: top.count("Jobs started")?,
        jobs_completed: top.count("Jobs completed")?,
        accounting_queue: top.count("DBD Agent queue size")?,
        server_threads: top.count("Server thread count")?,
        main_cycle_last_microseconds: main.count("Last cycle")?,
        main_cycle_mean_microseconds: main.count_or_zero("Mean cycle")?,
        backfill_last: backfill.time_behind("Last cycle when:")?,
        backfill_cycles: backfill.count("Total cycles")?,
        backfill_cycle_last_microseconds: backfill.count("Last cycle")?,
        backfill_cycle_mean_microseconds: backfill.count_or_zero("Mean cycle")?,
        backfill_queue: backfill.count("Last queue length")?,
        backfill_depth_last: backfill.find("Last depth cycle")?,
        backfilled_jobs: backfill.count("Total backfilled jobs (since last slurm start)")?,
        backfill_exits: match figures.section(EXITS) {
            Ok(exits) => Some(PassExits {
                end_of_queue: exits.count_or_zero("End of job queue")?,
                jobs_started: exits.count_or_zero("Hit bf_max_job_start")?,
                jobs_tested: exits.count_or_zero("Hit bf_max_job_test")?,
                time: exits.count_or_zero("Timeout (bf_max_time)")?,
                table: exits.count_or_zero("Hit table size limit (bf_node_space_size)")?,
                state_changed: exits.count_or_zero("System state changed")?,
            }),
            Err(_) => None,
        },
    })
}

/// Lines of a section with their numbers.
struct Figures<'a> {
    lines: Vec<(u64, &'a str)>,
}

impl Figures<'_> {
    /// The lines behind a heading, up to the next: figures of a section are set in by a tab, those at the top are not.
    fn section(&self, heading: &'static str) -> Result<Self, PrintedError> {
        let begin = self.lines.iter().position(|(_, line)| line.starts_with(heading));
        let begin = begin.ok_or(PrintedError::Missing { name: heading, command: COMMAND })?;
        let lines = self.lines[begin + 1..].iter().take_while(|(_, line)| line.starts_with('\t'));
        Ok(Self { lines: lines.copied().collect() })
    }

    fn top(&self) -> Self {
        Self { lines: self.lines.iter().filter(|(_, line)| !line.starts_with('\t')).copied().collect() }
    }

    fn find(&self, name: &'static str) -> Result<Option<u64>, PrintedError> {
        let found = self.lines.iter().find_map(|&(number, line)| {
            let value = line.trim_start().strip_prefix(name)?.strip_prefix(':')?;
            Some((number, value.trim()))
        });
        let Some((line, value)) = found else { return Ok(None) };
        let count = value::digits(value.as_bytes()).and_then(|number| u64::try_from(number).ok());
        let wrong = || PrintedError::NotA { line, name, value: shown(value), expected: "a whole number" };
        count.map(Some).ok_or_else(wrong)
    }

    fn count(&self, name: &'static str) -> Result<u64, PrintedError> {
        self.find(name)?.ok_or(PrintedError::Missing { name, command: COMMAND })
    }

    /// Means are left out while there is nothing to take the mean of.
    fn count_or_zero(&self, name: &'static str) -> Result<u64, PrintedError> {
        Ok(self.find(name)?.unwrap_or(0))
    }

    /// `Sun Nov 15 11:12:22 2026 (1794741142)`; a pass that never was is at 0.
    fn time_behind(&self, name: &'static str) -> Result<Option<Time>, PrintedError> {
        let found = self.lines.iter().find_map(|&(number, line)| Some((number, line.trim_start().strip_prefix(name)?)));
        let Some((line, value)) = found else { return Ok(None) };
        let seconds = value.rsplit_once('(').and_then(|(_, rest)| rest.trim_end().strip_suffix(')'));
        match seconds.and_then(|seconds| value::time(seconds.as_bytes(), None)) {
            Some(WrittenTime::Known(time)) => Ok(Some(time)),
            Some(WrittenTime::NotKnown) => Ok(None),
            Some(WrittenTime::Local) | None if value.trim() == "N/A" => Ok(None),
            Some(WrittenTime::Local) | None => Err(PrintedError::NotA {
                line,
                name,
                value: shown(value),
                expected: "a time with its seconds behind it",
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRINTED: &str = "*******************************************************
sdiag output at Sun Nov 15 11:12:22 2026 (1794741142)
Data since      Sun Nov 15 00:09:14 2026 (1794701354)
*******************************************************
Server thread count:  3
Agent queue size:     0
DBD Agent queue size: 5

Jobs submitted: 188
Jobs started:   124
Jobs completed: 110

Job states ts:  Sun Nov 15 11:11:57 2026 (1794741117)
Jobs pending:   64
Jobs running:   14

Main schedule statistics (microseconds):
\tLast cycle:   91000
\tMean cycle:   38444
\tLast queue length: 64

Backfilling stats
\tTotal backfilled jobs (since last slurm start): 110
\tTotal backfilled jobs (since last stats cycle start): 7
\tTotal cycles: 420
\tLast cycle when: Sun Nov 15 11:12:04 2026 (1794741124)
\tLast cycle: 12040800
\tMean cycle: 4816017
\tLast depth cycle: 63
\tLast depth cycle (try sched): 64
\tLast queue length: 62

Remote Procedure Call statistics by user
\troot            (       0) count:1831   ave_time:217702 total_time:398612800
";

    #[test]
    fn each_figure_is_found_in_its_own_section() {
        let read = diagnostics(PRINTED.as_bytes()).expect("figures");
        assert_eq!((read.asked, read.since), (Some(Time(1_794_741_142)), Some(Time(1_794_701_354))));
        assert_eq!((read.jobs_pending, read.jobs_running, read.accounting_queue), (64, 14, 5));
        assert_eq!((read.main_cycle_last_microseconds, read.main_cycle_mean_microseconds), (91_000, 38_444));
        assert_eq!((read.backfill_cycle_last_microseconds, read.backfill_queue), (12_040_800, 62));
        assert_eq!((read.backfill_depth_last, read.backfilled_jobs), (Some(63), 110));
        assert_eq!((read.backfill_last, read.backfill_exits), (Some(Time(1_794_741_124)), None));
        let exits = "\nBackfill exit\n\tEnd of job queue:269\n\tHit bf_max_job_test: 3\n\tTimeout (bf_max_time): 1\n";
        let read = diagnostics(format!("{PRINTED}{exits}").as_bytes()).expect("figures").backfill_exits.expect("exits");
        assert_eq!((read.end_of_queue, read.jobs_tested, read.time, read.table), (269, 3, 1, 0));
    }

    #[test]
    fn what_is_missing_is_named() {
        let error = diagnostics(b"sdiag: error").expect_err("nothing").to_string();
        assert_eq!(error, "Main schedule statistics is missing: this is not what `sdiag` prints");
        let error = diagnostics(PRINTED.replace("pending:   64", "pending: many").as_bytes()).expect_err("no number");
        assert_eq!(error.to_string(), "14:Jobs pending: `many` is not a whole number");
    }
}

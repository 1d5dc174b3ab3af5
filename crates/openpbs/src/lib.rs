//! PBS, the open one and PBS Professional: what the server writes of its jobs in its accounting logs, as records.
//!
//! For: streaming `server_priv/accounting/YYYYMMDD`, one file or many one behind the other, into one [`JobRecord`] an attempt, with every
//! line that cannot be read reported.
//!
//! Not for: asking a server that runs (qstat, pbsnodes); Torque, whose records lack what jobs asked for.
//!
//! Source: the chapter on accounting of the PBS Professional Administrator's Guide; `pbs_account(8B)`, `pbs_job_attributes(7B)`,
//! `pbs_resources(7B)` and, for the order and the quotes, `src/server/accounting.c` of release 23. Nothing was recorded from a server here.
//!
//! A line is `MM/DD/YYYY HH:MM:SS;TYPE;JOB;key=value key=value ...`. What is decided here:
//!
//! * **Attempts.** `E` (ended) and `R` (ran and was queued again) each say everything of one attempt. After `R` the job waits anew: its next
//!   attempt is submitted at the `end` of the one before, for the log keeps the first `ctime` for ever.
//! * **Who waits and runs.** `Q` and `S` are remembered until the job is over. A job that is deleted or aborted (`D`, `A`) before it starts
//!   is cancelled; one that is moved to another server (`M`) is revoked; what is left at the end of the log runs or waits on.
//! * **Arrays.** Every subjob is a job, known from its `S` on. The array as a whole (`123[]`) is none, and is passed over.
//! * **Times** are the epoch seconds of the keys. The time in front of a line is local and is used for `D`, `A` and `M` alone, which
//!   have no other: shifted by what `Q`, `E` and `R` before it showed the zone to be.
//! * **Run time** is from `start` to `end`; of a job that was suspended (`z`) it is `resources_used.walltime`, which stands still meanwhile.
//! * **Limits** are `Resource_List.walltime`, rounded up to whole minutes.
//! * **Processors** are what `exec_vnode` sums up to, or else `exec_host`; asked for is `Resource_List.ncpus`, or else `.select`.
//! * **Account** is `account` (`qsub -A`), or else the project if it is not the default one, or else the group.
//! * **State.** 0 is completed; -29, or a signal when the limit had passed, is a timeout; -26 and -27 are out of memory; what somebody deleted
//!   is cancelled; everything else has failed.
//!
//! ```
//! use queuecast_openpbs::AccountingLog;
//! use queuecast_records::log::{RecordEntry, RecordLog};
//! use queuecast_workload::Time;
//!
//! let log = "03/02/2026 10:00:00;Q;7.pbs;user=ada queue=work ctime=1772445600 qtime=1772445600 Resource_List.ncpus=8\n\
//!            03/02/2026 11:30:00;E;7.pbs;user=ada queue=work jobname=heat ctime=1772445600 start=1772445900 \
//!            exec_host=n1/0*8 Resource_List.walltime=02:00:00 end=1772451000 Exit_status=0 run_count=1\n";
//! let mut reader = AccountingLog::new(log.as_bytes(), None);
//! let Some(RecordEntry::Job(job)) = reader.next_entry()? else { panic!("a job") };
//! assert_eq!((job.user.as_str(), job.started, job.allocated.cpus), ("ada", Some(Time(1_772_445_900)), Some(8)));
//! assert!(reader.next_entry()?.is_none());
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! [`JobRecord`]: queuecast_records::JobRecord

mod attributes;
mod bad_line;
mod job;
mod line;
mod open_jobs;
mod read;
mod resources;
mod value;

pub use bad_line::{BadLine, Problem, Reason};
pub use line::is_accounting;
pub use read::{AccountingLog, LINE_BYTES_MAX};

//! How Slurm's scheduler is doing: what `sdiag` and REST `/diag` tell.
//!
//! For: knowing whether backfill is alive and whether its plan was cut short.
//!
//! Not for: counting failures; `jobs_failed` stays zero while jobs fail (26.05) and is left out.
//!
//! Source: REST `/diag` of 22.05 and of v0.0.40 to v0.0.45. All cycles are in microseconds.

use queuecast_workload::Time;

/// The scheduler's figures since its statistics were last reset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Diagnostics {
    /// When this was asked.
    pub asked: Option<Time>,
    /// Since when it counts.
    pub since: Option<Time>,
    /// Jobs in the queue.
    pub jobs_pending: u64,
    /// Jobs that run.
    pub jobs_running: u64,
    /// Jobs submitted.
    pub jobs_submitted: u64,
    /// Jobs started.
    pub jobs_started: u64,
    /// Jobs completed.
    pub jobs_completed: u64,
    /// Messages that wait for accounting: it is behind if this grows.
    pub accounting_queue: u64,
    /// Threads of the controller at work.
    pub server_threads: u64,
    /// The last main pass.
    pub main_cycle_last_microseconds: u64,
    /// The mean main pass.
    pub main_cycle_mean_microseconds: u64,
    /// When backfill last ran.
    pub backfill_last: Option<Time>,
    /// How often it ran.
    pub backfill_cycles: u64,
    /// Its last pass.
    pub backfill_cycle_last_microseconds: u64,
    /// Its mean pass.
    pub backfill_cycle_mean_microseconds: u64,
    /// Jobs it saw in the queue last time.
    pub backfill_queue: u64,
    /// Jobs it looked at last time; from v0.0.40.
    pub backfill_depth_last: Option<u64>,
    /// Jobs it started.
    pub backfilled_jobs: u64,
    /// Why its passes ended; from v0.0.40.
    pub backfill_exits: Option<PassExits>,
}

/// Why backfill's passes ended. All but the first mean that a plan was cut short.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PassExits {
    /// It saw the whole queue.
    pub end_of_queue: u64,
    /// It had started as many as it may.
    pub jobs_started: u64,
    /// It had tried as many as it may.
    pub jobs_tested: u64,
    /// It took too long.
    pub time: u64,
    /// Its table was full.
    pub table: u64,
    /// Something changed under it.
    pub state_changed: u64,
}

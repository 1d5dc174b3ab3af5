//! The scheduler's figures of REST `/diag` and `sdiag --json`.

use super::field::{Field, Problem};
use queuecast_records::{Diagnostics, PassExits};

pub(super) fn decode(statistics: &Field<'_>) -> Result<Diagnostics, Problem> {
    let count = |name: &str| statistics.required_count(name);
    Ok(Diagnostics {
        asked: statistics.time("req_time")?,
        since: statistics.time("req_time_start")?,
        jobs_pending: count("jobs_pending")?,
        jobs_running: count("jobs_running")?,
        jobs_submitted: count("jobs_submitted")?,
        jobs_started: count("jobs_started")?,
        jobs_completed: count("jobs_completed")?,
        accounting_queue: count("dbd_agent_queue_size")?,
        server_threads: count("server_thread_count")?,
        main_cycle_last_microseconds: count("schedule_cycle_last")?,
        main_cycle_mean_microseconds: count("schedule_cycle_mean")?,
        backfill_last: statistics.time("bf_when_last_cycle")?,
        backfill_cycles: count("bf_cycle_counter")?,
        backfill_cycle_last_microseconds: count("bf_cycle_last")?,
        backfill_cycle_mean_microseconds: count("bf_cycle_mean")?,
        backfill_queue: count("bf_queue_len")?,
        backfill_depth_last: statistics.count("bf_last_depth")?,
        backfilled_jobs: count("bf_backfilled_jobs")?,
        backfill_exits: match statistics.get("bf_exit") {
            Some(exits) => Some(pass_exits(&exits)?),
            None => None,
        },
    })
}

fn pass_exits(exits: &Field<'_>) -> Result<PassExits, Problem> {
    let count = |name: &str| exits.count(name).map(Option::unwrap_or_default);
    Ok(PassExits {
        end_of_queue: count("end_job_queue")?,
        jobs_started: count("bf_max_job_start")?,
        jobs_tested: count("bf_max_job_test")?,
        time: count("bf_max_time")?,
        table: count("bf_node_space_size")?,
        state_changed: count("state_changed")?,
    })
}

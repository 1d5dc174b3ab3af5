//! The first forecast of every job, as the daemon kept it before anybody saw it (docs/operations/store.md).
//!
//! Not for: the starts the daemon noted; truth is accounting's.

use std::path::Path;

use anyhow::{Context, Result};
use queuecast_workload::Time;
use rusqlite::{Connection, OpenFlags};

/// The first forecast of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstForecast {
    /// The job as Slurm writes it; the rest of an array without its tasks.
    pub job: String,
    /// When it was submitted.
    pub submitted: Time,
    /// When the forecast was made.
    pub made: Time,
    /// The middle.
    pub median: Time,
    /// What `squeue --start` had at that moment.
    pub slurm_estimate: Option<Time>,
}

/// All of them, in order.
pub fn first_forecasts(folder: &Path) -> Result<Vec<FirstForecast>> {
    let path = folder.join("daemon/store.sqlite");
    let opened = Connection::open_with_flags(&path, OpenFlags::SQLITE_OPEN_READ_ONLY);
    let connection = opened.with_context(|| format!("{}: the daemon's store", path.display()))?;
    let query = "SELECT CASE part WHEN '' THEN CAST(job_id AS TEXT) ELSE part END, submitted, made, start_p50, slurm_estimate \
                 FROM forecasts JOIN jobs ON jobs.id = forecasts.job WHERE first ORDER BY made, job";
    let mut query = connection.prepare(query)?;
    let rows = query.query_map([], |row| {
        Ok(FirstForecast {
            job: row.get(0)?,
            submitted: Time(row.get(1)?),
            made: Time(row.get(2)?),
            median: Time(row.get(3)?),
            slurm_estimate: row.get::<_, Option<i64>>(4)?.map(Time),
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

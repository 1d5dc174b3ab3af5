//! The daemon's own watcher put before a recording: what it would have told, without a Slurm and without waiting.
//!
//! For: trying a change of the model on a stretch that is over. Everything is the product's (ledger, store, learner, futures, correction);
//! only the clock and the way to ask are the recording's, and nothing is told before its time.
//!
//! Not for: what the interface says and how late it is, which a lab shows (`told.rs`). The queue was recorded every ten lab minutes, where a
//! daemon reads it more often.

mod clock;
mod replayed;
mod source;

use std::path::Path;

use anyhow::{Context, Result};
use queuecast_advise::limit::LimitRecord;
use queuecast_daemon::board::Board;
use queuecast_daemon::store::Store;
use queuecast_daemon::watch::{Background, WatchSettings, Watcher, World};
use queuecast_forecast::estimate::JobForecast;
use queuecast_site::published::{Published, PublishedJob};
use queuecast_workload::Time;

pub use self::replayed::{Difference, Replayed, replay};

use self::clock::RecordedClock;
use self::source::RecordedSource;
use crate::judged::{
    Judged, JudgedLimits, JudgedReading, JudgedTwin, ReplayCheck, WaitingCounts, is_held, judge_firsts, judge_probes,
};
use crate::starts::Starts;
use crate::store::first_forecasts;
use crate::told;

/// Watches a recording again, and judges what was said. A second recording of the same stretch is for the twin's floor. Whom people asked about while it
/// was recorded is judged by what they were told then.
pub fn rewatch(name: &str, recording: &Path, again: Option<&Path>, scratch: &Path) -> Result<Judged> {
    let starts = Starts::read(recording)?;
    let source = RecordedSource::open(recording)?;
    let clock = RecordedClock::at(source.moments().first().copied().unwrap_or_default());
    let folder = scratch.join("daemon");
    std::fs::create_dir_all(&folder)?;
    let store = Store::open(&folder.join("store.sqlite"))?;
    let board = Board::new(Published::nothing_yet());
    let asked = source.clone();
    let told_time = clock.clone();
    let world = World {
        clock: Box::new(clock.clone()),
        connect: Box::new(move || Ok(Box::new(asked.at(told_time.clone())))),
        background: Background::in_place(),
    };
    let mut watcher = Watcher::new(store, board.clone(), world, WatchSettings::default())?;
    let (mut readings, mut waiting, mut limits_before) = (Vec::new(), WaitingCounts::default(), None);
    for moment in source.moments() {
        clock.turn_to(*moment);
        watcher.step().with_context(|| format!("at {}", moment.0))?;
        waiting.readings += 1;
        // By now it remembers what accounting had.
        limits_before.get_or_insert_with(|| watcher.limits_kept());
        for job in board.read().published.jobs.iter().filter(|job| job.started.is_none()) {
            readings.extend(judge(job, *moment, &starts, &mut waiting));
        }
    }
    let check = board.read().published.replay_check;
    let limits = judge_limits(&limits_before.unwrap_or_default(), &watcher.limits_kept());
    drop(watcher);
    let probes = if recording.join("probes.jsonl").exists() { told::probes(recording)? } else { Vec::new() };
    let (probes, probes_without_pair) = judge_probes(&probes, &starts);
    Ok(Judged {
        name: name.to_owned(),
        readings,
        waiting,
        firsts: judge_firsts(&first_forecasts(scratch)?, &starts),
        replay: ReplayCheck { starts: check.starts, explained: check.explained, missing: check.missing },
        replayed: replay(recording)?.counts(),
        twin: JudgedTwin::of(recording, again)?,
        probes,
        probes_without_pair,
        limits,
        ..Judged::default()
    })
}

/// What came of the limits told meanwhile.
fn judge_limits(before: &[(f64, LimitRecord)], after: &[(f64, LimitRecord)]) -> Vec<JudgedLimits> {
    let both = before.iter().zip(after);
    let told = both.map(|((accepted, before), (_, after))| JudgedLimits {
        max_risk: *accepted,
        told_shorter: after.jobs - before.jobs,
        killed: after.killed - before.killed,
    });
    told.collect()
}

fn judge(job: &PublishedJob, now: Time, starts: &Starts, counts: &mut WaitingCounts) -> Option<JudgedReading> {
    let code = match &job.forecast {
        JobForecast::NoForecast(none) => Some(none.code),
        JobForecast::Estimate(_) => None,
    };
    if is_held(code) || is_held(Some(&job.reason)) {
        counts.held += 1;
        return None;
    }
    counts.waiting += 1;
    let JobForecast::Estimate(told) = &job.forecast else {
        *counts.no_forecast.entry(code.unwrap_or_default().to_owned()).or_default() += 1;
        return None;
    };
    let Some(start) = starts.next_of(job.job_id, &job.part, now) else {
        counts.never_started += 1;
        return None;
    };
    let times = &told.start.times;
    let holds = |range: usize| (times[range]..=times[8 - range]).contains(&start.at);
    Some(JudgedReading {
        job: job.job_id.to_string(),
        read: now,
        partition: start.partition.clone(),
        left_seconds: (start.at - now).as_f64(),
        told_seconds: (times[4] - now).as_f64(),
        width_seconds: (times[6] - times[2]).as_f64(),
        is_held: [holds(3), holds(2), holds(0)],
        slurm_error_seconds: job.slurm_estimated_start.map(|planned| (planned - start.at).as_f64().abs()),
        begins_in_the_past: times[2] < now,
    })
}

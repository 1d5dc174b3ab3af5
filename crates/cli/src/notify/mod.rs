//! `qcast notify`: tells a web hook when a job is about to start, when it started, and when it is gone.
//!
//! For: notebooks, chat rooms and workflows, where mail from Slurm is switched off. The daemon is asked about one job every half
//! minute, Slurm nothing.
//!
//! Not for: running commands; a hook that runs something belongs to whoever receives the request.
//!
//! At least once: what was not taken is sent again, with the same key, until it is or `--give-up` has passed.

mod event;
mod post;
mod span;

use std::time::{Duration, Instant};

use anyhow::anyhow;
use clap::Args;
use queuecast_api::forecast::{ForecastAnswer, StateAnswer};
use queuecast_api::{Client, route};
use queuecast_records::WrittenJobId;

use self::event::{Seen, Watch};
use self::post::{Hook, Outbox};
use self::span::written_span;
use crate::ask::clusters::AskedArgs;
use crate::ask::inert::inert;
use crate::failure::{Cause, Failure, say};

/// The arguments of `qcast notify`.
#[derive(Debug, Args)]
#[command(
    after_help = "Ends with 0 when the job has started or is gone and that was taken, with 3 if there is no such job, with 4 if \
                  the web hook did not take a message before --give-up."
)]
pub struct NotifyArgs {
    #[command(flatten)]
    service: AskedArgs,
    /// A job as Slurm writes it (1234, `123_4`, 123+0).
    #[arg(value_name = "JOB")]
    job: String,
    /// Where the messages go, by POST; http only.
    #[arg(long, value_name = "URL")]
    webhook: String,
    /// How long before its median start a job is about to start, such as 10m or 1h.
    #[arg(long, value_name = "SPAN", default_value = "10m", value_parser = written_span)]
    before: Duration,
    /// Tell only that it started, not that it is about to.
    #[arg(long, conflicts_with = "before")]
    once_started: bool,
    /// How long a message is tried again.
    #[arg(long, value_name = "SPAN", default_value = "1h", value_parser = written_span)]
    give_up: Duration,
    /// Seconds between two questions to the daemon.
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(2..))]
    interval: u64,
}

/// Runs `qcast notify`.
pub fn run(arguments: &NotifyArgs) -> Result<(), Failure> {
    let id = WrittenJobId::parse(arguments.job.as_bytes()).filter(|id| !id.is_step);
    if id.is_none() {
        return Err(Failure::usage(format_args!("{}: not the number of a job", inert(&arguments.job)))
            .with_hint("write 1234, 123_4 or 123+0"));
    }
    let service = arguments.service.connect()?;
    let hook = Hook::at(&arguments.webhook)?;
    let path = route::of_job(route::JOB_FORECAST, &arguments.job);
    let before = (!arguments.once_started).then_some(arguments.before);
    // Somebody who mistyped the job or the socket hears of it now, and not never.
    let Some(first) = service.find(&path)? else {
        let told = anyhow!("no job {} waits or runs, as far as you may see", arguments.job);
        return Err(Failure::new(Cause::Input, told).with_hint("look at `squeue`"));
    };
    let first: ForecastAnswer = first.read()?;
    if first.state == StateAnswer::Finished {
        let told = anyhow!("job {} has ended", arguments.job);
        return Err(Failure::new(Cause::Input, told).with_hint("`qcast when` says when and how"));
    }
    let mut watch = Watch::new(before);
    let mut outbox = Outbox::new(arguments.give_up);
    outbox.add(watch.see(&Seen::There(Box::new(first))));
    let interval = Duration::from_secs(arguments.interval);
    let mut next_look = Instant::now() + interval;
    let mut is_away = false;
    while !(watch.is_over() && outbox.is_empty()) {
        outbox.send(&hook, Instant::now())?;
        if !watch.is_over() && Instant::now() >= next_look {
            next_look = Instant::now() + interval;
            match seen(&service, &path) {
                Ok(seen) => {
                    is_away = false;
                    outbox.add(watch.see(&seen));
                }
                Err(failure) => {
                    if !is_away {
                        say(format_args!("{}; asking on", failure.told()));
                    }
                    is_away = true;
                }
            }
        }
        let wake = [(!watch.is_over()).then_some(next_look), outbox.next_try()].into_iter().flatten().min();
        if let Some(wake) = wake {
            std::thread::sleep(wake.saturating_duration_since(Instant::now()));
        }
    }
    Ok(())
}

/// A daemon that has not read the queue yet knows no job: that one is not there is believed only of one that has.
fn seen(service: &Client, path: &str) -> Result<Seen, Failure> {
    if let Some(answer) = service.find(path)? {
        let answer: ForecastAnswer = answer.read()?;
        let has_ended = answer.state == StateAnswer::Finished;
        return Ok(if has_ended { Seen::Gone } else { Seen::There(Box::new(answer)) });
    }
    let is_known = service.health()?.queue.age_seconds.is_some();
    Ok(if is_known { Seen::Gone } else { Seen::Unknown })
}

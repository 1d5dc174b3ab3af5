//! Watched and sent from here: for ways that the administrator does not allow the daemon, and while somebody looks.
//!
//! The daemon is asked about one job every half minute, Slurm nothing.

use std::time::{Duration, Instant};

use anyhow::anyhow;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use queuecast_api::forecast::{ForecastResponse, StateResponse};
use queuecast_api::{Client, route};
use queuecast_notify::{Carrier, Hook, MailServer, Mailer, NotTaken, Outbox, Program, Seen, Setup, Watch};

use super::{NotifyArgs, no_way};
use crate::ask::inert::inert;
use crate::failure::{Cause, Failure, say};

/// Between two looks at whether something is due.
const LOOK: Duration = Duration::from_millis(200);

/// Watches until the job has started or is gone, and that was told.
pub fn run(arguments: &NotifyArgs, job: &str) -> Result<(), Failure> {
    let carrier = carrier(arguments)?;
    let service = arguments.service.connect()?;
    let path = route::of_job(route::JOB_FORECAST, job);
    // Somebody who mistyped the job or the socket hears of it now, and not never.
    let Some(first) = service.find(&path)? else {
        let told = anyhow!("job {job} is not pending or running, or not visible to you");
        return Err(Failure::new(Cause::Input, told).with_hint("check the job ID with `squeue`"));
    };
    let first: ForecastResponse = first.read()?;
    if first.state == StateResponse::Finished {
        let told = anyhow!("job {job} has ended");
        return Err(Failure::new(Cause::Input, told).with_hint("`qcast when` shows when and how the job ended"));
    }
    let mut watch = Watch::new(arguments.before());
    let mut outbox = Outbox::default();
    outbox.add(watch.see(&Seen::There(Box::new(first))));
    let interval = Duration::from_secs(arguments.from_here.interval);
    let mut next_look = Instant::now() + interval;
    let mut is_away = false;
    let zone = TimeZone::system();
    while !(watch.is_over() && outbox.is_empty()) {
        send(&mut outbox, &carrier, arguments.from_here.give_up, &zone)?;
        if !watch.is_over() && Instant::now() >= next_look {
            next_look = Instant::now() + interval;
            match seen(&service, &path) {
                Ok(seen) => {
                    is_away = false;
                    outbox.add(watch.see(&seen));
                    continue;
                }
                Err(failure) => {
                    if !is_away {
                        say(format_args!("warning: {}; still trying", failure.told()));
                    }
                    is_away = true;
                }
            }
        }
        std::thread::sleep(LOOK);
    }
    Ok(())
}

fn carrier(arguments: &NotifyArgs) -> Result<Carrier, Failure> {
    let wrong = |option: &str, value: &str, setup: &Setup| {
        Failure::usage(format_args!("{option} {}: {}", inert(value), inert(&setup.0)))
    };
    if let Some(url) = &arguments.webhook {
        let hook = Hook::at(url, arguments.template(url)).map_err(|setup| wrong("--webhook", url, &setup))?;
        return Ok(Carrier::Webhook(hook));
    }
    if let Some(address) = &arguments.mail {
        if address.is_empty() {
            return Err(Failure::usage("--mail needs an address with --here").with_hint("write --mail=ADDRESS"));
        }
        let server: MailServer = arguments
            .from_here
            .mail_server
            .parse()
            .map_err(|setup| wrong("--mail-server", &arguments.from_here.mail_server, &setup))?;
        let from = arguments.from_here.mail_from.as_ref().unwrap_or(address);
        return Mailer::new(&server, from, address)
            .map(Carrier::Mail)
            .map_err(|setup| wrong("--mail", address, &setup));
    }
    if let Some(path) = &arguments.command {
        if path.is_empty() {
            return Err(Failure::usage("--command needs a program with --here").with_hint("write --command=PROGRAM"));
        }
        return Ok(Carrier::Program(Program { path: path.into(), user: None }));
    }
    Err(no_way())
}

/// Sends what is due, the oldest first.
fn send(outbox: &mut Outbox, carrier: &Carrier, give_up: Duration, zone: &TimeZone) -> Result<(), Failure> {
    while let Some(message) = outbox.due(Timestamp::now().as_second()).cloned() {
        let Err(refused) = carrier.deliver(&message, zone) else {
            outbox.taken();
            continue;
        };
        let limit = if refused.is_final { Duration::ZERO } else { give_up };
        match outbox.not_taken(Timestamp::now().as_second(), limit) {
            NotTaken::TryAgain(pause) => {
                say(format_args!(
                    "warning: message not delivered; next attempt in {} s: {}",
                    pause.as_secs(),
                    inert(&refused.why)
                ));
            }
            NotTaken::GivenUp(tried) => {
                let told = anyhow!(
                    "message {} not delivered within {} s: {}",
                    inert(&message.key),
                    tried.as_secs(),
                    inert(&refused.why)
                );
                return Err(Failure::new(Cause::Output, told)
                    .with_hint("check the destination, or allow more time with --give-up"));
            }
        }
    }
    Ok(())
}

/// A daemon that has not read the queue yet knows no job: that one is not there is believed only of one that has.
fn seen(service: &Client, path: &str) -> Result<Seen, Failure> {
    if let Some(answer) = service.find(path)? {
        let answer: ForecastResponse = answer.read()?;
        let has_ended = answer.state == StateResponse::Finished;
        return Ok(if has_ended { Seen::Gone } else { Seen::There(Box::new(answer)) });
    }
    let is_known = service.health()?.queue.age_seconds.is_some();
    Ok(if is_known { Seen::Gone } else { Seen::Unknown })
}

//! Ordered from the daemon, which watches and sends when nobody's terminal is open.

use std::thread;
use std::time::{Duration, Instant};

use anyhow::anyhow;
use queuecast_api::notification::{Destination, NotificationRequest, NotificationResponse, NotificationsResponse};
use queuecast_api::{Client, route};
use serde::Serialize;

use super::{NotifyArgs, no_way};
use crate::ask::inert::inert;
use crate::failure::{Cause, Failure, say};
use crate::output::{Report, Sheet, print_answer};

/// So long one waits to hear that the first message was taken: longer than any way has to take it.
const FIRST_MESSAGE: Duration = Duration::from_secs(15);
/// Between two questions whether it was.
const LOOK: Duration = Duration::from_millis(700);

/// Notices as they are printed.
#[derive(Debug, Serialize)]
#[serde(transparent)]
struct Listed(NotificationsResponse);

impl Report for Listed {
    fn tables(&self) -> Vec<Sheet> {
        let mut sheet = Sheet::new(["job", "", "", "", "delivered", "pending", ""]);
        for notice in &self.0.notifications {
            sheet.add([
                inert(&notice.job),
                inert(&notice.user),
                inert(&notice.by),
                inert(notice.to.as_deref().unwrap_or_default()),
                notice.delivered.to_string(),
                notice.waiting.to_string(),
                inert(notice.problem.as_deref().unwrap_or_default()),
            ]);
        }
        vec![sheet]
    }

    fn csv(&self) -> Sheet {
        let mut sheet =
            Sheet::new(["id", "job", "user", "by", "to", "before_seconds", "made", "delivered", "waiting", "problem"]);
        for notice in &self.0.notifications {
            sheet.add([
                notice.id.clone(),
                notice.job.clone(),
                notice.user.clone(),
                notice.by.clone(),
                notice.to.clone().unwrap_or_default(),
                notice.before_seconds.map(|before| before.to_string()).unwrap_or_default(),
                notice.made.unix.to_string(),
                notice.delivered.to_string(),
                notice.waiting.to_string(),
                notice.problem.clone().unwrap_or_default(),
            ]);
        }
        sheet
    }
}

/// Asks the daemon for it, and waits for the first message.
pub fn ask(arguments: &NotifyArgs, job: &str) -> Result<(), Failure> {
    let question = NotificationRequest {
        job: job.to_owned(),
        before_seconds: arguments.before().map(|before| before.as_secs()),
        to: destination(arguments)?,
    };
    let service = arguments.service.connect_to_daemon()?;
    let mut notice: NotificationResponse = service.post(route::NOTIFICATIONS, &question)?.read()?;
    let until = Instant::now() + FIRST_MESSAGE;
    while notice.delivered == 0 && notice.problem.is_none() && Instant::now() < until {
        thread::sleep(LOOK);
        // One that is no longer there has been told everything already.
        let Some(now) = listed(&service)?.notifications.into_iter().find(|other| other.id == notice.id) else { break };
        notice = now;
    }
    let way = way(&notice);
    match &notice.problem {
        Some(problem) if notice.delivered == 0 => {
            let told = anyhow!("confirmation message {way} not delivered: {}", inert(problem));
            let hint = if notice.waiting > 0 {
                "the daemon retries for an hour; see `qcast notify --list`, or cancel the notification with --cancel"
            } else {
                "the daemon does not retry; cancel the notification with --cancel, correct the address, and request it again"
            };
            return Err(Failure::new(Cause::Output, told).with_hint(hint));
        }
        _ if notice.delivered == 0 => say(format_args!("the confirmation message {way} is not delivered yet")),
        _ => say(format_args!(
            "notifications for job {} are sent {way}; the confirmation message was delivered",
            inert(&notice.job)
        )),
    }
    print_answer(&Listed(NotificationsResponse { notifications: vec![notice] }), arguments.format.format)
}

/// Shows what was asked for.
pub fn list(arguments: &NotifyArgs) -> Result<(), Failure> {
    let listed = listed(&arguments.service.connect_to_daemon()?)?;
    if listed.notifications.is_empty() {
        say("no pending notifications");
    }
    print_answer(&Listed(listed), arguments.format.format)
}

/// Cancels whatever was asked for of this job.
pub fn cancel(arguments: &NotifyArgs, job: &str) -> Result<(), Failure> {
    let service = arguments.service.connect_to_daemon()?;
    let mut notices = listed(&service)?.notifications;
    notices.retain(|notice| notice.job == job);
    if notices.is_empty() {
        let told = anyhow!("no notification requested for job {job}");
        return Err(Failure::new(Cause::Input, told)
            .with_hint("`qcast notify --list` shows the notifications you have requested"));
    }
    for notice in &notices {
        service.post(&route::cancelling(&notice.id), &serde_json::json!({}))?;
    }
    say(format_args!("notifications for job {job} are cancelled"));
    print_answer(&Listed(NotificationsResponse { notifications: notices }), arguments.format.format)
}

fn listed(service: &Client) -> Result<NotificationsResponse, Failure> {
    Ok(service.get(route::NOTIFICATIONS)?.read()?)
}

/// The daemon has its own address and program for each user: what one would name here would not count, so it is refused.
fn destination(arguments: &NotifyArgs) -> Result<Destination, Failure> {
    let only_here = |option: &str| {
        Failure::usage(format_args!("{option} needs --here: the daemon uses the value set by your administrator"))
            .with_hint("remove the value, or add --here")
    };
    match (&arguments.webhook, &arguments.mail, &arguments.command) {
        (Some(url), ..) => Ok(Destination::Webhook { url: url.clone(), template: arguments.template(url) }),
        (None, Some(address), _) if !address.is_empty() => Err(only_here("--mail=ADDRESS")),
        (None, Some(_), _) => Ok(Destination::Mail {}),
        (None, None, Some(path)) if !path.is_empty() => Err(only_here("--command=PROGRAM")),
        (None, None, Some(_)) => Ok(Destination::Command {}),
        (None, None, None) => Err(no_way()),
    }
}

fn way(notice: &NotificationResponse) -> String {
    match (notice.by.as_str(), &notice.to) {
        ("webhook", Some(host)) => format!("by web hook at {}", inert(host)),
        (by, _) => format!("by {}", inert(by)),
    }
}

//! `qcast notify`: tells somebody when a job is about to start, when it started, and when it is gone: by web hook, by mail or by a command.
//!
//! For: people and workflows, where mail from Slurm is switched off or comes too late to get ready. The daemon watches and sends, so that
//! no terminal stays open (`ordered`); with `--here` this process does (`here`).
//!
//! Not for: what a message says and how it travels (`queuecast-notify`); what the daemon may do for users (`queuecast-daemon`).

mod here;
mod ordered;
mod span;

use std::time::Duration;

use clap::{ArgGroup, Args, ValueEnum};
use queuecast_api::notification::Template;
use queuecast_records::WrittenJobId;

use self::span::written_span;
use crate::ask::clusters::AskedArgs;
use crate::ask::inert::inert;
use crate::failure::Failure;
use crate::output::FormatArgs;

/// The arguments of `qcast notify`.
#[derive(Debug, Args)]
#[command(
    group(ArgGroup::new("way").args(["webhook", "mail", "command"])),
    after_help = "The daemon sends the notifications, even after this command and your terminal have ended. A confirmation is sent at \
                  once, so that you can see that delivery works. If the administrator does not allow a delivery method, use --here: \
                  this command then sends the notifications itself, for as long as it runs.\n\n\
                  Exit status: 0 if the daemon has accepted the request, or with --here if the notification of the start or end of the job \
                  was delivered, 3 if the job is unknown, 4 if a message was not delivered."
)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub struct NotifyArgs {
    #[command(flatten)]
    service: AskedArgs,
    /// Job ID as Slurm writes it (1234, `123_4`, 123+0).
    #[arg(value_name = "JOB", required_unless_present = "list", conflicts_with = "list")]
    job: Option<String>,
    /// URL of a web hook to post to.
    #[arg(long, value_name = "URL")]
    webhook: Option<String>,
    /// Send mail: to the address configured by your administrator or, with --here, to ADDRESS.
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    mail: Option<String>,
    /// Run a program: the one configured by your administrator or, with --here, PROGRAM.
    ///
    /// The program reads the message as JSON from its standard input.
    #[arg(long, value_name = "PROGRAM", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    command: Option<String>,
    /// Format of the posted message [default: chosen by the host of the URL, or json].
    #[arg(long, value_enum, conflicts_with_all = ["mail", "command", "list", "cancel"])]
    template: Option<TemplateChoice>,
    /// Time before the forecast start at which to notify you, such as 10m or 1h.
    #[arg(long, value_name = "SPAN", default_value = "10m", value_parser = written_span)]
    before: Duration,
    /// Notify you only when the job has started, and not before.
    #[arg(long, conflicts_with = "before")]
    once_started: bool,
    /// List the notifications you have requested.
    #[arg(long, conflicts_with_all = ["way", "cancel", "here"])]
    list: bool,
    /// Cancel the notifications for this job.
    #[arg(long, conflicts_with_all = ["way", "here"])]
    cancel: bool,
    /// Watch the job and send from this command, for as long as this command runs.
    #[arg(long)]
    here: bool,
    #[command(flatten)]
    from_here: HereArgs,
    #[command(flatten)]
    format: FormatArgs,
}

/// What counts with `--here` only: for the daemon its administrator has said it.
#[derive(Debug, Args)]
struct HereArgs {
    /// Time after which an undelivered message is given up, such as 30m or 1h.
    #[arg(long, value_name = "SPAN", default_value = "1h", value_parser = written_span, requires = "here")]
    give_up: Duration,
    /// Polling interval in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(2..), requires = "here")]
    interval: u64,
    /// Mail server: the path of sendmail, `smtp://HOST` or `smtps://HOST`.
    #[arg(long, value_name = "SERVER", default_value = "/usr/sbin/sendmail", requires = "here")]
    mail_server: String,
    /// Sender address of the mail [default: the recipient].
    #[arg(long, value_name = "ADDRESS", requires = "here")]
    mail_from: Option<String>,
}

/// As it is written on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TemplateChoice {
    /// All fields as JSON, for programs.
    Json,
    /// For an incoming web hook of Slack.
    Slack,
    /// For a workflow of Microsoft Teams.
    Teams,
    /// For an incoming web hook of Mattermost.
    Mattermost,
    /// For a topic of ntfy.
    Ntfy,
}

/// Hosts whose web hooks all take the same.
const KNOWN_HOSTS: [(&str, Template); 5] = [
    ("hooks.slack.com", Template::Slack),
    (".webhook.office.com", Template::Teams),
    (".logic.azure.com", Template::Teams),
    (".powerplatform.com", Template::Teams),
    ("ntfy.sh", Template::Ntfy),
];

impl NotifyArgs {
    /// How long before its start; none to be told only that it started.
    fn before(&self) -> Option<Duration> {
        (!self.once_started).then_some(self.before)
    }

    /// What a web hook at this address is sent. Somebody who has pasted Slack's address and no more hears of it now, and not never.
    fn template(&self, address: &str) -> Template {
        match self.template {
            Some(TemplateChoice::Json) => Template::Json,
            Some(TemplateChoice::Slack) => Template::Slack,
            Some(TemplateChoice::Teams) => Template::Teams,
            Some(TemplateChoice::Mattermost) => Template::Mattermost,
            Some(TemplateChoice::Ntfy) => Template::Ntfy,
            None => {
                let host = queuecast_notify::AllowedHost::host_of(address).unwrap_or_default();
                let known = KNOWN_HOSTS
                    .iter()
                    .find(|(known, _)| if known.starts_with('.') { host.ends_with(known) } else { host == *known });
                known.map_or(Template::Json, |(_, template)| *template)
            }
        }
    }
}

/// Runs `qcast notify`.
pub fn run(arguments: &NotifyArgs) -> Result<(), Failure> {
    let Some(job) = &arguments.job else { return ordered::list(arguments) };
    if WrittenJobId::parse(job.as_bytes()).is_none_or(|id| id.is_step) {
        return Err(
            Failure::usage(format_args!("{} is not a job ID", inert(job))).with_hint("write 1234, 123_4 or 123+0")
        );
    }
    match (arguments.cancel, arguments.here) {
        (true, _) => ordered::cancel(arguments, job),
        (false, true) => here::run(arguments, job),
        (false, false) => ordered::ask(arguments, job),
    }
}

/// Nothing was said of how.
fn no_way() -> Failure {
    Failure::usage("no notification method given").with_hint("add --mail, --webhook URL or --command")
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Debug, Parser)]
    struct Cli {
        #[command(flatten)]
        arguments: NotifyArgs,
    }

    fn parsed(words: &[&str]) -> Result<NotifyArgs, clap::Error> {
        Cli::try_parse_from([&["notify"], words].concat()).map(|cli| cli.arguments)
    }

    #[test]
    fn an_address_tells_what_it_takes_unless_that_is_said() {
        let template = |url: &str, more: &[&str]| {
            parsed(&[&["7", "--webhook", url], more].concat()).expect("well said").template(url)
        };
        assert_eq!(template("https://hooks.slack.com/services/x", &[]), Template::Slack);
        assert_eq!(template("https://prod-1.westeurope.logic.azure.com:443/x", &[]), Template::Teams);
        assert_eq!(template("https://ntfy.sh/topic", &[]), Template::Ntfy);
        assert_eq!(template("https://hooks.slack.com.evil.net/x", &[]), Template::Json);
        assert_eq!(template("https://chat.example.org/hooks/x", &["--template", "mattermost"]), Template::Mattermost);
    }

    #[test]
    fn one_way_at_a_time_and_a_job_unless_it_is_a_list() {
        for wrong in [
            vec![],
            vec!["7", "--mail", "--webhook", "https://x.org/"],
            vec!["--list", "7"],
            vec!["--list", "--mail"],
            vec!["7", "--cancel", "--mail"],
            vec!["7", "--mail", "--give-up", "1h"],
            vec!["7", "--mail", "--template", "slack"],
        ] {
            assert!(parsed(&wrong).is_err(), "{wrong:?}");
        }
        let mail = parsed(&["--mail", "7"]).expect("well said");
        assert_eq!((mail.mail.as_deref(), mail.job.as_deref()), (Some(""), Some("7")), "7 is not an address");
        assert_eq!(parsed(&["7", "--here", "--mail=me@x.org"]).expect("well said").mail.as_deref(), Some("me@x.org"));
    }
}

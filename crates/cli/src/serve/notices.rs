//! The options of `qcast serve` that say how users may be told of their jobs. Nothing is, unless one is given.
//!
//! Not for: what users ask for (`notify`).

use std::path::PathBuf;

use clap::Args;
use queuecast_daemon::notices::{MailRule, NoticeSettings};
use queuecast_notify::{AllowedHost, MailServer, Setup};
use queuecast_wire::secret::{self, SecretReaders};

use crate::failure::{Cause, Failure};

/// How users may be told.
#[derive(Debug, Args)]
#[expect(clippy::struct_field_names, reason = "these are the names of the options")]
pub struct NoticeArgs {
    /// Host that users may choose for web hooks: HOST (https), *.HOST (its subdomains) or `http://HOST:PORT`; repeatable.
    #[arg(long = "notification-host", value_name = "HOST")]
    notification_hosts: Vec<AllowedHost>,
    /// Allow mail notifications to this address; {user} is replaced by the user name, such as {user}@example.org.
    #[arg(long, value_name = "ADDRESS")]
    notification_mail: Option<String>,
    /// Sender address of mail notifications.
    #[arg(long, value_name = "ADDRESS", default_value = "queuecast@localhost")]
    notification_mail_from: String,
    /// Mail server: `smtp://HOST`, `smtps://HOST`, `smtp://HOST:587?tls=required`, or the path of sendmail.
    ///
    /// Under systemd, use `smtp://localhost` for Postfix, because the unit does not allow its sendmail to change the group.
    #[arg(long, value_name = "SERVER", default_value = "smtp://localhost")]
    notification_mail_server: String,
    /// File with a mail server that includes a password, such as `smtps://USER:PASSWORD@HOST`; readable only by the daemon.
    #[arg(long, value_name = "FILE")]
    notification_mail_server_file: Option<PathBuf>,
    /// Program that the daemon runs, under its own user, for notifications by command.
    ///
    /// The program reads the message as JSON from standard input, and the user name from the variable `QCAST_USER`.
    #[arg(long, value_name = "PROGRAM")]
    notification_command: Option<PathBuf>,
}

impl NoticeArgs {
    /// What the daemon is told.
    pub fn settings(&self) -> Result<NoticeSettings, Failure> {
        if self.notification_command.as_ref().is_some_and(|path| path.is_relative()) {
            return Err(Failure::usage("--notification-command must be an absolute path"));
        }
        Ok(NoticeSettings {
            folder: None,
            hosts: self.notification_hosts.clone(),
            mail: self.mail()?,
            command: self.notification_command.clone(),
        })
    }

    fn mail(&self) -> Result<Option<MailRule>, Failure> {
        let Some(to) = &self.notification_mail else { return Ok(None) };
        let server = match &self.notification_mail_server_file {
            Some(path) => {
                let bytes = secret::read(path, "the mail server", SecretReaders::Owner)
                    .map_err(|error| Failure::new(Cause::Input, error))?;
                String::from_utf8_lossy(&bytes).trim().to_owned()
            }
            None => self.notification_mail_server.clone(),
        };
        // What is in the file is a secret, and not told.
        let option = if self.notification_mail_server_file.is_some() {
            "--notification-mail-server-file"
        } else {
            "--notification-mail-server"
        };
        let wrong = |option: &str, setup: Setup| Failure::usage(format_args!("{option}: {}", setup.0));
        let server: MailServer = server.parse().map_err(|setup| wrong(option, setup))?;
        let rule = MailRule::new(to.clone(), self.notification_mail_from.clone(), server);
        rule.map(Some).map_err(|setup| wrong("--notification-mail", setup))
    }
}

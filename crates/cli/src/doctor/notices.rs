//! Ways by which users are told of their jobs, where the administrator allows some. Nothing is sent.

use std::path::Path;

use queuecast_daemon::Settings;
use queuecast_notify::MailServer;
use rustix::fs::{Access, access};

use super::finding::Finding;

const CHECK: &str = "notifications";

/// Of each way, whether it could work.
pub fn checked(settings: &Settings) -> Vec<Finding> {
    let notices = &settings.api.notices;
    let mut findings = Vec::new();
    if !notices.hosts.is_empty() {
        findings.push(Finding::good(CHECK, format!("web hooks at {} hosts", notices.hosts.len())));
    }
    if let Some(rule) = &notices.mail {
        findings.push(match &rule.server {
            MailServer::Program(path) => program(path, "mail program", "notification-mail-server"),
            server @ MailServer::Smtp(_) => match server.greet() {
                Ok(()) => Finding::good(CHECK, "mail: the server responds"),
                Err(why) => Finding::bad(
                    CHECK,
                    format!("mail: the server does not respond correctly: {why}"),
                    "check notification-mail-server, and whether a mail server runs there: systemctl status postfix",
                ),
            },
        });
    }
    findings.extend(notices.command.as_ref().map(|path| program(path, "notification program", "notification-command")));
    findings
}

fn program(path: &Path, what: &str, key: &str) -> Finding {
    let shown = path.display();
    match access(path, Access::EXEC_OK) {
        Ok(()) if path.is_file() => Finding::good(CHECK, format!("{what} {shown}")),
        Ok(()) => Finding::bad(CHECK, format!("{what} {shown}: not a program"), format!("correct {key}")),
        Err(error) => Finding::bad(
            CHECK,
            format!("{what} {shown}: {error}"),
            format!("correct {key}, or allow the daemon's user to run the program: chmod 755 {shown}"),
        ),
    }
}

//! Ways by which users are told of their jobs, where the administrator allows some. Nothing is sent.

use std::path::Path;

use queuecast_daemon::Settings;
use queuecast_notify::MailServer;
use rustix::fs::{Access, access};

use super::finding::Finding;

const CHECK: &str = "notices";

/// Of each way, whether it could work.
pub fn checked(settings: &Settings) -> Vec<Finding> {
    let notices = &settings.api.notices;
    let mut findings = Vec::new();
    if !notices.hosts.is_empty() {
        findings.push(Finding::good(CHECK, format!("web hooks at {} hosts", notices.hosts.len())));
    }
    if let Some(rule) = &notices.mail {
        findings.push(match &rule.server {
            MailServer::Program(path) => program(path, "mail by", "notice-mail-server"),
            server @ MailServer::Smtp(_) => match server.greet() {
                Ok(()) => Finding::good(CHECK, "mail: the server answers"),
                Err(why) => Finding::bad(
                    CHECK,
                    format!("mail: the server does not answer as one should: {why}"),
                    "look at notice-mail-server, and whether a mail server runs there: systemctl status postfix",
                ),
            },
        });
    }
    findings.extend(notices.command.as_ref().map(|path| program(path, "messages by", "notice-command")));
    findings
}

fn program(path: &Path, what: &str, key: &str) -> Finding {
    let shown = path.display();
    match access(path, Access::EXEC_OK) {
        Ok(()) if path.is_file() => Finding::good(CHECK, format!("{what} {shown}")),
        Ok(()) => Finding::bad(CHECK, format!("{what} {shown}, which is no program"), format!("put {key} right")),
        Err(error) => Finding::bad(
            CHECK,
            format!("{what} {shown}: {error}"),
            format!("put {key} right, or let the daemon's user run it: chmod 755 {shown}"),
        ),
    }
}

//! The daemon, if one runs: what it says of itself.

use std::path::Path;
use std::time::Duration;

use queuecast_api::health::{HealthResponse, HealthStatus};
use queuecast_api::{AskError, Client};
use queuecast_daemon::Settings;
use queuecast_daemon::api::Listen;

use super::finding::Finding;
use crate::ask::direct::nobody_listens;

const CHECK: &str = "daemon";

/// For so long it is waited for an answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// What one says that listens on the socket; nothing if none does.
pub fn asked(settings: &Settings) -> Option<Vec<Finding>> {
    let socket = settings.listen.iter().find_map(|listen| match listen {
        Listen::Unix(path) => Some(path.as_path()),
        Listen::Tcp(_) => None,
    })?;
    let is_socket =
        std::fs::metadata(socket).is_ok_and(|found| std::os::unix::fs::FileTypeExt::is_socket(&found.file_type()));
    if !is_socket || nobody_listens(socket) {
        return None;
    }
    Some(match health(socket) {
        Ok(health) => told(&health),
        Err(error) => vec![Finding::bad(
            CHECK,
            format!("a process listens on {} but does not respond: {error}", socket.display()),
            "check the daemon's log: journalctl -u queuecast",
        )],
    })
}

/// That there is none.
pub fn not_there() -> Vec<Finding> {
    vec![Finding::warning(
        CHECK,
        "no daemon is running on this machine",
        "systemctl enable --now queuecast; without a daemon qcast queries Slurm directly, which is slower",
    )]
}

fn health(socket: &Path) -> Result<HealthResponse, AskError> {
    Client::at_socket(socket, PATIENCE)?.health()
}

fn told(health: &HealthResponse) -> Vec<Finding> {
    let own = env!("CARGO_PKG_VERSION");
    let reasons = health.reasons.join("; ");
    let mut findings = vec![match health.status {
        HealthStatus::Ok => {
            Finding::good(CHECK, format!("responds for cluster {}, version {}", health.cluster, health.version))
        }
        HealthStatus::Degraded => {
            Finding::warning(CHECK, reasons, "see the checks above and the daemon's log: journalctl -u queuecast")
        }
        HealthStatus::Stale => Finding::bad(
            CHECK,
            if reasons.is_empty() { "the daemon has no forecasts".to_owned() } else { reasons },
            "forecasts resume when Slurm responds; the daemon's log shows what fails: journalctl -u queuecast",
        ),
    }];
    if health.version != own {
        findings.push(Finding::warning(
            CHECK,
            format!("the daemon has version {}, this command has version {own}", health.version),
            "systemctl restart queuecast",
        ));
    }
    findings
}

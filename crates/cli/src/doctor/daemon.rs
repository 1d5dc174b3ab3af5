//! The daemon, if one runs: what it says of itself.

use std::path::Path;
use std::time::Duration;

use queuecast_api::health::{HealthAnswer, HealthStatus};
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
            format!("{} is listened on, and there is no answer: {error}", socket.display()),
            "look at its log: journalctl -u queuecast",
        )],
    })
}

/// That there is none.
pub fn not_there() -> Vec<Finding> {
    vec![Finding::warning(
        CHECK,
        "none runs here",
        "systemctl enable --now queuecast; users are answered without it, more slowly",
    )]
}

fn health(socket: &Path) -> Result<HealthAnswer, AskError> {
    Client::at_socket(socket, PATIENCE)?.health()
}

fn told(health: &HealthAnswer) -> Vec<Finding> {
    let own = env!("CARGO_PKG_VERSION");
    let reasons = health.reasons.join("; ");
    let mut findings = vec![match health.status {
        HealthStatus::Ok => {
            Finding::good(CHECK, format!("it answers for cluster {}, version {}", health.cluster, health.version))
        }
        HealthStatus::Degraded => {
            Finding::warning(CHECK, reasons, "the checks above say more; its log too: journalctl -u queuecast")
        }
        HealthStatus::Stale => Finding::bad(
            CHECK,
            if reasons.is_empty() { "it has no estimates".to_owned() } else { reasons },
            "it begins to answer when Slurm does; its log says what fails: journalctl -u queuecast",
        ),
    }];
    if health.version != own {
        findings.push(Finding::warning(
            CHECK,
            format!("the daemon has version {} and this command {own}", health.version),
            "systemctl restart queuecast",
        ));
    }
    findings
}

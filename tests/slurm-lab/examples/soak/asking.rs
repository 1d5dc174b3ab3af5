//! People who ask: every second one of the site's users looks at their own queue, and asks about a job in it why it waits and what limit would do.

use std::collections::BTreeMap;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use queuecast_slurm_lab::{Daemon, site, user_name, user_number};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use serde_json::Value;

const PAUSE: Duration = Duration::from_secs(1);

/// How often each question was answered with each status; 0 is no answer.
pub type Asked = BTreeMap<String, BTreeMap<u16, u64>>;

/// Asks until it is over.
pub fn ask_until(is_over: &AtomicBool, daemon: &Daemon, seed: u64, asked: &Mutex<Asked>) -> Result<()> {
    let mut random = Pcg64::seed_from_u64(seed);
    let socket = daemon.socket();
    let ask = |user: u32, kind: &str, path: &str| -> Result<Option<Value>> {
        let (status, body) = get_as(user, &socket, path)?;
        let mut asked = asked.lock().expect("no writer panics");
        *asked.entry(kind.to_owned()).or_default().entry(status).or_default() += 1;
        Ok(serde_json::from_slice(&body).ok())
    };
    while !is_over.load(Ordering::Relaxed) {
        let user = random.random_range(1..=site::USERS);
        let queue = ask(user, "queue", "/v1/queue?me=true")?;
        let jobs = queue.as_ref().and_then(|queue| queue["jobs"].as_array()).filter(|jobs| !jobs.is_empty());
        if let Some(jobs) = jobs {
            let job = &jobs[random.random_range(0..jobs.len())]["job"]["job_id"];
            for question in ["forecast", "why", "limit"] {
                ask(user, question, &format!("/v1/jobs/{job}/{question}"))?;
            }
        }
        thread::sleep(PAUSE);
    }
    Ok(())
}

/// A GET as a user, and its status and body.
fn get_as(user: u32, socket: &Path, path: &str) -> Result<(u16, Vec<u8>)> {
    let number = user_number(&user_name(user)).context("a user of the lab")?;
    let mut curl = Command::new("curl");
    curl.args(["--silent", "--max-time", "25", "--write-out", "\n%{http_code}", "--unix-socket"]).arg(socket);
    let said = curl.arg(format!("http://localhost{path}")).uid(number).gid(number).current_dir("/").output()?;
    let end = said.stdout.iter().rposition(|byte| *byte == b'\n').unwrap_or(0);
    let status = String::from_utf8_lossy(&said.stdout[end..]).trim().parse().unwrap_or(0);
    Ok((status, said.stdout[..end].to_vec()))
}

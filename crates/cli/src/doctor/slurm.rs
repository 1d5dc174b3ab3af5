//! Slurm: its commands or slurmrestd, what they answer, and what this user is shown.
//!
//! Source: what Slurm 22.05 says when it cannot be asked, seen in our lab.

use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use queuecast_daemon::Settings;
use queuecast_daemon::watch::{SourceChoice, connect};
use queuecast_records::source::{Period, Source, SourceError};
use queuecast_records::{AdminLevel, ClusterConfiguration, Hidden};
use queuecast_workload::Time;

use super::finding::Finding;

/// Those that a daemon cannot do without, and those that only make it better.
const NEEDED: [&str; 5] = ["squeue", "sinfo", "sacct", "scontrol", "sacctmgr"];
const USEFUL: [&str; 3] = ["sdiag", "sshare", "getent"];

/// Clocks that differ by more make forecasts that are wrong by as much.
const CLOCK_SECONDS: i64 = 30;

/// How far back accounting is tried, in days.
const DEPTHS_DAYS: [i64; 5] = [365, 90, 30, 7, 1];

/// Slurm before this has no `--json`.
const FIRST_WITH_JSON: (u32, u32) = (21, 8);

/// Asks Slurm each question once.
pub fn asked(settings: &Settings) -> Vec<Finding> {
    let mut findings = Vec::new();
    let by_commands = matches!(settings.source, SourceChoice::Commands | SourceChoice::TextCommands);
    if by_commands {
        findings.extend(on_path());
        if findings.iter().any(|finding| finding.verdict == super::finding::Verdict::Bad) {
            return findings;
        }
    }
    let source = match connect(&settings.source, settings.limits) {
        Ok(source) => source,
        Err(error) => {
            findings.push(Finding::bad("slurmrestd", error.to_string(), remedy(&error)));
            return findings;
        }
    };
    let configuration = match source.configuration() {
        Ok(configuration) => configuration,
        Err(error) => {
            findings.push(Finding::bad("slurm's controller", error.to_string(), remedy(&error)));
            return findings;
        }
    };
    findings.push(of_version(&configuration, &settings.source));
    findings.push(of_cluster(&configuration, settings.watch.cluster.as_deref()));
    findings.push(of_queue(&*source));
    findings.push(of_users(&*source, &configuration));
    findings.push(of_accounting(&*source, settings.clock.now(), settings.watch.catch_up.history.0 / 86_400));
    findings.extend(of_clock(&*source));
    for (check, answer) in [
        ("nodes", source.nodes().map(|answer| (answer.records.len(), answer.bad_records))),
        ("partitions", source.partitions().map(|answer| (answer.records.len(), answer.bad_records))),
    ] {
        findings.push(match answer {
            Ok((0, _)) => Finding::bad(check, "none found", "check `sinfo`, and PrivateData in slurm.conf"),
            Ok((records, 0)) => Finding::good(check, format!("{records}")),
            Ok((records, bad)) => Finding::warning(
                check,
                format!("{records}, and {bad} that could not be read"),
                "please report this output",
            ),
            Err(error) => Finding::bad(check, error.to_string(), remedy(&error)),
        });
    }
    findings
}

fn on_path() -> Vec<Finding> {
    let folders: Vec<PathBuf> =
        std::env::var_os("PATH").map(|path| std::env::split_paths(&path).collect()).unwrap_or_default();
    let is_there = |program: &&str| folders.iter().any(|folder| folder.join(program).is_file());
    let missing =
        |programs: &[&'static str]| programs.iter().copied().filter(|program| !is_there(program)).collect::<Vec<_>>();
    let (needed, useful) = (missing(&NEEDED), missing(&USEFUL));
    let mut findings = Vec::new();
    if needed.is_empty() {
        findings.push(Finding::good("slurm's commands", "squeue, sinfo, sacct, scontrol and sacctmgr are on the PATH"));
    } else {
        findings.push(Finding::bad(
            "slurm's commands",
            format!("not on the PATH: {}", needed.join(", ")),
            "install Slurm's client package (Debian: slurm-client), add its directory to PATH in the unit (systemctl edit queuecast: \
             Environment=PATH=...), or use slurmrestd (rest-socket, rest-address)",
        ));
    }
    if !useful.is_empty() {
        findings.push(Finding::warning(
            "slurm's commands",
            format!("not on the PATH: {}", useful.join(", ")),
            "install Slurm's client package; the depth of backfill needs sdiag, fair share needs sshare",
        ));
    }
    findings
}

/// What its words mean.
fn remedy(error: &SourceError) -> String {
    let said = error.to_string().to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| said.contains(word));
    let remedy = if let SourceError::Unreachable { .. } = error {
        "check that slurmrestd runs at this socket or address: systemctl status slurmrestd"
    } else if has(&["munge", "protocol authentication"]) {
        "check munge on this machine and on the controller: systemctl status munge; both need the same /etc/munge/munge.key and synchronised clocks"
    } else if has(&["unrecognized option", "unknown option", "invalid option"]) {
        "these commands do not support --json: set text-commands = true"
    } else if has(&["token", "authentication", "401", "expired"]) {
        "on a socket, slurmrestd accepts only its own user and root: run it as the daemon's user. At an address, slurmrestd rejected the token: \
         create one for the daemon's user (scontrol token username=queuecast lifespan=...), store it in a file with mode 600, and set \
         rest-user and rest-token-file"
    } else if has(&["slurmdbd", "accounting"]) {
        "check slurmdbd: systemctl status slurmdbd; AccountingStorageHost in slurm.conf must be its host"
    } else if has(&["could not establish a configuration source", "no such file", "slurm.conf"]) {
        "Slurm's commands find no slurm.conf: copy it to /etc/slurm, or run slurmd --conf-server"
    } else {
        match error {
            SourceError::NotRun { .. } => {
                "check the program's permissions; the unit may hide the program (ProtectHome, ReadOnlyPaths)"
            }
            SourceError::NotUnderstood { .. } => {
                "qcast does not understand the output of this Slurm version: set text-commands = true, and please report this"
            }
            SourceError::TooMuch { .. } => "the output is unusually large; please report this",
            SourceError::TooLate { .. } | SourceError::Refused { .. } | SourceError::Unreachable { .. } => {
                "check slurmctld with `scontrol ping` as this user; SlurmctldHost and port 6817 must be reachable"
            }
        }
    };
    remedy.to_owned()
}

/// `22.05.8` is (22, 5).
fn release(version: &str) -> Option<(u32, u32)> {
    let mut numbers = version.split('.').map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

fn of_version(configuration: &ClusterConfiguration, source: &SourceChoice) -> Finding {
    const CHECK: &str = "slurm's version";
    let version = &configuration.slurm_version;
    match release(version) {
        Some(release) if release < FIRST_WITH_JSON && *source == SourceChoice::Commands => {
            Finding::bad(CHECK, format!("{version}, whose commands do not support --json"), "set text-commands = true")
        }
        Some(_) => Finding::good(CHECK, version.clone()),
        None => Finding::warning(
            CHECK,
            format!("unknown version {version:?}"),
            "please report the output of `scontrol --version`",
        ),
    }
}

fn of_cluster(configuration: &ClusterConfiguration, named: Option<&str>) -> Finding {
    const CHECK: &str = "cluster";
    let said = &configuration.cluster_name;
    match named {
        Some(named) if !said.is_empty() && named != said => Finding::bad(
            CHECK,
            format!("{named} in the configuration, {said} in Slurm"),
            format!(
                "accounting would be queried for jobs of {named}: set cluster = \"{said}\", or point SLURM_CONF to the slurm.conf of {named}"
            ),
        ),
        None if said.is_empty() => {
            Finding::bad(CHECK, "Slurm reports no cluster name", "set cluster = \"...\" to ClusterName in slurm.conf")
        }
        _ => Finding::good(CHECK, named.unwrap_or(said)),
    }
}

fn of_queue(source: &dyn Source) -> Finding {
    const CHECK: &str = "queue";
    match source.queue() {
        Ok(answer) if answer.bad_records > 0 => {
            let first = answer.problems.first().cloned().unwrap_or_default();
            let found =
                format!("{} jobs, and {} that could not be read: {first}", answer.records.len(), answer.bad_records);
            Finding::warning(CHECK, found, "please report this output; those jobs have no forecast")
        }
        Ok(answer) => {
            let mut users: Vec<&str> = answer.records.iter().map(|job| &*job.user).collect();
            users.sort_unstable();
            users.dedup();
            Finding::good(CHECK, format!("{} jobs of {} users", answer.records.len(), users.len()))
        }
        Err(error) => Finding::bad(CHECK, error.to_string(), remedy(&error)),
    }
}

/// Whoever is not shown the jobs of others forecasts a queue of one.
fn of_users(source: &dyn Source, configuration: &ClusterConfiguration) -> Finding {
    const CHECK: &str = "what this user is shown";
    let hidden: Vec<&str> =
        Hidden::ALL.into_iter().filter(|hidden| configuration.private_data.hides(*hidden)).map(Hidden::word).collect();
    let user = rustix::process::geteuid().as_raw();
    let users = match source.users() {
        Ok(users) => users,
        Err(error) if hidden.is_empty() || user == 0 => {
            return Finding::warning(
                CHECK,
                format!("everything; operators are not known: {error}"),
                "without accounting all users count as ordinary users; list operators with admin-uid",
            );
        }
        Err(error) => {
            return Finding::bad(
                CHECK,
                format!(
                    "PrivateData={} hides data from ordinary users, and operators are not known: {error}",
                    hidden.join(",")
                ),
                "check slurmdbd: systemctl status slurmdbd; then make the daemon's user an operator (sacctmgr add user queuecast account=... adminlevel=operator)",
            );
        }
    };
    if hidden.is_empty() {
        return Finding::good(CHECK, "everything (PrivateData is not set)");
    }
    let is_operator = user == 0
        || users.records.iter().any(|record| record.user_id == Some(user) && record.level >= AdminLevel::Operator);
    if is_operator {
        return Finding::good(CHECK, format!("everything, as operator (PrivateData={})", hidden.join(",")));
    }
    Finding::bad(
        CHECK,
        format!("PrivateData={} hides data from user ID {user}, who is not an operator", hidden.join(",")),
        "sacctmgr add user queuecast account=... adminlevel=operator (or: sacctmgr modify user queuecast set adminlevel=operator)",
    )
}

fn of_accounting(source: &dyn Source, now: Time, wanted_days: i64) -> Finding {
    const CHECK: &str = "accounting";
    let day = |ago: i64| Period { from: Time(now.0 - ago * 86_400), to: Time(now.0 - (ago - 1) * 86_400) };
    match source.accounting(day(1)) {
        Err(error) => Finding::bad(
            CHECK,
            error.to_string(),
            "check slurmdbd: systemctl status slurmdbd; AccountingStorageType must be accounting_storage/slurmdbd. Forecasts learn run times from accounting",
        ),
        Ok(lately) => {
            let depth = DEPTHS_DAYS.into_iter().filter(|days| *days <= wanted_days.max(1)).find(|&days| {
                if days == 1 {
                    !lately.records.is_empty()
                } else {
                    source.accounting(day(days)).is_ok_and(|found| !found.records.is_empty())
                }
            });
            match depth {
                Some(days) if days >= 30 || days >= wanted_days => {
                    Finding::good(CHECK, format!("jobs from {days} days ago are available"))
                }
                Some(days) => Finding::warning(
                    CHECK,
                    format!("the oldest sampled day with jobs is {days} day{} ago", if days == 1 { "" } else { "s" }),
                    "more history improves run time forecasts: import an older export with import = [\"...\"], or let slurmdbd keep more (PurgeJobAfter)",
                ),
                None => Finding::warning(
                    CHECK,
                    "no jobs found",
                    "the cluster is new, or accounting does not store jobs: check `sacct -a -S now-30days`; import an older export with import = [\"...\"]",
                ),
            }
        }
    }
}

fn of_clock(source: &dyn Source) -> Option<Finding> {
    const CHECK: &str = "clock";
    let asked = source.diagnostics().ok()?.asked?;
    let here = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
    let apart = i64::try_from(here.as_secs()).unwrap_or(i64::MAX) - asked.0;
    Some(if apart.abs() > CLOCK_SECONDS {
        Finding::bad(
            CHECK,
            format!("this machine's clock differs by {apart} s from the controller's"),
            "synchronise both with NTP: timedatectl, chronyc tracking",
        )
    } else {
        Finding::good(CHECK, format!("within {} s of the controller's clock", apart.abs()))
    })
}

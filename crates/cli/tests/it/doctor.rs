//! `qcast doctor`, the built binary: every deliberately broken installation is found, and its remedy named.
//!
//! Slurm is made up here (`made_up_slurm`), since a real one cannot be broken in thirty ways within seconds; `live` runs it on a real one.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::made_up_slurm::MadeUpSlurm;
use crate::support::scratch;
use serde_json::Value;

/// An installation that is as it should be, in a folder: commands, store, socket and configuration.
struct Installation {
    slurm: MadeUpSlurm,
    folder: tempfile::TempDir,
    /// More lines of the configuration.
    more: String,
}

impl Installation {
    fn new() -> Self {
        let mut slurm = MadeUpSlurm::full().with_jobs(3);
        for days in [0, 29, 89] {
            slurm.with_ended(1_000, 4, 60, 600, days * 86_400 + 3_600);
        }
        slurm.write("none");
        let now = jiff::Timestamp::now().as_second();
        let diagnostics = fs::read_to_string(golden("sdiag.txt")).expect("the recording");
        let diagnostics = diagnostics.replace("(1794749104)", &format!("({now})"));
        let installation = Self { slurm, folder: scratch(), more: String::new() };
        installation.command("sdiag", &format!("cat <<'END'\n{diagnostics}\nEND"));
        for folder in ["lib", "run", "tools"] {
            fs::create_dir(installation.path(folder)).expect("our folder");
        }
        // What the made-up commands need, and no command of a Slurm that this machine may have.
        for tool in ["cat", "basename", "dirname", "getent"] {
            symlink(Path::new("/usr/bin").join(tool), installation.path("tools").join(tool)).expect("our folder");
        }
        installation
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// One more line of the configuration.
    fn says(&mut self, line: &str) {
        self.more.push_str(line);
    }

    /// Puts another command in the place of one of Slurm's.
    fn command(&self, name: &str, script: &str) {
        let path = self.slurm.bin().join(name);
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("our folder");
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("it is ours");
    }

    fn diagnosed(&self) -> (Option<i32>, Vec<Value>) {
        let at = |name: &str| self.path(name).display().to_string();
        let file = self.path("queuecast.toml");
        if !file.exists() {
            let text =
                format!("store = \"{}\"\nsocket = \"{}\"\n{}", at("lib/store.sqlite"), at("run/api.sock"), self.more);
            fs::write(&file, text).expect("our folder");
        }
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("qcast"));
        command.args(["doctor", "--format", "json", "--config"]).arg(&file);
        command.env("PATH", format!("{}:{}", self.slurm.bin().display(), self.path("tools").display()));
        let output = command.output().expect("it runs");
        let diagnosis: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)));
        (output.status.code(), diagnosis["findings"].as_array().expect("findings").clone())
    }
}

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/slurm-22.05-text").join(name)
}

fn mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("it is ours");
}

#[test]
fn an_installation_that_is_as_it_should_be_is_said_to_be() {
    let mut installation = Installation::new();
    // The default is 20 GiB, more than the disk of a machine for tests need have free.
    installation.says("store-limit = 1024");
    let (code, findings) = installation.diagnosed();
    let bad: Vec<_> = findings.iter().filter(|finding| finding["verdict"] == "bad").collect();
    assert!(bad.is_empty() && code == Some(0), "{bad:#?}");
    for check in [
        "configuration",
        "store's folder",
        "store's disk",
        "socket",
        "slurm's commands",
        "slurm's version",
        "queue",
        "accounting",
        "clock",
        "nodes",
        "partitions",
    ] {
        assert!(
            findings.iter().any(|finding| finding["check"] == check && finding["verdict"] == "good"),
            "{check}: {findings:#?}"
        );
    }
}

/// How an installation is broken; the check that finds it; what the remedy names; how bad it is.
type Broken = (&'static str, fn(&mut Installation), &'static str, &'static str, &'static str);

const BROKEN: &[Broken] = &[
    (
        "a key that there is none of",
        |it| it.says("queue-intervall = 30"),
        "configuration",
        "did you mean queue-interval?",
        "bad",
    ),
    ("a value that is none", |it| it.says("keep-days = 3"), "configuration", "qcast config show", "bad"),
    (
        "a store that may outgrow its disk",
        |it| it.says("store-limit = 1000000000"),
        "store's disk",
        "set store-limit",
        "warning",
    ),
    (
        "a mail server that is not there",
        |it| it.says("notification-mail = \"{user}@example.org\"\nnotification-mail-server = \"smtp://127.0.0.1:1\""),
        "notifications",
        "notification-mail-server",
        "bad",
    ),
    (
        "a program for messages that nobody may run",
        |it| it.says("notification-command = \"/etc/passwd\""),
        "notifications",
        "chmod 755 /etc/passwd",
        "bad",
    ),
    ("a file that is not TOML", |it| it.says("this is not TOML"), "configuration", "correct the named file", "bad"),
    (
        "a configuration that others can change",
        |it| {
            let text = format!(
                "store = \"{0}/lib/store.sqlite\"\nsocket = \"{0}/run/api.sock\"\n",
                it.folder.path().display()
            );
            fs::write(it.path("queuecast.toml"), text).expect("our folder");
            mode(&it.path("queuecast.toml"), 0o666);
        },
        "configuration files",
        "chmod go-w",
        "bad",
    ),
    (
        "a certificate that is not there",
        |it| {
            it.says("listen = \"127.0.0.1:0\"\ntls-certificate = \"/no/such\"\ntls-key = \"/no/such\"");
        },
        "configuration",
        "",
        "bad",
    ),
    (
        "a key of tokens that everybody can read",
        |it| {
            fs::write(it.path("key"), "0123456789abcdef0123456789abcdef").expect("our folder");
            mode(&it.path("key"), 0o644);
            it.more = format!("jwt-key = \"{}\"", it.path("key").display());
        },
        "configuration",
        "",
        "bad",
    ),
    ("a proxy that nobody is known by", |it| it.says("proxy-header = \"X-User\""), "configuration", "", "bad"),
    (
        "no folder for the store",
        |it| fs::remove_dir(it.path("lib")).expect("ours"),
        "store's folder",
        "install -d -o queuecast",
        "bad",
    ),
    ("a folder that others write to", |it| mode(&it.path("lib"), 0o777), "store's folder", "chmod 0700", "bad"),
    (
        "a store that others can read",
        |it| {
            it.diagnosed_store();
            mode(&it.path("lib/store.sqlite"), 0o644);
        },
        "store",
        "chmod 600",
        "bad",
    ),
    (
        "a store that is damaged",
        |it| fs::write(it.path("lib/store.sqlite"), "SQLite format 3\0 and then nothing").expect("ours"),
        "store",
        "backup",
        "bad",
    ),
    (
        "another program's database",
        |it| {
            let other = rusqlite::Connection::open(it.path("lib/store.sqlite")).expect("a database");
            other.execute_batch("CREATE TABLE theirs (x)").expect("a table");
            mode(&it.path("lib/store.sqlite"), 0o600);
        },
        "store",
        "set another file",
        "bad",
    ),
    (
        "a store of a newer version",
        |it| {
            it.diagnosed_store();
            let store = rusqlite::Connection::open(it.path("lib/store.sqlite")).expect("a database");
            store.pragma_update(None, "user_version", 1_000).expect("a version");
        },
        "store",
        "newer qcast",
        "bad",
    ),
    (
        "no folder for the socket",
        |it| fs::remove_dir(it.path("run")).expect("ours"),
        "socket",
        "RuntimeDirectory",
        "bad",
    ),
    (
        "a folder in which everybody may replace the socket",
        |it| mode(&it.path("run"), 0o777),
        "socket",
        "chmod 0755",
        "bad",
    ),
    (
        "a file in the socket's place",
        |it| fs::write(it.path("run/api.sock"), "").expect("ours"),
        "socket",
        "remove it",
        "bad",
    ),
    (
        "somebody who listens there and is not a daemon",
        |it| {
            let listener = UnixListener::bind(it.path("run/api.sock")).expect("ours");
            std::thread::spawn(move || listener.incoming().for_each(drop));
        },
        "daemon",
        "journalctl -u queuecast",
        "bad",
    ),
    ("a port that others reach, without TLS", |it| it.says("listen = \"0.0.0.0:0\""), "port", "tls-certificate", "bad"),
    (
        "a port that is taken",
        |it| {
            let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
            it.more = format!("listen = \"{}\"", taken.local_addr().expect("an address"));
            std::mem::forget(taken);
        },
        "port",
        "ss -ltnp",
        "bad",
    ),
    (
        "no commands of Slurm's",
        |it| fs::remove_file(it.slurm.bin().join("squeue")).expect("ours"),
        "slurm's commands",
        "slurm-client",
        "bad",
    ),
    (
        "no sshare",
        |it| fs::remove_file(it.slurm.bin().join("sshare")).expect("ours"),
        "slurm's commands",
        "fair share",
        "warning",
    ),
    (
        "a controller that is down",
        |it| {
            it.command(
                "scontrol",
                "echo 'slurm_load_ctl_conf error: Unable to contact slurm controller (connect failure)' >&2; exit 1",
            );
        },
        "slurm's controller",
        "scontrol ping",
        "bad",
    ),
    (
        "munge that is down",
        |it| {
            it.command(
                "scontrol",
                "echo 'error: Munge encode failed: Failed to access \"/run/munge/munge.socket.2\"' >&2; exit 1",
            );
        },
        "slurm's controller",
        "systemctl status munge",
        "bad",
    ),
    (
        "no slurm.conf",
        |it| {
            it.command("scontrol", "echo 'error: resolve_ctls_from_dns_srv: res_nsearch error; fatal: Could not establish a configuration source' >&2; exit 1");
        },
        "slurm's controller",
        "slurm.conf",
        "bad",
    ),
    (
        "commands without --json",
        |it| it.command("squeue", "echo \"squeue: unrecognized option '--json'\" >&2; exit 1"),
        "queue",
        "text-commands = true",
        "bad",
    ),
    ("a Slurm from before --json", |it| it.slurm.version("20.11.9"), "slurm's version", "text-commands = true", "bad"),
    ("a cluster of another name", |it| it.says("cluster = \"other\""), "cluster", "set cluster = \"made\"", "bad"),
    (
        "accounting that is down",
        |it| {
            it.command("sacct", "[ \"$1\" = --helpformat ] && echo JobIDRaw && exit; echo 'sacct: error: slurm_persist_conn_open_without_init: failed to open persistent connection to host:localhost:6819: Connection refused' >&2; exit 1");
        },
        "accounting",
        "slurmdbd",
        "bad",
    ),
    (
        "no sacctmgr that answers",
        |it| {
            it.command(
                "sacctmgr",
                "echo 'sacctmgr: error: You are not running a supported accounting_storage plugin' >&2; exit 1",
            );
        },
        "what this user is shown",
        "admin-uid",
        "warning",
    ),
    (
        "a clock that is an hour off",
        |it| {
            let diagnostics = fs::read_to_string(golden("sdiag.txt")).expect("the recording");
            let then = jiff::Timestamp::now().as_second() - 3_600;
            it.command(
                "sdiag",
                &format!("cat <<'END'\n{}\nEND", diagnostics.replace("(1794749104)", &format!("({then})"))),
            );
        },
        "clock",
        "NTP",
        "bad",
    ),
    (
        "a slurmrestd that is not there",
        |it| it.says("rest-socket = \"/no/such/slurmrestd.sock\""),
        "slurmrestd",
        "slurmrestd",
        "bad",
    ),
    (
        "a token that others can read",
        |it| {
            fs::write(it.path("token"), "secret").expect("our folder");
            mode(&it.path("token"), 0o644);
            it.more =
                format!("rest-address = \"http://127.0.0.1:1\"\nrest-token-file = \"{}\"", it.path("token").display());
        },
        "slurmrestd",
        "token",
        "bad",
    ),
    (
        "a link to nowhere in the store's place",
        |it| symlink("/no/such/store", it.path("lib/store.sqlite")).expect("ours"),
        "store",
        "chown",
        "bad",
    ),
];

impl Installation {
    /// A store as a daemon makes it.
    fn diagnosed_store(&self) {
        queuecast_daemon::store::Store::open(&self.path("lib/store.sqlite")).expect("a store");
    }
}

#[test]
fn every_broken_installation_is_found_and_its_remedy_named() {
    assert!(BROKEN.len() >= 20);
    let mut missed = Vec::new();
    for (how, broken, check, remedy, verdict) in BROKEN {
        let mut installation = Installation::new();
        broken(&mut installation);
        let (code, findings) = installation.diagnosed();
        let is_found = findings.iter().any(|finding| {
            finding["check"] == *check
                && finding["verdict"] == *verdict
                && finding["remedy"].as_str().is_some_and(|told| !told.is_empty() && told.contains(remedy))
        });
        if !is_found || (*verdict == "bad") != (code == Some(1)) {
            let told: Vec<_> = findings.iter().filter(|finding| finding["verdict"] != "good").collect();
            missed.push(format!("{how} (exit code {code:?}): {told:#?}"));
        }
    }
    assert!(missed.is_empty(), "{} of {} missed:\n{}", missed.len(), BROKEN.len(), missed.join("\n"));
}

#[test]
fn one_who_is_not_shown_the_jobs_of_others_is_told_how_to_become_operator() {
    let installation = Installation::new();
    installation.slurm.write("jobs,usage");
    installation.command("sdiag", "exit 1");
    installation.diagnosed();
    // Root is shown everything, so this is asked as somebody else; only root can be.
    mode(installation.folder.path(), 0o755);
    for folder in ["lib", "run"] {
        std::os::unix::fs::chown(installation.path(folder), Some(1_234), Some(1_234)).expect("tests run as root");
    }
    let mut command = installation.slurm.qcast_as(1_234);
    command.args(["doctor", "--format", "csv", "--config"]).arg(installation.path("queuecast.toml"));
    command.env("PATH", format!("{}:/usr/bin:/bin", installation.slurm.bin().display())).env_remove("QCAST_SOCKET");
    let output = command.output().expect("it runs");
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(
        text.contains("PrivateData=jobs,usage hides data from user ID 1234") && text.contains("adminlevel=operator"),
        "{text}"
    );
    assert_eq!(output.status.code(), Some(1));
}

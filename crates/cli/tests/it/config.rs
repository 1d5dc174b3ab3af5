//! `qcast config`, and a daemon under a service manager: the built binary, with files, signals and sockets as they are on a machine.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixDatagram, UnixStream};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use crate::support::{json, qcast, scratch, written};

/// A daemon on a machine without Slurm, with a log. It is killed with the test.
struct Daemon(Child);

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Daemon {
    /// With these words, in this folder.
    fn begin(folder: &Path, configure: impl FnOnce(&mut Command)) -> Self {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("qcast"));
        command.arg("serve").env("PATH", folder).env_remove("QCAST_LOG_LEVEL");
        configure(&mut command);
        Self::spawned(folder, command)
    }

    fn spawned(folder: &Path, mut command: Command) -> Self {
        Self(command.stderr(File::create(folder.join("log")).expect("a log")).spawn().expect("it runs"))
    }

    fn signal(&self, name: &str) {
        let told = Command::new("/bin/kill").args([&format!("-{name}"), &self.0.id().to_string()]).status();
        assert!(told.expect("kill runs").success());
    }
}

/// Receives what a daemon sends to its service manager (`sd_notify`).
struct ServiceManager {
    path: PathBuf,
    socket: UnixDatagram,
}

impl ServiceManager {
    fn new(folder: &Path) -> Self {
        let path = folder.join("notify.sock");
        let socket = UnixDatagram::bind(&path).expect("a socket");
        socket.set_read_timeout(Some(Duration::from_secs(30))).expect("a time");
        Self { path, socket }
    }

    /// Waits for a message with this line, and returns the message.
    fn wait_for(&self, line: &str) -> String {
        let until = Instant::now() + Duration::from_secs(30);
        let mut buffer = [0; 4_096];
        loop {
            let length = self.socket.recv(&mut buffer).unwrap_or_else(|error| panic!("{line} never came: {error}"));
            let message = String::from_utf8_lossy(&buffer[..length]).into_owned();
            if message.lines().any(|received| received == line) {
                return message;
            }
            assert!(Instant::now() < until, "{line} never came, but {message:?}");
        }
    }
}

/// The line of the log that has this in it, from its so many-th on.
fn line(folder: &Path, what: &str, from: usize) -> String {
    let until = Instant::now() + Duration::from_mins(1);
    loop {
        let text = fs::read_to_string(folder.join("log")).expect("a log");
        if let Some(line) = text.lines().filter(|line| line.contains(what)).nth(from) {
            return line.to_owned();
        }
        assert!(Instant::now() < until, "{what} never came:\n{text}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn answer(mut stream: impl Read + Write) -> String {
    stream.write_all(b"GET /v1/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").expect("it listens");
    let mut text = String::new();
    stream.read_to_string(&mut text).expect("an answer");
    text
}

fn configuration(folder: &Path, more: &str) -> String {
    let at = |name: &str| folder.join(name).display().to_string();
    format!("store = \"{}\"\nsocket = \"{}\"\n{more}", at("store.sqlite"), at("api.sock"))
}

#[test]
fn what_counts_is_shown_with_where_it_comes_from() {
    let folder = scratch();
    let file = written(folder.path(), "q.toml", "queue-interval = 45\n[clusters]\nbeta = \"https://beta:8642\"\n");
    let mut command = qcast();
    command.env("QCAST_KEEP_DAYS", "100").args(["config", "show", "--nodes-interval", "7", "--config"]).arg(&file);
    let shown = json(&mut command);
    let row = |key: &str| {
        let rows = shown["settings"].as_array().expect("rows");
        rows.iter().find(|row| row["key"] == key).unwrap_or_else(|| panic!("no {key}")).clone()
    };
    let from = |key: &str| row(key)["from"].as_str().expect("text").to_owned();
    assert_eq!(row("queue-interval")["values"][0], "45");
    assert_eq!(from("queue-interval"), format!("{}:1", file.display()));
    assert_eq!(
        [from("keep-days"), from("nodes-interval"), from("accounting-interval")],
        ["variable QCAST_KEEP_DAYS", "command line", "default"]
    );
    assert_eq!(shown["clusters"]["beta"], "https://beta:8642");
    let table = qcast().args(["config", "show", "--config"]).arg(&file).output().expect("it runs").stdout;
    let table = String::from_utf8(table).expect("text");
    assert!(table.contains("queue-interval") && table.contains("clusters.beta"), "{table}");
}

#[test]
fn a_configuration_that_cannot_be_used_is_told_before_a_restart() {
    let folder = scratch();
    for (text, told) in [
        ("queue-intervall = 30\n", "q.toml:1: unknown key queue-intervall\nhint: did you mean queue-interval?"),
        (
            "\n\nqueue-interval = 0\n",
            "q.toml:3: invalid value '0' for '--queue-interval <SECONDS>': 0 is not in 1..=3600",
        ),
        ("tls-key = \"/k\"\n", "--tls-certificate and --tls-key require each other"),
        ("listen = \"127.0.0.1:0\"\ntls-key = \"/no/k\"\ntls-certificate = \"/no/c\"\n", "/no/"),
        ("jwt-key = \"/no/such/key\"\n", "/no/such/key"),
        ("store = \n", "q.toml:1"),
    ] {
        let file = written(folder.path(), "q.toml", text);
        for command in [&["config", "check"][..], &["serve"]] {
            let output = qcast().args(command).arg("--config").arg(&file).output().expect("it runs");
            let aside = String::from_utf8(output.stderr).expect("text");
            assert!(matches!(output.status.code(), Some(2 | 3)) && aside.contains(told), "{text:?}: {aside}");
        }
    }
    let file = written(folder.path(), "q.toml", &configuration(folder.path(), "others-jobs = \"as-slurm\"\n"));
    let good = qcast().args(["config", "check", "--config"]).arg(&file).assert().success().get_output().stdout.clone();
    assert!(String::from_utf8(good).expect("text").contains("is valid"));
    assert!(!folder.path().join("store.sqlite").exists(), "nothing is made by a check");
}

#[test]
fn a_daemon_answers_on_its_socket_and_on_a_port_at_once_and_reads_its_configuration_again_when_told() {
    let folder = scratch();
    let port = std::net::TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a port").port();
    let listen = format!("listen = \"127.0.0.1:{port}\"\n");
    let file = written(folder.path(), "q.toml", &configuration(folder.path(), &listen));
    let manager = ServiceManager::new(folder.path());
    let daemon = Daemon::begin(folder.path(), |command| {
        command.arg("--config").arg(&file).env("NOTIFY_SOCKET", &manager.path);
    });
    manager.wait_for("READY=1");
    let started = line(folder.path(), "INFO started", 0);
    assert!(started.contains("api.sock, 127.0.0.1:"), "{started}");
    assert!(answer(UnixStream::connect(folder.path().join("api.sock")).expect("a socket")).contains("HTTP/1.1"));
    assert!(answer(TcpStream::connect(("127.0.0.1", port)).expect("a port")).contains("HTTP/1.1"));

    let changed = |days: u32, level: &str| {
        let text =
            format!("{listen}keep-days = {days}\nadmin-uid = [4242]\nhistory-days = 5\nlog-level = \"{level}\"\n");
        configuration(folder.path(), &text)
    };
    written(folder.path(), "q.toml", &(changed(77, "warn") + "nonsense = 1\n"));
    daemon.signal("HUP");
    manager.wait_for("RELOADING=1");
    manager.wait_for("READY=1");
    let refused = line(folder.path(), "configuration reload failed", 0);
    assert!(refused.contains("unknown key nonsense"), "{refused}");
    written(folder.path(), "q.toml", &changed(77, "warn"));
    daemon.signal("HUP");
    // From now on only warnings are logged, so the log does not show when the configuration has been read.
    manager.wait_for("RELOADING=1");
    manager.wait_for("READY=1");
    assert!(answer(UnixStream::connect(folder.path().join("api.sock")).expect("a socket")).contains("HTTP/1.1"));
    written(folder.path(), "q.toml", &changed(78, "info"));
    daemon.signal("HUP");
    let again = line(folder.path(), "configuration reloaded", 0);
    assert!(
        again.contains("keep-days") && again.contains("log-level") && again.contains("needs_restart=\"history-days\""),
        "{again}"
    );
}

#[test]
fn a_service_manager_is_told_when_it_is_ready_alive_reloading_and_stopping() {
    let folder = scratch();
    let manager = ServiceManager::new(folder.path());
    let file = written(folder.path(), "q.toml", &configuration(folder.path(), ""));
    let daemon = Daemon::begin(folder.path(), |command| {
        command.arg("--config").arg(&file).env("NOTIFY_SOCKET", &manager.path).env("WATCHDOG_USEC", "300000");
    });
    manager.wait_for("READY=1");
    manager.wait_for("WATCHDOG=1");
    manager.wait_for("WATCHDOG=1");
    daemon.signal("HUP");
    assert!(manager.wait_for("RELOADING=1").contains("MONOTONIC_USEC="));
    manager.wait_for("READY=1");
    daemon.signal("TERM");
    manager.wait_for("STOPPING=1");
}

#[test]
fn a_socket_that_systemd_holds_open_is_answered_on_and_left_where_it_is() {
    let folder = scratch();
    let socket = folder.path().join("held.sock");
    // As sd_listen_fds(3) says: the third descriptor, and who it is for. Only the process itself knows its number before it is the daemon.
    let hold = "import os, socket, sys\n\
                held = socket.socket(socket.AF_UNIX); held.bind(sys.argv[1]); held.listen(8)\n\
                os.dup2(held.fileno(), 3); os.set_inheritable(3, True); os.environ.update(LISTEN_FDS='1', LISTEN_PID=str(os.getpid()))\n\
                os.execv(sys.argv[2], sys.argv[2:])\n";
    let file = written(folder.path(), "q.toml", &configuration(folder.path(), ""));
    let mut command = Command::new("/usr/bin/python3");
    command.args(["-c", hold]).arg(&socket).arg(assert_cmd::cargo::cargo_bin("qcast"));
    command.args(["serve", "--config"]).arg(&file).env_remove("QCAST_LOG_LEVEL");
    let mut daemon = Daemon::spawned(folder.path(), command);
    let started = line(folder.path(), "INFO started", 0);
    assert!(started.contains("held.sock (from systemd)"), "{started}");
    assert!(answer(UnixStream::connect(&socket).expect("it is held open")).contains("HTTP/1.1"));
    assert!(!folder.path().join("api.sock").exists(), "the other takes its place");
    daemon.signal("TERM");
    assert!(daemon.0.wait().expect("it ends").success());
    assert!(socket.exists(), "it is not ours to remove");
}

#[test]
fn a_log_can_be_one_object_a_line() {
    let folder = scratch();
    let file = written(folder.path(), "q.toml", &configuration(folder.path(), "log-format = \"json\"\n"));
    let _daemon = Daemon::begin(folder.path(), |command| {
        command.arg("--config").arg(&file);
    });
    let started: serde_json::Value = serde_json::from_str(&line(folder.path(), "started", 0)).expect("an object");
    assert_eq!((started["level"].as_str(), started["message"].as_str()), (Some("INFO"), Some("started")));
    assert!(started["listen"].as_str().is_some_and(|listen| listen.ends_with("api.sock")), "{started}");
}

#[test]
fn under_systemd_a_line_bears_its_level_as_the_journal_reads_it_and_all_its_fields() {
    let folder = scratch();
    let file = written(folder.path(), "q.toml", &configuration(folder.path(), ""));
    let _daemon = Daemon::begin(folder.path(), |command| {
        command.arg("--config").arg(&file).env("JOURNAL_STREAM", "8:1");
    });
    let started = line(folder.path(), "started", 0);
    assert!(started.starts_with("<6>started version=") && started.contains("api.sock"), "{started}");
    let failed = line(folder.path(), "Slurm call failed", 0);
    assert!(failed.starts_with("<4>") && failed.contains("question=") && failed.contains("error="), "{failed}");
}

#[test]
fn a_cluster_is_found_by_its_name() {
    // A name that no daemon on this machine has.
    let folder = scratch();
    let socket = folder.path().join("api.sock").display().to_string();
    let file = written(folder.path(), "q.toml", &configuration(folder.path(), ""));
    let _daemon = Daemon::begin(folder.path(), |command| {
        command.arg("--config").arg(&file);
    });
    line(folder.path(), "INFO started", 0);
    let ask = |configure: &dyn Fn(&mut assert_cmd::Command)| {
        let mut command = qcast();
        command.env_remove("QCAST_CLUSTERS").env_remove("QCAST_SOCKET").args(["when", "7", "-M", "gamma-of-a-test"]);
        configure(&mut command);
        let output = command.output().expect("it runs");
        (output.status.code(), String::from_utf8(output.stderr).expect("text"))
    };
    let (code, aside) = ask(&|command| {
        command.env("QCAST_CLUSTERS", format!("alpha=/no/such,gamma-of-a-test={socket}"));
    });
    assert!(code == Some(6) && aside.contains("not ready yet"), "{code:?} {aside}");
    let known = written(folder.path(), "known.toml", &format!("[clusters]\ngamma-of-a-test = \"{socket}\"\n"));
    let (code, aside) = ask(&|command| {
        command.env("QCAST_CONFIG", &known);
    });
    assert!(code == Some(6) && aside.contains("not ready yet"), "{code:?} {aside}");
    let nobody = written(folder.path(), "nobody.toml", "");
    let (code, aside) = ask(&|command| {
        command.env("QCAST_CONFIG", &nobody);
    });
    assert!(
        code == Some(2) && aside.contains("no daemon address configured for cluster `gamma-of-a-test`"),
        "{code:?} {aside}"
    );
}

#[test]
fn the_configuration_of_the_package_names_every_option_of_serve_with_a_value_that_is_one() {
    let packaged = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packaging/queuecast.toml");
    let text = fs::read_to_string(&packaged).expect("it is in the repository");
    let folder = scratch();
    let shown = |config: &Path| json(qcast().args(["config", "show", "--config"]).arg(config));
    let as_it_is = shown(&packaged);
    let settings = as_it_is["settings"].as_array().expect("rows");
    assert!(settings.iter().all(|row| row["from"] == "default"), "nothing counts before a # is taken away");
    let named = |key: &str| {
        let line = text.lines().find(|line| line.starts_with(&format!("#{key} = ")));
        line.map(|line| line.trim_start_matches('#').to_owned())
    };
    for row in settings {
        let key = row["key"].as_str().expect("a name");
        if key == "clock" {
            continue; // for labs
        }
        let line = named(key).unwrap_or_else(|| panic!("{key} is not in {}", packaged.display()));
        let shown = shown(&written(folder.path(), "one.toml", &line));
        let row =
            shown["settings"].as_array().expect("rows").iter().find(|row| row["key"] == key).expect("the key").clone();
        assert!(row["from"].as_str().is_some_and(|from| from.ends_with("one.toml:1")), "{line}: {row}");
    }
}

#[test]
fn an_asker_finds_clusters_though_a_file_of_the_daemons_is_not_theirs_to_read() {
    let folder = scratch();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).expect("it is ours");
    let file = written(folder.path(), "q.toml", "[clusters]\nbeta = \"/no/such/beta.sock\"\n");
    fs::create_dir(folder.path().join("q.toml.d")).expect("our folder");
    let hidden = written(&folder.path().join("q.toml.d"), "10.toml", "keep-days = 50\n");
    fs::set_permissions(hidden, fs::Permissions::from_mode(0o600)).expect("it is ours");
    // Only root can be somebody else, and only for somebody else is the file hidden.
    let binary = folder.path().join("qcast");
    fs::copy(assert_cmd::cargo::cargo_bin("qcast"), &binary).expect("a copy that others reach");
    let mut command = Command::new(binary);
    command.uid(1_234).gid(1_234).current_dir("/").env_remove("QCAST_CLUSTERS").env("QCAST_CONFIG", file);
    let output = command.args(["when", "7", "-M", "beta"]).output().expect("tests run as root");
    let aside = String::from_utf8(output.stderr).expect("text");
    assert!(output.status.code() == Some(3) && aside.contains("/no/such/beta.sock"), "{aside}");
}

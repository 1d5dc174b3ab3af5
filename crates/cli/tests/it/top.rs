//! `qcast top` as a person uses it: in a terminal, by keys. The terminal is tmux's.

use std::path::PathBuf;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use crate::daemon_support::{NOW, Served, estimate, job, own_user_id, published};
use crate::support::{qcast, scratch};
use queuecast_site::published::PublishedJob;
use queuecast_testkit::skip_outside_ci;
use queuecast_workload::Time;

/// Thirty jobs of others and one of our own, which would be last.
fn board() -> Served {
    let mut jobs: Vec<PublishedJob> = (1_000..1_030).map(job).collect();
    jobs[4].forecast = estimate(600);
    jobs.push(PublishedJob {
        user: "zoe".to_owned(),
        user_id: Some(own_user_id()),
        forecast: estimate(80_000),
        ..job(2_000)
    });
    Served::new(published(jobs))
}

/// A tmux of its own, gone after the test.
struct Tmux {
    folder: tempfile::TempDir,
}

impl Tmux {
    /// With a shell in it.
    fn new(columns: u16, rows: u16) -> Option<Self> {
        if Command::new("tmux").arg("-V").output().is_err() {
            skip_outside_ci("tmux is not installed");
            return None;
        }
        let tmux = Self { folder: scratch() };
        let size = (columns.to_string(), rows.to_string());
        let output =
            tmux.run(&["-u", "-f", "/dev/null", "new-session", "-d", "-x", &size.0, "-y", &size.1, "env PS1='$ ' sh"]);
        assert!(output.status.success(), "{output:?}");
        tmux.wait_for("the shell", |shown| shown.contains('$'));
        Some(tmux)
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new("tmux");
        command.arg("-S").arg(self.folder.path().join("tmux")).args(arguments).env("LC_ALL", "C.UTF-8");
        command.env_remove("TMUX").output().expect("tmux runs")
    }

    fn keys(&self, keys: &[&str]) {
        let output = self.run(&[&["send-keys"], keys].concat());
        assert!(output.status.success(), "{output:?}");
    }

    fn screen(&self) -> String {
        String::from_utf8_lossy(&self.run(&["capture-pane", "-p"]).stdout).into_owned()
    }

    /// What is on the screen once it is as a person would wait for it to be.
    fn wait_for(&self, what: &str, is_so: impl Fn(&str) -> bool) -> String {
        let until = Instant::now() + Duration::from_secs(20);
        loop {
            let shown = self.screen();
            if is_so(&shown) {
                return shown;
            }
            assert!(Instant::now() < until, "{what} never came:\n{shown}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Starts it; its process is known by [`Tmux::process`].
    fn start(&self, served: &Served) {
        let binary = assert_cmd::cargo::cargo_bin("qcast");
        let line = format!(
            "TZ=UTC0 USER=zoe sh -c 'echo $$ > {}; exec {} top --interval 2 --socket {}'; echo ended with $?",
            self.process().display(),
            binary.display(),
            served.path.display()
        );
        self.keys(&[&line, "Enter"]);
    }

    /// Where its number is.
    fn process(&self) -> PathBuf {
        self.folder.path().join("process")
    }
}

impl Drop for Tmux {
    fn drop(&mut self) {
        self.run(&["kill-server"]);
    }
}

#[test]
fn a_person_sees_their_job_first_looks_into_it_and_leaves() {
    let Some(tmux) = Tmux::new(80, 24) else { return };
    let served = board();
    tmux.start(&served);
    let shown = tmux.wait_for("the list", |shown| shown.contains("1/31"));
    let lines: Vec<&str> = shown.lines().collect();
    assert!(lines[0].starts_with("alpha  12:20  31 waiting, 0 running"), "{shown}");
    assert!(lines[1].starts_with("waiting ") && lines[2].contains("START_80%"), "{shown}");
    assert!(lines[3].starts_with(">*2000") && lines[3].contains("zoe"), "own jobs first: {shown}");
    assert!(lines[4].starts_with("  1004"), "then by start: {shown}");
    println!("{shown}");

    tmux.keys(&["j", "j", "k"]);
    tmux.wait_for("the cursor", |shown| shown.contains(">  1004") || shown.contains("> 1004"));
    tmux.keys(&["Enter"]);
    // A screen may be looked at while it is drawn, so all of it is waited for.
    let parts = [
        "Job 1004 starts at about 12:30 (in 10 min)",
        "95 %",
        "####",
        "N now 12:20  M median 12:30",
        "Slurm's estimate 14:50",
    ];
    let shown = tmux.wait_for("the detail", |shown| parts.iter().all(|part| shown.contains(part)));
    println!("{shown}");
    tmux.keys(&["Escape"]);
    tmux.wait_for("the list again", |shown| shown.contains("2/31"));
    tmux.keys(&["?"]);
    tmux.wait_for("help", |shown| shown.contains("reverses the order"));
    tmux.keys(&["q", "i", "i", "End"]);
    let shown = tmux.wait_for("the last", |shown| shown.contains("31/31  by id, reversed"));
    assert!(shown.contains("> 1000"), "{shown}");
    tmux.keys(&["q"]);
    let shown = tmux.wait_for("the shell", |shown| shown.contains("ended with 0"));
    assert!(!shown.contains("START_80%"), "the screen is as it was before: {shown}");
}

#[test]
fn a_daemon_that_goes_away_is_said_and_found_again() {
    let Some(tmux) = Tmux::new(100, 24) else { return };
    let mut served = board();
    tmux.start(&served);
    tmux.wait_for("the list", |shown| shown.contains("1/31"));
    served.go_away();
    let shown = tmux.wait_for("the lost daemon", |shown| shown.contains("! NO ANSWER, data is"));
    assert!(shown.contains("2000") && shown.contains("retrying"), "what was seen stays: {shown}");
    served.come_back();
    tmux.wait_for("that it answers again", |shown| shown.contains("1/31  by start"));
    tmux.keys(&["q"]);
    tmux.wait_for("the shell", |shown| shown.contains("ended with 0"));
}

#[test]
fn a_terminal_of_any_size_is_given_back_after_a_signal() {
    let Some(tmux) = Tmux::new(20, 5) else { return };
    let served = board();
    tmux.start(&served);
    tmux.wait_for("a job", |shown| shown.contains(">*2000"));
    for (columns, rows) in [("200", "60"), ("3", "2"), ("80", "24")] {
        tmux.run(&["resize-window", "-x", columns, "-y", rows]);
        // Only where the list has its place can the screen show that it was drawn again.
        if columns != "3" {
            let lines = rows.parse::<usize>().expect("a number").min(30) - 4;
            tmux.wait_for("the list in the new size", |shown| {
                shown.contains("1/31") && shown.lines().filter(|line| !line.trim().is_empty()).count() >= lines
            });
        }
    }
    let process = std::fs::read_to_string(tmux.process()).expect("it has begun");
    assert!(Command::new("kill").args(["-TERM", process.trim()]).status().expect("kill runs").success());
    tmux.wait_for("the shell", |shown| shown.contains("ended with 0"));
    tmux.keys(&["echo typed is seen", "Enter"]);
    tmux.wait_for("what is typed", |shown| shown.matches("typed is seen").count() == 2);
    // What tmux itself leaves on a screen that was resized is its own affair.
    let flags = tmux.run(&["display-message", "-p", "#{alternate_on} #{cursor_flag}"]).stdout;
    assert_eq!(String::from_utf8_lossy(&flags).trim(), "0 1", "the usual screen, with its cursor");
}

/// Found as one that had used a core for half an hour after its terminal was closed.
#[test]
fn it_ends_with_its_terminal() {
    let Some(tmux) = Tmux::new(80, 24) else { return };
    let served = board();
    tmux.start(&served);
    tmux.wait_for("the list", |shown| shown.contains("1/31"));
    let process = std::fs::read_to_string(tmux.process()).expect("it has begun");
    let own = PathBuf::from(format!("/proc/{}", process.trim()));
    assert!(own.exists(), "{}", own.display());
    tmux.run(&["kill-server"]);
    let deadline = Instant::now() + Duration::from_secs(5);
    while own.exists() {
        assert!(Instant::now() < deadline, "it still runs");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn without_a_terminal_it_prints_one_screen_and_ends() {
    let served = board();
    let once = |arguments: &[&str]| {
        let mut command = qcast();
        command.args(["top", "--socket"]).arg(&served.path).args(arguments).env("TZ", "UTC0").env("USER", "zoe");
        command.env_remove("COLUMNS").env_remove("LINES");
        String::from_utf8(command.assert().success().get_output().stdout.clone()).expect("text")
    };
    let shown = once(&[]);
    assert_eq!(shown, once(&["--once"]));
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines.len(), 24, "{shown}");
    assert!(lines[3].starts_with(">*2000"), "{shown}");
    assert!(!shown.contains('\u{1b}'), "{shown}");
    assert!(once(&["-u", "alice", "-p", "batch"]).contains("1/30  by start"), "filters as for squeue");
    assert!(once(&["-j", "1004"]).contains("1/1  by start"));
    let mut stale = published(vec![job(7)]);
    stale.health.queue.succeeded = Some(Time(NOW - 3_600));
    served.board.publish(stale);
    let shown = once(&[]);
    assert!(
        shown.contains("STALE") && shown.contains("(stale)") && shown.contains("! stale: The queue was"),
        "{shown}"
    );
    let folder = scratch();
    qcast().args(["top", "--socket"]).arg(folder.path().join("nobody")).assert().code(3);
    qcast().args(["top", "--interval", "1"]).assert().code(2);
}

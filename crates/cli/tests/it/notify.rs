//! `qcast notify`, the built binary, between a served board and a small web server, a mail server and programs.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use crate::daemon_support::{NOW, Served, estimate, job, own_user_id, published};
use crate::support::{qcast, scratch};
use queuecast_daemon::notices::MailRule;
use queuecast_site::published::PublishedJob;
use queuecast_workload::Time;
use serde_json::Value;

/// A request as it came: the header Idempotency-Key, and the body.
type Letter = (String, Value);

/// A web server that answers with these statuses, and then with 200.
fn hook(statuses: &'static [u16]) -> (String, Receiver<Letter>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}/hook", listener.local_addr().expect("an address"));
    let (letters, received) = mpsc::channel();
    std::thread::spawn(move || {
        let mut statuses = statuses.iter();
        for stream in listener.incoming() {
            let mut reader = BufReader::new(stream.expect("a connection"));
            let (mut key, mut length) = (String::new(), 0);
            loop {
                let mut line = String::new();
                reader.read_line(&mut line).expect("a header");
                let (name, value) = line.split_once(':').unwrap_or((line.trim(), ""));
                match name.to_ascii_lowercase().as_str() {
                    "idempotency-key" => value.trim().clone_into(&mut key),
                    "content-length" => length = value.trim().parse().expect("a length"),
                    "" => break,
                    _ => {}
                }
            }
            let mut body = vec![0; length];
            reader.read_exact(&mut body).expect("a body");
            let status = statuses.next().unwrap_or(&200);
            let answer = format!("HTTP/1.1 {status} x\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
            reader.get_mut().write_all(answer.as_bytes()).expect("it is taken");
            if letters.send((key, serde_json::from_slice(&body).expect("JSON"))).is_err() {
                return;
            }
        }
    });
    (url, received)
}

/// `qcast notify --here` while it runs, with what it has printed to standard error so far.
struct Running {
    child: Child,
    log: tempfile::NamedTempFile,
}

impl Running {
    fn stderr(&self) -> String {
        fs::read_to_string(self.log.path()).expect("the log is ours")
    }
}

fn notify(served: &Served, arguments: &[&str]) -> Running {
    let log = tempfile::NamedTempFile::new().expect("a log");
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("qcast"));
    command.args(["notify", "--here", "--interval", "2", "--socket"]).arg(&served.path).args(arguments);
    let child = command.stderr(log.reopen().expect("the log is ours")).spawn().expect("the binary runs");
    Running { child, log }
}

fn next(received: &Receiver<Letter>) -> Letter {
    received.recv_timeout(Duration::from_secs(30)).expect("a message")
}

fn ended(mut running: Running) -> (Option<i32>, String) {
    let status = running.child.wait().expect("it ends");
    (status.code(), running.stderr())
}

/// The number of requests about single jobs that the daemon has answered.
fn answered(served: &Served) -> u64 {
    let mut stream = UnixStream::connect(&served.path).expect("the daemon listens");
    stream.write_all(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").expect("it is sent");
    let mut metrics = String::new();
    stream.read_to_string(&mut metrics).expect("text");
    let lines =
        metrics.lines().filter(|line| line.starts_with("queuecast_requests_total{") && line.contains("/forecast\""));
    lines.filter_map(|line| line.rsplit(' ').next()?.parse::<u64>().ok()).sum()
}

#[test]
fn a_message_is_sent_until_it_is_taken_and_with_the_same_key() {
    let mut served = Served::new(published(vec![PublishedJob { forecast: estimate(300), ..job(7) }]));
    let (url, received) = hook(&[500, 503]);
    let child = notify(&served, &["7", "--webhook", &url, "--before", "10m"]);
    let (key, body) = next(&received);
    assert_eq!(key, format!("queuecast:alpha:7:{}:about_to_start", NOW - 600));
    assert_eq!(
        (&body["event"], &body["job_id"], &body["key"]),
        (&"about_to_start".into(), &"7".into(), &key.clone().into())
    );
    assert_eq!(body["start"]["median"]["unix"], NOW + 300);
    assert_eq!(body["start"]["range80"]["to"]["unix"], NOW + 900);
    assert_eq!(next(&received), (key.clone(), body.clone()), "the second try is the first");
    assert_eq!(next(&received), (key, body), "and so is the third");

    // The daemon is away until the client has noticed it, and then the job runs.
    served.go_away();
    until("the client notices that the daemon is away", || child.stderr().contains("still trying"));
    served.board.publish(published(vec![PublishedJob { started: Some(Time(NOW - 5)), ..job(7) }]));
    served.come_back();
    let (key, body) = next(&received);
    assert!(key.ends_with(":started"), "{key}");
    assert_eq!(body["start"]["median"]["unix"], NOW - 5);
    let (code, aside) = ended(child);
    assert_eq!(code, Some(0), "{aside}");
    assert!(aside.contains("status 500") && aside.contains("still trying"), "{aside}");
    assert!(received.recv_timeout(Duration::from_millis(300)).is_err(), "nothing is told twice");
}

#[test]
fn a_job_that_leaves_the_queue_is_gone_but_not_for_a_daemon_that_has_just_begun() {
    let served = Served::new(published(vec![job(7)]));
    let (url, received) = hook(&[]);
    let child = notify(&served, &["7", "--webhook", &url]);
    until("the client has seen the job", || answered(&served) > 0);
    let mut begun = published(Vec::new());
    begun.health.queue.succeeded = None;
    served.board.publish(begun);
    assert!(received.recv_timeout(Duration::from_secs(4)).is_err(), "nothing is known yet");
    served.board.publish(published(Vec::new()));
    let (key, body) = next(&received);
    assert!(key.ends_with(":gone") && body["event"] == "gone", "{key} {body}");
    assert_eq!(ended(child).0, Some(0));
}

#[test]
fn a_hook_that_takes_nothing_is_given_up() {
    let served = Served::new(published(vec![PublishedJob { started: Some(Time(NOW - 5)), ..job(7) }]));
    let (url, received) = hook(&[500; 20]);
    let (code, aside) = ended(notify(&served, &["7", "--webhook", &url, "--give-up", "2s", "--once-started"]));
    assert_eq!(code, Some(4), "{aside}");
    assert!(aside.contains("message queuecast:alpha:7") && aside.contains("--give-up"), "{aside}");
    assert!(next(&received).0.ends_with(":started"));
}

#[test]
fn what_cannot_work_is_said_at_once() {
    let served = Served::new(published(vec![job(7)]));
    for (arguments, code, expected) in [
        (["7", "--webhook", "ftp://example.org/x"], 2, "begins with http://"),
        (["7", "--webhook", "somewhere"], 2, "--webhook somewhere"),
        (["7.batch", "--webhook", "http://127.0.0.1:1/"], 2, "is not a job ID"),
        (["8", "--webhook", "http://127.0.0.1:1/"], 3, "job 8 is not pending or running"),
    ] {
        let assert =
            qcast().args(["notify", "--here", "--socket"]).arg(&served.path).args(arguments).assert().code(code);
        let aside = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert!(aside.contains(expected), "{arguments:?}: {aside}");
    }
}

/// A job of whoever runs this test.
fn own(job_id: u64) -> PublishedJob {
    PublishedJob { user_id: Some(own_user_id()), ..job(job_id) }
}

fn starts(job: PublishedJob) -> PublishedJob {
    PublishedJob { started: Some(Time(NOW - 5)), ..job }
}

/// A script that keeps what it is given.
fn script(folder: &Path, name: &str, words: &str) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, format!("#!/bin/sh\n{words}\n")).expect("our folder");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it is ours");
    path
}

/// Runs `qcast notify` to its end: the code, what it printed, and what it said aside.
fn asked(served: &Served, arguments: &[&str]) -> (Option<i32>, Value, String) {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("qcast"));
    command.args(["notify", "--format", "json", "--socket"]).arg(&served.path).args(arguments);
    let output = command.output().expect("the binary runs");
    let printed = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
    (output.status.code(), printed, String::from_utf8_lossy(&output.stderr).into_owned())
}

fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(30), "{what}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn the_daemon_tells_when_no_terminal_is_open_also_after_a_restart_and_forgets_it_when_all_is_told() {
    let mut served = Served::new(published(vec![own(7)]));
    let (url, received) = hook(&[]);
    let host = url.strip_suffix("/hook").expect("as it was made");
    served.go_away();
    served.notices.hosts = vec![host.parse().expect("a host")];
    served.come_back();
    let (code, printed, aside) = asked(&served, &["7", "--webhook", &url, "--before", "10m"]);
    assert_eq!(code, Some(0), "{aside}");
    assert!(aside.contains("the confirmation message was delivered"), "{aside}");
    assert_eq!(
        (&printed["notifications"][0]["job"], &printed["notifications"][0]["to"]),
        (&"7".into(), &"127.0.0.1".into())
    );
    assert!(!printed.to_string().contains("/hook"), "its path is a secret: {printed}");
    assert_eq!(next(&received).1["event"], "asked");

    served.board.publish(published(vec![PublishedJob { forecast: estimate(300), ..own(7) }]));
    let (key, body) = next(&received);
    assert_eq!((&body["event"], body["start"]["median"]["unix"].as_i64()), (&"about_to_start".into(), Some(NOW + 300)));
    assert_eq!(key, format!("queuecast:alpha:7:{}:about_to_start", NOW - 600));

    // Ended before it has kept that it was taken, it would be told again.
    until("what was taken is kept", || asked(&served, &["--list"]).1["notifications"][0]["delivered"] == 2);
    served.go_away();
    served.board.publish(published(vec![starts(own(7))]));
    served.come_back();
    assert_eq!(next(&received).1["event"], "started");
    until("a notice that is over is listed no more", || {
        asked(&served, &["--list"]).1["notifications"].as_array().is_some_and(Vec::is_empty)
    });
    assert!(received.recv_timeout(Duration::from_millis(300)).is_err(), "nothing is told twice");
}

#[test]
fn the_daemon_mails_the_jobs_user_and_runs_the_administrators_program_and_a_cancelled_job_is_told_of_no_more() {
    let folder = scratch();
    let out = folder.path().join("out");
    let keep = format!("{{ echo \"$@\"; cat; echo; }} >> {}", out.display());
    let mut served = Served::new(published(vec![own(7), own(8)]));
    served.go_away();
    let sendmail = script(folder.path(), "sendmail", &keep).to_str().expect("a path").parse().expect("a server");
    let mail = MailRule::new("{user}@example.org".to_owned(), "queuecast@example.org".to_owned(), sendmail);
    served.notices.mail = Some(mail.expect("a rule"));
    let tell = format!("echo \"$QCAST_EVENT $QCAST_JOB $QCAST_USER\" >> {}", out.display());
    served.notices.command = Some(script(folder.path(), "tell", &tell));
    served.come_back();
    let (code, _, aside) = asked(&served, &["7", "--mail"]);
    assert_eq!(code, Some(0), "{aside}");
    let written = || fs::read_to_string(&out).unwrap_or_default();
    assert!(written().starts_with("-i -f queuecast@example.org -- alice@example.org\n"), "{}", written());
    assert!(written().contains("Subject: Job 7 on alpha: you will be notified"), "{}", written());
    assert_eq!(asked(&served, &["8", "--command"]).0, Some(0));
    assert!(written().ends_with("asked 8 alice\n"), "{}", written());

    let (code, printed, aside) = asked(&served, &["7", "--cancel"]);
    assert_eq!((code, &printed["notifications"][0]["by"]), (Some(0), &"mail".into()), "{aside}");
    served.board.publish(published(vec![starts(own(7)), starts(own(8))]));
    until("the other is told", || written().ends_with("started 8 alice\n"));
    assert!(!written().contains("has started"), "job 7 was cancelled: {}", written());
    assert_eq!(asked(&served, &["7", "--cancel"]).0, Some(3), "there is nothing left to cancel");
}

#[test]
fn what_the_administrator_does_not_allow_is_refused_at_once_and_a_way_that_does_not_work_is_told() {
    let mut served = Served::new(published(vec![own(7), starts(own(8)), job(9)]));
    for (arguments, code, expected) in [
        (vec!["7", "--webhook", "https://hooks.example.org/x"], 3, "has not allowed the host hooks.example.org"),
        (vec!["7", "--webhook", "ftp://hooks.example.org/x"], 3, "begins with http://"),
        (vec!["7", "--mail"], 3, "has not set up mail"),
        (vec!["7", "--command"], 3, "has not set up a program"),
        (vec!["7", "--mail=me@example.org"], 2, "--mail=ADDRESS needs --here"),
        (vec!["7"], 2, "--mail, --webhook URL or --command"),
        (vec!["8", "--mail"], 3, "already running"),
        (vec!["9", "--mail"], 3, "belongs to another user"),
        (vec!["10", "--mail"], 3, "job 10 is not pending or running"),
    ] {
        let (found, _, aside) = asked(&served, &arguments);
        assert!(found == Some(code) && aside.contains(expected), "{arguments:?}: {found:?} {aside}");
    }
    let (url, received) = hook(&[404]);
    served.go_away();
    served.notices.hosts = vec![url.strip_suffix("/hook").expect("as it was made").parse().expect("a host")];
    served.come_back();
    let (code, _, aside) = asked(&served, &["7", "--webhook", &url]);
    assert!(code == Some(4) && aside.contains("status 404") && aside.contains("--cancel"), "{code:?} {aside}");
    assert_eq!(next(&received).1["event"], "asked");
}

#[test]
fn from_here_mail_goes_to_whom_one_says_and_any_program_is_run() {
    let folder = scratch();
    let out = folder.path().join("out");
    let served = Served::new(published(vec![starts(own(7))]));
    let sendmail = script(folder.path(), "sendmail", &format!("{{ echo \"$@\"; cat; }} > {}", out.display()));
    let sendmail = sendmail.to_str().expect("a path");
    let child = notify(&served, &["7", "--mail=me@example.org", "--mail-server", sendmail]);
    assert_eq!(ended(child).0, Some(0));
    let mail = fs::read_to_string(&out).expect("it wrote");
    assert!(mail.starts_with("-i -f me@example.org -- me@example.org\n") && mail.contains("has started"), "{mail}");
    let tell = script(folder.path(), "tell", &format!("cat > {}", out.display()));
    let child = notify(&served, &["7", &format!("--command={}", tell.display())]);
    assert_eq!(ended(child).0, Some(0));
    let message: Value = serde_json::from_slice(&fs::read(&out).expect("it wrote")).expect("JSON");
    assert_eq!(message["event"], "started");
}

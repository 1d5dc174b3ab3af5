//! `qcast notify`, the built binary, between a served board and a small web server.

mod daemon_support;
mod support;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use daemon_support::{NOW, Served, estimate, job, published};
use queuecast_site::published::PublishedJob;
use queuecast_workload::Time;
use serde_json::Value;
use support::qcast;

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

fn notify(served: &Served, arguments: &[&str]) -> Child {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("qcast"));
    command.args(["notify", "--interval", "2", "--socket"]).arg(&served.path).args(arguments);
    command.stderr(Stdio::piped()).spawn().expect("the binary runs")
}

fn next(received: &Receiver<Letter>) -> Letter {
    received.recv_timeout(Duration::from_secs(30)).expect("a message")
}

fn ended(child: Child) -> (Option<i32>, String) {
    let output = child.wait_with_output().expect("it ends");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
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

    // The daemon is away for a while, and then the job runs.
    served.go_away();
    std::thread::sleep(Duration::from_secs(3));
    served.board.publish(published(vec![PublishedJob { started: Some(Time(NOW - 5)), ..job(7) }]));
    served.come_back();
    let (key, body) = next(&received);
    assert!(key.ends_with(":started"), "{key}");
    assert_eq!(body["start"]["median"]["unix"], NOW - 5);
    let (code, aside) = ended(child);
    assert_eq!(code, Some(0), "{aside}");
    assert!(aside.contains("status 500") && aside.contains("asking on"), "{aside}");
    assert!(received.recv_timeout(Duration::from_millis(300)).is_err(), "nothing is told twice");
}

#[test]
fn a_job_that_leaves_the_queue_is_gone_but_not_for_a_daemon_that_has_just_begun() {
    let served = Served::new(published(vec![job(7)]));
    let (url, received) = hook(&[]);
    let child = notify(&served, &["7", "--webhook", &url]);
    std::thread::sleep(Duration::from_millis(500));
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
    assert!(aside.contains("did not take queuecast:alpha:7") && aside.contains("--give-up"), "{aside}");
    assert!(next(&received).0.ends_with(":started"));
}

#[test]
fn what_cannot_work_is_said_at_once() {
    let served = Served::new(published(vec![job(7)]));
    for (arguments, code, expected) in [
        (["7", "--webhook", "ftp://example.org/x"], 2, "begins with http://"),
        (["7", "--webhook", "somewhere"], 2, "--webhook somewhere"),
        (["7.batch", "--webhook", "http://127.0.0.1:1/"], 2, "not the number of a job"),
        (["8", "--webhook", "http://127.0.0.1:1/"], 3, "no job 8"),
    ] {
        let assert = qcast().args(["notify", "--socket"]).arg(&served.path).args(arguments).assert().code(code);
        let aside = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert!(aside.contains(expected), "{arguments:?}: {aside}");
    }
}

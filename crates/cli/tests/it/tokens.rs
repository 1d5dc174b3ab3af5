//! Which token `qcast` sends to which daemon, the built binary against listeners that write down what they are sent.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::thread::JoinHandle;

use crate::support::qcast;

/// Somebody who answers one question with a refusal, and gives what was sent.
fn listener() -> (String, JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let answering = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("somebody asks");
        let mut asked = [0; 8_192];
        let length = stream.read(&mut asked).expect("a question");
        let _ = stream.write_all(b"HTTP/1.1 500 No\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
        String::from_utf8_lossy(&asked[..length]).into_owned()
    });
    (url, answering)
}

#[test]
fn a_clusters_token_is_sent_to_that_cluster_and_nobody_elses_is() {
    let ((alpha, at_alpha), (beta, at_beta)) = (listener(), listener());
    let mut command = qcast();
    command.args([
        "where",
        "-N",
        "4",
        "--cluster-at",
        &format!("alpha={alpha}"),
        "--cluster-at",
        &format!("beta-2={beta}"),
    ]);
    command.env("SLURM_JWT", "usual").env("SLURM_JWT_ALPHA", "of-alpha").env("SLURM_JWT_GAMMA", "of-gamma");
    command.assert().failure();
    let (alpha, beta) = (at_alpha.join().expect("it was asked"), at_beta.join().expect("it was asked"));
    assert!(alpha.contains("x-slurm-user-token: of-alpha") && !alpha.contains("usual"), "{alpha}");
    assert!(!beta.contains("token") && !beta.contains("usual") && !beta.contains("of-"), "{beta}");
}

#[test]
fn the_usual_token_is_for_the_daemon_that_is_named_by_itself() {
    let (url, asked) = listener();
    let mut command = qcast();
    command.args(["when", "7", "--url", &url]).env("SLURM_JWT", "usual").env("SLURM_JWT_ALPHA", "of-alpha");
    command.assert().failure();
    let asked = asked.join().expect("it was asked");
    assert!(asked.contains("x-slurm-user-token: usual") && !asked.contains("of-alpha"), "{asked}");
}

#[test]
fn clusters_that_would_share_a_token_are_refused_and_so_is_a_token_in_clear() {
    let told = |arguments: &[&str]| {
        let mut command = qcast();
        let output = command.args(arguments).env("SLURM_JWT", "usual").env("SLURM_JWT_A_B", "both").output();
        let output = output.expect("the binary runs");
        (output.status.code(), String::from_utf8(output.stderr).expect("text"))
    };
    let places = ["--cluster-at", "a-b=http://127.0.0.1:1", "--cluster-at", "a_b=http://127.0.0.1:2"];
    let (code, aside) = told(&[&["where", "-N", "4"], &places[..]].concat());
    assert!(code == Some(2) && aside.contains("SLURM_JWT_A_B"), "{aside}");
    let (code, aside) = told(&["when", "7", "--url", "http://192.0.2.7:8642"]);
    assert!(code == Some(2) && aside.contains("https://"), "{aside}");
}

//! What the client does with a socket that has no place, and with whoever sends a token elsewhere.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::time::{Duration, Instant};

use queuecast_api::{AskError, Client};
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType, bind, connect, listen, socket_with};

fn socket() -> OwnedFd {
    let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
    socket_with(AddressFamily::UNIX, SocketType::STREAM, flags, None).expect("a socket")
}

/// A listener that accepts nobody, and everybody who waits for it: there is no place for another.
fn full(path: &Path) -> (OwnedFd, Vec<OwnedFd>) {
    let (listener, address) = (socket(), SocketAddrUnix::new(path).expect("a short path"));
    bind(&listener, &address).expect("a fresh place");
    listen(&listener, 0).expect("it listens");
    let mut waiting = Vec::new();
    loop {
        let asker = socket();
        match connect(&asker, &address) {
            Ok(()) => waiting.push(asker),
            Err(_) => return (listener, waiting),
        }
    }
}

#[test]
fn a_daemon_with_no_place_left_is_given_up_at_the_deadline_and_not_before() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("api.sock");
    let _full = full(&path);
    let deadline = Duration::from_secs(1);
    let begun = Instant::now();
    let asked = Client::at_socket(&path, deadline).expect("a client").get("/v1/health");
    let Err(error) = asked else { panic!("nobody can have answered") };
    assert!(matches!(error, AskError::TooLate { .. }), "{error}");
    let took = begun.elapsed();
    assert!(took > deadline / 2 && took < 5 * deadline, "{took:?}");
}

#[test]
fn a_token_does_not_follow_a_redirection() {
    let (first, second) =
        (TcpListener::bind("127.0.0.1:0").expect("a port"), TcpListener::bind("127.0.0.1:0").expect("a port"));
    let elsewhere = second.local_addr().expect("an address");
    let url = format!("http://{}", first.local_addr().expect("an address"));
    let answering = std::thread::spawn(move || {
        let (mut stream, _) = first.accept().expect("somebody asks");
        let mut asked = [0; 4_096];
        let length = stream.read(&mut asked).expect("a question");
        let answer = format!(
            "HTTP/1.1 302 Found\r\nlocation: http://{elsewhere}/\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
        );
        stream.write_all(answer.as_bytes()).expect("it is taken");
        String::from_utf8_lossy(&asked[..length]).into_owned()
    });
    let client = Client::at_url(&url, Duration::from_secs(5), Some("secret".to_owned()), None).expect("this machine");
    assert!(matches!(client.get("/v1/health"), Err(AskError::NotADaemon { .. })));
    assert!(answering.join().expect("it answered").contains("x-slurm-user-token: secret"));
    second.set_nonblocking(true).expect("a setting");
    assert!(second.accept().is_err(), "nobody else was asked");
}

#[test]
fn a_proxy_that_wants_a_password_is_not_taken_for_somebody_else() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("somebody asks");
        let mut asked = [0; 4_096];
        let _ = stream.read(&mut asked);
        let page = "<html>401 Authorization Required</html>";
        let answer = format!("HTTP/1.1 401 x\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{page}", page.len());
        stream.write_all(answer.as_bytes()).expect("it is taken");
    });
    let client = Client::at_url(&url, Duration::from_secs(5), None, None).expect("this machine");
    let Err(error) = client.get("/v1/score") else { panic!("it wants a password") };
    assert!(matches!(error, AskError::InFront { status: 401, .. }), "{error}");
    assert!(error.hint().is_some_and(|hint| hint.contains("no password")), "{error:?}");
}

#[test]
fn a_token_is_not_sent_to_another_machine_in_clear() {
    let at = |url: &str, token: Option<&str>| {
        Client::at_url(url, Duration::from_secs(1), token.map(str::to_owned), None).map(|_| ())
    };
    for clear in ["http://192.0.2.7:8642", "http://login1:8642", "http://0.0.0.0:8642"] {
        let refused = at(clear, Some("secret")).expect_err("in clear");
        assert!(matches!(refused, AskError::Address(_)) && refused.is_of_question(), "{refused}");
        assert!(refused.hint().is_some_and(|hint| hint.contains("https")), "{refused}");
        assert!(at(clear, None).is_ok(), "there is nothing to hide");
    }
    for fine in ["http://127.0.0.1:8642", "http://localhost:8642"] {
        assert!(at(fine, Some("secret")).is_ok(), "{fine}");
    }
}

//! A board made up, served in this process, and a client of a few lines: what it sends is what a test says.
#![allow(dead_code, reason = "every test file compiles this anew and uses a part of it")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::SocketAddr;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::Arc;

use queuecast_daemon::api::{ApiSettings, Listen, Listener, serve};
use queuecast_daemon::board::Board;
use queuecast_daemon::clock::Clock;
use queuecast_forecast::estimate::{Estimate, JobForecast, SpanRange, TimeRange};
use queuecast_forecast::score::{SHARES, Score};
use queuecast_records::{JobPart, PrivateData};
use queuecast_site::published::{Health, Published, PublishedJob, ReadingHealth};
use queuecast_workload::{Seconds, Time};
use serde_json::Value;
use tokio::runtime::Runtime;
use tokio::sync::oneshot;

/// 2025-11-15T12:20:00Z
pub const NOW: i64 = 1_763_209_200;

/// A job that waits and starts in about half an hour.
pub fn job(job_id: u64) -> PublishedJob {
    let places: [i64; SHARES.len()] = std::array::from_fn(|place| place as i64 - 4);
    PublishedJob {
        job_id,
        part: JobPart::Whole,
        name: format!("name{job_id}"),
        user: "alice".to_owned(),
        user_id: Some(1_000),
        account: "physics".to_owned(),
        partitions: vec!["batch".to_owned()],
        qos: "normal".to_owned(),
        submitted: Time(NOW - 600),
        started: None,
        limit: Some(Seconds(7_200)),
        nodes: Some(2),
        cpus: Some(64),
        reason: "Priority".to_owned(),
        slurm_estimated_start: Some(Time(NOW + 9_000)),
        forecast: JobForecast::Estimate(Estimate {
            start: TimeRange { times: places.map(|place| Time(NOW + 2_100 + 300 * place)) },
            run: SpanRange { spans: places.map(|place| Seconds(3_600 + 600 * place)) },
            completion: TimeRange { times: places.map(|place| Time(NOW + 5_700 + 900 * place)) },
            last_task: None,
        }),
        kept: true,
    }
}

/// A board on which everything was read a moment ago.
pub fn published(jobs: Vec<PublishedJob>) -> Published {
    let read = || ReadingHealth { succeeded: Some(Time(NOW - 12)), calls: 3, ..ReadingHealth::default() };
    Published {
        cluster: "alpha".to_owned(),
        forecast: Some(Time(NOW - 10)),
        health: Health {
            queue: read(),
            nodes: read(),
            accounting: read(),
            settings: read(),
            users: read(),
            ..Health::default()
        },
        jobs: jobs.into(),
        adviser: None,
        score: Arc::new(Score::default()),
        private_data: PrivateData::NOTHING,
        roles: Arc::default(),
        people: Arc::default(),
        ..Published::nothing_yet()
    }
}

/// A served board. Its clock stands still at [`NOW`].
pub struct Served {
    pub board: Board,
    pub path: PathBuf,
    pub address: Option<SocketAddr>,
    stop: Option<oneshot::Sender<()>>,
    runtime: Option<Runtime>,
    _folder: tempfile::TempDir,
}

impl Served {
    pub fn on_socket(published: Published, settings: ApiSettings) -> Self {
        Self::new(published, settings, None)
    }

    pub fn on_tcp(published: Published, settings: ApiSettings) -> Self {
        Self::new(published, settings, Some("127.0.0.1:0".parse().expect("an address")))
    }

    fn new(published: Published, settings: ApiSettings, tcp: Option<SocketAddr>) -> Self {
        let folder = tempfile::tempdir().expect("a scratch folder can be made");
        let path = folder.path().join("api.sock");
        let listen = tcp.map_or_else(|| Listen::Unix(path.clone()), Listen::Tcp);
        let board = Board::new(published);
        let runtime = Runtime::new().expect("a runtime");
        let listener = runtime.block_on(Listener::open(&listen, &settings)).expect("it can listen there");
        let address = listener.address();
        let (stop, stopped) = oneshot::channel();
        let shutdown = async move {
            let _ = stopped.await;
        };
        let clock = Clock::fast(0.0, NOW as f64, 0.0);
        runtime.spawn(serve(vec![listener], board.clone(), clock, settings, shutdown));
        Self { board, path, address, stop: Some(stop), runtime: Some(runtime), _folder: folder }
    }

    pub fn connect(&self) -> Client<UnixStream> {
        Client::new(UnixStream::connect(&self.path).expect("somebody listens"))
    }

    pub fn get(&self, path: &str) -> (u16, Value) {
        self.connect().ask("GET", path, None)
    }

    pub fn post(&self, body: &str) -> (u16, Value) {
        self.ask("/v1/forecast", body)
    }

    /// Asks with a question.
    pub fn ask(&self, path: &str, body: &str) -> (u16, Value) {
        self.connect().ask("POST", path, Some(body))
    }

    /// Asks it to stop, and waits until everybody has left.
    pub fn stop(&mut self) {
        drop(self.stop.take());
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.stop();
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// A connection that is kept.
pub struct Client<S> {
    stream: BufReader<S>,
}

impl<S: Read + Write> Client<S> {
    pub fn new(stream: S) -> Self {
        Self { stream: BufReader::new(stream) }
    }

    /// Sends these bytes as they are.
    pub fn send(&mut self, bytes: &[u8]) {
        self.stream.get_mut().write_all(bytes).expect("it is taken");
    }

    /// Asks, and reads the answer as JSON.
    pub fn ask(&mut self, method: &str, path: &str, body: Option<&str>) -> (u16, Value) {
        let length = body.map_or_else(String::new, |body| {
            format!("content-type: application/json\r\ncontent-length: {}\r\n", body.len())
        });
        self.send(
            format!("{method} {path} HTTP/1.1\r\nhost: localhost\r\n{length}\r\n{}", body.unwrap_or("")).as_bytes(),
        );
        let (status, text) = self.answer().expect("an answer");
        (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
    }

    /// The next answer; `None` if the connection was closed instead.
    pub fn answer(&mut self) -> Option<(u16, String)> {
        let mut line = String::new();
        self.stream.read_line(&mut line).ok().filter(|length| *length > 0)?;
        let status = line.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        let mut length = 0;
        loop {
            line.clear();
            self.stream.read_line(&mut line).expect("a header");
            let header = line.trim_end().to_ascii_lowercase();
            if header.is_empty() {
                break;
            }
            if let Some(value) = header.strip_prefix("content-length:") {
                length = value.trim().parse().expect("a length");
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body).expect("a body");
        Some((status, String::from_utf8(body).expect("text")))
    }
}

//! What the interface answers, asked over a real socket.

use std::io::Write;
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use crate::api_support::{Client, NOW, Served, job, published};
use queuecast_advise::{Adviser, HypotheticalJob};
use queuecast_advise::{LimitAdvice, Place, SizeAdvice, SizeQuestion, Subject, Why};
use queuecast_daemon::api::{ApiError, ApiSettings, Listen, Listener, openapi_json};
use queuecast_forecast::estimate::{JobForecast, NoForecast};
use queuecast_forecast::queue::{Patience, Threads};
use queuecast_site::published::{Published, PublishedJob};
use queuecast_workload::Time;
use serde_json::{Value, json};

fn served(jobs: Vec<PublishedJob>) -> Served {
    Served::on_socket(published(jobs), ApiSettings::default())
}

#[test]
fn a_job_is_answered_with_ranges_that_are_in_order_and_not_before_now() {
    let (status, answer) = served(vec![job(7)]).get("/v1/jobs/7/forecast");
    assert_eq!(status, 200);
    assert_eq!(
        (&answer["cluster"], &answer["job"]["id"], &answer["state"]),
        (&json!("alpha"), &json!("7"), &json!("waiting"))
    );
    assert_eq!(answer["now"], json!({ "unix": NOW, "utc": "2025-11-15T12:20:00Z" }));
    assert_eq!((&answer["data_age_seconds"], &answer["start"]["seconds_from_now"]), (&json!(12), &json!(2_100)));
    assert_eq!(answer["start"]["median"], json!({ "unix": NOW + 2_100, "utc": "2025-11-15T12:55:00Z" }));
    assert_eq!(answer["run"]["median_seconds"], 3_600);
    assert_eq!(
        (&answer["no_forecast"], &answer["recent_accuracy"], &answer["stored"]),
        (&Value::Null, &Value::Null, &json!(true))
    );
    assert_eq!(answer["slurm_estimated_start"]["unix"], NOW + 9_000);
    for what in ["start", "completion"] {
        let unix = |range: &str, end: &str| answer[what][range][end]["unix"].as_i64().unwrap();
        let ends = [unix("range95", "from"), unix("range80", "from"), unix("range50", "from")];
        let later = [unix("range50", "to"), unix("range80", "to"), unix("range95", "to")];
        assert!(ends.into_iter().chain(later).is_sorted() && ends[0] >= NOW, "{what}: {ends:?} {later:?}");
    }
}

#[test]
fn a_queue_that_was_not_read_for_a_quarter_of_an_hour_gives_no_estimate() {
    let served = served(vec![job(7)]);
    let mut stale = published(vec![job(7)]);
    stale.health.queue.succeeded = Some(Time(NOW - 901));
    served.board.publish(stale);
    let (status, answer) = served.get("/v1/jobs/7/forecast");
    assert_eq!((status, &answer["no_forecast"]["code"], &answer["start"]), (200, &json!("stale"), &Value::Null));
    assert_eq!(answer["data_age_seconds"], 901);
    let (status, health) = served.get("/v1/health");
    assert_eq!((status, &health["status"]), (503, &json!("stale")));
}

#[test]
fn the_queue_comes_in_pages_that_leave_nobody_out() {
    let mut jobs: Vec<PublishedJob> = (1..=250).map(job).collect();
    jobs[9].started = Some(Time(NOW - 5));
    jobs[20].user = "bob".to_owned();
    jobs[30].partitions = vec!["gpu".to_owned(), "batch".to_owned()];
    let served = served(jobs);
    let numbers = |page: &Value| -> Vec<u64> {
        page["jobs"].as_array().unwrap().iter().map(|job| job["job"]["job_id"].as_u64().unwrap()).collect()
    };
    let (mut seen, mut path) = (Vec::new(), "/v1/queue".to_owned());
    loop {
        let (status, page) = served.get(&path);
        assert_eq!(status, 200);
        seen.extend(numbers(&page));
        let Some(after) = page["next_after"].as_u64() else { break };
        path = format!("/v1/queue?after={after}");
    }
    assert_eq!(seen, (1..=250).filter(|number| *number != 10).collect::<Vec<u64>>());
    assert_eq!(numbers(&served.get("/v1/queue?user=bob").1), [21]);
    assert_eq!(numbers(&served.get("/v1/queue?partition=gpu").1), [31]);
    assert_eq!(numbers(&served.get("/v1/queue?state=running").1), [10]);
    assert_eq!(numbers(&served.get("/v1/queue?state=all&limit=1000").1).len(), 250);
    let (_, health) = served.get("/v1/health");
    assert_eq!((&health["jobs_waiting"], &health["jobs_running"]), (&json!(249), &json!(1)));
    assert_eq!(numbers(&served.get("/v1/queue?limit=249").1).len(), 249);
    for wrong in ["limit=0", "limit=1001", "limit=-1", "frobnicate=1", "after=x", "state=gone"] {
        let (status, answer) = served.get(&format!("/v1/queue?{wrong}"));
        assert_eq!((status, &answer["error"]["code"]), (400, &json!("bad_request")), "{wrong}");
    }
}

/// A job whose questions wait at the gate.
const SLOW_JOB: u64 = 99;

/// Holds slow questions back until a test opens it, so that no test guesses how long something takes.
#[derive(Default)]
struct Gate {
    state: Mutex<GateState>,
    changed: Condvar,
}

#[derive(Default)]
struct GateState {
    arrived: usize,
    is_open: bool,
}

impl Gate {
    fn pass(&self) {
        let mut state = self.state.lock().expect("no test panics with it");
        state.arrived += 1;
        self.changed.notify_all();
        drop(self.changed.wait_while(state, |state| !state.is_open).expect("no test panics with it"));
    }

    /// Waits until a question is held back.
    fn wait_for_arrival(&self) {
        let state = self.state.lock().expect("no test panics with it");
        let waited = self.changed.wait_timeout_while(state, Duration::from_secs(30), |state| state.arrived == 0);
        assert!(!waited.expect("no test panics with it").1.timed_out(), "no question arrived");
    }

    fn open(&self) {
        self.state.lock().expect("no test panics with it").is_open = true;
        self.changed.notify_all();
    }
}

/// Answers with the question itself; questions with the name `slow` or about [`SLOW_JOB`] wait at the gate first.
#[derive(Default)]
struct Echo {
    gate: Arc<Gate>,
}

impl Adviser for Echo {
    fn within(self: Arc<Self>, _patience: Patience, _threads: Threads) -> Arc<dyn Adviser> {
        self
    }

    fn forecast(&self, asked: &HypotheticalJob) -> JobForecast {
        match asked.name.as_deref() {
            Some("slow") => self.gate.pass(),
            Some("panic") => panic!("asked for"),
            Some("same") => {
                return JobForecast::NoForecast(NoForecast { code: "does_not_fit", why: "too many".to_owned() });
            }
            _ => {}
        }
        JobForecast::NoForecast(echo(asked))
    }
    fn limits(&self, subject: &Subject) -> Result<LimitAdvice, NoForecast> {
        Err(echo(subject))
    }
    fn places(&self, asked: &HypotheticalJob) -> Vec<Place> {
        vec![Place { partition: "batch".to_owned(), forecast: self.forecast(asked) }]
    }
    fn partitions(&self) -> Vec<&str> {
        vec!["batch"]
    }
    fn widths(&self, asked: &HypotheticalJob, question: &SizeQuestion) -> Result<SizeAdvice, NoForecast> {
        Err(echo(&(asked, question)))
    }
    fn why(&self, job_id: u64) -> Result<Why, NoForecast> {
        if job_id == SLOW_JOB {
            self.gate.pass();
        }
        Err(echo(&job_id))
    }
}

fn echo(asked: &impl std::fmt::Debug) -> NoForecast {
    NoForecast { code: "echo", why: format!("{asked:?}") }
}

fn advised(settings: ApiSettings) -> Served {
    advised_with_gate(settings, Vec::new()).0
}

fn advised_with_gate(settings: ApiSettings, jobs: Vec<PublishedJob>) -> (Served, Arc<Gate>) {
    let echo = Echo::default();
    let gate = Arc::clone(&echo.gate);
    (Served::on_socket(Published { adviser: Some(Arc::new(echo)), ..published(jobs) }, settings), gate)
}

#[test]
fn a_hypothetical_job_is_understood_in_full_or_refused() {
    let served = advised(ApiSettings::default());
    let (status, answer) =
        served.post(r#"{"partition": "batch", "nodes": 4, "gpus": 2, "limit_seconds": 60, "user": "alice"}"#);
    assert_eq!((status, &answer["state"], &answer["job"]["id"]), (200, &json!("hypothetical"), &Value::Null));
    let why = answer["no_forecast"]["message"].as_str().unwrap();
    assert!(why.contains("nodes: Some(4)") && why.contains("gpus: Some(2)") && why.contains("Seconds(60)"), "{why}");
    let (status, answer) = served.post(r#"{"nodes": 4, "walltime": 60}"#);
    assert_eq!(status, 400);
    assert!(answer["error"]["message"].as_str().unwrap().contains("walltime"), "{answer}");
    let (status, answer) = served.post(&format!(r#"{{"name": "{}"}}"#, "x".repeat(70_000)));
    assert_eq!((status, &answer["error"]["code"]), (413, &json!("too_large")));
    let (status, answer) = served.post(&"[".repeat(60_000));
    assert_eq!((status, &answer["error"]["code"]), (400, &json!("bad_request")));
    let mut client = served.connect();
    client.send(b"POST /v1/forecast HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\ncontent-length: 2\r\n\r\n{}");
    assert_eq!(client.answer().expect("an answer").0, 415);
    let (status, answer) = served.post(r#"{"name": "panic"}"#);
    assert_eq!((status, &answer["error"]["code"]), (500, &json!("failed")));
    let (status, answer) = Served::on_socket(published(Vec::new()), ApiSettings::default()).post("{}");
    assert_eq!((status, &answer["error"]["code"]), (503, &json!("not_ready")));
}

#[test]
fn advice_is_asked_for_by_number_or_by_description_and_nothing_is_lost_on_the_way() {
    let mut board = published(vec![job(7)]);
    board.adviser = Some(Arc::new(Echo::default()));
    let served = Served::on_socket(board, ApiSettings::default());
    let why = |(status, answer): (u16, Value)| (status, answer["no_forecast"]["message"].to_string());
    assert_eq!(why(served.get("/v1/jobs/7/limit")), (200, r#""Waiting(7)""#.to_owned()));
    assert_eq!(why(served.get("/v1/jobs/7/why")), (200, r#""7""#.to_owned()));
    let (status, said) = why(served.ask("/v1/limit", r#"{"nodes": 3, "account": "physics", "qos": "long"}"#));
    assert!(status == 200 && said.contains("Hypothetical"), "{said}");
    for part in ["nodes: Some(3)", "physics", "long"] {
        assert!(said.contains(part), "{said}");
    }
    let (status, answer) = served.ask("/v1/where", r#"{"nodes": 3}"#);
    assert_eq!(
        (status, &answer["partitions"][0]["partition"], &answer["cluster"]),
        (200, &json!("batch"), &json!("alpha"))
    );
    let size = r#"{"job": {"nodes": 3}, "speedup": "amdahl:0.1", "run_seconds": 600, "sizes": [1, 2]}"#;
    let (status, said) = why(served.ask("/v1/size", size));
    assert!(status == 200 && said.contains("serial_fraction: 0.1") && said.contains("widths: [1, 2]"), "{said}");
    for wrong in [
        r#"{"job": {"nodes": 3}, "speedup": "linear"}"#,
        r#"{"job": {"nodes": 3}, "run_seconds": 0}"#,
        r#"{"job": {"nodes": 3}, "sizes": [0]}"#,
        r#"{"job": {"nodes": 0}}"#,
        r#"{"jobs": []}"#,
        "[]",
    ] {
        let (status, answer) = served.ask("/v1/size", wrong);
        assert_eq!((status, &answer["error"]["code"]), (400, &json!("bad_request")), "{wrong}");
    }
    for path in ["/v1/jobs/8/limit", "/v1/jobs/8/why"] {
        assert_eq!(served.get(path).0, 404, "{path}");
    }
}

#[test]
fn a_table_has_a_cell_for_each_size_with_each_limit_or_is_refused() {
    let served = advised(ApiSettings::default());
    let asked = r#"{"job": {"gpus": 2, "nodes": 9}, "nodes": [1, 2], "limits_seconds": [60, 600, 6000]}"#;
    let (status, answer) = served.ask("/v1/forecast/table", asked);
    let rows = answer["rows"].as_array().expect("rows");
    assert_eq!((status, rows.len(), &answer["no_forecast"]), (200, 2, &Value::Null));
    for row in rows {
        let cells = row["cells"].as_array().expect("cells");
        assert_eq!((cells.len(), &row["gpus"], &row["no_forecast"]), (3, &json!(2), &Value::Null));
        for cell in cells {
            let why = cell["no_forecast"]["message"].as_str().expect("an echo");
            for said in [
                format!("nodes: Some({})", row["nodes"]),
                format!("limit: Some(Seconds({}))", cell["limit_seconds"]),
                "gpus: Some(2)".to_owned(),
            ] {
                assert!(why.contains(&said), "{said} in {why}");
            }
        }
    }
    for wrong in [
        r#"{"job": {}, "nodes": [1], "limits_seconds": []}"#,
        r#"{"job": {}, "nodes": [0], "limits_seconds": [60]}"#,
        r#"{"job": {"nodes": 0}, "nodes": [1], "limits_seconds": [60]}"#,
        r#"{"job": {}, "nodes": [1], "limits": [60]}"#,
        r#"{"job": {}, "nodes": [1], "limits_seconds": [60], "gpus": [-1]}"#,
    ] {
        let (status, answer) = served.ask("/v1/forecast/table", wrong);
        assert_eq!((status, &answer["error"]["code"]), (400, &json!("bad_request")), "{wrong}");
    }
}

#[test]
fn a_table_has_every_number_of_gpus_in_every_partition_and_tells_once_what_holds_for_every_limit() {
    let served = advised(ApiSettings::default());
    let asked = r#"{"job": {"name": "same"}, "nodes": [1], "limits_seconds": [60, 600], "gpus": [0, 2], "every_partition": true}"#;
    let (status, answer) = served.ask("/v1/forecast/table", asked);
    assert_eq!((status, &answer["no_forecast"]), (200, &Value::Null));
    let rows = answer["rows"].as_array().expect("rows");
    let choices: Vec<_> = rows.iter().map(|row| [&row["partition"], &row["gpus"], &row["nodes"]]).collect();
    let of = |partition: Value, gpus: Value| [partition, gpus, json!(1)];
    let wanted = [
        of(Value::Null, Value::Null),
        of(Value::Null, json!(2)),
        of(json!("batch"), Value::Null),
        of(json!("batch"), json!(2)),
    ];
    assert_eq!(choices, wanted.each_ref().map(<[Value; 3]>::each_ref));
    for row in rows {
        assert_eq!((&row["cells"], &row["no_forecast"]["message"]), (&json!([]), &json!("too many")));
    }
}

#[test]
fn table_is_answered_while_a_single_forecast_runs() {
    let settings = ApiSettings { advisers: 1, request_limit: Duration::from_secs(30), ..ApiSettings::default() };
    let (served, gate) = advised_with_gate(settings, Vec::new());
    std::thread::scope(|scope| {
        let slow = scope.spawn(|| served.post(r#"{"name": "slow"}"#));
        gate.wait_for_arrival();
        let asked = r#"{"job": {}, "nodes": [1], "limits_seconds": [60]}"#;
        assert_eq!(served.ask("/v1/forecast/table", asked).0, 200);
        gate.open();
        assert_eq!(slow.join().expect("an answer").0, 200);
    });
}

/// Works on an answer for a given time, unless it is cancelled before.
struct Slow {
    work: Duration,
    ends: Arc<SlowEnds>,
    patience: Patience,
}

#[derive(Default)]
struct SlowEnds {
    begun: AtomicUsize,
    finished: AtomicUsize,
    cancelled: AtomicUsize,
}

impl Adviser for Slow {
    fn within(self: Arc<Self>, patience: Patience, _threads: Threads) -> Arc<dyn Adviser> {
        Arc::new(Self { work: self.work, ends: Arc::clone(&self.ends), patience })
    }

    fn forecast(&self, asked: &HypotheticalJob) -> JobForecast {
        self.ends.begun.fetch_add(1, Ordering::SeqCst);
        let begun = Instant::now();
        while begun.elapsed() < self.work {
            if self.patience.is_over() {
                self.ends.cancelled.fetch_add(1, Ordering::SeqCst);
                return JobForecast::NoForecast(echo(asked));
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        self.ends.finished.fetch_add(1, Ordering::SeqCst);
        JobForecast::NoForecast(echo(asked))
    }
    fn limits(&self, _: &Subject) -> Result<LimitAdvice, NoForecast> {
        unreachable!("no test asks for limits")
    }
    fn places(&self, _: &HypotheticalJob) -> Vec<Place> {
        unreachable!("no test asks for partitions")
    }
    fn widths(&self, _: &HypotheticalJob, _: &SizeQuestion) -> Result<SizeAdvice, NoForecast> {
        unreachable!("no test asks for sizes")
    }
    fn why(&self, _: u64) -> Result<Why, NoForecast> {
        unreachable!("no test asks for reasons")
    }
}

/// A table serves every client, so it is computed to its end although its client has left. A single forecast is cancelled.
#[test]
fn table_is_finished_without_its_client_and_a_forecast_is_cancelled() {
    let table = r#"{"job": {}, "nodes": [1], "limits_seconds": [60]}"#;
    // Only leaving cancels the forecast: the work and the limit of a request are far longer than the test.
    for (path, question, work, is_finished) in [
        ("/v1/forecast/table", table, Duration::from_millis(500), true),
        ("/v1/forecast", "{}", Duration::from_mins(2), false),
    ] {
        let ends = Arc::new(SlowEnds::default());
        let adviser = Arc::new(Slow { work, ends: Arc::clone(&ends), patience: Patience::ENDLESS });
        let board = Published { adviser: Some(adviser), ..published(Vec::new()) };
        let settings = ApiSettings { request_limit: Duration::from_mins(2), ..ApiSettings::default() };
        let served = Served::on_socket(board, settings);
        let mut client = UnixStream::connect(&served.path).expect("the daemon listens");
        let length = question.len();
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
        );
        client.write_all(format!("{head}{question}").as_bytes()).expect("the request is sent");
        wait_until("the work has begun", || ends.begun.load(Ordering::SeqCst) > 0);
        drop(client);
        wait_until("the work has ended", || {
            ends.finished.load(Ordering::SeqCst) + ends.cancelled.load(Ordering::SeqCst) > 0
        });
        assert_eq!(ends.finished.load(Ordering::SeqCst) > 0, is_finished, "{path}");
    }
}

fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let until = Instant::now() + Duration::from_secs(30);
    while !holds() {
        assert!(Instant::now() < until, "not so after 30 s: {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn forecast_is_answered_while_advice_runs_which_has_more_time() {
    let limit = Duration::from_secs(1);
    let settings =
        ApiSettings { request_limit: limit, advisers: 1, advisers_playing_again: 1, ..ApiSettings::default() };
    let (served, gate) = advised_with_gate(settings, Vec::new());
    std::thread::scope(|scope| {
        let begun = Instant::now();
        let slow = scope.spawn(|| served.ask("/v1/where", r#"{"name": "slow"}"#));
        gate.wait_for_arrival();
        assert_eq!(served.post("{}").0, 200);
        // The advice is held back for longer than a forecast may take.
        std::thread::sleep((limit + Duration::from_millis(200)).saturating_sub(begun.elapsed()));
        gate.open();
        assert_eq!(slow.join().expect("an answer").0, 200);
    });
}

#[test]
fn forecast_over_its_limit_is_given_up_and_other_requests_are_answered_meanwhile() {
    let settings = ApiSettings { request_limit: Duration::from_millis(300), advisers: 1, ..ApiSettings::default() };
    let (served, gate) = advised_with_gate(settings, Vec::new());
    std::thread::scope(|scope| {
        let slow = scope.spawn(|| served.post(r#"{"name": "slow"}"#));
        gate.wait_for_arrival();
        assert_eq!(served.get("/v1/health").0, 200);
        let (status, answer) = slow.join().expect("an answer");
        assert_eq!((status, &answer["error"]["code"]), (503, &json!("too_late")));
        gate.open();
    });
}

#[test]
fn forecast_is_answered_while_reasons_are_computed() {
    let settings = ApiSettings { request_limit: Duration::from_secs(5), ..ApiSettings::default() };
    let (served, gate) = advised_with_gate(settings, vec![job(SLOW_JOB)]);
    std::thread::scope(|scope| {
        let slow = [0, 1, 2].map(|_| scope.spawn(|| served.get("/v1/jobs/99/why").0));
        gate.wait_for_arrival();
        assert_eq!(served.post("{}").0, 200);
        gate.open();
        assert_eq!(slow.map(|asked| asked.join().expect("an answer")), [200; 3]);
    });
}

#[test]
fn what_cannot_be_asked_is_refused_in_json() {
    let served = served(vec![job(7)]);
    for (method, path, status, code) in [
        ("GET", "/nowhere", 404, "unknown_route"),
        ("GET", "/v1/jobs/7", 404, "unknown_route"),
        ("GET", "/../../etc/passwd", 404, "unknown_route"),
        ("DELETE", "/v1/jobs/7/forecast", 405, "wrong_method"),
        ("GET", "/v1/forecast", 405, "wrong_method"),
        ("GET", "/v1/jobs/8/forecast", 404, "no_such_job"),
        ("GET", "/v1/jobs/7.batch/forecast", 400, "not_a_job_id"),
        ("GET", "/v1/jobs/seven/forecast", 400, "not_a_job_id"),
        ("GET", "/v1/jobs/%ff/forecast", 400, "not_a_job_id"),
        ("GET", "/v1/jobs/99999999999999999999999/forecast", 400, "not_a_job_id"),
    ] {
        let (answered, answer) = served.connect().ask(method, path, None);
        assert_eq!((answered, &answer["error"]["code"]), (status, &json!(code)), "{method} {path}: {answer}");
        assert!(answer["error"]["message"].is_string() && answer["error"]["hint"].is_string());
    }
}

#[test]
fn hostile_names_stay_inside_their_strings() {
    let name = "\"}<script>\u{1b}]52;c;AAAA\u{7}\r\n\0{{7*7}}";
    let hostile =
        PublishedJob { name: name.to_owned(), partitions: vec![name.to_owned()], user: name.to_owned(), ..job(7) };
    let served = served(vec![hostile]);
    let mut client = served.connect();
    client.send(b"GET /v1/jobs/7/forecast HTTP/1.1\r\nhost: x\r\n\r\n");
    let (_, text) = client.answer().expect("an answer");
    assert!(!text.chars().any(|character| character.is_ascii_control()), "{text}");
    let answer: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(answer["job"]["name"], name);
    let (_, metrics) = served.get("/metrics");
    assert!(!metrics.as_str().expect("text").contains("script"), "{metrics}");
}

#[test]
fn metrics_tell_what_is_asked_of_slurm_and_of_us_and_name_nobody() {
    let mut running = job(8);
    running.started = Some(Time(NOW - 5));
    let served = served(vec![job(7), running]);
    served.get("/v1/jobs/7/forecast");
    served.get("/v1/jobs/9/forecast");
    let (status, metrics) = served.get("/metrics");
    let metrics = metrics.as_str().expect("text");
    assert_eq!(status, 200);
    for line in [
        r#"queuecast_slurm_calls_total{cluster="alpha",kind="queue"} 3"#,
        r#"queuecast_slurm_call_failures_total{cluster="alpha",kind="accounting",error="too_late"} 0"#,
        r#"queuecast_data_age_seconds{cluster="alpha",kind="nodes"} 12.0"#,
        r#"queuecast_jobs_waiting{cluster="alpha"} 1.0"#,
        r#"queuecast_jobs_running{cluster="alpha"} 1.0"#,
        r#"queuecast_requests_total{cluster="alpha",route="/v1/jobs/{id}/forecast",status="200"} 1"#,
        r#"queuecast_requests_total{cluster="alpha",route="/v1/jobs/{id}/forecast",status="404"} 1"#,
        "# EOF",
    ] {
        assert!(metrics.lines().any(|found| found == line), "{line} is not in\n{metrics}");
    }
    assert!(!metrics.contains("alice") && !metrics.contains("name7"));
}

#[test]
fn the_document_in_the_repository_is_what_is_served() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/openapi.json");
    if std::env::var_os("QCAST_BLESS").is_some() {
        std::fs::write(path, openapi_json()).expect("the repository can be written");
    }
    let stored = std::fs::read_to_string(path).expect("the document is there");
    assert!(stored == openapi_json(), "openapi.json is not what is served; if that is meant: QCAST_BLESS=1");
    let (_, said) = served(Vec::new()).get("/openapi.json");
    assert_eq!(said, serde_json::from_str::<Value>(&stored).expect("JSON"));
    for route in [
        "/v1/jobs/{id}/forecast",
        "/v1/jobs/{id}/limit",
        "/v1/jobs/{id}/why",
        "/v1/forecast",
        "/v1/limit",
        "/v1/where",
        "/v1/forecast/table",
        "/v1/size",
        "/v1/queue",
        "/v1/score",
        "/v1/health",
        "/metrics",
    ] {
        assert!(said["paths"][route].is_object(), "{route}");
    }
}

#[test]
fn clients_that_trickle_or_fall_silent_are_shown_out() {
    // Long beside what a busy machine may keep a thread waiting.
    let patience = Duration::from_secs(2);
    let served = Served::on_socket(published(Vec::new()), ApiSettings { patience, ..ApiSettings::default() });
    let mut silent = served.connect();
    let began = Instant::now();
    assert_eq!(silent.answer(), None);
    assert!(began.elapsed() >= patience / 2);
    let mut trickling = UnixStream::connect(&served.path).expect("somebody listens");
    let began = Instant::now();
    trickling.write_all(b"GET /v1/health HTTP/1.1\r\nx: ").expect("it is taken");
    while trickling.write_all(b"x").is_ok() {
        assert!(began.elapsed() < Duration::from_secs(20), "bytes buy time");
        std::thread::sleep(Duration::from_millis(40));
    }
    let mut kept = served.connect();
    for _ in 0..3 {
        std::thread::sleep(patience * 2 / 5);
        assert_eq!(kept.ask("GET", "/v1/health", None).0, 200, "who asks again within patience is welcome");
    }
}

#[test]
fn who_finds_no_place_waits_until_somebody_leaves() {
    let served = Served::on_socket(published(Vec::new()), ApiSettings { connections: 2, ..ApiSettings::default() });
    let mut inside = [served.connect(), served.connect()];
    for client in &mut inside {
        assert_eq!(client.ask("GET", "/v1/health", None).0, 200);
    }
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| served.get("/v1/health").0);
        std::thread::sleep(Duration::from_millis(150));
        assert!(!waiting.is_finished(), "there is no place");
        drop(inside);
        assert_eq!(waiting.join().expect("an answer"), 200);
    });
}

#[test]
fn over_tcp_it_answers_on_this_machine_only_and_tells_nobody_of_jobs() {
    let served = Served::on_tcp(published(vec![job(7)]), ApiSettings::default());
    let connect = || Client::new(TcpStream::connect(served.address.expect("an address")).expect("somebody listens"));
    for path in ["/v1/jobs/7/forecast", "/v1/jobs/8/forecast", "/v1/queue"] {
        let (status, answer) = connect().ask("GET", path, None);
        assert_eq!((status, &answer["error"]["code"]), (403, &json!("jobs_are_private")), "{path}");
    }
    assert_eq!(connect().ask("GET", "/v1/score", None).0, 200);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let anywhere = Listen::Tcp("0.0.0.0:0".parse().expect("an address"));
    let refused = runtime.block_on(Listener::open(&anywhere, &ApiSettings::default()));
    assert!(matches!(refused, Err(ApiError::InClear { .. })));
    let consent = ApiSettings { tls_by_proxy: true, ..ApiSettings::default() };
    assert!(runtime.block_on(Listener::open(&anywhere, &consent)).is_ok());
}

#[test]
fn when_it_stops_its_socket_is_gone() {
    let mut served = served(vec![job(7)]);
    let mut idle = served.connect();
    assert_eq!(idle.ask("GET", "/v1/health", None).0, 200);
    served.stop();
    let began = Instant::now();
    while served.path.exists() {
        assert!(began.elapsed() < Duration::from_secs(8), "it does not stop");
        std::thread::sleep(Duration::from_millis(10));
    }
}

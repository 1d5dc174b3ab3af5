//! Who sees what, over every role, every route and every job, with jobs private and not: nothing of a job that an asker may
//! not see is in any answer, and what they may see is.
//!
//! The askers come in over a door of the test's own, at which it says who they are.

use std::io::{Read, Write};
use std::os::unix::net::UnixStream as OwnEnd;
use std::sync::Arc;

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use queuecast_slurm::record::JobPart;
use queuecast_workload::Time;
use tokio::net::UnixStream;
use tokio::sync::mpsc;

use super::asker::Asker;
use super::routes::Api;
use super::test_board::{NOW, estimate, job, published};
use super::{ApiSettings, answer_all};
use crate::advice::{LimitAdvice, Place, SizeAdvice, SizeQuestion, Subject, Why};
use crate::clock::Clock;
use crate::published::{Adviser, Board, HypotheticalJob, JobForecast, NoEstimate, Published, PublishedJob};

const DAEMON: u32 = 990;
const ADMINISTRATOR: u32 = 77;
const USERS: [(u32, &str); 3] = [(1_000, "alice"), (1_001, "bob"), (1_002, "carol")];
const EVERYBODY: [Asker; 7] = [
    Asker::User(0),
    Asker::User(DAEMON),
    Asker::User(ADMINISTRATOR),
    Asker::User(1_000),
    Asker::User(1_001),
    Asker::User(4_444),
    Asker::Nobody,
];

struct Hatch(mpsc::Receiver<(UnixStream, Asker)>);

impl Listener for Hatch {
    type Io = UnixStream;
    type Addr = Asker;

    async fn accept(&mut self) -> (UnixStream, Asker) {
        match self.0.recv().await {
            Some(visitor) => visitor,
            None => std::future::pending().await,
        }
    }

    fn local_addr(&self) -> std::io::Result<Asker> {
        Ok(Asker::Nobody)
    }
}

impl Connected<IncomingStream<'_, Hatch>> for Asker {
    fn connect_info(stream: IncomingStream<'_, Hatch>) -> Self {
        *stream.remote_addr()
    }
}

/// Says in its answer for whom it was asked.
struct Gossip;

impl Adviser for Gossip {
    fn forecast(&self, job: &HypotheticalJob) -> JobForecast {
        JobForecast::NoEstimate(gossip(job))
    }
    fn limits(&self, subject: &Subject) -> Result<LimitAdvice, NoEstimate> {
        match subject {
            Subject::Hypothetical(job) => Err(gossip(job)),
            Subject::Waiting(_) => Err(gossip(&HypotheticalJob::default())),
        }
    }
    fn places(&self, job: &HypotheticalJob) -> Vec<Place> {
        vec![Place { partition: "batch".to_owned(), forecast: self.forecast(job) }]
    }
    fn widths(&self, job: &HypotheticalJob, _question: &SizeQuestion) -> Result<SizeAdvice, NoEstimate> {
        Err(gossip(job))
    }
    fn why(&self, _job_id: u64) -> Result<Why, NoEstimate> {
        Err(gossip(&HypotheticalJob::default()))
    }
}

fn gossip(job: &HypotheticalJob) -> NoEstimate {
    NoEstimate { code: "gossip", why: format!("{:?} {:?}", job.user, job.name) }
}

/// Jobs of every kind for every user, whose every word names them: `alice-3`, in partition `alice-3` and so on.
fn jobs() -> Vec<PublishedJob> {
    let kinds = |number: u64| {
        [
            JobPart::Whole,
            JobPart::ArrayRemainder { array_job_id: number, tasks: "1-5".to_owned() },
            JobPart::ArrayTask { array_job_id: number - 1, task: 9 },
            JobPart::HetComponent { het_job_id: number, offset: 0 },
            JobPart::Whole,
        ]
    };
    let mut jobs = Vec::new();
    for (user_id, user) in USERS {
        for place in 0..5 {
            let job_id = 101 + jobs.len() as u64;
            let secret = format!("{user}-{place}-secret");
            jobs.push(PublishedJob {
                part: kinds(job_id)[place].clone(),
                name: secret.clone(),
                user: user.to_owned(),
                user_id: Some(user_id),
                account: secret.clone(),
                partitions: vec![secret.clone()],
                qos: secret.clone(),
                reason: secret.clone(),
                started: (place == 4).then_some(Time(NOW.0 - 60)),
                forecast: if place == 3 {
                    JobForecast::NoEstimate(NoEstimate { code: "held", why: secret })
                } else {
                    estimate(600)
                },
                ..job(job_id)
            });
        }
    }
    // Slurm did not say whose this is.
    let unowned = "mallory-0-secret".to_owned();
    jobs.push(PublishedJob { user: "mallory".to_owned(), user_id: None, name: unowned, ..job(200) });
    jobs
}

fn board(jobs_are_private: bool) -> Published {
    let mut board = Published { jobs_are_private, adviser: Some(Arc::new(Gossip)), ..published(jobs()) };
    board.health.queue.problem = Some("Slurm complained of carol-9-secret".to_owned());
    board
}

async fn ask(hatch: &mpsc::Sender<(UnixStream, Asker)>, asker: Asker, request: &str) -> (u16, String) {
    let (mut ours, theirs) = OwnEnd::pair().expect("a pair of sockets");
    theirs.set_nonblocking(true).expect("a socket");
    let theirs = UnixStream::from_std(theirs).expect("a socket");
    hatch.send((theirs, asker)).await.expect("somebody answers");
    let said = tokio::task::block_in_place(|| {
        ours.write_all(request.as_bytes()).expect("it is taken");
        let mut said = String::new();
        ours.read_to_string(&mut said).expect("an answer");
        said
    });
    let status = said.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    let body = said.split_once("\r\n\r\n").expect("a body").1.to_owned();
    (status, body)
}

fn get(path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
}

fn post(body: &str) -> String {
    let head = "host: x\r\nconnection: close\r\ncontent-type: application/json";
    format!("POST /v1/forecast HTTP/1.1\r\n{head}\r\ncontent-length: {}\r\n\r\n{body}", body.len())
}

/// Every question there is, with all the values that might bring something out.
fn questions() -> Vec<String> {
    let mut paths: Vec<String> =
        ["/v1/queue", "/v1/queue?limit=1000", "/v1/score", "/v1/health", "/metrics", "/openapi.json"]
            .map(str::to_owned)
            .to_vec();
    for number in 100..=117 {
        for form in ["", "_1", "_9", "_[1-5]", "+0"] {
            paths.push(format!("/v1/jobs/{number}{form}/forecast").replace('[', "%5B").replace(']', "%5D"));
        }
        paths.push(format!("/v1/queue?after={number}&limit=1"));
    }
    paths.push("/v1/jobs/200/forecast".to_owned());
    for name in ["alice", "bob", "carol", "mallory", "alice-1-secret", "bob-2-secret"] {
        paths.push(format!("/v1/queue?user={name}"));
        paths.push(format!("/v1/queue?partition={name}"));
    }
    let mut questions: Vec<String> = paths.iter().map(|path| get(path)).collect();
    for (_, user) in USERS {
        questions.push(post(&format!(r#"{{"user": "{user}", "name": "run"}}"#)));
    }
    questions.push(post(r#"{"name": "run"}"#));
    questions
}

fn may_see(asker: Asker, jobs_are_private: bool, owner: &str) -> bool {
    let own = USERS.iter().find(|(_, user)| *user == owner).map(|(user_id, _)| Asker::User(*user_id));
    !jobs_are_private || EVERYBODY[..3].contains(&asker) || own == Some(asker)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_sees_what_is_not_theirs_and_everybody_what_is() {
    let mut cells = 0;
    for jobs_are_private in [false, true] {
        let settings = ApiSettings { administrators: vec![ADMINISTRATOR], ..ApiSettings::default() };
        // A clock that stands still: all answers are of one moment.
        let clock = Clock::fast(0.0, NOW.0 as f64, 0.0);
        let api = Arc::new(Api::new(Board::new(board(jobs_are_private)), clock, settings, DAEMON));
        let (hatch, visitors) = mpsc::channel(1);
        tokio::spawn(answer_all(Hatch(visitors), api, std::future::pending()));
        for asker in EVERYBODY {
            let mut seen = String::new();
            for question in questions() {
                let (status, body) = ask(&hatch, asker, &question).await;
                for owner in ["alice", "bob", "carol", "mallory"] {
                    cells += 1;
                    let leaks = body.contains(&format!("{owner}-")) || body.contains(&format!(r#"Some(\"{owner}"#));
                    assert!(
                        !leaks || may_see(asker, jobs_are_private, owner),
                        "{asker:?} with private {jobs_are_private} saw {owner} by {question}: {status} {body}"
                    );
                }
                assert!(matches!(status, 200 | 400 | 403 | 404), "{question}: {status} {body}");
                seen.push_str(&body);
            }
            for (_, user) in USERS.iter().filter(|(_, user)| may_see(asker, jobs_are_private, user)) {
                for place in 0..5 {
                    assert!(seen.contains(&format!("{user}-{place}-secret")), "{asker:?} did not see {user}'s {place}");
                }
            }
        }
    }
    assert!(cells >= 5_000, "{cells} cells");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_job_of_somebody_else_looks_like_one_that_does_not_exist_and_over_tcp_it_is_said_why_not() {
    let clock = Clock::fast(0.0, NOW.0 as f64, 0.0);
    let api = Arc::new(Api::new(Board::new(board(true)), clock, ApiSettings::default(), DAEMON));
    let (hatch, visitors) = mpsc::channel(1);
    tokio::spawn(answer_all(Hatch(visitors), api, std::future::pending()));
    let alice = Asker::User(1_000);
    let (status, others) = ask(&hatch, alice, &get("/v1/jobs/106/forecast")).await;
    let (_, missing) = ask(&hatch, alice, &get("/v1/jobs/999/forecast")).await;
    assert_eq!((status, others.replace("106", "999")), (404, missing));
    for question in [get("/v1/jobs/106/forecast"), get("/v1/jobs/999/forecast"), get("/v1/queue"), post("{}")] {
        let (status, said) = ask(&hatch, Asker::Nobody, &question).await;
        assert!(status == 403 && said.contains("jobs_are_private"), "{question}: {status} {said}");
    }
    let (status, said) = ask(&hatch, alice, &post(r#"{"user": "bob", "name": "run"}"#)).await;
    assert!(status == 200 && said.contains(r#""not_considered":["user","name"]"#), "{said}");
    let (status, said) = ask(&hatch, alice, &post(r#"{"user": "alice", "name": "run"}"#)).await;
    assert!(status == 200 && said.contains(r#""not_considered":[]"#) && said.contains("alice"), "{said}");
}

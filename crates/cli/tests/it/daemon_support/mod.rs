//! A board made up and served in this process, for the commands that ask a daemon.

use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use queuecast_advise::change::Effect;
use queuecast_advise::limit::{Basis, HeavyTail, LimitRecord, Verdict};
use queuecast_advise::{Adviser, HypotheticalJob};
use queuecast_advise::{
    Ahead, AheadClass, AheadCount, ChangeAdvice, Hold, Holder, JobChange, LawUsed, LimitAdvice, LimitChoice, Place,
    SizeAdvice, SizeQuestion, Subject, Why, Width, WidthUnit,
};
use queuecast_daemon::api::{ApiSettings, Listen, Listener, serve};
use queuecast_daemon::board::Board;
use queuecast_daemon::clock::Clock;
use queuecast_daemon::notices::NoticeSettings;
use queuecast_forecast::estimate::{Estimate, JobForecast, NoForecast, SpanRange, TimeRange};
use queuecast_forecast::queue::{Patience, Threads};
use queuecast_forecast::score::{SHARES, Score};
use queuecast_records::{JobPart, PrivateData};
use queuecast_site::published::{Health, Published, PublishedJob, ReadingHealth};
use queuecast_workload::{Seconds, Time};
use tokio::runtime::Runtime;

/// 2025-11-15T12:20:00Z
pub const NOW: i64 = 1_763_209_200;

/// A start in so many seconds, give or take, and a run of an hour.
pub fn estimate(start_in_seconds: i64) -> JobForecast {
    let places: [i64; SHARES.len()] = std::array::from_fn(|place| place as i64 - 4);
    JobForecast::Estimate(Estimate {
        start: TimeRange { times: places.map(|place| Time(NOW + start_in_seconds + 300 * place)) },
        run: SpanRange { spans: places.map(|place| Seconds(3_600 + 600 * place)) },
        completion: TimeRange { times: places.map(|place| Time(NOW + start_in_seconds + 3_600 + 900 * place)) },
        last_task: None,
    })
}

/// A job that waits and starts in 35 minutes, of user 1000.
pub fn job(job_id: u64) -> PublishedJob {
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
        forecast: estimate(2_100),
        kept: true,
    }
}

/// Who runs this test: their jobs are their own, whatever `USER` says.
pub fn own_user_id() -> u32 {
    std::os::unix::fs::MetadataExt::uid(&std::fs::metadata("/proc/self").expect("a process"))
}

/// Says back what it was asked about as the reason for saying nothing else.
struct Echo;

impl Adviser for Echo {
    fn within(self: Arc<Self>, _patience: Patience, _threads: Threads) -> Arc<dyn Adviser> {
        self
    }

    fn forecast(&self, job: &HypotheticalJob) -> JobForecast {
        if job.name.as_deref() == Some("soon") {
            return estimate(1_200);
        }
        JobForecast::NoForecast(echo(job))
    }
    /// Half of what is asked for at one in a hundred, a quarter at five; to a job called tail, none at one, and to one called early, because too few have ended.
    fn limits(&self, subject: &Subject) -> Result<LimitAdvice, NoForecast> {
        if let Subject::Hypothetical(HypotheticalJob { limit: None, .. }) = subject {
            return Err(echo(subject));
        }
        let choice = |accepted: f64, limit: i64, start: i64| LimitChoice {
            accepted,
            limit: Seconds(limit),
            risk: accepted / 2.0,
            verdict: if limit < 7_200 { Verdict::Shorter } else { Verdict::TooRisky },
            kept: LimitRecord { jobs: 2_000, killed: 19 },
            forecast: estimate(start),
            effect: Some(effect(7_200 - start)),
        };
        let is_called = |name: &str| matches!(subject, Subject::Hypothetical(job) if job.name.as_deref() == Some(name));
        let has_tail = is_called("tail");
        let at_one = if is_called("early") {
            LimitChoice { verdict: Verdict::TooFewEnded, ..choice(0.01, 7_200, 7_200) }
        } else if has_tail {
            choice(0.01, 7_200, 7_200)
        } else {
            choice(0.01, 3_600, 1_200)
        };
        Ok(LimitAdvice {
            asked: Seconds(7_200),
            risk: 0.001,
            as_asked: estimate(7_200),
            choices: vec![at_one, choice(0.05, 1_800, 600)],
            lowest_risk: Some(if has_tail { 0.031 } else { 0.002 }),
            basis: Some(Basis { own: true, runs: 90, usual: Seconds(240) }),
            heavy_tail: has_tail.then_some(HeavyTail { runs: 90, longer: 3, usual: Seconds(240) }),
        })
    }
    fn places(&self, job: &HypotheticalJob) -> Vec<Place> {
        let place = |partition: &str, forecast| Place { partition: partition.to_owned(), forecast };
        vec![place("batch", estimate(36_000)), place("short", estimate(1_200)), place("gpu", self.forecast(job))]
    }
    /// Twice as wide is twice as fast and waits an hour longer.
    fn widths(&self, job: &HypotheticalJob, question: &SizeQuestion) -> Result<SizeAdvice, NoForecast> {
        if question.law.is_none() {
            return Err(echo(&(job, question)));
        }
        let widths = [(1, 40_000), (2, 20_000), (4, 90_000)].map(|(width, ends)| Width {
            width,
            run: Seconds(3_600),
            limit: Seconds(7_200),
            forecast: estimate(ends),
        });
        Ok(SizeAdvice { unit: WidthUnit::Nodes, asked: 1, law: LawUsed::Given, widths: widths.to_vec() })
    }
    fn why(&self, job_id: u64) -> Result<Why, NoForecast> {
        if job_id != 7 {
            return Err(echo(&job_id));
        }
        let count = AheadCount { jobs: 12, users: 6, node_seconds: 36_000 };
        let class = AheadClass { nodes_from: 2, nodes_to: Some(8), limit_to: Some(Seconds(3_600)), count };
        Ok(Why {
            ahead: Ahead { all: count, own_jobs: 2, classes: vec![class] },
            holds: vec![Hold { what: Holder::Queue, effect: effect(5_400) }],
            changes: vec![ChangeAdvice {
                change: JobChange::Limit { from: Seconds(7_200), to: Seconds(3_600), risk: 0.02 },
                effect: effect(10_800),
                forecast: estimate(600),
            }],
            futures: 50,
        })
    }
}

fn echo(asked: &impl std::fmt::Debug) -> NoForecast {
    NoForecast { code: "echo", why: format!("{asked:?}") }
}

fn effect(earlier: i64) -> Effect {
    Effect {
        earlier_median: Seconds(earlier),
        earlier_low: Seconds(earlier / 2),
        earlier_high: Seconds(2 * earlier),
        share_earlier: 0.9,
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
        adviser: Some(Arc::new(Echo)),
        score: Arc::new(Score::default()),
        private_data: PrivateData::NOTHING,
        roles: Arc::default(),
        people: Arc::default(),
        ..Published::nothing_yet()
    }
}

/// A served board. Its clock stands still at [`NOW`].
pub struct Served {
    pub path: PathBuf,
    /// To put something else on it.
    pub board: Board,
    /// How users may be told; counts when it comes back.
    pub notices: NoticeSettings,
    runtime: Option<Runtime>,
    _folder: tempfile::TempDir,
}

impl Served {
    pub fn new(published: Published) -> Self {
        let folder = tempfile::tempdir().expect("a scratch folder can be made");
        // Other users may ask as well.
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).expect("it is ours");
        let path = folder.path().join("api.sock");
        let kept = NoticeSettings { folder: Some(folder.path().join("notices")), ..NoticeSettings::default() };
        let mut served = Self { path, board: Board::new(published), notices: kept, runtime: None, _folder: folder };
        served.come_back();
        served
    }

    /// Answers nobody any more, not even those it was talking to.
    pub fn go_away(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }

    /// Answers at the same place.
    pub fn come_back(&mut self) {
        let runtime = Runtime::new().expect("a runtime");
        let settings = ApiSettings { notices: self.notices.clone(), ..ApiSettings::default() };
        let place = Listen::Unix(self.path.clone());
        let until = Instant::now() + Duration::from_secs(10);
        let listener = loop {
            match runtime.block_on(Listener::open(&place, &settings)) {
                Ok(listener) => break listener,
                // Whoever listened there before is still going away.
                Err(_) if Instant::now() < until => std::thread::sleep(Duration::from_millis(20)),
                Err(error) => panic!("{error}"),
            }
        };
        let clock = Clock::fast(0.0, NOW as f64, 0.0);
        runtime.spawn(serve(vec![listener], self.board.clone(), clock, settings, std::future::pending()));
        self.runtime = Some(runtime);
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.go_away();
    }
}

/// Answers one request on this socket with these bytes, whatever is asked.
pub fn answer_once(socket: &Path, answer: Vec<u8>) -> std::thread::JoinHandle<()> {
    let listener = UnixListener::bind(socket).expect("a fresh place");
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("somebody asks");
        let mut asked = [0; 4_096];
        let _ = stream.read(&mut asked);
        // Whoever has enough of it hangs up.
        let _ = stream.write_all(&answer);
    })
}

/// An HTTP answer with this body.
pub fn http(status: &str, body: &str) -> Vec<u8> {
    format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}", body.len()).into_bytes()
}

//! What the fuzzer's targets of the daemon do with any bytes, and what must hold. Shared with `fuzz/fuzz_targets`.
//!
//! For: requests and tokens, sent as anybody would send them to a daemon that listens in this process; rows of a store that hold what nobody
//! wrote.
//!
//! Not for: what is right about an answer (`api.rs`, `store_*.rs`).
#![allow(dead_code, reason = "every target uses a part of it")]

use std::cell::RefCell;
use std::io::{ErrorKind, Read, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use queuecast_daemon::api::{ApiSettings, TokenKey};
use queuecast_daemon::store::{KeptForecast, KeptLearning, ReadingKind, Store};
use queuecast_records::{JobKey, JobPart, JobRecord, JobState, WrittenJobId};
use queuecast_workload::{Seconds, Time};
use rusqlite::types::Value;
use sha2::Sha256;

use crate::api_support::{NOW, Served, job, published};

const KEY: &[u8] = b"a key that everybody knows, for this fuzzer alone";
/// Longer than any answer takes on a machine with other work.
const PATIENCE: Duration = Duration::from_secs(30);

/// A daemon without limits on how often it is asked. Whoever comes to its socket is a proxy that says who asks.
static SERVED: LazyLock<Served> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder");
    let key = folder.path().join("key");
    std::fs::write(&key, KEY).expect("a key");
    std::fs::set_permissions(&key, std::os::unix::fs::PermissionsExt::from_mode(0o600)).expect("it is ours");
    let own_user_id = std::os::unix::fs::MetadataExt::uid(&folder.path().metadata().expect("it is there"));
    let settings = ApiSettings {
        token_key: Some(TokenKey::read(&key).expect("a key")),
        trusted_proxy_users: vec![own_user_id],
        proxy_header: Some("x-remote-user".parse().expect("a name")),
        requests_at_once: 1_000_000,
        requests_per_second: 1_000_000,
        ..ApiSettings::default()
    };
    Served::on_socket(published((1..20).map(job).collect()), settings)
});

/// Sends bytes, and says that this was all once nothing has come back for so long: whoever says so at once is not answered, for they may be
/// gone. What comes back.
fn sent(bytes: &[u8], wait: Duration) -> Vec<u8> {
    let mut stream = UnixStream::connect(&SERVED.path).expect("somebody listens");
    stream.set_read_timeout(Some(wait)).expect("a timeout");
    // It may close before it has read all of it.
    let _ = stream.write_all(bytes);
    let mut answer = Vec::new();
    let mut is_all_said = false;
    loop {
        match stream.read_to_end(&mut answer) {
            Ok(_) => return answer,
            Err(error) if matches!(error.kind(), ErrorKind::ConnectionReset | ErrorKind::BrokenPipe) => return answer,
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) && !is_all_said => {
                is_all_said = true;
                let _ = stream.shutdown(Shutdown::Write);
                stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
            }
            Err(error) => panic!("no answer and no end: {error}"),
        }
    }
}

/// The status of an answer, if there is one.
fn status(answer: &[u8]) -> Option<u16> {
    let line = answer.strip_prefix(b"HTTP/1.")?;
    Some(str::from_utf8(line.get(2..5)?).expect("a status").parse().expect("a status"))
}

/// Any bytes as a request, or several: each answer is one of HTTP, and none says that something broke. The first one's status, if it comes
/// before so long.
pub fn ask_anything(bytes: &[u8], wait: Duration) -> Option<u16> {
    let answer = sent(bytes, wait);
    assert!(answer.is_empty() || answer.starts_with(b"HTTP/1."), "{:?}", String::from_utf8_lossy(&answer));
    let status = status(&answer);
    // 503 is "nobody can say yet", which is so without an adviser.
    assert!(status.is_none_or(|status| status < 500 || status == 503), "{:?}", String::from_utf8_lossy(&answer));
    status
}

fn asked_with(token: &str) -> Option<u16> {
    status(&sent(
        format!("GET /v1/health HTTP/1.1\r\nhost: a\r\nconnection: close\r\nx-slurm-user-token: {token}\r\n\r\n")
            .as_bytes(),
        PATIENCE,
    ))
}

/// Any bytes as a token, and a token made of any bytes and signed: the first is never believed, the second only if it says what it must.
/// The status of the second.
pub fn believe_anything(bytes: &[u8]) -> Option<u16> {
    if let Ok(token) = str::from_utf8(bytes)
        && token.bytes().all(|byte| byte.is_ascii_graphic())
        && !token.is_empty()
    {
        let status = asked_with(token);
        // Too long a header is refused before anybody looks at it.
        assert!(matches!(status, Some(401 | 431)), "{status:?} for {token}");
    }
    let (header, claims) = bytes.split_at(bytes.iter().position(|byte| *byte == b'\n').unwrap_or(0));
    let claims = claims.strip_prefix(b"\n").unwrap_or(claims);
    let signed = format!("{}.{}", URL_SAFE_NO_PAD.encode(header), URL_SAFE_NO_PAD.encode(claims));
    let mut code = Hmac::<Sha256>::new_from_slice(KEY).expect("a key");
    code.update(signed.as_bytes());
    let status = asked_with(&format!("{signed}.{}", URL_SAFE_NO_PAD.encode(code.finalize().into_bytes())));
    match status {
        Some(200) => assert!(may_be_believed(header, claims), "{:?}", String::from_utf8_lossy(bytes)),
        Some(401 | 431) => {}
        other => panic!("{other:?}"),
    }
    status
}

/// Said anew, from the documents of others: HS256, not expired, and with a name.
fn may_be_believed(header: &[u8], claims: &[u8]) -> bool {
    let (Ok(header), Ok(claims)) =
        (serde_json::from_slice::<serde_json::Value>(header), serde_json::from_slice::<serde_json::Value>(claims))
    else {
        return false;
    };
    let name = [&claims["sun"], &claims["username"]].into_iter().find_map(|name| name.as_str());
    header["alg"] == "HS256"
        && claims["exp"].as_i64().is_some_and(|expires| expires >= NOW)
        && name.is_some_and(|name| !name.is_empty() && !name.chars().any(char::is_control))
}

/// Columns that are written by hand.
const COLUMNS: [(&str, &str); 24] = [
    ("jobs", "job_id"),
    ("jobs", "part"),
    ("jobs", "submitted"),
    ("jobs", "tasks"),
    ("jobs", "name"),
    ("jobs", "user_id"),
    ("jobs", "partitions"),
    ("jobs", "limit_seconds"),
    ("jobs", "limit_text"),
    ("jobs", "requested_cpus"),
    ("jobs", "state"),
    ("jobs", "started"),
    ("jobs", "ended"),
    ("jobs", "run_seconds"),
    ("jobs", "absent"),
    ("jobs", "stage"),
    ("forecasts", "start_p50"),
    ("forecasts", "first"),
    ("experts", "forest"),
    ("models", "bytes"),
    ("models", "version"),
    ("marks", "at"),
    ("gaps", "to_time"),
    ("sightings", "reported_by"),
];

fn record(number: u64, words: &str) -> JobRecord {
    let submitted = Time(NOW + number.cast_signed());
    let key = JobKey { cluster: "alpha".into(), job_id: number, part: JobPart::Whole, submitted, sluid: None };
    let mut record = JobRecord::new(key, JobState::from_words([words]));
    record.started = (words != "PENDING").then_some(submitted + Seconds(60));
    record.ended = (words == "COMPLETED").then_some(submitted + Seconds(600));
    record.elapsed = record.ended.map(|_| Seconds(540));
    record
}

/// A small store with something in every table, and what is read from it.
struct Template {
    folder: tempfile::TempDir,
    bytes: Vec<u8>,
    answers: Vec<String>,
}

impl Template {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("template.db");
        let mut store = Store::open(&path).expect("a store");
        let waiting: Vec<JobRecord> = (1..7).map(|number| record(number, "PENDING")).collect();
        let facts = store.take_in(&waiting, ReadingKind::Queue, Time(NOW)).expect("taken in");
        let forecast = |job| KeptForecast {
            job,
            made: Time(NOW),
            start: [Time(NOW + 90); 9],
            raw: [Time(NOW + 80); 9],
            run_median: Some(Seconds(500)),
            completion_median: None,
            slurm_estimate: None,
            experts: [Time(NOW + 70); 6],
        };
        store.give(&facts.iter().map(|fact| forecast(fact.job)).collect::<Vec<_>>()).expect("kept");
        let told = [record(1, "RUNNING"), record(2, "COMPLETED"), record(3, "COMPLETED"), record(4, "PENDING")];
        store.take_in(&told, ReadingKind::Queue, Time(NOW + 2_000)).expect("taken in");
        store.keep_learning(&KeptLearning { version: 1, kept: Time(NOW), bytes: vec![7; 64] }).expect("kept");
        drop(store);
        let bytes = std::fs::read(&path).expect("its bytes");
        let answers = answers(&Store::open_to_read(&path).expect("a store")).expect("answers");
        Self { folder, bytes, answers }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("changed.db")
    }
}

/// Everything that is read from rows.
fn answers(store: &Store) -> Result<Vec<String>, queuecast_daemon::store::StoreError> {
    let mut answers = Vec::new();
    store.history(usize::MAX, |job, record| answers.push(format!("{job:?} {record:?}")))?;
    answers.push(format!("{:?} {:?}", store.open_jobs()?, store.scored(None, usize::MAX)?));
    answers.push(format!("{:?} {:?} {:?}", store.learning()?, store.gaps()?, store.accounting_read_up_to()?));
    answers.push(format!("{:?} {:?}", store.queue_read()?, store.last_given()?.len()));
    for number in ["1", "2", "2_1", "3+1"] {
        let id = WrittenJobId::parse(number.as_bytes()).expect("a number");
        answers.push(format!("{:?}", store.ended(&id)?));
    }
    Ok(answers)
}

/// Writes values of the fuzzer's choosing to columns of its choosing, of the first two rows or of all.
fn change(path: &Path, mut bytes: &[u8]) -> rusqlite::Result<()> {
    let connection = rusqlite::Connection::open(path)?;
    connection.execute_batch("PRAGMA synchronous = OFF; BEGIN")?;
    while let [column, kind, length, rest @ ..] = bytes {
        let (data, rest) = rest.split_at(rest.len().min(usize::from(*length)));
        bytes = rest;
        let mut number = [0; 8];
        number.iter_mut().zip(data).for_each(|(place, byte)| *place = *byte);
        let value = match kind % 4 {
            0 => Value::Integer(i64::from_le_bytes(number)),
            1 => Value::Text(String::from_utf8_lossy(data).into_owned()),
            2 => Value::Blob(data.to_vec()),
            _ => Value::Null,
        };
        let (table, column) = COLUMNS[usize::from(*column) % COLUMNS.len()];
        let which = if table == "marks" || kind & 128 != 0 { "true" } else { "rowid <= 2" };
        // What the schema refuses nobody can have written.
        let _ = connection.execute(&format!("UPDATE {table} SET {column} = ?1 WHERE {which}"), [value]);
    }
    connection.execute_batch("COMMIT")
}

thread_local! {
    static TEMPLATE: RefCell<Template> = RefCell::new(Template::new());
}

/// Rows that hold anything: reading them never breaks, and a store that passes its own check answers as it did. Whether it was found out.
pub fn read_anything(bytes: &[u8]) -> bool {
    TEMPLATE.with_borrow(|template| {
        let path = template.path();
        for end in ["-wal", "-shm"] {
            let _ = std::fs::remove_file(format!("{}{end}", path.display()));
        }
        std::fs::write(&path, &template.bytes).expect("written");
        change(&path, bytes).expect("it can be changed");
        let store = Store::open_to_read(&path).expect("its schema is as it was");
        let read = answers(&store);
        match store.check() {
            Ok(()) => {
                assert_eq!(read.expect("it is whole"), template.answers);
                false
            }
            Err(error) => {
                assert!(error.to_string().contains("changed.db"), "{error}");
                assert!(Store::open(&path).is_err(), "it is not used");
                true
            }
        }
    })
}

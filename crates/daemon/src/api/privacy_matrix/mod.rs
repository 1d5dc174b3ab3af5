//! Who sees what: every route x every asker x every set of `PrivateData` x both ways to show the jobs of others, through the real
//! router. No answer holds, in status, headers or body, a mark that the rule does not allow; and what it does allow is there.
//!
//! The marks are in `board`, what is asked in `questions` and the rule, written apart from the code, in `rule`.

mod board;
mod questions;
mod rule;

use std::collections::HashSet;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::ConnectInfo;
use axum::http::Request;
use queuecast_records::{Hidden, PrivateData};
use tower::ServiceExt;

use self::board::{ADMINISTRATOR_BY_NUMBER, DAEMON, NUMBERS, OWNERS, RESERVATION, WORDS, board, owner_of_number};
use self::questions::{Question, questions};
use self::rule::{EVERYBODY, Site, Who};
use super::asker::Asker;
use super::identity::Peer;
use super::routes::{Api, router};
use super::test_board::NOW;
use super::{ApiSettings, OthersJobs, openapi_json};
use crate::board::Board;
use crate::clock::Clock;

const PROXY: u32 = 33;
const PROXY_HEADER: &str = "x-remote-user";

/// What is answered, all of it: a status, headers and a body.
type Answer = (u16, String, String);

fn every_site() -> impl Iterator<Item = Site> {
    (0..256_u32).flat_map(|set| {
        let hidden = Hidden::ALL.into_iter().enumerate().filter(move |(place, _)| set >> place & 1 == 1);
        let private = hidden.fold(PrivateData::NOTHING, |private, (_, hidden)| private.and(hidden));
        [OthersJobs::Hidden, OthersJobs::AsSlurm].map(|others_jobs| Site { private, others_jobs })
    })
}

fn served(site: Site) -> Router {
    let settings = ApiSettings {
        administrators: vec![ADMINISTRATOR_BY_NUMBER],
        others_jobs: site.others_jobs,
        trusted_proxy_users: vec![PROXY],
        proxy_header: Some(crate::api::HeaderName::from_static(PROXY_HEADER)),
        // How often one may ask is another test's.
        requests_at_once: u32::MAX,
        ..ApiSettings::default()
    };
    // A clock that stands still: all answers are of one moment.
    let clock = Clock::fast(0.0, NOW.0 as f64, 0.0);
    router(&Arc::new(Api::new(Board::new(board(site.private)), clock, settings, DAEMON)))
}

fn request(who: Who, question: &Question) -> Request<Body> {
    let mut request = Request::builder().method(question.method).uri(&question.path);
    let peer = match who.asker() {
        Asker::Local(user) => Peer::Local(user),
        Asker::Named(name) => {
            request = request.header(PROXY_HEADER, &*name);
            Peer::Local(PROXY)
        }
        Asker::Nobody => Peer::Unknown,
    };
    if question.body.is_some() {
        request = request.header("content-type", "application/json");
    }
    let body = question.body.clone().map_or_else(Body::empty, Body::from);
    request.extension(ConnectInfo(peer)).body(body).expect("a request")
}

async fn ask(router: &Router, who: Who, question: &Question) -> Answer {
    let response = router.clone().oneshot(request(who, question)).await.expect("routers always answer");
    let (parts, body) = response.into_parts();
    let body = to_bytes(body, usize::MAX).await.expect("it is in memory");
    (parts.status.as_u16(), format!("{:?}", parts.headers), String::from_utf8(body.to_vec()).expect("text"))
}

/// Every mark in a text: whose, and of what. Numbers are of their owner's jobs.
fn marks(text: &str) -> HashSet<(String, String)> {
    let mut marks = HashSet::new();
    for (place, _) in text.match_indices(WORDS) {
        let word: &str = text[place + WORDS.len()..]
            .split(|letter: char| !letter.is_ascii_lowercase() && letter != '-')
            .next()
            .unwrap_or("");
        let (owner, field) = word.split_once('-').unwrap_or((word, ""));
        marks.insert((owner.to_owned(), field.to_owned()));
    }
    for (place, _) in text.match_indices(&NUMBERS.to_string()) {
        // A measured time such as 0.004918273 has these digits by chance.
        if text[..place].ends_with(|before: char| before.is_ascii_digit() || before == '.') {
            continue;
        }
        let digits: String = text[place..].chars().take_while(char::is_ascii_digit).collect();
        let number = digits.parse().unwrap_or(0);
        let is_reservation = number == RESERVATION;
        let owner = if is_reservation { "reservations" } else { owner_of_number(number).unwrap_or("mallory") };
        marks.insert((owner.to_owned(), "number".to_owned()));
    }
    marks
}

#[test]
fn digits_inside_a_measured_time_are_not_a_job_id() {
    assert_eq!(marks(&format!("seconds 0.004{NUMBERS}001")), HashSet::new());
    assert_eq!(marks(&format!("seconds 0.{NUMBERS}")), HashSet::new());
    assert_eq!(marks(&format!("\"job_id\":{NUMBERS}01")).len(), 1);
}

/// What the asker said themselves is no news to them: an answer may repeat it.
fn without_echo(text: &str, question: &Question) -> String {
    let mut text = text.to_owned();
    let asked = format!("{} {}", question.path, question.body.as_deref().unwrap_or(""));
    let mut words: Vec<&str> = asked.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-').collect();
    words.sort_by_key(|word| std::cmp::Reverse(word.len()));
    for word in words.into_iter().filter(|word| word.starts_with(WORDS) || word.starts_with("918273")) {
        text = text.replace(word, "ECHO");
    }
    text
}

/// Whose the thing is that is tried, and which: a job's number, or a mark.
fn tried(word: &str) -> (String, String) {
    marks(word).into_iter().next().expect("only marks are tried")
}

/// Asks one question, and finds nothing in the answer that may not be there. Gives the marks that are.
async fn checked(router: &Router, site: Site, who: Who, question: &Question) -> HashSet<(String, String)> {
    let answer @ (status, headers, body) = &ask(router, who, question).await;
    let cell = || format!("{who:?} at {site:?} by {question:?}: {status} {headers} {body}");
    let known = [200, 400, 403, 404, 405, 409, 415];
    assert!(known.contains(status), "{}", cell());
    assert!(headers.contains("nosniff") && headers.contains("default-src 'none'"), "{}", cell());
    let is_other = question.path == "/metrics" || headers.contains(r#""content-type": "text/event-stream""#);
    assert!(headers.contains(r#""content-type": "application/json""#) || is_other, "{}", cell());
    let found = marks(&without_echo(&format!("{headers} {body}"), question));
    for (owner, field) in &found {
        assert!(site.allows(who, owner, field), "{owner}'s {field} leaks to {}", cell());
    }
    if body.contains(r#""basis":{"#) || body.contains(r#""heavy_tail":{"#) {
        let owner = marks(&question.path).into_iter().next().map(|(owner, _)| owner);
        assert!(owner.is_some_and(|owner| site.allows_own_runs(who, &owner)), "runs of one user leak to {}", cell());
    }
    if let Some((word, nothing)) = &question.tried {
        let (owner, field) = tried(word);
        if !site.allows(who, &owner, &field) {
            // Asked about something that there is not, the answer is the same.
            let (status, headers, body) = ask(router, who, &question.with(word, nothing)).await;
            let nothing_there = (status, without_length(&headers), body.replace(nothing, word));
            let told = (answer.0, without_length(&answer.1), answer.2.clone());
            assert_eq!(told, nothing_there, "the response reveals whether {word} exists: {}", cell());
        }
        if question.body.as_ref().is_some_and(|body| body.contains("-user")) && *status == 200 {
            let counted = body.contains(&format!("as={word}")) || body.contains(r#""not_considered":[]"#);
            assert_eq!(counted, site.allows_asking_as(who, &owner), "{}", cell());
        }
    }
    found
}

fn without_length(headers: &str) -> String {
    let mut parts: Vec<&str> = headers.split(", ").filter(|header| !header.contains("content-length")).collect();
    parts.sort_unstable();
    parts.join(", ")
}

/// What the rule allows of jobs is to be had.
fn assert_seen(site: Site, who: Who, seen: &HashSet<(String, String)>) {
    let fields = ["name", "user", "account", "partition", "qos", "reason", "why", "number"];
    for owner in OWNERS {
        for field in fields.into_iter().filter(|field| site.allows(who, owner, field)) {
            let mark = (owner.to_owned(), field.to_owned());
            assert!(seen.contains(&mark), "{who:?} at {site:?} does not see {owner}'s {field}: {seen:?}");
        }
    }
    let has_jobs = matches!(who, Who::Owner(_) | Who::OwnerByName(_) | Who::Coordinator);
    if has_jobs {
        let mark = ("reservations".to_owned(), "number".to_owned());
        assert_eq!(seen.contains(&mark), site.allows(who, &mark.0, &mark.1), "{who:?} at {site:?}: {mark:?}");
    }
    for (owner, field) in [("slurm", "words"), ("many", "score"), ("next", "score"), ("adviser", "partition")] {
        let mark = (owner.to_owned(), field.to_owned());
        assert_eq!(seen.contains(&mark), site.allows(who, owner, field), "{who:?} at {site:?}: {mark:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_sees_what_is_not_theirs_and_everybody_what_is() {
    let began = std::time::Instant::now();
    let questions = Arc::new(questions(&openapi_json()));
    let sites: Vec<Site> = every_site().collect();
    assert_eq!(sites.len(), 512);
    let mut parts = tokio::task::JoinSet::new();
    for part in sites.chunks(sites.len() / 2) {
        let (part, questions) = (part.to_vec(), Arc::clone(&questions));
        parts.spawn(async move {
            let mut cells = 0;
            for site in part {
                let router = served(site);
                for who in EVERYBODY {
                    let mut seen = HashSet::new();
                    for question in questions.iter() {
                        cells += 1;
                        seen.extend(checked(&router, site, who, question).await);
                    }
                    assert_seen(site, who, &seen);
                }
            }
            cells
        });
    }
    let cells: usize = parts.join_all().await.into_iter().sum();
    println!("privacy matrix: {cells} cells in {:?}", began.elapsed());
    assert!(cells >= 100_000, "{cells} cells");
}

//! Many who ask at once, and how long one answer takes on a long queue.

use std::sync::Barrier;
use std::time::{Duration, Instant};

use crate::api_support::{Served, job, published};
use queuecast_daemon::api::ApiSettings;

const CLIENTS: u64 = 1_000;
const WAITING: u64 = 10_000;
const QUESTIONS: u64 = 20_000;

#[test]
fn a_thousand_clients_at_once_are_all_answered() {
    let served = Served::on_socket(published((1..=CLIENTS).map(job).collect()), ApiSettings::default());
    let together = Barrier::new(usize::try_from(CLIENTS).expect("a thousand"));
    let began = Instant::now();
    let answered: u64 = std::thread::scope(|scope| {
        let clients: Vec<_> = (1..=CLIENTS)
            .map(|number| {
                let (served, together) = (&served, &together);
                let client = move || {
                    together.wait();
                    let (status, answer) = served.get(&format!("/v1/jobs/{number}/forecast"));
                    u64::from(status == 200 && answer["job"]["job_id"] == number)
                };
                std::thread::Builder::new().stack_size(256 << 10).spawn_scoped(scope, client).expect("a thread")
            })
            .collect();
        clients.into_iter().map(|client| client.join().expect("an answer")).sum()
    });
    println!("{answered} of {CLIENTS} clients answered in {:?}", began.elapsed());
    assert_eq!(answered, CLIENTS);
}

#[test]
fn an_answer_from_a_queue_of_ten_thousand_takes_less_than_ten_milliseconds() {
    let served = Served::on_socket(published((1..=WAITING).map(job).collect()), ApiSettings::default());
    let mut client = served.connect();
    let mut took: Vec<Duration> = (0..QUESTIONS)
        .map(|question| {
            let path = format!("/v1/jobs/{}/forecast", 1 + question * 7_919 % WAITING);
            let began = Instant::now();
            let (status, _) = client.ask("GET", &path, None);
            assert_eq!(status, 200);
            began.elapsed()
        })
        .collect();
    took.sort_unstable();
    let at = |per_mille: usize| took[(took.len() - 1) * per_mille / 1_000];
    println!("p50 {:?}, p99 {:?}, p99.9 {:?}, longest {:?}", at(500), at(990), at(999), at(1_000));
    assert!(at(990) < Duration::from_millis(10), "p99 is {:?}", at(990));
}

//! What the forecaster costs: time of one answer, of looking at everybody who still waits, of growing a forest; bytes that are kept.
//! `pooled_cost [WAITING]`.

use std::hint::black_box;
use std::time::Instant;

use queuecast_forecast::SiteState;
use queuecast_forecast::pooled::{Answer, Pooled, PooledSettings, Question, Word};
use queuecast_workload::{JobId, Machine, PartitionId, Request, Seconds, Submission, Time, UserId};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

const TAUGHT: u64 = 30_000;

fn job(number: u64, submitted: i64, random: &mut Pcg64) -> Submission {
    Submission {
        job: JobId(number),
        submitted: Time(submitted),
        request: Request { processors: 1 << random.random_range(0..8) },
        limit: Some(Seconds(600 * random.random_range(1..200))),
        user: Some(UserId(random.random_range(0..300))),
        group: None,
        program: None,
        queue: None,
        partition: Some(PartitionId(random.random_range(0..5))),
    }
}

fn main() {
    let waiting: u64 = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(10_000);
    let random = &mut Pcg64::seed_from_u64(1);
    let mut pooled = Pooled::new(PooledSettings { rows: 30_000, ..PooledSettings::default() });
    let mut state = SiteState::new(Machine { processors: 10_000 });
    let futures = |random: &mut Pcg64| {
        let middle = 10_f64.powf(random.random_range(0.0..5.0));
        let mut futures: Vec<f64> = (0..100).map(|_| middle * random.random_range(0.5..2.0)).collect();
        futures.sort_by(f64::total_cmp);
        futures
    };
    for number in 0..TAUGHT {
        let job = job(number, 60 * number as i64, random);
        let futures = futures(random);
        let words = [Word::of_sorted(&futures); 2];
        let question =
            Question { job: &job, now: job.submitted, state: &state, words: &words, futures: &futures, stuck: 0 };
        let answer = pooled.ask(&question);
        pooled.keep(job.job, answer);
        pooled.arrived(&job, &state);
        #[expect(clippy::cast_possible_truncation, reason = "seconds")]
        pooled.started(&job, job.submitted + Seconds(futures[30] as i64));
    }
    let begun = Instant::now();
    let lesson = pooled.lesson().expect("enough rows");
    let forest = lesson.grow();
    println!("a forest of {TAUGHT} rows, on all cores: {:.1} s", begun.elapsed().as_secs_f64());
    pooled.take(forest);
    let now = 60 * TAUGHT as i64;
    let jobs: Vec<Submission> = (0..waiting).map(|number| job(TAUGHT + number, now, random)).collect();
    for job in &jobs {
        pooled.arrived(job, &state);
        state.arrive(job);
    }
    let mut spent: Vec<f64> = Vec::new();
    for job in &jobs {
        let futures = futures(random);
        let begun = Instant::now();
        let words = [Word::of_sorted(&futures); 2];
        let answer = pooled.ask(&Question {
            job,
            now: Time(now + 900),
            state: &state,
            words: &words,
            futures: &futures,
            stuck: 0,
        });
        spent.push(begun.elapsed().as_secs_f64() * 1e3);
        pooled.keep(job.job, black_box(answer));
    }
    println!("an answer takes {} bytes, and what is said in it", size_of::<Answer>());
    spent.sort_by(f64::total_cmp);
    let total: f64 = spent.iter().sum();
    println!("{waiting} answers: {total:.0} ms, 99 % within {:.2} ms", spent[spent.len() * 99 / 100]);
    let begun = Instant::now();
    pooled.advance(Time(now + 2_000));
    println!("who still waits, {waiting} answers: {:.0} ms", begun.elapsed().as_secs_f64() * 1e3);
}

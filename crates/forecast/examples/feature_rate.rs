//! What features and events cost: `cargo run --release --example feature_rate -- [WAITING] [RUNNING] [EVENTS]`.
//!
//! Two sites: at one users round, so that many jobs share a value; at the other nearly every value is different, which
//! is the worst case. A second passes between arrivals, and some of the running jobs outlive their estimates. Prints
//! microseconds per call, by round: the best and the median of ten.

use std::io::{self, Write};
use std::time::Instant;

use queuecast_forecast::SiteState;
use queuecast_workload::{JobId, Machine, Request, Seconds, Submission, Time};
use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64;

const ROUNDS: usize = 10;

/// Draws processors and limits.
type Users = fn(&mut Pcg64) -> (u32, i64);

fn rounding_users(random: &mut Pcg64) -> (u32, i64) {
    (1 << random.random_range(0..13), 900 * random.random_range(1..=192))
}

fn exact_users(random: &mut Pcg64) -> (u32, i64) {
    (random.random_range(1..=100_000), random.random_range(1..=1_000_000))
}

fn submission(id: u64, (processors, limit): (u32, i64)) -> Submission {
    Submission {
        job: JobId(id),
        submitted: Time(0),
        request: Request { processors },
        limit: Some(Seconds(limit)),
        user: None,
        group: None,
        program: None,
        queue: None,
        partition: None,
    }
}

/// Takes a random one out.
fn draw(ids: &mut Vec<JobId>, random: &mut impl Rng) -> JobId {
    ids.swap_remove(random.random_range(0..ids.len()))
}

fn main() -> io::Result<()> {
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse::<u64>());
    let mut argument = |otherwise| arguments.next().and_then(Result::ok).unwrap_or(otherwise);
    let (waiting, running, events) = (argument(500_000), argument(50_000), argument(10_000));
    let mut out = io::stdout().lock();
    for (name, users) in [("users round", rounding_users as Users), ("values all differ", exact_users)] {
        let measured = measure(users, waiting, running, events);
        writeln!(out, "{name}: {waiting} wait, {running} run; microseconds, best and median of {ROUNDS} rounds")?;
        for (call, mut rounds) in ["advance + features", "arrive", "start", "end"].into_iter().zip(measured) {
            rounds.sort_by(f64::total_cmp);
            writeln!(out, "  {call:<18} {:6.2} {:6.2}", rounds[0], rounds[ROUNDS / 2])?;
        }
    }
    Ok(())
}

/// Microseconds per call of each kind, by round.
fn measure(users: Users, waiting: u64, running: u64, events: u64) -> [Vec<f64>; 4] {
    let mut random = Pcg64::seed_from_u64(1);
    let mut state = SiteState::new(Machine { processors: u32::MAX });
    let mut now = 0;
    let (mut waiting_ids, mut running_ids) = (Vec::new(), Vec::new());
    for id in 0..waiting + running {
        state.arrive(&submission(id, users(&mut random)));
        waiting_ids.push(JobId(id));
    }
    for _ in 0..running {
        let id = draw(&mut waiting_ids, &mut random);
        now += 1;
        state.start(id, Time(now));
        running_ids.push(id);
    }
    let mut next_id = waiting + running;
    let mut measured: [Vec<f64>; 4] = Default::default();
    for _ in 0..ROUNDS {
        let newcomers: Vec<Submission> =
            (next_id..next_id + events).map(|id| submission(id, users(&mut random))).collect();
        next_id += events;
        let starting: Vec<JobId> = newcomers.iter().map(|_| draw(&mut waiting_ids, &mut random)).collect();
        waiting_ids.extend(newcomers.iter().map(|job| job.job));
        running_ids.extend(&starting);
        let ending: Vec<JobId> = newcomers.iter().map(|_| draw(&mut running_ids, &mut random)).collect();

        let per_call = |begin: Instant| begin.elapsed().as_secs_f64() * 1e6 / events as f64;
        let begin = Instant::now();
        for job in &newcomers {
            now += 1;
            state.advance(Time(now));
            std::hint::black_box(state.features(job, Time(now)));
        }
        measured[0].push(per_call(begin));
        let begin = Instant::now();
        for job in &newcomers {
            state.arrive(job);
        }
        measured[1].push(per_call(begin));
        let begin = Instant::now();
        for id in &starting {
            state.start(*id, Time(now));
        }
        measured[2].push(per_call(begin));
        let begin = Instant::now();
        for id in &ending {
            state.end(*id);
        }
        measured[3].push(per_call(begin));
    }
    measured
}

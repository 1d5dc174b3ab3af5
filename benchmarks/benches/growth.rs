//! Time per event as the queue grows: 10,000, 100,000 and 500,000 waiting jobs under EASY with SJBF.
//!
//! A burst fills the queue; from then on a job arrives whenever one starts, so that the length stays. What is timed
//! is this steady state alone, in events (arrivals and ends), the median of several stretches.

use std::time::Instant;

use queuecast_benchmarks::SyntheticJobs;
use queuecast_predict::PredictorSpecification;
use queuecast_schedule::PolicySpecification;
use queuecast_simulate::{FinishedJob, Observer, Rules, SimulatedCluster};
use queuecast_workload::{Machine, Time, TracedJob};

const MACHINE: Machine = Machine { processors: 4_096 };
const STRETCH: usize = 20_000;
const STRETCHES: usize = 9;

#[derive(Default)]
struct Ends(usize);

impl Observer for Ends {
    fn finished(&mut self, _job: &FinishedJob<'_>) {
        self.0 += 1;
    }
}

fn nanoseconds_per_event(policy: PolicySpecification, waiting: usize) -> f64 {
    let mut jobs = SyntheticJobs::new(MACHINE, 1.0, 7);
    let estimate = PredictorSpecification::Estimate;
    let (predictor, _) = estimate.build(estimate.default_correction(), false);
    let mut cluster = SimulatedCluster::new(MACHINE, Rules::Clean, predictor, policy.build(MACHINE));
    let mut ends = Ends::default();
    let mut arrivals: Vec<TracedJob> = Vec::new();
    let mut now = Time(0);
    let mut play = |events: usize| {
        let ended_before = ends.0;
        let mut arrived = 0;
        while arrived + ends.0 - ended_before < events {
            arrivals.clear();
            arrivals.extend(jobs.by_ref().take(waiting - cluster.waiting()));
            for job in &mut arrivals {
                job.submission.submitted = now;
            }
            arrived += arrivals.len();
            cluster.advance(now, &arrivals, &mut ends);
            now = cluster.next_event().expect("the machine is busy");
        }
    };
    play(waiting + STRETCH);
    let mut stretches: Vec<f64> = (0..STRETCHES)
        .map(|_| {
            let begun = Instant::now();
            play(STRETCH);
            begun.elapsed().as_secs_f64() * 1e9 / STRETCH as f64
        })
        .collect();
    stretches.sort_unstable_by(f64::total_cmp);
    stretches[STRETCHES / 2]
}

fn main() {
    for name in ["easy-sjbf", "easy"] {
        let policy: PolicySpecification = name.parse().expect("a known policy");
        let mut base = None;
        for waiting in [10_000, 100_000, 500_000] {
            let nanoseconds = nanoseconds_per_event(policy, waiting);
            let base = *base.get_or_insert(nanoseconds);
            println!("{name:10} {waiting:>7} waiting {nanoseconds:>8.0} ns/event  x{:.2}", nanoseconds / base);
        }
    }
}

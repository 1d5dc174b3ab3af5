//! Jobs a second: whole golden traces under each policy, and the bare loop they are measured against.
//!
//! Needs the shared golden schedules (`QCAST_SHARED`); without them it says so and measures nothing.

use std::path::Path;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use queuecast_predict::PredictorSpecification;
use queuecast_schedule::PolicySpecification;
use queuecast_simulate::{BareLoop, FinishedJob, Observer, Overrun, Replay, Rules, SimulatedCluster, simulate};
use queuecast_workload::files::Input;
use queuecast_workload::swf::{Line, SwfReader};
use queuecast_workload::{Machine, TracedJob};

/// Adds up waits, so that the work cannot be optimised away.
#[derive(Default)]
struct WaitSum(i64);

impl Observer for WaitSum {
    fn finished(&mut self, job: &FinishedJob<'_>) {
        self.0 += job.wait().0;
    }
}

fn load(path: &Path) -> (Machine, Vec<TracedJob>) {
    let input = Input::open(path).expect("the golden schedule can be opened");
    let mut reader = SwfReader::new(input).expect("the golden schedule has a header");
    let processors = reader.header().max_procs().expect("the golden schedule names its machine");
    let mut jobs = Vec::new();
    while let Some(line) = reader.next_line().expect("the golden schedule can be read") {
        if let Line::Job(record) = line {
            jobs.push(record.to_traced().expect("golden jobs are complete"));
        }
    }
    jobs.sort_by_key(|job| (job.submission.submitted, job.number));
    (Machine { processors }, jobs)
}

fn run(machine: Machine, jobs: &[TracedJob], policy: PolicySpecification, observer: &mut impl Observer) {
    let replay = Replay::new(jobs.iter().copied(), machine, Overrun::Kill, true);
    let estimate = PredictorSpecification::Estimate;
    let (predictor, _) = estimate.build(estimate.default_correction(), false);
    let mut cluster = SimulatedCluster::new(machine, Rules::Clean, predictor, policy.build(machine));
    simulate(replay, &mut cluster, observer);
}

fn replay(criterion: &mut Criterion) {
    let Some(shared) = queuecast_testkit::shared_dir() else { return };
    let mut group = criterion.benchmark_group("replay");
    group.sample_size(10);
    for (trace, policies) in [
        ("KTH-SP2", ["easy", "easy-sjbf", "conservative"].as_slice()),
        ("SDSC-BLUE", &["fcfs", "easy", "easy-sjbf"]),
        ("CEA-curie", &["easy", "easy-sjbf"]),
    ] {
        let (machine, jobs) = load(&shared.join(format!("golden/{trace}.easy.swf.gz")));
        group.throughput(Throughput::Elements(jobs.len() as u64));
        for policy in policies {
            let specification: PolicySpecification = policy.parse().expect("a known policy");
            group.bench_with_input(BenchmarkId::new(*policy, trace), &jobs, |bencher, jobs| {
                bencher.iter(|| {
                    let mut waits = WaitSum::default();
                    run(machine, jobs, specification, &mut waits);
                    waits.0
                });
            });
        }
        let mut bare = BareLoop::default();
        run(machine, &jobs, "easy".parse().expect("a known policy"), &mut bare);
        bare.prepare();
        group.bench_function(BenchmarkId::new("bare-loop", trace), |bencher| bencher.iter(|| bare.run()));
    }
    group.finish();
}

criterion_group!(benches, replay);
criterion_main!(benches);

//! Several clusters on one clock: one of them alone is the simulator, and a job sent to several runs once.

use proptest::prelude::*;
use proptest::sample::select;
use queuecast_predict::{Correction, PredictorSpecification, RuntimePredictor};
use queuecast_schedule::{AnyScheduler, PolicySpecification};
use queuecast_simulate::{
    FinishedJob, Overrun, Replay, RoamingJob, Rules, SimulatedCluster, Site, SiteChooser, SitesObserver, simulate_sites,
};
use queuecast_workload::{Machine, Submission, Time, TracedJob};

use crate::support::{Setup, job};

type AnySite = Site<Box<dyn RuntimePredictor>, AnyScheduler>;

fn site(processors: u32, policy: &str, speed: f64) -> AnySite {
    let machine = Machine { processors };
    let policy: PolicySpecification = policy.parse().expect("a policy");
    let (predictor, _) = PredictorSpecification::Estimate.build(Correction::Steps, false);
    Site { cluster: SimulatedCluster::new(machine, Rules::Clean, predictor, policy.build(machine)), machine, speed }
}

/// Always home, or everywhere.
struct Fixed {
    everywhere: bool,
}

impl SiteChooser for Fixed {
    fn choose(&mut self, _job: &Submission, home: usize, open: &[usize], _now: Time, chosen: &mut Vec<usize>) {
        if self.everywhere || !open.contains(&home) { chosen.extend(open) } else { chosen.push(home) }
    }
}

/// Number, site, start and end of every job.
#[derive(Default)]
struct Ran(Vec<(i64, usize, i64, i64, u32)>);

impl SitesObserver for Ran {
    fn finished(&mut self, site: usize, job: &FinishedJob<'_>) {
        let processors = job.submission.request.processors;
        self.0.push((job.number, site, job.outcome.started.0, job.outcome.ended.0, processors));
    }
}

fn ran(jobs: &[TracedJob], sites: &mut [AnySite], everywhere: bool) -> Vec<(i64, usize, i64, i64, u32)> {
    let widest = sites.iter().map(|site| site.machine.processors).max().unwrap_or(0);
    let replay = Replay::new(jobs.iter().copied(), Machine { processors: widest }, Overrun::Kill, false);
    let roaming = replay.map(|job| RoamingJob { home: home_of(&job, sites.len()), job });
    let (roaming, mut ran): (Vec<RoamingJob>, Ran) = (roaming.collect(), Ran::default());
    let homeless = simulate_sites(roaming.into_iter(), sites, &mut Fixed { everywhere }, &mut ran);
    assert_eq!(homeless, 0);
    ran.0.sort_unstable();
    ran.0
}

fn workloads() -> impl Strategy<Value = Vec<TracedJob>> {
    let numbers = (prop_oneof![Just(0), 0..20_i64], 1..=8_u32, 1..40_i64, 0..60_i64, 0..3_u32);
    proptest::collection::vec(numbers, 1..40).prop_map(|numbers| {
        let mut now = 0;
        let jobs = numbers.into_iter().zip(1..).map(|((gap, processors, run, above_run, user), number)| {
            now += gap;
            job(number, now, processors, run, Some(run + above_run), user)
        });
        jobs.collect()
    })
}

const POLICIES: [&str; 5] = ["fcfs", "easy", "easy-sjbf", "easy:depth=3", "conservative"];

proptest! {
    #[test]
    fn a_site_alone_is_the_simulator(jobs in workloads(), policy in select(POLICIES.to_vec())) {
        let ours = ran(&jobs, &mut [site(8, policy, 1.0)], false);
        let theirs = Setup::with_estimates(8, Rules::Clean, policy).play(jobs.iter().copied());
        let mut theirs: Vec<(i64, usize, i64, i64, u32)> = theirs
            .iter()
            .map(|job| {
                let processors = job.submission.request.processors;
                (job.number, 0, job.outcome.started.0, job.outcome.ended.0, processors)
            })
            .collect();
        theirs.sort_unstable();
        prop_assert_eq!(ours, theirs);
    }

    #[test]
    fn a_job_sent_everywhere_runs_once_and_no_site_is_oversubscribed(
        jobs in workloads(),
        policy in select(POLICIES.to_vec()),
        sizes in proptest::collection::vec(8..12_u32, 1..4),
    ) {
        let mut sites: Vec<AnySite> = sizes.iter().map(|size| site(*size, policy, 1.0)).collect();
        let ran = ran(&jobs, &mut sites, true);
        prop_assert_eq!(ran.len(), jobs.len());
        prop_assert!(ran.iter().zip(&jobs).all(|(ran, job)| ran.0 == job.number && ran.2 >= job.submission.submitted.0));
        for &(_, site, now, _, _) in &ran {
            let there = ran.iter().filter(|other| other.1 == site && other.2 <= now && other.3 > now);
            let held: u32 = there.map(|other| other.4).sum();
            prop_assert!(held <= sizes[site], "{} of {} at {}", held, sizes[site], now);
        }
        for site in &sites {
            prop_assert_eq!(site.cluster.waiting(), 0, "copies are taken back");
        }
    }
}

/// The widest jobs everywhere, the others home.
struct WideEverywhere;

impl SiteChooser for WideEverywhere {
    fn choose(&mut self, job: &Submission, home: usize, _open: &[usize], _now: Time, chosen: &mut Vec<usize>) {
        if job.request.processors == 8 { chosen.extend([0, 1]) } else { chosen.push(home) }
    }
}

/// Odd numbers at the second of two sites, even ones at the first.
fn home_of(job: &TracedJob, sites: usize) -> usize {
    usize::try_from(job.number).expect("numbers count from one") % sites
}

/// The wide job at the head waits at both sites; when it starts at one, the other's hole is everybody's in that second.
#[test]
fn what_a_withdrawn_job_held_open_is_used_at_once() {
    let jobs = [
        // Fill both sites: one until 100, the other until 50.
        job(2, 0, 6, 100, Some(100), 1),
        job(3, 0, 6, 50, Some(50), 1),
        // Waits everywhere for eight processors; behind it one that would outlast its reservation at site 0.
        job(5, 1, 8, 10, Some(10), 1),
        job(4, 2, 4, 500, Some(500), 1),
    ];
    let mut ran = Ran::default();
    let roaming: Vec<RoamingJob> = jobs
        .into_iter()
        .zip(0..)
        .map(|(mut job, id)| {
            job.submission.job = queuecast_workload::JobId(id);
            RoamingJob { home: home_of(&job, 2), job }
        })
        .collect();
    let mut sites = [site(10, "easy", 1.0), site(8, "easy", 1.0)];
    simulate_sites(roaming.into_iter(), &mut sites, &mut WideEverywhere, &mut ran);
    let start = |number: i64| ran.0.iter().find(|job| job.0 == number).map(|job| (job.1, job.2));
    assert_eq!(start(5), Some((1, 50)), "{:?}", ran.0);
    assert_eq!(start(4), Some((0, 50)), "it could not start before, and nothing ended at its site: {:?}", ran.0);
}

#[test]
fn a_faster_site_takes_less_time() {
    let jobs = [job(2, 0, 4, 100, Some(200), 1), job(3, 0, 4, 100, Some(200), 1)];
    let ran = ran(&jobs, &mut [site(4, "fcfs", 1.0), site(4, "fcfs", 2.5)], false);
    assert_eq!(ran.iter().map(|job| (job.1, job.3 - job.2)).collect::<Vec<_>>(), [(0, 100), (1, 40)]);
}

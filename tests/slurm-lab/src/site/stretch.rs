//! The jobs of one stretch: those of a piece of a log, put onto the site.
//!
//! For: a stream that is the same for the same seed, so that two recordings of it can be held side by side.
//!
//! Not for: how a job is written for sbatch (`shape.rs`, `submission.rs`).
//!
//! The log's submissions are moved closer together until they fill the stretch, and its sizes are grown until the jobs would keep the
//! chosen share of the CPU nodes and of the GPUs busy.

use serde::{Deserialize, Serialize};

use super::draw::Draws;
use super::nodes::{CPUS_OF_CPU_NODES, GPUS};
use super::shape::{self, Growth, Shape};
use crate::replay::ReplayJob;
use crate::users;

/// How far back a job may depend on another, in submissions.
const DEPENDS_WITHIN: usize = 60;

/// The tasks of an array: `--array=0-(tasks-1)%throttle`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArrayTasks {
    /// How many.
    pub tasks: u32,
    /// How many may run at once, if that is said.
    pub throttle: Option<u32>,
}

/// How a job depends on others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DependencyKind {
    /// On the end of another.
    AfterAny,
    /// On the success of another.
    AfterOk,
    /// On all of its user's jobs of the same name.
    Singleton,
}

/// That a job depends on others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dependency {
    /// How.
    pub kind: DependencyKind,
    /// On which job of the stretch; on no single one if it is a singleton.
    pub on_index: Option<usize>,
}

/// A job of a stretch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StretchJob {
    /// Which it is: the same in every recording of the stretch.
    pub index: usize,
    /// When it is to be submitted, in lab seconds from the beginning.
    pub submit_offset_seconds: u32,
    /// Whose it is.
    pub user: String,
    /// For which account.
    pub account: String,
    /// To which partition, or which ones with commas.
    pub partition: String,
    /// In which quality of service; the default if none is said.
    pub qos: Option<String>,
    /// Its name.
    pub name: String,
    /// Its limit.
    pub limit_minutes: u32,
    /// For how long it runs if nobody ends it, in lab seconds: one number, or one for each task of an array. A preempted job begins anew.
    pub run_seconds: Vec<u32>,
    /// Processors; of one task if it is an array, of all components if it has several.
    pub cpus: u32,
    /// GPUs.
    pub gpus: u32,
    /// Its tasks, if it is an array.
    pub array: Option<ArrayTasks>,
    /// What it waits for, if it depends on others.
    pub dependency: Option<Dependency>,
    /// Whether it has two components, which begin together.
    pub is_heterogeneous: bool,
    /// What sbatch is told, but for a dependency, which needs a job's number, and for where the output goes.
    pub arguments: Vec<String>,
}

/// How a stretch is made of a piece of a log.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StretchPlan {
    /// The same seed gives the same jobs.
    pub seed: u64,
    /// From the first submission to the last.
    pub hours: u32,
    /// The share of the CPU nodes, and of the GPUs, that the jobs would keep busy in that time.
    pub load: f64,
}

/// How many jobs of a log to leave out at its beginning, by the seed: somewhere in its first 40,000 usable jobs.
pub fn place_in_log(seed: u64) -> usize {
    let place = 2_000 + Draws::of(seed, 0).below("place", 38_000);
    usize::try_from(place).expect("it is small")
}

impl StretchPlan {
    /// The stretch for a piece of a log, whose `nodes` are the log's processors.
    pub fn jobs(&self, log: &[ReplayJob]) -> Vec<StretchJob> {
        let cpus = least_factor(64.0, |cpus| self.load_of(&self.shaped(log, Growth { cpus, gpus: 1.0 })) >= self.load);
        let wanted_gpus = self.load * f64::from(GPUS);
        let gpus = least_factor(4.0, |gpus| self.gpus_of(&self.shaped(log, Growth { cpus: 1.0, gpus })) >= wanted_gpus);
        let mut jobs = self.shaped(log, Growth { cpus, gpus });
        self.add_dependencies(&mut jobs);
        jobs
    }

    /// The share of the CPU nodes that these jobs would keep busy.
    pub fn load_of(&self, jobs: &[StretchJob]) -> f64 {
        let work: f64 = jobs.iter().filter(|job| job.gpus == 0).map(StretchJob::cpu_seconds).sum();
        work / (f64::from(CPUS_OF_CPU_NODES) * f64::from(self.hours) * 3_600.0)
    }

    /// The mean number of GPUs that these jobs would keep busy.
    pub fn gpus_of(&self, jobs: &[StretchJob]) -> f64 {
        let work: f64 = jobs.iter().map(|job| f64::from(job.gpus) * job.runs_seconds()).sum();
        work / (f64::from(self.hours) * 3_600.0)
    }

    fn shaped(&self, log: &[ReplayJob], growth: Growth) -> Vec<StretchJob> {
        let span = log.last().map_or(1, |job| job.submit_offset_seconds.max(1));
        let stretched = |offset: u32| {
            let seconds = u64::from(offset) * u64::from(self.hours) * 3_600 / u64::from(span);
            u32::try_from(seconds).unwrap_or(u32::MAX)
        };
        let shaped = log.iter().enumerate().map(|(index, job)| {
            let draws = Draws::of(self.seed, index);
            let shape = shape::of(job, growth, draws);
            let name = format!("run{}-{}", job.user % 100, job.limit_minutes);
            StretchJob {
                index,
                submit_offset_seconds: stretched(job.submit_offset_seconds),
                user: users::name(shape.user),
                account: shape.account.to_owned(),
                partition: shape.partitions.to_owned(),
                qos: shape.qos.map(str::to_owned),
                limit_minutes: shape.limit_minutes,
                run_seconds: run_seconds(job.run_seconds, shape.array, draws),
                cpus: shape.cpus,
                gpus: shape.gpus,
                array: shape.array,
                dependency: None,
                is_heterogeneous: shape.second_component.is_some(),
                arguments: arguments(&shape, &name),
                name,
            }
        });
        shaped.collect()
    }

    fn add_dependencies(&self, jobs: &mut [StretchJob]) {
        for index in 0..jobs.len() {
            let draws = Draws::of(self.seed, index);
            let job = &jobs[index];
            if job.is_heterogeneous || job.array.is_some() || !draws.percent("depends", 6) {
                continue;
            }
            let kind = match draws.below("how", 10) {
                0..6 => DependencyKind::AfterAny,
                6..9 => DependencyKind::AfterOk,
                _ => DependencyKind::Singleton,
            };
            let before = jobs[index.saturating_sub(DEPENDS_WITHIN)..index].iter().rev();
            // On success only of what succeeds: else it would never start.
            let mut usable = before
                .filter(|other| other.user == job.user && (kind != DependencyKind::AfterOk || other.ends_by_itself()));
            let on_index = match kind {
                DependencyKind::Singleton => None,
                _ => match usable.next() {
                    Some(other) => Some(other.index),
                    None => continue,
                },
            };
            jobs[index].dependency = Some(Dependency { kind, on_index });
        }
    }
}

impl StretchJob {
    /// For how long it holds what it gets, its tasks together, unless it is preempted.
    pub fn runs_seconds(&self) -> f64 {
        let limit = self.limit_minutes * 60;
        self.run_seconds.iter().map(|run| f64::from((*run).min(limit))).sum()
    }

    fn cpu_seconds(&self) -> f64 {
        f64::from(self.cpus) * self.runs_seconds()
    }

    /// Whether it ends well before its limit.
    fn ends_by_itself(&self) -> bool {
        self.run_seconds.iter().all(|run| run + 120 < self.limit_minutes * 60)
    }
}

/// The least factor up to `most` with which it is enough, or `most` if it never is.
fn least_factor(most: f64, is_enough: impl Fn(f64) -> bool) -> f64 {
    let (mut least, mut most) = (0.05, most);
    for _ in 0..30 {
        let middle = f64::midpoint(least, most);
        if is_enough(middle) { most = middle } else { least = middle }
    }
    most
}

/// Tasks of an array run a third as long as the job of the log, up to a half more or less.
fn run_seconds(run_seconds: u32, array: Option<ArrayTasks>, draws: Draws) -> Vec<u32> {
    let Some(array) = array else { return vec![run_seconds] };
    let percent = |task: u32| u32::try_from(50 + draws.below(&format!("task {task}"), 101)).expect("it is small");
    (0..array.tasks).map(|task| (run_seconds / 3 * percent(task) / 100).max(10)).collect()
}

fn arguments(shape: &Shape, name: &str) -> Vec<String> {
    let whose = [
        format!("--account={}", shape.account),
        format!("--partition={}", shape.partitions),
        format!("--time={}", shape.limit_minutes),
    ];
    let mut arguments = vec![format!("--job-name={name}")];
    arguments.extend(whose.clone());
    arguments.extend(shape.qos.map(|qos| format!("--qos={qos}")));
    arguments.extend(shape.begin_seconds.map(|seconds| format!("--begin=now+{seconds}")));
    if let Some(ArrayTasks { tasks, throttle }) = shape.array {
        let throttle = throttle.map_or_else(String::new, |throttle| format!("%{throttle}"));
        arguments.push(format!("--array=0-{}{throttle}", tasks - 1));
    }
    arguments.extend(shape.resources.iter().cloned());
    if let Some(second) = &shape.second_component {
        arguments.push(":".to_owned());
        arguments.extend(whose);
        arguments.extend(second.iter().cloned());
    }
    arguments
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::site::limits;

    /// Made up, with users, sizes, limits and run times that differ.
    pub fn log(jobs: u32) -> Vec<ReplayJob> {
        let job = |index: u32| ReplayJob {
            submit_offset_seconds: index * 300,
            run_seconds: 60 + (index * index * 977) % 30_000,
            nodes: 1 + (index * 31) % 40 * (index % 3),
            limit_minutes: [15, 60, 240, 1_080][index as usize % 4],
            user: 1 + (index * 7) % 90,
        };
        (0..jobs).map(job).collect()
    }

    const PLAN: StretchPlan = StretchPlan { seed: 3, hours: 30, load: 0.9 };

    #[test]
    fn the_same_seed_gives_the_same_stretch_and_another_another() {
        let other = StretchPlan { seed: 4, ..PLAN };
        assert_eq!(PLAN.jobs(&log(600)), PLAN.jobs(&log(600)));
        assert_ne!(PLAN.jobs(&log(600)), other.jobs(&log(600)));
    }

    #[test]
    fn a_stretch_has_its_hours_its_load_and_every_kind_of_job() {
        let jobs = PLAN.jobs(&log(600));
        assert_eq!(jobs.last().unwrap().submit_offset_seconds, 30 * 3_600);
        assert!((PLAN.load_of(&jobs) - 0.9).abs() < 0.05, "{}", PLAN.load_of(&jobs));
        assert!(PLAN.gpus_of(&jobs) > 16.0, "{}", PLAN.gpus_of(&jobs));
        let partitions: BTreeSet<&str> = jobs.iter().map(|job| job.partition.as_str()).collect();
        assert_eq!(partitions, BTreeSet::from(["batch", "batch,long", "debug", "gpu", "long", "scavenger"]));
        assert!(jobs.iter().any(|job| job.is_heterogeneous));
        assert!(jobs.iter().any(|job| job.array.is_some_and(|array| array.throttle.is_some())));
        assert!(jobs.iter().any(|job| job.array.is_some_and(|array| array.throttle.is_none())));
        assert!(jobs.iter().any(|job| job.qos.as_deref() == Some("high")));
        let kinds = |wanted| jobs.iter().any(|job| job.dependency.is_some_and(|dependency| dependency.kind == wanted));
        assert!(kinds(DependencyKind::AfterAny) && kinds(DependencyKind::AfterOk));
    }

    #[test]
    fn no_job_asks_for_more_than_its_limits_or_depends_on_a_later_one() {
        for job in PLAN.jobs(&log(600)) {
            assert!(job.cpus <= limits::widest_cpus(&job.account), "{job:?}");
            assert!(job.gpus <= limits::GPUS_PER_USER, "{job:?}");
            assert!(job.partition != "debug" || job.cpus <= limits::CPUS_PER_USER_IN_DEBUG, "{job:?}");
            assert_eq!(job.run_seconds.len(), job.array.map_or(1, |array| array.tasks as usize));
            let on = job.dependency.and_then(|dependency| dependency.on_index);
            assert!(on.is_none_or(|on| on < job.index), "{job:?}");
        }
    }
}

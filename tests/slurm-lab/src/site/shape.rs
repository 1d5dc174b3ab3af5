//! What a job of a log asks of the site: partition, quality of service, limit, and its processors, memory and GPUs in the
//! words of sbatch.
//!
//! The log gives user, size, limit and run time. All else is drawn: logs of machines with one kind of node have no GPUs and no arrays. Shares are
//! chosen such that a stretch of some hundred jobs has every kind, and none of the requests is impossible: every one fits some
//! nodes of its partition and all its limits.

use super::accounts::{USERS, account_of, second_account_of};
use super::draw::Draws;
use super::limits;
use super::stretch::ArrayTasks;
use crate::replay::ReplayJob;

/// The longest limit of `batch`, which is also that of the logs' machines.
const MINUTES_IN_BATCH: u32 = 18 * 60;
const MINUTES_IN_DEBUG: u32 = 30;
const MINUTES_IN_SCAVENGER: u32 = 12 * 60;
/// All of two nodes.
const GPUS_PER_JOB: u32 = 8;
/// Processors of the smaller nodes.
const CPUS_PER_NODE: u32 = 16;

/// By how much the sizes of the log are grown.
#[derive(Clone, Copy, Debug)]
pub struct Growth {
    /// Processors of the site for one of the log.
    pub cpus: f64,
    /// By this the GPUs that are drawn.
    pub gpus: f64,
}

/// What a job asks for.
#[derive(Clone, Debug)]
pub struct Shape {
    pub user: u32,
    pub account: &'static str,
    /// One, or several with commas.
    pub partitions: &'static str,
    pub qos: Option<&'static str>,
    pub limit_minutes: u32,
    /// Processors of all its parts, those of one task if it is an array.
    pub cpus: u32,
    pub gpus: u32,
    pub array: Option<ArrayTasks>,
    /// The words for its resources; those of a second component, if it has one, too.
    pub resources: Vec<String>,
    pub second_component: Option<Vec<String>>,
    /// Seconds from submission to when it may begin.
    pub begin_seconds: Option<u32>,
}

/// The shape of a job whose `nodes` are the log's processors.
pub fn of(job: &ReplayJob, growth: Growth, draws: Draws) -> Shape {
    let user = (job.user.max(1) - 1) % USERS + 1;
    let guest = second_account_of(user).filter(|_| draws.percent("guest", 40));
    let account = guest.unwrap_or_else(|| account_of(user));
    let limit_minutes = job.limit_minutes.clamp(1, MINUTES_IN_BATCH);
    let cpus = scaled(job.nodes, growth.cpus).clamp(1, limits::widest_cpus(account));
    let shape = Shape {
        user,
        account,
        partitions: "batch",
        qos: None,
        limit_minutes,
        cpus,
        gpus: 0,
        array: None,
        resources: Vec::new(),
        second_component: None,
        begin_seconds: draws.percent("begin", 1).then_some(3_600),
    };
    // By user, because those who have work for GPUs have it again and again.
    if draws.percent("gpu", if user % 5 == 2 { 45 } else { 6 }) {
        return with_gpus(shape, growth.gpus, draws);
    }
    if cpus >= 4 && draws.percent("heterogeneous", 2) {
        return heterogeneous(shape);
    }
    let mut shape = in_partition(shape, job.run_seconds, draws);
    if shape.partitions == "batch" && shape.cpus <= 8 && draws.percent("array", 15) {
        let throttle = (draws.below("throttle", 3) > 0).then(|| draws.one_of("at once", &[2, 3, 4, 6]));
        shape.array = Some(ArrayTasks { tasks: 4 + small(draws.below("tasks", 13)), throttle });
    }
    let is_plain = matches!(shape.partitions, "batch" | "long") && shape.cpus <= limits::CPUS_PER_USER_IN_HIGH;
    shape.qos = (is_plain && draws.percent("high", 7)).then_some("high");
    shape.resources = words_for_cpus(&mut shape, draws);
    shape
}

fn in_partition(mut shape: Shape, run_seconds: u32, draws: Draws) -> Shape {
    let is_small = shape.cpus <= limits::CPUS_PER_USER_IN_DEBUG;
    let is_short = shape.limit_minutes <= MINUTES_IN_DEBUG && draws.percent("debug", 50);
    // Some know that their job is short although they did not say so.
    let is_known_short = run_seconds <= 900 && draws.percent("known short", 10);
    if is_small && (is_short || is_known_short) {
        shape.partitions = "debug";
        shape.limit_minutes = shape.limit_minutes.min(MINUTES_IN_DEBUG);
    } else if is_small && shape.limit_minutes <= MINUTES_IN_SCAVENGER && draws.percent("scavenger", 14) {
        shape.partitions = "scavenger";
    } else if shape.limit_minutes > 600 && draws.percent("long", 35) {
        shape.partitions = "long";
        shape.cpus = shape.cpus.min(limits::widest_cpus_in_long(shape.account));
        // Where more may be asked for, more is; but not beyond what the CPU minutes of `cells` allow.
        if shape.account != "cells" {
            shape.limit_minutes *= 2;
        }
    } else if draws.percent("either", 6) {
        shape.partitions = "batch,long";
        shape.cpus = shape.cpus.min(limits::widest_cpus_in_long(shape.account));
    }
    shape
}

/// Changes the processors where the words round them up.
fn words_for_cpus(shape: &mut Shape, draws: Draws) -> Vec<String> {
    let has_fat_nodes = matches!(shape.partitions, "batch" | "long");
    if shape.cpus <= CPUS_PER_NODE {
        let cpus = shape.cpus;
        let mut words = match draws.below("words", 2) {
            0 => vec!["--nodes=1".to_owned(), format!("--ntasks={cpus}")],
            _ => vec!["--ntasks=1".to_owned(), format!("--cpus-per-task={cpus}")],
        };
        if has_fat_nodes && draws.percent("memory", 8) {
            words.push("--mem-per-cpu=6000".to_owned());
        } else if has_fat_nodes && draws.percent("feature", 4) {
            words.push("--constraint=bigmem".to_owned());
        }
        return words;
    }
    let nodes = shape.cpus.div_ceil(CPUS_PER_NODE);
    match draws.below("words", 3) {
        0 => vec![format!("--ntasks={}", shape.cpus)],
        way => {
            // Rounded down to whole nodes: up, it might be wider than its limits.
            let nodes = if nodes * CPUS_PER_NODE > shape.cpus { nodes - 1 } else { nodes };
            shape.cpus = nodes * CPUS_PER_NODE;
            let mut words = vec![format!("--nodes={nodes}"), format!("--ntasks-per-node={CPUS_PER_NODE}")];
            if way == 1 {
                // On the larger nodes a whole node would count twice as much towards limits.
                words.extend(["--exclusive".to_owned(), "--constraint=thin".to_owned()]);
            }
            words
        }
    }
}

fn with_gpus(mut shape: Shape, growth: f64, draws: Draws) -> Shape {
    let few = draws.one_of("gpus", &[1, 1, 1, 2, 2, 4, 4, 8]);
    let gpus = scaled(few, growth).clamp(1, GPUS_PER_JOB).next_power_of_two();
    let (nodes, on_a_node) = (gpus.div_ceil(4), gpus.min(4));
    let model = draws.one_of("model", &["", "", "a100:", "v100:"]);
    let cpus_on_a_node = on_a_node * draws.one_of("cpus a gpu", &[2, 4, 8]);
    shape.partitions = "gpu";
    (shape.gpus, shape.cpus) = (gpus, nodes * cpus_on_a_node);
    shape.resources = vec![
        format!("--nodes={nodes}"),
        "--ntasks-per-node=1".to_owned(),
        format!("--cpus-per-task={cpus_on_a_node}"),
        format!("--gres=gpu:{model}{on_a_node}"),
    ];
    shape
}

/// A master with two processors and much memory for each, and workers.
fn heterogeneous(mut shape: Shape) -> Shape {
    shape.resources = vec!["--ntasks=2".to_owned(), "--mem-per-cpu=4000".to_owned()];
    shape.second_component = Some(vec![format!("--ntasks={}", shape.cpus - 2)]);
    shape
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few thousand at most, not negative")]
fn scaled(processors: u32, factor: f64) -> u32 {
    (f64::from(processors) * factor).round() as u32
}

fn small(number: u64) -> u32 {
    u32::try_from(number).expect("it was drawn below a small number")
}

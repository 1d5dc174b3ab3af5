//! The machine, as far as a history shows it: the most that was in use at once.
//!
//! Not for: memory, of which accounting does not tell how much there is, and which is seldom all in use.

use std::collections::BTreeMap;
use std::str::FromStr;

use queuecast_schedule::slurm::{Amount, Chunk, Cluster, Demand, Pool, PoolSet, SlurmSettings};
use queuecast_workload::Seconds;
use serde::Serialize;

use super::past_job::PastJob;
use super::past_jobs::PastJobs;

/// So many jobs of a partition must have held whole nodes for nodes to be given out whole there.
const WHOLE_SHARE: f64 = 0.95;
/// The model has no more pools; partitions beyond share the last.
const POOLS_MAX: usize = 64;
/// How far ahead sites have Slurm plan (`bf_window`); its default, a day, leaves who waits longer without a reservation.
const WINDOW: Seconds = Seconds(7 * 86_400);

/// How large a part of the machine is, where somebody knows better: of a partition, or of everything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Size {
    /// Which partition; `None` for all, if they share their nodes.
    pub partition: Option<String>,
    /// How many.
    pub count: u32,
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (partition, count) = text.rsplit_once('=').map_or((None, text), |(name, count)| (Some(name), count));
        let count = count.parse().ok().filter(|count| *count > 0);
        let count = count.ok_or("expected a count above zero, or PARTITION=COUNT")?;
        Ok(Self { partition: partition.map(str::to_owned), count })
    }
}

/// Nodes that some partitions share.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PoolSize {
    /// The partitions.
    pub partitions: Vec<String>,
    /// The most nodes in use at once, each job's counted for itself; zero where nodes are not known.
    pub nodes: u32,
    /// The most processors in use at once, or what was said.
    pub processors: u64,
    /// The most GPUs.
    pub gpus: u64,
}

/// The machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenMachine {
    /// Its pools.
    pub pools: Vec<PoolSize>,
    /// By partition's number: its pool.
    pool_of: Vec<u8>,
    /// By partition's number: how many processors a node has, where nodes are given out whole.
    whole_nodes: Vec<Option<u32>>,
}

impl SeenMachine {
    /// Of this history, but for what is said; an error says what does not fit.
    pub fn of(past: &PastJobs, nodes: &[Size], processors: &[Size]) -> Result<Self, String> {
        let mut pool_of_root: BTreeMap<u32, u8> = BTreeMap::new();
        for job in &past.jobs {
            let next = u8::try_from(pool_of_root.len().min(POOLS_MAX - 1)).unwrap_or(u8::MAX);
            pool_of_root.entry(past.sharing[job.partition as usize]).or_insert(next);
        }
        let pool_of: Vec<u8> =
            past.sharing.iter().map(|root| pool_of_root.get(root).copied().unwrap_or_default()).collect();
        let count = pool_of_root.values().max().map_or(0, |last| usize::from(*last) + 1);
        let mut pools = vec![PoolSize { partitions: Vec::new(), nodes: 0, processors: 0, gpus: 0 }; count];
        for (name, pool) in past.partitions.iter().zip(pool_of.iter().skip(1)) {
            if let Some(pool) = pools.get_mut(usize::from(*pool)) {
                pool.partitions.push(name.clone());
            }
        }
        let mut machine = Self { pools, pool_of, whole_nodes: whole_nodes(past) };
        machine.measure(past);
        for (sizes, are_nodes) in [(nodes, true), (processors, false)] {
            for size in sizes {
                machine.resize(past, size, are_nodes)?;
            }
        }
        Ok(machine)
    }

    /// Finds the most in use at once.
    fn measure(&mut self, past: &PastJobs) {
        let mut changes: Vec<(i64, bool, u32)> = Vec::with_capacity(2 * past.jobs.len());
        for (place, job) in (0..).zip(&past.jobs).filter(|(_, job)| job.has_started()) {
            changes.push((job.started().0, true, place));
            if job.fate == super::Fate::Ended {
                changes.push((job.ended().0, false, place));
            }
        }
        // Ends before starts.
        changes.sort_unstable();
        let mut in_use = vec![[0_i64; 3]; self.pools.len()];
        for (_, starts, place) in changes {
            let job = &past.jobs[place as usize];
            let pool = usize::from(self.pool_of[job.partition as usize]);
            let held = [job.held.nodes, job.held.processors, job.held.gpus].map(i64::from);
            for (used, held) in in_use[pool].iter_mut().zip(held) {
                *used += if starts { held } else { -held };
            }
            let size = &mut self.pools[pool];
            let [nodes, processors, gpus] = in_use[pool].map(|used| u64::try_from(used).unwrap_or(0));
            size.nodes = size.nodes.max(u32::try_from(nodes).unwrap_or(u32::MAX));
            (size.processors, size.gpus) = (size.processors.max(processors), size.gpus.max(gpus));
        }
    }

    fn resize(&mut self, past: &PastJobs, size: &Size, are_nodes: bool) -> Result<(), String> {
        let known = || past.partitions.join(", ");
        let pool = match &size.partition {
            None if self.pools.len() == 1 => 0,
            None => {
                return Err(format!(
                    "the cluster has several pools of nodes; use PARTITION=COUNT with one of the partitions {}",
                    known()
                ));
            }
            Some(name) => {
                let number = past.partitions.iter().position(|partition| partition == name);
                let number =
                    number.ok_or_else(|| format!("unknown partition {name}; the partitions are {}", known()))?;
                usize::from(self.pool_of[number + 1])
            }
        };
        let pool = &mut self.pools[pool];
        if are_nodes {
            if pool.nodes == 0 {
                return Err("the history contains no node counts; use --processors".to_owned());
            }
            pool.processors = pool.processors.div_ceil(u64::from(pool.nodes)) * u64::from(size.count);
            pool.nodes = size.count;
        } else {
            pool.processors = u64::from(size.count);
        }
        Ok(())
    }

    /// Processors in all.
    pub fn processors(&self) -> u32 {
        u32::try_from(self.pools.iter().map(|pool| pool.processors).sum::<u64>()).unwrap_or(u32::MAX)
    }

    /// As the model sees it.
    pub fn cluster(&self) -> Cluster {
        let pools = self.pools.iter().map(|pool| {
            let number = |number: u64| i64::try_from(number).unwrap_or(i64::MAX >> 8);
            let node = Amount { gpus: number(pool.gpus), ..Amount::processors(number(pool.processors)) };
            Pool { node, nodes: 1 }
        });
        let settings = SlurmSettings { window: WINDOW, ..SlurmSettings::default() };
        Cluster { pools: pools.collect(), settings, ..Cluster::default() }
    }

    /// The pool a job is in.
    pub fn pool(&self, job: &PastJob) -> u8 {
        self.pool_of[job.partition as usize]
    }

    /// What a job asks for; `None` if it is more than there is.
    pub fn demand(&self, job: &PastJob) -> Option<Demand> {
        let mut asked = job.asked;
        if let Some(processors) = self.whole_nodes[job.partition as usize] {
            asked.nodes = asked.nodes.max(asked.processors.div_ceil(processors)).max(1);
            asked.processors = asked.nodes.saturating_mul(processors);
        }
        let pool = usize::from(self.pool(job));
        let size = self.pools.get(pool)?;
        let fits = u64::from(asked.processors) <= size.processors && u64::from(asked.gpus) <= size.gpus;
        let pools = PoolSet::default().with(pool);
        fits.then(|| Demand::of(1, Chunk::Share(asked.amount()), pools))
    }
}

/// By partition: how many processors a node has, where nearly every job held all of its nodes.
fn whole_nodes(past: &PastJobs) -> Vec<Option<u32>> {
    let mut largest = vec![0_u32; past.sharing.len()];
    let on_nodes = || past.jobs.iter().filter(|job| job.has_started() && job.held.nodes > 0);
    for job in on_nodes() {
        let node = &mut largest[job.partition as usize];
        *node = (*node).max(job.held.processors / job.held.nodes);
    }
    let mut counts = vec![(0_u64, 0_u64); past.sharing.len()];
    for job in on_nodes() {
        let (jobs, whole) = &mut counts[job.partition as usize];
        *jobs += 1;
        let all = u64::from(job.held.nodes) * u64::from(largest[job.partition as usize]);
        *whole += u64::from(u64::from(job.held.processors) == all);
    }
    let is_whole = |(jobs, whole): (u64, u64)| jobs > 0 && whole as f64 >= WHOLE_SHARE * jobs as f64;
    largest.into_iter().zip(counts).map(|(node, counts)| (is_whole(counts) && node > 0).then_some(node)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::past_job::Resources;
    use super::super::test_jobs::{history, job};
    use super::*;

    fn wide(arrived: i64, run: u32, asked: u32, (nodes, processors): (u32, u32)) -> PastJob {
        let held = Resources { nodes, processors, gpus: 1 };
        PastJob { asked: Resources { processors: asked, ..held }, held, ..job(arrived, 0, run) }
    }

    #[test]
    fn it_is_as_large_as_the_most_in_use_at_once() {
        // The second begins in the second in which the first ends: they were never there together.
        let past = history(vec![
            wide(0, 10, 3, (1, 3)),
            wide(10, 10, 4, (2, 4)),
            wide(12, 10, 2, (1, 2)),
            wide(50, 1, 5, (1, 5)),
        ]);
        let machine = SeenMachine::of(&past, &[], &[]).expect("a machine");
        let partitions = vec!["batch".to_owned()];
        assert_eq!(machine.pools, [PoolSize { partitions, nodes: 3, processors: 6, gpus: 2 }]);
        let too_large = PastJob { asked: Resources { nodes: 1, processors: 7, gpus: 0 }, ..job(0, 0, 1) };
        assert_eq!(machine.demand(&too_large), None);
    }

    #[test]
    fn what_is_said_counts_more_than_what_was_seen() {
        let past = history(vec![wide(0, 10, 4, (2, 8))]);
        let sized = |nodes: &[&str], processors: &[&str]| {
            let sizes = |texts: &[&str]| texts.iter().map(|text| text.parse().expect("a size")).collect::<Vec<Size>>();
            SeenMachine::of(&past, &sizes(nodes), &sizes(processors)).map(|machine| machine.pools[0].processors)
        };
        assert_eq!(sized(&["10"], &[]), Ok(40));
        assert_eq!(sized(&[], &["batch=100"]), Ok(100));
        assert!(sized(&["gpu=3"], &[]).is_err_and(|error| error.contains("the partitions are batch")));
        assert!("0".parse::<Size>().is_err() && "x=".parse::<Size>().is_err());
    }

    #[test]
    fn where_nodes_are_given_out_whole_a_job_asks_for_whole_ones() {
        let past = history(vec![wide(0, 10, 1, (1, 8)), wide(0, 10, 9, (2, 16))]);
        let machine = SeenMachine::of(&past, &[], &[]).expect("a machine");
        let asked = |place: usize| machine.demand(&past.jobs[place]).map(|demand| demand.chunk);
        let share = |processors: i64| Some(Chunk::Share(Amount { gpus: 1, ..Amount::processors(processors) }));
        assert_eq!((asked(0), asked(1)), (share(8), share(16)));
    }
}

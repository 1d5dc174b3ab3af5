//! What every running job holds on each of its nodes.
//!
//! Slurm tells what a job holds in all, and what is taken of a node in all; not which job has how much of which node. `--ntasks=17`
//! may be 12 CPUs of one node and 5 of another. Where all but one of a node's jobs are known, or all but one of a job's nodes,
//! the last is what is left; on what is found so the next are found. What cannot be found is fitted to both sums, so that a full node is full.
//!
//! Not for: where a waiting job would be put (`queuecast_schedule::slurm`).

use std::collections::HashMap;

use queuecast_records::{JobRecord, NodeList, NodeRecord};
use queuecast_schedule::slurm::{Amount, Holding};

use super::demand::Counting;
use super::pools::PoolTable;

/// The three kinds of an [`Amount`]: how to read one and how to set it.
type Kind = (fn(&Amount) -> i64, fn(&mut Amount) -> &mut i64);

const KINDS: [Kind; 3] = [
    (|amount| amount.processors, |amount| &mut amount.processors),
    (|amount| amount.memory_mebibytes, |amount| &mut amount.memory_mebibytes),
    (|amount| amount.gpus, |amount| &mut amount.gpus),
];

/// So often shares are fitted to jobs and to nodes.
const ROUNDS: u32 = 30;

/// One job's part of one node.
struct Part {
    job: usize,
    node: usize,
    amount: Amount,
    /// Whether the job has the node for itself, and so all of it.
    is_whole: bool,
}

/// All parts, and what jobs and nodes have in all.
#[derive(Default)]
struct Shares<'a> {
    parts: Vec<Part>,
    of_job: Vec<Vec<usize>>,
    of_node: Vec<Vec<usize>>,
    jobs: Vec<Amount>,
    /// What is taken of a node, and its name. Nothing is known of a node that was not read.
    nodes: Vec<Option<Amount>>,
    names: Vec<String>,
    places: HashMap<String, usize>,
    known: HashMap<&'a str, &'a NodeRecord>,
}

/// What each of these jobs holds at each place of the table; nothing if it has no nodes or has ended. Nodes that take no new jobs give
/// nothing back. Who was put back into the queue (`check`) still has its nodes: they were read with it on them.
pub fn holdings(
    jobs: &[JobRecord],
    nodes: &[NodeRecord],
    table: &PoolTable,
    counting: Counting,
    problems: &mut Vec<String>,
) -> Vec<Holding> {
    let known = nodes.iter().map(|node| (node.name.as_str(), node)).collect();
    let mut parts = Shares { known, ..Shares::default() };
    for job in jobs {
        if job.nodes.is_empty() || job.state.has_ended() {
            parts.add_nothing();
            continue;
        }
        match NodeList::parse(&job.nodes) {
            Ok(nodes) => parts.add(job, &nodes, counting),
            Err(error) => {
                problems.push(format!("job {}: {error}", job.key.job_id));
                parts.add_nothing();
            }
        }
    }
    for kind in KINDS {
        parts.find(kind);
    }
    (0..jobs.len()).map(|job| parts.holding(job, table)).collect()
}

impl Shares<'_> {
    fn add_nothing(&mut self) {
        self.jobs.push(Amount::NONE);
        self.of_job.push(Vec::new());
    }

    fn add(&mut self, job: &JobRecord, nodes: &NodeList, counting: Counting) {
        let place = self.jobs.len();
        self.add_nothing();
        self.jobs[place] = counting.each(&job.allocated, 1);
        let each = counting.each(&job.allocated, nodes.count().max(1));
        let is_whole = job.exclusive.unwrap_or(false) || counting.whole_nodes;
        for name in nodes.names() {
            let node = self.node(&name, counting);
            self.of_job[place].push(self.parts.len());
            self.of_node[node].push(self.parts.len());
            self.parts.push(Part { job: place, node, amount: each, is_whole });
        }
    }

    fn node(&mut self, name: &str, counting: Counting) -> usize {
        if let Some(place) = self.places.get(name) {
            return *place;
        }
        let place = self.names.len();
        let taken = |node: &&NodeRecord| {
            let has_jobs = node.used.cpus.or(node.allocated_cpus)? > 0;
            has_jobs.then(|| counting.taken(node))
        };
        self.nodes.push(self.known.get(name).and_then(taken));
        self.names.push(name.to_owned());
        self.of_node.push(Vec::new());
        self.places.insert(name.to_owned(), place);
        place
    }

    /// Finds what can be found of one kind, and shares out the rest.
    fn find(&mut self, (get, set): Kind) {
        let is_open = |part: &usize| !self.parts[*part].is_whole;
        let count = |parts: &Vec<usize>| parts.iter().filter(|part| is_open(part)).count();
        let mut jobs: Vec<Left> = (self.jobs.iter().zip(&self.of_job))
            .map(|(total, parts)| Left { amount: Some(get(total)), unknown: count(parts) })
            .collect();
        let mut nodes: Vec<Left> = (self.nodes.iter().zip(&self.of_node))
            .map(|(taken, parts)| Left { amount: taken.as_ref().map(get), unknown: count(parts) })
            .collect();
        let mut found: Vec<Option<i64>> = vec![None; self.parts.len()];
        let mut next: Vec<usize> = (0..self.parts.len()).filter(is_open).collect();
        while let Some(part) = next.pop() {
            let Part { job, node, .. } = self.parts[part];
            let last = jobs[job].if_last().or(nodes[node].if_last());
            // A job's numbers are of one moment; a node may have been read at another, and then tells nonsense.
            let most = jobs[job].amount.unwrap_or(0);
            let Some(amount) = last.filter(|amount| found[part].is_none() && (0..=most).contains(amount)) else {
                continue;
            };
            found[part] = Some(amount);
            for (left, parts) in [(&mut jobs[job], &self.of_job[job]), (&mut nodes[node], &self.of_node[node])] {
                left.take(amount);
                if left.unknown == 1 {
                    next.extend(parts.iter().filter(|other| is_open(other) && found[**other].is_none()));
                }
            }
        }
        let open: Vec<usize> = (0..self.parts.len()).filter(|part| is_open(part) && found[*part].is_none()).collect();
        let fitted = self.fitted(&open, &jobs, &nodes);
        for (part, amount) in open.into_iter().zip(fitted) {
            found[part] = Some(amount);
        }
        for (part, amount) in self.parts.iter_mut().zip(found) {
            *set(&mut part.amount) = amount.unwrap_or(0);
        }
    }

    /// Shares that add up to what their jobs have and to what is taken of their nodes, as nearly as both can be: made as much larger or smaller as
    /// the one asks for, then the other, in turns. Evenly where nodes say nothing.
    fn fitted(&self, open: &[usize], jobs: &[Left], nodes: &[Left]) -> Vec<i64> {
        let (job_of, node_of) = (|part: usize| self.parts[part].job, |part: usize| self.parts[part].node);
        let mut shares = vec![1.0; open.len()];
        for _ in 0..ROUNDS {
            scale(&mut shares, open, node_of, nodes, f64::INFINITY);
            scale(&mut shares, open, job_of, jobs, f64::INFINITY);
        }
        // What a node has is not more than it has, whatever was read when.
        scale(&mut shares, open, node_of, nodes, 1.0);
        // Whole ones: what is cut off one is for the next of the same node.
        let mut left_over: HashMap<usize, f64> = HashMap::new();
        let whole = |(part, share): (&usize, f64)| {
            let left_over = left_over.entry(node_of(*part)).or_default();
            let exact = share + *left_over;
            #[expect(clippy::cast_possible_truncation, reason = "not more than a node has")]
            let amount = (exact + 1e-6).floor() as i64;
            *left_over = exact - amount as f64;
            amount
        };
        open.iter().zip(shares).map(whole).collect()
    }

    fn holding(&self, job: usize, table: &PoolTable) -> Holding {
        let mut holding = Holding::new();
        for part in self.of_job[job].iter().map(|part| &self.parts[*part]) {
            let Some(place) = table.place_of_node(&self.names[part.node]) else { continue };
            let node = table.node_at(place);
            let amount = if part.is_whole { node } else { part.amount.least(node) };
            match holding.iter_mut().find(|(known, _)| *known == place) {
                Some((_, held)) => *held += amount,
                None => holding.push((place, amount)),
            }
        }
        holding.sort_unstable();
        holding
    }
}

/// Makes shares add up to what is left of their job, or of their node, none more than so many times larger.
fn scale(shares: &mut [f64], open: &[usize], whose: impl Fn(usize) -> usize, left: &[Left], most: f64) {
    let mut sums = vec![0.0; left.len()];
    for (part, share) in open.iter().zip(&*shares) {
        sums[whose(*part)] += share;
    }
    for (part, share) in open.iter().zip(shares) {
        let place = whose(*part);
        if let Some(amount) = left[place].amount.filter(|_| sums[place] > 0.0) {
            *share *= (amount.max(0) as f64 / sums[place]).min(most);
        }
    }
}

/// What a job or a node has that is not found yet, and in how many parts.
struct Left {
    /// `None` if nobody said what it has.
    amount: Option<i64>,
    unknown: usize,
}

impl Left {
    /// All of it, if one part is left.
    fn if_last(&self) -> Option<i64> {
        self.amount.filter(|_| self.unknown == 1)
    }

    fn take(&mut self, amount: i64) {
        self.unknown -= 1;
        if let Some(left) = &mut self.amount {
            *left -= amount;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::test_cluster::{node, running};

    const CPUS: Counting = Counting { whole_nodes: false, memory: false };

    fn job(number: u64, nodes: &str, cpus: u64) -> JobRecord {
        let mut job = running(number, nodes, 1, 1_000);
        job.allocated.cpus = Some(cpus);
        job
    }

    /// Sixteen CPUs a node, of which so many are taken.
    fn nodes(taken: &[u64]) -> Vec<NodeRecord> {
        let node = |(place, taken): (usize, &u64)| {
            let allocated_cpus = Some(*taken);
            NodeRecord { allocated_cpus, ..node(&format!("a{place}"), 16, &["batch"]) }
        };
        taken.iter().enumerate().map(node).collect()
    }

    fn cpus(jobs: &[JobRecord], nodes: &[NodeRecord]) -> Vec<Vec<i64>> {
        let found = holdings(jobs, nodes, &PoolTable::for_queue(nodes, 0), CPUS, &mut Vec::new());
        found.iter().map(|held| held.iter().map(|(_, amount)| amount.processors).collect()).collect()
    }

    #[test]
    fn what_is_taken_of_nodes_tells_how_a_job_is_spread_over_them() {
        let jobs = [job(1, "a[0-1]", 17), job(2, "a1", 4), job(3, "a[1-2]", 9)];
        assert_eq!(cpus(&jobs, &nodes(&[12, 12, 6])), [vec![12, 5], vec![4], vec![3, 6]]);
    }

    #[test]
    fn what_cannot_be_found_is_shared_out_evenly() {
        let both = [job(1, "a[0-1]", 9), job(2, "a[0-1]", 6)];
        let fitted = cpus(&both, &nodes(&[8, 7]));
        assert_eq!((fitted[0][0] + fitted[1][0], fitted[0][1] + fitted[1][1]), (8, 7), "{fitted:?}");
        let later = [job(1, "a[0-1]", 10)];
        assert_eq!(cpus(&later, &nodes(&[0, 0])), [vec![5, 5]], "nodes that were read before it began");
        assert_eq!(cpus(&later, &nodes(&[16, 16])), [vec![5, 5]], "nodes that are not its alone");
    }

    #[test]
    fn a_full_node_is_full_however_its_jobs_share_it() {
        let jobs = [job(1, "a[0-2]", 20), job(2, "a[0-2]", 10), job(3, "a[1-2]", 9)];
        let fitted = cpus(&jobs, &nodes(&[16, 16, 7]));
        let on = |node: usize| fitted.iter().map(|held| held[held.len() + node - 3]).sum::<i64>();
        assert_eq!((fitted[0][0] + fitted[1][0], on(1), on(2)), (16, 16, 7), "{fitted:?}");
    }

    #[test]
    fn who_has_whole_nodes_has_all_of_them() {
        let mut alone = job(1, "a[0-1]", 2);
        alone.exclusive = Some(true);
        assert_eq!(cpus(&[alone, job(2, "a[2-3]", 6)], &nodes(&[16, 16, 1, 5])), [vec![16, 16], vec![1, 5]]);
    }
}

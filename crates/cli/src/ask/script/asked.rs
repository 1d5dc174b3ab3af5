//! What a job asks for, option by option, and the question that follows from it.
//!
//! For: scripts and the command line alike; what comes later counts.
//!
//! Not for: which options there are (`known`); whether the cluster has what is asked for.
//!
//! Source: sbatch(1) of 22.05 to 26.05; Slurm's `slurm_opt.c`, whose refusals these are.

use queuecast_api::hypothetical::HypotheticalRequest;
use queuecast_api::request::{ArrayRequest, GresPerRequest, GresRequest};
use queuecast_records::NodeList;

use super::quantity::{count, gpus, mebibytes, nodes, resources};
use super::{Begin, Limit};
use crate::ask::zone::Zone;

/// What is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    pub nodes: Option<(u32, u32)>,
    pub tasks: Option<u32>,
    pub tasks_per_node: Option<u32>,
    pub cpus_per_task: Option<u32>,
    pub limit: Option<Limit>,
    pub partition: Option<String>,
    pub memory_per_node_mebibytes: Option<u64>,
    pub memory_per_cpu_mebibytes: Option<u64>,
    pub memory_per_gpu_mebibytes: Option<u64>,
    /// By option: `--gres`, `--gpus`, `--gpus-per-node`, `--gpus-per-task`, `--gpus-per-socket`.
    gres: [Vec<GresRequest>; 5],
    pub exclusive: Option<Exclusive>,
    pub begin: Option<Begin>,
    pub dependency: Option<String>,
    pub array: Option<ArrayRequest>,
    pub constraint: Option<String>,
    pub nodelist: Option<(String, u64)>,
    pub exclude: Option<String>,
    pub account: Option<String>,
    pub qos: Option<String>,
    pub name: Option<String>,
    pub reservation: Option<String>,
    pub licenses: Option<String>,
}

/// Whom it wants its nodes to itself from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exclusive {
    /// From everybody.
    Nodes,
    /// From other users, or labels.
    User,
    /// From nobody.
    Nobody,
}

/// Where each option's resources are kept, and on or for what they count.
const GRES: [(&str, GresPerRequest); 5] = [
    ("gres", GresPerRequest::Node),
    ("gpus", GresPerRequest::Job),
    ("gpus-per-node", GresPerRequest::Node),
    ("gpus-per-task", GresPerRequest::Task),
    ("gpus-per-socket", GresPerRequest::Socket),
];

impl Asked {
    /// Sets an option by its long name; what its forms are, if the value is not one.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<(), &'static str> {
        const COUNT: &str = "a whole number above zero";
        const SIZE: &str = "a size such as 4096, 16G or 500M";
        const NODES: &str = "nodes by name, such as node[01-04],gpu7";
        let Some(value) = value else {
            if name == "exclusive" {
                self.exclusive = Some(Exclusive::Nodes);
            }
            return Ok(());
        };
        let text = || Some(value.to_owned());
        match name {
            "nodes" => self.nodes = Some(nodes(value).ok_or("a number of nodes such as 4, or a range such as 2-4")?),
            "ntasks" => self.tasks = Some(count(value).ok_or(COUNT)?),
            "ntasks-per-node" | "tasks-per-node" => self.tasks_per_node = Some(count(value).ok_or(COUNT)?),
            "cpus-per-task" => self.cpus_per_task = Some(count(value).ok_or(COUNT)?),
            "time" => {
                let forms = "minutes, mm:ss, hh:mm:ss, d-hh, d-hh:mm or d-hh:mm:ss";
                self.limit = Some(Limit::parse(value).ok_or(forms)?);
            }
            "partition" => self.partition = text(),
            "mem" => self.memory_per_node_mebibytes = Some(mebibytes(value).ok_or(SIZE)?),
            "mem-per-cpu" => self.memory_per_cpu_mebibytes = Some(mebibytes(value).ok_or(SIZE)?),
            "mem-per-gpu" => self.memory_per_gpu_mebibytes = Some(mebibytes(value).ok_or(SIZE)?),
            "gres" => self.gres[0] = resources(value, GRES[0].1).ok_or("resources such as gpu:2 or gpu:a100:2")?,
            "exclusive" => self.exclusive = Some(exclusive(value).ok_or("user, mcs, topo or no value")?),
            "begin" => {
                let forms = "now+1hour, 16:00, 4:00pm, tomorrow, teatime, 1116, 11/16/26 or 2026-11-16T16:00";
                self.begin = Some(Begin::parse(value).ok_or(forms)?);
            }
            // Whether it is one is the question's own to check.
            "dependency" => self.dependency = text(),
            "array" => {
                self.array = Some(ArrayRequest::parse(value).ok_or("tasks such as 0-15, 1,3,5-9:2, or 0-15%4")?);
            }
            "constraint" => self.constraint = text(),
            "nodelist" => {
                let count = NodeList::parse(value).map_err(|_| NODES)?.count();
                self.nodelist = Some((value.to_owned(), count));
            }
            "exclude" => {
                NodeList::parse(value).map_err(|_| NODES)?;
                self.exclude = text();
            }
            "account" => self.account = text(),
            "qos" => self.qos = text(),
            "job-name" => self.name = text(),
            "reservation" => self.reservation = text(),
            "licenses" => self.licenses = text(),
            name => {
                if let Some(place) = GRES.iter().position(|(option, _)| *option == name) {
                    self.gres[place] = gpus(value, GRES[place].1)
                        .ok_or("a number of GPUs such as 2, or a type and number such as a100:2")?;
                }
            }
        }
        Ok(())
    }

    /// What sbatch refuses although every option by itself is one.
    pub fn contradiction(&self) -> Option<&'static str> {
        let memory = [self.memory_per_node_mebibytes, self.memory_per_cpu_mebibytes, self.memory_per_gpu_mebibytes];
        let has_gpus = |place: usize| self.gres[place].iter().any(|one| one.name == "gpu");
        if memory.iter().flatten().count() > 1 {
            Some("--mem, --mem-per-cpu and --mem-per-gpu are mutually exclusive")
        } else if has_gpus(0) && has_gpus(2) {
            Some("--gres=gpu and --gpus-per-node are mutually exclusive")
        } else {
            None
        }
    }

    /// The job as the interface is asked about it: totals, and beside them what they were made of.
    pub fn question(&self, user: Option<String>, now: i64, zone: &Zone) -> HypotheticalRequest {
        let named = self.nodelist.as_ref().and_then(|(_, count)| u32::try_from(*count).ok());
        let most = self.nodes.map(|(_, most)| most).filter(|most| self.nodes.is_some_and(|(least, _)| *most > least));
        // Whoever names nodes has them all.
        let asked_nodes = self.nodes.map(|(least, _)| least.max(named.unwrap_or(0))).or(named);
        // No more nodes than tasks: sbatch says so and takes fewer.
        let asked_nodes = asked_nodes.map(|nodes| self.tasks.map_or(nodes, |tasks| nodes.min(tasks)));
        let nodes = asked_nodes.unwrap_or(1);
        let tasks = self.tasks.or_else(|| self.tasks_per_node.map(|tasks| tasks.saturating_mul(nodes)));
        // One task a node unless said otherwise.
        let tasks_or_nodes = tasks.unwrap_or(nodes);
        let says_cpus = tasks.is_some() || self.cpus_per_task.is_some();
        let cpus = says_cpus.then(|| tasks_or_nodes.saturating_mul(self.cpus_per_task.unwrap_or(1)));
        let gpus = self.gpus(nodes, tasks_or_nodes);
        let times = |memory: Option<u64>, count: u32| memory.map(|memory| memory.saturating_mul(u64::from(count)));
        let memory = times(self.memory_per_node_mebibytes, nodes)
            .or(times(self.memory_per_cpu_mebibytes, cpus.unwrap_or(tasks_or_nodes)))
            .or(times(self.memory_per_gpu_mebibytes, gpus.unwrap_or(0)));
        HypotheticalRequest {
            partition: self.partition.clone(),
            nodes: asked_nodes,
            nodes_max: most.filter(|most| *most >= nodes),
            cpus,
            // Zero is all there is on the nodes: no number says that.
            memory_mebibytes: memory.filter(|memory| *memory > 0),
            gpus,
            exclusive: self.exclusive == Some(Exclusive::Nodes),
            exclusive_user: self.exclusive == Some(Exclusive::User),
            limit_seconds: match self.limit {
                Some(Limit::Minutes(minutes)) => Some(60 * i64::from(minutes)),
                Some(Limit::Unlimited) | None => None,
            },
            begin: self.begin.map(|begin| begin.unix(now, zone)),
            account: self.account.clone(),
            qos: self.qos.clone(),
            user,
            name: self.name.clone(),
            tasks: self.tasks,
            tasks_per_node: self.tasks_per_node,
            cpus_per_task: self.cpus_per_task,
            memory_per_node_mebibytes: self.memory_per_node_mebibytes,
            memory_per_cpu_mebibytes: self.memory_per_cpu_mebibytes,
            memory_per_gpu_mebibytes: self.memory_per_gpu_mebibytes,
            gres: self.gres.concat(),
            constraint: self.constraint.clone(),
            nodelist: self.nodelist.as_ref().map(|(nodes, _)| nodes.clone()),
            exclude: self.exclude.clone(),
            dependency: self.dependency.clone(),
            reservation: self.reservation.clone(),
            licenses: self.licenses.clone(),
            array: self.array,
        }
    }

    /// GPUs in all, by the widest of what they are asked for. By socket nobody here can tell.
    fn gpus(&self, nodes: u32, tasks: u32) -> Option<u32> {
        let of = |place: usize| {
            let gpus = self.gres[place].iter().filter(|one| one.name == "gpu");
            let sum: u64 = gpus.map(|one| one.count).fold(0, u64::saturating_add);
            (sum > 0).then(|| u32::try_from(sum).unwrap_or(u32::MAX))
        };
        let by_node = of(0).or(of(2)).map(|gpus| gpus.saturating_mul(nodes));
        of(1).or(by_node).or(of(3).map(|gpus| gpus.saturating_mul(tasks)))
    }
}

fn exclusive(value: &str) -> Option<Exclusive> {
    let is = |word: &str| value.eq_ignore_ascii_case(word);
    if value.is_empty() || is("exclusive") || is("allocation") || is("topo") {
        Some(Exclusive::Nodes)
    } else if is("user") || is("mcs") {
        Some(Exclusive::User)
    } else if is("oversubscribe") {
        Some(Exclusive::Nobody)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::Script;
    use super::*;

    fn asked(words: &str) -> HypotheticalRequest {
        let script = Script::read(format!("#!/bin/sh\n#SBATCH {words}\n").as_bytes()).expect(words);
        script.asked.question(None, 0, &Zone::UTC)
    }

    #[test]
    fn numbers_by_node_task_and_cpu_become_totals_and_stay_beside_them() {
        let job = asked("-N 4 --ntasks-per-node=8 -c 2 --mem=10G --gpus-per-node a100:2 -t 1-0 -e err -D /tmp");
        assert_eq!((job.nodes, job.cpus, job.memory_mebibytes, job.gpus), (Some(4), Some(64), Some(40_960), Some(8)));
        assert_eq!(
            (job.tasks_per_node, job.cpus_per_task, job.memory_per_node_mebibytes),
            (Some(8), Some(2), Some(10_240))
        );
        assert_eq!((job.gres[0].model.as_deref(), job.gres[0].per), (Some("a100"), GresPerRequest::Node));
        assert_eq!(job.limit_seconds, Some(86_400));
        let job = asked("-n 16 --mem-per-cpu=2G --gres=gpu:1 -t UNLIMITED");
        assert_eq!((job.nodes, job.cpus, job.memory_mebibytes, job.gpus), (None, Some(16), Some(32_768), Some(1)));
        assert_eq!(job.limit_seconds, None);
        let job = asked("-N2 -c4 --gpus-per-task=1 --mem=0 --exclusive -b now+60");
        assert_eq!((job.cpus, job.memory_mebibytes, job.gpus), (Some(8), None, Some(2)));
        assert_eq!((job.exclusive, job.begin), (true, Some(60)));
        assert_eq!(asked("-G 4 --mem-per-gpu=8G").memory_mebibytes, Some(32_768));
        assert_eq!(asked("-N 3").cpus, None, "left to Slurm");
        assert_eq!(asked("-N 4 -n 3").nodes, Some(3), "sbatch takes no more nodes than tasks");
        let most = asked("-N 4294967295 -n 4294967295 -c 4294967295 --mem-per-cpu 9999999999999T");
        assert_eq!(most.cpus, Some(u32::MAX));
    }

    #[test]
    fn what_changes_a_start_is_part_of_the_question() {
        let job = asked(
            "-d afterok:7,after:8+5 -a 0-15%4 -C 'ib&(a|b)' -w node[01-03] -x node07 -p batch,long --exclusive=user -A physics -q long",
        );
        assert_eq!(job.dependency.as_deref(), Some("afterok:7,after:8+5"));
        assert_eq!(job.array.map(|array| (array.tasks, array.at_once)), Some((16, Some(4))));
        assert_eq!((job.constraint.as_deref(), job.exclude.as_deref()), (Some("ib&(a|b)"), Some("node07")));
        assert_eq!((job.nodelist.as_deref(), job.nodes), (Some("node[01-03]"), Some(3)), "three are named");
        assert_eq!(job.partition.as_deref(), Some("batch,long"));
        assert_eq!((job.exclusive, job.exclusive_user), (false, true));
        assert_eq!((job.account.as_deref(), job.qos.as_deref()), (Some("physics"), Some("long")));
        let range = asked("-N 2-4");
        assert_eq!((range.nodes, range.nodes_max), (Some(2), Some(4)));
        job.check().expect("a question that may be asked");
    }

    #[test]
    fn what_comes_later_counts() {
        assert_eq!(asked("-N 4 --nodes=2").nodes, Some(2));
        assert_eq!(asked("-p a -p b").partition.as_deref(), Some("b"));
        assert_eq!(asked("--gpus 4 --gpus=1").gpus, Some(1));
    }
}

//! The options of sbatch that decide when a job starts, and what is made of them.
//!
//! For: scripts and the command line alike; what comes later counts.
//!
//! Not for: options that a forecast cannot follow (dependencies, features of nodes): they are told.
//!
//! Source: sbatch(1) of 22.05.

use std::iter::Peekable;

use queuecast_api::hypothetical::HypotheticalQuestion;

use super::quantity::{count, gpus, gpus_of_resources, mebibytes, nodes};
use super::{Begin, Limit};
use crate::ask::zone::Zone;

/// What is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    pub nodes: Option<u32>,
    pub tasks: Option<u32>,
    pub tasks_per_node: Option<u32>,
    pub cpus_per_task: Option<u32>,
    pub limit: Option<Limit>,
    pub partition: Option<String>,
    pub memory_per_node_mebibytes: Option<u64>,
    pub memory_per_cpu_mebibytes: Option<u64>,
    pub gpus: Option<u32>,
    pub gpus_per_node: Option<u32>,
    pub gpus_per_task: Option<u32>,
    pub exclusive: bool,
    pub begin: Option<Begin>,
    pub account: Option<String>,
    pub qos: Option<String>,
    pub name: Option<String>,
}

/// The short names of options that we know by their long ones.
const SHORT: [(char, &str); 11] = [
    ('N', "nodes"),
    ('n', "ntasks"),
    ('c', "cpus-per-task"),
    ('t', "time"),
    ('p', "partition"),
    ('G', "gpus"),
    ('b', "begin"),
    ('J', "job-name"),
    ('o', "output"),
    ('A', "account"),
    ('q', "qos"),
];

/// Options that take a value and change nothing about when a job starts.
const WITHOUT_BEARING: [&str; 14] = [
    "output",
    "error",
    "input",
    "mail-type",
    "mail-user",
    "comment",
    "chdir",
    "export",
    "open-mode",
    "signal",
    "job-name",
    "profile",
    "get-user-env",
    "container",
];

/// The same for short ones that have no long one above.
const SHORT_WITHOUT_BEARING: [char; 3] = ['e', 'i', 'D'];

/// Options without a value and without bearing.
const BARE_WITHOUT_BEARING: [&str; 7] =
    ["parsable", "quiet", "verbose", "requeue", "no-requeue", "wait", "get-user-env"];

impl Asked {
    /// Takes an option, and its value from the words that follow if it is there. What is not understood is given back as it
    /// is written.
    pub fn take(&mut self, word: &str, following: &mut Peekable<impl Iterator<Item = String>>) -> Result<(), String> {
        let Some((name, attached)) = Self::named(word) else { return Self::leave(word, following) };
        if attached.is_none() && (name == "exclusive" || BARE_WITHOUT_BEARING.contains(&name)) {
            self.exclusive |= name == "exclusive";
            return Ok(());
        }
        let is_known = WITHOUT_BEARING.contains(&name) || Self::takes(name);
        if !is_known {
            return Self::leave(word, following);
        }
        let (value, written) = if let Some(value) = attached {
            (value.to_owned(), word.to_owned())
        } else {
            let value = following.next().ok_or_else(|| word.to_owned())?;
            let written = format!("{word} {value}");
            (value, written)
        };
        self.set(name, &value).ok_or(written)
    }

    /// The long name and what is attached to it.
    fn named(word: &str) -> Option<(&str, Option<&str>)> {
        if let Some(long) = word.strip_prefix("--") {
            return Some(long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value))));
        }
        let mut characters = word.strip_prefix('-')?.chars();
        let short = characters.next()?;
        let attached = Some(characters.as_str()).filter(|rest| !rest.is_empty());
        if SHORT_WITHOUT_BEARING.contains(&short) {
            return Some(("output", attached));
        }
        SHORT.iter().find(|(letter, _)| *letter == short).map(|(_, long)| (*long, attached))
    }

    /// An option that we do not know, with what looks like its value.
    fn leave(word: &str, following: &mut Peekable<impl Iterator<Item = String>>) -> Result<(), String> {
        let is_stray = !word.starts_with('-');
        let is_complete = is_stray || word.contains('=') || (!word.starts_with("--") && word.chars().count() > 2);
        let value = if is_complete { None } else { following.next_if(|next| !next.starts_with('-')) };
        Err(value.map_or_else(|| word.to_owned(), |value| format!("{word} {value}")))
    }

    fn takes(name: &str) -> bool {
        const NAMES: [&str; 16] = [
            "account",
            "qos",
            "nodes",
            "ntasks",
            "ntasks-per-node",
            "cpus-per-task",
            "time",
            "partition",
            "mem",
            "mem-per-cpu",
            "gres",
            "gpus",
            "gpus-per-node",
            "gpus-per-task",
            "begin",
            "exclusive",
        ];
        NAMES.contains(&name)
    }

    /// Sets an option by its long name; `None` if the value is not understood.
    pub fn set(&mut self, name: &str, value: &str) -> Option<()> {
        match name {
            "nodes" => self.nodes = Some(nodes(value)?),
            "ntasks" => self.tasks = Some(count(value)?),
            "ntasks-per-node" => self.tasks_per_node = Some(count(value)?),
            "cpus-per-task" => self.cpus_per_task = Some(count(value)?),
            "time" => self.limit = Some(Limit::parse(value)?),
            // Several are one job in each of several queues to us: which is not known.
            "partition" if value.contains(',') => return None,
            "partition" => self.partition = Some(value.to_owned()),
            "mem" => self.memory_per_node_mebibytes = Some(mebibytes(value)?),
            "mem-per-cpu" => self.memory_per_cpu_mebibytes = Some(mebibytes(value)?),
            "gres" => self.gpus_per_node = Some(gpus_of_resources(value)?),
            "gpus" => self.gpus = Some(gpus(value)?),
            "gpus-per-node" => self.gpus_per_node = Some(gpus(value)?),
            "gpus-per-task" => self.gpus_per_task = Some(gpus(value)?),
            "begin" => self.begin = Some(Begin::parse(value)?),
            "account" => self.account = Some(value.to_owned()),
            "qos" => self.qos = Some(value.to_owned()),
            "job-name" => self.name = Some(value.to_owned()),
            name => return WITHOUT_BEARING.contains(&name).then_some(()),
        }
        Some(())
    }

    /// The job as the interface is asked about it: totals instead of numbers by node, task or CPU.
    pub fn question(&self, user: Option<String>, now: i64, zone: &Zone) -> HypotheticalQuestion {
        // No more nodes than tasks: sbatch says so and takes fewer.
        let asked_nodes = self.nodes.map(|nodes| self.tasks.map_or(nodes, |tasks| nodes.min(tasks)));
        let nodes = asked_nodes.unwrap_or(1);
        let tasks = self.tasks.or_else(|| self.tasks_per_node.map(|tasks| tasks.saturating_mul(nodes)));
        // One task a node unless said otherwise.
        let tasks_or_nodes = tasks.unwrap_or(nodes);
        let says_cpus = tasks.is_some() || self.cpus_per_task.is_some();
        let cpus = says_cpus.then(|| tasks_or_nodes.saturating_mul(self.cpus_per_task.unwrap_or(1)));
        let by_node = self.memory_per_node_mebibytes.map(|memory| memory.saturating_mul(u64::from(nodes)));
        let by_cpu = self
            .memory_per_cpu_mebibytes
            .map(|memory| memory.saturating_mul(u64::from(cpus.unwrap_or(tasks_or_nodes))));
        HypotheticalQuestion {
            partition: self.partition.clone(),
            nodes: asked_nodes,
            cpus,
            // Zero is all there is on the nodes: no number says that.
            memory_mebibytes: by_node.or(by_cpu).filter(|memory| *memory > 0),
            gpus: self
                .gpus
                .or_else(|| self.gpus_per_node.map(|gpus| gpus.saturating_mul(nodes)))
                .or_else(|| self.gpus_per_task.map(|gpus| gpus.saturating_mul(tasks_or_nodes))),
            exclusive: self.exclusive,
            limit_seconds: match self.limit {
                Some(Limit::Minutes(minutes)) => Some(60 * i64::from(minutes)),
                Some(Limit::Unlimited) | None => None,
            },
            begin: self.begin.map(|begin| begin.unix(now, zone)),
            account: self.account.clone(),
            qos: self.qos.clone(),
            user,
            name: self.name.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(words: &str) -> HypotheticalQuestion {
        let mut asked = Asked::default();
        let mut words = words.split(' ').map(str::to_owned).peekable();
        while let Some(word) = words.next() {
            asked.take(&word, &mut words).expect("understood");
        }
        asked.question(None, 0, &Zone::UTC)
    }

    #[test]
    fn numbers_by_node_task_and_cpu_become_totals() {
        let job = asked("-N 4 --ntasks-per-node=8 -c 2 --mem=10G --gpus-per-node a100:2 -t 1-0 -e err -D /tmp");
        assert_eq!((job.nodes, job.cpus, job.memory_mebibytes, job.gpus), (Some(4), Some(64), Some(40_960), Some(8)));
        assert_eq!(job.limit_seconds, Some(86_400));
        let job = asked("-n 16 --mem-per-cpu=2G --gres=gpu:1 -t UNLIMITED");
        assert_eq!((job.nodes, job.cpus, job.memory_mebibytes, job.gpus), (None, Some(16), Some(32_768), Some(1)));
        assert_eq!(job.limit_seconds, None);
        let job = asked("-N2 -c4 --gpus-per-task=1 --mem=0 --exclusive -b now+60");
        assert_eq!((job.cpus, job.memory_mebibytes, job.gpus), (Some(8), None, Some(2)));
        assert_eq!((job.exclusive, job.begin), (true, Some(60)));
        assert_eq!(asked("-N 3").cpus, None, "left to Slurm");
        assert_eq!(asked("-N 4 -n 3").nodes, Some(3), "sbatch takes no more nodes than tasks");
        let most = asked("-N 4294967295 -n 4294967295 -c 4294967295 --mem-per-cpu 9999999999999T");
        assert_eq!(most.cpus, Some(u32::MAX));
    }

    #[test]
    fn what_comes_later_counts() {
        assert_eq!(asked("-N 4 --nodes=2").nodes, Some(2));
        assert_eq!(asked("-p a -p b").partition.as_deref(), Some("b"));
    }
}

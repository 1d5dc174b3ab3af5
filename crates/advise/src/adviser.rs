//! Who gives advice: what can be asked of whoever knows the queue of the moment.

use std::sync::Arc;

use queuecast_forecast::estimate::{JobForecast, NoForecast, TimeRange};
use queuecast_forecast::queue::{Patience, Threads};
use queuecast_workload::{Seconds, Time};

use crate::advice::{LimitAdvice, Place, SizeAdvice, SizeQuestion, Subject, TableCell, TableRequest, TableRow, Why};
use crate::request::{ArrayAsked, Layout, Naming};

/// Forecasts jobs that do not exist, and what would be different about those that do.
pub trait Adviser: Send + Sync {
    /// The same adviser with so much patience, who plays on these threads. What it says once patience is over is worth nothing, and is to be thrown away.
    fn within(self: Arc<Self>, patience: Patience, threads: Threads) -> Arc<dyn Adviser>;

    /// What would be said of it if it were submitted now.
    fn forecast(&self, job: &HypotheticalJob) -> JobForecast;

    /// Which limits it could ask for, what each risks and what it buys.
    fn limits(&self, subject: &Subject) -> Result<LimitAdvice, NoForecast>;

    /// What would be said of it in each partition that takes jobs.
    fn places(&self, job: &HypotheticalJob) -> Vec<Place>;

    /// What would be said of it on other widths.
    fn widths(&self, job: &HypotheticalJob, question: &SizeQuestion) -> Result<SizeAdvice, NoForecast>;

    /// The partitions that take jobs, the default one first.
    fn partitions(&self) -> Vec<&str> {
        Vec::new()
    }

    /// What would be said of it with each of these. Whoever can find them together does so quicker than one by one.
    fn table(&self, job: &HypotheticalJob, question: &TableRequest) -> Result<Vec<TableRow>, NoForecast> {
        let row = |job: &HypotheticalJob, nodes: u32| {
            let cell =
                |limit: &Seconds| TableCell { limit: *limit, forecast: self.forecast(&job.sized(nodes, *limit)) };
            TableRow::of(job, nodes, question.limits.iter().map(cell).collect())
        };
        let choices = question.choices(job, &self.partitions());
        Ok(choices.iter().flat_map(|job| question.nodes.iter().map(|nodes| row(job, *nodes))).collect())
    }

    /// What holds a waiting job, by Slurm's own number, and what would help.
    fn why(&self, job_id: u64) -> Result<Why, NoForecast>;

    /// What of a job that does not exist has no part in what is said of it, by the names that the interface has for it.
    fn not_modelled(&self, _job: &HypotheticalJob) -> Vec<&'static str> {
        Vec::new()
    }
}

/// A job that somebody thinks of submitting. What is left out is what Slurm would take.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HypotheticalJob {
    /// The partition; `None` for the default one. Several have commas between them: it starts in whichever lets it first.
    pub partition: Option<String>,
    /// Nodes; of a range, the least.
    pub nodes: Option<u32>,
    /// CPUs in all.
    pub cpus: Option<u32>,
    /// Memory in all.
    pub memory_mebibytes: Option<u64>,
    /// GPUs in all.
    pub gpus: Option<u32>,
    /// Whether it wants whole nodes.
    pub exclusive: bool,
    /// The limit.
    pub limit: Option<Seconds>,
    /// Not before this time.
    pub begin: Option<Time>,
    /// The account it would be charged to.
    pub account: Option<String>,
    /// The quality of service.
    pub qos: Option<String>,
    /// Whose job: run times are guessed from what this user's jobs did.
    pub user: Option<String>,
    /// Its name, for the same reason.
    pub name: Option<String>,
    /// Whether its nodes are for its own user alone (`--exclusive=user`).
    pub exclusive_user: bool,
    /// How it is laid out over nodes.
    pub layout: Layout,
    /// Which nodes, and what else it names.
    pub naming: Naming,
    /// Whether it is an array.
    pub array: Option<ArrayAsked>,
    /// When what it depends on will have happened, where that is known.
    pub after: Option<TimeRange>,
}

impl HypotheticalJob {
    /// The partitions it names; empty for the default one.
    pub fn partitions(&self) -> Vec<&str> {
        let named = self.partition.iter().flat_map(|names| names.split(','));
        named.map(str::trim).filter(|name| !name.is_empty()).collect()
    }

    /// CPUs in all, as sbatch counts them: tasks by CPUs, and a task of one CPU on each node where nothing is said.
    pub fn processors(&self) -> u32 {
        let Layout { tasks, tasks_per_node, cpus_per_task, .. } = self.layout;
        let nodes = self.nodes.unwrap_or(1);
        let tasks = tasks.or(tasks_per_node.map(|tasks| nodes.saturating_mul(tasks)));
        let all = match (tasks, cpus_per_task) {
            (None, None) => self.cpus.unwrap_or(nodes),
            (tasks, cpus) => tasks.unwrap_or(nodes).saturating_mul(cpus.unwrap_or(1)),
        };
        all.max(1)
    }

    /// The same job on so many nodes, with this limit.
    #[must_use]
    pub fn sized(&self, nodes: u32, limit: Seconds) -> Self {
        Self { nodes: Some(nodes), limit: Some(limit), ..self.clone() }
    }

    /// The same job in this partition alone.
    #[must_use]
    pub fn in_partition(&self, name: &str) -> Self {
        Self { partition: Some(name.to_owned()), ..self.clone() }
    }

    /// The same job with so many GPUs in all.
    #[must_use]
    pub fn with_gpus(&self, gpus: u32) -> Self {
        Self { gpus: Some(gpus).filter(|gpus| *gpus > 0), ..self.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cpus_are_counted_by_tasks_where_those_are_said() {
        let of = |nodes, cpus, tasks, tasks_per_node, cpus_per_task| {
            let layout = Layout { tasks, tasks_per_node, cpus_per_task, ..Layout::default() };
            HypotheticalJob { nodes, cpus, layout, ..HypotheticalJob::default() }.processors()
        };
        assert_eq!(of(None, None, None, None, None), 1);
        assert_eq!(of(Some(8), None, None, None, None), 8);
        assert_eq!(of(Some(8), Some(100), None, None, None), 100);
        assert_eq!(of(Some(8), None, None, Some(16), None), 128);
        assert_eq!(of(Some(8), None, None, Some(2), Some(8)), 128);
        assert_eq!(of(Some(8), None, Some(20), Some(16), None), 20);
        assert_eq!(of(Some(8), Some(100), None, None, Some(4)), 32, "as sbatch would: a task on each node");
    }
}

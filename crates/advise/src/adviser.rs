//! Who gives advice: what can be asked of whoever knows the queue of the moment.

use queuecast_forecast::estimate::{JobForecast, NoEstimate};
use queuecast_workload::{Seconds, Time};

use crate::advice::{LimitAdvice, Place, SizeAdvice, SizeQuestion, Subject, Why};

/// Forecasts jobs that do not exist, and what would be different about those that do.
pub trait Adviser: Send + Sync {
    /// What would be said of it if it were submitted now.
    fn forecast(&self, job: &HypotheticalJob) -> JobForecast;

    /// Which limits it could ask for, what each risks and what it buys.
    fn limits(&self, subject: &Subject) -> Result<LimitAdvice, NoEstimate>;

    /// What would be said of it in each partition that takes jobs.
    fn places(&self, job: &HypotheticalJob) -> Vec<Place>;

    /// What would be said of it on other widths.
    fn widths(&self, job: &HypotheticalJob, question: &SizeQuestion) -> Result<SizeAdvice, NoEstimate>;

    /// What holds a waiting job, by Slurm's own number, and what would help.
    fn why(&self, job_id: u64) -> Result<Why, NoEstimate>;
}

/// A job that somebody thinks of submitting. What is left out is what Slurm would take.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HypotheticalJob {
    /// The partition; `None` for the default one.
    pub partition: Option<String>,
    /// Nodes.
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
}

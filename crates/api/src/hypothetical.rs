//! A job that somebody thinks of submitting, as it is asked about.
//!
//! For: refusing what is not understood by name, so that nobody takes an answer for one to another question.
//!
//! Not for: reading job scripts (`qcast when`).

use queuecast_workload::{Seconds, Time};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::dependency::Dependencies;
use super::problem::Refusal;
use super::request::{ArrayRequest, GresRequest};

/// Names longer than Slurm's own are no names.
const LONGEST_NAME: usize = 1_024;
/// Lists of nodes, features and dependencies may be longer.
const LONGEST_LIST: usize = 16_384;
/// More kinds of generic resources than a cluster has.
const GRES_MOST: usize = 64;

/// A hypothetical job. Fields that are left out get Slurm's defaults. `nodes`, `cpus`, `memory_mebibytes` and `gpus` are totals; fields
/// such as `tasks_per_node` describe the layout over the nodes, as given to sbatch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
#[schema(example = json!({ "partition": "batch", "nodes": 4, "limit_seconds": 7200 }))]
pub struct HypotheticalRequest {
    /// Partition, or several separated by commas: the job starts in the first partition that allows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partition: Option<String>,
    /// Number of nodes; the minimum, for a range.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1)]
    pub nodes: Option<u32>,
    /// Maximum number of nodes, for a range.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1)]
    pub nodes_max: Option<u32>,
    /// Total number of CPUs.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1)]
    pub cpus: Option<u32>,
    /// Total memory in MiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_mebibytes: Option<u64>,
    /// Total number of GPUs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gpus: Option<u32>,
    /// Whether the job needs whole nodes.
    pub exclusive: bool,
    /// Time limit in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1)]
    pub limit_seconds: Option<i64>,
    /// Earliest start, in seconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub begin: Option<i64>,
    /// Account to charge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account: Option<String>,
    /// QOS.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub qos: Option<String>,
    /// User of the job; run times are predicted from the past jobs of this user. Default: the requesting user.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// Name of the job; run times are predicted from past jobs of this name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Total number of tasks.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1)]
    pub tasks: Option<u32>,
    /// Number of tasks per node.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1)]
    pub tasks_per_node: Option<u32>,
    /// Number of CPUs per task.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1)]
    pub cpus_per_task: Option<u32>,
    /// Memory per node in MiB; 0 for all memory of the node. Set at most one of this field and the next two.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_per_node_mebibytes: Option<u64>,
    /// Memory per CPU in MiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_per_cpu_mebibytes: Option<u64>,
    /// Memory per GPU in MiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_per_gpu_mebibytes: Option<u64>,
    /// GPUs and other generic resources, as requested.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gres: Vec<GresRequest>,
    /// Whether only jobs of the same user may share the nodes.
    #[serde(skip_serializing_if = "is_false")]
    pub exclusive_user: bool,
    /// Features that the nodes must have, as for `sbatch -C`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub constraint: Option<String>,
    /// Nodes that the job must have, as Slurm abbreviates them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodelist: Option<String>,
    /// Nodes that the job must not have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exclude: Option<String>,
    /// Dependency, as for `sbatch -d`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "afterok:123:124")]
    pub dependency: Option<String>,
    /// Reservation in which the job would run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reservation: Option<String>,
    /// Licences that the job needs, as for `sbatch -L`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub licenses: Option<String>,
    /// Job array, if the job is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub array: Option<ArrayRequest>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands references out")]
fn is_false(flag: &bool) -> bool {
    !flag
}

impl HypotheticalRequest {
    /// Whether there can be such a job.
    pub fn check(&self) -> Result<(), Refusal> {
        self.check_names()?;
        self.check_amounts()?;
        if self.limit_seconds.is_some_and(|limit| !(1..=Seconds::MAX.0).contains(&limit)) {
            return refused("limit_seconds", "not a valid duration in seconds");
        }
        if self.begin.is_some_and(|begin| !(0..=Time::MAX.0).contains(&begin)) {
            return refused("begin", "not a time in seconds since 1970");
        }
        if let Some(dependency) = &self.dependency {
            Dependencies::parse(dependency)?;
        }
        Ok(())
    }

    fn check_names(&self) -> Result<(), Refusal> {
        for (field, name) in [
            ("partition", &self.partition),
            ("account", &self.account),
            ("qos", &self.qos),
            ("user", &self.user),
            ("name", &self.name),
            ("reservation", &self.reservation),
        ] {
            if name.as_ref().is_some_and(|name| name.len() > LONGEST_NAME) {
                return refused(field, "longer than 1,024 bytes");
            }
        }
        for (field, list) in [
            ("constraint", &self.constraint),
            ("nodelist", &self.nodelist),
            ("exclude", &self.exclude),
            ("dependency", &self.dependency),
            ("licenses", &self.licenses),
        ] {
            if list.as_ref().is_some_and(|list| list.len() > LONGEST_LIST) {
                return refused(field, "longer than 16,384 bytes");
            }
            if list.as_ref().is_some_and(|list| list.trim().is_empty()) {
                return refused(field, "empty");
            }
        }
        if self.partition.as_ref().is_some_and(|names| names.split(',').any(|name| name.trim().is_empty())) {
            return refused("partition", "a list with an empty name");
        }
        if self.constraint.as_ref().is_some_and(|features| !closes_what_it_opens(features)) {
            return refused("constraint", "unbalanced in its brackets");
        }
        Ok(())
    }

    fn check_amounts(&self) -> Result<(), Refusal> {
        for (field, count) in [
            ("nodes", self.nodes),
            ("nodes_max", self.nodes_max),
            ("cpus", self.cpus),
            ("tasks", self.tasks),
            ("tasks_per_node", self.tasks_per_node),
            ("cpus_per_task", self.cpus_per_task),
            ("array.tasks", self.array.map(|array| array.tasks)),
            ("array.at_once", self.array.and_then(|array| array.at_once)),
        ] {
            if count == Some(0) {
                return refused(field, "zero");
            }
        }
        if self.nodes_max.is_some_and(|most| most < self.nodes.unwrap_or(1)) {
            return refused("nodes_max", "less than `nodes`");
        }
        let memory = [self.memory_per_node_mebibytes, self.memory_per_cpu_mebibytes, self.memory_per_gpu_mebibytes];
        if memory.iter().flatten().count() > 1 {
            return refused("memory_per_...", "given more than once (per node, CPU or GPU), which sbatch rejects");
        }
        if self.gres.len() > GRES_MOST || self.gres.iter().any(|gres| gres.count == 0 || gres.name.is_empty()) {
            return refused("gres", "longer than 64 entries, or has an entry without a count or a name");
        }
        if self.gres.iter().any(|gres| gres.name.len() + gres.model.as_ref().map_or(0, String::len) > LONGEST_NAME) {
            return refused("gres", "a list with a name longer than 1,024 bytes");
        }
        Ok(())
    }
}

fn refused(field: &str, what: &str) -> Result<(), Refusal> {
    Err(Refusal {
        message: format!("`{field}` is {what}"),
        hint: "correct the field, or leave the field out to use Slurm's default".to_owned(),
    })
}

/// Whether every bracket has its other half.
fn closes_what_it_opens(features: &str) -> bool {
    let mut open = Vec::new();
    for letter in features.chars() {
        match letter {
            '(' | '[' => open.push(letter),
            ')' if open.pop() != Some('(') => return false,
            ']' if open.pop() != Some('[') => return false,
            _ => {}
        }
    }
    open.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_sbatch_would_refuse_is_refused_by_name() {
        let refused = |change: &dyn Fn(&mut HypotheticalRequest)| {
            let mut job = HypotheticalRequest::default();
            change(&mut job);
            job.check().expect_err("refused").message
        };
        assert!(refused(&|job| (job.nodes, job.nodes_max) = (Some(4), Some(2))).contains("nodes_max"));
        assert!(refused(&|job| job.partition = Some("a,,b".to_owned())).contains("partition"));
        assert!(refused(&|job| job.constraint = Some("(a|b".to_owned())).contains("constraint"));
        assert!(refused(&|job| job.dependency = Some("afterwards:1".to_owned())).contains("dependency"));
        assert!(refused(&|job| job.nodelist = Some(" ".to_owned())).contains("nodelist"));
        assert!(refused(&|job| job.array = Some(ArrayRequest { tasks: 3, at_once: Some(0) })).contains("at_once"));
        let two = refused(&|job| (job.memory_per_node_mebibytes, job.memory_per_cpu_mebibytes) = (Some(1), Some(1)));
        assert!(two.contains("memory"), "{two}");
    }
}

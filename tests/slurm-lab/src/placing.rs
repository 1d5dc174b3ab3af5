//! To which of several clusters a job is sent.
//!
//! For: the same stream of jobs under different rules.
//!
//! Not for: judging them (`crates/cli/examples/two_clusters`).

use std::fmt;
use std::str::FromStr;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::daemon::Daemon;
use crate::jobs::JobNumber;
use crate::lab::Lab;
use crate::replay::ReplayJob;

/// How a cluster is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Everybody has a cluster of their own and stays there, as people do; a cluster has as large a share of the users as it has of
    /// the nodes.
    Static,
    /// `sbatch -M` with all clusters: where Slurm's own estimate has it start first.
    Slurm,
    /// Where `qcast where` has it end first.
    Where,
}

impl FromStr for Rule {
    type Err = anyhow::Error;

    fn from_str(name: &str) -> Result<Self> {
        match name {
            "static" => Ok(Self::Static),
            "slurm" => Ok(Self::Slurm),
            "where" => Ok(Self::Where),
            _ => bail!("{name} is no rule: static, slurm or where"),
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Self::Static => "static",
            Self::Slurm => "slurm",
            Self::Where => "where",
        })
    }
}

/// A rule at work in a lab.
#[derive(Clone, Copy, Debug)]
pub struct Placing<'lab> {
    /// The lab.
    pub lab: &'lab Lab,
    /// The rule.
    pub rule: Rule,
    /// The daemons, one a cluster; only `Where` asks them.
    pub daemons: &'lab [Daemon],
}

/// A job that was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    /// Where it is.
    pub cluster: String,
    /// What it is called there.
    pub number: JobNumber,
    /// Whether the rule had nothing to say, and its user's own cluster was taken.
    pub by_default: bool,
}

impl Placing<'_> {
    /// Sends a job where the rule says.
    pub fn submit(&self, job: &ReplayJob) -> Result<Placed> {
        let all: Vec<&str> = self.lab.settings().clusters.iter().map(|cluster| cluster.name.as_str()).collect();
        let chosen = match self.rule {
            Rule::Static => None,
            Rule::Slurm => Some(all.clone()),
            Rule::Where => self.where_it_ends_first(job)?.map(|cluster| vec![cluster]),
        };
        let by_default = chosen.is_none() && self.rule != Rule::Static;
        let chosen = chosen.unwrap_or_else(|| vec![self.own_cluster(job)]);
        let user = self.lab.user_of(job);
        let (cluster, number) = self.lab.first_cluster().submit_to(&chosen, &user, job.submission())?;
        Ok(Placed { cluster, number, by_default })
    }

    /// The cluster of a job's user.
    fn own_cluster(&self, job: &ReplayJob) -> &str {
        let clusters = &self.lab.settings().clusters;
        let sizes: Vec<u32> = clusters.iter().map(|cluster| u32::from(cluster.nodes)).collect();
        &clusters[dealt(job.user, &sizes)].name
    }

    /// The cluster that `qcast where` names first, if it has anything to say of any.
    fn where_it_ends_first(&self, job: &ReplayJob) -> Result<Option<&str>> {
        let Some(first) = self.daemons.first() else { return Ok(None) };
        let mut command = first.command("where");
        for daemon in self.daemons {
            command.arg("--cluster-at").arg(format!("{}={}", daemon.cluster(), daemon.socket().display()));
        }
        command.args(["-M", "all", "--format", "json", "--exclusive", "-J", "sbatch"]);
        command.args(["-N", &job.nodes.to_string(), "-t", &job.limit_minutes.to_string()]);
        command.args(["--user", &self.lab.user_of(job)]);
        let output = command.output().context("asking qcast where a job ends first")?;
        let answer: Value = serde_json::from_slice(&output.stdout).with_context(|| {
            format!("what qcast where says is not JSON: {}", String::from_utf8_lossy(&output.stderr))
        })?;
        let place = &answer["partitions"][0];
        let named = place["cluster"].as_str().filter(|_| place["forecast"]["completion"].is_object());
        Ok(named.and_then(|named| self.daemons.iter().map(Daemon::cluster).find(|cluster| *cluster == named)))
    }
}

/// Deals users over clusters so that each cluster has its share of them.
fn dealt(user: u32, sizes: &[u32]) -> usize {
    let common = sizes.iter().copied().fold(0, greatest_common_divisor).max(1);
    let mut place = (user.max(1) - 1) % (sizes.iter().sum::<u32>() / common).max(1);
    let found = sizes.iter().position(|size| {
        let is_here = place < size / common;
        place = place.saturating_sub(size / common);
        is_here
    });
    found.unwrap_or(0)
}

fn greatest_common_divisor(one: u32, other: u32) -> u32 {
    if other == 0 { one } else { greatest_common_divisor(other, one % other) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn users_are_dealt_by_the_sizes_of_the_clusters_and_stay() {
        let dealt_to: Vec<usize> = (1..=7).map(|user| dealt(user, &[96, 48])).collect();
        assert_eq!(dealt_to, [0, 0, 1, 0, 0, 1, 0]);
        assert_eq!((1..=4).map(|user| dealt(user, &[16])).max(), Some(0));
    }

    #[test]
    fn a_rule_is_read_by_its_name() {
        for rule in [Rule::Static, Rule::Slurm, Rule::Where] {
            assert_eq!(rule.to_string().parse::<Rule>().unwrap(), rule);
        }
        assert!("elsewhere".parse::<Rule>().is_err());
    }
}

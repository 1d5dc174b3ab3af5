//! Whose jobs make way for whose.
//!
//! For: classes of jobs that may be put out, and for each job the classes it may put out. By quality of service, as each one lists
//! them; or by partition, a higher tier before a lower one.
//!
//! Simplified: who is put out goes at once, without grace, and is not left alone for a while after it started; suspended jobs are
//! taken for requeued ones.
//!
//! Source: slurm.conf(5) `PreemptType`, `PreemptMode`; sacctmgr(1) `Preempt`.

use queuecast_records::{ClusterConfiguration, JobRecord, PartitionRecord, PreemptionKind, QosRecord};

/// As many classes as the core tells apart.
const CLASSES: usize = 32;

/// Who may put out whom.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Preemption {
    by: By,
    /// Whether who is put out waits again.
    pub requeues: bool,
}

#[derive(Clone, Debug, Default, PartialEq)]
enum By {
    #[default]
    Nobody,
    /// Names of those who may be put out, and for each name the classes it may put out.
    Qos { classes: Vec<String>, may: Vec<(String, u32)> },
    /// Partitions whose jobs may be put out, with their tiers; and the tier of every partition.
    Tier { classes: Vec<(String, u64)>, tiers: Vec<(String, u64)> },
}

impl Preemption {
    /// As the site has set it.
    pub fn of(configuration: Option<&ClusterConfiguration>, partitions: &[PartitionRecord], qos: &[QosRecord]) -> Self {
        let Some(set) = configuration.map(|configuration| &configuration.preemption) else { return Self::default() };
        let modes: Vec<String> = set.mode.iter().map(|mode| mode.to_ascii_uppercase()).collect();
        let is_off = |modes: &[String]| modes.iter().any(|mode| mode == "OFF");
        let by = match set.kind {
            PreemptionKind::None => By::Nobody,
            PreemptionKind::Qos => {
                let weak = |record: &&QosRecord| {
                    qos.iter().any(|other| other.preempts.contains(&record.name)) && !is_off(&record.preempt_modes)
                };
                let classes: Vec<String> =
                    qos.iter().filter(weak).map(|record| record.name.clone()).take(CLASSES).collect();
                let may = |record: &QosRecord| {
                    (0..classes.len()).filter(|class| record.preempts.contains(&classes[*class])).fold(0, bit)
                };
                By::Qos { may: qos.iter().map(|record| (record.name.clone(), may(record))).collect(), classes }
            }
            PreemptionKind::Partition => {
                let tiers: Vec<(String, u64)> =
                    partitions.iter().map(|partition| (partition.name.clone(), partition.priority_tier)).collect();
                let highest = tiers.iter().map(|(_, tier)| *tier).max().unwrap_or(0);
                let weak = |partition: &&PartitionRecord| {
                    partition.priority_tier < highest && !is_off(&partition.preempt_modes)
                };
                let classes = partitions.iter().filter(weak).take(CLASSES);
                let classes = classes.map(|partition| (partition.name.clone(), partition.priority_tier)).collect();
                By::Tier { classes, tiers }
            }
        };
        Self { by, requeues: !modes.iter().any(|mode| mode == "CANCEL") }
    }

    /// The class a job is in when it runs.
    pub fn class(&self, job: &JobRecord) -> Option<u8> {
        let partition = job.partitions.first().map_or("", String::as_str);
        let place = match &self.by {
            By::Nobody => None,
            By::Qos { classes, .. } => classes.iter().position(|name| *name == job.qos),
            By::Tier { classes, .. } => classes.iter().position(|(name, _)| *name == partition),
        };
        place.and_then(|place| u8::try_from(place).ok())
    }

    /// The classes that a job of this quality of service in this partition may put out.
    pub fn may_put_out(&self, qos: &str, partition: &str) -> u32 {
        match &self.by {
            By::Nobody => 0,
            By::Qos { may, .. } => may.iter().find(|(name, _)| name == qos).map_or(0, |(_, classes)| *classes),
            By::Tier { classes, tiers } => {
                let own = tiers.iter().find(|(name, _)| name == partition).map_or(0, |(_, tier)| *tier);
                (0..classes.len()).filter(|class| classes[*class].1 < own).fold(0, bit)
            }
        }
    }
}

fn bit(set: u32, class: usize) -> u32 {
    set | 1 << class
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::test_cluster::{configuration, partition, waiting};

    #[test]
    fn a_quality_of_service_puts_out_those_it_lists() {
        let mut settings = configuration();
        settings.preemption.kind = PreemptionKind::Qos;
        settings.preemption.mode = vec!["REQUEUE".to_owned()];
        let qos = |name: &str, preempts: &[&str]| QosRecord {
            name: name.to_owned(),
            preempts: preempts.iter().map(|name| (*name).to_owned()).collect(),
            ..QosRecord::default()
        };
        let all = [qos("normal", &["scavenger"]), qos("scavenger", &[]), qos("high", &["scavenger", "normal"])];
        let preemption = Preemption::of(Some(&settings), &[], &all);
        let mut job = waiting(1, 1);
        let mut class = |name: &str| {
            job.qos = name.to_owned();
            preemption.class(&job)
        };
        assert_eq!((class("normal"), class("scavenger"), class("high")), (Some(0), Some(1), None));
        let may = |name: &str| preemption.may_put_out(name, "batch");
        assert_eq!((may("high"), may("normal"), may("scavenger"), may("none")), (0b11, 0b10, 0, 0));
        assert!(preemption.requeues);
    }

    #[test]
    fn a_higher_tier_puts_out_a_lower_one_that_may_be() {
        let mut settings = configuration();
        settings.preemption.kind = PreemptionKind::Partition;
        settings.preemption.mode = vec!["CANCEL".to_owned()];
        let tier = |name: &str, priority_tier: u64, mode: &str| PartitionRecord {
            priority_tier,
            preempt_modes: vec![mode.to_owned()],
            ..partition(name)
        };
        let all = [tier("low", 1, "CANCEL"), tier("safe", 1, "OFF"), tier("high", 5, "CANCEL")];
        let preemption = Preemption::of(Some(&settings), &all, &[]);
        assert_eq!((preemption.may_put_out("", "high"), preemption.may_put_out("", "safe")), (1, 0));
        assert!(!preemption.requeues);
    }
}

//! Which limits a cluster holds its jobs to (`AccountingStorageEnforce`), and whose jobs make way for whose.
//!
//! For: knowing whether limits of accounting count at all; who preempts whom, and what becomes of the preempted.
//!
//! Not for: the limits themselves ([`super::QosRecord`], [`super::AssociationRecord`]); what a partition or a quality of
//! service says otherwise.
//!
//! Source: slurm.conf(5) of 22.05, `AccountingStorageEnforce`, `EnforcePartLimits`, `PreemptType`, `PreemptMode`, `PreemptExemptTime`.

use queuecast_workload::Seconds;

/// What is enforced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "Slurm's own words, each by itself")]
pub struct Enforcement {
    /// Nobody submits without an association.
    pub associations: bool,
    /// Limits of associations and qualities of service count. Implies `associations`.
    pub limits: bool,
    /// Jobs are not kept in accounting.
    pub no_jobs: bool,
    /// Steps are not kept in accounting.
    pub no_steps: bool,
    /// Nobody submits with a quality of service that the association does not have. Implies `associations`.
    pub qos: bool,
    /// No job starts that could not end within its limits in minutes. Implies `associations` and `limits`.
    pub safe: bool,
    /// Nobody submits with a key that is not theirs. Implies `associations`.
    pub wckeys: bool,
}

impl Enforcement {
    /// What Slurm's words say, in any case, with what they imply. `all` is everything but `nojobs` and `nosteps`.
    pub fn of(text: &str) -> Self {
        let mut enforced = Self::default();
        for word in text.split(',') {
            match word.trim().to_ascii_lowercase().as_str() {
                "associations" => enforced.associations = true,
                "limits" => enforced.limits = true,
                "nojobs" => (enforced.no_jobs, enforced.no_steps) = (true, true),
                "nosteps" => enforced.no_steps = true,
                "qos" => enforced.qos = true,
                "safe" => enforced.safe = true,
                "wckeys" => enforced.wckeys = true,
                "all" => {
                    (enforced.associations, enforced.limits, enforced.qos) = (true, true, true);
                    (enforced.safe, enforced.wckeys) = (true, true);
                }
                _ => {}
            }
        }
        enforced.limits |= enforced.safe;
        enforced.associations |= enforced.limits || enforced.qos || enforced.wckeys;
        enforced
    }
}

/// What becomes of a job that asks for more than its partitions allow (`EnforcePartLimits`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PartitionLimits {
    /// It is taken, and waits until its partition is changed.
    #[default]
    NotAtSubmission,
    /// It is refused unless one of its partitions would take it.
    ByAny,
    /// It is refused unless all of them would.
    ByAll,
}

impl PartitionLimits {
    /// Slurm's word, in any case.
    pub fn of(word: &str) -> Self {
        match word.trim().to_ascii_uppercase().as_str() {
            "ANY" => Self::ByAny,
            "ALL" | "YES" => Self::ByAll,
            _ => Self::NotAtSubmission,
        }
    }
}

/// Who may preempt whom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PreemptionKind {
    /// Nobody.
    #[default]
    None,
    /// Jobs of a partition of a higher tier those of a lower (`preempt/partition_prio`).
    Partition,
    /// Jobs of a quality of service those it names (`preempt/qos`).
    Qos,
}

/// Preemption as the cluster is set up for it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PreemptionConfiguration {
    /// Who preempts whom.
    pub kind: PreemptionKind,
    /// What becomes of the preempted, in capitals: `REQUEUE`, `CANCEL`, `SUSPEND`, `GANG`, `OFF`.
    pub mode: Vec<String>,
    /// For how long a job that has started is left alone; `None`: not at all.
    pub exempt: Option<Seconds>,
}

impl PreemptionConfiguration {
    /// What `PreemptType` and `PreemptMode` say.
    pub fn of(kind: &str, mode: &str, exempt: Option<Seconds>) -> Self {
        let kind = match kind {
            "preempt/partition_prio" => PreemptionKind::Partition,
            "preempt/qos" => PreemptionKind::Qos,
            _ => PreemptionKind::None,
        };
        let words = mode.split(',').map(str::trim).filter(|word| !word.is_empty());
        Self { kind, mode: words.map(str::to_ascii_uppercase).collect(), exempt }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_brings_what_it_implies() {
        let limits = Enforcement::of("limits,qos");
        assert!(limits.associations && limits.limits && limits.qos && !limits.safe && !limits.no_jobs);
        let safe = Enforcement::of("safe");
        assert!(safe.associations && safe.limits && safe.safe && !safe.qos);
        let all = Enforcement::of("ALL");
        assert!(all.safe && all.wckeys && all.qos && !all.no_steps);
        assert_eq!(Enforcement::of("none"), Enforcement::default());
        assert_eq!(Enforcement::of(""), Enforcement::default());
    }

    #[test]
    fn limits_of_partitions_count_at_submission_only_where_it_is_said() {
        let of = PartitionLimits::of;
        assert_eq!(
            (of("ALL"), of("yes"), of("Any")),
            (PartitionLimits::ByAll, PartitionLimits::ByAll, PartitionLimits::ByAny)
        );
        assert_eq!((of("NO"), of("")), (PartitionLimits::NotAtSubmission, PartitionLimits::NotAtSubmission));
    }

    #[test]
    fn preemption_is_by_partition_by_quality_of_service_or_not_at_all() {
        let preemption = PreemptionConfiguration::of("preempt/qos", "gang,suspend", None);
        assert_eq!((preemption.kind, preemption.mode.join("+")), (PreemptionKind::Qos, "GANG+SUSPEND".to_owned()));
        assert_eq!(PreemptionConfiguration::of("preempt/none", "", None), PreemptionConfiguration::default());
    }
}

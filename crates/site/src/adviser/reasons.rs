//! Why Slurm says a job waits, in plain words: one table.
//!
//! For: naming a throttle, a limit of a QOS or of an association as what holds a job, whatever else does.
//!
//! Not for: whether the job can be forecast (`cluster::reasons`).
//!
//! Source: Slurm's `job_state_reason.c` of 26.05, and squeue(1), "JOB REASON CODES". Names of limits are put together from whose limit
//! it is, of what, and by what it is counted, so that they are taken apart in the same way.

/// What kind of thing holds a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReasonKind {
    /// Others stand before it.
    Queue,
    /// Its nodes are not free.
    Resources,
    /// Its array's own throttle.
    ArrayLimit,
    /// A limit of its quality of service.
    QosLimit,
    /// A limit of its account or user.
    AssociationLimit,
    /// What its partition takes.
    Partition,
    /// Another job.
    Dependency,
    /// Its own begin.
    Begin,
    /// Somebody holds it.
    Hold,
    /// A reservation.
    Reservation,
    /// Licences.
    Licences,
    /// It asks for what it may not have.
    NotAllowed,
    /// Something else.
    Other,
}

/// Why a job waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReasonInWords {
    /// What kind of thing it is.
    pub kind: ReasonKind,
    /// A sentence without its end.
    pub words: String,
}

/// Words that mean one thing each.
#[rustfmt::skip]
const WORDS: &[(&str, ReasonKind, &str)] = &[
    ("Priority", ReasonKind::Queue, "jobs with a higher priority stand before it"),
    ("Resources", ReasonKind::Resources, "it is at the head and waits for nodes to become free"),
    ("SchedDefer", ReasonKind::Queue, "Slurm has not looked at it yet"),
    ("None", ReasonKind::Queue, "Slurm has not looked at it yet"),
    ("JobArrayTaskLimit", ReasonKind::ArrayLimit, "its array's own throttle (%): as many of its tasks run as may at once"),
    ("Dependency", ReasonKind::Dependency, "a job that it depends on is not over"),
    ("DependencyNeverSatisfied", ReasonKind::Dependency, "what it depends on can no longer happen"),
    ("BeginTime", ReasonKind::Begin, "it was told to begin later"),
    ("JobHeldUser", ReasonKind::Hold, "its user holds it"),
    ("JobHeldAdmin", ReasonKind::Hold, "an administrator holds it"),
    ("JobHoldMaxRequeue", ReasonKind::Hold, "it was requeued too often and is held"),
    ("Reservation", ReasonKind::Reservation, "its reservation has not begun, or is full"),
    ("ReservationDeleted", ReasonKind::Reservation, "its reservation is gone"),
    ("ReservationInvalid", ReasonKind::Reservation, "its reservation cannot be used"),
    ("ReqNodeNotAvail", ReasonKind::Reservation, "nodes that it needs are down, drained or reserved"),
    ("NodeDown", ReasonKind::Resources, "a node that it needs is down"),
    ("MaxPoweredUpNodes", ReasonKind::Resources, "as many nodes are powered up as may be"),
    ("Licenses", ReasonKind::Licences, "licences that it needs are in use"),
    ("PartitionNodeLimit", ReasonKind::Partition, "its partition does not take so many nodes, or so few"),
    ("PartitionTimeLimit", ReasonKind::Partition, "its limit is longer than its partition takes"),
    ("PartitionDown", ReasonKind::Partition, "its partition starts no jobs now"),
    ("PartitionInactive", ReasonKind::Partition, "its partition starts no jobs now"),
    ("PartitionConfig", ReasonKind::Partition, "its partition does not take what it asks for"),
    ("QOSJobLimit", ReasonKind::QosLimit, "its QOS's limit on jobs that run at once"),
    ("QOSResourceLimit", ReasonKind::QosLimit, "its QOS's limit on resources"),
    ("QOSTimeLimit", ReasonKind::QosLimit, "its QOS's limit on time"),
    ("QOSUsageThreshold", ReasonKind::QosLimit, "its QOS takes no jobs of those who have used so much"),
    ("AssociationJobLimit", ReasonKind::AssociationLimit, "its account's or user's limit on jobs that run at once"),
    ("AssociationResourceLimit", ReasonKind::AssociationLimit, "its account's or user's limit on resources"),
    ("AssociationTimeLimit", ReasonKind::AssociationLimit, "its account's or user's limit on time"),
    ("AccountingPolicy", ReasonKind::AssociationLimit, "a limit of accounting's"),
    ("AccountNotAllowed", ReasonKind::NotAllowed, "its partition does not take its account"),
    ("QOSNotAllowed", ReasonKind::NotAllowed, "its partition or account does not take its QOS"),
    ("InvalidAccount", ReasonKind::NotAllowed, "its account is none"),
    ("InvalidQOS", ReasonKind::NotAllowed, "its QOS is none"),
    ("BadConstraints", ReasonKind::NotAllowed, "no nodes have what it asks for"),
    ("Constraints", ReasonKind::Resources, "nodes with the features it asks for are not free"),
    ("MaxMemPerLimit", ReasonKind::NotAllowed, "it asks for more memory than one job may have"),
    ("DeadLine", ReasonKind::NotAllowed, "it can no longer end before its deadline"),
    ("BurstBufferResources", ReasonKind::Other, "there is no room in the burst buffer"),
    ("BurstBufferStageIn", ReasonKind::Other, "its data is brought to the burst buffer"),
    ("BurstBufferOperation", ReasonKind::Other, "the burst buffer works on it"),
    ("MpiPortsBusy", ReasonKind::Resources, "the ports it needs are in use"),
    ("Cleaning", ReasonKind::Other, "its last attempt is being cleaned up"),
    ("Prolog", ReasonKind::Other, "its prolog runs"),
    ("FedJobLock", ReasonKind::Other, "another cluster of the federation has it"),
];

/// What limits are of.
const WHAT: [(&str, &str); 14] = [
    ("submitjobs", "jobs submitted"),
    ("submitjob", "jobs submitted"),
    ("jobs", "jobs that run at once"),
    ("cpu", "CPUs"),
    ("memory", "memory"),
    ("mem", "memory"),
    ("node", "nodes"),
    ("gres", "GPUs and other generic resources"),
    ("license", "licences"),
    ("billing", "billing units"),
    ("energy", "energy"),
    ("bb", "burst buffers"),
    ("wallduration", "the time limit"),
    ("wall", "time used"),
];

/// Why a job waits, by Slurm's word for it; `None` for a word that is not known. What stands behind a comma or bracket is detail.
pub fn in_words(reason: &str) -> Option<ReasonInWords> {
    let word = reason.split([',', ' ', '(', ':']).next().unwrap_or(reason);
    if let Some((_, kind, words)) = WORDS.iter().find(|(known, ..)| *known == word) {
        return Some(ReasonInWords { kind: *kind, words: (*words).to_owned() });
    }
    limit(word)
}

/// A limit's name, taken apart.
fn limit(word: &str) -> Option<ReasonInWords> {
    let (kind, whose, rest) = if let Some(rest) = word.strip_prefix("QOS") {
        (ReasonKind::QosLimit, "its QOS's", rest)
    } else if let Some(rest) = word.strip_prefix("Assoc") {
        (ReasonKind::AssociationLimit, "its account's or user's", rest)
    } else if word.starts_with("Max") && (word.ends_with("PerAccount") || word.ends_with("PerUser")) {
        (ReasonKind::QosLimit, "its QOS's", word)
    } else {
        return None;
    };
    let rest = rest.strip_suffix("Limit").or(rest.strip_suffix("NotSatisfied")).unwrap_or(rest);
    if let Some(what) = rest.strip_prefix("Min") {
        let words = format!("{whose} least of {} for a job, which it does not ask for", of_what(what));
        return Some(ReasonInWords { kind: ReasonKind::NotAllowed, words });
    }
    let (what, of_whom) = match rest.strip_prefix("Grp") {
        Some(what) => (what, "of all its jobs together"),
        None => per(rest.strip_prefix("Max")?, kind),
    };
    Some(ReasonInWords { kind, words: format!("{whose} limit on {} {of_whom}", of_what(what)) })
}

fn per(what: &str, kind: ReasonKind) -> (&str, &'static str) {
    for (suffix, of_whom) in [
        ("PerJob", "of one job"),
        ("PerNode", "of one job on a node"),
        ("PerUser", "of one user"),
        ("PerAccount", "of one account"),
    ] {
        if let Some(what) = what.strip_suffix(suffix) {
            return (what, of_whom);
        }
    }
    (what, if kind == ReasonKind::AssociationLimit { "of one user" } else { "of one" })
}

fn of_what(name: &str) -> String {
    let name = name.to_ascii_lowercase();
    let (name, counted) = if let Some(name) = name.strip_suffix("runminutes").or(name.strip_suffix("runmins")) {
        (name, "-minutes that running jobs may still take")
    } else if let Some(name) = name.strip_suffix("minutes") {
        (name, "-minutes")
    } else {
        (name.as_str(), "")
    };
    let what = WHAT.iter().find(|(known, _)| *known == name).map_or("a resource", |(_, what)| what);
    let what = if counted.is_empty() { what } else { what.trim_end_matches('s') };
    format!("{what}{counted}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_named_by_whose_they_are_and_what_they_are_of() {
        for (reason, kind, words) in [
            (
                "JobArrayTaskLimit",
                ReasonKind::ArrayLimit,
                "its array's own throttle (%): as many of its tasks run as may at once",
            ),
            ("QOSGrpCpuLimit", ReasonKind::QosLimit, "its QOS's limit on CPUs of all its jobs together"),
            (
                "QOSGrpGRES",
                ReasonKind::QosLimit,
                "its QOS's limit on GPUs and other generic resources of all its jobs together",
            ),
            ("QOSMaxJobsPerUserLimit", ReasonKind::QosLimit, "its QOS's limit on jobs that run at once of one user"),
            ("QOSMaxCpuPerUserLimit", ReasonKind::QosLimit, "its QOS's limit on CPUs of one user"),
            (
                "QOSGrpCPURunMinutesLimit",
                ReasonKind::QosLimit,
                "its QOS's limit on CPU-minutes that running jobs may still take of all its jobs together",
            ),
            (
                "MaxGRESPerAccount",
                ReasonKind::QosLimit,
                "its QOS's limit on GPUs and other generic resources of one account",
            ),
            (
                "MaxCpuRunMinsPerUser",
                ReasonKind::QosLimit,
                "its QOS's limit on CPU-minutes that running jobs may still take of one user",
            ),
            (
                "AssocGrpCpuLimit",
                ReasonKind::AssociationLimit,
                "its account's or user's limit on CPUs of all its jobs together",
            ),
            (
                "AssocMaxJobsLimit",
                ReasonKind::AssociationLimit,
                "its account's or user's limit on jobs that run at once of one user",
            ),
            (
                "AssocGrpMemMinutes",
                ReasonKind::AssociationLimit,
                "its account's or user's limit on memory-minutes of all its jobs together",
            ),
            (
                "QOSMinGRES",
                ReasonKind::NotAllowed,
                "its QOS's least of GPUs and other generic resources for a job, which it does not ask for",
            ),
            (
                "ReqNodeNotAvail, UnavailableNodes:a[1-3]",
                ReasonKind::Reservation,
                "nodes that it needs are down, drained or reserved",
            ),
        ] {
            let told = in_words(reason).expect(reason);
            assert_eq!((told.kind, told.words.as_str()), (kind, words), "{reason}");
        }
        assert_eq!(in_words("SomethingNew"), None);
        assert_eq!(in_words(""), None);
        assert_eq!(in_words("MaxTape"), None);
    }
}

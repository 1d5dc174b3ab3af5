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
    Licenses,
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
    ("Priority", ReasonKind::Queue, "jobs with a higher priority are ahead"),
    ("Resources", ReasonKind::Resources, "at the front of the queue, waiting for free nodes"),
    ("SchedDefer", ReasonKind::Queue, "Slurm has not considered the job yet"),
    ("None", ReasonKind::Queue, "Slurm has not considered the job yet"),
    ("JobArrayTaskLimit", ReasonKind::ArrayLimit, "the array's task limit (%N) is reached"),
    ("Dependency", ReasonKind::Dependency, "its dependency is not fulfilled yet"),
    ("DependencyNeverSatisfied", ReasonKind::Dependency, "its dependency can no longer be fulfilled"),
    ("BeginTime", ReasonKind::Begin, "its begin time has not been reached"),
    ("JobHeldUser", ReasonKind::Hold, "held by its user"),
    ("JobHeldAdmin", ReasonKind::Hold, "held by an administrator"),
    ("JobHoldMaxRequeue", ReasonKind::Hold, "held after too many requeues"),
    ("Reservation", ReasonKind::Reservation, "its reservation has not started, or is full"),
    ("ReservationDeleted", ReasonKind::Reservation, "its reservation was deleted"),
    ("ReservationInvalid", ReasonKind::Reservation, "its reservation is invalid"),
    ("ReqNodeNotAvail", ReasonKind::Reservation, "required nodes are down, drained or reserved"),
    ("NodeDown", ReasonKind::Resources, "a required node is down"),
    ("MaxPoweredUpNodes", ReasonKind::Resources, "the limit on powered-up nodes is reached"),
    ("Licenses", ReasonKind::Licenses, "required licences are in use"),
    ("PartitionNodeLimit", ReasonKind::Partition, "its number of nodes is outside the limits of the partition"),
    ("PartitionTimeLimit", ReasonKind::Partition, "its time limit is longer than the partition allows"),
    ("PartitionDown", ReasonKind::Partition, "its partition is down and starts no jobs"),
    ("PartitionInactive", ReasonKind::Partition, "its partition is inactive and starts no jobs"),
    ("PartitionConfig", ReasonKind::Partition, "its partition does not allow the request"),
    ("QOSJobLimit", ReasonKind::QosLimit, "the QOS limit on running jobs"),
    ("QOSResourceLimit", ReasonKind::QosLimit, "the QOS limit on resources"),
    ("QOSTimeLimit", ReasonKind::QosLimit, "the QOS limit on time"),
    ("QOSUsageThreshold", ReasonKind::QosLimit, "its past usage is over the usage threshold of the QOS"),
    ("AssociationJobLimit", ReasonKind::AssociationLimit, "the account or user limit on running jobs"),
    ("AssociationResourceLimit", ReasonKind::AssociationLimit, "the account or user limit on resources"),
    ("AssociationTimeLimit", ReasonKind::AssociationLimit, "the account or user limit on time"),
    ("AccountingPolicy", ReasonKind::AssociationLimit, "an accounting limit"),
    ("AccountNotAllowed", ReasonKind::NotAllowed, "its partition does not allow its account"),
    ("QOSNotAllowed", ReasonKind::NotAllowed, "its partition or account does not allow its QOS"),
    ("InvalidAccount", ReasonKind::NotAllowed, "its account is invalid"),
    ("InvalidQOS", ReasonKind::NotAllowed, "its QOS is invalid"),
    ("BadConstraints", ReasonKind::NotAllowed, "no nodes satisfy the request"),
    ("Constraints", ReasonKind::Resources, "nodes with the requested features are not free"),
    ("MaxMemPerLimit", ReasonKind::NotAllowed, "the requested memory is more than one job may have"),
    ("DeadLine", ReasonKind::NotAllowed, "its deadline can no longer be met"),
    ("BurstBufferResources", ReasonKind::Other, "the burst buffer has too little free space"),
    ("BurstBufferStageIn", ReasonKind::Other, "its data is being staged in to the burst buffer"),
    ("BurstBufferOperation", ReasonKind::Other, "a burst buffer operation is in progress"),
    ("MpiPortsBusy", ReasonKind::Resources, "required MPI ports are in use"),
    ("Cleaning", ReasonKind::Other, "its previous run is being cleaned up"),
    ("Prolog", ReasonKind::Other, "its prolog is running"),
    ("FedJobLock", ReasonKind::Other, "another cluster of the federation holds the lock on the job"),
];

/// What limits are of.
const WHAT: [(&str, &str); 14] = [
    ("submitjobs", "submitted jobs"),
    ("submitjob", "submitted jobs"),
    ("jobs", "running jobs"),
    ("cpu", "CPUs"),
    ("memory", "memory"),
    ("mem", "memory"),
    ("node", "nodes"),
    ("gres", "GPUs and other generic resources"),
    ("license", "licenses"),
    ("billing", "billing units"),
    ("energy", "energy"),
    ("bb", "burst buffers"),
    ("wallduration", "requested time"),
    ("wall", "used time"),
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
        (ReasonKind::QosLimit, "the QOS", rest)
    } else if let Some(rest) = word.strip_prefix("Assoc") {
        (ReasonKind::AssociationLimit, "the account or user", rest)
    } else if word.starts_with("Max") && (word.ends_with("PerAccount") || word.ends_with("PerUser")) {
        (ReasonKind::QosLimit, "the QOS", word)
    } else {
        return None;
    };
    let rest = rest.strip_suffix("Limit").or(rest.strip_suffix("NotSatisfied")).unwrap_or(rest);
    if let Some(what) = rest.strip_prefix("Min") {
        let words = format!("{whose} minimum of {} per job is not reached", of_what(what));
        return Some(ReasonInWords { kind: ReasonKind::NotAllowed, words });
    }
    let (what, of_whom) = match rest.strip_prefix("Grp") {
        Some(what) => (what, "for all jobs together"),
        None => per(rest.strip_prefix("Max")?, kind),
    };
    Some(ReasonInWords { kind, words: format!("{whose} limit on {} {of_whom}", of_what(what)) })
}

fn per(what: &str, kind: ReasonKind) -> (&str, &'static str) {
    for (suffix, of_whom) in
        [("PerJob", "per job"), ("PerNode", "per job and node"), ("PerUser", "per user"), ("PerAccount", "per account")]
    {
        if let Some(what) = what.strip_suffix(suffix) {
            return (what, of_whom);
        }
    }
    (what, if kind == ReasonKind::AssociationLimit { "per user" } else { "per job or user" })
}

fn of_what(name: &str) -> String {
    let name = name.to_ascii_lowercase();
    let (name, counted) = if let Some(name) = name.strip_suffix("runminutes").or(name.strip_suffix("runmins")) {
        (name, "-minutes reserved by running jobs")
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
            ("JobArrayTaskLimit", ReasonKind::ArrayLimit, "the array's task limit (%N) is reached"),
            ("QOSGrpCpuLimit", ReasonKind::QosLimit, "the QOS limit on CPUs for all jobs together"),
            (
                "QOSGrpGRES",
                ReasonKind::QosLimit,
                "the QOS limit on GPUs and other generic resources for all jobs together",
            ),
            ("QOSMaxJobsPerUserLimit", ReasonKind::QosLimit, "the QOS limit on running jobs per user"),
            ("QOSMaxCpuPerUserLimit", ReasonKind::QosLimit, "the QOS limit on CPUs per user"),
            (
                "QOSGrpCPURunMinutesLimit",
                ReasonKind::QosLimit,
                "the QOS limit on CPU-minutes reserved by running jobs for all jobs together",
            ),
            (
                "MaxGRESPerAccount",
                ReasonKind::QosLimit,
                "the QOS limit on GPUs and other generic resources per account",
            ),
            (
                "MaxCpuRunMinsPerUser",
                ReasonKind::QosLimit,
                "the QOS limit on CPU-minutes reserved by running jobs per user",
            ),
            (
                "AssocGrpCpuLimit",
                ReasonKind::AssociationLimit,
                "the account or user limit on CPUs for all jobs together",
            ),
            ("AssocMaxJobsLimit", ReasonKind::AssociationLimit, "the account or user limit on running jobs per user"),
            (
                "AssocGrpMemMinutes",
                ReasonKind::AssociationLimit,
                "the account or user limit on memory-minutes for all jobs together",
            ),
            (
                "QOSMinGRES",
                ReasonKind::NotAllowed,
                "the QOS minimum of GPUs and other generic resources per job is not reached",
            ),
            (
                "ReqNodeNotAvail, UnavailableNodes:a[1-3]",
                ReasonKind::Reservation,
                "required nodes are down, drained or reserved",
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

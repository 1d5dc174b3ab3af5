//! Partitions, reservations and nodes of `scontrol --all --oneliner show partition`, `reservation` and `node`.
//!
//! For: the records that JSON has too, from versions whose scontrol has no JSON of its own; all fields agree with
//! JSON's where both say something (tried on 22.05 in the lab).
//!
//! Not for: how a line is taken apart (`one_line`).
//!
//! Source: 22.05.8 in our lab, with `SLURM_TIME_FORMAT=%s`; reservations also of 26.05.3 (`tests/shared_samples.rs`).

use super::listing::{Listing, Wrong};
use super::one_line::{OneLine, records};
use queuecast_records::{NodeRecord, PartitionRecord, ReservationRecord, TimeLimit, TresWeights};
use queuecast_workload::Seconds;

/// Reads `scontrol --all --oneliner show partition`.
pub fn partitions(bytes: &[u8]) -> Listing<PartitionRecord> {
    records(bytes, "PartitionName", partition)
}

/// Reads `scontrol --all --oneliner show reservation`.
pub fn reservations(bytes: &[u8]) -> Listing<ReservationRecord> {
    records(bytes, "ReservationName", reservation)
}

/// Reads `scontrol --all --oneliner show node`.
pub fn nodes(bytes: &[u8]) -> Listing<NodeRecord> {
    records(bytes, "NodeName", node)
}

fn partition(line: &OneLine<'_>) -> Result<PartitionRecord, Wrong> {
    let over_time_limit = line.limit("OverTimeLimit")?;
    line.required("MaxTime")?;
    let weights = line.get("TRESBillingWeights").unwrap_or_default();
    // `YES:4` and `FORCE:4` say how many. From 26.05 on whole nodes are a word of their own, `Exclusive=NODE`.
    let exclusive =
        line.is("OverSubscribe", "EXCLUSIVE") || line.is("Exclusive", "NODE") || line.is("Exclusive", "TOPO");
    let oversubscribe_max =
        line.get("OverSubscribe").and_then(|written| written.split_once(':')).and_then(|(_, jobs)| jobs.parse().ok());
    Ok(PartitionRecord {
        name: line.required("PartitionName")?.to_owned(),
        states: line.words("State", '+'),
        is_default: line.get("Default") == Some("YES"),
        limit_max: line.limit("MaxTime")?,
        limit_default: line.limit("DefaultTime")?,
        over_time_limit: Some(over_time_limit).filter(|&limit| limit != TimeLimit::NotKnown),
        nodes_max: line.count("MaxNodes")?,
        nodes_min: line.count("MinNodes")?.unwrap_or(0),
        cpus_per_node_max: line.count("MaxCPUsPerNode")?,
        memory_per_cpu_default_mebibytes: line.some("DefMemPerCPU")?,
        nodes: line.text("Nodes"),
        nodes_total: line.required_count("TotalNodes")?,
        cpus_total: line.required_count("TotalCPUs")?,
        configured: line.tres("TRES")?,
        priority_tier: line.required_count("PriorityTier")?,
        priority_job_factor: line.count("PriorityJobFactor")?.unwrap_or(0),
        accounts_allowed: line.text_unless("AllowAccounts", "ALL"),
        accounts_denied: line.text_unless("DenyAccounts", "NONE"),
        qos_allowed: line.text_unless("AllowQos", "ALL"),
        qos_assigned: line.text("QoS"),
        preempt_modes: line.words("PreemptMode", ','),
        qos_denied: line.text("DenyQos"),
        memory_per_node_default_mebibytes: line.some("DefMemPerNode")?,
        memory_per_cpu_max_mebibytes: line.some("MaxMemPerCPU")?,
        memory_per_node_max_mebibytes: line.some("MaxMemPerNode")?,
        exclusive,
        exclusive_user: line.is("ExclusiveUser", "YES") || line.is("Exclusive", "USER"),
        lln: line.is("LLN", "YES"),
        oversubscribe_max,
        grace: line
            .count("GraceTime")?
            .filter(|&seconds| seconds > 0)
            .and_then(|seconds| i64::try_from(seconds).ok())
            .map(Seconds),
        groups_allowed: line.text_unless("AllowGroups", "ALL"),
        root_only: line.is("RootOnly", "YES"),
        disables_root_jobs: line.is("DisableRootJobs", "YES"),
        requires_reservation: line.is("ReqResv", "YES"),
        is_hidden: line.is("Hidden", "YES"),
        tres_weights: TresWeights::parse(weights)
            .ok_or_else(|| Wrong::not("TRESBillingWeights", weights, "a list of weights"))?,
        job_defaults: line.text("JobDefaults"),
        alternate: line.text("Alternate"),
    })
}

fn reservation(line: &OneLine<'_>) -> Result<ReservationRecord, Wrong> {
    for name in ["StartTime", "EndTime"] {
        line.required(name)?;
    }
    Ok(ReservationRecord {
        name: line.required("ReservationName")?.to_owned(),
        starts: line.time("StartTime")?,
        ends: line.time("EndTime")?,
        nodes: line.text("Nodes"),
        nodes_total: line.count("NodeCnt")?,
        partition: line.text("PartitionName"),
        reserved: line.tres("TRES")?,
        flags: line.words("Flags", ','),
        users: line.text("Users"),
        accounts: line.text("Accounts"),
    })
}

fn node(line: &OneLine<'_>) -> Result<NodeRecord, Wrong> {
    let (reason, reason_changed) = line.reason();
    let small = |name| line.count(name).map(|count| count.and_then(|count| u32::try_from(count).ok()));
    let state = line.required("State")?;
    // A star says that the node does not answer, other marks that it is asleep or about to be: `DOWN*`, `IDLE~`.
    let words = state.split('+').map(|word| word.trim_end_matches(|mark: char| !mark.is_ascii_alphanumeric()));
    let silent = state.contains('*').then_some("NOT_RESPONDING");
    let states = words.chain(silent).map(str::to_ascii_uppercase).collect();
    Ok(NodeRecord {
        name: line.required("NodeName")?.to_owned(),
        states,
        cpus: line.required_count("CPUTot")?,
        allocated_cpus: line.count("CPUAlloc")?,
        memory_mebibytes: line.required_count("RealMemory")?,
        allocated_memory_mebibytes: line.count("AllocMem")?,
        gres: line.text("Gres"),
        gres_used: line.text("GresUsed"),
        configured: line.tres("CfgTRES")?,
        used: line.tres("AllocTRES")?,
        partitions: line.words("Partitions", ','),
        features: line.words("AvailableFeatures", ','),
        reason,
        reason_changed,
        reservation: line.text("ReservationName"),
        version: line.text("Version"),
        weight: line.count("Weight")?.and_then(|weight| u32::try_from(weight).ok()).unwrap_or(1),
        sockets: small("Sockets")?,
        cores: small("CoresPerSocket")?,
        threads: small("ThreadsPerCore")?,
        owner: owner(line.get("Owner").unwrap_or_default()),
    })
}

/// `user01(20001)`: the name alone, as JSON has it.
fn owner(written: &str) -> String {
    written.split('(').next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use queuecast_workload::Time;

    const PARTITION: &str = "PartitionName=batch AllowGroups=ALL AllowAccounts=physics,chemistry AllowQos=ALL AllocNodes=ALL Default=YES QoS=N/A \
        DefaultTime=01:00:00 DisableRootJobs=NO ExclusiveUser=NO GraceTime=0 Hidden=NO MaxNodes=UNLIMITED MaxTime=7-00:00:00 MinNodes=0 LLN=NO \
        MaxCPUsPerNode=UNLIMITED Nodes=alpha[1-4] PriorityJobFactor=1 PriorityTier=5 RootOnly=NO ReqResv=NO OverSubscribe=NO OverTimeLimit=NONE \
        PreemptMode=OFF State=UP TotalCPUs=64 TotalNodes=4 SelectTypeParameters=NONE JobDefaults=(null) DefMemPerCPU=100 MaxMemPerNode=UNLIMITED \
        TRES=cpu=64,mem=250G,node=4,billing=64\n";

    #[test]
    fn a_partition_is_read_with_what_is_without_limit() {
        let read = partitions(PARTITION.as_bytes());
        assert_eq!(read.problems, []);
        let batch = &read.records[0];
        assert_eq!((batch.name.as_str(), batch.is_default, batch.nodes_max), ("batch", true, None));
        assert_eq!((batch.limit_max, batch.limit_default), (TimeLimit::Minutes(10_080), TimeLimit::Minutes(60)));
        assert_eq!((batch.over_time_limit, batch.priority_tier), (None, 5));
        assert_eq!((batch.accounts_allowed.as_str(), batch.qos_allowed.as_str()), ("physics,chemistry", ""));
        assert_eq!((batch.configured.memory_mebibytes, batch.cpus_total), (Some(256_000), 64));
        let other = PARTITION.replace("7-00:00:00", "UNLIMITED").replace("OverTimeLimit=NONE", "OverTimeLimit=5");
        let other = partitions(other.as_bytes()).records.remove(0);
        assert_eq!((other.limit_max, other.over_time_limit), (TimeLimit::Unlimited, Some(TimeLimit::Minutes(5))));
    }

    /// As 22.05.8 printed it in our lab, shortened.
    #[test]
    fn a_partition_with_everything_is_read() {
        let whole = "PartitionName=whole AllowGroups=wheel AllowAccounts=ALL DenyQos=normal AllocNodes=ALL Alternate=batch Default=NO QoS=N/A \
            DefaultTime=NONE DisableRootJobs=NO ExclusiveUser=YES GraceTime=30 Hidden=YES MaxNodes=UNLIMITED MaxTime=UNLIMITED MinNodes=0 \
            LLN=YES MaxCPUsPerNode=UNLIMITED Nodes=alpha[1-4] PriorityJobFactor=1 PriorityTier=1 RootOnly=NO ReqResv=YES \
            OverSubscribe=EXCLUSIVE OverTimeLimit=NONE PreemptMode=OFF State=UP TotalCPUs=64 TotalNodes=4 SelectTypeParameters=NONE \
            JobDefaults=DefCpuPerGPU=2 DefMemPerNode=UNLIMITED MaxMemPerNode=60000 TRES=cpu=64,mem=250G,node=4,billing=126 \
            TRESBillingWeights=CPU=1.0,Mem=0.25G,GRES/gpu=2.0\n";
        let read = partitions(whole.as_bytes());
        assert_eq!(read.problems, []);
        let one = &read.records[0];
        assert!(one.exclusive && one.exclusive_user && one.lln && one.is_hidden && one.requires_reservation);
        assert!(!one.root_only && !one.disables_root_jobs);
        assert_eq!((one.grace, one.memory_per_node_max_mebibytes), (Some(Seconds(30)), Some(60_000)));
        assert_eq!((one.memory_per_node_default_mebibytes, one.memory_per_cpu_max_mebibytes), (None, None));
        assert_eq!(
            (one.groups_allowed.as_str(), one.qos_denied.as_str(), one.alternate.as_str()),
            ("wheel", "normal", "batch")
        );
        assert_eq!((one.job_defaults.as_str(), one.tres_weights.0.len()), ("DefCpuPerGPU=2", 3));
        let shared = whole.replace("OverSubscribe=EXCLUSIVE", "OverSubscribe=FORCE:3").replace("LLN=YES", "LLN=NO");
        let shared = partitions(shared.as_bytes()).records.remove(0);
        assert_eq!((shared.exclusive, shared.oversubscribe_max, shared.lln), (false, Some(3), false));
        let newer = whole.replace("OverSubscribe=EXCLUSIVE", "Exclusive=NODE OverSubscribe=NO");
        assert!(partitions(newer.as_bytes()).records[0].exclusive);
        let wrong = partitions(whole.replace("Mem=0.25G", "Mem=lots").as_bytes());
        assert_eq!(wrong.problems[0].name, "TRESBillingWeights");
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let read = partitions(PARTITION.replace("TotalCPUs=64", "TotalCPUs=many").as_bytes());
        assert_eq!(read.problems[0].to_string(), "1:TotalCPUs: `many` is not a whole number");
        let read = reservations(b"ReservationName=x StartTime=2026-11-14T23:56:10 EndTime=5\n");
        assert!(read.problems[0].to_string().contains("seconds since 1970"), "{:?}", read.problems);
    }

    #[test]
    fn a_reservation_and_a_node_are_read() {
        let read = reservations(
            b"ReservationName=course StartTime=1794747486 EndTime=1794751086 Duration=01:00:00 Nodes=alpha4 NodeCnt=1 CoreCnt=16 \
              Features=(null) PartitionName=(null) Flags=IGNORE_JOBS,SPEC_NODES TRES=cpu=16 Users=user01,user02 Groups=(null) \
              Accounts=(null) Licenses=(null) State=ACTIVE BurstBuffer=(null) Watts=n/a MaxStartDelay=(null)\n",
        );
        let course = &read.records[0];
        assert_eq!((course.starts, course.ends), (Some(Time(1_794_747_486)), Some(Time(1_794_751_086))));
        assert_eq!((course.users.as_str(), course.partition.as_str(), course.flags.len()), ("user01,user02", "", 2));
        let read = nodes(
            b"NodeName=alpha4 Arch=x86_64 CPUAlloc=0 CPUTot=16 AvailableFeatures=fast,big Gres=gpu:a100:4 Version=22.05.8 OS=Linux 6 \
              RealMemory=64000 AllocMem=0 State=IDLE*+DRAIN+PLANNED Partitions=batch,urgent  CfgTRES=cpu=16,mem=62.50G,billing=16 \
              AllocTRES= ExtSensorsTemp=n/s Reason=bad disk [root@1794747486]\n",
        );
        let node = &read.records[0];
        assert_eq!(node.states, ["IDLE", "DRAIN", "PLANNED", "NOT_RESPONDING"]);
        assert_eq!((node.features.len(), node.partitions.len(), node.configured.cpus), (2, 2, Some(16)));
        assert_eq!((node.reason.as_str(), node.reason_changed), ("bad disk", Some(Time(1_794_747_486))));
    }
}

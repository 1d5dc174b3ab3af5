//! Each refusal, one by one, on a small site.

use queuecast_records::{
    AssociationRecord, ClusterConfiguration, Enforcement, GresAsked, GresPer, JobRecord, MemoryAsked, NodeRecord,
    QosRecord, TimeLimit, TresLimits,
};
use queuecast_workload::Time;

use super::*;
use crate::cluster::Reach;
use crate::cluster::test_cluster::{configuration, node, partition, submission, waiting};

/// Two nodes of 4 CPUs and 8,000 MiB in `batch`, and one of 16 with two GPUs and the feature `fast` in `gpu`.
struct Small {
    partitions: Vec<PartitionRecord>,
    nodes: Vec<NodeRecord>,
    qos: Vec<QosRecord>,
    associations: Vec<AssociationRecord>,
    reservations: Vec<ReservationRecord>,
    configuration: ClusterConfiguration,
    jobs: Vec<JobRecord>,
}

fn small() -> Small {
    let thin = |name: &str| NodeRecord { memory_mebibytes: 8_000, ..node(name, 4, &["batch"]) };
    let fast = NodeRecord {
        memory_mebibytes: 64_000,
        gres: "gpu:a100:2(S:0-1)".to_owned(),
        features: vec!["fast".to_owned()],
        ..node("g1", 16, &["gpu"])
    };
    let qos = |name: &str| QosRecord { name: name.to_owned(), ..QosRecord::default() };
    let named = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let account = AssociationRecord { account: "physics".to_owned(), ..AssociationRecord::default() };
    let ada = AssociationRecord { user: "ada".to_owned(), qos: named(&["normal", "high"]), ..account.clone() };
    let mut configuration = configuration();
    configuration.enforcement = Enforcement::of("limits,qos");
    configuration.select_type_parameters = "CR_CORE_MEMORY".to_owned();
    let gpu = PartitionRecord { is_default: false, nodes_total: 1, cpus_total: 16, ..partition("gpu") };
    Small {
        partitions: vec![PartitionRecord { nodes_total: 2, cpus_total: 8, ..partition("batch") }, gpu],
        nodes: vec![thin("a1"), thin("a2"), fast],
        qos: vec![qos("normal"), qos("high"), qos("closed")],
        associations: vec![account, ada],
        reservations: Vec::new(),
        configuration,
        jobs: Vec::new(),
    }
}

fn ada() -> Request {
    Request { user: "ada".to_owned(), jobs: 1, ..Request::default() }
}

fn layout(nodes: u32, tasks: u32, cpus: u32) -> JobLayout {
    JobLayout {
        nodes_min: Some(nodes),
        nodes_max: Some(nodes),
        tasks: Some(tasks),
        cpus_per_task: Some(cpus),
        ..JobLayout::default()
    }
}

/// What is said of a request: nothing, or the code and sbatch's words or the reason.
fn said(small: &Small, request: &Request) -> Option<(&'static str, String)> {
    let reading = ClusterReading {
        now: Time(5_000),
        jobs: &small.jobs,
        nodes: &small.nodes,
        partitions: &small.partitions,
        reservations: &small.reservations,
        qos: &small.qos,
        associations: &small.associations,
        shares: &[],
        configuration: Some(&small.configuration),
        reach: &Reach::default(),
    };
    Situation::of(&reading, submission).judge(request).err().map(|none| (none.code, none.why))
}

#[track_caller]
fn is_refused(small: &Small, request: &Request, error: &str) {
    let (code, why) = said(small, request).expect("it is refused");
    assert!(code == "refused" && why.starts_with(&format!("sbatch rejects the job: {error}. ")), "{code}: {why}");
}

#[track_caller]
fn never_starts(small: &Small, request: &Request, reason: &str) {
    let (code, why) = said(small, request).expect("it never starts");
    assert!(code == "not_allowed" && why.contains(&format!("({reason})")), "{code}: {why}");
}

#[test]
fn what_is_possible_is_taken() {
    let all = small();
    assert_eq!(said(&all, &ada()), None);
    assert_eq!(said(&all, &Request { layout: layout(2, 8, 1), ..ada() }), None);
    assert_eq!(said(&all, &Request { user: String::new(), ..ada() }), None, "whoever it is");
    let mut drained = small();
    for node in &mut drained.nodes {
        node.states = vec!["IDLE".to_owned(), "DRAIN".to_owned()];
    }
    assert_eq!(said(&drained, &ada()), None, "nodes that are drained for now are waited for");
}

#[test]
fn accounts_and_qualities_of_service_must_be_ones_own() {
    let mut all = small();
    let stranger = Request { user: "eve".to_owned(), ..ada() };
    is_refused(&all, &stranger, refusal::INVALID_ACCOUNT);
    is_refused(&all, &Request { account: Some("biology".to_owned()), ..ada() }, refusal::INVALID_ACCOUNT);
    assert_eq!(said(&all, &Request { account: Some("PHYSICS".to_owned()), ..ada() }), None, "in any case");
    let with = |qos: &str| Request { qos: Some(qos.to_owned()), ..ada() };
    assert_eq!(said(&all, &with("high")), None);
    is_refused(&all, &with("closed"), refusal::INVALID_QOS);
    is_refused(&all, &with("nothere"), refusal::INVALID_QOS);
    all.qos[1].flags = vec!["RequiresReservation".to_owned()];
    is_refused(&all, &with("high"), refusal::INVALID_QOS);
    all.configuration.enforcement = Enforcement::default();
    assert_eq!(said(&all, &stranger), None, "where associations are not enforced");
    assert_eq!(said(&all, &with("closed")), None);
}

#[test]
fn a_partition_must_be_there_and_take_jobs() {
    let mut all = small();
    let there = |name: &str| Request { partitions: vec![name.to_owned()], ..ada() };
    is_refused(&all, &there("nowhere"), refusal::INVALID_PARTITION);
    all.partitions[0].states = vec!["DRAIN".to_owned()];
    is_refused(&all, &there("batch"), refusal::PARTITION_NOT_AVAILABLE);
    all.partitions[0].alternate = "gpu".to_owned();
    assert_eq!(said(&all, &there("batch")), None, "another stands in for it");
    all.partitions[0].states = vec!["DOWN".to_owned()];
    assert_eq!(said(&all, &there("batch")).map(|(code, _)| code), Some("partition_down"));
    all.partitions[0].is_default = false;
    is_refused(&all, &ada(), refusal::NO_DEFAULT_PARTITION);
    all.partitions[1].root_only = true;
    is_refused(&all, &there("gpu"), refusal::ACCESS_DENIED);
    (all.partitions[1].root_only, all.partitions[1].requires_reservation) = (false, true);
    is_refused(&all, &there("gpu"), refusal::ACCESS_DENIED);
}

#[test]
fn what_a_partition_forbids_is_refused_or_waits_for_ever_as_the_site_says() {
    let mut all = small();
    let long = Request { limit: Some(Seconds(2 * 86_400)), ..ada() };
    never_starts(&all, &long, "PartitionTimeLimit");
    all.configuration.partition_limits = PartitionLimits::ByAll;
    is_refused(&all, &long, refusal::INVALID_TIME_LIMIT);
    is_refused(&all, &Request { layout: layout(3, 3, 1), ..ada() }, refusal::INVALID_NODE_COUNT);
    is_refused(&all, &Request { layout: layout(1, 9, 1), ..ada() }, refusal::TOO_MANY_CPUS);
    all.partitions[0].accounts_allowed = "biology".to_owned();
    is_refused(&all, &ada(), refusal::INVALID_ACCOUNT);
    let both = Request { partitions: vec!["gpu".to_owned(), "batch".to_owned()], ..ada() };
    is_refused(&all, &both, refusal::INVALID_ACCOUNT);
    all.configuration.partition_limits = PartitionLimits::ByAny;
    assert_eq!(said(&all, &both), None, "one takes it");
    all.configuration.partition_limits = PartitionLimits::NotAtSubmission;
    never_starts(&all, &ada(), "AccountNotAllowed");
    (all.partitions[0].accounts_allowed, all.partitions[0].qos_denied) = (String::new(), "normal".to_owned());
    never_starts(&all, &ada(), "QOSNotAllowed");
}

#[test]
fn more_than_the_nodes_have_is_refused() {
    let mut all = small();
    let with = |layout: JobLayout| Request { layout, ..ada() };
    for impossible in [layout(3, 3, 1), layout(1, 5, 1), layout(1, 1, 5), layout(2, 9, 1)] {
        is_refused(&all, &with(impossible), refusal::NODE_CONFIGURATION);
    }
    let memory = |memory: MemoryAsked| with(JobLayout { memory: Some(memory), ..layout(1, 1, 4) });
    assert_eq!(said(&all, &memory(MemoryAsked::PerNode(8_000))), None);
    is_refused(&all, &memory(MemoryAsked::PerNode(8_001)), refusal::NODE_CONFIGURATION);
    assert_eq!(said(&all, &memory(MemoryAsked::PerCpu(2_000))), None);
    is_refused(&all, &memory(MemoryAsked::PerCpu(2_001)), refusal::NODE_CONFIGURATION);
    let alone = JobLayout { memory: Some(MemoryAsked::PerCpu(2_001)), ..layout(1, 1, 1) };
    assert_eq!(said(&all, &with(alone.clone())), None);
    let whole = Request { exclusive: true, ..with(alone) };
    is_refused(&all, &whole, refusal::NODE_CONFIGURATION);
    let crowded = JobLayout { tasks_per_node: Some(5), tasks: Some(2), ..JobLayout::default() };
    is_refused(&all, &with(crowded), refusal::NODE_CONFIGURATION);
    all.partitions[0].cpus_per_node_max = Some(2);
    is_refused(&all, &with(layout(1, 1, 3)), refusal::NODE_CONFIGURATION);
    all.partitions[0].nodes_max = Some(1);
    is_refused(&all, &with(layout(2, 2, 1)), refusal::NODE_CONFIGURATION);
}

#[test]
fn the_most_memory_for_a_cpu_means_more_cpus_and_the_most_of_a_node_is_the_most() {
    let mut all = small();
    all.partitions[0].memory_per_cpu_max_mebibytes = Some(1_000);
    let with = |memory: MemoryAsked| {
        let layout = JobLayout { memory: Some(memory), ..layout(1, 1, 1) };
        Request { layout, ..ada() }
    };
    assert_eq!(said(&all, &with(MemoryAsked::PerCpu(4_000))), None, "four CPUs");
    is_refused(&all, &with(MemoryAsked::PerCpu(4_001)), refusal::NODE_CONFIGURATION);
    is_refused(&all, &with(MemoryAsked::PerNode(4_001)), refusal::NODE_CONFIGURATION);
    all.partitions[0].memory_per_cpu_max_mebibytes = None;
    all.partitions[0].memory_per_node_max_mebibytes = Some(4_000);
    assert_eq!(said(&all, &with(MemoryAsked::PerNode(4_000))), None);
    never_starts(&all, &with(MemoryAsked::PerNode(4_001)), "MaxMemPerLimit");
    all.configuration.partition_limits = PartitionLimits::ByAll;
    is_refused(&all, &with(MemoryAsked::PerNode(4_001)), refusal::INVALID_MEMORY);
}

#[test]
fn gpus_are_of_a_model_and_on_nodes() {
    let all = small();
    let with = |name: &str, model: &str, count: u64, per: GresPer| {
        let gres = GresAsked { name: name.to_owned(), model: model.to_owned(), count, per };
        let layout = JobLayout { gres: vec![gres], ..JobLayout::default() };
        Request { partitions: vec!["gpu".to_owned()], layout, ..ada() }
    };
    assert_eq!(said(&all, &with("gpu", "a100", 2, GresPer::Node)), None);
    assert_eq!(said(&all, &with("gpu", "", 2, GresPer::Job)), None);
    is_refused(&all, &with("gpu", "", 3, GresPer::Node), refusal::NODE_CONFIGURATION);
    is_refused(&all, &with("gpu", "", 3, GresPer::Job), refusal::NODE_CONFIGURATION);
    is_refused(&all, &with("gpu", "v100", 1, GresPer::Node), refusal::NODE_CONFIGURATION);
    is_refused(&all, &with("fpga", "", 1, GresPer::Node), refusal::INVALID_GRES);
    is_refused(&all, &with("gpu", "", 1, GresPer::Task), refusal::INVALID_GRES);
    let mut crowded = with("gpu", "", 1, GresPer::Task);
    (crowded.layout.tasks, crowded.layout.tasks_per_node) = (Some(1), Some(2));
    assert_eq!(said(&all, &crowded), None);
    crowded.layout.tasks_per_node = Some(3);
    is_refused(&all, &crowded, refusal::NODE_CONFIGURATION);
    let elsewhere = Request { partitions: vec!["batch".to_owned()], ..with("gpu", "", 1, GresPer::Node) };
    is_refused(&all, &elsewhere, refusal::NODE_CONFIGURATION);
    let much = Request { memory_per_gpu_mebibytes: Some(32_001), ..with("gpu", "", 2, GresPer::Node) };
    is_refused(&all, &much, refusal::NODE_CONFIGURATION);
    let whole =
        Request { memory_per_gpu_mebibytes: Some(32_001), exclusive: true, ..with("gpu", "", 1, GresPer::Node) };
    is_refused(&all, &whole, refusal::NODE_CONFIGURATION);
    assert_eq!(said(&all, &Request { exclusive: false, ..whole }), None);
    is_refused(&all, &Request { memory_per_gpu_mebibytes: Some(1), ..ada() }, refusal::INVALID_GRES);
}

#[test]
fn what_is_named_must_be_there() {
    let mut all = small();
    is_refused(&all, &Request { features: "fast&new".to_owned(), ..ada() }, refusal::INVALID_FEATURE);
    is_refused(&all, &Request { features: "fast".to_owned(), ..ada() }, refusal::NODE_CONFIGURATION);
    let on = |required: &str, excluded: &str| Request {
        required_nodes: required.to_owned(),
        excluded_nodes: excluded.to_owned(),
        ..ada()
    };
    assert_eq!(said(&all, &on("a1", "a2")), None);
    is_refused(&all, &on("a9", ""), refusal::INVALID_NODE_NAME);
    is_refused(&all, &on("", "a9"), refusal::INVALID_NODE_NAME);
    is_refused(&all, &on("a1", "a[1-2]"), refusal::INVALID_NODE_NAME);
    is_refused(&all, &on("g1", ""), refusal::NODE_CONFIGURATION);
    is_refused(&all, &on("", "a[1-2]"), refusal::NODE_CONFIGURATION);
    is_refused(&all, &Request { layout: layout(1, 1, 1), ..on("a[1-2]", "") }, refusal::INVALID_NODE_COUNT);
    let licenses = |licenses: &str| Request { licenses: licenses.to_owned(), ..ada() };
    is_refused(&all, &licenses("matlab"), refusal::INVALID_LICENCES);
    all.configuration.licenses = "matlab:2,x".to_owned();
    assert_eq!(said(&all, &licenses("matlab:2,x,other@elsewhere")), None);
    is_refused(&all, &licenses("matlab:3"), refusal::INVALID_LICENCES);
    let reserved = Request { reservation: Some("course".to_owned()), ..ada() };
    is_refused(&all, &reserved, refusal::INVALID_RESERVATION);
    let of = |users: &str, accounts: &str| ReservationRecord {
        name: "course".to_owned(),
        users: users.to_owned(),
        accounts: accounts.to_owned(),
        ..ReservationRecord::default()
    };
    for (users, accounts, is_for_ada) in
        [("bob", "", false), ("bob,ada", "", true), ("", "physics", true), ("-ada", "", false), ("-bob", "", true)]
    {
        all.reservations = vec![of(users, accounts)];
        assert_eq!(said(&all, &reserved).is_none(), is_for_ada, "{users} {accounts}");
    }
    all.reservations = vec![of("bob", "")];
    is_refused(&all, &reserved, refusal::RESERVATION_ACCESS);
}

#[test]
fn limits_of_a_job_refuse_with_deny_on_limit_and_hold_for_ever_without() {
    let mut all = small();
    let wide = Request { layout: layout(2, 8, 1), limit: Some(Seconds(7_200)), ..ada() };
    let cpus = |cpus: u64| Tres { cpus: Some(cpus), ..Tres::default() };
    let normal = all.qos[0].clone();
    let try_all = |all: &mut Small, deny: bool| {
        let limited = [
            (QosRecord { per_job: cpus(4), ..normal.clone() }, "QOSMaxCpuPerJobLimit"),
            (QosRecord { per_node: cpus(3), ..normal.clone() }, "QOSMaxCpuPerNode"),
            (QosRecord { min_per_job: cpus(9), ..normal.clone() }, "QOSMinCpuNotSatisfied"),
            (QosRecord { minutes_per_job: cpus(959), ..normal.clone() }, "QOSMaxCpuMinutesPerJobLimit"),
            (QosRecord { wall: TimeLimit::Minutes(119), ..normal.clone() }, "QOSMaxWallDurationPerJobLimit"),
            (
                QosRecord { group: TresLimits { tres: cpus(7), ..TresLimits::default() }, ..normal.clone() },
                "QOSGrpCpuLimit",
            ),
            (
                QosRecord { per_user: TresLimits { tres: cpus(7), ..TresLimits::default() }, ..normal.clone() },
                "QOSMaxCpuPerUserLimit",
            ),
        ];
        for (mut qos, reason) in limited {
            if deny {
                qos.flags = vec!["DenyOnLimit".to_owned()];
            }
            all.qos[0] = qos;
            let (code, why) = said(all, &wide).expect("it is beyond a limit");
            assert_eq!(code, if deny { "refused" } else { "not_allowed" }, "{why}");
            assert!(why.contains(reason), "{why}");
        }
    };
    try_all(&mut all, false);
    try_all(&mut all, true);
    all.qos[0] = QosRecord { min_per_job: cpus(2), ..normal.clone() };
    let range = JobLayout { nodes_min: Some(2), nodes_max: Some(3), ..JobLayout::default() };
    never_starts(&all, &Request { layout: range, ..ada() }, "QOSMinCpuNotSatisfied");
    all.qos[0] = normal;
    all.associations[0].per_job = cpus(7);
    never_starts(&all, &wide, "AssocMaxCpuPerJobLimit");
    all.qos[0].per_job = cpus(8);
    assert_eq!(said(&all, &wide), None, "a quality of service takes the place of an association's limit");
    all.qos[0].flags = vec!["DENY_LIMIT".to_owned()];
    all.associations[0].wall = TimeLimit::Minutes(60);
    is_refused(&all, &wide, refusal::POLICY);
}

#[test]
fn too_many_jobs_are_refused_whatever_the_quality_of_service_says() {
    let mut all = small();
    let mut array = waiting(7, 1);
    (array.user, array.account, array.qos) = ("ada".to_owned(), "physics".to_owned(), "normal".to_owned());
    array.key.part = queuecast_records::JobPart::ArrayRemainder { array_job_id: 7, tasks: "1-3".to_owned() };
    all.jobs = vec![array];
    let most = |jobs: u64| TresLimits { submitted_jobs: Some(jobs), ..TresLimits::default() };
    let normal = all.qos[0].clone();
    for (group, per_user, per_account) in [(4, 9, 9), (9, 4, 9), (9, 9, 4)] {
        all.qos[0] = QosRecord {
            group: most(group),
            per_user: most(per_user),
            per_account: most(per_account),
            ..normal.clone()
        };
        assert_eq!(said(&all, &ada()), None, "the fourth");
        is_refused(&all, &Request { jobs: 2, ..ada() }, refusal::POLICY);
        assert_eq!(said(&all, &Request { qos: Some("high".to_owned()), jobs: 2, ..ada() }), None);
    }
    all.qos[0] = normal;
    all.associations[1].own = most(3);
    is_refused(&all, &ada(), refusal::POLICY);
    assert_eq!(said(&all, &Request { jobs: 0, ..ada() }), None, "it is submitted already");
    all.associations[1].own = TresLimits::default();
    all.associations[0].group = most(3);
    is_refused(&all, &ada(), refusal::POLICY);
}

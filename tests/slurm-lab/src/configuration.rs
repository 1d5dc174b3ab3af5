//! The configuration files of a lab's Slurm, and where in a lab's ports each daemon listens.
//!
//! Not for: what is to be configured (`settings.rs`).

use std::fs;

use anyhow::Result;
use serde::{Deserialize, Serialize};

use crate::folder::{Folder, open_to};
use crate::node_lines;
use crate::settings::{ClusterSettings, LabSettings};

/// For how long, in real seconds, a node accepts the order to start a job. Slurm's own 120 s would be a blink at 100
/// times the speed; but a requeued job waits for as long before it may start again, so it must not be long either.
const CREDENTIAL_REAL_SECONDS: u32 = 10;
/// For how long, in real seconds, daemons wait for each other on a busy machine.
const PATIENCE_REAL_SECONDS: u32 = 60;
/// Three partitions, so that preemption can be had in every lab: `urgent` takes nodes from `scavenger`, never from `batch`.
const PARTITIONS: &str = "PartitionName=DEFAULT Nodes=ALL MaxTime=7-0 DefaultTime=1:00:00 DefMemPerCPU=100 State=UP
PartitionName=batch Default=YES PriorityTier=5 PreemptMode=OFF
PartitionName=scavenger PriorityTier=1 PreemptMode=REQUEUE
PartitionName=urgent PriorityTier=10 PreemptMode=OFF";

/// The ports of a lab.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PortPlan {
    /// slurmdbd.
    pub accounting: u16,
    /// `MariaDB`.
    pub database: u16,
    /// One entry a cluster, in the order of the settings.
    pub clusters: Vec<ClusterPorts>,
}

/// The ports of one cluster.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ClusterPorts {
    /// slurmctld.
    pub controller: u16,
    /// slurmrestd with tokens.
    pub rest: u16,
    /// The slurmd of the first node; the others follow.
    pub first_node: u16,
}

impl PortPlan {
    /// How many ports a lab needs.
    pub fn size(settings: &LabSettings) -> u16 {
        2 + settings.clusters.iter().map(|cluster| 2 + cluster.nodes).sum::<u16>()
    }

    /// The plan from this port on.
    pub fn from(first: u16, settings: &LabSettings) -> Self {
        let mut next = first + 2;
        let clusters = settings.clusters.iter().map(|cluster| {
            let ports = ClusterPorts { controller: next, rest: next + 1, first_node: next + 2 };
            next += 2 + cluster.nodes;
            ports
        });
        Self { accounting: first, database: first + 1, clusters: clusters.collect() }
    }
}

/// Writes all configuration files.
pub fn write(folder: &Folder, settings: &LabSettings, ports: &PortPlan) -> Result<()> {
    let accounting = folder.configuration("slurmdbd.conf");
    fs::write(&accounting, slurmdbd(folder, ports))?;
    // slurmdbd refuses a file with the database's password that others may read.
    open_to(&accounting, 0o600)?;
    for (cluster, cluster_ports) in settings.clusters.iter().zip(&ports.clusters) {
        fs::create_dir_all(folder.state(&cluster.name))?;
        for node in 1..=cluster.nodes {
            fs::create_dir_all(folder.spool(&cluster.name).join(format!("{}{node}", cluster.name)))?;
        }
        let text = slurm(folder, settings, cluster, cluster_ports, ports.accounting);
        fs::write(folder.slurm_configuration(&cluster.name), text)?;
    }
    let devices = folder.running("");
    let gpus = settings.clusters.iter().map(|cluster| node_lines::of_gpus(cluster, &devices)).collect::<String>();
    if !gpus.is_empty() {
        // Slurm looks for it beside slurm.conf; every line names its nodes, so the clusters may share it.
        fs::write(folder.configuration("gres.conf"), gpus)?;
        for gpu in 0..settings.clusters.iter().map(node_lines::gpus_at_most).max().unwrap_or(0) {
            fs::write(devices.join(node_lines::device(gpu)), "")?;
        }
    }
    Ok(())
}

fn slurmdbd(folder: &Folder, ports: &PortPlan) -> String {
    format!(
        "AuthType=auth/munge
AuthInfo=socket={munge}
AuthAltTypes=auth/jwt
AuthAltParameters=jwt_key={token_key}
DbdHost=localhost
DbdAddr=127.0.0.1
DbdPort={port}
SlurmUser=root
PidFile={pid}
LogFile={log}
StorageType=accounting_storage/mysql
StorageHost=127.0.0.1
StoragePort={database}
StorageUser=slurm
StoragePass=slurm
StorageLoc=slurm_acct_db
CommunicationParameters=NoInAddrAny
",
        munge = folder.munge_socket().display(),
        token_key = folder.configuration("jwt.key").display(),
        port = ports.accounting,
        pid = folder.running("slurmdbd.own").display(),
        log = folder.log("slurmdbd.log").display(),
        database = ports.database,
    )
}

/// One cluster's `slurm.conf`. Why, where it is not plain:
///
/// - slurmctld finds slurmdbd's munge by `AccountingStoragePass`, not by `AuthInfo`.
/// - `config_overrides`: nodes are believed to have what this file says, not what the machine has.
/// - A wide tree: nodes need not pass messages on for each other, which on one machine only costs time.
fn slurm(
    folder: &Folder,
    settings: &LabSettings,
    cluster: &ClusterSettings,
    ports: &ClusterPorts,
    accounting: u16,
) -> String {
    let name = &cluster.name;
    format!(
        "ClusterName={name}
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort={controller}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={munge},cred_expire={credential_seconds}
AuthAltTypes=auth/jwt
AuthAltParameters=jwt_key={token_key}
CredType=cred/munge
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
StateSaveLocation={state}
SlurmctldPidFile={run}/slurmctld-{name}.own
SlurmdPidFile={run}/slurmd-%n.own
SlurmdSpoolDir={spool}/%n
SlurmctldLogFile={log}/slurmctld-{name}.log
SlurmdLogFile={log}/slurmd-{name}.log
SlurmdDebug=error
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
SwitchType=switch/none
MailProg=/bin/true
SlurmdParameters=config_overrides
ReturnToService=2
TreeWidth=65533
SlurmdTimeout={node_timeout}
MessageTimeout={patience_seconds}
UnkillableStepTimeout={unkillable_seconds}
InactiveLimit=0
KillWait={kill_wait_seconds}
MinJobAge={kept}
MaxJobCount=100000
MaxArraySize=10001
SchedulerType=sched/backfill
SchedulerParameters={scheduler}
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
PriorityType=priority/multifactor
PriorityWeightAge=1000
PriorityMaxAge=7-0
PriorityWeightQOS=10000
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=127.0.0.1
AccountingStoragePort={accounting}
AccountingStoragePass={munge}
AccountingStorageEnforce=associations
AccountingStoreFlags=job_comment,job_script
{node_lines}
{partitions}
{further}
",
        controller = ports.controller,
        munge = folder.munge_socket().display(),
        credential_seconds = CREDENTIAL_REAL_SECONDS * settings.speed,
        token_key = folder.configuration("jwt.key").display(),
        state = folder.state(name).display(),
        run = folder.running("").display().to_string().trim_end_matches('/'),
        log = folder.log("").display().to_string().trim_end_matches('/'),
        spool = folder.spool(name).display(),
        node_timeout = settings.silent_node_down_after_seconds.unwrap_or(0),
        // Slurm refuses more than this.
        patience_seconds = (PATIENCE_REAL_SECONDS * settings.speed).min(6_000),
        unkillable_seconds = (PATIENCE_REAL_SECONDS * settings.speed).min(60_000),
        kill_wait_seconds = if settings.speed > 1 { 30 } else { 2 },
        kept = settings.ended_jobs_kept_seconds,
        scheduler = settings.scheduler_parameters(),
        node_lines = node_lines::of_nodes(cluster, ports.first_node),
        partitions = cluster.partitions.as_deref().unwrap_or(PARTITIONS),
        further = cluster.further_configuration,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_daemons_share_a_port() {
        let clusters = vec![ClusterSettings::new("alpha", 3), ClusterSettings::new("beta", 2)];
        let settings = LabSettings { clusters, ..LabSettings::default() };
        let plan = PortPlan::from(100, &settings);
        assert_eq!((plan.clusters[0].controller, plan.clusters[0].first_node), (102, 104));
        assert_eq!((plan.clusters[1].controller, plan.clusters[1].first_node), (107, 109));
        assert_eq!(100 + PortPlan::size(&settings), 111);
    }
}

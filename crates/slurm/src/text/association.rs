//! `sacctmgr show association`: an association a line; and `sshare`, a share a line.
//!
//! For: the tree of accounts and users with its shares and limits ([`AssociationRecord`]), and what was used of them
//! ([`ShareRecord`]).
//!
//! Source: sacctmgr(1), sshare(1) of 22.05 and 22.05.8 in our lab. The account is asked for last and takes the rest of its line.
//! sshare indents it by its depth in the tree. An empty number of shares is the root's; `parent` is what the parent has.

use super::accounting_list::{Column, Row, lines};
use super::listing::{Listing, Wrong};
use queuecast_records::{AssociationRecord, ShareRecord, Shares, Tres, TresLimits};

/// What is asked for, in this order; the account at the end.
const COLUMNS: [&str; 22] = [
    "Cluster",
    "User",
    "Partition",
    "ParentName",
    "ID",
    "Share",
    "Priority",
    "QOS",
    "DefaultQOS",
    "GrpJobs",
    "GrpSubmit",
    "GrpTRES",
    "GrpTRESMins",
    "GrpTRESRunMins",
    "GrpWall",
    "MaxJobs",
    "MaxSubmit",
    "MaxTRES",
    "MaxTRESPerNode",
    "MaxTRESMins",
    "MaxWall",
    "Account",
];

/// Likewise of sshare.
const SHARE_COLUMNS: [&str; 9] =
    ["User", "Partition", "RawShares", "NormShares", "RawUsage", "EffectvUsage", "FairShare", "LevelFS", "Account"];

/// What sacctmgr is to be asked: `sacctmgr --parsable2 --noheader show association format=...`.
pub fn association_format() -> String {
    format!("format={}", COLUMNS.join(","))
}

/// What sshare is to be asked: `sshare --all --parsable2 --noheader --format=...`.
pub fn share_format() -> String {
    format!("--format={}", SHARE_COLUMNS.join(","))
}

/// Reads what sacctmgr prints for [`association_format`].
pub fn associations(bytes: &[u8]) -> Listing<AssociationRecord> {
    lines(bytes, association)
}

/// Reads what sshare prints for [`share_format`].
pub fn shares(bytes: &[u8]) -> Listing<ShareRecord> {
    lines(bytes, share)
}

fn association(line: &str) -> Result<AssociationRecord, Wrong> {
    let row = Row::of(line, &COLUMNS)?;
    let cluster = row.get("Cluster").text();
    if cluster.is_empty() {
        return Err(Wrong::missing("Cluster", line));
    }
    let id = row.get("ID").count()?;
    Ok(AssociationRecord {
        cluster,
        account: row.last()?.to_owned(),
        user: row.get("User").text(),
        partition: row.get("Partition").text(),
        parent: row.get("ParentName").text(),
        id: id.and_then(|id| u32::try_from(id).ok()),
        shares: written_shares(row.get("Share"))?,
        priority: row.get("Priority").count()?.unwrap_or(0),
        qos: row.get("QOS").words(),
        qos_default: row.get("DefaultQOS").text(),
        group: TresLimits {
            jobs: row.get("GrpJobs").count()?,
            submitted_jobs: row.get("GrpSubmit").count()?,
            tres: row.get("GrpTRES").tres()?,
        },
        group_minutes: row.get("GrpTRESMins").tres()?,
        group_running_minutes: row.get("GrpTRESRunMins").tres()?,
        group_wall: row.get("GrpWall").limit()?,
        own: TresLimits {
            jobs: row.get("MaxJobs").count()?,
            submitted_jobs: row.get("MaxSubmit").count()?,
            tres: Tres::default(),
        },
        per_job: row.get("MaxTRES").tres()?,
        per_node: row.get("MaxTRESPerNode").tres()?,
        minutes_per_job: row.get("MaxTRESMins").tres()?,
        wall: row.get("MaxWall").limit()?,
    })
}

fn share(line: &str) -> Result<ShareRecord, Wrong> {
    let row = Row::of(line, &SHARE_COLUMNS)?;
    Ok(ShareRecord {
        account: row.last()?.to_owned(),
        user: row.get("User").text(),
        partition: row.get("Partition").text(),
        shares: written_shares(row.get("RawShares"))?,
        normalized_shares: row.get("NormShares").decimal()?,
        usage: row.get("RawUsage").decimal()?.filter(|usage| usage.is_finite()).unwrap_or(0.0),
        effective_usage: row.get("EffectvUsage").decimal()?,
        fair_share: row.get("FairShare").decimal()?,
        level: row.get("LevelFS").decimal()?,
    })
}

fn written_shares(column: Column<'_>) -> Result<Shares, Wrong> {
    if column.value == "parent" {
        return Ok(Shares::Parent);
    }
    Ok(column.count()?.map(Shares::of).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use queuecast_records::TimeLimit;

    /// As 22.05.8 printed it in our lab.
    #[test]
    fn associations_have_shares_limits_and_a_cluster() {
        let read = associations(
            b"alpha||||1|1||normal||||||||||||||root\n\
            alpha|||root|3|5|3|normal||9|20|cpu=40,gres/gpu=3|cpu=10000,mem=2T|cpu=2000|16:40:00|||||||proj1\n\
            alpha|user01|||7|parent|3|normal||||||||4|6|cpu=16|cpu=8|cpu=600|02:30:00|proj1\n\
            beta|user03|batch||16|1||normal,urgent|urgent|||||||||||||proj|1\n",
        );
        assert_eq!(read.problems, []);
        let [root, account, user, other] = &read.records[..] else { panic!("{read:?}") };
        assert_eq!((root.account.as_str(), root.parent.as_str(), root.id), ("root", "", Some(1)));
        assert_eq!((account.shares, account.priority, account.parent.as_str()), (Shares::Number(5), 3, "root"));
        assert_eq!((account.group.jobs, account.group.submitted_jobs), (Some(9), Some(20)));
        assert_eq!((account.group.tres.gpus, account.group_minutes.memory_mebibytes), (Some(3), Some(2_097_152)));
        assert_eq!((account.group_running_minutes.cpus, account.group_wall), (Some(2000), TimeLimit::Minutes(1000)));
        assert_eq!((user.shares, user.own.jobs, user.own.submitted_jobs), (Shares::Parent, Some(4), Some(6)));
        assert_eq!((user.per_job.cpus, user.per_node.cpus, user.minutes_per_job.cpus), (Some(16), Some(8), Some(600)));
        assert_eq!(user.wall, TimeLimit::Minutes(150));
        assert_eq!(
            (other.cluster.as_str(), other.partition.as_str(), other.account.as_str()),
            ("beta", "batch", "proj|1")
        );
        assert_eq!((other.qos_default.as_str(), other.qos.len()), ("urgent", 2));
    }

    /// As 22.05.8 printed it in our lab, with usage.
    #[test]
    fn shares_of_the_root_of_accounts_and_of_users_are_read() {
        let read = shares(
            b"|||0.000000|0|1.000000|||root\n\
            root||1|0.111111|0|0.000000|1.000000|inf| root\n\
            ||5|0.555556|7200|0.750000||0.740741| proj1\n\
            user01||parent|0.555556|0|0.000000|1.000000||  proj1\n\
            user03|batch|1|0.333333|3600|0.500000|0.250000|0.666667|  proj1\n",
        );
        assert_eq!(read.problems, []);
        let told: Vec<_> = read.records.iter().map(|share| (share.account.as_str(), share.user.as_str())).collect();
        assert_eq!(told, [("root", ""), ("root", "root"), ("proj1", ""), ("proj1", "user01"), ("proj1", "user03")]);
        assert_eq!((read.records[0].shares, read.records[0].level), (Shares::Number(1), None));
        assert_eq!((read.records[1].level, read.records[1].fair_share), (Some(f64::INFINITY), Some(1.0)));
        assert_eq!((read.records[2].fair_share, read.records[2].effective_usage), (None, Some(0.75)));
        assert_eq!((read.records[3].shares, read.records[3].level), (Shares::Parent, None));
        assert_eq!(
            (read.records[4].partition.as_str(), read.records[4].usage.to_bits()),
            ("batch", 3600_f64.to_bits())
        );
    }

    #[test]
    fn a_damaged_line_is_named_and_costs_no_other() {
        let read = shares(b"x||one|0.5|0|0|||a\nu||1|half|0|0|||a\nu||1\nu||1|0.5|0|0|0.5|1| \nu||1|0.5|0|0|0.5|1|a\n");
        assert_eq!(read.records.len(), 1);
        let told: Vec<String> = read.problems.iter().map(ToString::to_string).collect();
        assert_eq!(told[0], "1:RawShares: `one` is not a whole number");
        assert_eq!(told[1], "2:NormShares: `half` is not a number");
        assert_eq!((told.len(), &told[2][..9], &told[3][..9]), (4, "3:Account", "4:Account"));
        let read =
            associations(b"|user01|||7|1||normal||||||||||||||proj1\nalpha|user01|||x|1||normal||||||||||||||proj1\n");
        assert_eq!(
            (read.records.len(), read.problems[0].name.as_str(), read.problems[1].name.as_str()),
            (0, "Cluster", "ID")
        );
    }
}

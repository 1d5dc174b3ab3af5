//! `sacctmgr show qos`: a quality of service a line, columns delimited by bars; and `sacctmgr show user`, a user a line.
//!
//! For: the limits of [`QosRecord`]; what users are beyond users ([`UserRecord`]).
//!
//! Not for: associations and shares (`association`).
//!
//! Source: sacctmgr(1) of 22.05 and 22.05.8 in our lab. It has no other delimiter than the bar, and a name may hold
//! one (tried): the name is asked for last, and takes the rest of its line. Of users a line with a bar too many is refused instead: it is
//! better that nobody is an operator than somebody else.

use super::accounting_list::{Column, Row, lines};
use super::listing::{Listing, Wrong};
use queuecast_records::{AdminLevel, QosRecord, TresLimits, UserRecord};

/// What is asked for, in this order; the name at the end.
const COLUMNS: [&str; 29] = [
    "Priority",
    "Flags",
    "Preempt",
    "PreemptMode",
    "PreemptExemptTime",
    "GraceTime",
    "UsageFactor",
    "UsageThres",
    "LimitFactor",
    "GrpJobs",
    "GrpSubmit",
    "GrpTRES",
    "MaxJobsPU",
    "MaxSubmitPU",
    "MaxTRESPU",
    "MaxJobsPA",
    "MaxSubmitPA",
    "MaxTRESPA",
    "MaxTRES",
    "MaxTRESPerNode",
    "MinTRES",
    "GrpTRESMins",
    "GrpTRESRunMins",
    "MaxTRESMins",
    "MaxTRESRunMinsPU",
    "MaxTRESRunMinsPA",
    "GrpWall",
    "MaxWall",
    "Name",
];

/// What sacctmgr is to be asked: `sacctmgr --parsable2 --noheader show qos format=...`.
pub fn qos_format() -> String {
    format!("format={}", COLUMNS.join(","))
}

/// What sacctmgr is to be asked about users: `sacctmgr --parsable2 --noheader show user withcoordinator format=...`.
pub const USER_FORMAT: &str = "format=AdminLevel,Coordinators,User";

/// Reads what it prints then.
pub fn users(bytes: &[u8]) -> Listing<UserRecord> {
    lines(bytes, user)
}

fn user(line: &str) -> Result<UserRecord, Wrong> {
    let mut columns = line.split('|');
    let (Some(level), Some(accounts), Some(name), None) =
        (columns.next(), columns.next(), columns.next(), columns.next())
    else {
        return Err(Wrong::not("User", line, "three columns"));
    };
    if name.is_empty() {
        return Err(Wrong::missing("User", line));
    }
    Ok(UserRecord {
        name: name.to_owned(),
        user_id: None,
        level: AdminLevel::of(level),
        coordinates: Column { name: "Coordinators", value: accounts }.words(),
    })
}

/// Reads what it prints for [`qos_format`].
pub fn qos(bytes: &[u8]) -> Listing<QosRecord> {
    lines(bytes, decode)
}

fn decode(line: &str) -> Result<QosRecord, Wrong> {
    let row = Row::of(line, &COLUMNS)?;
    let limits = |jobs, submitted_jobs, tres| -> Result<TresLimits, Wrong> {
        Ok(TresLimits {
            jobs: row.get(jobs).count()?,
            submitted_jobs: row.get(submitted_jobs).count()?,
            tres: row.get(tres).tres()?,
        })
    };
    let tres = |name| row.get(name).tres();
    Ok(QosRecord {
        name: row.last()?.to_owned(),
        priority: row.get("Priority").count()?.unwrap_or(0),
        flags: row.get("Flags").words(),
        preempts: row.get("Preempt").words(),
        group: limits("GrpJobs", "GrpSubmit", "GrpTRES")?,
        per_user: limits("MaxJobsPU", "MaxSubmitPU", "MaxTRESPU")?,
        per_account: limits("MaxJobsPA", "MaxSubmitPA", "MaxTRESPA")?,
        per_job: tres("MaxTRES")?,
        wall: row.get("MaxWall").limit()?,
        usage_factor: row.get("UsageFactor").decimal()?.unwrap_or(1.0),
        usage_threshold: row.get("UsageThres").decimal()?,
        limit_factor: row.get("LimitFactor").decimal()?,
        preempt_modes: preempt_modes(row.get("PreemptMode")),
        preempt_exempt: row.get("PreemptExemptTime").span()?,
        grace: row.get("GraceTime").span()?,
        group_minutes: tres("GrpTRESMins")?,
        group_running_minutes: tres("GrpTRESRunMins")?,
        minutes_per_job: tres("MaxTRESMins")?,
        running_minutes_per_user: tres("MaxTRESRunMinsPU")?,
        running_minutes_per_account: tres("MaxTRESRunMinsPA")?,
        group_wall: row.get("GrpWall").limit()?,
        per_node: tres("MaxTRESPerNode")?,
        min_per_job: tres("MinTRES")?,
    })
}

/// `cluster` is the cluster's setting: none of its own.
fn preempt_modes(column: Column<'_>) -> Vec<String> {
    let words = column.words().into_iter().filter(|word| !word.eq_ignore_ascii_case("cluster"));
    words.map(|word| word.to_ascii_uppercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use queuecast_records::TimeLimit;
    use queuecast_workload::Seconds;

    /// As 22.05.8 printed it in our lab.
    const PRINTED: &str = "0|||cluster||00:00:00|1.000000||||||||||||||||||||||normal
100|DenyOnLimit,NoReserve|normal|requeue|00:05:00|00:01:00|2.500000|0.250000|1.500000|50|99|cpu=1000,mem=2T|5|7|cpu=64|6|8|cpu=9|node=3|cpu=10|cpu=2|cpu=5000|cpu=700|cpu=800|cpu=900|cpu=950|2-02:00:00|2-12:30:00|urgent
0|||cluster||00:00:00|1.000000||||||||||||||||||||||we ird|x
";

    #[test]
    fn limits_are_read_and_a_name_may_hold_bars() {
        let read = qos(PRINTED.as_bytes());
        assert_eq!(read.problems, []);
        let names: Vec<&str> = read.records.iter().map(|qos| qos.name.as_str()).collect();
        assert_eq!(names, ["normal", "urgent", "we ird|x"]);
        assert_eq!(read.records[0], QosRecord { name: "normal".to_owned(), ..QosRecord::default() });
        let urgent = &read.records[1];
        assert_eq!((urgent.priority, urgent.flags.len(), urgent.preempts.len()), (100, 2, 1));
        assert_eq!((urgent.group.jobs, urgent.group.submitted_jobs), (Some(50), Some(99)));
        assert_eq!((urgent.per_user.jobs, urgent.per_user.tres.cpus), (Some(5), Some(64)));
        assert_eq!((urgent.per_account.submitted_jobs, urgent.per_job.nodes), (Some(8), Some(3)));
        assert_eq!((urgent.wall, urgent.group_wall), (TimeLimit::Minutes(3630), TimeLimit::Minutes(3000)));
        assert_eq!((urgent.usage_threshold, urgent.limit_factor), (Some(0.25), Some(1.5)));
        assert!((urgent.usage_factor - 2.5).abs() < 1e-9);
        assert_eq!((urgent.preempt_modes.join("+"), urgent.preempt_exempt), ("REQUEUE".to_owned(), Some(Seconds(300))));
        assert_eq!(
            (urgent.grace, urgent.per_node.cpus, urgent.min_per_job.cpus),
            (Some(Seconds(60)), Some(10), Some(2))
        );
        assert_eq!((urgent.group_minutes.cpus, urgent.group_running_minutes.cpus), (Some(5000), Some(700)));
        let running = (urgent.running_minutes_per_user.cpus, urgent.running_minutes_per_account.cpus);
        assert_eq!((urgent.minutes_per_job.cpus, running), (Some(800), (Some(900), Some(950))));
    }

    /// As 22.05.8 printed it in our lab.
    #[test]
    fn users_are_what_slurm_says_and_a_line_that_can_be_cut_in_two_ways_is_nobody() {
        let read = users(
            b"Administrator||root\nNone|proj1,proj2|user01\nOperator||user02\nNone||user03\n\
            None|a|b|user04\nNone|\nNone||\n",
        );
        let read_as: Vec<_> =
            read.records.iter().map(|user| (user.name.as_str(), user.level, user.coordinates.join("+"))).collect();
        let none = AdminLevel::None;
        assert_eq!(
            read_as,
            [
                ("root", AdminLevel::Administrator, String::new()),
                ("user01", none, "proj1+proj2".to_owned()),
                ("user02", AdminLevel::Operator, String::new()),
                ("user03", none, String::new())
            ]
        );
        assert_eq!(read.problems.len(), 3, "{:?}", read.problems);
        assert_eq!(read.problems[0].to_string(), "5:User: `None|a|b|user04` is not three columns");
    }

    #[test]
    fn a_damaged_line_is_named_and_costs_no_other() {
        let damaged = PRINTED.replacen("0|||cluster", "x|||cluster", 1).replacen("00:01:00", "soon", 1) + "0|||\n";
        let read = qos(damaged.as_bytes());
        assert_eq!(read.records.len(), 1);
        assert_eq!(read.problems[0].to_string(), "1:Priority: `x` is not a whole number");
        assert_eq!(read.problems[1].to_string(), "2:GraceTime: `soon` is not a span of time");
        assert_eq!(read.problems[2].to_string(), "4:Name: missing in `0|||`");
    }
}

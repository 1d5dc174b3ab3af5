//! `sacctmgr show qos`: a quality of service a line, columns delimited by bars; and `sacctmgr show user`, a user a line.
//!
//! For: the limits of [`QosRecord`]; what users are beyond users ([`UserRecord`]).
//!
//! Not for: other entities.
//!
//! Source: sacctmgr(1) of 22.05 and 22.05.8 in our lab. It has no other delimiter than the bar, and a name may hold
//! one (tried): the name is asked for last, and takes the rest of its line. Of users a line with a bar too many is refused instead: it is
//! better that nobody is an operator than somebody else.

use super::listing::{Listing, Wrong};
use super::value;
use queuecast_records::{AdminLevel, QosRecord, TimeLimit, Tres, TresLimits, UserRecord};

/// What is asked for, in this order; the name at the end.
const COLUMNS: [&str; 15] = [
    "Priority",
    "Flags",
    "Preempt",
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
    let text = String::from_utf8_lossy(bytes);
    let mut listing = Listing::empty();
    for (number, line) in (1_u64..).zip(text.lines()).filter(|(_, line)| !line.is_empty()) {
        listing.take(number, user(line));
    }
    listing
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
    let text = String::from_utf8_lossy(bytes);
    let mut listing = Listing::empty();
    for (number, line) in (1_u64..).zip(text.lines()).filter(|(_, line)| !line.is_empty()) {
        listing.take(number, decode(line));
    }
    listing
}

fn decode(line: &str) -> Result<QosRecord, Wrong> {
    let mut values = line.splitn(COLUMNS.len(), '|');
    let mut columns = COLUMNS.iter().map(|&name| Some(Column { name, value: values.next()? }));
    let mut next = || columns.next().flatten().ok_or_else(|| Wrong::missing("Name", line));
    let (priority, flags, preempts) = (next()?, next()?, next()?);
    let mut limits = || -> Result<TresLimits, Wrong> {
        Ok(TresLimits { jobs: next()?.count()?, submitted_jobs: next()?.count()?, tres: next()?.tres()? })
    };
    let (group, per_user, per_account) = (limits()?, limits()?, limits()?);
    let (per_job, wall, name) = (next()?.tres()?, next()?.limit()?, next()?);
    if name.value.is_empty() {
        return Err(Wrong::missing("Name", line));
    }
    Ok(QosRecord {
        name: name.value.to_owned(),
        priority: priority.count()?.unwrap_or(0),
        flags: flags.words(),
        preempts: preempts.words(),
        group,
        per_user,
        per_account,
        per_job,
        wall,
        ..QosRecord::default()
    })
}

/// A value and whose it is. An empty one is no limit.
#[derive(Clone, Copy)]
struct Column<'a> {
    name: &'static str,
    value: &'a str,
}

impl Column<'_> {
    fn count(self) -> Result<Option<u64>, Wrong> {
        if self.value.is_empty() {
            return Ok(None);
        }
        let count = value::digits(self.value.as_bytes()).and_then(|number| u64::try_from(number).ok());
        count.map(Some).ok_or_else(|| Wrong::not(self.name, self.value, "a whole number"))
    }

    fn tres(self) -> Result<Tres, Wrong> {
        Tres::parse(self.value.as_bytes()).ok_or_else(|| Wrong::not(self.name, self.value, "a list of resources"))
    }

    fn limit(self) -> Result<TimeLimit, Wrong> {
        value::limit(self.value.as_bytes()).ok_or_else(|| Wrong::not(self.name, self.value, "a time limit"))
    }

    fn words(self) -> Vec<String> {
        self.value.split(',').filter(|word| !word.is_empty()).map(str::to_owned).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As 22.05.8 printed it in our lab.
    #[test]
    fn limits_are_read_and_a_name_may_hold_bars() {
        let read = qos(b"0||||||||||||||normal\n\
            100|DenyOnLimit,NoReserve|normal|50|99|cpu=1000,mem=2T|5|7|cpu=64|6|8|cpu=9|node=3|2-12:30:00|urgent\n\
            0||||||||||||||we ird|x\n");
        assert_eq!(read.problems, []);
        let names: Vec<&str> = read.records.iter().map(|qos| qos.name.as_str()).collect();
        assert_eq!(names, ["normal", "urgent", "we ird|x"]);
        assert_eq!((read.records[0].group, read.records[0].wall), (TresLimits::default(), TimeLimit::NotKnown));
        let urgent = &read.records[1];
        assert_eq!((urgent.priority, urgent.flags.len(), urgent.preempts.len()), (100, 2, 1));
        assert_eq!((urgent.group.jobs, urgent.group.submitted_jobs), (Some(50), Some(99)));
        assert_eq!((urgent.per_user.jobs, urgent.per_user.tres.cpus), (Some(5), Some(64)));
        assert_eq!((urgent.per_account.submitted_jobs, urgent.per_job.nodes), (Some(8), Some(3)));
        assert_eq!(urgent.wall, TimeLimit::Minutes(3630));
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
        let read = qos(b"x||||||||||||||normal\n0|||\n0||||||||||||||other\n");
        assert_eq!(read.records.len(), 1);
        assert_eq!(read.problems[0].to_string(), "1:Priority: `x` is not a whole number");
        assert_eq!(read.problems[1].to_string(), "2:Name: it is missing in `0|||`");
    }
}

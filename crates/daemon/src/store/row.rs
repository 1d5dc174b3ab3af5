//! A job's row: the columns of `jobs`, from a record and back.
//!
//! For: one place that knows the columns' order. A record read back has what forecasts and history need; comments, command
//! lines, priorities and reasons are not kept.
//!
//! Not for: which record describes a job (`queuecast_site::ledger`).

use std::sync::LazyLock;

use queuecast_records::history::History;
use queuecast_records::{JobKey, JobRecord, JobState, TimeLimit, Tres};
use queuecast_workload::{Seconds, Time};
use rusqlite::types::{FromSql, Value};
use rusqlite::{Connection, Row, params_from_iter};

use super::checksum::checksum_of;
use super::words::{part, state_words, written};
use queuecast_site::ledger::{Absence, Known, Stage};

/// The columns of `jobs` between `id` and `checksum`, in their order.
pub(super) const COLUMNS: [&str; 29] = [
    "cluster",
    "job_id",
    "part",
    "submitted",
    "tasks",
    "name",
    "user",
    "user_id",
    "account",
    "partitions",
    "qos",
    "limit_seconds",
    "limit_text",
    "requested_cpus",
    "requested_nodes",
    "requested_memory_mebibytes",
    "requested_gpus",
    "allocated_cpus",
    "allocated_nodes",
    "allocated_memory_mebibytes",
    "allocated_gpus",
    "nodes",
    "state",
    "eligible",
    "started",
    "ended",
    "run_seconds",
    "absent",
    "stage",
];

/// Where the columns are that are changed one by one.
const CLUSTER: usize = 0;
const USER: usize = 6;
const USER_ID: usize = 7;
const STARTED: usize = 24;
const ENDED: usize = 25;
const ABSENT: usize = 27;
const STAGE: usize = 28;

/// `id` and the columns, for a statement that reads rows.
pub(super) static SELECTED: LazyLock<String> = LazyLock::new(|| format!("jobs.id, jobs.{}", COLUMNS.join(", jobs.")));

static INSERT: LazyLock<String> = LazyLock::new(|| {
    let places: Vec<String> = (1..=COLUMNS.len() + 1).map(|place| format!("?{place}")).collect();
    format!("INSERT INTO jobs ({}, checksum) VALUES ({})", COLUMNS.join(", "), places.join(", "))
});

static UPDATE: LazyLock<String> = LazyLock::new(|| {
    let places: Vec<String> =
        COLUMNS.iter().enumerate().map(|(place, name)| format!("{name} = ?{}", place + 1)).collect();
    format!("UPDATE jobs SET {}, checksum = ?30 WHERE id = ?31", places.join(", "))
});

static SELECT: LazyLock<String> = LazyLock::new(|| format!("SELECT {} FROM jobs WHERE id = ?1", *SELECTED));

/// The values of a row, `id` and `checksum` left out.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct JobRow(Vec<Value>);

impl JobRow {
    /// The row of a job that this record describes.
    pub fn of(record: &JobRecord, cluster: &str, known: &Known) -> Self {
        let text = |text: &str| Value::Text(text.to_owned());
        let time = |time: Option<Time>| Value::from(time.map(|time| time.0));
        let (part, tasks) = written(&record.key.part);
        let limit_text = match record.limit {
            TimeLimit::NotKnown | TimeLimit::Minutes(_) => "",
            TimeLimit::PartitionLimit => "partition",
            TimeLimit::Unlimited => "unlimited",
        };
        let limit_seconds = match record.limit {
            TimeLimit::Minutes(minutes) => Some(i64::from(minutes) * 60),
            _ => None,
        };
        let [requested, allocated] = [record.requested, record.allocated]
            .map(|tres| [tres.cpus, tres.nodes, tres.memory_mebibytes, tres.gpus])
            .map(|amounts| amounts.map(|amount| Value::from(amount.map(u64::cast_signed))));
        let mut values = vec![
            text(cluster),
            Value::Integer(record.key.job_id.cast_signed()),
            Value::Text(part),
            Value::Integer(record.key.submitted.0),
            text(tasks),
            text(&record.name),
            text(&record.user),
            Value::from(record.user_id),
            text(&record.account),
            Value::Text(record.partitions.join(",")),
            text(&record.qos),
            Value::from(limit_seconds),
            text(limit_text),
        ];
        values.extend(requested);
        values.extend(allocated);
        values.extend([text(&record.nodes), Value::Text(state_words(record.state)), time(record.eligible)]);
        values.extend([
            time(known.started),
            time(known.left),
            Value::from(run_seconds(record, known).map(|run| run.0)),
        ]);
        values.extend([Value::Null, Value::Null]);
        let mut row = Self(values);
        row.set_known(known);
        row
    }

    /// The row with this number.
    pub fn read(connection: &Connection, id: i64) -> rusqlite::Result<Self> {
        connection.prepare_cached(&SELECT)?.query_row([id], |row| {
            Ok(Self((1..=COLUMNS.len()).map(|place| row.get(place)).collect::<rusqlite::Result<_>>()?))
        })
    }

    /// What is known of it, its description left as it is.
    pub fn set_known(&mut self, known: &Known) {
        let absent = known.absence.map(|(Absence::Lost(at) | Absence::Dissolved(at))| at.0);
        self.0[STARTED] = Value::from(known.started.map(|time| time.0));
        self.0[ENDED] = Value::from(known.left.map(|time| time.0));
        self.0[ABSENT] = Value::from(absent);
        self.0[STAGE] = Value::Text(known.stage().word().to_owned());
    }

    /// Whose it is, which some dialects leave out and which never changes.
    pub fn fill_user(&mut self, user: &str, user_id: Option<u32>) {
        if matches!(&self.0[USER], Value::Text(known) if known.is_empty()) {
            self.0[USER] = Value::Text(user.to_owned());
        }
        if self.0[USER_ID] == Value::Null {
            self.0[USER_ID] = Value::from(user_id);
        }
    }

    pub fn set_cluster(&mut self, cluster: &str) {
        self.0[CLUSTER] = Value::Text(cluster.to_owned());
    }

    pub fn checksum(&self) -> i64 {
        checksum_of(&self.0)
    }

    /// Writes it as a new row, and says which.
    pub fn insert(&self, connection: &Connection) -> rusqlite::Result<i64> {
        let checksum = Value::Integer(self.checksum());
        connection.prepare_cached(&INSERT)?.insert(params_from_iter(self.0.iter().chain([&checksum])))
    }

    /// Writes it over the row with this number.
    pub fn update(&self, connection: &Connection, id: i64) -> rusqlite::Result<()> {
        let (checksum, id) = (Value::Integer(self.checksum()), Value::Integer(id));
        connection.prepare_cached(&UPDATE)?.execute(params_from_iter(self.0.iter().chain([&checksum, &id])))?;
        Ok(())
    }
}

/// Reads a row's columns one behind the other: by name, looking for them takes longer than reading them.
struct InOrder<'a, 'row> {
    row: &'a Row<'row>,
    next: usize,
}

impl InOrder<'_, '_> {
    fn take<T: FromSql>(&mut self) -> rusqlite::Result<T> {
        let value = self.row.get(self.next)?;
        self.next += 1;
        Ok(value)
    }

    fn time(&mut self) -> rusqlite::Result<Option<Time>> {
        Ok(self.take::<Option<i64>>()?.map(Time))
    }

    fn resources(&mut self) -> rusqlite::Result<Tres> {
        let mut amount = || Ok::<_, rusqlite::Error>(self.take::<Option<i64>>()?.map(i64::cast_unsigned));
        Ok(Tres { cpus: amount()?, nodes: amount()?, memory_mebibytes: amount()?, gpus: amount()?, billing: None })
    }
}

/// The record a row selected as [`SELECTED`] tells of.
pub(super) fn record(row: &Row<'_>) -> rusqlite::Result<JobRecord> {
    let mut columns = InOrder { row, next: 1 };
    let (cluster, job_id) = (columns.take()?, columns.take::<i64>()?.cast_unsigned());
    let (written, submitted, tasks) = (columns.take::<String>()?, Time(columns.take()?), columns.take()?);
    let key = JobKey { cluster, job_id, part: part(&written, tasks), submitted, sluid: None };
    let mut record = JobRecord::new(key, JobState::default());
    record.name = columns.take()?;
    record.user = columns.take()?;
    record.user_id = columns.take()?;
    record.account = columns.take()?;
    let partitions: String = columns.take()?;
    record.partitions = partitions.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect();
    record.qos = columns.take()?;
    record.limit = match (columns.take::<Option<i64>>()?, columns.take::<String>()?.as_str()) {
        (Some(seconds), _) => u32::try_from(seconds / 60).map_or(TimeLimit::NotKnown, TimeLimit::Minutes),
        (None, "partition") => TimeLimit::PartitionLimit,
        (None, "unlimited") => TimeLimit::Unlimited,
        (None, _) => TimeLimit::NotKnown,
    };
    record.requested = columns.resources()?;
    record.allocated = columns.resources()?;
    record.nodes = columns.take()?;
    record.state = JobState::from_words(columns.take::<String>()?.split(','));
    record.eligible = columns.time()?;
    record.started = columns.time()?;
    record.ended = columns.time()?;
    record.elapsed = columns.take::<Option<i64>>()?.map(Seconds);
    Ok(record)
}

/// How long it ran, as history reckons it. Not known of a job of which the queue only says when it started and ended and that it
/// was suspended in between; accounting says it later.
fn run_seconds(record: &JobRecord, known: &Known) -> Option<Seconds> {
    let Stage::Ended { .. } = known.stage() else { return None };
    record.elapsed.or(record.suspended)?;
    History::new().attempt(record)?.run
}

#[cfg(test)]
mod tests {
    use super::super::Store;
    use super::*;

    #[test]
    fn the_columns_are_in_the_order_of_the_schema() {
        let store = Store::in_memory().expect("memory");
        let query = store.connection.prepare("SELECT * FROM jobs").expect("a query");
        let names: Vec<&str> = query.column_names().collect();
        assert_eq!(names[1..=COLUMNS.len()], COLUMNS);
        assert_eq!((names[0], names[COLUMNS.len() + 1]), ("id", "checksum"));
        for (place, name) in [
            (CLUSTER, "cluster"),
            (USER, "user"),
            (USER_ID, "user_id"),
            (STARTED, "started"),
            (ENDED, "ended"),
            (ABSENT, "absent"),
            (STAGE, "stage"),
        ] {
            assert_eq!(COLUMNS[place], name);
        }
    }
}

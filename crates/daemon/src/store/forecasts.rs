//! Forecasts that were given: kept before anybody sees them, and found again when their job has started.
//!
//! Not for: how good they were (`queuecast_forecast::score`).

use std::sync::LazyLock;

use queuecast_forecast::pooled::EXPERTS;
use queuecast_forecast::score::{SHARES, ScoredForecast};
use queuecast_workload::{Seconds, Time};
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, Row, params, params_from_iter};
use rustc_hash::FxHashMap;

use super::checksum::checksum_of;
use super::open::Refusal;
use super::{Store, StoreError};
use queuecast_site::ledger::StoredJobId;

/// A forecast as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptForecast {
    /// Of whom.
    pub job: StoredJobId,
    /// When it was made.
    pub made: Time,
    /// When the job starts, at [`SHARES`].
    pub start: [Time; SHARES.len()],
    /// The same before it was corrected.
    pub raw: [Time; SHARES.len()],
    /// How long it runs, in the middle.
    pub run_median: Option<Seconds>,
    /// When it ends, in the middle.
    pub completion_median: Option<Time>,
    /// When Slurm itself planned to start it.
    pub slurm_estimate: Option<Time>,
    /// When each expert by itself says that it starts, in the middle.
    pub experts: [Time; EXPERTS.len()],
}

/// The columns of `forecasts` but `id`, in their order; the last is the checksum of the others.
pub(super) const COLUMNS: &str = "job, made, first, start_p025, start_p05, start_p10, start_p25, start_p50, start_p75, start_p90, \
                                  start_p95, start_p975, raw_p025, raw_p05, raw_p10, raw_p25, raw_p50, raw_p75, raw_p90, raw_p95, \
                                  raw_p975, run_median_seconds, completion_median, slurm_estimate, checksum";

/// The columns of `experts` but `forecast`, in the order of [`EXPERTS`]; the last is the checksum of the others.
pub(super) const EXPERT_COLUMNS: &str =
    "simulations, simulations_repaired, recent, recent_class, recent_user, forest, checksum";

static INSERT_EXPERTS: LazyLock<String> = LazyLock::new(|| {
    let places = EXPERT_COLUMNS.split(',').map(|_| "?").collect::<Vec<_>>().join(", ");
    format!("INSERT INTO experts (forecast, {EXPERT_COLUMNS}) VALUES (?, {places})")
});

static INSERT: LazyLock<String> = LazyLock::new(|| {
    format!(
        "INSERT INTO forecasts ({COLUMNS}) VALUES ({}) ON CONFLICT DO NOTHING",
        COLUMNS.split(',').map(|_| "?").collect::<Vec<_>>().join(", ")
    )
});

impl Store {
    /// Keeps forecasts, all of them or none. When this returns they are on disk and may be told. One that is there already, of
    /// the same job and made in the same second, stays as it is.
    pub fn give(&mut self, forecasts: &[KeptForecast]) -> Result<(), StoreError> {
        self.all_or_nothing("storing forecasts", |transaction| {
            forecasts.iter().try_for_each(|forecast| keep(transaction, forecast))
        })
    }

    /// When a forecast was last kept of each job that waits or runs, of those that have one.
    pub fn last_given(&self) -> Result<FxHashMap<StoredJobId, Time>, StoreError> {
        let failed = self.failed("reading the times of forecasts");
        let query = "SELECT id, (SELECT max(made) FROM forecasts WHERE job = jobs.id) AS last FROM jobs \
                     WHERE stage IN ('waiting', 'running') AND last IS NOT NULL";
        let mut query = self.connection.prepare_cached(query).map_err(&failed)?;
        let rows = query.query_map([], |row| Ok((StoredJobId(row.get(0)?), Time(row.get(1)?)))).map_err(&failed)?;
        rows.collect::<rusqlite::Result<_>>().map_err(&failed)
    }

    /// Forecasts whose job has started, in the order in which that became known, those of a job one behind the other; each with a
    /// rising number. Only those behind the number `since`, and at most so many: asked again with the last number, none is
    /// missed and none comes twice. All of them once more, after a restart, with `None`.
    pub fn scored(&self, since: Option<i64>, most: usize) -> Result<Vec<(i64, ScoredForecast)>, StoreError> {
        let failed = self.failed("reading forecasts to score");
        let query = "SELECT number, partitions, submitted, started, made, first, start_p025, start_p05, start_p10, start_p25, \
                     start_p50, start_p75, start_p90, start_p95, start_p975, raw_p025, raw_p05, raw_p10, raw_p25, raw_p50, \
                     raw_p75, raw_p90, raw_p95, raw_p975, slurm_estimate, user, simulations, simulations_repaired, recent, recent_class, recent_user, \
                     forest \
                     FROM settlements JOIN forecasts ON forecasts.id = settlements.forecast JOIN jobs ON jobs.id = forecasts.job \
                     LEFT JOIN experts ON experts.forecast = forecasts.id \
                     WHERE number > ?1 AND started IS NOT NULL ORDER BY number LIMIT ?2";
        let mut query = self.connection.prepare_cached(query).map_err(&failed)?;
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let rows = query.query_map(params![since.unwrap_or(i64::MIN), most], scored).map_err(&failed)?;
        rows.collect::<rusqlite::Result<_>>().map_err(&failed)
    }

    /// The number behind which the last so many settled forecasts are; `None` if there are not more. A start does not take longer the more were scored.
    pub fn before_the_last(&self, most: usize) -> Result<Option<i64>, StoreError> {
        let query = "SELECT number FROM settlements ORDER BY number DESC LIMIT 1 OFFSET ?1";
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let found = self.connection.query_row(query, params![most], |row| row.get(0)).optional();
        found.map_err(self.failed("looking for the last scored forecasts"))
    }

    /// How many forecasts were kept, and how many of them will not be scored because their job left without a start, vanished,
    /// or was the rest of an array.
    pub fn forecast_counts(&self) -> Result<(u64, u64), StoreError> {
        let query = "SELECT (SELECT count(*) FROM forecasts), (SELECT count(*) FROM jobs JOIN forecasts ON job = jobs.id \
                     WHERE started IS NULL AND stage IN ('withdrawn', 'lost', 'dissolved'))";
        let counts = self.connection.query_row(query, [], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?)));
        let (all, unscored) = counts.map_err(self.failed("counting forecasts"))?;
        Ok((u64::try_from(all).unwrap_or(0), u64::try_from(unscored).unwrap_or(0)))
    }
}

fn keep(connection: &Connection, forecast: &KeptForecast) -> Result<(), Refusal> {
    let job = forecast.job.0;
    let mut query = connection.prepare_cached("SELECT started IS NOT NULL FROM jobs WHERE id = ?1")?;
    let Some(has_started) = query.query_row([job], |row| row.get::<_, bool>(0)).optional()? else {
        return Err(Refusal::Store(StoreError::NoSuchJob { job }));
    };
    let mut query = connection.prepare_cached("SELECT EXISTS (SELECT 1 FROM forecasts WHERE job = ?1)")?;
    let has_some: bool = query.query_row([job], |row| row.get(0))?;
    let mut values = vec![job.into(), forecast.made.0.into(), Value::Integer(i64::from(!has_some))];
    values.extend(forecast.start.iter().chain(&forecast.raw).map(|start| Value::Integer(start.0)));
    values.push(forecast.run_median.map(|run| run.0).into());
    values.push(forecast.completion_median.map(|end| end.0).into());
    values.push(forecast.slurm_estimate.map(|planned| planned.0).into());
    values.push(checksum_of(&values).into());
    let is_new = connection.prepare_cached(&INSERT)?.execute(params_from_iter(values))? > 0;
    if !is_new {
        return Ok(());
    }
    let id = connection.last_insert_rowid();
    keep_experts(connection, id, &forecast.experts)?;
    if has_started {
        // Made of a job that had started without our knowing. It was told, so it counts.
        connection.prepare_cached("INSERT INTO settlements (forecast) VALUES (?1)")?.execute([id])?;
    }
    Ok(())
}

fn keep_experts(connection: &Connection, forecast: i64, said: &[Time; EXPERTS.len()]) -> Result<(), Refusal> {
    let mut values: Vec<Value> = said.iter().map(|said| Value::Integer(said.0)).collect();
    values.push(checksum_of(&values).into());
    values.insert(0, Value::Integer(forecast));
    connection.prepare_cached(&INSERT_EXPERTS)?.execute(params_from_iter(values))?;
    Ok(())
}

fn scored(row: &Row<'_>) -> rusqlite::Result<(i64, ScoredForecast)> {
    const FIRST_START: usize = 6;
    const FIRST_EXPERT: usize = FIRST_START + 2 * SHARES.len() + 2;
    let partitions: String = row.get("partitions")?;
    let (mut said, mut raw) = ([Time(0); SHARES.len()], [Time(0); SHARES.len()]);
    for (place, time) in said.iter_mut().chain(&mut raw).enumerate() {
        *time = Time(row.get(FIRST_START + place)?);
    }
    let mut experts = [None; EXPERTS.len()];
    for (place, said) in experts.iter_mut().enumerate() {
        *said = row.get::<_, Option<i64>>(FIRST_EXPERT + place)?.map(Time);
    }
    let experts = experts.iter().all(Option::is_some).then(|| experts.map(|said| said.unwrap_or(Time(0))));
    let forecast = ScoredForecast {
        partition: partitions.split(',').next().unwrap_or_default().to_owned(),
        user: row.get("user")?,
        submitted: Time(row.get("submitted")?),
        made: Time(row.get("made")?),
        first: row.get("first")?,
        said,
        raw,
        slurm_said: row.get::<_, Option<i64>>("slurm_estimate")?.map(Time),
        experts,
        started: Time(row.get("started")?),
    };
    Ok((row.get("number")?, forecast))
}

#[cfg(test)]
mod tests {
    use queuecast_records::source::Period;

    use super::super::ReadingKind;
    use super::super::test_records::{running, waiting, withdrawn};
    use super::*;

    fn forecast(job: StoredJobId, made: i64) -> KeptForecast {
        KeptForecast {
            job,
            made: Time(made),
            start: std::array::from_fn(|place| Time(made + 100 * place as i64)),
            raw: std::array::from_fn(|place| Time(made + 50 * place as i64)),
            run_median: Some(Seconds(60)),
            completion_median: None,
            slurm_estimate: Some(Time(made + 5)),
            experts: std::array::from_fn(|place| Time(made + 10 * place as i64)),
        }
    }

    fn with_waiting(numbers: std::ops::Range<u64>) -> (Store, Vec<StoredJobId>) {
        let mut store = Store::in_memory().expect("memory");
        let records: Vec<_> = numbers.map(|number| waiting(number, 100)).collect();
        let facts = store.take_in(&records, ReadingKind::Queue, Time(110)).expect("taken in");
        (store, facts.iter().map(|fact| fact.job).collect())
    }

    #[test]
    fn forecasts_are_scored_in_the_order_in_which_starts_become_known_each_once() {
        let (mut store, jobs) = with_waiting(1..4);
        store.give(&jobs.iter().map(|&job| forecast(job, 120)).collect::<Vec<_>>()).expect("kept");
        store.give(&[forecast(jobs[0], 800)]).expect("kept");
        assert_eq!(store.scored(None, 10).expect("scored"), []);
        store.take_in(&[running(2, 100, 900)], ReadingKind::Queue, Time(910)).expect("taken in");
        let scored = store.scored(None, 10).expect("scored");
        assert_eq!(scored.len(), 1);
        let (second, of_second) = &scored[0];
        assert_eq!((of_second.made, of_second.first, of_second.started), (Time(120), true, Time(900)));
        assert_eq!((of_second.said[8], of_second.slurm_said), (Time(920), Some(Time(125))));
        assert_eq!(of_second.raw[8], Time(520));
        assert_eq!(of_second.experts.map(|experts| experts[5]), Some(Time(170)));
        assert_eq!(of_second.partition, "batch");
        store.take_in(&[running(1, 100, 950)], ReadingKind::Queue, Time(960)).expect("taken in");
        let later = store.scored(Some(*second), 10).expect("scored");
        let told: Vec<_> = later.iter().map(|(_, one)| (one.made.0, one.first)).collect();
        assert_eq!(told, [(120, true), (800, false)]);
        assert_eq!(store.scored(None, 10).expect("scored").len(), 3);
        assert_eq!(store.scored(None, 2).expect("scored").len(), 2);
        let last = |most| store.scored(store.before_the_last(most).expect("a number"), 10).expect("scored").len();
        assert_eq!((last(1), last(2), last(3), last(100)), (1, 2, 3, 3), "a start reads the last of them");
        assert_eq!(store.scored(Some(later[1].0), 10).expect("scored"), []);
    }

    #[test]
    fn a_forecast_from_before_experts_were_kept_is_scored_without_them() {
        let (mut store, jobs) = with_waiting(1..2);
        store.give(&[forecast(jobs[0], 120)]).expect("kept");
        store.connection.execute("DELETE FROM experts", []).expect("as before");
        store.take_in(&[running(1, 100, 900)], ReadingKind::Queue, Time(910)).expect("taken in");
        let scored = store.scored(None, 10).expect("scored");
        assert_eq!((scored.len(), scored[0].1.experts), (1, None));
    }

    #[test]
    fn a_changed_word_of_an_expert_is_noticed() {
        let (mut store, jobs) = with_waiting(1..2);
        store.give(&[forecast(jobs[0], 120)]).expect("kept");
        store.check().expect("as it was written");
        store.connection.execute("UPDATE experts SET forest = forest + 1", []).expect("changed");
        assert!(store.check().expect_err("noticed").to_string().contains("experts"));
    }

    #[test]
    fn a_start_that_accounting_corrects_is_not_scored_twice() {
        let (mut store, jobs) = with_waiting(1..2);
        store.give(&[forecast(jobs[0], 120)]).expect("kept");
        store.take_in(&[running(1, 100, 900)], ReadingKind::Queue, Time(910)).expect("taken in");
        let (number, _) = store.scored(None, 10).expect("scored")[0].clone();
        let reading = ReadingKind::Accounting(Period { from: Time(0), to: Time(2_000) });
        store
            .take_in(&[super::super::test_records::ended(1, 100, 903, 1_500)], reading, Time(2_000))
            .expect("taken in");
        assert_eq!(store.scored(Some(number), 10).expect("scored"), []);
        assert_eq!(store.scored(None, 10).expect("scored")[0].1.started, Time(903));
    }

    #[test]
    fn a_forecast_of_a_job_that_had_started_already_counts() {
        let (mut store, jobs) = with_waiting(1..2);
        store.take_in(&[running(1, 100, 115)], ReadingKind::Queue, Time(118)).expect("taken in");
        store.give(&[forecast(jobs[0], 120)]).expect("kept");
        assert_eq!(store.scored(None, 10).expect("scored").len(), 1);
    }

    #[test]
    fn forecasts_of_jobs_that_never_started_are_counted_and_not_scored() {
        let (mut store, jobs) = with_waiting(1..3);
        store.give(&[forecast(jobs[0], 120), forecast(jobs[1], 120)]).expect("kept");
        store.take_in(&[withdrawn(1, 100, 900)], ReadingKind::Queue, Time(910)).expect("taken in");
        assert_eq!(store.forecast_counts().expect("counts"), (2, 1));
        assert_eq!(store.scored(None, 10).expect("scored"), []);
    }

    #[test]
    fn a_forecast_given_twice_is_kept_once_and_one_of_nobody_keeps_none() {
        let (mut store, jobs) = with_waiting(1..2);
        store.give(&[forecast(jobs[0], 120)]).expect("kept");
        store.give(&[forecast(jobs[0], 120)]).expect("kept");
        let error = store.give(&[forecast(jobs[0], 900), forecast(StoredJobId(99), 900)]).expect_err("nobody");
        assert!(error.to_string().contains("row 99"), "{error}");
        assert_eq!(store.forecast_counts().expect("counts"), (1, 0));
        assert_eq!(store.last_given().expect("times").into_iter().collect::<Vec<_>>(), [(jobs[0], Time(120))]);
        store.check().expect("as it was written");
    }
}

//! Metrics as Prometheus reads them, made anew from the board for every scrape.
//!
//! For: seeing from afar whether the daemon reads Slurm, how much it asks of it, and how good the forecasts are.
//!
//! Not for: anything by user or job: that belongs into answers, where it is known who asks, and would never stop growing.
//!
//! `docs/operations/monitoring.md` says what each is and who sees it; `tests/prometheus` holds it to what is scraped.
//!
//! Source: the `OpenMetrics` text format as `prometheus-client` writes it.

mod histograms;
mod requests;

use std::borrow::Cow;
use std::sync::atomic::AtomicU64;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::Registry;
use queuecast_api::health::HealthStatus;
use queuecast_forecast::{WaitClass, class_name};
use queuecast_records::source::SourceError;
use queuecast_site::observed::{JobSize, Observed};

use self::histograms::Histograms;
pub(crate) use self::requests::Requests;
use super::view::Figures;

/// What the text is declared as.
pub(crate) const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

type Real = Gauge<f64, AtomicU64>;

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfReading {
    kind: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfFailure {
    kind: &'static str,
    error: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfStatus {
    status: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfReason {
    reason: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfRoute {
    route: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfPartitionName {
    partition: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfSize {
    partition: String,
    size: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfWaitLeft {
    partition: String,
    wait_left: String,
}

/// What users are told of their jobs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Messages {
    /// What was asked for and is not over.
    pub notices: usize,
    /// Tries that were taken since the daemon began.
    pub taken: u64,
    /// And that were not.
    pub not_taken: u64,
}

/// The text of a scrape. Everything names its cluster, so that one Prometheus can have several.
pub(crate) fn text(figures: &Figures<'_>, requests: &Requests, messages: &Messages) -> String {
    let cluster = (Cow::Borrowed("cluster"), Cow::Owned(figures.cluster.to_owned()));
    let mut registry = Registry::with_prefix_and_labels("queuecast", [cluster].into_iter());
    registry.register("build", "Version of the running program", Info::new([("version", env!("CARGO_PKG_VERSION"))]));
    status(&mut registry, figures);
    readings(&mut registry, figures);
    jobs(&mut registry, figures);
    forecasts(&mut registry, figures);
    observed(&mut registry, &figures.observed);
    replay(&mut registry, figures);
    // Each message is of somebody's job, so that these tell when a job of somebody's is about to start.
    if figures.is_operators {
        set(&mut registry, "notifications", "Active notifications", messages.notices as f64);
        count(&mut registry, "notifications_delivered", "Messages delivered to users", messages.taken);
        count(&mut registry, "notification_failures", "Failed attempts to deliver messages", messages.not_taken);
    }
    registry.register("requests", "Requests answered, by route and status", requests.counts.clone());
    let seconds = requests.seconds_by_route().into_iter().map(|(route, seconds)| (OfRoute { route }, seconds));
    registry.register("request_seconds", "Duration of requests in seconds, by route", Histograms(seconds.collect()));
    let mut text = String::new();
    // Writing to a string does not fail; were it to, an empty scrape is what Prometheus reports as such.
    if encode(&mut text, &registry).is_err() {
        text.clear();
    }
    text
}

fn status(registry: &mut Registry, figures: &Figures<'_>) {
    let statuses = Family::<OfStatus, Real>::default();
    for (status, name) in
        [(HealthStatus::Ok, "ok"), (HealthStatus::Degraded, "degraded"), (HealthStatus::Stale, "stale")]
    {
        statuses.get_or_create(&OfStatus { status: name }).set(f64::from(u8::from(status == figures.status)));
    }
    registry.register("status", "1 for the current status of the daemon, 0 for the others", statuses);
    let health = figures.health;
    let problem = f64::from(u8::from(health.store_problem.is_some()));
    set(registry, "store_problem", "1 while the store cannot be written", problem);
    count(registry, "store_failures", "Failed attempts to write to the store", health.store_failures);
}

fn jobs(registry: &mut Registry, figures: &Figures<'_>) {
    for (name, help, jobs) in [
        ("jobs_waiting", "Pending jobs", figures.counts.waiting),
        ("jobs_running", "Running jobs", figures.counts.running),
    ] {
        if let Some(jobs) = jobs {
            set(registry, name, help, jobs as f64);
        }
    }
    let without = Family::<OfReason, Real>::default();
    for (reason, jobs) in &figures.without_estimate {
        without.get_or_create(&OfReason { reason }).set(*jobs as f64);
    }
    registry.register("jobs_without_forecast", "Pending jobs without a forecast, by reason", without);
    // Each end of a job moves these: who may not see a job may not see that it has ended.
    if figures.is_operators {
        set(registry, "jobs_stored", "Jobs in the store", figures.health.jobs_stored as f64);
        let help = "Ended jobs that the forecasts were trained on";
        set(registry, "training_jobs", help, figures.health.training_jobs as f64);
    }
}

fn forecasts(registry: &mut Registry, figures: &Figures<'_>) {
    let health = figures.health;
    let help = "Duration of the last forecast of the whole queue in seconds";
    set(registry, "forecast_seconds", help, health.forecast_seconds);
    let help = "Simulations of the queue that the last forecast is based on";
    set(registry, "simulations_finished", help, health.effort.simulations_finished as f64);
    let help = "Simulations of the queue planned for the last forecast";
    set(registry, "simulations_planned", help, health.effort.simulations_planned as f64);
    let Some(overall) = &figures.score.overall else { return };
    if let Some(coverage) = overall.all.coverage {
        let help = "Share of starts within the 80 % range";
        set(registry, "range80_coverage_ratio", help, coverage.p80);
    }
    if let Some(error) = overall.all.median_absolute_error_seconds {
        set(registry, "median_absolute_error_seconds", "Median absolute error of start forecasts in seconds", error);
    }
}

fn observed(registry: &mut Registry, observed: &Observed) {
    let (mut waits, mut errors) = (Vec::new(), Vec::new());
    let (mut plan_errors, mut beside_plan) = (Vec::new(), Vec::new());
    let scored = Family::<OfPartitionName, Counter>::default();
    let within = Family::<OfPartitionName, Counter>::default();
    for (name, of) in &observed.partitions {
        let of_size = |size: JobSize| OfSize { partition: name.clone(), size: size.name() };
        waits.extend(of.waits.iter().map(|(size, counted)| (of_size(*size), counted.durations.clone())));
        let of_wait = |class: WaitClass| OfWaitLeft { partition: name.clone(), wait_left: class_name(class.index()) };
        for (to, from) in
            [(&mut errors, &of.errors), (&mut plan_errors, &of.plan_errors), (&mut beside_plan, &of.errors_beside_plan)]
        {
            to.extend(from.iter().map(|(class, counted)| (of_wait(*class), counted.durations.clone())));
        }
        if of.scored > 0 {
            let partition = OfPartitionName { partition: name.clone() };
            scored.get_or_create(&partition).inc_by(of.scored);
            within.get_or_create(&partition).inc_by(of.within_range80);
        }
    }
    registry.register("wait_seconds", "Wait in seconds of jobs that have started", Histograms(waits));
    registry.register(
        "forecast_error_seconds",
        "Absolute error in seconds of the median forecast start",
        Histograms(errors),
    );
    let help = "Absolute error in seconds of Slurm's start estimate";
    registry.register("slurm_estimate_error_seconds", help, Histograms(plan_errors));
    let help = "Absolute error in seconds of the median forecast start, where Slurm had a start estimate";
    registry.register("forecast_error_with_slurm_estimate_seconds", help, Histograms(beside_plan));
    registry.register("forecasts_scored", "Forecasts whose jobs have started", scored);
    registry.register("forecasts_within_range80", "Forecasts whose jobs started within the 80 % range", within);
}

fn replay(registry: &mut Registry, figures: &Figures<'_>) {
    let check = figures.replay_check;
    count(registry, "replay_starts", "Slurm starts checked against the model", check.starts);
    count(registry, "replay_starts_explained", "Slurm starts reproduced by the model", check.explained);
    let help = "Starts in the model that Slurm did not make";
    count(registry, "replay_starts_missing", help, check.missing);
}

fn readings(registry: &mut Registry, figures: &Figures<'_>) {
    let (calls, failures) = (Family::<OfReading, Counter>::default(), Family::<OfFailure, Counter>::default());
    let (seconds, age) = (Family::<OfReading, Real>::default(), Family::<OfReading, Real>::default());
    let bad = Family::<OfReading, Real>::default();
    for (kind, reading) in figures.health.readings() {
        // From nothing on, so that the first failure is seen as one more.
        for error in SourceError::CODES {
            let count = reading.failures_by_error.get(error).copied().unwrap_or_default();
            failures.get_or_create(&OfFailure { kind, error }).inc_by(count);
        }
        let kind = OfReading { kind };
        calls.get_or_create(&kind).inc_by(reading.calls);
        seconds.get_or_create(&kind).set(reading.last_seconds);
        bad.get_or_create(&kind).set(reading.bad_records as f64);
        if let Some(read) = reading.succeeded {
            age.get_or_create(&kind).set((figures.now - read).as_f64().max(0.0));
        }
    }
    registry.register("slurm_calls", "Calls to Slurm, by kind", calls);
    registry.register("slurm_call_failures", "Failed calls to Slurm, by kind and error", failures);
    registry.register("slurm_last_call_seconds", "Duration of the last call in seconds, by kind", seconds);
    registry.register(
        "data_age_seconds",
        "Seconds since the last successful call, by kind, on the cluster's clock",
        age,
    );
    registry.register("bad_records", "Unreadable records in the last response, by kind", bad);
}

fn count(registry: &mut Registry, name: &str, help: &str, value: u64) {
    let counter = Counter::<u64>::default();
    counter.inc_by(value);
    registry.register(name, help, counter);
}

fn set(registry: &mut Registry, name: &str, help: &str, value: f64) {
    let gauge = Real::default();
    gauge.set(value);
    registry.register(name, help, gauge);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::ApiSettings;
    use crate::api::asker::Asker;
    use crate::api::limiter::Requester;
    use crate::api::permissions::Permissions;
    use crate::api::test_board::{NOW, job, published};
    use crate::api::view::View;
    use crate::board::BoardIndex;
    use queuecast_api::score::{CoverageResponse, FiguresResponse, ScoreGroupResponse, ScoreResponse};
    use queuecast_forecast::estimate::{JobForecast, NoForecast};
    use queuecast_forecast::score::{SHARES, ScoredForecast};
    use queuecast_records::{JobKey, JobPart, JobRecord, JobState};
    use queuecast_site::published::PublishedJob;
    use queuecast_workload::{Seconds, Time};
    use std::sync::Arc;
    use std::time::Duration;

    const HOSTILE: &str = "ba\"tch\n\\";

    /// What an operator scrapes where everything there is to tell has happened once, in a partition of this name.
    fn scraped(partition: &str) -> String {
        let mut observed = Observed::since(Time(0));
        let (cluster, part, submitted) = (String::new(), JobPart::Whole, Time(0));
        let key = JobKey { cluster, job_id: 7, part, submitted, sluid: None };
        let mut record = JobRecord::new(key, JobState::default());
        record.partitions = vec![partition.to_owned()];
        observed.started(&record, Time(100));
        let said = [Time(90); SHARES.len()];
        observed.scored(&ScoredForecast {
            partition: partition.to_owned(),
            user: "alice".to_owned(),
            submitted,
            made: submitted,
            first: true,
            said,
            raw: said,
            slurm_said: Some(Time(40)),
            experts: None,
            started: Time(100),
        });
        let held = PublishedJob {
            forecast: JobForecast::NoForecast(NoForecast { code: "held", why: String::new() }),
            ..job(8)
        };
        let mut board = published(vec![job(7), held]);
        board.observed = Arc::new(observed);
        board.health.queue.failures_by_error.insert("refused", 2);
        let figures = FiguresResponse {
            coverage: Some(CoverageResponse { p50: 0.5, p80: 0.8, p90: 0.9, p95: 0.95 }),
            median_absolute_error_seconds: Some(240.0),
            ..FiguresResponse::default()
        };
        let overall = ScoreGroupResponse { all: figures, ..ScoreGroupResponse::default() };
        let board = BoardIndex::with_score(board, ScoreResponse { overall: Some(overall), ..ScoreResponse::default() });
        let permissions = Permissions::of(Asker::Local(0), &board, &ApiSettings::default(), 990);
        let view = View::new(Requester::User(0), Arc::new(board), permissions, NOW, Seconds(86_400));
        let requests = Requests::default();
        requests.count("/v1/queue", 200, Duration::from_millis(3), NOW);
        text(&view.figures(), &requests, &Messages::default())
    }

    #[test]
    fn histograms_are_cumulative_and_a_hostile_name_stays_within_its_label() {
        let text = scraped("batch");
        let bucket = |le: &str, count: u64| {
            let labels = format!("{{cluster=\"alpha\",le=\"{le}\",partition=\"batch\",size=\"1 node\"}}");
            let parts = |line: &str| {
                let mut parts: Vec<String> = line.split(['{', '}', ',']).map(str::to_owned).collect();
                parts.sort();
                parts
            };
            let wanted = parts(&format!("queuecast_wait_seconds_bucket{labels} {count}"));
            assert!(text.lines().any(|line| parts(line) == wanted), "{le}: {text}");
        };
        bucket("60.0", 0);
        bucket("300.0", 1);
        bucket("+Inf", 1);
        assert!(text.contains("queuecast_forecast_error_seconds_sum") && text.contains("status=\"ok\"} 1.0"), "{text}");
        let hostile = scraped(HOSTILE);
        assert_eq!(hostile.lines().count(), text.lines().count());
        assert!(hostile.contains(r#"partition="ba\"tch\n\\""#), "{hostile}");
    }
}

//! Metrics as Prometheus reads them, made anew from the board for every scrape.
//!
//! For: seeing from afar whether the daemon reads Slurm, how much it asks of it, and how good the forecasts are.
//!
//! Not for: anything by user or job: that belongs into answers, where it is known who asks, and would never stop growing.
//!
//! Source: the `OpenMetrics` text format as `prometheus-client` writes it.

use std::sync::atomic::AtomicU64;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

use super::view::Figures;

/// What the text is declared as.
pub(crate) const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

type Real = Gauge<f64, AtomicU64>;

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfReading {
    kind: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfRequest {
    route: String,
    status: u16,
}

/// Requests answered since the daemon began.
#[derive(Clone, Default)]
pub(crate) struct Requests(Family<OfRequest, Counter>);

impl Requests {
    pub fn count(&self, route: &str, status: u16) {
        self.0.get_or_create(&OfRequest { route: route.to_owned(), status }).inc();
    }
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

/// The text of a scrape.
pub(crate) fn text(figures: &Figures<'_>, requests: &Requests, messages: &Messages) -> String {
    let mut registry = Registry::with_prefix("queuecast");
    readings(&mut registry, figures);
    let health = figures.health;
    for (name, help, jobs) in [
        ("jobs_waiting", "Jobs that wait", figures.counts.waiting),
        ("jobs_running", "Jobs that run", figures.counts.running),
    ] {
        if let Some(jobs) = jobs {
            set(&mut registry, name, help, jobs as f64);
        }
    }
    // Each end of a job moves these: who may not see a job may not see that it has ended.
    if figures.is_operators {
        set(&mut registry, "jobs_stored", "Jobs in the store", health.jobs_stored as f64);
        set(&mut registry, "notices", "Jobs that somebody is to be told of", messages.notices as f64);
        set(&mut registry, "messages_taken", "Messages to users that were taken", messages.taken as f64);
        set(&mut registry, "messages_not_taken", "Tries of messages that were not taken", messages.not_taken as f64);
        set(&mut registry, "jobs_learnt", "Ended jobs that forecasts have learnt from", health.jobs_learnt as f64);
    }
    let help = "How long the last forecast of the whole queue took";
    set(&mut registry, "forecast_seconds", help, health.forecast_seconds);
    set(
        &mut registry,
        "futures_told",
        "Futures of the queue that the last forecast rests on",
        health.effort.futures_told as f64,
    );
    if let Some(overall) = &figures.score.overall {
        if let Some(coverage) = overall.all.coverage {
            let help = "Share of starts that came within the 80 % range";
            set(&mut registry, "range80_coverage_ratio", help, coverage.p80);
        }
        if let Some(error) = overall.all.median_absolute_error_seconds {
            set(&mut registry, "median_absolute_error_seconds", "How far forecasts of starts were off", error);
        }
    }
    registry.register("requests", "Requests answered, by route and status", requests.0.clone());
    let mut text = String::new();
    // Writing to a string does not fail; were it to, an empty scrape is what Prometheus reports as such.
    if encode(&mut text, &registry).is_err() {
        text.clear();
    }
    text
}

fn readings(registry: &mut Registry, figures: &Figures<'_>) {
    let (calls, failures) = (Family::<OfReading, Counter>::default(), Family::<OfReading, Counter>::default());
    let (seconds, age) = (Family::<OfReading, Real>::default(), Family::<OfReading, Real>::default());
    let bad = Family::<OfReading, Real>::default();
    for (kind, reading) in figures.health.readings() {
        let kind = OfReading { kind };
        calls.get_or_create(&kind).inc_by(reading.calls);
        failures.get_or_create(&kind).inc_by(reading.failures);
        seconds.get_or_create(&kind).set(reading.last_seconds);
        bad.get_or_create(&kind).set(reading.bad_records as f64);
        if let Some(read) = reading.succeeded {
            age.get_or_create(&kind).set((figures.now - read).as_f64().max(0.0));
        }
    }
    registry.register("slurm_calls", "Calls to Slurm, by what was asked", calls);
    registry.register("slurm_call_failures", "Calls to Slurm that failed", failures);
    registry.register("slurm_last_call_seconds", "How long the last call took", seconds);
    registry.register("data_age_seconds", "Since the last call that succeeded, by the cluster's clock", age);
    registry.register("bad_records", "Records of the last call that could not be read", bad);
}

fn set(registry: &mut Registry, name: &str, help: &str, value: f64) {
    let gauge = Real::default();
    gauge.set(value);
    registry.register(name, help, gauge);
}

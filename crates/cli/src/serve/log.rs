//! What a daemon says of itself: a line of time, level and fields for whatever an administrator should know.
//!
//! Not for: what was asked and answered; figures of that are in `/metrics`.
//!
//! Source: systemd.exec(5) for `JOURNAL_STREAM`, by which a service knows that its standard error is the journal; sd-daemon(3) for the numbers before lines, by
//! which the journal knows their level.

use std::{fmt, io};

use clap::{Args, ValueEnum};
use tracing::level_filters::LevelFilter;
use tracing::{Event, Subscriber};
use tracing_subscriber::filter::Filtered;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, Registry, reload};

use crate::failure::{Cause, Failure};

/// How much is logged, and how.
#[derive(Debug, Args)]
pub struct LogArgs {
    /// Minimum level of log messages.
    #[arg(long, value_name = "LEVEL", value_enum, default_value_t)]
    log_level: LogLevel,
    /// Format of log lines.
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    log_format: LogFormat,
}

/// As it is written in the configuration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum LogLevel {
    /// No messages.
    Off,
    /// Fatal errors and bugs.
    Error,
    /// Problems that need attention.
    Warn,
    /// Normal events: starts, stops, requests.
    #[default]
    Info,
    /// Details for debugging.
    Debug,
    /// All messages.
    Trace,
}

/// As it is written in the configuration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum LogFormat {
    /// Text on standard error; under systemd with a level prefix for the journal and without the time.
    #[default]
    Auto,
    /// Lines with time, level, message and fields on standard error.
    Text,
    /// One JSON object per line on standard error.
    Json,
    /// Structured entries in the systemd journal; the fields are shown by `journalctl -o verbose`.
    Journald,
}

/// The level that counts, which can be changed.
pub type Level = reload::Handle<LevelFilter, Registry>;

type Written = Box<dyn Layer<Registry> + Send + Sync>;

impl LogArgs {
    /// The level.
    pub fn level(&self) -> LevelFilter {
        match self.log_level {
            LogLevel::Off => LevelFilter::OFF,
            LogLevel::Error => LevelFilter::ERROR,
            LogLevel::Warn => LevelFilter::WARN,
            LogLevel::Info => LevelFilter::INFO,
            LogLevel::Debug => LevelFilter::DEBUG,
            LogLevel::Trace => LevelFilter::TRACE,
        }
    }

    /// Begins to log; times are in UTC.
    pub fn begin(&self) -> Result<Level, Failure> {
        let (filter, level) = reload::Layer::new(self.level());
        let written: Filtered<Written, _, Registry> = self.written()?.with_filter(filter);
        tracing_subscriber::registry().with(written).init();
        Ok(level)
    }

    fn written(&self) -> Result<Written, Failure> {
        let journal = || tracing_journald::layer().map(|layer| layer.with_syslog_identifier("qcast".to_owned()));
        // The library would say on standard error that a line could not be written there, and panic when that fails: a full disk under the log must not
        // end the daemon.
        let lines = || {
            tracing_subscriber::fmt::layer()
                .with_target(false)
                .with_ansi(false)
                .with_writer(io::stderr)
                .log_internal_errors(false)
        };
        Ok(match self.log_format {
            LogFormat::Json => Box::new(lines().json().flatten_event(true)),
            LogFormat::Journald => Box::new(journal().map_err(|error| {
                Failure::new(Cause::Output, anyhow::anyhow!("cannot write to the systemd journal: {error}"))
                    .with_hint("set log-format = \"text\" to log to standard error")
            })?),
            LogFormat::Auto if std::env::var_os("JOURNAL_STREAM").is_some() => {
                let format = tracing_subscriber::fmt::format().with_target(false).with_ansi(false).without_time();
                Box::new(lines().event_format(ForJournal(format.with_level(false))))
            }
            LogFormat::Text | LogFormat::Auto => Box::new(lines()),
        })
    }
}

/// A line whose level stands before it, as the journal reads it: `<4>` is a warning.
struct ForJournal<F>(F);

impl<S, N, F> FormatEvent<S, N> for ForJournal<F>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
    F: FormatEvent<S, N>,
{
    fn format_event(&self, context: &FmtContext<'_, S, N>, mut writer: Writer<'_>, event: &Event<'_>) -> fmt::Result {
        write!(writer, "<{}>", priority(*event.metadata().level()))?;
        self.0.format_event(context, writer, event)
    }
}

fn priority(level: tracing::Level) -> u8 {
    match level {
        tracing::Level::ERROR => 3,
        tracing::Level::WARN => 4,
        tracing::Level::INFO => 6,
        tracing::Level::DEBUG | tracing::Level::TRACE => 7,
    }
}

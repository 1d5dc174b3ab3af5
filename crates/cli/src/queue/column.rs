//! The columns of a list of jobs: what each is called, and how a job looks in it to people and to programs.
//!
//! For: `qcast queue` and `qcast top`.
//!
//! Not for: how wide they are (`layout`).
//!
//! Source: squeue(1), option --Format, for the other names that are understood; ISO 8601 for ranges of time (`from/to`).

use std::str::FromStr;

use queuecast_api::forecast::{ForecastResponse, StateResponse};
use queuecast_api::ranges::{TimeRangeResponse, TimesResponse};
use queuecast_api::time::Moment;

use super::order::waited_seconds;
use crate::ask::inert::inert;
use crate::ask::wall::{Wall, slurm_span, span};

/// A column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    Id,
    Name,
    User,
    Account,
    Partition,
    Qos,
    State,
    Reason,
    Nodes,
    Cpus,
    Limit,
    Submitted,
    Waited,
    Start,
    Range50,
    Range80,
    Range95,
    Run,
    Completion,
    Completion80,
    Slurm,
    NoForecast,
}

/// A column's name, its heading, and squeue's names for it.
type Words = (&'static str, &'static str, &'static [&'static str]);

impl Column {
    /// All there are.
    pub const ALL: [Self; 22] = [
        Self::Id,
        Self::Name,
        Self::User,
        Self::Account,
        Self::Partition,
        Self::Qos,
        Self::State,
        Self::Reason,
        Self::Nodes,
        Self::Cpus,
        Self::Limit,
        Self::Submitted,
        Self::Waited,
        Self::Start,
        Self::Range50,
        Self::Range80,
        Self::Range95,
        Self::Run,
        Self::Completion,
        Self::Completion80,
        Self::Slurm,
        Self::NoForecast,
    ];

    fn words(self) -> Words {
        match self {
            Self::Id => ("id", "JOBID", &["jobid", "jobarrayid"]),
            Self::Name => ("name", "NAME", &[]),
            Self::User => ("user", "USER", &["username"]),
            Self::Account => ("account", "ACCOUNT", &[]),
            Self::Partition => ("partition", "PARTITION", &[]),
            Self::Qos => ("qos", "QOS", &[]),
            Self::State => ("state", "ST", &["statecompact"]),
            Self::Reason => ("reason", "REASON", &["reasonlist"]),
            Self::Nodes => ("nodes", "NODES", &["numnodes"]),
            Self::Cpus => ("cpus", "CPUS", &["numcpus"]),
            Self::Limit => ("limit", "LIMIT", &["timelimit"]),
            Self::Submitted => ("submitted", "SUBMITTED", &["submittime"]),
            Self::Waited => ("waited", "WAITED", &["pendingtime"]),
            Self::Start => ("start", "START", &["starttime"]),
            Self::Range50 => ("range50", "START_50%", &[]),
            Self::Range80 => ("range80", "START_80%", &[]),
            Self::Range95 => ("range95", "START_95%", &[]),
            Self::Run => ("run", "RUN", &[]),
            Self::Completion => ("completion", "END", &["end", "endtime"]),
            Self::Completion80 => ("completion80", "END_80%", &[]),
            Self::Slurm => ("slurm", "SLURM_START", &[]),
            Self::NoForecast => ("no_forecast", "NO_FORECAST", &[]),
        }
    }

    /// What it is called, by people who choose it and in CSV.
    pub fn name(self) -> &'static str {
        self.words().0
    }

    /// What stands above it.
    pub fn heading(self) -> &'static str {
        self.words().1
    }

    /// Whether it holds times of the wall's clock.
    pub fn is_time(self) -> bool {
        matches!(self, Self::Submitted | Self::Start | Self::Completion | Self::Slurm)
            || matches!(self, Self::Range50 | Self::Range80 | Self::Range95 | Self::Completion80)
    }

    /// Whether it is read from the right.
    pub fn is_right(self) -> bool {
        matches!(self, Self::Nodes | Self::Cpus | Self::Limit | Self::Waited | Self::Run) || self.is_time()
    }

    /// For people, with local times. A job without an estimate has the reason in brackets where its start would be.
    pub fn text(self, answer: &ForecastResponse, wall: &Wall<'_>) -> String {
        let median = |times: &Option<TimesResponse>| times.as_ref().map(|times| wall.brief(&times.median));
        let range = |times: &Option<TimesResponse>, of: fn(&TimesResponse) -> &TimeRangeResponse| {
            times.as_ref().filter(|_| answer.state != StateResponse::Running).map(|times| wall.brief_range(of(times)))
        };
        let shown = match self {
            Self::Limit => answer.job.limit_seconds.map(slurm_span),
            Self::Submitted => answer.submitted.as_ref().map(|moment| wall.brief(moment)),
            Self::Waited => waited_seconds(answer).map(span),
            Self::Start => {
                let reason = answer.no_forecast.as_ref().map(|reason| format!("({})", inert(&reason.code)));
                let started = answer.started.as_ref().map(|moment| wall.brief(moment));
                started.or_else(|| median(&answer.start)).or(reason)
            }
            Self::Range50 => range(&answer.start, |times| &times.range50),
            Self::Range80 => range(&answer.start, |times| &times.range80),
            Self::Range95 => range(&answer.start, |times| &times.range95),
            Self::Run => answer.run.as_ref().map(|run| span(run.median_seconds)),
            Self::Completion => median(&answer.completion),
            Self::Completion80 => answer.completion.as_ref().map(|times| wall.brief_range(&times.range80)),
            Self::Slurm => answer.slurm_estimated_start.as_ref().map(|moment| wall.brief(moment)),
            _ => Some(self.value(answer)).filter(|value| !value.is_empty()),
        };
        shown.unwrap_or_else(|| "-".to_owned())
    }

    /// For programs: times in UTC, spans in seconds, nothing where nothing is known.
    pub fn value(self, answer: &ForecastResponse) -> String {
        let job = &answer.job;
        let moment = |moment: &Moment| inert(&moment.utc);
        let median = |times: &Option<TimesResponse>| times.as_ref().map(|times| moment(&times.median));
        let range = |times: &Option<TimesResponse>, of: fn(&TimesResponse) -> &TimeRangeResponse| {
            times.as_ref().map(of).map(|range| format!("{}/{}", moment(&range.from), moment(&range.to)))
        };
        let foreign = |text: &Option<String>| text.as_deref().map(inert);
        let shown = match self {
            Self::Id => foreign(&job.id),
            Self::Name => foreign(&job.name),
            Self::User => foreign(&job.user),
            Self::Account => foreign(&job.account),
            Self::Partition => Some(inert(&job.partitions.join(","))),
            Self::Qos => foreign(&job.qos),
            Self::State => Some(if answer.state == StateResponse::Running { "R" } else { "PD" }.to_owned()),
            Self::Reason => foreign(&job.reason),
            Self::Nodes => job.nodes.map(|nodes| nodes.to_string()),
            Self::Cpus => job.cpus.map(|cpus| cpus.to_string()),
            Self::Limit => job.limit_seconds.map(|limit| limit.to_string()),
            Self::Submitted => answer.submitted.as_ref().map(moment),
            Self::Waited => waited_seconds(answer).map(|waited| waited.to_string()),
            Self::Start => answer.started.as_ref().map(moment).or_else(|| median(&answer.start)),
            Self::Range50 => range(&answer.start, |times| &times.range50),
            Self::Range80 => range(&answer.start, |times| &times.range80),
            Self::Range95 => range(&answer.start, |times| &times.range95),
            Self::Run => answer.run.as_ref().map(|run| run.median_seconds.to_string()),
            Self::Completion => median(&answer.completion),
            Self::Completion80 => range(&answer.completion, |times| &times.range80),
            Self::Slurm => answer.slurm_estimated_start.as_ref().map(moment),
            Self::NoForecast => answer.no_forecast.as_ref().map(|reason| inert(&reason.code)),
        };
        shown.unwrap_or_default()
    }
}

impl FromStr for Column {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wanted = text.trim().to_ascii_lowercase();
        let is_called = |column: &Self| column.name() == wanted || column.words().2.contains(&wanted.as_str());
        Self::ALL.into_iter().find(is_called).ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            let percent = if text.contains('%') { "formats of squeue with % are not supported; " } else { "" };
            format!("{percent}expected one of {names}")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask::zone::Zone;
    use crate::queue::sample;

    #[test]
    fn columns_are_found_by_their_names_and_by_squeues() {
        for (text, column) in
            [("id", Column::Id), ("JobID", Column::Id), ("timelimit", Column::Limit), (" end", Column::Completion)]
        {
            assert_eq!(text.parse(), Ok(column), "{text}");
        }
        for column in Column::ALL {
            assert_eq!(column.name().parse(), Ok(column));
        }
        assert!(
            "%i".parse::<Column>().is_err_and(|told| told.contains("% are not supported") && told.contains("range80"))
        );
    }

    #[test]
    fn people_see_local_times_and_programs_utc_and_seconds() {
        let job = sample::waiting(1_234);
        let zone = Zone::UTC;
        let wall = Wall::new(&zone, &job.now);
        let people = |column: Column| column.text(&job, &wall);
        assert_eq!(people(Column::Start), "12:55");
        assert_eq!(people(Column::Range80), "12:45..13:05");
        assert_eq!((people(Column::Limit), people(Column::Waited)), ("2:00:00".to_owned(), "10 min".to_owned()));
        assert_eq!(Column::Range80.value(&job), "2025-11-15T12:45:00Z/2025-11-15T13:05:00Z");
        assert_eq!((Column::Limit.value(&job), Column::Waited.value(&job)), ("7200".to_owned(), "600".to_owned()));
        let held = sample::held(7);
        assert_eq!(Column::Start.text(&held, &wall), "(held)");
        assert_eq!((Column::Start.value(&held), Column::NoForecast.value(&held)), (String::new(), "held".to_owned()));
    }
}

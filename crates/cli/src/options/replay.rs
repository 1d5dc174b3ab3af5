//! The options of a replay that every subcommand with a replay shares.

use clap::Args;
use queuecast_evaluate::{Configuration, ReplayPolicy};
use queuecast_predict::{Correction, PredictorSpecification};
use queuecast_simulate::{Overrun, Rules};
use queuecast_workload::{Machine, Seconds};

use super::overrun::OverrunChoice;

/// How to replay, beside policy and predictor.
#[derive(Clone, Copy, Debug, Args)]
pub struct ReplayArgs {
    /// Correction of a prediction that a job has exceeded: raise, raise-then-first, steps, offset-steps, x10,
    /// x10:SECONDS or x10:longest [default: the correction used in the predictor's paper].
    #[arg(long)]
    pub correction: Option<Correction>,
    /// Renew the predictions of a user's other jobs when one of the user's jobs ends or exceeds its prediction.
    #[arg(long)]
    pub propagate: bool,
    /// Order of events within one second: clean, or pyss for the order of the simulator pyss.
    #[arg(long, default_value = "clean")]
    pub rules: Rules,
    /// Action when a job reaches its time limit.
    #[arg(long, value_enum, default_value_t)]
    overrun: OverrunChoice,
    /// Minimum run time in the bounded slowdown, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(i64).range(1..))]
    slowdown_threshold: i64,
}

impl ReplayArgs {
    /// This policy and this predictor, replayed as the options say.
    pub fn configuration(
        &self,
        machine: Machine,
        policy: ReplayPolicy,
        predictor: PredictorSpecification,
    ) -> Configuration {
        Configuration {
            machine,
            policy,
            correction: self.correction.unwrap_or(predictor.default_correction()),
            predictor,
            propagate: self.propagate,
            rules: self.rules,
            overrun: self.overrun(),
            longest_limit: None,
            slowdown_threshold: self.slowdown_threshold(),
        }
    }

    /// What happens at the user's limit.
    pub fn overrun(&self) -> Overrun {
        self.overrun.into()
    }

    /// Run times below this count as this in bounded slowdown.
    pub fn slowdown_threshold(&self) -> Seconds {
        Seconds(self.slowdown_threshold)
    }
}

/// As `--overrun` takes it.
pub fn overrun_in_words(overrun: Overrun) -> &'static str {
    match overrun {
        Overrun::Kill => "kill",
        Overrun::RunOn => "run-on",
    }
}

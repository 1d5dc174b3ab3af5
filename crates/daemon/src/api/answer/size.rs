//! Widths to choose from: the question as the adviser takes it, and the answer made.

use queuecast_advise::width::SpeedupLaw;
use queuecast_advise::{HypotheticalJob, LawUsed, SizeAdvice, SizeQuestion, WidthUnit};
use queuecast_forecast::estimate::NoEstimate;
use queuecast_workload::Seconds;

use super::hypothetical;
use super::setting::{Setting, no_estimate};
use queuecast_api::forecast::JobAnswer;
use queuecast_api::problem::Refusal;
use queuecast_api::size::{LearntScalingAnswer, WidthAnswer, WidthUnitAnswer, WidthsAnswer, WidthsQuestion};

/// The job and the question, as the adviser takes them.
pub(crate) fn checked(question: WidthsQuestion) -> Result<(HypotheticalJob, SizeQuestion), Refusal> {
    let law = question.speedup.as_deref().map(str::parse::<SpeedupLaw>).transpose();
    let law = law.map_err(|error| WidthsQuestion::refused(error.to_string()))?;
    question.check()?;
    let asked = SizeQuestion { law, run: question.run_seconds.map(Seconds), widths: question.widths };
    Ok((hypothetical::checked(question.job)?, asked))
}

impl Setting<'_> {
    /// Of this job.
    pub fn widths(
        &self,
        job: JobAnswer,
        not_considered: Vec<String>,
        advice: Result<SizeAdvice, NoEstimate>,
    ) -> WidthsAnswer {
        let mut answer = WidthsAnswer {
            said: self.said(),
            job,
            not_considered,
            unit: None,
            asked: None,
            learnt: None,
            widths: Vec::new(),
            no_estimate: None,
        };
        match self.freshness.too_old().map_or(advice, Err) {
            Err(none) => answer.no_estimate = Some(no_estimate(none)),
            Ok(advice) => {
                answer.unit = Some(match advice.unit {
                    WidthUnit::Nodes => WidthUnitAnswer::Nodes,
                    WidthUnit::Cpus => WidthUnitAnswer::Cpus,
                });
                answer.asked = Some(advice.asked);
                if let LawUsed::Learnt { serial_fraction, runs, widths } = advice.law {
                    answer.learnt = Some(LearntScalingAnswer { serial_fraction, runs, widths });
                }
                let widths = advice.widths.iter().map(|width| WidthAnswer {
                    width: width.width,
                    run_seconds: width.run.0,
                    limit_seconds: width.limit.0,
                    outlook: self.outlook(&width.forecast),
                });
                answer.widths = widths.collect();
            }
        }
        answer
    }
}

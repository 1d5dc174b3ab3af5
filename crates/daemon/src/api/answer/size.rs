//! Widths to choose from: the question as the adviser takes it, and the answer made.

use queuecast_advise::width::SpeedupLaw;
use queuecast_advise::{HypotheticalJob, LawUsed, SizeAdvice, SizeQuestion, WidthUnit};
use queuecast_forecast::estimate::NoForecast;
use queuecast_workload::Seconds;

use super::hypothetical;
use super::setting::{Setting, no_forecast};
use queuecast_api::forecast::JobResponse;
use queuecast_api::problem::Refusal;
use queuecast_api::size::{ScalingResponse, SizeResponse, SizeUnitResponse, SizesRequest, SizesResponse};

/// The job and the question, as the adviser takes them.
pub(crate) fn checked(question: SizesRequest) -> Result<(HypotheticalJob, SizeQuestion), Refusal> {
    let law = question.speedup.as_deref().map(str::parse::<SpeedupLaw>).transpose();
    let law = law.map_err(|error| SizesRequest::refused(error.to_string()))?;
    question.check()?;
    let asked = SizeQuestion { law, run: question.run_seconds.map(Seconds), widths: question.sizes };
    Ok((hypothetical::checked(question.job)?, asked))
}

impl Setting<'_> {
    /// Of this job.
    pub fn widths(
        &self,
        job: JobResponse,
        not_considered: Vec<String>,
        advice: Result<SizeAdvice, NoForecast>,
    ) -> SizesResponse {
        let mut answer = SizesResponse {
            said: self.said(),
            job,
            not_considered,
            unit: None,
            requested: None,
            scaling: None,
            sizes: Vec::new(),
            no_forecast: None,
        };
        match self.freshness.too_old().map_or(advice, Err) {
            Err(none) => answer.no_forecast = Some(no_forecast(none)),
            Ok(advice) => {
                answer.unit = Some(match advice.unit {
                    WidthUnit::Nodes => SizeUnitResponse::Nodes,
                    WidthUnit::Cpus => SizeUnitResponse::Cpus,
                });
                answer.requested = Some(advice.asked);
                if let LawUsed::Learnt { serial_fraction, runs, widths } = advice.law {
                    answer.scaling = Some(ScalingResponse { serial_fraction, runs, sizes: widths });
                }
                let widths = advice.widths.iter().map(|width| SizeResponse {
                    size: width.width,
                    run_seconds: width.run.0,
                    limit_seconds: width.limit.0,
                    forecast: self.outlook(&width.forecast),
                });
                answer.sizes = widths.collect();
            }
        }
        answer
    }
}

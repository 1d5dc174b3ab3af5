//! The same job on other widths.

use std::sync::PoisonError;

use queuecast_advise::width::{LearntScaling, widths};
use queuecast_workload::{Seconds, Submission};

use super::OpenAdviser;
use queuecast_advise::HypotheticalJob;
use queuecast_advise::{LawUsed, SizeAdvice, SizeQuestion, Width, WidthUnit};
use queuecast_forecast::estimate::{JobForecast, NoForecast};

/// Slurm's limits are whole minutes.
const MINUTE: i64 = 60;

impl OpenAdviser {
    pub(super) fn width_advice(
        &self,
        job: &HypotheticalJob,
        question: &SizeQuestion,
    ) -> Result<SizeAdvice, NoForecast> {
        let planned = self.situation.hypothetical(job)?.planned;
        let submission = self.submission(job, planned);
        // Who says how many nodes is asked about nodes; who only says how many CPUs, about CPUs.
        let (unit, asked) = match (job.nodes, job.cpus) {
            (None, Some(cpus)) => (WidthUnit::Cpus, cpus),
            (nodes, _) => (WidthUnit::Nodes, nodes.unwrap_or(1)),
        };
        let (law, used) = if let Some(law) = question.law.clone() {
            (law, LawUsed::Given)
        } else {
            let learnt = self.learnt_scaling(&submission).ok_or_else(|| NoForecast {
                code: "no_speedup",
                why: "The speed-up on more nodes or CPUs is not known: this needs three completed runs of yours with this job \
                      name at each of two sizes. Give the speed-up with --speedup."
                    .to_owned(),
            })?;
            let (serial_fraction, runs, widths) = (learnt.serial_fraction, learnt.runs as u64, learnt.widths as u64);
            (learnt.law, LawUsed::Learnt { serial_fraction, runs, widths })
        };
        // What was learnt counts processors, of which every node brings as many as the job asks for now.
        let processors = match (&used, unit) {
            (LawUsed::Learnt { .. }, WidthUnit::Nodes) => job.cpus.unwrap_or(asked).div_ceil(asked.max(1)).max(1),
            _ => 1,
        };
        let factor = |width: u32| law.factor(asked.saturating_mul(processors), width.saturating_mul(processors));
        let runs = self.distribution(&submission);
        let middle = question.run.map_or_else(|| runs.quantile(0.5).as_f64(), Seconds::as_f64);
        let scale = question.run.map_or(1.0, |run| run.as_f64() / runs.quantile(0.5).as_f64().max(1.0));
        let most = self.situation.widest(job.partition.as_deref());
        let most = if unit == WidthUnit::Nodes { most.0 } else { most.1 };
        let mut asked_for = if question.widths.is_empty() { widths(most) } else { question.widths.clone() };
        asked_for.push(asked);
        asked_for.sort_unstable();
        asked_for.dedup();
        let widths = asked_for.into_iter().map(|width| {
            let limit = in_minutes(planned.as_f64() * factor(width));
            let job = resized(job, unit, asked, width, limit);
            let forecast = match self.situation.hypothetical(&job) {
                Err(none) => JobForecast::NoForecast(none),
                Ok(imagined) => {
                    let submission = self.submission(&job, imagined.planned);
                    let starts = self.starts(&imagined, submission);
                    self.said(&submission, &starts, |share| {
                        in_seconds(runs.sample(share).as_f64() * scale * factor(width)).min(imagined.planned)
                    })
                }
            };
            Width { width, run: in_seconds(middle * factor(width)), limit, forecast }
        });
        Ok(SizeAdvice { unit, asked, law: used, widths: widths.collect() })
    }

    /// How the runs of this job's user by its name have scaled.
    pub(super) fn learnt_scaling(&self, job: &Submission) -> Option<LearntScaling> {
        self.scaling.read().unwrap_or_else(PoisonError::into_inner).scaling(job.user, job.program)
    }
}

/// On another width; what each node, or each CPU, brings with it grows along.
fn resized(job: &HypotheticalJob, unit: WidthUnit, asked: u32, width: u32, limit: Seconds) -> HypotheticalJob {
    let scaled = |amount: u64| (amount * u64::from(width)).div_ceil(u64::from(asked.max(1)));
    let count = |amount: Option<u32>| amount.map(|amount| u32::try_from(scaled(u64::from(amount))).unwrap_or(u32::MAX));
    HypotheticalJob {
        nodes: if unit == WidthUnit::Nodes { Some(width) } else { job.nodes },
        cpus: if unit == WidthUnit::Cpus { Some(width) } else { count(job.cpus) },
        gpus: count(job.gpus),
        memory_mebibytes: job.memory_mebibytes.map(scaled),
        limit: Some(limit),
        ..job.clone()
    }
}

pub(super) fn in_seconds(seconds: f64) -> Seconds {
    #[expect(clippy::cast_possible_truncation, reason = "a cast to an integer stops at its ends")]
    let whole = seconds.round().clamp(1.0, Seconds::MAX.as_f64()) as i64;
    Seconds(whole)
}

fn in_minutes(seconds: f64) -> Seconds {
    let minutes = (in_seconds(seconds).0 + MINUTE - 1) / MINUTE;
    Seconds(minutes.max(1) * MINUTE)
}

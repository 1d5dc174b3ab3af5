//! What is said where Slurm hides the jobs of others from whoever asks: nothing.
//!
//! A queue of which only one's own jobs are seen looks empty, and a forecast of it says "at once".
//!
//! Source: slurm.conf(5) `PrivateData`, value `jobs`.

use std::sync::Arc;

use queuecast_advise::{Adviser, HypotheticalJob};
use queuecast_advise::{LimitAdvice, Place, SizeAdvice, SizeQuestion, Subject, Why};
use queuecast_forecast::estimate::{JobForecast, NoEstimate};
use queuecast_site::published::{Published, PublishedJob};

/// The same board without a single estimate.
pub fn without_estimates(published: Published) -> Published {
    let silent = |job: &PublishedJob| PublishedJob { forecast: JobForecast::NoEstimate(not_visible()), ..job.clone() };
    Published { jobs: published.jobs.iter().map(silent).collect(), adviser: Some(Arc::new(Silent)), ..published }
}

fn not_visible() -> NoEstimate {
    NoEstimate {
        code: "queue_not_visible",
        why: "Slurm shows you only your own jobs (PrivateData=jobs), and no daemon is here that sees the others. \
              Ask your administrator to run `qcast serve`; it will tell you of your own jobs."
            .to_owned(),
    }
}

struct Silent;

impl Adviser for Silent {
    fn forecast(&self, _job: &HypotheticalJob) -> JobForecast {
        JobForecast::NoEstimate(not_visible())
    }

    fn limits(&self, _subject: &Subject) -> Result<LimitAdvice, NoEstimate> {
        Err(not_visible())
    }

    fn places(&self, job: &HypotheticalJob) -> Vec<Place> {
        let partition = job.partition.clone().unwrap_or_default();
        vec![Place { partition, forecast: self.forecast(job) }]
    }

    fn widths(&self, _job: &HypotheticalJob, _question: &SizeQuestion) -> Result<SizeAdvice, NoEstimate> {
        Err(not_visible())
    }

    fn why(&self, _job_id: u64) -> Result<Why, NoEstimate> {
        Err(not_visible())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::test_board::{job, published};

    #[test]
    fn where_others_are_hidden_neither_jobs_nor_hypothetical_ones_have_an_estimate() {
        let silent = without_estimates(published(vec![job(7), job(8)]));
        assert_eq!(silent.jobs.len(), 2);
        let asked = silent.adviser.expect("somebody answers").forecast(&HypotheticalJob::default());
        for forecast in silent.jobs.iter().map(|job| &job.forecast).chain([&asked]) {
            let JobForecast::NoEstimate(none) = forecast else { panic!("{forecast:?}") };
            assert_eq!(none.code, "queue_not_visible");
        }
    }
}

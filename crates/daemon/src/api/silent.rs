//! An adviser who says nothing, and why.
//!
//! For: questions that are understood and that nobody can answer.

use std::sync::Arc;

use queuecast_advise::{Adviser, HypotheticalJob};
use queuecast_advise::{LimitAdvice, Place, SizeAdvice, SizeQuestion, Subject, Why};
use queuecast_forecast::estimate::{JobForecast, NoForecast};
use queuecast_forecast::queue::{Patience, Threads};

/// Says this to whatever is asked.
pub(crate) struct Silent(pub NoForecast);

impl Adviser for Silent {
    fn within(self: Arc<Self>, _patience: Patience, _threads: Threads) -> Arc<dyn Adviser> {
        self
    }

    fn forecast(&self, _job: &HypotheticalJob) -> JobForecast {
        JobForecast::NoForecast(self.0.clone())
    }

    fn limits(&self, _subject: &Subject) -> Result<LimitAdvice, NoForecast> {
        Err(self.0.clone())
    }

    fn places(&self, job: &HypotheticalJob) -> Vec<Place> {
        let partition = job.partition.clone().unwrap_or_default();
        vec![Place { partition, forecast: self.forecast(job) }]
    }

    fn widths(&self, _job: &HypotheticalJob, _question: &SizeQuestion) -> Result<SizeAdvice, NoForecast> {
        Err(self.0.clone())
    }

    fn why(&self, _job_id: u64) -> Result<Why, NoForecast> {
        Err(self.0.clone())
    }
}

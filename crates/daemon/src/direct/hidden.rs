//! What is said where Slurm hides the jobs of others from whoever asks: nothing.
//!
//! A queue of which only one's own jobs are seen looks empty, and a forecast of it says "at once".
//!
//! Source: slurm.conf(5) `PrivateData`, value `jobs`.

use std::sync::Arc;

use queuecast_forecast::estimate::{JobForecast, NoForecast};
use queuecast_site::published::{Published, PublishedJob};

use crate::api::Silent;

/// The same board without a single estimate.
pub fn without_estimates(published: Published) -> Published {
    let silent = |job: &PublishedJob| PublishedJob { forecast: JobForecast::NoForecast(not_visible()), ..job.clone() };
    Published {
        jobs: published.jobs.iter().map(silent).collect(),
        adviser: Some(Arc::new(Silent(not_visible()))),
        ..published
    }
}

fn not_visible() -> NoForecast {
    NoForecast {
        code: "queue_not_visible",
        why:
            "Slurm shows you only your own jobs (PrivateData=jobs), and no daemon is running here that sees all jobs. \
              Ask your administrator to run `qcast serve`, which can forecast your jobs."
                .to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::test_board::{job, published};
    use queuecast_advise::HypotheticalJob;

    #[test]
    fn where_others_are_hidden_neither_jobs_nor_hypothetical_ones_have_an_estimate() {
        let silent = without_estimates(published(vec![job(7), job(8)]));
        assert_eq!(silent.jobs.len(), 2);
        let asked = silent.adviser.expect("somebody answers").forecast(&HypotheticalJob::default());
        for forecast in silent.jobs.iter().map(|job| &job.forecast).chain([&asked]) {
            let JobForecast::NoForecast(none) = forecast else { panic!("{forecast:?}") };
            assert_eq!(none.code, "queue_not_visible");
        }
    }
}

//! Whether a job starts within an hour: Kumar and Vadhiyar's quick starters (R-K11), and whether a stated probability is
//! kept.

use queuecast_forecast::{ForecastJob, WaitClass};
use serde::Serialize;

/// Bins of stated probabilities.
pub const PROBABILITY_BINS: usize = 10;

/// A yes is said where a yes is at least as likely as a no.
const SAID_FROM: f64 = 0.5;

/// How well it was said who starts within an hour.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WithinAnHour {
    /// Of the jobs that were said to, the share that did; none if it was never said.
    pub precision: Option<f64>,
    /// Of the jobs that did, the share that was said to; none if none did.
    pub recall: Option<f64>,
    /// By the probability stated, in tenths; those nobody was told of are left out.
    pub bins: Vec<ProbabilityBin>,
}

/// Jobs that were told about the same probability.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ProbabilityBin {
    /// The least probability of the bin.
    pub from: f64,
    /// How many.
    pub jobs: f64,
    /// The mean of the probabilities stated.
    pub stated: f64,
    /// The share of the jobs that started within an hour.
    pub came: f64,
}

/// Adds up what was said of each job.
#[derive(Clone, Debug, Default)]
pub struct HourCounts {
    bins: [BinCounts; PROBABILITY_BINS],
    came: f64,
    said: f64,
    said_and_came: f64,
}

#[derive(Clone, Copy, Debug, Default)]
struct BinCounts {
    jobs: f64,
    stated: f64,
    came: f64,
}

impl HourCounts {
    /// One more job.
    pub fn add(&mut self, job: &ForecastJob<'_>) {
        let stated = job.forecast.classes[0].clamp(0.0, 1.0);
        let yes = |is: bool| f64::from(u8::from(is));
        let came = yes(WaitClass::of(job.wait.as_f64()).index() == 0);
        let said = yes(stated >= SAID_FROM);
        let is_beyond = |index: &usize| stated >= *index as f64 / PROBABILITY_BINS as f64;
        let bin = &mut self.bins[(1..PROBABILITY_BINS).take_while(is_beyond).count()];
        bin.jobs += 1.0;
        bin.stated += stated;
        bin.came += came;
        self.came += came;
        self.said += said;
        self.said_and_came += said * came;
    }

    /// What came out.
    pub fn summary(&self) -> WithinAnHour {
        let share = |part: f64, whole: f64| (whole > 0.0).then(|| part / whole);
        let bins = self.bins.iter().enumerate().filter(|(_, bin)| bin.jobs > 0.0);
        WithinAnHour {
            precision: share(self.said_and_came, self.said),
            recall: share(self.said_and_came, self.came),
            bins: bins
                .map(|(index, bin)| ProbabilityBin {
                    from: index as f64 / PROBABILITY_BINS as f64,
                    jobs: bin.jobs,
                    stated: bin.stated / bin.jobs,
                    came: bin.came / bin.jobs,
                })
                .collect(),
        }
    }
}

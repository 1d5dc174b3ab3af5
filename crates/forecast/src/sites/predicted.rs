//! The least predicted wait, as Kumar and Vadhiyar print it (R-K12).
//!
//! For: their rule. Where a job is thought to start within an hour at some sites but not at all, only those are candidates. Of
//! the candidates the one with the least expected wait gets the job: over the two classes predicted, the probability of each
//! times the mean wait of the similar jobs in it.
//!
//! Not for: anything better ([`super::LeastExpected`]).
//!
//! Whoever is a quick starter is said by a classifier of its own, as in the paper ([`QuickStartForecaster`], R-K11); the classes
//! and the similar jobs come from the forecaster, in the paper nearest neighbours. Their probabilities are the neighbours' own,
//! not those of a support vector machine. Of equal expectations, of which there are many before anything is learnt, the paper
//! says nothing: the least loaded site gets the job.

use queuecast_simulate::SiteChooser;
use queuecast_workload::{Outcome, Submission, Time};

use super::{ForecastSite, SiteStates, least};
use crate::class::WaitClass;
use crate::forecast::WaitForecast;
use crate::forecaster::WaitForecaster;
use crate::papers::neighbours::{NeighbourForecaster, NeighbourSettings};
use crate::papers::quick::QuickStartForecaster;

/// From this probability on a job is thought to be a quick starter.
const QUICK: f64 = 0.5;

/// Jobs go where the least wait is predicted.
pub struct LeastPredicted<F = NeighbourForecaster> {
    states: SiteStates,
    forecasters: Vec<F>,
    quickness: Vec<QuickStartForecaster>,
}

impl LeastPredicted {
    /// With the paper's forecaster at these sites: machines and speeds.
    pub fn published(sites: impl IntoIterator<Item = ForecastSite<()>>) -> Self {
        Self::new(sites.into_iter().map(|ForecastSite { machine, speed, .. }| ForecastSite {
            machine,
            speed,
            forecaster: NeighbourForecaster::new(NeighbourSettings::default()),
        }))
    }
}

impl<F: WaitForecaster> LeastPredicted<F> {
    /// With these forecasters of classes.
    pub fn new(sites: impl IntoIterator<Item = ForecastSite<F>>) -> Self {
        let (states, forecasters) = SiteStates::with_forecasters(sites);
        let quickness = forecasters.iter().map(|_| QuickStartForecaster::default()).collect();
        Self { states, forecasters, quickness }
    }
}

impl<F: WaitForecaster> SiteChooser for LeastPredicted<F> {
    fn choose(&mut self, job: &Submission, _home: usize, open: &[usize], now: Time, chosen: &mut Vec<usize>) {
        let mut predicted: Vec<(usize, f64, bool)> = Vec::with_capacity(open.len());
        for &site in open {
            let (there, state) = (self.states.job_at(site, job), self.states.of(site));
            let forecast = self.forecasters[site].on_arrival(&there, state, now);
            let quick_probability = self.quickness[site].on_arrival(&there, state, now).classes[0];
            predicted.push((site, two_class_seconds(&forecast), quick_probability >= QUICK));
        }
        let quick = predicted.iter().filter(|(_, _, is_quick)| *is_quick).count();
        let only_quick = quick > 0 && quick < predicted.len();
        let candidates = predicted.iter().filter(|(_, _, is_quick)| *is_quick || !only_quick);
        let best = least(candidates.map(|(site, seconds, _)| (*site, [*seconds, self.states.load(*site, now)])));
        for &site in open.iter().filter(|site| Some(**site) != best) {
            self.forecasters[site].on_withdrawn(job);
            self.quickness[site].on_withdrawn(job);
        }
        chosen.extend(best);
    }

    fn submitted(&mut self, site: usize, job: &Submission, _now: Time) {
        self.states.submitted(site, job);
    }
    fn started(&mut self, site: usize, job: &Submission, now: Time) {
        self.states.started(site, job, now);
        self.forecasters[site].on_start(job, now);
        self.quickness[site].on_start(job, now);
    }
    fn ended(&mut self, site: usize, job: &Submission, outcome: &Outcome) {
        self.states.ended(site, job);
        self.forecasters[site].on_end(job, outcome);
        self.quickness[site].on_end(job, outcome);
    }
    fn withdrawn(&mut self, site: usize, job: &Submission, _now: Time) {
        self.states.withdrawn(site, job);
        self.forecasters[site].on_withdrawn(job);
        self.quickness[site].on_withdrawn(job);
    }
}

/// The mean wait of the similar jobs in the two classes predicted, each class counting by its probability. The point where no
/// similar job is in either.
fn two_class_seconds(forecast: &WaitForecast) -> f64 {
    let [first, second] = forecast.ranges.two;
    let classes = if first == second { vec![first] } else { vec![first, second] };
    let (mut probability, mut seconds) = (0.0, 0.0);
    for class in classes {
        if let Some(mean_seconds) = mean_within(forecast, class) {
            probability += forecast.classes[class.index()];
            seconds += forecast.classes[class.index()] * mean_seconds;
        }
    }
    if probability > 0.0 { seconds / probability } else { forecast.point_seconds }
}

fn mean_within(forecast: &WaitForecast, class: WaitClass) -> Option<f64> {
    let (mut before, mut share, mut sum) = (0.0, 0.0, 0.0);
    for (seconds, cumulative) in forecast.distribution.points() {
        if WaitClass::of(seconds) == class {
            share += cumulative - before;
            sum += seconds * (cumulative - before);
        }
        before = cumulative;
    }
    (share > 0.0).then(|| sum / share)
}

#[cfg(test)]
mod tests {
    use queuecast_workload::Machine;

    use super::*;
    use crate::distribution::WaitDistribution;
    use crate::forecast::NamedWaitClasses;
    use crate::sites::test_forecasters::Fixed;
    use queuecast_testkit::submission;

    /// Half of the similar jobs at 1,000 s and half at 3,000 s, a class above at 10,000 s, and one at a week.
    fn forecast(point_seconds: f64) -> WaitForecast {
        let distribution = WaitDistribution::of([1_000.0, 3_000.0, 10_000.0, 600_000.0]);
        let classes = [0.6, 0.3, 0.0, 0.0, 0.0, 0.1];
        WaitForecast {
            ranges: NamedWaitClasses::around(point_seconds, &classes),
            classes,
            point_seconds,
            ..WaitForecast::from_distribution(distribution)
        }
    }

    #[test]
    fn only_the_two_classes_predicted_count_each_by_its_probability() {
        let expected = (0.6 * 2_000.0 + 0.3 * 10_000.0) / 0.9;
        assert!((two_class_seconds(&forecast(4_000.0)) - expected).abs() < 1e-9);
    }

    #[test]
    fn where_nobody_similar_is_in_either_class_the_point_counts() {
        assert!((two_class_seconds(&forecast(30_000.0)) - 30_000.0).abs() < 1e-9);
    }

    /// The shorter wait is predicted at site 2; where a job is quick is learnt from waits.
    fn chosen(waits_at: [i64; 3]) -> Vec<usize> {
        let sites = [[9_000.0], [8_000.0], [7_000.0]].map(|waits| ForecastSite {
            machine: Machine { processors: 4 },
            speed: 1.0,
            forecaster: Fixed::saying(&waits),
        });
        let mut chooser = LeastPredicted::new(sites);
        for past in 0..30 {
            for (site, wait) in waits_at.into_iter().enumerate() {
                let job = submission(3 * past + site as u64, 0, 1, Some(600));
                chooser.quickness[site].on_arrival(&job, chooser.states.of(site), Time(0));
                chooser.started(site, &job, Time(wait));
            }
        }
        let mut chosen = Vec::new();
        chooser.choose(&submission(999, 0, 1, Some(600)), 0, &[0, 1, 2], Time(0), &mut chosen);
        chosen
    }

    #[test]
    fn sites_where_a_job_is_quick_come_before_shorter_predictions() {
        let (quick, slow) = (60, 50_000);
        assert_eq!(chosen([quick, slow, slow]), [0], "the only one");
        assert_eq!(chosen([quick, quick, slow]), [1], "the shortest of those");
        assert_eq!(chosen([slow, slow, slow]), [2], "nowhere: all are candidates");
        assert_eq!(chosen([quick, quick, quick]), [2], "everywhere: all are candidates");
    }
}

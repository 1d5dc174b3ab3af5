//! How good the predictions of one job were, over its whole stay (R-MET-2, R-MET-3).
//!
//! The simulator knows the run time all along, so the weighted sums are kept while the job is in the system; they
//! flow to the observer when it ends and nowhere else.

use queuecast_workload::{Seconds, Time};

/// |R - P| in seconds.
pub fn absolute_inaccuracy(run: Seconds, predicted: Seconds) -> f64 {
    (run - predicted).as_f64().abs()
}

/// 1 if R = P, else the smaller over the larger; both may be zero, which is why equality comes first.
pub fn relative_accuracy(run: Seconds, predicted: Seconds) -> f64 {
    if run == predicted { 1.0 } else { run.min(predicted).as_f64() / run.max(predicted).as_f64() }
}

/// The predictions of one ended job.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PredictionAccuracy {
    /// The prediction made at arrival.
    pub first: Seconds,
    /// How many predictions it outlived.
    pub misses: u32,
    /// All of its predictions, judged together; `None` if the first one stood to the end and is all there is.
    pub over_stay: Option<StayAccuracy>,
}

/// Several predictions of one job, each weighing as long as it stood, from submission to end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StayAccuracy {
    /// Absolute inaccuracy in seconds (Talby et al., equation 2).
    pub absolute: f64,
    /// Relative accuracy (likewise).
    pub relative: f64,
    /// The prediction itself in seconds: Tsafrir et al. judge this one number instead.
    pub averaged_prediction: f64,
}

/// The running sums.
#[derive(Clone, Copy, Debug)]
pub struct AccuracyTrack {
    first: Seconds,
    current: Seconds,
    since: Time,
    absolute: f64,
    relative: f64,
    predicted: f64,
}

impl AccuracyTrack {
    pub fn new(first: Seconds, submitted: Time) -> Self {
        Self { first, current: first, since: submitted, absolute: 0.0, relative: 0.0, predicted: 0.0 }
    }

    pub fn first(&self) -> Seconds {
        self.first
    }

    /// The prediction changes at `now`, for a job that will run `run` seconds.
    pub fn revise(&mut self, planned: Seconds, run: Seconds, now: Time) {
        self.close(run, now);
        self.current = planned;
    }

    fn close(&mut self, run: Seconds, now: Time) {
        let held = (now - self.since).as_f64();
        self.absolute += absolute_inaccuracy(run, self.current) * held;
        self.relative += relative_accuracy(run, self.current) * held;
        self.predicted += self.current.as_f64() * held;
        self.since = now;
    }

    /// A prediction revised in the second of its submission stood for no time and leaves no trace but in `first`.
    pub fn finish(mut self, run: Seconds, misses: u32, submitted: Time, ended: Time) -> PredictionAccuracy {
        let stay = (ended - submitted).as_f64();
        let revised = self.current != self.first || self.since != submitted;
        let over_stay = (revised && stay > 0.0).then(|| {
            self.close(run, ended);
            StayAccuracy {
                absolute: self.absolute / stay,
                relative: self.relative / stay,
                averaged_prediction: self.predicted / stay,
            }
        });
        PredictionAccuracy { first: self.first, misses, over_stay }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_times_are_perfectly_accurate_even_at_zero() {
        assert!((relative_accuracy(Seconds(0), Seconds(0)) - 1.0).abs() < f64::EPSILON);
        assert!(relative_accuracy(Seconds(0), Seconds(9)).abs() < f64::EPSILON);
        assert!((relative_accuracy(Seconds(30), Seconds(120)) - 0.25).abs() < f64::EPSILON);
    }

    /// Submitted at 0, predicted 100; corrected to 400 at 300; ends at 400 after a run of 200.
    #[test]
    fn each_prediction_weighs_as_long_as_it_stood() {
        let mut track = AccuracyTrack::new(Seconds(100), Time(0));
        track.revise(Seconds(400), Seconds(200), Time(300));
        let judged = track.finish(Seconds(200), 1, Time(0), Time(400));
        let over_stay = judged.over_stay.expect("it was revised");
        assert!((over_stay.absolute - (100.0 * 300.0 + 200.0 * 100.0) / 400.0).abs() < 1e-9);
        assert!((over_stay.relative - 0.5).abs() < 1e-9);
        assert!((over_stay.averaged_prediction - (100.0 * 300.0 + 400.0 * 100.0) / 400.0).abs() < 1e-9);
        assert_eq!((judged.first, judged.misses), (Seconds(100), 1));
    }

    #[test]
    fn a_prediction_that_stood_is_all_there_is() {
        let judged = AccuracyTrack::new(Seconds(100), Time(0)).finish(Seconds(200), 0, Time(0), Time(400));
        assert_eq!(judged, PredictionAccuracy { first: Seconds(100), misses: 0, over_stay: None });
    }

    /// Predicted 100 at 5, changed to 300 in the same second: only the 300 had any weight.
    #[test]
    fn a_prediction_replaced_at_once_has_no_weight() {
        let mut track = AccuracyTrack::new(Seconds(100), Time(5));
        track.revise(Seconds(300), Seconds(200), Time(5));
        let over_stay = track.finish(Seconds(200), 0, Time(5), Time(405)).over_stay.expect("it was revised");
        assert!((over_stay.averaged_prediction - 300.0).abs() < 1e-9);
    }
}

//! Probabilities of classes by support vector machines, alone or around the point of nearest neighbours (R-K6, R-K7).
//!
//! For: Kumar and Vadhiyar's range forecasts. Trained on the last 5,000 started jobs, again after every 5,000 starts.
//!
//! Not for: the machine itself, which is libsvm's (ADR 0008), and must be on the machine this runs on.
//!
//! The paper says neither how features are scaled nor which kernel, cost and width it takes. Here every feature is the
//! logarithm of one more than it, for processor times span nine decades, brought to [0, 1] by the least and the
//! greatest value of the training jobs and kept in there; the kernel is radial with cost and gamma one. libsvm's own
//! gamma, one over the number of features, is half a point better on CTC, SDSC-SP2 and BLUE and four points worse on
//! HPC2N. Polynomial (of degree three) and sigmoid kernels have that gamma. Before the first training the classes are
//! those of the neighbours, or of all waits so far. A distribution is the waits of the training jobs, each class with its
//! probability.

use queuecast_libsvm::{Kernel, Library, Model, Settings};
use queuecast_workload::{Submission, Time};

use crate::class::{WAIT_CLASSES, WaitClass, WaitClassProbabilities};
use crate::distribution::WaitDistribution;
use crate::forecast::{NamedWaitClasses, WaitForecast};
use crate::forecaster::WaitForecaster;
use crate::papers::neighbours::feature_row::{FEATURES, FeatureRow};
use crate::papers::neighbours::{HISTORY_JOBS, History, NeighbourSearch, NeighbourSettings};
use crate::state::SiteState;

/// A class's waits are told in so many values.
const VALUES_PER_CLASS: usize = 100;

/// How to train, and when.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SvmSettings {
    /// How alike two jobs are.
    pub kernel: Kernel,
    /// What a misclassified job costs, `C`.
    pub cost: f64,
    /// What the kernel multiplies the squared distance, or the product, of scaled features with.
    pub gamma: f64,
    /// Trained again after so many starts.
    pub retrain_jobs: u64,
    /// How many started jobs are remembered.
    pub history_jobs: usize,
}

impl SvmSettings {
    /// With this kernel, and the width that fits it.
    pub fn of(kernel: Kernel) -> Self {
        let gamma = match kernel {
            Kernel::Radial => 1.0,
            // A product of scaled features is at most as large as they are many: more would drive a sigmoid to its end.
            Kernel::Polynomial { .. } | Kernel::Sigmoid => 1.0 / FEATURES as f64,
        };
        Self { kernel, cost: 1.0, gamma, retrain_jobs: 5_000, history_jobs: HISTORY_JOBS }
    }
}

impl Default for SvmSettings {
    fn default() -> Self {
        Self::of(Kernel::Radial)
    }
}

/// A trained machine with what it takes to ask it.
#[derive(Debug)]
struct Trained {
    model: Model,
    scale: Scale,
    /// Some waits of each class, in seconds.
    waits_seconds: [Vec<f64>; WAIT_CLASSES],
}

/// Brings logarithms of features to [0, 1].
#[derive(Clone, Debug)]
struct Scale {
    least: FeatureRow,
    per_range: FeatureRow,
}

impl Scale {
    fn of(history: &History) -> Self {
        let ends = |pick: fn(f64, f64) -> f64, none: f64| -> FeatureRow {
            std::array::from_fn(|column| history.columns()[column].iter().copied().fold(none, pick).ln_1p())
        };
        let (least, most) = (ends(f64::min, f64::INFINITY), ends(f64::max, 0.0));
        let per_range =
            |place: usize| if most[place] > least[place] { 1.0 / (most[place] - least[place]) } else { 0.0 };
        Self { least, per_range: std::array::from_fn(per_range) }
    }

    fn apply(&self, features: &FeatureRow) -> FeatureRow {
        std::array::from_fn(|place| {
            ((features[place].ln_1p() - self.least[place]) * self.per_range[place]).clamp(0.0, 1.0)
        })
    }
}

impl Trained {
    fn on(library: &'static Library, history: &History, settings: SvmSettings) -> Option<Self> {
        let scale = Scale::of(history);
        let jobs = history.waits_seconds().len();
        let values: Vec<f64> = (0..jobs).flat_map(|place| scale.apply(&history.row(place))).collect();
        let classes: Vec<usize> = history.waits_seconds().iter().map(|wait| WaitClass::of(*wait).index()).collect();
        let labels: Vec<i32> = classes.iter().filter_map(|class| i32::try_from(*class).ok()).collect();
        let SvmSettings { kernel, cost, gamma, .. } = settings;
        let train = Settings { kernel, cost, gamma, tolerance: 1e-3, cache_megabytes: 200.0 };
        // Where all waits are of one class, or anything else is wrong, there is nothing better than what there was.
        let model = Model::train(library, &values, FEATURES, &labels, train).ok()?;
        let waits_seconds = std::array::from_fn(|class| {
            let mut waits: Vec<f64> =
                history.waits_seconds().iter().copied().filter(|wait| WaitClass::of(*wait).index() == class).collect();
            waits.sort_by(f64::total_cmp);
            let values = waits.len().min(VALUES_PER_CLASS);
            (0..values).map(|value| waits[(2 * value + 1) * waits.len() / (2 * values)]).collect()
        });
        Some(Self { model, scale, waits_seconds })
    }

    fn probabilities(&self, features: &FeatureRow) -> WaitClassProbabilities {
        let mut classes = [0.0; WAIT_CLASSES];
        for (label, probability) in self.model.probabilities(&self.scale.apply(features)) {
            if let Some(class) = usize::try_from(label).ok().and_then(|label| classes.get_mut(label)) {
                *class = probability;
            }
        }
        classes
    }

    fn distribution(&self, classes: &WaitClassProbabilities) -> WaitDistribution {
        WaitDistribution::weighted(
            self.waits_seconds.iter().zip(classes).flat_map(|(waits, probability)| {
                waits.iter().map(move |wait| (*wait, probability / waits.len() as f64))
            }),
        )
    }
}

/// Forecasts from support vector machines.
#[derive(Debug)]
pub struct SvmForecaster {
    library: &'static Library,
    settings: SvmSettings,
    history: History,
    neighbours: Option<NeighbourSearch>,
    trained: Option<Trained>,
    /// How many jobs have entered the history, ever.
    starts: u64,
}

impl SvmForecaster {
    /// The classifier alone: the most probable classes, the median wait.
    pub fn alone(library: &'static Library, settings: SvmSettings) -> Self {
        let history = History::new(settings.history_jobs);
        Self { library, settings, history, neighbours: None, trained: None, starts: 0 }
    }

    /// The paper's method, `knn-svm`: the point of nearest neighbours, its class and those beside it, and of these the
    /// most probable by the classifier. The history is that of the classifier.
    pub fn with_neighbours(library: &'static Library, settings: SvmSettings, neighbours: NeighbourSettings) -> Self {
        Self { neighbours: Some(NeighbourSearch::new(neighbours)), ..Self::alone(library, settings) }
    }

    fn forecast(&mut self, features: &FeatureRow) -> WaitForecast {
        let by_classifier = self.trained.as_ref().map(|trained| {
            let classes = trained.probabilities(features);
            (classes, trained.distribution(&classes))
        });
        let near = self.neighbours.as_mut().map(|search| search.forecast(features, &self.history));
        match (near, by_classifier) {
            (Some(near), Some((classes, _))) => {
                WaitForecast { ranges: NamedWaitClasses::around(near.point_seconds, &classes), classes, ..near }
            }
            (Some(near), None) => near,
            (None, Some((classes, distribution))) => WaitForecast {
                classes,
                ranges: NamedWaitClasses::most_probable(&classes),
                ..WaitForecast::from_distribution(distribution)
            },
            (None, None) => {
                WaitForecast::from_distribution(WaitDistribution::of(self.history.waits_seconds().iter().copied()))
            }
        }
    }
}

impl WaitForecaster for SvmForecaster {
    fn on_arrival(&mut self, job: &Submission, state: &SiteState, now: Time) -> WaitForecast {
        let features = *state.features(job, now).as_array();
        let forecast = self.forecast(&features);
        self.history.arrive(job.job, features);
        forecast
    }

    fn on_withdrawn(&mut self, job: &Submission) {
        self.history.withdraw(job.job);
    }

    fn on_start(&mut self, job: &Submission, now: Time) {
        if !self.history.start(job, now) {
            return;
        }
        self.starts += 1;
        if self.starts.is_multiple_of(self.settings.retrain_jobs.max(1))
            && let Some(trained) = Trained::on(self.library, &self.history, self.settings)
        {
            self.trained = Some(trained);
        }
    }
}

#[cfg(test)]
mod tests {
    use queuecast_workload::Machine;

    use super::*;
    use queuecast_testkit::submission;

    /// Small jobs start at once and large ones after four hours; told 200 of them, asked about both.
    fn asked(mut forecaster: SvmForecaster) -> [WaitForecast; 2] {
        let state = SiteState::new(Machine { processors: 64 });
        for job in 0..200 {
            let (processors, wait) = if job % 2 == 0 { (2, 0) } else { (48, 14_400) };
            let submission = submission(job, 0, processors + u32::try_from(job % 8).unwrap(), Some(600));
            forecaster.on_arrival(&submission, &state, Time(0));
            forecaster.on_start(&submission, Time(wait));
        }
        [3, 50].map(|processors| {
            forecaster.on_arrival(&submission(u64::from(processors) + 900, 0, processors, Some(600)), &state, Time(0))
        })
    }

    fn libsvm() -> &'static Library {
        Library::of_this_machine().expect("apt-get install libsvm3")
    }

    fn settings() -> SvmSettings {
        SvmSettings { retrain_jobs: 200, ..SvmSettings::default() }
    }

    #[test]
    fn classes_that_lie_apart_are_named() {
        let [small, large] = asked(SvmForecaster::alone(libsvm(), settings()));
        assert_eq!([small.ranges.single.index(), large.ranges.single.index()], [0, 2]);
        assert!(small.classes[0] > 0.8 && large.classes[2] > 0.8, "{:?} {:?}", small.classes, large.classes);
        assert!((large.point_seconds - 14_400.0).abs() < 1e-9);
        assert!((large.classes.iter().sum::<f64>() - 1.0).abs() < 1e-6);
    }

    #[test]
    fn with_neighbours_the_classes_named_lie_around_their_point() {
        let forecaster = SvmForecaster::with_neighbours(libsvm(), settings(), NeighbourSettings::default());
        let [small, large] = asked(forecaster);
        assert_eq!(small.ranges.two.map(WaitClass::index), [0, 1]);
        assert_eq!(large.ranges.single.index(), 2);
        assert_eq!(large.ranges.two[0].index(), 2);
    }

    #[test]
    fn the_same_history_gives_the_same_probabilities() {
        assert_eq!(
            asked(SvmForecaster::alone(libsvm(), settings())),
            asked(SvmForecaster::alone(libsvm(), settings()))
        );
    }

    #[test]
    fn before_the_first_training_all_waits_so_far_speak() {
        let [small, _] = asked(SvmForecaster::alone(libsvm(), SvmSettings { retrain_jobs: 5_000, ..settings() }));
        assert!((small.classes[0] - 0.5).abs() < 1e-12);
    }
}

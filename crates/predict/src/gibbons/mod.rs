//! Gibbons' predictor: six templates from the most to the least alike, the first valid prediction counts (R-S10;
//! section 4 and Table 3 of Smith, Foster and Taylor).
//!
//! For: a published predictor to be compared with, on the run times themselves or relative to the user's limit.
//!
//! Not for: choosing templates, or confidence intervals; it has neither.
//!
//! In order: (user, program, processors) mean; (user, program) regression; (program, processors) mean; (program)
//! regression; (processors) mean; () regression. That is three nested categories, each asked for the mean of the job's
//! own class of processors and then for the regression over its classes ([`category`]). Table 3 also splits the means
//! by the age of the job. Here every prediction is made at age zero, where every ended job is alike, so age drops out.
//!
//! What the paper leaves open:
//!
//! - A mean is valid from two jobs on, as in the authors' own technique; a regression from two subcategories on, and it
//!   may well extrapolate. What it gives below one second is one second.
//! - A subcategory with a single job holds data and takes part in the regression, with the pooled variance of its
//!   category. (Without it, on the CTC log relative to limits, lines through two distant classes alone raise the mean
//!   error from 117 to 149 minutes.)
//! - Equal run times have no variance, and would outweigh everything (compare E-S2.8). The least standard deviation is
//!   a second, or a thousandth of the limit.
//! - An unknown program is one program and an unknown user is one user: on logs without programs, (user, program) is
//!   (user), and (program) is everybody.
//! - Relative to limits, a job without a limit is neither learnt from nor predicted. The ratio is kept in billionths,
//!   and beyond a thousand limits counts as a thousand.

mod category;
#[cfg(test)]
mod reference;

use std::fmt;

use queuecast_workload::{ProgramId, Seconds, Submission, UserId};
use rustc_hash::FxHashMap;

use crate::RuntimeModel;
use crate::rounding::nearest_second;
use category::{Category, DATUM_MAX, ProcessorsClass};

/// Units in which a run time relative to the limit is kept.
const UNITS_PER_LIMIT: i64 = 1_000_000_000;

/// What Gibbons' predictor averages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GibbonsData {
    /// Run times.
    Actual,
    /// Run times divided by the user's limit.
    Relative,
}

/// Predicts from similar ended jobs, by the first of six templates that can.
#[derive(Clone, Debug)]
pub struct Gibbons {
    data: GibbonsData,
    by_user_and_program: FxHashMap<(Option<UserId>, Option<ProgramId>), Category>,
    by_program: FxHashMap<Option<ProgramId>, Category>,
    all: Category,
}

impl Gibbons {
    /// Knows nothing yet.
    pub fn new(data: GibbonsData) -> Self {
        Self {
            data,
            by_user_and_program: FxHashMap::default(),
            by_program: FxHashMap::default(),
            all: Category::default(),
        }
    }
}

impl RuntimeModel for Gibbons {
    fn predict(&self, job: &Submission) -> Option<Seconds> {
        let seconds_per_unit = self.data.seconds_per_unit(job)?;
        let processors = job.request.processors;
        let class = ProcessorsClass::of(processors);
        let variance_min = self.data.variance_min();
        let from = |category: &Category| category.mean(class).or_else(|| category.regression(processors, variance_min));
        let of_user_and_program = || self.by_user_and_program.get(&(job.user, job.program)).and_then(from);
        let of_program = || self.by_program.get(&job.program).and_then(from);
        let units = of_user_and_program().or_else(of_program).or_else(|| from(&self.all))?;
        Some(nearest_second(units * seconds_per_unit))
    }

    fn learn(&mut self, job: &Submission, run: Seconds) {
        let Some(datum) = self.data.of(job, run) else { return };
        let processors = job.request.processors;
        self.by_user_and_program.entry((job.user, job.program)).or_default().insert(processors, datum);
        self.by_program.entry(job.program).or_default().insert(processors, datum);
        self.all.insert(processors, datum);
    }
}

impl GibbonsData {
    /// What is kept of an ended job, in units.
    fn of(self, job: &Submission, run: Seconds) -> Option<i64> {
        match self {
            Self::Actual => Some(run.0),
            Self::Relative => {
                let (run, limit) = (i128::from(run.0), i128::from(usable_limit(job)?.0));
                let nearest = (run * i128::from(UNITS_PER_LIMIT) + limit / 2) / limit;
                Some(i64::try_from(nearest).unwrap_or(DATUM_MAX).clamp(0, DATUM_MAX))
            }
        }
    }

    /// What a unit means for this job.
    fn seconds_per_unit(self, job: &Submission) -> Option<f64> {
        match self {
            Self::Actual => Some(1.0),
            Self::Relative => Some(usable_limit(job)?.as_f64() / UNITS_PER_LIMIT as f64),
        }
    }

    /// The square of the least standard deviation, in units.
    fn variance_min(self) -> f64 {
        let deviation_min = match self {
            Self::Actual => 1,
            Self::Relative => UNITS_PER_LIMIT / 1_000,
        };
        (deviation_min * deviation_min) as f64
    }
}

fn usable_limit(job: &Submission) -> Option<Seconds> {
    job.limit.filter(|limit| *limit > Seconds::ZERO)
}

impl fmt::Display for GibbonsData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Actual => "act",
            Self::Relative => "rel",
        })
    }
}

#[cfg(test)]
mod tests {
    use queuecast_workload::Request;
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;
    use crate::submissions::job_of;

    fn job(user: u32, program: u32, processors: u32) -> Submission {
        Submission { request: Request { processors }, limit: None, program: Some(ProgramId(program)), ..job_of(user) }
    }

    fn limited(limit: i64, processors: u32) -> Submission {
        Submission { limit: Some(Seconds(limit)), ..job(1, 1, processors) }
    }

    fn taught(jobs: &[(Submission, i64)]) -> Gibbons {
        let mut gibbons = Gibbons::new(GibbonsData::Actual);
        for (job, run) in jobs {
            gibbons.learn(job, Seconds(*run));
        }
        gibbons
    }

    #[test]
    fn the_most_alike_template_that_can_predict_does() {
        let mut gibbons = Gibbons::new(GibbonsData::Actual);
        let asked = job(1, 1, 4);
        let mut learn = |user, program, processors, run| {
            gibbons.learn(&job(user, program, processors), Seconds(run));
            gibbons.predict(&asked).map(|prediction| prediction.0)
        };
        assert_eq!(learn(2, 2, 1, 100), None);
        assert_eq!(learn(2, 2, 2, 200), Some(400), "() regression: a hundred a processor");
        assert_eq!(learn(2, 2, 5, 600), Some(469), "() regression through 1:100, 2:200, 5:600");
        assert_eq!(learn(2, 2, 7, 800), Some(700), "(processors) mean");
        assert_eq!(learn(2, 1, 1, 10), Some(700), "(program) has one subcategory, no line");
        assert_eq!(learn(2, 1, 8, 80), Some(40), "(program) regression: ten a processor");
        assert_eq!(learn(2, 1, 4, 50), Some(43), "(program) regression through 1:10, 4:50, 8:80");
        assert_eq!(learn(2, 1, 6, 60), Some(55), "(program, processors) mean");
        assert_eq!(learn(1, 1, 1, 1), Some(55), "(user, program) has one subcategory, no line");
        assert_eq!(learn(1, 1, 2, 3), Some(7), "(user, program) regression: two a processor, one off");
        assert_eq!(learn(1, 1, 4, 9), Some(9), "(user, program) regression through 1:1, 2:3, 4:9");
        assert_eq!(learn(1, 1, 4, 11), Some(10), "(user, program, processors) mean");
    }

    #[test]
    fn a_line_that_falls_below_a_second_predicts_one() {
        let gibbons = taught(&[(job(1, 1, 1), 1_000), (job(1, 1, 2), 100)]);
        assert_eq!(gibbons.predict(&job(1, 1, 64)), Some(Seconds(1)));
    }

    #[test]
    fn who_or_what_is_unknown_is_one_and_the_same() {
        let without_program = |user: u32| Submission { program: None, ..job(user, 0, 1) };
        let gibbons = taught(&[
            (without_program(1), 10),
            (without_program(1), 20),
            (without_program(2), 500),
            (without_program(2), 700),
        ]);
        assert_eq!(gibbons.predict(&without_program(1)), Some(Seconds(15)), "(user, unknown) is (user)");
        assert_eq!(gibbons.predict(&without_program(3)), Some(Seconds(308)), "(unknown) is everybody: 307.5");

        let anonymous = Submission { user: None, ..job(0, 1, 1) };
        let gibbons = taught(&[(anonymous, 10), (anonymous, 30), (job(1, 1, 1), 900)]);
        assert_eq!(gibbons.predict(&anonymous), Some(Seconds(20)));
    }

    #[test]
    fn relative_data_scale_with_the_limit_of_the_job_asked_about() {
        let mut gibbons = Gibbons::new(GibbonsData::Relative);
        gibbons.learn(&limited(300, 1), Seconds(100));
        gibbons.learn(&limited(3_000, 1), Seconds(1_000));
        assert_eq!(gibbons.predict(&limited(900, 1)), Some(Seconds(300)), "a third");
        gibbons.learn(&limited(100, 4), Seconds(90));
        gibbons.learn(&limited(10_000, 4), Seconds(7_000));
        // 1/3 at one processor and 0.8 at four: at eight, 1.4222 limits.
        assert_eq!(gibbons.predict(&limited(1_000, 8)), Some(Seconds(1_422)));
    }

    #[test]
    fn without_a_limit_there_is_nothing_relative() {
        let mut gibbons = Gibbons::new(GibbonsData::Relative);
        for limit in [None, Some(Seconds(0)), Some(Seconds(-5))] {
            gibbons.learn(&Submission { limit, ..job(1, 1, 1) }, Seconds(100));
        }
        assert_eq!(gibbons.predict(&limited(100, 1)), None, "nothing was learnt");
        gibbons.learn(&limited(100, 1), Seconds(50));
        gibbons.learn(&limited(100, 1), Seconds(50));
        assert_eq!(gibbons.predict(&limited(100, 1)), Some(Seconds(50)));
        assert_eq!(gibbons.predict(&job(1, 1, 1)), None);
        assert_eq!(gibbons.predict(&limited(0, 1)), None);
    }

    #[test]
    fn no_input_breaks_it() {
        let spans = [i64::MIN, -1, 0, 1, Seconds::MAX.0, i64::MAX];
        for data in [GibbonsData::Actual, GibbonsData::Relative] {
            let mut gibbons = Gibbons::new(data);
            for limit in spans {
                for processors in [0, 1, 5, u32::MAX] {
                    for run in spans {
                        gibbons.learn(&limited(limit, processors), Seconds(run));
                        for asked in [0, 2, 1_000, u32::MAX] {
                            let prediction = gibbons.predict(&limited(limit, asked)).unwrap_or(Seconds(1));
                            assert!((Seconds(1)..=Seconds::MAX).contains(&prediction));
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn sums_say_the_same_as_lists() {
        for seed in 0..200 {
            let generator = &mut Pcg64::seed_from_u64(seed);
            let data = if seed % 2 == 0 { GibbonsData::Actual } else { GibbonsData::Relative };
            let widest = [2, 16, 500][generator.random_range(0..3)];
            let longest = [3, 600, 90_000][generator.random_range(0..3)];
            let mut gibbons = Gibbons::new(data);
            let mut history = Vec::new();
            for _ in 0..120 {
                let asked = Submission {
                    limit: generator.random_ratio(9, 10).then(|| Seconds(generator.random_range(1..=longest))),
                    user: generator.random_ratio(9, 10).then(|| UserId(generator.random_range(0..4))),
                    program: generator.random_ratio(7, 10).then(|| ProgramId(generator.random_range(0..8))),
                    ..job(0, 0, generator.random_range(1..=widest))
                };
                let prediction = gibbons.predict(&asked).map(Seconds::as_f64);
                let expected = reference::predict(&history, &asked, data).map(|seconds| seconds.max(1.0));
                match (prediction, expected) {
                    (None, None) => {}
                    (Some(prediction), Some(expected)) => {
                        let tolerance = 0.5 + 1e-6 * expected;
                        let error = (prediction - expected).abs();
                        assert!(error <= tolerance, "seed {seed}: {prediction} instead of {expected}");
                    }
                    (prediction, expected) => panic!("seed {seed}: {prediction:?} instead of {expected:?}"),
                }
                let run = generator.random_range(0..=longest);
                gibbons.learn(&asked, Seconds(run));
                history.push((asked, run));
            }
        }
    }
}

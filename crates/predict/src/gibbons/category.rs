//! One category of Gibbons' predictor: ended jobs that are alike, split into subcategories by their processors.
//!
//! For: the two predictors of a category, the mean of one subcategory and the regression over all of them.
//!
//! Not for: which category a job belongs to, or what a unit of data stands for (the parent module). Here, data are
//! whole numbers from zero to [`DATUM_MAX`], of whatever.
//!
//! A subcategory is its sums and not its jobs, so that neither time nor memory grows with the history. The sums are
//! whole numbers: they are the same in whatever order jobs end, and a variance does not drown in rounding after a
//! million jobs.

/// The largest datum; with it, the sums hold ten trillion jobs.
pub const DATUM_MAX: i64 = 1_000_000_000_000;

/// Fewest jobs that a mean is taken of: the least sample of Smith, Foster and Taylor, and the fewest with a variance.
const JOBS_PER_MEAN_MIN: u64 = 2;

/// Fewest subcategories through which a line is laid.
const SUBCATEGORIES_PER_LINE_MIN: usize = 2;

/// Processors are 32 bits wide: 1, 2-3, 4-7 and so on make 32 classes.
const CLASSES: usize = 32;

/// A range of processors: 1, 2-3, 4-7, 8-15 and so on, numbered from zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ProcessorsClass(u32);

impl ProcessorsClass {
    /// The class of so many processors; none counts as one.
    pub fn of(processors: u32) -> Self {
        Self(processors.max(1).ilog2())
    }
}

/// The ended jobs of one category, by class of processors.
#[derive(Clone, Debug, Default)]
pub struct Category {
    /// Those that hold data, by ascending class.
    subcategories: Vec<Subcategory>,
}

/// The ended jobs of one class of processors, as sums.
#[derive(Clone, Copy, Debug)]
struct Subcategory {
    class: ProcessorsClass,
    jobs: u64,
    data_sum: i128,
    data_squares_sum: i128,
    processors_sum: i128,
}

/// What the regression sees of a subcategory.
#[derive(Clone, Copy, Debug, Default)]
struct Point {
    processors: f64,
    datum: f64,
    weight: f64,
}

impl Category {
    /// Takes in an ended job; a datum outside the range counts as the nearest inside it.
    pub fn insert(&mut self, processors: u32, datum: i64) {
        let class = ProcessorsClass::of(processors);
        let place = match self.place(class) {
            Ok(place) => place,
            Err(place) => {
                // There is a category for every user and program, and most hold jobs of one class only.
                self.subcategories.reserve_exact(1);
                self.subcategories.insert(place, Subcategory::empty(class));
                place
            }
        };
        self.subcategories[place].insert(processors, datum);
    }

    /// The mean datum of the jobs in this class of processors, if there are enough.
    pub fn mean(&self, class: ProcessorsClass) -> Option<f64> {
        let subcategory = &self.subcategories[self.place(class).ok()?];
        (subcategory.jobs >= JOBS_PER_MEAN_MIN).then(|| subcategory.mean_datum())
    }

    /// The datum at so many processors on the line through the subcategories' means, each weighted by the inverse of
    /// its variance, which is taken to be at least `variance_min` (positive). No line goes through one point.
    ///
    /// A subcategory of one job has a mean and no variance. It takes the pooled variance of the others.
    pub fn regression(&self, processors: u32, variance_min: f64) -> Option<f64> {
        if self.subcategories.len() < SUBCATEGORIES_PER_LINE_MIN {
            return None;
        }
        let pooled = self.pooled_variance().unwrap_or(variance_min);
        let mut points = [Point::default(); CLASSES];
        let points = &mut points[..self.subcategories.len()];
        for (point, subcategory) in points.iter_mut().zip(&self.subcategories) {
            let variance = subcategory.variance().unwrap_or(pooled).max(variance_min);
            *point = Point {
                processors: subcategory.mean_processors(),
                datum: subcategory.mean_datum(),
                weight: variance.recip(),
            };
        }
        value_on_line(points, f64::from(processors.max(1)))
    }

    fn place(&self, class: ProcessorsClass) -> Result<usize, usize> {
        self.subcategories.binary_search_by_key(&class, |subcategory| subcategory.class)
    }

    /// The variance within subcategories, from all those that have one.
    fn pooled_variance(&self) -> Option<f64> {
        let several = self.subcategories.iter().filter(|subcategory| subcategory.jobs >= 2);
        let sums = several.map(|subcategory| (subcategory.squared_deviations(), subcategory.jobs - 1));
        let (squared_deviations, freedom) = sums.fold((0.0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        (freedom > 0).then(|| squared_deviations / freedom as f64)
    }
}

impl Subcategory {
    fn empty(class: ProcessorsClass) -> Self {
        Self { class, jobs: 0, data_sum: 0, data_squares_sum: 0, processors_sum: 0 }
    }

    fn insert(&mut self, processors: u32, datum: i64) {
        let datum = i128::from(datum.clamp(0, DATUM_MAX));
        self.jobs += 1;
        self.data_sum += datum;
        self.data_squares_sum += datum * datum;
        self.processors_sum += i128::from(processors.max(1));
    }

    fn mean_datum(&self) -> f64 {
        self.data_sum as f64 / self.jobs as f64
    }

    fn mean_processors(&self) -> f64 {
        self.processors_sum as f64 / self.jobs as f64
    }

    /// The sample variance; one job has none.
    fn variance(&self) -> Option<f64> {
        (self.jobs >= 2).then(|| self.squared_deviations() / (self.jobs - 1) as f64)
    }

    /// Around the whole number below the mean first, because that is exact and no product can overflow.
    fn squared_deviations(&self) -> f64 {
        let jobs = i128::from(self.jobs);
        let below_mean = self.data_sum / jobs;
        let rest = self.data_sum - below_mean * jobs;
        let around_below = self.data_squares_sum - below_mean * (self.data_sum + rest);
        (around_below as f64 - (rest * rest) as f64 / self.jobs as f64).max(0.0)
    }
}

/// Weighted least squares, then the line's value at `processors`.
fn value_on_line(points: &[Point], processors: f64) -> Option<f64> {
    let weight: f64 = points.iter().map(|point| point.weight).sum();
    let mean_processors = points.iter().map(|point| point.weight * point.processors).sum::<f64>() / weight;
    let mean_datum = points.iter().map(|point| point.weight * point.datum).sum::<f64>() / weight;
    let (mut squares, mut products) = (0.0, 0.0);
    for point in points {
        let deviation = point.processors - mean_processors;
        squares += point.weight * deviation * deviation;
        products += point.weight * deviation * (point.datum - mean_datum);
    }
    let value = mean_datum + products / squares * (processors - mean_processors);
    // Classes do not overlap, so the points differ in processors and there is a line, but for extreme weights.
    value.is_finite().then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn category(jobs: &[(u32, i64)]) -> Category {
        let mut category = Category::default();
        for (processors, datum) in jobs {
            category.insert(*processors, *datum);
        }
        category
    }

    fn assert_near(value: Option<f64>, expected: f64) {
        let value = value.expect("a prediction");
        assert!((value - expected).abs() < 1e-9 * expected.abs().max(1.0), "{value} instead of {expected}");
    }

    #[test]
    fn classes_of_processors_double() {
        let classes = [0, 1, 2, 3, 4, 7, 8, 15, 16, u32::MAX].map(|processors| ProcessorsClass::of(processors).0);
        assert_eq!(classes, [0, 0, 1, 1, 2, 2, 3, 3, 4, 31]);
    }

    #[test]
    fn a_mean_needs_two_jobs_of_the_class() {
        let category = category(&[(4, 100), (7, 300), (8, 1_000)]);
        assert_near(category.mean(ProcessorsClass::of(5)), 200.0);
        assert_eq!(category.mean(ProcessorsClass::of(8)), None);
        assert_eq!(category.mean(ProcessorsClass::of(1)), None);
    }

    #[test]
    fn a_line_needs_two_subcategories() {
        assert_eq!(category(&[]).regression(1, 1.0), None);
        assert_eq!(category(&[(2, 10), (3, 50), (2, 90)]).regression(8, 1.0), None);
        // One processor 150, four 450: a hundred more each.
        assert_near(category(&[(1, 100), (1, 200), (4, 400), (4, 500)]).regression(8, 1.0), 850.0);
    }

    #[test]
    fn the_line_stands_on_mean_processors_and_not_on_the_class() {
        // (2.5, 20) and (5, 70).
        assert_near(category(&[(2, 10), (3, 30), (4, 60), (6, 80)]).regression(10, 1.0), 170.0);
    }

    #[test]
    fn subcategories_weigh_by_the_inverse_of_their_variance() {
        // (1, 10), (2, 20), (4, 24) with variances 2, 2, 8, so weights as 4 : 4 : 1. Means 16/9 and 16, slope 90/17.
        let category = category(&[(1, 9), (1, 11), (2, 19), (2, 21), (4, 22), (4, 26)]);
        assert_near(category.regression(8, 1.0), 16.0 + 560.0 / 17.0);
        // A least variance beyond all three makes them equal: means 7/3 and 18, slope 30/7.
        assert_near(category.regression(8, 100.0), 18.0 + 30.0 / 7.0 * (8.0 - 7.0 / 3.0));
    }

    #[test]
    fn a_single_job_weighs_as_the_others_do_on_average() {
        // (1, 10) and (2, 20) with variance 2, and a single (4, 24): three equal weights.
        let category = category(&[(1, 9), (1, 11), (2, 19), (2, 21), (4, 24)]);
        assert_near(category.regression(8, 1.0), 18.0 + 30.0 / 7.0 * (8.0 - 7.0 / 3.0));
    }

    #[test]
    fn equal_run_times_weigh_much_and_not_infinitely() {
        // (1, 10) twice has no variance and counts as having 1, beside (2, 20) with 2 and (4, 24) with 8.
        let category = category(&[(1, 10), (1, 10), (2, 19), (2, 21), (4, 22), (4, 26)]);
        // Weights as 8 : 4 : 1, means 20/13 and 184/13, slope 86/15.
        assert_near(category.regression(8, 1.0), 51.2);
    }

    #[test]
    fn a_variance_survives_a_long_history_of_large_data() {
        let mut subcategory = Subcategory::empty(ProcessorsClass::of(1));
        for _ in 0..500_000 {
            subcategory.insert(1, DATUM_MAX - 2);
            subcategory.insert(1, DATUM_MAX - 3);
        }
        // A quarter, but for the one degree of freedom.
        let expected = 0.25 * 1_000_000.0 / 999_999.0;
        assert!((subcategory.variance().unwrap() - expected).abs() < 1e-12);
    }

    #[test]
    fn no_datum_and_no_number_of_processors_breaks_the_sums() {
        let extremes = [(0, i64::MIN), (u32::MAX, i64::MAX), (u32::MAX, 0), (1, i64::MAX), (7, -1), (0, 0)];
        let category = category(&extremes);
        for processors in [0, 1, 6, u32::MAX] {
            assert!(category.regression(processors, f64::MIN_POSITIVE).is_none_or(f64::is_finite));
            assert!(category.mean(ProcessorsClass::of(processors)).is_none_or(|mean| mean >= 0.0));
        }
    }
}

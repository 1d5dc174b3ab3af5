//! The ranges, made as wide as they have to be: where the model does not explain what Slurm does, how far starts lay outside is
//! learnt.
//!
//! For each of the four ranges the score of a start is how far the range would have had to be stretched to hold it, below zero if
//! it did: conformalized quantile regression (Romano, Patterson, Candès 2019), in logarithms of the wait and ten minutes, with
//! the adaptive level of [`AdaptiveQuantile`]. The middle is left alone. Moving every share by itself so that
//! starts came before it as often as it said was tried first: errors of a whole queue come together (one long job that does not
//! end), and what was learnt from one such stretch made the next forecasts worse (`experiments/slurm-live`).
//!
//! Forecasts are stretched by what came of those that were told to be about as far ahead: "now" is wrong in other ways, and more often, than "in
//! five hours", and what is right for all together leaves ranges of minutes too narrow (`experiments/slurm-site`). Jobs that have only come are learnt apart
//! from those that have waited, of whom there are more forecasts, and worse ones.

use queuecast_forecast::AdaptiveQuantile;
use queuecast_forecast::score::SHARES;
use queuecast_workload::{Seconds, Time};

/// Start times before they are stretched, at [`SHARES`].
pub type Raw = [Time; SHARES.len()];

/// Ranges: the first and the last share, the second and the last but one, and so on.
const RANGES: usize = SHARES.len() / 2;

/// Added to waits before they are compared: a minute matters less of an hour than of a minute.
const OFFSET_SECONDS: f64 = 600.0;
/// How many made-up scores stand at the beginning, and between which they lie. Chosen after looking at CTC in
/// `experiments/slurm-live`: with them an 80 % range is a third wider at both ends than the futures are.
const BELIEFS: i32 = 30;
const LEAST_BELIEF: f64 = -0.25;
const LARGEST_BELIEF: f64 = 0.45;

/// Where one class of times told ends and the next begins. Stretches are factors: one that was learnt where half a day was told and a month came would
/// make years of a month, so days, a week and more are classes of their own.
const CLASSES_END: [Seconds; 7] = [
    Seconds(900),
    Seconds(3_600),
    Seconds(10_800),
    Seconds(43_200),
    Seconds(86_400),
    Seconds(259_200),
    Seconds(864_000),
];
/// Up to here a job has only come.
const ONLY_COME: Seconds = Seconds(600);
/// A class speaks for itself once so many of it are known.
const ENOUGH: u32 = 40;

/// Stretches ranges by how far starts lay outside.
#[derive(Clone, Debug)]
pub struct RangeCorrection {
    only_come: ByTimeTold,
    have_waited: ByTimeTold,
}

#[derive(Clone, Debug)]
struct ByTimeTold {
    all: Stretches,
    /// By how far ahead the middle was told to be.
    classes: [Stretches; CLASSES_END.len() + 1],
}

/// How far each range is stretched.
#[derive(Clone, Debug)]
struct Stretches {
    ranges: [AdaptiveQuantile; RANGES],
    learnt: u32,
}

impl Default for RangeCorrection {
    fn default() -> Self {
        Self::new()
    }
}

impl RangeCorrection {
    /// Nothing scored yet.
    pub fn new() -> Self {
        Self { only_come: ByTimeTold::new(), have_waited: ByTimeTold::new() }
    }

    /// What is said in the place of the raw forecast made now, of a job that came then.
    pub fn correct(&self, raw: &Raw, submitted: Time, made: Time) -> Raw {
        let mut said = raw.map(|time| time.max(made));
        let middle = said[RANGES];
        let kind = if made - submitted > ONLY_COME { &self.have_waited } else { &self.only_come };
        let class = &kind.classes[class_of(raw, made)];
        let stretches = if class.learnt >= ENOUGH { class } else { &kind.all };
        for (range, stretch) in stretches.ranges.iter().enumerate() {
            let by = stretch.quantile();
            let (low, high) = (range, SHARES.len() - 1 - range);
            said[low] = stretched(said[low], made, -by).min(middle);
            said[high] = stretched(said[high], made, by).max(middle);
        }
        // Of ranges that are learnt one by one, a narrower one must not reach beyond a wider one.
        for range in (0..RANGES).rev() {
            let (low, high) = (range, SHARES.len() - 1 - range);
            said[low] = said[low].min(said[low + 1]);
            said[high] = said[high].max(said[high - 1]);
        }
        said
    }

    /// A job started of which this was said, raw.
    pub fn learn(&mut self, raw: &Raw, submitted: Time, made: Time, started: Time) {
        let actual = logarithm(started, made);
        let scores: [f64; RANGES] = std::array::from_fn(|range| {
            let (low, high) = (logarithm(raw[range], made), logarithm(raw[SHARES.len() - 1 - range], made));
            (low - actual).max(actual - high)
        });
        let kind = if made - submitted > ONLY_COME { &mut self.have_waited } else { &mut self.only_come };
        kind.all.learn(&scores);
        kind.classes[class_of(raw, made)].learn(&scores);
    }
}

impl ByTimeTold {
    fn new() -> Self {
        Self { all: Stretches::new(), classes: std::array::from_fn(|_| Stretches::new()) }
    }
}

impl Stretches {
    fn new() -> Self {
        let mut ranges: [AdaptiveQuantile; RANGES] =
            std::array::from_fn(|range| AdaptiveQuantile::new(SHARES[SHARES.len() - 1 - range] - SHARES[range]));
        for belief in 0..BELIEFS {
            let share = f64::from(belief) / f64::from(BELIEFS - 1);
            for range in &mut ranges {
                range.learn(LEAST_BELIEF + share * (LARGEST_BELIEF - LEAST_BELIEF));
            }
        }
        Self { ranges, learnt: 0 }
    }

    fn learn(&mut self, scores: &[f64; RANGES]) {
        self.learnt += 1;
        for (range, score) in self.ranges.iter_mut().zip(scores) {
            range.learn(*score);
        }
    }
}

fn class_of(raw: &Raw, made: Time) -> usize {
    let ahead = raw[RANGES] - made;
    CLASSES_END.iter().filter(|end| ahead >= **end).count()
}

fn logarithm(time: Time, made: Time) -> f64 {
    ((time - made).as_f64().max(0.0) + OFFSET_SECONDS).ln()
}

fn stretched(time: Time, made: Time, by: f64) -> Time {
    let ahead_seconds = (logarithm(time, made) + by).exp() - OFFSET_SECONDS;
    #[expect(clippy::cast_possible_truncation, reason = "bounded just before")]
    let ahead = Seconds(ahead_seconds.clamp(0.0, Seconds::MAX.as_f64() / 4.0).round() as i64);
    made + ahead
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_that_never_holds_is_stretched_until_it_does_and_its_middle_stays() {
        let mut correction = RangeCorrection::new();
        let raw = [Time(1_000); 9];
        let before = correction.correct(&raw, Time(0), Time(0));
        assert!(before[2] < Time(1_000) && before[6] > Time(1_000), "{before:?}");
        for job in 0..400 {
            correction.learn(&raw, Time(0), Time(0), Time(4_000 + job % 100));
        }
        let after = correction.correct(&raw, Time(0), Time(0));
        assert!(after[6] >= Time(3_950) && after[4] == Time(1_000) && after.is_sorted(), "{after:?}");
    }

    #[test]
    fn a_range_that_always_holds_is_drawn_in() {
        let mut correction = RangeCorrection::new();
        let raw = std::array::from_fn(|place| Time(10_000 + 2_000 * place as i64));
        let before = correction.correct(&raw, Time(0), Time(0));
        for _ in 0..2_000 {
            correction.learn(&raw, Time(0), Time(0), Time(18_000));
        }
        let after = correction.correct(&raw, Time(0), Time(0));
        assert!(after[2] > before[2] && after[6] < before[6] && after.is_sorted(), "{before:?} {after:?}");
    }

    #[test]
    fn what_is_told_to_be_soon_is_stretched_by_what_came_of_such_and_not_by_the_rest() {
        let mut correction = RangeCorrection::new();
        let (soon, later) = ([Time(60); 9], [Time(20_000); 9]);
        for _ in 0..300 {
            correction.learn(&soon, Time(0), Time(0), Time(5_000));
            correction.learn(&later, Time(0), Time(0), Time(20_000));
        }
        let (soon, later) = (correction.correct(&soon, Time(0), Time(0)), correction.correct(&later, Time(0), Time(0)));
        assert!(soon[6] >= Time(4_900), "{soon:?}");
        assert!(later[6] - later[2] < Seconds(6_000), "{later:?}");
    }

    /// As on HPC2N: half a day was told and two months came, while who was told weeks did wait for weeks.
    #[test]
    fn a_factor_learnt_at_half_a_day_does_not_make_years_of_weeks() {
        let mut correction = RangeCorrection::new();
        let day = 86_400;
        let (half_a_day, weeks) = ([Time(day / 2); 9], [Time(20 * day); 9]);
        for _ in 0..300 {
            correction.learn(&half_a_day, Time(0), Time(0), Time(60 * day));
            correction.learn(&weeks, Time(0), Time(0), Time(21 * day));
        }
        let said = correction.correct(&weeks, Time(0), Time(0));
        assert!(said[6] < Time(40 * day), "{said:?}");
    }

    #[test]
    fn nothing_starts_before_it_was_said() {
        let said = RangeCorrection::new().correct(&[Time(500); 9], Time(0), Time(500));
        assert!(said.iter().all(|time| *time >= Time(500)) && said.is_sorted(), "{said:?}");
    }

    #[test]
    fn who_has_waited_is_not_stretched_by_who_has_only_come() {
        let mut correction = RangeCorrection::new();
        let raw = [Time(20_000); 9];
        for _ in 0..300 {
            correction.learn(&raw, Time(0), Time(0), Time(90_000));
            correction.learn(&raw, Time(-5_000), Time(0), Time(20_000));
        }
        let came = correction.correct(&raw, Time(0), Time(0));
        let waited = correction.correct(&raw, Time(-9_000), Time(0));
        assert!(came[6] >= Time(89_000), "{came:?}");
        assert!(waited[6] - waited[2] < Seconds(6_000), "{waited:?}");
    }
}

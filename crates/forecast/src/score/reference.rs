//! The score again, slowly: every figure from its definition, over all forecasts at once.

use std::collections::HashSet;

use proptest::prelude::*;
use queuecast_workload::Time;

use super::figures::{Covered, Errors, ExpertFigures, Figures, RoughErrors};
use super::{SHARES, ScoredForecast, Scorekeeper, USERS_COUNTED};
use crate::class::WaitClass;
use crate::durations::DurationCounts;

/// Forecasts with the job each is of.
type OfJobs = Vec<(usize, ScoredForecast)>;

fn share_of(forecasts: &[&(usize, ScoredForecast)], is: impl Fn(&ScoredForecast) -> bool) -> Option<f64> {
    let hits = forecasts.iter().filter(|(_, forecast)| is(forecast)).count();
    (!forecasts.is_empty()).then(|| hits as f64 / forecasts.len() as f64)
}

fn middle(mut values: Vec<i64>) -> Option<f64> {
    values.sort_unstable();
    let last = values.len().checked_sub(1)?;
    Some((values[last / 2] + values[last.div_ceil(2)]) as f64 / 2.0)
}

fn errors(values: &[i64]) -> Option<Errors> {
    Some(Errors {
        median_seconds: middle(values.to_vec())?,
        mean_seconds: values.iter().sum::<i64>() as f64 / values.len() as f64,
        within_ten_minutes: values.iter().filter(|&&error| error <= 600).count() as f64 / values.len() as f64,
    })
}

fn rough(errors: impl Iterator<Item = i64>) -> RoughErrors {
    let errors: Vec<i64> = errors.collect();
    let mut counts = DurationCounts::default();
    for error in &errors {
        counts.add(*error as f64);
    }
    RoughErrors {
        median_seconds: counts.median_seconds().expect("some"),
        mean_seconds: errors.iter().sum::<i64>() as f64 / errors.len() as f64,
    }
}

/// The end of a range at a share, not before the forecast was made.
fn at(forecast: &ScoredForecast, share: f64) -> i64 {
    let place = SHARES.iter().position(|&other| (other - share).abs() < 1e-9).expect("a share that is kept");
    forecast.said[place].0.max(forecast.made.0)
}

fn slow(forecasts: &[&(usize, ScoredForecast)]) -> Figures {
    let covered = |percent: f64| {
        let [low, high] = [(1.0 - percent) / 2.0, f64::midpoint(1.0, percent)];
        let is_in = |one: &&&(usize, ScoredForecast)| (at(&one.1, low)..=at(&one.1, high)).contains(&one.1.started.0);
        Covered::of(forecasts.iter().filter(is_in).count() as u64, forecasts.len() as u64)
    };
    let mut jobs: Vec<usize> = forecasts.iter().map(|(job, _)| *job).collect();
    jobs.sort_unstable();
    jobs.dedup();
    let widths: Vec<i64> = forecasts.iter().map(|(_, one)| at(one, 0.9) - at(one, 0.1)).collect();
    let our = |one: &ScoredForecast| (at(one, 0.5) - one.started.0).abs();
    let with_slurm: Vec<(&ScoredForecast, i64)> =
        forecasts.iter().filter_map(|(_, one)| Some((one, one.slurm_said?.0))).collect();
    let slurm_errors: Vec<i64> =
        with_slurm.iter().map(|(one, said)| ((*said).max(one.made.0) - one.started.0).abs()).collect();
    let too_late = with_slurm.iter().filter(|(one, said)| *said > one.started.0).count();
    let users = |is: &dyn Fn(&ScoredForecast) -> bool| {
        let of = forecasts.iter().filter(|(_, one)| is(one)).map(|(_, one)| one.user.as_str());
        of.collect::<HashSet<&str>>().len().min(USERS_COUNTED)
    };
    let fewest = [
        users(&|_| true),
        users(&|one| !one.first),
        users(&|one| one.slurm_said.is_some()),
        users(&|one| one.slurm_said.is_none()),
        users(&|one| one.experts.is_some()),
        users(&|one| one.experts.is_none()),
    ];
    let mut figures = Figures {
        forecasts: forecasts.len() as u64,
        jobs: jobs.len() as u64,
        users: fewest.into_iter().filter(|count| *count > 0).min().unwrap_or(0) as u64,
        median_width_seconds: middle(widths.clone()),
        mean_width_seconds: (!widths.is_empty()).then(|| widths.iter().sum::<i64>() as f64 / widths.len() as f64),
        errors: errors(&forecasts.iter().map(|(_, one)| our(one)).collect::<Vec<_>>()),
        ..Figures::default()
    };
    figures.coverage = covered(0.5).map(|range50| super::Coverage {
        range50,
        range80: covered(0.8).expect("some"),
        range90: covered(0.9).expect("some"),
        range95: covered(0.95).expect("some"),
    });
    let with_experts: Vec<_> = forecasts.iter().filter_map(|(_, one)| Some((one, one.experts?))).collect();
    figures.experts = (!with_experts.is_empty()).then(|| ExpertFigures {
        forecasts: with_experts.len() as u64,
        ours: rough(with_experts.iter().map(|(one, _)| our(one))),
        each: std::array::from_fn(|expert| {
            rough(with_experts.iter().map(|(one, said)| (said[expert].max(one.made) - one.started).0.abs()))
        }),
    });
    figures.slurm.estimates = with_slurm.len() as u64;
    figures.slurm.share_blank = share_of(forecasts, |one| one.slurm_said.is_none());
    figures.slurm.share_too_late = (!with_slurm.is_empty()).then(|| too_late as f64 / with_slurm.len() as f64);
    figures.slurm.errors = errors(&slurm_errors);
    figures.slurm.our_errors = errors(&with_slurm.iter().map(|(one, _)| our(one)).collect::<Vec<_>>());
    figures
}

fn forecasts() -> impl Strategy<Value = OfJobs> {
    let experts = prop::option::of(prop::array::uniform6(-2_000..90_000_i64));
    let said =
        (0..400_000_i64, prop::array::uniform9(-2_000..4_000_i64), prop::option::of(-2_000..90_000_i64), experts);
    let job = (0..3_usize, 0..9_usize, 0..200_000_i64, prop::collection::vec(said, 1..4));
    prop::collection::vec(job, 0..24).prop_map(|jobs| {
        let mut forecasts = Vec::new();
        for (number, (partition, user, wait, said)) in jobs.into_iter().enumerate() {
            // Submitted at different times, so that two jobs are never taken for one.
            let submitted = number as i64;
            for (place, (made, mut beside, slurm, experts)) in said.into_iter().enumerate() {
                beside.sort_unstable();
                let (started, made) = (submitted + wait, submitted + made % (wait + 60));
                forecasts.push((
                    number,
                    ScoredForecast {
                        partition: ["batch", "long", "gpu"][partition].to_owned(),
                        user: format!("user{user}"),
                        submitted: Time(submitted),
                        made: Time(made),
                        first: place == 0,
                        said: beside.map(|beside| Time(started + beside)),
                        raw: [Time(made); 9],
                        slurm_said: slurm.map(|slurm| Time(made + slurm)),
                        experts: experts.map(|experts| experts.map(|expert| Time(made + expert))),
                        started: Time(started),
                    },
                ));
            }
        }
        forecasts
    })
}

proptest! {
    #[test]
    fn kept_one_by_one_the_score_is_what_its_definition_says(forecasts in forecasts()) {
        let mut keeper = Scorekeeper::new();
        for (_, forecast) in &forecasts {
            keeper.add(forecast);
        }
        let score = keeper.score();
        for (breakdown, first_only) in [(&score.first, true), (&score.all, false)] {
            let chosen: Vec<_> = forecasts.iter().filter(|(_, one)| one.first || !first_only).collect();
            prop_assert_eq!(&breakdown.overall, &slow(&chosen));
            for (name, figures) in &breakdown.by_partition {
                let of_partition: Vec<_> = chosen.iter().copied().filter(|(_, one)| one.partition == *name).collect();
                prop_assert_eq!(figures, &slow(&of_partition));
            }
            let in_partitions: u64 = breakdown.by_partition.values().map(|figures| figures.forecasts).sum();
            prop_assert_eq!(in_partitions, chosen.len() as u64);
            for (index, figures) in breakdown.by_wait_left.iter().enumerate() {
                let class = |one: &ScoredForecast| WaitClass::of((one.started - one.made).as_f64()).index();
                let of_class: Vec<_> = chosen.iter().copied().filter(|(_, one)| class(one) == index).collect();
                prop_assert_eq!(figures, &slow(&of_class));
            }
        }
    }
}

fn forecast(made: i64, said: [i64; 9], slurm_said: Option<i64>, started: i64) -> ScoredForecast {
    ScoredForecast {
        partition: "batch".to_owned(),
        user: "alice".to_owned(),
        submitted: Time(0),
        made: Time(made),
        first: true,
        said: said.map(Time),
        raw: [Time(made); 9],
        slurm_said: slurm_said.map(Time),
        experts: None,
        started: Time(started),
    }
}

#[test]
fn a_range_covers_its_very_ends_and_nothing_beside_them() {
    let said = [100, 200, 300, 400, 500, 600, 700, 800, 900];
    let covered = |started| {
        let mut keeper = Scorekeeper::new();
        keeper.add(&forecast(0, said, None, started));
        let coverage = keeper.score().all.overall.coverage.expect("one");
        [coverage.range50, coverage.range80, coverage.range90, coverage.range95].map(|covered| covered.share > 0.5)
    };
    assert_eq!(covered(400), [true; 4]);
    assert_eq!(covered(700), [false, true, true, true]);
    assert_eq!(covered(701), [false, false, true, true]);
    assert_eq!(covered(900), [false, false, false, true]);
    assert_eq!(covered(99), [false; 4]);
}

#[test]
fn what_is_said_to_have_begun_already_counts_as_now() {
    let mut keeper = Scorekeeper::new();
    keeper.add(&forecast(1_000, [0; 9], Some(10), 1_000));
    let figures = keeper.score().first.overall;
    assert_eq!(figures.errors.expect("one").median_seconds.to_bits(), 0.0_f64.to_bits());
    assert_eq!(figures.slurm.errors.expect("one").mean_seconds.to_bits(), 0.0_f64.to_bits());
    assert_eq!(figures.coverage.expect("one").range50.share.to_bits(), 1.0_f64.to_bits());
}

#[test]
fn a_blank_of_slurms_has_no_error_and_is_counted() {
    let mut keeper = Scorekeeper::new();
    keeper.add(&forecast(0, [50; 9], None, 100));
    keeper.add(&forecast(0, [100; 9], Some(3_700), 100));
    let slurm = keeper.score().all.overall.slurm;
    assert_eq!(slurm.estimates, 1);
    assert_eq!(slurm.share_blank, Some(0.5));
    assert_eq!(slurm.share_too_late, Some(1.0));
    assert_eq!(slurm.errors.map(|errors| errors.median_seconds), Some(3_600.0));
    assert_eq!(slurm.our_errors.map(|errors| errors.median_seconds), Some(0.0));
}

/// The manager's clock is not ours: one job that it says will start in 2100 takes the place of no other.
#[test]
fn a_start_in_a_far_future_does_not_end_the_month() {
    let mut keeper = Scorekeeper::new();
    for day in 0..30 {
        for _ in 0..5 {
            let (made, started) = (day * 86_400, day * 86_400 + 600);
            let experts = Some([Time(started + 60); 6]);
            keeper.add(&ScoredForecast { experts, ..forecast(made, [started + 3_600; 9], None, started) });
        }
        keeper.add(&forecast(day * 86_400, [0; 9], None, 4_102_444_800));
    }
    let better = keeper.score().all.better_for_a_month;
    assert_eq!(
        better.iter().map(|one| one.name).collect::<Vec<_>>(),
        ["simulation", "recent", "recent:class", "recent:user"]
    );
}

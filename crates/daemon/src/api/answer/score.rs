//! How good the forecasts were, made an answer: ours beside Slurm's own plan, overall, by partition and by class.
//!
//! For: the scorecard of `/v1/score`, what a forecast's answer says of others like it, and what is left of it where jobs
//! are private.
//!
//! Not for: the judging itself (`queuecast_forecast::score`).

use queuecast_forecast::class_name;
use queuecast_forecast::pooled::EXPERTS;
use queuecast_forecast::score::{BetterForAMonth, Coverage, ExpertFigures, Figures, RoughErrors, Score};
use queuecast_records::{Hidden, PrivateData};

use super::small_groups::{self, LEAST_USERS_OF_A_GROUP};
use queuecast_api::score::{
    BetterMethodResponse, CoverageResponse, ExpertResponse, ExpertsResponse, FiguresResponse, RecentAccuracyResponse,
    ScoreGroupResponse, ScoreResponse, SlurmFiguresResponse,
};

/// With fewer forecasts nothing is said of how good such forecasts were lately.
pub const LEAST_FORECASTS_LATELY: u64 = 30;

/// The scorecard.
pub fn score_answer(score: &Score) -> ScoreResponse {
    let overall = group("all", Some(&score.first.overall), &score.all.overall);
    let partitions = score.all.by_partition.iter();
    let classes = score.first.by_wait_left.iter().zip(&score.all.by_wait_left).enumerate();
    ScoreResponse {
        overall: Some(overall).filter(|overall| overall.all.forecasts > 0),
        by_partition: partitions.map(|(name, all)| group(name, score.first.by_partition.get(name), all)).collect(),
        by_class: classes
            .filter(|(_, (_, all))| all.forecasts > 0)
            .map(|(place, (first, all))| group(&class_name(place), Some(first), all))
            .collect(),
        better_for_a_month: [("first", &score.first), ("all", &score.all)]
            .into_iter()
            .flat_map(|(of, breakdown)| {
                breakdown.better_for_a_month.iter().map(move |better| better_answer(of, better))
            })
            .collect(),
    }
}

fn better_answer(of: &str, better: &BetterForAMonth) -> BetterMethodResponse {
    BetterMethodResponse {
        of: of.to_owned(),
        name: better.name.to_owned(),
        forecasts: better.forecasts,
        users: better.users,
        median_absolute_error_seconds: better.median_seconds,
        ours_median_absolute_error_seconds: better.our_median_seconds,
    }
}

fn experts_answer(experts: &ExpertFigures) -> ExpertsResponse {
    let answer = |(name, errors): (&str, &RoughErrors)| ExpertResponse {
        name: name.to_owned(),
        median_absolute_error_seconds: errors.median_seconds,
        mean_absolute_error_seconds: errors.mean_seconds,
    };
    let each = EXPERTS.into_iter().zip(&experts.each);
    let answers = [("ours", &experts.ours)].into_iter().chain(each).map(answer).collect();
    ExpertsResponse { forecasts: experts.forecasts, members: answers }
}

fn group(name: &str, first: Option<&Figures>, all: &Figures) -> ScoreGroupResponse {
    ScoreGroupResponse {
        name: name.to_owned(),
        users: first
            .map_or(all.users, |first| if first.forecasts > 0 { first.users.min(all.users) } else { all.users }),
        first: first.map(figures_answer).unwrap_or_default(),
        all: figures_answer(all),
    }
}

/// The figures of one group.
pub fn figures_answer(figures: &Figures) -> FiguresResponse {
    let slurm = &figures.slurm;
    let coverage = |coverage: Coverage| CoverageResponse {
        p50: coverage.range50.share,
        p80: coverage.range80.share,
        p90: coverage.range90.share,
        p95: coverage.range95.share,
    };
    FiguresResponse {
        forecasts: figures.forecasts,
        jobs: figures.jobs,
        coverage: figures.coverage.map(coverage),
        range80_median_width_seconds: figures.median_width_seconds,
        median_absolute_error_seconds: figures.errors.map(|errors| errors.median_seconds),
        within_10_minutes: figures.errors.map(|errors| errors.within_ten_minutes),
        slurm: SlurmFiguresResponse {
            median_absolute_error_seconds: slurm.errors.map(|errors| errors.median_seconds),
            within_10_minutes: slurm.errors.map(|errors| errors.within_ten_minutes),
            missing: slurm.share_blank,
            too_late: slurm.share_too_late,
            ours_median_absolute_error_seconds: slurm.our_errors.map(|errors| errors.median_seconds),
            ours_within_10_minutes: slurm.our_errors.map(|errors| errors.within_ten_minutes),
        },
        experts: figures.experts.as_ref().map(experts_answer),
    }
}

/// How good forecasts in the first of these partitions that has enough were lately.
pub(crate) fn lately(score: &ScoreResponse, partitions: &[String]) -> Option<RecentAccuracyResponse> {
    partitions.iter().find_map(|partition| {
        let figures = &score.by_partition.iter().find(|group| group.name == *partition)?.all;
        let enough = figures.forecasts >= LEAST_FORECASTS_LATELY;
        let (coverage, median_absolute_error_seconds) = (figures.coverage?, figures.median_absolute_error_seconds?);
        enough.then(|| RecentAccuracyResponse {
            partition: partition.clone(),
            forecasts: figures.forecasts,
            coverage80: coverage.p80,
            median_absolute_error_seconds,
        })
    })
}

/// What everybody may be told: without the groups in which single users might be recognised, and without those of which the
/// site hides that they are there.
pub(crate) fn for_everybody(score: &ScoreResponse, private: PrivateData) -> ScoreResponse {
    let groups = |groups: &[ScoreGroupResponse], hidden: &[Hidden]| {
        let are_hidden = hidden.iter().any(|hidden| private.hides(*hidden));
        if are_hidden { Vec::new() } else { without_small(groups) }
    };
    ScoreResponse {
        overall: score.overall.clone().filter(is_large_enough),
        // How much a partition did is what its owners used.
        by_partition: groups(&score.by_partition, &[Hidden::Partitions, Hidden::Usage]),
        by_class: groups(&score.by_class, &[Hidden::Usage]),
        better_for_a_month: score
            .better_for_a_month
            .iter()
            .filter(|better| better.users >= LEAST_USERS_OF_A_GROUP)
            .cloned()
            .collect(),
    }
}

fn is_large_enough(group: &ScoreGroupResponse) -> bool {
    group.users >= LEAST_USERS_OF_A_GROUP
}

/// What is left out is of first forecasts too, so a group that has none is not enough to cover it.
fn without_small(groups: &[ScoreGroupResponse]) -> Vec<ScoreGroupResponse> {
    let covers = |group: &ScoreGroupResponse| group.first.forecasts > 0;
    small_groups::without(groups.to_vec(), is_large_enough, |group| group.all.jobs, covers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use queuecast_workload::Time;

    fn scored(name: &str, users: u64, jobs: u64) -> ScoreGroupResponse {
        let figures = FiguresResponse {
            forecasts: 3 * jobs,
            jobs,
            coverage: Some(CoverageResponse { p50: 0.5, p80: 0.82, p90: 0.9, p95: 0.95 }),
            median_absolute_error_seconds: Some(240.0),
            ..FiguresResponse::default()
        };
        ScoreGroupResponse { name: name.to_owned(), users, first: figures.clone(), all: figures }
    }

    fn names(groups: &[ScoreGroupResponse]) -> Vec<&str> {
        groups.iter().map(|group| group.name.as_str()).collect()
    }

    #[test]
    fn a_few_users_are_not_shown_and_not_to_be_had_by_subtraction_either() {
        let answer = |groups: &[(&str, u64, u64)]| ScoreResponse {
            overall: Some(scored("all", 5, groups.iter().map(|(_, _, jobs)| jobs).sum())),
            by_partition: groups.iter().map(|(name, users, jobs)| scored(name, *users, *jobs)).collect(),
            by_class: Vec::new(),
            better_for_a_month: Vec::new(),
        };
        let shown = |groups: &[(&str, u64, u64)]| for_everybody(&answer(groups), PrivateData::NOTHING);
        let one_small = shown(&[("batch", 5, 500), ("gpu", 5, 40), ("secret", 4, 900)]);
        assert_eq!(names(&one_small.by_partition), ["batch"], "gpu hides what is in secret");
        let two_small = shown(&[("batch", 5, 500), ("gpu", 5, 40), ("a", 3, 300), ("b", 4, 400)]);
        assert_eq!(names(&two_small.by_partition), ["batch"], "a and b may be of the same four users");
        let none_small = shown(&[("batch", 5, 500), ("gpu", 5, 5)]);
        assert_eq!(names(&none_small.by_partition), ["batch", "gpu"]);
        let alone = ScoreResponse { overall: Some(scored("all", 4, 9_000)), ..answer(&[("batch", 4, 9_000)]) };
        assert_eq!(for_everybody(&alone, PrivateData::NOTHING), ScoreResponse::default());
    }

    #[test]
    fn what_a_site_hides_is_in_no_score_for_everybody() {
        let score = ScoreResponse {
            overall: Some(scored("all", 5, 50)),
            by_partition: vec![scored("batch", 5, 50)],
            by_class: vec![scored("up to 1 h", 5, 50)],
            better_for_a_month: Vec::new(),
        };
        let shown = |hidden: Hidden| {
            let score = for_everybody(&score, PrivateData::NOTHING.and(hidden));
            [score.overall.is_some(), !score.by_partition.is_empty(), !score.by_class.is_empty()]
        };
        assert_eq!(shown(Hidden::Partitions), [true, false, true]);
        assert_eq!(shown(Hidden::Usage), [true, false, false]);
        assert_eq!(shown(Hidden::Nodes), [true, true, true]);
    }

    #[test]
    fn a_month_of_a_few_users_is_told_to_administrators_only() {
        let better =
            |users| BetterMethodResponse { name: "recent".to_owned(), users, ..BetterMethodResponse::default() };
        let score = ScoreResponse { better_for_a_month: vec![better(4), better(5)], ..ScoreResponse::default() };
        assert_eq!(for_everybody(&score, PrivateData::NOTHING).better_for_a_month, [better(5)]);
    }

    #[test]
    fn nothing_is_said_of_lately_before_thirty_forecasts() {
        let partitions = ["gpu".to_owned(), "batch".to_owned()];
        let score = |batch| ScoreResponse {
            by_partition: vec![scored("gpu", 5, 2), scored("batch", 5, batch)],
            ..ScoreResponse::default()
        };
        assert_eq!(lately(&score(9), &partitions), None);
        let found = lately(&score(10), &partitions).expect("thirty forecasts");
        assert_eq!((found.partition.as_str(), found.forecasts), ("batch", 30));
        assert_eq!(lately(&score(10), &[]), None);
    }

    #[test]
    fn what_was_scored_is_answered_overall_by_partition_and_by_class() {
        let mut keeper = queuecast_forecast::score::Scorekeeper::new();
        for wait in [600, 600, 90_000] {
            keeper.add(&queuecast_forecast::score::ScoredForecast {
                partition: "batch".to_owned(),
                user: format!("user{wait}"),
                submitted: Time(wait),
                made: Time(1_000_000),
                first: true,
                said: [Time(1_000_600); 9],
                raw: [Time(1_000_600); 9],
                slurm_said: Some(Time(1_000_900)),
                experts: None,
                started: Time(1_000_000 + wait),
            });
        }
        let answer = score_answer(&keeper.score());
        let overall = answer.overall.expect("three forecasts");
        assert_eq!((overall.first.forecasts, overall.all.forecasts, overall.users), (3, 3, 2));
        assert!((overall.all.coverage.expect("three forecasts").p80 - 2.0 / 3.0).abs() < 1e-9);
        assert_eq!(overall.all.slurm.median_absolute_error_seconds, Some(300.0));
        assert_eq!(overall.all.slurm.ours_median_absolute_error_seconds, Some(0.0));
        assert_eq!(names(&answer.by_partition), ["batch"]);
        assert_eq!(names(&answer.by_class), ["up to 1 h", "more than 24 h"]);
        assert_eq!(score_answer(&Score::default()), ScoreResponse::default());
    }
}

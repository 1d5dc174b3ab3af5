//! Any order, any repetition and any splitting of the same readings comes to the same end, each fact once (F6).

use std::collections::HashMap;

use proptest::prelude::*;
use queuecast_records::{JobKey, JobPart, JobRecord, JobState, TimeLimit};
use queuecast_workload::Time;

use super::{FactKind, Known, Stage, Teller, Telling, advance};

/// One attempt as it truly went, and how far beside the truth the queue's times are.
#[derive(Clone, Debug)]
struct Truth {
    submitted: i64,
    started: Option<i64>,
    left: Option<i64>,
    queue_error: i64,
    limit_changes: Option<i64>,
}

fn truths() -> impl Strategy<Value = Vec<Truth>> {
    let span = 1..5_000_i64;
    let truth = (
        span.clone(),
        prop::option::of(span.clone()),
        prop::option::of(span.clone()),
        0..3_i64,
        prop::option::of(span),
    );
    let truth = truth.prop_map(|(submitted, wait, run, queue_error, change)| {
        let started = wait.map(|wait| submitted + wait);
        let left = run.map(|run| started.unwrap_or(submitted) + run);
        Truth { submitted, started, left, queue_error, limit_changes: change.map(|change| submitted + change) }
    });
    prop::collection::vec(truth, 1..6)
}

/// What a reading made at a time says of it; accounting lags by a while.
fn told(number: usize, truth: &Truth, telling: Telling, lag: i64) -> Option<JobRecord> {
    let as_of = if telling.by == Teller::Accounting { telling.at.0 - lag } else { telling.at.0 };
    let error = if telling.by == Teller::Queue { truth.queue_error } else { 0 };
    if truth.submitted > as_of {
        return None;
    }
    let started = truth.started.filter(|&started| started <= as_of);
    let left = truth.left.filter(|&left| left <= as_of);
    let state = match (started, left) {
        (Some(_), Some(_)) => "COMPLETED",
        (None, Some(_)) => "CANCELLED",
        (Some(_), None) => "RUNNING",
        (None, None) => "PENDING",
    };
    let job_id = number as u64;
    let key =
        JobKey { cluster: "c".into(), job_id, part: JobPart::Whole, submitted: Time(truth.submitted), sluid: None };
    let mut record = JobRecord::new(key, JobState::from_words([state]));
    record.started = started.map(|started| Time(started + error));
    record.ended = left.map(|left| Time(left + error));
    let is_changed = truth.limit_changes.is_some_and(|at| at <= as_of);
    record.limit = TimeLimit::Minutes(if is_changed { 30 } else { 60 });
    Some(record)
}

/// What is kept of each attempt, and every fact that was told.
type Outcome = (HashMap<u64, (Stage, TimeLimit)>, Vec<(u64, FactKind)>);

fn taken_in(told: &[(Telling, JobRecord)]) -> Outcome {
    let mut kept: HashMap<u64, (Known, TimeLimit)> = HashMap::new();
    let mut facts = Vec::new();
    for (telling, record) in told {
        let before = kept.get(&record.key.job_id);
        let step = advance(before.map(|(known, _)| known), record, *telling);
        let limit = if step.describes { record.limit } else { before.map_or(record.limit, |(_, limit)| *limit) };
        kept.insert(record.key.job_id, (step.known, limit));
        facts.extend(step.facts.into_iter().map(|fact| (record.key.job_id, fact)));
    }
    (kept.into_iter().map(|(job, (known, limit))| (job, (known.stage(), limit))).collect(), facts)
}

/// A fact without its time, which may be the queue's or accounting's.
fn kinds(facts: &[(u64, FactKind)]) -> Vec<(u64, u8)> {
    let kind = |fact: &FactKind| match fact {
        FactKind::Arrived => 0,
        FactKind::Started { .. } => 1,
        FactKind::Ended { .. } => 2,
        FactKind::Withdrawn { .. } => 3,
        FactKind::Lost { .. } | FactKind::Dissolved { .. } | FactKind::Returned => 4,
    };
    let mut kinds: Vec<(u64, u8)> = facts.iter().map(|(job, fact)| (*job, kind(fact))).collect();
    kinds.sort_unstable();
    kinds
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_order_and_any_repetition_of_readings_comes_to_the_same_end_and_tells_each_fact_once(
        truths in truths(),
        readings in prop::collection::btree_map(1..20_000_i64, any::<bool>(), 1..12),
        lag in 0..3_000_i64,
        order in prop::collection::vec(any::<prop::sample::Index>(), 0..200),
    ) {
        let mut told_in_order = Vec::new();
        for (&at, &is_queue) in &readings {
            let by = if is_queue { Teller::Queue } else { Teller::Accounting };
            let telling = Telling { by, at: Time(at) };
            let records = truths.iter().enumerate().filter_map(|(number, truth)| told(number, truth, telling, lag));
            told_in_order.extend(records.map(|record| (telling, record)));
        }
        let (end, facts) = taken_in(&told_in_order);
        // Every record at least once, some several times, anywhere.
        let mut shuffled = told_in_order.clone();
        for index in &order {
            if !told_in_order.is_empty() {
                shuffled.push(told_in_order[index.index(told_in_order.len())].clone());
            }
        }
        for (place, index) in order.iter().enumerate() {
            if !shuffled.is_empty() {
                let (one, other) = (place % shuffled.len(), index.index(shuffled.len()));
                shuffled.swap(one, other);
            }
        }
        let (shuffled_end, shuffled_facts) = taken_in(&shuffled);
        prop_assert_eq!(&shuffled_end, &end);
        let told_kinds = kinds(&shuffled_facts);
        prop_assert_eq!(&told_kinds, &kinds(&facts));
        let mut once = told_kinds.clone();
        once.dedup();
        prop_assert_eq!(once, told_kinds);
    }

    #[test]
    fn in_any_order_an_attempt_arrives_before_it_starts_and_starts_before_it_ends(
        truths in truths(),
        readings in prop::collection::vec((1..20_000_i64, any::<bool>()), 1..12),
    ) {
        let told: Vec<(Telling, JobRecord)> = readings.iter().flat_map(|&(at, is_queue)| {
            let by = if is_queue { Teller::Queue } else { Teller::Accounting };
            let telling = Telling { by, at: Time(at) };
            truths.iter().enumerate().filter_map(move |(number, truth)| Some((telling, told(number, truth, telling, 0)?)))
                .collect::<Vec<_>>()
        }).collect();
        let (_, facts) = taken_in(&told);
        for number in 0..truths.len() as u64 {
            let of_job: Vec<FactKind> = facts.iter().filter(|(job, _)| *job == number).map(|(_, fact)| *fact).collect();
            for (place, fact) in of_job.iter().enumerate() {
                let expected = match fact {
                    FactKind::Arrived => place == 0,
                    FactKind::Started { .. } | FactKind::Withdrawn { .. } => place == 1,
                    FactKind::Ended { .. } => place == 2,
                    _ => false,
                };
                prop_assert!(expected, "{:?}", of_job);
            }
        }
    }
}

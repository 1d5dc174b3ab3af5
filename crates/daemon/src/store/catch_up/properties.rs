//! Nothing is missed, whatever is down, and when; and what is read in which order when nothing is.

use proptest::prelude::*;
use queuecast_records::JobRecord;

use super::*;
use crate::store::test_records::ended;
use crate::store::{ReadingKind, Store};

/// A job as accounting will show it, from some time on.
#[derive(Clone, Copy, Debug)]
struct Accounted {
    number: u64,
    eligible: i64,
    ended: i64,
    shown: i64,
}

impl Accounted {
    /// Whether it is in a period; whether the very edges belong to it differs between questions.
    fn is_in(&self, period: Period, with_edges: bool) -> bool {
        if with_edges {
            self.eligible <= period.to.0 && self.ended >= period.from.0
        } else {
            self.eligible < period.to.0 && self.ended > period.from.0
        }
    }

    fn record(&self) -> JobRecord {
        ended(self.number, self.eligible, self.eligible + 1, self.ended)
    }
}

/// Not divisible by anything the settings are made of.
const BEGIN: i64 = 1_700_000_123;

fn accounted() -> impl Strategy<Value = Vec<Accounted>> {
    let job = (-80 * DAY.0..20 * DAY.0, 1..3 * DAY.0, 0..=DAY.0);
    prop::collection::vec(job, 0..40).prop_map(|jobs| {
        let jobs = jobs.into_iter().zip(1..);
        jobs.map(|((eligible, run, late), number)| {
            let ended = BEGIN + eligible + run;
            Accounted { number, eligible: BEGIN + eligible, ended, shown: ended + late }
        })
        .collect()
    })
}

/// What happens between two questions.
#[derive(Clone, Copy, Debug)]
enum Happening {
    Nothing,
    Restart,
    AccountingIsDown,
    AnswerIsTooLarge,
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn whatever_is_down_and_whenever_every_job_that_accounting_shows_within_a_day_is_there_once(
        jobs in accounted(),
        happenings in prop::collection::vec((0..5_usize, prop_oneof![60..4_000_i64, 60..5 * DAY.0]), 0..40),
        with_edges in any::<bool>(),
        small_answer in 5..60_usize,
    ) {
        let settings = CatchUpSettings { small_answer, ..CatchUpSettings::default() };
        let mut store = Store::in_memory().expect("memory");
        let mut catch_up = CatchUp::new(settings);
        let mut now = BEGIN;
        let mut history_begins = None;
        let calm = std::iter::repeat_n((Happening::Nothing, 1_000), 12);
        let happenings = happenings.into_iter().map(|(what, span)| {
            let what = [Happening::Nothing, Happening::Nothing, Happening::Restart, Happening::AccountingIsDown, Happening::AnswerIsTooLarge][what];
            (what, span)
        });
        for (what, span) in happenings.chain(calm) {
            now += span;
            if matches!(what, Happening::Restart) {
                catch_up = CatchUp::new(settings);
            }
            // As long as it is behind it asks again at once; here a second later.
            for _ in 0..1_000 {
                let mark = store.accounting_read_up_to().expect("a mark");
                let Some(period) = catch_up.next_window(mark, Time(now)) else { break };
                prop_assert!(period.from < period.to && period.to.0 <= now, "{:?}", period);
                match what {
                    Happening::AccountingIsDown => break,
                    Happening::AnswerIsTooLarge => {
                        catch_up.too_large();
                        break;
                    }
                    Happening::Nothing | Happening::Restart => {
                        let shown = jobs.iter().filter(|job| job.shown <= now && job.is_in(period, with_edges));
                        let records: Vec<JobRecord> = shown.map(Accounted::record).collect();
                        store.take_in(&records, ReadingKind::Accounting(period), Time(now)).expect("taken in");
                        catch_up.answered(period, records.len());
                        history_begins.get_or_insert(period.from.0);
                    }
                }
                now += 1;
                if catch_up.is_keeping_up() {
                    break;
                }
            }
        }
        let begins = history_begins.unwrap_or(now);
        let is_expected = |job: &&Accounted| job.ended > begins && job.shown + 2 * settings.sweep_every.0 < now;
        let mut found = Vec::new();
        store.history(usize::MAX, |_, record| found.push(record.key.job_id)).expect("history");
        found.sort_unstable();
        let missing: Vec<_> =
            jobs.iter().filter(is_expected).filter(|job| !found.contains(&job.number)).collect();
        prop_assert!(missing.is_empty(), "{:?}", missing);
        let count = found.len();
        found.dedup();
        prop_assert_eq!(found.len(), count);
        prop_assert_eq!(store.job_count(), count as u64);
    }

    #[test]
    fn any_partition_of_a_period_finds_as_many_jobs_as_the_whole(
        jobs in accounted(),
        cuts in prop::collection::btree_set(-80 * DAY.0..20 * DAY.0, 0..10),
    ) {
        let (from, to) = (BEGIN - 90 * DAY.0, BEGIN + 30 * DAY.0);
        let edges: Vec<i64> =
            std::iter::once(from).chain(cuts.into_iter().map(|cut| BEGIN + cut)).chain([to]).collect();
        let mut store = Store::in_memory().expect("memory");
        for pair in edges.windows(2) {
            let period = Period { from: Time(pair[0]), to: Time(pair[1]) };
            let records: Vec<JobRecord> =
                jobs.iter().filter(|job| job.is_in(period, true)).map(Accounted::record).collect();
            store.take_in(&records, ReadingKind::Accounting(period), Time(to)).expect("taken in");
        }
        prop_assert_eq!(store.job_count(), jobs.len() as u64);
        prop_assert_eq!(store.accounting_read_up_to().expect("a mark"), Some(Time(to)));
    }
}

/// Reads until it has caught up; `true` for answers that are small.
fn pieces(catch_up: &mut CatchUp, mut mark: Option<Time>, now: Time, records: usize) -> Vec<Period> {
    let mut periods = Vec::new();
    while !catch_up.is_keeping_up() {
        let period = catch_up.next_window(mark, now).expect("more to read");
        catch_up.answered(period, records);
        mark = mark.max(Some(period.to));
        periods.push(period);
    }
    periods
}

#[test]
fn an_empty_store_begins_ninety_days_ago_in_pieces_that_grow() {
    let now = Time(BEGIN);
    let periods = pieces(&mut CatchUp::new(CatchUpSettings::default()), None, now, 10);
    let days: Vec<i64> = periods.iter().map(|period| (period.to - period.from).0 / DAY.0).collect();
    assert_eq!(days, [1, 2, 4, 8, 16, 32, 27]);
    assert!(periods[0].from <= now - Seconds(90 * DAY.0));
    assert!(periods.windows(2).all(|pair| pair[1].from < pair[0].to), "{periods:?}");
    assert_eq!(periods.last().map(|period| period.to), Some(now));
}

#[test]
fn pieces_shrink_when_answers_are_too_large_and_still_move_on() {
    let mut catch_up = CatchUp::new(CatchUpSettings::default());
    for _ in 0..40 {
        catch_up.too_large();
    }
    let period = catch_up.next_window(None, Time(BEGIN)).expect("more to read");
    assert_eq!((period.to - period.from).0, 2);
    let large = usize::MAX;
    catch_up.answered(period, large);
    assert_eq!(catch_up.next_window(Some(period.to), Time(BEGIN)).expect("more").to, period.to + Seconds(1));
}

#[test]
fn between_sweeps_only_what_is_new_is_read_and_every_hour_the_last_day_again() {
    let mut catch_up = CatchUp::new(CatchUpSettings::default());
    let now = Time(BEGIN);
    pieces(&mut catch_up, Some(now), now, 10);
    assert_eq!(catch_up.next_window(Some(now), now), None);
    let later = now + Seconds(60);
    assert_eq!(catch_up.next_window(Some(now), later), Some(Period { from: now - Seconds(600), to: later }));
    let hour_later = now + HOUR;
    let sweep = catch_up.next_window(Some(hour_later), hour_later).expect("a sweep");
    assert!(sweep.from <= hour_later - DAY - HOUR, "{sweep:?}");
}

#[test]
fn a_sweep_that_takes_long_ends_where_it_began_so_that_the_next_finds_what_came_late_meanwhile() {
    let mut catch_up = CatchUp::new(CatchUpSettings::default());
    let begun = Time(BEGIN);
    let first = catch_up.next_window(Some(begun), begun).expect("a piece");
    catch_up.answered(first, 10);
    let mark = first.to.max(begun);
    // Accounting is down for most of a day in the middle of it.
    let back = begun + Seconds(20 * HOUR.0);
    let second = catch_up.next_window(Some(mark), back).expect("a piece");
    assert_eq!(second.to, begun);
    catch_up.answered(second, 10);
    let next = catch_up.next_window(Some(begun), back).expect("the next sweep");
    assert!(next.from <= begun - DAY, "{next:?}");
}

#[test]
fn a_job_at_midnight_and_at_the_edges_of_pieces_is_there_once() {
    let midnight = BEGIN - BEGIN % DAY.0;
    let mut store = Store::in_memory().expect("memory");
    let mut catch_up = CatchUp::new(CatchUpSettings { history: Seconds(3 * DAY.0), ..CatchUpSettings::default() });
    let now = Time(midnight + DAY.0);
    let mut jobs = vec![];
    for edge in [midnight - 3 * DAY.0, midnight - 2 * DAY.0, midnight, midnight + DAY.0 - 1] {
        for beside in -1..=1 {
            let number = jobs.len() as u64 + 1;
            jobs.push(Accounted { number, eligible: edge + beside - 5, ended: edge + beside, shown: 0 });
        }
    }
    while !catch_up.is_keeping_up() {
        let mark = store.accounting_read_up_to().expect("a mark");
        let period = catch_up.next_window(mark, now).expect("more");
        let shown = jobs.iter().filter(|job| job.is_in(period, false));
        let records: Vec<JobRecord> = shown.map(Accounted::record).collect();
        store.take_in(&records, ReadingKind::Accounting(period), now).expect("taken in");
        catch_up.answered(period, records.len());
    }
    // The first edge is where history begins: whoever ended before the overlap is not asked for.
    assert!(store.job_count() >= 9, "{}", store.job_count());
    let again = store.job_count();
    let period = Period { from: now - Seconds(4 * DAY.0), to: now };
    let records: Vec<JobRecord> = jobs.iter().map(Accounted::record).collect();
    let facts = store.take_in(&records, ReadingKind::Accounting(period), now).expect("taken in");
    assert_eq!(store.job_count(), jobs.len() as u64);
    assert_eq!(facts.len() as u64, 3 * (jobs.len() as u64 - again));
}

/// Reads what is due, as the watcher does, and gives the periods.
fn read(catch_up: &mut CatchUp, store: &mut Store, jobs: &[Accounted], now: i64) -> Vec<Period> {
    let mut periods = Vec::new();
    loop {
        let mark = store.accounting_read_up_to().expect("a mark");
        let Some(period) = catch_up.next_window(mark, Time(now)) else { return periods };
        let shown = jobs.iter().filter(|job| job.shown <= now && job.is_in(period, true));
        let records: Vec<JobRecord> = shown.map(Accounted::record).collect();
        store.take_in(&records, ReadingKind::Accounting(period), Time(now)).expect("taken in");
        catch_up.answered(period, records.len());
        periods.push(period);
        if catch_up.is_keeping_up() {
            return periods;
        }
    }
}

#[test]
fn a_clock_that_went_ahead_and_was_put_back_leaves_nothing_unread_and_accounting_is_read_as_often_as_before() {
    for ahead in [300, 3_000, 2 * DAY.0, 730 * DAY.0] {
        for is_restarted in [false, true] {
            let mut store = Store::in_memory().expect("memory");
            let mut catch_up = CatchUp::new(CatchUpSettings::default());
            read(&mut catch_up, &mut store, &[], BEGIN);
            // It is ahead for three days, in which jobs end by the right time.
            for minute in 0..3 * 24 * 60 {
                read(&mut catch_up, &mut store, &[], BEGIN + ahead + 60 * minute);
            }
            let ended = BEGIN + DAY.0;
            let jobs = [Accounted { number: 1, eligible: ended - 50, ended, shown: ended }];
            let back = BEGIN + 3 * DAY.0;
            if is_restarted {
                catch_up = CatchUp::new(CatchUpSettings::default());
            }
            let periods = read(&mut catch_up, &mut store, &jobs, back);
            assert!(periods.iter().all(|period| period.to.0 <= back), "{ahead}: {periods:?}");
            // Ahead by less than pieces overlap, it was there to be read all the time.
            assert!(ahead <= 600 || store.job_count() == 1, "{ahead} {is_restarted}: {periods:?}");
            for minute in 1..30 {
                let read = read(&mut catch_up, &mut store, &jobs, back + 60 * minute);
                assert_eq!(read.last().map(|period| period.to.0), Some(back + 60 * minute), "{ahead}: minute {minute}");
            }
        }
    }
}

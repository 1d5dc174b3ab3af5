//! The step from what is known and one more record to what is known then.
//!
//! Not for: reading the record's state (`claim`).

use queuecast_records::{JobPart, JobRecord};
use queuecast_workload::Time;

use super::claim::Claim;
use super::known::{Absence, Known, Teller, Telling};

/// Something that became known of an attempt. Each but the last three comes once in an attempt's life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FactKind {
    /// There is such an attempt, since its submission.
    Arrived,
    /// It started.
    Started {
        /// When.
        at: Time,
    },
    /// It ran and ended.
    Ended {
        /// When it started.
        started: Time,
        /// When it ended.
        ended: Time,
    },
    /// It left without having started, as far as anybody has said. If somebody says later that it had, that comes behind.
    Withdrawn {
        /// When.
        at: Time,
    },
    /// It vanished, and nobody says what became of it.
    Lost {
        /// When that was found.
        at: Time,
    },
    /// The rest of an array is gone from the queue: its tasks are jobs of their own.
    Dissolved {
        /// When that was found.
        at: Time,
    },
    /// It had vanished and is in the queue again.
    Returned,
}

/// What a record brings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What is known now.
    pub known: Known,
    /// What was not known before, in the order in which it happened.
    pub facts: Vec<FactKind>,
    /// Whether the attempt is described as this record does from now on.
    pub describes: bool,
}

/// Takes one more record of an attempt in.
pub fn advance(known: Option<&Known>, record: &JobRecord, telling: Telling) -> Step {
    let claim = Claim::of(record);
    let Some(known) = known else {
        let next = Known { started: claim.started, left: claim.left, absence: None, told: telling };
        let mut facts = vec![FactKind::Arrived];
        facts.extend(news(Claim { started: None, left: None }, claim));
        return Step { known: next, facts, describes: true };
    };
    let before = Claim { started: known.started, left: known.left };
    let describes = precedence(claim, telling) >= precedence(before, known.told);
    let (better, other) = if describes { (claim, before) } else { (before, claim) };
    let after = Claim { started: better.started.or(other.started), left: better.left.or(other.left) };
    let mut facts: Vec<FactKind> = news(before, after).collect();
    let absence = known.absence.filter(|absence| facts.is_empty() && !is_back(*absence, claim, telling));
    if known.absence.is_some() && absence.is_none() && facts.is_empty() {
        facts.push(FactKind::Returned);
    }
    let told = if describes { telling } else { known.told };
    Step { known: Known { started: after.started, left: after.left, absence, told }, facts, describes }
}

/// An attempt that is not in the queue any more, and that accounting does not explain; `None` if it is not open.
pub fn lose(known: &Known, part: &JobPart, at: Time) -> Option<(Known, FactKind)> {
    if !known.stage().is_open() {
        return None;
    }
    let (absence, fact) = match part {
        JobPart::ArrayRemainder { .. } => (Absence::Dissolved(at), FactKind::Dissolved { at }),
        _ => (Absence::Lost(at), FactKind::Lost { at }),
    };
    Some((Known { absence: Some(absence), ..*known }, fact))
}

/// Whose description is kept: see the module's page.
fn precedence(claim: Claim, telling: Telling) -> (u8, bool, Time) {
    let rank = claim.rank();
    let trusted = if rank == 2 { Teller::Accounting } else { Teller::Queue };
    (rank, telling.by == trusted, telling.at)
}

fn news(before: Claim, after: Claim) -> impl Iterator<Item = FactKind> {
    let start = after.started.filter(|_| before.started.is_none()).map(|at| FactKind::Started { at });
    let was_over = before.left.is_some() && (before.started.is_some() || after.started.is_none());
    let end = after.left.filter(|_| !was_over).map(|left| match after.started {
        Some(started) => FactKind::Ended { started, ended: left },
        None => FactKind::Withdrawn { at: left },
    });
    start.into_iter().chain(end)
}

/// Whether the queue, read after it was found missing, shows it.
fn is_back(absence: Absence, claim: Claim, telling: Telling) -> bool {
    let (Absence::Lost(missed) | Absence::Dissolved(missed)) = absence;
    telling.by == Teller::Queue && claim.left.is_none() && telling.at > missed
}

#[cfg(test)]
mod tests {
    use queuecast_records::{JobKey, JobState};

    use super::super::Stage;
    use super::*;

    fn record(state: &str, started: Option<i64>, ended: Option<i64>) -> JobRecord {
        let key = JobKey { cluster: "c".into(), job_id: 1, part: JobPart::Whole, submitted: Time(0), sluid: None };
        let mut record = JobRecord::new(key, JobState::from_words([state]));
        (record.started, record.ended) = (started.map(Time), ended.map(Time));
        record
    }

    fn queue(at: i64) -> Telling {
        Telling { by: Teller::Queue, at: Time(at) }
    }

    fn accounting(at: i64) -> Telling {
        Telling { by: Teller::Accounting, at: Time(at) }
    }

    const STARTED: FactKind = FactKind::Started { at: Time(10) };
    const ENDED: FactKind = FactKind::Ended { started: Time(10), ended: Time(20) };

    #[test]
    fn a_job_first_seen_at_its_end_has_arrived_and_started() {
        let step = advance(None, &record("COMPLETED", Some(10), Some(20)), queue(25));
        assert_eq!(step.facts, [FactKind::Arrived, STARTED, ENDED]);
        assert_eq!(step.known.stage(), Stage::Ended { started: Time(10), ended: Time(20) });
    }

    #[test]
    fn a_record_behind_what_is_known_changes_nothing() {
        let ended = advance(None, &record("COMPLETED", Some(10), Some(20)), queue(25)).known;
        for (behind, telling) in
            [(record("RUNNING", Some(10), None), accounting(30)), (record("PENDING", None, None), queue(31))]
        {
            let step = advance(Some(&ended), &behind, telling);
            assert_eq!(step, Step { known: ended, facts: vec![], describes: false });
        }
    }

    #[test]
    fn accounting_corrects_an_end_without_telling_it_again() {
        let ended = advance(None, &record("COMPLETED", Some(10), Some(20)), queue(25)).known;
        let step = advance(Some(&ended), &record("COMPLETED", Some(11), Some(22)), accounting(30));
        assert!(step.facts.is_empty() && step.describes);
        assert_eq!(step.known.stage(), Stage::Ended { started: Time(11), ended: Time(22) });
        let again = advance(Some(&step.known), &record("COMPLETED", Some(10), Some(20)), queue(40));
        assert_eq!(again.known, step.known);
    }

    #[test]
    fn while_a_job_waits_the_queue_is_believed_and_the_later_reading() {
        let waiting = record("PENDING", None, None);
        let known = advance(None, &waiting, queue(10)).known;
        assert!(!advance(Some(&known), &waiting, accounting(20)).describes);
        assert!(!advance(Some(&known), &waiting, queue(9)).describes);
        assert!(advance(Some(&known), &waiting, queue(11)).describes);
    }

    #[test]
    fn a_start_that_comes_to_light_after_the_withdrawal_makes_an_end() {
        let withdrawn = advance(None, &record("CANCELLED", None, Some(20)), accounting(25));
        assert_eq!(withdrawn.facts, [FactKind::Arrived, FactKind::Withdrawn { at: Time(20) }]);
        let step = advance(Some(&withdrawn.known), &record("RUNNING", Some(10), None), queue(15));
        assert_eq!(step.facts, [STARTED, ENDED]);
        assert!(!step.describes);
    }

    #[test]
    fn a_lost_job_is_not_called_back_by_accounting_that_says_nothing_new() {
        let running = advance(None, &record("RUNNING", Some(10), None), queue(15)).known;
        let (lost, fact) = lose(&running, &JobPart::Whole, Time(1_000)).expect("it is open");
        assert_eq!(fact, FactKind::Lost { at: Time(1_000) });
        assert_eq!(lost.stage(), Stage::Lost { at: Time(1_000) });
        assert_eq!(lose(&lost, &JobPart::Whole, Time(2_000)), None);
        let runaway = advance(Some(&lost), &record("RUNNING", Some(10), None), accounting(1_100));
        assert_eq!((runaway.facts, runaway.known.stage()), (vec![], Stage::Lost { at: Time(1_000) }));
        let old_queue = advance(Some(&lost), &record("RUNNING", Some(10), None), queue(900));
        assert_eq!((old_queue.facts, old_queue.known.stage()), (vec![], Stage::Lost { at: Time(1_000) }));
    }

    #[test]
    fn the_late_truth_of_a_lost_job_wins_once() {
        let running = advance(None, &record("RUNNING", Some(10), None), queue(15)).known;
        let (lost, _) = lose(&running, &JobPart::Whole, Time(1_000)).expect("it is open");
        let truth = record("COMPLETED", Some(10), Some(20));
        let step = advance(Some(&lost), &truth, accounting(5_000));
        assert_eq!(step.facts, [ENDED]);
        assert_eq!(step.known.absence, None);
        assert!(advance(Some(&step.known), &truth, accounting(6_000)).facts.is_empty());
        let back = advance(Some(&lost), &record("RUNNING", Some(10), None), queue(1_001));
        assert_eq!((back.facts, back.known.stage()), (vec![FactKind::Returned], Stage::Running { started: Time(10) }));
    }

    #[test]
    fn the_rest_of_an_array_dissolves() {
        let waiting = advance(None, &record("PENDING", None, None), queue(15)).known;
        let rest = JobPart::ArrayRemainder { array_job_id: 1, tasks: "4-9".into() };
        let (gone, fact) = lose(&waiting, &rest, Time(1_000)).expect("it is open");
        assert_eq!(fact, FactKind::Dissolved { at: Time(1_000) });
        assert_eq!(gone.stage(), Stage::Dissolved { at: Time(1_000) });
    }
}

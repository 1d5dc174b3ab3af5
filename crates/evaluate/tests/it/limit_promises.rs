//! Promises about limits on a real log: they hold on the whole, for every tenth by the risk told, and for every user with many jobs.

use queuecast_advise::limit::{LimitAdvisers, replay_limits};
use queuecast_evaluate::limit::LimitScores;
use queuecast_testkit::shared_dir;
use queuecast_workload::TracedJob;
use queuecast_workload::files::Input;
use queuecast_workload::swf::{Line, SwfReader};

#[test]
fn promises_hold_by_the_risk_told_and_for_every_user_on_kth() {
    let Some(shared) = shared_dir() else { return };
    let log = shared.join("traces/KTH-SP2-1996-2.1-cln.swf.gz");
    let reader = SwfReader::new(Input::open(&log).expect("the log opens")).expect("the header reads");
    let jobs = reader.filter_map(|line| match line.expect("the log reads") {
        Line::Job(record) => record.to_traced().ok(),
        Line::Comment(_) | Line::Bad(_) => None,
    });
    let mut jobs: Vec<TracedJob> = jobs.collect();
    let mut desk = LimitAdvisers::new(&[0.05, 0.1]);
    let mut scores = LimitScores::new([0.05, 0.1].into_iter(), 280, |_| ((0, 0), "all".to_owned()));
    replay_limits(&mut jobs, &mut desk, &mut scores);
    // So many were told a shorter limit when this was written: 2.8 and 17.9 %.
    for (conditions, told_at_least) in scores.conditions().iter().zip([400, 3_500]) {
        let promised = conditions.max_risk;
        assert!(conditions.advised >= told_at_least, "{promised}: only {} told", conditions.advised);
        assert!(conditions.killed.is_some_and(|killed| killed.share <= promised + 0.005), "{conditions:?}");
        assert_eq!(conditions.by_risk.len(), 10);
        for decile in &conditions.by_risk {
            assert!(decile.killed.is_some_and(|killed| killed.share <= 2.0 * promised), "{promised}: {decile:?}");
            assert!(decile.to <= promised, "what is told is within the promise: {decile:?}");
        }
        for worst in conditions.worst_user.iter().chain(&conditions.worst_user_advised) {
            assert!(worst.share <= 2.0 * promised, "{promised}: {worst:?}");
        }
    }
}

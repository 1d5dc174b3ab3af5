//! What `queuecast-slurm` reads by asking real Slurm is what Slurm has.

mod agreement;

use std::process::Command;
use std::time::{Duration, Instant};

use queuecast_records::source::{AnswerLimits, Period, Source, SourceError};
use queuecast_records::{BaseState, JobRecord};
use queuecast_slurm::source::{Commands, Rest, TextCommands, Token};
use queuecast_slurm_lab::{ClusterSettings, Lab, LabSettings, Submission, wait_until};
use queuecast_workload::Time;

const SOON: Duration = Duration::from_mins(1);

fn commands(lab: &Lab, patience: Duration) -> Commands<impl Fn(&str) -> Command> {
    let limits = AnswerLimits { patience, ..AnswerLimits::default() };
    Commands::made_by(move |program| lab.first_cluster().command(program), limits)
}

fn by_number(jobs: &[JobRecord], number: u64) -> Option<&JobRecord> {
    jobs.iter().find(|job| job.key.job_id == number)
}

#[test]
#[ignore = "needs root and Slurm: tests/install-slurm.sh, then --run-ignored all"]
fn the_queue_accounting_and_nodes_are_read_and_who_does_not_answer_is_not_waited_for() {
    let clusters = vec![ClusterSettings::new("alpha", 4)];
    let mut lab = Lab::up(LabSettings { clusters, ..LabSettings::default() }).unwrap();
    let before = Time(lab.now_seconds().unwrap() - 60);
    let cluster = lab.first_cluster();
    let ended = cluster.submit("user01", &Submission::sleeping(1).name("over|soon")).unwrap();
    cluster.wait_for_record(ended, "COMPLETED", SOON).unwrap();
    let running = cluster.submit("user01", &Submission::sleeping(3600).nodes(4).limit_minutes(90)).unwrap();
    cluster.wait_for_state(running, "RUNNING", SOON).unwrap();
    let waiting = cluster.submit("user02", &Submission::sleeping(10).nodes(2).limit_minutes(7)).unwrap();
    let held = cluster.submit("user02", &Submission::sleeping(10).argument("--hold")).unwrap();
    let [ended, running, waiting, held] = [ended, running, waiting, held].map(|job| u64::from(job.0));

    let commands_of_lab = commands(&lab, SOON);
    let limits = AnswerLimits { patience: SOON, ..AnswerLimits::default() };
    let by_socket = Rest::on_socket(&cluster.rest_socket(), limits).unwrap();
    assert_eq!(by_socket.version(), "v0.0.38");
    let token = |user: &str| Token { user: user.to_owned(), secret: cluster.token(user).unwrap() };
    let by_token = Rest::at(&cluster.rest_address(), token("user01"), None, limits).unwrap();
    let jobs = Jobs { ended, running, waiting, held, before };
    let in_text = TextCommands::made_by(|program| cluster.command(program), limits);
    let sources: [(&str, &dyn Source); 4] =
        [("commands", &commands_of_lab), ("text", &in_text), ("socket", &by_socket), ("token", &by_token)];
    for (name, source) in sources {
        jobs.are_read_from(name, source, &lab);
    }
    let forged = Token { secret: "not.a.token".to_owned(), ..token("user01") };
    let error =
        Rest::at(&cluster.rest_address(), forged, None, limits).err().expect("a forged token is not taken").to_string();
    assert!(!error.contains("not.a.token"), "{error}");
    drop((commands_of_lab, in_text, by_socket));

    lab.freeze_rest("alpha").unwrap();
    let short = AnswerLimits { patience: Duration::from_secs(2), ..AnswerLimits::default() };
    let error = Rest::on_socket(&lab.first_cluster().rest_socket(), short).err().expect("it is frozen");
    assert!(matches!(error, SourceError::TooLate { .. }), "{error}");
    lab.thaw_rest("alpha").unwrap();

    lab.stop_controller("alpha").unwrap();
    let impatient = commands(&lab, Duration::from_secs(3));
    let begun = Instant::now();
    let error = impatient.queue().unwrap_err();
    assert!(matches!(error, SourceError::TooLate { .. } | SourceError::Refused { .. }), "{error}");
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
}

/// Jobs of known fates.
struct Jobs {
    ended: u64,
    running: u64,
    waiting: u64,
    held: u64,
    /// Before any of it.
    before: Time,
}

impl Jobs {
    fn are_read_from(&self, name: &str, source: &dyn Source, lab: &Lab) {
        let Self { ended, running, waiting, held, before } = *self;
        let queue = source.queue().unwrap();
        assert_eq!(queue.problems, Vec::<String>::new(), "{name}");
        for (number, state) in
            [(running, BaseState::Running), (waiting, BaseState::Pending), (held, BaseState::Pending)]
        {
            assert_eq!(by_number(&queue.records, number).map(|job| job.state.base), Some(state), "{number} by {name}");
        }
        assert_eq!(by_number(&queue.records, waiting).unwrap().user, "user02");

        // The controller tells slurmdbd in its own time.
        let mut recorded = Vec::new();
        wait_until("accounting to have the jobs", SOON, || {
            let to = Time(lab.now_seconds()? + 60);
            let reading = source.accounting(Period { from: before, to })?;
            assert_eq!(reading.problems, Vec::<String>::new());
            recorded = reading.records;
            Ok(by_number(&recorded, running).is_some_and(|job| job.state.base == BaseState::Running))
        })
        .unwrap();
        let keys = |jobs: &[JobRecord]| by_number(jobs, running).map(|job| job.key.clone());
        assert_eq!(keys(&queue.records), keys(&recorded), "one job, one key, by {name}");
        let over = by_number(&recorded, ended).unwrap();
        assert_eq!((over.name.as_str(), over.state.base), ("over|soon", BaseState::Completed));
        assert!(over.started.is_some() && over.ended >= over.started);
        assert!(by_number(&recorded, held).is_none(), "it was never eligible, so accounting does not tell of it");
        // Nothing of it is in a period before any of it.
        let earlier = Period { from: Time(before.0 - 7_200), to: Time(before.0 - 3_600) };
        assert_eq!(source.accounting(earlier).unwrap().records, []);

        assert_eq!(source.nodes().unwrap().records.len(), 4);
    }
}

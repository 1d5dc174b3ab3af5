//! What a log of accounting says of its jobs. The sample is written by hand from the manual; what is expected of it was reckoned by hand.

use crate::support::{SAMPLE, read};
use queuecast_records::history::History;
use queuecast_records::{BaseState, ExitCode, JobPart, JobRecord, StateFlag, TimeLimit};
use queuecast_workload::{Seconds, Status, Time};

/// Ten in the morning, UTC, of the day of the sample.
const TEN: i64 = 1_772_445_600;

fn sample() -> Vec<JobRecord> {
    let (jobs, bad_lines, _) = read(SAMPLE);
    assert_eq!(bad_lines, [""; 0]);
    jobs
}

fn attempts(number: u64) -> Vec<JobRecord> {
    sample().into_iter().filter(|job| job.key.job_id == number).collect()
}

fn only(number: u64) -> JobRecord {
    let mut attempts = attempts(number);
    assert_eq!(attempts.len(), 1, "{number}");
    attempts.remove(0)
}

#[test]
fn a_job_that_ended_is_told_in_full() {
    let job = only(1001);
    assert_eq!((job.key.cluster.as_str(), &job.key.part), ("pbs1", &JobPart::Whole));
    assert_eq!((job.user.as_str(), job.name.as_str(), job.account.as_str()), ("ada", "heat", "heat; flow"));
    assert_eq!(job.partitions, ["work"]);
    assert_eq!((job.key.submitted, job.eligible), (Time(TEN), Some(Time(TEN))));
    assert_eq!((job.started, job.ended), (Some(Time(TEN + 300)), Some(Time(TEN + 3900))));
    assert_eq!((job.limit, job.exclusive), (TimeLimit::Minutes(120), Some(true)));
    assert_eq!(
        (job.requested.cpus, job.requested.nodes, job.requested.memory_mebibytes),
        (Some(16), Some(2), Some(8192))
    );
    assert_eq!((job.allocated.cpus, job.allocated.nodes, job.nodes.as_str()), (Some(16), Some(2), "n1,n2"));
    assert_eq!(
        (job.state.base, job.exit_code, job.restarts),
        (BaseState::Completed, Some(ExitCode::default()), Some(0))
    );
    let attempt = History::new().attempt(&job).expect("ran here");
    // From start to end, which is what its nodes were taken for, and not the 59:58 that were charged.
    assert_eq!((attempt.wait, attempt.run), (Some(Seconds(300)), Some(Seconds(3600))));
}

#[test]
fn a_requeued_job_is_two_attempts_and_the_second_waits_from_the_end_of_the_first() {
    let [first, second] = attempts(1002).try_into().expect("two");
    assert!(first.state.flags.has(StateFlag::Requeued));
    assert_eq!((first.key.submitted, first.started, first.ended), at(100, 200, 500));
    assert_eq!((second.key.submitted, second.started, second.ended), at(500, 800, 1202));
    assert_eq!(second.eligible, Some(Time(TEN + 500)));
    // Somebody deleted it while it ran: that is no failure of its own.
    assert_eq!(second.state.base, BaseState::Cancelled);
    assert_eq!(second.exit_code, Some(ExitCode { return_code: 0, signal: 15 }));
    // Ten and a half minutes are eleven in whole minutes.
    assert_eq!((second.limit, second.account.as_str()), (TimeLimit::Minutes(11), "two words"));
}

fn at(submitted: i64, started: i64, ended: i64) -> (Time, Option<Time>, Option<Time>) {
    (Time(TEN + submitted), Some(Time(TEN + started)), Some(Time(TEN + ended)))
}

#[test]
fn a_job_deleted_while_it_waits_is_cancelled_at_the_time_in_front_of_the_line_which_is_local() {
    let job = only(1003);
    assert_eq!((job.state.base, job.started), (BaseState::Cancelled, None));
    assert_eq!(job.ended, Some(Time(TEN + 900)), "the line says 11:15, an hour ahead of UTC");
    assert_eq!(job.account, "guest", "neither account nor project: the group");
    assert_eq!(read(SAMPLE).2, 1, "the deletion of 900, which is not in the log, is counted");
}

#[test]
fn subjobs_are_jobs_and_the_array_is_none() {
    let subjobs = attempts(1004);
    let tasks: Vec<&JobPart> = subjobs.iter().map(|job| &job.key.part).collect();
    assert_eq!(tasks, [1, 2].map(|task| JobPart::ArrayTask { array_job_id: 1004, task }).iter().collect::<Vec<_>>());
    assert_eq!(subjobs.iter().map(|job| job.state.base).collect::<Vec<_>>(), [BaseState::Completed, BaseState::Failed]);
    assert_eq!(subjobs[0].key.submitted, Time(TEN + 1000));
}

#[test]
fn a_job_killed_at_its_limit_timed_out() {
    assert_eq!(only(1005).state.base, BaseState::Timeout);
    let newer = String::from_utf8_lossy(SAMPLE).replace("Exit_status=0 ", "Exit_status=-29 ");
    let (jobs, _, _) = read(newer.as_bytes());
    let job = jobs.iter().find(|job| job.key.job_id == 1001).expect("there");
    assert_eq!((job.state.base, job.exit_code), (BaseState::Timeout, None));
}

#[test]
fn the_run_time_of_a_suspended_job_leaves_its_suspension_out() {
    let job = only(1006);
    assert_eq!((job.elapsed, job.suspended), (Some(Seconds(200)), Some(Seconds(1000))));
    assert_eq!(History::new().attempt(&job).and_then(|attempt| attempt.run), Some(Seconds(200)));
}

#[test]
fn a_job_moved_to_another_server_is_revoked_and_counted() {
    let mut history = History::new();
    assert_eq!(history.attempt(&only(1009)), None);
    assert_eq!(history.revoked(), 1);
}

#[test]
fn what_is_not_over_at_the_end_runs_or_waits_on() {
    let jobs = sample();
    let last: Vec<(u64, BaseState)> = jobs.iter().rev().take(2).map(|job| (job.key.job_id, job.state.base)).collect();
    assert_eq!(last, [(1008, BaseState::Pending), (1007, BaseState::Running)]);
    let running = only(1007);
    assert_eq!(
        History::new().attempt(&running).map(|attempt| (attempt.run, attempt.status)),
        Some((None, Status::Unknown))
    );
    assert_eq!(running.ended, None);
}

#[test]
fn older_servers_say_only_the_queue_of_a_job_that_comes() {
    let log = "03/02/2026 10:00:00;Q;5.pbs;queue=work\n\
               03/02/2026 10:01:00;S;5.pbs;user=ada queue=work ctime=1772445600 qtime=1772445600 etime=1772445600 start=1772445660 \
               exec_host=n1/0*2 Resource_List.select=1:ncpus=2 Resource_List.walltime=01:00:00\n";
    let (jobs, bad_lines, _) = read(log.as_bytes());
    assert_eq!((jobs.len(), bad_lines.len()), (1, 0));
    assert_eq!((jobs[0].requested.cpus, jobs[0].state.base), (Some(2), BaseState::Running));
}

#[test]
fn every_bad_line_is_told_with_its_line_and_field() {
    let log = b"03/02/2026 10:00:00;E;1.pbs;ctime=1 start=2 end=soon\n\
        03/02/2026 10:00:00;E;2.pbs;ctime=1 start=2\n\
        03/02/2026 10:00:00;E;3.pbs;start=2 end=3\n\
        03/02/2026 10:00:00;W;4.pbs;\n\
        03/02/2026 10:00:00;E;five;ctime=1\n\
        yesterday;E;6.pbs;ctime=1\n\
        03/02/2026 10:00:00;S;7.pbs;ctime=1 account=\"open\n\
        03/02/2026 10:00:00;S;8.pbs;ctime=1 Resource_List.walltime=\xff\n\
        03/02/2026 10:00:00;S;9.pbs;ctime=1\n";
    let (jobs, bad_lines, _) = read(log);
    assert_eq!(jobs.len(), 0);
    let expected = [
        "1:end: `soon` is not a time in seconds since 1970",
        "2:end: missing in the record",
        "3:ctime: missing in the record",
        "4:type: `W` is not a type of record",
        "5:job: `five` is not the name of a job",
        "6: expected MM/DD/YYYY HH:MM:SS;TYPE;JOB;..., got `yesterday;E;6.pbs;ctime=1`",
        "7: the quote is not closed: `account=\\\"open`",
        "8:Resource_List.walltime: `\\xff` is not a duration such as 01:30:00",
        "9:start: missing in the record",
    ];
    assert_eq!(bad_lines, expected);
}

#[test]
fn a_line_beyond_its_length_is_told_and_the_next_is_read() {
    let mut log = b"03/02/2026 10:00:00;S;1.pbs;ctime=1 start=2 exec_host=".to_vec();
    log.resize(queuecast_openpbs::LINE_BYTES_MAX + 1, b'n');
    log.push(b'\n');
    log.extend_from_slice(SAMPLE);
    let (jobs, bad_lines, _) = read(&log);
    assert_eq!(jobs.len(), sample().len());
    assert!(bad_lines[0].starts_with("1: line longer than 1048576 bytes"), "{bad_lines:?}");
}

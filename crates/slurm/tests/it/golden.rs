//! One case for each thing that happens to jobs: what Slurm writes, and what becomes of it.
//!
//! The lines are written by hand in the format of `sacct -P -D -X`. Requeue, suspension, arrays, heterogeneous jobs,
//! `NODE_FAIL`, DEADLINE, TIMEOUT and cancellation follow lines that Slurm 26.05.3 wrote (`shared_samples.rs`,
//! `slurm-lab/samples/newer/sacct.psv`); REVOKED follows the README there; PREEMPTED, `OUT_OF_MEMORY`, `BOOT_FAIL` and
//! RESIZING follow squeue(1) and Slurm's source.

use queuecast_records::history::{Attempt, History};
use queuecast_records::{JobPart, JobRecord, TimeLimit, array_task_count};
use queuecast_slurm::text::{Entry, SacctReader};
use queuecast_workload::{Seconds, Status};

const HEADER: &str = "JobIDRaw|JobID|JobName|User|UID|Account|Cluster|Partition|QOS|State|Submit|Eligible|Start|End|ElapsedRaw|TimelimitRaw|Suspended|\
ReqCPUS|AllocCPUS";

fn read(lines: &str) -> Vec<Entry> {
    let text = format!("{HEADER}\n{lines}");
    SacctReader::new(text.as_bytes(), None).expect("a header").map(|entry| entry.expect("memory reads")).collect()
}

fn jobs(lines: &str) -> Vec<JobRecord> {
    let of = |entry| match entry {
        Entry::Job(job) => *job,
        other => panic!("{other:?}"),
    };
    read(lines).into_iter().map(of).collect()
}

/// A line with this job number, state, submit, start, end, elapsed and suspension.
fn line(id: &str, state: &str, times: [&str; 4], suspended: &str) -> String {
    let [submit, start, end, elapsed] = times;
    let raw = id.split(['_', '+']).next().expect("a number");
    format!(
        "{raw}|{id}|sim|anna|20001|physics|alpha|batch|normal|{state}|{submit}|{submit}|{start}|{end}|{elapsed}|60|{suspended}|4|8\n"
    )
}

fn simple(state: &str, start: &str, end: &str, elapsed: &str) -> Attempt {
    let jobs = jobs(&line("7", state, ["1000", start, end, elapsed], "00:00:00"));
    History::new().attempt(&jobs[0]).expect("not left out")
}

#[test]
fn a_job_requeued_twice_is_three_attempts_with_their_own_submissions() {
    let text = [
        line("14", "REQUEUED", ["1000", "1010", "1017", "7"], "00:00:00"),
        line("14", "REQUEUED", ["1017", "1140", "1150", "10"], "00:00:00"),
        line("14", "COMPLETED", ["1150", "1271", "1283", "12"], "00:00:00"),
    ];
    let jobs = jobs(&text.concat());
    let mut history = History::new();
    let attempts: Vec<Attempt> = jobs.iter().filter_map(|job| history.attempt(job)).collect();
    let told: Vec<_> = attempts.iter().map(|job| (job.wait, job.run, job.status)).collect();
    let some = |seconds| Some(Seconds(seconds));
    assert_eq!(
        told,
        [
            (some(10), some(7), Status::Cancelled),
            (some(123), some(10), Status::Cancelled),
            (some(121), some(12), Status::Completed)
        ]
    );
    assert!(jobs.iter().all(|job| job.key.job_id == 14));
    assert!(jobs[0].key != jobs[1].key && jobs[1].key != jobs[2].key);
}

#[test]
fn suspension_is_no_run_time() {
    let with_elapsed = simple("COMPLETED", "1010", "1310", "100");
    assert_eq!(with_elapsed.run, Some(Seconds(100)), "Elapsed leaves suspension out already");
    let mut job = jobs(&line("7", "COMPLETED", ["1000", "1010", "1310", ""], "00:03:20")).remove(0);
    assert_eq!(History::new().attempt(&job).and_then(|attempt| attempt.run), Some(Seconds(100)));
    job.suspended = Some(Seconds(10_000));
    assert_eq!(History::new().attempt(&job).and_then(|attempt| attempt.run), None, "longer than it was there");
    assert_eq!(simple("SUSPENDED", "1010", "Unknown", "6").run, None);
}

#[test]
fn a_resized_job_is_a_part_and_what_follows() {
    let part = simple("RESIZING", "1010", "1110", "100");
    assert_eq!((part.run, part.status), (Some(Seconds(100)), Status::Partial));
    // Submitted at the resize, with the first part's start.
    let rest = simple("COMPLETED", "910", "1050", "140");
    assert_eq!((rest.wait, rest.run), (None, Some(Seconds(50))));
}

#[test]
fn array_tasks_stand_apart_and_the_remainder_is_counted() {
    let text = line("123_1", "COMPLETED", ["1000", "1010", "1020", "10"], "00:00:00")
        + &line("123_[4-9%2]", "PENDING", ["1000", "Unknown", "Unknown", "0"], "00:00:00");
    let jobs = jobs(&text);
    assert_eq!(jobs[0].key.part, JobPart::ArrayTask { array_job_id: 123, task: 1 });
    let JobPart::ArrayRemainder { array_job_id: 123, tasks } = &jobs[1].key.part else { panic!("{:?}", jobs[1].key) };
    assert_eq!(array_task_count(tasks), Some(6));
    assert_eq!(jobs[1].key.part.task_limit(), Some(2));
    let attempt = History::new().attempt(&jobs[1]).expect("not left out");
    assert_eq!((attempt.run, attempt.wait, attempt.traced()), (None, None, None));
}

#[test]
fn components_of_a_heterogeneous_job_stand_apart() {
    let text = line("123+0", "COMPLETED", ["1000", "1010", "1020", "10"], "00:00:00")
        + &line("123+1", "COMPLETED", ["1000", "1010", "1020", "10"], "00:00:00");
    let jobs = jobs(&text);
    assert_eq!(jobs[0].key.part, JobPart::HetComponent { het_job_id: 123, offset: 0 });
    assert!(jobs[0].key != jobs[1].key);
}

#[test]
fn a_sibling_that_ran_elsewhere_is_left_out_and_counted() {
    let jobs = jobs(&line("67108865", "REVOKED", ["1000", "1010", "1010", "0"], "00:00:00"));
    let mut history = History::new();
    assert_eq!(history.attempt(&jobs[0]), None);
    assert_eq!(history.revoked(), 1);
}

#[test]
fn every_end_has_its_status() {
    for (state, status) in [
        ("COMPLETED", Status::Completed),
        ("FAILED", Status::Failed),
        ("TIMEOUT", Status::Failed),
        ("NODE_FAIL", Status::Failed),
        ("BOOT_FAIL", Status::Failed),
        ("OUT_OF_MEMORY", Status::Failed),
        ("PREEMPTED", Status::Cancelled),
        ("DEADLINE", Status::Cancelled),
        ("CANCELLED by 20001", Status::Cancelled),
    ] {
        let attempt = simple(state, "1010", "1110", "100");
        assert_eq!(
            (attempt.status, attempt.run, attempt.wait),
            (status, Some(Seconds(100)), Some(Seconds(10))),
            "{state}"
        );
    }
}

#[test]
fn what_never_started_has_no_run() {
    for state in ["CANCELLED by 0", "DEADLINE"] {
        let attempt = simple(state, "None", "1306", "0");
        assert_eq!(
            (attempt.status, attempt.run, attempt.wait, attempt.traced()),
            (Status::Cancelled, None, None, None)
        );
    }
}

#[test]
fn odd_lengths_have_a_defined_result() {
    assert_eq!(simple("COMPLETED", "1010", "1010", "0").run, Some(Seconds(0)), "zero-length");
    assert_eq!(simple("COMPLETED", "1010", "1005", "0").run, None, "ended before it started");
    assert_eq!(simple("COMPLETED", "1010", "1005", "").run, None);
    assert_eq!(simple("COMPLETED", "990", "1050", "60").wait, None, "started before it was submitted");
    assert_eq!(simple("RUNNING", "1010", "Unknown", "50").run, None);
    assert_eq!(simple("SOME_NEW_STATE", "1010", "1110", "100").status, Status::Unknown);
}

#[test]
fn a_number_used_again_is_another_job() {
    let text = line("7", "COMPLETED", ["1000", "1010", "1020", "10"], "00:00:00")
        + &line("7", "COMPLETED", ["900000", "900010", "900020", "10"], "00:00:00");
    let jobs = jobs(&text);
    assert_eq!(jobs[0].key.job_id, jobs[1].key.job_id);
    assert!(jobs[0].key != jobs[1].key);
}

#[test]
fn names_are_numbered_in_order_of_appearance_and_processors_are_those_allocated() {
    let attempt = simple("COMPLETED", "1010", "1110", "100");
    let job = attempt.traced().expect("it ran");
    assert_eq!(job.submission.request.processors, 8);
    assert_eq!(job.submission.limit, Some(Seconds(3600)));
    assert_eq!(job.submission.user.map(|user| user.0), Some(1));
    assert_eq!(attempt.swf().to_traced(), Ok(job), "a log written and read again has the same job");
}

#[test]
fn words_for_limits_are_known() {
    let limit = |word: &str| {
        let text =
            line("7", "RUNNING", ["1000", "1010", "Unknown", "1"], "00:00:00").replace("|60|", &format!("|{word}|"));
        jobs(&text)[0].limit
    };
    assert_eq!(limit("UNLIMITED"), TimeLimit::Unlimited);
    assert_eq!(limit("Partition_Limit"), TimeLimit::PartitionLimit);
    assert_eq!(limit("INVALID"), TimeLimit::NotKnown);
}

#[test]
fn a_damaged_line_costs_no_good_one() {
    let good = line("7", "COMPLETED", ["1000", "1010", "1020", "10"], "00:00:00");
    let damaged = [
        "7|7|sim|anna|20001|phys\n".to_owned(),
        good.replacen('7', "x", 1),
        good.replace("COMPLETED", "C0MPLETED"),
        good.replace("|1010|", "|10l0|"),
        good.replacen('|', " ", 1),
        good.replace("|batch|", "|bat|ch|"),
        "\u{0}\u{1}\n".to_owned(),
        "||||||||||||||||||||||||||||||||||||||\n".to_owned(),
    ];
    for line in &damaged {
        let entries = read(&format!("{good}{line}{good}"));
        let count = |is: fn(&Entry) -> bool| entries.iter().filter(|entry| is(entry)).count();
        assert_eq!(count(|entry| matches!(entry, Entry::Job(_))), 2, "{line}: {entries:?}");
        assert_eq!(count(|entry| matches!(entry, Entry::Bad(_))), 1, "{line}: {entries:?}");
    }
}

#[test]
fn messages_say_line_column_and_what_to_do() {
    let text = line("7", "COMPLETED", ["2026-11-14T23:11:00", "1010", "1020", "10"], "00:00:00");
    let entries = read(&text);
    let [Entry::Bad(bad)] = &entries[..] else { panic!("{entries:?}") };
    assert_eq!(
        bad.to_string(),
        "2:Submit: `2026-11-14T23:11:00` is a local time; export with SLURM_TIME_FORMAT=%s, or give the time zone with \
         --utc-offset"
    );
}

#[test]
fn steps_and_repeated_headers_are_no_jobs() {
    let job = line("7", "COMPLETED", ["1000", "1010", "1020", "10"], "00:00:00");
    let entries = read(&format!("{job}{}{HEADER}\n\n{job}", job.replacen("7|7|", "7.batch|7.batch|", 1)));
    assert!(matches!(&entries[..], [Entry::Job(_), Entry::Step, Entry::Job(_)]), "{entries:?}");
}

/// Found by `properties.rs`.
#[test]
fn a_name_with_a_record_of_delimiters_before_its_line_break_is_one_name() {
    let name = "COMPLETED|0:0|1|2|".repeat(5) + "\nx";
    let entries = read(
        &line("7", "COMPLETED", ["1000", "1010", "1020", "10"], "00:00:00").replace("|sim|", &format!("|{name}|")),
    );
    assert!(matches!(&entries[..], [Entry::Job(job)] if job.name == name), "{entries:?}");
}

#[test]
fn features_may_be_alternatives_with_the_delimiter_between_them() {
    let text = "JobIDRaw|Constraints|State|Submit|Reservation|Exclusive\n7|fast|slow|RUNNING|1000|course|NODE\n8||PENDING|1000||\n";
    let reader = SacctReader::new(text.as_bytes(), None).expect("a header");
    let told: Vec<_> = reader
        .map(|entry| match entry.expect("memory reads") {
            Entry::Job(job) => (job.features.clone(), job.reservation.clone(), job.exclusive),
            other => panic!("{other:?}"),
        })
        .collect();
    let of = |features: &str, reservation: &str, exclusive| (features.to_owned(), reservation.to_owned(), exclusive);
    assert_eq!(told, [of("fast|slow", "course", Some(true)), of("", "", None)]);
}

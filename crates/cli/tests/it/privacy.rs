//! What the built commands print for different users of one machine: nothing of what is not theirs, in no format, on neither stream.

use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use crate::daemon_support::{Served, job, published};
use crate::support::scratch;
use queuecast_forecast::score::{SHARES, ScoredForecast, Scorekeeper};
use queuecast_records::{AdminLevel, UserRecord};
use queuecast_site::published::{Published, PublishedJob};
use queuecast_site::roles::Roles;
use queuecast_testkit::skip_outside_ci;
use queuecast_workload::Time;

const ALICE: u32 = 1_000;
const BOB: u32 = 1_001;
const OPERATOR: u32 = 2_002;
const STRANGER: u32 = 4_444;

/// A job whose every word is its owner's mark.
fn marked(job_id: u64, owner: &str, user_id: u32) -> PublishedJob {
    let mark = |field: &str| format!("MARK-{owner}-{field}");
    PublishedJob {
        name: mark("name"),
        user: mark("user"),
        user_id: Some(user_id),
        account: mark("account"),
        partitions: vec![mark("partition")],
        qos: mark("qos"),
        reason: mark("reason"),
        nodes: Some(7_919),
        ..job(job_id)
    }
}

/// Alice's job and bob's, and a score of which bob's part is his alone.
fn board() -> Published {
    let mut keeper = Scorekeeper::new();
    for number in 0..40_i64 {
        let is_bobs = number % 8 == 0;
        keeper.add(&ScoredForecast {
            partition: if is_bobs { "MARK-bob-partition".to_owned() } else { "batch".to_owned() },
            user: if is_bobs { "bob".to_owned() } else { format!("user{}", number % 7) },
            submitted: Time(number),
            made: Time(1_000),
            first: true,
            said: [Time(2_000); SHARES.len()],
            raw: [Time(2_000); SHARES.len()],
            slurm_said: Some(Time(2_000)),
            experts: None,
            started: Time(2_000 + number),
        });
    }
    let operator = UserRecord {
        name: "olga".to_owned(),
        user_id: Some(OPERATOR),
        level: AdminLevel::Operator,
        ..UserRecord::default()
    };
    let mut board = published(vec![marked(71, "alice", ALICE), marked(72, "bob", BOB)]);
    board.score = Arc::new(keeper.score());
    board.roles = Arc::new(Roles::of([operator]));
    board.health.queue.problem = Some("Slurm complained of MARK-slurm-words".to_owned());
    board
}

/// What the command says on both streams to a user of this number.
fn said(binary: &Path, user: u32, socket: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new(binary);
    command.args(arguments).arg("--socket").arg(socket).uid(user).gid(user).current_dir("/");
    let output = command.output().expect("it runs");
    String::from_utf8([output.stdout, output.stderr].concat()).expect("text")
}

/// The kernel says who asks: nothing that the client sends does.
#[test]
fn every_command_tells_users_of_their_own_jobs_only() {
    let own_id = Command::new("id").arg("-u").output().expect("id runs").stdout;
    if own_id.trim_ascii() != b"0" {
        skip_outside_ci("only root can act as another user");
        return;
    }
    let served = Served::new(board());
    let folder = scratch();
    // The binary where every user may run it.
    std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).expect("it is ours");
    let binary = folder.path().join("qcast");
    std::fs::copy(assert_cmd::cargo::cargo_bin("qcast"), &binary).expect("the binary can be copied");
    let questions: Vec<Vec<&str>> = vec![
        vec!["when", "71"],
        vec!["when", "72"],
        vec!["when", "72", "--format", "json"],
        vec!["when", "71", "--format", "json"],
        vec!["when", "99"],
        vec!["when", "-N", "4", "-t", "60"],
        vec!["when", "-N", "4", "-p", "nowhere", "--format", "json"],
        vec!["score"],
        vec!["score", "--format", "json"],
        vec!["score", "--format", "csv"],
    ];
    let mut cells = 0;
    for (user, sees) in [(ALICE, "alice"), (BOB, "bob"), (STRANGER, "nobody"), (OPERATOR, "all"), (0, "all")] {
        let mut all = String::new();
        for question in &questions {
            let said = said(&binary, user, &served.path, question);
            for owner in ["alice", "bob", "slurm"] {
                cells += 1;
                let leaks = said.contains(&format!("MARK-{owner}"));
                let may = sees == "all" || sees == owner;
                assert!(may || !leaks, "{user} by {question:?}: {said}");
            }
            all.push_str(&said);
        }
        for owner in ["alice", "bob"].into_iter().filter(|owner| sees == "all" || sees == *owner) {
            assert!(all.contains(&format!("MARK-{owner}-name")), "{user} does not see {owner}'s job: {all}");
        }
        // The score of his partition is of one user: he is shown what everybody is.
        assert!(sees != "bob" || !said(&binary, user, &served.path, &["score"]).contains("MARK-bob"));
        let (others, none) = if sees == "alice" { ("72", "99") } else { ("71", "99") };
        if sees != "all" {
            let told = |job| said(&binary, user, &served.path, &["when", job]).replace(job, "N");
            assert_eq!(told(others), told(none), "a job of somebody else looks like one that does not exist");
        }
    }
    println!("{cells} cells");
}

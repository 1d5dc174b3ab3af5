//! `qcast when` without a daemon, the built binary, on commands that print what Slurm 22.05 once printed.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{scratch, written};
use queuecast_testkit::skip_outside_ci;

/// Commands that print a recording, and a note of every call.
struct FakeSlurm {
    folder: tempfile::TempDir,
}

/// What a command does: prints the file that is called after it and what it is asked.
const SCRIPT: &str = r#"#!/bin/sh
name=$(basename "$0")
echo "$name $*" >>"$(dirname "$0")/../calls"
answer=$(dirname "$0")/../answers/$name
case "$name $*" in
    "scontrol show config") exec cat "$answer-config.txt" ;;
    "scontrol"*" show partition") exec cat "$answer-partition.txt" ;;
    "scontrol"*" show reservation") exec cat "$answer-reservation.txt" ;;
    "sacctmgr"*" show qos "*) exec cat "$answer-qos.txt" ;;
    "sacctmgr"*" show association "*) ;;
    "sacctmgr"*" show user "*"name=operator "*) echo Operator ;;
    "sacctmgr"*" show user "*) echo None ;;
    "sacct --helpformat") echo "JobIDRaw JobID User Submit Start End ElapsedRaw State ExitCode" ;;
    "sacct "*) printf 'JobIDRaw\037JobID\037User\037Submit\037Start\037End\037ElapsedRaw\037State\037ExitCode\n'
        printf '9001\0379001\037alice\0371700000000\0371700000060\0371700000660\037600\037COMPLETED\0370:0\n' ;;
    "squeue --json" | "sinfo --json") exec cat "$answer.json" ;;
    "id -un") if [ "$(/usr/bin/id -u)" = 1001 ]; then echo operator; else echo alice; fi ;;
    "sdiag "*) exec cat "$answer.txt" ;;
    *) echo "unexpected: $name $*" >&2; exit 1 ;;
esac
"#;

impl FakeSlurm {
    fn new() -> Self {
        let folder = scratch();
        for part in ["bin", "answers"] {
            fs::create_dir(folder.path().join(part)).expect("a fresh folder");
        }
        for command in ["squeue", "sinfo", "scontrol", "sacct", "sacctmgr", "sdiag", "id"] {
            let script = written(&folder.path().join("bin"), command, SCRIPT);
            fs::set_permissions(script, fs::Permissions::from_mode(0o755)).expect("it is ours");
        }
        let recording = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/slurm-22.05-text");
        for answer in fs::read_dir(recording).expect("the recording").flatten() {
            fs::copy(answer.path(), folder.path().join("answers").join(answer.file_name())).expect("a copy");
        }
        // The machine's clock is asked for the time, and by that clock the recorded maintenance goes on for a year from 2026-11-17 on.
        let reservations = folder.path().join("answers/scontrol-reservation.txt");
        let text = fs::read_to_string(&reservations).expect("it is there");
        let others: String = text.split_inclusive('\n').filter(|line| !line.contains("maintenance")).collect();
        assert_ne!(text, others);
        fs::write(reservations, others).expect("it is ours");
        // Everybody may use it, and note their calls.
        written(folder.path(), "calls", "");
        fs::set_permissions(folder.path().join("calls"), fs::Permissions::from_mode(0o666)).expect("it is ours");
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o1777)).expect("it is ours");
        Self { folder }
    }

    /// With `PrivateData=jobs`.
    fn hide_jobs(&self) {
        let path = self.folder.path().join("answers/scontrol-config.txt");
        let text = fs::read_to_string(&path).expect("it is there");
        let hiding = text.replace("PrivateData             = none", "PrivateData             = jobs");
        assert_ne!(text, hiding);
        fs::write(path, hiding).expect("it is ours");
    }

    fn calls(&self) -> Vec<String> {
        let calls = fs::read_to_string(self.folder.path().join("calls")).expect("it is there");
        // The machine is asked who this is; that is no call of Slurm's.
        calls.lines().filter(|call| !call.starts_with("id ")).map(str::to_owned).collect()
    }

    /// `qcast` where nothing but these commands is known of Slurm.
    fn qcast(&self) -> Command {
        let binary = self.folder.path().join("qcast");
        if !binary.exists() {
            fs::copy(assert_cmd::cargo::cargo_bin("qcast"), &binary).expect("the binary can be copied");
        }
        let mut command = Command::new(binary);
        let path = format!("{}:/usr/bin:/bin", self.folder.path().join("bin").display());
        command.env("PATH", path).env("TMPDIR", self.folder.path()).current_dir("/");
        command.env_remove("QCAST_SOCKET").env_remove("QCAST_DIRECT").env_remove("XDG_RUNTIME_DIR");
        command.env("USER", "alice");
        command
    }

    fn when(&self) -> Command {
        let mut command = self.qcast();
        command.args(["when", "--nodes", "1", "--time", "10", "--direct", "always"]);
        command
    }
}

fn told(command: &mut Command) -> (String, String, Option<i32>) {
    let output = command.output().expect("the binary runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (text(output.stdout), text(output.stderr), output.status.code())
}

#[test]
fn slurm_is_asked_once_for_each_thing_and_not_again_within_half_a_minute() {
    let slurm = FakeSlurm::new();
    let (said, aside, code) = told(&mut slurm.when());
    assert_eq!(code, Some(0), "{said}{aside}");
    assert!(said.starts_with("Such a job would start"), "{said}");
    assert_eq!(
        aside,
        "note: queried Slurm directly, without a daemon: 1 job of history; slower, and forecasts are not scored\n",
        "the one job that accounting has"
    );
    let calls = slurm.calls();
    let mut different = calls.clone();
    different.sort();
    different.dedup();
    assert_eq!(different.len(), calls.len(), "{calls:?}");
    assert_eq!(calls.iter().filter(|call| call.starts_with("sacct ") && call.contains("--user=")).count(), 1);
    assert!(!calls.iter().any(|call| call.contains("allusers")), "{calls:?}");

    let (again, _, code) = told(&mut slurm.when());
    assert_eq!(code, Some(0));
    assert!(again.starts_with("Such a job would start"), "{again}");
    assert_eq!(slurm.calls(), calls, "a second question costs Slurm nothing");
}

#[test]
fn what_is_kept_is_its_owners_alone_and_no_socket_is_left_behind() {
    let slurm = FakeSlurm::new();
    assert_eq!(told(&mut slurm.when()).2, Some(0));
    let mut open: Vec<PathBuf> = fs::read_dir(slurm.folder.path())
        .expect("it is there")
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("queuecast-")))
        .collect();
    assert_eq!(open.len(), 1, "{open:?}");
    let mut files = 0;
    while let Some(path) = open.pop() {
        let metadata = fs::symlink_metadata(&path).expect("it is there");
        assert_eq!(metadata.permissions().mode() & 0o077, 0, "{}", path.display());
        if metadata.is_dir() {
            open.extend(fs::read_dir(&path).expect("it is ours").flatten().map(|entry| entry.path()));
        } else {
            assert!(path.extension().is_none(), "left behind: {}", path.display());
            files += 1;
        }
    }
    assert!(files >= 8, "{files} answers");
}

#[test]
fn where_slurm_hides_the_jobs_of_others_there_is_no_estimate_but_for_operators_and_root() {
    let own_id = Command::new("id").arg("-u").output().expect("id runs").stdout;
    if own_id.trim_ascii() != b"0" {
        skip_outside_ci("only root can act as another user");
        return;
    }
    let slurm = FakeSlurm::new();
    slurm.hide_jobs();
    let (said, _, code) = told(slurm.when().uid(1_000).gid(1_000));
    assert_eq!(code, Some(5), "{said}");
    assert!(said.contains("no forecast (queue_not_visible)") && said.contains("qcast serve"), "{said}");
    assert_eq!(
        told(slurm.when().uid(1_000).gid(1_000).env("USER", "operator")).2,
        Some(5),
        "a variable makes no operator"
    );
    assert_eq!(told(slurm.when().uid(1_001).gid(1_001).env("USER", "alice")).2, Some(0), "a user id does");
    assert_eq!(told(&mut slurm.when()).2, Some(0));
}

#[test]
fn without_slurm_it_says_what_is_missing_and_what_to_do() {
    let slurm = FakeSlurm::new();
    let (_, aside, code) = told(slurm.when().env("PATH", "/no/such/folder"));
    assert_eq!(code, Some(3));
    assert!(aside.contains("squeue") && aside.contains("hint: ask your administrator"), "{aside}");
}

#[test]
fn of_a_slurm_that_does_not_tell_its_queue_nothing_else_is_asked() {
    let slurm = FakeSlurm::new();
    fs::remove_file(slurm.folder.path().join("answers/squeue.json")).expect("it is there");
    let (_, aside, code) = told(&mut slurm.when());
    assert_eq!(code, Some(3));
    assert!(aside.contains("the direct query to Slurm failed") && aside.contains("squeue.json"), "{aside}");
    assert_eq!(slurm.calls(), ["squeue --json"]);
}

#[test]
fn a_daemon_that_is_named_is_never_passed_over_and_a_wrong_question_costs_slurm_nothing() {
    let slurm = FakeSlurm::new();
    let nobody = slurm.folder.path().join("nobody.sock");
    let (_, aside, code) = told(slurm.qcast().args(["when", "-N", "1"]).env("QCAST_SOCKET", &nobody));
    assert_eq!(code, Some(3));
    assert!(aside.contains("no daemon at"), "{aside}");
    let (_, aside, code) = told(slurm.qcast().args(["when", "-N", "1", "--direct", "never"]));
    assert_eq!(code, Some(3), "{aside}");
    for wrong in [
        slurm.when().arg("--socket").arg(&nobody),
        slurm.qcast().args(["when", "-N", "1"]).env("QCAST_DIRECT", "sometimes"),
        slurm.qcast().args(["score"]).env("QCAST_DIRECT", "always"),
        slurm.when().args(["--mem", "much"]),
    ] {
        let (_, aside, code) = told(wrong);
        assert_eq!(code, Some(2), "{aside}");
    }
    assert_eq!(slurm.calls(), Vec::<String>::new());
}

#[test]
fn where_no_daemon_listens_and_none_is_named_slurm_is_asked_without_being_told_to() {
    if Path::new("/run/queuecast/api.sock").exists() {
        skip_outside_ci("a daemon runs on this machine");
        return;
    }
    let slurm = FakeSlurm::new();
    let (_, aside, code) = told(slurm.qcast().args(["when", "-N", "1", "-t", "10"]));
    assert_eq!(code, Some(0), "{aside}");
    assert!(aside.starts_with("note: queried Slurm directly"), "{aside}");
}

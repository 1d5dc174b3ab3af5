//! An ordinary user without a daemon: answered from what Slurm shows them, and not at all where it hides the others.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Instant;

use queuecast_slurm_lab::{ClusterHandle, ClusterSettings, Lab, LabSettings, Submission};

use super::{SOON, qcast};

/// What `qcast when` says to a user who asks Slurm directly, with an own folder for what is kept.
fn when(cluster: ClusterHandle<'_>, binary: &Path, user: &str, kept: &str) -> (Option<i32>, String) {
    let commands = cluster.commands_folder().unwrap();
    let session = cluster.lab().root().join("work").join(kept);
    std::fs::create_dir_all(&session).unwrap();
    std::fs::set_permissions(&session, PermissionsExt::from_mode(0o1777)).unwrap();
    let mut command = cluster.command_as(user, binary.to_str().unwrap());
    command.args(["when", "-N", "4", "-t", "10", "--direct", "always"]);
    command.env("PATH", format!("{}:/usr/bin:/bin", commands.display())).env("TMPDIR", session);
    command.env_remove("XDG_RUNTIME_DIR").env_remove("QCAST_SOCKET");
    let output = command.output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
}

#[test]
#[ignore = "needs root and Slurm: tests/install-slurm.sh, then --run-ignored all"]
fn an_ordinary_user_without_a_daemon_is_answered_unless_slurm_hides_the_others() {
    let clusters = vec![ClusterSettings::new("alpha", 4)];
    let lab = Lab::up(LabSettings { clusters, ..LabSettings::default() }).unwrap();
    let cluster = lab.cluster("alpha");
    // Where every user may run it.
    let binary = lab.root().join("work/qcast");
    std::fs::copy(qcast(), &binary).unwrap();
    let earlier = cluster.submit("user02", &Submission::sleeping(1).nodes(1).limit_minutes(5)).unwrap();
    cluster.wait_for_record(earlier, "COMPLETED", SOON).unwrap();
    let blocker = cluster.submit("user01", &Submission::sleeping(3_600).nodes(4).limit_minutes(90)).unwrap();
    cluster.wait_for_state(blocker, "RUNNING", SOON).unwrap();
    // Somebody looks at the folder's calls from here on; users note theirs there too.
    let calls = lab.root().join("run/calls-alpha");
    std::fs::write(&calls, "").unwrap();
    std::fs::set_permissions(&calls, PermissionsExt::from_mode(0o666)).unwrap();

    let begun = Instant::now();
    let (code, said) = when(cluster, &binary, "user02", "first");
    println!("answered after {:.2} s", begun.elapsed().as_secs_f64());
    assert_eq!(code, Some(0), "{said}");
    assert!(
        said.contains("Such a job would start") && said.contains("queried Slurm directly, without a daemon"),
        "{said}"
    );
    assert!(!said.contains("would start at about now"), "user01's job is in the way: {said}");
    let asked = cluster.calls();
    println!("{said}{asked:?}");
    for (program, most) in [("squeue", 1), ("sinfo", 1), ("sacct", 2), ("scontrol", 3), ("sacctmgr", 2), ("sdiag", 1)] {
        // Of sacct's two the first only lists its columns; of sacctmgr's one is for qualities of service, one for associations.
        assert!(asked.iter().filter(|call| *call == program).count() <= most, "{program}: {asked:?}");
    }
    assert_eq!(when(cluster, &binary, "user02", "first").0, Some(0));
    assert_eq!(cluster.calls(), asked, "a second question costs Slurm nothing");

    lab.reconfigure("alpha", "PrivateData=jobs").unwrap();
    let (code, said) = when(cluster, &binary, "user02", "second");
    assert_eq!(code, Some(5), "{said}");
    assert!(said.contains("queue_not_visible"), "{said}");
    cluster.run("sacctmgr", &["-i", "modify", "user", "user03", "set", "adminlevel=Operator"]).unwrap();
    let (code, said) = when(cluster, &binary, "user03", "second");
    assert_eq!(code, Some(0), "{said}");
}

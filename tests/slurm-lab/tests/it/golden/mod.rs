//! Golden cases: what real Slurm 22.05 prints for jobs of every fate, kept in `tests/golden/slurm-22.05`.
//!
//! For: tests of our readers, which run everywhere from the kept files; and for seeing, here, that Slurm still says so.
//!
//! Not for: comparing bytes. Times and priorities differ in every run; the states of every case do not.
//!
//! `QCAST_BLESS=1` keeps what was recorded; see CONTRIBUTING.md.

mod cases;
mod recording;

use std::fs;
use std::path::{Path, PathBuf};

use queuecast_slurm_lab::{ClusterSettings, Lab, LabSettings};

use cases::{Case, Expected};
use recording::Recording;

fn kept() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../golden/slurm-22.05")
}

/// Twenty times the speed: limits are whole minutes, and a requeued job waits for some.
fn settings(clusters: Vec<ClusterSettings>) -> LabSettings {
    LabSettings {
        clusters,
        speed: 20,
        silent_node_down_after_seconds: Some(300),
        ended_jobs_kept_seconds: 100_000,
        ..LabSettings::default()
    }
}

#[test]
#[ignore = "needs root and Slurm: tests/install-slurm.sh, then --run-ignored all"]
fn jobs_of_every_fate_are_recorded_by_real_slurm_as_the_golden_cases_say() {
    let scratch = tempfile::tempdir().unwrap();
    let recording = Recording::into(scratch.path());

    let mut lab = Lab::up(settings(vec![ClusterSettings::new("alpha", 20)])).unwrap();
    let version = lab.first_cluster().run("sbatch", &["--version"]).unwrap();
    assert!(version.contains(" 22.05."), "another version needs a folder of its own: {version}");
    let mut cases = cases::begin(&lab).unwrap();
    recording.of_jobs(lab.cluster("alpha"), "during").unwrap();
    recording.of_rest(lab.cluster("alpha"), "during").unwrap();
    cases::end(&mut lab, &mut cases).unwrap();
    recording.of_jobs(lab.cluster("alpha"), "after").unwrap();
    recording.of_rest_records(lab.cluster("alpha"), "after").unwrap();
    check(&lab, &cases);
    drop(lab);

    // In a lab of its own, because the numbers of a federation's jobs are others.
    let lab = Lab::up(settings(vec![ClusterSettings::new("alpha", 2), ClusterSettings::new("beta", 2)])).unwrap();
    let sibling = cases::federate(&lab).unwrap();
    for cluster in ["alpha", "beta"] {
        recording.of_jobs(lab.cluster(cluster), &format!("federation-{cluster}")).unwrap();
        recording.of_rest_records(lab.cluster(cluster), &format!("federation-{cluster}")).unwrap();
    }
    cases.push(sibling);
    check(&lab, &cases[cases.len() - 1..]);

    recording.of_cases(&cases).unwrap();
    if std::env::var_os("QCAST_BLESS").is_some_and(|bless| bless == "1") {
        recording.keep_in(&kept()).unwrap();
    }
}

/// Every case has the states it should have; all that differ are named at once.
fn check(lab: &Lab, cases: &[Case]) {
    let differing: Vec<String> = cases
        .iter()
        .map(|case| (case, lab.cluster(case.cluster).recorded_states(case.number).unwrap()))
        .filter(|(case, states)| states != case.states)
        .map(|(case, states)| format!("{}: {states:?}, expected {:?}", case.name, case.states))
        .collect();
    assert!(differing.is_empty(), "{}", differing.join("\n"));
}

#[test]
fn the_kept_cases_hold_every_fate_and_no_path_of_the_lab_that_recorded_them() {
    let listed = fs::read_to_string(kept().join("cases.tsv")).unwrap();
    for Expected { name, states, .. } in cases::EXPECTED {
        let line = listed.lines().find(|line| line.split('\t').next() == Some(name));
        let line = line.unwrap_or_else(|| panic!("no case {name}"));
        assert!(line.ends_with(&states.join(",")), "{line}");
    }
    for moment in fs::read_dir(kept()).unwrap().flatten().filter(|entry| entry.path().is_dir()) {
        for file in fs::read_dir(moment.path()).unwrap().flatten() {
            let bytes = fs::read(file.path()).unwrap();
            assert!(!bytes.windows(7).any(|window| window == b"/tmp/ql"), "{}", file.path().display());
        }
    }
}

impl Case {
    /// One line of `cases.tsv`.
    fn line(&self) -> String {
        format!("{}\t{}\t{}\t{}\n", self.name, self.cluster, self.number, self.states.join(","))
    }
}

//! Holds the model of Slurm beside a real one, on a stretch that was recorded (`tests/slurm-lab/examples/site_stretch`).
//!
//! For: `twin RECORDING [OTHER]`. The model is told the true submissions and run times and starts everybody; each start is held beside
//! Slurm's own. With a second recording of the same stretch, Slurm is held beside itself: no model can be nearer than that.

mod recording;

use std::collections::BTreeMap;
use std::path::Path;

use queuecast_site::twin::starts;
use queuecast_workload::Seconds;

use recording::{Recording, Which};

/// Whoever has not started by then does not.
const HORIZON: Seconds = Seconds(30 * 86_400);
/// So many of the worst are named.
const NAMED: usize = 12;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folders: Vec<String> = std::env::args().skip(1).collect();
    let [first, others @ ..] = folders.as_slice() else {
        return Err("twin RECORDING [OTHER RECORDING OF THE SAME STRETCH]".into());
    };
    let recording = Recording::read(Path::new(first))?;
    let played = starts(&recording.reading(), &recording.jobs(), HORIZON);
    let mut not_played: BTreeMap<String, usize> = BTreeMap::new();
    let mut twin: BTreeMap<Which, f64> = BTreeMap::new();
    for (job, start) in recording.submitted.iter().zip(played) {
        match start {
            Ok(start) => {
                twin.insert(job.which, (start - recording.began).as_f64());
            }
            Err(why) => *not_played.entry(why).or_default() += 1,
        }
    }
    let slurm = recording.waits();
    let model: BTreeMap<Which, f64> = recording.waits_of(&twin);
    println!(
        "{} jobs and tasks, {} started by Slurm, {} by the model",
        recording.submitted.len(),
        slurm.len(),
        model.len()
    );
    for (why, count) in not_played {
        println!("  not played: {count} ({why})");
    }
    let differences = Differences::between(&slurm, &model);
    println!("model and Slurm:       {differences}");
    for (partition, one) in recording.by_partition(&slurm) {
        let of = Differences::between(&one, &model);
        println!("  {partition:10} {of}");
    }
    for other in others {
        let other = Recording::read(Path::new(other))?;
        let floor = Differences::between(&slurm, &other.waits());
        println!("Slurm and Slurm again: {floor}");
        let second = Differences::between(&other.waits(), &model);
        println!("model and the second:  {second}");
        println!("ratio: {:.3} and {:.3}", differences.mean / floor.mean, second.mean / floor.mean);
    }
    println!("\nthe farthest:");
    let mut worst: Vec<(f64, Which)> =
        slurm.iter().filter_map(|(which, wait)| Some((model.get(which)? - wait, *which))).collect();
    worst.sort_by(|one, other| other.0.abs().total_cmp(&one.0.abs()));
    for (off, which) in worst.into_iter().take(NAMED) {
        let job = recording.submitted.iter().find(|job| job.which == which);
        let text = job.map(|job| job.arguments.join(" ")).unwrap_or_default();
        println!("  {off:+9.0} s of {:8.0} s  {which:?} {text}", slurm[&which]);
    }
    Ok(())
}

/// How far waits are from each other, in seconds.
struct Differences {
    jobs: usize,
    mean: f64,
    median: f64,
    bias: f64,
}

impl Differences {
    fn between(one: &BTreeMap<Which, f64>, other: &BTreeMap<Which, f64>) -> Self {
        let signed: Vec<f64> = one.iter().filter_map(|(which, wait)| Some(other.get(which)? - wait)).collect();
        let mut sizes: Vec<f64> = signed.iter().map(|difference| difference.abs()).collect();
        sizes.sort_by(f64::total_cmp);
        let jobs = sizes.len();
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len().max(1) as f64;
        let median = sizes.get(jobs / 2).copied().unwrap_or(0.0);
        Self { jobs, mean: mean(&sizes), median, bias: mean(&signed) }
    }
}

impl std::fmt::Display for Differences {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { jobs, mean, median, bias } = self;
        let minutes = |seconds: &f64| seconds / 60.0;
        write!(
            formatter,
            "{jobs} jobs, mean absolute difference {:.1} min, median {:.1} min, bias {:+.1} min",
            minutes(mean),
            minutes(median),
            minutes(bias)
        )
    }
}

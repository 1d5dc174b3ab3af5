//! Holds the model of Slurm beside a real one, on a stretch that was recorded (`tests/slurm-lab/examples/site_stretch`).
//!
//! For: `twin [--all] RECORDING [OTHER]`. The model is told the true submissions and run times and starts everybody; each start is held beside
//! Slurm's own. With a second recording of the same stretch, Slurm is held beside itself: no model can be nearer than that.

use std::path::Path;

use queuecast_recorded::differences::Differences;
use queuecast_recorded::measures::ratio;
use queuecast_recorded::recording::{Recording, Which};
use queuecast_recorded::twin::play;

/// So many of the worst are named, unless all are asked for.
const NAMED: usize = 12;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (flags, folders): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|word| word == "--all");
    let named = if flags.is_empty() { NAMED } else { usize::MAX };
    let [first, others @ ..] = folders.as_slice() else {
        return Err("twin [--all] RECORDING [OTHER RECORDING OF THE SAME STRETCH]".into());
    };
    let recording = Recording::read(Path::new(first))?;
    let (slurm, played) = (recording.waits(), play(&recording));
    let model = &played.waits;
    println!(
        "{} jobs and tasks, {} started by Slurm, {} by the model",
        recording.submitted.len(),
        slurm.len(),
        model.len()
    );
    for (why, count) in &played.not_modelled {
        println!("  not played: {count} ({why})");
    }
    let differences = Differences::between(&slurm, model);
    println!("model and Slurm:       {differences}");
    for (partition, one) in recording.by_partition(&slurm) {
        let of = Differences::between(&one, model);
        println!("  {partition:10} {of}");
    }
    for other in others {
        let other = Recording::read(Path::new(other))?;
        let floor = Differences::between(&slurm, &other.waits());
        println!("Slurm and Slurm again: {floor}");
        let second = Differences::between(&other.waits(), model);
        println!("model and the second:  {second}");
        let of_floor = |one: &Differences| ratio(one.mean_size(), floor.mean_size()).unwrap_or(f64::NAN);
        println!("ratio: {:.3} and {:.3}", of_floor(&differences), of_floor(&second));
    }
    println!("\nthe farthest:");
    let mut worst: Vec<(f64, Which)> =
        slurm.iter().filter_map(|(which, wait)| Some((model.get(which)? - wait, *which))).collect();
    worst.sort_by(|one, other| other.0.abs().total_cmp(&one.0.abs()));
    for (off, which) in worst.into_iter().take(named) {
        let job = recording.submitted.iter().find(|job| job.which == which);
        let text = job.map(|job| job.arguments.join(" ")).unwrap_or_default();
        println!("  {off:+9.0} s of {:8.0} s  {which:?} {text}", slurm[&which]);
    }
    Ok(())
}

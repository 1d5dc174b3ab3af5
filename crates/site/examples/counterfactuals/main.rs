//! Whether what `qcast why` promises comes true: pieces of logs, played by our model of Slurm with and without the change:
//! `counterfactuals LOG SKIP JOBS NODES PROCESSORS_PER_NODE PAST`.
//!
//! Prints rows of a Markdown table. What is tried and how it is judged: `trial.rs`.

#[path = "../offline_replay/piece.rs"]
mod piece;
mod trial;

use std::path::Path;

use piece::Piece;
use trial::{Tally, trials};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [log, numbers @ ..] = &arguments[..] else {
        return Err("counterfactuals LOG SKIP JOBS NODES PROCESSORS_PER_NODE PAST".into());
    };
    let numbers = numbers.iter().map(|text| text.parse()).collect::<Result<Vec<usize>, _>>()?;
    let [skip, jobs, nodes, processors_per_node, past] = numbers[..] else {
        return Err("five numbers are needed".into());
    };
    let piece =
        Piece::read(Path::new(log), skip, jobs, past, u32::try_from(nodes)?, u32::try_from(processors_per_node)?)?;
    let trials = trials(&piece);
    let log = Path::new(log).file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let log = log.split('-').next().unwrap_or_default();
    for kind in ["limit at 1 %", "limit at 5 %", "limit at 10 %", "half of the nodes", "first in the queue"] {
        let tally = Tally::of(trials.iter().filter(|trial| trial.kind == kind));
        println!("| {log} {skip} | {kind} | {tally} |");
    }
    let told = trials.iter().filter(|trial| trial.kind != "first in the queue");
    println!("| {log} {skip} | all that can be changed | {} |", Tally::of(told));
    Ok(())
}

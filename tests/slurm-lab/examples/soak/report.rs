//! What became of it, as tables.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::NAMES;
use crate::arguments::Arguments;
use crate::asking::Asked;
use crate::samples::{self, Sample};

/// Memory is held against the median of the five minutes around this.
const FIRST_HOUR_SECONDS: u64 = 3_600;
const AROUND_SECONDS: u64 = 150;

/// The report.
pub fn written(folder: &Path, arguments: &Arguments) -> Result<String> {
    let mut text = String::new();
    let minutes = arguments.lasts.as_secs() / 60;
    writeln!(text, "# Soak: {minutes} minutes at {} times the speed, seed {}\n", arguments.speed, arguments.seed)?;
    of_samples(&mut text, &samples::read(&folder.join("samples.csv"))?)?;
    of_faults(&mut text, &fs::read_to_string(folder.join("faults.jsonl"))?)?;
    of_questions(&mut text, &serde_json::from_slice(&fs::read(folder.join("asked.json"))?)?)?;
    of_scores(&mut text, folder)?;
    Ok(text)
}

fn of_samples(text: &mut String, samples: &[Sample]) -> Result<()> {
    let last = samples.last().context("no sample was taken")?.seconds;
    writeln!(
        text,
        "| daemon | minute | memory, MiB | descriptors | threads | store, MiB |\n|---|--:|--:|--:|--:|--:|"
    )?;
    for daemon in NAMES {
        for around in (0..=last).step_by(1_800).skip(1).chain([last.saturating_sub(AROUND_SECONDS)]) {
            let near = |sample: &&Sample| sample.daemon == daemon && sample.seconds.abs_diff(around) <= AROUND_SECONDS;
            let near: Vec<&Sample> = samples.iter().filter(near).collect();
            let middle = |figure: fn(&Sample) -> u64| median(near.iter().map(|sample| figure(sample)).collect());
            let row = [
                middle(|sample| sample.memory_kib) / 1024,
                middle(|sample| sample.descriptors),
                middle(|sample| sample.threads),
                middle(|sample| sample.store_kib) / 1024,
            ];
            let row: Vec<String> = row.iter().map(ToString::to_string).collect();
            writeln!(text, "| {daemon} | {} | {} |", around / 60, row.join(" | "))?;
        }
    }
    for daemon in NAMES {
        let of = || samples.iter().filter(|sample| sample.daemon == daemon);
        let most = |figure: fn(&Sample) -> u64| of().map(figure).max().unwrap_or(0);
        let after = of().filter(|sample| sample.seconds >= FIRST_HOUR_SECONDS).map(|sample| sample.memory_kib);
        let ok = of().filter(|sample| sample.status == "ok").count();
        writeln!(
            text,
            "\n{daemon}: at most {} MiB (after the first hour {}), {} descriptors, {} threads; health `ok` in {ok} of {} looks, no answer in {}.",
            most(|sample| sample.memory_kib) / 1024,
            after.max().map_or("-".to_owned(), |kib| (kib / 1024).to_string()),
            most(|sample| sample.descriptors),
            most(|sample| sample.threads),
            of().count(),
            of().filter(|sample| sample.status == "none").count(),
        )?;
    }
    Ok(())
}

fn of_faults(text: &mut String, faults: &str) -> Result<()> {
    let mut counted: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for line in faults.lines() {
        let fault: Value = serde_json::from_str(line)?;
        let of_kind = counted.entry(fault["fault"].as_str().unwrap_or_default().to_owned()).or_default();
        of_kind.0 += 1;
        of_kind.1 += fault["lasted_seconds"].as_u64().unwrap_or(0);
    }
    writeln!(text, "\n| fault | times | seconds |\n|---|--:|--:|")?;
    for (fault, (times, seconds)) in counted {
        writeln!(text, "| {fault} | {times} | {seconds} |")?;
    }
    Ok(())
}

fn of_questions(text: &mut String, asked: &Asked) -> Result<()> {
    writeln!(text, "\n| question | status | times |\n|---|--:|--:|")?;
    for (question, answers) in asked {
        for (status, times) in answers {
            writeln!(text, "| {question} | {status} | {times} |")?;
        }
    }
    Ok(())
}

fn of_scores(text: &mut String, folder: &Path) -> Result<()> {
    writeln!(
        text,
        "\n| daemon | forecasts | of | jobs | within the 80 % range | half nearer than, s | Slurm's plan, s |\n|---|---|--:|--:|--:|--:|--:|"
    )?;
    for daemon in NAMES {
        let score: Value = serde_json::from_slice(&fs::read(folder.join(format!("{daemon}-score.json")))?)?;
        for which in ["first", "all"] {
            let figures = &score["overall"][which];
            let number = |value: &Value, digits: usize| {
                value.as_f64().map_or("-".to_owned(), |value| format!("{value:.digits$}"))
            };
            let row = [
                number(&figures["forecasts"], 0),
                number(&figures["jobs"], 0),
                number(&figures["coverage"]["p80"], 3),
                number(&figures["median_absolute_error_seconds"], 0),
                number(&figures["slurm"]["median_absolute_error_seconds"], 0),
            ];
            writeln!(text, "| {daemon} | {which} | {} |", row.join(" | "))?;
        }
    }
    Ok(())
}

fn median(mut figures: Vec<u64>) -> u64 {
    figures.sort_unstable();
    figures.get(figures.len() / 2).copied().unwrap_or(0)
}

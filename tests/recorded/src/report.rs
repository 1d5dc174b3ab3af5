//! The report of `experiments/slurm-site`: figures of each stretch beside what was asked, in words.
//!
//! Not for: reckoning (`judged`).

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{Display, Write};

use serde::Serialize;

use crate::judged::{FirstFigures, StretchFigures};
use crate::measures::{Share, ratio};
use crate::targets::TARGETS;

/// What `figures.json` holds.
#[derive(Debug, Serialize)]
pub struct FiguresFile<'a> {
    /// A stretch each.
    pub stretches: &'a [StretchFigures],
    /// All together.
    pub pooled: &'a StretchFigures,
}

/// The report. `made_with` says how the stretches were recorded.
pub fn report(stretches: &[StretchFigures], pooled: &StretchFigures, made_with: &str) -> String {
    let mut text = String::from("# Forecasts on a Slurm as sites run it\n\n");
    let mut all: Vec<&StretchFigures> = stretches.iter().collect();
    if stretches.len() > 1 {
        all.push(pooled);
    }
    say(&mut text, made_with);
    say(&mut text, "## What was asked and what came\n");
    verdicts(&mut text, stretches, &all);
    say(&mut text, "\n![how often 80 % ranges held, by the time that was left](calibration.svg)\n");
    for figures in all {
        stretch(&mut text, figures);
    }
    text
}

fn verdicts(text: &mut String, stretches: &[StretchFigures], all: &[&StretchFigures]) {
    let names: Vec<&str> = all.iter().map(|figures| figures.name.as_str()).collect();
    say(text, &row(["figure", "asked"].into_iter().chain(names.iter().copied()).chain(["reached"])));
    say(text, &row(std::iter::repeat_n("---", names.len() + 3)));
    let (mut reached, mut missed) = (0, Vec::new());
    for target in &TARGETS {
        let value = |figures: &&StretchFigures| (target.value)(figures);
        let cells =
            all.iter().map(|figures| if target.is_percent { percent(value(figures)) } else { number(value(figures)) });
        let of_each: Vec<Option<f64>> = stretches.iter().map(target.value).collect();
        let count = of_each.iter().filter(|value| value.is_some_and(target.is_reached)).count();
        let verdict = format!("{count} of {}", of_each.len());
        if count == of_each.len() {
            reached += 1;
        } else {
            missed.push(target.figure);
        }
        let head = [target.figure.to_owned(), target.asked.to_owned()];
        say(text, &row(head.into_iter().chain(cells).chain([verdict])));
    }
    let _ = writeln!(text, "\nOf {} figures {reached} are reached by every stretch.", TARGETS.len());
    if !missed.is_empty() {
        let _ = writeln!(text, "**Not reached by every stretch:** {}.", missed.join("; "));
    }
}

fn stretch(text: &mut String, figures: &StretchFigures) {
    let _ = writeln!(text, "\n## {}\n", figures.name);
    twin(text, figures);
    firsts(text, figures);
    probes(text, figures);
    ranges(text, figures);
    limits(text, figures);
    estimates(text, figures);
}

fn twin(text: &mut String, figures: &StretchFigures) {
    let (twin, check) = (&figures.twin, &figures.replay_check);
    let _ = writeln!(
        text,
        "**The model told the truth.** Of {} jobs and tasks {} were started by both. Starts differ by {} min in the mean from the first \
         recording and {} min from the second; the two recordings differ by {} min ({} and {} of it; medians {} and {} min). Not played: {}.\n",
        twin.submitted,
        twin.compared,
        number(twin.model_and_first_minutes),
        number(twin.model_and_second_minutes),
        number(twin.slurm_and_again_minutes),
        number(twin.first_ratio),
        number(twin.second_ratio),
        number(twin.median_model_and_first_minutes),
        number(twin.median_slurm_and_again_minutes),
        counted(&twin.not_modelled)
    );
    let _ = writeln!(
        text,
        "**The daemon's own check.** Of {} starts between two readings the model made {}, and besides {} of as many that Slurm did not make.\n",
        check.starts,
        percent(check.made),
        percent(check.only_model)
    );
    let replayed = &figures.replayed;
    let _ = writeln!(
        text,
        "**The model put back to the truth at every reading**, and told who ends and who comes until the next: of {} starts it made {} in the same ten \
         minutes, and besides {} of as many that Slurm did not make until a minute after.\n",
        replayed.starts,
        percent(replayed.made),
        percent(replayed.only_model)
    );
}

fn firsts(text: &mut String, figures: &StretchFigures) {
    say(
        text,
        "**First forecasts**, median errors in minutes; Slurm's is that of its own plan at the same moment, ours there beside it:\n",
    );
    say(
        text,
        "| | forecasts | ours | where Slurm had a plan | ours there | Slurm's | ratio |\n|---|---|---|---|---|---|---|",
    );
    let line = |name: &str, first: &FirstFigures| {
        row([
            name.to_owned(),
            first.forecasts.to_string(),
            number(first.our_minutes),
            first.planned.to_string(),
            number(first.our_minutes_where_planned),
            number(first.slurm_minutes),
            number(first.ratio),
        ])
    };
    say(text, &line("all first forecasts", &figures.first));
    for (partition, first) in &figures.first_by_partition {
        say(text, &line(partition, first));
    }
    say(text, &line("every reading, not only the first", &figures.readings_where_planned));
}

fn probes(text: &mut String, figures: &StretchFigures) {
    let probes = &figures.probes;
    let _ = writeln!(
        text,
        "\n**Before and after submission.** {} jobs of {} users have both forecasts and started. Median error {} min before, {} min after; \
         mean {} and {} min. Others: {}.\n",
        probes.pairs,
        probes.users,
        number(probes.before_minutes),
        number(probes.after_minutes),
        number(probes.mean_before_minutes),
        number(probes.mean_after_minutes),
        counted(&probes.without_pair)
    );
    say(text, "| partition | pairs | median before, min | after, min |\n|---|---|---|---|");
    for (partition, (pairs, before, after)) in &probes.by_partition {
        say(text, &row([partition.clone(), pairs.to_string(), number(*before), number(*after)]));
    }
}

fn ranges(text: &mut String, figures: &StretchFigures) {
    let ranges = &figures.ranges;
    let _ = writeln!(
        text,
        "\n**Ranges.** {} forecasts of {} jobs at {} readings. The 50 % range held for {}, the 80 % range for {}, the 95 % range for {}; \
         half of the 80 % ranges were narrower than {} min. Of {} narrower than 15 min {} held. {} begin before the reading.\n",
        ranges.range80.of,
        ranges.jobs,
        figures.readings,
        percent(ranges.range50.number()),
        percent(ranges.range80.number()),
        percent(ranges.range95.number()),
        number(ranges.median_width_minutes),
        ranges.narrow.of,
        percent(ranges.narrow.number()),
        ranges.begin_in_the_past
    );
    say(text, "| 80 % ranges | by the time that was left | by the time told |\n|---|---|---|");
    for ((name, left), (_, told)) in ranges.by_time_left.iter().zip(&ranges.by_time_told) {
        say(text, &row([name.clone(), held(*left), held(*told)]));
    }
    say(text, "\n| partition | 80 % ranges |\n|---|---|");
    for (partition, share) in &ranges.by_partition {
        say(text, &row([partition.clone(), held(*share)]));
    }
}

fn limits(text: &mut String, figures: &StretchFigures) {
    if figures.limits.is_empty() {
        return;
    }
    say(
        text,
        "\n**Limits.** What every job that came would have been told, asked or not, and whether it ran longer than that:\n\n\
         | promised | told a shorter limit | ran longer |\n|---|---|---|",
    );
    for limits in &figures.limits {
        let killed = ratio(Some(limits.killed as f64), Some(limits.told_shorter as f64));
        let promised = format!("at most {} %", 100.0 * limits.max_risk);
        say(text, &row([promised, limits.told_shorter.to_string(), percent(killed)]));
    }
}

fn estimates(text: &mut String, figures: &StretchFigures) {
    let _ = writeln!(
        text,
        "\n**Without an estimate:** {} of {} waiting jobs, counted at every reading: {}. Held and left aside: {}. With an estimate but not \
         started by the end: {}; started since the queue was last read, and judged by no range: {}. Readings without an answer: {}.",
        figures.no_forecast.values().sum::<usize>(),
        figures.waiting,
        counted(&figures.no_forecast),
        figures.held,
        figures.never_started,
        figures.started_meanwhile,
        figures.readings_without_answer
    );
    if figures.calls_per_lab_minute.is_empty() {
        return;
    }
    let calls = figures.calls_per_lab_minute.iter().map(|(kind, calls)| format!("{kind} {calls:.2}"));
    let _ = writeln!(
        text,
        "\n**Calls to Slurm** in a minute of the lab's clock, whoever asks the daemon: {:.2} ({}).",
        figures.calls_per_lab_minute.values().sum::<f64>(),
        calls.collect::<Vec<_>>().join(", ")
    );
}

fn say(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

fn row<T: Display>(cells: impl IntoIterator<Item = T>) -> String {
    cells.into_iter().fold("|".to_owned(), |line, cell| format!("{line} {cell} |"))
}

fn held(share: Share) -> String {
    if share.of == 0 { "none".to_owned() } else { format!("{} of {}", percent(share.number()), share.of) }
}

fn counted(counts: &BTreeMap<String, usize>) -> String {
    let told: BTreeSet<String> = counts.iter().map(|(why, count)| format!("{why}: {count}")).collect();
    if told.is_empty() { "none".to_owned() } else { told.into_iter().collect::<Vec<_>>().join(", ") }
}

fn number(value: Option<f64>) -> String {
    value.map_or_else(|| "not known".to_owned(), |value| format!("{value:.2}"))
}

fn percent(value: Option<f64>) -> String {
    value.map_or_else(|| "not known".to_owned(), |value| format!("{:.1} %", 100.0 * value))
}

//! One job: what it is, what is said of it, and the fan of its possible starts.

use queuecast_api::forecast::{ForecastResponse, StateResponse};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::super::model::Model;
use super::{Settings, fan, put, wrapped};
use crate::ask::inert::inert;
use crate::ask::wall::{Wall, slurm_span};
use crate::when::words;

/// Draws the job that was opened.
pub fn draw(model: &Model, settings: &Settings<'_>, area: Rect, buffer: &mut Buffer) {
    let Some(job) = &model.detail else { return };
    let columns = usize::from(area.width);
    let called = format!("Job {}", inert(job.job.id.as_deref().unwrap_or("?")));
    let mut sentences = words::sentences(job, &called, settings.zone);
    let mut lines = Vec::new();
    if !model.is_detail_listed {
        lines.push(
            "This job is no longer in the list: it started, ended or was cancelled. Below is its last forecast."
                .to_owned(),
        );
    }
    let first = sentences.remove(0);
    lines.extend([first, described(job), String::new()]);
    let mut lines: Vec<String> = lines.iter().flat_map(|line| wrapped(line, columns)).collect();
    let wall = Wall::new(settings.zone, &job.now);
    let running = job.state == StateResponse::Running;
    let times = if running { &job.completion } else { &job.start };
    if let Some(times) = times.as_ref().filter(|_| job.no_forecast.is_none()) {
        lines.push(if running { "Possible ends" } else { "Possible starts" }.to_owned());
        let plan = job.slurm_estimated_start.as_ref().filter(|_| !running);
        lines.extend(fan::lines(times, &job.now, plan, &wall, columns));
        lines.push(String::new());
    }
    lines.extend(sentences.iter().flat_map(|sentence| wrapped(sentence, columns)));
    for (place, (row, line)) in area.rows().zip(&lines).enumerate() {
        let style = if place == 0 { Style::new().add_modifier(Modifier::BOLD) } else { Style::new() };
        put(buffer, row, line, style);
    }
}

/// What it is, in one sentence.
fn described(answer: &ForecastResponse) -> String {
    let job = &answer.job;
    let named = |word: &str, text: &Option<String>| text.as_ref().map(|text| format!("{word} {}", inert(text)));
    let counted = |word: &str, count: Option<u64>| count.map(|count| format!("{word} {count}"));
    let pieces = [
        named("name", &job.name),
        named("user", &job.user),
        named("account", &job.account),
        (!job.partitions.is_empty()).then(|| format!("partition {}", inert(&job.partitions.join(",")))),
        named("QOS", &job.qos),
        counted("nodes", job.nodes),
        counted("CPUs", job.cpus),
        job.limit_seconds.map(|limit| format!("time limit {}", slurm_span(limit))),
        named("reason", &job.reason),
    ];
    pieces.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

//! Predictors as they are named on the command line: most by name alone, templates also from a file, and others' as programs.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use queuecast_exec::ProgramPredictor;
use queuecast_predict::templates::TemplateError;
use queuecast_predict::{PredictorSpecification, TemplateSet};
use queuecast_workload::UnknownName;

use super::program;

/// What `--predictor` takes.
pub const HELP: &str = "Run-time predictor: estimate[:x2], perfect[:x2], constant:SECONDS, recent:n=2,stat=mean, \
     session:criteria=PE/P/E/*,search=dfs,depth=all, templates:FILE, gibbons, downey:median, exec:PROGRAM (docs/guides/own-methods.md)";

/// Reads a predictor's name. Templates stand in a file, as `qcast search` writes it, or, in parentheses, in the name.
pub fn parse(text: &str) -> Result<PredictorSpecification, String> {
    if let Some(program) = program::parse(text) {
        return Ok(PredictorSpecification::Foreign(ProgramPredictor::new(program?).into_foreign()));
    }
    let Some(templates) = text.strip_prefix("templates:") else {
        return text.parse().map_err(|error: UnknownName| format!("{error}, exec:PROGRAM"));
    };
    let set = if templates.contains('(') {
        templates.parse().map_err(|error: TemplateError| error.to_string())
    } else {
        read_templates(Path::new(templates))
    };
    set.map(|set| PredictorSpecification::Templates(Arc::new(set)))
}

fn read_templates(file: &Path) -> Result<TemplateSet, String> {
    let text = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    TemplateSet::from_lines(&text).map_err(|error| format!("{}: {error}", file.display()))
}

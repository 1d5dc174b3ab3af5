//! Predictors as they are named on the command line: those that need no file by name, templates from one.

use queuecast_predict::PredictorSpecification;

/// What `--predictor` takes.
pub const HELP: &str = "Who predicts run times: estimate, perfect, constant:SECONDS, recent:n=2,stat=mean, \
     session:criteria=PE/P/E/*,search=dfs,depth=all";

/// Reads a predictor's name.
pub fn parse(text: &str) -> Result<PredictorSpecification, String> {
    text.parse().map_err(|error: queuecast_workload::UnknownName| error.to_string())
}

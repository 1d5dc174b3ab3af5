//! `qcast where`: in which partition, or on which cluster, a job would end soonest.
//!
//! For: choosing between places whose queues nobody can compare by eye. Every cluster is asked through its own daemon, all at once.
//!
//! Not for: forecasting; submitting the job.

mod ranking;
mod words;

use std::process::ExitCode;

use clap::Args;
use queuecast_api::places::PartitionsResponse;
use queuecast_api::route;

use self::ranking::Ranking;
use crate::ask::clusters::{ClusterArgs, ask_all};
use crate::ask::flat::csv;
use crate::ask::inert::inert_json;
use crate::ask::service::ServiceArgs;
use crate::ask::subject::{Subject, SubjectArgs};
use crate::ask::zone::Zone;
use crate::ask::{NO_FORECAST, print};
use crate::failure::{Failure, OnSide};
use crate::output::Format;

/// The arguments of `qcast where`.
#[derive(Debug, Args)]
#[command(
    after_help = "The daemon of a cluster is configured by --cluster-at, by QCAST_CLUSTERS (name=address,name=address) or under [clusters] \
                  in /etc/queuecast/queuecast.toml.\n\
                  Exit status: 0 if there is a forecast for a partition, 3 if no daemon answers, 5 if there is no forecast."
)]
pub struct WhereArgs {
    #[command(flatten)]
    service: ServiceArgs,
    #[command(flatten)]
    clusters: ClusterArgs,
    /// Output format.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    // Last, because its heading holds for whatever follows.
    #[command(flatten)]
    subject: SubjectArgs,
}

/// Runs `qcast where`.
pub fn run(arguments: &WhereArgs) -> Result<ExitCode, Failure> {
    let zone = Zone::local();
    let (question, called) = match arguments.subject.read("where", &zone)? {
        Subject::Hypothetical { question, called } => (question, called),
        Subject::Existing { id, .. } => {
            return Err(Failure::usage(format_args!(
                "job {id} is already submitted; qcast where compares partitions before that"
            ))
            .with_hint(format!(
                "pass the job script or job options; for a pending job, `qcast why {id}` tries other partitions"
            )));
        }
    };
    let clusters = arguments.clusters.read(&arguments.service)?;
    let mut answers = Vec::new();
    for (name, answer) in ask_all(clusters, |service| service.post(route::WHERE, &question))? {
        let read: PartitionsResponse = answer.read()?;
        answers.push((name, read));
    }
    let ranking = Ranking::new(answers, question.partition.as_deref());
    print(&match arguments.format {
        Format::Table => words::told(&ranking, &called, &zone),
        Format::Json => {
            let text = serde_json::to_string_pretty(&ranking).map_err(anyhow::Error::from).writing()?;
            inert_json(&text)
        }
        Format::Csv => {
            csv(&serde_json::to_string(&ranking).map_err(anyhow::Error::from).writing()?, Some("partitions"))?
        }
    })?;
    Ok(if ranking.has_place() { ExitCode::SUCCESS } else { ExitCode::from(NO_FORECAST) })
}

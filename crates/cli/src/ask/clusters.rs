//! Several clusters, each asked through its own daemon.
//!
//! For: which cluster a job should be sent to. All are asked at once, and one that does not answer in time is told and left out.
//!
//! Not for: what is made of their answers.

use std::fs;
use std::thread;

use clap::Args;
use queuecast_api::{Answer, AskError, Client};

use super::inert::inert;
use super::service::{ServiceArgs, token_variable};
use crate::failure::{Failure, say};

/// Names and places of daemons, for everybody on a machine: a line for each.
const USUAL_FILE: &str = "/etc/queuecast/clusters";

/// Which clusters.
#[derive(Debug, Args)]
pub struct ClusterArgs {
    /// Ask these clusters, by name; `all` for all that are known [default: the one whose daemon answers here].
    #[arg(short = 'M', long, value_name = "NAMES", value_delimiter = ',')]
    clusters: Vec<String>,
    /// A cluster's name and its daemon's socket or address; repeat it for several [default: `QCAST_CLUSTERS`, or
    /// /etc/queuecast/clusters]. At an address Slurm's token for this cluster is sent along, from `SLURM_JWT_NAME`.
    #[arg(long = "cluster-at", value_name = "NAME=PLACE")]
    places: Vec<String>,
}

/// A cluster and its daemon.
#[derive(Debug)]
pub struct NamedCluster {
    /// Its name; `None` for the daemon that answers here.
    pub name: Option<String>,
    service: ServiceArgs,
}

impl ClusterArgs {
    /// The clusters that are meant.
    pub fn read(&self, here: &ServiceArgs) -> Result<Vec<NamedCluster>, Failure> {
        if self.clusters.is_empty() && self.places.is_empty() {
            return Ok(vec![NamedCluster { name: None, service: here.clone() }]);
        }
        let known = if self.places.is_empty() { written_down() } else { self.places.clone() };
        let (mut clusters, mut names) = (Vec::new(), Vec::<String>::new());
        for line in &known {
            let (name, place) = line.split_once('=').ok_or_else(|| {
                Failure::usage(format_args!("{} is not NAME=PLACE", inert(line)))
                    .with_hint("such as beta=/run/queuecast/beta.sock or beta=https://beta-login:8642")
            })?;
            let (name, place) = (name.trim(), place.trim());
            // Or else the token of one would be sent to the other.
            if let Some(other) = names.iter().find(|other| token_variable(other) == token_variable(name)) {
                return Err(Failure::usage(format_args!(
                    "clusters {} and {} cannot be told apart",
                    inert(other),
                    inert(name)
                ))
                .with_hint(format!(
                    "name one of them otherwise: the token of both would be {}",
                    token_variable(name)
                )));
            }
            names.push(name.to_owned());
            let is_meant =
                self.clusters.is_empty() || self.clusters.iter().any(|asked| asked == "all" || asked == name);
            if is_meant {
                clusters.push(NamedCluster { name: Some(name.to_owned()), service: here.at(name, place) });
            }
        }
        let is_known =
            |asked: &&String| *asked == "all" || clusters.iter().any(|cluster| cluster.name.as_ref() == Some(asked));
        if let Some(unknown) = self.clusters.iter().find(|asked| !is_known(asked)) {
            return Err(Failure::usage(format_args!("nobody said where cluster {} is asked", inert(unknown)))
                .with_hint(format!(
                    "name its daemon: --cluster-at {}=PLACE, or a line in {USUAL_FILE}",
                    inert(unknown)
                )));
        }
        Ok(clusters)
    }
}

/// What is known on this machine: a variable, or else a file.
fn written_down() -> Vec<String> {
    let lines = |text: &str, separator: char| {
        let lines = text.split(separator).map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        lines.map(str::to_owned).collect()
    };
    match std::env::var("QCAST_CLUSTERS") {
        Ok(text) if !text.is_empty() => lines(&text, ','),
        _ => fs::read_to_string(USUAL_FILE).map(|text| lines(&text, '\n')).unwrap_or_default(),
    }
}

/// Asks all of them the same at once. Those that do not answer are told on standard error; if none does, that is a failure.
pub fn ask_all(
    clusters: Vec<NamedCluster>,
    question: impl Fn(&Client) -> Result<Answer, AskError> + Sync,
) -> Result<Vec<(Option<String>, Answer)>, Failure> {
    let answers: Vec<_> = thread::scope(|scope| {
        let asked: Vec<_> =
            clusters.iter().map(|cluster| scope.spawn(|| Ok(question(&cluster.service.connect()?)?))).collect();
        asked.into_iter().map(|asked| asked.join().unwrap_or_else(|_| Err(Failure::usage("a thread broke")))).collect()
    });
    let several = clusters.len() > 1;
    let mut answered = Vec::new();
    let mut failed = None;
    for (cluster, answer) in clusters.into_iter().zip(answers) {
        match answer {
            Ok(answer) => answered.push((cluster.name, answer)),
            Err(failure) => {
                if several {
                    let name = cluster.name.as_deref().map(inert).unwrap_or_default();
                    say(format_args!("cluster {name} is left out: {failure}"));
                }
                failed = Some(failure);
            }
        }
    }
    match failed {
        Some(failure) if answered.is_empty() => Err(failure),
        _ => Ok(answered),
    }
}

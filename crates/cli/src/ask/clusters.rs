//! Several clusters, each asked through its own daemon.
//!
//! For: which cluster a job should be sent to. All are asked at once, and one that does not answer in time is told and left out.
//!
//! Not for: what is made of their answers.

use std::fs;
use std::path::Path;
use std::thread;

use clap::Args;
use queuecast_api::{Answer, AskError, Client};

use super::inert::inert;
use super::service::{ServiceArgs, token_variable};
use crate::config::layers::{USUAL_FILE, known_clusters};
use crate::failure::{Failure, say};

/// Where the daemons of several clusters on one machine have their sockets: NAME/api.sock (`queuecast@NAME.service`).
const USUAL_FOLDER: &str = "/run/queuecast";

/// Which clusters.
#[derive(Debug, Args)]
pub struct ClusterArgs {
    /// Clusters to query, by name; `all` for all known clusters [default: the cluster of the local daemon].
    #[arg(short = 'M', long, value_name = "NAMES", value_delimiter = ',')]
    clusters: Vec<String>,
    /// Name of a cluster and the socket or URL of its daemon; repeatable [default: `QCAST_CLUSTERS`, or the table
    /// `clusters` in /etc/queuecast/queuecast.toml and the sockets /run/queuecast/NAME/api.sock].
    ///
    /// For a URL, the Slurm token in `SLURM_JWT_NAME` is sent, where NAME is the cluster's name in capital letters.
    #[arg(long = "cluster-at", value_name = "NAME=ADDRESS")]
    places: Vec<String>,
}

/// The daemon that is asked: the usual one, or that of a cluster.
#[derive(Clone, Debug, Args)]
pub struct AskedArgs {
    #[command(flatten)]
    service: ServiceArgs,
    /// Query the daemon of this cluster, like `squeue -M` [default: the cluster of the local daemon].
    ///
    /// The daemon's address comes from `QCAST_CLUSTERS` (name=address,name=address), from the table `clusters` in
    /// /etc/queuecast/queuecast.toml, or is /run/queuecast/NAME/api.sock.
    #[arg(short = 'M', long = "clusters", visible_alias = "cluster", value_name = "NAME", conflicts_with_all = ["socket", "url"])]
    cluster: Option<String>,
}

impl AskedArgs {
    /// The daemon, of which nothing is asked yet; where none is named and none listens, Slurm itself.
    pub fn connect(&self) -> Result<Client, Failure> {
        self.service()?.connect()
    }

    /// The same for questions for which futures are played.
    pub fn connect_patiently(&self) -> Result<Client, Failure> {
        self.service()?.connect_patiently()
    }

    /// The daemon and nobody else.
    pub fn connect_to_daemon(&self) -> Result<Client, Failure> {
        self.service()?.connect_to_daemon()
    }

    fn service(&self) -> Result<ServiceArgs, Failure> {
        let Some(name) = &self.cluster else { return Ok(self.service.clone()) };
        if name.contains(',') || name == "all" {
            return Err(Failure::usage(format_args!(
                "-M {} names several clusters; this command queries one",
                inert(name)
            ))
            .with_hint("compare clusters with `qcast where -M`"));
        }
        let clusters = ClusterArgs { clusters: vec![name.clone()], places: Vec::new() };
        let found = clusters.read(&self.service)?.into_iter().next();
        found.map(|cluster| cluster.service).ok_or_else(|| unknown(name))
    }
}

fn unknown(name: &str) -> Failure {
    Failure::usage(format_args!("no daemon address configured for cluster `{}`", inert(name))).with_hint(format!(
        "add the address under [clusters] in {USUAL_FILE}, or set QCAST_CLUSTERS={name}=ADDRESS; a daemon on this machine is found \
         while it runs: systemctl status queuecast@{name}",
        name = inert(name)
    ))
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
        let known = if self.places.is_empty() { written_down()? } else { self.places.clone() };
        let (mut clusters, mut names) = (Vec::new(), Vec::<String>::new());
        for line in &known {
            let (name, place) = line.split_once('=').ok_or_else(|| {
                Failure::usage(format_args!("cluster address {} is not of the form NAME=ADDRESS", inert(line)))
                    .with_hint("for example, beta=/run/queuecast/beta.sock or beta=https://beta-login:8642")
            })?;
            let (name, place) = (name.trim(), place.trim());
            // Or else the token of one would be sent to the other.
            if let Some(other) = names.iter().find(|other| token_variable(other) == token_variable(name)) {
                return Err(Failure::usage(format_args!(
                    "the names of clusters {} and {} are too similar",
                    inert(other),
                    inert(name)
                ))
                .with_hint(format!(
                    "rename one of the clusters: the token of both would be read from {}",
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
            return Err(self::unknown(unknown));
        }
        Ok(clusters)
    }
}

/// What is known on this machine: a variable, or else the configuration and the sockets that are there.
fn written_down() -> Result<Vec<String>, Failure> {
    let variable = |name: &str| std::env::var(name).ok();
    if let Some(text) = variable("QCAST_CLUSTERS").filter(|text| !text.is_empty()) {
        return Ok(text.split(',').map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect());
    }
    let mut known = known_clusters(variable)?;
    for (name, socket) in sockets(Path::new(USUAL_FOLDER)) {
        known.entry(name).or_insert(socket);
    }
    Ok(known.into_iter().map(|(name, place)| format!("{name}={place}")).collect())
}

/// The sockets of clusters in a folder: NAME/api.sock.
fn sockets(folder: &Path) -> Vec<(String, String)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let found = entries.filter_map(|entry| {
        let socket = entry.path().join("api.sock");
        let name = entry.file_name().into_string().ok()?;
        socket.exists().then(|| Some((name, socket.to_str()?.to_owned())))?
    });
    found.collect()
}

/// Asks all of them the same at once. Those that do not answer are told on standard error; if none does, that is a failure.
pub fn ask_all(
    clusters: Vec<NamedCluster>,
    question: impl Fn(&Client) -> Result<Answer, AskError> + Sync,
) -> Result<Vec<(Option<String>, Answer)>, Failure> {
    let answers: Vec<_> = thread::scope(|scope| {
        let asked: Vec<_> =
            clusters.iter().map(|cluster| scope.spawn(|| Ok(question(&cluster.service.connect()?)?))).collect();
        asked
            .into_iter()
            .map(|asked| {
                asked.join().unwrap_or_else(|_| {
                    Err(Failure::usage("internal error: query thread panicked; please report this"))
                })
            })
            .collect()
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
                    say(format_args!("warning: cluster {name} is left out: {failure}"));
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

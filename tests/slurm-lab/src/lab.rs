//! A lab from up to down.

use std::fmt::Write;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use crate::clock::{self, Environment};
use crate::cluster::ClusterHandle;
use crate::command::LabEnvironment;
use crate::configuration::{self, PortPlan};
use crate::daemons;
use crate::database;
use crate::folder::Folder;
use crate::guard::Guard;
use crate::leftovers;
use crate::ports::Ports;
use crate::process::Processes;
use crate::settings::LabSettings;
use crate::users;

/// Who ends a lab.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ends {
    /// The lab itself, when it is dropped.
    WhenDropped,
    /// A person, with the command `down`.
    ByHand,
}

/// A running lab; it ends when dropped.
#[derive(Debug)]
pub struct Lab {
    folder: Folder,
    settings: LabSettings,
    plan: PortPlan,
    environment: LabEnvironment,
    processes: Processes,
    ends: Ends,
    guard: Option<Guard>,
    /// Held, not read: keeps other labs from these ports. Not there in a lab somebody else has brought up.
    _ports: Option<Ports>,
}

/// What another process must know of a lab to use it.
#[derive(Debug, Serialize, Deserialize)]
struct Description {
    settings: LabSettings,
    plan: PortPlan,
    environment: Environment,
}

impl Lab {
    /// Brings a lab up in a new folder, and waits until all its nodes are idle.
    pub fn up(settings: LabSettings) -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("ql").tempdir_in("/tmp")?.keep();
        Self::start(&folder, settings)
    }

    /// Brings a lab up in this folder, which must be new.
    pub fn up_in(folder: &Path, settings: LabSettings) -> Result<Self> {
        fs::create_dir(folder).with_context(|| format!("making {}; is a lab up already?", folder.display()))?;
        Self::start(folder, settings)
    }

    /// Leaves the lab running when this process ends, until somebody calls [`Lab::running_in`] and [`Lab::down`].
    pub fn leave_running(mut self) -> Result<()> {
        self.ends = Ends::ByHand;
        self.guard.take().map_or(Ok(()), Guard::stand_down)
    }

    /// A lab that somebody has left running.
    pub fn running_in(folder: &Path) -> Result<Self> {
        let folder = Folder::at(folder);
        let description = folder.configuration("lab.json");
        let text = fs::read(&description).with_context(|| format!("no lab is up in {}", folder.root().display()))?;
        let Description { settings, plan, environment } = serde_json::from_slice(&text)?;
        let processes = Processes::recorded(&folder)?;
        let environment = LabEnvironment::of(environment);
        Ok(Self { folder, settings, plan, environment, processes, ends: Ends::ByHand, guard: None, _ports: None })
    }

    fn start(root: &Path, settings: LabSettings) -> Result<Self> {
        let folder = Folder::at(root);
        let ports = Ports::free(PortPlan::size(&settings))?;
        let plan = PortPlan::from(ports.first(), &settings);
        // From here on everything is undone by the lab's `drop`, or by the guard if there is no time for that.
        let mut lab = Self {
            guard: Some(Guard::set(&folder)?),
            processes: Processes::of(&folder),
            environment: LabEnvironment::of(Vec::new()),
            folder,
            settings,
            plan,
            ends: Ends::WhenDropped,
            _ports: Some(ports),
        };
        lab.bring_up()
            .with_context(|| format!("bringing a lab up; last words of its daemons:\n{}", lab.last_words()))?;
        Ok(lab)
    }

    fn bring_up(&mut self) -> Result<()> {
        let id = Command::new("id").arg("-u").output()?;
        ensure!(id.stdout == b"0\n", "a lab needs root: Slurm's daemons take the rights of the jobs' users");
        self.folder.make()?;
        users::write(&self.folder, self.settings.users)?;
        configuration::write(&self.folder, &self.settings, &self.plan)?;
        daemons::write_keys(&self.folder)?;
        let environment = clock::start(&self.folder, &mut self.processes, self.settings.speed)?;
        self.environment = LabEnvironment::of(environment);
        self.describe()?;
        daemons::start_munge(&self.folder, &mut self.processes)?;
        database::start(&self.folder, &mut self.processes, self.plan.database)?;
        self.begin_accounting_daemon()?;
        self.add_accounts()?;
        let clusters = self.settings.clusters.clone();
        for cluster in &clusters {
            self.begin_controller(&cluster.name)?;
        }
        for (cluster, ports) in clusters.iter().zip(self.plan.clusters.clone()) {
            self.controller_answers(&cluster.name)?;
            for node in 1..=cluster.nodes {
                self.begin_node(&cluster.name, &format!("{}{node}", cluster.name))?;
            }
            self.begin_rest(&cluster.name, ports.rest)?;
        }
        clusters.iter().try_for_each(|cluster| self.nodes_answer(cluster))
    }

    /// The ends of all logs, for a lab that does not come up and takes them along.
    fn last_words(&self) -> String {
        let logs = fs::read_dir(self.folder.log("")).into_iter().flatten().flatten();
        let mut words = String::new();
        for log in logs {
            let text = String::from_utf8_lossy(&fs::read(log.path()).unwrap_or_default()).into_owned();
            for line in text.lines().rev().take(5) {
                writeln!(words, "{}: {line}", log.file_name().display()).expect("a string takes all that is written");
            }
        }
        words
    }

    fn describe(&self) -> Result<()> {
        let description = Description {
            settings: self.settings.clone(),
            plan: self.plan.clone(),
            environment: self.environment.variables().to_vec(),
        };
        Ok(fs::write(self.folder.configuration("lab.json"), serde_json::to_vec_pretty(&description)?)?)
    }

    /// Ends everything the lab has started, and removes its folder.
    pub fn down(mut self) -> Result<()> {
        self.ends = Ends::ByHand;
        self.take_down()
    }

    /// Nothing of a lab is kept, so nothing need end in order, but for the nodes before the jobs' processes: a slurmd
    /// could start another.
    fn take_down(&mut self) -> Result<()> {
        self.processes.end_all()?;
        leftovers::end(self.folder.root())?;
        clock::remove(&self.folder);
        match fs::remove_dir_all(self.folder.root()) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
            _ => {}
        }
        if let Some(guard) = self.guard.take() {
            guard.dismiss();
        }
        Ok(())
    }

    /// A cluster by its name.
    pub fn cluster<'lab>(&'lab self, name: &str) -> ClusterHandle<'lab> {
        let found = self.settings.clusters.iter().find(|cluster| cluster.name == name);
        ClusterHandle::new(self, &found.unwrap_or_else(|| panic!("the lab has no cluster {name}")).name)
    }

    /// The first cluster.
    pub fn first_cluster(&self) -> ClusterHandle<'_> {
        ClusterHandle::new(self, &self.settings.clusters.first().expect("a lab has a cluster").name)
    }

    /// What it was made of.
    pub fn settings(&self) -> &LabSettings {
        &self.settings
    }

    /// Where it is.
    pub fn root(&self) -> PathBuf {
        self.folder.root().to_owned()
    }

    /// The lab's time, in seconds since 1970.
    pub fn now_seconds(&self) -> Result<i64> {
        clock::now_seconds(&mut self.environment.command(Path::new("date")))
    }

    /// The database's client, for what no command of Slurm shows.
    pub fn database_client(&self) -> Command {
        database::client(&self.folder)
    }

    /// The daemons by name and number, and whether each is alive.
    pub fn daemons(&self) -> impl Iterator<Item = (&str, u32, bool)> {
        self.processes.all().iter().map(|process| (process.name(), process.number(), process.is_alive()))
    }

    pub(crate) fn folder(&self) -> &Folder {
        &self.folder
    }

    pub(crate) fn ports(&self) -> &PortPlan {
        &self.plan
    }

    pub(crate) fn environment(&self) -> &LabEnvironment {
        &self.environment
    }

    pub(crate) fn processes_mut(&mut self) -> &mut Processes {
        &mut self.processes
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        if self.ends == Ends::WhenDropped
            && let Err(error) = self.take_down()
        {
            eprintln!("the lab in {} did not end cleanly: {error:#}", self.folder.root().display());
        }
    }
}

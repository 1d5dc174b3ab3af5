//! What the program is told.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail};

const USAGE: &str = "soak --qcast PROGRAM --log FILE --to FOLDER [--minutes 360] [--speed 60] [--seed 1]";

/// A soak to be made.
#[derive(Clone, Debug)]
pub struct Arguments {
    /// `qcast`, where every user may run it.
    pub qcast: PathBuf,
    /// The log that the jobs come from.
    pub log: PathBuf,
    /// Where everything is kept.
    pub to: PathBuf,
    /// For how long, in real time.
    pub lasts: Duration,
    /// Lab seconds in a real second.
    pub speed: u32,
    /// Of jobs, faults and questions.
    pub seed: u64,
}

impl Arguments {
    /// Reads them.
    pub fn parse(words: &[String]) -> Result<Self> {
        let mut arguments = Self {
            qcast: PathBuf::new(),
            log: PathBuf::new(),
            to: PathBuf::new(),
            lasts: Duration::from_hours(6),
            speed: 60,
            seed: 1,
        };
        for pair in words.chunks(2) {
            let [name, value] = pair else { bail!("{} needs a value\n{USAGE}", pair[0]) };
            let read = || format!("{name} {value}");
            match name.as_str() {
                "--qcast" => arguments.qcast = value.into(),
                "--log" => arguments.log = value.into(),
                "--to" => arguments.to = value.into(),
                "--minutes" => arguments.lasts = Duration::from_mins(value.parse().with_context(read)?),
                "--speed" => arguments.speed = value.parse().with_context(read)?,
                "--seed" => arguments.seed = value.parse().with_context(read)?,
                _ => bail!("{name} is not known\n{USAGE}"),
            }
        }
        for (name, path) in [("--qcast", &arguments.qcast), ("--log", &arguments.log), ("--to", &arguments.to)] {
            if path.as_os_str().is_empty() {
                bail!("{name} is needed\n{USAGE}");
            }
        }
        Ok(arguments)
    }
}

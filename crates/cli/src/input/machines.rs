//! The sizes of the machines of several logs, where their headers do not say or say it wrongly.
//!
//! For: subcommands that take several logs. Every size is said of one log: a size that was meant for one and changed all
//! of them would not be noticed in the result.
//!
//! Not for: a single log ([`super::source::MachineArgs`]).

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use clap::Args;

use super::source::{MachineArgs, MachineUsed, TraceSource};
use crate::failure::Failure;

/// The option `--processors` for several logs.
#[derive(Clone, Debug, Args)]
pub struct MachinesArgs {
    /// Number of processors of each log's machine [default: from the catalogue, or from `MaxProcs` in the log's header].
    ///
    /// Either LOG=COUNT, where LOG is the beginning of the file name, such as KTH=100,CTC=512; or one count for each log, in order.
    #[arg(long, value_name = "[LOG=]COUNT", value_delimiter = ',')]
    pub processors: Vec<LogSize>,
}

/// How large the machine of a log is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogSize {
    /// How the name of the log's file begins; none for the log of the same place.
    log: Option<String>,
    processors: u32,
}

impl FromStr for LogSize {
    type Err = String;

    /// The last `=` divides: a file's name may have one.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (log, count) = match text.rsplit_once('=') {
            Some((log, count)) if !log.is_empty() => (Some(log.to_owned()), count),
            Some(_) => return Err("expected the name of a log before `=`".to_owned()),
            None => (None, text),
        };
        let processors = count.parse().ok().filter(|processors| *processors > 0);
        let processors = processors.ok_or("expected COUNT or LOG=COUNT with a count above 0, such as KTH=100")?;
        Ok(Self { log, processors })
    }
}

impl fmt::Display for LogSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.log {
            Some(log) => write!(f, "{log}={}", self.processors),
            None => self.processors.fmt(f),
        }
    }
}

impl MachinesArgs {
    /// The machine to replay each log on, which must be known.
    pub fn for_replay(&self, sources: &[TraceSource]) -> Result<Vec<MachineUsed>, Failure> {
        let names: Vec<&str> = sources.iter().map(|source| file_name(source.name())).collect();
        let sizes = sizes_by_log(&self.processors, &names)?;
        let machines = sources.iter().zip(sizes);
        machines.map(|(source, processors)| MachineArgs { processors }.machine_for_replay(source)).collect()
    }
}

fn file_name(path: &str) -> &str {
    Path::new(path).file_name().and_then(|name| name.to_str()).unwrap_or(path)
}

/// What was said of each log, which are known by the names of their files.
fn sizes_by_log(given: &[LogSize], names: &[&str]) -> Result<Vec<Option<u32>>, Failure> {
    let plain = given.iter().filter(|size| size.log.is_none()).count();
    if plain == names.len() && plain == given.len() {
        return Ok(given.iter().map(|size| Some(size.processors)).collect());
    }
    let mut sizes = vec![None; names.len()];
    for size in given {
        let Some(log) = &size.log else {
            return Err(Failure::usage(format_args!(
                "--processors {size}: expected one count for each of the {} logs, or LOG=COUNT",
                names.len()
            ))
            .with_hint(format!(
                "name the log: --processors {}={size}",
                beginning(names.first().copied().unwrap_or("LOG"))
            )));
        };
        let mut meant = (0..names.len()).filter(|&place| names[place].starts_with(log.as_str()));
        let (Some(place), None) = (meant.next(), meant.next()) else {
            return Err(Failure::usage(format_args!(
                "--processors {size}: {log} must be the beginning of exactly one log's file name"
            ))
            .with_hint(format!("the logs are {}", names.join(", "))));
        };
        if sizes[place].replace(size.processors).is_some() {
            return Err(Failure::usage(format_args!(
                "--processors {size}: the size of {} is given twice",
                names[place]
            )));
        }
    }
    Ok(sizes)
}

/// What people call a log: its name up to the first full stop.
fn beginning(name: &str) -> &str {
    name.split('.').next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 2] = ["KTH-SP2-1996-2.swf.gz", "CTC-SP2-1996-3.1-cln.swf.gz"];

    fn sizes(words: &[&str], names: &[&str]) -> Result<Vec<Option<u32>>, String> {
        let given: Vec<LogSize> = words.iter().map(|word| word.parse()).collect::<Result<_, _>>()?;
        sizes_by_log(&given, names).map_err(|failure| failure.told())
    }

    #[test]
    fn a_size_is_of_the_log_whose_name_begins_so() {
        assert_eq!(sizes(&["CTC=512"], &NAMES), Ok(vec![None, Some(512)]));
        assert_eq!(sizes(&["CTC=512", "KTH-SP2=100"], &NAMES), Ok(vec![Some(100), Some(512)]));
        assert_eq!(sizes(&[], &NAMES), Ok(vec![None, None]));
    }

    #[test]
    fn counts_alone_are_for_every_log_or_for_the_only_one() {
        assert_eq!(sizes(&["512"], &NAMES[..1]), Ok(vec![Some(512)]));
        assert_eq!(sizes(&["100", "512"], &NAMES), Ok(vec![Some(100), Some(512)]));
        assert!(sizes(&["512"], &NAMES).unwrap_err().contains("one count for each of the 2 logs"));
        assert!(sizes(&["512", "KTH=100"], &NAMES).is_err());
        assert!(sizes(&["1", "2", "3"], &NAMES).is_err());
    }

    #[test]
    fn a_name_that_means_no_log_or_two_is_refused() {
        assert!(sizes(&["SDSC=128"], &NAMES).unwrap_err().contains("SDSC must be the beginning of exactly one"));
        assert!(sizes(&["KTH=1"], &["KTH-a.swf", "KTH-b.swf"]).is_err());
        assert!(sizes(&["KTH=1", "KTH-SP2=2"], &NAMES).unwrap_err().contains("is given twice"));
    }

    #[test]
    fn a_size_is_a_count_above_zero_and_is_written_as_it_is_read() {
        for wrong in ["0", "KTH=", "=5", "KTH", "KTH=0", "-1"] {
            assert!(wrong.parse::<LogSize>().is_err(), "{wrong}");
        }
        for right in ["512", "KTH=100", "a=b.swf=7"] {
            assert_eq!(right.parse::<LogSize>().map(|size| size.to_string()), Ok(right.to_owned()));
        }
    }
}

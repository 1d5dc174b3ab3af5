//! Which jobs of the queue are meant, in squeue's words.
//!
//! For: the selectors of `qcast queue` and `qcast top`: several kinds all have to fit, of one kind any.
//!
//! Not for: asking for them (`gather`); hypothetical jobs (`ask::subject`).
//!
//! Source: squeue(1), options -A, -j, -n, -p, -q, -u and --me.

use clap::Args;
use queuecast_api::forecast::ForecastResponse;
use queuecast_records::WrittenJobId;

use crate::ask::inert::inert;
use crate::failure::Failure;

/// squeue's selectors; each takes a list with commas.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Job selection, as for squeue")]
pub struct SelectionArgs {
    /// Your own jobs; the daemon identifies you by your user ID or your Slurm token.
    #[arg(long)]
    me: bool,
    /// Jobs of these users.
    #[arg(short = 'u', long = "user", value_name = "USERS", value_delimiter = ',', conflicts_with = "me")]
    users: Vec<String>,
    /// Jobs of these accounts.
    #[arg(short = 'A', long = "account", value_name = "ACCOUNTS", value_delimiter = ',')]
    accounts: Vec<String>,
    /// Jobs that may run in one of these partitions.
    #[arg(short = 'p', long = "partition", value_name = "PARTITIONS", value_delimiter = ',')]
    partitions: Vec<String>,
    /// Jobs with these qualities of service (QOS).
    #[arg(short = 'q', long = "qos", value_name = "QOS", value_delimiter = ',')]
    qos: Vec<String>,
    /// Jobs with these names.
    #[arg(short = 'n', long = "name", value_name = "NAMES", value_delimiter = ',')]
    names: Vec<String>,
    /// Jobs with these IDs, as Slurm writes them (1234, `123_4`, 123+0); the ID of an array means its pending tasks.
    #[arg(short = 'j', long = "jobs", value_name = "JOBS", value_delimiter = ',')]
    jobs: Vec<String>,
}

/// The same, understood.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// The asker's own alone.
    pub me: bool,
    /// Of these users, or of all.
    pub users: Vec<String>,
    accounts: Vec<String>,
    /// In one of these partitions, or in any.
    pub partitions: Vec<String>,
    qos: Vec<String>,
    names: Vec<String>,
    /// These jobs, or all.
    pub jobs: Vec<String>,
}

impl SelectionArgs {
    /// What is meant.
    pub fn read(&self) -> Result<Selection, Failure> {
        for job in &self.jobs {
            if WrittenJobId::parse(job.as_bytes()).is_none_or(|id| id.is_step) {
                return Err(Failure::usage(format_args!("-j {}: not a job ID", inert(job)))
                    .with_hint("write 1234, 123_4 or 123+0; separate several job IDs with commas"));
            }
        }
        Ok(Selection {
            me: self.me,
            users: self.users.clone(),
            accounts: self.accounts.clone(),
            partitions: self.partitions.clone(),
            qos: self.qos.clone(),
            names: self.names.clone(),
            jobs: self.jobs.clone(),
        })
    }
}

impl Selection {
    /// Whether a job is meant, if its number is.
    pub fn takes(&self, answer: &ForecastResponse) -> bool {
        let job = &answer.job;
        let is_one = |wanted: &[String], has: &Option<String>| {
            wanted.is_empty() || has.as_ref().is_some_and(|has| wanted.contains(has))
        };
        (!self.me || job.own)
            && is_one(&self.users, &job.user)
            && is_one(&self.accounts, &job.account)
            && is_one(&self.qos, &job.qos)
            && is_one(&self.names, &job.name)
            && (self.partitions.is_empty() || job.partitions.iter().any(|has| self.partitions.contains(has)))
    }

    /// The same jobs, the asker's own alone.
    #[must_use]
    pub fn own(&self) -> Self {
        Self { me: true, ..self.clone() }
    }

    /// In squeue's words, for a person to see what is left out; empty if nothing is.
    pub fn told(&self) -> String {
        let kinds = [
            ("-u", &self.users),
            ("-A", &self.accounts),
            ("-p", &self.partitions),
            ("-q", &self.qos),
            ("-n", &self.names),
            ("-j", &self.jobs),
        ];
        let told = kinds.iter().filter(|(_, wanted)| !wanted.is_empty());
        let told = told.map(|(option, wanted)| format!("{option} {}", inert(&wanted.join(","))));
        self.me.then(|| "--me".to_owned()).into_iter().chain(told).collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queue::sample;

    #[test]
    fn several_kinds_all_have_to_fit_and_of_one_kind_any() {
        let list = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<String>>();
        let job = sample::waiting(7);
        let all = Selection::default();
        assert!(all.takes(&job));
        let fits = Selection { users: list(&["bob", "alice"]), accounts: list(&["physics"]), ..all.clone() };
        assert!(fits.takes(&job));
        for other in [
            Selection { users: list(&["bob"]), ..all.clone() },
            Selection { accounts: list(&["chemistry"]), ..fits.clone() },
            Selection { partitions: list(&["gpu"]), ..fits.clone() },
            Selection { qos: list(&["high"]), ..fits.clone() },
            Selection { names: list(&["x"]), ..fits.clone() },
        ] {
            assert!(!other.takes(&job), "{}", other.told());
        }
        assert_eq!(fits.told(), "-u bob,alice -A physics");
        let mut own = job.clone();
        own.job.own = true;
        assert!(fits.own().takes(&own) && !fits.own().takes(&job), "by what the daemon says, not by a name");
        assert_eq!(all.own().told(), "--me");
    }
}

//! `qcast serve`: watch a cluster, forecast its queue, and answer whoever asks.
//!
//! For: turning the command line, and what `config` reads from files and variables, into the daemon's [`Settings`].
//!
//! Not for: the daemon itself (`queuecast-daemon`).

mod listening;
mod log;
mod notices;
mod privacy;
mod reload;

use std::path::PathBuf;

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches};
use jiff::tz::TimeZone;
use queuecast_daemon::Settings;
use queuecast_daemon::api::{ApiSettings, Listen};
use queuecast_daemon::clock::Clock;
use queuecast_daemon::store::CatchUpSettings;
use queuecast_daemon::watch::{SourceChoice, WatchSettings};
use queuecast_records::source::AnswerLimits;
use queuecast_site::forecasting::ForecastingSettings;
use queuecast_slurm::source::Rest;
use queuecast_workload::Seconds;

use self::listening::ListeningArgs;
use self::log::LogArgs;
use self::notices::NoticeArgs;
use self::privacy::PrivacyArgs;
use crate::config::keys::{Key, Keys};
use crate::config::layers::Configuration;
use crate::failure::{Failure, OnSide};

/// What is given of the options on the command line. The others are in files and variables.
#[derive(Clone, Debug, Default)]
pub struct ServeArgs {
    config: Option<PathBuf>,
    given: Vec<(String, Vec<String>)>,
}

impl Args for ServeArgs {
    fn augment_args(command: Command) -> Command {
        let config = Arg::new(CONFIG).long(CONFIG).value_name("FILE").value_parser(clap::value_parser!(PathBuf));
        let config = config.help(CONFIG_HELP).long_help(format!("{CONFIG_HELP}.\n\n{CONFIG_ORDER}"));
        let command = command.arg(config);
        ServeOptions::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for ServeArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut arguments = Self::default();
        arguments.update_from_arg_matches(matches)?;
        Ok(arguments)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.config = matches.get_one::<PathBuf>(CONFIG).cloned();
        let is_given = |key: &&Key| matches.value_source(&key.id) == Some(ValueSource::CommandLine);
        let keys = Keys::of_serve();
        let given = keys.iter().filter(is_given).map(|key| {
            let values = matches.get_raw(&key.id).into_iter().flatten();
            let values = values.map(|value| value.to_string_lossy().into_owned()).collect();
            (key.name.clone(), if key.is_switch { vec![true.to_string()] } else { values })
        });
        self.given = given.collect();
        Ok(())
    }
}

impl ServeArgs {
    /// All that counts, and where it comes from.
    pub fn configuration(&self) -> Result<Configuration, Failure> {
        Configuration::read(self.config.as_deref(), &self.given, |name| std::env::var(name).ok())
    }
}

const CONFIG: &str = "config";

const CONFIG_HELP: &str = "Configuration file, whose keys are the options below, such as queue-interval = 30 [default: \
     QCAST_CONFIG, or /etc/queuecast/queuecast.toml if that file exists]";

const CONFIG_ORDER: &str = "Files in FILE.d override FILE, environment variables such as QCAST_QUEUE_INTERVAL override all \
     files, and options on the command line override everything else.";

/// The options of `qcast serve`, wherever they are given.
#[derive(Debug, Args)]
pub struct ServeOptions {
    /// Path of the store, an `SQLite` database of jobs and forecasts.
    #[arg(long, value_name = "FILE", default_value = "/var/lib/queuecast/store.sqlite")]
    pub store: PathBuf,
    /// Accounting export (`sacct -P`) to import before the start; repeatable.
    ///
    /// Jobs that are already in the store are not imported again.
    #[arg(long = "import", value_name = "FILE")]
    imports: Vec<PathBuf>,
    /// Path of the Unix socket of the HTTP API.
    #[arg(long, value_name = "PATH", default_value = "/run/queuecast/api.sock")]
    socket: PathBuf,
    /// Mode of the socket, in octal; every user with write permission can query the daemon.
    #[arg(long, value_name = "MODE", default_value = "666", value_parser = octal)]
    socket_mode: u32,
    #[command(flatten)]
    listening: ListeningArgs,
    #[command(flatten)]
    source: SourceArgs,
    /// Name of the cluster, if Slurm reports no name or several.
    #[arg(long, value_name = "NAME")]
    cluster: Option<String>,
    /// Queue polling interval in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=3600))]
    queue_interval: u32,
    /// Node polling interval in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=3600))]
    nodes_interval: u32,
    /// Accounting polling interval in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=3600))]
    accounting_interval: u32,
    /// Days of accounting history to read at the first start.
    #[arg(long, value_name = "DAYS", default_value_t = 90, value_parser = clap::value_parser!(u32).range(0..=3650))]
    history_days: u32,
    /// Days for which ended jobs and their forecasts are stored.
    #[arg(long, value_name = "DAYS", default_value_t = 400, value_parser = clap::value_parser!(u32).range(30..=3650))]
    keep_days: u32,
    /// Maximum size of the store in mebibytes; the oldest jobs are deleted before the store is full.
    #[arg(long, value_name = "MIB", default_value_t = 20_480, value_parser = clap::value_parser!(u32).range(64..))]
    store_limit: u32,
    #[command(flatten)]
    privacy: PrivacyArgs,
    #[command(flatten)]
    notices: NoticeArgs,
    #[command(flatten)]
    log: LogArgs,
    /// Forecast horizon in days; starts that may be later are not forecast.
    #[arg(long, value_name = "DAYS", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=3650))]
    horizon_days: u32,
    /// Clock of a test cluster that runs faster than real time.
    #[arg(long, value_name = "REAL:SHOWN:SPEED", value_parser = clock, hide = true)]
    clock: Option<Clock>,
}

/// How Slurm is asked.
#[derive(Debug, Args)]
struct SourceArgs {
    /// Unix socket of slurmrestd.
    #[arg(long, value_name = "PATH")]
    rest_socket: Option<PathBuf>,
    /// Address of slurmrestd: `https://HOST:PORT`, or HOST:PORT on this machine; needs --rest-token-file.
    ///
    /// The token is sent to another machine only over https.
    #[arg(long, value_name = "URL")]
    rest_address: Option<String>,
    /// File with the token for slurmrestd, readable only by the daemon.
    #[arg(long, value_name = "FILE")]
    rest_token_file: Option<PathBuf>,
    /// PEM file with the only certificate authorities to trust for slurmrestd [default: the system's authorities].
    #[arg(long, value_name = "FILE")]
    rest_ca_file: Option<PathBuf>,
    /// Slurm user of the token.
    #[arg(long, value_name = "USER", default_value = "slurm")]
    rest_user: String,
    /// Parse the text output of squeue, sinfo and sacct, for Slurm builds without JSON.
    #[arg(long)]
    text_commands: bool,
}

/// Watches until told to end.
pub fn run(arguments: &ServeArgs) -> Result<(), Failure> {
    let configuration = arguments.configuration()?;
    let options = configuration.options()?;
    let settings = options.settings()?;
    let level = options.log.begin()?;
    queuecast_daemon::run(settings, reload::reading_again(arguments.clone(), configuration, level)).writing()
}

impl ServeOptions {
    /// What the daemon is told.
    pub fn settings(&self) -> Result<Settings, Failure> {
        let days = |days: u32| Seconds(i64::from(days) * 86_400);
        let seconds = |seconds: u32| Seconds(i64::from(seconds));
        let watch = WatchSettings {
            cluster: self.cluster.clone(),
            queue_every: seconds(self.queue_interval),
            nodes_every: seconds(self.nodes_interval),
            accounting_every: seconds(self.accounting_interval),
            catch_up: CatchUpSettings { history: days(self.history_days), ..CatchUpSettings::default() },
            zone: TimeZone::system(),
            keep: days(self.keep_days),
            store_bytes: Some(u64::from(self.store_limit) << 20),
            forecasting: ForecastingSettings { horizon: days(self.horizon_days), ..ForecastingSettings::default() },
            ..WatchSettings::default()
        };
        let api = ApiSettings {
            socket_mode: self.socket_mode,
            horizon: days(self.horizon_days),
            advisers_playing_again: half_of_the_cores(),
            notices: self.notices.settings()?,
            ..self.listening.settings(self.privacy.settings()?)?
        };
        Ok(Settings {
            store: self.store.clone(),
            imports: self.imports.clone(),
            listen: [Listen::Unix(self.socket.clone())]
                .into_iter()
                .chain(self.listening.listen.map(Listen::Tcp))
                .collect(),
            api,
            source: self.source.choice()?,
            limits: AnswerLimits::default(),
            watch,
            clock: self.clock.unwrap_or(Clock::SYSTEM),
        })
    }
}

impl SourceArgs {
    fn choice(&self) -> Result<SourceChoice, Failure> {
        if self.rest_ca_file.is_some() && self.rest_address.is_none() {
            return Err(Failure::usage("--rest-ca-file requires --rest-address"));
        }
        match (&self.rest_socket, &self.rest_address, &self.rest_token_file) {
            (Some(_), ..) | (_, Some(_), _) if self.text_commands => {
                Err(Failure::usage("--text-commands conflicts with --rest-socket and --rest-address"))
            }
            (Some(socket), None, None) => Ok(SourceChoice::RestSocket(socket.clone())),
            (None, Some(address), Some(token_file)) => {
                Rest::address(address).map_err(|error| Failure::usage(format_args!("--rest-address: {error}")))?;
                Ok(SourceChoice::RestAddress {
                    address: address.clone(),
                    user: self.rest_user.clone(),
                    token_file: token_file.clone(),
                    authorities: self.rest_ca_file.clone(),
                })
            }
            (None, None, None) if self.text_commands => Ok(SourceChoice::TextCommands),
            (None, None, None) => Ok(SourceChoice::Commands),
            _ => Err(Failure::usage("invalid combination of --rest-socket, --rest-address and --rest-token-file")
                .with_hint("use either --rest-socket, or --rest-address with --rest-token-file")),
        }
    }
}

/// Long questions have half of the cores: short ones, and the forecast of everybody, have the other half.
fn half_of_the_cores() -> usize {
    std::thread::available_parallelism().map_or(1, |cores| (cores.get() / 2).clamp(1, 4))
}

/// `REAL:SHOWN:SPEED`: at the real time REAL the cluster's clock showed SHOWN, and it runs SPEED times as fast.
fn clock(text: &str) -> Result<Clock, String> {
    let numbers: Result<Vec<f64>, _> = text.split(':').map(str::parse).collect();
    match numbers.as_deref() {
        Ok([real, shown, speed]) if *speed > 0.0 => Ok(Clock::fast(*real, *shown, *speed)),
        _ => Err("expected three numbers, REAL:SHOWN:SPEED".to_owned()),
    }
}

fn octal(text: &str) -> Result<u32, String> {
    let mode = u32::from_str_radix(text, 8).ok().filter(|mode| *mode <= 0o777);
    mode.ok_or_else(|| "expected a mode in octal, such as 660".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;
    use queuecast_daemon::api::OthersJobs;

    #[derive(Debug, Parser)]
    struct Cli {
        #[command(flatten)]
        options: ServeOptions,
    }

    fn settings(arguments: &[&str]) -> Result<Settings, String> {
        let parsed = Cli::try_parse_from([&["serve"], arguments].concat()).map_err(|error| error.to_string())?;
        parsed.options.settings().map_err(|failure| format!("{failure:?}"))
    }

    #[test]
    fn without_a_word_it_asks_slurms_commands_and_answers_on_a_socket() {
        let settings = settings(&[]).expect("nothing is required");
        assert_eq!(settings.source, SourceChoice::Commands);
        assert_eq!(settings.listen, [Listen::Unix(PathBuf::from("/run/queuecast/api.sock"))]);
        let watch = &settings.watch;
        assert_eq!([watch.queue_every, watch.nodes_every, watch.accounting_every], [30, 60, 60].map(Seconds));
        assert_eq!(watch.catch_up.history, Seconds(90 * 86_400));
        assert_eq!(settings.clock, Clock::SYSTEM);
    }

    #[test]
    fn nobody_is_trusted_and_no_jobs_of_others_are_shown_unless_it_is_said() {
        let api = settings(&[]).expect("nothing is required").api;
        let expected =
            ApiSettings { horizon: api.horizon, advisers_playing_again: half_of_the_cores(), ..ApiSettings::default() };
        assert_eq!(api, expected);
        let said =
            ["--others-jobs", "as-slurm", "--trusted-proxy-uid", "33", "--trusted-proxy-uid", "34", "--admin-uid", "7"];
        assert!(settings(&said).is_err(), "no header has a meaning by itself");
        let api = settings(&[&said[..], &["--proxy-header", "X-Auth-User"]].concat()).expect("well said").api;
        assert_eq!(
            (api.others_jobs, api.trusted_proxy_users, api.administrators),
            (OthersJobs::AsSlurm, vec![33, 34], vec![7])
        );
        assert_eq!(api.proxy_header.expect("a header").as_str(), "x-auth-user");
    }

    #[test]
    fn ways_to_ask_slurm_exclude_each_other() {
        let source = |arguments: &[&str]| settings(arguments).map(|settings| settings.source);
        let address = ["--rest-address", "localhost:6820", "--rest-token-file", "/etc/token"];
        assert!(matches!(source(&address), Ok(SourceChoice::RestAddress { .. })));
        let encrypted = ["--rest-address", "https://slurm.example.org:6820", "--rest-token-file", "/etc/token"];
        assert!(matches!(source(&encrypted), Ok(SourceChoice::RestAddress { .. })));
        assert!(matches!(source(&["--text-commands"]), Ok(SourceChoice::TextCommands)));
        for wrong in [
            vec!["--rest-address", "localhost:6820"],
            vec!["--rest-token-file", "/etc/token"],
            vec!["--rest-socket", "/a", "--text-commands"],
            [address.as_slice(), &["--rest-socket", "/a"]].concat(),
            vec!["--tls-by-proxy"],
            vec!["--host-name", "queue.example.org"],
            vec!["--listen", "127.0.0.1:1", "--tls-certificate", "/etc/cert.pem"],
            vec!["--listen", "127.0.0.1:1", "--tls-certificate", "/no/such/cert", "--tls-key", "/no/such/key"],
            vec!["--rest-address", "slurm.example.org:6820", "--rest-token-file", "/etc/token"],
            vec!["--rest-address", "http://192.0.2.7:6820", "--rest-token-file", "/etc/token"],
            vec!["--notification-host", "hooks.example.org/path"],
            vec!["--notification-mail", "everybody@example.org"],
            vec!["--notification-mail", "{user}@example.org", "--notification-mail-server", "example.org"],
            vec!["--notification-mail", "{user}@example.org", "--notification-mail-server-file", "/no/such/file"],
            vec!["--notification-command", "tell"],
            vec!["--socket-mode", "9"],
            vec!["--queue-interval", "0"],
            vec!["--clock", "1:2"],
            vec!["--others-jobs", "shown"],
            vec!["--jwt-key", "/no/such/key"],
            vec!["--proxy-header", "x-user"],
            vec!["--proxy-header", "x user", "--trusted-proxy-uid", "33"],
            vec!["--proxy-header", "Authorization", "--trusted-proxy-uid", "33"],
            vec!["--trusted-proxy", "127.0.0.1", "--listen", "127.0.0.1:1"],
            vec!["--trusted-proxy-uid", "33"],
            vec!["--proxy-header", "x-user", "--proxy-secret-file", "/no/such/secret"],
        ] {
            assert!(settings(&wrong).is_err(), "{wrong:?}");
        }
    }
}

//! `qcast generate estimates`: the log again with other limits. Only what is dealt by sessions keeps anything a job in
//! memory; see `docs/guides/made-up-workloads.md`.

mod distinct;
mod model;
mod over_long;
mod passes;

use clap::{Args, ValueEnum};
use queuecast_workload::generate::estimates::{
    Deal, EstimateDistribution, EstimateOptions, EstimateShare, EstimateStock, Predecessor, Repetition, TimeTally,
    UserHistories, UsersJob, assign_in_sessions, by_accuracy, by_factor, doubled,
};
use queuecast_workload::swf::SwfRecord;
use queuecast_workload::{Seconds, Time, UserId};
use rand::SeedableRng;
use rand_pcg::Pcg64;

use self::distinct::Distinct;
use self::model::{EstimateModel, parse_share};
use self::over_long::{OverLong, OverLongCounts};
use self::passes::Passes;
use crate::failure::{Cause, Failure, say};
use crate::input::nothing_left;
use crate::input::source::SourceArgs;
use crate::output::grouped;
use crate::trace::sink::SinkArgs;

/// The arguments of `qcast generate estimates`.
#[derive(Debug, Args)]
pub struct EstimatesArgs {
    #[command(flatten)]
    source: SourceArgs,
    /// The longest limit the site allows; needed for the models tsafrir and phi.
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(i64).range(60..=Seconds::MAX.0))]
    maximum: Option<i64>,
    /// What becomes of jobs that ran longer than --maximum [default: cut: a job that reaches its limit is killed, and no limit
    /// is above the maximum].
    #[arg(long, value_enum)]
    over_long: Option<OverLong>,
    /// How: tsafrir, as users choose them; shuffled, the log's own dealt out anew; doubled, the log's own twice as
    /// long; exact; f:FACTOR, uniform up to that much more than the run time; phi:SHARE, that share exact and for the
    /// others the run time a uniform part of the limit.
    #[arg(long, default_value = "tsafrir")]
    model: EstimateModel,
    /// A limit whose share of the jobs is known, as SECONDS=PERCENT; may be given up to twenty times.
    #[arg(long = "supply", value_name = "SECONDS=PERCENT", value_parser = parse_share)]
    supplied: Vec<EstimateShare>,
    /// How many different limits there are, for the model tsafrir: lines, straight between seven points by the number of
    /// jobs; power-law, 1.1 times the root of it; or a number [default: lines].
    #[arg(long, value_name = "HOW")]
    distinct: Option<Distinct>,
    /// Who gets which, for the models tsafrir and shuffled.
    #[arg(long, value_enum, default_value_t)]
    assign: Assignment,
    /// The log that shows how often users repeat their limit, for --assign sessions [default: the log itself].
    #[arg(long, value_name = "FILE")]
    repetition_from: Option<std::path::PathBuf>,
    /// Decides every random number.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    sink: SinkArgs,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Assignment {
    /// Any job any limit that is not below its run time.
    #[default]
    Shuffle,
    /// The same, but users repeat their limit from job to job as often as in a log.
    Sessions,
}

/// Runs the subcommand: the log again, line by line, with other limits for the jobs that ran.
pub fn run(arguments: &EstimatesArgs) -> Result<(), Failure> {
    arguments.check()?;
    let mut log = Passes::open(&arguments.source)?;
    let mut generator = Pcg64::seed_from_u64(arguments.seed);
    match (arguments.model, arguments.assign) {
        (model, Assignment::Shuffle) if model.is_dealt() => {
            let mut deal = arguments.deal(&mut log, &mut generator)?;
            arguments.rewrite(&mut log, |run, _| {
                let changed = || Failure::new(Cause::Input, anyhow::anyhow!("the log changed while it was read"));
                deal.fetch(run, &mut generator).ok_or_else(changed)
            })
        }
        (_, Assignment::Sessions) => {
            let mut estimates = arguments.deal_in_sessions(&mut log, &mut generator)?.into_iter();
            arguments.rewrite(&mut log, |_, _| {
                let changed = || Failure::new(Cause::Input, anyhow::anyhow!("the log changed while it was read"));
                estimates.next().ok_or_else(changed)
            })
        }
        (EstimateModel::Factor(factor), _) => {
            arguments.rewrite(&mut log, |run, _| Ok(by_factor(run, factor, &mut generator)))
        }
        (EstimateModel::Accuracy(exact_share), _) => {
            let maximum = arguments.maximum();
            arguments.rewrite(&mut log, |run, _| Ok(by_accuracy(run, exact_share, maximum, &mut generator)))
        }
        (EstimateModel::Doubled | EstimateModel::Tsafrir | EstimateModel::Shuffled, _) => {
            arguments.rewrite(&mut log, |run, limit| Ok(doubled(run, limit)))
        }
    }
}

impl EstimatesArgs {
    fn check(&self) -> Result<(), Failure> {
        let Self { model, assign, .. } = self;
        if model.needs_maximum() && self.maximum.is_none() {
            let hint = "it is the limit of the machine's longest queue";
            return Err(Failure::usage(format_args!("--model {model} needs --maximum")).with_hint(hint));
        }
        if *assign == Assignment::Sessions && !model.is_dealt() {
            return Err(Failure::usage(format_args!("--assign sessions has no meaning for --model {model}"))
                .with_hint("it is for the models tsafrir and shuffled"));
        }
        if self.distinct.is_some() && *model != EstimateModel::Tsafrir {
            return Err(Failure::usage(format_args!("--distinct has no meaning for --model {model}"))
                .with_hint("it is for the model tsafrir; the others do not count their limits"));
        }
        if self.over_long.is_some() && !model.needs_maximum() {
            return Err(Failure::usage(format_args!("--over-long has no meaning for --model {model}"))
                .with_hint("it is for the models tsafrir and phi, which know a longest limit"));
        }
        if self.repetition_from.is_some() && *assign != Assignment::Sessions {
            return Err(Failure::usage("--repetition-from has no meaning without --assign sessions"));
        }
        Ok(())
    }

    fn maximum(&self) -> Seconds {
        Seconds(self.maximum.unwrap_or(Seconds::MAX.0))
    }

    /// The job as it is given a limit: shorter where it ran too long, or nothing if it is left out for that.
    fn within_maximum(&self, record: SwfRecord) -> Option<SwfRecord> {
        match self.maximum.filter(|_| self.model.needs_maximum()) {
            Some(maximum) => self.over_long.unwrap_or_default().within(record, Seconds(maximum)),
            None => Some(record),
        }
    }

    /// Goes through the jobs that are to be given limits.
    fn survey(&self, log: &mut Passes<'_>, mut visit: impl FnMut(&SwfRecord, Seconds, Seconds)) -> Result<(), Failure> {
        log.pass(|record| {
            let record = self.within_maximum(record);
            if let Some((record, (run, limit))) = record.and_then(|record| Some((record, self.takes_part(&record)?))) {
                visit(&record, run, limit);
            }
            Ok(())
        })
    }

    /// The run time of a job that is to be given a limit, and the limit it has, not positive if it has none. Nothing
    /// for jobs that did not run and, where the model starts from limits, for those without.
    fn takes_part(&self, record: &SwfRecord) -> Option<(Seconds, Seconds)> {
        let (run, limit) = (Seconds(record.run_time), Seconds(record.requested_time));
        let has_limit = record.requested_time > 0;
        (record.run_time > 0 && (has_limit || !self.model.needs_limits())).then_some((run, limit))
    }

    /// Writes the log with the limits that `limit` gives to run times and the limits there were.
    fn rewrite(
        &self,
        log: &mut Passes<'_>,
        mut limit: impl FnMut(Seconds, Seconds) -> Result<Seconds, Failure>,
    ) -> Result<(), Failure> {
        let mut sink = self.sink.create()?;
        let mut header = log.header.clone();
        header.add_note(&self.note());
        sink.write_header(&header)?;
        let (mut given, mut without) = (0, 0);
        let mut over_long = OverLongCounts::default();
        log.pass(|record| {
            let within = self.within_maximum(record);
            over_long.add(&record, within.as_ref());
            let Some(mut record) = within else { return Ok(()) };
            let estimate = match self.takes_part(&record) {
                Some((run, old)) => limit(run, old)?.0,
                None => -1,
            };
            given += u64::from(estimate > 0);
            without += u64::from(estimate <= 0 && record.run_time > 0);
            record.requested_time = estimate;
            sink.write_record(&record)
        })?;
        if given == 0 && without > 0 {
            return Err(self.no_limits());
        }
        if given == 0 {
            return Err(nothing_left(
                &log.name,
                "none has a run time above zero",
                "`qcast trace info` shows what is in it",
            ));
        }
        say(format_args!("{} jobs that ran were given limits", grouped(given)));
        if let Some(told) = over_long.in_words(self.maximum()) {
            say(told);
        }
        if without > 0 {
            say(format_args!("{} jobs that ran had none and have none", grouped(without)));
        }
        sink.finish()
    }

    fn note(&self) -> String {
        let Self { model, seed, .. } = self;
        let maximum = self.maximum.map_or(String::new(), |maximum| format!(" --maximum {maximum}"));
        let over_long = if model.needs_maximum() { self.over_long.unwrap_or_default().option() } else { "" };
        let assign = if self.assign == Assignment::Sessions { " --assign sessions" } else { "" };
        let distinct = self.distinct.map_or(String::new(), |distinct| format!(" --distinct {distinct}"));
        let version = env!("CARGO_PKG_VERSION");
        format!(
            "limits made up by qcast {version}: generate estimates --model {model}{maximum}{over_long}{distinct}{assign} --seed {seed}"
        )
    }

    fn no_limits(&self) -> Failure {
        Failure::usage(format_args!(
            "--model {} starts from the log's own limits, and no job that ran has one",
            self.model
        ))
        .with_hint("--model tsafrir makes limits up for a log that has none")
    }

    /// Deals limits out, in the memory of the different run times.
    fn deal(&self, log: &mut Passes<'_>, generator: &mut Pcg64) -> Result<Deal, Failure> {
        let (mut runs, mut limits) = (TimeTally::default(), TimeTally::default());
        self.survey(log, |_, run, limit| {
            runs.add(run);
            limits.add(limit.max(run));
        })?;
        let stock = self.stock(&runs, &limits, generator)?;
        let deal = Deal::new(&runs, stock, generator);
        Ok(deal.expect("drawn for these run times, or none below its own job's"))
    }

    /// What there is to be dealt out: drawn by the model, or the log's own. A limit below its job's run time counts as
    /// the run time.
    fn stock(&self, runs: &TimeTally, limits: &TimeTally, generator: &mut Pcg64) -> Result<EstimateStock, Failure> {
        if self.model == EstimateModel::Shuffled {
            return if runs.is_empty() { Err(self.no_limits()) } else { Ok(EstimateStock::of(limits)) };
        }
        let jobs = usize::try_from(runs.total()).unwrap_or(usize::MAX);
        let mut options = EstimateOptions::new(self.maximum(), jobs);
        options.estimates = self.distinct.unwrap_or_default().of(jobs);
        options.supplied.extend(&self.supplied);
        let distribution = EstimateDistribution::generate(&options, generator);
        let distribution = distribution.map_err(|error| Failure::new(Cause::Usage, error))?;
        let stock = EstimateStock::draw(runs, &distribution, generator);
        if let Some(longest) = stock.raised_to {
            say(format_args!("the longest limit was raised to {longest}: a job ran that long"));
        }
        if stock.drawn_anew > 0 {
            let count = grouped(stock.drawn_anew);
            say(format_args!("{count} jobs found no limit left that was long enough; theirs were drawn anew"));
        }
        Ok(stock)
    }

    /// The limits by job, for users who repeat themselves.
    fn deal_in_sessions(&self, log: &mut Passes<'_>, generator: &mut Pcg64) -> Result<Vec<Seconds>, Failure> {
        let mut users = UsersJobs::default();
        self.survey(log, |record, run, limit| users.add(record, run, limit))?;
        let repetition = match &self.repetition_from {
            Some(file) => repetition_in(&SourceArgs::of(file.clone()))?,
            None => users.repetition().ok_or_else(|| {
                Failure::usage(
                    "--assign sessions must know how often users repeat their limit, and the log has no limits",
                )
                .with_hint("name a log that has some with --repetition-from")
            })?,
        };
        say(format_args!(
            "users repeat their last limit in {:.1} % of the jobs within a session, {:.1} % from one session to the \
             next; else they return to an older one of theirs in {:.1} %",
            100.0 * repetition.within_session,
            100.0 * repetition.between_sessions,
            100.0 * repetition.recalled
        ));
        let runs = users.jobs.iter().map(|job| job.run_time).collect();
        let limits = users.jobs.iter().zip(&users.limits).map(|(job, &limit)| limit.max(job.run_time)).collect();
        let stock = self.stock(&runs, &limits, generator)?;
        let estimates = assign_in_sessions(&users.jobs, &stock, &repetition, generator);
        Ok(estimates.expect("drawn for these run times, or none below its own job's"))
    }
}

/// The jobs of a log as far as the repetition of limits goes.
#[derive(Default)]
struct UsersJobs {
    histories: UserHistories,
    jobs: Vec<UsersJob>,
    /// Not positive where there is none.
    limits: Vec<Seconds>,
}

impl UsersJobs {
    /// Where the log does not know how long a job waited, it is taken to have started at once.
    fn add(&mut self, record: &SwfRecord, run_time: Seconds, limit: Seconds) {
        let submitted = Time(record.submit_time);
        let ended = submitted + Seconds(record.wait_time.max(0)) + run_time;
        let user = u32::try_from(record.user).ok().map(UserId);
        self.jobs.push(UsersJob { run_time, predecessor: self.histories.follow(user, submitted, ended) });
        self.limits.push(limit);
    }

    /// None if no job has a limit.
    fn repetition(&self) -> Option<Repetition> {
        let predecessors: Vec<Option<Predecessor>> = self.jobs.iter().map(|job| job.predecessor).collect();
        let has_limits = self.limits.iter().any(|&limit| limit > Seconds::ZERO);
        has_limits.then(|| Repetition::fit(&predecessors, &self.limits))
    }
}

/// How often users repeat their limit in another log.
fn repetition_in(source: &SourceArgs) -> Result<Repetition, Failure> {
    let mut users = UsersJobs::default();
    let mut log = source.open()?;
    let name = log.name().to_owned();
    for record in log.by_ref() {
        let record = record?;
        if record.run_time > 0 && record.requested_time > 0 {
            users.add(&record, Seconds(record.run_time), Seconds(record.requested_time));
        }
    }
    users.repetition().ok_or_else(|| Failure::usage(format_args!("{name}: no job that ran has a limit to repeat")))
}

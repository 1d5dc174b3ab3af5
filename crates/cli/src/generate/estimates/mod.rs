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
    /// Longest time limit that the site allows, in seconds; required by the models tsafrir and phi.
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(i64).range(60..=Seconds::MAX.0))]
    maximum: Option<i64>,
    /// Action for jobs that ran longer than --maximum [default: cut].
    #[arg(long, value_enum)]
    over_long: Option<OverLong>,
    /// Model of the time limits: tsafrir, shuffled, doubled, exact, f:FACTOR or phi:SHARE.
    ///
    /// The model tsafrir draws limits as users choose them, shuffled redistributes the limits of the log, doubled doubles them, and
    /// exact uses the run time.
    /// With f:FACTOR, limits exceed the run time by up to FACTOR times the run time, uniformly distributed.
    /// With phi:SHARE, this share of the limits is exact, and for the other jobs the run time is a uniform fraction of the limit.
    #[arg(long, default_value = "tsafrir")]
    model: EstimateModel,
    /// Time limit with a known share of the jobs, as SECONDS=PERCENT; repeatable up to twenty times.
    #[arg(long = "supply", value_name = "SECONDS=PERCENT", value_parser = parse_share)]
    supplied: Vec<EstimateShare>,
    /// Number of different time limits in the model tsafrir: lines, power-law or a number [default: lines].
    ///
    /// With lines, the number is interpolated from the number of jobs between seven points.
    /// With power-law, the number is 1.1 times the square root of the number of jobs.
    #[arg(long, value_name = "HOW")]
    distinct: Option<Distinct>,
    /// Assignment of limits to jobs, for the models tsafrir and shuffled.
    #[arg(long, value_enum, default_value_t)]
    assign: Assignment,
    /// Log from which --assign sessions learns how often users repeat a limit [default: the input log].
    #[arg(long, value_name = "FILE")]
    repetition_from: Option<std::path::PathBuf>,
    /// Random seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    sink: SinkArgs,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Assignment {
    /// Random assignment; no limit is below the run time.
    #[default]
    Shuffle,
    /// Random assignment in which users repeat a limit as often as in a log.
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
                let changed = || Failure::new(Cause::Input, anyhow::anyhow!("the log changed during reading"));
                deal.fetch(run, &mut generator).ok_or_else(changed)
            })
        }
        (_, Assignment::Sessions) => {
            let mut estimates = arguments.deal_in_sessions(&mut log, &mut generator)?.into_iter();
            arguments.rewrite(&mut log, |_, _| {
                let changed = || Failure::new(Cause::Input, anyhow::anyhow!("the log changed during reading"));
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
            let hint = "set --maximum to the time limit of the machine's longest queue";
            return Err(Failure::usage(format_args!("--model {model} needs --maximum")).with_hint(hint));
        }
        if *assign == Assignment::Sessions && !model.is_dealt() {
            return Err(Failure::usage(format_args!("--assign sessions does not support --model {model}"))
                .with_hint("use --model tsafrir or --model shuffled"));
        }
        if self.distinct.is_some() && *model != EstimateModel::Tsafrir {
            return Err(Failure::usage(format_args!("--distinct does not support --model {model}"))
                .with_hint("use --model tsafrir"));
        }
        if self.over_long.is_some() && !model.needs_maximum() {
            return Err(Failure::usage(format_args!("--over-long does not support --model {model}"))
                .with_hint("use --model tsafrir or --model phi:SHARE, which have a longest limit"));
        }
        if self.repetition_from.is_some() && *assign != Assignment::Sessions {
            return Err(Failure::usage("--repetition-from requires --assign sessions"));
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
                "none with a run time above zero",
                "`qcast trace info` shows the contents of the log",
            ));
        }
        say(format_args!("{} jobs with a run time got a time limit", grouped(given)));
        if let Some(told) = over_long.in_words(self.maximum()) {
            say(told);
        }
        if without > 0 {
            say(format_args!("warning: {} jobs with a run time remain without a time limit", grouped(without)));
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
            "limits generated by qcast {version}: generate estimates --model {model}{maximum}{over_long}{distinct}{assign} --seed {seed}"
        )
    }

    fn no_limits(&self) -> Failure {
        Failure::usage(format_args!(
            "--model {} needs the time limits of the log, and no job that ran has a limit",
            self.model
        ))
        .with_hint("use --model tsafrir for logs without time limits")
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
            say(format_args!("note: the longest time limit was raised to {longest}, because a job ran that long"));
        }
        if stock.drawn_anew > 0 {
            let count = grouped(stock.drawn_anew);
            say(format_args!(
                "note: {count} jobs got additional random limits, because no remaining limit was long enough"
            ));
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
                Failure::usage("--assign sessions needs the time limits of the log, and the log has none")
                    .with_hint("pass a log with time limits with --repetition-from")
            })?,
        };
        say(format_args!(
            "users repeat their last time limit for {:.1} % of the jobs within a session and for {:.1} % from one session to the \
             next; otherwise they reuse one of their older limits in {:.1} %",
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
    users.repetition().ok_or_else(|| Failure::usage(format_args!("{name}: no job with a run time has a time limit")))
}

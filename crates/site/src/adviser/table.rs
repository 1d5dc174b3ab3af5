//! A job that does not exist with many sizes and limits at once: what stands behind the sliders of the page.
//!
//! For: answers as fast as a hand moves. All of them look on at the same futures, in which nobody stands behind them
//! (`queuecast_schedule::slurm::Onlooker`). At the end of the queue that is what would be said of each alone; further in front it is a little early, since
//! those behind would take room that it could use (`supposed` plays them).
//!
//! Starts depend on the place in the queue and on limits, not on who asks: they are found once for a board and shared by all who stand there.
//!
//! Not for: jobs that wait for something or put others out, arrays, and several partitions at once: those are asked about one by one.

use queuecast_advise::{HypotheticalJob, TableCell, TableRequest, TableRow};
use queuecast_forecast::estimate::{JobForecast, NoForecast};
use queuecast_forecast::queue::{QueueSettings, forecast_onlookers};
use queuecast_schedule::slurm::{Cap, Onlooker};
use queuecast_workload::{Seconds, Time};

use super::answers::{Seat, Starts};
use super::{FUTURES_LEAST, OpenAdviser};
use crate::cluster::Imagined;

/// So many futures are looked on at, at most: what is said of one size once somebody stays with it comes from more.
const FUTURES_MOST: u64 = 24;
/// In so many partitions a table is looked for; the default one is the first of them.
const PARTITIONS_MOST: usize = 16;

/// A row of the table, as long as it is not told.
struct Row<'a> {
    choice: &'a HypotheticalJob,
    nodes: u32,
    /// With each limit that is not taken: why not.
    refused: Vec<TableCell>,
    /// With each that is, the shortest first.
    taken: Vec<Taken>,
    /// As it is with the shortest of those.
    imagined: Option<Imagined>,
}

/// Rows that look on from one place in the queue, under the same limits.
struct Bench<'a> {
    place: usize,
    caps: &'a [Cap],
    rows: Vec<&'a Row<'a>>,
}

/// A limit, and how long Slurm plans a job with it to run.
#[derive(Clone, Copy)]
struct Taken {
    limit: Seconds,
    planned: Seconds,
}

impl OpenAdviser {
    /// What would be said of each; a row of limits for each choice and number of nodes. A choice that must be asked about alone has none.
    pub(super) fn table_of(&self, job: &HypotheticalJob, question: &TableRequest) -> Result<Vec<TableRow>, NoForecast> {
        let waits = job.after.is_some() || self.not_before(job) > self.now();
        if waits || job.array.is_some() || job.partitions().len() > 1 {
            return Err(one_by_one());
        }
        let mut limits = question.limits.clone();
        limits.sort_unstable();
        limits.dedup();
        let partitions = self.situation.open_partitions();
        let choices = question.choices(job, &partitions[..partitions.len().min(PARTITIONS_MOST)]);
        let rows = choices.iter().flat_map(|choice| question.nodes.iter().map(move |nodes| (choice, *nodes)));
        let rows: Vec<Row<'_>> = rows.filter_map(|(choice, nodes)| self.row(choice, nodes, &limits)).collect();
        if rows.is_empty() {
            return Err(one_by_one());
        }
        let mut benches: Vec<Bench<'_>> = Vec::new();
        let mut told = Vec::new();
        for row in &rows {
            let Some(imagined) = &row.imagined else {
                told.push(row.told(Vec::new()));
                continue;
            };
            let (place, caps) = (self.situation.place_of(imagined), imagined.caps.as_slice());
            match benches.iter_mut().find(|bench| (bench.place, bench.caps) == (place, caps)) {
                Some(bench) => bench.rows.push(row),
                None => benches.push(Bench { place, caps, rows: vec![row] }),
            }
        }
        let queues = benches.len().max(1) as u64;
        for Bench { place, rows, .. } in benches {
            told.extend(self.look_on(place, &rows, queues));
        }
        Ok(told)
    }

    /// A job on so many nodes, with each limit; `None` if it may put others out: it is then in somebody's way.
    fn row<'a>(&self, choice: &'a HypotheticalJob, nodes: u32, limits: &[Seconds]) -> Option<Row<'a>> {
        let mut row = Row { choice, nodes, refused: Vec::new(), taken: Vec::new(), imagined: None };
        for limit in limits.iter().copied() {
            match self.situation.hypothetical(&choice.sized(nodes, limit)) {
                Err(none) => row.refused.push(TableCell { limit, forecast: JobForecast::NoForecast(none) }),
                Ok(imagined) if imagined.demand.preempts != 0 => return None,
                Ok(imagined) => {
                    row.taken.push(Taken { limit, planned: imagined.planned });
                    row.imagined.get_or_insert(imagined);
                }
            }
        }
        Some(row)
    }

    /// Plays the queue before this place with all of these looking on; one of so many queues that are played for one answer.
    fn look_on(&self, place: usize, rows: &[&Row<'_>], queues: u64) -> Vec<TableRow> {
        let Some(first) = rows.first().and_then(|row| row.imagined.as_ref()) else { return Vec::new() };
        let queue = self.situation.before(place, first);
        let settings = self.as_far_as(&queue);
        let least = settings.futures.min(FUTURES_LEAST as u64);
        let futures = (settings.futures.min(FUTURES_MOST) / queues).max(least);
        let seat = Seat { place, caps: queue.cluster.caps.clone(), futures };
        let onlookers: Vec<Onlooker> = rows.iter().filter_map(|row| row.onlooker()).collect();
        let settings = QueueSettings { futures, ..settings };
        let starts = self.answers.tables.or_find(&seat, &onlookers, &settings.patience, |onlookers| {
            forecast_onlookers(&queue, onlookers, &mut self.sampler(), &settings)
        });
        rows.iter().zip(starts).map(|(row, starts)| self.told_of(row, &starts)).collect()
    }

    /// What is said of a row whose starts are known.
    fn told_of(&self, row: &Row<'_>, starts: &Starts) -> TableRow {
        let cells = row.taken.iter().zip(starts).map(|(Taken { limit, planned }, starts)| {
            let forecast = self.said_in_table(&row.choice.sized(row.nodes, *limit), *planned, starts);
            TableCell { limit: *limit, forecast }
        });
        row.told(cells.collect())
    }

    fn said_in_table(&self, job: &HypotheticalJob, planned: Seconds, starts: &[Option<Time>]) -> JobForecast {
        let submission = self.submission(job, planned);
        let distribution = self.distribution(&submission);
        self.said(&submission, starts, |share| distribution.sample(share).min(planned))
    }
}

impl Row<'_> {
    /// What looks on; nobody if no limit is taken.
    fn onlooker(&self) -> Option<Onlooker> {
        let planned = self.taken.iter().map(|taken| taken.planned).collect();
        self.imagined.as_ref().map(|imagined| Onlooker { demand: imagined.demand.clone(), planned })
    }

    fn told(&self, mut cells: Vec<TableCell>) -> TableRow {
        cells.extend(self.refused.iter().cloned());
        TableRow::of(self.choice, self.nodes, cells)
    }
}

fn one_by_one() -> NoForecast {
    let why = "A job that waits for an event, may preempt others, is an array or may run in several partitions can be forecast with only one size and one time limit at a time.";
    NoForecast { code: "one_by_one", why: why.to_owned() }
}

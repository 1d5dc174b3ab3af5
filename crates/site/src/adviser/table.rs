//! A job that does not exist with many sizes and limits at once: what stands behind the sliders of the page.
//!
//! For: answers as fast as a hand moves. All of them look on at the same futures, in which nobody stands behind them
//! (`queuecast_schedule::slurm::Onlooker`). At the end of the queue that is what would be said of each alone; further in front it is a little early, since
//! those behind would take room that it could use (`supposed` plays them).
//!
//! Starts depend on the place in the queue and on limits, not on who asks: they are found once for a board and shared by all who stand there.
//!
//! Not for: jobs that wait for something or put others out, arrays, and several partitions at once: those are asked about one by one.

use std::collections::BTreeMap;

use queuecast_advise::{HypotheticalJob, TableCell, TableQuestion};
use queuecast_forecast::estimate::{JobForecast, NoEstimate};
use queuecast_forecast::queue::{QueueSettings, forecast_onlookers};
use queuecast_schedule::slurm::Onlooker;
use queuecast_workload::{Seconds, Time};

use super::answers::Looked;
use super::{FUTURES_LEAST, OpenAdviser};
use crate::cluster::Imagined;

/// So many futures are looked on at, at most: what is said of one size once somebody stays with it comes from more.
const FUTURES_MOST: u64 = 24;

/// One number of nodes with every limit that is taken there, the shortest first.
struct Row {
    nodes: u32,
    limits: Vec<Taken>,
    /// As it is with the shortest.
    imagined: Imagined,
}

/// A limit, and how long Slurm plans a job with it to run.
#[derive(Clone, Copy)]
struct Taken {
    limit: Seconds,
    planned: Seconds,
}

impl OpenAdviser {
    /// What would be said of each; a row of limits for each number of nodes.
    pub(super) fn table_of(
        &self,
        job: &HypotheticalJob,
        question: &TableQuestion,
    ) -> Result<Vec<TableCell>, NoEstimate> {
        let waits = job.after.is_some() || self.not_before(job) > self.now();
        if waits || job.array.is_some() || job.partitions().len() > 1 {
            return Err(one_by_one());
        }
        let mut limits = question.limits.clone();
        limits.sort_unstable();
        limits.dedup();
        let mut cells = Vec::new();
        let mut by_place: BTreeMap<usize, Vec<Row>> = BTreeMap::new();
        for nodes in &question.nodes {
            let Some(row) = self.row(job, *nodes, &limits, &mut cells) else { continue };
            if row.imagined.demand.preempts != 0 {
                return Err(one_by_one());
            }
            by_place.entry(self.situation.place_of(&row.imagined)).or_default().push(row);
        }
        let queues = by_place.len().max(1) as u64;
        for (place, rows) in by_place {
            self.look_on(job, place, &rows, queues, &mut cells);
        }
        Ok(cells)
    }

    /// The limits with which it is taken on so many nodes; `None` if with none of them. Why not is told at once.
    fn row(&self, job: &HypotheticalJob, nodes: u32, limits: &[Seconds], cells: &mut Vec<TableCell>) -> Option<Row> {
        let mut row: Option<Row> = None;
        for limit in limits {
            match self.situation.hypothetical(&job.sized(nodes, *limit)) {
                Err(none) => {
                    cells.push(TableCell { nodes, limit: *limit, forecast: JobForecast::NoEstimate(none) });
                }
                Ok(imagined) => {
                    let taken = Taken { limit: *limit, planned: imagined.planned };
                    row.get_or_insert(Row { nodes, limits: Vec::new(), imagined }).limits.push(taken);
                }
            }
        }
        row
    }

    /// Plays the queue before this place with all of these looking on; one of so many queues that are played for one answer.
    fn look_on(&self, job: &HypotheticalJob, place: usize, rows: &[Row], queues: u64, cells: &mut Vec<TableCell>) {
        let queue = self.situation.before(place, &rows[0].imagined);
        let settings = self.as_far_as(&queue);
        let least = settings.futures.min(FUTURES_LEAST as u64);
        let looked = Looked {
            place,
            caps: queue.cluster.caps.clone(),
            onlookers: (rows.iter())
                .map(|row| Onlooker {
                    demand: row.imagined.demand.clone(),
                    planned: row.limits.iter().map(|taken| taken.planned).collect(),
                })
                .collect(),
            futures: (settings.futures.min(FUTURES_MOST) / queues).max(least),
        };
        let starts = self.answers.tables.or_find(&looked, &settings.patience, || {
            let settings = QueueSettings { futures: looked.futures, ..settings.clone() };
            forecast_onlookers(&queue, &looked.onlookers, &mut self.sampler(), &settings)
        });
        for (row, starts) in rows.iter().zip(&*starts) {
            for (Taken { limit, planned }, starts) in row.limits.iter().copied().zip(starts) {
                let forecast = self.said_in_table(&job.sized(row.nodes, limit), planned, starts);
                cells.push(TableCell { nodes: row.nodes, limit, forecast });
            }
        }
    }

    fn said_in_table(&self, job: &HypotheticalJob, planned: Seconds, starts: &[Option<Time>]) -> JobForecast {
        let submission = self.submission(job, planned);
        let distribution = self.distribution(&submission);
        self.said(&submission, starts, |share| distribution.sample(share).min(planned))
    }
}

fn one_by_one() -> NoEstimate {
    let why = "A job that waits for something, may put others out, is an array or may run in several partitions is asked about with one size and one limit at a time.";
    NoEstimate { code: "one_by_one", why: why.to_owned() }
}

//! Run times as they are learnt, but for those that are told.

use queuecast_forecast::forward::{HistorySampler, Prospect, RuntimeSampler};
use queuecast_predict::distribution::WeightedHistory;
use queuecast_workload::{Seconds, Time};

use crate::Told;
use crate::piece::Piece;

pub struct Knowing<'a> {
    learnt: HistorySampler<WeightedHistory>,
    piece: &'a Piece,
    told: Told,
    prospects: Vec<Prospect>,
}

impl<'a> Knowing<'a> {
    pub fn new(learnt: HistorySampler<WeightedHistory>, piece: &'a Piece, told: Told) -> Self {
        Self { learnt, piece, told, prospects: Vec::new() }
    }
}

impl RuntimeSampler for Knowing<'_> {
    fn prepare(&mut self, prospects: &[Prospect], now: Time) {
        self.prospects = prospects.to_vec();
        self.learnt.prepare(prospects, now);
    }

    fn sample(&self, place: usize, uniform: f64) -> Seconds {
        let Prospect { submission, age } = &self.prospects[place];
        let told = if age.is_some() { self.told.runs_of_running } else { self.told.runs_of_others };
        if told { self.piece.run_of(submission.job) } else { self.learnt.sample(place, uniform) }
    }
}

//! Which part of accounting to read next, so that no second is left out whatever was down, and when.
//!
//! For: catching up in pieces, keeping up, and going back for what accounting was told late.
//!
//! Not for: reading it; where it has been read up to, which is the store's mark and rises with the records in one transaction.
//!
//! How nothing is missed: a **sweep** reads from a day and an hour before the mark up to when it began. There is one at the start of
//! every process and one every hour. When a sweep begins, the mark is at most an hour after the beginning of the one before it; so a
//! record that accounting got after that one had begun, and at most a day late, is in this one. (A sweep is at the start too because
//! whatever came late while nobody was looking is behind the mark.) In between, what is new since the mark is read. Pieces overlap
//! by ten minutes: accounting lags by seconds, and whether a job that ended in the very second a period begins with belongs to it
//! should not matter.
//!
//! A clock that went ahead and was put back has left a mark in the future. It counts for nothing: as much as an empty store begins with is
//! read again, and the mark follows the clock back with the first piece that is in the store (`marks`).
//!
//! Times are Unix seconds, in which no day has 23 or 25 hours.
//!
//! Source: F8 and F11 of the reliability list.

#[cfg(test)]
mod properties;

use queuecast_records::source::Period;
use queuecast_workload::{Seconds, Time};

const HOUR: Seconds = Seconds(3_600);
const DAY: Seconds = Seconds(86_400);

/// How accounting is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CatchUpSettings {
    /// How far back an empty store begins.
    pub history: Seconds,
    /// By how much a piece begins before the end of the one before.
    pub overlap: Seconds,
    /// How often is swept.
    pub sweep_every: Seconds,
    /// How late accounting may be told of something that is found all the same.
    pub lateness: Seconds,
    /// The first piece; later ones are twice as long each time while answers are small.
    pub first_piece: Seconds,
    /// The longest.
    pub longest_piece: Seconds,
    /// Answers with fewer records are small.
    pub small_answer: usize,
}

impl Default for CatchUpSettings {
    fn default() -> Self {
        Self {
            history: Seconds(90 * DAY.0),
            overlap: Seconds(600),
            sweep_every: HOUR,
            lateness: DAY,
            first_piece: DAY,
            longest_piece: Seconds(32 * DAY.0),
            small_answer: 20_000,
        }
    }
}

/// Says what to read next. Nothing of it need survive the process: a new one sweeps first.
#[derive(Clone, Debug)]
pub struct CatchUp {
    settings: CatchUpSettings,
    piece: Seconds,
    sweep: Option<Sweep>,
    /// When the last complete sweep began.
    swept: Option<Time>,
}

#[derive(Clone, Copy, Debug)]
struct Sweep {
    begun: Time,
    /// Read up to here.
    position: Time,
}

impl CatchUp {
    /// Nothing read yet.
    pub fn new(settings: CatchUpSettings) -> Self {
        Self { settings, piece: settings.first_piece.max(Seconds(1)), sweep: None, swept: None }
    }

    /// The period to read now, if there is anything new; the same again until it was answered. `mark` is what the store has read
    /// accounting up to.
    pub fn next_window(&mut self, mark: Option<Time>, now: Time) -> Option<Period> {
        let settings = self.settings;
        // What a clock showed that was ahead has not come yet, and what it showed was read was not.
        self.sweep = self.sweep.filter(|sweep| sweep.begun <= now);
        let reach = settings.lateness + settings.sweep_every;
        let mark = match mark {
            // The clock was ahead by more than pieces overlap: nobody knows what was read in that time. All of it is read again.
            Some(mark) if mark > now + settings.overlap => {
                (self.sweep, self.swept) = (None, None);
                Some(now - (settings.history - reach).max(Seconds::ZERO))
            }
            // Or by less: what it left out is in the next piece. It must not wait until the clock has come so far again.
            Some(mark) if mark > now => Some(now - Seconds(1)),
            mark => mark,
        };
        let is_due = self.swept.is_none_or(|begun| now < begun || now >= begun + settings.sweep_every);
        if self.sweep.is_none() && is_due {
            let position = mark.map_or(now - settings.history, |mark| mark - reach);
            self.sweep = Some(Sweep { begun: now, position });
        }
        let (position, end) = match self.sweep {
            Some(sweep) => (sweep.position, sweep.begun),
            None => (mark?, now),
        };
        if position >= end && self.sweep.is_none() {
            return None;
        }
        Some(Period { from: position - settings.overlap.min(self.piece), to: (position + self.piece).min(end) })
    }

    /// Whether all that was there when the last sweep began has been read, and the next is not due.
    pub fn is_keeping_up(&self) -> bool {
        self.swept.is_some() && self.sweep.is_none()
    }

    /// The period was answered with so many records, and they are in the store.
    pub fn answered(&mut self, period: Period, records: usize) {
        if records < self.settings.small_answer {
            self.piece = Seconds(self.piece.0 * 2).min(self.settings.longest_piece);
        }
        if let Some(sweep) = &mut self.sweep {
            sweep.position = period.to;
            if sweep.position >= sweep.begun {
                self.swept = Some(sweep.begun);
                self.sweep = None;
            }
        }
    }

    /// The answer was more than is taken, or came too late: ask for half as much.
    pub fn too_large(&mut self) {
        self.piece = Seconds(self.piece.0 / 2).max(Seconds(1));
    }
}

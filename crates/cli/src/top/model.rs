//! What `qcast top` shows, and what a key does to it. Pure: no clock, no terminal, no daemon.
//!
//! For: keeping the cursor on the same job while the queue moves under it.
//!
//! Not for: how it looks (`view`); when the daemon is asked (`live`).

use std::collections::VecDeque;
use std::time::Duration;

use queuecast_api::forecast::ForecastResponse;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::snapshot::{Load, Snapshot};
use crate::queue::order::{By, Order};

/// As many looks are remembered as the widest line of load shows.
const REMEMBERED: usize = 200;

/// What fills the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pane {
    /// The queue.
    List,
    /// One job.
    Detail,
    /// What keys do.
    Help,
}

/// What a key asks of the loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// To ask the daemon again now.
    Refresh,
    /// To end.
    Leave,
}

/// Everything that is shown.
#[derive(Clone, Debug)]
pub struct Model {
    /// The selectors, in words.
    pub selected: String,
    /// In which order.
    pub order: Order,
    /// What was last seen; its jobs in order, own first.
    pub snapshot: Option<Snapshot>,
    /// Why the daemon did not answer, if it did not.
    pub trouble: Option<String>,
    /// How long ago the last snapshot was.
    pub age: Duration,
    /// Jobs over the last looks, the oldest first.
    pub load: VecDeque<Load>,
    /// What fills the screen.
    pub pane: Pane,
    /// Where the cursor is among the jobs.
    pub cursor: usize,
    /// The first job on the screen.
    pub first: usize,
    /// The job whose detail is shown, as it was last seen.
    pub detail: Option<ForecastResponse>,
    /// Whether it was in the last snapshot.
    pub is_detail_listed: bool,
    /// Jobs on a screen.
    page: usize,
    /// What fills the screen when help is closed.
    behind_help: Pane,
}

impl Model {
    /// Before the first snapshot.
    pub fn new(selected: String) -> Self {
        Self {
            selected,
            order: Order::default(),
            snapshot: None,
            trouble: None,
            age: Duration::ZERO,
            load: VecDeque::new(),
            pane: Pane::List,
            cursor: 0,
            first: 0,
            detail: None,
            is_detail_listed: false,
            page: 1,
            behind_help: Pane::List,
        }
    }

    /// The jobs in order.
    pub fn jobs(&self) -> &[ForecastResponse] {
        self.snapshot.as_ref().map_or(&[], |snapshot| &snapshot.jobs)
    }

    /// The cluster's time, as far as it can be known: that of the last snapshot and how long ago that was.
    pub fn now_unix(&self) -> Option<i64> {
        let passed = i64::try_from(self.age.as_secs()).unwrap_or(i64::MAX);
        self.snapshot.as_ref().map(|snapshot| snapshot.now.unix.saturating_add(passed))
    }

    /// The daemon answered.
    pub fn saw(&mut self, snapshot: Snapshot) {
        // Whoever did not move the cursor watches the first row, whatever comes there.
        let number = self.chosen().filter(|_| self.cursor > 0).and_then(|job| job.job.job_id);
        self.load.push_back(snapshot.load);
        if self.load.len() > REMEMBERED {
            self.load.pop_front();
        }
        self.snapshot = Some(snapshot);
        self.trouble = None;
        self.age = Duration::ZERO;
        self.sort(number);
        if let Some(shown) = &self.detail {
            let again = self.jobs().iter().find(|job| job.job.job_id == shown.job.job_id).cloned();
            self.is_detail_listed = again.is_some();
            self.detail = again.or_else(|| self.detail.take());
        }
    }

    /// The daemon did not answer; what was seen before stays.
    pub fn missed(&mut self, trouble: String) {
        self.trouble = Some(trouble);
    }

    /// So many jobs fit on the screen.
    pub fn fit(&mut self, page: usize) {
        self.page = page.max(1);
        self.scroll();
    }

    /// A key was pressed.
    pub fn press(&mut self, key: KeyEvent) -> Option<Wish> {
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return matches!(key.code, KeyCode::Char('c' | 'C')).then_some(Wish::Leave);
        }
        match (self.pane, key.code) {
            (Pane::Help, _) => self.pane = self.behind_help,
            (_, KeyCode::Char('?')) => (self.behind_help, self.pane) = (self.pane, Pane::Help),
            (_, KeyCode::Char('r')) => return Some(Wish::Refresh),
            (Pane::Detail, KeyCode::Char('q') | KeyCode::Esc) => (self.pane, self.detail) = (Pane::List, None),
            (Pane::List, KeyCode::Char('q') | KeyCode::Esc) => return Some(Wish::Leave),
            (Pane::List, KeyCode::Enter) => self.open(),
            (_, code) => {
                if let Some(cursor) = self.moved(code) {
                    self.cursor = cursor;
                    self.scroll();
                    if self.pane == Pane::Detail {
                        self.open();
                    }
                } else if let Some(by) = sorted_by(code) {
                    let number = self.chosen().and_then(|job| job.job.job_id);
                    self.order = self.order.pressed(by);
                    self.sort(number);
                }
            }
        }
        None
    }

    fn chosen(&self) -> Option<&ForecastResponse> {
        self.jobs().get(self.cursor)
    }

    fn open(&mut self) {
        if let Some(job) = self.chosen().cloned() {
            (self.pane, self.is_detail_listed, self.detail) = (Pane::Detail, true, Some(job));
        }
    }

    fn moved(&self, code: KeyCode) -> Option<usize> {
        let last = self.jobs().len().saturating_sub(1);
        let to = match code {
            KeyCode::Char('j') | KeyCode::Down => self.cursor + 1,
            KeyCode::Char('k') | KeyCode::Up => self.cursor.saturating_sub(1),
            KeyCode::PageDown | KeyCode::Char(' ') => self.cursor + self.page,
            KeyCode::PageUp => self.cursor.saturating_sub(self.page),
            KeyCode::Home | KeyCode::Char('g') => 0,
            KeyCode::End | KeyCode::Char('G') => last,
            _ => return None,
        };
        Some(to.min(last))
    }

    /// Sorts, and puts the cursor on this job if it is still there.
    fn sort(&mut self, number: Option<u64>) {
        let order = self.order;
        let is_others = |job: &ForecastResponse| !job.job.own;
        if let Some(snapshot) = &mut self.snapshot {
            snapshot.jobs.sort_by(|first, second| {
                is_others(first).cmp(&is_others(second)).then_with(|| order.compare(first, second))
            });
        }
        let again = self.jobs().iter().position(|job| number.is_some() && job.job.job_id == number);
        self.cursor = again.unwrap_or(self.cursor).min(self.jobs().len().saturating_sub(1));
        self.scroll();
    }

    /// The cursor is on the screen, and the screen is full if it can be.
    fn scroll(&mut self) {
        let last_first = self.jobs().len().saturating_sub(self.page);
        self.first = self.first.clamp((self.cursor + 1).saturating_sub(self.page), self.cursor).min(last_first);
    }
}

fn sorted_by(code: KeyCode) -> Option<By> {
    Some(match code {
        KeyCode::Char('s') => By::Start,
        KeyCode::Char('e') => By::Completion,
        KeyCode::Char('w') => By::Waited,
        KeyCode::Char('n') => By::Nodes,
        KeyCode::Char('l') => By::Limit,
        KeyCode::Char('i') => By::Number,
        _ => return None,
    })
}

#[cfg(test)]
mod tests;

//! The waiting jobs in queue order: who is first, who follows whom.
//!
//! Where holes are filled in the same order, one index serves both and must be searchable. Where they are filled in
//! another order and the queue is by arrival, as in SJBF, the queue itself is only ever asked for its head: a window
//! over arrivals answers that, and lets go of a job anywhere in it, in one step.

use std::collections::VecDeque;

use crate::summed_list::Entry;
use crate::waiting::{Waiting, WaitingList};

/// The waiting jobs in queue order.
#[derive(Clone, Debug)]
pub enum Queue {
    /// In any order, and searchable.
    Searchable(WaitingList),
    /// By arrival.
    ByArrival(ArrivalWindow),
}

/// A place for every arrival from the first that waits to the last, empty where a job does not wait any more.
#[derive(Clone, Debug, Default)]
pub struct ArrivalWindow {
    /// The first and the last place are never empty.
    places: VecDeque<Option<Waiting>>,
    first_arrival: u64,
    len: usize,
}

impl Queue {
    pub fn len(&self) -> usize {
        match self {
            Self::Searchable(list) => list.len(),
            Self::ByArrival(window) => window.len,
        }
    }

    pub fn first(&self) -> Option<&Waiting> {
        match self {
            Self::Searchable(list) => list.first(),
            Self::ByArrival(window) => window.places.front()?.as_ref(),
        }
    }

    /// The job that follows the place `after`, or the first.
    pub fn next(&self, after: Option<u128>) -> Option<Waiting> {
        match self {
            Self::Searchable(list) => list.next(after),
            Self::ByArrival(window) => {
                // The job at `after` may have left, and the window with it.
                let passed = after.filter(|after| arrival_of(*after) >= window.first_arrival);
                let from = passed.map_or(0, |after| window.index(after) + 1);
                window.places.iter().skip(from).flatten().next().copied()
            }
        }
    }

    pub fn entries(&self) -> Vec<Waiting> {
        match self {
            Self::Searchable(list) => list.entries(),
            Self::ByArrival(window) => window.places.iter().flatten().copied().collect(),
        }
    }

    pub fn clear(&mut self) {
        match self {
            Self::Searchable(list) => list.clear(),
            Self::ByArrival(window) => *window = ArrivalWindow::default(),
        }
    }

    pub fn insert(&mut self, job: Waiting) {
        match self {
            Self::Searchable(list) => list.insert(job),
            Self::ByArrival(window) => window.insert(job),
        }
    }

    /// Puts the job that was at `place` where it belongs now. By arrival that is the same place, whatever else changed:
    /// taking the first job out of a window and putting it back would walk to the second and back.
    pub fn replace(&mut self, place: u128, job: Waiting) {
        match self {
            Self::ByArrival(window) if place == job.key() => {
                let index = window.index(place);
                window.places[index] = Some(job);
            }
            Self::Searchable(_) | Self::ByArrival(_) => {
                let removed = self.remove(place);
                debug_assert!(removed.is_some(), "no job at place {place}");
                self.insert(job);
            }
        }
    }

    pub fn remove(&mut self, place: u128) -> Option<Waiting> {
        match self {
            Self::Searchable(list) => list.remove(place),
            Self::ByArrival(window) => window.remove(place),
        }
    }
}

impl ArrivalWindow {
    /// Jobs enter in order of arrival but for those of one second, so the window grows at its end or hardly at all.
    fn insert(&mut self, job: Waiting) {
        let arrival = arrival_of(job.key());
        if self.len == 0 {
            self.places.clear();
            self.first_arrival = arrival;
        }
        while arrival < self.first_arrival {
            self.places.push_front(None);
            self.first_arrival -= 1;
        }
        let index = self.index(job.key());
        if index >= self.places.len() {
            self.places.resize(index + 1, None);
        }
        self.places[index] = Some(job);
        self.len += 1;
    }

    fn remove(&mut self, place: u128) -> Option<Waiting> {
        let index = self.index(place);
        let removed = self.places.get_mut(index)?.take()?;
        self.len -= 1;
        while let Some(None) = self.places.front() {
            self.places.pop_front();
            self.first_arrival += 1;
        }
        while let Some(None) = self.places.back() {
            self.places.pop_back();
        }
        Some(removed)
    }

    fn index(&self, place: u128) -> usize {
        usize::try_from(arrival_of(place) - self.first_arrival).expect("the window is in memory")
    }
}

/// Below the rank, a place holds the arrival.
#[expect(clippy::cast_possible_truncation, reason = "the rank above it is not wanted")]
fn arrival_of(place: u128) -> u64 {
    place as u64
}

#[cfg(test)]
mod tests {
    use queuecast_workload::Seconds;

    use super::*;
    use crate::JobKey;
    use crate::waiting::place_of;

    fn job(arrival: u64) -> Waiting {
        Waiting { place: place_of(0, arrival), planned: Seconds(1), processors: 1, key: JobKey(0) }
    }

    #[test]
    fn a_window_answers_as_a_searchable_list_does() {
        let mut window = Queue::ByArrival(ArrivalWindow::default());
        let mut list = Queue::Searchable(WaitingList::default());
        // Arrivals with gaps, some of one second entered out of turn, and departures from anywhere.
        for step in 0..2_000 {
            let arrival = 10 + step as u64 * 3 + if step % 7 == 0 { 5 } else { 0 };
            for queue in [&mut window, &mut list] {
                queue.insert(job(arrival));
            }
            if step % 3 != 0 {
                let leaving = list.entries()[(step * 31) % list.len()];
                assert_eq!(window.remove(leaving.place), Some(leaving));
                list.remove(leaving.place);
                assert_eq!(window.next(Some(leaving.place)), list.next(Some(leaving.place)));
            }
            assert_eq!(window.len(), list.len());
            assert_eq!(window.first(), list.first());
            let after = list.entries().get(step % 50).map(|job| job.place);
            assert_eq!(window.next(after), list.next(after));
        }
        assert_eq!(window.entries(), list.entries());
        for leaving in list.entries() {
            assert_eq!(window.remove(leaving.place), Some(leaving));
        }
        assert_eq!((window.len(), window.first(), window.next(None)), (0, None, None));
    }
}

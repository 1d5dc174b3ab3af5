//! Who waits: in order of priority, and by shape.
//!
//! Jobs are numbered in order of priority, so that a number is a place in the queue.

/// The queue. Those who may not start yet are not in it.
#[derive(Clone, Debug, Default)]
pub struct Waiting {
    /// In order; holds some that have left, until they are many.
    order: Vec<u32>,
    /// By job: whether it is in the queue.
    present: Vec<bool>,
    count: usize,
    /// By shape: its jobs in order, from the first that has not left.
    by_shape: Vec<ShapeQueue>,
}

#[derive(Clone, Debug, Default)]
struct ShapeQueue {
    jobs: Vec<u32>,
    first: usize,
}

impl Waiting {
    /// Nobody, of so many jobs and shapes.
    pub fn new(jobs: usize, shapes: usize) -> Self {
        Self { order: Vec::new(), present: vec![false; jobs], count: 0, by_shape: vec![ShapeQueue::default(); shapes] }
    }

    /// Puts a job where it belongs.
    pub fn insert(&mut self, job: u32, shape: u32) {
        if std::mem::replace(&mut self.present[job as usize], true) {
            return;
        }
        self.count += 1;
        insert_in_order(&mut self.order, 0, job);
        let of_shape = &mut self.by_shape[shape as usize];
        insert_in_order(&mut of_shape.jobs, of_shape.first, job);
    }

    /// Takes a job out.
    pub fn remove(&mut self, job: u32, shape: u32) {
        if !std::mem::replace(&mut self.present[job as usize], false) {
            return;
        }
        self.count -= 1;
        if self.order.len() > 32 && self.count * 4 < self.order.len() * 3 {
            let Self { order, present, .. } = self;
            order.retain(|job| present[*job as usize]);
        }
        let present = &self.present;
        let of_shape = &mut self.by_shape[shape as usize];
        while of_shape.jobs.get(of_shape.first).is_some_and(|job| !present[*job as usize]) {
            of_shape.first += 1;
        }
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Who comes at or after this place in `order`, and the place behind it: for going down the queue while jobs leave it.
    pub fn next_from(&self, mut place: usize) -> Option<(u32, usize)> {
        while let Some(&job) = self.order.get(place) {
            place += 1;
            if self.present[job as usize] {
                return Some((job, place));
            }
        }
        None
    }

    /// The place in `order` behind a job that has just left.
    pub fn place_behind(&self, job: u32) -> usize {
        self.order.partition_point(|other| *other <= job)
    }

    /// The last job that backfill looks at if it looks at so many.
    pub fn last_of(&self, most: usize) -> Option<u32> {
        if self.count <= most {
            return self.order.last().copied();
        }
        self.order.iter().copied().filter(|job| self.present[*job as usize]).nth(most.checked_sub(1)?)
    }

    /// The first of a shape.
    pub fn first_of(&self, shape: u32) -> Option<u32> {
        let of_shape = &self.by_shape[shape as usize];
        of_shape.jobs[of_shape.first.min(of_shape.jobs.len())..].iter().copied().find(|job| self.present[*job as usize])
    }
}

fn insert_in_order(jobs: &mut Vec<u32>, from: usize, job: u32) {
    let place = from + jobs[from..].partition_point(|other| *other < job);
    if jobs.get(place) != Some(&job) {
        jobs.insert(place, job);
    }
}

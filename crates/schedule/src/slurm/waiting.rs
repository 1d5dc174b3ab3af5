//! Who waits: in order of rank, and by shape.
//!
//! A rank is a place in the order of priority among all jobs, those that may not start yet too. Ranks change while time
//! passes; the number of a job does not.

/// The queue. Those who may not start yet are not in it.
#[derive(Clone, Debug, Default)]
pub struct Waiting {
    /// By job.
    ranks: Vec<u32>,
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
    /// Nobody, of so many jobs and shapes, ranked as they are numbered.
    pub fn new(jobs: u32, shapes: usize) -> Self {
        Self {
            ranks: (0..jobs).collect(),
            order: Vec::new(),
            present: vec![false; jobs as usize],
            count: 0,
            by_shape: vec![ShapeQueue::default(); shapes],
        }
    }

    /// Puts everybody in another order.
    pub fn rank(&mut self, ranks: &[u32]) {
        self.ranks.copy_from_slice(ranks);
        let Self { order, present, by_shape, .. } = self;
        order.retain(|job| present[*job as usize]);
        order.sort_unstable_by_key(|job| ranks[*job as usize]);
        for of_shape in by_shape {
            of_shape.jobs.retain(|job| present[*job as usize]);
            of_shape.first = 0;
            of_shape.jobs.sort_unstable_by_key(|job| ranks[*job as usize]);
        }
    }

    /// A job's rank.
    pub fn rank_of(&self, job: u32) -> u32 {
        self.ranks[job as usize]
    }

    /// Puts a job where it belongs.
    pub fn insert(&mut self, job: u32, shape: u32) {
        if std::mem::replace(&mut self.present[job as usize], true) {
            return;
        }
        self.count += 1;
        insert_in_order(&mut self.order, job, &self.ranks);
        let of_shape = &mut self.by_shape[shape as usize];
        // One that had left and comes again may stand before the first.
        let place = of_shape.jobs.partition_point(|other| self.ranks[*other as usize] < self.ranks[job as usize]);
        of_shape.first = of_shape.first.min(place);
        insert_in_order(&mut of_shape.jobs, job, &self.ranks);
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

    /// Whether a job is in the queue.
    pub fn is_waiting(&self, job: u32) -> bool {
        self.present[job as usize]
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
        let rank = self.ranks[job as usize];
        self.order.partition_point(|other| self.ranks[*other as usize] <= rank)
    }

    /// The rank of the last job that backfill looks at if it looks at so many.
    pub fn last_of(&self, most: usize) -> Option<u32> {
        let last = if self.count <= most {
            self.order.last().copied()
        } else {
            self.order.iter().copied().filter(|job| self.present[*job as usize]).nth(most.checked_sub(1)?)
        };
        last.map(|job| self.ranks[job as usize])
    }

    /// The first of a shape.
    pub fn first_of(&self, shape: u32) -> Option<u32> {
        let of_shape = &self.by_shape[shape as usize];
        of_shape.jobs[of_shape.first.min(of_shape.jobs.len())..].iter().copied().find(|job| self.present[*job as usize])
    }

    /// The last of a shape.
    pub fn last_of_shape(&self, shape: u32) -> Option<u32> {
        let of_shape = &self.by_shape[shape as usize];
        of_shape.jobs.iter().rev().copied().find(|job| self.present[*job as usize])
    }
}

fn insert_in_order(jobs: &mut Vec<u32>, job: u32, ranks: &[u32]) {
    let rank = ranks[job as usize];
    let place = jobs.partition_point(|other| ranks[*other as usize] < rank);
    if jobs.get(place) != Some(&job) {
        jobs.insert(place, job);
    }
}

//! Groups of jobs of like size, found in the sizes themselves: the clustering of QBETS (Nurmi, Brevik and Wolski, 2007), as far as it is known.
//!
//! For: [`BoundForecaster`](crate::BoundForecaster), which keeps the waits of each group apart.
//!
//! Their paper clusters jobs by a mixture of normal distributions and takes the number of groups that the Bayesian information
//! criterion prefers. Here sizes are the logarithms of processors, groups are intervals of them with the least squares about their means
//! (found exactly, since there is one dimension), all with one variance. Jobs of one size vary by nothing, so that ever more groups would ever be
//! better: the deviation is at least that of sizes which are a tenth apart, there are at most ten groups, and each has the waits that a bound takes.

/// At most.
const GROUPS_MOST: usize = 10;
/// Of the logarithm of processors, at least.
const DEVIATION_LEAST: f64 = 0.1;

/// How often there is a number of processors, in order of it.
pub type SizeCounts = [(u32, usize)];

/// The most processors of each group but the last, in order; none if there is one group.
pub fn group_edges(sizes: &SizeCounts, least_jobs: usize) -> Vec<u32> {
    let sums = Sums::of(sizes);
    let mut best = (f64::NEG_INFINITY, Vec::new());
    for (groups, (squares, ends)) in (1..).zip(splits(&sums, least_jobs)) {
        let criterion = sums.criterion(&ends, groups, squares);
        if criterion > best.0 {
            best = (criterion, ends);
        }
    }
    let (_, ends) = best;
    let edges = ends.iter().take(ends.len().saturating_sub(1));
    edges.map(|end| sizes[end - 1].0).collect()
}

/// Sums over the first so many sizes.
struct Sums {
    jobs: Vec<f64>,
    values: Vec<f64>,
    squares: Vec<f64>,
}

impl Sums {
    fn of(sizes: &SizeCounts) -> Self {
        let mut sums = Self { jobs: vec![0.0], values: vec![0.0], squares: vec![0.0] };
        for &(processors, count) in sizes {
            let (value, jobs) = (f64::from(processors.max(1)).ln(), count as f64);
            let add = |sums: &mut Vec<f64>, more: f64| sums.push(sums.last().copied().unwrap_or(0.0) + more);
            add(&mut sums.jobs, jobs);
            add(&mut sums.values, jobs * value);
            add(&mut sums.squares, jobs * value * value);
        }
        sums
    }

    fn sizes(&self) -> usize {
        self.jobs.len() - 1
    }

    fn jobs(&self, from: usize, to: usize) -> f64 {
        self.jobs[to] - self.jobs[from]
    }

    /// The squares about the mean of these sizes.
    fn squares(&self, from: usize, to: usize) -> f64 {
        let (jobs, values) = (self.jobs(from, to), self.values[to] - self.values[from]);
        (self.squares[to] - self.squares[from] - values * values / jobs.max(1.0)).max(0.0)
    }

    /// The logarithm of the likelihood, less what the parameters cost.
    fn criterion(&self, ends: &[usize], groups: usize, squares: f64) -> f64 {
        let all = self.jobs(0, self.sizes());
        let variance = (squares / all.max(1.0)).max(DEVIATION_LEAST * DEVIATION_LEAST);
        let begins = std::iter::once(0).chain(ends.iter().copied());
        let shares: f64 =
            begins.zip(ends).map(|(from, to)| self.jobs(from, *to)).map(|jobs| jobs * (jobs / all).ln()).sum();
        let likelihood = shares - all / 2.0 * (2.0 * std::f64::consts::PI * variance).ln() - squares / (2.0 * variance);
        likelihood - groups as f64 * all.ln()
    }
}

/// For one group, two and so on: the least squares, and where each group ends. Ends when sizes do not allow for more groups.
fn splits(sums: &Sums, least_jobs: usize) -> Vec<(f64, Vec<usize>)> {
    let (sizes, least) = (sums.sizes(), least_jobs as f64);
    // By how many sizes: the best split of the first so many.
    let mut before: Vec<Option<(f64, Vec<usize>)>> =
        (0..=sizes).map(|to| (sums.jobs(0, to) >= least && to > 0).then(|| (sums.squares(0, to), vec![to]))).collect();
    let mut found = Vec::new();
    while let Some(best) = before[sizes].clone() {
        found.push(best);
        if found.len() == GROUPS_MOST {
            break;
        }
        let with_one_more = |to: usize| {
            let begins = (1..to).filter(|from| sums.jobs(*from, to) >= least);
            let candidates = begins.filter_map(|from| {
                let (squares, _) = before[from].as_ref()?;
                Some((squares + sums.squares(from, to), from))
            });
            let (squares, from) = candidates.min_by(|one, other| one.0.total_cmp(&other.0))?;
            let mut ends = before[from].as_ref()?.1.clone();
            ends.push(to);
            Some((squares, ends))
        };
        before = (0..=sizes).map(with_one_more).collect();
    }
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn sizes_that_stand_apart_are_groups() {
        let sizes = [(1, 500), (2, 300), (64, 400), (60, 10), (1_024, 200)];
        let mut sizes = sizes.to_vec();
        sizes.sort_unstable();
        let edges = group_edges(&sizes, 59);
        let of = |processors: u32| edges.iter().filter(|edge| processors > **edge).count();
        assert!(of(1) < of(64) && of(64) < of(1_024), "{edges:?}");
        assert_eq!(of(60), of(64));
    }

    #[test]
    fn one_size_or_too_few_jobs_are_one_group() {
        assert_eq!(group_edges(&[(8, 1_000)], 59), Vec::<u32>::new());
        assert_eq!(group_edges(&[(1, 58), (512, 58)], 59), Vec::<u32>::new());
        assert_eq!(group_edges(&[], 59), Vec::<u32>::new());
    }

    proptest! {
        /// The quick way finds what trying every split does.
        #[test]
        fn the_split_with_the_least_squares_is_found(counts in prop::collection::vec(1_usize..200, 2..7)) {
            let sizes: Vec<(u32, usize)> = (0..).map(|place: u32| 3_u32.pow(place)).zip(counts).collect();
            let sums = Sums::of(&sizes);
            let found = splits(&sums, 50);
            for (groups, (squares, _)) in (1..).zip(&found) {
                let tried = every_split(sizes.len(), groups).into_iter().filter(|ends| {
                    let begins = std::iter::once(0).chain(ends.iter().copied());
                    begins.zip(ends).all(|(from, to)| sums.jobs(from, *to) >= 50.0)
                });
                let least = tried.map(|ends| {
                    let begins = std::iter::once(0).chain(ends.iter().copied());
                    begins.zip(&ends).map(|(from, to)| sums.squares(from, *to)).sum::<f64>()
                }).fold(f64::INFINITY, f64::min);
                prop_assert!((least - squares).abs() <= 1e-6 * (1.0 + least), "{groups}: {least} {squares}");
            }
        }
    }

    fn every_split(sizes: usize, groups: usize) -> Vec<Vec<usize>> {
        if groups == 1 {
            return vec![vec![sizes]];
        }
        let last = groups - 1..sizes;
        last.flat_map(|from| {
            every_split(from, groups - 1).into_iter().map(move |mut ends| {
                ends.push(sizes);
                ends
            })
        })
        .collect()
    }
}

//! Ends of running jobs, lumped together as Slurm does when it plans ([`Lumps`]).

use queuecast_workload::{Seconds, Time};

use super::cluster::Lumps;

/// Goes through planned ends in order and gives, for each run of them that is a lump, how many they are and when they count as
/// ended.
pub fn lumps(ends: impl Iterator<Item = Time>, settings: Lumps) -> impl Iterator<Item = (usize, Time)> {
    let mut ends = ends.peekable();
    let mut window = settings.first;
    std::iter::from_fn(move || {
        let first = ends.next()?;
        let (mut count, mut last) = (1, first);
        while let Some(end) = ends.next_if(|end| count < settings.jobs && *end <= first + window) {
            (count, last) = (count + 1, end);
        }
        window = match settings.longer_by {
            Some(step) => window + step,
            None => Seconds((window.0 * 2).min(Seconds::MAX.0)),
        };
        Some((count, last))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lumped(ends: &[i64], settings: Lumps) -> Vec<(usize, i64)> {
        lumps(ends.iter().copied().map(Time), settings).map(|(count, time)| (count, time.0)).collect()
    }

    #[test]
    fn windows_grow_from_lump_to_lump() {
        let ends = [0, 20, 40, 90, 110, 200, 320, 330, 340, 350, 351];
        assert_eq!(lumped(&ends, Lumps::default()), [(2, 20), (2, 90), (2, 200), (5, 351)]);
        let linear = Lumps { longer_by: Some(Seconds(0)), ..Lumps::default() };
        assert_eq!(lumped(&ends, linear), [(2, 20), (1, 40), (2, 110), (1, 200), (4, 350), (1, 351)]);
        assert_eq!(lumped(&[1, 1, 2], Lumps::NONE), [(2, 1), (1, 2)]);
    }

    #[test]
    fn a_lump_is_not_larger_than_so_many_jobs() {
        let settings = Lumps { jobs: 2, ..Lumps::default() };
        assert_eq!(lumped(&[0, 1, 2, 3, 4], settings), [(2, 1), (2, 3), (1, 4)]);
    }
}

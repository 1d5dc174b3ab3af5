//! Ends of running jobs, lumped together as Slurm does when it plans ([`Lumps`]).

use std::iter::from_fn;

use queuecast_workload::{Seconds, Time};

use super::cluster::Lumps;

/// Goes through planned ends in order, each with whether that job is in the way of the one that is planned for. Gives, lump by lump, how
/// many ends it took and when they count as ended. Ends behind the last that is in the way are in no lump.
///
/// Who is not in the way is passed over, and Slurm does not look at the window again before it takes the next who is: one such job
/// at the end of a lump brings in another from beyond the window, days later maybe.
pub fn lumps(ends: impl Iterator<Item = (Time, bool)>, settings: Lumps) -> impl Iterator<Item = (usize, Time)> {
    let mut ends = ends.peekable();
    let mut begins: Option<Time> = None;
    let mut window = settings.first;
    from_fn(move || {
        let (mut count, mut last) = (0, None);
        while let Some((end, is_in_the_way)) = ends.next() {
            count += 1;
            if !is_in_the_way {
                continue;
            }
            // Without lumps every end is its own.
            if settings.first == Seconds::ZERO {
                begins = Some(end);
            }
            let begins =
                *begins.get_or_insert_with(|| Time(end.0 + settings.first.0 - end.0.rem_euclid(settings.first.0)));
            last = Some(end);
            if ends.peek().is_none_or(|(next, _)| *next > begins + window) {
                break;
            }
        }
        let begins = begins?;
        // However long nobody ends, it is one window. Without lumps there is none.
        let longer_by = settings.longer_by.filter(|step| *step > Seconds::ZERO);
        let mut is_long_enough = settings.first == Seconds::ZERO;
        while !is_long_enough {
            window = Seconds((window.0 + longer_by.unwrap_or(window).0).min(Seconds::MAX.0));
            is_long_enough = ends.peek().is_none_or(|(next, _)| *next <= begins + window);
        }
        last.map(|last| (count, last))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lumped(ends: &[i64], settings: Lumps) -> Vec<(usize, i64)> {
        lumps(ends.iter().map(|end| (Time(*end), true)), settings).map(|(count, time)| (count, time.0)).collect()
    }

    #[test]
    fn windows_begin_with_the_first_end_and_grow_from_lump_to_lump() {
        // The first window begins at 30, and reaches to 60; the others to 90, 150, 270, 510.
        let ends = [0, 20, 60, 61, 90, 91, 150, 400, 500, 520];
        assert_eq!(lumped(&ends, Lumps::default()), [(3, 60), (2, 90), (2, 150), (2, 500), (1, 520)]);
        let linear = Lumps { longer_by: Some(Seconds(30)), ..Lumps::default() };
        assert_eq!(lumped(&ends, linear), [(3, 60), (2, 90), (1, 91), (1, 150), (1, 400), (1, 500), (1, 520)]);
        assert_eq!(lumped(&[1, 1, 2], Lumps::NONE), [(2, 1), (1, 2)]);
    }

    #[test]
    fn who_is_not_in_the_way_lets_another_in_from_beyond_the_window() {
        let found = |ends: &[(i64, bool)]| -> Vec<(usize, i64)> {
            let ends = ends.iter().map(|(end, is_in_the_way)| (Time(*end), *is_in_the_way));
            lumps(ends, Lumps::default()).map(|(count, time)| (count, time.0)).collect()
        };
        assert_eq!(found(&[(30, true), (99_999, true)]), [(1, 30), (1, 99_999)]);
        assert_eq!(found(&[(30, true), (50, false), (99_999, true)]), [(3, 99_999)]);
        assert_eq!(found(&[(30, false), (50, false)]), []);
        assert_eq!(found(&[(30, true), (70_000, false)]), [(1, 30)], "nobody is in the way behind it");
    }
}

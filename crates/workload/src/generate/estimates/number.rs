//! How many different estimates the users of a log come up with.
//!
//! For: K from the number of jobs, by the paper's default of straight lines between seven points, or by its power law.
//!
//! Not for: which times these are (`times`) or how popular each is (`popularity`).
//!
//! Requirement: R-E1 (Tsafrir, Etsion and Feitelson, section 6, table 3).

/// Jobs, and the different estimates among them.
const POINTS: [(usize, usize); 7] =
    [(0, 0), (20, 10), (200, 20), (1_000, 35), (10_000, 90), (70_000, 340), (250_000, 565)];

/// How many different estimates that many jobs have: the model's default, straight lines between measured points.
/// Beyond the last point (250,000 jobs) the last line goes on.
///
/// ```
/// use queuecast_workload::generate::estimates::number_of_estimates;
/// assert_eq!(number_of_estimates(77_222), 349);
/// ```
pub fn number_of_estimates(jobs: usize) -> usize {
    let line = POINTS[1..].iter().position(|&(end, _)| jobs <= end).unwrap_or(POINTS.len() - 2);
    let ((jobs_from, from), (jobs_to, to)) = (POINTS[line], POINTS[line + 1]);
    let run = jobs_to - jobs_from;
    from + ((jobs - jobs_from) * (to - from) + run / 2) / run
}

/// How many different estimates that many jobs have by the power law fitted to all four logs: 1.1 times the square
/// root of the jobs.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a root of a count of things in memory")]
pub fn number_of_estimates_by_power_law(jobs: usize) -> usize {
    (1.1 * (jobs as f64).sqrt()).round() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_four_logs_get_the_numbers_of_the_straight_lines() {
        let jobs = [23_070, 53_673, 77_222, 223_407];
        assert_eq!(jobs.map(number_of_estimates), [144, 272, 349, 532]);
    }

    #[test]
    fn the_points_are_met_and_the_last_line_goes_on() {
        for (jobs, estimates) in POINTS {
            assert_eq!(number_of_estimates(jobs), estimates);
        }
        assert_eq!(number_of_estimates(330_000), 665);
    }

    #[test]
    fn more_jobs_never_have_fewer_estimates() {
        assert!((0..300_000).map(number_of_estimates).is_sorted());
    }

    #[test]
    fn the_power_law_is_the_root() {
        assert_eq!([0, 100, 10_000, 250_000].map(number_of_estimates_by_power_law), [0, 11, 110, 550]);
    }
}

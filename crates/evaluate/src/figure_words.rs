//! The headline figures as people call them.
//!
//! For: tables and reports. Not for: JSON and CSV, which have the names of [`crate::FIGURES`].

/// What a figure counts, which decides how it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FigureUnit {
    /// Seconds.
    Seconds,
    /// A share of one, written in per cent.
    Share,
    /// A ratio or an index.
    Plain,
}

/// The figure of this name in words, with its unit if it is seconds; a name that is a word already stays.
pub fn figure_in_words(figure: &str) -> &str {
    match figure {
        "wait.mean" => "wait, mean, s",
        "wait.p50" => "wait, median, s",
        "wait.p95" => "wait, 95th percentile, s",
        "wait.p99" => "wait, 99th percentile, s",
        "wait.max" => "wait, longest, s",
        "bounded_slowdown.mean" => "bounded slowdown, mean",
        "bounded_slowdown.p50" => "bounded slowdown, median",
        "bounded_slowdown.p95" => "bounded slowdown, 95th percentile",
        "bounded_slowdown.p99" => "bounded slowdown, 99th percentile",
        "bounded_slowdown.max" => "bounded slowdown, largest",
        "backfilled" => "jobs backfilled",
        "accuracy.mae" => "first prediction, mean absolute error, s",
        "accuracy.mae_over_mean_run" => "first prediction, error / mean run time",
        "accuracy.relative" => "first prediction, relative accuracy",
        "accuracy.underpredicted" => "first prediction too short",
        "accuracy.weighted.absolute" => "over the stay, mean absolute error, s",
        "accuracy.weighted.relative" => "over the stay, relative accuracy",
        "reservations.violated_share" => "violated reservations",
        "fairness.wait_worst_user" => "worst user's mean wait, s",
        "fairness.jain_index" => "fairness between users (Jain)",
        other => other,
    }
}

/// What the figure of this name counts.
pub fn figure_unit(figure: &str) -> FigureUnit {
    match figure {
        "utilisation" | "backfilled" | "accuracy.underpredicted" | "reservations.violated_share" => FigureUnit::Share,
        _ if figure_in_words(figure).ends_with(", s") => FigureUnit::Seconds,
        _ => FigureUnit::Plain,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FIGURES;

    #[test]
    fn every_wait_and_error_is_in_seconds_and_every_share_in_per_cent() {
        let with = |unit| FIGURES.iter().filter(|figure| figure_unit(figure) == unit).count();
        assert_eq!(with(FigureUnit::Seconds), 8);
        assert_eq!(with(FigureUnit::Share), 4);
        assert_eq!(figure_unit("accuracy.mae_over_mean_run"), FigureUnit::Plain);
    }
}

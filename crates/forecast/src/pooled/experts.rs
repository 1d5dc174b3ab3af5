//! The experts: who is asked, what each is worth at first, and what each says.

use super::curve::WaitCurve;
use super::forest::Forest;
use super::recent_by_kind::Recent;
use super::word::Word;

/// Their names, in the order of their curves.
pub const EXPERTS: [&str; 6] = ["simulation", "simulation:repaired", "recent", "recent:class", "recent:user", "forest"];

/// What they are worth before anything has come. The forest sees what all others say; of those that need little the class is the surest.
pub const PRIOR: [f64; EXPERTS.len()] = [0.5, 1.0, 1.0, 3.0, 1.0, 30.0];

/// The same where the manager tells priorities, limits and nodes, and the model therefore knows who goes first: it is the surest there.
pub const PRIOR_WHERE_PRIORITIES_ARE_TOLD: [f64; EXPERTS.len()] = [4.0, 4.0, 0.25, 0.5, 0.25, 1.0];

/// With so many rows a forest is believed half; for the rest, and before it is grown, it says what the others say together.
const HALF_ROWS: f64 = 300.0;

/// What each says. Who knows nothing says what the next simpler one does, in the end what the model does.
pub fn what_each_says(
    recent: &Recent,
    [word, repaired]: &[Word; 2],
    weights: &[f64],
    forest: Option<&Forest>,
    row: &[f32],
) -> [WaitCurve; EXPERTS.len()] {
    let partition = recent.partition.or(recent.all).unwrap_or(repaired.curve);
    let class = recent.class.unwrap_or(partition);
    let others = [word.curve, repaired.curve, partition, class, recent.user.unwrap_or(class)];
    let total: f64 = weights[..others.len()].iter().sum();
    let together = WaitCurve::mixed(others.iter().zip(weights).map(|(curve, weight)| (curve, weight / total)));
    let forest = forest.map_or(together, |forest| {
        let share = forest.rows() as f64 / (forest.rows() as f64 + HALF_ROWS);
        WaitCurve::mixed([(&forest.curve(row), share), (&together, 1.0 - share)])
    });
    let [word, repaired, partition, class, user] = others;
    [word, repaired, partition, class, user, forest]
}

#[cfg(test)]
mod tests {
    use super::super::forest::ForestSettings;
    use super::super::rows::Rows;
    use super::*;

    /// The last waits were a minute, the model says an hour, and a forest has only ever seen ten hours.
    fn said(rows: usize) -> [WaitCurve; EXPERTS.len()] {
        let minute = Some(WaitCurve::of([60.0]));
        let recent = Recent { all: minute, partition: minute, class: minute, user: minute };
        let words = [Word::of(&mut [3_600.0]); 2];
        let row: &[f32] = &[1.0];
        let forest = (rows > 0).then(|| {
            let rows = Rows::of((0..rows).map(|_| (row, 36_000.0)));
            Forest::learn(&rows, &ForestSettings::default())
        });
        what_each_says(&recent, &words, &[0.1, 0.1, 0.1, 0.1, 0.1, 0.5], forest.as_ref(), row)
    }

    fn share_within(curve: &WaitCurve, seconds: f64) -> f64 {
        curve.place_of(seconds).1
    }

    #[test]
    fn before_there_is_a_forest_it_says_what_the_others_say_together() {
        let forest = said(0)[EXPERTS.len() - 1];
        assert!((share_within(&forest, 600.0) - 0.6).abs() < 1e-3, "three of five say a minute");
        assert!((share_within(&forest, 7_200.0) - 1.0).abs() < 1e-3, "and two say an hour");
    }

    #[test]
    fn a_forest_speaks_for_itself_the_more_rows_it_has() {
        let late = |rows| 1.0 - share_within(&said(rows)[EXPERTS.len() - 1], 7_200.0);
        assert!((late(300) - 0.5).abs() < 0.01, "{}", late(300));
        assert!(late(30) < 0.1 && late(20_000) > 0.98, "{} {}", late(30), late(20_000));
    }
}

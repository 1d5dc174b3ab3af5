//! The experts: who is asked, what each is worth at first, and what each says.

use super::curve::WaitCurve;
use super::forest::Forest;
use super::recent_by_kind::Recent;
use super::word::Word;

/// Their names, in the order of their curves.
pub const EXPERTS: [&str; 6] = ["futures", "futures:repaired", "recent", "recent:class", "recent:user", "forest"];

/// What they are worth before anything has come: the class is the surest of those that need little.
pub const PRIOR: [f64; EXPERTS.len()] = [0.5, 1.0, 1.0, 3.0, 1.0, 2.0];

/// The same where the manager tells priorities, limits and nodes, and the model therefore knows who goes first: it is the surest there.
pub const PRIOR_WHERE_PRIORITIES_ARE_TOLD: [f64; EXPERTS.len()] = [4.0, 4.0, 0.25, 0.5, 0.25, 1.0];

/// What each says. Who knows nothing says what the next simpler one does, in the end what the model does.
pub fn what_each_says(
    recent: &Recent,
    [word, repaired]: &[Word; 2],
    forest: Option<&Forest>,
    row: &[f32],
) -> [WaitCurve; EXPERTS.len()] {
    let partition = recent.partition.or(recent.all).unwrap_or(repaired.curve);
    let class = recent.class.unwrap_or(partition);
    [
        word.curve,
        repaired.curve,
        partition,
        class,
        recent.user.unwrap_or(class),
        forest.map_or(repaired.curve, |forest| forest.curve(row)),
    ]
}

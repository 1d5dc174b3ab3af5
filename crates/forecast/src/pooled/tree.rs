//! One tree of the forest, and how it is grown: every input is cut once at random at every node, and the cut that leaves the least to tell apart
//! is kept (extremely randomised trees: Geurts, Ernst, Wehenkel 2006).
//!
//! Not for anything but waits: a leaf keeps cells of waits, so that it says how they are spread.
//!
//! A node looks at its rows three times, and at all inputs of a row together. Input by input it would read from all over the memory:
//! that takes several times longer.

use rand::RngExt;
use rand_pcg::Pcg64;

use super::forest::{ForestSettings, UNKNOWN};
use super::rows::Rows;

/// A tree.
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Vec<Node>,
    /// The cells of the outcomes in each leaf.
    leaves: Vec<Vec<u8>>,
}

/// A node: a question, or a leaf.
#[derive(Clone, Copy, Debug)]
enum Node {
    /// Whoever is below goes to the next node, the others to this one.
    Cut { input: u16, at: f32, above: u32 },
    /// The leaf with this number.
    Leaf(u32),
}

impl Tree {
    /// Grows one from some of the rows.
    pub fn grow(rows: &Rows, settings: &ForestSettings, random: Pcg64) -> Self {
        Growth::new(rows, settings, random).grow()
    }

    /// The outcomes of those like this one.
    pub fn outcomes(&self, row: &[f32]) -> &[u8] {
        &self.leaves[self.leaf_of(row)]
    }

    /// One more outcome.
    pub fn add(&mut self, row: &[f32], outcome: u8) {
        let leaf = self.leaf_of(row);
        self.leaves[leaf].push(outcome);
    }

    fn leaf_of(&self, row: &[f32]) -> usize {
        let mut place = 0;
        loop {
            match self.nodes[place] {
                Node::Leaf(leaf) => return leaf as usize,
                Node::Cut { input, at, above } => {
                    let value = row.get(usize::from(input)).copied().unwrap_or(UNKNOWN);
                    let value = if value.is_finite() { value } else { UNKNOWN };
                    place = if value < at { place + 1 } else { above as usize };
                }
            }
        }
    }
}

/// A tree being grown.
struct Growth<'a> {
    rows: &'a Rows,
    settings: &'a ForestSettings,
    random: Pcg64,
    tree: Tree,
    /// Of the node that is looked at, for every input: the least and the largest value, where it is cut, how many rows are below, and the sum of
    /// how far their targets are from the mean.
    low: Vec<f32>,
    high: Vec<f32>,
    cuts: Vec<f32>,
    rows_below: Vec<u32>,
    sums_below: Vec<f32>,
}

/// A cut that was tried.
#[derive(Clone, Copy)]
struct Tried {
    input: usize,
    at: f32,
    gain: f64,
}

/// Rows whose targets are nearer to their mean than this all waited for as long.
const LEAST_DIFFERENCE: f64 = 1e-5;

/// An input that is not cut: nothing is below.
const NOT_CUT: f32 = f32::MIN;

impl<'a> Growth<'a> {
    fn new(rows: &'a Rows, settings: &'a ForestSettings, random: Pcg64) -> Self {
        let inputs = rows.inputs();
        Self {
            rows,
            settings,
            random,
            tree: Tree { nodes: Vec::new(), leaves: Vec::new() },
            low: vec![0.0; inputs],
            high: vec![0.0; inputs],
            cuts: vec![0.0; inputs],
            rows_below: vec![0; inputs],
            sums_below: vec![0.0; inputs],
        }
    }

    fn grow(mut self) -> Tree {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a count")]
        let shown = ((self.rows.len() as f64 * self.settings.rows_shown) as usize).clamp(1, self.rows.len().max(1));
        let mut places: Vec<u32> = (0..shown).filter(|_| self.rows.len() > 0).map(|_| self.drawn()).collect();
        self.add(&mut places);
        self.tree
    }

    /// The place of a row. Later rows are drawn more often: a queue does not stay as it was.
    fn drawn(&mut self) -> u32 {
        let share = self.random.random::<f64>().powf(self.settings.recency);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a count")]
        let place = (share * self.rows.len() as f64) as usize;
        number(place.min(self.rows.len() - 1))
    }

    fn add(&mut self, places: &mut [u32]) {
        let here = self.tree.nodes.len();
        let Some(cut) = self.best_cut(places) else {
            self.tree.nodes.push(Node::Leaf(number(self.tree.leaves.len())));
            self.tree.leaves.push(places.iter().map(|place| self.rows.cell(*place)).collect());
            return;
        };
        let below = divide(places, |place| self.rows.row(*place)[cut.input] < cut.at);
        let input = u16::try_from(cut.input).expect("fewer than 2^16 inputs");
        self.tree.nodes.push(Node::Cut { input, at: cut.at, above: 0 });
        let (first, second) = places.split_at_mut(below);
        self.add(first);
        let above = number(self.tree.nodes.len());
        self.tree.nodes[here] = Node::Cut { input, at: cut.at, above };
        self.add(second);
    }

    /// Of all inputs, each cut once at random, the cut that leaves the least to tell apart. `None` if these rows are a leaf.
    fn best_cut(&mut self, places: &[u32]) -> Option<Tried> {
        let least = self.settings.least_leaf;
        if places.len() < 2 * least {
            return None;
        }
        let target = |place: &u32| f64::from(self.rows.target(*place));
        let mean = places.iter().map(target).sum::<f64>() / places.len() as f64;
        if places.iter().all(|place| (target(place) - mean).abs() < LEAST_DIFFERENCE) {
            return None;
        }
        self.look_for_bounds(places);
        self.draw_cuts();
        self.add_up_below(places, mean);
        let mut best: Option<Tried> = None;
        let below = self.rows_below.iter().zip(&self.sums_below);
        for (input, (below, sum_below)) in below.enumerate() {
            let below = *below as usize;
            let above = places.len() - below;
            if below < least || above < least {
                continue;
            }
            // What the squares of the means come to: the larger, the less is left within both sides. Their sums are alike but for the sign.
            let sum = f64::from(*sum_below);
            let gain = sum * sum * (1.0 / below as f64 + 1.0 / above as f64);
            if best.is_none_or(|best| gain > best.gain) {
                best = Some(Tried { input, at: self.cuts[input], gain });
            }
        }
        best.filter(|best| best.gain > 1e-9)
    }

    fn look_for_bounds(&mut self, places: &[u32]) {
        self.low.fill(f32::MAX);
        self.high.fill(f32::MIN);
        for place in places {
            widen(&mut self.low, &mut self.high, self.rows.row(*place));
        }
    }

    fn draw_cuts(&mut self) {
        for (cut, (low, high)) in self.cuts.iter_mut().zip(self.low.iter().zip(&self.high)) {
            *cut = NOT_CUT;
            if low < high {
                let at = low + self.random.random::<f32>() * (high - low);
                *cut = if at <= *low { *high } else { at };
            }
        }
    }

    fn add_up_below(&mut self, places: &[u32], mean: f64) {
        self.rows_below.fill(0);
        self.sums_below.fill(0.0);
        for place in places {
            #[expect(clippy::cast_possible_truncation, reason = "a difference of logarithms")]
            let difference = (f64::from(self.rows.target(*place)) - mean) as f32;
            count_below(&mut self.rows_below, &mut self.sums_below, self.rows.row(*place), &self.cuts, difference);
        }
    }
}

/// Makes bounds as wide as this row needs them.
fn widen(low: &mut [f32], high: &mut [f32], row: &[f32]) {
    for ((low, high), value) in low.iter_mut().zip(high).zip(row) {
        *low = if *value < *low { *value } else { *low };
        *high = if *value > *high { *value } else { *high };
    }
}

/// Counts this row wherever it is below. Without a branch: which side a row is on cannot be guessed.
fn count_below(rows: &mut [u32], sums: &mut [f32], row: &[f32], cuts: &[f32], difference: f32) {
    for (((rows, sum), value), cut) in rows.iter_mut().zip(sums).zip(row).zip(cuts) {
        let is_below = *value < *cut;
        // Wrapping, because a check for overflow would stand in the way of doing several inputs at once.
        *rows = rows.wrapping_add(u32::from(is_below));
        *sum += if is_below { difference } else { 0.0 };
    }
}

/// Puts those for which it holds first. Says how many they are.
fn divide(places: &mut [u32], holds: impl Fn(&u32) -> bool) -> usize {
    let mut count = 0;
    for place in 0..places.len() {
        if holds(&places[place]) {
            places.swap(place, count);
            count += 1;
        }
    }
    count
}

fn number(count: usize) -> u32 {
    u32::try_from(count).expect("fewer than 2^32 rows")
}

#[cfg(test)]
mod tests {
    use super::super::rows::Rows;
    use super::*;
    use rand::SeedableRng;

    const INPUTS: usize = 11;

    fn some_rows() -> Vec<([f32; INPUTS], f64)> {
        let mut random = Pcg64::seed_from_u64(3);
        let mut row = || {
            // The first is the same for all, the second hardly ever known.
            let mut row: [f32; INPUTS] = std::array::from_fn(|_| random.random());
            row[0] = 7.0;
            row[1] = if random.random::<f32>() < 0.9 { f32::NAN } else { row[1] };
            (row, 7_200.0 * random.random::<f64>())
        };
        (0..300).map(|_| row()).collect()
    }

    /// The slow way: every input by itself, rows picked out one by one.
    #[test]
    fn the_cut_that_is_kept_is_the_best_of_those_drawn() {
        let given = some_rows();
        let rows = Rows::of(given.iter().map(|(row, wait)| (&row[..], *wait)));
        let settings = ForestSettings { least_leaf: 5, ..ForestSettings::default() };
        let mut growth = Growth::new(&rows, &settings, Pcg64::seed_from_u64(4));
        let places: Vec<u32> = (0..300).filter(|place| place % 3 > 0).chain([4, 4, 4]).collect();
        let found = growth.best_cut(&places).expect("they differ");
        let targets = |places: &[u32]| places.iter().map(|place| f64::from(rows.target(*place))).collect::<Vec<f64>>();
        let within = |targets: &[f64]| {
            let mean = targets.iter().sum::<f64>() / targets.len() as f64;
            targets.iter().map(|target| (target - mean).powi(2)).sum::<f64>()
        };
        let gain = |input: usize| {
            let (below, above): (Vec<u32>, Vec<u32>) =
                places.iter().partition(|place| rows.row(**place)[input] < growth.cuts[input]);
            let is_cut = below.len() >= 5 && above.len() >= 5;
            if is_cut { within(&targets(&places)) - within(&targets(&below)) - within(&targets(&above)) } else { 0.0 }
        };
        let best = (0..INPUTS).max_by(|one, other| gain(*one).total_cmp(&gain(*other))).expect("inputs");
        assert_eq!(found.input, best);
        assert!((found.gain / gain(best) - 1.0).abs() < 1e-3, "{} {}", found.gain, gain(best));
        assert_eq!(growth.cuts[0].to_bits(), NOT_CUT.to_bits(), "nothing to cut");
    }

    #[test]
    fn rows_that_waited_for_as_long_are_a_leaf() {
        let given = some_rows();
        let rows = Rows::of(given.iter().map(|(row, _)| (&row[..], 600.0)));
        let tree = Tree::grow(&rows, &ForestSettings::default(), Pcg64::seed_from_u64(1));
        assert_eq!(tree.nodes.len(), 1);
    }
}

//! A forest that keeps outcomes in its leaves, so that what it says is a distribution, the atom of those who do not wait included.
//!
//! Extremely randomised trees (Geurts, Ernst, Wehenkel 2006): at every node some inputs are drawn, each is cut at a random place, and the cut that
//! tells the logarithms of waits apart best is taken. What a leaf says are the outcomes of the rows in it (quantile regression forests:
//! Meinshausen 2006). None of the maintained libraries we know keeps them, and boosting learns one number a leaf; so this is ours
//! (`docs/adr/0014-one-forecaster.md`).
//!
//! The same rows, settings and seed give the same forest, on any number of threads.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use rayon::prelude::*;

use super::curve::{SPANS, WaitCurve, cell};

/// How a forest is grown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ForestSettings {
    /// How many trees.
    pub trees: u32,
    /// The fewest rows of a leaf.
    pub least_leaf: usize,
    /// The share of inputs that are tried at a node.
    pub inputs_tried: f64,
    /// The share of rows a tree is shown.
    pub rows_shown: f64,
    /// Decides every random number.
    pub seed: u64,
}

impl Default for ForestSettings {
    fn default() -> Self {
        Self { trees: 40, least_leaf: 8, inputs_tried: 0.33, rows_shown: 0.7, seed: 1 }
    }
}

/// Rows to learn from: inputs column by column, and the wait of each row.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    inputs: Vec<Vec<f32>>,
    waits: Vec<f64>,
}

/// What stands for an input that is not known: below everything that is.
pub const UNKNOWN: f32 = -3.0;

impl Rows {
    /// From rows with their waits in seconds.
    pub fn of<'a>(rows: impl Iterator<Item = (&'a [f32], f64)>) -> Self {
        let mut collected = Self::default();
        for (row, wait) in rows {
            collected.inputs.resize(row.len(), Vec::new());
            for (column, value) in collected.inputs.iter_mut().zip(row) {
                column.push(if value.is_finite() { *value } else { UNKNOWN });
            }
            collected.waits.push(wait);
        }
        collected
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.waits.len()
    }
}

/// A forest.
#[derive(Clone, Debug, Default)]
pub struct Forest {
    trees: Vec<Tree>,
}

/// A node: a question, or a leaf.
#[derive(Clone, Copy, Debug)]
enum Node {
    /// Whoever is below goes to the next node, the others to this one.
    Cut { input: u16, at: f32, above: u32 },
    /// The outcomes of these places.
    Leaf { from: u32, to: u32 },
}

#[derive(Clone, Debug)]
struct Tree {
    nodes: Vec<Node>,
    /// The cells of outcomes, leaf by leaf.
    outcomes: Vec<u8>,
}

impl Forest {
    /// Learns.
    pub fn learn(rows: &Rows, settings: &ForestSettings) -> Self {
        let cells: Vec<u8> =
            rows.waits.iter().map(|wait| u8::try_from(cell(*wait)).expect("fewer than 256 spans")).collect();
        #[expect(clippy::cast_possible_truncation, reason = "a logarithm")]
        let targets: Vec<f32> = rows.waits.iter().map(|wait| (wait.max(0.0) + 60.0).ln() as f32).collect();
        let tree = |number: u32| {
            let random = Pcg64::seed_from_u64(settings.seed.wrapping_mul(1_000_003).wrapping_add(u64::from(number)));
            let growth = Growth {
                rows,
                targets: &targets,
                cells: &cells,
                settings,
                random,
                values: vec![],
                targets_here: vec![],
            };
            growth.grow()
        };
        Self { trees: (0..settings.trees).into_par_iter().map(tree).collect() }
    }

    /// How long a job with these inputs waits.
    pub fn curve(&self, row: &[f32]) -> WaitCurve {
        let mut counts = [0.0_f32; SPANS];
        for tree in &self.trees {
            let outcomes = tree.outcomes_of(row);
            let weight = 1.0 / outcomes.len().max(1) as f32;
            for outcome in outcomes {
                counts[usize::from(*outcome)] += weight;
            }
        }
        WaitCurve::of_counts(counts)
    }
}

impl Tree {
    fn outcomes_of(&self, row: &[f32]) -> &[u8] {
        let mut place = 0;
        loop {
            match self.nodes[place] {
                Node::Leaf { from, to } => return &self.outcomes[from as usize..to as usize],
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
    targets: &'a [f32],
    cells: &'a [u8],
    settings: &'a ForestSettings,
    random: Pcg64,
    /// Of the node that is looked at: an input, and the targets. Side by side they are read several times faster than from where they are kept.
    values: Vec<f32>,
    targets_here: Vec<f64>,
}

/// A cut that was tried.
#[derive(Clone, Copy)]
struct Tried {
    input: usize,
    at: f32,
    gain: f64,
}

impl Growth<'_> {
    fn grow(mut self) -> Tree {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a count")]
        let shown = ((self.rows.len() as f64 * self.settings.rows_shown) as usize).clamp(1, self.rows.len().max(1));
        let mut places: Vec<u32> = (0..shown)
            .filter(|_| self.rows.len() > 0)
            .map(|_| u32::try_from(self.random.random_range(0..self.rows.len())).expect("fewer than 2^32 rows"))
            .collect();
        let mut tree = Tree { nodes: Vec::new(), outcomes: Vec::with_capacity(places.len()) };
        let mut inputs: Vec<usize> = (0..self.rows.inputs.len()).collect();
        self.add(&mut tree, &mut places, &mut inputs);
        tree
    }

    fn add(&mut self, tree: &mut Tree, places: &mut [u32], inputs: &mut [usize]) {
        let here = tree.nodes.len();
        let Some(cut) = self.best_cut(places, inputs) else {
            let from = number(tree.outcomes.len());
            tree.outcomes.extend(places.iter().map(|place| self.cells[*place as usize]));
            tree.nodes.push(Node::Leaf { from, to: number(tree.outcomes.len()) });
            return;
        };
        let column = &self.rows.inputs[cut.input];
        let below = divide(places, |place| column[*place as usize] < cut.at);
        let input = u16::try_from(cut.input).expect("fewer than 2^16 inputs");
        tree.nodes.push(Node::Cut { input, at: cut.at, above: 0 });
        let (first, second) = places.split_at_mut(below);
        self.add(tree, first, inputs);
        let above = number(tree.nodes.len());
        tree.nodes[here] = Node::Cut { input, at: cut.at, above };
        self.add(tree, second, inputs);
    }

    /// Of random inputs, each cut once at random, the cut that leaves the least to tell apart. `None` if these rows are a leaf.
    fn best_cut(&mut self, places: &[u32], inputs: &mut [usize]) -> Option<Tried> {
        let least = self.settings.least_leaf;
        if places.len() < 2 * least {
            return None;
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a count")]
        let wanted = ((inputs.len() as f64 * self.settings.inputs_tried).ceil() as usize).max(1);
        let Self { rows, targets, random, values, targets_here, .. } = self;
        targets_here.clear();
        targets_here.extend(places.iter().map(|place| f64::from(targets[*place as usize])));
        let sum: f64 = targets_here.iter().sum();
        let mut best: Option<Tried> = None;
        let mut tried = 0;
        for place in 0..inputs.len() {
            if tried == wanted {
                break;
            }
            let other = random.random_range(place..inputs.len());
            inputs.swap(place, other);
            let input = inputs[place];
            let column = &rows.inputs[input];
            values.clear();
            values.extend(places.iter().map(|place| column[*place as usize]));
            let (mut low, mut high) = (f32::MAX, f32::MIN);
            for value in values.iter() {
                low = if *value < low { *value } else { low };
                high = if *value > high { *value } else { high };
            }
            // An input that is the same for all of them is not one that was tried.
            if low >= high {
                continue;
            }
            tried += 1;
            let at = low + random.random::<f32>() * (high - low);
            let at = if at <= low { high } else { at };
            let (mut below, mut sum_below) = (0_usize, 0.0_f64);
            for (value, target) in values.iter().zip(targets_here.iter()) {
                // Without a branch: which side a row is on cannot be guessed.
                let is_below = *value < at;
                below += usize::from(is_below);
                sum_below += if is_below { *target } else { 0.0 };
            }
            let above = places.len() - below;
            if below < least || above < least {
                continue;
            }
            let sum_above = sum - sum_below;
            // What the squares of the means come to: the larger, the less is left within both sides.
            let gain = sum_below * sum_below / below as f64 + sum_above * sum_above / above as f64
                - sum * sum / places.len() as f64;
            if best.is_none_or(|best| gain > best.gain) {
                best = Some(Tried { input, at, gain });
            }
        }
        best.filter(|best| best.gain > 1e-9)
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
    use super::*;

    /// Whoever's first input is below 50 waits for half an hour or not at all, the others for ten hours; the second says nothing, the third
    /// is often not known.
    fn rows() -> Rows {
        let rows: Vec<([f32; 3], f64)> = (0..2_000_u16)
            .map(|row| {
                let first = f32::from(row % 100);
                let wait = if first >= 50.0 {
                    36_000.0
                } else if row % 3 == 0 {
                    0.0
                } else {
                    1_800.0
                };
                ([first, f32::from(row * 7 % 13), if row % 2 == 0 { f32::NAN } else { 1.0 }], wait)
            })
            .collect();
        Rows::of(rows.iter().map(|(row, wait)| (&row[..], *wait)))
    }

    #[test]
    fn what_decides_waits_is_found_with_those_who_do_not_wait() {
        let forest = Forest::learn(&rows(), &ForestSettings::default());
        let short = forest.curve(&[20.0, 3.0, f32::NAN]);
        assert!((short.place_of(0.0).1 - 1.0 / 3.0).abs() < 0.1, "{:?}", short.place_of(0.0));
        assert!((short.quantile(0.6) / 1_800.0 - 1.0).abs() < 0.16, "{}", short.quantile(0.6));
        let long = forest.curve(&[80.0, 3.0, 1.0]);
        assert!((long.quantile(0.5) / 36_000.0 - 1.0).abs() < 0.16, "{}", long.quantile(0.5));
    }

    #[test]
    fn threads_do_not_change_what_is_learnt() {
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
            pool.install(|| Forest::learn(&rows(), &ForestSettings::default()).curve(&[49.0, 3.0, 1.0]))
        };
        assert_eq!(on(1), on(4));
    }

    #[test]
    fn few_rows_or_none_are_a_leaf() {
        let few = Rows::of([(&[1.0_f32][..], 600.0)].into_iter());
        assert!(
            (Forest::learn(&few, &ForestSettings::default()).curve(&[5.0]).quantile(0.5) / 600.0 - 1.0).abs() < 0.16
        );
        let none = Forest::learn(&Rows::default(), &ForestSettings::default());
        assert!(none.curve(&[5.0]).quantile(0.9).abs() < 1e-9);
    }
}

//! Rows that a forest is grown from: what was known of a job, and how long it then waited. As a tree reads them, not as they come.

use super::curve::cell;
use super::forest::UNKNOWN;

/// The rows.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    /// Row after row: a node looks at all inputs of some rows.
    values: Vec<f32>,
    inputs: usize,
    /// Logarithms of waits: what a tree tells apart.
    targets: Vec<f32>,
    /// Cells of waits: what a leaf keeps.
    cells: Vec<u8>,
}

impl Rows {
    /// From rows of the same inputs, with their waits in seconds.
    pub fn of<'a>(rows: impl Iterator<Item = (&'a [f32], f64)>) -> Self {
        let mut collected = Self::default();
        for (row, wait) in rows {
            collected.inputs = row.len();
            collected.values.extend(row.iter().map(|value| if value.is_finite() { *value } else { UNKNOWN }));
            #[expect(clippy::cast_possible_truncation, reason = "a logarithm")]
            collected.targets.push((wait.max(0.0) + 60.0).ln() as f32);
            collected.cells.push(byte_of_cell(wait));
        }
        collected
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// How many inputs each has.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// A row's inputs.
    pub fn row(&self, place: u32) -> &[f32] {
        let from = place as usize * self.inputs;
        &self.values[from..from + self.inputs]
    }

    /// What is to be told of a row.
    pub fn target(&self, place: u32) -> f32 {
        self.targets[place as usize]
    }

    /// What a leaf keeps of it.
    pub fn cell(&self, place: u32) -> u8 {
        self.cells[place as usize]
    }
}

/// What a leaf keeps of a wait.
pub fn byte_of_cell(wait_seconds: f64) -> u8 {
    u8::try_from(cell(wait_seconds)).expect("fewer than 256 spans")
}

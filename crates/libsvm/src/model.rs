//! A model that cannot be misused.
//!
//! For: training, and asking for probabilities. Not for: finding the library (`library`).

use std::ffi::{CStr, c_char, c_double, c_int, c_uint};
use std::ptr::{self, NonNull};
use std::sync::{Mutex, PoisonError};

use crate::library::{Library, Node, Parameter, Problem, RawModel};

const C_SUPPORT_VECTOR_CLASSIFICATION: c_int = 0;
/// Ends a row.
const END_OF_ROW: c_int = -1;
/// Platt's cross-validation shuffles with the C library's generator: every training begins from here.
const SEED: c_uint = 1;

unsafe extern "C" {
    fn srand(seed: c_uint);
}

/// libsvm reports its progress to standard output unless told otherwise.
unsafe extern "C" fn say_nothing(_text: *const c_char) {}

/// The generator behind the shuffling belongs to the whole process: one training at a time, or none is repeatable.
static TRAINING: Mutex<()> = Mutex::new(());

/// How alike two rows are. Polynomials and sigmoids are of the rows' product alone: what `svm.h` calls `coef0` is zero, as
/// it is by default there and in scikit-learn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kernel {
    /// It falls with the squared distance.
    Radial,
    /// A power of the product.
    Polynomial {
        /// Which.
        degree: u8,
    },
    /// The hyperbolic tangent of the product.
    Sigmoid,
}

impl Kernel {
    /// As `svm.h` numbers them, and the degree, which only polynomials have.
    fn as_in_c(self) -> (c_int, c_int) {
        match self {
            Self::Polynomial { degree } => (1, degree.into()),
            Self::Radial => (2, 0),
            Self::Sigmoid => (3, 0),
        }
    }
}

/// How to train.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// How alike two rows are.
    pub kernel: Kernel,
    /// What a misclassified row costs, `C`.
    pub cost: f64,
    /// What the kernel multiplies the squared distance, or the product, of two rows with.
    pub gamma: f64,
    /// When to stop; libsvm's own default is 0.001.
    pub tolerance: f64,
    /// Room for rows of the kernel matrix.
    pub cache_megabytes: f64,
}

/// Why there is no model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TrainingError {
    /// Rows and labels must be as many, rows whole, and there must be some.
    #[error("{values} values in rows of {columns} do not fit {labels} labels")]
    Shape {
        /// How many values were given.
        values: usize,
        /// How many make a row.
        columns: usize,
        /// How many labels were given.
        labels: usize,
    },
    /// Nothing to tell apart.
    #[error("all rows have the same label")]
    OneLabel,
    /// A value that is no number.
    #[error("a value is not finite")]
    NotFinite,
    /// libsvm's own objection.
    #[error("libsvm: {0}")]
    Refused(String),
}

/// A trained classifier.
#[derive(Debug)]
pub struct Model {
    library: &'static Library,
    raw: NonNull<RawModel>,
    labels: Vec<i32>,
    columns: usize,
    /// libsvm's support vectors point into these: they live as long as the model and never move.
    _rows: Vec<Node>,
}

// SAFETY: the model and the rows it points into belong to this value alone, and libsvm keeps no thread's state in them.
unsafe impl Send for Model {}

impl Model {
    /// Trains on rows, one after another, with a label each. The same input gives the same model.
    pub fn train(
        library: &'static Library,
        values: &[f64],
        columns: usize,
        labels: &[i32],
        settings: Settings,
    ) -> Result<Self, TrainingError> {
        let shape = TrainingError::Shape { values: values.len(), columns, labels: labels.len() };
        let (Ok(rows), Ok(_)) = (c_int::try_from(labels.len()), c_int::try_from(columns)) else { return Err(shape) };
        if columns == 0 || rows == 0 || columns.checked_mul(labels.len()) != Some(values.len()) {
            return Err(shape);
        }
        if labels.iter().all(|label| *label == labels[0]) {
            return Err(TrainingError::OneLabel);
        }
        if values.iter().any(|value| !value.is_finite()) {
            return Err(TrainingError::NotFinite);
        }
        let mut nodes: Vec<Node> = values.chunks_exact(columns).flat_map(nodes_of).collect();
        let mut starts: Vec<*mut Node> = nodes.chunks_exact_mut(columns + 1).map(<[Node]>::as_mut_ptr).collect();
        let mut targets: Vec<c_double> = labels.iter().copied().map(c_double::from).collect();
        let problem = Problem { rows, labels: targets.as_mut_ptr(), nodes: starts.as_mut_ptr() };
        let (kernel_type, degree) = settings.kernel.as_in_c();
        let parameter = Parameter {
            svm_type: C_SUPPORT_VECTOR_CLASSIFICATION,
            kernel_type,
            degree,
            gamma: settings.gamma,
            coef0: 0.0,
            cache_size: settings.cache_megabytes,
            eps: settings.tolerance,
            cost: settings.cost,
            nr_weight: 0,
            weight_label: ptr::null_mut(),
            weight: ptr::null_mut(),
            nu: 0.5,
            p: 0.1,
            shrinking: 1,
            probability: 1,
        };
        let svm = &library.functions;
        let raw = {
            let _alone = TRAINING.lock().unwrap_or_else(PoisonError::into_inner);
            // SAFETY: the function pointer is valid for the whole process.
            unsafe { (svm.set_print_string_function)(Some(say_nothing)) };
            // SAFETY: problem and parameter are whole and their pointers alive; libsvm only reads them.
            let objection = unsafe { (svm.check_parameter)(&raw const problem, &raw const parameter) };
            if !objection.is_null() {
                // SAFETY: a non-null answer is a constant, ended C string.
                let objection = unsafe { CStr::from_ptr(objection) };
                return Err(TrainingError::Refused(objection.to_string_lossy().into_owned()));
            }
            // SAFETY: plain calls; every row ends with END_OF_ROW, and there are as many rows and labels as stated.
            unsafe {
                srand(SEED);
                (svm.train)(&raw const problem, &raw const parameter)
            }
        };
        let raw = NonNull::new(raw).ok_or_else(|| TrainingError::Refused("no model".to_owned()))?;
        let mut model = Self { library, raw, labels: Vec::new(), columns, _rows: nodes };
        // SAFETY: the model is alive.
        let (classes, knows) =
            unsafe { ((svm.get_nr_class)(raw.as_ptr()), (svm.check_probability_model)(raw.as_ptr())) };
        if knows == 0 {
            return Err(TrainingError::Refused("the model has no probabilities".to_owned()));
        }
        model.labels = vec![0; usize::try_from(classes).unwrap_or(0)];
        // SAFETY: libsvm writes as many labels as it has classes, and there is room for them.
        unsafe { (svm.get_labels)(raw.as_ptr(), model.labels.as_mut_ptr()) };
        Ok(model)
    }

    /// How likely each label is for a row, in libsvm's order of labels (that of their first rows). Values that the row
    /// lacks count as zero, values beyond the columns of the training are left out.
    pub fn probabilities(&self, row: &[f64]) -> impl Iterator<Item = (i32, f64)> + '_ {
        let nodes: Vec<Node> = nodes_of(&row[..row.len().min(self.columns)]).collect();
        let mut probabilities = vec![0.0; self.labels.len()];
        // SAFETY: the model is alive, the row is ended, and there is room for one probability a class.
        unsafe {
            (self.library.functions.predict_probability)(self.raw.as_ptr(), nodes.as_ptr(), probabilities.as_mut_ptr())
        };
        self.labels.iter().copied().zip(probabilities)
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        let mut raw = self.raw.as_ptr();
        // SAFETY: made by `svm_train`, freed once; the rows are ours and libsvm leaves them alone.
        unsafe { (self.library.functions.free_and_destroy_model)(&raw mut raw) };
    }
}

/// A row in libsvm's form, with its end.
fn nodes_of(row: &[f64]) -> impl Iterator<Item = Node> + '_ {
    let values = (1..).zip(row).map(|(index, value)| Node { index, value: *value });
    values.chain(std::iter::once(Node { index: END_OF_ROW, value: 0.0 }))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTINGS: Settings =
        Settings { kernel: Kernel::Radial, cost: 1.0, gamma: 1.0, tolerance: 1e-3, cache_megabytes: 10.0 };

    fn train(values: &[f64], columns: usize, labels: &[i32], settings: Settings) -> Result<Model, TrainingError> {
        let library = Library::of_this_machine().expect("apt-get install libsvm3");
        Model::train(library, values, columns, labels, settings)
    }

    /// Three clouds on a line, with labels that are neither sorted nor dense.
    fn clouds() -> (Vec<f64>, Vec<i32>) {
        let labels: Vec<i32> = [5, 0, 3].into_iter().cycle().take(300).collect();
        let values = labels.iter().zip(0..).flat_map(|(label, row)| {
            [f64::from(*label) + 0.4 * f64::from(row % 7) / 7.0, 0.2 * f64::from(row % 11) / 11.0]
        });
        (values.collect(), labels)
    }

    #[test]
    fn clouds_that_lie_apart_are_told_apart() {
        let (values, labels) = clouds();
        for kernel in [Kernel::Radial, Kernel::Polynomial { degree: 3 }] {
            clouds_are_told_apart(&values, &labels, kernel);
        }
    }

    fn clouds_are_told_apart(values: &[f64], labels: &[i32], kernel: Kernel) {
        let model = train(values, 2, labels, Settings { kernel, ..SETTINGS }).unwrap();
        for label in [0, 3, 5] {
            let probabilities: Vec<(i32, f64)> = model.probabilities(&[f64::from(label) + 0.2, 0.1]).collect();
            let total: f64 = probabilities.iter().map(|(_, share)| share).sum();
            assert!((total - 1.0).abs() < 1e-6);
            let (named, share) = probabilities.into_iter().max_by(|one, other| one.1.total_cmp(&other.1)).unwrap();
            assert!(named == label && share > 0.8, "{kernel:?}: {named} {share}");
        }
    }

    /// A sigmoid is blind to how far out a row lies; which side it is on it sees.
    #[test]
    fn a_sigmoid_tells_sides_apart() {
        let (values, labels): (Vec<f64>, Vec<i32>) =
            clouds().1.iter().map(|label| if *label == 0 { (-1.0, 0) } else { (1.0, 1) }).unzip();
        let sigmoid = Settings { kernel: Kernel::Sigmoid, ..SETTINGS };
        let model = train(&values, 1, &labels, sigmoid).unwrap();
        for (value, label) in [(-1.0, 0), (1.0, 1)] {
            let share = model.probabilities(&[value]).find(|(named, _)| *named == label).unwrap().1;
            assert!(share > 0.8, "{share}");
        }
    }

    #[test]
    fn training_twice_gives_the_same_probabilities() {
        let (values, labels) = clouds();
        let answers: Vec<Vec<(i32, f64)>> = (0..2)
            .map(|_| train(&values, 2, &labels, SETTINGS).unwrap().probabilities(&[1.5, 0.0]).collect())
            .collect();
        assert_eq!(answers[0], answers[1]);
    }

    #[test]
    fn what_cannot_be_trained_is_refused() {
        let refused = |values: &[f64], columns, labels: &[i32], settings| {
            train(values, columns, labels, settings).map(|_| ()).unwrap_err()
        };
        assert!(matches!(refused(&[1.0, 2.0, 3.0], 2, &[0, 1], SETTINGS), TrainingError::Shape { .. }));
        assert!(matches!(refused(&[], 0, &[], SETTINGS), TrainingError::Shape { .. }));
        assert_eq!(refused(&[1.0, 2.0], 1, &[4, 4], SETTINGS), TrainingError::OneLabel);
        assert_eq!(refused(&[1.0, f64::NAN], 1, &[4, 5], SETTINGS), TrainingError::NotFinite);
        let costless = Settings { cost: 0.0, ..SETTINGS };
        assert_eq!(refused(&[1.0, 2.0], 1, &[4, 5], costless), TrainingError::Refused("C <= 0".to_owned()));
    }
}

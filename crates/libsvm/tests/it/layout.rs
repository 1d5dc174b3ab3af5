//! The layouts are the library's own: nobody compares the declarations with `svm.h` when nothing is linked, so that the
//! library is asked what it sees in each field that it looks at.

use queuecast_libsvm::{Kernel, Library, Model, Settings, TrainingError};

const SETTINGS: Settings =
    Settings { kernel: Kernel::Radial, cost: 1.0, gamma: 1.0, tolerance: 1e-3, cache_megabytes: 10.0 };

fn objection(settings: Settings) -> String {
    let library = Library::of_this_machine().expect("apt-get install libsvm3");
    match Model::train(library, &[1.0, 2.0], 1, &[4, 5], settings) {
        Err(TrainingError::Refused(objection)) => objection,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_library_sees_every_setting_where_it_is() {
    let settings = [
        (Settings { gamma: -1.0, ..SETTINGS }, "gamma < 0"),
        (Settings { cache_megabytes: 0.0, ..SETTINGS }, "cache_size <= 0"),
        (Settings { tolerance: 0.0, ..SETTINGS }, "eps <= 0"),
        (Settings { cost: 0.0, ..SETTINGS }, "C <= 0"),
    ];
    for (settings, expected) in settings {
        assert_eq!(objection(settings), expected);
    }
}

/// The degree stands between two numbers of another size; of one value a cube is another power than a line.
#[test]
fn the_library_sees_the_degree() {
    let library = Library::of_this_machine().expect("apt-get install libsvm3");
    let values: Vec<f64> = (0..200).map(|row| f64::from(row % 20) / 10.0 - 1.0).collect();
    // Outside is one class and inside the other: an even power of one value tells them apart, and an odd one cannot.
    let labels: Vec<i32> = values.iter().map(|value| i32::from(value.abs() > 0.55)).collect();
    let share_outside = |degree| {
        let settings = Settings { kernel: Kernel::Polynomial { degree }, cost: 100.0, ..SETTINGS };
        let model = Model::train(library, &values, 1, &labels, settings).expect("two classes");
        model.probabilities(&[-0.9]).find(|(label, _)| *label == 1).expect("a class").1
    };
    assert!(share_outside(2) > 0.9, "{}", share_outside(2));
    assert!(share_outside(3) < 0.9, "{}", share_outside(3));
}

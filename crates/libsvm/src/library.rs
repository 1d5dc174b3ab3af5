//! libsvm as it is found on the machine, and what `svm.h` declares, as far as it is used.
//!
//! For: finding the shared library, refusing one whose layouts are not known, and keeping its functions. Not for: calling
//! them (`model`).
//!
//! Layouts are those of libsvm 3.x: nodes, problems and parameters are the same from 3.0 to 3.37. The model has changed, and
//! stays opaque.

use std::ffi::{OsStr, OsString, c_char, c_double, c_int};
use std::fmt;
use std::ops::Range;
use std::sync::OnceLock;

use libloading::Library as Handle;

/// Names the file of the library where it is not the system's: on many clusters nobody may install anything.
pub const FILE_VARIABLE: &str = "QCAST_LIBSVM";

/// Debian's name, then those of libsvm's own makefile, old and new, and what a compiler would link with.
const NAMES: [&str; 4] = ["libsvm.so.3", "libsvm.so.4", "libsvm.so.2", "libsvm.so"];
/// As `svm.h` counts: 324 is 3.24. What comes after 3.x may have other layouts.
const KNOWN_VERSIONS: Range<c_int> = 300..400;

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub index: c_int,
    pub value: c_double,
}

#[repr(C)]
pub(crate) struct Problem {
    pub rows: c_int,
    pub labels: *mut c_double,
    pub nodes: *mut *mut Node,
}

#[repr(C)]
pub(crate) struct Parameter {
    pub svm_type: c_int,
    pub kernel_type: c_int,
    pub degree: c_int,
    pub gamma: c_double,
    pub coef0: c_double,
    pub cache_size: c_double,
    pub eps: c_double,
    pub cost: c_double,
    pub nr_weight: c_int,
    pub weight_label: *mut c_int,
    pub weight: *mut c_double,
    pub nu: c_double,
    pub p: c_double,
    pub shrinking: c_int,
    pub probability: c_int,
}

/// Only ever behind a pointer.
#[repr(C)]
pub(crate) struct RawModel {
    _opaque: [u8; 0],
}

pub(crate) type Print = Option<unsafe extern "C" fn(*const c_char)>;

/// The functions of `svm.h` that are used.
#[derive(Clone, Copy)]
pub(crate) struct Functions {
    pub train: unsafe extern "C" fn(*const Problem, *const Parameter) -> *mut RawModel,
    pub check_parameter: unsafe extern "C" fn(*const Problem, *const Parameter) -> *const c_char,
    pub check_probability_model: unsafe extern "C" fn(*const RawModel) -> c_int,
    pub get_nr_class: unsafe extern "C" fn(*const RawModel) -> c_int,
    pub get_labels: unsafe extern "C" fn(*const RawModel, *mut c_int),
    pub predict_probability: unsafe extern "C" fn(*const RawModel, *const Node, *mut c_double) -> c_double,
    pub free_and_destroy_model: unsafe extern "C" fn(*mut *mut RawModel),
    pub set_print_string_function: unsafe extern "C" fn(Print),
}

/// libsvm, loaded.
pub struct Library {
    version: c_int,
    pub(crate) functions: Functions,
    /// The functions are its: it stays as long as they do.
    _handle: Handle,
}

/// Why there is no libsvm.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LibraryError {
    /// A static program has no loader to do it with.
    #[error(
        "support vector machines need the library libsvm, and this qcast is a static program, which cannot load one"
    )]
    Static,
    /// Under none of its names.
    #[error("support vector machines need the library libsvm, and it cannot be loaded ({0})")]
    Missing(String),
    /// A library, and not this one.
    #[error("{file} is not libsvm: {said}")]
    Another {
        /// Which file.
        file: String,
        /// What is wrong with it.
        said: String,
    },
    /// Its layouts are not known.
    #[error("{file} is libsvm {version}, and only versions 300 to 399 (3.x) are understood")]
    Version {
        /// Which file.
        file: String,
        /// As it says itself.
        version: i32,
    },
}

impl LibraryError {
    /// What to do next.
    pub fn hint(&self) -> String {
        match self {
            Self::Static => {
                "use a qcast that is linked with the system's C library: cargo build --release in its source".to_owned()
            }
            _ => format!(
                "apt-get install libsvm3 (Debian, Ubuntu), or name the file of another copy of libsvm 3.x in {FILE_VARIABLE}"
            ),
        }
    }
}

impl Library {
    /// The one of this machine, loaded when it is first asked for and kept: that of [`FILE_VARIABLE`], else the system's.
    pub fn of_this_machine() -> Result<&'static Self, LibraryError> {
        static LOADED: OnceLock<Result<Library, LibraryError>> = OnceLock::new();
        let loaded = LOADED.get_or_init(|| Self::first_of(std::env::var_os(FILE_VARIABLE)));
        loaded.as_ref().map_err(Clone::clone)
    }

    /// As it says itself: 324 is 3.24.
    pub fn version(&self) -> i32 {
        self.version
    }

    fn first_of(named: Option<OsString>) -> Result<Self, LibraryError> {
        if cfg!(target_feature = "crt-static") {
            return Err(LibraryError::Static);
        }
        let Some(named) = named else {
            let mut tried = NAMES.iter().map(|name| Self::open(OsStr::new(name)));
            // What the first name met is told: the others are only tried for it.
            let first = tried.next().expect("there are names");
            return match first {
                Err(why) => tried.find_map(Result::ok).ok_or(why),
                found => found,
            };
        };
        Self::open(&named)
    }

    fn open(file: &OsStr) -> Result<Self, LibraryError> {
        // SAFETY: loading runs the library's initialisers. Those of libsvm are C++'s own, and whoever can put another
        // library in its place could put another program in ours.
        let handle = unsafe { Handle::new(file) }.map_err(|error| LibraryError::Missing(told(&error)))?;
        let file = file.to_string_lossy().into_owned();
        let another = |error: libloading::Error| LibraryError::Another { file: file.clone(), said: told(&error) };
        // SAFETY: every libsvm exports its version as an int, which nobody writes.
        let version = unsafe { handle.get::<*const c_int>("libsvm_version").map(|version| **version) };
        let version = version.map_err(another)?;
        if !KNOWN_VERSIONS.contains(&version) {
            return Err(LibraryError::Version { file, version });
        }
        // SAFETY: the signatures are those that `svm.h` declares in this version.
        let functions = unsafe { Functions::of(&handle) }.map_err(another)?;
        Ok(Self { version, functions, _handle: handle })
    }
}

impl Functions {
    /// # Safety
    ///
    /// The library is libsvm 3.x.
    unsafe fn of(handle: &Handle) -> Result<Self, libloading::Error> {
        // SAFETY: by what whoever calls promises, each name stands for a function of the type it is taken for.
        unsafe {
            Ok(Self {
                train: *handle.get("svm_train")?,
                check_parameter: *handle.get("svm_check_parameter")?,
                check_probability_model: *handle.get("svm_check_probability_model")?,
                get_nr_class: *handle.get("svm_get_nr_class")?,
                get_labels: *handle.get("svm_get_labels")?,
                predict_probability: *handle.get("svm_predict_probability")?,
                free_and_destroy_model: *handle.get("svm_free_and_destroy_model")?,
                set_print_string_function: *handle.get("svm_set_print_string_function")?,
            })
        }
    }
}

/// With what the system says, which is behind the error and not in its own words.
fn told(error: &libloading::Error) -> String {
    std::error::Error::source(error).map_or_else(|| error.to_string(), ToString::to_string)
}

impl fmt::Debug for Library {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Library").field("version", &self.version).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_of_this_machine_is_one_whose_layouts_are_known() {
        let library = Library::of_this_machine().expect("apt-get install libsvm3");
        assert!(KNOWN_VERSIONS.contains(&library.version()), "{library:?}");
    }

    #[test]
    fn a_file_that_is_not_there_is_named_with_what_to_do() {
        let error = Library::first_of(Some("/no/such/libsvm.so".into())).unwrap_err();
        assert!(matches!(&error, LibraryError::Missing(why) if why.contains("/no/such/libsvm.so")), "{error}");
        assert!(error.hint().contains("apt-get install libsvm3") && error.hint().contains(FILE_VARIABLE));
    }

    #[test]
    fn another_library_is_not_taken_for_it() {
        let error = Library::first_of(Some("libm.so.6".into())).unwrap_err();
        assert!(matches!(&error, LibraryError::Another { said, .. } if said.contains("libsvm_version")), "{error}");
    }

    #[test]
    fn only_versions_with_these_layouts_are_known() {
        assert_eq!([299, 300, 337, 400].map(|version| KNOWN_VERSIONS.contains(&version)), [false, true, true, false]);
    }
}

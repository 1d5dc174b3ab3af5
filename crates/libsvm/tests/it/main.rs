//! The C interface of libsvm.

mod layout;

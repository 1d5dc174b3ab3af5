//! The examples run as their README says.

mod run;

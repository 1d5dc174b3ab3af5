//! The Standard Workload Format: 18 numbers a line, `;` comments, `-1` for what is not known.
//!
//! For: reading any log that calls itself SWF without trusting it, writing one that every other tool reads, and
//! turning its records into the product's own nouns.
//!
//! Not for: deciding which jobs are worth keeping ([`crate::clean`]), in what order they come
//! ([`crate::order`]) or how a file is compressed ([`crate::files`]).
//!
//! Source: the format's definition at the Parallel Workloads Archive (version 2.2), and what the archive's logs
//! really hold: tabs, leading blanks, decimals in CPU times, header values with remarks behind the number.
//!
//! ```
//! use queuecast_workload::swf::{Line, SwfReader};
//!
//! let log = "; MaxProcs: 100\n1 0 5 60 4 -1 -1 4 120 -1 1 7 -1 -1 -1 -1 -1 -1\n";
//! let mut reader = SwfReader::new(log.as_bytes())?;
//! assert_eq!(reader.header().max_procs(), Some(100));
//! let Some(Line::Job(record)) = reader.next_line()? else { panic!("the second line is a job") };
//! assert_eq!(record.run_time, 60);
//! # Ok::<(), std::io::Error>(())
//! ```

mod bad_line;
mod convert;
mod header;
mod number;
mod read;
mod record;
mod write;

pub use bad_line::{BadLine, LINE_BYTES_MAX, Reason};
pub use convert::Unusable;
pub use header::{Comment, SwfHeader};
pub use read::{Line, SwfReader};
pub use record::{Field, SwfRecord};
pub use write::SwfWriter;

//! JSON: `--json` of Slurm's commands and the bodies of slurmrestd.
//!
//! For: documents of Slurm 22.05 (v0.0.38: plain numbers, a state is a word) and of v0.0.40 to v0.0.45 (23.11 to 26.05:
//! numbers as `{"set","infinite","number"}`, states as arrays), also in their `+complex` form (plain numbers,
//! `"Infinity"`). The two are told apart field by field, for sites mix them.
//!
//! Not for: `sinfo --json` from v0.0.40 on, which tells of groups of nodes (ask REST `/nodes` or `scontrol show nodes
//! --json`); documents beyond memory (accounting of years is better exported as text).
//!
//! A job is 5 to 13 kB of text and many times that as a tree of values, so no tree is made of a whole document: its parts stay text, and lists are decoded one element at a time.
//!
//! Source: the samples of 22.05.8, 24.11.7 and 26.05.3 that `tests/shared_samples.rs` reads. Fields that are not known are passed
//! over; one that a record cannot do without is reported with its path, and costs that record only.

#![expect(
    clippy::redundant_closure_for_method_calls,
    reason = "the method itself is of one lifetime, and a closure of any"
)]

mod accounting_job;
mod association;
mod diagnostics;
mod field;
mod layout;
mod list;
mod node;
mod number;
mod partition;
mod qos;
mod queue_job;
mod reservation;
mod share;
mod user;

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use serde_json::Value;
use serde_json::value::RawValue;

use field::Field;
pub use field::Problem;
use queuecast_records::{
    AssociationRecord, Diagnostics, JobRecord, NodeRecord, PartitionRecord, QosRecord, ReservationRecord, ShareRecord,
    UserRecord,
};

/// Why bytes are not a document of Slurm's.
#[derive(Debug, thiserror::Error)]
pub enum DocumentError {
    /// Not JSON. slurmrestd answers 401 and 404 in plain text.
    #[error("not JSON: {0}; slurmrestd answers in plain text when it refuses")]
    NotJson(#[from] serde_json::Error),
    /// JSON of something else.
    #[error("{0}")]
    NotThat(String),
}

/// Records, and what could not be read.
#[derive(Clone, Debug, PartialEq)]
pub struct Decoded<T> {
    /// The records that could.
    pub records: Vec<T>,
    /// What is wrong with the others, of the first thousand.
    pub problems: Vec<Problem>,
    /// How many others there are.
    pub bad_records: u64,
}

/// A document of Slurm's.
#[derive(Clone, Debug)]
pub struct Document {
    text: String,
    /// Where each of its parts is in the text.
    parts: HashMap<String, Range<usize>>,
}

impl Document {
    /// Reads a document. Nesting deeper than 128 is refused. A job's name may be any bytes, and Slurm prints them as they
    /// are: what is not UTF-8 is replaced, or one user's job would hide the whole queue.
    pub fn parse(bytes: &[u8]) -> Result<Self, DocumentError> {
        Self::read(bytes.to_owned())
    }

    /// The same of bytes that are given away.
    pub fn read(bytes: Vec<u8>) -> Result<Self, DocumentError> {
        let text = String::from_utf8(bytes)
            .unwrap_or_else(|not_text| String::from_utf8_lossy(not_text.as_bytes()).into_owned());
        let raw: HashMap<Cow<'_, str>, &RawValue> =
            serde_json::from_str(&text).map_err(|error| match serde_json::from_str::<&RawValue>(&text) {
                Ok(_) => DocumentError::NotThat("not a JSON object".to_owned()),
                Err(_) => DocumentError::NotJson(error),
            })?;
        let part = |value: &RawValue| {
            let from = value.get().as_ptr() as usize - text.as_ptr() as usize;
            from..from + value.get().len()
        };
        let parts = raw.into_iter().map(|(name, value)| (name.into_owned(), part(value))).collect();
        Ok(Self { text, parts })
    }

    /// A part as text.
    fn part(&self, name: &str) -> Option<&str> {
        self.text.get(self.parts.get(name)?.clone())
    }

    /// A small part as a tree of values.
    fn value(&self, name: &str) -> Option<Value> {
        serde_json::from_str(self.part(name)?).ok()
    }

    /// The errors Slurm reports in the document: they come with HTTP 200 too, so always look.
    pub fn errors(&self) -> Vec<String> {
        self.messages("errors")
    }

    /// The warnings Slurm reports.
    pub fn warnings(&self) -> Vec<String> {
        self.messages("warnings")
    }

    /// Slurm's release, `26.05.3`.
    pub fn release(&self) -> Option<String> {
        self.meta()?.get("release")?.as_str().map(str::to_owned)
    }

    /// The cluster the document is from, where it says so.
    pub fn cluster(&self) -> Option<String> {
        self.meta()?.get("cluster")?.as_str().filter(|name| !name.is_empty()).map(str::to_owned)
    }

    /// The jobs, of `squeue`, `scontrol show job`, `sacct` or REST: each tells by itself which it is.
    pub fn jobs(&self) -> Result<Decoded<JobRecord>, DocumentError> {
        let cluster = self.cluster();
        self.list("jobs", |job| {
            let mut record = if job.has("time") { accounting_job::decode(job)? } else { queue_job::decode(job)? };
            if record.key.cluster.is_empty() {
                cluster.as_deref().unwrap_or_default().clone_into(&mut record.key.cluster);
            }
            Ok(record)
        })
    }

    /// The nodes, of 22.05's `sinfo` or of REST.
    pub fn nodes(&self) -> Result<Decoded<NodeRecord>, DocumentError> {
        if self.parts.contains_key("sinfo") {
            let message = "`sinfo --json` of this version tells of groups of nodes; ask REST /nodes, or `scontrol \
                           show nodes --json`";
            return Err(DocumentError::NotThat(message.to_owned()));
        }
        self.list("nodes", node::decode)
    }

    /// The partitions.
    pub fn partitions(&self) -> Result<Decoded<PartitionRecord>, DocumentError> {
        self.list("partitions", partition::decode)
    }

    /// The reservations.
    pub fn reservations(&self) -> Result<Decoded<ReservationRecord>, DocumentError> {
        self.list("reservations", reservation::decode)
    }

    /// The qualities of service. The list's own name is in capitals in 22.05.
    pub fn qos(&self) -> Result<Decoded<QosRecord>, DocumentError> {
        self.list(if self.parts.contains_key("QOS") { "QOS" } else { "qos" }, qos::decode)
    }

    /// The associations of accounting.
    pub fn associations(&self) -> Result<Decoded<AssociationRecord>, DocumentError> {
        self.list("associations", association::decode)
    }

    /// What everybody was meant to have and what they used. The list is within an object of the same name.
    pub fn shares(&self) -> Result<Decoded<ShareRecord>, DocumentError> {
        let within = self
            .part("shares")
            .and_then(|shares| serde_json::from_str::<HashMap<Cow<'_, str>, &RawValue>>(shares).ok());
        match within.as_ref().and_then(|within| within.get("shares")) {
            Some(shares) => list::decode(&["shares", "shares"], Some(shares.get()), share::decode),
            None => self.list("shares", share::decode),
        }
    }

    /// The users of accounting.
    pub fn users(&self) -> Result<Decoded<UserRecord>, DocumentError> {
        self.list("users", user::decode)
    }

    /// The scheduler's figures.
    pub fn diagnostics(&self) -> Result<Diagnostics, DocumentError> {
        let statistics = self.value("statistics").unwrap_or(Value::Null);
        let root = serde_json::json!({ "statistics": statistics });
        let root = Field::root(&root);
        let statistics = root.required("statistics").map_err(not_that)?;
        diagnostics::decode(&statistics).map_err(not_that)
    }

    fn list<T>(
        &self,
        name: &str,
        decode: impl Fn(&Field<'_>) -> Result<T, Problem>,
    ) -> Result<Decoded<T>, DocumentError> {
        list::decode(&[name], self.part(name), decode)
    }

    fn meta(&self) -> Option<Value> {
        let mut meta = self.value("meta")?;
        // 22.05 writes it with a capital.
        let name = if meta.get("slurm").is_some() { "slurm" } else { "Slurm" };
        meta.get_mut(name).map(Value::take)
    }

    fn messages(&self, name: &str) -> Vec<String> {
        let Some(Value::Array(messages)) = self.value(name) else { return Vec::new() };
        let text = |message: &Value| {
            let parts = ["error", "description", "source"].into_iter().filter_map(|part| message.get(part)?.as_str());
            let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
            if parts.is_empty() { message.to_string() } else { parts.join(": ") }
        };
        messages.iter().map(text).collect()
    }
}

#[expect(clippy::needless_pass_by_value, reason = "the form `map_err` takes")]
fn not_that(problem: Problem) -> DocumentError {
    DocumentError::NotThat(problem.to_string())
}

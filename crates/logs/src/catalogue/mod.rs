//! The catalogue: logs that are known, by the hash of their content.
//!
//! For: recognising a file whatever it is called and however it is packed, and saying what is known of it: the size of the machine, what
//! the cleaning left out, traps, whom to acknowledge. The entries are in `table.rs`.
//!
//! Not for: getting logs, which whoever keeps them hands out; logs of your own. A file that differs in one byte is another log, and
//! nothing is said of it.

mod table;

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use queuecast_workload::files::Input;
use serde::Serialize;
use sha2::{Digest, Sha256};

const BUFFER_BYTES: usize = 64 * 1024;

/// What is known of a log.
#[derive(Clone, Debug, Serialize)]
pub struct KnownLog {
    /// What its keepers call the file, without the ending.
    pub name: &'static str,
    /// The machine and where it stood.
    pub system: &'static str,
    /// Processors that jobs of this log could have.
    pub processors: u32,
    /// Jobs in the file.
    pub jobs: Option<u64>,
    /// Jobs before the cleaning, of a cleaned log.
    pub jobs_before_cleaning: Option<u64>,
    /// How to tell the file, where there was one to look at.
    pub file: Option<KnownFile>,
    /// What the cleaning left out.
    pub cuts: &'static [Cut],
    /// What goes wrong if it is not known.
    pub traps: &'static [&'static str],
    /// Who is to be acknowledged.
    pub acknowledge: &'static str,
    /// What is to be cited.
    pub cite: Option<&'static str>,
    /// What it may be used for.
    pub terms: &'static str,
    /// Where its keepers have it, or where it was found.
    pub kept_at: &'static str,
}

/// A file by its hashes.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct KnownFile {
    /// Of the file as it is distributed, packed with gzip; of some only the content was to be had.
    pub packed_sha256: Option<&'static str>,
    /// The length of what is packed in it.
    pub content_bytes: u64,
    /// Of what is packed in it, by which the file is recognised.
    pub content_sha256: &'static str,
}

/// Jobs that a cleaning left out.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Cut {
    /// Which.
    pub what: &'static str,
    /// How many.
    pub jobs: u64,
}

/// A file's hashes, and the log they belong to.
#[derive(Clone, Debug, Serialize)]
pub struct Recognition {
    /// Of the file as it is stored.
    pub stored_sha256: String,
    /// Of what is in it, unpacked.
    pub content_sha256: String,
    /// Whether it is byte for byte what is distributed; otherwise it is packed in another way, or nothing is known of it.
    pub is_as_distributed: bool,
    /// The log, if it is known.
    pub log: Option<&'static KnownLog>,
}

/// All logs that are known.
pub fn known_logs() -> &'static [KnownLog] {
    table::LOGS
}

/// The log with this content, by the hexadecimal SHA-256 of it.
pub fn by_content(sha256: &str) -> Option<&'static KnownLog> {
    known_logs().iter().find(|log| log.file.is_some_and(|file| file.content_sha256 == sha256))
}

/// The log that this file is, if it is known. Pipes are not: they can be read only once. A file whose length is no known log's is not
/// read, so that asking costs nothing where logs are large.
pub fn recognise(path: &Path) -> io::Result<Option<&'static KnownLog>> {
    if !path.is_file() || !may_be_known(content_bytes(path)?) {
        return Ok(None);
    }
    Ok(by_content(&content_sha256(path)?))
}

/// The hexadecimal SHA-256 of what is in a file, unpacked.
pub fn content_sha256(path: &Path) -> io::Result<String> {
    sha256(Input::open(path)?)
}

/// Everything by which a file is recognised, even if it is not.
pub fn examine(path: &Path) -> io::Result<Recognition> {
    // Opened first, because its errors name the file.
    let content_sha256 = content_sha256(path)?;
    let stored_sha256 = sha256(File::open(path)?)?;
    let log = by_content(&content_sha256);
    let is_as_distributed =
        log.and_then(|log| log.file).is_some_and(|file| file.packed_sha256 == Some(stored_sha256.as_str()));
    Ok(Recognition { stored_sha256, content_sha256, is_as_distributed, log })
}

/// The length of a file's content as far as it is told without unpacking: not of zstd, and of gzip the end of the last part.
fn content_bytes(path: &Path) -> io::Result<Option<u64>> {
    let mut file = File::open(path)?;
    let stored_bytes = file.metadata()?.len();
    let mut beginning = Vec::new();
    file.by_ref().take(4).read_to_end(&mut beginning)?;
    Ok(match beginning[..] {
        [0x1f, 0x8b, ..] if stored_bytes > 4 => {
            let mut length = [0; 4];
            file.seek(SeekFrom::End(-4))?;
            file.read_exact(&mut length)?;
            Some(u64::from(u32::from_le_bytes(length)))
        }
        [0x28, 0xb5, 0x2f, 0xfd] => None,
        _ => Some(stored_bytes),
    })
}

fn may_be_known(content_bytes: Option<u64>) -> bool {
    let mut known = known_logs().iter().filter_map(|log| log.file);
    content_bytes.is_none_or(|bytes| known.any(|file| file.content_bytes == bytes))
}

fn sha256(mut bytes: impl Read) -> io::Result<String> {
    let mut hash = Sha256::new();
    let mut buffer = vec![0; BUFFER_BYTES];
    loop {
        match bytes.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => hash.update(&buffer[..count]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(hexadecimal(&hash.finalize()))
}

fn hexadecimal(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from(b"0123456789abcdef"[usize::from(value)]);
    bytes.iter().flat_map(|&byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

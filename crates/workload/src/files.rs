//! Logs on disk: plain, gzip or zstd, or standard input and output.
//!
//! For: telling by the first bytes how an input is packed (names lie), by the name how an output shall be, and
//! naming the file in every error.
//!
//! Not for: what is in the file.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

const BUFFER_BYTES: usize = 256 * 1024;
const GZIP_MAGIC: &[u8] = &[0x1f, 0x8b];
const ZSTD_MAGIC: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];

/// A log opened for reading, unpacked on the way.
pub struct Input {
    name: String,
    bytes_total: Option<u64>,
    bytes_read: Arc<AtomicU64>,
    reader: BufReader<Box<dyn Read + Send>>,
}

impl Input {
    /// Opens a file, or standard input for `-`.
    pub fn open(path: &Path) -> io::Result<Self> {
        let name = name_of(path, "standard input");
        let opened =
            if is_standard(path) { Self::unpack(io::stdin(), None, &name) } else { Self::open_file(path, &name) };
        opened.map_err(|error| with_name(&name, &error))
    }

    /// The file's name for messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The size of the file as it is stored, where it is a file.
    pub fn bytes_total(&self) -> Option<u64> {
        self.bytes_total
    }

    /// How much of [`Input::bytes_total`] has been read. The counter stays valid when the input has been given
    /// away to a reader.
    pub fn bytes_read(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.bytes_read)
    }

    fn open_file(path: &Path, name: &str) -> io::Result<Self> {
        let file = File::open(path)?;
        let metadata = file.metadata()?;
        if metadata.is_dir() {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a directory"));
        }
        Self::unpack(file, metadata.is_file().then_some(metadata.len()), name)
    }

    fn unpack(raw: impl Read + Send + 'static, bytes_total: Option<u64>, name: &str) -> io::Result<Self> {
        let bytes_read = Arc::new(AtomicU64::new(0));
        let mut raw = Counted { inner: raw, bytes_read: Arc::clone(&bytes_read) };
        // A pipe may give its first bytes one at a time, so the magic is read apart and put back in front.
        let mut beginning = Vec::with_capacity(ZSTD_MAGIC.len());
        raw.by_ref().take(ZSTD_MAGIC.len() as u64).read_to_end(&mut beginning)?;
        let (gzip, zstd) = (beginning.starts_with(GZIP_MAGIC), beginning.starts_with(ZSTD_MAGIC));
        let whole = BufReader::with_capacity(BUFFER_BYTES, io::Cursor::new(beginning).chain(raw));
        let unpacked: Box<dyn Read + Send> = if gzip {
            Box::new(flate2::bufread::MultiGzDecoder::new(whole))
        } else if zstd {
            Box::new(zstd::stream::read::Decoder::with_buffer(whole)?)
        } else {
            Box::new(whole)
        };
        let named: Box<dyn Read + Send> = Box::new(Named { inner: unpacked, name: name.to_owned() });
        let reader = BufReader::with_capacity(BUFFER_BYTES, named);
        Ok(Self { name: name.to_owned(), bytes_total, bytes_read, reader })
    }
}

impl fmt::Debug for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Input").field("name", &self.name).field("bytes_read", &self.bytes_read).finish_non_exhaustive()
    }
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.reader.read(buffer)
    }
}

impl BufRead for Input {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.reader.fill_buf()
    }
    fn consume(&mut self, amount: usize) {
        self.reader.consume(amount);
    }
}

/// Counts what passes, for progress on packed files.
struct Counted<R> {
    inner: R,
    bytes_read: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.bytes_read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

/// Puts the file's name into errors, which the system's own do not have.
struct Named<R> {
    inner: R,
    name: String,
}

impl<R: Read> Read for Named<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.inner.read(buffer).map_err(|error| with_name(&self.name, &error))
    }
}

/// A file being written, packed on the way. It appears under its name, whole, when it is
/// [finished](Output::finish); dropped before that, it leaves nothing behind. So a log can be rewritten in place, and
/// a run that fails half way destroys nothing.
pub struct Output {
    name: String,
    packer: Packer,
    pending: Option<Pending>,
}

type Sink = BufWriter<Box<dyn Write + Send>>;

enum Packer {
    Plain(Sink),
    Gzip(flate2::write::GzEncoder<Sink>),
    Zstd(zstd::stream::write::Encoder<'static, Sink>),
}

/// The file under its provisional name.
struct Pending {
    provisional: PathBuf,
    target: PathBuf,
}

impl Output {
    /// Creates a file, or standard output for `-`. A name that ends in `.gz` or `.zst` says how to pack it.
    pub fn create(path: &Path) -> io::Result<Self> {
        let name = name_of(path, "standard output");
        Self::create_named(path, name.clone()).map_err(|error| with_name(&name, &error))
    }

    /// Completes the file and gives it its name.
    pub fn finish(mut self) -> io::Result<()> {
        let name = std::mem::take(&mut self.name);
        self.complete().map_err(|error| with_name(&name, &error))
    }

    fn create_named(path: &Path, name: String) -> io::Result<Self> {
        let (sink, pending): (Box<dyn Write + Send>, _) = if is_standard(path) {
            (Box::new(io::stdout()), None)
        } else {
            let (file, pending) = create_file(path)?;
            (Box::new(file), pending)
        };
        let sink = BufWriter::with_capacity(BUFFER_BYTES, sink);
        let packer = match path.extension().and_then(|extension| extension.to_str()) {
            Some("gz") => Packer::Gzip(flate2::write::GzEncoder::new(sink, flate2::Compression::default())),
            Some("zst") => Packer::Zstd(zstd::stream::write::Encoder::new(sink, zstd::DEFAULT_COMPRESSION_LEVEL)?),
            _ => Packer::Plain(sink),
        };
        Ok(Self { name, packer, pending })
    }

    fn complete(&mut self) -> io::Result<()> {
        match &mut self.packer {
            Packer::Plain(sink) => sink.flush()?,
            Packer::Gzip(encoder) => {
                encoder.try_finish()?;
                encoder.get_mut().flush()?;
            }
            Packer::Zstd(encoder) => {
                encoder.do_finish()?;
                encoder.get_mut().flush()?;
            }
        }
        if let Some(pending) = &self.pending {
            fs::rename(&pending.provisional, &pending.target)?;
        }
        self.pending = None;
        Ok(())
    }
}

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Output").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = match &mut self.packer {
            Packer::Plain(sink) => sink.write(bytes),
            Packer::Gzip(encoder) => encoder.write(bytes),
            Packer::Zstd(encoder) => encoder.write(bytes),
        };
        written.map_err(|error| with_name(&self.name, &error))
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = match &mut self.packer {
            Packer::Plain(sink) => sink.flush(),
            Packer::Gzip(encoder) => encoder.flush(),
            Packer::Zstd(encoder) => encoder.flush(),
        };
        flushed.map_err(|error| with_name(&self.name, &error))
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if let Some(pending) = &self.pending {
            // Nothing can be done about a failure here, and what remains is plainly named.
            let _ = fs::remove_file(&pending.provisional);
        }
    }
}

/// Regular files are written beside their place and renamed; devices and pipes are written to directly.
fn create_file(path: &Path) -> io::Result<(File, Option<Pending>)> {
    let existing = fs::metadata(path).ok();
    if existing.as_ref().is_some_and(|metadata| !metadata.is_file()) {
        return Ok((File::options().write(true).open(path)?, None));
    }
    // Through a symbolic link, it is the file behind it that is replaced.
    let target = if existing.is_some() { fs::canonicalize(path)? } else { path.to_owned() };
    let Some(file_name) = target.file_name() else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "is not a file name"));
    };
    let mut provisional_name = file_name.to_owned();
    provisional_name.push(format!(".{}.partial", std::process::id()));
    let provisional = target.with_file_name(provisional_name);
    let file = create_new(&provisional)?;
    let pending = Pending { provisional, target };
    if let Some(metadata) = existing {
        file.set_permissions(metadata.permissions())?;
    }
    Ok((file, Some(pending)))
}

/// Creates the file and never opens one: what is there under this name is left from a run that was killed, or a link
/// that somebody laid.
fn create_new(path: &Path) -> io::Result<File> {
    match File::create_new(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            fs::remove_file(path)?;
            File::create_new(path)
        }
        created => created,
    }
}

fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

fn name_of(path: &Path, standard: &str) -> String {
    if is_standard(path) { standard.to_owned() } else { path.display().to_string() }
}

fn with_name(name: &str, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{name}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &[u8] = b"; MaxProcs: 8\n1 2 3\n";

    fn folder() -> tempfile::TempDir {
        tempfile::tempdir().expect("a temporary folder")
    }

    fn write_file(path: &Path, bytes: &[u8]) {
        let mut output = Output::create(path).expect("creates");
        output.write_all(bytes).expect("writes");
        output.finish().expect("finishes");
    }

    fn read_file(path: &Path) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        Input::open(path)?.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    #[test]
    fn each_packing_comes_back_whatever_the_file_is_called() {
        let folder = folder();
        for (name, magic) in [("a.swf", &TEXT[..4]), ("a.swf.gz", GZIP_MAGIC), ("a.swf.zst", ZSTD_MAGIC)] {
            let path = folder.path().join(name);
            write_file(&path, TEXT);
            assert!(fs::read(&path).expect("reads").starts_with(magic), "{name}");
            let renamed = folder.path().join("renamed");
            fs::rename(&path, &renamed).expect("renames");
            assert_eq!(read_file(&renamed).expect("reads"), TEXT, "{name}");
        }
    }

    #[test]
    fn joined_packed_files_are_read_to_the_end() {
        let folder = folder();
        for name in ["a.gz", "a.zst"] {
            let path = folder.path().join(name);
            write_file(&path, TEXT);
            let once = fs::read(&path).expect("reads");
            fs::write(&path, [&once[..], &once].concat()).expect("writes");
            assert_eq!(read_file(&path).expect("reads"), [TEXT, TEXT].concat(), "{name}");
        }
    }

    #[test]
    fn a_truncated_file_is_an_error_that_names_it() {
        let folder = folder();
        for name in ["a.gz", "a.zst"] {
            let path = folder.path().join(name);
            write_file(&path, TEXT);
            let whole = fs::read(&path).expect("reads");
            for length in 4..whole.len() {
                fs::write(&path, &whole[..length]).expect("writes");
                let error = read_file(&path).expect_err("truncated");
                assert!(error.to_string().contains(name), "{length} bytes: {error}");
            }
        }
    }

    #[test]
    fn an_unfinished_output_leaves_the_old_file_and_nothing_else() {
        let folder = folder();
        let path = folder.path().join("a.swf");
        write_file(&path, b"old");
        let mut output = Output::create(&path).expect("creates");
        output.write_all(b"new").expect("writes");
        drop(output);
        assert_eq!(fs::read(&path).expect("reads"), b"old");
        assert_eq!(fs::read_dir(folder.path()).expect("lists").count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn what_a_killed_run_left_is_replaced_and_a_link_not_followed() {
        let folder = folder();
        let path = folder.path().join("a.swf");
        let victim = folder.path().join("victim");
        fs::write(&victim, "precious").expect("writes");
        let provisional = folder.path().join(format!("a.swf.{}.partial", std::process::id()));
        std::os::unix::fs::symlink(&victim, provisional).expect("links");
        write_file(&path, TEXT);
        assert_eq!(fs::read(&path).expect("reads"), TEXT);
        assert_eq!(fs::read(&victim).expect("reads"), b"precious");
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_written_to_and_not_replaced() {
        write_file(Path::new("/dev/null"), TEXT);
        assert!(!fs::metadata("/dev/null").expect("is there").is_file());
    }

    #[test]
    fn what_cannot_be_opened_is_named() {
        let folder = folder();
        let missing = folder.path().join("missing.swf");
        let error = read_file(&missing).expect_err("missing");
        assert!(error.to_string().contains("missing.swf"), "{error}");
        assert_eq!(read_file(folder.path()).expect_err("a folder").kind(), io::ErrorKind::IsADirectory);
    }

    #[test]
    fn progress_counts_the_stored_bytes() {
        let folder = folder();
        let path = folder.path().join("a.gz");
        write_file(&path, &TEXT.repeat(1000));
        let mut input = Input::open(&path).expect("opens");
        let bytes_read = input.bytes_read();
        io::copy(&mut input, &mut io::sink()).expect("reads");
        assert_eq!(Some(bytes_read.load(Ordering::Relaxed)), input.bytes_total());
    }
}

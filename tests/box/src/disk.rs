//! A disk that can be cut off at any write, run full, and lose what was never synced.
//!
//! For: `SQLite` writes to it as to a real one, through its own interface for file systems. What was written and not synced is kept apart,
//! so that a cut of power can take it away.
//!
//! Not for: directories, whose entries are always safe; more than one process.
//!
//! Source: the documentation of `SQLite` on its VFS, on write-ahead logs and on what it takes for granted of a disk: a write that was not
//! synced may be there whole, in part or not at all, and a later one without an earlier one. A sector that was being written when the power
//! went may hold some of the new and some of the old, or neither; sectors beside it are not touched.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, ErrorKind};
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use sqlite_vfs::wip::{WalIndex, WalIndexLock};
use sqlite_vfs::{DatabaseHandle, LockKind, OpenAccess, OpenOptions, Vfs};

/// A disk writes sectors whole or not at all.
const SECTOR: usize = 512;
/// How often a sector is torn that had reached the disk and was not synced.
const TORN: f64 = 0.1;
/// The size of a region of the index that `SQLite` keeps of its write-ahead log.
const REGION: usize = 32_768;

/// What becomes of what was written and not synced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// The process is killed: the system still writes it.
    Process,
    /// The power is gone: sector by sector it is there or not, in whatever order, and one that was being written may be torn.
    Power,
}

/// Something done to a file that a sync makes safe.
#[derive(Clone, Debug)]
enum Change {
    Write(usize, Vec<u8>),
    Length(usize),
}

/// A file: as the process sees it, as it would be after a cut of power, and what lies between.
#[derive(Clone, Debug, Default)]
struct SimulatedFile {
    seen: Vec<u8>,
    safe: Vec<u8>,
    unsynced: Vec<Change>,
}

impl SimulatedFile {
    fn change(&mut self, change: Change) {
        apply(&mut self.seen, &change);
        self.unsynced.push(change);
    }

    fn sync(&mut self) {
        for change in self.unsynced.drain(..) {
            apply(&mut self.safe, &change);
        }
    }

    /// The file that whoever comes after the cut finds.
    fn after(&self, cut: Cut, random: &mut Pcg64) -> Self {
        if cut == Cut::Process {
            return self.clone();
        }
        let mut left = self.safe.clone();
        // From nearly nothing to nearly everything had reached the disk.
        let reached = [0.02, 0.5, 0.98][random.random_range(0..3)];
        for change in &self.unsynced {
            match change {
                Change::Write(offset, bytes) => {
                    for (place, sector) in bytes.chunks(SECTOR).enumerate() {
                        if random.random_bool(reached) {
                            let mut sector = sector.to_vec();
                            if random.random_bool(TORN) {
                                tear(&mut sector, random);
                            }
                            apply(&mut left, &Change::Write(offset + place * SECTOR, sector));
                        }
                    }
                }
                Change::Length(_) if random.random_bool(reached) => apply(&mut left, change),
                Change::Length(_) => {}
            }
        }
        Self { seen: left.clone(), safe: left, unsynced: Vec::new() }
    }
}

/// The rest of it is missing, or is something else.
fn tear(sector: &mut Vec<u8>, random: &mut Pcg64) {
    let written = random.random_range(0..sector.len());
    if random.random_bool(0.5) {
        sector.truncate(written);
    } else {
        sector[written..].iter_mut().for_each(|byte| *byte = random.random());
    }
}

fn apply(bytes: &mut Vec<u8>, change: &Change) {
    match change {
        Change::Write(offset, written) => {
            let end = offset + written.len();
            if bytes.len() < end {
                bytes.resize(end, 0);
            }
            bytes[*offset..end].copy_from_slice(written);
        }
        Change::Length(length) => bytes.resize(*length, 0),
    }
}

/// When the disk is cut off, and what is done at that moment.
struct PlannedCut {
    /// After so many more writes and syncs.
    after: u64,
    cut: Cut,
    /// Sees the world as it is then.
    witness: Box<dyn FnOnce() + Send>,
}

/// One disk.
struct Disk {
    files: BTreeMap<String, SimulatedFile>,
    locks: BTreeMap<String, Vec<(u64, LockKind)>>,
    wal_index: BTreeMap<String, SharedIndex>,
    /// Rises with every cut; what was opened before writes to nothing.
    life: u64,
    handles: u64,
    random: Pcg64,
    planned: Option<PlannedCut>,
    /// What whoever comes after the cut finds, once it has happened.
    remains: Option<BTreeMap<String, SimulatedFile>>,
    /// Bytes that still fit, if that is limited.
    room: Option<u64>,
    /// Whether whatever would change it is refused.
    refuses: bool,
}

#[derive(Default)]
struct SharedIndex {
    regions: HashMap<u32, Vec<u8>>,
    /// By lock: who holds it, and how.
    held: [Vec<(u64, bool)>; 8],
}

impl Disk {
    fn may_be_changed(&self) -> io::Result<()> {
        if self.refuses { Err(ErrorKind::ReadOnlyFilesystem.into()) } else { Ok(()) }
    }

    /// Something is about to be written or synced: perhaps the last thing.
    fn tick(&mut self) {
        let Some(planned) = &mut self.planned else { return };
        if planned.after > 0 {
            planned.after -= 1;
        } else if let Some(planned) = self.planned.take() {
            let random = &mut self.random;
            self.remains =
                Some(self.files.iter().map(|(name, file)| (name.clone(), file.after(planned.cut, random))).collect());
            (planned.witness)();
        }
    }
}

/// A disk from outside: what a test does to it.
#[derive(Clone)]
pub struct DiskHandle(Arc<Mutex<Disk>>);

/// All disks of this process, by the path of what is on them.
static DISKS: OnceLock<Mutex<HashMap<String, DiskHandle>>> = OnceLock::new();

fn disks() -> MutexGuard<'static, HashMap<String, DiskHandle>> {
    let disks = DISKS.get_or_init(|| {
        // From here on everything that SQLite opens in this process is on such a disk.
        sqlite_vfs::register("box", Files, true).expect("SQLite takes a file system");
        Mutex::default()
    });
    disks.lock().unwrap_or_else(PoisonError::into_inner)
}

impl DiskHandle {
    /// An empty disk for the database at this path and the files beside it.
    pub fn new(path: &str, seed: u64) -> Self {
        let disk = Self(Arc::new(Mutex::new(Disk {
            files: BTreeMap::new(),
            locks: BTreeMap::new(),
            wal_index: BTreeMap::new(),
            life: 0,
            handles: 0,
            random: Pcg64::seed_from_u64(seed),
            planned: None,
            remains: None,
            room: None,
            refuses: false,
        })));
        disks().insert(path.to_owned(), disk.clone());
        disk
    }

    /// Throws the disk away.
    pub fn remove(path: &str) {
        disks().remove(path);
    }

    fn disk(&self) -> MutexGuard<'_, Disk> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Cuts it off after so many more writes and syncs. The process goes on without noticing; it is nobody's any more.
    pub fn plan_cut(&self, after: u64, cut: Cut, witness: impl FnOnce() + Send + 'static) {
        self.disk().planned = Some(PlannedCut { after, cut, witness: Box::new(witness) });
    }

    /// Whether it was cut off.
    pub fn is_cut(&self) -> bool {
        self.disk().remains.is_some()
    }

    /// What was planned and has not happened does not.
    pub fn call_off(&self) {
        self.disk().planned = None;
    }

    /// Cuts it off now, unless it is, and gives it to whoever comes next.
    pub fn pass_on(&self, cut: Cut) {
        let mut disk = self.disk();
        disk.planned = None;
        let remains = disk.remains.take().unwrap_or_else(|| {
            let Disk { files, random, .. } = &mut *disk;
            files.iter().map(|(name, file)| (name.clone(), file.after(cut, random))).collect()
        });
        disk.files = remains;
        disk.locks.clear();
        disk.wal_index.clear();
        disk.life += 1;
    }

    /// Refuses whatever would change it from now on, as a disk does that was put to read-only; or no more.
    pub fn refuse_writes(&self, refuses: bool) {
        self.disk().refuses = refuses;
    }

    /// Only so many bytes fit from now on; `None` for any number.
    pub fn limit_room(&self, room: Option<u64>) {
        self.disk().room = room;
    }
}

/// Finds the disk of a file by its name: the database's own, or that with `-wal` and the like behind it.
struct Files;

impl Files {
    fn find(name: &str) -> io::Result<DiskHandle> {
        let base = ["-wal", "-journal", "-shm"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
        disks().get(base).cloned().ok_or_else(|| ErrorKind::NotFound.into())
    }
}

impl Vfs for Files {
    type Handle = OpenFile;

    fn open(&self, name: &str, options: OpenOptions) -> io::Result<OpenFile> {
        let handle = Self::find(name)?;
        let mut disk = handle.disk();
        let may_create = matches!(options.access, OpenAccess::Create | OpenAccess::CreateNew);
        if !disk.files.contains_key(name) {
            if !may_create {
                return Err(ErrorKind::NotFound.into());
            }
            disk.files.insert(name.to_owned(), SimulatedFile::default());
        }
        disk.handles += 1;
        let (number, life) = (disk.handles, disk.life);
        drop(disk);
        Ok(OpenFile { disk: handle, name: name.to_owned(), number, life, lock: LockKind::None })
    }

    fn delete(&self, name: &str) -> io::Result<()> {
        Self::find(name)?.disk().files.remove(name);
        Ok(())
    }

    fn exists(&self, name: &str) -> io::Result<bool> {
        Ok(Self::find(name).is_ok_and(|handle| handle.disk().files.contains_key(name)))
    }

    fn temporary_name(&self) -> String {
        "temporary".to_owned()
    }

    fn random(&self, buffer: &mut [i8]) {
        // Always the same: a seed must repeat exactly. SQLite needs salts that differ between logs, which its counters see to.
        for (place, byte) in buffer.iter_mut().enumerate() {
            *byte = i8::try_from(place % 100).unwrap_or(0);
        }
    }

    fn sleep(&self, duration: Duration) -> Duration {
        duration
    }
}

/// A file that `SQLite` has open.
pub struct OpenFile {
    disk: DiskHandle,
    name: String,
    number: u64,
    life: u64,
    lock: LockKind,
}

impl OpenFile {
    /// Does something with the file, if this life of the disk is still the handle's.
    fn with<T>(&self, work: impl FnOnce(&mut Disk, &str) -> io::Result<T>) -> io::Result<T> {
        let mut disk = self.disk.disk();
        if disk.life != self.life {
            return Err(io::Error::other("whoever opened it is gone"));
        }
        work(&mut disk, &self.name)
    }

    fn with_file<T>(&self, work: impl FnOnce(&mut SimulatedFile) -> T) -> io::Result<T> {
        self.with(|disk, name| disk.files.get_mut(name).map(work).ok_or_else(|| ErrorKind::NotFound.into()))
    }
}

impl DatabaseHandle for OpenFile {
    type WalIndex = Index;

    fn size(&self) -> io::Result<u64> {
        self.with_file(|file| file.seen.len() as u64)
    }

    fn read_exact_at(&mut self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        let from = usize::try_from(offset).map_err(io::Error::other)?;
        let is_whole = self.with_file(|file| {
            let there = file.seen.get(from..).unwrap_or_default();
            let read = there.len().min(buffer.len());
            buffer[..read].copy_from_slice(&there[..read]);
            buffer[read..].fill(0);
            read == buffer.len()
        })?;
        if is_whole { Ok(()) } else { Err(ErrorKind::UnexpectedEof.into()) }
    }

    fn write_all_at(&mut self, bytes: &[u8], offset: u64) -> io::Result<()> {
        let offset = usize::try_from(offset).map_err(io::Error::other)?;
        self.with(|disk, name| {
            disk.tick();
            disk.may_be_changed()?;
            let Disk { files, room, .. } = disk;
            let file = files.get_mut(name).ok_or(ErrorKind::NotFound)?;
            if let Some(room) = room {
                let more = (offset + bytes.len()).saturating_sub(file.seen.len()) as u64;
                // The word by which SQLite is told that a disk is full.
                *room = room.checked_sub(more).ok_or(ErrorKind::WriteZero)?;
            }
            file.change(Change::Write(offset, bytes.to_vec()));
            Ok(())
        })
    }

    fn sync(&mut self, _data_only: bool) -> io::Result<()> {
        self.with(|disk, name| {
            disk.tick();
            disk.may_be_changed()?;
            disk.files.get_mut(name).map(SimulatedFile::sync).ok_or_else(|| ErrorKind::NotFound.into())
        })
    }

    fn set_len(&mut self, size: u64) -> io::Result<()> {
        let size = usize::try_from(size).map_err(io::Error::other)?;
        self.with(|disk, name| {
            disk.tick();
            disk.may_be_changed()?;
            let file = disk.files.get_mut(name).ok_or(ErrorKind::NotFound)?;
            file.change(Change::Length(size));
            Ok(())
        })
    }

    fn lock(&mut self, lock: LockKind) -> io::Result<bool> {
        let number = self.number;
        let is_taken = self.with(|disk, name| {
            let held = disk.locks.entry(name.to_owned()).or_default();
            let others = held.iter().filter(|(holder, _)| *holder != number).map(|(_, lock)| rank(*lock));
            let highest = others.max().unwrap_or(0);
            let is_taken = match rank(lock) {
                0 => false,
                1 => highest >= 3,
                2 => highest >= 2,
                _ => highest >= 1,
            };
            if !is_taken {
                held.retain(|(holder, _)| *holder != number);
                held.push((number, lock));
            }
            Ok(is_taken)
        })?;
        if !is_taken {
            self.lock = lock;
        }
        Ok(!is_taken)
    }

    fn reserved(&mut self) -> io::Result<bool> {
        self.with(|disk, name| {
            Ok(disk.locks.get(name).is_some_and(|held| held.iter().any(|(_, lock)| rank(*lock) >= 2)))
        })
    }

    fn current_lock(&self) -> io::Result<LockKind> {
        Ok(self.lock)
    }

    fn wal_index(&self, _readonly: bool) -> io::Result<Index> {
        Ok(Index { disk: self.disk.clone(), name: self.name.clone(), number: self.number, life: self.life })
    }
}

impl Drop for OpenFile {
    fn drop(&mut self) {
        let number = self.number;
        // A handle of an earlier life holds nothing.
        let _ = self.with(|disk, name| {
            if let Some(held) = disk.locks.get_mut(name) {
                held.retain(|(holder, _)| *holder != number);
            }
            Ok(())
        });
    }
}

fn rank(lock: LockKind) -> u8 {
    match lock {
        LockKind::None => 0,
        LockKind::Shared => 1,
        LockKind::Reserved => 2,
        LockKind::Pending => 3,
        LockKind::Exclusive => 4,
    }
}

/// The index of a write-ahead log, which those who have it open share.
pub struct Index {
    disk: DiskHandle,
    name: String,
    number: u64,
    life: u64,
}

impl Index {
    fn with<T>(&self, work: impl FnOnce(&mut SharedIndex) -> T) -> io::Result<T> {
        let mut disk = self.disk.disk();
        if disk.life != self.life {
            return Err(io::Error::other("whoever opened it is gone"));
        }
        Ok(work(disk.wal_index.entry(self.name.clone()).or_default()))
    }
}

impl WalIndex for Index {
    fn map(&mut self, region: u32) -> io::Result<[u8; REGION]> {
        let bytes = self.with(|index| index.regions.entry(region).or_insert_with(|| vec![0; REGION]).clone())?;
        bytes.try_into().map_err(|_| io::Error::other("a region of another size"))
    }

    fn lock(&mut self, locks: Range<u8>, lock: WalIndexLock) -> io::Result<bool> {
        let number = self.number;
        self.with(|index| {
            let locks = usize::from(locks.start)..usize::from(locks.end);
            let exclusive = lock == WalIndexLock::Exclusive;
            let is_taken = |held: &Vec<(u64, bool)>| {
                held.iter().any(|(holder, is_exclusive)| *holder != number && (exclusive || *is_exclusive))
            };
            if lock != WalIndexLock::None && index.held[locks.clone()].iter().any(is_taken) {
                return false;
            }
            for held in &mut index.held[locks] {
                held.retain(|(holder, _)| *holder != number);
                if lock != WalIndexLock::None {
                    held.push((number, exclusive));
                }
            }
            true
        })
    }

    fn delete(self) -> io::Result<()> {
        self.with(|index| index.regions.clear())
    }

    fn pull(&mut self, region: u32, data: &mut [u8; REGION]) -> io::Result<()> {
        self.with(|index| {
            if let Some(shared) = index.regions.get(&region) {
                data.copy_from_slice(shared);
            }
        })
    }

    fn push(&mut self, region: u32, data: &[u8; REGION]) -> io::Result<()> {
        self.with(|index| {
            index.regions.insert(region, data.to_vec());
        })
    }
}

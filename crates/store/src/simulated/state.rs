use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::mem;
use std::path::{Component, Path};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::files::{FileKind, FileStatus, Listed};

const SECTOR: usize = 512;
const LONGEST_NAME: usize = 255;
const ROOT: usize = 0;

/// The files and folders of a disk, and what was made durable of them.
#[derive(Debug)]
pub struct State {
    /// All files and folders that ever were, by their index; the first is the root. Files whose last name is gone are still read by those who opened them.
    nodes: Vec<Node>,
    /// The numbers of files that are gone.
    free: BTreeSet<u64>,
    numbers: u64,
    tokens: u64,
    locks: BTreeMap<usize, Locked>,
    pub operations: u64,
    pub power_until: u64,
    pub fault: Option<(u64, DiskFault)>,
    pub quota: Option<u64>,
    pub latency: Duration,
    pub clock: SystemTime,
    pub folds_case: bool,
    pub lacks_exchange: bool,
    pub lacks_links: bool,
}

#[derive(Debug)]
struct Node {
    content: Content,
    modified: SystemTime,
    number: u64,
    names: usize,
}

#[derive(Debug)]
enum Content {
    File(Bytes),
    Folder(Entries),
}

#[derive(Clone, Default, Debug)]
struct Bytes {
    seen: Vec<u8>,
    durable: Vec<u8>,
    /// The sectors in which the two may differ.
    unsynced: BTreeSet<usize>,
}

#[derive(Clone, Default, Debug)]
struct Entries {
    seen: BTreeMap<String, usize>,
    durable: BTreeMap<String, usize>,
    unsynced: Vec<Change>,
}

/// A change of a folder that survives in whole or not at all.
#[derive(Clone, Debug)]
struct Change {
    removed: Option<String>,
    set: Option<(String, usize)>,
    /// Two names of the folder that get, each, what the other had.
    exchanged: Option<[(String, usize); 2]>,
}

#[derive(Debug)]
enum Locked {
    Shared(usize),
    Exclusive,
}

/// The outcome of a sync.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Sync {
    Done,
    /// The bytes of a file stay visible and are never written; the names of a folder wait for another sync.
    Lost,
}

impl Change {
    fn apply(&self, entries: &mut BTreeMap<String, usize>) {
        self.removed.as_ref().map(|name| entries.remove(name));
        self.set.clone().map(|(name, node)| entries.insert(name, node));
        entries.extend(self.exchanged.clone().into_iter().flatten());
    }
}

impl State {
    pub fn new() -> State {
        let mut state = State {
            nodes: Vec::new(),
            free: BTreeSet::new(),
            numbers: 0,
            tokens: 0,
            locks: BTreeMap::new(),
            operations: 0,
            power_until: u64::MAX,
            fault: None,
            quota: None,
            latency: Duration::ZERO,
            clock: UNIX_EPOCH + Duration::from_secs(1_700_000_000),
            folds_case: false,
            lacks_exchange: false,
            lacks_links: false,
        };
        let root = state.node(Content::Folder(Entries::default()));
        state.nodes[root].names = 1;
        state
    }

    /// Counts an operation, and gives the fault that meets it.
    pub fn step(&mut self) -> io::Result<Option<DiskFault>> {
        if self.operations >= self.power_until {
            return Err(io::Error::other("the power is cut"));
        }
        self.operations += 1;
        let meets = self.fault.take_if(|(at, _)| *at < self.operations);
        Ok(meets.map(|(_, fault)| fault))
    }

    pub fn token(&mut self) -> u64 {
        self.tokens += 1;
        Random(self.tokens).next()
    }

    fn node(&mut self, content: Content) -> usize {
        let number = self.free.pop_first().unwrap_or(self.numbers);
        self.numbers = self.numbers.max(number + 1);
        self.nodes.push(Node { content, modified: self.clock, number, names: 0 });
        self.nodes.len() - 1
    }

    /// The file or folder of a path.
    pub fn find(&self, path: &Path) -> io::Result<usize> {
        let mut node = ROOT;
        for part in path.components() {
            if let Component::Normal(part) = part {
                let name = part.to_str().ok_or(io::ErrorKind::InvalidFilename)?;
                node = self.child(node, name)?.ok_or(io::ErrorKind::NotFound)?;
            }
        }
        Ok(node)
    }

    /// The name as the folder has it.
    fn spelled(&self, folder: usize, name: &str) -> io::Result<String> {
        let entries = &self.entries(folder)?.seen;
        let folded = || entries.keys().find(|key| key.eq_ignore_ascii_case(name)).cloned();
        let spelled = self.folds_case.then(folded).flatten();
        Ok(spelled.unwrap_or_else(|| name.to_owned()))
    }

    fn child(&self, folder: usize, name: &str) -> io::Result<Option<usize>> {
        let entries = self.entries(folder)?;
        if name.len() > LONGEST_NAME {
            return Err(io::ErrorKind::InvalidFilename.into());
        }
        Ok(entries.seen.get(&self.spelled(folder, name)?).copied())
    }

    /// The folder that a path stands in, and its last part.
    fn place(&self, path: &Path) -> io::Result<(usize, String)> {
        let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        let name = name.to_str().ok_or(io::ErrorKind::InvalidFilename)?;
        let folder = self.find(path.parent().ok_or(io::ErrorKind::InvalidInput)?)?;
        self.child(folder, name)?;
        Ok((folder, self.spelled(folder, name)?))
    }

    fn entries(&self, node: usize) -> io::Result<&Entries> {
        match &self.nodes[node].content {
            Content::Folder(entries) => Ok(entries),
            Content::File(_) => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    fn bytes(&mut self, node: usize) -> io::Result<&mut Bytes> {
        match &mut self.nodes[node].content {
            Content::File(bytes) => Ok(bytes),
            Content::Folder(_) => Err(io::ErrorKind::IsADirectory.into()),
        }
    }

    fn is_folder(&self, node: usize) -> bool {
        matches!(self.nodes[node].content, Content::Folder(_))
    }

    fn change(&mut self, folder: usize, removed: Option<String>, set: Option<(String, usize)>) {
        let Content::Folder(entries) = &mut self.nodes[folder].content else { return };
        let replaced = set.as_ref().and_then(|(name, _)| entries.seen.get(name).copied());
        let gone = removed.as_ref().and_then(|name| entries.seen.get(name).copied());
        let named = set.as_ref().map(|(_, node)| *node);
        let change = Change { removed, set, exchanged: None };
        change.apply(&mut entries.seen);
        entries.unsynced.push(change);
        if let Some(node) = named {
            self.nodes[node].names += 1;
        }
        for node in [gone, replaced].into_iter().flatten() {
            self.nodes[node].names -= 1;
            if self.nodes[node].names == 0 {
                self.free.insert(self.nodes[node].number);
            }
        }
    }

    fn create(&mut self, path: &Path, content: Content) -> io::Result<usize> {
        let (folder, name) = self.place(path)?;
        if self.child(folder, &name)?.is_some() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let node = self.node(content);
        self.change(folder, None, Some((name, node)));
        Ok(node)
    }

    pub fn create_file(&mut self, path: &Path) -> io::Result<usize> {
        self.create(path, Content::File(Bytes::default()))
    }

    pub fn create_folder(&mut self, path: &Path) -> io::Result<()> {
        if path.file_name().is_none() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        self.create(path, Content::Folder(Entries::default())).map(drop)
    }

    pub fn list(&self, folder: &Path) -> io::Result<Vec<Listed>> {
        let entries = self.entries(self.find(folder)?)?;
        let listed =
            |(name, &node): (&String, &usize)| Listed { name: name.into(), kind: self.status(node).kind };
        Ok(entries.seen.iter().map(listed).collect())
    }

    pub fn status(&self, node: usize) -> FileStatus {
        let Node { content, modified, number, .. } = &self.nodes[node];
        let (kind, len) = match content {
            Content::File(bytes) => (FileKind::File, bytes.seen.len() as u64),
            Content::Folder(_) => (FileKind::Folder, 0),
        };
        FileStatus { kind, len, modified: *modified, number: *number }
    }

    pub fn set_modified(&mut self, node: usize, time: SystemTime) {
        self.nodes[node].modified = time;
    }

    pub fn rename(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        let ((from_folder, from_name), (to_folder, to_name)) = (self.place(from)?, self.place(to)?);
        let node = self.child(from_folder, &from_name)?.ok_or(io::ErrorKind::NotFound)?;
        if let Some(old) = self.child(to_folder, &to_name)? {
            match (self.is_folder(node), self.entries(old)) {
                (true, Err(e)) => return Err(e),
                (false, Ok(_)) => return Err(io::ErrorKind::IsADirectory.into()),
                (true, Ok(entries)) if !entries.seen.is_empty() => {
                    return Err(io::ErrorKind::DirectoryNotEmpty.into());
                }
                // Two names of one file: POSIX leaves both.
                _ if node == old => return Ok(()),
                _ => {}
            }
        }
        if from_folder == to_folder {
            self.change(from_folder, Some(from_name), Some((to_name, node)));
        } else {
            self.change(to_folder, None, Some((to_name, node)));
            self.change(from_folder, Some(from_name), None);
        }
        Ok(())
    }

    pub fn exchange(&mut self, a: &Path, b: &Path) -> io::Result<()> {
        let ((folder, a), (other, b)) = (self.place(a)?, self.place(b)?);
        if self.lacks_exchange || folder != other {
            return Err(io::ErrorKind::Unsupported.into());
        }
        let of_a = self.child(folder, &a)?.ok_or(io::ErrorKind::NotFound)?;
        let of_b = self.child(folder, &b)?.ok_or(io::ErrorKind::NotFound)?;
        let Content::Folder(entries) = &mut self.nodes[folder].content else {
            return Err(io::ErrorKind::NotADirectory.into());
        };
        let change = Change { removed: None, set: None, exchanged: Some([(a, of_b), (b, of_a)]) };
        change.apply(&mut entries.seen);
        entries.unsynced.push(change);
        Ok(())
    }

    pub fn rename_new(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        let node = self.find(from)?;
        let (folder, name) = self.place(to)?;
        self.bytes(node)?;
        match self.child(folder, &name)? {
            Some(_) => Err(io::ErrorKind::AlreadyExists.into()),
            None => self.rename(from, to),
        }
    }

    pub fn link(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        if self.lacks_links {
            return Err(io::ErrorKind::Unsupported.into());
        }
        let node = self.find(from)?;
        self.bytes(node)?;
        let (folder, name) = self.place(to)?;
        if self.child(folder, &name)?.is_some() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        self.change(folder, None, Some((name, node)));
        Ok(())
    }

    pub fn remove_file(&mut self, path: &Path) -> io::Result<()> {
        let (folder, name) = self.place(path)?;
        let node = self.child(folder, &name)?.ok_or(io::ErrorKind::NotFound)?;
        self.bytes(node)?;
        self.change(folder, Some(name), None);
        Ok(())
    }

    pub fn remove_folder(&mut self, path: &Path) -> io::Result<()> {
        let (folder, name) = self.place(path)?;
        let node = self.child(folder, &name)?.ok_or(io::ErrorKind::NotFound)?;
        match self.entries(node)?.seen.is_empty() {
            true => {
                self.change(folder, Some(name), None);
                Ok(())
            }
            false => Err(io::ErrorKind::DirectoryNotEmpty.into()),
        }
    }

    /// The bytes that files with a name have in all.
    fn used(&self) -> u64 {
        let named = self.nodes.iter().filter(|node| node.names > 0);
        let len = |node: &Node| match &node.content {
            Content::File(bytes) => bytes.seen.len() as u64,
            Content::Folder(_) => 0,
        };
        named.map(len).sum()
    }

    pub fn append(&mut self, node: usize, bytes: &[u8]) -> io::Result<usize> {
        let left = self.quota.map_or(usize::MAX, |quota| quota.saturating_sub(self.used()) as usize);
        if left == 0 && !bytes.is_empty() {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let count = bytes.len().min(left);
        self.nodes[node].modified = self.clock;
        let file = self.bytes(node)?;
        let begin = file.seen.len() / SECTOR;
        file.seen.extend_from_slice(&bytes[..count]);
        file.unsynced.extend(begin..file.seen.len().div_ceil(SECTOR));
        Ok(count)
    }

    pub fn truncate(&mut self, node: usize, len: usize) -> io::Result<()> {
        self.nodes[node].modified = self.clock;
        let file = self.bytes(node)?;
        file.seen.truncate(len);
        Ok(())
    }

    pub fn read(&mut self, node: usize, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        let seen = &self.bytes(node)?.seen;
        let begin = usize::try_from(offset).ok();
        let from = begin.and_then(|begin| seen.get(begin..begin.checked_add(bytes.len())?));
        bytes.copy_from_slice(from.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }

    pub fn sync(&mut self, node: usize, outcome: Sync) {
        match (&mut self.nodes[node].content, outcome) {
            (Content::File(bytes), _) => bytes.settle(bytes.seen.len(), |_| outcome == Sync::Done),
            (Content::Folder(entries), Sync::Done) => entries.settle(|_| true),
            (Content::Folder(_), Sync::Lost) => {}
        }
    }

    /// Takes a lock, if others leave it.
    pub fn lock(&mut self, node: usize, exclusive: bool) -> bool {
        match (self.locks.get_mut(&node), exclusive) {
            (None, true) => drop(self.locks.insert(node, Locked::Exclusive)),
            (None, false) => drop(self.locks.insert(node, Locked::Shared(1))),
            (Some(Locked::Shared(count)), false) => *count += 1,
            (Some(_), _) => return false,
        }
        true
    }

    pub fn unlock(&mut self, node: usize, exclusive: bool) {
        match self.locks.get_mut(&node) {
            Some(Locked::Shared(count)) if !exclusive && *count > 1 => *count -= 1,
            _ => drop(self.locks.remove(&node)),
        }
    }

    /// The state after a loss of power.
    pub fn crashed(&self, seed: u64) -> State {
        let mut random = Random(seed);
        let fate = random.fate();
        let mut state = State {
            clock: self.clock,
            tokens: self.tokens,
            folds_case: self.folds_case,
            lacks_exchange: self.lacks_exchange,
            lacks_links: self.lacks_links,
            ..State::new()
        };
        state.nodes = self
            .nodes
            .iter()
            .map(|node| {
                let content = match &node.content {
                    Content::File(bytes) => Content::File(bytes.crashed(fate, &mut random)),
                    Content::Folder(entries) => Content::Folder(entries.crashed(fate, &mut random)),
                };
                Node { content, names: 0, ..*node }
            })
            .collect();
        state.count_names();
        state
    }

    /// Counts the names of each file and folder, and gives numbers to those that have a name.
    fn count_names(&mut self) {
        self.nodes[ROOT].names = 1;
        let mut folders = vec![ROOT];
        while let Some(folder) = folders.pop() {
            let Content::Folder(entries) = &self.nodes[folder].content else { continue };
            for node in entries.seen.values().copied().collect::<Vec<_>>() {
                self.nodes[node].names += 1;
                if self.nodes[node].names == 1 {
                    folders.push(node);
                }
            }
        }
        // Numbers are given anew, as those of two files may be equal: the one had the number of the other, whose removal is forgotten.
        let named: BTreeSet<usize> =
            (0..self.nodes.len()).filter(|&node| self.nodes[node].names > 0).collect();
        let mut taken = BTreeSet::new();
        for node in named {
            if !taken.insert(self.nodes[node].number) {
                self.nodes[node].number = taken.last().map_or(0, |last| last + 1);
                taken.insert(self.nodes[node].number);
            }
        }
        self.numbers = taken.last().map_or(0, |last| last + 1);
        self.free = (0..self.numbers).filter(|number| !taken.contains(number)).collect();
    }
}

impl Bytes {
    /// Brings the sectors that `keep` chooses to the disk, as far as the file is `len` long there, and forgets the others.
    fn settle(&mut self, len: usize, mut keep: impl FnMut(usize) -> bool) {
        self.durable.resize(len, 0);
        for sector in mem::take(&mut self.unsynced) {
            let begin = sector * SECTOR;
            let end = (begin + SECTOR).min(len).min(self.seen.len());
            if begin < end && keep(sector) {
                self.durable[begin..end].copy_from_slice(&self.seen[begin..end]);
            }
        }
    }

    fn crashed(&self, fate: Fate, random: &mut Random) -> Bytes {
        let mut bytes = self.clone();
        let (new, old) = (self.seen.len(), self.durable.len());
        match fate.of_one(random) {
            Fate::Nothing => {}
            Fate::All => bytes.settle(new, |_| true),
            // The bytes up to some length were written.
            Fate::Prefix => {
                let len = old.min(new) + random.below(new.saturating_sub(old) as u64 + 1) as usize;
                bytes.settle(len, |_| true);
            }
            Fate::Some => bytes.settle(if random.flip() { new } else { old }, |_| random.flip()),
        }
        let durable = bytes.durable;
        Bytes { seen: durable.clone(), durable, unsynced: BTreeSet::new() }
    }
}

impl Entries {
    /// Makes the changes that `keep` chooses durable, and forgets the others.
    fn settle(&mut self, mut keep: impl FnMut(usize) -> bool) {
        for (index, change) in mem::take(&mut self.unsynced).iter().enumerate() {
            if keep(index) {
                change.apply(&mut self.durable);
            }
        }
    }

    fn crashed(&self, fate: Fate, random: &mut Random) -> Entries {
        let mut entries = self.clone();
        let count = random.below(self.unsynced.len() as u64 + 1) as usize;
        match fate.of_one(random) {
            Fate::Nothing => {}
            Fate::All => entries.settle(|_| true),
            Fate::Prefix => entries.settle(|index| index < count),
            Fate::Some => entries.settle(|_| random.flip()),
        }
        let durable = entries.durable;
        Entries { seen: durable.clone(), durable, unsynced: Vec::new() }
    }
}

/// The part of the unsynced changes that survives.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Nothing,
    All,
    /// The changes before some moment.
    Prefix,
    /// Each by chance.
    Some,
}

impl Fate {
    /// The fate of one file or folder on a disk of this fate.
    fn of_one(self, random: &mut Random) -> Fate {
        match self {
            Fate::Some => random.fate(),
            fate => fate,
        }
    }
}

/// A failure that a [`SimulatedDisk`](crate::SimulatedDisk) gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DiskFault {
    /// The device fails: `EIO`.
    Broken,
    /// The device is full: `ENOSPC`.
    Full,
}

impl DiskFault {
    /// The error of the system.
    pub(crate) fn error(self) -> io::Error {
        match self {
            #[cfg(unix)]
            DiskFault::Broken => io::Error::from_raw_os_error(5),
            #[cfg(not(unix))]
            DiskFault::Broken => io::Error::other("input/output error"),
            DiskFault::Full => io::ErrorKind::StorageFull.into(),
        }
    }
}

/// The generator splitmix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    fn flip(&mut self) -> bool {
        self.next() & 1 == 1
    }

    fn fate(&mut self) -> Fate {
        match self.below(8) {
            0 => Fate::Nothing,
            1 => Fate::All,
            2 | 3 => Fate::Prefix,
            _ => Fate::Some,
        }
    }
}

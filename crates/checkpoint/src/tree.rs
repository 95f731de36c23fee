use std::collections::{HashMap, HashSet};
use std::fmt;
use std::ops::Range;

use jarrah_base::{Error, Literal, Result, Type};

use crate::contents::{Contents, read_all};

/// The most differences that an error about many tensors lists.
const SHOWN: usize = 5;

/// A tensor of a checkpoint.
#[derive(Clone, Debug, PartialEq)]
pub struct TensorEntry {
    /// Its name: the keys of its leaf with slashes between them, `params/wte`.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// blake3 of its little-endian bytes, in hexadecimal, if it was saved in one shard.
    pub blake3: Option<String>,
    /// The way in which it was cut among devices, in words.
    pub sharding: Option<String>,
}

/// The tensors of an item, with the numbers that the manifest has for them.
#[derive(Default, Debug)]
pub(crate) struct Entries {
    pub entries: Vec<TensorEntry>,
    numbers: Vec<usize>,
    index: HashMap<String, usize>,
}

impl Entries {
    pub fn add(&mut self, number: usize, entry: TensorEntry) {
        self.index.insert(entry.name.clone(), self.entries.len());
        self.entries.push(entry);
        self.numbers.push(number);
    }
}

/// An item of a checkpoint that is a tree of tensors: see [`Checkpoint::tree`](crate::Checkpoint::tree).
#[derive(Clone, Copy)]
pub struct CheckpointTree<'c> {
    pub(crate) contents: &'c Contents,
    pub(crate) entries: &'c Entries,
}

impl<'c> CheckpointTree<'c> {
    /// The tensors, in the order in which they were given.
    pub fn tensors(&self) -> &'c [TensorEntry] {
        &self.entries.entries
    }

    /// The description of the tensor called `name`.
    ///
    /// # Errors
    /// There is none (`Input`).
    pub fn entry(&self, name: &str) -> Result<&'c TensorEntry> {
        self.at(name).map(|at| &self.entries.entries[at])
    }

    /// The tensor called `name`, checked.
    ///
    /// # Errors
    /// There is none, or its content is damaged; its files were removed or replaced since the checkpoint was opened (`Input`).
    pub fn tensor(&self, name: &str) -> Result<Literal> {
        self.whole(self.at(name)?)
    }

    /// A box of the tensor called `name`, checked; no more is held than the box and a bounded buffer. Of a tensor that was saved in shards only those are read
    /// that have a part of the box.
    ///
    /// # Errors
    /// As [`tensor`](Self::tensor); the box does not lie in the tensor (`Program`).
    pub fn region(&self, name: &str, region: &[Range<usize>]) -> Result<Literal> {
        let at = self.at(name)?;
        let dims: Vec<usize> = self.entries.entries[at].ty.extents().collect();
        let fits =
            |(range, &extent): (&Range<usize>, &usize)| range.start <= range.end && range.end <= extent;
        if region.len() != dims.len() || !region.iter().zip(&dims).all(fits) {
            let error =
                format!("the box {region:?} does not lie in the tensor {name} of the extents {dims:?}");
            return Err(Error::program(error).op("checkpoint"));
        }
        self.contents.region(self.entries.numbers[at], region)
    }

    /// The tensors below `prefix/`, named by what follows it.
    ///
    /// # Errors
    /// The content of one is damaged (`Input`).
    pub fn group(&self, prefix: &str) -> Result<Vec<(String, Literal)>> {
        let below = |(at, entry): (usize, &TensorEntry)| {
            let name = entry.name.strip_prefix(prefix)?.strip_prefix('/')?.to_owned();
            Some(self.whole(at).map(|literal| (name, literal)))
        };
        self.tensors().iter().enumerate().filter_map(below).collect()
    }

    /// All tensors, checked.
    ///
    /// # Errors
    /// The content of one is damaged (`Input`).
    pub fn load(&self) -> Result<Vec<(String, Literal)>> {
        let all: Vec<usize> = (0..self.tensors().len()).collect();
        let bytes = |&at: &usize| self.entries.entries[at].ty.bytes().unwrap_or(usize::MAX);
        let values = read_all(&all, bytes, |&at| self.whole(at))?;
        Ok(self.tensors().iter().map(|entry| entry.name.clone()).zip(values).collect())
    }

    /// Checks that the tree has exactly these tensors.
    ///
    /// # Errors
    /// It has not: the first differences, with both types (`Input`).
    pub fn expect(&self, tensors: &[(String, Type)]) -> Result<()> {
        let found: Vec<(String, Option<Type>)> =
            self.tensors().iter().map(|entry| (entry.name.clone(), Some(entry.ty))).collect();
        let place = self.contents.path.display().to_string();
        expect(&place, "model", tensors, &found, |_| false)
            .map_err(|e| e.help("give the recipe the checkpoint was made with"))
    }

    fn at(&self, name: &str) -> Result<usize> {
        self.entries.index.get(name).copied().ok_or_else(|| {
            let last = name.rsplit(['/', '.']).next().unwrap_or(name);
            let all = self.entries.entries.iter().map(|entry| entry.name.as_str());
            let like: Vec<&str> = all.filter(|other| other.ends_with(last)).take(5).collect();
            let error = Error::input(format!("{} has no tensor {name}", self.contents.path.display()));
            match like.as_slice() {
                [] => error.help("`tensors` has the names of all"),
                like => error.help(format!("it has {}", like.join(", "))),
            }
        })
    }

    fn whole(&self, at: usize) -> Result<Literal> {
        let whole: Vec<Range<usize>> =
            self.entries.entries[at].ty.extents().map(|extent| 0..extent).collect();
        self.contents.region(self.entries.numbers[at], &whole)
    }
}

impl fmt::Debug for CheckpointTree<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CheckpointTree({} tensors of {})", self.tensors().len(), self.contents.path.display())
    }
}

/// A way in which a leaf of a tree differs from a checkpoint.
pub(crate) enum Difference {
    /// The checkpoint lacks it.
    Missing,
    /// The checkpoint has it alone.
    Surplus,
    /// The type in the tree, and that in the checkpoint.
    Type(Type, Type),
}

/// Checks that the checkpoint at `place` has exactly the tensors of a tree, or of a model, but for differences that are allowed.
///
/// # Errors
/// It has not: the first differences, with both types (`Input`).
pub(crate) fn expect(
    place: &str,
    whose: &str,
    wanted: &[(String, Type)],
    found: &[(String, Option<Type>)],
    is_allowed: impl Fn(&Difference) -> bool,
) -> Result<()> {
    let by_name: HashMap<&str, Option<Type>> = found.iter().map(|(name, ty)| (name.as_str(), *ty)).collect();
    let mut differences = Vec::new();
    for (name, ty) in wanted {
        match by_name.get(name.as_str()) {
            Some(Some(found)) if found == ty => {}
            Some(Some(found)) if is_allowed(&Difference::Type(*ty, *found)) => {}
            Some(Some(found)) => {
                differences.push(format!("{name}: the {whose} has {ty}, the checkpoint {found}"));
            }
            Some(None) => differences.push(format!(
                "{name}: the {whose} has {ty}, the checkpoint a text or a type that is not read"
            )),
            None if is_allowed(&Difference::Missing) => {}
            None => differences.push(format!("{name}: the {whose} has {ty}, the checkpoint nothing")),
        }
    }
    let asked: HashSet<&str> = wanted.iter().map(|(name, _)| name.as_str()).collect();
    if !is_allowed(&Difference::Surplus) {
        for (name, ty) in found.iter().filter(|(name, _)| !asked.contains(name.as_str())) {
            let ty = ty.map_or("a text or a type that is not read".to_owned(), |ty| ty.to_string());
            differences.push(format!("{name}: the {whose} has nothing, the checkpoint {ty}"));
        }
    }
    if differences.is_empty() {
        return Ok(());
    }
    let (count, of) = (differences.len(), wanted.len().max(found.len()));
    let mut error = Error::input(format!("{place} is of another {whose}: {count} of {of} tensors differ"));
    for line in differences.iter().take(SHOWN) {
        error = error.context(line);
    }
    if count > SHOWN {
        error = error.context(format!("and {} more", count - SHOWN));
    }
    Err(error)
}

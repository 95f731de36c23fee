use std::path::{Component, Path};
use std::sync::Arc;

use jarrah_base::Result;

use super::input::{Input, prefixed};
use super::wrong;

/// The most bytes that the paths of a part have.
const PATHS: usize = 1 << 20;

/// A stretch of a data file.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Location {
    /// The file's path in the database's folder.
    pub path: Arc<str>,
    /// The length of the part of `path` that paths of a node at this location are appended to.
    pub base: usize,
    pub offset: u64,
    pub length: u64,
}

/// The data files that a part refers to: paths in the database's folder, and the lengths of their bases.
pub(super) fn file_table(input: &mut Input<'_>, base: &str) -> Result<Vec<(Arc<str>, usize)>> {
    let count = input.count()?;
    let prefixes = input.varints(count.saturating_sub(1))?;
    let suffixes = input.varints(count)?;
    let bases = input.varints(count)?;
    let mut files = Vec::with_capacity(suffixes.len());
    prefixed(input, [&prefixes, &suffixes], PATHS, &mut |i, name| {
        let text = std::str::from_utf8(name).ok().filter(|text| text.is_char_boundary(bases[i] as usize));
        let path = text.map(|text| format!("{base}{text}")).filter(|path| is_inside(path));
        let path = path
            .ok_or_else(|| wrong(format!("{:?} is no path of a data file", String::from_utf8_lossy(name))))?;
        files.push((path.into(), base.len() + bases[i] as usize));
        Ok(())
    })?;
    Ok(files)
}

pub(super) fn located(files: &[(Arc<str>, usize)], id: u64, offset: u64, length: u64) -> Result<Location> {
    let file = usize::try_from(id).ok().and_then(|id| files.get(id));
    let (path, base) =
        file.ok_or_else(|| wrong(format!("a reference to data file {id} of {}", files.len())))?;
    Ok(Location { path: path.clone(), base: *base, offset, length })
}

/// Whether a relative path stays in the folder that it is appended to.
pub(super) fn is_inside(path: &str) -> bool {
    !path.is_empty()
        && !path.contains('\0')
        && Path::new(path).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

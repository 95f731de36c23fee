use jarrah_base::Result;

use super::item::wrong;

/// The keys of leaves' paths may have this many times the file's bytes together, and [`SPARE`] more.
const RATIO: usize = 64;
const SPARE: usize = 1 << 20;

/// The bytes that the paths of leaves may still take: each leaf has the keys of all that it lies in, so that a small file could ask for any memory.
pub(crate) struct PathBudget(usize);

impl PathBudget {
    /// The budget of a file of so many bytes.
    pub fn new(file: usize) -> PathBudget {
        PathBudget(file.saturating_mul(RATIO).saturating_add(SPARE))
    }

    /// Takes the bytes of a path: for each key those of its text and `each` more.
    ///
    /// # Errors
    /// The budget has fewer.
    pub fn take(&mut self, texts: impl Iterator<Item = usize>, each: usize) -> Result<()> {
        let path = texts.fold(0usize, |sum, text| sum.saturating_add(text).saturating_add(each));
        let left = self.0.checked_sub(path);
        self.0 = left.ok_or_else(|| wrong("the names of the leaves are longer than their file allows"))?;
        Ok(())
    }
}

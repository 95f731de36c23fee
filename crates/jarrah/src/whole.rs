//! Folders that are written whole.

use std::path::{Path, PathBuf};

use jarrah::{Error, Result};
use jarrah_base::files;

/// A folder that is there when all of it is: until then it has another name beside it.
pub struct Whole<'a> {
    to: &'a Path,
    hidden: PathBuf,
    /// The folders above it that were made for it, the innermost first.
    above: Vec<PathBuf>,
}

impl<'a> Whole<'a> {
    /// Creates the hidden folder, so that a path that cannot be written fails before anything is computed.
    pub fn begin(to: &'a Path) -> Result<Whole<'a>> {
        let is_taken = match std::fs::read_dir(to) {
            Ok(mut entries) => entries.next().is_some(),
            Err(_) => to.exists(),
        };
        if is_taken {
            let error = format!("{} is there, and is no empty folder", to.display());
            return Err(Error::input(error).help("name another folder, or remove this one"));
        }
        let name = to.file_name().ok_or_else(|| {
            Error::input(format!("{} names no folder", to.display())).help("name one that is not there yet")
        })?;
        let mut hidden = std::ffi::OsString::from(".");
        hidden.push(name);
        hidden.push(".partial");
        let hidden = to.with_file_name(hidden);
        // A process that was killed may have left the folder there.
        let _ = std::fs::remove_dir_all(&hidden);
        let missing = |above: &&Path| !above.as_os_str().is_empty() && !above.exists();
        let above = to.ancestors().skip(1).take_while(missing).map(Path::to_owned).collect();
        let whole = Whole { to, hidden, above };
        std::fs::create_dir_all(&whole.hidden).map_err(|e| Error::io("create", &whole.hidden, &e))?;
        Ok(whole)
    }

    /// Where to write until it is whole.
    pub fn path(&self) -> &Path {
        &self.hidden
    }

    /// Gives it its name, once all of it is on the disk.
    pub fn finish(self) -> Result<()> {
        let placed = files::place(&self.hidden, self.to).and_then(|()| match self.above.is_empty() {
            true => Ok(()),
            false => files::sync_names(self.to),
        });
        placed.map_err(|e| Error::io("write", self.to, &e))
    }
}

impl Drop for Whole<'_> {
    fn drop(&mut self) {
        // The folder was renamed, or its content is dropped.
        let _ = std::fs::remove_dir_all(&self.hidden);
        for folder in &self.above {
            // A folder that is not empty stays.
            let _ = std::fs::remove_dir(folder);
        }
    }
}

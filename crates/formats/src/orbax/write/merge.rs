use jarrah_base::Result;
use jarrah_store::{Draft, Name};

use super::btree::{Stored, StoredValue};
use super::database::DatabaseWriter;
use super::part::OrbaxPart;
use super::plan::OrbaxPlan;
use super::writer::process_folder;
use super::{describe, put, refused};
use crate::orbax::array::join;
use crate::orbax::location::Location;
use crate::orbax::metadata::TREE;

impl OrbaxPlan {
    /// Makes one item of the parts that the processes wrote: a database whose values lie in the databases of the processes, and the descriptions of the tree.
    ///
    /// # Errors
    /// A chunk is in no part or in two, a part is of another plan, two are of one process or none is of process 0 (`Input`); the store cannot be written
    /// (`Environment`).
    pub fn merge(&self, draft: &dyn Draft, folder: &Name, parts: &[OrbaxPart]) -> Result<()> {
        self.check_parts(parts)?;
        if self.options.use_ocdbt {
            let mut database = DatabaseWriter::new(draft, folder, &self.options);
            for part in parts {
                database.entries.extend(part.entries.iter().map(|entry| moved(entry, part.process)));
            }
            database.finish()?;
        }
        let file = |name: &str, text: String| put(draft, &folder.join(name)?, text.as_bytes());
        file(TREE, describe::tree(self))?;
        if let Some(shardings) = describe::shardings(self) {
            file("_sharding", shardings.to_string())?;
        }
        if let Some(strings) = describe::strings(self)? {
            file("_strings.json", strings.to_string())?;
        }
        Ok(())
    }

    /// Whether the parts are those of this plan, and have each chunk once.
    fn check_parts(&self, parts: &[OrbaxPart]) -> Result<()> {
        let mut processes: Vec<usize> = parts.iter().map(|part| part.process).collect();
        processes.sort_unstable();
        if processes.first() != Some(&0) {
            return Err(refused("no part is that of process 0, which writes the descriptions of the arrays"));
        }
        if let Some(pair) = processes.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(refused(format!("two parts are those of process {}", pair[0])));
        }
        if let Some(part) =
            parts.iter().find(|part| part.mark != self.mark || part.chunks.len() != self.arrays.len())
        {
            return Err(refused(format!("process {} wrote a part of another plan", part.process))
                .help("give all processes the same tree and the same options"));
        }
        for (number, array) in self.arrays.iter().enumerate() {
            let mut all: Vec<u64> =
                parts.iter().flat_map(|part| part.chunks[number].iter().copied()).collect();
            all.sort_unstable();
            if all.last().is_some_and(|last| *last >= array.chunks as u64) {
                return Err(refused(format!(
                    "a part has more chunks of the array {:?} than there are",
                    array.name
                )));
            }
            let chunk = |number: u64| {
                let mut rest = number;
                let mut at: Vec<u64> = array
                    .zarr
                    .grid()
                    .iter()
                    .rev()
                    .map(|count| {
                        let index = rest % *count as u64;
                        rest /= *count as u64;
                        index
                    })
                    .collect();
                at.reverse();
                format!("the chunk {at:?} of the array {:?}", array.name)
            };
            if let Some(pair) = all.windows(2).find(|pair| pair[0] == pair[1]) {
                return Err(refused(format!("{} was written by two processes", chunk(pair[0])))
                    .help("let one process of those that have a shard write it"));
            }
            if let Some(missing) =
                (0..array.chunks as u64).find(|number| all.get(*number as usize) != Some(number))
            {
                let missing = chunk(missing);
                return Err(refused(format!(
                    "{missing} was not written: {} of {} were",
                    all.len(),
                    array.chunks
                ))
                .help(
                    "each process writes its shards; a CheckpointManager knows the others by the `processes` of its options",
                ));
            }
        }
        match self.options.use_ocdbt {
            true => self.check_keys(parts),
            false => Ok(()),
        }
    }

    /// Whether the parts have the description of each array.
    fn check_keys(&self, parts: &[OrbaxPart]) -> Result<()> {
        let first = parts.iter().find(|part| part.process == 0);
        for array in &self.arrays {
            let key = join(&array.name, describe::array_file(&self.options));
            let found = first.and_then(|part| {
                part.entries.binary_search_by(|entry| entry.key.as_slice().cmp(key.as_bytes())).ok()
            });
            if found.is_none() {
                return Err(refused(format!("the part of process 0 has no {key}")));
            }
        }
        Ok(())
    }
}

/// An entry of a process's database, as the database of all has it: its value lies in the process's folder.
fn moved(entry: &Stored, process: usize) -> Stored {
    let value = match &entry.value {
        StoredValue::Inline(value) => StoredValue::Inline(value.clone()),
        StoredValue::File(at) => {
            let base = format!("{}/", process_folder(process));
            let path = format!("{base}{}", at.path).into();
            StoredValue::File(Location { path, base: base.len() + at.base, ..at.clone() })
        }
    };
    Stored { key: entry.key.clone(), value }
}

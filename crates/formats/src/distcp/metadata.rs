//! The file `.metadata`: a pickle of `torch.distributed.checkpoint.metadata.Metadata`.

use jarrah_base::{DType, Result};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::chunks::Chunk;
use crate::pickle::{Id, Machine, Value, dtype, known, wrong};

/// The most fields of an object.
const MOST_FIELDS: usize = 64;

/// Modules whose classes are read as data.
const MODULES: [&str; 3] = ["torch.distributed.checkpoint", "torch.distributed._shard", "pathlib"];
/// Further imports of the descriptions of tensors.
const IMPORTS: [&str; 3] = ["torch.serialization _get_layout", "torch strided", "_codecs encode"];

/// The tensors and other values of a checkpoint, as its metadata describes them.
#[derive(Default)]
pub struct Description {
    pub tensors: Vec<Described>,
    /// The names of values that are no tensors.
    pub others: Vec<String>,
    /// The names of the files, by the numbers that chunks have for them.
    pub files: Vec<String>,
}

/// A tensor, and its chunks with the place of each.
pub struct Described {
    pub name: String,
    pub dtype: DType,
    pub dims: Vec<usize>,
    pub chunks: Vec<Chunk>,
}

/// Where chunks lie, by the tensor's name and their offsets: the file, the first byte and the number of bytes.
type Places<'a> = FxHashMap<(&'a str, Vec<usize>), (&'a str, usize, usize)>;

pub fn read(data: &[u8]) -> Result<Description> {
    let mut machine = Machine::new(data);
    let root = machine.load()?;
    for value in machine.values() {
        if let Value::Global(global) = value {
            import(global)?;
        }
    }
    // Each number of an extent or offset takes a byte of the file at least, unless one list is recalled again and again.
    let mut reader = Reader { machine: &machine, numbers_left: data.len() };
    if reader.class(root) != Some("Metadata") {
        return Err(wrong("the pickle is no metadata of a distributed checkpoint"));
    }
    let places = reader.places(root)?;
    reader.description(root, &places)
}

/// Refuses imports that the metadata of a checkpoint does not have.
fn import(global: &str) -> Result<()> {
    let module = global.split(' ').next().unwrap_or_default();
    let is_of =
        |of: &&str| module.strip_prefix(of).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    if MODULES.iter().any(is_of) || IMPORTS.contains(&global) { Ok(()) } else { known(global) }
}

struct Reader<'a> {
    machine: &'a Machine<'a>,
    numbers_left: usize,
}

impl<'a> Reader<'a> {
    /// The name of the class of an object, without its module.
    fn class(&self, id: Id) -> Option<&'a str> {
        let &Value::Call(callee, _) = self.machine.value(id) else { return None };
        let Value::Global(name) = self.machine.value(callee) else { return None };
        name.rsplit(' ').next()
    }

    /// A field of an object.
    fn field(&self, id: Id, name: &str) -> Option<Id> {
        let Value::Dict(fields) = self.machine.value(self.machine.state(id)?) else { return None };
        if fields.len() > MOST_FIELDS {
            return None;
        }
        let is_it = |key: Id| matches!(self.machine.value(key), Value::Text(text) if text == name);
        fields.iter().rev().find(|&&(key, _)| is_it(key)).map(|&(_, value)| value)
    }

    fn text(&self, id: Id) -> Option<&'a str> {
        let Value::Text(text) = self.machine.value(id) else { return None };
        Some(text)
    }

    /// The entries of a field that is a dictionary.
    fn entries(&self, id: Id, name: &str) -> Result<&'a [(Id, Id)]> {
        match self.field(id, name).map(|id| self.machine.value(id)) {
            Some(Value::Dict(entries)) => Ok(entries),
            _ => Err(wrong(format!("the metadata has no dictionary `{name}`"))),
        }
    }

    fn numbers(&mut self, id: Option<Id>) -> Result<Option<Vec<usize>>> {
        let Some(numbers) = id.and_then(|id| self.machine.numbers(id)) else { return Ok(None) };
        let left = self.numbers_left.checked_sub(numbers.len());
        self.numbers_left =
            left.ok_or_else(|| wrong("the metadata has more extents and offsets than bytes"))?;
        Ok(Some(numbers))
    }

    fn places(&mut self, root: Id) -> Result<Places<'a>> {
        let mut places = Places::default();
        for &(key, info) in self.entries(root, "storage_data")? {
            let name = self.field(key, "fqn").and_then(|id| self.text(id));
            let name =
                name.ok_or_else(|| wrong("`storage_data` of the metadata has a key without a name"))?;
            // A value that is no tensor has no offset.
            let offsets = self.numbers(self.field(key, "offset"))?.unwrap_or_default();
            let number = |field| self.field(info, field).and_then(|id| self.machine.number(id));
            let path = self.field(info, "relative_path").and_then(|id| self.text(id));
            let (Some(path), Some(start), Some(length)) = (path, number("offset"), number("length")) else {
                return Err(wrong(format!(
                    "the metadata does not say in which bytes of which file {name} lies"
                )));
            };
            let transforms = self.field(info, "transform_descriptors").map(|id| self.machine.value(id));
            match transforms {
                None | Some(Value::None) => {}
                Some(Value::Items(all)) if all.is_empty() => {}
                Some(_) => {
                    return Err(wrong(format!("{name} is compressed or otherwise transformed in {path}"))
                        .help("save the checkpoint without extensions of the writer"));
                }
            }
            if let Some(other) = places.insert((name, offsets), (path, start, length))
                && other != (path, start, length)
            {
                return Err(wrong(format!("the metadata has a chunk of {name} at two places")));
            }
        }
        Ok(places)
    }

    fn description(&mut self, root: Id, places: &Places<'a>) -> Result<Description> {
        let (mut description, mut names) = (Description::default(), FxHashSet::default());
        let mut files = FxHashMap::default();
        for &(key, value) in self.entries(root, "state_dict_metadata")? {
            let name = self.text(key).ok_or_else(|| wrong("a value of the checkpoint has no name"))?;
            if !names.insert(name) {
                return Err(wrong(format!("two values of the checkpoint are called {name}")));
            }
            match self.class(value) {
                Some("BytesStorageMetadata") => description.others.push(name.to_owned()),
                Some("TensorStorageMetadata") => {
                    let tensor = self.tensor(name, value, places, &mut files)?;
                    description.tensors.push(tensor);
                }
                _ => return Err(wrong(format!("the metadata says not what {name} is"))),
            }
        }
        let mut named: Vec<(usize, &str)> = files.into_iter().map(|(name, number)| (number, name)).collect();
        named.sort_unstable();
        description.files = named.into_iter().map(|(_, name)| name.to_owned()).collect();
        Ok(description)
    }

    fn tensor(
        &mut self,
        name: &str,
        id: Id,
        places: &Places<'a>,
        files: &mut FxHashMap<&'a str, usize>,
    ) -> Result<Described> {
        let bad = |what: &str| wrong(format!("the metadata says not {what} of the tensor {name}"));
        let element = self.element(id).ok_or_else(|| bad("the element type"))?;
        let dtype = dtype(element).ok_or_else(|| {
            wrong(format!("the tensor {name} has elements of the type {}", element.replace(' ', ".")))
        })?;
        let dims = self.numbers(self.field(id, "size"))?.ok_or_else(|| bad("the extents"))?;
        let Some(Value::Items(all)) = self.field(id, "chunks").map(|id| self.machine.value(id)) else {
            return Err(bad("the chunks"));
        };
        let (mut chunks, mut seen) = (Vec::new(), FxHashSet::default());
        for &chunk in all {
            if !seen.insert(chunk) {
                continue;
            }
            let offsets = self.numbers(self.field(chunk, "offsets"))?.ok_or_else(|| bad("the chunks"))?;
            let sizes = self.numbers(self.field(chunk, "sizes"))?.ok_or_else(|| bad("the chunks"))?;
            // A chunk without elements lies nowhere.
            if sizes.contains(&0) {
                continue;
            }
            // A tensor that was saved whole may have no offset.
            let whole =
                || (offsets.iter().all(|&at| at == 0)).then(|| places.get(&(name, Vec::new()))).flatten();
            let key = (name, offsets.clone());
            let &(path, start, length) = places.get(&key).or_else(whole).ok_or_else(|| {
                wrong(format!("the metadata says not where the chunk of {name} at {offsets:?} lies"))
            })?;
            let next = files.len();
            let file = *files.entry(path).or_insert(next);
            chunks.push(Chunk { offsets, sizes, file, start, length });
        }
        Ok(Described { name: name.to_owned(), dtype, dims, chunks })
    }

    /// The name of the element type of a tensor: a field of its properties, or the first of their tuple.
    fn element(&self, id: Id) -> Option<&'a str> {
        let properties = self.field(id, "properties")?;
        let element = match self.machine.value(self.machine.state(properties)?) {
            Value::Items(items) => *items.first()?,
            _ => self.field(properties, "dtype")?,
        };
        let Value::Global(name) = self.machine.value(element) else { return None };
        Some(name)
    }
}

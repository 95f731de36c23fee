use std::collections::{HashMap, HashSet};
use std::time::{SystemTime, UNIX_EPOCH};

use blake3::Hasher;
use jarrah_base::{Error, Result};
use jarrah_formats::{
    OrbaxArraySpec, OrbaxCompression, OrbaxDescription, OrbaxHandler, OrbaxLeafSpec, OrbaxNode, OrbaxPlan,
    OrbaxWriteOptions, write_orbax_json,
};
use jarrah_store::{Condition, Draft, Files, Name};
use serde_json::{Map, Value, json};

use super::links::{Links, digits};
use super::part::{Part, ShardSum, TreePart};
use super::recorder::Recorder;
use super::{FileRecord, has_loose_bits, stored};
use crate::hash::hex;
use crate::items::{CheckpointItem, CheckpointItems};
use crate::layout::orbax::{JARRAH, MANIFEST, METRICS, METRICS_FILE, process_file};
use crate::manifest::{
    COMMON_VERSION, Checksums, ItemRecord, TensorRecord, VERSION, lines, sealed, state_text,
};
use crate::tensor::{ShardedTensor, TensorShard};

/// The most parts of a tensor's name.
const PARTS: usize = 100;

/// The beginning of a save: its time, and a number that the names of its data files are made of. All processes that write it have them alike.
#[derive(Clone, Copy, Debug)]
pub struct Begin {
    pub nanos: u64,
    pub seed: u64,
}

impl Begin {
    pub fn now(files: &dyn Files) -> Begin {
        Begin { nanos: nanos(files.now()), seed: files.token() }
    }
}

/// A checkpoint that is being written.
pub struct Writing<'i> {
    items: &'i CheckpointItems,
    begin: Begin,
    state: String,
    /// The trees of the items, in their order.
    plans: Vec<OrbaxPlan>,
}

impl<'i> Writing<'i> {
    /// Plans the files of a checkpoint.
    ///
    /// # Errors
    /// Two tensors have one name, or the state is no JSON (`Program`); Orbax could not read a name or a shape back (`Input`).
    pub fn new(items: &'i CheckpointItems, begin: Begin) -> Result<Writing<'i>> {
        let state = state_text(&items.state)?;
        let options = OrbaxWriteOptions {
            compression: OrbaxCompression::None,
            store_zeros: true,
            seed: begin.seed,
            time_nanos: begin.nanos,
            ..OrbaxWriteOptions::default()
        };
        let plan = |(name, tensors): (&str, &[(String, ShardedTensor)])| {
            plan(tensors, options.clone()).map_err(|e| e.context(format!("in the item {name:?}")))
        };
        let plans = items.trees().map(plan).collect::<Result<_>>()?;
        Ok(Writing { items, begin, state, plans })
    }

    /// Writes the shards that process `process` of `count` has. Where `links` are given, those that have files of their own may be links.
    ///
    /// # Errors
    /// The store cannot be written (`Environment`).
    pub fn part(
        &self,
        draft: &Recorder,
        process: usize,
        count: usize,
        links: Option<&Links<'_>>,
    ) -> Result<Part> {
        let mut part = Part { process, ..Part::default() };
        for ((item, tensors), plan) in self.items.trees().zip(&self.plans) {
            let mut writer = plan.writer(draft, &Name::new(item)?, process)?;
            let mut sums = Vec::new();
            // Tensors that their checksums do not cover wholly come last: the checksums of the files cover the rest of each file behind the other tensors.
            for is_loose in [false, true] {
                draft.tensors(!is_loose);
                for (number, (given, tensor)) in tensors.iter().enumerate() {
                    if has_loose_bits(tensor.ty().dtype()) != is_loose {
                        continue;
                    }
                    // A whole tensor on no mesh is the same in all processes: they take turns.
                    let is_same = tensor.sharding().is_none() && tensor.grid().len() == 1;
                    let is_other = is_same && number % count != process;
                    let name = given.replace('/', ".");
                    for TensorShard { region, value } in tensor.shards().iter().filter(|_| !is_other) {
                        let (bytes, cell) = (value.bytes(), tensor.grid().cell(region).unwrap_or(0));
                        let blake3 = hex(Hasher::new().update(bytes));
                        match links.filter(|links| links.has_file(bytes.len())) {
                            Some(links) => {
                                let mut make = |file: &Name| links.make(draft, file, bytes, &blake3);
                                writer.write_file(&name, region, bytes, digits(&blake3), &mut make)?;
                            }
                            None => writer.write(&name, region, bytes)?,
                        }
                        sums.push(ShardSum { tensor: given.clone(), cell, blake3 });
                    }
                }
            }
            draft.tensors(false);
            part.trees.insert(item.to_owned(), TreePart { orbax: writer.finish()?, sums });
        }
        for (name, item) in self.items.items() {
            if let CheckpointItem::ProcessJson(value) = item {
                put(draft, &process_file(name, process, count), &value.to_string())?;
            }
        }
        (part.files, part.linked_bytes) = (draft.files(), draft.linked_bytes());
        Ok(part)
    }

    /// Makes the parts of all processes one checkpoint in the draft, and gives the bytes that were written.
    ///
    /// # Errors
    /// A shard is in no part, or in two (`Program`, `Input`); the store cannot be written (`Environment`).
    pub fn complete(&self, draft: &Recorder, mut parts: Vec<Part>, files: &dyn Files) -> Result<u64> {
        let (mut handlers, mut records, mut items) = (Vec::new(), Vec::new(), Vec::new());
        for ((item, tensors), plan) in self.items.trees().zip(&self.plans) {
            let (mut trees, mut sums) = (Vec::new(), Vec::new());
            for part in &mut parts {
                let Some(tree) = part.trees.remove(item) else {
                    return Err(differs(part.process, &format!("no tensors of the item {item:?}")));
                };
                trees.push(tree.orbax);
                sums.extend(tree.sums);
            }
            plan.merge(draft, &Name::new(item)?, &trees)?;
            records.extend(tensor_records(item, tensors, &sums)?);
            handlers.push((item, OrbaxHandler::PyTree));
        }
        for part in &parts {
            if let Some(item) = part.trees.keys().next() {
                return Err(differs(part.process, &format!("the item {item:?}, which process 0 has not")));
            }
        }
        for (name, item) in self.items.items() {
            let record = ItemRecord::new(name, item, parts.len());
            if record.processes.is_some() {
                check_processes(&record, &draft.files(), &parts)?;
            }
            items.push(record);
            if let CheckpointItem::Json(value) = item {
                write_orbax_json(draft, &Name::new(name.as_str())?, 0, value)?;
                handlers.push((name, OrbaxHandler::Json));
            }
        }
        handlers.push((JARRAH, OrbaxHandler::Json));
        let metrics = self.metrics();
        if metrics != json!({}) {
            handlers.push((METRICS, OrbaxHandler::Json));
            put(draft, METRICS_FILE, &metrics.to_string())?;
        }
        let mut description = OrbaxDescription::new(0, handlers);
        description.metrics = metrics;
        description.init_nanos = self.begin.nanos;
        description.commit_nanos = nanos(files.now());
        description.write(draft)?;

        let linked: u64 = parts.iter().map(|part| part.linked_bytes).sum();
        let mut files = draft.files();
        files.extend(parts.into_iter().filter(|part| part.process != 0).flat_map(|part| part.files));
        files.sort_by(|a, b| a.name.cmp(&b.name));
        // Older programs read all checkpoints but those with items that they do not know.
        let is_common = items.iter().all(|item| item.processes.is_none());
        let manifest = sealed(
            if is_common { COMMON_VERSION } else { VERSION },
            &[
                ("step", self.items.step().to_string()),
                ("time", self.begin.nanos.to_string()),
                ("items", lines(&items)?),
                ("tensors", lines(&records)?),
                ("files", lines(&files)?),
                ("state", self.state.clone()),
            ],
        );
        put(draft, MANIFEST, &manifest)?;
        Ok(files.iter().map(|file| file.bytes).sum::<u64>() - linked + manifest.len() as u64)
    }

    /// The measurements that JSON has numbers for.
    fn metrics(&self) -> Value {
        let finite = self.items.state.metrics.iter().filter(|(_, value)| value.is_finite());
        Value::from(finite.map(|(name, &value)| (name.clone(), value.into())).collect::<Map<String, Value>>())
    }
}

/// The error of a process whose items are not those of process 0.
fn differs(process: usize, what: &str) -> Error {
    Error::program(format!("process {process} gave {what}"))
        .op("checkpoint")
        .help("all processes save the same items, each the shards that it has")
}

/// Checks that all processes have written their files of an item.
fn check_processes(item: &ItemRecord, first: &[FileRecord], parts: &[Part]) -> Result<()> {
    let has = |files: &[FileRecord], file: &str| files.iter().any(|record| record.name == file);
    let files = item.json_files();
    for part in parts {
        let written = if part.process == 0 { first } else { &part.files };
        if !files.get(part.process).is_some_and(|file| has(written, file)) {
            return Err(differs(part.process, &format!("no JSON of the item {:?}", item.name)));
        }
    }
    let foreign =
        |file: &&FileRecord| file.name.split_once('/').is_some_and(|(folder, _)| folder == item.name);
    match parts.iter().flat_map(|part| &part.files).filter(foreign).find(|file| !files.contains(&file.name)) {
        Some(file) => Err(Error::program(format!("a process wrote {} into an item that is JSON", file.name))
            .op("checkpoint")),
        None => Ok(()),
    }
}

/// Writes a file of the checkpoint.
fn put(draft: &dyn Draft, file: &str, text: &str) -> Result<()> {
    let mut upload = draft.create(&Name::new(file)?)?;
    upload.write(text.as_bytes())?;
    upload.finish(Condition::Always).map(drop)
}

/// The records of the tensors of an item, in their order, with the checksums of their shards.
fn tensor_records(
    item: &str,
    tensors: &[(String, ShardedTensor)],
    sums: &[ShardSum],
) -> Result<Vec<TensorRecord>> {
    let found: HashMap<(&str, usize), &str> =
        sums.iter().map(|sum| ((sum.tensor.as_str(), sum.cell), sum.blake3.as_str())).collect();
    let record = |(name, tensor): &(String, ShardedTensor)| {
        let sum = |cell: usize| {
            found.get(&(name.as_str(), cell)).map(|sum| (*sum).to_owned()).ok_or_else(|| {
                Error::program(format!("no process gave the shard {cell} of the tensor {name:?}"))
                    .op("checkpoint")
                    .help("all processes save, each the shards that it has")
            })
        };
        let sums = match tensor.grid().len() {
            1 => Checksums::Whole { blake3: sum(0)? },
            count => Checksums::Shards {
                shard: tensor.extents().to_vec(),
                blake3: (0..count).map(sum).collect::<Result<_>>()?,
            },
        };
        Ok(TensorRecord {
            name: name.clone(),
            item: item.to_owned(),
            dtype: tensor.ty().dtype().name().to_owned(),
            shape: tensor.ty().extents().collect(),
            sums,
        })
    };
    tensors.iter().map(record).collect()
}

/// The tree of an item's tensors, of which there is one at least.
fn plan(tensors: &[(String, ShardedTensor)], options: OrbaxWriteOptions) -> Result<OrbaxPlan> {
    let mut names = HashSet::new();
    let mut rows = Vec::with_capacity(tensors.len());
    for (number, (name, _)) in tensors.iter().enumerate() {
        if !names.insert(name.as_str()) {
            return Err(Error::program(format!("the tensor name {name:?} is taken")).op("checkpoint"));
        }
        let parts: Vec<&str> = name.split('/').collect();
        if parts.len() > PARTS {
            let message = format!("the tensor name {name:?} has {} parts; the most are {PARTS}", parts.len());
            return Err(Error::program(message).op("checkpoint"));
        }
        rows.push((parts, number));
    }
    rows.sort();
    let leaves = tensors.iter().map(|(_, tensor)| OrbaxLeafSpec::Array(spec(tensor))).collect();
    OrbaxPlan::new(&tree(&rows, 0)?, leaves, options)
}

/// Orbax's description of a tensor: an array of NumPy's where it is whole, else one of JAX's over the devices that it is cut over.
fn spec(tensor: &ShardedTensor) -> OrbaxArraySpec {
    let (dtype, dims) = (stored(tensor.ty().dtype()), tensor.ty().extents().collect::<Vec<_>>());
    match tensor.sharding() {
        Some(sharding) => {
            OrbaxArraySpec::array(dtype, dims).shards(tensor.extents()).sharding(sharding.clone())
        }
        None => OrbaxArraySpec::numpy(dtype, dims).shards(tensor.extents()),
    }
}

/// The dictionary of the tensors whose names have the same parts up to `depth`, in order.
fn tree(rows: &[(Vec<&str>, usize)], depth: usize) -> Result<OrbaxNode> {
    if let [(parts, number), others @ ..] = rows
        && parts.len() == depth
    {
        return match others.first() {
            None => Ok(OrbaxNode::Leaf(*number)),
            Some((below, _)) => Err(Error::program(format!(
                "the tensor {:?} would have {:?} below it",
                parts.join("/"),
                below.join("/")
            ))
            .op("checkpoint")
            .help("rename one of them: a key of the tree has a tensor or further keys, not both")),
        };
    }
    let children = rows.chunk_by(|a, b| a.0[depth] == b.0[depth]);
    let child = |rows: &[(Vec<&str>, usize)]| Ok((rows[0].0[depth].to_owned(), tree(rows, depth + 1)?));
    Ok(OrbaxNode::Dict(children.map(child).collect::<Result<_>>()?))
}

/// Nanoseconds since 1970.
fn nanos(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| u64::try_from(since.as_nanos()).unwrap_or(u64::MAX))
}

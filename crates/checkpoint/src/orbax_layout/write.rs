use std::collections::HashSet;
use std::time::{SystemTime, UNIX_EPOCH};

use blake3::Hasher;
use jarrah_base::{Error, Literal, Result};
use jarrah_formats::{
    OrbaxArraySpec, OrbaxCompression, OrbaxDescription, OrbaxHandler, OrbaxLeafSpec, OrbaxNode, OrbaxPlan,
    OrbaxWriteOptions,
};
use jarrah_store::{Condition, Draft, Files, Name, ObjectStore};
use serde_json::{Map, Value, json};

use super::recorder::Recorder;
use super::{has_loose_bits, stored};
use crate::hash::hex;
use crate::layout::orbax::{JARRAH, MANIFEST, METRICS, METRICS_FILE, STATE};
use crate::manifest::{TensorRecord, lines, sealed, state_text};
use crate::snapshot::Snapshot;

/// The most parts of a tensor's name.
const PARTS: usize = 100;

/// Writes `snapshot` as a folder of the store, in the place of one that is there, and gives the bytes written; on an error nothing of it is left.
///
/// # Errors
/// Two tensors have one name, or the state is no JSON (`Program`); Orbax could not read a name or a shape back (`Input`); the store cannot be written
/// (`Environment`).
pub fn write(store: &dyn ObjectStore, folder: &Name, snapshot: &Snapshot, files: &dyn Files) -> Result<u64> {
    let state = state_text(&snapshot.state)?;
    let begun = nanos(files.now());
    let options = OrbaxWriteOptions {
        compression: OrbaxCompression::None,
        store_zeros: true,
        seed: files.token(),
        time_nanos: begun,
        ..OrbaxWriteOptions::default()
    };
    let plan = plan(&snapshot.tensors, options)?;
    let draft = Recorder::new(store.draft(folder)?);

    let mut items = Vec::new();
    let mut records = Vec::new();
    if let Some(plan) = &plan {
        items.push((STATE, OrbaxHandler::PyTree));
        records = tensors(&draft, plan, &snapshot.tensors)?;
    }
    items.push((JARRAH, OrbaxHandler::Json));
    // JSON has no other numbers.
    let finite = snapshot.state.metrics.iter().filter(|(_, value)| value.is_finite());
    let metrics: Map<String, Value> = finite.map(|(name, &value)| (name.clone(), value.into())).collect();
    let metrics = Value::from(metrics);
    if metrics != json!({}) {
        items.push((METRICS, OrbaxHandler::Json));
        put(&draft, METRICS_FILE, &metrics.to_string())?;
    }
    let mut description = OrbaxDescription::new(0, items);
    description.metrics = metrics;
    description.init_nanos = begun;
    description.commit_nanos = nanos(files.now());
    description.write(&draft)?;

    let files = draft.files();
    let manifest = sealed(&[
        ("step", snapshot.step.to_string()),
        ("tensors", lines(&records)?),
        ("files", lines(&files)?),
        ("state", state),
    ]);
    put(&draft, MANIFEST, &manifest)?;
    Box::new(draft).replace()?;
    Ok(files.iter().map(|file| file.bytes).sum::<u64>() + manifest.len() as u64)
}

/// Writes a file of the checkpoint.
fn put(draft: &dyn Draft, file: &str, text: &str) -> Result<()> {
    let mut upload = draft.create(&Name::new(file)?)?;
    upload.write(text.as_bytes())?;
    upload.finish(Condition::Always).map(drop)
}

/// The tree of the tensors; none where there are none, as Orbax has no such tree.
fn plan(tensors: &[(String, Literal)], options: OrbaxWriteOptions) -> Result<Option<OrbaxPlan>> {
    if tensors.is_empty() {
        return Ok(None);
    }
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
    let spec = |(_, value): &(String, Literal)| OrbaxArraySpec::numpy(stored(value.dtype()), value.dims());
    let leaves = tensors.iter().map(|tensor| OrbaxLeafSpec::Array(spec(tensor))).collect();
    OrbaxPlan::new(&tree(&rows, 0)?, leaves, options).map(Some)
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

/// Writes the tensors, and gives their records in the order of the snapshot.
fn tensors(draft: &Recorder, plan: &OrbaxPlan, tensors: &[(String, Literal)]) -> Result<Vec<TensorRecord>> {
    let folder = Name::new(STATE)?;
    let mut writer = plan.writer(draft, &folder, 0)?;
    // Tensors that their checksums do not cover wholly come last: the checksums of the files cover the rest of each file behind the other tensors.
    for is_loose in [false, true] {
        draft.tensors(!is_loose);
        for (name, value) in tensors.iter().filter(|tensor| has_loose_bits(tensor.1.dtype()) == is_loose) {
            let name = name.replace('/', ".");
            match stored(value.dtype()) == value.dtype() {
                true => writer.write_literal(&name, value)?,
                false => {
                    let whole: Vec<_> = value.dims().into_iter().map(|extent| 0..extent).collect();
                    writer.write(&name, &whole, value.bytes())?;
                }
            }
        }
    }
    draft.tensors(false);
    let part = writer.finish()?;
    plan.merge(draft, &folder, &[part])?;
    let record = |(name, value): &(String, Literal)| TensorRecord {
        name: name.clone(),
        dtype: value.dtype().name().to_owned(),
        shape: value.dims(),
        blake3: hex(Hasher::new().update(value.bytes())),
    };
    Ok(tensors.iter().map(record).collect())
}

/// Nanoseconds since 1970.
fn nanos(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| u64::try_from(since.as_nanos()).unwrap_or(u64::MAX))
}

//! Files of PyTorch before 1.6: pickles of a magic number, a version, the machine, the value, and the keys of the storages;
//! then each storage, its number of elements before it.

use jarrah_base::Result;
use rustc_hash::FxHashMap;

use super::machine::Machine;
use super::torch::{Walk, dtype};
use super::value::Value;
use super::{Storages, wrong};
use crate::listing::Listing;

const MAGIC: i128 = 0x1950_a86a_20f9_469c_fc6c;
const VERSION: i128 = 1001;

struct Places(FxHashMap<String, (usize, usize)>);

impl Storages for Places {
    fn find(&self, key: &str) -> Result<(usize, usize)> {
        self.0.get(key).copied().ok_or_else(|| wrong(format!("the file has no storage {key:?}")))
    }
}

pub fn list(data: &[u8]) -> Result<Listing> {
    let mut machine = Machine::new(data);
    let magic = machine.load()?;
    if !matches!(machine.value(magic), Value::Int(MAGIC)) {
        return Err(wrong("the file is a pickle, but not of torch.save"));
    }
    let version = machine.load()?;
    if !matches!(machine.value(version), Value::Int(VERSION)) {
        return Err(wrong("the file is of another version of torch.save: known is 1001"));
    }
    machine.load()?;
    let value = machine.load()?;
    let keys = machine.load()?;
    let sizes = sizes(&machine);
    let Value::Items(keys) = machine.value(keys) else {
        return Err(wrong("the file has no list of storages"));
    };
    let mut at = machine.position();
    let mut places = FxHashMap::default();
    for &key in keys {
        let Value::Text(key) = machine.value(key) else { return Err(wrong("a storage has no key")) };
        let cut = || wrong(format!("the storage {key} is not all there: the file is cut short"));
        let count = data.get(at..).and_then(|rest| rest.first_chunk::<8>()).ok_or_else(cut)?;
        let size = sizes
            .get(key.as_str())
            .ok_or_else(|| wrong(format!("no tensor says what storage {key} holds")))?;
        let bytes = usize::try_from(u64::from_le_bytes(*count)).ok().and_then(|n| n.checked_mul(*size));
        let end = bytes
            .and_then(|bytes| bytes.checked_add(at + 8))
            .filter(|&end| end <= data.len())
            .ok_or_else(cut)?;
        places.insert(key.clone(), (at + 8, end - at - 8));
        at = end;
    }
    if at != data.len() {
        return Err(wrong(format!("{} bytes are left behind the last storage", data.len() - at)));
    }
    let places = Places(places);
    let mut walk = Walk::new(&machine, &places);
    walk.tensors(value, "", 0)?;
    Ok(Listing { entries: walk.entries, ..Listing::default() })
}

/// The bytes of an element of each storage that the value refers to, by key.
fn sizes<'a>(machine: &'a Machine<'_>) -> FxHashMap<&'a str, usize> {
    let mut sizes = FxHashMap::default();
    for value in machine.values() {
        let &Value::Outside(place) = value else { continue };
        let Value::Items(place) = machine.value(place) else { continue };
        let [_, kind, key, ..] = place[..] else { continue };
        if let (Value::Global(kind), Value::Text(key)) = (machine.value(kind), machine.value(key)) {
            sizes.extend(dtype(kind).map(|dtype| (key.as_str(), dtype.size())));
        }
    }
    sizes
}

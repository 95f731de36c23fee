//! The archive of `torch.save`: `NAME/data.pkl`, and a file `NAME/data/KEY` for each storage.

use std::io::Cursor;

use jarrah_base::Result;
use rustc_hash::FxHashMap;
use zip::{CompressionMethod, ZipArchive};

use super::machine::Machine;
use super::torch::Walk;
use super::{Storages, wrong};
use crate::listing::Listing;

/// Where the files of the archive lie.
struct Files {
    folder: String,
    places: FxHashMap<String, (usize, usize)>,
}

impl Storages for Files {
    fn find(&self, key: &str) -> Result<(usize, usize)> {
        let name = format!("{}data/{key}", self.folder);
        self.places.get(&name).copied().ok_or_else(|| wrong(format!("the archive has no storage {key:?}")))
    }
}

pub fn list(data: &[u8]) -> Result<Listing> {
    let bad = |e: zip::result::ZipError| {
        wrong(format!("the archive cannot be read: {e}"))
            .help("it may be cut short: compare its size with the original's")
    };
    let mut archive = ZipArchive::new(Cursor::new(data)).map_err(bad)?;
    let mut places = FxHashMap::default();
    for i in 0..archive.len() {
        let file = archive.by_index_raw(i).map_err(bad)?;
        let name = file.name().map_err(bad)?.into_owned();
        if file.compression() != CompressionMethod::Stored || file.encrypted() {
            return Err(wrong(format!("{name} is compressed in the archive, which torch.save never does")));
        }
        let start = file.data_start().and_then(|start| usize::try_from(start).ok());
        let size = usize::try_from(file.size()).ok();
        let place = start
            .zip(size)
            .filter(|&(start, size)| start.checked_add(size).is_some_and(|end| end <= data.len()));
        let place = place.ok_or_else(|| wrong(format!("{name} is not within the archive")))?;
        if places.insert(name.clone(), place).is_some() {
            return Err(wrong(format!("the archive has {name} twice")));
        }
    }
    apart(&places)?;
    let pickle =
        places.iter().find_map(|(name, &place)| Some((name.strip_suffix("data.pkl")?.to_owned(), place)));
    let Some((folder, (start, size))) = pickle else {
        return Err(wrong("the archive has no data.pkl: it was not written by torch.save"));
    };
    if places.contains_key(&format!("{folder}constants.pkl")) {
        return Err(
            wrong("the archive is a TorchScript program").help("save the state_dict of the module instead")
        );
    }
    let order = places.get(&format!("{folder}byteorder")).map(|&(start, size)| &data[start..start + size]);
    if order.is_some_and(|order| order != b"little") {
        return Err(wrong("the elements are not little-endian"));
    }
    let mut machine = Machine::new(&data[start..start + size]);
    let value = machine.load()?;
    let files = Files { folder, places };
    let mut walk = Walk::new(&machine, &files);
    walk.tensors(value, "", 0)?;
    Ok(Listing { entries: walk.entries, ..Listing::default() })
}

/// Checks that no two files of the archive share bytes.
fn apart(places: &FxHashMap<String, (usize, usize)>) -> Result<()> {
    let mut all: Vec<(usize, usize, &str)> = places
        .iter()
        .filter(|(_, (_, size))| *size > 0)
        .map(|(name, &(start, size))| (start, size, name.as_str()))
        .collect();
    all.sort_unstable();
    match all.windows(2).find(|pair| pair[0].0 + pair[0].1 > pair[1].0) {
        Some(pair) => Err(wrong(format!("{} and {} overlap in the archive", pair[0].2, pair[1].2))),
        None => Ok(()),
    }
}

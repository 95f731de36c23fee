//! The places of the chunks of a file: as its footer tells them, or as they are found.

use std::sync::Arc;

use jarrah_base::MappedFile;

use super::chunk::{Chunk, Fault};
use super::riegeli::{self, BLOCK, Damage, SIMPLE, TRANSPOSED};
use crate::sources::protobuf::{Field, Fields};

/// `echo ArrayRecord | md5sum | cut -b 1-16`, beside the place of the footer.
pub(super) const MAGIC: u64 = 0x7193_0e70_4fda_e05e;

/// Where the chunks begin, and which records they have: 8 bytes for each chunk where all but the last have equally many.
pub(super) struct Index {
    offsets: Vec<u64>,
    counts: Counts,
    len: u64,
}

enum Counts {
    /// All but the last chunk have so many records.
    Even(u64),
    /// For each chunk, the number of records up to its end.
    Ends(Vec<u64>),
}

impl Index {
    /// The index of chunks, each with its offset and its number of records.
    fn new(chunks: &[(u64, u64)]) -> Self {
        let size = chunks.first().map_or(1, |first| first.1).max(1);
        let even = match chunks {
            [before @ .., last] => before.iter().all(|c| c.1 == size) && (1..=size).contains(&last.1),
            [] => true,
        };
        let mut len = 0_u64;
        let ends = chunks.iter().map(|chunk| {
            len = len.saturating_add(chunk.1);
            len
        });
        let ends: Vec<u64> = ends.collect();
        let counts = if even { Counts::Even(size) } else { Counts::Ends(ends) };
        Index { offsets: chunks.iter().map(|chunk| chunk.0).collect(), counts, len }
    }

    pub(super) fn len(&self) -> u64 {
        self.len
    }

    pub(super) fn offset(&self, chunk: usize) -> u64 {
        self.offsets[chunk]
    }

    pub(super) fn records(&self, chunk: usize) -> u64 {
        match &self.counts {
            Counts::Even(size) => (*size).min(self.len - chunk as u64 * size),
            Counts::Ends(ends) if chunk == 0 => ends[0],
            Counts::Ends(ends) => ends[chunk] - ends[chunk - 1],
        }
    }

    /// The chunk of a record, and the record's number in it.
    pub(super) fn locate(&self, record: u64) -> (usize, usize) {
        match &self.counts {
            Counts::Even(size) => ((record / size) as usize, (record % size) as usize),
            Counts::Ends(ends) => {
                let chunk = ends.partition_point(|&end| end <= record);
                (chunk, (record - (ends[chunk] - self.records(chunk))) as usize)
            }
        }
    }
}

fn damage<T>(offset: u64, text: &str) -> Result<T, Fault> {
    Err(Fault::Damaged(Damage { offset, text: text.to_owned() }))
}

/// The numbers of the first fields of a message; missing ones are 0.
fn numbers<const N: usize>(message: &[u8]) -> Option<[u64; N]> {
    let mut found = [0; N];
    for field in Fields(message) {
        if let (number @ 1.., Field::Varint(value)) = field.ok()?
            && let Some(place) = found.get_mut(number as usize - 1)
        {
            *place = value;
        }
    }
    Some(found)
}

/// The place of the footer, of which the last block tells.
fn postscript(file: &Arc<MappedFile>) -> Result<u64, Fault> {
    let Some(at) = (file.len() as u64).checked_sub(BLOCK) else {
        return damage(file.len() as u64, "an ArrayRecord file has at least 64 KiB");
    };
    let chunk = Chunk::decode(file, &riegeli::read_header(file, at)?)?;
    let told = (chunk.len() > 0).then(|| numbers(&chunk.record(0))).flatten();
    match told {
        Some([footer, MAGIC]) if footer < at => Ok(footer),
        _ => damage(at, "the last block does not tell where the index is"),
    }
}

/// The numbers of chunks and of records that the first record of a footer tells.
fn footer_counts(chunk: &Chunk) -> Option<[u64; 2]> {
    let first = (chunk.len() > 0).then(|| chunk.record(0))?;
    let about = Fields(&first).find_map(|field| match field.ok()? {
        (1, Field::Bytes(about)) => Some(about),
        _ => None,
    })?;
    let [version, chunks, records] = numbers(about)?;
    (version == 1 && chunks.checked_add(1) == Some(chunk.len() as u64)).then_some([chunks, records])
}

/// The index that the file has.
pub(super) fn stored(file: &Arc<MappedFile>) -> Result<Index, Fault> {
    let at = postscript(file)?;
    let footer = Chunk::decode(file, &riegeli::read_header(file, at)?)?;
    let Some([_, told]) = footer_counts(&footer) else {
        return damage(at, "the index is none of ArrayRecord's first version");
    };
    let mut chunks = Vec::with_capacity(footer.len() - 1);
    let (mut before, mut total) = (0, 0_u64);
    for i in 1..footer.len() {
        match numbers(&footer.record(i)) {
            Some([offset, _, records]) if offset >= before && offset < at && records > 0 => {
                before = offset + 1;
                total = total.saturating_add(records);
                chunks.push((offset, records));
            }
            _ => return damage(at, &format!("entry {} of the index is damaged", i - 1)),
        }
    }
    match total == told {
        true => Ok(Index::new(&chunks)),
        false => damage(at, &format!("the index has {total} records, but tells of {told}")),
    }
}

/// The index of the chunks that are found from the front, and the damage between them.
pub(super) fn found(file: &Arc<MappedFile>) -> (Index, Vec<Damage>) {
    let end = postscript(file).unwrap_or(file.len() as u64);
    let (mut chunks, mut damages, mut at) = (Vec::new(), Vec::new(), 0);
    while at < end {
        match riegeli::read_header(file, at) {
            Ok(header) => {
                if matches!(header.kind, SIMPLE | TRANSPOSED) && header.records > 0 {
                    // Behind the index stands no record.
                    let decoded = Chunk::decode(file, &header).ok();
                    if decoded.is_some_and(|chunk| footer_counts(&chunk).is_some()) {
                        break;
                    }
                    chunks.push((at, header.records));
                }
                at = header.end;
            }
            Err(damage) => {
                damages.push(damage);
                match riegeli::next_chunk(file, at) {
                    Some(next) => at = next,
                    None => break,
                }
            }
        }
    }
    (Index::new(&chunks), damages)
}

use std::sync::Arc;

use jarrah_base::{Error, ErrorKind, MappedFile, Result};
use smallvec::SmallVec;

use super::riegeli::{self, ChunkHeader, Damage, Data, SIMPLE, TRANSPOSED};
use crate::sources::codec;
use crate::sources::protobuf::{take, take_varint};
use crate::sources::record_bytes::RecordBytes;

/// The reason why a chunk was not read.
pub(super) enum Fault {
    Damaged(Damage),
    /// An error that is none of the file, such as a lack of memory.
    Failed(Error),
}

impl From<Damage> for Fault {
    fn from(damage: Damage) -> Self {
        Fault::Damaged(damage)
    }
}

/// The records of a chunk.
pub(super) struct Chunk {
    values: RecordBytes,
    /// For each record, the end of its bytes.
    ends: SmallVec<[usize; 2]>,
}

impl Chunk {
    /// Reads and decodes the data of a chunk.
    pub(super) fn decode(file: &Arc<MappedFile>, header: &ChunkHeader) -> Result<Self, Fault> {
        // A decoder does not know where its bytes lie.
        let placed = |e: Error| match e.kind() {
            ErrorKind::Input => Fault::Damaged(Damage { offset: header.begin, text: e.message().to_owned() }),
            _ => Fault::Failed(e),
        };
        let at = |text: &str| Fault::Damaged(Damage { offset: header.begin, text: text.to_owned() });
        match header.kind {
            SIMPLE => {}
            TRANSPOSED => {
                return Err(at(
                    "the chunk is transposed, which is not read: write the file with `transpose:false`",
                ));
            }
            kind => return Err(at(&format!("the chunk has the type {kind:#04x}, which holds no records"))),
        }
        let data = match riegeli::read_data(file, header)? {
            Data::Within(range) => RecordBytes::mapped(file, range),
            Data::Gathered(bytes) => RecordBytes::from(bytes),
        };
        let mut rest = &*data;
        let parts = (|| {
            let kind = *take(&mut rest, 1)?.first()?;
            let length = take_varint(&mut rest)?;
            Some((kind, take(&mut rest, length)?))
        })();
        let (kind, sizes) = parts.ok_or_else(|| at("the data of a chunk end within its sizes"))?;
        let records = usize::try_from(header.records).unwrap_or(usize::MAX);
        let sizes = Unpacked::of(kind, sizes, None).map_err(placed)?;
        let mut sizes = sizes.bytes();
        // Each size takes a byte at least.
        if sizes.len() < records {
            return Err(at("a chunk has more records than sizes"));
        }
        let mut ends = SmallVec::with_capacity(records);
        let mut end = 0_u64;
        for _ in 0..records {
            let size =
                take_varint(&mut sizes).ok_or_else(|| at("the sizes of a chunk's records are damaged"))?;
            end = end.saturating_add(size);
            ends.push(usize::try_from(end).unwrap_or(usize::MAX));
        }
        if !sizes.is_empty() || end != header.decoded_size {
            return Err(at("the sizes of a chunk's records do not add up to its size"));
        }
        let start = data.len() - rest.len();
        let values = match Unpacked::of(kind, rest, Some(header.decoded_size)).map_err(placed)? {
            Unpacked::AsItIs(_) => data.cut(start..data.len()),
            Unpacked::Decoded(bytes) => RecordBytes::from(bytes),
        };
        match values.len() as u64 == header.decoded_size {
            true => Ok(Chunk { values, ends }),
            false => Err(at("the records of a chunk have another size than it declares")),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The memory that it takes, about.
    pub(super) fn bytes(&self) -> usize {
        self.values.len() + 8 * self.ends.len()
    }

    /// The record of a number below `len`.
    pub(super) fn record(&self, number: usize) -> RecordBytes {
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        self.values.cut(start..self.ends[number])
    }
}

/// Bytes of a chunk, decompressed where they were compressed.
enum Unpacked<'a> {
    AsItIs(&'a [u8]),
    Decoded(Vec<u8>),
}

impl<'a> Unpacked<'a> {
    /// `declared` is the size that the chunk header gives.
    fn of(kind: u8, bytes: &'a [u8], declared: Option<u64>) -> Result<Self> {
        if kind == 0 {
            return Ok(Unpacked::AsItIs(bytes));
        }
        let mut rest = bytes;
        let size =
            take_varint(&mut rest).ok_or_else(|| Error::input("the size of compressed bytes is damaged"))?;
        if declared.is_some_and(|declared| declared != size) {
            return Err(Error::input("the records of a chunk have another size than it declares"));
        }
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        Ok(Unpacked::Decoded(match kind {
            b'z' => codec::unzstd(rest, size)?,
            b'b' => codec::unbrotli(rest, size)?,
            b's' => codec::unsnap(rest, size)?,
            _ => return Err(Error::input(format!("the compression {kind:#04x} of a chunk is not known"))),
        }))
    }

    fn bytes(&self) -> &[u8] {
        match self {
            Unpacked::AsItIs(bytes) => bytes,
            Unpacked::Decoded(bytes) => bytes,
        }
    }
}

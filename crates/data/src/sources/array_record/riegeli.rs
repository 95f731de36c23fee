//! The layout of Riegeli/records files: chunks, interrupted by a header at every multiple of 64 KiB.
//!
//! Source: the file format specification of Riegeli/records.

use std::io::{self, Write};
use std::ops::Range;

use highway::{HighwayHash, HighwayHasher, Key};

pub(super) const BLOCK: u64 = 1 << 16;
const BLOCK_HEADER: u64 = 24;
const USABLE: u64 = BLOCK - BLOCK_HEADER;
pub(super) const CHUNK_HEADER: u64 = 40;

pub(super) const SIGNATURE: u8 = b's';
pub(super) const PADDING: u8 = b'p';
pub(super) const SIMPLE: u8 = b'r';
pub(super) const TRANSPOSED: u8 = b't';

/// `Riegeli/`, `records\n`, twice.
const KEY: Key =
    Key([0x2f69_6c65_6765_6952, 0x0a73_6472_6f63_6572, 0x2f69_6c65_6765_6952, 0x0a73_6472_6f63_6572]);

pub(super) fn hash(bytes: &[u8]) -> u64 {
    HighwayHasher::new(KEY).hash64(bytes)
}

fn word(bytes: &[u8], at: usize) -> u64 {
    let mut word = [0; 8];
    word.copy_from_slice(&bytes[at..at + 8]);
    u64::from_le_bytes(word)
}

fn remaining_in_block(at: u64) -> u64 {
    at.wrapping_neg() % BLOCK
}

/// Whether a chunk may begin or end at `at`: neither within a block header nor behind it.
pub(super) fn is_boundary(at: u64) -> bool {
    remaining_in_block(at) < USABLE
}

/// The end of a chunk that begins at `begin`.
fn chunk_end(begin: u64, data: u64, records: u64) -> u64 {
    let size = data.saturating_add(CHUNK_HEADER);
    let headers = size.saturating_add((begin + USABLE - 1) % BLOCK) / USABLE;
    let with_headers = begin.saturating_add(size).saturating_add(headers.saturating_mul(BLOCK_HEADER));
    let least = begin.saturating_add(records);
    with_headers.max(least.saturating_add(remaining_in_block(least).saturating_sub(USABLE - 1)))
}

/// Damage: where it was found, and what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Damage {
    pub(super) offset: u64,
    pub(super) text: String,
}

fn damage<T>(offset: u64, text: impl Into<String>) -> Result<T, Damage> {
    Err(Damage { offset, text: text.into() })
}

#[derive(Clone, Copy, Debug)]
pub(super) struct ChunkHeader {
    data_size: u64,
    data_hash: u64,
    pub(super) kind: u8,
    pub(super) records: u64,
    pub(super) decoded_size: u64,
    pub(super) begin: u64,
    pub(super) end: u64,
    /// Where the data begin.
    data: u64,
}

/// The content of a chunk.
pub(super) enum Data {
    /// It lies in one piece in the file.
    Within(Range<usize>),
    /// It is put together from blocks.
    Gathered(Vec<u8>),
}

/// Goes over the bytes of a chunk piece by piece, and checks the block headers between them.
struct Pieces<'a> {
    file: &'a [u8],
    begin: u64,
    at: u64,
    /// The end of the chunk, once it is known.
    end: Option<u64>,
    /// The end that a block header within the chunk header told.
    told: Option<u64>,
}

impl<'a> Pieces<'a> {
    /// At most `most` bytes that lie in one piece.
    fn next(&mut self, most: u64) -> Result<&'a [u8], Damage> {
        if self.at.is_multiple_of(BLOCK) {
            self.block_header()?;
        }
        let length = most.min(remaining_in_block(self.at));
        let piece = self.file.get(self.at as usize..(self.at + length) as usize);
        let Some(piece) = piece else { return damage(self.at, "the file ends within a chunk") };
        self.at += length;
        Ok(piece)
    }

    fn block_header(&mut self) -> Result<(), Damage> {
        let at = self.at;
        let Some(header) = self.file.get(at as usize..(at + BLOCK_HEADER) as usize) else {
            return damage(at, "the file ends within a block header");
        };
        if hash(&header[8..]) != word(header, 0) {
            return damage(at, "the hash of a block header does not fit");
        }
        let (before, end) = (word(header, 8), at.saturating_add(word(header, 16)));
        if before != at - self.begin || self.end.is_some_and(|own| own != end) {
            return damage(at, "a block header tells of other chunks");
        }
        self.told = Some(end);
        self.at += BLOCK_HEADER;
        Ok(())
    }
}

/// Reads the header of the chunk at `begin`.
pub(super) fn read_header(file: &[u8], begin: u64) -> Result<ChunkHeader, Damage> {
    if begin >= file.len() as u64 {
        return damage(begin, "the file has no such place");
    }
    if !is_boundary(begin) {
        return damage(begin, "no chunk can begin here");
    }
    let mut pieces = Pieces { file, begin, at: begin, end: None, told: None };
    let mut bytes = [0; CHUNK_HEADER as usize];
    let mut filled = 0;
    while filled < bytes.len() {
        let piece = pieces.next((bytes.len() - filled) as u64)?;
        bytes[filled..filled + piece.len()].copy_from_slice(piece);
        filled += piece.len();
    }
    if hash(&bytes[8..]) != word(&bytes, 0) {
        return damage(begin, "the hash of a chunk header does not fit");
    }
    let (kind, records) = (bytes[24], word(&bytes, 24) >> 8);
    let data_size = word(&bytes, 8);
    let end = chunk_end(begin, data_size, records);
    if pieces.told.is_some_and(|told| told != end) {
        return damage(begin, "a chunk header and a block header tell different ends");
    }
    if end > file.len() as u64 {
        return damage(begin, format!("the chunk ends at byte {end}, but the file has {}", file.len()));
    }
    Ok(ChunkHeader {
        data_size,
        data_hash: word(&bytes, 16),
        kind,
        records,
        decoded_size: word(&bytes, 32),
        begin,
        end,
        data: pieces.at,
    })
}

/// Reads the data of a chunk and checks their hash.
pub(super) fn read_data(file: &[u8], header: &ChunkHeader) -> Result<Data, Damage> {
    let size = header.data_size;
    let within = !header.data.is_multiple_of(BLOCK) && size <= remaining_in_block(header.data);
    let data = match within || size == 0 {
        true => Data::Within(header.data as usize..(header.data + size) as usize),
        false => {
            let mut pieces =
                Pieces { file, begin: header.begin, at: header.data, end: Some(header.end), told: None };
            // The chunk lies within the file, and the data within the chunk.
            let mut bytes = Vec::with_capacity(size as usize);
            while (bytes.len() as u64) < size {
                let piece = pieces.next(size - bytes.len() as u64)?;
                bytes.extend_from_slice(piece);
            }
            Data::Gathered(bytes)
        }
    };
    let bytes = match &data {
        Data::Within(range) => &file[range.clone()],
        Data::Gathered(bytes) => bytes,
    };
    match hash(bytes) == header.data_hash {
        true => Ok(data),
        false => damage(header.begin, "the hash of a chunk's data does not fit"),
    }
}

/// The beginning of a chunk behind damage at `from`, found by the next block header that is sound; `None` behind the last one.
pub(super) fn next_chunk(file: &[u8], from: u64) -> Option<u64> {
    let mut block = (from / BLOCK + 1).checked_mul(BLOCK)?;
    while let Some(header) = file.get(block as usize..(block + BLOCK_HEADER) as usize) {
        if hash(&header[8..]) == word(header, 0) {
            let (before, after) = (word(header, 8), word(header, 16));
            // A chunk that begins at the block may be sound; the one that a header interrupts is looked at before.
            let begin = if before == 0 { block } else { block.saturating_add(after) };
            if is_boundary(begin) && begin < file.len() as u64 {
                return Some(begin);
            }
        }
        block += BLOCK;
    }
    None
}

/// Writes chunks one behind the other.
pub(super) struct ChunkWriter<W> {
    out: W,
    pub(super) at: u64,
}

impl<W: Write> ChunkWriter<W> {
    /// A file with its signature.
    pub(super) fn new(out: W) -> io::Result<Self> {
        let mut writer = ChunkWriter { out, at: 0 };
        writer.chunk(SIGNATURE, 0, 0, &[])?;
        Ok(writer)
    }

    /// Writes a chunk, and says where it begins.
    pub(super) fn chunk(
        &mut self,
        kind: u8,
        records: u64,
        decoded_size: u64,
        data: &[u8],
    ) -> io::Result<u64> {
        let begin = self.at;
        let end = chunk_end(begin, data.len() as u64, records);
        let mut header = [0; CHUNK_HEADER as usize];
        let words = [data.len() as u64, hash(data), u64::from(kind) | records << 8, decoded_size];
        for (i, word) in words.iter().enumerate() {
            header[8 + 8 * i..16 + 8 * i].copy_from_slice(&word.to_le_bytes());
        }
        let sum = hash(&header[8..]);
        header[..8].copy_from_slice(&sum.to_le_bytes());
        self.section(&header, begin, end)?;
        self.section(data, begin, end)?;
        const ZEROS: [u8; 4096] = [0; 4096];
        while self.at < end {
            let length = (end - self.at).min(ZEROS.len() as u64);
            // A block header may take the room of some of these zeros.
            self.section(&ZEROS[..length as usize], begin, end)?;
        }
        Ok(begin)
    }

    /// Writes bytes of a chunk, with the block headers that stand between them; bytes that would lie behind the end are left out.
    fn section(&mut self, mut bytes: &[u8], begin: u64, end: u64) -> io::Result<()> {
        while !bytes.is_empty() && self.at < end {
            if self.at.is_multiple_of(BLOCK) {
                let mut header = [0; BLOCK_HEADER as usize];
                header[8..16].copy_from_slice(&(self.at - begin).to_le_bytes());
                header[16..].copy_from_slice(&(end - self.at).to_le_bytes());
                let sum = hash(&header[8..]);
                header[..8].copy_from_slice(&sum.to_le_bytes());
                self.out.write_all(&header)?;
                self.at += BLOCK_HEADER;
            }
            let room = remaining_in_block(self.at).min(end - self.at);
            let (now, rest) = bytes.split_at(bytes.len().min(room as usize));
            self.out.write_all(now)?;
            self.at += now.len() as u64;
            bytes = rest;
        }
        Ok(())
    }

    /// Fills the block up by a chunk of padding.
    pub(super) fn pad(&mut self) -> io::Result<()> {
        let left = remaining_in_block(self.at);
        if left == 0 {
            return Ok(());
        }
        // A chunk of padding has a header, for which this block may have no room.
        let left = if left < CHUNK_HEADER { left + BLOCK } else { left };
        // Up to the end of this block, no block header stands between; beyond it, one does.
        let headers = if left >= BLOCK { BLOCK_HEADER } else { 0 };
        let data = vec![0; (left - headers - CHUNK_HEADER) as usize];
        self.chunk(PADDING, 0, 0, &data).map(|_| ())
    }

    pub(super) fn into_inner(self) -> W {
        self.out
    }
}

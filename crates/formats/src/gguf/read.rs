use jarrah_base::{Error, Result};
use rustc_hash::FxHashSet;

use super::{ALIGNMENT, DEFAULT_ALIGNMENT, GgufField, GgufFields, MAGIC, TYPES};
use crate::encoding::TensorEncoding;
use crate::listing::{Entry, Listing};

/// How deep arrays may lie in arrays.
const DEPTH: usize = 4;
const MOST_DIMS: u32 = 4;
/// The most fields, those of arrays included: a field takes more memory than file.
const MOST_FIELDS: usize = 1 << 24;

fn wrong(message: impl Into<String>) -> Error {
    Error::input(message.into()).op("gguf")
}

/// The fields and the tensors of a file.
pub(crate) fn list(data: &[u8]) -> Result<Listing> {
    let mut reader = Reader { data, at: MAGIC.len(), fields: 0 };
    match reader.u32()? {
        2 | 3 => {}
        1 => {
            return Err(wrong("the file is of version 1 of GGUF; known are 2 and 3")
                .help("convert it with llama.cpp"));
        }
        version if version.swap_bytes() <= 3 => return Err(wrong("the file is big-endian")),
        version => return Err(wrong(format!("the file is of version {version} of GGUF; known are 2 and 3"))),
    }
    let (tensors, count) = (reader.u64()?, reader.u64()?);
    let mut fields = Vec::new();
    let mut names = FxHashSet::default();
    for _ in 0..count {
        let name = reader.text()?;
        let kind = reader.u32()?;
        let field = reader.field(kind, DEPTH).map_err(|e| e.context(format!("in the field {name}")))?;
        if !names.insert(name.clone()) {
            return Err(wrong(format!("two fields are called {name}")));
        }
        fields.push((name, field));
    }
    let fields = GgufFields(fields);
    let alignment = fields.get(ALIGNMENT).map_or(Some(DEFAULT_ALIGNMENT), GgufField::as_usize);
    let alignment = alignment.filter(|a| a.is_power_of_two() && *a <= 1 << 20);
    let alignment = alignment.ok_or_else(|| wrong(format!("{ALIGNMENT} is no power of two")))?;
    let mut entries = Vec::new();
    for _ in 0..tensors {
        entries.push(reader.tensor()?);
    }
    let start = reader.at.next_multiple_of(alignment);
    place(&mut entries, start, data.len(), alignment)?;
    Ok(Listing { entries, fields, ..Listing::default() })
}

/// Checks that the tensors lie within the file and apart from each other, and moves them to where they are.
fn place(entries: &mut [Entry], start: usize, length: usize, alignment: usize) -> Result<()> {
    for entry in entries.iter_mut() {
        let at = entry.start;
        if at % alignment != 0 {
            return Err(wrong(format!(
                "the tensor {} begins at {at}, no multiple of {alignment}",
                entry.name
            )));
        }
        let end =
            start.checked_add(at).and_then(|at| at.checked_add(entry.bytes)).filter(|&end| end <= length);
        let Some(end) = end else {
            return Err(wrong(format!("the tensor {} is not all in the file of {length} bytes", entry.name))
                .help("it may be cut short: compare its size with the original's"));
        };
        entry.start = end - entry.bytes;
    }
    let mut order: Vec<&Entry> = entries.iter().filter(|entry| entry.bytes > 0).collect();
    order.sort_by_key(|entry| entry.start);
    match order.windows(2).find(|pair| pair[0].start + pair[0].bytes > pair[1].start) {
        Some(pair) => Err(wrong(format!("the tensors {} and {} overlap", pair[0].name, pair[1].name))),
        None => Ok(()),
    }
}

struct Reader<'a> {
    data: &'a [u8],
    at: usize,
    fields: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        let end = self.at.checked_add(count).filter(|&end| end <= self.data.len());
        let end = end.ok_or_else(|| {
            wrong(format!(
                "the file of {} bytes ends where {count} more are wanted at {}",
                self.data.len(),
                self.at
            ))
        })?;
        let bytes = &self.data[self.at..end];
        self.at = end;
        Ok(bytes)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        Ok(self.take(N)?.try_into().expect("invariant: as many bytes as were asked for"))
    }

    fn u32(&mut self) -> Result<u32> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    fn u64(&mut self) -> Result<u64> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    fn length(&mut self) -> Result<usize> {
        Ok(usize::try_from(self.u64()?).unwrap_or(usize::MAX))
    }

    fn text(&mut self) -> Result<String> {
        let length = self.length()?;
        let bytes = self.take(length)?;
        // Vocabularies of bytes have pieces that are no UTF-8.
        Ok(String::from_utf8_lossy(bytes).into_owned())
    }

    fn field(&mut self, kind: u32, depth: usize) -> Result<GgufField> {
        self.fields += 1;
        if self.fields > MOST_FIELDS {
            return Err(wrong(format!("there are more than {MOST_FIELDS} fields")));
        }
        Ok(match kind {
            0 => GgufField::U8(self.array::<1>()?[0]),
            1 => GgufField::I8(i8::from_le_bytes(self.array()?)),
            2 => GgufField::U16(u16::from_le_bytes(self.array()?)),
            3 => GgufField::I16(i16::from_le_bytes(self.array()?)),
            4 => GgufField::U32(self.u32()?),
            5 => GgufField::I32(i32::from_le_bytes(self.array()?)),
            6 => GgufField::F32(f32::from_le_bytes(self.array()?)),
            7 => GgufField::Bool(self.array::<1>()?[0] != 0),
            8 => GgufField::Text(self.text()?),
            9 if depth > 0 => {
                let (kind, count) = (self.u32()?, self.length()?);
                let mut fields = Vec::new();
                for _ in 0..count {
                    fields.push(self.field(kind, depth - 1)?);
                }
                GgufField::Array(kind, fields)
            }
            9 => return Err(wrong(format!("arrays lie in each other deeper than {DEPTH}"))),
            10 => GgufField::U64(self.u64()?),
            11 => GgufField::I64(i64::from_le_bytes(self.array()?)),
            12 => GgufField::F64(f64::from_le_bytes(self.array()?)),
            _ => return Err(wrong(format!("{kind} is no kind of field"))),
        })
    }

    fn tensor(&mut self) -> Result<Entry> {
        let name = self.text()?;
        let bad = |what: String| wrong(format!("the tensor {name} {what}"));
        let rank = self.u32()?;
        if rank > MOST_DIMS {
            return Err(bad(format!("has {rank} axes; GGUF has at most {MOST_DIMS}")));
        }
        let mut dims = Vec::new();
        for _ in 0..rank {
            dims.push(self.length()?);
        }
        // The innermost axis comes first in files.
        dims.reverse();
        let kind = self.u32()?;
        let start = self.length()?;
        let encoding: TensorEncoding = TYPES
            .iter()
            .find_map(|&(number, encoding)| (number == kind).then_some(encoding))
            .ok_or_else(|| bad(format!("has the encoding {kind}, which is not known here")))?;
        let bytes = encoding.bytes(&dims).ok_or_else(|| {
            bad(format!("has rows that are no whole blocks of {encoding}, or too many: {dims:?}"))
        })?;
        Ok(Entry { name, encoding, dims, strides: None, file: 0, start, bytes })
    }
}

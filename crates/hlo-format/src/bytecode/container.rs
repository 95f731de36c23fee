use std::sync::Arc;

use jarrah_base::{Error, Result};

use super::version::Version;
use super::wire::Cursor;
use crate::ir::OriginFile;

/// The first bytes of every file.
pub const MAGIC: &[u8] = b"ML\xEFR";
/// The newest format of the container.
pub const NEWEST: u64 = 6;

pub const STRINGS: u8 = 0;
pub const DIALECTS: u8 = 1;
pub const ENTRIES: u8 = 2;
pub const OFFSETS: u8 = 3;
pub const OPS: u8 = 4;
pub const RESOURCES: u8 = 5;
pub const RESOURCE_OFFSETS: u8 = 6;
pub const DIALECT_VERSION: u8 = 7;
pub const PROPERTIES: u8 = 8;

/// A file taken apart into its tables; what the entries say is read on demand.
pub struct Container<'a> {
    pub format: u64,
    pub strings: Vec<&'a [u8]>,
    pub ops: Vec<OpName<'a>>,
    pub attributes: Vec<Entry<'a>>,
    pub types: Vec<Entry<'a>>,
    pub properties: Vec<Cursor<'a>>,
    pub resources: Vec<(Arc<str>, Cursor<'a>)>,
    pub code: Cursor<'a>,
}

/// The name of an op.
pub struct OpName<'a> {
    pub dialect: &'a str,
    pub name: &'a str,
    /// Whether properties are in the op's own encoding rather than an attribute.
    pub registered: bool,
}

/// An attribute or a type.
#[derive(Clone, Copy)]
pub struct Entry<'a> {
    pub dialect: &'a str,
    /// Whether it is in the dialect's own encoding rather than text.
    pub binary: bool,
    pub data: Cursor<'a>,
}

/// The version of the portable dialect that the name of a producer gives.
fn producer_version(producer: &str) -> Option<Version> {
    producer.split("StableHLO_v").nth(1)?.parse().ok()
}

/// The error that a file is newer than this reader.
fn skew(file: impl std::fmt::Display, reader: impl std::fmt::Display) -> Error {
    Error::input(format!("version skew: the file is of {file}, the newest that can be read is {reader}"))
        .help("let its producer target an older version, or read it with a newer release")
}

impl<'a> Container<'a> {
    /// Takes the file apart.
    pub fn read(origin: &'a OriginFile, bytes: &'a [u8]) -> Result<Self> {
        let mut file = Cursor::new(origin, bytes);
        if !bytes.starts_with(MAGIC) {
            return Err(file.error("this is no MLIR bytecode: it does not begin with `ML\\xEFR`"));
        }
        file.take(MAGIC.len() as u64)?;
        let format = file.varint()?;
        if format > NEWEST {
            return Err(skew(format!("MLIR bytecode format {format}"), format!("format {NEWEST}")));
        }
        let producer = file.c_string()?;
        if let Some(version) = producer_version(producer).filter(|v| v.release() > Version::CURRENT) {
            return Err(skew(format!("StableHLO {version}"), format!("StableHLO {}", Version::CURRENT)));
        }
        let mut sections = [None; 9];
        while !file.is_empty() {
            let before = file;
            let (kind, data) = file.section()?;
            let slot = sections.get_mut(usize::from(kind));
            let slot = slot.ok_or_else(|| before.error(format!("there is no section of kind {kind}")))?;
            if slot.replace(data).is_some() {
                return Err(before.error(format!("section {kind} occurs twice")));
            }
        }
        let section = |kind: u8, what: &str| {
            sections[usize::from(kind)].ok_or_else(|| file.error(format!("the section of {what} is missing")))
        };
        let strings = strings(section(STRINGS, "strings")?)?;
        let (dialects, ops) = dialects(section(DIALECTS, "dialects")?, &strings, format)?;
        let offsets = section(OFFSETS, "offsets")?;
        let (attributes, types) = entries(offsets, section(ENTRIES, "attributes and types")?, &dialects)?;
        let properties = match sections[usize::from(PROPERTIES)] {
            Some(data) => properties(data)?,
            None => Vec::new(),
        };
        let resources = match (sections[usize::from(RESOURCE_OFFSETS)], sections[usize::from(RESOURCES)]) {
            (Some(offsets), Some(data)) => resources(offsets, data, &strings, dialects.len())?,
            _ => Vec::new(),
        };
        let code = section(OPS, "operations")?;
        Ok(Container { format, strings, ops, attributes, types, properties, resources, code })
    }
}

/// The sizes of the strings, the last one first, and then the strings.
fn strings<'a>(mut data: Cursor<'a>) -> Result<Vec<&'a [u8]>> {
    let count = data.count()?;
    let sizes = (0..count).map(|_| data.varint()).collect::<Result<Vec<_>>>()?;
    let mut strings = Vec::with_capacity(count);
    for &size in sizes.iter().rev() {
        match data.take(size)?.rest() {
            [text @ .., 0] => strings.push(text),
            _ => return Err(data.error("a string without an end")),
        }
    }
    data.finish("the strings")?;
    Ok(strings)
}

/// The text of a string that has to be a name.
fn name<'a>(strings: &[&'a [u8]], at: &Cursor<'_>, index: u64) -> Result<&'a str> {
    let index = at.checked(index, strings.len(), "string")?;
    std::str::from_utf8(strings[index]).map_err(|_| at.error("a name that is not UTF-8"))
}

fn dialects<'a>(
    mut data: Cursor<'a>,
    strings: &[&'a [u8]],
    format: u64,
) -> Result<(Vec<&'a str>, Vec<OpName<'a>>)> {
    let count = data.count()?;
    let mut dialects = Vec::with_capacity(count);
    for _ in 0..count {
        let (index, versioned) = if format >= 1 { data.flagged()? } else { (data.varint()?, false) };
        dialects.push(name(strings, &data, index)?);
        if versioned {
            let (kind, mut version) = data.section()?;
            if kind != DIALECT_VERSION {
                return Err(data.error("the version of a dialect is missing"));
            }
            if dialects.last() == Some(&"stablehlo") {
                let mut part = || version.varint().map(|n| n.min(u64::from(u32::MAX)) as u32);
                let version = Version { major: part()?, minor: part()?, patch: part()? };
                if version.release() > Version::CURRENT {
                    return Err(skew(
                        format!("StableHLO {version}"),
                        format!("StableHLO {}", Version::CURRENT),
                    ));
                }
            }
        }
    }
    if format >= 4 {
        data.varint()?;
    }
    let mut ops = Vec::new();
    while !data.is_empty() {
        let dialect = dialects[data.index(dialects.len(), "dialect")?];
        for _ in 0..data.count()? {
            let (index, registered) = if format >= 5 { data.flagged()? } else { (data.varint()?, true) };
            ops.push(OpName { dialect, name: name(strings, &data, index)?, registered });
        }
    }
    Ok((dialects, ops))
}

/// The attributes and the types: their sizes stand in `offsets`, grouped by dialect.
fn entries<'a>(
    mut offsets: Cursor<'a>,
    mut data: Cursor<'a>,
    dialects: &[&'a str],
) -> Result<(Vec<Entry<'a>>, Vec<Entry<'a>>)> {
    let counts = [offsets.count()?, offsets.count()?];
    let mut read = |count: usize| -> Result<Vec<Entry<'a>>> {
        let mut entries = Vec::with_capacity(count.min(offsets.len()));
        while entries.len() < count {
            let dialect = dialects[offsets.index(dialects.len(), "dialect")?];
            let group = offsets.count()?;
            if group > count - entries.len() {
                return Err(offsets.error("a group of attributes or types is larger than their number"));
            }
            for _ in 0..group {
                let (size, binary) = offsets.flagged()?;
                entries.push(Entry { dialect, binary, data: data.take(size)? });
            }
        }
        Ok(entries)
    };
    let attributes = read(counts[0])?;
    let types = read(counts[1])?;
    offsets.finish("the offsets")?;
    Ok((attributes, types))
}

fn properties(mut data: Cursor<'_>) -> Result<Vec<Cursor<'_>>> {
    if data.is_empty() {
        return Ok(Vec::new());
    }
    let properties = (0..data.count()?).map(|_| {
        let size = data.varint()?;
        data.take(size)
    });
    let properties = properties.collect::<Result<Vec<_>>>()?;
    data.finish("the properties")?;
    Ok(properties)
}

/// The blobs that attributes refer to, in the order of their numbers.
fn resources<'a>(
    mut offsets: Cursor<'a>,
    mut data: Cursor<'a>,
    strings: &[&'a [u8]],
    dialects: usize,
) -> Result<Vec<(Arc<str>, Cursor<'a>)>> {
    let mut resources = Vec::new();
    let external = offsets.count()?;
    let mut group = 0;
    while group < external || !offsets.is_empty() {
        match group < external {
            true => offsets.index(strings.len(), "string")?,
            false => offsets.index(dialects, "dialect")?,
        };
        for _ in 0..offsets.count()? {
            let key = offsets.varint()?;
            let key = name(strings, &offsets, key)?;
            let size = offsets.varint()?;
            offsets.byte()?;
            let blob = data.take(size)?;
            if group >= external {
                resources.push((key.into(), blob));
            }
        }
        group += 1;
    }
    Ok(resources)
}

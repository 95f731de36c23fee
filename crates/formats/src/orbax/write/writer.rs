use std::ops::Range;

use jarrah_base::{DType, Error, Literal, Result, memory};
use jarrah_store::{Condition, Draft, Name, Upload};

use super::database::DatabaseWriter;
use super::part::OrbaxPart;
use super::plan::{OrbaxPlan, PlanArray};
use super::{describe, finish, put, refused};
use crate::boxes::{Window, copy_window, strides};
use crate::orbax::array::join;
use crate::orbax::chunk::{ElementSize, each_chunk, elements};
use crate::orbax::encode::Sink;

/// One process that writes chunks of a tree's arrays: see [`OrbaxPlan`].
///
/// Values go to the store as they come. Memory is taken for the keys of the chunks, the values that lie in nodes, and a chunk whose elements do not lie one
/// after the other in their shard.
///
/// Dropping it before [`finish`](Self::finish) leaves a draft that must not be published.
pub struct OrbaxWriter<'d> {
    plan: &'d OrbaxPlan,
    draft: &'d dyn Draft,
    folder: Name,
    process: usize,
    /// The database, where there is one; otherwise each value is an object.
    database: Option<DatabaseWriter<'d>>,
    /// For each array, whether each of its chunks was written.
    written: Vec<Vec<bool>>,
    /// Room for a chunk.
    chunk: Vec<u8>,
}

impl OrbaxPlan {
    /// Begins the part of process `process` of the item in the folder `folder` of a draft, the root for a checkpoint that is one item. All processes write
    /// to the same draft, and process 0, which writes the descriptions of the arrays, is one of them.
    ///
    /// # Errors
    /// The folder of the process's database has a name that stores do not take (`Input`).
    pub fn writer<'d>(
        &'d self,
        draft: &'d dyn Draft,
        folder: &Name,
        process: usize,
    ) -> Result<OrbaxWriter<'d>> {
        let database = match self.options.use_ocdbt {
            true => Some(DatabaseWriter::new(draft, &folder.join(process_folder(process))?, &self.options)),
            false => None,
        };
        let written = vec![Vec::new(); self.arrays.len()];
        Ok(OrbaxWriter {
            plan: self,
            draft,
            folder: folder.clone(),
            process,
            database,
            written,
            chunk: Vec::new(),
        })
    }

    /// The array of this name.
    pub(super) fn array(&self, name: &str) -> Result<usize> {
        self.index.get(name).copied().ok_or_else(|| {
            Error::program(format!("the plan has no array {name:?}"))
                .op("orbax")
                .help("the name of an array is its keys with dots between them")
        })
    }
}

/// The folder of a process's database in that of its item.
pub(super) fn process_folder(process: usize) -> String {
    format!("ocdbt.process_{process}")
}

/// Bytes that go to an object.
struct ObjectSink(Box<dyn Upload>);

impl Sink for ObjectSink {
    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        self.0.write(bytes)
    }
}

impl OrbaxWriter<'_> {
    /// Writes a box of the array called `name`, a range for each axis. `bytes` are its elements in row-major order, as [`Literal`] has them.
    ///
    /// The box begins and ends where chunks do, or at the end of the array. Nobody writes a chunk twice.
    ///
    /// # Errors
    /// The plan has no such array, the box does not lie in it or has another number of bytes (`Program`); it cuts a chunk, or has one that was written
    /// before (`Input`); the store cannot be written (`Environment`).
    pub fn write(&mut self, name: &str, region: &[Range<usize>], bytes: &[u8]) -> Result<()> {
        let number = self.plan.array(name)?;
        self.write_region(number, region, bytes).map_err(|e| e.context(format!("in the array {name:?}")))
    }

    /// As [`write`](Self::write), of a box that is one chunk: its bytes are all of a data file, which `make` writes, or finds written already and links. The file is called by
    /// 32 hexadecimal digits, such as those of a checksum of the bytes; boxes of equal digits are one file, which is made once.
    ///
    /// ```
    /// use jarrah_formats::{OrbaxArraySpec, OrbaxCompression, OrbaxLeafSpec, OrbaxNode, OrbaxPlan, OrbaxWriteOptions};
    /// use jarrah_store::{Condition, Draft, MemoryStore, Name, ObjectStore};
    /// # use jarrah_base::DType;
    /// let node = OrbaxNode::Dict(vec![("w".to_owned(), OrbaxNode::Leaf(0))]);
    /// let spec = OrbaxLeafSpec::Array(OrbaxArraySpec::numpy(DType::U8, [4]));
    /// let options = OrbaxWriteOptions { compression: OrbaxCompression::None, store_zeros: true, ..Default::default() };
    /// let plan = OrbaxPlan::new(&node, vec![spec], options)?;
    /// let store = MemoryStore::new();
    /// let draft = store.draft(&Name::new("100")?)?;
    /// let mut writer = plan.writer(&*draft, &Name::root(), 0)?;
    /// writer.write_file("w", &[0..4], b"abcd", &"7".repeat(32), &mut |file| {
    ///     let mut upload = draft.create(file)?;
    ///     upload.write(b"abcd")?;
    ///     upload.finish(Condition::Always).map(drop)
    /// })?;
    /// plan.merge(&*draft, &Name::root(), &[writer.finish()?])?;
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`write`](Self::write); the box is not one chunk, chunks are compressed, or the plan has no database (`Program`); `make` failed.
    pub fn write_file(
        &mut self,
        name: &str,
        region: &[Range<usize>],
        bytes: &[u8],
        digits: &str,
        make: &mut dyn FnMut(&Name) -> Result<()>,
    ) -> Result<()> {
        let number = self.plan.array(name)?;
        let array = &self.plan.arrays[number];
        check_region(array, region, bytes.len())?;
        let is_chunk = region.iter().zip(&array.zarr.chunk).all(|(range, extent)| range.len() == *extent);
        let is_name = digits.len() == 32 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        let is_plain = |dtype: DType| array.zarr.codecs.are_plain(ElementSize::of(dtype));
        let is_file = is_chunk && is_name && array.zarr.dtype.is_some_and(is_plain);
        let Some(database) = self.database.as_mut().filter(|_| is_file) else {
            return Err(Error::program(format!(
                "a box of the array {name:?} is to be the data file {digits:?}"
            ))
            .op("orbax")
            .help("a data file has one chunk that is not compressed, and a name of 32 hexadecimal digits"));
        };
        let at: Vec<usize> = region
            .iter()
            .zip(&array.zarr.chunk)
            .map(|(range, extent)| range.start / extent.max(&1))
            .collect();
        let place = at.iter().zip(array.zarr.grid()).fold(0, |place, (at, count)| place * count + at);
        if self.written[number].is_empty() {
            self.written[number] = vec![false; array.chunks];
        }
        if std::mem::replace(&mut self.written[number][place], true) {
            return Err(refused(format!("the chunk {at:?} is written twice")));
        }
        database.value_file(join(&array.name, &array.zarr.key(&at)), digits, bytes.len() as u64, make)
    }

    /// Writes the whole array called `name`.
    ///
    /// # Errors
    /// As [`write`](Self::write); the value is of another type (`Program`).
    pub fn write_literal(&mut self, name: &str, value: &Literal) -> Result<()> {
        let array = &self.plan.arrays[self.plan.array(name)?];
        if value.dtype() != array.dtype || value.dims() != array.zarr.dims {
            return Err(Error::program(format!(
                "the array {name:?} is {}{:?}, its value {}{:?}",
                array.dtype,
                array.zarr.dims,
                value.dtype(),
                value.dims()
            ))
            .op("orbax"));
        }
        let whole: Vec<Range<usize>> = array.zarr.dims.iter().map(|extent| 0..*extent).collect();
        self.write(name, &whole, value.bytes())
    }

    fn write_region(&mut self, number: usize, region: &[Range<usize>], bytes: &[u8]) -> Result<()> {
        let array = &self.plan.arrays[number];
        check_region(array, region, bytes.len())?;
        let extent: Vec<usize> = region.iter().map(Range::len).collect();
        if extent.contains(&0) {
            return Ok(());
        }
        let grid = array.zarr.grid();
        if self.written[number].is_empty() {
            self.written[number] = vec![false; array.chunks];
        }
        let shape = &array.zarr.chunk;
        let window = Window {
            start: region.iter().map(|range| range.start).collect(),
            strides: strides(&extent),
            extent,
            at: 0,
        };
        each_chunk(shape, &window, &mut |at, part| {
            let place = at.iter().zip(&grid).fold(0, |place, (at, count)| place * count + at);
            if std::mem::replace(&mut self.written[number][place], true) {
                return Err(refused(format!("the chunk {at:?} is written twice"))
                    .help("let one process of those that have a shard write it"));
            }
            let size = array.dtype.size();
            let count =
                elements(shape).ok_or_else(|| refused("a chunk has more elements than any memory"))?;
            match is_stretch(shape, part, &window) {
                // The part's place is that of its first element in the box.
                true => {
                    let start = part.at * size;
                    self.put_chunk(number, at, &bytes[start..start + count * size])
                }
                false => {
                    let mut chunk = std::mem::take(&mut self.chunk);
                    memory::check(count * size, &"a chunk of a checkpoint")?;
                    chunk.clear();
                    chunk.resize(count * size, 0);
                    let start = at
                        .iter()
                        .zip(shape)
                        .zip(&window.start)
                        .map(|((at, extent), start)| at * extent - start);
                    let from = Window {
                        start: start.collect(),
                        extent: part.extent.clone(),
                        at: 0,
                        strides: strides(shape),
                    };
                    copy_window(bytes, &window.extent, &from, size, &mut chunk);
                    let put = self.put_chunk(number, at, &chunk);
                    self.chunk = chunk;
                    put
                }
            }
        })
    }

    /// Encodes and stores the elements of a chunk.
    fn put_chunk(&mut self, number: usize, at: &[usize], elements: &[u8]) -> Result<()> {
        let array = &self.plan.arrays[number];
        if !self.plan.options.store_zeros && elements.iter().all(|byte| *byte == 0) {
            return Ok(());
        }
        let key = join(&array.name, &array.zarr.key(at));
        match &mut self.database {
            Some(database) => {
                let mut value = database.value(key, elements.len() as u64)?;
                array.zarr.codecs.write(elements, &mut value)?;
                value.finish();
                Ok(())
            }
            None => {
                let name = self.folder.join(&key)?;
                let mut object = ObjectSink(self.draft.create(&name)?);
                array.zarr.codecs.write(elements, &mut object)?;
                // A merge finds chunks that two parts have.
                finish(object.0, &name, Condition::Always)
            }
        }
    }

    /// Ends the part of this process. The process that merges the parts checks that no chunk is missing.
    ///
    /// # Errors
    /// The store cannot be written (`Environment`).
    pub fn finish(mut self) -> Result<OrbaxPart> {
        if self.process == 0 {
            for array in &self.plan.arrays {
                let text = describe::array(array, &self.plan.options);
                let key = join(&array.name, describe::array_file(&self.plan.options));
                match &mut self.database {
                    Some(database) => {
                        let mut value = database.value(key, text.len() as u64)?;
                        value.put(text.as_bytes())?;
                        value.finish();
                    }
                    None => put(self.draft, &self.folder.join(&key)?, text.as_bytes())?,
                }
            }
        }
        if let Some(arrays) = describe::array_metadatas(self.plan) {
            let name = self.folder.join(format!("array_metadatas/process_{}", self.process))?;
            put(self.draft, &name, arrays.to_string().as_bytes())?;
        }
        let entries = self.database.take().map(DatabaseWriter::finish).transpose()?.unwrap_or_default();
        let numbers = |written: &Vec<bool>| {
            (0u64..).zip(written).filter(|(_, is)| **is).map(|(number, _)| number).collect()
        };
        let chunks = self.written.iter().map(numbers).collect();
        Ok(OrbaxPart { process: self.process, mark: self.plan.mark, chunks, entries })
    }
}

impl std::fmt::Debug for OrbaxWriter<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "OrbaxWriter(process {} of {:?})", self.process, self.folder.as_str())
    }
}

/// Whether a box has so many bytes, lies in its array and cuts no chunk.
fn check_region(array: &PlanArray, region: &[Range<usize>], bytes: usize) -> Result<()> {
    let dims = &array.zarr.dims;
    let fits = |range: &Range<usize>, extent: usize| range.start <= range.end && range.end <= extent;
    if region.len() != dims.len() || !region.iter().zip(dims).all(|(range, extent)| fits(range, *extent)) {
        return Err(Error::program(format!(
            "the region {region:?} does not lie in an array of shape {dims:?}"
        ))
        .op("orbax"));
    }
    // No product of extents of the array overflows, unless one of them is zero.
    let count = if region.iter().any(Range::is_empty) { 0 } else { region.iter().map(Range::len).product() };
    if bytes != count * array.dtype.size() {
        return Err(Error::program(format!(
            "{bytes} bytes are given for the region {region:?}, which has {count} elements of {} bytes",
            array.dtype.size()
        ))
        .op("orbax"));
    }
    let whole = |((range, chunk), extent): ((&Range<usize>, &usize), &usize)| {
        range.start % chunk == 0 && (range.end % chunk == 0 || range.end == *extent)
    };
    match count == 0 || region.iter().zip(&array.zarr.chunk).zip(dims).all(whole) {
        true => Ok(()),
        false => {
            Err(refused(format!("the region {region:?} cuts chunks, whose shape is {:?}", array.zarr.chunk))
                .help("give the array the shape of its shards, and write whole shards"))
        }
    }
}

/// Whether the elements of a whole chunk lie one after the other in the box that it is a part of.
fn is_stretch(chunk: &[usize], part: &Window, of: &Window) -> bool {
    let first = chunk.iter().position(|extent| *extent > 1).unwrap_or(chunk.len());
    part.extent == chunk && part.extent.iter().zip(&of.extent).skip(first + 1).all(|(part, all)| part == all)
}

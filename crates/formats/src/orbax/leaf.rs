use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use jarrah_base::{Error, HostView, Literal, Result, Type};
use rustc_hash::FxHashMap;

use super::array::{ZarrArray, join};
use super::bytes::Bytes;
use super::key::OrbaxKey;
use super::store::Store;
use super::{wrong, zarr2, zarr3};
use crate::json;

/// The Python type that a leaf of an Orbax tree had when it was saved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OrbaxLeafType {
    /// `jax.Array`.
    Array,
    /// `np.ndarray`.
    Numpy,
    /// A number of Python's or NumPy's, saved as an array without axes.
    Scalar,
    /// `str`.
    Text,
    /// Another, by Orbax's name for it.
    Other(String),
}

/// An array, a number or a text of an Orbax tree: described when the tree is opened, read when that is asked for.
#[derive(Clone)]
pub struct OrbaxLeaf {
    pub(super) keys: Vec<OrbaxKey>,
    pub(super) name: String,
    pub(super) leaf_type: OrbaxLeafType,
    pub(super) text: Option<String>,
    pub(super) array: Option<Arc<ZarrArray>>,
    pub(super) store: Arc<Store>,
    pub(super) all_stored: bool,
    pub(super) write_shape: Option<Vec<usize>>,
    pub(super) sharding: Option<String>,
    pub(super) generator: Option<String>,
}

impl OrbaxLeaf {
    /// The keys from the root of the tree to this leaf.
    pub fn keys(&self) -> &[OrbaxKey] {
        &self.keys
    }

    /// The keys with dots between them, which is Orbax's name of the array: `params.layers.0.kernel`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The Python type that the leaf had.
    pub fn leaf_type(&self) -> &OrbaxLeafType {
        &self.leaf_type
    }

    /// The value of a leaf that is a text.
    pub fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    /// The extents of a leaf that is an array or a number.
    pub fn dims(&self) -> Option<&[usize]> {
        self.array.as_ref().map(|array| array.dims.as_slice())
    }

    /// The name that the element type has in the file, such as `<f4` (zarr 2) or `bfloat16`.
    pub fn stored_type(&self) -> Option<&str> {
        self.array.as_ref().map(|array| array.type_name.as_str())
    }

    /// The extents of the chunks that the array is stored in.
    pub fn chunk_dims(&self) -> Option<&[usize]> {
        self.array.as_ref().map(|array| array.chunk.as_slice())
    }

    /// The extents of the part that each device wrote, where Orbax says so.
    pub fn write_dims(&self) -> Option<&[usize]> {
        self.write_shape.as_deref()
    }

    /// The sharding that the array had, in words: `NamedSharding(x=4, y=2; ["x","y"])`.
    pub fn sharding(&self) -> Option<&str> {
        self.sharding.as_deref()
    }

    /// The generator of a random key, whose words the array has: `threefry2x32`.
    pub fn generator(&self) -> Option<&str> {
        self.generator.as_deref()
    }

    /// The type of the value.
    ///
    /// # Errors
    /// The leaf is no array, or its element type is not one of [`DType`](jarrah_base::DType): the error names it.
    pub fn ty(&self) -> Result<Type> {
        self.array()?.ty().map_err(|e| self.named(e))
    }

    /// Reads the whole array.
    ///
    /// # Errors
    /// As [`ty`](Self::ty); a chunk is missing or damaged (`Input`); there is no memory for the array (`Environment`).
    pub fn literal(&self) -> Result<Literal> {
        let whole: Vec<Range<usize>> = self.array()?.dims.iter().map(|extent| 0..*extent).collect();
        self.region(&whole)
    }

    /// Reads a box of the array, a range for each axis. Of the chunks only those are read that have a part of it.
    ///
    /// # Errors
    /// As [`literal`](Self::literal); the box does not lie in the array (`Program`).
    pub fn region(&self, region: &[Range<usize>]) -> Result<Literal> {
        self.array()?.read(&self.store, &self.name, region, self.all_stored).map_err(|e| self.named(e))
    }

    /// The bytes of a box of the array, where they lie in one stretch as they do in memory: little-endian, in row-major order, uncompressed. None where they do not, as where
    /// the box is not one of the parts that the array is stored in: [`region`](Self::region) reads any.
    ///
    /// # Errors
    /// As [`literal`](Self::literal).
    pub fn stretch(&self, region: &[Range<usize>]) -> Result<Option<OrbaxStretch>> {
        let bytes = self.array()?.plain(&self.store, &self.name, region).map_err(|e| self.named(e))?;
        Ok(bytes.map(|bytes| OrbaxStretch { bytes }))
    }

    fn array(&self) -> Result<&ZarrArray> {
        self.array.as_deref().ok_or_else(|| wrong(format!("the leaf {} is no array: {self}", self.name)))
    }

    fn named(&self, e: Error) -> Error {
        e.context(format!("in the leaf {}", if self.name.is_empty() { "at the root" } else { &self.name }))
    }
}

/// The bytes of a box of an array, which are read a part at a time, by several threads: see [`OrbaxLeaf::stretch`].
#[derive(Clone)]
pub struct OrbaxStretch {
    bytes: Bytes,
}

impl OrbaxStretch {
    /// The number of bytes.
    pub fn len(&self) -> u64 {
        self.bytes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes that one read had better ask for.
    pub fn block(&self) -> usize {
        self.bytes.block()
    }

    /// All bytes, where the store has them mapped into memory: nobody copies them, and they stay readable when their file is removed.
    pub fn mapped(&self) -> Option<HostView> {
        self.bytes.mapped()
    }

    /// Fills `out` with the bytes from `offset` on.
    ///
    /// # Errors
    /// They end behind the stretch (`Input`), or cannot be read (`Environment`).
    pub fn read_at(&self, offset: u64, out: &mut [u8]) -> Result<()> {
        self.bytes.read_at(offset, out)
    }
}

impl fmt::Debug for OrbaxStretch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OrbaxStretch({} bytes)", self.len())
    }
}

/// `params.kernel f32[8, 4]`, or `name "text"`.
impl fmt::Display for OrbaxLeaf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.array, &self.text) {
            (Some(array), _) => match array.dtype {
                Some(dtype) => write!(f, "{} {dtype}{:?}", self.name, array.dims),
                None => write!(f, "{} {}{:?}", self.name, array.type_name, array.dims),
            },
            (None, Some(text)) => write!(f, "{} {text:?}", self.name),
            (None, None) => write!(f, "{} {:?}", self.name, self.leaf_type),
        }
    }
}

impl fmt::Debug for OrbaxLeaf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OrbaxLeaf({self})")
    }
}

/// Descriptions of arrays by their texts, so that each text is read once however many arrays have it.
#[derive(Default)]
pub(super) struct Descriptions(FxHashMap<Vec<u8>, Arc<ZarrArray>>);

impl Descriptions {
    /// The description of the array called `name`.
    pub fn of(&mut self, store: &Store, name: &str, is_zarr3: bool) -> Result<Arc<ZarrArray>> {
        let (file, read): (&str, fn(&serde_json::Value) -> Result<ZarrArray>) =
            if is_zarr3 { (zarr3::FILE, zarr3::read) } else { (zarr2::FILE, zarr2::read) };
        let key = join(name, file);
        let text = store.get(&key)?.ok_or_else(|| wrong(format!("{key} is not there: the array is lost")))?;
        let text = text.all()?;
        if let Some(array) = self.0.get(&*text) {
            return Ok(array.clone());
        }
        let value = json::value(&text).map_err(|e| wrong(format!("{key} is not JSON: {e}")))?;
        let array = Arc::new(read(&value).map_err(|e| e.context(format!("in {key}")))?);
        self.0.insert(text.to_vec(), array.clone());
        Ok(array)
    }
}

use jarrah_base::DType;
use serde_json::Value;

use super::sharding::OrbaxSharding;
use crate::orbax::codecs::ByteCodec;
use crate::orbax::leaf::OrbaxLeafType;

/// How the arrays of an item are written. The default is Orbax's: OCDBT, zarr 2, zstd, a chunk for each shard.
///
/// ```
/// use jarrah_formats::{OrbaxCompression, OrbaxWriteOptions};
/// let options = OrbaxWriteOptions { use_zarr3: true, compression: OrbaxCompression::None, ..OrbaxWriteOptions::default() };
/// assert!(options.use_ocdbt);
/// ```
#[derive(Clone, Debug)]
pub struct OrbaxWriteOptions {
    /// Whether arrays lie in an OCDBT database; otherwise each has a folder.
    pub use_ocdbt: bool,
    /// Whether arrays are described as zarr 3 has them; otherwise as zarr 2.
    pub use_zarr3: bool,
    /// The compression of chunks.
    pub compression: OrbaxCompression,
    /// The most bytes of a chunk before it is compressed; shards that have more are cut.
    pub chunk_bytes: Option<usize>,
    /// The bytes at which a data file of a database is ended and another begun; 0 for no limit.
    pub data_file_bytes: u64,
    /// The most bytes of a value that lies in a node of a database's tree.
    pub inline_bytes: usize,
    /// The most bytes of a node before it is compressed. A node has two entries at least.
    pub node_bytes: usize,
    /// Whether nodes are compressed with zstd.
    pub compress_nodes: bool,
    /// Whether chunks whose bytes all are zero are stored. Where they are, a chunk that is missing is known to be lost. Version 1 of Orbax's interface
    /// reads no array that lacks a chunk.
    pub store_zeros: bool,
    /// Whether the types of nodes are written, so that tuples and named tuples are read as such; otherwise they are read as lists and dictionaries.
    pub node_types: bool,
    /// JSON that is kept with the tree.
    pub custom_metadata: Value,
    /// The number that the names of data files are made from: equal numbers give equal names.
    pub seed: u64,
    /// The time of the save that databases have, in nanoseconds since 1970.
    pub time_nanos: u64,
}

impl Default for OrbaxWriteOptions {
    fn default() -> Self {
        OrbaxWriteOptions {
            use_ocdbt: true,
            use_zarr3: false,
            compression: OrbaxCompression::Zstd,
            chunk_bytes: None,
            data_file_bytes: 1 << 31,
            inline_bytes: 1024,
            node_bytes: 100_000_000,
            compress_nodes: true,
            store_zeros: true,
            node_types: false,
            custom_metadata: Value::Null,
            seed: 0,
            time_nanos: 0,
        }
    }
}

/// The compression of chunks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OrbaxCompression {
    /// None.
    None,
    /// Zstandard at its fastest level, which Orbax writes.
    Zstd,
    /// Deflate in the file format of gzip, which Orbax reads.
    Gzip,
}

impl OrbaxCompression {
    pub(super) fn codec(self) -> Option<ByteCodec> {
        match self {
            OrbaxCompression::None => None,
            OrbaxCompression::Zstd => Some(ByteCodec::Zstd),
            OrbaxCompression::Gzip => Some(ByteCodec::Gzip),
        }
    }
}

/// A leaf that is to be written.
#[derive(Clone, Debug)]
pub enum OrbaxLeafSpec {
    /// An array or a number, whose elements are written chunk by chunk.
    Array(OrbaxArraySpec),
    /// A text.
    Text(String),
}

/// An array that is to be written.
///
/// ```
/// use jarrah_base::DType;
/// use jarrah_formats::{OrbaxArraySpec, OrbaxSharding};
/// let kernel = OrbaxArraySpec::array(DType::F32, [8, 4]).sharding(OrbaxSharding::named([("x", 4)], [vec!["x"]]));
/// let step = OrbaxArraySpec::scalar(DType::I64);
/// assert!(kernel != step);
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct OrbaxArraySpec {
    pub(super) leaf_type: OrbaxLeafType,
    pub(super) dtype: DType,
    pub(super) dims: Vec<usize>,
    pub(super) shard: Option<Vec<usize>>,
    pub(super) chunk: Option<Vec<usize>>,
    pub(super) sharding: Option<OrbaxSharding>,
    pub(super) generator: Option<String>,
}

impl OrbaxArraySpec {
    fn new(leaf_type: OrbaxLeafType, dtype: DType, dims: Vec<usize>) -> OrbaxArraySpec {
        OrbaxArraySpec { leaf_type, dtype, dims, shard: None, chunk: None, sharding: None, generator: None }
    }

    /// An array that is restored as a `jax.Array`. Orbax's `PyTreeCheckpointer` restores it without a target only if it has a [`sharding`](Self::sharding).
    pub fn array(dtype: DType, dims: impl Into<Vec<usize>>) -> OrbaxArraySpec {
        OrbaxArraySpec::new(OrbaxLeafType::Array, dtype, dims.into())
    }

    /// An array that is restored as a `np.ndarray`.
    pub fn numpy(dtype: DType, dims: impl Into<Vec<usize>>) -> OrbaxArraySpec {
        OrbaxArraySpec::new(OrbaxLeafType::Numpy, dtype, dims.into())
    }

    /// A number, restored as one of Python's.
    pub fn scalar(dtype: DType) -> OrbaxArraySpec {
        OrbaxArraySpec::new(OrbaxLeafType::Scalar, dtype, Vec::new())
    }

    /// The extents of a shard, which the array is a grid of. Otherwise they are those of the sharding, or those of the array.
    pub fn shards(mut self, dims: impl Into<Vec<usize>>) -> OrbaxArraySpec {
        self.shard = Some(dims.into());
        self
    }

    /// The extents of a chunk. Otherwise it is a shard, or a part of one that has no more than [`OrbaxWriteOptions::chunk_bytes`].
    pub fn chunks(mut self, dims: impl Into<Vec<usize>>) -> OrbaxArraySpec {
        self.chunk = Some(dims.into());
        self
    }

    /// The sharding that the array is restored with.
    pub fn sharding(mut self, sharding: OrbaxSharding) -> OrbaxArraySpec {
        self.sharding = Some(sharding);
        self
    }

    /// Makes the array one of random keys, whose words its elements are, by the name of their generator: `threefry2x32`.
    pub fn generator(mut self, name: impl Into<String>) -> OrbaxArraySpec {
        self.generator = Some(name.into());
        self
    }
}

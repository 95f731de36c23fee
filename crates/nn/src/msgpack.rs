//! States as bytes in the format of `flax.serialization`: nested MessagePack maps by the elements of paths, with arrays as the
//! extension type 1.
//!
//! An array is `[shape, dtype, bytes]`, packed within the extension, with NumPy's name of the dtype; an array of more than 2^30
//! bytes is a map of chunks. Source: <https://github.com/msgpack/msgpack/blob/master/spec.md>; `flax.serialization`.

mod read;
mod write;

use std::collections::BTreeMap;

use jarrah_array::{Array, DType, Error, Result};
use jarrah_tree::{Part, Path, Tree};

use crate::State;

/// The key that a map of chunks has.
const CHUNKED: &str = "__msgpack_chunked_array__";

// The extension types of Flax: arrays, complex numbers, and scalars of NumPy.
const ARRAY: i8 = 1;
const COMPLEX: i8 = 2;
const SCALAR: i8 = 3;

/// The names of dtypes in files.
const NAMES: [(DType, &str); 23] = [
    (DType::Bool, "bool"),
    (DType::I8, "int8"),
    (DType::I16, "int16"),
    (DType::I32, "int32"),
    (DType::I64, "int64"),
    (DType::U8, "uint8"),
    (DType::U16, "uint16"),
    (DType::U32, "uint32"),
    (DType::U64, "uint64"),
    (DType::F8E3M4, "float8_e3m4"),
    (DType::F8E4M3, "float8_e4m3"),
    (DType::F8E4M3FN, "float8_e4m3fn"),
    (DType::F8E4M3FNUZ, "float8_e4m3fnuz"),
    (DType::F8E4M3B11FNUZ, "float8_e4m3b11fnuz"),
    (DType::F8E5M2, "float8_e5m2"),
    (DType::F8E5M2FNUZ, "float8_e5m2fnuz"),
    (DType::F8E8M0FNU, "float8_e8m0fnu"),
    (DType::BF16, "bfloat16"),
    (DType::F16, "float16"),
    (DType::F32, "float32"),
    (DType::F64, "float64"),
    (DType::C64, "complex64"),
    (DType::C128, "complex128"),
];

/// A value of a file.
enum Item {
    Array(Array),
    Map(BTreeMap<String, Item>),
}

impl State {
    /// The arrays of this state as `flax.serialization.to_bytes` writes a nested dictionary of them; the kinds of variables are not written.
    ///
    /// ```
    /// use jarrah_array::random::Key;
    /// use jarrah_nn::{Linear, State, state, update};
    /// let model = Linear::new(&Key::new(0), 2, 3);
    /// let bytes = state(&model, ..).to_msgpack()?;
    /// let other = update(&Linear::new(&Key::new(1), 2, 3), &State::from_msgpack(&bytes)?);
    /// assert_eq!(other.weight.get().to_vec::<f32>()?, model.weight.get().to_vec::<f32>()?);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    ///
    /// # Errors
    /// An array cannot be computed or read, or is of a dtype that such files lack, or stands within another's path.
    pub fn to_msgpack(&self) -> Result<Vec<u8>> {
        self.to_msgpack_in_chunks(1 << 30)
    }

    /// As [`to_msgpack`](Self::to_msgpack), with arrays of more than `most` bytes in chunks of `most` bytes.
    ///
    /// # Errors
    /// As [`to_msgpack`](Self::to_msgpack).
    pub fn to_msgpack_in_chunks(&self, most: usize) -> Result<Vec<u8>> {
        let mut root = Item::Map(BTreeMap::new());
        let mut twice = None;
        self.visit(&mut Path::default(), &mut |path, part| {
            let Part::Leaf(array) = part else { return };
            let mut at = &mut root;
            for key in path.keys() {
                let Item::Map(map) = at else { break };
                at = map.entry(key.to_string()).or_insert_with(|| Item::Map(BTreeMap::new()));
            }
            match at {
                Item::Map(map) if map.is_empty() => *at = Item::Array(array.clone()),
                _ => twice = Some(path.to_string()),
            }
        });
        if let Some(path) = twice {
            let error = format!("there are arrays at {path} and below or above it");
            return Err(Error::input(error)
                .op("to_msgpack")
                .help("give arrays paths of which none begins another"));
        }
        let mut bytes = Vec::new();
        write::item(&mut bytes, &root, most)?;
        Ok(bytes)
    }

    /// The arrays in bytes that [`to_msgpack`](Self::to_msgpack) or Flax have written, by their paths; numbers are scalars, and what is none is
    /// left out.
    ///
    /// # Errors
    /// The bytes are no MessagePack, end too early or late, or hold what is no array, such as a text: an error of input that says where.
    pub fn from_msgpack(bytes: &[u8]) -> Result<State> {
        read::state(bytes)
    }
}

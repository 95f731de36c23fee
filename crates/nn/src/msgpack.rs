//! States as bytes in the format of `flax.serialization`: nested MessagePack maps by the elements of paths, with arrays as the
//! extension type 1.
//!
//! An array is `[shape, dtype, bytes]`, packed within the extension, with NumPy's name of the dtype; an array of more than 2^30
//! bytes is a map of chunks. Source: <https://github.com/msgpack/msgpack/blob/master/spec.md>; `flax.serialization`.

use std::collections::BTreeMap;

use jarrah_array::{Array, Error, Result};
use jarrah_formats::msgpack::{FlaxNode, read_flax, write_flax};
use jarrah_tree::{Part, Path, PathKey, Tree};

use crate::State;

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
        let mut root = FlaxNode::Map(BTreeMap::new());
        let (mut twice, mut unread) = (None, None);
        self.visit(&mut Path::default(), &mut |path, part| {
            let Part::Leaf(array) = part else { return };
            let mut at = &mut root;
            for key in path.keys() {
                let FlaxNode::Map(map) = at else { break };
                at = map.entry(key.to_string()).or_insert_with(|| FlaxNode::Map(BTreeMap::new()));
            }
            match at {
                FlaxNode::Map(map) if map.is_empty() => match array.to_literal() {
                    Ok(literal) => *at = FlaxNode::Array(literal),
                    Err(error) => unread = Some(error),
                },
                _ => twice = Some(path.to_string()),
            }
        });
        if let Some(error) = unread {
            return Err(error);
        }
        if let Some(path) = twice {
            let error = format!("there are arrays at {path} and below or above it");
            return Err(Error::input(error)
                .op("to_msgpack")
                .help("give arrays paths of which none begins another"));
        }
        write_flax(&root, most).map_err(|e| e.op("to_msgpack"))
    }

    /// The arrays in bytes that [`to_msgpack`](Self::to_msgpack) or Flax have written, by their paths; numbers are scalars, and what is none is
    /// left out.
    ///
    /// # Errors
    /// The bytes are no MessagePack, end too early or late, or hold what is no array, such as a text: an error of input that says where.
    pub fn from_msgpack(bytes: &[u8]) -> Result<State> {
        let wrong =
            |e: Error| e.op("from_msgpack").help("give bytes of `flax.serialization` or `State::to_msgpack`");
        let mut state = State::default();
        for (keys, literal) in read_flax(bytes).map_err(wrong)? {
            let path: Path = keys.into_iter().map(path_key).collect();
            state.put(path, Array::from_literal(literal));
        }
        Ok(state)
    }
}

/// The key of a path that a text is. Numbers in texts are positions; other spellings of a number, `01` and `+1`, are names: two keys are never
/// one.
fn path_key(text: String) -> PathKey {
    let index = text.parse::<usize>().ok().filter(|index| index.to_string() == text);
    index.map_or_else(|| PathKey::Name(text), PathKey::Index)
}

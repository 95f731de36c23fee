use std::borrow::Cow;

use jarrah_base::{Error, NUMERICS_VERSION, Result};
use serde::{Deserialize, Serialize};

use crate::client::CompileOptions;

/// A serialized executable: who made it, how, and what only its maker reads.
#[derive(Serialize, Deserialize)]
pub struct Serialized<'a> {
    #[serde(borrow)]
    header: Header<'a>,
    /// How the program was compiled.
    pub options: CompileOptions,
    /// The program as the client keeps it.
    #[serde(borrow)]
    pub content: Cow<'a, [u8]>,
}

/// The facts that have to be equal where an executable is loaded.
#[derive(Serialize, Deserialize, PartialEq)]
struct Header<'a> {
    platform: &'a str,
    version: &'a str,
    numerics: u32,
}

/// The beginning of the bytes.
const MAGIC: &[u8] = b"jarrah executable\n";
/// The bytes of the hash at the end.
const HASH: usize = blake3::OUT_LEN;

impl<'a> Serialized<'a> {
    /// An executable of a `platform`. Only a client of the same `version` reads the content.
    pub fn new(platform: &'a str, version: &'a str, options: CompileOptions, content: Vec<u8>) -> Self {
        let header = Header { platform, version, numerics: NUMERICS_VERSION };
        Serialized { header, options, content: content.into() }
    }

    /// The bytes, with a hash of them behind.
    ///
    /// # Errors
    /// None in practice.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let bytes = postcard::to_extend(self, MAGIC.to_vec());
        let mut bytes =
            bytes.map_err(|error| Error::internal(format!("an executable cannot be serialized: {error}")))?;
        let hash = blake3::hash(&bytes);
        bytes.extend(hash.as_bytes());
        Ok(bytes)
    }

    /// Reads the bytes that [`Serialized::to_bytes`] wrote.
    ///
    /// # Errors
    /// The bytes are none, are damaged, or those of another platform or version: an input error that says which.
    pub fn from_bytes(bytes: &'a [u8], platform: &str, version: &str) -> Result<Serialized<'a>> {
        if !bytes.starts_with(MAGIC) {
            return Err(Error::input("the bytes are no serialized executable"));
        }
        let damaged =
            || Error::input("the serialized executable is damaged").help("compile the program again");
        let (content, hash) = bytes.split_last_chunk::<HASH>().ok_or_else(damaged)?;
        if blake3::hash(content) != *hash {
            return Err(damaged());
        }
        let content = content.strip_prefix(MAGIC).ok_or_else(damaged)?;
        let read: Serialized<'a> = postcard::from_bytes(content).map_err(|_| damaged())?;
        let here = Header { platform, version, numerics: NUMERICS_VERSION };
        if read.header != here {
            let says = |header: &Header<'_>| {
                format!("{}, {}, numerics {}", header.platform, header.version, header.numerics)
            };
            return Err(Error::input(format!(
                "the serialized executable is for another platform or version ({}), this is {}",
                says(&read.header),
                says(&here)
            ))
            .help("compile the program again"));
        }
        Ok(read)
    }
}

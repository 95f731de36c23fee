use std::fmt;
use std::ops::{Deref, Range};
use std::sync::Arc;

use jarrah_base::{Literal, MappedFile, Result, visible};

use crate::batching::Stack;

#[derive(Clone)]
enum Owner {
    File(Arc<MappedFile>),
    Memory(Arc<Vec<u8>>),
}

/// The bytes of a record: a part of a mapped file, or of decoded memory that neighbouring records share.
///
/// A clone copies no byte. A record keeps the file that it lies in mapped, or the chunk that it was decoded with in memory.
///
/// ```
/// use jarrah_data::RecordBytes;
/// let record = RecordBytes::from(b"so it goes".to_vec());
/// assert_eq!(record.cut(3..5), RecordBytes::from(b"it".to_vec()));
/// ```
#[derive(Clone)]
pub struct RecordBytes {
    owner: Owner,
    range: Range<usize>,
}

impl RecordBytes {
    /// A part of a mapped file; the range lies within the file.
    pub(crate) fn mapped(file: &Arc<MappedFile>, range: Range<usize>) -> Self {
        RecordBytes { owner: Owner::File(file.clone()), range }
    }

    /// The byte of the file at which a part of a mapped file begins.
    pub(crate) fn place(&self) -> Option<usize> {
        match self.owner {
            Owner::File(_) => Some(self.range.start),
            Owner::Memory(_) => None,
        }
    }

    /// A part of these bytes, without a copy.
    ///
    /// # Panics
    /// The range does not lie within the bytes.
    pub fn cut(&self, range: Range<usize>) -> Self {
        assert!(
            range.start <= range.end && range.end <= self.range.len(),
            "{range:?} of {}",
            self.range.len()
        );
        let start = self.range.start;
        RecordBytes { owner: self.owner.clone(), range: start + range.start..start + range.end }
    }
}

impl RecordBytes {
    /// The record as a line of text: its first 120 characters, control characters made visible, and the number of bytes where that is not all.
    ///
    /// ```
    /// use jarrah_data::RecordBytes;
    /// assert_eq!(RecordBytes::from(b"so\nit".to_vec()).shortened(), "so\\nit");
    /// assert!(RecordBytes::from(vec![b'x'; 500]).shortened().ends_with("x... (500 bytes)"));
    /// ```
    pub fn shortened(&self) -> String {
        const SHOWN: usize = 120;
        let head = &self[..self.len().min(4 * SHOWN)];
        let text = match std::str::from_utf8(self) {
            Ok(text) => visible(text).replace('\n', "\\n"),
            Err(_) => format!("b\"{}\"", head.escape_ascii()),
        };
        match text.char_indices().nth(SHOWN) {
            Some((end, _)) => format!("{}... ({} bytes)", &text[..end], self.len()),
            None => text,
        }
    }
}

impl Deref for RecordBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match &self.owner {
            Owner::File(file) => &file[self.range.clone()],
            Owner::Memory(bytes) => &bytes[self.range.clone()],
        }
    }
}

impl AsRef<[u8]> for RecordBytes {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl From<Vec<u8>> for RecordBytes {
    fn from(bytes: Vec<u8>) -> Self {
        let range = 0..bytes.len();
        RecordBytes { owner: Owner::Memory(Arc::new(bytes)), range }
    }
}

impl PartialEq for RecordBytes {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for RecordBytes {}

impl fmt::Debug for RecordBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "b\"{}\"", self.escape_ascii())
    }
}

/// Records of one length stack into a tensor of bytes.
impl Stack for RecordBytes {
    type Batch = Literal;

    fn stack(elements: Vec<Self>) -> Result<Literal> {
        Stack::stack(elements.iter().map(|e| e.to_vec()).collect::<Vec<Vec<u8>>>())
    }
}

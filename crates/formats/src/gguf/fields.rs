use std::fmt;

/// A field of a GGUF file.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "each variant is its own name")]
pub enum GgufField {
    U8(u8),
    I8(i8),
    U16(u16),
    I16(i16),
    U32(u32),
    I32(i32),
    F32(f32),
    Bool(bool),
    Text(String),
    /// Fields of one kind, whose number in files comes first.
    Array(u32, Vec<GgufField>),
    U64(u64),
    I64(i64),
    F64(f64),
}

impl GgufField {
    /// The number of the kind in files.
    pub(super) fn kind(&self) -> u32 {
        match self {
            GgufField::U8(_) => 0,
            GgufField::I8(_) => 1,
            GgufField::U16(_) => 2,
            GgufField::I16(_) => 3,
            GgufField::U32(_) => 4,
            GgufField::I32(_) => 5,
            GgufField::F32(_) => 6,
            GgufField::Bool(_) => 7,
            GgufField::Text(_) => 8,
            GgufField::Array(..) => 9,
            GgufField::U64(_) => 10,
            GgufField::I64(_) => 11,
            GgufField::F64(_) => 12,
        }
    }

    /// The number, where it is a whole one and not negative.
    pub fn as_usize(&self) -> Option<usize> {
        match *self {
            GgufField::U8(x) => Some(x.into()),
            GgufField::U16(x) => Some(x.into()),
            GgufField::U32(x) => usize::try_from(x).ok(),
            GgufField::U64(x) => usize::try_from(x).ok(),
            GgufField::I8(x) => usize::try_from(x).ok(),
            GgufField::I16(x) => usize::try_from(x).ok(),
            GgufField::I32(x) => usize::try_from(x).ok(),
            GgufField::I64(x) => usize::try_from(x).ok(),
            _ => None,
        }
    }

    /// The number; of an `F32` that with the fewest decimals, which is what its writer meant.
    pub fn as_f64(&self) -> Option<f64> {
        match *self {
            GgufField::F32(x) => x.to_string().parse().ok(),
            GgufField::F64(x) => Some(x),
            _ => self.as_usize().map(|x| x as f64),
        }
    }

    /// Whether it is true.
    pub fn as_bool(&self) -> Option<bool> {
        match *self {
            GgufField::Bool(x) => Some(x),
            _ => None,
        }
    }

    /// An array of fields of one kind, that of the first.
    pub fn array<T: Into<GgufField>>(items: impl IntoIterator<Item = T>) -> GgufField {
        let items: Vec<GgufField> = items.into_iter().map(Into::into).collect();
        GgufField::Array(items.first().map_or(GgufField::Text(String::new()).kind(), GgufField::kind), items)
    }

    /// The text.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            GgufField::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The fields of an array.
    pub fn as_array(&self) -> Option<&[GgufField]> {
        match self {
            GgufField::Array(_, fields) => Some(fields),
            _ => None,
        }
    }
}

impl From<&str> for GgufField {
    fn from(text: &str) -> GgufField {
        GgufField::Text(text.to_owned())
    }
}

impl From<String> for GgufField {
    fn from(text: String) -> GgufField {
        GgufField::Text(text)
    }
}

impl From<u32> for GgufField {
    fn from(number: u32) -> GgufField {
        GgufField::U32(number)
    }
}

impl From<i32> for GgufField {
    fn from(number: i32) -> GgufField {
        GgufField::I32(number)
    }
}

impl From<f32> for GgufField {
    fn from(number: f32) -> GgufField {
        GgufField::F32(number)
    }
}

impl From<bool> for GgufField {
    fn from(is: bool) -> GgufField {
        GgufField::Bool(is)
    }
}

/// The fields of a GGUF file by name, in the file's order: `general.architecture`, `llama.block_count`,
/// `tokenizer.ggml.tokens`.
#[derive(Clone, Default, PartialEq)]
pub struct GgufFields(pub Vec<(String, GgufField)>);

impl GgufFields {
    /// The field called `name`.
    pub fn get(&self, name: &str) -> Option<&GgufField> {
        self.0.iter().find_map(|(key, field)| (key == name).then_some(field))
    }

    /// Adds a field behind the others.
    pub fn push(&mut self, name: impl Into<String>, field: impl Into<GgufField>) {
        self.0.push((name.into(), field.into()));
    }
}

/// The names alone: a vocabulary is long.
impl fmt::Debug for GgufFields {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(|(name, _)| name)).finish()
    }
}

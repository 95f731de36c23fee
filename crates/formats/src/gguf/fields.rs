use std::fmt;

/// A field of a GGUF file.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "each variant is its own name")]
pub enum Field {
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
    Array(u32, Vec<Field>),
    U64(u64),
    I64(i64),
    F64(f64),
}

impl Field {
    /// The number of the kind in files.
    pub(super) fn kind(&self) -> u32 {
        match self {
            Field::U8(_) => 0,
            Field::I8(_) => 1,
            Field::U16(_) => 2,
            Field::I16(_) => 3,
            Field::U32(_) => 4,
            Field::I32(_) => 5,
            Field::F32(_) => 6,
            Field::Bool(_) => 7,
            Field::Text(_) => 8,
            Field::Array(..) => 9,
            Field::U64(_) => 10,
            Field::I64(_) => 11,
            Field::F64(_) => 12,
        }
    }

    /// The number, where it is a whole one and not negative.
    pub fn as_usize(&self) -> Option<usize> {
        match *self {
            Field::U8(x) => Some(x.into()),
            Field::U16(x) => Some(x.into()),
            Field::U32(x) => usize::try_from(x).ok(),
            Field::U64(x) => usize::try_from(x).ok(),
            Field::I8(x) => usize::try_from(x).ok(),
            Field::I16(x) => usize::try_from(x).ok(),
            Field::I32(x) => usize::try_from(x).ok(),
            Field::I64(x) => usize::try_from(x).ok(),
            _ => None,
        }
    }

    /// The number; of an `F32` that with the fewest decimals, which is what its writer meant.
    pub fn as_f64(&self) -> Option<f64> {
        match *self {
            Field::F32(x) => x.to_string().parse().ok(),
            Field::F64(x) => Some(x),
            _ => self.as_usize().map(|x| x as f64),
        }
    }

    /// Whether it is true.
    pub fn as_bool(&self) -> Option<bool> {
        match *self {
            Field::Bool(x) => Some(x),
            _ => None,
        }
    }

    /// An array of fields of one kind, that of the first.
    pub fn array<T: Into<Field>>(items: impl IntoIterator<Item = T>) -> Field {
        let items: Vec<Field> = items.into_iter().map(Into::into).collect();
        Field::Array(items.first().map_or(Field::Text(String::new()).kind(), Field::kind), items)
    }

    /// The text.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Field::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The fields of an array.
    pub fn as_array(&self) -> Option<&[Field]> {
        match self {
            Field::Array(_, fields) => Some(fields),
            _ => None,
        }
    }
}

impl From<&str> for Field {
    fn from(text: &str) -> Field {
        Field::Text(text.to_owned())
    }
}

impl From<String> for Field {
    fn from(text: String) -> Field {
        Field::Text(text)
    }
}

impl From<u32> for Field {
    fn from(number: u32) -> Field {
        Field::U32(number)
    }
}

impl From<i32> for Field {
    fn from(number: i32) -> Field {
        Field::I32(number)
    }
}

impl From<f32> for Field {
    fn from(number: f32) -> Field {
        Field::F32(number)
    }
}

impl From<bool> for Field {
    fn from(is: bool) -> Field {
        Field::Bool(is)
    }
}

/// The fields of a GGUF file by name, in the file's order: `general.architecture`, `llama.block_count`,
/// `tokenizer.ggml.tokens`.
#[derive(Clone, Default, PartialEq)]
pub struct Fields(pub Vec<(String, Field)>);

impl Fields {
    /// The field called `name`.
    pub fn get(&self, name: &str) -> Option<&Field> {
        self.0.iter().find_map(|(key, field)| (key == name).then_some(field))
    }

    /// Adds a field behind the others.
    pub fn push(&mut self, name: impl Into<String>, field: impl Into<Field>) {
        self.0.push((name.into(), field.into()));
    }
}

/// The names alone: a vocabulary is long.
impl fmt::Debug for Fields {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(|(name, _)| name)).finish()
    }
}

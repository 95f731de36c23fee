use std::sync::Arc;

use jarrah_base::Literal;

use super::types::{ElementTy, TensorTy, Ty};

/// An attribute, as MLIR has it.
#[derive(Clone, PartialEq, Debug)]
pub enum Attr {
    /// `unit`, or a name without a value.
    Unit,
    /// `true`, `false`.
    Bool(bool),
    /// `3 : i64`.
    Integer(i128, ElementTy),
    /// `1.5 : f32`: the value, exact in the type.
    Float(f64, ElementTy),
    /// `"text"`.
    String(Arc<str>),
    /// A type.
    Type(Ty),
    /// `@main`, `@outer::@inner`.
    Symbol(Vec<Arc<str>>),
    /// `[...]`.
    Array(Vec<Attr>),
    /// `{...}`.
    Dictionary(Attributes),
    /// `array<i64: 1, 2>`; truth values are 0 and 1.
    Integers(ElementTy, Vec<i64>),
    /// `array<f32: 1.0>`.
    Floats(ElementTy, Vec<f64>),
    /// `dense<...> : tensor<...>`.
    Dense(Dense),
    /// `#stablehlo<precision HIGHEST>`: `stablehlo.precision` and `HIGHEST`.
    Enum(&'static str, &'static str),
    /// `#stablehlo.gather<...>`: its name and its fields.
    ///
    /// The fields have the names of the specification's generic form; those at their default are left out.
    Struct(&'static str, Attributes),
    /// Another dialect's attribute, as text from `#` on.
    Opaque(Arc<str>),
}

/// A `dense<...>` tensor.
#[derive(Clone, PartialEq, Debug)]
pub struct Dense {
    /// The type as written: it may be of elements or in ways that [`Literal`] has not.
    pub ty: TensorTy,
    /// The elements: all of them, or a scalar that every element is equal to.
    ///
    /// `index` is stored as `i64`, `i1` as truth values.
    pub value: Literal,
}

impl Dense {
    /// Whether one scalar stands for all elements.
    pub fn is_splat(&self) -> bool {
        self.value.ty().rank() == 0
    }

    /// The elements as integers, at most `limit` of them.
    pub fn integers(&self, limit: usize) -> Option<Vec<i64>> {
        let dims = self.ty.dims.as_ref()?;
        let count = dims.iter().try_fold(1u64, |n, d| n.checked_mul((*d)?))?;
        let count = usize::try_from(count).ok().filter(|&n| n <= limit)?;
        let at = |i: usize| i64::try_from(self.value.get_i128(if self.is_splat() { 0 } else { i })).ok();
        (0..count).map(at).collect()
    }
}

/// Attributes by name, in alphabetical order.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Attributes(Vec<(Arc<str>, Attr)>);

impl Attributes {
    fn find(&self, name: &str) -> Result<usize, usize> {
        self.0.binary_search_by(|(n, _)| (**n).cmp(name))
    }

    /// The attribute `name`.
    pub fn get(&self, name: &str) -> Option<&Attr> {
        Some(&self.0[self.find(name).ok()?].1)
    }

    /// Adds an attribute, or replaces the one of that name.
    pub fn set(&mut self, name: impl AsRef<str> + Into<Arc<str>>, attr: Attr) {
        match self.find(name.as_ref()) {
            Ok(at) => self.0[at].1 = attr,
            Err(at) => self.0.insert(at, (name.into(), attr)),
        }
    }

    /// Takes out the attribute `name`.
    pub fn remove(&mut self, name: &str) -> Option<Attr> {
        Some(self.0.remove(self.find(name).ok()?).1)
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = (&Arc<str>, &Attr)> {
        self.0.iter().map(|(n, a)| (n, a))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromIterator<(Arc<str>, Attr)> for Attributes {
    fn from_iter<I: IntoIterator<Item = (Arc<str>, Attr)>>(all: I) -> Self {
        let mut list: Vec<_> = all.into_iter().collect();
        list.sort_by(|a, b| a.0.cmp(&b.0));
        // Of several with one name the last counts.
        list.dedup_by(|later, earlier| {
            let same = later.0 == earlier.0;
            if same {
                std::mem::swap(later, earlier);
            }
            same
        });
        Attributes(list)
    }
}

impl Attr {
    /// A string attribute.
    pub fn string(text: &str) -> Attr {
        Attr::String(text.into())
    }

    /// `n : i64`.
    pub fn i64(n: i64) -> Attr {
        Attr::Integer(n.into(), ElementTy::Number(jarrah_base::DType::I64))
    }

    /// `array<i64: ...>`.
    pub fn i64s(list: impl IntoIterator<Item = i64>) -> Attr {
        Attr::Integers(ElementTy::Number(jarrah_base::DType::I64), list.into_iter().collect())
    }

    /// The integer, if it is one.
    pub fn integer(&self) -> Option<i64> {
        match self {
            Attr::Integer(n, _) => i64::try_from(*n).ok(),
            Attr::Bool(b) => Some((*b).into()),
            _ => None,
        }
    }

    /// A list of integers in any of the forms that programs of several ages use: `array<i64: ...>`, `[...]`, or a
    /// dense tensor of at most 2^20 elements.
    pub fn integers(&self) -> Option<Vec<i64>> {
        match self {
            Attr::Integers(_, list) => Some(list.clone()),
            Attr::Array(list) => list.iter().map(Attr::integer).collect(),
            Attr::Dense(dense) => dense.integers(1 << 20),
            _ => None,
        }
    }
}

//! The text as a tree: what it says, before it means anything.

use jarrah_base::{Literal, Type};
use rustc_hash::FxHashMap;

pub(crate) struct Module<'t> {
    pub name: Option<String>,
    pub functions: Vec<Function<'t>>,
    pub locations: FxHashMap<&'t str, Loc<'t>>,
}

pub(crate) struct Function<'t> {
    pub name: &'t str,
    pub at: usize,
    pub public: bool,
    /// The types of the results, where the function says them.
    pub results: Option<Vec<Type>>,
    pub body: Region<'t>,
}

pub(crate) struct Param<'t> {
    pub name: &'t str,
    pub ty: Type,
    /// The path in the argument tree, from an attribute or a location.
    pub path: String,
}

#[derive(Default)]
pub(crate) struct Region<'t> {
    pub at: usize,
    pub params: Vec<Param<'t>>,
    pub ops: Vec<Op<'t>>,
}

/// A value where it is used: its name and which of the results of that name.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Use<'t> {
    pub name: &'t str,
    pub index: u32,
}

pub(crate) struct Op<'t> {
    pub name: &'t str,
    pub at: usize,
    /// The names of the results, and how many each stands for.
    pub results: Vec<(&'t str, u32)>,
    pub operands: Vec<Use<'t>>,
    /// Words without a value, such as `LT`.
    pub words: Vec<&'t str>,
    pub attributes: Vec<(&'t str, Attribute<'t>)>,
    pub regions: Vec<Region<'t>>,
    pub signature: Signature,
    pub location: Option<Loc<'t>>,
}

#[derive(Default)]
pub(crate) enum Signature {
    #[default]
    None,
    /// `: a, b`.
    List(Vec<Type>),
    /// `: (a, b) -> c`.
    Function(Vec<Type>, Vec<Type>),
}

pub(crate) enum Attribute<'t> {
    Unit,
    Bool(bool),
    /// A number as written.
    Number(&'t str),
    Text(String),
    /// An enumerator: `LT` of `#stablehlo<comparison_direction LT>`.
    Word(&'t str),
    Symbol(&'t str),
    List(Vec<Attribute<'t>>),
    /// A dictionary, or the fields of a structured attribute such as `#stablehlo.gather<...>`.
    Fields(Vec<(&'t str, Attribute<'t>)>),
    /// `[0] x [1]`.
    Pair(Box<(Attribute<'t>, Attribute<'t>)>),
    Dense(Box<Dense>),
    /// Something that no op here needs.
    Opaque,
}

/// A `dense<...>` tensor.
pub(crate) enum Dense {
    Literal(Literal),
    /// One value everywhere in a tensor too large to be worth storing.
    Splat(Literal, Type),
}

pub(crate) enum Loc<'t> {
    Unknown,
    File(&'t str, u32, u32),
    Name(&'t str, Option<Box<Loc<'t>>>),
    Alias(&'t str),
    /// Several, the first of which says most.
    Several(Vec<Loc<'t>>),
}

impl<'t> Op<'t> {
    pub fn attribute(&self, name: &str) -> Option<&Attribute<'t>> {
        self.attributes.iter().find(|(n, _)| *n == name).map(|(_, a)| a)
    }
}

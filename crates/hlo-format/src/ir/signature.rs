use super::{Attr, ElementTy, IrOp, StructureAttr, Ty};
use jarrah_base::DType;

/// The operands, results, regions and attributes that an op may have.
#[derive(Debug)]
pub struct Signature {
    /// The operands: their name, and whether it stands for any number of them.
    pub operands: Vec<(&'static str, bool)>,
    /// How many regions there are; `None` for any number.
    pub regions: Option<usize>,
    /// How many results there are; `None` for any number.
    pub results: Option<usize>,
    /// The attributes that belong to the op.
    pub attributes: Vec<Slot>,
}

/// An attribute that belongs to an op.
#[derive(Debug)]
pub struct Slot {
    /// Its name.
    pub name: &'static str,
    /// The kind of attribute that is allowed.
    pub kind: AttrKind,
    /// Whether it may be absent.
    pub optional: bool,
}

/// The kinds of attributes that ops have.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum AttrKind {
    /// Anything.
    Any,
    /// `unit`.
    Unit,
    /// `bool`.
    Bool,
    /// `i64`, `ui32`: an integer of this type.
    Integer(DType),
    /// `f32`: a float of this type.
    Float(DType),
    /// `string`.
    String,
    /// `symbol`.
    Symbol,
    /// `type`.
    Type,
    /// `array`: a list of attributes.
    Array,
    /// `dictionary`.
    Dictionary,
    /// `i64s`, `i32s`, `bools`: a list of integers of this type.
    Integers(DType),
    /// `dense`: a tensor.
    Dense,
    /// `i64 dense`: a tensor of `i64`.
    DenseIntegers,
    /// `stablehlo.comparison_direction`: a word out of a list.
    Enum(&'static str),
    /// `stablehlo.gather`: named fields.
    Struct(&'static StructureAttr),
    /// `#sdy.sharding`, `#sdy<manual_axes`: another dialect's attribute, whose text begins so.
    Text(&'static str),
}

impl Signature {
    pub(super) fn read(shape: &'static str, attributes: &'static str) -> Signature {
        let mut signature =
            Signature { operands: Vec::new(), regions: Some(0), results: None, attributes: Vec::new() };
        let (left, results) = shape.split_once("-> ").expect("invariant: every row says its results");
        for word in left.split_whitespace() {
            match word.strip_prefix('{').and_then(|w| w.strip_suffix('}')) {
                Some(regions) => signature.regions = regions.parse().ok(),
                None => {
                    let name = word.trim_end_matches('*');
                    signature.operands.push((name, name != word));
                }
            }
        }
        signature.results = results.parse().ok();
        for row in attributes.split(", ").filter(|a| !a.is_empty()) {
            let (name, kind) = row.split_once(": ").expect("invariant: every attribute has a kind");
            let required = kind.trim_end_matches('?');
            signature.attributes.push(Slot {
                name,
                kind: AttrKind::read(required),
                optional: required != kind,
            });
        }
        signature
    }

    /// The attribute `name`, if it belongs to the op.
    pub fn slot(&self, name: &str) -> Option<&Slot> {
        self.attributes.iter().find(|s| s.name == name)
    }

    /// How many operands there are at least, and whether there may be more.
    pub fn operand_count(&self) -> (usize, bool) {
        let fixed = self.operands.iter().filter(|(_, many)| !many).count();
        (fixed, fixed < self.operands.len())
    }

    /// Where the operands called `name` stand among those of `op`.
    pub fn range(&self, op: &IrOp, name: &str) -> Option<std::ops::Range<usize>> {
        let at = self.operands.iter().position(|(n, _)| *n == name)?;
        let (fixed, _) = self.operand_count();
        let many = self.operands.iter().filter(|(_, many)| *many).count();
        let total = op.operands.len().checked_sub(fixed)?;
        if many > 1 && total % many != 0 {
            return None;
        }
        let each = total.checked_div(many).unwrap_or(0);
        let size = |(_, many): &(&str, bool)| if *many { each } else { 1 };
        let start = self.operands[..at].iter().map(size).sum();
        Some(start..start + size(&self.operands[at]))
    }
}

impl AttrKind {
    fn read(text: &'static str) -> AttrKind {
        match text {
            "any" => AttrKind::Any,
            "unit" => AttrKind::Unit,
            "bool" => AttrKind::Bool,
            "string" => AttrKind::String,
            "symbol" => AttrKind::Symbol,
            "type" => AttrKind::Type,
            "array" => AttrKind::Array,
            "dictionary" => AttrKind::Dictionary,
            "i64s" => AttrKind::Integers(DType::I64),
            "i32s" => AttrKind::Integers(DType::I32),
            "bools" => AttrKind::Integers(DType::Bool),
            "dense" => AttrKind::Dense,
            "i64 dense" => AttrKind::DenseIntegers,
            "i64" => AttrKind::Integer(DType::I64),
            "i32" => AttrKind::Integer(DType::I32),
            "ui64" => AttrKind::Integer(DType::U64),
            "ui32" => AttrKind::Integer(DType::U32),
            "f32" => AttrKind::Float(DType::F32),
            "f64" => AttrKind::Float(DType::F64),
            _ if text.starts_with('#') => AttrKind::Text(text),
            _ => match StructureAttr::find(text) {
                Some(structure) => AttrKind::Struct(structure),
                None => AttrKind::Enum(super::enums::find(text).expect("invariant: every kind is known").0),
            },
        }
    }

    /// Whether `attr` is of this kind.
    pub fn admits(self, attr: &Attr) -> bool {
        match (self, attr) {
            (AttrKind::Any, _)
            | (AttrKind::Unit, Attr::Unit)
            | (AttrKind::Bool, Attr::Bool(_))
            | (AttrKind::String, Attr::String(_))
            | (AttrKind::Symbol, Attr::Symbol(_))
            | (AttrKind::Type, Attr::Type(_))
            | (AttrKind::Array, Attr::Array(_))
            | (AttrKind::Dictionary, Attr::Dictionary(_))
            | (AttrKind::Dense, Attr::Dense(_)) => true,
            (AttrKind::Integer(t), Attr::Integer(_, element))
            | (AttrKind::Float(t), Attr::Float(_, element))
            | (AttrKind::Integers(t), Attr::Integers(element, _)) => *element == ElementTy::Number(t),
            (AttrKind::DenseIntegers, Attr::Dense(dense)) => {
                dense.ty.element == ElementTy::Number(DType::I64)
            }
            (AttrKind::Enum(kind), Attr::Enum(name, _)) => kind == *name,
            (AttrKind::Struct(structure), Attr::Struct(name, _)) => structure.name == *name,
            (AttrKind::Text(start), Attr::Opaque(text)) => text.starts_with(start),
            _ => false,
        }
    }

    /// The kind of attribute, in words for an error message.
    pub fn describe(self) -> String {
        match self {
            AttrKind::Any => "an attribute".into(),
            AttrKind::Unit => "a name without a value".into(),
            AttrKind::Bool => "`true` or `false`".into(),
            AttrKind::Integer(t) => format!("an integer of type {t}"),
            AttrKind::Float(t) => format!("a number of type {t}"),
            AttrKind::String => "a string".into(),
            AttrKind::Symbol => "a symbol".into(),
            AttrKind::Type => "a type".into(),
            AttrKind::Array => "a list of attributes".into(),
            AttrKind::Dictionary => "a dictionary".into(),
            AttrKind::Integers(t) => format!("a list of {t}"),
            AttrKind::Dense => "a tensor".into(),
            AttrKind::DenseIntegers => "a tensor of i64".into(),
            AttrKind::Enum(name) => format!("a #{name}"),
            AttrKind::Struct(structure) => format!("a #{}", structure.name),
            AttrKind::Text(start) => format!("an attribute {start}"),
        }
    }
}

impl IrOp {
    /// The operands called `name`.
    pub fn operands_named(&self, name: &str) -> &[super::ValueId] {
        let range = self.definition.signature().range(self, name);
        range.and_then(|r| self.operands.get(r)).unwrap_or(&[])
    }
}

impl Ty {
    /// The type of a single number, as attributes have it.
    pub fn scalar(&self) -> Option<&ElementTy> {
        match self {
            Ty::Scalar(element) => Some(element),
            _ => None,
        }
    }
}

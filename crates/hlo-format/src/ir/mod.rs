//! A module as MLIR has it: what text and bytecode say, before it means anything.
//!
//! Everything that exists only in the interchange form lives here and nowhere else: tokens, tuples, quantized and
//! dynamic types, regions that capture, annotations. Text and bytecode are read into this tree and written from it;
//! import gives it its meaning as programs, export makes it from programs.
//!
//! Attributes are in the form of MLIR's generic syntax, whatever syntax they were read from: the axes of
//! `broadcast_in_dim %0, dims = [1]` are the attribute `broadcast_dimensions`.

mod attributes;
mod definitions;
mod enums;
mod location;
mod quantization;
mod rules;
mod same;
mod shapes;
mod signature;
pub(crate) mod strings;
mod structs;
mod types;
mod verify;

use std::sync::Arc;

use jarrah_base::{Error, Location};
use smallvec::SmallVec;

pub use attributes::{Attr, Attributes, Dense};
pub use definitions::Definition;
pub(crate) use enums::find as find_enum;
pub use location::Loc;
pub use signature::{AttrKind, Signature, Slot};
pub use structs::{StructureAttr, StructureField};
pub use types::{ElementTy, Quantized, TensorTy, Ty};

/// A value of a module: an argument of a region, or a result of an op.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ValueId(u32);

impl ValueId {
    /// The position among all values of the module.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The value that was made `n` values later.
    pub(crate) fn plus(self, n: u32) -> ValueId {
        ValueId(self.0 + n)
    }
}

/// The type and origin of a value.
#[derive(Clone, Debug)]
pub struct ValueData {
    /// Its type.
    pub ty: Ty,
    /// Where it is made.
    pub loc: Loc,
}

/// A file's content: a `builtin.module`, and the values of all that it holds.
#[derive(Clone, Debug)]
pub struct IrModule {
    /// Where it was read from.
    pub origin: Arc<OriginFile>,
    /// The `builtin.module`.
    pub op: IrOp,
    values: Vec<ValueData>,
}

/// An operation.
#[derive(Clone, Debug)]
pub struct IrOp {
    /// The definition of the op: its name, signature and syntax.
    pub definition: &'static Definition,
    /// The values that the op reads.
    pub operands: SmallVec<[ValueId; 4]>,
    /// The values that the op defines.
    pub results: SmallVec<[ValueId; 2]>,
    /// Properties and attributes alike.
    pub attributes: Attributes,
    /// The regions that the op contains.
    pub regions: Vec<Region>,
    /// Where its author wrote it.
    pub loc: Loc,
    /// Where it was read: an offset in the origin.
    pub at: usize,
}

/// A region of one block; a region without a block has no ops.
#[derive(Clone, Debug, Default)]
pub struct Region {
    /// The block's arguments.
    pub args: Vec<ValueId>,
    /// Its ops, the last of which is the terminator if there has to be one.
    pub ops: Vec<IrOp>,
}

/// The file that a module was read from, so that errors can say where.
#[derive(Clone, Debug, Default)]
pub struct OriginFile {
    name: String,
    lines: Vec<usize>,
}

impl OriginFile {
    /// The text `body` of the file `name`.
    pub fn text(name: &str, body: &str) -> OriginFile {
        let ends = body.match_indices('\n').map(|(i, _)| i + 1);
        OriginFile { name: name.to_owned(), lines: std::iter::once(0).chain(ends).collect() }
    }

    /// The binary file `name`.
    pub fn binary(name: &str) -> OriginFile {
        OriginFile { name: name.to_owned(), lines: Vec::new() }
    }

    /// The name of the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where the lines of a text start that lie in `range`.
    pub(crate) fn line_starts(&self, range: std::ops::Range<usize>) -> &[usize] {
        let first = self.lines.partition_point(|&start| start < range.start);
        let end = self.lines.partition_point(|&start| start < range.end);
        self.lines.get(first..end).unwrap_or(&[])
    }

    /// The line and column, in bytes, of the offset `at` of a text; `None` for a binary file.
    pub fn location(&self, at: usize) -> Option<Location> {
        let line = self.lines.partition_point(|&start| start <= at);
        let start = self.lines.get(line.checked_sub(1)?)?;
        Some(Location::new(&self.name, line as u32, (at - start + 1) as u32))
    }

    /// The error that something is wrong at the offset `at`.
    pub fn error(&self, at: usize, message: impl Into<String>) -> Error {
        match self.location(at) {
            Some(location) => Error::input(message).at(location),
            None if self.name.is_empty() => Error::input(message),
            None => Error::input(format!("{}, byte {at}: {}", self.name, message.into())),
        }
    }
}

impl IrModule {
    /// A module without ops.
    pub fn new(origin: Arc<OriginFile>) -> IrModule {
        let definition = Definition::find("builtin.module").expect("invariant: modules are defined");
        let mut op = IrOp::new(definition, 0);
        op.regions.push(Region::default());
        IrModule { origin, op, values: Vec::new() }
    }

    /// A new value.
    pub fn value(&mut self, ty: Ty, loc: Loc) -> ValueId {
        self.values.push(ValueData { ty, loc });
        ValueId(self.values.len() as u32 - 1)
    }

    /// The type and location of `value`.
    pub fn data(&self, value: ValueId) -> &ValueData {
        &self.values[value.index()]
    }

    /// The type and location of `value`, to be changed.
    pub fn data_mut(&mut self, value: ValueId) -> &mut ValueData {
        &mut self.values[value.index()]
    }

    /// The type of `value`.
    pub fn ty(&self, value: ValueId) -> &Ty {
        &self.data(value).ty
    }

    /// How many values there are.
    pub fn value_count(&self) -> usize {
        self.values.len()
    }

    /// The module's name.
    pub fn name(&self) -> Option<&str> {
        self.op.text("sym_name")
    }

    /// The ops at the top.
    pub fn ops(&self) -> &[IrOp] {
        self.op.regions.first().map_or(&[], |r| &r.ops)
    }

    /// The error that `op` is wrong.
    pub fn error(&self, op: &IrOp, message: impl Into<String>) -> Error {
        self.origin.error(op.at, message).op(op.name())
    }
}

impl IrOp {
    /// An op without operands, results, attributes and regions.
    pub fn new(definition: &'static Definition, at: usize) -> IrOp {
        IrOp {
            definition,
            operands: SmallVec::new(),
            results: SmallVec::new(),
            attributes: Attributes::default(),
            regions: Vec::new(),
            loc: Loc::Unstated,
            at,
        }
    }

    /// The name with the dialect.
    pub fn name(&self) -> &'static str {
        self.definition.name
    }

    /// The attribute `name`.
    pub fn attr(&self, name: &str) -> Option<&Attr> {
        self.attributes.get(name)
    }

    /// The attribute `name` if it is a string.
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.attr(name)? {
            Attr::String(text) => Some(text),
            _ => None,
        }
    }
}

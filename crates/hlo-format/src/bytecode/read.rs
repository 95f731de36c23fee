use std::sync::Arc;

use jarrah_base::{Error, Result};
use smallvec::SmallVec;

use super::container::{Container, OPS};
use super::decoder::Decoder;
use super::table::Row;
use super::wire::Cursor;
use super::{enums, properties, upgrade};
use crate::MAX_DEPTH;
use crate::ir::{Attr, Attributes, Definition, IrModule, IrOp, Loc, OriginFile, Region, Ty, ValueId};

/// The bits of an op's mask: each says that the op has such a part.
pub mod part {
    pub const ATTRIBUTES: u8 = 1;
    pub const RESULTS: u8 = 2;
    pub const OPERANDS: u8 = 4;
    pub const SUCCESSORS: u8 = 8;
    pub const REGIONS: u8 = 16;
    pub const USES: u8 = 32;
    pub const PROPERTIES: u8 = 64;
}

pub const CAST: &str = "builtin.unrealized_conversion_cast";

/// The module that the file holds.
pub fn module(name: &str, bytes: &[u8]) -> Result<IrModule> {
    let origin = Arc::new(OriginFile::binary(name));
    let file = Container::read(&origin, bytes)?;
    let mut reader = Reader {
        decoder: Decoder::new(&file, bytes.len()),
        names: vec![None; file.ops.len()],
        module: IrModule::new(origin.clone()),
        scopes: vec![Scope::default()],
        depth: 0,
    };
    let mut code = file.code;
    let (count, _) = code.flagged()?;
    let mut ops = Vec::new();
    for _ in 0..code.bounded(count)? {
        ops.extend(reader.op(&mut code, "")?);
    }
    code.finish("the operations")?;
    let mut module = reader.module;
    match (ops.len(), ops.pop()) {
        (1, Some(op)) if op.name() == "builtin.module" => module.op = op,
        (_, last) => {
            ops.extend(last);
            module.op.regions[0].ops = ops;
        }
    }
    Ok(module)
}

/// The values that regions up to an isolated one have defined.
#[derive(Default)]
struct Scope {
    values: Vec<Option<ValueId>>,
    /// The number of the next value of each region that is being read.
    next: Vec<usize>,
}

/// The op that a name stands for: its definition, and its row and version in the portable dialect.
#[derive(Clone, Copy)]
struct Name {
    definition: &'static Definition,
    portable: Option<(&'static Row, u8)>,
}

struct Reader<'a, 'f> {
    decoder: Decoder<'a, 'f>,
    names: Vec<Option<Name>>,
    module: IrModule,
    scopes: Vec<Scope>,
    depth: usize,
}

impl Reader<'_, '_> {
    fn format(&self) -> u64 {
        self.decoder.file.format
    }

    fn scope(&mut self) -> &mut Scope {
        self.scopes.last_mut().expect("invariant: there is always a scope")
    }

    fn name(&mut self, index: usize, at: &Cursor<'_>) -> Result<Name> {
        if let Some(name) = self.names[index] {
            return Ok(name);
        }
        let op = &self.decoder.file.ops[index];
        let full =
            if op.name.is_empty() { op.dialect.to_owned() } else { format!("{}.{}", op.dialect, op.name) };
        let portable = if op.dialect == "vhlo" { Row::of_portable(op.name) } else { None };
        let known = if op.dialect == "vhlo" { portable.map_or("", |(row, _)| row.op) } else { &full };
        let unknown = || {
            at.error(format!("the operation `{full}` is not known"))
                .help("the file may be of a newer version")
        };
        let name = Name { definition: Definition::find(known).ok_or_else(unknown)?, portable };
        self.names[index] = Some(name);
        Ok(name)
    }

    fn define(&mut self, value: ValueId, at: &Cursor<'_>) -> Result<()> {
        let scope = self.scope();
        let next = scope.next.last_mut().ok_or_else(|| at.error("a value outside of every region"))?;
        let slot = scope
            .values
            .get_mut(*next)
            .ok_or_else(|| at.error("a region defines more values than it says"))?;
        *slot = Some(value);
        *next += 1;
        Ok(())
    }

    /// The op that follows; none for a conversion between a type of the portable dialect and what it stands for.
    fn op(&mut self, at: &mut Cursor<'_>, parent: &str) -> Result<Option<IrOp>> {
        let start = *at;
        let index = at.index(self.names.len(), "operation name")?;
        let name = self.name(index, &start)?;
        let mask = at.byte()?;
        let mut op = IrOp::new(name.definition, start.at());
        op.loc = self.decoder.loc(at)?;
        if name.portable.is_some() && op.name() == "stablehlo.return" && parent == "func.func" {
            op.definition = Definition::find("func.return").expect("invariant: it is defined");
        }
        let wrong = |message: String| start.error(message).op(name.definition.name);
        if mask & part::ATTRIBUTES != 0 {
            op.attributes = self.decoder.dictionary(at)?;
        }
        if mask & part::PROPERTIES != 0 {
            self.properties(at, index, name, &mut op.attributes)?;
        }
        if let Some((row, version)) = name.portable {
            op.attributes =
                upgrade::attributes(row, version, std::mem::take(&mut op.attributes)).map_err(wrong)?;
        }
        let mut types = SmallVec::<[Ty; 2]>::new();
        if mask & part::RESULTS != 0 {
            for _ in 0..at.count()? {
                types.push(self.decoder.ty(at)?);
            }
        }
        if mask & part::OPERANDS != 0 {
            for _ in 0..at.count()? {
                let values = &self.scopes.last().expect("invariant: there is always a scope").values;
                let value = values[at.index(values.len(), "value")?];
                op.operands.push(value.ok_or_else(|| at.error("a value is used before it is defined"))?);
            }
        }
        if mask & part::SUCCESSORS != 0 {
            return Err(wrong("branches to other blocks are not supported".to_owned()));
        }
        if mask & part::USES != 0 {
            skip_uses(at, types.len())?;
        }
        if op.name() == CAST && types.len() == op.operands.len() {
            let same = |(ty, &value): (&Ty, &ValueId)| ty == self.module.ty(value);
            if types.iter().zip(&op.operands).all(same) {
                for &value in &op.operands {
                    self.define(value, at)?;
                }
                return Ok(None);
            }
        }
        for ty in types {
            let value = self.module.value(ty, op.loc.clone());
            self.define(value, at)?;
            op.results.push(value);
        }
        if mask & part::REGIONS != 0 {
            self.regions(at, &mut op)?;
        }
        Ok(Some(op))
    }

    fn regions(&mut self, at: &mut Cursor<'_>, op: &mut IrOp) -> Result<()> {
        let (count, isolated) = at.flagged()?;
        let count = at.bounded(count)?;
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(at.error(format!("regions nest more than {MAX_DEPTH} deep")).op(op.name()));
        }
        let mut own = *at;
        let section = isolated && self.format() >= 2;
        if section {
            let (kind, data) = at.section()?;
            if kind != OPS {
                return Err(at.error("the section of a region is missing").op(op.name()));
            }
            own = data;
        }
        if isolated {
            self.scopes.push(Scope::default());
        }
        for _ in 0..count {
            let region = self.region(&mut own, op.name())?;
            op.regions.push(region);
        }
        if isolated {
            self.scopes.pop();
        }
        match section {
            true => own.finish("a region")?,
            false => *at = own,
        }
        self.depth -= 1;
        Ok(())
    }

    fn region(&mut self, at: &mut Cursor<'_>, parent: &str) -> Result<Region> {
        let mut region = Region::default();
        let blocks = at.varint()?;
        if blocks == 0 {
            return Ok(region);
        }
        if blocks > 1 {
            return Err(at
                .error(format!("a region of {blocks} blocks: branches are not supported"))
                .op(parent));
        }
        let values = at.count()?;
        let scope = self.scope();
        let first = scope.values.len();
        scope.next.push(first);
        scope.values.resize(first + values, None);
        let (ops, has_args) = at.flagged()?;
        if has_args {
            self.arguments(at, &mut region)?;
        }
        for _ in 0..at.bounded(ops)? {
            region.ops.extend(self.op(at, parent)?);
        }
        let scope = self.scope();
        scope.values.truncate(first);
        scope.next.pop();
        Ok(region)
    }

    fn arguments(&mut self, at: &mut Cursor<'_>, region: &mut Region) -> Result<()> {
        for _ in 0..at.count()? {
            let (ty, located) = match self.format() >= 4 {
                true => {
                    let (index, located) = at.flagged()?;
                    let index = at.checked(index, self.decoder.type_count(), "type")?;
                    (self.decoder.ty_at(index, at)?, located)
                }
                false => (self.decoder.ty(at)?, true),
            };
            let loc = if located { self.decoder.loc(at)? } else { Loc::Unknown };
            let value = self.module.value(ty, loc);
            self.define(value, at)?;
            region.args.push(value);
        }
        if self.format() >= 3 && at.byte()? != 0 {
            skip_uses(at, region.args.len())?;
        }
        Ok(())
    }

    /// Reads the properties of the op `name` into its attributes.
    fn properties(
        &mut self,
        at: &mut Cursor<'_>,
        op: usize,
        name: Name,
        into: &mut Attributes,
    ) -> Result<()> {
        let all = &self.decoder.file.properties;
        if !self.decoder.file.ops[op].registered {
            for (name, attr) in self.decoder.dictionary(at)?.iter() {
                into.set(name.clone(), attr.clone());
            }
            return Ok(());
        }
        let mut data = all[at.index(all.len(), "encoding of properties")?];
        if let Some((row, version)) = name.portable {
            for field in row.fields(version) {
                into.set(field.name, self.decoder.attr(&mut data)?);
            }
            return data.finish("the properties").map_err(|e| e.op(row.op));
        }
        let op = name.definition.name;
        let mut wanted = properties::of(op);
        if words(data)? < wanted.len() {
            wanted.retain(|p| !p.new);
        }
        for property in wanted {
            match property.optional {
                true => {
                    if let Some(attr) = self.decoder.optional(&mut data)? {
                        into.set(property.name, attr);
                    }
                }
                false => into.set(property.name, self.decoder.attr(&mut data)?),
            }
        }
        if op == "sdy.propagation_barrier" {
            let n = into.get("allowed_direction").and_then(Attr::integer).and_then(|n| u64::try_from(n).ok());
            let cases = enums::PROPAGATION_DIRECTION;
            let word =
                n.and_then(|n| cases.case(n)).ok_or_else(|| data.error("a direction that there is not"))?;
            into.set("allowed_direction", Attr::Enum(cases.name, word));
        }
        for &(name, groups) in properties::segments(op) {
            into.set(name, segments(&mut data, groups)?);
        }
        data.finish("the properties").map_err(|e: Error| e.op(op))
    }
}

/// How many integers follow.
fn words(mut at: Cursor<'_>) -> Result<usize> {
    let mut count = 0;
    while !at.is_empty() {
        at.varint()?;
        count += 1;
    }
    Ok(count)
}

/// The sizes of groups: all of them, or those that are not zero with their positions in the lowest bits.
fn segments(at: &mut Cursor<'_>, groups: usize) -> Result<Attr> {
    let mut sizes = vec![0i64; groups];
    let (count, sparse) = at.flagged()?;
    let bits = if sparse && count != 0 { at.varint()? } else { 0 };
    if bits > 8 {
        return Err(at.error("positions of groups of more than 8 bits"));
    }
    for i in 0..at.bounded(count)? {
        let n = at.varint()?;
        let (i, n) = if sparse { ((n & ((1 << bits) - 1)) as usize, n >> bits) } else { (i, n) };
        let size = sizes
            .get_mut(i)
            .ok_or_else(|| at.error(format!("there is no group {i} of operands or results")))?;
        *size = i64::try_from(n).unwrap_or(i64::MAX);
    }
    Ok(Attr::Integers(super::scalars::from_name("i32"), sizes))
}

/// The order of the uses of `count` values says nothing about a program.
fn skip_uses(at: &mut Cursor<'_>, count: usize) -> Result<()> {
    let values = if count > 1 { at.count()? } else { 1 };
    for _ in 0..values {
        if count > 1 {
            at.varint()?;
        }
        let (indices, _) = at.flagged()?;
        for _ in 0..at.bounded(indices)? {
            at.varint()?;
        }
    }
    Ok(())
}

use jarrah_base::{Error, Result};

use super::container::OPS;
use super::downgrade;
use super::encoder::{Encoder, Form};
use super::read::{CAST, part};
use super::table::Row;
use super::version::Version;
use super::wire::Buffer;
use crate::MAX_DEPTH;
use crate::ir::{IrModule, IrOp, Loc, Region, ValueId};

/// The portable artifact of the module, for readers of the version `target`.
pub fn module(module: &IrModule, target: Version) -> Result<Vec<u8>> {
    for (bad, how) in [(target < Version::MINIMUM, "older"), (target.release() > Version::CURRENT, "newer")] {
        if bad {
            let (first, last) = (Version::MINIMUM, Version::CURRENT);
            return Err(Error::input(format!("version skew: {target} is {how} than what can be written"))
                .help(format!("the versions {first} to {last} can be written")));
        }
    }
    let mut writer = Writer {
        encoder: Encoder::new(target),
        module,
        wanted: vec![[false; 2]; module.value_count()],
        numbers: vec![[None; 2]; module.value_count()],
        depth: 0,
    };
    writer.want(&module.op)?;
    let mut code = Buffer::default();
    code.flagged(1, false);
    writer.op(&mut code, &module.op, 0, false)?;
    Ok(writer.encoder.finish(&code))
}

struct Writer<'m> {
    encoder: Encoder,
    module: &'m IrModule,
    /// In which forms a value is used.
    wanted: Vec<[bool; 2]>,
    /// The numbers that a value has in both forms.
    numbers: Vec<[Option<u64>; 2]>,
    depth: usize,
}

/// The row of an op of the portable dialect; none for one that stays as it is.
fn portable(op: &IrOp) -> Option<&'static Row> {
    Row::of_tree(op.name())
}

/// In which form an op uses and makes values.
fn form(op: &IrOp) -> Form {
    if portable(op).is_some() { Form::Portable } else { Form::Plain }
}

fn other(form: Form) -> Form {
    if form == Form::Portable { Form::Plain } else { Form::Portable }
}

impl Writer<'_> {
    /// Notes in which forms the values are used that `op` and what it holds use.
    fn want(&mut self, op: &IrOp) -> Result<()> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.module.error(op, format!("regions nest more than {MAX_DEPTH} deep")));
        }
        for value in &op.operands {
            self.wanted[value.index()][form(op) as usize] = true;
        }
        for inner in op.regions.iter().flat_map(|r| &r.ops) {
            self.want(inner)?;
        }
        self.depth -= 1;
        Ok(())
    }

    /// How many numbers a value made in this form takes.
    fn copies(&self, value: ValueId, form: Form) -> u64 {
        1 + u64::from(self.wanted[value.index()][other(form) as usize])
    }

    /// How many values a region defines.
    fn count(&self, region: &Region, owner: Form) -> u64 {
        let args: u64 = region.args.iter().map(|&v| self.copies(v, owner)).sum();
        let results = region.ops.iter().flat_map(|op| op.results.iter().map(|&v| self.copies(v, form(op))));
        args + results.sum::<u64>()
    }

    /// Gives the next numbers to values made in this form.
    fn define(&mut self, values: &[ValueId], form: Form, next: &mut u64) {
        for value in values {
            self.numbers[value.index()][form as usize] = Some(*next);
            *next += 1;
        }
    }

    /// Writes conversions of values made in the form `from` to the other form, for values that are used in the other.
    fn casts(&mut self, out: &mut Buffer, values: &[ValueId], from: Form, next: &mut u64) -> Result<()> {
        let to = other(from);
        for value in values {
            if !self.wanted[value.index()][to as usize] {
                continue;
            }
            out.varint(self.encoder.op(CAST));
            out.byte(part::RESULTS | part::OPERANDS);
            out.varint(self.encoder.loc(&Loc::Unknown)?);
            out.varint(1);
            out.varint(self.encoder.ty(to, self.module.ty(*value))?);
            out.varint(1);
            out.varint(self.numbers[value.index()][from as usize].expect("invariant: it was just defined"));
            self.define(&[*value], to, next);
        }
        Ok(())
    }

    /// Writes an op, the numbers of whose regions' values begin at `inner`.
    fn op(&mut self, out: &mut Buffer, op: &IrOp, inner: u64, in_function: bool) -> Result<()> {
        let isolated =
            self.head(out, op, in_function).map_err(|e| match self.module.origin.location(op.at) {
                Some(location) => e.op(op.name()).at(location),
                None => e.op(op.name()),
            })?;
        if op.regions.is_empty() {
            return Ok(());
        }
        out.flagged(op.regions.len() as u64, isolated);
        let mut own = Buffer::default();
        let section = isolated && self.encoder.format() >= 2;
        for region in &op.regions {
            let out = if section { &mut own } else { &mut *out };
            self.region(out, op, region, if isolated { 0 } else { inner })?;
        }
        if section {
            out.section(OPS, &own);
        }
        Ok(())
    }

    /// Writes all of an op but its regions; says whether they are isolated.
    fn head(&mut self, out: &mut Buffer, op: &IrOp, in_function: bool) -> Result<bool> {
        let form = form(op);
        let target = self.encoder.target;
        let mut mask = 0;
        let mut body = Buffer::default();
        body.varint(self.encoder.loc(&op.loc)?);
        let name = match portable(op) {
            Some(row) => {
                let version = row.version(target);
                if version == 0 {
                    let since = row.since[0];
                    return Err(Error::input(format!(
                        "`{}` needs version {since}, and {target} is asked for",
                        op.name()
                    )));
                }
                if op.name() == "func.return" && !in_function {
                    return Err(Error::input("a return from a function outside of one"));
                }
                let asked = |e: String| Error::input(format!("{e}, and {target} is asked for"));
                downgrade::check(row, version, target, self.module, op).map_err(asked)?;
                let said = downgrade::attributes(row, version, op).map_err(asked)?;
                self.portable_attributes(&mut body, &mut mask, said)?;
                format!("vhlo.{}_v{version}", row.name)
            }
            None => {
                if op.name() != "builtin.module" {
                    self.encoder
                        .need(Version::new(1, 11), &format!("`{}`, of another dialect,", op.name()))?;
                }
                if !op.attributes.is_empty() {
                    mask |= part::ATTRIBUTES;
                    body.varint(self.encoder.dictionary(Form::Plain, &op.attributes)?);
                }
                op.name().to_owned()
            }
        };
        if !op.results.is_empty() {
            mask |= part::RESULTS;
            body.varint(op.results.len() as u64);
            for &value in &op.results {
                body.varint(self.encoder.ty(form, self.module.ty(value))?);
            }
        }
        if !op.operands.is_empty() {
            mask |= part::OPERANDS;
            body.varint(op.operands.len() as u64);
            for value in &op.operands {
                let number = self.numbers[value.index()][form as usize];
                body.varint(number.ok_or_else(|| Error::input("a value is used before it is defined"))?);
            }
        }
        if !op.regions.is_empty() {
            mask |= part::REGIONS;
        }
        out.varint(self.encoder.op(&name));
        out.byte(mask);
        out.0.append(&mut body.0);
        Ok(op.name() == "builtin.module")
    }

    /// The attributes of a portable op: in an encoding of their own, or in the dictionary before there was one.
    fn portable_attributes(
        &mut self,
        out: &mut Buffer,
        mask: &mut u8,
        said: downgrade::Portable,
    ) -> Result<()> {
        let mut rest = said.rest;
        let own = self.encoder.format() >= 5;
        let mut properties = Buffer::default();
        let mut api_version = None;
        let mut any = false;
        for (name, attr, is_api) in said.fields {
            any = true;
            match (own, is_api) {
                (true, true) => properties.varint(self.encoder.api_version(attr.integer().unwrap_or(-1))?),
                (true, false) => properties.varint(self.encoder.attr(Form::Portable, &attr)?),
                (false, true) => api_version = Some((name, attr)),
                (false, false) => rest.set(name, attr),
            }
        }
        if !rest.is_empty() || api_version.is_some() {
            *mask |= part::ATTRIBUTES;
            let api = match &api_version {
                Some((name, attr)) => Some((*name, self.encoder.api_version(attr.integer().unwrap_or(-1))?)),
                None => None,
            };
            out.varint(self.encoder.dictionary_with(Form::Portable, &rest, api)?);
        }
        if own && any {
            *mask |= part::PROPERTIES;
            out.varint(self.encoder.properties(properties.0));
        }
        Ok(())
    }

    fn region(&mut self, out: &mut Buffer, owner: &IrOp, region: &Region, first: u64) -> Result<()> {
        if region.args.is_empty() && region.ops.is_empty() {
            let empty_block = owner.name() == "builtin.module";
            out.varint(u64::from(empty_block));
            if empty_block {
                out.varint(0);
                out.flagged(0, false);
            }
            return Ok(());
        }
        let form = form(owner);
        let count = self.count(region, form);
        out.varint(1);
        out.varint(count);
        let mut casts = Buffer::default();
        let mut next = first;
        let inner = first + count;
        self.define(&region.args, form, &mut next);
        self.casts(&mut casts, &region.args, form, &mut next)?;
        let extra = |values: &[ValueId], form| values.iter().map(|&v| self.copies(v, form) - 1).sum::<u64>();
        let inserted = extra(&region.args, form)
            + region.ops.iter().map(|op| extra(&op.results, self::form(op))).sum::<u64>();
        out.flagged(region.ops.len() as u64 + inserted, !region.args.is_empty());
        if !region.args.is_empty() {
            self.arguments(out, region, form)?;
        }
        out.0.append(&mut casts.0);
        for op in &region.ops {
            // A region's values are numbered before those of the regions in it.
            let made = self::form(op);
            let mut after = next;
            self.op(out, op, inner, owner.name() == "func.func")?;
            self.define(&op.results, made, &mut after);
            self.casts(out, &op.results, made, &mut after)?;
            next = after;
        }
        Ok(())
    }

    fn arguments(&mut self, out: &mut Buffer, region: &Region, form: Form) -> Result<()> {
        out.varint(region.args.len() as u64);
        for &value in &region.args {
            let data = self.module.data(value);
            let ty = self.encoder.ty(form, &data.ty)?;
            let located = !matches!(data.loc, Loc::Unknown | Loc::Unstated);
            match self.encoder.format() >= 4 {
                true => out.flagged(ty, located),
                false => out.varint(ty),
            }
            if located || self.encoder.format() < 4 {
                out.varint(self.encoder.loc(&data.loc)?);
            }
        }
        if self.encoder.format() >= 3 {
            out.byte(0);
        }
        Ok(())
    }
}

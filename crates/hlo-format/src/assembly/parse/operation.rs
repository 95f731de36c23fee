use jarrah_base::{Error, Result};
use smallvec::SmallVec;

use super::Parser;
use crate::assembly::lexer::Token;
use crate::ir::{Definition, IrOp, Loc, Region, Ty, ValueId};
use jarrah_base::nearest;

/// An op as far as it has been read.
pub(super) struct Draft {
    pub op: IrOp,
    /// The types of the results.
    pub results: Vec<Ty>,
}

/// The names that results get, and how many values each stands for.
type ResultNames<'t> = SmallVec<[(&'t str, u32, usize); 2]>;

impl<'t> Parser<'t> {
    /// An op with the names of its results.
    pub(super) fn operation(&mut self) -> Result<IrOp> {
        let names = self.result_names()?;
        let at = self.start;
        let draft = match self.token {
            Token::Text(name) => {
                let definition = self.definition(name, at)?;
                self.advance()?;
                self.nested(|p| p.generic(definition, at))?
            }
            Token::Word(name) => {
                let full = match name {
                    "module" => "builtin.module",
                    "func" => "func.func",
                    "call" => "func.call",
                    "return" => "func.return",
                    _ => name,
                };
                let definition = self.definition(full, at)?;
                let Some(format) = definition.format() else {
                    let error = self.error(at, format!("{full} has no syntax of its own"));
                    return Err(error.help(format!("write \"{full}\"(...) with quotes")));
                };
                self.advance()?;
                self.nested(|p| {
                    let mut draft = Draft { op: IrOp::new(definition, at), results: Vec::new() };
                    p.pieces(&format.0, &mut draft)?;
                    Ok(draft)
                })?
            }
            _ => return Err(self.fail("an op")),
        };
        let Draft { mut op, results } = draft;
        op.loc = self.trailing_location()?.unwrap_or_default();
        self.define_results(&mut op, results, &names, at)?;
        Ok(op)
    }

    /// `%0, %1:2 =`, if it comes next.
    fn result_names(&mut self) -> Result<ResultNames<'t>> {
        let mut names = ResultNames::new();
        while let Token::Value(name, index) = self.token {
            let at = self.start;
            if index != 0 {
                return Err(self.error(at, "expected the name of a result, without `#`"));
            }
            self.advance()?;
            let mut count = 1;
            if self.eat(':')? {
                let at = self.start;
                let given = u32::try_from(self.integer()?).ok().filter(|&n| n > 0);
                count = given.ok_or_else(|| self.error(at, "expected the number of results"))?;
            }
            names.push((name, count, at));
            if !self.eat(',')? {
                break;
            }
        }
        if !names.is_empty() {
            self.expect('=')?;
        }
        Ok(names)
    }

    fn define_results(
        &mut self,
        op: &mut IrOp,
        types: Vec<Ty>,
        names: &ResultNames<'t>,
        at: usize,
    ) -> Result<()> {
        let named: usize = names.iter().map(|(_, n, _)| *n as usize).sum();
        if named != types.len() && !names.is_empty() {
            let message = format!("{named} names for {} results", types.len());
            return Err(self.error(names[0].2, message).op(op.name()));
        }
        if let Some(count) = op.definition.signature().results
            && count != types.len()
        {
            let message = format!("{} results, where {count} are made", types.len());
            return Err(self.error(at, message).op(op.name()));
        }
        for ty in types {
            let value = self.module.value(ty, op.loc.clone());
            op.results.push(value);
        }
        let mut next = 0;
        for (name, count, at) in names {
            self.name_values(name, op.results[next], *count, *at)?;
            next += *count as usize;
        }
        Ok(())
    }

    /// Gives consecutive values a name.
    fn name_values(&mut self, name: &'t str, first: ValueId, count: u32, at: usize) -> Result<()> {
        if !self.scopes.define(name, first, count) {
            return Err(self.error(at, format!("`%{name}` is defined twice")));
        }
        Ok(())
    }

    fn definition(&self, name: &str, at: usize) -> Result<&'static Definition> {
        Definition::find(name).ok_or_else(|| self.unknown_op(name, at))
    }

    fn unknown_op(&self, name: &str, at: usize) -> Error {
        let error = self.error(at, format!("there is no op {name}"));
        match nearest(name, Definition::all().map(|d| d.name)) {
            Some(near) => error.help(format!("did you mean {near}?")),
            None => error,
        }
    }

    /// `(%a) <{...}> ({...}) {...} : (a) -> b`, behind the name.
    pub(super) fn generic(&mut self, definition: &'static Definition, at: usize) -> Result<Draft> {
        let mut op = IrOp::new(definition, at);
        for operand in self.enclosed('(', ')', Self::operand)? {
            op.operands.push(operand);
        }
        if self.is('<') {
            self.advance()?;
            self.optional_dictionary(&mut op.attributes)?;
            self.expect('>')?;
        }
        if self.is('(') {
            let isolated = is_isolated(definition);
            op.regions = self.enclosed('(', ')', |p| p.region(isolated, &[]))?;
        }
        self.optional_dictionary(&mut op.attributes)?;
        self.expect(':')?;
        let at = self.start;
        let (operands, results) = self.function_type()?;
        self.check_operands(&op, &operands, at)?;
        Ok(Draft { op, results })
    }

    /// A value.
    pub(super) fn operand(&mut self) -> Result<ValueId> {
        let Token::Value(name, index) = self.token else { return Err(self.fail("a value")) };
        let at = self.start;
        let Some(found) = self.scopes.find(name) else {
            let error = self.error(at, format!("there is no value `%{name}` here"));
            return Err(match nearest(name, self.scopes.names()) {
                Some(near) => error.help(format!("did you mean %{near}?")),
                None => error,
            });
        };
        if index >= found.count {
            return Err(self.error(at, format!("`%{name}` has {} values, no #{index}", found.count)));
        }
        self.advance()?;
        Ok(found.first.plus(index))
    }

    /// `%a, %b` as long as values come.
    pub(super) fn operands(&mut self) -> Result<SmallVec<[ValueId; 4]>> {
        let mut operands = SmallVec::new();
        if !matches!(self.token, Token::Value(..)) {
            return Ok(operands);
        }
        loop {
            operands.push(self.operand()?);
            if !self.eat(',')? {
                return Ok(operands);
            }
        }
    }

    /// That the operands have these types.
    pub(super) fn check_operands(&self, op: &IrOp, types: &[Ty], at: usize) -> Result<()> {
        if op.operands.len() != types.len() {
            let message = format!("{} types for {} operands", types.len(), op.operands.len());
            return Err(self.error(at, message).op(op.name()));
        }
        for (i, (&operand, ty)) in op.operands.iter().zip(types).enumerate() {
            self.check_operand(op, operand, i, ty, at)?;
        }
        Ok(())
    }

    pub(super) fn check_operand(
        &self,
        op: &IrOp,
        operand: ValueId,
        i: usize,
        ty: &Ty,
        at: usize,
    ) -> Result<()> {
        let actual = self.module.ty(operand);
        if actual == ty {
            return Ok(());
        }
        let (actual, ty) = (crate::assembly::print::ty(actual), crate::assembly::print::ty(ty));
        Err(self.error(at, format!("operand {i} is a {actual}, not a {ty}")).op(op.name()))
    }

    /// `{...}` with these arguments besides those of a label in it.
    pub(super) fn region(&mut self, isolated: bool, args: &[Argument<'t>]) -> Result<Region> {
        self.nested(|p| {
            p.scopes.enter(isolated);
            let mut region = Region::default();
            for arg in args {
                region.args.push(p.argument(arg)?);
            }
            p.expect('{')?;
            if let Token::Label(_) = p.token {
                p.advance()?;
                if p.is('(') {
                    for arg in p.enclosed('(', ')', Self::typed_argument)? {
                        region.args.push(p.argument(&arg)?);
                    }
                }
                p.expect(':')?;
            }
            while !p.eat('}')? {
                if let Token::Label(_) = p.token {
                    return Err(p.error(p.start, "a region has a single block here"));
                }
                if p.token == Token::End {
                    return Err(p.fail("an op or `}`"));
                }
                region.ops.push(p.operation()?);
            }
            p.scopes.leave();
            Ok(region)
        })
    }

    /// Makes the argument of a region.
    fn argument(&mut self, arg: &Argument<'t>) -> Result<ValueId> {
        let value = self.module.value(arg.ty.clone(), arg.loc.clone());
        self.name_values(arg.name, value, 1, arg.at)?;
        Ok(value)
    }

    /// `%x`, as the name of an argument.
    pub(super) fn argument_name(&mut self) -> Result<(&'t str, usize)> {
        match self.token {
            Token::Value(name, 0) => {
                let at = self.start;
                self.advance()?;
                Ok((name, at))
            }
            _ => Err(self.fail("the name of an argument")),
        }
    }

    /// `%x: a loc(...)`.
    pub(super) fn typed_argument(&mut self) -> Result<Argument<'t>> {
        let (name, at) = self.argument_name()?;
        self.expect(':')?;
        let ty = self.ty()?;
        let loc = self.trailing_location()?.unwrap_or_default();
        Ok(Argument { name, at, ty, loc })
    }
}

/// An argument of a region.
pub(super) struct Argument<'t> {
    pub name: &'t str,
    pub at: usize,
    pub ty: Ty,
    pub loc: Loc,
}

/// Whether regions of the op see nothing from outside.
fn is_isolated(definition: &Definition) -> bool {
    matches!(definition.name, "func.func" | "builtin.module" | "stablehlo.async_start" | "chlo.scan")
}

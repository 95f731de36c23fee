//! Verifies the structure of modules, whatever their ops mean.

use jarrah_base::{Error, Result, work};
use rustc_hash::FxHashMap;

use super::{Attr, AttrKind, IrModule, IrOp, Region, Ty, ValueId};
use super::{quantization, rules, shapes};

impl IrModule {
    /// Checks what holds for every module, also one whose extents are not known: that ops have the operands, results,
    /// regions and attributes they should have, that values are defined before they are used, that regions end as they
    /// should, that functions are called with the types they have, and that shapes and element types fit together.
    ///
    /// # Errors
    /// The first thing that is wrong, and where.
    pub fn verify(&self) -> Result<()> {
        let mut verifier = Verifier {
            module: self,
            scopes: vec![0; self.value_count()],
            scope: 0,
            last_scope: 0,
            symbols: Vec::new(),
        };
        verifier.op(&self.op, None)
    }
}

struct Verifier<'m> {
    module: &'m IrModule,
    /// For each value the isolated region in which it can be seen, 0 for one that cannot.
    scopes: Vec<u32>,
    /// The innermost isolated region, and the last that there was; they are numbered.
    scope: u32,
    last_scope: u32,
    /// The named ops of each module that is open.
    symbols: Vec<FxHashMap<&'m str, &'m IrOp>>,
}

impl<'m> Verifier<'m> {
    fn error(&self, op: &IrOp, message: impl Into<String>) -> Error {
        self.module.error(op, message)
    }

    fn ty(&self, value: ValueId) -> &'m Ty {
        self.module.ty(value)
    }

    fn op(&mut self, op: &'m IrOp, parent: Option<&'m IrOp>) -> Result<()> {
        work::step(1 + op.operands.len() + op.results.len());
        self.counts(op)?;
        self.attributes(op)?;
        for (i, operand) in op.operands.iter().enumerate() {
            if self.scope == 0 || self.scopes.get(operand.index()) != Some(&self.scope) {
                return Err(self.error(op, format!("operand {i} is used where it is not defined")));
            }
        }
        if op.name() == "builtin.module" {
            let symbols = self.symbols_of(op)?;
            self.symbols.push(symbols);
        }
        for region in &op.regions {
            self.region(op, region)?;
        }
        if op.name() == "builtin.module" {
            self.symbols.pop();
        }
        self.references(op)?;
        self.own_rules(op, parent)?;
        shapes::verify(self.module, op)?;
        quantization::verify(self.module, op)?;
        rules::verify(self.module, op)?;
        self.define(op, &op.results)
    }

    /// The number of operands, results and regions.
    fn counts(&self, op: &IrOp) -> Result<()> {
        let signature = op.definition.signature();
        let (fixed, more) = signature.operand_count();
        let given = op.operands.len();
        if given < fixed || given > fixed && !more {
            let least = if more { "at least " } else { "" };
            return Err(self.error(op, format!("{given} operands, where there should be {least}{fixed}")));
        }
        let exact = [
            ("results", signature.results, op.results.len()),
            ("regions", signature.regions, op.regions.len()),
        ];
        for (what, expected, given) in exact {
            if expected.is_some_and(|n| n != given) {
                let expected = expected.unwrap_or(0);
                return Err(self.error(op, format!("{given} {what}, where there should be {expected}")));
            }
        }
        Ok(())
    }

    fn attributes(&self, op: &IrOp) -> Result<()> {
        for slot in &op.definition.signature().attributes {
            match op.attr(slot.name) {
                None if slot.optional => {}
                None => return Err(self.error(op, format!("the attribute {} is missing", slot.name))),
                Some(attr) => {
                    // Programs of several ages write lists of integers in several ways.
                    let fits = match slot.kind {
                        AttrKind::Integers(_) | AttrKind::DenseIntegers => attr.integers().is_some(),
                        AttrKind::Integer(_) => matches!(attr, Attr::Integer(..) | Attr::Bool(_)),
                        kind => kind.admits(attr),
                    };
                    if !fits {
                        let expected = slot.kind.describe();
                        return Err(
                            self.error(op, format!("the attribute {} should be {expected}", slot.name))
                        );
                    }
                }
            }
        }
        Ok(())
    }

    fn region(&mut self, op: &'m IrOp, region: &'m Region) -> Result<()> {
        let isolated =
            matches!(op.name(), "builtin.module" | "func.func" | "stablehlo.async_start" | "chlo.scan");
        let outside = self.scope;
        if isolated {
            self.last_scope += 1;
            self.scope = self.last_scope;
        }
        self.define(op, &region.args)?;
        for (i, inner) in region.ops.iter().enumerate() {
            self.op(inner, Some(op))?;
            if is_terminator(inner) && i + 1 < region.ops.len() {
                return Err(self.error(inner, "only the last op of a region may be a return"));
            }
        }
        let declaration = op.name() == "func.func" && region.args.is_empty() && region.ops.is_empty();
        let needs = op.name() != "builtin.module" && !op.name().starts_with("jarrah.") && !declaration;
        if needs && !region.ops.last().is_some_and(is_terminator) {
            return Err(self.error(op, "a region does not end with a return"));
        }
        let defined = region.args.iter().chain(region.ops.iter().flat_map(|o| &o.results));
        defined.for_each(|v| self.scopes[v.index()] = 0);
        self.scope = outside;
        Ok(())
    }

    fn define(&mut self, op: &IrOp, values: &[ValueId]) -> Result<()> {
        for value in values {
            match self.scopes.get_mut(value.index()) {
                Some(scope) if *scope == 0 => *scope = self.scope,
                _ => return Err(self.error(op, "a value is defined twice")),
            }
        }
        Ok(())
    }

    fn symbols_of(&self, module: &'m IrOp) -> Result<FxHashMap<&'m str, &'m IrOp>> {
        let mut symbols = FxHashMap::default();
        for op in module.regions.iter().flat_map(|r| &r.ops) {
            if let Some(name) = op.text("sym_name")
                && symbols.insert(name, op).is_some()
            {
                return Err(self.error(op, format!("@{name} is defined twice")));
            }
        }
        Ok(symbols)
    }

    /// The op that a symbol names.
    fn resolve(&self, op: &IrOp, path: &[std::sync::Arc<str>]) -> Result<&'m IrOp> {
        let missing = || {
            let shown: Vec<String> = path.iter().map(|p| format!("@{p}")).collect();
            self.error(op, format!("there is no {}", shown.join("::")))
        };
        let (first, rest) = path.split_first().ok_or_else(missing)?;
        let mut found = *self.symbols.last().and_then(|s| s.get(&**first)).ok_or_else(missing)?;
        for name in rest {
            let mut inner = found.regions.iter().flat_map(|r| &r.ops);
            found = inner.find(|o| o.text("sym_name") == Some(&**name)).ok_or_else(missing)?;
        }
        Ok(found)
    }

    /// Checks that symbols name something, and that functions have the types they are called with.
    fn references(&self, op: &IrOp) -> Result<()> {
        let called = match op.name() {
            "func.call" => "callee",
            "stablehlo.composite" => "decomposition",
            "interpreter.run_parallel" => return self.listed(op, op.attr("programs")),
            _ => return Ok(()),
        };
        let Some(Attr::Symbol(path)) = op.attr(called) else { return Ok(()) };
        let callee = self.resolve(op, path)?;
        let Some(Attr::Type(Ty::Function(ty))) = callee.attr("function_type") else {
            return Err(self.error(op, "what is called is no function"));
        };
        let types = |values: &[ValueId]| values.iter().map(|v| self.ty(*v).clone()).collect::<Vec<_>>();
        let name = callee.text("sym_name").unwrap_or("");
        let fits = |given: &[Ty], expected: &[Ty]| {
            given.len() == expected.len() && given.iter().zip(expected).all(|(a, b)| shapes::compatible(a, b))
        };
        if !fits(&types(&op.operands), &ty.0) {
            return Err(
                self.error(op, format!("the operands have other types than the arguments of @{name}"))
            );
        }
        if !fits(&types(&op.results), &ty.1) {
            return Err(self.error(op, format!("the results have other types than those of @{name}")));
        }
        Ok(())
    }

    fn listed(&self, op: &IrOp, attr: Option<&Attr>) -> Result<()> {
        match attr {
            Some(Attr::Symbol(path)) => self.resolve(op, path).map(|_| ()),
            Some(Attr::Array(list)) => list.iter().try_for_each(|a| self.listed(op, Some(a))),
            _ => Ok(()),
        }
    }

    /// Checks the constraints of single ops on their regions and on the op that contains them.
    fn own_rules(&self, op: &IrOp, parent: Option<&IrOp>) -> Result<()> {
        match op.name() {
            "func.func" => self.function(op),
            "func.return" if parent.is_none_or(|p| p.name() != "func.func") => {
                Err(self.error(op, "only functions end with this return"))
            }
            "stablehlo.while" => {
                let [condition, body] = &op.regions[..] else { return Ok(()) };
                self.arguments(op, condition, &op.operands)?;
                self.arguments(op, body, &op.operands)?;
                self.returned(op, body, &op.results)?;
                self.predicate(op, condition)
            }
            "stablehlo.if" | "stablehlo.case" => {
                if op.regions.is_empty() {
                    return Err(self.error(op, "there is no branch"));
                }
                for region in &op.regions {
                    self.arguments(op, region, &[])?;
                    self.returned(op, region, &op.results)?;
                }
                Ok(())
            }
            "stablehlo.sort" => {
                let [comparator] = &op.regions[..] else { return Ok(()) };
                if comparator.args.len() != 2 * op.operands.len() {
                    return Err(self.error(op, "the comparator has two arguments for each operand"));
                }
                self.predicate(op, comparator)
            }
            "stablehlo.reduce" | "stablehlo.reduce_window" => {
                let [body] = &op.regions[..] else { return Ok(()) };
                let pairs = op.results.len();
                if op.operands.len() != 2 * pairs || body.args.len() != 2 * pairs {
                    return Err(
                        self.error(op, "each result has an operand, an initial value and two arguments")
                    );
                }
                let returned = body.ops.last().map_or(0, |o| o.operands.len());
                if returned != pairs {
                    return Err(self.error(op, format!("the body returns {returned} values, not {pairs}")));
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn function(&self, op: &IrOp) -> Result<()> {
        let Some(Attr::Type(Ty::Function(ty))) = op.attr("function_type") else {
            return Err(self.error(op, "the type of a function is a function type"));
        };
        for (name, count) in [("arg_attrs", ty.0.len()), ("res_attrs", ty.1.len())] {
            if let Some(Attr::Array(list)) = op.attr(name)
                && list.len() != count
            {
                return Err(self.error(op, format!("{name} has {} entries, not {count}", list.len())));
            }
        }
        let Some(body) = op.regions.first().filter(|b| !b.ops.is_empty()) else { return Ok(()) };
        let args: Vec<&Ty> = body.args.iter().map(|a| self.ty(*a)).collect();
        if args.len() != ty.0.len() || args.iter().zip(&ty.0).any(|(a, b)| *a != b) {
            return Err(self.error(op, "the arguments have other types than the function"));
        }
        let Some(last) = body.ops.last() else { return Ok(()) };
        let returned: Vec<&Ty> = last.operands.iter().map(|v| self.ty(*v)).collect();
        if returned.len() != ty.1.len() || returned.iter().zip(&ty.1).any(|(a, b)| *a != b) {
            return Err(self.error(last, "the returned values have other types than the function's results"));
        }
        Ok(())
    }

    fn arguments(&self, op: &IrOp, region: &Region, values: &[ValueId]) -> Result<()> {
        if region.args.len() != values.len() {
            let message = format!("a region has {} arguments, not {}", region.args.len(), values.len());
            return Err(self.error(op, message));
        }
        for (i, (arg, value)) in region.args.iter().zip(values).enumerate() {
            if !shapes::compatible(self.ty(*arg), self.ty(*value)) {
                return Err(
                    self.error(op, format!("argument {i} of a region has another type than the operand"))
                );
            }
        }
        Ok(())
    }

    fn returned(&self, op: &IrOp, region: &Region, values: &[ValueId]) -> Result<()> {
        let Some(last) = region.ops.last() else { return Ok(()) };
        if last.operands.len() != values.len() {
            let message = format!("{} values are returned, not {}", last.operands.len(), values.len());
            return Err(self.error(last, message).op(op.name()));
        }
        for (i, (given, value)) in last.operands.iter().zip(values).enumerate() {
            if !shapes::compatible(self.ty(*given), self.ty(*value)) {
                return Err(self
                    .error(last, format!("returned value {i} has another type than the result"))
                    .op(op.name()));
            }
        }
        Ok(())
    }

    fn predicate(&self, op: &IrOp, region: &Region) -> Result<()> {
        let Some(last) = region.ops.last() else { return Ok(()) };
        match &last.operands[..] {
            [only] if shapes::is_predicate(self.ty(*only)) => Ok(()),
            _ => Err(self.error(last, "the region returns one tensor<i1>").op(op.name())),
        }
    }
}

fn is_terminator(op: &IrOp) -> bool {
    matches!(op.name(), "func.return" | "stablehlo.return" | "chlo.return" | "sdy.return")
}

//! Right operands of products that are made of prepared values by loops, over values that lie in panels of columns.
//!
//! `dot(x, f(w)) = reshape(dot(x, f(back(panels(w)))))`: `panels(w)` is `w`, `[.., N]`, as `[N / columns, .., columns]`, and `back` says where its elements are,
//! `[.., N / columns, columns]`. So a device that makes the operand as it multiplies goes through memory in order. All that `f` does is done of values
//! whose last axis is two; where an op of it has no such form, the product stays as it is.

use std::collections::hash_map::Entry;

use jarrah_base::{Result, Type, work};
use jarrah_hlo::ops::{Axes, BroadcastInDim, DotGeneral};
use jarrah_hlo::{Builder, Instr, Op, Operands, Program, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::grouped::is_sum;
/// The columns of a panel, for the right operand of a product of these operands that a loop makes, if the product is faster so.
pub type Columns<'a> = &'a dyn Fn(&DotGeneral, [Type; 2]) -> Option<usize>;

/// The inputs that a value depends on.
#[derive(Clone, PartialEq)]
pub(crate) enum Of {
    /// Nothing.
    Nothing,
    /// Prepared parameters alone.
    Prepared(Vec<usize>),
    /// Others.
    Others,
}

/// The program with products over panels.
pub fn run(program: &Program, of: &[Of], columns: Columns<'_>) -> Result<Program> {
    let mut split = Split {
        program,
        of,
        definitions: program.definitions(),
        parts: FxHashMap::default(),
        direct: FxHashSet::default(),
        forms: FxHashMap::default(),
    };
    let roots = split.roots(columns);
    if roots.is_empty() {
        return Ok(program.clone());
    }
    let mut b = Builder::like(program);
    let mut map: Vec<Value> = program.param_values().collect();
    let mut made: FxHashMap<Value, Value> = FxHashMap::default();
    for &param in map.clone().iter().filter(|v| split.is_part(**v)) {
        let value = split.packed(&mut b, map[param.index()], param)?;
        made.insert(param, value);
    }
    for instr in program.instrs() {
        b.set_source(instr.source);
        let operands: Operands = instr.operands.iter().map(|v| map[v.index()]).collect();
        let first = instr.results().next();
        if let Some(value) = first.filter(|v| roots.contains(v)) {
            let parts = split.emit(&mut b, instr, &operands, &made)?;
            map.push(b.reshape(parts, &program.ty(value).dims())?);
            continue;
        }
        map.extend(b.copy(program, instr, &operands));
        for value in instr.results().filter(|v| split.is_part(*v)) {
            let parts = match of[value.index()] {
                Of::Prepared(_) => split.packed(&mut b, map[value.index()], value)?,
                _ => split.emit(&mut b, instr, &operands, &made)?,
            };
            made.insert(value, parts);
        }
    }
    let results: Vec<Value> = program.results().iter().map(|v| map[v.index()]).collect();
    b.finish(&results)
}

/// Whether the value of `instr` is that of a prepared one brought back from panels.
pub fn is_back(instr: &Instr, before: &Instr) -> bool {
    let (Op::TransposeAxes(back), Op::TransposeAxes(there)) = (&instr.op, &before.op) else { return false };
    instr.operands[0] == before.result()
        && back.permutation.iter().enumerate().all(|(to, &axis)| there.permutation[axis] == to)
}

struct Split<'a> {
    program: &'a Program,
    of: &'a [Of],
    definitions: Vec<Option<usize>>,
    /// The values that are needed with their last axis as two, and the columns of a panel.
    parts: FxHashMap<Value, usize>,
    /// Prepared values that products read as they are: no loop brings them back from panels.
    direct: FxHashSet<Value>,
    /// For so many columns of a panel, which values have such a form.
    forms: FxHashMap<usize, Vec<bool>>,
}

impl Split<'_> {
    /// The products that are computed over panels, or the sums of products in groups.
    fn roots(&mut self, columns: Columns<'_>) -> FxHashSet<Value> {
        let program = self.program;
        let uses = program.use_counts();
        let mut sums: FxHashMap<Value, &Instr> = FxHashMap::default();
        for instr in program.instrs() {
            if let Op::DotGeneral(over) = &instr.op
                && is_sum(over, program.ty(instr.operands[0]).rank())
            {
                sums.insert(instr.operands[0], instr);
            }
        }
        let mut roots = FxHashSet::default();
        for instr in program.instrs() {
            let Op::DotGeneral(dot) = &instr.op else { continue };
            let [lhs, rhs] = [instr.operands[0], instr.operands[1]];
            let types = [lhs, rhs].map(|v| program.ty(v));
            let by_loop = matches!(self.of[lhs.index()], Of::Others)
                && matches!(self.of[rhs.index()], Of::Others)
                && self.definitions[rhs.index()].is_some();
            let last = types[1].rank().checked_sub(1);
            if !by_loop || last.is_none_or(|last| dot.rhs_free(last + 1)[..] != [last]) {
                continue;
            }
            let n = types[1].dim(types[1].rank() - 1);
            let Some(columns) =
                columns(dot, types).filter(|columns| n > *columns && n.is_multiple_of(*columns))
            else {
                continue;
            };
            let product = instr.result();
            let (root, needed) = match sums.get(&product) {
                Some(sum) if uses[product.index()] == 1 => (sum.result(), vec![rhs, sum.operands[1]]),
                Some(_) => continue,
                None => (product, vec![rhs]),
            };
            if self.look(&needed, columns) {
                roots.insert(root);
                if let [_, scales] = needed[..] {
                    self.parts.insert(product, columns);
                    self.direct.insert(self.under(scales));
                }
            }
        }
        roots
    }

    /// The value under the broadcasts and reshapes that make `value`.
    fn under(&self, mut value: Value) -> Value {
        while let Some(at) = self.definitions[value.index()]
            && let instr = &self.program.instrs()[at]
            && let Op::BroadcastInDim(_) | Op::Reshape(_) = &instr.op
            && self.of[value.index()] == Of::Others
        {
            value = instr.operands[0];
        }
        value
    }

    /// Whether the values have a form whose last axis is two; if so, they, and all that it is made of, are needed so.
    fn look(&mut self, values: &[Value], columns: usize) -> bool {
        if !self.forms.contains_key(&columns) {
            let forms = self.forms_of(columns);
            self.forms.insert(columns, forms);
        }
        if !values.iter().all(|v| self.forms[&columns][v.index()]) {
            return false;
        }
        let mut stack = values.to_vec();
        while let Some(value) = stack.pop() {
            if let Entry::Vacant(place) = self.parts.entry(value) {
                place.insert(columns);
                stack.extend(self.read(value, columns).into_iter().flatten());
            }
        }
        true
    }

    /// Whether each value has such a form.
    fn forms_of(&self, columns: usize) -> Vec<bool> {
        let mut forms = Vec::with_capacity(self.program.value_count());
        let count = self.program.value_count();
        for value in self.program.param_values().chain(self.program.instrs().iter().flat_map(Instr::results))
        {
            let read = self.read(value, columns);
            work::step(1 + read.as_ref().map_or(0, Vec::len));
            let form = read.is_some_and(|read| read.iter().all(|v| forms.get(v.index()) == Some(&true)));
            forms.push(form);
        }
        debug_assert_eq!(forms.len(), count);
        forms
    }

    /// The values, in the form whose last axis is two, of which `value` in that form is computed; `None` if it has no such form.
    fn read(&self, value: Value, columns: usize) -> Option<Vec<Value>> {
        let program = self.program;
        let ty = program.ty(value);
        let n = ty.extents().last().filter(|n| n.is_multiple_of(columns))?;
        let of = &self.of[value.index()];
        if let Of::Prepared(_) = of {
            return Some(vec![]);
        }
        let made = || Some(&program.instrs()[self.definitions[value.index()]?]);
        let read = made().and_then(|instr| self.read_by(instr, ty, n));
        // Of what depends on nothing the elements are the same in any form.
        read.or_else(|| (*of == Of::Nothing).then(Vec::new))
    }

    /// As [`read`](Self::read), for a value of type `ty` that `instr` computes, whose last extent is `n`.
    fn read_by(&self, instr: &Instr, ty: Type, n: usize) -> Option<Vec<Value>> {
        let program = self.program;
        let ends = |v: Value| program.ty(v).extents().last();
        match &instr.op {
            op if is_elementwise(op) => {
                let same = |v: &Value| program.ty(*v).extents().eq(ty.extents());
                let scalar = |v: &Value| program.ty(*v).rank() == 0;
                let fits = instr.operands.iter().all(|v| same(v) || scalar(v));
                fits.then(|| instr.operands.iter().copied().filter(|v| !scalar(v)).collect())
            }
            Op::Reshape(_) => (ends(instr.operands[0]) == Some(n)).then(|| vec![instr.operands[0]]),
            Op::BroadcastInDim(op) => match op.axes.last() == Some(&(ty.rank() - 1)) {
                true if ends(instr.operands[0]) == Some(n) => Some(vec![instr.operands[0]]),
                // A column for all stays one.
                true => (ends(instr.operands[0]) == Some(1)).then(Vec::new),
                false => Some(vec![]),
            },
            _ => None,
        }
    }

    /// Whether the form of a value is made of the forms of what it is computed of.
    fn is_made(&self, value: Value, instr: &Instr) -> bool {
        let ty = self.program.ty(value);
        let n = ty.extents().last();
        n.is_some_and(|n| {
            self.read_by(instr, ty, n).is_some_and(|read| read.iter().all(|v| self.is_part(*v)))
        })
    }

    fn is_part(&self, value: Value) -> bool {
        self.parts.contains_key(&value)
    }

    /// The extents of a value with its last axis as two.
    fn dims(&self, value: Value, columns: usize) -> Axes {
        let mut dims: Axes = self.program.ty(value).extents().collect();
        let n = dims.pop().unwrap_or(0);
        dims.extend([n / columns, columns]);
        dims
    }

    /// A prepared value, or a constant, with its last axis as two: from panels, if that is another order.
    fn packed(&self, b: &mut Builder, value: Value, of: Value) -> Result<Value> {
        let dims = self.dims(of, self.parts[&of]);
        let parts = b.reshape(value, &dims)?;
        let prepared = matches!(self.of[of.index()], Of::Prepared(_));
        if !prepared || dims.len() < 3 || self.direct.contains(&of) {
            return Ok(parts);
        }
        let lead = dims.len() - 2;
        let there: Axes = std::iter::once(lead).chain(0..lead).chain([lead + 1]).collect();
        let back: Axes = (1..=lead).chain([0, lead + 1]).collect();
        let panels = b.transpose(parts, &there)?;
        b.transpose(panels, &back)
    }

    /// The value of `instr` with its last axis as two; `operands` are its own, `made` those in that form.
    fn emit(
        &self,
        b: &mut Builder,
        instr: &Instr,
        operands: &[Value],
        made: &FxHashMap<Value, Value>,
    ) -> Result<Value> {
        let value = instr.result();
        let read: Operands = instr
            .operands
            .iter()
            .zip(operands)
            .map(|(v, &own)| made.get(v).copied().unwrap_or(own))
            .collect();
        // A root is the form of what it reads.
        let columns =
            self.parts.get(&value).or_else(|| instr.operands.iter().rev().find_map(|v| self.parts.get(v)));
        let columns = columns.copied().unwrap_or(1);
        match &instr.op {
            Op::DotGeneral(dot) => {
                let mut dot = DotGeneral::clone(dot);
                // The sum of products in groups has columns on both sides.
                if is_sum(&dot, self.program.ty(instr.operands[0]).rank()) {
                    let next = dot.lhs_batch.len() + 1;
                    dot.lhs_batch.push(next);
                    dot.rhs_batch.push(next);
                    return b.one(dot, &read);
                }
                b.one(dot, &[operands[0], read[1]])
            }
            _ if !self.is_made(value, instr) => {
                let own = b.copy(self.program, instr, operands)[0];
                b.reshape(own, &self.dims(value, columns))
            }
            Op::Reshape(_) => b.reshape(read[0], &self.dims(value, columns)),
            Op::BroadcastInDim(op) => {
                let last = self.program.ty(value).rank() - 1;
                let mut axes = op.axes.clone();
                let mut from = read[0];
                if axes.last() == Some(&last)
                    && self.program.ty(instr.operands[0]).extents().last() != Some(1)
                {
                    axes.push(last + 1);
                } else if axes.last() == Some(&last) {
                    axes.pop();
                    let mut dims: Axes = b.ty(operands[0]).extents().collect();
                    dims.pop();
                    from = b.reshape(operands[0], &dims)?;
                } else {
                    from = operands[0];
                }
                b.one(BroadcastInDim { dims: self.dims(value, columns).into_iter().collect(), axes }, &[from])
            }
            op => b.one(op.clone(), &read),
        }
    }
}

/// Whether `op` computes each element of operands alike.
fn is_elementwise(op: &Op) -> bool {
    matches!(
        op,
        Op::Elementwise(_)
            | Op::Compare(_)
            | Op::Select(_)
            | Op::Clamp(_)
            | Op::Convert(_)
            | Op::BitcastConvert(_)
    )
}

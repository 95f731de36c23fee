use jarrah_base::{DType, ElementKind, Error, Result};

use crate::kernel::{Class, DTYPES, Inst, LoopKernel, Map, Reg};
use crate::ops::{Axis, Binary, LoopReducer, Unary};

impl LoopKernel {
    /// Checks the kernel and gives the element type and class of each register.
    ///
    /// # Errors
    /// The first instruction or store that is ill-formed, by its text.
    pub fn verify(&self) -> Result<Vec<(DType, Class)>> {
        let mut types: Vec<(DType, Class)> = Vec::with_capacity(self.body.len());
        for (i, inst) in self.body.iter().enumerate() {
            let ty = self.infer(inst, &types).and_then(|ty| match DTYPES.contains(&ty.0) {
                true => Ok(ty),
                false => Err(format!("loops do not compute {}", ty.0)),
            });
            let ty = ty.map_err(|why| {
                let mut line = String::new();
                self.write_inst(&mut line, i, None).expect("invariant: writing to a string succeeds");
                Error::program(why).op("loop kernel").context(format!("in `{line}`"))
            })?;
            types.push(ty);
        }
        for (i, _) in self.stores.iter().enumerate() {
            self.check_store(i, &types).map_err(|why| {
                let mut line = String::new();
                self.write_store(&mut line, i).expect("invariant: writing to a string succeeds");
                Error::program(why).op("loop kernel").context(format!("in `{line}`"))
            })?;
        }
        Ok(types)
    }

    fn check_map(&self, map: &Map) -> Result<(), String> {
        if map.rows.len() != self.rank() {
            return Err(format!(
                "the map has {} row strides, the loop {} dimensions",
                map.rows.len(),
                self.rank()
            ));
        }
        match self.reach(map) {
            Some((low, _)) if low < 0 => Err(format!("the map reaches element {low}, before the buffer")),
            _ => Ok(()),
        }
    }

    fn reduced_strides_are_zero(&self, map: &Map) -> bool {
        map.rows[self.outer.len()..].iter().all(|&s| s == 0)
    }

    // A table: a row for each instruction.
    fn infer(&self, inst: &Inst, types: &[(DType, Class)]) -> Result<(DType, Class), String> {
        let get = |r: Reg| {
            types
                .get(r.index())
                .copied()
                .ok_or_else(|| format!("%{} is not defined before this instruction", r.0))
        };
        let join = |regs: &[Reg]| {
            regs.iter().try_fold(Class::Scalar, |class, &r| {
                class.join(get(r)?.1).ok_or_else(|| {
                    format!(
                        "%{} is {}, another operand {}: a value of the loop meets one after it",
                        r.0,
                        get(r).map_or("?", |t| t.1.name()),
                        class.name()
                    )
                })
            })
        };
        let same = |regs: &[Reg]| -> Result<DType, String> {
            let first = get(regs[0])?.0;
            for &r in &regs[1..] {
                let other = get(r)?.0;
                if other != first {
                    return Err(format!(
                        "operand types differ: %{} is {first}, %{} is {other}",
                        regs[0].0, r.0
                    ));
                }
            }
            Ok(first)
        };
        match inst {
            Inst::Load { input, map, class } => {
                let dtype = *self.inputs.get(*input).ok_or_else(|| {
                    format!("input {input} does not exist, there are {}", self.inputs.len())
                })?;
                self.check_map(map)?;
                match class {
                    Class::Scalar => return Err("a load is full, row or col".into()),
                    Class::Row if map.col != 0 => return Err("a row load has column stride 0".into()),
                    Class::Col if !self.is_column() => {
                        return Err("col is a class of column reductions".into());
                    }
                    Class::Col if !self.reduced_strides_are_zero(map) => {
                        return Err("a col load has stride 0 along the reduced dimensions".into());
                    }
                    _ => {}
                }
                Ok((dtype, *class))
            }
            Inst::Const(s) => {
                if s.dtype.size() < 8 && s.bits >> (8 * s.dtype.size()) != 0 {
                    return Err(format!("the bits {:#x} do not fit {}", s.bits, s.dtype));
                }
                if s.dtype == DType::Bool && s.bits > 1 {
                    return Err("a bool is 0 or 1".into());
                }
                Ok((s.dtype, Class::Scalar))
            }
            Inst::Iota { axis, dtype, class } => {
                if *dtype == DType::Bool {
                    return Err("an index is a number, not a bool".into());
                }
                let fits = match (*axis, *class) {
                    (Axis::Cols, Class::Full) => true,
                    (Axis::Cols, Class::Col) => self.is_column(),
                    (Axis::Row(d), Class::Row) => d < self.rank(),
                    (Axis::Row(d), Class::Col) => self.is_column() && d < self.outer.len(),
                    _ => false,
                };
                if !fits {
                    return Err(format!("an index along {axis:?} cannot be {}", class.name()));
                }
                Ok((*dtype, *class))
            }
            Inst::Unary(f, x) => {
                let (dtype, class) = get(*x)?;
                if !unary_takes(*f, dtype) {
                    return Err(format!("{f} does not take {dtype}"));
                }
                Ok((if *f == Unary::IsFinite { DType::Bool } else { dtype }, class))
            }
            Inst::Binary(f, x, y) => {
                let dtype = same(&[*x, *y])?;
                if !binary_takes(*f, dtype) {
                    return Err(format!("{f} does not take {dtype}"));
                }
                Ok((dtype, join(&[*x, *y])?))
            }
            Inst::Compare { total, x, y, .. } => {
                let dtype = same(&[*x, *y])?;
                if *total && !dtype.is_float() {
                    return Err(format!("total order compares floats, not {dtype}"));
                }
                Ok((DType::Bool, join(&[*x, *y])?))
            }
            Inst::Select { pred, on_true, on_false } => {
                let p = get(*pred)?.0;
                if p != DType::Bool {
                    return Err(format!("the predicate %{} is {p}, not bool", pred.0));
                }
                Ok((same(&[*on_true, *on_false])?, join(&[*pred, *on_true, *on_false])?))
            }
            Inst::Clamp { low, x, high } => {
                let dtype = same(&[*x, *low, *high])?;
                if dtype == DType::Bool {
                    return Err("clamp does not take bool".into());
                }
                Ok((dtype, join(&[*x, *low, *high])?))
            }
            Inst::Convert(to, x) => Ok((*to, get(*x)?.1)),
            Inst::Bitcast(to, x) => {
                let (from, class) = get(*x)?;
                if from.size() != to.size() || (from == DType::Bool) != (*to == DType::Bool) {
                    return Err(format!("the bits of {from} are not those of a {to}"));
                }
                Ok((*to, class))
            }
            Inst::Reduce(f, x) => {
                let (dtype, class) = get(*x)?;
                if !reducer_takes(*f, dtype) {
                    return Err(format!("reduce with {f} does not take {dtype}"));
                }
                if class == Class::Col {
                    return Err(format!("%{} is reduced already", x.0));
                }
                Ok((dtype, if self.is_column() { Class::Col } else { Class::Row }))
            }
            Inst::ArgReduce { x, .. } => {
                self.rows_only("argmax and argmin")?;
                if get(*x)?.0 == DType::Bool {
                    return Err("argmax and argmin do not take bool".into());
                }
                if i32::try_from(self.cols).is_err() || self.cols == 0 {
                    return Err(format!("{} columns have no i32 index", self.cols));
                }
                Ok((DType::I32, Class::Row))
            }
            Inst::Pick { x, index } => {
                self.rows_only("pick")?;
                let (dtype, class) = get(*index)?;
                if !dtype.is_integer() || class == Class::Full {
                    return Err(format!(
                        "the index %{} is {} {dtype}, not one integer per row",
                        index.0,
                        class.name()
                    ));
                }
                if self.cols == 0 {
                    return Err("a row without columns has nothing to pick".into());
                }
                Ok((get(*x)?.0, Class::Row))
            }
            Inst::Threefry { key, count } => {
                let regs = [key[0], key[1], count[0], count[1]];
                let dtype = same(&regs)?;
                if dtype != DType::U32 {
                    return Err(format!("threefry2x32 takes u32, not {dtype}"));
                }
                Ok((dtype, join(&regs)?))
            }
            Inst::Word1(x) => {
                let ty = get(*x)?;
                match self.body[x.index()] {
                    Inst::Threefry { .. } => Ok(ty),
                    _ => Err(format!("%{} is no threefry2x32", x.0)),
                }
            }
        }
    }

    fn rows_only(&self, what: &str) -> Result<(), String> {
        if self.is_column() { Err(format!("{what}: only row kernels fold columns")) } else { Ok(()) }
    }

    fn check_store(&self, i: usize, types: &[(DType, Class)]) -> Result<(), String> {
        let store = &self.stores[i];
        let want = *self.outputs.get(store.output).ok_or_else(|| {
            format!("output {} does not exist, there are {}", store.output, self.outputs.len())
        })?;
        let (dtype, class) =
            *types.get(store.value.index()).ok_or_else(|| format!("%{} is not defined", store.value.0))?;
        if dtype != want {
            return Err(format!("output {} is {want}, %{} is {dtype}", store.output, store.value.0));
        }
        self.check_map(&store.map)?;
        if self.is_column() {
            if !matches!(class, Class::Col | Class::Scalar) {
                return Err(format!(
                    "%{} is {}: only values after the reduction are stored",
                    store.value.0,
                    class.name()
                ));
            }
            if !self.reduced_strides_are_zero(&store.map) {
                return Err("a store has stride 0 along the reduced dimensions".into());
            }
        }
        let varies = matches!(class, Class::Full | Class::Col);
        if store.map.col == 0 && varies && self.cols > 1 {
            return Err(format!(
                "{} columns of %{} would be written to one element",
                self.cols, store.value.0
            ));
        }
        for (d, (&stride, &extent)) in store.map.rows.iter().zip(&self.outer).enumerate() {
            if stride == 0 && extent > 1 && !(varies && self.cols == 0) {
                return Err(format!("the {extent} rows of dimension {d} would be written to one element"));
            }
        }
        Ok(())
    }
}

fn unary_takes(f: Unary, dtype: DType) -> bool {
    let kind = dtype.kind();
    match f {
        Unary::Abs | Unary::Sign => {
            matches!(kind, ElementKind::Signed | ElementKind::Unsigned | ElementKind::Float)
        }
        Unary::Negate => kind != ElementKind::Bool,
        Unary::Not => !dtype.is_float(),
        Unary::Popcnt | Unary::CountLeadingZeros => dtype.is_integer(),
        _ => dtype.is_float(),
    }
}

fn binary_takes(f: Binary, dtype: DType) -> bool {
    let (int, float) = (dtype.is_integer(), dtype.is_float());
    match f {
        Binary::Subtract | Binary::Divide | Binary::Remainder | Binary::Power => int || float,
        // On truth values StableHLO's add is `or`, multiply is `and`.
        Binary::Add | Binary::Multiply | Binary::Maximum | Binary::Minimum => true,
        Binary::And | Binary::Or | Binary::Xor => !float,
        Binary::ShiftLeft | Binary::ShiftRightArithmetic | Binary::ShiftRightLogical => int,
        Binary::Atan2 => float,
    }
}

fn reducer_takes(f: LoopReducer, dtype: DType) -> bool {
    match f {
        LoopReducer::And | LoopReducer::Or | LoopReducer::Xor => !dtype.is_float(),
        _ => true,
    }
}

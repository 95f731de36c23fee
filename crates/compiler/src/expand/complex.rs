use jarrah_base::{DType, Error, Literal, Result, Type, c128};
use smallvec::{SmallVec, smallvec};

use jarrah_hlo::Op;
use jarrah_hlo::ProgramRef;
use jarrah_hlo::ops::{
    Axes, BitcastConvert, Comparison, Complex, ConvAxes, Convolution, ElementwiseKind, Imag, Real, Reduce,
    ReduceWindow, Reducer, Scatter, Sort, SortOrder, Update,
};
use jarrah_hlo::{Builder, Results};
use jarrah_hlo::{Program, Value};
use jarrah_tile::{has_parts, parts};

/// Makes the program over parts of a program over complex numbers.
type Halve<'a> = dyn FnMut(&ProgramRef) -> Result<ProgramRef> + 'a;

/// Whether [`over_parts`] has a definition of `op`, for operands of these types.
pub fn has_real_definition(op: &Op, operands: &[Type]) -> bool {
    let Some(widest) =
        operands.iter().map(|ty| ty.dtype()).filter(|d| d.is_complex()).max_by_key(|d| d.size())
    else {
        return false;
    };
    match op {
        Op::Convolution(op) => op.out.is_complex(),
        // Elements of sixteen bytes.
        Op::Gather(_) => widest.size() > 8,
        Op::Reduce(op) => is_defined(&op.reducer),
        Op::ReduceWindow(op) => match &op.reducer {
            Reducer::Mul | Reducer::Max | Reducer::Min => {
                // A program combines the elements of every window from the first one on, and places of padding like
                // elements: a product changes where these come behind an element.
                let Ok(along) = op.window.cumulative(&operands[0].dims()) else { return false };
                let in_front = (op.window.is_unpadded() || along.is_some())
                    && op.window.high.iter().all(|&high| high <= 0);
                along.is_none_or(|along| !along.from_end) && (in_front || !matches!(op.reducer, Reducer::Mul))
            }
            reducer => is_defined(reducer),
        },
        Op::Scatter(op) => match &op.update {
            Update::Assign => true,
            Update::Reduce(reducer) => is_defined(reducer),
        },
        Op::Sort(op) => match &op.order {
            SortOrder::Ascending { .. } | SortOrder::Descending { .. } => true,
            SortOrder::General(before) => is_in_parts(before),
        },
        _ => false,
    }
}

fn is_defined(reducer: &Reducer) -> bool {
    match reducer {
        Reducer::Add
        | Reducer::Mul
        | Reducer::Max
        | Reducer::Min
        | Reducer::ArgMax(_)
        | Reducer::ArgMin(_) => true,
        Reducer::And | Reducer::Or | Reducer::Xor => false,
        Reducer::General(body) => is_in_parts(body),
    }
}

/// Whether each op of `body` over complex numbers has a definition over their parts.
fn is_in_parts(body: &Program) -> bool {
    let is_complex = |v: Value| body.ty(v).dtype().is_complex();
    body.instrs().iter().all(|instr| {
        !instr.operands.iter().copied().chain(instr.results()).any(is_complex) || has_parts(&instr.op)
    })
}

/// The definition over real numbers of an op over complex ones, with the same bits; `None` where there is none.
/// `halve` makes [`parts`] of the programs of ops.
///
/// # Errors
/// As [`Builder::push`].
pub fn over_parts(
    b: &mut Builder,
    op: &Op,
    operands: &[Value],
    halve: &mut Halve<'_>,
) -> Result<Option<Results>> {
    let types = b.types(operands);
    if !has_real_definition(op, &types) {
        return Ok(None);
    }
    let one = |value: Value| -> Result<Option<Results>> { Ok(Some(smallvec![value])) };
    match op {
        Op::Convolution(op) => one(convolution(b, op, [operands[0], operands[1]])?),
        Op::Reduce(op) => reduce(b, op, operands, halve).map(Some),
        Op::ReduceWindow(reduce) => match &reduce.reducer {
            Reducer::Max | Reducer::Min | Reducer::Mul => {
                // Products are in doubles, rounded once.
                let narrow = types[0].dtype();
                let dtype = if reduce.reducer == Reducer::Mul { DType::C128 } else { narrow };
                let numbers = b.convert(operands[0], dtype)?;
                let initial = b.constant(reduce.reducer.identity(dtype)?)?;
                let body = combining(&reduce.reducer, dtype)?;
                let general =
                    ReduceWindow { reducer: Reducer::General(halve(&body)?), ..reduce.as_ref().clone() };
                let types = [types[0].with_dtype(dtype)];
                let windows = by_program(b, general.into(), &[numbers, initial], &types)?;
                one(b.convert(windows[0], narrow)?)
            }
            Reducer::General(body) => {
                let general =
                    ReduceWindow { reducer: Reducer::General(halve(body)?), ..reduce.as_ref().clone() };
                by_program(b, general.into(), operands, &types[..operands.len() / 2]).map(Some)
            }
            _ => each_part(b, op, operands).map(Some),
        },
        Op::Scatter(scatter) => {
            let body = match &scatter.update {
                Update::Reduce(Reducer::General(body)) => body.clone(),
                Update::Reduce(reducer) if !matches!(reducer, Reducer::Add) => {
                    combining(reducer, types[0].dtype())?
                }
                _ => return each_part(b, op, operands).map(Some),
            };
            let update = Update::Reduce(Reducer::General(halve(&body)?));
            let general = Scatter { update, ..scatter.as_ref().clone() };
            by_program(b, general.into(), operands, &types[..operands.len() / 2]).map(Some)
        }
        Op::Gather(_) => each_part(b, op, operands).map(Some),
        Op::Sort(op) => sort(b, op, operands, halve).map(Some),
        _ => Ok(None),
    }
}

fn part_type(ty: Type) -> Type {
    ty.with_dtype(ty.dtype().real())
}

/// The parts of each complex operand, and the others.
fn split(b: &mut Builder, operands: &[Value]) -> Result<SmallVec<[Value; 8]>> {
    let mut all = SmallVec::new();
    for &operand in operands {
        if b.ty(operand).dtype().is_complex() {
            all.extend([b.one(Real, &[operand])?, b.one(Imag, &[operand])?]);
        } else {
            all.push(operand);
        }
    }
    Ok(all)
}

/// The values of which `parts` are the parts: complex ones where `types` are.
fn joined(b: &mut Builder, types: &[Type], parts: &[Value]) -> Result<Results> {
    let mut parts = parts.iter().copied();
    let mut next = || parts.next().ok_or_else(|| Error::internal("a part is missing"));
    let mut whole = Results::new();
    for ty in types {
        whole.push(if ty.dtype().is_complex() { b.one(Complex, &[next()?, next()?])? } else { next()? });
    }
    Ok(whole)
}

/// An op with a program over parts, whose results have the element types of `types`.
fn by_program(b: &mut Builder, op: Op, operands: &[Value], types: &[Type]) -> Result<Results> {
    let operands = split(b, operands)?;
    let results = b.push(op, &operands)?;
    joined(b, types, &results)
}

/// An op with one complex result that is what it does to the real parts and to the imaginary ones.
fn each_part(b: &mut Builder, op: &Op, operands: &[Value]) -> Result<Results> {
    let mut apart: [SmallVec<[Value; 4]>; 2] = Default::default();
    for &operand in operands {
        if b.ty(operand).dtype().is_complex() {
            apart[0].push(b.one(Real, &[operand])?);
            apart[1].push(b.one(Imag, &[operand])?);
        } else {
            apart.iter_mut().for_each(|operands| operands.push(operand));
        }
    }
    let parts = [b.one(op.clone(), &apart[0])?, b.one(op.clone(), &apart[1])?];
    Ok(smallvec![b.one(Complex, &parts)?])
}

/// The program of scalars that combines two complex numbers as `reducer` does.
fn combining(reducer: &Reducer, dtype: DType) -> Result<ProgramRef> {
    let kind = reducer.elementwise().ok_or_else(|| Error::internal("positions are no values"))?;
    let mut b = Builder::new(kind.name());
    let [z, w] = [(); 2].map(|()| b.param(Type::scalar(dtype), ""));
    let value = b.binary(kind, z, w)?;
    Ok(b.finish(&[value])?.into())
}

fn reduce(b: &mut Builder, op: &Reduce, operands: &[Value], halve: &mut Halve<'_>) -> Result<Results> {
    let ty = b.ty(operands[0]);
    let dtype = ty.dtype();
    let general = |body: ProgramRef| Reduce { reducer: Reducer::General(body), axes: op.axes.clone() };
    match &op.reducer {
        Reducer::General(body) => {
            let types = b.types(&operands[..operands.len() / 2]);
            by_program(b, general(halve(body)?).into(), operands, &types)
        }
        Reducer::Mul => {
            // In doubles, rounded once.
            let wide = DType::C128;
            let numbers = b.convert(operands[0], wide)?;
            let initial = b.constant(op.reducer.identity(wide)?)?;
            let body = halve(&combining(&op.reducer, wide)?)?;
            let types = [ty.with_dtype(wide)];
            let product = by_program(b, general(body).into(), &[numbers, initial], &types)?;
            Ok(smallvec![b.convert(product[0], dtype)?])
        }
        Reducer::Max | Reducer::Min => {
            let initial = b.constant(op.reducer.identity(dtype)?)?;
            let body = halve(&combining(&op.reducer, dtype)?)?;
            by_program(b, general(body).into(), &[operands[0], initial], &[ty])
        }
        Reducer::ArgMax(to) | Reducer::ArgMin(to) => {
            let largest = matches!(op.reducer, Reducer::ArgMax(_));
            let axis = *op.axes.first().ok_or_else(|| Error::internal("positions along no axis"))?;
            let index = ty.with_dtype(*to);
            let positions = b.iota(index, axis)?;
            let worst = if largest { f64::NEG_INFINITY } else { f64::INFINITY };
            let worst = b.constant(Literal::full_c128(Type::scalar(dtype), c128::new(worst, worst))?)?;
            let first = b.constant(Literal::zeros(Type::scalar(*to))?)?;
            let body = halve(&better(dtype, *to, largest)?)?;
            let all = [operands[0], positions, worst, first];
            let results = by_program(b, general(body).into(), &all, &[ty, index])?;
            Ok(smallvec![results[1]])
        }
        _ => each_part(b, &op.clone().into(), operands),
    }
}

/// Of two numbers and their positions the one that is better, the first where none is: a NaN is better than any number.
fn better(dtype: DType, to: DType, largest: bool) -> Result<ProgramRef> {
    let mut b = Builder::new("better");
    let [z, i, w, j] = [dtype, to, dtype, to].map(|dtype| b.param(Type::scalar(dtype), ""));
    let wanted = if largest { Comparison::Gt } else { Comparison::Lt };
    let beats = b.compare(wanted, w, z)?;
    let [was, is] = [b.compare(Comparison::Ne, z, z)?, b.compare(Comparison::Ne, w, w)?];
    let was = b.unary(ElementwiseKind::Not, was)?;
    let new = b.binary(ElementwiseKind::And, is, was)?;
    let beats = b.binary(ElementwiseKind::Or, beats, new)?;
    let value = b.select(beats, w, z)?;
    let position = b.select(beats, j, i)?;
    Ok(b.finish(&[value, position])?.into())
}

/// Lines of complex numbers are sorted by two keys, the parts, both NaN where one is.
fn sort(b: &mut Builder, op: &Sort, operands: &[Value], halve: &mut Halve<'_>) -> Result<Results> {
    let types = b.types(operands);
    let is_complex = |ty: &Type| ty.dtype().is_complex();
    let keys = match &op.order {
        SortOrder::Ascending { keys } | SortOrder::Descending { keys } => *keys,
        SortOrder::General(before) => {
            let before = halve(before)?;
            let order = SortOrder::General(in_turn(&before, &types)?.into());
            return by_program(b, Sort { order, ..op.clone() }.into(), operands, &types);
        }
    };
    // The keys, then the parts of complex ones, then what is sorted along.
    let mut all: SmallVec<[Value; 8]> = SmallVec::new();
    let mut passengers: SmallVec<[Value; 8]> = SmallVec::new();
    // Where each operand's first result is.
    let mut places: SmallVec<[(bool, usize); 4]> = SmallVec::new();
    for (i, (&operand, ty)) in operands.iter().zip(&types).enumerate() {
        if i < keys && !is_complex(ty) {
            places.push((true, all.len()));
            all.push(operand);
            continue;
        }
        places.push((false, passengers.len()));
        let parts = split(b, &[operand])?;
        passengers.extend(parts.iter().copied());
        if i < keys {
            let nan = b.compare(Comparison::Ne, operand, operand)?;
            let no_number = b.full(part_type(*ty), f64::NAN)?;
            for part in parts {
                all.push(b.select(nan, no_number, part)?);
            }
        }
    }
    let count = all.len();
    all.extend(passengers);
    let order = match op.order {
        SortOrder::Descending { .. } => SortOrder::Descending { keys: count },
        _ => SortOrder::Ascending { keys: count },
    };
    let sorted = b.push(Sort { order, ..op.clone() }, &all)?;
    let mut results = Results::new();
    for (ty, (is_key, at)) in types.iter().zip(places) {
        let at = if is_key { at } else { count + at };
        results.extend(joined(b, &[*ty], &sorted[at..])?);
    }
    Ok(results)
}

/// An order of pairs of numbers over parts, `re a, im a, re b, im b`, with the parameters of an order of pairs of
/// parts, `re a, re b, im a, im b`.
fn in_turn(before: &Program, operands: &[Type]) -> Result<Program> {
    let mut b = Builder::new(before.name());
    let mut arguments: Vec<Value> = Vec::new();
    for ty in operands {
        let part = Type::scalar(ty.dtype().real());
        let mut pair = || [b.param(part, ""), b.param(part, "")];
        if ty.dtype().is_complex() {
            let ([x, u], [y, v]) = (pair(), pair());
            arguments.extend([x, y, u, v]);
        } else {
            arguments.extend(pair());
        }
    }
    let results = b.inline(before, &arguments)?;
    b.finish(&results)
}

/// `[z, i z]` along a new axis, 1 being the place of the axis among those of `z`.
fn turned(b: &mut Builder, z: Value, axis: usize) -> Result<Value> {
    let ty = b.ty(z);
    let (re, im) = (b.one(Real, &[z])?, b.one(Imag, &[z])?);
    let im = b.neg(im)?;
    let turned = b.one(Complex, &[im, re])?;
    let mut dims = ty.dims();
    dims.insert(axis, 2);
    let axes: Axes = (0..=ty.rank()).filter(|&a| a != axis).collect();
    let index = b.iota(Type::tensor(DType::I32, dims.iter().copied()), axis)?;
    let zero = b.zeros_like(index)?;
    let first = b.compare(Comparison::Eq, index, zero)?;
    let [z, turned] = [b.broadcast_in_dim(z, &dims, &axes)?, b.broadcast_in_dim(turned, &dims, &axes)?];
    b.select(first, z, turned)
}

fn parts_last(b: &mut Builder, z: Value) -> Result<Value> {
    let to = b.ty(z).dtype().real();
    b.one(BitcastConvert { to }, &[z])
}

/// The real convolution in which each feature of the left side is two, its parts, and so is each feature of the result.
fn convolution(b: &mut Builder, op: &Convolution, [lhs, rhs]: [Value; 2]) -> Result<Value> {
    // Axes in the order batch, spatial, features; input features and output features of a kernel come last.
    let order = |axes: &ConvAxes| -> Axes {
        [axes.batch].into_iter().chain(axes.spatial.iter().copied()).chain([axes.feature]).collect()
    };
    let spatial = op.lhs_axes.spatial.len();
    let last = |b: &mut Builder, x: Value, axes: &[usize]| -> Result<Value> {
        // The last axis, and those that are named, are one each with the axis before.
        let mut dims = b.ty(x).dims();
        for &axis in axes {
            let extent = dims.remove(axis);
            dims[axis - 1] *= extent;
        }
        b.reshape(x, &dims)
    };
    let lhs = b.transpose(lhs, &order(&op.lhs_axes))?;
    let lhs = parts_last(b, lhs)?;
    let lhs = last(b, lhs, &[spatial + 2])?;
    let kernel_order: Axes =
        op.rhs_axes.spatial.iter().copied().chain([op.rhs_axes.feature, op.rhs_axes.batch]).collect();
    let rhs = b.transpose(rhs, &kernel_order)?;
    let rhs = turned(b, rhs, spatial + 1)?;
    let rhs = parts_last(b, rhs)?;
    let rhs = last(b, rhs, &[spatial + 3, spatial + 1])?;
    let real = Convolution {
        lhs_axes: ConvAxes::channels_last(spatial),
        rhs_axes: ConvAxes::kernel_last(spatial),
        out_axes: ConvAxes::channels_last(spatial),
        out: op.out.real(),
        ..op.clone()
    };
    let parts = b.one(real, &[lhs, rhs])?;
    let mut dims = b.ty(parts).dims();
    dims[spatial + 1] /= 2;
    dims.push(2);
    let parts = b.reshape(parts, &dims)?;
    let result = b.one(BitcastConvert { to: op.out }, &[parts])?;
    let mut back: Axes = smallvec![0; spatial + 2];
    for (position, axis) in order(&op.out_axes).into_iter().enumerate() {
        back[axis] = position;
    }
    b.transpose(result, &back)
}

/// [`parts`] of a program that [`has_real_definition`] looked at.
///
/// # Errors
/// It has none, or as [`Builder::push`].
pub fn halved(program: &Program) -> Result<Program> {
    let made = parts(program)?.ok_or_else(|| Error::internal("a program without one over parts"))?;
    Ok(made.program)
}

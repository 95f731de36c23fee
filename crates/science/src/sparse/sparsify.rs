//! Functions of dense arrays, applied to sparse ones.

use jarrah_array::library::{apply_at, fail_at, record, with_context};
use jarrah_array::numpy::concatenate;
use jarrah_array::{Array, Function, lax, scan_length, scan_length_reverse, switch, where_, while_loop};
use jarrah_base::{DType, Error, Location};
use jarrah_hlo::ops::{BroadcastInDim, Case, DotGeneral, Elementwise, ElementwiseKind, Reducer, Scan, While};
use jarrah_hlo::{Instr, Op, Program};
use jarrah_tree::Tree;

use super::Bcoo;
use crate::relay;

/// An array that is dense or sparse: what a sparsified function takes and returns.
#[derive(Clone, Debug, Tree)]
pub enum MaybeSparse {
    /// A dense array.
    Dense(Array),
    /// A sparse array.
    Sparse(Bcoo),
}

impl MaybeSparse {
    /// The array with all its elements.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::sparse::{Bcoo, MaybeSparse};
    /// let x = Array::from_slice(&[0.0f32, 2.0]);
    /// for same in [MaybeSparse::Dense(x.clone()), MaybeSparse::Sparse(Bcoo::from_dense(&x, 1))] {
    ///     assert_eq!(same.to_dense().to_vec::<f32>()?, [0.0, 2.0]);
    /// }
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn to_dense(&self) -> Array {
        match self {
            MaybeSparse::Dense(x) => x.clone(),
            MaybeSparse::Sparse(x) => x.to_dense(),
        }
    }
}

impl From<&Array> for MaybeSparse {
    fn from(x: &Array) -> Self {
        MaybeSparse::Dense(x.clone())
    }
}

impl From<&Bcoo> for MaybeSparse {
    fn from(x: &Bcoo) -> Self {
        MaybeSparse::Sparse(x.clone())
    }
}

/// `f`, a function of dense arrays, on arrays of which some are sparse: what is zero by its position is not computed.
///
/// `f` is traced, and each of its operations applied to the sparse arrays: functions with `f(0) = 0` element by element,
/// sums and products with dense and sparse arrays, products of matrices, sums along axes, transposes, slices, reshapes,
/// concatenations, and loops and branches of these. A result is sparse where an operation gives a sparse one; `x + y` of a sparse
/// and a dense array is dense.
///
/// # Errors
///
/// A program error at the line of an operation that has no rule for sparse arrays, such as `cos`, which is 1 at 0.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_science::sparse::{Bcoo, MaybeSparse, sparsify};
/// let f = sparsify(|x: &Vec<Array>| vec![(&x[0] * 2.0).sin().matmul(&x[1]), x[0].sum(0)]);
/// let m = Bcoo::from_dense(&Array::new(&[0.0f32, 0.5, 0.0, 0.0], &[2, 2]), 1);
/// let results = f(&vec![MaybeSparse::from(&m), MaybeSparse::from(&Array::ones(&[2]))]);
/// assert_eq!(results[0].to_dense().to_vec::<f32>()?, [1f32.sin(), 0.0]);
/// assert!(matches!(&results[1], MaybeSparse::Sparse(sums) if sums.nse() == 1));
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: `jax.experimental.sparse.sparsify`.
#[track_caller]
pub fn sparsify(
    f: impl Function<Vec<Array>, Output = Vec<Array>>,
) -> impl Fn(&Vec<MaybeSparse>) -> Vec<MaybeSparse> {
    let made = Location::caller();
    move |args| {
        let abstracted = |arg: &MaybeSparse| match arg {
            MaybeSparse::Dense(x) => Array::abstracted(x.ty()),
            MaybeSparse::Sparse(x) => Array::abstracted(x.data().ty().with_dims(x.shape().to_vec())),
        };
        let like: Vec<Array> = args.iter().map(abstracted).collect();
        let held = args.iter().map(|arg| match arg {
            MaybeSparse::Dense(x) => Held::Dense(x.clone()),
            MaybeSparse::Sparse(x) => Held::Sparse(x.clone()),
        });
        relay(made, || {
            let (program, captures) = record("sparsify", made, &like, |args: &Vec<Array>| f.apply(args));
            let held: Vec<Held> = held.chain(captures.iter().cloned().map(Held::Dense)).collect();
            run(&program, &held, made).into_iter().map(Held::into_result).collect()
        })
    }
}

/// A value of the program.
#[derive(Clone)]
enum Held {
    Dense(Array),
    /// An array whose axes of extent one are spread to these extents: most of a number for every element is never read.
    Spread(Array, Vec<usize>),
    Sparse(Bcoo),
}

impl Held {
    fn dense(&self) -> Array {
        match self {
            Held::Dense(x) => x.clone(),
            Held::Spread(x, extents) => x.broadcast_to(extents),
            Held::Sparse(x) => x.to_dense(),
        }
    }

    /// The array, which broadcasts to the extents of the value.
    fn thin(&self) -> Array {
        match self {
            Held::Spread(x, _) => x.clone(),
            other => other.dense(),
        }
    }

    fn into_result(self) -> MaybeSparse {
        match self {
            Held::Sparse(x) => MaybeSparse::Sparse(x),
            other => MaybeSparse::Dense(other.dense()),
        }
    }

    fn from_result(x: &MaybeSparse) -> Held {
        match x {
            MaybeSparse::Dense(x) => Held::Dense(x.clone()),
            MaybeSparse::Sparse(x) => Held::Sparse(x.clone()),
        }
    }
}

/// The results of a program, operation by operation.
fn run(program: &Program, args: &[Held], made: Location) -> Vec<Held> {
    let mut values: Vec<Held> = args.to_vec();
    for instr in program.instrs() {
        let operands: Vec<&Held> = instr.operands.iter().map(|value| &values[value.index()]).collect();
        let at = instr.source.location.unwrap_or(made);
        let results = apply(instr, &operands, at);
        values.extend(results);
    }
    program.results().iter().map(|value| values[value.index()].clone()).collect()
}

fn apply(instr: &Instr, operands: &[&Held], at: Location) -> Vec<Held> {
    if let Some(callee) = instr.op.callee() {
        let args: Vec<Held> = operands.iter().map(|&held| held.clone()).collect();
        return run(callee, &args, at);
    }
    match &instr.op {
        Op::BroadcastInDim(op) if !matches!(operands[0], Held::Sparse(_)) => {
            return vec![spread(op, operands[0])];
        }
        Op::Scan(op) => return scan(op, operands, at),
        Op::While(op) => return repeat(op, operands, at),
        Op::Case(op) => return choose(op, operands, at),
        _ => {}
    }
    if !operands.iter().any(|held| matches!(held, Held::Sparse(_))) {
        let dense: Vec<Array> = operands.iter().map(|held| held.dense()).collect();
        let results = apply_at(at, instr.op.clone(), &dense.iter().collect::<Vec<_>>());
        return results.into_iter().map(Held::Dense).collect();
    }
    match rule(&instr.op, operands) {
        Some(result) => vec![result],
        None => {
            let error = Error::program("there is no rule for sparse arrays");
            let help = "only what is zero at zero, and what moves, adds and multiplies, keeps an array sparse: apply the rest \
                        to x.to_dense() outside";
            fail_at(at, with_context(error.op(instr.op.called()).help(help)))
        }
    }
}

/// The result of an operation on operands of which one is sparse; none if there is no rule.
fn rule(op: &Op, operands: &[&Held]) -> Option<Held> {
    let sparse = match (op, operands) {
        (Op::Elementwise(op), [Held::Sparse(x)]) => unary(op.kind, x)?,
        (Op::Elementwise(op), [x, y]) => return binary(op.kind, x, y),
        (Op::DotGeneral(op), [x, y]) => return product(op, x, y).map(Held::Dense),
        (Op::Convert(op), [Held::Sparse(x)]) => {
            let x = if op.to.is_differentiable() { x.clone() } else { x.sum_duplicates(x.nse()) };
            x.with_data(&x.data().astype(op.to))
        }
        (Op::Real(_), [Held::Sparse(x)]) => x.with_data(&x.data().real()),
        (Op::Imag(_), [Held::Sparse(x)]) => x.with_data(&x.data().imag()),
        (Op::TransposeAxes(op), [Held::Sparse(x)]) => {
            x.transpose(&op.permutation.iter().map(|&axis| axis as isize).collect::<Vec<_>>())
        }
        (Op::Reshape(op), [Held::Sparse(x)]) => x.reshape(&op.dims),
        (Op::Slice(op), [Held::Sparse(x)]) if op.strides.iter().all(|&stride| stride == 1) => {
            let ranges = op.starts.iter().zip(&op.limits).enumerate();
            ranges.fold(x.clone(), |x, (axis, (&from, &to))| x.slice(axis as isize, from..to))
        }
        (Op::Reduce(op), [Held::Sparse(x), ..]) if op.reducer == Reducer::Add => {
            let axes: Vec<isize> = op.axes.iter().map(|&axis| axis as isize).collect();
            let sums = x.sum(&axes[..]);
            return Some(if sums.shape().is_empty() {
                Held::Dense(sums.to_dense())
            } else {
                Held::Sparse(sums)
            });
        }
        (Op::Concatenate(op), parts) => joined(op.axis, parts)?,
        (Op::OptimizationBarrier(_) | Op::CheckpointName(_), [Held::Sparse(x)]) => x.clone(),
        _ => return None,
    };
    Some(Held::Sparse(sparse))
}

/// A function of each element that is zero at zero.
fn unary(kind: ElementwiseKind, x: &Bcoo) -> Option<Bcoo> {
    use ElementwiseKind as Kind;
    let x = match kind {
        Kind::Negate | Kind::Conj => x.clone(),
        Kind::Abs
        | Kind::Sign
        | Kind::Floor
        | Kind::Ceil
        | Kind::RoundNearestEven
        | Kind::RoundNearestAfz
        | Kind::ExponentialMinusOne
        | Kind::LogPlusOne
        | Kind::Tanh
        | Kind::Sqrt
        | Kind::Cbrt
        | Kind::Sine
        | Kind::Tan
        | Kind::Asin
        | Kind::Atan
        | Kind::Sinh
        | Kind::Asinh
        | Kind::Atanh
        | Kind::Square
        | Kind::Erf
        | Kind::ErfInv
        | Kind::BesselI1e => {
            // No function of a sum is the sum of the functions.
            x.sum_duplicates(x.nse())
        }
        _ => return None,
    };
    Some(x.with_data(&lax::apply_op(Elementwise { kind }, &[x.data()]).swap_remove(0)))
}

fn binary(kind: ElementwiseKind, x: &Held, y: &Held) -> Option<Held> {
    use ElementwiseKind as Kind;
    Some(match (kind, x, y) {
        (Kind::Multiply, Held::Sparse(x), y) => Held::Sparse(x * y.thin()),
        (Kind::Multiply, x, Held::Sparse(y)) => Held::Sparse(y * x.thin()),
        // What is not there stays zero, also over zero.
        (Kind::Divide, Held::Sparse(x), y @ (Held::Dense(_) | Held::Spread(..)))
            if x.dtype().is_differentiable() =>
        {
            Held::Sparse(x.with_data(&(x.data() / x.beside(&y.thin()))))
        }
        (Kind::Add, Held::Sparse(x), Held::Sparse(y)) if x.sparse_axes() == y.sparse_axes() => {
            Held::Sparse(x + y)
        }
        (Kind::Subtract, Held::Sparse(x), Held::Sparse(y)) if x.sparse_axes() == y.sparse_axes() => {
            Held::Sparse(x - y)
        }
        (Kind::Add, x, y) => Held::Dense(x.dense() + y.dense()),
        (Kind::Subtract, x, y) => Held::Dense(x.dense() - y.dense()),
        _ => return None,
    })
}

/// The product of a matrix with two sparse axes and a dense array, along one axis of each.
fn product(op: &DotGeneral, x: &Held, y: &Held) -> Option<Array> {
    let ([], [], [left], [right]) =
        (&op.lhs_batch[..], &op.rhs_batch[..], &op.lhs_contract[..], &op.rhs_contract[..])
    else {
        return None;
    };
    let (left, right) = (*left as isize, *right as isize);
    let product = match (x, y) {
        (Held::Sparse(m), y) if m.sparse_axes() == 2 && m.shape().len() == 2 => {
            let m = if left == 1 { m.clone() } else { m.t() };
            let y = y.dense().moveaxis(right, 0);
            let rest = y.shape()[1..].to_vec();
            let columns = y.reshape(&[y.shape()[0], rest.iter().product()]);
            m.matmul(&columns).reshape(&[&m.shape()[..1], &rest].concat())
        }
        (x, Held::Sparse(m)) if m.sparse_axes() == 2 && m.shape().len() == 2 => {
            let m = if right == 0 { m.clone() } else { m.t() };
            let x = x.dense().moveaxis(left, -1);
            let rest = x.shape()[..x.rank() - 1].to_vec();
            let rows = x.reshape(&[rest.iter().product(), m.shape()[0]]);
            m.rmatmul(&rows).reshape(&[&rest, &m.shape()[1..]].concat())
        }
        _ => return None,
    };
    Some(product.astype(op.out))
}

/// Sparse arrays one after another along a sparse axis.
fn joined(axis: usize, parts: &[&Held]) -> Option<Bcoo> {
    let mut sparse = Vec::with_capacity(parts.len());
    for part in parts {
        let Held::Sparse(part) = part else { return None };
        sparse.push(part);
    }
    let first = sparse.first()?;
    let axes = first.sparse_axes();
    if axis >= axes || sparse.iter().any(|part| part.sparse_axes() != axes) {
        return None;
    }
    let mut shape = first.shape().to_vec();
    shape[axis] = 0;
    let (mut data, mut indices) = (Vec::new(), Vec::new());
    for part in sparse {
        let mut offset = vec![0i32; axes];
        offset[axis] = shape[axis] as i32;
        shape[axis] += part.shape()[axis];
        // A position beyond the end of one part lies in the next.
        data.push(where_(&part.inside(), part.data(), 0));
        indices.push(part.indices() + Array::from_slice(&offset));
    }
    let data: Vec<&Array> = data.iter().collect();
    let indices: Vec<&Array> = indices.iter().collect();
    Some(Bcoo::new(&concatenate(&data, 0), &concatenate(&indices, 0), &shape))
}

/// A dense array along axes of a larger one.
fn spread(op: &BroadcastInDim, x: &Held) -> Held {
    let x = x.dense();
    let mut thin = vec![1; op.dims.len()];
    for (from, &to) in op.axes.iter().enumerate() {
        thin[to] = x.shape()[from];
    }
    Held::Spread(x.reshape(&thin), op.dims.to_vec())
}

fn results(values: &[Held]) -> Vec<MaybeSparse> {
    values.iter().cloned().map(Held::into_result).collect()
}

fn held(values: &[MaybeSparse]) -> impl Iterator<Item = Held> {
    values.iter().map(Held::from_result)
}

/// A loop whose constants and carries may be sparse; slices are of dense arrays.
fn scan(op: &Scan, operands: &[&Held], at: Location) -> Vec<Held> {
    let consts: Vec<Held> = operands[..op.consts].iter().map(|&held| held.clone()).collect();
    let carry: Vec<Held> =
        operands[op.consts..op.consts + op.carry].iter().map(|&held| held.clone()).collect();
    let xs: Vec<Array> = operands[op.consts + op.carry..].iter().map(|held| held.dense()).collect();
    let step = |carry: &Vec<MaybeSparse>, x: &Vec<Array>| {
        let args: Vec<Held> =
            consts.iter().cloned().chain(held(carry)).chain(x.iter().cloned().map(Held::Dense)).collect();
        let mut all = results(&run(&op.body, &args, at));
        let stacked: Vec<Array> = all.split_off(op.carry).iter().map(MaybeSparse::to_dense).collect();
        (all, stacked)
    };
    let run = if op.reverse { scan_length_reverse } else { scan_length };
    let (last, stacked) = run(step, &results(&carry), &xs, op.length);
    held(&last).chain(stacked.into_iter().map(Held::Dense)).collect()
}

fn repeat(op: &While, operands: &[&Held], at: Location) -> Vec<Held> {
    let all: Vec<Held> = operands.iter().map(|&held| held.clone()).collect();
    let (consts, carry) = all.split_at(op.consts);
    let args = |carry: &[MaybeSparse]| -> Vec<Held> { consts.iter().cloned().chain(held(carry)).collect() };
    let condition = |carry: &Vec<MaybeSparse>| run(&op.cond, &args(carry), at)[0].dense();
    let body = |carry: &Vec<MaybeSparse>| results(&run(&op.body, &args(carry), at));
    held(&while_loop(condition, body, &results(carry))).collect()
}

fn choose(op: &Case, operands: &[&Held], at: Location) -> Vec<Held> {
    let args: Vec<Held> = operands[1..].iter().map(|&held| held.clone()).collect();
    let branches: Vec<_> = op.branches.iter().map(|branch| || results(&run(branch, &args, at))).collect();
    let branches: Vec<&dyn Fn() -> Vec<MaybeSparse>> =
        branches.iter().map(|branch| branch as &dyn Fn() -> Vec<MaybeSparse>).collect();
    held(&switch(&operands[0].dense().astype(DType::I32), &branches)).collect()
}

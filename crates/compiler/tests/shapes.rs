//! Programs of shapes that make a careless compiler slow: chains, diamonds, hubs, lanes and nests of any size.

use jarrah_base::{DType, Dims, Result, Type};
use jarrah_hlo::ops::{
    Axes, BlockIndex, BlockSpec, Call, Case, Comparison, DotGeneral, Kernel, Reduce, Reducer, Reverse, Scan,
    Slice, Sort, SortOrder, While,
};
use jarrah_hlo::{Builder, Program, ProgramRef, Value};

/// A family of programs: the name, and the program with about `n` instructions.
pub type Shape = (&'static str, fn(usize) -> Result<Program>);

/// Every family whose compilation has to grow in proportion to `n`.
pub const SHAPES: &[Shape] = &[
    ("squares", squares),
    ("diamonds", diamonds),
    ("steps that loops do not know", products),
    ("lanes", lanes),
    ("parameters and results", independent),
    ("a value with many uses", hub),
    ("a step's result with many uses", opaque_hub),
    ("a wide concatenation", concatenation),
    ("wide operands that are also read alone", shared_concatenation),
    ("reductions", reductions),
    ("a cheap chain under a column reduction", column),
    ("views of views", views),
    ("views that do not compose", ragged_views),
    ("slices", slices),
    ("constants", constants),
    ("a loop with many carries", carries),
    ("a carry that reaches one further each step", rotation),
    ("calls in a row", calls),
    ("branches in a row", branches),
    ("a case with many branches", many_branches),
    ("a call with many operands", wide_call),
    ("functions of one name", namesakes),
    ("a loop that captures many values", captures),
    ("branches that capture many values", branch_captures),
    ("a scan whose steps leave much behind", residuals),
    ("sorts", sorts),
    ("a sum of many parameters", sum),
    ("sums of many large parameters", large_sums),
    ("a kernel with a long body", long_kernel),
    ("a kernel that reads parts of parts", parts_kernel),
    ("a loop with a long body", long_loop),
    ("a loop over scalars with a long body", long_scalar_loop),
    ("a reduction by a long program", long_reduction),
    ("an order by a long program", long_order),
];

pub fn vector() -> Type {
    Type::tensor(DType::F32, [64])
}

fn matrix() -> Type {
    Type::tensor(DType::F32, [8, 8])
}

/// `x = x * x`, again and again.
///
/// # Errors
/// As [`Builder::push`]; so for all that follow.
pub fn squares(n: usize) -> Result<Program> {
    let mut b = Builder::new("squares");
    let mut x = b.param(vector(), "x");
    for i in 0..n {
        x = if i % 2 == 0 { b.mul(x, x)? } else { b.add(x, x)? };
    }
    b.finish(&[x])
}

/// `x = e^x - (-x)`, again and again: two ways from each value to the next.
fn diamonds(n: usize) -> Result<Program> {
    let mut b = Builder::new("diamonds");
    let mut x = b.param(vector(), "x");
    for _ in 0..n / 3 {
        let (left, right) = (b.exp(x)?, b.neg(x)?);
        x = b.sub(left, right)?;
    }
    b.finish(&[x])
}

fn dot(b: &mut Builder, x: Value, y: Value) -> Result<Value> {
    let axes = |axis: usize| Axes::from_slice(&[axis]);
    let none = Axes::new;
    let dot = DotGeneral {
        lhs_batch: none(),
        rhs_batch: none(),
        lhs_contract: axes(1),
        rhs_contract: axes(0),
        out: DType::F32,
    };
    b.one(dot, &[x, y])
}

fn products(n: usize) -> Result<Program> {
    let mut b = Builder::new("products");
    let mut x = b.param(matrix(), "x");
    for _ in 0..n / 2 {
        let y = dot(&mut b, x, x)?;
        x = b.add(x, y)?;
    }
    b.finish(&[x])
}

/// A thousand chains that have nothing to do with each other, step by step in turn.
fn lanes(n: usize) -> Result<Program> {
    let mut b = Builder::new("lanes");
    let mut lanes: Vec<Value> = (0..100).map(|_| b.param(vector(), "x")).collect();
    for _ in 0..n / 100 {
        for lane in &mut lanes {
            *lane = b.exp(*lane)?;
        }
    }
    b.finish(&lanes)
}

fn independent(n: usize) -> Result<Program> {
    let mut b = Builder::new("independent");
    let params: Vec<Value> = (0..n).map(|_| b.param(vector(), "x")).collect();
    let results: Vec<Value> = params.iter().map(|&x| b.exp(x)).collect::<Result<_>>()?;
    b.finish(&results)
}

fn hub(n: usize) -> Result<Program> {
    let mut b = Builder::new("hub");
    let x = b.param(matrix(), "x");
    let x = b.exp(x)?;
    let mut sum = b.param(matrix(), "sum");
    for _ in 0..n / 3 {
        let y = b.add(x, sum)?;
        let z = dot(&mut b, x, y)?;
        sum = b.mul(x, z)?;
    }
    b.finish(&[sum])
}

fn opaque_hub(n: usize) -> Result<Program> {
    let mut b = Builder::new("opaque_hub");
    let x = b.param(matrix(), "x");
    let x = dot(&mut b, x, x)?;
    let mut results = Vec::new();
    for _ in 0..n / 2 {
        let p = b.param(matrix(), "p");
        let y = b.add(x, p)?;
        results.push(dot(&mut b, y, x)?);
    }
    b.finish(&results)
}

fn concatenation(n: usize) -> Result<Program> {
    let mut b = Builder::new("concatenation");
    let x = b.param(Type::tensor(DType::F32, [1]), "x");
    let mut parts = vec![x];
    for i in 1..n {
        let last = parts[i - 1];
        parts.push(b.exp(last)?);
    }
    let all = b.concatenate(&parts, 0)?;
    b.finish(&[all])
}

fn shared_concatenation(n: usize) -> Result<Program> {
    let mut b = Builder::new("shared_concatenation");
    let mut parts = Vec::new();
    for _ in 0..n / 2 {
        let x = b.param(matrix(), "x");
        parts.push(dot(&mut b, x, x)?);
    }
    let all = b.concatenate(&parts, 0)?;
    let mut results = vec![all];
    for &part in &parts {
        results.push(dot(&mut b, part, part)?);
    }
    b.finish(&results)
}

/// `x = x - mean(x)`, again and again.
fn reductions(n: usize) -> Result<Program> {
    let mut b = Builder::new("reductions");
    let mut x = b.param(matrix(), "x");
    for _ in 0..n / 4 {
        let sum = b.reduce(Reducer::Add, x, &[1])?;
        let mean = b.scale(sum, 0.125)?;
        let mean = b.broadcast_in_dim(mean, &matrix().dims(), &[0])?;
        x = b.sub(x, mean)?;
    }
    b.finish(&[x])
}

fn column(n: usize) -> Result<Program> {
    let mut b = Builder::new("column");
    let mut x = b.param(matrix(), "x");
    let y = b.param(matrix(), "y");
    for _ in 0..n {
        x = b.add(x, y)?;
    }
    let sum = b.reduce(Reducer::Add, x, &[0])?;
    b.finish(&[sum])
}

fn views(n: usize) -> Result<Program> {
    let mut b = Builder::new("views");
    let mut x = b.param(Type::tensor(DType::F32, [4, 16]), "x");
    for i in 0..n / 2 {
        x = b.transpose(x, &[1, 0])?;
        x = b.reshape(x, &if i % 2 == 0 { [4, 16] } else { [16, 4] })?;
    }
    let y = b.exp(x)?;
    b.finish(&[y, x])
}

fn ragged_views(n: usize) -> Result<Program> {
    let mut b = Builder::new("ragged_views");
    let mut x = b.param(Type::tensor(DType::F32, [6, 10]), "x");
    for i in 0..n / 2 {
        x = b.transpose(x, &[1, 0])?;
        x = b.reshape(x, &if i % 2 == 0 { [4, 15] } else { [6, 10] })?;
    }
    let y = b.exp(x)?;
    b.finish(&[y, x])
}

fn slices(n: usize) -> Result<Program> {
    let mut b = Builder::new("slices");
    let x = b.param(Type::tensor(DType::F32, [n + 1]), "x");
    let mut sum = b.slice(x, &[0], &[1])?;
    for i in 0..n / 2 {
        let y = b.slice(x, &[i], &[i + 1])?;
        sum = b.add(sum, y)?;
    }
    b.finish(&[sum])
}

fn constants(n: usize) -> Result<Program> {
    let mut b = Builder::new("constants");
    let mut x = b.param(vector(), "x");
    for i in 0..n / 3 {
        let c = b.full(vector(), i as f64 + 1.5)?;
        x = b.mul(x, c)?;
    }
    b.finish(&[x])
}

fn below(b: &mut Builder, counter: Value, limit: i32) -> Result<Value> {
    let limit = b.scalar(limit)?;
    b.compare(Comparison::Lt, counter, limit)
}

fn looped(n: usize, rotated: bool) -> Result<Program> {
    let counter = Type::scalar(DType::I32);
    let types = std::iter::once(counter).chain((0..n).map(|_| vector()));
    let types: Vec<Type> = types.collect();
    let mut cond = Builder::new("cond");
    let params: Vec<Value> = types.iter().map(|&ty| cond.param(ty, "")).collect();
    let more = below(&mut cond, params[0], 3)?;
    let mut body = Builder::new("body");
    let params: Vec<Value> = types.iter().map(|&ty| body.param(ty, "")).collect();
    let one = body.scalar(1i32)?;
    let mut results = vec![body.add(params[0], one)?];
    for i in 0..n {
        results.push(match rotated {
            true => params[1 + (i + 1) % n],
            false => body.exp(params[1 + i])?,
        });
    }
    let loop_ = While { cond: cond.finish(&[more])?.into(), body: body.finish(&results)?.into(), consts: 0 };
    let mut b = Builder::new("loop");
    let params: Vec<Value> = types.iter().map(|&ty| b.param(ty, "")).collect();
    let all = b.push(loop_, &params)?;
    match rotated {
        true => b.finish(&[all[1]]),
        false => b.finish(&all),
    }
}

fn carries(n: usize) -> Result<Program> {
    looped(n, false)
}

fn rotation(n: usize) -> Result<Program> {
    looped(n, true)
}

fn calls(n: usize) -> Result<Program> {
    let mut callee = Builder::new("callee");
    let x = callee.param(vector(), "x");
    let y = callee.exp(x)?;
    let callee: ProgramRef = callee.finish(&[y])?.into();
    let mut b = Builder::new("calls");
    let mut x = b.param(vector(), "x");
    for _ in 0..n {
        x = b.one(Call { callee: callee.clone() }, &[x])?;
    }
    b.finish(&[x])
}

fn branches(n: usize) -> Result<Program> {
    let branch = |negative: bool| -> Result<ProgramRef> {
        let mut b = Builder::new("branch");
        let x = b.param(vector(), "x");
        let y = if negative { b.neg(x)? } else { b.exp(x)? };
        Ok(b.finish(&[y])?.into())
    };
    let case = Case { branches: vec![branch(true)?, branch(false)?] };
    let mut b = Builder::new("branches");
    let which = b.param(Type::scalar(DType::I32), "which");
    let mut x = b.param(vector(), "x");
    for _ in 0..n {
        x = b.one(case.clone(), &[which, x])?;
    }
    b.finish(&[x])
}

fn many_branches(n: usize) -> Result<Program> {
    let branch = |i: usize| -> Result<ProgramRef> {
        let mut b = Builder::new("branch");
        let x = b.param(vector(), "x");
        let y = if i.is_multiple_of(2) { b.neg(x)? } else { b.exp(x)? };
        Ok(b.finish(&[y])?.into())
    };
    let mut b = Builder::new("many_branches");
    let operands = [b.param(Type::scalar(DType::I32), "which"), b.param(vector(), "x")];
    let y = b.one(Case { branches: (0..n / 2).map(branch).collect::<Result<_>>()? }, &operands)?;
    b.finish(&[y])
}

/// Parameters, and `e^x` of each.
fn exponentials(b: &mut Builder, n: usize) -> Result<Vec<Value>> {
    let params: Vec<Value> = (0..n).map(|_| b.param(vector(), "x")).collect();
    params.into_iter().map(|x| b.exp(x)).collect()
}

fn wide_call(n: usize) -> Result<Program> {
    let mut callee = Builder::new("callee");
    let results = exponentials(&mut callee, n / 2)?;
    let callee: ProgramRef = callee.finish(&results)?.into();
    let mut b = Builder::new("wide_call");
    let args = exponentials(&mut b, n / 2)?;
    let results = b.push(Call { callee }, &args)?;
    b.finish(&results)
}

fn namesakes(n: usize) -> Result<Program> {
    let mut b = Builder::new("namesakes");
    let mut x = b.param(vector(), "x");
    for i in 0..n / 4 {
        let mut callee = Builder::new("callee");
        let y = callee.param(vector(), "y");
        let y = callee.scale(y, i as f64 + 1.5)?;
        x = b.one(Call { callee: callee.finish(&[y])?.into() }, &[x])?;
    }
    b.finish(&[x])
}

fn captures(n: usize) -> Result<Program> {
    let (counter, n) = (Type::scalar(DType::I32), n / 2);
    let params = |b: &mut Builder| -> (Vec<Value>, Value, Vec<Value>) {
        let consts = (0..n).map(|_| b.param(vector(), "")).collect();
        let count = b.param(counter, "");
        (consts, count, (0..n).map(|_| b.param(vector(), "")).collect())
    };
    let mut cond = Builder::new("cond");
    let (_, count, _) = params(&mut cond);
    let more = below(&mut cond, count, 3)?;
    let mut body = Builder::new("body");
    let (consts, count, carry) = params(&mut body);
    let one = body.scalar(1i32)?;
    let mut results = vec![body.add(count, one)?];
    for (&c, &x) in consts.iter().rev().zip(&carry) {
        results.push(body.add(c, x)?);
    }
    let loop_ = While { cond: cond.finish(&[more])?.into(), body: body.finish(&results)?.into(), consts: n };
    let mut b = Builder::new("captures");
    let (mut operands, count, carry) = params(&mut b);
    operands.push(count);
    operands.extend(carry);
    let results = b.push(loop_, &operands)?;
    b.finish(&results)
}

fn branch_captures(n: usize) -> Result<Program> {
    let branch = |squared: bool| -> Result<ProgramRef> {
        let mut b = Builder::new("branch");
        let mut results = exponentials(&mut b, n / 4)?;
        if squared {
            for x in &mut results {
                *x = b.mul(*x, *x)?;
            }
        }
        Ok(b.finish(&results)?.into())
    };
    let case = Case { branches: vec![branch(true)?, branch(false)?] };
    let mut b = Builder::new("branch_captures");
    let mut operands = vec![b.param(Type::scalar(DType::I32), "which")];
    operands.extend((0..n / 4).map(|_| b.param(vector(), "x")));
    let results = b.push(case, &operands)?;
    b.finish(&results)
}

/// Each carry is multiplied by `e^c` of a constant, which the derivative needs, as it needs the carry.
fn residuals(n: usize) -> Result<Program> {
    let n = n / 4;
    let mut body = Builder::new("body");
    let consts = exponentials(&mut body, n)?;
    let carry: Vec<Value> = (0..n).map(|_| body.param(vector(), "")).collect();
    let mut results = Vec::new();
    for (&c, &x) in consts.iter().zip(&carry) {
        results.push(body.mul(c, x)?);
    }
    let scan = Scan { body: body.finish(&results)?.into(), consts: n, carry: n, length: 3, reverse: false };
    let mut b = Builder::new("residuals");
    let operands: Vec<Value> = (0..2 * n).map(|_| b.param(vector(), "")).collect();
    let results = b.push(scan, &operands)?;
    b.finish(&results)
}

fn sorts(n: usize) -> Result<Program> {
    let sort = Sort { axis: 0, stable: true, order: SortOrder::Ascending { keys: 1 } };
    let mut b = Builder::new("sorts");
    let mut results = Vec::new();
    for _ in 0..n / 2 {
        let x = b.param(vector(), "x");
        let sorted = b.one(sort.clone(), &[x])?;
        results.push(b.slice(sorted, &[0], &[8])?);
    }
    b.finish(&results)
}

fn sum(n: usize) -> Result<Program> {
    let mut b = Builder::new("sum");
    let params: Vec<Value> = (0..n).map(|_| b.param(Type::scalar(DType::F32), "x")).collect();
    let mut sum = params[0];
    for &x in &params[1..] {
        sum = b.add(sum, x)?;
    }
    b.finish(&[sum])
}

/// Two sums, one parameter for each in turn, of which the gradient needs the last partial sums alone.
fn large_sums(n: usize) -> Result<Program> {
    // Of more bytes than there are parameters.
    let large = Type::tensor(DType::F32, [4096]);
    let mut b = Builder::new("large_sums");
    let mut params = (0..n / 2).map(|_| b.param(large, "x")).collect::<Vec<Value>>().into_iter();
    let mut sums: Vec<Value> = params.by_ref().take(2).collect();
    for (i, x) in params.enumerate() {
        sums[i % 2] = b.add(sums[i % 2], x)?;
    }
    let (x, y) = (b.exp(sums[0])?, b.exp(sums[1])?);
    let product = b.mul(x, y)?;
    let sum = b.reduce(Reducer::Add, product, &[0])?;
    b.finish(&[sum])
}

/// `x = e^(-x)`, again and again.
fn steps_of(b: &mut Builder, mut x: Value, n: usize) -> Result<Value> {
    for _ in 0..n / 2 {
        x = b.neg(x)?;
        x = b.exp(x)?;
    }
    Ok(x)
}

/// A kernel over whole arrays of this type, with this body.
fn whole_kernel(
    name: &str,
    ty: Type,
    body: impl FnOnce(&mut Builder, Value) -> Result<Value>,
) -> Result<Program> {
    let mut inside = Builder::new("body");
    let x = inside.param(ty, "x");
    let y = body(&mut inside, x)?;
    let out = inside.ty(y);
    let whole = || BlockSpec::new([BlockIndex::Whole]);
    let kernel = Kernel::new(Dims::new(), vec![whole()], vec![(out, whole())], inside.finish(&[y])?.into());
    let mut b = Builder::new(name);
    let x = b.param(ty, "x");
    let y = b.one(kernel, &[x])?;
    b.finish(&[y])
}

fn long_kernel(n: usize) -> Result<Program> {
    whole_kernel("long_kernel", vector(), |b, x| steps_of(b, x, n))
}

/// Each part lacks one element of the part before, and is read backwards.
fn parts_kernel(n: usize) -> Result<Program> {
    whole_kernel("parts_kernel", Type::tensor(DType::F32, [n / 2 + 64]), |b, mut x| {
        for left in (64..n / 2 + 64).rev() {
            let cut = Slice {
                starts: [1].as_slice().into(),
                limits: [left + 1].as_slice().into(),
                strides: [1].as_slice().into(),
            };
            x = b.one(cut, &[x])?;
            x = b.one(Reverse { axes: Axes::from_slice(&[0]) }, &[x])?;
        }
        b.exp(x)
    })
}

fn repeated(name: &str, ty: Type, n: usize) -> Result<Program> {
    let mut body = Builder::new("body");
    let x = body.param(ty, "x");
    let y = steps_of(&mut body, x, n)?;
    let scan = Scan { body: body.finish(&[y])?.into(), consts: 0, carry: 1, length: 3, reverse: false };
    let mut b = Builder::new(name);
    let x = b.param(ty, "x");
    let y = b.one(scan, &[x])?;
    b.finish(&[y])
}

fn long_loop(n: usize) -> Result<Program> {
    repeated("long_loop", vector(), n)
}

fn long_scalar_loop(n: usize) -> Result<Program> {
    repeated("long_scalar_loop", Type::scalar(DType::F32), n)
}

fn long_reduction(n: usize) -> Result<Program> {
    let scalar = Type::scalar(DType::F32);
    let mut combined = Builder::new("combined");
    let (x, y) = (combined.param(scalar, "x"), combined.param(scalar, "y"));
    let z = combined.add(x, y)?;
    let z = steps_of(&mut combined, z, n)?;
    let reducer = Reducer::General(combined.finish(&[z])?.into());
    let mut b = Builder::new("long_reduction");
    let (x, start) = (b.param(vector(), "x"), b.param(scalar, "start"));
    let y = b.one(Reduce { reducer, axes: Axes::from_slice(&[0]) }, &[x, start])?;
    b.finish(&[y])
}

fn long_order(n: usize) -> Result<Program> {
    let scalar = Type::scalar(DType::F32);
    let mut before = Builder::new("before");
    let (x, y) = (before.param(scalar, "x"), before.param(scalar, "y"));
    let x = steps_of(&mut before, x, n)?;
    let first = before.compare(Comparison::Lt, x, y)?;
    let order = SortOrder::General(before.finish(&[first])?.into());
    let mut b = Builder::new("long_order");
    let x = b.param(vector(), "x");
    let y = b.one(Sort { axis: 0, stable: true, order }, &[x])?;
    b.finish(&[y])
}

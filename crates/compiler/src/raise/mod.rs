//! Restores the ops that export took apart, so that imported programs differentiate in reverse and run by the kernels there are: scans
//! from loops, QR decompositions from reflections, attention from its products and softmax.
//!
//! JAX exports `scan` as a `while` that counts: arrays that the loop slices by the counter are scanned, arrays that
//! it writes by the counter are stacked outputs, a carry that it returns unchanged is constant. [`raise`] finds these
//! and puts the [`Scan`] back. A `while` whose number of steps the program does not tell stays; [`bound_loops`] makes
//! a scan of it, given the most steps that it may take.

mod affine;
mod attention;
mod bound;
mod qr;

use jarrah_base::{DType, Literal, Result, Type};
use jarrah_hlo::ops::{DynamicUpdateSlice, Reverse, Scan, While};
use jarrah_hlo::{Builder, Op, Program, Results, Value};
use rustc_hash::FxHashMap;

use crate::rebuild::{Memo, rebuild};
use affine::{Affine, Steps};

pub use bound::{bound_loops, derive_bounded_loops};

/// The program with every loop of a known number of steps as a scan, every QR decomposition made of reflections as
/// a [`Qr`](jarrah_hlo::ops::Qr), and every attention as an [`Attention`](jarrah_hlo::ops::Attention).
///
/// # Errors
/// The program calls so much that it cannot be written out: see [`Program::check_expansion`].
///
/// ```
/// use jarrah_base::{DType, Type};
/// use jarrah_hlo::ops::{Comparison, While};
/// use jarrah_hlo::{Builder, Op};
///
/// // i = 0; while i < 3 { x = x * x; i += 1 }
/// let (i, x) = (Type::scalar(DType::I32), Type::scalar(DType::F32));
/// let mut cond = Builder::new("cond");
/// let (counter, _) = (cond.param(i, ""), cond.param(x, ""));
/// let three = cond.scalar(3i32)?;
/// let less = cond.compare(Comparison::Lt, counter, three)?;
/// let mut body = Builder::new("body");
/// let (counter, value) = (body.param(i, ""), body.param(x, ""));
/// let one = body.scalar(1i32)?;
/// let (counter, value) = (body.add(counter, one)?, body.mul(value, value)?);
/// let op = While { cond: cond.finish(&[less])?.into(), body: body.finish(&[counter, value])?.into(), consts: 0 };
///
/// let mut b = Builder::new("main");
/// let x = b.param(x, "x");
/// let zero = b.scalar(0i32)?;
/// let results = b.push(op, &[zero, x])?;
/// let raised = jarrah_compiler::raise(&b.finish(&[results[1]])?)?;
/// assert!(raised.instrs().iter().any(|i| matches!(&i.op, Op::Scan(scan) if scan.length == 3)));
/// # Ok::<(), jarrah_base::Error>(())
/// ```
pub fn raise(program: &Program) -> Result<Program> {
    program.check_expansion()?;
    let scans = pass(program, &mut Memo::default())?;
    // The new scans and decompositions leave the instructions they replace without use: dce drops them.
    let qrs = qr::raise_qr(&scans)?;
    raise_attention(&qrs)
}

/// The program with every attention that it writes out as one [`Attention`](jarrah_hlo::ops::Attention), its derivative too where the
/// program has that: [`raise`] without the rest, for who runs an imported program as it stands. Results differ by rounding.
///
/// # Errors
/// As [`raise`].
pub fn raise_attention(program: &Program) -> Result<Program> {
    program.check_expansion()?;
    crate::dce::run(&attention::raise_attention(program)?)
}

fn pass(program: &Program, memo: &mut Memo) -> Result<Program> {
    rebuild(program, |b, instr, operands| {
        let op = memo.apply_inside(&instr.op, pass)?;
        if let Op::While(op) = op.as_ref().unwrap_or(&instr.op)
            && let Some(results) = scan(b, op, operands)?
        {
            return Ok(results);
        }
        match op {
            Some(op) => b.push(op, operands),
            None => Ok(b.copy(program, instr, operands)),
        }
    })
}

/// The program with calls replaced by the callee's instructions.
fn without_calls(program: &Program) -> Result<Program> {
    rebuild(program, |b, instr, operands| match &instr.op {
        Op::Call(call) => Ok(b.inline(&without_calls(&call.callee)?, operands)?.into()),
        _ => Ok(b.copy(program, instr, operands)),
    })
}

/// The type in which steps are numbered. A counter's own may not hold all numbers; this one does, by
/// [`affine::MOST_STEPS`].
const NUMBER: DType = DType::I32;

/// The role of a loop's carry in the scan.
#[derive(Clone, Copy, PartialEq)]
enum Role {
    /// The step returns it unchanged.
    Constant,
    /// An integer that the step number determines.
    Counter(Affine),
    /// An array into which every step writes one slice, at this index.
    Output {
        update: Value,
        at: Affine,
    },
    Carry,
}

/// An array of which every step reads one slice.
struct Input {
    /// The body's parameter that is the array.
    param: usize,
    at: Affine,
}

/// The arrays of which the body reads one slice in every step, `fixed` arrays of the loop among its parameters; and, for each
/// instruction of the body that reads such a slice, the index of its array.
fn sliced(
    body: &Program,
    known: &[Option<Affine>],
    fixed: impl Fn(usize) -> bool,
    steps: &Steps,
) -> (Vec<Input>, Vec<Option<usize>>) {
    let mut inputs: Vec<Input> = Vec::new();
    let mut input_of: FxHashMap<(usize, Affine), usize> = FxHashMap::default();
    let mut reads: Vec<Option<usize>> = vec![None; body.instrs().len()];
    for (read, instr) in reads.iter_mut().zip(body.instrs()) {
        if !matches!(instr.op, Op::DynamicSlice(_)) {
            continue;
        }
        let array = instr.operands[0];
        if array.index() >= body.params().len() || !fixed(array.index()) {
            continue;
        }
        if let Some(at) = leading(body, known, &instr.operands[1..], instr.result(), array, steps) {
            *read = Some(*input_of.entry((array.index(), at)).or_insert_with(|| {
                inputs.push(Input { param: array.index(), at });
                inputs.len() - 1
            }));
        }
    }
    (inputs, reads)
}

/// The results of the loop, computed by a scan; `None` if the loop cannot be one.
fn scan(b: &mut Builder, op: &While, operands: &[Value]) -> Result<Option<Results>> {
    if !op.cond.effects().is_pure() {
        return Ok(None);
    }
    let (cond, body) = (without_calls(&op.cond)?, without_calls(&op.body)?);
    let consts = op.consts;
    let initial: Vec<Option<i128>> = operands.iter().map(|&v| integer(b, v)).collect();
    let Some(steps) = Steps::of(&cond, &body, consts, &initial) else { return Ok(None) };
    let carry = &operands[consts..];
    if steps.count == 0 {
        return Ok(Some(carry.into()));
    }
    let known = steps.values(&body, consts, &initial);
    let uses = body.use_counts();
    let definitions = body.definitions();

    let role = |j: usize| {
        let (param, result) = (body.param(consts + j), body.results()[j]);
        if param == result {
            return Role::Constant;
        }
        if let Some(value) = known[param.index()] {
            return Role::Counter(value);
        }
        let written = definitions[result.index()].map(|i| &body.instrs()[i]);
        if let Some(written) = written
            && matches!(written.op, Op::DynamicUpdateSlice(_))
            && written.operands[0] == param
            && uses[param.index()] == 1
            && uses[result.index()] == 1
            && let Some(at) =
                leading(&body, &known, &written.operands[2..], written.operands[1], param, &steps)
        {
            return Role::Output { update: written.operands[1], at };
        }
        Role::Carry
    };
    let roles: Vec<Role> = (0..carry.len()).map(role).collect();
    let fixed = |param: usize| param < consts || roles[param - consts] == Role::Constant;

    let (inputs, reads) = sliced(&body, &known, fixed, &steps);

    // The scan runs backwards if every sliced index decreases.
    let outputs = roles.iter().filter_map(|r| match r {
        Role::Output { at, .. } => Some(*at),
        _ => None,
    });
    let directions: Vec<bool> = inputs.iter().map(|i| i.at).chain(outputs).map(|at| at.slope < 0).collect();
    let reverse = !directions.is_empty() && directions.iter().all(|&backwards| backwards);

    let scan_body = scan_body(&body, &roles, &inputs, &reads, &steps, consts, reverse)?;
    let mut arguments: Vec<Value> = Vec::new();
    arguments.extend((0..operands.len()).filter(|&p| fixed(p)).map(|p| operands[p]));
    let constants = arguments.len();
    arguments.extend((0..carry.len()).filter(|&j| roles[j] == Role::Carry).map(|j| carry[j]));
    let carried = arguments.len() - constants;
    let numbers = b.iota(Type::tensor(NUMBER, [steps.count]), 0)?;
    arguments.push(numbers);
    for input in &inputs {
        arguments.push(covered(b, operands[input.param], input.at, &steps, reverse)?);
    }
    let scan =
        Scan { body: scan_body.into(), consts: constants, carry: carried, length: steps.count, reverse };
    let made = b.push(scan, &arguments)?;

    let (mut carries, mut stacks) = (made[..carried].iter(), made[carried..].iter());
    let mut results = Results::new();
    for (j, role) in roles.iter().enumerate() {
        let next = |from: &mut std::slice::Iter<'_, Value>| {
            *from.next().expect("invariant: the scan returns what the roles say")
        };
        results.push(match *role {
            Role::Constant => carry[j],
            Role::Counter(value) => {
                let ty = b.ty(carry[j]);
                number(b, ty, value.at(steps.count as i128))?
            }
            Role::Carry => next(&mut carries),
            Role::Output { at, .. } => {
                let stack = next(&mut stacks);
                stored(b, carry[j], stack, at, &steps, reverse)?
            }
        });
    }
    Ok(Some(results))
}

/// The scan's body; its parameters are constants, carries, the step number and slices.
fn scan_body(
    body: &Program,
    roles: &[Role],
    inputs: &[Input],
    reads: &[Option<usize>],
    steps: &Steps,
    consts: usize,
    reverse: bool,
) -> Result<Program> {
    let mut b = Builder::new(body.name());
    let mut map: Vec<Option<Value>> = vec![None; body.value_count()];
    let count = body.params().len();
    for p in (0..count).filter(|&p| p < consts || roles[p - consts] == Role::Constant) {
        map[p] = Some(b.param_at(body.params()[p]));
    }
    for p in (consts..count).filter(|&p| roles[p - consts] == Role::Carry) {
        map[p] = Some(b.param_at(body.params()[p]));
    }
    let mut step = b.param(Type::scalar(NUMBER), "");
    let slices: Vec<Value> =
        inputs.iter().map(|i| b.param(body.params()[i.param].ty.without_leading(), "")).collect();
    if reverse {
        let last = number(&mut b, Type::scalar(NUMBER), steps.count as i128 - 1)?;
        step = b.sub(last, step)?;
    }
    for p in consts..count {
        if let Role::Counter(value) = roles[p - consts] {
            let ty = body.params()[p].ty;
            // Where the type is narrow, all of this is modulo its range, in which the counter lies.
            let here = b.convert(step, ty.dtype())?;
            let slope = number(&mut b, ty, value.slope)?;
            let start = number(&mut b, ty, value.start)?;
            let scaled = b.mul(here, slope)?;
            map[p] = Some(b.add(scaled, start)?);
        }
    }
    for (instr, read) in body.instrs().iter().zip(reads) {
        b.set_source(instr.source);
        let results: Results = if let Some(input) = *read {
            let ty = body.ty(instr.result());
            [b.reshape(slices[input], &ty.dims())?].into_iter().collect()
        } else {
            // An instruction that only addressed the array of an output has no operands left.
            let operands: Option<Vec<Value>> = instr.operands.iter().map(|v| map[v.index()]).collect();
            match operands {
                Some(operands) => b.copy(body, instr, &operands),
                None => continue,
            }
        };
        for (value, result) in instr.results().zip(results) {
            map[value.index()] = Some(result);
        }
    }
    let of = |value: Value| map[value.index()].expect("invariant: only outputs lack a value");
    let mut results: Vec<Value> = Vec::new();
    results.extend((0..roles.len()).filter(|&j| roles[j] == Role::Carry).map(|j| of(body.results()[j])));
    for role in roles {
        if let Role::Output { update, .. } = *role {
            let ty = body.ty(update).without_leading();
            results.push(b.reshape(of(update), &ty.dims())?);
        }
    }
    b.finish(&results)
}

/// The index of `slice` along the first axis of `array`, if the slice is one entry of that axis, whole along the
/// others, and inside the array at every step, so that it is never clamped.
fn leading(
    body: &Program,
    known: &[Option<Affine>],
    starts: &[Value],
    slice: Value,
    array: Value,
    steps: &Steps,
) -> Option<Affine> {
    let (slice, array) = (body.ty(slice), body.ty(array));
    let (first, others) = starts.split_first()?;
    let one = slice.dim(0) == 1 && slice.dims()[1..] == array.dims()[1..];
    let whole = others.iter().all(|v| known[v.index()] == Some(Affine::constant(0)));
    let at = known[first.index()]?;
    let extent = array.dim(0) as i128;
    let inside = |index: i128| (0..extent).contains(&index);
    let fits = inside(at.start) && inside(at.at(steps.count as i128 - 1));
    let moves = at.slope.abs() == 1;
    (one && whole && fits && moves).then_some(at)
}

/// The entries of `array` that the steps read, in the scan's order.
fn covered(b: &mut Builder, array: Value, at: Affine, steps: &Steps, reverse: bool) -> Result<Value> {
    let ty = b.ty(array);
    let low = at.start.min(at.at(steps.count as i128 - 1)) as usize;
    let mut part = array;
    if ty.dim(0) != steps.count {
        part = b.slice_axis(array, 0, low, low + steps.count)?;
    }
    flipped(b, part, at, reverse)
}

/// `initial` with the entries that the steps wrote, which are `stack`.
fn stored(
    b: &mut Builder,
    initial: Value,
    stack: Value,
    at: Affine,
    steps: &Steps,
    reverse: bool,
) -> Result<Value> {
    let ty = b.ty(initial);
    let stack = flipped(b, stack, at, reverse)?;
    if ty.dim(0) == steps.count {
        return Ok(stack);
    }
    let low = at.start.min(at.at(steps.count as i128 - 1));
    let mut operands = vec![initial, stack];
    for axis in 0..ty.rank() {
        let start = if axis == 0 { low } else { 0 };
        operands.push(number(b, Type::scalar(DType::I64), start)?);
    }
    b.one(DynamicUpdateSlice, &operands)
}

/// `array` with its first axis reversed if its index runs against the scan.
fn flipped(b: &mut Builder, array: Value, at: Affine, reverse: bool) -> Result<Value> {
    if (at.slope < 0) == reverse {
        return Ok(array);
    }
    b.one(Reverse { axes: [0].into_iter().collect() }, &[array])
}

/// An integer of type `ty` with the value `n`.
fn number(b: &mut Builder, ty: Type, n: i128) -> Result<Value> {
    let size = ty.dtype().size();
    b.constant(Literal::from_bytes(ty, &n.to_le_bytes()[..size])?)
}

/// The value of a scalar integer, if it is constant.
fn integer(b: &Builder, mut value: Value) -> Option<i128> {
    // The types through which the constant passes: it has to fit each.
    let mut types: Vec<DType> = Vec::new();
    loop {
        let ty = b.ty(value);
        if ty.rank() != 0 || !ty.dtype().is_integer() {
            return None;
        }
        let instr = b.definition(value)?;
        match &instr.op {
            Op::Constant(constant) => {
                let constant = constant.value.get_i128(0);
                return types.iter().all(|&dtype| affine::fits(constant, dtype)).then_some(constant);
            }
            Op::Reshape(_) | Op::Convert(_) | Op::BroadcastInDim(_) => types.push(ty.dtype()),
            _ => return None,
        }
        value = instr.operands[0];
    }
}

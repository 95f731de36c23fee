//! Codes of a few bits, taken out of integers part by part.

use jarrah_base::{DType, Dims, ElementKind, Literal, Result, Type};
use jarrah_hlo::ops::*;
use jarrah_hlo::{Builder, Op, Value};
use smallvec::SmallVec;

use super::scalar;

/// The most parts of a stack: an integer of 64 bits has as many bits.
const MOST: usize = 64;

/// More ops than a field of bits is written with.
const DEPTH: usize = 8;

/// `((x << left) >> right) & mask`, with the bits of the mask as an unsigned number.
#[derive(Clone, Copy)]
struct Field {
    left: u32,
    right: u32,
    /// Whether the shift to the right repeats the sign; `None` if there is none.
    signed: Option<bool>,
    mask: i128,
}

/// A stack of fields of one array is one field, whose numbers are constants along the new axis, so that it is computed where it is read and
/// not put together in memory:
///
/// `concatenate(.., (x >> r_i) & m_i, ..) = (x >> [r_0, r_1, ..]) & [m_0, m_1, ..]`, where each part has the extent 1 along the axis, and
/// several elements lie behind it: numbers that change from each element to the next would be read one by one.
pub fn concatenate(b: &mut Builder, axis: usize, operands: &[Value]) -> Result<Option<Value>> {
    let part = b.ty(operands[0]);
    let dtype = part.dtype();
    let integer = matches!(dtype.kind(), ElementKind::Signed | ElementKind::Unsigned) && dtype.bits() >= 8;
    let stacked = operands.iter().all(|&v| b.ty(v) == part) && part.dim(axis) == 1;
    let behind: usize = part.dims()[axis + 1..].iter().product();
    if !integer || !stacked || behind < 2 || !(2..=MOST).contains(&operands.len()) {
        return Ok(None);
    }
    let mut of = None;
    let mut fields: SmallVec<[Field; 2]> = SmallVec::new();
    for &operand in operands {
        let Some((x, field)) = field(b, operand) else { return Ok(None) };
        if *of.get_or_insert(x) != x {
            return Ok(None);
        }
        fields.push(field);
    }
    let Some(x) = of else { return Ok(None) };
    let signed: SmallVec<[bool; 2]> = fields.iter().filter_map(|f| f.signed).collect();
    if signed.windows(2).any(|pair| pair[0] != pair[1]) {
        return Ok(None);
    }
    let dims: Dims =
        part.dims().iter().enumerate().map(|(i, &n)| if i == axis { operands.len() } else { n }).collect();
    let x = b.reshape(x, &part.dims())?;
    let axes: Axes = (0..part.rank()).collect();
    let mut y = b.one(BroadcastInDim { dims: dims.clone(), axes }, &[x])?;
    let all = all_bits(dtype);
    let right = if signed.first() == Some(&true) {
        ElementwiseKind::ShiftRightArithmetic
    } else {
        ElementwiseKind::ShiftRightLogical
    };
    let steps: [(ElementwiseKind, &dyn Fn(&Field) -> i128, i128); 3] = [
        (ElementwiseKind::ShiftLeft, &|f| i128::from(f.left), 0),
        (right, &|f| i128::from(f.right), 0),
        (ElementwiseKind::And, &|f| f.mask, all),
    ];
    for (kind, number, neutral) in steps {
        let numbers: Vec<i128> = fields.iter().map(number).collect();
        if numbers.iter().all(|&n| n == neutral) {
            continue;
        }
        let numbers = along(b, dtype, &numbers, &dims, axis)?;
        y = b.binary(kind, y, numbers)?;
    }
    Ok(Some(y))
}

/// Numbers along an axis, repeated along the others; a scalar if they are alike.
fn along(b: &mut Builder, dtype: DType, numbers: &[i128], dims: &Dims, axis: usize) -> Result<Value> {
    let signed = |&n: &i128| {
        let negative = dtype.kind() == ElementKind::Signed && n >> (dtype.bits() - 1) & 1 == 1;
        if negative { n - (1 << dtype.bits()) } else { n }
    };
    let numbers: Vec<i128> = numbers.iter().map(signed).collect();
    if numbers.iter().all(|n| *n == numbers[0]) {
        let number = b.constant(Literal::from_i128s(Type::scalar(dtype), &numbers[..1])?)?;
        return b.broadcast_in_dim(number, dims, &[]);
    }
    let ty = Type::tensor(dtype, [numbers.len()]);
    let numbers = b.constant(Literal::from_i128s(ty, &numbers)?)?;
    b.broadcast_in_dim(numbers, dims, &[axis])
}

fn all_bits(dtype: DType) -> i128 {
    (1 << dtype.bits()) - 1
}

/// The array of which a value is a field, apart from its shape, and the field.
fn field(b: &Builder, value: Value) -> Option<(Value, Field)> {
    let dtype = b.ty(value).dtype();
    let (bits, all) = (dtype.bits() as i128, all_bits(dtype));
    let mut value = value;
    let mut ops: SmallVec<[(ElementwiseKind, i128); 4]> = SmallVec::new();
    for _ in 0..DEPTH {
        let Some(instr) = b.definition(value) else { break };
        let number = |at: usize| scalar(b, *instr.operands.get(at)?).map(|c| c.get_i128(0));
        value = match &instr.op {
            Op::Reshape(_) => instr.operands[0],
            Op::Elementwise(op) => match (op.kind, number(0), number(1)) {
                (kind @ ElementwiseKind::And, None, Some(c)) => {
                    ops.push((kind, c & all));
                    instr.operands[0]
                }
                (kind @ ElementwiseKind::And, Some(c), None) => {
                    ops.push((kind, c & all));
                    instr.operands[1]
                }
                (
                    kind @ (ElementwiseKind::ShiftLeft
                    | ElementwiseKind::ShiftRightArithmetic
                    | ElementwiseKind::ShiftRightLogical),
                    _,
                    Some(by),
                ) if (0..bits).contains(&by) => {
                    ops.push((kind, by));
                    instr.operands[0]
                }
                _ => break,
            },
            _ => break,
        };
    }
    let mut f = Field { left: 0, right: 0, signed: None, mask: all };
    for (kind, n) in ops.into_iter().rev() {
        match kind {
            ElementwiseKind::And => f.mask &= n,
            ElementwiseKind::ShiftLeft => {
                (f.right == 0 && f.mask == all && i128::from(f.left) + n < bits).then_some(())?;
                f.left += n as u32;
            }
            _ => {
                let signed = kind == ElementwiseKind::ShiftRightArithmetic;
                let fits = f.signed.is_none_or(|s| s == signed) && i128::from(f.right) + n < bits;
                (fits && (f.mask == all || !signed)).then_some(())?;
                f.mask = if f.mask == all { all } else { f.mask >> n };
                f.right += n as u32;
                f.signed = Some(signed);
            }
        }
    }
    if f.signed == Some(false) {
        // What was shifted in is zero.
        f.mask &= all >> f.right;
    }
    Some((value, f))
}

use jarrah_base::{DType, Literal, Result, Type};
use jarrah_hlo::ops::*;
use jarrah_hlo::{Builder, Op, Value};

use super::scalar;

pub fn elementwise(b: &mut Builder, kind: ElementwiseKind, operands: &[Value]) -> Result<Option<Value>> {
    use ElementwiseKind::*;
    if kind.arity() == 1 {
        // -(-x) = x, !(!x) = x
        let inner = b.definition(operands[0]);
        return Ok(inner.and_then(|i| match &i.op {
            Op::Elementwise(e) if e.kind == kind && matches!(kind, Negate | Not) => Some(i.operands[0]),
            _ => None,
        }));
    }
    let (x, y) = (operands[0], operands[1]);
    let (left, right) = (scalar(b, x), scalar(b, y));
    let dtype = b.ty(x).dtype();
    if let (Some(l), Some(r)) = (&left, &right)
        && let Some(folded) = fold(kind, dtype, l.get_i128(0), r.get_i128(0))
    {
        let folded = b.constant(folded)?;
        return Ok(Some(b.broadcast_in_dim(folded, &b.ty(x).dims(), &[])?));
    }
    // Not for complex numbers: a product adds terms that are not zero beside an infinity, and signs of zeros
    // differ.
    let neutral = |side: Option<&Literal>, n: Neutral| !dtype.is_complex() && side.is_some_and(|c| n.is(c));
    Ok(match kind {
        // x * 1 = 1 * x = x
        Multiply if neutral(right.as_ref(), Neutral::One) => Some(x),
        Multiply if neutral(left.as_ref(), Neutral::One) => Some(y),
        // x / 1 = x
        Divide if neutral(right.as_ref(), Neutral::One) => Some(x),
        // x + -0.0 = -0.0 + x = x; for integers 0
        Add if neutral(right.as_ref(), Neutral::AddZero) => Some(x),
        Add if neutral(left.as_ref(), Neutral::AddZero) => Some(y),
        // x - 0 = x
        Subtract if neutral(right.as_ref(), Neutral::PlusZero) => Some(x),
        // x | 0 = x ^ 0 = x << 0 = x >> 0 = x
        Or | Xor if neutral(right.as_ref(), Neutral::PlusZero) => Some(x),
        Or | Xor if neutral(left.as_ref(), Neutral::PlusZero) => Some(y),
        ShiftLeft | ShiftRightArithmetic | ShiftRightLogical
            if neutral(right.as_ref(), Neutral::PlusZero) =>
        {
            Some(x)
        }
        // x & x = x | x = x
        And | Or if x == y => Some(x),
        _ => None,
    })
}

/// The constants that leave the other operand unchanged.
enum Neutral {
    One,
    /// The additive identity that keeps every bit: -0.0 for floats, since 0.0 + -0.0 is 0.0.
    AddZero,
    PlusZero,
}

impl Neutral {
    fn is(&self, c: &Literal) -> bool {
        let negative_zero = c.get_f64(0) == 0.0 && c.get_f64(0).is_sign_negative();
        let zero = c.get_f64(0) == 0.0 && !negative_zero;
        match self {
            Neutral::One => c.get_f64(0) == 1.0,
            Neutral::AddZero if c.dtype().is_float() => negative_zero,
            Neutral::AddZero | Neutral::PlusZero => zero,
        }
    }
}

/// Integer arithmetic on two constant scalars.
fn fold(kind: ElementwiseKind, dtype: DType, x: i128, y: i128) -> Option<Literal> {
    use ElementwiseKind::*;
    if !dtype.is_integer() {
        return None;
    }
    let z = match kind {
        Add => x + y,
        Subtract => x - y,
        Multiply => x * y,
        Maximum => x.max(y),
        Minimum => x.min(y),
        And => x & y,
        Or => x | y,
        Xor => x ^ y,
        _ => return None,
    };
    let bytes = z.to_le_bytes();
    Literal::from_bytes(Type::scalar(dtype), &bytes[..dtype.size()]).ok()
}

/// `select(p, x, x) = x`, `select(true, x, y) = x`, `select(false, x, y) = y`.
pub fn select(b: &Builder, operands: &[Value]) -> Result<Option<Value>> {
    let (predicate, on_true, on_false) = (operands[0], operands[1], operands[2]);
    if on_true == on_false {
        return Ok(Some(on_true));
    }
    Ok(scalar(b, predicate).map(|p| if p.get_i128(0) != 0 { on_true } else { on_false }))
}

/// `convert(x) = x` for equal types, `narrow(widen(x)) = x`.
pub fn convert(b: &Builder, to: DType, x: Value) -> Result<Option<Value>> {
    if b.ty(x).dtype() == to {
        return Ok(Some(x));
    }
    Ok(b.definition(x).and_then(|i| match &i.op {
        Op::Convert(inner) => {
            let from = i.operands[0];
            (b.ty(from).dtype() == to && widens(to, inner.to)).then_some(from)
        }
        _ => None,
    }))
}

/// Whether every value of `from` is a value of `to`.
fn widens(from: DType, to: DType) -> bool {
    use DType::*;
    match (from, to) {
        (F32, F64) | (BF16 | F16, F32 | F64) => true,
        // F8E8M0FNU has no zero.
        (Bool, F8E8M0FNU) => false,
        (Bool, to) => to != Bool,
        (from, to) if from.is_integer() && to.is_integer() => {
            from.bits() < to.bits() && (from.kind() == to.kind() || from.kind() == U8.kind())
        }
        _ => false,
    }
}

/// `bitcast(x) = x` for equal types, `bitcast(bitcast(x)) = bitcast(x)`.
pub fn bitcast(b: &mut Builder, to: DType, x: Value) -> Result<Option<Value>> {
    if b.ty(x).dtype() == to {
        return Ok(Some(x));
    }
    let Some(instr) = b.definition(x) else { return Ok(None) };
    let (Op::BitcastConvert(_), &[inner]) = (&instr.op, &instr.operands[..]) else { return Ok(None) };
    let direct = Op::from(BitcastConvert { to });
    let result = direct.infer(&[b.ty(x)])?;
    if result[..] == [b.ty(inner)] {
        return Ok(Some(inner));
    }
    // The intermediate type may have grouped the extents differently.
    if direct.infer(&[b.ty(inner)]).is_ok_and(|direct| direct == result) {
        return Ok(Some(b.one(direct, &[inner])?));
    }
    Ok(None)
}

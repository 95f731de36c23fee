use jarrah_base::{DType, Literal, Result, Type};

use jarrah_hlo::Builder;
use jarrah_hlo::Value;
use jarrah_hlo::ops::{
    BitcastConvert, Comparison, ElementwiseKind, RngAlgorithm, RngBitGenerator, Threefry2x32,
};

/// Whether [`rng_bit_generator`] makes bits of this type.
pub fn has_bits(op: &RngBitGenerator) -> bool {
    op.ty.dtype().is_integer() || matches!(op.ty.dtype().bits(), 8 | 16 | 32 | 64)
}

/// [`RngBitGenerator`] in arithmetic of integers: the state after, and the bits.
///
/// # Errors
/// As [`Builder::push`].
pub fn rng_bit_generator(b: &mut Builder, op: &RngBitGenerator, state: Value) -> Result<[Value; 2]> {
    let dims = op.ty.dims();
    let count = op.ty.elements()?;
    if count == 0 {
        return Ok([state, b.zeros(op.ty)?]);
    }
    let wide = op.ty.dtype().size() == 8;
    let (bits, used) = match op.algorithm {
        RngAlgorithm::Threefry => threefry(b, state, &dims, wide)?,
        RngAlgorithm::Default | RngAlgorithm::Philox => philox(b, state, count, wide)?,
    };
    let bits = b.reshape(bits, &dims)?;
    Ok([moved(b, state, used)?, read_as(b, bits, op.ty.dtype())?])
}

/// The low bits of each word as elements of another type.
fn read_as(b: &mut Builder, words: Value, to: DType) -> Result<Value> {
    let unsigned = match to.bits() {
        _ if to.is_integer() => return b.convert(words, to),
        8 => DType::U8,
        16 => DType::U16,
        32 => DType::U32,
        _ => DType::U64,
    };
    let words = b.convert(words, unsigned)?;
    b.one(BitcastConvert { to }, &[words])
}

/// Element `i` of the state, for each element of type `ty`.
fn word(b: &mut Builder, state: Value, i: usize, ty: Type) -> Result<Value> {
    let word = b.slice(state, &[i], &[i + 1])?;
    let word = b.reshape(word, &[])?;
    b.broadcast_in_dim(word, &ty.dims(), &[])
}

fn constant<T: jarrah_base::Element>(b: &mut Builder, ty: Type, value: T) -> Result<Value> {
    let value = b.scalar(value)?;
    b.broadcast_in_dim(value, &ty.dims(), &[])
}

/// The lower and the upper half of words of 64 bits.
fn halves(b: &mut Builder, x: Value) -> Result<[Value; 2]> {
    let by = constant(b, b.ty(x), 32u64)?;
    let high = b.binary(ElementwiseKind::ShiftRightLogical, x, by)?;
    Ok([b.convert(x, DType::U32)?, b.convert(high, DType::U32)?])
}

fn whole(b: &mut Builder, [low, high]: [Value; 2]) -> Result<Value> {
    let (low, high) = (b.convert(low, DType::U64)?, b.convert(high, DType::U64)?);
    let by = constant(b, b.ty(high), 32u64)?;
    let high = b.binary(ElementwiseKind::ShiftLeft, high, by)?;
    b.binary(ElementwiseKind::Or, low, high)
}

/// The state with its counter moved on: the second word, and the third as the upper half.
fn moved(b: &mut Builder, state: Value, used: u64) -> Result<Value> {
    let ty = b.ty(state);
    let count = ty.elements()?;
    let mut step = vec![0u64; count];
    step[1] = used;
    let step = b.constant(Literal::from_slice(&[count], &step)?)?;
    let next = b.add(state, step)?;
    if count == 2 {
        return Ok(next);
    }
    let scalar = Type::scalar(DType::U64);
    let (before, after) = (word(b, state, 1, scalar)?, word(b, next, 1, scalar)?);
    let carry = b.compare(Comparison::Lt, after, before)?;
    let carry = b.convert(carry, DType::U64)?;
    let carry = b.broadcast_in_dim(carry, &ty.dims(), &[])?;
    let third = b.constant(Literal::from_slice(&[count], &[0u64, 0, 1])?)?;
    let carry = b.mul(carry, third)?;
    b.add(next, carry)
}

/// Words of 32 bits, or of 64 if `wide`, in row-major order, and by how much the counter moves.
fn threefry(b: &mut Builder, state: Value, dims: &[usize], wide: bool) -> Result<(Value, u64)> {
    // One axis is cut into halves, whose elements take turns along it: the first of even extent, else the largest.
    let first_largest = |best: usize, i: usize| if dims[i] > dims[best] { i } else { best };
    let split =
        dims.iter().position(|d| d % 2 == 0).unwrap_or_else(|| (1..dims.len()).fold(0, first_largest));
    let extent = dims.get(split).copied().unwrap_or(1);
    let inner: usize = dims.iter().skip(split + 1).product();
    let outer: usize = dims.iter().take(split).product();
    let half = if wide { extent } else { extent.div_ceil(2) };
    let blocks = outer * half * inner;
    let ty = Type::tensor(DType::U64, [blocks]);
    let (key, counter) = (word(b, state, 0, ty)?, word(b, state, 1, ty)?);
    let at = b.iota(ty, 0)?;
    let at = b.add(counter, at)?;
    let ([k0, k1], [x0, x1]) = (halves(b, key)?, halves(b, at)?);
    let words = b.push(Threefry2x32, &[k0, k1, x0, x1])?;
    let words = [words[0], words[1]];
    if wide {
        return Ok((whole(b, words)?, blocks as u64));
    }
    let [first, second] = [0, 1].map(|i| b.reshape(words[i], &[outer, half, 1, inner]));
    let both = b.concatenate(&[first?, second?], 2)?;
    let both = b.reshape(both, &[outer, 2 * half, inner])?;
    Ok((b.slice_axis(both, 1, 0, extent)?, blocks as u64))
}

/// Words of 32 bits, or of 64 if `wide`, one after another, and by how much the counter moves.
fn philox(b: &mut Builder, state: Value, count: usize, wide: bool) -> Result<(Value, u64)> {
    let each = if wide { 2 } else { 4 };
    let blocks = count.div_ceil(each);
    let ty = Type::tensor(DType::U64, [blocks]);
    let has_upper = b.ty(state).elements()? > 2;
    let (key, low) = (word(b, state, 0, ty)?, word(b, state, 1, ty)?);
    let high = if has_upper { word(b, state, 2, ty)? } else { key };
    let at = b.iota(ty, 0)?;
    let from = b.add(low, at)?;
    let carry = b.compare(Comparison::Lt, from, low)?;
    let carry = b.convert(carry, DType::U64)?;
    let high = b.add(high, carry)?;
    let words = philox_blocks(b, key, [from, high])?;
    let words = match wide {
        true => vec![whole(b, [words[0], words[1]])?, whole(b, [words[2], words[3]])?],
        false => words.to_vec(),
    };
    let mut columns = Vec::with_capacity(each);
    for word in words {
        columns.push(b.reshape(word, &[blocks, 1])?);
    }
    let all = b.concatenate(&columns, 1)?;
    let all = b.reshape(all, &[blocks * each])?;
    Ok((b.slice_axis(all, 0, 0, count)?, blocks as u64))
}

/// Ten rounds of Philox-4x32 for each counter of 128 bits, its lower and its upper half.
fn philox_blocks(b: &mut Builder, key: Value, counter: [Value; 2]) -> Result<[Value; 4]> {
    let ty = b.ty(key);
    let short = ty.with_dtype(DType::U32);
    let factors = [constant(b, ty, 0xD251_1F53u64)?, constant(b, ty, 0xCD9E_8D57u64)?];
    let steps = [constant(b, short, 0x9E37_79B9u32)?, constant(b, short, 0xBB67_AE85u32)?];
    let mut key = halves(b, key)?;
    let ([x0, x1], [x2, x3]) = (halves(b, counter[0])?, halves(b, counter[1])?);
    let mut x = [x0, x1, x2, x3];
    for _ in 0..10 {
        let mut product = |x: Value, factor: Value| -> Result<[Value; 2]> {
            let x = b.convert(x, DType::U64)?;
            let product = b.mul(x, factor)?;
            halves(b, product)
        };
        let ([a_low, a_high], [b_low, b_high]) = (product(x[0], factors[0])?, product(x[2], factors[1])?);
        let mut mixed = |x: Value, y: Value, key: Value| -> Result<Value> {
            let mixed = b.binary(ElementwiseKind::Xor, x, y)?;
            b.binary(ElementwiseKind::Xor, mixed, key)
        };
        x = [mixed(b_high, x[1], key[0])?, b_low, mixed(a_high, x[3], key[1])?, a_low];
        key = [b.add(key[0], steps[0])?, b.add(key[1], steps[1])?];
    }
    Ok(x)
}

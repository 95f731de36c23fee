use jarrah_base::{DType, ElementKind, Error, Result, Type};

use jarrah_hlo::Builder;
use jarrah_hlo::Value;
use jarrah_hlo::ops::{ElementwiseKind, Threefry2x32};

/// Numbers of type `ty`, uniform in `[low, high)`, scalars of its dtype: `stablehlo.rng` of the uniform distribution.
///
/// StableHLO leaves the numbers open. Here they are those of Threefry-2x32 with the key `(0, stream)` and the linear
/// positions as counters, so that a program always draws the same; uses in one program need streams of their own. A float
/// is `low + (high - low) k / 2^m` with `m` bits of mantissa; an integer is `low` plus 64 bits modulo the span; a truth
/// value is one of the two bounds.
pub fn rng_uniform(b: &mut Builder, ty: Type, low: Value, high: Value, stream: u32) -> Result<Value> {
    bounds(b, ty, low, high)?;
    let words = words(b, ty, stream)?;
    let (low, high) = (b.broadcast_in_dim(low, &ty.dims(), &[])?, b.broadcast_in_dim(high, &ty.dims(), &[])?);
    match ty.dtype().kind() {
        ElementKind::Float => {
            let fraction = fraction(b, ty, words)?;
            let span = b.sub(high, low)?;
            let offset = b.mul(span, fraction)?;
            b.add(low, offset)
        }
        ElementKind::Signed | ElementKind::Unsigned => {
            let words = long(b, ty, words)?;
            let span = b.sub(high, low)?;
            let span = b.convert(span, DType::U64)?;
            // The difference of signed numbers wraps where it is too large for their type: keep its low bits.
            let bits = ty.dtype().bits();
            let mask = b.scalar(u64::MAX >> (64 - bits))?;
            let mask = b.broadcast_in_dim(mask, &ty.dims(), &[])?;
            let span = b.binary(ElementwiseKind::And, span, mask)?;
            let one = b.ones_like(span)?;
            let span = b.binary(ElementwiseKind::Maximum, span, one)?;
            let offset = b.binary(ElementwiseKind::Remainder, words, span)?;
            let offset = b.convert(offset, ty.dtype())?;
            b.add(low, offset)
        }
        ElementKind::Bool => {
            let one = b.ones_like(words[1])?;
            let bit = b.binary(ElementwiseKind::And, words[1], one)?;
            let odd = b.compare(jarrah_hlo::ops::Comparison::Eq, bit, one)?;
            b.select(odd, high, low)
        }
        ElementKind::Complex => Err(Error::program(format!("draws no complex numbers such as {ty}"))),
    }
}

/// Normal numbers of type `ty` with mean `mu` and standard deviation `sigma`, scalars: `stablehlo.rng` of the normal
/// distribution, `mu + sigma sqrt(2) erf_inv(u)` with `u` uniform in (-1, 1) as in [`rng_uniform`].
pub fn rng_normal(b: &mut Builder, ty: Type, mu: Value, sigma: Value, stream: u32) -> Result<Value> {
    bounds(b, ty, mu, sigma)?;
    if !ty.dtype().is_float() {
        return Err(Error::program(format!("draws floats, not {ty}")));
    }
    let words = words(b, ty, stream)?;
    let fraction = fraction(b, ty, words)?;
    // The middles of the steps of a uniform number: never the end points, where the inverse is infinite.
    let step = 2f64.powi(-(mantissa(ty.dtype()) as i32));
    let (twice, shift) = (b.scale(fraction, 2.0)?, b.full(ty, step - 1.0)?);
    let u = b.add(twice, shift)?;
    let z = b.unary(ElementwiseKind::ErfInv, u)?;
    let z = b.scale(z, std::f64::consts::SQRT_2)?;
    let (mu, sigma) = (b.broadcast_in_dim(mu, &ty.dims(), &[])?, b.broadcast_in_dim(sigma, &ty.dims(), &[])?);
    let scaled = b.mul(sigma, z)?;
    b.add(mu, scaled)
}

fn bounds(b: &Builder, ty: Type, x: Value, y: Value) -> Result<()> {
    let scalar = Type::scalar(ty.dtype());
    for value in [x, y] {
        if b.ty(value) != scalar {
            return Err(Error::program(format!(
                "{ty} is drawn with parameters {scalar}, not {}",
                b.ty(value)
            )));
        }
    }
    ty.elements().map(|_| ())
}

/// Two words for each element.
fn words(b: &mut Builder, ty: Type, stream: u32) -> Result<[Value; 2]> {
    let flat = Type::tensor(DType::U64, [ty.elements()?]);
    let position = b.iota(flat, 0)?;
    let half = b.full(flat, 32.0)?;
    let high = b.binary(ElementwiseKind::ShiftRightLogical, position, half)?;
    let mut counters = [position, high];
    for counter in &mut counters {
        *counter = b.convert(*counter, DType::U32)?;
        *counter = b.reshape(*counter, &ty.dims())?;
    }
    let [low, high] = counters;
    let (k0, k1) = (b.scalar(0u32)?, b.scalar(stream)?);
    let (k0, k1) = (b.broadcast_in_dim(k0, &ty.dims(), &[])?, b.broadcast_in_dim(k1, &ty.dims(), &[])?);
    let words = b.push(Threefry2x32, &[k0, k1, high, low])?;
    Ok([words[0], words[1]])
}

/// The words of an element as one of 64 bits.
fn long(b: &mut Builder, ty: Type, [high, low]: [Value; 2]) -> Result<Value> {
    let (high, low) = (b.convert(high, DType::U64)?, b.convert(low, DType::U64)?);
    let half = b.full(ty.with_dtype(DType::U64), 32.0)?;
    let high = b.binary(ElementwiseKind::ShiftLeft, high, half)?;
    b.binary(ElementwiseKind::Or, high, low)
}

/// Bits of mantissa, the leading one not counted.
fn mantissa(dtype: DType) -> u32 {
    match dtype {
        DType::F64 => 52,
        DType::F32 => 23,
        DType::F16 => 10,
        DType::BF16 => 7,
        // The smaller floats have three bits or fewer; steps of one quarter are exact in those with two.
        _ => 2,
    }
}

/// `k / 2^m`, exact in the dtype, `k` being the upper `m` bits.
fn fraction(b: &mut Builder, ty: Type, words: [Value; 2]) -> Result<Value> {
    let m = mantissa(ty.dtype());
    let bits = long(b, ty, words)?;
    let shift = b.full(b.ty(bits), f64::from(64 - m))?;
    let k = b.binary(ElementwiseKind::ShiftRightLogical, bits, shift)?;
    let k = b.convert(k, ty.dtype())?;
    b.scale(k, 2f64.powi(-(m as i32)))
}

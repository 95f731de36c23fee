//! How far compiled functions of floats are from the true values, over every float there is or a sample of them.

use jarrah_base::{DType, Element, Literal, Result, Type, bf16, f16};
use jarrah_cpu::CpuClient;
use jarrah_hlo::ops::ElementwiseKind;
use jarrah_hlo::{Builder, Program};
use jarrah_hlo_eval::evaluate;
use jarrah_runtime::{Client, CompileOptions, Executable};

/// The functions that loops compute by polynomials, or by the processor's roots, and the bound of each in units in the last
/// place for `f32`, as `NUMERICS.md` states it.
pub const FUNCTIONS: &[(ElementwiseKind, f64)] = &[
    (ElementwiseKind::Exponential, 2.0),
    (ElementwiseKind::ExponentialMinusOne, 2.0),
    (ElementwiseKind::Log, 2.0),
    (ElementwiseKind::LogPlusOne, 2.0),
    (ElementwiseKind::Logistic, 3.0),
    (ElementwiseKind::Tanh, 3.0),
    (ElementwiseKind::Sqrt, 0.5),
    (ElementwiseKind::Rsqrt, 2.0),
    (ElementwiseKind::Cbrt, 2.0),
    (ElementwiseKind::Sine, 2.0),
    (ElementwiseKind::Cosine, 2.0),
    (ElementwiseKind::Tan, 4.0),
    (ElementwiseKind::Erf, 2.0),
    (ElementwiseKind::ErfInv, 4.0),
];

/// The bound for `bf16` and `f16`, whose functions are those of `f32`, rounded once more.
pub const NARROW: f64 = 0.51;

/// The types that are looked at.
pub const TYPES: [DType; 3] = [DType::F32, DType::BF16, DType::F16];

/// How many floats are computed at a time.
const BLOCK: usize = 1 << 18;

/// The bound of a function at a type.
pub fn bound(dtype: DType, in_f32: f64) -> f64 {
    if dtype == DType::F32 { in_f32 } else { NARROW }
}

/// The float that is furthest from the truth.
#[derive(Clone, Copy, Debug)]
pub struct Worst {
    /// How many floats were looked at.
    pub count: u64,
    /// The distance in units in the last place of the true value.
    pub ulps: f64,
    /// The argument there.
    pub at: f64,
    /// The value that was computed.
    pub found: f64,
    /// The true value.
    pub truth: f64,
}

/// The worst value of a function at a type, over every `stride`-th bit pattern, infinities, NaNs and subnormal numbers
/// included. The truth is the reference evaluator's function of `f64`, which the values of 150 digits in this crate's tests
/// bound.
///
/// # Errors
/// A program cannot be compiled or run.
pub fn worst(client: &CpuClient, kind: ElementwiseKind, dtype: DType, stride: u64) -> Result<Worst> {
    let patterns = 1u64 << (8 * dtype.size());
    let mut worst = Worst { count: 0, ulps: 0.0, at: 0.0, found: 0.0, truth: 0.0 };
    let block = (patterns.div_ceil(stride) as usize).min(BLOCK);
    let (compiled, reference) = (unary(kind, dtype, block)?, unary(kind, DType::F64, block)?);
    let executable = client.compile(&compiled, &CompileOptions::default())?;
    let mut next = 0u64;
    while next < patterns {
        // The last block goes over the end, and begins again.
        let bits: Vec<u64> = (0..block as u64).map(|i| (next + i * stride) % patterns).collect();
        next += block as u64 * stride;
        let (arguments, values) = arguments(dtype, &bits)?;
        let found = run(&*executable, client, &arguments)?.to_f64_vec();
        let truth = evaluate(&reference, &[Literal::from_slice(&[block], &values)?])?.remove(0).to_f64_vec();
        worst.count += block as u64;
        for ((&at, &found), &truth) in values.iter().zip(&found).zip(&truth) {
            let ulps = distance(dtype, found, truth);
            // An infinite distance is worse than any, and comes first.
            if ulps > worst.ulps {
                worst = Worst { count: worst.count, ulps, at, found, truth };
            }
        }
    }
    Ok(worst)
}

fn unary(kind: ElementwiseKind, dtype: DType, count: usize) -> Result<Program> {
    let mut b = Builder::new(kind.name());
    let x = b.param(Type::tensor(dtype, [count]), "x");
    let y = b.unary(kind, x)?;
    b.finish(&[y])
}

fn run(executable: &(dyn Executable + 'static), client: &CpuClient, argument: &Literal) -> Result<Literal> {
    executable.run(vec![client.upload(argument)?])?[0].read()
}

/// The floats with these bits, as an argument and as numbers.
fn arguments(dtype: DType, bits: &[u64]) -> Result<(Literal, Vec<f64>)> {
    fn of<T: Element>(bits: &[u64], from: impl Fn(u64) -> T) -> Result<(Literal, Vec<f64>)> {
        let floats: Vec<T> = bits.iter().map(|&bits| from(bits)).collect();
        let values = floats.iter().map(|x| x.to_f64()).collect();
        Ok((Literal::from_slice(&[floats.len()], &floats)?, values))
    }
    match dtype {
        DType::BF16 => of(bits, |bits| bf16::from_bits(bits as u16)),
        DType::F16 => of(bits, |bits| f16::from_bits(bits as u16)),
        _ => of(bits, |bits| f32::from_bits(bits as u32)),
    }
}

/// The bits of a significand, and the exponent of the smallest number that has all of them.
fn format(dtype: DType) -> (i32, i32) {
    match dtype {
        DType::BF16 => (8, -126),
        DType::F16 => (11, -14),
        _ => (24, -126),
    }
}

/// The largest number of a type, from its significand and that its exponents are as many above zero as below.
fn largest(dtype: DType) -> f64 {
    let (bits, least) = format(dtype);
    (2.0 - 2f64.powi(1 - bits)) * 2f64.powi(1 - least)
}

/// How far `found` is from `truth`, in units in the last place that a number of this size has in the type. Infinity stands
/// for the number after the largest one; where one of the two is NaN and the other not, the distance is infinite.
pub fn distance(dtype: DType, found: f64, truth: f64) -> f64 {
    if found.is_nan() || truth.is_nan() {
        return if found.is_nan() && truth.is_nan() { 0.0 } else { f64::INFINITY };
    }
    if found == truth {
        return 0.0;
    }
    let (bits, least) = format(dtype);
    let after = largest(dtype) + 2f64.powi(1 - least + 1 - bits);
    let (found, truth) = (found.clamp(-after, after), truth.clamp(-after, after));
    let exponent = (truth.abs().to_bits() >> 52) as i32 - 1023;
    let unit = 2f64.powi(exponent.clamp(least, 1 - least) - (bits - 1));
    (found - truth).abs() / unit
}

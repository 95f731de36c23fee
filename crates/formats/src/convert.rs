//! Numbers of one element type as numbers of another, a stretch at a time.

use half::slice::HalfFloatSliceExt;
use half::{bf16, f16};
use jarrah_base::{DType, ElementKind, Error, Literal, Result, Type};

/// Checks that numbers of the type `from` may be read as numbers of the type `to`: a change among floats, among integers,
/// among complex numbers, or from integers to floats.
pub(crate) fn check(name: &str, from: DType, to: DType) -> Result<()> {
    use ElementKind::{Bool, Complex, Float, Signed, Unsigned};
    let fits = match (from.kind(), to.kind()) {
        _ if from == to => true,
        (Float, Float) | (Complex, Complex) | (Signed | Unsigned | Bool, Signed | Unsigned | Float) => true,
        _ => false,
    };
    if fits {
        return Ok(());
    }
    Err(Error::input(format!("the tensor {name} is {from}: it is not read as {to}"))
        .help(format!("read it as {from}, and convert the array")))
}

/// Writes the elements of type `from` in `input` to `output`, in its place, as elements of type `to`: rounded to the
/// nearest, integers wrapped.
pub(crate) fn convert(from: DType, input: &[u8], to: DType, output: &mut Vec<u8>) -> Result<()> {
    output.clear();
    match (from, to) {
        (DType::F16, DType::F32) => widen(input, output),
        (DType::BF16, DType::F32) => each(input, output, |x| bf16::from_le_bytes(x).to_f32().to_le_bytes()),
        (DType::F32, DType::BF16) => {
            each(input, output, |x| bf16::from_f32(f32::from_le_bytes(x)).to_le_bytes())
        }
        (DType::F32, DType::F16) => narrow(input, output),
        // Singles hold the numbers of both exactly, so each is rounded once.
        (DType::F16, DType::BF16) | (DType::BF16, DType::F16) => {
            let mut singles = Vec::new();
            convert(from, input, DType::F32, &mut singles)?;
            convert(DType::F32, &singles, to, output)?;
        }
        _ => {
            let numbers = Literal::from_bytes(Type::tensor(from, [input.len() / from.size()]), input)?;
            let ty = numbers.ty().with_dtype(to);
            let converted = match (from.kind(), to.kind()) {
                (ElementKind::Complex, _) => Literal::from_c128s(ty, &numbers.to_c128_vec())?,
                (ElementKind::Float, _) | (_, ElementKind::Float) => {
                    Literal::from_f64s(ty, &numbers.to_f64_vec())?
                }
                _ => Literal::from_i128s(ty, &numbers.to_i128_vec())?,
            };
            output.extend_from_slice(converted.bytes());
        }
    }
    Ok(())
}

/// Writes the result of `f` for the bytes of each element.
fn each<const FROM: usize, const TO: usize>(
    input: &[u8],
    output: &mut Vec<u8>,
    f: impl Fn([u8; FROM]) -> [u8; TO],
) {
    let input = input.as_chunks().0;
    output.resize(input.len() * TO, 0);
    for (to, from) in output.as_chunks_mut().0.iter_mut().zip(input) {
        *to = f(*from);
    }
}

/// The elements that the processor's own instructions for `f16` take at a time.
const STEP: usize = 64;

/// `f16` to `f32` by the processor's own instructions.
fn widen(input: &[u8], output: &mut Vec<u8>) {
    output.resize(input.len() * 2, 0);
    let (mut halves, mut floats) = ([f16::ZERO; STEP], [0f32; STEP]);
    for (from, to) in input.chunks(2 * STEP).zip(output.chunks_mut(4 * STEP)) {
        let count = from.len() / 2;
        for (half, bytes) in halves.iter_mut().zip(from.as_chunks().0) {
            *half = f16::from_le_bytes(*bytes);
        }
        halves[..count].convert_to_f32_slice(&mut floats[..count]);
        for (to, float) in to.as_chunks_mut().0.iter_mut().zip(&floats) {
            *to = float.to_le_bytes();
        }
    }
}

/// `f32` to `f16`, likewise.
fn narrow(input: &[u8], output: &mut Vec<u8>) {
    output.resize(input.len() / 2, 0);
    let (mut halves, mut floats) = ([f16::ZERO; STEP], [0f32; STEP]);
    for (from, to) in input.chunks(4 * STEP).zip(output.chunks_mut(2 * STEP)) {
        let count = from.len() / 4;
        for (float, bytes) in floats.iter_mut().zip(from.as_chunks().0) {
            *float = f32::from_le_bytes(*bytes);
        }
        halves[..count].convert_from_f32_slice(&floats[..count]);
        for (to, half) in to.as_chunks_mut().0.iter_mut().zip(&halves) {
            *to = half.to_le_bytes();
        }
    }
}

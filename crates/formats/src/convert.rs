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
        (DType::BF16, DType::F32) => {
            output.extend(
                input.as_chunks().0.iter().flat_map(|&x| bf16::from_le_bytes(x).to_f32().to_le_bytes()),
            );
        }
        (DType::F32, DType::BF16) => {
            let numbers = input.as_chunks().0.iter();
            output.extend(numbers.flat_map(|&x| bf16::from_f32(f32::from_le_bytes(x)).to_le_bytes()));
        }
        (DType::F32, DType::F16) => {
            let numbers = input.as_chunks().0.iter();
            output.extend(numbers.flat_map(|&x| f16::from_f32(f32::from_le_bytes(x)).to_le_bytes()));
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

/// `f16` to `f32` by the processor's own instructions, a few at a time.
fn widen(input: &[u8], output: &mut Vec<u8>) {
    const STEP: usize = 64;
    let (mut halves, mut floats) = ([f16::ZERO; STEP], [0f32; STEP]);
    for chunk in input.chunks(2 * STEP) {
        let count = chunk.len() / 2;
        for (half, bytes) in halves.iter_mut().zip(chunk.as_chunks().0) {
            *half = f16::from_le_bytes(*bytes);
        }
        halves[..count].convert_to_f32_slice(&mut floats[..count]);
        output.extend(floats[..count].iter().flat_map(|x| x.to_le_bytes()));
    }
}

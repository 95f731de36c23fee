//! Wrong operands are refused by errors that name them, and say what to do.

use jarrah_array::{Array, DType, try_trace};
use jarrah_quant::{
    GptqWeight, Nf4Weight, QuantizedTensor, Scales, Scheme, ZeroPoints, dynamic_matmul, fake_quant, quantize,
};

#[track_caller]
fn refused<R>(f: impl FnOnce() -> R, parts: &[&str]) {
    let error = match try_trace(f) {
        Ok(_) => panic!("no error of {parts:?}"),
        Err(error) => error.to_string(),
    };
    assert!(parts.iter().all(|part| error.contains(part)), "{error}");
}

#[test]
fn operands_that_do_not_fit() {
    let x = |rows| Array::zeros(&[rows, 4]);
    refused(|| quantize(&x(100), Scheme::INT4), &["quantize", "f32[100,4]", "groups of 128", "pad the rows"]);
    let fits = "or take `groups_of(50)` or `groups_of(100)`";
    refused(|| quantize(&x(100), Scheme::INT4), &[fits]);
    let fits = "or take `groups_of(48)` or `groups_of(96)`";
    refused(|| quantize(&x(96), Scheme::INT8.groups_of(64)), &[fits]);
    refused(
        || quantize(&x(2), Scheme::INT4.groups_of(0)),
        &["pad the rows with zeros, or take `groups_of(2)`"],
    );
    refused(|| quantize(&x(33), Scheme::INT4.per_channel()), &["33 rows", "two codes share a byte"]);
    refused(|| quantize(&x(32).astype(DType::I32), Scheme::INT8), &["i32[32,4]", "astype"]);
    refused(|| quantize(&Array::zeros(&[4]), Scheme::INT8), &["two axes"]);
    refused(|| quantize(&x(64), Scheme::INT8.scales(DType::I32)), &["int8", "i32", "float dtype"]);
    let w = quantize(&x(64), Scheme::INT4.groups_of(32));
    refused(|| w.apply(&Array::zeros(&[2, 32])), &["f32[2,32]", "64 rows"]);
    refused(|| w.apply(&Array::zeros(&[2, 64]).astype(DType::I32)), &["i32[2,64]", "floats"]);
    refused(|| w.dequantize(DType::I8), &["dequantize", "i8", "float"]);
    let codes = quantize(&x(64), Scheme::NF4);
    refused(|| dynamic_matmul(&Array::zeros(&[2, 64]), &codes), &["nf4", "u8[32,4]", "Scheme::INT8"]);
    refused(|| dynamic_matmul(&Array::zeros(&[2, 32]), &w), &["f32[2,32]", "64 rows"]);
    let tall = quantize(&x(1 << 17), Scheme::INT8);
    refused(|| dynamic_matmul(&Array::zeros(&[1, 1 << 17]), &tall), &["131072 rows", "65536", "groups"]);
    let stack = quantize(&Array::zeros(&[2, 64, 4]), Scheme::UINT4.groups_of(32));
    let sizes = Array::from_slice(&[1i32, 2]);
    let zeros = Some(Array::zeros(&[2, 1, 4]).astype(DType::U8));
    let other = QuantizedTensor { zeros, ..stack.clone() };
    refused(|| other.apply_grouped(&Array::zeros(&[3, 64]), &sizes), &["zero points u8[2,1,4]", "[2, 2, 4]"]);
    refused(
        || stack.apply_grouped(&Array::zeros(&[3, 64]).astype(DType::F8E4M3FN), &sizes),
        &["f8e4m3fn[3,64]", "floats of 16 bits or more"],
    );
    let none = quantize(&Array::zeros(&[0, 64, 4]), Scheme::INT8);
    let y = none.apply_grouped(&Array::ones(&[3, 64]), &Array::zeros(&[0]).astype(DType::I32));
    assert_eq!(y.to_vec::<f32>().unwrap(), [0.0; 12]);
    let scales = Scales::Plain(Array::ones(&[3, 4]));
    refused(|| QuantizedTensor { scales, ..w.clone() }.dequantize(DType::F32), &["[3, 4]", "u8[32,4]"]);
}

#[test]
fn errors_behind_derivatives_of_their_own_are_at_the_line_of_the_caller() {
    let w = quantize(&Array::zeros(&[2, 64, 4]), Scheme::INT4.groups_of(32));
    let (x, sizes) = (Array::zeros(&[3, 64]), Array::zeros(&[2]));
    let line = line!() + 1;
    let error = try_trace(|| w.apply_grouped(&x, &sizes)).unwrap_err();
    let found = error.location().map(|at| (at.file(), at.line()));
    assert_eq!(found, Some((file!(), line)), "{error}");
    let line = line!() + 1;
    let error = try_trace(|| fake_quant(&Array::zeros(&[100, 4]), Scheme::INT4)).unwrap_err();
    let found = error.location().map(|at| (at.file(), at.line()));
    assert_eq!(found, Some((file!(), line)), "{error}");
}

#[test]
fn files_that_do_not_fit() {
    let bytes = |columns| Array::zeros(&[2, columns]).astype(DType::U8);
    refused(|| QuantizedTensor::from_gguf(&bytes(35), Scheme::Q8_0), &["from_gguf", "u8[2,35]", "u8[2,34]"]);
    refused(|| QuantizedTensor::from_gguf(&bytes(34), Scheme::NF4), &["nf4", "Q4_0"]);
    refused(|| quantize(&Array::zeros(&[64, 2]), Scheme::NF4).to_gguf(), &["to_gguf", "nf4"]);
    refused(
        || quantize(&Array::zeros(&[64, 2]), Scheme::NF4).to_gptq(ZeroPoints::Whole),
        &["to_gptq", "UINT4"],
    );
    let word = |shape: &[usize]| Array::zeros(shape).astype(DType::I32);
    let layer = GptqWeight {
        qweight: word(&[4, 8]),
        qzeros: word(&[2, 1]),
        scales: Array::ones(&[2, 8]),
        g_idx: Some(word(&[32])),
    };
    refused(|| QuantizedTensor::from_gptq(&layer, 4, ZeroPoints::Whole), &["g_idx", "2 groups", "16 times"]);
    refused(|| QuantizedTensor::from_gptq(&layer, 3, ZeroPoints::Whole), &["3 bits"]);
    let weight = Nf4Weight { packed: bytes(32), absmax: Array::ones(&[3]), nested: None };
    refused(|| QuantizedTensor::from_nf4(&weight, [2, 64]), &["3 blocks", "64 inputs"]);
    let weight =
        Nf4Weight { absmax: Array::ones(&[6]), packed: Array::zeros(&[64]).astype(DType::U8), ..weight };
    refused(|| QuantizedTensor::from_nf4(&weight, [2, 64]), &["6 blocks", "64 inputs"]);
}

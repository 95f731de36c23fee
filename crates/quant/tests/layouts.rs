//! Values and codes are those of the implementations that others quantize with, bit for bit.

use jarrah_array::{Array, DType};
use jarrah_quant::{
    AwqWeight, GptqWeight, Mxfp4Weight, Nf4Weight, QuantizedTensor, Scales, Scheme, ZeroPoints, quantize,
};

use crate::{golden, same};

fn values(w: &QuantizedTensor) -> Array {
    w.dequantize(DType::F32).t()
}

#[test]
fn gguf() {
    for (name, scheme) in [("q4_0", Scheme::Q4_0), ("q8_0", Scheme::Q8_0)] {
        let blocks = golden(&format!("{name}/blocks"));
        let w = QuantizedTensor::from_gguf(&blocks, scheme);
        same(name, &values(&w), &golden(&format!("{name}/values")));
        same(name, &w.to_gguf(), &blocks);
        same(name, &quantize(&golden("weights").t(), scheme).to_gguf(), &blocks);
    }
}

fn nf4(name: &str) -> Nf4Weight {
    let part = |part: &str| golden(&format!("{name}/{part}"));
    let nested = (name == "nf4_nested").then(|| (part("table"), part("maxima"), part("offset")));
    Nf4Weight { packed: part("packed"), absmax: part("absmax"), nested }
}

#[test]
fn bitsandbytes() {
    for name in ["nf4", "nf4_nested"] {
        let weight = nf4(name);
        let w = QuantizedTensor::from_nf4(&weight, [24, 256]);
        same(name, &values(&w), &golden(&format!("{name}/values")));
        let back = w.to_nf4();
        same(name, &back.packed, &weight.packed);
        same(name, &back.absmax, &weight.absmax);
        assert_eq!(back.nested.is_some(), name == "nf4_nested");
    }
    let own = quantize(&golden("weights").t(), Scheme::NF4).to_nf4();
    same("codes", &own.packed, &nf4("nf4").packed);
    same("scales", &own.absmax, &nf4("nf4").absmax);
}

#[test]
fn gptq() {
    for (name, bits) in [("gptq4", 4), ("gptq8", 8), ("gptq_order", 4)] {
        let part = |part: &str| golden(&format!("{name}/{part}"));
        let layer = GptqWeight {
            qweight: part("qweight"),
            qzeros: part("qzeros"),
            scales: part("scales"),
            g_idx: (name == "gptq_order").then(|| part("g_idx")),
        };
        let w = QuantizedTensor::from_gptq(&layer, bits, ZeroPoints::LessOne);
        same(name, &w.dequantize(DType::F16), &part("values"));
        let back = w.to_gptq(ZeroPoints::LessOne);
        same(name, &back.qweight, &layer.qweight);
        same(name, &back.qzeros, &layer.qzeros);
        same(name, &back.scales, &layer.scales);
        if let Some(g_idx) = &layer.g_idx {
            same(name, back.g_idx.as_ref().unwrap(), g_idx);
        }
        // One less is stored, or one less is meant.
        let whole = QuantizedTensor::from_gptq(&layer, bits, ZeroPoints::Whole);
        let less = w.zeros.unwrap().astype(DType::I32) - 1;
        same(name, &whole.zeros.unwrap().astype(DType::I32), &less);
    }
}

#[test]
fn awq() {
    let part = |part: &str| golden(&format!("awq/{part}"));
    let layer = AwqWeight { qweight: part("qweight"), qzeros: part("qzeros"), scales: part("scales") };
    let w = QuantizedTensor::from_awq(&layer);
    same("awq", &w.dequantize(DType::F16), &part("values"));
    let back = w.to_awq();
    same("codes", &back.qweight, &layer.qweight);
    same("zero points", &back.qzeros, &layer.qzeros);
}

/// Every code with every scale, NaN included.
#[test]
fn mxfp4() {
    let part = |part: &str| golden(&format!("mxfp4/{part}"));
    let weight = Mxfp4Weight { blocks: part("blocks"), scales: part("scales") };
    let w = QuantizedTensor::from_mxfp4(&weight);
    same("values", &values(&w), &part("values"));
    same("blocks", &w.to_mxfp4().blocks, &weight.blocks);
    same("scales", &w.to_mxfp4().scales, &weight.scales);
    let own = quantize(&golden("weights").t(), Scheme::MXFP4).to_mxfp4();
    same("own scales", &own.scales, &part("own_scales"));
    same("own blocks", &own.blocks, &part("own_blocks"));
    // A stack of matrices has the values of each.
    let stack = Mxfp4Weight {
        blocks: weight.blocks.reshape(&[2, 16, 8, 16]),
        scales: weight.scales.reshape(&[2, 16, 8]),
    };
    let stacked = QuantizedTensor::from_mxfp4(&stack).dequantize(DType::F32);
    let second = stacked.slice(0, 1..).reshape(&[256, 16]);
    same("stack", &second, &w.dequantize(DType::F32).slice(1, 16..));
}

#[test]
fn nearest_values() {
    let schemes = [Scheme::INT8, Scheme::UINT8, Scheme::INT4, Scheme::UINT4, Scheme::F8E4M3, Scheme::F8E5M2];
    for scheme in schemes {
        let name = scheme.name;
        let part = |part: &str| golden(&format!("{name}/{part}"));
        let w = quantize(&golden("weights").t(), scheme.groups_of(32));
        same(name, &w.dequantize(DType::F32), &part("values"));
        let codes = match scheme {
            Scheme::INT4 | Scheme::UINT4 => unpacked(&w.codes),
            Scheme::F8E4M3 | Scheme::F8E5M2 => w.codes.bitcast(DType::U8),
            _ => w.codes.clone(),
        };
        same(name, &codes, &part("codes"));
        if let Some(zeros) = &w.zeros {
            same(name, zeros, &part("zeros"));
        }
        let Scales::Plain(scales) = &w.scales else { panic!("{name} has plain scales") };
        same(name, scales, &part("scales"));
    }
}

/// The codes of bytes, found on the host.
fn unpacked(bytes: &Array) -> Array {
    let [rows, columns] = [bytes.shape()[0], bytes.shape()[1]];
    let bytes = bytes.to_vec::<u8>().unwrap();
    let code = |k: usize, n: usize| bytes[k / 2 * columns + n] >> (4 * (k % 2)) & 15;
    let codes: Vec<u8> = (0..2 * rows).flat_map(|k| (0..columns).map(move |n| code(k, n))).collect();
    Array::new(&codes, &[2 * rows, columns])
}

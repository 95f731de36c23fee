//! Quantized tensors go where trees go.

use jarrah_array::{Array, DType, TreeExt, jit, load, save, scan, vmap};
use jarrah_quant::{QuantizedTensor, Scheme, quantize};

use crate::{numbers, same};

/// A stack of layers is one tensor, over which `scan` and `vmap` go; the weight of a step is made as its product reads it.
#[test]
fn stacks_are_mapped_and_scanned() {
    let x = numbers(2, &[5, 256]).clip(-2.0, 2.0);
    for &scheme in Scheme::ALL {
        let weights = numbers(1, &[3, 256, 256]) * 0.01;
        let w = quantize(&weights, scheme);
        let layers: Vec<QuantizedTensor> =
            (0..3).map(|i| quantize(&weights.slice(0, i..i + 1).reshape(&[256, 256]), scheme)).collect();
        let all = |(x, w): &(Array, QuantizedTensor)| {
            let step = |x: &Array, w: &QuantizedTensor| (w.apply(x).tanh(), ());
            scan(step, x, w).0
        };
        let found = jit(all).call((x.clone(), w.clone())).unwrap();
        let wanted = layers.iter().fold(x.clone(), |x, w| w.apply(&x).tanh());
        same(scheme.name, &found, &wanted);
        let each = vmap(|w: &QuantizedTensor| w.apply(&x))(&w);
        for (i, layer) in layers.iter().enumerate() {
            same(scheme.name, &each.slice(0, i..i + 1).reshape(&[5, 256]), &layer.apply(&x));
        }
    }
}

/// Files hold the codes as they are.
#[test]
fn files_hold_codes_and_scales() {
    for &scheme in Scheme::ALL {
        let w = quantize(&numbers(1, &[256, 6]), scheme);
        let path =
            std::env::temp_dir().join(format!("quant-{}-{}.safetensors", scheme.name, std::process::id()));
        save(&path, &w).unwrap();
        let bytes = std::fs::metadata(&path).unwrap().len() as usize;
        let like: QuantizedTensor = w.map_leaves(|x: &Array| Array::zeros_like(x));
        let read = load(&path, &like).unwrap();
        std::fs::remove_file(&path).unwrap();
        same(scheme.name, &read.dequantize(DType::F32), &w.dequantize(DType::F32));
        assert!(
            bytes < w.bytes() + 512,
            "{}: {bytes} bytes in the file, {} in memory",
            scheme.name,
            w.bytes()
        );
    }
}

//! Extents of 0 and 1, many rows, and numbers at the ends of floats.

use jarrah_array::{Array, DType, Prepared, grad, jit, vmap};
use jarrah_quant::{QuantizedTensor, Scales, Scheme, Values, dynamic_matmul, fake_quant, quantize};

use crate::{numbers, same};

type Operands = (QuantizedTensor, Array);

fn apply((w, x): &Operands) -> Array {
    w.apply(x)
}

fn dynamic((w, x): &Operands) -> Array {
    dynamic_matmul(x, w)
}

/// Whether products of integers take the scheme.
pub fn of_integers(scheme: Scheme) -> bool {
    matches!(scheme.values, Values::Int4 | Values::UInt4 | Values::Int8 | Values::UInt8)
}

fn schemes() -> Vec<Scheme> {
    let more = [Scheme::INT8.per_tensor(), Scheme::INT4.per_channel(), Scheme::UINT4.per_tensor()];
    [Scheme::ALL, &more].concat()
}

/// The function compiled and called as it stands: the same bits.
fn both(what: &str, f: fn(&Operands) -> Array, w: &QuantizedTensor, x: &Array) -> Array {
    let found = f(&(w.clone(), x.clone()));
    same(what, &jit(f).call((w.clone(), x.clone())).unwrap(), &found);
    found
}

#[test]
fn tensors_without_elements_and_of_one_column() {
    for scheme in schemes() {
        for extents in [[0, 5], [256, 0], [0, 0], [256, 1], [1 << 16, 1]] {
            for lead in [&[][..], &[0], &[2]] {
                let [k, n] = extents;
                let shape = [lead, &extents].concat();
                let what = format!("{} {:?} {shape:?}", scheme.name, scheme.block);
                let count: usize = shape.iter().product();
                let weight = (Array::arange(count as f32) * 0.7f32).sin().reshape(&shape[..]);
                let through = move |x: &Array| quantize(x, scheme).dequantize(DType::F32);
                let w = quantize(&weight, scheme);
                assert_eq!(w.shape(), shape, "{what}");
                same(&what, &jit(through).call(weight.clone()).unwrap(), &w.dequantize(DType::F32));
                for rows in [0, 1, 3] {
                    let x = numbers(3, &[lead, &[rows, k]].concat());
                    let y = both(&what, apply, &w, &x);
                    assert_eq!(y.shape()[..], [lead, &[rows, n]].concat()[..], "{what}");
                    assert!(k > 0 || y.to_vec::<f32>().unwrap().iter().all(|&y| y == 0.0), "{what}");
                    assert_eq!(grad(|x: &Array| w.apply(x).sum(..))(&x).shape(), x.shape(), "{what}");
                    if lead.is_empty() && of_integers(scheme) {
                        assert_eq!(both(&what, dynamic, &w, &x).shape(), [rows, n], "{what}");
                    }
                    if lead.is_empty() && k < 1 << 16 {
                        let ready = jit(apply).prepared(&Prepared::new(w.clone()));
                        same(&what, &ready.call((x.clone(),)).unwrap(), &y);
                        let in_buckets = jit(apply).bucketed(1);
                        same(&what, &in_buckets.call((w.clone(), x.clone())).unwrap(), &y);
                    }
                }
                assert_eq!(grad(|x: &Array| fake_quant(x, scheme).sum(..))(&weight).shape()[..], shape);
            }
        }
        let none =
            vmap(move |x: &Array| quantize(x, scheme).dequantize(DType::F32))(&Array::zeros(&[0, 256, 3]));
        assert_eq!(none.shape(), [0, 256, 3]);
    }
}

/// Numbers at the ends of floats stand for what is near them; an infinity and a NaN for no numbers.
#[test]
fn numbers_at_the_ends_of_floats() {
    let ends =
        [0.0, -0.0, 1e-45, -1e-40, 1e-38, 1.0, -3e38, 3.3e38, f32::INFINITY, f32::NEG_INFINITY, f32::NAN];
    for scheme in schemes() {
        for end in ends {
            for rest in [0.0f32, 0.3] {
                let what = format!("{} {:?}: {end:e} beside {rest}", scheme.name, scheme.block);
                let mut values = vec![rest; 512];
                values[34] = end;
                let weight = Array::new(&values, &[256, 2]);
                let w = quantize(&weight, scheme);
                let numbers_of = w.dequantize(DType::F32);
                let through = move |x: &Array| quantize(x, scheme).dequantize(DType::F32);
                same(&what, &jit(through).call(weight).unwrap(), &numbers_of);
                let found = numbers_of.to_vec::<f32>().unwrap()[34];
                if !end.is_finite() {
                    assert!(!found.is_finite(), "{what}: {found}");
                } else if end.abs() < 1e4 || scheme.scale == DType::F32 {
                    let bound = 0.5 * end.abs().max(rest) + 1e-37;
                    assert!((found - end).abs() <= bound, "{what}: {found:e}");
                }
                for dtype in [DType::F32, DType::BF16, DType::F16, DType::F64, DType::F8E4M3FN] {
                    let x = numbers(3, &[3, 256]).clip(-3.0, 3.0).astype(dtype);
                    assert_eq!(both(&what, apply, &w, &x).dtype(), dtype);
                    if of_integers(scheme) {
                        both(&what, dynamic, &w, &x);
                    }
                }
            }
        }
    }
}

/// The same among the numbers of `x`, of which each row is quantized as it comes.
#[test]
fn activations_at_the_ends_of_floats() {
    for scheme in schemes().into_iter().filter(|&scheme| of_integers(scheme)) {
        let w = quantize(&numbers(5, &[256, 2]), scheme);
        let wide = w.dequantize(DType::F32).astype(DType::F64);
        for end in [0.0, -0.0, 1e-45, -1e-40, 1e-38, -1e30, f32::INFINITY, f32::NEG_INFINITY, f32::NAN] {
            let mut values = vec![0.0f32; 256];
            values[34] = end;
            let x = Array::new(&values, &[1, 256]);
            let found = both(scheme.name, dynamic, &w, &x);
            if end.is_finite() {
                let off = found.astype(DType::F64) - x.astype(DType::F64).matmul(&wide);
                let bound = wide.abs().max(..) * f64::from(end.abs()) * 0.01 + 1e-37;
                assert!(
                    (off.abs().max(..) / bound).item::<f64>().unwrap() <= 1.0,
                    "{}: {end:e}",
                    scheme.name
                );
            } else {
                assert!(!found.to_vec::<f32>().unwrap()[0].is_finite(), "{}: {end}", scheme.name);
            }
        }
    }
}

/// Zero points at the edge of the codes and beyond, under scales at the ends of floats.
#[test]
fn zero_points_at_the_edge() {
    for (scheme, edge) in [(Scheme::UINT8, [0, 255, 256]), (Scheme::UINT4.groups_of(64), [0, 15, 255])] {
        let w = quantize(&numbers(1, &[256, 20]), scheme);
        let shape = w.scales.values().shape();
        for zero in edge {
            for scale in [0.0f32, 1e-45, 1e-39, -1.0, 1e38, f32::INFINITY, f32::NAN] {
                let what = format!("{}: {zero} {scale:e}", scheme.name);
                let zeros = Some(Array::full(&shape, zero, DType::U16));
                let scales = Scales::Plain(Array::full(&shape, scale, DType::F32));
                let w = QuantizedTensor { zeros, scales, ..w.clone() };
                for dtype in [DType::F32, DType::BF16] {
                    let x = numbers(2, &[5, 256]).astype(dtype);
                    let in_memory = Array::from_literal(w.dequantize(dtype).to_literal().unwrap());
                    same(&what, &both(&what, apply, &w, &x), &x.matmul(&in_memory));
                    both(&what, dynamic, &w, &x);
                }
            }
        }
    }
}

//! Derivatives through products with quantized weights.

use jarrah_array::{Array, DType, GradCheck, check_grads, grad, jit, vmap};
use jarrah_quant::{QuantizedTensor, Scales, Scheme, Values, dynamic_matmul, fake_quant, quantize};

use crate::{numbers, same};

/// Activations get the cotangent times the weight, and scales theirs; codes have none.
#[test]
fn activations_and_scales_have_gradients() {
    for &scheme in Scheme::ALL {
        let w = quantize(&numbers(1, &[256, 320]), scheme);
        let (x, ct) = (numbers(2, &[4, 256]), numbers(3, &[4, 320]));
        let found = jit(grad(|x: &Array| (w.apply(x) * &ct).sum(..))).call(x.clone()).unwrap();
        let wanted = match scheme.values {
            Values::Int8 if w.scales.values().shape()[0] == 1 => {
                (&ct * w.scales.values()).matmul(&w.codes.astype(DType::F32).t())
            }
            _ => ct.matmul(&w.dequantize(DType::F32).t()),
        };
        same(scheme.name, &found, &wanted);
    }
    let w = quantize(&numbers(1, &[64, 8]), Scheme::INT4.groups_of(32));
    let x = numbers(2, &[4, 64]);
    let slopes: QuantizedTensor = grad(|w: &QuantizedTensor| w.apply(&x).square().sum(..))(&w);
    assert!(
        matches!(&slopes.scales, Scales::Plain(s) if s.shape() == [2, 8] && s.abs().min(..).item::<f32>().unwrap() > 0.0)
    );
    let by_scales = |s: &Array| {
        let w = QuantizedTensor { scales: Scales::Plain(s.astype(DType::F32)), ..w.clone() };
        w.apply(&x).sin().sum(..).astype(DType::F64)
    };
    let scales = w.scales.values().astype(DType::F64);
    let check = GradCheck { order: 1, step: Some(1e-3), tolerance: Some(2e-2), ..GradCheck::default() };
    check_grads(by_scales, &scales, check).unwrap();
}

#[test]
fn rounding_is_passed_straight_through() {
    for &scheme in Scheme::ALL {
        let (x, ct) = (numbers(1, &[256, 6]), numbers(2, &[256, 6]));
        let value = fake_quant(&x, scheme);
        same(scheme.name, &value, &quantize(&x, scheme).dequantize(DType::F32));
        let slope = grad(|x: &Array| (fake_quant(x, scheme) * &ct).sum(..))(&x);
        same(scheme.name, &slope, &ct);
        let each = vmap(move |x: &Array| fake_quant(x, scheme))(&numbers(3, &[2, 256, 6]));
        assert_eq!(each.shape(), [2, 256, 6]);
    }
}

/// The slope of a product of integers is that of the product it stands for.
#[test]
fn products_of_integers_have_the_slope_of_those_of_floats() {
    let (x, ct) = (numbers(2, &[4, 64]), numbers(3, &[4, 8]));
    for scheme in [Scheme::INT8, Scheme::INT4.groups_of(32), Scheme::UINT8, Scheme::UINT4.groups_of(16)] {
        let w = quantize(&numbers(1, &[64, 8]), scheme);
        let found = grad(|x: &Array| (dynamic_matmul(x, &w) * &ct).sum(..))(&x);
        let wanted = grad(|x: &Array| (w.apply(x) * &ct).sum(..))(&x);
        same(scheme.name, &found, &wanted);
        let found: QuantizedTensor = grad(|w: &QuantizedTensor| (dynamic_matmul(&x, w) * &ct).sum(..))(&w);
        let wanted: QuantizedTensor = grad(|w: &QuantizedTensor| (w.apply(&x) * &ct).sum(..))(&w);
        same(scheme.name, &found.scales.values(), &wanted.scales.values());
    }
}

/// The loss of `x w`, with `w` rounded to four bits.
fn loss(w: &Array) -> Array {
    let (x, y) = (numbers(2, &[32, 64]).clip(-2.0, 2.0), numbers(3, &[32, 2]).clip(-2.0, 2.0));
    (x.matmul(&fake_quant(w, Scheme::INT4.groups_of(32))) - &y).square().mean(..)
}

/// Steps of descent by gradients that pass straight through make the loss of the rounded weights smaller; by those of rounding, which
/// are 0, nothing would move.
#[test]
fn training_through_rounding_learns() {
    let step = jit(|w: &Array| w - grad(loss)(w) * 0.05);
    let mut w = numbers(4, &[64, 2]).clip(-2.0, 2.0) * 0.1;
    let before = loss(&w).item::<f32>().unwrap();
    for _ in 0..200 {
        w = step.call(w).unwrap();
    }
    let after = loss(&w).item::<f32>().unwrap();
    assert!(after < 0.5 * before, "{after} of {before}");
}

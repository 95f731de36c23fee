//! Infinities and NaNs among the numbers that are quantized.

use jarrah_array::{Array, DType};
use jarrah_quant::{ScaleBlock, Scheme, fake_quant, quantize};

/// A block that has an infinity or a NaN stands for NaNs, and no other block changes.
#[test]
fn a_block_with_an_infinity_or_a_nan_stands_for_nans() {
    let more = [Scheme::INT8.per_tensor(), Scheme::INT4.per_channel(), Scheme::UINT4.per_tensor()];
    for scheme in [Scheme::ALL, &more].concat() {
        for end in [f32::INFINITY, f32::NEG_INFINITY, f32::NAN] {
            for rest in [0.0f32, 0.3, -2.5] {
                let what = format!("{scheme} with {end} beside {rest}");
                let mut values = vec![rest; 512];
                // Row 20 of the first column of two.
                values[40] = 0.0;
                let finite = quantize(&Array::new(&values, &[256, 2]), scheme).dequantize(DType::F32);
                let finite = finite.to_vec::<f32>().unwrap();
                values[40] = end;
                let x = Array::new(&values, &[256, 2]);
                let found = quantize(&x, scheme).dequantize(DType::F32).to_vec::<f32>().unwrap();
                let again = fake_quant(&x, scheme).to_vec::<f32>().unwrap();
                for at in 0..512 {
                    let is_beside = match scheme.block {
                        ScaleBlock::Tensor => true,
                        ScaleBlock::Channel => at % 2 == 0,
                        ScaleBlock::Group(rows) => at % 2 == 0 && at / 2 / rows == 20 / rows,
                    };
                    let is_right = match is_beside {
                        true => found[at].is_nan(),
                        false => found[at].to_bits() == finite[at].to_bits(),
                    };
                    assert!(is_right, "{what}: {} at {at}", found[at]);
                    assert!(found[at].is_nan() == again[at].is_nan(), "{what}: {} at {at}", again[at]);
                }
            }
        }
    }
}

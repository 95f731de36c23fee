//! Products with integer weights in programs that JAX lowered: one step, JAX's numbers.

use jarrah_array::{Array, DType, Imported, jit, lax};
use jarrah_runtime::Way;

use crate::{golden, same};

const DEPTH: usize = 512;
const COLUMNS: usize = 256;

/// The operands of `oracle/quant.py`.
struct Operands {
    x: Array,
    codes: Array,
    scale: Array,
}

fn operands() -> Operands {
    let x = (lax::iota(DType::I32, &[4 * DEPTH], 0) * 37 % 101).astype(DType::F32);
    let along = |axis| lax::iota(DType::I32, &[DEPTH, COLUMNS], axis);
    let scale = lax::iota(DType::I32, &[COLUMNS], 0) % 7 + 1;
    Operands {
        x: (x / 64.0 - 0.75).reshape(&[4, DEPTH]),
        codes: (along(0) * 7 + along(1) * 13) & 15,
        scale: scale.astype(DType::F32) / 32.0,
    }
}

#[test]
fn weights_of_integers_are_scaled_as_products_read_them() {
    let Operands { x, codes, scale } = operands();
    let half = |axis: isize, i: usize| {
        let shape = if axis == 0 { [DEPTH / 2, 2, COLUMNS] } else { [DEPTH, COLUMNS / 2, 2] };
        let flat = if axis == 0 { [DEPTH / 2, COLUMNS] } else { [DEPTH, COLUMNS / 2] };
        codes.astype(DType::U8).reshape(&shape).slice(axis + 1, i..i + 1).reshape(&flat)
    };
    let pairs = |axis| half(axis, 0) | half(axis, 1).shift_left(4);
    let signed = |dtype| (&codes - 8).astype(dtype);
    let groups = (lax::iota(DType::I32, &[8, 1], 0) % 3 + 1).astype(DType::F32) * &scale;
    let bf16 = |x: &Array| x.astype(DType::BF16);
    let cases = [
        ("int8", vec![x.clone(), signed(DType::I8), scale.clone()]),
        ("int8_bf16", vec![bf16(&x), signed(DType::I8), bf16(&scale)]),
        ("int4", vec![x.clone(), signed(DType::I4), scale.clone()]),
        ("int4_grouped", vec![x.clone(), signed(DType::I4), groups]),
        ("nibbles", vec![x.clone(), pairs(0), scale.clone()]),
        ("shifted", vec![x.clone(), pairs(0), scale.clone()]),
        ("bitcast", vec![x.clone(), pairs(1), scale.clone()]),
    ];
    for (name, args) in cases {
        let path = format!("{}/tests/golden/{name}.mlir", env!("CARGO_MANIFEST_DIR"));
        let program = Imported::load(path).unwrap();
        let f = jit(move |args: &Vec<Array>| program.call(&args.iter().collect::<Vec<_>>()).swap_remove(0));
        let steps = f.lower(&args).compile().unwrap().steps();
        let products = steps.iter().filter(|step| step.way == Way::Product).count();
        let found = f.call(args).unwrap().astype(DType::F32);
        let wanted = golden(&format!("program/{name}"));
        let far = ((found - &wanted).abs() / wanted.abs().maximum(1.0)).max(..).item::<f32>().unwrap();
        assert!(far <= if name == "int8_bf16" { 0.01 } else { 1e-5 }, "{name}: {far}");
        // FIXME: integers of which two neighbours along the columns come of a byte that is bitcast are written to memory first.
        let all = if name == "bitcast" { 2 } else { 1 };
        assert_eq!((products, steps.len()), (1, all), "{name}: {steps:?}");
    }
}

/// Bytes as pairs of four-bit integers, as JAX's `bitcast_convert_type` has them: the first in the low half.
#[test]
fn bytes_are_pairs_of_integers() {
    let text = "func.func @main(%x: tensor<256xui8>) -> tensor<256x2xi4> {
        %y = stablehlo.bitcast_convert %x : (tensor<256xui8>) -> tensor<256x2xi4> return %y : tensor<256x2xi4> }";
    let f = Imported::from_bytes("bitcast", text.as_bytes()).unwrap();
    let pairs = f.call(&[&lax::iota(DType::U8, &[256], 0)]).swap_remove(0);
    same("pairs", &pairs.astype(DType::I8), &golden("bitcast/int4"));
}

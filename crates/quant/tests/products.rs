//! Products: one step, no copy of the weight in floats, the same bits everywhere.

use jarrah_array::{Array, DType, Literal, Prepared, along, jit, lax, make_program, vjp, vmap};
use jarrah_cpu::CpuClient;
use jarrah_quant::{Activations, QuantizedTensor, Scales, Scheme, Values, dynamic_matmul, quantize};
use jarrah_runtime::{Arg, Client, CompileOptions, ExecuteOptions, StepLabel, Way};

use crate::{numbers, same};

/// The schemes whose products take what they multiply with as it is.
pub fn of_weights() -> impl Iterator<Item = Scheme> {
    Scheme::ALL.iter().copied().filter(|scheme| scheme.activations == Activations::Plain)
}

fn apply((x, w): &(Array, QuantizedTensor)) -> Array {
    w.apply(x)
}

/// A compiled product with a quantized weight is one step, that makes the numbers as it reads codes, beside copies of the left operand in another order and,
/// for many rows, a loop that makes words of codes; nothing the size of the weight in floats lies in memory.
#[test]
fn a_product_is_one_step() {
    for dtype in [DType::F32, DType::BF16] {
        for scheme in of_weights() {
            for rows in [1, 5, 70] {
                let args =
                    (numbers(2, &[rows, 512]).astype(dtype), quantize(&numbers(1, &[512, 384]), scheme));
                let compiled = jit(apply).lower(&args).compile().unwrap();
                let steps = compiled.steps();
                let memory = compiled.memory_analysis().temporaries as usize;
                let name = format!("{} {dtype} {rows}: {steps:?}, {memory} bytes", scheme.name);
                let (products, others): (Vec<_>, Vec<_>) =
                    steps.iter().partition(|step| step.way == Way::Product);
                let copies = others.iter().filter(|step| step.way == Way::Copy).count();
                let makes_words = |step: &&&StepLabel| rows > 12 && step.types.starts_with("u32[");
                let words = others.iter().filter(makes_words).count();
                assert!(products.len() == 1 && copies <= 1 && copies + words == others.len(), "{name}");
                assert!(memory < 512 * 384 * 2, "{name}");
            }
        }
    }
}

/// Scales that make subnormal numbers, which processors round to zeros beside products of `bf16`, and what is no number.
#[test]
fn bits_are_kept_at_the_ends_of_floats() {
    // Numbers from there on are rounded up to the least normal one.
    let edge = 0x007f_8000;
    let bits =
        [edge - 1, edge, edge + 1, 0x007f_ffff, 0x0080_0000, 1, 0, 0x0010_0000, 0x7f80_0000, 0x7fc0_0000];
    for scheme in of_weights() {
        let w = quantize(&(Array::arange(81920.0) * 0.37f32).sin().reshape(&[256, 320]), scheme);
        let shape = w.scales.values().shape().to_vec();
        let (size, columns): (usize, usize) = (shape.iter().product(), shape[1]);
        // Those of a column are alike: the sums of few are no numbers.
        let end = |i: usize| {
            f32::from_bits(bits[i % columns % bits.len()]) * [1.0, 0.5, 2.0, 0.25][i % columns / 10 % 4]
        };
        let ends = (0..size).map(end);
        let scales = Array::from_slice(&ends.collect::<Vec<f32>>()).reshape(&shape[..]);
        let w = QuantizedTensor { scales: Scales::Plain(scales), ..w };
        for rows in [1, 8] {
            let x = ((Array::arange((256 * rows) as f32) * 0.7f32).cos().reshape(&[rows, 256]) * 1e37f32)
                .astype(DType::BF16);
            let fused = jit(apply).call((x.clone(), w.clone())).unwrap();
            same(scheme.name, &fused, &in_memory(&x, &w));
        }
    }
}

/// The results on devices of so many threads.
fn on_threads(threads: usize, args: &(Array, QuantizedTensor)) -> Literal {
    let program = make_program(apply, args);
    let client = CpuClient::with_threads(threads);
    let compiled = client.compile(&program, &CompileOptions::default()).unwrap();
    use jarrah_array::TreeExt;
    let leaves = TreeExt::<Array>::leaves(args);
    let upload = |x: &Array| Arg::Borrow(client.upload(&x.to_literal().unwrap()).unwrap());
    let args = leaves.into_iter().map(|x: &Array| upload(x)).collect();
    compiled.execute(vec![args], &ExecuteOptions::default()).unwrap().results[0][0].read().unwrap()
}

/// `x` after its values lie in memory: what comes next is another program, with which they are not fused.
fn written(x: &Array) -> Array {
    Array::from_literal(x.to_literal().unwrap())
}

/// The product with the numbers, or the integers of columns, in memory.
fn in_memory(x: &Array, w: &QuantizedTensor) -> Array {
    let scales = w.scales.values();
    if scales.shape()[0] > 1
        && w.scheme.values != Values::Normal4
        && matches!(x.dtype(), DType::F32 | DType::BF16 | DType::F16)
    {
        return by_groups(x, w);
    }
    if scales.shape()[0] > 1 || !matches!(w.scheme.values, Values::Int8 | Values::Int4) {
        return x.matmul(&written(&w.dequantize(x.dtype())));
    }
    let ones = Array::ones(&scales.shape());
    let integers = QuantizedTensor { scales: Scales::Plain(ones), ..w.clone() }.dequantize(x.dtype());
    (written(&x.matmul_as(&written(&integers), DType::F32)) * scales).astype(x.dtype())
}

/// The product with codes in memory, group by group: sums of each of them, and then sums of these times scales.
fn by_groups(x: &Array, w: &QuantizedTensor) -> Array {
    let scales = w.scales.values();
    let (groups, columns) = (scales.shape()[0], w.shape()[1]);
    let plain = QuantizedTensor { scales: Scales::Plain(Array::ones(&scales.shape())), ..w.clone() };
    let (mut codes, mut x) = (plain.dequantize(x.dtype()), x.clone());
    let (rows, each) = (w.shape()[0], w.shape()[0] / groups);
    if w.codes.shape()[0] < rows {
        codes = codes.reshape(&[rows / 8, 2, 4, columns]).swapaxes(1, 2);
        x = x.reshape(&[x.shape()[0], rows / 8, 2, 4]).swapaxes(2, 3);
    }
    let (codes, x) =
        (written(&codes.reshape(&[groups, each, columns])), x.reshape(&[x.shape()[0], groups, each]));
    let sums = written(&lax::dot_general_as(&written(&x), &codes, (&[2], &[1]), (&[1], &[0]), DType::F32));
    let spread = written(&scales.expand_dims(1).broadcast_to(&sums.shape()));
    written(&lax::dot_general_as(&sums, &spread, (&[0], &[0]), (&[1, 2], &[1, 2]), DType::F32))
        .astype(x.dtype())
}

/// Fused, with the weight in memory, alone, by rows, in a batch, on the evaluator, on more threads: the same bits.
#[test]
fn bits_are_those_of_the_numbers_in_memory() {
    for dtype in [DType::F32, DType::BF16, DType::F16] {
        for scheme in of_weights().chain([Scheme::INT8.per_tensor(), Scheme::INT4.per_channel()]) {
            let w = quantize(&numbers(1, &[256, 320]), scheme);
            let x = numbers(2, &[6, 256]).astype(dtype);
            let name = format!("{} {dtype}", scheme.name);
            let plain = in_memory(&x, &w);
            let args = (x.clone(), w.clone());
            let fused = jit(apply).call(args.clone()).unwrap();
            same(&name, &fused, &plain);
            same(&name, &w.apply(&x), &plain);
            for threads in [1, 3] {
                same(&name, &Array::from_literal(on_threads(threads, &args)), &plain);
            }
            let row = jit(apply).call((x.slice(0, 4..5), w.clone())).unwrap();
            same(&name, &row, &plain.slice(0, 4..5));
            let each = vmap(|x: &Array| w.apply(x))(&x);
            same(&name, &each, &plain);
        }
    }
}

/// Codes of four bits less any zero point that they may have, of few rows and of many, in memory as they come and in panels.
#[test]
fn zero_points_of_four_bits() {
    let w = quantize(&numbers(1, &[256, 320]), Scheme::UINT4.groups_of(64));
    let zeros = (Array::arange(4 * 320) % 17).astype(DType::U8).reshape(&[4, 320]);
    let w = QuantizedTensor { zeros: Some(zeros), ..w };
    for dtype in [DType::F32, DType::BF16, DType::F16] {
        for rows in [1, 6, 40] {
            let name = format!("{rows} rows {dtype}");
            let x = numbers(2, &[rows, 256]).astype(dtype);
            let wanted = by_groups(&x, &w);
            same(&name, &jit(apply).call((x.clone(), w.clone())).unwrap(), &wanted);
            let prepared =
                jit(|(w, x): &(QuantizedTensor, Array)| w.apply(x)).prepared(&Prepared::new(w.clone()));
            same(&name, &prepared.call((x.clone(),)).unwrap(), &wanted);
        }
    }
}

/// Sums are within 16 units in the last place, of the sum of magnitudes, of the exact ones over the dequantized numbers.
#[test]
fn sums_are_near_the_exact_ones() {
    let hostile = numbers(5, &[256, 160]);
    let hostile =
        &hostile * Array::arange(160).astype(DType::F32).reshape(&[1, 160]).gt(3).astype(DType::F32);
    let tiny = numbers(6, &[256, 160]) * 1e-38;
    let huge = numbers(7, &[256, 160]) * 1e30;
    let equal = Array::full(&[256, 160], 0.3, DType::F32);
    let ordinary = numbers(8, &[256, 160]);
    for scheme in of_weights() {
        for (kind, weight) in [&hostile, &tiny, &huge, &equal, &ordinary].into_iter().enumerate() {
            let scheme =
                if scheme.scale == DType::F16 && kind == 2 { scheme.scales(DType::F32) } else { scheme };
            let w = quantize(weight, scheme);
            let x = numbers(9, &[7, 256]);
            let found = jit(apply).call((x.clone(), w.clone())).unwrap().astype(DType::F64);
            let (x, w) = (x.astype(DType::F64), w.dequantize(DType::F32).astype(DType::F64));
            let bound = x.abs().matmul(&w.abs()) * (32.0 * 2f64.powi(-25)) + 1e-42;
            let far = ((found - x.matmul(&w)).abs() / bound).max(..).item::<f64>().unwrap();
            assert!(far <= 1.0, "{} {kind}: {far} of the bound", scheme.name);
        }
    }
}

/// Within half a step of the scale, as no other code is nearer.
#[test]
fn codes_are_the_nearest() {
    for (scheme, steps) in [(Scheme::INT8, 127.0), (Scheme::INT4, 7.0)] {
        for scheme in [scheme.per_tensor(), scheme.per_channel(), scheme.groups_of(64)] {
            let x = numbers(3, &[2, 128, 6]);
            let w = quantize(&x, scheme);
            let most = x.abs().max(..).item::<f32>().unwrap();
            let off = (w.dequantize(DType::F32) - &x).abs().max(..).item::<f32>().unwrap();
            assert!(off <= most / steps * 0.5 * 1.0001, "{scheme:?}: {off}");
            let columns = w.scales.values().shape()[2];
            assert_eq!(columns, if scheme == scheme.per_tensor() { 1 } else { 6 });
        }
    }
}

/// A stack of weights multiplies a stack of matrices, with the numbers that codes stand for.
#[test]
fn stacks_of_weights() {
    for scheme in of_weights() {
        let weights = numbers(4, &[3, 256, 40]);
        let x = numbers(5, &[3, 5, 256]);
        let w = quantize(&weights, scheme);
        let all = jit(apply).call((x.clone(), w)).unwrap();
        for i in 0..3 {
            let one = quantize(&weights.slice(0, i..i + 1).reshape(&[256, 40]), scheme);
            let x = x.slice(0, i..i + 1).reshape(&[5, 256]);
            let y = match one.scales.values().shape()[0] {
                1 => one.apply(&x),
                _ => x.matmul(&written(&one.dequantize(DType::F32))),
            };
            same(scheme.name, &all.slice(0, i..i + 1).reshape(&[5, 40]), &y);
        }
    }
}

/// Groups of rows, each times its matrix of a stack in few bits, or times the transpose of it.
pub fn in_groups((x, w, sizes): &(Array, QuantizedTensor, Array), transposed: bool) -> Array {
    by_matrices(x, &w.dequantize(x.dtype()), sizes, transposed)
}

fn by_matrices(x: &Array, w: &Array, sizes: &Array, transposed: bool) -> Array {
    let dimensions = lax::RaggedDotDimensionNumbers {
        contract: (vec![1], vec![if transposed { 2 } else { 1 }]),
        batch: (Vec::new(), Vec::new()),
        ragged: 0,
        group: Some(0),
    };
    lax::ragged_dot_general(x, w, sizes, &dimensions)
}

/// A product of groups of rows makes the matrices of those groups that have rows: it is one step, with the bits and the derivative of the product with
/// matrices in memory, which hold no stack of floats.
#[test]
fn stacks_of_weights_are_made_group_by_group() {
    let groups: [&[i32]; 3] = [&[0, 1, 0, 0, 0, 1], &[1, 2, 0, 3, 0, 6], &[0, 40, 3, 0, 100, 9]];
    for scheme in Scheme::ALL {
        for (dtype, sizes) in [DType::F32, DType::BF16, DType::F16]
            .into_iter()
            .flat_map(|dtype| groups.map(|sizes| (dtype, sizes)))
        {
            let w = quantize(&numbers(1, &[6, 256, 320]), *scheme);
            for transposed in [false, true] {
                let rows = sizes.iter().sum::<i32>() as usize;
                let x = numbers(2, &[rows, if transposed { 320 } else { 256 }]).astype(dtype);
                let args = (x, w.clone(), Array::from_slice(sizes));
                let compiled =
                    jit(move |args: &_| in_groups(args, transposed)).lower(&args).compile().unwrap();
                let (steps, memory) = (compiled.steps(), compiled.memory_analysis().temporaries);
                let name =
                    format!("{} {dtype} {sizes:?} {transposed}: {steps:?}, {memory} bytes", scheme.name);
                assert!(steps.len() == 1 && memory < 256 * 320 * 2, "{name}");
                let found = compiled.call(args.clone()).unwrap();
                let in_memory = written(&w.dequantize(dtype));
                same(&name, &found, &by_matrices(&args.0, &in_memory, &args.2, transposed));
                let slope = |f: &dyn Fn(&Array) -> Array| vjp(f, &args.0).1(&found);
                let by_codes = slope(&|x| in_groups(&(x.clone(), w.clone(), args.2.clone()), transposed));
                same(&name, &by_codes, &slope(&|x| by_matrices(x, &in_memory, &args.2, transposed)));
            }
        }
    }
}

/// Sums of integers are exact, so that the scales alone are rounded.
#[test]
fn integers_are_multiplied_exactly() {
    for scheme in [Scheme::INT8, Scheme::INT4.per_channel(), Scheme::INT8.per_tensor()] {
        let w = quantize(&numbers(1, &[256, 320]), scheme);
        let x = numbers(2, &[6, 256]);
        let product = |(x, w): &(Array, QuantizedTensor)| dynamic_matmul(x, w);
        let found = jit(product).call((x.clone(), w.clone())).unwrap();
        same(scheme.name, &found, &dynamic_matmul(&x, &w));
        let codes = quantize(&x.t(), Scheme::INT8);
        let (qx, sx) = (codes.codes.t().astype(DType::F64), codes.scales.values().t());
        let unscaled = QuantizedTensor { scales: w.scales.clone(), ..w.clone() };
        let sw = w.scales.values();
        let qw = (unscaled.dequantize(DType::F32) / &sw).round().astype(DType::F64);
        let wanted = qx.matmul(&qw).astype(DType::F32) * (sx * sw);
        same(scheme.name, &found, &wanted);
    }
}

/// Sizes of groups are whole numbers of any type: a group has no more rows than there are, and none where its size is negative.
#[test]
fn sizes_of_groups_past_32_bits_are_all_rows_and_negative_ones_none() {
    let w = Array::from_slice(&[1.0f32, 10.0, 100.0]).reshape(&[3, 1, 1]) * Array::ones(&[3, 8, 1]);
    let x = Array::ones(&[4, 8]);
    let large = Array::from_slice(&[1u32, 3_000_000_000, 0]);
    let wide = Array::from_slice(&[1i64, 1 << 32, 1]);
    let negative = Array::from_slice(&[3i64 - (1 << 32), 2, 1]);
    let most = Array::from_slice(&[u64::MAX, 1, 0]);
    for (sizes, wanted) in [
        (large, [8.0f32, 80.0, 80.0, 80.0]),
        (wide, [8.0, 80.0, 80.0, 80.0]),
        (negative, [80.0, 80.0, 800.0, 0.0]),
        (most, [8.0, 8.0, 8.0, 8.0]),
    ] {
        let name = format!("{}", sizes.ty());
        assert_eq!(lax::ragged_dot(&x, &w, &sizes).to_vec::<f32>().unwrap(), wanted, "{name}");
        let scales = Array::ones(&[3, 1, 1]);
        assert_eq!(
            lax::scaled_ragged_dot(&x, &w, &scales, &sizes).to_vec::<f32>().unwrap(),
            wanted,
            "{name}"
        );
        for scheme in [Scheme::INT8, Scheme::UINT8, Scheme::W8A8, Scheme::INT4.groups_of(8)] {
            let found = quantize(&w, scheme).apply_grouped(&x, &sizes);
            let off =
                (found - Array::from_slice(&wanted).reshape(&[4, 1])).abs().max(..).item::<f32>().unwrap();
            assert!(off < 8.0, "{} {name}", scheme.name);
        }
    }
}

/// Experts whose groups of rows have scales hold no stack of floats, and no sums of groups; the derivative by the rows is the product with what is
/// dequantized, and that by scales the derivative of it.
#[test]
fn stacks_whose_groups_have_scales_are_multiplied_as_codes() {
    for scheme in [Scheme::INT4, Scheme::Q4_0, Scheme::UINT4.groups_of(64).scales(DType::BF16), Scheme::MXFP4]
    {
        let w = quantize(&numbers(1, &[6, 256, 320]), scheme);
        for dtype in [DType::F32, DType::BF16, DType::F16] {
            for sizes in [[0, 1, 0, 0, 0, 1], [0, 40, 3, 0, 100, 9]] {
                let rows = sizes.iter().sum::<i32>() as usize;
                let x = numbers(2, &[rows, 256]).astype(dtype);
                let args = (x.clone(), w.clone(), Array::from_slice(&sizes));
                let f = |(x, w, sizes): &(Array, QuantizedTensor, Array)| w.apply_grouped(x, sizes);
                let memory = jit(f).lower(&args).compile().unwrap().memory_analysis().temporaries;
                let name = format!("{} {dtype} {sizes:?}", scheme.name);
                // The rows in the order of the codes, the results and scales in f32, and codes of many rows as words; floats are four times as many
                // bytes as codes.
                let most =
                    rows * (256 * dtype.size() + 320 * 4) + 4 * w.scales.values().size() + w.codes.size();
                assert!(memory <= most + (64 << 10), "{name}: {memory} bytes, not {most}");
                let slope = vjp(|x: &Array| w.apply_grouped(x, &args.2), &x).1(
                    &Array::ones(&[rows, 320]).astype(dtype),
                );
                let dense = w.dequantize(dtype);
                let wanted = vjp(|x: &Array| lax::ragged_dot(x, &dense, &args.2), &x).1(
                    &Array::ones(&[rows, 320]).astype(dtype),
                );
                same(&name, &slope, &wanted);
            }
        }
    }
}

/// Groups and zero points too: the same as sums in `f64`, in which every product and sum of these integers is exact, scaled and added in the
/// order of the groups.
#[test]
fn groups_of_integers_are_multiplied_exactly() {
    let groups =
        [Scheme::INT8.groups_of(64), Scheme::INT4, Scheme::UINT4.groups_of(32), Scheme::Q8_0, Scheme::Q4_0];
    let one = [
        Scheme::UINT8,
        Scheme::UINT4.per_channel(),
        Scheme::UINT8.per_tensor(),
        Scheme::UINT8.groups_of(128),
    ];
    for scheme in groups.into_iter().chain(one) {
        let taken = (lax::iota(DType::I32, &[256], 0) * 37 + 11) % 256;
        for order in [None, Some(taken)] {
            let w = quantize(&(numbers(1, &[256, 20]) + 0.5), scheme);
            let w = QuantizedTensor { order, ..w };
            let x = numbers(2, &[3, 2, 256]);
            let product = |(x, w): &(Array, QuantizedTensor)| dynamic_matmul(x, w);
            let found = jit(product).call((x.clone(), w.clone())).unwrap();
            same(scheme.name, &found, &dynamic_matmul(&x, &w));

            let x = w.order.as_ref().map_or(x.clone(), |order| x.take(order, -1));
            let rows = x.abs().max(along(-1).keepdims()) / 127.0f32;
            let codes = (&x / &rows).round().astype(DType::F64);
            let scales = w.scales.values();
            let (groups, columns) = (scales.shape()[0], scales.shape()[1]);
            let each = 256 / groups;
            let ones = Scales::Plain(Array::ones(&scales.shape()));
            let integers = QuantizedTensor { scales: ones, order: None, ..w };
            let integers = integers.dequantize(DType::F32).astype(DType::F64);
            let mut wanted = Array::zeros(&[3, 2, 20]);
            for g in 0..groups {
                let part = |x: &Array, axis| x.slice(axis, (g * each)..(g + 1) * each);
                let sums = part(&codes, -1).matmul(&part(&integers, 0)).astype(DType::F32);
                wanted += sums * (&rows * scales.slice(0, g..g + 1).reshape(&[columns]));
            }
            same(scheme.name, &found, &wanted);
        }
    }
}

/// The widest sums: codes, zero points and rows as large as they may be.
#[test]
fn sums_of_many_rows_fit() {
    let x = Array::full(&[1, 1 << 16], -1.0, DType::F32);
    for (code, zero) in [(255, 0), (0, 255), (255, 255), (127, 200)] {
        let w = QuantizedTensor {
            codes: Array::full(&[1 << 16, 1], code, DType::U8),
            scales: Scales::Plain(Array::ones(&[1, 1])),
            zeros: Some(Array::full(&[1, 1], zero, DType::U8)),
            order: None,
            scheme: Scheme::UINT8,
        };
        let wanted = (-127i64 * (1 << 16) * i64::from(code - zero)) as f32 * (1.0f32 / 127.0);
        assert_eq!(dynamic_matmul(&x, &w).item::<f32>().unwrap(), wanted, "{code} less {zero}");
    }
}

/// Codes that products read as words are kept as these alone, and come back as they were.
#[test]
fn prepared_codes_come_back() {
    let schemes = [Scheme::Q4_0, Scheme::UINT4, Scheme::MXFP4];
    // Those of many columns lie in panels.
    for (scheme, [rows, columns]) in schemes.into_iter().flat_map(|s| [(s, [256, 96]), (s, [512, 128])]) {
        let w = quantize(&numbers(1, &[rows, columns]), scheme);
        let codes = w.codes.to_vec::<u8>().unwrap();
        let weights = Prepared::new(w);
        let product = jit(|(w, x): &(QuantizedTensor, Array)| w.apply(x)).prepared(&weights);
        product.call((numbers(2, &[1, rows]),)).unwrap().block_until_ready().unwrap();
        assert_eq!(weights.get().unwrap().codes.to_vec::<u8>().unwrap(), codes, "{}", scheme.name);
    }
}

/// Rows have the same bits however many there are, prepared or not, on one thread and on three, in groups of every size and columns that
/// fill no panel.
#[test]
fn rows_of_groups_are_apart() {
    for dtype in [DType::F32, DType::BF16, DType::F16] {
        for scheme in [
            Scheme::Q4_0,
            Scheme::Q8_0,
            Scheme::MXFP4,
            Scheme::UINT4.groups_of(16),
            Scheme::INT8.groups_of(128),
        ] {
            // More than 128 groups are summed in blocks.
            let rows = if scheme == Scheme::Q4_0 { 32 * 150 } else { 512 };
            for columns in [40, 96, 192] {
                let w = quantize(&numbers(1, &[rows, columns]), scheme);
                let x = numbers(2, &[40, rows]).astype(dtype);
                let name = format!("{} {dtype} {rows} x {columns}", scheme.name);
                let all = in_memory(&x, &w);
                let prepared =
                    jit(|(w, x): &(QuantizedTensor, Array)| w.apply(x)).prepared(&Prepared::new(w.clone()));
                for count in [1, 2, 7, 8, 16, 17, 40] {
                    let some = x.slice(0, 3.min(40 - count)..3.min(40 - count) + count);
                    let wanted = all.slice(0, 3.min(40 - count)..3.min(40 - count) + count);
                    same(&name, &prepared.call((some.clone(),)).unwrap(), &wanted);
                    for threads in [1, 3] {
                        let found = on_threads(threads, &(some.clone(), w.clone()));
                        same(&name, &Array::from_literal(found), &wanted);
                    }
                }
            }
        }
    }
}

/// Each group of rows is the product with its matrix of a stack, in bits; rows behind the last group are 0, whatever its scales.
#[test]
fn groups_of_rows_are_products_with_their_matrices() {
    let sizes = [3usize, 0, 5, 1];
    let rows = sizes.iter().sum::<usize>() + 2;
    let per_column = [Scheme::INT8, Scheme::INT8.per_tensor(), Scheme::INT4.per_channel()];
    let of_integers = Activations::Int8;
    let others = [
        Scheme::NF4,
        Scheme::MXFP4,
        Scheme::W8A8,
        Scheme { activations: of_integers, ..Scheme::UINT8 },
        Scheme { activations: of_integers, ..Scheme::INT4.groups_of(64) },
        Scheme { activations: of_integers, ..Scheme::UINT4 },
    ];
    let of_groups = [Scheme::INT4, Scheme::Q4_0, Scheme::Q8_0, Scheme::UINT4, Scheme::UINT8.groups_of(64)];
    for scheme in per_column.into_iter().chain(of_groups).chain(others) {
        let w = quantize(&(numbers(1, &[sizes.len(), 256, 320]) + 0.25), scheme);
        for dtype in [DType::F32, DType::BF16, DType::F16] {
            let name = format!("{} {dtype}", scheme.name);
            let x = numbers(2, &[rows, 256]).astype(dtype);
            let of = Array::from_slice(&sizes.map(|size| size as i32));
            let f = |(x, w, of): &(Array, QuantizedTensor, Array)| w.apply_grouped(x, of);
            let y = jit(f).call((x.clone(), w.clone(), of.clone())).unwrap();
            assert_eq!(y.ty(), x.ty().with_dims([rows, 320]), "{name}");
            same(&name, &y, &w.apply_grouped(&x, &of));
            let mut first = 0;
            for (e, size) in sizes.into_iter().enumerate().filter(|(_, size)| *size > 0) {
                let matrix = QuantizedTensor {
                    codes: w.codes.at(e).get(),
                    scales: Scales::Plain(w.scales.values().at(e).get()),
                    zeros: w.zeros.as_ref().map(|zeros| zeros.at(e).get()),
                    ..w.clone()
                };
                let rows = x.slice(0, first..first + size);
                same(&format!("{name}, group {e}"), &y.slice(0, first..first + size), &matrix.apply(&rows));
                first += size;
            }
            same(&name, &y.slice(0, first..rows), &Array::zeros(&[2, 320]).astype(dtype));
        }
    }
    let w = quantize(&numbers(1, &[2, 8, 4]), Scheme::INT8);
    let infinite = Scales::Plain(Array::full(&[2, 1, 4], f64::INFINITY, DType::F32));
    let y = QuantizedTensor { scales: infinite, ..w }
        .apply_grouped(&Array::ones(&[3, 8]), &Array::from_slice(&[1i32, 1]));
    assert_eq!(y.slice(0, 2..3).to_vec::<f32>().unwrap(), [0.0; 4]);
}

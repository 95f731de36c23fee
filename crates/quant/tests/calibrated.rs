//! Rounding by what inputs there are: beside the published algorithm in doubles, and beside rounding to the nearest.

use jarrah_array::random::Key;
use jarrah_array::{Array, DType, jit, try_trace};
use jarrah_quant::{
    CompressedWeight, GptqOptions, Moments, QuantizedTensor, Scheme, awq_factors, gptq, quantize,
};

use crate::numbers;

/// Inputs that are much alike, some of them larger than others.
fn inputs(rows: usize) -> Array {
    let keys = Key::new(5).split(3);
    let own = (keys[2].normal(&[rows]) * 1.5).exp();
    (keys[0].normal(&[400, 1]) + keys[1].normal(&[400, rows]) * 0.4) * own
}

fn error(x: &Array, w: &Array, q: &Array) -> f64 {
    f64::from((x.matmul(w) - x.matmul(q)).square().sum(..).item::<f32>().unwrap())
}

/// A matrix of doubles.
type Matrix = Vec<Vec<f64>>;

fn doubles(x: &Array) -> Matrix {
    let columns = x.shape()[1];
    x.to_vec::<f32>()
        .unwrap()
        .chunks(columns)
        .map(|row| row.iter().map(|&x| f64::from(x)).collect())
        .collect()
}

/// The upper `U` with `U^T U = A^-1`: the factor of an inverse by elimination.
fn factor(a: &Matrix) -> Matrix {
    let n = a.len();
    let mut left = a.clone();
    let mut inverse: Matrix = (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    for i in 0..n {
        let by = left[i][i];
        for j in 0..n {
            left[i][j] /= by;
            inverse[i][j] /= by;
        }
        for k in (0..n).filter(|&k| k != i) {
            let times = left[k][i];
            for j in 0..n {
                left[k][j] -= times * left[i][j];
                inverse[k][j] -= times * inverse[i][j];
            }
        }
    }
    let mut lower: Matrix = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..=i {
            let sum: f64 = (0..j).map(|k| lower[i][k] * lower[j][k]).sum();
            lower[i][j] =
                if i == j { (inverse[i][i] - sum).sqrt() } else { (inverse[i][j] - sum) / lower[j][j] };
        }
    }
    (0..n).map(|i| (0..n).map(|j| lower[j][i]).collect()).collect()
}

/// GPTQ row by row in doubles, integers of four bits with a scale for each `group` rows.
fn reference(w: &Matrix, second: &Matrix, group: usize) -> Matrix {
    let n = w.len();
    let damp = 0.01 * (0..n).map(|i| second[i][i]).sum::<f64>() / n as f64;
    let mut moments = second.clone();
    (0..n).for_each(|i| moments[i][i] += damp);
    let upper = factor(&moments);
    let (mut w, mut q, mut scales) = (w.clone(), w.clone(), vec![0.0; w[0].len()]);
    for k in 0..n {
        for column in 0..w[0].len() {
            if k.is_multiple_of(group) {
                scales[column] = (k..k + group).map(|i| w[i][column].abs()).fold(0.0, f64::max) / 7.0;
            }
            let scale = scales[column];
            q[k][column] = (w[k][column] / scale).round_ties_even().clamp(-7.0, 7.0) * scale;
            let off = (w[k][column] - q[k][column]) / upper[k][k];
            for j in k + 1..n {
                w[j][column] -= upper[k][j] * off;
            }
        }
    }
    q
}

#[test]
fn gptq_is_the_published_algorithm() {
    let (x, w) = (inputs(96), numbers(9, &[96, 12]));
    let second = Moments::zeros(96).with(&x).second;
    let scheme = Scheme::INT4.groups_of(32);
    let own = gptq(&w, &second, scheme, &GptqOptions::default()).dequantize(DType::F32);
    let wanted = reference(&doubles(&w), &doubles(&second), 32);
    // A number that is rounded the other way in f32 moves all that come behind it in its column a little.
    let near = doubles(&own)
        .concat()
        .iter()
        .zip(wanted.concat())
        .filter(|(own, wanted)| (*own - wanted).abs() < 1e-4)
        .count();
    assert!(near > 96 * 12 * 9 / 10, "{near} of {}", 96 * 12);
    let flat: Vec<f32> = wanted.concat().into_iter().map(|x| x as f32).collect();
    let (own, wanted) = (error(&x, &w, &own), error(&x, &w, &Array::new(&flat, &[96, 12])));
    assert!(own < 1.05 * wanted, "{own} for {wanted}");
}

/// By every scheme of the integers and floats that are rounded, in both orders, the products have smaller errors than by rounding to the nearest.
#[test]
fn gptq_is_better_than_rounding() {
    let (x, w) = (inputs(64), numbers(2, &[64, 24]));
    let second = Moments::zeros(64).with(&x).second;
    for scheme in [
        Scheme::INT4.groups_of(32),
        Scheme::UINT4.groups_of(16),
        Scheme::INT4.per_channel(),
        Scheme::INT8,
        Scheme::UINT8,
        Scheme::INT8.per_tensor(),
        Scheme::F8E4M3,
        Scheme::MXFP4,
        Scheme::NF4,
        Scheme::INT4.groups_of(32).scales(DType::BF16),
    ] {
        let rounded = error(&x, &w, &quantize(&w, scheme).dequantize(DType::F32));
        for order in [false, true] {
            let options = GptqOptions { order, ..GptqOptions::default() };
            let run = jit(move |(w, second): &(Array, Array)| gptq(w, second, scheme, &options));
            let found = run.call((w.clone(), second.clone())).unwrap();
            assert_eq!(found.shape(), [64, 24]);
            assert_eq!(found.scheme, scheme);
            let off = error(&x, &w, &found.dequantize(DType::F32));
            assert!(off < 0.8 * rounded, "{scheme}, {order}: {off} for {rounded}");
        }
    }
}

#[test]
fn inputs_that_are_never_there_have_no_weight() {
    let x = inputs(32) * Array::arange(32.0).ge(4.0).astype(DType::F32);
    let w = numbers(3, &[32, 4]);
    let second = Moments::zeros(32).with(&x).second;
    let found = gptq(&w, &second, Scheme::INT4.groups_of(16), &GptqOptions::default()).dequantize(DType::F32);
    assert!(found.slice(0, ..4).to_vec::<f32>().unwrap().iter().all(|x| *x == 0.0));
    assert!(found.to_vec::<f32>().unwrap().iter().all(|x| x.is_finite()));
}

#[test]
fn factors_bring_out_what_matters() {
    let x = inputs(64);
    let seen = Moments::zeros(64).with(&x.slice(0, ..200)).with(&x.slice(0, 200..));
    assert_eq!(seen.count.item::<f32>().unwrap(), 400.0);
    let scheme = Scheme::INT4.groups_of(32);
    let weights = [numbers(7, &[64, 24]), numbers(8, &[64, 700])];
    let both: Vec<(Array, Scheme)> = weights.iter().map(|w| (w.clone(), scheme)).collect();
    let s = awq_factors(&both, &seen).expand_dims(1);
    let (mut scaled, mut rounded) = (0.0, 0.0);
    for w in &weights {
        scaled += error(&x, w, &(quantize(&(w * &s), scheme).dequantize(DType::F32) / &s));
        rounded += error(&x, w, &quantize(w, scheme).dequantize(DType::F32));
    }
    assert!(scaled < 0.8 * rounded, "{scaled} for {rounded}");
    // Where all inputs are alike there is nothing to bring out.
    let even = Moments::zeros(8).with(&Array::ones(&[4, 8]));
    let ones = awq_factors(&[(numbers(1, &[8, 4]), Scheme::INT8)], &even);
    assert_eq!(ones.to_vec::<f32>().unwrap(), [1.0; 8]);
}

#[test]
fn what_is_no_calibration_is_said() {
    let message = |f: &dyn Fn() -> QuantizedTensor| try_trace(f).unwrap_err().to_string();
    let options = GptqOptions::default();
    let moments = Array::eye(8);
    let error = message(&|| gptq(&Array::ones(&[2, 8, 4]), &moments, Scheme::INT8, &options));
    assert!(error.contains("is no matrix"), "{error}");
    let error = message(&|| gptq(&Array::ones(&[4, 4]), &moments, Scheme::INT8, &options));
    assert!(error.contains("the second moments is f32[8,8]"), "{error}");
    let error = message(&|| gptq(&Array::ones(&[8, 4]), &moments, Scheme::INT4, &options));
    assert!(error.contains("no multiple of int4's groups of 128"), "{error}");
    let error = try_trace(|| awq_factors(&[], &Moments::zeros(4))).unwrap_err().to_string();
    assert!(error.contains("there must be some, of 4 rows"), "{error}");
    let error = try_trace(|| Moments::zeros(4).with(&Array::ones(&[2, 3]))).unwrap_err().to_string();
    assert!(error.contains("they must be floats [.., 4]"), "{error}");
}

/// Parts of a weight are weights, and make it again.
#[test]
fn weights_are_cut_and_put_together() {
    let w = numbers(4, &[64, 12]);
    for scheme in [Scheme::INT4.groups_of(32), Scheme::UINT8, Scheme::MXFP4, Scheme::INT8.per_tensor()] {
        let whole = quantize(&w, scheme);
        let values = |w: &QuantizedTensor| w.dequantize(DType::F32).to_vec::<f32>().unwrap();
        let parts = [whole.columns(0..5), whole.columns(5..12)];
        assert_eq!(values(&QuantizedTensor::beside(&parts)), values(&whole));
        let stack = QuantizedTensor::stacked(&[whole.columns(0..6), whole.columns(6..12)]);
        assert_eq!(stack.shape(), [2, 64, 6]);
        assert_eq!(values(&stack.matrix(1)), values(&whole.columns(6..12)));
        let places = Array::from_slice(&[11i32, 0, 3]);
        let taken = whole.take_columns(&places).dequantize(DType::F32);
        assert_eq!(
            taken.to_vec::<f32>().unwrap(),
            whole.dequantize(DType::F32).take(&places, 1).to_vec::<f32>().unwrap()
        );
    }
    let unlike = [quantize(&w, Scheme::INT8), quantize(&w, Scheme::UINT8)];
    let error = try_trace(|| QuantizedTensor::beside(&unlike)).unwrap_err().to_string();
    assert!(error.contains("are not alike"), "{error}");
}

/// Every scheme that compressed-tensors has a form for comes back from it, also where codes fill no words.
#[test]
fn compressed_tensors_come_back() {
    let w = numbers(6, &[36, 10]);
    for scheme in Scheme::ALL {
        let scheme = match scheme.name {
            "mxfp4" | "q8_0" | "q4_0" => *scheme,
            "int4" | "uint4" => scheme.groups_of(12),
            _ => scheme.per_channel(),
        };
        let w = if scheme.check_rows(36).is_ok() { w.clone() } else { numbers(6, &[64, 10]) };
        let first = quantize(&w, scheme);
        if scheme.name == "nf4" {
            let error = try_trace(|| first.to_compressed()).unwrap_err().to_string();
            assert!(error.contains("the formats hold a matrix of integers"), "{error}");
            continue;
        }
        let stored: CompressedWeight = first.to_compressed();
        let again = QuantizedTensor::from_compressed(&stored, [10, w.shape()[0]]);
        let values = |w: &QuantizedTensor| w.dequantize(DType::F32).to_vec::<f32>().unwrap();
        assert_eq!(values(&first), values(&again), "{scheme}");
        assert_eq!(first.scheme.values, again.scheme.values);
    }
    // Groups of rows that are no neighbours.
    let stored = quantize(&numbers(6, &[64, 10]), Scheme::INT4.groups_of(16)).to_compressed();
    let g_idx = Array::arange(64) % 4;
    let mixed = QuantizedTensor::from_compressed(
        &CompressedWeight { g_idx: Some(g_idx.clone()), ..stored.clone() },
        [10, 64],
    );
    assert!(mixed.order.is_some());
    let ones = CompressedWeight { scales: Array::ones(&[10, 4]), ..stored.clone() };
    let codes = QuantizedTensor::from_compressed(&ones, [10, 64]).dequantize(DType::F32);
    let scales = stored.scales.t().take(&g_idx, 0);
    assert_eq!(
        mixed.dequantize(DType::F32).to_vec::<f32>().unwrap(),
        (codes * scales).to_vec::<f32>().unwrap()
    );
    let error = try_trace(|| mixed.to_compressed()).unwrap_err().to_string();
    assert!(error.contains("with rows in their own order"), "{error}");
    let error = try_trace(|| QuantizedTensor::from_compressed(&stored, [10, 60])).unwrap_err().to_string();
    assert!(
        error.contains("no words of 4 or 8 bits of [10, 60]") || error.contains("no 4 groups"),
        "{error}"
    );
}

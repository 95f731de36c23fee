use jarrah_base::{CHAIN, DType, Literal, bf16};
use jarrah_hlo::ops::DotGeneral;
use smallvec::smallvec;

use super::{f32s, i32s, run};

#[test]
fn matrices() {
    let op = DotGeneral::matmul(0, DType::I32);
    let product = run(op, &[i32s(&[2, 3], &[1, 2, 3, 4, 5, 6]), i32s(&[3, 2], &[7, 8, 9, 10, 11, 12])]);
    assert_eq!(product, i32s(&[2, 2], &[58, 64, 139, 154]));
}

#[test]
fn axes_in_any_place() {
    let op = DotGeneral {
        lhs_batch: smallvec![1],
        rhs_batch: smallvec![2],
        lhs_contract: smallvec![0],
        rhs_contract: smallvec![1],
        out: DType::I32,
    };
    // out[b, m, n] = sum over k of lhs[k, b, m] * rhs[n, k, b]
    let lhs = i32s(&[2, 2, 1], &[1, 2, 3, 4]);
    let rhs = i32s(&[2, 2, 2], &[1, 10, 2, 20, 3, 30, 4, 40]);
    assert_eq!(run(op, &[lhs, rhs]), i32s(&[2, 1, 2], &[7, 15, 100, 220]));
}

#[test]
fn short_sums_are_one_chain_of_fused_multiply_adds() {
    let x = [1.0f32 + f32::EPSILON, 3.0, 1e-8, 7.0];
    let y = [1.0f32 + f32::EPSILON, 1e-7, 2.0, -1.0];
    assert_eq!(inner(&x, &y), chain(&x, &y));
}

/// The product of a row and a column.
fn inner(x: &[f32], y: &[f32]) -> f32 {
    let op = DotGeneral::matmul(0, DType::F32);
    run(op, &[f32s(&[1, x.len()], x), f32s(&[y.len(), 1], y)]).as_slice::<f32>().unwrap()[0]
}

fn chain(x: &[f32], y: &[f32]) -> f32 {
    x.iter().zip(y).fold(0.0f32, |sum, (&x, &y)| x.mul_add(y, sum))
}

/// Numbers in [-0.5, 0.5): a hash of the seed and the place (splitmix64).
fn numbers(count: usize, seed: u64) -> Vec<f32> {
    let number = |i: u64| {
        let z = ((seed << 32) | i).wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 40) as f32 / 16_777_216.0 - 0.5
    };
    (0..count as u64).map(number).collect()
}

#[test]
fn blocks_are_added_in_order() {
    for k in [CHAIN - 1, CHAIN, CHAIN + 1, 2 * CHAIN, 2 * CHAIN + 1, 5 * CHAIN + 3] {
        let (x, y) = (numbers(k, 1), numbers(k, 2));
        let blocks = x.chunks(CHAIN).zip(y.chunks(CHAIN)).map(|(x, y)| chain(x, y));
        assert_eq!(inner(&x, &y), blocks.reduce(|sum, block| sum + block).unwrap(), "{k}");
    }
    // The first block is the sum itself: a zero keeps its sign.
    assert!(inner(&[-1e-30], &[1e-30]).is_sign_negative());
    assert!(inner(&[0.0; 2 * CHAIN], &[-1.0; 2 * CHAIN]).is_sign_positive());
}

#[test]
fn blocks_are_nearer_the_truth_than_one_chain() {
    for (k, n, times) in [(1024, 16, 2.0), (4096, 16, 3.0), (50_257, 6, 4.0)] {
        let (x, y) = (numbers(n * k, 1), numbers(n * k, 2));
        let op = DotGeneral { rhs_contract: smallvec![1], ..DotGeneral::matmul(0, DType::F32) };
        let product = run(op, &[f32s(&[n, k], &x), f32s(&[n, k], &y)]).to_f64_vec();
        let (mut blocks, mut one) = (0.0, 0.0);
        for (i, sum) in product.iter().enumerate() {
            let (x, y) = (&x[i / n * k..][..k], &y[i % n * k..][..k]);
            let truth: f64 = x.iter().zip(y).map(|(&x, &y)| f64::from(x) * f64::from(y)).sum();
            blocks += (sum - truth).powi(2);
            one += (f64::from(chain(x, y)) - truth).powi(2);
        }
        let ratio = f64::sqrt(one / blocks);
        assert!(ratio > times, "{k}: one chain is {ratio:.2} times as far off");
    }
}

#[test]
fn halves_are_summed_in_single_precision() {
    // 256 + 1 is no bf16, but 256 + 1 + 1 is.
    let x = [256.0, 1.0, 1.0].map(bf16::from_f32);
    let ones = [bf16::from_f32(1.0); 3];
    let (x, ones) = (Literal::from_slice(&[1, 3], &x).unwrap(), Literal::from_slice(&[3, 1], &ones).unwrap());
    let narrow = run(DotGeneral::matmul(0, DType::BF16), &[x.clone(), ones.clone()]);
    assert_eq!(narrow.to_f64_vec(), [258.0]);
    let wide = run(DotGeneral::matmul(0, DType::F32), &[x, ones]);
    assert_eq!(wide, f32s(&[1, 1], &[258.0]));
}

#[test]
fn an_empty_sum_is_zero() {
    let product = run(DotGeneral::matmul(0, DType::F32), &[f32s(&[2, 0], &[]), f32s(&[0, 1], &[])]);
    assert_eq!(product, f32s(&[2, 1], &[0.0, 0.0]));
}

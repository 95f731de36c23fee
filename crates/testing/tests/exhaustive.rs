//! A sample of what `cargo xtask exhaustive` looks at: functions of floats within their stated bounds.

use jarrah_base::DType;
use jarrah_cpu::CpuClient;
use jarrah_testing::exhaustive::{FUNCTIONS, TYPES, bound, distance, worst};

/// Prime, so that exponents and significands are both met evenly.
const STRIDE: u64 = 9973;

#[test]
fn functions_of_floats_keep_their_bounds() {
    let client = CpuClient::with_threads(2);
    for dtype in TYPES {
        for &(kind, in_f32) in FUNCTIONS {
            // All floats of 16 bits, and a sample of those of 32.
            let stride = if dtype == DType::F32 { STRIDE } else { 1 };
            let worst = worst(&client, kind, dtype, stride).unwrap();
            println!("{} {dtype}: {worst:?}", kind.name());
            assert!(worst.count >= 1 << 16, "{worst:?}");
            assert!(worst.ulps <= bound(dtype, in_f32), "{} of {dtype}: {worst:?}", kind.name());
        }
    }
}

#[test]
fn distances_are_in_units_of_the_type() {
    let apart = |found, truth| distance(DType::F32, found, truth);
    assert_eq!(apart(f64::from(1.0f32.next_up()), 1.0), 1.0);
    assert_eq!(apart(1e-45f32.into(), 0.0), 1.0);
    assert_eq!(apart(f64::INFINITY, f64::from(f32::MAX)), 1.0);
    assert_eq!(apart(f64::INFINITY, 1e300), 0.0);
    assert_eq!(apart(f64::NAN, 1.0), f64::INFINITY);
    assert_eq!(distance(DType::BF16, 1.0078125, 1.0), 1.0);
    assert_eq!(distance(DType::F16, f64::INFINITY, 65504.0), 1.0);
}

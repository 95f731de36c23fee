//! Counter-based ciphers of 32-bit words: the same key and counter always give the same random words.
//!
//! Source: Salmon et al., Parallel random numbers: as easy as 1, 2, 3 (2011).

use jarrah_base::{DType, Error, Location};
use jarrah_hlo::ops::Threefry2x32;

use super::mulhi;
use crate::array::Array;
use crate::error::fail;
use crate::operators::broadcast_shapes;
use crate::trace::apply;

/// The steps by which Philox's key grows from round to round: the golden ratio and the square root of three, less one.
const WEYL: [u32; 2] = [0x9E37_79B9, 0xBB67_AE85];
/// Philox's factor for one pair of words.
const PHILOX2: u32 = 0xD256_D193;
/// Philox's factors for two pairs of words.
const PHILOX4: [u32; 2] = [0xD251_1F53, 0xCD9E_8D57];
/// By how many bits each round of Threefry-4x32 rotates its two pairs of words, in turn.
const ROTATIONS: [[u32; 2]; 8] =
    [[10, 26], [11, 21], [13, 27], [23, 5], [6, 20], [17, 11], [25, 10], [18, 20]];
/// The constant with which the other words are combined to the last word of Threefry's key schedule.
const PARITY: u32 = 0x1BD1_1BDA;

/// Threefry-2x32 with twenty rounds. The arrays are `u32` of one shape.
///
/// ```
/// use jarrah_array::{Array, lax};
/// let zero = Array::scalar(0u32);
/// let [a, b] = lax::threefry2x32([&zero, &zero], [&zero, &zero]);
/// assert_eq!((a.item::<u32>()?, b.item::<u32>()?), (0x6b20_0159, 0x99ba_4efe));
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn threefry2x32(keys: [&Array; 2], counters: [&Array; 2]) -> [Array; 2] {
    let words = apply(Threefry2x32, &[keys[0], keys[1], counters[0], counters[1]]);
    words.try_into().unwrap_or_else(|_| fail(Error::internal("threefry has two results")))
}

/// Threefry-4x32 with twenty rounds: each adds, rotates and combines two pairs of words; every fourth adds the next words of
/// the key. The arrays are `u32`, of one shape or scalars.
///
/// ```
/// use jarrah_array::{Array, lax};
/// let zero = Array::scalar(0u32);
/// let words = lax::threefry4x32([&zero; 4], [&zero; 4]);
/// assert_eq!(words[0].item::<u32>()?, 0x9c6c_a96a);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn threefry4x32(keys: [&Array; 4], counters: [&Array; 4]) -> [Array; 4] {
    check("threefry4x32", &[&keys[..], &counters[..]].concat());
    let last = keys[0] ^ keys[1] ^ keys[2] ^ keys[3] ^ Array::scalar(PARITY);
    let schedule = [keys[0], keys[1], keys[2], keys[3], &last];
    let [mut x0, mut x1, mut x2, mut x3] = [0, 1, 2, 3].map(|i| counters[i] + keys[i]);
    for round in 0..20usize {
        let [first, second] = ROTATIONS[round % ROTATIONS.len()];
        // The partners of words 0 and 2 are 1 and 3, and in every other round 3 and 1.
        (x0, x2) = (x0 + &x1, x2 + &x3);
        x1 = rotated(&x1, first) ^ &x0;
        x3 = rotated(&x3, second) ^ &x2;
        std::mem::swap(&mut x1, &mut x3);
        if round % 4 == 3 {
            let injection = round / 4 + 1;
            x0 += schedule[injection % 5];
            x1 += schedule[(injection + 1) % 5];
            x2 += schedule[(injection + 2) % 5];
            x3 = x3 + schedule[(injection + 3) % 5] + Array::scalar(injection as u32);
        }
    }
    [x0, x1, x2, x3]
}

/// Philox-2x32 with ten rounds: `(x0, x1) = (high(m x0) ^ x1 ^ key, low(m x0))`, the key growing from round to round. The
/// arrays are `u32`, of one shape or scalars.
///
/// ```
/// use jarrah_array::{Array, lax};
/// let zero = Array::scalar(0u32);
/// let words = lax::philox2x32(&zero, [&zero; 2]);
/// assert_eq!(words[0].item::<u32>()?, 0xff1d_ae59);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn philox2x32(key: &Array, counters: [&Array; 2]) -> [Array; 2] {
    let shape = check("philox2x32", &[key, counters[0], counters[1]]);
    let [mut x0, mut x1] = counters.map(|x| x.broadcast_to(&shape));
    for round in 0..10u32 {
        let key = key + Array::scalar(WEYL[0].wrapping_mul(round));
        let (high, low) = product(PHILOX2, &x0);
        (x0, x1) = (high ^ x1 ^ key, low);
    }
    [x0, x1]
}

/// Philox-4x32 with ten rounds, which multiply two of the words and exchange the pairs. The arrays are `u32`, of one shape or
/// scalars.
///
/// ```
/// use jarrah_array::{Array, lax};
/// let zero = Array::scalar(0u32);
/// let words = lax::philox4x32([&zero; 2], [&zero; 4]);
/// assert_eq!(words[0].item::<u32>()?, 0x6627_e8d5);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn philox4x32(keys: [&Array; 2], counters: [&Array; 4]) -> [Array; 4] {
    let shape = check("philox4x32", &[&keys[..], &counters[..]].concat());
    let [mut x0, mut x1, mut x2, mut x3] = counters.map(|x| x.broadcast_to(&shape));
    for round in 0..10u32 {
        let keys = [0, 1].map(|i| keys[i] + Array::scalar(WEYL[i].wrapping_mul(round)));
        let ((high0, low0), (high1, low1)) = (product(PHILOX4[0], &x0), product(PHILOX4[1], &x2));
        (x0, x1, x2, x3) = (high1 ^ x1 ^ &keys[0], low1, high0 ^ x3 ^ &keys[1], low0);
    }
    [x0, x1, x2, x3]
}

/// The shape that the words of a cipher have together; panics unless all are `u32`.
#[track_caller]
fn check(op: &str, words: &[&Array]) -> Vec<usize> {
    if let Some(other) = words.iter().find(|word| word.dtype() != DType::U32) {
        let error = Error::program(format!("works on u32, not on {}", other.ty()));
        fail(error.op(op).at(Location::caller()).help("convert the words with astype(DType::U32)"));
    }
    let mut shape = Vec::new();
    for word in words {
        shape = match broadcast_shapes(&shape, &word.shape()) {
            Some(shape) => shape,
            None => {
                let error = Error::program(format!("{:?} and {shape:?} do not broadcast", word.shape()));
                fail(error.op(op).at(Location::caller()).help("give words of one shape, or scalars"))
            }
        };
    }
    shape
}

/// The upper and the lower word of `factor * x`.
#[track_caller]
fn product(factor: u32, x: &Array) -> (Array, Array) {
    let factor = Array::scalar(factor).broadcast_to(&x.shape());
    (mulhi(&factor, x), factor * x)
}

/// `x` rotated to the left.
#[track_caller]
fn rotated(x: &Array, by: u32) -> Array {
    x.shift_left(i64::from(by)) | x.shift_right(i64::from(32 - by))
}

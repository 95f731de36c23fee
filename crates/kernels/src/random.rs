//! Random numbers in kernels: a block's numbers come from the key and the block's number, so no point waits for another.

use jarrah_array::kernel::{Block, kernel, program_id};
use jarrah_array::random::Key;
use jarrah_array::{Array, DType, Type, where_};

use crate::shape::require;

/// The elements in a block.
const BLOCK: usize = 1024;

/// The block's own key.
#[track_caller]
fn own(key: &Key) -> Key {
    key.fold_in_array(&program_id(0).astype(DType::U32))
}

/// `x / (1 - rate)` with probability `1 - rate`, else 0.
///
/// ```
/// use jarrah_array::{Array, random::Key};
/// let y = jarrah_kernels::dropout(&Array::ones(&[1000]), 0.5, &Key::new(0));
/// let kept = y.gt(0.0).sum(..).to_f64()?;
/// assert!((400.0..600.0).contains(&kept));
/// assert_eq!(y.max(..).item::<f32>()?, 2.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Srivastava and others, Dropout (2014).
#[track_caller]
pub fn dropout(x: &Array, rate: f64, key: &Key) -> Array {
    require("dropout", (0.0..1.0).contains(&rate), || format!("the rate is from 0 to below 1, not {rate}"));
    let (size, block) = (x.size(), x.size().clamp(1, BLOCK));
    kernel(|[x, y]| {
        let keep = own(key).uniform(&[block]).ge(rate);
        y.set(where_(&keep, x.get() / (1.0 - rate), 0.0));
    })
    .name("dropout")
    .grid(&[size.div_ceil(block)])
    .input(Block::new([block], |[i]| [i]))
    .output(x.ty().with_dims([size]), Block::new([block], |[i]| [i]))
    .call_one(&[&x.reshape(&[size])])
    .reshape(&x.shape()[..])
}

/// Numbers of the standard normal distribution, `f32`: `sqrt(-2 ln u) cos(2 pi v)` and `sqrt(-2 ln u) sin(2 pi v)` of two uniform
/// numbers.
///
/// ```
/// use jarrah_array::random::Key;
/// let x = jarrah_kernels::random_normal(&[4, 1000], &Key::new(1));
/// assert!(x.mean(..).to_f64()?.abs() < 0.05 && (x.std(..).to_f64()? - 1.0).abs() < 0.05);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Box and Muller, A note on the generation of random normal deviates (1958).
#[track_caller]
pub fn random_normal(shape: &[usize], key: &Key) -> Array {
    let size: usize = shape.iter().product();
    kernel(|[y]| {
        let (first, second) = own(key).pair();
        let half = [BLOCK / 2];
        // One less a number from 0 to below 1 has a logarithm.
        let length = ((1.0 - first.uniform(&half)).log() * -2.0).sqrt();
        let angle = second.uniform(&half) * (2.0 * std::f64::consts::PI);
        y.set(jarrah_array::concatenate(&[&(&length * angle.cos()), &(&length * angle.sin())], 0));
    })
    .name("random_normal")
    .grid(&[size.div_ceil(BLOCK)])
    .output(Type::tensor(DType::F32, [size]), Block::new([BLOCK], |[i]| [i]))
    .call_one(&[])
    .reshape(shape)
}

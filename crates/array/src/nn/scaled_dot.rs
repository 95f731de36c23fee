//! Products of tensors that are rounded to narrow floats with a scale for each block: MXFP8 and NVFP4.

use jarrah_base::{DType, Error, Location};

use super::scaled_matmul;
use crate::array::Array;
use crate::custom::custom_vjp;
use crate::elementwise::where_;
use crate::error::fail;
use crate::lax;

/// The format an operand is rounded to: elements of a narrow float type, with one scale for each block of elements.
#[derive(Clone, Debug)]
pub enum BlockScaleConfig {
    /// Blocks of 32 elements of `f8e4m3fn`, scaled by powers of two.
    Mxfp8,
    /// Blocks of 16 elements of `f4e2m1fn`, scaled by `f8e4m3fn` and all together by one `f32`.
    Nvfp4 {
        /// The scale of the tensor, a scalar or `f32[1]`.
        global_scale: Array,
    },
}

impl BlockScaleConfig {
    /// [`BlockScaleConfig::Nvfp4`] with a scale of one for the tensor.
    ///
    /// ```
    /// use jarrah_array::nn::{BlockScaleConfig, scaled_dot_general};
    /// use jarrah_array::{Array, DType};
    /// let x = Array::full(&[1, 16], 1.5, DType::F32);
    /// let configs = [(); 3].map(|()| BlockScaleConfig::nvfp4());
    /// let y = scaled_dot_general(&x, &x, (&[1], &[1]), (&[], &[]), DType::F32, &configs);
    /// // 1.5 is 6, the largest number of four bits, times a scale of 0.25.
    /// assert_eq!(y.to_vec::<f32>()?, [36.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn nvfp4() -> Self {
        BlockScaleConfig::Nvfp4 { global_scale: Array::scalar(1.0f32) }
    }

    fn block(&self) -> usize {
        match self {
            BlockScaleConfig::Mxfp8 => 32,
            BlockScaleConfig::Nvfp4 { .. } => 16,
        }
    }

    fn dtype(&self) -> DType {
        match self {
            BlockScaleConfig::Mxfp8 => DType::F8E4M3FN,
            BlockScaleConfig::Nvfp4 { .. } => DType::F4E2M1FN,
        }
    }

    /// The largest element.
    fn largest(&self) -> f64 {
        match self {
            BlockScaleConfig::Mxfp8 => LARGEST_F8,
            BlockScaleConfig::Nvfp4 { .. } => 6.0,
        }
    }

    /// Fails unless `k`, the number of contracted elements, is a multiple of the block size.
    #[track_caller]
    fn check(&self, k: usize) {
        let block = self.block();
        if k == 0 || !k.is_multiple_of(block) {
            let error =
                Error::program(format!("{k} elements are multiplied and added, in blocks of {block}"));
            let help = "make the axes that are contracted together a multiple of the block, with zeros";
            fail(error.op("scaled_dot_general").at(Location::caller()).help(help));
        }
    }

    /// Rounds `x[.., m, k]`; returns the rounded elements and the scales `[.., m, k / block]`, both converted back to `f32`.
    #[track_caller]
    fn quantize(&self, x: &Array) -> (Array, Array) {
        let (shape, block) = (x.shape().to_vec(), self.block());
        let [lead @ .., k] = &shape[..] else { fail(Error::internal("a matrix has axes")) };
        self.check(*k);
        let blocks: Vec<isize> = lead.iter().chain(&[k / block, block]).map(|&d| d as isize).collect();
        let (x, scales) = match self {
            BlockScaleConfig::Mxfp8 => {
                let x = x.reshape(&blocks);
                let scales = power_of_two_above(&(x.abs().max(-1).expand_dims(-1) / self.largest()));
                (&x / scales.astype(x.dtype()), scales)
            }
            BlockScaleConfig::Nvfp4 { global_scale } => {
                let x = (x / global_scale.reshape(())).reshape(&blocks);
                let scales = (x.abs().max(-1).expand_dims(-1) / self.largest()).clip(0, LARGEST_F8);
                let scales = scales.astype(DType::F8E4M3FN).astype(DType::F32);
                // Blocks whose scale is zero, or rounds to zero, become zeros.
                (where_(&scales.eq(0), 0, x / where_(&scales.eq(0), 1, &scales)), scales)
            }
        };
        let whole: Vec<isize> = shape.iter().map(|&d| d as isize).collect();
        let rounded = x.clip(-self.largest(), self.largest()).astype(self.dtype()).reshape(&whole);
        (rounded, scales.squeeze(-1))
    }

    /// The largest magnitude that is not clipped, for formats that clip.
    fn limit(&self) -> Option<Array> {
        match self {
            BlockScaleConfig::Mxfp8 => None,
            BlockScaleConfig::Nvfp4 { global_scale } => {
                Some(global_scale.reshape(()) * (self.largest() * LARGEST_F8))
            }
        }
    }
}

/// The largest `f8e4m3fn`.
const LARGEST_F8: f64 = 448.0;

/// The smallest power of two that is at least `x >= 0`, in `f32`: the exponent bits of `x`, plus one if the mantissa is not zero.
#[track_caller]
fn power_of_two_above(x: &Array) -> Array {
    let smallest = if x.dtype() == DType::F16 { 2f64.powi(-15) } else { 2f64.powi(-127) };
    let bits = x.astype(DType::F32).bitcast(DType::U32);
    let (exponent, fraction) = (bits.shift_right(23), &bits & Array::scalar(0x7f_ffffu32));
    // The subnormal numbers are split at 2^-127, half of the smallest normal number; at the largest exponent there is nothing
    // above.
    let up = fraction.gt(0) & exponent.ne(0xfe) & !(exponent.eq(0) & fraction.le(0x40_0000));
    let power = (exponent + up.astype(DType::U32)).shift_left(23).bitcast(DType::F32);
    where_(&power.eq(0), smallest, power)
}

/// The roles of an operand's axes in a product.
#[derive(Clone)]
struct Side {
    batch: Vec<usize>,
    kept: Vec<usize>,
    contract: Vec<usize>,
}

impl Side {
    fn new(rank: usize, contract: &[usize], batch: &[usize]) -> Self {
        let kept = (0..rank).filter(|axis| !contract.contains(axis) && !batch.contains(axis)).collect();
        Side { batch: batch.to_vec(), kept, contract: contract.to_vec() }
    }

    /// `x` as a batch of matrices with the contracted axes last.
    #[track_caller]
    fn matrices(&self, x: &Array) -> Array {
        let order = [&self.batch[..], &self.kept, &self.contract].concat();
        let extent = |axes: &[usize]| axes.iter().map(|&axis| x.shape()[axis]).product::<usize>() as isize;
        lax::transpose(x, &order).reshape(&[extent(&self.batch), extent(&self.kept), extent(&self.contract)])
    }
}

/// The extents of the axes of `x`.
fn extents(x: &Array, axes: &[usize]) -> Vec<isize> {
    axes.iter().map(|&axis| x.shape()[axis] as isize).collect()
}

/// The product of batches of rows that are rounded first, in `out`.
#[track_caller]
fn rounded_product(x: &Array, y: &Array, configs: [&BlockScaleConfig; 2], out: DType) -> Array {
    let ((x, x_scales), (y, y_scales)) = (configs[0].quantize(x), configs[1].quantize(y));
    let product = scaled_matmul(&x, &y, &x_scales, &y_scales, DType::F32);
    let scale = |config: &BlockScaleConfig| match config {
        BlockScaleConfig::Mxfp8 => None,
        BlockScaleConfig::Nvfp4 { global_scale } => Some(global_scale.reshape(())),
    };
    match (scale(configs[0]), scale(configs[1])) {
        (Some(a), Some(b)) => product * (a * b),
        (Some(a), None) | (None, Some(a)) => product * a,
        (None, None) => product,
    }
    .astype(out)
}

/// The product of `lhs` and `rhs` over the axes in `contract`, for each index of the axes in `batch`. The operands are rounded to
/// narrow floats in blocks along the contracted axes; axes and result are those of [`lax::dot_general`].
///
/// `configs` says how `lhs`, `rhs` and the cotangent are rounded. In the backward pass of MXFP8 the cotangent and the other
/// operand are rounded along the axes that are contracted then, if these make whole blocks; else, and for NVFP4, they are multiplied
/// in full precision. The derivative of
/// rounding is one, and zero where NVFP4 cuts a number off.
///
/// ```
/// use jarrah_array::nn::{BlockScaleConfig, scaled_dot_general};
/// use jarrah_array::{Array, DType};
/// let x = Array::full(&[2, 32], 1.1, DType::F32);
/// let configs = [BlockScaleConfig::Mxfp8, BlockScaleConfig::Mxfp8, BlockScaleConfig::Mxfp8];
/// let y = scaled_dot_general(&x, &x, (&[1], &[1]), (&[], &[]), DType::F32, &configs);
/// // Three bits of fraction make 1.125 of 1.1.
/// assert_eq!(y.to_vec::<f32>()?, [40.5; 4]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Rouhani et al., Microscaling data formats for deep learning (2023); `jax.nn.scaled_dot_general`.
#[track_caller]
pub fn scaled_dot_general(
    lhs: &Array,
    rhs: &Array,
    contract: (&[usize], &[usize]),
    batch: (&[usize], &[usize]),
    out: DType,
    configs: &[BlockScaleConfig; 3],
) -> Array {
    // The type of the result; fails if the operands do not form a product.
    let plain = crate::eval_shape(
        |(x, y): &(Array, Array)| lax::dot_general(x, y, contract, batch),
        &(lhs.clone(), rhs.clone()),
    );
    let dims: Vec<isize> = plain.shape().iter().map(|&d| d as isize).collect();
    let left = Side::new(lhs.rank(), contract.0, batch.0);
    let right = Side::new(rhs.rank(), contract.1, batch.1);
    let [of_lhs, of_rhs, of_cotangent] = configs;
    for config in [of_lhs, of_rhs] {
        config.check(contract.0.iter().map(|&axis| lhs.shape()[axis]).product());
    }
    type Pair = (Array, Array);
    let forward = |(x, y): &Pair| {
        rounded_product(&left.matrices(x), &right.matrices(y), [of_lhs, of_rhs], out).reshape(&dims)
    };
    // The gradient of the operand on `side`: the cotangent times the other operand, contracted over the axes that the other
    // operand keeps in the result.
    let slope = |g: &Array,
                 x: &Array,
                 side: &Side,
                 y: &Array,
                 other: &Side,
                 config: &BlockScaleConfig,
                 first: bool| {
        let batch: Vec<usize> = (0..side.batch.len()).collect();
        let (mine, others) = (side.kept.len(), other.kept.len());
        let start = if first { batch.len() + mine } else { batch.len() };
        let of_g = Side::new(g.rank(), &(start..start + others).collect::<Vec<_>>(), &batch);
        let of_y =
            Side { batch: other.batch.clone(), kept: other.contract.clone(), contract: other.kept.clone() };
        let (g3, y3) = (of_g.matrices(g), of_y.matrices(y));
        let product = match of_cotangent {
            BlockScaleConfig::Mxfp8
                if g3.shape()[2] > 0 && g3.shape()[2].is_multiple_of(of_cotangent.block()) =>
            {
                rounded_product(&g3, &y3, [of_cotangent, config], out)
            }
            _ => lax::dot_general(&g3, &y3.astype(g3.dtype()), (&[2], &[2]), (&[0], &[0])),
        };
        let shape = [extents(x, &side.batch), extents(x, &side.kept), extents(x, &side.contract)].concat();
        let order = [&side.batch[..], &side.kept, &side.contract].concat();
        let mut back = vec![0; order.len()];
        order.iter().enumerate().for_each(|(place, &axis)| back[axis] = place);
        lax::transpose(&product.reshape(&shape), &back).astype(x.dtype())
    };
    let cut = |slope: Array, x: &Array, config: &BlockScaleConfig| match (of_cotangent, config.limit()) {
        (BlockScaleConfig::Nvfp4 { .. }, Some(limit)) => where_(&x.abs().le(limit), slope, 0),
        _ => slope,
    };
    let backward = |(x, y): &Pair, g: &Array| {
        let of_x = slope(g, x, &left, y, &right, of_rhs, true);
        let of_y = slope(g, y, &right, x, &left, of_lhs, false);
        (cut(of_x, x, of_lhs), cut(of_y, y, of_rhs))
    };
    let product = custom_vjp(&forward, |pair: &Pair| (forward(pair), pair.clone()), backward);
    product(&(lhs.clone(), rhs.clone()))
}

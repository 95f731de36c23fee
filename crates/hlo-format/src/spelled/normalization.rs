use jarrah_base::Result;

use jarrah_hlo::Builder;
use jarrah_hlo::Value;
use jarrah_hlo::ops::{Axes, ElementwiseKind};

/// A tensor and statistics of its features, the elements of one axis.
struct Features {
    operand: Value,
    axis: usize,
}

impl Features {
    fn others(&self, b: &Builder) -> Axes {
        (0..b.ty(self.operand).rank()).filter(|&a| a != self.axis).collect()
    }

    /// A value for each feature, repeated for each element.
    fn spread(&self, b: &mut Builder, x: Value) -> Result<Value> {
        let ty = b.ty(self.operand);
        b.broadcast_in_dim(x, &ty.dims(), &[self.axis])
    }

    fn sum(&self, b: &mut Builder, x: Value) -> Result<Value> {
        let others = self.others(b);
        b.sum(x, &others)
    }

    /// How many elements a feature has.
    fn count(&self, b: &Builder) -> f64 {
        let ty = b.ty(self.operand);
        self.others(b).iter().map(|&axis| ty.dim(axis) as f64).product()
    }

    fn mean(&self, b: &mut Builder, x: Value) -> Result<Value> {
        let sum = self.sum(b, x)?;
        let count = b.full(b.ty(sum), self.count(b))?;
        b.div(sum, count)
    }

    /// `operand - mean`, and `variance + epsilon` for each element.
    fn centered(
        &self,
        b: &mut Builder,
        mean: Value,
        variance: Value,
        epsilon: f64,
    ) -> Result<(Value, Value)> {
        let mean = self.spread(b, mean)?;
        let centered = b.sub(self.operand, mean)?;
        let variance = self.spread(b, variance)?;
        let epsilon = b.full(b.ty(self.operand), epsilon)?;
        Ok((centered, b.add(variance, epsilon)?))
    }
}

/// `scale (x - mean) / sqrt(variance + epsilon) + offset`, statistics being given for each position along `axis`
/// (StableHLO, `batch_norm_inference`).
///
/// # Errors
/// As [`Builder::push`].
pub fn batch_norm_inference(
    b: &mut Builder,
    [operand, scale, offset, mean, variance]: [Value; 5],
    epsilon: f64,
    axis: usize,
) -> Result<Value> {
    let features = Features { operand, axis };
    let (centered, variance) = features.centered(b, mean, variance, epsilon)?;
    let deviation = b.unary(ElementwiseKind::Sqrt, variance)?;
    let normalized = b.div(centered, deviation)?;
    let (scale, offset) = (features.spread(b, scale)?, features.spread(b, offset)?);
    let scaled = b.mul(scale, normalized)?;
    b.add(scaled, offset)
}

/// The normalized tensor, its mean and its variance along all axes but `axis` (StableHLO, `batch_norm_training`).
///
/// # Errors
/// As [`Builder::push`].
pub fn batch_norm_training(
    b: &mut Builder,
    [operand, scale, offset]: [Value; 3],
    epsilon: f64,
    axis: usize,
) -> Result<[Value; 3]> {
    let features = Features { operand, axis };
    let mean = features.mean(b, operand)?;
    let spread = features.spread(b, mean)?;
    let centered = b.sub(operand, spread)?;
    let squares = b.mul(centered, centered)?;
    let variance = features.mean(b, squares)?;
    let out = batch_norm_inference(b, [operand, scale, offset, mean, variance], epsilon, axis)?;
    Ok([out, mean, variance])
}

/// The cotangents of operand, scale and offset of a normalization by the operand's own statistics (StableHLO,
/// `batch_norm_grad`).
///
/// # Errors
/// As [`Builder::push`].
pub fn batch_norm_grad(
    b: &mut Builder,
    [operand, scale, mean, variance, ct]: [Value; 5],
    epsilon: f64,
    axis: usize,
) -> Result<[Value; 3]> {
    let features = Features { operand, axis };
    let (centered, variance) = features.centered(b, mean, variance, epsilon)?;
    let deviation = b.unary(ElementwiseKind::Sqrt, variance)?;
    let normalized = b.div(centered, deviation)?;
    let count = features.count(b);
    let count = b.full(b.ty(operand), count)?;
    let whole = b.mul(ct, count)?;
    let offset_ct = features.sum(b, ct)?;
    let sum = features.spread(b, offset_ct)?;
    let along = b.mul(ct, centered)?;
    let along = features.sum(b, along)?;
    let along = features.spread(b, along)?;
    let along = b.mul(along, centered)?;
    let along = b.div(along, variance)?;
    let rest = b.sub(whole, sum)?;
    let rest = b.sub(rest, along)?;
    let scale = features.spread(b, scale)?;
    let factor = b.div(scale, deviation)?;
    let factor = b.div(factor, count)?;
    let operand_ct = b.mul(factor, rest)?;
    let scale_ct = b.mul(ct, normalized)?;
    let scale_ct = features.sum(b, scale_ct)?;
    Ok([operand_ct, scale_ct, offset_ct])
}

use jarrah_base::{DType, Dims, Error, Result, Type, product};
use serde::{Deserialize, Serialize};
use smallvec::{SmallVec, smallvec};

use super::window::dilated;
use super::{Axes, Reverse, Window, check};
use crate::builder::Builder;
use crate::example::{Example, ints, varied};
use crate::program::Value;
use crate::rules::*;

/// Sums of products of windows of operand 0 and the kernel, operand 1.
///
/// `out[n, o.., f] = sum over k.., c of lhs[n, o * stride - low + k * dilation.., c] * rhs[k.., c, f]`, zero outside the
/// left side; the sum runs over the places of the kernel in row-major order, and over the features within a place.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Convolution {
    /// The axes of the left side.
    pub lhs_axes: ConvAxes,
    /// The axes of the kernel: its output features stand for the batch.
    pub rhs_axes: ConvAxes,
    /// The axes of the result.
    pub out_axes: ConvAxes,
    /// From a window to the next, along each spatial axis.
    pub strides: Dims,
    /// Zeros before each spatial axis; negative numbers remove.
    pub low: SmallVec<[i64; 6]>,
    /// Zeros after each spatial axis; negative numbers remove.
    pub high: SmallVec<[i64; 6]>,
    /// From an element of the left side to the next.
    pub lhs_dilations: Dims,
    /// From a place of the kernel to the next.
    pub rhs_dilations: Dims,
    /// The spatial axes along which the kernel is turned round.
    pub reversed: SmallVec<[bool; 6]>,
    /// In how many groups the features fall: each part of the output features sees its part of the input features.
    pub feature_groups: usize,
    /// In how many groups the batch falls: each part of the output features sees its part of the batch.
    pub batch_groups: usize,
    /// The element type of the result, at least as wide as that of the operands.
    pub out: DType,
}

/// The roles of the axes of an operand or result of a convolution.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct ConvAxes {
    /// The batch; the output features of a kernel.
    pub batch: usize,
    /// The features; the input features of a kernel.
    pub feature: usize,
    /// The spatial axes, in an order that all sides share.
    pub spatial: Axes,
}

impl ConvAxes {
    /// Axes in the order batch, spatial, features.
    pub fn channels_last(spatial: usize) -> ConvAxes {
        ConvAxes { batch: 0, feature: spatial + 1, spatial: (1..=spatial).collect() }
    }

    /// Axes in the order batch, features, spatial.
    pub fn channels_first(spatial: usize) -> ConvAxes {
        ConvAxes { batch: 0, feature: 1, spatial: (2..spatial + 2).collect() }
    }

    /// The axes of a kernel in the order spatial, input features, output features.
    pub fn kernel_last(spatial: usize) -> ConvAxes {
        ConvAxes { batch: spatial + 1, feature: spatial, spatial: (0..spatial).collect() }
    }

    /// Batch and features exchanged.
    fn exchanged(&self) -> ConvAxes {
        ConvAxes { batch: self.feature, feature: self.batch, spatial: self.spatial.clone() }
    }

    fn check(&self, side: &str, ty: Type) -> Result<()> {
        let all: Axes = [self.batch, self.feature].into_iter().chain(self.spatial.iter().copied()).collect();
        if all.len() != ty.rank() {
            return Err(Error::program(format!(
                "{side} {ty} has {} axes, {} are named: batch, feature and {} spatial ones",
                ty.rank(),
                all.len(),
                self.spatial.len()
            )));
        }
        check::axes("axes", &all, ty.rank(), &format!("{side} {ty}"))
    }

    fn spatial_extents(&self, ty: Type) -> Dims {
        self.spatial.iter().map(|&a| ty.dim(a)).collect()
    }
}

impl Convolution {
    /// A convolution at every place, without padding, of images and a kernel with channels last.
    pub fn new(spatial: usize, out: DType) -> Convolution {
        let ones: Dims = smallvec![1; spatial];
        Convolution {
            lhs_axes: ConvAxes::channels_last(spatial),
            rhs_axes: ConvAxes::kernel_last(spatial),
            out_axes: ConvAxes::channels_last(spatial),
            strides: ones.clone(),
            low: smallvec![0; spatial],
            high: smallvec![0; spatial],
            lhs_dilations: ones.clone(),
            rhs_dilations: ones,
            reversed: smallvec![false; spatial],
            feature_groups: 1,
            batch_groups: 1,
            out,
        }
    }

    /// The windows over the spatial axes of the left side.
    pub fn window(&self, rhs: Type) -> Window {
        Window {
            sizes: self.rhs_axes.spatial_extents(rhs),
            strides: self.strides.clone(),
            low: self.low.clone(),
            high: self.high.clone(),
            base_dilations: self.lhs_dilations.clone(),
            dilations: self.rhs_dilations.clone(),
        }
    }

    /// The cotangent of the left side: the cotangents `stride` apart, convolved with the kernel turned round.
    fn lhs_cotangent(&self, b: &mut Builder, lhs: Type, rhs: Value, ct: Value) -> Result<Value> {
        let (mut rhs, dtype) = (rhs, b.ty(ct).dtype());
        rhs = b.convert(rhs, dtype)?;
        let groups = self.feature_groups.max(self.batch_groups);
        if groups > 1 {
            let (outputs, inputs) = (self.rhs_axes.batch, self.rhs_axes.feature);
            rhs = split(b, rhs, outputs, groups)?;
            rhs = merge(b, rhs, outputs, inputs)?;
        }
        let extents = Extents::new(self, lhs, b.ty(rhs), b.ty(ct));
        let mut conv = Convolution {
            lhs_axes: self.out_axes.clone(),
            rhs_axes: self.rhs_axes.exchanged(),
            out_axes: self.lhs_axes.clone(),
            strides: self.lhs_dilations.clone(),
            lhs_dilations: self.strides.clone(),
            reversed: self.reversed.iter().map(|r| !r).collect(),
            feature_groups: groups,
            batch_groups: 1,
            out: dtype,
            ..self.clone()
        };
        for (axis, e) in extents.0.iter().enumerate() {
            let low = e.rhs - 1 - i128::from(self.low[axis]);
            conv.low[axis] = narrow(low)?;
            conv.high[axis] = narrow(e.lhs + e.rhs - 1 - e.out - low)?;
        }
        let mut result = b.one(conv, &[ct, rhs])?;
        if self.batch_groups > 1 {
            // The groups are the outer part of the result's features, and belong to the batch.
            result = split(b, result, self.lhs_axes.feature, groups)?;
            result = merge(b, result, self.lhs_axes.feature, self.lhs_axes.batch)?;
        }
        b.convert(result, lhs.dtype())
    }

    /// The cotangent of the kernel: the left side convolved with the cotangents, batch and features exchanged.
    fn rhs_cotangent(&self, b: &mut Builder, lhs: Value, rhs: Type, ct: Value) -> Result<Value> {
        let dtype = b.ty(ct).dtype();
        let lhs = b.convert(lhs, dtype)?;
        let extents = Extents::new(self, b.ty(lhs), rhs, b.ty(ct));
        let mut conv = Convolution {
            lhs_axes: self.lhs_axes.exchanged(),
            rhs_axes: self.out_axes.exchanged(),
            out_axes: self.rhs_axes.exchanged(),
            strides: self.rhs_dilations.clone(),
            rhs_dilations: self.strides.clone(),
            reversed: self.reversed.iter().map(|_| false).collect(),
            feature_groups: self.batch_groups,
            batch_groups: self.feature_groups,
            out: dtype,
            ..self.clone()
        };
        for (axis, e) in extents.0.iter().enumerate() {
            conv.high[axis] = narrow(e.out - e.lhs + e.rhs - 1 - i128::from(self.low[axis]))?;
        }
        let mut result = b.one(conv, &[lhs, ct])?;
        let turned = self.rhs_axes.spatial.iter().zip(&self.reversed).filter(|(_, r)| **r);
        let mut axes: Axes = turned.map(|(&a, _)| a).collect();
        if !axes.is_empty() {
            axes.sort_unstable();
            result = b.one(Reverse { axes }, &[result])?;
        }
        b.convert(result, rhs.dtype())
    }
}

/// How far each side reaches along a spatial axis, dilated.
struct Extents(SmallVec<[Reach; 4]>);

struct Reach {
    lhs: i128,
    rhs: i128,
    out: i128,
}

impl Extents {
    fn new(conv: &Convolution, lhs: Type, rhs: Type, out: Type) -> Extents {
        let (lhs, rhs) = (conv.lhs_axes.spatial_extents(lhs), conv.rhs_axes.spatial_extents(rhs));
        let out = conv.out_axes.spatial_extents(out);
        let reach = |i: usize| Reach {
            lhs: dilated(lhs[i], conv.lhs_dilations[i]),
            rhs: dilated(rhs[i], conv.rhs_dilations[i]),
            out: dilated(out[i], conv.strides[i]),
        };
        Extents((0..lhs.len()).map(reach).collect())
    }
}

fn narrow(n: i128) -> Result<i64> {
    i64::try_from(n).map_err(|_| Error::program("the padding of the transposed convolution is too large"))
}

/// The axis `axis` in two: `groups` in front, what is in a group behind.
fn split(b: &mut Builder, x: Value, axis: usize, groups: usize) -> Result<Value> {
    let mut dims = b.ty(x).dims();
    dims[axis] /= groups.max(1);
    dims.insert(axis, groups);
    b.reshape(x, &dims)
}

/// The axis `from` as the outer part of what is the axis `into` without it.
fn merge(b: &mut Builder, x: Value, from: usize, into: usize) -> Result<Value> {
    let moved = b.move_axis(x, from, into)?;
    joined(b, moved, into)
}

/// The axes `axis` and `axis + 1` as one.
fn joined(b: &mut Builder, x: Value, axis: usize) -> Result<Value> {
    let mut dims = b.ty(x).dims();
    dims[axis] = product(dims[axis], dims[axis + 1])?;
    dims.remove(axis + 1);
    b.reshape(x, &dims)
}

impl Rules for Convolution {
    fn name(&self) -> &'static str {
        "convolution"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        check::tensors(operands, &["lhs", "rhs"])?;
        let (lhs, rhs) = (operands[0], operands[1]);
        check::same_dtype("lhs", lhs, "rhs", rhs)?;
        self.lhs_axes.check("lhs", lhs)?;
        self.rhs_axes.check("rhs", rhs)?;
        let result = lhs.with_dtype(self.out);
        self.out_axes.check("the result of lhs", result)?;
        let spatial = lhs.rank() - 2;
        let lists = [
            ("strides", &self.strides),
            ("lhs_dilations", &self.lhs_dilations),
            ("rhs_dilations", &self.rhs_dilations),
        ];
        for (what, list) in lists {
            if list.len() != spatial || list.contains(&0) {
                let list = check::list(list);
                let text = format!("{what} {list} must be at least 1 for each of {spatial} spatial axes");
                return Err(Error::program(text));
            }
        }
        if self.low.len() != spatial || self.high.len() != spatial || self.reversed.len() != spatial {
            return Err(Error::program(format!(
                "padding and reversal need {spatial} entries, one per spatial axis"
            )));
        }
        let (fg, bg) = (self.feature_groups, self.batch_groups);
        if fg == 0 || bg == 0 || fg > 1 && bg > 1 {
            return Err(Error::program(format!(
                "there are {fg} feature groups and {bg} batch groups; one of them must be 1, the other at least 1"
            )));
        }
        let (n, c) = (lhs.dim(self.lhs_axes.batch), lhs.dim(self.lhs_axes.feature));
        let (f, i) = (rhs.dim(self.rhs_axes.batch), rhs.dim(self.rhs_axes.feature));
        let groups =
            [("batch of lhs", n, bg), ("features of lhs", c, fg), ("output features of rhs", f, fg.max(bg))];
        for (what, dim, groups) in groups {
            if groups > 1 && dim % groups != 0 {
                return Err(Error::program(format!("the {dim} {what} do not fall into {groups} groups")));
            }
        }
        let seen = c / fg.max(1);
        if i != seen {
            return Err(Error::program(format!(
                "lhs {lhs} has {seen} features in a group, the kernel rhs {rhs} takes {i}"
            )));
        }
        let window = self.window(rhs);
        let mut dims: Dims = smallvec![f; lhs.rank()];
        dims[self.out_axes.batch] = n / bg.max(1);
        for (axis, &place) in self.out_axes.spatial.iter().enumerate() {
            let extent = lhs.dim(self.lhs_axes.spatial[axis]);
            dims[place] = window.count(axis, extent)?;
        }
        Ok(smallvec![result.with_dims(dims)])
    }

    fn jvp(&self, _: &mut JvpCx<'_>) -> Result<Jvp> {
        Ok(if self.out.is_differentiable() { Jvp::Bilinear } else { Jvp::Zero })
    }

    fn transpose(&self, cx: &mut TransposeCx<'_>) -> Result<Transpose> {
        let ct = cx.cotangent()?;
        let (lhs, rhs) = (cx.ty(0), cx.ty(1));
        let nothing = cx.b.ty(ct).elements()? == 0 || lhs.elements()? == 0 || rhs.elements()? == 0;
        if cx.is_linear(0) {
            let result = match nothing {
                true => cx.b.zeros(lhs)?,
                false => {
                    let rhs = cx.known(1)?;
                    self.lhs_cotangent(cx.b, lhs, rhs, ct)?
                }
            };
            return Ok(Transpose::Cotangents(vec![Some(result), None]));
        }
        let result = match nothing {
            true => cx.b.zeros(rhs)?,
            false => {
                let lhs = cx.known(0)?;
                self.rhs_cotangent(cx.b, lhs, rhs, ct)?
            }
        };
        Ok(Transpose::Cotangents(vec![None, Some(result)]))
    }

    /// The batch joins an axis there is: that of the batch or of the features, or it makes more groups.
    fn batch(&self, cx: &mut BatchCx<'_>) -> Result<Batch> {
        let (lhs, rhs) = (cx.operands[0], cx.operands[1]);
        let size = cx.size;
        let groups = self.feature_groups.max(self.batch_groups);
        if size == 0 {
            let result = self.infer(&[cx.ty(0), cx.ty(1)])?[0].with_leading(cx.size);
            return Ok(Batch::Results(vec![Batched::yes(cx.b.zeros(result)?)]));
        }
        let b = &mut *cx.b;
        let mut conv = self.clone();
        let (x, k) = (lhs.value, rhs.value);
        let (n, f) = (self.out_axes.batch, self.out_axes.feature);
        let result = if lhs.batched && rhs.batched {
            let x = if self.batch_groups > 1 {
                conv.batch_groups *= size;
                merge(b, x, 0, self.lhs_axes.batch)?
            } else {
                conv.feature_groups *= size;
                merge(b, x, 0, self.lhs_axes.feature)?
            };
            let k = merge(b, k, 0, self.rhs_axes.batch)?;
            let out = b.one(conv, &[x, k])?;
            let out = split(b, out, f, size)?;
            b.move_axis(out, f, 0)?
        } else if lhs.batched {
            let mut x = x;
            if self.batch_groups > 1 {
                // Within each group, so that groups remain outermost.
                let at = self.lhs_axes.batch;
                x = split(b, x, at + 1, self.batch_groups)?;
                x = merge(b, x, 0, at + 1)?;
                x = joined(b, x, at)?;
            } else {
                x = merge(b, x, 0, self.lhs_axes.batch)?;
            }
            let out = b.one(conv, &[x, k])?;
            let out = split(b, out, n, size)?;
            b.move_axis(out, n, 0)?
        } else if groups == 1 {
            let k = merge(b, k, 0, self.rhs_axes.batch)?;
            let out = b.one(conv, &[x, k])?;
            let out = split(b, out, f, size)?;
            b.move_axis(out, f, 0)?
        } else {
            let at = self.rhs_axes.batch;
            let k = split(b, k, at + 1, groups)?;
            let k = merge(b, k, 0, at + 1)?;
            let k = joined(b, k, at)?;
            let out = b.one(conv, &[x, k])?;
            // The output features are groups, then batch, then those of a group.
            let out = split(b, out, f, groups)?;
            let out = split(b, out, f + 1, size)?;
            let out = b.move_axis(out, f + 1, 0)?;
            joined(b, out, f + 1)?
        };
        Ok(Batch::Results(vec![Batched::yes(result)]))
    }

    fn checked(&self, _: &mut CheckCx<'_>) -> Result<Checked> {
        Ok(Checked::Numbers)
    }

    fn rows_apart(&self, _: &Self, cx: &RowsCx<'_>) -> Result<Rows> {
        let batch = cx.operands[0].is_some_and(|growth| growth.axis == self.lhs_axes.batch);
        let apart = batch && cx.operands[1].is_none() && self.batch_groups == 1;
        Ok(if apart { Rows::Alike } else { Rows::Refuse("its windows reach over the rows") })
    }

    fn cost(&self, operands: &[Type], results: &[Type]) -> Result<Cost> {
        let kernel = operands[1].dims();
        let spatial: f64 = self.rhs_axes.spatial.iter().map(|&a| kernel[a] as f64).product();
        let depth = spatial * kernel[self.rhs_axes.feature] as f64;
        Cost::new(2.0 * depth * results[0].elements()? as f64, operands, results)
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "Sums of products of windows and a kernel: `out[n,o,f] = sum_kc lhs[n, o s + k, c] rhs[k,c,f]`.",
            source: "StableHLO specification, convolution",
        }
    }

    no_programs!();
    pure!(Save);

    fn precision(&self) -> Precision {
        Precision::Accumulate
    }

    fn examples() -> Vec<Example> {
        let plain = |spatial| Convolution::new(spatial, DType::F32);
        let images = || varied(&[2, 4, 5, 2], -1.0, 1.0);
        let strided =
            Convolution { strides: smallvec![2, 1], low: smallvec![1, 0], high: smallvec![0, 2], ..plain(2) };
        let wide = Convolution {
            lhs_dilations: smallvec![2, 1],
            rhs_dilations: smallvec![1, 2],
            low: smallvec![-1, 1],
            high: smallvec![2, -1],
            reversed: smallvec![true, false],
            ..plain(2)
        };
        let first = Convolution {
            lhs_axes: ConvAxes::channels_first(2),
            rhs_axes: ConvAxes { batch: 0, feature: 1, spatial: smallvec![3, 2] },
            out_axes: ConvAxes { batch: 3, feature: 0, spatial: smallvec![2, 1] },
            strides: smallvec![1, 2],
            reversed: smallvec![false, true],
            ..plain(2)
        };
        let features = Convolution { feature_groups: 2, ..plain(1) };
        let batches = Convolution { batch_groups: 2, strides: smallvec![2], ..plain(1) };
        let depthwise = Convolution { feature_groups: 3, low: smallvec![1], high: smallvec![1], ..plain(1) };
        let integers = Convolution { out: DType::I32, ..plain(1) };
        vec![
            Example::new("images", plain(2), vec![images(), varied(&[2, 3, 2, 3], -1.0, 1.0)]),
            Example::new("strides and padding", strided, vec![images(), varied(&[3, 2, 2, 1], -1.0, 1.0)]),
            Example::new("dilations", wide, vec![images(), varied(&[2, 2, 2, 2], -1.0, 1.0)]),
            Example::new(
                "other orders of axes",
                first,
                vec![varied(&[2, 3, 4, 5], -1.0, 1.0), varied(&[2, 3, 3, 2], -1.0, 1.0)],
            ),
            Example::new(
                "feature groups",
                features,
                vec![varied(&[2, 4, 4], -1.0, 1.0), varied(&[2, 2, 6], -1.0, 1.0)],
            ),
            Example::new(
                "batch groups",
                batches,
                vec![varied(&[4, 5, 3], -1.0, 1.0), varied(&[2, 3, 4], -1.0, 1.0)],
            ),
            Example::new(
                "depthwise",
                depthwise,
                vec![varied(&[1, 4, 3], -1.0, 1.0), varied(&[3, 1, 3], -1.0, 1.0)],
            ),
            Example::new(
                "without spatial axes",
                plain(0),
                vec![varied(&[2, 3], -1.0, 1.0), varied(&[3, 4], -1.0, 1.0)],
            ),
            Example::new(
                "integers",
                integers,
                vec![ints(&[1, 4, 1], &[1, 2, 3, 4]), ints(&[2, 1, 2], &[1, -1, 10, 100])],
            ),
            Example::new(
                "a kernel too large",
                plain(1),
                vec![varied(&[1, 2, 1], -1.0, 1.0), varied(&[3, 1, 1], -1.0, 1.0)],
            ),
        ]
    }
}

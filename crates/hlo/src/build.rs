use jarrah_base::{DType, Dims, Element, Literal, Result, Type};
use smallvec::SmallVec;

use crate::builder::Builder;
use crate::op::Op;
use crate::ops::*;
use crate::program::Value;

/// Short names for the ops that rules and passes use all the time. Each fails as [`Builder::push`] does.
#[allow(clippy::missing_errors_doc, reason = "said once, above")]
impl Builder {
    /// The tensor `value`.
    pub fn constant(&mut self, value: Literal) -> Result<Value> {
        self.one(Constant { value }, &[])
    }

    /// The rank-0 tensor `value`.
    pub fn scalar<T: Element>(&mut self, value: T) -> Result<Value> {
        self.constant(Literal::scalar(value))
    }

    /// The tensor of type `ty` full of `x`, rounded to the element type: a scalar constant, broadcast.
    pub fn full(&mut self, ty: Type, x: f64) -> Result<Value> {
        let scalar = self.constant(Literal::full(Type::scalar(ty.dtype()), x)?)?;
        self.broadcast_in_dim(scalar, &ty.dims(), &[])
    }

    /// The tensor of type `ty` full of zeros.
    pub fn zeros(&mut self, ty: Type) -> Result<Value> {
        self.full(ty, 0.0)
    }

    /// Zeros of the type of `like`.
    pub fn zeros_like(&mut self, like: Value) -> Result<Value> {
        self.zeros(self.ty(like))
    }

    /// Ones of the type of `like`.
    pub fn ones_like(&mut self, like: Value) -> Result<Value> {
        self.full(self.ty(like), 1.0)
    }

    /// The position along `axis` of a tensor of type `ty`.
    pub fn iota(&mut self, ty: Type, axis: usize) -> Result<Value> {
        self.one(Iota { ty, axis }, &[])
    }

    /// An elementwise function of one operand.
    pub fn unary(&mut self, kind: ElementwiseKind, x: Value) -> Result<Value> {
        self.one(Elementwise { kind }, &[x])
    }

    /// An elementwise function of two operands of one type.
    pub fn binary(&mut self, kind: ElementwiseKind, x: Value, y: Value) -> Result<Value> {
        self.one(Elementwise { kind }, &[x, y])
    }

    /// `x + y`.
    pub fn add(&mut self, x: Value, y: Value) -> Result<Value> {
        self.binary(ElementwiseKind::Add, x, y)
    }

    /// `x - y`.
    pub fn sub(&mut self, x: Value, y: Value) -> Result<Value> {
        self.binary(ElementwiseKind::Subtract, x, y)
    }

    /// `x * y`.
    pub fn mul(&mut self, x: Value, y: Value) -> Result<Value> {
        self.binary(ElementwiseKind::Multiply, x, y)
    }

    /// `x / y`.
    pub fn div(&mut self, x: Value, y: Value) -> Result<Value> {
        self.binary(ElementwiseKind::Divide, x, y)
    }

    /// `-x`.
    pub fn neg(&mut self, x: Value) -> Result<Value> {
        self.unary(ElementwiseKind::Negate, x)
    }

    /// `e^x`.
    pub fn exp(&mut self, x: Value) -> Result<Value> {
        self.unary(ElementwiseKind::Exponential, x)
    }

    /// `x * c` for a constant `c`.
    pub fn scale(&mut self, x: Value, c: f64) -> Result<Value> {
        let c = self.full(self.ty(x), c)?;
        self.mul(x, c)
    }

    /// Whether `x comparison y`, element by element.
    pub fn compare(&mut self, comparison: Comparison, x: Value, y: Value) -> Result<Value> {
        self.one(Compare { comparison, total_order: false }, &[x, y])
    }

    /// `on_true` where `predicate` holds, elsewhere `on_false`.
    pub fn select(&mut self, predicate: Value, on_true: Value, on_false: Value) -> Result<Value> {
        self.one(Select, &[predicate, on_true, on_false])
    }

    /// `x` in the element type `to`; `x` itself if it has it.
    pub fn convert(&mut self, x: Value, to: DType) -> Result<Value> {
        if self.ty(x).dtype() == to { Ok(x) } else { self.one(Convert { to }, &[x]) }
    }

    /// `x` repeated: its axis `i` becomes the axis `axes[i]` of a tensor with extents `dims`. `x` itself if nothing
    /// changes.
    pub fn broadcast_in_dim(&mut self, x: Value, dims: &[usize], axes: &[usize]) -> Result<Value> {
        if *self.ty(x).dims() == *dims {
            return Ok(x);
        }
        self.one(BroadcastInDim { dims: SmallVec::from_slice(dims), axes: Axes::from_slice(axes) }, &[x])
    }

    /// The literal that `x` is, also where it is a constant scalar broadcast to a scalar; `None` where it is none.
    pub fn constant_of(&self, mut x: Value) -> Option<&Literal> {
        loop {
            let instr = self.definition(x)?;
            match &instr.op {
                Op::Constant(constant) => return Some(&constant.value),
                Op::BroadcastInDim(broadcast) if broadcast.dims.is_empty() => x = instr.operands[0],
                _ => return None,
            }
        }
    }

    /// `x` repeated along a new first axis.
    pub fn broadcast_leading(&mut self, x: Value, size: usize) -> Result<Value> {
        let ty = self.ty(x).with_leading(size);
        let axes: Axes = (1..ty.rank()).collect();
        self.one(BroadcastInDim { dims: ty.dims(), axes }, &[x])
    }

    /// `x` under other extents; `x` itself if they are the same.
    pub fn reshape(&mut self, x: Value, dims: &[usize]) -> Result<Value> {
        if *self.ty(x).dims() == *dims {
            Ok(x)
        } else {
            self.one(Reshape { dims: SmallVec::from_slice(dims) }, &[x])
        }
    }

    /// The axes of `x` in another order; `x` itself if it is the same.
    pub fn transpose(&mut self, x: Value, permutation: &[usize]) -> Result<Value> {
        if permutation.iter().enumerate().all(|(i, &p)| i == p) && permutation.len() == self.ty(x).rank() {
            return Ok(x);
        }
        self.one(TransposeAxes { permutation: Axes::from_slice(permutation) }, &[x])
    }

    /// `x` with the axis `from` moved to the position `to`.
    pub fn move_axis(&mut self, x: Value, from: usize, to: usize) -> Result<Value> {
        let mut order: Axes = (0..self.ty(x).rank()).filter(|&a| a != from).collect();
        order.insert(to.min(order.len()), from);
        self.transpose(x, &order)
    }

    /// The elements of `x` from `starts` up to `limits`.
    pub fn slice(&mut self, x: Value, starts: &[usize], limits: &[usize]) -> Result<Value> {
        let strides = starts.iter().map(|_| 1).collect();
        self.one(Slice { starts: Dims::from_slice(starts), limits: Dims::from_slice(limits), strides }, &[x])
    }

    /// The elements of `x` from `start` up to `limit` along one axis.
    pub fn slice_axis(&mut self, x: Value, axis: usize, start: usize, limit: usize) -> Result<Value> {
        let mut limits = self.ty(x).dims();
        let mut starts: Dims = limits.iter().map(|_| 0).collect();
        if let (Some(s), Some(l)) = (starts.get_mut(axis), limits.get_mut(axis)) {
            (*s, *l) = (start, limit);
        }
        self.slice(x, &starts, &limits)
    }

    /// The operands one after another along `axis`; the operand itself if there is one.
    pub fn concatenate(&mut self, operands: &[Value], axis: usize) -> Result<Value> {
        if let [only] = operands { Ok(*only) } else { self.one(Concatenate { axis }, operands) }
    }

    /// All elements along `axes` combined; `x` itself if there is no axis and the reducer is not an index.
    pub fn reduce(&mut self, reducer: Reducer, x: Value, axes: &[usize]) -> Result<Value> {
        if axes.is_empty() && !matches!(reducer, Reducer::ArgMax(_) | Reducer::ArgMin(_)) {
            return Ok(x);
        }
        self.one(Reduce { reducer, axes: Axes::from_slice(axes) }, &[x])
    }

    /// The sum along `axes`.
    pub fn sum(&mut self, x: Value, axes: &[usize]) -> Result<Value> {
        self.reduce(Reducer::Add, x, axes)
    }

    /// `x` summed to a type that broadcasts to its own: the transpose of a broadcast along `axes`.
    pub fn sum_to(&mut self, x: Value, ty: Type, axes: &[usize]) -> Result<Value> {
        let from = self.ty(x);
        let mut summed = Axes::new();
        for axis in 0..from.rank() {
            let kept = match axes.iter().position(|&a| a == axis) {
                Some(i) => ty.dim(i) == from.dim(axis),
                None => false,
            };
            if !kept {
                summed.push(axis);
            }
        }
        let sum = self.sum(x, &summed)?;
        self.reshape(sum, &ty.dims())
    }
}

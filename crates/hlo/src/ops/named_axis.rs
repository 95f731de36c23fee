use jarrah_base::{DType, Error, Result, Type};
use serde::{Deserialize, Serialize};

use crate::example::Example;
use crate::program::Value;
use crate::rules::*;

/// An axis over which a program is mapped: the batch axis of a `vmap` that names it.
///
/// The ops that speak of one mean something within that map only: batching along the axis puts ordinary ops in their
/// place, and nothing else runs them.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct NamedAxis {
    /// Its name.
    pub name: Box<str>,
    /// How many elements are mapped.
    pub size: usize,
}

/// The position along a named axis, an `i32` scalar.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct AxisIndex {
    /// The axis.
    pub axis: NamedAxis,
}

/// The operands of all positions along a named axis, stacked: `y[j, ..] = x_j[..]` at every position.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct AllGather {
    /// The axis.
    pub axis: NamedAxis,
}

/// At position `i` the sum of the slices `i` of all operands along a named axis: `y_i[..] = sum_j x_j[i, ..]`. The
/// transpose of [`AllGather`].
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct ReduceScatter {
    /// The axis.
    pub axis: NamedAxis,
}

impl NamedAxis {
    /// Whether this is the axis that is being batched.
    fn is_mapped(&self, cx: &BatchCx<'_>) -> Result<bool> {
        if cx.axis != Some(&*self.name) {
            return Ok(false);
        }
        if cx.size != self.size {
            let (name, size) = (&self.name, self.size);
            return Err(Error::internal(format!(
                "the axis {name} has {size} elements, {} are mapped",
                cx.size
            )));
        }
        Ok(true)
    }

    /// The error that nothing maps over the axis.
    ///
    /// ```
    /// let axis = jarrah_hlo::ops::NamedAxis { name: "i".into(), size: 2 };
    /// assert_eq!(axis.unbound().to_string(), "the axis \"i\" is named by no map around this");
    /// ```
    pub fn unbound(&self) -> Error {
        Error::program(format!("the axis \"{}\" is named by no map around this", self.name))
    }
}

/// `x` with its first two axes exchanged.
fn exchanged(cx: &mut BatchCx<'_>, x: Value) -> Result<Value> {
    let mut permutation: Vec<usize> = (0..cx.b.ty(x).rank()).collect();
    permutation.swap(0, 1);
    cx.b.transpose(x, &permutation)
}

fn tensor(operands: &[Type]) -> Result<Type> {
    arity(operands, 1)?;
    Ok(operands[0])
}

impl Rules for AxisIndex {
    fn name(&self) -> &'static str {
        "jarrah.axis_index"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        arity(operands, 0)?;
        Ok(TypeVec::from_slice(&[Type::scalar(DType::I32)]))
    }

    fn jvp(&self, _: &mut JvpCx<'_>) -> Result<Jvp> {
        Ok(Jvp::Zero)
    }

    fn transpose(&self, _: &mut TransposeCx<'_>) -> Result<Transpose> {
        Ok(Transpose::Refuse("a position is not linear in anything"))
    }

    fn batch(&self, cx: &mut BatchCx<'_>) -> Result<Batch> {
        let index = match self.axis.is_mapped(cx)? {
            true => Batched::yes(cx.b.iota(Type::tensor(DType::I32, [cx.size]), 0)?),
            false => Batched::no(cx.b.one(self.clone(), &[])?),
        };
        Ok(Batch::Results(vec![index]))
    }

    fn checked(&self, _: &mut CheckCx<'_>) -> Result<Checked> {
        Ok(Checked::AsIs)
    }

    rows!(Refuse("it exchanges rows along a named axis"));

    fn cost(&self, operands: &[Type], results: &[Type]) -> Result<Cost> {
        Cost::movement(operands, results)
    }

    fn docs(&self) -> Docs {
        Docs { summary: "The position along a named axis of a map.", source: "jax.lax.axis_index" }
    }

    no_programs!();
    pure!(Recompute);
    keeps_precision!();

    /// None: it means something under a map only.
    fn examples() -> Vec<Example> {
        Vec::new()
    }
}

impl Rules for AllGather {
    fn name(&self) -> &'static str {
        "jarrah.all_gather"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        Ok(TypeVec::from_slice(&[tensor(operands)?.with_leading(self.axis.size)]))
    }

    fn jvp(&self, _: &mut JvpCx<'_>) -> Result<Jvp> {
        Ok(Jvp::Linear(1))
    }

    fn transpose(&self, cx: &mut TransposeCx<'_>) -> Result<Transpose> {
        let ct = cx.cotangent()?;
        let ct = cx.b.one(ReduceScatter { axis: self.axis.clone() }, &[ct])?;
        Ok(Transpose::Cotangents(vec![Some(ct)]))
    }

    fn batch(&self, cx: &mut BatchCx<'_>) -> Result<Batch> {
        let gathered = if self.axis.is_mapped(cx)? {
            Batched::no(cx.batched(0)?)
        } else if cx.operands[0].batched {
            let stacked = cx.b.one(self.clone(), &[cx.operands[0].value])?;
            Batched::yes(exchanged(cx, stacked)?)
        } else {
            Batched::no(cx.b.one(self.clone(), &[cx.operands[0].value])?)
        };
        Ok(Batch::Results(vec![gathered]))
    }

    fn checked(&self, _: &mut CheckCx<'_>) -> Result<Checked> {
        Ok(Checked::AsIs)
    }

    rows!(Refuse("it exchanges rows along a named axis"));

    fn cost(&self, operands: &[Type], results: &[Type]) -> Result<Cost> {
        Cost::movement(operands, results)
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "The operands of all positions along a named axis, stacked: `y[j, ..] = x_j[..]`.",
            source: "jax.lax.all_gather",
        }
    }

    no_programs!();
    pure!(Save);
    keeps_precision!();

    /// None: it means something under a map only.
    fn examples() -> Vec<Example> {
        Vec::new()
    }
}

impl Rules for ReduceScatter {
    fn name(&self) -> &'static str {
        "jarrah.reduce_scatter"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        let ty = tensor(operands)?;
        let size = self.axis.size;
        if ty.rank() == 0 || ty.dim(0) != size {
            let error = format!("the first axis of {ty} must have the {size} elements of the named axis");
            return Err(Error::program(error));
        }
        Ok(TypeVec::from_slice(&[ty.without_leading()]))
    }

    fn jvp(&self, _: &mut JvpCx<'_>) -> Result<Jvp> {
        Ok(Jvp::Linear(1))
    }

    fn transpose(&self, cx: &mut TransposeCx<'_>) -> Result<Transpose> {
        let ct = cx.cotangent()?;
        let ct = cx.b.one(AllGather { axis: self.axis.clone() }, &[ct])?;
        Ok(Transpose::Cotangents(vec![Some(ct)]))
    }

    fn batch(&self, cx: &mut BatchCx<'_>) -> Result<Batch> {
        let Batched { value, batched } = cx.operands[0];
        let scattered = if self.axis.is_mapped(cx)? {
            Batched::yes(match batched {
                true => cx.b.sum(value, &[0])?,
                false => cx.b.scale(value, cx.size as f64)?,
            })
        } else if batched {
            let outside = exchanged(cx, value)?;
            Batched::yes(cx.b.one(self.clone(), &[outside])?)
        } else {
            Batched::no(cx.b.one(self.clone(), &[value])?)
        };
        Ok(Batch::Results(vec![scattered]))
    }

    fn checked(&self, _: &mut CheckCx<'_>) -> Result<Checked> {
        Ok(Checked::Numbers)
    }

    rows!(Refuse("it exchanges rows along a named axis"));

    fn cost(&self, operands: &[Type], results: &[Type]) -> Result<Cost> {
        Cost::new(operands[0].elements()? as f64, operands, results)
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "At position `i` the sum of the slices `i` of all operands along a named axis.",
            source: "jax.lax.psum_scatter",
        }
    }

    no_programs!();
    pure!(Save);
    keeps_precision!();

    /// None: it means something under a map only.
    fn examples() -> Vec<Example> {
        Vec::new()
    }
}

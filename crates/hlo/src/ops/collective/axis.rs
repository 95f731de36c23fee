use jarrah_base::{DType, Error, Result, Type};
use serde::{Deserialize, Serialize};

use crate::example::Example;
use crate::rules::*;

/// An axis over which a program is mapped: the batch axis of a `vmap` that names it, an axis of a mesh of devices, or the replicas or
/// partitions that run the program.
///
/// Batching along the axis puts ordinary ops in the place of those that speak of it. A program that speaks of [`NamedAxis::REPLICA`] and
/// [`NamedAxis::PARTITION`] alone runs on several devices.
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

impl NamedAxis {
    /// The name of the axis along which the replicas of a program stand, in the order of the devices that run it.
    pub const REPLICA: &str = "stablehlo.replica";

    /// The name of the axis along which the partitions of a program stand, in the order of the devices that run it.
    pub const PARTITION: &str = "stablehlo.partition";

    /// The axis of so many replicas.
    pub fn replica(size: usize) -> NamedAxis {
        NamedAxis { name: NamedAxis::REPLICA.into(), size }
    }

    /// The axis of so many partitions.
    pub fn partition(size: usize) -> NamedAxis {
        NamedAxis { name: NamedAxis::PARTITION.into(), size }
    }

    /// Whether the positions along the axis are devices.
    pub fn is_of_devices(&self) -> bool {
        matches!(&*self.name, NamedAxis::REPLICA | NamedAxis::PARTITION)
    }

    /// Whether this is the axis that is being batched.
    pub(super) fn is_mapped(&self, cx: &BatchCx<'_>) -> Result<bool> {
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

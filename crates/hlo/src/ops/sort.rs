use std::sync::Arc;

use jarrah_base::{DType, Error, Result, Type};
use serde::{Deserialize, Serialize};
use smallvec::{SmallVec, smallvec};

use super::reduce::check_body;
use super::{Comparison, Gather, check};
use crate::builder::Builder;
use crate::example::{Example, ints, varied};
use crate::program::Value;
use crate::rules::*;

/// The operands, all of one shape, permuted together along an axis so that they are in order.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Sort {
    /// The axis.
    pub axis: usize,
    /// Whether equal elements keep their order.
    pub stable: bool,
    /// The order of the elements.
    pub order: SortOrder,
}

/// An order of tuples of elements.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum SortOrder {
    /// The first `keys` operands, lexicographically, smallest first; NaN last, -0 equal to 0.
    Ascending {
        /// How many operands are compared.
        keys: usize,
    },
    /// The reverse of ascending; NaN first.
    Descending {
        /// How many operands are compared.
        keys: usize,
    },
    /// A program over two scalars of each operand, `a0, b0, a1, b1, ...`, that says whether `a` comes before `b`.
    General(#[serde(with = "crate::serial::apart")] ProgramRef),
}

impl Sort {
    /// The sort with one more operand of type `extra` at the end, which the order ignores.
    fn with_passenger(&self, extra: DType) -> Result<Sort> {
        let order = match &self.order {
            SortOrder::General(before) => {
                let mut b = Builder::like(before);
                let args: Vec<_> = before.param_values().collect();
                for _ in 0..2 {
                    b.param(Type::scalar(extra), "");
                }
                let results = b.inline(before, &args)?;
                SortOrder::General(Arc::new(b.finish(&results)?))
            }
            named => named.clone(),
        };
        Ok(Sort { order, ..self.clone() })
    }
}

impl Rules for Sort {
    fn name(&self) -> &'static str {
        "sort"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        let Some((&first, rest)) = operands.split_first() else {
            return Err(Error::program("takes at least one operand, none was given"));
        };
        check::tensors(&[first], &["operand 0"])?;
        check::axes("axis", &[self.axis], first.rank(), &format!("operand 0 {first}"))?;
        for (i, &ty) in rest.iter().enumerate() {
            let name = format!("operand {}", i + 1);
            check::tensors(&[ty], &[&name])?;
            if !ty.same_dims(first) {
                return Err(Error::program(format!("shapes differ: operand 0 is {first}, {name} is {ty}")));
            }
        }
        match &self.order {
            SortOrder::Ascending { keys } | SortOrder::Descending { keys } => {
                if *keys == 0 || *keys > operands.len() {
                    let found = operands.len();
                    return Err(Error::program(format!("{keys} operands are compared, {found} were given")));
                }
            }
            SortOrder::General(before) => {
                let takes: TypeVec = operands.iter().flat_map(|ty| [Type::scalar(ty.dtype()); 2]).collect();
                check_body(before, &takes, &[Type::scalar(DType::Bool)])?;
            }
        }
        Ok(operands.into())
    }

    fn jvp(&self, cx: &mut JvpCx<'_>) -> Result<Jvp> {
        let ty = cx.ty(0);
        let types = cx.b.types(cx.operands);
        let position = cx.b.iota(ty.with_dtype(DType::I32), self.axis)?;
        let mut operands = cx.operands.to_vec();
        operands.push(position);
        let sort = self.with_passenger(DType::I32)?;
        let mut results = cx.b.push(sort, &operands)?.to_vec();
        let order = results.pop().ok_or_else(|| Error::internal("a sort without results"))?;
        let mut tangents = Vec::with_capacity(results.len());
        for (&tangent, &ty) in cx.tangents.iter().zip(&types) {
            tangents.push(match tangent {
                Tangent::Zero(ty) => Tangent::Zero(ty),
                Tangent::Value(t) => Tangent::Value(cx.b.one(Gather::along(ty, self.axis), &[t, order])?),
            });
        }
        Ok(Jvp::Replace { results, tangents })
    }

    fn transpose(&self, _: &mut TransposeCx<'_>) -> Result<Transpose> {
        Ok(Transpose::Refuse("sorting is not linear"))
    }

    fn batch(&self, cx: &mut BatchCx<'_>) -> Result<Batch> {
        let operands: Vec<Value> = (0..cx.operands.len()).map(|i| cx.batched(i)).collect::<Result<_>>()?;
        let results = cx.b.push(Sort { axis: self.axis + 1, ..self.clone() }, &operands)?;
        Ok(Batch::Results(results.into_iter().map(Batched::yes).collect()))
    }

    pure!(Save);
    keeps_precision!();

    fn checked(&self, _: &mut CheckCx<'_>) -> Result<Checked> {
        Ok(Checked::AsIs)
    }

    fn rows_apart(&self, _: &Self, cx: &RowsCx<'_>) -> Result<Rows> {
        let meets = cx.operands.iter().flatten().any(|growth| growth.axis == self.axis);
        Ok(if meets { Rows::Refuse("it sorts the rows") } else { Rows::Alike })
    }

    fn cost(&self, operands: &[Type], results: &[Type]) -> Result<Cost> {
        let (elements, along) = (operands[0].elements()?, operands[0].dim(self.axis));
        Cost::new(elements as f64 * (along.max(2) as f64).log2(), operands, results)
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "Tensors permuted together along an axis so that their elements are in order.",
            source: "StableHLO specification, sort",
        }
    }

    fn programs(&self) -> SmallVec<[&ProgramRef; 2]> {
        match &self.order {
            SortOrder::General(before) => smallvec![before],
            _ => SmallVec::new(),
        }
    }

    fn with_programs(&self, programs: &[ProgramRef]) -> Self {
        match (&self.order, programs) {
            (SortOrder::General(_), [before]) => {
                Sort { order: SortOrder::General(before.clone()), ..self.clone() }
            }
            _ => self.clone(),
        }
    }

    fn examples() -> Vec<Example> {
        let x = || varied(&[3, 4], -1.0, 1.0);
        let n = || ints(&[2, 4], &[3, 1, 4, 1, 5, 9, 2, 6]);
        let sort = |axis, order| Sort { axis, stable: true, order };
        let ascending = |keys| SortOrder::Ascending { keys };
        let descending = SortOrder::Descending { keys: 1 };
        vec![
            Example::new("ascending", sort(1, ascending(1)), vec![x()]),
            Example::new("descending columns", sort(0, descending.clone()), vec![x()]),
            Example::new("a key and a value", sort(1, ascending(1)), vec![n(), varied(&[2, 4], -1.0, 1.0)]),
            Example::new("two keys", sort(1, ascending(2)), vec![n(), varied(&[2, 4], -1.0, 1.0)]),
            Example::new(
                "a float key and a value",
                sort(0, descending),
                vec![x(), varied(&[3, 4], 2.0, 3.0)],
            ),
            Example::new("by a program", sort(0, SortOrder::General(later())), vec![varied(&[5], -1.0, 1.0)]),
        ]
    }
}

/// Whether the first of two floats is larger, as a program.
fn later() -> ProgramRef {
    let scalar = Type::scalar(DType::F32);
    let mut b = Builder::new("larger");
    let (x, y) = (b.param(scalar, "a"), b.param(scalar, "b"));
    let larger = b.compare(Comparison::Gt, x, y).expect("invariant: two floats can be compared");
    Arc::new(b.finish(&[larger]).expect("invariant: the result was made above"))
}

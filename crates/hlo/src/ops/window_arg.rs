use std::sync::Arc;

use jarrah_base::{DType, Error, Result, Type};
use serde::{Deserialize, Serialize};
use smallvec::{SmallVec, smallvec};

use super::reduce::check_body;
use super::{Axes, Comparison, ElementwiseKind, Gather, ReduceWindow, Reducer, Window, check};
use crate::builder::Builder;
use crate::example::{Example, ints, varied};
use crate::program::{Program, Value};
use crate::rules::*;

/// Which element of each window is selected: its row-major position in the operand, -1 where a window has none.
///
/// The elements of a window are met in row-major order, padding never. The first is held; it is replaced by the next
/// one for which `select(held, next)` is false.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct WindowArg {
    /// Whether the element that is held stays.
    pub select: WindowSelect,
    /// Where the windows lie.
    pub window: Window,
    /// The type of positions, a signed integer.
    pub to: DType,
}

/// Whether the element of a window that is held stays, given the next one.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum WindowSelect {
    /// `held >= next`: the first of the largest is selected.
    Ge,
    /// `held > next`.
    Gt,
    /// `held <= next`: the first of the smallest is selected.
    Le,
    /// `held < next`.
    Lt,
    /// A program from two scalars to a truth value.
    General(#[serde(with = "crate::serial::apart")] ProgramRef),
}

impl WindowSelect {
    /// The comparison, unless it is a program.
    pub fn comparison(&self) -> Option<Comparison> {
        match self {
            WindowSelect::Ge => Some(Comparison::Ge),
            WindowSelect::Gt => Some(Comparison::Gt),
            WindowSelect::Le => Some(Comparison::Le),
            WindowSelect::Lt => Some(Comparison::Lt),
            WindowSelect::General(_) => None,
        }
    }

    /// The selection by a comparison; `None` for those that are no order.
    pub fn by(comparison: Comparison) -> Option<WindowSelect> {
        match comparison {
            Comparison::Ge => Some(WindowSelect::Ge),
            Comparison::Gt => Some(WindowSelect::Gt),
            Comparison::Le => Some(WindowSelect::Le),
            Comparison::Lt => Some(WindowSelect::Lt),
            Comparison::Eq | Comparison::Ne => None,
        }
    }
}

impl WindowArg {
    /// The narrowest type that counts the elements of `operand`.
    ///
    /// # Errors
    /// The elements of a type exceed the address space.
    pub fn index_type(operand: Type) -> Result<DType> {
        Ok(if operand.elements()? <= i32::MAX as usize { DType::I32 } else { DType::I64 })
    }

    /// The elements of `x` at row-major positions, zero where these are -1.
    ///
    /// # Errors
    /// The elements of a type exceed the address space.
    pub fn read(b: &mut Builder, x: Value, positions: Value) -> Result<Value> {
        let (ty, at) = (b.ty(x), b.ty(positions));
        let count = ty.elements()?;
        if count == 0 || at.elements()? == 0 {
            return b.zeros(at.with_dtype(ty.dtype()));
        }
        let row = b.reshape(x, &[count])?;
        let gather = Gather {
            offset_axes: Axes::new(),
            collapsed_axes: smallvec![0],
            operand_batch_axes: Axes::new(),
            indices_batch_axes: Axes::new(),
            index_map: smallvec![0],
            index_vector_axis: at.rank(),
            sizes: smallvec![1],
            sorted: false,
        };
        let read = b.one(gather, &[row, positions])?;
        let nowhere = b.zeros(at)?;
        let found = b.compare(Comparison::Ge, positions, nowhere)?;
        let zeros = b.zeros(b.ty(read))?;
        b.select(found, read, zeros)
    }

    /// The selection as a reduction of windows over pairs of an element and its position.
    ///
    /// # Errors
    /// The elements of a type exceed the address space.
    pub fn definition(&self, operand: Type) -> Result<Program> {
        let wide = WindowArg::index_type(operand)?;
        let (value, index) = (Type::scalar(operand.dtype()), Type::scalar(wide));
        let mut b = Builder::new("select");
        let [held, at, next, next_at] = [value, index, value, index].map(|ty| b.param(ty, ""));
        let stays = match &self.select {
            WindowSelect::General(select) => b.inline(select, &[held, next])?[0],
            named => {
                let comparison =
                    named.comparison().ok_or_else(|| Error::internal("a selection without an order"))?;
                b.compare(comparison, held, next)?
            }
        };
        // Padding has the position -1: it neither stays nor replaces.
        let zero = b.zeros(index)?;
        let is_element = b.compare(Comparison::Ge, at, zero)?;
        let stays = b.binary(ElementwiseKind::And, stays, is_element)?;
        let is_padding = b.compare(Comparison::Lt, next_at, zero)?;
        let stays = b.binary(ElementwiseKind::Or, stays, is_padding)?;
        let (v, i) = (b.select(stays, held, next)?, b.select(stays, at, next_at)?);
        let body = Arc::new(b.finish(&[v, i])?);

        let mut b = Builder::new("window_arg");
        let x = b.param(operand, "");
        let positions = b.iota(Type::tensor(wide, [operand.elements()?]), 0)?;
        let positions = b.reshape(positions, &operand.dims())?;
        let (padding, nowhere) = (b.zeros(value)?, b.full(index, -1.0)?);
        let reduce = ReduceWindow { reducer: Reducer::General(body), window: self.window.clone() };
        let results = b.push(reduce, &[x, positions, padding, nowhere])?;
        let positions = b.convert(results[1], self.to)?;
        b.finish(&[positions])
    }
}

impl Rules for WindowArg {
    fn name(&self) -> &'static str {
        "jarrah.window_arg"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        check::tensors(operands, &["operand"])?;
        let operand = operands[0];
        self.window.check(operand.rank(), &format!("operand {operand}"))?;
        if !self.to.is_integer() || self.to.kind() != jarrah_base::ElementKind::Signed {
            return Err(Error::program(format!("positions are signed integers, {} was asked for", self.to)));
        }
        if let WindowSelect::General(select) = &self.select {
            let scalar = Type::scalar(operand.dtype());
            check_body(select, &[scalar, scalar], &[Type::scalar(DType::Bool)])?;
        }
        Ok(smallvec![self.window.result(operand)?.with_dtype(self.to)])
    }

    fn jvp(&self, _: &mut JvpCx<'_>) -> Result<Jvp> {
        Ok(Jvp::Zero)
    }

    fn transpose(&self, _: &mut TransposeCx<'_>) -> Result<Transpose> {
        Ok(Transpose::Refuse("positions are not linear"))
    }

    /// Positions within the batch, made relative to each element.
    fn batch(&self, cx: &mut BatchCx<'_>) -> Result<Batch> {
        let each = cx.ty(0).elements()?;
        let x = cx.batched(0)?;
        let b = &mut *cx.b;
        let total = WindowArg::index_type(b.ty(x))?;
        let to = if total == DType::I64 { DType::I64 } else { self.to };
        let arg = WindowArg { select: self.select.clone(), window: self.window.batched(), to };
        let positions = b.one(arg, &[x])?;
        let ty = b.ty(positions);
        let start = b.iota(ty, 0)?;
        let start = b.scale(start, each as f64)?;
        let relative = b.sub(positions, start)?;
        let zeros = b.zeros(ty)?;
        let found = b.compare(Comparison::Ge, positions, zeros)?;
        let relative = b.select(found, relative, positions)?;
        Ok(Batch::Results(vec![Batched::yes(b.convert(relative, self.to)?)]))
    }

    pure!(Save);
    keeps_precision!();

    fn checked(&self, _: &mut CheckCx<'_>) -> Result<Checked> {
        Ok(Checked::AsIs)
    }

    fn rows_apart(&self, _: &Self, cx: &RowsCx<'_>) -> Result<Rows> {
        let is_single = |growth: &RowGrowth| self.window.is_single(growth.axis);
        if !cx.operands.iter().flatten().all(is_single) {
            return Ok(Rows::Refuse("its windows reach over the rows"));
        }
        // Positions are counted in the whole operand.
        let in_front =
            |growth: &RowGrowth| cx.types[0][0].extents().take(growth.axis).product::<usize>() <= 1;
        let apart = cx.operands.iter().flatten().all(in_front);
        Ok(if apart { Rows::Alike } else { Rows::Refuse("it counts positions across the rows") })
    }

    fn cost(&self, operands: &[Type], results: &[Type]) -> Result<Cost> {
        let places: f64 = self.window.sizes.iter().map(|&s| s as f64).product();
        Cost::new(places * results[0].elements()? as f64, operands, results)
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "Which element of each window is selected, as its row-major position in the tensor.",
            source: "StableHLO specification, select_and_scatter",
        }
    }

    fn programs(&self) -> SmallVec<[&ProgramRef; 2]> {
        match &self.select {
            WindowSelect::General(select) => smallvec![select],
            _ => SmallVec::new(),
        }
    }

    fn with_programs(&self, programs: &[ProgramRef]) -> Self {
        match (&self.select, programs) {
            (WindowSelect::General(_), [select]) => {
                WindowArg { select: WindowSelect::General(select.clone()), ..self.clone() }
            }
            _ => self.clone(),
        }
    }

    fn examples() -> Vec<Example> {
        let x = || varied(&[3, 5], -1.0, 1.0);
        let n = || ints(&[2, 4], &[3, 3, 1, 4, 4, 4, 0, 4]);
        let pool = Window::new(&[2, 2]).strided(&[1, 2]).padded(&[0, 1], &[1, 0]);
        let by = |select, window: &Window| WindowArg { select, window: window.clone(), to: DType::I32 };
        let all_padding = Window::new(&[1, 2]).padded(&[0, 2], &[1, 0]);
        vec![
            Example::new("first of the largest", by(WindowSelect::Ge, &pool), vec![n()]),
            Example::new("last of the largest", by(WindowSelect::Gt, &pool), vec![n()]),
            Example::new("first of the smallest", by(WindowSelect::Le, &pool), vec![x()]),
            Example::new("windows of padding", by(WindowSelect::Lt, &all_padding), vec![x()]),
            Example::new("by a program", by(WindowSelect::General(closer()), &pool), vec![x()]),
        ]
    }
}

/// Whether the first of two floats is not further from zero.
fn closer() -> ProgramRef {
    let scalar = Type::scalar(DType::F32);
    let mut b = Builder::new("closer");
    let (x, y) = (b.param(scalar, "held"), b.param(scalar, "next"));
    let mut size = |v| b.unary(ElementwiseKind::Abs, v).expect("invariant: a float has a size");
    let (x, y) = (size(x), size(y));
    let closer = b.compare(Comparison::Le, x, y).expect("invariant: two floats can be compared");
    Arc::new(b.finish(&[closer]).expect("invariant: the result was made above"))
}

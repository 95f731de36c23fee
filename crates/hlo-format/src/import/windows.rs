//! Ops over windows.

use jarrah_base::Result;
use jarrah_hlo::expand;
use jarrah_hlo::ops::{
    ConvAxes, Convolution, ReducePrecision, ReduceWindow, Reducer, Sizes, Window, WindowArg, WindowSelect,
};
use smallvec::SmallVec;

use super::Importer;
use super::block::{Block, Outcome, all};
use super::reductions::folds_with;
use crate::ast::{Attribute, Op};
use crate::templates;

impl<'a, 't> Importer<'a, 't> {
    pub(super) fn reduce_window(&mut self, block: &mut Block<'a, 't>, op: &'a Op<'t>) -> Result<Outcome> {
        let region = self.only_region(op)?;
        let body = self.closed(block, op, region)?;
        let window = self.window(op)?;
        let fold = folds_with(&body).filter(|_| op.operands.len() == 2).and_then(templates::reducer);
        let (Some(reducer), false) = (fold, self.flag(op, "jarrah.general")?) else {
            let operands = self.operands(block, op)?;
            let general = ReduceWindow { reducer: Reducer::General(body), window };
            return Ok(all(&self.push(block, op, general, &operands)?));
        };
        let x = self.value(block, op, op.operands[0])?;
        let identity = reducer.identity(block.b.ty(x).dtype()).map_err(|e| self.refused(op, &e))?;
        if self.constant_of(block, op.operands[1]) == Some(identity) {
            self.absorb(block, op.operands[1]);
            return Ok(all(&[self.one(block, op, ReduceWindow { reducer, window }, &[x])?]));
        }
        let init = self.value(block, op, op.operands[1])?;
        let result = expand::reduce_window(&mut block.b, reducer, window, x, init);
        Ok(all(&[result.map_err(|e| self.refused(op, &e))?]))
    }

    pub(super) fn reduce_precision(&mut self, block: &mut Block<'a, 't>, op: &'a Op<'t>) -> Result<Outcome> {
        let [x] = self.some_operands(block, op)?;
        let bits = match op.attribute("format") {
            Some(Attribute::Word(format)) => {
                let parts = format.strip_prefix('e').and_then(|f| f.split_once('m'));
                parts.and_then(|(e, m)| Some((e.parse().ok()?, m.parse().ok()?)))
            }
            _ => {
                let bits =
                    |name| u32::try_from(self.size(op, &[name])?).map_err(|_| self.fail(op, "too many bits"));
                Some((bits("exponent_bits")?, bits("mantissa_bits")?))
            }
        };
        let (exponent_bits, mantissa_bits) =
            bits.ok_or_else(|| self.fail(op, "the format is no `e` and `m` with numbers"))?;
        Ok(all(&[self.one(block, op, ReducePrecision { exponent_bits, mantissa_bits }, &[x])?]))
    }

    pub(super) fn convolution(&mut self, block: &mut Block<'a, 't>, op: &'a Op<'t>) -> Result<Outcome> {
        let [lhs, rhs] = self.some_operands(block, op)?;
        let axes = self.structure(op, "dimension_numbers")?;
        let side = |batch: &'static str, feature: &'static str, spatial: &'static str| -> Result<ConvAxes> {
            let one = |name: &'static str| -> Result<usize> {
                let axis = self.optional_size(op, axes, &[name])?;
                axis.ok_or_else(|| self.fail(op, format!("`{name}` is missing")))
            };
            Ok(ConvAxes {
                batch: one(batch)?,
                feature: one(feature)?,
                spatial: self.axes(op, axes, &[spatial])?,
            })
        };
        let padding = self.numbers(op, &["padding"])?;
        let every_other = |first: usize| padding.iter().skip(first).step_by(2).copied().collect();
        let reversed = self.numbers(op, &["window_reversal"])?;
        let conv = Convolution {
            lhs_axes: side("input_batch_dimension", "input_feature_dimension", "input_spatial_dimensions")?,
            rhs_axes: side(
                "kernel_output_feature_dimension",
                "kernel_input_feature_dimension",
                "kernel_spatial_dimensions",
            )?,
            out_axes: side(
                "output_batch_dimension",
                "output_feature_dimension",
                "output_spatial_dimensions",
            )?,
            strides: self.sizes(op, &["window_strides"])?,
            low: every_other(0),
            high: every_other(1),
            lhs_dilations: self.sizes(op, &["lhs_dilation"])?,
            rhs_dilations: self.sizes(op, &["rhs_dilation"])?,
            reversed: reversed.iter().map(|&r| r != 0).collect(),
            feature_groups: self.size(op, &["feature_group_count"])?,
            batch_groups: self.size(op, &["batch_group_count"])?,
            out: self.result_type(op)?.dtype(),
        };
        Ok(all(&[self.one(block, op, conv, &[lhs, rhs])?]))
    }

    pub(super) fn window_arg(&mut self, block: &mut Block<'a, 't>, op: &'a Op<'t>) -> Result<WindowArg> {
        let select = match self.word(op, "select")? {
            "GE" => WindowSelect::Ge,
            "GT" => WindowSelect::Gt,
            "LE" => WindowSelect::Le,
            "LT" => WindowSelect::Lt,
            "program" => WindowSelect::General(self.closed(block, op, self.only_region(op)?)?),
            other => return Err(self.fail(op, format!("`{other}` is no selection"))),
        };
        Ok(WindowArg { select, window: self.window(op)?, to: self.result_type(op)?.dtype() })
    }

    /// The attributes of windows; all but the sizes may be left out.
    fn window(&self, op: &'a Op<'t>) -> Result<Window> {
        let sizes = self.sizes(op, &["window_dimensions"])?;
        let ones = |name: &'static str| -> Result<Sizes> {
            match op.attribute(name) {
                Some(_) => self.sizes(op, &[name]),
                None => Ok(sizes.iter().map(|_| 1).collect()),
            }
        };
        let padding = match op.attribute("padding") {
            Some(_) => self.numbers(op, &["padding"])?,
            None => vec![0; 2 * sizes.len()],
        };
        let side =
            |first: usize| -> SmallVec<[i64; 6]> { padding.iter().skip(first).step_by(2).copied().collect() };
        Ok(Window {
            strides: ones("window_strides")?,
            base_dilations: ones("base_dilations")?,
            dilations: ones("window_dilations")?,
            low: side(0),
            high: side(1),
            sizes,
        })
    }
}

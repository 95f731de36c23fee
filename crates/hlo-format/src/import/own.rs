//! Ops that StableHLO lacks.

use jarrah_base::{Result, Type};
use jarrah_hlo::ProgramRef;
use jarrah_hlo::ops::{
    Attention, AttentionKind, BlockIndex, BlockSpec, CustomRule, CustomTangent, Kernel, Load, ProgramId,
    Remat, Rule, Scan, Store, Threefry2x32,
};

use super::Importer;
use super::block::{Block, Outcome, all};
use crate::ast::{Attribute, Op, Signature};

/// Grid and block extents are at most this, so that their products do not overflow.
const MAX_GRID: usize = 1 << 31;

impl<'a, 't> Importer<'a, 't> {
    pub(super) fn own(&mut self, block: &mut Block<'a, 't>, op: &'a Op<'t>) -> Result<Outcome> {
        let operands = self.operands(block, op)?;
        let operation: jarrah_hlo::Op = match op.name {
            "jarrah.scan" => {
                let body = self.closed(block, op, self.only_region(op)?)?;
                Scan {
                    body,
                    consts: self.size(op, &["consts"])?,
                    carry: self.size(op, &["carry"])?,
                    length: self.size(op, &["length"])?,
                    reverse: self.flag(op, "reverse")?,
                }
                .into()
            }
            "jarrah.remat" => Remat { body: self.closed(block, op, self.only_region(op)?)? }.into(),
            "jarrah.custom_rule" => self.custom_rule(block, op)?.into(),
            "jarrah.custom_tangent" => {
                let backward = self.closed(block, op, self.only_region(op)?)?;
                let residuals = self.size(op, &["residuals"])?;
                CustomTangent { backward, residuals, results: self.result_types(op)?.to_vec() }.into()
            }
            "jarrah.threefry2x32" => Threefry2x32.into(),
            "jarrah.attention" => self.attention(op)?.into(),
            "jarrah.kernel" => self.kernel(block, op)?.into(),
            "jarrah.window_arg" => self.window_arg(block, op)?.into(),
            "jarrah.load" => Load.into(),
            "jarrah.store" => Store.into(),
            "jarrah.program_id" => ProgramId { axis: self.size(op, &["axis"])? }.into(),
            name => return Err(self.fail(op, format!("the op {name} is not supported"))),
        };
        Ok(all(&self.push(block, op, operation, &operands)?))
    }

    fn result_types(&self, op: &'a Op<'t>) -> Result<&'a [Type]> {
        match &op.signature {
            Signature::Function(_, results) => Ok(results),
            _ => Err(self.fail(op, "has no result types")),
        }
    }

    fn custom_rule(&mut self, block: &mut Block<'a, 't>, op: &'a Op<'t>) -> Result<CustomRule> {
        let mut programs: Vec<ProgramRef> = Vec::new();
        for region in &op.regions {
            programs.push(self.closed(block, op, region)?);
        }
        match (self.word(op, "rule")?, &programs[..]) {
            ("jvp", [primal, rule]) => {
                Ok(CustomRule { primal: primal.clone(), rule: Rule::Jvp(rule.clone()) })
            }
            ("vjp", [primal, forward, backward]) => {
                let rule = Rule::Vjp { forward: forward.clone(), backward: backward.clone() };
                Ok(CustomRule { primal: primal.clone(), rule })
            }
            (rule, programs) => Err(self.fail(
                op,
                format!("`{rule}` with {} regions is no rule: jvp has two, vjp three", programs.len()),
            )),
        }
    }

    fn attention(&self, op: &'a Op<'t>) -> Result<Attention> {
        let kind = match self.word(op, "kind")? {
            "forward" => AttentionKind::Forward,
            "tangent" => AttentionKind::Tangent,
            "transpose" => AttentionKind::Transpose,
            other => return Err(self.fail(op, format!("`{other}` is no kind of attention"))),
        };
        let scale = match op.attribute("scale") {
            Some(Attribute::Number(number)) => match number.strip_prefix("0x") {
                Some(bits) => u64::from_str_radix(bits, 16).ok(),
                None => number.parse::<f64>().ok().map(f64::to_bits),
            },
            _ => None,
        };
        let scale_bits =
            scale.ok_or_else(|| self.fail(op, "the attribute `scale` is missing, or no number"))?;
        Ok(Attention { kind, scale_bits, causal: self.flag(op, "causal")? })
    }

    fn kernel(&mut self, block: &mut Block<'a, 't>, op: &'a Op<'t>) -> Result<Kernel> {
        let body = self.closed(block, op, self.only_region(op)?)?;
        let grid = self.sizes(op, &["grid"])?;
        if grid.iter().any(|&g| g > MAX_GRID) {
            return Err(self.fail(op, "the grid is too large"));
        }
        let inputs = self.block_specs(op, "inputs")?;
        let specs = self.block_specs(op, "outputs")?;
        let types = self.result_types(op)?;
        if specs.len() != types.len() {
            return Err(
                self.fail(op, format!("`outputs` has {} entries for {} results", specs.len(), types.len()))
            );
        }
        Ok(Kernel { grid, inputs, outputs: types.iter().copied().zip(specs).collect(), body })
    }

    /// A list with an entry for each array: a list with an entry for each of its axes.
    fn block_specs(&self, op: &'a Op<'t>, name: &str) -> Result<Vec<BlockSpec>> {
        let wrong = || self.fail(op, format!("`{name}` is no list of lists of axes"));
        let Some(Attribute::List(arrays)) = op.attribute(name) else { return Err(wrong()) };
        let mut specs = Vec::new();
        for array in arrays {
            let Attribute::List(axes) = array else { return Err(wrong()) };
            let axes = axes.iter().map(|axis| self.block_index(op, axis)).collect::<Result<_>>()?;
            specs.push(BlockSpec { axes });
        }
        Ok(specs)
    }

    /// `"whole"`, `"first"`, `{point = 0}` or `{block = 8, grid = 0}`.
    fn block_index(&self, op: &'a Op<'t>, axis: &Attribute<'t>) -> Result<BlockIndex> {
        match axis {
            Attribute::Text(text) if text == "whole" => Ok(BlockIndex::Whole),
            Attribute::Text(text) if text == "first" => Ok(BlockIndex::First),
            Attribute::Fields(fields) => {
                let size = |name: &str| self.optional_size(op, fields, &[name]);
                match (size("block")?, size("grid")?, size("point")?) {
                    (Some(size), Some(grid), None) if size <= MAX_GRID => {
                        Ok(BlockIndex::Block { size, grid })
                    }
                    (None, None, Some(grid)) => Ok(BlockIndex::Point { grid }),
                    _ => Err(self.fail(op, "an axis has `block` and `grid`, or `point`")),
                }
            }
            _ => Err(self.fail(op, "an axis is \"whole\", \"first\", a point or a block")),
        }
    }
}

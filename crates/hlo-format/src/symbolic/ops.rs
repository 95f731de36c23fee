//! The dynamic forms of ops.

use jarrah_base::{DType, Result};

use super::Polynomial;
use super::generalize::{Generalizer, define};
use crate::ir::{Attr, Definition, IrOp, Ty, ValueId};

/// Ops whose result's shape follows from their operands', besides the elementwise functions.
const INFERRED: &[&str] = &[
    "chlo.top_k",
    "func.return",
    "stablehlo.bitcast_convert",
    "stablehlo.case",
    "stablehlo.cholesky",
    "stablehlo.clamp",
    "stablehlo.compare",
    "stablehlo.complex",
    "stablehlo.concatenate",
    "stablehlo.convert",
    "stablehlo.convolution",
    "stablehlo.dot_general",
    "stablehlo.dynamic_update_slice",
    "stablehlo.fft",
    "stablehlo.gather",
    "stablehlo.if",
    "stablehlo.imag",
    "stablehlo.is_finite",
    "stablehlo.optimization_barrier",
    "stablehlo.pad",
    "stablehlo.real",
    "stablehlo.reduce",
    "stablehlo.reduce_precision",
    "stablehlo.reduce_window",
    "stablehlo.return",
    "stablehlo.reverse",
    "stablehlo.scatter",
    "stablehlo.select",
    "stablehlo.slice",
    "stablehlo.sort",
    "stablehlo.transpose",
    "stablehlo.triangular_solve",
    "stablehlo.while",
];

impl Generalizer<'_> {
    /// Adds `whole`, which holds everything that the ops `all` have in common, in a form that serves all sizes.
    pub fn rewritten(&mut self, all: &[&IrOp], mut whole: IrOp, out: &mut Vec<IrOp>) -> Result<()> {
        let name = whole.name();
        let varying = self.varying(all);
        let varies = |names: &[&str]| varying.iter().any(|v| names.contains(&&**v));
        let result = whole.results.first().copied();
        let shaped = result.is_some_and(|result| self.is_symbolic(result));
        let shape: Vec<Polynomial> = result.map_or(Vec::new(), |result| self.shape(result).to_vec());
        let handled: &[&str] = match name {
            "stablehlo.constant" if shaped || varies(&["value"]) => return self.constant_of(all, whole, out),
            "stablehlo.broadcast_in_dim" if shaped => {
                turn(&mut whole, "stablehlo.dynamic_broadcast_in_dim", &[self.vector(&shape)?]);
                &[]
            }
            "stablehlo.reshape" if shaped => {
                turn(&mut whole, "stablehlo.dynamic_reshape", &[self.vector(&shape)?]);
                &[]
            }
            "stablehlo.iota" if shaped => {
                turn(&mut whole, "stablehlo.dynamic_iota", &[self.vector(&shape)?]);
                &[]
            }
            "stablehlo.slice" if varies(&["start_indices", "limit_indices", "strides"]) => self.listed(
                all,
                &mut whole,
                "stablehlo.real_dynamic_slice",
                &["start_indices", "limit_indices", "strides"],
            )?,
            "stablehlo.pad" if varies(&["edge_padding_low", "edge_padding_high", "interior_padding"]) => {
                let lists = &["edge_padding_low", "edge_padding_high", "interior_padding"];
                self.listed(all, &mut whole, "stablehlo.dynamic_pad", lists)?
            }
            "stablehlo.gather" if varies(&["slice_sizes"]) => {
                self.listed(all, &mut whole, "stablehlo.dynamic_gather", &["slice_sizes"])?
            }
            "stablehlo.dynamic_slice" if varies(&["slice_sizes"]) => {
                self.block(all, &mut whole, out)?;
                &["slice_sizes"]
            }
            _ if !shaped || INFERRED.contains(&name) || Definition::function(name).is_some() => &[],
            "stablehlo.dynamic_slice" => &[],
            _ => {
                return Err(self.wrong(
                    all[0],
                    "has a result whose extents are symbols, for which StableHLO has no form".into(),
                ));
            }
        };
        let own = |name: &&String| !name.starts_with("jarrah.") && !handled.contains(&name.as_str());
        if let Some(attribute) = varying.iter().find(own) {
            let text = |at: usize| {
                all[at]
                    .attr(attribute)
                    .and_then(Attr::integers)
                    .map_or("another".into(), |l| format!("{l:?}"))
            };
            let differing =
                all.iter().position(|op| op.attr(attribute) != all[0].attr(attribute)).unwrap_or(0);
            let (a, b) = (text(0), text(differing));
            let mut error = self.no_function(all[0], attribute, (0, &a), (differing, &b));
            if all[0].attr(attribute).and_then(Attr::integers).is_some() {
                error = error.help("StableHLO has no form of this op in which that is no constant");
            }
            return Err(error);
        }
        out.push(whole);
        Ok(())
    }

    /// The op with lists that were attributes as operands.
    fn listed(
        &mut self,
        all: &[&IrOp],
        whole: &mut IrOp,
        name: &'static str,
        lists: &'static [&'static str],
    ) -> Result<&'static [&'static str]> {
        let mut operands = Vec::new();
        for list in lists {
            let polynomials = self.lists(all, list)?;
            operands.push(self.vector(&polynomials)?);
            whole.attributes.remove(list);
        }
        turn(whole, name, &operands);
        Ok(lists)
    }

    /// A block whose sizes are symbols, as a slice from computed bounds: starts that are too large are moved back first.
    fn block(&mut self, all: &[&IrOp], whole: &mut IrOp, out: &mut Vec<IrOp>) -> Result<()> {
        let sizes = self.lists(all, "slice_sizes")?;
        let (x, starts) = (whole.operands[0], whole.operands[1..].to_vec());
        let ty = || Ty::of(DType::I32, [sizes.len()]);
        let loc = whole.loc.clone();
        let last: Vec<Polynomial> = self
            .shape(x)
            .to_vec()
            .iter()
            .zip(&sizes)
            .map(|(extent, size)| extent.plus(&size.negated()))
            .collect();
        let scalars: Vec<ValueId> = starts
            .iter()
            .map(|&start| self.make(out, &loc, "stablehlo.convert", &[start], &[], Ty::of(DType::I32, [])))
            .collect();
        let starts = self.stacked(out, &loc, &scalars);
        let zeros = self.vector(&vec![Polynomial::constant(0); sizes.len()])?;
        let strides = self.vector(&vec![Polynomial::constant(1); sizes.len()])?;
        let (last, sizes) = (self.vector(&last)?, self.vector(&sizes)?);
        let starts = self.make(out, &loc, "stablehlo.clamp", &[zeros, starts, last], &[], ty());
        let limits = self.make(out, &loc, "stablehlo.add", &[starts, sizes], &[], ty());
        whole.attributes.remove("slice_sizes");
        whole.operands.truncate(1);
        turn(whole, "stablehlo.real_dynamic_slice", &[starts, limits, strides]);
        Ok(())
    }
}

/// Makes `op` the op `name`, with these operands behind its own.
fn turn(op: &mut IrOp, name: &'static str, operands: &[ValueId]) {
    op.definition = define(name).definition;
    op.operands.extend(operands.iter().copied());
}

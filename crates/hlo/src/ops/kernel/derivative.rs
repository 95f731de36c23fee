use jarrah_base::{Error, Result, Type};

use super::{BlockSpec, Kernel, KernelForm, KernelOutput, Start};
use crate::builder::Builder;
use crate::ops::{Call, sub};
use crate::program::{Operands, Program, Value};
use crate::rules::*;

impl KernelOutput {
    /// This result of a kernel that takes only the operands in `kept`, which include the operand that the result begins as.
    fn moved(&self, kept: &[bool]) -> KernelOutput {
        let start = match self.start {
            Start::Operand(from) => Start::Operand(kept[..from].iter().filter(|kept| **kept).count()),
            start => start,
        };
        KernelOutput { start, ..self.clone() }
    }
}

impl Kernel {
    /// The kernel that also computes the tangents: those of operands, of held blocks and of scratch arrays are further ones.
    pub(super) fn tangents(&self, cx: &mut JvpCx<'_>) -> Result<Jvp> {
        let active = sub::active(cx.tangents);
        if active[..self.prefetch].contains(&true) {
            let types = cx.b.types(cx.operands);
            return jvp_by_definition(cx, &self.definition(&types)?);
        }
        let held: Vec<usize> = self.held().collect();
        let (positions, outputs) = (self.grid.len(), self.outputs.len());
        let first_held = positions + active.len();
        let mut of_params = vec![false; self.body.params().len()];
        of_params[positions..first_held].copy_from_slice(&active);
        for (j, &i) in held.iter().enumerate() {
            of_params[first_held + j] =
                matches!(self.outputs[i].start, Start::Operand(operand) if active[operand]);
        }
        let jvp = loop {
            let mut instantiate = vec![false; self.body.results().len()];
            for (j, &i) in held.iter().enumerate() {
                instantiate[i] = of_params[first_held + j];
            }
            let first_scratch = first_held + held.len();
            instantiate[outputs..].copy_from_slice(&of_params[first_scratch..]);
            let jvp = cx.sub.jvp(&self.body, &of_params, &instantiate)?;
            let mut carried: Vec<bool> = held.iter().map(|&i| jvp.active[i]).collect();
            carried.extend(&jvp.active[outputs..]);
            if !sub::join(&mut of_params[first_held..], &carried) {
                break jvp;
            }
        };

        let mut operands = cx.operands.to_vec();
        let mut inputs = self.inputs.clone();
        let mut tangent_of = vec![None; active.len()];
        for i in (0..active.len()).filter(|&i| active[i]) {
            tangent_of[i] = Some(operands.len());
            operands.push(cx.tangents[i].instantiate(cx.b)?);
            inputs.push(self.inputs[i - self.prefetch].clone());
        }
        let mut results = self.outputs.clone();
        for (i, output) in self.outputs.iter().enumerate().filter(|(i, _)| jvp.active[*i]) {
            let start = match output.start {
                // The tangent of an operand that has none begins as zeros.
                Start::Operand(from) => tangent_of[from].map_or(Start::Zeros, Start::Operand),
                start => start,
            };
            debug_assert!(start == Start::Fresh || held.contains(&i));
            results.push(KernelOutput { start, ..output.clone() });
        }
        let mut scratch = self.scratch.clone();
        scratch.extend(sub::chosen(&self.scratch, &jvp.active[outputs..]));
        let groups = [positions, self.prefetch, self.inputs.len(), held.len(), self.scratch.len()];
        let params = sub::grouped(&groups, &of_params);
        let returned = sub::grouped(&[outputs, self.scratch.len()], &jvp.active);
        let kernel = Kernel {
            inputs,
            outputs: results,
            scratch,
            flops: None,
            form: KernelForm::Steps,
            body: sub::permuted(&jvp.program, &params, &returned)?.into(),
            ..self.clone()
        };
        let all = cx.b.push(kernel, &operands)?;
        let (results, tangents) = all.split_at(outputs);
        let types = cx.b.types(results);
        let tangents = sub::tangents(&types, &jvp.active[..outputs], tangents);
        Ok(Jvp::Replace { results: results.to_vec(), tangents })
    }

    /// A kernel of the known results, and one of the others, which computes again in each block what it needs of the known
    /// operands.
    pub(super) fn split(&self, cx: &mut PartialEvalCx<'_>) -> Result<PartialEval> {
        let known = sub::known(cx.operands);
        // What the map reads has to be there in both kernels.
        if known[..self.prefetch].contains(&false) {
            return Ok(PartialEval::AllOrNothing);
        }
        if !self.effects().is_pure() {
            let types: Vec<Type> = (0..known.len()).map(|i| cx.ty(i)).collect();
            return Call { callee: self.definition(&types)?.into() }.partial_eval(cx);
        }
        let (split, of_params) = self.parted(cx.sub, &known)?;
        let known_results = &split.known_results[..self.outputs.len()];
        if !known_results.contains(&true) {
            return Ok(PartialEval::AllOrNothing);
        }
        let params: Vec<Value> = split.known.param_values().collect();
        let returned = split.known.results().len() - split.residuals;
        let outputs = self.outputs.iter().zip(known_results).filter(|(_, known)| **known);
        let of_known = Kernel {
            inputs: self.chosen_inputs(&known),
            outputs: outputs.map(|(output, _)| output.moved(&known)).collect(),
            scratch: sub::chosen(&self.scratch, &split.known_results[self.outputs.len()..]),
            flops: None,
            body: split.known.extract(&params, &split.known.results()[..returned])?.into(),
            ..self.clone()
        };
        let (args, _) = sub::parted(cx.operands);
        let of_known = cx.split.known().push(of_known, &args)?;

        let mut of_unknown = Vec::new();
        if known_results.contains(&false) {
            let (kernel, used) = self.of_unknown(&split, &of_params)?;
            let mut operands = Operands::new();
            for i in (0..used.len()).filter(|&i| used[i]) {
                operands.push(cx.unknown_operand(i)?);
            }
            let all = cx.split.unknown().push(kernel, &operands)?;
            // A kernel with state has all results.
            let waits: Vec<bool> = known_results.iter().map(|known| !known).collect();
            of_unknown = if all.len() == waits.len() { sub::chosen(&all, &waits) } else { all.to_vec() };
        }
        Ok(PartialEval::Results(sub::rejoined(known_results, &of_known, &of_unknown)?))
    }

    /// The body in two parts, and which of its parameters are known, over all points: a held block and a scratch array are if
    /// what replaces them is.
    fn parted(&self, sub: &dyn Transforms, operands: &[bool]) -> Result<(SplitProgram, Vec<bool>)> {
        let mut waits = vec![false; self.grid.len()];
        waits.extend(operands.iter().map(|known| !known));
        let first = waits.len();
        let mut state: Vec<usize> = Vec::new();
        for i in self.held() {
            waits.push(matches!(self.outputs[i].start, Start::Operand(from) if !operands[from]));
            state.push(i);
        }
        waits.resize(self.body.params().len(), false);
        state.extend(self.outputs.len()..self.body.results().len());
        loop {
            let known: Vec<bool> = waits.iter().map(|waits| !waits).collect();
            // A result waits also where only what it begins with does.
            let mut results_wait = vec![false; self.body.results().len()];
            for (&i, &waits) in state.iter().zip(&waits[first..]) {
                results_wait[i] = waits;
            }
            let split = sub.partial_eval_as_is(&self.body, &known, &results_wait)?;
            let returned: Vec<bool> = state.iter().map(|&i| !split.known_results[i]).collect();
            if !sub::join(&mut waits[first..], &returned) {
                return Ok((split, known));
            }
        }
    }

    /// The kernel of the results that wait, and which operands it takes. What it computes of known operands stands apart from
    /// what waits for the others, unless it has state: then it is this kernel, with all results.
    fn of_unknown(&self, split: &SplitProgram, known_params: &[bool]) -> Result<(Kernel, Vec<bool>)> {
        if !self.is_stateless() {
            return Ok((self.clone(), vec![true; self.prefetch + self.inputs.len()]));
        }
        let mut b = Builder::like(&self.body);
        let (mut args, mut rest) = (Vec::new(), Vec::new());
        for (param, &known) in self.body.param_values().zip(known_params) {
            if known { args.push(param) } else { rest.push(param) }
        }
        let mut values = b.inline(&split.known, &args)?;
        let mut residuals = values.split_off(values.len() - split.residuals);
        residuals.extend(rest);
        let results = b.inline(&split.unknown, &residuals)?;
        let outputs = self.outputs.iter().zip(&split.known_results).filter(|(_, known)| !**known);
        let outputs = outputs.map(|(output, _)| output.clone()).collect();
        Kernel { outputs, flops: None, ..self.clone() }.with_used_inputs(&b.finish(&results)?)
    }

    fn chosen_inputs(&self, operands: &[bool]) -> Vec<BlockSpec> {
        let chosen = self.inputs.iter().zip(&operands[self.prefetch..]).filter(|(_, chosen)| **chosen);
        chosen.map(|(block, _)| block.clone()).collect()
    }

    /// This kernel without state, with `body`, and without the operands of which that uses no block; and which operands it
    /// keeps.
    fn with_used_inputs(&self, body: &Program) -> Result<(Kernel, Vec<bool>)> {
        let uses = body.use_counts();
        let (positions, operands) = (self.grid.len(), self.prefetch + self.inputs.len());
        let used: Vec<bool> = (0..operands).map(|i| i < self.prefetch || uses[positions + i] > 0).collect();
        let mut params: Vec<Value> = body.param_values().take(positions).collect();
        params.extend((0..operands).filter(|&i| used[i]).map(|i| body.param(positions + i)));
        let body = body.extract(&params, body.results())?.into();
        Ok((Kernel { inputs: self.chosen_inputs(&used), body, ..self.clone() }, used))
    }

    /// The transpose of the definition, of which what the known operands determine runs first.
    fn transposed_by_definition(&self, cx: &mut TransposeCx<'_>, linear: &[bool]) -> Result<Transpose> {
        let types: Vec<Type> = (0..linear.len()).map(|i| cx.ty(i)).collect();
        let known: Vec<bool> = linear.iter().map(|l| !l).collect();
        let wanted: Vec<bool> = cx.cotangents.iter().map(Option::is_some).collect();
        let split = cx.sub.partial_eval(&self.definition(&types)?, &known, &wanted)?;
        let waits: Vec<bool> = split.known_results.iter().map(|k| !k).collect();
        let mut args = Vec::new();
        for i in (0..linear.len()).filter(|&i| known[i]) {
            args.push(cx.known(i)?);
        }
        let values = cx.b.inline(&split.known, &args)?;
        let mut args = values[values.len() - split.residuals..].to_vec();
        args.extend(cx.cotangents.iter().flatten());
        let mut of_unknown = vec![false; split.residuals];
        of_unknown.resize(split.unknown.params().len(), true);
        let transposed = cx.sub.transpose(&split.unknown, &of_unknown, &sub::chosen(&wanted, &waits))?;
        let mut results = cx.b.inline(&transposed, &args)?.into_iter();
        Ok(Transpose::Cotangents(linear.iter().map(|l| l.then(|| results.next()).flatten()).collect()))
    }

    /// Block by block: each point adds the cotangents of its blocks of linear operands to those of other points.
    pub(super) fn transposed(&self, cx: &mut TransposeCx<'_>) -> Result<Transpose> {
        let linear: Vec<bool> = cx.operands.iter().map(|o| o.is_linear()).collect();
        if !self.is_stateless() || linear[..self.prefetch].contains(&true) {
            return self.transposed_by_definition(cx, &linear);
        }
        let mut of_params = vec![false; self.grid.len()];
        of_params.extend(&linear);
        let active: Vec<bool> = cx.cotangents.iter().map(Option::is_some).collect();
        let transposed = cx.sub.transpose(&self.body, &of_params, &active)?;

        let known: Vec<bool> = linear.iter().map(|l| !l).collect();
        let mut inputs = self.chosen_inputs(&known);
        let mut operands = Operands::new();
        for i in (0..linear.len()).filter(|&i| known[i]) {
            operands.push(cx.known(i)?);
        }
        for (output, ct) in self.outputs.iter().zip(cx.cotangents) {
            if let Some(ct) = ct {
                operands.push(*ct);
                inputs.push(output.block.clone());
            }
        }
        let (mut outputs, mut arbitrary) = (Vec::new(), self.arbitrary.clone());
        for i in (0..linear.len()).filter(|&i| linear[i]) {
            let block = &self.inputs[i - self.prefetch];
            let once = block.is_distinct(&self.grid) && !block.is_found();
            let start = if once { Start::Fresh } else { Start::Zeros };
            for (axis, arbitrary) in arbitrary.iter_mut().enumerate() {
                *arbitrary |= !block.is_found() && self.grid[axis] > 1 && !block.moves_along(axis);
            }
            outputs.push(KernelOutput { ty: cx.ty(i), block: block.clone(), start });
        }
        let mut b = Builder::like(&transposed);
        let args: Vec<Value> = transposed.param_values().collect();
        let cotangents = b.inline(&transposed, &args)?;
        let mut returned = Vec::new();
        for (output, ct) in outputs.iter().zip(cotangents) {
            returned.push(match output.start {
                Start::Fresh => ct,
                _ => {
                    let held = b.param(b.ty(ct), "");
                    b.accumulate(held, ct)?
                }
            });
        }
        let kernel = Kernel {
            arbitrary,
            inputs,
            outputs,
            flops: None,
            form: KernelForm::Steps,
            body: b.finish(&returned)?.into(),
            ..self.clone()
        };
        let mut results = cx.b.push(kernel, &operands)?.into_iter();
        let mut cotangents = Vec::with_capacity(linear.len());
        for is_linear in linear {
            cotangents.push(match is_linear {
                true => Some(results.next().ok_or_else(|| Error::internal("a cotangent is missing"))?),
                false => None,
            });
        }
        Ok(Transpose::Cotangents(cotangents))
    }
}

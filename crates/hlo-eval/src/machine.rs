use jarrah_base::{Error, Literal, Result, Type, c128, memory};
use jarrah_hlo::ops::RaggedDot;
use jarrah_hlo::{Instr, Op, Program, family};

use crate::{
    complex, control, convert, convolution, dot, elementwise, fft, gather, kernel, linalg, movement,
    precision, ragged, reduce, rng, sort, threefry, window,
};

/// The state of an evaluation.
pub struct Machine<'a> {
    observe: &'a mut dyn FnMut(&Instr, &[Literal]),
}

impl<'a> Machine<'a> {
    pub fn new(observe: &'a mut dyn FnMut(&Instr, &[Literal])) -> Self {
        Machine { observe }
    }

    /// The results of `program`. Values are given up after their last use, so that updates happen in place.
    pub fn run(&mut self, program: &Program, arguments: Vec<Literal>) -> Result<Vec<Literal>> {
        check_arguments(program, &arguments)?;
        let mut uses = program.use_counts();
        let mut values: Vec<Option<Literal>> = Vec::with_capacity(program.value_count());
        values.extend(arguments.into_iter().map(Some));
        let take =
            |values: &mut Vec<Option<Literal>>, uses: &mut Vec<u32>, index: usize| -> Result<Literal> {
                uses[index] -= 1;
                let value = if uses[index] == 0 { values[index].take() } else { values[index].clone() };
                value.ok_or_else(|| {
                    Error::internal(format!("%{index} of {} is used before it is made", program.name()))
                })
            };
        for instr in program.instrs() {
            let mut operands = Vec::with_capacity(instr.operands.len());
            for value in &instr.operands {
                operands.push(take(&mut values, &mut uses, value.index())?);
            }
            let types: Vec<Type> = instr.results().map(|v| program.ty(v)).collect();
            let room = check_room(&instr.op, &operands, &types);
            let results = room.and_then(|()| self.apply(&instr.op, operands, &types)).map_err(|error| {
                let error = error.op(instr.op.called());
                match instr.source.location {
                    Some(location) => error.at(location),
                    None => error,
                }
            })?;
            let found: Vec<Type> = results.iter().map(Literal::ty).collect();
            if found != types {
                let name = instr.op.name();
                return Err(Error::internal(format!(
                    "results of {name} are {found:?}, inference says {types:?}"
                )));
            }
            (self.observe)(instr, &results);
            for (value, result) in instr.results().zip(results) {
                values.push((uses[value.index()] > 0).then_some(result));
            }
        }
        program.results().iter().map(|value| take(&mut values, &mut uses, value.index())).collect()
    }

    fn apply(&mut self, op: &Op, operands: Vec<Literal>, results: &[Type]) -> Result<Vec<Literal>> {
        if let Some(callee) = op.callee() {
            return self.run(callee, operands);
        }
        match op {
            Op::While(op) => return control::repeat(self, op, operands),
            Op::Case(op) => return control::case(self, op, operands),
            Op::Scan(op) => return control::scan(self, op, operands, results),
            _ => {}
        }
        let x = &operands[..];
        let one = match op {
            Op::Elementwise(op) => elementwise::elementwise(op.kind, x),
            Op::Compare(op) => elementwise::compare(op, &x[0], &x[1]),
            Op::Select(_) => elementwise::select(&x[0], &x[1], &x[2]),
            Op::Clamp(_) => elementwise::clamp(&x[0], &x[1], &x[2]),
            Op::Convert(op) => convert::convert(&x[0], op.to),
            Op::BitcastConvert(op) => convert::bitcast(op, &x[0], results[0]),
            Op::Complex(_) => complex::complex(&x[0], &x[1]),
            Op::Real(_) => complex::real(&x[0]),
            Op::Imag(_) => complex::imag(&x[0]),
            Op::Constant(op) => Ok(op.value.clone()),
            Op::Iota(op) => movement::iota(op.ty, op.axis),
            Op::BroadcastInDim(op) => movement::broadcast(op, &x[0], results[0]),
            Op::Reshape(_) => x[0].reshape(&results[0].dims()),
            Op::TransposeAxes(op) => movement::transpose(&x[0], &op.permutation),
            Op::Reverse(op) => movement::reverse(&x[0], &op.axes),
            Op::Slice(op) => movement::slice(&x[0], &op.starts, &op.strides, results[0]),
            Op::Pad(op) => movement::pad(op, &x[0], &x[1], results[0]),
            Op::Concatenate(op) => movement::concatenate(x, op.axis, results[0]),
            Op::DynamicSlice(op) => movement::dynamic_slice(&x[0], &x[1..], &op.sizes),
            Op::DynamicUpdateSlice(_) => movement::dynamic_update_slice(operands),
            Op::Gather(op) => gather::gather(op, &x[0], &x[1], results[0]),
            Op::Scatter(op) => return gather::scatter(self, op, operands),
            Op::Convolution(op) => convolution::convolution(op, &x[0], &x[1], results[0]),
            Op::DotGeneral(op) => dot::dot_general(op, &x[0], &x[1], results[0]),
            Op::Reduce(op) => return reduce::reduce(self, op, x, results),
            Op::ReducePrecision(op) => precision::reduce_precision(op, &x[0]),
            Op::ReduceWindow(op) => return window::reduce_window(self, op, x, results),
            Op::WindowArg(op) => window::window_arg(self, op, &x[0], results[0]),
            Op::Sort(op) => return sort::sort(self, op, x),
            Op::Fft(op) => fft::fft(op, &x[0], results[0]),
            Op::RngBitGenerator(op) => return rng::rng_bit_generator(op, &x[0]),
            family!(LinearAlgebra) => return linalg::linalg(op, x, results),
            Op::OptimizationBarrier(_) | Op::CheckpointName(_) => return Ok(operands),
            Op::Assert(op) => return op.evaluate(x).map(|()| Vec::new()),
            Op::AxisIndex(op) => Err(op.axis.unbound()),
            Op::AllGather(op) => Err(op.axis.unbound()),
            Op::ReduceScatter(op) => Err(op.axis.unbound()),
            Op::CustomTangent(_) => {
                Err(Error::program("a function with a backward rule of its own has no forward derivative")
                    .help("give it a jvp rule, or differentiate it in reverse"))
            }
            Op::CustomCall(op) => return op.evaluate(operands),
            Op::Threefry2x32(_) => return threefry::threefry(x),
            Op::RaggedDot(op) => {
                let types: Vec<Type> = x.iter().map(Literal::ty).collect();
                if types.len() == 4 && !RaggedDot::scales_sums(&types) {
                    let definition = op.definition(&types)?;
                    return self.run(&definition, operands);
                }
                ragged::ragged_dot(op, x, results[0])
            }
            Op::Attention(op) => {
                let types: Vec<Type> = x.iter().map(Literal::ty).collect();
                let definition = op.definition(&types)?;
                return self.run(&definition, operands);
            }
            Op::Kernel(op) => return kernel::kernel(self, op, x),
            family!(Loop) | Op::Call(_) | Op::Remat(_) | Op::CustomRule(_) | Op::LinearSolve(_) => {
                Err(Error::internal("was handled above"))
            }
        };
        Ok(vec![one?])
    }
}

/// Checks that there is memory for the numbers that an op computes with: as wide as there are, for every element of its
/// operands and results. What only moves elements takes its results alone, which are checked when they are made.
fn check_room(op: &Op, operands: &[Literal], results: &[Type]) -> Result<()> {
    let moves = matches!(op, family!(Source) | family!(Movement) | family!(Indexing) | family!(Marker));
    if moves || !op.programs().is_empty() {
        return Ok(());
    }
    let mut bytes = 0usize;
    for ty in operands.iter().map(Literal::ty).chain(results.iter().copied()) {
        bytes = bytes.saturating_add(ty.elements()?.saturating_mul(size_of::<c128>()));
    }
    let types: Vec<String> = results.iter().map(Type::to_string).collect();
    memory::check(bytes, &format_args!("computing {}", types.join(", ")))
}

fn check_arguments(program: &Program, arguments: &[Literal]) -> Result<()> {
    let (name, params) = (program.name(), program.params());
    if params.len() != arguments.len() {
        let (takes, found) = (params.len(), arguments.len());
        return Err(Error::program(format!("{name} takes {takes} arguments, {found} were given")));
    }
    for (i, (param, argument)) in params.iter().zip(arguments).enumerate() {
        if param.ty != argument.ty() {
            let path = param.path.path();
            let path = if path.is_empty() { String::new() } else { format!(" ({path})") };
            let found = argument.ty();
            return Err(Error::program(format!(
                "argument {i}{path} of {name} is {}, {found} was given",
                param.ty
            )));
        }
    }
    Ok(())
}

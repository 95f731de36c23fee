//! Kernels over complex numbers as kernels over their parts: an array of them is an array of reals, in which the
//! parts of a number lie one after another.

use jarrah_base::{DType, Literal, Type};
use jarrah_hlo::ops::{Kernel, KernelOutput};
use jarrah_hlo::{Builder, Op, Value, family};

use crate::parts::{ProgramInParts, parts};
use smallvec::SmallVec;

use crate::kernel::{Inst, LoopKernel, Map};

/// A kernel over parts.
pub struct InParts {
    /// The kernel, which has each array of complex numbers twice.
    pub kernel: Kernel,
    pub operands: Vec<Type>,
    /// Values of the body that are the parts of one number.
    pub pairs: Vec<[Value; 2]>,
    inputs: Vec<Part>,
    outputs: Vec<Part>,
}

/// The array of the kernel over complex numbers that an array of the kernel over parts belongs to.
#[derive(Clone, Copy)]
struct Part {
    /// The array of the kernel that there was.
    array: usize,
    /// How many parts the elements of that have.
    of: i64,
    /// Which of them this is.
    at: i64,
}

impl InParts {
    /// The kernel over parts; `None` where an op has no definition over them.
    pub fn of(kernel: &Kernel, operands: &[Type]) -> Option<InParts> {
        let ProgramInParts { program, pairs } = parts(&kernel.body).ok()??;
        let (inputs, types) = in_parts(operands.iter().copied());
        let (outputs, output_types) = in_parts(kernel.outputs.iter().map(|output| output.ty));
        let output = |(part, &ty): (&Part, &Type)| KernelOutput { ty, ..kernel.outputs[part.array].clone() };
        let kernel = Kernel {
            inputs: inputs.iter().map(|part| kernel.inputs[part.array].clone()).collect(),
            outputs: outputs.iter().zip(&output_types).map(output).collect(),
            body: program.into(),
            ..kernel.clone()
        };
        Some(InParts { kernel, operands: types, pairs, inputs, outputs })
    }

    /// The loops over the arrays that there were.
    pub fn join(&self, mut loops: LoopKernel) -> LoopKernel {
        let spread = |part: Part, map: &mut Map| {
            map.offset = part.of * map.offset + part.at;
            map.rows.iter_mut().chain([&mut map.col]).for_each(|stride| *stride *= part.of);
        };
        for inst in &mut loops.body {
            if let Inst::Load { input, map, .. } = inst {
                let part = self.inputs[*input];
                *input = part.array;
                spread(part, map);
            }
        }
        for store in &mut loops.stores {
            let part = self.outputs[store.output];
            store.output = part.array;
            spread(part, &mut store.map);
        }
        let firsts = |parts: &[Part]| parts.iter().map(|part| part.at == 0).collect::<Vec<bool>>();
        for (dtypes, parts) in [(&mut loops.inputs, &self.inputs), (&mut loops.outputs, &self.outputs)] {
            let mut first = firsts(parts).into_iter();
            dtypes.retain(|_| first.next().unwrap_or(true));
        }
        loops
    }
}

/// Each array of complex numbers twice, and the types.
fn in_parts(types: impl Iterator<Item = Type>) -> (Vec<Part>, Vec<Type>) {
    let parts = types.enumerate().flat_map(|(array, ty)| {
        let of = if ty.dtype().is_complex() { 2 } else { 1 };
        (0..of).map(move |at| (Part { array, of, at }, ty.with_dtype(ty.dtype().real())))
    });
    parts.unzip()
}

/// The kernel over words of eight bytes, where it only moves complex numbers that are as long; and the types of its
/// operands.
pub fn as_words(kernel: &Kernel, operands: &[Type]) -> Option<(Kernel, Vec<Type>)> {
    let word = |ty: Type| match ty.dtype() {
        DType::C128 => None,
        DType::C64 => Some(ty.with_dtype(DType::U64)),
        _ => Some(ty),
    };
    let program = &kernel.body;
    let mut b = Builder::new(program.name());
    let mut words: Vec<Value> = Vec::with_capacity(program.value_count());
    for ty in program.param_types() {
        words.push(b.param(word(ty)?, ""));
    }
    for instr in program.instrs() {
        let from: SmallVec<[Value; 4]> = instr.operands.iter().map(|v| words[v.index()]).collect();
        let is_complex = |v: Value| program.ty(v).dtype().is_complex();
        match &instr.op {
            Op::Real(_) | Op::Imag(_) => return None,
            _ if !instr.operands.iter().copied().chain(instr.results()).any(is_complex) => {
                words.extend(b.copy(program, instr, &from));
            }
            Op::Constant(constant) => {
                let ty = word(constant.value.ty())?;
                words.push(b.constant(Literal::from_bytes(ty, constant.value.bytes()).ok()?).ok()?);
            }
            Op::Select(_) | family!(Movement) => words.push(b.one(instr.op.clone(), &from).ok()?),
            _ => return None,
        }
    }
    let results: Vec<Value> = program.results().iter().map(|v| words[v.index()]).collect();
    let output = |output: &KernelOutput| Some(KernelOutput { ty: word(output.ty)?, ..output.clone() });
    let outputs = kernel.outputs.iter().map(output).collect::<Option<_>>()?;
    let body = b.finish(&results).ok()?.into();
    let types = operands.iter().map(|&ty| word(ty)).collect::<Option<_>>()?;
    Some((Kernel { outputs, body, ..kernel.clone() }, types))
}

/// Whether the body of a kernel has complex numbers, or takes parts of numbers.
pub fn has_complex(kernel: &Kernel) -> bool {
    let body = &kernel.body;
    let is_complex = |value: Value| body.ty(value).dtype().is_complex();
    body.param_values().any(is_complex)
        || body
            .instrs()
            .iter()
            .any(|instr| matches!(instr.op, Op::Real(_) | Op::Imag(_)) || instr.results().any(is_complex))
}

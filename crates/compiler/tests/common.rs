use jarrah_base::{Element, Literal, Type, with_element};
use jarrah_compiler::{CompiledProgram, Contraction, PassOptions, Reference, Target, compile};
use jarrah_hlo::ops::*;
use jarrah_hlo::{Alias, Op, Program};
use jarrah_hlo_eval::evaluate;

/// Compiles for a target without ops of its own, and checks everything that can be checked.
pub fn compiled(program: &Program) -> CompiledProgram {
    compiled_for(program, &Reference::default(), Vec::new())
}

pub fn compiled_for(program: &Program, target: &dyn Target, donated: Vec<usize>) -> CompiledProgram {
    let aliases: Vec<Alias> = donated.into_iter().map(Alias::donor).collect();
    let options = PassOptions { aliases: aliases.clone(), verify: true, ..PassOptions::default() };
    let compiled = compile(program, target, options).unwrap_or_else(|e| panic!("{e}\n{program:?}"));
    canonical(&compiled.program);
    comes_back(&compiled, target, &aliases);
    compiled
}

/// Checks that the compiled program is the same after it was bytes.
fn comes_back(compiled: &CompiledProgram, target: &dyn Target, aliases: &[Alias]) {
    if compiled.program.calls_functions() {
        return;
    }
    let bytes = compiled.to_bytes().unwrap_or_else(|e| panic!("{e}\n{:?}", compiled.program));
    let back =
        CompiledProgram::from_bytes(&bytes, target, aliases).unwrap_or_else(|e| panic!("{e}\n{compiled:?}"));
    assert_eq!((&back.program, &back.buffers), (&compiled.program, &compiled.buffers));
}

/// Checks that the program compiled for each of three devices computes the same bits, and gives it for the first of them.
pub fn check(program: &Program, arguments: &[Literal]) -> CompiledProgram {
    let expected = evaluate(program, arguments).unwrap_or_else(|e| panic!("{e}\n{program:?}"));
    let compiled = compiled(program);
    let contracting = Reference { contracts: true, ..Reference::default() };
    let contracted = compiled_for(program, &contracting, Vec::new());
    let tiny = crate::target::compiled_for_tiny(program);
    for compiled in [&compiled, &contracted, &tiny] {
        let found = evaluate(&compiled.program, arguments)
            .unwrap_or_else(|e| panic!("{e}\n{program:?}\n{:?}", compiled.program));
        for (i, (e, f)) in expected.iter().zip(&found).enumerate() {
            assert!(
                same(e, f),
                "result {i} differs: {:?}\n{:?}\n{program:?}\n{:?}",
                e.to_f64_vec(),
                f.to_f64_vec(),
                compiled.program
            );
        }
    }
    compiled
}

/// Equal bits, NaN payloads aside.
pub fn same(a: &Literal, b: &Literal) -> bool {
    a == b
        || a.ty() == b.ty()
            && a.dtype().is_float()
            && with_element!(a.dtype(), T => {
                let (a, b) = (a.as_slice::<T>().expect("dtype"), b.as_slice::<T>().expect("dtype"));
                a.iter().zip(b).all(|(a, b)| {
                    let (x, y) = (a.to_f64(), b.to_f64());
                    x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan()
                })
            })
}

/// Numbers in [-1, 1] (floats), [-9, 9] (integers) or truth values, from a seed.
pub fn literal(ty: Type, seed: u64) -> Literal {
    let mut rng = Rng(seed | 1);
    let mut literal = Literal::zeros(ty).expect("fits");
    let (float, boolean, unsigned) = (
        ty.dtype().is_float(),
        ty.dtype() == jarrah_base::DType::Bool,
        ty.dtype().kind() == jarrah_base::ElementKind::Unsigned,
    );
    with_element!(ty.dtype(), T => {
        for x in literal.as_mut_slice::<T>().expect("dtype") {
            let r = rng.next();
            *x = if boolean {
                T::from_i128((r % 2) as i128)
            } else if float {
                T::from_f64((r % 2001) as f64 / 1000.0 - 1.0)
            } else if unsigned {
                T::from_i128((r % 19) as i128)
            } else {
                T::from_i128((r % 19) as i128 - 9)
            };
        }
    });
    literal
}

pub struct Rng(pub u64);

impl Rng {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 20
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }
}

pub fn kernels(program: &Program) -> usize {
    program.instrs().iter().filter(|i| matches!(i.op, Op::Kernel(_))).count()
}

pub fn count(program: &Program, which: fn(&Op) -> bool) -> usize {
    program.instrs().iter().filter(|i| which(&i.op)).count()
}

/// Panics unless the program keeps the contract of the crate's documentation.
pub fn canonical(program: &Program) {
    for instr in program.instrs() {
        let types = program_types(program, instr);
        let results = instr.results().map(|v| program.ty(v));
        let known = |ty: Type| !ty.dtype().is_complex();
        let regrouped = |from: Type| program.ty(instr.result()).dims() != from.dims();
        match &instr.op {
            // What loops do not compute stays as it is.
            Op::BitcastConvert(_) if regrouped(types[0]) => {}
            _ if instr.op.programs().is_empty() && !types.iter().copied().chain(results).all(known) => {}
            Op::Kernel(kernel) if kernel.form == KernelForm::Steps => canonical(&kernel.body),
            Op::Kernel(kernel) if kernel.form == KernelForm::Contract => {
                let contraction = Contraction::of(kernel).unwrap_or_else(|| panic!("{kernel:?}"));
                match contraction.groups {
                    None => canonical(&kernel.body),
                    // The scales of each group are no step.
                    Some(_) => contraction
                        .parts()
                        .filter(|part| part.result() != contraction.product.result())
                        .for_each(|part| match &part.op {
                            Op::Kernel(inner) => canonical_kernel(inner, &program_types(&kernel.body, part)),
                            op => panic!("{op:?} beside a product"),
                        }),
                }
            }
            Op::Kernel(kernel) => canonical_kernel(kernel, &program_types(program, instr)),
            Op::Elementwise(e) if !jarrah_tile::has_loop(e.kind) => {}
            Op::Elementwise(_)
            | Op::Compare(_)
            | Op::Select(_)
            | Op::Clamp(_)
            | Op::Convert(_)
            | Op::BitcastConvert(_)
            | Op::ReducePrecision(_)
            | Op::BroadcastInDim(_)
            | Op::Iota(_)
            | Op::Threefry2x32(_)
            | Op::Call(_)
            | Op::Remat(_)
            | Op::CustomRule(_)
            | Op::CustomTangent(_)
            | Op::OptimizationBarrier(_) => {
                panic!("{} is left outside kernels\n{program:?}", instr.op.name())
            }
            Op::Reduce(r) => assert!(matches!(r.reducer, Reducer::General(_)), "{program:?}"),
            Op::While(_) | Op::Case(_) | Op::Scan(_) => {
                for program in instr.op.programs() {
                    canonical(program);
                }
            }
            _ => {}
        }
    }
}

fn program_types(program: &Program, instr: &jarrah_hlo::Instr) -> Vec<Type> {
    instr.operands.iter().map(|&v| program.ty(v)).collect()
}

fn canonical_kernel(kernel: &Kernel, operands: &[Type]) {
    if kernel.body.name() == "windows" {
        let whole =
            |block: &BlockSpec| block.axes.iter().all(|i| matches!(i, BlockIndex::Whole | BlockIndex::First));
        let blocks = kernel.inputs.iter().chain(kernel.outputs.iter().map(|o| &o.block));
        assert!(kernel.grid.is_empty() && { blocks }.all(whole), "{kernel:?}");
        assert!(jarrah_tile::lower(kernel, operands).is_some(), "{kernel:?}");
        return;
    }
    // A person's loop has other forms.
    if kernel.body.name() != "kernel" {
        return;
    }
    assert!(kernel.grid.iter().all(|&g| g != 1), "{kernel:?}");
    let body = &kernel.body;
    let rank = |i: usize| body.ty(body.param(i)).rank();
    let column = (0..body.value_count()).any(|i| i < body.params().len() && rank(i) == 2)
        || body.instrs().iter().any(|i| i.results().any(|v| body.ty(v).rank() == 2));
    let most = if column { 2 } else { 1 };
    for instr in body.instrs() {
        assert!(instr.results().all(|v| body.ty(v).rank() <= most), "{kernel:?}");
        match &instr.op {
            Op::Reduce(r) => {
                assert_eq!(r.axes[..], [0], "{kernel:?}");
                assert_eq!(body.ty(instr.operands[0]).rank(), most, "{kernel:?}");
            }
            Op::BroadcastInDim(_) => {}
            Op::Constant(c) => assert_eq!(c.value.ty().rank(), 0),
            Op::Iota(i) => assert_eq!(i.ty.rank(), 1),
            Op::Elementwise(e) if !jarrah_tile::has_loop(e.kind) => {}
            Op::Elementwise(_)
            | Op::Compare(_)
            | Op::Select(_)
            | Op::Clamp(_)
            | Op::Convert(_)
            | Op::BitcastConvert(_)
            | Op::Complex(_)
            | Op::Real(_)
            | Op::Imag(_)
            | Op::ReducePrecision(_)
            | Op::Threefry2x32(_) => {}
            op => panic!("{} in a kernel", op.name()),
        }
    }
    let inputs = operands.iter().zip(&kernel.inputs);
    let outputs = kernel.outputs.iter().map(|output| (&output.ty, &output.block));
    for (ty, spec) in inputs.chain(outputs) {
        for (axis, index) in spec.axes.iter().enumerate() {
            let one = ty.dim(axis) == 1;
            assert_eq!(one, matches!(index, BlockIndex::First), "{ty} {spec:?}");
        }
        let long: Vec<_> = spec.axes.iter().filter(|i| !matches!(i, BlockIndex::First)).collect();
        let whole = long.iter().any(|i| matches!(i, BlockIndex::Whole));
        assert!(!whole || matches!(long.last(), Some(BlockIndex::Whole)), "{ty} {spec:?}");
    }
}

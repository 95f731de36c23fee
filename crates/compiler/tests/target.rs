//! A second device, of other abilities than the one the passes grew up with; and plans that a device must not be given.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use jarrah_base::{DType, Type};
use jarrah_compiler::{
    CompiledProgram, DeviceMemory, Fusion, MemoryPlace, PassOptions, Reference, Target, compile, is_step,
    verify,
};
use jarrah_hlo::ops::*;
use jarrah_hlo::{Alias, Builder, Op, Program};

use crate::common::{Rng, literal};

/// A device without attention, scans, ciphers and kernels whose points run steps. Its kernels know no truth values and no
/// reductions, load little and compute little again; products take operands whose axes are in order; buffers lie at multiples
/// of 256 bytes, in a small memory or a large one.
struct Tiny {
    small: usize,
}

impl Target for Tiny {
    fn name(&self) -> &str {
        "tiny"
    }

    fn optimizes(&self) -> bool {
        true
    }

    fn runs(&self, op: &Op, operands: &[Type], results: &[Type]) -> bool {
        let empty = operands.iter().chain(results).any(|ty| ty.elements().unwrap() == 0);
        match op {
            Op::Attention(_) | Op::Scan(_) | Op::Kernel(_) | Op::Threefry2x32(_) => false,
            Op::DotGeneral(dot) => {
                let side = |ty: Type, batch: &Axes, free: Axes, contract: &Axes| {
                    batch.iter().chain(&free).chain(contract).copied().eq(0..ty.rank())
                };
                let [lhs, rhs] = [operands[0], operands[1]];
                side(lhs, &dot.lhs_batch, dot.lhs_free(lhs.rank()), &dot.lhs_contract)
                    && side(rhs, &dot.rhs_batch, dot.rhs_free(rhs.rank()), &dot.rhs_contract)
            }
            // What its kernels compute is left to them.
            Op::TransposeAxes(_) | Op::Slice(_) | Op::Reverse(_) | Op::Pad(_) | Op::Concatenate(_) => true,
            op => is_step(op) && (empty || !self.loops(op, operands, results)),
        }
    }

    fn widens(&self) -> bool {
        true
    }

    fn loops(&self, op: &Op, operands: &[Type], results: &[Type]) -> bool {
        let truths = operands.iter().chain(results).any(|ty| ty.dtype() == DType::Bool);
        !truths
            && !matches!(op, Op::Reduce(_) | Op::Threefry2x32(_))
            && jarrah_tile::has_op(op, operands, results)
    }

    fn takes(&self, kernel: &Kernel, operands: &[Type]) -> bool {
        let reduces = kernel.body.instrs().iter().any(|instr| matches!(instr.op, Op::Reduce(_)));
        !reduces && operands.len() <= 4 && jarrah_tile::lower(kernel, operands).is_some()
    }

    fn contracts(&self, _: &Kernel, _: &[Type]) -> bool {
        false
    }

    fn work(&self, _: &Op) -> u32 {
        1
    }

    fn fusion(&self) -> Fusion {
        Fusion {
            most_loads: 4,
            most_nodes: 5,
            cheap: 2,
            trivial: 1,
            longest: 2,
            large: 64,
            few_rows: 4,
            multiplied_rows: 0,
        }
    }

    fn alignment(&self) -> usize {
        256
    }

    fn memories(&self) -> Vec<DeviceMemory> {
        vec![
            DeviceMemory { name: "small", bytes: Some(self.small) },
            DeviceMemory { name: "large", bytes: None },
        ]
    }
}

/// With as much small memory as arguments and results take, and two buffers more.
fn tiny(program: &Program) -> Tiny {
    let bytes = |types: Vec<Type>| types.iter().map(|ty| ty.bytes().unwrap()).sum::<usize>();
    Tiny { small: bytes(program.param_types()) + bytes(program.result_types()) + 512 }
}

/// The program compiled for the second device, verified there, and read back.
pub fn compiled_for_tiny(program: &Program) -> CompiledProgram {
    let target = tiny(program);
    let options = PassOptions { verify: true, ..PassOptions::default() };
    let compiled = compile(program, &target, options).unwrap_or_else(|e| panic!("{e}\n{program:?}"));
    for place in &compiled.buffers.places {
        let MemoryPlace::Temporary { memory, offset, .. } = place else { continue };
        assert!(offset.is_multiple_of(256) && *memory < 2, "{place:?}");
    }
    if !compiled.program.calls_functions() {
        let back = CompiledProgram::from_bytes(&compiled.to_bytes().unwrap(), &target, &[]).unwrap();
        assert_eq!((&back.program, &back.buffers), (&compiled.program, &compiled.buffers));
    }
    compiled
}

/// Products of which three are needed at once, elementwise work around them, and a loop.
fn program() -> Program {
    let ty = Type::tensor(DType::F32, [16, 16]);
    let dot = |b: &mut Builder, x, y| b.one(DotGeneral::matmul(0, DType::F32), &[x, y]).unwrap();
    let mut b = Builder::new("step");
    let (w, x) = (b.param(ty, "w"), b.param(ty, "x"));
    let y = dot(&mut b, w, x);
    let y = b.exp(y).unwrap();
    let body = b.finish(&[y]).unwrap();
    let mut b = Builder::new("several");
    let (w, x) = (b.param(ty, "w"), b.param(ty, "x"));
    let (p, q) = (dot(&mut b, w, x), dot(&mut b, x, w));
    let scan = Scan { body: body.into(), length: 3, consts: 1, carry: 1, reverse: false };
    let r = b.one(scan, &[p, q]).unwrap();
    let s = b.exp(r).unwrap();
    let t = dot(&mut b, s, q);
    let all = dot(&mut b, t, p);
    let means = b.sum(all, &[1]).unwrap();
    b.finish(&[all, means]).unwrap()
}

#[test]
fn both_memories_are_used() {
    let program = program();
    let compiled = crate::common::check(
        &program,
        &[literal(program.params()[0].ty, 1), literal(program.params()[1].ty, 2)],
    );
    assert_eq!(compiled.buffers.arenas.len(), 1);
    let compiled = compiled_for_tiny(&program);
    assert!(
        compiled.buffers.arenas[0] <= 512 && compiled.buffers.arenas[1] > 0,
        "{:?}",
        compiled.buffers.arenas
    );
    let roomy = Tiny { small: 1 << 20 };
    let compiled = compile(&program, &roomy, PassOptions::default()).unwrap();
    assert_eq!(compiled.buffers.arenas[1], 0);
    let error = compile(&program, &Tiny { small: 1024 }, PassOptions::default()).unwrap_err();
    assert_eq!(error.kind(), jarrah_base::ErrorKind::Memory);
}

#[test]
fn what_a_device_lacks_is_an_error_at_its_line() {
    struct NoSort;
    impl Target for NoSort {
        fn name(&self) -> &str {
            "nosort"
        }
        fn optimizes(&self) -> bool {
            true
        }
        fn runs(&self, op: &Op, operands: &[Type], results: &[Type]) -> bool {
            !matches!(op, Op::Sort(_)) && Reference::default().runs(op, operands, results)
        }
        fn widens(&self) -> bool {
            true
        }

        fn loops(&self, op: &Op, operands: &[Type], results: &[Type]) -> bool {
            Reference::default().loops(op, operands, results)
        }
        fn takes(&self, kernel: &Kernel, operands: &[Type]) -> bool {
            Reference::default().takes(kernel, operands)
        }
        fn contracts(&self, _: &Kernel, _: &[Type]) -> bool {
            false
        }
        fn work(&self, op: &Op) -> u32 {
            Reference::default().work(op)
        }
        fn fusion(&self) -> Fusion {
            Reference::default().fusion()
        }
        fn alignment(&self) -> usize {
            64
        }
        fn memories(&self) -> Vec<DeviceMemory> {
            Reference::default().memories()
        }
    }
    let example = Op::examples().into_iter().find(|e| matches!(e.op, Op::Sort(_))).unwrap();
    let mut b = Builder::new("sorts");
    let params: Vec<_> = example.operands.iter().map(|o| b.param(o.ty(), "")).collect();
    let results = b.push(example.op, &params).unwrap();
    let program = b.finish(&results).unwrap();
    for verify in [false, true] {
        let error = compile(&program, &NoSort, PassOptions { verify, ..PassOptions::default() }).unwrap_err();
        assert_eq!(error.kind(), jarrah_base::ErrorKind::Program);
        assert!(error.to_string().contains("nosort has no step for it"), "{error}");
    }
}

/// Plans of a good program, each broken in one way.
#[test]
fn broken_plans_are_refused() {
    let program = program();
    let target = tiny(&program);
    let options = PassOptions { aliases: vec![Alias::donor(0)], ..PassOptions::default() };
    let good = compile(&program, &target, options).unwrap();
    verify(&good, &target).unwrap();
    let temporaries: Vec<usize> = (0..good.buffers.places.len())
        .filter(|&v| matches!(good.buffers.places[v], MemoryPlace::Temporary { memory: 1, .. }))
        .collect();
    assert!(temporaries.len() >= 2, "{:?}", good.buffers.places);
    let refused = |what: &str, bad: &CompiledProgram| {
        assert!(verify(bad, &target).is_err(), "{what} was accepted");
    };

    for &value in &temporaries {
        let MemoryPlace::Temporary { memory, offset, bytes } = good.buffers.places[value] else {
            unreachable!()
        };
        let moved = |what: &str, place: MemoryPlace| {
            let mut bad = good.clone();
            bad.buffers.places[value] = place;
            refused(what, &bad);
        };
        moved("half an alignment", MemoryPlace::Temporary { memory, offset: offset + 128, bytes });
        moved("an alignment of 64", MemoryPlace::Temporary { memory, offset: offset + 64, bytes });
        moved("a place that is too small", MemoryPlace::Temporary { memory, offset, bytes: bytes - 4 });
        moved(
            "the end of the arena",
            MemoryPlace::Temporary { memory, offset: good.buffers.arenas[1], bytes },
        );
        moved("a memory that is full", MemoryPlace::Temporary { memory: 0, offset, bytes });
        moved("a third memory", MemoryPlace::Temporary { memory: 2, offset, bytes });
        moved("an argument", MemoryPlace::Parameter(1));
    }

    // Every two temporaries that are needed at once, put in one place.
    let mut overlaps = 0;
    for &a in &temporaries {
        for &b in &temporaries {
            let mut bad = good.clone();
            bad.buffers.places[a] = good.buffers.places[b];
            overlaps +=
                usize::from(bad.buffers.places != good.buffers.places && verify(&bad, &target).is_err());
        }
    }
    assert!(overlaps >= 2, "{overlaps} overlaps were refused");

    let mut bad = good.clone();
    bad.buffers.arenas.push(256);
    refused("an arena in a memory that is not there", &bad);
    let mut bad = good.clone();
    bad.buffers.arenas[0] += 1 << 20;
    refused("an arena that is too large for its memory", &bad);
    let (&looped, _) = good.buffers.nested.iter().next().unwrap();
    let mut bad = good.clone();
    bad.buffers.nested.get_mut(&looped).unwrap().offset += 128;
    refused("a loop's arena that is not aligned", &bad);
    assert!(verify(&good, &Reference::default()).is_err(), "a plan of another target was accepted");
}

/// Programs with an op that the device has no step for, in the place of one that it has.
#[test]
fn ops_that_are_left_are_refused() {
    let ty = Type::tensor(DType::F32, [4, 4]);
    let program = |emit: &dyn Fn(&mut Builder, jarrah_hlo::Value) -> jarrah_hlo::Value| {
        let mut b = Builder::new("left");
        let x = b.param(ty, "x");
        let y = emit(&mut b, x);
        b.finish(&[y]).unwrap()
    };
    let left: [(&str, Program); 4] = [
        ("an elementwise op", program(&|b, x| b.exp(x).unwrap())),
        (
            "a reduction",
            program(&|b, x| {
                let sum = b.sum(x, &[0]).unwrap();
                b.broadcast_in_dim(sum, &[4, 4], &[1]).unwrap()
            }),
        ),
        (
            "a product over a transposed operand",
            program(&|b, x| {
                let dot =
                    DotGeneral { lhs_contract: Axes::from_slice(&[0]), ..DotGeneral::matmul(0, DType::F32) };
                b.one(dot, &[x, x]).unwrap()
            }),
        ),
        (
            "a scan",
            program(&|b, x| {
                let mut step = Builder::new("step");
                let carry = step.param(ty, "carry");
                let body = step.finish(&[carry]).unwrap().into();
                b.one(Scan { body, length: 2, consts: 0, carry: 1, reverse: false }, &[x]).unwrap()
            }),
        ),
    ];
    for (what, program) in left {
        let target = tiny(&program);
        let mut compiled = compile(&program, &target, PassOptions::default()).unwrap();
        verify(&compiled, &target).unwrap();
        compiled.program = program;
        let error = verify(&compiled, &target).unwrap_err().to_string();
        assert!(error.contains("tiny has no step for it"), "{what}: {error}");
    }

    // A kernel of another device: with a reduction.
    let ty = Type::tensor(DType::F32, [8, 8]);
    let mut b = Builder::new("rows");
    let x = b.param(ty, "x");
    let sum = b.sum(x, &[1]).unwrap();
    let program = b.finish(&[sum]).unwrap();
    let compiled = compile(&program, &Reference::default(), PassOptions::default()).unwrap();
    verify(&compiled, &Reference::default()).unwrap();
    let error = verify(&compiled, &tiny(&program)).unwrap_err().to_string();
    assert!(error.contains("tiny does not take this kernel as a loop"), "{error}");
}

/// The second device has other kernels than the first, so the programs above are not the same by chance.
#[test]
fn the_devices_compile_to_different_steps() {
    let mut rng = Rng(7);
    let ty = Type::tensor(DType::F32, [4 + rng.below(4), 8]);
    let mut b = Builder::new("norm");
    let x = b.param(ty, "x");
    let sum = b.sum(x, &[1]).unwrap();
    let sum = b.broadcast_in_dim(sum, &ty.dims(), &[0]).unwrap();
    let y = b.div(x, sum).unwrap();
    let program = b.finish(&[y]).unwrap();
    let [one, other] = [crate::common::compiled(&program), compiled_for_tiny(&program)];
    let steps = |c: &CompiledProgram| c.program.instrs().iter().map(|i| i.op.name()).collect::<Vec<_>>();
    assert_eq!(steps(&one), ["jarrah.kernel"]);
    assert_eq!(steps(&other), ["reduce", "jarrah.kernel"]);
}

/// `r + x w`, in the memory of `r`: the product lies in the arena meanwhile.
#[test]
fn broken_contractions_are_refused() {
    let target = Reference { contracts: true, ..Reference::default() };
    let ty = Type::tensor(DType::F32, [16, 16]);
    let mut b = Builder::new("residual");
    let [x, w, r] = ["x", "w", "r"].map(|name| b.param(ty, name));
    let p = b.one(DotGeneral::matmul(0, DType::F32), &[x, w]).unwrap();
    let y = b.add(r, p).unwrap();
    let program = b.finish(&[y]).unwrap();
    let options = || PassOptions { aliases: vec![Alias::must(2, 0)], ..PassOptions::default() };
    let good = compile(&program, &target, options()).unwrap();
    verify(&good, &target).unwrap();
    let names = |c: &CompiledProgram| c.program.instrs().iter().map(|i| i.op.name()).collect::<Vec<_>>();
    assert_eq!(names(&good), ["reshape", "jarrah.kernel", "reshape"]);
    let text = jarrah_hlo_format::print(&good.program);
    let read = jarrah_hlo_format::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert_eq!(jarrah_hlo_format::print(&read), text);
    let inner = &good.buffers.nested[&1].programs[0];
    assert_eq!(inner.donations, [Some(2)]);
    assert!(matches!(inner.places[3], MemoryPlace::Temporary { .. }), "{:?}", inner.places);
    let apart = compile(&program, &Reference::default(), options()).unwrap();
    assert!(names(&apart).contains(&"dot_general"), "{:?}", names(&apart));

    let error = verify(&good, &Reference::default()).unwrap_err().to_string();
    assert!(error.contains("reference does not contract this"), "{error}");
    let broken = |change: &dyn Fn(&mut jarrah_compiler::NestedAssignment)| {
        let mut bad = good.clone();
        change(bad.buffers.nested.get_mut(&1).unwrap());
        verify(&bad, &target).unwrap_err().to_string()
    };
    broken(&|nested| nested.programs[0].places[3] = MemoryPlace::Result(0));
    broken(&|nested| nested.programs[0].places[3] = MemoryPlace::Parameter(0));
    broken(&|nested| nested.programs[0].donations[0] = None);
    broken(&|nested| nested.programs[0].donations[0] = Some(0));
    broken(&|nested| {
        nested.programs[0].places[3] = MemoryPlace::Result(0);
        nested.programs[0].donations[0] = None;
    });
    broken(&|nested| nested.offset += 64);
    broken(&|nested| nested.programs.clear());

    // The result on an operand of the product, whose parts are read while the loop writes.
    let mut bad = good.clone();
    bad.buffers.donations = vec![Some(0)];
    bad.buffers.nested.get_mut(&1).unwrap().programs[0].donations = vec![Some(0)];
    assert!(verify(&bad, &target).is_err());

    // A body that is no product with a loop behind it.
    let mut b = Builder::new("body");
    let x = b.param(ty, "x");
    let y = b.exp(x).unwrap();
    let body = b.finish(&[y]).unwrap();
    let whole = || BlockSpec::whole(2);
    let kernel = Kernel::new(Default::default(), vec![whole()], vec![(ty, whole())], body.into());
    let kernel = Kernel { form: KernelForm::Contract, ..kernel };
    let mut b = Builder::new("malformed");
    let x = b.param(ty, "x");
    let y = b.one(kernel, &[x]).unwrap();
    let mut bad = good.clone();
    bad.program = b.finish(&[y]).unwrap();
    let error = verify(&bad, &target).unwrap_err().to_string();
    assert!(error.contains("no product with a loop behind it"), "{error}");
}

/// FIXME: one result is computed of an argument as it lies, another of a window of it, and nothing else ties them. They are one group, for which there is no loop: a
/// device that runs bodies runs it by steps, and one that does not refuses the program. They should be two kernels.
#[test]
fn results_that_only_an_argument_ties_have_no_loop() {
    let mut b = Builder::new("apart");
    let x = b.param(Type::tensor(DType::F32, [6, 6]), "x");
    let least = b.binary(ElementwiseKind::Minimum, x, x).unwrap();
    let reversed = b.one(Reverse { axes: [1].into_iter().collect() }, &[x]).unwrap();
    let floor = b.unary(ElementwiseKind::Floor, reversed).unwrap();
    let exp = b.exp(floor).unwrap();
    let most = b.one(Reduce { reducer: Reducer::Max, axes: [1].into_iter().collect() }, &[exp]).unwrap();
    let program = b.finish(&[least, most]).unwrap();
    let error = compile(&program, &tiny(&program), PassOptions { verify: true, ..PassOptions::default() })
        .unwrap_err();
    assert!(error.to_string().contains("tiny has no step for it"), "{error}");
}

//! Work grows in proportion to programs: counted in steps, not in time.

use jarrah_base::work::counted;
use jarrah_base::{DType, Literal, Result, Type};
use jarrah_compiler::{PASSES, PassOptions, Reference, compile};
use jarrah_hlo::ops::{Call, Case, Remat, Scan};
use jarrah_hlo::{Builder, MAX_DEPTH, Op, Program, ProgramRef};
use jarrah_hlo_eval::evaluate;
use jarrah_transforms::{ResidualPolicy, batch, jvp, value_and_grad, vjp};

use crate::shapes::{SHAPES, vector};

/// What is asked for twice as large a program may take this many times the work.
const DOUBLED: f64 = 2.2;

fn steps(program: &Program) -> Vec<(&'static str, u64)> {
    let active: Vec<bool> = program.params().iter().map(|p| p.ty.dtype().is_differentiable()).collect();
    let none = vec![false; program.results().len()];
    let target = Reference::default();
    let mut steps = Vec::new();
    let mut current = program.clone();
    for pass in PASSES {
        let (count, next) = counted(|| pass.run(&current, &target, &[]).expect("valid"));
        steps.push((pass.name, count));
        if !pass.apart {
            current = next;
        }
    }
    let options = PassOptions { verify: true, ..PassOptions::default() };
    steps.push(("compile", counted(|| compile(program, &target, options).expect("valid")).0));
    steps.push(("jvp", counted(|| jvp(program, &active, &none)).0));
    steps.push(("vjp", counted(|| vjp(program, &active, ResidualPolicy::default())).0));
    let scalar = program.result_types() == [Type::scalar(DType::F32)];
    if scalar && active.iter().all(|active| *active) {
        let all: Vec<usize> = (0..active.len()).collect();
        let derived = counted(|| value_and_grad(program, &all, ResidualPolicy::default()));
        steps.push(("value_and_grad", derived.0));
    }
    steps.push(("batch", counted(|| batch(program, 2, &active, &none)).0));
    let (count, text) = counted(|| jarrah_hlo_format::print(program));
    steps.push(("print", count));
    steps.push(("parse", counted(|| jarrah_hlo_format::parse(&text).expect("valid")).0));
    steps
}

/// Runs `f` on a stack that has no room for as many calls within each other as a large program has instructions.
fn on_a_small_stack<R: Send>(f: impl FnOnce() -> R + Send) -> R {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(256 << 10);
        thread.spawn_scoped(scope, f).expect("a thread").join().expect("no panic")
    })
}

#[test]
fn work_grows_in_proportion_to_programs() {
    let mut wrong = String::new();
    for (shape, make) in SHAPES {
        let [small, large] = [2000, 4000].map(|n| on_a_small_stack(move || steps(&make(n).expect("valid"))));
        for ((name, small), (_, large)) in small.into_iter().zip(large) {
            if large as f64 > DOUBLED * small as f64 + 1000.0 {
                wrong += &format!("{shape}, {name}: {small} steps, then {large}\n");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn chains_of_squares_are_no_work() {
    let (make, target) = (SHAPES[0].1, Reference::default());
    let (count, _) =
        counted(|| compile(&make(24).expect("valid"), &target, PassOptions::default()).expect("valid"));
    assert!(count < 100_000, "{count} steps");
}

/// Programs that call each other twice, `depth` deep: `2^depth` instructions when all calls are followed.
fn call_tree(depth: usize) -> Result<Program> {
    let mut leaf = Builder::new("level_0");
    let x = leaf.param(vector(), "x");
    let y = leaf.exp(x)?;
    let mut program = leaf.finish(&[y])?;
    for level in 1..=depth {
        let callee: ProgramRef = program.into();
        let mut b = Builder::new(format!("level_{level}"));
        let x = b.param(vector(), "x");
        let x = b.one(Call { callee: callee.clone() }, &[x])?;
        let y = b.one(Call { callee }, &[x])?;
        program = b.finish(&[y])?;
    }
    Ok(program)
}

#[test]
fn a_program_that_calls_too_much_is_refused() {
    let program = call_tree(60).expect("valid");
    let active = [true];
    let errors = [
        compile(&program, &Reference::default(), PassOptions::default()).expect_err("too large"),
        jarrah_compiler::raise(&program).expect_err("too large"),
        jvp(&program, &active, &[true]).expect_err("too large"),
        vjp(&program, &active, ResidualPolicy::default()).expect_err("too large"),
        batch(&program, 2, &active, &[true]).expect_err("too large"),
    ];
    for error in errors {
        let text = error.to_string();
        assert!(text.contains("level_60 has") && text.contains("level_21, which it calls,"), "{text}");
    }
    let small = call_tree(10).expect("valid");
    assert!(compile(&small, &Reference::default(), PassOptions::default()).is_ok());
}

/// How an op holds the programs of a nest.
const HOLDERS: [fn(ProgramRef) -> Op; 4] = [
    |callee| Call { callee }.into(),
    |body| Remat::new(body).into(),
    |body| Scan { body, consts: 0, carry: 1, length: 1, reverse: false }.into(),
    |body| Case { branches: vec![body] }.into(),
];

/// `e^x` at the bottom of `depth` programs, each inside the one before.
fn nest(depth: usize, hold: fn(ProgramRef) -> Op) -> Result<Program> {
    let scalar = Type::scalar(DType::F32);
    let mut program: Option<Program> = None;
    for _ in 0..depth {
        let mut b = Builder::new("level");
        let x = b.param(scalar, "x");
        let y = match program {
            None => b.exp(x)?,
            Some(inner) => match hold(inner.into()) {
                Op::Case(case) => {
                    let zero = b.scalar(0i32)?;
                    b.one(case, &[zero, x])?
                }
                op => b.one(op, &[x])?,
            },
        };
        program = Some(b.finish(&[y])?);
    }
    Ok(program.expect("a depth of at least one"))
}

#[test]
fn programs_nest_as_deep_as_is_allowed() {
    for hold in HOLDERS {
        let refused = nest(MAX_DEPTH + 1, hold).expect_err("too deep");
        assert!(refused.message().contains("nest deeper than 256"), "{refused}");
        // The kernels of fusion nest one deeper.
        let program = nest(MAX_DEPTH - 1, hold).expect("valid");
        program.verify().expect("valid");
        let argument = [Literal::scalar(0.5f32)];
        let expected = evaluate(&program, &argument).expect("valid");
        assert!((expected[0].get_f64(0) - 0.5f64.exp()).abs() < 1e-6);
        let _ = jarrah_hlo_format::print(&program);
        let compiled =
            compile(&program, &Reference::default(), PassOptions::default()).expect("valid").program;
        assert_eq!(evaluate(&compiled, &argument).expect("valid"), expected);
        let raised = jarrah_compiler::raise(&program).expect("valid");
        assert_eq!(evaluate(&raised, &argument).expect("valid"), expected);
        let tangent = jvp(&program, &[true], &[true]).expect("valid").program;
        let tangent = evaluate(&tangent, &[argument[0].clone(), Literal::scalar(1.0f32)]).expect("valid");
        assert_eq!(tangent[1], expected[0]);
        batch(&program, 2, &[true], &[true]).expect("valid");
        // What a derivative adds may nest deeper than is allowed: that is an error too.
        let _ = vjp(&program, &[true], ResidualPolicy::default());
        assert_eq!(program.clone(), program);
    }
}

//! What the transformed programs look like: which residuals are kept, what is carried, what is refused and how.

use jarrah_base::{DType, ErrorKind, Location, Source, Type};
use jarrah_hlo::ops::{Case, Comparison, DotGeneral, OptimizationBarrier, Scan, While};
use jarrah_hlo::{Builder, Op, Program};
use jarrah_transforms::{
    ResidualPolicy, dce, jvp, linearize, remat, transpose, used_params, value_and_grad, vjp,
};

use crate::common::{count, f64s, program};
use crate::numbers::{Spread, inner, run};

#[test]
fn a_parameter_without_influence_has_a_gradient_of_zeros() {
    let f = program("f", &[f64s(&[]), f64s(&[2])], |b, p| Ok(vec![b.exp(p[0])?]));
    let g = value_and_grad(&f, &[1, 0], ResidualPolicy::Recompute).unwrap();
    g.verify().unwrap();
    assert_eq!(g.result_types(), [f64s(&[]), f64s(&[2]), f64s(&[])]);
}

#[test]
fn a_result_without_influence_has_zero_cotangents_not_an_error() {
    let f = program("f", &[f64s(&[2])], |b, _| Ok(vec![b.full(f64s(&[2]), 1.0)?]));
    let both = vjp(&f, &[true], ResidualPolicy::Recompute).unwrap();
    assert_eq!(both.backward.result_types(), [f64s(&[2])]);
    assert_eq!(both.residuals, 0);
}

#[test]
fn gradients_are_of_scalar_floats() {
    let f = program("f", &[f64s(&[2])], |_, p| Ok(vec![p[0]]));
    let error = value_and_grad(&f, &[0], ResidualPolicy::Recompute).unwrap_err();
    assert_eq!(error.message(), "f returns f64[2], and only a scalar float has a gradient");
    let f = program("f", &[Type::scalar(DType::I32), f64s(&[])], |_, p| Ok(vec![p[1]]));
    let error = value_and_grad(&f, &[0], ResidualPolicy::Recompute).unwrap_err();
    assert_eq!(error.message(), "parameter 0 (p0) is i32[], and only floats have derivatives");
}

#[test]
fn elementwise_chains_are_computed_again_from_what_is_kept() {
    // exp(exp(x w)): the product x w is kept, and neither exponential.
    let f = program("f", &[f64s(&[4, 4]), f64s(&[4, 4])], |b, p| {
        let product = b.one(DotGeneral::matmul(0, DType::F64), &[p[0], p[1]])?;
        let inner = b.exp(product)?;
        let outer = b.exp(inner)?;
        Ok(vec![b.sum(outer, &[0, 1])?])
    });
    let split = linearize(&f, &[true, true], ResidualPolicy::Recompute).unwrap();
    assert_eq!(split.residuals, 3, "x, w and the product");
    let split = linearize(&f, &[true, true], ResidualPolicy::SaveAll).unwrap();
    assert_eq!(split.residuals, 4, "x, w and both exponentials");
}

#[test]
fn a_sum_of_kept_values_is_kept_itself() {
    // The stream x_{l+1} = x_l + w_l x_l^2: keeping each x_l costs no more than keeping the terms.
    let f = program("f", &[f64s(&[8, 8]), f64s(&[8, 8])], |b, p| {
        let mut x = p[0];
        for _ in 0..5 {
            let bent = b.one(DotGeneral::matmul(0, DType::F64), &[x, p[1]])?;
            x = b.add(x, bent)?;
        }
        Ok(vec![b.sum(x, &[0, 1])?])
    });
    let split = linearize(&f, &[true, true], ResidualPolicy::Recompute).unwrap();
    assert_eq!(split.residuals, 6, "x, four sums and w");
    assert_eq!(split.unknown.instrs().iter().filter(|i| matches!(i.op, Op::DotGeneral(_))).count(), 10);
}

/// The scans of a program, those in sub-programs not included.
fn scans(program: &Program) -> Vec<&Scan> {
    program
        .instrs()
        .iter()
        .filter_map(|i| match &i.op {
            Op::Scan(scan) => Some(&**scan),
            _ => None,
        })
        .collect()
}

#[test]
fn a_scan_stacks_neither_constants_nor_arrays_nor_what_does_not_change() {
    // c <- tanh(c) (w w) + x, with w w the same in every step.
    let body = program("body", &[f64s(&[3, 3]), f64s(&[3, 3]), f64s(&[3, 3])], |b, p| {
        let square = b.one(DotGeneral::matmul(0, DType::F64), &[p[0], p[0]])?;
        let bent = b.exp(p[1])?;
        let product = b.one(DotGeneral::matmul(0, DType::F64), &[bent, square])?;
        let scaled = b.mul(product, p[2])?;
        Ok(vec![scaled, product])
    });
    let scan = Scan { body, consts: 1, carry: 1, length: 7, reverse: false };
    let f = program("f", &[f64s(&[3, 3]), f64s(&[3, 3]), f64s(&[7, 3, 3])], |b, p| {
        let all = b.push(scan, p)?;
        let total = b.sum(all[0], &[0, 1])?;
        Ok(vec![total, all[1]])
    });
    let both = vjp(&f, &[true, true, true], ResidualPolicy::Recompute).unwrap();
    let [forward] = scans(&both.forward)[..] else { panic!("one scan") };
    // Results: the carry, the output, and as residuals the carry before each step and the product.
    assert_eq!(forward.body.results().len(), 4, "{:?}", both.forward);
    assert_eq!(forward.consts, 2, "w, and its square from outside");
    assert_eq!(both.forward.instrs().iter().filter(|i| matches!(i.op, Op::DotGeneral(_))).count(), 1);
    let [backward] = scans(&both.backward)[..] else { panic!("one scan") };
    assert!(backward.reverse);
    let stacks = both.backward.params()[..both.residuals].iter().filter(|p| p.ty == f64s(&[7, 3, 3])).count();
    assert_eq!(stacks, 3, "the carry, the product, and the array itself");
}

#[test]
fn a_scan_that_only_adds_keeps_nothing() {
    let body = program("body", &[f64s(&[3]), f64s(&[3])], |b, p| Ok(vec![b.add(p[0], p[1])?]));
    let scan = Scan { body, consts: 0, carry: 1, length: 7, reverse: false };
    let f = program("f", &[f64s(&[3]), f64s(&[7, 3])], |b, p| Ok(b.push(scan, p)?.to_vec()));
    let both = vjp(&f, &[true, true], ResidualPolicy::Recompute).unwrap();
    assert_eq!(both.residuals, 0);
}

#[test]
fn a_rematerialised_program_keeps_its_parameters() {
    let f = program("f", &[f64s(&[4, 4]), f64s(&[4, 4])], |b, p| {
        let mut x = p[0];
        for _ in 0..4 {
            let product = b.one(DotGeneral::matmul(0, DType::F64), &[x, p[1]])?;
            x = b.exp(product)?;
        }
        Ok(vec![b.sum(x, &[0, 1])?])
    });
    let plain = vjp(&f, &[true, true], ResidualPolicy::Recompute).unwrap();
    assert_eq!(plain.residuals, 6, "x, w and four products");
    let wrapped = remat(&f).unwrap();
    let again = vjp(&wrapped, &[true, true], ResidualPolicy::Recompute).unwrap();
    assert_eq!(again.residuals, 2);
    assert_eq!(count(&again.backward, &|op| matches!(op, Op::OptimizationBarrier(OptimizationBarrier))), 1);
    assert_eq!(count(&again.forward, &|op| matches!(op, Op::Remat(_))), 1);
    let dots = |p: &Program| count(p, &|op| matches!(op, Op::DotGeneral(_)));
    assert_eq!(dots(&again.backward), dots(&plain.backward) + 4);
}

#[test]
fn branches_share_the_slots_of_their_residuals() {
    let branch = |twice: bool| {
        program("branch", &[f64s(&[4, 4])], |b, p| {
            let mut y = b.one(DotGeneral::matmul(0, DType::F64), &[p[0], p[0]])?;
            if twice {
                y = b.one(DotGeneral::matmul(0, DType::F64), &[y, y])?;
            }
            let y = b.exp(y)?;
            Ok(vec![y])
        })
    };
    let case = Case { branches: vec![branch(false), branch(true)] };
    let f = program("f", &[Type::scalar(DType::I32), f64s(&[4, 4])], |b, p| Ok(b.push(case, p)?.to_vec()));
    let both = vjp(&f, &[false, true], ResidualPolicy::Recompute).unwrap();
    both.backward.verify().unwrap();
    assert_eq!(both.residuals, 4, "the index, the operand, and two products of the second branch");
}

fn counted() -> While {
    let params = [f64s(&[3]), Type::scalar(DType::I32), f64s(&[3])];
    let cond = program("cond", &params, |b, p| {
        let limit = b.scalar(4i32)?;
        Ok(vec![b.compare(Comparison::Lt, p[1], limit)?])
    });
    let body = program("body", &params, |b, p| {
        let one = b.scalar(1i32)?;
        let (i, x) = (b.add(p[1], one)?, b.mul(p[2], p[0])?);
        Ok(vec![i, x])
    });
    While { cond, body, consts: 1 }
}

#[test]
fn a_while_loop_is_refused_in_reverse_at_its_line() {
    let here = Location::new("model.rs", 12, 5);
    let mut b = Builder::new("f");
    let params = [f64s(&[3]), Type::scalar(DType::I32), f64s(&[3])].map(|ty| b.param(ty, ""));
    b.set_source(Source::at(here));
    let results = b.push(counted(), &params).unwrap();
    let f = b.finish(&results).unwrap();
    let error = vjp(&f, &[true, false, true], ResidualPolicy::Recompute).unwrap_err();
    assert_eq!((error.kind(), error.location()), (ErrorKind::Program, Some(here)));
    let text = error.to_string();
    assert!(
        text.starts_with("[while_loop] has no transpose: a loop with an unknown number of steps"),
        "{text}"
    );
    assert!(text.contains("while transposing f"), "{text}");
}

#[test]
fn a_loop_counter_is_not_batched() {
    let f = program("f", &[f64s(&[3]), Type::scalar(DType::I32), f64s(&[3])], |b, p| {
        Ok(b.push(counted(), p)?.to_vec())
    });
    let (batched, marked) = jarrah_transforms::batch(&f, 5, &[true, false, false], &[false, false]).unwrap();
    assert_eq!(marked, [false, true]);
    assert_eq!(batched.result_types(), [Type::scalar(DType::I32), f64s(&[5, 3])]);
}

#[test]
fn the_source_of_an_instruction_survives() {
    let (first, second) = (Location::new("model.rs", 3, 9), Location::new("model.rs", 4, 9));
    let mut b = Builder::new("f");
    let x = b.param(f64s(&[]), "x");
    b.set_source(Source::at(first));
    let y = b.exp(x).unwrap();
    b.set_source(Source::at(second));
    let z = b.mul(y, y).unwrap();
    let f = b.finish(&[z]).unwrap();
    let g = value_and_grad(&f, &[0], ResidualPolicy::Recompute).unwrap();
    let known =
        g.instrs().iter().filter(|i| [Some(first), Some(second)].contains(&i.source.location)).count();
    assert_eq!(known + 1, g.instrs().len(), "all but the seed: {g:?}");
}

#[test]
fn dead_instructions_go_and_parameters_stay() {
    let f = program("f", &[f64s(&[]), f64s(&[])], |b, p| {
        b.exp(p[1])?;
        Ok(vec![b.exp(p[0])?])
    });
    let f = dce(&f).unwrap();
    assert_eq!((f.instrs().len(), f.params().len()), (1, 2));
    assert_eq!(used_params(&f), [true, false]);
}

#[test]
fn what_no_tangent_reaches_is_copied() {
    let f = program("f", &[f64s(&[]), f64s(&[])], |b, p| {
        let y = b.exp(p[1])?;
        Ok(vec![b.mul(p[0], y)?, y])
    });
    let made = jvp(&f, &[true, false], &[false, false]).unwrap();
    assert_eq!(made.active, [true, false]);
    assert_eq!(made.program.instrs().len(), 3, "{:?}", made.program);
}

#[test]
fn a_scan_with_a_carry_that_is_not_linear_is_transposed() {
    // k <- k w and c <- c k + x: linear in c and x, not in k and w.
    let body = program("body", &[f64s(&[]), f64s(&[]), f64s(&[]), f64s(&[])], |b, p| {
        let (k, scaled) = (b.mul(p[1], p[0])?, b.mul(p[2], p[1])?);
        let c = b.add(scaled, p[3])?;
        Ok(vec![k, c, scaled])
    });
    let scan = Scan { body, consts: 1, carry: 2, length: 4, reverse: false };
    let f = program("f", &[f64s(&[]), f64s(&[]), f64s(&[]), f64s(&[4])], |b, p| {
        Ok(b.push(scan, p)?[1..].to_vec())
    });
    let transposed = transpose(&f, &[false, false, true, true], &[true, true]).unwrap();
    transposed.verify().unwrap();
    let mut spread = Spread::new(1);
    let args: Vec<_> = f.param_types().into_iter().map(|ty| spread.tensor(ty)).collect();
    let cotangents: Vec<_> = f.result_types().into_iter().map(|ty| spread.tensor(ty)).collect();
    let forward = run(&f, &args);
    let backward = run(&transposed, &[&args[..2], &cotangents].concat());
    let (left, right) = (inner(&forward, &cotangents), inner(&backward, &args[2..]));
    assert!((left - right).abs() < 1e-12, "{left} against {right}");
}

#[test]
fn an_operand_given_to_a_scan_twice_is_one_residual() {
    let body = program("body", &[f64s(&[3]), f64s(&[3]), f64s(&[3])], |b, p| {
        let product = b.mul(p[2], p[0])?;
        Ok(vec![b.mul(product, p[1])?])
    });
    let scan = Scan { body, consts: 2, carry: 1, length: 7, reverse: false };
    let f = program("f", &[f64s(&[3]), f64s(&[3])], |b, p| Ok(b.push(scan, &[p[0], p[0], p[1]])?.to_vec()));
    let both = vjp(&f, &[false, true], ResidualPolicy::Recompute).unwrap();
    assert_eq!(both.residuals, 1);
    let [backward] = scans(&both.backward)[..] else { panic!("one scan") };
    assert_eq!(backward.consts, 1);
}

#[test]
fn the_source_of_a_loop_is_that_of_what_its_transpose_adds() {
    let here = Location::new("model.rs", 20, 5);
    let body = program("body", &[f64s(&[]), f64s(&[])], |b, p| Ok(vec![b.mul(p[0], p[1])?]));
    let scan = Scan { body, consts: 1, carry: 1, length: 3, reverse: false };
    let mut b = Builder::new("f");
    let params = [f64s(&[]), f64s(&[])].map(|ty| b.param(ty, ""));
    b.set_source(Source::at(here));
    let results = b.push(scan, &params).unwrap();
    let f = b.finish(&results).unwrap();
    let both = vjp(&f, &[true, true], ResidualPolicy::Recompute).unwrap();
    let [backward] = scans(&both.backward)[..] else { panic!("one scan") };
    let added = backward.body.instrs().last().unwrap();
    assert_eq!(added.source.location, Some(here), "{:?}", backward.body);
}

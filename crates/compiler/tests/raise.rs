//! Loops as JAX exports them, and the scans they are.

use jarrah_base::Literal;
use jarrah_compiler::{bound_loops, derive_bounded_loops, raise};
use jarrah_hlo::ops::Scan;
use jarrah_hlo::{Op, Program};
use jarrah_hlo_eval::evaluate;
use jarrah_hlo_format::parse;
use jarrah_transforms::{ResidualPolicy, batch, jvp, value_and_grad};

fn scans(program: &Program) -> Vec<Scan> {
    let mut all = Vec::new();
    for instr in program.instrs() {
        if let Op::Scan(scan) = &instr.op {
            all.push(Scan::clone(scan));
        }
        assert!(!matches!(instr.op, Op::While(_)), "a loop is left: {program:?}");
        all.extend(instr.op.programs().into_iter().flat_map(|p| scans(p)));
    }
    all
}

fn floats(dims: &[usize], seed: usize) -> Literal {
    let count: usize = dims.iter().product();
    let values: Vec<f64> = (0..count).map(|i| 0.4 + ((i * 7 + seed * 3) % 11) as f64 / 10.0).collect();
    Literal::from_slice(dims, &values).expect("valid")
}

/// Raises the loops of `text`, checks that nothing changed, and returns the scans.
fn raised(text: &str, arguments: &[Literal]) -> (Program, Vec<Scan>) {
    let program = parse(text).expect("valid");
    let raised = raise(&program).expect("valid");
    assert_eq!(
        evaluate(&program, arguments).expect("valid"),
        evaluate(&raised, arguments).expect("valid"),
        "{raised:?}"
    );
    let scans = scans(&raised);
    (raised, scans)
}

/// Checks the gradient of a program with one scalar result in its argument `index` against differences.
fn check_gradient(program: &Program, arguments: &[Literal], index: usize) {
    let grad = value_and_grad(program, &[index], ResidualPolicy::Recompute).expect("valid");
    let found = evaluate(&grad, arguments).expect("valid")[1].to_f64_vec();
    for (i, found) in found.iter().enumerate() {
        let at = |step: f64| {
            let mut moved = arguments.to_vec();
            moved[index].as_mut_slice::<f64>().expect("valid")[i] += step;
            evaluate(program, &moved).expect("valid")[0].to_f64_vec()[0]
        };
        let expected = (at(1e-6) - at(-1e-6)) / 2e-6;
        assert!((found - expected).abs() <= 1e-6 * (1.0 + expected.abs()), "{i}: {found} against {expected}");
    }
}

const RECURRENCE: &str = r#"
module @scan {
  func.func public @main(%w: tensor<3xf64>, %xs: tensor<5x3xf64>) -> (tensor<f64>, tensor<5x3xf64>) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %h = stablehlo.constant dense<0.5> : tensor<3xf64>
    %ys = stablehlo.constant dense<0.0> : tensor<5x3xf64>
    %out:5 = stablehlo.while(%a = %xs, %b = %w, %i = %zero, %c = %h, %y = %ys) : tensor<5x3xf64>, tensor<3xf64>, tensor<i32>, tensor<3xf64>, tensor<5x3xf64>
    cond {
      %n = stablehlo.constant dense<5> : tensor<i32>
      %more = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %x = func.call @entry(%a, %i) : (tensor<5x3xf64>, tensor<i32>) -> tensor<3xf64>
      %p = stablehlo.multiply %c, %b : tensor<3xf64>
      %q = stablehlo.add %p, %x : tensor<3xf64>
      %t = stablehlo.tanh %q : tensor<3xf64>
      %row = stablehlo.broadcast_in_dim %t, dims = [1] : (tensor<3xf64>) -> tensor<1x3xf64>
      %o = stablehlo.constant dense<0> : tensor<i32>
      %y2 = stablehlo.dynamic_update_slice %y, %row, %i, %o : (tensor<5x3xf64>, tensor<1x3xf64>, tensor<i32>, tensor<i32>) -> tensor<5x3xf64>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %next = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %a, %b, %next, %t, %y2 : tensor<5x3xf64>, tensor<3xf64>, tensor<i32>, tensor<3xf64>, tensor<5x3xf64>
    }
    %init = stablehlo.constant dense<0.0> : tensor<f64>
    %sum = stablehlo.reduce(%out#4 init: %init) applies stablehlo.add across dimensions = [0, 1] : (tensor<5x3xf64>, tensor<f64>) -> tensor<f64>
    return %sum, %out#4 : tensor<f64>, tensor<5x3xf64>
  }
  func.func private @entry(%a: tensor<5x3xf64>, %i: tensor<i32>) -> tensor<3xf64> {
    %z = stablehlo.constant dense<0> : tensor<i32>
    %n = stablehlo.constant dense<5> : tensor<i32>
    %negative = stablehlo.compare LT, %i, %z, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %wrapped = stablehlo.add %i, %n : tensor<i32>
    %at = stablehlo.select %negative, %wrapped, %i : tensor<i1>, tensor<i32>
    %s = stablehlo.dynamic_slice %a, %at, %z, sizes = [1, 3] : (tensor<5x3xf64>, tensor<i32>, tensor<i32>) -> tensor<1x3xf64>
    %r = stablehlo.reshape %s : (tensor<1x3xf64>) -> tensor<3xf64>
    return %r : tensor<3xf64>
  }
}
"#;

#[test]
fn a_recurrence_is_a_scan() {
    let arguments = [floats(&[3], 1), floats(&[5, 3], 2)];
    let (program, scans) = raised(RECURRENCE, &arguments);
    let [scan] = &scans[..] else { panic!("{scans:?}") };
    assert_eq!((scan.consts, scan.carry, scan.length, scan.reverse), (1, 1, 5, false));
    // The weights, the state, a slice: the counter is gone.
    assert_eq!(scan.body.params().len(), 3);
    let sum =
        program.extract(&program.param_values().collect::<Vec<_>>(), &program.results()[..1]).expect("valid");
    check_gradient(&sum, &arguments, 0);
    check_gradient(&sum, &arguments, 1);
}

#[test]
fn a_loop_that_counts_down_is_a_reversed_scan() {
    let index = "%n = stablehlo.constant dense<4> : tensor<i32>
      %at = stablehlo.subtract %n, %i : tensor<i32>";
    let text = RECURRENCE
        .replace("%x = func.call @entry(%a, %i)", &format!("{index}\n      %x = func.call @entry(%a, %at)"))
        .replace("%y, %row, %i, %o", "%y, %row, %at, %o");
    let arguments = [floats(&[3], 1), floats(&[5, 3], 2)];
    let (program, scans) = raised(&text, &arguments);
    assert!(scans[0].reverse);
    assert_eq!(program.instrs().iter().filter(|i| matches!(i.op, Op::Reverse(_))).count(), 0);
    // Only the inputs run backwards: they are turned round, once.
    let text = text.replace("%y, %row, %at, %o", "%y, %row, %i, %o");
    let (program, scans) = raised(&text, &arguments);
    assert!(!scans[0].reverse);
    assert_eq!(program.instrs().iter().filter(|i| matches!(i.op, Op::Reverse(_))).count(), 1);
}

#[test]
fn a_loop_over_a_part_reads_and_writes_a_part() {
    let text = RECURRENCE
        .replace("%zero = stablehlo.constant dense<0>", "%zero = stablehlo.constant dense<1>")
        .replace("      %n = stablehlo.constant dense<5>", "      %n = stablehlo.constant dense<4>");
    let arguments = [floats(&[3], 1), floats(&[5, 3], 2)];
    let (program, scans) = raised(&text, &arguments);
    assert_eq!((scans[0].length, scans[0].carry), (3, 1));
    assert!(program.instrs().iter().any(|i| matches!(i.op, Op::DynamicUpdateSlice(_))));
    let sum =
        program.extract(&program.param_values().collect::<Vec<_>>(), &program.results()[..1]).expect("valid");
    check_gradient(&sum, &arguments, 1);
}

#[test]
fn a_loop_without_steps_is_nothing() {
    let text = RECURRENCE
        .replace("      %n = stablehlo.constant dense<5>", "      %n = stablehlo.constant dense<-3>");
    let (_, scans) = raised(&text, &[floats(&[3], 1), floats(&[5, 3], 2)]);
    assert!(scans.is_empty());
}

#[test]
fn a_counter_that_is_used_is_computed() {
    let text = r#"
module @fori {
  func.func public @main(%x: tensor<f64>) -> (tensor<f64>, tensor<i32>, tensor<i32>) {
    %from = stablehlo.constant dense<9> : tensor<i32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %out:3 = stablehlo.while(%i = %from, %k = %zero, %c = %x) : tensor<i32>, tensor<i32>, tensor<f64>
    cond {
      %n = stablehlo.constant dense<0> : tensor<i32>
      %more = stablehlo.compare GT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %three = stablehlo.constant dense<3> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %f = stablehlo.convert %i : (tensor<i32>) -> tensor<f64>
      %m = stablehlo.multiply %c, %f : tensor<f64>
      %s = stablehlo.sine %m : tensor<f64>
      %i2 = stablehlo.subtract %i, %three : tensor<i32>
      %k2 = stablehlo.add %k, %one : tensor<i32>
      stablehlo.return %i2, %k2, %s : tensor<i32>, tensor<i32>, tensor<f64>
    }
    return %out#2, %out#0, %out#1 : tensor<f64>, tensor<i32>, tensor<i32>
  }
}
"#;
    let arguments = [floats(&[], 1)];
    let (program, scans) = raised(text, &arguments);
    assert_eq!((scans[0].length, scans[0].carry), (3, 1));
    let value = program.extract(&[program.param(0)], &program.results()[..1]).expect("valid");
    check_gradient(&value, &arguments, 0);
}

const NEWTON: &str = r#"
module @newton {
  func.func public @main(%a: tensor<f64>) -> tensor<f64> {
    %start = stablehlo.constant dense<3.0> : tensor<f64>
    %out = stablehlo.while(%x = %start) : tensor<f64>
    cond {
      %square = stablehlo.multiply %x, %x : tensor<f64>
      %off = stablehlo.subtract %square, %a : tensor<f64>
      %size = stablehlo.abs %off : tensor<f64>
      %most = stablehlo.constant dense<1.0e-13> : tensor<f64>
      %more = stablehlo.compare GT, %size, %most, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %half = stablehlo.constant dense<0.5> : tensor<f64>
      %over = stablehlo.divide %a, %x : tensor<f64>
      %both = stablehlo.add %x, %over : tensor<f64>
      %next = stablehlo.multiply %both, %half : tensor<f64>
      stablehlo.return %next : tensor<f64>
    }
    return %out : tensor<f64>
  }
}
"#;

#[test]
fn a_loop_of_unknown_length_differentiates_within_a_bound() {
    let program = raise(&parse(NEWTON).expect("valid")).expect("valid");
    assert!(program.instrs().iter().any(|i| matches!(i.op, Op::While(_))));
    let refusal = value_and_grad(&program, &[0], ResidualPolicy::Recompute).expect_err("refused");
    assert!(refusal.message().contains("unknown number of steps"), "{refusal}");

    let arguments = [Literal::scalar(2.0f64)];
    let bounded = bound_loops(&program, 20).expect("valid");
    assert_eq!(
        evaluate(&program, &arguments).expect("valid"),
        evaluate(&bounded, &arguments).expect("valid")
    );
    let grad = value_and_grad(&bounded, &[0], ResidualPolicy::Recompute).expect("valid");
    let found = evaluate(&grad, &arguments).expect("valid")[1].get_f64(0);
    assert!((found - 0.5 / 2f64.sqrt()).abs() < 1e-12, "{found}");
}

#[test]
fn a_bound_that_is_too_small_is_never_silent() {
    let program = parse(NEWTON).expect("valid");
    let bounded = bound_loops(&program, 2).expect("valid");
    assert!(evaluate(&bounded, &[Literal::scalar(2.0f64)]).expect("valid")[0].get_f64(0).is_nan());
    assert!(bound_loops(&program, 0).is_err());
}

/// Newton's method with a count of its steps, as JAX writes `betainc`: it ends by itself, or after 30 steps.
fn counted_newton() -> String {
    NEWTON
        .replace(
            "%out = stablehlo.while(%x = %start) : tensor<f64>",
            "%zero = stablehlo.constant dense<0> : tensor<i32>
    %out:2 = stablehlo.while(%x = %start, %i = %zero) : tensor<f64>, tensor<i32>",
        )
        .replace(
            "      stablehlo.return %more : tensor<i1>",
            "      %n = stablehlo.constant dense<30> : tensor<i32>
      %few = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %both = stablehlo.and %few, %more : tensor<i1>
      stablehlo.return %both : tensor<i1>",
        )
        .replace(
            "      stablehlo.return %next : tensor<f64>",
            "      %one = stablehlo.constant dense<1> : tensor<i32>
      %j = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %next, %j : tensor<f64>, tensor<i32>",
        )
        .replace("return %out : tensor<f64>", "return %out#0 : tensor<f64>")
}

#[test]
fn a_loop_that_counts_besides_has_a_derivative_of_its_own() {
    let tangents = |p: &Program| {
        let floats = |types: Vec<jarrah_base::Type>| -> Vec<bool> {
            types.iter().map(|t| t.dtype().is_differentiable()).collect()
        };
        Ok(jvp(p, &floats(p.param_types()), &floats(p.result_types()))?.program)
    };
    let program = raise(&parse(&counted_newton()).expect("valid")).expect("valid");
    let derived = derive_bounded_loops(&program, &tangents).expect("valid");
    // It runs as the loop that it was.
    let custom = derived.instrs().iter().find_map(|i| match &i.op {
        Op::CustomRule(custom) => Some(custom.primal.clone()),
        _ => None,
    });
    assert!(custom.expect("a rule").instrs().iter().any(|i| matches!(i.op, Op::While(_))));
    let arguments = [Literal::scalar(2.0f64)];
    assert_eq!(
        evaluate(&program, &arguments).expect("valid"),
        evaluate(&derived, &arguments).expect("valid")
    );
    check_gradient(&derived, &arguments, 0);
    let (batched, _) = batch(&derived, 3, &[true], &[true]).expect("valid");
    let roots = evaluate(&batched, &[Literal::from_slice(&[3], &[2.0f64, 3.0, 1e4]).expect("valid")]);
    for (root, expected) in
        roots.expect("valid")[0].to_f64_vec().into_iter().zip([2f64.sqrt(), 3f64.sqrt(), 100.0])
    {
        assert!((root - expected).abs() < 1e-9 * expected, "{root}");
    }
    // Without a count there is no bound to be found.
    let program = raise(&parse(NEWTON).expect("valid")).expect("valid");
    assert_eq!(derive_bounded_loops(&program, &tangents).expect("valid"), program);
}

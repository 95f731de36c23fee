//! Loops that count in every integer type, up and down, by ones and by threes, next to an index of every integer type.

use jarrah_base::{DType, Literal};
use jarrah_compiler::raise;
use jarrah_hlo::Op;
use jarrah_hlo_eval::evaluate;
use jarrah_hlo_format::parse;

const INTEGERS: [DType; 8] =
    [DType::I8, DType::I16, DType::I32, DType::I64, DType::U8, DType::U16, DType::U32, DType::U64];

/// How an integer of a loop runs.
#[derive(Clone, Copy, Debug)]
struct Run {
    dtype: DType,
    start: i128,
    slope: i128,
}

impl Run {
    /// A run of `steps` steps from the first of `starts` that keeps within the type.
    fn new(dtype: DType, starts: [i128; 3], slope: i128, steps: i128) -> Option<Run> {
        let (low, high) = dtype.integer_range()?;
        let fits = |n: i128| (low..=high).contains(&n);
        let start = starts.into_iter().find(|&start| fits(start) && fits(start + slope * steps))?;
        Some(Run { dtype, start, slope })
    }

    fn element(&self) -> String {
        let kind = if self.dtype.integer_range().is_some_and(|(low, _)| low < 0) { "i" } else { "ui" };
        format!("{kind}{}", self.dtype.bits())
    }
}

/// A loop of `steps` steps by `counter`, which reads and writes at `index`.
fn text(counter: Run, index: Run, steps: i128) -> String {
    let (c, k) = (counter.element(), index.element());
    let (start, limit, step) = (counter.start, counter.start + counter.slope * steps, counter.slope.abs());
    let (comparison, change) = if counter.slope > 0 { ("LT", "add") } else { ("GT", "subtract") };
    let sign = if c.starts_with('u') { "UNSIGNED" } else { "SIGNED" };
    let (first, move_) = (index.start, if index.slope > 0 { "add" } else { "subtract" });
    format!(
        r#"
module @counted {{
  func.func public @main(%xs: tensor<420xf64>) -> (tensor<f64>, tensor<420xf64>, tensor<{c}>, tensor<{k}>) {{
    %start = stablehlo.constant dense<{start}> : tensor<{c}>
    %first = stablehlo.constant dense<{first}> : tensor<{k}>
    %h = stablehlo.constant dense<0.5> : tensor<f64>
    %out:5 = stablehlo.while(%a = %xs, %i = %start, %j = %first, %s = %h, %y = %xs) : tensor<420xf64>, tensor<{c}>, tensor<{k}>, tensor<f64>, tensor<420xf64>
    cond {{
      %n = stablehlo.constant dense<{limit}> : tensor<{c}>
      %more = stablehlo.compare {comparison}, %i, %n, {sign} : (tensor<{c}>, tensor<{c}>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    }} do {{
      %slice = stablehlo.dynamic_slice %a, %j, sizes = [1] : (tensor<420xf64>, tensor<{k}>) -> tensor<1xf64>
      %x = stablehlo.reshape %slice : (tensor<1xf64>) -> tensor<f64>
      %f = stablehlo.convert %i : (tensor<{c}>) -> tensor<f64>
      %p = stablehlo.multiply %x, %f : tensor<f64>
      %q = stablehlo.add %p, %s : tensor<f64>
      %t = stablehlo.tanh %q : tensor<f64>
      %row = stablehlo.broadcast_in_dim %t, dims = [] : (tensor<f64>) -> tensor<1xf64>
      %y2 = stablehlo.dynamic_update_slice %y, %row, %j : (tensor<420xf64>, tensor<1xf64>, tensor<{k}>) -> tensor<420xf64>
      %by = stablehlo.constant dense<{step}> : tensor<{c}>
      %i2 = stablehlo.{change} %i, %by : tensor<{c}>
      %one = stablehlo.constant dense<1> : tensor<{k}>
      %j2 = stablehlo.{move_} %j, %one : tensor<{k}>
      stablehlo.return %a, %i2, %j2, %t, %y2 : tensor<420xf64>, tensor<{c}>, tensor<{k}>, tensor<f64>, tensor<420xf64>
    }}
    return %out#3, %out#4, %out#1, %out#2 : tensor<f64>, tensor<420xf64>, tensor<{c}>, tensor<{k}>
  }}
}}
"#
    )
}

#[test]
fn every_counter_raises_next_to_every_index() {
    let values: Vec<f64> = (0..420).map(|i| ((i * 37) % 101) as f64 / 101.0 - 0.4).collect();
    let arguments = [Literal::from_slice(&[420], &values).expect("valid")];
    let mut tried = 0;
    for (counter_type, index_type) in INTEGERS.iter().flat_map(|c| INTEGERS.iter().map(move |i| (*c, *i))) {
        for (steps, by, moves) in
            [5, 200].into_iter().flat_map(|n| [1, -1, 3, -3].map(|by| [(n, by, 1), (n, by, -1)])).flatten()
        {
            let counter = Run::new(counter_type, [-100, 3, steps * 3 + 2], by, steps);
            let index =
                Run::new(index_type, [if moves > 0 { 200 } else { 200 + steps }, 0, steps], moves, steps);
            let (Some(counter), Some(index)) = (counter, index) else { continue };
            let program = parse(&text(counter, index, steps)).expect("valid");
            let raised = raise(&program).expect("valid");
            let scans = raised.instrs().iter().filter(|i| matches!(&i.op, Op::Scan(_)));
            assert_eq!(scans.count(), 1, "{counter:?} {index:?} {raised:?}");
            let [expected, found] = [&program, &raised].map(|p| evaluate(p, &arguments).expect("valid"));
            assert_eq!(expected, found, "{steps} steps: {counter:?} {index:?}");
            tried += 1;
        }
    }
    assert!(tried > 600, "{tried}");
}

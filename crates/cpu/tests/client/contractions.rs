//! Products with the loops that run on their parts.

use jarrah_base::{DType, Literal, Type};
use jarrah_cpu::CpuClient;
use jarrah_hlo::ops::{Axes, DotGeneral, ElementwiseKind, Reducer};
use jarrah_hlo::{Alias, Builder, Program, Value};
use jarrah_runtime::{Arg, Client, CompileOptions, ExecuteOptions, Label, Way};

use super::{check, numbers};

const F32: DType = DType::F32;

/// The program of `body` over parameters of these extents.
fn program(
    dtype: DType,
    params: &[&[usize]],
    body: impl Fn(&mut Builder, &[Value]) -> Vec<Value>,
) -> Program {
    let mut b = Builder::new("contraction");
    let x: Vec<Value> =
        params.iter().map(|dims| b.param(Type::tensor(dtype, dims.iter().copied()), "")).collect();
    let results = body(&mut b, &x);
    b.finish(&results).unwrap()
}

fn arguments(program: &Program) -> Vec<Literal> {
    let types = program.param_types().into_iter().enumerate();
    types.map(|(i, ty)| numbers(ty.dtype(), &ty.dims(), i as u64 + 1)).collect()
}

fn steps(program: &Program) -> Vec<Label> {
    CpuClient::with_threads(2).compile(program, &CompileOptions::default()).unwrap().steps()
}

/// Checks the results, which are those of the evaluator within `ulps`, and that so many steps are contractions, of so many in
/// all.
fn contracts(name: &str, program: &Program, ulps: f64, contractions: usize, all: usize) {
    check(name, program, &arguments(program), ulps);
    let steps = steps(program);
    for label in steps.iter().filter(|label| label.kind == "dot_general + kernel") {
        assert!(label.what.starts_with("dot_general -> ") && label.way == Way::Product, "{label:?}");
    }
    let kinds: Vec<&str> = steps.iter().map(|label| label.kind).collect();
    let found = kinds.iter().filter(|kind| **kind == "dot_general + kernel").count();
    assert_eq!((found, kinds.len()), (contractions, all), "{name}: {kinds:?}");
}

fn dot(b: &mut Builder, x: Value, y: Value) -> Value {
    let dtype = b.ty(x).dtype();
    b.one(DotGeneral::matmul(0, dtype), &[x, y]).unwrap()
}

fn bias(b: &mut Builder, x: Value, bias: Value) -> Value {
    let dims = b.ty(x).dims();
    let wide = b.broadcast_in_dim(bias, &dims, &[dims.len() - 1]).unwrap();
    b.add(x, wide).unwrap()
}

#[test]
fn biases_functions_and_residuals_join_their_products() {
    for dtype in [F32, DType::F64, DType::BF16, DType::F16] {
        for (m, n, k) in [(5, 7, 3), (1, 40, 20), (130, 260, 70), (64, 2, 1)] {
            let block = program(dtype, &[&[m, k], &[k, n], &[n], &[n, k]], |b, x| {
                let p = dot(b, x[0], x[1]);
                let h = bias(b, p, x[2]);
                let zero = b.zeros_like(h).unwrap();
                let h = b.binary(ElementwiseKind::Maximum, h, zero).unwrap();
                let q = dot(b, h, x[3]);
                vec![b.add(q, x[0]).unwrap()]
            });
            // A product with one column runs as that of the transposes, by itself.
            let (contractions, all) = if k == 1 { (1, 3) } else { (2, 2) };
            contracts(&format!("{dtype} {m} {n} {k}"), &block, 0.0, contractions, all);
        }
    }
}

#[test]
fn a_product_that_others_read_is_a_result_too() {
    let kept = program(F32, &[&[70, 30], &[30, 50], &[50]], |b, x| {
        let p = dot(b, x[0], x[1]);
        let h = bias(b, p, x[2]);
        let h = b.exp(h).unwrap();
        let turned = b.transpose(p, &[1, 0]).unwrap();
        vec![h, turned, p]
    });
    contracts("kept", &kept, 4.0, 1, 2);
    // Rounded sums are of another size than the products.
    let rounded = program(F32, &[&[70, 30], &[30, 50]], |b, x| {
        let p = dot(b, x[0], x[1]);
        vec![b.convert(p, DType::BF16).unwrap(), b.convert(p, DType::F64).unwrap()]
    });
    contracts("rounded", &rounded, 0.0, 1, 1);
}

/// `x - r (a b)` in the memory of `x`, which the product is not written over; nor does the product read what the loop writes.
#[test]
fn a_loop_may_write_over_its_own_operand_only() {
    let step = program(F32, &[&[60, 60], &[60, 60], &[60, 60]], |b, x| {
        let p = dot(b, x[1], x[2]);
        vec![b.sub(x[0], p).unwrap()]
    });
    contracts("updates", &step, 0.0, 1, 1);
    let itself = program(F32, &[&[60, 60]], |b, x| {
        let p = dot(b, x[0], x[0]);
        vec![b.add(x[0], p).unwrap()]
    });
    contracts("a square", &itself, 0.0, 1, 1);
    for program in [&step, &itself] {
        let client = CpuClient::with_threads(2);
        let expected = jarrah_hlo_eval::evaluate(program, &arguments(program)).unwrap();
        for must in [false, true] {
            let aliases = vec![Alias { parameter: 0, result: Some(0), must }];
            let compiled = client.compile(program, &CompileOptions { aliases, ..CompileOptions::default() });
            let mut args = arguments(program).into_iter().map(|a| client.upload(&a).unwrap());
            let first = Arg::Donate(args.next().unwrap());
            let args = std::iter::once(first).chain(args.map(Arg::Borrow)).collect();
            let ran = compiled.unwrap().execute(vec![args], &ExecuteOptions::default()).unwrap();
            assert_eq!(ran.results[0][0].read().unwrap(), expected[0], "alias that must: {must}");
        }
    }
}

/// A loop that also reads the product in another order than its elements have runs when all of it is there.
#[test]
fn a_loop_over_two_orders_of_a_product_waits_for_it() {
    for heads in [4, 16] {
        let both = program(F32, &[&[16 * heads, 24], &[24, 32]], |b, x| {
            let p = dot(b, x[0], x[1]);
            let p = b.reshape(p, &[16, heads, 32]).unwrap();
            let turned = b.transpose(p, &[1, 0, 2]).unwrap();
            let turned = b.reshape(turned, &[16, heads, 32]).unwrap();
            vec![b.add(p, turned).unwrap()]
        });
        let args = arguments(&both);
        check("two orders", &both, &args, 0.0);
        assert!(steps(&both).iter().all(|label| label.kind != "dot_general + kernel"));
    }
}

#[test]
fn loops_with_reductions_do_not_join() {
    let rows = program(F32, &[&[40, 24], &[24, 32]], |b, x| {
        let p = dot(b, x[0], x[1]);
        vec![b.reduce(Reducer::Max, p, &[1]).unwrap()]
    });
    contracts("rows", &rows, 0.0, 0, 2);
    let turned = program(F32, &[&[24, 40], &[24, 32]], |b, x| {
        let transposed = DotGeneral {
            lhs_contract: Axes::from_slice(&[0]),
            rhs_contract: Axes::from_slice(&[0]),
            ..DotGeneral::matmul(0, F32)
        };
        let p = b.one(transposed, x).unwrap();
        vec![b.exp(p).unwrap()]
    });
    contracts("transposed", &turned, 4.0, 1, 1);
}

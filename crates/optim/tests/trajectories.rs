//! Parameters and states of optimizers against those of Optax, which `oracle/optimizers.py` made: 50 steps on an ill-conditioned quadratic
//! and a small network, in f64 and in f32.

use std::collections::BTreeMap;

use jarrah_array::numpy::tensordot;
use jarrah_array::{
    Array, DType, Function, Jit, Tree, TreeExt, jit, load, stack, try_trace, value_and_grad, where_,
};
use jarrah_optim::*;

use crate::cases::cases;

pub type Params = BTreeMap<String, Array>;
type Run = (Params, Leaves);

pub const SHAPES: [(&str, &[usize]); 5] =
    [("b1", &[4]), ("b2", &[2]), ("w1", &[3, 4]), ("w2", &[4, 2]), ("x", &[8])];
const PROBLEM: [(&str, &[usize]); 4] = [("A", &[8, 8]), ("X", &[6, 3]), ("Y", &[6, 2]), ("b", &[8])];
const KEPT: [usize; 4] = [1, 2, 10, 50];

/// The parameters have 34 elements.
pub const SIZE: usize = 34;

/// What Optax found in a case.
struct Golden {
    /// How far Optax's own run in f32 is off, at each of the steps in [`KEPT`].
    f32_errors: Vec<f64>,
    /// Path, dtype and number of elements.
    state: Vec<(String, String, usize)>,
    values: Array,
}

struct Goldens {
    problem: Params,
    init: Params,
    cases: BTreeMap<String, Golden>,
}

/// The tensors of the loss.
pub fn problem() -> Params {
    goldens().problem
}

fn goldens() -> Goldens {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../testing/tests/golden/optim");
    let table = std::fs::read_to_string(format!("{folder}/trajectories.tsv")).unwrap();
    let mut like: Params = BTreeMap::new();
    let mut described = Vec::new();
    for row in table.lines() {
        let [name, error, state] = row.split('\t').collect::<Vec<_>>()[..] else { panic!("row {row:?}") };
        let leaf = |part: &str| {
            let [path, dtype, size] = part.split(':').collect::<Vec<_>>()[..] else {
                panic!("leaf {part:?}")
            };
            (path.to_owned(), dtype.to_owned(), size.parse().unwrap())
        };
        let state: Vec<(String, String, usize)> =
            state.split(',').filter(|part| !part.is_empty()).map(leaf).collect();
        let columns = SIZE + state.iter().map(|(_, _, size)| size).sum::<usize>();
        like.insert(format!("case/{name}"), Array::zeros(&[KEPT.len(), columns]));
        let errors: Vec<f64> = error.split('/').map(|e| e.parse().unwrap()).collect();
        described.push((name.to_owned(), errors, state));
    }
    let wide = |name: String, shape: &[usize]| (name, Array::full(shape, 0.0, DType::F64));
    like.extend(PROBLEM.map(|(name, shape)| wide(format!("problem/{name}"), shape)));
    like.extend(SHAPES.map(|(name, shape)| wide(format!("init/{name}"), shape)));
    let read = load(format!("{folder}/trajectories.safetensors"), &like).unwrap();
    let under = |prefix: &str| {
        let found =
            read.iter().filter_map(|(name, x)| Some((name.strip_prefix(prefix)?.to_owned(), x.clone())));
        found.collect::<Params>()
    };
    let case = |(name, f32_errors, state): (String, Vec<f64>, _)| {
        let values = read[&format!("case/{name}")].clone();
        (name, Golden { f32_errors, state, values })
    };
    Goldens {
        problem: under("problem/"),
        init: under("init/"),
        cases: described.into_iter().map(case).collect(),
    }
}

pub fn loss(t: &Params, p: &Params) -> Array {
    let quadratic = (&p["x"] * t["A"].matmul(&p["x"])).sum(..) * 0.5 - (&t["b"] * &p["x"]).sum(..);
    let hidden = (t["X"].matmul(&p["w1"]) + &p["b1"]).tanh();
    quadratic + (hidden.matmul(&p["w2"]) + &p["b2"] - &t["Y"]).square().mean(..)
}

/// Gradients of three examples: the gradient times 1, -0.5 and 2.
pub fn each_example(slopes: &Params) -> Params {
    slopes.map_leaves(|g: &Array| {
        tensordot(&Array::from_slice(&[1.0f64, -0.5, 2.0]).astype(g.dtype()), g, &[], &[])
    })
}

/// A tree with arrays of its own: those of a step are donated to the next one.
fn apart<T: Tree<Array>>(tree: &T) -> T {
    tree.map_leaves(|x: &Array| Array::from_literal(x.to_literal().unwrap()))
}

/// A step from parameters and state to the next ones, which donates both; where the flag is set, the gradient of x is NaN.
fn step(
    optimizer: &GradientTransformation,
    tensors: Params,
) -> Jit<(Run, Array), Run, impl Function<(Run, Array), Output = Run> + use<>> {
    let optimizer = optimizer.clone();
    let step = move |((params, state), bad): &(Run, Array)| {
        let f = |p: &Params| loss(&tensors, p);
        let (value, mut slopes) = value_and_grad(f)(params);
        let x = where_(bad, f64::NAN, &slopes["x"]);
        slopes.insert("x".to_owned(), x);
        let each = each_example(&slopes);
        let extra = Extra::new().value(&value).grad(&slopes).value_fn(f).tree("per_example", &each);
        let (updates, state) = optimizer.update_with(&slopes, state, params, &extra);
        (apply_updates(params, &updates), state)
    };
    jit(step).donate(0)
}

/// Parameters and states after the steps in [`KEPT`].
fn run(optimizer: &GradientTransformation, goldens: &Goldens, dtype: DType, nan: bool) -> Vec<Run> {
    let cast = |tree: &Params| apart(&tree.map_leaves(|x: &Array| x.astype(dtype)));
    let params = cast(&goldens.init);
    let state = optimizer.init(&params);
    let (step, mut at) = (step(optimizer, cast(&goldens.problem)), (params, state));
    let mut kept = Vec::new();
    for t in 1..=KEPT[3] {
        let bad = Array::scalar(nan && (t == 4 || t == 5));
        at = step.call((at, bad)).unwrap();
        if KEPT.contains(&t) {
            kept.push(apart(&at));
        }
    }
    assert_eq!(step.traces(), 1, "a state changes its types");
    kept
}

/// The elements in the form of the goldens: words of keys as bits, all else as numbers.
pub fn elements(x: &Array) -> Vec<f64> {
    match x.dtype() {
        DType::U32 => x.to_vec::<u32>().unwrap().into_iter().map(f64::from).collect(),
        _ => x.astype(DType::F64).to_vec::<f64>().unwrap(),
    }
}

fn expected(row: &Array, from: usize, size: usize, dtype: &str) -> Vec<f64> {
    let values = row.slice(0, from..from + size).to_vec::<f32>().unwrap();
    let number = |x: f32| if dtype == "uint32" { f64::from(x.to_bits()) } else { f64::from(x) };
    values.into_iter().map(number).collect()
}

/// The largest difference over the larger of one and the largest absolute value.
fn off(found: &[f64], expected: &[f64]) -> f64 {
    assert_eq!(found.len(), expected.len());
    let scale = expected.iter().filter(|x| x.is_finite()).fold(1.0f64, |m, x| m.max(x.abs()));
    let each = found.iter().zip(expected).map(|(a, b)| match a == b || (a.is_nan() && b.is_nan()) {
        true => 0.0,
        false => (a - b).abs(),
    });
    each.fold(0.0f64, |m, x| if x.is_nan() { f64::INFINITY } else { m.max(x) }) / scale
}

/// The first thing that is not as Optax has it, at each step at most its tolerance apart.
fn fault(runs: &[Run], golden: &Golden, tolerances: [f64; 4], dtypes: bool, states: bool) -> Option<String> {
    let paths: BTreeMap<String, &Array> = runs[3].1.leaves_with_paths().into_iter().collect();
    let wanted: Vec<&String> = golden.state.iter().map(|(path, _, _)| path).collect();
    if paths.keys().collect::<Vec<_>>() != wanted {
        return Some(format!("states are named {:?}, not {wanted:?}", paths.keys()));
    }
    for (k, (params, state)) in runs.iter().enumerate() {
        let (row, step, tolerance) = (golden.values.index(k), KEPT[k], tolerances[k]);
        let found: Vec<f64> = SHAPES.iter().flat_map(|(name, _)| elements(&params[*name])).collect();
        let wrong = off(&found, &expected(&row, 0, SIZE, "float32"));
        if wrong > tolerance {
            return Some(format!("parameters are off by {wrong:.1e} after {step} steps"));
        }
        if !states {
            continue;
        }
        let state: BTreeMap<String, &Array> = state.leaves_with_paths().into_iter().collect();
        let mut from = SIZE;
        for (path, dtype, size) in &golden.state {
            let leaf = state[path];
            if dtypes && name_of(leaf.dtype()) != dtype {
                return Some(format!("{path} is {}, not {dtype}", leaf.dtype()));
            }
            if leaf.size() != *size {
                return Some(format!("{path} has {} elements, not {size}", leaf.size()));
            }
            let wrong = off(&elements(leaf), &expected(&row, from, *size, dtype));
            if wrong > tolerance {
                return Some(format!("{path} is off by {wrong:.1e} after {step} steps"));
            }
            from += size;
        }
    }
    None
}

pub fn name_of(dtype: DType) -> &'static str {
    match dtype {
        DType::F32 => "float32",
        DType::F64 => "float64",
        DType::BF16 => "bfloat16",
        DType::F16 => "float16",
        DType::I32 => "int32",
        DType::U32 => "uint32",
        DType::Bool => "bool",
        other => other.name(),
    }
}

#[test]
fn parameters_and_states_are_optax_s() {
    let goldens = goldens();
    let only = std::env::var("CASE").ok();
    let (mut seen, mut faults) = (Vec::new(), Vec::new());
    for (name, optimizer) in cases() {
        seen.push(name.to_owned());
        if only.as_deref().is_some_and(|only| !name.starts_with(only)) {
            continue;
        }
        let Some(golden) = goldens.cases.get(name) else {
            faults.push(format!("{name}: there is no golden"));
            continue;
        };
        let nan = name.ends_with("~nan");
        // The signs of singular vectors and eigenvectors are those of the machine, and with them the signs in states.
        let states = !name.ends_with("~params");
        let wide = run(&optimizer, &goldens, DType::F64, nan);
        if let Some(fault) = fault(&wide, golden, [1e-6; 4], false, states) {
            faults.push(format!("{name}: in f64, {fault}"));
            continue;
        }
        // From the step on where the rounding of Optax's own run has grown beyond a limit, only names and dtypes are compared in f32.
        let narrow = run(&optimizer, &goldens, DType::F32, nan);
        let tolerances = std::array::from_fn(|k| match golden.f32_errors[k] {
            error if error < 1e-4 => (32.0 * error).max(1e-6),
            _ => f64::INFINITY,
        });
        if let Some(fault) = fault(&narrow, golden, tolerances, true, states) {
            faults.push(format!("{name}: in f32, {fault}"));
        }
    }
    seen.sort();
    let known: Vec<&String> = goldens.cases.keys().collect();
    let missing: Vec<&&String> = known.iter().filter(|name| !seen.contains(name)).collect();
    assert!(faults.is_empty() && missing.is_empty(), "{}\nmissing: {missing:?}", faults.join("\n"));
}

#[test]
fn parameters_and_states_keep_their_dtypes() {
    let goldens = goldens();
    let mut faults = Vec::new();
    for dtype in [DType::BF16, DType::F16] {
        let cast = |tree: &Params| apart(&tree.map_leaves(|x: &Array| x.astype(dtype)));
        let tensors = cast(&goldens.problem);
        for (name, optimizer) in cases() {
            let params = cast(&goldens.init);
            let types = |at: &Run| -> Vec<(String, DType)> {
                at.leaves_with_paths()
                    .into_iter()
                    .map(|(path, x): (String, &Array)| (path, x.dtype()))
                    .collect()
            };
            let mut at = (params.clone(), optimizer.init(&params));
            drop(params);
            let before = types(&at);
            let step = step(&optimizer, tensors.clone());
            for _ in 0..3 {
                at = step.call((at, Array::scalar(false))).unwrap();
            }
            let changed: Vec<_> = before.iter().zip(types(&at)).filter(|(a, b)| *a != b).collect();
            if !changed.is_empty() || step.traces() != 1 {
                faults.push(format!("{name} in {dtype}: {changed:?}"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn trees_without_elements_pass() {
    let scalar = || Array::scalar(0.5f32);
    let empty: Params = BTreeMap::new();
    let thin: Params = [("e", Array::zeros(&[0, 3])), ("s", scalar()), ("t", Array::ones(&[1, 2, 1]))]
        .map(|(name, x)| (name.to_owned(), x))
        .into();
    let mut faults = Vec::new();
    for (name, optimizer) in cases() {
        for params in [&empty, &thin] {
            let each = params.map_leaves(|g: &Array| stack(&[g, g], 0));
            let f = |p: &Params| p.values().fold(Array::scalar(1.0f32), |sum, x| sum + x.square().sum(..));
            let extra = Extra::new().value(&scalar()).grad(params).value_fn(f).tree("per_example", &each);
            let found = try_trace(|| {
                let (u, state) = optimizer.update_with(params, &optimizer.init(params), params, &extra);
                optimizer.update_with(params, &state, &apply_updates(params, &u), &extra).0
            });
            match found {
                Ok(u) => {
                    assert!(u.values().zip(params.values()).all(|(u, p)| u.shape() == p.shape()), "{name}")
                }
                // A sum over examples has to know how many there are.
                Err(error) if params.is_empty() && error.message().contains("examples") => {}
                Err(error) => faults.push(format!("{name}: {error}")),
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

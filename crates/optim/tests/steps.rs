//! Single steps of optimizers in f32, bf16 and f16 against those of Optax, which `oracle/optimizer_steps.py` made.
//!
//! Rounding grows from step to step, so both start from the same parameters, state, gradient and loss, those of a run of Optax in f32 rounded to the
//! dtype, and make one step in which every op rounds to its dtype. Updates and state then differ by at most 1e-6 (f32) or one unit in the last
//! place (bf16, f16) of the largest number of a leaf, or are no further from the same step in f64 than Optax's. Some are
//! further apart: see [`CANCELLING`], [`DIFFERENCES`], [`COMPOUNDING`] and [`WIDER`].

use std::collections::BTreeMap;

use jarrah_array::{Array, DType, TreeExt, load};
use jarrah_optim::*;

use crate::cases::cases;
use crate::trajectories::{Params, SHAPES, SIZE, each_example, elements, loss, name_of, problem};

const DTYPES: [(&str, DType); 3] = [("f32", DType::F32), ("bf16", DType::BF16), ("f16", DType::F16)];

/// The first parts of the names of optimizers whose steps are made of a loss that they evaluate, or of differences of losses and of products of whole trees,
/// whose terms cancel. They are held to 4e-6 of one or the largest number of a leaf in f32; in bf16 and f16, where rounding alone
/// decides which step is taken, to their dtypes.
const CANCELLING: [&str; 7] =
    ["lbfgs", "mechanize", "momo", "opaque_sam", "scale_by_backtracking", "scale_by_zoom", "sophia"];

/// The first parts of the names of optimizers whose updates are differences of parameters: in f32 as [`CANCELLING`].
const DIFFERENCES: [&str; 2] = ["cocob", "schedule_free"];

/// The first parts of the names of optimizers that multiply or decompose matrices several times over, or divide sums over whole trees: eight times as much is allowed.
const COMPOUNDING: [&str; 4] = ["dadapt_adamw", "muon", "prodigy", "shampoo"];

/// What JAX has only in f32: eigenvalues and decompositions, and a line search that hands a gradient of f32 on.
const REFUSED: [&str; 5] =
    ["muon.dion", "scale_by_backtracking_linesearch.grad", "shampoo", "shampoo.sum", "soap~params"];

/// Optimizers of which Optax computes some numbers in f32 that here are of the parameters' dtype: schedules, which are arrays there, with what they multiply and
/// the states that come of it, noise, and distances that are asked for as `float`. In bf16 and f16 these are within four units.
const WIDER: [&str; 9] = [
    "add_decayed_weights.schedule",
    "add_noise",
    "ademamix.schedule",
    "inject_hyperparams",
    "inject_hyperparams.decays",
    "inject_hyperparams.momentum",
    "momo_adam.adapt",
    "noisy_sgd",
    "scale_by_distance_over_gradients",
];

/// What Optax has of a case: by dtype the dtypes of the state, if it has the dtype at all.
struct Golden {
    name: String,
    /// Path and number of elements.
    state: Vec<(String, usize)>,
    dtypes: [Option<Vec<String>>; 3],
}

fn goldens() -> (Vec<Golden>, Params) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../testing/tests/golden/optim");
    let table = std::fs::read_to_string(format!("{folder}/steps.tsv")).unwrap();
    let mut like: Params = BTreeMap::new();
    let mut goldens = Vec::new();
    for row in table.lines() {
        let [name, state, dtypes @ ..] = &row.split('\t').collect::<Vec<_>>()[..] else {
            panic!("row {row:?}")
        };
        let parts = |cell: &str| -> Vec<String> {
            cell.split(',').filter(|part| !part.is_empty()).map(str::to_owned).collect()
        };
        let leaf = |part: &String| {
            let (path, size) = part.split_once(':').unwrap();
            (path.to_owned(), size.parse().unwrap())
        };
        let state: Vec<(String, usize)> = parts(state).iter().map(leaf).collect();
        let dtypes: Vec<_> = dtypes.iter().map(|cell| (*cell != "refused").then(|| parts(cell))).collect();
        let dtypes: [Option<Vec<String>>; 3] = dtypes.try_into().unwrap();
        let elements = state.iter().map(|(_, size)| size).sum::<usize>();
        let steps = if name.ends_with("~nan") { 3 } else { 2 };
        like.insert(format!("{name}/start"), Array::zeros(&[steps, 2 * SIZE + 1 + elements]));
        for ((label, _), _) in DTYPES.iter().zip(&dtypes).filter(|(_, has)| has.is_some()) {
            like.insert(format!("{name}/{label}"), Array::zeros(&[steps, SIZE + elements]));
        }
        goldens.push(Golden { name: (*name).to_owned(), state, dtypes });
    }
    (goldens, load(format!("{folder}/steps.safetensors"), &like).unwrap())
}

/// Reads arrays from a row of numbers, one after the other.
struct Reader<'a>(&'a [f32]);

impl Reader<'_> {
    fn numbers(&mut self, size: usize) -> &[f32] {
        let (head, tail) = self.0.split_at(size);
        self.0 = tail;
        head
    }

    fn array(&mut self, shape: &[usize], dtype: DType) -> Array {
        let numbers = self.numbers(shape.iter().product());
        let array = match dtype {
            DType::U32 => Array::from_slice(&numbers.iter().map(|x| x.to_bits()).collect::<Vec<_>>()),
            _ => Array::from_slice(numbers).astype(dtype),
        };
        array.reshape(shape)
    }

    fn params(&mut self, dtype: DType) -> Params {
        SHAPES.iter().map(|(name, shape)| ((*name).to_owned(), self.array(shape, dtype))).collect()
    }

    fn leaf(&mut self, size: usize, dtype: &str) -> Vec<f64> {
        let number = |x: &f32| if dtype == "uint32" { f64::from(x.to_bits()) } else { f64::from(*x) };
        self.numbers(size).iter().map(number).collect()
    }
}

/// What a step begins with.
struct Start {
    params: Params,
    slopes: Params,
    value: Array,
    state: Leaves,
    problem: Params,
}

impl Start {
    /// The start that a row of a golden says, rounded to a dtype.
    fn read(
        optimizer: &GradientTransformation,
        golden: &Golden,
        row: &[f32],
        problem: &Params,
        dtype: DType,
    ) -> Start {
        let mut row = Reader(row);
        let (params, slopes) = (row.params(dtype), row.params(dtype));
        let value = row.array(&[], dtype);
        let numbers = golden.state.iter().map(|(path, size)| (path.as_str(), row.numbers(*size).to_vec()));
        let numbers: BTreeMap<&str, Vec<f32>> = numbers.collect();
        let leaf = |path: &str, x: &Array| Ok(Reader(&numbers[path]).array(&x.shape(), x.dtype()));
        let state = optimizer.init(&params).try_map_with_paths(leaf).unwrap();
        let problem = problem.map_leaves(|x: &Array| x.astype(dtype));
        Start { params, slopes, value, state, problem }
    }

    /// The same numbers in f64.
    fn wide(&self) -> Start {
        let wide = |x: &Array| if x.dtype().is_differentiable() { x.astype(DType::F64) } else { x.clone() };
        Start {
            params: self.params.map_leaves(wide),
            slopes: self.slopes.map_leaves(wide),
            value: wide(&self.value),
            state: self.state.map_leaves(wide),
            problem: self.problem.map_leaves(wide),
        }
    }

    /// Updates and the state after a step, by path.
    fn step(&self, optimizer: &GradientTransformation) -> BTreeMap<String, Array> {
        let f = |p: &Params| loss(&self.problem, p);
        let each = each_example(&self.slopes);
        let extra = Extra::new().value(&self.value).grad(&self.slopes).value_fn(f).tree("per_example", &each);
        let (updates, state) = optimizer.update_with(&self.slopes, &self.state, &self.params, &extra);
        let state =
            state.leaves_with_paths().into_iter().map(|(path, x): (String, &Array)| (path, x.clone()));
        updates.into_iter().map(|(name, x)| (format!("the update of {name}"), x)).chain(state).collect()
    }
}

/// The largest difference of two leaves, infinite where only one has a NaN.
fn difference(a: &[f64], b: &[f64]) -> f64 {
    let each = a.iter().zip(b).map(|(a, b)| match a == b || (a.is_nan() && b.is_nan()) {
        true => 0.0,
        false => (a - b).abs(),
    });
    each.fold(0.0, |most: f64, x| if x.is_nan() { f64::INFINITY } else { most.max(x) })
}

/// How far a leaf of this dtype may be off whose largest number is `scale`.
fn allowed(dtype: DType, scale: f64) -> f64 {
    let unit = |digits: f64, least: f64| (scale.log2().floor() - digits).max(least).exp2();
    match dtype {
        _ if scale == 0.0 => 0.0,
        DType::BF16 => unit(7.0, -133.0),
        DType::F16 => unit(10.0, -24.0),
        DType::F32 => 1e-6 * scale,
        _ => 0.0,
    }
}

#[test]
fn steps_are_optax_s() {
    let (goldens, arrays) = goldens();
    let problem = problem();
    let only = std::env::var("CASE").ok();
    let optimizers: BTreeMap<&str, GradientTransformation> = cases().into_iter().collect();
    let known: Vec<&str> = goldens.iter().map(|golden| golden.name.as_str()).collect();
    let missing: Vec<&&str> = optimizers.keys().filter(|name| !known.contains(name)).collect();
    let (mut faults, mut compared, mut nearer) = (Vec::new(), 0, 0);
    for golden in &goldens {
        let name = golden.name.as_str();
        if only.as_deref().is_some_and(|only| !name.starts_with(only)) {
            continue;
        }
        let optimizer = &optimizers[name];
        let wider = WIDER.contains(&name);
        let of = |names: &[&str]| names.iter().any(|first| name.starts_with(first));
        let (cancelling, compounding) = (of(&CANCELLING), of(&COMPOUNDING));
        let cancels_in_f32 = cancelling || of(&DIFFERENCES);
        let refused = [false, REFUSED.contains(&name), REFUSED.contains(&name)];
        assert_eq!(golden.dtypes.each_ref().map(Option::is_none), refused, "{name}");
        for ((label, dtype), dtypes) in DTYPES.into_iter().zip(&golden.dtypes) {
            let Some(dtypes) = dtypes else { continue };
            let (starts, ends) = (&arrays[&format!("{name}/start")], &arrays[&format!("{name}/{label}")]);
            for k in 0..starts.shape()[0] {
                let start =
                    Start::read(optimizer, golden, &starts.index(k).to_vec().unwrap(), &problem, dtype);
                let (found, wide) = (start.step(optimizer), start.wide().step(optimizer));
                let end: Vec<f32> = ends.index(k).to_vec().unwrap();
                let mut end = Reader(&end);
                let updates = SHAPES.iter().map(|(name, shape)| {
                    (format!("the update of {name}"), shape.iter().product(), name_of(dtype).to_owned())
                });
                let state = golden.state.iter().zip(dtypes);
                let state = state.map(|((path, size), dtype)| (path.clone(), *size, dtype.clone()));
                for (path, size, leaf_dtype) in updates.chain(state) {
                    let leaf = &found[&path];
                    let kept = path.starts_with("the update") || (wider && leaf_dtype == "float32");
                    if name_of(leaf.dtype()) != leaf_dtype && !kept {
                        faults
                            .push(format!("{name} in {label}: {path} is {}, not {leaf_dtype}", leaf.dtype()));
                    }
                    let (ours, theirs, truth) =
                        (elements(leaf), end.leaf(size, &leaf_dtype), elements(&wide[&path]));
                    let scale =
                        theirs.iter().filter(|x| x.is_finite()).fold(0.0f64, |most, x| most.max(x.abs()));
                    let most = match dtype {
                        DType::F32 if cancels_in_f32 => 4e-6 * scale.max(1.0),
                        DType::BF16 | DType::F16 if cancelling => f64::INFINITY,
                        DType::BF16 | DType::F16 if wider => 4.0 * allowed(dtype, scale),
                        _ if compounding => 8.0 * allowed(leaf.dtype(), scale),
                        _ => allowed(leaf.dtype(), scale),
                    };
                    let off = difference(&ours, &theirs);
                    compared += 1;
                    if off <= most {
                        continue;
                    }
                    let errors = [&ours, &theirs].map(|x| difference(x, &truth));
                    if errors[0] <= errors[1] {
                        nearer += 1;
                        continue;
                    }
                    faults.push(format!(
                        "{name} in {label}, step {k}: {path} is off by {off:.1e}, {most:.1e} is allowed; from f64 {:.1e}, Optax {:.1e}",
                        errors[0], errors[1]
                    ));
                }
            }
        }
    }
    assert!(
        faults.is_empty() && missing.is_empty(),
        "{}\n{compared} leaves, {nearer} nearer to f64\nmissing: {missing:?}",
        faults.join("\n")
    );
}

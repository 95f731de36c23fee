//! The transformations and how they compose.

use jarrah_array::random::Key;
use jarrah_array::*;

fn values(x: &Array) -> Vec<f32> {
    x.to_vec().unwrap()
}

fn close(a: &Array, b: &[f32]) {
    let a = values(a);
    assert_eq!(a.len(), b.len());
    for (x, y) in a.iter().zip(b) {
        assert!((x - y).abs() <= 1e-5 * y.abs().max(1.0), "{a:?} {b:?}");
    }
}

#[derive(Tree)]
struct Affine {
    weight: Array,
    bias: Option<Array>,
    #[tree(static)]
    scale: i64,
}

impl Affine {
    fn apply(&self, x: &Array) -> Array {
        let y = x.matmul(&self.weight) * self.scale;
        self.bias.as_ref().map_or_else(|| y.clone(), |b| &y + b)
    }
}

fn affine(scale: i64) -> Affine {
    let weight = Array::new(&[1.0f32, 2.0, 3.0, 4.0], &[2, 2]);
    Affine { weight, bias: Some(Array::from_slice(&[0.5f32, -0.5])), scale }
}

#[test]
fn a_compiled_function_that_is_transformed_can_still_be_called() {
    let f = jit(|x: &Array| x * x * x);
    close(&grad(&f)(&Array::scalar(2.0f32)), &[12.0]);
    close(&vmap(grad(grad(&f)))(&Array::arange(3.0)), &[0.0, 6.0, 12.0]);
    close(&f.call(Array::scalar(2.0f32)).unwrap(), &[8.0]);
    assert_eq!(f.traces(), 1);
}

#[test]
fn gradients_have_the_structure_of_the_argument() {
    let x = Array::new(&[1.0f32, -1.0], &[1, 2]);
    let (value, g) = value_and_grad(|m: &Affine| m.apply(&x).square().sum(..))(&affine(2));
    assert_eq!(value.item::<f32>().unwrap(), 12.25 + 20.25);
    assert_eq!(g.scale, 2);
    close(&g.weight, &[-14.0, -18.0, 14.0, 18.0]);
    close(g.bias.as_ref().unwrap(), &[-7.0, -9.0]);
}

#[test]
fn plain_grad_lets_rust_branch_on_values() {
    let f = |x: &Array| if x.item::<f32>().unwrap() > 0.0 { x * x } else { -x };
    assert_eq!(grad(f)(&Array::scalar(3.0f32)).item::<f32>().unwrap(), 6.0);
    assert_eq!(grad(f)(&Array::scalar(-3.0f32)).item::<f32>().unwrap(), -1.0);
    let second = grad(|x: &Array| grad(f)(x))(&Array::scalar(3.0f32));
    assert_eq!(second.item::<f32>().unwrap(), 2.0);
}

#[test]
fn jit_traces_once_per_structure_and_types() {
    let f = jit(|(m, x): &(Affine, Array)| m.apply(x));
    let x = || Array::new(&[1.0f32, -1.0], &[1, 2]);
    for _ in 0..3 {
        close(&f.call((affine(2), x())).unwrap(), &[-3.5, -4.5]);
    }
    assert_eq!(f.traces(), 1);
    close(&f.call((affine(3), x())).unwrap(), &[-5.5, -6.5]);
    assert_eq!(f.traces(), 2, "a static field is part of the key");
    f.call((Affine { bias: None, ..affine(2) }, x())).unwrap();
    assert_eq!(f.traces(), 3, "so is a missing array");
    f.call((affine(2), Array::zeros(&[5, 2]))).unwrap();
    assert_eq!(f.traces(), 4, "and a shape");
}

#[test]
fn captured_arrays_are_hidden_arguments() {
    let w = Array::from_slice(&[1.0f32, 2.0]);
    let captured = w.clone();
    let f = jit(move |x: &Array| x * &captured);
    close(&f.call(Array::from_slice(&[3.0f32, 4.0])).unwrap(), &[3.0, 8.0]);
    let lowered = f.lower(&Array::zeros(&[2]));
    let program = lowered.program();
    assert_eq!(program.params().len(), 2);
}

#[test]
fn eager_and_jitted_bits_are_equal() {
    let x = Key::new(3).normal(&[7, 33]);
    let f = |x: &Array| (x.softmax(-1) * x.tanh()).sum(-1) + x.var(-1).sqrt() * 0.3;
    let eager = f(&x);
    let jitted = jit(move |x: &Array| f(x)).call(x.clone()).unwrap();
    assert_eq!(eager.to_literal().unwrap(), jitted.to_literal().unwrap());
}

#[test]
fn per_example_gradients_equal_a_loop() {
    let key = Key::new(1);
    let (w, xs) = (key.normal(&[3]), key.fold_in(1).normal(&[4, 3]));
    let loss = |w: &Array, x: &Array| ((w * x).sum(..).sin() * 2.0).exp();
    let all = vmap(|x: &Array| grad(|w: &Array| loss(w, x))(&w))(&xs);
    for i in 0..4 {
        let one = grad(|w: &Array| loss(w, &xs.index(i)))(&w);
        close(&all.index(i), &values(&one));
    }
}

#[test]
fn gradients_flow_through_scan_cond_and_remat() {
    let f = |x: &Array| {
        let step = |c: &Array, s: &Array| {
            let next = remat(|c: &Array| (c * s).sin() + x)(c);
            (cond(&next.gt(0.5), || &next * 2.0, || next.clone()), next.clone())
        };
        let (last, all) = scan(step, &(x * 0.5), &Array::from_slice(&[0.3f32, 0.7, 1.1]));
        last + all.sum(..)
    };
    let at = 0.4f32;
    let slope = grad(f)(&Array::scalar(at)).item::<f32>().unwrap();
    let h = 1e-3;
    let value = |x: f32| f(&Array::scalar(x)).item::<f32>().unwrap();
    let difference = (value(at + h) - value(at - h)) / (2.0 * h);
    assert!((slope - difference).abs() < 1e-2, "{slope} {difference}");
    let mapped = vmap(|x: &Array| grad(f)(x))(&Array::from_slice(&[at, 0.9]));
    close(&mapped.index(0), &[slope]);
}

#[test]
fn vjp_and_jvp_agree() {
    let f = |x: &Array| (x.sin() * x.cumsum(0)).tanh();
    let (x, dx, ct) = (Key::new(5).normal(&[6]), Key::new(6).normal(&[6]), Key::new(7).normal(&[6]));
    let (y, dy) = jvp(f, &x, &dx);
    let (same, pull) = vjp(f, &x);
    close(&y, &values(&same));
    let forward = (dy * &ct).sum(..).item::<f32>().unwrap();
    let backward = (pull(&ct) * dx).sum(..).item::<f32>().unwrap();
    assert!((forward - backward).abs() < 1e-5, "{forward} {backward}");
}

#[test]
fn batched_loops_stop_where_each_element_does() {
    let f = |x: &Array| {
        let start = (x.clone(), Array::scalar(0i32));
        let (_, steps) = while_loop(|(x, _): &(Array, Array)| x.gt(1.0), |(x, n)| (x * 0.5, n + 1), &start);
        steps
    };
    let steps = vmap(f)(&Array::from_slice(&[0.5f32, 3.0, 17.0]));
    assert_eq!(steps.to_vec::<i32>().unwrap(), [0, 2, 5]);
}

#[test]
fn donated_arguments_are_overwritten() {
    let f = jit(|(x, y): &(Array, Array)| x + y).donate(0);
    let mut x = Array::from_slice(&[1.0f32; 8]);
    let memory = x.to_buffer().unwrap().address().unwrap();
    for _ in 0..3 {
        x = f.call((x, Array::from_slice(&[1.0f32; 8]))).unwrap();
        assert_eq!(x.to_buffer().unwrap().address().unwrap(), memory);
    }
    assert_eq!(values(&x), [4.0; 8]);
    let copied = jit(|(x, y): &(Array, Array)| x + y).call((x.clone(), x.clone())).unwrap();
    assert_ne!(copied.to_buffer().unwrap().address().unwrap(), memory);
}

/// Two arrays of one number are two arrays: what happens to one is nothing to the other.
#[test]
fn a_number_that_is_donated_leaves_equal_ones_alone() {
    let [first, second] = [0; 2].map(|_| Array::full(&[], 7.0, DType::I32));
    let read = jit(|x: &Array| x + 1);
    // Both are in memory now.
    for x in [&first, &second] {
        assert_eq!(read.call(x.clone()).unwrap().item::<i32>().unwrap(), 8);
    }
    let given = jit(|(x,): &(Array,)| x * 2).donate(0);
    assert_eq!(given.call((first,)).unwrap().item::<i32>().unwrap(), 14);
    assert_eq!(read.call(second.clone()).unwrap().item::<i32>().unwrap(), 8);
    assert_eq!((&second + &Array::full(&[], 7.0, DType::I32)).item::<i32>().unwrap(), 14);
}

#[test]
fn elements_that_are_no_elements_cannot_be_donated() {
    let add = |(x, y): &(Array, Array)| x + y;
    let (x, y) = (Array::from_slice(&[1.0f32]), Array::from_slice(&[2.0f32]));
    let error = try_trace(|| jit(add).donate(2).call((x.clone(), y.clone()))).unwrap_err();
    assert_eq!(error.message(), "element 2 of an argument of 2 is donated");
    let error = try_trace(|| jit(|x: &Array| x + 1.0).donate(0).call(x.clone())).unwrap_err();
    assert_eq!(error.message(), "element 0 of the argument is donated, which is no tuple");
    let error =
        try_trace(|| jit(|a: &Affine| a.weight.clone()).donate(0).lower(&affine(1))).map(|_| ()).unwrap_err();
    assert!(error.to_string().contains("transformations.rs"), "{error}");
    // A whole vector counts, and an element without arrays has nothing to donate.
    let f = jit(|v: &Vec<Array>| &v[0] + &v[1]).donate(1);
    assert_eq!(values(&f.call(vec![x.clone(), y]).unwrap()), [3.0]);
    assert_eq!(values(&jit(|(x, ()): &(Array, ())| x + 1.0).donate(1).call((x, ())).unwrap()), [2.0]);
}

#[test]
fn long_eager_chains_and_shared_values_are_computed_once() {
    let mut x = Array::scalar(0.0f32);
    let mut kept = Vec::new();
    for i in 0..2000 {
        x += 1.0;
        if i % 500 == 0 {
            kept.push(x.clone());
        }
    }
    assert_eq!(x.item::<f32>().unwrap(), 2000.0);
    let kept: Vec<f32> = kept.iter().map(|k| k.item().unwrap()).collect();
    assert_eq!(kept, [1.0, 501.0, 1001.0, 1501.0]);
}

#[test]
fn what_is_stopped_stays_stopped_in_higher_derivatives() {
    let x = Array::scalar(2.0f32);
    // x^2 c, where c is x: its slope is 2 x c = 2 x^2, and c is no variable of the second derivative.
    let inner = |x: &Array| x * x * stop_gradient(x);
    assert_eq!(grad(inner)(&x).item::<f32>().unwrap(), 8.0);
    assert_eq!(grad(grad(inner))(&x).item::<f32>().unwrap(), 4.0);
    let (slope, change) = jvp(grad(inner), &x, &Array::scalar(1.0f32));
    assert_eq!((slope.item::<f32>().unwrap(), change.item::<f32>().unwrap()), (8.0, 4.0));
    // A loop without a known number of steps has no reverse mode, and needs none behind a stop.
    let halves = |x: &Array| while_loop(|y: &Array| y.gt(1.0), |y: &Array| y * 0.5, &stop_gradient(x));
    let second = grad(grad(move |x: &Array| x * x * halves(x)))(&Array::scalar(3.0f32));
    assert_eq!(second.item::<f32>().unwrap(), 1.5);
}

#[test]
fn loops_without_slices_take_their_number_of_steps() {
    let double = |c: &Array, (): &()| (c * 2.0, c.clone());
    let power = |x: &Array| scan_length_reverse(double, x, &(), 3);
    let (last, powers) = power(&Array::scalar(1.0f32));
    assert_eq!(last.item::<f32>().unwrap(), 8.0);
    assert_eq!(values(&powers), [4.0, 2.0, 1.0]);
    let slope = grad(move |x: &Array| power(x).0)(&Array::scalar(1.0f32));
    assert_eq!(slope.item::<f32>().unwrap(), 8.0);
    let error = try_trace(|| {
        scan_length(|c: &Array, x: &Array| (c + x, ()), &Array::scalar(0.0f32), &Array::ones(&[2]), 3)
    });
    assert_eq!(error.unwrap_err().message(), "there are to be 3 steps, but xs has 2 slices");
}

#[test]
fn kinks_have_the_slopes_that_jax_gives_them() {
    let x = || Array::from_slice(&[-1.0f32, 0.0, 0.5, 1.0, 2.0]);
    let (zeros, ones) = (Array::zeros(&[5]), Array::ones(&[5]));
    let clamped = |(low, x, high): &(Array, Array, Array)| lax::clamp(low, x, high).sum(..);
    let (low, inside, high) = grad(clamped)(&(zeros.clone(), x(), ones.clone()));
    assert_eq!(values(&low), [1.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(values(&inside), [0.0, 0.0, 1.0, 0.0, 0.0]);
    assert_eq!(values(&high), [0.0, 0.0, 0.0, 0.0, 1.0]);
    let (low, inside, high) = grad(clamped)(&(ones, x(), zeros));
    assert_eq!(values(&low), [0.0; 5]);
    assert_eq!(values(&inside), [0.0; 5]);
    assert_eq!(values(&high), [0.0, 0.0, 1.0, 1.0, 1.0]);
    assert_eq!(values(&grad(|x: &Array| x.abs().sum(..))(&x())), [-1.0, 1.0, 1.0, 1.0, 1.0]);
    assert_eq!(values(&grad(|x: &Array| x.clip(0.0, 1.0).sum(..))(&x())), [0.0, 0.5, 1.0, 0.5, 0.0]);
}

/// A function whose type has parameters, with an arrow among them.
fn doubling<T>(_: T) -> String {
    let lowered = jit(|x: &Array| x + x).lower(&Array::zeros(&[2]));
    let program = lowered.program();
    program.name().to_owned()
}

#[test]
fn a_jitted_function_has_a_plain_name() {
    assert_eq!(doubling::<Vec<fn(f32) -> Option<f64>>>(Vec::new()), "jit(doubling)");
}

#[test]
fn derivatives_are_checked_against_differences() {
    let x = (Array::from_slice(&[0.5f64, -1.25]), Array::new(&[0.75f64, 2.0, -0.5, 1.5], &[2, 2]));
    let f = |(x, w): &(Array, Array)| w.matmul(&x.tanh());
    check_grads(f, &x, GradCheck::default()).unwrap();
    check_grads(jit(f), &x, GradCheck::default()).unwrap();
    // A rule that forgets a factor is found in either mode.
    let wrong = |x: &Array| custom_jvp(|x: &Array| x * x, |x: &Array, dx: &Array| (x * x, x * dx))(x);
    let error = check_grads(wrong, &x.0, GradCheck::default()).unwrap_err();
    assert!(error.message().contains("in forward mode is off"), "{error}");
    let wrong = |x: &Array| {
        custom_vjp(|x: &Array| x * x, |x: &Array| (x * x, x.clone()), |x: &Array, ct: &Array| x * ct)(x)
    };
    let error = check_grads(wrong, &x.0, GradCheck { forward: false, ..GradCheck::default() }).unwrap_err();
    assert!(error.message().contains("in reverse mode is off"), "{error}");
}

#[test]
fn functions_are_lowered_and_compiled_ahead_of_time() {
    let scale = Array::from_slice(&[3.0f32]);
    let f = jit(move |(x, n): &(Array, Array)| (x.matmul(&x.t()) * &scale, n + 1));
    let like = eval_shape(|(): &()| (Array::zeros(&[4, 8]), Array::scalar(0i32)), &());
    let lowered = f.lower(&like);
    assert_eq!(lowered.program().params().len(), 3, "two arguments and a captured array");
    let text = lowered.as_text();
    assert!(text.contains("stablehlo.dot_general"), "{text}");
    let program = Imported::from_bytes("text", text.as_bytes()).unwrap();
    let bytecode = Imported::from_bytes("bytecode", &lowered.bytecode().unwrap()).unwrap();
    let (x, n) = (Array::ones(&[4, 8]), Array::scalar(1i32));
    for imported in [program, bytecode] {
        let results = imported.call(&[&x, &n, &Array::from_slice(&[2.0f32])]);
        assert_eq!((values(&results[0]), results[1].item::<i32>().unwrap()), (vec![16.0; 16], 2));
    }
    // 4 x 4 sums of 8 products, and less for the rest.
    let flops = lowered.cost_analysis().unwrap().flops;
    assert!((256.0..300.0).contains(&flops), "{flops}");
    let compiled = lowered.compile().unwrap();
    assert_eq!(f.traces(), 1);
    let memory = compiled.memory_analysis();
    assert_eq!((memory.arguments, memory.results), (4 * 8 * 4 + 4 + 4, 4 * 4 * 4 + 4));
    assert!(compiled.as_text().unwrap().contains("stablehlo.dot_general"));
    assert!(compiled.cost_analysis().unwrap().flops >= 256.0);
    assert_eq!(compiled.runtime_executable().memory(), memory);
    let (product, next) = compiled.call((x.clone(), n.clone())).unwrap();
    assert_eq!((values(&product), next.item::<i32>().unwrap()), (vec![24.0; 16], 2));
    let error = compiled.call((Array::ones(&[4, 9]), n)).unwrap_err().to_string();
    assert!(error.contains("argument 0 is f32[4,9], it was compiled for f32[4,8]"), "{error}");
}

#[test]
fn a_checkpoint_keeps_what_its_policy_names() {
    let (w, x) = (Key::new(1).normal(&[8, 8]), Key::new(2).normal(&[4, 8]));
    let layer = |x: &Array| {
        let h = checkpoint_name(&x.matmul(&w), "hidden").sin();
        checkpoint_name(&h.exp(), "out").matmul(&w).tanh()
    };
    let kept = |policy: CheckpointPolicy| -> Vec<String> {
        let mut all: Vec<String> = saved_residuals(checkpoint(layer, policy))(&x)
            .into_iter()
            .map(|r| format!("{} {}", r.ty, r.origin.split(" at ").next().unwrap()))
            .collect();
        all.sort();
        all
    };
    let args = ["f32[4,8] argument", "f32[8,8] a captured array"];
    let with = |more: &[&str]| {
        let mut all: Vec<String> = args.iter().chain(more).map(|s| s.to_string()).collect();
        all.sort();
        all
    };
    let dots = ["f32[4,8] dot_general", "f32[4,8] dot_general"];
    assert_eq!(kept(CheckpointPolicy::nothing_saveable()), with(&[]));
    let only = |names: &[&'static str]| CheckpointPolicy::save_only_these_names(names.iter().copied());
    assert_eq!(kept(only(&["hidden"])), ["f32[4,8] jarrah.checkpoint_name", "f32[8,8] a captured array"]);
    assert_eq!(kept(only(&["nobody", "hidden"])), kept(only(&["hidden"])), "names of other functions");
    let error = try_trace(|| kept(only(&["hiden"]))).unwrap_err().to_string();
    let names = r#"the policy lists ["hiden"], the names that the function gives are ["hidden", "out"]"#;
    assert!(error.contains(names) && error.contains("transformations.rs"), "{error}");
    let but = |names: &[&'static str]| CheckpointPolicy::save_any_names_but_these(names.iter().copied());
    assert_eq!(kept(but(&["out"])), kept(only(&["hidden"])));
    // The argument is needed for nothing, once both products are kept.
    let of_dots = kept(CheckpointPolicy::dots_saveable());
    assert_eq!(of_dots.iter().filter(|r| dots.contains(&r.as_str())).count(), 2);
    assert_eq!(of_dots, kept(CheckpointPolicy::dots_with_no_batch_dims_saveable()));
    assert_eq!(of_dots, kept(CheckpointPolicy::offload_dot_with_no_batch_dims()));
    let both = CheckpointPolicy::save_from_both_policies(only(&["hidden"]), only(&["out"]));
    assert_eq!(kept(both), kept(only(&["hidden", "out"])));
    let offloaded = CheckpointPolicy::save_and_offload_only_these_names(["hidden"], ["out"]);
    assert_eq!(kept(offloaded), kept(only(&["hidden", "out"])));
    let everything = kept(CheckpointPolicy::everything_saveable());
    assert!(everything.len() > of_dots.len(), "{everything:?}");
    let except = kept(CheckpointPolicy::save_anything_except_these_names(["hidden", "out"]));
    assert!(
        everything.iter().any(|r| r.contains("exponential") || r.contains("checkpoint_name")),
        "{everything:?}"
    );
    assert!(except.contains(&"f32[4,8] sine".to_owned()), "the exponential is computed again: {except:?}");
    // Batched, every product has a batch axis if both factors are mapped.
    let scores = |x: &Array| x.matmul(&x.t()).sin();
    let mapped =
        |policy| saved_residuals(vmap(checkpoint(scores, policy)))(&Key::new(3).normal(&[2, 4, 4])).len();
    assert_eq!(mapped(CheckpointPolicy::dots_saveable()), 2);
    assert_eq!(mapped(CheckpointPolicy::dots_with_no_batch_dims_saveable()), 1);
    // What is kept changes no number.
    let gradients =
        [CheckpointPolicy::nothing_saveable(), only(&["hidden"]), CheckpointPolicy::dots_saveable()]
            .map(|policy| values(&grad(|x: &Array| checkpoint(layer, policy.clone())(x).sum(..))(&x)));
    assert!(gradients.iter().all(|g| *g == gradients[0]));
}

#[test]
fn loops_with_a_bound_have_gradients() {
    // Newton's steps to the root of p, as many as it takes.
    let root = |p: &Array| {
        let goes_on = |x: &Array| (x * x - p).abs().gt(1e-6);
        bounded_while_loop(goes_on, |x: &Array| (x + p / x) * 0.5, &Array::scalar_in(1.0, DType::F64), 40)
    };
    let slopes = vmap(grad(root))(&Array::from_slice(&[4.0f64, 9.0, 1.0]));
    for (slope, wanted) in slopes.to_vec::<f64>().unwrap().into_iter().zip([0.25, 1.0 / 6.0, 0.0]) {
        assert!((slope - wanted).abs() < 1e-6, "{slope} {wanted}");
    }
    let cut = bounded_while_loop(|x: &Array| x.lt(100.0), |x: &Array| x * 2.0, &Array::scalar(1.0f32), 3);
    assert_eq!(cut.item::<f32>().unwrap(), 8.0, "it ends after three steps");
}

#[test]
fn custom_rules_capture_what_is_not_differentiated() {
    let scale = |c: &Array| {
        let c = c.clone();
        custom_vjp(|x: &Array| x * 2.0, |x: &Array| (x * 2.0, ()), move |(): &(), ct: &Array| ct * &c)
    };
    let f = |(x, c): &(Array, Array)| grad(scale(c))(x);
    let args = (Array::scalar(1.0f32), Array::scalar(7.0f32));
    assert_eq!(jit(f).call(args).unwrap().item::<f32>().unwrap(), 7.0);
    let mapped = vmap(f)(&(Array::ones(&[2]), Array::from_slice(&[3.0f32, 4.0])));
    assert_eq!(mapped.to_vec::<f32>().unwrap(), [3.0, 4.0]);
    let error = try_trace(|| grad(|c: &Array| scale(c)(&Array::scalar(1.0f32)))(&Array::scalar(2.0f32)));
    assert!(error.unwrap_err().to_string().contains("make it an argument"));
}

#[test]
fn forward_mode_needs_a_linear_backward_pass() {
    let clipped =
        custom_vjp(|x: &Array| x.clone(), |x: &Array| (x.clone(), ()), |(): &(), ct: &Array| ct.clip(-1, 1));
    let one = Array::scalar(1.0f32);
    let error = try_trace(|| jvp(|x: &Array| clipped(x), &one, &one)).unwrap_err().to_string();
    assert!(error.contains("linear in the cotangents"), "{error}");
}

#[test]
fn closures_are_converted() {
    let w = Array::scalar(3.0f32);
    let (f, captured) = closure_convert(|x: &Array| (x * &w).sin(), &Array::scalar(0.0f32));
    assert_eq!(captured.len(), 1);
    let x = Array::scalar(0.5f32);
    let slope = grad(|w: &Array| f(&x, std::slice::from_ref(w)))(&captured[0]);
    close(&slope, &[0.5 * 1.5f32.cos()]);
}

#[test]
fn roots_have_derivatives_of_every_order() {
    // A loop without a derivative finds the root of p.
    let root = |p: &Array| {
        let newton = |f: lax::SolverMap<Array>, x0: &Array| {
            while_loop(|x: &Array| f(x).abs().gt(1e-13), |x: &Array| x - f(x) / (x * 2.0), x0)
        };
        let divide = |map: lax::SolverMap<Array>, c: &Array| c / map(&Array::ones_like(c));
        lax::custom_root(|x: &Array| x * x - p, &Array::scalar_in(1.0, DType::F64), newton, divide)
    };
    let at = Array::from_slice(&[4.0f64, 9.0]);
    let near = |slope: Array, wanted: fn(f64) -> f64| {
        for (slope, p) in slope.to_vec::<f64>().unwrap().into_iter().zip([4.0, 9.0]) {
            assert!((slope - wanted(p)).abs() < 1e-10, "{slope} {}", wanted(p));
        }
    };
    near(vmap(grad(root))(&at), |p| 0.5 * p.powf(-0.5));
    near(vmap(grad(grad(root)))(&at), |p| -0.25 * p.powf(-1.5));
    near(vmap(grad(grad(grad(root))))(&at), |p| 0.375 * p.powf(-2.5));
    let one = Array::scalar_in(1.0, DType::F64);
    let mixed = |p: &Array| jvp(grad(root), p, &one).1;
    near(vmap(jit(mixed))(&at), |p| -0.25 * p.powf(-1.5));
    near(grad(|p: &Array| vmap(root)(p).sum(..))(&at), |p| 0.5 * p.powf(-0.5));
}

#[test]
fn iterative_solvers_take_trees_of_one_structure() {
    type Pair = (Array, Array);
    let floats = |m: usize, n: usize| (Array::ones(&[m]), Array::ones(&[n]));
    let twice = |x: &Pair| (&x.0 * 2.0, &x.1 * 2.0);
    let swapped = |x: &Pair| (x.1.clone(), x.0.clone());
    let said =
        |b: &Pair, x0: Option<&Pair>, a: &dyn Fn(&Pair) -> Pair, near: Option<lax::SolverMap<Pair>>| {
            let options = linalg::IterativeOptions { x0, preconditioner: near, ..Default::default() };
            let solved = try_trace(|| linalg::cg(a, b, &options));
            solved.map(|x| values(&x.0)).map_err(|error| error.to_string())
        };
    assert_eq!(said(&floats(2, 3), Some(&floats(2, 3)), &twice, Some(&twice)), Ok(vec![0.5, 0.5]));
    let error = said(&floats(2, 3), Some(&floats(3, 2)), &twice, None).unwrap_err();
    assert!(error.contains("x0 0 is f32[3], b 0 is f32[2]"), "{error}");
    let error = said(&floats(2, 3), None, &swapped, None).unwrap_err();
    assert!(error.contains("result of a 0 is f32[3]"), "{error}");
    let error = said(&floats(2, 3), None, &twice, Some(&swapped)).unwrap_err();
    assert!(error.contains("result of the preconditioner 0 is f32[3]"), "{error}");
    let counts = (Array::ones(&[2]), Array::from_slice(&[3i32]));
    let error = said(&counts, None, &|x: &Pair| x.clone(), None).unwrap_err();
    assert!(error.contains("right side 1 is i32[1], floats are needed"), "{error}");
}

#[test]
fn collectives_take_truth_values_and_empty_batches() {
    let named = || VmapOptions::default().axis_name("i");
    let votes = Array::from_slice(&[true, true, false]);
    let counted = vmap_with(|x: &Array| lax::psum(x, "i"), named())(&votes);
    assert_eq!(counted.to_vec::<i32>().unwrap(), [2, 2, 2]);
    let none = Array::zeros(&[0, 2]);
    let largest = vmap_with(|x: &Array| lax::pmax(x, "i") - lax::pmin(x, "i"), named())(&none);
    let sent = vmap_with(|x: &Array| lax::ppermute(x, "i", &[]), named())(&none);
    assert_eq!((&largest.shape()[..], &sent.shape()[..]), (&[0, 2][..], &[0, 2][..]));
}

/// The numbers of kept stacks are those of `saved_residuals` in JAX, for the same functions and policies.
#[test]
fn a_checkpoint_looks_into_loops_and_branches() {
    let (w, xs) = (Key::new(1).normal(&[8, 8]) * 0.3, Key::new(2).normal(&[5, 4, 8]));
    let x = Key::new(3).normal(&[4, 8]);
    let step = |c: &Array, s: &Array| {
        let h = (checkpoint_name(&c.matmul(&w), "hidden") + s).sin();
        (h.tanh(), checkpoint_name(&(&h * 2.0), "twice").exp())
    };
    let looped = |x: &Array| {
        let (c, ys) = scan(step, x, &xs);
        (&c * &c).sum(..) + ys.sum(..)
    };
    let nested = |x: &Array| {
        let inner = |c: &Array, (): &()| (scan(step, c, &xs).0, ());
        scan_length(inner, x, &(), 2).0.sum(..)
    };
    let branched = |x: &Array| {
        let yes = || x.matmul(&w).sin().sin();
        let no = || (x * 2.0).matmul(&w).sin().cos();
        let y = cond(&x.sum(..).gt(0.0), yes, no);
        (&y * &y).sum(..)
    };
    let only = |names: &[&'static str]| CheckpointPolicy::save_only_these_names(names.iter().copied());
    let policies = [
        CheckpointPolicy::nothing_saveable(),
        CheckpointPolicy::dots_saveable(),
        CheckpointPolicy::dots_with_no_batch_dims_saveable(),
        only(&["hidden"]),
        only(&["twice"]),
        only(&["hidden", "twice"]),
        CheckpointPolicy::save_any_names_but_these(["twice"]),
        CheckpointPolicy::everything_saveable(),
    ];
    let kept = |f: &dyn Fn(&Array) -> Array, policy: &CheckpointPolicy| -> Vec<String> {
        let all = saved_residuals(checkpoint(f, policy.clone()))(&x).into_iter();
        let all = all.map(|r| format!("{} {}", r.ty, r.origin.split(" at ").next().unwrap()));
        all.filter(|r| !r.contains("argument") && !r.contains("captured")).collect()
    };
    let counts = |f: &dyn Fn(&Array) -> Array| -> Vec<usize> {
        policies[..7].iter().map(|policy| kept(f, policy).len()).collect()
    };
    assert_eq!(counts(&looped), [0, 1, 1, 1, 1, 2, 1]);
    assert_eq!(counts(&branched), [0, 1, 1, 0, 0, 0, 0]);
    assert_eq!(counts(&nested), [0, 1, 1, 1, 1, 2, 1]);
    assert_eq!(kept(&looped, &policies[1]), ["f32[5,4,8] dot_general"]);
    assert_eq!(kept(&branched, &policies[1]), ["f32[4,8] case"]);
    assert_eq!(kept(&nested, &policies[3]), ["f32[2,5,4,8] jarrah.checkpoint_name"]);
    // What is kept is not computed again, and changes no number: compiled, mapped, and differentiated twice.
    let products = |f: &dyn Fn(&Array) -> Array, policy: &CheckpointPolicy| {
        let lowered = jit(grad(checkpoint(f, policy.clone()))).lower(&x);
        lowered.as_text().matches("dot_general").count()
    };
    assert_eq!((products(&looped, &policies[0]), products(&looped, &policies[1])), (3, 2));
    assert_eq!((products(&branched, &policies[0]), products(&branched, &policies[1])), (6, 4));
    for f in [&looped as &dyn Fn(&Array) -> Array, &branched, &nested] {
        let slope = |x: &Array| grad(f)(x);
        let expected = values(&slope(&x));
        let mapped = stack(&[&x, &(-&x)], 0);
        let each = values(&vmap(slope)(&mapped));
        let twice = values(&grad(|x: &Array| grad(f)(x).sin().sum(..))(&x));
        for policy in &policies {
            let f = checkpoint(f, policy.clone());
            let close = |found: &Array, expected: &[f32]| {
                let pairs = values(found).into_iter().zip(expected);
                let far = pairs.fold(0.0f32, |far, (a, b)| far.max((a - b).abs()));
                assert!(far < 1e-4, "{policy:?}: {far}");
            };
            close(&jit(grad(&f)).call(x.clone()).unwrap(), &expected);
            close(&grad(&f)(&x), &expected);
            close(&vmap(grad(&f))(&mapped), &each);
            close(&grad(|x: &Array| vmap(&f)(x).sum(..))(&mapped), &each);
            close(&grad(|x: &Array| grad(&f)(x).sin().sum(..))(&x), &twice);
        }
    }
}

#[test]
fn a_checkpoint_recomputes_of_a_rule_only_what_its_backward_pass_needs() {
    let f = custom_vjp(
        |x: &Array| x.sinh().sin(),
        |x: &Array| (x.sinh().sin(), x.tan()),
        |tan: &Array, ct: &Array| ct * tan,
    );
    let step = jit(value_and_grad(remat(move |x: &Array| f(&(x * 2.0)))));
    let x = Array::scalar(0.25f32);
    let text = step.lower(&x).compile().unwrap().as_text().unwrap();
    let count = |op: &str| text.matches(op).count();
    assert_eq!((count("sinh"), count("stablehlo.tan "), count("stablehlo.sine")), (1, 1, 1), "{text}");
    let (_, slope) = step.call(x).unwrap();
    assert!((slope.item::<f32>().unwrap() - 2.0 * 0.5f32.tan()).abs() < 1e-6);
}

/// Backwards as forwards: what is added in a step is as large as what the step reads.
#[test]
fn loops_over_parts_of_an_array_add_parts_of_cotangents() {
    use jarrah_array::kernel::{Block, ds, kernel, program_id};
    let n = 257;
    let positions = Array::arange(64) * 4;
    let weights = Array::arange(64).astype(DType::F64) + 1.0;
    let summed = |term: fn(&Array, &Array) -> Array| {
        let (positions, weights) = (positions.clone(), weights.clone());
        move |x: &Array| {
            let step = |sum: &Array, (at, weight): &(Array, Array)| (sum + term(x, at) * weight, ());
            scan(step, &Array::zeros(&[]).astype(DType::F64), &(positions.clone(), weights.clone())).0
        }
    };
    let part = |x: &Array, at: &Array| lax::dynamic_slice_in_dim(x, at, 3, 0).sum(..);
    let two = |x: &Array, at: &Array| {
        let other = lax::dynamic_slice_in_dim(x, &(at + 1), 3, 0);
        (lax::dynamic_slice_in_dim(x, at, 3, 0) + other).sum(..)
    };
    let gathered = |x: &Array, at: &Array| x.take(&(Array::arange(3) + at), 0).sum(..);
    let windows = |x: &Array| {
        let f = kernel(|[x, y]| {
            let part = x.at(ds(program_id(0) * 4, 3)).get().sum(..);
            y.set((part * (program_id(0) + 1).astype(DType::F64)).expand_dims(0));
        });
        let y = Type::tensor(DType::F64, [64]);
        f.grid(&[64]).input(Block::whole()).output(y, Block::new([1], |[i]| [i])).call_one(&[x]).sum(..)
    };
    let x = Array::zeros(&[n]).astype(DType::F64);
    let functions: [(&str, &dyn Fn(&Array) -> Array, [usize; 2]); 4] = [
        ("a part", &summed(part), [0, 3]),
        ("two parts that overlap", &summed(two), [1, 3]),
        ("positions", &summed(gathered), [0, 3]),
        ("a kernel's windows", &windows, [0, 3]),
    ];
    for (name, f, [shift, width]) in functions {
        let mut expected = vec![0.0; n];
        for i in 0..64 {
            for from in 0..=shift {
                expected[4 * i + from..][..width].iter_mut().for_each(|sum| *sum += (i + 1) as f64);
            }
        }
        let gradient = grad(f)(&x);
        assert_eq!(gradient.to_vec::<f64>().unwrap(), expected, "{name}");
        let jitted = jit(|x: &Array| grad(f)(x));
        let text = jitted.lower(&x).as_text();
        let whole = |line: &&str| line.contains("stablehlo.add") && line.contains("tensor<257xf64>");
        // A cotangent of the loop's argument may be added once, outside.
        let inside = text.lines().filter(whole).filter(|line| line.starts_with("      ")).count();
        assert_eq!(inside, 0, "{name}:\n{text}");
        assert_eq!(jitted.call(x.clone()).unwrap().to_vec::<f64>().unwrap(), expected, "{name}");
    }
}

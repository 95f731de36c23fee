//! Functions as artifacts, with symbolic shapes: what is written runs at every size as the function does.

use std::collections::BTreeMap;

use jarrah_array::export::{
    DEFAULT_EXPORT_PLATFORM, Exported, MAXIMUM_CALLING_CONVENTION_VERSION,
    MINIMUM_CALLING_CONVENTION_VERSION, NodeFields, SymbolicScope, deserialize, export,
    register_namedtuple_serialization, register_pytree_node_serialization, symbolic_args_specs,
};
use jarrah_array::{
    Array, Tree, TreeExt, VmapMethod, along, grad, jit, lax, pure_callback, scan, try_trace, value_and_grad,
    vjp,
};

/// Numbers that differ, of this shape.
fn varied(shape: &[usize]) -> Array {
    (Array::arange(shape.iter().product::<usize>() as i64).astype(jarrah_array::DType::F32) * 0.37)
        .sin()
        .reshape(shape)
}

fn assert_close(ours: &Array, expected: &Array) {
    assert_eq!(ours.shape(), expected.shape());
    for (a, b) in ours.to_vec::<f32>().unwrap().iter().zip(expected.to_vec::<f32>().unwrap()) {
        assert!((a - b).abs() <= 1e-5 * b.abs().max(1.0), "{a} is not {b}");
    }
}

/// The same function after a round trip through bytes.
fn again(exported: &Exported) -> Exported {
    deserialize(&exported.serialize(0).unwrap()).unwrap()
}

fn shapes(avals: &[jarrah_array::export::Aval]) -> Vec<String> {
    let text = |aval: &jarrah_array::export::Aval| {
        aval.shape.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
    };
    avals.iter().map(text).collect()
}

#[test]
fn an_mlp_with_a_symbolic_batch_runs_at_every_size() {
    #[derive(Clone, Tree)]
    #[tree(crate = jarrah_array::tree)]
    struct Layer {
        w: Array,
        b: Array,
    }
    let model =
        vec![Layer { w: varied(&[3, 8]), b: varied(&[8]) }, Layer { w: varied(&[8, 2]), b: varied(&[2]) }];
    let forward = |(model, x): &(Vec<Layer>, Array)| {
        let h = (x.matmul(&model[0].w) + &model[0].b).tanh();
        h.matmul(&model[1].w) + &model[1].b
    };
    let args = (model, varied(&[4, 3]));
    let exported = export(&forward, symbolic_args_specs(&args, &["...", "b, _"], &[]).unwrap()).unwrap();
    assert_eq!(exported.in_tree().to_string(), "(([{'b': *, 'w': *}, {'b': *, 'w': *}], *), {})");
    assert_eq!(shapes(exported.in_avals()), ["8", "3, 8", "2", "8, 2", "b, 3"]);
    assert_eq!(shapes(exported.out_avals()), ["b, 2"]);
    let exported = again(&exported);
    for batch in [1, 2, 5, 300] {
        let args = (args.0.clone(), varied(&[batch, 3]));
        assert_close(&exported.call(&args)[0], &forward(&args));
    }
}

#[test]
fn reshapes_means_and_losses_follow_the_sizes() {
    let f = |(x, t): &(Array, Array)| {
        let merged = x.reshape(&[-1, 4]);
        let loss = -(x.softmax(-1).log() * t).sum(-1).mean(..);
        (merged, x.var(..), loss, x.slice(0, 1..x.shape()[0]), x.mean(along(1).keepdims()))
    };
    let args = (varied(&[2, 3, 4]), varied(&[2, 3, 4]));
    let exported = export(&f, symbolic_args_specs(&args, &["b, n, _"], &[]).unwrap()).unwrap();
    assert_eq!(shapes(exported.out_avals()), ["b*n, 4", "", "", "b - 1, n, 4", "b, 1, 4"]);
    let exported = again(&exported);
    for (b, n) in [(2, 3), (1, 5), (6, 1), (40, 7)] {
        let args = (varied(&[b, n, 4]), varied(&[b, n, 4]));
        let expected = f(&args);
        let like = f(&(varied(&[2, 3, 4]), varied(&[2, 3, 4])));
        let found = exported.call_as(&args, &like);
        assert_close(&found.0, &expected.0);
        assert_close(&found.1, &expected.1);
        assert_close(&found.2, &expected.2);
        assert_close(&found.3, &expected.3);
        assert_close(&found.4, &expected.4);
    }
}

#[test]
fn scans_over_a_symbolic_length_become_loops() {
    let f = jit(|(c, xs): &(Array, Array)| scan(|c: &Array, x: &Array| (c * 0.5 + x, (c + x).sin()), c, xs));
    let args = (varied(&[3]), varied(&[4, 3]));
    let exported = export(&f, symbolic_args_specs(&args, &["d", "n, d"], &[]).unwrap()).unwrap();
    let exported = again(&exported);
    for (n, d) in [(1, 1), (4, 3), (30, 2)] {
        let args = (varied(&[d]), varied(&[n, d]));
        let expected = f.call(args.clone()).unwrap();
        let found = exported.call_as(&args, &expected);
        assert_close(&found.0, &expected.0);
        assert_close(&found.1, &expected.1);
    }
}

#[test]
fn prefixes_over_a_symbolic_length_are_exported() {
    let f = |x: &Array| {
        let running = lax::associative_scan(
            |(a, b): &(Array, Array), (c, d): &(Array, Array)| (a * c, b * c + d),
            &(x.cos(), x.clone()),
            0,
        );
        (x.cumsum(0), x.cummax(1), x.cumlogsumexp(0), running)
    };
    let exported = export(&f, symbolic_args_specs(&varied(&[4, 3]), &["n, m"], &[]).unwrap()).unwrap();
    let exported = deserialize(&exported.serialize(1).unwrap()).unwrap();
    let pulled = exported.vjp().unwrap();
    for (n, m) in [(1, 1), (4, 3), (13, 2)] {
        let x = varied(&[n, m]);
        let (expected, pull) = vjp(f, &x);
        let found = exported.call_as(&x, &expected);
        for (found, expected) in found.leaves().into_iter().zip(expected.leaves()) {
            assert_close(found, expected);
        }
        let along = expected.map_leaves(Array::cos);
        let (a, b, c, (d, e)) = along.map_leaves(Array::clone);
        assert_close(&pulled.call(&(x, a, b, c, d, e))[0], &pull(&along));
    }
}

#[test]
fn derivatives_travel_with_the_artifact() {
    let loss = |(w, x, n): &(Array, Array, Array)| (x.matmul(w).tanh().square().mean(..), n + 1);
    let args = (varied(&[3, 2]), varied(&[4, 3]), Array::scalar(1i32));
    let specs = symbolic_args_specs(&args, &["_, k", "b, _", ""], &[]).unwrap();
    let bytes = export(&loss, specs).unwrap().serialize(2).unwrap();
    let exported = deserialize(&bytes).unwrap();
    let pulled = exported.vjp().unwrap();
    assert_eq!(shapes(pulled.in_avals()), ["3, k", "b, 3", "", "", ""]);
    assert_eq!(shapes(pulled.out_avals()), ["3, k", "b, 3", ""]);
    assert!(pulled.has_vjp() && !pulled.vjp().unwrap().has_vjp());
    for (b, k) in [(4, 2), (9, 1)] {
        let (w, x, n) = (varied(&[3, k]), varied(&[b, 3]), Array::scalar(1i32));
        let (_, pull) = vjp(loss, &(w.clone(), x.clone(), n.clone()));
        let expected = pull(&(Array::scalar(2f32), Array::scalar(0i32)));
        let flat = (w.clone(), x.clone(), n.clone(), Array::scalar(2f32), Array::scalar(false));
        let found = pulled.call(&flat);
        assert_close(&found[0], &expected.0);
        assert_close(&found[1], &expected.1);
        // The function itself differentiates too.
        let whole = |w: &Array| exported.call(&(w.clone(), x.clone(), n.clone()))[0].clone();
        assert_close(&(grad(whole)(&w) * 2.0), &expected.0);
    }
}

#[test]
fn a_gradient_step_is_exported() {
    let step = |(w, x, y): &(Array, Array, Array)| {
        let (loss, slope) = value_and_grad(|w: &Array| (x.matmul(w) - y).square().mean(..))(w);
        (w - slope * 0.1, loss)
    };
    let args = (varied(&[3, 2]), varied(&[4, 3]), varied(&[4, 2]));
    let exported =
        export(&step, symbolic_args_specs(&args, &["...", "b, _", "b, _"], &["b >= 2"]).unwrap()).unwrap();
    let exported = again(&exported);
    for b in [2, 4, 100] {
        let args = (varied(&[3, 2]), varied(&[b, 3]), varied(&[b, 2]));
        let expected = step(&args);
        let found = exported.call_as(&args, &expected);
        assert_close(&found.0, &expected.0);
        assert_close(&found.1, &expected.1);
    }
    for (x, y, why) in
        [(1, 1, "`b >= 2` does not hold"), (4, 5, "argument 2 has the extent 5 along axis 0, where `b` is 4")]
    {
        let args = (varied(&[3, 2]), varied(&[x, 3]), varied(&[y, 2]));
        let error = try_trace(|| exported.call(&args)).unwrap_err();
        assert!(error.to_string().contains(why), "{error}");
    }
}

#[test]
fn what_is_not_the_same_for_all_sizes_is_refused() {
    fn refused(f: impl Fn(&Array) -> Array, why: &[&str]) {
        let x = varied(&[4, 3]);
        let error = export(&f, symbolic_args_specs(&x, &["n, _"], &[]).unwrap())
            .err()
            .expect("a refusal")
            .to_string();
        for part in why.iter().chain(&["tests/export.rs"]) {
            assert!(error.contains(part), "{part} is not in\n{error}");
        }
        assert!(error.lines().count() <= 12, "{error}");
    }
    // A Rust loop over the extent.
    refused(
        |x| (0..x.shape()[0]).map(|i| x.slice(0, i..i + 1)).reduce(|a, b| a + b).unwrap(),
        &["n = ", "no Rust `if` or loop"],
    );
    // A way of its own for large arrays.
    refused(|x| if x.shape()[0] < 512 { x * 2.0 } else { x.sin() }, &["n = ", "no Rust `if` or loop"]);
    refused(
        |x| {
            x + Array::from_slice(&vec![1f32; x.shape()[0] * 3][..]).reshape(&[-1, 3]) * 0.0
                + x.shape()[0].pow(4) as f32
        },
        &["[constant]", "1/p"],
    );
    refused(
        |x| x.slice(0, 0..x.shape()[0] / 2),
        &["[slice] the extent of axis 0 is ", "n = ", "no polynomial of the sizes"],
    );
    refused(|x| jarrah_array::linalg::svd(x).1, &["no op of StableHLO"]);
    refused(
        |x| pure_callback(|x: &Array| Ok(x.clone()), x, x, VmapMethod::Sequential),
        &["code of this machine"],
    );
    refused(
        |x| x.max(1) + Array::from_slice(&(0..x.shape()[0]).map(|i| i as f32).collect::<Vec<_>>()[..]),
        &["arange"],
    );
}

#[test]
fn sizes_have_to_follow_from_the_arguments() {
    let x = varied(&[6, 3]);
    let f = |x: &Array| x.sum(..);
    let error = export(&f, symbolic_args_specs(&x, &["a*b, _"], &[]).unwrap()).err().unwrap();
    assert!(error.to_string().contains("does not follow from the shapes"), "{error}");
    let error = export(&f, symbolic_args_specs(&x, &["b, _"], &["b <= 3"]).unwrap()).err().unwrap();
    assert!(error.to_string().contains("too few sizes"), "{error}");
    for (shape, why) in [
        ("b, 4", "has the extent 4"),
        ("b", "rank 2"),
        ("b, floordiv(n, 2)", "polynomial"),
        ("b,, 3", "a number or a name"),
    ] {
        let error = symbolic_args_specs(&x, &[shape], &[]).err().unwrap();
        assert!(error.to_string().contains(why), "{error}");
    }
    // An extent may be linear in several sizes, if others give all but one of them.
    let pair = (varied(&[6, 3]), varied(&[5]));
    let g = |(x, y): &(Array, Array)| x.sum(..) + y.sum(..);
    let exported = export(&g, symbolic_args_specs(&pair, &["2*a + b, _", "b"], &[]).unwrap()).unwrap();
    let args = (varied(&[9, 3]), varied(&[3]));
    assert_close(&again(&exported).call(&args)[0], &g(&args));
    let error = try_trace(|| again(&exported).call(&(varied(&[8, 3]), varied(&[3])))).unwrap_err();
    assert!(error.to_string().contains("`2*a + b`"), "{error}");
}

/// `oracle/bytecode.py` wrote it with JAX: arguments in dicts and by name, two symbolic extents, a derivative.
#[test]
fn an_artifact_of_jax_is_called_at_several_sizes() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../hlo-format/tests/golden/symbolic.jax_export");
    let exported = deserialize(&std::fs::read(path).unwrap()).unwrap();
    assert_eq!(exported.in_tree().to_string(), "(({'b': *, 'w': *}, *), {'scale': *})");
    assert_eq!(exported.out_tree().to_string(), "{'logits': [*], 'mean': *}");
    assert_eq!(shapes(exported.out_avals()), ["b*n, 2", ""]);
    let [version, oldest] = [exported.calling_convention_version(), MINIMUM_CALLING_CONVENTION_VERSION];
    assert!((oldest..=MAXIMUM_CALLING_CONVENTION_VERSION).contains(&version));
    assert!(exported.in_avals()[2].shape[0].is_symbolic() && !exported.in_avals()[2].shape[2].is_symbolic());
    assert_eq!(exported.platforms(), [DEFAULT_EXPORT_PLATFORM]);
    type Named = BTreeMap<String, Array>;
    let named = |all: &[(&str, &Array)]| -> Named {
        all.iter().map(|(name, array)| ((*name).to_owned(), (*array).clone())).collect()
    };
    let (w, bias) = (varied(&[3, 2]), varied(&[2]));
    for (b, n) in [(1, 1), (4, 5)] {
        let (x, scale) = (varied(&[b, n, 3]), Array::scalar(1.5f32));
        let reference = |w: &Array| {
            let logits = (x.reshape(&[-1, 3]).matmul(w) + &bias).tanh() * &scale;
            (logits.clone(), logits.log_softmax(-1).mean(..))
        };
        let args = (named(&[("w", &w), ("b", &bias)]), x.clone(), named(&[("scale", &scale)]));
        let found = exported.call(&args);
        let expected = reference(&w);
        assert_close(&found[0], &expected.0);
        assert_close(&found[1], &expected.1);
        let pulled = exported.vjp().unwrap();
        let zeros = expected.0.zeros_like();
        let flat = (bias.clone(), w.clone(), x.clone(), scale.clone(), zeros, Array::scalar(1f32));
        assert_close(&pulled.call(&flat)[1], &grad(|w: &Array| reference(w).1)(&w));
    }
    let error = try_trace(|| exported.call(&(w.clone(), w.clone()))).unwrap_err();
    assert!(error.to_string().contains("the arguments are ((*, *), {})"), "{error}");
    assert!(deserialize(b"no artifact").is_err() && exported.for_platforms(&["tpu"]).is_err());
}

#[derive(Clone, Tree)]
struct Point {
    y: Array,
    x: Array,
}

#[derive(Clone, Tree)]
struct Scaled {
    by: Array,
    points: Vec<Point>,
    #[tree(static)]
    times: i32,
}

/// `oracle/bytecode.py` wrote it with JAX: a namedtuple, and a dataclass with a static field.
#[test]
fn registered_structs_keep_their_names() {
    register_namedtuple_serialization("Point", "jarrah.Point").unwrap();
    let statics = |fields: &NodeFields<'_>| {
        let lines = fields.statics.iter().map(|(name, value)| format!("{name}={value}"));
        lines.collect::<String>().into_bytes()
    };
    register_pytree_node_serialization("Scaled", "jarrah.Scaled", statics).unwrap();
    assert!(register_namedtuple_serialization("Point", "another").is_err());
    assert!(register_namedtuple_serialization("Another", "jarrah.Point").is_err());
    let path =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../hlo-format/tests/golden/named.jax_export");
    let theirs = deserialize(&std::fs::read(path).unwrap()).unwrap();
    let point = |y: &[f32], x: &[f32]| Point { y: Array::from_slice(y), x: Array::from_slice(x) };
    let args = Scaled { by: Array::scalar(2.0f32), points: vec![point(&[1.0, 2.0], &[5.0, 7.0])], times: 3 };
    let scale = |s: &Scaled| {
        let point = |p: &Point| Point { y: &p.y * &s.by * s.times, x: &p.x - &p.y };
        s.points.iter().map(point).collect::<Vec<Point>>()
    };
    let ours = deserialize(&export(&scale, &args).unwrap().serialize(0).unwrap()).unwrap();
    // The trees are those that JAX writes, names, bytes and all: it reads ours as its own.
    assert_eq!((ours.in_tree(), ours.out_tree()), (theirs.in_tree(), theirs.out_tree()));
    for exported in [&ours, &theirs] {
        let points = exported.call_as(&args, &scale(&args));
        assert_eq!(points[0].y.to_vec::<f32>().unwrap(), [6.0, 12.0]);
        assert_eq!(points[0].x.to_vec::<f32>().unwrap(), [4.0, 5.0]);
    }
    let other = Scaled { times: 4, ..args };
    assert!(try_trace(|| theirs.call(&other)).is_err(), "a static field is part of the tree");
}

#[test]
fn symbolic_shapes_are_read_as_jax_writes_them() {
    let mut scope = SymbolicScope::new(&["n >= 2"]).unwrap();
    let mut shape = |text: &str| -> Vec<String> {
        let read = scope.shape(text, None).unwrap();
        read.iter().map(|extent| scope.display(extent)).collect()
    };
    assert_eq!(shape("b, 2*n + 1, 3"), ["b", "2*n + 1", "3"]);
    assert_eq!(shape("(b + n*(b - 1), -n + b^2 - 4)"), ["n*b - n + b", "b^2 - n - 4"]);
    let [extent] = &scope.shape("b*n", None).unwrap()[..] else { panic!() };
    assert_eq!((extent.as_constant(), extent.evaluate(&[3, 5])), (None, Some(15)));
    assert_eq!(scope.names(), ["n", "b"]);
    let error = scope.shape("b, 99999999999999999999", None).unwrap_err().to_string();
    assert!(error.contains("column 4: the number is too large"), "{error}");
}

#[test]
fn pieces_whose_sizes_are_symbols() {
    let f = |(x, at): &(Array, Array)| {
        let (b, n) = (x.shape()[0], x.shape()[1]);
        let block = lax::dynamic_slice(x, &[at.clone(), at.clone()], &[b - 1, 2]);
        let padded = lax::pad(x, &Array::scalar(2f32), &[1, 0], &[n as i64, 0]);
        let rows = x.index((.., -1));
        let triangle = Array::tri(n, n, 0) * (n * (n + 1) / 2) as f32;
        (block, padded, rows, triangle, x.take(at, 0))
    };
    let args = (varied(&[4, 6]), Array::scalar(1i32));
    let exported =
        export(&f, symbolic_args_specs(&args, &["b, n", ""], &["b >= 2", "n >= 2"]).unwrap()).unwrap();
    assert_eq!(shapes(exported.out_avals()), ["b - 1, 2", "b + n + 1, n", "b", "n, n", "n"]);
    let exported = again(&exported);
    for (b, n) in [(4, 6), (2, 2), (3, 40)] {
        for at in [0, 1, 90] {
            let args = (varied(&[b, n]), Array::scalar(at.min(b as i32 - 1)));
            let expected = f(&args);
            let found = exported.call_as(&args, &expected);
            assert_close(&found.0, &expected.0);
            assert_close(&found.1, &expected.1);
            assert_close(&found.2, &expected.2);
            assert_close(&found.3, &expected.3);
            assert_close(&found.4, &expected.4);
        }
    }
}

#[test]
fn modules_for_several_platforms_take_their_number() {
    let exported = export(&jit(|x: &Array| x * 2.0), &varied(&[3])).unwrap();
    assert!(exported.fun_name().starts_with("modules_for"), "{}", exported.fun_name());
    let several = again(&exported.for_platforms(&["cuda", "cpu"]).unwrap());
    assert_eq!(several.platforms(), ["cuda", "cpu"]);
    assert!(several.mlir_module().unwrap().contains("_platform_index"));
    assert!(!several.mlir_module_serialized().is_empty());
    assert_close(&several.call(&varied(&[3]))[0], &(varied(&[3]) * 2.0));
}

//! Parameters that compiled functions keep in the form they read: bits, memory, and what is computed at a call.

use jarrah_array::random::Key;
use jarrah_array::*;

use crate::bucketed::alone;

fn noise(seed: u64, shape: &[usize], dtype: DType) -> Array {
    let values = match dtype {
        DType::I8 | DType::I16 | DType::I32 | DType::I64 => Key::new(seed).randint(shape, -100, 100),
        _ => Key::new(seed).normal(shape),
    };
    Array::from_literal(values.astype(dtype).to_literal().unwrap())
}

fn same(found: &Array, expected: &Array, what: &str) {
    let (found, expected) = (found.to_literal().unwrap(), expected.to_literal().unwrap());
    assert_eq!(found.ty(), expected.ty(), "{what}");
    assert!(found == expected, "{what}: {found:?}, {expected:?}");
}

/// Products of weights of many shapes have the bits that they have without preparation, and weights are kept once.
#[test]
fn products_have_the_bits_of_plain_ones() {
    type Product = fn(&(Array, Array)) -> Array;
    // Extents of the weights, of a row of `x`, the product, and whether the weights need a form of their own.
    let rows: &[(&[usize], &[usize], Product)] = &[
        (&[96, 256], &[96], |(w, x)| x.matmul(w)),
        (&[96, 250], &[96], |(w, x)| x.matmul(w)),
        (&[256, 96], &[96], |(w, x)| x.matmul(&w.t())),
        (&[96, 8, 32], &[96], |(w, x)| numpy::einsum("td,dhk->thk", &[x, w])),
        (&[8, 32, 96], &[8, 32], |(w, x)| numpy::einsum("thk,hkd->td", &[x, w])),
        (&[4, 96, 64], &[4, 96], |(w, x)| numpy::einsum("tek,ekn->tne", &[x, w])),
        (&[96, 256], &[96], |(w, x)| nn::gelu(&(x.matmul(w) + 1))),
        (&[96, 250], &[96], |(w, x)| nn::gelu(&(x.matmul(w) + 1))),
        (&[4, 96, 250], &[96], |(w, x)| lax::ragged_dot(x, w, &Array::from_slice(&[1i32, 40, 0, 60]))),
        (&[4, 96, 64], &[96], |(w, x)| lax::ragged_dot(x, w, &Array::from_slice(&[0i32, 1, 2, 1000]))),
        (&[4, 250, 96], &[96], |(w, x)| {
            let dimensions = lax::RaggedDotDimensionNumbers {
                contract: (vec![1], vec![2]),
                batch: (vec![], vec![]),
                ragged: 0,
                group: Some(0),
            };
            lax::ragged_dot_general(x, w, &Array::from_slice(&[2i32, 1, 0, 4]), &dimensions)
        }),
    ];
    for dtype in [DType::F32, DType::BF16, DType::F16, DType::F64, DType::I8, DType::I16, DType::I32] {
        for (at, &(extents, row, product)) in rows.iter().enumerate() {
            let of_floats = at >= 6;
            if of_floats && !dtype.is_float() {
                continue;
            }
            let w = noise(1, extents, dtype);
            let weights = Prepared::new(noise(1, extents, dtype));
            let (f, plain) = (jit(product).prepared(&weights), jit(product));
            for m in [1, 2, 5, 16, 33, 130] {
                let x = noise(2, &[&[m], row].concat(), dtype);
                let what = format!("{dtype} {extents:?}, {m} rows");
                same(&f.call((x.clone(),)).unwrap(), &plain.call((w.clone(), x)).unwrap(), &what);
            }
            same(&weights.get().unwrap(), &w, "what was given");
            let (kept, given) = (weights.bytes(), w.ty().bytes().unwrap());
            assert!(kept * 8 <= given * 9, "{dtype} {extents:?}: {given} bytes are kept in {kept}");
        }
    }
}

/// The product reads panels where they lie: there is no room into which it could copy or pack them.
#[test]
fn a_call_packs_nothing() {
    for dtype in [DType::F32, DType::I8] {
        let weights = Prepared::new(noise(1, &[128, 512], dtype));
        let f = jit(|(w, x): &(Array, Array)| x.matmul(w)).prepared(&weights);
        let lowered = f.lower(&(noise(2, &[3, 128], dtype),)).unwrap();
        let panels = lowered.program().params()[1].ty;
        assert_eq!(
            (panels.rank(), panels.dim(1) * panels.dim(3), panels.dim(0) * panels.dim(2)),
            (4, 128, 512)
        );
        assert_eq!(lowered.compile().unwrap().memory_analysis().temporaries, 0);
    }
}

#[test]
fn what_is_computed_of_parameters_alone_is_computed_once() {
    type Layer = (Array, Array);
    let f = |((w, b), x): &(Layer, Array)| x.matmul(&(w.exp() * 2.0)) + b.tanh();
    let layer = || (noise(1, &[64, 128], DType::F32), noise(2, &[128], DType::F32));
    let weights = Prepared::new(layer());
    let ready = jit(f).prepared(&weights);
    let x = noise(3, &[4, 64], DType::F32);
    same(&ready.call((x.clone(),)).unwrap(), &jit(f).call((layer(), x.clone())).unwrap(), "bits");
    let text = ready.lower(&(x.clone(),)).unwrap().as_text();
    assert!(!text.contains("exponential") && !text.contains("tanh"), "{text}");
    // What was computed does not tell what it was computed of: that is kept, too.
    assert_eq!(weights.bytes(), 4 * 2 * (64 * 128 + 128));
    same(&weights.get().unwrap().0, &layer().0, "what was given");
    // What takes more memory than it is made of stays in the program.
    let wide = Prepared::new(noise(1, &[128, 64], DType::BF16));
    let f = |(w, x): &(Array, Array)| x.matmul(&w.astype(DType::F32));
    let ready = jit(f).prepared(&wide);
    let x = noise(3, &[4, 128], DType::F32);
    same(&ready.call((x.clone(),)).unwrap(), &jit(f).call((wide.get().unwrap(), x)).unwrap(), "bits");
    assert_eq!(wide.bytes(), 2 * 128 * 64);
}

#[test]
fn functions_and_shapes_share_what_is_kept() {
    let weights = Prepared::new(noise(1, &[128, 256], DType::F32));
    let [first, second] =
        [2.0, 3.0].map(|scale| jit(move |(w, x): &(Array, Array)| x.matmul(w) * scale).prepared(&weights));
    for m in [1, 7, 64] {
        first.call((noise(2, &[m, 128], DType::F32),)).unwrap();
        second.call((noise(2, &[m, 128], DType::F32),)).unwrap();
    }
    assert_eq!(weights.bytes(), 4 * 128 * 256);
    // A table that is looked up and multiplied by is kept in both forms.
    let table = Prepared::new(noise(1, &[256, 64], DType::F32));
    let look = jit(|(w, i): &(Array, Array)| w.take(i, 0)).prepared(&table);
    let score = jit(|(w, x): &(Array, Array)| x.matmul(&w.t())).prepared(&table);
    let rows = look.call((Array::from_slice(&[3i32, 5]),)).unwrap();
    same(
        &score.call((rows.clone(),)).unwrap(),
        &jit(|(w, x): &(Array, Array)| x.matmul(&w.t())).call((table.get().unwrap(), rows)).unwrap(),
        "scores",
    );
    assert_eq!(table.bytes(), 2 * 4 * 256 * 64);
    // In the other order, too: the table is brought back.
    let table = Prepared::new(noise(1, &[256, 64], DType::F32));
    let score = jit(|(w, x): &(Array, Array)| x.matmul(&w.t())).prepared(&table);
    score.call((noise(2, &[2, 64], DType::F32),)).unwrap();
    assert_eq!(table.bytes(), 4 * 256 * 64);
    let look = jit(|(w, i): &(Array, Array)| w.take(i, 0)).prepared(&table);
    same(
        &look.call((Array::from_slice(&[3i32]),)).unwrap(),
        &noise(1, &[256, 64], DType::F32).slice(0, 3..4),
        "a row",
    );
}

#[test]
fn other_arrays_take_effect_at_the_next_call_and_compile_nothing() {
    alone(|| {
        let weights = Prepared::new((noise(1, &[64, 128], DType::F32), Array::zeros(&[128])));
        let f = |((w, b), x): &((Array, Array), Array)| x.matmul(w) + b;
        let (ready, plain) = (jit(f).prepared(&weights), jit(f));
        let x = noise(3, &[2, 64], DType::F32);
        ready.call((x.clone(),)).unwrap();
        ready.freeze();
        for seed in 5..8 {
            let tree = || (noise(seed, &[64, 128], DType::F32), noise(seed + 1, &[128], DType::F32));
            weights.set(tree()).unwrap();
            let expected = plain.call((tree(), x.clone())).unwrap();
            let before = compiled_programs();
            same(&ready.call((x.clone(),)).unwrap(), &expected, "the new arrays");
            assert_eq!(compiled_programs(), before);
        }
        let error = weights.set((Array::zeros(&[64, 129]), Array::zeros(&[128]))).unwrap_err();
        assert!(error.to_string().contains("parameter 0 is f32[64,129], it was f32[64,128]"), "{error}");
        assert_eq!(weights.get().unwrap().1.shape(), [128]);
    });
}

#[test]
fn the_arrays_that_were_given_go() {
    let ((weights, _f), alive) = live_arrays(|| {
        let weights = Prepared::new(noise(1, &[64, 128], DType::F32));
        let f = jit(|(w, x): &(Array, Array)| x.matmul(w)).prepared(&weights);
        f.call((noise(2, &[2, 64], DType::F32),)).unwrap();
        (weights, f)
    });
    let shapes: Vec<String> = alive.iter().map(|array| array.ty.to_string()).collect();
    assert_eq!(shapes.len(), 1, "{shapes:?}");
    assert_eq!(weights.bytes(), alive[0].bytes);
}

#[test]
fn prepared_functions_are_functions() {
    let weights = Prepared::new(noise(1, &[64, 128], DType::F32));
    let f = |(w, x): &(Array, Array)| x.matmul(w).tanh();
    let ready = jit(f).prepared(&weights);
    let (w, x) = (weights.get().unwrap(), noise(2, &[3, 64], DType::F32));
    let loss = |(x,): &(Array,)| ready.apply(&(x.clone(),)).sum(..);
    let plain = |(x,): &(Array,)| f(&(w.clone(), x.clone())).sum(..);
    same(&grad(loss)(&(x.clone(),)).0, &grad(plain)(&(x.clone(),)).0, "gradients");
    let rows = vmap(|(x,): &(Array,)| ready.apply(&(x.clone(),)));
    same(&rows(&(x.clone(),)), &vmap(|(x,): &(Array,)| f(&(w.clone(), x.clone())))(&(x.clone(),)), "batches");
    let found = disable_jit(|| ready.call((x.clone(),)).unwrap());
    assert_eq!(found.shape(), [3, 128]);
}

#[test]
fn donated_and_bucketed_elements_keep_their_numbers() {
    let weights = Prepared::new(noise(1, &[64, 128], DType::F32));
    let step = |(w, sum, x): &(Array, Array, Array)| sum + x.matmul(w);
    let ready = jit(step).donate(1).prepared(&weights);
    // In memory of its own: what lies in that of a literal is not overwritten.
    let mut sum = Array::new(&noise(4, &[2, 128], DType::F32).to_vec::<f32>().unwrap(), &[2, 128]);
    let x = noise(2, &[2, 64], DType::F32);
    let expected =
        jit(step).call((weights.get().unwrap(), noise(4, &[2, 128], DType::F32), x.clone())).unwrap();
    let memory = sum.to_buffer().unwrap().address().unwrap();
    sum = ready.call((sum, x.clone())).unwrap();
    assert_eq!(sum.to_buffer().unwrap().address().unwrap(), memory);
    same(&sum, &expected, "sums");

    let f = |(w, x): &(Array, Array)| x.matmul(w);
    let ready = jit(f).bucketed(1).prepared(&weights);
    for n in 33..=36 {
        let x = noise(n as u64, &[n, 64], DType::F32);
        let expected = jit(f).call((weights.get().unwrap(), x.clone())).unwrap();
        same(&ready.call((x,)).unwrap(), &expected, "rows");
    }
    assert_eq!(ready.traces(), 1);

    for (wrong, what) in [
        (jit(f).donate(0).prepared(&weights), "donated"),
        (jit(f).bucketed(0).prepared(&weights), "bucketed"),
    ] {
        let error = wrong.call((x.clone(),)).unwrap_err();
        assert!(
            error.to_string().contains(&format!("element 0 of the argument is prepared and {what}")),
            "{error}"
        );
    }
}

#[test]
fn cells_and_captures_are_read_beside_parameters() {
    let weights = Prepared::new(noise(1, &[64, 128], DType::F32));
    let (count, shift) = (Ref::new(&Array::scalar(0i32)), noise(5, &[128], DType::F32));
    let ready = jit(|(w, x): &(Array, Array)| {
        count.set(count.get() + 1);
        x.matmul(w) + &shift
    })
    .prepared(&weights);
    let x = noise(2, &[2, 64], DType::F32);
    for calls in 1..4 {
        let found = ready.call((x.clone(),)).unwrap();
        same(
            &found,
            &jit(|(w, x): &(Array, Array)| x.matmul(w) + &shift)
                .call((weights.get().unwrap(), x.clone()))
                .unwrap(),
            "sums",
        );
        assert_eq!(count.get().item::<i32>().unwrap(), calls);
        if calls == 2 {
            weights.set(noise(9, &[64, 128], DType::F32)).unwrap();
        }
    }
}

#[test]
fn values_of_a_trace_are_no_parameters() {
    let weights = Prepared::new(Array::ones(&[3]));
    let ready = jit(|(w, x): &(Array, Array)| x * w).prepared(&weights);
    let leak = jit(|w: &Array| {
        weights.set(w * 2).unwrap();
        w.sum(..)
    });
    leak.call(Array::ones(&[3])).unwrap();
    let error = ready.call((Array::ones(&[3]),)).unwrap_err().to_string();
    assert!(
        error.contains("a prepared parameter of type f32[3] is a value of a trace that has ended"),
        "{error}"
    );
    weights.set(Array::zeros(&[3])).unwrap();
    assert_eq!(ready.call((Array::ones(&[3]),)).unwrap().to_vec::<f32>().unwrap(), [0.0; 3]);
}

/// A matrix that is kept in panels alone is brought back inside a transformation, too.
#[test]
fn panels_are_brought_back_inside_a_transformation() {
    let weights = Prepared::new(noise(1, &[96, 250], DType::F32));
    let f = |(w, x): &(Array, Array)| x.matmul(w).tanh();
    let ready = jit(f).prepared(&weights);
    let (w, x) = (noise(1, &[96, 250], DType::F32), noise(2, &[3, 96], DType::F32));
    ready.call((x.clone(),)).unwrap();
    assert_eq!(weights.bytes(), 4 * 96 * 256);
    let loss = |(x,): &(Array,)| ready.apply(&(x.clone(),)).sum(..);
    let plain = |(x,): &(Array,)| f(&(w.clone(), x.clone())).sum(..);
    same(&grad(loss)(&(x.clone(),)).0, &grad(plain)(&(x.clone(),)).0, "gradients");
    same(
        &jit(loss).call((x.clone(),)).unwrap(),
        &jit(plain).call((x.clone(),)).unwrap(),
        "as a part of another compiled function",
    );
    same(&disable_jit(|| ready.call((x.clone(),)).unwrap()), &f(&(w.clone(), x.clone())), "eager");
}

/// So are the matrices of groups of rows.
#[test]
fn panels_of_groups_are_brought_back_inside_a_transformation() {
    let sizes = Array::from_slice(&[1i32, 4]);
    let f = move |(w, x): &(Array, Array)| lax::ragged_dot(x, w, &sizes).tanh();
    let weights = Prepared::new(noise(1, &[2, 96, 250], DType::F32));
    let ready = jit(f.clone()).prepared(&weights);
    let (w, x) = (noise(1, &[2, 96, 250], DType::F32), noise(2, &[5, 96], DType::F32));
    same(&ready.call((x.clone(),)).unwrap(), &f(&(w.clone(), x.clone())), "products");
    assert_eq!(weights.bytes(), 4 * 2 * 96 * 256);
    let loss = |(x,): &(Array,)| ready.apply(&(x.clone(),)).sum(..);
    let plain = |(x,): &(Array,)| f(&(w.clone(), x.clone())).sum(..);
    same(&grad(loss)(&(x.clone(),)).0, &grad(plain)(&(x.clone(),)).0, "gradients");
}

/// The error about a donated argument names the argument by its place in the whole tuple.
#[test]
fn a_donated_argument_with_another_handle_is_named() {
    let weights = Prepared::new((Array::ones(&[4]), Array::ones(&[4])));
    let ready =
        jit(|((a, b), x, sum): &((Array, Array), Array, Array)| sum + a * x + b).donate(2).prepared(&weights);
    let sum = Array::zeros(&[4]);
    let error = ready.call((Array::ones(&[4]), sum.clone())).unwrap_err().to_string();
    assert!(error.contains("argument 1, f32[4], is donated"), "{error}");
    drop(sum);
}

/// A product whose right operand happens to lie in one panel, and is made by a loop.
#[test]
fn a_panel_that_a_loop_makes() {
    for dtype in [DType::F32, DType::F64, DType::I32, DType::BF16, DType::I8] {
        for columns in [4, 8, 12, 16, 24, 32, 48, 64] {
            for together in [1, 2, 4] {
                let w = noise(1, &[1, 4096, columns, together], dtype);
                let x = noise(2, &[5, 4096, together], dtype);
                let f = |(w, x): &(Array, Array)| numpy::einsum("mkj,pknj->mpn", &[x, &(w * 2 + 1)]);
                let v = Array::from_literal((&w * 2 + 1).to_literal().unwrap());
                let expected = jit(|(w, x): &(Array, Array)| numpy::einsum("mkj,pknj->mpn", &[x, w]));
                same(
                    &jit(f).call((w, x.clone())).unwrap(),
                    &expected.call((v, x)).unwrap(),
                    &format!("{dtype} {columns} {together}"),
                );
            }
        }
    }
}

#[test]
fn products_of_every_form_have_the_bits_of_plain_ones() {
    for (spec, w, x) in [
        ("tab,abn->tn", vec![16, 8, 256], vec![3, 16, 8]),
        ("tab,ban->tn", vec![8, 16, 256], vec![3, 16, 8]),
        ("tba,ban->tn", vec![8, 16, 256], vec![3, 8, 16]),
        ("tba,nab->tn", vec![256, 16, 8], vec![3, 8, 16]),
        ("tab,anb->tn", vec![16, 256, 8], vec![3, 16, 8]),
        ("atb,anb->tn", vec![16, 256, 8], vec![16, 3, 8]),
        ("akb,kn->abn", vec![96, 256], vec![3, 96, 2]),
        ("k,kn->n", vec![96, 256], vec![96]),
        ("km,kn->mn", vec![96, 256], vec![96, 3]),
        ("mk,kn->mn", vec![1, 16384], vec![3, 1]),
        ("mk,kn->mn", vec![2, 16384], vec![3, 2]),
        ("mk,kn->mn", vec![3, 16384], vec![3, 3]),
        ("mk,kn->mn", vec![16384, 1], vec![3, 16384]),
        ("mk,kn->mn", vec![1024, 31], vec![3, 1024]),
        ("mk,kn->mn", vec![1024, 32], vec![3, 1024]),
        ("mk,kn->mn", vec![1024, 33], vec![3, 1024]),
        ("mk,kn->mn", vec![1023, 64], vec![0, 1023]),
        ("mk,kn->mn", vec![1022, 64], vec![1, 1022]),
        ("mk,kn->mn", vec![0, 64], vec![2, 0]),
        ("mk,kn->mn", vec![64, 0], vec![2, 64]),
        ("mxk,xkn->xmn", vec![1, 256, 64], vec![2, 1, 256]),
        ("mkx,knx->xmn", vec![128, 64, 3], vec![2, 128, 3]),
        ("mkx,kxn->xmn", vec![128, 3, 64], vec![2, 128, 3]),
        ("ymkx,kxny->xmyn", vec![128, 3, 64, 2], vec![2, 5, 128, 3]),
        ("xymk,yxkn->xymn", vec![2, 3, 128, 64], vec![3, 2, 5, 128]),
        ("xymk,yxkn->xymn", vec![1, 3, 128, 64], vec![3, 1, 5, 128]),
        ("xymk,yxkn->xymn", vec![3, 1, 128, 64], vec![1, 3, 5, 128]),
        ("mabc,acbn->mn", vec![1, 64, 1, 128], vec![2, 1, 1, 64]),
        ("mabc,cban->mn", vec![8, 4, 2, 256], vec![2, 2, 4, 8]),
    ] {
        for dtype in [
            DType::F32,
            DType::BF16,
            DType::F16,
            DType::F64,
            DType::I8,
            DType::I16,
            DType::I64,
            DType::U8,
            DType::C64,
        ] {
            let draw = |seed, dims: &[usize]| match dtype {
                DType::U8 | DType::I64 => Array::from_literal(
                    Key::new(seed).randint(dims, 0, 100).astype(dtype).to_literal().unwrap(),
                ),
                _ => noise(seed, dims, dtype),
            };
            let (w, x) = (draw(1, &w), draw(2, &x));
            let f = move |(w, x): &(Array, Array)| numpy::einsum(spec, &[x, w]);
            let weights = Prepared::new(draw(1, &w.shape()));
            let ready = jit(f).prepared(&weights);
            same(
                &ready.call((x.clone(),)).unwrap(),
                &jit(f).call((w.clone(), x)).unwrap(),
                &format!("{dtype} {spec} {:?}", w.shape()),
            );
            same(&weights.get().unwrap(), &w, spec);
        }
    }
}

#[test]
fn attention_to_prepared_keys() {
    type Args = ((Array, Array), Array);
    let draw = |seed, n| noise(seed, &[2, n, 4, 32], DType::F32);
    let op = |((k, v), q): &Args| nn::dot_product_attention(q, k, v, &nn::AttentionOptions::default());
    let written_out = |((k, v), q): &Args| {
        let scores = numpy::einsum("bthd,bshd->bhts", &[q, k]) * 0.2;
        numpy::einsum("bhts,bshd->bthd", &[&scores.softmax(-1), v])
    };
    let all: [(&str, fn(&Args) -> Array); 2] = [("attention", op), ("written out", written_out)];
    for (what, f) in all {
        let weights = Prepared::new((draw(1, 256), draw(2, 256)));
        let ready = jit(f).prepared(&weights);
        for n in [1, 7, 256] {
            let q = draw(3, n);
            let expected = jit(f).call(((draw(1, 256), draw(2, 256)), q.clone())).unwrap();
            same(&ready.call((q,)).unwrap(), &expected, what);
        }
    }
}

#[test]
fn results_effects_and_scalars_are_those_of_the_function() {
    type P = (Array, Array, Array);
    let tree = || (noise(1, &[96, 250], DType::F32), Array::scalar(2.0f32), Array::zeros(&[0, 3]));
    let weights = Prepared::new(tree());
    let f = |((w, s, e), x): &(P, Array)| (x.matmul(w) * s, w.clone(), s.clone(), e.clone(), w.t());
    let ready = jit(f).prepared(&weights);
    let x = noise(2, &[3, 96], DType::F32);
    for _ in 0..2 {
        let (a, b) = (ready.call((x.clone(),)).unwrap(), jit(f).call((tree(), x.clone())).unwrap());
        for (a, b) in [(a.0, b.0), (a.1, b.1), (a.2, b.2), (a.3, b.3), (a.4, b.4)] {
            same(&a, &b, "result");
        }
    }
    // Without results; with effects.
    let seen = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let into = seen.clone();
    let quiet = jit(move |((w, s, _), x): &(P, Array)| {
        let into = into.clone();
        debug::callback(
            move |(y, z): &(Array, Array)| {
                into.lock().unwrap().push((y.item::<f32>()?, z.item::<f32>()?));
                Ok(())
            },
            &(w.sum(..), (x.matmul(w) * s).sum(..)),
            CallbackOrder::Program,
        );
    })
    .prepared(&weights);
    quiet.call((x.clone(),)).unwrap();
    quiet.call((x.clone(),)).unwrap();
    effects_barrier().unwrap();
    let seen = seen.lock().unwrap().clone();
    assert_eq!(seen.len(), 2);
    assert_eq!(seen[0], seen[1]);
    assert_eq!(seen[0].0, jit(|w: &Array| w.sum(..)).call(tree().0).unwrap().item::<f32>().unwrap());
}

#[test]
fn loops_read_parameters_as_they_are() {
    let weights = Prepared::new(noise(1, &[96, 96], DType::F32));
    let f = |(w, x): &(Array, Array)| {
        let (y, _) = scan(
            |c: &Array, _: &Array| {
                let c = c.matmul(w).tanh();
                (c.clone(), c)
            },
            x,
            &Array::zeros(&[5]),
        );
        let z = cond(&x.sum(..).gt(0), || y.matmul(w), || y.matmul(&w.t()));
        z + y.matmul(w)
    };
    let ready = jit(f).prepared(&weights);
    let x = noise(2, &[3, 96], DType::F32);
    for _ in 0..2 {
        same(
            &ready.call((x.clone(),)).unwrap(),
            &jit(f).call((noise(1, &[96, 96], DType::F32), x.clone())).unwrap(),
            "loops",
        );
    }
}

#[test]
fn threads_call_while_others_set() {
    let weights = Prepared::new(Array::full(&[96, 250], 0.0, DType::F32));
    let ready = jit(|(w, x): &(Array, Array)| (x.matmul(w), w.sum(..))).prepared(&weights);
    std::thread::scope(|scope| {
        for t in 0..4 {
            let (weights, ready) = (weights.clone(), &ready);
            scope.spawn(move || {
                for i in 0..40 {
                    if t == 0 {
                        weights.set(Array::full(&[96, 250], i as f64, DType::F32)).unwrap();
                    }
                    let m = 1 + (i + t) % 5;
                    let (y, s) = ready.call((Array::ones(&[m, 96]),)).unwrap();
                    let s = s.item::<f32>().unwrap() / 250.0;
                    assert!(y.to_vec::<f32>().unwrap().iter().all(|&y| y == s));
                    weights.get().unwrap();
                }
            });
        }
    });
}

#[test]
fn arrays_follow_the_device_of_the_call() {
    let bits = |w: &Array| Array::from_literal(w.to_literal().unwrap());
    let reference = Device::all(std::sync::Arc::new(jarrah_reference::ReferenceClient::new())).swap_remove(0);
    let weights = Prepared::new(noise(1, &[96, 250], DType::F32));
    let f = |(w, x): &(Array, Array)| x.matmul(w);
    let ready = jit(f).prepared(&weights);
    let x = noise(2, &[3, 96], DType::F32);
    let expected = bits(&jit(f).call((noise(1, &[96, 250], DType::F32), x.clone())).unwrap());
    same(&ready.call((x.clone(),)).unwrap(), &expected, "here");
    let there = with_default_device(&reference, || bits(&ready.call((x.clone(),)).unwrap()));
    same(&there, &expected, "there");
    same(
        &with_default_device(&reference, || bits(&weights.get().unwrap())),
        &noise(1, &[96, 250], DType::F32),
        "given",
    );
    let put = ready.call((x.to_device(&reference).unwrap(),)).unwrap();
    assert_eq!(put.device(), reference);
    same(&ready.call((x.clone(),)).unwrap(), &expected, "here again");
    // Abstract arrays have no data.
    let abstracted = Prepared::new(eval_shape(|x: &Array| x.clone(), &Array::zeros(&[96, 250])));
    assert!(jit(f).prepared(&abstracted).call((x,)).is_err());
}

#[test]
fn every_bit_comes_back() {
    let odd: Vec<f32> = (0..96 * 250)
        .map(|i| f32::from_bits([0x7fc0_1234, 0xffa0_0001, 0x8000_0000, 1, 0x7f80_0000][i % 5]))
        .collect();
    let given = Array::from_slice(&odd).reshape(&[96, 250]);
    let weights = Prepared::new(Array::from_literal(given.to_literal().unwrap()));
    jit(|(w, x): &(Array, Array)| x.matmul(w)).prepared(&weights).call((Array::ones(&[2, 96]),)).unwrap();
    assert_eq!(weights.bytes(), 4 * 96 * 256);
    let back = weights.get().unwrap().to_vec::<f32>().unwrap();
    assert!(back.iter().zip(&odd).all(|(a, b)| a.to_bits() == b.to_bits()));
}

/// An array that stands at two places is kept once, in each form that is read.
#[test]
fn a_shared_array_is_kept_once() {
    let w = noise(1, &[64, 128], DType::F32);
    let weights = Prepared::new((w.clone(), w.clone()));
    assert_eq!(weights.bytes(), 4 * 64 * 128);
    let f = |((a, b), x): &((Array, Array), Array)| x.matmul(a) * x.matmul(b);
    let ready = jit(f).prepared(&weights);
    let x = noise(2, &[2, 64], DType::F32);
    same(&ready.call((x.clone(),)).unwrap(), &jit(f).call(((w.clone(), w.clone()), x)).unwrap(), "squares");
    assert_eq!(weights.bytes(), 4 * 64 * 128);
    same(&weights.get().unwrap().1, &w, "the second place");
}

#[test]
fn keys_among_parameters_are_used_by_each_call() {
    let draw = |(key, x): &(Array, Array)| Key::from_words(key.clone()).normal(&[4]) + x;
    let ready = jit(draw).prepared(&Prepared::new(Key::new(3).words().clone()));
    let reused = random::debug_key_reuse(|| {
        ready.call((Array::zeros(&[4]),)).unwrap();
        try_trace(|| ready.call((Array::zeros(&[4]),)).unwrap())
    });
    assert!(reused.unwrap_err().to_string().contains("key"));
}

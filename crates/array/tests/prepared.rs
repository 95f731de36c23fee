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
    let mut sum = noise(4, &[2, 128], DType::F32);
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

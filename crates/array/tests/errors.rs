//! A wrong program points at the user's line, names what it was given, and says how to mend it.

use std::panic::catch_unwind;
use std::sync::Mutex;

use jarrah_array::*;

use crate::panics::panic_of;
pub use crate::panics::panics_here;

pub fn has(message: &str, parts: &[&str]) {
    for part in parts {
        assert!(message.contains(part), "`{part}` is missing in:\n{message}");
    }
}

#[test]
fn operators_point_at_the_users_line() {
    let (a, b) = (Array::zeros(&[2, 3]), Array::zeros(&[4]));
    let message = panics_here(|| {
        let _ = &a + &b;
    });
    has(&message, &["[add]", "f32[2,3]", "f32[4]", "errors.rs", "help"]);
    let message = panics_here(|| {
        let _ = a.clone() * &b;
    });
    has(&message, &["[multiply]"]);
}

#[test]
fn methods_point_at_the_users_line() {
    let a = Array::zeros(&[2, 3]);
    has(
        &panics_here(|| {
            let _ = a.reshape(&[4, -1]);
        }),
        &["[reshape]", "f32[2,3]", "[4, -1]"],
    );
    has(
        &panics_here(|| {
            let _ = a.sum(2isize);
        }),
        &["[sum]", "axis 2", "f32[2,3]", "from -2 to 1"],
    );
    has(
        &panics_here(|| {
            let _ = a.matmul(&Array::zeros(&[4, 5]));
        }),
        &["[matmul]", "contracting dimensions differ", "axis 1 is 3", "axis 0 is 4"],
    );
    has(
        &panics_here(|| {
            let _ = a.slice(1, 2..9);
        }),
        &["[slice]", "2..9"],
    );
    has(
        &panics_here(|| {
            let _ = concatenate(&[&a, &Array::zeros(&[2])], 0);
        }),
        &["[concatenate]"],
    );
    has(
        &panics_here(|| {
            let _ = Array::new(&[1.0f32, 2.0], &[3]);
        }),
        &["f32[3]", "3 elements", "2 were given"],
    );
}

#[test]
fn arguments_of_attention_are_named_at_the_users_line() {
    let x = Array::zeros(&[2, 3, 1, 4]);
    let (narrow, full) = (Array::zeros(&[5]), nn::AttentionOptions::default());
    let integers = narrow.astype(DType::I32);
    let keys = Array::zeros(&[2, 3]).astype(DType::I32);
    let options = |f: &dyn Fn(&mut nn::AttentionOptions)| {
        let mut options = full.clone();
        f(&mut options);
        options
    };
    // What does not fit, and a tracer that has leaked: the first is found by the op, the second where the argument is spread.
    let leaked = |shape: &[usize], dtype| {
        let leaked = Mutex::new(None);
        let _ = grad(|x: &Array| {
            *leaked.lock().unwrap() = Some((x * 2.0).astype(dtype));
            x.sum(..)
        })(&Array::zeros(shape));
        leaked.into_inner().unwrap().unwrap()
    };
    let gone = "after the trace it belongs to had ended";
    let (floats, ints) = (leaked(&[3], DType::F32), leaked(&[2, 3], DType::I32));
    let cases = [
        ("mask is bool[1,1,1,5]", options(&|o| o.mask = Some(narrow.gt(0.0)))),
        ("bias is f32[1,1,1,5]", options(&|o| o.bias = Some(narrow.clone()))),
        ("sinks is f32[1,5]", options(&|o| o.sinks = Some(narrow.clone()))),
        ("multiplier is f32[1,1,1,5]", options(&|o| o.multiplier = Some(narrow.clone()))),
        ("segments of queries is i32[5]", options(&|o| o.segments = Some((integers.clone(), keys.clone())))),
        ("segments of keys is i32[5]", options(&|o| o.segments = Some((keys.clone(), integers.clone())))),
        ("segments of keys: f32[5] given", options(&|o| o.segments = Some((keys.clone(), narrow.clone())))),
        ("key_lengths is i32[5]", options(&|o| o.key_lengths = Some(integers.clone()))),
        ("query_lengths is i32[5]", options(&|o| o.query_lengths = Some(integers.clone()))),
        ("offset is i32[5]", options(&|o| o.offset = Some(integers.clone()))),
        (gone, options(&|o| o.mask = Some(leaked(&[3], DType::Bool)))),
        (gone, options(&|o| o.bias = Some(floats.clone()))),
        (gone, options(&|o| o.sinks = Some(leaked(&[1], DType::F32)))),
        (gone, options(&|o| o.multiplier = Some(floats.clone()))),
        (gone, options(&|o| o.segments = Some((ints.clone(), keys.clone())))),
        (gone, options(&|o| o.key_lengths = Some(leaked(&[2], DType::I64)))),
    ];
    for (part, options) in cases {
        let line = line!() + 1;
        let error = try_trace(|| nn::dot_product_attention(&x, &x, &x, &options)).unwrap_err();
        has(&error.to_string(), &[part]);
        let place = error.location().map(|place| (place.file(), place.line()));
        assert_eq!(place, Some((file!(), line)), "{error}");
    }
}

#[test]
fn errors_inside_transformations_point_at_the_users_line_and_name_them() {
    let weight = Array::zeros(&[3, 4]);
    let wrong = |x: &Array| {
        named_scope("layers.0", || x.matmul(&weight)) // the wrong line
    };
    let line = line!() - 2;
    let x = Array::zeros(&[2]);
    let (message, file, found) = panic_of(|| {
        let _ = jit(move |x: &Array| grad(|x: &Array| wrong(x).sum(..))(x)).call(x);
    });
    assert!(file.ends_with("errors.rs"));
    assert_eq!(found, line, "{message}");
    has(&message, &["[matmul]", "f32[2]", "f32[3,4]", "layers.0", "while tracing grad under jit"]);
}

#[test]
fn errors_name_the_scope_and_the_line_that_entered_it() {
    let layer: Box<dyn Fn(&Array) -> Array> = Box::new(|x| x.reshape(&[3]));
    let (x, line) = (Array::zeros(&[2]), line!() + 1);
    let call = || named_scope("blocks", || named_scope("0", || layer(&x)));
    let error = try_trace(call).unwrap_err().to_string();
    has(&error, &["[reshape]", &format!("in blocks.0, called at crates/array/tests/errors.rs:{line}:")]);
}

#[test]
fn operands_are_shown_with_the_lines_that_made_them() {
    let a = Array::zeros(&[2, 3]);
    let line = line!() - 1;
    let error = try_trace(|| &a + &Array::zeros(&[4])).unwrap_err();
    assert!(
        error.to_string().contains(&format!("lhs made at crates/array/tests/errors.rs:{line}")),
        "{error}"
    );
}

#[test]
fn try_trace_gives_the_error_and_leaves_no_trace_open() {
    let error = try_trace(|| jit(|x: &Array| x + &Array::zeros(&[3])).call(Array::zeros(&[2]))).unwrap_err();
    has(error.message(), &["f32[2]", "f32[3]"]);
    let sum = Array::from_slice(&[1.0f32, 2.0]) + 1.0;
    assert_eq!(sum.to_vec::<f32>().unwrap(), [2.0, 3.0]);
}

#[test]
fn try_trace_lets_other_panics_pass() {
    let outcome = catch_unwind(|| try_trace(|| panic!("mine")));
    assert_eq!(*outcome.unwrap_err().downcast::<&str>().unwrap(), "mine");
}

#[test]
fn leaked_tracers_are_named() {
    let leaked = Mutex::new(None);
    let _ = grad(|x: &Array| {
        *leaked.lock().unwrap() = Some(x * 2.0);
        x.sum(..)
    })(&Array::zeros(&[2]));
    let leaked = leaked.into_inner().unwrap().unwrap();
    let message = panics_here(|| {
        let _ = &leaked + 1.0;
    });
    has(&message, &["after the trace it belongs to had ended", "it was made at", "return it"]);
}

#[test]
fn tracers_on_another_thread_are_named() {
    let _ = grad(|x: &Array| {
        let moved = x.clone();
        let message = std::thread::scope(|s| {
            s.spawn(|| try_trace(|| moved + 1.0).unwrap_err().message().to_owned()).join().unwrap()
        });
        has(&message, &["being traced on another thread"]);
        x.sum(..)
    })(&Array::zeros(&[2]));
}

#[test]
fn values_under_jit_are_not_known() {
    let f = jit(|x: &Array| {
        let first = try_trace(|| x.index(0).item::<f32>()).unwrap_err();
        has(&first.to_string(), &["not known while tracing jit", "where_, cond or while_loop"]);
        x.clone()
    });
    f.call(Array::zeros(&[2])).unwrap();
}

#[test]
fn the_gradient_of_a_vector_is_an_error() {
    let error = try_trace(|| grad(|x: &Array| x * 2.0)(&Array::zeros(&[2]))).unwrap_err();
    has(&error.to_string(), &["[grad]", "f32[2]", "sum or average"]);
}

#[test]
fn a_loop_whose_carry_changes_type_is_an_error() {
    let xs = Array::zeros(&[3]);
    let error =
        try_trace(|| scan(|c: &Array, x: &Array| (c.expand_dims(0) + x, ()), &Array::scalar(0.0f32), &xs));
    has(&error.unwrap_err().to_string(), &["[scan]", "the carry", "f32[]", "f32[1]"]);
}

#[test]
fn reverse_mode_through_while_says_why_not() {
    let error = try_trace(|| {
        grad(|x: &Array| while_loop(|x: &Array| x.lt(10.0), |x: &Array| x * 2.0, x))(&Array::scalar(1.0f32))
    });
    has(&error.unwrap_err().to_string(), &["[while_loop]", "unknown number of steps", "scan", "errors.rs"]);
}

#[test]
fn a_custom_rule_cannot_drop_a_gradient() {
    let error = try_trace(|| {
        grad(|w: &Array| {
            let f = custom_jvp(|x: &Array| x * w, |x: &Array, dx: &Array| (x * w, dx * w));
            f(&Array::scalar(2.0f32))
        })(&Array::scalar(3.0f32))
    });
    has(&error.unwrap_err().to_string(), &["[custom_jvp]", "captures", "make it an argument"]);
}

/// What was compiled before gives nothing up.
#[test]
fn a_function_may_donate_after_its_first_call() {
    let pair = || (Array::ones(&[2]), Array::ones(&[2]));
    let f = jit(|(x, y): &(Array, Array)| x + y);
    f.call(pair()).unwrap();
    let f = f.donate(0);
    let (x, y) = pair();
    let error = f.call((x.clone(), y.clone())).unwrap_err();
    has(&error.to_string(), &["argument 0", "donated"]);
    assert!(f.lower(&(x, y)).args_info()[0].donated);
}

#[test]
fn donating_a_shared_array_is_an_error() {
    let f = jit(|(x, y): &(Array, Array)| x + y).donate(0);
    let x = Array::from_slice(&[1.0f32]);
    let shared = x.clone();
    let error = f.call((x, Array::from_slice(&[2.0f32]))).unwrap_err();
    has(&error.to_string(), &["argument 0", "donated", "it was made at", "errors.rs"]);
    let y = f.call((shared, Array::from_slice(&[2.0f32]))).unwrap();
    assert_eq!(y.to_vec::<f32>().unwrap(), [3.0]);
    // An array that was put where it already lay has the same memory.
    let x = Array::from_slice(&[1.0f32]) * 2.0;
    let put = x.to_device(&default_device()).unwrap();
    let other = || Array::from_slice(&[2.0f32]);
    has(&f.call((x, other())).unwrap_err().to_string(), &["argument 0", "something else holds it"]);
    assert_eq!(put.to_vec::<f32>().unwrap(), [2.0]);
    let again = put.to_device(&default_device()).unwrap();
    let x = &put + 0.0;
    let y = x.to_device(&default_device()).unwrap();
    assert!(f.call((y, other())).is_err());
    assert_eq!(x.to_vec::<f32>().unwrap(), [2.0]);
    drop(put);
    assert_eq!(f.call((again, other())).unwrap().to_vec::<f32>().unwrap(), [4.0]);
}

#[test]
fn what_is_only_traced_fails_at_the_line_that_asks() {
    let cell = Ref::new(&Array::scalar(1.0f32));
    let write = |x: &Array| {
        cell.set(x);
        x.clone()
    };
    let said = |f: &dyn Fn()| try_trace(f).unwrap_err().to_string();
    let (x, first) = (Array::scalar(2.0f32), line!() + 1);
    let error = said(&|| drop(eval_shape(write, &x)));
    has(
        &error,
        &["[eval_shape] eval_shape writes a Ref", &format!("--> crates/array/tests/errors.rs:{first}:")],
    );
    let first = line!() + 1;
    let error = said(&|| drop(make_program(write, &x)));
    has(&error, &["[main] main writes a Ref", &format!("--> crates/array/tests/errors.rs:{first}:")]);
    let (configs, axis) = ([const { nn::BlockScaleConfig::Mxfp8 }; 3], [1usize]);
    let (x, contract) = (Array::ones(&[2, 33]), (&axis[..], &axis[..]));
    let first = line!() + 1;
    let error = said(&|| drop(nn::scaled_dot_general(&x, &x, contract, (&[], &[]), DType::F32, &configs)));
    has(&error, &["33 elements are multiplied and added, in blocks of 32", &format!("errors.rs:{first}:")]);
}

#[test]
fn an_error_of_another_library_is_at_its_callers_line() {
    #[track_caller]
    fn check(x: &Array) {
        fail(Error::program(format!("the heads do not divide {}", x.ty())));
    }
    let error = try_trace(|| check(&Array::ones(&[3]))).unwrap_err();
    let line = line!() - 1;
    assert_eq!(error.location().map(|place| (place.file(), place.line())), Some((file!(), line)));
}

#[test]
fn a_function_that_is_traced_within_itself_ends() {
    use std::sync::OnceLock;
    static F: OnceLock<Jit<Array, Array, fn(&Array) -> Array>> = OnceLock::new();
    fn itself(x: &Array) -> Array {
        F.get().unwrap().apply(x) + 1.0
    }
    fn anew(x: &Array) -> Array {
        jit(anew).call(x.clone()).unwrap() + 1.0
    }
    fn branch(x: &Array) -> Array {
        cond(&x.gt(0), || branch(x), || x.clone())
    }
    let _ = F.set(jit(itself as fn(&Array) -> Array));
    let x = Array::scalar(1.0f32);
    for f in [itself, anew, branch, |x: &Array| jit(branch).call(x.clone()).unwrap()] {
        let error = try_trace(|| f(&x)).unwrap_err().to_string();
        has(&error, &["traces nest deeper than 256", "errors.rs", "help"]);
    }
    // And nothing of the many traces is left open.
    assert_eq!((x + 1.0).item::<f32>().unwrap(), 2.0);
}

#[test]
fn an_error_of_a_function_that_is_given_by_name_is_at_the_line_of_the_call() {
    let wide = Array::zeros(&[2, 3]);
    let f = jit(linalg::inv);
    let line = line!() + 1;
    let error = try_trace(|| f.call(wide.clone())).unwrap_err();
    assert_eq!(error.location().map(|place| (place.file(), place.line())), Some((file!(), line)), "{error}");
    // Of a function that an iterator is given, that of the trace.
    let each = jit(|x: &Array| [x].into_iter().map(linalg::inv).next().unwrap());
    let line = line!() + 1;
    let error = try_trace(|| each.call(wide.clone())).unwrap_err();
    assert_eq!(error.location().map(|place| (place.file(), place.line())), Some((file!(), line)), "{error}");
}

/// A grouped product says what its operands are, in its own name.
#[test]
fn a_matrix_in_the_place_of_a_stack_is_said_by_the_grouped_product() {
    let (x, matrix) = (Array::ones(&[8, 64]), Array::ones(&[64, 32]));
    let sizes = Array::from_slice(&[1i32, 3, 4]);
    let error = try_trace(|| lax::ragged_dot(&x, &matrix, &sizes)).unwrap_err().to_string();
    for part in ["[ragged_dot]", "f32[8,64]", "f32[64,32]", "i32[3]", "[g, k, n]"] {
        assert!(error.contains(part), "{error}");
    }
    let stack = Array::ones(&[3, 64, 32]);
    let error = try_trace(|| lax::ragged_dot_as(&x, &stack, &sizes, DType::I32)).unwrap_err().to_string();
    assert!(error.contains("[ragged_dot]") && error.contains("i32") && error.contains("astype"), "{error}");
    let scales = Array::ones(&[3, 5, 32]);
    let error = try_trace(|| lax::scaled_ragged_dot(&x, &stack, &scales, &sizes)).unwrap_err().to_string();
    assert!(error.contains("f32[3,5,32]") && error.contains("`parts` divides k"), "{error}");
}

//! What a wrong program is told, with the panic's header: `messages.txt`, in which places of these files are shown as the
//! line that stands there.
//!
//! With `BLESS=1` in the environment the messages are written instead of compared.

mod arrays;
mod kernels;
mod transforms;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;

use jarrah_array::*;

/// Set where this program was started to write the messages.
const CHILD: &str = "JARRAH_MESSAGES";

fn vector(extent: usize) -> Array {
    Array::ones(&[extent])
}

fn scalar() -> Array {
    Array::scalar(1.0f32)
}

fn leaked() -> Array {
    let leaked = Mutex::new(None);
    let _ = grad(|x: &Array| {
        *leaked.lock().unwrap() = Some(x * 2.0);
        x.sum(..)
    })(&vector(2));
    leaked.into_inner().unwrap().unwrap()
}

/// A wrong program and its name.
type Case = (&'static str, Box<dyn Fn()>);

fn case<R>(name: &'static str, f: impl Fn() -> R + 'static) -> Case {
    (name, Box::new(move || drop(f())))
}

/// Each wrong program, by name.
fn cases() -> Vec<Case> {
    let first = vec![
        case("the gradient of a vector", || grad(|x: &Array| x * 2.0)(&vector(2))),
        case("the value and gradient of a vector", || value_and_grad(|x: &Array| x * 2.0)(&vector(2))),
        case("the gradient of an integer", || grad(|x: &Array| x.astype(DType::I32))(&scalar())),
        case("the gradient of a vector under jit", || {
            jit(|x: &Array| grad(|x: &Array| x * 2.0)(x)).call(vector(2))
        }),
        case("the largest of nothing", || Array::zeros(&[0, 3]).argmax(0)),
        case("an array beside those of another shape", || stack(&[&vector(3), &vector(2)], 0)),
        case("two extents left open", || vector(4).reshape(&[-1, -1])),
        case("a slice that ends before it begins", || {
            vector(3).slice(0, std::ops::Range { start: 2, end: 1 })
        }),
        case("an axis named twice", || vector(3).sum([0, 0])),
        case("a number outside of a dtype", || Array::full(&[2], -1, DType::U8)),
        case("elements read as another type", || vector(3).to_vec::<f64>().unwrap()),
        case("one element of several", || vector(3).item::<f32>().unwrap()),
        case("positions that are no integers", || vector(3).take(&Array::from_slice(&[true]), 0)),
        case("positions of another shape", || {
            Array::zeros(&[3, 4]).take_along_axis(&Array::zeros(&[2, 5]).astype(DType::I32), 0)
        }),
        case("the inverse of what is not square", || linalg::inv(&Array::zeros(&[2, 3]))),
        case("a system in a narrow dtype", || {
            linalg::solve(&Array::zeros(&[2, 2]).astype(DType::BF16), &vector(2))
        }),
        case("a right-hand side of another length", || linalg::solve(&Array::zeros(&[2, 2]), &vector(3))),
        case("the real transform of complex numbers", || fft::rfft(&vector(4).astype(DType::C64))),
        case("lengths for other axes", || fft::over([0, 1]).lengths([4]).fft(&Array::zeros(&[4, 4]))),
        case("arrays of which neither contains the other", || {
            let (x, y) = (Array::zeros(&[2, 3]), Array::zeros(&[3, 2]));
            signal::operands("convolve", &x, &y, &[0, 1], signal::Mode::Valid)
        }),
        case("vmap over extents that differ", || {
            vmap(|(x, y): &(Array, Array)| x + y)(&(vector(2), vector(3)))
        }),
        case("vmap over a scalar", || vmap(|x: &Array| x + 1.0)(&scalar())),
        case("vmap with too many axes", || {
            vmap_axes(|x: &Array| x + 1.0, &[Some(0), None], &[Some(0)])(&vector(2))
        }),
        case("vmap with an axis that is not there", || {
            vmap_axes(|x: &Array| x + 1.0, &[Some(0)], &[Some(2)])(&vector(2))
        }),
        case("vmap of a result that differs along the axis", || {
            vmap_axes(|x: &Array| x + 1.0, &[Some(0)], &[None])(&vector(2))
        }),
        case("shapes inside vmap inside grad", || {
            grad(|x: &Array| {
                vmap(|row: &Array| row + vector(4))(x).sum(..) // the wrong line
            })(&Array::ones(&[2, 3]))
        }),
        case("a tangent of another shape", || jvp(|x: &Array| x.sin(), &vector(3), &vector(4))),
        case("a cotangent of another shape", || vjp(|x: &Array| x.sin(), &vector(3)).1(&vector(4))),
        case("a forward pass of another shape", || {
            let forward = |x: &Array| (x.expand_dims(0), ());
            custom_vjp(|x: &Array| x.sin(), forward, |(): &(), ct: &Array| ct.clone())(&vector(2))
        }),
        case("a backward pass of another shape", || {
            let backward = |(): &(), ct: &Array| ct.expand_dims(0);
            custom_vjp(|x: &Array| x.sin(), |x: &Array| (x.sin(), ()), backward)(&vector(2))
        }),
        case("a custom rule that captures", || {
            grad(
                |w: &Array| custom_jvp(|x: &Array| x * w, |x: &Array, dx: &Array| (x * w, dx * w))(&scalar()),
            )(&scalar())
        }),
        case("a carry that grows", || {
            scan(|c: &Array, x: &Array| (c.expand_dims(0) + x, ()), &scalar(), &vector(3))
        }),
        case("a scan over a scalar", || scan(|c: &Array, x: &Array| (c + x, ()), &scalar(), &scalar())),
        case("a condition that is a number", || {
            while_loop(|x: &Array| x.clone(), |x: &Array| x * 2.0, &scalar())
        }),
        case("a predicate that is a vector", || cond(&vector(2).gt(0.0), scalar, scalar)),
        case("branches of different types", || cond(&scalar().gt(0.0), scalar, || vector(2))),
        case("no branch", || switch::<Array>(&Array::scalar(0i32), &[])),
        case("reverse mode through a loop of unknown length", || {
            grad(|x: &Array| while_loop(|x: &Array| x.lt(10.0), |x: &Array| x * 2.0, x))(&scalar())
        }),
        case("a tracer that leaked into an operation", || leaked() + 1.0),
        case("a tracer that leaked into a result", || {
            let leaked = leaked();
            jit(move |x: &Array| (x.clone(), leaked.clone())).call(scalar())
        }),
        case("an abstract array", || Array::abstracted(scalar().ty()) + 1.0),
        case("a value under jit", || {
            jit(|x: &Array| x.item::<f32>().is_ok().then_some(x.clone())).call(scalar())
        }),
        case("too few elements", || Array::new(&[1.0f32, 2.0], &[3])),
        case("an element that cannot be donated", || {
            jit(|(x, y): &(Array, Array)| x + y).donate(2).call((scalar(), scalar()))
        }),
        case("what is no tuple cannot be donated", || jit(|x: &Array| x + 1.0).donate(0).call(scalar())),
    ];
    first.into_iter().chain(arrays::cases()).chain(kernels::cases()).chain(transforms::cases()).collect()
}

/// Runs the wrong programs where the test below started this program; else does nothing.
#[test]
fn write() {
    if std::env::var_os(CHILD).is_none() {
        return;
    }
    let mut accepted = Vec::new();
    for (name, f) in cases() {
        eprintln!("== {name}");
        if catch_unwind(AssertUnwindSafe(f)).is_ok() {
            accepted.push(name);
        }
    }
    assert!(accepted.is_empty(), "did not panic: {accepted:?}");
}

/// The files whose places are shown.
const SOURCES: [(&str, &str); 4] = [
    ("messages.rs", include_str!("messages.rs")),
    ("messages/arrays.rs", include_str!("messages/arrays.rs")),
    ("messages/kernels.rs", include_str!("messages/kernels.rs")),
    ("messages/transforms.rs", include_str!("messages/transforms.rs")),
];

/// The places `FILE:LINE:COLUMN` in the text as what stands in that line.
fn with_lines(text: &str) -> String {
    let mut parts = text.split("crates/array/tests/");
    let mut shown = parts.next().unwrap_or("").to_owned();
    for part in parts {
        let (file, rest) = part.split_once(':').unwrap();
        let (_, source) = SOURCES.iter().find(|(name, _)| *name == file).unwrap();
        let digits = |s: &str| s.find(|c: char| !c.is_ascii_digit()).unwrap_or(s.len());
        let (line, rest) = rest.split_at(digits(rest));
        let column = &rest[1..];
        let line = source.lines().nth(line.parse::<usize>().unwrap() - 1).unwrap().trim();
        shown.push_str(&format!("`{line}`{}", &column[digits(column)..]));
    }
    shown
}

/// Every message names the op, the user's line and a way out, no line of the library, and is short.
fn check_form(found: &str) {
    let cases: Vec<&str> = found.split("== ").skip(1).collect();
    assert!(cases.len() >= 100);
    let formless = |message: &&str| {
        let lines: Vec<&str> = message.lines().collect();
        let headed = lines.iter().any(|line| {
            let line = line.rsplit("value: ").next().unwrap_or(line);
            line.starts_with('[') && line.contains("] ") && !line.starts_with("[jarrah.")
        });
        let placed = lines.iter().any(|line| line.starts_with("  --> `"));
        let helped = lines.iter().any(|line| line.starts_with("  = help: "));
        let elsewhere = message.contains("crates/array/src/");
        // The first line is the name of the case.
        !(headed && placed && helped && !elsewhere && lines.len() <= 13)
    };
    let formless: Vec<&str> = cases.iter().copied().filter(formless).collect();
    assert!(
        formless.is_empty(),
        "{} messages lack op, line or help, or name a line of the library:\n{}",
        formless.len(),
        formless.join("\n")
    );
}

#[test]
fn are_as_stated() {
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "messages::write", "--nocapture"]).env(CHILD, "1").env("RUST_BACKTRACE", "0");
    let output = child.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut found = String::new();
    for line in String::from_utf8_lossy(&output.stderr).lines() {
        // The name of the thread, its number and the hint about backtraces are the standard library's.
        let line = line.split_once(" panicked at ").map_or(line, |(_, place)| place);
        if !line.starts_with("note: run with") && !line.is_empty() {
            found.push_str(&with_lines(line));
            found.push('\n');
        }
    }
    check_form(&found);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/messages.txt");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &found).unwrap();
    }
    assert_eq!(found, std::fs::read_to_string(&path).unwrap());
}

//! `jarrah hlo convert` of what JAX exported.

use std::fs;
use std::path::Path;

use crate::support::Place;

/// A place with the function `(x, y) -> (x + y[0], [x, x])` for two platforms, of any extents.
fn place() -> Place {
    let place = Place::new();
    let golden =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../hlo-format/tests/golden/polymorphic.jax_export");
    fs::copy(golden, place.path("both.jax_export")).unwrap();
    place
}

#[test]
fn artifacts_stay_what_they_are() {
    let place = place();
    let done = place.jarrah("hlo convert both.jax_export older.jax_export --target 1.5.0");
    assert_eq!((done.code, done.err.as_str()), (Some(0), ""), "{done:?}");
    assert_eq!(place.good("hlo print older.jax_export"), place.good("hlo print both.jax_export"));
    assert_ne!(
        fs::read(place.path("older.jax_export")).unwrap(),
        fs::read(place.path("both.jax_export")).unwrap()
    );
    place.good("hlo convert both.jax_export cuda.jax_export --platform cuda");
    let text = place.good("hlo print cuda.jax_export");
    assert!(text.contains("@main(%arg0: tensor<?x?xf32>, %arg1: tensor<3x?xf32>)"), "{text}");
    place.refused(
        "hlo convert both.jax_export tpu.jax_export --platform tpu",
        "both.jax_export was not lowered for tpu",
    );
}

#[test]
fn text_and_bytecode_are_for_one_platform() {
    let place = place();
    let done = place.jarrah("hlo convert both.jax_export one.mlir");
    assert_eq!(
        (done.code, done.err.trim()),
        (Some(0), "the program for cpu; the artifact is for cpu, cuda"),
        "{done:?}"
    );
    let text = fs::read_to_string(place.path("one.mlir")).unwrap();
    assert!(text.contains("@main(%arg0: tensor<?x?xf32>, %arg1: tensor<3x?xf32>)"), "{text}");
    let done = place.jarrah("hlo convert both.jax_export one.mlirbc --platform cuda");
    assert_eq!(
        (done.code, done.err.trim()),
        (Some(0), "the program for cuda; the artifact is for cpu, cuda"),
        "{done:?}"
    );
    place.refused("hlo convert one.mlir two.mlir --platform cpu", "one.mlir is no artifact");
    place.refused(
        "hlo convert one.mlir one.jax_export",
        "[func.func] a function to export takes and gives arrays of known shapes",
    );

    fs::write(place.path("raw.mlir"), place.good("hlo print both.jax_export")).unwrap();
    place.refused("hlo run raw.mlir", "[func.func] argument 0 of @main is `_platform_index`");
    place.refused(
        "hlo convert raw.mlir raw.jax_export",
        "[func.func] argument 0 of @main is `_platform_index`",
    );
}

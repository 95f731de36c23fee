//! `jarrah hlo`, as a person uses it.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use jarrah_base::{DType, Type};
use jarrah_hlo::Builder;
use safetensors::tensor::TensorView;

use crate::support::{Done, Place};

const PROGRAM: &str = r#"module @scale {
  func.func public @main(%arg0: tensor<3xf32>, %arg1: tensor<f32>) -> (tensor<3xf32>, tensor<i32>) {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %1 = stablehlo.multiply %arg0, %0 : tensor<3xf32>
    %c = stablehlo.constant dense<7> : tensor<i32>
    return %1, %c : tensor<3xf32>, tensor<i32>
  }
}
"#;

const CHECKS: &str = r#"func.func @adds() {
  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %1 = stablehlo.add %0, %0 : tensor<2xi32>
  check.expect_eq_const %1, dense<[2, 4]> : tensor<2xi32>
  func.return
}

// -----

func.func @halves() {
  %0 = stablehlo.constant dense<[1.0, 3.0]> : tensor<2xf32>
  %1 = stablehlo.constant dense<2.0> : tensor<2xf32>
  %2 = stablehlo.divide %0, %1 : tensor<2xf32>
  check.expect_almost_eq_const %2, dense<[0.5, 1.5]> : tensor<2xf32>
  func.return
}
"#;

/// A safetensors file of these `f32` tensors, named by their numbers.
fn tensors(all: &[(&[usize], &[f32])]) -> Vec<u8> {
    let (mut header, mut data) = (Vec::new(), Vec::new());
    for (i, (dims, values)) in all.iter().enumerate() {
        let begin = data.len();
        data.extend(values.iter().flat_map(|v| v.to_le_bytes()));
        let end = data.len();
        header.push(format!(
            "\"{i}\":{{\"dtype\":\"F32\",\"shape\":{dims:?},\"data_offsets\":[{begin},{end}]}}"
        ));
    }
    let header = format!("{{{}}}", header.join(","));
    let mut file = (header.len() as u64).to_le_bytes().to_vec();
    file.extend(header.as_bytes());
    file.extend(data);
    file
}

fn place() -> Place {
    let place = Place::new();
    fs::write(place.path("scale.mlir"), PROGRAM).unwrap();
    fs::write(place.path("checks.mlir"), CHECKS).unwrap();
    let inputs = tensors(&[(&[3], &[1.0, 2.0, -4.0]), (&[], &[0.5])]);
    fs::write(place.path("in.safetensors"), inputs).unwrap();
    place
}

#[test]
fn a_program_runs_in_every_format_and_on_both_backends() {
    let place = place();
    place.good("hlo convert scale.mlir scale.mlirbc");
    place.good("hlo convert scale.mlirbc scale.jax_export");
    let mut results = Vec::new();
    for file in ["scale.mlir", "scale.mlirbc", "scale.jax_export"] {
        for backend in ["cpu", "reference"] {
            let out = place.good(&format!(
                "hlo run {file} --inputs in.safetensors --outputs out.safetensors --backend {backend} --repeat 3 --json"
            ));
            let report: serde_json::Value = serde_json::from_str(out.lines().last().unwrap()).unwrap();
            for key in ["parse_s", "compile_s", "run_s", "peak_bytes"] {
                assert!(report[key].is_number(), "{key}: {out}");
            }
            let outputs = serde_json::json!([
                {"name": "0", "dtype": "f32", "shape": [3]},
                {"name": "1", "dtype": "i32", "shape": []},
            ]);
            assert_eq!(report["outputs"], outputs);
            results.push(fs::read(place.path("out.safetensors")).unwrap());
        }
    }
    assert!(results.windows(2).all(|pair| pair[0] == pair[1]));
    let shown = place.good("hlo run scale.mlir --inputs in.safetensors");
    assert!(shown.contains("0: f32[3] [ 0.5,  1.0, -2.0]"), "{shown}");
    assert!(shown.contains("1: i32[] 7\n"), "{shown}");
}

#[test]
fn a_text_that_is_no_program_is_told_as_a_whole() {
    let place = place();
    for (name, text) in [
        ("notes.txt", "the module is trained; see tensors below\n"),
        ("data.json", "{\"a\": [1, 2]}"),
        ("run.py", "import jax\nprint(jax.numpy.ones(3))\n"),
        ("xla.hlo", "HloModule jit_f\nENTRY %main (x: f32[4]) -> f32[4] {\n}\n"),
    ] {
        fs::write(place.path(name), text).unwrap();
        for command in ["run", "print", "check"] {
            let done = place.jarrah(&format!("hlo {command} {name}"));
            let said = done.out.clone() + &done.err;
            let whole = said.contains(&format!("{name} is not StableHLO text"));
            assert!(done.code != Some(0) && whole && said.contains("read"), "{command}: {done:?}");
        }
    }
}

#[test]
fn text_comes_back_from_bytecode_as_it_was() {
    let place = place();
    assert_eq!(place.good("hlo print scale.mlir"), PROGRAM);
    place.good("hlo convert scale.mlir scale.mlirbc --target 1.0.0");
    assert_eq!(place.good("hlo convert scale.mlirbc -"), PROGRAM);
    let generic = place.good("hlo print scale.mlir --generic");
    assert!(generic.contains("\"stablehlo.multiply\"(%arg0, %0)"), "{generic}");
    place.refused("hlo convert scale.mlir scale.xyz", "scale.xyz does not say the format");
    place.refused("hlo convert scale.mlir scale.mlirbc --target 99.0.0", "");
}

#[test]
fn standard_input_is_a_file() {
    let place = place();
    let mut child = place
        .command("hlo print -")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(PROGRAM.as_bytes()).unwrap();
    let done: Done = child.wait_with_output().unwrap().into();
    assert_eq!((done.code, done.out.as_str()), (Some(0), PROGRAM), "{done:?}");
}

#[test]
fn assertions_are_run_and_counted() {
    let place = place();
    let out = place.good("hlo check checks.mlir scale.mlir");
    assert!(out.contains("2 files: 2 passed, 0 failed"), "{out}");
    assert!(out.contains("4 checks on reference and cpu"), "{out}");
    fs::write(place.path("wrong.mlir"), CHECKS.replace("[2, 4]", "[2, 5]")).unwrap();
    fs::create_dir(place.path("more")).unwrap();
    fs::write(place.path("more/broken.mlir"), "func.func @f( {").unwrap();
    let done = place.jarrah("hlo check checks.mlir wrong.mlir more");
    assert_eq!(done.code, Some(2), "{done:?}");
    assert!(done.out.contains("3 files: 1 passed, 2 failed"), "{done:?}");
    assert!(done.out.contains("failed: wrong.mlir"), "{done:?}");
    assert!(done.out.contains("more/broken.mlir:1:15"), "{done:?}");
}

#[test]
fn passes_run_by_name() {
    let place = place();
    let out = place.good("hlo opt scale.mlir");
    assert!(out.contains("jarrah.kernel"), "{out}");
    let out = place.good("hlo opt scale.mlir --passes inline,cse --dump-after cse");
    assert!(out.starts_with("// after cse\n"), "{out}");
    assert!(place.good("hlo opt --list").contains("raise"));
    place.refused("hlo opt scale.mlir --passes fold", "there is no pass fold");
    place.refused("hlo opt scale.mlir --passes cse --dump-after raise", "the pass raise is not among");
}

/// A function of a loop that runs until it has counted to its argument.
const LOOP: &str = r#"func.func @main(%arg0: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.constant dense<0> : tensor<i32>
  %1:2 = stablehlo.while(%i = %0, %x = %arg0) : tensor<i32>, tensor<i32>
  cond {
    %2 = stablehlo.compare NE, %i, LIMIT : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %2 = stablehlo.add %i, %one : tensor<i32>
    %3 = stablehlo.multiply %x, %x : tensor<i32>
    stablehlo.return %2, %3 : tensor<i32>, tensor<i32>
  }
  return %1#1 : tensor<i32>
}
"#;

#[test]
fn loops_are_counted_by_their_steps_and_not_run_where_nothing_is_asserted() {
    let place = place();
    fs::write(place.path("open.mlir"), LOOP.replace("LIMIT", "%arg0")).unwrap();
    assert!(place.good("hlo check open.mlir").contains("1 file: 1 passed, 0 failed; 1 function, 0 checks"));
    let out = place.good("hlo stats open.mlir --gflops 1 --gbytes 1");
    assert!(out.contains("1 loop of unknown length: one step of each is counted"), "{out}");

    let text = LOOP.replace("NE", "LT").replace("LIMIT", "%n").replace(
        "%1:2 = stablehlo.while",
        "%n = stablehlo.constant dense<1000> : tensor<i32>\n  %1:2 = stablehlo.while",
    );
    fs::write(place.path("known.mlir"), text).unwrap();
    let out = place.good("hlo stats known.mlir --gflops 1 --gbytes 1 --json");
    let report: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(report["loops_of_unknown_length"], 0, "{out}");
    assert!(report["ops"]["multiply"]["flops"] == 1000.0, "{out}");
}

#[test]
fn open_extents_are_given_as_types_or_by_the_inputs() {
    let place = place();
    let text = PROGRAM
        .replace("tensor<3xf32>", "tensor<?xf32>")
        .replace("stablehlo.broadcast_in_dim", "chlo.broadcast_add");
    let text = text.replace(
        "%0 = chlo.broadcast_add %arg1, dims = [] : (tensor<f32>) -> tensor<?xf32>",
        "%0 = chlo.broadcast_add %arg0, %arg1 : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>",
    );
    fs::write(place.path("open.mlir"), text).unwrap();
    place.refused("hlo stats open.mlir", "[func.func] argument 0 of @main is tensor<?xf32>: its dimension 0");
    let error = place.refused("hlo stats open.mlir --types f32[3", "invalid value 'f32[3'");
    assert!(error.contains("does not begin with a type such as f32[8,4]"), "{error}");
    let out = place.good("hlo stats open.mlir --types f32[3],f32[] --gflops 1 --gbytes 1 --json");
    let report: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(report["ops"]["multiply"]["flops"], 3.0, "{out}");
    assert!(place.good("hlo opt open.mlir --types f32[5],f32[] --passes cse").contains("tensor<5xf32>"));
    assert!(place.good("hlo diff open.mlir --types f32[5],f32[]").contains("results agree on 2 arguments"));
    assert!(
        place.good("hlo diff open.mlir --inputs in.safetensors").contains("2 results agree on 2 arguments")
    );
}

#[test]
fn results_go_where_they_are_sent() {
    let place = place();
    place.good("hlo run scale.mlir --inputs in.safetensors --outputs out.safetensors");
    let mut command = place.command("hlo run scale.mlir --inputs in.safetensors --outputs -");
    let done = command.stdout(Stdio::piped()).stderr(Stdio::piped()).output().unwrap();
    assert!(done.status.success());
    assert_eq!(done.stdout, fs::read(place.path("out.safetensors")).unwrap());
    place.refused("hlo run scale.mlir --inputs in.safetensors --outputs - --json", "both the outputs");
    place.refused("hlo run - --inputs -", "both the program and its inputs");
    if let Ok(full) = fs::File::options().write(true).open("/dev/full") {
        let mut command = place.command("hlo run scale.mlir --inputs in.safetensors --json");
        let done = command.stdout(full).stderr(Stdio::piped()).output().unwrap();
        let error = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(1), "{error}");
        assert!(error.contains("cannot write to the standard output"), "{error}");
    }
}

#[test]
fn statistics_count_work_and_memory() {
    let place = place();
    let out = place.good("hlo stats scale.mlir --gflops 100 --gbytes 10");
    assert!(out.contains("multiply"), "{out}");
    assert!(out.contains("peak memory"), "{out}");
    // 36 bytes at 10 GB/s.
    assert!(
        out.lines().any(|line| line.starts_with("multiply") && line.contains(" 3.6 ns  memory")),
        "{out}"
    );
    let out = place.good("hlo stats scale.mlir --gflops 100 --gbytes 10 --json");
    let report: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(report["ops"]["multiply"]["flops"], 3.0);
    assert_eq!(report["ops"]["multiply"]["bytes"], 36.0);
}

/// A product, what is left to the evaluator, and how many of each.
#[test]
fn statistics_say_how_each_step_runs() {
    let place = place();
    let text = "func.func @main(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = stablehlo.cholesky %0, lower = true : tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}
";
    fs::write(place.path("steps.mlir"), text).unwrap();
    let out = place.good("hlo stats steps.mlir --gflops 1 --gbytes 1");
    assert!(out.contains("2 steps: 1 product, 1 evaluator\n"), "{out}");
    assert!(out.contains("evaluator: cholesky f32[4,4] at "), "{out}");
    assert!(out.contains("steps.mlir:3"), "{out}");
    let out = place.good("hlo stats steps.mlir --gflops 1 --gbytes 1 --json");
    let report: serde_json::Value = serde_json::from_str(&out).unwrap();
    let ways: Vec<&str> =
        report["steps"].as_array().unwrap().iter().filter_map(|step| step["way"].as_str()).collect();
    assert_eq!(ways, ["product", "evaluator"], "{out}");
}

#[test]
fn differences_are_found_where_they_begin() {
    let place = place();
    assert!(place.good("hlo diff scale.mlir").contains("2 results agree"));
    fs::write(place.path("other.mlir"), PROGRAM.replace("stablehlo.multiply", "stablehlo.add")).unwrap();
    let done = place.jarrah("hlo diff scale.mlir other.mlir --inputs in.safetensors");
    assert_eq!(done.code, Some(2), "{done:?}");
    assert!(done.out.contains("result 0: element 0 of f32[3]: 0.5 against 1.5"), "{done:?}");
    assert!(done.out.contains("first in the first program at instruction 1: multiply"), "{done:?}");
}

#[test]
fn every_element_type_goes_through_files() {
    let place = place();
    for dtype in DType::ALL {
        let mut b = Builder::new("main");
        let x = b.param(Type::tensor(dtype, [3, 5]), "x");
        let program = b.finish(&[x]).unwrap();
        fs::write(place.path("same.mlir"), jarrah_hlo_format::print(&program)).unwrap();
        place.good("hlo run same.mlir --random 1 --outputs a.safetensors");
        let first = fs::read(place.path("a.safetensors")).unwrap();
        for backend in ["cpu", "reference"] {
            place.good(&format!(
                "hlo run same.mlir --inputs a.safetensors --outputs b.safetensors --backend {backend}"
            ));
            assert_eq!(fs::read(place.path("b.safetensors")).unwrap(), first, "{dtype} on {backend}");
        }
        // Without the metadata the program says what the tensors are.
        let file = safetensors::SafeTensors::deserialize(&first).unwrap();
        let plain = safetensors::serialize(file.tensors(), None).unwrap();
        fs::write(place.path("plain.safetensors"), plain).unwrap();
        place.good("hlo run same.mlir --inputs plain.safetensors --outputs b.safetensors");
        assert_eq!(fs::read(place.path("b.safetensors")).unwrap(), first, "{dtype} without metadata");
        assert!(
            place
                .good("hlo diff same.mlir --inputs a.safetensors")
                .starts_with("1 result agrees on 1 argument")
        );
    }
}

#[test]
fn narrow_integers_are_stored_as_their_values() {
    let place = place();
    let text = "func.func @main(%x: tensor<2xi4>) -> tensor<2xi4> { return %x : tensor<2xi4> }";
    fs::write(place.path("i4.mlir"), text).unwrap();
    let store = |values: [i8; 2]| {
        let bytes = values.map(|v| v as u8);
        let tensor = TensorView::new(safetensors::Dtype::I8, vec![2], &bytes).unwrap();
        fs::write(place.path("i4.safetensors"), safetensors::serialize([("0", tensor)], None).unwrap())
            .unwrap();
    };
    store([-8, 7]);
    assert_eq!(place.good("hlo run i4.mlir --inputs i4.safetensors"), "0: i4[2] [-8,  7]\n");
    store([-8, 8]);
    place.refused(
        "hlo run i4.mlir --inputs i4.safetensors",
        "element 1 of tensor \"0\" of i4.safetensors is 8, which is no i4",
    );
}

#[test]
fn random_arguments_come_from_a_seed() {
    let place = place();
    let run = |seed: &str| place.good(&format!("hlo run scale.mlir --random {seed}"));
    assert_eq!(run("7"), run("7"));
    assert_ne!(run("7"), run("8"));
    place.refused(
        "hlo run scale.mlir --random 1 --inputs in.safetensors",
        "the argument '--random <SEED>' cannot be used with",
    );
    let error = place.refused("hlo run scale.mlir", "the program takes 2 arguments");
    assert!(error.contains("--random SEED"), "{error}");
}

#[test]
fn a_file_without_a_program_is_refused() {
    let place = place();
    for (name, text) in [("empty.mlir", ""), ("comment.mlir", "// nothing\n"), ("module.mlir", "module {}")] {
        fs::write(place.path(name), text).unwrap();
        for command in ["run", "check", "print", "stats", "opt", "diff"] {
            let done = place.jarrah(&format!("hlo {command} {name}"));
            assert_eq!(done.code, Some(2), "{command} {name}: {done:?}");
            assert!(format!("{done:?}").contains(&format!("{name} holds no program")), "{done:?}");
        }
        place.refused(&format!("hlo convert {name} out.mlirbc"), &format!("{name} holds no program"));
    }
}

#[test]
fn folders_are_searched_for_every_kind_of_program() {
    let place = place();
    fs::create_dir_all(place.path("none")).unwrap();
    place.refused("hlo check none", "there is no program in none");
    for name in ["damaged.jax_export", "DAMAGED.MLIRBC"] {
        fs::create_dir_all(place.path("some")).unwrap();
        fs::write(place.path("some").join(name), b"nothing of the kind").unwrap();
        place.refused("hlo check some", "1 of 1 file");
        fs::remove_dir_all(place.path("some")).unwrap();
    }
}

#[test]
fn numbers_that_mean_nothing_are_refused() {
    let place = place();
    let cases = [("diff", "tolerance", "inf"), ("diff", "tolerance", "-1"), ("stats", "gflops", "0")];
    for (command, option, number) in cases {
        let message = format!("invalid value '{number}' for '--{option}");
        place.refused(&format!("hlo {command} scale.mlir --{option} {number}"), &message);
    }
}

#[test]
fn bad_input_is_told_with_its_place() {
    let place = place();
    place.refused("hlo run scale.mlir", "the program takes 2 arguments: f32[3], f32[]");
    place.refused("hlo run nowhere.mlir", "cannot read");
    place.refused("hlo run checks.mlir", "checks.mlir holds 2 modules, one is needed");
    fs::write(place.path("bad.mlir"), PROGRAM.replace("dims = []", "dims = [")).unwrap();
    let error = place.refused("hlo print bad.mlir", "expected");
    assert!(error.contains("bad.mlir:3:"), "{error}");
    fs::write(place.path("short.safetensors"), tensors(&[(&[3], &[1.0, 2.0, 3.0])])).unwrap();
    place.refused("hlo run scale.mlir --inputs short.safetensors", "");
    fs::write(place.path("shape.safetensors"), tensors(&[(&[2], &[1.0, 2.0]), (&[], &[1.0])])).unwrap();
    let error = place.refused("hlo run scale.mlir --inputs shape.safetensors", "");
    assert!(error.contains("argument 0 of @main is f32[3], not f32[2]"), "{error}");
    assert!(error.contains("the tensors in shape.safetensors"), "{error}");
    fs::write(place.path("junk.mlirbc"), b"ML\xefR\x06\xff\xff\xff").unwrap();
    place.refused("hlo run junk.mlirbc", "");
}

/// Results of types that the format lacks are named in the metadata, in one order.
#[test]
fn the_same_results_make_the_same_file() {
    let place = place();
    let types = ["i4", "ui4", "i2", "ui2", "complex<f64>"].map(|ty| format!("tensor<2x{ty}>"));
    let arguments = types.iter().enumerate().map(|(i, ty)| format!("%{i}: {ty}")).collect::<Vec<_>>();
    let names = (0..types.len()).map(|i| format!("%{i}")).collect::<Vec<_>>();
    let text = format!(
        "func.func @main({}) -> ({types}) {{ return {} : {types} }}",
        arguments.join(", "),
        names.join(", "),
        types = types.join(", ")
    );
    fs::write(place.path("types.mlir"), text).unwrap();
    let files = (0..6).map(|i| {
        place.good(&format!("hlo run types.mlir --random 1 --outputs {i}.safetensors"));
        fs::read(place.path(&format!("{i}.safetensors"))).unwrap()
    });
    let files: Vec<Vec<u8>> = files.collect();
    assert!(files.windows(2).all(|pair| pair[0] == pair[1]));
    let shown = place.good("hlo run types.mlir --random 1");
    assert_eq!(place.good("hlo run types.mlir --inputs 0.safetensors"), shown);
}

#[test]
fn results_do_not_replace_the_program() {
    let place = place();
    let before = fs::read(place.path("scale.mlir")).unwrap();
    place.refused(
        "hlo run scale.mlir --inputs in.safetensors --outputs ./scale.mlir",
        "the results would replace the program ./scale.mlir",
    );
    assert_eq!(fs::read(place.path("scale.mlir")).unwrap(), before);
}

/// Values that are made first and used last, so that there is something to compute again.
const BACK: &str = r#"func.func @main(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %a = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %b = stablehlo.dot_general %a, %x, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %c = stablehlo.tanh %b : tensor<64x64xf32>
  %d = stablehlo.dot_general %c, %b, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %e = stablehlo.dot_general %d, %x, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %f = stablehlo.dot_general %e, %a, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %f : tensor<64x64xf32>
}
"#;

#[test]
fn every_pass_is_written_to_a_folder() {
    let place = place();
    fs::write(place.path("back.mlir"), BACK).unwrap();
    let table = place.good("hlo opt back.mlir --dump-dir dump");
    assert!(table.contains("input") && table.contains("schedule"), "{table}");
    let read = |name: &str| fs::read_to_string(place.path("dump").join(name)).unwrap();
    assert_eq!(read("passes.txt"), table);
    assert!(read("00-input.mlir").contains("stablehlo.tanh"));
    // What changed nothing has no file.
    let files: Vec<String> = fs::read_dir(place.path("dump"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let written = files.iter().filter(|name| name.ends_with(".mlir")).count();
    assert_eq!(written, table.matches(".mlir").count());
    assert!(table.contains("(unchanged)") && written < table.lines().count() - 1, "{table}");
    let fused = files.iter().find(|name| name.ends_with("-fusion.mlir")).unwrap();
    assert!(read(fused).contains("jarrah.kernel"));
    let kernels = read("kernels.txt");
    assert!(
        kernels.contains("// step ") && kernels.contains("tanh") && kernels.contains("back.mlir:4"),
        "{kernels}"
    );
    // Without code for this processor the file says so.
    let assembly = read("assembly.txt");
    #[cfg(all(target_arch = "x86_64", unix, not(jarrah_portable)))]
    let native = jarrah_cpu::gemm::Isa::available().contains(&jarrah_cpu::gemm::Isa::Avx2);
    #[cfg(not(all(target_arch = "x86_64", unix, not(jarrah_portable))))]
    let native = false;
    let wanted = if native { "vmulps" } else { "no machine code" };
    assert!(assembly.contains("back.mlir:4") && assembly.contains(wanted), "{assembly}");
    let memory = read("memory.txt");
    assert!(memory.contains("memory of main") && memory.contains("arena"), "{memory}");
    assert!(memory.contains("f32[64,64], dot_general at back.mlir:2"), "{memory}");
    // What an earlier program left is no pass of this one; what is no dump stays.
    fs::write(place.path("dump/notes-mine.mlir"), "mine").unwrap();
    fs::write(
        place.path("plain.mlir"),
        "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }",
    )
    .unwrap();
    place.good("hlo opt plain.mlir --dump-dir dump");
    let mut programs: Vec<String> = fs::read_dir(place.path("dump"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".mlir"))
        .collect();
    programs.sort();
    assert_eq!(programs, ["00-input.mlir", "notes-mine.mlir"]);
    // Chosen passes are written just so.
    assert!(place.good("hlo opt back.mlir --passes cse,fusion --dump-dir some").contains("02-fusion.mlir"));
}

#[test]
fn times_of_passes_account_for_the_whole() {
    let place = place();
    fs::write(place.path("back.mlir"), BACK).unwrap();
    let table = place.good("hlo opt back.mlir --time-passes");
    let share = |line: &str| line.trim_end_matches(" %").rsplit(' ').next().unwrap().parse::<f64>().unwrap();
    let rows: Vec<(&str, f64)> =
        table.lines().map(|line| (line.split_whitespace().next().unwrap(), share(line))).collect();
    for part in ["read", "import", "fusion", "schedule", "verify", "buffers", "steps"] {
        assert!(rows.iter().any(|(name, _)| *name == part), "{part} in {table}");
    }
    let whole = rows.iter().find(|(name, _)| *name == "whole").unwrap().1;
    let parts: f64 = rows.iter().filter(|(name, _)| *name != "whole").map(|(_, share)| share).sum();
    assert_eq!(whole, 100.0);
    // Shares are rounded to a tenth.
    assert!((parts - 100.0).abs() <= 0.05 * rows.len() as f64, "{table}");
    assert!(rows.iter().any(|(name, _)| *name == "(other)"), "{table}");
}

#[test]
fn a_memory_limit_is_kept_and_says_what_it_costs() {
    let place = place();
    fs::write(place.path("back.mlir"), BACK).unwrap();
    let done = place.jarrah("hlo opt back.mlir --memory-limit 84KiB");
    assert_eq!(done.code, Some(0), "{done:?}");
    assert!(done.err.contains("computed again"), "{done:?}");
    assert!(done.out.matches("dot_general").count() > BACK.matches("dot_general").count(), "{done:?}");
    place.refused("hlo opt back.mlir --memory-limit 20kB", "main needs");
    let done = place.jarrah("hlo opt back.mlir --memory-limit 20kB");
    assert!(done.err.contains("16 kB: f32[64,64], dot_general at back.mlir:"), "{done:?}");
    place.refused(
        "hlo opt back.mlir --memory-limit 1GB --passes cse",
        "a memory limit is kept by all passes together",
    );
}

#[test]
fn a_profile_accounts_for_the_run() {
    let place = place();
    fs::write(place.path("back.mlir"), BACK).unwrap();
    let out = place.good("hlo profile back.mlir --iterations 3 --gflops 100 --gbytes 10 --json");
    let report: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(report["runs"], 3);
    let steps = report["steps"].as_array().unwrap();
    let sum: f64 = steps.iter().map(|step| step["seconds"].as_f64().unwrap()).sum();
    let (whole, between) = (report["seconds"].as_f64().unwrap(), report["between_s"].as_f64().unwrap());
    assert!((sum + between - whole).abs() <= 1e-3 * whole, "{out}");
    assert!(steps.windows(2).all(|w| w[0]["seconds"].as_f64() >= w[1]["seconds"].as_f64()), "{out}");
    let product = steps.iter().find(|step| step["line"] == "back.mlir:2").unwrap();
    assert_eq!(product["flops"], 2.0 * 64.0 * 64.0 * 64.0);
    // 524288 operations at 10^11 a second take longer than 49152 bytes at 10^10.
    assert_eq!(product["bound"], "arithmetic");
    let table = place.good("hlo profile back.mlir --iterations 2 --top 2 --gflops 100 --gbytes 10");
    assert!(
        table.contains("(between steps)") && table.contains(" more)") && table.contains("whole"),
        "{table}"
    );
}

/// The sum over four devices of rows, and the same for a program that says how many devices it is for.
const ON_FOUR: &str = r#"module @sum attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=4]>
  func.func public @main(%arg0: tensor<8x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<2x2xf32> {
    %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{}, {}]>] manual_axes={"x"} (%arg1: tensor<2x2xf32>) {
      %1 = "stablehlo.all_reduce"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %2 = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %2 : tensor<f32>
      }) : (tensor<2x2xf32>) -> tensor<2x2xf32>
      sdy.return %1 : tensor<2x2xf32>
    } : (tensor<8x2xf32>) -> tensor<2x2xf32>
    return %0 : tensor<2x2xf32>
  }
}
"#;

#[test]
fn a_program_for_several_devices_runs_on_them() {
    let place = place();
    fs::write(place.path("sum.mlir"), ON_FOUR).unwrap();
    let x: Vec<f32> = (0..16).map(|n| n as f32).collect();
    fs::write(place.path("x.safetensors"), tensors(&[(&[8, 2], &x)])).unwrap();
    let shown = place.good("hlo run sum.mlir --inputs x.safetensors --devices 4");
    assert!(shown.contains("24") && shown.contains("36"), "{shown}");
    let message = "[builtin.module] the module is for 4 partitions, it is to run in 3";
    let help = "this is a program of 4 devices: --devices 4";
    let refused = place.refused("hlo run sum.mlir --inputs x.safetensors --devices 3", message);
    assert!(refused.contains(help), "{refused}");
    // Without a mesh and a number of partitions, the groups of a collective say how many.
    let plain = |op: &str, of: &str| {
        let ty = "tensor<f32>";
        let op = format!("%y = \"stablehlo.{op}\"(%x) {of} : ({ty}) -> {ty}");
        let text = format!("func.func public @main(%x: {ty}) -> {ty} {{\n{op}\nreturn %y : {ty}\n}}\n");
        fs::write(place.path("plain.mlir"), text).unwrap();
    };
    let groups = "dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>";
    let add = "({\n^bb0(%a: tensor<f32>, %b: tensor<f32>):\n  %2 = stablehlo.add %a, %b : tensor<f32>\n  stablehlo.return %2 : tensor<f32>\n})";
    plain("all_reduce", &format!("{add} {{replica_groups = {groups}}}"));
    let refused = place.refused("hlo run plain.mlir --random 1", "[stablehlo.all_reduce] needs 2 devices");
    assert!(refused.contains(help), "{refused}");
    plain("collective_permute", &format!("{{source_target_pairs = {groups}}}"));
    let refused =
        place.refused("hlo run plain.mlir --random 1", "[stablehlo.collective_permute] needs 4 devices");
    assert!(refused.contains(help), "{refused}");
}

//! Our own plugin, as any other would be used.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::support::Place;

/// The shared library that cargo builds beside these tests.
fn library() -> PathBuf {
    let name = format!("{}jarrah_pjrt_plugin{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    std::env::current_exe().unwrap().with_file_name(name)
}

const PROGRAM: &str = r#"
module @squares {
  func.func public @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
"#;

fn place() -> Place {
    let place = Place::new();
    fs::write(place.path("squares.mlir"), PROGRAM).unwrap();
    place
}

fn json(line: &str) -> Value {
    serde_json::from_str(line.trim()).unwrap()
}

#[test]
fn devices_of_plugins_are_listed_after_ours() {
    let place = place();
    let path = library();
    let mut command = place.command(&format!("devices --json --plugin {}", path.display()));
    command.env("JARRAH_CPU_DEVICES", "2").env("JARRAH_PJRT_PLUGINS", &path);
    let out = command.output().unwrap();
    let listed = json(&String::from_utf8(out.stdout).unwrap());
    let platforms: Vec<_> = listed.as_array().unwrap().iter().map(|source| &source["platform"]).collect();
    assert_eq!(platforms, ["cpu", "jarrah", "jarrah"]);
    assert_eq!(listed[0]["plugin"], Value::Null);
    assert_eq!(listed[1]["plugin"], json!(path));
    assert_eq!(listed[1]["stablehlo"], json!("1.20.0"));
    assert_eq!(listed[1]["devices"].as_array().unwrap().len(), 2);
    assert_eq!(listed[1]["devices"][1]["id"], json!(1));
    assert_eq!(listed[1]["devices"][1]["memories"], listed[0]["devices"][1]["memories"]);
    // A library that is none does not hide the devices that there are.
    let done = place.jarrah("devices --plugin squares.mlir");
    assert_eq!(done.code, Some(2), "{done:?}");
    assert!(done.out.starts_with("cpu\n  0: "), "{done:?}");
    assert!(done.err.contains("squares.mlir cannot be loaded as a PJRT plugin"), "{done:?}");
}

#[test]
fn counts_in_the_environment_that_are_none_are_said() {
    let place = place();
    for (name, value) in
        [("CPU_DEVICES", "x"), ("CPU_DEVICES", "0"), ("CPU_DEVICES", "1025"), ("THREADS", "-1")]
    {
        let output = place.command("devices").env(format!("JARRAH_{name}"), value).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(
            error.starts_with(&format!("jarrah: JARRAH_{name} is a number from 1 to 1024, not {value:?}; ")),
            "{error}"
        );
        assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 2);
    }
    let output =
        place.command("devices").env("JARRAH_CPU_DEVICES", "3").env("JARRAH_THREADS", "").output().unwrap();
    assert_eq!((output.stderr.len(), String::from_utf8(output.stdout).unwrap().lines().count()), (0, 4));
}

#[test]
fn a_plugin_runs_a_program_as_we_do() {
    let place = place();
    let path = library();
    place.good("hlo run squares.mlir --random 3 --outputs ours.safetensors");
    let run = format!("hlo run squares.mlir --random 3 --plugin {}", path.display());
    place.good(&format!("{run} --outputs its.safetensors"));
    let read = |name: &str| fs::read(place.path(name)).unwrap();
    assert_eq!(read("ours.safetensors"), read("its.safetensors"));
    let done = place.jarrah(&format!("{run} --backend cpu"));
    assert_eq!(done.code, Some(2), "{done:?}");
}

#[test]
fn a_plugin_compiles_ahead_of_time() {
    let place = place();
    let compile = format!("hlo compile squares.mlir --plugin {}", library().display());
    for topology in ["", "--topology cpu:8"] {
        let report = json(&place.good(&format!("{compile} {topology} --json --outputs optimised.mlir")));
        assert_eq!(report["cost"]["flops"], json!(4.0));
        assert_eq!((&report["argument_bytes"], &report["result_bytes"]), (&json!(16), &json!(16)));
        assert_eq!(report["format"], json!("mlir"));
        let text = fs::read_to_string(place.path("optimised.mlir")).unwrap();
        assert!(text.contains("module @squares"), "{text}");
        assert_eq!(place.good(&format!("{compile} {topology} --outputs -")), text);
    }
    let shown = place.good(&compile);
    assert!(shown.contains("flops: 4.0\n") && shown.contains("arguments: 16 B\n"), "{shown}");
    let done = place.jarrah(&format!("{compile} --topology moon"));
    assert!(done.code == Some(1) && done.err.contains("there is no topology `moon`"), "{done:?}");
}

//! The cache of compiled programs that processes share.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use crate::support::{Noise, Place};

fn program(name: &str, op: &str) -> String {
    format!(
        "module @{name} {{\n  func.func public @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {{\n    \
         %0 = stablehlo.{op} %arg0, %arg0 : tensor<4xf32>\n    return %0 : tensor<4xf32>\n  }}\n}}\n"
    )
}

fn kept(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> = entries.filter(|path| path.extension().is_some()).collect();
    paths.sort();
    paths
}

/// What running a file prints, in a process with the cache.
fn run(place: &Place, file: &str) -> String {
    let mut command = place.command(&format!("hlo run {file} --random 1"));
    let output = command.env("JARRAH_CACHE", place.path("cache")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// What a second process runs is the file: when what follows the keys of two files changes places, so do the results.
#[test]
fn a_second_process_compiles_nothing() {
    let place = Place::new();
    for (name, op) in [("sum", "add"), ("product", "multiply")] {
        fs::write(place.path(&format!("{name}.mlir")), program(name, op)).unwrap();
    }
    let sum = run(&place, "sum.mlir");
    let [first] = &kept(&place.path("cache"))[..] else { panic!("one file") };
    let product = run(&place, "product.mlir --threads 1");
    assert_ne!(sum, product);
    let second = kept(&place.path("cache")).into_iter().find(|path| path != first).unwrap();
    assert_eq!((run(&place, "sum.mlir"), run(&place, "product.mlir")), (sum.clone(), product.clone()));
    assert_eq!(kept(&place.path("cache")).len(), 2);

    let (a, b) = (fs::read(first).unwrap(), fs::read(&second).unwrap());
    const KEY: usize = 32;
    fs::write(first, [&a[..KEY], &b[KEY..]].concat()).unwrap();
    fs::write(&second, [&b[..KEY], &a[KEY..]].concat()).unwrap();
    assert_eq!((run(&place, "sum.mlir"), run(&place, "product.mlir")), (product, sum));
}

#[test]
fn a_process_that_is_killed_leaves_nothing_wrong() {
    let place = Place::new();
    let mut noise = Noise(7);
    for round in 0..12 {
        let name = format!("program{round}");
        fs::write(place.path(&format!("{name}.mlir")), program(&name, "add")).unwrap();
        let mut command = place.command(&format!("hlo run {name}.mlir --random 1"));
        command.env("JARRAH_CACHE", place.path("cache")).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        std::thread::sleep(noise.below(Duration::from_millis(20)));
        child.kill().unwrap();
        child.wait().unwrap();
        let expected = place.good(&format!("hlo run {name}.mlir --random 1"));
        assert_eq!(run(&place, &format!("{name}.mlir")), expected, "after a kill");
        assert_eq!(run(&place, &format!("{name}.mlir")), expected, "out of the cache");
    }
    assert_eq!(
        kept(&place.path("cache")).iter().filter(|p| p.to_string_lossy().ends_with(".jarrah")).count(),
        12
    );
}

#[test]
fn what_is_wrong_with_the_cache_is_said_and_the_program_runs() {
    let place = Place::new();
    fs::write(place.path("sum.mlir"), program("sum", "add")).unwrap();
    fs::write(place.path("file"), b"").unwrap();
    for (name, value, message) in [
        ("JARRAH_CACHE", "file/cache", "programs are compiled and not kept"),
        ("JARRAH_CACHE_LIMIT", "much", "JARRAH_CACHE_LIMIT is a number of bytes, not \"much\""),
    ] {
        let mut command = place.command("hlo run sum.mlir --random 1");
        let output = command.env("JARRAH_CACHE", "cache").env(name, value).output().unwrap();
        assert!(output.status.success());
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains(message), "{said}");
        assert_eq!(said.matches("jarrah:").count(), 1, "{said}");
    }
}

#[test]
fn a_second_start_makes_no_weights() {
    let place = Place::new();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../models/tests/families/gpt2");
    let start = || {
        let mut command = place.command(&format!("bench startup {folder} --json"));
        let output = command.env("JARRAH_CACHE", place.path("cache")).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        kept(&place.path("cache/weights"))
    };
    let mut files = start();
    // A start that ends with its first token may end before all that it made is written.
    for _ in 0..5 {
        let before = std::mem::replace(&mut files, start());
        if before == files {
            break;
        }
    }
    assert!(files.iter().any(|path| path.extension().is_some_and(|end| end == "weights")), "{files:?}");
    assert_eq!(start(), files);
}

//! Each `tests/files/NAME.mlir` names a pass in its first line, `// pass: NAME`; `NAME.out` is the program after it. The second
//! line may give a limit: `// memory_limit: BYTES`. A pass that `compile` leaves out runs on the program as it stands; the others run behind
//! those that come before them.
//!
//! With `BLESS=1` in the environment the outputs are written instead of compared.

use std::path::{Path, PathBuf};

use jarrah_compiler::{PASSES, PassOptions, Reference, compile};
use jarrah_hlo_format::{parse_named, print};

#[test]
fn each_pass_has_its_output() {
    let bless = std::env::var_os("BLESS").is_some();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files");
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let mut files: Vec<PathBuf> = entries.map(|e| e.expect("it is readable").path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "mlir"));
    files.sort();
    assert!(files.len() >= 10);
    for path in files {
        let text = std::fs::read_to_string(&path).expect("it is readable");
        let name = path.file_name().expect("it is a file").to_string_lossy();
        let first = text.lines().next().unwrap_or_default();
        let pass = first.strip_prefix("// pass: ").unwrap_or_else(|| panic!("{name} names no pass"));
        let second = text.lines().nth(1).and_then(|line| line.strip_prefix("// memory_limit: "));
        let memory_limit = second.map(|bytes| bytes.parse().unwrap_or_else(|e| panic!("{name}: {e}")));
        let program = parse_named(&name, &text).unwrap_or_else(|e| panic!("{e}"));
        let target = Reference { contracts: matches!(pass, "contract" | "groups"), ..Reference::default() };
        let mut printed = None;
        let apart = PASSES.iter().find(|p| p.apart && p.name == pass);
        if let Some(apart) = apart {
            let after = apart.run(&program, &target, &[]).unwrap_or_else(|e| panic!("{name}: {e}"));
            after.verify().unwrap_or_else(|e| panic!("{name}: {e}"));
            printed = Some(print(&after));
        }
        let mut dump = |after: &str, program: &jarrah_hlo::Program| {
            if after == pass {
                printed = Some(print(program));
            }
        };
        let options =
            PassOptions { dump: Some(&mut dump), verify: true, memory_limit, ..PassOptions::default() };
        let compiled = compile(&program, &target, options).unwrap_or_else(|e| panic!("{name}: {e}"));
        crate::common::canonical(&compiled.program);
        let printed = printed.unwrap_or_else(|| panic!("{name}: there is no pass {pass}"));
        let expected = path.with_extension("out");
        if bless {
            std::fs::write(&expected, &printed).expect("the folder is writable");
        }
        assert_eq!(printed, std::fs::read_to_string(&expected).expect("bless it first"), "{name}");
    }
}

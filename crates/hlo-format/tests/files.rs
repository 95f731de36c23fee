//! Each `tests/files/NAME.mlir` parses to the program whose text is `NAME.out`.
//!
//! With `BLESS=1` in the environment the outputs are written instead of compared.

use std::path::{Path, PathBuf};

use jarrah_hlo_format::{parse_named, print};

fn inputs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("the folder is readable").path())
        .filter(|path| path.extension().is_some_and(|e| e == "mlir"))
        .collect();
    files.sort();
    files
}

#[test]
fn each_file_has_its_output() {
    let bless = std::env::var_os("BLESS").is_some();
    let files = inputs();
    assert!(files.len() >= 10);
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy();
        let program = parse_named(&name, &text).unwrap_or_else(|e| panic!("{e}"));
        program.verify().unwrap();
        let printed = print(&program);
        let again = parse_named(&name, &printed).unwrap_or_else(|e| panic!("{e}\n{printed}"));
        assert!(again == program, "{name} changed:\n{printed}");
        let expected = path.with_extension("out");
        if bless {
            std::fs::write(&expected, &printed).unwrap();
        }
        assert_eq!(printed, std::fs::read_to_string(&expected).unwrap(), "{name}");
    }
}

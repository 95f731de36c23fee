//! Damaged texts give errors or other programs, never a panic or an endless loop.

use jarrah_hlo::{Builder, Op};
use jarrah_hlo_format::{PrintOptions, assembly, parse, print, print_with};

use jarrah_testing::mutants::{Random, mutants};

fn texts() -> Vec<String> {
    let mut texts = Vec::new();
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files");
    for entry in std::fs::read_dir(folder).unwrap() {
        texts.push(std::fs::read_to_string(entry.unwrap().path()).unwrap());
    }
    texts.sort();
    for example in Op::examples() {
        let mut b = Builder::new("example");
        let params: Vec<_> = example.operands.iter().map(|o| b.param(o.ty(), "x")).collect();
        let results = b.push(example.op.clone(), &params).unwrap();
        let program = b.finish(&results).unwrap();
        texts.push(print_with(&program, &PrintOptions { locations: true, ..PrintOptions::default() }));
    }
    texts
}

/// Pieces that damage texts in ways that single bytes do not.
const PIECES: &[&str] = &[
    "\"",
    "(",
    ")",
    "<",
    ">",
    "{",
    "}",
    "[",
    "]",
    "%",
    "#",
    "0x",
    "-",
    "->",
    ":",
    ",",
    "9999999999",
    "18446744073709551615",
    "-1",
    "dense<",
    "tensor<",
    "?x",
    "0x4x",
    "loc(",
    "é",
    "\\",
    "^bb0",
    "@",
    "!",
    "//",
    "\n",
    "-9223372036854775808",
    "1e400",
    "0",
    "array<i64: 1>",
    "i1",
    "f64",
    "ui8",
    " x ",
    "jarrah.scan",
    "%arg0",
    "%0#1",
    "1099511627776",
];

fn damage(text: &str, random: &mut Random) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=random.below(6) / 4 {
        if bytes.is_empty() {
            break;
        }
        let at = random.below(bytes.len());
        let length = 1 + random.below(20);
        let end = (at + length).min(bytes.len());
        match random.below(7) {
            0 => bytes[at] ^= 1 << random.below(8),
            1 => drop(bytes.drain(at..end)),
            2 => {
                let copy = bytes[at..end].to_vec();
                let to = random.below(bytes.len());
                bytes.splice(to..to, copy);
            }
            3 => bytes.truncate(at),
            4 => {
                let piece = PIECES[random.below(PIECES.len())].as_bytes();
                bytes.splice(at..at, piece.iter().copied());
            }
            5 => {
                // A digit becomes another one: other extents, axes and names.
                if let Some(digit) = (at..bytes.len()).find(|&i| bytes[i].is_ascii_digit()) {
                    bytes[digit] = b'0' + random.below(10) as u8;
                }
            }
            _ => {
                let piece = PIECES[random.below(PIECES.len())].as_bytes();
                bytes.splice(at..end, piece.iter().copied());
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn damaged_texts_do_no_harm() {
    let texts = texts();
    let mut random = Random(0x5EED_1234_ABCD_0001);
    let (mut parsed, mut refused) = (0, 0);
    let mutants = mutants(20_000);
    for round in 0..mutants {
        let damaged = damage(&texts[round % texts.len()], &mut random);
        match parse(&damaged) {
            Ok(program) => {
                program.verify().unwrap_or_else(|e| panic!("{e}\n{damaged}"));
                let text = print(&program);
                let again = parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}\n{damaged}"));
                assert!(again == program, "{damaged}\n{text}");
                parsed += 1;
            }
            Err(error) => {
                assert!(error.location().is_some(), "{error}");
                refused += 1;
            }
        }
    }
    assert!(parsed > mutants / 40 && refused > mutants / 4, "{parsed} parsed, {refused} refused");
}

/// Texts of the tree, in each way of printing them.
fn assemblies() -> Vec<String> {
    let mut texts = Vec::new();
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/assembly");
    for entry in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        let module = assembly::parse("text", &text).unwrap();
        let options =
            assembly::PrintOptions { generic: true, locations: true, ..assembly::PrintOptions::default() };
        texts.push(assembly::print(&module, &options));
        texts.push(text);
    }
    texts.sort();
    texts
}

#[test]
fn damaged_assembly_does_no_harm() {
    let texts = assemblies();
    let mut random = Random(0x5EED_1234_ABCD_0002);
    let (mut parsed, mut verified, mut refused) = (0, 0, 0);
    let mutants = mutants(8_000);
    for round in 0..mutants {
        let damaged = damage(&texts[round % texts.len()], &mut random);
        let Ok(modules) = assembly::parse_split("text", &damaged).inspect_err(|error| {
            assert!(error.location().is_some(), "{error}");
        }) else {
            refused += 1;
            continue;
        };
        for module in &modules {
            parsed += 1;
            verified += usize::from(module.verify().is_ok());
            for generic in [false, true] {
                let options = assembly::PrintOptions { generic, ..assembly::PrintOptions::default() };
                let text = assembly::print(module, &options);
                let again =
                    assembly::parse("text", &text).unwrap_or_else(|e| panic!("{e}\n{text}\n{damaged}"));
                assert!(module.same(&again), "{damaged}\n{text}");
                assert_eq!(assembly::print(&again, &options), text, "{damaged}");
            }
        }
    }
    let counts = format!("{parsed} parsed, {verified} verified, {refused} refused");
    assert!(
        parsed > mutants / 16 && verified > mutants / 80 && verified < parsed && refused > mutants / 4,
        "{counts}"
    );
}

//! Artifacts that the original implementation wrote, and what becomes of damaged ones.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

use jarrah_base::{DType, ErrorKind, Literal};
use jarrah_hlo_format::assembly;
use jarrah_hlo_format::bytecode::{self, Version};
use jarrah_hlo_format::ir::{
    Attr, Attributes, Dense, ElementTy, IrModule, IrOp, Loc, OriginFile, Quantized, TensorTy, Ty, ValueId,
};

use jarrah_testing::mutants::{Random, mutants};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

fn golden(name: &str) -> Vec<u8> {
    std::fs::read(folder().join(name)).unwrap()
}

fn goldens() -> Vec<(String, Vec<u8>)> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if name.ends_with(".mlirbc") {
            all.push((name.clone(), golden(&name)));
        }
    }
    all.sort();
    assert!(all.len() >= 12, "{} files", all.len());
    all
}

fn read(bytes: &[u8]) -> IrModule {
    bytecode::read("test.mlirbc", bytes).unwrap()
}

fn op_lines(
    module: &IrModule,
    op: &IrOp,
    depth: usize,
    numbers: &mut BTreeMap<usize, usize>,
    out: &mut String,
) {
    let attributes: BTreeMap<_, _> = op.attributes.iter().collect();
    let number = |v: &_, numbers: &BTreeMap<usize, usize>| numbers[&ValueId::index(*v)];
    let operands: Vec<_> = op.operands.iter().map(|v| number(v, numbers)).collect();
    for v in &op.results {
        let n = numbers.len();
        numbers.insert(v.index(), n);
    }
    let types: Vec<_> = op.results.iter().map(|&v| module.ty(v)).collect();
    let loc = if op.loc == Loc::Unstated { &Loc::Unknown } else { &op.loc };
    writeln!(out, "{:depth$}{} {operands:?} {types:?} {attributes:?} {loc:?}", "", op.name()).unwrap();
    for region in &op.regions {
        let args: Vec<_> = region.args.iter().map(|&v| module.data(v)).map(|d| (&d.ty, &d.loc)).collect();
        for v in &region.args {
            let n = numbers.len();
            numbers.insert(v.index(), n);
        }
        writeln!(out, "{:depth$}region {args:?}", "").unwrap();
        for inner in &region.ops {
            op_lines(module, inner, depth + 1, numbers, out);
        }
    }
}

/// A module as lines: values by their order, attributes by their names, offsets left out.
fn lines(module: &IrModule) -> String {
    let mut out = String::new();
    op_lines(module, &module.op, 0, &mut BTreeMap::new(), &mut out);
    out
}

/// The first line that differs.
#[track_caller]
fn assert_same(a: &IrModule, b: &IrModule, what: &str) {
    let (a, b) = (lines(a), lines(b));
    for (x, y) in a.lines().zip(b.lines()) {
        assert_eq!(x, y, "{what}");
    }
    assert_eq!(a.lines().count(), b.lines().count(), "{what}");
}

fn releases() -> impl Iterator<Item = Version> {
    (9..=20).map(|minor| Version::new(0, minor)).chain((0..=20).map(|minor| Version::new(1, minor)))
}

#[test]
fn artifacts_of_all_versions_hold_the_same_module() {
    for name in ["base", "young", "sharded"] {
        let newest = read(&golden(&format!("{name}.1.17.0.mlirbc")));
        for (file, bytes) in goldens() {
            if file.starts_with(name) && !file.contains("plain") {
                assert_same(&read(&bytes), &newest, &file);
            }
        }
    }
}

#[test]
fn artifacts_say_what_their_text_says() {
    for name in ["base", "young", "sharded"] {
        let text = std::fs::read_to_string(folder().join(format!("{name}.mlir"))).unwrap();
        let text = assembly::parse(name, &text).unwrap();
        let read = read(&golden(&format!("{name}.1.17.0.mlirbc")));
        let options = assembly::PrintOptions { generic: true, ..Default::default() };
        for (a, b) in assembly::print(&read, &options).lines().zip(assembly::print(&text, &options).lines()) {
            assert_eq!(a, b, "{name}");
        }
        assert!(read.same(&text), "{name}");
    }
}

#[test]
fn a_module_that_is_not_portable_becomes_so() {
    for name in ["base", "young", "sharded"] {
        let plain = read(&golden(&format!("{name}.plain.mlirbc")));
        let portable = read(&bytecode::write(&plain, Version::CURRENT).unwrap());
        assert_same(&portable, &read(&golden(&format!("{name}.1.17.0.mlirbc"))), name);
    }
}

#[test]
fn what_is_written_is_read_back_at_all_versions() {
    for (file, since) in [
        ("base.1.17.0.mlirbc", Version::MINIMUM),
        ("young.1.17.0.mlirbc", Version::new(1, 13)),
        ("sharded.1.17.0.mlirbc", Version::new(1, 11)),
    ] {
        let module = read(&golden(file));
        for version in releases() {
            match bytecode::write(&module, version) {
                Ok(bytes) => {
                    assert!(version >= since, "{file} {version}");
                    assert_same(&read(&bytes), &module, &format!("{file} {version}"));
                }
                Err(error) => {
                    assert!(version < since, "{file} {version}: {error}");
                    assert!(error.message().contains("need"), "{error}");
                }
            }
        }
    }
}

#[test]
fn sizes_are_about_those_of_the_original() {
    for (file, bytes) in goldens() {
        if let Some(version) =
            file.strip_prefix("base.").and_then(|f| f.strip_suffix(".mlirbc")?.parse().ok())
        {
            let ours = bytecode::write(&read(&bytes), version).unwrap();
            assert!(ours.len() <= bytes.len() * 5 / 4, "{file}: {} instead of {}", ours.len(), bytes.len());
        }
    }
}

#[test]
fn newer_files_are_told_apart_from_damaged_ones() {
    let bytes = golden("base.1.17.0.mlirbc");
    let text = b"StableHLO_v1.17.0";
    let at = bytes.windows(text.len()).position(|w| w == text).unwrap();
    let mut newer = bytes.clone();
    newer[at..at + text.len()].copy_from_slice(b"StableHLO_v1.97.0");
    let error = bytecode::read("newer", &newer).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Input);
    assert!(error.message().contains("version skew"), "{error}");
    assert!(error.message().contains("1.97.0") && error.message().contains("1.20.0"), "{error}");

    let mut format = bytes.clone();
    format[4] = 2 * 7 + 1;
    let error = bytecode::read("newer", &format).unwrap_err();
    assert!(error.message().contains("version skew") && error.message().contains("format 7"), "{error}");

    for target in [Version::new(1, 21), Version::new(0, 8), Version::new(2, 0)] {
        let error = bytecode::write(&read(&bytes), target).unwrap_err();
        assert!(error.message().contains("version skew"), "{error}");
    }
    assert!(bytecode::is_bytecode(&bytes) && !bytecode::is_bytecode(b"module {}"));
    assert!(bytecode::read("text", b"module {}").unwrap_err().message().contains("no MLIR bytecode"));
}

#[test]
fn errors_of_older_versions_say_what_and_which() {
    let young = read(&golden("young.1.17.0.mlirbc"));
    for (version, what) in [
        ("1.5.0", "[stablehlo.dot_general] the attribute `accumulation_type` needs version 1.6.0"),
        ("1.8.0", "[stablehlo.exponential] the attribute `result_accuracy` needs version 1.9.0"),
        ("1.12.0", "[stablehlo.custom_call] buffers need version 1.13.0"),
    ] {
        let error = bytecode::write(&young, version.parse().unwrap()).unwrap_err().to_string();
        assert_eq!(error.lines().next(), Some(&*format!("{what}, and {version} is asked for")));
    }
}

#[test]
fn values_come_as_they_are() {
    let module = read(&golden("base.1.17.0.mlirbc"));
    let main = &module.ops()[0];
    assert_eq!(main.text("sym_name"), Some("main"));
    let constants: Vec<&Dense> = main.regions[0]
        .ops
        .iter()
        .filter_map(|op| match op.attr("value") {
            Some(Attr::Dense(dense)) => Some(dense),
            _ => None,
        })
        .collect();
    let f = constants[0];
    assert_eq!(f.value.get_f64(3), 4.0);
    assert!(f.value.get_f64(8).is_sign_negative() && f.value.get_f64(9).is_infinite());
    let bits: Vec<_> = (0..9).map(|i| constants[1].value.get_i128(i)).collect();
    assert_eq!(bits, [1, 0, 1, 1, 0, 0, 1, 0, 1]);
    assert!(constants[2].is_splat() && constants[2].value.get_i128(0) == 1);
    assert_eq!(constants[3].ty.element, ElementTy::Number(DType::C64));
    assert_eq!((constants[4].value.get_i128(0), constants[4].value.get_i128(1)), (-1, 7));
    assert_eq!((constants[5].value.get_f64(0), constants[5].value.get_f64(1)), (1.5, -2.0));
    assert_eq!(constants[6].integers(3), Some(vec![255, 0, 3]));
    assert_eq!(constants[7].value.get_f64(0), -1.0);
    let shapes = module.ops().iter().find(|op| op.text("sym_name") == Some("shapes")).unwrap();
    let Ty::Tensor(bounded) = module.ty(shapes.regions[0].args[1]) else { panic!("a tensor") };
    assert_eq!(bounded.dims.as_ref().unwrap()[..], [None, Some(4)]);
    let Some(Attr::Struct("stablehlo.bounds", fields)) = bounded.encoding.as_deref() else {
        panic!("bounds")
    };
    assert_eq!(fields.get("bounds").unwrap().integers(), Some(vec![5, i64::MIN]));
}

#[test]
fn quantized_types_locations_and_meshes_are_kept() {
    let mut module = IrModule::new(OriginFile::text("made", "").into());
    let quantized = |axis: Option<u32>, storage| {
        let count = axis.map_or(1, |_| 2);
        let ty = Quantized {
            storage,
            range: Quantized::full_range(storage),
            expressed: DType::F32,
            axis,
            scales: vec![0.125; count],
            zero_points: vec![-3; count],
        };
        let dims = Some([Some(2), None].into_iter().collect());
        Ty::Tensor(TensorTy { dims, element: ElementTy::Quantized(ty.into()), encoding: None })
    };
    let types = [quantized(None, DType::I8), quantized(Some(0), DType::U8), Ty::Token, Ty::None];
    let range = Loc::Range("file.py".into(), [3, 4, 5, 6]);
    let call = Loc::CallSite(std::sync::Arc::new((Loc::File("a".into(), 1, 2), range)));
    let loc = Loc::Name("scope".into(), Loc::Fused([call, Loc::Unknown].into()).into());
    let definition = |name| jarrah_hlo_format::ir::Definition::find(name).unwrap();
    let mut function = IrOp::new(definition("func.func"), 0);
    function.loc = loc.clone();
    function.attributes.set("sym_name", Attr::string("main"));
    function.attributes.set("function_type", Attr::Type(Ty::Function((types.to_vec(), vec![]).into())));
    let mut region = jarrah_hlo_format::ir::Region::default();
    for ty in types {
        region.args.push(module.value(ty, loc.clone()));
    }
    let axis = |name, size| {
        let fields = [("name".into(), Attr::string(name)), ("size".into(), Attr::i64(size))];
        Attr::Struct("stablehlo.mesh_axis", fields.into_iter().collect())
    };
    let sub = [("pre_size".into(), Attr::i64(1)), ("size".into(), Attr::i64(2))];
    let sub = Attr::Struct("stablehlo.sub_axis_info", sub.into_iter().collect());
    let reference: Attributes =
        [("name".into(), Attr::string("x")), ("sub_axis_info".into(), sub)].into_iter().collect();
    let ids = Literal::from_slice(&[2], &[1i64, 0]).unwrap();
    let dims = Some([Some(2)].into_iter().collect());
    let ids =
        Dense { ty: TensorTy { dims, element: ElementTy::Number(DType::I64), encoding: None }, value: ids };
    let mesh = [
        ("axes".into(), Attr::Array(vec![axis("x", 4), axis("y", 2)])),
        ("device_ids".into(), Attr::Dense(ids)),
    ];
    let groups = [
        ("mesh".into(), Attr::Struct("stablehlo.mesh", mesh.into_iter().collect())),
        ("axes".into(), Attr::Array(vec![Attr::Struct("stablehlo.axis_ref", reference)])),
    ];
    let mut op = IrOp::new(definition("stablehlo.cross-replica-sum"), 0);
    let groups = Attr::Struct("stablehlo.replica_group_mesh_axes", groups.into_iter().collect());
    op.attributes.set("replica_groups", groups);
    op.operands.push(region.args[0]);
    op.results.push(module.value(Ty::of(DType::F32, [1]), Loc::Unknown));
    region.ops.extend([op, IrOp::new(definition("func.return"), 0)]);
    function.regions.push(region);
    module.op.regions[0].ops.push(function);
    for version in [Version::new(1, 16), Version::CURRENT] {
        let again = read(&bytecode::write(&module, version).unwrap());
        assert_same(&again, &module, &version.to_string());
    }
    let error = bytecode::write(&module, Version::new(1, 15)).unwrap_err();
    assert!(error.message().contains("1.16.0"), "{error}");
}

#[test]
fn an_entry_that_refers_to_itself_is_an_error() {
    // An array of one attribute, which is the array: the builtin encoding 0, one element, number 0.
    let mut file = b"ML\xEFR".to_vec();
    file.extend([1, b'x', 0]);
    let section = |file: &mut Vec<u8>, kind: u8, content: &[u8]| {
        file.extend([kind, content.len() as u8 * 2 + 1]);
        file.extend(content);
    };
    section(
        &mut file,
        0,
        &[5, 15, 17, b'b', b'u', b'i', b'l', b't', b'i', b'n', 0, b'm', b'o', b'd', b'u', b'l', b'e', 0],
    );
    section(&mut file, 1, &[3, 1, 1, 3, 3]);
    section(&mut file, 3, &[3, 1, 1, 3, 15]);
    section(&mut file, 2, &[1, 3, 1]);
    section(&mut file, 4, &[5, 1, 1, 1]);
    let error = bytecode::read("cycle", &file).unwrap_err();
    assert!(error.message().contains("refers to itself"), "{error}");
}

/// Damaged files give errors or other modules, never a panic or an endless loop; what is read can be written or not.
#[test]
fn damaged_files_are_survived() {
    let files = goldens();
    let mut random = Random(0x1234_5678_9ABC_DEF1);
    let mutants = mutants(6000);
    let (mut good, mut bad, mut odd) = (0u32, 0u32, 0u32);
    for i in 0..mutants {
        let mut bytes = files[i % files.len()].1.clone();
        for _ in 0..=random.below(4) {
            let at = random.below(bytes.len());
            match random.below(6) {
                0 => bytes[at] ^= 1 << random.below(8),
                1 => bytes[at] = random.below(256) as u8,
                2 => bytes[at] = [0, 1, 3, 0xFF, 0xFE, 0x80][random.below(6)],
                3 => bytes.insert(at, random.below(256) as u8),
                4 => drop(bytes.remove(at)),
                _ => {
                    let to = (at + random.below(40)).min(bytes.len());
                    let piece = bytes[at..to].to_vec();
                    let into = random.below(bytes.len());
                    bytes.splice(into..into, piece);
                }
            }
            if bytes.is_empty() {
                break;
            }
        }
        match bytecode::read("mutant", &bytes) {
            Ok(module) => {
                good += 1;
                if let Ok(program) = jarrah_hlo_format::import(&module) {
                    program.verify().unwrap_or_else(|e| panic!("mutant {i}: {e}"));
                }
                for version in [Version::MINIMUM, Version::CURRENT] {
                    if let Ok(again) = bytecode::write(&module, version) {
                        odd += u32::from(bytecode::read("again", &again).is_err());
                    }
                }
            }
            Err(_) => bad += 1,
        }
    }
    // Attributes of the wrong kind are found by readers only.
    assert!(odd <= 1 + good / 1000, "{odd} of {good} cannot be read back");
    assert!(bad > mutants as u32 / 4 && good > mutants as u32 / 50, "{good} read, {bad} refused");
}

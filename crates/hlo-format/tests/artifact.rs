//! Functions that `jax.export` serialized.

use jarrah_base::{DType, Literal};
use jarrah_hlo::sharding::MeshAxisKind;
use jarrah_hlo_format::artifact::{
    self, Aval, AvalType, ExportedFunction, Extent, MemorySpace, PyTree, Sharding,
};
use jarrah_hlo_format::bytecode::Version;
use jarrah_hlo_format::{assembly, bytecode};

use jarrah_testing::mutants::{Random, mutants};

fn golden(name: &str) -> Vec<u8> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    std::fs::read(folder.join(format!("{name}.jax_export"))).unwrap()
}

fn array(dtype: DType, shape: &[u64]) -> Aval {
    let shape = shape.iter().map(|&n| Extent::Constant(n)).collect();
    Aval { shape, dtype: AvalType::Number(dtype), memory: MemorySpace::Device }
}

fn dict(entries: Vec<(&str, PyTree)>) -> PyTree {
    PyTree::Dict(entries.into_iter().map(|(name, tree)| (name.to_owned(), tree)).collect())
}

#[test]
fn trees_types_and_gradients_are_read() {
    let exported = artifact::read("", &golden("nested")).unwrap();
    assert_eq!(exported.fun_name, "nested");
    let pair = PyTree::Tuple(vec![PyTree::Leaf, PyTree::None]);
    let arguments =
        PyTree::Tuple(vec![PyTree::Leaf, dict(vec![("a", PyTree::Leaf), ("b", pair)]), PyTree::Leaf]);
    assert_eq!(exported.in_tree, PyTree::Tuple(vec![arguments, dict(vec![("scale", PyTree::Leaf)])]));
    let z = PyTree::List(vec![PyTree::Leaf, PyTree::Tuple(vec![PyTree::Leaf])]);
    assert_eq!(exported.out_tree, dict(vec![("y", PyTree::Leaf), ("z", z)]));
    let (f32, i32) = (DType::F32, DType::I32);
    assert_eq!(
        exported.in_avals,
        [array(f32, &[2, 3]), array(f32, &[3, 2]), array(i32, &[4]), array(f32, &[7]), array(f32, &[])]
    );
    assert_eq!(exported.out_avals, [array(f32, &[2, 2]), array(i32, &[4]), array(f32, &[])]);
    assert_eq!((exported.devices, exported.calling_convention), (1, 10));
    assert_eq!((&exported.kept[..], &exported.platforms[..]), (&[0, 1, 2, 4][..], &["cpu".to_owned()][..]));
    assert!(!exported.is_polymorphic() && exported.in_shardings.iter().all(|s| *s == Sharding::Unspecified));
    let first = exported.vjp.as_ref().unwrap();
    assert_eq!(first.in_avals.len(), 8);
    assert!(first.in_avals.contains(&Aval { dtype: AvalType::Float0, ..array(i32, &[4]) }));
    assert!(first.vjp.as_ref().unwrap().vjp.is_none());
    for function in [&exported, first, first.vjp.as_ref().unwrap()] {
        let module = function.module().unwrap();
        assert!(module.ops().iter().any(|op| op.text("sym_name") == Some("main")));
    }
}

#[test]
fn extents_that_are_not_known_and_shardings_are_read() {
    let exported = artifact::read("", &golden("polymorphic")).unwrap();
    let shapes: Vec<Vec<String>> =
        exported.out_avals.iter().map(|a| a.shape.iter().map(Extent::to_string).collect()).collect();
    assert_eq!(shapes, [["b", "n"], ["2*b", "n"]]);
    assert!(exported.is_polymorphic() && exported.uses_global_constants);
    assert_eq!(exported.platforms, ["cpu", "cuda"]);
    exported.module().unwrap();

    let exported = artifact::read("", &golden("placed")).unwrap();
    assert_eq!(exported.devices, 4);
    let [Sharding::Named(sharding)] = &exported.in_shardings[..] else {
        panic!("{:?}", exported.in_shardings)
    };
    assert_eq!(sharding.partitions, [["x"], ["y"]]);
    let axes: Vec<_> = sharding.mesh.axes.iter().map(|axis| (&*axis.name, axis.size, axis.kind)).collect();
    assert!(
        matches!(axes[..], [("x", 2, MeshAxisKind::Auto | MeshAxisKind::Explicit), ("y", 2, _)]),
        "{axes:?}"
    );
    assert!(matches!(&exported.out_shardings[..], [Sharding::Named(s)] if s.partitions.is_empty()));
}

#[test]
fn what_is_written_is_read_back() {
    for name in ["nested", "polymorphic", "placed", "named"] {
        let bytes = golden(name);
        assert!(artifact::is_artifact(&bytes) && !bytecode::is_bytecode(&bytes), "{name}");
        let exported = artifact::read("", &bytes).unwrap();
        let ours = artifact::write(&exported).unwrap();
        assert!(artifact::is_artifact(&ours) && ours.len() < 2 * bytes.len(), "{name}");
        assert_eq!(artifact::read("", &ours).unwrap(), exported, "{name}");
    }
    assert!(!artifact::is_artifact(b"module {}") && !artifact::is_artifact(&[]));
}

#[test]
fn a_module_alone_becomes_an_artifact() {
    let text = "
        module @sums {
          func.func private @main(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
            %0 = stablehlo.add %a, %b : tensor<2x3xf32>
            %1 = stablehlo.multiply %a, %b : tensor<2x3xf32>
            return %0, %1 : tensor<2x3xf32>, tensor<2x3xf32>
          }
        }";
    let module = assembly::parse("sums.mlir", text).unwrap();
    let exported =
        artifact::read("", &artifact::export(&module, "cpu", Version::new(1, 0)).unwrap()).unwrap();
    assert_eq!(exported.fun_name, "sums");
    assert_eq!(exported.in_avals, vec![array(DType::F32, &[2, 3]); 2]);
    assert_eq!(exported.in_tree, PyTree::Tuple(vec![PyTree::Tuple(vec![PyTree::Leaf; 2]), dict(vec![])]));
    assert_eq!(exported.out_tree, PyTree::Tuple(vec![PyTree::Leaf; 2]));
    assert_eq!(exported.module().unwrap().ops()[0].text("sym_visibility"), Some("public"));

    for (bad, why) in [
        (text.replace("@main", "@other"), "no function `@main`"),
        (text.replace("2x3", "?x3"), "known shapes"),
        (text.replace("2x3", "?x3"), "how the results' shapes follow"),
        (text.replace("f32", "i2"), "no arrays of"),
    ] {
        let module = assembly::parse("bad.mlir", &bad).unwrap();
        let error = artifact::export(&module, "cpu", Version::CURRENT).unwrap_err();
        assert!(error.to_string().contains(why), "{error}");
    }
}

#[test]
fn a_function_for_several_platforms_becomes_one_for_one() {
    let exported = artifact::read("p.jax_export", &golden("polymorphic")).unwrap();
    let whole = exported.module().unwrap();
    let x = Literal::from_slice(&[2, 2], &[1f32, 2.0, 3.0, 4.0]).unwrap();
    let y = Literal::from_slice(&[3, 2], &[0.5f32, 1.0, 9.0, 9.0, 9.0, 9.0]).unwrap();
    let types = [x.ty(), y.ty()];
    let expected = jarrah_hlo_eval::evaluate(&exported.program(&types).unwrap(), &[x.clone(), y.clone()]);
    let expected = expected.unwrap();
    assert_eq!(expected[0].to_f64_vec(), [1.5, 3.0, 3.5, 5.0]);
    for platform in [None, Some("cpu"), Some("cuda")] {
        let module = exported.module_for(platform).unwrap();
        module.verify().unwrap();
        let text = jarrah_hlo_format::print_tree(&module, &Default::default());
        assert!(text.contains("@main(%arg0: tensor<?x?xf32>, %arg1: tensor<3x?xf32>)"), "{text}");
        assert!(text.contains(&format!("dense<{}> : tensor<i32>", i32::from(platform == Some("cuda")))));
        let program = jarrah_hlo_format::import_for(&assembly::parse("one.mlir", &text).unwrap(), &types);
        let results = jarrah_hlo_eval::evaluate(&program.unwrap(), &[x.clone(), y.clone()]).unwrap();
        assert_eq!(results, expected);
    }
    let error = exported.module_for(Some("tpu")).unwrap_err();
    assert!(error.to_string().contains("cpu, cuda"), "{error}");

    // Without what the artifact says, nothing gives the argument a value.
    let mut given = types.to_vec();
    given.insert(0, jarrah_base::Type::scalar(DType::I32));
    let refusals = [
        jarrah_hlo_format::import_for(&whole, &given).map(drop),
        artifact::export(&whole, "cpu", Version::CURRENT).map(drop),
    ];
    for refusal in refusals {
        let error = refusal.unwrap_err();
        assert!(error.message().contains("argument 0 of @main is `_platform_index`"), "{error}");
        assert!(error.message().contains("p.jax_export"), "{error}");
    }
}

#[test]
fn another_version_keeps_all_but_the_module() {
    for name in ["nested", "polymorphic", "placed"] {
        let exported = artifact::read("", &golden(name)).unwrap();
        let ours = exported.rewritten(None, Version::new(1, 13)).unwrap();
        let again = artifact::read("", &artifact::write(&ours).unwrap()).unwrap();
        assert_eq!(again, ours, "{name}");
        let (mut made, mut from) = (&again, &exported);
        loop {
            assert_ne!(made.module, from.module, "{name}");
            let print = |e: &ExportedFunction| {
                jarrah_hlo_format::print_tree(&e.module().unwrap(), &Default::default())
            };
            assert_eq!(print(made), print(from), "{name}");
            let all = ExportedFunction { module: from.module.clone(), vjp: from.vjp.clone(), ..made.clone() };
            assert_eq!(all, *from, "{name}");
            match (&made.vjp, &from.vjp) {
                (Some(m), Some(f)) => (made, from) = (m, f),
                (None, None) => break,
                _ => panic!("{name}"),
            }
        }
    }
    let exported = artifact::read("", &golden("polymorphic")).unwrap();
    let one = exported.rewritten(Some("cuda"), Version::CURRENT).unwrap();
    assert_eq!(one.platforms, ["cuda"]);
    assert_eq!((&one.in_avals, &one.out_avals), (&exported.in_avals, &exported.out_avals));
}

#[test]
fn what_ends_early_is_no_bad_text() {
    let bytes = golden("nested");
    for length in [0, 4, 100, 662, bytes.len() / 2, bytes.len() * 3 / 4] {
        let read = jarrah_hlo_format::read("cut.jax_export", &bytes[..length]);
        let error = read.err().unwrap_or_else(|| panic!("{length} bytes are read")).to_string();
        assert!(error.contains("cut.jax_export") && error.contains("damaged"), "{length}: {error}");
    }
    let error = jarrah_hlo_format::read("cut", &bytes[..4]).unwrap_err();
    assert!(error.message().contains("cut is binary"), "{error}");
}

#[test]
fn other_calling_conventions_are_refused() {
    let mut exported: ExportedFunction = artifact::read("", &golden("placed")).unwrap();
    for convention in [8, 11] {
        exported.calling_convention = convention;
        let error = artifact::read("", &artifact::write(&exported).unwrap()).unwrap_err();
        assert!(error.message().contains("9 to 10"), "{error}");
    }
}

#[test]
fn damaged_artifacts_are_survived() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut below = |n: usize| random.below(n);
    let files = ["nested", "polymorphic", "placed"].map(golden);
    let mutants = mutants(6000);
    let mut refused = 0;
    for i in 0..mutants {
        let mut bytes = files[i % 3].clone();
        for _ in 0..=below(6) {
            let at = below(bytes.len());
            match below(4) {
                0 => bytes[at] = below(256) as u8,
                1 => bytes[at] ^= 1 << below(8),
                2 => bytes.truncate(at.max(1)),
                _ => bytes.insert(at, 0xFF),
            }
        }
        match artifact::read("", &bytes) {
            Ok(exported) => {
                drop(exported.module_for(None));
                drop(exported.rewritten(Some("cpu"), Version::CURRENT));
            }
            Err(_) => refused += 1,
        }
    }
    assert!(refused > mutants / 10, "{refused}");
}

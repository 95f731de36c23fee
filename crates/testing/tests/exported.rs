//! Programs that others exported: from PyTorch/XLA (`oracle/torch_exported.py`) and for a mesh of devices in JAX
//! (`oracle/sharded.py`). They run on both backends with the numbers of the original, and so do their gradients.

use std::collections::BTreeMap;

use jarrah_array::Imported;
use jarrah_base::{Literal, Type};
use jarrah_cpu::CpuClient;
use jarrah_hlo::{Op, Program};
use jarrah_reference::ReferenceClient;
use jarrah_runtime::{Client, CompileOptions};
use jarrah_testing::{Tolerance, golden_path, golden_tensors};
use jarrah_transforms::{ResidualPolicy, vjp};

/// The tensors `<name>/<kind>/<i>` of every program, by name, kind and number.
type Tensors = BTreeMap<String, BTreeMap<String, BTreeMap<usize, Literal>>>;

fn tensors(file: &str) -> Tensors {
    let mut all = Tensors::new();
    for (path, value) in golden_tensors(file).unwrap() {
        let [name, kind, number] = path.split('/').collect::<Vec<_>>()[..] else { panic!("{path}") };
        let kinds = all.entry(name.to_owned()).or_default();
        kinds.entry(kind.to_owned()).or_default().insert(number.parse().unwrap(), value);
    }
    all
}

fn run(client: &dyn Client, program: &Program, arguments: &[Literal]) -> Vec<Literal> {
    let executable = client.compile(program, &CompileOptions::default()).unwrap();
    let arguments = arguments.iter().map(|a| client.upload(a).unwrap()).collect();
    executable.run(arguments).unwrap().iter().map(|b| b.read().unwrap()).collect()
}

/// The cotangent of a float output in the goldens: `sin(1 + i)` for the element `i`.
fn cotangent(y: &Literal) -> Literal {
    let values: Vec<f32> = (0..y.len()).map(|i| (1.0 + i as f32).sin()).collect();
    Literal::from_slice(&y.dims(), &values).unwrap()
}

fn compare(found: &[Literal], expected: &BTreeMap<usize, Literal>, what: &str) -> usize {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (found, (i, expected)) in found.iter().zip(expected) {
        let outcome = Tolerance::Relative(2e-5).check(found, expected);
        outcome.unwrap_or_else(|e| panic!("{what} {i}: {e}"));
    }
    found.len()
}

/// Checks every program of a group, and returns how many tensors were compared.
fn check(group: &str, ending: &str) -> usize {
    let clients: [Box<dyn Client>; 2] =
        [Box::new(ReferenceClient::new()), Box::new(CpuClient::with_threads(1))];
    let mut compared = 0;
    for (name, kinds) in tensors(&format!("exported/{group}.safetensors")) {
        let file = golden_path(&format!("exported/{group}_{name}.{ending}"));
        let inputs: Vec<Literal> = kinds["in"].values().cloned().collect();
        let types: Vec<Type> = inputs.iter().map(Literal::ty).collect();
        let program = Imported::load(file).unwrap().program(&types).unwrap();
        let none = BTreeMap::new();
        let gradients = kinds.get("grad").unwrap_or(&none);
        let wrt: Vec<bool> = (0..inputs.len()).map(|i| gradients.contains_key(&i)).collect();
        let parts = vjp(&program, &wrt, ResidualPolicy::default()).unwrap_or_else(|e| panic!("{name}: {e}"));
        for client in &clients {
            let what = format!("{name} on {}", client.platform());
            let results = run(&**client, &program, &inputs);
            compared += compare(&results, &kinds["out"], &format!("{what}: output"));
            let forward = run(&**client, &parts.forward, &inputs);
            let mut arguments = forward[results.len()..].to_vec();
            arguments.extend(results.iter().filter(|y| y.dtype().is_float()).map(cotangent));
            let found = run(&**client, &parts.backward, &arguments);
            compared += compare(&found, gradients, &format!("{what}: gradient"));
        }
    }
    compared
}

#[test]
fn programs_from_pytorch() {
    assert!(check("torch", "mlirbc") > 40);
}

/// PyTorch's attention is the op, causal as it stands in the file.
#[test]
fn attention_from_pytorch_is_one_op() {
    let all = tensors("exported/torch.safetensors");
    for (name, after) in [("attention", Some(0)), ("transformer", None)] {
        let file = golden_path(&format!("exported/torch_{name}.mlirbc"));
        let types: Vec<Type> = all[name]["in"].values().map(Literal::ty).collect();
        let program = Imported::load(file).unwrap().program(&types).unwrap();
        let found = program.instrs().iter().filter_map(|instr| match &instr.op {
            Op::Attention(op) => Some(op.after),
            _ => None,
        });
        assert_eq!(found.collect::<Vec<_>>(), [after], "{name}");
    }
}

#[test]
fn programs_for_a_mesh_of_devices() {
    assert!(check("devices", "mlir") > 15);
}

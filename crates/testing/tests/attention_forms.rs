//! Attention as JAX and Flax export it and PyTorch decomposes it: which programs become one op, and that all of them keep JAX's numbers and
//! gradients.

use std::collections::BTreeMap;

use jarrah_base::{DType, Literal, Result};
use jarrah_compiler::raise;
use jarrah_cpu::CpuClient;
use jarrah_hlo::ops::{Attention, AttentionKind, AttentionOperand};
use jarrah_hlo::{Op, Program, Value};
use jarrah_hlo_format::parse_named;
use jarrah_reference::ReferenceClient;
use jarrah_runtime::{Client, CompileOptions};
use jarrah_testing::{Tolerance, golden_tensors, golden_text};
use jarrah_transforms::{ResidualPolicy, vjp};

/// A program of `oracle/attention_forms.py`.
struct Form {
    name: String,
    /// Which attentions it becomes; `-` for none.
    what: String,
    program: Program,
}

fn forms() -> Vec<Form> {
    let text = golden_text("attention/forms.mlir").unwrap();
    let one = |part: &str| {
        let (head, program) = part.split_once('\n').unwrap();
        let (name, what) = head.split_once(" | ").unwrap();
        let program = parse_named(name, program).unwrap_or_else(|e| panic!("{name}: {e}"));
        Form { name: name.to_owned(), what: what.to_owned(), program }
    };
    text.split("// form: ").skip(1).map(one).collect()
}

/// The attentions of a program in words: what hides pairs, optional operands, groups where heads share keys, and `+grad` where
/// the derivative is one too.
fn words(program: &Program) -> String {
    let mut all = Vec::new();
    let definitions = program.definitions();
    let blind = program.instrs().iter().filter(|i| match &i.op {
        Op::Select(_) => definitions[i.operands[0].index()].is_some_and(|at| {
            let mut instr = &program.instrs()[at];
            while let (Op::BroadcastInDim(_), Some(at)) =
                (&instr.op, definitions[instr.operands.first().map_or(0, |v| v.index())])
            {
                instr = &program.instrs()[at];
            }
            matches!(instr.op, Op::Compare(_))
                && definitions[instr.operands[0].index()]
                    .is_some_and(|at| matches!(program.instrs()[at].op, Op::Attention(_)))
        }),
        _ => false,
    });
    let blind = blind.count();
    for instr in program.instrs() {
        let Op::Attention(op) = &instr.op else { continue };
        match op.kind {
            AttentionKind::Forward => {}
            AttentionKind::Tangent(_) => panic!("no program has a tangent"),
            AttentionKind::Transpose(moves) => {
                let known = op.inputs.count();
                let forward = all.iter_mut().find(|(v, _): &&mut (_, String)| *v == instr.operands[known]);
                forward.unwrap().1.push_str(if moves.bias { " +grad(bias)" } else { " +grad" });
                continue;
            }
        }
        all.push((instr.results().next().unwrap(), described(program, op, &instr.operands)));
    }
    let mut words = all.into_iter().map(|(_, words)| words).collect::<Vec<_>>().join("; ");
    if blind > 0 {
        words.push_str(" nan");
    }
    if words.is_empty() { "-".to_owned() } else { words }
}

fn described(program: &Program, op: &Attention, operands: &[Value]) -> String {
    let mut words = Vec::new();
    match (op.before, op.after) {
        (None, Some(0)) => words.push("causal".to_owned()),
        (before, after) => {
            words.extend(before.map(|n| format!("before={n}")));
            words.extend(after.map(|n| format!("after={n}")));
        }
    }
    match constant(program, operands[3]) {
        Some(0.0) => {}
        Some(n) => words.push(format!("offset={n}")),
        None => words.push("offset=?".to_owned()),
    }
    words.extend(op.inputs.names().into_iter().map(str::to_owned));
    let dims = op.dims(&operands.iter().map(|&v| program.ty(v)).collect::<Vec<_>>()).unwrap();
    if dims.groups != dims.heads && dims.groups != 1 {
        words.push(format!("groups={}", dims.groups));
    }
    words.extend(op.softcap().map(|cap| format!("cap={cap}")));
    if op.hides() && op.hidden() > -1e8 {
        words.push(format!("hidden={}", op.hidden()));
    }
    if op.inputs.position(AttentionOperand::Pages).is_some() {
        words.push("pages".to_owned());
    }
    if words.is_empty() { "full".to_owned() } else { words.join(" ") }
}

/// The first element of a constant, or of what repeats one.
fn constant(program: &Program, value: Value) -> Option<f64> {
    let instr = &program.instrs()[program.definitions()[value.index()]?];
    match &instr.op {
        Op::Constant(constant) => Some(constant.value.get_f64(0)),
        Op::BroadcastInDim(_) | Op::Reshape(_) => constant(program, instr.operands[0]),
        _ => None,
    }
}

type Tensors = BTreeMap<String, Literal>;

/// The tensors of `kind` of a form, in the types of a program.
fn tensors<'t>(
    tensors: &'t Tensors,
    form: &'t Form,
    kind: &'t str,
) -> impl Iterator<Item = (usize, &'t Literal)> {
    let at = move |i| tensors.get(&format!("{}/{kind}/{i}", form.name)).map(|x| (i, x));
    (0..16).filter_map(at)
}

fn inputs(all: &Tensors, form: &Form) -> Vec<Literal> {
    let types = form.program.param_types();
    let given: Vec<&Literal> = tensors(all, form, "in").map(|(_, x)| x).collect();
    // Arguments that no result needs are not parameters of the exported program; none here has any.
    assert_eq!(given.len(), types.len(), "{}", form.name);
    let as_type = |(x, ty): (&Literal, jarrah_base::Type)| match ty.dtype() {
        dtype if dtype.is_float() => Literal::from_f64s(ty, &x.to_f64_vec()).unwrap(),
        _ => Literal::from_bytes(ty, x.bytes()).unwrap(),
    };
    given.into_iter().zip(types).map(as_type).collect()
}

fn run(client: &dyn Client, program: &Program, arguments: &[Literal]) -> Result<Vec<Literal>> {
    let executable = client.compile(program, &CompileOptions::default())?;
    let arguments = arguments.iter().map(|a| client.upload(a)).collect::<Result<_>>()?;
    executable.run(arguments)?.iter().map(|b| b.read()).collect()
}

/// How near numbers of a type come to those of `f64`, relative to the largest.
fn bound(dtype: DType) -> f64 {
    match dtype {
        DType::BF16 => 2e-2,
        DType::F16 => 3e-3,
        _ => 2e-5,
    }
}

fn compare(what: &str, found: &Literal, expected: &Literal, bound: f64, failures: &mut Vec<String>) {
    let found = Literal::from_f64s(found.ty().with_dtype(DType::F32), &found.to_f64_vec()).unwrap();
    let expected = Literal::from_f64s(found.ty(), &expected.to_f64_vec()).unwrap();
    if let Err(e) = Tolerance::Relative(bound).check(&found, &expected) {
        failures.push(format!("{what}: {e}"));
    }
}

fn narrowest(program: &Program) -> f64 {
    let types = program.param_types().into_iter().filter(|ty| ty.dtype().is_float());
    types.map(|ty| bound(ty.dtype())).fold(2e-5, f64::max)
}

#[test]
fn attention_is_recognised_and_nothing_else() {
    let mut failures = Vec::new();
    let (mut forms_count, mut near) = (0, 0);
    for form in forms() {
        let raised = match raise(&form.program) {
            Ok(raised) => raised,
            Err(e) => {
                failures.push(format!("{}: {e}", form.name));
                continue;
            }
        };
        raised.verify().unwrap();
        let found = words(&raised);
        if found != form.what {
            failures.push(format!("{}: {found}, not {}", form.name, form.what));
        }
        if form.what == "-" { near += 1 } else { forms_count += 1 }
    }
    assert!(failures.is_empty(), "{}:\n{}", failures.len(), failures.join("\n"));
    assert!(forms_count >= 100 && near >= 60, "{forms_count} forms, {near} near misses");
}

#[test]
fn recognised_programs_have_the_numbers_of_jax() {
    let all = golden_tensors("attention/forms.safetensors").unwrap();
    let clients: [Box<dyn Client>; 2] =
        [Box::new(ReferenceClient::new()), Box::new(CpuClient::with_threads(1))];
    let mut failures = Vec::new();
    for form in forms() {
        let raised = raise(&form.program).unwrap();
        let inputs = inputs(&all, &form);
        for client in &clients {
            let found = run(&**client, &raised, &inputs).unwrap_or_else(|e| panic!("{}: {e}", form.name));
            for (i, expected) in tensors(&all, &form, "out") {
                let what = format!("{} on {}, result {i}", form.name, client.platform());
                compare(&what, &found[i], expected, narrowest(&form.program), &mut failures);
            }
        }
    }
    assert!(failures.is_empty(), "{}:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn recognised_programs_have_the_gradients_of_jax() {
    let all = golden_tensors("attention/forms.safetensors").unwrap();
    let client = CpuClient::with_threads(1);
    let mut failures = Vec::new();
    let mut count = 0;
    for form in forms() {
        let wrt: BTreeMap<usize, &Literal> = tensors(&all, &form, "grad").collect();
        if wrt.is_empty() {
            continue;
        }
        let raised = raise(&form.program).unwrap();
        let inputs = inputs(&all, &form);
        let active: Vec<bool> = (0..inputs.len()).map(|i| wrt.contains_key(&i)).collect();
        let programs = match vjp(&raised, &active, ResidualPolicy::default()) {
            Ok(programs) => programs,
            Err(e) => {
                failures.push(format!("{}: {e}", form.name));
                continue;
            }
        };
        let forward = run(&client, &programs.forward, &inputs).unwrap();
        let outs = raised.result_types();
        let mut arguments = forward[outs.len()..].to_vec();
        for (i, w) in tensors(&all, &form, "w") {
            if outs[i].dtype().is_float() {
                arguments.push(Literal::from_f64s(outs[i], &w.to_f64_vec()).unwrap());
            }
        }
        let found = run(&client, &programs.backward, &arguments).unwrap();
        for (found, (i, expected)) in found.iter().zip(&wrt) {
            count += 1;
            let what = format!("{}, gradient in {i}", form.name);
            compare(&what, found, expected, 2.0 * narrowest(&form.program), &mut failures);
        }
    }
    assert!(failures.is_empty(), "{}:\n{}", failures.len(), failures.join("\n"));
    assert!(count > 300, "{count} gradients");
}

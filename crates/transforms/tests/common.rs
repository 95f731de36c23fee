//! Small programs, and ways to make programs out of examples.

use std::sync::Arc;

use jarrah_base::{DType, Result, Type};
use jarrah_hlo::{Builder, Example, Op, Program, Value};

pub fn f64s(dims: &[usize]) -> Type {
    Type::tensor(DType::F64, dims.iter().copied())
}

/// A program with parameters of these types.
pub fn program(
    name: &str,
    params: &[Type],
    body: impl FnOnce(&mut Builder, &[Value]) -> Result<Vec<Value>>,
) -> Arc<Program> {
    let mut b = Builder::new(name);
    let params: Vec<Value> =
        params.iter().enumerate().map(|(i, &ty)| b.param(ty, &format!("p{i}"))).collect();
    let results = body(&mut b, &params).unwrap();
    let program = b.finish(&results).unwrap();
    program.verify().unwrap();
    Arc::new(program)
}

/// The program that applies the op of an example to its parameters.
pub fn program_of(example: &Example) -> Program {
    let mut b = Builder::new(example.op.name());
    let params: Vec<Value> = example.operands.iter().map(|o| b.param(o.ty(), "")).collect();
    let results = b.push(example.op.clone(), &params).unwrap();
    b.finish(&results).unwrap()
}

pub fn smooth(types: &[Type]) -> Vec<bool> {
    types.iter().map(|t| t.dtype().is_differentiable()).collect()
}

/// The instructions of `program` whose op `wanted` picks, those of sub-programs included.
pub fn count(program: &Program, wanted: &dyn Fn(&Op) -> bool) -> usize {
    let here = program.instrs().iter().filter(|i| wanted(&i.op)).count();
    let below = program.instrs().iter().flat_map(|i| i.op.programs().into_vec());
    here + below.map(|p| count(p, wanted)).sum::<usize>()
}

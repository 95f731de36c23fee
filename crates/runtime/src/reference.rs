use std::sync::Arc;

use jarrah_base::{Error, Literal, Result, Type};
use jarrah_hlo::Program;

use crate::buffer::{Buffer, BufferData};
use crate::client::{Client, CompileOptions, Executable, Memory};

/// Runs programs on the reference evaluator: slow, and right by definition.
#[derive(Debug, Default)]
pub struct ReferenceClient;

impl BufferData for Literal {
    fn ty(&self) -> Type {
        Literal::ty(self)
    }

    fn read(&self) -> Result<Literal> {
        Ok(self.clone())
    }

    fn address(&self) -> usize {
        self.bytes().as_ptr().addr()
    }
}

impl Client for ReferenceClient {
    fn platform(&self) -> &str {
        "reference"
    }

    fn upload(&self, literal: &Literal) -> Result<Buffer> {
        Ok(Buffer::new(literal.clone()))
    }

    fn compile(&self, program: &Program, _: &CompileOptions) -> Result<Arc<dyn Executable>> {
        program.check_expansion()?;
        Ok(Arc::new(Evaluated(program.clone())))
    }
}

struct Evaluated(Program);

impl Executable for Evaluated {
    fn execute(&self, args: Vec<Buffer>) -> Result<Vec<Buffer>> {
        let literals: Option<Vec<Literal>> = args.iter().map(|b| b.downcast_ref().cloned()).collect();
        let literals = literals.ok_or_else(|| Error::program("an argument belongs to another client"))?;
        let results = jarrah_hlo_eval::evaluate(&self.0, &literals)?;
        Ok(results.into_iter().map(Buffer::new).collect())
    }

    fn memory(&self) -> Memory {
        let bytes = |types: Vec<Type>| types.iter().filter_map(|ty| ty.bytes().ok()).sum();
        Memory {
            arguments: bytes(self.0.param_types()),
            results: bytes(self.0.result_types()),
            temporaries: 0,
        }
    }
}

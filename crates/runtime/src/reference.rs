use std::sync::Arc;

use jarrah_base::{Error, Literal, Result, Type, memory};
use jarrah_hlo::Program;
use rustc_hash::FxHashSet;

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
        let evaluated = Evaluated(program.clone());
        if let Some(available) = memory::limit() {
            let Memory { arguments, results, temporaries } = evaluated.memory();
            let parts = [("arguments", arguments), ("results", results), ("largest temporary", temporaries)];
            memory::fits(program.name(), &parts, available)?;
        }
        Ok(Arc::new(evaluated))
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
        let size = |ty: &Type| ty.bytes().unwrap_or(usize::MAX);
        let bytes = |types: Vec<Type>| types.iter().map(size).fold(0, usize::saturating_add);
        let kept: FxHashSet<_> = self.0.results().iter().copied().collect();
        let values = self.0.instrs().iter().flat_map(|instr| instr.results());
        let temporaries = values.filter(|value| !kept.contains(value)).map(|value| size(&self.0.ty(value)));
        Memory {
            arguments: bytes(self.0.param_types()),
            results: bytes(self.0.result_types()),
            temporaries: temporaries.max().unwrap_or(0),
        }
    }
}

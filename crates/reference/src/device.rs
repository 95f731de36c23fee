//! The evaluator's answers to the executor's questions.

use std::borrow::Cow;
use std::sync::Arc;

use jarrah_base::{Error, HostView, Literal, Result, Type, memory};
use jarrah_compiler::{BUILD, DeviceMemory, Fusion, Target, is_step};
use jarrah_execute::{
    Backend, BackendMemory, Beside, BoxedSteps, Frame, PlacedArray, Step, StepBuilder, StepSite, control,
};
use jarrah_hlo::ops::Kernel;
use jarrah_hlo::{Builder, Op, Program, family};
use jarrah_runtime::{Event, MemoryStats, NoPreferences, Preferences, Way};

use crate::store::{At, Block, Store};

/// The evaluator as a device.
#[derive(Default)]
pub struct Evaluator {
    store: Store,
}

/// The evaluator as the compiler sees it: it runs every op as it is.
pub struct EveryOp;

impl Target for EveryOp {
    fn name(&self) -> &str {
        "reference"
    }

    fn optimizes(&self) -> bool {
        false
    }

    fn runs(&self, op: &Op, _: &[Type], _: &[Type]) -> bool {
        is_step(op)
    }

    fn widens(&self) -> bool {
        false
    }

    fn loops(&self, _: &Op, _: &[Type], _: &[Type]) -> bool {
        false
    }

    fn takes(&self, _: &Kernel, _: &[Type]) -> bool {
        true
    }

    fn contracts(&self, _: &Kernel, _: &[Type]) -> bool {
        true
    }

    fn work(&self, _: &Op) -> u32 {
        1
    }

    fn fusion(&self) -> Fusion {
        Fusion {
            most_loads: 0,
            most_nodes: 0,
            cheap: 0,
            trivial: 0,
            longest: 0,
            large: 0,
            few_rows: 0,
            multiplied_rows: 0,
        }
    }

    fn alignment(&self) -> usize {
        8
    }

    fn memories(&self) -> Vec<DeviceMemory> {
        vec![DeviceMemory { name: "memory", bytes: memory::limit() }]
    }
}

/// An instruction.
struct Evaluate {
    /// A program of the instruction alone.
    program: Program,
    operands: Vec<PlacedArray>,
    results: Vec<PlacedArray>,
    way: Way,
}

impl Evaluate {
    fn new(site: &StepSite<'_>) -> Result<Evaluate> {
        let mut b = Builder::new(site.instr.op.name());
        let operands: Vec<_> = site.operands.iter().map(|operand| b.param(operand.ty, "")).collect();
        b.set_source(site.instr.source);
        let results = b.push(site.instr.op.clone(), &operands)?;
        let way = match &site.instr.op {
            Op::CustomCall(_) => Way::Host,
            _ => Way::Evaluator,
        };
        Ok(Evaluate {
            program: b.finish(&results)?,
            operands: site.operands.clone(),
            results: site.results.clone(),
            way,
        })
    }
}

impl Step<Evaluator> for Evaluate {
    fn run(&self, frame: &mut Frame<'_, Evaluator>) -> Result<()> {
        let store = &frame.device.store;
        let operand = |array: &PlacedArray| {
            let bytes = store.read(frame.address(array.loc), array.bytes())?;
            Literal::from_bytes(array.ty, &bytes)
        };
        let operands = self.operands.iter().map(operand).collect::<Result<Vec<_>>>()?;
        let values = jarrah_hlo_eval::evaluate(&self.program, &operands)?;
        for (result, value) in self.results.iter().zip(values) {
            store.write(frame.address(result.loc), value.bytes())?;
        }
        Ok(())
    }

    fn way(&self) -> Way {
        self.way
    }

    fn is_long(&self) -> bool {
        true
    }
}

impl Backend for Evaluator {
    type Memory = Block;
    type Target = EveryOp;
    type Plans = ();

    fn platform(&self) -> &str {
        "reference"
    }

    fn version(&self) -> &str {
        BUILD
    }

    fn preferences(&self) -> &dyn Preferences {
        &NoPreferences
    }

    fn runs_inline(&self) -> bool {
        true
    }

    fn target(&self) -> EveryOp {
        EveryOp
    }

    fn take(&self, bytes: usize) -> Option<Block> {
        self.store.take(bytes, None)
    }

    fn zeros(&self, bytes: usize) -> Option<Block> {
        self.store.take(bytes, Some(0))
    }

    fn adopt(&self, view: HostView) -> std::result::Result<Block, HostView> {
        Err(view)
    }

    fn constant(&self, value: &Literal) -> Result<Block> {
        let bytes = value.bytes();
        let mut block = self.take(bytes.len()).ok_or_else(|| {
            Error::environment(format!("there is no memory left for a constant of {}", value.ty()))
        })?;
        self.write(&mut block, bytes)?;
        Ok(block)
    }

    fn write(&self, memory: &mut Block, bytes: &[u8]) -> Result<()> {
        self.store.write(memory.address(), bytes)
    }

    fn duplicate(&self, memory: &mut Block, from: &Arc<Block>, bytes: usize) -> Result<()> {
        self.store.write(memory.address(), from.view(bytes)?.bytes())
    }

    fn fill(
        &self,
        memory: &mut Block,
        bytes: usize,
        by: &mut dyn FnMut(&mut [u8]) -> Result<()>,
    ) -> Result<()> {
        let mut filled = vec![0; bytes];
        by(&mut filled)?;
        self.write(memory, &filled)
    }

    fn usage(&self) -> MemoryStats {
        MemoryStats { limit: memory::limit(), ..self.store.usage() }
    }

    fn give_back_unused(&self) {}

    fn plans(&self) {}

    fn lower(
        builder: &mut StepBuilder<Self>,
        site: &StepSite<'_>,
        steps: &mut BoxedSteps<Self>,
    ) -> Result<()> {
        match &site.instr.op {
            Op::Constant(_) => {}
            Op::Reshape(_) | Op::OptimizationBarrier(_) | Op::CheckpointName(_) => {
                let moved = site.operands.iter().zip(&site.results).filter(|(from, to)| from.loc != to.loc);
                steps.extend(moved.map(|(from, to)| control::copy(*from, to.loc)));
            }
            Op::While(op) => steps.push(control::repeat(builder, site, op)?),
            Op::Case(op) => steps.push(control::case(builder, site, op)?),
            Op::Scan(op) => steps.push(control::scan(builder, site, op)?),
            family!(Call) => {
                return Err(Error::internal("a call is left, which the compiler should have inlined"));
            }
            _ => steps.push(Box::new(Evaluate::new(site)?)),
        }
        Ok(())
    }

    fn copy(frame: &Frame<'_, Self>, from: At, to: At, bytes: usize) -> Result<()> {
        let store = &frame.device.store;
        store.write(to, &store.read(from, bytes)?)
    }

    fn bytes<'f>(frame: &'f Frame<'_, Self>, at: At, bytes: usize) -> Result<Cow<'f, [u8]>> {
        Ok(frame.device.store.read(at, bytes)?.into())
    }

    fn integer(frame: &Frame<'_, Self>, array: &PlacedArray) -> Result<i128> {
        let bytes = frame.device.store.read(frame.address(array.loc), array.bytes())?;
        let value = Literal::from_bytes(array.ty, &bytes)?;
        Ok(value.get_i128(0))
    }

    fn beside(frame: &Frame<'_, Self>, steps: &[Beside<'_, Self>]) -> Result<()> {
        steps.iter().for_each(|step| step.run(frame));
        Ok(())
    }

    fn finish(&self) -> Event {
        Event::done()
    }
}

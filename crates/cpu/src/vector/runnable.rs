//! The program for a tile: steps of the interpreter, or machine code.

use jarrah_base::Result;

use super::frame::scratch_bytes;
use super::plan::{Plan, Source};
use super::program::Program;
use super::row_blocks::Calls;

#[cfg(all(target_arch = "x86_64", unix, not(jarrah_portable)))]
use super::emit::{self, Emitted};
#[cfg(all(target_arch = "x86_64", unix, not(jarrah_portable)))]
use jarrah_base::DType;
#[cfg(all(target_arch = "x86_64", unix, not(jarrah_portable)))]
use jarrah_tile::{Inst, Map};

pub(super) enum Runnable {
    Steps(Program),
    #[cfg(all(target_arch = "x86_64", unix, not(jarrah_portable)))]
    Native(Native),
}

/// Machine code, with the parts of the kernel that it was made for.
#[cfg(all(target_arch = "x86_64", unix, not(jarrah_portable)))]
pub(super) struct Native {
    pub code: Emitted,
    reductions: Vec<usize>,
    stores: Vec<usize>,
    given: Vec<Option<u16>>,
    partial: Vec<Option<u16>>,
    run: Option<usize>,
    calls: Option<Box<Calls>>,
    beyond: Box<emit::Beyond>,
}

#[cfg(all(target_arch = "x86_64", unix, not(jarrah_portable)))]
impl Native {
    fn task<'a>(
        &'a self,
        plan: &'a Plan,
        types: &'a [(jarrah_base::DType, jarrah_tile::Class)],
    ) -> emit::Task<'a> {
        emit::Task {
            kernel: &plan.kernel,
            types,
            reductions: &self.reductions,
            stores: &self.stores,
            given: &self.given,
            partial: &self.partial,
            run: self.run,
            cols: plan.kernel.cols,
            calls: self.calls.as_deref(),
        }
    }
}

/// The bytes of the last-level cache: larger outputs leave it before anyone reads them, and larger inputs are not in it.
#[cfg(all(target_arch = "x86_64", unix, not(jarrah_portable)))]
fn last_level() -> usize {
    static BYTES: std::sync::OnceLock<usize> = std::sync::OnceLock::new();
    *BYTES.get_or_init(|| {
        let text =
            std::fs::read_to_string("/sys/devices/system/cpu/cpu0/cache/index3/size").unwrap_or_default();
        let kilobytes = text.trim().strip_suffix('K').and_then(|k| k.parse::<usize>().ok());
        kilobytes.map_or(32 << 20, |k| k << 10)
    })
}

#[cfg_attr(
    not(all(target_arch = "x86_64", unix, not(jarrah_portable))),
    allow(unused_variables, reason = "only machine code asks for the plan")
)]
impl Runnable {
    /// Machine code for the task, if the emitter has all of its instructions.
    #[cfg(all(target_arch = "x86_64", unix, not(jarrah_portable)))]
    pub fn native(
        source: &Source<'_>,
        reductions: &[usize],
        stores: &[usize],
        given: &[Option<u16>],
        partial: &[Option<u16>],
        run: Option<usize>,
        calls: Option<Calls>,
    ) -> Result<Option<Runnable>> {
        let kernel = source.kernel;
        let large = |map: &Map, dtype: DType| {
            let reach = kernel.reach(map).map_or(0, |(low, high)| (high - low) as usize);
            reach * dtype.size() > last_level()
        };
        let written = kernel.stores.iter().filter(|s| large(&s.map, kernel.outputs[s.output]));
        let read = kernel.body.iter().filter_map(|inst| match inst {
            Inst::Load { input, map, .. } if large(map, kernel.inputs[*input]) => Some(*input),
            _ => None,
        });
        let beyond = emit::Beyond { inputs: read.collect(), outputs: written.map(|s| s.output).collect() };
        let task = emit::Task {
            kernel,
            types: source.types,
            reductions,
            stores,
            given,
            partial,
            run,
            cols: kernel.cols,
            calls: calls.as_ref(),
        };
        let wide = source.isa == super::body::Isa::Avx512;
        Ok(emit::compile(&task, wide, &beyond)?.map(|code| {
            Runnable::Native(Native {
                code,
                reductions: reductions.to_vec(),
                stores: stores.to_vec(),
                given: given.to_vec(),
                partial: partial.to_vec(),
                run,
                calls: calls.map(Box::new),
                beyond: Box::new(beyond),
            })
        }))
    }

    /// No machine code: this build has none.
    #[cfg(not(all(target_arch = "x86_64", unix, not(jarrah_portable))))]
    pub fn native(
        _: &Source<'_>,
        _: &[usize],
        _: &[usize],
        _: &[Option<u16>],
        _: &[Option<u16>],
        _: Option<usize>,
        _: Option<Calls>,
    ) -> Result<Option<Runnable>> {
        Ok(None)
    }

    pub fn is_native(&self) -> bool {
        !matches!(self, Runnable::Steps(_))
    }

    /// The work per element, in steps of the interpreter.
    pub fn cost(&self, plan: &Plan) -> usize {
        match self {
            Runnable::Steps(program) => program.steps.len(),
            #[cfg(all(target_arch = "x86_64", unix, not(jarrah_portable)))]
            Runnable::Native(_) => plan.kernel.body.len().div_ceil(4),
        }
    }

    /// Bytes of scratch memory for tiles and row registers of these sizes.
    pub fn scratch(&self, tile_bytes: usize, row_bytes: usize) -> usize {
        match self {
            Runnable::Steps(program) => scratch_bytes(program, tile_bytes, row_bytes),
            #[cfg(all(target_arch = "x86_64", unix, not(jarrah_portable)))]
            Runnable::Native(native) => native.code.frame.next_multiple_of(64),
        }
    }

    /// The machine code as text.
    pub fn text(&self, plan: &Plan) -> Option<String> {
        match self {
            Runnable::Steps(_) => None,
            #[cfg(all(target_arch = "x86_64", unix, not(jarrah_portable)))]
            Runnable::Native(native) => {
                let types = plan.kernel.verify().ok()?;
                emit::text(&native.task(plan, &types), plan.isa == super::body::Isa::Avx512, &native.beyond)
            }
        }
    }

    /// The number of instructions of each part of the machine code.
    pub fn counts(&self, plan: &Plan) -> Vec<(String, usize)> {
        match self {
            Runnable::Steps(_) => vec![],
            #[cfg(all(target_arch = "x86_64", unix, not(jarrah_portable)))]
            Runnable::Native(native) => {
                let Ok(types) = plan.kernel.verify() else { return vec![] };
                emit::counts(&native.task(plan, &types), plan.isa == super::body::Isa::Avx512, &native.beyond)
                    .unwrap_or_default()
            }
        }
    }
}

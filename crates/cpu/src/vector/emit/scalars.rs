//! Loops whose every value is one scalar, such as a counter's or a recurrence's, as machine code: the values that go from step to
//! step stay in registers, one element in all lanes.
//!
//! ```text
//! what does not change to slots, the first values to registers
//! while (a test of the values | steps are left):
//!     the next values from those before
//! the last values to memory
//! ```

use iced_x86::Code;
use jarrah_base::{DType, Result};
use jarrah_tile::Class;
use smallvec::{SmallVec, smallvec};

use super::alloc::{self, FRAME, Layout, ROWS, SCRATCH, Style, field, full_load, full_store, vector};
use super::asm::{Assembler, Condition};
use super::function::{Function, SAVED, advance};
use super::graph::{Base, Block, Effect, Graph, Home, Node, Parts, Shared};
use super::lower::scalars::{held, stored, value_of};
use super::lower::{Pointer, Source};
use super::ops::{Opcode, Part};
use super::{HEADER, arena, calls};
use crate::buffers::Scratch;
use crate::vector::scalars::Scalars;

/// The most values that go from step to step in registers.
const MOST_CARRIED: [usize; 2] = [6, 20];

/// Machine code for a loop over scalars.
pub(in crate::vector) struct EmittedLoop {
    code: arena::Code,
    frame: usize,
}

struct Blocks {
    shared: Shared,
    pointers: Vec<Pointer>,
    before: Block,
    /// For each carried value its initial value.
    first: Vec<u16>,
    test: Option<(Block, u16)>,
    body: Block,
    after: Block,
}

/// The pointers' accesses, one for each.
fn access(shared: &mut Shared, pointers: &mut Vec<Pointer>, dtype: DType, pitch: i64) -> u16 {
    let at = pointers.len() as u16;
    pointers.push(Pointer { source: Source::Given(at), size: dtype.size(), pitch });
    shared.access(Base::Pointer(at), dtype, pitch)
}

impl Scalars<'_> {
    /// The machine code; `None` if something in the loop has none. Its pointers are, in this order, what does not change, the first
    /// values, the last values, what each step reads an element of, and what each step writes an element of.
    ///
    /// # Errors
    /// There is no executable memory.
    pub(in crate::vector) fn emit(&self, wide: bool) -> Result<Option<EmittedLoop>> {
        if self.carried > MOST_CARRIED[usize::from(wide)] {
            return Ok(None);
        }
        let Some(blocks) = self.blocks(wide) else { return Ok(None) };
        let layout = Layout::new(&blocks.shared);
        let Some(asm) = blocks.assemble(layout) else { return Ok(None) };
        let code = arena::Code::new(&[asm.encode()?])?;
        Ok(Some(EmittedLoop { code, frame: layout.frame(1) }))
    }

    fn blocks(&self, wide: bool) -> Option<Blocks> {
        let (fixed, carried) = (self.fixed, self.carried);
        let types = self.body.verify().ok()?;
        let inputs = &self.body.inputs;
        let mut shared = Shared::new(wide);
        let mut pointers = Vec::new();
        let elements = self.body.outputs.get(carried..)?;
        let mut all = |shared: &mut Shared, dtypes: &[DType], strides: &[i64]| -> Vec<u16> {
            let strides = strides.iter().copied().chain(std::iter::repeat(0));
            let pitch = |(dtype, stride): (&DType, i64)| {
                access(shared, &mut pointers, *dtype, stride * dtype.size() as i64)
            };
            dtypes.iter().zip(strides).map(pitch).collect()
        };
        let values = &inputs[fixed..fixed + carried];
        let starts = all(&mut shared, &inputs[..fixed + carried], &[]);
        let lasts = all(&mut shared, values, &[]);
        let moving = &inputs[fixed + carried..];
        let (reads, writes) = self.strides.split_at_checked(moving.len())?;
        let read = all(&mut shared, moving, reads);
        let written = all(&mut shared, elements, writes);

        let mut g = Graph::new(&mut shared);
        let mut slots = Vec::new();
        for (&access, &dtype) in starts.iter().zip(inputs) {
            let x = g.broadcast(access, dtype)?;
            let value = held(&mut g, dtype, &x)?;
            let slot = g.shared.slot();
            g.effect(Effect::Save { slot, value });
            slots.push(slot);
        }
        let before = g.block;
        let first = slots.split_off(fixed);

        // The values at the beginning of a step, in the block that is being written.
        let known = |g: &mut Graph<'_>| -> Option<Vec<Parts>> {
            let mut known = Vec::new();
            for (&slot, &dtype) in slots.iter().zip(inputs) {
                let v = g.slot(slot);
                known.push(value_of(g, dtype, v)?);
            }
            for (number, &dtype) in values.iter().enumerate() {
                let v = g.node(Node::Accumulator { number: number as u8 });
                known.push(value_of(g, dtype, v)?);
            }
            Some(known)
        };

        let test = match self.test {
            None => None,
            Some(kernel) => {
                let types = kernel.verify().ok()?;
                let mut g = Graph::new(&mut shared);
                let known = known(&mut g)?;
                let answer = stored(&mut g, kernel, &types, &known)?;
                let value = held(&mut g, DType::Bool, answer.first()?)?;
                let slot = g.shared.slot();
                g.effect(Effect::Save { slot, value });
                Some((g.block, slot))
            }
        };
        let body = self.body_block(&mut shared, &types, known, &read, &written)?;
        let mut g = Graph::new(&mut shared);
        for ((&slot, &access), &dtype) in first.iter().zip(&lasts).zip(values) {
            let v = g.slot(slot);
            let x = value_of(&mut g, dtype, v)?;
            g.store_one(access, dtype, &x);
        }
        let after = g.block;
        Some(Blocks { shared, pointers, before, first, test, body, after })
    }

    fn body_block(
        &self,
        shared: &mut Shared,
        types: &[(DType, Class)],
        known: impl Fn(&mut Graph<'_>) -> Option<Vec<Parts>>,
        read: &[u16],
        written: &[u16],
    ) -> Option<Block> {
        let mut g = Graph::new(shared);
        let mut inputs = known(&mut g)?;
        for (&access, &dtype) in read.iter().zip(&self.body.inputs[inputs.len()..]) {
            inputs.push(g.broadcast(access, dtype)?);
        }
        let results = stored(&mut g, self.body, types, &inputs)?;
        let (next, elements) = results.split_at_checked(self.carried)?;
        for ((x, &access), &dtype) in elements.iter().zip(written).zip(&self.body.outputs[self.carried..]) {
            g.store_one(access, dtype, x);
        }
        for (number, (x, &dtype)) in next.iter().zip(&self.body.outputs).enumerate() {
            let number = number as u8;
            let mut value = held(&mut g, dtype, x)?;
            match g.block.nodes[value as usize] {
                Node::Accumulator { number: same } if same == number => continue,
                // The value is another accumulator, which changes in this step too: its old value is copied.
                Node::Accumulator { .. } => value = g.op2(Opcode::Or, value, value),
                _ => {}
            }
            g.effect(Effect::Accumulate { number, value });
        }
        Some(g.block)
    }
}

impl Blocks {
    fn assemble(&self, layout: Layout) -> Option<Assembler> {
        let wide = self.shared.wide;
        let registers = if wide { 32 } else { 14 };
        let mut asm = Assembler::default();
        asm.comment("entry");
        for r in SAVED {
            asm.r(Code::Push_r64, r);
        }
        let (pool, next, end) = (asm.label(), asm.label(), asm.label());
        asm.address(pool);
        asm.rm(Code::Mov_r64_rm64, FRAME, field(SCRATCH));
        let plain = Style { copies: 1, ..Style::default() };
        alloc::write(&mut asm, &self.shared, layout, &self.before, &plain)?;

        let accumulators: Vec<SmallVec<[usize; 4]>> =
            (0..self.first.len()).map(|i| smallvec![registers - 1 - i]).collect();
        let carried = Style { copies: 1, accumulators, ..Style::default() };
        let trial =
            |block: &Block| alloc::write(&mut Assembler::default(), &self.shared, layout, block, &carried);
        let mut cost = trial(&self.body)?;
        if let Some((test, _)) = &self.test {
            let other = trial(test)?;
            cost.registers = cost.registers.max(other.registers);
            cost.spilled += other.spilled;
            for (home, weight) in other.homes {
                *cost.homes.entry(home).or_default() += weight;
            }
        }
        let style = Function::hold(carried, &cost, self.first.len(), registers);
        let mut kept: Vec<(Home, usize)> = style.held.iter().map(|(&(home, _), &r)| (home, r)).collect();
        kept.extend(self.first.iter().zip(&style.accumulators).map(|(&slot, r)| (Home::Row(slot), r[0])));
        kept.sort_unstable_by_key(|(_, r)| *r);
        for (home, r) in kept {
            asm.rm(full_load(wide), vector(wide, r, Part::Full), layout.home(home, 0));
        }
        if self.test.is_none() {
            asm.mi(Code::Cmp_rm64_imm8, field(ROWS), 0);
            asm.jump(Condition::Equal, end);
        }
        asm.comment("step");
        asm.bind(next);
        if let Some((test, answer)) = &self.test {
            alloc::write(&mut asm, &self.shared, layout, test, &style)?;
            asm.mi(Code::Cmp_rm32_imm8, layout.home(Home::Row(*answer), 0), 0);
            asm.jump(Condition::Equal, end);
        }
        alloc::write(&mut asm, &self.shared, layout, &self.body, &style)?;
        advance(&mut asm, &self.pointers, 1);
        if self.test.is_none() {
            asm.mi(Code::Sub_rm64_imm8, field(ROWS), 1);
            asm.jump(Condition::NotEqual, next);
        } else {
            asm.jump(Condition::Always, next);
        }
        asm.comment("exit");
        asm.bind(end);
        for (&slot, r) in self.first.iter().zip(&style.accumulators) {
            asm.mr(full_store(wide), layout.home(Home::Row(slot), 0), vector(wide, r[0], Part::Full));
        }
        alloc::write(&mut asm, &self.shared, layout, &self.after, &plain)?;
        asm.op0(Code::VEX_Vzeroupper);
        for r in SAVED.into_iter().rev() {
            asm.r(Code::Pop_r64, r);
        }
        asm.op0(Code::Retnq);
        calls::finish(&mut asm, layout);
        asm.data(pool, self.shared.consts.clone());
        Some(asm)
    }
}

impl EmittedLoop {
    pub fn call(&self) -> LoopCall<'_> {
        let mut scratch = Scratch::new::<[u64; 8]>(self.frame.div_ceil(64));
        let mut table: SmallVec<[u64; HEADER + 16]> = smallvec![0; HEADER];
        table[SCRATCH] = scratch.ptr::<[u64; 8]>().addr() as u64;
        LoopCall { code: &self.code, table, _scratch: scratch }
    }
}

/// The code with its frame and the table of its pointers.
pub(in crate::vector) struct LoopCall<'a> {
    code: &'a arena::Code,
    table: SmallVec<[u64; HEADER + 16]>,
    _scratch: Scratch,
}

impl LoopCall<'_> {
    /// Runs the loop, `steps` times if it is counted.
    ///
    /// # Safety
    /// The pointers are those of the loop, as [`Scalars::emit`] lists them: each points to an element of its type, of what steps
    /// read and write to as many as there are steps, at the first step's.
    pub unsafe fn run(&mut self, pointers: impl Iterator<Item = *mut u8>, steps: usize) {
        self.table[ROWS] = steps as u64;
        self.table.truncate(HEADER);
        self.table.extend(pointers.map(|p| p.addr() as u64));
        // SAFETY: the code follows the platform's calling convention, takes the table alone, and reaches what the pointers point
        // to, which the caller has promised, and the frame.
        unsafe {
            let run: unsafe extern "sysv64" fn(*mut u64) = std::mem::transmute(self.code.entry(0));
            run(self.table.as_mut_ptr());
        }
    }
}

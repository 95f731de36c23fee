//! Assembles blocks to a function with the loops around them.
//!
//! ```text
//! for each row, or several side by side:
//!     for each level of reductions:
//!         what is computed once per row
//!         for each chunk of 4096 columns, where the order of a long sum asks for it:
//!             for groups of 16 columns, several side by side; then, under a mask, what is left
//!     what is stored once per row
//! ```

use iced_x86::{Code, MemoryOperand, Register};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::alloc::{
    self, COLUMN, COLUMNS, COUNTER, Cost, END, FRAME, Held, INDICES, LANE, LAST, Layout, POINTERS, ROWS,
    SCRATCH, STREAM, Style, field, flushing, full_load, full_store, ordinary, pointer, vector,
};
use super::asm::{Assembler, Condition};
use super::calls;
use super::graph::{Base, Block, Effect, GROUP, Home, Node};
use super::lower::{Carried, Columns, Lowered, MOST_COPIES, Pointer, Source, Task};
use super::ops::Part;
use crate::gemm::flushed::FLUSHING;
use crate::vector::fold::CHUNK;
use crate::vector::plan::MOST_ROWS;

pub(super) const SAVED: [Register; 6] =
    [Register::RBX, Register::RBP, Register::R12, Register::R13, Register::R14, Register::R15];
const TEMPORARY: Register = Register::R11;

/// Bytes of a cache line.
pub(super) const LINE: usize = 64;

pub(super) struct Function<'a> {
    asm: Assembler,
    lowered: &'a Lowered,
    layout: Layout,
    /// The dimension along which rows run.
    run: Option<usize>,
    /// How far the index of `run` moves from row to row.
    moves: usize,
    /// The prefetch instruction for lines that are loaded later. The rows of a call may be a power of two apart, and their lines
    /// would evict one another from the first-level cache.
    ask: Code,
    /// The number of rows that are processed side by side.
    rows: usize,
    loops: usize,
    /// How each loop is written, in order: the same in both copies of a row's code.
    styles: Vec<Style>,
}

/// Assembles the function of a task. Returns it and the number of rows that it processes side by side; `None` if more vectors
/// must be spilled than the frame has room for.
pub(super) fn assemble(lowered: &Lowered, task: &Task<'_>, stream: bool) -> Option<(Assembler, usize)> {
    let layout = Layout::new(&lowered.shared);
    let mut rows = lowered.rows(task, layout, stream);
    loop {
        let mut f = Function {
            asm: Assembler::default(),
            lowered,
            layout,
            run: task.run,
            moves: task.moves(),
            ask: match &task.calls {
                Some(calls) if !calls.in_panels => Code::Prefetcht1_m8,
                _ => Code::Prefetcht0_m8,
            },
            rows,
            loops: 0,
            styles: Vec::new(),
        };
        if f.function(stream).is_some() {
            return Some((f.asm, rows));
        }
        if rows == 1 {
            return None;
        }
        rows /= 2;
    }
}

/// Up to this many columns, the reductions at the ends of a row's loops take longer than the loops.
const SHORT: usize = 4 * GROUP;
/// The most bytes of the rows side by side: later loops find them in the L1 cache.
const NEAR: usize = 32 << 10;

impl Lowered {
    /// The number of rows to process side by side: several, if the reductions at the ends of loops, chains of dependent
    /// instructions, take a good part of the time. The chain of additions within a loop keeps up with loads from the L2 cache, so
    /// long loops gain nothing; and streaming stores are best written in order.
    fn rows(&self, task: &Task<'_>, layout: Layout, stream: bool) -> usize {
        let loops: Vec<&Columns> = self.phases.iter().filter_map(|p| p.columns.as_ref()).collect();
        let alone = task.run.is_none() || task.kernel.is_column() || task.partial.iter().any(Option::is_some);
        if alone || loops.iter().all(|l| l.carried.is_empty()) {
            return 1;
        }
        // Rows must store to distinct memory.
        let apart = |p: &Pointer| p.pitch != 0 || !matches!(p.source, Source::Output(..));
        let close = |p: &Pointer| p.pitch.unsigned_abs() < (1 << 30) / MOST_ROWS as u64;
        if !self.pointers.iter().all(|p| apart(p) && close(p)) {
            return 1;
        }
        if task.cols <= if stream { GROUP } else { SHORT } {
            return MOST_ROWS;
        }
        if stream || loops.len() < 3 {
            return 1;
        }
        let read: usize = (self.pointers.iter())
            .filter(|p| p.pitch != 0 && matches!(&p.source, Source::Input(_, map) if map.col != 0))
            .map(|p| p.size * task.cols)
            .sum();
        let row = (read + layout.frame(1) - layout.frame(0)).max(1);
        match NEAR / row {
            0 | 1 => 1,
            2 | 3 => 2,
            _ => MOST_ROWS,
        }
    }
}

impl Function<'_> {
    fn function(&mut self, stream: bool) -> Option<()> {
        let lowered = self.lowered;
        self.asm.comment("entry");
        for r in SAVED {
            self.asm.r(Code::Push_r64, r);
        }
        let pool = self.asm.label();
        let (ordinary, rest, end) = (self.asm.label(), self.asm.label(), self.asm.label());
        self.asm.address(pool);
        self.asm.rm(Code::Mov_r64_rm64, FRAME, field(SCRATCH));
        if self.flushes_throughout() {
            self.flush();
        }
        if stream {
            self.asm.mi(Code::Cmp_rm64_imm8, field(STREAM), 0);
            self.asm.jump(Condition::Equal, ordinary);
            self.all(true)?;
            self.asm.op0(Code::Sfence);
            self.asm.jump(Condition::Always, if self.rows > 1 { rest } else { end });
            self.asm.bind(ordinary);
        }
        self.all(false)?;
        if self.rows > 1 {
            self.asm.bind(rest);
            self.asm.mi(Code::Cmp_rm64_imm8, field(ROWS), 0);
            self.asm.jump(Condition::Equal, end);
            self.rows = 1;
            self.styles.clear();
            self.all(false)?;
        }
        self.asm.comment("exit");
        self.asm.bind(end);
        if self.flushes_throughout() {
            self.flush_no_more();
        }
        self.asm.op0(Code::VEX_Vzeroupper);
        for r in SAVED.into_iter().rev() {
            self.asm.r(Code::Pop_r64, r);
        }
        self.asm.op0(Code::Retnq);
        calls::finish(&mut self.asm, self.layout);
        self.asm.data(pool, lowered.shared.consts.clone());
        Some(())
    }

    /// Writes the loop over rows, while as many are left as are processed side by side.
    fn all(&mut self, stream: bool) -> Option<()> {
        let (next, done) = (self.asm.label(), self.asm.label());
        if self.rows == 1 {
            self.asm.bind(next);
            self.row(stream)?;
            self.asm.jump(Condition::NotEqual, next);
            return Some(());
        }
        let rows = self.rows as i32;
        self.asm.mi(Code::Cmp_rm64_imm8, field(ROWS), rows);
        self.asm.jump(Condition::Less, done);
        self.asm.bind(next);
        self.row(stream)?;
        self.asm.mi(Code::Cmp_rm64_imm8, field(ROWS), rows);
        self.asm.jump(Condition::GreaterOrEqual, next);
        self.asm.bind(done);
        Some(())
    }

    /// Writes one pass over the rows side by side, and the step to the next; `NotEqual` holds if there is a next one.
    fn row(&mut self, stream: bool) -> Option<()> {
        let lowered = self.lowered;
        self.loops = 0;
        for phase in &lowered.phases {
            self.plain(&phase.row)?;
            let Some(columns) = &phase.columns else { continue };
            match &phase.chunks {
                None => {
                    self.asm.rr(Code::Xor_r32_rm32, Register::EAX, Register::EAX);
                    self.asm.rm(Code::Mov_r64_rm64, END, field(COLUMNS));
                    self.columns(columns, stream)?;
                }
                Some(chunks) => {
                    let (next, done, cut) = (self.asm.label(), self.asm.label(), self.asm.label());
                    self.asm.mi(Code::Mov_rm64_imm32, field(COUNTER), 0);
                    self.asm.bind(next);
                    // The chunk's columns are computed from its number.
                    self.asm.rm(Code::Mov_r64_rm64, COLUMN, field(COUNTER));
                    self.asm.ri(Code::Shl_rm64_imm8, COLUMN, CHUNK.trailing_zeros() as i32);
                    self.asm.rm(Code::Mov_r64_rm64, END, field(COLUMNS));
                    self.asm.rr(Code::Cmp_r64_rm64, COLUMN, END);
                    self.asm.jump(Condition::GreaterOrEqual, done);
                    let limit = MemoryOperand::with_base_displ(COLUMN, CHUNK as i64);
                    self.asm.rm(Code::Lea_r64_m, TEMPORARY, limit);
                    self.asm.rr(Code::Cmp_r64_rm64, TEMPORARY, END);
                    self.asm.jump(Condition::GreaterOrEqual, cut);
                    self.asm.rr(Code::Mov_r64_rm64, END, TEMPORARY);
                    self.asm.bind(cut);
                    self.columns(columns, stream)?;
                    self.results(&chunks.each)?;
                    self.asm.mi(Code::Add_rm64_imm8, field(COUNTER), 1);
                    self.asm.jump(Condition::Always, next);
                    self.asm.bind(done);
                    self.asm.rr(Code::Xor_r32_rm32, Register::EAX, Register::EAX);
                    self.asm.rm(Code::Mov_r64_rm64, END, field(COUNTER));
                    self.columns(&chunks.all, false)?;
                }
            }
        }
        self.plain(&lowered.last)?;
        self.asm.comment("next row");
        advance(&mut self.asm, &lowered.pointers, self.rows);
        if !lowered.lanes.is_empty() {
            self.next_lane();
        }
        let rows = self.rows as i32;
        if let Some(d) = self.run {
            self.asm.mi(Code::Add_rm64_imm32, field(INDICES + d), rows * self.moves as i32);
        }
        self.asm.mi(Code::Sub_rm64_imm8, field(ROWS), rows);
        Some(())
    }

    /// Moves the pointers of lanes to the next lane, and from the last lane to the first.
    fn next_lane(&mut self) {
        let (same, done) = (self.asm.label(), self.asm.label());
        self.asm.mi(Code::Add_rm64_imm8, field(LANE), 1);
        self.asm.mi(Code::Cmp_rm64_imm8, field(LANE), GROUP as i32);
        self.asm.jump(Condition::Less, same);
        self.asm.mi(Code::Mov_rm64_imm32, field(LANE), 0);
        for wraps in [true, false] {
            if !wraps {
                self.asm.bind(same);
            }
            for &p in &self.lowered.lanes {
                let size = self.lowered.pointers[usize::from(p)].size;
                // The distance between lanes is a row of columns.
                self.asm.rm(Code::Mov_r64_rm64, TEMPORARY, field(COLUMNS));
                let times = if wraps { (GROUP - 1) * size } else { size };
                self.asm.rri(Code::Imul_r64_rm64_imm32, TEMPORARY, TEMPORARY, times as i32);
                let code = if wraps { Code::Sub_rm64_r64 } else { Code::Add_rm64_r64 };
                self.asm.mr(code, pointer(p), TEMPORARY);
            }
            if wraps {
                self.asm.jump(Condition::Always, done);
            }
        }
        self.asm.bind(done);
    }

    /// The base style of a block: for this many groups of a row, or for one group of each row side by side.
    fn base(&self, copies: usize) -> Style {
        if self.rows > 1 {
            Style { copies: self.rows, rows: self.run, ..Style::default() }
        } else {
            Style { copies, ..Style::default() }
        }
    }

    /// Writes a block outside of loops.
    fn plain(&mut self, block: &Block) -> Option<()> {
        if block.effects.is_empty() {
            return Some(());
        }
        self.asm.comment("row");
        let style = self.base(1);
        alloc::write(&mut self.asm, &self.lowered.shared, self.layout, block, &style)?;
        Some(())
    }

    /// Writes the block after a chunk, which stores its results at the chunk's number.
    fn results(&mut self, block: &Block) -> Option<()> {
        self.asm.comment("chunk");
        let style = Style { indexed: true, ..self.base(1) };
        self.asm.rm(Code::Mov_r64_rm64, COLUMN, field(COUNTER));
        alloc::write(&mut self.asm, &self.lowered.shared, self.layout, block, &style)?;
        Some(())
    }

    fn style(&self, columns: &Columns, copies: usize) -> Style {
        let mut style = self.base(copies);
        let mut next = if self.lowered.shared.wide { 31 } else { 13 };
        for carried in &columns.carried {
            let own = if carried.split || self.rows > 1 { copies } else { 1 };
            style.accumulators.push((0..own).map(|i| next - i).collect());
            next -= own;
        }
        let mut free = POINTERS.iter();
        let mut known: FxHashMap<u16, Register> = FxHashMap::default();
        let used = self.accesses(&columns.block);
        for &a in &used {
            let Base::Pointer(p) = self.lowered.shared.accesses[usize::from(a)].base else { continue };
            if let Some(r) = known.get(&p).copied().or_else(|| free.next().copied()) {
                known.insert(p, r);
                style.pointers.insert(a, r);
            }
        }
        style
    }

    /// The accesses of a block, the most used pointers first.
    fn accesses(&self, block: &Block) -> Vec<u16> {
        let base = |access: u16| self.lowered.shared.accesses[usize::from(access)].base;
        let nodes = block.nodes.iter().filter_map(|node| match *node {
            Node::Load { access, .. } | Node::Element { access } => Some(access),
            _ => None,
        });
        let effects = block.effects.iter().filter_map(|effect| match *effect {
            Effect::Store { access, .. } => Some(access),
            _ => None,
        });
        let mut all: SmallVec<[u16; 32]> = nodes.chain(effects).collect();
        let mut uses: FxHashMap<Base, usize> = FxHashMap::default();
        for &access in &all {
            *uses.entry(base(access)).or_default() += 1;
        }
        all.sort_unstable();
        all.dedup();
        all.sort_by_key(|&access| std::cmp::Reverse(uses[&base(access)]));
        all.into_vec()
    }

    fn trial(&self, columns: &Columns, style: &Style) -> Option<Cost> {
        let mut scratch = Assembler::default();
        alloc::write(&mut scratch, &self.lowered.shared, self.layout, &columns.block, style)
    }

    /// The style of the main loop: as many groups side by side as the registers allow.
    fn choose(&self, columns: &Columns) -> Option<Style> {
        let most = match self.rows {
            1 if self.lowered.shared.wide => MOST_COPIES,
            1 => 2,
            rows => rows,
        };
        let accumulators: usize = columns.carried.len();
        let registers = if self.lowered.shared.wide { 32 } else { 14 };
        let mut copies = most;
        loop {
            let own = |c: &Carried| if c.split || self.rows > 1 { copies } else { 1 };
            let held: usize = columns.carried.iter().map(own).sum();
            if held + 6 <= registers || copies == 1 {
                let style = self.style(columns, copies);
                let cost = self.trial(columns, &style)?;
                if cost.spilled == 0 || copies == 1 {
                    return Some(Function::hold(style, &cost, held, registers));
                }
            }
            if self.rows > 1 {
                return None;
            }
            copies /= 2;
            if accumulators > registers {
                return None;
            }
        }
    }

    /// Gives the remaining registers to the slots that are read most.
    pub(super) fn hold(mut style: Style, cost: &Cost, accumulators: usize, registers: usize) -> Style {
        if cost.spilled > 0 {
            return style;
        }
        let mut free = registers.saturating_sub(cost.registers + accumulators);
        let mut homes: Vec<(usize, Held)> = cost.homes.iter().map(|(&h, &w)| (w, h)).collect();
        let key = |h: &Held| match *h {
            (Home::Const(k), _) => (0, k, 0),
            (Home::Row(s), row) => (1, s, row),
        };
        homes.sort_by(|a, b| b.0.cmp(&a.0).then(key(&a.1).cmp(&key(&b.1))));
        let mut next = registers - accumulators;
        for (_, home) in homes {
            if free == 0 {
                break;
            }
            next -= 1;
            free -= 1;
            style.held.insert(home, next);
        }
        style
    }

    /// Writes a loop from the column in `COLUMN` to `END`.
    fn columns(&mut self, columns: &Columns, stream: bool) -> Option<()> {
        let wide = self.lowered.shared.wide;
        if self.styles.len() == self.loops {
            let style = self.choose(columns)?;
            self.styles.push(style);
        }
        let style = Style { stream, ..self.styles[self.loops].clone() };
        self.loops += 1;
        self.asm.comment(format!("loop {}, before", self.loops));
        let mut pointers: Vec<(u16, Register)> = style.pointers.iter().map(|(&a, &r)| (a, r)).collect();
        pointers.sort_unstable_by_key(|p| p.0);
        let mut loaded: SmallVec<[Register; 8]> = SmallVec::new();
        for &(a, r) in &pointers {
            if let Base::Pointer(p) = self.lowered.shared.accesses[usize::from(a)].base
                && !loaded.contains(&r)
            {
                self.asm.rm(Code::Mov_r64_rm64, r, pointer(p));
                loaded.push(r);
            }
        }
        let mut held: Vec<(Held, usize)> = style.held.iter().map(|(&h, &r)| (h, r)).collect();
        held.sort_unstable_by_key(|h| h.1);
        for ((home, row), r) in held {
            self.asm.rm(full_load(wide), vector(wide, r, Part::Full), self.layout.home(home, row));
        }
        for (carried, registers) in columns.carried.iter().zip(&style.accumulators) {
            for &r in registers {
                let m = self.layout.home(carried.identity, 0);
                self.asm.rm(full_load(wide), vector(wide, r, Part::Full), m);
            }
        }
        let flushes = self.lowered.flushes && !self.flushes_throughout();
        if flushes {
            self.flush();
        }
        let (main, tail, tail_loop, done) =
            (self.asm.label(), self.asm.label(), self.asm.label(), self.asm.label());
        let groups = if self.rows > 1 { 1 } else { style.copies };
        let step = groups * GROUP;
        let last = MemoryOperand::with_base_displ(END, 1 - step as i64);
        self.asm.rm(Code::Lea_r64_m, LAST, last);
        self.asm.rr(Code::Cmp_r64_rm64, COLUMN, LAST);
        self.asm.jump(Condition::GreaterOrEqual, tail);
        let rows = if self.rows > 1 { " rows" } else { "" };
        self.asm.comment(format!("loop {} by {}{rows}", self.loops, style.copies));
        self.asm.bind(main);
        if self.rows == 1 {
            self.ask_ahead(&pointers, step);
        }
        self.block(columns, &style)?;
        self.asm.ri(Code::Add_rm64_imm32, COLUMN, step as i32);
        self.asm.rr(Code::Cmp_r64_rm64, COLUMN, LAST);
        self.asm.jump(Condition::Less, main);
        self.asm.comment(format!("loop {}, tail", self.loops));
        self.asm.bind(tail);
        self.asm.rr(Code::Cmp_r64_rm64, COLUMN, END);
        self.asm.jump(Condition::GreaterOrEqual, done);
        self.asm.bind(tail_loop);
        self.tail_mask();
        let one = Style { copies: self.rows, masked: true, stream: false, ..style.clone() };
        self.block(columns, &one)?;
        self.asm.ri(Code::Add_rm64_imm8, COLUMN, GROUP as i32);
        self.asm.rr(Code::Cmp_r64_rm64, COLUMN, END);
        self.asm.jump(Condition::Less, tail_loop);
        self.asm.comment(format!("loop {}, after", self.loops));
        self.asm.bind(done);
        if flushes {
            self.flush_no_more();
        }
        for (carried, registers) in columns.carried.iter().zip(&style.accumulators) {
            // All copies belong to one row, or each copy belongs to a row of its own.
            let rows = if self.rows > 1 { registers.chunks(1) } else { registers.chunks(style.copies) };
            for (row, registers) in rows.enumerate() {
                for (i, &slot) in carried.slots.iter().enumerate() {
                    let to = self.layout.home(Home::Row(slot), row);
                    // Slots of copies that the loop does not have get the identity.
                    if let Some(&r) = registers.get(i) {
                        self.asm.mr(full_store(wide), to, vector(wide, r, Part::Full));
                    } else {
                        let m = self.layout.home(carried.identity, 0);
                        self.asm.rm(full_load(wide), vector(wide, 0, Part::Full), m);
                        self.asm.mr(full_store(wide), to, vector(wide, 0, Part::Full));
                    }
                }
            }
        }
        Some(())
    }

    /// Whether the flushing mode can be on from the first row to the last: loops flush, and nothing is computed outside of them.
    fn flushes_throughout(&self) -> bool {
        let Lowered { flushes, phases, last, .. } = self.lowered;
        *flushes && last.effects.is_empty() && phases.iter().all(|phase| phase.row.effects.is_empty())
    }

    /// Switches subnormal numbers to zeros, and saves the previous MXCSR in the table.
    fn flush(&mut self) {
        self.asm.m(Code::VEX_Vstmxcsr_m32, ordinary());
        self.asm.rm(Code::Mov_r32_rm32, Register::R11D, ordinary());
        self.asm.ri(Code::Or_rm32_imm32, Register::R11D, FLUSHING as i32);
        self.asm.mr(Code::Mov_rm32_r32, flushing(), Register::R11D);
        self.asm.m(Code::VEX_Vldmxcsr_m32, flushing());
    }

    fn flush_no_more(&mut self) {
        self.asm.m(Code::VEX_Vldmxcsr_m32, ordinary());
    }

    /// Asks for what the loop will load through its `pointers` some groups later, `step` columns of it, where the caches do not hold it.
    fn ask_ahead(&mut self, pointers: &[(u16, Register)], step: usize) {
        for &(a, r) in pointers {
            let access = self.lowered.shared.accesses[usize::from(a)];
            let size = access.dtype.size();
            for line in (0..step * size).step_by(LINE).filter(|_| access.ahead != 0) {
                let m = MemoryOperand::with_base_index_scale_displ_size(
                    r,
                    COLUMN,
                    size as u32,
                    i64::from(access.offset) + i64::from(access.ahead) + line as i64,
                    1,
                );
                self.asm.m(self.ask, m);
            }
        }
    }

    fn block(&mut self, columns: &Columns, style: &Style) -> Option<()> {
        alloc::write(&mut self.asm, &self.lowered.shared, self.layout, &columns.block, style)?;
        Some(())
    }

    /// Writes the mask of the remaining columns, up to sixteen.
    fn tail_mask(&mut self) {
        self.asm.rr(Code::Mov_r32_rm32, Register::R11D, Register::ECX);
        self.asm.rr(Code::Sub_r32_rm32, Register::R11D, Register::EAX);
        if self.lowered.shared.wide {
            self.asm.ri(Code::Mov_r32_imm32, Register::R10D, -1);
            self.asm.rrr(Code::VEX_Bzhi_r32_rm32_r32, Register::R10D, Register::R10D, Register::R11D);
            self.asm.rr(Code::VEX_Kmovd_kr_r32, Register::K1, Register::R10D);
            self.asm.rri(Code::VEX_Kshiftrw_kr_kr_imm8, Register::K7, Register::K1, 8);
            return;
        }
        // The mask has the lanes whose number, from a table in the constants, is below the number of remaining columns.
        for (part, register) in [(0, Register::XMM14), (1, Register::XMM15)] {
            let lanes = Register::YMM14 + part;
            self.asm.rr(Code::VEX_Vmovd_xmm_rm32, register, Register::R11D);
            self.asm.rr(Code::VEX_Vpbroadcastd_ymm_xmmm32, lanes, register);
            let ramp = self.lowered.ramp;
            let m = self.layout.home(ramp[part as usize], 0);
            self.asm.rrm(Code::VEX_Vpcmpgtd_ymm_ymm_ymmm256, lanes, lanes, m);
        }
    }
}

/// Moves each pointer of the table by this many rows.
pub(super) fn advance(asm: &mut Assembler, pointers: &[Pointer], rows: usize) {
    for (p, pointer_of) in pointers.iter().enumerate().filter(|(_, p)| p.pitch != 0) {
        let step = pointer_of.pitch * rows as i64;
        match i32::try_from(step) {
            Ok(pitch) => asm.mi(Code::Add_rm64_imm32, pointer(p as u16), pitch),
            Err(_) => {
                asm.take(iced_x86::Instruction::with2(Code::Mov_r64_imm64, TEMPORARY, step));
                asm.mr(Code::Add_rm64_r64, pointer(p as u16), TEMPORARY);
            }
        }
    }
}

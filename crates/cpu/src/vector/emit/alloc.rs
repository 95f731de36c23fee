//! Blocks to instructions: registers are given out while the block is written, the value whose next use is furthest
//! away goes to memory where they run short.

mod instructions;

use iced_x86::{Code, MemoryOperand, Register};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::asm::Assembler;
use super::calls;
use super::graph::{Access, Base, Block, Effect, GROUP, Home, Node, Shared, V};
use super::ops::Part;

/// The register of the table of pointers and counts, the argument of every function.
pub(super) const TABLE: Register = Register::RDI;
/// The register of the address of the constants.
pub(super) const POOL: Register = Register::RSI;
/// The register of the frame: slots, spilled values, buffers.
pub(super) const FRAME: Register = Register::RDX;
/// The register of the current column.
pub(super) const COLUMN: Register = Register::RAX;
/// The register of the end of a loop's columns.
pub(super) const END: Register = Register::RCX;
/// The register of the column where the unrolled loop ends.
pub(super) const LAST: Register = Register::RBX;
const TEMPORARY: Register = Register::R11;
const SCALAR: Register = Register::R10;
/// The registers that hold pointers during a loop.
pub(super) const POINTERS: [Register; 7] =
    [Register::R8, Register::R9, Register::R12, Register::R13, Register::R14, Register::R15, Register::RBP];
/// The mask register of the lanes that have columns, and the one of the upper half of these lanes for elements of 8 bytes.
const TAIL: usize = 1;
const TAIL_HIGH: usize = 7;

/// The most vectors that are spilled to the frame at a time.
pub(super) const SPILLS: usize = 48;

/// The layout of a function's frame.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    pub wide: bool,
    /// The bytes that calls of functions need.
    calls: usize,
    /// The bytes of a row's slots, which stand before its buffers.
    slots: usize,
    /// The bytes of a row's slots and buffers.
    row: usize,
}

impl Layout {
    pub fn new(shared: &Shared) -> Layout {
        let slots = (usize::from(shared.slots) * shared.width()).next_multiple_of(64);
        let calls = if shared.functions.is_empty() { 0 } else { calls::BYTES };
        Layout { wide: shared.wide, calls, slots, row: slots + shared.buffers }
    }

    fn width(self) -> i64 {
        if self.wide { 64 } else { 32 }
    }

    /// The offset of the stage, where elements of a partial group are assembled: room for a group of the widest type.
    fn stage(self) -> usize {
        SPILLS * self.width() as usize
    }

    /// The offset of the calls' memory: operands, result, and saved registers.
    pub fn calls(self) -> usize {
        self.stage() + 8 * GROUP
    }

    fn of_calls(self, byte: usize) -> MemoryOperand {
        MemoryOperand::with_base_displ(FRAME, (self.calls() + byte) as i64)
    }

    /// An operand of a call; the last one is the result.
    fn operand(self, i: usize) -> MemoryOperand {
        self.of_calls(i * calls::OPERAND)
    }

    /// The place where vector register `r` is saved during a call.
    fn kept(self, r: usize) -> MemoryOperand {
        self.of_calls(calls::VECTORS + 64 * r)
    }

    fn kept_mask(self, k: usize) -> MemoryOperand {
        self.of_calls(calls::MASKS + 8 * k)
    }

    /// The place where the i-th general register is saved during a call.
    pub fn kept_general(self, i: usize) -> MemoryOperand {
        self.of_calls(calls::GENERAL + 8 * i)
    }

    /// Where the slots of the first row begin.
    fn rows(self) -> usize {
        self.calls() + self.calls
    }

    /// Where the buffers of the first row begin.
    fn buffers(self) -> usize {
        self.rows() + self.slots
    }

    /// The bytes of the frame for as many rows side by side.
    pub fn frame(self, rows: usize) -> usize {
        self.rows() + rows * self.row
    }

    /// A slot's address; a row's slot in the frame of the row that is `row` rows on.
    pub fn home(self, home: Home, row: usize) -> MemoryOperand {
        match home {
            // Constants repeat their bits, so the first half is the constant of a narrow vector.
            Home::Const(k) => MemoryOperand::with_base_displ(POOL, i64::from(k) * 64),
            Home::Row(s) => {
                let at = (self.rows() + row * self.row) as i64 + i64::from(s) * self.width();
                MemoryOperand::with_base_displ(FRAME, at)
            }
        }
    }

    fn spill(self, slot: usize) -> MemoryOperand {
        MemoryOperand::with_base_displ(FRAME, slot as i64 * self.width())
    }
}

/// Vector register `n`, or its half or quarter.
pub(super) fn vector(wide: bool, n: usize, part: Part) -> Register {
    let base = match (wide, part) {
        (true, Part::Full) => Register::ZMM0,
        (true, Part::Half) | (false, Part::Full) => Register::YMM0,
        _ => Register::XMM0,
    };
    base + n as u32
}

fn mask(n: usize) -> Register {
    Register::K0 + n as u32
}

/// The choices with which a block is written.
#[derive(Clone, Default)]
pub(super) struct Style {
    /// The number of groups that are processed side by side.
    pub copies: usize,
    /// The dimension along whose successive rows the groups lie; without it, they follow each other in one row.
    pub rows: Option<usize>,
    /// Whether the group may reach beyond the last column, so that loads and stores are masked.
    pub masked: bool,
    /// Whether stores that may bypass the caches use streaming instructions.
    pub stream: bool,
    /// Whether single elements of the frame are stored at the index in `COLUMN`.
    pub indexed: bool,
    /// Slots that stay in registers for the whole loop, each with its register.
    pub held: FxHashMap<Held, usize>,
    /// The register of each accumulator, for each copy (the last serves all further ones).
    pub accumulators: Vec<SmallVec<[usize; 4]>>,
    /// The pointer registers of the accesses.
    pub pointers: FxHashMap<u16, Register>,
}

/// A slot, and the index of its row among the rows side by side.
pub(super) type Held = (Home, usize);

/// The cost of a block as it was written.
#[derive(Default)]
pub(super) struct Cost {
    pub spilled: usize,
    /// The most vector registers in use at a time, besides those held throughout.
    pub registers: usize,
    /// For each slot the number of loads that a register would save.
    pub homes: FxHashMap<Held, usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    Nowhere,
    Register(usize),
    Memory(usize),
}

#[derive(Clone, Copy)]
enum Event {
    Node(V),
    Effect(usize),
}

/// Registers of one kind.
struct File {
    owner: [Option<usize>; 32],
    usable: u32,
}

struct Writer<'a> {
    asm: &'a mut Assembler,
    shared: &'a Shared,
    layout: Layout,
    block: &'a Block,
    style: &'a Style,
    nodes: usize,
    /// For each node the values that it reads, and how many they are.
    sources: Vec<([V; 4], usize)>,
    places: Vec<Place>,
    /// For each instance the events that use it, the next one last.
    uses: Vec<SmallVec<[u32; 4]>>,
    vectors: File,
    masks: File,
    pinned: SmallVec<[usize; 6]>,
    spill_slots: u64,
    /// The spill slots whose values are read for the last time by the instruction that is being written.
    freed_slots: u64,
    cost: Cost,
    live: usize,
    failed: bool,
}

/// Writes `block`; `None` if it takes more memory than there is for spilled vectors.
pub(super) fn write(
    asm: &mut Assembler,
    shared: &Shared,
    layout: Layout,
    block: &Block,
    style: &Style,
) -> Option<Cost> {
    let count = if shared.wide { 32 } else { 16 };
    let mut usable: u32 = if count == 32 { u32::MAX } else { (1 << count) - 1 };
    for &r in style.held.values().chain(style.accumulators.iter().flatten()) {
        usable &= !(1 << r);
    }
    if !shared.wide && style.masked {
        usable &= !(0b11 << 14);
    }
    let masks = if style.masked { 0b0111_1100 } else { 0b1111_1100 };
    let file = |usable| File { owner: [None; 32], usable };
    let mut w = Writer {
        asm,
        shared,
        layout,
        block,
        style,
        nodes: block.nodes.len(),
        sources: Vec::new(),
        places: vec![Place::Nowhere; block.nodes.len() * style.copies],
        uses: vec![SmallVec::new(); block.nodes.len() * style.copies],
        vectors: file(usable),
        masks: file(masks),
        pinned: SmallVec::new(),
        spill_slots: 0,
        freed_slots: 0,
        cost: Cost::default(),
        live: 0,
        failed: false,
    };
    w.sources = (block.nodes.iter())
        .map(|node| {
            let mut all = [0; 4];
            let sources = node.sources();
            for (to, &s) in all.iter_mut().zip(&sources) {
                *to = w.canonical(s);
            }
            (all, sources.len())
        })
        .collect();
    w.run();
    (!w.failed).then_some(w.cost)
}

impl Writer<'_> {
    /// The node that computes a value: without a mask, a tail is the value that it wraps.
    fn canonical(&self, mut v: V) -> V {
        while let Node::Tail { value, .. } = self.block.nodes[v as usize]
            && !self.style.masked
        {
            v = value;
        }
        v
    }

    fn sources(&self, v: V) -> &[V] {
        let (sources, count) = &self.sources[v as usize];
        &sources[..*count]
    }

    /// The index under which a node's value for a copy is tracked; an element that all groups of a row share has one index.
    fn instance(&self, v: V, copy: usize) -> usize {
        let same = self.style.rows.is_none() && matches!(self.block.nodes[v as usize], Node::Element { .. });
        if same { v as usize } else { copy * self.nodes + v as usize }
    }

    /// Whether the value is loaded at its first use instead of where its node stands.
    fn is_lazy(&self, v: V, stored: &[bool]) -> bool {
        matches!(self.block.nodes[v as usize], Node::Load { .. } | Node::Element { .. })
            && !stored[v as usize]
    }

    fn schedule(&self) -> Vec<Event> {
        let n = self.nodes;
        let mut needed = vec![false; n];
        let mut stored = vec![false; n];
        for e in &self.block.effects {
            let v = self.canonical(e.value()) as usize;
            (needed[v], stored[v]) = (true, true);
        }
        let mut first_use = vec![0usize; n];
        let mut last_use = vec![0usize; n];
        for v in (0..n).rev() {
            if needed[v] {
                for &s in self.sources(v as V) {
                    needed[s as usize] = true;
                    first_use[s as usize] = v;
                    last_use[s as usize] = last_use[s as usize].max(v);
                }
            }
        }
        // Stores wait for every load where an output may lie on an input.
        let loaded = (0..n)
            .filter(|&v| needed[v] && !self.block.apart)
            .filter_map(|v| match self.block.nodes[v] {
                Node::Load { .. } | Node::Element { .. } => Some(if stored[v] { v } else { first_use[v] }),
                Node::Broadcast { .. } => Some(v),
                _ => None,
            })
            .max()
            .unwrap_or(0);
        let time = |e: &Effect| {
            let v = self.canonical(e.value()) as usize;
            if matches!(e, Effect::Store { .. } | Effect::StoreOne { .. }) { v.max(loaded) } else { v }
        };
        // The last node or effect that needs what an accumulator held before.
        let held_until = |number: u8| {
            let held = self.block.nodes.iter().position(|node| *node == Node::Accumulator { number });
            held.map_or(0, |held| {
                let reads = |e: &&Effect| self.canonical(e.value()) as usize == held;
                self.block.effects.iter().filter(reads).map(time).fold(last_use[held], usize::max)
            })
        };
        let mut waiting: Vec<(usize, bool, usize)> = (self.block.effects.iter().enumerate())
            .map(|(i, e)| match *e {
                Effect::Accumulate { number, .. } => (time(e).max(held_until(number)), true, i),
                _ => (time(e), false, i),
            })
            .collect();
        waiting.sort_unstable();
        let mut waiting = waiting.into_iter().peekable();
        let mut events = Vec::new();
        for (v, &node) in self.block.nodes.iter().enumerate() {
            let silent = matches!(node, Node::Home(_) | Node::Accumulator { .. })
                || self.is_lazy(v as V, &stored)
                || self.canonical(v as V) != v as V;
            if needed[v] && !silent {
                events.push(Event::Node(v as V));
            }
            while let Some(&(_, _, e)) = waiting.peek().filter(|w| w.0 <= v) {
                events.push(Event::Effect(e));
                waiting.next();
            }
        }
        events
    }

    fn run(&mut self) {
        let events = self.schedule();
        let copies = self.style.copies;
        let mut at = (events.len() * copies) as u32;
        for event in events.iter().rev() {
            let (sources, count) = match *event {
                Event::Node(v) => self.sources[v as usize],
                Event::Effect(e) => ([self.canonical(self.block.effects[e].value()), 0, 0, 0], 1),
            };
            for u in (0..copies).rev() {
                at -= 1;
                for &s in &sources[..count] {
                    let i = self.instance(s, u);
                    self.uses[i].push(at);
                }
            }
        }
        for (v, node) in self.block.nodes.iter().enumerate() {
            if let Node::Accumulator { number } = *node {
                for u in 0..copies {
                    self.places[u * self.nodes + v] = Place::Register(self.accumulator(number, u));
                }
            }
        }
        for event in events {
            for u in 0..copies {
                self.pinned.clear();
                self.spill_slots &= !std::mem::take(&mut self.freed_slots);
                match event {
                    Event::Node(v) => self.node(v, u),
                    Event::Effect(e) => self.effect(self.block.effects[e], u),
                }
                if self.failed {
                    return;
                }
            }
        }
    }

    fn accumulator(&self, number: u8, copy: usize) -> usize {
        let registers = &self.style.accumulators[usize::from(number)];
        registers[copy.min(registers.len() - 1)]
    }

    fn is_mask(&self, i: usize) -> bool {
        self.shared.wide && self.block.nodes[i % self.nodes].is_mask()
    }

    fn file(&mut self, mask: bool) -> &mut File {
        if mask { &mut self.masks } else { &mut self.vectors }
    }

    /// A free register, which `owner` takes.
    fn take(&mut self, is_mask: bool, owner: usize) -> usize {
        let file = self.file(is_mask);
        let free = (0..32).find(|&r| file.usable >> r & 1 == 1 && file.owner[r].is_none());
        let r = match free {
            Some(r) => r,
            None => self.evict(is_mask),
        };
        self.file(is_mask).owner[r] = Some(owner);
        if !is_mask {
            self.live += 1;
            self.cost.registers = self.cost.registers.max(self.live);
        }
        self.pinned.push(r + if is_mask { 32 } else { 0 });
        r
    }

    fn release(&mut self, is_mask: bool, r: usize) {
        if self.file(is_mask).owner[r].take().is_some() && !is_mask {
            self.live -= 1;
        }
    }

    /// Moves the value whose next use is furthest away to memory, and gives its register.
    fn evict(&mut self, is_mask: bool) -> usize {
        let offset = if is_mask { 32 } else { 0 };
        let file = if is_mask { &self.masks } else { &self.vectors };
        let victim = (0..32)
            .filter(|&r| file.usable >> r & 1 == 1 && !self.pinned.contains(&(r + offset)))
            .filter_map(|r| file.owner[r].map(|i| (self.uses.get(i).and_then(|u| u.last()).copied(), r, i)))
            .max();
        let Some((_, r, i)) = victim else {
            self.failed = true;
            return 0;
        };
        let slot = (0..SPILLS).find(|s| self.spill_slots >> s & 1 == 0);
        let Some(slot) = slot else {
            self.failed = true;
            return 0;
        };
        self.spill_slots |= 1 << slot;
        self.cost.spilled += 1;
        self.save(is_mask, self.layout.spill(slot), r);
        self.places[i] = Place::Memory(slot);
        self.release(is_mask, r);
        r
    }

    fn save(&mut self, is_mask: bool, m: MemoryOperand, r: usize) {
        if is_mask {
            self.asm.mr(Code::VEX_Kmovw_m16_kr, m, mask(r));
        } else {
            self.asm.mr(full_store(self.shared.wide), m, vector(self.shared.wide, r, Part::Full));
        }
    }

    fn move_vector(&mut self, to: usize, from: usize) {
        let wide = self.shared.wide;
        let code = if wide { Code::EVEX_Vmovaps_zmm_k1z_zmmm512 } else { Code::VEX_Vmovaps_ymm_ymmm256 };
        self.asm.rr(code, vector(wide, to, Part::Full), vector(wide, from, Part::Full));
    }

    fn load_vector(&mut self, to: usize, m: MemoryOperand) {
        self.asm.rm(full_load(self.shared.wide), vector(self.shared.wide, to, Part::Full), m);
    }

    /// Whether the operand can be read from memory by the instruction itself.
    fn in_memory(&self, i: usize) -> bool {
        match self.places[i] {
            Place::Register(_) => false,
            Place::Memory(_) => true,
            Place::Nowhere => match self.block.nodes[i % self.nodes] {
                Node::Home(h) => self.held(i, h).is_none(),
                Node::Load { access, .. } => {
                    let Access { dtype, stride, .. } = self.shared.accesses[usize::from(access)];
                    !self.style.masked && self.uses[i].len() == 1 && dtype.size() >= 4 && stride == 1
                }
                // If several copies use the element, a register is shared among them.
                Node::Element { .. } => {
                    self.shared.wide && (self.style.copies == 1 || self.style.rows.is_some())
                }
                _ => false,
            },
        }
    }

    /// The slot that instance `i` of a node reads.
    fn slot(&self, i: usize, home: Home) -> Held {
        let own = self.style.rows.is_some() && matches!(home, Home::Row(_));
        (home, if own { i / self.nodes } else { 0 })
    }

    /// The register that holds the slot throughout.
    fn held(&self, i: usize, home: Home) -> Option<usize> {
        self.style.held.get(&self.slot(i, home)).copied()
    }

    /// The distance in bytes from an access's pointer to its first element in the row that is `copy` rows on.
    fn row_on(&self, access: u16, copy: usize) -> i64 {
        let Access { base, pitch, offset, .. } = self.shared.accesses[usize::from(access)];
        let row = if matches!(base, Base::Frame(_)) { self.layout.row as i64 } else { pitch };
        copy as i64 * row + i64::from(offset)
    }

    /// The distance in bytes from an access's pointer to its first element in the group or row that is `copy` on.
    fn beside(&self, access: u16, copy: usize) -> i64 {
        let Access { dtype, stride, .. } = self.shared.accesses[usize::from(access)];
        match self.style.rows {
            Some(_) => self.row_on(access, copy),
            None => self.row_on(access, 0) + (copy * GROUP * dtype.size()) as i64 * stride,
        }
    }

    /// Puts the address of the first of a group's strided elements into `r11`. Returns a displacement that is still to be added.
    fn strided_address(&mut self, access: u16, copy: usize) -> i64 {
        let Access { base, dtype, stride, .. } = self.shared.accesses[usize::from(access)];
        let step = stride * dtype.size() as i64;
        let Ok(times) = i32::try_from(step) else {
            self.failed = true;
            return 0;
        };
        self.asm.rri(Code::Imul_r64_rm64_imm32, TEMPORARY, COLUMN, times);
        match (base, self.style.pointers.get(&access)) {
            (Base::Pointer(_), Some(&r)) => self.asm.rr(Code::Add_r64_rm64, TEMPORARY, r),
            (Base::Pointer(p), None) => self.asm.rm(Code::Add_r64_rm64, TEMPORARY, pointer(p)),
            (Base::Frame(_), _) => self.failed = true,
        }
        self.beside(access, copy)
    }

    fn address(&mut self, access: u16, copy: usize, byte: usize) -> MemoryOperand {
        let Access { base, dtype, .. } = self.shared.accesses[usize::from(access)];
        let size = dtype.size();
        let mut displacement = self.beside(access, copy) + byte as i64;
        let base = match base {
            Base::Frame(at) => {
                displacement += self.layout.buffers() as i64 + i64::from(at);
                FRAME
            }
            Base::Pointer(p) => match self.style.pointers.get(&access) {
                Some(&r) => r,
                None => {
                    self.asm.rm(Code::Mov_r64_rm64, TEMPORARY, pointer(p));
                    TEMPORARY
                }
            },
        };
        MemoryOperand::with_base_index_scale_displ_size(base, COLUMN, size as u32, displacement, 1)
    }

    fn memory(&mut self, i: usize) -> MemoryOperand {
        match (self.places[i], self.block.nodes[i % self.nodes]) {
            (Place::Memory(slot), _) => self.layout.spill(slot),
            (_, Node::Home(h)) => {
                let held = self.slot(i, h);
                *self.cost.homes.entry(held).or_default() += 1;
                self.layout.home(held.0, held.1)
            }
            (_, Node::Load { access, part }) => {
                let byte = usize::from(part) * self.shared.width();
                self.address(access, i / self.nodes, byte)
            }
            (_, Node::Element { access }) => {
                let element = self.element(access, self.row_of(i));
                MemoryOperand { is_broadcast: true, ..element }
            }
            _ => {
                self.failed = true;
                MemoryOperand::with_base(FRAME)
            }
        }
    }

    /// Loads an operand whose address may need a register, before the address of another operand is computed in it.
    fn settle(&mut self, i: usize) {
        let node = self.block.nodes[i % self.nodes];
        if self.places[i] == Place::Nowhere && matches!(node, Node::Load { .. } | Node::Element { .. }) {
            self.register(i);
        }
    }

    /// The index of instance `i`'s row among the rows side by side.
    fn row_of(&self, i: usize) -> usize {
        if self.style.rows.is_some() { i / self.nodes } else { 0 }
    }

    /// The register of the operand, loaded if it is in memory.
    fn register(&mut self, i: usize) -> usize {
        let is_mask = self.is_mask(i);
        let r = match (self.places[i], self.block.nodes[i % self.nodes]) {
            (Place::Register(r), _) => r,
            (Place::Memory(slot), _) => {
                let r = self.take(is_mask, i);
                let m = self.layout.spill(slot);
                if is_mask {
                    self.asm.rm(Code::VEX_Kmovw_kr_km16, mask(r), m);
                } else {
                    self.load_vector(r, m);
                }
                self.spill_slots &= !(1 << slot);
                self.places[i] = Place::Register(r);
                r
            }
            (_, Node::Home(h)) => match self.held(i, h) {
                Some(r) => r,
                None => {
                    let held = self.slot(i, h);
                    *self.cost.homes.entry(held).or_default() += 4;
                    let r = self.take(false, i);
                    let m = self.layout.home(held.0, held.1);
                    self.load_vector(r, m);
                    self.places[i] = Place::Register(r);
                    r
                }
            },
            (_, Node::Load { access, part }) => {
                let r = self.take(false, i);
                self.load(r, access, part, i / self.nodes);
                self.places[i] = Place::Register(r);
                r
            }
            (_, Node::Element { access }) => {
                let r = self.take(false, i);
                let m = self.element(access, self.row_of(i));
                let wide = self.shared.wide;
                let code = if wide {
                    Code::EVEX_Vbroadcastss_zmm_k1z_xmmm32
                } else {
                    Code::VEX_Vbroadcastss_ymm_m32
                };
                self.asm.rm(code, vector(wide, r, Part::Full), m);
                self.places[i] = Place::Register(r);
                r
            }
            _ => {
                self.failed = true;
                0
            }
        };
        self.pinned.push(r + if is_mask { 32 } else { 0 });
        r
    }

    /// Counts a use of a value; its register is freed after the last use, and at once if it holds a slot's value.
    fn used(&mut self, i: usize) {
        self.uses[i].pop();
        let is_home = matches!(self.block.nodes[i % self.nodes], Node::Home(_));
        if !self.uses[i].is_empty() && !is_home {
            return;
        }
        let is_mask = self.is_mask(i);
        match self.places[i] {
            Place::Register(r) => self.release(is_mask, r),
            Place::Memory(slot) => self.freed_slots |= 1 << slot,
            Place::Nowhere => {}
        }
        self.places[i] = Place::Nowhere;
    }

    fn dies(&self, i: usize) -> bool {
        match self.block.nodes[i % self.nodes] {
            Node::Home(h) => self.held(i, h).is_none(),
            _ => self.uses[i].len() == 1,
        }
    }

    /// The register of the accumulator that a value goes to, if that is the value's only use.
    fn accumulates(&self, v: V, copy: usize) -> Option<usize> {
        if self.style.accumulators.is_empty() {
            return None;
        }
        let mut to = self.block.effects.iter().filter(|e| self.canonical(e.value()) == v);
        match (to.next(), to.next()) {
            (Some(Effect::Accumulate { number, .. }), None)
                if self.uses[copy * self.nodes + v as usize].len() == 1 =>
            {
                Some(self.accumulator(*number, copy))
            }
            _ => None,
        }
    }

    /// The register of a result.
    fn destination(&mut self, v: V, copy: usize) -> usize {
        let i = copy * self.nodes + v as usize;
        let is_mask = self.is_mask(i);
        let r = match self.accumulates(v, copy) {
            // The accumulator's old value has been read: this is its only successor.
            Some(r) if !is_mask && self.old_value_is_dead(r, copy) => r,
            _ => self.take(is_mask, i),
        };
        self.places[i] = Place::Register(r);
        r
    }

    fn old_value_is_dead(&self, r: usize, copy: usize) -> bool {
        (0..self.nodes).all(|v| {
            let i = copy * self.nodes + v;
            !matches!(self.block.nodes[v], Node::Accumulator { number } if self.accumulator(number, copy) == r)
                || self.uses[i].is_empty()
        })
    }
}

/// The fields of the table, by their number of 8 bytes.
pub(super) const ROWS: usize = 0;
pub(super) const COLUMNS: usize = 1;
pub(super) const FIRST_COLUMN: usize = 2;
pub(super) const SCRATCH: usize = 3;
pub(super) const LANE: usize = 4;
pub(super) const STREAM: usize = 5;
pub(super) const COUNTER: usize = 6;
/// The field of two MXCSR values of 32 bits: the one that the function is called with, and the one that takes subnormal numbers
/// as zeros.
pub(super) const MODES: usize = 7;
/// The first field of the indices of the first row along each dimension; the pointers follow.
pub(super) const INDICES: usize = 8;
pub(super) const MOST_DIMS: usize = 8;
const FIRST_POINTER: usize = INDICES + MOST_DIMS;

/// The address of a field of the table.
pub(super) fn field(at: usize) -> MemoryOperand {
    MemoryOperand::with_base_displ(TABLE, at as i64 * 8)
}

/// The MXCSR that the function is called with.
pub(super) fn ordinary() -> MemoryOperand {
    field(MODES)
}

/// The MXCSR that takes subnormal numbers as zeros.
pub(super) fn flushing() -> MemoryOperand {
    MemoryOperand::with_base_displ(TABLE, MODES as i64 * 8 + 4)
}

/// A pointer of the table.
pub(super) fn pointer(p: u16) -> MemoryOperand {
    field(FIRST_POINTER + usize::from(p))
}

pub(super) fn full_load(wide: bool) -> Code {
    if wide { Code::EVEX_Vmovups_zmm_k1z_zmmm512 } else { Code::VEX_Vmovups_ymm_ymmm256 }
}

pub(super) fn full_store(wide: bool) -> Code {
    if wide { Code::EVEX_Vmovups_zmmm512_k1z_zmm } else { Code::VEX_Vmovups_ymmm256_ymm }
}

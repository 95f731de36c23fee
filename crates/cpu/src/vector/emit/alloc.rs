//! Blocks to instructions: registers are given out while the block is written, the value whose next use is furthest
//! away goes to memory where they run short.

use iced_x86::{Code, Instruction, MemoryOperand, Register};
use jarrah_base::DType;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::asm::Assembler;
use super::graph::{Access, Base, Block, Effect, GROUP, Home, Node, Shared, V};
use super::ops::{Opcode, Part, Shape};

/// The table of pointers and counts: the argument of every function.
pub(super) const TABLE: Register = Register::RDI;
/// The constants.
pub(super) const POOL: Register = Register::RSI;
/// The frame: slots, spilled values, buffers.
pub(super) const FRAME: Register = Register::RDX;
/// The column.
pub(super) const COLUMN: Register = Register::RAX;
/// The end of the columns of a loop.
pub(super) const END: Register = Register::RCX;
/// Where the unrolled loop ends.
pub(super) const LAST: Register = Register::RBX;
const TEMPORARY: Register = Register::R11;
const SCALAR: Register = Register::R10;
/// What is left for pointers.
pub(super) const POINTERS: [Register; 7] =
    [Register::R8, Register::R9, Register::R12, Register::R13, Register::R14, Register::R15, Register::RBP];
/// The lanes of the columns there are, as a mask; the upper half of them for elements of 8 bytes.
const TAIL: usize = 1;
const TAIL_HIGH: usize = 7;

/// Vectors that may be spilled.
pub(super) const SPILLS: usize = 48;

/// Where a function keeps things.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    pub wide: bool,
    /// Bytes of slots and spilled vectors, before the buffers.
    pub slots: usize,
}

impl Layout {
    pub fn new(shared: &Shared) -> Layout {
        Layout { wide: shared.wide, slots: usize::from(shared.slots) }
    }

    fn width(self) -> i64 {
        if self.wide { 64 } else { 32 }
    }

    /// Where the buffers begin.
    pub fn buffers(self) -> usize {
        (SPILLS + self.slots) * self.width() as usize
    }

    pub fn home(self, home: Home) -> MemoryOperand {
        match home {
            // Constants repeat: half of one is a narrow vector's.
            Home::Const(k) => MemoryOperand::with_base_displ(POOL, i64::from(k) * 64),
            Home::Row(s) => {
                MemoryOperand::with_base_displ(FRAME, (SPILLS as i64 + i64::from(s)) * self.width())
            }
        }
    }

    fn spill(self, slot: usize) -> MemoryOperand {
        MemoryOperand::with_base_displ(FRAME, slot as i64 * self.width())
    }
}

/// The part of vector register `n` as a register.
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

/// How a block is written.
#[derive(Clone, Default)]
pub(super) struct Style {
    /// Groups that are worked on side by side.
    pub copies: usize,
    /// Whether the group may reach beyond the columns.
    pub masked: bool,
    /// Whether stores that may bypass the caches do.
    pub stream: bool,
    /// Whether single elements of the frame are stored at the index in `COLUMN`.
    pub indexed: bool,
    /// Memory slots held in registers throughout.
    pub held: FxHashMap<Home, usize>,
    /// The register of each accumulator, for each copy (the last serves all further ones).
    pub accumulators: Vec<SmallVec<[usize; 4]>>,
    /// The pointer registers of the accesses.
    pub pointers: FxHashMap<u16, Register>,
}

/// What writing a block took.
#[derive(Default)]
pub(super) struct Cost {
    pub spilled: usize,
    /// The most vector registers in use at a time, besides those held throughout.
    pub registers: usize,
    /// How much a register would help each slot.
    pub homes: FxHashMap<Home, usize>,
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
    places: Vec<Place>,
    /// For each instance the events that use it, the next one last.
    uses: Vec<SmallVec<[u32; 4]>>,
    vectors: File,
    masks: File,
    pinned: SmallVec<[usize; 6]>,
    spill_slots: u64,
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
        places: vec![Place::Nowhere; block.nodes.len() * style.copies],
        uses: vec![SmallVec::new(); block.nodes.len() * style.copies],
        vectors: file(usable),
        masks: file(masks),
        pinned: SmallVec::new(),
        spill_slots: 0,
        cost: Cost::default(),
        live: 0,
        failed: false,
    };
    w.run();
    (!w.failed).then_some(w.cost)
}

impl Writer<'_> {
    /// What stands for the value: without a mask, a tail is the value itself.
    fn canonical(&self, v: V) -> V {
        match self.block.nodes[v as usize] {
            Node::Tail { value, .. } if !self.style.masked => self.canonical(value),
            _ => v,
        }
    }

    fn sources(&self, v: V) -> SmallVec<[V; 3]> {
        self.block.nodes[v as usize].sources().into_iter().map(|s| self.canonical(s)).collect()
    }

    /// Whether the value is brought where it is used, at its first use.
    fn is_lazy(&self, v: V, stored: &[bool]) -> bool {
        matches!(self.block.nodes[v as usize], Node::Load { .. }) && !stored[v as usize]
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
        for v in (0..n).rev() {
            if needed[v] {
                for s in self.sources(v as V) {
                    needed[s as usize] = true;
                    first_use[s as usize] = v;
                }
            }
        }
        // Stores wait for every load: an output may lie on an input.
        let loaded = (0..n)
            .filter(|&v| needed[v] && matches!(self.block.nodes[v], Node::Load { .. }))
            .map(|v| if stored[v] { v } else { first_use[v] })
            .max()
            .unwrap_or(0);
        let mut waiting: Vec<(usize, usize)> = (self.block.effects.iter().enumerate())
            .map(|(i, e)| {
                let v = self.canonical(e.value()) as usize;
                (if matches!(e, Effect::Store { .. }) { v.max(loaded) } else { v }, i)
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
            while let Some(&(_, e)) = waiting.peek().filter(|w| w.0 <= v) {
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
            for u in (0..copies).rev() {
                at -= 1;
                let sources = match *event {
                    Event::Node(v) => self.sources(v),
                    Event::Effect(e) => {
                        SmallVec::from_slice(&[self.canonical(self.block.effects[e].value())])
                    }
                };
                for s in sources {
                    self.uses[u * self.nodes + s as usize].push(at);
                }
            }
        }
        for u in 0..copies {
            for v in 0..self.nodes {
                if let Node::Accumulator { number } = self.block.nodes[v] {
                    self.places[u * self.nodes + v] = Place::Register(self.accumulator(number, u));
                }
            }
        }
        let mut at = 0;
        for event in events {
            for u in 0..copies {
                self.pinned.clear();
                match event {
                    Event::Node(v) => self.node(v, u, at),
                    Event::Effect(e) => self.effect(self.block.effects[e], u),
                }
                at += 1;
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
        let slot = (0..SPILLS.min(64)).find(|s| self.spill_slots >> s & 1 == 0);
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
                Node::Home(h) => !self.style.held.contains_key(&h),
                Node::Load { access, .. } => {
                    let dtype = self.shared.accesses[usize::from(access)].dtype;
                    !self.style.masked && self.uses[i].len() == 1 && dtype.size() >= 4
                }
                _ => false,
            },
        }
    }

    fn address(&mut self, access: u16, copy: usize, byte: usize) -> MemoryOperand {
        let Access { base, dtype, .. } = self.shared.accesses[usize::from(access)];
        let size = dtype.size();
        let mut displacement = (copy * GROUP * size + byte) as i64;
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
                *self.cost.homes.entry(h).or_default() += 1;
                self.layout.home(h)
            }
            (_, Node::Load { access, part }) => {
                let byte = usize::from(part) * self.shared.width();
                self.address(access, i / self.nodes, byte)
            }
            _ => {
                self.failed = true;
                MemoryOperand::with_base(FRAME)
            }
        }
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
            (_, Node::Home(h)) => match self.style.held.get(&h) {
                Some(&r) => r,
                None => {
                    *self.cost.homes.entry(h).or_default() += 4;
                    let r = self.take(false, i);
                    let m = self.layout.home(h);
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
            _ => {
                self.failed = true;
                0
            }
        };
        self.pinned.push(r + if is_mask { 32 } else { 0 });
        r
    }

    /// Counts a use; the register is free after the last, and a slot's at once.
    fn used(&mut self, i: usize) {
        self.uses[i].pop();
        let is_home = matches!(self.block.nodes[i % self.nodes], Node::Home(_));
        if !self.uses[i].is_empty() && !is_home {
            return;
        }
        let is_mask = self.is_mask(i);
        match self.places[i] {
            Place::Register(r) => self.release(is_mask, r),
            Place::Memory(slot) => self.spill_slots &= !(1 << slot),
            Place::Nowhere => {}
        }
        self.places[i] = Place::Nowhere;
    }

    fn dies(&self, i: usize) -> bool {
        match self.block.nodes[i % self.nodes] {
            Node::Home(h) => !self.style.held.contains_key(&h),
            _ => self.uses[i].len() == 1,
        }
    }

    /// Whether the value only goes to an accumulator, and to which.
    fn accumulates(&self, v: V, copy: usize) -> Option<usize> {
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

    fn load(&mut self, r: usize, access: u16, part: u8, copy: usize) {
        let wide = self.shared.wide;
        let dtype = self.shared.accesses[usize::from(access)].dtype;
        let bytes = self.shared.width() * dtype.size() / dtype.size().max(4);
        let m = self.address(access, copy, usize::from(part) * bytes);
        let to = vector(wide, r, Part::Full);
        let code = match (dtype, wide) {
            (DType::F64 | DType::I64 | DType::U64, true) => Code::EVEX_Vmovupd_zmm_k1z_zmmm512,
            (DType::Bool | DType::U8, true) => Code::EVEX_Vpmovzxbd_zmm_k1z_xmmm128,
            (DType::Bool | DType::U8, false) => Code::VEX_Vpmovzxbd_ymm_xmmm64,
            (DType::I8, true) => Code::EVEX_Vpmovsxbd_zmm_k1z_xmmm128,
            (DType::I8, false) => Code::VEX_Vpmovsxbd_ymm_xmmm64,
            (DType::U16 | DType::BF16, true) => Code::EVEX_Vpmovzxwd_zmm_k1z_ymmm256,
            (DType::U16 | DType::BF16, false) => Code::VEX_Vpmovzxwd_ymm_xmmm128,
            (DType::I16, true) => Code::EVEX_Vpmovsxwd_zmm_k1z_ymmm256,
            (DType::I16, false) => Code::VEX_Vpmovsxwd_ymm_xmmm128,
            (DType::F16, true) => Code::EVEX_Vcvtph2ps_zmm_k1z_ymmm256_sae,
            (DType::F16, false) => Code::VEX_Vcvtph2ps_ymm_xmmm128,
            _ => full_load(wide),
        };
        if !self.style.masked {
            self.asm.rm(code, to, m);
        } else if wide {
            let k = if dtype.size() == 8 && part == 1 { TAIL_HIGH } else { TAIL };
            self.asm.masked(Instruction::with2(code, to, m), mask(k), true);
        } else if dtype.size() == 4 {
            let lanes = vector(false, 14 + usize::from(part), Part::Full);
            self.asm.rrm(Code::VEX_Vmaskmovps_ymm_ymm_m256, to, lanes, m);
        } else {
            self.failed = true;
        }
    }

    fn store(&mut self, r: usize, access: u16, part: u8, copy: usize) {
        let wide = self.shared.wide;
        let Access { dtype, stream, .. } = self.shared.accesses[usize::from(access)];
        let (size, width) = (dtype.size(), self.shared.width());
        let bytes = if size < 4 { GROUP * size } else { width };
        let m = self.address(access, copy, usize::from(part) * bytes);
        let part_of = match width / bytes {
            1 => Part::Full,
            2 => Part::Half,
            _ => Part::Quarter,
        };
        let from = vector(wide, r, part_of);
        if self.style.stream && stream && !self.style.masked {
            let code = match bytes {
                64 => Code::EVEX_Vmovntps_m512_zmm,
                32 => Code::EVEX_Vmovntps_m256_ymm,
                _ => Code::EVEX_Vmovntps_m128_xmm,
            };
            let narrow = match bytes {
                32 => Code::VEX_Vmovntps_m256_ymm,
                _ => Code::VEX_Vmovntps_m128_xmm,
            };
            self.asm.mr(if wide { code } else { narrow }, m, from);
            return;
        }
        let code = match (wide, size) {
            (true, 1) => Code::EVEX_Vmovdqu8_xmmm128_k1z_xmm,
            (true, 2) => Code::EVEX_Vmovdqu16_ymmm256_k1z_ymm,
            (true, 8) => Code::EVEX_Vmovupd_zmmm512_k1z_zmm,
            (true, _) => Code::EVEX_Vmovups_zmmm512_k1z_zmm,
            (false, 1) => Code::VEX_Vmovups_xmmm128_xmm,
            (false, _) => Code::VEX_Vmovups_ymmm256_ymm,
        };
        if !self.style.masked {
            self.asm.mr(code, m, from);
        } else if wide {
            let k = if size == 8 && part == 1 { TAIL_HIGH } else { TAIL };
            self.asm.masked(Instruction::with2(code, m, from), mask(k), false);
        } else if size == 4 {
            let lanes = vector(false, 14 + usize::from(part), Part::Full);
            self.asm.mrr(Code::VEX_Vmaskmovps_m256_ymm_ymm, m, lanes, from);
        } else {
            self.failed = true;
        }
    }

    /// A general register in every lane.
    fn spread(&mut self, v: V, copy: usize, long: bool) {
        let wide = self.shared.wide;
        let r = self.destination(v, copy);
        let (to, low) = (vector(wide, r, Part::Full), Register::XMM0 + r as u32);
        let long_scalar = Register::R10;
        match (wide, long) {
            (true, false) => self.asm.rr(Code::EVEX_Vpbroadcastd_zmm_k1z_r32, to, Register::R10D),
            (true, true) => self.asm.rr(Code::EVEX_Vpbroadcastq_zmm_k1z_r64, to, long_scalar),
            (false, false) => {
                self.asm.rr(Code::VEX_Vmovd_xmm_rm32, low, Register::R10D);
                self.asm.rr(Code::VEX_Vpbroadcastd_ymm_xmmm32, to, low);
            }
            (false, true) => {
                self.asm.rr(Code::VEX_Vmovq_xmm_rm64, low, long_scalar);
                self.asm.rr(Code::VEX_Vpbroadcastq_ymm_xmmm64, to, low);
            }
        }
    }

    /// The address of the first element of an access, without the column.
    fn element(&mut self, access: u16) -> MemoryOperand {
        match self.shared.accesses[usize::from(access)].base {
            Base::Frame(at) => {
                let at = self.layout.buffers() as i64 + i64::from(at);
                if self.style.indexed {
                    let size = self.shared.accesses[usize::from(access)].dtype.size() as u32;
                    MemoryOperand::with_base_index_scale_displ_size(FRAME, COLUMN, size, at, 1)
                } else {
                    MemoryOperand::with_base_displ(FRAME, at)
                }
            }
            Base::Pointer(p) => {
                self.asm.rm(Code::Mov_r64_rm64, TEMPORARY, pointer(p));
                MemoryOperand::with_base(TEMPORARY)
            }
        }
    }

    fn node(&mut self, v: V, copy: usize, _: usize) {
        let instance = |s: V| copy * self.nodes + s as usize;
        match self.block.nodes[v as usize] {
            Node::Home(_) | Node::Accumulator { .. } => {}
            Node::Load { access, part } => {
                let r = self.destination(v, copy);
                self.load(r, access, part, copy);
            }
            Node::Broadcast { access } => {
                let dtype = self.shared.accesses[usize::from(access)].dtype;
                let m = self.element(access);
                let (code, to) = match dtype {
                    DType::Bool | DType::U8 => (Code::Movzx_r32_rm8, Register::R10D),
                    DType::I8 => (Code::Movsx_r32_rm8, Register::R10D),
                    DType::I16 => (Code::Movsx_r32_rm16, Register::R10D),
                    DType::U16 | DType::BF16 | DType::F16 => (Code::Movzx_r32_rm16, Register::R10D),
                    d if d.size() == 8 => (Code::Mov_r64_rm64, SCALAR),
                    _ => (Code::Mov_r32_rm32, Register::R10D),
                };
                self.asm.rm(code, to, m);
                self.spread(v, copy, dtype.size() == 8);
            }
            Node::Column { part } => {
                let lanes = self.shared.width() / 4;
                let ahead = (copy * GROUP + usize::from(part) * lanes) as i64;
                let m = MemoryOperand::with_base_displ(COLUMN, ahead);
                self.asm.rm(Code::Lea_r32_m, Register::R10D, m);
                self.asm.rm(Code::Add_r32_rm32, Register::R10D, field(FIRST_COLUMN));
                self.spread(v, copy, false);
            }
            Node::Index { dim } => {
                self.asm.rm(Code::Mov_r32_rm32, Register::R10D, field(INDICES + usize::from(dim)));
                self.spread(v, copy, false);
            }
            Node::Tail { value, identity, part, wide: long } => {
                let (value, identity) = (instance(self.canonical(value)), instance(identity));
                let a = self.register(identity);
                let b = self.register(value);
                self.used(identity);
                self.used(value);
                let wide = self.shared.wide;
                let r = self.destination(v, copy);
                let [to, a, b] = [r, a, b].map(|r| vector(wide, r, Part::Full));
                if wide {
                    let k = if long && part == 1 { TAIL_HIGH } else { TAIL };
                    let code = if long {
                        Code::EVEX_Vblendmpd_zmm_k1z_zmm_zmmm512b64
                    } else {
                        Code::EVEX_Vblendmps_zmm_k1z_zmm_zmmm512b32
                    };
                    self.asm.masked(Instruction::with3(code, to, a, b), mask(k), false);
                } else if long {
                    self.failed = true;
                } else {
                    let lanes = vector(false, 14 + usize::from(part), Part::Full);
                    let code = Code::VEX_Vblendvps_ymm_ymm_ymmm256_ymm;
                    self.asm.result(Instruction::with4(code, to, a, b, lanes));
                }
            }
            Node::Op { op, imm, .. } => self.op(v, copy, op, imm),
        }
    }

    fn op(&mut self, v: V, copy: usize, op: Opcode, imm: u8) {
        let wide = self.shared.wide;
        let info = op.info(wide);
        let code = info.codes[0];
        if code == Code::INVALID {
            self.failed = true;
            return;
        }
        let imm = i32::from(imm);
        let mut s: SmallVec<[usize; 3]> =
            self.sources(v).into_iter().map(|s| copy * self.nodes + s as usize).collect();
        let reg = |r: usize, part: Part| vector(wide, r, part);
        match info.shape {
            Shape::Binary | Shape::Commutative | Shape::Compare => {
                if info.shape == Shape::Commutative && self.in_memory(s[0]) && !self.in_memory(s[1]) {
                    s.swap(0, 1);
                }
                let a = self.register(s[0]);
                let a = reg(a, info.parts[1]);
                let folds = info.parts[2] == Part::Full && self.in_memory(s[1]) && s[0] != s[1];
                let b =
                    if folds { Err(self.memory(s[1])) } else { Ok(reg(self.register(s[1]), info.parts[2])) };
                self.used(s[0]);
                self.used(s[1]);
                let to = self.result(v, copy, info.parts[0]);
                match (b, info.imm) {
                    (Ok(b), false) => self.asm.rrr(code, to, a, b),
                    (Err(m), false) => self.asm.rrm(code, to, a, m),
                    (Ok(b), true) => self.asm.result(Instruction::with4(code, to, a, b, imm)),
                    (Err(m), true) => self.asm.result(Instruction::with4(code, to, a, m, imm)),
                }
            }
            Shape::Unary if self.in_memory(s[0]) => {
                let m = self.memory(s[0]);
                self.used(s[0]);
                let to = self.result(v, copy, info.parts[0]);
                if info.imm {
                    self.asm.result(Instruction::with3(code, to, m, imm));
                } else {
                    self.asm.rm(code, to, m);
                }
            }
            Shape::Unary | Shape::Register => {
                let a = self.register(s[0]);
                let a = reg(a, info.parts[1]);
                self.used(s[0]);
                let to = self.result(v, copy, info.parts[0]);
                if info.imm {
                    self.asm.rri(code, to, a, imm);
                } else {
                    self.asm.rr(code, to, a);
                }
            }
            Shape::Ternary => {
                let b = self.register(s[1]);
                let c = if self.in_memory(s[2]) { Err(self.memory(s[2])) } else { Ok(self.register(s[2])) };
                let to = self.overwrite(v, copy, s[0], &[s[1], s[2]]);
                let b = reg(b, Part::Full);
                self.asm.result(match c {
                    Ok(c) => Instruction::with4(code, to, b, reg(c, Part::Full), imm),
                    Err(m) => Instruction::with4(code, to, b, m, imm),
                });
            }
            Shape::Fma => self.fma(v, copy, info.codes, [s[0], s[1], s[2]]),
            Shape::Blend => {
                let k = self.register(s[0]);
                let a = self.register(s[1]);
                let a = reg(a, Part::Full);
                let b = if self.in_memory(s[2]) && s[1] != s[2] {
                    Err(self.memory(s[2]))
                } else {
                    Ok(reg(self.register(s[2]), Part::Full))
                };
                for &i in &s {
                    self.used(i);
                }
                let to = self.result(v, copy, Part::Full);
                match (b, wide) {
                    (Ok(b), true) => self.asm.masked(Instruction::with3(code, to, a, b), mask(k), false),
                    (Err(m), true) => self.asm.masked(Instruction::with3(code, to, a, m), mask(k), false),
                    (Ok(b), false) => {
                        self.asm.result(Instruction::with4(code, to, a, b, reg(k, Part::Full)));
                    }
                    (Err(m), false) => {
                        self.asm.result(Instruction::with4(code, to, a, m, reg(k, Part::Full)));
                    }
                }
            }
            Shape::Masks => {
                let regs: SmallVec<[usize; 2]> = s.iter().map(|&i| self.register(i)).collect();
                for &i in &s {
                    self.used(i);
                }
                let to = self.result(v, copy, Part::Full);
                let of = |r: usize| if wide { mask(r) } else { reg(r, Part::Full) };
                if info.imm {
                    self.asm.rri(code, to, of(regs[0]), imm);
                } else {
                    self.asm.rrr(code, to, of(regs[0]), of(regs[1]));
                }
            }
            Shape::MaskToVector => {
                let k = self.register(s[0]);
                self.used(s[0]);
                let to = self.result(v, copy, info.parts[0]);
                self.asm.rr(code, to, mask(k));
            }
            Shape::VectorToMask => {
                let a = self.register(s[0]);
                self.used(s[0]);
                let to = self.result(v, copy, Part::Full);
                self.asm.rr(code, to, reg(a, Part::Full));
            }
        }
    }

    fn result(&mut self, v: V, copy: usize, part: Part) -> Register {
        let i = copy * self.nodes + v as usize;
        let r = self.destination(v, copy);
        if self.is_mask(i) { mask(r) } else { vector(self.shared.wide, r, part) }
    }

    /// A register that holds `first` and may be overwritten by the result; `others` are read too.
    fn overwrite(&mut self, v: V, copy: usize, first: usize, others: &[usize]) -> Register {
        let wide = self.shared.wide;
        let dies = self.dies(first) && !others.contains(&first);
        let memory = self.in_memory(first);
        let from = if memory && !dies { None } else { Some(self.register(first)) };
        let memory_operand = if from.is_none() { Some(self.memory(first)) } else { None };
        let i = copy * self.nodes + v as usize;
        // The result's register must not be one that is still read.
        let accumulator = self.accumulates(v, copy);
        if dies
            && let Some(from) = from
            && accumulator.is_none_or(|a| a == from)
            && (self.vectors.owner[from] == Some(first) || accumulator == Some(from))
        {
            // The value changes hands.
            self.uses[first].pop();
            if matches!(self.block.nodes[first % self.nodes], Node::Home(_)) || self.uses[first].is_empty() {
                self.places[first] = Place::Nowhere;
            }
            if self.vectors.owner[from].is_some() {
                self.vectors.owner[from] = Some(i);
            }
            self.places[i] = Place::Register(from);
            for &o in others {
                self.used(o);
            }
            return vector(wide, from, Part::Full);
        }
        let to = self.take(false, i);
        match (from, memory_operand) {
            (Some(from), _) => self.move_vector(to, from),
            (None, Some(m)) => self.load_vector(to, m),
            (None, None) => self.failed = true,
        }
        self.used(first);
        for &o in others {
            self.used(o);
        }
        self.places[i] = Place::Register(to);
        vector(wide, to, Part::Full)
    }

    /// ±a b + c.
    fn fma(&mut self, v: V, copy: usize, codes: [Code; 3], [mut a, mut b, c]: [usize; 3]) {
        let wide = self.shared.wide;
        let full = |r: usize| vector(wide, r, Part::Full);
        if self.in_memory(a) && !self.in_memory(b) {
            (a, b) = (b, a);
        }
        let distinct = a != b && b != c && a != c;
        let dead = |w: &Self, i: usize| w.dies(i) && !w.in_memory(i) && distinct && w.owned(i);
        // The sum takes the place of c, unless only a may go.
        let over_sum = dead(self, c) || !(dead(self, a) || dead(self, b));
        if over_sum {
            // 231: c = ±a b + c, b in memory or not.
            let ra = self.register(a);
            let rb = if self.in_memory(b) && b != a && b != c {
                Err(self.memory(b))
            } else {
                Ok(self.register(b))
            };
            let to = self.overwrite(v, copy, c, &[a, b]);
            match rb {
                Ok(rb) => self.asm.rrr(codes[2], to, full(ra), full(rb)),
                Err(m) => self.asm.rrm(codes[2], to, full(ra), m),
            }
            return;
        }
        if !dead(self, a) {
            (a, b) = (b, a);
        }
        if self.in_memory(b) {
            // 132: a = ±a b + c, b in memory.
            let rc = self.register(c);
            let m = self.memory(b);
            let to = self.overwrite(v, copy, a, &[b, c]);
            self.asm.rrm(codes[0], to, full(rc), m);
            return;
        }
        // 213: a = ±b a + c, c in memory or not.
        let rb = self.register(b);
        let rc = if self.in_memory(c) { Err(self.memory(c)) } else { Ok(self.register(c)) };
        let to = self.overwrite(v, copy, a, &[b, c]);
        match rc {
            Ok(rc) => self.asm.rrr(codes[1], to, full(rb), full(rc)),
            Err(m) => self.asm.rrm(codes[1], to, full(rb), m),
        }
    }

    /// Whether the value has a register of its own.
    fn owned(&self, i: usize) -> bool {
        match self.places[i] {
            Place::Register(r) => self.vectors.owner[r] == Some(i),
            _ => {
                !matches!(self.block.nodes[i % self.nodes], Node::Home(h) if self.style.held.contains_key(&h))
            }
        }
    }

    fn effect(&mut self, effect: Effect, copy: usize) {
        let i = copy * self.nodes + self.canonical(effect.value()) as usize;
        match effect {
            Effect::Store { access, part, .. } => {
                let r = self.register(i);
                self.store(r, access, part, copy);
            }
            Effect::StoreOne { access, .. } => {
                let r = self.register(i);
                let dtype = self.shared.accesses[usize::from(access)].dtype;
                let m = self.element(access);
                let from = Register::XMM0 + r as u32;
                let wide = self.shared.wide;
                match (dtype.size(), wide) {
                    (1, true) => self.asm.mri(Code::EVEX_Vpextrb_r32m8_xmm_imm8, m, from, 0),
                    (1, false) => self.asm.mri(Code::VEX_Vpextrb_r32m8_xmm_imm8, m, from, 0),
                    (2, true) => self.asm.mri(Code::EVEX_Vpextrw_r32m16_xmm_imm8, m, from, 0),
                    (2, false) => self.asm.mri(Code::VEX_Vpextrw_r32m16_xmm_imm8, m, from, 0),
                    (4, true) => self.asm.mr(Code::EVEX_Vmovd_rm32_xmm, m, from),
                    (4, false) => self.asm.mr(Code::VEX_Vmovd_rm32_xmm, m, from),
                    (_, true) => self.asm.mr(Code::EVEX_Vmovq_rm64_xmm, m, from),
                    (_, false) => self.asm.mr(Code::VEX_Vmovq_rm64_xmm, m, from),
                }
            }
            Effect::Save { slot, .. } => {
                let r = self.register(i);
                self.save(false, self.layout.home(Home::Row(slot)), r);
            }
            Effect::Accumulate { number, .. } => {
                let to = self.accumulator(number, copy);
                let r = self.register(i);
                if r != to {
                    self.move_vector(to, r);
                }
            }
        }
        self.used(i);
    }
}

/// Fields of the table, in words.
pub(super) const ROWS: usize = 0;
pub(super) const COLUMNS: usize = 1;
pub(super) const FIRST_COLUMN: usize = 2;
pub(super) const SCRATCH: usize = 3;
pub(super) const LANE: usize = 4;
pub(super) const STREAM: usize = 5;
pub(super) const COUNTER: usize = 6;
/// The index of the first row along each dimension, then the pointers.
pub(super) const INDICES: usize = 8;
pub(super) const MOST_DIMS: usize = 8;
const FIRST_POINTER: usize = INDICES + MOST_DIMS;

/// A field of the table.
pub(super) fn field(at: usize) -> MemoryOperand {
    MemoryOperand::with_base_displ(TABLE, at as i64 * 8)
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

//! Each node and effect of a block as instructions.

use std::ops::Range;

use iced_x86::{Code, Instruction, MemoryOperand, Register};
use jarrah_base::DType;
use smallvec::SmallVec;

use super::super::asm::Condition;
use super::super::graph::{Access, Base, Effect, GROUP, Home, Node, V};
use super::super::ops::{Info, Opcode, Part, Shape};
use super::{
    COLUMN, FIRST_COLUMN, FRAME, INDICES, LAST, Place, SCALAR, TAIL, TAIL_HIGH, TEMPORARY, Writer, field,
    flushing, full_load, full_store, mask, ordinary, pointer, vector,
};

impl Writer<'_> {
    pub(super) fn load(&mut self, r: usize, access: u16, part: u8, copy: usize) {
        let wide = self.shared.wide;
        let Access { dtype, stride, .. } = self.shared.accesses[usize::from(access)];
        let bytes = self.shared.width() * dtype.size() / dtype.size().max(4);
        let to = vector(wide, r, Part::Full);
        let lanes = self.shared.width() / dtype.size().max(4);
        let first = usize::from(part) * lanes;
        let staged =
            MemoryOperand::with_base_displ(FRAME, (self.layout.stage() + first * dtype.size()) as i64);
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
        if let (-1, 4, false, Some(mirror)) = (stride, dtype.size(), self.style.masked, self.shared.mirror) {
            // Elements in reversed order are loaded together and permuted.
            let displacement = self.strided_address(access, copy) - 4 * (first + lanes - 1) as i64;
            self.asm.rm(full_load(wide), to, self.layout.home(Home::Const(mirror), 0));
            let permute = if wide {
                Code::EVEX_Vpermd_zmm_k1z_zmm_zmmm512b32
            } else {
                Code::VEX_Vpermd_ymm_ymm_ymmm256
            };
            let m = MemoryOperand::with_base_displ(TEMPORARY, displacement);
            self.asm.rrm(permute, to, to, m);
            return;
        }
        if let (2, 4 | 8, false) = (stride, dtype.size(), self.style.masked) {
            self.load_every_other(to, access, copy, first, lanes);
            return;
        }
        if stride != 1 {
            self.copy_strided(access, copy, first..first + lanes, true);
            self.asm.rm(code, to, staged);
            return;
        }
        let m = self.address(access, copy, usize::from(part) * bytes);
        if !self.style.masked {
            self.asm.rm(code, to, m);
        } else if wide {
            let k = if dtype.size() == 8 && part == 1 { TAIL_HIGH } else { TAIL };
            self.asm.masked(Instruction::with2(code, to, m), mask(k), true);
        } else if dtype.size() == 4 {
            let lanes = vector(false, 14 + usize::from(part), Part::Full);
            self.asm.rrm(Code::VEX_Vmaskmovps_ymm_ymm_m256, to, lanes, m);
        } else {
            self.copy_elements(access, copy, first..first + lanes, true);
            self.asm.rm(code, to, staged);
        }
    }

    /// Loads a register of elements that are two apart, from element `first` of a group on, without reading behind the last one.
    fn load_every_other(&mut self, to: Register, access: u16, copy: usize, first: usize, lanes: usize) {
        /// Elements 0, 2, 1, 3 of four.
        const EXCHANGE: i32 = 0b11_01_10_00;
        let size = self.shared.accesses[usize::from(access)].dtype.size() as i64;
        let at = self.strided_address(access, copy) + 2 * size * first as i64;
        // The first half of the elements are the even ones of a register of memory, the others the odd ones of the
        // next, which begins an element early.
        let (low, high) = (at, at + size * (lanes as i64 - 1));
        let memory = |at| MemoryOperand::with_base_displ(TEMPORARY, at);
        let wide = self.shared.wide;
        self.asm.rm(full_load(wide), to, memory(low));
        let (shuffle, choice) = match (size, wide) {
            (4, true) => (Code::EVEX_Vshufps_zmm_k1z_zmm_zmmm512b32_imm8, EXCHANGE),
            (4, false) => (Code::VEX_Vshufps_ymm_ymm_ymmm256_imm8, EXCHANGE),
            (_, true) => (Code::EVEX_Vshufpd_zmm_k1z_zmm_zmmm512b64_imm8, 0b1010_1010),
            (_, false) => (Code::VEX_Vshufpd_ymm_ymm_ymmm256_imm8, 0b1010),
        };
        self.asm.take(Instruction::with4(shuffle, to, to, memory(high), choice));
        // Words of eight bytes in order: within each half, then the quarters of wide registers.
        if wide {
            self.asm.rri(Code::EVEX_Vpermq_zmm_k1z_zmmm512b64_imm8, to, to, EXCHANGE);
            let quarters = Code::EVEX_Vshufi64x2_zmm_k1z_zmm_zmmm512b64_imm8;
            self.asm.take(Instruction::with4(quarters, to, to, to, EXCHANGE));
        } else {
            self.asm.rri(Code::VEX_Vpermq_ymm_ymmm256_imm8, to, to, EXCHANGE);
        }
    }

    /// Copies the existing elements of a partial group to the stage, or from it: narrow vectors have masks for elements of four
    /// bytes only.
    fn copy_elements(&mut self, access: u16, copy: usize, range: Range<usize>, to_stage: bool) {
        let size = self.shared.accesses[usize::from(access)].dtype.size();
        let m = self.address(access, copy, 0);
        self.asm.rm(Code::Lea_r64_m, TEMPORARY, m);
        let (counter, narrow) = (LAST, Register::EBX);
        self.asm.rr(Code::Mov_r32_rm32, narrow, Register::ECX);
        self.asm.rr(Code::Sub_r32_rm32, narrow, Register::EAX);
        self.asm.ri(Code::Mov_r32_imm32, Register::R10D, range.end as i32);
        self.asm.rr(Code::Cmp_r32_rm32, narrow, Register::R10D);
        self.asm.rr(Code::Cmovg_r32_rm32, narrow, Register::R10D);
        let (next, done) = (self.asm.label(), self.asm.label());
        let least = range.start as i32 + 1;
        self.asm.ri(Code::Cmp_rm32_imm8, narrow, least);
        self.asm.jump(Condition::Less, done);
        self.asm.bind(next);
        let element = |base, at: usize| {
            let at = at as i64 - size as i64;
            MemoryOperand::with_base_index_scale_displ_size(base, counter, size as u32, at, 1)
        };
        let (memory, stage) = (element(TEMPORARY, 0), element(FRAME, self.layout.stage()));
        let (from, to) = if to_stage { (memory, stage) } else { (stage, memory) };
        self.move_element(size, from, to);
        self.asm.ri(Code::Sub_rm32_imm8, narrow, 1);
        self.asm.ri(Code::Cmp_rm32_imm8, narrow, least);
        self.asm.jump(Condition::GreaterOrEqual, next);
        self.asm.bind(done);
    }

    fn move_element(&mut self, size: usize, from: MemoryOperand, to: MemoryOperand) {
        let (load, loaded, store, stored) = match size {
            1 => (Code::Movzx_r32_rm8, Register::R10D, Code::Mov_rm8_r8, Register::R10L),
            2 => (Code::Movzx_r32_rm16, Register::R10D, Code::Mov_rm16_r16, Register::R10W),
            4 => (Code::Mov_r32_rm32, Register::R10D, Code::Mov_rm32_r32, Register::R10D),
            _ => (Code::Mov_r64_rm64, Register::R10, Code::Mov_rm64_r64, Register::R10),
        };
        self.asm.rm(load, loaded, from);
        self.asm.mr(store, to, stored);
    }

    /// Copies the existing elements of a strided group to the stage, or from it.
    fn copy_strided(&mut self, access: u16, copy: usize, range: Range<usize>, to_stage: bool) {
        let Access { dtype, stride, .. } = self.shared.accesses[usize::from(access)];
        let (size, step) = (dtype.size(), stride * dtype.size() as i64);
        let displacement = self.strided_address(access, copy);
        let ends = |memory, stage| if to_stage { (memory, stage) } else { (stage, memory) };
        let memory = |i: usize| MemoryOperand::with_base_displ(TEMPORARY, displacement + step * i as i64);
        let stage = self.layout.stage() as i64;
        if !self.style.masked {
            for i in range {
                let staged = MemoryOperand::with_base_displ(FRAME, stage + (i * size) as i64);
                let (from, to) = ends(memory(i), staged);
                self.move_element(size, from, to);
            }
            return;
        }
        let (counter, narrow) = (LAST, Register::EBX);
        let (next, done) = (self.asm.label(), self.asm.label());
        self.asm.ri(Code::Mov_r32_imm32, narrow, range.start as i32);
        self.asm.bind(next);
        self.asm.rr(Code::Mov_r32_rm32, Register::R10D, Register::ECX);
        self.asm.rr(Code::Sub_r32_rm32, Register::R10D, Register::EAX);
        self.asm.rr(Code::Cmp_r32_rm32, narrow, Register::R10D);
        self.asm.jump(Condition::GreaterOrEqual, done);
        let staged = MemoryOperand::with_base_index_scale_displ_size(FRAME, counter, size as u32, stage, 1);
        let (from, to) = ends(memory(range.start), staged);
        self.move_element(size, from, to);
        self.asm.ri(Code::Add_rm64_imm32, TEMPORARY, step as i32);
        self.asm.ri(Code::Add_rm32_imm8, narrow, 1);
        self.asm.ri(Code::Cmp_rm32_imm8, narrow, range.end as i32);
        self.asm.jump(Condition::Less, next);
        self.asm.bind(done);
    }

    /// Writes a call: its operands go to memory, its result to register `to`; all other registers keep their values.
    fn call(&mut self, function: u8, operands: [usize; 2], to: usize) {
        let (layout, wide) = (self.layout, self.shared.wide);
        let full = |r: usize| vector(wide, r, Part::Full);
        for (i, r) in operands.into_iter().enumerate() {
            self.asm.mr(full_store(wide), layout.operand(i), full(r));
        }
        let style = self.style;
        let fixed = |r: usize| {
            style.held.values().chain(style.accumulators.iter().flatten()).any(|&held| held == r)
                || !wide && style.masked && r >= 14
        };
        let count = if wide { 32 } else { 16 };
        let vectors: SmallVec<[usize; 32]> =
            (0..count).filter(|&r| r != to && (self.vectors.owner[r].is_some() || fixed(r))).collect();
        let tail = |k: usize| wide && style.masked && (k == TAIL || k == TAIL_HIGH);
        let masks: SmallVec<[usize; 8]> =
            (1..8).filter(|&k| self.masks.owner[k].is_some() || tail(k)).collect();
        vectors.iter().for_each(|&r| self.asm.mr(full_store(wide), layout.kept(r), full(r)));
        masks.iter().for_each(|&k| self.asm.mr(Code::VEX_Kmovw_m16_kr, layout.kept_mask(k), mask(k)));
        self.asm.call(self.shared.functions[usize::from(function)]);
        masks.iter().for_each(|&k| self.asm.rm(Code::VEX_Kmovw_kr_km16, mask(k), layout.kept_mask(k)));
        vectors.iter().for_each(|&r| self.asm.rm(full_load(wide), full(r), layout.kept(r)));
        self.asm.rm(full_load(wide), full(to), layout.operand(2));
    }

    fn guard(&mut self, v: V, copy: usize, function: u8) {
        let wide = self.shared.wide;
        let [value, outside, a, b] = self.sources[v as usize].0.map(|s| self.instance(s, copy));
        let k = self.register(outside);
        let operands = [a, b].map(|s| self.register(s));
        self.overwrite(v, copy, value, &[outside, a, b]);
        let Place::Register(to) = self.places[copy * self.nodes + v as usize] else {
            self.failed = true;
            return;
        };
        if self.failed {
            return;
        }
        if wide {
            self.asm.rr(Code::VEX_Kortestw_kr_kr, mask(k), mask(k));
        } else {
            let lanes = vector(false, k, Part::Full);
            self.asm.rr(Code::VEX_Vptest_ymm_ymmm256, lanes, lanes);
        }
        let (beyond, back) = (self.asm.label(), self.asm.label());
        self.asm.jump(Condition::NotEqual, beyond);
        self.asm.bind(back);
        // The call stands behind the function's code, far from the loop.
        self.asm.begin_aside();
        self.asm.bind(beyond);
        self.call(function, operands, to);
        self.asm.jump(Condition::Always, back);
        self.asm.end_aside();
    }

    fn store(&mut self, r: usize, access: u16, part: u8, copy: usize) {
        let wide = self.shared.wide;
        let Access { dtype, stream, stride, .. } = self.shared.accesses[usize::from(access)];
        let (size, width) = (dtype.size(), self.shared.width());
        let bytes = if size < 4 { GROUP * size } else { width };
        let lanes = bytes / size;
        let first = usize::from(part) * lanes;
        let staged = MemoryOperand::with_base_displ(FRAME, (self.layout.stage() + first * size) as i64);
        let part_of = match width / bytes {
            1 => Part::Full,
            2 => Part::Half,
            _ => Part::Quarter,
        };
        let from = vector(wide, r, part_of);
        let code = match (wide, size) {
            (true, 1) => Code::EVEX_Vmovdqu8_xmmm128_k1z_xmm,
            (true, 2) => Code::EVEX_Vmovdqu16_ymmm256_k1z_ymm,
            (true, 8) => Code::EVEX_Vmovupd_zmmm512_k1z_zmm,
            (true, _) => Code::EVEX_Vmovups_zmmm512_k1z_zmm,
            (false, 1) => Code::VEX_Vmovups_xmmm128_xmm,
            (false, _) => Code::VEX_Vmovups_ymmm256_ymm,
        };
        if let (2, 4 | 8, false) = (stride, size, self.style.masked) {
            self.store_every_other(r, access, copy, first);
            return;
        }
        if stride != 1 {
            self.asm.mr(code, staged, from);
            self.copy_strided(access, copy, first..first + lanes, false);
            return;
        }
        let m = self.address(access, copy, usize::from(part) * bytes);
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
        if !self.style.masked {
            self.asm.mr(code, m, from);
        } else if wide {
            let k = if size == 8 && part == 1 { TAIL_HIGH } else { TAIL };
            self.asm.masked(Instruction::with2(code, m, from), mask(k), false);
        } else if size == 4 {
            let lanes = vector(false, 14 + usize::from(part), Part::Full);
            self.asm.mrr(Code::VEX_Vmaskmovps_m256_ymm_ymm, m, lanes, from);
        } else {
            self.asm.mr(code, staged, from);
            self.copy_elements(access, copy, first..first + lanes, false);
        }
    }

    /// Stores a register as elements that are two apart, from element `first` of a group on, without writing between them.
    fn store_every_other(&mut self, r: usize, access: u16, copy: usize, first: usize) {
        let size = self.shared.accesses[usize::from(access)].dtype.size() as i64;
        let wide = self.shared.wide;
        let at = self.strided_address(access, copy) + 2 * size * first as i64;
        let memory = |at| MemoryOperand::with_base_displ(TEMPORARY, at);
        // A register without an owner is taken while this is written.
        let spread = self.take(false, usize::MAX);
        let (from, to) = (vector(wide, r, Part::Full), vector(wide, spread, Part::Full));
        let half = vector(wide, spread, Part::Half);
        if wide {
            // Without a partial group, the mask register of the tail is free.
            let even = mask(TAIL);
            self.asm.ri(Code::Mov_r32_imm32, Register::R10D, 0x5555);
            self.asm.rr(Code::VEX_Kmovd_kr_r32, even, Register::R10D);
            let (expand, store) = match size {
                4 => (Code::EVEX_Vexpandps_zmm_k1z_zmmm512, Code::EVEX_Vmovups_zmmm512_k1z_zmm),
                _ => (Code::EVEX_Vexpandpd_zmm_k1z_zmmm512, Code::EVEX_Vmovupd_zmmm512_k1z_zmm),
            };
            self.asm.masked(Instruction::with2(expand, to, from), even, true);
            self.asm.masked(Instruction::with2(store, memory(at), to), even, false);
            self.asm.rri(Code::EVEX_Vextractf64x4_ymmm256_k1z_zmm_imm8, half, from, 1);
            self.asm.masked(Instruction::with2(expand, to, to), even, true);
            self.asm.masked(Instruction::with2(store, memory(at + 64), to), even, false);
        } else {
            let even = self.take(false, usize::MAX);
            let lanes = vector(wide, even, Part::Full);
            self.asm.rrr(Code::VEX_Vpcmpeqd_ymm_ymm_ymmm256, lanes, lanes, lanes);
            if size == 4 {
                self.asm.rri(Code::VEX_Vpsrlq_ymm_ymm_imm8, lanes, lanes, 32);
                let low = vector(wide, r, Part::Half);
                self.asm.rr(Code::VEX_Vpmovzxdq_ymm_xmmm128, to, low);
                self.asm.mrr(Code::VEX_Vmaskmovps_m256_ymm_ymm, memory(at), lanes, to);
                self.asm.rri(Code::VEX_Vextractf128_xmmm128_ymm_imm8, half, from, 1);
                self.asm.rr(Code::VEX_Vpmovzxdq_ymm_xmmm128, to, half);
                self.asm.mrr(Code::VEX_Vmaskmovps_m256_ymm_ymm, memory(at + 32), lanes, to);
            } else {
                self.asm.rri(Code::VEX_Vpsrldq_ymm_ymm_imm8, lanes, lanes, 8);
                for (choice, at) in [(0b01_01_00_00, at), (0b11_11_10_10, at + 32)] {
                    self.asm.rri(Code::VEX_Vpermq_ymm_ymmm256_imm8, to, from, choice);
                    self.asm.mrr(Code::VEX_Vmaskmovpd_m256_ymm_ymm, memory(at), lanes, to);
                }
            }
            self.release(false, even);
        }
        self.release(false, spread);
    }

    /// Broadcasts a general register to every lane.
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
    pub(super) fn element(&mut self, access: u16, copy: usize) -> MemoryOperand {
        let on = self.row_on(access, copy);
        match self.shared.accesses[usize::from(access)].base {
            Base::Frame(at) => {
                let at = self.layout.buffers() as i64 + i64::from(at) + on;
                if self.style.indexed {
                    let size = self.shared.accesses[usize::from(access)].dtype.size() as u32;
                    MemoryOperand::with_base_index_scale_displ_size(FRAME, COLUMN, size, at, 1)
                } else {
                    MemoryOperand::with_base_displ(FRAME, at)
                }
            }
            Base::Pointer(p) => match self.style.pointers.get(&access) {
                Some(&r) => MemoryOperand::with_base_displ(r, on),
                None => {
                    self.asm.rm(Code::Mov_r64_rm64, TEMPORARY, pointer(p));
                    MemoryOperand::with_base_displ(TEMPORARY, on)
                }
            },
        }
    }

    pub(super) fn node(&mut self, v: V, copy: usize) {
        match self.block.nodes[v as usize] {
            Node::Home(_) | Node::Accumulator { .. } | Node::Element { .. } => {}
            Node::Load { access, part } => {
                let r = self.destination(v, copy);
                self.load(r, access, part, copy);
            }
            Node::Broadcast { access } => {
                let dtype = self.shared.accesses[usize::from(access)].dtype;
                let m = self.element(access, copy);
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
                let group = if self.style.rows.is_some() { 0 } else { copy };
                let ahead = (group * GROUP + usize::from(part) * lanes) as i64;
                let m = MemoryOperand::with_base_displ(COLUMN, ahead);
                self.asm.rm(Code::Lea_r32_m, Register::R10D, m);
                self.asm.rm(Code::Add_r32_rm32, Register::R10D, field(FIRST_COLUMN));
                self.spread(v, copy, false);
            }
            Node::Index { dim } => {
                self.asm.rm(Code::Mov_r32_rm32, Register::R10D, field(INDICES + usize::from(dim)));
                if self.style.rows == Some(usize::from(dim)) && copy > 0 {
                    self.asm.ri(Code::Add_rm32_imm8, Register::R10D, copy as i32);
                }
                self.spread(v, copy, false);
            }
            Node::Tail { value, identity, part, wide: long } => {
                let value = self.instance(self.canonical(value), copy);
                let identity = self.instance(identity, copy);
                let a = self.register(identity);
                let b = self.register(value);
                let wide = self.shared.wide;
                if long && !wide {
                    self.blend_long(v, copy, [identity, value], [a, b], part);
                    return;
                }
                self.used(identity);
                self.used(value);
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
                } else {
                    let lanes = vector(false, 14 + usize::from(part), Part::Full);
                    let code = Code::VEX_Vblendvps_ymm_ymm_ymmm256_ymm;
                    self.asm.take(Instruction::with4(code, to, a, b, lanes));
                }
            }
            Node::Op { op, imm, .. } => self.op(v, copy, op, imm),
            Node::Guard { function, .. } => self.guard(v, copy, function),
            Node::Call { function, operands } => {
                let s = operands.map(|s| self.instance(self.canonical(s), copy));
                let registers = s.map(|s| self.register(s));
                s.into_iter().for_each(|s| self.used(s));
                let r = self.destination(v, copy);
                self.call(function, registers, r);
            }
        }
    }

    /// Blends a tail of four lanes of 64 bits, whose mask is half of a mask of lanes of 32 bits.
    fn blend_long(&mut self, v: V, copy: usize, sources: [usize; 2], [a, b]: [usize; 2], part: u8) {
        let i = copy * self.nodes + v as usize;
        let r = self.take(false, i);
        self.places[i] = Place::Register(r);
        let (to, low) = (vector(false, r, Part::Full), vector(false, r, Part::Half));
        let lanes = 14 + usize::from(part) / 2;
        let mut half = vector(false, lanes, Part::Half);
        if part % 2 == 1 {
            let all = vector(false, lanes, Part::Full);
            self.asm.rri(Code::VEX_Vextractf128_xmmm128_ymm_imm8, low, all, 1);
            half = low;
        }
        self.asm.rr(Code::VEX_Vpmovsxdq_ymm_xmmm128, to, half);
        let [a, b] = [a, b].map(|r| vector(false, r, Part::Full));
        self.asm.take(Instruction::with4(Code::VEX_Vblendvpd_ymm_ymm_ymmm256_ymm, to, a, b, to));
        for s in sources {
            self.used(s);
        }
    }

    fn op(&mut self, v: V, copy: usize, op: Opcode, imm: u8) {
        let wide = self.shared.wide;
        let info = op.info(wide);
        if info.codes[0] == Code::INVALID {
            self.failed = true;
            return;
        }
        let imm = i32::from(imm);
        let s: SmallVec<[usize; 3]> = self.sources(v).iter().map(|&s| self.instance(s, copy)).collect();
        match info.shape {
            Shape::Binary | Shape::Commutative | Shape::Compare => {
                self.binary(v, copy, &info, imm, [s[0], s[1]]);
            }
            Shape::Unary | Shape::Register => self.unary(v, copy, &info, imm, s[0]),
            Shape::Ternary => self.ternary(v, copy, &info, imm, [s[0], s[1], s[2]]),
            Shape::Fma => self.fma(v, copy, info.codes, [s[0], s[1], s[2]]),
            Shape::Blend => self.blend(v, copy, info.codes[0], [s[0], s[1], s[2]]),
            Shape::Masks => self.masks(v, copy, &info, imm, &s),
            Shape::MaskToVector => {
                let k = self.register(s[0]);
                self.used(s[0]);
                let to = self.result(v, copy, info.parts[0]);
                self.asm.rr(info.codes[0], to, mask(k));
            }
            Shape::VectorToMask => {
                let a = self.register(s[0]);
                self.used(s[0]);
                let to = self.result(v, copy, Part::Full);
                let a = vector(wide, a, Part::Full);
                if info.imm {
                    self.asm.rri(info.codes[0], to, a, imm);
                } else {
                    self.asm.rr(info.codes[0], to, a);
                }
            }
        }
    }

    /// Two operands, of which the second may lie in memory.
    fn binary(&mut self, v: V, copy: usize, info: &Info, imm: i32, mut s: [usize; 2]) {
        let (wide, code) = (self.shared.wide, info.codes[0]);
        if info.shape == Shape::Commutative && self.in_memory(s[0]) && !self.in_memory(s[1]) {
            s.swap(0, 1);
        }
        let a = vector(wide, self.register(s[0]), info.parts[1]);
        let folds = info.parts[2] == Part::Full && self.in_memory(s[1]) && s[0] != s[1];
        let b =
            if folds { Err(self.memory(s[1])) } else { Ok(vector(wide, self.register(s[1]), info.parts[2])) };
        self.used(s[0]);
        self.used(s[1]);
        let to = self.result(v, copy, info.parts[0]);
        match (b, info.imm) {
            (Ok(b), false) => self.asm.rrr(code, to, a, b),
            (Err(m), false) => self.asm.rrm(code, to, a, m),
            (Ok(b), true) => self.asm.take(Instruction::with4(code, to, a, b, imm)),
            (Err(m), true) => self.asm.take(Instruction::with4(code, to, a, m, imm)),
        }
    }

    /// One operand, which may lie in memory unless the instruction takes registers only.
    fn unary(&mut self, v: V, copy: usize, info: &Info, imm: i32, s: usize) {
        let code = info.codes[0];
        let a = if info.shape == Shape::Unary && self.in_memory(s) {
            Err(self.memory(s))
        } else {
            Ok(vector(self.shared.wide, self.register(s), info.parts[1]))
        };
        self.used(s);
        let to = self.result(v, copy, info.parts[0]);
        match (a, info.imm) {
            (Ok(a), false) => self.asm.rr(code, to, a),
            (Err(m), false) => self.asm.rm(code, to, m),
            (Ok(a), true) => self.asm.rri(code, to, a, imm),
            (Err(m), true) => self.asm.take(Instruction::with3(code, to, m, imm)),
        }
    }

    /// Three operands, of which the result overwrites the first and the third may lie in memory.
    fn ternary(&mut self, v: V, copy: usize, info: &Info, imm: i32, s: [usize; 3]) {
        let (wide, code) = (self.shared.wide, info.codes[0]);
        self.settle(s[0]);
        let b = self.register(s[1]);
        let c = if self.in_memory(s[2]) { Err(self.memory(s[2])) } else { Ok(self.register(s[2])) };
        let to = self.overwrite(v, copy, s[0], &[s[1], s[2]]);
        let b = vector(wide, b, Part::Full);
        let c = c.map(|c| vector(wide, c, Part::Full));
        self.asm.take(match (c, info.imm) {
            (Ok(c), true) => Instruction::with4(code, to, b, c, imm),
            (Err(m), true) => Instruction::with4(code, to, b, m, imm),
            (Ok(c), false) => Instruction::with3(code, to, b, c),
            (Err(m), false) => Instruction::with3(code, to, b, m),
        });
    }

    /// A mask, and two operands of which the second may lie in memory.
    fn blend(&mut self, v: V, copy: usize, code: Code, s: [usize; 3]) {
        let wide = self.shared.wide;
        let full = |r: usize| vector(wide, r, Part::Full);
        let k = self.register(s[0]);
        let a = full(self.register(s[1]));
        let b = if self.in_memory(s[2]) && s[1] != s[2] {
            Err(self.memory(s[2]))
        } else {
            Ok(full(self.register(s[2])))
        };
        if self.failed {
            // If no register is left for the mask, writing has failed.
            return;
        }
        s.into_iter().for_each(|s| self.used(s));
        let to = self.result(v, copy, Part::Full);
        match (b, wide) {
            (Ok(b), true) => self.asm.masked(Instruction::with3(code, to, a, b), mask(k), false),
            (Err(m), true) => self.asm.masked(Instruction::with3(code, to, a, m), mask(k), false),
            (Ok(b), false) => self.asm.take(Instruction::with4(code, to, a, b, full(k))),
            (Err(m), false) => self.asm.take(Instruction::with4(code, to, a, m, full(k))),
        }
    }

    /// One mask or two, which are vectors on AVX2.
    fn masks(&mut self, v: V, copy: usize, info: &Info, imm: i32, s: &[usize]) {
        let wide = self.shared.wide;
        let of = |r: usize| if wide { mask(r) } else { vector(wide, r, Part::Full) };
        let regs: SmallVec<[usize; 2]> = s.iter().map(|&i| self.register(i)).collect();
        s.iter().for_each(|&i| self.used(i));
        let to = self.result(v, copy, Part::Full);
        if info.imm {
            self.asm.rri(info.codes[0], to, of(regs[0]), imm);
        } else {
            self.asm.rrr(info.codes[0], to, of(regs[0]), of(regs[1]));
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
            // The result takes over the operand's register.
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

    /// Writes ±a b + c, in one of three encodings by which operand may be overwritten.
    fn fma(&mut self, v: V, copy: usize, codes: [Code; 3], [mut a, mut b, c]: [usize; 3]) {
        let wide = self.shared.wide;
        let full = |r: usize| vector(wide, r, Part::Full);
        if self.in_memory(a) && !self.in_memory(b) {
            (a, b) = (b, a);
        }
        let distinct = a != b && b != c && a != c;
        let dead = |w: &Self, i: usize| w.dies(i) && !w.in_memory(i) && distinct && w.owned(i);
        // The result overwrites c, unless only a is dead.
        let over_sum = dead(self, c) || !(dead(self, a) || dead(self, b));
        if over_sum {
            // 231: c = ±a b + c, b in memory or not.
            self.settle(c);
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
            self.settle(a);
            let rc = self.register(c);
            let m = self.memory(b);
            let to = self.overwrite(v, copy, a, &[b, c]);
            self.asm.rrm(codes[0], to, full(rc), m);
            return;
        }
        // 213: a = ±b a + c, c in memory or not.
        self.settle(a);
        let rb = self.register(b);
        let rc = if self.in_memory(c) { Err(self.memory(c)) } else { Ok(self.register(c)) };
        let to = self.overwrite(v, copy, a, &[b, c]);
        match rc {
            Ok(rc) => self.asm.rrr(codes[1], to, full(rb), full(rc)),
            Err(m) => self.asm.rrm(codes[1], to, full(rb), m),
        }
    }

    /// Whether the value has a register of its own, which it does not share with a held slot.
    fn owned(&self, i: usize) -> bool {
        match self.places[i] {
            Place::Register(r) => self.vectors.owner[r] == Some(i),
            _ => !matches!(self.block.nodes[i % self.nodes], Node::Home(h) if self.held(i, h).is_some()),
        }
    }

    pub(super) fn effect(&mut self, effect: Effect, copy: usize) {
        let i = self.instance(self.canonical(effect.value()), copy);
        match effect {
            Effect::Store { access, part, .. } => {
                let r = self.register(i);
                self.store(r, access, part, copy);
            }
            Effect::StoreOne { access, .. } => {
                let r = self.register(i);
                let dtype = self.shared.accesses[usize::from(access)].dtype;
                let m = self.element(access, copy);
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
                self.save(false, self.layout.home(Home::Row(slot), copy), r);
            }
            Effect::Accumulate { number, .. } => {
                let to = self.accumulator(number, copy);
                let r = self.register(i);
                if r != to {
                    self.move_vector(to, r);
                }
            }
            // The mode changes once, after the nodes before it are written for all copies.
            Effect::Flush { on, .. } if copy + 1 == self.style.copies => {
                self.asm.m(Code::VEX_Vldmxcsr_m32, if on { flushing() } else { ordinary() });
            }
            Effect::Flush { .. } => {}
        }
        self.used(i);
    }
}

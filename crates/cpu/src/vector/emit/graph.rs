//! The values of a straight-line block, each made by one vector instruction, and the memory that outlives a block.

use jarrah_base::DType;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::calls::Function;
use super::ops::Opcode;

/// A value of a block, by the number of its node.
pub(super) type V = u32;

/// The number of elements that a block processes at a time; also the number of lanes of a reduction.
pub(super) const GROUP: usize = 16;

/// A memory slot as wide as a vector whose contents do not change while a block runs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Home {
    /// A constant, in the pool behind the code.
    Const(u16),
    /// A value of the row, in the frame.
    Row(u16),
}

/// An instruction that makes a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Node {
    Home(Home),
    /// Elements of an access, one register's worth: part `part` of the group.
    Load {
        access: u16,
        part: u8,
    },
    /// One element of an access, broadcast to all lanes; of 16-bit floats, the bits.
    Broadcast {
        access: u16,
    },
    /// One element of 32 bits of an access, broadcast to all lanes, read by the instruction that uses it.
    Element {
        access: u16,
    },
    /// The column of the group's lane 0, plus `16 / parts * part`, in all lanes, as `i32`.
    Column {
        part: u8,
    },
    /// The index of the row along a dimension, in all lanes, as `i32`.
    Index {
        dim: u8,
    },
    /// The value of an accumulator before this group.
    Accumulator {
        number: u8,
    },
    /// The value, with the identity in lanes beyond the last column; `part` of the group.
    Tail {
        value: V,
        identity: V,
        part: u8,
        wide: bool,
    },
    Op {
        op: Opcode,
        src: [V; 3],
        imm: u8,
    },
    /// The result of a called function, lane by lane.
    Call {
        function: u8,
        operands: [V; 2],
    },
    /// The value, if no lane of `outside` is set; otherwise the result of a called function, for all lanes.
    Guard {
        function: u8,
        operands: [V; 2],
        value: V,
        outside: V,
    },
}

/// An effect of a block: a store, or a change of state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Effect {
    /// Elements of an access: part `part` of the group.
    Store {
        access: u16,
        part: u8,
        value: V,
    },
    /// One element of an access.
    StoreOne {
        access: u16,
        value: V,
    },
    Save {
        slot: u16,
        value: V,
    },
    Accumulate {
        number: u8,
        value: V,
    },
    /// After `value` is computed, subnormal numbers are taken as zeros, or (`on` is false) as they are.
    Flush {
        on: bool,
        value: V,
    },
}

impl Effect {
    pub fn value(&self) -> V {
        match *self {
            Effect::Store { value, .. }
            | Effect::StoreOne { value, .. }
            | Effect::Save { value, .. }
            | Effect::Accumulate { value, .. }
            | Effect::Flush { value, .. } => value,
        }
    }
}

/// Where an access finds its base address.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Base {
    /// In the table of pointers, at this index.
    Pointer(u16),
    /// In the frame, this many bytes from the beginning of the row's buffers.
    Frame(u32),
}

/// Elements in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Access {
    pub base: Base,
    /// The bytes from the base to the first element.
    pub offset: i32,
    pub dtype: DType,
    /// The bytes from row to row, for elements outside of the frame.
    pub pitch: i64,
    /// The elements from column to column.
    pub stride: i64,
    /// Whether stores may bypass the caches.
    pub stream: bool,
    /// The number of bytes ahead of its loads that a loop prefetches; 0 for no prefetches.
    pub ahead: i32,
}

/// The state that all blocks of a function share.
#[derive(Default)]
pub(super) struct Shared {
    pub wide: bool,
    /// Whether there is an instruction that adds the products of words of `bf16`.
    pub dots: bool,
    pub consts: Vec<[u64; 8]>,
    found: FxHashMap<[u64; 8], u16>,
    /// Slots of a row in the frame.
    pub slots: u16,
    /// Bytes of the buffers of a row in the frame.
    pub buffers: usize,
    pub accesses: Vec<Access>,
    /// The functions that the code calls.
    pub functions: Vec<Function>,
    /// The constant of descending lane numbers, if elements are read in reverse.
    pub mirror: Option<u16>,
}

impl Shared {
    pub fn new(wide: bool) -> Shared {
        Shared { wide, dots: wide && crate::isa::has_bf16(), ..Shared::default() }
    }

    pub fn slot(&mut self) -> u16 {
        self.slots += 1;
        self.slots - 1
    }

    pub fn access(&mut self, base: Base, dtype: DType, pitch: i64) -> u16 {
        self.strided((base, 0), dtype, pitch, 1)
    }

    /// Elements that are not one after another, but `stride` apart.
    pub fn strided(&mut self, (base, offset): (Base, i32), dtype: DType, pitch: i64, stride: i64) -> u16 {
        if stride == -1 && self.mirror.is_none() {
            let last = self.width() as u64 / 4 - 1;
            let lane = |i: u64| last.wrapping_sub(i) & last;
            self.mirror = Some(self.constant(std::array::from_fn(|i| {
                let i = 2 * i as u64;
                lane(i + 1) << 32 | lane(i)
            })));
        }
        self.accesses.push(Access { base, offset, dtype, pitch, stride, stream: false, ahead: 0 });
        self.accesses.len() as u16 - 1
    }

    /// The number of a constant, which is added if it is new.
    pub fn constant(&mut self, words: [u64; 8]) -> u16 {
        let next = self.consts.len() as u16;
        let at = *self.found.entry(words).or_insert(next);
        if at == next {
            self.consts.push(words);
        }
        at
    }

    /// The number of a function, which is added if it is new.
    pub fn function(&mut self, function: Function) -> u8 {
        let found = self.functions.iter().position(|f| *f == function);
        found.unwrap_or_else(|| {
            self.functions.push(function);
            self.functions.len() - 1
        }) as u8
    }

    /// Bytes of a vector.
    pub fn width(&self) -> usize {
        if self.wide { 64 } else { 32 }
    }

    /// The number of registers of a group of elements of `size` bytes.
    pub fn parts(&self, size: usize) -> usize {
        size.max(4) * GROUP / self.width()
    }
}

/// The registers that hold a group of one value.
pub(super) type Parts = SmallVec<[V; 4]>;

/// A block.
#[derive(Default)]
pub(super) struct Block {
    pub nodes: Vec<Node>,
    pub effects: Vec<Effect>,
    /// Whether stores need not wait for loads that come after their values, because no load reads memory that a store writes.
    pub apart: bool,
}

/// Writes a block.
pub(super) struct Graph<'a> {
    pub shared: &'a mut Shared,
    pub block: Block,
    memo: FxHashMap<Node, V>,
    /// For each node the bits that a lane of 32 may have.
    possible: Vec<u32>,
}

impl<'a> Graph<'a> {
    pub fn new(shared: &'a mut Shared) -> Graph<'a> {
        Graph::on(shared, Block::default())
    }

    /// Continues a block.
    pub fn on(shared: &'a mut Shared, block: Block) -> Graph<'a> {
        let mut g = Graph { shared, block, memo: FxHashMap::default(), possible: Vec::new() };
        g.possible = vec![u32::MAX; g.block.nodes.len()];
        g
    }

    pub fn wide(&self) -> bool {
        self.shared.wide
    }

    pub fn node(&mut self, node: Node) -> V {
        if let Some(&known) = self.memo.get(&node) {
            return known;
        }
        let v = self.block.nodes.len() as V;
        self.possible.push(self.possible_bits(&node));
        self.block.nodes.push(node);
        self.memo.insert(node, v);
        v
    }

    /// From here on, earlier values are computed again where they are used, so they occupy no registers until then.
    pub fn forget(&mut self) {
        self.memo.clear();
    }

    /// The bits of a 32-bit lane that may be set in the value of `node`.
    fn possible_bits(&self, node: &Node) -> u32 {
        let of = |v: V| self.possible[v as usize];
        match *node {
            // An unsigned type narrower than a lane has zeros above it.
            Node::Load { access, .. } => match self.shared.accesses[usize::from(access)].dtype {
                DType::U8 => 0xff,
                DType::U16 => 0xffff,
                _ => u32::MAX,
            },
            Node::Home(Home::Const(k)) => {
                let words = self.shared.consts[usize::from(k)];
                words.iter().fold(0, |bits, &two| bits | two as u32 | (two >> 32) as u32)
            }
            Node::Op { op: Opcode::And, src: [a, b, _], .. } => of(a) & of(b),
            Node::Op { op: Opcode::Or | Opcode::Xor, src: [a, b, _], .. } => of(a) | of(b),
            Node::Op { op: Opcode::ShrD, src: [a, ..], imm } => of(a).checked_shr(imm.into()).unwrap_or(0),
            Node::Op { op: Opcode::ShlD, src: [a, ..], imm } => of(a).checked_shl(imm.into()).unwrap_or(0),
            Node::Op { op: Opcode::ShlVarD, src: [a, by, _], .. } => match self.same_word(by) {
                Some(by) => of(a).checked_shl(by).unwrap_or(0),
                None => u32::MAX,
            },
            Node::Op { op: Opcode::ShrVarD, src: [a, by, _], .. } => match self.same_word(by) {
                Some(by) => of(a).checked_shr(by).unwrap_or(0),
                None => u32::MAX.checked_shr(of(a).leading_zeros()).unwrap_or(0),
            },
            _ => u32::MAX,
        }
    }

    /// The 32 bits of a constant, if they are equal in all lanes.
    fn same_word(&self, v: V) -> Option<u32> {
        let Node::Home(Home::Const(k)) = self.block.nodes[v as usize] else { return None };
        let words = self.shared.consts[usize::from(k)];
        let first = words[0] as u32;
        let all = u64::from(first) << 32 | u64::from(first);
        words.iter().all(|&two| two == all).then_some(first)
    }

    /// A register in whose lanes the four bits of `v` from bit `at` on are found, and the bit from which they are there.
    pub fn four_bits(&self, v: V, at: u32) -> (V, u32) {
        let bits = |at: u32| 15u32.checked_shl(at).unwrap_or(0);
        let lacks = |v: V| self.possible[v as usize] & bits(at) == 0;
        match self.block.nodes[v as usize] {
            Node::Op { op: Opcode::ShrD, src: [x, ..], imm } if at + u32::from(imm) <= 28 => {
                self.four_bits(x, at + u32::from(imm))
            }
            Node::Op { op: Opcode::ShrVarD, src: [x, by, _], .. } => match self.same_word(by) {
                Some(by) if by <= 28 && at + by <= 28 => self.four_bits(x, at + by),
                _ => (v, at),
            },
            Node::Op { op: Opcode::ShlD, src: [x, ..], imm } if at >= u32::from(imm) => {
                self.four_bits(x, at - u32::from(imm))
            }
            Node::Op { op: Opcode::ShlVarD, src: [x, by, _], .. } => match self.same_word(by) {
                Some(by) if at >= by => self.four_bits(x, at - by),
                _ => (v, at),
            },
            Node::Op { op: Opcode::Or, src: [a, b, _], .. } if lacks(a) => self.four_bits(b, at),
            Node::Op { op: Opcode::Or, src: [a, b, _], .. } if lacks(b) => self.four_bits(a, at),
            _ => (v, at),
        }
    }

    /// The register that `v` is shifted right from, and by how far.
    pub fn shifted(&self, v: V) -> (V, u32) {
        match self.block.nodes[v as usize] {
            Node::Op { op: Opcode::ShrD, src: [x, ..], imm } => (x, imm.into()),
            Node::Op { op: Opcode::ShrVarD, src: [x, by, _], .. } => match self.same_word(by) {
                Some(by) => (x, by),
                None => (v, 0),
            },
            _ => (v, 0),
        }
    }

    /// Words whose halves have in their last five bits the sums of two registers, if both add one number below 2^8 to bits of one
    /// register that lie sixteen apart.
    pub fn word_of_sums(&mut self, sums: [V; 2]) -> Option<V> {
        let [(mut low, number), (mut high, other)] = [self.sum(sums[0])?, self.sum(sums[1])?];
        let mut number = number;
        if number != other {
            // Addition commutes, so the number may be either operand.
            if number == high {
                high = other;
            } else if low == other {
                (low, number) = (number, low);
            } else if low == high {
                (low, high, number) = (number, other, low);
            } else {
                return None;
            }
        }
        let [(low, low_bits), (high, high_bits)] = [low, high].map(|v| self.masked(v));
        let ((x, by), (y, further)) = (self.shifted(low), self.shifted(high));
        let bits = low_bits & high_bits;
        if x != y
            || further != by + 16
            || low_bits != high_bits
            || bits > 15
            || self.possible[number as usize] > 0xff
        {
            return None;
        }
        let mask = self.word(bits << 16 | bits);
        let codes = self.op2(Opcode::And, low, mask);
        let upper = self.imm1(Opcode::ShlD, number, 16);
        let numbers = self.op2(Opcode::Or, number, upper);
        Some(self.op2(Opcode::AddD, codes, numbers))
    }

    /// The two registers whose sum `v` has in its last five bits, if it is such a sum.
    fn sum(&self, v: V) -> Option<(V, V)> {
        let (v, bits) = self.masked(v);
        match self.block.nodes[v as usize] {
            Node::Op { op: Opcode::AddD, src: [a, b, _], .. } if bits & 31 == 31 => Some((a, b)),
            _ => None,
        }
    }

    /// The register of which `v` keeps some bits, and these bits; `v` itself and all bits, if `v` masks nothing.
    fn masked(&self, v: V) -> (V, u32) {
        match self.block.nodes[v as usize] {
            Node::Op { op: Opcode::And, src: [a, b, _], .. } => {
                match (self.same_word(a), self.same_word(b)) {
                    (_, Some(bits)) => (a, bits),
                    (Some(bits), _) => (b, bits),
                    _ => (v, self.possible[v as usize]),
                }
            }
            _ => (v, self.possible[v as usize]),
        }
    }

    pub fn constant(&mut self, words: [u64; 8]) -> V {
        let at = self.shared.constant(words);
        self.node(Node::Home(Home::Const(at)))
    }

    /// 32 bits in all lanes.
    pub fn word(&mut self, bits: u32) -> V {
        self.constant([(u64::from(bits) << 32) | u64::from(bits); 8])
    }

    /// 64 bits in all lanes.
    pub fn long(&mut self, bits: u64) -> V {
        self.constant([bits; 8])
    }

    pub fn f32(&mut self, x: f32) -> V {
        self.word(x.to_bits())
    }

    pub fn f64(&mut self, x: f64) -> V {
        self.long(x.to_bits())
    }

    /// 0, 1, 2, ... in lanes of 32 bits.
    pub fn ramp(&mut self) -> V {
        self.constant(std::array::from_fn(|i| ((2 * i as u64 + 1) << 32) | (2 * i as u64)))
    }

    pub fn slot(&mut self, slot: u16) -> V {
        self.node(Node::Home(Home::Row(slot)))
    }

    pub fn op1(&mut self, op: Opcode, a: V) -> V {
        self.node(Node::Op { op, src: [a, 0, 0], imm: 0 })
    }

    pub fn imm1(&mut self, op: Opcode, a: V, imm: u8) -> V {
        self.node(Node::Op { op, src: [a, 0, 0], imm })
    }

    pub fn op2(&mut self, op: Opcode, a: V, b: V) -> V {
        match op {
            // A mask that keeps all bits that may be set changes nothing.
            Opcode::And => {
                let whole =
                    |x: V, m: V| self.same_word(m).is_some_and(|m| self.possible[x as usize] & !m == 0);
                for (x, m) in [(a, b), (b, a)] {
                    if whole(x, m) {
                        return x;
                    }
                }
            }
            Opcode::ShrVarD if self.same_word(b) == Some(0) => return a,
            _ => {}
        }
        self.node(Node::Op { op, src: [a, b, 0], imm: 0 })
    }

    pub fn imm2(&mut self, op: Opcode, a: V, b: V, imm: u8) -> V {
        self.node(Node::Op { op, src: [a, b, 0], imm })
    }

    pub fn op3(&mut self, op: Opcode, a: V, b: V, c: V) -> V {
        self.node(Node::Op { op, src: [a, b, c], imm: 0 })
    }

    pub fn imm3(&mut self, op: Opcode, a: V, b: V, c: V, imm: u8) -> V {
        self.node(Node::Op { op, src: [a, b, c], imm })
    }

    pub fn effect(&mut self, effect: Effect) {
        self.block.effects.push(effect);
    }
}

impl Node {
    /// The values it reads.
    pub fn sources(&self) -> SmallVec<[V; 4]> {
        match *self {
            Node::Op { op, src, .. } => {
                use super::ops::Shape;
                let n = match op.info(true).shape {
                    Shape::Unary | Shape::Register | Shape::MaskToVector | Shape::VectorToMask => 1,
                    Shape::Masks if op == Opcode::MaskHigh => 1,
                    Shape::Binary | Shape::Commutative | Shape::Compare | Shape::Masks => 2,
                    Shape::Ternary | Shape::Fma | Shape::Blend => 3,
                };
                SmallVec::from_slice(&src[..n])
            }
            Node::Tail { value, identity, .. } => SmallVec::from_slice(&[value, identity]),
            Node::Call { operands, .. } => SmallVec::from_slice(&operands),
            Node::Guard { operands: [a, b], value, outside, .. } => {
                SmallVec::from_slice(&[value, outside, a, b])
            }
            _ => SmallVec::new(),
        }
    }

    /// Whether the value is a mask on 512 bits.
    pub fn is_mask(&self) -> bool {
        matches!(self, Node::Op { op, .. } if op.gives_mask())
    }
}

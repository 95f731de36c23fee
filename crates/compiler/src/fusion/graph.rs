//! Nodes, views and opaque steps.

use jarrah_base::{DType, Error, Result, Type, work};
use jarrah_hlo::ops::{ElementwiseKind, KernelForm, Reduce};
use jarrah_hlo::{Instr, Op, Program, Value};
use smallvec::{SmallVec, smallvec};

use crate::reduction::{self, Column, Reduction};
use crate::target::{Fusion, Target};
use crate::view::View;

/// The elements that a view reads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Base {
    /// An array: a parameter, a result of a node or of an opaque step, or a stored view.
    Array(Value),
    /// An array that is loaded from memory even if it is cheap to recompute.
    Stored(Value),
    /// A scalar constant, the same under every view.
    Splat(Value),
    /// The numbers 0, 1, 2, ...
    Iota(DType),
}

/// How a kernel reads a value: an array and a view of it.
#[derive(Clone, Debug)]
pub struct Access {
    pub base: Base,
    pub view: View,
}

/// The computation of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// An elementwise-like op.
    Map,
    /// Stores a broadcast, an iota or a constant.
    Copy,
    /// A reduction of the innermost `extent` positions.
    Row { extent: usize },
    /// A reduction of the middle of three axes.
    Column(Column),
    /// A pad or a concatenation: puts arrays from memory at places of the space.
    Place,
}

/// An axis of the space along which a pad or a concatenation puts arrays.
#[derive(Clone, Debug)]
pub struct PlacedAxis {
    pub axis: usize,
    pub extent: usize,
    /// The number of positions inside of it.
    pub inner: usize,
    /// Where an array begins or ends.
    pub cuts: SmallVec<[usize; 4]>,
}

/// An instruction that a kernel computes.
#[derive(Debug)]
pub struct Node {
    pub instr: usize,
    pub kind: Kind,
    /// The number of positions of its iteration space; of a reduction, the operand's elements.
    pub size: usize,
    pub operands: SmallVec<[Access; 3]>,
    chain: Option<Chain>,
}

/// The cost of recomputing a value from stored values (`leaves`).
#[derive(Clone, Debug)]
struct Chain {
    weight: u32,
    /// The nodes to recompute, this one included.
    nodes: SmallVec<[u32; 8]>,
    leaves: SmallVec<[Value; 4]>,
}

/// A program as nodes and views.
pub struct Graph<'a> {
    pub program: &'a Program,
    pub target: &'a dyn Target,
    pub fusion: Fusion,
    /// Whether the target's kernels compute, or read through, each instruction.
    pub loops: Vec<bool>,
    /// The instruction that defines each value.
    pub definitions: Vec<Option<usize>>,
    pub nodes: Vec<Node>,
    /// The node that defines a value.
    pub node_of: Vec<Option<u32>>,
    /// How each value is read.
    accesses: Vec<Access>,
    /// The number of elements of each value.
    pub sizes: Vec<usize>,
    /// Whether a step or a result needs the value in memory.
    pub stored: Vec<bool>,
    /// Whether nothing but right operands of products of few rows is computed of the value.
    multiplied: Vec<bool>,
    uses: Vec<u32>,
    /// For each value the value that it reshapes or transposes, or itself.
    pub origins: Vec<Value>,
    /// The node of each instruction; `None` for opaque steps and for views that are not stored.
    pub node_at: Vec<Option<u32>>,
}

impl<'a> Graph<'a> {
    pub fn new(program: &'a Program, target: &'a dyn Target) -> Result<Self> {
        let count = program.value_count();
        let mut sizes = Vec::with_capacity(count);
        let mut accesses: Vec<Access> = Vec::with_capacity(count);
        let definitions = program.definitions();
        let values = program.param_values().chain(program.instrs().iter().flat_map(|i| i.results()));
        for value in values {
            sizes.push(program.ty(value).elements()?);
        }
        let loops = loops(program, target);
        let mut graph = Graph {
            program,
            target,
            fusion: target.fusion(),
            definitions,
            nodes: Vec::new(),
            node_of: vec![None; count],
            stored: stored(program, &loops),
            multiplied: multiplied(program, &loops, target.fusion().multiplied_rows),
            loops,
            uses: program.use_counts(),
            accesses: Vec::new(),
            origins: origins(program),
            node_at: vec![None; program.instrs().len()],
            sizes,
        };
        for value in program.param_values() {
            accesses.push(graph.array(value));
        }
        graph.accesses = accesses;
        for (index, instr) in program.instrs().iter().enumerate() {
            graph.add(index, instr)?;
        }
        Ok(graph)
    }

    /// A whole array, in order.
    pub fn array(&self, value: Value) -> Access {
        Access { base: Base::Array(value), view: View::contiguous(self.sizes[value.index()]) }
    }

    pub fn access(&self, value: Value) -> &Access {
        &self.accesses[value.index()]
    }

    pub fn node(&self, index: u32) -> &Node {
        &self.nodes[index as usize]
    }

    pub fn instr(&self, node: &Node) -> &'a Instr {
        &self.program.instrs()[node.instr]
    }

    fn add(&mut self, index: usize, instr: &Instr) -> Result<()> {
        let access = self.view(index, instr)?;
        if let Some(Access { base: Base::Stored(operand), .. }) = access {
            self.store(operand);
        }
        if let Some(access) = access {
            self.accesses.push(access);
            let value = instr.result();
            if self.stored[value.index()] && is_generator(&instr.op) {
                self.add_copy(index, value);
            }
            return Ok(());
        }
        for value in instr.results() {
            let access = self.array(value);
            self.accesses.push(access);
        }
        let kind = match &instr.op {
            _ if !self.loops[index] => return Ok(()),
            Op::Reduce(reduce) => self.reduction(reduce, instr)?,
            // Without elements; others are views.
            Op::Reshape(_) | Op::TransposeAxes(_) | Op::Iota(_) | Op::BroadcastInDim(_) => return Ok(()),
            // A step, where it is no view.
            Op::Slice(_) | Op::Reverse(_) => return Ok(()),
            Op::Pad(_) | Op::Concatenate(_) if self.is_placed_well(instr) => Kind::Place,
            Op::Pad(_) | Op::Concatenate(_) => return Ok(()),
            _ => Kind::Map,
        };
        let size = self.sizes[if kind == Kind::Place { instr.result() } else { instr.operands[0] }.index()];
        if size == 0 {
            return Ok(());
        }
        let operand = |&v: &Value| match kind {
            // What is put at places is an array in memory; what lies around it is a number.
            Kind::Place if self.program.ty(v).rank() > 0 => Access { base: Base::Stored(v), ..self.array(v) },
            _ => self.access(v).clone(),
        };
        let operands: SmallVec<[Access; 3]> = instr.operands.iter().map(operand).collect();
        let chain = if kind == Kind::Map { self.chain(&instr.op, size, &operands) } else { None };
        let node = self.nodes.len() as u32;
        self.nodes.push(Node { instr: index, kind, size, operands, chain });
        self.node_at[index] = Some(node);
        for value in instr.results() {
            self.node_of[value.index()] = Some(node);
        }
        Ok(())
    }

    /// Adds the node that stores a view.
    pub fn add_copy(&mut self, index: usize, value: Value) -> u32 {
        let node = self.nodes.len() as u32;
        let operands = smallvec![self.access(value).clone()];
        let size = self.sizes[value.index()];
        self.nodes.push(Node { instr: index, kind: Kind::Copy, size, operands, chain: None });
        self.node_at[index] = Some(node);
        self.node_of[value.index()] = Some(node);
        node
    }

    /// How the result of a broadcast, an iota, a reshape, a transpose, a slice or a reverse is read; `None` for other ops.
    fn view(&self, index: usize, instr: &Instr) -> Result<Option<Access>> {
        let result = match &instr.op {
            Op::Slice(_) | Op::Reverse(_) => return self.window(index, instr),
            Op::Constant(constant) if constant.value.ty().rank() == 0 => {
                return Ok(Some(Access { base: Base::Splat(instr.result()), view: View::contiguous(1) }));
            }
            Op::Iota(_) | Op::BroadcastInDim(_) | Op::Reshape(_) | Op::TransposeAxes(_) => instr.result(),
            _ => return Ok(None),
        };
        if !self.loops[index] || self.sizes[result.index()] == 0 {
            return Ok(None);
        }
        let own = self.own_view(instr)?;
        let Some(&operand) = instr.operands.first() else {
            let dtype = self.program.ty(result).dtype();
            return Ok(Some(Access { base: Base::Iota(dtype), view: own }));
        };
        let access = self.access(operand);
        Ok(Some(match own.compose(&access.view) {
            Some(view) => Access { base: access.base, view },
            // The view's axes cannot be expressed over the operand's base: the operand is read from memory.
            None => Access { base: Base::Stored(operand), view: own },
        }))
    }

    /// How a slice without steps or a reverse is read: as a window of an array in memory. `None` where that does not go, or where
    /// the result is needed in memory.
    fn window(&self, index: usize, instr: &Instr) -> Result<Option<Access>> {
        let (result, operand) = (instr.result(), instr.operands[0]);
        if self.stored[result.index()]
            || self.sizes[result.index()] == 0
            || !self.loops[index]
            || !self.own_view(instr).is_ok_and(|view| view.reads_runs())
        {
            return Ok(None);
        }
        let access = self.access(operand);
        let base = match access.base {
            Base::Array(value) if self.node_of[value.index()].is_some() => Base::Stored(value),
            Base::Array(_) | Base::Stored(_) => access.base,
            Base::Splat(_) | Base::Iota(_) => return Ok(None),
        };
        let view = self.window_of(instr, &access.view).filter(|view| view.reads_runs());
        Ok(view.map(|view| Access { base, view }))
    }

    /// The axes along which a pad or a concatenation puts arrays.
    pub fn placed(&self, instr: &Instr) -> SmallVec<[PlacedAxis; 2]> {
        let dims = self.program.ty(instr.result()).dims();
        let extents = |v: Value| self.program.ty(v).dims();
        let mut placed = SmallVec::new();
        for (axis, &extent) in dims.iter().enumerate() {
            let cuts: SmallVec<[usize; 4]> = match &instr.op {
                Op::Pad(pad) if pad.low[axis] != 0 || pad.high[axis] != 0 => {
                    let start = pad.low[axis] as usize;
                    smallvec![start, start + extents(instr.operands[0])[axis]]
                }
                Op::Concatenate(op) if op.axis == axis => {
                    let ends = instr.operands.iter().scan(0, |end, &v| {
                        *end += extents(v)[axis];
                        Some(*end)
                    });
                    ends.collect()
                }
                _ => continue,
            };
            placed.push(PlacedAxis { axis, extent, inner: dims[axis + 1..].iter().product(), cuts });
        }
        placed
    }

    /// Whether kernels put the operands of a pad or a concatenation at their places as they read the result, which nobody needs
    /// in memory.
    fn is_placed_well(&self, instr: &Instr) -> bool {
        let is_array = |&v: &Value| self.program.ty(v).rank() > 0 && self.sizes[v.index()] > 0;
        let operands = match &instr.op {
            Op::Pad(_) if !matches!(self.access(instr.operands[1]).base, Base::Splat(_)) => return false,
            Op::Pad(_) => &instr.operands[..1],
            _ => &instr.operands[..],
        };
        let placed = self.placed(instr);
        operands.len() <= self.fusion.most_loads
            && !self.stored[instr.result().index()]
            && operands.iter().all(is_array)
            && (1..=2).contains(&placed.len())
            && cuts_well(&placed)
    }

    /// The part of `view`, of the operand's positions, that a slice or a reverse reads.
    fn window_of(&self, instr: &Instr, view: &View) -> Option<View> {
        let sizes = self.program.ty(instr.operands[0]).dims();
        match &instr.op {
            Op::Slice(slice) if slice.strides.iter().all(|&s| s == 1) => {
                let counts: SmallVec<[usize; 6]> =
                    slice.starts.iter().zip(&slice.limits).map(|(start, limit)| limit - start).collect();
                view.window(&sizes, &slice.starts, &counts, |_| false)
            }
            Op::Reverse(reverse) => {
                let starts: SmallVec<[usize; 6]> = smallvec![0; sizes.len()];
                view.window(&sizes, &starts, &sizes, |axis| reverse.axes.contains(&axis))
            }
            _ => None,
        }
    }

    /// Whether kernels read the instruction's result through a view, and no step makes it.
    pub fn is_view(&self, index: usize) -> bool {
        let instr = &self.program.instrs()[index];
        match &instr.op {
            Op::Constant(constant) => constant.value.ty().rank() == 0,
            Op::Reshape(_) | Op::TransposeAxes(_) => true,
            Op::Slice(_) | Op::Reverse(_) => self.access(instr.result()).base != Base::Array(instr.result()),
            // One without elements is a step that does nothing.
            op => is_generator(op) && self.loops[index] && self.sizes[instr.result().index()] > 0,
        }
    }

    /// Materialises `value`: marks it as stored, and gives a broadcast or an iota a node that stores it.
    fn store(&mut self, mut value: Value) {
        while !std::mem::replace(&mut self.stored[value.index()], true) {
            work::step(1);
            let Some(index) = self.definitions[value.index()] else { return };
            let instr = &self.program.instrs()[index];
            match &instr.op {
                _ if !self.loops[index] => return,
                Op::Reshape(_) | Op::TransposeAxes(_) => value = instr.operands[0],
                Op::Constant(_) => return,
                _ => {
                    if self.is_view(index) && self.node_at[index].is_none() {
                        self.add_copy(index, value);
                    }
                    return;
                }
            }
        }
    }

    /// The view that a broadcast, iota, reshape, transpose, slice or reverse makes of its operand.
    pub fn own_view(&self, instr: &Instr) -> Result<View> {
        let to = self.program.ty(instr.result()).dims();
        let from = match instr.operands.first() {
            Some(&operand) => self.program.ty(operand).dims(),
            None => SmallVec::new(),
        };
        let mut strides: SmallVec<[isize; 6]> = smallvec![1; from.len()];
        for axis in (1..from.len()).rev() {
            strides[axis - 1] = strides[axis] * from[axis] as isize;
        }
        let mut view = View::default();
        match &instr.op {
            Op::Iota(iota) => {
                for (axis, &extent) in to.iter().enumerate() {
                    view.push(extent, isize::from(axis == iota.axis));
                }
            }
            Op::BroadcastInDim(broadcast) => {
                for (axis, &extent) in to.iter().enumerate() {
                    let operand_axis = broadcast.axes.iter().position(|&a| a == axis);
                    let stride = operand_axis.filter(|&a| from[a] != 1).map_or(0, |a| strides[a]);
                    view.push(extent, stride);
                }
            }
            Op::TransposeAxes(transpose) => {
                for &axis in &transpose.permutation {
                    view.push(from[axis], strides[axis]);
                }
            }
            Op::Reshape(_) => view = View::contiguous(to.iter().product()),
            Op::Slice(_) | Op::Reverse(_) => {
                let whole = View::contiguous(from.iter().product());
                let window = self.window_of(instr, &whole);
                view = window.ok_or_else(|| Error::internal("a slice that is no window"))?;
            }
            op => return Err(Error::internal(format!("{} is no view", op.name()))),
        }
        Ok(view)
    }

    /// The form of a reduction.
    fn reduction(&self, reduce: &Reduce, instr: &Instr) -> Result<Kind> {
        let dims = self.program.ty(instr.operands[0]).dims();
        match reduction::form(&dims, &reduce.axes) {
            Some(Reduction::Row(extent)) => Ok(Kind::Row { extent }),
            Some(Reduction::Column(column)) => Ok(Kind::Column(column)),
            None => Err(Error::internal("a reduction that is in no form")),
        }
    }

    fn chain(&self, op: &Op, size: usize, operands: &[Access]) -> Option<Chain> {
        let mut nodes: SmallVec<[u32; 8]> = smallvec![self.nodes.len() as u32];
        let mut chain =
            Chain { weight: self.target.work(op), nodes: SmallVec::new(), leaves: SmallVec::new() };
        for access in operands {
            let (Base::Array(value) | Base::Stored(value)) = access.base else { continue };
            let inner = self.node_of[value.index()].filter(|_| !self.stored[value.index()]);
            match inner.and_then(|n| self.node(n).chain.as_ref()) {
                Some(inner) => {
                    for &node in inner.nodes.iter().filter(|n| !chain.nodes.contains(n)) {
                        nodes.push(node);
                        chain.weight += self.target.work(&self.instr(self.node(node)).op);
                    }
                    chain.nodes.extend(nodes[1 + chain.nodes.len()..].iter().copied());
                    let new = inner.leaves.iter().copied().filter(|v| !chain.leaves.contains(v));
                    let new: SmallVec<[Value; 4]> = new.collect();
                    chain.leaves.extend(new);
                }
                None if chain.leaves.contains(&value) => {}
                None => chain.leaves.push(value),
            }
            if chain.weight > self.fusion.cheap || nodes.len() > self.fusion.longest || chain.leaves.len() > 6
            {
                return None;
            }
        }
        chain.nodes = nodes;
        let large = chain.leaves.iter().filter(|v| self.sizes[v.index()].saturating_mul(8) >= size).count();
        (large <= 1).then_some(chain)
    }

    /// Whether a kernel that reads `value` through `view` recomputes it instead of loading it.
    ///
    /// A column kernel cannot contain the map that makes its reduced operand, so there a cheap value with one use
    /// is recomputed too.
    pub fn is_recomputed(&self, value: Value, view: &View, in_column: bool) -> bool {
        let node = self.node_of[value.index()].filter(|_| !self.stored[value.index()]);
        let Some(node) = node.map(|n| self.node(n)) else { return false };
        let Some(chain) = &node.chain else {
            let op = &self.instr(node).op;
            return in_column
                && node.kind == Kind::Map
                && self.uses[value.index()] == 1
                && self.target.work(op) <= self.fusion.trivial
                && self.sizes[value.index()] == view.len();
        };
        let repeated = self.sizes[value.index()] * 2 <= view.len() && !view.is_fixed_inside();
        // A product of few rows makes several rows of its right operand at a time, and what these share once; one of many goes through
        // the operand more than once.
        let shared =
            || self.multiplied[value.index()] && chain.nodes.iter().all(|&node| self.moves_bits(node));
        !repeated || chain.weight <= self.fusion.trivial || shared()
    }

    /// Whether the node makes integers whose bits are those of others, at other places.
    fn moves_bits(&self, node: u32) -> bool {
        use ElementwiseKind::{And, Or, ShiftLeft, ShiftRightLogical};
        let instr = self.instr(self.node(node));
        let is_integer = |&v: &Value| self.program.ty(v).dtype().is_integer();
        instr.operands.iter().all(is_integer)
            && match &instr.op {
                Op::Convert(convert) => convert.to.is_integer(),
                Op::Elementwise(op) => matches!(op.kind, And | Or | ShiftLeft | ShiftRightLogical),
                _ => false,
            }
    }
}

/// Whether the places cut a space into few boxes, in each of which memory is read in long runs.
pub fn cuts_well<'p>(placed: impl IntoIterator<Item = &'p PlacedAxis>) -> bool {
    const MOST_BOXES: usize = 16;
    const SHORTEST: usize = 16;
    let mut axes: SmallVec<[(usize, SmallVec<[usize; 8]>); 4]> = SmallVec::new();
    for PlacedAxis { extent, inner, cuts, .. } in placed {
        let known = axes.iter_mut().find(|(known, _)| known == inner);
        match known {
            Some((_, all)) => all.extend(cuts.iter().copied()),
            None => axes.push((*inner, cuts.iter().copied().chain([0, *extent]).collect())),
        }
    }
    let mut boxes = 1;
    axes.iter_mut().all(|(inner, cuts)| {
        cuts.sort_unstable();
        cuts.dedup();
        boxes *= cuts.len() - 1;
        boxes <= MOST_BOXES && cuts.windows(2).all(|pair| (pair[1] - pair[0]) * *inner >= SHORTEST)
    })
}

/// Whether the op repeats or makes up elements, so that storing its result needs a kernel.
fn is_generator(op: &Op) -> bool {
    matches!(op, Op::Iota(_) | Op::BroadcastInDim(_))
}

/// For each value what it is a reshape or a transpose of, or itself.
fn origins(program: &Program) -> Vec<Value> {
    let mut origins: Vec<Value> = program.param_values().collect();
    for instr in program.instrs() {
        match instr.op {
            Op::Reshape(_) | Op::TransposeAxes(_) => origins.push(origins[instr.operands[0].index()]),
            _ => origins.extend(instr.results()),
        }
    }
    origins
}

/// Whether opaque steps or results need a value in memory, through reshapes and transposes.
fn stored(program: &Program, loops: &[bool]) -> Vec<bool> {
    let mut stored = vec![false; program.value_count()];
    for result in program.results() {
        stored[result.index()] = true;
    }
    for (instr, in_loops) in program.instrs().iter().zip(loops).rev() {
        let needs = match instr.op {
            Op::Reshape(_) | Op::TransposeAxes(_) => stored[instr.result().index()],
            // Windows are of arrays in memory, and so is what is put at a place.
            Op::Slice(_) | Op::Reverse(_) | Op::Pad(_) | Op::Concatenate(_) => true,
            _ => false,
        };
        if !in_loops || needs {
            for operand in &instr.operands {
                stored[operand.index()] = true;
            }
        }
    }
    stored
}

/// Whether nothing but right operands of products of so many rows at most is computed of a value, by elementwise work and views.
fn multiplied(program: &Program, loops: &[bool], most: usize) -> Vec<bool> {
    let (mut all, mut some) = (vec![true; program.value_count()], vec![false; program.value_count()]);
    program.results().iter().for_each(|result| all[result.index()] = false);
    for (instr, in_loops) in program.instrs().iter().zip(loops).rev() {
        let few = rows(program, instr).is_some_and(|rows| rows <= most);
        let passes = *in_loops && !matches!(instr.op, Op::Reduce(_));
        let passes = passes && instr.results().all(|result| all[result.index()] && some[result.index()]);
        for (side, operand) in instr.operands.iter().enumerate() {
            all[operand.index()] &= passes || few && side == 1;
            some[operand.index()] = true;
        }
    }
    all.iter().zip(some).map(|(&all, some)| all && some).collect()
}

/// The rows of the left operand of a product, for each matrix of groups of rows on average; `None` for other steps.
fn rows(program: &Program, instr: &Instr) -> Option<usize> {
    match &instr.op {
        Op::DotGeneral(dot) => {
            let left = program.ty(instr.operands[0]);
            Some(dot.lhs_free(left.rank()).iter().map(|&axis| left.dim(axis)).product())
        }
        Op::RaggedDot(_) => {
            let [left, right] = [0, 1].map(|side| program.ty(instr.operands[side]));
            left.dims().first()?.checked_div(*right.dims().first()?)
        }
        Op::Kernel(kernel) if kernel.form == KernelForm::Contract => {
            kernel.body.instrs().iter().find_map(|inner| rows(&kernel.body, inner))
        }
        _ => None,
    }
}

/// Whether the target's kernels compute, or read through, each instruction. A reduction over axes that lie anyhow is in a form for
/// kernels only after `canonicalize`.
fn loops(program: &Program, target: &dyn Target) -> Vec<bool> {
    let types = |values: &[Value]| values.iter().map(|&v| program.ty(v)).collect::<SmallVec<[Type; 4]>>();
    let asked = |instr: &Instr| {
        let results: SmallVec<[Value; 4]> = instr.results().collect();
        let formed = match &instr.op {
            Op::Reduce(reduce) => {
                reduction::form(&program.ty(instr.operands[0]).dims(), &reduce.axes).is_some()
            }
            _ => true,
        };
        formed && target.loops(&instr.op, &types(&instr.operands), &types(&results))
    };
    program.instrs().iter().map(asked).collect()
}

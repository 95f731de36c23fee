//! Which nodes share a kernel.
//!
//! Every unit, a group of nodes or an opaque step, has a position in one order, after all units it reads from. A node
//! joins a group only where that order can be kept: the units it reads must lie before the units that read the group.
//! So no cycle can arise, and none has to be searched for.
//!
//! All nodes of a group walk one iteration space in row-major order. A node is `Full`, one element per position, or
//! `Part`, one per reduced row or column. A node reads an array from outside as a view over the space; the boundaries
//! between the axes of all views cut the space into the axes of the kernel.

use std::collections::BTreeSet;

use jarrah_base::{Dims, Error, Result, work};
use jarrah_hlo::{Op, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};

use super::graph::{Access, Base, Graph, Kind, Node, PlacedAxis, cuts_well};
use crate::reduction::Column;
use crate::view::{View, Window};

/// The most axes of a kernel that reads windows.
const MOST_AXES: usize = 6;
/// The most ways of reading arrays that are followed to see whether a node fits in a group.
const MOST_READS: usize = 512;
pub type UnitId = usize;

/// Whether a node's result has an element per position of the space or per reduced row or column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    Full,
    Part,
}

/// A group or an opaque step, with its position in the order.
pub struct Unit {
    pub position: u64,
    pub step: Step,
    /// The units that it reads.
    before: FxHashSet<UnitId>,
    /// The units that read it, by their position.
    after: BTreeSet<(u64, UnitId)>,
    merged_into: Option<UnitId>,
}

pub enum Step {
    /// The opaque step that is the instruction with this index.
    Opaque(usize),
    Group(Box<Group>),
}

/// Nodes that share a kernel.
#[derive(Clone, Default)]
pub struct Group {
    /// The number of positions of the space.
    pub size: usize,
    pub form: Form,
    /// The boundaries between axes, as the number of positions inside each; increasing, each divides the next.
    pub cuts: SmallVec<[usize; 6]>,
    pub nodes: Vec<(u32, Class)>,
    loads: SmallVec<[(Value, View); 8]>,
    /// The pads and concatenations among the nodes.
    places: SmallVec<[u32; 4]>,
    has_full: bool,
    /// Whether a load is a window: then the kernel is one block, of which its body takes parts.
    pub has_windows: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Form {
    /// No reduction yet.
    #[default]
    Map,
    /// Rows of this length are reduced.
    Row(usize),
    Column(Column),
}

impl Group {
    pub fn is_column(&self) -> bool {
        matches!(self.form, Form::Column(_))
    }

    /// The extents of the axes of the space, outermost first.
    pub fn dims(&self) -> Dims {
        let mut boundaries: Dims = self.cuts.iter().rev().copied().collect();
        let innermost = match self.form {
            Form::Row(extent) => extent,
            Form::Column(c) => c.inner,
            Form::Map => self.cuts.first().copied().unwrap_or(self.size),
        };
        // A row of one element is no axis, so its boundary, one position, is added here.
        if innermost == 1 {
            boundaries.push(1);
        }
        let mut dims = Dims::new();
        let mut outside = self.size;
        for boundary in boundaries {
            dims.push(outside / boundary);
            outside = boundary;
        }
        dims.push(outside);
        dims.retain(|d| *d > 1);
        dims
    }

    /// The view of a value of that class over the space.
    pub fn class_view(&self, class: Class) -> View {
        let mut view = View::default();
        match (class, self.form) {
            (Class::Full, _) | (_, Form::Map) => view.push(self.size, 1),
            (Class::Part, Form::Row(extent)) => {
                view.push(self.size / extent, 1);
                view.push(extent, 0);
            }
            (Class::Part, Form::Column(c)) => {
                view.push(c.outer, c.inner as isize);
                view.push(c.reduced, 0);
                view.push(c.inner, 1);
            }
        }
        view
    }
}

/// The units, and which nodes and instructions they hold.
pub struct Grouping<'a> {
    pub graph: Graph<'a>,
    pub units: Vec<Unit>,
    /// The unit of each node.
    unit_of_node: Vec<UnitId>,
    class_of_node: Vec<Class>,
    /// The unit of each opaque step, by instruction.
    unit_at: Vec<Option<UnitId>>,
    /// The last four groups that load an array.
    readers: FxHashMap<Value, SmallVec<[UnitId; 4]>>,
    clock: u64,
}

/// How a group would look with one more node.
struct Plan {
    group: Group,
    class: Class,
    position: u64,
}

pub fn group(graph: Graph<'_>) -> Result<Grouping<'_>> {
    let count = graph.program.instrs().len();
    let mut g = Grouping {
        units: Vec::new(),
        unit_of_node: Vec::new(),
        class_of_node: Vec::new(),
        unit_at: vec![None; count],
        readers: FxHashMap::default(),
        clock: 0,
        graph,
    };
    for index in 0..count {
        g.clock = (index as u64 + 1) << 32;
        if let Some(node) = g.graph.node_at[index] {
            g.place(node)?;
        } else if !g.graph.is_view(index) {
            g.place_opaque(index);
        }
    }
    Ok(g)
}

impl<'a> Grouping<'a> {
    /// The unit that `unit` was merged into, or `unit`.
    pub fn find(&self, mut unit: UnitId) -> UnitId {
        while let Some(into) = self.units[unit].merged_into {
            work::step(1);
            unit = into;
        }
        unit
    }

    pub fn is_live(&self, unit: UnitId) -> bool {
        self.units[unit].merged_into.is_none()
    }

    /// The unit after which `value` can be read; `None` for parameters and constants.
    pub fn home(&self, mut value: Value) -> Option<UnitId> {
        loop {
            value = self.graph.origins[value.index()];
            if let Some(node) = self.graph.node_of[value.index()] {
                return Some(self.find(self.unit_of_node[node as usize]));
            }
            let index = self.graph.definitions[value.index()]?;
            if let Some(unit) = self.unit_at[index] {
                return Some(unit);
            }
            value = *self.graph.program.instrs()[index].operands.first()?;
        }
    }

    fn tick(&mut self) -> u64 {
        self.clock += 1;
        self.clock
    }

    fn add_unit(&mut self, step: Step, position: u64) -> UnitId {
        self.units.push(Unit {
            position,
            step,
            before: FxHashSet::default(),
            after: BTreeSet::new(),
            merged_into: None,
        });
        self.units.len() - 1
    }

    fn order(&mut self, before: UnitId, after: UnitId) {
        if before != after && self.units[after].before.insert(before) {
            let position = self.units[after].position;
            self.units[before].after.insert((position, after));
        }
    }

    /// Moves a unit, also in the lists of those that it reads.
    fn set_position(&mut self, unit: UnitId, position: u64) {
        let old = std::mem::replace(&mut self.units[unit].position, position);
        if old == position {
            return;
        }
        let before: SmallVec<[UnitId; 8]> = self.units[unit].before.iter().copied().collect();
        work::step(before.len());
        for before in before {
            let after = &mut self.units[before].after;
            after.remove(&(old, unit));
            after.insert((position, unit));
        }
    }

    fn place_opaque(&mut self, index: usize) {
        let position = self.tick();
        let unit = self.add_unit(Step::Opaque(index), position);
        self.unit_at[index] = Some(unit);
        let program = self.graph.program;
        for &operand in &program.instrs()[index].operands {
            if let Some(home) = self.home(operand) {
                self.order(home, unit);
            }
        }
    }

    /// The least position of a reader of `unit`, which `unit` has to stay below.
    fn limit(&self, unit: UnitId, except: UnitId) -> u64 {
        let mut readers = self.units[unit].after.iter();
        readers.find(|(_, u)| *u != except).map_or(u64::MAX, |(position, _)| *position)
    }

    pub fn group_of(&self, unit: UnitId) -> Option<&Group> {
        match &self.units[unit].step {
            Step::Group(group) => Some(group),
            Step::Opaque(_) => None,
        }
    }

    /// The instruction of a pad or a concatenation that no kernel reads as it goes: a step by itself.
    pub fn lone_place(&self, group: &Group) -> Option<usize> {
        match group.nodes[..] {
            [(node, _)] if self.graph.node(node).kind == Kind::Place => Some(self.graph.node(node).instr),
            _ => None,
        }
    }

    pub fn class_of(&self, node: u32) -> Class {
        self.class_of_node[node as usize]
    }

    fn place(&mut self, node: u32) -> Result<()> {
        let empty = Group::default();
        let mut fresh = self.plan(None, &empty, node);
        if fresh.is_none() {
            self.read_directly(node)?;
            fresh = self.plan(None, &empty, node);
        }
        let Some(fresh) = fresh else {
            return Err(Error::internal("an op that fits in no kernel").op(self
                .graph
                .instr(self.graph.node(node))
                .op
                .name()));
        };
        // Groups that make a value which cannot be recomputed come first. Among those, the latest: an earlier one
        // is more likely to have readers already.
        let mut homes: SmallVec<[(bool, u64, UnitId); 4]> = SmallVec::new();
        for access in &self.graph.node(node).operands {
            let (Base::Array(value) | Base::Stored(value)) = access.base else { continue };
            if self.graph.node_of[value.index()].is_none() {
                continue;
            }
            let Some(home) = self.home(value) else { continue };
            let kept = !self.graph.is_recomputed(value, &access.view, false);
            match homes.iter_mut().find(|(_, _, h)| *h == home) {
                Some(known) => known.0 |= kept,
                None => homes.push((kept, self.units[home].position, home)),
            }
        }
        homes.sort_unstable_by(|a, b| b.cmp(a));
        let mut joined: Option<UnitId> = None;
        for &(_, _, home) in &homes {
            joined = match joined {
                None => self.join(home, node),
                Some(unit) => Some(self.merge(unit, home).unwrap_or(unit)),
            };
        }
        if joined.is_none() {
            joined = self.join_sibling(node, &fresh);
        }
        if joined.is_none() {
            let unit = self.add_unit(Step::Group(Box::default()), 0);
            self.commit(unit, node, fresh);
        }
        Ok(())
    }

    /// Joins a group with the same space that loads one of the same arrays through the same view.
    fn join_sibling(&mut self, node: u32, fresh: &Plan) -> Option<UnitId> {
        let size = fresh.group.size;
        let mut tried: SmallVec<[UnitId; 8]> = SmallVec::new();
        for (value, view) in &fresh.group.loads {
            if view.len() != self.graph.sizes[value.index()] {
                continue;
            }
            let readers = self.readers.get(value).cloned().unwrap_or_default();
            for reader in readers.into_iter().rev() {
                let unit = self.find(reader);
                let alike = self
                    .group_of(unit)
                    .is_some_and(|g| g.size == size && g.is_column() == fresh.group.is_column());
                if !alike || tried.contains(&unit) {
                    continue;
                }
                tried.push(unit);
                if let Some(unit) = self.join(unit, node) {
                    return Some(unit);
                }
            }
        }
        None
    }

    fn join(&mut self, unit: UnitId, node: u32) -> Option<UnitId> {
        let Step::Group(group) = &self.units[unit].step else { return None };
        let plan = self.plan(Some(unit), group, node)?;
        self.commit(unit, node, plan);
        Some(unit)
    }

    fn commit(&mut self, unit: UnitId, node: u32, plan: Plan) {
        let Plan { mut group, class, position } = plan;
        group.nodes.push((node, class));
        let position = if position == u64::MAX { self.tick() } else { position };
        while self.unit_of_node.len() <= node as usize {
            self.unit_of_node.push(UnitId::MAX);
            self.class_of_node.push(Class::Full);
        }
        self.unit_of_node[node as usize] = unit;
        self.class_of_node[node as usize] = class;
        let loads = group.loads.clone();
        let placed: SmallVec<[Value; 4]> = self.placed(&group).collect();
        self.set_position(unit, position);
        self.units[unit].step = Step::Group(Box::new(group));
        for home in placed.iter().filter_map(|&v| self.home(v)).collect::<SmallVec<[UnitId; 4]>>() {
            self.order(home, unit);
        }
        for (value, _) in loads {
            if let Some(home) = self.home(value) {
                self.order(home, unit);
            }
            let readers = self.readers.entry(value).or_default();
            if !readers.contains(&unit) {
                if readers.len() == 4 {
                    readers.remove(0);
                }
                readers.push(unit);
            }
        }
    }

    /// `group` with one more node; `None` if the node does not fit. A position of `u64::MAX` is the latest.
    fn plan(&self, unit: Option<UnitId>, group: &Group, index: u32) -> Option<Plan> {
        work::step(1);
        let node = self.graph.node(index);
        let mut new = group.clone();
        let class = self.class(&mut new, node)?;
        if new.nodes.len() >= self.graph.fusion.most_nodes {
            return None;
        }
        new.has_full |= class == Class::Full;
        if let Form::Row(extent) = new.form
            && new.has_full
            && new.size > self.graph.fusion.large
            && new.size / extent < self.graph.fusion.few_rows
        {
            return None;
        }
        let of_class =
            new.class_view(if matches!(node.kind, Kind::Map | Kind::Copy) { class } else { Class::Full });
        if node.kind == Kind::Place {
            for placed in self.graph.placed(self.graph.instr(node)) {
                add_cut(&mut new.cuts, placed.inner, new.size);
                add_cut(&mut new.cuts, placed.inner * placed.extent, new.size);
            }
            new.places.push(index);
        } else {
            let mut seen = FxHashSet::default();
            for access in &node.operands {
                let view = of_class.compose(&access.view)?;
                self.reads(unit, &mut new, access.base, view, &mut seen)?;
            }
        }
        let loads = new.loads.len() + self.placed(&new).count();
        if !aligned(&new)
            || loads > self.graph.fusion.most_loads
            || !self.places_well(&new, |home| Some(home) == unit)
            || !self.reads_windows(&mut new)
        {
            return None;
        }
        let position = match unit {
            None => u64::MAX,
            Some(unit) => {
                let limit = self.limit(unit, unit);
                let read = new.loads.iter().map(|(v, _)| *v).chain(self.placed(&new));
                let homes = read.filter_map(|v| self.home(v)).filter(|&h| h != unit);
                let ready = homes.map(|h| self.units[h].position).max().unwrap_or(0);
                position_between(self.units[unit].position, ready, limit)?
            }
        };
        Some(Plan { group: new, class, position })
    }

    /// The class the node would have; also sets the size of an empty group, and the form at its first reduction.
    fn class(&self, group: &mut Group, node: &Node) -> Option<Class> {
        let empty = group.nodes.is_empty();
        if empty {
            group.size = node.size;
        }
        match node.kind {
            Kind::Map | Kind::Copy => match group.form {
                Form::Map | Form::Row(_) if node.size == group.size => Some(Class::Full),
                Form::Row(extent) if node.size == group.size / extent => Some(Class::Part),
                Form::Column(c) if node.size == c.outer * c.inner => Some(Class::Part),
                _ => None,
            },
            Kind::Place => (node.size == group.size && !group.is_column()).then_some(Class::Full),
            Kind::Row { extent } => {
                if node.size != group.size || !(group.form == Form::Map || group.form == Form::Row(extent)) {
                    return None;
                }
                group.form = Form::Row(extent);
                add_cut(&mut group.cuts, extent, group.size);
                Some(Class::Part)
            }
            Kind::Column(column) => {
                if !(empty || group.form == Form::Column(column)) {
                    return None;
                }
                group.form = Form::Column(column);
                add_cut(&mut group.cuts, column.inner, group.size);
                add_cut(&mut group.cuts, column.inner * column.reduced, group.size);
                Some(Class::Part)
            }
        }
    }

    /// Adds the loads and cuts that reading `base` through `view` needs; `None` if the group cannot. The values that
    /// were computed again through the same views before are in `seen`.
    fn reads(
        &self,
        unit: Option<UnitId>,
        group: &mut Group,
        base: Base,
        view: View,
        seen: &mut FxHashSet<(Base, View)>,
    ) -> Option<()> {
        work::step(1);
        let value = match base {
            Base::Splat(_) => return Some(()),
            Base::Iota(_) => {
                add_cuts(group, &view);
                return Some(());
            }
            Base::Array(value) | Base::Stored(value) => value,
        };
        let home = self.home(value);
        if let (Some(node), true) = (self.graph.node_of[value.index()], home.is_some() && home == unit) {
            return (view == group.class_view(self.class_of(node))).then_some(());
        }
        if base == Base::Array(value) && self.graph.is_recomputed(value, &view, group.is_column()) {
            if !seen.insert((base, view.clone())) {
                return Some(());
            }
            if seen.len() > MOST_READS {
                return None;
            }
            let node = self.graph.node(self.graph.node_of[value.index()]?);
            for access in &node.operands {
                self.reads(unit, group, access.base, view.compose(&access.view)?, seen)?;
            }
            return Some(());
        }
        if home.is_some() && home == unit || !loads_well(group, &view) {
            return None;
        }
        add_cuts(group, &view);
        if !group.loads.iter().any(|(v, w)| *v == value && *w == view) {
            group.loads.push((value, view));
        }
        Some(())
    }

    /// The arrays that the pads and concatenations of a group put at places.
    fn placed<'s>(&'s self, group: &'s Group) -> impl Iterator<Item = Value> + 's {
        let accesses = group.places.iter().flat_map(|&node| &self.graph.node(node).operands);
        accesses.filter_map(|access| match access.base {
            Base::Array(value) | Base::Stored(value) => Some(value),
            Base::Splat(_) | Base::Iota(_) => None,
        })
    }

    /// Whether the pads and concatenations of a group cut its space well: along whole axes that are not folded. What they put at
    /// places comes from units that are not `inside`.
    fn places_well(&self, group: &Group, inside: impl Fn(UnitId) -> bool) -> bool {
        if group.places.is_empty() {
            return true;
        }
        let instrs = group.places.iter().map(|&node| self.graph.instr(self.graph.node(node)));
        let placed: SmallVec<[PlacedAxis; 4]> = instrs.flat_map(|instr| self.graph.placed(instr)).collect();
        let is_whole =
            |p: &PlacedAxis| group.cuts.iter().all(|&cut| cut <= p.inner || cut >= p.inner * p.extent);
        let is_kept = |p: &PlacedAxis| match group.form {
            Form::Map => true,
            Form::Row(extent) => p.inner >= extent,
            Form::Column(_) => false,
        };
        placed.iter().all(|p| is_whole(p) && is_kept(p))
            && cuts_well(&placed)
            && !self.placed(group).any(|v| self.home(v).is_some_and(&inside))
    }

    /// Notes whether the group loads windows; `false` if its space has no axes for them.
    fn reads_windows(&self, group: &mut Group) -> bool {
        let graph = &self.graph;
        let mut loads = group.loads.iter();
        group.has_windows =
            !group.places.is_empty() || loads.any(|(v, view)| !view.is_whole(graph.sizes[v.index()]));
        if !group.has_windows {
            return true;
        }
        let dims = group.dims();
        group.form != Form::Row(1)
            && dims.len() <= MOST_AXES
            && group.loads.iter().all(|(v, view)| Window::of(view, &dims, graph.sizes[v.index()]).is_some())
    }

    /// Merges two groups; `None` if they do not fit.
    fn merge(&mut self, a: UnitId, b: UnitId) -> Option<UnitId> {
        if a == b {
            return Some(a);
        }
        let (ga, gb) = (self.group_of(a)?, self.group_of(b)?);
        let form = match (ga.form, gb.form) {
            (x, y) if x == y => x,
            (Form::Map, Form::Row(e)) | (Form::Row(e), Form::Map) => Form::Row(e),
            _ => return None,
        };
        if ga.size != gb.size || ga.nodes.len() + gb.nodes.len() > self.graph.fusion.most_nodes {
            return None;
        }
        let mut new = ga.clone();
        new.form = form;
        new.has_full |= gb.has_full;
        if let Form::Row(extent) = form
            && new.has_full
            && new.size > self.graph.fusion.large
            && new.size / extent < self.graph.fusion.few_rows
        {
            return None;
        }
        new.nodes.extend(gb.nodes.iter().copied());
        new.places.extend(gb.places.iter().copied());
        for &cut in &gb.cuts {
            add_cut(&mut new.cuts, cut, new.size);
        }
        new.loads.clear();
        for (value, view) in ga.loads.iter().chain(&gb.loads) {
            let home = self.home(*value);
            if home == Some(a) || home == Some(b) {
                let node = self.graph.node_of[value.index()]?;
                if *view != new.class_view(self.class_of(node)) {
                    return None;
                }
            } else if !new.loads.iter().any(|(v, w)| v == value && w == view) {
                new.loads.push((*value, view.clone()));
            }
        }
        if new.loads.len() + self.placed(&new).count() > self.graph.fusion.most_loads
            || !aligned(&new)
            || !self.places_well(&new, |home| home == a || home == b)
            || !new.loads.iter().all(|(_, v)| loads_well(&new, v))
            || !self.reads_windows(&mut new)
        {
            return None;
        }
        let limit = self.limit(a, b).min(self.limit(b, a));
        let before = self.units[a].before.iter().chain(&self.units[b].before).filter(|&&u| u != a && u != b);
        let ready = before.map(|&u| self.units[u].position).max().unwrap_or(0);
        let latest = self.units[a].position.max(self.units[b].position);
        let position =
            if latest < limit && latest > ready { latest } else { position_between(0, ready, limit)? };
        self.units[a].before.remove(&b);
        let reader = (self.units[b].position, b);
        self.units[a].after.remove(&reader);
        let moved = std::mem::replace(
            &mut self.units[b],
            Unit {
                position: 0,
                step: Step::Group(Box::default()),
                before: FxHashSet::default(),
                after: BTreeSet::new(),
                merged_into: Some(a),
            },
        );
        work::step(moved.before.len() + moved.after.len());
        for before in moved.before.into_iter().filter(|&u| u != a) {
            self.units[before].after.remove(&(moved.position, b));
            self.order(before, a);
        }
        for (position, after) in moved.after.into_iter().filter(|(_, u)| *u != a) {
            self.units[after].before.remove(&b);
            self.units[after].before.insert(a);
            self.units[a].after.insert((position, after));
        }
        self.set_position(a, position);
        self.units[a].step = Step::Group(Box::new(new));
        Some(a)
    }

    /// Makes a node load its operands from memory instead of through views.
    fn read_directly(&mut self, node: u32) -> Result<()> {
        let instr = self.graph.instr(self.graph.node(node));
        if self.graph.node(node).kind == Kind::Copy {
            // The broadcast's operand is stored, and read through that one broadcast.
            if let Some(&operand) = instr.operands.first() {
                self.store(operand)?;
                let view = self.graph.own_view(instr)?;
                self.graph.nodes[node as usize].operands =
                    smallvec![Access { base: Base::Stored(operand), view }];
            }
            return Ok(());
        }
        for (i, &operand) in instr.operands.iter().enumerate() {
            if matches!(self.graph.access(operand).base, Base::Splat(_)) {
                continue;
            }
            self.store(operand)?;
            let access = Access { base: Base::Stored(operand), ..self.graph.array(operand) };
            self.graph.nodes[node as usize].operands[i] = access;
        }
        Ok(())
    }

    /// Materialises `value`, so that it can be loaded from memory.
    fn store(&mut self, value: Value) -> Result<()> {
        let value = self.graph.origins[value.index()];
        let Some(index) = self.graph.definitions[value.index()] else { return Ok(()) };
        let instr = &self.graph.program.instrs()[index];
        if self.graph.node_of[value.index()].is_some() || !self.graph.is_view(index) {
            return Ok(());
        }
        match &instr.op {
            Op::Constant(_) => Ok(()),
            _ => {
                let node = self.graph.add_copy(index, value);
                self.place(node)
            }
        }
    }
}

/// `current` if it lies above `ready` and below `limit`, else the position after `ready`; `u64::MAX` stands for the
/// latest.
fn position_between(current: u64, ready: u64, limit: u64) -> Option<u64> {
    if limit == u64::MAX {
        return Some(u64::MAX);
    }
    let position = if ready < current { current } else { ready + 1 };
    (position < limit).then_some(position)
}

fn add_cut(cuts: &mut SmallVec<[usize; 6]>, cut: usize, size: usize) {
    if cut <= 1 || cut >= size {
        return;
    }
    if let Err(place) = cuts.binary_search(&cut) {
        cuts.insert(place, cut);
    }
}

fn add_cuts(group: &mut Group, view: &View) {
    for cut in view.cuts() {
        add_cut(&mut group.cuts, cut, group.size);
    }
}

/// Whether each cut divides the next, and no cut splits a row or the inner axes of a column form.
fn aligned(group: &Group) -> bool {
    let divide = group.cuts.windows(2).all(|w| w[1] % w[0] == 0);
    divide
        && match group.form {
            Form::Map => true,
            Form::Row(extent) => group.cuts.iter().all(|&cut| cut >= extent),
            Form::Column(c) => group.cuts.iter().all(|&cut| cut == c.inner || cut >= c.inner * c.reduced),
        }
}

/// Whether a load reads memory in runs and, for a column form, `inner` lies inside `reduced` in memory.
fn loads_well(group: &Group, view: &View) -> bool {
    if !view.reads_runs() {
        return false;
    }
    let Form::Column(c) = group.form else { return true };
    let Some(axes) = view.refine(&[c.outer, c.reduced, c.inner]) else { return false };
    match (axes[1].entries(), axes[2].entries()) {
        ([(_, outer)], [(_, inner)]) => *outer == 0 || *inner == 0 || outer.abs() > inner.abs(),
        _ => false,
    }
}

use jarrah_base::{Type, work};
use jarrah_hlo::{Program, ResidualClass, Value};

/// The values to keep so that those in `wanted` can be computed again from them: as few bytes as possible, and among
/// equals those closest to `wanted`, so that little is computed twice.
///
/// This is a minimum cut. Each value is an edge whose capacity is its size. Flow comes from the parameters and from
/// what is not worth computing again, passes from operands to results of what is, and ends in the wanted values.
/// Constants get no flow and are never kept. With `free_params` a parameter costs nothing to keep, for it lives anyway.
///
/// Takes work in proportion to the program. The few programs for which a minimum takes longer to find (grids of values of
/// random sizes) get a cut that may keep more.
pub(crate) fn keep(program: &Program, wanted: &[Value], free_params: bool) -> Vec<Value> {
    let definitions = program.definitions();
    let again = |v: Value| {
        let instr = &program.instrs()[definitions[v.index()]?];
        let cheap = instr.op.residual_class() == ResidualClass::Recompute || instr.operands.is_empty();
        (cheap && instr.op.effects().may_duplicate()).then_some(instr)
    };
    let mut graph = Graph::new(2 * program.value_count() + 2);
    let (source, sink) = (2 * program.value_count(), 2 * program.value_count() + 1);
    let (enter, leave) = (|v: Value| 2 * v.index(), |v: Value| 2 * v.index() + 1);
    let mut seen = vec![false; program.value_count()];
    let mut open: Vec<Value> = Vec::new();
    for &v in wanted {
        graph.edge(leave(v), sink, UNBOUNDED);
        if !std::mem::replace(&mut seen[v.index()], true) {
            open.push(v);
        }
    }
    while let Some(v) = open.pop() {
        let is_param = definitions[v.index()].is_none();
        graph.edge(enter(v), leave(v), if is_param && free_params { 1 } else { size(program.ty(v)) });
        let Some(instr) = again(v) else {
            graph.edge(source, enter(v), UNBOUNDED);
            continue;
        };
        for &operand in &instr.operands {
            graph.edge(leave(operand), enter(v), UNBOUNDED);
            if !std::mem::replace(&mut seen[operand.index()], true) {
                open.push(operand);
            }
        }
    }
    let below = graph.below_the_cut(source, sink);
    let all = (0..program.value_count()).filter(|&i| !below[2 * i] && below[2 * i + 1]);
    let values: Vec<Value> = values(program);
    all.map(|i| values[i]).collect()
}

/// All values, by their position.
fn values(program: &Program) -> Vec<Value> {
    program.param_values().chain(program.instrs().iter().flat_map(|i| i.results())).collect()
}

/// The bytes of a value; at least one, so that the cut passes on no value for nothing.
fn size(ty: Type) -> u64 {
    ty.bytes().map_or(UNBOUNDED, |bytes| bytes.max(1) as u64)
}

const UNBOUNDED: u64 = u64::MAX / 4;

/// How often flow is sent before a cut that is not the minimum will do.
const MOST_WAVES: usize = 64;

/// The distance of nodes from which the sink cannot be reached.
const UNREACHED: usize = usize::MAX;

/// A flow network; the edges `2 i` and `2 i + 1` are each other's reverse.
struct Graph {
    edges: Vec<Edge>,
    from: Vec<Vec<usize>>,
}

struct Edge {
    to: usize,
    capacity: u64,
}

/// How far nodes are from the sink.
struct Distances {
    of: Vec<usize>,
    /// The nodes from which the sink can be reached, nearest first; the sink is the first.
    order: Vec<usize>,
}

impl Graph {
    fn new(nodes: usize) -> Self {
        Graph { edges: Vec::new(), from: vec![Vec::new(); nodes] }
    }

    fn edge(&mut self, from: usize, to: usize, capacity: u64) {
        self.from[from].push(self.edges.len());
        self.edges.push(Edge { to, capacity });
        self.from[to].push(self.edges.len());
        self.edges.push(Edge { to: from, capacity: 0 });
    }

    /// Cuts `sink` off from `source`, as near to `sink` as a minimum cut can be; returns which nodes are on its side.
    ///
    /// Flow is sent in waves, each along the edges that lead one step nearer to the sink, until the sink is out of reach. Paths
    /// of all lengths carry flow in one wave, so that a chain which takes one more value at each step needs one.
    fn below_the_cut(&mut self, source: usize, sink: usize) -> Vec<bool> {
        let mut distances = self.distances(sink);
        for _ in 0..MOST_WAVES {
            if distances.of[source] == UNREACHED {
                break;
            }
            self.wave(source, sink, &distances);
            distances = self.distances(sink);
        }
        let last = match distances.of[source] {
            UNREACHED => UNREACHED - 1,
            most => self.cheapest_level(most, &distances),
        };
        distances.of.iter().map(|&distance| distance <= last).collect()
    }

    /// The distance of each node to `sink` along edges with capacity.
    fn distances(&self, sink: usize) -> Distances {
        let mut of = vec![UNREACHED; self.from.len()];
        of[sink] = 0;
        let mut order = vec![sink];
        let mut next = 0;
        while let Some(&node) = order.get(next) {
            next += 1;
            work::step(1);
            for &e in &self.from[node] {
                let from = self.edges[e].to;
                if self.edges[e ^ 1].capacity > 0 && of[from] == UNREACHED {
                    of[from] = of[node] + 1;
                    order.push(from);
                }
            }
        }
        Distances { of, order }
    }

    /// Sends flow from `source` to `sink` along edges that lead one step nearer. Nodes pass on what they get, the farthest
    /// first; what one cannot pass on goes back the way it came.
    fn wave(&mut self, source: usize, sink: usize, Distances { of, order }: &Distances) {
        let nearer = |from: usize, to: usize| of[to] != UNREACHED && of[to] + 1 == of[from];
        let others = || order.iter().copied().filter(|&node| node != source && node != sink);
        // A bound on what each node can pass on: its edges' capacities, and what the nodes behind them can.
        let mut room = vec![0u64; self.from.len()];
        room[sink] = UNBOUNDED;
        for node in others() {
            work::step(1);
            let edges = self.from[node].iter().map(|&e| &self.edges[e]).filter(|e| nearer(node, e.to));
            let sum = edges.fold(0, |sum: u64, e| sum.saturating_add(e.capacity.min(room[e.to])));
            room[node] = sum.min(UNBOUNDED);
        }
        let mut held = vec![0u64; self.from.len()];
        let mut sent = vec![0u64; self.edges.len()];
        held[source] = u64::MAX;
        for node in std::iter::once(source).chain(others().rev()) {
            work::step(1);
            for &e in &self.from[node] {
                let Edge { to, capacity } = self.edges[e];
                // The source gives to every node that has room, however far it is.
                if node != source && !nearer(node, to) {
                    continue;
                }
                let amount = capacity.min(room[to]).min(held[node]);
                self.edges[e].capacity -= amount;
                self.edges[e ^ 1].capacity += amount;
                sent[e] += amount;
                held[node] -= amount;
                if to != sink {
                    held[to] += amount;
                    room[to] -= amount;
                }
            }
        }
        for node in others() {
            work::step(1);
            for &e in &self.from[node] {
                let back = held[node].min(sent[e ^ 1]);
                if back > 0 {
                    self.edges[e ^ 1].capacity += back;
                    self.edges[e].capacity -= back;
                    held[node] -= back;
                    held[self.edges[e].to] = held[self.edges[e].to].saturating_add(back);
                }
            }
        }
    }

    /// The distance below that of the source, `source`, at which a cut costs least.
    ///
    /// Edges of values lead from nodes at even distances to nodes at odd ones, and edges without a bound the other way: these
    /// cross no odd distance.
    fn cheapest_level(&self, source: usize, Distances { of, .. }: &Distances) -> usize {
        let mut change = vec![0i128; source + 1];
        for (e, edge) in self.edges.iter().enumerate().step_by(2) {
            let (from, to) = (of[self.edges[e ^ 1].to].min(source), of[edge.to].min(source));
            if to < from {
                let whole = i128::from(edge.capacity) + i128::from(self.edges[e ^ 1].capacity);
                change[to] += whole;
                change[from] -= whole;
            }
        }
        let costs = change.iter().scan(0, |cost, change| {
            *cost += change;
            Some(*cost)
        });
        let levels = costs.enumerate().take(source).filter(|(level, _)| level % 2 == 1);
        levels.min_by_key(|(_, cost)| *cost).map_or(1, |(level, _)| level)
    }
}

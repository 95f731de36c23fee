use jarrah_base::{Type, work};
use jarrah_hlo::{Program, ResidualClass, Value};

/// The values to keep so that those in `wanted` can be computed again from them: as few bytes as possible, and among
/// equals those closest to `wanted`, so that little is computed twice.
///
/// This is a minimum cut. Each value is an edge whose capacity is its size. Flow comes from the parameters and from
/// what is not worth computing again, passes from operands to results of what is, and ends in the wanted values.
/// Constants get no flow and are never kept. With `free_params` a parameter costs nothing to keep, for it lives anyway.
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
    graph.fill(source, sink);
    let below = graph.reaches(sink);
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

/// A flow network; the edges `2 i` and `2 i + 1` are each other's reverse.
struct Graph {
    edges: Vec<Edge>,
    from: Vec<Vec<usize>>,
}

struct Edge {
    to: usize,
    capacity: u64,
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

    /// Sends as much as possible from `source` to `sink` by Dinic's algorithm; capacities become what is left of them.
    fn fill(&mut self, source: usize, sink: usize) {
        while let Some(level) = self.levels(source, sink) {
            let mut next = vec![0; self.from.len()];
            let mut path: Vec<usize> = Vec::new();
            let mut node = source;
            loop {
                work::step(1);
                if node == sink {
                    let least = path.iter().map(|&e| self.edges[e].capacity).min().unwrap_or(0);
                    for &e in &path {
                        self.edges[e].capacity -= least;
                        self.edges[e ^ 1].capacity += least;
                    }
                    path.clear();
                    node = source;
                    continue;
                }
                let open = self.from[node][next[node]..]
                    .iter()
                    .position(|&e| self.edges[e].capacity > 0 && level[self.edges[e].to] == level[node] + 1);
                match open {
                    Some(skipped) => {
                        next[node] += skipped;
                        let e = self.from[node][next[node]];
                        path.push(e);
                        node = self.edges[e].to;
                    }
                    None => {
                        let Some(e) = path.pop() else { break };
                        node = self.edges[e ^ 1].to;
                        next[node] += 1;
                    }
                }
            }
        }
    }

    /// The distance of each node from `source`, if `sink` can be reached at all.
    fn levels(&self, source: usize, sink: usize) -> Option<Vec<usize>> {
        let mut level = vec![usize::MAX; self.from.len()];
        level[source] = 0;
        let mut queue = std::collections::VecDeque::from([source]);
        while let Some(node) = queue.pop_front() {
            work::step(1);
            for &e in &self.from[node] {
                let Edge { to, capacity } = self.edges[e];
                if capacity > 0 && level[to] == usize::MAX {
                    level[to] = level[node] + 1;
                    queue.push_back(to);
                }
            }
        }
        (level[sink] != usize::MAX).then_some(level)
    }

    /// The nodes from which `sink` can still be reached.
    fn reaches(&self, sink: usize) -> Vec<bool> {
        let mut reaches = vec![false; self.from.len()];
        reaches[sink] = true;
        let mut open = vec![sink];
        while let Some(node) = open.pop() {
            for &e in &self.from[node] {
                let from = self.edges[e].to;
                if self.edges[e ^ 1].capacity > 0 && !reaches[from] {
                    reaches[from] = true;
                    open.push(from);
                }
            }
        }
        reaches
    }
}

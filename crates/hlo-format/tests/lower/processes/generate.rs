use super::{Body, Collective, Example, Exchange, Key, Kind, Rng, Statement, Strategy, World};

/// A generator of examples.
struct Maker<'r> {
    rng: &'r mut Rng,
    world: World,
    functions: Vec<Body>,
    /// The axes along which the functions exchange values.
    used: Vec<Vec<usize>>,
    values: usize,
}

/// Where statements are made.
#[derive(Clone)]
struct Scope {
    values: Vec<usize>,
    /// The axes along which processes go the same way, so that they may exchange values.
    axes: Vec<usize>,
    /// The axes that are not manual yet: processes along them have the same values.
    hidden: Vec<usize>,
    depth: usize,
}

pub fn generate(rng: &mut Rng) -> Example {
    const MESHES: [&[usize]; 11] =
        [&[2], &[4], &[3], &[6], &[8], &[2, 2], &[2, 3], &[3, 2], &[2, 4], &[4, 2], &[2, 2, 2]];
    let world = if rng.chance(65) {
        let axes = rng.pick(&MESHES).to_vec();
        let ids = rng.chance(30).then(|| {
            let mut ids: Vec<usize> = (0..axes.iter().product()).collect();
            rng.shuffle(&mut ids);
            ids
        });
        let inner = usize::from(axes.len() > 1 && rng.chance(25));
        World { axes, kind: Kind::Mesh { ids, inner } }
    } else {
        const GRIDS: [&[usize]; 10] =
            [&[2, 1], &[1, 4], &[2, 2], &[2, 3], &[3, 2], &[4, 1], &[1, 8], &[8, 1], &[2, 4], &[2, 2, 2]];
        World { axes: rng.pick(&GRIDS).to_vec(), kind: Kind::Grid }
    };
    let axes: Vec<usize> = (0..world.axes.len()).collect();
    let hidden = match world.kind {
        Kind::Mesh { inner, .. } => axes[axes.len() - inner..].to_vec(),
        Kind::Grid => Vec::new(),
    };
    let axes = axes.into_iter().filter(|axis| !hidden.contains(axis)).collect();
    let mut maker = Maker { rng, world, functions: Vec::new(), used: Vec::new(), values: 1 };
    let main = maker.body(Some(0), Scope { values: vec![0], axes, hidden, depth: 0 });
    Example { world: maker.world, functions: maker.functions, main, values: maker.values }
}

impl Maker<'_> {
    fn value(&mut self) -> usize {
        self.values += 1;
        self.values - 1
    }

    fn some_axes(&mut self, axes: &[usize]) -> Vec<usize> {
        let chosen: Vec<usize> = axes.iter().copied().filter(|_| self.rng.chance(60)).collect();
        if chosen.is_empty() && !axes.is_empty() { vec![*self.rng.pick(axes)] } else { chosen }
    }

    fn body(&mut self, argument: Option<usize>, mut scope: Scope) -> Body {
        let mut statements = Vec::new();
        let count = if scope.depth == 0 { 3 + self.rng.below(4) } else { 1 + self.rng.below(3) };
        for _ in 0..count {
            self.statement(&mut statements, &mut scope);
        }
        // The result depends on everything that was computed last.
        let a = *scope.values.last().expect("a body has a value");
        let b = *self.rng.pick(&scope.values);
        let result = self.value();
        statements.push((result, Statement::Combine { a, factor: 3, b }));
        Body { argument, statements, result }
    }

    fn push(&mut self, statements: &mut Vec<(usize, Statement)>, scope: &mut Scope, statement: Statement) {
        let value = self.value();
        statements.push((value, statement));
        scope.values.push(value);
    }

    fn statement(&mut self, statements: &mut Vec<(usize, Statement)>, scope: &mut Scope) {
        let a = *self.rng.pick(&scope.values);
        let b = *scope.values.last().expect("a scope has a value");
        match self.rng.below(100) {
            0..15 => {
                let factor = self.rng.below(7) as i32 - 2;
                self.push(statements, scope, Statement::Combine { a, factor, b });
            }
            15..22 if scope.hidden.is_empty() => self.push(statements, scope, Statement::Place),
            22..70 if !scope.axes.is_empty() => {
                let exchange = self.exchange(scope);
                self.push(statements, scope, Statement::Exchange(exchange, b));
            }
            70..92 if scope.depth < 3 => {
                let (key, inner) = self.key(statements, scope);
                let kind = self.rng.below(3);
                let statement = match kind {
                    0 => {
                        let on_true = self.body(None, inner.clone());
                        Statement::If(key, Box::new([on_true, self.body(None, inner)]))
                    }
                    1 => {
                        let count = 1 + self.rng.below(3);
                        Statement::Case(key, (0..count).map(|_| self.body(None, inner.clone())).collect())
                    }
                    _ => {
                        let carried = self.value();
                        let mut inner = inner;
                        inner.values.push(carried);
                        Statement::While(key, b, self.body(Some(carried), inner))
                    }
                };
                self.push(statements, scope, statement);
            }
            92..97 if scope.depth < 3 => {
                let fits = |used: &Vec<usize>| {
                    scope.hidden.is_empty() && used.iter().all(|a| scope.axes.contains(a))
                };
                let known = self.used.iter().position(fits).filter(|_| self.rng.chance(50));
                let function = known.unwrap_or_else(|| {
                    let argument = self.value();
                    let depth = scope.depth + 1;
                    let body =
                        self.body(Some(argument), Scope { values: vec![argument], depth, ..scope.clone() });
                    self.functions.push(body);
                    // A function that sees hidden axes is called from there alone.
                    let all = (0..self.world.axes.len()).chain([usize::MAX]).collect();
                    self.used.push(if scope.hidden.is_empty() { scope.axes.clone() } else { all });
                    self.functions.len() - 1
                });
                self.push(statements, scope, Statement::Call(function, b));
            }
            _ if !scope.hidden.is_empty() && scope.depth < 3 => {
                let argument = self.value();
                let mut axes = scope.axes.clone();
                axes.extend(&scope.hidden);
                let mut values = scope.values.clone();
                values.push(argument);
                let inner = Scope { values, axes, hidden: Vec::new(), depth: scope.depth + 1 };
                let body = self.body(Some(argument), inner);
                self.push(statements, scope, Statement::Manual(scope.hidden.clone(), b, body));
            }
            _ => {}
        }
    }

    /// A number that decides ways, and the scope of what depends on it: mostly exchanges there are among processes for
    /// which the number is the same.
    fn key(&mut self, statements: &mut Vec<(usize, Statement)>, scope: &mut Scope) -> (Key, Scope) {
        let mut inner = Scope { depth: scope.depth + 1, ..scope.clone() };
        let visible: Vec<usize> = match scope.hidden.is_empty() {
            true => (0..self.world.axes.len()).collect(),
            false => Vec::new(),
        };
        let key = match self.rng.below(3) {
            0 => Key::Constant(self.rng.below(5) as i32 - 1),
            1 if !visible.is_empty() => {
                let axes = self.some_axes(&visible);
                inner.axes.retain(|axis| !axes.contains(axis));
                Key::Coordinate(axes)
            }
            _ if !scope.axes.is_empty() => {
                let a = *self.rng.pick(&scope.values);
                let axes = self.some_axes(&scope.axes);
                let max = self.rng.chance(50);
                let exchange = self.along(&axes, !scope.hidden.is_empty(), Collective::AllReduce { max });
                self.push(statements, scope, Statement::Exchange(exchange, a));
                inner.values = scope.values.clone();
                inner.axes = axes;
                Key::Data(*scope.values.last().expect("a scope has a value"))
            }
            _ => Key::Constant(2),
        };
        if self.rng.chance(20) {
            inner.axes = scope.axes.clone();
        }
        (key, inner)
    }

    fn exchange(&mut self, scope: &Scope) -> Exchange {
        let axes = self.some_axes(&scope.axes);
        let collective = match self.rng.below(8) {
            0..3 => Collective::AllReduce { max: self.rng.chance(40) },
            3 => Collective::AllGather { axis: self.rng.below(2), offset: self.rng.below(64) },
            4 => Collective::ReduceScatter { axis: self.rng.below(2) },
            5 => Collective::AllToAll {
                split: self.rng.below(2),
                concat: self.rng.below(2),
                offset: self.rng.below(64),
            },
            6 if scope.hidden.is_empty() => Collective::Permute { pairs: Vec::new() },
            _ => Collective::Broadcast,
        };
        self.along(&axes, !scope.hidden.is_empty(), collective)
    }

    /// An exchange along some axes, with its groups in one of the forms that can say so; `alike` for all along the others.
    fn along(&mut self, axes: &[usize], alike: bool, mut collective: Collective) -> Exchange {
        let world = self.world.clone();
        let global = matches!(
            collective,
            Collective::AllReduce { .. } | Collective::AllGather { .. } | Collective::ReduceScatter { .. }
        );
        let grid = matches!(world.kind, Kind::Grid);
        let over_replicas = grid && axes.contains(&0);
        let partition_axes: Vec<usize> = (usize::from(grid)..world.axes.len()).collect();
        let all_partitions = partition_axes.iter().all(|a| axes.contains(a) || world.axes[*a] == 1);
        let mut forms = Vec::new();
        if global {
            forms.push(Strategy::FlattenedIds);
            if all_partitions {
                forms.push(Strategy::CrossReplicaAndPartition);
            }
        } else if !over_replicas {
            forms.push(Strategy::CrossPartition);
        }
        if grid && axes == [0] {
            forms.push(Strategy::CrossReplica);
        }
        if forms.is_empty() {
            // Exchanges over replicas and partitions at once have other collectives only.
            collective = Collective::AllReduce { max: false };
            return self.along(axes, alike, collective);
        }
        let strategy = *self.rng.pick(&forms);
        // Groups of processes along the axes, by the numbers that the form has.
        let number = |process: usize| match strategy {
            Strategy::FlattenedIds => process,
            Strategy::CrossPartition => process % world.partitions(),
            Strategy::CrossReplica | Strategy::CrossReplicaAndPartition => process / world.partitions(),
        };
        let mut lists: Vec<Vec<usize>> = Vec::new();
        for group in super::simulate::neighbours(&world, axes) {
            let mut list: Vec<usize> = group.into_iter().map(number).collect();
            let mut seen = Vec::new();
            list.retain(|n| {
                !seen.contains(n) && {
                    seen.push(*n);
                    true
                }
            });
            if !lists.iter().any(|other| other.contains(&list[0])) {
                lists.push(list);
            }
        }
        self.rng.shuffle(&mut lists);
        if !alike && self.rng.chance(30) {
            for list in &mut lists {
                self.rng.shuffle(list);
            }
        }
        if let Collective::Permute { pairs } = &mut collective {
            for list in &lists {
                let mut targets = list.clone();
                self.rng.shuffle(&mut targets);
                let some = list.iter().zip(targets).filter(|_| self.rng.chance(70));
                pairs.extend(some.map(|(&source, target)| [source, target]));
            }
        }
        if matches!(collective, Collective::Broadcast) && !alike && lists.len() > 1 && self.rng.chance(30) {
            lists.pop();
        }
        let across = match strategy {
            Strategy::CrossReplicaAndPartition => world.partitions(),
            _ => 1,
        };
        let size = lists[0].len() * across;
        // One list of all in the order of numbers may be left out.
        let count = match strategy {
            Strategy::FlattenedIds => usize::MAX,
            Strategy::CrossPartition => world.partitions(),
            Strategy::CrossReplica | Strategy::CrossReplicaAndPartition => world.replicas(),
        };
        if lists.len() == 1 && lists[0].iter().copied().eq(0..count) && self.rng.chance(50) {
            lists.clear();
        }
        Exchange { strategy, lists, size, collective }
    }
}

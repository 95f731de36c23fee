//! The processes of an example in lockstep.

use std::collections::BTreeMap;

use super::{Body, Collective, Example, Exchange, Key, Statement, Strategy, Tensor, World};

/// The processes that exchange values with one another: the specification's `cross_replica`, `cross_partition`,
/// `cross_replica_and_partition` and `flattened_ids`.
pub fn groups(world: &World, exchange: &Exchange) -> Vec<Vec<usize>> {
    let (replicas, partitions) = (world.replicas(), world.partitions());
    let at = |replica: usize, partition: usize| replica * partitions + partition;
    let all = |count: usize| match exchange.lists.is_empty() {
        true => vec![(0..count).collect()],
        false => exchange.lists.clone(),
    };
    let mut groups = Vec::new();
    if let Collective::Permute { pairs } = &exchange.collective {
        // Each pair by itself: only these two exchange anything.
        for &[source, target] in pairs {
            match exchange.strategy {
                Strategy::CrossPartition => {
                    groups.extend((0..replicas).map(|r| vec![at(r, source), at(r, target)]))
                }
                _ => groups.extend((0..partitions).map(|p| vec![at(source, p), at(target, p)])),
            }
        }
        return groups;
    }
    match exchange.strategy {
        Strategy::CrossReplica => {
            for replica_group in all(replicas) {
                for partition in 0..partitions {
                    groups.push(replica_group.iter().map(|&replica| at(replica, partition)).collect());
                }
            }
        }
        Strategy::CrossPartition => {
            for partition_group in all(partitions) {
                for replica in 0..replicas {
                    groups.push(partition_group.iter().map(|&partition| at(replica, partition)).collect());
                }
            }
        }
        Strategy::CrossReplicaAndPartition => {
            for replica_group in all(replicas) {
                let mut group = Vec::new();
                for partition in 0..partitions {
                    group.extend(replica_group.iter().map(|&replica| at(replica, partition)));
                }
                groups.push(group);
            }
        }
        Strategy::FlattenedIds => groups = all(world.processes()),
    }
    groups
}

/// The processes that differ along `axes` alone, in the order of their coordinates there.
pub fn neighbours(world: &World, axes: &[usize]) -> Vec<Vec<usize>> {
    let others: Vec<usize> = (0..world.axes.len()).filter(|axis| !axes.contains(axis)).collect();
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let mut numbers: Vec<usize> = (0..world.processes()).collect();
    numbers.sort_by_key(|&number| world.along(number, axes));
    for number in numbers {
        groups.entry(world.along(number, &others)).or_default().push(number);
    }
    groups.into_values().collect()
}

struct Simulation<'e> {
    example: &'e Example,
    /// Whether processes that exchange values somewhere inside a branch or a loop go different ways through it, though
    /// none waits for one that never comes.
    apart: bool,
    /// The values of each process.
    values: Vec<Vec<Tensor>>,
}

/// The result of each process, and whether some went apart: see [`Simulation`].
///
/// # Errors
/// A process waits for one that never comes.
pub fn run(example: &Example, inputs: &[Tensor]) -> Result<(Vec<Tensor>, bool), String> {
    let values = vec![vec![[0; 4]; example.values]; inputs.len()];
    let mut simulation = Simulation { example, apart: false, values };
    let all: Vec<usize> = (0..inputs.len()).collect();
    for &process in &all {
        simulation.set(
            process,
            example.main.argument.expect("the main function takes a value"),
            inputs[process],
        );
    }
    simulation.body(&example.main, &all)?;
    let results = all.iter().map(|&process| simulation.get(process, example.main.result)).collect();
    Ok((results, simulation.apart))
}

impl Simulation<'_> {
    fn get(&self, process: usize, value: usize) -> Tensor {
        self.values[process][value]
    }

    fn set(&mut self, process: usize, value: usize, tensor: Tensor) {
        self.values[process][value] = tensor;
    }

    fn key(&self, key: &Key, process: usize) -> i32 {
        match key {
            Key::Constant(n) => *n,
            Key::Coordinate(axes) => self.example.world.along(process, axes) as i32,
            Key::Data(value) => self.get(process, *value)[0] & 3,
        }
    }

    /// Notes whether processes that exchange values in `bodies`, directly or by way of others, go different ways.
    fn compare_ways(&mut self, bodies: &[Body], active: &[usize], ways: &[i32]) {
        let mut groups = Vec::new();
        bodies.iter().for_each(|body| self.example.groups(body, &mut groups));
        let mut root: Vec<usize> = (0..self.example.world.processes()).collect();
        for group in groups {
            for pair in group.windows(2) {
                let (from, to) = (root[pair[0]], root[pair[1]]);
                root.iter_mut().filter(|r| **r == from).for_each(|r| *r = to);
            }
        }
        let differ = |&a: &usize| active.iter().any(|&b| root[a] == root[b] && ways[a] != ways[b]);
        self.apart |= active.iter().any(differ);
    }

    fn body(&mut self, body: &Body, active: &[usize]) -> Result<(), String> {
        for (value, statement) in &body.statements {
            self.statement(*value, statement, active)?;
        }
        Ok(())
    }

    fn statement(&mut self, value: usize, statement: &Statement, active: &[usize]) -> Result<(), String> {
        match statement {
            Statement::Combine { a, factor, b } => {
                for &process in active {
                    let (a, b) = (self.get(process, *a), self.get(process, *b));
                    let combined = std::array::from_fn(|i| a[i].wrapping_mul(*factor).wrapping_add(b[i]));
                    self.set(process, value, combined);
                }
            }
            Statement::Place => {
                let partitions = self.example.world.partitions();
                for &process in active {
                    let place = process % partitions + 1000 * (process / partitions);
                    self.set(process, value, [place as i32; 4]);
                }
            }
            Statement::Exchange(exchange, operand) => self.exchange(value, exchange, *operand, active)?,
            Statement::If(key, bodies) => {
                let ways: Vec<i32> = self.ways(key, |n| i32::from(n & 1 == 0));
                self.branches(value, &ways, &bodies[..], active)?;
            }
            Statement::Case(key, bodies) => {
                let last = bodies.len() as i32 - 1;
                let ways = self.ways(key, |n| if (0..=last).contains(&(n - 1)) { n - 1 } else { last });
                self.branches(value, &ways, bodies, active)?;
            }
            Statement::While(key, operand, body) => {
                let steps = self.ways(key, |n| n.rem_euclid(3));
                self.compare_ways(std::slice::from_ref(body), active, &steps);
                let carried = body.argument.expect("a loop carries a value");
                for &process in active {
                    let initial = self.get(process, *operand);
                    self.set(process, carried, initial);
                }
                for step in 0.. {
                    let going: Vec<usize> =
                        active.iter().copied().filter(|&process| step < steps[process]).collect();
                    if going.is_empty() {
                        break;
                    }
                    self.body(body, &going)?;
                    for process in going {
                        let next = self.get(process, body.result);
                        self.set(process, carried, next);
                    }
                }
                for &process in active {
                    let last = self.get(process, carried);
                    self.set(process, value, last);
                }
            }
            Statement::Call(function, operand) => {
                let example = self.example;
                let body = &example.functions[*function];
                for &process in active {
                    let given = self.get(process, *operand);
                    self.set(process, body.argument.expect("a function takes a value"), given);
                }
                self.body(body, active)?;
                for &process in active {
                    let result = self.get(process, body.result);
                    self.set(process, value, result);
                }
            }
            Statement::Manual(axes, operand, body) => self.manual(value, axes, *operand, body, active)?,
        }
        Ok(())
    }

    /// The way of every process.
    fn ways(&self, key: &Key, way: impl Fn(i32) -> i32) -> Vec<i32> {
        (0..self.example.world.processes()).map(|process| way(self.key(key, process))).collect()
    }

    fn branches(
        &mut self,
        value: usize,
        ways: &[i32],
        bodies: &[Body],
        active: &[usize],
    ) -> Result<(), String> {
        self.compare_ways(bodies, active, ways);
        for (way, body) in bodies.iter().enumerate() {
            let here: Vec<usize> =
                active.iter().copied().filter(|&process| ways[process] == way as i32).collect();
            if here.is_empty() {
                continue;
            }
            self.body(body, &here)?;
            for process in here {
                let result = self.get(process, body.result);
                self.set(process, value, result);
            }
        }
        Ok(())
    }

    fn exchange(
        &mut self,
        value: usize,
        exchange: &Exchange,
        operand: usize,
        active: &[usize],
    ) -> Result<(), String> {
        let before: Vec<Tensor> = self.values.iter().map(|values| values[operand]).collect();
        let groups = groups(&self.example.world, exchange);
        if groups
            .iter()
            .any(|g| g.iter().any(|p| active.contains(p)) && !g.iter().all(|p| active.contains(p)))
        {
            return Err("a process waits for one that is elsewhere".into());
        }
        if let Collective::Permute { .. } = exchange.collective {
            for &process in active {
                let source = groups.iter().find(|pair| pair[1] == process).map(|pair| before[pair[0]]);
                self.set(process, value, source.unwrap_or([0; 4]));
            }
            return Ok(());
        }
        for &process in active {
            let Some(group) = groups.iter().find(|group| group.contains(&process)) else {
                self.set(process, value, [0; 4]);
                continue;
            };
            let own = group.iter().position(|&p| p == process).expect("a member of its group");
            let all: Vec<Tensor> = group.iter().map(|&p| before[p]).collect();
            let received = received(exchange, own, &all);
            self.set(process, value, received);
        }
        Ok(())
    }

    fn manual(
        &mut self,
        value: usize,
        axes: &[usize],
        operand: usize,
        body: &Body,
        active: &[usize],
    ) -> Result<(), String> {
        let world = &self.example.world;
        let count: usize = axes.iter().map(|&axis| world.axes[axis]).product();
        for &process in active {
            // The operand is joined of copies, of which copy `k` is `k + 1` times as large.
            let factor = world.along(process, axes) as i32 + 1;
            let part = self.get(process, operand).map(|x| x.wrapping_mul(factor));
            self.set(process, body.argument.expect("a computation takes a value"), part);
        }
        self.body(body, active)?;
        let groups = neighbours(world, axes);
        for &process in active {
            let group = groups.iter().find(|group| group.contains(&process)).expect("every process has one");
            let mut sum = [0i32; 4];
            for (k, &other) in group.iter().enumerate() {
                let result = self.get(other, body.result);
                let factor = (count - k) as i32;
                sum = std::array::from_fn(|i| sum[i].wrapping_add(result[i].wrapping_mul(factor)));
            }
            self.set(process, value, sum);
        }
        Ok(())
    }
}

/// A tensor of rows.
type Rows = Vec<Vec<i32>>;

fn rows(x: &Tensor) -> Rows {
    vec![x[..2].to_vec(), x[2..].to_vec()]
}

fn join(all: &[Rows], axis: usize) -> Rows {
    match axis {
        0 => all.concat(),
        _ => (0..all[0].len()).map(|r| all.iter().flat_map(|x| x[r].clone()).collect()).collect(),
    }
}

/// Part `k` of as many as make parts of extent two along `axis`.
fn part(x: &Rows, axis: usize, start: usize) -> Rows {
    match axis {
        0 => x[start..start + 2].to_vec(),
        _ => x.iter().map(|row| row[start..start + 2].to_vec()).collect(),
    }
}

fn tensor(x: &Rows) -> Tensor {
    [x[0][0], x[0][1], x[1][0], x[1][1]]
}

/// As many copies as there are members, each by its number as large, joined.
fn copies(x: &Tensor, count: usize, axis: usize) -> Rows {
    let copy = |k: usize| rows(&x.map(|x| x.wrapping_mul(k as i32 + 1)));
    join(&(0..count).map(copy).collect::<Vec<_>>(), axis)
}

/// The value that member `own` of a group receives.
fn received(exchange: &Exchange, own: usize, all: &[Tensor]) -> Tensor {
    let count = all.len();
    match exchange.collective {
        Collective::AllReduce { max } => {
            let reduced = |x: fn(i32) -> i32| -> Tensor {
                std::array::from_fn(|i| {
                    let values = all.iter().map(|tensor| x(tensor[i]));
                    if max {
                        values.max().expect("groups have members")
                    } else {
                        values.fold(0, i32::wrapping_add)
                    }
                })
            };
            let (first, second) = (reduced(|x| x), reduced(|x| x.wrapping_mul(5)));
            std::array::from_fn(|i| first[i].wrapping_mul(2).wrapping_add(second[i]))
        }
        Collective::AllGather { axis, offset } => {
            let joined = join(&all.iter().map(rows).collect::<Vec<_>>(), axis);
            tensor(&part(&joined, axis, offset % (2 * count - 1)))
        }
        Collective::ReduceScatter { axis } => {
            let mut sum = copies(&all[0], count, axis);
            for other in &all[1..] {
                for (row, others) in sum.iter_mut().zip(copies(other, count, axis)) {
                    row.iter_mut().zip(others).for_each(|(x, y)| *x = x.wrapping_add(y));
                }
            }
            tensor(&part(&sum, axis, 2 * own))
        }
        Collective::AllToAll { split, concat, offset } => {
            let pieces: Vec<Rows> =
                all.iter().map(|x| part(&copies(x, count, split), split, 2 * own)).collect();
            tensor(&part(&join(&pieces, concat), concat, offset % (2 * count - 1)))
        }
        Collective::Broadcast => all[0],
        Collective::Permute { .. } => unreachable!("pairs are no groups"),
    }
}

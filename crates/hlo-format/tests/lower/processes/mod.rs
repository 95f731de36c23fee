//! Random programs of many processes: exchanges in every form, in branches, loops, calls and nested manual computations.
//!
//! The oracle is a direct simulation of the processes in lockstep (`simulate`), with the process groups and collectives
//! as the specification of StableHLO writes them. The program of them all gives the simulated values bit by bit; it is
//! refused where a process waits for one that never comes, and it may be where processes that exchange values inside a
//! branch or a loop go different ways through it. So do the devices of a client that run the program of one partition:
//! they give the values, or end with an error where one waits for ever.

mod generate;
mod print;
mod simulate;

use jarrah_base::Literal;
use jarrah_hlo_eval::evaluate;
use jarrah_hlo_format::lower::LowerOptions;

use super::lower_with;
use super::on_devices::on_devices;
use generate::generate;

/// A tensor of two by two integers: every value of these programs, on every process.
type Tensor = [i32; 4];

/// The processes of a program.
#[derive(Clone, Debug)]
struct World {
    /// The extents of the axes; the process number is that of the coordinates, the last axis fastest, or what `ids` has
    /// there.
    axes: Vec<usize>,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    /// A manual computation over the axes but for the last `inner` ones, which only nested computations cut.
    Mesh { ids: Option<Vec<usize>>, inner: usize },
    /// `interpreter.run_parallel`, where the first axis is that of replicas.
    Grid,
}

impl World {
    fn processes(&self) -> usize {
        self.axes.iter().product()
    }

    fn replicas(&self) -> usize {
        match self.kind {
            Kind::Mesh { .. } => 1,
            Kind::Grid => self.axes[0],
        }
    }

    fn partitions(&self) -> usize {
        self.processes() / self.replicas()
    }

    /// The process at each position, in the order of coordinates.
    fn number(&self, position: usize) -> usize {
        match &self.kind {
            Kind::Mesh { ids: Some(ids), .. } => ids[position],
            _ => position,
        }
    }

    fn position(&self, number: usize) -> usize {
        (0..self.processes()).find(|&at| self.number(at) == number).expect("a process of the world")
    }

    fn coordinates(&self, number: usize) -> Vec<usize> {
        let mut rest = self.position(number);
        let mut all = vec![0; self.axes.len()];
        for (at, size) in all.iter_mut().zip(&self.axes).rev() {
            *at = rest % size;
            rest /= size;
        }
        all
    }

    /// The coordinate along `axes`, the last fastest.
    fn along(&self, number: usize, axes: &[usize]) -> usize {
        let at = self.coordinates(number);
        axes.iter().fold(0, |n, &axis| n * self.axes[axis] + at[axis])
    }
}

/// How an exchange names its groups, as the specification calls it.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Strategy {
    CrossReplica,
    CrossPartition,
    CrossReplicaAndPartition,
    FlattenedIds,
}

#[derive(Clone, Debug)]
struct Exchange {
    strategy: Strategy,
    /// The lists of the attribute; none if it is empty, which stands for one list of all.
    lists: Vec<Vec<usize>>,
    /// The number of members of each group.
    size: usize,
    collective: Collective,
}

#[derive(Clone, Debug)]
enum Collective {
    /// A sum or a maximum of two operands at once.
    AllReduce {
        max: bool,
    },
    /// Joined along an axis, of which the part at an offset is kept.
    AllGather {
        axis: usize,
        offset: usize,
    },
    ReduceScatter {
        axis: usize,
    },
    AllToAll {
        split: usize,
        concat: usize,
        offset: usize,
    },
    Permute {
        pairs: Vec<[usize; 2]>,
    },
    Broadcast,
}

/// A number that decides the way of a process.
#[derive(Clone, Debug)]
enum Key {
    Constant(i32),
    /// The coordinate of the process along some axes.
    Coordinate(Vec<usize>),
    /// An element of a value.
    Data(usize),
}

#[derive(Clone, Debug)]
enum Statement {
    /// `a * factor + b`.
    Combine {
        a: usize,
        factor: i32,
        b: usize,
    },
    /// The number of the partition, and that of the replica a thousand times.
    Place,
    Exchange(Exchange, usize),
    If(Key, Box<[Body; 2]>),
    Case(Key, Vec<Body>),
    /// A loop of as many steps as the key says, modulo three, that carries one value.
    While(Key, usize, Body),
    Call(usize, usize),
    /// A nested manual computation over some axes.
    Manual(Vec<usize>, usize, Body),
}

/// Statements, each of which gives the value of its number, and the value that is returned.
#[derive(Clone, Debug)]
struct Body {
    /// The argument of a loop's body, a function or a manual computation.
    argument: Option<usize>,
    statements: Vec<(usize, Statement)>,
    result: usize,
}

#[derive(Clone, Debug)]
struct Example {
    world: World,
    functions: Vec<Body>,
    main: Body,
    values: usize,
}

impl Example {
    /// The exchanges inside a body, in what it calls too, as groups of processes.
    fn groups(&self, body: &Body, all: &mut Vec<Vec<usize>>) {
        for (_, statement) in &body.statements {
            match statement {
                Statement::Exchange(exchange, _) => all.extend(simulate::groups(&self.world, exchange)),
                Statement::If(_, bodies) => bodies.iter().for_each(|body| self.groups(body, all)),
                Statement::Case(_, bodies) => bodies.iter().for_each(|body| self.groups(body, all)),
                Statement::While(_, _, body) => self.groups(body, all),
                Statement::Call(function, _) => self.groups(&self.functions[*function], all),
                Statement::Manual(axes, _, body) => {
                    all.extend(simulate::neighbours(&self.world, axes));
                    self.groups(body, all);
                }
                Statement::Combine { .. } | Statement::Place => {}
            }
        }
    }
}

struct Rng(u64);

impl Rng {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) % n as u64) as usize
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn pick<'t, T>(&mut self, all: &'t [T]) -> &'t T {
        &all[self.below(all.len())]
    }

    fn shuffle<T>(&mut self, all: &mut [T]) {
        for i in (1..all.len()).rev() {
            all.swap(i, self.below(i + 1));
        }
    }
}

/// How the examples came out.
#[derive(Default, Debug)]
struct Count {
    right: usize,
    /// Refused though no process waits for one that never comes.
    refused_apart: usize,
    /// Refused because processes wait for each other.
    refused: usize,
    right_on_devices: usize,
    refused_on_devices: usize,
    /// Devices wait for ever in the simulation, and not in the compiled program.
    spared_on_devices: usize,
}

fn check(seed: u64, count: &mut Count) {
    let example = generate(&mut Rng(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1));
    let world = &example.world;
    let inputs: Vec<Tensor> = (0..world.processes())
        .map(|number| match world.kind {
            Kind::Mesh { inner, .. } => {
                let outer: Vec<usize> = (0..world.axes.len() - inner).collect();
                input(world.along(number, &outer))
            }
            Kind::Grid => input(number),
        })
        .collect();
    let expected = simulate::run(&example, &inputs);
    let text = print::print(&example, true);
    run_on_devices(seed, &example, &inputs, &expected, count);
    let arguments = print::arguments(&example, &inputs);
    let found = lower_with(&text, &LowerOptions::default()).and_then(|entry| {
        entry.program.verify()?;
        evaluate(&entry.program, &arguments)
    });
    let said = |error: &str| {
        let known = ["wait for each other for ever", "have to go the same way"];
        assert!(known.iter().any(|known| error.contains(known)), "example {seed}: {error}\n{text}");
        assert!(error.contains("test.mlir:"), "example {seed} has no line: {error}\n{text}");
    };
    match (expected, found) {
        (Ok((values, _)), Ok(found)) => {
            let expected = print::results(&example, &values);
            assert_eq!(found, expected, "example {seed}:\n{text}");
            count.right += 1;
        }
        (Ok((_, true)), Err(error)) => {
            said(&error.to_string());
            count.refused_apart += 1;
        }
        (Err(_), Err(error)) => {
            said(&error.to_string());
            count.refused += 1;
        }
        (Ok((_, false)), Err(error)) => panic!("example {seed} is refused: {error}\n{text}"),
        (Err(why), Ok(found)) => panic!("example {seed} gives {found:?}, but {why}\n{text}"),
    }
}

/// Compares the values of the devices that run an example with the expected ones; there are none where devices wait for ever.
fn run_on_devices(
    seed: u64,
    example: &Example,
    inputs: &[Tensor],
    expected: &Result<(Vec<Tensor>, bool), String>,
    count: &mut Count,
) {
    let world = &example.world;
    let text = print::print(example, false);
    let all = print::arguments(example, inputs);
    let arguments: Vec<Vec<Literal>> = (0..world.processes())
        .map(|number| match world.kind {
            Kind::Mesh { .. } => all.clone(),
            Kind::Grid => vec![all[number].clone()],
        })
        .collect();
    match (on_devices(&text, (world.replicas(), world.partitions()), &arguments), expected) {
        (Ok(found), Ok((expected, _))) => {
            let expected: Vec<_> = expected.iter().map(|value| vec![literal(&[2, 2], value)]).collect();
            assert_eq!(found, expected, "example {seed} on devices:\n{text}");
            count.right_on_devices += 1;
        }
        (Err(error), expected) => {
            let error = error.to_string();
            assert!(
                error.contains("wait for each other for ever"),
                "example {seed} on devices: {error}\n{text}"
            );
            // All devices meet in a permutation of paths and cycles of several kinds, also those that exchange nothing with each other.
            let may_fail = error.contains("at permute") || !matches!(expected, Ok((_, false)));
            assert!(may_fail, "example {seed} on devices: {error}\n{text}");
            count.refused_on_devices += 1;
        }
        // The compiler leaves out exchanges whose values nothing needs: the other devices do not wait for them.
        (Ok(_), Err(_)) => count.spared_on_devices += 1,
    }
}

fn input(at: usize) -> Tensor {
    [0, 1, 2, 3].map(|i| (at * 7 + i * 3 + 1) as i32)
}

fn literal(dims: &[usize], values: &[i32]) -> Literal {
    Literal::from_slice(dims, values).expect("as many values as there are elements")
}

#[test]
fn random_programs_of_many_processes_are_right_or_refused() {
    let mut count = Count::default();
    let asked = std::env::var("JARRAH_EXAMPLES").ok();
    let examples = asked.and_then(|count| count.parse().ok()).unwrap_or(EXAMPLES);
    for seed in 0..examples {
        check(seed, &mut count);
    }
    assert!(count.right > 3 * (count.refused + count.refused_apart) && count.refused > 0, "{count:?}");
    assert!(count.right_on_devices > 5 * (count.refused_on_devices + count.spared_on_devices), "{count:?}");
}

/// More examples than this are for a person to ask for: `JARRAH_EXAMPLES=20000 cargo test ...`.
const EXAMPLES: u64 = 300;

//! Examples as text, and their arguments and results.

use std::fmt::Write as _;

use jarrah_base::Literal;

use super::{Body, Collective, Example, Exchange, Key, Kind, Statement, Strategy, Tensor, World, literal};

const TENSOR: &str = "tensor<2x2xi32>";

struct Printer<'e> {
    world: &'e World,
    out: String,
    names: usize,
}

impl Printer<'_> {
    fn line(&mut self, line: &str) {
        self.out.push_str(line);
        self.out.push('\n');
    }

    /// Prints an op with one result, which gets a name.
    fn name(&mut self, op: &str) -> String {
        self.names += 1;
        let name = format!("%n{}", self.names);
        self.line(&format!("{name} = {op}"));
        name
    }

    fn constant(&mut self, value: i32, ty: &str) -> String {
        self.name(&format!("stablehlo.constant dense<{value}> : {ty}"))
    }

    fn binary(&mut self, op: &str, a: &str, b: &str, ty: &str) -> String {
        self.name(&format!("stablehlo.{op} {a}, {b} : {ty}"))
    }

    /// The number of the process in its row or column, as a scalar.
    fn number(&mut self, op: &str) -> String {
        let id = self.name(&format!("stablehlo.{op} : tensor<ui32>"));
        self.name(&format!("stablehlo.convert {id} : (tensor<ui32>) -> tensor<i32>"))
    }

    fn key(&mut self, key: &Key) -> String {
        const SCALAR: &str = "tensor<i32>";
        match key {
            Key::Constant(n) => self.constant(*n, SCALAR),
            Key::Coordinate(axes) => {
                // The position of each process is looked up by its number.
                let table: Vec<String> =
                    (0..self.world.processes()).map(|n| self.world.along(n, axes).to_string()).collect();
                let (count, partitions) = (self.world.processes(), self.world.partitions() as i32);
                let table = self
                    .name(&format!("stablehlo.constant dense<[{}]> : tensor<{count}xi32>", table.join(", ")));
                let partition = self.number("partition_id");
                let replica = self.number("replica_id");
                let each = self.constant(partitions, SCALAR);
                let before = self.binary("multiply", &replica, &each, SCALAR);
                let at = self.binary("add", &before, &partition, SCALAR);
                let one = self.name(&format!(
                    "stablehlo.dynamic_slice {table}, {at}, sizes = [1] : (tensor<{count}xi32>, tensor<i32>) -> tensor<1xi32>"
                ));
                self.name(&format!("stablehlo.reshape {one} : (tensor<1xi32>) -> tensor<i32>"))
            }
            Key::Data(value) => {
                let one = self
                    .name(&format!("stablehlo.slice %v{value} [0:1, 0:1] : ({TENSOR}) -> tensor<1x1xi32>"));
                let scalar =
                    self.name(&format!("stablehlo.reshape {one} : (tensor<1x1xi32>) -> tensor<i32>"));
                let three = self.constant(3, SCALAR);
                self.binary("and", &scalar, &three, SCALAR)
            }
        }
    }

    /// `x` and its multiples, joined along an axis.
    fn copies(&mut self, x: &str, count: usize, axis: usize) -> String {
        let mut all = Vec::new();
        for k in 0..count {
            let factor = self.constant(k as i32 + 1, TENSOR);
            all.push(self.binary("multiply", x, &factor, TENSOR));
        }
        let types = vec![TENSOR; count].join(", ");
        self.name(&format!(
            "stablehlo.concatenate {}, dim = {axis} : ({types}) -> {}",
            all.join(", "),
            long(count, axis)
        ))
    }

    fn part(&mut self, x: &str, count: usize, axis: usize, start: usize) -> String {
        let range = |dim: usize| match dim == axis {
            true => format!("{start}:{}", start + 2),
            false => "0:2".into(),
        };
        self.name(&format!(
            "stablehlo.slice {x} [{}, {}] : ({}) -> {TENSOR}",
            range(0),
            range(1),
            long(count, axis)
        ))
    }

    fn exchange(&mut self, value: usize, exchange: &Exchange, operand: usize) {
        let (x, count) = (format!("%v{operand}"), exchange.size);
        let channel = match exchange.strategy {
            Strategy::CrossReplica => "",
            _ => ", channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>",
        };
        let global = match exchange.strategy {
            Strategy::FlattenedIds => ", use_global_device_ids",
            _ => "",
        };
        let groups = match &exchange.lists[..] {
            [] => "dense<> : tensor<0x0xi64>".to_owned(),
            lists => format!("dense<{lists:?}> : tensor<{}x{}xi64>", lists.len(), lists[0].len()),
        };
        let more = format!("replica_groups = {groups}{channel}{global}");
        let region = |names: usize, op: &str| {
            format!(
                "({{\n^bb0(%p{names}: tensor<i32>, %q{names}: tensor<i32>):\n%s{names} = stablehlo.{op} %p{names}, \
                 %q{names} : tensor<i32>\nstablehlo.return %s{names} : tensor<i32>\n}})"
            )
        };
        let result = match &exchange.collective {
            Collective::AllReduce { max } => {
                let five = self.constant(5, TENSOR);
                let second = self.binary("multiply", &x, &five, TENSOR);
                self.names += 1;
                let names = self.names;
                let region = region(names, if *max { "maximum" } else { "add" });
                self.line(&format!(
                    "%r{names}:2 = \"stablehlo.all_reduce\"({x}, {second}) {region} {{{more}}} : ({TENSOR}, {TENSOR}) -> ({TENSOR}, {TENSOR})"
                ));
                let two = self.constant(2, TENSOR);
                let twice = self.binary("multiply", &format!("%r{names}#0"), &two, TENSOR);
                self.binary("add", &twice, &format!("%r{names}#1"), TENSOR)
            }
            Collective::AllGather { axis, offset } => {
                let joined = self.name(&format!(
                    "\"stablehlo.all_gather\"({x}) {{all_gather_dim = {axis} : i64, {more}}} : ({TENSOR}) -> {}",
                    long(count, *axis)
                ));
                self.part(&joined, count, *axis, offset % (2 * count - 1))
            }
            Collective::ReduceScatter { axis } => {
                let wide = self.copies(&x, count, *axis);
                self.names += 1;
                let region = region(self.names, "add");
                self.name(&format!(
                    "\"stablehlo.reduce_scatter\"({wide}) {region} {{scatter_dimension = {axis} : i64, {more}}} : ({}) -> {TENSOR}",
                    long(count, *axis)
                ))
            }
            Collective::AllToAll { split, concat, offset } => {
                let wide = self.copies(&x, count, *split);
                let joined = self.name(&format!(
                    "\"stablehlo.all_to_all\"({wide}) {{split_dimension = {split} : i64, concat_dimension = {concat} : i64, split_count = {count} : i64, {more}}} : ({}) -> {}",
                    long(count, *split),
                    long(count, *concat)
                ));
                self.part(&joined, count, *concat, offset % (2 * count - 1))
            }
            Collective::Permute { pairs } => {
                let pairs = match &pairs[..] {
                    [] => "dense<> : tensor<0x2xi64>".to_owned(),
                    pairs => format!("dense<{pairs:?}> : tensor<{}x2xi64>", pairs.len()),
                };
                self.name(&format!(
                    "\"stablehlo.collective_permute\"({x}) {{source_target_pairs = {pairs}{channel}}} : ({TENSOR}) -> {TENSOR}"
                ))
            }
            Collective::Broadcast => self.name(&format!(
                "\"stablehlo.collective_broadcast\"({x}) {{{more}}} : ({TENSOR}) -> {TENSOR}"
            )),
        };
        self.alias(value, &result);
    }

    /// Gives a value its name.
    fn alias(&mut self, value: usize, name: &str) {
        self.line(&format!("%v{value} = stablehlo.add {name}, %zero : {TENSOR}"));
    }

    fn body(&mut self, body: &Body, last: &str) {
        let zero = format!("%zero = stablehlo.constant dense<0> : {TENSOR}");
        if matches!(last, "return" | "sdy.return:main") {
            self.line(&zero);
        }
        for (value, statement) in &body.statements {
            self.statement(*value, statement);
        }
        let last = last.trim_end_matches(":main");
        self.line(&format!("{last} %v{} : {TENSOR}", body.result));
    }

    fn branches(&mut self, value: usize, op: &str, decides: &str, ty: &str, bodies: &[Body]) {
        self.out.push_str(&format!("%v{value} = \"stablehlo.{op}\"({decides}) ("));
        for (i, body) in bodies.iter().enumerate() {
            self.line(if i > 0 { ", {" } else { "{" });
            self.body(body, "stablehlo.return");
            self.out.push('}');
        }
        self.line(&format!(") : ({ty}) -> {TENSOR}"));
    }

    fn statement(&mut self, value: usize, statement: &Statement) {
        match statement {
            Statement::Combine { a, factor, b } => {
                let factor = self.constant(*factor, TENSOR);
                let product = self.binary("multiply", &format!("%v{a}"), &factor, TENSOR);
                self.line(&format!("%v{value} = stablehlo.add {product}, %v{b} : {TENSOR}"));
            }
            Statement::Place => {
                let partition = self.number("partition_id");
                let replica = self.number("replica_id");
                let thousand = self.constant(1000, "tensor<i32>");
                let far = self.binary("multiply", &replica, &thousand, "tensor<i32>");
                let place = self.binary("add", &far, &partition, "tensor<i32>");
                self.line(&format!(
                    "%v{value} = stablehlo.broadcast_in_dim {place}, dims = [] : (tensor<i32>) -> {TENSOR}"
                ));
            }
            Statement::Exchange(exchange, operand) => self.exchange(value, exchange, *operand),
            Statement::If(key, bodies) => {
                let key = self.key(key);
                let one = self.constant(1, "tensor<i32>");
                let bit = self.binary("and", &key, &one, "tensor<i32>");
                let odd = self.name(&format!("stablehlo.convert {bit} : (tensor<i32>) -> tensor<i1>"));
                self.branches(value, "if", &odd, "tensor<i1>", &bodies[..]);
            }
            Statement::Case(key, bodies) => {
                let key = self.key(key);
                let one = self.constant(1, "tensor<i32>");
                let index = self.binary("subtract", &key, &one, "tensor<i32>");
                self.branches(value, "case", &index, "tensor<i32>", bodies);
            }
            Statement::While(key, operand, body) => self.while_loop(value, key, *operand, body),
            Statement::Call(function, operand) => {
                self.line(&format!(
                    "%v{value} = func.call @f{function}(%v{operand}) : ({TENSOR}) -> {TENSOR}"
                ));
            }
            Statement::Manual(axes, operand, body) => {
                let world = self.world;
                let count: usize = axes.iter().map(|&axis| world.axes[axis]).product();
                let wide = self.copies(&format!("%v{operand}"), count, 0);
                let ty = long(count, 0);
                let names = names(axes);
                let argument = body.argument.expect("a computation takes a value");
                self.names += 1;
                let joined = format!("%j{}", self.names);
                self.line(&format!(
                    "{joined} = sdy.manual_computation({wide}) in_shardings=[<@mesh, [{{{names}}}, {{}}]>] \
                     out_shardings=[<@mesh, [{{{names}}}, {{}}]>] manual_axes={{{names}}} (%v{argument}: {TENSOR}) {{"
                ));
                self.body(body, "sdy.return");
                self.line(&format!("}} : ({ty}) -> {ty}"));
                let mut sum = self.constant(0, TENSOR);
                for k in 0..count {
                    let part = self.part(&joined, count, 0, 2 * k);
                    let factor = self.constant((count - k) as i32, TENSOR);
                    let part = self.binary("multiply", &part, &factor, TENSOR);
                    sum = self.binary("add", &sum, &part, TENSOR);
                }
                self.alias(value, &sum);
            }
        }
    }

    fn while_loop(&mut self, value: usize, key: &Key, operand: usize, body: &Body) {
        let key = self.key(key);
        // The key is -1 at least.
        let three = self.constant(3, "tensor<i32>");
        let more = self.binary("add", &key, &three, "tensor<i32>");
        let steps = self.binary("remainder", &more, &three, "tensor<i32>");
        let zero = self.constant(0, "tensor<i32>");
        self.names += 1;
        let (names, carried) = (self.names, body.argument.expect("a loop carries a value"));
        self.line(&format!(
            "%w{names}:2 = stablehlo.while(%i{names} = {zero}, %v{carried} = %v{operand}) : tensor<i32>, {TENSOR}\ncond {{"
        ));
        let going = self.name(&format!(
            "stablehlo.compare LT, %i{names}, {steps} : (tensor<i32>, tensor<i32>) -> tensor<i1>"
        ));
        self.line(&format!("stablehlo.return {going} : tensor<i1>\n}} do {{"));
        let one = self.constant(1, "tensor<i32>");
        let next = self.binary("add", &format!("%i{names}"), &one, "tensor<i32>");
        for (value, statement) in &body.statements {
            self.statement(*value, statement);
        }
        self.line(&format!("stablehlo.return {next}, %v{} : tensor<i32>, {TENSOR}\n}}", body.result));
        self.alias(value, &format!("%w{names}#1"));
    }
}

/// The type of as many parts along an axis.
fn long(count: usize, axis: usize) -> String {
    match axis {
        0 => format!("tensor<{}x2xi32>", 2 * count),
        _ => format!("tensor<2x{}xi32>", 2 * count),
    }
}

fn names(axes: &[usize]) -> String {
    let names: Vec<String> = axes.iter().map(|axis| format!("\"a{axis}\"")).collect();
    names.join(", ")
}

/// The text of an example; for the devices that run it, where it is a grid, if `alone` is not set.
pub fn print(example: &Example, alone: bool) -> String {
    let world = &example.world;
    let mut p = Printer { world, out: String::new(), names: 0 };
    let processes = world.processes();
    p.line("module {");
    let argument = example.main.argument.expect("the main function takes a value");
    match &world.kind {
        Kind::Mesh { ids, inner } => {
            let axes: Vec<String> =
                world.axes.iter().enumerate().map(|(i, size)| format!("\"a{i}\"={size}")).collect();
            let ids = ids.as_ref().map_or(String::new(), |ids| format!(", device_ids={ids:?}"));
            let outer: Vec<usize> = (0..world.axes.len() - inner).collect();
            let ty = long(outer.iter().map(|&axis| world.axes[axis]).product(), 0);
            let names = names(&outer);
            p.line(&format!("sdy.mesh @mesh = <[{}]{ids}>", axes.join(", ")));
            p.line(&format!("func.func @main(%x: {ty}) -> {ty} {{"));
            p.line(&format!(
                "%y = sdy.manual_computation(%x) in_shardings=[<@mesh, [{{{names}}}, {{}}]>] \
                 out_shardings=[<@mesh, [{{{names}}}, {{}}]>] manual_axes={{{names}}} (%v{argument}: {TENSOR}) {{"
            ));
            p.body(&example.main, "sdy.return:main");
            p.line(&format!("}} : ({ty}) -> {ty}\nreturn %y : {ty}\n}}"));
        }
        Kind::Grid if !alone => {
            p.line(&format!("func.func @main(%v{argument}: {TENSOR}) -> {TENSOR} {{"));
            p.body(&example.main, "return");
            p.line("}");
        }
        Kind::Grid => {
            let list = |name: &str| {
                let all: Vec<String> = (0..processes).map(|n| format!("%{name}{n}")).collect();
                all.join(", ")
            };
            let types = vec![TENSOR; processes].join(", ");
            let arguments: Vec<String> = (0..processes).map(|n| format!("%x{n}: {TENSOR}")).collect();
            let row = format!("[{}]", vec!["@each"; world.partitions()].join(", "));
            p.line(&format!("func.func @main({}) -> ({types}) {{", arguments.join(", ")));
            let mut results = String::new();
            for n in 0..processes {
                let _ = write!(results, "{}%y#{n}", if n > 0 { ", " } else { "" });
            }
            p.line(&format!(
                "%y:{processes} = \"interpreter.run_parallel\"({}) {{programs = [{}]}} : ({types}) -> ({types})",
                list("x"),
                vec![row; world.replicas()].join(", ")
            ));
            p.line(&format!("return {} : {types}\n}}", if processes == 1 { "%y".into() } else { results }));
            p.line(&format!("func.func private @each(%v{argument}: {TENSOR}) -> {TENSOR} {{"));
            p.body(&example.main, "return");
            p.line("}");
        }
    }
    for (number, body) in example.functions.iter().enumerate() {
        let argument = body.argument.expect("a function takes a value");
        p.line(&format!("func.func private @f{number}(%v{argument}: {TENSOR}) -> {TENSOR} {{"));
        p.body(body, "return");
        p.line("}");
    }
    p.line("}");
    p.out
}

/// The arguments of the text, from those of the processes.
pub fn arguments(example: &Example, inputs: &[Tensor]) -> Vec<Literal> {
    results(example, inputs)
}

/// The results of the text, from those of the processes.
pub fn results(example: &Example, values: &[Tensor]) -> Vec<Literal> {
    let world = &example.world;
    match world.kind {
        Kind::Mesh { inner, .. } => {
            let each: usize = world.axes[world.axes.len() - inner..].iter().product();
            let firsts = (0..world.processes()).step_by(each).map(|position| values[world.number(position)]);
            let all: Vec<i32> = firsts.flatten().collect();
            vec![literal(&[all.len() / 2, 2], &all)]
        }
        Kind::Grid => values.iter().map(|value| literal(&[2, 2], value)).collect(),
    }
}

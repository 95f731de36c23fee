//! Runs programs of the language that `oracle/README.md` describes, over arrays.

use std::collections::HashMap;

use jarrah_array::{
    Array, DType, Error, cond, custom_jvp, custom_vjp, fail, jit, jvp, lax, remat, scan_length,
    scan_length_reverse, stop_gradient, switch, value_and_grad, vjp, vmap_axes, while_loop,
};
use jarrah_base::Type;
use serde_json::Value;

/// The values of the names that are visible in a function: its own, then those where it stands.
struct Scope<'a> {
    outer: Option<&'a Scope<'a>>,
    values: HashMap<&'a str, Array>,
}

impl Scope<'_> {
    fn get(&self, name: &str) -> &Array {
        match (self.values.get(name), self.outer) {
            (Some(array), _) => array,
            (None, Some(outer)) => outer.get(name),
            (None, None) => panic!("{name} has no value"),
        }
    }
}

/// Evaluates functions with `float` for the kind `f`.
pub struct Interpreter {
    pub float: DType,
}

impl Interpreter {
    /// What a whole program returns.
    pub fn run(&self, program: &Value, args: &[Array]) -> Vec<Array> {
        self.apply(program, None, args)
    }

    fn apply<'a>(&self, function: &'a Value, outer: Option<&'a Scope<'a>>, args: &[Array]) -> Vec<Array> {
        let mut scope = Scope { outer, values: HashMap::new() };
        let params = list(&function["params"]);
        assert_eq!(params.len(), args.len());
        for (param, array) in params.iter().zip(args) {
            self.bind(&mut scope, "a parameter", param, array.clone());
        }
        for node in list(&function["body"]) {
            let results = self.node(node, &scope);
            let out = list(&node["out"]);
            assert_eq!(out.len(), results.len(), "{}", text(&node["op"]));
            for (declared, array) in out.iter().zip(results) {
                self.bind(&mut scope, text(&node["op"]), declared, array);
            }
        }
        list(&function["results"]).iter().map(|name| scope.get(text(name)).clone()).collect()
    }

    /// Gives the array a name, if it is of the type that the program says.
    fn bind<'a>(&self, scope: &mut Scope<'a>, op: &str, declared: &'a Value, array: Array) {
        let (name, ty) = (text(&declared[0]), self.ty(text(&declared[1])));
        if array.ty() != ty {
            fail(Error::program(format!("{name} is {}, not {ty}", array.ty())).op(op));
        }
        scope.values.insert(name, array);
    }

    fn kind(&self, kind: &str) -> DType {
        match kind {
            "f" => self.float,
            "i" => DType::I32,
            "b" => DType::Bool,
            other => panic!("{other} is no kind"),
        }
    }

    /// `f[2,3]`.
    pub fn ty(&self, text: &str) -> Type {
        let dims = text[2..text.len() - 1].split(',').filter(|d| !d.is_empty());
        Type::tensor(self.kind(&text[..1]), dims.map(|d| d.parse::<usize>().unwrap()))
    }

    fn node(&self, n: &Value, scope: &Scope<'_>) -> Vec<Array> {
        let first = list(&n["args"]).iter().find_map(Value::as_str).map(|name| scope.get(name));
        let args: Vec<Array> = list(&n["args"])
            .iter()
            .map(|arg| match arg.as_f64() {
                Some(number) => {
                    let like = first.expect("a number stands beside a name");
                    Array::full(&like.shape(), number, like.dtype())
                }
                None => scope.get(text(arg)).clone(),
            })
            .collect();
        match self.primitive(n, &args) {
            Some(array) => vec![array],
            None => self.higher(n, scope, &args),
        }
    }

    /// The result of a node that is no transformation or control flow and has one result.
    fn primitive(&self, n: &Value, a: &[Array]) -> Option<Array> {
        let out = || self.ty(text(&n["out"][0][1]));
        let axes = |key: &str| -> Vec<isize> { sizes(&n[key]).into_iter().map(|d| d as isize).collect() };
        Some(match text(&n["op"]) {
            "neg" => -&a[0],
            "exp" => a[0].exp(),
            "expm1" => a[0].expm1(),
            "log" => a[0].log(),
            "log1p" => a[0].log1p(),
            "tanh" => a[0].tanh(),
            "sin" => a[0].sin(),
            "cos" => a[0].cos(),
            "sqrt" => a[0].sqrt(),
            "rsqrt" => a[0].rsqrt(),
            "logistic" => a[0].sigmoid(),
            "floor" => a[0].floor(),
            "sign" => a[0].sign(),
            "abs" => a[0].abs(),
            "not" => !&a[0],
            "add" => &a[0] + &a[1],
            "sub" => &a[0] - &a[1],
            "mul" => &a[0] * &a[1],
            "div" => &a[0] / &a[1],
            "maximum" => a[0].maximum(&a[1]),
            "minimum" => a[0].minimum(&a[1]),
            "rem" => lax::rem(&a[0], &a[1]),
            "and" => &a[0] & &a[1],
            "or" => &a[0] | &a[1],
            "compare" => match text(&n["direction"]) {
                "LT" => a[0].lt(&a[1]),
                "LE" => a[0].le(&a[1]),
                "GT" => a[0].gt(&a[1]),
                "GE" => a[0].ge(&a[1]),
                "EQ" => a[0].eq(&a[1]),
                _ => a[0].ne(&a[1]),
            },
            "select" => lax::select(&a[0], &a[1], &a[2]),
            "clamp" => lax::clamp(&a[0], &a[1], &a[2]),
            "stop_gradient" => stop_gradient(&a[0]),
            "constant" => {
                let value = n["value"].as_f64().or_else(|| n["value"].as_bool().map(f64::from));
                Array::full(&concrete(out()), value.unwrap(), out().dtype())
            }
            "iota" => lax::iota(out().dtype(), &concrete(out()), size(&n["axis"])),
            "convert" => a[0].astype(self.kind(text(&n["to"]))),
            "reshape" => a[0].reshape(&axes("shape")),
            "transpose" => lax::transpose(&a[0], &sizes(&n["permutation"])),
            "broadcast_in_dim" => lax::broadcast_in_dim(&a[0], &sizes(&n["shape"]), &sizes(&n["dims"])),
            "reverse" => lax::reverse(&a[0], &sizes(&n["axes"])),
            "slice" => lax::slice(&a[0], &sizes(&n["start"]), &sizes(&n["limit"]), &sizes(&n["stride"])),
            "dynamic_slice" => lax::dynamic_slice(&a[0], &a[1..], &sizes(&n["sizes"])),
            "dynamic_update_slice" => lax::dynamic_update_slice(&a[0], &a[1], &a[2..]),
            "concatenate" => jarrah_array::concatenate(&[&a[0], &a[1]], size(&n["axis"]) as isize),
            "pad" => {
                let (low, high) = (signed(&n["low"]), signed(&n["high"]));
                lax::pad_interior(&a[0], &a[1], &low, &high, &sizes(&n["interior"]))
            }
            "take" => lax::take(&a[0], &a[1], 0),
            "scatter_add" => lax::scatter_add(&a[0], &a[1], &a[2]),
            "dot_general" => {
                let (lhs, rhs) = (sizes(&n["lhs_contract"]), sizes(&n["rhs_contract"]));
                let (lhs_batch, rhs_batch) = (sizes(&n["lhs_batch"]), sizes(&n["rhs_batch"]));
                lax::dot_general(&a[0], &a[1], (&lhs, &rhs), (&lhs_batch, &rhs_batch))
            }
            "reduce_sum" => a[0].sum(&axes("axes")[..]).astype(out().dtype()),
            "reduce_max" => a[0].max(&axes("axes")[..]),
            "argmax" => a[0].argmax(size(&n["axis"]) as isize),
            "cumsum" => {
                let axis = size(&n["axis"]) as isize;
                let x = if flag(&n["reverse"]) { a[0].flip(axis) } else { a[0].clone() };
                let sums = x.cumsum(axis).astype(out().dtype());
                if flag(&n["reverse"]) { sums.flip(axis) } else { sums }
            }
            _ => return None,
        })
    }

    /// The results of a transformation of a function, of control flow, or of a sort.
    fn higher(&self, n: &Value, scope: &Scope<'_>, a: &[Array]) -> Vec<Array> {
        let args = a.to_vec();
        let call = |key: &str, args: &[Array]| self.apply(&n[key], Some(scope), args);
        match text(&n["op"]) {
            "sort" => lax::sort(&a.iter().collect::<Vec<_>>(), size(&n["axis"])),
            "call" => {
                jit(|x: &Vec<Array>| call("fn", x)).call(args).unwrap_or_else(|error| fail(error.op("call")))
            }
            "remat" => remat(|x: &Vec<Array>| call("fn", x))(&args),
            "grad" => {
                let wrt = sizes(&n["wrt"]);
                let f = |x: &Vec<Array>| call("fn", &replaced(a, &wrt, x)).swap_remove(0);
                let (value, gradients) = value_and_grad(f)(&picked(a, &wrt));
                if flag(&n["value"]) { [vec![value], gradients].concat() } else { gradients }
            }
            "jvp" => {
                let named = list(&n["tangents"]).iter().enumerate();
                let (at, tangents): (Vec<usize>, Vec<Array>) =
                    named.filter_map(|(i, name)| Some((i, scope.get(name.as_str()?).clone()))).unzip();
                let f = |x: &Vec<Array>| call("fn", &replaced(a, &at, x));
                let (results, tangents) = jvp(f, &picked(a, &at), &tangents);
                [results, tangents].concat()
            }
            "vjp" => {
                let wrt = sizes(&n["wrt"]);
                let f = |x: &Vec<Array>| call("fn", &replaced(a, &wrt, x));
                let (results, pull) = vjp(f, &picked(a, &wrt));
                let cotangents =
                    list(&n["cotangents"]).iter().map(|name| scope.get(text(name)).clone()).collect();
                [results, pull(&cotangents)].concat()
            }
            "vmap" => {
                let axes = |key: &str| -> Vec<Option<isize>> {
                    list(&n[key]).iter().map(|axis| axis.as_i64().map(|axis| axis as isize)).collect()
                };
                vmap_axes(|x: &Vec<Array>| call("fn", x), &axes("in_axes"), &axes("out_axes"))(&args)
            }
            "scan" => {
                let carried = size(&n["carry"]);
                let step = |carry: &Vec<Array>, x: &Vec<Array>| {
                    let mut carry = call("fn", &[&carry[..], &x[..]].concat());
                    let ys = carry.split_off(carried);
                    (carry, ys)
                };
                let (init, xs) = (a[..carried].to_vec(), a[carried..].to_vec());
                let length = size(&n["length"]);
                let (carry, ys) = match flag(&n["reverse"]) {
                    true => scan_length_reverse(step, &init, &xs, length),
                    false => scan_length(step, &init, &xs, length),
                };
                [carry, ys].concat()
            }
            "while" => while_loop(
                |state: &Vec<Array>| call("cond", state).swap_remove(0),
                |state: &Vec<Array>| call("body", state),
                &args,
            ),
            "cond" => cond(&a[0], || call("true", &a[1..]), || call("false", &a[1..])),
            "switch" => {
                let branches: Vec<Box<dyn Fn() -> Vec<Array>>> = list(&n["branches"])
                    .iter()
                    .map(|f| Box::new(|| self.apply(f, Some(scope), &a[1..])) as Box<dyn Fn() -> Vec<Array>>)
                    .collect();
                switch(&a[0], &branches.iter().map(Box::as_ref).collect::<Vec<_>>())
            }
            "custom_jvp" => {
                let f = |x: &Vec<Array>| self.apply(&n["fn"], None, x);
                let rule = |x: &Vec<Array>, dx: &Vec<Array>| {
                    (f(x), self.apply(&n["jvp"], None, &[&x[..], &dx[..]].concat()))
                };
                custom_jvp(f, rule)(&args)
            }
            "custom_vjp" => {
                let f = |x: &Vec<Array>| self.apply(&n["fn"], None, x);
                let forward = |x: &Vec<Array>| (f(x), self.apply(&n["fwd"], None, x));
                let backward = |kept: &Vec<Array>, cotangents: &Vec<Array>| {
                    self.apply(&n["bwd"], None, &[&kept[..], &cotangents[..]].concat())
                };
                custom_vjp(f, forward, backward)(&args)
            }
            other => panic!("{other} is no op of the language"),
        }
    }
}

/// The arrays at these positions.
fn picked(all: &[Array], positions: &[usize]) -> Vec<Array> {
    positions.iter().map(|&i| all[i].clone()).collect()
}

/// All arrays, with others at these positions.
fn replaced(all: &[Array], positions: &[usize], others: &[Array]) -> Vec<Array> {
    let mut all = all.to_vec();
    for (&i, other) in positions.iter().zip(others) {
        all[i] = other.clone();
    }
    all
}

fn concrete(ty: Type) -> Vec<usize> {
    ty.dims().to_vec()
}

pub fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

pub fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

fn size(value: &Value) -> usize {
    value.as_u64().expect("a size") as usize
}

fn flag(value: &Value) -> bool {
    value.as_bool().expect("true or false")
}

fn sizes(value: &Value) -> Vec<usize> {
    list(value).iter().map(size).collect()
}

fn signed(value: &Value) -> Vec<i64> {
    list(value).iter().map(|x| x.as_i64().expect("a whole number")).collect()
}

use std::collections::HashMap;

use jarrah_array::{
    Array, DType, cond, custom_jvp, custom_vjp, grad, jit, jvp, lax, remat, scan, scan_reverse,
    stop_gradient, switch, value_and_grad, vjp, vmap_axes, where_, while_loop,
};
use jarrah_hlo::ops::{BroadcastInDim, Clamp, Pad, Reverse, Slice};
use serde_json::Value;

/// What `f` means.
#[derive(Clone, Copy)]
pub enum Width {
    Single,
    Double,
}

impl Width {
    pub fn float(self) -> DType {
        match self {
            Width::Single => DType::F32,
            Width::Double => DType::F64,
        }
    }

    pub fn golden(self) -> &'static str {
        match self {
            Width::Single => "out32",
            Width::Double => "out64",
        }
    }

    fn dtype(self, kind: &str) -> DType {
        match kind {
            "f" => self.float(),
            "i" => DType::I32,
            _ => DType::Bool,
        }
    }

    /// `f[2,3]` as a dtype and a shape.
    fn parse(self, text: &str) -> (DType, Vec<usize>) {
        let dims = text[2..text.len() - 1].split(',').filter(|d| !d.is_empty());
        (self.dtype(&text[..1]), dims.map(|d| d.parse().unwrap()).collect())
    }
}

type Environment = HashMap<String, Array>;

/// A function of the language with the values it captures.
pub struct Function<'a> {
    described: &'a Value,
    captured: Environment,
    width: Width,
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

fn sizes(value: &Value) -> Vec<usize> {
    list(value).iter().map(|d| d.as_u64().unwrap() as usize).collect()
}

fn integers(value: &Value) -> Vec<i64> {
    list(value).iter().map(|d| d.as_i64().unwrap()).collect()
}

fn axes(value: &Value) -> Vec<isize> {
    integers(value).into_iter().map(|d| d as isize).collect()
}

impl<'a> Function<'a> {
    /// A program.
    pub fn new(described: &'a Value, width: Width) -> Self {
        Function { described, captured: Environment::new(), width }
    }

    /// The number of parameters.
    pub fn arity(&self) -> usize {
        list(&self.described["params"]).len()
    }

    /// The results on these arguments.
    pub fn call(&self, args: &[Array]) -> Vec<Array> {
        let mut values = self.captured.clone();
        let params = list(&self.described["params"]);
        assert_eq!(args.len(), params.len());
        for (param, value) in params.iter().zip(args) {
            self.bind(&mut values, param, value.clone());
        }
        for node in list(&self.described["body"]) {
            let results = self.node(node, &values);
            let out = list(&node["out"]);
            assert_eq!(results.len(), out.len(), "{}", node["op"]);
            for (out, value) in out.iter().zip(results) {
                self.bind(&mut values, out, value);
            }
        }
        list(&self.described["results"]).iter().map(|name| values[text(name)].clone()).collect()
    }

    /// The only result.
    fn one(&self, args: &[Array]) -> Array {
        self.call(args).swap_remove(0)
    }

    fn bind(&self, values: &mut Environment, named: &Value, value: Array) {
        let (name, ty) = (text(&named[0]), text(&named[1]));
        let (dtype, shape) = self.width.parse(ty);
        assert_eq!((value.dtype(), value.shape()), (dtype, shape), "{name} should be {ty}");
        values.insert(name.to_owned(), value);
    }

    fn inner(&self, described: &'a Value, values: &Environment) -> Function<'a> {
        Function { described, captured: values.clone(), width: self.width }
    }

    fn node(&self, n: &'a Value, values: &Environment) -> Vec<Array> {
        let first = list(&n["args"]).iter().find_map(|a| a.as_str()).map(|name| &values[name]);
        let argument = |a: &Value| match (a.as_str(), first) {
            (Some(name), _) => values[name].clone(),
            (None, Some(like)) => Array::full(&like.shape(), a.as_f64().unwrap(), like.dtype()),
            (None, None) => panic!("a number without a named argument"),
        };
        let a: Vec<Array> = list(&n["args"]).iter().map(argument).collect();
        let op = text(&n["op"]);
        match self.primitive(op, n, &a) {
            Some(results) => results,
            None => self.higher_order(op, n, values, &a),
        }
    }

    fn primitive(&self, op: &str, n: &Value, a: &[Array]) -> Option<Vec<Array>> {
        let shape_and_dtype = || self.width.parse(text(&n["out"][0][1]));
        let axis = || n["axis"].as_i64().unwrap() as isize;
        Some(vec![match op {
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
            "stop_gradient" => stop_gradient(&a[0]),
            "add" => &a[0] + &a[1],
            "sub" => &a[0] - &a[1],
            "mul" => &a[0] * &a[1],
            "div" => &a[0] / &a[1],
            "rem" => &a[0] % &a[1],
            "maximum" => a[0].maximum(&a[1]),
            "minimum" => a[0].minimum(&a[1]),
            "and" => &a[0] & &a[1],
            "or" => &a[0] | &a[1],
            "compare" => match text(&n["direction"]) {
                "LT" => a[0].lt(&a[1]),
                "LE" => a[0].le(&a[1]),
                "GT" => a[0].gt(&a[1]),
                "GE" => a[0].ge(&a[1]),
                "EQ" => a[0].equal(&a[1]),
                _ => a[0].not_equal(&a[1]),
            },
            "select" => where_(&a[0], &a[1], &a[2]),
            "clamp" => lax::apply_op(Clamp, &[&a[0], &a[1], &a[2]]).swap_remove(0),
            "constant" => {
                let (dtype, shape) = shape_and_dtype();
                let value = n["value"].as_f64().or(n["value"].as_bool().map(f64::from));
                Array::full(&shape, value.unwrap(), dtype)
            }
            "iota" => {
                let (dtype, shape) = shape_and_dtype();
                lax::iota(dtype, &shape, axis() as usize)
            }
            "convert" => a[0].astype(self.width.dtype(text(&n["to"]))),
            "reshape" => a[0].reshape(&axes(&n["shape"])),
            "transpose" => lax::transpose(&a[0], &sizes(&n["permutation"])),
            "broadcast_in_dim" => {
                let dims = sizes(&n["shape"]).into_iter().map(jarrah_base::Dim::new).collect();
                let op = BroadcastInDim { dims, axes: sizes(&n["dims"]).into() };
                lax::apply_op(op, &[&a[0]]).swap_remove(0)
            }
            "reverse" => lax::apply_op(Reverse { axes: sizes(&n["axes"]).into() }, &[&a[0]]).swap_remove(0),
            "slice" => {
                let of = |name: &str| sizes(&n[name]).into_iter().collect();
                let op = Slice { starts: of("start"), limits: of("limit"), strides: of("stride") };
                lax::apply_op(op, &[&a[0]]).swap_remove(0)
            }
            "dynamic_slice" => lax::dynamic_slice(&a[0], &a[1..], &sizes(&n["sizes"])),
            "dynamic_update_slice" => lax::dynamic_update_slice(&a[0], &a[1], &a[2..]),
            "concatenate" => jarrah_array::concatenate(&a.iter().collect::<Vec<_>>(), axis()),
            "pad" => {
                let of = |name: &str| integers(&n[name]).into_iter().collect();
                let op = Pad {
                    low: of("low"),
                    high: of("high"),
                    interior: sizes(&n["interior"]).into_iter().collect(),
                };
                lax::apply_op(op, &[&a[0], &a[1]]).swap_remove(0)
            }
            "take" => lax::take(&a[0], &a[1], 0),
            "scatter_add" => lax::scatter_add(&a[0], &a[1], &a[2]),
            "dot_general" => {
                let of = |name: &str| sizes(&n[name]);
                let contract = (&of("lhs_contract")[..], &of("rhs_contract")[..]);
                let batch = (&of("lhs_batch")[..], &of("rhs_batch")[..]);
                lax::dot_general(&a[0], &a[1], contract, batch)
            }
            "reduce_sum" => a[0].sum(&axes(&n["axes"])[..]),
            "reduce_max" => a[0].max(&axes(&n["axes"])[..]),
            "argmax" => a[0].argmax(axis()),
            "cumsum" if n["reverse"].as_bool().unwrap() => a[0].flip(axis()).cumsum(axis()).flip(axis()),
            "cumsum" => a[0].cumsum(axis()),
            "sort" => return Some(lax::sort(&a.iter().collect::<Vec<_>>(), axis() as usize)),
            _ => return None,
        }])
    }

    fn higher_order(&self, op: &str, n: &'a Value, values: &Environment, a: &[Array]) -> Vec<Array> {
        let inner = |name: &str| self.inner(&n[name], values);
        match op {
            "call" => {
                let f = inner("fn");
                jit(move |args: Vec<Array>| f.call(&args)).call(a.to_vec()).unwrap()
            }
            "remat" => {
                let f = inner("fn");
                remat(|args: &Vec<Array>| f.call(args))(&a.to_vec())
            }
            "grad" => {
                let (f, wrt) = (inner("fn"), sizes(&n["wrt"]));
                let some: Vec<Array> = wrt.iter().map(|&i| a[i].clone()).collect();
                let loss = |some: &Vec<Array>| f.one(&replaced(a, &wrt, some));
                if n["value"].as_bool().unwrap() {
                    let (value, slopes) = value_and_grad(loss)(&some);
                    std::iter::once(value).chain(slopes).collect()
                } else {
                    grad(loss)(&some)
                }
            }
            "jvp" => {
                let f = inner("fn");
                let tangents = list(&n["tangents"]);
                let at: Vec<usize> = (0..a.len()).filter(|&i| !tangents[i].is_null()).collect();
                let some: Vec<Array> = at.iter().map(|&i| a[i].clone()).collect();
                let directions = at.iter().map(|&i| values[text(&tangents[i])].clone()).collect();
                let g = |some: &Vec<Array>| f.call(&replaced(a, &at, some));
                let (results, tangents) = jvp(g, &some, &directions);
                results.into_iter().chain(tangents).collect()
            }
            "vjp" => {
                let (f, wrt) = (inner("fn"), sizes(&n["wrt"]));
                let some: Vec<Array> = wrt.iter().map(|&i| a[i].clone()).collect();
                let (results, pull) = vjp(|some: &Vec<Array>| f.call(&replaced(a, &wrt, some)), &some);
                let cotangents = list(&n["cotangents"]).iter().map(|c| values[text(c)].clone()).collect();
                let pulled = pull(&cotangents);
                results.into_iter().chain(pulled).collect()
            }
            "vmap" => self.vmap(n, values, a),
            "scan" => {
                let f = inner("fn");
                let carried = n["carry"].as_u64().unwrap() as usize;
                let step = |carry: &Vec<Array>, x: &Vec<Array>| {
                    let mut results = f.call(&[&carry[..], &x[..]].concat());
                    let ys = results.split_off(carried);
                    (results, ys)
                };
                let length = n["length"].as_u64().unwrap() as usize;
                let (init, mut xs) = (a[..carried].to_vec(), a[carried..].to_vec());
                // A loop over no array still takes its number of steps from one.
                let counted = xs.is_empty();
                if counted {
                    xs.push(Array::arange(length));
                }
                let step = |carry: &Vec<Array>, x: &Vec<Array>| {
                    step(carry, &if counted { Vec::new() } else { x.clone() })
                };
                let (carry, ys) = if n["reverse"].as_bool().unwrap() {
                    scan_reverse(step, &init, &xs)
                } else {
                    scan(step, &init, &xs)
                };
                carry.into_iter().chain(ys).collect()
            }
            "while" => {
                let (condition, body) = (inner("cond"), inner("body"));
                while_loop(|s: &Vec<Array>| condition.one(s), |s: &Vec<Array>| body.call(s), &a.to_vec())
            }
            "cond" => {
                let (on_true, on_false) = (inner("true"), inner("false"));
                cond(&a[0], || on_true.call(&a[1..]), || on_false.call(&a[1..]))
            }
            "switch" => {
                let functions: Vec<Function> =
                    list(&n["branches"]).iter().map(|b| self.inner(b, values)).collect();
                let branches: Vec<Box<dyn Fn() -> Vec<Array> + '_>> =
                    functions.iter().map(|f| Box::new(|| f.call(&a[1..])) as Box<_>).collect();
                switch(&a[0], &branches.iter().map(|b| &**b).collect::<Vec<_>>())
            }
            "custom_jvp" => {
                let closed = Environment::new();
                let (f, rule) = (self.inner(&n["fn"], &closed), self.inner(&n["jvp"], &closed));
                let both =
                    |x: &Vec<Array>, dx: &Vec<Array>| (f.call(x), rule.call(&[&x[..], &dx[..]].concat()));
                custom_jvp(|x: &Vec<Array>| f.call(x), both)(&a.to_vec())
            }
            "custom_vjp" => {
                let closed = Environment::new();
                let [f, forward, backward] = ["fn", "fwd", "bwd"].map(|name| self.inner(&n[name], &closed));
                custom_vjp(
                    |x: &Vec<Array>| f.call(x),
                    |x: &Vec<Array>| (f.call(x), forward.call(x)),
                    |kept: &Vec<Array>, ct: &Vec<Array>| backward.call(&[&kept[..], &ct[..]].concat()),
                )(&a.to_vec())
            }
            other => panic!("no op {other}"),
        }
    }

    fn vmap(&self, n: &'a Value, values: &Environment, a: &[Array]) -> Vec<Array> {
        let f = self.inner(&n["fn"], values);
        let places =
            |name: &str| list(&n[name]).iter().map(|x| x.as_i64().map(|x| x as isize)).collect::<Vec<_>>();
        let (in_axes, out_axes) = (places("in_axes"), places("out_axes"));
        vmap_axes(|args: &Vec<Array>| f.call(args), &in_axes, &out_axes)(&a.to_vec())
    }
}

/// `args` with those at `positions` replaced.
fn replaced(args: &[Array], positions: &[usize], some: &[Array]) -> Vec<Array> {
    let mut all = args.to_vec();
    for (&position, array) in positions.iter().zip(some) {
        all[position] = array.clone();
    }
    all
}

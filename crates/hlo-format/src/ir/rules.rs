//! Constraints of single ops on their attributes and on the element types of their regions.

use jarrah_base::{DType, Result};

use super::{Attr, Attributes, ElementTy, IrModule, IrOp, Region, TensorTy, Ty, ValueId};

/// Checks the constraints of an op that do not concern shapes.
pub(super) fn verify(module: &IrModule, op: &IrOp) -> Result<()> {
    let wrong = match op.name() {
        "func.func" => unknown_type(op.attr("function_type")),
        "chlo.scan" => scan(module, op),
        "chlo.constant_like" => constant_like(module, op),
        "stablehlo.all_reduce" => all_reduce(op),
        "stablehlo.composite" => composite(op),
        "stablehlo.is_finite" => floats(module, op),
        "stablehlo.map" => map(module, op),
        "stablehlo.reduce" => {
            let (inputs, inits) = op.operands.split_at(op.operands.len() / 2);
            promotable(module, op.regions.first(), inputs, inits)
        }
        "stablehlo.reduce_window" => {
            let (inputs, inits) = op.operands.split_at(op.operands.len() / 2);
            padding(op).or_else(|| promotable(module, op.regions.first(), inputs, inits))
        }
        "stablehlo.rng" => rank(module, op, 2, 1),
        "stablehlo.select_and_scatter" => padding(op).or_else(|| select_and_scatter(module, op)),
        "stablehlo.set_dimension_size" => rank(module, op, 1, 0),
        _ => None,
    };
    let wrong = wrong.or_else(|| result_accuracy(op)).or_else(|| precision(op));
    wrong.map_or(Ok(()), |message| Err(module.error(op, message)))
}

/// A type that claims to be of a dialect that has no such type.
fn unknown_type(attr: Option<&Attr>) -> Option<String> {
    fn unknown(ty: &Ty) -> Option<String> {
        match ty {
            Ty::Opaque(text) if text.starts_with("!stablehlo.") || text.starts_with("!chlo.") => {
                Some(format!("there is no type {text}"))
            }
            Ty::Tuple(list) | Ty::Future(list) => list.iter().find_map(unknown),
            Ty::Function(of) => of.0.iter().chain(&of.1).find_map(unknown),
            _ => None,
        }
    }
    match attr {
        Some(Attr::Type(ty)) => unknown(ty),
        _ => None,
    }
}

/// Only where errors are tolerated are there tolerances.
fn result_accuracy(op: &IrOp) -> Option<String> {
    let Some(Attr::Struct("stablehlo.result_accuracy", fields)) = op.attr("result_accuracy") else {
        return None;
    };
    let tolerances = ["atol", "rtol", "ulps"].map(|name| match fields.get(name) {
        Some(Attr::Float(x, _)) => *x,
        Some(Attr::Integer(n, _)) => *n as f64,
        _ => 0.0,
    });
    if tolerances.iter().any(|&t| t < 0.0) {
        return Some("a tolerance of result_accuracy is negative".into());
    }
    let mode = match fields.get("mode") {
        Some(Attr::Enum(_, mode)) => mode,
        _ => "DEFAULT",
    };
    let stated = tolerances.iter().any(|&t| t != 0.0);
    (mode != "TOLERANCE" && stated)
        .then(|| format!("result_accuracy has tolerances, which the mode {mode} does not take"))
}

/// At most two precisions, one for each side of a product, and an algorithm only with the default ones.
fn precision(op: &IrOp) -> Option<String> {
    let mut default = true;
    if let Some(Attr::Array(list)) = op.attr("precision_config") {
        for attr in list {
            match attr {
                Attr::Enum("stablehlo.precision" | "chlo.precision", word) => default &= *word == "DEFAULT",
                _ => return Some("precision_config should be a list of #stablehlo.precision".into()),
            }
        }
        if list.len() > 2 {
            return Some(format!("precision_config has {} entries, at most 2 are expected", list.len()));
        }
    }
    let Some(Attr::Struct("stablehlo.dot_algorithm", algorithm)) = op.attr("algorithm") else { return None };
    if !default {
        return Some("an algorithm is given, so precision_config should be DEFAULT".into());
    }
    dot_algorithm(algorithm)
}

/// Rounded operands, where sums are taken in, and how many products stand for one.
const ALGORITHMS: &[(ElementTy, ElementTy, &[i64])] = &[
    (ElementTy::Number(DType::F16), ElementTy::Number(DType::F16), &[1]),
    (ElementTy::Number(DType::F16), ElementTy::Number(DType::F32), &[1]),
    (ElementTy::Number(DType::BF16), ElementTy::Number(DType::BF16), &[1]),
    (ElementTy::Number(DType::BF16), ElementTy::Number(DType::F32), &[1, 3, 6, 9]),
    (ElementTy::Tf32, ElementTy::Number(DType::F32), &[1, 3]),
    (ElementTy::Number(DType::F32), ElementTy::Number(DType::F32), &[1]),
    (ElementTy::Number(DType::F64), ElementTy::Number(DType::F64), &[1]),
];

fn dot_algorithm(fields: &Attributes) -> Option<String> {
    let number = |name: &str| fields.get(name).and_then(Attr::integer).unwrap_or(0);
    let counts = ["lhs_component_count", "rhs_component_count", "num_primitive_operations"];
    if let Some(name) = counts.iter().find(|name| number(name) < 1) {
        return Some(format!("{name} is {}, a positive number is expected", number(name)));
    }
    let element = |name: &str| match fields.get(name) {
        Some(Attr::Type(Ty::Scalar(element))) => Some(element),
        _ => None,
    };
    let sides = [element("lhs_precision_type")?, element("rhs_precision_type")?];
    let sum = element("accumulation_type")?;
    let products = number("num_primitive_operations");
    let imprecise = fields.get("allow_imprecise_accumulation").and_then(Attr::integer).unwrap_or(0) != 0;
    let eighth = |e: &ElementTy| matches!(e, ElementTy::Number(d) if d.is_float() && d.bits() == 8);
    let known = if sides.iter().all(|e| eighth(e)) {
        *sum == ElementTy::Number(DType::F32) && products == 1
    } else {
        let listed = |(side, total, counts): &(ElementTy, ElementTy, &[i64])| {
            sides.iter().all(|e| *e == side) && sum == total && counts.contains(&products)
        };
        !imprecise && ALGORITHMS.iter().any(listed)
    };
    let single = number(counts[0]) == 1 && number(counts[1]) == 1;
    (!known || !single).then(|| "the algorithm is none that the specification lists".into())
}

/// `dialect.name`.
fn composite(op: &IrOp) -> Option<String> {
    let name = op.text("name")?;
    let mut parts = name.split('.');
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let first = parts.next().unwrap_or("");
    let mut rest = parts.peekable();
    let good = first.starts_with(|c: char| c.is_ascii_alphabetic())
        && first.chars().all(word)
        && rest.peek().is_some()
        && rest.all(|p| !p.is_empty() && p.chars().all(|c| word(c) || c == '$'));
    (!good).then(|| format!("the name is {name:?}, one as in \"dialect.name\" is expected"))
}

fn all_reduce(op: &IrOp) -> Option<String> {
    let empty = op.attr("replica_groups").and_then(Attr::integers).is_some_and(|l| l.is_empty());
    (empty && op.attr("use_global_device_ids").is_some())
        .then(|| "there are no replica groups, which use_global_device_ids needs".into())
}

/// The operand `index` has rank `expected`.
fn rank(module: &IrModule, op: &IrOp, index: usize, expected: usize) -> Option<String> {
    let rank = module.ty(*op.operands.get(index)?).tensor()?.dims.as_ref()?.len();
    (rank != expected).then(|| format!("operand {index} has rank {rank}, {expected} is expected"))
}

fn floats(module: &IrModule, op: &IrOp) -> Option<String> {
    match module.ty(*op.operands.first()?).tensor()?.element {
        ElementTy::Number(dtype) if !dtype.is_float() => {
            Some(format!("the operand has elements of type {dtype}, floats are expected"))
        }
        _ => None,
    }
}

/// The value has the element type of the result.
fn constant_like(module: &IrModule, op: &IrOp) -> Option<String> {
    let result = &module.ty(*op.results.first()?).tensor()?.element;
    let fits = match op.attr("value")? {
        Attr::Float(_, element) | Attr::Integer(_, element) => element == result,
        Attr::Bool(_) => *result == ElementTy::Number(DType::Bool),
        _ => true,
    };
    (!fits).then(|| "the value has another type than the elements of the result".into())
}

/// All axes in their order, and a region over scalars of the operands' element types.
fn map(module: &IrModule, op: &IrOp) -> Option<String> {
    let types: Vec<&TensorTy> = op.operands.iter().filter_map(|&v| module.ty(v).tensor()).collect();
    let rank = types.iter().find_map(|t| t.dims.as_ref()).map(|d| d.len());
    let axes = op.attr("dimensions").and_then(Attr::integers)?;
    if !axes.iter().copied().eq(0..rank.unwrap_or(axes.len()) as i64) {
        return Some(format!("dimensions are {axes:?}, all axes in their order are expected"));
    }
    let args = op.regions.first()?.args.iter().filter_map(|&a| module.ty(a).tensor());
    let other = types
        .iter()
        .zip(args)
        .position(|(x, a)| !is_quantized(x) && !is_quantized(a) && x.element != a.element);
    other.map(|i| format!("argument {i} of the region has another element type than the operand"))
}

fn is_quantized(ty: &TensorTy) -> bool {
    matches!(ty.element, ElementTy::Quantized(_))
}

/// `N` pairs.
fn padding(op: &IrOp) -> Option<String> {
    let Some(Attr::Dense(dense)) = op.attr("padding") else { return None };
    let dims = dense.ty.dims.as_ref()?;
    let pairs = dims.len() == 2 && dims[1] == Some(2);
    (!pairs).then(|| "padding is no list of pairs, a tensor<Nx2xi64> is expected".into())
}

fn select_and_scatter(module: &IrModule, op: &IrOp) -> Option<String> {
    let windows = op.attr("window_dimensions").and_then(Attr::integers).map_or(0, |l| l.len());
    let &[operand, _, init] = &op.operands[..] else { return None };
    let rank = module.ty(operand).tensor()?.dims.as_ref().map(|d| d.len());
    if let Some(rank) = rank.filter(|&r| r != windows) {
        return Some(format!(
            "window_dimensions has {windows} entries, one for each of {rank} axes is needed"
        ));
    }
    let [select, scatter] = &op.regions[..] else { return None };
    let predicate = |v: &ValueId| super::shapes::is_predicate(module.ty(*v));
    if !select.ops.last().is_some_and(|last| matches!(&last.operands[..], [only] if predicate(only))) {
        return Some("the region that selects should return one tensor<i1>".into());
    }
    promotable(module, Some(scatter), &[operand], &[init])
}

/// The body of a reduction takes and returns tensors that the elements of the operands and the initial values can be
/// promoted to: of the same kind and, but for floats, no narrower.
fn promotable(
    module: &IrModule,
    body: Option<&Region>,
    inputs: &[ValueId],
    inits: &[ValueId],
) -> Option<String> {
    let body = body?;
    let last = body.ops.last()?;
    if last.operands.iter().any(|&v| module.ty(v).tensor().is_none()) {
        return Some("the body of a reduction should return tensors".into());
    }
    for (what, from) in [("operand", inputs), ("initial value", inits)] {
        for (i, (&value, &arg)) in from.iter().zip(&body.args).enumerate() {
            let Some((x, a)) = module.ty(value).tensor().zip(module.ty(arg).tensor()) else { continue };
            if let (ElementTy::Number(x), ElementTy::Number(a)) = (&x.element, &a.element)
                && !widens(*x, *a)
            {
                return Some(format!(
                    "{what} {i} has elements of type {x}, which are not promoted to the {a} of the body"
                ));
            }
        }
    }
    None
}

fn widens(from: DType, to: DType) -> bool {
    let integer = |d: DType| d.is_integer() || d == DType::Bool;
    from == to
        || from.is_float() && to.is_float()
        || integer(from) && integer(to) && from.bits() <= to.bits()
        || from.is_complex() && to.is_complex() && from.bits() <= to.bits()
}

/// Checks that the region takes the carried values as they are, and the inputs without the scanned axis.
fn scan(module: &IrModule, op: &IrOp) -> Option<String> {
    let inputs = *op.attr("operandSegmentSizes").and_then(Attr::integers)?.first()?;
    let axis = op.attr("dimension").and_then(Attr::integer)?;
    let length = op.attr("scan_dim_size").and_then(Attr::integer);
    let args = &op.regions.first()?.args;
    for (i, (&value, &arg)) in op.operands.iter().zip(args).enumerate() {
        let Some((x, a)) = module.ty(value).tensor().zip(module.ty(arg).tensor()) else { continue };
        let (Some(from), Some(to)) = (&x.dims, &a.dims) else { continue };
        let mut expected = from.clone();
        if (i as i64) < inputs {
            let Some(at) = usize::try_from(axis).ok().filter(|&at| at < from.len()) else {
                return Some(format!("operand {i} has no axis {axis}"));
            };
            let extent = expected.remove(at);
            if let (Some(stated), Some(extent)) = (length, extent)
                && u64::try_from(stated) != Ok(extent)
            {
                return Some(format!(
                    "operand {i} has extent {extent} along axis {axis}, scan_dim_size is {stated}"
                ));
            }
        }
        let same = expected.len() == to.len()
            && expected.iter().zip(to).all(|(e, t)| e.is_none() || t.is_none() || e == t);
        if !same || !is_quantized(x) && !is_quantized(a) && x.element != a.element {
            return Some(format!("argument {i} of the region does not fit operand {i}"));
        }
    }
    None
}

//! The NumPy-like functions for every dtype, and with numbers beside arrays, against JAX.

use jarrah_array::{
    Array, DType, IntoOperand, Literal, Number, Operand, c128, stop_gradient, try_trace, where_,
};
use jarrah_base::Type;
use jarrah_testing::golden_text;
use serde_json::Value as Json;

/// The three numbers that a dtype stands for, first or second.
fn numbers(dtype: DType, second: bool) -> Array {
    let c = c128::new;
    let values: [c128; 3] = match (dtype.name().as_bytes()[0], second) {
        (b'i', false) => [5.0, -3.0, 2.0].map(|x| c(x, 0.0)),
        (b'i', true) => [2.0, -2.0, 3.0].map(|x| c(x, 0.0)),
        (b'u', false) => [5.0, 3.0, 2.0].map(|x| c(x, 0.0)),
        (b'u', true) => [2.0, 1.0, 3.0].map(|x| c(x, 0.0)),
        (b'c', false) => [c(1.0, 2.0), c(-0.5, 0.25), c(3.0, -1.0)],
        (b'c', true) => [c(0.5, -1.0), c(2.0, 1.0), c(-1.0, 0.5)],
        (b'b', false) if dtype == DType::Bool => [1.0, 0.0, 1.0].map(|x| c(x, 0.0)),
        (b'b', true) if dtype == DType::Bool => [0.0, 1.0, 1.0].map(|x| c(x, 0.0)),
        (_, false) => [0.75, -1.5, 2.0].map(|x| c(x, 0.0)),
        (_, true) => [0.5, -0.75, 1.5].map(|x| c(x, 0.0)),
    };
    Array::from_literal(Literal::from_c128s(Type::tensor(dtype, [3usize]), &values).unwrap())
}

fn operand(text: &str, second: bool) -> Operand {
    match text {
        "true" => Number::Bool(true).into_operand(),
        "3" => Number::Integer(3).into_operand(),
        "0.5" => Number::Float(0.5).into_operand(),
        "1.5-2i" => Number::Complex(c128::new(1.5, -2.0)).into_operand(),
        name => numbers(DType::from_name(name).unwrap(), second).into_operand(),
    }
}

fn apply(function: &str, args: &[&str]) -> Array {
    let x = match operand(args[0], false) {
        Operand::Array(x) => x,
        number => {
            let condition = Array::from_slice(&[1u8, 0, 1]).astype(DType::Bool);
            return where_(&condition, number, operand(args[1], true));
        }
    };
    let y = || operand(args[1], true);
    match function {
        "abs" => x.abs(),
        "sign" => x.sign(),
        "floor" => x.floor(),
        "ceil" => x.ceil(),
        "round" => x.round(),
        "exp" => x.exp(),
        "expm1" => x.expm1(),
        "log" => x.log(),
        "log1p" => x.log1p(),
        "sigmoid" => x.sigmoid(),
        "tanh" => x.tanh(),
        "sqrt" => x.sqrt(),
        "cbrt" => x.cbrt(),
        "sin" => x.sin(),
        "cos" => x.cos(),
        "tan" => x.tan(),
        "neg" => -x,
        "not" => !x,
        "square" => x.square(),
        "is_finite" => x.isfinite(),
        "sum" => x.sum(..),
        "prod" => x.prod(0),
        "mean" => x.mean(..),
        "var" => x.var(0),
        "max" => x.max(0),
        "min" => x.min(0),
        "all" => x.all(0),
        "any" => x.any(0),
        "cumsum" => x.cumsum(0),
        "cumprod" => x.cumprod(0),
        "sort" => x.sort(0),
        "logsumexp" => x.logsumexp(0),
        "real" => x.real(),
        "imag" => x.imag(),
        "conj" => x.conj(),
        "stop_gradient" => stop_gradient(&x),
        "truth" => x.astype(DType::Bool),
        "add" => x + y(),
        "sub" => x - y(),
        "mul" => x * y(),
        "div" => x / y(),
        "rem" => x % y(),
        "pow" => x.pow(y()),
        "maximum" => x.maximum(y()),
        "minimum" => x.minimum(y()),
        "atan2" => x.atan2(y()),
        "shift_left" => x.shift_left(y()),
        "shift_right" => x.shift_right(y()),
        "equal" => x.eq(y()),
        "lt" => x.lt(y()),
        "ge" => x.ge(y()),
        "where" => where_(&Array::from_slice(&[1u8, 0, 1]).astype(DType::Bool), &x, y()),
        other => panic!("no function {other}"),
    }
}

/// The number, which is text where JSON has none, or a pair of parts.
fn number(json: &Json) -> c128 {
    match json {
        Json::Array(parts) => c128::new(number(&parts[0]).re, number(&parts[1]).re),
        Json::String(text) => c128::new(text.parse().unwrap(), 0.0),
        Json::Bool(truth) => c128::new(f64::from(*truth), 0.0),
        other => c128::new(other.as_f64().unwrap(), 0.0),
    }
}

fn close(found: f64, expected: f64, scale: f64, dtype: DType) -> bool {
    let tolerance = match dtype.real() {
        DType::BF16 => 2e-2,
        DType::F16 => 3e-3,
        DType::F32 => 3e-6,
        DType::F64 => 1e-13,
        _ => 0.0,
    };
    found == expected || found.is_nan() && expected.is_nan() || (found - expected).abs() <= tolerance * scale
}

/// What is wrong with a case, if anything is.
fn defect(function: &str, args: &[&str], expected: &Json) -> Option<String> {
    let found = try_trace(|| apply(function, args));
    let (found, expected) = match (found, expected) {
        (Err(_), Json::Null) => return None,
        (Err(error), _) => return Some(format!("refused: {}", error.message())),
        (Ok(found), Json::Null) => return Some(format!("is {found}, where JAX refuses")),
        (Ok(found), expected) => (found, expected),
    };
    let (dtype, values) = (expected[0].as_str().unwrap(), expected[1].as_array().unwrap());
    let literal = found.to_literal().unwrap();
    let same = literal.len() == values.len()
        && literal.to_c128_vec().iter().zip(values).all(|(&x, y)| {
            let y = number(y);
            let scale = y.norm().max(1e-3);
            close(x.re, y.re, scale, found.dtype()) && close(x.im, y.im, scale, found.dtype())
        });
    (found.dtype().name() != dtype || !same).then(|| format!("is {found}, in JAX {dtype} {values:?}"))
}

#[test]
fn functions_have_the_dtypes_and_values_of_jax() {
    let cases: Json = serde_json::from_str(&golden_text("promotion.json").unwrap()).unwrap();
    let mut defects = Vec::new();
    for case in cases.as_array().unwrap() {
        let function = case[0].as_str().unwrap();
        let args: Vec<&str> = case[1].as_array().unwrap().iter().map(|arg| arg.as_str().unwrap()).collect();
        if let Some(defect) = defect(function, &args, &case[2]) {
            defects.push(format!("{function}({}) {defect}", args.join(", ")));
        }
    }
    assert!(cases.as_array().unwrap().len() > 2000);
    assert!(defects.is_empty(), "{} defects:\n{}", defects.len(), defects.join("\n"));
}

use std::fmt::{self, Write};

use jarrah_base::{DType, Element, Literal, Type, with_element};

use crate::kernel::{Class, Inst, LoopKernel, Map, ScalarBits};
use crate::ops::Axis;

impl fmt::Display for Map {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} + [{}] + {}", self.offset, list(&self.rows), self.col)
    }
}

impl fmt::Display for Axis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Axis::Cols => f.write_str("cols"),
            Axis::Row(d) => write!(f, "row{d}"),
        }
    }
}

/// The decimal value where it reads back to the same bits, else the bits: `0x7fc00000`.
impl fmt::Display for ScalarBits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self.dtype {
            DType::Bool => if self.bits == 1 { "true" } else { "false" }.to_owned(),
            d if d.is_float() => format!("{:?}", self.to_f64()),
            d => with_element!(d, T => (<T as Element>::from_i128(i128::from(self.bits))).to_string()),
        };
        if ScalarBits::parse(self.dtype, &text) == Some(*self) {
            f.write_str(&text)
        } else {
            write!(f, "{:#x}", self.bits)
        }
    }
}

impl ScalarBits {
    /// The value, in `f64` the nearest one.
    pub fn to_f64(self) -> f64 {
        let bytes = &self.bits.to_le_bytes()[..self.dtype.size()];
        Literal::from_bytes(Type::scalar(self.dtype), bytes).map_or(f64::NAN, |x| x.get_f64(0))
    }

    pub(crate) fn parse(dtype: DType, text: &str) -> Option<ScalarBits> {
        if let Some(hex) = text.strip_prefix("0x") {
            return Some(ScalarBits { dtype, bits: u64::from_str_radix(hex, 16).ok()? });
        }
        match dtype {
            DType::Bool => Some(ScalarBits { dtype, bits: u64::from(text.parse::<bool>().ok()?) }),
            d if d.is_float() => Some(ScalarBits::from_f64(d, text.parse().ok()?)),
            d => {
                let x: i128 = text.parse().ok()?;
                with_element!(d, T => {
                    let y = <T as Element>::from_i128(x);
                    (y.to_i128() == x).then(|| ScalarBits { dtype: d, bits: ScalarBits::of(y).bits })
                })
            }
        }
    }
}

fn list<T: fmt::Display>(items: &[T]) -> String {
    items.iter().map(T::to_string).collect::<Vec<_>>().join(", ")
}

impl LoopKernel {
    pub(crate) fn write_inst(&self, f: &mut dyn Write, i: usize, ty: Option<(DType, Class)>) -> fmt::Result {
        write!(f, "%{i} = ")?;
        match &self.body[i] {
            Inst::Load { input, map, class } => write!(f, "load in{input} {map} {}", class.name())?,
            Inst::Const(s) => write!(f, "constant {} {s}", s.dtype)?,
            Inst::Iota { axis, dtype, class } => write!(f, "iota {axis} {dtype} {}", class.name())?,
            Inst::Unary(u, x) => write!(f, "{u} %{}", x.0)?,
            Inst::Binary(b, x, y) => write!(f, "{b} %{} %{}", x.0, y.0)?,
            Inst::Compare { direction, total, x, y } => {
                let total = if *total { "total " } else { "" };
                write!(f, "compare {total}{direction} %{} %{}", x.0, y.0)?;
            }
            Inst::Select { pred, on_true, on_false } => {
                write!(f, "select %{} %{} %{}", pred.0, on_true.0, on_false.0)?;
            }
            Inst::Clamp { low, x, high } => write!(f, "clamp %{} %{} %{}", low.0, x.0, high.0)?,
            Inst::Convert(to, x) => write!(f, "convert {to} %{}", x.0)?,
            Inst::Bitcast(to, x) => write!(f, "bitcast {to} %{}", x.0)?,
            Inst::Reduce(r, x) => write!(f, "reduce {r} %{}", x.0)?,
            Inst::ArgReduce { max, x } => write!(f, "{} %{}", if *max { "argmax" } else { "argmin" }, x.0)?,
            Inst::Pick { x, index } => write!(f, "pick %{} %{}", x.0, index.0)?,
            Inst::Threefry { key, count } => {
                write!(f, "threefry2x32 %{} %{} %{} %{}", key[0].0, key[1].0, count[0].0, count[1].0)?;
            }
            Inst::Word1(x) => write!(f, "word1 %{}", x.0)?,
        }
        match ty {
            Some((dtype, class)) => write!(f, " : {dtype} {}", class.name()),
            None => Ok(()),
        }
    }

    pub(crate) fn write_store(&self, f: &mut dyn Write, i: usize) -> fmt::Result {
        let s = &self.stores[i];
        write!(f, "store out{} {} %{}", s.output, s.map, s.value.0)
    }
}

/// A map is printed `offset + [row strides] + column stride`.
///
/// ```text
/// kernel outer [8] reduce [] cols 128 inputs [f32] outputs [f32] {
///   %0 = load in0 0 + [128] + 1 full : f32 full
///   %1 = tanh %0 : f32 full
///   store out0 0 + [128] + 1 %1
/// }
/// ```
impl fmt::Display for LoopKernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "kernel outer [{}] reduce [{}] cols {} inputs [{}] outputs [{}] {{",
            list(&self.outer),
            list(&self.reduce),
            self.cols,
            list(&self.inputs),
            list(&self.outputs)
        )?;
        let types = self.verify().ok();
        for i in 0..self.body.len() {
            f.write_str("  ")?;
            self.write_inst(f, i, types.as_ref().map(|t| t[i]))?;
            f.write_char('\n')?;
        }
        for i in 0..self.stores.len() {
            f.write_str("  ")?;
            self.write_store(f, i)?;
            f.write_char('\n')?;
        }
        f.write_str("}")
    }
}

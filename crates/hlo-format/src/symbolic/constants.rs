//! Constants that are functions of the sizes: the divisor of a mean, the length of a loop.

use jarrah_base::{DType, Literal, Result, Type};

use super::Polynomial;
use super::generalize::Generalizer;
use crate::ir::{Attr, Dense, IrOp, Ty, ValueId};

/// The most elements of a constant that are looked at one by one.
const MAX_ELEMENTS: usize = 64;

/// A number that was computed from an extent `p`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Form {
    /// `p`.
    Itself,
    /// `1 / p`.
    Reciprocal,
    /// `sqrt(p)`.
    Root,
    /// `1 / sqrt(p)`.
    ReciprocalRoot,
    /// `ln(p)`.
    Logarithm,
}

const FORMS: [Form; 5] = [Form::Itself, Form::Reciprocal, Form::Root, Form::ReciprocalRoot, Form::Logarithm];

/// The form, extent and type that identify a scalar computed from an extent.
pub(super) type Key = (Form, Polynomial, DType);

impl Form {
    fn of(self, p: f64) -> f64 {
        match self {
            Form::Itself => p,
            Form::Reciprocal => 1.0 / p,
            Form::Root => p.sqrt(),
            Form::ReciprocalRoot => 1.0 / p.sqrt(),
            Form::Logarithm => p.ln(),
        }
    }

    fn inverse(self, value: f64) -> f64 {
        match self {
            Form::Itself => value,
            Form::Reciprocal => 1.0 / value,
            Form::Root => value * value,
            Form::ReciprocalRoot => 1.0 / (value * value),
            Form::Logarithm => value.exp(),
        }
    }

    /// The ops that compute it from `p`, in `f64`.
    fn ops(self) -> &'static [&'static str] {
        match self {
            Form::Itself => &[],
            Form::Reciprocal => &["stablehlo.divide"],
            Form::Root => &["stablehlo.sqrt"],
            Form::ReciprocalRoot => &["stablehlo.sqrt", "stablehlo.divide"],
            Form::Logarithm => &["stablehlo.log"],
        }
    }
}

impl Generalizer<'_> {
    /// A constant whose value or shape differs among the modules.
    pub fn constant_of(&mut self, all: &[&IrOp], whole: IrOp, out: &mut Vec<IrOp>) -> Result<()> {
        let values: Option<Vec<&Dense>> = all
            .iter()
            .map(|op| match op.attr("value") {
                Some(Attr::Dense(dense)) => Some(dense),
                _ => None,
            })
            .collect();
        let Some(values) = values else {
            return Err(self.wrong(all[0], "is no tensor of numbers".into()));
        };
        let result = whole.results[0];
        let shape = self.shape(result).to_vec();
        if values.iter().all(|dense| dense.is_splat()) {
            let scalars: Vec<Literal> = values.iter().map(|dense| dense.value.clone()).collect();
            let scalar = self.scalar(all, &scalars)?;
            let (name, operands) = if self.is_symbolic(result) {
                ("stablehlo.dynamic_broadcast_in_dim", vec![scalar, self.vector(&shape)?])
            } else if shape.is_empty() {
                ("stablehlo.reshape", vec![scalar])
            } else {
                ("stablehlo.broadcast_in_dim", vec![scalar])
            };
            let mut broadcast =
                IrOp { loc: whole.loc, results: whole.results, ..super::generalize::define(name) };
            broadcast.operands.extend(operands);
            if !shape.is_empty() {
                broadcast.attributes.set("broadcast_dimensions", Attr::i64s([]));
            }
            out.push(broadcast);
            return Ok(());
        }
        let count = values
            .iter()
            .map(|dense| dense.ty.concrete().map_or(usize::MAX, |ty| ty.elements().unwrap_or(usize::MAX)));
        if self.is_symbolic(result) || count.max().is_none_or(|n| n > MAX_ELEMENTS) {
            let [a, b] = [0, 1].map(|i| values[i].ty.concrete().map_or(String::new(), |ty| ty.to_string()));
            let error = self.no_function(all[0], "a constant", (0, &a), (1, &b));
            return Err(error.help(
                "compute it from iota (`Array::arange`) inside the function, or pass it as an argument",
            ));
        }
        // A short list, such as bounds: element by element.
        let element = |dense: &Dense, i: usize| -> Result<Literal> {
            let at = if dense.is_splat() { 0 } else { i };
            let ty = Type::scalar(dense.value.dtype());
            if ty.dtype().is_integer() {
                Literal::from_i128s(ty, &[dense.value.get_i128(at)])
            } else {
                Literal::from_f64s(ty, &[dense.value.get_f64(at)])
            }
        };
        let dtype = values[0].value.dtype();
        let total = values[0].ty.concrete().map_or(0, |ty| ty.elements().unwrap_or(0));
        let mut parts = Vec::with_capacity(total);
        for i in 0..total {
            let elements = values.iter().map(|dense| element(dense, i)).collect::<Result<Vec<Literal>>>()?;
            let scalar = self.scalar(all, &elements)?;
            parts.push(self.before("stablehlo.reshape", &[scalar], &[], Ty::of(dtype, [1])));
        }
        let flat = Ty::of(dtype, [total]);
        let flat = self.before("stablehlo.concatenate", &parts, &[("dimension", Attr::i64(0))], flat);
        let mut reshape =
            IrOp { loc: whole.loc, results: whole.results, ..super::generalize::define("stablehlo.reshape") };
        reshape.operands.push(flat);
        out.push(reshape);
        Ok(())
    }

    /// A scalar that has these values, one in each of the modules.
    fn scalar(&mut self, all: &[&IrOp], values: &[Literal]) -> Result<ValueId> {
        let dtype = values[0].dtype();
        if values.iter().all(|value| value == &values[0]) {
            return Ok(self.constant(&values[0]));
        }
        let found = if dtype.is_integer() {
            self.integer(values).map(|p| (Form::Itself, p))
        } else if dtype.is_float() {
            self.float(values)
        } else {
            None
        };
        let Some((form, polynomial)) = found else {
            let differing = values.iter().position(|v| v != &values[0]).unwrap_or(0);
            let text = |value: &Literal| {
                if dtype.is_integer() { value.get_i128(0).to_string() } else { value.get_c128(0).to_string() }
            };
            let (a, b) = (text(&values[0]), text(&values[differing]));
            let error = self.no_function(all[0], "a constant", (0, &a), (differing, &b));
            return Err(error.help(
                "a constant may be p, 1/p, sqrt(p), 1/sqrt(p) or ln(p) of a polynomial p of the sizes",
            ));
        };
        self.computed(form, &polynomial, dtype)
    }

    fn integer(&self, values: &[Literal]) -> Option<Polynomial> {
        let numbers: Option<Vec<i64>> = values.iter().map(|v| i64::try_from(v.get_i128(0)).ok()).collect();
        self.sizes.polynomial(&numbers?)
    }

    /// The form and the polynomial that give exactly these floats, rounded to their type.
    fn float(&self, values: &[Literal]) -> Option<(Form, Polynomial)> {
        let floats: Vec<f64> = values.iter().map(|value| value.get_f64(0)).collect();
        let ty = Type::scalar(values[0].dtype());
        FORMS.into_iter().find_map(|form| {
            let rounded = floats.iter().map(|&x| form.inverse(x).round());
            let numbers: Option<Vec<i64>> =
                rounded.map(|x| (x.abs() < (1u64 << 60) as f64).then_some(x as i64)).collect();
            let polynomial = self.sizes.through(&numbers?)?;
            let exact = |(sizes, value): (&Vec<i64>, &Literal)| {
                let p = polynomial.evaluate(sizes)?;
                Some(Literal::from_f64s(ty, &[form.of(p as f64)]).ok()? == *value)
            };
            let mut all = self.sizes.all().iter().zip(values);
            all.all(|pair| exact(pair) == Some(true)).then_some((form, polynomial))
        })
    }

    /// The function `form` of an extent, computed where `@main` begins.
    fn computed(&mut self, form: Form, polynomial: &Polynomial, dtype: DType) -> Result<ValueId> {
        let key = (form, polynomial.clone(), dtype);
        if let Some(&known) = self.scalars.get(&key) {
            return Ok(known);
        }
        let extent = self.extent(polynomial)?;
        // Floats are computed in f64 and rounded once, as Rust computed them.
        let wide = if dtype.is_integer() { dtype } else { DType::F64 };
        let scalar = |dtype: DType| Ty::of(dtype, []);
        let mut value = match wide {
            DType::I32 => extent,
            wide => self.before("stablehlo.convert", &[extent], &[], scalar(wide)),
        };
        for &op in form.ops() {
            value = if op == "stablehlo.divide" {
                let one = self.constant(&Literal::scalar(1f64));
                self.before(op, &[one, value], &[], scalar(wide))
            } else {
                self.before(op, &[value], &[], scalar(wide))
            };
        }
        if wide != dtype {
            value = self.before("stablehlo.convert", &[value], &[], scalar(dtype));
        }
        self.scalars.insert(key, value);
        Ok(value)
    }
}

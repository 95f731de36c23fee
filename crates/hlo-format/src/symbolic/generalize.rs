use jarrah_base::{DType, Error, Literal, Result};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::constants::Key;
use super::{Polynomial, Sizes, SymbolicScope};
use crate::ir::{
    Attr, Attributes, Definition, Dense, ElementTy, IrModule, IrOp, Loc, Region, TensorTy, Ty, ValueId,
};
use crate::lower::sources::resolve;

/// A module with symbolic extents.
#[derive(Clone, Debug)]
pub struct Generalized {
    /// The module; `@main` finds the sizes in the extents of its arguments, and checks them.
    pub module: IrModule,
    /// The shapes of the results.
    pub results: Vec<Vec<Polynomial>>,
}

/// The module that `modules` are at the `sizes`, one for each. Each has one function, `@main`, whose arguments have the
/// shapes `arguments`. If the function is for several `platforms`, it takes the number of one of them first.
///
/// # Errors
/// The modules differ in more than integers; an integer is no polynomial of the sizes; an op has no form whose extents are
/// symbols, or is none of StableHLO; the sizes do not follow from the arguments' extents. The error names the op and its line.
pub fn generalize(
    scope: &SymbolicScope,
    sizes: &Sizes,
    modules: &[IrModule],
    arguments: &[Vec<Polynomial>],
    platforms: usize,
) -> Result<Generalized> {
    let Some(first) = modules.first().filter(|_| modules.len() == sizes.all().len()) else {
        return Err(Error::internal("a module is needed for each of the sizes").op("export"));
    };
    let mut module = first.clone();
    let top: Vec<&Region> = modules.iter().filter_map(|module| module.op.regions.first()).collect();
    let mains: Vec<&IrOp> = top.iter().filter_map(|region| region.ops.first()).collect();
    if mains.len() != modules.len() || top.iter().any(|region| region.ops.len() != 1) {
        return Err(Error::internal("each of the modules has one function").op("export"));
    }
    module.op.attributes.set("jax.uses_shape_polymorphism", Attr::Bool(!scope.names().is_empty()));
    let mut g = Generalizer {
        scope,
        sizes,
        modules,
        module,
        shapes: FxHashMap::default(),
        prelude: Vec::new(),
        extents: FxHashMap::default(),
        vectors: FxHashMap::default(),
        scalars: FxHashMap::default(),
        aliases: FxHashMap::default(),
    };
    let (main, results) = g.main(&mains, arguments, platforms)?;
    g.module.op.regions[0].ops = vec![main];
    Ok(Generalized { module: g.module, results })
}

/// The state of generalising modules.
pub(super) struct Generalizer<'a> {
    pub scope: &'a SymbolicScope,
    pub sizes: &'a Sizes,
    modules: &'a [IrModule],
    /// The result: values of the modules keep their numbers in it.
    pub module: IrModule,
    /// The shapes of values.
    shapes: FxHashMap<ValueId, Vec<Polynomial>>,
    /// The first ops of `@main`, which compute values from the extents of the arguments alone.
    pub prelude: Vec<IrOp>,
    /// Extents, as scalars.
    pub extents: FxHashMap<Polynomial, ValueId>,
    /// Lists of extents, as vectors.
    vectors: FxHashMap<Vec<Polynomial>, ValueId>,
    /// Functions of extents.
    pub scalars: FxHashMap<Key, ValueId>,
    /// The captured value of each name that a region gives it by an op that only names values.
    aliases: FxHashMap<ValueId, ValueId>,
}

impl<'a> Generalizer<'a> {
    /// A region, given as it is in each of the modules.
    pub fn region(&mut self, parent: &[&'a IrOp], regions: &[&'a Region]) -> Result<Region> {
        let args: Vec<&[ValueId]> = regions.iter().map(|region| &region.args[..]).collect();
        self.values(parent, &args)?;
        let first = regions[0];
        for (at, region) in regions.iter().enumerate() {
            let pairs = first.ops.iter().zip(&region.ops);
            let alike = |a: &IrOp, b: &IrOp| {
                a.definition == b.definition && a.operands == b.operands && a.results == b.results
            };
            if let Some((a, b)) = pairs.clone().find(|(a, b)| !alike(a, b)) {
                return Err(self.structure(a, b, at));
            }
            if first.ops.len() != region.ops.len() {
                return Err(self.structure(parent[0], parent[at], at));
            }
        }
        let mut ops = Vec::with_capacity(first.ops.len());
        for i in 0..first.ops.len() {
            let all: Vec<&'a IrOp> = regions.iter().map(|region| &region.ops[i]).collect();
            self.op(&all, &mut ops)?;
        }
        Ok(Region { args: first.args.clone(), ops })
    }

    /// The types of values, given as they are in each of the modules.
    fn values(&mut self, ops: &[&IrOp], values: &[&[ValueId]]) -> Result<()> {
        if let Some(at) = values.iter().position(|list| *list != values[0]) {
            return Err(self.structure(ops[0], ops[at], at));
        }
        for &value in values[0] {
            let types: Vec<&Ty> = self.modules.iter().map(|module| module.ty(value)).collect();
            let Some(tensors) = types.iter().map(|ty| ty.tensor()).collect::<Option<Vec<&TensorTy>>>() else {
                return Err(self.wrong(ops[0], format!("has a value that is no tensor: {:?}", types[0])));
            };
            let rank = |t: &TensorTy| t.dims.as_ref().map_or(0, |dims| dims.len());
            let alike = |t: &&TensorTy| t.element == tensors[0].element && rank(t) == rank(tensors[0]);
            if let Some(at) = tensors.iter().position(|t| !alike(t)) {
                return Err(self.structure(ops[0], ops[at], at));
            }
            let mut shape = Vec::with_capacity(rank(tensors[0]));
            for axis in 0..rank(tensors[0]) {
                let extent =
                    |t: &&TensorTy| t.dims.as_ref().and_then(|dims| dims[axis]).map_or(0, |n| n as i64);
                let extents: Vec<i64> = tensors.iter().map(extent).collect();
                shape.push(self.fit(ops, &format!("the extent of axis {axis}"), &extents)?);
            }
            let dims = shape.iter().map(|p| p.as_constant().and_then(|n| u64::try_from(n).ok())).collect();
            self.module.data_mut(value).ty = Ty::Tensor(TensorTy { dims: Some(dims), ..tensors[0].clone() });
            self.shapes.insert(value, shape);
        }
        Ok(())
    }

    fn op(&mut self, all: &[&'a IrOp], out: &mut Vec<IrOp>) -> Result<()> {
        let op = all[0];
        if op.name().starts_with("jarrah.") {
            let error = self.wrong(op, "is no op of StableHLO: nobody else knows it".into());
            return Err(error.help("export the function for the use here only, with `lower(..).bytecode()`"));
        }
        if op.name() == "stablehlo.custom_call" {
            let target = op.text("call_target_name").unwrap_or_default();
            let error = self.wrong(op, format!("calls {target}, which is code of this machine"));
            return Err(error.help("compute its value outside, and pass that as an argument"));
        }
        let results: Vec<&[ValueId]> = all.iter().map(|op| &op.results[..]).collect();
        self.values(all, &results)?;
        if let Some(at) = all.iter().position(|other| {
            let names = |op: &IrOp| op.attributes.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
            other.regions.len() != op.regions.len() || names(other) != names(op)
        }) {
            return Err(self.structure(op, all[at], at));
        }
        let original = |value: &ValueId| self.aliases.get(value).copied().unwrap_or(*value);
        let operands: SmallVec<_> = op.operands.iter().map(original).collect();
        if op.attr("jarrah.parameters").is_some() {
            self.aliases.extend(op.results.iter().copied().zip(operands));
            return Ok(());
        }
        let mut whole = IrOp { operands, regions: Vec::new(), ..op.clone() };
        whole.attributes = op
            .attributes
            .iter()
            .filter(|(name, _)| !name.starts_with("jarrah."))
            .map(|(name, attr)| (name.clone(), attr.clone()))
            .collect();
        for i in 0..op.regions.len() {
            let regions: Vec<&'a Region> = all.iter().map(|op| &op.regions[i]).collect();
            whole.regions.push(self.region(all, &regions)?);
        }
        self.rewritten(all, whole, out)
    }

    /// The names of the attributes that are not the same in all of the modules.
    pub fn varying(&self, all: &[&IrOp]) -> Vec<String> {
        let differs = |name: &str| all.iter().any(|op| op.attr(name) != all[0].attr(name));
        let names = all[0].attributes.iter().map(|(name, _)| name.to_string());
        names.filter(|name| differs(name)).collect()
    }

    /// The shape of a value.
    pub fn shape(&self, value: ValueId) -> &[Polynomial] {
        self.shapes.get(&value).map_or(&[], Vec::as_slice)
    }

    /// Whether an extent of the value is a symbol.
    pub fn is_symbolic(&self, value: ValueId) -> bool {
        self.shape(value).iter().any(|extent| extent.as_constant().is_none())
    }

    /// The lists that an attribute is, as one list of polynomials.
    pub fn lists(&self, all: &[&IrOp], name: &str) -> Result<Vec<Polynomial>> {
        let lists: Option<Vec<Vec<i64>>> = all.iter().map(|op| op.attr(name)?.integers()).collect();
        let Some(lists) = lists.filter(|lists| lists.iter().all(|l| l.len() == lists[0].len())) else {
            return Err(self.wrong(all[0], format!("has lists {name} of several lengths")));
        };
        let at = |i: usize| lists.iter().map(|list| list[i]).collect::<Vec<i64>>();
        (0..lists[0].len()).map(|i| self.fit(all, name, &at(i))).collect()
    }

    /// The polynomial that has these values, one in each of the modules.
    pub fn fit(&self, all: &[&IrOp], what: &str, values: &[i64]) -> Result<Polynomial> {
        self.sizes.polynomial(values).ok_or_else(|| {
            let differing = values.iter().position(|v| *v != values[0]).unwrap_or(0);
            let (first, other) = (values[0].to_string(), values[differing].to_string());
            self.no_function(all[0], what, (0, &first), (differing, &other))
        })
    }

    /// The error that something in `op`, of which two values are given, is no function of the sizes that is known.
    pub fn no_function(&self, op: &IrOp, what: &str, a: (usize, &str), b: (usize, &str)) -> Error {
        let [at_a, at_b] = [a.0, b.0].map(|at| self.sizes.describe(self.scope, at));
        let message = format!(
            "{what} is {} for {at_a} and {} for {at_b}, which is no polynomial of the sizes",
            a.1, b.1
        );
        self.wrong(op, message)
    }

    /// The error that the function does something else at other sizes.
    fn structure(&self, a: &IrOp, b: &IrOp, at: usize) -> Error {
        let [first, other] = [0, at].map(|at| self.sizes.describe(self.scope, at));
        let message = if a.definition == b.definition {
            format!("has other operands, or another number of ops in it, for {first} than for {other}")
        } else {
            format!("stands here for {first}, {} for {other}", short(b))
        };
        let error = self.wrong(a, message);
        let error = match resolve(&b.loc).location.filter(|there| Some(*there) != error.location()) {
            Some(there) => error.label(there, format!("[{}] for {other}", short(b))),
            None => error,
        };
        error.help("an exported function does the same for all sizes: no Rust `if` or loop may depend on a symbolic extent")
    }

    /// The error that `op` is wrong, at the user's line.
    pub fn wrong(&self, op: &IrOp, message: String) -> Error {
        let error = Error::program(message).op(short(op)).context("while exporting");
        match resolve(&op.loc).location {
            Some(location) => error.at(location),
            None => error,
        }
    }

    /// Adds an op with one result, and returns that.
    pub fn make(
        &mut self,
        out: &mut Vec<IrOp>,
        loc: &Loc,
        name: &'static str,
        operands: &[ValueId],
        attributes: &[(&str, Attr)],
        ty: Ty,
    ) -> ValueId {
        let result = self.module.value(ty, loc.clone());
        let mut op = define(name);
        op.operands.extend(operands.iter().copied());
        op.results.push(result);
        op.attributes =
            attributes.iter().map(|(name, attr)| ((*name).into(), attr.clone())).collect::<Attributes>();
        op.loc = loc.clone();
        out.push(op);
        result
    }

    /// Adds an op to those that `@main` begins with.
    pub fn before(
        &mut self,
        name: &'static str,
        operands: &[ValueId],
        attributes: &[(&str, Attr)],
        ty: Ty,
    ) -> ValueId {
        let mut prelude = std::mem::take(&mut self.prelude);
        let result = self.make(&mut prelude, &Loc::Unknown, name, operands, attributes, ty);
        self.prelude = prelude;
        result
    }

    /// A constant among the ops that `@main` begins with.
    pub fn constant(&mut self, value: &Literal) -> ValueId {
        let ty = Ty::of(value.dtype(), value.dims());
        self.before("stablehlo.constant", &[], &[("value", dense(value))], ty)
    }

    /// The value of a polynomial, a scalar `i32`.
    pub fn extent(&mut self, polynomial: &Polynomial) -> Result<ValueId> {
        if let Some(&known) = self.extents.get(polynomial) {
            return Ok(known);
        }
        let scalar = || Ty::of(DType::I32, []);
        let mut sum: Option<ValueId> = None;
        for (monomial, coefficient) in polynomial.terms() {
            let mut product = None;
            for (i, &exponent) in monomial.iter().enumerate() {
                let symbol = self.extents.get(&Polynomial::symbol(i)).copied();
                let symbol = symbol.expect("invariant: the sizes are found first");
                for _ in 0..exponent {
                    product = Some(match product {
                        None => symbol,
                        Some(before) => self.before("stablehlo.multiply", &[before, symbol], &[], scalar()),
                    });
                }
            }
            let term = match product {
                Some(product) if coefficient == 1 => product,
                Some(product) => {
                    let factor = self.number(coefficient)?;
                    self.before("stablehlo.multiply", &[product, factor], &[], scalar())
                }
                None => self.number(coefficient)?,
            };
            sum = Some(match sum {
                None => term,
                Some(before) => self.before("stablehlo.add", &[before, term], &[], scalar()),
            });
        }
        let sum = match sum {
            Some(sum) => sum,
            None => self.number(0)?,
        };
        let value = if polynomial.divisor() == 1 {
            sum
        } else {
            let divisor = self.number(polynomial.divisor())?;
            self.before("stablehlo.divide", &[sum, divisor], &[], scalar())
        };
        self.extents.insert(polynomial.clone(), value);
        Ok(value)
    }

    /// A number in the type of extents.
    pub fn number(&mut self, n: i64) -> Result<ValueId> {
        let n = i32::try_from(n).map_err(|_| {
            Error::program(format!(
                "the number {n} in an extent does not fit an i32, which extents are computed in"
            ))
            .op("export")
        })?;
        Ok(self.constant(&Literal::scalar(n)))
    }

    /// The values of polynomials, a vector of `i32`.
    pub fn vector(&mut self, polynomials: &[Polynomial]) -> Result<ValueId> {
        if let Some(&known) = self.vectors.get(polynomials) {
            return Ok(known);
        }
        let numbers: Option<Vec<i32>> =
            polynomials.iter().map(|p| p.as_constant().and_then(|n| i32::try_from(n).ok())).collect();
        let value = match numbers {
            Some(numbers) => self.constant(&Literal::from_slice(&[numbers.len()], &numbers)?),
            None => {
                let parts: Vec<ValueId> =
                    polynomials.iter().map(|p| self.extent(p)).collect::<Result<_>>()?;
                let mut prelude = std::mem::take(&mut self.prelude);
                let value = self.stacked(&mut prelude, &Loc::Unknown, &parts);
                self.prelude = prelude;
                value
            }
        };
        self.vectors.insert(polynomials.to_vec(), value);
        Ok(value)
    }

    /// Scalars `i32` as a vector.
    pub fn stacked(&mut self, out: &mut Vec<IrOp>, loc: &Loc, scalars: &[ValueId]) -> ValueId {
        let one = || Ty::of(DType::I32, [1]);
        let parts: Vec<ValueId> = scalars
            .iter()
            .map(|&scalar| self.make(out, loc, "stablehlo.reshape", &[scalar], &[], one()))
            .collect();
        match parts[..] {
            [only] => only,
            _ => {
                let ty = Ty::of(DType::I32, [parts.len()]);
                self.make(out, loc, "stablehlo.concatenate", &parts, &[("dimension", Attr::i64(0))], ty)
            }
        }
    }
}

/// The op's name without its dialect.
fn short(op: &IrOp) -> &'static str {
    op.name().split_once('.').map_or(op.name(), |(_, name)| name)
}

/// An op that is known to be defined.
pub(super) fn define(name: &'static str) -> IrOp {
    IrOp::new(Definition::find(name).expect("invariant: ops that are made here are defined"), 0)
}

/// A literal as an attribute.
pub(super) fn dense(value: &Literal) -> Attr {
    let dims = value.dims().into_iter().map(|d| Some(d as u64)).collect();
    let ty = TensorTy { dims: Some(dims), element: ElementTy::Number(value.dtype()), encoding: None };
    Attr::Dense(Dense { ty, value: value.splat().unwrap_or_else(|| value.clone()) })
}

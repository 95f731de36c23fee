//! Reads the parameters of a model from its files.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use jarrah_array::{Array, DType, Error, Literal, Result, Type, eval_shape, try_trace};
use jarrah_formats::{TensorEncoding, Tensors};
use jarrah_quant::{QuantizedTensor, Scheme};

use crate::family::{Tensor, copy};
use crate::packed::{self, Method, Wanted};
use crate::rules::{already, check_finite, rounded, rounded_shape};

/// A parameter as it is held.
pub enum Parameter {
    Numbers(Array),
    FewBits(Box<QuantizedTensor>),
}

/// How the parameters of a model are held.
#[derive(Debug)]
pub struct Holding {
    /// Their types, were they numbers.
    pub parameters: BTreeMap<String, Type>,
    /// How the files have weights in few bits, if they do.
    pub method: Option<Arc<dyn Method>>,
    /// The weights that are brought into few bits.
    pub plan: BTreeMap<String, Scheme>,
    /// The paths of weights that are transposes.
    pub transposes: BTreeSet<String>,
    /// Whether weights that the files have in few bits stay so.
    pub keeps: bool,
    /// The dtype of numbers; none: that of the files.
    pub dtype: Option<DType>,
}

/// Reads parameters, each by its path.
#[derive(Debug)]
pub struct Reader {
    files: Tensors,
    /// The tensors, by their names in the files.
    wanted: Vec<(String, Tensor)>,
    /// For each parameter, the indices of the tensors in `wanted` that hold it.
    sources: BTreeMap<String, Vec<usize>>,
    held: Holding,
}

impl Reader {
    pub fn new(files: Tensors, wanted: Vec<(String, Tensor)>, held: Holding) -> Reader {
        let mut sources: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (at, (_, tensor)) in wanted.iter().enumerate() {
            for piece in &tensor.pieces {
                let source = sources.entry(piece.ours.clone()).or_default();
                if source.last() != Some(&at) {
                    source.push(at);
                }
            }
        }
        Reader { files, wanted, sources, held }
    }

    /// The parameters that the files have in few bits, those in blocks that are read as numbers among them.
    pub fn in_few_bits(&self) -> BTreeSet<String> {
        let is_block = |name: &str| {
            self.files.find(name).is_some_and(|tensor| !matches!(tensor.encoding(), TensorEncoding::Plain(_)))
        };
        let packed = self
            .wanted
            .iter()
            .filter(|(name, tensor)| self.packed_in(name, tensor).is_some() || is_block(name));
        packed.flat_map(|(_, tensor)| tensor.pieces.iter().map(|piece| piece.ours.clone())).collect()
    }

    /// The files.
    pub fn files(&self) -> &Tensors {
        &self.files
    }

    /// The weights that are brought into few bits.
    pub fn plan(&self) -> &BTreeMap<String, Scheme> {
        &self.held.plan
    }

    /// How the tensor is in few bits, if it is, and which tensor of the files has its codes.
    fn packed_in(&self, name: &str, tensor: &Tensor) -> Option<(&dyn Method, (String, Type))> {
        let method = self.held.method.as_deref()?;
        method.codes(&self.files, &Wanted::of(name, tensor)).map(|codes| (method, codes))
    }

    /// The tensors that the parameter at `path` is in.
    fn sources(&self, path: &str) -> Vec<(String, &Tensor)> {
        let all = self.sources.get(path).map(Vec::as_slice).unwrap_or_default().iter();
        all.map(|&at| (self.wanted[at].0.clone(), &self.wanted[at].1)).collect()
    }

    /// The scheme that the parameter at `path` is brought into.
    fn scheme(&self, path: &str, sources: &[(String, &Tensor)]) -> Result<Option<Scheme>> {
        let scheme = self.held.plan.get(path).copied();
        match sources.iter().any(|(name, tensor)| self.packed_in(name, tensor).is_some()) {
            true if scheme.is_some() => Err(already(path)),
            _ => Ok(scheme),
        }
    }

    /// Whether a parameter stays in few bits, as its files have it.
    fn stays(&self, path: &str, sources: &[(String, &Tensor)]) -> bool {
        let each = |(name, tensor): &(String, &Tensor)| {
            let place = tensor.packs || self.held.transposes.contains(path);
            self.packed_in(name, tensor).is_some_and(|(by, _)| place && by.fits(&Wanted::of(name, tensor)))
        };
        self.held.keeps && !sources.is_empty() && sources.iter().all(each)
    }

    fn literal(&self, name: &str, tensor: &Tensor, dtype: Option<DType>) -> Result<Literal> {
        match (self.packed_in(name, tensor), dtype) {
            (Some((method, _)), _) => method.dense(&self.files, &Wanted::of(name, tensor), dtype),
            (None, Some(dtype)) => self.files.get(name)?.to(dtype)?.literal(),
            (None, None) => self.files.get(name)?.literal(),
        }
    }

    /// The parameter at `path`.
    ///
    /// # Errors
    /// It is to be quantized and is in few bits already (`Input`); its numbers are no good, or the device failed.
    pub fn parameter(&self, path: &str) -> Result<Parameter> {
        let sources = self.sources(path);
        let scheme = self.scheme(path, &sources)?;
        let in_few_bits = |name: &str, tensor: &Tensor| match self.packed_in(name, tensor) {
            Some((method, _)) => method.read(&self.files, &Wanted::of(name, tensor)),
            None => Err(Error::internal(format!("{name} is in few bits"))),
        };
        if self.stays(path, &sources)
            && let Some(weight) = packed::assembled(path, &sources, &in_few_bits)?
        {
            return Ok(Parameter::FewBits(Box::new(weight)));
        }
        let numbers = self.gather(path, &sources)?;
        // Of a model in few bits the rest is small enough for memory of its own: then no file stays mapped.
        let numbers = match numbers.lender() {
            Some(_) if scheme.is_none() && !self.held.plan.is_empty() => {
                Literal::from_bytes(numbers.ty(), numbers.bytes())?
            }
            _ => numbers,
        };
        let numbers = Array::from_literal(numbers);
        let Some(scheme) = scheme else { return Ok(Parameter::Numbers(numbers)) };
        check_finite(path, &numbers)?;
        let turned = if self.held.transposes.contains(path) { numbers.swapaxes(-2, -1) } else { numbers };
        let weight = rounded(&turned, scheme).map_err(|e| e.context(format!("while quantizing {path}")))?;
        Ok(Parameter::FewBits(Box::new(weight)))
    }

    /// The parameter at `path` without its data; none, if the files have it as it is wanted, or its types show only when it is read.
    ///
    /// # Errors
    /// It is to be quantized and is in few bits already (`Input`).
    pub fn without_data(&self, path: &str) -> Result<Option<Parameter>> {
        let sources = self.sources(path);
        let scheme = self.scheme(path, &sources)?;
        if self.stays(path, &sources) {
            return Ok(self
                .in_few_bits_without_data(path, &sources)
                .map(|weight| Parameter::FewBits(Box::new(weight))));
        }
        let (Some((name, tensor)), Some(ty)) = (sources.first(), self.held.parameters.get(path)) else {
            return Ok(None);
        };
        if self.packed_in(name, tensor).is_some() {
            return Ok(None);
        }
        let file = self.files.get(name)?;
        let own = file.ty()?.dtype();
        let dtype = self.held.dtype.unwrap_or(own);
        let is_there = file.encoding() == TensorEncoding::Plain(dtype)
            && file.stored().is_some()
            && tensor.whole(&self.held.parameters).is_some();
        if is_there && self.held.plan.is_empty() {
            return Ok(None);
        }
        let mut dims = ty.dims();
        let Some(scheme) = scheme else {
            return Ok(Some(Parameter::Numbers(Array::abstracted(Type::tensor(dtype, dims)))));
        };
        if self.held.transposes.contains(path) {
            let last = dims.len() - 1;
            dims.swap(last - 1, last);
        }
        let weight = rounded_shape(Type::tensor(dtype, dims), scheme);
        weight
            .map(|weight| Some(Parameter::FewBits(Box::new(weight))))
            .map_err(|e| e.context(format!("in {path}")))
    }

    /// A weight that stays in few bits, without its data; none, if its method does not say it of types alone.
    fn in_few_bits_without_data(&self, path: &str, sources: &[(String, &Tensor)]) -> Option<QuantizedTensor> {
        let of_bytes = |(name, tensor): &(String, &Tensor)| {
            let (method, _) = self.packed_in(name, tensor)?;
            Some(Array::abstracted(method.bytes(&self.files, &Wanted::of(name, tensor))?))
        };
        let bytes: Vec<Array> = sources.iter().map(of_bytes).collect::<Option<_>>()?;
        let assembled = |bytes: &Vec<Array>| {
            let read = |name: &str, tensor: &Tensor| {
                let at = sources.iter().position(|(known, _)| known == name);
                let made = at.and_then(|at| {
                    let (method, _) = self.packed_in(name, tensor)?;
                    method.of_bytes(&self.files, &Wanted::of(name, tensor), &bytes[at])
                });
                made.ok_or_else(|| Error::internal(format!("{name} is in few bits")))
            };
            packed::assembled(path, sources, &read).ok().flatten()
        };
        // Errors in the weight are reported when its data are read.
        try_trace(|| eval_shape(assembled, &bytes)).ok().flatten()
    }

    /// The numbers at `path`, in the dtype of all, or that of the first of the tensors that they are in.
    fn gather(&self, path: &str, sources: &[(String, &Tensor)]) -> Result<Literal> {
        let (Some((first, tensor)), Some(ty)) = (sources.first(), self.held.parameters.get(path)) else {
            return Err(Error::internal(format!("no tensor is named for the parameter {path}")));
        };
        let first = self.literal(first, tensor, self.held.dtype)?;
        if tensor.whole(&self.held.parameters).is_some() {
            return Ok(first);
        }
        if tensor.filters {
            return filters_last(&Array::from_literal(first)).to_literal();
        }
        if let Some([rows, columns]) = exchanged(path, *ty, sources) {
            return Array::from_literal(first).slice(0, rows).slice(1, columns).t().to_literal();
        }
        let dtype = first.dtype();
        let mut value = Literal::zeros(Type::tensor(dtype, ty.dims()))?;
        let dims = value.dims();
        let mut first = Some(first);
        for (name, tensor) in sources {
            let mut theirs = match first.take() {
                Some(first) => first,
                None => self.literal(name, tensor, Some(dtype))?,
            };
            for piece in tensor.pieces.iter().filter(|piece| piece.ours == path) {
                copy(
                    piece,
                    dtype.size(),
                    (&dims, value.bytes_mut()),
                    (&tensor.dims, theirs.bytes_mut()),
                    true,
                );
            }
            if tensor.plus != 0 {
                value = plus(&value, -f64::from(tensor.plus))?;
            }
        }
        Ok(value)
    }
}

/// The rows and columns of the one tensor that a matrix is in, if these are the matrix with its axes exchanged.
fn exchanged(path: &str, ty: Type, sources: &[(String, &Tensor)]) -> Option<[Range<usize>; 2]> {
    let [(_, tensor)] = sources else { return None };
    let mut pieces = tensor.pieces.iter().filter(|piece| piece.ours == path);
    let (piece, None) = (pieces.next()?, pieces.next()) else { return None };
    let &[row, column] = &piece.their_start[..] else { return None };
    let &[outputs, inputs] = &piece.extent[..] else { return None };
    let is_whole = piece.start == [0, 0] && ty.dims()[..] == piece.extent[..] && piece.step == 1;
    (piece.swapped && is_whole && tensor.plus == 0).then(|| [row..row + inputs, column..column + outputs])
}

/// `[outputs, inputs, window..]` as `[window.., inputs, outputs]`.
fn filters_last(weight: &Array) -> Array {
    let axes: Vec<isize> = (2..weight.rank() as isize).chain([1, 0]).collect();
    weight.transpose(&axes[..])
}

/// Each number plus another.
pub(crate) fn plus(value: &Literal, more: f64) -> Result<Literal> {
    let sums: Vec<f64> = value.to_f64_vec().into_iter().map(|x| x + more).collect();
    Literal::from_f64s(value.ty(), &sums)
}

//! The tensors of a pickle's value.

use jarrah_base::{DType, Result};

use super::machine::Machine;
use super::value::{Id, Value};
use super::{Storages, wrong};
use crate::encoding::TensorEncoding;
use crate::listing::Entry;

/// How deep dictionaries may lie in each other.
const DEPTH: usize = 32;
/// The most values that are looked at, where 64 bytes of a name count as one: a small pickle may contain itself many times.
const VISITS: usize = 1 << 22;

/// Names of storages and of element types, without the module `torch`.
const STORAGES: [(&str, &str, DType); 19] = [
    ("FloatStorage", "float32", DType::F32),
    ("DoubleStorage", "float64", DType::F64),
    ("HalfStorage", "float16", DType::F16),
    ("BFloat16Storage", "bfloat16", DType::BF16),
    ("LongStorage", "int64", DType::I64),
    ("IntStorage", "int32", DType::I32),
    ("ShortStorage", "int16", DType::I16),
    ("CharStorage", "int8", DType::I8),
    ("ByteStorage", "uint8", DType::U8),
    ("BoolStorage", "bool", DType::Bool),
    ("ComplexFloatStorage", "complex64", DType::C64),
    ("ComplexDoubleStorage", "complex128", DType::C128),
    ("", "uint16", DType::U16),
    ("", "uint32", DType::U32),
    ("", "uint64", DType::U64),
    ("", "float8_e4m3fn", DType::F8E4M3FN),
    ("", "float8_e5m2", DType::F8E5M2),
    ("", "float8_e4m3fnuz", DType::F8E4M3FNUZ),
    ("", "float8_e5m2fnuz", DType::F8E5M2FNUZ),
];

/// Further imports that a pickle of tensors may have: those read as data, and those passed over.
const KNOWN: [&str; 14] = [
    "collections OrderedDict",
    "collections defaultdict",
    "torch Size",
    "torch device",
    "torch UntypedStorage",
    "torch.storage UntypedStorage",
    "torch.storage TypedStorage",
    "torch._utils _rebuild_tensor",
    "torch._utils _rebuild_tensor_v2",
    "torch._utils _rebuild_tensor_v3",
    "torch._utils _rebuild_parameter",
    "torch._tensor _rebuild_from_type_v2",
    "torch Tensor",
    "torch.nn.parameter Parameter",
];

/// A walk through the value of a pickle.
pub struct Walk<'a> {
    pub machine: &'a Machine<'a>,
    pub storages: &'a dyn Storages,
    pub entries: Vec<Entry>,
    visits: usize,
}

impl<'a> Walk<'a> {
    pub fn new(machine: &'a Machine<'a>, storages: &'a dyn Storages) -> Self {
        Walk { machine, storages, entries: Vec::new(), visits: 0 }
    }

    /// Lists the tensors of a value: those of dictionaries and lists in it have the names of the keys, joined by dots.
    pub fn tensors(&mut self, id: Id, name: &str, depth: usize) -> Result<()> {
        self.visits += 1 + name.len() / 64;
        if depth > DEPTH || self.visits > VISITS {
            return Err(wrong("the pickle contains itself, or is nested without end"));
        }
        let join = |key: &str| if name.is_empty() { key.to_owned() } else { format!("{name}.{key}") };
        match self.machine.value(id) {
            Value::Dict(entries) => {
                for &(key, value) in entries {
                    let key = match self.machine.value(key) {
                        Value::Text(key) => join(key),
                        Value::Int(key) => join(&key.to_string()),
                        _ => join("?"),
                    };
                    self.tensors(value, &key, depth + 1)?;
                }
            }
            Value::Items(items) => {
                for (i, &item) in items.iter().enumerate() {
                    self.tensors(item, &join(&i.to_string()), depth + 1)?;
                }
            }
            &Value::Call(callee, arguments) => self.call(callee, arguments, name, depth)?,
            Value::Global(global) => known(global)?,
            Value::Outside(_) | Value::None | Value::Int(_) | Value::Other | Value::Text(_) => {}
        }
        Ok(())
    }

    fn call(&mut self, callee: Id, arguments: Id, name: &str, depth: usize) -> Result<()> {
        let Value::Global(global) = self.machine.value(callee) else {
            return Err(wrong("the pickle calls what it has computed; files of tensors do not"));
        };
        known(global)?;
        let Value::Items(arguments) = self.machine.value(arguments) else {
            return Err(wrong(format!("the pickle calls {global:?} without arguments")));
        };
        let function = global.rsplit(' ').next().unwrap_or_default();
        match (function, &arguments[..]) {
            ("_rebuild_parameter", &[tensor, ..]) => self.tensors(tensor, name, depth + 1),
            ("_rebuild_from_type_v2", &[function, _, arguments, ..]) => {
                self.call(function, arguments, name, depth + 1)
            }
            ("_rebuild_tensor" | "_rebuild_tensor_v2", &[storage, offset, size, stride, ..]) => {
                self.tensor(name, [storage, offset, size, stride], None)
            }
            ("_rebuild_tensor_v3", &[storage, offset, size, stride, _, _, dtype, ..]) => {
                self.tensor(name, [storage, offset, size, stride], Some(dtype))
            }
            (function, _) if function.starts_with("_rebuild") => {
                Err(wrong(format!("the tensor {name} is made from {} arguments", arguments.len())))
            }
            _ => Ok(()),
        }
    }

    fn tensor(&mut self, name: &str, parts: [Id; 4], typed: Option<Id>) -> Result<()> {
        let [storage, offset, size, stride] = parts;
        let bad = |what: &str| wrong(format!("the tensor {name} has {what}"));
        let Value::Outside(place) = *self.machine.value(storage) else { return Err(bad("no storage")) };
        let Value::Items(place) = self.machine.value(place) else {
            return Err(bad("a storage without a place"));
        };
        let [_, kind, key, ..] = place[..] else { return Err(bad("a storage without a key")) };
        let view = place.get(5).map(|&id| self.machine.value(id));
        if view.is_some_and(|view| !matches!(view, Value::None)) {
            return Err(bad("a storage that is a part of another"));
        }
        let (Value::Global(kind), Value::Text(key)) = (self.machine.value(kind), self.machine.value(key))
        else {
            return Err(bad("a storage without a type or a key"));
        };
        let kind = match typed.map(|id| self.machine.value(id)) {
            Some(Value::Global(dtype)) => dtype,
            Some(_) => return Err(bad("no element type")),
            None => kind,
        };
        let dtype = dtype(kind).ok_or_else(|| {
            wrong(format!("the tensor {name} has elements of the type {}", kind.replace(' ', ".")))
        })?;
        let offset = self.machine.number(offset).ok_or_else(|| bad("no offset"))?;
        let dims = self.machine.numbers(size).ok_or_else(|| bad("no extents"))?;
        let strides = self.machine.numbers(stride).ok_or_else(|| bad("no strides, or negative ones"))?;
        if dims.len() != strides.len() {
            return Err(bad("more extents than strides, or fewer"));
        }
        let encoding = TensorEncoding::Plain(dtype);
        let bytes = encoding.bytes(&dims).ok_or_else(|| bad("more elements than any memory"))?;
        let (start, stored) = self.storages.find(key)?;
        // The last element that is read has to be in the storage.
        let last = dims.iter().zip(&strides).try_fold(0usize, |last, (&dim, &stride)| {
            last.checked_add(stride.checked_mul(dim.saturating_sub(1))?)
        });
        let reach = if bytes == 0 { Some(0) } else { last.and_then(|last| last.checked_add(1)) };
        let reach = reach.and_then(|reach| reach.checked_mul(dtype.size()));
        let begin = offset.checked_mul(dtype.size());
        let fits = begin
            .zip(reach)
            .and_then(|(begin, reach)| begin.checked_add(reach))
            .is_some_and(|end| end <= stored);
        let (Some(begin), Some(reach), true) = (begin, reach, fits) else {
            return Err(wrong(format!(
                "the tensor {name}, {dtype}{dims:?}, reaches beyond its storage of {stored} bytes"
            )));
        };
        let strides = (!row_major(&dims, &strides)).then_some(strides);
        // Of an axis with stride 0 a small file may make a tensor of any size.
        if strides.is_some() && bytes > stored.saturating_mul(64) {
            return Err(bad(&format!("{bytes} bytes, and a storage of {stored}")));
        }
        self.entries.push(Entry {
            name: name.to_owned(),
            encoding,
            dims,
            strides,
            file: 0,
            start: start + begin,
            bytes: reach,
        });
        Ok(())
    }
}

/// Refuses imports that files of tensors do not have.
pub fn known(global: &str) -> Result<()> {
    if KNOWN.contains(&global) || dtype(global).is_some() {
        return Ok(());
    }
    let shown = global.replace(' ', ".");
    Err(wrong(format!(
        "the pickle asks for {shown}, which is no part of a file of tensors; nothing of it was run"
    ))
    .help("load the file where it comes from, and save its state_dict alone, as safetensors if that can be"))
}

/// The element type of a storage or of a type's name.
pub fn dtype(global: &str) -> Option<DType> {
    let name = global.strip_prefix("torch ")?;
    let found = STORAGES
        .iter()
        .find(|(storage, dtype, _)| name == *dtype || (!storage.is_empty() && name == *storage));
    found.map(|&(.., dtype)| dtype)
}

/// Whether elements with these strides lie one after the other in row-major order.
fn row_major(dims: &[usize], strides: &[usize]) -> bool {
    let mut step = 1;
    for (&dim, &stride) in dims.iter().zip(strides).rev() {
        if dim != 1 && stride != step {
            return dims.contains(&0);
        }
        step *= dim;
    }
    true
}

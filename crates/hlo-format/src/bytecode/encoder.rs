use std::collections::HashMap;
use std::hash::BuildHasher;

use jarrah_base::{DType, Error, Literal, Result, Type};
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::container::{DIALECTS, ENTRIES, MAGIC, OFFSETS, OPS, PROPERTIES, STRINGS};
use super::enums::Cases;
use super::version::Version;
use super::wire::Buffer;
use super::{dense, dialects, enums, scalars, vhlo};
use crate::MAX_DEPTH;
use crate::ir::{Attr, Attributes, Dense, ElementTy, Loc, Quantized, TensorTy, Ty, strings};

/// Which encoding an attribute or a type gets.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// The encoding of the portable dialect.
    Portable,
    /// The encoding of the dialect that the attribute or type belongs to.
    Plain,
}

use Form::{Plain, Portable};

/// Numbered things, each once.
#[derive(Default)]
struct Table {
    list: Vec<(usize, bool, Vec<u8>)>,
    find: HashMap<u64, Vec<u32>, FxBuildHasher>,
}

impl Table {
    fn number(&mut self, dialect: usize, binary: bool, bytes: Vec<u8>) -> u64 {
        let hash = FxBuildHasher.hash_one((dialect, binary, &bytes));
        let same = self.find.entry(hash).or_default();
        let found = same.iter().find(|&&i| {
            let (d, b, old) = &self.list[i as usize];
            (*d, *b) == (dialect, binary) && *old == bytes
        });
        if let Some(&i) = found {
            return u64::from(i);
        }
        same.push(self.list.len() as u32);
        self.list.push((dialect, binary, bytes));
        self.list.len() as u64 - 1
    }
}

/// The tables of a file that is written.
///
/// An entry is numbered after the entries that it refers to, so its bytes identify it.
pub struct Encoder {
    pub target: Version,
    strings: FxHashMap<Vec<u8>, u64>,
    string_list: Vec<Vec<u8>>,
    dialects: Vec<String>,
    ops: Vec<(usize, u64)>,
    attributes: Table,
    types: Table,
    properties: Table,
    depth: usize,
}

impl Encoder {
    pub fn new(target: Version) -> Self {
        Encoder {
            target,
            strings: FxHashMap::default(),
            string_list: Vec::new(),
            dialects: Vec::new(),
            ops: Vec::new(),
            attributes: Table::default(),
            types: Table::default(),
            properties: Table::default(),
            depth: 0,
        }
    }

    pub fn format(&self) -> u64 {
        self.target.container()
    }

    /// Checks that the target has `what`, which came with `since`.
    pub fn need(&self, since: Version, what: &str) -> Result<()> {
        match self.target.release() < since {
            true => {
                Err(Error::input(format!("{what} needs version {since}, and {} is asked for", self.target)))
            }
            false => Ok(()),
        }
    }

    fn string(&mut self, text: &[u8]) -> u64 {
        if let Some(&n) = self.strings.get(text) {
            return n;
        }
        let n = self.string_list.len() as u64;
        self.strings.insert(text.to_vec(), n);
        self.string_list.push(text.to_vec());
        n
    }

    fn dialect(&mut self, name: &str) -> usize {
        self.dialects.iter().position(|d| d == name).unwrap_or_else(|| {
            self.dialects.push(name.to_owned());
            self.dialects.len() - 1
        })
    }

    /// The number of the op `name`, with its dialect.
    pub fn op(&mut self, name: &str) -> u64 {
        let (dialect, name) = name.split_once('.').unwrap_or((name, ""));
        let key = (self.dialect(dialect), self.string(name.as_bytes()));
        let n = self.ops.iter().position(|op| *op == key).unwrap_or_else(|| {
            self.ops.push(key);
            self.ops.len() - 1
        });
        n as u64
    }

    /// The number of these properties.
    pub fn properties(&mut self, bytes: Vec<u8>) -> u64 {
        self.properties.number(0, true, bytes)
    }

    fn attribute(&mut self, dialect: &str, binary: bool, out: Buffer) -> u64 {
        let dialect = self.dialect(dialect);
        self.attributes.number(dialect, binary, out.0)
    }

    fn type_(&mut self, dialect: &str, binary: bool, out: Buffer) -> u64 {
        let dialect = self.dialect(dialect);
        self.types.number(dialect, binary, out.0)
    }

    /// Text that its dialect understands.
    fn textual(text: &str) -> Buffer {
        let mut out = Buffer::default();
        out.c_string(text);
        out
    }

    /// Checks that the target allows other dialects beside the portable one.
    fn foreign(&self, form: Form, what: &str) -> Result<()> {
        if form == Portable { self.need(Version::new(1, 11), what) } else { Ok(()) }
    }

    fn nested<T>(&mut self, make: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Error::input(format!("attributes or types nest more than {MAX_DEPTH} deep")));
        }
        let made = make(self)?;
        self.depth -= 1;
        Ok(made)
    }

    /// The number of the attribute `attr`.
    pub fn attr(&mut self, form: Form, attr: &Attr) -> Result<u64> {
        self.nested(|e| match form {
            Portable => e.portable(attr),
            Plain => e.plain(attr),
        })
    }

    fn attrs(&mut self, out: &mut Buffer, form: Form, all: &[Attr]) -> Result<()> {
        out.varint(all.len() as u64);
        for attr in all {
            out.varint(self.attr(form, attr)?);
        }
        Ok(())
    }

    /// The names and values of a portable dictionary.
    fn entries(&mut self, out: &mut Buffer, all: &Attributes) -> Result<()> {
        let mut all: Vec<_> = all.iter().collect();
        all.sort_by(|a, b| a.0.cmp(b.0));
        out.varint(all.len() as u64);
        for (name, attr) in all {
            out.varint(self.attr(Portable, &Attr::String(name.clone()))?);
            out.varint(self.attr(Portable, attr)?);
        }
        Ok(())
    }

    /// The dictionary of an op's attributes, whose values are of the encoding `form`.
    pub fn dictionary(&mut self, form: Form, all: &Attributes) -> Result<u64> {
        self.dictionary_with(form, all, None)
    }

    /// As [`Encoder::dictionary`], with a further attribute that has its number.
    pub fn dictionary_with(
        &mut self,
        form: Form,
        all: &Attributes,
        more: Option<(&str, u64)>,
    ) -> Result<u64> {
        let mut entries = Vec::new();
        for (name, attr) in all.iter() {
            entries.push((name.clone(), self.attr(form, attr)?));
        }
        entries.extend(more.map(|(name, number)| (name.into(), number)));
        entries.sort();
        let mut out = Buffer::default();
        out.varint(1);
        out.varint(entries.len() as u64);
        for (name, number) in entries {
            out.varint(self.attr(Plain, &Attr::String(name))?);
            out.varint(number);
        }
        Ok(self.attribute("builtin", true, out))
    }

    fn portable(&mut self, attr: &Attr) -> Result<u64> {
        use vhlo::code;
        let mut out = Buffer::default();
        match attr {
            Attr::Bool(b) => {
                out.varint(code::BOOLEAN);
                out.varint((*b).into());
            }
            Attr::Integer(n, element) => {
                let ty = self.element(Portable, element)?;
                out.varint(code::INTEGER);
                out.varint(ty);
                integer(&mut out, *n, element);
            }
            Attr::Float(x, element) => {
                let ty = self.element(Portable, element)?;
                out.varint(code::FLOAT);
                out.varint(ty);
                float(&mut out, *x, element)?;
            }
            Attr::String(text) => {
                out.varint(code::STRING);
                out.varint(self.string(&strings::to_bytes(text)));
            }
            Attr::Symbol(path) if path.len() == 1 => return self.portable(&Attr::String(path[0].clone())),
            Attr::Type(ty) => {
                out.varint(code::TYPE);
                out.varint(self.ty(Portable, ty)?);
            }
            Attr::Array(all) => {
                out.varint(code::ARRAY);
                self.attrs(&mut out, Portable, all)?;
            }
            Attr::Dictionary(all) => {
                out.varint(code::DICTIONARY);
                self.entries(&mut out, all)?;
            }
            Attr::Integers(ElementTy::Number(dtype @ (DType::I64 | DType::Bool)), list) => {
                return self.portable(&Attr::Dense(list_tensor(*dtype, list)?));
            }
            Attr::Dense(dense) => {
                let ty = self.ty(Portable, &Ty::Tensor(dense.ty.clone()))?;
                out.varint(code::TENSOR);
                out.varint(ty);
                elements(&mut out, dense, true);
            }
            Attr::Enum(name, case) => {
                let found = vhlo::ENUMS.iter().find(|(_, cases)| cases.name == *name);
                let Some((code, cases)) = found else { return self.foreign_attr(attr) };
                if *name == enums::RESULT_ACCURACY_MODE.name {
                    self.need(Version::new(1, 9), "an accuracy of results")?;
                }
                self.case(&mut out, *code, *cases, case)?;
            }
            Attr::Struct(name, fields) => self.portable_struct(&mut out, name, fields)?,
            Attr::Unit | Attr::Symbol(_) | Attr::Integers(..) | Attr::Floats(..) | Attr::Opaque(_) => {
                return self.foreign_attr(attr);
            }
        }
        Ok(self.attribute("vhlo", true, out))
    }

    /// The number of the enumeration that the tree has as an integer.
    pub fn api_version(&mut self, n: i64) -> Result<u64> {
        let n = u64::try_from(n).ok().filter(|&n| n <= 4);
        let n = n.ok_or_else(|| Error::input("`api_version` is none of 0 to 4"))?;
        let mut out = Buffer::default();
        out.varint(vhlo::code::API_VERSION);
        out.varint(n);
        Ok(self.attribute("vhlo", true, out))
    }

    /// An attribute that the portable dialect has not.
    fn foreign_attr(&mut self, attr: &Attr) -> Result<u64> {
        self.foreign(Portable, "an attribute of another dialect")?;
        self.plain(attr)
    }

    fn case(&mut self, out: &mut Buffer, code: u64, cases: Cases, case: &str) -> Result<()> {
        let n =
            cases.number(case).ok_or_else(|| Error::input(format!("{} has no case `{case}`", cases.name)))?;
        out.varint(code);
        out.varint(n);
        Ok(())
    }

    fn portable_struct(&mut self, out: &mut Buffer, name: &str, fields: &Attributes) -> Result<()> {
        use vhlo::code;
        let missing = |field: &str| Error::input(format!("`{field}` of `{name}` is missing"));
        let need = |field: &str| fields.get(field).ok_or_else(|| missing(field));
        let integer = |field: &str| fields.get(field).and_then(Attr::integer).unwrap_or(0);
        if matches!(name, "stablehlo.replica_group_mesh_axes" | "stablehlo.mesh" | "stablehlo.axis_ref") {
            self.need(Version::new(1, 16), "groups of replicas by the axes of a mesh")?;
        }
        match name {
            "stablehlo.output_operand_alias" => {
                out.varint(code::ALIAS);
                dialects::write_numbers(out, name, fields);
            }
            "stablehlo.bounds" => {
                out.varint(code::TYPE_EXTENSIONS);
                dialects::write_numbers(out, name, fields);
            }
            "stablehlo.sub_axis_info" => {
                out.varint(code::SUB_AXIS);
                dialects::write_numbers(out, name, fields);
            }
            "stablehlo.result_accuracy" => {
                self.need(Version::new(1, 9), "an accuracy of results")?;
                let mode = Attr::Enum(enums::RESULT_ACCURACY_MODE.name, "DEFAULT");
                let mode = self.attr(Portable, fields.get("mode").unwrap_or(&mode))?;
                out.varint(code::RESULT_ACCURACY);
                for field in ["atol", "rtol"] {
                    let x = match fields.get(field) {
                        Some(Attr::Float(x, _)) => *x,
                        _ => 0.0,
                    };
                    out.signed(x.to_bits() as i64);
                }
                out.signed(integer("ulps"));
                out.varint(mode);
            }
            "stablehlo.axis_ref" => {
                out.varint(code::AXIS_REF);
                out.varint(self.attr(Portable, need("name")?)?);
                match fields.get("sub_axis_info") {
                    Some(info) => {
                        out.varint(1);
                        out.varint(self.attr(Portable, info)?);
                    }
                    None => out.varint(0),
                }
            }
            "stablehlo.replica_group_mesh_axes" => {
                out.varint(code::MESH_AXES);
                out.varint(self.attr(Portable, need("mesh")?)?);
                out.varint(self.attr(Portable, need("axes")?)?);
            }
            "stablehlo.mesh_axis" => {
                out.varint(code::MESH_AXIS);
                out.varint(self.attr(Portable, need("name")?)?);
                out.signed(integer("size"));
            }
            "stablehlo.mesh" => {
                out.varint(code::MESH);
                out.varint(self.attr(Portable, need("axes")?)?);
                match fields.get("device_ids") {
                    Some(ids) => out.flagged(self.attr(Portable, ids)?, true),
                    None => out.flagged(0, false),
                }
            }
            _ => return Err(Error::input(format!("an attribute `{name}` cannot be written"))),
        }
        Ok(())
    }

    // A table: a row for each attribute.
    fn plain(&mut self, attr: &Attr) -> Result<u64> {
        let mut out = Buffer::default();
        match attr {
            Attr::Array(all) => {
                out.varint(0);
                self.attrs(&mut out, Plain, all)?;
            }
            Attr::Dictionary(all) => return self.dictionary(Plain, all),
            Attr::String(text) => {
                out.varint(2);
                out.varint(self.string(&strings::to_bytes(text)));
            }
            Attr::Symbol(path) => {
                let (root, nested) =
                    path.split_first().ok_or_else(|| Error::input("a symbol without a name"))?;
                out.varint(if nested.is_empty() { 4 } else { 5 });
                out.varint(self.plain(&Attr::String(root.clone()))?);
                if !nested.is_empty() {
                    let nested: Vec<_> = nested.iter().map(|n| Attr::Symbol(vec![n.clone()])).collect();
                    self.attrs(&mut out, Plain, &nested)?;
                }
            }
            Attr::Type(ty) => {
                out.varint(6);
                out.varint(self.ty(Plain, ty)?);
            }
            Attr::Unit => out.varint(7),
            Attr::Bool(b) => return self.plain(&Attr::Integer((*b).into(), ElementTy::Number(DType::Bool))),
            Attr::Integer(n, element) => {
                let ty = self.element(Plain, element)?;
                out.varint(8);
                out.varint(ty);
                integer(&mut out, *n, element);
            }
            Attr::Float(x, element) => {
                let ty = self.element(Plain, element)?;
                out.varint(9);
                out.varint(ty);
                float(&mut out, *x, element)?;
            }
            Attr::Integers(element, list) => {
                let ElementTy::Number(dtype) = *element else {
                    return Err(Error::input("an array of no numbers"));
                };
                let ty = self.element(Plain, element)?;
                out.varint(17);
                out.varint(ty);
                out.varint(list.len() as u64);
                out.blob(list_literal(dtype, list)?.bytes());
            }
            Attr::Floats(element, list) => {
                let ElementTy::Number(dtype) = *element else {
                    return Err(Error::input("an array of no numbers"));
                };
                let ty = self.element(Plain, element)?;
                out.varint(17);
                out.varint(ty);
                out.varint(list.len() as u64);
                let mut bytes = Vec::new();
                for &x in list {
                    bytes.extend_from_slice(Literal::full(Type::scalar(dtype), x)?.bytes());
                }
                out.blob(&bytes);
            }
            Attr::Dense(dense) => {
                let ty = self.ty(Plain, &Ty::Tensor(dense.ty.clone()))?;
                out.varint(18);
                out.varint(ty);
                elements(&mut out, dense, false);
            }
            Attr::Enum(name, case) if *name == enums::PROPAGATION_DIRECTION.name => {
                let n = enums::PROPAGATION_DIRECTION.number(case).unwrap_or(0);
                return self.plain(&Attr::Integer(n.into(), ElementTy::Number(DType::I32)));
            }
            Attr::Enum(name, case) => {
                let (dialect, kind) = name.split_once('.').unwrap_or((name, ""));
                let Some((code, cases)) = dialects::enumeration(name) else {
                    return Ok(self.attribute(
                        dialect,
                        false,
                        Self::textual(&format!("#{dialect}<{kind} {case}>")),
                    ));
                };
                self.case(&mut out, code, cases, case)?;
                return Ok(self.attribute(dialect, true, out));
            }
            Attr::Struct(name, fields) => {
                let dialect = name.split('.').next().unwrap_or_default();
                let Some(code) = dialects::structure(name) else {
                    let text = dialects::struct_text(name, fields)
                        .ok_or_else(|| Error::input(format!("an attribute `{name}` cannot be written")))?;
                    return Ok(self.attribute(dialect, false, Self::textual(&text)));
                };
                out.varint(code);
                dialects::write_numbers(&mut out, name, fields);
                return Ok(self.attribute(dialect, true, out));
            }
            Attr::Opaque(text) => {
                let name = text.trim_start_matches(['#', '!']);
                let end = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(name.len());
                let dialect = if text.starts_with('#') { &name[..end] } else { "builtin" };
                return Ok(self.attribute(dialect, false, Self::textual(text)));
            }
        }
        Ok(self.attribute("builtin", true, out))
    }

    /// The number of a location.
    pub fn loc(&mut self, loc: &Loc) -> Result<u64> {
        self.nested(|e| {
            let mut out = Buffer::default();
            match loc {
                Loc::Unknown | Loc::Unstated => out.varint(15),
                Loc::File(file, line, column) => {
                    out.varint(11);
                    out.varint(e.plain(&Attr::String(file.clone()))?);
                    out.varint((*line).into());
                    out.varint((*column).into());
                }
                // Readers before 1.9 know no ranges: their first position is kept.
                Loc::Range(file, [line, column, ..]) if e.target.release() < Version::new(1, 9) => {
                    return e.loc(&Loc::File(file.clone(), *line, *column));
                }
                Loc::Range(file, range) => {
                    out.varint(22);
                    out.varint(e.plain(&Attr::String(file.clone()))?);
                    out.varint(4);
                    range.iter().for_each(|&n| out.varint(n.into()));
                }
                Loc::Name(name, child) => {
                    out.varint(14);
                    out.varint(e.plain(&Attr::String(name.clone()))?);
                    out.varint(e.loc(child)?);
                }
                Loc::CallSite(sites) => {
                    out.varint(10);
                    out.varint(e.loc(&sites.0)?);
                    out.varint(e.loc(&sites.1)?);
                }
                Loc::Fused(parts) => {
                    out.varint(12);
                    out.varint(parts.len() as u64);
                    for part in parts.iter() {
                        out.varint(e.loc(part)?);
                    }
                }
            }
            Ok(e.attribute("builtin", true, out))
        })
    }

    /// The number of the type of an element.
    fn element(&mut self, form: Form, element: &ElementTy) -> Result<u64> {
        let mut out = Buffer::default();
        let name = match element {
            ElementTy::Index => "index".to_owned(),
            ElementTy::Tf32 => "tf32".to_owned(),
            ElementTy::Quantized(quantized) => return self.quantized(form, quantized),
            ElementTy::Number(dtype) if dtype.is_complex() => {
                let part = self.element(form, &ElementTy::Number(dtype.real()))?;
                out.varint(if form == Portable { vhlo::COMPLEX } else { 9 });
                out.varint(part);
                return Ok(self.type_(if form == Portable { "vhlo" } else { "builtin" }, true, out));
            }
            ElementTy::Number(dtype) => scalars::name(*dtype),
            ElementTy::Opaque(text) => match &**text {
                "none" => return self.ty(form, &Ty::None),
                text => return self.ty(form, &Ty::Opaque(text.into())),
            },
        };
        if form == Portable {
            let found = vhlo::SCALARS.iter().find(|s| s.0 == name);
            let (_, code, since) =
                found.ok_or_else(|| Error::input(format!("the type {name} cannot be written")))?;
            self.need(*since, &format!("the type {name}"))?;
            out.varint(*code);
            return Ok(self.type_("vhlo", true, out));
        }
        match (element, &*name) {
            (_, "index") => out.varint(1),
            (_, "bf16") => out.varint(3),
            (_, "f16") => out.varint(4),
            (_, "f32") => out.varint(5),
            (_, "f64") => out.varint(6),
            (ElementTy::Number(dtype), _) if dtype.is_integer() || *dtype == DType::Bool => {
                out.varint(0);
                out.varint(u64::from(dtype.bits()) << 2 | if name.starts_with('u') { 2 } else { 0 });
            }
            // Other floats are text, which readers of any age understand.
            _ => return Ok(self.type_("builtin", false, Self::textual(&name))),
        }
        Ok(self.type_("builtin", true, out))
    }

    fn quantized(&mut self, form: Form, quantized: &Quantized) -> Result<u64> {
        let signless = |dtype: DType| DType::from_name(&dtype.name().replacen('u', "i", 1)).unwrap_or(dtype);
        let storage = self.element(form, &ElementTy::Number(signless(quantized.storage)))?;
        let expressed = self.element(form, &ElementTy::Number(quantized.expressed))?;
        let signed = u64::from(quantized.storage.kind() == jarrah_base::ElementKind::Signed);
        let mut out = Buffer::default();
        out.varint(match (form, quantized.axis) {
            (Portable, None) => vhlo::QUANTIZED,
            (Portable, Some(_)) => {
                self.need(Version::new(0, 18), "a type quantized along an axis")?;
                vhlo::QUANTIZED_PER_AXIS
            }
            (Plain, None) => 4,
            (Plain, Some(_)) => 5,
        });
        out.varint(signed);
        out.varint(storage);
        out.varint(expressed);
        let scale = |i: usize| quantized.scales.get(i).copied().unwrap_or(1.0).to_bits() as i64;
        match quantized.axis {
            None => {
                out.signed(scale(0));
                out.signed(quantized.zero_points.first().copied().unwrap_or(0));
            }
            Some(axis) => out.varint(axis.into()),
        }
        out.signed(quantized.range.0);
        out.signed(quantized.range.1);
        if quantized.axis.is_some() {
            out.varint(quantized.scales.len() as u64);
            (0..quantized.scales.len()).for_each(|i| out.signed(scale(i)));
            out.signed_list(&quantized.zero_points);
        }
        Ok(self.type_(if form == Portable { "vhlo" } else { "quant" }, true, out))
    }

    fn tys(&mut self, out: &mut Buffer, form: Form, all: &[Ty]) -> Result<()> {
        out.varint(all.len() as u64);
        for ty in all {
            out.varint(self.ty(form, ty)?);
        }
        Ok(())
    }

    /// The number of the type `ty`.
    pub fn ty(&mut self, form: Form, ty: &Ty) -> Result<u64> {
        self.nested(|e| e.any_ty(form, ty))
    }

    fn any_ty(&mut self, form: Form, ty: &Ty) -> Result<u64> {
        let mut out = Buffer::default();
        let code = |portable: u64, plain: u64| if form == Portable { portable } else { plain };
        match ty {
            Ty::Scalar(element) => return self.element(form, element),
            Ty::Tensor(TensorTy { dims: None, element, .. }) => {
                let element = self.element(form, element)?;
                out.varint(code(vhlo::UNRANKED, 18));
                out.varint(element);
            }
            Ty::Tensor(TensorTy { dims: Some(dims), element, encoding }) => {
                let element = self.element(form, element)?;
                match encoding {
                    Some(encoding) => {
                        let encoding = self.attr(form, encoding)?;
                        out.varint(code(vhlo::ENCODED_TENSOR, 14));
                        out.varint(encoding);
                    }
                    None => out.varint(code(vhlo::TENSOR_TY, 13)),
                }
                extents(&mut out, dims);
                out.varint(element);
            }
            Ty::Function(function) => {
                out.varint(code(vhlo::FUNCTION, 2));
                self.tys(&mut out, form, &function.0)?;
                self.tys(&mut out, form, &function.1)?;
            }
            Ty::Tuple(parts) => {
                out.varint(code(vhlo::TUPLE, 15));
                self.tys(&mut out, form, parts)?;
            }
            Ty::None => {
                if form == Portable {
                    self.need(Version::new(1, 6), "the type none")?;
                }
                out.varint(code(vhlo::NONE, 12));
            }
            Ty::Token => {
                out.varint(code(vhlo::TOKEN, 0));
                return Ok(self.type_(if form == Portable { "vhlo" } else { "stablehlo" }, true, out));
            }
            Ty::Future(parts) => {
                if form == Portable {
                    self.need(Version::new(1, 15), "the type future")?;
                }
                out.varint(code(vhlo::FUTURE, 1));
                self.tys(&mut out, form, parts)?;
                return Ok(self.type_(if form == Portable { "vhlo" } else { "stablehlo" }, true, out));
            }
            Ty::Buffer(buffer) if form == Portable => {
                let dims = buffer.dims.as_ref().ok_or_else(|| Error::input("a buffer without a rank"))?;
                let element = self.element(form, &buffer.element)?;
                out.varint(vhlo::BUFFER);
                extents(&mut out, dims);
                out.varint(element);
            }
            Ty::Opaque(text) if &**text == "!shape.witness" && form == Portable => out.varint(vhlo::WITNESS),
            Ty::Opaque(text) => {
                self.foreign(form, "a type of another dialect")?;
                let name = text.trim_start_matches('!');
                let end = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(name.len());
                let dialect = if text.starts_with('!') { &name[..end] } else { "builtin" };
                return Ok(self.type_(dialect, false, Self::textual(text)));
            }
            Ty::Buffer(_) => {
                return Err(Error::input("a buffer cannot be written outside of the portable dialect"));
            }
        }
        Ok(self.type_(if form == Portable { "vhlo" } else { "builtin" }, true, out))
    }

    /// The file: the tables, and `code`.
    pub fn finish(mut self, code: &Buffer) -> Vec<u8> {
        let format = self.format();
        let mut file = Buffer(MAGIC.to_vec());
        file.varint(format);
        file.c_string(&format!("StableHLO_v{}", self.target));

        let names: Vec<u64> = self.dialects.clone().iter().map(|d| self.string(d.as_bytes())).collect();
        let mut dialects = Buffer::default();
        dialects.varint(names.len() as u64);
        for name in names {
            if format >= 1 { dialects.flagged(name, false) } else { dialects.varint(name) }
        }
        if format >= 4 {
            dialects.varint(self.ops.len() as u64);
        }
        groups(
            &mut dialects,
            &self.ops,
            |op| op.0,
            |out, op| {
                if format >= 5 { out.flagged(op.1, true) } else { out.varint(op.1) }
            },
        );
        file.section(DIALECTS, &dialects);

        let mut offsets = Buffer::default();
        let mut entries = Buffer::default();
        offsets.varint(self.attributes.list.len() as u64);
        offsets.varint(self.types.list.len() as u64);
        for table in [&self.attributes, &self.types] {
            groups(
                &mut offsets,
                &table.list,
                |entry| entry.0,
                |out, (_, binary, bytes)| {
                    out.flagged(bytes.len() as u64, *binary);
                    entries.0.extend_from_slice(bytes);
                },
            );
        }
        file.section(OFFSETS, &offsets);
        file.section(ENTRIES, &entries);
        file.section(OPS, code);

        let mut strings = Buffer::default();
        strings.varint(self.string_list.len() as u64);
        self.string_list.iter().rev().for_each(|s| strings.varint(s.len() as u64 + 1));
        for string in &self.string_list {
            strings.0.extend_from_slice(string);
            strings.byte(0);
        }
        file.section(STRINGS, &strings);
        if format >= 5 {
            let mut properties = Buffer::default();
            properties.varint(self.properties.list.len() as u64);
            self.properties.list.iter().for_each(|(.., bytes)| properties.blob(bytes));
            file.section(PROPERTIES, &properties);
        }
        file.0
    }
}

/// Runs of things of one dialect.
fn groups<T>(
    out: &mut Buffer,
    all: &[T],
    dialect: impl Fn(&T) -> usize,
    mut each: impl FnMut(&mut Buffer, &T),
) {
    for run in all.chunk_by(|a, b| dialect(a) == dialect(b)) {
        out.varint(dialect(&run[0]) as u64);
        out.varint(run.len() as u64);
        run.iter().for_each(|t| each(out, t));
    }
}

fn extents(out: &mut Buffer, dims: &[Option<u64>]) {
    out.varint(dims.len() as u64);
    dims.iter().for_each(|d| out.signed(d.map_or(i64::MIN, |d| d as i64)));
}

/// An integer of a width that its type sets.
fn integer(out: &mut Buffer, n: i128, element: &ElementTy) {
    let bits = match element {
        ElementTy::Number(dtype) => dtype.bits(),
        _ => 64,
    };
    let word = n as u64 & (u64::MAX >> (64 - bits.clamp(1, 64)));
    if bits <= 8 { out.byte(word as u8) } else { out.signed(word as i64) }
}

fn float(out: &mut Buffer, x: f64, element: &ElementTy) -> Result<()> {
    let ElementTy::Number(dtype) = *element else { return Err(Error::input("a float of no number type")) };
    let value = Literal::full(Type::scalar(dtype), x)?;
    let mut word = [0; 8];
    let size = value.bytes().len().min(8);
    word[..size].copy_from_slice(&value.bytes()[..size]);
    if dtype.bits() <= 8 {
        out.byte(word[0])
    } else {
        out.signed(i64::from_le_bytes(word))
    }
    Ok(())
}

fn list_literal(dtype: DType, list: &[i64]) -> Result<Literal> {
    let mut bytes = Vec::with_capacity(list.len() * dtype.size());
    for &n in list {
        bytes.extend_from_slice(&n.to_le_bytes()[..dtype.size().min(8)]);
    }
    Literal::from_bytes(Type::tensor(dtype, [list.len()]), &bytes)
}

/// A list as a tensor; one element stands for equal ones.
fn list_tensor(dtype: DType, list: &[i64]) -> Result<Dense> {
    let dims = Some([Some(list.len() as u64)].into_iter().collect());
    let ty = TensorTy { dims, element: ElementTy::Number(dtype), encoding: None };
    let value = match list {
        [first, rest @ ..] if rest.iter().all(|n| n == first) => {
            list_literal(dtype, &list[..1])?.reshape(&[])?
        }
        _ => list_literal(dtype, list)?,
    };
    Ok(Dense { ty, value })
}

/// The elements of a tensor; truth values are bits in the portable dialect.
fn elements(out: &mut Buffer, dense: &Dense, packed: bool) {
    let bytes = dense.value.bytes();
    if !packed || dense::stored(&dense.ty.element) != Some(DType::Bool) {
        return out.blob(bytes);
    }
    let count = dense.ty.dims.iter().flatten().try_fold(1u64, |n, d| n.checked_mul((*d)?));
    if dense.is_splat() && count != Some(1) {
        return out.blob(&[if bytes[0] != 0 { 0xFF } else { 0 }]);
    }
    let pack = |byte: &[u8]| byte.iter().enumerate().fold(0, |all, (i, &b)| all | u8::from(b != 0) << i);
    out.blob(&bytes.chunks(8).map(pack).collect::<Vec<_>>());
}

//! How the files of a model hold its parameters.

use std::collections::BTreeMap;

use jarrah_array::Result;
use jarrah_formats::{FileFormat, TensorEncoding};

use crate::Architecture;
use crate::opened::Opened;
use crate::packed::Wanted;

/// Parameters of a model as its files hold them: one tensor, or the tensors of one weight in few bits.
#[derive(Clone, Debug, PartialEq)]
pub struct Held {
    /// The paths of the parameters that it has numbers of.
    pub parameters: Vec<String>,
    /// The name of the tensor in the files, as the family has it where it is no weight in few bits.
    pub name: String,
    /// The extents of the tensor of numbers.
    pub dims: Vec<usize>,
    /// How weights in few bits are held: a [`Scheme`](jarrah_quant::Scheme) by its name, or a block of llama.cpp. None: numbers as they are.
    pub scheme: Option<String>,
    /// The bytes of it in the files: codes, scales, zero points.
    pub bytes: usize,
}

impl Held {
    /// How many numbers it stands for.
    pub fn numbers(&self) -> usize {
        self.dims.iter().product()
    }
}

/// How the files hold the parameters of the model, in the order of its family.
pub(crate) fn held<M: Architecture>(opened: &Opened<M>) -> Result<Vec<Held>> {
    let (files, wanted) = (&opened.files, &opened.wanted);
    // In a GGUF file each tensor names its own blocks.
    let method = opened.method.as_deref().filter(|_| files.format() != FileFormat::Gguf);
    let bytes = |tensor: &jarrah_formats::Tensor<'_>| {
        let elements: usize = tensor.dims().iter().product();
        let (each, bytes) = tensor.encoding().block();
        tensor.stored().map_or(elements / each * bytes, <[u8]>::len)
    };
    // The tensors of the files, by name: the tensors of one weight are neighbours.
    let found: BTreeMap<String, (String, usize)> = files
        .iter()
        .map(|t| (t.name().to_owned(), (format!("{} {:?}", t.encoding(), t.dims()), bytes(&t))))
        .collect();
    let mut schemes: BTreeMap<Vec<(String, String)>, String> = BTreeMap::new();
    let mut all = Vec::with_capacity(wanted.len());
    for (name, tensor) in wanted {
        let mut paths: Vec<String> = tensor.pieces.iter().map(|piece| piece.ours.clone()).collect();
        paths.dedup();
        let mut made =
            Held { parameters: paths, dims: tensor.dims.clone(), scheme: None, bytes: 0, name: name.clone() };
        let of = Wanted::of(&made.name, tensor);
        let by = method.and_then(|method| Some((method, method.codes(files, &of)?)));
        if let Some((method, (_, codes))) = by {
            let parts = parts(&made.name, &found);
            made.bytes = parts.iter().map(|(_, (_, bytes))| bytes).sum();
            let kind: Vec<(String, String)> =
                parts.into_iter().map(|(part, (ty, _))| (part.to_owned(), ty.clone())).collect();
            let known = schemes.get(&kind).cloned();
            let scheme = match known {
                Some(scheme) => scheme,
                // Blocks that cross the ends of groups are read as numbers.
                None if !method.fits(&of) => codes.dtype().to_string(),
                None => method.read(files, &of)?.scheme.to_string(),
            };
            schemes.insert(kind, scheme.clone());
            made.scheme = Some(scheme);
        } else {
            let tensor = files.get(&made.name)?;
            made.bytes = bytes(&tensor);
            let is_block =
                matches!(tensor.encoding(), TensorEncoding::Blocks(_) | TensorEncoding::Unread(..));
            made.scheme = is_block.then(|| tensor.encoding().to_string());
        }
        all.push(made);
    }
    Ok(all)
}

/// The tensors of the quantized weight `name`, by the endings of their names.
fn parts<'a>(
    name: &str,
    found: &'a BTreeMap<String, (String, usize)>,
) -> Vec<(&'a str, &'a (String, usize))> {
    let (stem, between) = name.strip_suffix(".weight").map_or((name, '_'), |stem| (stem, '.'));
    let alike = found.range(stem.to_owned()..).take_while(|(other, _)| other.starts_with(stem));
    let parts = alike.filter_map(|(other, tensor)| {
        let part = &other[stem.len()..];
        (part.starts_with(between) && !part.ends_with("bias")).then_some((part, tensor))
    });
    parts.collect()
}

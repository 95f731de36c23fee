//! How the files of a model hold its parameters.

use std::collections::BTreeMap;
use std::path::Path;

use jarrah_array::Result;
use jarrah_formats::{Encoding, Format, Tensors};
use jarrah_nn::Layer;

use crate::architecture::{parameters, shapes, tensors};
use crate::files::open;
use crate::packed::{self, Wanted};
use crate::spelling::Spelling;
use crate::{Architecture, Family, PretrainedModel, gguf};

/// Parameters of a model as its files hold them: one tensor, or the tensors of one weight in few bits.
#[derive(Clone, Debug, PartialEq)]
pub struct Held {
    /// The paths of the parameters that it has numbers of.
    pub parameters: Vec<String>,
    /// The name of the tensor in the files, as the family has it where it is no weight in few bits.
    pub name: String,
    /// Its extents, if it is numbers.
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

impl PretrainedModel<Layer> {
    /// How the files of the folder or the GGUF file at `path` hold the parameters of the model, in the order of its family. Headers are read, and of weights in few bits
    /// one of each kind, which says by which scheme they are.
    ///
    /// ```
    /// use jarrah_array::random::Key;
    /// use jarrah_models::{Pretrained, PretrainedModel, QuantizeRules};
    /// use jarrah_nn::Layer;
    /// # let folder = tempfile::tempdir().unwrap();
    /// let mut model = Pretrained::random(Pretrained::preset("test-llama")?, &Key::new(0))?;
    /// "int4:8".parse::<QuantizeRules>()?.apply(&mut model.model)?;
    /// model.save(folder.path())?;
    /// let held = PretrainedModel::<Layer>::held(folder.path())?;
    /// let up = held.iter().find(|held| held.parameters == ["blocks.0.mlp.up.weight"]).unwrap();
    /// assert_eq!(up.scheme.as_deref(), Some("int4:8"));
    /// // Half a byte for each number, a scale in `f32` for each 8, and the shape of the matrix.
    /// assert_eq!(up.bytes, up.numbers() / 2 + up.numbers() / 8 * 4 + 16);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`load`](Self::load), of what is read.
    pub fn held(path: impl AsRef<Path>) -> Result<Vec<Held>> {
        let path = path.as_ref();
        let (folder, files) = open(path)?;
        held(&folder, &files).map_err(|error| error.context(format!("while reading {}", path.display())))
    }
}

fn held(folder: &jarrah_formats::Folder, files: &Tensors) -> Result<Vec<Held>> {
    let json = Family::text(folder.config().clone());
    let mut config = Layer::config(&json)?;
    let is_gguf = files.format() == Format::Gguf;
    let rows = if is_gguf { gguf::names_of(&json)? } else { Layer::rows(&json)? };
    let method = packed::method(&json)?.filter(|_| !is_gguf);
    Layer::fit(&mut config, files)?;
    let parameters = parameters(&shapes::<Layer>(&config)?);
    let wanted = tensors::<Layer>(&rows, &parameters, &config)?;
    let spelling = Spelling::in_file(files, &wanted, method.as_deref());
    let bytes = |tensor: &jarrah_formats::Tensor<'_>| {
        let elements: usize = tensor.dims().iter().product();
        let (each, bytes) = tensor.encoding().block();
        tensor.stored().map_or(elements / each * bytes, <[u8]>::len)
    };
    // The tensors of the files, by name: those of one weight are neighbours.
    let found: BTreeMap<String, (String, usize)> = files
        .iter()
        .map(|t| (t.name().to_owned(), (format!("{} {:?}", t.encoding(), t.dims()), bytes(&t))))
        .collect();
    let mut schemes: BTreeMap<Vec<(String, String)>, String> = BTreeMap::new();
    let mut all = Vec::with_capacity(wanted.len());
    for (name, tensor) in &wanted {
        let name = spelling.of(name);
        let mut paths: Vec<String> = tensor.pieces.iter().map(|piece| piece.ours.clone()).collect();
        paths.dedup();
        let mut made = Held { parameters: paths, dims: tensor.dims.clone(), scheme: None, bytes: 0, name };
        let of = Wanted::of(&made.name, tensor);
        let by = method.as_deref().and_then(|method| Some((method, method.codes(files, &of)?)));
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
            let is_block = matches!(tensor.encoding(), Encoding::Blocks(_) | Encoding::Unread(..));
            made.scheme = is_block.then(|| tensor.encoding().to_string());
        }
        all.push(made);
    }
    Ok(all)
}

/// The tensors of a weight in few bits that a file would have as `name`, by what their names have after it.
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

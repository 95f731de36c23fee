//! The description of a model by its files, before any number is read.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use jarrah_array::{DType, Result, Type};
use jarrah_formats::{Folder, Format, Report, Tensors};
use serde_json::Value;

use crate::architecture::{Again, parameters, shapes, tensors};
use crate::family::{Tensor, ignored};
use crate::files::{EMBEDDINGS, Head, left_over, open, read_as, untied};
use crate::held::{Held, held};
use crate::packed::{self, Method, Wanted};
use crate::spelling::Spelling;
use crate::{Architecture, Family, PretrainedModel, gguf};

/// The description of a model by its files: see [`PretrainedModel::outline`].
#[derive(Clone, Debug)]
pub struct Outline<M: Architecture> {
    /// The model without numbers: the shapes of its parameters.
    pub model: M,
    /// Its shape.
    pub config: M::Config,
    /// `config.json`, or what the fields of a GGUF file say as such, as the model is read.
    pub json: Value,
    /// How the files hold the parameters, in the order of the family.
    pub held: Vec<Held>,
    /// As [`PretrainedModel::notes`].
    pub notes: Vec<String>,
}

impl<M: Architecture> PretrainedModel<M> {
    /// The description of the model by its folder or GGUF file at `path`, as [`load`](Self::load) takes them. Headers are read, and of weights in few bits
    /// one of each kind, which says by which scheme they are.
    ///
    /// ```
    /// use jarrah_array::random::Key;
    /// use jarrah_models::{Pretrained, QuantizeRules};
    /// # let folder = tempfile::tempdir().unwrap();
    /// let mut model = Pretrained::random(Pretrained::preset("test-llama")?, &Key::new(0))?;
    /// "int4:8".parse::<QuantizeRules>()?.apply(&mut model.model)?;
    /// model.save(folder.path())?;
    /// let outline = Pretrained::outline(folder.path())?;
    /// let up = outline.held.iter().find(|held| held.parameters == ["blocks.0.mlp.up.weight"]).unwrap();
    /// assert_eq!(up.scheme.as_deref(), Some("int4:8"));
    /// // Half a byte for each number, a scale in `f32` for each 8, and the shape of the matrix.
    /// assert_eq!(up.bytes, up.numbers() / 2 + up.numbers() / 8 * 4 + 16);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`load`](Self::load), of what is read.
    pub fn outline(path: impl AsRef<Path>) -> Result<Outline<M>> {
        let path = path.as_ref();
        let opened = Opened::<M>::of(path)?;
        let held = held(&opened).map_err(|e| e.context(format!("while reading {}", path.display())))?;
        let Opened { shapes: model, config, json, notes, .. } = opened;
        Ok(Outline { model, config, json, held, notes })
    }
}

/// The files of a model, and which of their tensors its parameters are.
pub(crate) struct Opened<M: Architecture> {
    pub folder: Folder,
    pub files: Tensors,
    pub config: M::Config,
    pub json: Value,
    /// The model without numbers, and the types of its parameters.
    pub shapes: M,
    pub parameters: BTreeMap<String, Type>,
    /// How the files have weights in few bits, if they may.
    pub method: Option<Arc<dyn Method>>,
    /// The tensors, by their names in the files.
    pub wanted: Vec<(String, Tensor)>,
    pub spelling: Spelling,
    pub copies: Vec<(String, String)>,
    pub notes: Vec<String>,
}

impl<M: Architecture> Opened<M> {
    pub fn of(path: &Path) -> Result<Self> {
        let (folder, files) = open(path)?;
        let opened = Self::read(folder, files);
        opened.map_err(|error| error.context(format!("while reading {}", path.display())))
    }

    fn read(folder: Folder, files: Tensors) -> Result<Self> {
        let is_gguf = files.format() == Format::Gguf;
        let mut json = Family::text(folder.config().clone());
        let config = M::config(&json)?;
        let rows = if is_gguf { gguf::names_of(&json) } else { M::rows(&json) }?;
        // The ignored keys of config.json as the file has it: the head that is found changes `json` below.
        let ignored = if is_gguf { gguf::ignored(files.fields()) } else { ignored(&json) };
        let method = match is_gguf {
            true => Some(Arc::new(packed::Gguf) as Arc<dyn Method>),
            false => packed::method(&json)?,
        };
        let (mut config, head) = untied::<M>(&mut json, config, &rows, &files, method.as_deref())?;
        let copies = M::fit(&mut config, &files)?;
        let shapes = shapes::<M>(&config)?;
        let parameters = parameters(&shapes);
        let wanted = tensors::<M>(&rows, &parameters, &config)?;
        let spelling = Spelling::in_file(&files, &wanted, method.as_deref());
        let mut wanted: Vec<(String, Tensor)> =
            wanted.into_iter().map(|(name, tensor)| (spelling.of(&name), tensor)).collect();
        let (mut notes, head) = match head {
            Head::Embeddings(name) => (Vec::new(), name),
            Head::Apart(note) => (vec![note], None),
        };
        let embeddings = rows.iter().find_map(|row| row.name_of(EMBEDDINGS)).map(|name| spelling.of(name));
        let (mut again, mut repeated) = (Vec::new(), Vec::new());
        match (head, embeddings) {
            (Some(head), Some(name)) if files.find(&name).is_none() => again.push((name, vec![head], false)),
            (head, _) => repeated.extend(head),
        }
        for Again { name, others, others_first } in M::again(&config) {
            let others = others.iter().map(|other| spelling.of(other));
            let name = spelling.of(name);
            match again.iter_mut().find(|(known, ..)| *known == name) {
                Some((_, known, _)) => known.extend(others),
                None => again.push((name, others.collect(), *others_first)),
            }
        }
        for (name, _) in &mut wanted {
            if let Some((_, others, others_first)) = again.iter().find(|(known, ..)| known == name) {
                let (read, more) = read_as(&files, name, others, *others_first)?;
                *name = read;
                repeated.extend(more);
            }
        }
        if method.is_none() || is_gguf {
            let known = wanted.iter().map(|(name, _)| name).chain(copies.iter().map(|(copy, _)| copy));
            let known = known.chain(&repeated).map(String::as_str).collect();
            if is_gguf {
                gguf::check_biases(&files, &known)?;
            }
            notes.extend(left_over(&files, known, spelling, M::CARRIED));
        }
        notes.extend(ignored);
        let types = wanted.iter().map(|(name, tensor)| {
            let packed = method.as_ref().and_then(|method| method.codes(&files, &Wanted::of(name, tensor)));
            packed.unwrap_or_else(|| (name.clone(), Type::tensor(DType::F32, tensor.dims.iter().copied())))
        });
        Report::new(types, &files).complete()?;
        Ok(Opened {
            folder,
            files,
            config,
            json,
            shapes,
            parameters,
            method,
            wanted,
            spelling,
            copies,
            notes,
        })
    }
}

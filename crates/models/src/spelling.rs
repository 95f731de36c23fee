//! How files spell the names of tensors.

use jarrah_formats::Tensors;

use crate::family::Tensor;
use crate::packed::{Method, Wanted};

/// The beginnings of names that some files lack.
const PREFIXES: [&str; 5] = ["transformer.", "model.", "bert.", "vit.", "resnet."];

fn bare(name: &str) -> &str {
    PREFIXES.iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name)
}

/// Where a file has the tensors of its family.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Place {
    /// By the family's names.
    #[default]
    Plain,
    /// By names without what the family's begin with, as in the first files of GPT-2.
    Bare,
    /// Below `model.language_model`, in a larger model of which the text is a part.
    InModel,
    /// Below `language_model`, likewise.
    InText,
}

impl Place {
    const ALL: [Place; 4] = [Place::Plain, Place::Bare, Place::InModel, Place::InText];

    fn of(self, name: &str) -> String {
        match self {
            Place::Plain => name.to_owned(),
            Place::Bare => bare(name).to_owned(),
            Place::InModel => match name.strip_prefix("model.") {
                Some(rest) => format!("model.language_model.{rest}"),
                None => name.to_owned(),
            },
            Place::InText => format!("language_model.{name}"),
        }
    }
}

/// How a file spells the names of its family's tensors.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spelling {
    place: Place,
    /// Scales and biases of normalizations with the names of the paper, as in the first files of BERT.
    greek: bool,
}

impl Spelling {
    /// The spelling by which most of the tensors are in a file; of two alike the first.
    pub fn in_file(files: &Tensors, names: &[(String, Tensor)], method: Option<&dyn Method>) -> Self {
        let found = |spelling: &Spelling| {
            let there = |(name, tensor): &&(String, Tensor)| {
                let name = spelling.of(name);
                let packed =
                    || method.is_some_and(|by| by.codes(files, &Wanted::of(&name, tensor)).is_some());
                files.find(&name).is_some() || packed()
            };
            names.iter().filter(there).count()
        };
        let all =
            Place::ALL.into_iter().flat_map(|place| [false, true].map(|greek| Spelling { place, greek }));
        all.rev().max_by_key(found).unwrap_or_default()
    }

    /// The spelling for a file of the family's tensors alone, if this file was of a larger model.
    pub fn alone(self) -> Self {
        match self.place {
            Place::Plain | Place::Bare => self,
            Place::InModel | Place::InText => Spelling { place: Place::Plain, ..self },
        }
    }

    /// Whether a tensor of the file is one of the text, where the text is a part of a larger model.
    pub fn is_own(self, name: &str) -> bool {
        match self.place {
            Place::Plain | Place::Bare => true,
            Place::InModel => name.starts_with("model.language_model."),
            Place::InText => name.starts_with("language_model."),
        }
    }

    /// The name in the file of the tensor that the family calls `name`.
    pub fn of(self, name: &str) -> String {
        let name = self.place.of(name);
        let ends = [("LayerNorm.weight", "LayerNorm.gamma"), ("LayerNorm.bias", "LayerNorm.beta")];
        let start = |(end, greek): &(&str, &str)| Some(name.strip_suffix(end)?.to_owned() + greek);
        ends.iter().filter(|_| self.greek).find_map(start).unwrap_or(name)
    }
}

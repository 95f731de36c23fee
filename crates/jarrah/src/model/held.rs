//! Which weights of a model its files have in few bits, and which not.

use std::collections::{BTreeMap, BTreeSet};

use jarrah::array::{Array, TreeExt};
use jarrah::models::{Held, quantization_method};
use jarrah::train::size;
use serde_json::{Value, json};

use super::Shapes;

/// The parameters of a model as files have them, some in few bits.
pub struct FewBits<'a> {
    held: &'a [Held],
    /// `quant_method` of `config.json`, or `gguf`.
    method: &'a str,
}

/// A parameter as files have it.
#[derive(Default)]
pub struct Parameter {
    /// The schemes of the tensors that it is in.
    schemes: BTreeSet<String>,
    pub bytes: usize,
}

impl Parameter {
    /// How it is held; none: numbers as they are.
    pub fn scheme(&self) -> Option<String> {
        let schemes: Vec<&str> = self.schemes.iter().map(String::as_str).collect();
        (!schemes.is_empty()).then(|| schemes.join(", "))
    }
}

impl<'a> FewBits<'a> {
    /// The weights in few bits of a model; `None` where no file of weights is read, and for a model without such weights.
    pub fn of(shapes: &'a Shapes) -> Option<FewBits<'a>> {
        let method = quantization_method(&shapes.json).unwrap_or("gguf");
        let is_few = shapes.held.iter().any(|held| held.scheme.is_some());
        is_few.then_some(FewBits { held: &shapes.held, method })
    }

    /// The parameters by their paths. One in several tensors has the bytes of all of them, and several in one have a share each, by their numbers.
    pub fn parameters(&self, shapes: &Shapes) -> BTreeMap<String, Parameter> {
        let numbers: BTreeMap<String, usize> = shapes
            .model
            .leaves_with_paths()
            .into_iter()
            .map(|(path, x): (_, &Array)| (path, x.size()))
            .collect();
        let mut all: BTreeMap<String, Parameter> = BTreeMap::new();
        for held in self.held {
            let numbers = |path: &String| numbers.get(path).copied().unwrap_or(0);
            let (mut left, mut bytes) = (held.parameters.iter().map(numbers).sum::<usize>(), held.bytes);
            for path in &held.parameters {
                // The last parameter gets the bytes that the others left.
                let share = bytes * numbers(path) / left.max(1);
                (left, bytes) = (left - numbers(path), bytes - share);
                let parameter = all.entry(path.clone()).or_default();
                parameter.bytes += share;
                parameter.schemes.extend(held.scheme.clone());
            }
        }
        all
    }

    /// The bytes of these weights, and the bits that each number of them takes.
    fn bytes<'h>(held: impl Iterator<Item = &'h Held>) -> (usize, f64) {
        let (bytes, numbers) =
            held.fold((0, 0), |(bytes, numbers), held| (bytes + held.bytes, numbers + held.numbers()));
        (bytes, 8.0 * bytes as f64 / numbers.max(1) as f64)
    }

    /// Adds how the weights are quantized to the description of the model.
    pub fn describe(&self, all: &mut Value) {
        let (bytes, bits) = FewBits::bytes(self.held.iter());
        let weight = |held: &Held| {
            json!({
                "name": held.name, "parameters": held.parameters, "scheme": held.scheme, "numbers": held.numbers(),
                "bytes": held.bytes,
            })
        };
        all["bytes"] = bytes.into();
        all["quantization"] = json!({
            "method": self.method, "bits_per_weight": bits, "weights": self.held.iter().map(weight).collect::<Vec<_>>(),
        });
    }

    /// The description in lines of text: all weights, the weights of each scheme, and the others.
    pub fn lines(&self) -> Vec<(&'static str, String)> {
        let (bytes, bits) = FewBits::bytes(self.held.iter());
        let mut lines =
            vec![("weights", format!("{}, {bits:.2} bits each, by {}", size(bytes), self.method))];
        let mut schemes: Vec<&str> = Vec::new();
        for scheme in self.held.iter().filter_map(|held| held.scheme.as_deref()) {
            if !schemes.contains(&scheme) {
                schemes.push(scheme);
            }
        }
        for scheme in schemes {
            let those = || self.held.iter().filter(|held| held.scheme.as_deref() == Some(scheme));
            let (bytes, bits) = FewBits::bytes(those());
            let places = self.places(&|held| held.scheme.as_deref() == Some(scheme));
            lines.push(("in few bits", format!("{scheme}, {}, {bits:.2} bits each: {places}", size(bytes))));
        }
        let (bytes, bits) = FewBits::bytes(self.held.iter().filter(|held| held.scheme.is_none()));
        let is_matrix = |held: &Held| held.scheme.is_none() && held.dims.len() > 1;
        let places = self.places(&is_matrix);
        let vectors = self.held.iter().filter(|held| held.scheme.is_none() && held.dims.len() < 2).count();
        let and = if places.is_empty() { "" } else { " and " };
        lines.push((
            "as they are",
            format!("{}, {bits:.2} bits each: {places}{and}{vectors} vectors", size(bytes)),
        ));
        lines
    }

    /// The places of the weights that `is_meant` selects, as patterns: `blocks.*.mlp.{up,down}`, `blocks.{0,3}.attention.q`
    /// where other layers have others.
    fn places(&self, is_meant: &dyn Fn(&Held) -> bool) -> String {
        let mut layers: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
        // In the order of the files, with the layers of each.
        let mut meant: Vec<(String, BTreeSet<usize>)> = Vec::new();
        for held in self.held {
            for path in &held.parameters {
                let (pattern, layer) = pattern(path);
                if is_meant(held) {
                    let at = meant.iter().position(|(known, _)| *known == pattern).unwrap_or_else(|| {
                        meant.push((pattern.clone(), BTreeSet::new()));
                        meant.len() - 1
                    });
                    meant[at].1.extend(layer);
                }
                layers.entry(pattern).or_default().extend(layer);
            }
        }
        // By the part that they are in.
        let mut parts: Vec<(String, Vec<String>)> = Vec::new();
        for (pattern, of) in meant {
            let place = match of == layers[&pattern] {
                true => pattern,
                false => {
                    let of: Vec<String> = of.iter().map(ToString::to_string).collect();
                    pattern.replacen('*', &format!("{{{}}}", of.join(",")), 1)
                }
            };
            let (part, name) = place.rsplit_once('.').unwrap_or(("", &place));
            match parts.iter_mut().find(|(known, _)| known == part) {
                Some((_, names)) => names.push(name.to_owned()),
                None => parts.push((part.to_owned(), vec![name.to_owned()])),
            }
        }
        let text = parts.iter().flat_map(|(part, names)| match (part.as_str(), &names[..]) {
            ("", names) => names.to_vec(),
            (part, [name]) => vec![format!("{part}.{name}")],
            (part, names) => vec![format!("{part}.{{{}}}", names.join(","))],
        });
        text.collect::<Vec<_>>().join(", ")
    }
}

/// The place of a parameter, with `*` for the number of its layer, and that number. A map and a stack of experts of one name are one place.
fn pattern(path: &str) -> (String, Option<usize>) {
    let place = path.strip_suffix(".weight").or_else(|| path.strip_suffix(".table")).unwrap_or(path);
    let mut layer = None;
    let steps: Vec<&str> = place
        .split('.')
        .map(|step| match step.parse() {
            Ok(number) if layer.is_none() => {
                layer = Some(number);
                "*"
            }
            _ => step,
        })
        .collect();
    (steps.join("."), layer)
}

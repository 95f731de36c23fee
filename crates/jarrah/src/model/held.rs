//! Which weights of a model its files have in few bits, and which not.

use std::collections::BTreeMap;
use std::path::Path;

use jarrah::Result;
use jarrah::formats::{Format, Tensors};
use jarrah::models::{Held, quantization_method};
use jarrah::serve::folder::is_run;
use jarrah::train::size;
use serde_json::{Value, json};

use super::AnyModel;

/// The parameters of a model as files have them, some in few bits.
pub struct FewBits {
    held: Vec<Held>,
    /// `quant_method` of `config.json`, or `gguf`.
    method: String,
}

impl FewBits {
    /// Those of the files at `path`, whose `config.json` is this; none, where there are no weights, or all are numbers as they are.
    pub fn of(path: &str, json: &Value) -> Result<Option<FewBits>> {
        let path = Path::new(path);
        if !path.exists() || is_run(path) || path.extension().is_some_and(|e| e == "json") {
            return Ok(None);
        }
        // A config.json may stand alone.
        let Ok(files) = Tensors::open(path) else { return Ok(None) };
        let method = match files.format() {
            Format::Gguf => Some("gguf"),
            _ => quantization_method(json),
        };
        let Some(method) = method.map(str::to_owned) else { return Ok(None) };
        let held = AnyModel::held(path)?;
        Ok(held.iter().any(|held| held.scheme.is_some()).then_some(FewBits { held, method }))
    }

    /// The bytes of these weights, and the bits that each number of them takes.
    fn bytes<'a>(held: impl Iterator<Item = &'a Held>) -> (usize, f64) {
        let (bytes, numbers) =
            held.fold((0, 0), |(bytes, numbers), held| (bytes + held.bytes, numbers + held.numbers()));
        (bytes, 8.0 * bytes as f64 / numbers.max(1) as f64)
    }

    /// Adds what is held how to what is said of the model.
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

    /// The same in lines: all weights, those of each scheme, and the others.
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

    /// The places of those that are meant, as patterns: `blocks.*.mlp.{up,down}`, `blocks.{0,3}.attention.q` where other layers have others.
    fn places(&self, is_meant: &dyn Fn(&Held) -> bool) -> String {
        let mut layers: BTreeMap<String, usize> = BTreeMap::new();
        let mut meant: Vec<(String, Vec<String>)> = Vec::new();
        for held in &self.held {
            for path in &held.parameters {
                let (pattern, layer) = pattern(path);
                if is_meant(held) {
                    match meant.iter_mut().find(|(known, _)| *known == pattern) {
                        Some((_, layers)) => layers.extend(layer),
                        None => meant.push((pattern.clone(), layer.into_iter().collect())),
                    }
                }
                *layers.entry(pattern).or_default() += 1;
            }
        }
        // By the part that they are in, in the order of the files.
        let mut parts: Vec<(String, Vec<String>)> = Vec::new();
        for (pattern, of) in meant {
            let place = match of.len() == layers[&pattern] || of.is_empty() {
                true => pattern,
                false => pattern.replacen('*', &format!("{{{}}}", of.join(",")), 1),
            };
            let place = place.trim_end_matches(".weight").trim_end_matches(".table");
            let (part, name) = place.rsplit_once('.').unwrap_or(("", place));
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

/// A path with `*` for the number of its layer, and that number.
fn pattern(path: &str) -> (String, Option<String>) {
    let mut layer = None;
    let steps: Vec<&str> = path
        .split('.')
        .map(|step| match layer.is_none() && step.parse::<usize>().is_ok() {
            true => {
                layer = Some(step.to_owned());
                "*"
            }
            false => step,
        })
        .collect();
    (steps.join("."), layer)
}

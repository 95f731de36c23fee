use std::collections::HashMap;

use serde_json::Value;

/// The most patterns of a schema that one text may have to match at once: a bound from above, by which schemas are refused whose intersections
/// would take long. Schemas of `allOf` and of `$ref` meet what stands beside them; of other alternatives only one does.
pub(super) fn patterns(root: &Value) -> usize {
    Overlap { root, known: HashMap::new() }.of(root)
}

struct Overlap<'a> {
    root: &'a Value,
    // The counts of referenced schemas; zero while a schema is counted.
    known: HashMap<&'a str, usize>,
}

impl<'a> Overlap<'a> {
    fn of(&mut self, schema: &'a Value) -> usize {
        let Value::Object(entries) = schema else { return 0 };
        let mut count = 0usize;
        for (key, value) in entries {
            let more = match (key.as_str(), value) {
                ("pattern" | "format", _) => 1,
                ("$ref", Value::String(target)) => self.referred(target),
                ("allOf", Value::Array(all)) => {
                    all.iter().fold(0usize, |count, schema| count.saturating_add(self.of(schema)))
                }
                ("anyOf" | "oneOf" | "prefixItems" | "items", Value::Array(all)) => {
                    all.iter().map(|schema| self.of(schema)).max().unwrap_or(0)
                }
                ("items" | "additionalItems" | "additionalProperties", _) => self.of(value),
                ("properties" | "patternProperties", Value::Object(all)) => {
                    all.values().map(|schema| self.of(schema)).max().unwrap_or(0)
                }
                _ => 0,
            };
            count = count.saturating_add(more);
        }
        count
    }

    fn referred(&mut self, target: &'a str) -> usize {
        if let Some(&count) = self.known.get(target) {
            return count;
        }
        // A schema that refers to itself is counted once.
        self.known.insert(target, 0);
        let count = self.root.pointer(target.trim_start_matches('#')).map_or(0, |schema| self.of(schema));
        self.known.insert(target, count);
        count
    }
}

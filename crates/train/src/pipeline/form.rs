//! Elements as a line of text.

use jarrah_base::Literal;
use jarrah_data::{Features, RecordBytes};

/// The numbers of a tensor that are shown.
const SHOWN: usize = 8;

/// A record: its beginning, and its size where that is not all.
pub(super) fn record_form(record: &RecordBytes) -> String {
    record.shortened()
}

/// Features: each with its type and its first numbers.
pub(super) fn features_form(features: &Features) -> String {
    let each = features.iter().map(|(name, tensor)| format!("{name} {}: {}", tensor.ty(), numbers(tensor)));
    each.collect::<Vec<_>>().join(", ")
}

fn numbers(tensor: &Literal) -> String {
    let count = tensor.dims().iter().product::<usize>();
    let more = if count > SHOWN { " .." } else { "" };
    let values = tensor.to_f64_vec();
    let shown: Vec<String> = values.iter().take(SHOWN).map(f64::to_string).collect();
    format!("{}{more}", shown.join(" "))
}

//! Numbers about the elements of arrays, as `jarrah checkpoint show` tells them.

use jarrah::checkpoint::Statistics;
use serde_json::{Value, json};

/// The statistics behind a leaf.
pub fn words_of(statistics: Option<Statistics>) -> String {
    statistics.map_or(String::new(), |of| format!("  {of}"))
}

/// Statistics in JSON, which has no words for numbers that are none.
pub fn json_of(of: &Statistics) -> Value {
    json!({
        "count": of.count, "least": of.least, "largest": of.largest, "mean": of.mean, "std": of.std, "zeros": of.zeros,
        "nans": of.nans, "infinite": of.infinite,
    })
}

//! The page of metrics: the text format of Prometheus, version 0.0.4.
//!
//! Source: <https://prometheus.io/docs/instrumenting/exposition_formats>.

use std::fmt::{Display, Write};

use axum::body::Body;
use axum::response::Response;
use hyper::header::{CONTENT_TYPE, HeaderValue};

/// A page of metrics that is being written.
pub struct MetricsPage {
    prefix: &'static str,
    /// The labels that every sample has.
    labels: String,
    text: String,
}

impl MetricsPage {
    /// An empty page. The names of its metrics begin with `prefix`; every sample has these labels.
    pub fn new(prefix: &'static str, labels: &[(&str, &str)]) -> MetricsPage {
        let labels: Vec<String> =
            labels.iter().map(|(name, value)| format!("{name}=\"{}\"", escaped(value))).collect();
        MetricsPage { prefix, labels: labels.join(","), text: String::new() }
    }

    /// Writes a gauge of one sample. `more` are labels beside those of the page: empty, or `,NAME="VALUE"`.
    pub fn gauge(&mut self, name: &str, help: &str, more: &str, value: impl Display) {
        self.head(name, help, "gauge");
        self.sample(name, more, value);
    }

    /// Writes a counter. Each count has labels beside those of the page: empty, or `,NAME="VALUE"`.
    pub fn counter(&mut self, name: &str, help: &str, counts: &[(&str, u64)]) {
        let name = format!("{name}_total");
        self.head(&name, help, "counter");
        for (more, count) in counts {
            self.sample(&name, more, count);
        }
    }

    /// Writes a histogram: the numbers of values up to each of the rising `bounds` and above the one before, then the number of
    /// values above all bounds; and the sum of all values.
    pub fn histogram(&mut self, name: &str, help: &str, bounds: &[f64], counts: &[u64], sum: f64) {
        self.head(name, help, "histogram");
        let (bucket, mut below) = (format!("{name}_bucket"), 0);
        for (bound, count) in bounds.iter().zip(counts) {
            below += count;
            self.sample(&bucket, &format!(",le=\"{bound:?}\""), below);
        }
        let all: u64 = counts.iter().sum();
        self.sample(&bucket, ",le=\"+Inf\"", all);
        self.sample(&format!("{name}_sum"), "", sum);
        self.sample(&format!("{name}_count"), "", all);
    }

    /// The page as a response.
    pub fn response(self) -> Response {
        let mut response = Response::new(Body::from(self.text));
        let kind = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
        response.headers_mut().insert(CONTENT_TYPE, kind);
        response
    }

    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = writeln!(self.text, "{line}");
    }

    fn head(&mut self, name: &str, help: &str, kind: &str) {
        let prefix = self.prefix;
        self.line(format_args!("# HELP {prefix}{name} {help}\n# TYPE {prefix}{name} {kind}"));
    }

    fn sample(&mut self, name: &str, more: &str, value: impl Display) {
        let (prefix, labels) = (self.prefix, self.labels.clone());
        self.line(format_args!("{prefix}{name}{{{labels}{more}}} {value}"));
    }
}

/// The value of a label with backslashes, quotes and line breaks escaped.
fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

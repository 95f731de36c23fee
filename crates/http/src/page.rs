//! Web pages for people, whose files are compiled into the program.

use std::sync::Arc;

use axum::body::Body;
use axum::response::Response;
use axum::routing::MethodFilter;
use hyper::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderValue, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};

use crate::api::{Asked, Route};

/// The content security policy: a page loads its own files and sends requests to its own origin. It runs no script, style or
/// picture of another origin, no inline script, and cannot be framed by another page.
///
/// Source: <https://www.w3.org/TR/CSP3>.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/// A file of a page.
pub struct File {
    /// The path of its route.
    pub path: &'static str,
    /// Its type, as the header `Content-Type` says it.
    pub kind: &'static str,
    /// Its content.
    pub text: &'static str,
}

/// A file of the calling crate's folder `page`, as `/page/NAME`.
#[macro_export]
macro_rules! page_file {
    ($name:literal, $kind:literal) => {
        $crate::File {
            path: concat!("/page/", $name),
            kind: $kind,
            text: include_str!(concat!("../page/", $name)),
        }
    };
}

/// The files that all pages share.
pub static SHARED_FILES: [File; 3] = [
    page_file!("page.css", "text/css; charset=utf-8"),
    page_file!("dom.js", "text/javascript; charset=utf-8"),
    page_file!("icon.svg", "image/svg+xml; charset=utf-8"),
];

/// The route of a file.
pub fn file_route(file: &'static File) -> Route {
    let answer = Arc::new(move |_: Asked| Box::pin(std::future::ready(answer(file))) as _);
    Route { method: MethodFilter::GET, path: file.path, is_recorded: false, answer }
}

fn answer(file: &File) -> Response {
    let mut response = Response::new(Body::from(file.text));
    let headers = response.headers_mut();
    for (name, value) in [
        (CONTENT_TYPE, file.kind),
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (X_FRAME_OPTIONS, "DENY"),
        (REFERRER_POLICY, "no-referrer"),
        // Browsers ask again each time: another version of the program has other files.
        (CACHE_CONTROL, "no-cache"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

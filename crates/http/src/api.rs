//! An API as the transport knows it: a table of routes, and the form of its refusals.

use std::pin::Pin;
use std::sync::Arc;

use axum::extract::Request;
use axum::response::Response;
use axum::routing::MethodFilter;
use jarrah_base::Error;
use percent_encoding::percent_decode_str;

use crate::refusal::Form;

/// An API that a [`Server`](crate::Server) serves.
pub struct Api {
    /// The table of routes. A path may have several rows, each of another method.
    pub routes: Vec<Route>,
    /// The paths that need no key: monitors that poll them have none.
    pub open: Vec<&'static str>,
    /// Makes the response to a request that the transport refuses.
    pub form: Form,
    /// The message to a request whose path has no route.
    pub no_route: fn(&str) -> String,
    /// The message to a request that would begin work while the server drains: all but GET.
    pub no_more_work: &'static str,
    /// The work of this API that may outlive its requests, if it has such work.
    pub work: Option<Arc<dyn OutlivingWork>>,
}

/// A row of an API's table of routes.
pub struct Route {
    /// The method of the requests; GET takes HEAD, too.
    pub method: MethodFilter,
    /// The path; it may have one variable: `/v1/files/{id}`.
    pub path: &'static str,
    /// Whether each request has a [`RequestRecord`](crate::RequestRecord), as an extension of the request; for POST alone.
    pub is_recorded: bool,
    /// Answers a request.
    pub answer: Answer,
}

/// A function that answers requests.
pub type Answer = Arc<dyn Fn(Asked) -> Answering + Send + Sync>;

/// The future of a response.
pub type Answering = Pin<Box<dyn Future<Output = Response> + Send>>;

/// A request to a route.
pub struct Asked {
    /// The text that stands in the place of the path's variable, decoded; empty where the path has no variable.
    pub variable: String,
    /// The request.
    pub request: Request,
}

impl Asked {
    /// The value of a field of the query, decoded: the text between `name=` and `&`, in which `%20` and `+` are spaces. `None` where the query has no
    /// such field; the first where it has several.
    ///
    /// ```
    /// use axum::{body::Body, extract::Request};
    /// use jarrah_http::Asked;
    /// let request = Request::get("/v1/files?purpose=a%26b+c&limit=").body(Body::empty()).unwrap();
    /// let asked = Asked { variable: String::new(), request };
    /// assert_eq!(asked.query("purpose").as_deref(), Some("a&b c"));
    /// assert_eq!((asked.query("limit").as_deref(), asked.query("after")), (Some(""), None));
    /// ```
    pub fn query(&self, name: &str) -> Option<String> {
        let mut fields = self.request.uri().query()?.split('&').filter_map(|field| field.split_once('='));
        let (_, value) = fields.find(|(field, _)| *field == name)?;
        Some(percent_decode_str(&value.replace('+', " ")).decode_utf8_lossy().into_owned())
    }
}

/// The work of an API that may outlive its requests, as a server sees it that stops.
pub trait OutlivingWork: Send + Sync {
    /// Called once, when the server takes no more work.
    fn stop(&self);

    /// The work that is lost if the server ends now, as texts. The server waits until there is none, within
    /// [`ServerOptions::drain`](crate::ServerOptions::drain).
    fn lost(&self) -> Vec<String>;

    /// The line that a server which was told to stop writes to [`ServerOptions::notes`](crate::ServerOptions::notes) before it
    /// waits for this work; `lost` has the texts that [`lost`](Self::lost) gave, at least one. Called at most once.
    fn waits(&self, lost: &[String]) -> String;

    /// The error of a server that ends with such work.
    fn error(&self, lost: &[String]) -> Error;
}

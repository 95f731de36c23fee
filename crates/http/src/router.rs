//! Makes the router of an API's table of routes.

use std::sync::Arc;

use axum::Router;
use axum::extract::{FromRequestParts, Path, Request};
use axum::middleware::from_fn_with_state;
use axum::response::Response;
use axum::routing::on;
use hyper::StatusCode;

use crate::api::{Answer, Api, Asked, Route};
use crate::front::{Front, check};
use crate::refusal::{Form, Refusal};
use crate::shared::TransportState;

/// The routes of an API, behind the checks of request ids, keys and origins.
pub fn router(api: Api, shared: Arc<TransportState>) -> Router {
    let Api { routes, open, form, no_route, no_more_work, .. } = api;
    let recorded = routes.iter().filter(|route| route.is_recorded).map(|route| route.path).collect();
    let no_method = async move |request: Request| {
        let message = format!("{} does not take {}", request.uri().path(), request.method());
        form(Refusal::new(StatusCode::METHOD_NOT_ALLOWED, message))
    };
    let front = Arc::new(Front { shared, open, recorded, form, no_more_work });
    bare_router(routes, form, no_route)
        .method_not_allowed_fallback(no_method)
        .layer(from_fn_with_state(front, check))
}

/// The routes of a table, and the refusal of any other path.
pub fn bare_router(routes: Vec<Route>, form: Form, no_route: fn(&str) -> String) -> Router {
    let add = |router: Router, Route { method, path, answer, .. }: Route| {
        let has_variable = path.contains('{');
        router.route(path, on(method, move |request| respond(answer.clone(), has_variable, form, request)))
    };
    routes.into_iter().fold(Router::new(), add).fallback(async move |request: Request| {
        form(Refusal::new(StatusCode::NOT_FOUND, no_route(request.uri().path())))
    })
}

async fn respond(answer: Answer, has_variable: bool, form: Form, request: Request) -> Response {
    let (mut parts, body) = request.into_parts();
    let variable = match has_variable {
        true => Path::<String>::from_request_parts(&mut parts, &()).await.map(|Path(variable)| variable),
        false => Ok(String::new()),
    };
    match variable {
        Ok(variable) => answer(Asked { variable, request: Request::from_parts(parts, body) }).await,
        Err(rejection) => form(Refusal::bad(rejection.body_text())),
    }
}

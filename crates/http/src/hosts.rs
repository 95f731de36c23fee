//! The check of the header `Host`: a server answers requests to its own names only.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::uri::Authority;
use axum::middleware::Next;
use axum::response::Response;
use hyper::header::{HOST, HeaderValue};
use hyper::{StatusCode, Version};
use jarrah_base::{Error, Result};

use crate::options::{Address, ServerOptions};
use crate::refusal::{Form, Refusal};

/// The host names that a server answers to, beside IP addresses and `localhost`.
///
/// This guards against DNS rebinding. A page of `evil.example` reaches this machine by making that name resolve to 127.0.0.1, and
/// its browser then takes the answers for the page's own origin: rules about origins do not stop it. The page cannot change the
/// name, which its browser sends as `Host`. So a server that only a loopback address protects answers only to names that nobody
/// else can resolve: IP addresses, `localhost`, and the names of its options. Other servers need no such check: a key protects
/// them as well, a certificate is of another name, and no browser reaches a socket in the file system.
///
/// Source: RFC 6761, section 6.3 (`localhost`).
pub struct Hosts {
    /// Whether requests to every name are answered.
    any: bool,
    /// The names in lower case; a name that begins with a dot is a suffix of names.
    names: Vec<String>,
    /// The form of refusals.
    form: Form,
}

impl Hosts {
    /// # Errors
    /// One of [`ServerOptions::hosts`] is no host name (`Input`).
    pub fn of(options: &ServerOptions, form: Form) -> Result<Hosts> {
        let names: Vec<String> = options.hosts.iter().map(|name| known(name)).collect::<Result<_>>()?;
        let is_open = options.keys.is_empty() && options.tls.is_none();
        let looks = match &options.address {
            Address::Tcp(ip, _) => !names.is_empty() || (is_open && ip.to_canonical().is_loopback()),
            Address::Unix(_) => false,
        };
        Ok(Hosts { any: !looks || names.iter().any(|name| name == "*"), names, form })
    }

    /// Whether requests to this name, which has no port, are answered.
    fn answers_to(&self, name: &str) -> bool {
        let name = name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase();
        let address = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(&name);
        self.any
            || name.is_empty()
            || name == "localhost"
            || name.ends_with(".localhost")
            || address.parse::<IpAddr>().is_ok()
            || self
                .names
                .iter()
                .any(|own| if own.starts_with('.') { name.ends_with(own) } else { name == *own })
    }
}

/// A name of [`ServerOptions::hosts`] in the form in which names of requests are compared with it: in lower case, without the dot of
/// the root at its end, `*.chat.example` as the suffix `.chat.example`.
///
/// # Errors
/// The name is no host name, for example because it has a scheme or a port (`Input`).
fn known(name: &str) -> Result<String> {
    let rootless = name.strip_suffix('.').filter(|rest| !rest.ends_with('*')).unwrap_or(name);
    let (dot, rest) = rootless.strip_prefix("*.").map_or(("", rootless), |rest| (".", rest));
    let is_name = |name: &str| Authority::try_from(name).is_ok_and(|authority| authority.host() == name);
    if name != "*" && !is_name(rest) {
        let error = format!("--allowed-hosts has {name:?}, which is no name of a host");
        let help = "write it without a scheme and a port, as chat.example; *.chat.example is all names that end so, * is every name";
        return Err(Error::input(error).help(help));
    }
    Ok(format!("{dot}{}", rest.to_ascii_lowercase()))
}

/// Refuses a request to a name that the server does not answer to, and a request that does not have exactly one valid `Host`, as
/// HTTP/1.1 requires: with two, a proxy before the server may route by another name than the one checked here.
///
/// Source: RFC 9112, section 3.2.
pub async fn with_host(State(own): State<Arc<Hosts>>, request: Request, next: Next) -> Response {
    let mut hosts = request.headers().get_all(HOST).iter().map(HeaderValue::as_bytes);
    let (first, further) = (hosts.next(), hosts.next());
    // An authority in the request's target takes precedence over `Host`.
    if let Some(named) = request.uri().authority().filter(|named| !own.answers_to(named.host())) {
        return (own.form)(stranger(named.host()));
    }
    let wrong = match (first, further) {
        (None, _) if request.version() <= Version::HTTP_10 => None,
        (None, _) => Some("the request has no `Host`, which HTTP/1.1 wants"),
        (Some(_), Some(_)) => Some("the request has `Host` several times"),
        // RFC 9112: a target without authority has an empty `Host`.
        (Some(b""), None) => None,
        (Some(name), None) => match Authority::try_from(name) {
            Ok(authority) if !name.contains(&b'@') && has_port_alone(&authority) => {
                if !own.answers_to(authority.host()) {
                    return (own.form)(stranger(authority.host()));
                }
                None
            }
            _ => Some("the `Host` of the request is no name of one"),
        },
    };
    match wrong {
        Some(why) => (own.form)(Refusal::bad(why)),
        None => next.run(request).await,
    }
}

/// Whether nothing but a port stands behind the name.
fn has_port_alone(authority: &Authority) -> bool {
    let rest = authority.as_str().strip_prefix(authority.host()).unwrap_or_default();
    rest.is_empty()
        || rest.strip_prefix(':').is_some_and(|port| port.is_empty() || port.parse::<u16>().is_ok())
}

/// The refusal of a request to a name that the server does not answer to.
fn stranger(name: &str) -> Refusal {
    let message = format!(
        "the request is to `{name}`, and this server answers to addresses, `localhost` and names of --allowed-hosts alone, \
         so that no page of another name reads its answers: start it with --allowed-hosts {name} if that is its name"
    );
    Refusal::new(StatusCode::FORBIDDEN, message).code("host_not_allowed")
}

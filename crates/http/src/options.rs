use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::time::Duration;

use jarrah_serve::{LoadOptions, Pooling};
use jarrah_structured::{ReasoningFormat, ToolFormat};
use jarrah_tokenizer::chat::Value;

use crate::record::Log;

/// Where a server listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// A port of an address of this machine; port 0 is one that is free.
    Tcp(IpAddr, u16),
    /// A socket in the file system.
    Unix(PathBuf),
}

impl Default for Address {
    /// Port 8000 of this machine alone: 127.0.0.1.
    fn default() -> Address {
        Address::Tcp(Ipv4Addr::LOCALHOST.into(), 8000)
    }
}

/// How requests are served.
///
/// ```
/// use jarrah_http::Options;
/// let options = Options { keys: vec!["secret".into()], ..Options::default() };
/// assert!(options.origins.is_empty() && !options.dev);
/// ```
pub struct Options {
    /// Where the server listens.
    pub address: Address,
    /// The files of the certificates and of the key by which the server speaks HTTPS, in PEM; only in a build with the feature `tls`.
    pub tls: Option<(PathBuf, PathBuf)>,
    /// The names of the model; the first is what answers carry. Requests that name another are refused. Without any, the model has the name that it
    /// was loaded by.
    pub names: Vec<String>,
    /// The keys, one of which a request must carry as `Authorization: Bearer KEY`; without any, all requests are served.
    /// `/health`, `/ping`, `/ready`, `/version`, `/metrics` and the files of the page are open.
    pub keys: Vec<String>,
    /// The origins whose pages may ask, as browsers name them; `*` is all of them.
    pub origins: Vec<String>,
    /// The names by which requests may reach the server, beside addresses, `localhost` and names that end in `.localhost`: `chat.example`, `*.chat.example` for all that
    /// end so, `*` for every name. Where there are none, names are looked at by a server at a loopback address that has no keys and speaks no HTTPS: else a
    /// page of a name that is made to mean this machine could read its answers.
    pub hosts: Vec<String>,
    /// Routes that change the engine and tell about it: `/pause`, `/resume`, `/is_paused`, `/sleep`, `/wake_up`, `/is_sleeping`, `/abort_requests`,
    /// `/reset_prefix_cache`, `/update_weights`, `/server_info`, `/v1/load_lora_adapter` and `/v1/unload_lora_adapter`.
    pub dev: bool,
    /// How `/update_weights` reads a folder: as the model was read that is served.
    pub load: LoadOptions,
    /// Where spans of requests are sent, by OTLP in JSON over HTTP: `http://127.0.0.1:4318/v1/traces`. What is not taken in time is dropped.
    pub traces: Option<String>,
    /// What takes a line for each request that is answered, refused or left: `request` and its fields, each `NAME=VALUE`. These are `id` (of the answer, by which
    /// it is ended), `request_id` (of the head `x-request-id`), `route`, `status`, `prompt_tokens`, `cached_tokens` (those of them that were computed before), `answer_tokens`,
    /// `finish` (why each choice ended, with commas between; `disconnected` where the client went before, `refused`, `error`), `first_s` and `whole_s` (seconds to the first token and to the end),
    /// and of what is refused `error`; `-` is none. Texts and tokens are not told.
    pub log: Option<Log>,
    /// What takes a line, `[..]`, where the collector of [`traces`](Self::traces) begins to fail, or spans reach it again, and where a server that was told to stop waits for batches.
    pub notes: Option<Log>,
    /// A page at `/`, where people chat with the model and see what the engine does.
    pub page: bool,
    /// How the model writes calls of tools; without it requests that let it call some are refused.
    pub tools: Option<ToolFormat>,
    /// How the model marks its reasoning, which answers to chats then have apart.
    pub reasoning: Option<ReasoningFormat>,
    /// What templates of chats are told where requests do not say it.
    pub template_variables: Vec<(String, Value)>,
    /// Which vector stands for a text.
    pub pooling: Pooling,
    /// The most logprobs that a request may ask for at a position.
    pub most_logprobs: usize,
    /// The most choices of a request, for all its prompts together.
    pub most_choices: usize,
    /// The most texts of a request for their vectors, classes or nearness.
    pub most_texts: usize,
    /// The most bytes of a request's body.
    pub most_body: usize,
    /// The most bytes of all bodies that are being read.
    pub most_bodies: usize,
    /// The most bytes of the files that `/v1/files` and `/v1/batches` keep, together; with 0 they keep none.
    pub most_files: usize,
    /// The most connections; more wait until one ends.
    pub most_connections: usize,
    /// A connection that has not sent the head of a request for so long is closed.
    pub head_time: Duration,
    /// A request whose body has not arrived after so long is refused.
    pub body_time: Duration,
    /// A connection that takes no byte of an answer for so long is closed, which ends its requests.
    pub write_time: Duration,
    /// What runs may go on for so long after the server was told to stop.
    pub drain: Duration,
}

impl Options {
    /// Whether other machines reach the server, and need no key.
    ///
    /// ```
    /// use jarrah_http::{Address, Options};
    /// let all = Options { address: Address::Tcp([0, 0, 0, 0].into(), 8000), ..Options::default() };
    /// assert!(all.is_open_to_others() && !Options::default().is_open_to_others());
    /// assert!(!Options { keys: vec!["secret".into()], ..all }.is_open_to_others());
    /// ```
    pub fn is_open_to_others(&self) -> bool {
        let is_reached = match &self.address {
            Address::Tcp(ip, _) => !ip.to_canonical().is_loopback(),
            Address::Unix(_) => false,
        };
        is_reached && self.keys.is_empty()
    }
}

impl Default for Options {
    /// Port 8000 of this machine alone, without keys, with the page; bodies of 8 MiB, 64 MiB of files, 1,024 connections, half a minute for a head and to drain, a minute for a body
    /// and for a reader that takes nothing.
    fn default() -> Options {
        Options {
            address: Address::default(),
            tls: None,
            names: Vec::new(),
            keys: Vec::new(),
            origins: Vec::new(),
            hosts: Vec::new(),
            dev: false,
            load: LoadOptions::default(),
            traces: None,
            log: None,
            notes: None,
            page: true,
            tools: None,
            reasoning: None,
            template_variables: Vec::new(),
            pooling: Pooling::Last,
            most_logprobs: 20,
            most_choices: 1024,
            most_texts: 2048,
            most_body: 8 << 20,
            most_bodies: 128 << 20,
            most_files: 64 << 20,
            most_connections: 1024,
            head_time: Duration::from_secs(30),
            body_time: Duration::from_secs(60),
            write_time: Duration::from_secs(60),
            drain: Duration::from_secs(30),
        }
    }
}

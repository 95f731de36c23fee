//! OpenAI's HTTP API over the serving engine, with the extensions of vLLM.
//!
//! [`Server::bind`] listens, [`Server::run`] serves until a [`Stopper`] stops it, [`Options`] say how. [`Server::dashboard`] shows training runs
//! instead. This is the one crate that opens sockets.
//!
//! | route | what |
//! |---|---|
//! | `POST /v1/chat/completions` | the answer to a conversation, whole or as it comes |
//! | `POST /v1/completions` | how texts or tokens go on |
//! | `POST /v1/responses` | the same as a response, of which nothing is kept |
//! | `POST /v1/embeddings`, `/pooling` | vectors of texts |
//! | `POST /score`, `/rerank`, also below `/v1` | how near texts are, by the cosines of their vectors |
//! | `GET /v1/models`, `/v1/models/{name}` | the names that the model is served by, and those of adapters |
//! | `POST /tokenize`, `/detokenize` | tokens of texts and chats, and back |
//! | `GET /`, `/page/..` | a page to chat with the model and to see what the engine does, unless [`Options::page`] is off |
//! | `GET /health`, `/ping`, `/ready`, `/version` | whether it lives |
//! | `GET /metrics`, `/load` | what the engine counts, by vLLM's names; how many requests are being answered |
//! | `POST /pause`, `/resume`, `/reset_prefix_cache`, `GET /is_paused`, `/server_info`, `POST /v1/load_lora_adapter`, `/v1/unload_lora_adapter` | with [`Options::dev`] alone |
//!
//! Fields that are not known are ignored; one of a wrong type is refused with its path, in OpenAI's form of an error. What would change an answer and
//! is not there (beams, forms, calls that must come) is refused, too. A client that goes away, or takes nothing for too long, ends its requests.
//!
//! ```
//! use std::io::{Read, Write};
//! # use jarrah_array::random::Key;
//! # use jarrah_models::{Decoder, DecoderConfig};
//! use jarrah_http::{Address, Options, Server};
//! use jarrah_serve::{Engine, EngineOptions, Served};
//! # let model = Decoder::new(&DecoderConfig::named("test-llama").unwrap(), &Key::new(0));
//! let engine = Engine::start(Served::new("tiny", model), EngineOptions { warm: false, ..EngineOptions::default() })?;
//! let address = Address::Tcp([127, 0, 0, 1].into(), 0);
//! let server = Server::bind(engine, Options { address, ..Options::default() })?;
//! let (at, stopper) = (server.address().to_owned(), server.stopper());
//! let running = std::thread::spawn(|| server.run());
//!
//! let body = r#"{"prompt": [1, 2, 3], "max_tokens": 4}"#;
//! let mut stream = std::net::TcpStream::connect(at.trim_start_matches("http://")).unwrap();
//! write!(stream, "POST /v1/completions HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n").unwrap();
//! write!(stream, "content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}", body.len()).unwrap();
//! let mut answer = String::new();
//! stream.read_to_string(&mut answer).unwrap();
//! assert!(answer.contains(r#""finish_reason":"length""#));
//! stopper.stop();
//! running.join().unwrap()?;
//! # Ok::<(), jarrah_base::Error>(())
//! ```

mod answers;
mod app;
mod body;
mod chat;
mod completions;
mod constraint;
mod dashboard;
mod fields;
mod logprobs;
mod messages;
mod metrics;
mod options;
mod page;
mod parts;
mod patient;
mod pooling;
mod prompt;
mod refusal;
mod responses;
mod routes;
mod sampling;
mod server;
mod tokens;
mod usage;

pub use dashboard::{Runs, Window};
pub use jarrah_structured::{ReasoningFormat, ToolFormat};
pub use options::{Address, Options};
pub use server::{Server, Stopper};

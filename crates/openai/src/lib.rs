//! OpenAI's HTTP API over the serving engine, with the extensions of vLLM.
//!
//! [`api`] makes the API of an engine, which [`jarrah_http::Server`] serves, [`ApiOptions`] configure it; [`Local`] answers batches of
//! requests without a socket; [`Load`] sends many requests to any such server and measures.
//!
//! | route | what |
//! |---|---|
//! | `POST /v1/chat/completions` | the answer to a conversation, whole or as it comes |
//! | `POST /v1/completions` | how texts or tokens go on |
//! | `POST /v1/responses` | the same as a response, of which nothing is kept |
//! | `POST /v1/embeddings`, `/pooling` | vectors of texts |
//! | `POST /score`, `/rerank`, also below `/v1` | how near texts are, by the cosines of their vectors, or as a model says that reads them together |
//! | `POST /classify` | which class texts are of, where the model has classes |
//! | `POST /v1/files`, `GET /v1/files`, `/v1/files/{id}`, `/v1/files/{id}/content`, `DELETE` | files of requests and of answers, kept in memory |
//! | `POST /v1/batches`, `GET /v1/batches`, `/v1/batches/{id}`, `POST /v1/batches/{id}/cancel` | the answers to a file of requests |
//! | `GET /v1/models`, `/v1/models/{name}` | the names that the model is served by, and those of adapters |
//! | `POST /tokenize`, `/detokenize` | tokens of texts and chats, and back |
//! | `GET /`, `/page/..` | a page to chat with the model and to see what the engine does, unless [`ApiOptions::page`] is off |
//! | `GET /health`, `/ping`, `/ready`, `/version` | whether it lives |
//! | `GET /metrics`, `/load` | what the engine counts, by vLLM's names; how many requests are being answered |
//! | `POST /pause`, `/resume`, `/sleep`, `/wake_up`, `/reset_prefix_cache`, `/abort_requests`, `/update_weights`, `/v1/load_lora_adapter`, `/v1/unload_lora_adapter`, `GET /is_paused`, `/is_sleeping`, `/server_info` | with [`ApiOptions::dev`] alone |
//!
//! A field that no reader of a route asked for is refused with the nearest name (`Fields::all_known`): reading a field is all it takes to
//! know it, and fields without an effect are said so beside the readers. A field of a wrong type, or a word outside of a field's list, is refused with the field's path, in
//! OpenAI's form of an error. Fields of OpenAI and vLLM that ask for something unsupported (`guided_json`, `functions`, `best_of`
//! other than `n`, ...) are refused, too. A client that disconnects, or reads nothing for too long, ends its requests.
//!
//! A route is a row of the table in `routes.rs` and a function in a file beside it. A body is read by the transport, then parsed on
//! a thread; `Fields` gives its fields, and a refusal names the field. Answers are polled, by `gather` or by an event stream
//! (`answers.rs`), so a client that goes away drops its answer, which ends the request in the engine; no task or queue lies
//! between.
//!
//! ```
//! use std::io::{Read, Write};
//! # use jarrah_array::random::Key;
//! # use jarrah_models::{Decoder, DecoderConfig};
//! use jarrah_http::{Address, Server};
//! use jarrah_openai::{ApiOptions, api};
//! use jarrah_serve::{Engine, EngineOptions, Served};
//! # let model = Decoder::new(&DecoderConfig::named("test-llama").unwrap(), &Key::new(0));
//! let engine = Engine::start(Served::new("tiny", model), EngineOptions { warm: false, ..EngineOptions::default() })?;
//! let address = Address::Tcp([127, 0, 0, 1].into(), 0);
//! let transport = jarrah_http::ServerOptions { address, ..Default::default() };
//! let server = Server::bind(transport, api(engine, ApiOptions::default()))?;
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

mod aborts;
mod answers;
mod api;
mod app;
mod batch_store;
mod batches;
mod chat;
mod clock;
mod completions;
mod constraint;
mod development;
mod file_store;
mod files;
mod lines;
mod lists;
mod load;
mod local;
mod logprobs;
mod messages;
mod metrics;
mod models;
mod multipart;
mod options;
mod page;
mod parts;
mod pooling;
mod prompt;
mod refusal;
mod reply;
mod responses;
mod routes;
mod sampling;
mod spans;
mod status;
mod tokens;
mod usage;

pub use api::api;
pub use jarrah_structured::{ReasoningFormat, ToolFormat};
pub use lines::BatchAnswer;
pub use load::{Load, Sent, models};
pub use local::Local;
pub use options::ApiOptions;

//! A server with a small model.

use std::sync::OnceLock;
use std::thread::JoinHandle;

use jarrah_array::random::Key;
use jarrah_base::Result;
use jarrah_http::{Address, Server, Stopper};
use jarrah_models::{Decoder, DecoderConfig};
use jarrah_openai::api;
use jarrah_serve::{Engine, EngineOptions, Served};
use jarrah_tokenizer::chat::Templates;
use jarrah_tokenizer::{Tokenizer, TrainOptions, train};

pub const MODEL: &str = "tiny";

const TEMPLATE: &str = "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% if not loop.last or add_generation_prompt %}\
    {{ '\n' }}{% endif %}{% endfor %}{% if documents %}{{ documents | length }}{% endif %}{% if add_generation_prompt %}<assistant>{% endif %}";

pub fn tokenizer() -> Tokenizer {
    train(&["fn main() {}\n", "fn len(&self) -> usize\n"], &TrainOptions::new(280)).unwrap()
}

pub fn templates() -> Templates {
    templates_with("")
}

/// Templates with something more at their end.
pub fn templates_with(more: &str) -> Templates {
    let text = format!("{TEMPLATE}{more}");
    let files = |name: &str| (name == "chat_template.jinja").then_some(text.as_bytes());
    Templates::from_files(files).unwrap()
}

pub fn model() -> Decoder {
    let config =
        DecoderConfig { vocabulary: 300, context: 256, ..DecoderConfig::named("test-llama").unwrap() };
    Decoder::new(&config, &Key::new(3))
}

pub fn start(served: Served) -> Engine {
    let options = EngineOptions {
        warm: false,
        sequences: 16,
        tokens_per_step: 64,
        page: 16,
        ..EngineOptions::default()
    };
    Engine::start(served, options).unwrap()
}

/// An engine of its own, with text.
pub fn own_engine() -> Engine {
    let templates = Some(templates());
    start(Served { templates, ..Served::with_tokenizer(MODEL, model(), tokenizer()) })
}

/// An engine with text, which tests share.
pub fn engine() -> Engine {
    static ENGINE: OnceLock<Engine> = OnceLock::new();
    ENGINE.get_or_init(own_engine).clone()
}

/// An engine of tokens alone.
pub fn bare_engine() -> Engine {
    start(Served::new(MODEL, model()))
}

/// How many answers an engine has to give.
pub fn live(engine: &Engine) -> usize {
    let metrics = engine.metrics();
    metrics.running + metrics.waiting
}

/// The options of a server, and of its API.
#[derive(Default)]
pub struct Options {
    pub http: jarrah_http::ServerOptions,
    pub api: jarrah_openai::ApiOptions,
}

/// A server that runs until it is dropped.
pub struct Running {
    pub address: String,
    pub stopper: Stopper,
    pub done: Option<JoinHandle<Result<()>>>,
}

impl Running {
    pub fn new(engine: &Engine, change: impl FnOnce(&mut Options)) -> Running {
        let mut options = Options::default();
        options.http.address = Address::Tcp([127, 0, 0, 1].into(), 0);
        change(&mut options);
        let server = Server::bind(options.http, api(engine.clone(), options.api)).unwrap();
        let (address, stopper) = (server.address().to_owned(), server.stopper());
        Running { address, stopper, done: Some(std::thread::spawn(|| server.run())) }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stopper.stop();
        self.stopper.stop();
        if let Some(done) = self.done.take() {
            let _ = done.join().unwrap();
        }
    }
}

/// A server of [`engine`] with the usual options.
pub fn usual() -> Running {
    Running::new(&engine(), |_| {})
}

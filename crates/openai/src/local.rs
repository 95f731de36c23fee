use std::sync::Arc;

use jarrah_base::{Error, Result};
use jarrah_http::TransportState;
use jarrah_serve::Engine;
use tokio::runtime::{Builder, Runtime};

use crate::app::App;
use crate::lines::{BatchAnswer, Line, answer_all};
use crate::options::ApiOptions;
use crate::routes::calls;

/// An engine that answers batches of requests in this process, without a socket.
///
/// ```
/// # use jarrah_array::random::Key;
/// # use jarrah_models::{Decoder, DecoderConfig};
/// use jarrah_openai::{Local, ApiOptions};
/// use jarrah_serve::{Engine, EngineOptions, Served};
/// # let model = Decoder::new(&DecoderConfig::named("test-llama").unwrap(), &Key::new(0));
/// let engine = Engine::start(Served::new("tiny", model), EngineOptions { warm: false, ..EngineOptions::default() })?;
/// let line = r#"{"custom_id": "a", "method": "POST", "url": "/v1/completions", "body": {"prompt": [1, 2], "max_tokens": 3}}"#;
/// let mut answers = Vec::new();
/// Local::new(engine, ApiOptions::default())?.run_batch([(0, line.to_owned())], |_, answer| {
///     answers.push(answer);
///     Ok(())
/// })?;
/// assert!(answers[0].is_good && answers[0].line.contains(r#""custom_id":"a""#));
/// # Ok::<(), jarrah_base::Error>(())
/// ```
pub struct Local {
    runtime: Runtime,
    app: Arc<App>,
}

impl Local {
    /// An engine with the options of a server; its answers are the server's.
    ///
    /// # Errors
    /// The system starts no threads (`Environment`); a tool or reasoning parser reads marks that the model does not write
    /// (`Input`).
    pub fn new(engine: Engine, options: ApiOptions) -> Result<Local> {
        let runtime = Builder::new_current_thread()
            .enable_all()
            .max_blocking_threads(1)
            .build()
            .map_err(|e| Error::environment(format!("cannot start the threads of the batch: {e}")))?;
        let shared = Arc::new(TransportState::new(jarrah_http::ServerOptions::default(), None));
        Ok(Local { runtime, app: Arc::new(App::new(engine, options, shared, calls())?) })
    }

    /// Answers lines of OpenAI's batch format, each with its position in the file, from 0 on, as many at a time as the engine
    /// runs sequences. `each` gets the answers as they come. A line that is not a valid request gets an answer with the error, in
    /// which lines are numbered from 1 on.
    ///
    /// # Errors
    /// The first error that `each` returns, which ends the batch.
    ///
    /// Source: <https://platform.openai.com/docs/guides/batch>.
    pub fn run_batch(
        &self,
        lines: impl IntoIterator<Item = (usize, String), IntoIter: Send>,
        mut each: impl FnMut(usize, BatchAnswer) -> Result<()> + Send,
    ) -> Result<()> {
        let mut lines = lines.into_iter().map(|(number, line)| {
            (number, Line::read(&self.app, &line).map_err(|(id, refusal)| (id, refusal.in_line(number + 1))))
        });
        let mut outcome = Ok(());
        let mut tell = |number, answer| {
            outcome = each(number, answer);
            outcome.is_ok()
        };
        self.runtime.block_on(answer_all(&self.app, &mut lines, &mut tell));
        outcome
    }
}

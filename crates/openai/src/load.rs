//! Load tests: many requests to a server, and the latencies of their answers.

use std::sync::Arc;
use std::time::{Duration, Instant};

use jarrah_base::{Error, Result};
use jarrah_http::HttpClient;
use serde_json::Value;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::sleep_until;

/// The address in the help of errors: where a model server listens by default.
const USUAL: &str = "http://127.0.0.1:8000";

/// Requests to any server that speaks OpenAI's API, and the times at which they are sent.
#[derive(Clone, Debug)]
pub struct Load {
    /// The server: `http://127.0.0.1:8000`.
    pub url: String,
    /// The route: `/v1/completions` or `/v1/chat/completions`.
    pub endpoint: String,
    /// The API key, if the server requires one.
    pub key: Option<String>,
    /// The bodies of the requests; each is sent with streaming on.
    pub requests: Vec<Value>,
    /// Seconds from one request to the next, one number for each request.
    pub gaps: Vec<f64>,
    /// The most requests in flight; others wait, and their time begins when they are sent.
    pub most_at_a_time: Option<usize>,
}

/// The models that a server of OpenAI's API lists: the answer to `GET /v1/models`.
///
/// ```no_run
/// let models = jarrah_openai::models("http://127.0.0.1:8000", None)?;
/// assert_eq!(models["object"], "list");
/// # Ok::<(), jarrah_base::Error>(())
/// ```
///
/// # Errors
/// The address is malformed (`Input`); the server cannot be reached, or its answer is an error (`Environment`).
pub fn models(url: &str, key: Option<&str>) -> Result<Value> {
    let client = HttpClient::new(url, key, USUAL)?;
    runtime()?.block_on(async {
        let answer = client.send("/v1/models", None).await?;
        let (status, text) = (answer.status(), answer.text().await?);
        let said = serde_json::from_str(&text).ok().filter(|_| status == 200);
        said.ok_or_else(|| Error::environment(format!("{url}/v1/models: status {status}: {text}")))
    })
}

fn runtime() -> Result<Runtime> {
    Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|e| Error::environment(format!("cannot start the threads of the client: {e}")))
}

/// The measurements of one request.
#[derive(Clone, Debug, Default)]
pub struct Sent {
    /// The number of tokens in the prompt, as the server counts.
    pub prompt: usize,
    /// The number of tokens in the answer, as the server counts; if it gives no count, the number of pieces.
    pub tokens: usize,
    /// Seconds from sending to the first piece.
    pub first: f64,
    /// Seconds from each piece to the next.
    pub between: Vec<f64>,
    /// Seconds from sending to the last piece.
    pub whole: f64,
    /// The error, if the request failed.
    pub error: Option<String>,
}

impl Load {
    /// Sends all requests. Returns the measurements of each request, in order, and how many seconds all of them took.
    ///
    /// ```
    /// # use jarrah_array::random::Key;
    /// # use jarrah_models::{Decoder, DecoderConfig};
    /// use jarrah_http::{Address, ServerOptions, Server};
    /// use jarrah_openai::Load;
    /// # use jarrah_serve::{Engine, EngineOptions, Served};
    /// # let model = Decoder::new(&DecoderConfig::named("test-llama").unwrap(), &Key::new(0));
    /// # let engine = Engine::start(Served::new("tiny", model), EngineOptions { warm: false, ..EngineOptions::default() })?;
    /// let address = Address::Tcp([127, 0, 0, 1].into(), 0);
    /// let server = Server::bind(ServerOptions { address, ..ServerOptions::default() }, jarrah_openai::api(engine, Default::default()))?;
    /// let (url, stopper) = (server.address().to_owned(), server.stopper());
    /// let running = std::thread::spawn(|| server.run());
    ///
    /// let request = serde_json::json!({"prompt": [1, 2, 3], "max_tokens": 4, "ignore_eos": true});
    /// let (requests, gaps) = (vec![request; 2], vec![0.0; 2]);
    /// let endpoint = "/v1/completions".to_owned();
    /// let (sent, seconds) = Load { url, endpoint, key: None, requests, gaps, most_at_a_time: None }.run()?;
    /// assert!(sent.iter().all(|sent| sent.tokens == 4 && sent.first > 0.0) && seconds > 0.0);
    /// stopper.stop();
    /// running.join().unwrap()?;
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    ///
    /// # Errors
    /// The address is malformed (`Input`), or the system starts no threads (`Environment`). A request that fails reports it in
    /// [`Sent::error`].
    pub fn run(self) -> Result<(Vec<Sent>, f64)> {
        self.run_telling(|_| {})
    }

    /// As [`run`](Self::run), and calls `tell` with the measurements of each request when it has ended.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn run_telling(self, tell: impl FnMut(&Sent)) -> Result<(Vec<Sent>, f64)> {
        let client = HttpClient::new(&self.url, self.key.as_deref(), USUAL)?;
        runtime()?.block_on(self.send_all(client, tell))
    }

    async fn send_all(self, client: HttpClient, mut tell: impl FnMut(&Sent)) -> Result<(Vec<Sent>, f64)> {
        let most = self.most_at_a_time.unwrap_or(Semaphore::MAX_PERMITS).clamp(1, Semaphore::MAX_PERMITS);
        let places = Arc::new(Semaphore::new(most));
        let begun = Instant::now();
        let mut all = vec![Sent::default(); self.requests.len()];
        let mut open = JoinSet::new();
        let mut at = 0.0;
        for (number, mut request) in self.requests.into_iter().enumerate() {
            request["stream"] = true.into();
            request["stream_options"] = serde_json::json!({"include_usage": true});
            at += self.gaps.get(number).copied().unwrap_or(0.0).max(0.0);
            let (client, endpoint, places) = (client.clone(), self.endpoint.clone(), places.clone());
            let when =
                tokio::time::Instant::from_std(begun + Duration::try_from_secs_f64(at).unwrap_or_default());
            open.spawn(async move {
                sleep_until(when).await;
                let _place = places.acquire_owned().await;
                (number, send(&client, &endpoint, &request.to_string()).await)
            });
        }
        while let Some(sent) = open.join_next().await {
            let (number, sent) = sent.map_err(|e| Error::internal(format!("a request was lost: {e}")))?;
            tell(&sent);
            all[number] = sent;
        }
        Ok((all, begun.elapsed().as_secs_f64()))
    }
}

async fn send(client: &HttpClient, endpoint: &str, body: &str) -> Sent {
    let mut sent = Sent::default();
    if let Err(error) = take(client, endpoint, body, &mut sent).await {
        sent.error = Some(error.message().to_owned());
    }
    sent
}

async fn take(client: &HttpClient, endpoint: &str, body: &str, sent: &mut Sent) -> Result<()> {
    let begun = Instant::now();
    let mut answer = client.send(endpoint, Some(body)).await?;
    if answer.status() != 200 {
        let status = answer.status();
        let text = answer.text().await?;
        let said = serde_json::from_str::<Value>(&text).ok();
        let said = said.and_then(|said| said["error"]["message"].as_str().map(str::to_owned));
        return Err(Error::environment(format!("status {status}: {}", said.unwrap_or(text))));
    }
    let (mut line, mut pieces, mut usage) = (Vec::new(), 0, None);
    while let Some(part) = answer.next().await? {
        let now = begun.elapsed().as_secs_f64();
        for byte in part {
            if byte != b'\n' {
                line.push(byte);
                continue;
            }
            let event = line.strip_prefix(b"data:").map(<[u8]>::trim_ascii);
            let event = event.and_then(|event| serde_json::from_slice::<Value>(event).ok());
            line.clear();
            let Some(event) = event else { continue };
            if let Some(message) = event["error"]["message"].as_str() {
                return Err(Error::environment(message.to_owned()));
            }
            let count = |name: &str| event["usage"][name].as_u64().map(|n| n as usize);
            usage = count("completion_tokens").or(usage);
            sent.prompt = count("prompt_tokens").unwrap_or(sent.prompt);
            // The first event of a chat has the role only, and no token.
            let choice = &event["choices"][0];
            let delta = &choice["delta"];
            let says = |value: &Value| value.as_str().is_some_and(|text| !text.is_empty());
            let has_text =
                ["content", "reasoning", "reasoning_content"].iter().any(|name| says(&delta[name]));
            let is_piece = choice["text"].is_string() || has_text || delta["tool_calls"].is_array();
            if !is_piece {
                continue;
            }
            match pieces {
                0 => sent.first = now,
                _ => sent.between.push(now - sent.whole),
            }
            (pieces, sent.whole) = (pieces + 1, now);
        }
    }
    sent.tokens = usage.unwrap_or(pieces);
    if pieces == 0 {
        // An answer may be empty; then the end of the stream is the only time there is.
        sent.whole = begun.elapsed().as_secs_f64();
        sent.first = sent.whole;
    }
    Ok(())
}

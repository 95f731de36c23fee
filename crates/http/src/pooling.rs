//! Vectors of texts: `POST /v1/embeddings` and `/pooling`; how near texts are: `/score` and `/rerank`; which class they are of: `/classify`.

use std::sync::Arc;

use axum::response::Response;
use hyper::StatusCode;
use jarrah_serve::{EngineRequest, Pooling, normalize};
use jarrah_tokenizer::chat::Value as Body;
use serde_json::{Value, json};

use crate::answers::Answers;
use crate::app::{App, now};
use crate::calls::{Begun, Caller};
use crate::chat::conversation;
use crate::fields::{Fields, count, flag, list, object, text, texts};
use crate::prompt::{Prompt, Room, add_special, prompts};
use crate::refusal::{Refusal, Result, json_response};
use crate::sampling::Asked;

/// What is made of the vectors.
enum Form {
    /// `data` of embeddings, by these names of the object and of the vector.
    Vectors { object: &'static str, field: &'static str, dimensions: Option<usize>, base64: bool },
    /// The nearness of pairs.
    Scores(Pairs),
    /// The nearness of the documents to the query.
    Ranks { pairs: Pairs, documents: Vec<String>, top: usize },
    /// Which class a text is of.
    Classes,
}

/// What is known of pairs of texts.
enum Pairs {
    /// The vectors of their texts: the first ones, which are so many or one for all, come before the second ones.
    Apart { firsts: usize },
    /// What a model that reads both together says of each.
    Together,
}

impl Pairs {
    /// As a model reads them that has one class of pairs, or none.
    fn of(app: &App, firsts: Vec<String>, seconds: &[String]) -> (Pairs, Vec<(Prompt, Option<String>)>) {
        if app.engine.classes().len() == 1 {
            let first = |i: usize| Prompt::Text(firsts.get(i).unwrap_or(&firsts[0]).clone());
            let both = seconds.iter().enumerate().map(|(i, second)| (first(i), Some(second.clone())));
            return (Pairs::Together, both.collect());
        }
        let count = firsts.len();
        let texts = firsts.into_iter().chain(seconds.iter().cloned());
        (Pairs::Apart { firsts: count }, texts.map(|text| (Prompt::Text(text), None)).collect())
    }

    /// How near the texts of each pair are.
    fn nearness(&self, vectors: &[Vec<f32>]) -> Vec<f64> {
        match self {
            Pairs::Together => {
                vectors.iter().map(|logits| sigmoid(logits.first().copied().unwrap_or(0.0))).collect()
            }
            Pairs::Apart { firsts } => {
                let (firsts, seconds) = vectors.split_at(*firsts);
                let pairs = seconds.iter().enumerate();
                pairs.map(|(i, second)| nearness(firsts.get(i).unwrap_or(&firsts[0]), second)).collect()
            }
        }
    }
}

impl Form {
    /// What becomes of each text.
    fn pooling(&self, app: &App) -> Pooling {
        match self {
            Form::Classes | Form::Scores(Pairs::Together) | Form::Ranks { pairs: Pairs::Together, .. } => {
                Pooling::Classes
            }
            _ => app.options.pooling,
        }
    }

    /// What ids begin with.
    fn kind(&self) -> &'static str {
        match self {
            Form::Vectors { .. } => "embd",
            Form::Scores(_) => "score",
            Form::Classes => "classify",
            Form::Ranks { .. } => "rerank",
        }
    }
}

/// What is asked for, and of how many tokens.
struct Vectors {
    app: Arc<App>,
    id: String,
    form: Form,
    /// Vectors have a length of 1, and classes probabilities.
    activated: bool,
    tokens: usize,
}

/// Reads a request for embeddings, and begins it.
pub fn embeddings(caller: &Caller, body: &Body) -> Result<Begun> {
    vectors(caller, body, "embedding", "embedding")
}

/// Reads a request for vectors, and begins it.
pub fn pooling(caller: &Caller, body: &Body) -> Result<Begun> {
    vectors(caller, body, "pooling", "data")
}

fn vectors(caller: &Caller, body: &Body, object: &'static str, field: &'static str) -> Result<Begun> {
    let fields = Fields::body(body)?;
    let path = if fields.get("messages").is_some() { "messages" } else { "input" };
    let given = inputs(caller, &fields, path)?;
    let base64 = match fields.read("encoding_format", text)?.as_deref() {
        None | Some("float") => false,
        Some("base64") => true,
        Some(other) => {
            let message = format!("`encoding_format` is `{other}`, but must be `float` or `base64`");
            return Err(Refusal::field("encoding_format", message));
        }
    };
    let dimensions = fields.read("dimensions", count)?;
    begin(caller, &fields, given, path, Form::Vectors { object, field, dimensions, base64 })
}

/// The texts of `input`, or the chat of `messages`.
fn inputs(caller: &Caller, fields: &Fields<'_>, path: &str) -> Result<Vec<(Prompt, Option<String>)>> {
    let app = &caller.app;
    let given = match path {
        "messages" => vec![Prompt::Text(app.render(&conversation(app, fields)?)?)],
        _ => fields.need("input", |value, path| prompts(app, value, path))?,
    };
    Ok(given.into_iter().map(|prompt| (prompt, None)).collect())
}

/// Reads a request for the classes of texts, and begins it.
pub fn classify(caller: &Caller, body: &Body) -> Result<Begun> {
    let fields = Fields::body(body)?;
    let path = if fields.get("messages").is_some() { "messages" } else { "input" };
    let given = inputs(caller, &fields, path)?;
    begin(caller, &fields, given, path, Form::Classes)
}

/// Reads a request for the nearness of pairs, and begins it.
pub fn score(caller: &Caller, body: &Body) -> Result<Begun> {
    let fields = Fields::body(body)?;
    let side = |names: [&str; 3]| -> Result<Vec<String>> {
        let name = names.iter().find(|name| fields.get(name).is_some()).unwrap_or(&names[0]);
        match fields.need(name, texts)? {
            texts if texts.is_empty() => Err(Refusal::field(*name, format!("`{name}` is an empty list"))),
            texts => Ok(texts),
        }
    };
    let firsts = side(["text_1", "data_1", "queries"])?;
    let seconds = side(["text_2", "data_2", "documents"])?;
    let count = firsts.len();
    if count != 1 && count != seconds.len() {
        let message =
            format!("`text_1` has {count} texts, but `text_2` {}: give one, or as many", seconds.len());
        return Err(Refusal::field("text_1", message));
    }
    let (pairs, given) = Pairs::of(&caller.app, firsts, &seconds);
    begin(caller, &fields, given, "text_1", Form::Scores(pairs))
}

/// Reads a request to order documents by their nearness to a query, and begins it.
pub fn rerank(caller: &Caller, body: &Body) -> Result<Begun> {
    let fields = Fields::body(body)?;
    let query = fields.need("query", text)?;
    let document = |value: &Body, path: &str| match value.as_str() {
        Some(document) => Ok(document.to_owned()),
        None => object(|document| document.need("text", text))(value, path),
    };
    let documents = fields.need("documents", list(document))?;
    if documents.is_empty() {
        return Err(Refusal::field("documents", "`documents` is an empty list"));
    }
    let top = fields.read("top_n", count)?.filter(|&n| n > 0).unwrap_or(documents.len());
    let (pairs, given) = Pairs::of(&caller.app, vec![query], &documents);
    begin(caller, &fields, given, "documents", Form::Ranks { pairs, documents, top })
}

fn begin(
    caller: &Caller,
    fields: &Fields<'_>,
    given: Vec<(Prompt, Option<String>)>,
    path: &str,
    form: Form,
) -> Result<Begun> {
    let app = &caller.app;
    let adapter = app.adapter(fields)?;
    let asked = Asked::read(app, fields, given.len())?;
    let normalized = match fields.get("use_activation") {
        Some(_) => fields.read("use_activation", flag)?,
        None => fields.read("normalize", flag)?,
    };
    let room = Room::read(fields)?;
    let special = add_special(fields, path != "messages")?;
    let (mut requests, mut tokens) = (Vec::new(), 0);
    let pooling = Some(form.pooling(app));
    for (prompt, second) in given {
        let mut prompt = prompt.tokens(app, special).map_err(|e| e.at(path))?;
        let begins = second.as_ref().map(|_| prompt.len());
        if let Some(second) = second {
            fields.without("truncate_prompt_tokens", "texts that are read together are not cut")?;
            // The mark before a text is that of the first one.
            prompt.extend(Prompt::Text(second).tokens(app, special)?.into_iter().skip(usize::from(special)));
        }
        let (prompt, _) = room.fit(prompt, Some(0), app, path)?;
        tokens += prompt.len();
        let request = asked.request(prompt, 1, adapter.clone());
        requests.push(EngineRequest { pooling, second: begins, ..request });
    }
    let id = format!("{}-{}", form.kind(), app.id());
    let vectors = Vectors { app: app.clone(), id, form, activated: normalized.unwrap_or(true), tokens };
    let answers = Answers::begin(caller, &vectors.id, requests, None)?;
    Ok(Box::pin(respond(answers, vectors)))
}

async fn respond(answers: Answers, asked: Vectors) -> Result<Response> {
    let mut vectors = Vec::new();
    for answer in answers.gather(1).await? {
        let vector = answer.choices.into_iter().next().and_then(|choice| choice.vector);
        vectors.push(vector.ok_or_else(|| Refusal::internal("the engine gave no vector"))?);
    }
    Ok(json_response(StatusCode::OK, &asked.whole(vectors)?))
}

impl Vectors {
    fn whole(self, mut vectors: Vec<Vec<f32>>) -> Result<Value> {
        if self.activated && self.form.pooling(&self.app) != Pooling::Classes {
            vectors.iter_mut().for_each(|vector| normalize(vector));
        }
        let usage = json!({"prompt_tokens": self.tokens, "total_tokens": self.tokens});
        let (name, created) = (self.app.name(), now());
        let id = &self.id;
        Ok(match &self.form {
            Form::Vectors { object, field, dimensions, base64 } => {
                let width = vectors.first().map_or(0, Vec::len);
                if let Some(wanted) = dimensions.filter(|&wanted| wanted != width) {
                    let message =
                        format!("`dimensions` is {wanted}, but the model's vectors have {width} numbers");
                    return Err(Refusal::field("dimensions", message));
                }
                let data = vectors.iter().enumerate().map(|(index, vector)| {
                    let numbers = if *base64 { encoded(vector).into() } else { json!(vector) };
                    json!({"index": index, "object": object, *field: numbers})
                });
                let data: Vec<Value> = data.collect();
                json!({"id": id, "object": "list", "created": created, "model": name, "data": data, "usage": usage})
            }
            Form::Scores(pairs) => {
                let data = pairs.nearness(&vectors).into_iter().enumerate();
                let data =
                    data.map(|(index, near)| json!({"index": index, "object": "score", "score": near}));
                let data: Vec<Value> = data.collect();
                json!({"id": id, "object": "list", "created": created, "model": name, "data": data, "usage": usage})
            }
            Form::Ranks { pairs, documents, top } => {
                let near = documents.iter().zip(pairs.nearness(&vectors)).enumerate();
                let mut ranks: Vec<(usize, &String, f64)> =
                    near.map(|(i, (text, near))| (i, text, near)).collect();
                // Of equally near ones the first comes first.
                ranks.sort_by(|a, b| b.2.total_cmp(&a.2));
                let results = ranks.into_iter().take(*top).map(|(index, document, score)| {
                    json!({"index": index, "document": {"text": document}, "relevance_score": score})
                });
                let results: Vec<Value> = results.collect();
                json!({"id": id, "model": name, "usage": usage, "results": results})
            }
            Form::Classes => {
                let names = self.app.engine.classes();
                let class = |(index, logits): (usize, &Vec<f32>)| {
                    let probabilities = if self.activated {
                        probabilities(logits)
                    } else {
                        logits.iter().map(|&x| f64::from(x)).collect()
                    };
                    let best =
                        logits.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(&a.0)));
                    let label = best.and_then(|(at, _)| names.get(at));
                    json!({"index": index, "label": label, "probs": probabilities, "num_classes": logits.len()})
                };
                let data: Vec<Value> = vectors.iter().enumerate().map(class).collect();
                json!({"id": id, "object": "list", "created": created, "model": name, "data": data, "usage": usage})
            }
        })
    }
}

fn sigmoid(x: f32) -> f64 {
    1.0 / (1.0 + (-f64::from(x)).exp())
}

/// `exp z_i / sum_j exp z_j`; of one class that of it against nothing.
fn probabilities(logits: &[f32]) -> Vec<f64> {
    if let [one] = logits {
        return vec![sigmoid(*one)];
    }
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let powers: Vec<f64> = logits.iter().map(|&x| f64::from(x - most).exp()).collect();
    let sum: f64 = powers.iter().sum();
    powers.into_iter().map(|power| power / sum).collect()
}

/// The cosine of the angle between two vectors; 0 where one has no length.
fn nearness(a: &[f32], b: &[f32]) -> f64 {
    let product =
        |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(&x, &y)| f64::from(x) * f64::from(y)).sum::<f64>();
    let length = (product(a, a) * product(b, b)).sqrt();
    if length > 0.0 { product(a, b) / length } else { 0.0 }
}

/// The bytes of the numbers, little end first, in base 64.
///
/// Source: RFC 4648, section 4.
fn encoded(vector: &[f32]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bytes: Vec<u8> = vector.iter().flat_map(|x| x.to_le_bytes()).collect();
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for part in bytes.chunks(3) {
        let byte = |i: usize| u32::from(part.get(i).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        let digit = |i: usize| char::from(DIGITS[(bits >> (18 - 6 * i) & 63) as usize]);
        text.extend((0..4).map(|i| if i <= part.len() { digit(i) } else { '=' }));
    }
    text
}

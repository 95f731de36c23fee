//! Requests for vectors of texts: `POST /v1/embeddings` and `/pooling`; for the similarity of texts, by their vectors or by a
//! cross-encoder: `/score` and `/rerank`; and for classes: `/classify`.

use std::sync::Arc;

use axum::response::Response;
use hyper::StatusCode;
use jarrah_serve::{EngineRequest, Pooling, nearness, normalize, probability};
use jarrah_tokenizer::chat::ChatValue;
use serde_json::{Value, json};

use crate::answers::Answers;
use crate::app::{App, Begun, Caller};
use crate::chat::conversation;
use crate::clock::now;
use crate::prompt::{Prompt, Room, add_special, prompts};
use crate::refusal::{Refusal, Result, json_response};
use crate::sampling::Asked;
use jarrah_tokenizer::chat::fields::{Fields, count, flag, list, object, one_of, text, texts};

/// How the answer is made from the vectors.
enum Form {
    /// The list `data` of embeddings, by these names of the object and of the field that has the vector.
    Vectors { object: &'static str, field: &'static str, dimensions: Option<usize>, base64: bool },
    /// The similarity of pairs, whose first texts are the first `firsts` ones; if there is one, it is paired with all others.
    Scores { firsts: usize },
    /// The documents ordered by their similarity to the query, which is the first text; at most `top` of them.
    Ranks { documents: Vec<String>, top: usize },
    /// The classes of texts; the numbers are probabilities, or else bare logits.
    Classes { probabilities: bool },
}

/// The text whose vector is computed, or the pair of texts for a cross-encoder.
enum Given {
    One(Prompt),
    Pair(String, String),
}

impl Form {
    /// The prefix of ids.
    fn kind(&self) -> &'static str {
        match self {
            Form::Vectors { .. } => "embd",
            Form::Scores { .. } => "score",
            Form::Ranks { .. } => "rerank",
            Form::Classes { .. } => "classify",
        }
    }
}

/// A request for vectors: how its answer is made, and the number of its tokens.
struct Vectors {
    app: Arc<App>,
    id: String,
    form: Form,
    /// The field `use_activation` or `normalize`: whether vectors are normalized and logits become probabilities; the default is
    /// yes.
    activated: Option<bool>,
    tokens: usize,
}

/// Reads a request to `/v1/embeddings`, and begins its answer.
pub fn embeddings(caller: &Caller, body: &ChatValue) -> Result<Begun> {
    vectors(caller, body, "embedding", "embedding")
}

/// Reads a request to `/pooling`, and begins its answer.
pub fn pooling(caller: &Caller, body: &ChatValue) -> Result<Begun> {
    vectors(caller, body, "pooling", "data")
}

fn vectors(caller: &Caller, body: &ChatValue, object: &'static str, field: &'static str) -> Result<Begun> {
    let app = &caller.app;
    let fields = Fields::body(body)?;
    if object == "embedding" && app.options.pooling == Pooling::Classes {
        return Err(Refusal::bad("the model has classes of texts, and no vectors: ask /classify"));
    }
    let path = if fields.get("messages").is_some() { "messages" } else { "input" };
    fields.known(&["input"]);
    let given = match path {
        "messages" => vec![Prompt::Text(app.render(&conversation(app, &fields)?)?)],
        _ => fields.need("input", |value, path| prompts(app, value, path))?,
    };
    let format = fields.read("encoding_format", one_of(&["float", "base64"]))?;
    let base64 = format.is_some_and(|format| format == "base64");
    // Fields by which vLLM's clients choose how numbers are encoded.
    fields.read("embed_dtype", one_of(&["auto", "float32"]))?;
    fields.read("endianness", one_of(&["native", "little"]))?;
    let dimensions = fields.read("dimensions", count)?;
    at_most(app, path, given.len())?;
    let given = given.into_iter().map(Given::One).collect();
    begin(caller, &fields, given, path, Form::Vectors { object, field, dimensions, base64 })
}

/// Reads a request to `/classify`, and begins its answer.
pub fn classify(caller: &Caller, body: &ChatValue) -> Result<Begun> {
    let app = &caller.app;
    let fields = Fields::body(body)?;
    if app.engine.classes().is_empty() {
        return Err(Refusal::bad("the model has no classes of texts"));
    }
    let given = fields.need("input", |value, path| prompts(app, value, path))?;
    at_most(app, "input", given.len())?;
    let given = given.into_iter().map(Given::One).collect();
    begin(caller, &fields, given, "input", Form::Classes { probabilities: true })
}

/// Reads a request to `/score`, and begins its answer.
pub fn score(caller: &Caller, body: &ChatValue) -> Result<Begun> {
    let fields = Fields::body(body)?;
    let side = |names: [&str; 3]| -> Result<Vec<String>> {
        let name = names.iter().find(|name| fields.get(name).is_some()).unwrap_or(&names[0]);
        match fields.need(name, texts)? {
            texts if texts.is_empty() => Err(Refusal::field(*name, format!("`{name}` is an empty list"))),
            texts => at_most(&caller.app, name, texts.len()).map(|()| texts),
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
    let given = match scores_pairs(&caller.app)? {
        true => (0..)
            .zip(seconds)
            .map(|(i, second)| Given::Pair(firsts.get(i).unwrap_or(&firsts[0]).clone(), second))
            .collect(),
        false => firsts.into_iter().chain(seconds).map(Prompt::Text).map(Given::One).collect(),
    };
    begin(caller, &fields, given, "text_1", Form::Scores { firsts: count })
}

/// Reads a request to `/rerank`, and begins its answer.
pub fn rerank(caller: &Caller, body: &ChatValue) -> Result<Begun> {
    let fields = Fields::body(body)?;
    let query = fields.need("query", text)?;
    let document = |value: &ChatValue, path: &str| match value.as_str() {
        Some(document) => Ok(document.to_owned()),
        None => object(|document| document.need("text", text))(value, path),
    };
    let documents = fields.need("documents", list(document))?;
    if documents.is_empty() {
        return Err(Refusal::field("documents", "`documents` is an empty list"));
    }
    at_most(&caller.app, "documents", documents.len())?;
    // The documents are always in the answer.
    fields.known(&["return_documents"]);
    let top = fields.read("top_n", count)?.filter(|&n| n > 0).unwrap_or(documents.len());
    let given = match scores_pairs(&caller.app)? {
        true => documents.iter().map(|document| Given::Pair(query.clone(), document.clone())).collect(),
        false => {
            std::iter::once(&query).chain(&documents).cloned().map(Prompt::Text).map(Given::One).collect()
        }
    };
    begin(caller, &fields, given, "documents", Form::Ranks { documents, top })
}

/// Refuses a field with more texts than a request may have.
fn at_most(app: &App, name: &str, count: usize) -> Result<()> {
    let most = app.options.most_texts;
    match count > most {
        true => {
            let message = format!("`{name}` has {count} texts, but a request has at most {most}");
            Err(Refusal::field(name, message))
        }
        false => Ok(()),
    }
}

/// Whether the model is a cross-encoder: it gives one number to a pair of texts, their similarity.
fn scores_pairs(app: &App) -> Result<bool> {
    match app.engine.classes().len() {
        0 => Ok(false),
        1 => Ok(true),
        n => Err(Refusal::bad(format!(
            "the model has {n} classes of texts, which say nothing of nearness: ask /classify"
        ))),
    }
}

fn begin(caller: &Caller, fields: &Fields<'_>, given: Vec<Given>, path: &str, form: Form) -> Result<Begun> {
    let app = &caller.app;
    let adapter = app.adapter(fields)?;
    let mut asked = Asked::read(app, fields, 1)?;
    // Each text has one vector, whatever `n` says.
    asked.params.n = 1;
    let activated = match fields.get("use_activation") {
        Some(_) => fields.read("use_activation", flag)?,
        None => fields.read("normalize", flag)?,
    };
    let room = Room::read(fields)?;
    let special = add_special(fields, path != "messages")?;
    fields.all_known()?;
    let (mut requests, mut tokens) = (Vec::new(), 0);
    for given in given {
        let whole = match given {
            Given::One(prompt) => room.tokens(prompt, app, special, path).map(|tokens| (tokens, None)),
            Given::Pair(first, second) => {
                [&first, &second].into_iter().try_for_each(|text| room.fits(text, app, path))?;
                let pair = app.tokenizer()?.encode_pair(&first, &second);
                pair.map(|(tokens, second)| (tokens, Some(second))).map_err(Refusal::from)
            }
        };
        let (prompt, second) = room.fit_whole(whole.map_err(|e| e.at(path))?, app, path)?;
        tokens += prompt.len();
        let pooling = Some(app.options.pooling);
        requests.push(EngineRequest { pooling, second, ..asked.request(prompt, 1, adapter.clone()) });
    }
    let form = match (form, activated) {
        (Form::Classes { .. }, Some(probabilities)) => Form::Classes { probabilities },
        (form, _) => form,
    };
    let id = format!("{}-{}", form.kind(), app.id());
    let vectors = Vectors { app: app.clone(), id, form, activated, tokens };
    let answers = Answers::begin(caller, &vectors.id, requests, None, "input")?;
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
        let is_vector = self.app.options.pooling != Pooling::Classes;
        if is_vector && self.activated.unwrap_or(true) {
            vectors.iter_mut().for_each(|vector| normalize(vector));
        }
        if vectors.iter().flatten().any(|x| !x.is_finite()) {
            return Err(Refusal::internal(
                "the model's vectors are not numbers: its weights are damaged or its training diverged",
            ));
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
            Form::Scores { firsts } => {
                let scores: Vec<f64> = match is_vector {
                    false => vectors.iter().map(|logits| self.of_pair(logits)).collect(),
                    true => {
                        let (firsts, seconds) = vectors.split_at(*firsts);
                        let first = |index: usize| firsts.get(index).unwrap_or(&firsts[0]);
                        seconds.iter().enumerate().map(|(i, second)| nearness(first(i), second)).collect()
                    }
                };
                let data = scores
                    .iter()
                    .enumerate()
                    .map(|(index, score)| json!({"index": index, "object": "score", "score": score}));
                let data: Vec<Value> = data.collect();
                json!({"id": id, "object": "list", "created": created, "model": name, "data": data, "usage": usage})
            }
            Form::Ranks { documents, top } => {
                let score = |index: usize| match is_vector {
                    false => self.of_pair(&vectors[index]),
                    true => nearness(&vectors[0], &vectors[index + 1]),
                };
                let near = documents.iter().enumerate().map(|(i, document)| (i, document, score(i)));
                let mut ranks: Vec<(usize, &String, f64)> = near.collect();
                // The sort is stable: of documents that are equally similar, the first comes first.
                ranks.sort_by(|a, b| b.2.total_cmp(&a.2));
                let results = ranks.into_iter().take(*top).map(|(index, document, score)| {
                    json!({"index": index, "document": {"text": document}, "relevance_score": score})
                });
                let results: Vec<Value> = results.collect();
                json!({"id": id, "model": name, "usage": usage, "results": results})
            }
            Form::Classes { probabilities } => {
                let classes = self.app.engine.classes();
                let data = vectors.iter().enumerate().map(|(index, logits)| {
                    let probs = if *probabilities {
                        probabilities_of(logits)
                    } else {
                        logits.iter().map(|&x| x.into()).collect()
                    };
                    let best = probs.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(&a.0)));
                    let label = best.and_then(|(at, _)| classes.get(at));
                    json!({"index": index, "label": label, "probs": probs, "num_classes": probs.len()})
                });
                let data: Vec<Value> = data.collect();
                json!({"id": id, "object": "list", "created": created, "model": name, "data": data, "usage": usage})
            }
        })
    }

    /// The similarity of a pair by its one logit: a probability, unless the bare number was asked for.
    fn of_pair(&self, logits: &[f32]) -> f64 {
        let logit = logits.first().copied().unwrap_or(0.0);
        if self.activated.unwrap_or(true) { probability(logit) } else { logit.into() }
    }
}

/// The probabilities of classes: softmax of the logits; of one class, its sigmoid.
fn probabilities_of(logits: &[f32]) -> Vec<f64> {
    if let [logit] = logits {
        return vec![probability(*logit)];
    }
    let largest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let weights: Vec<f64> = logits.iter().map(|&x| f64::from(x - largest).exp()).collect();
    let total: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / total).collect()
}

/// The bytes of the vector's numbers, little-endian, in base 64.
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

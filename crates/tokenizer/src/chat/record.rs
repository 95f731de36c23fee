//! Chats of data sets, in the forms that people keep them in.

use jarrah_base::{Error, Result};
use minijinja::Value;

use super::fields::{Fault, Fields, text};
use super::value::read_python as json;
use super::{Chat, Templates, ValueKind, message};

/// The keys of lists of messages.
const LISTS: [&str; 3] = ["messages", "conversations", "conversation"];

/// The fields of a record that are a question, more of it that may be empty or missing, and its answer: Alpaca's, Dolly's, and those of
/// plain pairs.
const PAIRS: [(&str, Option<&str>, &str); 6] = [
    ("instruction", Some("input"), "output"),
    ("instruction", Some("context"), "response"),
    ("question", None, "answer"),
    ("prompt", None, "response"),
    ("prompt", None, "answer"),
    ("query", None, "response"),
];

/// A chat of a data set.
///
/// ```
/// use jarrah_tokenizer::chat::Record;
/// let record = Record::parse(r#"{"instruction": "What is it?", "input": "", "output": "A tree."}"#)?;
/// assert_eq!((record.messages.len(), record.answers().collect()), (2, vec![1]));
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Record {
    /// The messages: maps with `role` and, mostly, `content`.
    pub messages: Vec<Value>,
    /// How many messages are a prompt, of which nothing is learned.
    pub prompt: usize,
    /// The tools that the model may call, as JSON schemas.
    pub tools: Option<Value>,
    /// The documents that the model may cite.
    pub documents: Option<Value>,
    /// The correct answer that stands beside the list of messages, if one does.
    pub answer: Option<String>,
}

impl Record {
    /// Reads a record: `messages` with `role` and `content` (OpenAI), `conversations` with `from` and `value` (ShareGPT), `prompt` and
    /// `completion`, both texts or both lists of messages (TRL), where the answers of the completion alone are learned, or a question and its
    /// answer, such as `instruction`, `input` and `output` (Alpaca). Content in parts becomes one text, and arguments of calls become
    /// objects, see [`message`].
    ///
    /// # Errors
    /// It is none of these (`Input`).
    pub fn parse(record: &str) -> Result<Record> {
        Record::read(record).map_err(|e| {
            let start: String = record.chars().take(60).collect();
            Error::input(format!("the record {start} .. {}", e.message())).help(
                r#"write {"messages": [{"role": "user", "content": ".."}, {"role": "assistant", "content": ".."}]}, or {"instruction": "..", "input": "..", "output": ".."}"#,
            )
        })
    }

    fn read(record: &str) -> Result<Record> {
        // Keys keep their order, which templates write.
        let value = json(record.as_bytes()).map_err(|e| Error::input(format!("is not JSON: {e}")))?;
        let found = LISTS.iter().find_map(|name| Some((*name, get(&value, name)?)));
        let (path, listed) = found.unwrap_or_else(|| (LISTS[0], value.clone()));
        let (mut prompt, mut answer) = (0, None);
        let messages = match (listed.kind(), get(&value, "prompt"), get(&value, "completion")) {
            (ValueKind::Seq, ..) => {
                answer = get(&value, "answer").and_then(|answer| answer.as_str().map(str::to_owned));
                messages(&listed, path)?
            }
            (_, Some(asked), Some(answer)) => match (asked.kind(), answer.kind()) {
                (ValueKind::Seq, ValueKind::Seq) => {
                    let mut all = messages(&asked, "prompt")?;
                    prompt = all.len();
                    all.extend(messages(&answer, "completion")?);
                    all
                }
                (ValueKind::String, ValueKind::String) => {
                    vec![said("user", asked), said("assistant", answer)]
                }
                _ => {
                    let what = "has a `prompt` and a `completion` that are neither both texts nor both lists of messages";
                    return Err(Error::input(what));
                }
            },
            _ => asked_and_answered(&value)?,
        };
        Ok(Record { answer, ..Record::of(&value, messages, prompt)? })
    }

    /// The record of these messages, with the system's message, the tools and the documents that stand beside them.
    pub(super) fn of(value: &Value, mut messages: Vec<Value>, mut prompt: usize) -> Result<Record> {
        // ShareGPT and Alpaca have the system's message beside the others, and ShareGPT tools as a text.
        if let Some(system) = get(value, "system").filter(|system| system.is_true())
            && messages.first().is_none_or(|first| role(first) != "system")
        {
            messages.insert(0, said("system", system));
            prompt += 1;
        }
        let tools = get(value, "tools").and_then(|tools| match tools.as_str() {
            Some(text) => json(text.as_bytes()).ok(),
            None => Some(tools),
        });
        if messages.is_empty() {
            return Err(Error::input("has no messages"));
        }
        let (tools, documents) = (tools.filter(Value::is_true), get(value, "documents"));
        Ok(Record { messages, prompt, tools, documents, answer: None })
    }

    /// The first `count` messages as the template writes them, with the beginning of an answer behind them if that is asked for.
    ///
    /// # Errors
    /// The template refuses the messages (`Input`).
    pub fn written(&self, templates: &Templates, count: usize, answering: bool) -> Result<String> {
        templates.render(&Chat {
            messages: self.messages[..count].iter().cloned().collect(),
            tools: self.tools.clone(),
            documents: self.documents.clone(),
            add_generation_prompt: answering,
            ..Chat::default()
        })
    }

    /// The places of the answers to be learned: messages of the role `assistant` behind the prompt, but for those of `weight` 0.
    pub fn answers(&self) -> impl Iterator<Item = usize> {
        let unweighted = |m: &Value| get(m, "weight").is_some_and(|weight| !weight.is_true());
        let learned = move |m: &Value| role(m) == "assistant" && !unweighted(m);
        self.messages.iter().enumerate().skip(self.prompt).filter(move |(_, m)| learned(m)).map(|(i, _)| i)
    }

    /// The text of a message, if it has one.
    pub fn text(&self, place: usize) -> Option<String> {
        Some(get(self.messages.get(place)?, "content")?.as_str()?.to_owned())
    }

    /// The role of a message.
    pub fn role(&self, place: usize) -> String {
        self.messages.get(place).map(role).unwrap_or_default()
    }
}

/// The messages of the list at `path`.
pub(super) fn messages(listed: &Value, path: &str) -> Result<Vec<Value>> {
    if listed.kind() != ValueKind::Seq {
        return Err(Error::input("has no list of messages"));
    }
    let items = listed.try_iter().into_iter().flatten().enumerate();
    let read = |(i, item): (usize, Value)| Ok(read(&item, &format!("{path}[{i}]"))?);
    items
        .map(read)
        .collect::<Result<_>>()
        .map_err(|e: Error| Error::input(format!("is no chat: {}", e.message())))
}

/// A message with `role` and `content`, or with `from` and `value`.
fn read(given: &Value, path: &str) -> Result<Value, Fault> {
    let fields = Fields::of(given, path.to_owned())?;
    match (fields.get("role"), fields.read("from", text)?) {
        (Some(_), _) => message(given, path),
        (None, Some(from)) => {
            let role = match from.as_str() {
                "human" | "user" => "user",
                "gpt" | "assistant" | "chatgpt" | "bing" | "bard" | "model" => "assistant",
                // A call is written as the model would write it.
                "function_call" => "assistant",
                "observation" | "function_response" | "tool" => "tool",
                "system" => "system",
                other => {
                    let path = fields.path("from");
                    return Err(Fault::new(
                        path.clone(),
                        format!("`{path}` is `{other}`, no role that is known"),
                    ));
                }
            };
            Ok(said(role, get(given, "value").unwrap_or_default()))
        }
        (None, None) => Err(Fault::new(path, format!("`{path}` has neither `role` nor `from`"))),
    }
}

/// The messages of a record by [`PAIRS`], behind those of its `history`, a list of pairs of texts.
fn asked_and_answered(value: &Value) -> Result<Vec<Value>> {
    let text = |name: &str| get(value, name).filter(|text| text.kind() == ValueKind::String);
    let pair = PAIRS.iter().find_map(|&(asked, more, answer)| {
        Some((text(asked)?, more.and_then(text).filter(Value::is_true), text(answer)?))
    });
    let Some((mut asked, more, answer)) = pair else {
        return Err(match get(value, "instruction") {
            Some(_) => Error::input("has an `instruction` without an `output`, or one of them is no text"),
            None => Error::input("has no list of messages"),
        });
    };
    let mut messages = Vec::new();
    for turn in get(value, "history").iter().flat_map(|history| history.try_iter().into_iter().flatten()) {
        let turn: Vec<Value> = turn.try_iter().map(Iterator::collect).unwrap_or_default();
        let [asked, answer] = turn.as_slice() else {
            return Err(Error::input("has a `history` that is no list of pairs"));
        };
        messages.extend([said("user", asked.clone()), said("assistant", answer.clone())]);
    }
    if let Some(more) = more {
        asked = Value::from(format!("{asked}\n{more}"));
    }
    messages.extend([said("user", asked), said("assistant", answer)]);
    Ok(messages)
}

/// The entry of a map, unless it is missing or null.
pub(super) fn get(value: &Value, name: &str) -> Option<Value> {
    value.get_attr(name).ok().filter(|value| !value.is_undefined() && !value.is_none())
}

pub(super) fn role(message: &Value) -> String {
    get(message, "role").and_then(|role| role.as_str().map(str::to_owned)).unwrap_or_default()
}

pub(super) fn said(role: &str, content: Value) -> Value {
    Value::from_pairs([("role", Value::from(role)), ("content", content)])
}

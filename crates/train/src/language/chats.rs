//! Chats as examples: which tokens of each are the answers to be learned.

use jarrah_base::parallel::{cores, try_map};
use jarrah_base::{Error, Result};
use jarrah_data::{Examples, Place, Tokens};
use jarrah_tokenizer::Tokenizer;
use jarrah_tokenizer::chat::{Chat, Templates, Value, ValueKind, read_python as json};

/// A chat of a data set.
pub struct Conversation {
    messages: Vec<Value>,
    /// How many messages are a prompt, of which nothing is learned.
    prompt: usize,
    /// Tools and documents.
    rest: Chat,
}

/// Ids, each with whether it is to be learned.
type Example = (Vec<u32>, Vec<bool>);

/// The examples of records, in their order.
pub struct Learned {
    /// Their tokens.
    pub tokens: Tokens,
    /// The tokens of them that are answers to learn.
    pub examples: Examples,
    /// How many records there are.
    records: usize,
    /// How many of them the template refused, and the first refusal.
    refused: (usize, Option<Error>),
    /// How many of them have no answer to be learned, and where the first stands.
    unanswered: (usize, Option<Place>),
}

impl Conversation {
    /// Reads a record: `messages` with `role` and `content` (OpenAI), `conversations` with `from` and `value` (ShareGPT), `prompt` and
    /// `completion`, both texts or both lists of messages (TRL), where the answers of the completion alone are learned, or `instruction`, `input` and
    /// `output` (Alpaca) and the like, see [`PAIRS`].
    ///
    /// # Errors
    /// It is none of these (`Input`).
    pub fn parse(record: &str) -> Result<Self> {
        let wrong = |what: String| {
            let start: String = record.chars().take(60).collect();
            Error::input(format!("the record {start} .. {what}")).help(
                r#"write {"messages": [{"role": "user", "content": ".."}, {"role": "assistant", "content": ".."}]}, or {"instruction": "..", "input": "..", "output": ".."}"#,
            )
        };
        // Keys keep their order, which templates write.
        let value = json(record.as_bytes()).map_err(|e| wrong(format!("is not JSON: {e}")))?;
        let listed = ["messages", "conversations", "conversation"].map(|name| get(&value, name));
        let listed = listed.into_iter().flatten().next().unwrap_or_else(|| value.clone());
        let (mut messages, mut prompt) = (Vec::new(), 0);
        let list = |listed: &Value| -> Result<Vec<Value>> {
            let listed = listed.try_iter().map_err(|_| wrong("has no list of messages".to_owned()))?;
            listed.map(|message| read(&message).map_err(|e| wrong(e.message().to_owned()))).collect()
        };
        match (listed.kind(), get(&value, "prompt"), get(&value, "completion")) {
            (ValueKind::Seq, ..) => messages = list(&listed)?,
            (_, Some(asked), Some(answer)) => match (asked.kind(), answer.kind()) {
                (ValueKind::Seq, ValueKind::Seq) => {
                    messages = list(&asked)?;
                    prompt = messages.len();
                    messages.extend(list(&answer)?);
                }
                (ValueKind::String, ValueKind::String) => {
                    messages.extend([message("user", asked), message("assistant", answer)]);
                }
                _ => {
                    let what = "has a `prompt` and a `completion` that are neither both texts nor both lists of messages";
                    return Err(wrong(what.to_owned()));
                }
            },
            _ => messages = asked_and_answered(&value).map_err(|e| wrong(e.message().to_owned()))?,
        }
        // ShareGPT and Alpaca have the system's message beside the others, and ShareGPT tools as a text.
        if let Some(system) = get(&value, "system").filter(|system| system.is_true())
            && messages.first().is_none_or(|first| role(first) != "system")
        {
            messages.insert(0, message("system", system));
            prompt += 1;
        }
        let tools = get(&value, "tools").and_then(|tools| match tools.as_str() {
            Some(text) => json(text.as_bytes()).ok(),
            None => Some(tools),
        });
        let tools = tools.filter(|tools: &Value| tools.is_true());
        if messages.is_empty() {
            return Err(wrong("has no messages".to_owned()));
        }
        let rest = Chat { tools, documents: get(&value, "documents"), ..Chat::default() };
        Ok(Conversation { messages, prompt, rest })
    }

    /// The first `count` messages as the template writes them, with the beginning of an answer behind them if that is asked for.
    fn written(&self, templates: &Templates, count: usize, answering: bool) -> Result<String> {
        let messages = self.messages[..count].iter().cloned().collect();
        templates.render(&Chat { messages, add_generation_prompt: answering, ..self.rest.clone() })
    }

    /// The places of the answers to be learned.
    fn answers(&self) -> impl Iterator<Item = usize> {
        let unweighted = |m: &Value| get(m, "weight").is_some_and(|weight| !weight.is_true());
        let learned = move |m: &Value| role(m) == "assistant" && !unweighted(m);
        self.messages.iter().enumerate().skip(self.prompt).filter(move |(_, m)| learned(m)).map(|(i, _)| i)
    }

    /// The prompt of the last answer, as the template writes it, and the last words of the user in it.
    ///
    /// # Errors
    /// The template refuses the messages (`Input`).
    pub fn question(&self, templates: &Templates) -> Result<Option<(String, String)>> {
        let Some(last) = self.answers().last().filter(|&last| last > 0) else { return Ok(None) };
        let user = self.messages[..last].iter().rev().find(|m| role(m) == "user");
        let words = user.and_then(|m| Some(get(m, "content")?.as_str()?.to_owned())).unwrap_or_default();
        Ok(Some((self.written(templates, last, true)?, words)))
    }

    /// Tokens with the answers to be learned, as one example if the template writes what comes before an answer as it writes it at the time of
    /// the answer; else the answers that it does not are examples of their own.
    fn examples(&self, tokenizer: &Tokenizer, templates: &Templates) -> Result<Vec<Example>> {
        let text = self.written(templates, self.messages.len(), false)?;
        let whole = Encoded::of(tokenizer, &text)?;
        let mut learned = vec![false; whole.ids.len()];
        let mut examples = Vec::new();
        for place in self.answers() {
            let before = self.written(templates, place, true)?;
            let after = self.written(templates, place + 1, false)?;
            if text.starts_with(&after)
                && let Some(asked) = asked(&text, &before)
            {
                let [start, end] = [whole.count(asked)?, whole.count(after.len())?];
                learned[start.min(end)..end].fill(true);
                continue;
            }
            let own = Encoded::of(tokenizer, &after)?;
            let start = own.count(asked(&after, &before).unwrap_or_else(|| common(&after, &before)))?;
            let marks = (0..own.ids.len()).map(|i| i >= start).collect();
            examples.push((own.ids, marks));
        }
        if learned.contains(&true) {
            examples.insert(0, (whole.ids, learned));
        }
        Ok(examples)
    }
}

/// The bytes that two texts begin with.
fn common(a: &str, b: &str) -> usize {
    let same = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    (0..=same).rev().find(|&at| a.is_char_boundary(at)).unwrap_or_default()
}

/// Where in a text the words end that `before` asks for an answer with, if it begins with them, but for white space at their end.
fn asked(text: &str, before: &str) -> Option<usize> {
    let same = common(text, before);
    before[same..].trim().is_empty().then_some(same)
}

/// A text and its tokens.
struct Encoded<'a> {
    tokenizer: &'a Tokenizer,
    text: &'a str,
    ids: Vec<u32>,
    /// Where each token ends in the text, where tokens are the text piece by piece.
    ends: Option<Vec<usize>>,
}

impl<'a> Encoded<'a> {
    fn of(tokenizer: &'a Tokenizer, text: &'a str) -> Result<Self> {
        let ids = tokenizer.encode_chat(text)?;
        let mut stream = tokenizer.decode_stream(false);
        let (mut at, mut held, mut ends, mut is_text) = (0, 0, Vec::with_capacity(ids.len()), true);
        for &id in &ids {
            let piece = stream.push(id)?;
            is_text &= text[at..].starts_with(&piece);
            if !is_text {
                break;
            }
            at += piece.len();
            // A token whose text is held back is a byte of it at least.
            held = if piece.is_empty() { held + 1 } else { 0 };
            ends.push(at + held);
        }
        let ends = (is_text && at == text.len()).then_some(ends);
        Ok(Encoded { tokenizer, text, ids, ends })
    }

    /// The tokens that lie in the first `bytes` of the text.
    fn count(&self, bytes: usize) -> Result<usize> {
        Ok(match &self.ends {
            Some(ends) => ends.partition_point(|&end| end <= bytes),
            None => {
                let alone = self.tokenizer.encode_chat(&self.text[..bytes])?;
                self.ids.iter().zip(&alone).take_while(|(a, b)| a == b).count()
            }
        })
    }
}

/// Fields of records that are a question, more of it that may be empty or missing, and its answer: those of Alpaca, of Dolly, and of plain pairs.
const PAIRS: [(&str, Option<&str>, &str); 5] = [
    ("instruction", Some("input"), "output"),
    ("instruction", Some("context"), "response"),
    ("question", None, "answer"),
    ("prompt", None, "response"),
    ("query", None, "response"),
];

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
        messages.extend([message("user", asked.clone()), message("assistant", answer.clone())]);
    }
    if let Some(more) = more {
        asked = Value::from(format!("{asked}\n{more}"));
    }
    messages.extend([message("user", asked), message("assistant", answer)]);
    Ok(messages)
}

/// The entry of a map, unless it is missing or null.
fn get(value: &Value, name: &str) -> Option<Value> {
    value.get_attr(name).ok().filter(|value| !value.is_undefined() && !value.is_none())
}

fn role(message: &Value) -> String {
    get(message, "role").and_then(|role| role.as_str().map(str::to_owned)).unwrap_or_default()
}

fn message(role: &str, content: Value) -> Value {
    Value::from_pairs([("role", Value::from(role)), ("content", content)])
}

/// A message with `role` and `content`.
fn read(given: &Value) -> Result<Value> {
    if given.kind() != ValueKind::Map {
        return Err(Error::input("has a message that is no object"));
    }
    match (get(given, "role"), get(given, "from")) {
        (Some(role), _) if role.as_str().is_some() => Ok(given.clone()),
        (None, Some(from)) => {
            let role = match from.as_str().unwrap_or_default() {
                "human" | "user" => "user",
                "gpt" | "assistant" | "chatgpt" | "bing" | "bard" | "model" => "assistant",
                // What a model calls is written as it would write it.
                "function_call" => "assistant",
                "observation" | "function_response" | "tool" => "tool",
                "system" => "system",
                other => return Err(Error::input(format!("has a message from `{other}`"))),
            };
            Ok(message(role, get(given, "value").unwrap_or_default()))
        }
        _ => Err(Error::input("has a message without `role` or `from`")),
    }
}

impl Learned {
    /// Says how many chats the template refused, and where the first of them stands.
    pub fn refusal(&self) -> Option<String> {
        let (count, error) = (self.refused.0, self.refused.1.as_ref()?);
        let chats = if count == 1 { "1 chat is".to_owned() } else { format!("{count} chats are") };
        Some(format!("{chats} left out, which the template refuses: {error}"))
    }

    /// Says how many chats have no answer, and where the first of them stands.
    pub fn unanswered(&self) -> Option<String> {
        let (count, place) = (self.unanswered.0, self.unanswered.1.as_ref()?);
        let chats = if count == 1 { "1 chat has".to_owned() } else { format!("{count} chats have") };
        Some(format!("{chats} no answer to learn, a message of the role assistant; the first is in {place}"))
    }

    /// These examples, unless the template refuses all records.
    ///
    /// # Errors
    /// The template refuses all records (`Input`, naming the first of them).
    pub fn taken(self) -> Result<Self> {
        match (&self.refused, self.records) {
            ((1, Some(error)), 1) => Err(error.clone().context("the template refuses the only chat")),
            ((refused, Some(error)), all) if *refused == all => {
                Err(error.clone().context(format!("the template refuses all {all} chats")))
            }
            _ => Ok(self),
        }
    }
}

/// The examples of all records.
///
/// * `places`: where each of the records stands
///
/// # Errors
/// A record is no chat (`Input`, naming its file and line).
pub fn learned(
    records: &[String],
    places: &[Place],
    tokenizer: &Tokenizer,
    templates: &Templates,
) -> Result<Learned> {
    let all: Vec<(&String, &Place)> = records.iter().zip(places).collect();
    // What is no chat is an error; what a template refuses, such as roles out of turn, is left out.
    let within = |place: &Place| format!("in {place}");
    let conversations = try_map(cores(), &all, |(record, place)| {
        Conversation::parse(record).map(|chat| (chat, *place)).map_err(|e| e.context(within(place)))
    })?;
    let each = try_map(cores(), &conversations, |(chat, place)| {
        let examples = chat.examples(tokenizer, templates);
        Ok::<_, Error>(examples.map_err(|e| e.context(within(place))))
    })?;
    let (mut ids, mut examples, mut refused) = (Vec::new(), Examples::default(), (0, None));
    let mut silent = conversations.iter().filter(|(chat, _)| chat.answers().next().is_none());
    let first = silent.next().map(|(_, place)| Place::clone(place));
    let unanswered = (usize::from(first.is_some()) + silent.count(), first);
    for result in each {
        match result {
            Ok(own) => {
                for (tokens, learned) in own {
                    ids.extend(tokens);
                    examples.push(learned);
                }
            }
            Err(error) => {
                refused.0 += 1;
                refused.1.get_or_insert(error);
            }
        }
    }
    let tokens = Tokens::new(ids, tokenizer.vocab_size())?;
    Ok(Learned { tokens, examples, records: records.len(), refused, unanswered })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use jarrah_tokenizer::{TrainOptions, train};

    use super::*;

    /// The texts of a record's examples that are learned, and those that are not.
    fn parts(template: &str, record: &str) -> Vec<Vec<String>> {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("chat_template.jinja"), template).unwrap();
        let templates = Templates::load(dir.path()).unwrap();
        let texts = ["what is it? it is so. and <user><assistant>\n"; 8].map(str::to_owned);
        let tokenizer = train(&texts, &TrainOptions::new(300)).unwrap();
        let examples = Conversation::parse(record).unwrap().examples(&tokenizer, &templates).unwrap();
        let shown = |(ids, learned): Example| {
            let runs = ids.iter().zip(&learned).collect::<Vec<_>>();
            let runs = runs.chunk_by(|a, b| a.1 == b.1);
            runs.map(|run| {
                let ids: Vec<u32> = run.iter().map(|(id, _)| **id).collect();
                let text = tokenizer.decode(&ids, false).unwrap();
                if *run[0].1 { format!("[{text}]") } else { text }
            })
            .collect()
        };
        examples.into_iter().map(shown).collect()
    }

    const PLAIN: &str = "{% for m in messages %}<{{ m.role }}>{{ m.content }}\n{% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}";

    #[test]
    fn answers_are_learned_and_nothing_else() {
        let expected = vec![vec![
            "<system>be brief\n<user>what?\n<assistant>".to_owned(),
            "[it is so\n]".to_owned(),
            "<user>and?\n<assistant>".to_owned(),
            "[so\n]".to_owned(),
        ]];
        let openai = r#"{"messages": [{"role": "system", "content": "be brief"}, {"role": "user", "content": "what?"},
            {"role": "assistant", "content": "it is so"}, {"role": "user", "content": "and?"}, {"role": "assistant", "content": "so"}]}"#;
        assert_eq!(parts(PLAIN, openai), expected);
        let sharegpt = r#"{"id": 7, "system": "be brief", "tools": "", "conversations": [{"from": "human", "value": "what?"},
            {"from": "gpt", "value": "it is so"}, {"from": "human", "value": "and?"}, {"from": "gpt", "value": "so"}]}"#;
        assert_eq!(parts(PLAIN, sharegpt), expected);
        let pair = r#"{"prompt": "what?", "completion": "so"}"#;
        assert_eq!(parts(PLAIN, pair), [["<user>what?\n<assistant>", "[so\n]"]]);
        // Of a prompt in messages nothing is learned, answers in it included.
        let lists = openai.replace(r#""messages""#, r#""prompt""#).replace(
            r#"{"role": "assistant", "content": "so"}]"#,
            r#"{"role": "user", "content": "so?"}], "completion": [{"role": "assistant", "content": "so"}]"#,
        );
        let before = "<system>be brief\n<user>what?\n<assistant>it is so\n<user>and?\n<user>so?\n<assistant>";
        assert_eq!(parts(PLAIN, &lists), [[before, "[so\n]"]]);
        let mixed =
            Conversation::parse(r#"{"prompt": [{"role": "user", "content": "what?"}], "completion": "so"}"#);
        let e = mixed.err().unwrap().to_string();
        assert!(e.contains("neither both texts nor both lists of messages"), "{e}");
        // An answer that is not to be learned.
        let unweighted = openai.replace(r#""content": "it is so""#, r#""content": "it is so", "weight": 0"#);
        assert_eq!(parts(PLAIN, &unweighted)[0][1], "[so\n]");
    }

    #[test]
    fn records_of_instructions_are_chats() {
        let two = [["<user>what?\nit\n<assistant>", "[so\n]"]];
        assert_eq!(parts(PLAIN, r#"{"instruction": "what?", "input": "it", "output": "so"}"#), two);
        assert_eq!(parts(PLAIN, r#"{"instruction": "what?", "context": "it", "response": "so"}"#), two);
        let one = [["<user>what?\n<assistant>", "[so\n]"]];
        for record in [
            r#"{"instruction": "what?", "input": "", "output": "so"}"#,
            r#"{"instruction": "what?", "input": null, "output": "so", "text": "what? so"}"#,
            r#"{"instruction": "what?", "output": "so"}"#,
            r#"{"question": "what?", "answer": "so"}"#,
            r#"{"prompt": "what?", "response": "so"}"#,
        ] {
            assert_eq!(parts(PLAIN, record), one, "{record}");
        }
        let long = r#"{"system": "be brief", "history": [["what?", "it is so"]], "instruction": "and?", "output": "so"}"#;
        let expected = [[
            "<system>be brief\n<user>what?\n<assistant>",
            "[it is so\n]",
            "<user>and?\n<assistant>",
            "[so\n]",
        ]];
        assert_eq!(parts(PLAIN, long), expected);
        for (record, what) in [
            (r#"{"instruction": "what?"}"#, "has an `instruction` without an `output`"),
            (r#"{"instruction": "what?", "output": 3}"#, "or one of them is no text"),
            (r#"{"history": ["what?"], "instruction": "and?", "output": "so"}"#, "no list of pairs"),
            (r#"{"text": "what?"}"#, "has no list of messages"),
        ] {
            let error = Conversation::parse(record).err().unwrap().to_string();
            assert!(error.contains(what), "{record}: {error}");
        }
    }

    /// Some templates leave out of earlier answers what they write of the last one.
    #[test]
    fn answers_that_are_written_otherwise_later_are_examples_of_their_own() {
        let template = "{% for m in messages %}<{{ m.role }}>{% if m.why and loop.last %}({{ m.why }}){% endif %}{{ m.content }}\n\
                        {% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}";
        let record = r#"{"messages": [{"role": "user", "content": "what?"}, {"role": "assistant", "content": "it", "why": "so"},
            {"role": "user", "content": "and?"}, {"role": "assistant", "content": "is", "why": "it is"}]}"#;
        let expected = [
            vec!["<user>what?\n<assistant>it\n<user>and?\n<assistant>", "[(it is)is\n]"],
            vec!["<user>what?\n<assistant>", "[(so)it\n]"],
        ];
        assert_eq!(parts(template, record), expected);
    }

    /// Tokens are made once, whatever the number of answers, whose places are found in them.
    #[test]
    fn chats_of_many_turns_are_cut_at_their_answers() {
        let turns = 300;
        let turn =
            r#"{"role": "user", "content": "what is it?"}, {"role": "assistant", "content": "it is é so"}"#;
        let record = format!(r#"{{"messages": [{}]}}"#, vec![turn; turns].join(", "));
        let found = parts(PLAIN, &record);
        assert_eq!(found.len(), 1);
        let expected = ["<user>what is it?\n<assistant>", "[it is é so\n]"];
        assert_eq!(found[0], expected.repeat(turns));
        let tokenizer = train(&["what is it?".to_owned()], &TrainOptions::new(260)).unwrap();
        let whole = Encoded::of(&tokenizer, "is é so?").unwrap();
        assert_eq!(whole.ends.as_ref().and_then(|ends| ends.last()), Some(&"is é so?".len()));
        assert_eq!(whole.count("is é".len()).unwrap(), tokenizer.encode_chat("is é").unwrap().len());
    }

    #[test]
    fn what_is_no_chat_is_told() {
        for (record, what) in [
            ("7", "has no list of messages"),
            (r#"{"messages": []}"#, "has no messages"),
            (r#"{"messages": [{"content": "x"}]}"#, "without `role` or `from`"),
            (r#"{"messages": ["x"]}"#, "no object"),
            (r#"{"conversations": [{"from": "alien", "value": "x"}]}"#, "from `alien`"),
        ] {
            let error = Conversation::parse(record).err().unwrap();
            assert!(error.message().contains(what), "{record}: {error}");
        }
    }
}

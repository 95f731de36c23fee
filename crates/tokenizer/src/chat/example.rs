use jarrah_base::Result;

use super::{Record, Templates};
use crate::tokenizer::Tokenizer;

/// Tokens of a chat, and which of them are learned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChatExample {
    /// The ids of the tokens.
    pub ids: Vec<u32>,
    /// For each token, whether it belongs to an answer to be learned.
    pub learned: Vec<bool>,
}

impl Record {
    /// The tokens of the chat with its answers marked, as one example if the template writes the messages before an answer as it writes them at the time
    /// of the answer; an answer before which it writes them otherwise, such as without earlier reasoning, is an example of its own.
    ///
    /// ```
    /// use jarrah_tokenizer::chat::{Record, Templates};
    /// use jarrah_tokenizer::{TrainOptions, train};
    /// let template = "{% for m in messages %}<{{ m.role }}>{{ m.content }}\n{% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}";
    /// let templates = Templates::from_files(|name| (name == "chat_template.jinja").then_some(template.as_bytes()))?;
    /// let tokenizer = train(&["why? so. <user><assistant>\n".to_owned()], &TrainOptions::new(300))?;
    /// let examples = Record::parse(r#"{"prompt": "why?", "completion": "so."}"#)?.examples(&tokenizer, &templates)?;
    /// let [example] = &examples[..] else { panic!() };
    /// let learned = example.ids.iter().zip(&example.learned).filter(|(_, learned)| **learned);
    /// let ids: Vec<u32> = learned.map(|(id, _)| *id).collect();
    /// assert_eq!(tokenizer.decode(&ids, false)?, "so.\n");
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    ///
    /// # Errors
    /// The template refuses the messages (`Input`).
    pub fn examples(&self, tokenizer: &Tokenizer, templates: &Templates) -> Result<Vec<ChatExample>> {
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
            let learned = (0..own.ids.len()).map(|i| i >= start).collect();
            examples.push(ChatExample { ids: own.ids, learned });
        }
        if learned.contains(&true) {
            examples.insert(0, ChatExample { ids: whole.ids, learned });
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use crate::{TrainOptions, train};

    /// The texts of a record's examples that are learned, and those that are not.
    fn parts(template: &str, record: &str) -> Vec<Vec<String>> {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("chat_template.jinja"), template).unwrap();
        let templates = Templates::load(dir.path()).unwrap();
        let texts = ["what is it? it is so. and <user><assistant>\n"; 8].map(str::to_owned);
        let tokenizer = train(&texts, &TrainOptions::new(300)).unwrap();
        let examples = Record::parse(record).unwrap().examples(&tokenizer, &templates).unwrap();
        let shown = |ChatExample { ids, learned }: ChatExample| {
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
            Record::parse(r#"{"prompt": [{"role": "user", "content": "what?"}], "completion": "so"}"#);
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
            let error = Record::parse(record).err().unwrap().to_string();
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

    /// A server writes calls and parts so: a model is trained on the prompts that it is served with.
    #[test]
    fn calls_and_parts_of_records_are_written_as_servers_write_them() {
        let template = "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% for c in m.tool_calls %}\
                        {{ c.function.name }}{{ c.function.arguments | tojson }}{% endfor %}\n\
                        {% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}";
        let record = r#"{"messages": [
            {"role": "user", "content": [{"type": "text", "text": "what"}, {"type": "text", "text": "is it?"}]},
            {"role": "assistant", "content": "", "tool_calls": [
                {"type": "function", "function": {"name": "so", "arguments": "{\"it\": 1}"}}]}]}"#;
        let expected = [["<user>what\nis it?<assistant>", "[so{\"it\": 1}]"]];
        assert_eq!(parts(template, record), expected);
    }

    #[test]
    fn what_is_no_chat_is_told() {
        for (record, what) in [
            ("7", "has no list of messages"),
            (r#"{"messages": []}"#, "has no messages"),
            (r#"{"messages": [{"content": "x"}]}"#, "`messages[0]` has neither `role` nor `from`"),
            (r#"{"messages": ["x"]}"#, "`messages[0]` must be an object, but is a string"),
            (r#"{"messages": [{"role": 3}]}"#, "`messages[0].role` must be a string, but is an integer"),
            (
                r#"{"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": "x"}]}]}"#,
                "`messages[0].content[0].type` is `image_url`, but this model reads text alone",
            ),
            (r#"{"conversations": [{"from": "alien", "value": "x"}]}"#, "`conversations[0].from` is `alien`"),
        ] {
            let error = Record::parse(record).err().unwrap();
            assert!(error.message().contains(what), "{record}: {error}");
        }
    }
}

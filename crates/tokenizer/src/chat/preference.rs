use jarrah_base::{Error, Result};
use minijinja::Value;

use super::ValueKind;
use super::record::{Record, get, messages, role, said};
use super::value::read_python as json;

/// Two answers to one prompt, of which one is preferred.
///
/// ```
/// use jarrah_tokenizer::chat::PreferencePair;
/// let pair = PreferencePair::parse(r#"{"prompt": "Why?", "chosen": "So.", "rejected": "No."}"#)?;
/// assert_eq!((pair.chosen.prompt, pair.rejected.text(1)), (1, Some("No.".to_owned())));
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct PreferencePair {
    /// The prompt with the preferred answer, which alone is learned.
    pub chosen: Record,
    /// The prompt with the other answer.
    pub rejected: Record,
}

impl PreferencePair {
    /// Reads `chosen` and `rejected` (TRL): texts that answer `prompt`, a text or a list of messages, or lists of messages. Lists may begin with the messages
    /// of the prompt; without a `prompt`, it is the messages with which both begin.
    ///
    /// # Errors
    /// It is none of these, or one of the two has no answer behind the prompt (`Input`).
    pub fn parse(record: &str) -> Result<PreferencePair> {
        PreferencePair::read(record).map_err(|e| {
            let start: String = record.chars().take(60).collect();
            Error::input(format!("the record {start} .. {}", e.message()))
                .help(r#"write {"prompt": "..", "chosen": "..", "rejected": ".."}"#)
        })
    }

    fn read(record: &str) -> Result<PreferencePair> {
        let value = json(record.as_bytes()).map_err(|e| Error::input(format!("is not JSON: {e}")))?;
        let prompt = match get(&value, "prompt") {
            None => Vec::new(),
            Some(text) if text.kind() == ValueKind::String => vec![said("user", text)],
            Some(list) => messages(&list, "prompt")?,
        };
        let [chosen, rejected] =
            [answered(&value, "chosen", &prompt)?, answered(&value, "rejected", &prompt)?];
        let same = chosen.iter().zip(&rejected).take_while(|(a, b)| a == b).count();
        let asked = match prompt.len() {
            // An answer with which both begin is part of the prompt, but for the last message of either.
            0 => same.min(chosen.len().saturating_sub(1)).min(rejected.len().saturating_sub(1)),
            given => given,
        };
        let record = |name: &str, messages: Vec<Value>| {
            let record = Record::of(&value, messages, asked)?;
            let is_answered = record.answers().next().is_some();
            match is_answered {
                true => Ok(record),
                false => Err(Error::input(format!(
                    "has no answer in `{name}`, a message of the role assistant behind the prompt"
                ))),
            }
        };
        Ok(PreferencePair { chosen: record("chosen", chosen)?, rejected: record("rejected", rejected)? })
    }
}

/// The prompt with the answer, or the answers, of this name behind it.
fn answered(value: &Value, name: &str, prompt: &[Value]) -> Result<Vec<Value>> {
    let answer = get(value, name).ok_or_else(|| Error::input(format!("has no `{name}`")))?;
    let (mut all, own) = (
        prompt.to_vec(),
        match answer.kind() {
            ValueKind::String if prompt.is_empty() => {
                return Err(Error::input(format!("has a text `{name}` and no `prompt`")));
            }
            ValueKind::String => vec![said("assistant", answer)],
            _ => messages(&answer, name)?,
        },
    );
    let is_same = |(a, b): (&Value, &Value)| role(a) == role(b) && get(a, "content") == get(b, "content");
    let begins = own.len() > prompt.len() && prompt.iter().zip(&own).all(is_same);
    all.extend(own.into_iter().skip(if begins { prompt.len() } else { 0 }));
    Ok(all)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    /// Both chats as text, with a bar behind the prompt.
    fn shown(record: &str) -> [String; 2] {
        let PreferencePair { chosen, rejected } = PreferencePair::parse(record).unwrap();
        [chosen, rejected].map(|record| {
            let message = |i: usize| {
                let bar = if i == record.prompt { "| " } else { "" };
                format!("{bar}{}: {}", record.role(i), record.text(i).unwrap())
            };
            (0..record.messages.len()).map(message).collect::<Vec<_>>().join(", ")
        })
    }

    #[test]
    fn pairs_of_all_forms_are_two_chats_with_one_prompt() {
        let plain = ["user: why? | assistant: so", "user: why? | assistant: no"]
            .map(|text| text.replace(" |", ", |"));
        let ask = r#"{"role": "user", "content": "why?"}"#;
        let [so, no] = ["so", "no"].map(|text| format!(r#"{{"role": "assistant", "content": "{text}"}}"#));
        for record in [
            r#"{"prompt": "why?", "chosen": "so", "rejected": "no"}"#.to_owned(),
            format!(r#"{{"prompt": [{ask}], "chosen": "so", "rejected": "no"}}"#),
            format!(r#"{{"prompt": [{ask}], "chosen": [{so}], "rejected": [{no}]}}"#),
            // As UltraFeedback has them.
            format!(r#"{{"prompt": "why?", "chosen": [{ask}, {so}], "rejected": [{ask}, {no}]}}"#),
            format!(r#"{{"chosen": [{ask}, {so}], "rejected": [{ask}, {no}]}}"#),
        ] {
            assert_eq!(shown(&record), plain, "{record}");
        }
        let long = format!(
            r#"{{"system": "be brief", "chosen": [{ask}, {so}, {ask}, {so}], "rejected": [{ask}, {so}, {ask}, {so}]}}"#
        );
        let expected = "system: be brief, user: why?, assistant: so, user: why?, | assistant: so";
        assert_eq!(shown(&long), [expected, expected]);
    }

    #[test]
    fn records_that_are_no_pairs_are_told() {
        let ask = r#"{"role": "user", "content": "why?"}"#;
        for (record, words) in [
            ("7".to_owned(), "has no `chosen`"),
            (r#"{"prompt": "why?", "chosen": "so"}"#.to_owned(), "has no `rejected`"),
            (r#"{"chosen": "so", "rejected": "no"}"#.to_owned(), "has a text `chosen` and no `prompt`"),
            (
                format!(r#"{{"prompt": "why?", "chosen": "so", "rejected": [{ask}]}}"#),
                "has no answer in `rejected`",
            ),
            (
                r#"{"prompt": "why?", "chosen": [7], "rejected": "no"}"#.to_owned(),
                "`chosen[0]` must be an object",
            ),
        ] {
            let error = PreferencePair::parse(&record).unwrap_err();
            assert!(error.message().contains(words), "{record}: {error}");
        }
    }
}

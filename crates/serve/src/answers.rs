//! Scores of a model on questions with known answers.

use std::collections::VecDeque;
use std::fs;
use std::path::Path;

use jarrah_base::{Error, Result};
use jarrah_tokenizer::chat::{Record, Templates};

use crate::{Completion, Engine, EngineRequest, Finish, Params};

/// The mark before the final answer in a written-out solution, as in GSM8K.
const MARK: &str = "####";

/// A question, and its correct answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// The prompt that the model continues.
    pub prompt: String,
    /// Whether a chat template wrote the prompt, special tokens included: then the tokenizer adds none, such as a begin token.
    pub chat: bool,
    /// The correct answer.
    pub answer: String,
}

impl Question {
    /// Reads questions from a file: lines of JSON, each a prompt and its `answer`, or a chat in any form of
    /// [`Record`](jarrah_tokenizer::chat::Record), whose last answer is the correct one; a chat's messages may have the correct answer
    /// beside them, as `answer`. Without templates, the prompt is the question as it is written.
    ///
    /// # Errors
    /// The file cannot be read, or a line is no question (`Input`, naming the line).
    pub fn read(path: impl AsRef<Path>, templates: Option<&Templates>) -> Result<Vec<Question>> {
        let path = path.as_ref();
        let text = fs::read_to_string(path).map_err(|e| Error::io("read", path, &e))?;
        // Some editors begin a file with a byte order mark.
        let lines = text
            .trim_start_matches('\u{feff}')
            .lines()
            .enumerate()
            .filter(|(_, line)| !line.trim().is_empty());
        let read = |(i, line)| {
            Question::parse(line, templates)
                .map_err(|e| e.context(format!("in {}:{}", path.display(), i + 1)))
        };
        let questions: Vec<Question> = lines.map(read).collect::<Result<_>>()?;
        match questions.is_empty() {
            true => Err(Error::input(format!("{} has no questions", path.display()))),
            false => Ok(questions),
        }
    }

    fn parse(line: &str, templates: Option<&Templates>) -> Result<Question> {
        let record = Record::parse(line)?;
        let last = record.answers().last().filter(|_| record.answer.is_none());
        let answer = record.answer.clone().or_else(|| record.text(last?));
        let answer = answer.ok_or_else(|| {
            Error::input("the line has no `answer`").help(r#"write {"prompt": "2 + 2 =", "answer": "4"}"#)
        })?;
        let count = last.unwrap_or(record.messages.len());
        match templates {
            Some(templates) => {
                Ok(Question { prompt: record.written(templates, count, true)?, chat: true, answer })
            }
            None if count == 1 && record.answer.is_none() => {
                Ok(Question { prompt: record.text(0).unwrap_or_default(), chat: false, answer })
            }
            None => Err(Error::input("the line is a chat, and the model has no template for chats")),
        }
    }

    /// Whether `text` is the correct answer: of both, the part behind the last `####` counts, without white space around it.
    ///
    /// ```
    /// use jarrah_serve::Question;
    /// let question = Question { prompt: "2 + 2".into(), chat: false, answer: "Two and two. #### 4".into() };
    /// assert!(question.is_answered(" 4\n") && question.is_answered("So #### 4") && !question.is_answered("14"));
    /// ```
    pub fn is_answered(&self, text: &str) -> bool {
        let last = |text: &str| text.rsplit(MARK).next().unwrap_or_default().trim().to_owned();
        last(text) == last(&self.answer)
    }
}

impl Engine {
    /// The share of questions that the model answers exactly, by greedy decoding.
    ///
    /// # Errors
    /// A question cannot be encoded or is too long (`Input`), or the device failed.
    pub fn exact_answers(&self, questions: &[Question], max_tokens: usize) -> Result<f64> {
        let right = self.exact_answers_while(questions, max_tokens, &mut |_| true)?;
        right.ok_or_else(|| Error::internal("nothing ended the answers"))
    }

    /// As [`exact_answers`](Self::exact_answers); nothing if `goes_on` returned false, which is called with the number of whole
    /// answers whenever tokens come.
    ///
    /// # Errors
    /// As [`exact_answers`](Self::exact_answers).
    pub fn exact_answers_while(
        &self,
        questions: &[Question],
        max_tokens: usize,
        goes_on: &mut dyn FnMut(usize) -> bool,
    ) -> Result<Option<f64>> {
        let request = |question: &Question| {
            let (prompt, room) = self.fitted(self.prompt(&question.prompt, question.chat)?, max_tokens);
            let params = Params { max_tokens: Some(room), ..Params::greedy() };
            Ok(EngineRequest { prompt, params, ..EngineRequest::default() })
        };
        let requests: Vec<EngineRequest> = questions.iter().map(request).collect::<Result<_>>()?;
        let (mut requests, mut open) = (requests.into_iter(), VecDeque::new());
        let (mut right, mut done) = (0, 0);
        for question in questions {
            while open.len() < self.options().waiting.max(1)
                && let Some(request) = requests.next()
            {
                open.push_back(self.add(request)?);
            }
            let Some(stream) = open.pop_front() else { break };
            let mut answer = Completion::default();
            for delta in stream {
                answer.push(delta);
                if let Finish::Failed(error) = &answer.finish {
                    return Err(error.clone());
                }
                if !goes_on(done) {
                    return Ok(None);
                }
            }
            done += 1;
            right += usize::from(question.is_answered(&answer.text));
        }
        Ok(Some(right as f64 / questions.len().max(1) as f64))
    }
}

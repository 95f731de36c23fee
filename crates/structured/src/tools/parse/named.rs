use super::json::{Read, Scanner, escaped};
use super::marked::{Inside, Step};
use super::objects::Objects;
use super::{Out, Watch};

/// The longest name of a tool, with the id that some formats have behind it.
const LONGEST_NAME: usize = 300;

/// A format in which marks surround the name of a tool and its arguments.
pub(super) struct Form {
    /// The mark that begins the section of all calls, if there is one, and last the mark that begins a call.
    pub marks: &'static [&'static str],
    /// The text before the name.
    before: &'static str,
    /// The text that may stand between the name and its id, and the texts before the arguments.
    id: &'static str,
    arguments: &'static [&'static str],
    /// The marks that end a call and the section; empty if there is no such mark.
    end: &'static str,
    section_end: &'static str,
    /// Whether names are `functions.NAME:NUMBER`, and are the ids.
    numbered: bool,
}

/// `<｜tool▁call▁begin｜>function<｜tool▁sep｜>NAME`, and the arguments as a block of code.
pub(super) const DEEPSEEK_V3: Form = Form {
    marks: &["<｜tool▁calls▁begin｜>", "<｜tool▁call▁begin｜>"],
    before: "function<｜tool▁sep｜>",
    id: "",
    arguments: &["\n```json\n"],
    end: "```<｜tool▁call▁end｜>",
    section_end: "<｜tool▁calls▁end｜>",
    numbered: false,
};

/// `<｜tool▁call▁begin｜>NAME<｜tool▁sep｜>{..}<｜tool▁call▁end｜>`.
pub(super) const DEEPSEEK_V31: Form = Form {
    marks: &["<｜tool▁calls▁begin｜>", "<｜tool▁call▁begin｜>"],
    before: "",
    id: "",
    arguments: &["<｜tool▁sep｜>"],
    end: "<｜tool▁call▁end｜>",
    section_end: "<｜tool▁calls▁end｜>",
    numbered: false,
};

/// `<|tool_call_begin|>functions.NAME:0<|tool_call_argument_begin|>{..}<|tool_call_end|>`.
pub(super) const KIMI_K2: Form = Form {
    marks: &["<|tool_calls_section_begin|>", "<|tool_call_begin|>"],
    before: "",
    id: "",
    arguments: &["<|tool_call_argument_begin|>"],
    end: "<|tool_call_end|>",
    section_end: "<|tool_calls_section_end|>",
    numbered: true,
};

/// `[TOOL_CALLS]NAME[CALL_ID]ID[ARGS]{..}`, of which the id and `[ARGS]` may be missing.
const MISTRAL: Form = Form {
    marks: &["[TOOL_CALLS]"],
    before: "",
    id: "[CALL_ID]",
    arguments: &["[ARGS]", "{"],
    end: "",
    section_end: "",
    numbered: false,
};

/// Calls of a form, from a mark on.
pub(super) struct Named {
    form: &'static Form,
    raw: String,
    place: Place,
}

enum Place {
    /// The mark that begins a call must come.
    Section,
    /// The name: the text of the name and of the marks around it so far.
    Name(String),
    Arguments {
        scanner: Scanner,
        name: String,
        id: Option<String>,
        begun: bool,
    },
    /// The arguments are no JSON: they go on to the mark at the end.
    Broken(Watch),
    /// A call is over.
    After,
}

impl Named {
    /// A parser of the text behind mark number `mark`.
    pub fn new(form: &'static Form, mark: usize) -> Named {
        let section = mark + 1 < form.marks.len();
        let place = if section { Place::Section } else { Place::Name(String::new()) };
        Named { form, raw: form.marks[mark].to_owned(), place }
    }

    fn call_mark(&self) -> &'static str {
        self.form.marks.last().expect("invariant: a form has a mark")
    }

    fn content(&mut self) -> Step {
        Step::Content(std::mem::take(&mut self.raw))
    }

    /// The name and the id in `text`, which ends before the arguments; none if it is no name.
    fn parts(&self, text: &str) -> Option<(String, Option<String>)> {
        let text = text.strip_prefix(self.form.before)?.trim();
        let (name, id) = match text.split_once(self.form.id).filter(|_| !self.form.id.is_empty()) {
            Some((name, id)) => (name.trim(), Some(id.trim().to_owned())),
            None => (text, None),
        };
        let (name, id) = match self.form.numbered {
            false => (name, id),
            true => {
                let own = name.strip_prefix("functions.").unwrap_or(name);
                (own.rsplit_once(':').map_or(own, |(own, _)| own), Some(name.to_owned()))
            }
        };
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ':');
        (!name.is_empty() && name.chars().all(is_name)).then(|| (name.to_owned(), id))
    }
}

impl Inside for Named {
    fn push(&mut self, c: char, out: &mut Out) -> Step {
        let call_mark = self.call_mark();
        match &mut self.place {
            Place::Section => {
                self.raw.push(c);
                let begun = self.raw[self.form.marks[0].len()..].trim_start();
                if begun == call_mark {
                    self.place = Place::Name(String::new());
                } else if !call_mark.starts_with(begun) {
                    return self.content();
                }
            }
            Place::Name(text) => {
                self.raw.push(c);
                text.push(c);
                let begins = |mark: &&&str| text.ends_with(**mark);
                if let Some(mark) = self.form.arguments.iter().find(begins) {
                    let own = text[..text.len() - mark.len()].to_owned();
                    let Some((name, id)) = self.parts(&own) else { return self.content() };
                    self.place = Place::Arguments { scanner: Scanner::new(), name, id, begun: false };
                    if c == '{' {
                        self.raw.pop();
                        return self.push(c, out);
                    }
                } else if text.len() > LONGEST_NAME {
                    return self.content();
                }
            }
            Place::Arguments { scanner, name, id, begun } => {
                if !*begun {
                    self.raw.push(c);
                    if c.is_whitespace() {
                        return Step::More;
                    }
                    if c != '{' {
                        return self.content();
                    }
                    out.call(name, id.take());
                    *begun = true;
                    self.raw.clear();
                }
                match scanner.push(c) {
                    Read::Control => out.arguments(&escaped(c)),
                    Read::Wrong | Read::Behind => {
                        out.arguments(c.encode_utf8(&mut [0; 4]));
                        // The mark of the next call ends this call, if the form has no mark for the end of calls.
                        let end = if self.form.end.is_empty() { call_mark } else { self.form.end };
                        self.place = Place::Broken(Watch::new(&[end]));
                    }
                    read => {
                        out.arguments(c.encode_utf8(&mut [0; 4]));
                        if read == Read::Last {
                            self.place = Place::After;
                        }
                    }
                }
            }
            Place::Broken(watch) => {
                let (text, mark) = watch.push(c);
                out.arguments(&text);
                if mark.is_some() && self.form.end.is_empty() {
                    self.raw = call_mark.to_owned();
                    self.place = Place::Name(String::new());
                } else if mark.is_some() {
                    self.place = Place::After;
                }
            }
            Place::After => {
                self.raw.push(c);
                let begun = self.raw.trim_start();
                let marks = [self.form.end, self.form.section_end, call_mark];
                let may = |mark: &&str| !mark.is_empty() && mark.starts_with(begun);
                if begun == call_mark {
                    self.raw = call_mark.to_owned();
                    self.place = Place::Name(String::new());
                } else if begun == self.form.end {
                    self.raw.clear();
                } else if begun == self.form.section_end && !begun.is_empty() {
                    return Step::Done(String::new());
                } else if !begun.is_empty() && !marks.iter().any(may) {
                    return Step::Done(std::mem::take(&mut self.raw));
                }
            }
        }
        Step::More
    }

    fn finish(&mut self, out: &mut Out) -> String {
        match &mut self.place {
            Place::Broken(watch) => {
                let text = watch.finish();
                out.arguments(&text);
                String::new()
            }
            Place::Arguments { name, id, begun, .. } => {
                if !*begun {
                    out.call(name, id.take());
                }
                String::new()
            }
            // The beginning of a mark.
            Place::After => String::new(),
            Place::Section | Place::Name(_) => std::mem::take(&mut self.raw),
        }
    }
}

/// Mistral's calls: a list of objects, or a name and its arguments.
pub(super) struct Mistral {
    raw: String,
    inner: Option<Box<dyn Inside>>,
}

impl Mistral {
    pub fn new() -> Mistral {
        Mistral { raw: MISTRAL.marks[0].to_owned(), inner: None }
    }
}

impl Inside for Mistral {
    fn push(&mut self, c: char, out: &mut Out) -> Step {
        if let Some(inner) = &mut self.inner {
            return inner.push(c, out);
        }
        if c.is_whitespace() {
            self.raw.push(c);
            return Step::More;
        }
        let inner: Box<dyn Inside> = match c {
            '[' | '{' => Box::new(Objects::new(&self.raw, "", "")),
            _ => Box::new(Named { form: &MISTRAL, raw: self.raw.clone(), place: Place::Name(String::new()) }),
        };
        self.inner.insert(inner).push(c, out)
    }

    fn finish(&mut self, out: &mut Out) -> String {
        match &mut self.inner {
            Some(inner) => inner.finish(out),
            None => std::mem::take(&mut self.raw),
        }
    }
}

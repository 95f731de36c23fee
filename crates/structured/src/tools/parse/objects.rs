use super::Out;
use super::json::{Read, Scanner, escaped};
use super::marked::{Inside, Step};

/// One or more objects with a `name` and `arguments` or `parameters`, alone, in a list or with a mark between.
pub(super) struct Objects {
    end: &'static str,
    between: &'static str,
    // Without a mark, an object with a name alone may be anything.
    bare: bool,
    // The text since the mark or the last call, which is content if no call comes.
    raw: String,
    in_list: bool,
    place: Place,
}

enum Place {
    /// An object or a list must come.
    Before,
    Object(Object),
    /// The arguments of a call are no JSON: they go on to the mark at the end.
    Broken(super::Watch),
    /// A call is over.
    After,
    /// All of them are over; the mark at the end may come.
    End,
}

impl Objects {
    /// A parser of the text behind the mark `begin` up to the mark `end`, unless it is empty, with `between` between objects,
    /// unless that is empty.
    pub fn new(begin: &str, end: &'static str, between: &'static str) -> Objects {
        Objects {
            end,
            between,
            bare: begin.is_empty(),
            raw: begin.to_owned(),
            in_list: false,
            place: Place::Before,
        }
    }

    fn content(&mut self) -> Step {
        Step::Content(std::mem::take(&mut self.raw))
    }
}

impl Inside for Objects {
    fn push(&mut self, c: char, out: &mut Out) -> Step {
        let mut buffer = [0; 4];
        match &mut self.place {
            Place::Before => {
                self.raw.push(c);
                match c {
                    '{' => {
                        let mut object = Object::new(self.bare);
                        object.push(c, out);
                        self.place = Place::Object(object);
                    }
                    '[' if !self.in_list => self.in_list = true,
                    c if c.is_whitespace() => {}
                    _ => return self.content(),
                }
            }
            Place::Object(object) => {
                if !object.begun {
                    self.raw.push(c);
                }
                match object.push(c, out) {
                    Found::More => {}
                    Found::Call => {
                        self.raw.clear();
                        self.place = Place::After;
                    }
                    Found::Nothing if object.begun && !object.over => {
                        out.arguments(c.encode_utf8(&mut buffer));
                        self.place = Place::Broken(super::Watch::new(match self.end {
                            "" => &[],
                            _ => std::slice::from_ref(&self.end),
                        }));
                    }
                    // The call is complete; text behind its arguments is content.
                    Found::Nothing if object.begun => return Step::Content(c.into()),
                    Found::Nothing => return self.content(),
                }
            }
            Place::Broken(watch) => {
                let (text, mark) = watch.push(c);
                out.arguments(&text);
                if mark.is_some() {
                    return Step::Done(String::new());
                }
            }
            Place::After | Place::End => {
                self.raw.push(c);
                let begun = self.raw.trim_start();
                let ended = matches!(self.place, Place::End);
                if begun.is_empty() {
                } else if self.in_list && !ended && begun == "," {
                    self.place = Place::Before;
                } else if self.in_list && !ended && begun == "]" {
                    self.raw.clear();
                    self.place = Place::End;
                } else if !self.in_list && !self.between.is_empty() && begun == self.between {
                    self.place = Place::Before;
                } else if !self.end.is_empty() && begun == self.end {
                    return Step::Done(String::new());
                } else if self.end.is_empty() || !self.end.starts_with(begun) {
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
            Place::Object(object) if object.begun => String::new(),
            Place::Object(object) if object.is_named() => {
                object.cut(out);
                String::new()
            }
            // The beginning of the mark at the end.
            Place::After | Place::End => String::new(),
            _ => std::mem::take(&mut self.raw),
        }
    }
}

/// The outcome of a character of an object.
enum Found {
    More,
    /// It ended, and is a call.
    Call,
    /// It is no call.
    Nothing,
}

/// Reads an object with a name and arguments.
struct Object {
    scanner: Scanner,
    part: Part,
    // Whether an object without arguments is no call.
    strict: bool,
    key: String,
    name: Option<String>,
    id: Option<String>,
    // Arguments that came before the name.
    early: Option<String>,
    /// The call has begun.
    begun: bool,
    /// Its arguments are whole.
    over: bool,
}

enum Part {
    /// Between entries.
    Key,
    /// The text of a key or behind it.
    InKey,
    /// A value, or before one.
    Value { scanner: Scanner, text: String, arguments: bool },
}

impl Object {
    fn new(strict: bool) -> Object {
        Object {
            scanner: Scanner::new(),
            part: Part::Key,
            strict,
            key: String::new(),
            name: None,
            id: None,
            early: None,
            begun: false,
            over: false,
        }
    }

    fn push(&mut self, c: char, out: &mut Out) -> Found {
        let read = self.scanner.push(c);
        if matches!(read, Read::Wrong | Read::Behind) {
            return Found::Nothing;
        }
        match &mut self.part {
            Part::Key => {
                if c == '"' {
                    self.key = String::from("\"");
                    self.part = Part::InKey;
                }
            }
            Part::InKey => match c {
                // The colon behind a key, for within one it would not have closed.
                ':' if is_text(&self.key) => {
                    let arguments = matches!(self.key.trim_end(), "\"arguments\"" | "\"parameters\"");
                    self.part = Part::Value { scanner: Scanner::new(), text: String::new(), arguments };
                }
                c => self.key.push(c),
            },
            Part::Value { scanner, text, arguments } => {
                let piece = if read == Read::Control { escaped(c) } else { c.into() };
                let value = scanner.push(c);
                if value == Read::Behind {
                    // A number ended: the character is one of the object.
                    return self.value_ended(out, true, c);
                }
                let before = text.is_empty();
                if before && c.is_whitespace() {
                    return Found::More;
                }
                if *arguments && before && !matches!(c, '{' | '"' | 'n') {
                    return Found::Nothing;
                }
                let streams = *arguments && self.name.is_some() && (before || self.begun) && !self.over;
                if streams && before && c == '{' {
                    self.begun = true;
                    out.call(self.name.as_deref().unwrap_or_default(), self.id.take());
                }
                match self.begun && *arguments && !self.over {
                    true => {
                        out.arguments(&piece);
                        text.clear();
                        text.push('{');
                    }
                    false => text.push_str(&piece),
                }
                if value == Read::Last {
                    return self.value_ended(out, false, c);
                }
            }
        }
        if read == Read::Last { self.ended(out) } else { Found::More }
    }

    /// A value of the object ended; `c` is behind it if it was a number.
    fn value_ended(&mut self, out: &mut Out, behind: bool, c: char) -> Found {
        let Part::Value { text, arguments, .. } = std::mem::replace(&mut self.part, Part::Key) else {
            return Found::Nothing;
        };
        let decoded = || serde_json::from_str::<String>(&text).ok();
        match self.key.trim_end() {
            "\"name\"" if self.name.is_none() => match decoded().filter(|name| !name.trim().is_empty()) {
                Some(name) => {
                    self.name = Some(name);
                    if let Some(early) = self.early.take() {
                        self.give(&early, out);
                    }
                }
                None => return Found::Nothing,
            },
            "\"id\"" if !self.begun => self.id = decoded(),
            _ if arguments && self.begun => self.over = true,
            _ if arguments => {
                // Arguments in a text are JSON within it, and none are an empty object.
                let whole = match text.as_str() {
                    "null" => "{}".to_owned(),
                    text if text.starts_with('"') => match decoded() {
                        Some(inner) if inner.trim_start().starts_with('{') => inner,
                        _ => return Found::Nothing,
                    },
                    _ => text.clone(),
                };
                match self.name.is_some() {
                    true => self.give(&whole, out),
                    false => self.early = Some(whole),
                }
            }
            _ => {}
        }
        match behind && c == '}' {
            true => self.ended(out),
            false => Found::More,
        }
    }

    /// The call, with its arguments as a whole.
    fn give(&mut self, arguments: &str, out: &mut Out) {
        out.call(self.name.as_deref().unwrap_or_default(), self.id.take());
        out.arguments(arguments);
        (self.begun, self.over) = (true, true);
    }

    /// Whether it is a call for certain, of which the arguments may be missing.
    fn is_named(&self) -> bool {
        self.name.is_some() && !self.strict
    }

    /// The call with as much of its arguments as came.
    fn cut(&mut self, out: &mut Out) {
        let arguments = self.early.take().unwrap_or_default();
        self.give(&arguments, out);
    }

    /// The object ended.
    fn ended(&mut self, out: &mut Out) -> Found {
        match (&self.name, self.begun) {
            (None, _) => return Found::Nothing,
            (Some(_), false) if self.strict => return Found::Nothing,
            (Some(_), false) => self.give("{}", out),
            _ => {}
        }
        Found::Call
    }
}

/// Whether a key as it is written is whole.
fn is_text(key: &str) -> bool {
    serde_json::from_str::<String>(key.trim_end()).is_ok()
}

use super::{Out, Parse, Watch};

const MARKS: [&str; 7] =
    ["<|start|>", "<|channel|>", "<|message|>", "<|end|>", "<|call|>", "<|return|>", "<|constrain|>"];
const START: usize = 0;
const CHANNEL: usize = 1;
const MESSAGE: usize = 2;
const CONSTRAIN: usize = 6;

/// Messages of gpt-oss: a header with a channel and perhaps a recipient, and a body. The output begins within a header.
pub(super) struct Harmony {
    watch: Watch,
    place: Place,
}

enum Place {
    /// Outside of messages.
    Between,
    /// A header: its text as it stands, the words of its channel, and whether these are being read.
    Header {
        raw: String,
        channel: String,
        in_channel: bool,
    },
    Body(Body),
}

#[derive(Clone, Copy)]
enum Body {
    Reasoning,
    Content,
    // Whether some arguments have come.
    Call(bool),
}

impl Harmony {
    pub fn new() -> Harmony {
        Harmony { watch: Watch::new(&MARKS), place: Place::Between }
    }

    fn text(&mut self, text: &str, out: &mut Out) {
        match &mut self.place {
            Place::Between => out.content(text),
            Place::Header { raw, channel, in_channel } => {
                raw.push_str(text);
                if *in_channel {
                    channel.push_str(text);
                }
            }
            Place::Body(Body::Reasoning) => text.chars().for_each(|c| out.reasoning(c)),
            Place::Body(Body::Content) => out.content(text),
            Place::Body(Body::Call(some)) => {
                *some |= !text.trim().is_empty();
                out.arguments(text);
            }
        }
    }

    /// A message, or a header without one, is over.
    fn end(&mut self, out: &mut Out) {
        match std::mem::replace(&mut self.place, Place::Between) {
            Place::Body(Body::Call(false)) => out.arguments("{}"),
            Place::Header { raw, .. } => out.content(&raw),
            _ => {}
        }
    }
}

/// The kind of a message's body, by its header; the header of a call begins the call in `out`.
fn body(raw: &str, channel: &str, out: &mut Out) -> Body {
    let recipient = raw.split("to=").nth(1).map(|rest| {
        let end = rest.find(|c: char| c.is_whitespace() || c == '<').unwrap_or(rest.len());
        &rest[..end]
    });
    match recipient.filter(|recipient| !recipient.is_empty()) {
        Some(recipient) => {
            out.call(recipient.strip_prefix("functions.").unwrap_or(recipient), None);
            Body::Call(false)
        }
        None if channel.split_whitespace().next() == Some("analysis") => Body::Reasoning,
        None => Body::Content,
    }
}

impl Parse for Harmony {
    fn push(&mut self, c: char, out: &mut Out) {
        let (text, mark) = self.watch.push(c);
        self.text(&text, out);
        let Some(mark) = mark else { return };
        let name = MARKS[mark];
        match (&mut self.place, mark) {
            (Place::Header { raw, channel, .. }, MESSAGE) => {
                self.place = Place::Body(body(raw, channel, out));
            }
            (Place::Header { raw, in_channel, .. }, CHANNEL | CONSTRAIN) => {
                raw.push_str(name);
                *in_channel = mark == CHANNEL;
            }
            (_, MESSAGE) => {
                self.end(out);
                self.place = Place::Body(Body::Content);
            }
            (_, START | CHANNEL | CONSTRAIN) => {
                self.end(out);
                let in_channel = mark == CHANNEL;
                self.place = Place::Header { raw: name.to_owned(), channel: String::new(), in_channel };
            }
            _ => self.end(out),
        }
    }

    fn finish(&mut self, out: &mut Out) {
        let held = self.watch.finish();
        self.text(&held, out);
        // A call that was cut off before its arguments has none.
        if let Place::Header { .. } = self.place {
            self.end(out);
        }
    }
}

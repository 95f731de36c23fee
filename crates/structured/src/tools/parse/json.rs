/// Reads a JSON value, character by character.
#[derive(Clone)]
pub(super) struct Scanner {
    // The brackets that are open.
    open: Vec<char>,
    state: State,
}

#[derive(Clone, Copy)]
enum State {
    // A value must come, or the end of an array that has none.
    Value { or_end: bool },
    // A key must come, or the end of an object that has none.
    Key { or_end: bool },
    Colon,
    Comma,
    Text { key: bool },
    Escape { key: bool },
    Code { key: bool, left: u8 },
    Word(&'static str),
    Number(Number),
    Done,
}

#[derive(Clone, Copy, PartialEq)]
enum Number {
    Minus,
    Zero,
    Digits,
    Point,
    Fraction,
    Exponent,
    Sign,
    Power,
}

/// The effect of a character on the value that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Read {
    /// The character is part of the value, which goes on.
    More,
    /// A control character within a text, which JSON writes as an escape.
    Control,
    /// The character is the last of the value.
    Last,
    /// The character is behind the value: a number ended before it.
    Behind,
    /// The text is not JSON.
    Wrong,
}

impl Scanner {
    /// A scanner in front of a value.
    pub fn new() -> Scanner {
        Scanner { open: Vec::new(), state: State::Value { or_end: false } }
    }

    pub fn push(&mut self, c: char) -> Read {
        let space = matches!(c, ' ' | '\t' | '\n' | '\r');
        match self.state {
            State::Done => Read::Behind,
            State::Value { .. } | State::Key { .. } | State::Colon | State::Comma if space => Read::More,
            State::Value { or_end: true } if c == ']' => self.close(c),
            State::Value { .. } => {
                self.state = match c {
                    '{' => State::Key { or_end: true },
                    '[' => State::Value { or_end: true },
                    '"' => State::Text { key: false },
                    't' => State::Word("rue"),
                    'f' => State::Word("alse"),
                    'n' => State::Word("ull"),
                    // Python's `json` writes and reads these numbers.
                    'N' => State::Word("aN"),
                    'I' => State::Word("nfinity"),
                    '-' => State::Number(Number::Minus),
                    '0' => State::Number(Number::Zero),
                    '1'..='9' => State::Number(Number::Digits),
                    _ => return Read::Wrong,
                };
                if matches!(c, '{' | '[') {
                    self.open.push(c);
                }
                Read::More
            }
            State::Key { or_end: true } if c == '}' => self.close(c),
            State::Key { .. } if c == '"' => self.go(State::Text { key: true }),
            State::Colon if c == ':' => self.go(State::Value { or_end: false }),
            State::Comma => match (c, self.open.last()) {
                (',', Some('{')) => self.go(State::Key { or_end: false }),
                (',', _) => self.go(State::Value { or_end: false }),
                ('}', Some('{')) | (']', Some('[')) => self.close(c),
                _ => Read::Wrong,
            },
            State::Text { key } => match c {
                '"' if key => self.go(State::Colon),
                '"' => self.ended(),
                '\\' => self.go(State::Escape { key }),
                c if (c as u32) < 0x20 => Read::Control,
                _ => Read::More,
            },
            State::Escape { key } => match c {
                'u' => self.go(State::Code { key, left: 4 }),
                '"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't' => self.go(State::Text { key }),
                _ => Read::Wrong,
            },
            State::Code { key, left } if c.is_ascii_hexdigit() => match left {
                1 => self.go(State::Text { key }),
                _ => self.go(State::Code { key, left: left - 1 }),
            },
            State::Word(rest) if rest.starts_with(c) => match &rest[1..] {
                "" => self.ended(),
                rest => self.go(State::Word(rest)),
            },
            State::Number(Number::Minus) if c == 'I' => self.go(State::Word("nfinity")),
            State::Number(number) => self.number(number, c),
            State::Key { .. } | State::Colon | State::Code { .. } | State::Word(_) => Read::Wrong,
        }
    }

    fn go(&mut self, state: State) -> Read {
        self.state = state;
        Read::More
    }

    fn close(&mut self, _: char) -> Read {
        self.open.pop();
        self.ended()
    }

    /// A value ended.
    fn ended(&mut self) -> Read {
        match self.open.is_empty() {
            true => {
                self.state = State::Done;
                Read::Last
            }
            false => self.go(State::Comma),
        }
    }

    fn number(&mut self, number: Number, c: char) -> Read {
        use Number::{Digits, Exponent, Fraction, Minus, Point, Power, Sign, Zero};
        let next = match (number, c) {
            (Minus, '0') => Zero,
            (Minus, '1'..='9') | (Digits, '0'..='9') => Digits,
            (Zero | Digits, '.') => Point,
            (Point | Fraction, '0'..='9') => Fraction,
            (Zero | Digits | Fraction, 'e' | 'E') => Exponent,
            (Exponent, '+' | '-') => Sign,
            (Exponent | Sign | Power, '0'..='9') => Power,
            (Zero | Digits | Fraction | Power, _) => {
                // The character is read again behind the number.
                return match self.ended() {
                    Read::Last => Read::Behind,
                    _ => self.push(c),
                };
            }
            _ => return Read::Wrong,
        };
        self.go(State::Number(next))
    }
}

/// A control character as JSON writes it within a text.
pub(super) fn escaped(c: char) -> String {
    match c {
        '\n' => "\\n".to_owned(),
        '\r' => "\\r".to_owned(),
        '\t' => "\\t".to_owned(),
        c if (c as u32) < 0x20 => format!("\\u{:04x}", c as u32),
        '"' => "\\\"".to_owned(),
        '\\' => "\\\\".to_owned(),
        c => c.into(),
    }
}

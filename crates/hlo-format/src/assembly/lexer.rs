use crate::ir::strings;

/// A word of the text.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Token<'t> {
    /// `stablehlo.add`, `tensor`, `dims`.
    Word(&'t str),
    /// `%0`, `%arg0`, `%1#2`: the name and which of the results it stands for.
    Value(&'t str, u32),
    /// `@main`, `@"a name"`.
    Symbol(&'t str),
    /// `^bb0`.
    Label(&'t str),
    /// `#loc3`, `#stablehlo.gather`.
    Hash(&'t str),
    /// `!jarrah.ref`.
    Bang(&'t str),
    /// `12`, `-1.5e+00`, `0xFF800000`.
    Number(&'t str),
    /// The text between quotes, with its escapes as written.
    Text(&'t str),
    /// `->`.
    Arrow,
    /// Any other character.
    Sign(char),
    /// The end of the text.
    End,
}

impl std::fmt::Display for Token<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Token::Word(s) | Token::Number(s) => write!(f, "`{s}`"),
            Token::Value(s, 0) => write!(f, "`%{s}`"),
            Token::Value(s, n) => write!(f, "`%{s}#{n}`"),
            Token::Symbol(s) => write!(f, "`@{s}`"),
            Token::Label(s) => write!(f, "`^{s}`"),
            Token::Hash(s) => write!(f, "`#{s}`"),
            Token::Bang(s) => write!(f, "`!{s}`"),
            Token::Text(s) => write!(f, "the string {s:?}"),
            Token::Arrow => f.write_str("`->`"),
            Token::Sign(c) => write!(f, "`{c}`"),
            Token::End => f.write_str("the end of the text"),
        }
    }
}

/// Where a text has no token, and why.
pub(crate) type NoToken = (usize, &'static str);

/// Cuts a text into tokens.
#[derive(Clone, Copy)]
pub(crate) struct Lexer<'t> {
    body: &'t str,
    /// The offset of what has not been read.
    pub at: usize,
}

fn is_word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'.')
}

impl<'t> Lexer<'t> {
    pub fn new(body: &'t str, at: usize) -> Self {
        Lexer { body, at }
    }

    fn bytes(&self) -> &'t [u8] {
        self.body.as_bytes()
    }

    /// The byte `ahead` positions from here; 0 past the end.
    pub fn byte(&self, ahead: usize) -> u8 {
        self.bytes().get(self.at + ahead).copied().unwrap_or(0)
    }

    /// Moves past spaces and comments.
    pub fn skip_space(&mut self) {
        loop {
            match self.byte(0) {
                b' ' | b'\t' | b'\r' | b'\n' => self.at += 1,
                b'/' if self.byte(1) == b'/' => self.take(|b| b != b'\n'),
                _ => return,
            }
        }
    }

    fn take(&mut self, mut while_: impl FnMut(u8) -> bool) {
        while self.at < self.bytes().len() && while_(self.bytes()[self.at]) {
            self.at += 1;
        }
    }

    /// The longest word from here, which may be empty.
    pub fn word(&mut self) -> &'t str {
        let start = self.at;
        self.take(is_word);
        &self.body[start..self.at]
    }

    /// A run of decimal digits.
    pub fn digits(&mut self) -> &'t str {
        let start = self.at;
        self.take(|b| b.is_ascii_digit());
        &self.body[start..self.at]
    }

    fn quoted(&mut self) -> Result<&'t str, NoToken> {
        let start = self.at;
        self.at += 1;
        loop {
            self.take(|b| b != b'"' && b != b'\\');
            match self.byte(0) {
                b'"' => break,
                b'\\' if self.at + 1 < self.bytes().len() => self.at += 2,
                _ => return Err((start, "the string has no end")),
            }
        }
        // After an escape the position may lie inside a character, but a quote never does.
        let inside = &self.body[start + 1..self.at];
        self.at += 1;
        Ok(inside)
    }

    fn number(&mut self) -> &'t str {
        let start = self.at;
        if self.byte(0) == b'-' {
            self.at += 1;
        }
        if self.byte(0) == b'0' && self.byte(1) == b'x' && self.byte(2).is_ascii_hexdigit() {
            self.at += 2;
            self.take(|b| b.is_ascii_hexdigit());
            return &self.body[start..self.at];
        }
        self.digits();
        if self.byte(0) == b'.' {
            self.at += 1;
            self.digits();
            let sign = usize::from(matches!(self.byte(1), b'+' | b'-'));
            if matches!(self.byte(0), b'e' | b'E') && self.byte(1 + sign).is_ascii_digit() {
                self.at += 1 + sign;
                self.digits();
            }
        }
        &self.body[start..self.at]
    }

    /// The next token and where it starts.
    pub fn next(&mut self) -> Result<(Token<'t>, usize), NoToken> {
        self.skip_space();
        let start = self.at;
        let first = self.byte(0);
        let token = match first {
            _ if self.at >= self.bytes().len() => Token::End,
            b'%' => {
                self.at += 1;
                let name = self.at;
                self.take(|b| is_word(b) || b == b'-');
                // `-` may be part of a name, but not of the arrow that follows one.
                while self.byte(0) == b'>' && self.bytes()[self.at - 1] == b'-' {
                    self.at -= 1;
                }
                let name = &self.body[name..self.at];
                if name.is_empty() {
                    return Err((start, "expected a name after `%`"));
                }
                let mut index = 0;
                if self.byte(0) == b'#' {
                    self.at += 1;
                    let parsed = self.digits().parse();
                    index = parsed.map_err(|_| (start, "expected a result number after `#`"))?;
                }
                Token::Value(name, index)
            }
            b'@' => {
                self.at += 1;
                let quoted = self.byte(0) == b'"';
                let name = if quoted { self.quoted()? } else { self.word() };
                if name.is_empty() && !quoted {
                    return Err((start, "expected a name after `@`"));
                }
                Token::Symbol(name)
            }
            b'^' | b'#' | b'!' => {
                self.at += 1;
                let name = self.word();
                match first {
                    b'^' => Token::Label(name),
                    b'#' => Token::Hash(name),
                    _ => Token::Bang(name),
                }
            }
            b'"' => Token::Text(self.quoted()?),
            b'-' if self.byte(1) == b'>' => {
                self.at += 2;
                Token::Arrow
            }
            b'-' if self.byte(1).is_ascii_digit() => Token::Number(self.number()),
            b'0'..=b'9' => Token::Number(self.number()),
            b if is_word(b) => Token::Word(self.word()),
            _ => {
                let c = self.body[self.at..].chars().next().unwrap_or(' ');
                self.at += c.len_utf8();
                Token::Sign(c)
            }
        };
        Ok((token, start))
    }
}

/// A string without its escapes: `\"`, `\\`, `\n`, `\t`, and two hexadecimal digits for a byte.
pub(crate) fn unescape(raw: &str) -> String {
    if !raw.contains('\\') {
        return raw.to_owned();
    }
    let mut bytes = Vec::with_capacity(raw.len());
    let mut rest = raw.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = tail;
        if *first != b'\\' {
            bytes.push(*first);
            continue;
        }
        let hex = tail
            .get(..2)
            .and_then(|h| std::str::from_utf8(h).ok())
            .and_then(|h| u8::from_str_radix(h, 16).ok());
        match (hex, tail) {
            (Some(byte), [_, _, after @ ..]) => {
                bytes.push(byte);
                rest = after;
            }
            (_, [b'n', after @ ..]) => {
                bytes.push(b'\n');
                rest = after;
            }
            (_, [b't', after @ ..]) => {
                bytes.push(b'\t');
                rest = after;
            }
            (_, [c, after @ ..]) => {
                bytes.push(*c);
                rest = after;
            }
            (_, []) => bytes.push(b'\\'),
        }
    }
    strings::from_bytes(bytes)
}

/// The string with quotes and escapes, as MLIR writes it.
pub(crate) fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for byte in strings::to_bytes(text).iter().copied() {
        match byte {
            b'"' => out.push_str("\\22"),
            b'\\' => out.push_str("\\\\"),
            0x20..=0x7e => out.push(byte as char),
            _ => {
                out.push('\\');
                super::element::push_hex(byte, &mut out);
            }
        }
    }
    out.push('"');
    out
}

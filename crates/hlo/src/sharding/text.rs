//! The text of shardings, read piece by piece.

/// The text that is still to be read.
pub(super) struct Text<'t>(pub &'t str);

impl<'t> Text<'t> {
    /// Passes a token, and white space before it. Whether it stands there.
    pub fn eat(&mut self, token: &str) -> bool {
        match self.0.trim_start().strip_prefix(token) {
            Some(rest) => self.0 = rest,
            None => return false,
        }
        true
    }

    pub fn is_at_end(&self) -> bool {
        self.0.trim().is_empty()
    }

    pub fn number(&mut self) -> Option<usize> {
        let rest = self.0.trim_start();
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let (digits, rest) = rest.split_at(end);
        self.0 = rest;
        digits.parse().ok()
    }

    /// A word of letters, digits and underscores.
    pub fn word(&mut self) -> &'t str {
        let rest = self.0.trim_start();
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        let (word, rest) = rest.split_at(end);
        self.0 = rest;
        word
    }

    /// A quoted name, with its escapes: `\"`, `\\`, and two hexadecimal digits of a byte.
    pub fn string(&mut self) -> Option<String> {
        self.eat("\"").then_some(())?;
        let (mut bytes, mut rest) = (Vec::new(), self.0.as_bytes());
        loop {
            let (&first, after) = rest.split_first()?;
            rest = after;
            match first {
                b'"' => break,
                b'\\' => match *rest.first()? {
                    escaped @ (b'"' | b'\\') => {
                        bytes.push(escaped);
                        rest = &rest[1..];
                    }
                    _ => {
                        let digits = std::str::from_utf8(rest.get(..2)?).ok()?;
                        bytes.push(u8::from_str_radix(digits, 16).ok()?);
                        rest = &rest[2..];
                    }
                },
                byte => bytes.push(byte),
            }
        }
        self.0 = &self.0[self.0.len() - rest.len()..];
        String::from_utf8(bytes).ok()
    }

    /// The name of a symbol behind its `@`: a word, with further ones behind `::`, or a quoted name.
    pub fn symbol(&mut self) -> Option<String> {
        if self.0.starts_with('"') {
            return self.string();
        }
        let end = self.0.find([',', '>', ' ']).unwrap_or(self.0.len());
        let (name, rest) = self.0.split_at(end);
        self.0 = rest;
        (!name.is_empty()).then(|| name.to_owned())
    }

    /// Items in brackets, with commas between them.
    pub fn list<T>(
        &mut self,
        open: char,
        close: char,
        mut item: impl FnMut(&mut Self) -> Option<T>,
    ) -> Option<Vec<T>> {
        let (open, close) = (open.to_string(), close.to_string());
        self.eat(&open).then_some(())?;
        let mut all = Vec::new();
        while !self.eat(&close) {
            if !all.is_empty() {
                self.eat(",").then_some(())?;
            }
            all.push(item(self)?);
        }
        Some(all)
    }
}

//! EBNF as llama.cpp (GBNF) and XGrammar write it, translated to Lark.
//!
//! Rules that do not reach themselves become terminals, which are regular expressions; in the others, neighbours that are regular become one
//! terminal, so that the lexer sees as much of a text at once as it can.

use std::cell::Cell;
use std::collections::HashMap;
use std::fmt::Write;

use jarrah_base::{Error, Result};
use serde_json::Value;

use crate::limits;

/// A text as a literal of Lark.
pub(crate) fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// Whether a grammar is EBNF: some line of it defines a rule by `::=`.
pub(crate) fn is_ebnf(text: &str) -> bool {
    text.lines().any(|line| {
        let name = line.split_once("::=").map(|(name, _)| name.trim());
        name.is_some_and(|name| !name.is_empty() && name.chars().all(is_name))
    })
}

/// The name of the first rule in Lark, and the rules, whose names begin with a letter and `prefix`.
pub(crate) fn ebnf(text: &str, prefix: &str) -> Result<(String, String)> {
    let rules = Parser { text, at: 0, depth: 0, counted: Cell::new((0, 1)) }.rules()?;
    let root = rules.iter().position(|rule| rule.name == "root").ok_or_else(|| {
        Error::input("the grammar has no rule `root`")
            .help("name the rule that an output has to match `root`")
    })?;
    let mut names = HashMap::new();
    for (number, rule) in rules.iter().enumerate() {
        if names.insert(rule.name.as_str(), number).is_some() {
            return Err(Error::input(format!(
                "line {} of the grammar defines `{}` again",
                rule.line, rule.name
            )));
        }
    }
    let mut uses: Vec<Vec<usize>> = Vec::new();
    for rule in &rules {
        let mut found = Vec::new();
        let mut rest = vec![&rule.body];
        while let Some(expression) = rest.pop() {
            match expression {
                Expression::Rule(name) => {
                    let number = names.get(name.as_str()).ok_or_else(|| {
                        let message = format!(
                            "the rule `{}` of the grammar uses `{name}`, which no rule defines",
                            rule.name
                        );
                        Error::input(message)
                            .help("the rule begins on line ".to_owned() + &rule.line.to_string())
                    })?;
                    found.push(*number);
                }
                Expression::Choice(all) | Expression::Sequence(all) => rest.extend(all),
                Expression::Repeat(inner, _) => rest.push(inner),
                Expression::Text(_) | Expression::Class(_) => {}
            }
        }
        uses.push(found);
    }
    let order = order(&uses);
    let mut regular = vec![false; rules.len()];
    let mut sizes = vec![0usize; rules.len()];
    for rule in order {
        regular[rule] = true;
        let used = uses[rule].iter().fold(1usize, |size, &used| size.saturating_add(sizes[used]));
        sizes[rule] = used.saturating_add(rules[rule].length);
        if sizes[rule] > limits::MOST_BYTES {
            let Rule { name, line, .. } = &rules[rule];
            let message = format!(
                "the rule `{name}` on line {line} of the grammar is too large with all rules that it uses"
            );
            return Err(Error::input(message));
        }
    }
    let mut writer = Writer { names: &names, regular: &regular, prefix, out: String::new(), count: 0 };
    for (number, rule) in rules.iter().enumerate() {
        let body = if regular[number] { writer.terminal(&rule.body) } else { writer.rule(&rule.body) };
        let _ = writeln!(writer.out, "{}: {body}", writer.name(number));
    }
    Ok((writer.name(root), writer.out))
}

/// The rules that reach neither themselves nor a rule that does, each behind those that it uses.
fn order(uses: &[Vec<usize>]) -> Vec<usize> {
    let mut users = vec![Vec::new(); uses.len()];
    let mut waits: Vec<usize> = uses.iter().map(Vec::len).collect();
    for (user, used) in uses.iter().enumerate() {
        for &rule in used {
            users[rule].push(user);
        }
    }
    let mut order: Vec<usize> = (0..uses.len()).filter(|&rule| waits[rule] == 0).collect();
    let mut next = 0;
    while let Some(&rule) = order.get(next) {
        next += 1;
        for &user in &users[rule] {
            waits[user] -= 1;
            if waits[user] == 0 {
                order.push(user);
            }
        }
    }
    order
}

struct Rule {
    name: String,
    line: usize,
    // The bytes of its text.
    length: usize,
    body: Expression,
}

enum Expression {
    Text(String),
    // A regular expression of one character.
    Class(String),
    Rule(String),
    Sequence(Vec<Expression>),
    Choice(Vec<Expression>),
    // An operator of Lark: `*`, `+`, `?` or `{m,n}`.
    Repeat(Box<Expression>, String),
}

impl Expression {
    /// Whether it is the empty text and nothing else.
    fn is_empty(&self) -> bool {
        match self {
            Expression::Text(text) => text.is_empty(),
            Expression::Sequence(all) => all.iter().all(Expression::is_empty),
            _ => false,
        }
    }
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.')
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    // A byte, and the number of its line.
    counted: Cell<(usize, usize)>,
}

impl Parser<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn line(&self) -> usize {
        let (at, line) = self.counted.get();
        let line = line + self.text[at..self.at].matches('\n').count();
        self.counted.set((self.at, line));
        line
    }

    fn wrong(&self, what: &str) -> Error {
        Error::input(format!("line {} of the grammar {what}", self.line()))
    }

    /// Skips white space and comments.
    fn skip(&mut self) {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            if !self.rest().starts_with('#') {
                return;
            }
            self.at += self.rest().find('\n').unwrap_or(self.rest().len());
        }
    }

    fn name(&mut self) -> Option<String> {
        let name: String = self.rest().chars().take_while(|&c| is_name(c)).collect();
        self.at += name.len();
        Some(name).filter(|name| !name.is_empty())
    }

    /// Whether a rule begins here.
    fn begins_rule(&self) -> bool {
        let rest = self.rest().trim_start_matches(is_name);
        rest.len() < self.rest().len() && rest.trim_start().starts_with("::=")
    }

    fn rules(mut self) -> Result<Vec<Rule>> {
        let mut rules = Vec::new();
        self.skip();
        while self.at < self.text.len() {
            let (line, start) = (self.line(), self.at);
            let name =
                self.name().ok_or_else(|| self.wrong("has no name of a rule where one should begin"))?;
            self.skip();
            if !self.rest().starts_with("::=") {
                return Err(self.wrong("has no `::=` behind the name of a rule"));
            }
            self.at += 3;
            let body = self.choice()?;
            if self.rest().starts_with(')') {
                return Err(self.wrong("closes a group that is not open"));
            }
            rules.push(Rule { name, line, length: self.at - start, body });
        }
        Ok(rules)
    }

    fn choice(&mut self) -> Result<Expression> {
        let mut all = vec![self.sequence()?];
        while self.rest().starts_with('|') {
            self.at += 1;
            all.push(self.sequence()?);
        }
        Ok(if all.len() == 1 { all.remove(0) } else { Expression::Choice(all) })
    }

    fn sequence(&mut self) -> Result<Expression> {
        let mut all = Vec::new();
        loop {
            self.skip();
            if self.rest().is_empty() || self.rest().starts_with(['|', ')']) || self.begins_rule() {
                break;
            }
            let item = self.item()?;
            all.push(self.repeated(item)?);
        }
        Ok(if all.len() == 1 { all.remove(0) } else { Expression::Sequence(all) })
    }

    fn item(&mut self) -> Result<Expression> {
        let first = self.rest().chars().next().unwrap_or(' ');
        match first {
            '"' | '\'' => {
                self.at += 1;
                let mut text = String::new();
                loop {
                    match self.character()? {
                        (c, false) if c == first => return Ok(Expression::Text(text)),
                        (c, _) => text.push(c),
                    }
                }
            }
            '[' => self.class(),
            '.' => {
                self.at += 1;
                Ok(Expression::Class("(?s:.)".to_owned()))
            }
            '(' => {
                self.at += 1;
                self.depth += 1;
                if self.depth > limits::MOST_DEPTH {
                    return Err(
                        self.wrong(&format!("has more than {} groups in each other", limits::MOST_DEPTH))
                    );
                }
                let inner = self.choice()?;
                self.depth -= 1;
                if !self.rest().starts_with(')') {
                    return Err(self.wrong("does not close a group"));
                }
                self.at += 1;
                Ok(inner)
            }
            c if is_name(c) => Ok(Expression::Rule(self.name().unwrap_or_default())),
            c => Err(self
                .wrong(&format!("has {c:?} where a text, a class, a group or the name of a rule should be"))),
        }
    }

    fn class(&mut self) -> Result<Expression> {
        self.at += 1;
        let mut class = String::from("[");
        if self.rest().starts_with('^') {
            self.at += 1;
            class.push('^');
        }
        let empty = class.len();
        loop {
            let (first, escaped) = self.character()?;
            if first == ']' && !escaped {
                break;
            }
            let mut last = first;
            if self.rest().starts_with('-') && !self.rest().starts_with("-]") {
                self.at += 1;
                last = self.character()?.0;
            }
            if first > last {
                return Err(
                    self.wrong(&format!("has a class from {first:?} to {last:?}, which is before it"))
                );
            }
            let _ = write!(class, "\\x{{{:X}}}-\\x{{{:X}}}", u32::from(first), u32::from(last));
        }
        match class.len() == empty {
            false => Ok(Expression::Class(class + "]")),
            true if empty == 2 => Ok(Expression::Class("(?s:.)".to_owned())),
            true => Err(self.wrong("has a class without characters")),
        }
    }

    /// A character of a text or a class, and whether it was written as an escape.
    fn character(&mut self) -> Result<(char, bool)> {
        let mut chars = self.rest().chars();
        let missing = || self.wrong("ends within a text or a class");
        let first = chars.next().ok_or_else(missing)?;
        if first != '\\' {
            self.at += first.len_utf8();
            return Ok((first, false));
        }
        let second = chars.next().ok_or_else(missing)?;
        self.at += 1 + second.len_utf8();
        let digits = match second {
            'n' => return Ok(('\n', true)),
            'r' => return Ok(('\r', true)),
            't' => return Ok(('\t', true)),
            'x' => 2,
            'u' => 4,
            'U' => 8,
            other => return Ok((other, true)),
        };
        let found = self.rest().get(..digits).and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let found = found.and_then(char::from_u32).ok_or_else(|| {
            self.wrong(&format!("has `\\{second}` without {digits} hexadecimal digits of a character"))
        })?;
        self.at += digits;
        Ok((found, true))
    }

    fn repeated(&mut self, mut item: Expression) -> Result<Expression> {
        let mut levels = 0;
        loop {
            self.skip();
            let operator = match self.rest().chars().next() {
                Some(operator @ ('*' | '+' | '?')) => {
                    self.at += 1;
                    operator.to_string()
                }
                Some('{') => {
                    let end = self.rest().find('}').ok_or_else(|| self.wrong("does not close a `{`"))?;
                    let inside = self.rest()[1..end].replace(' ', "");
                    let (least, most) = inside.split_once(',').unwrap_or((&inside, &inside));
                    let count = |digits: &str| match digits.parse::<u64>() {
                        Ok(count) if count <= limits::MOST_REPEATS => Ok(count),
                        Ok(_) => Err(self.wrong(&format!(
                            "repeats {digits} times; at most {} are allowed",
                            limits::MOST_REPEATS
                        ))),
                        Err(_) => Err(self.wrong(&format!("repeats {inside:?} times, which is no count"))),
                    };
                    let least_count = if least.is_empty() { 0 } else { count(least)? };
                    let operator = match most.is_empty() {
                        true => format!("{{{least_count},}}"),
                        false if count(most)? < least_count => {
                            return Err(self.wrong(&format!("repeats {inside:?} times, which is never")));
                        }
                        false => format!("{{{least_count},{most}}}"),
                    };
                    self.at += end + 1;
                    operator
                }
                _ => return Ok(item),
            };
            levels += 1;
            if levels > limits::MOST_DEPTH {
                return Err(self.wrong("repeats a repetition too often"));
            }
            item = Expression::Repeat(Box::new(item), operator);
        }
    }
}

struct Writer<'a> {
    names: &'a HashMap<&'a str, usize>,
    regular: &'a [bool],
    prefix: &'a str,
    out: String,
    count: usize,
}

impl Writer<'_> {
    /// The name of a rule: terminals begin with a capital letter.
    fn name(&self, rule: usize) -> String {
        let prefix = self.prefix;
        if self.regular[rule] {
            format!("{}R{rule}", prefix.to_uppercase())
        } else {
            format!("{prefix}r{rule}")
        }
    }

    fn is_regular(&self, expression: &Expression) -> bool {
        match expression {
            Expression::Text(_) | Expression::Class(_) => true,
            Expression::Rule(name) => self.regular[self.names[name.as_str()]],
            Expression::Sequence(all) | Expression::Choice(all) => all.iter().all(|e| self.is_regular(e)),
            Expression::Repeat(inner, _) => self.is_regular(inner),
        }
    }

    /// A regular expression as the body of a terminal.
    fn terminal(&self, expression: &Expression) -> String {
        match expression {
            Expression::Text(text) => quoted(text),
            Expression::Class(class) => format!("/{class}/"),
            Expression::Rule(name) => self.name(self.names[name.as_str()]),
            Expression::Repeat(inner, operator) => format!("({}){operator}", self.terminal(inner)),
            Expression::Sequence(all) if all.is_empty() => "\"\"".to_owned(),
            Expression::Sequence(all) => {
                let parts: Vec<String> = all.iter().map(|e| self.grouped(e)).collect();
                parts.join(" ")
            }
            Expression::Choice(all) => {
                let parts: Vec<String> = all.iter().map(|e| self.terminal(e)).collect();
                parts.join(" | ")
            }
        }
    }

    fn grouped(&self, expression: &Expression) -> String {
        let text = self.terminal(expression);
        if matches!(expression, Expression::Choice(_)) { format!("({text})") } else { text }
    }

    /// The body of a rule that is recursive.
    fn rule(&mut self, expression: &Expression) -> String {
        if expression.is_empty() {
            return "\"\"".to_owned();
        }
        if self.is_regular(expression) {
            return self.named(&[expression]);
        }
        match expression {
            Expression::Rule(name) => self.name(self.names[name.as_str()]),
            Expression::Repeat(inner, operator) => format!("({}){operator}", self.rule(inner)),
            Expression::Sequence(all) => {
                let (mut parts, mut run) = (Vec::new(), Vec::new());
                for part in all {
                    if self.is_regular(part) {
                        run.push(part);
                        continue;
                    }
                    if !run.is_empty() {
                        parts.push(self.named(&run));
                        run.clear();
                    }
                    let text = self.rule(part);
                    let group = matches!(part, Expression::Choice(_));
                    parts.push(if group { format!("({text})") } else { text });
                }
                if !run.is_empty() {
                    parts.push(self.named(&run));
                }
                parts.join(" ")
            }
            Expression::Choice(all) => {
                let empty = all.iter().any(Expression::is_empty);
                let parts: Vec<String> = all.iter().filter(|e| !e.is_empty()).map(|e| self.rule(e)).collect();
                let text = parts.join(" | ");
                if empty { format!("({text})?") } else { text }
            }
            Expression::Text(_) | Expression::Class(_) => unreachable!("texts and classes are regular"),
        }
    }

    /// The name of a terminal of neighbours that are regular.
    fn named(&mut self, run: &[&Expression]) -> String {
        if let [Expression::Rule(name)] = run {
            return self.name(self.names[name.as_str()]);
        }
        let parts: Vec<String> = run.iter().map(|e| self.grouped(e)).collect();
        let name = format!("{}N{}", self.prefix.to_uppercase(), self.count);
        self.count += 1;
        let _ = writeln!(self.out, "{name}: {}", parts.join(" "));
        name
    }
}

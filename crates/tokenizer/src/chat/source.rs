//! What becomes of a template's text before it is compiled: blocks named `generation` change nothing, and sums and products of
//! lists are made of lists that are in memory.

/// The filter that [`prepared`] puts behind operands.
pub const LISTED: &str = "_listed";

/// Words behind which an operand begins.
const WORDS: [&str; 8] = ["and", "or", "not", "in", "if", "else", "elif", "recursive"];

/// The text as it is compiled.
///
/// The tags `generation` and `endgeneration`, which say what a model wrote, become a block that changes nothing.
///
/// `minijinja` makes the sum of two lists, and a list repeated, only when they are asked for their elements, and does not count
/// these: a list that is added to itself again and again has 2⁶⁰ elements in a moment. So `a + b` becomes `a + (b)|_listed`, and
/// `a * b` becomes `(a * b)|_listed`, a filter that makes the elements and counts them. A text that is no template stays one.
pub fn prepared(source: &str) -> String {
    let mut out = String::with_capacity(source.len() + source.len() / 8);
    let mut rest = source;
    while let Some(start) = ["{%", "{{", "{#"].iter().filter_map(|mark| rest.find(mark)).min() {
        let (before, behind) = rest.split_at(start + 2);
        out.push_str(before);
        rest = match before.as_bytes().last() {
            Some(b'#') => copy(&mut out, behind, behind.find("#}").unwrap_or(behind.len())),
            Some(b'{') => {
                let behind = copy(&mut out, behind, usize::from(behind.starts_with(['-', '+'])));
                expression(&mut out, behind, "}}")
            }
            _ => block(&mut out, behind),
        };
    }
    out + rest
}

/// Copies so many bytes.
fn copy<'s>(out: &mut String, text: &'s str, bytes: usize) -> &'s str {
    let (head, tail) = text.split_at(bytes);
    out.push_str(head);
    tail
}

/// A tag, from behind its `{%`.
fn block<'s>(out: &mut String, text: &'s str) -> &'s str {
    let inner = text.strip_prefix(['-', '+']).unwrap_or(text);
    let start = text.len() - inner.trim_ascii_start().len();
    let word = &text[start..];
    let name = &word[..word.find(|c: char| !is_of_name(c)).unwrap_or(word.len())];
    let text = copy(out, text, start);
    match name {
        "generation" | "endgeneration" => {
            out.push_str(if name == "generation" { "with" } else { "endwith" });
            &text[name.len()..]
        }
        "raw" => match ends_raw(text) {
            Some(end) => copy(out, text, end),
            None => copy(out, text, text.len()),
        },
        _ => {
            let text = copy(out, text, name.len());
            expression(out, text, "%}")
        }
    }
}

/// Where the text of a raw block ends: at the tag `endraw`.
fn ends_raw(text: &str) -> Option<usize> {
    text.match_indices("{%").map(|(at, _)| at).find(|&at| {
        let tag = &text[at + 2..];
        let tag = tag.strip_prefix(['-', '+']).unwrap_or(tag).trim_ascii_start().strip_prefix("endraw");
        tag.map(str::trim_ascii_start)
            .is_some_and(|tag| tag.strip_prefix(['-', '+']).unwrap_or(tag).starts_with("%}"))
    })
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// A product that is read: what stands between sums, commas, comparisons and the like.
#[derive(Clone, Copy, Default)]
struct Product {
    /// Where it starts in the output.
    start: usize,
    /// Whether it is added to what stands before it, or has a factor.
    listed: bool,
}

/// What a word is by what stands before it.
#[derive(Clone, Copy, Default)]
enum Word {
    #[default]
    Any,
    /// A test or `not`, behind `is`.
    Test,
    /// The name of an attribute, a filter or a test.
    Name,
}

/// The rest of a tag up to `end`, behind which the rest of the text starts.
fn expression<'s>(out: &mut String, mut text: &'s str, end: &str) -> &'s str {
    let mut outer: Vec<Product> = Vec::new();
    let mut product = Product { start: out.len(), listed: false };
    // Where the last token ended in the output; whether it ended an operand; what a word behind it is.
    let (mut last, mut operand, mut word) = (out.len(), false, Word::Any);
    loop {
        text = copy(out, text, text.len() - text.trim_ascii_start().len());
        let ends = outer.is_empty() && text.strip_prefix(['-', '+']).unwrap_or(text).starts_with(end);
        let Some(first) = text.chars().next().filter(|_| !ends) else {
            close(out, product, last);
            return text;
        };
        let two = text.get(..2).unwrap_or_default();
        let mut length = first.len_utf8();
        // What comes before the next product, where one begins behind this token.
        let mut added = None;
        let is = std::mem::take(&mut word);
        match first {
            '"' | '\'' => {
                length = string(text);
                operand = true;
            }
            _ if first.is_ascii_digit() => {
                length = number(text);
                operand = true;
            }
            _ if is_of_name(first) => {
                length = text.find(|c: char| !is_of_name(c)).unwrap_or(text.len());
                operand = true;
                match (is, &text[..length]) {
                    (Word::Any, "is") => (word, operand) = (Word::Test, false),
                    (Word::Test, "not") => (word, operand) = (Word::Name, false),
                    (Word::Any, name) if WORDS.contains(&name) => added = Some(false),
                    _ => {}
                }
            }
            '.' | '|' => (word, operand) = (Word::Name, false),
            '(' | '[' | '{' => {
                outer.push(product);
                out.push(first);
                text = &text[1..];
                product = Product { start: out.len(), listed: false };
                (last, operand) = (out.len(), false);
                continue;
            }
            ')' | ']' | '}' => {
                close(out, product, last);
                product = outer.pop().unwrap_or_default();
                operand = true;
            }
            '*' if two == "**" => (length, operand) = (2, false),
            '*' => {
                product.listed |= operand;
                operand = false;
            }
            '+' | '-' if operand => added = Some(first == '+'),
            '~' | ',' | ':' | '=' | '<' | '>' | '!' => added = Some(false),
            _ => operand = false,
        }
        if added.is_some() {
            close(out, product, last);
            operand = false;
        }
        text = copy(out, text, length);
        last = out.len();
        if let Some(listed) = added {
            product = Product { start: last, listed };
        }
    }
}

/// Ends a product at `end` of the output.
fn close(out: &mut String, product: Product, end: usize) {
    let inner = out[product.start.min(end)..end].trim_ascii_start().len();
    if product.listed && inner > 0 {
        out.insert_str(end, &format!(")|{LISTED}"));
        out.insert(end - inner, '(');
    }
}

/// The bytes of a number, up to its point.
fn number(text: &str) -> usize {
    let digits = |text: &str| text.find(|c: char| !is_of_name(c)).unwrap_or(text.len());
    let length = digits(text);
    let (head, tail) = text.split_at(length);
    let exponent = !head.starts_with("0x") && head.ends_with(['e', 'E']);
    match tail.strip_prefix(['+', '-']).filter(|_| exponent) {
        Some(tail) => length + 1 + digits(tail),
        None => length,
    }
}

/// The bytes of a string in quotes.
fn string(text: &str) -> usize {
    let mut chars = text.char_indices();
    let quote = chars.next().map(|(_, c)| c);
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => {
                chars.next();
            }
            c if Some(c) == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_and_products_are_of_lists_in_memory() {
        for (source, wanted) in [
            ("{{ a + b }}", "{{ a + (b)|_listed }}"),
            ("{{ a+b-c + d }}+e", "{{ a+(b)|_listed-c + (d)|_listed }}+e"),
            ("{{- a * n.x[1 * 2] -}}", "{{- (a * n.x[(1 * 2)|_listed])|_listed -}}"),
            ("{% if a + b * -c ~ d == e %}", "{% if a + (b * -c)|_listed ~ d == e %}"),
            (
                "{% set x = [a + b, (c) + f(d, e=g + h)] %}",
                "{% set x = [a + (b)|_listed, (c) + (f(d, e=g + (h)|_listed))|_listed] %}",
            ),
            ("{% for x in a + b recursive %}", "{% for x in a + (b)|_listed recursive %}"),
            (
                "{{ a.not + b.is + c if d is not in + 1 else e }}",
                "{{ a.not + (b.is)|_listed + (c)|_listed if d is not in + (1)|_listed else e }}",
            ),
            ("{{ '}} + ' + \"a\\\" + b\" }}", "{{ '}} + ' + (\"a\\\" + b\")|_listed }}"),
            (
                "{{ {'a': {}} + -1 + 1e+5 + f(*g, **h) }}",
                "{{ {'a': {}} + (-1)|_listed + (1e+5)|_listed + (f(*g, **h))|_listed }}",
            ),
        ] {
            assert_eq!(prepared(source), wanted);
        }
        for same in [
            "a + b {# {{ a + b }} #} {",
            "{%- raw %}{{ a + b }}{% endrawer %}{{ a + b }}{%- endraw -%}",
            "{{ a - b / c // d % e ** f|g(-h) }}",
            "{{ a[::-1] }}{% set +%}{{ x -}}",
            "{{ 'a + b",
            "{% raw %}{{ a + b }}",
        ] {
            assert_eq!(prepared(same), same);
        }
    }

    #[test]
    fn generation_changes_nothing() {
        let source = "{%- generation %}{{ a }}{%endgeneration -%}{% raw %}{% generation %}{% endraw %}";
        let wanted = "{%- with %}{{ a }}{%endwith -%}{% raw %}{% generation %}{% endraw %}";
        assert_eq!(prepared(source), wanted);
    }
}

//! Prepares a template's text for compilation: blocks named `generation` change nothing, and filters behind operands count the
//! work that `minijinja` does not count.

/// The filter that [`prepared`] puts behind sums and products: it turns a lazy list into a list.
pub const LISTED: &str = "_listed";
/// The filter behind a value that may hold another value many times: it counts the values held.
pub const HELD: &str = "_held";
/// The filter of values that a `set` put into namespaces: a namespace among them is an error.
pub const STILL: &str = "_still";
/// The filter behind operands of comparisons: it counts the values compared.
pub const COMPARED: &str = "_compared";

/// The filter behind operands of `~`: the text of a value.
pub const TEXT: &str = "_text";

/// The filter behind operands of `<` and `>`: undefined values and none are errors.
pub const ORDERED: &str = "_ordered";

/// The filter in the place of `%`: fills values into a text, or gives the remainder of numbers.
pub const PERCENT: &str = "_percent";

/// The filter of a macro with defaults: the macro that is also given the names of the parameters without an argument.
pub const MACRO: &str = "_macro";
/// The last parameter of such a macro, a list of names.
pub const MISSING: &str = "_missing";

/// The beginning of the name of the method that [`prepared`] puts in the place of an attribute named as one of [`MAP_METHODS`].
pub const ATTRIBUTE: &str = "_attribute_";

/// The methods of Python's maps, which attributes of these names are, also of maps with such a key.
pub const MAP_METHODS: [&str; 11] =
    ["clear", "copy", "fromkeys", "get", "items", "keys", "pop", "popitem", "setdefault", "update", "values"];

/// Words behind which an operand begins.
const WORDS: [&str; 8] = ["and", "or", "not", "in", "if", "else", "elif", "recursive"];
/// Names of values that hold no other.
const CONSTANTS: [&str; 6] = ["true", "false", "none", "True", "False", "None"];
/// Filters that make lists of lists, of their arguments, or of what a namespace holds.
const NESTING: [&str; 6] = ["batch", "dictsort", "groupby", "items", "map", "slice"];
/// Filters that compare the elements of a list.
const COMPARING: [&str; 6] = ["dictsort", "groupby", "max", "min", "sort", "unique"];

/// The text as it is compiled.
///
/// Lines end with `\n`, in texts too, where a line that ends with a backslash goes on. The tags `generation` and `endgeneration`, which say what a model wrote, and
/// `block` and `endblock`, which other templates could replace, become a block that changes nothing.
///
/// `minijinja` makes the sum of two lists, and a list repeated, only when they are asked for their elements, and does not count
/// these: a list that is added to itself again and again has 2⁶⁰ elements in a moment. So `a + b` becomes `a + (b)|_listed`, and
/// `a * b` becomes `(a * b)|_listed`, a filter that makes the elements and counts them.
///
/// It writes floats another way than Python: `a ~ b` becomes `(a)|_text ~ (b)|_text`. It knows no remainder of a text: `a % b` becomes `(a)|_percent(b)`, which writes `b` into the text `a` as Python does.
///
/// Its maps have keys where Python's have methods: `a.items` that is not called becomes `a._attribute_items()`.
///
/// Nor does it count what a list holds whose elements are lists: `[x, x]` of a list `[y, y]`, and so on, takes no memory, but
/// comparing two such takes for ever. So `[x]`, `{'a': x}` and the tuple `(x, y)` become `(([x])|_held)` and the like; behind `{% set a.b = x %}` stands
/// `{% if [a.b]|_still %}{% endif %}`; of `a == b` the second operand becomes `(b)|_compared`, of `a < b`, where `minijinja` takes what is undefined for smaller than all else, both become
/// `(a)|_ordered`, and `a|sort` becomes `a|_compared|sort`.
///
/// Its macros take the default of a parameter also where the argument is undefined: `{% macro f(a=x) %}` becomes
/// `{% macro f(a, _missing) %}{% set a = (x) if 'a' in _missing else a %}`, and `{% set f = f|_macro %}` stands behind its end. Its `with`
/// computes a value with the names before it: `{% with a = 1, b = a %}` becomes
/// `{% with _with_0 = 1, _with_1 = a %}{% set a = _with_0 %}{% set b = _with_1 %}`. It has no sign `+`, for which `- -` stands, and no
/// tuples without parentheses in a `for`, which get them. A text that is no template stays one.
pub fn prepared(source: &str) -> String {
    let source = source.replace("\r\n", "\n").replace('\r', "\n");
    let mut out = String::with_capacity(source.len() + source.len() / 8);
    let mut rest = &source[..];
    // The names of the macros that are open, where they have defaults.
    let mut macros = Vec::new();
    while let Some(start) = ["{%", "{{", "{#"].iter().filter_map(|mark| rest.find(mark)).min() {
        let (before, behind) = rest.split_at(start + 2);
        out.push_str(before);
        rest = match before.as_bytes().last() {
            Some(b'#') => copy(&mut out, behind, behind.find("#}").unwrap_or(behind.len())),
            Some(b'{') => {
                let behind = copy(&mut out, behind, usize::from(behind.starts_with(['-', '+'])));
                expression(&mut out, behind, "}}", "").0
            }
            _ => block(&mut out, behind, &mut macros),
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
fn block<'s>(out: &mut String, text: &'s str, macros: &mut Vec<Option<&'s str>>) -> &'s str {
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
        // With its name, and `scoped` or `required` behind that.
        "block" | "endblock" => {
            out.push_str(if name == "block" { "with" } else { "endwith" });
            let end = text.find("%}").unwrap_or(text.len());
            let end = if text[..end].ends_with(['-', '+']) { end - 1 } else { end };
            out.push(' ');
            &text[end..]
        }
        "raw" => {
            let mut text = copy(out, text, name.len());
            // The line break behind the tag is text of the block.
            if text.trim_ascii_start().starts_with("%}\n") {
                out.push_str(" +");
                text = text.trim_ascii_start();
            }
            let start = out.len();
            let text = copy(out, text, ends_raw(text).unwrap_or(text.len()));
            // White space of one line in the block does not begin a line.
            let is_blank = out[start..].split_once("%}").is_some_and(|(_, inner)| is_blank(inner));
            match text.strip_prefix("{%").filter(|tag| is_blank && !tag.starts_with(['-', '+'])) {
                Some(tag) => {
                    out.push_str("{%+");
                    tag
                }
                None => text,
            }
        }
        _ => {
            let text = copy(out, text, name.len());
            let (behind, has_defaults) = expression(out, text, "%}", name);
            match name {
                "macro" => {
                    let name = text.trim_ascii_start();
                    let end = name.find(|c| !is_of_name(c)).unwrap_or(name.len());
                    macros.push(has_defaults.then_some(&name[..end]));
                }
                "endmacro" => {
                    if let Some(name) = macros.pop().flatten() {
                        out.push_str(&format!("%}}{{% set {name} = {name}|{MACRO} "));
                    }
                }
                _ => {}
            }
            behind
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

/// Whether a text is white space within a line.
fn is_blank(text: &str) -> bool {
    !text.is_empty() && !text.contains('\n') && text.trim().is_empty()
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// A product that is read: an operand of sums, commas, comparisons and the like.
#[derive(Clone, Copy, Default)]
struct Product {
    /// The offset of its start in the output.
    start: usize,
    /// Whether it is added to the product before it, or has a factor.
    listed: bool,
    /// Whether the product before it is compared with it.
    compared: bool,
    /// Whether it is compared by `<` or `>`.
    ordered: bool,
    /// Whether it is joined to another product by `~`.
    text: bool,
    /// Whether it contains a name, so that it is no constant.
    named: bool,
    /// Whether its last factor is an argument of [`PERCENT`] that is not closed yet.
    percent: bool,
}

/// The state between a bracket and its end, or between the start of a tag and its end.
#[derive(Clone, Copy, Default)]
struct Group {
    kind: Kind,
    /// Where its bracket is in the output.
    start: usize,
    named: bool,
    comma: bool,
}

#[derive(Clone, Copy, Default)]
enum Kind {
    /// Arguments, a place in a list, or names that are assigned to.
    #[default]
    Other,
    /// Arguments of a filter in [`NESTING`].
    Nesting,
    Parentheses,
    /// A list or a map.
    Literal,
}

/// An assignment of a `with`, or a default of a macro: offsets in the output.
struct Assignment {
    name: usize,
    equals: usize,
    end: usize,
}

impl Assignment {
    fn has_name(&self, out: &str) -> bool {
        out.get(self.name..self.equals).is_some_and(|name| !name.trim().is_empty())
    }

    /// Whether it has a value, of which the parameters of a macro know the end.
    fn has_value(&self, out: &str) -> bool {
        out.get(self.equals + 1..self.end).is_some_and(|value| !value.trim().is_empty())
    }
}

/// The kind of the last token in the output.
#[derive(Clone, Copy, PartialEq)]
enum Last {
    /// A token that an operand follows.
    Operator,
    Operand,
    /// The word `is`, or `not` behind it: the name of a test follows.
    Is,
    Test,
    Dot,
    Pipe,
    /// The name of a filter in [`NESTING`].
    Nesting,
}

/// A token that is read.
struct Token {
    /// Its bytes.
    length: usize,
    kind: Last,
    /// The product that begins behind the token, if one does.
    next: Option<Product>,
    /// Whether it is an attribute with the name of a method of maps.
    is_method: bool,
}

/// An expression that is read, and written to the output.
struct Expression<'o> {
    out: &'o mut String,
    /// The name of the tag; none in `{{ }}`.
    block: &'o str,
    /// Where it begins in the output.
    begin: usize,
    /// The groups and products around the innermost bracket.
    outer: Vec<(Group, Product)>,
    group: Group,
    product: Product,
    /// The kind of the last token, and where the token ended in the output.
    was: Last,
    last: usize,
    /// Whether names are read that are assigned to.
    target: bool,
    /// Whether an attribute is assigned to.
    attribute: bool,
    /// Where the value of a `set` or the list of a `for` starts.
    value: Option<usize>,
    /// How many brackets the assignments of a `with` or the defaults of a macro stand within.
    level: Option<usize>,
    assignments: Vec<Assignment>,
    /// Where the name of the next assignment starts.
    name: usize,
}

/// The rest of a tag of a block up to `end`, behind which the rest of the text starts; and whether the tag is that of a macro with defaults.
fn expression<'s>(out: &mut String, mut text: &'s str, end: &str, block: &str) -> (&'s str, bool) {
    let mut expression = Expression::new(out, block);
    loop {
        text = copy(expression.out, text, text.len() - text.trim_ascii_start().len());
        expression.hold_unless(text.starts_with('('));
        let is_outside = expression.outer.is_empty();
        let ends = is_outside && text.strip_prefix(['-', '+']).unwrap_or(text).starts_with(end);
        match text.chars().next().filter(|_| !ends) {
            Some(first) => text = expression.token(text, first),
            None => return (text, expression.end()),
        }
    }
}

impl<'o> Expression<'o> {
    fn new(out: &'o mut String, block: &'o str) -> Self {
        let begin = out.len();
        let levels = [("with", 0), ("macro", 1)];
        Expression {
            out,
            block,
            begin,
            outer: Vec::new(),
            group: Group::default(),
            product: Product { start: begin, ..Product::default() },
            was: if block == "call" { Last::Operand } else { Last::Operator },
            last: begin,
            target: matches!(block, "for" | "set" | "with"),
            attribute: false,
            value: None,
            level: levels.into_iter().find(|(name, _)| *name == block).map(|(_, level)| level),
            assignments: Vec::new(),
            name: begin,
        }
    }

    /// Puts the filter [`HELD`] behind the name of a filter in [`NESTING`] that has no arguments.
    fn hold_unless(&mut self, has_arguments: bool) {
        if self.was == Last::Nesting && !has_arguments {
            (self.was, self.last) = (Last::Operand, put(self.out, self.last, &format!("|{HELD}")));
        }
    }

    /// Ends the expression. Returns whether it is that of a macro with defaults.
    fn end(mut self) -> bool {
        self.last = close(self.out, self.product, self.last);
        let value = self.value;
        let names =
            value.filter(|_| self.attribute).map(|end| self.out[self.begin..end - 1].replace(['(', ')'], ""));
        if let Some(start) = value.filter(|_| self.group.comma) {
            enclose(self.out, start, self.last);
        }
        if let Some(names) = names {
            self.out.push_str(&format!("%}}{{% if [{names}]|{STILL} %}}{{% endif "));
        }
        let assignments = &self.assignments;
        match self.block {
            // Of a template that is wrong, the engine says how.
            _ if !assignments.iter().all(|assignment| assignment.has_name(self.out)) => {}
            "with" if assignments.len() > 1 => apart(self.out, assignments),
            "macro" if assignments.iter().all(|assignment| assignment.has_value(self.out)) => {
                defaults(self.out, assignments);
            }
            _ => {}
        }
        self.block == "macro" && !assignments.is_empty()
    }

    /// Copies the token at the start of a text, changed where it has to be, and returns the rest of the text.
    fn token<'s>(&mut self, text: &'s str, first: char) -> &'s str {
        let operand = matches!(self.was, Last::Operand | Last::Test | Last::Nesting);
        match first {
            ')' | ']' | '}' => {
                self.end_bracket(first);
                return &text[1..];
            }
            '%' if operand => {
                self.percent();
                return &text[1..];
            }
            '+' if !operand => {
                self.out.push_str("- -");
                (self.was, self.last) = (Last::Operator, self.out.len());
                return &text[1..];
            }
            _ => {}
        }
        let Token { length, kind, next, is_method } = self.read(text, first, operand);
        let (token, rest) = text.split_at(length);
        if next.is_some() && !matches!(first, '(' | '[' | '{') {
            self.end_product(token);
        }
        match matches!(first, '"' | '\'') {
            true => self.out.push_str(&joined(token)),
            false if is_method => self.out.push_str(&format!("{ATTRIBUTE}{token}()")),
            false => self.out.push_str(token),
        }
        (self.was, self.last) = (kind, self.out.len());
        if let Some(next) = next {
            self.product = Product { start: self.last, ..next };
        }
        rest
    }

    /// The token at the start of a text, where `operand` says whether an operand stands before it.
    fn read(&mut self, text: &str, first: char, operand: bool) -> Token {
        let two = text.get(..2).unwrap_or_default();
        let (plain, compared) = (Product::default(), Product { compared: true, ..Product::default() });
        let (length, kind, next) = match first {
            '"' | '\'' => (string(text), Last::Operand, None),
            _ if first.is_ascii_digit() => (number(text), Last::Operand, None),
            _ if is_of_name(first) => return self.word(text),
            '.' => {
                self.attribute |= self.target;
                (1, Last::Dot, None)
            }
            '|' => (1, Last::Pipe, None),
            '(' | '[' | '{' => {
                self.begin_bracket(first, operand);
                (1, Last::Operator, Some(plain))
            }
            '*' if two == "**" => (2, Last::Operator, None),
            '*' | '/' if operand => {
                self.product.listed |= first == '*';
                if std::mem::take(&mut self.product.percent) {
                    put(self.out, self.last, ")");
                }
                (if two == "//" { 2 } else { 1 }, Last::Operator, None)
            }
            '+' | '-' if operand => (1, Last::Operator, Some(Product { listed: first == '+', ..plain })),
            '=' | '!' if two.ends_with('=') => (2, Last::Operator, Some(compared)),
            '<' | '>' => {
                self.product.ordered = true;
                let length = if two.ends_with('=') { 2 } else { 1 };
                (length, Last::Operator, Some(Product { ordered: true, ..compared }))
            }
            '=' => {
                if self.outer.is_empty() && self.target {
                    self.target = false;
                    self.value = (self.block == "set").then_some(self.out.len() + 1);
                }
                (1, Last::Operator, Some(plain))
            }
            ',' => {
                self.group.comma |= !self.target;
                self.target |= self.block == "with" && self.outer.is_empty();
                (1, Last::Operator, Some(plain))
            }
            '~' => {
                self.product.text = true;
                (1, Last::Operator, Some(Product { text: true, ..plain }))
            }
            ':' | '!' => (1, Last::Operator, Some(plain)),
            _ => (first.len_utf8(), Last::Operator, None),
        };
        Token { length, kind, next, is_method: false }
    }

    /// The word at the start of a text: a name, an attribute, a filter, a test, or a word of the language.
    fn word(&mut self, text: &str) -> Token {
        let length = text.find(|c: char| !is_of_name(c)).unwrap_or(text.len());
        let word = |kind, next| Token { length, kind, next, is_method: false };
        match (self.was, &text[..length]) {
            (Last::Is, "not") => word(Last::Is, None),
            (Last::Is, _) => word(Last::Test, None),
            (Last::Dot, name) => {
                let is_called = text[length..].trim_ascii_start().starts_with('(');
                let is_method = MAP_METHODS.contains(&name) && !is_called && !self.target;
                Token { is_method, ..word(Last::Operand, None) }
            }
            (Last::Pipe, name) => {
                if COMPARING.contains(&name) {
                    self.out.push_str(&format!("{COMPARED}|"));
                }
                word(if NESTING.contains(&name) { Last::Nesting } else { Last::Operand }, None)
            }
            (_, "is") => word(Last::Is, None),
            (_, "in") if self.target && self.block == "for" => {
                (self.target, self.value) = (false, Some(self.out.len() + length));
                word(Last::Operator, Some(Product::default()))
            }
            (_, "in") => word(Last::Operator, Some(Product { compared: true, ..Product::default() })),
            (_, name) if WORDS.contains(&name) => word(Last::Operator, Some(Product::default())),
            (_, name) => {
                self.product.named |= !CONSTANTS.contains(&name);
                word(Last::Operand, None)
            }
        }
    }

    fn begin_bracket(&mut self, bracket: char, operand: bool) {
        let kind = match bracket {
            '(' if self.was == Last::Nesting => Kind::Nesting,
            '(' if operand || self.target => Kind::Other,
            '(' => Kind::Parentheses,
            _ if self.was == Last::Operand => Kind::Other,
            _ => Kind::Literal,
        };
        self.outer.push((self.group, self.product));
        if self.level == Some(self.outer.len()) {
            self.name = self.out.len() + 1;
        }
        self.group = Group { kind, start: self.out.len(), ..Group::default() };
    }

    fn end_bracket(&mut self, bracket: char) {
        let end = close(self.out, self.product, self.last);
        if let Some(last) = self.assignments.last_mut().filter(|_| self.level == Some(self.outer.len())) {
            last.end = end;
        }
        self.group.named |= self.product.named;
        self.out.push(bracket);
        let Group { kind, start, named, comma } = self.group;
        let end = self.out.len();
        self.last = match kind {
            Kind::Nesting => put(self.out, end, &format!("|{HELD}")),
            Kind::Literal if named => enclose(self.out, start, end),
            Kind::Parentheses if named && comma => enclose(self.out, start, end),
            _ => end,
        };
        (self.group, self.product) = self.outer.pop().unwrap_or_default();
        self.product.named |= named;
        self.was = Last::Operand;
    }

    /// Writes `%` behind an operand as the filter [`PERCENT`], whose argument begins.
    fn percent(&mut self) {
        if self.product.percent {
            self.last = put(self.out, self.last, ")");
        }
        let start = self.product.start.min(self.last);
        let start = self.last - self.out[start..self.last].trim_ascii_start().len();
        put(self.out, self.last, &format!(")|{PERCENT}("));
        self.out.insert(start, '(');
        self.product.percent = true;
        (self.was, self.last) = (Last::Operator, self.out.len());
    }

    /// Ends the product before a token that another product begins behind.
    fn end_product(&mut self, token: &str) {
        let mut end = close(self.out, self.product, self.last);
        self.group.named |= self.product.named;
        if matches!(token, "if" | "recursive") && self.block == "for" && self.outer.is_empty() {
            end = match self.value.take().filter(|_| std::mem::take(&mut self.group.comma)) {
                Some(start) => enclose(self.out, start, end),
                None => end,
            };
        }
        if self.level == Some(self.outer.len()) {
            match token {
                "=" => self.assignments.push(Assignment { name: self.name, equals: self.out.len(), end }),
                "," => {
                    self.name = self.out.len() + 1;
                    self.assignments.last_mut().into_iter().for_each(|last| last.end = end);
                }
                _ => {}
            }
        }
    }
}

/// Gives the values of a `with` names of their own, which the tag's names are set to behind it.
fn apart(out: &mut String, assignments: &[Assignment]) {
    let mut sets = String::new();
    for (i, Assignment { name, equals, .. }) in assignments.iter().enumerate().rev() {
        sets = format!("%}}{{% set {} = _with_{i} {sets}", out[*name..*equals].trim());
        out.replace_range(name..equals, &format!(" _with_{i} "));
    }
    out.push_str(&sets);
}

/// Sets the parameters of a macro without an argument to their defaults behind its tag.
fn defaults(out: &mut String, assignments: &[Assignment]) {
    let Some(last) = assignments.last() else { return };
    let Some(end) = out[last.end..].rfind(')').map(|end| last.end + end) else { return };
    out.insert_str(end, &format!(", {MISSING}"));
    let mut sets = String::new();
    for Assignment { name, equals, end } in assignments.iter().rev() {
        let (name, value) = (out[*name..*equals].trim(), &out[equals + 1..*end]);
        sets = format!("%}}{{% set {name} = ({value}) if '{name}' in {MISSING} else {name} {sets}");
        out.replace_range(equals..end, "");
    }
    out.push_str(&sets);
}

/// Puts a text into the output, and says where it ends.
fn put(out: &mut String, at: usize, text: &str) -> usize {
    out.insert_str(at, text);
    at + text.len()
}

/// Ends a product at `end` of the output, and says where it ends then.
fn close(out: &mut String, product: Product, end: usize) -> usize {
    let end = if product.percent { put(out, end, ")") } else { end };
    let start = end - out[product.start.min(end)..end].trim_ascii_start().len();
    let listed = if product.listed { format!("|{LISTED}") } else { String::new() };
    let compared = if product.compared && product.named { format!("|{COMPARED}") } else { String::new() };
    let operand = &out[start..end];
    let quoted = operand.starts_with(['"', '\'']) && string(operand) == operand.len();
    let text = if product.text && !quoted { format!("|{TEXT}") } else { String::new() };
    let ordered = product.ordered && product.named && !product.text;
    let ordered = if ordered { format!("|{ORDERED}") } else { String::new() };
    let filters = listed + &compared + &ordered + &text;
    if start == end || filters.is_empty() {
        return end;
    }
    let end = put(out, end, &format!("){filters}"));
    out.insert(start, '(');
    end + 1
}

/// Puts the filter [`HELD`] behind the expression between `start` and `end` of the output, and returns its new end.
fn enclose(out: &mut String, start: usize, end: usize) -> usize {
    let start = end - out[start..end].trim_ascii_start().len();
    let end = put(out, end, &format!(")|{HELD})"));
    out.insert_str(start, "((");
    end + 2
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

/// A string in quotes without the ends of lines behind backslashes.
fn joined(text: &str) -> String {
    let (mut out, mut chars) = (String::with_capacity(text.len()), text.chars());
    while let Some(c) = chars.next() {
        match (c, chars.as_str().chars().next()) {
            ('\\', Some('\n')) => drop(chars.next()),
            ('\\', Some(next)) => {
                out.extend([c, next]);
                chars.next();
            }
            _ => out.push(c),
        }
    }
    out
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
            ("{% if a + b * -c ~ d == 'e' %}", "{% if a + (b * -c)|_listed|_text ~ (d)|_text == 'e' %}"),
            (
                "{{ 'a' ~ -b|c ~ [1 ~ d] ~ \"e\" }}",
                "{{ 'a' ~ (-b|c)|_text ~ ((([(1)|_text ~ (d)|_text])|_held))|_text ~ \"e\" }}",
            ),
            (
                "{% set x = [a + b, (c) + f(d, e=g + h)] %}",
                "{% set x = (([a + (b)|_listed, (c) + (f(d, e=g + (h)|_listed))|_listed])|_held) %}",
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
            ("{{ '%s' % x }}", "{{ ('%s')|_percent(  x) }}"),
            (
                "{{ a - b / c // d % e ** f|g(-h) * i }}",
                "{{ a - ((b / c // d)|_percent(  e ** f|g(-h)) * i)|_listed }}",
            ),
            (
                "{%- if loop.index0 % 2 == 0 and -a%b%c -%}",
                "{%- if (loop.index0)|_percent(  2) == 0 and ((-a)|_percent(b))|_percent(c) -%}",
            ),
            (
                "{{ f('%d' % (a, b), c % 2) }}",
                "{{ f(('%d')|_percent(  (((a, b))|_held)), (c)|_percent(  2)) }}",
            ),
            ("{% for x in y|length % 3 %}", "{% for x in (y|length)|_percent(  3) %}"),
        ] {
            assert_eq!(prepared(source), wanted);
        }
        for same in [
            "a + b {# {{ a + b }} #} {",
            "{%- raw %}{{ a + b }}{% endrawer %}{{ a + b }}{%- endraw -%}",
            "{{ a - b / c // d ** f|g(-h) }}{% set x = 'a % b' %}",
            "{{ a[::-1] }}{% set +%}{{ x -}}",
            "{% if a == 'b' or c != 3 and d is not none and 'e' in ['f', 'g'] and -1 <= 2 %}",
            "{% for (a, b) in c %}{% set (a, b) = c %}{% with (a, b) = c %}{% call(a, b) f(c, d) %}",
            "{% set x | upper %}{{ f(a, b=c) }}{% set x = [1, {'a': (2, 3)}] %}{{ a.map(b) }}{% set a = (b) %}",
            "{{ 'a + b",
            "{% raw %}{{ a + b }}",
        ] {
            assert_eq!(prepared(same), same);
        }
    }

    #[test]
    fn what_holds_values_and_compares_them_is_counted() {
        for (source, wanted) in [
            ("{{ [a, {'b': c}][0] }}", "{{ (([a, (({'b': c})|_held)])|_held)[0] }}"),
            ("{% set x = (a, b[c]) -%}", "{% set x = (((a, b[c]))|_held) -%}"),
            ("{% set x, y = a, 1 %}", "{% set x, y = ((a, 1)|_held) %}"),
            (
                "{% set n.x = a if b else c %}",
                "{% set n.x = a if b else c %}{% if [ n.x ]|_still %}{% endif %}",
            ),
            (
                "{% set (n.x, (y, n.z)) = a, b -%}",
                "{% set (n.x, (y, n.z)) = ((a, b)|_held) %}{% if [ n.x, y, n.z ]|_still %}{% endif -%}",
            ),
            ("{% with a = (b, c) %}", "{% with a = (((b, c))|_held) %}"),
            ("{% for a in b, c if d %}", "{% for a in ((b, c)|_held) if d %}"),
            ("{% call(a=[b]) f([c]) %}", "{% call(a=(([b])|_held)) f((([c])|_held)) %}"),
            ("{% if a == b and c not in d.e %}", "{% if a == (b)|_compared and c not in (d.e)|_compared %}"),
            (
                "{% if a <= b + [c] < d %}",
                "{% if (a)|_ordered <= (b)|_compared|_ordered + ((([c])|_held))|_listed|_ordered < (d)|_compared|_ordered %}",
            ),
            ("{% for a in b if c in d %}", "{% for a in b if c in (d)|_compared %}"),
            (
                "{{ a is in [b] and c is not eq (b, c) }}",
                "{{ a is in (([b])|_held) and c is not eq (b, c) }}",
            ),
            (
                "{{ a|batch(2, b)|sort | map('x')[0] }}",
                "{{ a|batch(2, b)|_held|_compared|sort | map('x')|_held[0] }}",
            ),
            ("{% set x | map %}", "{% set x | map|_held %}"),
        ] {
            assert_eq!(prepared(source), wanted);
        }
    }

    #[test]
    fn defaults_and_names_of_with_stand_behind_the_tag() {
        for (source, wanted) in [
            (
                "{%- macro f(a, b=(a, a), c = d) -%}x{% endmacro -%}{% macro g(a) %}{% endmacro %}",
                "{%- macro f(a, b, c , _missing) %}{% set b = ((((a, a))|_held)) if 'b' in _missing else b %}\
                 {% set c = ( d) if 'c' in _missing else c -%}x{% endmacro %}{% set f = f|_macro -%}\
                 {% macro g(a) %}{% endmacro %}",
            ),
            (
                "{%- with a = b, (c, d) = a -%}",
                "{%- with _with_0 = b, _with_1 = a %}{% set a = _with_0 %}{% set (c, d) = _with_1 -%}",
            ),
        ] {
            assert_eq!(prepared(source), wanted);
        }
    }

    #[test]
    fn generation_changes_nothing() {
        let source = "{%- generation %}{{ a }}{%endgeneration -%}{% raw %}{% generation %}{% endraw %}";
        let wanted = "{%- with %}{{ a }}{%endwith -%}{% raw %}{% generation %}{% endraw %}";
        assert_eq!(prepared(source), wanted);
    }
}

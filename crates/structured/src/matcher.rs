use std::sync::Arc;

use jarrah_base::{Error, Result, panic_message};
use llguidance::api::StopReason;

use crate::constraint::Constraint;
use crate::grammar::formats;
use crate::limits;
use crate::mask::TokenMask;
use crate::vocabulary::MaskVocabulary;

/// The name that errors of constraints begin with.
const FOUND_BY: &str = "constraint";

/// Whether an error is about a [`Constraint`], not about another part of the request.
pub fn is_of_the_constraint(error: &Error) -> bool {
    // An error begins with the op that found it.
    error.to_string().strip_prefix('[').and_then(|text| text.strip_prefix(FOUND_BY)).is_some()
}

/// The state of one output that has to keep to a [`Constraint`].
///
/// The engine asks for the [`mask`](Matcher::mask) before each token and tells the one that it chose. A clone is a fork: both go on by themselves,
/// and share what their lexer has learned. Since a matcher that has taken no token is the constraint compiled, requests with the same constraint
/// may clone it instead of compiling it again.
///
/// ```
/// use std::sync::Arc;
/// use jarrah_structured::{Constraint, TokenMask, Matcher, MaskVocabulary};
/// use jarrah_tokenizer::{TrainOptions, train};
/// let tokenizer = train(&["a"], &TrainOptions::new(257))?;
/// let end = tokenizer.eos_id()?;
/// let vocabulary = Arc::new(MaskVocabulary::new(&tokenizer, &[end], 257)?);
/// let mut matcher = Matcher::new(&vocabulary, &Constraint::Choice(vec!["yes".into(), "no".into()]))?;
/// let mut mask = TokenMask::default();
/// let mut text = Vec::new();
/// while !matcher.is_finished() {
///     matcher.mask(&mut mask)?;
///     let token = mask.iter().max().unwrap();
///     text.push(token);
///     matcher.push(token)?;
/// }
/// assert_eq!(tokenizer.decode(&text, false)?, "yes");
/// matcher.mask(&mut mask)?;
/// assert_eq!(mask.iter().collect::<Vec<_>>(), [end]);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[derive(Clone)]
pub struct Matcher {
    vocabulary: Arc<MaskVocabulary>,
    inner: llguidance::Matcher,
    // The constraint's name in errors.
    what: &'static str,
    // An end token was taken: nothing may follow.
    ended: bool,
}

impl Matcher {
    /// Compiles the constraint for outputs in the tokens of `vocabulary`.
    ///
    /// # Errors
    /// The constraint is no valid schema, grammar or regular expression, asks for what is not supported, is larger than it may be, or no text
    /// keeps to it (`Input`); the message says what and where.
    pub fn new(vocabulary: &Arc<MaskVocabulary>, constraint: &Constraint) -> Result<Matcher> {
        let compile = || -> Result<llguidance::Matcher> {
            let (grammar, numbers) = constraint.grammar(vocabulary)?;
            let wrong = |message: String| Error::input(format!("{}: {}", constraint.what(), words(&message)));
            let grammar = numbers.put(grammar, vocabulary).map_err(wrong)?;
            let inner =
                llguidance::Matcher::new(vocabulary.factory().create_parser_from_init_default(grammar));
            if let Some(message) = inner.get_error() {
                return Err(Error::input(format!("{}: {}", constraint.what(), words(&message))));
            }
            // Whether anything keeps to the constraint shows in the first mask, which is known from here on.
            let begins = inner.clone().compute_mask_or_eos();
            begins.map(|_| inner).map_err(|e| {
                let words = words(&e.to_string());
                Error::input(format!("{} cannot be kept to: {words}", constraint.what()))
            })
        };
        // The compiler calls itself for each rule that a rule uses, and for each property behind a property.
        let compiled = std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().stack_size(limits::STACK).spawn_scoped(scope, compile);
            thread.map(|thread| thread.join())
        });
        let inner = match compiled {
            Ok(Ok(compiled)) => compiled.map_err(|e| e.op(FOUND_BY))?,
            Ok(Err(panic)) => {
                let message = panic_message(&*panic).unwrap_or("it says no more");
                return Err(Error::internal(format!("cannot compile {}: {message}", constraint.what())));
            }
            Err(error) => {
                let message = format!("cannot begin a thread to compile {}: {error}", constraint.what());
                return Err(Error::environment(message));
            }
        };
        Ok(Matcher { vocabulary: vocabulary.clone(), inner, what: constraint.what(), ended: false })
    }

    /// Makes `allowed` the tokens that may come next; end tokens are among them when the output may end, and are alone when it must. After an end
    /// token there are none.
    ///
    /// It takes some tens of microseconds within strings and keys, and up to a few milliseconds where a state is met for the first time: see the
    /// [crate](crate)'s table.
    ///
    /// # Errors
    /// No token of the vocabulary can go on, or the grammar is so ambiguous here that it would take too long (`Input`).
    pub fn mask(&mut self, allowed: &mut TokenMask) -> Result<()> {
        let size = self.vocabulary.size();
        if self.ended {
            allowed.set(size, &[]);
            return Ok(());
        }
        let mask = self.inner.compute_mask_or_eos().map_err(|e| {
            let words = words(&e.to_string());
            Error::input(format!("{} allows no token behind what was written: {words}", self.what))
        })?;
        allowed.set(size, mask.as_slice());
        Ok(())
    }

    /// Takes the next token.
    ///
    /// # Errors
    /// The token may not come here; the state is as before (`Input`).
    pub fn push(&mut self, token: u32) -> Result<()> {
        if self.accepted(&[token]) != 1 {
            let what = self.what;
            return Err(Error::input(format!(
                "{what} does not allow the token {token} behind what was written"
            )));
        }
        match self.vocabulary.ends().contains(&token) {
            // A stopped parser takes no token: it has nothing left to learn.
            true => self.ended = true,
            false => {
                self.inner.consume_token(token).map_err(|e| {
                    let words = words(&e.to_string());
                    Error::input(format!("{} cannot go on with the token {token}: {words}", self.what))
                })?;
            }
        }
        Ok(())
    }

    /// How many of these tokens could follow, one after the other, from the first on: the drafts that speculative decoding may keep. The state
    /// stays as it is.
    pub fn accepted(&mut self, drafts: &[u32]) -> usize {
        if self.ended {
            return 0;
        }
        let is_end = |token: &u32| self.vocabulary.ends().contains(token);
        let text = drafts.iter().position(is_end).unwrap_or(drafts.len());
        let inside = drafts[..text].iter().take_while(|&&token| (token as usize) < self.vocabulary.size());
        let inside = inside.count();
        let count = match inside {
            0 => 0,
            _ => self.inner.validate_tokens(&drafts[..inside]).unwrap_or(0),
        };
        if count < text || text == drafts.len() {
            return count;
        }
        // The end behind them counts where the output may end.
        let may_end = if count == 0 {
            self.may_end()
        } else {
            let mut ahead = self.clone();
            ahead.inner.consume_tokens(&drafts[..count]).is_ok() && ahead.may_end()
        };
        count + usize::from(may_end)
    }

    /// Whether nothing but an end token may follow, or one has been taken.
    pub fn is_finished(&self) -> bool {
        self.ended || (self.inner.is_stopped() && self.inner.stop_reason().is_ok())
    }

    /// Whether an end token may follow.
    fn may_end(&mut self) -> bool {
        match self.inner.stop_reason() {
            StopReason::NotStopped => self.inner.is_accepting().unwrap_or(false),
            reason => reason.is_ok(),
        }
    }
}

/// The first lines of an error of the parser, without the marks around its state.
fn words(message: &str) -> String {
    if message.starts_with("panic: ") {
        return "it is more than can be computed".to_owned();
    }
    if message.starts_with("NoExtensionBias") {
        return "there is no token that goes on, nor may the output end".to_owned();
    }
    if message.contains("oneOf constraints are not supported") {
        let what = "alternatives of a `oneOf` may hold at once, which is not supported";
        return format!(
            "{what}: write `anyOf`, or require a property in each that has another `const` there"
        );
    }
    if message.contains("min/maxProperties only supported") {
        let what =
            "`minProperties` and `maxProperties` beside properties that are not required are not supported";
        return format!(
            "{what}: require all `properties`, or give an `anyOf` with an object for each set of them"
        );
    }
    if let Some((_, format)) = message.split_once("Unknown format: ") {
        let format = format.lines().next().unwrap_or_default();
        return format!("the `format` {format:?} is not supported: {}", formats());
    }
    let lines = message.lines().map(str::trim).take_while(|line| !line.starts_with('<'));
    let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).take(8).collect();
    // Of a parser's drawing below a line, only the message is kept.
    let said = lines.iter().position(|line| line.starts_with("error: "));
    let text = match said {
        Some(at) if at > 0 => format!("{} {}", lines[0], lines[at].trim_start_matches("error: ")),
        _ => lines[..lines.len().min(4)].iter().fold(String::new(), |text, line| match text.as_str() {
            "" => (*line).to_owned(),
            begun if begun.ends_with(':') => format!("{text} {line}"),
            _ => format!("{text}, {line}"),
        }),
    };
    match text.char_indices().nth(500) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text,
    }
}

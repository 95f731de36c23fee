use super::{Out, Parse, Watch};

/// The outcome of a character within marks.
pub(super) enum Step {
    /// More is needed.
    More,
    /// The calls are over; this text is behind them.
    Done(String),
    /// There is no call, or no more of them; this text is content. Its last character may begin a mark.
    Content(String),
}

/// A parser of the text behind a mark.
pub(super) trait Inside: Send {
    /// Takes the next character.
    fn push(&mut self, c: char, out: &mut Out) -> Step;
    /// Ends the text, and returns the held text that is content.
    fn finish(&mut self, out: &mut Out) -> String;
}

/// Content in which marks begin calls.
pub(super) struct Marked {
    watch: Watch,
    new: Box<dyn Fn(usize) -> Box<dyn Inside> + Send>,
    // Calls may begin without a mark, by the first character of the output that is no white space.
    first: Option<(char, Box<dyn Inside>)>,
    inside: Option<Box<dyn Inside>>,
}

impl Marked {
    /// A parser of content in which a mark of `marks` begins a parser made by `new` from the mark's number, and the character
    /// of `first` begins the parser beside it.
    pub fn new<I: Inside + 'static>(
        marks: &[&str],
        new: impl Fn(usize) -> I + Send + 'static,
        first: Option<(char, Box<dyn Inside>)>,
    ) -> Box<Marked> {
        let new = Box::new(move |mark| -> Box<dyn Inside> { Box::new(new(mark)) });
        Box::new(Marked { watch: Watch::new(marks), new, first, inside: None })
    }

    /// Text outside of calls.
    fn text(&mut self, c: char, out: &mut Out) {
        let (text, mark) = self.watch.push(c);
        out.content(&text);
        if let Some(mark) = mark {
            self.inside = Some((self.new)(mark));
        }
    }
}

impl Parse for Marked {
    fn push(&mut self, c: char, out: &mut Out) {
        if let Some((first, inside)) = self.first.take_if(|_| !c.is_whitespace())
            && first == c
        {
            self.inside = Some(inside);
        }
        let Some(inside) = &mut self.inside else { return self.text(c, out) };
        match inside.push(c, out) {
            Step::More => {}
            Step::Done(rest) => {
                self.inside = None;
                // A mark may follow at once: the text behind a call is read like any other.
                rest.chars().for_each(|c| self.push(c, out));
            }
            Step::Content(text) => {
                self.inside = None;
                let last = text.char_indices().next_back().map_or(0, |(at, _)| at);
                out.content(&text[..last]);
                text[last..].chars().for_each(|c| self.text(c, out));
            }
        }
    }

    fn finish(&mut self, out: &mut Out) {
        if let Some(mut inside) = self.inside.take() {
            let text = inside.finish(out);
            // Behind a call, the incomplete beginning of another call is no content.
            if !out.has_calls() {
                out.content(&text);
            }
        }
        let held = self.watch.finish();
        out.content(&held);
    }
}

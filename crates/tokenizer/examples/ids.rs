//! The ids of texts, for `oracle/tokenizers.py` to compare: texts come on standard input, each a line of JSON; a line of JSON
//! for each goes out: its ids, its ids as a prompt, and the text of the former.
//!
//!     cargo run --release -p jarrah-tokenizer --example ids FILE [ENCODING]

use std::io::{BufRead, Write};
use std::path::Path;

use jarrah_tokenizer::{Encoding, Tokenizer};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("name the file of a tokenizer")?;
    let tokenizer = match arguments.next() {
        None => Tokenizer::load(Path::new(&file))?,
        Some(name) => {
            use Encoding::{Cl100k, Gpt2, Llama3, O200k, P50k, Qwen};
            let all = [Gpt2, P50k, Cl100k, O200k, Llama3, Qwen];
            let encoding = all.into_iter().find(|e| format!("{e:?}").eq_ignore_ascii_case(&name));
            Tokenizer::from_tiktoken(
                &std::fs::read_to_string(&file)?,
                Some(encoding.ok_or("no such encoding")?),
            )?
        }
    };
    let mut out = std::io::BufWriter::new(std::io::stdout());
    for line in std::io::stdin().lock().lines() {
        let text: String = serde_json::from_str(&line?)?;
        let ids = tokenizer.encode(&text)?;
        let answer = serde_json::json!([ids, tokenizer.encode_prompt(&text)?, tokenizer.decode(&ids, true)?]);
        writeln!(out, "{answer}")?;
    }
    Ok(out.flush()?)
}

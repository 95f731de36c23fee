use jarrah_base::{Error, Result};
use serde_json::Value;

use super::{Tool, ToolChoice, ToolFormat, pythonic};
use crate::grammar::{Lark, quoted};

/// The most tools of a grammar.
const MOST_TOOLS: usize = 1000;

/// The texts around calls.
struct Form {
    /// Before all calls, around each, between two, and behind all.
    before: &'static str,
    open: &'static str,
    close: &'static str,
    between: &'static str,
    after: &'static str,
    /// The mark that stands first; empty if a call may begin without one.
    mark: &'static str,
}

#[rustfmt::skip]
fn form(lark: &Lark, format: ToolFormat) -> Form {
    let form = |mark, before, open, close, between, after| Form { before, open, close, between, after, mark };
    match format {
        ToolFormat::Hermes => form("<tool_call>", "", "<tool_call>\n", "\n</tool_call>", "\n", ""),
        ToolFormat::Longcat => form("<longcat_tool_call>", "", "<longcat_tool_call>\n", "\n</longcat_tool_call>", "\n", ""),
        ToolFormat::Jamba => form("<tool_calls>", "<tool_calls>[", "", "", ", ", "]</tool_calls>"),
        ToolFormat::Phi4MiniJson => form("functools", "functools[", "", "", ", ", "]"),
        ToolFormat::Granite if lark.vocabulary().special("<|tool_call|>").is_some() => {
            form("<|tool_call|>", "<|tool_call|>[", "", "", ", ", "]")
        }
        ToolFormat::Granite => form("<tool_call>", "<tool_call>[", "", "", ", ", "]"),
        ToolFormat::Llama3Json => form("", "", "", "", "; ", ""),
        ToolFormat::Llama4Pythonic | ToolFormat::Pythonic => form("", "[", "", "", ", ", "]"),
        ToolFormat::Lfm2 => form("<|tool_call_start|>", "<|tool_call_start|>[", "", "", ", ", "]<|tool_call_end|>"),
        ToolFormat::Mistral if lark.vocabulary().special("[ARGS]").is_some() => {
            form("[TOOL_CALLS]", "", "[TOOL_CALLS]", "", "", "")
        }
        ToolFormat::Mistral => form("[TOOL_CALLS]", "[TOOL_CALLS][", "", "", ", ", "]"),
        ToolFormat::DeepSeekV3 => form(
            "<｜tool▁calls▁begin｜>", "<｜tool▁calls▁begin｜>", "<｜tool▁call▁begin｜>function<｜tool▁sep｜>",
            "\n```<｜tool▁call▁end｜>", "\n", "<｜tool▁calls▁end｜>",
        ),
        ToolFormat::DeepSeekV31 => form(
            "<｜tool▁calls▁begin｜>", "<｜tool▁calls▁begin｜>", "<｜tool▁call▁begin｜>", "<｜tool▁call▁end｜>", "", "<｜tool▁calls▁end｜>",
        ),
        ToolFormat::KimiK2 => form(
            "<|tool_calls_section_begin|>", "<|tool_calls_section_begin|>", "<|tool_call_begin|>functions.",
            "<|tool_call_end|>", "", "<|tool_calls_section_end|>",
        ),
        ToolFormat::Qwen3Coder => form("<tool_call>", "", "<tool_call>\n<function=", "</function>\n</tool_call>", "\n", ""),
        ToolFormat::OpenAi => form("<|channel|>", "", "<|channel|>commentary to=functions.", "", "", ""),
    }
}

/// The body of a grammar of the calls that a choice asks for.
pub(crate) fn grammar(
    lark: &mut Lark,
    format: ToolFormat,
    tools: &[Tool],
    choice: &ToolChoice,
    parallel: bool,
) -> Result<String> {
    let chosen: Vec<&Tool> = match choice {
        ToolChoice::Named(name) => tools.iter().filter(|tool| tool.name == *name).collect(),
        ToolChoice::None => return Ok("TEXT".to_owned()),
        ToolChoice::Auto | ToolChoice::Required => tools.iter().collect(),
    };
    match chosen.len() {
        0 => return Err(Error::input("there is no tool that may be called")),
        count if count > MOST_TOOLS => {
            return Err(Error::input(format!("there are {count} tools; at most {MOST_TOOLS} are allowed")));
        }
        _ => {}
    }
    let form = form(lark, format);
    let mut bodies = Vec::new();
    for tool in chosen {
        let body = call(lark, format, tool).map_err(|e| e.context(format!("in the tool `{}`", tool.name)))?;
        bodies.push(lark.rule(&body));
    }
    let call = lark.rule(&bodies.join(" | "));
    let auto = *choice == ToolChoice::Auto;
    // Harmony has one call in a message.
    let parallel = parallel && format != ToolFormat::OpenAi && !matches!(choice, ToolChoice::Named(_));
    let (open, close) = (lark.text(form.open), lark.text(form.close));
    let more = match parallel {
        true => format!("({} {open} {call} {close})*", lark.text(form.between)),
        false => String::new(),
    };
    let after = lark.text(form.after);
    if format == ToolFormat::OpenAi {
        return Ok(harmony(lark, &call, auto));
    }
    if !auto {
        return Ok(format!("{} {open} {call} {close} {more} {after}", lark.text(form.before)));
    }
    if form.mark.is_empty() {
        // Text must not begin as a call does.
        let first = if format == ToolFormat::Llama3Json { "{" } else { "\\[" };
        let text = lark.terminal(&format!("/[^{first}](.|\\n)*/"));
        return Ok(format!("({} {open} {call} {close} {more} {after} | {text})?", lark.text(form.before)));
    }
    let begin = format!("{}{}", form.before, form.open);
    let first = lark.until(form.mark);
    let rest = lark.text(begin.strip_prefix(form.mark).unwrap_or_default());
    match (parallel, form.before.is_empty()) {
        // Each call has the mark, and text may be between.
        (true, true) => Ok(format!("({first} {rest} {call} {close})* TEXT")),
        _ => Ok(format!("({first} {rest} {call} {close} {more} {after} TEXT | TEXT)")),
    }
}

/// A call behind what opens it.
fn call(lark: &mut Lark, format: ToolFormat, tool: &Tool) -> Result<String> {
    let name = &tool.name;
    let schema = tool.schema();
    let object = |lark: &mut Lark, key: &str| -> Result<String> {
        let before = quoted(&format!("{{\"name\": {}, \"{key}\": ", Value::from(name.as_str())));
        Ok(format!("{before} {} \"}}\"", lark.json(&schema)?))
    };
    Ok(match format {
        ToolFormat::Hermes
        | ToolFormat::Longcat
        | ToolFormat::Jamba
        | ToolFormat::Phi4MiniJson
        | ToolFormat::Granite => object(lark, "arguments")?,
        ToolFormat::Llama3Json => object(lark, "parameters")?,
        ToolFormat::Mistral if lark.vocabulary().special("[ARGS]").is_some() => {
            format!("{} {}", lark.text(&format!("{name}[ARGS]")), lark.json(&schema)?)
        }
        ToolFormat::Mistral => object(lark, "arguments")?,
        ToolFormat::DeepSeekV3 => {
            format!("{} {}", quoted(&format!("{name}\n```json\n")), lark.json(&schema)?)
        }
        ToolFormat::DeepSeekV31 => {
            format!("{} {}", lark.text(&format!("{name}<｜tool▁sep｜>")), lark.json(&schema)?)
        }
        ToolFormat::KimiK2 => {
            let argument = lark.text("<|tool_call_argument_begin|>");
            format!("{} /[0-9]{{1,3}}/ {argument} {}", quoted(&format!("{name}:")), lark.json(&schema)?)
        }
        ToolFormat::OpenAi => {
            format!("{} {}", lark.text(&format!("{name} <|constrain|>json<|message|>")), lark.json(&schema)?)
        }
        ToolFormat::Qwen3Coder => {
            let mut body = quoted(&format!("{name}>\n"));
            for (key, required, property) in properties(&schema)? {
                let open = quoted(&format!("<parameter={key}>\n"));
                let texts = property["enum"].as_array().filter(|all| all.iter().all(Value::is_string));
                let value = match (texts, property["type"] == "string") {
                    (Some(all), _) => {
                        let all: Vec<String> = all
                            .iter()
                            .filter_map(Value::as_str)
                            .map(|text| quoted(&format!("{text}\n")))
                            .collect();
                        format!("({}) \"</parameter>\"", all.join(" | "))
                    }
                    (None, true) => lark.until("\n</parameter>"),
                    (None, false) => format!("{} \"\\n</parameter>\"", lark.json(&property)?),
                };
                let one = lark.rule(&format!("{open} {value} \"\\n\""));
                body.push_str(&if required { format!(" {one}") } else { format!(" {one}?") });
            }
            body
        }
        ToolFormat::Llama4Pythonic | ToolFormat::Pythonic | ToolFormat::Lfm2 => {
            let all = properties(&schema)?;
            let mut written = Vec::new();
            for (key, required, property) in all {
                let value = pythonic::value(lark, &property);
                written.push((lark.rule(&format!("{} {value}", quoted(&format!("{key}=")))), required));
            }
            format!("{} {} \")\"", quoted(&format!("{name}(")), pythonic::list(lark, &written))
        }
    })
}

/// The properties of an object's schema in their order: the key, whether it is required, and its schema with the definitions of the whole.
fn properties(schema: &Value) -> Result<Vec<(String, bool, Value)>> {
    let required =
        |key: &str| schema["required"].as_array().is_some_and(|all| all.iter().any(|name| name == key));
    let mut all = Vec::new();
    for (key, property) in schema["properties"].as_object().into_iter().flatten() {
        let mut property = property.clone();
        if let Value::Object(entries) = &mut property {
            for definitions in ["$defs", "definitions"] {
                if let Some(own) = schema.get(definitions) {
                    entries.entry(definitions).or_insert_with(|| own.clone());
                }
            }
        }
        if key.is_empty() || key.contains(['<', '>', '\n', '=', '(', ')', ' ']) {
            let error = format!("the parameter {key:?} has a name that the format of the model cannot write");
            return Err(Error::input(error));
        }
        all.push((key.clone(), required(key), property));
    }
    Ok(all)
}

/// A call in Harmony, perhaps behind reasoning; or with `auto` a message instead.
fn harmony(lark: &mut Lark, call: &str, auto: bool) -> String {
    let ends = lark.vocabulary().ends().to_vec();
    let is_end = |name: &str| lark.vocabulary().special(name).is_some_and(|id| ends.contains(&id));
    let (call_end, body_end) = (is_end("<|call|>"), is_end("<|return|>"));
    let again = lark.text("<|end|><|start|>assistant");
    let message = |lark: &mut Lark, channel: &str| {
        format!("{} TEXT", lark.text(&format!("<|channel|>{channel}<|message|>")))
    };
    let analysis = format!("({} {again})*", message(lark, "analysis"));
    let open = lark.text("<|channel|>commentary to=functions.");
    let close = if call_end { String::new() } else { lark.text("<|call|>") };
    let call = format!("{open} {call} {close}");
    if !auto {
        return format!("{analysis} {call}");
    }
    let close = if body_end { String::new() } else { lark.text("<|return|>") };
    let last = format!("{} {close}", message(lark, "final"));
    let preamble = format!("({} {again})?", message(lark, "commentary"));
    format!("{analysis} ({preamble} {call} | {last})")
}

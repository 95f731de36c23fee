use jarrah_structured::{
    Constraint, Delta, Message, OutputParser, Tool, ToolCall, ToolChoice, ToolFormat, tools,
};
use serde_json::{Value, json};

use super::world::{Random, asked, matcher, output, takes};

fn list() -> Vec<Tool> {
    Tool::list(&json!([
        {"type": "function", "function": {"name": "get_weather", "description": "The weather.", "parameters": {"type": "object",
            "properties": {"city": {"type": "string"}, "days": {"type": "integer", "minimum": 1, "maximum": 14},
                "unit": {"enum": ["c", "f"]}, "exact": {"type": "boolean"}, "at": {"$ref": "#/$defs/point"}},
            "$defs": {"point": {"type": "object", "properties": {"x": {"type": "number"}, "y": {"type": "number"}}, "required": ["x", "y"],
                "additionalProperties": false}},
            "required": ["city", "days"], "additionalProperties": false}}},
        {"type": "function", "name": "now"},
        {"type": "function", "function": {"name": "run-code", "parameters": {"properties": {"code": {"type": "string"},
            "lines": {"type": "array", "items": {"type": "string"}}}}}}
    ]))
    .unwrap()
}

fn parse(format: ToolFormat, text: &str) -> Message {
    OutputParser::new(None, Some(format), &list(), 7).parse(text)
}

/// The deltas of a text in pieces, whose ends are these bytes.
fn pieces(mut parser: OutputParser, text: &str, cuts: &[usize]) -> (Message, Vec<Delta>) {
    let mut message = Message::default();
    let mut all = Vec::new();
    let mut start = 0;
    for &cut in cuts.iter().chain([&text.len()]) {
        all.extend(parser.push(&text[start..cut]));
        start = cut;
    }
    all.extend(parser.finish());
    all.iter().for_each(|delta| message.add(delta));
    (message, all)
}

/// Wherever the text is cut, the pieces joined are the message.
pub fn law(new: impl Fn() -> OutputParser, text: &str) -> Message {
    let whole = new().parse(text);
    let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    for &cut in &ends {
        assert_eq!(pieces(new(), text, &[cut]).0, whole, "{text:?} cut at {cut}");
    }
    assert_eq!(pieces(new(), text, &ends).0, whole, "{text:?} character by character");
    let mut random = Random(text.len() as u64 + 1);
    for _ in 0..20 {
        let cuts: Vec<usize> = ends.iter().copied().filter(|_| random.below(6) == 0).collect();
        assert_eq!(pieces(new(), text, &cuts).0, whole, "{text:?} cut at {cuts:?}");
    }
    whole
}

/// A format, a text, and what is in it: the content, and the names and arguments of calls.
type Example = (ToolFormat, &'static str, &'static str, &'static [(&'static str, &'static str)]);

const WEATHER: (&str, &str) = ("get_weather", "{\"city\": \"Perth\", \"days\": 3}");

#[rustfmt::skip]
const EXAMPLES: &[Example] = &[
    (ToolFormat::Hermes, "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Perth\", \"days\": 3}}\n</tool_call>", "", &[WEATHER]),
    (ToolFormat::Hermes, "Let me see.\n<tool_call>{\"arguments\": {\"city\": \"Perth\", \"days\": 3}, \"name\": \"get_weather\"}</tool_call>\n<tool_call>\n{\"name\": \"now\"}\n</tool_call>\n", "Let me see.\n", &[WEATHER, ("now", "{}")]),
    (ToolFormat::Hermes, "\n\n<tool_call>{\"name\":\"run-code\",\"arguments\":{\"code\":\"if a < b {\\n \\\"</tool_call>\\\" }\"}}</tool_call> Done.", " Done.", &[("run-code", "{\"code\":\"if a < b {\\n \\\"</tool_call>\\\" }\"}")]),
    (ToolFormat::Hermes, "<tool_call>{\"name\": \"now\", \"arguments\": null}</tool_call><tool_call>{\"name\": \"now\", \"arguments\": \"{\\\"a\\\": 1}\", \"x\": 1}", "", &[("now", "{}"), ("now", "{\"a\": 1}")]),
    // No call.
    (ToolFormat::Hermes, "a < b, <tool, <tool_call> is a tag, <tool_call>{\"name\": 1}</tool_call> and <tool_call>[]", "a < b, <tool, <tool_call> is a tag, <tool_call>{\"name\": 1}</tool_call> and <tool_call>[]", &[]),
    (ToolFormat::Hermes, "<tool_call><tool_call>{\"name\": \"now\", \"arguments\": {}}</tool_call>", "<tool_call>", &[("now", "{}")]),
    (ToolFormat::Hermes, "<tool_call>{\"name\": \"now\", \"arguments\": [1]}", "<tool_call>{\"name\": \"now\", \"arguments\": [1]}", &[]),
    (ToolFormat::Hermes, "  \n", "  \n", &[]),
    // Cut off.
    (ToolFormat::Hermes, "<tool_call>{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Per", "", &[("get_weather", "{\"city\": \"Per")]),
    (ToolFormat::Hermes, "Hm. <tool_call>{\"name\": \"get_wea", "Hm. <tool_call>{\"name\": \"get_wea", &[]),
    (ToolFormat::Hermes, "<tool_call>{\"name\": \"get_weather\", \"argu", "", &[("get_weather", "")]),
    (ToolFormat::Hermes, "<tool_call>{\"name\": \"now\", \"arguments\": {}}</tool_ca", "", &[("now", "{}")]),
    (ToolFormat::Hermes, "<tool_call>{\"name\": \"now\", \"arguments\": {}}</tool_call>\n<tool_call>\n{\"na", "", &[("now", "{}")]),
    (ToolFormat::Llama3Json, "<|python_tag|>{\"name\": \"now\", \"parameters\":", "", &[("now", "")]),
    (ToolFormat::Llama3Json, "{\"name\": \"Ann\", \"par", "{\"name\": \"Ann\", \"par", &[]),
    (ToolFormat::Mistral, "[TOOL_CALLS]now[ARGS]", "", &[("now", "")]),
    (ToolFormat::Mistral, "[TOOL_CALLS]no", "[TOOL_CALLS]no", &[]),
    (ToolFormat::DeepSeekV31, "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>now<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁call▁begin｜>now<｜tool▁sep｜>", "", &[("now", "{}"), ("now", "")]),
    (ToolFormat::Llama4Pythonic, "[get_weather(city=\"Perth\", days=1", "", &[("get_weather", "{\"city\":\"Perth\"")]),
    (ToolFormat::Lfm2, "<|tool_call_start|>[now(", "", &[("now", "{")]),
    (ToolFormat::Pythonic, "[now(see below", "[now(see below", &[]),
    (ToolFormat::Qwen3Coder, "<tool_call><function=get_weather><parameter=city>Perth</parameter><parameter=da", "", &[("get_weather", "{\"city\": \"Perth\"")]),
    (ToolFormat::Qwen3Coder, "<tool_call><function=now></func", "", &[("now", "{")]),
    // Arguments that are no JSON, and a line break in a text.
    (ToolFormat::Hermes, "<tool_call>{\"name\": \"now\", \"arguments\": {a: 1}}</tool_call>x", "x", &[("now", "{a: 1}}")]),
    (ToolFormat::Hermes, "<tool_call>{\"name\": \"run-code\", \"arguments\": {\"code\": \"a\nb\tc\"}}</tool_call>", "", &[("run-code", "{\"code\": \"a\\nb\\tc\"}")]),
    (ToolFormat::Longcat, "<longcat_tool_call>{\"name\": \"now\", \"arguments\": {}}</longcat_tool_call>", "", &[("now", "{}")]),
    (ToolFormat::Llama3Json, "{\"name\": \"get_weather\", \"parameters\": {\"city\": \"Perth\", \"days\": 3}}", "", &[WEATHER]),
    (ToolFormat::Llama3Json, "<|python_tag|>{\"type\": \"function\", \"name\": \"now\", \"parameters\": {}}; {\"name\": \"now\", \"arguments\": {\"a\": [1, {\"b\": -1.5e3}]}}", "", &[("now", "{}"), ("now", "{\"a\": [1, {\"b\": -1.5e3}]}")]),
    (ToolFormat::Llama3Json, "{\"name\": \"Ann\", \"age\": 3}", "{\"name\": \"Ann\", \"age\": 3}", &[]),
    (ToolFormat::Llama3Json, "I say {\"name\": \"now\", \"parameters\": {}}", "I say {\"name\": \"now\", \"parameters\": {}}", &[]),
    (ToolFormat::Llama4Pythonic, "[get_weather(city=\"Perth\", days=3), now()]", "", &[("get_weather", "{\"city\":\"Perth\",\"days\":3}"), ("now", "{}")]),
    (ToolFormat::Llama4Pythonic, "<|python_start|>[run-code(code='a\\n\"]), (', x=[1, -2.5, True, None, {'k': (1,)}],)]<|python_end|>", "", &[("run-code", "{\"code\":\"a\\n\\\"]), (\",\"x\":[1,-2.5,true,null,{\"k\":[1]}]}")]),
    (ToolFormat::Pythonic, "[1, 2] and [a](http://b)", "[1, 2] and [a](http://b)", &[]),
    (ToolFormat::Pythonic, "[now(3)]", "[now(3)]", &[]),
    (ToolFormat::Pythonic, "[now(id=123456789012345678901234567890, n=-7)]", "", &[("now", "{\"id\":123456789012345678901234567890,\"n\":-7}")]),
    (ToolFormat::Pythonic, "[now(), and more", ", and more", &[("now", "{}")]),
    (ToolFormat::Lfm2, "So: <|tool_call_start|>[now()]<|tool_call_end|> there", "So:  there", &[("now", "{}")]),
    (ToolFormat::Mistral, "[TOOL_CALLS] [{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Perth\", \"days\": 3}}, {\"name\": \"now\", \"arguments\": {}, \"id\": \"abcdefghi\"}]", "", &[WEATHER, ("now", "{}")]),
    (ToolFormat::Mistral, "Well.[TOOL_CALLS]get_weather{\"city\": \"Perth\", \"days\": 3}[TOOL_CALLS]now[ARGS]{}[TOOL_CALLS]now[CALL_ID]123456789[ARGS]{\"a\": 1}", "Well.", &[WEATHER, ("now", "{}"), ("now", "{\"a\": 1}")]),
    (ToolFormat::Mistral, "[TOOL_CALLS] no, [TOOL] not", "[TOOL_CALLS] no, [TOOL] not", &[]),
    (ToolFormat::DeepSeekV3, "Ok.<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n```json\n{\"city\": \"Perth\", \"days\": 3}\n```<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>now\n```json\n{}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>", "Ok.", &[WEATHER, ("now", "{}")]),
    (ToolFormat::DeepSeekV31, "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{\"city\": \"Perth\", \"days\": 3}<｜tool▁call▁end｜><｜tool▁call▁begin｜>now<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>", "", &[WEATHER, ("now", "{}")]),
    (ToolFormat::DeepSeekV31, "<｜tool▁calls▁begin｜>nothing<｜tool▁calls▁end｜>", "<｜tool▁calls▁begin｜>nothing<｜tool▁calls▁end｜>", &[]),
    (ToolFormat::KimiK2, "<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{\"city\": \"Perth\", \"days\": 3}<|tool_call_end|><|tool_calls_section_end|>", "", &[WEATHER]),
    (ToolFormat::Granite, "<|tool_call|>[{\"name\": \"now\", \"arguments\": {}}, {\"name\": \"now\", \"arguments\": {\"a\": 1}}]", "", &[("now", "{}"), ("now", "{\"a\": 1}")]),
    (ToolFormat::Jamba, "<tool_calls>[{\"name\": \"now\", \"arguments\": {}}]</tool_calls>.", ".", &[("now", "{}")]),
    (ToolFormat::Phi4MiniJson, "functools[{\"name\": \"now\", \"arguments\": {}}]", "", &[("now", "{}")]),
    (ToolFormat::Phi4MiniJson, "functools is a module; functools[]", "functools is a module; functools[]", &[]),
    (ToolFormat::Qwen3Coder, "I will.\n<tool_call>\n<function=get_weather>\n<parameter=city>\nPerth\n</parameter>\n<parameter=days>\n3\n</parameter>\n</function>\n</tool_call>", "I will.\n", &[WEATHER]),
    (ToolFormat::Qwen3Coder, "<tool_call>\n<function=run-code>\n<parameter=code>\nif a < b:\n    print(\"</x>\")\n\n</parameter>\n<parameter=lines>\n[\"a\", \"b\"]\n</parameter>\n</function>\n</tool_call>\n<tool_call>\n<function=now>\n</function>\n</tool_call>", "", &[("run-code", "{\"code\": \"if a < b:\\n    print(\\\"</x>\\\")\\n\", \"lines\": [\"a\", \"b\"]}"), ("now", "{}")]),
    (ToolFormat::Qwen3Coder, "<function=get_weather><parameter=exact>True</parameter><parameter=at>\n{'x'}\n</parameter></function>", "", &[("get_weather", "{\"exact\": true, \"at\": \"{'x'}\"}")]),
    (ToolFormat::Qwen3Coder, "<tool_call> <function= no", "<tool_call> <function= no", &[]),
    (ToolFormat::OpenAi, "<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{\"city\": \"Perth\", \"days\": 3}<|call|>", "", &[WEATHER]),
    (ToolFormat::OpenAi, "<|channel|>commentary<|message|>I look.<|end|><|start|>assistant to=functions.now<|channel|>commentary json<|message|><|call|>", "I look.", &[("now", "{}")]),
    (ToolFormat::OpenAi, "<|channel|>final<|message|>Hello <|there|>.", "Hello <|there|>.", &[]),
    (ToolFormat::OpenAi, "plain <|channel|>fin", "plain <|channel|>fin", &[]),
];

#[test]
fn every_format_reads_its_calls_wherever_they_are_cut() {
    for &(format, text, content, calls) in EXAMPLES {
        let message = law(|| OutputParser::new(None, Some(format), &list(), 7), text);
        let found: Vec<(&str, &str)> =
            message.calls.iter().map(|call| (call.name.as_str(), call.arguments.as_str())).collect();
        assert_eq!((message.content.as_str(), found.as_slice()), (content, calls), "{format:?}: {text:?}");
    }
    for format in ToolFormat::all() {
        assert!(EXAMPLES.iter().any(|example| example.0 == format && !example.3.is_empty()), "{format:?}");
    }
}

/// Marks and pieces of calls in any order: what is read does not depend on the cuts, and without calls nothing is lost.
#[test]
fn any_text_is_read_alike_wherever_it_is_cut() {
    let mut parts: Vec<String> = Vec::new();
    for (_, text, ..) in EXAMPLES {
        let mut random = Random(text.len() as u64);
        let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        for _ in 0..3 {
            let (a, b) = (ends[random.below(ends.len())], ends[random.below(ends.len())]);
            parts.push(text[a.min(b)..a.max(b)].to_owned());
        }
        parts.push((*text).to_owned());
    }
    let mut random = Random(99);
    for round in 0..asked("JARRAH_TEXTS", 300) {
        let text: String =
            (0..1 + random.below(4)).map(|_| parts[random.below(parts.len())].as_str()).collect();
        for format in ToolFormat::all() {
            let new = || OutputParser::new(None, Some(format), &list(), 7);
            let whole = new().parse(&text);
            let cuts: Vec<usize> = text
                .char_indices()
                .map(|(at, _)| at)
                .filter(|_| round % 2 == 0 || random.below(5) == 0)
                .collect();
            assert_eq!(pieces(new(), &text, &cuts).0, whole, "{format:?}: {text:?}");
            if whole.calls.is_empty() && format != ToolFormat::OpenAi {
                assert_eq!(whole.content, text, "{format:?}");
            }
        }
    }
}

#[test]
fn calls_stream_as_they_come() {
    let text = "<tool_call>{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Perth\"";
    let parser = OutputParser::new(None, Some(ToolFormat::Hermes), &[], 7);
    let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    let deltas = pieces(parser, text, &ends).1;
    assert_eq!(deltas.len(), 1 + "{\"city\": \"Perth\"".len());
    let code = "<tool_call>\n<function=run-code>\n<parameter=code>\nabc";
    let ends: Vec<usize> = code.char_indices().map(|(at, _)| at).collect();
    let deltas = pieces(OutputParser::new(None, Some(ToolFormat::Qwen3Coder), &list(), 7), code, &ends).1;
    assert!(
        deltas.iter().any(|delta| matches!(delta, Delta::Arguments { text, .. } if text == "b")),
        "{deltas:?}"
    );
}

#[test]
fn ids_are_those_of_the_model_or_new() {
    let ids = |format, seed, text: &str| -> Vec<String> {
        let message = OutputParser::new(None, Some(format), &[], seed).parse(text);
        message.calls.into_iter().map(|call: ToolCall| call.id).collect()
    };
    let two = "<tool_call>{\"name\": \"a\"}</tool_call><tool_call>{\"name\": \"a\"}</tool_call>";
    let all = [ids(ToolFormat::Hermes, 1, two), ids(ToolFormat::Hermes, 2, two)].concat();
    assert_eq!(all.iter().collect::<std::collections::BTreeSet<_>>().len(), 4, "{all:?}");
    assert_eq!(all[..2], ids(ToolFormat::Hermes, 1, two));
    assert!(all.iter().all(|id| id.starts_with("call_") && id.len() == 29));
    let mistral = ids(ToolFormat::Mistral, 1, "[TOOL_CALLS]now{}[TOOL_CALLS]now[CALL_ID]123456789[ARGS]{}");
    assert!(mistral[0].len() == 9 && mistral[0].chars().all(char::is_alphanumeric));
    assert_eq!(mistral[1], "123456789");
    let kimi = "<|tool_call_begin|>functions.now:3<|tool_call_argument_begin|>{}<|tool_call_end|>";
    assert_eq!(ids(ToolFormat::KimiK2, 1, kimi), ["functions.now:3"]);
}

/// What a model says under the grammar of a format is read by the parser of the format, as calls of the tools that are asked for.
#[test]
fn calls_that_must_come_are_calls() {
    let tools = list();
    let judge = |name: &str| {
        let tool = tools.iter().find(|tool| tool.name == name).unwrap();
        jsonschema::validator_for(&tool.parameters).unwrap()
    };
    let mut random = Random(23);
    for format in ToolFormat::all() {
        let choices = [ToolChoice::Required, ToolChoice::Named("get_weather".to_owned()), ToolChoice::Auto];
        for (choice, parallel) in choices.iter().zip([true, true, false]) {
            let constraint =
                tools::constraint(&tools, choice, format, parallel).unwrap_or(Constraint::ToolCalls {
                    format,
                    tools: tools.clone(),
                    choice: choice.clone(),
                    parallel,
                });
            let matcher = matcher(&constraint);
            for _ in 0..asked("JARRAH_OUTPUTS", 400) / 100 {
                let text = output(&matcher, &mut random, 150).text;
                let message = parse(format, &text);
                let count = message.calls.len();
                assert!(
                    match choice {
                        ToolChoice::Required => count >= 1,
                        ToolChoice::Named(_) => count == 1,
                        _ => count <= 1,
                    },
                    "{format:?} {choice:?}: {text:?} {message:?}"
                );
                if *choice != ToolChoice::Auto {
                    assert_eq!(message.content.trim(), "", "{format:?}: {text:?}");
                }
                for call in message.calls {
                    assert!(
                        matches!(choice, ToolChoice::Named(name) if *name == call.name)
                            || *choice != choices[1]
                    );
                    let value: Value = match serde_json::from_str(&call.arguments) {
                        Ok(value) => value,
                        Err(error) if error.to_string().contains("out of range") => continue,
                        Err(error) => panic!("{format:?} {text:?}: {call:?}: {error}"),
                    };
                    if let Err(error) = judge(&call.name).validate(&value) {
                        let python = matches!(
                            format,
                            ToolFormat::Pythonic | ToolFormat::Llama4Pythonic | ToolFormat::Lfm2
                        );
                        // Python's literals follow types alone.
                        assert!(python, "{format:?} {text:?}: {value}: {error}");
                    }
                }
            }
        }
    }
}

#[test]
fn free_text_may_surround_calls_where_the_model_decides() {
    let strict =
        |format| Constraint::ToolCalls { format, tools: list(), choice: ToolChoice::Auto, parallel: true };
    for text in [
        "",
        "Hello.",
        "a <tool> b",
        "<tool_call>\n{\"name\": \"now\", \"arguments\": {}}\n</tool_call>",
        "So: <tool_call>\n{\"name\": \"now\", \"arguments\": {}}\n</tool_call> and\n<tool_call>\n{\"name\": \"now\", \"arguments\": {}}\n</tool_call>.",
    ] {
        // The names of tokens are tokens of this vocabulary.
        assert!(takes(&strict(ToolFormat::Hermes), text), "{text:?}");
    }
    assert!(!takes(
        &strict(ToolFormat::Hermes),
        "<tool_call>\n{\"name\": \"other\", \"arguments\": {}}\n</tool_call>"
    ));
    assert!(takes(&strict(ToolFormat::Llama3Json), "Hello {"));
    assert!(takes(&strict(ToolFormat::Llama3Json), "{\"name\": \"now\", \"parameters\": {}}"));
    assert!(!takes(&strict(ToolFormat::Llama3Json), "{\"name\": \"other\", \"parameters\": {}}"));
    assert!(takes(
        &strict(ToolFormat::OpenAi),
        "<|channel|>analysis<|message|>Hm<|end|><|start|>assistant<|channel|>final<|message|>Hi<|return|>"
    ));
}

#[test]
fn requests_are_read_and_refused() {
    let tools = list();
    assert_eq!(tools.len(), 3);
    assert_eq!(
        Tool::for_template(&tools[..1])[0]["function"].as_object().unwrap().keys().collect::<Vec<_>>(),
        ["name", "description", "parameters"]
    );
    for (value, words) in [
        (json!({}), "not a list"),
        (json!([{"type": "web_search"}]), "tools[0] is of the type"),
        (json!([{"function": {}}]), "tools[0] has no `name`"),
        (json!([{"name": "a b"}]), "1 to 64 letters"),
        (json!([{"name": "a"}, {"name": "a"}]), "tools[1] has the name \"a\", as one before"),
        (json!([{"name": "a", "parameters": []}]), "no JSON schema"),
        (json!([{"name": "a", "parameters": {"type": "string"}}]), "another type"),
    ] {
        let error = Tool::list(&value).unwrap_err().to_string();
        assert!(error.contains(words), "{value}: {error}");
    }
    assert_eq!(Tool::list(&Value::Null).unwrap(), []);
    let choice = |value: Value| ToolChoice::parse(&value, &tools);
    assert_eq!(choice(Value::Null).unwrap(), ToolChoice::Auto);
    assert_eq!(ToolChoice::parse(&Value::Null, &[]).unwrap(), ToolChoice::None);
    assert_eq!(choice(json!("required")).unwrap(), ToolChoice::Required);
    assert_eq!(
        choice(json!({"type": "function", "function": {"name": "now"}})).unwrap(),
        ToolChoice::Named("now".to_owned())
    );
    for (value, words) in [
        (json!("some"), "it is \"none\""),
        (json!({"function": {"name": "x"}}), "not in `tools`"),
        (json!(3), "is 3"),
    ] {
        let error = choice(value.clone()).unwrap_err().to_string();
        assert!(error.contains(words), "{value}: {error}");
    }
    assert!(ToolChoice::parse(&json!("required"), &[]).is_err());
    assert_eq!(tools::constraint(&tools, &ToolChoice::None, ToolFormat::Hermes, true), None);
}

#[test]
fn formats_are_named_and_guessed() {
    for name in ToolFormat::names() {
        assert!(ToolFormat::named(name).is_ok());
    }
    for format in ToolFormat::all() {
        assert_eq!(ToolFormat::named(format.name()).unwrap(), format);
    }
    for (template, architecture, format) in [
        ("...<tool_call>\\n{\"name\": <function-name>", "Qwen2ForCausalLM", Some(ToolFormat::Hermes)),
        ("<tool_call>\\n<function=' ~ tool", "Qwen3MoeForCausalLM", Some(ToolFormat::Qwen3Coder)),
        ("[TOOL_CALLS]", "MistralForCausalLM", Some(ToolFormat::Mistral)),
        ("<｜tool▁calls▁begin｜> function ```json", "DeepseekV3ForCausalLM", Some(ToolFormat::DeepSeekV3)),
        ("<｜tool▁calls▁begin｜>", "DeepseekV3ForCausalLM", Some(ToolFormat::DeepSeekV31)),
        ("{% if tools %}{\"name\": function", "LlamaForCausalLM", Some(ToolFormat::Llama3Json)),
        ("{{ messages }}", "LlamaForCausalLM", None),
        ("<|channel|>analysis to=functions.", "GptOssForCausalLM", Some(ToolFormat::OpenAi)),
    ] {
        assert_eq!(ToolFormat::guess(template, architecture), format, "{template}");
    }
}

/// Numbers and literals of Python are values of the types that a tool has for them, as vLLM reads them, and numbers keep their digits.
#[test]
fn literals_of_python_are_values_of_their_types() {
    let tools = Tool::list(&json!([{"type": "function", "function": {"name": "f", "parameters": {
        "type": "object", "properties": {
            "i": {"type": "integer"}, "n": {"type": "number"}, "b": {"type": "boolean"}, "o": {"type": "object"}, "l": {"type": "array"},
            "x": {}, "s": {"type": ["string", "null"]}}}}}]))
    .unwrap();
    let read = |format: &str, text: &str| {
        let format = ToolFormat::named(format).unwrap();
        let message = law(|| OutputParser::new(None, Some(format), &tools, 7), text);
        assert_eq!((message.content.as_str(), message.calls.len()), ("", 1), "{text}");
        message.calls[0].arguments.clone()
    };
    for (kind, written, wanted) in [
        ("n", "1e400", "1e400"),
        ("n", ".5", "0.5"),
        ("n", "5.", "5.0"),
        ("n", "+5", "5"),
        ("n", "NaN", "\"NaN\""),
        ("i", "007", "7"),
        ("i", "18446744073709551617", "18446744073709551617"),
        ("i", ".5", "\".5\""),
        ("l", "[1.10, 18446744073709551617, 1e400]", "[1.10, 18446744073709551617, 1e400]"),
        ("l", "(1, 2)", "[1,2]"),
        ("l", "007", "\"007\""),
        ("l", "1, 2", "\"1, 2\""),
        ("o", "{'q': True}", "{\"q\":true}"),
        ("o", "{\"q\": NaN}", "{\"q\": NaN}"),
        ("x", "007", "\"007\""),
        ("s", "(1, 2)", "\"(1, 2)\""),
    ] {
        let text = format!(
            "<tool_call>\n<function=f>\n<parameter={kind}>\n{written}\n</parameter>\n</function>\n</tool_call>"
        );
        assert_eq!(read("qwen3_coder", &text), format!("{{\"{kind}\": {wanted}}}"), "{written}");
    }
    for number in ["NaN", "Infinity", "-Infinity"] {
        let arguments = format!("{{\"n\":{number},\"l\":[{number}]}}");
        let text = format!("<tool_call>{{\"name\":\"f\",\"arguments\":{arguments}}}</tool_call>");
        assert_eq!(read("hermes", &text), arguments);
    }
}

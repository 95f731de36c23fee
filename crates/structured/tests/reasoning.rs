use jarrah_structured::{Beginning, OutputParser, ReasoningFormat, Thinking, ToolFormat};

use super::calls::law;
use super::world::TOKENIZER;

#[test]
fn reasoning_is_told_from_the_answer() {
    use Beginning::{After, Before, Inside};
    use ReasoningFormat::{DeepSeekR1, Granite, Mistral, OpenAiGptOss, Qwen3, SeedOss};
    for (format, beginning, text, reasoning, content) in [
        (DeepSeekR1, Inside, "Hm.\n</think>\n\nYes.", "Hm.\n", "\n\nYes."),
        (DeepSeekR1, Inside, "<think>Hm </thin</think>Yes.", "Hm </thin", "Yes."),
        (DeepSeekR1, Inside, "Hm, no end </think", "Hm, no end </think", ""),
        (Qwen3, Before, "\n<think>\nHm\n</think>\nYes <think>", "\nHm\n", "\nYes <think>"),
        (Qwen3, Before, "No </think> thought.", "", "No </think> thought."),
        (Qwen3, Before, "  <thin", "", "  <thin"),
        (Qwen3, After, "<think>a</think>", "", "<think>a</think>"),
        (Mistral, Before, "[THINK]Hm[/THINK]Yes", "Hm", "Yes"),
        (Granite, Before, "Here's my thought process: a Here is my response: b", " a ", " b"),
        (SeedOss, Inside, "a</seed:think>b", "a", "b"),
        (
            OpenAiGptOss,
            Before,
            "<|channel|>analysis<|message|>Hm<|end|><|start|>assistant<|channel|>final<|message|>Yes",
            "Hm",
            "Yes",
        ),
    ] {
        let message = law(|| OutputParser::new(Some((format, beginning)), None, &[], 1), text);
        assert_eq!(
            (message.reasoning.as_str(), message.content.as_str()),
            (reasoning, content),
            "{format:?} {text:?}"
        );
    }
    // A call in the reasoning is none.
    let text =
        "<think><tool_call>{\"name\": \"a\"}</tool_call></think>\n<tool_call>{\"name\": \"b\"}</tool_call>";
    let message = law(|| OutputParser::new(Some((Qwen3, Before)), Some(ToolFormat::Hermes), &[], 1), text);
    assert_eq!(message.calls.len(), 1);
    assert_eq!((message.calls[0].name.as_str(), message.content.as_str()), ("b", ""));
    assert_eq!(message.reasoning, "<tool_call>{\"name\": \"a\"}</tool_call>");
    for name in ReasoningFormat::names() {
        assert!(ReasoningFormat::named(name).is_ok());
    }
    assert!(ReasoningFormat::named("r1").unwrap_err().to_string().contains("deepseek_r1"));
    assert_eq!(ReasoningFormat::guess("{{ '<think>' }}..</think>"), Some(Qwen3));
    assert_eq!(ReasoningFormat::guess("[THINK]"), Some(Mistral));
    assert_eq!(ReasoningFormat::guess("plain"), None);
}

fn run(
    format: ReasoningFormat,
    beginning: Beginning,
    budget: Option<usize>,
    text: &str,
) -> (Thinking, Vec<bool>) {
    let mut thinking = Thinking::new(&TOKENIZER, format, beginning, budget).unwrap();
    let mut states = vec![thinking.is_thinking()];
    for token in TOKENIZER.encode_chat(text).unwrap() {
        thinking.push(token).unwrap();
        states.push(thinking.is_thinking());
    }
    (thinking, states)
}

#[test]
fn tokens_of_reasoning_are_counted_and_ended() {
    use Beginning::{After, Before, Inside};
    use ReasoningFormat::{OpenAiGptOss, Qwen3, SeedOss};
    let (thinking, states) = run(Qwen3, Inside, None, "a b</think>c");
    assert_eq!(states.iter().filter(|thinks| **thinks).count(), states.len() - 2);
    assert_eq!(thinking.forced(), None);
    let start = Thinking::new(&TOKENIZER, Qwen3, Before, None).unwrap();
    assert_eq!((start.is_thinking(), start.may_begin()), (false, TOKENIZER.token_id("<think>")));
    let (thinking, states) = run(Qwen3, Before, None, "<think>a</think>b");
    assert_eq!((states, thinking.may_begin()), (vec![false, true, true, false, false], None));
    let (thinking, states) = run(Qwen3, Before, None, "no");
    assert_eq!((states.last(), thinking.may_begin()), (Some(&false), None));
    let (_, states) = run(Qwen3, After, None, "a");
    assert!(states.iter().all(|thinks| !thinks));
    // A mark that is one token, and one of many.
    for (format, end) in [(Qwen3, "</think>"), (SeedOss, "</seed:think>")] {
        let (mut thinking, _) = run(format, Inside, Some(2), "a1");
        let mut text = Vec::new();
        while let Some(token) = thinking.forced() {
            text.push(token);
            thinking.push(token).unwrap();
            assert!(text.len() < 30);
        }
        assert_eq!(TOKENIZER.decode(&text, false).unwrap(), end);
        assert!(!thinking.is_thinking());
    }
    let (thinking, states) = run(
        OpenAiGptOss,
        Before,
        Some(2),
        "<|channel|>analysis<|message|>a b c<|end|><|start|>assistant<|channel|>final<|message|>x",
    );
    assert_eq!(states.iter().filter(|thinks| !**thinks).count(), 2, "{states:?}");
    assert!(thinking.spent() >= 2 && thinking.forced().is_none());
    let (thinking, _) = run(OpenAiGptOss, Before, Some(2), "<|channel|>analysis<|message|>a b c");
    assert_eq!(thinking.forced(), TOKENIZER.token_id("<|end|>"));
}

use jarrah_base::Result;
use jarrah_tokenizer::chat::{Chat, Template, Templates};
use serde_json::json;

use super::*;

/// What means something in templates, or may run away.
const WORDS: [&str; 30] = [
    "{{",
    "}}",
    "{%",
    "%}",
    "{#",
    "#}",
    "-%}",
    "messages",
    "loop",
    "loop.index",
    "range(1000000000)",
    "range(9)",
    "~",
    "* 1000000000",
    "[messages] * 9",
    "|tojson",
    "|join",
    "|upper",
    "|list",
    "|length",
    "| replace('', 'aaaa')",
    ".content",
    "namespace(a=1)",
    "{% for m in messages %}",
    "{% endfor %}",
    "{% set x = x ~ x %}",
    "[0]",
    "[-1]",
    "(",
    "''",
];

/// Renders a conversation and one with tools.
fn rendered(templates: &[&Template], chats: &[Chat]) -> Result<()> {
    templates
        .iter()
        .zip(chats.iter().cycle())
        .try_for_each(|(template, chat)| template.render(chat).map(drop))
}

/// Puts words of templates into a text, or takes some of it away.
fn reword(text: &str, other: &str, random: &mut Random) -> String {
    let mut text = text.to_owned();
    for _ in 0..=random.below(3) {
        let at = text.floor_char_boundary(random.below(text.len() + 1));
        let end = text.floor_char_boundary((at + random.below(40)).min(text.len())).max(at);
        match random.below(5) {
            0 => text.replace_range(at..end, ""),
            1 => text.insert_str(at, WORDS[random.below(WORDS.len())]),
            2 => text.replace_range(at..end, WORDS[random.below(WORDS.len())]),
            3 => {
                let from = other.floor_char_boundary(random.below(other.len()));
                let to = other.floor_char_boundary((from + random.below(80)).min(other.len())).max(from);
                text.replace_range(at..end, &other[from..to]);
            }
            _ => {
                let copy = text[at..end].repeat(1 + random.below(3));
                text.insert_str(at, &copy);
            }
        }
    }
    text
}

fn texts_and_chats() -> (Vec<String>, Vec<Chat>) {
    let golden = json_of("tokenizer/tests/golden/chat.json");
    let texts = golden["templates"].as_array().unwrap().iter();
    let texts = texts.map(|entry| entry["template"].as_str().unwrap().to_owned()).collect();
    let chats = golden["chats"].as_array().unwrap().iter();
    let chats = chats.map(|chat| Chat { now: Some(0), ..Chat::parse(&chat.to_string()).unwrap() }).collect();
    (texts, chats)
}

#[test]
fn damaged_templates_do_no_harm() {
    alone_within("mutants::chats::damaged_templates_do_no_harm", Some(SPACE), || {
        let (texts, chats) = texts_and_chats();
        trial(3000, |number, random| {
            let text = reword(&texts[number % texts.len()], &texts[number / 7 % texts.len()], random);
            let chat = std::slice::from_ref(random.one_of(&chats));
            judged(Template::new(&text).and_then(|template| rendered(&[&template], chat)), "template")
        });
    });
}

/// `tokenizer_config.json` with templates, one and several, and conversations in JSON.
#[test]
fn damaged_configurations_and_conversations_do_no_harm() {
    alone_within("mutants::chats::damaged_configurations_and_conversations_do_no_harm", Some(SPACE), || {
        let (texts, _) = texts_and_chats();
        let golden = json_of("tokenizer/tests/golden/chat.json");
        let chats = golden["chats"].as_array().unwrap();
        let place = Place::new();
        trial(2000, |number, random| {
            let text = &texts[number / 2 % texts.len()];
            let several = json!([{"name": "default", "template": text}, {"name": "tool_use", "template": random.one_of(&texts)}]);
            let template = if random.below(2) == 0 { json!(text) } else { several };
            let mut config =
                json!({"bos_token": "<s>", "eos_token": {"content": "</s>"}, "chat_template": template});
            let mut chat = random.one_of(chats).clone();
            change(if number % 2 == 0 { &mut config } else { &mut chat }, random);
            place.write("tokenizer_config.json", &text_of(&config, random));
            let rendered = Templates::load(place.path()).and_then(|templates| {
                let chat = Chat::parse(&chat.to_string())?;
                templates.render(&Chat { now: Some(0), ..chat }).map(drop)
            });
            // Errors are about the template, the conversation or the file.
            judged(rendered, "")
        });
    });
}

use std::fs;

use jarrah_base::ErrorKind;
use jarrah_tokenizer::chat::{Chat, Template, Templates, Value};

fn chat(messages: &str) -> Chat {
    Chat { now: Some(0), ..Chat::parse(messages).unwrap() }
}

/// Templates of many features, and in the manner of families that call tools: prompts are those of `apply_chat_template`,
/// byte for byte, and where it has an error, so have we.
#[test]
fn prompts_are_those_of_transformers() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/chat.json");
    let json: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let get = |value: &Value, key: &str| value.get_attr(key).unwrap();
    let now = i64::try_from(get(&json, "now")).unwrap();
    let tokens = get(&json, "tokens");
    let (mut prompts, mut errors) = (0, 0);
    for entry in get(&json, "templates").try_iter().unwrap() {
        let name = get(&entry, "name");
        let template = Template::new(get(&entry, "template").as_str().unwrap()).unwrap();
        for case in get(&entry, "cases").try_iter().unwrap() {
            let at = |i: usize| case.get_item_by_index(i).unwrap();
            let text = get(&json, "chats").get_item(&at(0)).unwrap();
            let mut chat = chat(&serde_json::to_string(&text).unwrap());
            chat.now = Some(now);
            let names = ["bos_token", "eos_token", "pad_token"];
            chat.variables.extend(names.map(|name| (name.to_owned(), get(&tokens, name))));
            match (template.render(&chat), at(1).as_str()) {
                (Ok(prompt), Some(wanted)) => assert_eq!(prompt, wanted, "{name} of {chat:?}"),
                (Err(e), None) => {
                    assert_eq!(e.kind(), ErrorKind::Input, "{e}");
                    errors += 1;
                }
                (found, wanted) => panic!("{name} of {chat:?}: {found:?}, and {wanted:?} is wanted"),
            }
            prompts += 1;
        }
    }
    assert!(prompts > 200 && errors > 10, "{prompts} prompts, {errors} errors");
}

#[test]
fn errors_of_templates_say_what_and_where() {
    let e = Template::new("a\n{% for m in %}").err().unwrap();
    assert_eq!(e.kind(), ErrorKind::Input);
    assert!(e.to_string().starts_with("the chat template is wrong, line 2: "), "{e}");
    let template = Template::new("\n{{ raise_exception('Roles must alternate') }}").unwrap();
    let e = template.render(&chat("[]")).unwrap_err().to_string();
    assert_eq!(e, "the chat template cannot write the conversation, line 2: Roles must alternate");
    for (json, said) in [
        ("{}", "the conversation has no `messages`"),
        ("3", "the conversation has no `messages`"),
        ("[", "the conversation is not JSON"),
    ] {
        assert!(Chat::parse(json).unwrap_err().to_string().starts_with(said));
    }
    for json in ["[3]", r#"{"messages": {}}"#, r#"{"messages": "a"}"#] {
        let e = template.render(&chat(json)).unwrap_err().to_string();
        assert_eq!(e, "the messages of a conversation are a list of maps");
    }
}

/// A template that loops, or makes more than there is memory for, ends with an error.
#[test]
fn templates_that_do_not_end_are_stopped() {
    let range =
        "{% for i in range(100000) %}{% for j in range(100000) %}{% set x = i * j %}{% endfor %}{% endfor %}";
    let double = "{% set ns = namespace(s='x') %}{% for i in range(90) %}{% set ns.s = ns.s ~ ns.s %}{% endfor %}{{ ns.s }}";
    let output = "{% for i in range(100000) %}{{ 'x' * 100000 }}{% endfor %}";
    let calls = "{% macro f(n) %}{{ f(n + 1) }}{{ f(n + 1) }}{% endmacro %}{{ f(0) }}";
    let nested = "{% set ns = namespace(l=[]) %}{% for i in range(90000) %}{% set ns.l = [ns.l] %}{% endfor %}{{ ns.l | tojson }}";
    let shown = nested.replace("| tojson", "");
    for source in [range, double, output, calls, nested] {
        let e = Template::new(source).unwrap().render(&chat("[]")).unwrap_err();
        assert_eq!(e.kind(), ErrorKind::Input, "{e}");
        assert!(e.to_string().starts_with("the chat template cannot write the conversation"), "{e}");
    }
    // What is made on the way is bounded, however it is asked for.
    let again = |start: &str, body: &str| {
        format!(
            "{{% set ns = namespace(l={start}) %}}{{% for i in range(60) %}}{{% set ns.l = {body} %}}{{% endfor %}}x"
        )
    };
    for source in [
        again("[1]", "ns.l + ns.l"),
        again("['a']|map('upper')", "ns.l + ns.l"),
        again("[]|select", "ns.l + [1] + ns.l"),
        again("[1]", "ns.l * 2 + []"),
        again("(1,)", "ns.l + ns.l"),
        again("[1]", "ns.l|chain(ns.l)"),
        again("'x'", "ns.l + ns.l"),
        again("[1]", "[ns.l, ns.l]").replace('x', "{{ ns.l }}"),
        again("[1]", "[ns.l, ns.l]").replace('x', "{{ ns.l | tojson }}"),
        "{% macro f(l, n) %}{% if n %}{{ f(l + l, n - 1) }}{% endif %}{% endmacro %}{{ f([1], 60) }}".into(),
        "{% set x = range(90000) %}{% set ns = namespace(l=x) %}{% for i in x %}{% set ns.l = ns.l + x %}{% endfor %}".into(),
        "{{ [1] * 99999999 == [2] * 99999999 }}".into(),
        "{{ ([1] * 99999999)[-1] }}".into(),
        "{% set x = range(90000)|list %}{% for i in x %}{{ x.index(89999) }}{{ x.count(1) }}{% endfor %}".into(),
        "{% set s = 'x' * 10**9 %}".into(),
        "{% set s = range(10**9)|list %}".into(),
        "{% set s = ('a' * 90000)|replace('a', 'b' * 90000) %}".into(),
        "{% set s = range(90000)|join('b' * 90000) %}".into(),
        "{% set s = '{:1000000000}'.format(1) %}".into(),
    ] {
        let e = Template::new(&source).unwrap().render(&chat("[]")).map(|text| text.len()).unwrap_err();
        assert_eq!(e.kind(), ErrorKind::Input, "{source}: {e}");
    }
    // A list in a list ninety thousand deep is written.
    assert_eq!(Template::new(&shown).unwrap().render(&chat("[]")).unwrap().len(), 180_002);
    let deep = format!("{{{{ {}1{} }}}}", "(".repeat(50_000), ")".repeat(50_000));
    assert!(Template::new(&deep).is_err());
    let e = Template::new(range).unwrap().render(&chat("[]")).unwrap_err().to_string();
    assert!(e.contains("it does not end"), "{e}");
}

/// What a long conversation needs is allowed.
#[test]
fn a_long_conversation_is_written() {
    let template =
        Template::new("{% for m in messages %}{{ m.role + (m.content | trim) }}{% endfor %}").unwrap();
    let lists = "{% set ns = namespace(l=[], n=0) %}{% for m in messages %}{% set ns.l = ns.l + [m] %}\
                 {% set ns.n = ns.n + m.content | length * 2 %}{% endfor %}{{ ns.l | length + ns.n }}";
    let many = Chat::new(vec![("user", "word"); 10_000]);
    assert_eq!(Template::new(lists).unwrap().render(&many).unwrap(), "90000");
    let text = "word ".repeat(200_000);
    let prompt = template.render(&Chat::new(vec![("user", text.as_str()); 20])).unwrap();
    assert_eq!(prompt.len(), 20 * (4 + text.len() - 1));
}

#[test]
fn templates_are_found_where_folders_have_them() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    let load = || Templates::load(folder.path());
    assert!(load().err().unwrap().to_string().contains("has no chat template"));
    let mut chat = Chat::new([("user", "hi")]);
    write(
        "tokenizer_config.json",
        r#"{"bos_token": {"content": "<s>"}, "eos_token": "</s>", "chat_template": "{{ bos_token }}one{{ eos_token }}{{ pad_token }}"}"#,
    );
    assert_eq!(load().unwrap().render(&chat).unwrap(), "<s>one</s>");
    write("special_tokens_map.json", r#"{"bos_token": "no", "pad_token": "<pad>"}"#);
    assert_eq!(load().unwrap().render(&chat).unwrap(), "<s>one</s><pad>");
    write("chat_template.json", r#"{"chat_template": "two"}"#);
    assert_eq!(load().unwrap().render(&chat).unwrap(), "two");
    write("chat_template.jinja", "three{{ x }}");
    fs::create_dir(folder.path().join("additional_chat_templates")).unwrap();
    write("additional_chat_templates/tool_use.jinja", "four");
    chat.variables.push(("x".to_owned(), Value::from(3)));
    assert_eq!(load().unwrap().render(&chat).unwrap(), "three3");
    chat.tools = Some(Value::from_iter([1]));
    let templates = load().unwrap();
    assert_eq!(templates.render(&chat).unwrap(), "four");
    assert_eq!(templates.names().collect::<Vec<_>>(), ["default", "tool_use"]);

    let other = tempfile::tempdir().unwrap();
    let list = r#"{"chat_template": [{"name": "rag", "template": "five"}, {"name": "tool_use", "template": "six"}]}"#;
    fs::write(other.path().join("tokenizer_config.json"), list).unwrap();
    let templates = Templates::load(other.path()).unwrap();
    assert_eq!(templates.render(&chat).unwrap(), "six");
    chat.tools = None;
    let e = templates.render(&chat).unwrap_err().to_string();
    assert!(e.contains("there is no template called default, but rag, tool_use"), "{e}");
    assert_eq!(templates.get("rag").unwrap().source(), "five");
    fs::write(other.path().join("tokenizer_config.json"), "{").unwrap();
    assert!(Templates::load(other.path()).err().unwrap().to_string().contains("is not JSON"));
}

use std::fs;

use jarrah_base::ErrorKind;
use jarrah_tokenizer::chat::{Chat, ChatValue, Template, Templates};

fn chat(messages: &str) -> Chat {
    Chat { now: Some(0), ..Chat::parse(messages).unwrap() }
}

/// Templates of many features, and in the manner of families that call tools: prompts are those of `apply_chat_template`,
/// byte for byte, and where it has an error, so have we.
#[test]
fn prompts_are_those_of_transformers() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/chat.json");
    let json: ChatValue = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let get = |value: &ChatValue, key: &str| value.get_attr(key).unwrap();
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
    // A list in a list a thousand deep is written.
    let shown = nested.replace("90000", "1000").replace("| tojson", "");
    assert_eq!(Template::new(&shown).unwrap().render(&chat("[]")).unwrap().len(), 2002);
    let deep = format!("{{{{ {}1{} }}}}", "(".repeat(50_000), ")".repeat(50_000));
    assert!(Template::new(&deep).is_err());
    let e = Template::new(range).unwrap().render(&chat("[]")).unwrap_err().to_string();
    assert!(e.contains("it does not end"), "{e}");
}

/// Two values that hold values twice, which hold values twice, and so on, are in no memory and no end of work to look at.
#[test]
fn values_that_hold_values_many_times_are_stopped() {
    // Ways to make a value of two others, or of one and what it holds already.
    let makes = [
        "[y, y]",
        "(y, y)",
        "{'a': y, 'b': y}",
        "[y] * 2",
        "(y,) * 2",
        "{(y, y): 1}",
        "dict(a=y, b=y)",
        "dict({'a': y}, b=y)",
        "[0]|batch(3, y)",
        "[0]|slice(3, y)",
        "'ab'|batch(4, y)|list",
        "[none, 0]|map('default', y, true)",
        "[{}, {}]|map(attribute='a', default=y)",
        "[{}, {'a': 1}]|groupby('a', default=y)",
        "[[], []]|map('sum', start=y)|list",
        "namespace(a=y, b=y)|items|list",
        "[{'a': y}.items()|list, y]",
        "([y] + [y])[:2]",
        "[y, y]|reverse|list",
        "[[y], [y]]|sum(start=[])",
        "[y, y]|select|list",
        "[y, y].copy()",
        "{'a': [y, y]}.values()|list",
    ];
    // Ways to look at all that two values hold.
    let looks = [
        "{{ x == y }}",
        "{{ x != y }}",
        "{{ x < y }}",
        "{{ x >= y }}",
        "{{ x in [y] }}",
        "{{ x in (y, 1) }}",
        "{{ 1 in {x: 1} }}",
        "{{ {1: 1}[x] }}",
        "{{ {1: 1}.get(x) }}",
        "{{ {x: 1} }}",
        "{{ [x, y]|sort }}",
        "{{ [x, y]|unique|list }}",
        "{{ [x, y]|min }}",
        "{{ [{'a': x}, {'a': y}]|groupby('a') }}",
        "{{ [{'a': x}, {'a': y}]|sort(attribute='a') }}",
        "{{ [x]|select('eq', y)|list }}",
        "{{ [x]|reject('in', [y])|list }}",
        "{{ [{'a': x}]|selectattr('a', '==', y)|list }}",
        "{{ {'a': x, 'b': y}|dictsort(by='value') }}",
        "{{ x is eq y }}",
        "{{ x is in [y] }}",
        "{{ x is sameas y }}",
        "{{ [x].index(y) }}",
        "{{ [x].count(y) }}",
        "{% for i in [x, y] %}{{ loop.changed(i) }}{% endfor %}",
        "{{ x ~ '' }}",
        "{{ '' ~ x }}",
        "{{ x|string }}",
        "{{ x|upper }}",
        "{{ x|trim }}",
        "{{ x|join(',') }}",
        "{{ [x]|join(',') }}",
        "{{ x|pprint }}",
        "{{ x|tojson }}",
        "{{ x|replace('a', 'b') }}",
        "{{ x|urlencode }}",
        "{{ x|escape }}",
        "{{ x|length }}",
        "{{ x|list|last }}",
        "{{ x|sum(start=[]) }}",
        "{{ '%s'|format(x) }}",
        "{{ '{}'.format(x) }}",
        "{{ raise_exception(x) }}",
        "{{ strftime_now(x) }}",
        "{{ debug(x) }}",
        "{{ debug() }}",
        "{{ x }}",
        "{{ x|indent }}",
        "{{ x|int }}",
        "{{ 'a' in x }}",
        "{{ x + y }}",
        "{{ x - y }}",
    ];
    let ends = |source: &str| {
        let start = std::time::Instant::now();
        let rendered = Template::new(source).and_then(|template| template.render(&chat("[]")));
        assert!(start.elapsed().as_secs() < 60, "{source}");
        if let Err(e) = rendered {
            assert_eq!(e.kind(), ErrorKind::Input, "{source}: {e}");
        }
    };
    for make in makes {
        let twice = |look: &str| {
            let one = |name: &str| {
                let make = make.replace('y', &format!("ns.{name}"));
                format!("{{% set ns.{name} = {make} %}}")
            };
            let body = one("x") + &one("y");
            format!(
                "{{% set ns = namespace(x=[1], y=[1]) %}}{{% for i in range(60) %}}{body}{{% endfor %}}\
                 {{% set x = ns.x %}}{{% set y = ns.y %}}{look}"
            )
        };
        ends(&twice(looks[0]));
    }
    for look in looks {
        for make in ["[y, y]", "{'a': y, 'b': y}"] {
            let one = |name: &str| format!("{{% set {name} = {} %}}", make.replace('y', name));
            let sets = (one("x") + &one("y")).repeat(60);
            ends(&format!("{{% set x = [1] %}}{{% set y = [1] %}}{sets}{look}"));
        }
    }
    // As much as may be held, looked at as often as there is work for.
    let sets = "{% set x = [x, x] %}{% set y = [y, y] %}".repeat(10);
    for look in ["{{ x == y }}", "{{ x is eq y }}", "{{ 1 in {x: 1} }}", "{{ [x, y]|sort }}", "{{ x|upper }}"]
    {
        ends(&format!(
            "{{% set x = [1] %}}{{% set y = [1] %}}{sets}{{% for i in range(99999) %}}{look}{{% endfor %}}"
        ));
    }
    // A list in a list, as deep as there is work for, and what changes after it was counted.
    for source in [
        "{% set ns = namespace(x=[], y=[]) %}{% for i in range(99999) %}{% set ns.x = [ns.x] %}{% set ns.y = [ns.y] %}{% endfor %}{{ ns.x == ns.y }}",
        "{% set ns = namespace(x=[]) %}{% for i in range(99999) %}{% set ns.x = ns.x|batch(1) %}{% endfor %}{{ {ns.x: 1} }}",
        "{% set ns = namespace(a=1) %}{% for i in range(60) %}{% set ns.b = ns.a %}{% set ns.a = ns.values()|list %}{% endfor %}{{ {ns.a: 1} }}",
        "{% set ns = namespace(a=1) %}{% for i in range(60) %}{% set ns.b = ns.a %}{% set ns.a = ns|items %}{% endfor %}{{ {ns.a: 1} }}",
        "{% set ns = namespace(a=1) %}{% for i in range(60) %}{% set ns.b = ns.a %}{% set ns.a = ns|dictsort %}{% endfor %}{{ {ns.a: 1} }}",
        "{% set ns = namespace() %}{% set ns.x = ns %}{{ ns }}",
        "{% set ns = namespace() %}{% set ns.x = [ns] %}{{ ns == namespace(x=[ns]) }}",
        "{% set ns = namespace() %}{% set ns.x = ns if true else 1 + 1 %}{{ ns }}",
        "{% set ns = namespace() %}{% set (a, (ns.x, b)) = 1, (ns, 2) %}{{ ns }}",
        "{% set a = namespace() %}{% set b = namespace(a=a) %}{% set a.b = b %}{{ a == b }}",
        "{% set a = namespace() %}{% for x in 1, 2, a %}{% set a.x = [loop] %}{% endfor %}{{ {a: 1} }}",
        "{% set a = namespace() %}{% for x in 1, 2, a %}{% set a.x = loop %}{% endfor %}{{ a }}",
        "{% macro f(x, n) %}{% if n %}{{ f((x, x), n - 1) }}{% else %}{{ x == [x] }}{% endif %}{% endmacro %}{{ f(1, 60) }}",
        "{% macro f(n, x, y=(x, x)) %}{% if n %}{{ f(n - 1, y) }}{% else %}{{ {x: 1} }}{% endif %}{% endmacro %}{{ f(60, 1) }}",
        "{% set d = dict %}{% set x = [1] %}{% set y = [1] %}{% for i in range(60) %}{% endfor %}{{ d(a=x, b=x) == d(a=y, b=y) }}",
    ] {
        ends(source);
    }
    let said = |source: &str| Template::new(source).unwrap().render(&chat("[]")).unwrap_err().to_string();
    let e = said(&format!("{{% set x = [1] %}}{}", "{% set x = [x, x] %}".repeat(60)));
    assert!(e.ends_with("a list or map holds more than 4098 values in its elements"), "{e}");
    let e = said("{% set ns = namespace() %}{{ [ns] }}");
    assert!(e.ends_with("a namespace holds values and is not held by one"), "{e}");
    assert!(said("{% for i in [1] %}{{ [loop] }}{% endfor %}").ends_with("`loop` is not held by a value"));
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
    chat.variables.push(("x".to_owned(), ChatValue::from(3)));
    assert_eq!(load().unwrap().render(&chat).unwrap(), "three3");
    chat.tools = Some(ChatValue::from_iter([1]));
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

#[test]
fn whole_numbers_of_conversations_keep_their_digits() {
    let text = r#"{"messages": [{"role": "user", "content": "hi", "n": 123456789012345678901234567890, "m": [9007199254740993, -18446744073709551617]}]}"#;
    let template =
        Template::new("{{ messages[0].n }} {{ messages[0].m }} {{ messages[0] | tojson }}").unwrap();
    let prompt = template.render(&chat(text)).unwrap();
    let (n, m) = ("123456789012345678901234567890", "[9007199254740993, -18446744073709551617]");
    assert_eq!(prompt, format!(r#"{n} {m} {{"role": "user", "content": "hi", "n": {n}, "m": {m}}}"#));
}

/// A folder without templates is not one whose templates are wrong.
#[test]
fn a_template_that_is_wrong_is_not_taken_for_none() {
    let folder = tempfile::tempdir().unwrap();
    assert!(Templates::find_in(folder.path()).unwrap().is_none());
    fs::write(folder.path().join("chat_template.jinja"), "{% if %}").unwrap();
    let error = Templates::find_in(folder.path()).err().unwrap().to_string();
    assert!(error.contains("the chat template is wrong, line 1"), "{error}");
    let files =
        |name: &str| (name == "tokenizer_config.json").then_some(&br#"{"chat_template": "{{ a"}"#[..]);
    assert!(Templates::find(files).is_err());
    assert!(Templates::find(|_| None).unwrap().is_none());
}

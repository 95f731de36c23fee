//! Expressions of templates. Wanted are the texts that Jinja2 3.1 makes of them as transformers sets it up.

use jarrah_tokenizer::chat::{Chat, Template};

const CHAT: &str = r#"{"messages": [{"role": "user", "content": "a", "s": 1e-7, "l": 1e22, "w": 0.10000000000000001,
    "p": 3.141592653589793238, "i": 1e400, "z": -0, "zf": -0.0, "list": [1e22, {"a": 1e-7}],
    "d": {"x": 1e22, "y": [1e-7, null, true, "q"]}, "lat": 52.520008199999998}],
    "tools": [{"type": "function", "function": {"name": "g", "parameters": {"properties": {"x":
    {"minimum": -0, "maximum": 1e400, "default": 0.10000000000000001}}}}}]}"#;

fn rendered(template: &str) -> Result<String, String> {
    let chat = Chat::parse(CHAT).unwrap();
    Template::new(template).and_then(|template| template.render(&chat)).map_err(|e| e.to_string())
}

/// Each expression of the first message `m` has the text that is wanted.
fn check(expressions: &[(&str, &str)]) {
    for (expression, wanted) in expressions {
        let found = rendered(&format!("{{% set m = messages[0] %}}{{{{ {expression} }}}}"));
        assert_eq!(found.as_deref(), Ok(*wanted), "{expression}");
    }
}

#[test]
fn numbers_of_more_digits_than_a_float_are_floats() {
    check(&[
        ("m.w is number", "True"),
        ("m.w is float", "True"),
        ("m.w|round(2)", "0.1"),
        ("m.p|round(3)", "3.142"),
        ("m.w * 3", "0.30000000000000004"),
        ("m.w + 1", "1.1"),
        ("-m.w", "-0.1"),
        ("m.p // 1", "3.0"),
        ("m.p % 2", "1.1415926535897931"),
        ("m.w|int", "0"),
        ("m.p|float", "3.141592653589793"),
        ("m.w|abs", "0.1"),
        ("[m.w,m.p]|sum", "3.241592653589793"),
        ("[m.p,m.w]|sort", "[0.1, 3.141592653589793]"),
        ("[m.p,m.w]|max", "3.141592653589793"),
        ("m.w < 1", "True"),
        ("m.w == 0.1", "True"),
        ("m.lat > 50", "True"),
        ("m.lat", "52.5200082"),
        ("'%.1f' % m.lat", "52.5"),
        ("m.lat|tojson", "52.5200082"),
    ]);
}

#[test]
fn texts_of_values_are_those_of_python() {
    check(&[
        ("m.s ~ ''", "1e-07"),
        ("m.s ~ m.l ~ m.w", "1e-071e+220.1"),
        ("m.list ~ m.d", "[1e+22, {'a': 1e-07}]{'x': 1e+22, 'y': [1e-07, None, True, 'q']}"),
        ("'a' + 'b' ~ m.s", "ab1e-07"),
        ("2 ** 3 ~ ''", "8"),
        ("m.s ~ 'x' == '1e-07x'", "True"),
        ("{'k': m.s ~ 'x'}", "{'k': '1e-07x'}"),
        ("m.s|string", "1e-07"),
        ("m.d|string", "{'x': 1e+22, 'y': [1e-07, None, True, 'q']}"),
        ("m.s|upper", "1E-07"),
        ("m.s|title", "1e-07"),
        ("m.s|capitalize", "1e-07"),
        ("m.s|trim", "1e-07"),
        ("m.d|upper", "{'X': 1E+22, 'Y': [1E-07, NONE, TRUE, 'Q']}"),
        ("m.s|replace('e','x')", "1x-07"),
        ("'x'|replace('x',m.l)", "1e+22"),
        ("'aaa'|replace('a','b',count=2)", "bba"),
        ("'abc'|replace('','-')", "-a-b-c-"),
        ("m.list|join(', ')", "1e+22, {'a': 1e-07}"),
        ("[m.s,m.l,1,none,true]|join", "1e-071e+221NoneTrue"),
        ("[m.s,m.l]|join(m.s)", "1e-071e-071e+22"),
        ("messages|join(',',attribute='s')", "1e-07"),
        ("undefinedvar|join('-')", ""),
        ("[m.s,m.l]|map('upper')|list", "['1E-07', '1E+22']"),
        ("[m.s]|map('string')|join", "1e-07"),
        ("'%s %s' % (m.l, m.list)", "1e+22 [1e+22, {'a': 1e-07}]"),
        ("'%r' % m.s", "1e-07"),
        (
            "'%s|%r' % (m.d,m.d)",
            "{'x': 1e+22, 'y': [1e-07, None, True, 'q']}|{'x': 1e+22, 'y': [1e-07, None, True, 'q']}",
        ),
        ("'%d' % 1.0", "1"),
        ("'%d' % -2.7", "-2"),
        ("'%i' % m.l", "10000000000000000000000"),
        ("'%.2f' % m.p", "3.14"),
        ("'%s %d'|format(m.list, 3.9)", "[1e+22, {'a': 1e-07}] 3"),
        ("'{}'.format(m.l)", "1e+22"),
        ("'{} {}'.format(m.list,m.d)", "[1e+22, {'a': 1e-07}] {'x': 1e+22, 'y': [1e-07, None, True, 'q']}"),
        ("'{a[x]}'.format(a=m.d)", "1e+22"),
        ("m.list", "[1e+22, {'a': 1e-07}]"),
        ("m.d", "{'x': 1e+22, 'y': [1e-07, None, True, 'q']}"),
        ("[m.d,(m.s,)]", "[{'x': 1e+22, 'y': [1e-07, None, True, 'q']}, (1e-07,)]"),
        ("(m.l,m.s)", "(1e+22, 1e-07)"),
        ("{m.s:m.l}", "{1e-07: 1e+22}"),
        ("[undefinedvar]", "[Undefined]"),
        ("[1/3]", "[0.3333333333333333]"),
        ("m.s|center(9)", "  1e-07  "),
        ("m.list|e", "[1e+22, {&#39;a&#39;: 1e-07}]"),
        ("m.s|striptags", "1e-07"),
        ("m.d|xmlattr", " x=\"1e+22\" y=\"[1e-07, None, True, &#39;q&#39;]\""),
        ("m.d|dictsort", "[('x', 1e+22), ('y', [1e-07, None, True, 'q'])]"),
        ("m.d.items()|list", "[('x', 1e+22), ('y', [1e-07, None, True, 'q'])]"),
    ]);
    let deep = "{% set ns = namespace(l=1e22) %}{% for i in range(1000) %}{% set ns.l = [ns.l] %}{% endfor %}{{ ns.l ~ '' }}";
    assert_eq!(rendered(deep).unwrap(), format!("{}1e+22{}", "[".repeat(1000), "]".repeat(1000)));
    let error = rendered("{{ raise_exception([messages[0].s]) }}").unwrap_err();
    assert!(error.ends_with("[1e-07]"), "{error}");
}

#[test]
fn infinite_numbers_and_the_zero_with_a_sign_are_those_of_python() {
    check(&[
        ("m.i", "inf"),
        ("m.i|tojson", "Infinity"),
        ("m.i is number", "True"),
        ("m.i > 1e300", "True"),
        ("-m.i", "-inf"),
        ("m.z", "0"),
        ("m.z|tojson", "0"),
        ("m.zf", "-0.0"),
        ("m.z + 1", "1"),
        (
            "tools|tojson",
            "[{\"type\": \"function\", \"function\": {\"name\": \"g\", \"parameters\": {\"properties\": {\"x\": {\"minimum\": 0, \"maximum\": Infinity, \"default\": 0.1}}}}}]",
        ),
    ]);
}

#[test]
fn methods_and_filters_are_those_of_jinja() {
    check(&[
        ("'{!r}'.format('a')", "'a'"),
        ("'{!r:>6}|{!s}'.format('a', 1)", "   'a'|1"),
        ("'{0!r}{0}'.format('a')", "'a'a"),
        ("'{a!r}'.format(a='b')", "'b'"),
        ("'{!r}'.format(m.list)", "[1e+22, {'a': 1e-07}]"),
        ("'{:{}}|'.format('a', 5)", "a    |"),
        ("'{:>{w}}|'.format('a', w=5)", "    a|"),
        ("'{0[x]} {1.role}'.format(m.d, m)", "1e+22 user"),
        ("'{a[y][0]}'.format(a=m.d)", "1e-07"),
        ("'{{}} {{{}}}'.format(1)", "{} {1}"),
        ("'{:,}'.format(1234567)", "1,234,567"),
        ("'{:.3}'.format('abcdef')", "abc"),
        ("'<'|tojson|e", "&#34;&lt;&#34;"),
        ("'a\"\\'<&>'|e", "a&#34;&#39;&lt;&amp;&gt;"),
        ("'a\"\\'<&>'|escape", "a&#34;&#39;&lt;&amp;&gt;"),
        ("('<b>'|e)|e", "&lt;b&gt;"),
        ("dict([('a',1),('b',m.s)])", "{'a': 1, 'b': 1e-07}"),
        ("dict([['a',1]], c=2)", "{'a': 1, 'c': 2}"),
        ("dict({'a':1}, b=2)", "{'a': 1, 'b': 2}"),
        ("m.d.copy()", "{'x': 1e+22, 'y': [1e-07, None, True, 'q']}"),
        ("m.list.copy()", "[1e+22, {'a': 1e-07}]"),
        ("{'b':1,'A':2}|dictsort(true)", "[('A', 2), ('b', 1)]"),
        ("{'b':1,'A':2}|dictsort(false,'value')", "[('b', 1), ('A', 2)]"),
        ("{'b':1,'A':2}|dictsort(true,'key',true)", "[('b', 1), ('A', 2)]"),
        ("'a\\nb'|indent('>>')", "a\n>>b"),
        ("'a\\nb'|indent('>>', true)", ">>a\n>>b"),
        ("'a\\n\\nb'|indent(2, true, true)", "  a\n  \n  b"),
        ("'a\\n\\nb\\n'|indent", "a\n\n    b\n"),
        ("'a\\n\\nb\\n'|indent(width='- ', first=true)", "- a\n\n- b\n"),
        ("'a\\u2028b\\x0bc'|indent(1)", "a\n b\n c"),
        ("''|indent", ""),
        ("'a b&c=d/é'|urlencode", "a%20b%26c%3Dd/%C3%A9"),
        ("{'a':'b c','d':1}|urlencode", "a=b+c&d=1"),
        ("[('a','b c'),('d',m.s)]|urlencode", "a=b+c&d=1e-07"),
        ("m.s|urlencode", "1e-07"),
        ("'aßÉ'.casefold()", "assé"),
        ("'ab\\tc\\n\\td'.expandtabs(4)", "ab  c\n    d"),
        ("'a\\tb'.expandtabs()", "a       b"),
        ("'Hello World'.istitle()", "True"),
        ("'hello World'.istitle()", "False"),
        ("'A1b'.istitle()", "False"),
        ("''.istitle()", "False"),
        ("1 < 2 < 3", "True"),
        ("m.s < m.l", "True"),
        ("(m.zz|default(0)) < 1", "True"),
        ("m.zz is defined and m.zz < 1", "False"),
        ("m.s + 1 < m.l + 2", "True"),
        ("[1,2] > [1]", "True"),
        ("messages|length - 1 >= 0", "True"),
    ]);
    for wrong in [
        "m.zz < 1",
        "1 > m.zz",
        "m.zz >= 1",
        "m.zz is lt 1",
        "m.none < 1",
        "'{}{}'.format(1)",
        "'{'.format(1)",
        "'{!x}'.format(1)",
        "'{:{:{}}}'.format(1, 2, 3)",
        "'{:{}}'.format(1, 100000000)",
        "5|indent",
        "'a'|indent(1.5)",
        "'\\t'.expandtabs(100000000)",
        "dict([1])",
        "[1]|urlencode",
    ] {
        let found = rendered(&format!("{{% set m = messages[0] %}}{{{{ {wrong} }}}}"));
        assert!(found.is_err(), "{wrong}: {found:?}");
    }
    let error = rendered("{{ zz < 1 }}").unwrap_err();
    assert!(error.ends_with("undefined is neither less nor more than another value"), "{error}");
}

#[test]
fn lines_strings_and_blocks_are_read_as_jinja_reads_them() {
    for (template, wanted) in [
        ("a\r\nb\r\n{% if true %}\r\nx\r\n{% endif %}\r\ny", "a\nb\nx\ny"),
        ("a\rb{% raw %}\r\n{% endraw %}{{ 'a\r\nb' }}", "a\nb\na\nb"),
        ("{{ 'a\\\nb' }}{{ \"\\\\\nb\" }}", "ab\\\nb"),
        ("{% block a %}x{{ 1 }}{% endblock %}y", "x1y"),
        ("{%- block a scoped -%} x {%- endblock a -%} y", "xy"),
    ] {
        assert_eq!(rendered(template).as_deref(), Ok(wanted), "{template:?}");
    }
}

#[test]
fn map_and_select_pass_named_arguments_on() {
    check(&[
        ("tools|map('tojson', indent=2)|join|length > 100", "True"),
        ("[{'a':1}]|map('tojson', indent=1)|join", "{\n \"a\": 1\n}"),
        ("['x']|map('int', default=7)|list", "[7]"),
        ("['1f']|map('int', base=16)|list", "[31]"),
        ("['1.5','x']|map('float', default=2.5)|list", "[1.5, 2.5]"),
        ("[[3,1]]|map('sort', reverse=true)|list", "[[3, 1]]"),
        ("['abcdef']|map('truncate', length=4, killwords=true, end='', leeway=0)|list", "['abcd']"),
        ("['abc']|map('replace', old='b', new='x')|list", "['axc']"),
        ("['a\\nb']|map('indent', width=2)|list", "['a\\n  b']"),
        ("[1.256]|map('round', precision=1)|list", "[1.3]"),
        ("[[1,2]]|map('join', d='-')|list", "['1-2']"),
        ("['a',zz,'']|map('default', 'x', boolean=true)|list", "['a', 'x', 'x']"),
        ("[[1,2]]|map('sum', start=10)|list", "[13]"),
        ("['  x ']|map('trim', chars=' x')|list", "['']"),
        ("['a']|map('center', width=5)|list", "['  a  ']"),
        ("[[1,2,3]]|map('batch', linecount=2)|map('list')|list", "[[[1, 2], [3]]]"),
        ("[{'b':1,'a':2}]|map('dictsort', by='value', reverse=true)|list", "[[('a', 2), ('b', 1)]]"),
        ("['%(a)s']|map('format', a=1)|list", "['1']"),
        ("['é']|map('tojson', ensure_ascii=true)|list", "['\"\\\\u00e9\"']"),
        ("[[{'a':1},{'a':2}]]|map('sum', attribute='a')|list", "[3]"),
        ("tools|map(attribute='type')|list", "['function']"),
        ("tools|map(attribute='zz', default=3)|list", "[3]"),
        ("zz|map('upper')|list", "[]"),
        ("[3,5]|select('divisibleby', num=5)|list", "[5]"),
        ("[3,4]|reject('divisibleby', num=2)|list", "[3]"),
        ("[{'a':4}]|selectattr('a', 'divisibleby', num=2)|list", "[{'a': 4}]"),
        ("4 is divisibleby(num=2)", "True"),
        ("[[1,2]]|selectattr(1, 'eq', 2)|list", "[[1, 2]]"),
    ]);
    for wrong in
        ["[1]|map()|list", "[1]|map('nofilter')|list", "4 is divisibleby 0", "[1]|map('int', wrong=1)|list"]
    {
        let found = rendered(&format!("{{{{ {wrong} }}}}"));
        assert!(found.is_err(), "{wrong}: {found:?}");
    }
}

#[test]
fn arguments_of_filters_have_places_and_names() {
    check(&[
        ("['é']|tojson(true)", "[\"\\u00e9\"]"),
        ("[1]|tojson(false, 1)", "[\n 1\n]"),
        ("{'b':1,'a':2}|tojson(false, none, (',', ':'), true)", "{\"a\":2,\"b\":1}"),
        ("{'b':1,'a':2}|tojson(sort_keys=1, indent='>')", "{\n>\"a\": 2,\n>\"b\": 1\n}"),
        ("[[2,'a'],[1,'b']]|sort(attribute=0)", "[[1, 'b'], [2, 'a']]"),
        ("[[2,'a'],[1,'b']]|sort(true, false, 1)", "[[1, 'b'], [2, 'a']]"),
        ("[[1,'x'],[2,'x']]|groupby(1)", "[('x', [[1, 'x'], [2, 'x']])]"),
        ("[{'r':'a'},{}]|groupby('r', 'q')", "[('a', [{'r': 'a'}]), ('q', [{}])]"),
        (
            "[{'r':'a'},{'r':'A'}]|groupby(attribute='r', case_sensitive=true)",
            "[('A', [{'r': 'A'}]), ('a', [{'r': 'a'}])]",
        ),
        ("[[1,2],[3,4]]|sum(1)", "6"),
        ("[[1,2],[3,4]]|sum(attribute=1, start=1)", "7"),
        ("[[1],[0]]|max(attribute=0)", "[1]"),
        ("['b','A']|max(true)", "b"),
        ("[{'a':2},{'a':1}]|min(false, 'a')", "{'a': 1}"),
        ("['a','A']|unique(true)|list", "['a', 'A']"),
        ("[[1,2],[1,3]]|unique(attribute=0)|list", "[[1, 2]]"),
        ("[1,2,3]|batch(linecount=2, fill_with='x')|list", "[[1, 2], [3, 'x']]"),
        ("[1,2,3]|slice(slices=2)|list", "[[1, 2], [3]]"),
        ("2.5|round(method='ceil')", "3.0"),
        ("zz|default(boolean=true)", ""),
        ("''|default('x', boolean=true)", "x"),
        ("zz|d(default_value=3)", "3"),
        ("none|default(1)", "None"),
        ("'xax'|trim(chars='x')", "a"),
        ("'ab'|center(width=6)", "  ab  "),
        ("1000|filesizeformat(binary=true)", "1000 Bytes"),
        ("{'a': 1}|xmlattr(autospace=false)", "a=\"1\""),
        ("'bbb'|replace('b', new='x', count=1)", "xbb"),
        ("'abcdefghij klm'|wordwrap(4, false)", "abcdefghij\nklm"),
        ("'abcdefghij klm'|wordwrap(4, true, '|')", "abcd|efgh|ij|klm"),
        ("'x'|int(none)", "None"),
    ]);
    for wrong in
        ["'abc'|replace('b')", "[1]|sort(1, 2, 3, 4)", "[1]|sort(wrong=1)", "[1]|sort(true, reverse=true)"]
    {
        let found = rendered(&format!("{{{{ {wrong} }}}}"));
        assert!(found.is_err(), "{wrong}: {found:?}");
    }
}

#[test]
fn floats_and_remainders_are_those_of_python() {
    check(&[
        ("'abc'|float", "0.0"),
        ("''|float", "0.0"),
        ("' 1.5 '|float", "1.5"),
        ("'1_0.5'|float", "10.5"),
        ("'1__0'|float(7)", "7"),
        ("'1_e5'|float", "0.0"),
        ("'1_e5'|int", "0"),
        ("'in_f'|float", "0.0"),
        ("none|float", "0.0"),
        ("true|float", "1.0"),
        ("[1]|float('z')", "z"),
        ("'x'|float(none)", "None"),
        ("'x'|float(default='y')", "y"),
        ("'1e400'|float", "inf"),
        ("'.5'|float", "0.5"),
        ("'0x1f'|float", "0.0"),
        ("-2 % 2.0", "0.0"),
        ("2 % -2.0", "-0.0"),
        ("0.0 % -3", "-0.0"),
        ("5.5 % -2", "-0.5"),
        ("'%u %u' % (3, -4.5)", "3 -4"),
        ("+ 5", "5"),
        ("+5 * +2", "10"),
        ("[+1, 1 - +1, 2 ** +2]", "[1, 0, 4]"),
        ("'abc'[+1:]", "bc"),
        ("{'b': 1, 'a': {'d': 1, 'c': [1.5, 'x']}}|pprint", "{'a': {'c': [1.5, 'x'], 'd': 1}, 'b': 1}"),
        (
            "('x' * 78)|pprint",
            "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'",
        ),
        ("range(3) is sequence", "True"),
    ]);
    for wrong in ["zz|float", "+'x'", "('x' * 79)|pprint"] {
        let found = rendered(&format!("{{{{ {wrong} }}}}"));
        assert!(found.is_err(), "{wrong}: {found:?}");
    }
}

#[test]
fn a_given_argument_of_a_macro_is_taken_also_where_it_is_undefined() {
    for (template, wanted) in [
        (
            "{% macro f(a, b='none') %}{{ a }}:{{ b }}{% endmacro %}{{ f(1, m.zz) }}|{{ f(1) }}|{{ f(1, none) }}",
            "1:|1:none|1:None",
        ),
        (
            "{% macro f(a, b='x') %}{{ a }}{{ b }}{% endmacro %}{{ f() }}{{ f(b=zz) }}{{ f(a=2) }}{{ f(*[3]) }}{{ f(**{'a': 4, 'b': zz}) }}",
            "x2x3x4",
        ),
        ("{% macro f(a, b=a) %}{{ a }}{{ b }}{% endmacro %}{{ f(1) }}{{ f(1, 2) }}", "1112"),
        (
            "{% macro f(a=1, b=a + 1, c=[a, b]) %}{{ a }}{{ b }}{{ c }}{% endmacro %}{{ f() }}|{{ f(5) }}|{{ f(b=7) }}|{{ f(c=1) }}",
            "12[1, 2]|56[5, 6]|17[1, 7]|121",
        ),
        ("{%- macro f(a, b='x') -%}   {{ a }}{{ b }}   {%- endmacro -%}   {{ f(1) }}", "1x"),
        (
            "{% macro f(a,\n  b='x',\n  c='y'\n) %}\n{{ a }}{{ b }}{{ c }}\n{% endmacro %}\n{{ f(1, c=2) }}",
            "1x2\n",
        ),
        (
            "{% macro f(n, s='x') %}{{ s }}{% if n %}{{ f(n - 1, s=s ~ n) }}{{ f(n - 1) }}{% endif %}{% endmacro %}{{ f(2) }}",
            "xx2x21xxx1x",
        ),
        (
            "{% macro f(a, b='x') %}{{ a }}[{{ caller() }}]{{ b }}{% endmacro %}{% call f(1) %}in{% endcall %}{% call f(1, zz) %}in{% endcall %}",
            "1[in]x1[in]",
        ),
        (
            "{% macro f(a='),=', b=(1, 2), c={'a': 1, 'b': [2, 3]}) %}{{ a }}{{ b }}{{ c }}{% endmacro %}{{ f() }}{{ f(c=1) }}",
            "),=(1, 2){'a': 1, 'b': [2, 3]}),=(1, 2)1",
        ),
        (
            "{% macro f(a=1) %}{% macro g(b=2) %}{{ a }}{{ b }}{% endmacro %}{{ g() }}{{ g(3) }}{% endmacro %}{{ f() }}{{ f(7) }}",
            "12137273",
        ),
        (
            "{% macro f(a=1 if zz else 2) %}{% set a = a + 1 %}{{ a }}{% endmacro %}{{ f() }}{{ f(5) }}{{ f.name }}{{ f is callable }}",
            "36fTrue",
        ),
        (
            "{% macro f(a='x') %}{{ a is defined }}{% endmacro %}{{ f(zz) }}{{ f() }}{{ f(none) }}",
            "FalseTrueTrue",
        ),
        ("{% for i in [1, 2] %}{% macro f(a=i) %}{{ a }}{% endmacro %}{{ f() }}{% endfor %}", "12"),
    ] {
        let found = rendered(&format!("{{% set m = messages[0] %}}{template}"));
        assert_eq!(found.as_deref(), Ok(wanted), "{template:?}");
    }
    for wrong in [
        "{% macro f(a, b='x') %}{% endmacro %}{{ f(1, 2, 3) }}",
        "{% macro f(a, b='x') %}{% endmacro %}{{ f(1, c=3) }}",
        "{% macro f(a, b='x') %}{% endmacro %}{{ f(1, a=3) }}",
    ] {
        let found = rendered(wrong);
        assert!(found.is_err(), "{wrong}: {found:?}");
    }
}

#[test]
fn values_of_with_see_the_names_outside_of_it() {
    for (template, wanted) in [
        ("{% set a = 1 %}{% with a = 2, b = a %}{{ a }}{{ b }}{% endwith %}{{ a }}", "211"),
        ("{% with a = m.role, b = a %}{{ a }}{{ b }}{% endwith %}", "user"),
        (
            "{% set x = 1 %}{% with x = 2 %}{% with x = x + 1, y = x, z = 3 %}{{ x }}{{ y }}{{ z }}{% endwith %}{{ x }}{% endwith %}{{ x }}",
            "32321",
        ),
        ("{% with a = 1, (b, c) = (2, 3) %}{{ a }}{{ b }}{{ c }}{% endwith %}", "123"),
        ("{% with a = 'x, y = 2', b = 1 == 1 %}{{ a }}{{ b }}{% endwith %}", "x, y = 2True"),
        ("{%- with a = 1, b = {'x': 1, 'y': 2} -%} {{ a }}{{ b }} {%- endwith -%} x", "1{'x': 1, 'y': 2}x"),
        ("  {% with a = 1,\n b = 2 %}\n {{ a }}\n  {% endwith %}\nx", "   1\nx"),
        ("{% for x in 1, 2 %}{{ x }}{% endfor %}", "12"),
        ("{% for x in 1, 'a, b', [2, 3] %}{{ x }}{% endfor %}", "1a, b[2, 3]"),
        ("{% for a, b in (1, 2), (3, 4) if b > 2 %}{{ a }}{{ b }};{% endfor %}", "34;"),
        ("{% for x in 1, m.role recursive %}{{ x }}{% endfor %}", "1user"),
        ("{% set n = namespace({'a':1}, b=2) %}{{ n.a }}{{ n.b }}{% set n.a = 5 %}{{ n.a }}", "125"),
        ("{% set n = namespace([('a', 1)], a=3) %}{{ n.a }}", "3"),
    ] {
        let found = rendered(&format!("{{% set m = messages[0] %}}{template}"));
        assert_eq!(found.as_deref(), Ok(wanted), "{template:?}");
    }
    assert!(rendered("{% set n = namespace('x') %}").is_err());
}

#[test]
fn white_space_of_a_raw_block_stays() {
    for (template, wanted) in [
        ("a{% raw %} {% endraw %}b", "a b"),
        ("{% raw %}   {% endraw %}", "   "),
        (" {% raw %}\t{%- endraw %}b", " b"),
        ("a{%- raw -%} {% endraw %}b", "ab"),
        ("a{% raw %} \n {% endraw %}b", "a \nb"),
        ("a {%+ raw %} {%+ endraw %}b", "a  b"),
        (" {% raw %}{{ x }} {% endraw %} b", " {{ x }}  b"),
    ] {
        let found = rendered(&format!("{{% set m = messages[0] %}}{template}"));
        assert_eq!(found.as_deref(), Ok(wanted), "{template:?}");
    }
}

/// Macros and `with` blocks whose assignments are damaged were cut at places that were none.
#[test]
fn assignments_without_a_name_or_a_value_are_errors_of_the_template() {
    for template in [
        "{% macro show(m, prefix='> ', n=, k=) %}{% endmacro %}",
        "{% macro kind(sch[1]ma.type == 'array' %}{{ a }}{% endmacro %}",
        "{% macro f(=1, a=2) %}{% endmacro %}",
        "{% with a=, b=a %}{% endwith %}",
        "{% with =1, b=2 %}{% endwith %}",
    ] {
        let error = Template::new(template).err().unwrap().to_string();
        assert!(error.starts_with("the chat template is wrong"), "{template}: {error}");
    }
}

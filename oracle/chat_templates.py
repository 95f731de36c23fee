"""Chat templates and conversations, rendered by `apply_chat_template` of transformers.

    python oracle/chat_templates.py                 writes `crates/tokenizer/tests/golden/chat.json`
    python oracle/chat_templates.py compare [DATA]  compares what we render with what transformers does: for the templates here, and for every
                                                    template in the folder DATA (`*.jinja`, and `chat_template` in `*.json`)

`compare` runs `cargo run -p jarrah-tokenizer --example chat` and fails where a prompt differs by a byte, or one side alone has an error.
The file has `templates`, a list of `name`, `template`, and `cases`: the number of a conversation in `chats`, and its prompt, or null where
transformers has an error. The time is 2026-01-05 03:04:05.

Needs transformers==5.24.0 and jinja2==3.1.6 beside `requirements.txt`.
"""

import calendar
import datetime
import json
import pathlib
import subprocess
import sys

import common
import transformers
from tokenizers import Tokenizer, models
from transformers.utils import chat_template_utils

ROOT = pathlib.Path(__file__).resolve().parent.parent
common.GOLDEN = ROOT / "crates" / "tokenizer" / "tests" / "golden"
NOW = datetime.datetime(2026, 1, 5, 3, 4, 5)
TOKENS = {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>"}

TEMPLATES = {
    "whitespace": "  {%- for m in messages %}\n    {% if loop.first %}\n  first\n    {% endif %}\n\t{{ m.role }} \n  {# a comment #}\n  {%- endfor +%}\n  x{{- '  y  ' -}}  z\n\n",
    "namespace": "{% set ns = namespace(n=0, found=false, names=[]) %}{% for m in messages %}{% set ns.n = ns.n + 1 %}{% if m.role == 'user' and not ns.found %}{% set ns.found = true %}{% endif %}{% set ns.names = ns.names + [m.role] %}{% endfor %}{{ ns.n }} {{ ns.found }} {{ ns.names }} {{ ns.names | join(', ') }}",
    "controls": "{% for m in messages %}{% if m.role == 'system' %}{% continue %}{% endif %}{{ loop.index }}:{{ m.role }};{% if loop.index > 3 %}{% break %}{% endif %}{% else %}nothing{% endfor %}",
    "generation": "{% for m in messages %}{% if m.role == 'assistant' %}\n{% generation %}\n  {{- m.content }}<end>\n{%- endgeneration -%}\n{% else %}[{{ m.content }}]{% endif %}{% endfor %}",
    "macro": "{% macro show(m, prefix='> ', n=1) -%}\n  {{ prefix * n }}{{ m.role | upper }}: {{ caller() if caller is defined else (m.content | string)[:12] }}\n{%- endmacro %}{% for m in messages %}{{ show(m) }}|{{ show(m, n=2, prefix='-') }}\n{% endfor %}",
    "json": "{% for t in tools or [] %}{{ t | tojson }}\n{{ t | tojson(indent=2) }}\n{{ t.function.parameters | tojson(separators=(',', ':'), sort_keys=true) }}\n{{ t.function.description | tojson(ensure_ascii=true) }}\n{% endfor %}{{ messages | tojson }}{{ [1, 1.0, 1e20, -0.5, true, none, {}, []] | tojson(indent=4) }}{{ {'a': [], 'b': {}} | tojson }}",
    "printing": "{{ [1, 2.5, 'a', \"it's\", none, true, {'k': 'v', 'n': [1]}] }} {{ (1, 2) }} {{ 1e20 }} {{ 1.0 }} {{ 0.00001 }} {{ 7 // 2 }} {{ 7 / 2 }} {{ 7 % 3 }} {{ 2 ** 10 }} {{ -7 // 2 }} {{ true }} {{ none }} {{ undefined_name }} {{ 'a' ~ 1 ~ true ~ none }} {{ '\\n\\t\\'' }} {{ {'a': 1.5} }} {{ messages[0] }}",
    "tests": "{% for v in [1, 1.5, 'a', [], {}, none, true, messages[0].content] %}{{ v is string }},{{ v is mapping }},{{ v is sequence }},{{ v is iterable }},{{ v is none }},{{ v is number }},{{ v is integer }},{{ v is float }},{{ v is boolean }},{{ v is true }},{{ v is defined }};{% endfor %}{{ nothing is defined }} {{ nothing is undefined }} {{ 'a' in 'cat' }} {{ 'role' in messages[0] }} {{ 3 is odd }} {{ 3 is divisibleby 3 }} {{ 'x' is in ['x'] }} {{ 2 is eq 2 }} {{ 'abc' is lower }} {{ 1 is not none }}",
    "filters": "{% set l = [3, 1, 2, 3] %}{{ l | sort }} {{ l | unique | list }} {{ l | max }} {{ l | min }} {{ l | sum }} {{ l | first }} {{ l | last }} {{ l | length }} {{ l | reverse | list }} {{ l | join('-') }} {{ ' a b ' | trim }} {{ 'hello world' | title }} {{ 'hELLO' | capitalize }} {{ 'a' | upper }} {{ 'abc' | replace('b', 'x') }} {{ nothing | default('d') }} {{ '' | default('d', true) }} {{ 3.7 | int }} {{ '12' | int + 1 }} {{ 3.14159 | round(2) }} {{ -3 | abs }} {{ {'b': 1, 'a': 2} | dictsort }} {{ {'b': 1, 'a': 2} | items | list }} {{ messages | map(attribute='role') | list }} {{ messages | selectattr('role', 'equalto', 'user') | list | length }} {{ messages | rejectattr('role', 'eq', 'user') | map(attribute='role') | join(',') }} {{ 'a\nb' | indent(2) }} {{ 'a\nb' | indent(2, true) }} {{ '<a&b>' | e }} {{ 'a b c' | wordcount }} {{ [1, 2, 3, 4, 5] | batch(2) | list }} {{ 'abc' | list }} {{ [[1, 'a'], [2, 'b']] | map('last') | join }} {{ '%05.1f' | format(3.14159) }} {{ 'x' | string }} {{ 5 | float }} {{ 'ab' | center(6) }}|",
    "methods": "{% set s = '  Hello, World  ' %}{{ s.strip() }}|{{ s.lstrip() }}|{{ s.rstrip() }}|{{ s.upper() }}|{{ s.lower() }}|{{ s.strip().split(', ') }}|{{ s.replace('l', 'L') }}|{{ 'a-b-c'.split('-')[-1] }}|{{ 'a-b-c'.split('-', 1) }}|{{ 'a b'.split() }}|{{ 'abc'.startswith('ab') }}|{{ 'abc'.endswith(('x', 'c')) }}|{{ 'abc'.find('c') }}|{{ 'xxabxx'.strip('x') }}|{{ 'a\nb'.splitlines() }}|{{ ', '.join(['a', 'b']) }}|{{ 'abc'.title() }}|{{ 'a1'.isalnum() }}|{{ '12'.isdigit() }}|{{ {'a': 1}.get('a') }}|{{ {'a': 1}.get('b', 'no') }}|{% for k, v in {'x': 1, 'y': [2]}.items() %}{{ k }}={{ v }};{% endfor %}|{{ {'x': 1}.keys() | list }}|{{ {'x': 1}.values() | list }}|{{ 'aXbX'.count('X') }}|{{ '{} {n}'.format('p', n=2) }}|{{ 'abcabc'.rfind('b') }}|{{ 'x'.isupper() }}|{{ [1, 2, 1].count(1) }}|{{ [1, 2].index(2) }}",
    "more_methods": "{{ 'a-b-c'.rsplit('-', 1) }}|{{ 'a-b'.partition('-') }}|{{ 'a-b-c'.rpartition('-')[0] }}|{{ 'prefix-x'.removeprefix('prefix-') }}|{{ 'x.y'.removesuffix('.y') }}|{{ '7'.zfill(3) }}|{{ 'ab'.ljust(4) }}|{{ 'ab'.rjust(4, '.') }}|{{ 'aB'.swapcase() }}|{{ 'ab'.center(6, '*') }}|{{ 'abc'.index('c') }}",
    "percent": "{{ '%s' % 'a' }} {{ '%s and %s' % ('a', 1) }} {{ '%d%%' % 7 }} {{ '%05.2f|%-4s|' % (3.14159, 'x') }} {{ '%(a)s-%(b)d' % {'a': 'x', 'b': 2} }} {{ 7 % 3 }} {{ -7 % 3 }} {{ 7 % -3 }} {{ 7.5 % 2 }} {{ 2 * 7 % 4 }} {{ 7 % 4 * 2 }} {{ 17 % 10 % 4 }} {% for m in messages %}{% if loop.index0 % 2 == 0 %}e{% else %}o{% endif %}{% endfor %} {{ '%s: %s' % (messages[0].role, messages | length) }} {{ '%r' % 'a' }} {{ ('%x' % 255) | upper }} {{ '%s' % none }}{{ '%s' % true }}{% set f = '<%s>' %}{{ f % 'v' }}",
    "more_filters": "{{ 'foo bar baz qux' | truncate(9) }}|{{ 'foo bar baz qux' | truncate(9, True) }}|{{ 'foo bar baz qux' | truncate(11) }}|{{ 'foo bar baz qux' | truncate(11, False, '...', 0) }}|{{ 'äöü äöü äöü äöü' | truncate(length=6, leeway=0, end='…') }}|{{ 13000 | filesizeformat }}|{{ 1 | filesizeformat }}|{{ 1000000 | filesizeformat(true) }}|{{ 500 | filesizeformat }}|{{ '<a> & \"b\"' | forceescape }}|{{ '<b>Hello</b>  <!-- x -->world &amp; all' | striptags }}|{{ {'class': 'a', 'id': none, 'title': 'x\"y'} | xmlattr }}|{{ 'the quick brown fox jumps' | wordwrap(10) }}|{{ 'abcdefghij kl' | wordwrap(4) }}|",
    "joiners": "{% set comma = joiner(', ') %}{% for m in messages %}{{ comma() }}{{ m.role }}{% endfor %}{% set bar = joiner('|') %}{{ bar() }}a{{ bar() }}b{% set c = cycler('odd', 'even') %}{% for m in messages %}{{ c.next() }}{% endfor %}{% macro f(x) %}{{ x }}{% endmacro %} {{ f is callable }} {{ 'a' is callable }} {{ messages is callable }} {{ range is callable }} {{ nothing is callable }} {{ comma is callable }}{% if messages[0].content is callable %}no{% endif %}",
    "integers": "{{ 12345678901234567890123 | tojson }} {{ 2 ** 70 }} {{ {'a': 123456789012345678901234567890} | tojson }} {{ messages[0].number | tojson if messages[0].number is defined }}",
    "slices": "{{ messages[1:] | length }} {{ messages[-1].role }} {{ messages[::-1][0].role }} {{ messages[:-1] | length }} {{ 'abcdef'[1:4] }} {{ 'abcdef'[::-1] }} {{ 'abcdef'[-2:] }} {{ 'äöü'[1] }} {{ [1, 2, 3][5:] }} {{ range(5) | list }} {{ range(1, 10, 3) | list }} {% for i in range(2) %}{% for j in range(2) %}{{ loop.index0 }}{{ i }}{{ j }} {% endfor %}{% endfor %}{{ messages | length - 1 }}",
    "loops": "{% for m in messages %}{{ loop.index }}/{{ loop.length }} {{ loop.revindex }} {{ loop.first }} {{ loop.last }} {{ loop.previtem.role if loop.previtem is defined }} {{ loop.nextitem.role if not loop.last }} {{ loop.cycle('odd', 'even') }} {{ loop.changed(m.role) }}\n{% endfor %}{% for m in messages if m.role == 'user' %}{{ loop.index }}{{ m.role }}{% endfor %}{% for k in {'b': 1, 'a': 2} %}{{ k }}{% endfor %}{% for a, b in [[1, 2], [3, 4]] %}{{ a }}{{ b }}{% endfor %}",
    "blocks": "{% set text %}\n  captured {{ messages | length }}\n{% endset %}[{{ text }}][{{ text | trim }}]{% filter upper %}loud{% endfilter %}{% with x = 1, y = 2 %}{{ x + y }}{% endwith %}{% raw %}{{ not this }}{% generation %}{% endraw %}{% set a, b = 1, 2 %}{{ a }}{{ b }}{{ 'yes' if a else 'no' }}{{ 'x' if false }}|{% if not (a == 2 or b == 3) and 1 < b <= 2 %}ok{% endif %}",
    "exception": "{% for m in messages %}{% if (m['role'] == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('Conversation roles must alternate user/assistant/user/assistant/...') }}{% endif %}{{ m['content'] }}{% endfor %}",
    "time": "{{ strftime_now('%d %b %Y') }} {{ strftime_now('%A, %B %-d, %Y %H:%M:%S %I %p %j %y %%') }}",
    "tokens": "{{ bos_token }}{% for m in messages %}{{ m['role'] + ': ' + (m['content'] if m['content'] is string else '') + eos_token }}{% endfor %}{{ pad_token }}{{ unk_token }}{% if add_generation_prompt %}A:{% endif %}{{ enable_thinking is defined and enable_thinking }}",
    "reasoning": "{% for m in messages %}{{ m | list | join(',') }}:{{ m.reasoning_content }}{{ m.thinking }}{% if m.content is string and '</think>' in m.content %}{{ m.content.split('</think>')[0].rstrip('\\n').split('<think>')[-1].lstrip('\\n') }}|{{ m.content.split('</think>')[-1].lstrip('\\n') }}{% endif %}\n{% endfor %}",
    "documents": "{% if documents %}{% for d in documents %}Document {{ loop.index0 }}\n{{ d.title }}\n{{ d['text'] }}\n{% endfor %}{% else %}none {{ documents is none }} {{ tools is none }}{% endif %}{% if tools %}{{ tools | length }}{% endif %}",
    "attributes": "{% set s = {'items': {'type': 'x'}, 'get': 1, 'type': 'array', 'update': 2, 'count': 3} %}{{ s.items.type }}|{{ s.items is mapping }}|{{ s.items is defined }}|{{ s.items is callable }}|{{ s['items'].type }}|{{ s.update }}|{{ s.update is defined }}|{{ s.count }}|{{ 1 if s.items }}|{% for k, v in s.items() %}{{ k }}{% endfor %}|{% set f = s.get %}{{ f('type') }}|{% set ns = namespace(items=5) %}{{ ns.items }}{% set ns.items = 6 %}{{ ns.items }}|{{ s.keys ( ) | list }}|{{ messages[0].items is defined }}",
    "attribute_length": "{{ {'items': [1]}.items | length }}",
    "attribute_json": "{{ {'items': [1]}.items | tojson }}",
    "ints": "{{ ' 42 ' | int }} {{ '' | int }} {{ '1_000' | int }} {{ [1] | int }} {{ none | int }} {{ '3.9' | int }} {{ 'x' | int(7) }} {{ '1e3' | int }} {{ '0x1F' | int(0, 16) }} {{ 'ff' | int(base=16) }} {{ '_1' | int }} {{ '1__0' | int }} {{ true | int }} {{ -3.7 | int }} {{ '-5' | int }} {{ '18446744073709551617' | int }} {{ '340282366920938463463374607431768211457' | int }} {{ 'inf' | int }} {{ {} | int(1) }} {{ 1e30 | int }} {{ '+5' | int }} {{ '0b11' | int(base=2) }} {{ '007' | int }} {{ ['1', 'x'] | map('int') | list }} {{ '1e400' | int(3) }}",
    "int_undefined": "{{ nothing | int }}",
    "titles": "{{ \"they're a_b x-y (z)\".title() }}|{{ \"they're a_b x-y (z)\" | title }}|{{ 'ÄRA äß-öl' | title }}|{{ 'ära öl1x'.title() }}",
    "reprs": "{{ ['\u2028', '\u00a0', 'é', '日', '\x7f', '\u200b', \"it's\", 'a\"b', '\\\\', '😀', '\\n', '\u0001', '\ue000', '\u0301', 'x\u0301', '\U000e0001', '\xad'] }} {{ '%r' % '\u00a0' }}",
    "split_arguments": "{{ 'a-b-c'.split(sep='-', maxsplit=1) }}{{ 'a b c'.split(maxsplit=1) }}{{ 'a-b-c'.rsplit('-', maxsplit=1) }}{{ 'a\tb'.expandtabs(tabsize=2) }}{{ 'a\nb\x0bc\u2028d\x1ce\n'.splitlines() }}{{ 'a\nb\x0bc'.splitlines(true) }}{{ 'a\n\nb'.splitlines(keepends=true) }}{{ ''.splitlines() }}",
    "split_wrong": "{{ 'a-b'.split(separator='-') }}",
    "searches": "{{ 'abcabc'.startswith('b', 1) }} {{ 'abcabc'.find('a', 1) }} {{ 'abcabc'.find('c', 0, 2) }} {{ 'abcabc'.rfind('a', 0, -3) }} {{ 'abcabc'.count('a', 1) }} {{ 'abcabc'.endswith('b', 0, 2) }} {{ 'abcabc'.index('c', 3) }} {{ 'abcabc'.rindex('b') }} {{ 'abc'.find('a', 9) }} {{ 'äbc'.find('c', none, none) }} {{ 'abc'.startswith(('x', 'b'), 1) }} {{ '12'.isdecimal() }} {{ ''.isdecimal() }} {{ '1a'.isdecimal() }} {{ (1.0).is_integer() }} {{ (1.5).is_integer() }} {{ 'abc'.startswith('', 4) }} {{ 'abc'.find('', 3) }}",
    "sorts": "{{ ['b', 'A', 'a', 'B'] | sort }}{{ ['b', 'A', 'a', 'B'] | sort(true) }}{{ ['b', 'A', 'a', 'B'] | sort(true, true) }}{{ ['b', 'A', 'a', 'B'] | sort(false, true) }}{{ [{'n': 2}, {'n': 1}] | sort(false, false, 'n') }}{{ [{'n': 2}, {'n': 1}] | sort(attribute='n', reverse=true) }}",
    "percent_maps": "{{ 'abc' % {} }}{{ 'abc' % {'a': 1} }}{{ 'x' % [1, 2] }}{{ '%s' % [1, 2] }}{{ 'abc' % () }}{{ '%s' % (1,) }}",
    "percent_more": "{{ '%s' % ('a', 'b') }}",
    "percent_text": "{{ 'abc' % 'x' }}",
    "format_more": "{{ '%s' | format('a', 'b') }}",
    # In the manner of families that call tools.
    "chatml_tools": "{%- if tools %}\n    {{- '<|im_start|>system\\n' }}\n    {%- if messages[0].role == 'system' %}\n        {{- messages[0].content + '\\n\\n' }}\n    {%- endif %}\n    {{- \"# Tools\\n<tools>\" }}\n    {%- for tool in tools %}\n        {{- \"\\n\" }}\n        {{- tool | tojson }}\n    {%- endfor %}\n    {{- \"\\n</tools><|im_end|>\\n\" }}\n{%- elif messages[0].role == 'system' %}\n    {{- '<|im_start|>system\\n' + messages[0].content + '<|im_end|>\\n' }}\n{%- endif %}\n{%- set ns = namespace(multi_step=true, last=messages|length - 1) %}\n{%- for message in messages[::-1] %}\n    {%- set index = (messages|length - 1) - loop.index0 %}\n    {%- if ns.multi_step and message.role == \"user\" and message.content is string and not (message.content.startswith('<tool_response>') and message.content.endswith('</tool_response>')) %}\n        {%- set ns.multi_step = false %}\n        {%- set ns.last = index %}\n    {%- endif %}\n{%- endfor %}\n{%- for message in messages %}\n    {%- if message.content is string %}\n        {%- set content = message.content %}\n    {%- else %}\n        {%- set content = '' %}\n    {%- endif %}\n    {%- if message.role == \"user\" or (message.role == \"system\" and not loop.first) %}\n        {{- '<|im_start|>' + message.role + '\\n' + content + '<|im_end|>' + '\\n' }}\n    {%- elif message.role == \"assistant\" %}\n        {{- '<|im_start|>assistant' }}\n        {%- if loop.index0 > ns.last and message.reasoning_content is string %}\n            {{- '\\n<think>\\n' + message.reasoning_content.strip('\\n') + '\\n</think>' }}\n        {%- endif %}\n        {{- '\\n' + content }}\n        {%- for tool_call in message.tool_calls or [] %}\n            {%- if (loop.first and content) or (not loop.first) %}{{- '\\n' }}{%- endif %}\n            {%- if tool_call.function %}{%- set tool_call = tool_call.function %}{%- endif %}\n            {{- '<tool_call>\\n{\"name\": \"' }}\n            {{- tool_call.name }}\n            {{- '\", \"arguments\": ' }}\n            {%- if tool_call.arguments is string %}{{- tool_call.arguments }}{%- else %}{{- tool_call.arguments | tojson }}{%- endif %}\n            {{- '}\\n</tool_call>' }}\n        {%- endfor %}\n        {{- '<|im_end|>\\n' }}\n    {%- elif message.role == \"tool\" %}\n        {%- if loop.first or (messages[loop.index0 - 1].role != \"tool\") %}{{- '<|im_start|>user' }}{%- endif %}\n        {{- '\\n<tool_response>\\n' + content + '\\n</tool_response>' }}\n        {%- if loop.last or (messages[loop.index0 + 1].role != \"tool\") %}{{- '<|im_end|>\\n' }}{%- endif %}\n    {%- endif %}\n{%- endfor %}\n{%- if add_generation_prompt %}\n    {{- '<|im_start|>assistant\\n' }}\n    {%- if enable_thinking is defined and enable_thinking is false %}\n        {{- '<think>\\n\\n</think>\\n\\n' }}\n    {%- endif %}\n{%- endif %}",
    "headers_tools": "{{- bos_token }}\n{%- if not date_string is defined %}\n    {%- set date_string = strftime_now(\"%d %b %Y\") %}\n{%- endif %}\n{%- if messages[0]['role'] == 'system' %}\n    {%- set system_message = messages[0]['content']|trim %}\n    {%- set messages = messages[1:] %}\n{%- else %}\n    {%- set system_message = \"\" %}\n{%- endif %}\n{{- \"<|start_header_id|>system<|end_header_id|>\\n\\n\" }}\n{{- \"Today Date: \" + date_string + \"\\n\\n\" + system_message + \"<|eot_id|>\" }}\n{%- for message in messages %}\n    {%- if not (message.role == 'ipython' or message.role == 'tool' or 'tool_calls' in message) %}\n        {{- '<|start_header_id|>' + message['role'] + '<|end_header_id|>\\n\\n' }}\n        {%- if message.content is string %}{{- message['content'] | trim }}{%- else %}{%- for part in message.content or [] %}{%- if part['type'] == 'text' %}{{- part['text'] | trim }}{%- elif part['type'] == 'image' %}{{- '<|image|>' }}{%- endif %}{%- endfor %}{%- endif %}\n        {{- '<|eot_id|>' }}\n    {%- elif 'tool_calls' in message %}\n        {%- if not message.tool_calls|length == 1 %}\n            {{- raise_exception(\"This model only supports single tool-calls at once!\") }}\n        {%- endif %}\n        {%- set tool_call = message.tool_calls[0].function %}\n        {{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n' -}}\n        {{- tool_call.name + \".call(\" }}\n        {%- for arg_name, arg_val in tool_call.arguments | items %}\n            {{- arg_name + '=\"' ~ arg_val ~ '\"' }}\n            {%- if not loop.last %}{{- \", \" }}{%- endif %}\n        {%- endfor %}\n        {{- \")<|eom_id|>\" }}\n    {%- else %}\n        {{- \"<|start_header_id|>ipython<|end_header_id|>\\n\\n\" }}\n        {%- if message.content is mapping or (message.content is iterable and message.content is not string) %}{{- message.content | tojson }}{%- else %}{{- message.content }}{%- endif %}\n        {{- \"<|eot_id|>\" }}\n    {%- endif %}\n{%- endfor %}\n{%- if tools is not none %}{%- for t in tools %}{{- t | tojson(indent=4) }}{{- \"\\n\\n\" }}{%- endfor %}{%- endif %}\n{%- if add_generation_prompt %}{{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}{%- endif %}",
    "types_macro": "{%- macro kind(schema) -%}{%- if schema.type == 'array' -%}{{- kind(schema['items']) + '[]' if schema['items'] else 'any[]' }}{%- elif schema.type is iterable and schema.type is not string -%}{{- schema.type | join(' | ') }}{%- elif schema.enum -%}{{- '\"' + schema.enum | join('\" | \"') + '\"' }}{%- elif schema.type == 'object' -%}{\n{%- for name, prop in schema.properties.items() %}\n  {{ name }}{% if name not in (schema.required or []) %}?{% endif %}: {{ kind(prop) }}{{ ',' if not loop.last }}{% if prop.description %} // {{ prop.description }}{% endif %}\n{%- endfor %}\n}{%- else -%}{{- {'integer': 'number', 'number': 'number', 'boolean': 'boolean'}.get(schema.type, 'string') }}{%- endif -%}{%- endmacro -%}{%- for tool in tools or [] %}type {{ tool.function.name }} = (_: {{ kind(tool.function.parameters) }}) => any;\n{% endfor %}{%- for m in messages %}{{ m.role }}{% for c in m.tool_calls or [] %}{{ c.function.arguments if c.function.arguments is string else c.function.arguments | tojson }}{% endfor %}{% endfor %}",
}

TOOLS = [
    {"type": "function", "function": {"name": "get_weather", "description": "Get the weather; it's \"current\" – für jede Stadt <b>&</b> 日本", "parameters": {
        "type": "object", "properties": {
            "location": {"type": "string", "description": "The city"}, "unit": {"type": "string", "enum": ["celsius", "fahrenheit"]},
            "days": {"type": "array", "items": {"type": "integer"}}, "exact": {"type": ["boolean", "null"], "default": False}, "scale": {"type": "number", "minimum": 0.5}},
        "required": ["location"]}}},
    {"type": "function", "function": {"name": "now", "description": "", "parameters": {"type": "object", "properties": {}}}},
]
CALL = {"role": "assistant", "content": None, "tool_calls": [{"id": "abcdefghi", "type": "function", "function": {"name": "get_weather", "arguments": {"location": "Zürich, \"CH\"", "days": [1, 2], "scale": 1.0, "exact": True}}}]}
TALK = [{"role": "user", "content": "Hello, how are you?"}, {"role": "assistant", "content": " I'm fine.\n"}, {"role": "user", "content": "Tell me\n\n  more… 🦘 "}]

CHATS = [
    {"messages": TALK},
    {"messages": TALK, "add_generation_prompt": True},
    {"messages": [{"role": "system", "content": "You are a wombat.\n"}, *TALK], "add_generation_prompt": True, "enable_thinking": False},
    {"messages": [{"role": "system", "content": ""}, *TALK, {"role": "assistant", "content": "<think>\nhm\n</think>\n\nYes."}]},
    {"messages": [*TALK, CALL, {"role": "tool", "tool_call_id": "abcdefghi", "name": "get_weather", "content": "{\"temp\": 22.5}"}, {"role": "assistant", "content": "22 °C"}], "tools": TOOLS},
    {"messages": [{"role": "system", "content": "Use tools."}, TALK[0], {**CALL, "content": "Let me see.", "tool_calls": CALL["tool_calls"] * 2},
                  {"role": "tool", "content": "a"}, {"role": "tool", "content": {"temp": [1, None, 2.0]}}], "tools": TOOLS[:1], "add_generation_prompt": True},
    {"messages": [{"role": "user", "content": [{"type": "text", "text": " What is this? "}, {"type": "image"}, {"type": "text", "text": "And that?"}]}], "add_generation_prompt": True},
    {"messages": [TALK[0], {"role": "assistant", "content": "It goes on"}], "continue_final_message": True},
    {"messages": [TALK[0], {"role": "assistant", "reasoning": "because", "content": "It goes on  "}], "continue_final_message": True},
    {"messages": TALK[:1], "documents": [{"title": "One", "text": "First text."}, {"title": "Zwei", "text": "Ünïcode\n"}], "tools": TOOLS[1:], "enable_thinking": True},
    {"messages": [TALK[0], TALK[2]]},
    {"messages": [{"role": "assistant", "content": "I begin.", "thinking": "x"}, TALK[0]]},
]


class Clock(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return NOW


def reference():
    chat_template_utils.datetime = Clock
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=Tokenizer(models.WordLevel({"a": 0}, unk_token="a")), **TOKENS)

    def render(template, chat):
        chat = json.loads(json.dumps(chat))
        try:
            return tokenizer.apply_chat_template(chat.pop("messages"), chat_template=template, tokenize=False, **chat)
        except Exception as error:  # what a template raises is of many kinds
            return error

    return render


def write():
    render = reference()
    cases = []
    for name, template in TEMPLATES.items():
        rendered = [render(template, chat) for chat in CHATS]
        cases.append({"name": name, "template": template, "cases": [[i, None if isinstance(r, Exception) else r] for i, r in enumerate(rendered)]})
    common.save_json("chat.json", {"now": calendar.timegm(NOW.timetuple()), "tokens": TOKENS, "chats": CHATS, "templates": cases}, compact=True)


def compare(data):
    render = reference()
    templates = dict(TEMPLATES)
    for path in sorted(data.rglob("*.jinja")) if data else []:
        templates[path.name] = path.read_text()
    for path in sorted(data.rglob("*.json")) if data else []:
        text = path.read_text()
        found = json.loads(text).get("chat_template") if '"chat_template"' in text and text.startswith("{") else None
        if found:
            templates[path.name] = found
    jobs = [(name, chat, text) for name, text in templates.items() for chat in CHATS]
    lines = "".join(json.dumps([text, json.dumps(TOKENS | chat), calendar.timegm(NOW.timetuple())]) + "\n" for _, chat, text in jobs)
    command = ["cargo", "run", "-q", "-p", "jarrah-tokenizer", "--example", "chat"]
    answers = [json.loads(line) for line in subprocess.run(command, input=lines, text=True, stdout=subprocess.PIPE, cwd=ROOT, check=True).stdout.split("\n") if line]
    wrong, same, errors = {}, 0, 0
    for (name, chat, text), ours in zip(jobs, answers, strict=True):
        theirs = render(text, chat)
        failed = isinstance(theirs, Exception)
        if failed == ("error" in ours) and (failed or theirs == ours["text"]):
            same, errors = same + 1, errors + failed
        else:
            wrong.setdefault(name, []).append((CHATS.index(chat), theirs, ours))
    for name, cases in wrong.items():
        print(f"{name}: {len(cases)} differ, the first:", *cases[0], sep="\n    ")
    print(f"{len(templates)} templates, {len(jobs)} prompts: {same} the same ({errors} of them errors), {len(jobs) - same} differ")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    if sys.argv[1:2] == ["compare"]:
        compare(pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None)
    else:
        write()

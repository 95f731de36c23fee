"""OpenAI's own client against `jarrah serve`.

    pip install openai==3.57.0 pytest
    cargo build
    JARRAH=target/debug/jarrah python -m pytest -q python/tests/openai_client.py

A small model is trained on the sources here, which takes a few seconds, and served at a free port.
"""

import os
import pathlib
import signal
import subprocess

import openai
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TEMPLATE = """{% for m in messages %}<{{ m.role }}>{{ m.content }}
{% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}"""
MODEL = "tiny"
KEY = "secret"
HELLO = [{"role": "user", "content": "Hello"}]


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    folder = tmp_path_factory.mktemp("served")
    jarrah = str(pathlib.Path(os.environ.get("JARRAH", ROOT / "target/debug/jarrah")).resolve())
    recipe = "steps=4 batch=2 model.layers=1 model.width=32 model.heads=2 model.context=256 tokenizer.vocab_size=400"
    train = [jarrah, "train", "--data", str(ROOT / "crates/http"), "--out", str(folder / "run"), *recipe.split()]
    subprocess.run(train, check=True, stdout=subprocess.DEVNULL)
    (folder / "chat.jinja").write_text(TEMPLATE)
    serve = [jarrah, "serve", str(folder / "run"), "--port", "0", "--api-key", KEY, "--served-model-name", MODEL]
    serve += ["--chat-template", str(folder / "chat.jinja")]
    server = subprocess.Popen(serve, stdout=subprocess.PIPE, text=True)
    line = server.stdout.readline()
    assert line.startswith(f"serving {MODEL} at http://"), line
    yield line.split(" at ")[1].strip()
    server.send_signal(signal.SIGTERM)
    assert server.wait(timeout=60) == 0


@pytest.fixture(scope="module")
def client(address):
    return openai.OpenAI(base_url=f"{address}/v1", api_key=KEY, max_retries=0)


def test_models(client):
    assert [model.id for model in client.models.list()] == [MODEL]
    assert client.models.retrieve(MODEL).owned_by == "jarrah"
    with pytest.raises(openai.NotFoundError) as refused:
        client.models.retrieve("other")
    assert refused.value.code == "model_not_found"


def test_chat(client):
    answer = client.chat.completions.create(
        model=MODEL, messages=HELLO, max_completion_tokens=8, n=2, seed=1, logprobs=True, top_logprobs=3,
        extra_body={"ignore_eos": True},
    )
    assert [choice.index for choice in answer.choices] == [0, 1]
    for choice in answer.choices:
        assert choice.message.role == "assistant" and choice.finish_reason == "length"
        assert len(choice.logprobs.content) == 8 and len(choice.logprobs.content[0].top_logprobs) == 3
    assert answer.usage.completion_tokens == 16
    assert answer.usage.total_tokens == answer.usage.prompt_tokens + 16


def test_chat_stream(client):
    asked = dict(model=MODEL, messages=HELLO, max_tokens=12, seed=2, temperature=0.9)
    whole = client.chat.completions.create(**asked)
    stream = client.chat.completions.create(**asked, stream=True, stream_options={"include_usage": True})
    chunks = list(stream)
    assert chunks[0].choices[0].delta.role == "assistant"
    text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
    assert text == whole.choices[0].message.content
    ends = [chunk.choices[0].finish_reason for chunk in chunks if chunk.choices]
    assert ends[-1] == whole.choices[0].finish_reason and not any(ends[:-1])
    assert chunks[-1].usage.completion_tokens == whole.usage.completion_tokens


def test_chat_stream_helper(client):
    with client.chat.completions.stream(model=MODEL, messages=HELLO, max_tokens=6, seed=3) as stream:
        kinds = [event.type for event in stream]
        answer = stream.get_final_completion()
    assert "content.delta" in kinds and kinds[-1] == "content.done"
    assert answer.choices[0].message.content is not None


def test_completions(client):
    asked = dict(model=MODEL, prompt=["fn main", "use std"], max_tokens=6, seed=4, logprobs=2, echo=True)
    whole = client.completions.create(**asked)
    assert [choice.text.startswith(p) for choice, p in zip(whole.choices, asked["prompt"])] == [True, True]
    assert whole.choices[0].logprobs.token_logprobs[0] is None
    texts = ["", ""]
    for chunk in client.completions.create(**asked, stream=True):
        texts[chunk.choices[0].index] += chunk.choices[0].text
    assert texts == [choice.text for choice in whole.choices]


def test_responses(client):
    asked = dict(model=MODEL, input="Hello", instructions="Be brief.", max_output_tokens=7, temperature=0.0)
    whole = client.responses.create(**asked)
    assert whole.status in ("completed", "incomplete") and whole.usage.output_tokens <= 7
    with client.responses.stream(**asked) as stream:
        text = "".join(event.delta for event in stream if event.type == "response.output_text.delta")
    assert text == whole.output_text


def test_embeddings(client):
    found = client.embeddings.create(model=MODEL, input=["fn main", "use std"])
    assert [entry.index for entry in found.data] == [0, 1]
    plain = client.embeddings.create(model=MODEL, input="fn main", encoding_format="float")
    assert len(plain.data[0].embedding) == 32
    assert plain.data[0].embedding == pytest.approx(found.data[0].embedding, abs=1e-7)
    assert sum(x * x for x in plain.data[0].embedding) == pytest.approx(1)


def test_errors(client, address):
    with pytest.raises(openai.AuthenticationError):
        openai.OpenAI(base_url=f"{address}/v1", api_key="wrong", max_retries=0).models.list()
    with pytest.raises(openai.NotFoundError):
        client.chat.completions.create(model="other", messages=HELLO)
    with pytest.raises(openai.BadRequestError) as refused:
        client.chat.completions.create(model=MODEL, messages=HELLO, temperature="hot")
    assert refused.value.param == "temperature"
    with pytest.raises(openai.BadRequestError) as refused:
        client.completions.create(model=MODEL, prompt="fn", max_tokens=100000)
    assert refused.value.code == "context_length_exceeded"


def test_a_stream_that_is_closed_ends(client):
    stream = client.chat.completions.create(
        model=MODEL, messages=HELLO, max_tokens=200, stream=True, extra_body={"ignore_eos": True}
    )
    next(iter(stream))
    stream.close()
    answer = client.completions.create(model=MODEL, prompt="fn", max_tokens=1)
    assert answer.usage.completion_tokens == 1


@pytest.mark.parametrize("count", [16])
def test_many_at_a_time(address, count):
    import asyncio

    async def ask_all():
        client = openai.AsyncOpenAI(base_url=f"{address}/v1", api_key=KEY, max_retries=0)
        asked = dict(model=MODEL, prompt="fn main", max_tokens=16, seed=5, temperature=0.8)
        return await asyncio.gather(*(client.completions.create(**asked) for _ in range(count)))

    answers = asyncio.run(ask_all())
    assert len({answer.choices[0].text for answer in answers}) == 1

"""OpenAI's own client against `jarrah serve`.

    pip install openai==3.57.0 pytest
    cargo build
    JARRAH=target/debug/jarrah python -m pytest -q python/tests/openai_client.py

A small model learns to call a tool from the four chats of `weather.jsonl`, which takes a few seconds, and is served at a free port.
"""

import asyncio
import io
import json
import os
import pathlib
import signal
import subprocess
import threading
import time
import urllib.request
from typing import Literal

import openai
import pydantic
import pytest

HERE = pathlib.Path(__file__).resolve().parent
JARRAH = str(pathlib.Path(os.environ.get("JARRAH", HERE.parents[1] / "target/debug/jarrah")).resolve())
RECIPE = """task=sft steps=120 batch=8 model.layers=2 model.width=64 model.heads=4 model.context=256 tokenizer.vocab_size=320
    optimizer.lr=0.006 optimizer.warmup=10 sample.tokens=0"""
MODEL = "tiny"
KEY = "secret"
HELLO = [{"role": "user", "content": "Hello"}]
PERTH = [{"role": "user", "content": "What is the weather in Perth?"}]
BOTH = [{"role": "user", "content": "What is the weather in Perth and in Albany?"}]
PARAMETERS = {
    "type": "object",
    "properties": {"city": {"type": "string", "enum": ["Perth", "Albany"]}},
    "required": ["city"],
    "additionalProperties": False,
}
TOOL = {"type": "function", "function": {"name": "weather", "description": "The weather.", "parameters": PARAMETERS}}
OTHER = {"type": "function", "function": {"name": "tides", "parameters": PARAMETERS}}
FLAT_TOOL = {"type": "function", **TOOL["function"]}
# Choices that do not depend on chance.
CERTAIN = {"model": MODEL, "temperature": 0}


class Weather(pydantic.BaseModel):
    city: Literal["Perth", "Albany"]
    is_sunny: bool


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("run") / "run"
    train = [JARRAH, "train", "--data", str(HERE / "weather.jsonl"), "--out", str(folder), *RECIPE.split()]
    subprocess.run([*train, f"data.template={HERE / 'weather.jinja'}"], check=True, stdout=subprocess.DEVNULL)
    return folder


def serve(run, *flags):
    """A server, and its address."""
    command = [JARRAH, "serve", str(run), "--port", "0", "--api-key", KEY, "--served-model-name", MODEL, *flags]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    line = server.stdout.readline()
    assert line.startswith(f"serving {MODEL} at http://"), line
    return server, line.split(" at ")[1].strip()


@pytest.fixture(scope="module")
def address(run):
    server, address = serve(run, "--tool-call-parser", "hermes")
    yield address
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
    with client.chat.completions.stream(**CERTAIN, messages=HELLO) as stream:
        kinds = [event.type for event in stream]
        answer = stream.get_final_completion()
    assert "content.delta" in kinds and kinds[-1] == "content.done"
    assert answer.choices[0].message.content == "Good day to you."


def test_the_model_calls_a_tool_and_reads_what_it_gives(client):
    answer = client.chat.completions.create(**CERTAIN, messages=PERTH, tools=[TOOL, OTHER], tool_choice="auto")
    assert answer.choices[0].finish_reason == "tool_calls"
    message = answer.choices[0].message
    (call,) = message.tool_calls
    assert (call.type, call.function.name, json.loads(call.function.arguments)) == ("function", "weather", {"city": "Perth"})
    result = {"role": "tool", "tool_call_id": call.id, "content": "sunny"}
    answer = client.chat.completions.create(**CERTAIN, messages=[*PERTH, message, result], tools=[TOOL])
    assert answer.choices[0].finish_reason == "stop"
    assert answer.choices[0].message.content == "It is sunny in Perth."
    assert answer.choices[0].message.tool_calls is None


def test_a_model_with_tools_may_answer_without(client):
    answer = client.chat.completions.create(**CERTAIN, messages=HELLO, tools=[TOOL])
    assert (answer.choices[0].finish_reason, answer.choices[0].message.tool_calls) == ("stop", None)
    answer = client.chat.completions.create(**CERTAIN, messages=PERTH, tools=[TOOL], tool_choice="none")
    assert answer.choices[0].message.tool_calls is None and "<tool_call>" in answer.choices[0].message.content


@pytest.mark.parametrize("choice", ["required", {"type": "function", "function": {"name": "tides"}}])
def test_calls_that_must_come(client, choice):
    tools = [TOOL, OTHER] if choice == "required" else [OTHER, TOOL]
    answer = client.chat.completions.create(
        **CERTAIN, messages=HELLO, tools=tools, tool_choice=choice, parallel_tool_calls=False, max_tokens=60
    )
    (call,) = answer.choices[0].message.tool_calls
    assert call.function.name in (["weather", "tides"] if choice == "required" else ["tides"])
    assert json.loads(call.function.arguments)["city"] in ("Perth", "Albany")


def test_parallel_calls(client):
    whole = client.chat.completions.create(**CERTAIN, messages=BOTH, tools=[TOOL])
    calls = whole.choices[0].message.tool_calls
    assert [json.loads(call.function.arguments)["city"] for call in calls] == ["Perth", "Albany"]
    assert len({call.id for call in calls}) == 2
    # The same as it comes: by the places of the calls, as OpenAI's guide gathers them.
    gathered = {}
    for chunk in client.chat.completions.create(**CERTAIN, messages=BOTH, tools=[TOOL], stream=True):
        for piece in chunk.choices[0].delta.tool_calls or []:
            if piece.index not in gathered:
                gathered[piece.index] = piece
            else:
                gathered[piece.index].function.arguments += piece.function.arguments
    assert chunk.choices[0].finish_reason == "tool_calls"
    named = [(call.function.name, call.function.arguments) for call in gathered.values()]
    assert named == [(call.function.name, call.function.arguments) for call in calls]


def test_the_stream_helper_gathers_calls(client):
    strict = {**TOOL, "function": {**TOOL["function"], "strict": True}}
    with client.chat.completions.stream(**CERTAIN, messages=BOTH, tools=[strict]) as stream:
        done = [event for event in stream if event.type == "tool_calls.function.arguments.done"]
        answer = stream.get_final_completion()
    assert [event.parsed_arguments for event in done] == [{"city": "Perth"}, {"city": "Albany"}]
    assert [call.function.parsed_arguments for call in answer.choices[0].message.tool_calls] == [{"city": "Perth"}, {"city": "Albany"}]


def test_structured_output(client):
    answer = client.chat.completions.parse(model=MODEL, messages=HELLO, response_format=Weather, seed=1)
    assert isinstance(answer.choices[0].message.parsed, Weather)
    assert client.beta.chat.completions.parse(model=MODEL, messages=HELLO, response_format=Weather).choices[0].message.parsed
    schema = {"type": "json_schema", "json_schema": {"name": "weather", "schema": PARAMETERS, "strict": True}}
    for seed in range(5):
        answer = client.chat.completions.create(
            model=MODEL, messages=HELLO, response_format=schema, seed=seed, temperature=2, max_tokens=100
        )
        assert json.loads(answer.choices[0].message.content)["city"] in ("Perth", "Albany")
    answer = client.chat.completions.create(
        model=MODEL, messages=HELLO, response_format={"type": "json_object"}, seed=1, max_tokens=100, temperature=2
    )
    assert answer.choices[0].finish_reason == "length" or isinstance(json.loads(answer.choices[0].message.content), dict)
    with client.chat.completions.stream(model=MODEL, messages=HELLO, response_format=Weather, seed=2) as stream:
        pieces = [event for event in stream if event.type == "content.delta"]
        answer = stream.get_final_completion()
    assert pieces and isinstance(answer.choices[0].message.parsed, Weather)


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
    short = client.responses.create(**CERTAIN, input="Hello", instructions="Be brief.", max_output_tokens=2)
    assert (short.status, short.incomplete_details.reason) == ("incomplete", "max_output_tokens")
    assert short.usage.output_tokens == 2
    asked = dict(**CERTAIN, input="Hello")
    whole = client.responses.create(**asked)
    assert (whole.status, whole.output_text) == ("completed", "Good day to you.")
    with client.responses.stream(**asked) as stream:
        text = "".join(event.delta for event in stream if event.type == "response.output_text.delta")
        assert stream.get_final_response().output_text == text
    assert text == whole.output_text
    kinds = [event.type for event in client.responses.create(**asked, stream=True)]
    assert kinds[0] == "response.created" and kinds[-1] == "response.completed"
    with pytest.raises(openai.BadRequestError) as refused:
        client.responses.create(model=MODEL, input="Hello", previous_response_id=whole.id)
    assert refused.value.param == "previous_response_id"
    with pytest.raises(openai.NotFoundError):
        client.responses.retrieve(whole.id)


def test_responses_with_tools(client):
    whole = client.responses.create(**CERTAIN, input=PERTH, tools=[FLAT_TOOL])
    (call,) = whole.output
    assert (call.type, call.name, json.loads(call.arguments)) == ("function_call", "weather", {"city": "Perth"})
    result = {"type": "function_call_output", "call_id": call.call_id, "output": "sunny"}
    answer = client.responses.create(**CERTAIN, input=[*PERTH, *whole.output, result], tools=[FLAT_TOOL])
    assert answer.output_text == "It is sunny in Perth."
    forced = client.responses.create(
        **CERTAIN, input="Hello", tools=[FLAT_TOOL], tool_choice={"type": "function", "name": "weather"},
        parallel_tool_calls=False,
    )
    assert [item.type for item in forced.output] == ["function_call"]
    with client.responses.stream(**CERTAIN, input=BOTH, tools=[FLAT_TOOL]) as stream:
        done = [event for event in stream if event.type == "response.function_call_arguments.done"]
        final = stream.get_final_response()
    assert [json.loads(event.arguments)["city"] for event in done] == ["Perth", "Albany"]
    assert [json.loads(item.arguments)["city"] for item in final.output] == ["Perth", "Albany"]


def test_responses_that_keep_to_a_form(client):
    answer = client.responses.parse(model=MODEL, input="Hello", text_format=Weather)
    assert isinstance(answer.output_parsed, Weather)
    with client.responses.stream(model=MODEL, input="Hello", text_format=Weather) as stream:
        for _ in stream:
            pass
        assert isinstance(stream.get_final_response().output_parsed, Weather)


def line(custom_id, url, body):
    return json.dumps({"custom_id": custom_id, "method": "POST", "url": url, "body": body})


def ended(client, batch):
    for _ in range(600):
        batch = client.batches.retrieve(batch.id)
        if batch.status in ("completed", "failed", "cancelled"):
            return batch
        time.sleep(0.05)
    raise AssertionError(batch)


def test_batch(client):
    url = "/v1/chat/completions"
    asked = [{"model": MODEL, "messages": HELLO, "seed": i, "temperature": 2, "max_tokens": 20, "logprobs": True} for i in range(8)]
    lines = [line(f"r{i}", url, body) for i, body in enumerate(asked)] + [line("bad", url, {"model": "other", "messages": HELLO})]
    uploaded = client.files.create(file=("lines.jsonl", "\n".join(lines).encode()), purpose="batch")
    assert (uploaded.filename, uploaded.purpose, uploaded.status) == ("lines.jsonl", "batch", "processed")
    assert client.files.retrieve(uploaded.id).bytes == uploaded.bytes
    assert client.files.content(uploaded.id).text == "\n".join(lines)
    batch = client.batches.create(
        input_file_id=uploaded.id, endpoint=url, completion_window="24h", metadata={"a": "b"}
    )
    batch = ended(client, batch)
    counts = batch.request_counts
    assert (batch.status, counts.total, counts.completed, counts.failed) == ("completed", 9, 8, 1), batch
    answers = [json.loads(text) for text in client.files.content(batch.output_file_id).text.splitlines()]
    assert [answer["custom_id"] for answer in answers] == [f"r{i}" for i in range(8)]
    for answer, body in zip(answers, asked):
        direct = client.chat.completions.with_raw_response.create(**body)
        assert answer["response"]["body"]["choices"] == json.loads(direct.text)["choices"]
    (error,) = [json.loads(text) for text in client.files.content(batch.error_file_id).text.splitlines()]
    assert (error["custom_id"], error["response"]["status_code"]) == ("bad", 404)
    assert batch.id in [other.id for other in client.batches.list()]
    assert {uploaded.id, batch.output_file_id} <= {file.id for file in client.files.list()}
    assert client.files.delete(uploaded.id).deleted
    with pytest.raises(openai.NotFoundError):
        client.files.retrieve(uploaded.id)
    with pytest.raises(openai.ConflictError):
        client.batches.cancel(batch.id)


def test_batch_of_embeddings(client):
    file = io.BytesIO(line("e", "/v1/embeddings", {"model": MODEL, "input": ["Hello", "Perth"]}).encode())
    uploaded = client.files.create(file=file, purpose="batch")
    batch = client.batches.create(input_file_id=uploaded.id, endpoint="/v1/embeddings", completion_window="24h")
    (answer,) = client.files.content(ended(client, batch).output_file_id).text.splitlines()
    direct = client.embeddings.create(model=MODEL, input=["Hello", "Perth"], encoding_format="float")
    assert [entry["embedding"] for entry in json.loads(answer)["response"]["body"]["data"]] == [
        entry.embedding for entry in direct.data
    ]


def test_batch_of_a_wrong_file(client):
    uploaded = client.files.create(file=b"{", purpose="batch")
    batch = client.batches.create(input_file_id=uploaded.id, endpoint="/v1/completions", completion_window="24h")
    batch = ended(client, batch)
    assert (batch.status, batch.errors.data[0].line) == ("failed", 1)
    with pytest.raises(openai.BadRequestError):
        client.files.create(file=b"x", purpose="fine-tune")


def test_embeddings(client):
    found = client.embeddings.create(model=MODEL, input=["fn main", "use std"])
    assert [entry.index for entry in found.data] == [0, 1]
    plain = client.embeddings.create(model=MODEL, input="fn main", encoding_format="float")
    assert len(plain.data[0].embedding) == 64
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
        client.completions.create(model=MODEL, prompt=[97] * 100000, max_tokens=1)
    assert refused.value.code == "context_length_exceeded"
    assert client.completions.create(model=MODEL, prompt="fn", max_tokens=100000).choices[0].finish_reason in ("length", "stop")
    with pytest.raises(openai.BadRequestError):
        client.chat.completions.create(model=MODEL, messages=HELLO, response_format={"type": "json_schema", "json_schema": {"name": "a"}})


def post(address, path):
    headers = {"authorization": f"Bearer {KEY}"}
    urllib.request.urlopen(urllib.request.Request(address + path, method="POST", headers=headers)).close()


def test_a_full_queue(run):
    server, address = serve(run, "--max-num-seqs", "1", "--max-num-queued-reqs", "1", "--dev-mode")
    client = openai.OpenAI(base_url=f"{address}/v1", api_key=KEY, max_retries=0)
    post(address, "/pause")
    asked = dict(model=MODEL, prompt="Hello", max_tokens=1)
    refused = []

    def ask_once():
        try:
            client.completions.create(**asked)
        except openai.RateLimitError as error:
            refused.append((error.code, error.response.headers["retry-after"]))

    threads = [threading.Thread(target=ask_once) for _ in range(4)]
    for thread in threads:
        thread.start()
    while len(refused) < 3:
        assert any(thread.is_alive() for thread in threads)
        time.sleep(0.01)
    post(address, "/resume")
    for thread in threads:
        thread.join()
    assert refused == [("rate_limit_exceeded", "1")] * 3
    # A client that tries again, as it does unless told otherwise, has its answer.
    assert openai.OpenAI(base_url=f"{address}/v1", api_key=KEY).completions.create(**asked).choices
    server.send_signal(signal.SIGTERM)
    assert server.wait(timeout=60) == 0


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
    async def ask_all():
        client = openai.AsyncOpenAI(base_url=f"{address}/v1", api_key=KEY, max_retries=0)
        asked = dict(model=MODEL, prompt="fn main", max_tokens=16, seed=5, temperature=0.8)
        return await asyncio.gather(*(client.completions.create(**asked) for _ in range(count)))

    answers = asyncio.run(ask_all())
    assert len({answer.choices[0].text for answer in answers}) == 1

"""The pages of `jarrah serve` and `jarrah dashboard` in a browser.

    pip install playwright pytest
    apt-get install chromium                    # or CHROMIUM=PATH of another one
    cargo build
    JARRAH=target/debug/jarrah python -m pytest -q python/tests/pages.py

Small models are trained on the sources here, which takes a few seconds. No test lets a page ask anything of another origin, and none ends with an
error in the browser's console.
"""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect, sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[2]
JARRAH = str(pathlib.Path(os.environ.get("JARRAH", ROOT / "target/debug/jarrah")).resolve())
TEMPLATE = """{% for m in messages %}<{{ m.role }}>{{ m.content }}
{% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}"""
KEY = "secret"
# A small engine has few programs to compile.
SMALL = ["--max-num-seqs", "4", "--max-num-batched-tokens", "64"]
ATTACK = '<img src=x onerror="window.hit=1"><script>window.hit=2</script>'
TOOL = {
    "type": "function",
    "function": {
        "name": "weather",
        "parameters": {"type": "object", "properties": {"city": {"enum": ["Perth"]}}, "required": ["city"], "additionalProperties": False},
    },
}


expect.set_options(timeout=20000)


def train(out, *keys):
    recipe = "steps=4 batch=2 model.layers=1 model.width=32 model.heads=2 model.context=256 tokenizer.vocab_size=400 sample.tokens=0"
    command = [JARRAH, "train", "--data", str(ROOT / "crates/openai"), "--out", str(out), *recipe.split(), *keys]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


class Server:
    """A process that prints its address and serves until it is told to stop."""

    def __init__(self, *command, cwd=None):
        self.process = subprocess.Popen([JARRAH, *map(str, command), "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=cwd)
        line = self.process.stdout.readline()
        assert " at http://" in line, line
        self.address = line.split(" at ")[1].strip()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(timeout=60) == 0


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    (folder / "chat.jinja").write_text(TEMPLATE)
    # Large enough that an answer of many tokens takes a while.
    train(folder / "run", "steps=2", "model.layers=6", "model.width=256", "model.heads=4", "model.context=4096", "batch=1")
    return folder


@pytest.fixture(scope="session")
def served(folder):
    with Server("serve", folder / "run", "--served-model-name", "tiny", "other", "--chat-template", folder / "chat.jinja", "--tool-call-parser", "hermes", *SMALL) as server:
        yield server.address


@pytest.fixture(scope="session")
def browser():
    path = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


class Watch:
    """A page in a context of its own, which is watched."""

    def __init__(self, browser, address, **options):
        self.address = address
        self.wrong = []
        self.allowed = None
        self.closed = False
        self.context = browser.new_context(**{"viewport": {"width": 1360, "height": 860}, **options})
        self.context.grant_permissions(["clipboard-read", "clipboard-write"])
        self.page = self.context.new_page()
        self.page.set_default_timeout(20000)
        self.page.on("console", lambda message: self.wrong.append(message.text) if message.type in ("error", "warning") else None)
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("request", self.request)
        self.page.on("dialog", lambda dialog: (self.wrong.append(f"a dialog: {dialog.message}"), dialog.dismiss()))

    def request(self, request):
        if request.url.startswith(("data:", "blob:")):
            return
        if urlsplit(request.url).netloc != urlsplit(self.address).netloc:
            self.wrong.append(f"a request to {request.url}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        if self.closed:
            return
        self.closed = True
        self.context.close()
        wrong = [words for words in self.wrong if not (self.allowed and re.search(self.allowed, words))]
        assert not wrong, wrong


@pytest.fixture
def open_page(browser):
    opened = []

    def open_page(address, **options):
        watch = Watch(browser, address, **options)
        opened.append(watch)
        watch.page.goto(address)
        return watch

    yield open_page
    for watch in opened:
        watch.close()


@pytest.fixture
def chat(open_page, served):
    page = open_page(served).page
    expect(page.locator("#model option")).to_have_count(2)
    return page


def control(page, **controls):
    for name, value in controls.items():
        field = page.locator(f"#control-{name}")
        if not field.is_visible():
            field.locator("xpath=ancestor::details").first.locator("summary").first.click()
        if isinstance(value, bool):
            field.set_checked(value)
        elif field.evaluate("node => node.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(str(value))


def send(page, text, **controls):
    """Sends a message; what the request had."""
    control(page, **controls)
    page.fill("#prompt", text)
    with page.expect_request("**/v1/chat/completions") as sent:
        page.press("#prompt", "Enter")
    return sent.value.post_data_json


def answered(page, count=1):
    """Waits for the end of so many answers; the last."""
    expect(page.locator("#send")).to_have_text("Send")
    expect(page.locator(".message.assistant:not(.running)")).to_have_count(count)
    return page.locator(".message.assistant").last


# The page to chat


def test_a_message_is_answered_and_kept(chat):
    sent = send(chat, "Hello", max_tokens=12, temperature=0.5, ignore_eos=True)
    assert sent["messages"] == [{"role": "user", "content": "Hello"}] and sent["stream"] is True and sent["model"] == "tiny"
    answer = answered(chat)
    expect(answer.locator(".stats")).to_contain_text("12 tokens")
    expect(chat.locator("#list li[data-now]")).to_contain_text("Hello")
    text = answer.locator(".text").inner_text()
    chat.reload()
    expect(chat.locator(".message.assistant .text")).to_have_text(text)
    sent = send(chat, "More")
    assert [m["role"] for m in sent["messages"]] == ["user", "assistant", "user"] and sent["max_tokens"] == 12
    answered(chat, 2)
    chat.click("#new-chat")
    expect(chat.locator(".message")).to_have_count(0)
    chat.click("#list .open")
    expect(chat.locator(".message")).to_have_count(4)
    chat.hover("#list li")
    chat.click("#list .remove")
    expect(chat.locator("#list li")).to_have_count(0)
    chat.click(".toast button")
    expect(chat.locator(".message")).to_have_count(4)


def test_answers_stream_and_stop(chat):
    send(chat, "Hello", ignore_eos=True)
    expect(chat.locator("#send")).to_have_text("Stop")
    text = chat.locator(".message.assistant .text")
    expect(text).not_to_be_empty()
    lengths = set()
    for _ in range(16):
        lengths.add(len(text.inner_text()))
        chat.wait_for_timeout(25)
    assert len(lengths) > 4, lengths
    chat.press("#prompt", "Escape")
    answer = answered(chat)
    expect(answer.locator(".stats")).to_contain_text("stopped")
    stopped = text.inner_text()
    chat.wait_for_timeout(300)
    assert text.inner_text() == stopped
    # What was stopped goes on.
    with chat.expect_request("**/v1/chat/completions") as sent:
        answer.get_by_role("button", name="Continue").click()
    body = sent.value.post_data_json
    assert body["continue_final_message"] is True and body["messages"][-1]["role"] == "assistant"
    expect(text).not_to_have_text(stopped)
    chat.click("#send")
    answered(chat)


def test_controls_are_what_is_sent(chat):
    chat.click("#system-box summary")
    chat.fill("#system", "Be brief.")
    chat.select_option("#model", "other")
    sent = send(
        chat, "Hello", temperature=0.25, top_p=0.9, top_k=7, min_p=0.05, max_tokens=5, min_tokens=2, seed=11, presence_penalty=0.5, frequency_penalty=-0.5,
        repetition_penalty=1.1, stop="zzz\nyyy", stop_token_ids="1, 2", bad_words="qqq", logit_bias='{"5": -3}', include_stop_str_in_output=True,
        show_special=True, ignore_eos=True, logprobs=True, reasoning_effort="low", extra='{"priority": 2}',
    )
    expected = {
        "model": "other", "temperature": 0.25, "top_p": 0.9, "top_k": 7, "min_p": 0.05, "max_tokens": 5, "min_tokens": 2, "seed": 11, "presence_penalty": 0.5,
        "frequency_penalty": -0.5, "repetition_penalty": 1.1, "stop": ["zzz", "yyy"], "stop_token_ids": [1, 2], "bad_words": ["qqq"], "logit_bias": {"5": -3},
        "include_stop_str_in_output": True, "skip_special_tokens": False, "ignore_eos": True, "logprobs": True, "reasoning_effort": "low", "priority": 2,
    }
    assert {name: sent.get(name) for name in expected} == expected
    assert sent["messages"][0] == {"role": "system", "content": "Be brief."}
    first = answered(chat).locator(".text").inner_text()
    # The same seed, the same answer.
    chat.locator(".message.assistant").hover()
    chat.get_by_role("button", name="Regenerate").click()
    assert answered(chat).locator(".text").inner_text() == first
    # What is taken back is the server's again.
    chat.get_by_role("button", name="Temperature: as the server has it").click()
    chat.get_by_role("button", name="Reset all").click()
    sent = send(chat, "Hello", max_tokens=2)
    assert not {"temperature", "top_k", "stop", "seed", "priority", "logprobs"} & set(sent)
    answered(chat, 2)


def test_a_wrong_control_is_said_and_nothing_is_sent(chat):
    chat.locator("summary", has_text="Stopping and tokens").click()
    chat.fill("#control-logit_bias", "{")
    chat.fill("#prompt", "Hello")
    chat.press("#prompt", "Enter")
    expect(chat.locator(".toast")).to_contain_text("Logit bias")
    expect(chat.locator(".message")).to_have_count(0)


def test_refusals_are_shown_in_words(open_page, served):
    watch = open_page(served)
    watch.allowed = "400"
    page = watch.page
    expect(page.locator("#model option")).to_have_count(2)
    send(page, "Hello", extra='{"temperature": "hot"}')
    answer = answered(page)
    expect(answer.locator(".notice")).to_contain_text("temperature")
    assert page.locator("#control-temperature").get_attribute("aria-invalid") == "true"


def test_messages_are_edited_and_that_is_taken_back(chat):
    send(chat, "First", max_tokens=3, ignore_eos=True)
    answered(chat)
    send(chat, "Second")
    answered(chat, 2)
    chat.locator(".message.user").first.hover()
    chat.get_by_role("button", name="Edit and send again").first.click()
    chat.locator(".editing textarea").fill("Changed")
    with chat.expect_request("**/v1/chat/completions") as sent:
        chat.press(".editing textarea", "Enter")
    assert sent.value.post_data_json["messages"] == [{"role": "user", "content": "Changed"}]
    answered(chat)
    chat.click(".toast button")
    expect(chat.locator(".said")).to_have_text(["First", "Second"])
    chat.locator(".message.user").first.hover()
    chat.get_by_role("button", name="Copy").first.click()
    assert chat.evaluate("navigator.clipboard.readText()") == "First"


def test_token_probabilities(chat):
    send(chat, "Hello", max_tokens=6, ignore_eos=True, logprobs=True, temperature=1)
    answer = answered(chat)
    answer.get_by_role("button", name="Token probabilities").click()
    tokens = answer.locator(".tokens span")
    expect(tokens).to_have_count(6)
    tokens.nth(2).hover()
    told = answer.locator(".token-told")
    expect(told.locator(".chosen")).to_have_count(1)
    # The five likeliest, and the one that was chosen, if it is none of them.
    assert told.locator(".row").count() in (5, 6)
    shares = [float(text.removesuffix(" %")) for text in told.locator(".number").all_inner_texts()]
    assert 0 < sum(shares) <= 100.5
    answer.locator(".tokens").focus()
    chat.keyboard.press("ArrowRight")
    expect(answer.locator(".tokens .at")).to_have_count(1)


def test_markdown_is_shown_and_html_is_inert(chat):
    text = f"# Title\n\nSome **bold** text, `code` and [a link](https://example.com/).\n\n- one\n- two\n\n{ATTACK}\n\n[bad](javascript:window.hit=3)\n\n```rust\nfn main() {{}}\n```\n\n| a | b |\n|---|---|\n| 1 | {ATTACK} |"
    body = json.dumps({"structured_outputs": {"choice": [text]}, "max_tokens": 900})
    send(chat, ATTACK, extra=body)
    shown = answered(chat).locator(".text")
    expect(shown.locator("h3")).to_have_text("Title")
    expect(shown.locator("strong")).to_have_text("bold")
    expect(shown.locator("li")).to_have_text(["one", "two"])
    expect(shown.locator("pre")).to_have_text("fn main() {}")
    expect(shown.locator("td")).to_have_count(2)
    links = shown.locator("a")
    expect(links).to_have_count(1)
    assert links.get_attribute("href") == "https://example.com/" and "noopener" in links.get_attribute("rel")
    expect(shown).to_contain_text("onerror")
    assert shown.locator("img, script").count() == 0
    assert chat.locator("#chats img, .said img").count() == 0
    chat.reload()
    expect(chat.locator(".message.assistant .text h3")).to_have_text("Title")
    assert chat.evaluate("window.hit") is None


def test_tools_are_called_and_their_results_sent(chat):
    send(chat, "Weather?", tools=json.dumps([TOOL]), tool_choice="required", max_tokens=200, extra='{"parallel_tool_calls": false}')
    call = answered(chat).locator(".call")
    expect(call.locator(".call-head code")).to_have_text("weather")
    expect(call.locator("pre")).to_contain_text('"city": "Perth"')
    chat.select_option("#control-tool_choice", "none")
    chat.fill("#control-extra", "")
    call.locator("textarea").fill("sunny")
    chat.fill("#control-max_tokens", "3")
    with chat.expect_request("**/v1/chat/completions") as sent:
        chat.get_by_role("button", name="Send the result").click()
    said = sent.value.post_data_json["messages"]
    assert [m["role"] for m in said] == ["user", "assistant", "tool"]
    assert said[2]["content"] == "sunny" and said[2]["tool_call_id"] == said[1]["tool_calls"][0]["id"]
    answered(chat, 2)


def test_reasoning_is_folded(chat):
    pieces = [{"role": "assistant", "content": ""}, {"reasoning": "Let me "}, {"reasoning": "think."}, {"content": "Yes."}]
    events = [{"choices": [{"index": 0, "delta": piece, "finish_reason": None}]} for piece in pieces]
    events.append({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    body = "".join(f"data: {json.dumps(event)}\n\n" for event in events) + "data: [DONE]\n\n"
    chat.route("**/v1/chat/completions", lambda route: route.fulfill(body=body, content_type="text/event-stream"))
    send(chat, "Hello")
    answer = answered(chat)
    expect(answer.locator(".text")).to_have_text("Yes.")
    expect(answer.locator(".thought")).to_be_hidden()
    answer.locator("summary").click()
    expect(answer.locator(".thought")).to_have_text("Let me think.")
    # It is not sent again.
    chat.unroute("**/v1/chat/completions")
    assert send(chat, "More", max_tokens=2)["messages"][1] == {"role": "assistant", "content": "Yes."}
    answered(chat, 2)


def test_an_answer_that_ends_early_is_said(open_page, served):
    watch = open_page(served)
    page = watch.page
    expect(page.locator("#model option")).to_have_count(2)
    body = 'data: {"choices": [{"index": 0, "delta": {"content": "Ye"}, "finish_reason": null}]}\n\n'
    page.route("**/v1/chat/completions", lambda route: route.fulfill(body=body, content_type="text/event-stream"))
    send(page, "Hello")
    answer = answered(page)
    expect(answer.locator(".text")).to_have_text("Ye")
    expect(answer.locator(".notice")).to_contain_text("ended early")


def test_metrics_move(chat):
    chat.click("#strip")
    generated = chat.locator("[data-metric=written]")
    expect(generated).not_to_have_text("–")
    running = chat.locator("[data-metric=running]")
    finished = int(chat.locator("[data-metric=ended]").inner_text())
    chat.fill("#prompt", "Hello")
    chat.click("#tab-controls")
    chat.fill("#control-max_tokens", "800")
    chat.locator("summary", has_text="Stopping and tokens").click()
    chat.check("#control-ignore_eos")
    chat.click("#tab-engine")
    before = generated.inner_text()
    chat.press("#prompt", "Enter")
    expect(running).to_have_text("1")
    expect(chat.locator("#strip")).to_contain_text("1 running")
    expect(generated).not_to_have_text(before)
    expect(chat.locator(".spark", has_text="Generated tokens/s").locator(".spark-line")).to_have_attribute("d", re.compile("L"))
    chat.press("#prompt", "Escape")
    answered(chat)
    expect(running).to_have_text("0")
    expect(chat.locator("[data-metric=ended]")).to_have_text(str(finished + 1))


def test_a_key_is_asked_for(open_page, folder):
    with Server("serve", folder / "run", "--api-key", KEY, "--served-model-name", "tiny", "--chat-template", folder / "chat.jinja", *SMALL) as server, open_page(server.address) as watch:
        watch.allowed = "401"
        page = watch.page
        expect(page.locator("#key-dialog")).to_be_visible()
        page.fill("#key", "wrong")
        page.press("#key", "Enter")
        expect(page.locator("#key-wrong")).to_be_visible()
        page.fill("#key", KEY)
        page.press("#key", "Enter")
        expect(page.locator("#key-dialog")).to_be_hidden()
        expect(page.locator("#model option")).to_have_text(["tiny"])
        send(page, "Hello", max_tokens=3)
        answered(page)
        assert page.evaluate("localStorage.getItem('jarrah.key')") is None
        page.reload()
        expect(page.locator("#model option")).to_have_text(["tiny"])


def test_a_model_without_a_template_continues_texts(open_page, folder):
    with Server("serve", folder / "run", "--served-model-name", "tiny", *SMALL) as server, open_page(server.address) as watch:
        page = watch.page
        expect(page.locator("#completion")).to_be_visible()
        expect(page.locator("#new-chat")).to_be_disabled()
        # The text goes on as far as there is room, as the control says.
        assert page.get_attribute("#control-max_tokens", "placeholder") == "all there is"
        page.fill("#text", "fn main")
        found = page.request.post(server.address + "/tokenize", data={"prompt": "fn main"}).json()
        with page.expect_request("**/v1/completions") as sent:
            page.press("#text", "Control+Enter")
        assert sent.value.post_data_json["max_tokens"] == found["max_model_len"] - found["count"]
        page.click("#text-go")
        expect(page.locator("#text-go")).to_have_text("Continue")
        page.fill("#control-max_tokens", "8")
        page.check("#control-logprobs")
        page.fill("#text", "fn main")
        with page.expect_request("**/v1/completions") as sent:
            page.press("#text", "Control+Enter")
        body = sent.value.post_data_json
        assert body["prompt"] == "fn main" and body["max_tokens"] == 8
        expect(page.locator("#text-stats")).to_contain_text("8 tokens")
        written = page.input_value("#text")
        assert written.startswith("fn main") and len(written) > 7
        expect(page.locator("#text-tokens .tokens span")).to_have_count(8)
        page.click("#text-again")
        expect(page.locator("#text-stats")).to_contain_text("8 tokens")
        page.click("#text-back")
        expect(page.locator("#text")).to_have_value("fn main")


def test_a_model_without_a_tokenizer_takes_tokens(open_page, folder, tmp_path):
    subprocess.run([JARRAH, "model", "convert", str(folder / "run"), str(tmp_path / "bare")], check=True, stdout=subprocess.DEVNULL)
    for file in (tmp_path / "bare").glob("*token*"):
        file.unlink()
    with Server("serve", tmp_path / "bare", *SMALL) as server, open_page(server.address) as watch:
        page = watch.page
        expect(page.locator("#bare")).to_contain_text("without a tokenizer")
        control(page, max_tokens=4, ignore_eos=True)
        page.fill("#text", "1, 2 x")
        page.click("#text-go")
        expect(page.locator("#text-error")).to_contain_text('"x" is no token')
        page.fill("#text", "1, 2, 3")
        with page.expect_request("**/v1/completions") as sent:
            page.click("#text-go")
        assert sent.value.post_data_json["prompt"] == [1, 2, 3]
        expect(page.locator("#text-stats")).to_contain_text("4 tokens")
        assert re.fullmatch(r"1, 2, 3( \d+){4}", page.input_value("#text"))


def test_small_screens_and_keys(open_page, served):
    page = open_page(served, viewport={"width": 360, "height": 700}).page
    expect(page.locator("#model option")).to_have_count(2)
    wide = "Math.max(...[...document.querySelectorAll('body *')].filter(n => n.checkVisibility() && !n.closest('.wide, .spark, .unseen, dialog, pre')).map(n => n.getBoundingClientRect().right))"
    assert page.evaluate(wide) <= 361
    page.focus("#prompt")
    page.keyboard.type("Hello")
    page.keyboard.press("Enter")
    expect(page.locator(".message.assistant")).to_have_count(1)
    page.keyboard.press("Escape")
    answered(page)
    page.focus("#show-chats")
    page.keyboard.press("Enter")
    expect(page.locator("#chats")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#chats")).to_be_hidden()
    page.focus("#show-side")
    page.keyboard.press("Enter")
    page.focus("#tab-controls")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#engine")).to_be_visible()
    assert page.evaluate(wide) <= 361


def test_everything_has_a_name(chat, open_page, runs):
    unnamed = """[...document.querySelectorAll('button, input, select, textarea, [role=img]')].filter(n => n.checkVisibility()).filter(n =>
        !(n.getAttribute('aria-label') || n.textContent.trim() || n.labels?.length)).map(n => n.outerHTML)"""
    send(chat, "Hello", max_tokens=3)
    answered(chat)
    assert chat.evaluate(unnamed) == []
    chat.click("#tab-engine")
    assert chat.evaluate(unnamed) == []
    with Server("dashboard", runs) as server, open_page(server.address) as watch:
        expect(watch.page.locator(".plot").first).to_be_visible()
        assert watch.page.evaluate(unnamed) == []


# Training runs


@pytest.fixture(scope="session")
def trained(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    for name, rate in [("first", "0.003"), ("second", "0.02")]:
        train(folder / name, "steps=60", "log.every=1", "eval.every=20", "sample.every=30", "sample.tokens=12", f"optimizer.lr={rate}")
    return folder


@pytest.fixture
def runs(trained, tmp_path):
    return pathlib.Path(shutil.copytree(trained, tmp_path / "runs"))


@pytest.fixture
def dashboard(open_page, runs):
    with Server("dashboard", runs) as server, open_page(server.address) as watch:
        # The test reads pixels, which browsers find slow.
        watch.allowed = "willReadFrequently"
        yield watch.page


def line(step, loss):
    return json.dumps({"step": step, "loss": loss, "time": 1e9 + step})


def colors(page):
    """The colours of the first chart that are no greys, and how many points have them."""
    counts = page.evaluate(
        """() => {
        const canvas = document.querySelector('.plot canvas');
        const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        const found = {};
        for (let i = 0; i < data.length; i += 4) {
            const [r, g, b, a] = data.slice(i, i + 4);
            if (a === 255 && Math.max(r, g, b) - Math.min(r, g, b) > 40) found[[r, g, b]] = (found[[r, g, b]] ?? 0) + 1;
        }
        return found;
    }"""
    )
    return {color for color, count in counts.items() if count > 60}


def test_runs_are_compared(dashboard):
    expect(dashboard.locator("#list li")).to_have_count(2)
    expect(dashboard.locator(".plot h2").first).to_have_text("Loss")
    titles = dashboard.locator(".plot h2").all_inner_texts()
    assert {"Learning rate", "Gradient norm", "Tokens/s", "Memory", "Goodput"} <= set(titles)
    dashboard.wait_for_timeout(300)
    assert len(colors(dashboard)) == 2
    dashboard.locator("#list input").first.uncheck()
    dashboard.wait_for_timeout(300)
    assert len(colors(dashboard)) == 1
    dashboard.locator("#list input").first.check()
    dashboard.wait_for_timeout(300)
    dashboard.locator(".plot canvas").first.hover(position={"x": 200, "y": 80})
    told = dashboard.locator(".plot .told").first
    expect(told.locator("tr")).to_have_count(4)
    expect(told).to_contain_text("first")
    expect(told).to_contain_text("second, held out")

    dashboard.click("#tab-settings")
    names = dashboard.locator("#table tbody th[scope=row]")
    expect(names).to_have_text(["optimizer.lr"])
    expect(dashboard.locator("#table td")).to_have_text(["0.003", "0.02"])
    dashboard.uncheck("#differences")
    expect(names.filter(has_text="tokenizer.vocab_size")).to_have_count(1)
    dashboard.fill("#find", "model_type")
    expect(dashboard.locator("#table td")).to_have_text(["\"gpt2\"", "\"gpt2\""])

    dashboard.click("#tab-texts")
    expect(dashboard.locator(".sample header")).to_have_text(["step 60", "step 30"] * 2)


def test_curves_are_looked_at_closely(dashboard):
    canvas = dashboard.locator(".plot canvas").first
    expect(canvas).to_be_visible()
    dashboard.wait_for_timeout(300)
    box = canvas.bounding_box()
    with dashboard.expect_request(re.compile(r"/curves\?.*from=")):
        dashboard.mouse.move(box["x"] + 150, box["y"] + 50)
        dashboard.mouse.down()
        dashboard.mouse.move(box["x"] + 250, box["y"] + 60, steps=4)
        dashboard.mouse.up()
    expect(dashboard.locator("#whole")).to_be_enabled()
    canvas.dblclick()
    expect(dashboard.locator("#whole")).to_be_disabled()
    before = canvas.screenshot()
    dashboard.check("#log")
    dashboard.fill("#smooth", "0.8")
    expect(dashboard.locator("#smooth-value")).to_have_text("0.80")
    dashboard.select_option("#axis", "time")
    dashboard.wait_for_timeout(300)
    assert canvas.screenshot() != before
    assert "over time" in canvas.get_attribute("aria-label")
    canvas.focus()
    dashboard.keyboard.press("ArrowRight")
    expect(dashboard.locator("#announce")).to_contain_text("Loss: first")
    dashboard.keyboard.press("+")
    expect(dashboard.locator("#whole")).to_be_enabled()
    dashboard.keyboard.press("Home")
    expect(dashboard.locator("#whole")).to_be_disabled()
    dashboard.reload()
    expect(dashboard.locator("#smooth-value")).to_have_text("0.80")
    expect(dashboard.locator("#log")).to_be_checked()


def test_a_run_grows_while_it_is_looked_at(dashboard, runs):
    first = dashboard.locator("#list li").first
    expect(first).to_contain_text("60 / 60")
    shutil.copytree(runs / "first", runs / "third")
    metrics = runs / "third/metrics.jsonl"
    lines = metrics.read_text().splitlines(keepends=True)
    metrics.write_text("".join(lines[:20]) + '{"step": 20, "lo')
    third = dashboard.locator("#list li").nth(2)
    expect(third).to_be_visible(timeout=15000)
    expect(third).to_contain_text("running")
    seen = third.locator(".facts").inner_text()
    # The rest comes, and what was half there is whole.
    metrics.write_text("".join(lines[:40]))
    expect(third.locator(".facts")).not_to_have_text(seen, timeout=10000)
    with metrics.open("a") as file:
        file.write('{"step": 41, "loss": "NaN"}\n')
    expect(third).to_contain_text("41 / 60", timeout=10000)
    expect(third).to_contain_text("loss no number")
    # It is resumed from an earlier step.
    metrics.write_text("".join(lines[:10]))
    expect(third).not_to_contain_text("41 / 60", timeout=10000)


def test_names_and_texts_are_inert(open_page, runs):
    name = ATTACK.replace("/", "")
    (runs / "first").rename(runs / name)
    with (runs / name / "samples.jsonl").open("a") as file:
        file.write(json.dumps({"step": 90, "prompt": ATTACK, "text": ATTACK}) + "\n")
    with (runs / name / "metrics.jsonl").open("a") as file:
        file.write(json.dumps({"step": 61, ATTACK: 3}) + "\n")
    with Server("dashboard", runs) as server, open_page(server.address) as watch:
        page = watch.page
        expect(page.locator("#list")).to_contain_text("onerror")
        expect(page.locator(".plot h2", has_text="onerror")).to_have_count(1)
        page.locator(".plot canvas").first.hover(position={"x": 200, "y": 80})
        page.click("#tab-settings")
        expect(page.locator("#table thead")).to_contain_text("onerror")
        page.click("#tab-texts")
        expect(page.locator(".sample").first).to_contain_text("onerror")
        assert page.locator("main img, main script, #runs img").count() == 0
        assert page.evaluate("window.hit") is None


def test_an_empty_folder_is_no_error(open_page, runs, tmp_path):
    empty = tmp_path / "empty"
    empty.mkdir()
    with Server("dashboard", empty) as server, open_page(server.address) as watch:
        expect(watch.page.locator("#empty")).to_be_visible()
        shutil.copytree(runs / "second", empty / "second")
        expect(watch.page.locator("#list li")).to_have_count(1, timeout=10000)
        expect(watch.page.locator(".plot").first).to_be_visible()


def test_a_million_steps(open_page, runs):
    shutil.rmtree(runs / "second")
    with (runs / "first/metrics.jsonl").open("w") as file:
        for step in range(1, 1_000_001):
            loss = 100 if step == 777_777 else 2 + 1 / step
            file.write(f'{{"step":{step},"loss":{loss:.6f},"lr":0.001,"time":{1e9 + step}}}\n')
    with Server("dashboard", runs) as server, open_page(server.address) as watch:
        page = watch.page
        begun = time.monotonic()
        with page.expect_response(re.compile("/curves")) as response:
            pass
        body = response.value.body()
        assert len(body) < 500_000
        loss = next(curve for curve in json.loads(body)["curves"] if curve["name"] == "loss")
        assert max(loss["max"]) == 100 and loss["count"] == 1_000_000
        expect(page.locator("#list li")).to_contain_text("1M / 60")
        print(f"a million steps were shown after {time.monotonic() - begun:.1f} s")
        assert time.monotonic() - begun < 20


def test_the_dashboard_fits_small_screens(open_page, runs):
    with Server("dashboard", runs) as server, open_page(server.address, viewport={"width": 360, "height": 700}) as watch:
        expect(watch.page.locator(".plot").first).to_be_visible()
        assert watch.page.evaluate("document.documentElement.scrollWidth") <= 360

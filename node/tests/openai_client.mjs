// OpenAI's own client for JavaScript against `jarrah serve`.
//
//     cargo build
//     cd node && npm install
//     JARRAH=../target/debug/jarrah node --test tests/openai_client.mjs
//
// A small model learns to call a tool from the chats of python/tests/weather.jsonl, which takes a few seconds, and is served at a free port.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

import OpenAI, { toFile } from "openai";
import { zodResponseFormat, zodTextFormat } from "openai/helpers/zod";
import { z } from "zod";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const jarrah = resolve(process.env.JARRAH ?? join(root, "target/debug/jarrah"));
const lessons = join(root, "python/tests");
const recipe =
  "task=sft steps=120 batch=8 model.layers=2 model.width=64 model.heads=4 model.context=256 tokenizer.vocab_size=320 " +
  "optimizer.lr=0.006 optimizer.warmup=10 sample.tokens=0";
const model = "tiny";
const certain = { model, temperature: 0 };
const hello = [{ role: "user", content: "Hello" }];
const perth = [{ role: "user", content: "What is the weather in Perth?" }];
const both = [{ role: "user", content: "What is the weather in Perth and in Albany?" }];
const parameters = {
  type: "object",
  properties: { city: { type: "string", enum: ["Perth", "Albany"] } },
  required: ["city"],
  additionalProperties: false,
};
const tool = { type: "function", function: { name: "weather", description: "The weather.", parameters } };
const flatTool = { type: "function", ...tool.function };
const Weather = z.object({ city: z.enum(["Perth", "Albany"]), is_sunny: z.boolean() });

let folder, server, client;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "jarrah-"));
  const run = join(folder, "run");
  const data = ["--data", join(lessons, "weather.jsonl"), "--out", run];
  const more = [...recipe.split(" "), `data.template=${join(lessons, "weather.jinja")}`];
  execFileSync(jarrah, ["train", ...data, ...more], { stdio: ["ignore", "ignore", "inherit"] });
  const flags = ["--port", "0", "--api-key", "secret", "--served-model-name", model, "--tool-call-parser", "hermes"];
  server = spawn(jarrah, ["serve", run, ...flags], { stdio: ["ignore", "pipe", "ignore"] });
  const [line] = await new Promise((told) => createInterface(server.stdout).once("line", (...all) => told(all)));
  client = new OpenAI({ baseURL: `${line.split(" at ")[1]}/v1`, apiKey: "secret", maxRetries: 0 });
});

after(async () => {
  const ended = new Promise((told) => server.once("exit", told));
  server.kill("SIGTERM");
  assert.equal(await ended, 0);
  rmSync(folder, { recursive: true });
});

test("models", async () => {
  const names = [];
  for await (const one of client.models.list()) names.push(one.id);
  assert.deepEqual(names, [model]);
  await assert.rejects(client.models.retrieve("other"), OpenAI.NotFoundError);
});

test("a chat, whole and as it comes", async () => {
  const whole = await client.chat.completions.create({ ...certain, messages: hello });
  assert.equal(whole.choices[0].message.content, "Good day to you.");
  const stream = await client.chat.completions.create({
    ...certain, messages: hello, stream: true, stream_options: { include_usage: true },
  });
  let text = "";
  let usage;
  for await (const chunk of stream) {
    text += chunk.choices[0]?.delta.content ?? "";
    usage = chunk.usage ?? usage;
  }
  assert.equal(text, "Good day to you.");
  assert.equal(usage.completion_tokens, whole.usage.completion_tokens);
  const runner = client.chat.completions.stream({ ...certain, messages: hello });
  assert.equal(await runner.finalContent(), "Good day to you.");
});

test("completions", async () => {
  const asked = { model, prompt: ["fn main", "use std"], max_tokens: 6, seed: 4 };
  const whole = await client.completions.create(asked);
  const texts = ["", ""];
  for await (const chunk of await client.completions.create({ ...asked, stream: true })) {
    texts[chunk.choices[0].index] += chunk.choices[0].text;
  }
  assert.deepEqual(texts, whole.choices.map((choice) => choice.text));
});

test("tools, and what they give", async () => {
  const answer = await client.chat.completions.create({ ...certain, messages: perth, tools: [tool], tool_choice: "auto" });
  assert.equal(answer.choices[0].finish_reason, "tool_calls");
  const { message } = answer.choices[0];
  const [call] = message.tool_calls;
  assert.deepEqual([call.function.name, JSON.parse(call.function.arguments)], ["weather", { city: "Perth" }]);
  const result = { role: "tool", tool_call_id: call.id, content: "sunny" };
  const last = await client.chat.completions.create({ ...certain, messages: [...perth, message, result], tools: [tool] });
  assert.equal(last.choices[0].message.content, "It is sunny in Perth.");
});

test("the helper calls tools by itself", async () => {
  const asked = [];
  const runner = client.chat.completions.runTools({
    ...certain, messages: perth,
    tools: [{
      type: "function",
      function: { ...tool.function, parse: JSON.parse, function: ({ city }) => (asked.push(city), "sunny") },
    }],
  });
  assert.equal(await runner.finalContent(), "It is sunny in Perth.");
  assert.deepEqual(asked, ["Perth"]);
});

test("calls that must come, and several at once", async () => {
  for (const tool_choice of ["required", { type: "function", function: { name: "weather" } }]) {
    const answer = await client.chat.completions.create({
      ...certain, messages: hello, tools: [tool], tool_choice, parallel_tool_calls: false,
    });
    assert.equal(answer.choices[0].message.tool_calls[0].function.name, "weather");
  }
  const runner = client.chat.completions.stream({ ...certain, messages: both, tools: [tool] });
  const { choices } = await runner.finalChatCompletion();
  assert.deepEqual(
    choices[0].message.tool_calls.map((call) => JSON.parse(call.function.arguments).city),
    ["Perth", "Albany"],
  );
});

test("structured output", async () => {
  const response_format = zodResponseFormat(Weather, "weather");
  const answer = await client.chat.completions.parse({ model, messages: hello, response_format, seed: 1 });
  assert.equal(typeof answer.choices[0].message.parsed.is_sunny, "boolean");
  const object = await client.chat.completions.create({
    ...certain, messages: hello, response_format: { type: "json_object" }, max_tokens: 100,
  });
  if (object.choices[0].finish_reason === "stop") JSON.parse(object.choices[0].message.content);
  const runner = client.chat.completions.stream({ model, messages: hello, response_format, seed: 2 });
  const final = await runner.finalChatCompletion();
  assert.ok(["Perth", "Albany"].includes(final.choices[0].message.parsed.city));
});

test("responses", async () => {
  const whole = await client.responses.create({ ...certain, input: "Hello" });
  assert.equal(whole.output_text, "Good day to you.");
  const first = await client.responses.create({ ...certain, input: perth, tools: [flatTool] });
  const [call] = first.output;
  assert.deepEqual([call.type, call.name, JSON.parse(call.arguments)], ["function_call", "weather", { city: "Perth" }]);
  const result = { type: "function_call_output", call_id: call.call_id, output: "sunny" };
  const last = await client.responses.create({ ...certain, input: [...perth, ...first.output, result], tools: [flatTool] });
  assert.equal(last.output_text, "It is sunny in Perth.");
  const stream = client.responses.stream({ ...certain, input: both, tools: [flatTool] });
  const kinds = new Set();
  for await (const event of stream) kinds.add(event.type);
  assert.ok(kinds.has("response.function_call_arguments.delta") && kinds.has("response.completed"));
  const final = await stream.finalResponse();
  assert.deepEqual(final.output.map((item) => JSON.parse(item.arguments).city), ["Perth", "Albany"]);
  const parsed = await client.responses.parse({ model, input: "Hello", text: { format: zodTextFormat(Weather, "weather") } });
  assert.equal(typeof parsed.output_parsed.is_sunny, "boolean");
});

test("embeddings", async () => {
  const found = await client.embeddings.create({ model, input: ["Hello", "Perth"] });
  const plain = await client.embeddings.create({ model, input: ["Hello", "Perth"], encoding_format: "float" });
  const lengths = found.data.map(({ embedding }) => embedding.length);
  assert.deepEqual(lengths, [64, 64]);
  found.data.forEach(({ embedding }, i) =>
    embedding.forEach((x, j) => assert.equal(x, Math.fround(plain.data[i].embedding[j]))),
  );
});

test("a batch", async () => {
  const url = "/v1/chat/completions";
  const asked = [0, 1, 2].map((seed) => ({ model, messages: hello, seed, temperature: 2, max_tokens: 20 }));
  const lines = asked.map((body, i) => JSON.stringify({ custom_id: `r${i}`, method: "POST", url, body }));
  const file = await client.files.create({ file: await toFile(Buffer.from(lines.join("\n")), "lines.jsonl"), purpose: "batch" });
  let batch = await client.batches.create({ input_file_id: file.id, endpoint: url, completion_window: "24h" });
  while (!["completed", "failed"].includes(batch.status)) {
    await new Promise((told) => setTimeout(told, 50));
    batch = await client.batches.retrieve(batch.id);
  }
  assert.equal(batch.request_counts.completed, 3, JSON.stringify(batch));
  const answers = (await (await client.files.content(batch.output_file_id)).text()).trimEnd().split("\n").map((text) => JSON.parse(text));
  for (const [i, body] of asked.entries()) {
    const direct = await client.chat.completions.create(body);
    assert.deepEqual(answers[i].response.body.choices, direct.choices);
  }
});

test("errors", async () => {
  const stranger = new OpenAI({ baseURL: client.baseURL, apiKey: "wrong", maxRetries: 0 });
  await assert.rejects(stranger.models.list(), OpenAI.AuthenticationError);
  await assert.rejects(client.chat.completions.create({ model: "other", messages: hello }), OpenAI.NotFoundError);
  await assert.rejects(client.chat.completions.create({ model, messages: hello, temperature: "hot" }), (error) => {
    assert.ok(error instanceof OpenAI.BadRequestError);
    assert.equal(error.param, "temperature");
    return true;
  });
});

test("a stream that is broken off", async () => {
  const stream = await client.chat.completions.create({ model, messages: hello, max_tokens: 200, stream: true, ignore_eos: true });
  for await (const _ of stream) break;
  const answer = await client.completions.create({ model, prompt: "Hello", max_tokens: 1 });
  assert.equal(answer.usage.completion_tokens, 1);
});

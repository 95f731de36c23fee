// Requests to the server, and the events that it streams.

import * as store from "./store.js";

/** What the server refused, in its words. */
export class Refused extends Error {
  constructor(status, body) {
    super(body?.error?.message ?? `the server answered with status ${status}`);
    this.status = status;
    this.param = body?.error?.param ?? null;
  }
}

const headers = () => {
  const key = store.key();
  return key ? { authorization: `Bearer ${key}` } : {};
};

const refuse = async (response) => {
  let body = null;
  try {
    body = await response.json();
  } catch {
    // What stands before the server may answer with something else.
  }
  throw new Refused(response.status, body);
};

/** What is at a path, as JSON or as text. */
export const get = async (path) => {
  const response = await fetch(path, { headers: headers(), cache: "no-store" });
  if (!response.ok) await refuse(response);
  return response.headers.get("content-type")?.includes("json") ? response.json() : response.text();
};

const send = async (path, body, signal) => {
  const response = await fetch(path, {
    method: "POST", signal, headers: { ...headers(), "content-type": "application/json" }, body: JSON.stringify(body),
  });
  if (!response.ok) await refuse(response);
  return response;
};

/** What a request is answered with, as JSON. */
export const post = async (path, body, signal) => (await send(path, body, signal)).json();

/** Sends a request, and gives each event that comes to `take`. */
export const stream = async (path, body, signal, take) => {
  const response = await send(path, body, signal);
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
    const events = rest.split("\n\n");
    rest = events.pop();
    for (const event of events) {
      const data = event.split("\n").filter((line) => line.startsWith("data:")).map((line) => line.slice(5).trimStart()).join("\n");
      if (data === "[DONE]") return;
      if (!data) continue;
      const json = JSON.parse(data);
      if (json.error) throw new Refused(200, json);
      take(json);
    }
    if (done) throw new Error("the answer ended early: the server went away");
  }
};

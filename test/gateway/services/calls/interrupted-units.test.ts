import { beforeEach, expect, it } from "vitest";
import { KEY, until, providersAt } from "../../../support/running-gateway.ts";
import { SlowEvents } from "../../../support/speech-acts.ts";
import { useGateway, useWire } from "../../../support/use-gateway.ts";

/**
 * Anthropic tells a first figure at the start of a stream and the true one at its end
 * (docs/providers/anthropic.md#streams).
 */

const wire = useWire();
const postern = useGateway(() => ({ env: providersAt({ ANTHROPIC: wire.origin }) }));
beforeEach(() => wire.reset());

const event = (data: { readonly type: string; readonly [field: string]: unknown }): string =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

const MESSAGE = { id: "msg_1", type: "message", role: "assistant", model: "claude-sonnet-4-5", content: [] };
const START = event({
  type: "message_start",
  message: { ...MESSAGE, stop_reason: null, usage: { input_tokens: 10, output_tokens: 1 } },
});
const BLOCK = event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } });
const TEXT = event({
  type: "content_block_delta",
  index: 0,
  delta: { type: "text_delta", text: "a word ".repeat(100) },
});
const END = event({ type: "content_block_stop", index: 0 });
const FINISH = event({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 150 } });

const SAID = [{ role: "user", content: "Say words." }];
const ASKED = { model: "claude-sonnet-4-5", stream: true } as const;
const dialects: readonly (readonly [string, object])[] = [
  ["/messages", { ...ASKED, max_tokens: 1_000, messages: SAID }],
  ["/chat/completions", { ...ASKED, messages: SAID }],
  ["/responses", { ...ASKED, input: "Say words." }],
];

/** Asks, reads until `seen` has come, and has the provider or the client end it there. @returns tokens of the response */
async function interrupted(path: string, body: object, frames: readonly string[], end: "provider" | "client") {
  const slow = new SlowEvents("text/event-stream", ...frames);
  wire.on("POST /v1/messages", slow.act);
  const before = (await postern.receipts()).length;
  const leaving = new AbortController();
  const response = await postern.post(path, body, KEY, {}, leaving.signal);
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  let text = "";
  while (!text.includes("a word a word")) text += Buffer.from((await reader.read()).value ?? []).toString("utf8");
  if (end === "provider") slow.cut();
  else leaving.abort();
  await until(async () => (await postern.receipts()).length > before);
  const { outcome, estimated, terms } = await postern.receipt();
  expect(outcome).toBe(end === "provider" ? "interrupted" : "cancelled");
  expect(terms.find(({ unit }) => unit === "input")?.quantity).toBe(10);
  return { estimated, output: terms.find(({ unit }) => unit === "output")?.quantity };
}

it.each(dialects)(
  "%s: a Claude stream that its provider breaks off is charged for what was delivered",
  async (...request) => {
    const { output, estimated } = await interrupted(...request, [START, BLOCK, TEXT], "provider");
    expect(output).toBeGreaterThanOrEqual(150);
    expect(estimated).toBe(true);
  },
);

it.each(dialects)("%s: a client that leaves before the last figures pays for what it got", async (...request) => {
  const { output } = await interrupted(...request, [START, BLOCK, TEXT, END], "client");
  expect(output).toBeGreaterThanOrEqual(150);
});

it.each(dialects)("%s: once the provider has reported the last figures, they count", async (...request) => {
  const { estimated, output } = await interrupted(...request, [START, BLOCK, TEXT, END, FINISH], "client");
  expect({ estimated, output }).toEqual({ estimated: false, output: 150 });
});

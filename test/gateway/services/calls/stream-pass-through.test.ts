import { beforeEach, describe, expect, it } from "vitest";
import {
  DONE_FRAME,
  FINISH_FRAME,
  chunkText,
  contentFrame,
  stream,
  streamFrames,
  usageFrame,
} from "../../../support/acts.ts";
import { CHAT } from "../../../support/running-gateway.ts";
import { useGateway, useProvider } from "../../../support/use-gateway.ts";

const provider = useProvider();
const postern = useGateway(() => ({ provider }));
beforeEach(() => provider.reset());

async function streamed(
  pieces: readonly (string | Buffer)[],
  options: Readonly<Record<string, unknown>> = {},
  gapMs = 0,
): Promise<string> {
  provider.next(stream(pieces, gapMs));
  return (await postern.chat({ ...CHAT, stream: true, ...options })).text();
}

const WITH_USAGE = { stream_options: { include_usage: true } };
const frame = (delta: Readonly<Record<string, unknown>>): string => `data: ${chunkText(delta)}\n\n`;

/**
 * What providers are known to put into their streams (docs/providers/openai.md#chat, docs/providers/dashscope.md#chat).
 */
const KINDS: readonly (readonly [string, readonly string[]])[] = [
  ["plain text", streamFrames()],
  ["no usage", streamFrames(undefined, null)],
  [
    "reasoning_content",
    [
      frame({ role: "assistant", reasoning_content: "Let me think" }),
      frame({ reasoning_content: "…" }),
      contentFrame("42"),
      FINISH_FRAME,
      usageFrame(),
      DONE_FRAME,
    ],
  ],
  [
    "reasoning",
    [
      frame({ role: "assistant", reasoning: "Let me think", reasoning_details: [{ type: "x" }] }),
      contentFrame("42"),
      FINISH_FRAME,
      usageFrame(),
      DONE_FRAME,
    ],
  ],
  [
    "a tool call in pieces",
    [
      frame({
        role: "assistant",
        content: null,
        tool_calls: [{ index: 0, id: "call_1", type: "function", function: { name: "f", arguments: "" } }],
      }),
      frame({ tool_calls: [{ index: 0, function: { arguments: '{"a"' } }] }),
      frame({ tool_calls: [{ index: 0, function: { arguments: ":1}" } }] }),
      FINISH_FRAME.replace("stop", "tool_calls"),
      usageFrame(),
      DONE_FRAME,
    ],
  ],
  [
    "a tool call in one piece",
    [
      frame({
        role: "assistant",
        tool_calls: [{ index: 0, id: "c", type: "function", function: { name: "f", arguments: "{}" } }],
      }),
      FINISH_FRAME,
      DONE_FRAME,
    ],
  ],
  [
    "logprobs and a refusal",
    [
      `data: ${chunkText({}, { choices: [{ index: 0, delta: { content: "x", refusal: null }, logprobs: { content: [{ token: "x", logprob: -1, bytes: null, top_logprobs: [] }] }, finish_reason: null }] })}\n\n`,
      FINISH_FRAME,
      DONE_FRAME,
    ],
  ],
  [
    "unknown fields and padding",
    [
      `data: ${chunkText({ content: "x" }, { obfuscation: "aZ3", service_tier: "default", x: { y: 1 } })}\n\n`,
      FINISH_FRAME,
      DONE_FRAME,
    ],
  ],
  ["events with names and ids", [`event: message\nid: 7\nretry: 100\n${contentFrame("x")}`, FINISH_FRAME, DONE_FRAME]],
  [
    "odd spaces inside of the JSON",
    ['data: {"choices" : [ { "index":0,"delta":{"content":"\\u00e4"}} ] }\n\n', FINISH_FRAME, DONE_FRAME],
  ],
  [
    "a filter chunk first, as Azure has it",
    [
      `data: ${chunkText({}, { choices: [], prompt_filter_results: [{}] })}\n\n`,
      contentFrame("x"),
      FINISH_FRAME,
      DONE_FRAME,
    ],
  ],
  ["carriage returns", streamFrames().map((text) => text.replaceAll("\n", "\r\n"))],
  ["carriage returns alone", streamFrames().map((text) => text.replaceAll("\n", "\r"))],
  ["comments between", [": OPENROUTER PROCESSING\n\n", contentFrame("x"), ": ping\n\n", FINISH_FRAME, DONE_FRAME]],
];

describe.each(KINDS)("%s", (_name, frames) => {
  const body = frames.slice(0, -1);

  it("is passed on byte for byte to a client that asked for usage", async () => {
    expect(await streamed(frames, WITH_USAGE)).toBe(body.join("") + DONE_FRAME);
  });

  it("is passed on byte for byte but for the usage that no one asked for", async () => {
    const shown = body.filter((text) => !text.includes('"choices":[],"usage"'));
    expect(await streamed(frames)).toBe(shown.join("") + DONE_FRAME);
    expect(await streamed(frames, { stream_options: { include_usage: false } })).toBe(shown.join("") + DONE_FRAME);
  });
});

it("takes usage out of a chunk that holds text as well, and nothing else of it", async () => {
  const mixed = `data: ${chunkText({ content: "x" }, { usage: { prompt_tokens: 7, completion_tokens: 3 }, kept: 1 })}\n\n`;
  const text = await streamed([mixed, FINISH_FRAME, DONE_FRAME]);
  expect(JSON.parse(text.split("\n\n")[0]?.slice("data: ".length) ?? "")).toEqual({
    ...(JSON.parse(mixed.slice("data: ".length)) as object),
    usage: null,
  });
  expect((await postern.receipt()).terms.map(({ unit, quantity }) => [unit, quantity])).toEqual([
    ["input", 7],
    ["output", 3],
  ]);
});

it("counts the last usage of a provider that reports it with every chunk", async () => {
  const running = [1, 2, 3].map(
    (n) => `data: ${chunkText({ content: "x" }, { usage: { prompt_tokens: 7, completion_tokens: n } })}\n\n`,
  );
  await streamed([...running, FINISH_FRAME, DONE_FRAME]);
  expect((await postern.receipt()).terms.map(({ quantity }) => quantity)).toEqual([7, 3]);
});

it("passes a chunk on when it arrives, not when the next one does", async () => {
  let go: () => void = () => {};
  const gate = new Promise<void>((resolve) => (go = resolve));
  provider.next(async ({ outgoing }) => {
    outgoing.writeHead(200, { "content-type": "text/event-stream" });
    outgoing.write(contentFrame("first"));
    await gate;
    outgoing.end(FINISH_FRAME + DONE_FRAME);
  });
  const response = await postern.chat({ ...CHAT, stream: true });
  const reader = response.body?.getReader();
  const first = await reader?.read();
  expect(Buffer.from(first?.value ?? []).toString()).toBe(contentFrame("first"));
  go();
  const rest: Buffer[] = [];
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read())
    rest.push(Buffer.from(part.value));
  expect(Buffer.concat(rest).toString()).toBe(FINISH_FRAME + DONE_FRAME);
});

it("streams with headers that no proxy buffers or stores", async () => {
  provider.next(stream());
  const { headers } = await postern.chat({ ...CHAT, stream: true });
  expect(headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  expect(headers.get("cache-control")).toBe("no-cache");
  expect(headers.get("x-accel-buffering")).toBe("no");
  expect(headers.get("x-postern-provider")).toBe("openai");
  expect(headers.get("x-request-id")).toMatch(/^req_/);
});

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Step } from "../../../../gateway/mcp/tool/progress.ts";
import { chatTool } from "../../../../gateway/mcp/tools/chat.ts";
import type { Tool } from "../../../../gateway/mcp/tool/tool.ts";
import {
  DONE_FRAME,
  FINISH_FRAME,
  chunkText,
  contentFrame,
  endlessStream,
  hang,
  stream,
  streamFrames,
  streamThenCut,
  usageFrame,
  when,
  writePieces,
} from "../../../support/acts.ts";
import { toolStage, type ToolStage } from "../../../support/tool-harness.ts";
import { useProvider } from "../../../support/use-gateway.ts";

const HELLO = { model: "gpt-4.1", prompt: "Say hello." };
/** 10 tokens in at $2 and 5 out at $8 a million. */
const COST = 0.000_06;

/** A second passes with every look, so that no step of progress comes too soon behind another. */
let seconds = 0;
const clock = { now: () => Date.now(), monotonic: () => (seconds += 1_000) };

const provider = useProvider();
let stage: ToolStage;
let chat: Tool;
beforeAll(async () => {
  stage = await toolStage({ provider, clock });
  chat = chatTool(stage.deps);
});
beforeEach(() => {
  provider.reset();
  provider.usual = stream();
});
afterAll(() => stage.close());

describe("a client that wants progress", () => {
  it("hears how many characters came, and gets the same response", async () => {
    const { response: reported, steps, receipt } = await stage.response(chat, HELLO, { progress: true });
    expect(reported.structured).toMatchObject({
      text: "Hello from the provider.",
      finish_reason: "stop",
      usage: { input_tokens: 10, output_tokens: 5 },
      cost_usd: COST,
    });
    expect(receipt).toMatchObject({ stream: true, outcome: "completed" });
    expect(steps[0]).toEqual({ progress: 0, message: "gpt-4.1 works on the response" });
    expect(steps.at(-1)?.message).toBe("gpt-4.1 has written 24 characters");
    const figures = steps.map(({ progress }) => progress);
    expect(figures).toEqual([...new Set(figures)].toSorted((a, b) => a - b));
    expect(provider.lastBody).toMatchObject({ stream: true, stream_options: { include_usage: true } });
  });

  it("receives reasoning, separate from the text", async () => {
    const thinking = `data: ${chunkText({ reasoning_content: "Hm, let me see." })}\n\n`;
    const { promise: received, resolve: hear } = Promise.withResolvers<void>();
    provider.next(async (exchange) => {
      exchange.outgoing.writeHead(200, { "content-type": "text/event-stream" });
      await writePieces(exchange, [thinking]);
      await received;
      await writePieces(exchange, [contentFrame("Yes."), FINISH_FRAME, usageFrame(), DONE_FRAME]);
      exchange.outgoing.end();
    });
    const onStep = ({ message }: Step): void => {
      if (message === "gpt-4.1 is reasoning, 15 characters so far") hear();
    };
    const { response: reported } = await stage.response(chat, HELLO, { onStep });
    expect(reported.structured).toMatchObject({ text: "Yes.", reasoning: "Hm, let me see." });
  });

  it("gets the error of a stream that reported one, with its code", async () => {
    const reported = `data: ${JSON.stringify({ error: { message: "out of order", type: "server_error", code: "broken" } })}\n\n`;
    provider.usual = stream([contentFrame("Hello"), reported]);
    const { error, receipt } = await stage.call(chat, HELLO, { progress: true });
    expect(error).toMatchObject({ code: "upstream_error", status: 502 });
    expect(error?.message).toContain("out of order");
    expect(receipt).toMatchObject({ outcome: "interrupted", code: "upstream_error" });
  });

  it("gets an error for a stream that broke off", async () => {
    provider.usual = streamThenCut([contentFrame("Hello")]);
    const { error, receipt } = await stage.call(chat, HELLO, { progress: true });
    expect(error?.code).toBe("upstream_error");
    expect(receipt).toMatchObject({ outcome: "interrupted" });
  });

  it("gets a stream that forgot its end mark", async () => {
    provider.next(stream(streamFrames().slice(0, -1)));
    const { response: reported } = await stage.response(chat, HELLO, { progress: true });
    expect(reported.structured).toMatchObject({ text: "Hello from the provider." });
  });
});

describe("a call that is cancelled", () => {
  it("in a stream is ended at the provider and billed for what came", async () => {
    provider.next(endlessStream());
    const cancel = new AbortController();
    const call = stage.call(chat, HELLO, {
      signal: cancel.signal,
      onStep: ({ message }) => {
        if (message.includes("has written")) cancel.abort();
      },
    });
    await provider.arrived(1);
    const { receipt } = await call;
    await provider.last.aborted;
    expect(receipt).toMatchObject({ outcome: "cancelled", code: "client_closed", estimated: true });
    expect(receipt?.nano).toBeGreaterThan(0);
  });

  it("before a response is ended at the provider and settled as at /v1", async () => {
    for (const progress of [false, true]) {
      provider.reset();
      provider.next(hang);
      const cancel = new AbortController();
      const call = stage.call(chat, HELLO, { signal: cancel.signal, progress });
      await provider.arrived(1);
      cancel.abort();
      const { receipt } = await call;
      await provider.last.aborted;
      expect(receipt).toMatchObject({ status: 499, code: "client_closed", outcome: "cancelled" });
    }
  });
});

describe("in silence", () => {
  let quiet: ToolStage;
  let waiting: (() => void)[];
  beforeEach(async () => {
    waiting = [];
    quiet = await toolStage({
      provider,
      clock,
      later: (ms, work) => {
        if (ms === 5_000) waiting.push(work);
        return () => undefined;
      },
    });
  });
  afterEach(() => quiet.close());

  it("a client still hears that the model works", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    provider.next(when(promise, stream()));
    const call = quiet.response(chatTool(quiet.deps), HELLO, { progress: true });
    await provider.arrived(1);
    for (let beats = 0; beats < 3; beats++) waiting.shift()?.();
    resolve();
    const { steps } = await call;
    expect(steps.slice(0, 4)).toEqual(
      [0, 1, 2, 3].map((progress) => ({ progress, message: "gpt-4.1 works on the response" })),
    );
  });
});

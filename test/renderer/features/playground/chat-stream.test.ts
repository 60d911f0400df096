import { describe, expect, it } from "vitest";
import { factsAtStart } from "../../../../renderer/api/v1/call-facts.ts";
import { CallError } from "../../../../renderer/api/v1/call-v1.ts";
import { readChatStream, type Chunk } from "../../../../renderer/api/v1/chat-stream.ts";
import type { Step } from "../../../../renderer/features/playground/chat/conversation.ts";
import { withChunk } from "../../../../renderer/features/playground/chat/chat-runs.ts";

const empty: Step = {
  id: "s",
  text: "",
  reasoning: "",
  tools: [],
  finish: null,
  status: "running",
  facts: factsAtStart("m"),
  fault: null,
};

/** A response in pieces of a few bytes: frames and characters are cut anywhere. */
function respond(text: string, size = 7): Response {
  const bytes = new TextEncoder().encode(text);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
      controller.close();
    },
  });
  return new Response(body, { headers: { "x-request-id": "req_1" } });
}

const frame = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ delta, finish_reason: finish }] })}\n\n`;
const DONE = "data: [DONE]\n\n";

async function read(text: string): Promise<Step> {
  const chunks: Chunk[] = [];
  await readChatStream(respond(text), (chunk) => chunks.push(chunk));
  return chunks.reduce(withChunk, empty);
}

describe("a streamed response", () => {
  it("is put together whatever its pieces are", async () => {
    const step = await read(
      `: waiting\n\n${frame({ role: "assistant", content: "" })}${frame({ reasoning_content: "Hm. " })}${frame({ content: "Grüße, " })}${frame({ content: "世界 🌍" })}data: {"choices":[],"usage":{}}\n\n${frame({}, "stop")}${DONE}`,
    );
    expect(step).toMatchObject({ text: "Grüße, 世界 🌍", reasoning: "Hm. ", finish: "stop" });
  });

  it("puts each call of a tool together by its index, and ends no page with a mad one", async () => {
    const step = await read(
      [
        frame({ tool_calls: [{ index: 0, id: "a", function: { name: "one", arguments: "" } }] }),
        frame({ tool_calls: [{ index: 0, function: { arguments: '{"x":' } }] }),
        frame({ tool_calls: [{ index: 1, id: "b", function: { name: "two", arguments: "{}" } }] }),
        frame({ tool_calls: [{ index: 0, function: { arguments: "1}" } }] }),
        frame({ tool_calls: [{ index: 1_000_000, id: "c", function: { name: "far" } }] }),
        DONE,
      ].join(""),
    );
    expect(step.tools).toEqual([
      { id: "a", name: "one", input: '{"x":1}', result: null },
      { id: "b", name: "two", input: "{}", result: null },
    ]);
  });

  it("fails with the error that it carries, and when it breaks off", async () => {
    const error = `data: ${JSON.stringify({ error: { message: "Too much.", type: "t", param: null, code: "overloaded" } })}\n\n`;
    await expect(read(`${frame({ content: "Hel" })}${error}`)).rejects.toEqual(
      new CallError(200, "overloaded", "Too much.", "req_1"),
    );
    await expect(read(frame({ content: "Hel" }))).rejects.toMatchObject({ code: "interrupted" });
  });

  it("passes over what it does not know", async () => {
    expect(
      await read(`data: nonsense\n\ndata: {"choices":"none"}\n\n${frame({ content: "Hi" })}${DONE}`),
    ).toMatchObject({
      text: "Hi",
    });
  });
});

import { describe, expect, it } from "vitest";
import type { Recording } from "../../../../gateway/contract/requests.ts";
import { foldStream } from "../../../../renderer/components/request/fold-stream.ts";
import { makeReport, withoutTexts } from "../../../../renderer/components/request/report-bundle.ts";
import { receipt } from "../../../gateway/store/fixtures.ts";

const events = (...list: readonly object[]): string => list.map((one) => `data: ${JSON.stringify(one)}\n\n`).join("");

describe("a stream", () => {
  it.each<[dialect: string, text: string, expected: object]>([
    [
      "chat",
      `${events(
        { id: "c", choices: [{ index: 0, delta: { role: "assistant", content: "He" } }] },
        { choices: [{ index: 0, delta: { content: "llo" } }] },
        {
          choices: [
            { index: 0, delta: { tool_calls: [{ index: 0, id: "t", function: { name: "f", arguments: "{" } }] } },
          ],
        },
        {
          choices: [
            { index: 0, delta: { tool_calls: [{ index: 0, function: { arguments: "}" } }] }, finish_reason: "stop" },
          ],
        },
        { choices: [], usage: { total_tokens: 3 } },
      )}data: [DONE]\n\n`,
      {
        id: "c",
        choices: [
          {
            index: 0,
            message: {
              role: "assistant",
              content: "Hello",
              tool_calls: [{ index: 0, id: "t", function: { name: "f", arguments: "{}" } }],
            },
            finish_reason: "stop",
          },
        ],
        usage: { total_tokens: 3 },
      },
    ],
    [
      "Messages",
      events(
        { type: "message_start", message: { id: "m", role: "assistant", content: [], usage: { input_tokens: 1 } } },
        { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
        { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "He" } },
        { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "llo" } },
        { type: "content_block_start", index: 1, content_block: { type: "tool_use", name: "f", input: {} } },
        { type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: "{}" } },
        { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 2 } },
        { type: "message_stop" },
      ),
      {
        id: "m",
        role: "assistant",
        content: [
          { type: "text", text: "Hello" },
          { type: "tool_use", name: "f", input: "{}" },
        ],
        stop_reason: "end_turn",
        usage: { input_tokens: 1, output_tokens: 2 },
      },
    ],
    [
      "Responses",
      events(
        { type: "response.created", response: { id: "r" } },
        { type: "response.completed", response: { id: "r", output: [] } },
      ),
      { id: "r", output: [] },
    ],
    [
      "Google",
      events(
        { candidates: [{ content: { role: "model", parts: [{ text: "He" }] } }] },
        { candidates: [{ content: { parts: [{ text: "llo" }] }, finishReason: "STOP" }], usageMetadata: { x: 1 } },
      ),
      {
        candidates: [{ content: { role: "model", parts: [{ text: "Hello" }] }, finishReason: "STOP" }],
        usageMetadata: { x: 1 },
      },
    ],
  ])("of %s becomes the response that it spells", (_dialect, text, expected) => {
    expect(foldStream(text)).toEqual(expected);
  });

  it("cannot reach the prototype of objects", () => {
    foldStream('data: {"__proto__":{"polluted":1},"a":{"__proto__":{"polluted":1}}}\n\n');
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});

const SECRET = "What nobody may read";
const lack = { bytes: 10, cut: false, redacted: false, omitted: 0 };
const body = {
  model: "gpt-5.5",
  messages: [
    { role: "user", content: [{ type: "text", text: SECRET }] },
    {
      role: "assistant",
      tool_calls: [{ id: "call_1", type: "function", function: { name: SECRET, arguments: `{"a":"${SECRET}"}` } }],
    },
    { role: "tool", tool_call_id: "call_1", content: SECRET },
    { type: "tool_use", id: "call_1", input: { path: SECRET, role: "secretary", amount: 5_000 } },
  ],
  [SECRET]: 1,
  max_tokens: 5,
};
const recording: Recording = {
  id: "req_1",
  at: 1,
  path: "/v1/chat/completions",
  headers: {},
  request: { ...lack, form: false, text: JSON.stringify(body) },
  status: 200,
  response: {
    ...lack,
    type: "text/event-stream",
    count: 1,
    chunks: [{ ms: 1, bytes: 9, text: events({ type: "x", text: SECRET }) }],
  },
  attempts: [
    {
      ms: 1,
      url: "http://10.0.0.7:8000/v1/messages",
      request: { ...lack, text: JSON.stringify(body) },
      status: 400,
      response: {
        ...lack,
        type: "application/json",
        count: 1,
        chunks: [
          { ms: 1, bytes: 9, text: '{"error":{"message":"max_tokens: too large","type":"invalid_request_error"}}' },
        ],
      },
      passed: false,
      error: null,
    },
  ],
};

describe("the bundle for a bug report", () => {
  const source = {
    receipt: { ...receipt("req_1"), session: "my-session", project: "my-project" },
    recording,
    version: "1.0.0",
  };

  it("has structure, ids as numbers and errors, and no text, name or address", () => {
    const written = JSON.stringify(makeReport({ ...source, withTexts: false }));
    for (const hidden of [SECRET, "call_1", "my-session", "my-project", "10.0.0.7", "secretary", "5000"])
      expect(written).not.toContain(hidden);
    for (const kept of [
      "gpt-5.5",
      "[id 1]",
      `[text, ${SECRET.length} characters]`,
      "max_tokens: too large",
      "1.0.0",
      '"max_tokens":5',
    ])
      expect(written).toContain(kept);
    expect(written).toContain(`[name, ${SECRET.length} characters]`);
  });

  it("has the texts if the user ticks it, and still no session and address", () => {
    const written = JSON.stringify(makeReport({ ...source, withTexts: true }));
    expect(written).toContain(SECRET);
    for (const hidden of ["my-session", "my-project", "10.0.0.7"]) expect(written).not.toContain(hidden);
  });

  it("hides every text of a body that is cut, and cuts long lists", () => {
    expect(withoutTexts('{"messages":[{"content":"cut of')).toBe("[text, 31 characters]");
    expect(withoutTexts({ data: Array.from({ length: 600 }, () => 1) })).toEqual({
      data: [...Array.from({ length: 500 }, () => 1), "[100 more]"],
    });
  });
});

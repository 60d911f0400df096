import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LOGGING_AGENTS, getLoggingAgent } from "../../../../gateway/core/history/agents.ts";
import { ObjectLog } from "../../../../gateway/core/history/object-log.ts";
import type { HistoryAgent } from "../../../../gateway/contract/history.ts";
import type { HistoryEntry } from "../../../../gateway/core/history/history-entry.ts";

/** Lines as Gemini CLI 0.61, Qwen Code 0.24.4, Copilot CLI 1.0.102 and opencode 1.18.33 wrote them on 2026-11-30. */

const AT = "2026-11-30T06:17:55.180Z";
const PLACE = { folders: ["proj", "chats"], stem: "session-1" };

function createLog(agent: HistoryAgent, state: unknown = null, used = false): ObjectLog {
  const { form } = getLoggingAgent(agent);
  if (form === null) throw new Error(`${agent} has a reader of its own`);
  return new ObjectLog(form, { place: PLACE, state, receipts: { hasUsed: () => used } });
}

function read(log: ObjectLog, ...objects: readonly object[]): readonly HistoryEntry[] {
  for (const object of objects) log.read(Buffer.from(JSON.stringify(object)));
  return log.take();
}

const figures = (entries: readonly HistoryEntry[]) => entries.map(({ model, tokens }) => [model, ...tokens]);

describe("Gemini CLI", () => {
  const response = {
    id: "f688dd21",
    timestamp: AT,
    type: "gemini",
    content: "",
    model: "gemini-3.5-flash",
    tokens: { input: 11_473, output: 80, cached: 11_264, thoughts: 128, tool: 3, total: 11_684 },
  };

  it("has responses with cached input apart, and repeats one under its id", () => {
    const log = createLog("gemini-cli");
    const entries = read(log, { sessionId: "s1", projectHash: "7", startTime: AT, kind: "main" }, response, response);
    expect(figures(entries)).toEqual([
      ["gemini-3.5-flash", 212, 11_264, 0, 0, 80, 128],
      ["gemini-3.5-flash", 212, 11_264, 0, 0, 80, 128],
    ]);
    expect(entries[0]).toMatchObject({ at: Date.parse(AT), session: "s1", project: "proj", key: entries[1]?.key });
  });

  it("has the messages of a document and of a change to several", () => {
    const log = createLog("gemini-cli");
    const user = { id: "u", timestamp: AT, type: "user", content: "hi" };
    const entries = read(
      log,
      { sessionId: "s1", messages: [user, response] },
      { $set: { messages: [user, { ...response, id: "2" }] } },
    );
    expect(new Set(entries.map(({ key }) => key)).size).toBe(2);
  });
});

describe("Qwen Code", () => {
  const line = { uuid: "u1", sessionId: "s1", timestamp: AT, cwd: "/home/u/api", version: "0.24.4" };
  const event = (more: object): object => ({
    ...line,
    type: "system",
    subtype: "ui_telemetry",
    systemPayload: {
      uiEvent: {
        "event.name": "qwen-code.api_response",
        "event.timestamp": AT,
        response_id: "chatcmpl-1",
        model: "qwen3-coder-plus",
        input_token_count: 12_966,
        output_token_count: 309,
        cached_content_token_count: 12_160,
        thoughts_token_count: 128,
        total_token_count: 13_275,
        ...more,
      },
    },
  });
  const message = {
    ...line,
    type: "assistant",
    model: "qwen3-coder-plus",
    usageMetadata: {
      promptTokenCount: 12_966,
      candidatesTokenCount: 309,
      thoughtsTokenCount: 128,
      totalTokenCount: 13_403,
    },
  };

  it("counts each response by its event, sub-agents' too, and not its message again", () => {
    const entries = read(
      createLog("qwen-code"),
      event({}),
      message,
      event({ response_id: "chatcmpl-2", subagent_name: "managed-auto-memory-extractor" }),
    );
    expect(figures(entries)).toEqual([
      ["qwen3-coder-plus", 806, 12_160, 0, 0, 181, 128],
      ["qwen3-coder-plus", 806, 12_160, 0, 0, 181, 128],
    ]);
    expect(entries.map(({ sidechain, project }) => [sidechain, project])).toEqual([
      [false, "/home/u/api"],
      [true, "/home/u/api"],
    ]);
  });

  it("counts the messages of a log without events, whose total says where thoughts are", () => {
    expect(figures(read(createLog("qwen-code"), message))).toEqual([["qwen3-coder-plus", 12_966, 0, 0, 0, 309, 128]]);
  });

  it("knows when it goes on that there were events", () => {
    const log = createLog("qwen-code");
    read(log, event({}));
    const later = createLog("qwen-code", JSON.parse(JSON.stringify(log.state)));
    expect(read(later, message)).toEqual([]);
  });
});

describe("Copilot CLI", () => {
  const start = { type: "session.start", timestamp: AT, data: { sessionId: "s1", context: { cwd: "/home/u/api" } } };
  const usage = (input: number, output: number) => ({
    inputTokens: input,
    outputTokens: output,
    cacheReadTokens: 10,
    cacheWriteTokens: 20,
    reasoningTokens: 5,
  });
  const shutdown = (input: number, output: number, at = AT) => ({
    type: "session.shutdown",
    id: `e${at}`,
    timestamp: at,
    data: { modelMetrics: { "claude-opus-4.6-1m": { usage: usage(input, output), requests: { count: 1 } } } },
  });

  it("counts each response by its record, and not the sums at the end", () => {
    const record = {
      type: "session.usage_record",
      id: "e1",
      timestamp: AT,
      data: { usage: { model: "gpt-5.4-mini", ...usage(100, 50), accounting: { usageId: "chatcmpl-1" } } },
    };
    const entries = read(createLog("copilot-cli"), start, record, shutdown(100, 50));
    expect(figures(entries)).toEqual([["gpt-5.4-mini", 70, 10, 20, 0, 45, 5]]);
    expect(entries[0]).toMatchObject({ session: "s1", project: "/home/u/api" });
  });

  it("counts what sums have grown by, where there are no records", () => {
    const log = createLog("copilot-cli");
    const first = read(log, start, shutdown(100, 50));
    const later = createLog("copilot-cli", JSON.parse(JSON.stringify(log.state)));
    const entries = [
      ...first,
      ...read(later, shutdown(200, 80, "2026-12-01T00:00:00Z"), shutdown(90, 40, "2026-12-02T00:00:00Z")),
    ];
    expect(figures(entries)).toEqual([
      ["claude-opus-4.6", 70, 10, 20, 0, 45, 5],
      ["claude-opus-4.6", 100, 0, 0, 0, 30, 0],
      ["claude-opus-4.6", 60, 10, 20, 0, 35, 5],
    ]);
    expect(new Set(entries.map(({ key }) => key)).size).toBe(3);
  });
});

it("counts the messages of opencode's models", () => {
  const message = {
    id: "msg_1",
    sessionID: "ses_1",
    role: "assistant",
    modelID: "gpt-5.4-mini",
    path: { cwd: "/home/u/api", root: "/" },
    cost: 0,
    tokens: { total: 9_136, input: 8_965, output: 43, reasoning: 128, cache: { write: 2, read: 7 } },
    time: { created: 1_796_019_486_878, completed: 1_796_019_490_990 },
  };
  const entries = read(createLog("opencode"), message, { ...message, role: "user" });
  expect(figures(entries)).toEqual([["gpt-5.4-mini", 8_965, 7, 2, 0, 43, 128]]);
  expect(entries[0]).toMatchObject({ at: 1_796_019_486_878, session: "ses_1", project: "/home/u/api" });
});

it("counts the sums of Goose's sessions", () => {
  const session = {
    goose_session: "20260501_1",
    created: "2026-05-01 01:02:03",
    folder: "/home/u",
    model: "claude-sonnet-4",
  };
  const entries = read(createLog("goose"), { ...session, input: 100, output: 50, total: 180 });
  expect(figures(entries)).toEqual([["claude-sonnet-4", 100, 0, 0, 0, 50, 30]]);
  expect(entries[0]).toMatchObject({ at: Date.parse("2026-05-01T01:02:03Z"), session: "20260501_1" });
});

describe("any log", () => {
  const forms = LOGGING_AGENTS.flatMap(({ id, form }) => (form === null ? [] : [[id] as const]));

  it.each(forms)("of %s is read whatever is in it", (agent) => {
    fc.assert(
      fc.property(
        fc.array(
          fc.object({ maxDepth: 3, key: fc.constantFrom("type", "data", "tokens", "messages", "usage", "model") }),
        ),
        (objects) => {
          const log = createLog(agent);
          const marks = getLoggingAgent(agent).form?.marks.join(" ");
          for (const object of objects) log.read(Buffer.from(JSON.stringify({ ...object, marks })));
          log.read(Buffer.from(`{"a": ${marks}`));
          expect(
            log.take().every(({ tokens }) => tokens.every((count) => Number.isSafeInteger(count) && count >= 0)),
          ).toBe(true);
          expect(() => createLog(agent, log.state)).not.toThrow();
        },
      ),
    );
  });

  it("says what went through Postern", () => {
    const session = { goose_session: "1", created: "2026-05-01", model: "m", input: 1, output: 1 };
    expect(read(createLog("goose", null, true), session)).toMatchObject([{ postern: true }]);
  });
});

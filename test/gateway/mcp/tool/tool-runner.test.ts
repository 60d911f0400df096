import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { McpCall } from "../../../../gateway/contract/mcp.ts";
import { GatewayError } from "../../../../gateway/core/errors.ts";
import { silentLog } from "../../../../gateway/lib/log.ts";
import { CallLog } from "../../../../gateway/mcp/call-log.ts";
import type { Caller } from "../../../../gateway/mcp/caller.ts";
import type { Step } from "../../../../gateway/mcp/tool/progress.ts";
import { ToolRunner } from "../../../../gateway/mcp/tool/tool-runner.ts";
import { defineTool, type Tool, type ToolCall } from "../../../../gateway/mcp/tool/tool.ts";
import { Events } from "../../../../gateway/services/events.ts";
import type { RingKey } from "../../../../gateway/services/keys/key-ring.ts";
import { StoreWriteError } from "../../../../gateway/store/store.ts";
import { receiptOf } from "../../../e2e/browser/receipts.ts";
import { TestClock } from "../../../support/test-clock.ts";

const key = { record: { id: "key_1", name: "First" } } as RingKey;
const noted: string[] = [];
const caller: Caller = {
  key,
  requestId: "req_1",
  arrivedAt: 0,
  app: "claude-code",
  note: (...words) => void noted.push(words.join(" ")),
};

function toolOf(run: (call: ToolCall) => Promise<void> | void): Tool {
  return defineTool({
    name: "echo",
    title: "Echo",
    description: "Says it again.",
    input: z.strictObject({ text: z.string(), model: z.string().optional() }),
    output: z.object({ text: z.string() }),
    hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    capability: null,
    run: async (call, { text }) => {
      await run(call);
      return { content: [{ type: "text", text }], structured: { text } };
    },
  });
}

function bench(objection: GatewayError | null = null) {
  const clock = new TestClock();
  const calls = new CallLog(clock, new Events());
  const logged: string[] = [];
  const log = {
    ...silentLog,
    error: (event: string, fields?: object) => logged.push(`${event} ${JSON.stringify(fields)}`),
  };
  const runner = new ToolRunner({ clock, log, keyRing: { objection: () => objection }, calls });
  const run = (
    tool: Tool,
    given: unknown,
    progress: ((step: Step) => void) | null = null,
    signal = new AbortController().signal,
  ) => runner.run({ tool, arguments: given, caller, signal, progress });
  return { clock, calls, logged, run };
}

describe("a tool's response", () => {
  it("is its content and its facts, and the call is listed", async () => {
    const { run, calls } = bench();
    const result = await run(
      toolOf(() => undefined),
      { text: "hello", model: "gpt-4.1" },
    );
    expect(result).toEqual({ content: [{ type: "text", text: "hello" }], structuredContent: { text: "hello" } });
    expect(calls.list()).toMatchObject([
      { id: "req_1", tool: "echo", key: "key_1", client: "claude-code", model: "gpt-4.1", status: "done", nano: 0 },
    ] satisfies Partial<McpCall>[]);
  });

  it("says what the call cost once a service has settled it", async () => {
    const { run, calls } = bench();
    await run(
      toolOf(({ input }) => input.follower?.onSettled(receiptOf(1, { nano: 4_000 }))),
      { text: "" },
    );
    expect(calls.list()[0]).toMatchObject({ nano: 4_000 });
  });

  it("hands on what was kept, in order", async () => {
    const { run } = bench();
    let stored: readonly (string | null)[] = [];
    const tool = toolOf(async (call) => {
      call.input.follower?.onSaved(Promise.resolve("media_1"));
      call.input.follower?.onSaved(Promise.resolve(null));
      stored = await call.savedIds();
    });
    await run(tool, { text: "" });
    expect(stored).toEqual(["media_1", null]);
  });

  it("tells progress to who asked and to the list of calls", async () => {
    const { run, calls } = bench();
    const steps: Step[] = [];
    const seen: (string | null | undefined)[] = [];
    const tool = toolOf(({ progress }) => {
      progress.report({ progress: 1, message: "half" });
      seen.push(calls.list()[0]?.progress);
    });
    await run(tool, { text: "" }, (step) => steps.push(step));
    expect(steps).toEqual([{ progress: 1, message: "half" }]);
    expect(seen).toEqual(["half"]);
  });
});

describe("a tool that fails", () => {
  it.each([
    ["a missing argument", {}, "missing_required_parameter", "Missing required parameter: 'text'"],
    ["a wrong one", { text: 1 }, "invalid_type", "'text'"],
    ["an unknown one", { text: "", colour: "red" }, "unsupported_parameter", "echo takes: text, model."],
    ["no object", "text", "invalid_body", "object"],
  ])("refuses %s in words that name it", async (_what, given, code, words) => {
    const { run } = bench();
    let ran = false;
    const result = await run(
      toolOf(() => void (ran = true)),
      given,
    );
    expect(result.isError).toBe(true);
    expect(result.content[0]).toMatchObject({ type: "text", text: expect.stringContaining(`${code}: `) });
    expect(result.content[0]).toMatchObject({ text: expect.stringContaining(words) });
    expect(result._meta).toMatchObject({ "postern/error": { code, status: 400, request_id: "req_1" } });
    expect(result.structuredContent).toBeUndefined();
    expect(ran).toBe(false);
  });

  it("says the gateway's code, status and how long to wait", async () => {
    const { run, calls } = bench();
    const refuse = (): never => {
      throw new GatewayError("rate_limit_exceeded", "Try again in 3 s.", { retryAfter: 2.4 });
    };
    const result = await run(toolOf(refuse), { text: "" });
    expect(result.content).toEqual([{ type: "text", text: "rate_limit_exceeded: Try again in 3 s." }]);
    expect(result._meta).toEqual({
      "postern/error": {
        code: "rate_limit_exceeded",
        status: 429,
        param: null,
        request_id: "req_1",
        retry_after_seconds: 3,
      },
    });
    expect(calls.list()[0]).toMatchObject({ status: "failed", code: "rate_limit_exceeded" });
  });

  it("asks nothing of a key that may not be used any more", async () => {
    const { run } = bench(new GatewayError("key_disabled", "It is off."));
    let ran = false;
    const result = await run(
      toolOf(() => void (ran = true)),
      { text: "" },
    );
    expect(result.content).toEqual([{ type: "text", text: "key_disabled: It is off." }]);
    expect(ran).toBe(false);
  });

  it("takes a disk that refuses for what it is", async () => {
    const { run } = bench();
    const refuse = (): never => {
      throw new StoreWriteError("no room");
    };
    const result = await run(toolOf(refuse), { text: "" });
    expect(result.content).toEqual([{ type: "text", text: "storage_unavailable: Nothing was changed: no room" }]);
  });

  it("logs where a bug was, without its words, and tells nothing of it", async () => {
    const { run, logged } = bench();
    const result = await run(
      toolOf(() => {
        throw new Error("undefined is not /home/me/secret");
      }),
      { text: "" },
    );
    expect(JSON.stringify(result)).not.toContain("secret");
    expect(result._meta).toMatchObject({ "postern/error": { code: "internal_error", status: 500 } });
    expect(logged).toHaveLength(1);
    expect(logged[0]).toContain("tool-runner.test.ts");
    expect(logged[0]).not.toContain("secret");
  });

  it("is cancelled when its caller has left", async () => {
    const { run, calls } = bench();
    const left = new AbortController();
    const tool = toolOf(({ client }) => {
      left.abort();
      if (client.cancelled) throw new GatewayError("upstream_error", "whatever came of it");
    });
    await run(tool, { text: "" }, null, left.signal);
    expect(calls.list()[0]).toMatchObject({ status: "cancelled" });
  });

  it.each([
    [{ text: "", model: "gpt-4.1" }, "gpt-4.1 upstream_error"],
    [{ text: "" }, "echo upstream_error"],
  ])("with %j is noted in the log of its request as %s", async (given, note) => {
    noted.length = 0;
    const fail = (): never => {
      throw new GatewayError("upstream_error", "No.");
    };
    await bench().run(toolOf(fail), given);
    expect(noted).toEqual([note]);
  });
});

describe("the list of calls", () => {
  it("keeps the newest 200, newest first", () => {
    const calls = new CallLog(new TestClock(), new Events());
    for (let index = 0; index < 250; index += 1) {
      calls
        .begin({ id: `req_${index}`, tool: "echo", key: "key_1", app: "", model: null, free: true })
        .over({ status: "done", code: null, receipt: null });
    }
    const ids = calls.list().map(({ id }) => id);
    expect(ids).toHaveLength(200);
    expect(ids[0]).toBe("req_249");
    expect(ids.at(-1)).toBe("req_50");
  });

  it("does not bring back a call that was pushed out", () => {
    const calls = new CallLog(new TestClock(), new Events());
    const first = calls.begin({ id: "req_first", tool: "echo", key: "key_1", app: "", model: null, free: true });
    for (let index = 0; index < 200; index += 1)
      calls.begin({ id: `req_${index}`, tool: "echo", key: "key_1", app: "", model: null, free: true });
    first.over({ status: "done", code: null, receipt: null });
    expect(calls.list().some(({ id }) => id === "req_first")).toBe(false);
  });

  it("tells each change", () => {
    const events = new Events();
    const reports: unknown[] = [];
    events.subscribe((event) => {
      if (event.type === "mcp.called") reports.push([event.call.status, event.call.progress]);
    });
    const call = new CallLog(new TestClock(), events).begin({
      id: "r",
      tool: "t",
      key: "k",
      app: "",
      model: null,
      free: true,
    });
    call.noteProgress("3 s");
    call.over({ status: "done", code: null, receipt: null });
    expect(reports).toEqual([
      ["running", null],
      ["running", "3 s"],
      ["done", "3 s"],
    ]);
  });
});

it.each([
  ["a free call costs nothing", true, "done", 0],
  ["a paid call that is settled later has no known cost yet", false, "done", null],
  ["a paid call that asked no provider costs nothing", false, "failed", 0],
] as const)("%s", (_what, free, status, nano) => {
  const calls = new CallLog(new TestClock(), new Events());
  calls.begin({ id: "r", tool: "t", key: "k", app: "", model: null, free }).over({ status, code: null, receipt: null });
  expect(calls.list()[0]?.nano).toBe(nano);
});

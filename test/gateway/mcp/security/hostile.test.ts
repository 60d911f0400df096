import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { KEY, startGateway, type TestGateway } from "../../../support/running-gateway.ts";
import {
  ERAS,
  INITIALIZE,
  NEW,
  OLD,
  begin,
  codeOf,
  headersFor,
  messagesOf,
  post,
  rpc,
  send,
  toolCall,
} from "./wire.ts";
import type { Era } from "./wire.ts";
import { thin } from "../../../support/dose.ts";

/** Messages that no honest client sends: each is answered, soon, by something that is no mistake of ours. */

let gateway: TestGateway;
const logged: string[] = [];
const rejections: unknown[] = [];
const onRejection = (reason: unknown): void => void rejections.push(reason);
beforeAll(async () => {
  process.on("unhandledRejection", onRejection);
  gateway = await startGateway({ logged, env: { POSTERN_SANDBOX: "on" } });
});
afterEach(() => {
  expect(rejections).toEqual([]);
  expect(logged.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
});
afterAll(async () => {
  await gateway.close();
  process.off("unhandledRejection", onRejection);
});

describe.each(ERAS)("in %s", (era: Era) => {
  const ask = async (body: object, headers?: Readonly<Record<string, string>>): Promise<Response> => {
    const session = era === OLD ? { session: await begin(gateway) } : {};
    return send(gateway, era, body, { ...session, ...(headers === undefined ? {} : { headers }) });
  };

  it.each([0, -1, 9_007_199_254_740_991, "", "text", "\u0000\n", "__proto__", "x".repeat(100_000)])(
    "the id %j comes back as it was",
    async (id) => {
      const responses = await messagesOf(await ask(rpc(era, id, "tools/list")));
      expect(responses.filter((one) => one.id === id && one.result !== undefined)).toHaveLength(1);
    },
  );

  it.each([null, true, 1.5, [], {}, [1], { id: 1 }])("the id %j is refused, or taken for none", async (id) => {
    const response = await ask(rpc(era, id, "tools/list"));
    expect([200, 202, 400]).toContain(response.status);
    for (const one of await messagesOf(response)) expect([null, undefined, id]).toContainEqual(one.id);
  });

  it.each(["__proto__", "constructor", "toString", "tools/call\u0000", "TOOLS/LIST", "tools/list ", "rpc.discover"])(
    "the method %j is not found",
    async (method) => {
      const response = await ask(rpc(era, 1, method), { "mcp-method": method.replace(/[^ -~]/g, "").trim() });
      const [message] = await messagesOf(response);
      // A method that cannot stand in the header is one that the header does not name.
      expect([-32_601, -32_020]).toContain(message?.error?.code);
    },
  );

  it.each(["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf", "", "CHAT", "chat ", "../chat"])(
    "the tool %j does not exist",
    async (name) => {
      const [message] = await messagesOf(await ask(toolCall(era, name, {}), { "mcp-name": name.trim() }));
      expect([-32_602, -32_020]).toContain(message?.error?.code);
      const quoted = await messagesOf(await ask(toolCall(era, "quote", { tool: name, arguments: {} })));
      expect(codeOf(quoted.at(-1)?.result ?? { content: [] })).toBe("invalid_value");
    },
  );

  it.each<[string, unknown]>([
    ["null", null],
    ["a list", []],
    ["a text", "model"],
    ["a number", 1],
    ["true", true],
    ["an empty object", {}],
    ["prototypes", JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}')],
    ["a model that is an object", { model: { toString: "x" }, prompt: "x" }],
    ["names of functions", { model: "gpt-4.1", prompt: "x", toString: "x", hasOwnProperty: 1 }],
  ])("arguments that are %s are refused in words", async (_what, args) => {
    for (const name of [
      "chat",
      "generate_image",
      "edit_image",
      "generate_video",
      "synthesize_speech",
      "embed_text",
      "transcribe_audio",
      "quote",
    ]) {
      const response = await ask(toolCall(era, name, args));
      const [message] = (await messagesOf(response)).slice(-1);
      const refusal = message?.error?.message ?? message?.result?.content[0]?.text;
      expect(
        message?.error !== undefined || message?.result?.isError === true,
        `${name}: ${JSON.stringify(message)}`,
      ).toBe(true);
      expect(refusal?.length).toBeGreaterThan(10);
      expect(codeOf(message?.result ?? { content: [] }) ?? "").not.toBe("internal_error");
    }
  });

  it("prototypes anywhere in a message change nothing", async () => {
    const evil = JSON.parse('{"__proto__":{"polluted":true}}') as object;
    for (const body of [
      { ...rpc(era, 1, "tools/list"), ...JSON.parse('{"__proto__":{"polluted":true}}') },
      rpc(era, 1, "tools/call", { name: "get_quota", arguments: {}, _meta: evil }),
      toolCall(era, "generate_video", { model: "alpha2.6-t2v", prompt: "x", parameters: evil }),
      toolCall(era, "chat", {
        model: "gpt-4.1",
        prompt: "x",
        response_format: { type: "json_schema", json_schema: evil },
      }),
      toolCall(era, "quote", { tool: "chat", arguments: evil }),
      {
        ...INITIALIZE,
        params: {
          ...INITIALIZE.params,
          capabilities: { experimental: evil, ...evil },
          clientInfo: { ...INITIALIZE.params.clientInfo, ...evil },
        },
      },
    ])
      expect((await ask(body)).status).toBeLessThan(500);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it.each([
    [0, true],
    ["", true],
    ["t", true],
    [-1, true],
    [2.5, false],
  ])("the progress token %j comes back with each step: %j", async (progressToken, isToken) => {
    const texts = await messagesOf(
      await ask(toolCall(era, "chat", { model: "gpt-4.1", prompt: "Say hello." }, { progressToken })),
    );
    const steps = texts.filter(({ method }) => method === "notifications/progress");
    expect(steps.length > 0).toBe(isToken);
    expect(new Set(steps.map(({ params: step }) => step?.["progressToken"]))).toEqual(
      new Set(isToken ? [progressToken] : []),
    );
    expect(texts.at(-1)?.result ?? texts.at(-1)?.error).toBeDefined();
  });

  it.each([[null], [true], [{}], [[]], [{ __proto__: 1 }], ["x".repeat(1_000_000)]])(
    "an odd progress token stops no one (%#)",
    async (progressToken) => {
      const response = await ask(toolCall(era, "get_quota", {}, { progressToken }));
      expect(response.status).toBeLessThan(500);
      expect((await messagesOf(response)).length).toBeGreaterThan(0);
    },
  );

  it("JSON that is too deep is refused, and none is too long up to 32 MiB", { timeout: 120_000 }, async () => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const text = JSON.stringify(toolCall(era, "chat", "DEEP")).replace('"DEEP"', deep);
    const response = await post(gateway, text, { headers: headersFor(era, toolCall(era, "chat", {})) });
    expect(response.status).toBe(400);
    const long = "x".repeat(31 * 1024 * 1024);
    const session = era === OLD ? { session: await begin(gateway) } : {};
    // In the short dose each long body meets one revision.
    const bodies = thin(
      [
        toolCall(era, "chat", { model: "no-such-model", prompt: long }),
        toolCall(era, "chat", { model: long, prompt: "x" }),
        toolCall(era, "get_video_task", { id: long }),
        toolCall(era, "chat", { [long]: 1 }),
      ],
      2,
      era === OLD ? 0 : 1,
    );
    for (const body of bodies) {
      const [message] = (await messagesOf(await send(gateway, era, body, session))).slice(-1);
      expect(message?.result?.isError).toBe(true);
      // A refusal does not give megabytes back.
      expect(JSON.stringify(message).length).toBeLessThan(10_000);
    }
    const larger = JSON.stringify(toolCall(era, "chat", { model: "x", prompt: "x".repeat(33 * 1024 * 1024) }));
    const refused = await post(gateway, larger, { headers: headersFor(era, toolCall(era, "chat", {})) }).catch(
      () => null,
    );
    if (refused !== null) expect(refused.status).toBe(413);
  });
});

describe("headers that say something else than the body", () => {
  it.each<[string, Readonly<Record<string, string>>]>([
    ["another method", { "mcp-method": "tools/list" }],
    ["no method", { "mcp-method": "" }],
    ["another tool", { "mcp-name": "list_models" }],
    ["another revision", { "mcp-protocol-version": OLD }],
    ["a tool in other letters", { "mcp-name": "GET_QUOTA" }],
    ["an unknown revision", { "mcp-protocol-version": "2099-01-01" }],
  ])("%s: 400, and no tool runs", async (_what, headers) => {
    const before = (await gateway.ask<{ calls: unknown[] }>("GET", "/mcp")).calls.length;
    const response = await send(gateway, NEW, toolCall(NEW, "get_quota", {}), { headers });
    expect(response.status).toBe(400);
    expect((await messagesOf(response))[0]?.error?.code).toBeLessThan(-32_000);
    expect((await gateway.ask<{ calls: unknown[] }>("GET", "/mcp")).calls.length).toBe(before);
  });

  it("a revision in the header that the older era does not have is refused in a session", async () => {
    const session = await begin(gateway);
    for (const version of ["2099-01-01", "1", "x".repeat(1_000), "__proto__"]) {
      const response = await post(gateway, rpc(OLD, 1, "ping"), {
        session,
        headers: { "mcp-protocol-version": version },
      });
      expect(response.status).toBe(400);
    }
  });

  it("one session's messages at once, with one id, are answered or refused one by one", async () => {
    const session = await begin(gateway);
    const responses = await Promise.all(
      Array.from({ length: 40 }, async (_, n) => {
        const call = toolCall(OLD, "chat", { model: "gpt-4.1", prompt: `Say ${n}.` }, { id: 5 });
        const response = await send(gateway, OLD, call, { session });
        const texts = await messagesOf(response);
        return [response.status, texts.filter(({ id }) => id === 5).length];
      }),
    );
    const answered = responses.filter(([status]) => status === 200);
    expect(answered.length).toBeGreaterThan(0);
    expect(answered.every(([, count]) => count === 1)).toBe(true);
    expect(responses.every(([status]) => status === 200 || status === 400)).toBe(true);
  });
});

it("the endpoint still works after all that", async () => {
  const [message] = await messagesOf(await send(gateway, NEW, toolCall(NEW, "get_quota", {}), { key: KEY }));
  expect(message?.result?.isError).toBeUndefined();
});

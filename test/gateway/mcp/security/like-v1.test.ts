import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { KeyView } from "../../../../gateway/contract/key.ts";
import type { Receipt } from "../../../../gateway/contract/receipt.ts";
import { completionText } from "../../../support/acts.ts";
import { errorOf, startGateway, until, type TestGateway } from "../../../support/running-gateway.ts";
import { dose } from "../../../support/dose.ts";
import { FastTime } from "../../../support/fast-time.ts";
import { TestClock } from "../../../support/test-clock.ts";
import { reply } from "../../../support/wire-provider.ts";
import { PAID, PaidStage, postTool, type PaidTool } from "./paid-stage.ts";
import { ERAS, NEW, OLD, begin, call, codeOf, messagesOf, send, textOf, toolCall } from "./wire.ts";

/** A tool that costs money is let in, refused, priced and billed as the same call at its endpoint of /v1. */

const clock = new TestClock();
let stage: PaidStage;
/** The same where a hundred seconds pass in one, for videos to be made. */
let fast: PaidStage;
/** Without any provider. */
let bare: TestGateway;
beforeAll(async () => {
  stage = await PaidStage.open({ clock });
  const time = new FastTime();
  fast = await PaidStage.open({ clock: time, later: time.later });
  fast.films.now = () => time.now();
  bare = await startGateway();
});
beforeEach(() => {
  stage.reset();
  fast.reset();
});
afterAll(async () => {
  await stage.close();
  await fast.close();
  await bare.close();
});

/** A refusal in the words of either side; figures that hang on the moment are left out. */
interface Refusal {
  readonly status: number;
  readonly code: string | null;
  readonly message: string;
}

const timeless = (message: string): string => message.replaceAll(/in \d+ s\b/g, "in N s");

async function byTool(
  gateway: TestGateway,
  tool: PaidTool,
  key: string | undefined,
  changes: Readonly<Record<string, unknown>> = {},
): Promise<Refusal> {
  const options = key === undefined ? {} : { key };
  const { result } = await call(gateway, NEW, tool.name, { model: tool.model, ...tool.args, ...changes }, options);
  expect(result.isError, JSON.stringify(result)).toBe(true);
  const { code = null, status = 0 } = result._meta?.["postern/error"] ?? {};
  const text = textOf(result);
  expect(text.startsWith(`${code}: `)).toBe(true);
  return { status, code, message: timeless(text.slice(`${code}: `.length)) };
}

async function atEndpoint(response: Response): Promise<Refusal> {
  const { status } = response;
  const { code, message } = await errorOf(response);
  return { status, code, message: timeless(message) };
}

const gatewayPost = (gateway: TestGateway, tool: PaidTool): Promise<Response> => postTool(gateway, tool);

/** A call that is held at the provider until the returned function is called. */
async function occupied(tool: PaidTool, key: string): Promise<() => Promise<void>> {
  const gate = Promise.withResolvers<void>();
  if (tool.route === null) throw new Error("videos are let go at once");
  stage.wire.on(tool.route, async (seen, outgoing) => {
    await gate.promise;
    await tool.act(seen, outgoing);
  });
  const before = stage.requestCount;
  const running = stage.atV1(tool, key);
  await until(() => stage.requestCount === before + 1);
  return async () => {
    gate.resolve();
    await (await running).arrayBuffer();
  };
}

/** One tool stands for all: each one's own refusals are in its test below `test/gateway/mcp/tools`. */
describe("a refusal in the words of /v1", () => {
  const [tool] = PAID as readonly [PaidTool];

  /** The code with which both sides refuse the call, in the same words and without asking a provider. */
  async function refusal(limits: Readonly<Record<string, unknown>>, changes = {}): Promise<string | null> {
    const { secret } = await stage.newKey(limits);
    const theirs = await atEndpoint(await stage.atV1(tool, secret, changes));
    const ours = await byTool(stage.gateway, tool, secret, changes);
    expect(ours).toEqual(theirs);
    expect(stage.requestCount).toBe(0);
    return ours.code;
  }

  it.each([
    ["a model of the key's", { models: ["another-model"] }, {}, "model_not_allowed"],
    ["money", { limit_usd: 0.000_000_001 }, {}, "insufficient_quota"],
    ["a model that there is", {}, { model: "no-such-model" }, "model_not_found"],
    ["a model that can do it", {}, { model: tool.wrongModel }, "endpoint_model_mismatch"],
  ])("needs %s", async (_what, limits, changes, code) => {
    expect(await refusal(limits, changes)).toBe(code);
  });

  it("needs what the app may spend this month", async () => {
    await stage.gateway.ask("PATCH", "/settings", { monthly_budget_usd: 0.000_000_001 });
    try {
      expect(await refusal({})).toBe("insufficient_quota");
    } finally {
      await stage.gateway.ask("PATCH", "/settings", { monthly_budget_usd: null });
    }
  });

  it("needs a provider", async () => {
    const theirs = await atEndpoint(await gatewayPost(bare, tool));
    expect(await byTool(bare, tool, undefined)).toEqual(theirs);
    expect(theirs.code).toBe("model_not_found");
  });

  it("counts as one request of those a minute, either way", async () => {
    const refusals: Refusal[] = [];
    for (const first of ["tool", "endpoint"]) {
      const { secret: key } = await stage.newKey({ rpm: 1 });
      if (first === "tool") await call(stage.gateway, NEW, tool.name, { model: tool.model, ...tool.args }, { key });
      else await (await stage.atV1(tool, key)).arrayBuffer();
      refusals.push(await byTool(stage.gateway, tool, key), await atEndpoint(await stage.atV1(tool, key)));
    }
    expect(new Set(refusals.map((refusal) => JSON.stringify(refusal))).size).toBe(1);
    expect(refusals[0]).toMatchObject({ status: 429, code: "rate_limit_exceeded" });
  });

  it("counts as one of the calls at the same time", async () => {
    const { secret } = await stage.newKey({ concurrency: 1 });
    const release = await occupied(tool, secret);
    const ours = await byTool(stage.gateway, tool, secret);
    expect(ours).toEqual(await atEndpoint(await stage.atV1(tool, secret)));
    expect(ours.code).toBe("concurrency_limit_exceeded");
    await release();
  });

  it("is refused with the whole message once the key has expired", async () => {
    const { secret: key } = await stage.newKey({ expires_at: clock.now() + 60_000 });
    const session = await begin(stage.gateway, key);
    clock.advance(60_001);
    const theirs = await errorOf(await stage.atV1(tool, key));
    for (const era of ERAS) {
      const message = toolCall(era, tool.name, { model: tool.model, ...tool.args });
      const response = await send(stage.gateway, era, message, { key, session });
      expect(response.status).toBe(401);
      const error = (await messagesOf(response))[0]?.error;
      expect([error?.data?.["code"], error?.message]).toEqual([theirs.code, theirs.message]);
    }
    expect(stage.requestCount).toBe(0);
  });
});

it.each(PAID.map((tool) => [tool.name, tool] as const))("%s is billed the same, to the nano", async (_name, tool) => {
  const on = tool.route === null ? fast : stage;
  const { id, secret: key } = await on.newKey({ limit_usd: 100 });
  const response = await on.atV1(tool, key);
  expect(response.ok, await response.text()).toBe(true);
  for (const era of ERAS) {
    const { result } = await call(on.gateway, era, tool.name, { model: tool.model, ...tool.args }, { key });
    expect(result.isError, JSON.stringify(result)).toBeUndefined();
  }
  const mine = async (): Promise<Receipt[]> => (await on.gateway.receipts()).filter((one) => one.key === id);
  await until(async () => (await mine()).length === 3, 20_000);
  const facts = (await mine()).map(({ endpoint, model, provider, outcome, terms, nano, price, status }) =>
    JSON.stringify({ endpoint, model, provider, outcome, terms, nano, price, status }),
  );
  expect(new Set(facts).size, facts.join("\n")).toBe(1);
  expect(JSON.parse(facts[0] ?? "{}")).toMatchObject({ outcome: "completed", nano: expect.any(Number) });
});

describe("a race for the last money", () => {
  it("of 100 tool calls at once against money for two, two reach the provider: both eras, and /v1 among them", async () => {
    const full = { prompt_tokens: 10, completion_tokens: 1_000 };
    for (let round = 0; round < dose(2, 5); round++) {
      stage.reset();
      const gate = Promise.withResolvers<void>();
      stage.wire.on("POST /v1/chat/completions", async (seen, outgoing) => {
        await gate.promise;
        await reply(200, JSON.parse(completionText("Paid", full)))(seen, outgoing);
      });
      const { id, secret: key } = await stage.newKey({ limit_usd: 0.0165 });
      const session = await begin(stage.gateway, key);
      let refused = 0;
      const outcomes = await Promise.all(
        Array.from({ length: 100 }, async (_, n) => {
          let code: string | null;
          if (n % 10 === 0) {
            const response = await stage.atV1(PAID[0] as PaidTool, key, { max_tokens: 1_000 });
            code = response.ok ? null : (await errorOf(response)).code;
          } else {
            const era = n % 2 === 0 ? OLD : NEW;
            const args = { model: "gpt-4.1", prompt: "Say hello.", max_tokens: 1_000 };
            const options = { key, id: n, ...(era === OLD ? { session } : {}) };
            code = codeOf((await call(stage.gateway, era, "chat", args, options)).result);
          }
          if (code !== null) refused += 1;
          if (refused === 98) gate.resolve();
          return code;
        }),
      );
      expect(outcomes.filter((code) => code === null)).toHaveLength(2);
      expect(outcomes.filter((code) => code === "insufficient_quota")).toHaveLength(98);
      expect(stage.requestCount).toBe(2);
      const { data } = await stage.gateway.ask<{ data: KeyView[] }>("GET", "/keys");
      expect(data.find((one) => one.id === id)).toMatchObject({
        held_nano: 0,
        in_flight: 0,
        spent_nano: 2 * (10 * 2_000 + 1_000 * 8_000),
      });
    }
  });
});

it("a connection that leads back to Postern is answered loop_detected, once", async () => {
  const { gateway } = stage;
  const { id } = await gateway.ask<{ id: string }>("POST", "/connections", {
    provider: "openai-compatible",
    name: "Loop",
    base_url: `${gateway.url}/v1`,
    keys: ["sk-test-unlimited-key-0001"],
  });
  for (const era of ERAS) {
    const { result } = await call(gateway, era, "chat", { model: "Loop/gpt-4.1", prompt: "Hi" });
    expect(result._meta?.["postern/error"]).toMatchObject({ code: "loop_detected", status: 508 });
  }
  expect(stage.requestCount).toBe(0);
  await gateway.control("DELETE", `/connections/${id}`);
});

import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { responseOf, embedAct, inputsOf, texts, vectorFor } from "../../../support/embedding-acts.ts";
import { KEY, errorOf, until, providersAt } from "../../../support/running-gateway.ts";
import { TestClock } from "../../../support/test-clock.ts";
import { reply } from "../../../support/wire-provider.ts";
import { useGateway, useWire } from "../../../support/use-gateway.ts";

const ROUTE = "POST /compatible-mode/v1/embeddings";
const MODEL = "text-embedding-v4";
const BATCH = 10;

const provider = useWire();
const clock = new TestClock();
const postern = useGateway(() => ({
  clock,
  env: providersAt({ DASHSCOPE: provider.origin }),
}));
beforeEach(() => provider.reset());

const embed = (count: number): Promise<Response> => postern.post("/embeddings", { model: MODEL, input: texts(count) });

describe("a list that is longer than the provider's batch", () => {
  it("comes back in order, whatever its length, the order of the responses and the order inside them", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 85 }), fc.infiniteStream(fc.nat({ max: 3 })), async (count, ranks) => {
        provider.reset();
        // Each response waits until some others have come and gone, so that they overtake each other.
        const gates: (() => void)[] = [];
        const act = embedAct({
          arrange: (items) => items.toReversed(),
          when: async () => {
            for (let turns = ranks.next().value; turns > 0; turns -= 1) {
              await new Promise<void>((resolve) => {
                gates.push(resolve);
                setImmediate(() => gates.shift()?.());
              });
            }
          },
        });
        provider.on(ROUTE, act);
        const response = await responseOf(await embed(count));
        expect(response.data.map(({ index }) => index)).toEqual(texts(count).map((_, index) => index));
        expect(response.data.map(({ embedding }) => embedding)).toEqual(texts(count).map(vectorFor));
        expect(response.usage).toEqual({ prompt_tokens: count, total_tokens: count });
        expect(provider.seen.map((seen) => inputsOf(seen).length).toSorted((a, b) => b - a)).toEqual(
          Array.from({ length: Math.ceil(count / BATCH) }, (_, part) => Math.min(BATCH, count - part * BATCH)),
        );
      }),
      { numRuns: 25 },
    );
  });

  it("has one receipt with the sum of its tokens", async () => {
    provider.on(ROUTE, embedAct({ usage: (inputs) => ({ prompt_tokens: inputs.length * 3, total_tokens: 99 }) }));
    const before = (await postern.receipts()).length;
    await responseOf(await embed(25));
    expect((await postern.receipts()).length).toBe(before + 1);
    expect(await postern.receipt()).toMatchObject({
      endpoint: "embeddings",
      outcome: "completed",
      provider: "dashscope",
      estimated: false,
      terms: [{ unit: "input", quantity: 75, nano_per_million: 70_000_000, nano: 5_250 }],
      nano: 5_250,
    });
  });

  it("of 10,000 strings is a thousand requests and one response", async () => {
    provider.on(ROUTE, embedAct());
    const response = await responseOf(await embed(10_000));
    expect(response.data).toHaveLength(10_000);
    expect(response.data[9_999]).toEqual({ object: "embedding", index: 9_999, embedding: vectorFor("text 9999") });
    expect(response.usage.prompt_tokens).toBe(10_000);
    expect(provider.seen).toHaveLength(1_000);
  }, 60_000);

  it("of 20,000 strings is refused with the bound, and nothing is sent", async () => {
    const response = await embed(20_000);
    expect(response.status).toBe(400);
    expect((await errorOf(response)).message).toContain("at most 16384 inputs in one request, and there are 20000");
    expect(provider.seen).toHaveLength(0);
  });
});

describe("a part that fails in the middle", () => {
  const refusal = {
    error: {
      message: "Input data may contain inappropriate content.",
      type: "data_inspection_failed",
      param: null,
      code: "data_inspection_failed",
    },
  };

  it("gives one error, ends the parts under way, sends no others, and charges what came back", async () => {
    const ended: string[] = [];
    let failing: () => void = () => {};
    const others = new Promise<void>((resolve) => (failing = resolve));
    provider.on(ROUTE, async (seen, outgoing) => {
      const first = inputsOf(seen)[0] ?? "";
      if (first === "text 0") return embedAct()(seen, outgoing);
      if (first === "text 10") {
        // Fails when one part is back and all other places are taken.
        await others;
        return reply(400, refusal)(seen, outgoing);
      }
      outgoing.once("close", () => ended.push(first));
      // The fourth place is taken over by the part behind the one that is done.
      if (first === "text 40") failing();
      return undefined;
    });
    const response = await embed(200);
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toMatchObject({
      message: "Input data may contain inappropriate content.",
      code: "data_inspection_failed",
    });
    await until(() => ended.length === 3);
    expect(ended.toSorted()).toEqual(["text 20", "text 30", "text 40"]);
    expect(provider.seen).toHaveLength(5);
    expect(await postern.receipt()).toMatchObject({
      outcome: "interrupted",
      status: 400,
      code: "data_inspection_failed",
      provider: "dashscope",
      estimated: true,
    });
  });

  it("costs nothing when it is the only one", async () => {
    provider.on(ROUTE, reply(400, refusal));
    expect((await embed(5)).status).toBe(400);
    expect(await postern.receipt()).toMatchObject({ outcome: "failed", status: 400, nano: 0, terms: [] });
  });

  it("leaves what others may have done to an estimate, when it is the first of all", async () => {
    provider.on(ROUTE, (seen, outgoing) =>
      inputsOf(seen)[0] === "text 0" ? reply(400, refusal)(seen, outgoing) : undefined,
    );
    expect((await embed(35)).status).toBe(400);
    const { outcome, status, estimated, nano } = await postern.receipt();
    expect({ outcome, status, estimated }).toEqual({ outcome: "unknown", status: 400, estimated: true });
    expect(nano).toBeGreaterThan(0);
  });

  it("is tried again by itself where that may help, without the other parts", async () => {
    const failed = new Set<string>();
    provider.on(ROUTE, (seen, outgoing) => {
      const first = inputsOf(seen)[0] ?? "";
      if (first !== "text 10" || failed.has(first)) return embedAct()(seen, outgoing);
      failed.add(first);
      return reply(503, { error: { message: "busy", type: "server_error", param: null, code: null } })(seen, outgoing);
    });
    const response = await responseOf(await embed(30));
    expect(response.data.map(({ embedding }) => embedding)).toEqual(texts(30).map(vectorFor));
    const firsts = provider.seen.map((seen) => inputsOf(seen)[0] ?? "");
    expect(firsts.toSorted()).toEqual(["text 0", "text 10", "text 10", "text 20"]);
  });

  it("is a response with another number of vectors: a 502 that says what was expected", async () => {
    provider.on(ROUTE, embedAct({ arrange: (items) => items.slice(1) }));
    const response = await embed(5);
    expect(response.status).toBe(502);
    expect((await errorOf(response)).message).toContain("not a list of embeddings, one for each input");
  });
});

it("a client that leaves ends all parts; what was sent is charged as counted here", async () => {
  const ended: string[] = [];
  provider.on(ROUTE, (seen, outgoing) => {
    const first = inputsOf(seen)[0] ?? "";
    if (first === "text 0") return embedAct()(seen, outgoing);
    outgoing.once("close", () => ended.push(first));
    return undefined;
  });
  const leaving = new AbortController();
  const pending = postern.post("/embeddings", { model: MODEL, input: texts(100) }, KEY, {}, leaving.signal);
  await until(() => provider.seen.length === 5);
  leaving.abort();
  await expect(pending).rejects.toThrow("abort");
  await until(() => ended.length === 4);
  await until(async () => (await postern.receipt()).code === "client_closed");
  const receipt = await postern.receipt();
  expect(receipt).toMatchObject({ outcome: "cancelled", status: 499, estimated: true });
  // Ten tokens that the provider reported, and forty texts of two or three tokens each, counted as the most they can be.
  expect(receipt.terms[0]?.quantity).toBeGreaterThanOrEqual(10 + 40 * 2);
  expect(receipt.terms[0]?.quantity).toBeLessThanOrEqual(10 + 40 * 8);
  expect(provider.seen).toHaveLength(5);
});

it("after its key was refused, one part tries the provider before the others follow", async () => {
  provider.on(ROUTE, reply(401, { error: { message: "no", type: "auth", param: null, code: "invalid_api_key" } }));
  await (await embed(1)).text();
  // No one is asked now; a probe is due in a while.
  clock.advance(61_000);
  provider.reset();
  provider.on(ROUTE, embedAct());
  const response = await responseOf(await embed(45));
  expect(response.data.map(({ embedding }) => embedding)).toEqual(texts(45).map(vectorFor));
  expect(inputsOf(provider.seen[0] ?? expect.fail("nothing was sent"))[0]).toBe("text 0");
});

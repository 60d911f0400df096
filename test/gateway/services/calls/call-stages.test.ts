import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { later } from "../../../../gateway/lib/later.ts";
import type { Receipt } from "../../../../gateway/contract/receipt.ts";
import { completion, stream, streamFrames } from "../../../support/acts.ts";
import { type Act } from "../../../support/mock-provider.ts";
import { CHAT } from "../../../support/running-gateway.ts";
import { TestClock } from "../../../support/test-clock.ts";
import { useGateway, useProvider } from "../../../support/use-gateway.ts";

const clock = new TestClock();
const provider = useProvider();

const postern = useGateway(() => {
  const keys = { POSTERN_OPENAI_API_KEY: "sk-provider-first-key, sk-provider-second-key" };
  return { provider, clock, env: keys, backoff: (_ms, work) => later(0, work) };
});
beforeEach(() => provider.reset());
afterEach(() => clock.advance(10 * 60_000));

async function receiptOf(response: Promise<Response>): Promise<Receipt> {
  await (await response).arrayBuffer();
  const [receipt] = await postern.receipts(1);
  if (receipt === undefined) throw new Error("no receipt");
  return receipt;
}

/** Does so after some time by the gateway's clock. */
const after =
  (ms: number, act: Act): Act =>
  (exchange) => {
    clock.advance(ms);
    return act(exchange);
  };

describe("the stages of a call", () => {
  test.each([
    ["whole", false, completion()],
    ["streamed", true, stream(streamFrames(["Hi"]))],
  ])("of a %s response come one after the other", async (_name, streamed, act) => {
    provider.next(after(3_000, act));
    const { wait_ms, connect_ms, first_ms, ms, attempts } = await receiptOf(
      postern.chat({ ...CHAT, stream: streamed }),
    );
    expect(attempts).toBe(1);
    expect(wait_ms).toBeGreaterThanOrEqual(0);
    expect(wait_ms).toBeLessThan(3_000);
    expect(connect_ms).toBeGreaterThanOrEqual(0);
    expect(first_ms ?? 0).toBeGreaterThanOrEqual((wait_ms ?? 0) + 3_000);
    expect(ms).toBeGreaterThanOrEqual(first_ms ?? Infinity);
  });

  test("parts that are sent together count as one attempt", async () => {
    let parts = 0;
    provider.also.set("/v1/embeddings", ({ seen, outgoing }) => {
      parts += 1;
      const { input } = JSON.parse(seen.body.toString()) as { input: readonly string[] };
      const data = input.map((_text, index) => ({ object: "embedding", index, embedding: [index] }));
      const usage = { prompt_tokens: input.length, total_tokens: input.length };
      outgoing.writeHead(200, { "content-type": "application/json" });
      outgoing.end(JSON.stringify({ object: "list", model: "text-embedding-3-small", data, usage }));
    });
    const texts = Array.from({ length: 3_000 }, (_, index) => `text ${index}`);
    const receipt = await receiptOf(postern.post("/embeddings", { model: "text-embedding-3-small", input: texts }));
    expect(receipt).toMatchObject({ endpoint: "embeddings", outcome: "completed" });
    expect(parts).toBeGreaterThan(1);
    expect(receipt.attempts).toBe(1);
  });
});

import { beforeEach, describe, expect, it } from "vitest";
import { responseOf, embedAct, inputsOf, texts } from "../../../support/embedding-acts.ts";
import { errorOf, startGateway, providersAt } from "../../../support/running-gateway.ts";
import { reply } from "../../../support/wire-provider.ts";
import { useGateway, useWire } from "../../../support/use-gateway.ts";

const ROUTE = "POST /v1/embeddings";
const MODEL = "text-embedding-3-large";

const provider = useWire();
const other = useWire();
const postern = useGateway(() => ({ env: providersAt({ OPENAI: `${provider.origin}/v1` }) }));
beforeEach(() => {
  provider.reset();
  other.reset();
});

describe("a key with a small limit", () => {
  it("holds for all parts of a call at once, so that none is started that cannot be finished", async () => {
    provider.on(ROUTE, embedAct());
    const { secret, view } = await postern.limitedKey(0.000_05);
    const response = await postern.post("/embeddings", { model: MODEL, input: texts(4_000) }, secret);
    expect(response.status).toBe(402);
    expect((await errorOf(response)).code).toBe("insufficient_quota");
    expect(provider.seen).toHaveLength(0);
    expect(await view()).toMatchObject({ spent_nano: 0, held_nano: 0, in_flight: 0 });
  });
});

describe("parts that different providers answered", () => {
  const busy = reply(503, { error: { message: "busy", type: "server_error", param: null, code: null } });

  it.each([
    ["dearer than OpenAI", { prompt: "0.000001", completion: "0" }, "openai-compatible", 1_000],
    ["cheaper than OpenAI", { prompt: "0.00000001", completion: "0" }, "openai", 130],
    ["without a price", undefined, "openai", 130],
  ])("are charged at the most expensive price: a router %s", async (_, pricing, charged, nanoPerToken) => {
    // The router gets the first part, because OpenAI is too busy for it.
    other.on("GET /v1/models", reply(200, { object: "list", data: [{ id: MODEL, object: "model", pricing }] }));
    const own = await startGateway({
      env: providersAt({ OPENAI: `${provider.origin}/v1`, COMPATIBLE: `${other.origin}/v1` }),
    });
    try {
      await own.sdk().models.list();
      let open: () => void = () => {};
      const received = new Promise<void>((resolve) => (open = resolve));
      provider.on(ROUTE, async (seen, outgoing) => {
        if (inputsOf(seen)[0] === "text 0") return busy(seen, outgoing);
        // The router has the first part before OpenAI is asked for the fifth: OpenAI is the last to be asked.
        await received;
        return embedAct()(seen, outgoing);
      });
      other.on(ROUTE, (seen, outgoing) => {
        open();
        return embedAct()(seen, outgoing);
      });
      const response = await responseOf(await own.post("/embeddings", { model: MODEL, input: texts(1_500) }));
      expect(response.data).toHaveLength(1_500);
      // Split by the smaller batch of the two, so that either can take any part.
      const sizes = provider.seen.map((seen) => inputsOf(seen).length);
      expect(sizes.toSorted((a, b) => b - a)).toEqual([256, 256, 256, 256, 256, 220]);
      expect(other.seen.map((seen) => inputsOf(seen)[0])).toEqual(["text 0"]);
      expect(await own.receipt()).toMatchObject({
        provider: charged,
        terms: [{ quantity: 1_500 }],
        nano: 1_500 * nanoPerToken,
      });
    } finally {
      await own.close();
    }
  });
});

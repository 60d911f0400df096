import OpenAI from "openai";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ConnectionView } from "../../../gateway/contract/connection.ts";
import { anthropicErrorSchema } from "../../../gateway/contract/errors.ts";
import {
  anthropicModelListSchema,
  anthropicModelSchema,
  modelListSchema,
  modelSchema,
} from "../../../gateway/contract/models.ts";
import { after, respond, failure, hang } from "../../support/acts.ts";
import { modelList, startProvider } from "../../support/mock-provider.ts";
import {
  CHAT,
  KEY,
  errorOf,
  startGateway,
  until,
  type TestGateway,
  providersAt,
} from "../../support/running-gateway.ts";
import { useGateway, useProvider } from "../../support/use-gateway.ts";

const provider = useProvider();
beforeAll(async () => {
  provider.list = modelList([
    "gpt-4.1",
    "provider/with-slash",
    "text-embedding-3-small",
    "rerank-1",
    "text-moderation-latest",
    "evil\u001b]0;pwned\u0007",
    "evil\u009b1m",
    "gpt-4.1\u202Eini-",
  ]);
});
const postern = useGateway(() => ({
  provider,
  env: providersAt({ COMPATIBLE: provider.baseUrl }),
}));
beforeEach(() => provider.reset());

const get = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  fetch(postern.url + path, { headers: { authorization: `Bearer ${KEY}`, ...headers } });
/** When and with which error the provider's list was last asked for; null while it is on its way. */
async function reported(gateway: TestGateway): Promise<unknown> {
  const { data } = await gateway.ask<{ data: ConnectionView[] }>("GET", "/connections");
  const { models, credentials } = data[0] ?? {};
  return models?.error ?? models?.checked_at ?? credentials?.[0]?.reason ?? null;
}
const ANTHROPIC = { "anthropic-version": "2023-06-01" };

describe("the list", () => {
  it("is OpenAI's, with what this gateway knows in addition", async () => {
    const list = modelListSchema.parse(await (await get("/v1/models")).json());
    const known = list.data.find(({ id }) => id === "gpt-4.1");
    expect(known).toMatchObject({
      owned_by: "openai",
      capabilities: ["chat", "messages"],
      endpoints: ["/v1/chat/completions", "/v1/responses", "/v1/messages"],
      context_length: 1_047_576,
      provider: "openai",
    });
    expect(known?.pricing).toMatchObject({
      currency: "USD",
      input: 0.000_002,
      output: 0.000_008,
      cached_input: 0.000_000_5,
    });
    const ids = list.data.map(({ id }) => id);
    expect(ids).toContain("provider/with-slash");
    expect(ids.filter((id) => /[\p{Cc}\p{Bidi_Control}]/u.test(id))).toEqual([]);
    expect(ids).not.toContain("rerank-1");
    expect(ids).toContain("text-embedding-3-small");
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("is Anthropic's for clients that name its version, with pages", async () => {
    const whole = anthropicModelListSchema.parse(await (await get("/v1/models", ANTHROPIC)).json());
    expect(whole.has_more).toBe(false);
    const first = anthropicModelListSchema.parse(await (await get("/v1/models?limit=2", ANTHROPIC)).json());
    expect([first.data.length, first.has_more, first.first_id, first.last_id]).toEqual([
      2,
      true,
      whole.data[0]?.id,
      whole.data[1]?.id,
    ]);
    const next = anthropicModelListSchema.parse(
      await (await get(`/v1/models?limit=2&after_id=${first.last_id}`, ANTHROPIC)).json(),
    );
    expect(next.data.map(({ id }) => id)).toEqual(whole.data.slice(2, 4).map(({ id }) => id));
  });

  it("is read by the SDK", async () => {
    const ids: string[] = [];
    for await (const model of postern.sdk().models.list()) ids.push(model.id);
    expect(ids).toContain("gpt-4.1");
    expect((await postern.sdk().models.retrieve("provider/with-slash")).id).toBe("provider/with-slash");
    await expect(postern.sdk().models.retrieve("none")).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  });
});

describe("one model", () => {
  it.each([
    ["gpt-4.1", "deprecated", 1_047_576, 32_768],
    ["provider/with-slash", "active", null, null],
    ["text-moderation-latest", "deprecated", null, null],
  ])(
    "%s says in Anthropic's shape how long it will be there and how much it takes",
    async (id, lifecycle, ...tokens) => {
      const [max_input_tokens, max_tokens] = tokens;
      const shown = { id, lifecycle, max_input_tokens, max_tokens };
      expect(await (await get(`/v1/models/${id}`, ANTHROPIC)).json()).toMatchObject(shown);
      const list = anthropicModelListSchema.parse(await (await get("/v1/models", ANTHROPIC)).json());
      expect(list.data.find((model) => model.id === id)).toMatchObject(shown);
    },
  );

  it.each(["gpt-4.1", "provider%2Fwith-slash", "provider/with-slash", "gpt-4.1?x=1"])("%s", async (path) => {
    const model = modelSchema.parse(await (await get(`/v1/models/${path}`)).json());
    expect(model.id).toBe(decodeURIComponent(path.split("?")[0] ?? ""));
    anthropicModelSchema.parse(await (await get(`/v1/models/${path}`, ANTHROPIC)).json());
  });

  it.each(["none", "%E0%A4%A", "__proto__", "rerank-1", "gpt-4.1/x"])("%s is not there", async (path) => {
    const response = await get(`/v1/models/${path}`);
    expect(response.status).toBe(404);
    expect(await errorOf(response)).toMatchObject({ code: "model_not_found", param: "model" });
    const theirs = await get(`/v1/models/${path}`, ANTHROPIC);
    expect(anthropicErrorSchema.parse(await theirs.json()).error.type).toBe("not_found_error");
  });
});

describe("what a provider lists", () => {
  it("is waited for by the first request after the start", async () => {
    const slow = await startProvider();
    slow.list = after(400, modelList(["slow-model"]));
    const fresh = await startGateway({ env: { POSTERN_COMPATIBLE_BASE_URL: slow.baseUrl } });
    try {
      expect((await fresh.chat({ ...CHAT, model: "slow-model" })).status).toBe(200);
      expect(slow.lists).toBe(1);
    } finally {
      await fresh.close();
      await slow.close();
    }
  });

  it("is asked for again before a model is said not to be there, and not again for each try", async () => {
    const growing = await startProvider();
    growing.list = modelList(["old-model"]);
    const fresh = await startGateway({ env: { POSTERN_COMPATIBLE_BASE_URL: growing.baseUrl } });
    try {
      expect((await fresh.chat({ ...CHAT, model: "old-model" })).status).toBe(200);
      growing.list = modelList(["old-model", "pulled-meanwhile"]);
      expect((await fresh.chat({ ...CHAT, model: "pulled-meanwhile" })).status).toBe(200);
      const requestCount = growing.lists;
      for (let i = 0; i < 5; i++) expect((await fresh.chat({ ...CHAT, model: "never" })).status).toBe(404);
      expect(growing.lists).toBe(requestCount);
    } finally {
      await fresh.close();
      await growing.close();
    }
  });

  it("is remembered for a start without a network", async () => {
    const passing = await startProvider();
    const port = passing.port;
    passing.list = modelList(["remembered-model"]);
    const env = { POSTERN_COMPATIBLE_BASE_URL: passing.baseUrl };
    const first = await startGateway({ env });
    expect((await first.chat({ ...CHAT, model: "remembered-model" })).status).toBe(200);
    await first.stop();
    await passing.close();
    const second = await startGateway({ env, dataDir: first.dataDir });
    try {
      const list = await fetch(`${second.url}/v1/models`, { headers: { authorization: `Bearer ${KEY}` } });
      expect(await list.text()).toContain("remembered-model");
      const response = await second.chat({ ...CHAT, model: "remembered-model" });
      expect(response.status).toBe(503);
      expect((await errorOf(response)).message).toContain(`127.0.0.1:${port}`);
    } finally {
      await second.close();
    }
  });

  it.each([
    ["hangs", hang, 200],
    ["fails", failure(500), 200],
    ["lies", respond(200, "<html>"), 200],
    // Asking it with this key again would be of no use.
    ["refuses the key", failure(401), 502],
    ["lists nonsense", respond(200, '{"data":[null,1,{"id":5},{"id":""}]}'), 200],
  ])("does not hold a start when the provider %s", async (_name, act, status) => {
    const broken = await startProvider();
    broken.list = act;
    const fresh = await startGateway({ provider: broken });
    try {
      if (act === hang) expect(await reported(fresh)).toBeNull();
      await until(() => broken.lists > 0);
      if (act !== hang) await until(async () => (await reported(fresh)) !== null);
      // The catalog knows OpenAI's models without any list.
      expect((await fresh.chat()).status).toBe(status);
    } finally {
      await fresh.close();
      await broken.close();
    }
  });
});

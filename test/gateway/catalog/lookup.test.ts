import { describe, expect, test } from "vitest";
import { allModels, findModel } from "../../../gateway/catalog/lookup.ts";
import { OWNERS } from "../../../gateway/catalog/owners.ts";
import { modelSchema } from "../../../gateway/contract/models.ts";
import { createPricingView } from "../../../gateway/core/money/price-view.ts";

/** Every id that the specification names, with what it is for and whose it is (docs/providers/README.md#families). */
const NAMED: readonly (readonly [ids: readonly string[], capability: string, owner: string])[] = [
  [["text-embedding-v4"], "embedding", "dashscope"],
  [["text-embedding-004", "zeta-embedding-001", "zeta-embedding-2-preview"], "embedding", "google"],
  [["eta-4-large", "eta-4", "eta-4-lite"], "embedding", "voyage"],
  [["gamma3-tts-flash", "gamma3-tts-instruct-flash"], "speech", "dashscope"],
  [["gamma-image-2.0", "gamma-image-2.0-pro", "gamma-image-max"], "image", "dashscope"],
  [["gamma-image-edit", "gamma-image-edit-plus", "gamma-image-edit-max"], "image", "dashscope"],
  [["delta-image-2", "delta-image-1.5", "delta-image-1"], "image", "openai"],
  [["delta-image-2", "delta-image-1", "epsilon-2"], "image_edit", "openai"],
  [["alpha2.6-t2v", "alpha2.7-t2v", "alpha2.7-t2v-2026-04-25", "alpha2.5-t2v-preview"], "video", "dashscope"],
  [
    ["alpha2.6-i2v", "alpha2.6-i2v-flash", "alpha2.7-i2v", "alpha2.7-i2v-2026-04-25", "alpha2.5-i2v-preview"],
    "video",
    "dashscope",
  ],
  [["alpha2.6-r2v", "alpha2.6-r2v-flash", "alpha2.7-r2v"], "video", "dashscope"],
  [["beta-1.0-t2v", "beta-1.0-i2v", "beta-1.0-r2v", "beta-1.0-video-edit"], "video", "dashscope"],
  [["doubao-seedance-2-0-260128", "doubao-seedance-1-5-pro-251215"], "video", "ark"],
  [["grok-imagine-video"], "video", "xai"],
  [["sora-2", "sora-2-pro"], "video", "openai"],
];

describe.each(NAMED)("%j", (ids, capability, owner) => {
  test.each(ids)(`%s is for ${capability} and ${owner}'s`, (id) => {
    const model = findModel(id);
    expect(model?.id).toBe(id);
    expect(model?.capabilities).toContain(capability);
    expect(model?.owner).toBe(owner);
    expect(model?.capabilities).not.toContain("chat");
  });
});

test.each([
  ["wan2.7-t2v", "alpha2.7-t2v"],
  ["wan2.7-t2v-2026-04-25", "alpha2.7-t2v-2026-04-25"],
  ["wan2.5-i2v-preview", "alpha2.5-i2v-preview"],
  ["happyhorse-1.0-video-edit", "beta-1.0-video-edit"],
  ["qwen-image-2.0-pro", "gamma-image-2.0-pro"],
  ["qwen3-tts-instruct-flash", "gamma3-tts-instruct-flash"],
  ["gpt-image-2", "delta-image-2"],
  ["dall-e-2", "epsilon-2"],
  ["gemini-embedding-001", "zeta-embedding-001"],
  ["voyage-4-large", "eta-4-large"],
])("the provider's own id %s means %s", (upstream, id) => {
  expect(findModel(upstream)?.id).toBe(id);
});

describe("chat models", () => {
  test.each([
    "gpt-5",
    "gpt-5-mini",
    "gpt-5-nano",
    "gpt-5.1",
    "gpt-5.2",
    "gpt-5.4",
    "gpt-5.4-mini",
    "gpt-5.5",
    "gpt-5.6",
    "gpt-5.6-terra",
    "gpt-4.1",
    "gpt-4o",
    "gpt-4o-mini",
    "o3",
    "o4-mini",
    "claude-opus-5-5",
    "claude-sonnet-5-5",
    "claude-haiku-5-5",
    "claude-fable-5-2",
    "claude-opus-5",
    "claude-sonnet-5",
    "claude-haiku-4-5",
    "gemini-2.5-pro",
    "gemini-3-flash-preview",
    "gemini-3.6-flash",
    "grok-4",
    "grok-4.3",
    "grok-4.5",
    "grok-code-fast-1",
    "qwen3.7-max",
    "qwen3-max",
    "qwen-plus",
    "qwen-flash",
    "qwen3-coder-plus",
    "deepseek-chat",
    "deepseek-v4-pro",
    "kimi-k2.6",
    "mistral-large-latest",
    "glm-5",
    "minimax-m2.5",
  ])("%s is there, with a limit and a price", (id) => {
    const model = findModel(id);
    expect(model?.capabilities).toContain("chat");
    expect(model?.contextLength).toBeGreaterThan(0);
    expect(model?.price?.tiers[0]?.rates).toMatchObject({ input: expect.any(Number), output: expect.any(Number) });
  });

  test.each([
    ["gpt-5", ["minimal", "low", "medium", "high"]],
    ["gpt-5.1", ["none", "low", "medium", "high"]],
    ["gpt-5.4", ["none", "low", "medium", "high", "xhigh"]],
    ["o4-mini", ["low", "medium", "high"]],
    ["gpt-5-pro", ["high"]],
  ])("%s takes the efforts %j and drops sampling parameters", (id, efforts) => {
    expect(findModel(id)?.reasoning).toEqual({ efforts, dropsSampling: true });
  });

  test.each(["gpt-5-chat-latest", "gpt-4.1", "gpt-4o-mini"])("%s does not reason", (id) => {
    expect(findModel(id)?.reasoning).toBeUndefined();
  });

  test("of other owners never drop sampling parameters: the rule is about gpt-5 and the o-series", () => {
    const dropping = allModels().filter((model) => model.reasoning?.dropsSampling === true);
    expect(new Set(dropping.map((model) => model.owner))).toEqual(new Set(["openai"]));
  });
});

describe("the data is sound", () => {
  const models = allModels();

  test("no name means two models", () => {
    const names = models.flatMap((model) => [
      model.id,
      ...model.aliases,
      ...(model.upstreamId === undefined ? [] : [model.upstreamId]),
    ]);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  test.each(models.map((model) => [model.id, model] as const))("%s is an item of GET /v1/models", (id, model) => {
    expect(id).toMatch(/^[A-Za-z0-9][A-Za-z0-9.-]*$/);
    expect([...OWNERS.keys()]).toContain(model.owner);
    expect(model.capabilities.length).toBeGreaterThan(0);
    expect(model.created).toBeGreaterThan(Date.UTC(2022, 0) / 1_000);
    expect(model.created).toBeLessThanOrEqual(Date.UTC(2026, 11, 1) / 1_000);
    expect(model.contextLength ?? 1).toBeGreaterThan(0);
    expect(model.maxOutput ?? 1).toBeGreaterThan(0);
    const item = {
      id,
      object: "model",
      created: model.created,
      owned_by: model.owner,
      capabilities: model.capabilities,
      endpoints: [],
      context_length: model.contextLength,
      pricing: createPricingView(model.price),
      provider: model.owner,
    };
    expect(modelSchema.safeParse(item).error).toBeUndefined();
  });

  const priced = models.flatMap((model) => (model.price === null ? [] : [[model.id, model.price, model] as const]));

  test.each(priced)("%s is priced by whole, rising tiers with a source and a date", (_, price, model) => {
    const aboves = price.tiers.map((tier) => tier.above);
    expect(aboves[0]).toBe(0);
    expect(aboves).toEqual([...new Set(aboves)].toSorted((left, right) => left - right));
    expect(price.source).not.toBe("");
    expect(price.as_of).toMatch(/^2026-\d\d-\d\d$/);
    const needed = model.capabilities.includes("chat") ? ["input", "output"] : [];
    for (const { rates } of price.tiers) {
      expect(Object.keys(rates)).toEqual(expect.arrayContaining(needed));
      const least = model.capabilities.includes("moderation") ? 0 : 1;
      expect(Object.values(rates).every((rate) => Number.isSafeInteger(rate) && rate >= least)).toBe(true);
      expect(rates.cached_input ?? 0).toBeLessThanOrEqual(rates.input ?? 0);
    }
  });
});

describe("video models", () => {
  const films = allModels().filter((model) => model.capabilities.includes("video"));

  test.each(films.map((model) => [model.id, model] as const))(
    "%s has rules, and a price for each of its resolutions",
    (_, { video, price }) => {
      expect(Object.keys(createPricingView(price)?.per_second ?? {})).toEqual(video?.resolutions);
      const rates = price?.variants?.map(({ rates: { second } }) => second ?? 0) ?? [];
      expect(price?.tiers).toEqual([{ above: 0, rates: { second: Math.max(...rates) } }]);
    },
  );

  test.each(films.flatMap(({ id, video }) => (video?.withImage === undefined ? [] : [[id, video.withImage, video]])))(
    "%s becomes %s where there is a picture to begin from, which makes the same",
    (_, sibling, video) => {
      const { withImage: _sibling, ...same } = video;
      expect(findModel(sibling)?.video).toEqual({ ...same, kind: "i2v" });
    },
  );

  test("480p is made by alpha 2.5 and no other of the specification's alpha and beta models", () => {
    const with480 = films.filter(
      ({ id, video }) => /^(alpha2|beta-1.0)/.test(id) && video?.resolutions.includes("480p"),
    );
    expect(with480.map(({ id }) => id)).toEqual(["alpha2.5-t2v-preview", "alpha2.5-i2v-preview"]);
  });

  test.each([
    ["alpha2.7-t2v", { "720p": 0.1, "1080p": 0.15 }],
    ["beta-1.0-t2v", { "720p": 0.14, "1080p": 0.24 }],
    ["grok-imagine-video", { "480p": 0.05, "720p": 0.07 }],
    ["doubao-seedance-2-0-fast-260128", { "480p": 0.054432, "720p": 0.12096 }],
    ["sora-2-pro", { "720p": 0.3, "1024p": 0.5 }],
  ])("a second of %s costs %j USD", (id, perSecond) => {
    expect(createPricingView(findModel(id)?.price ?? null)?.per_second).toEqual(perSecond);
  });
});

describe("dated snapshots", () => {
  test.each([
    ["gpt-5.4-2026-03-05", "gpt-5.4"],
    ["gpt-4o-2024-11-20", "gpt-4o"],
    ["gpt-4o-2024-05-13", "gpt-4o-2024-05-13"],
    ["claude-haiku-4-5-20251001", "claude-haiku-4-5"],
    ["claude-sonnet-4-5@20250929", "claude-sonnet-4-5"],
    ["doubao-seed-1-6-250615", "doubao-seed-1-6"],
    ["qwen3.7-max-2026-05-20", "qwen3.7-max"],
    ["grok-4-0709", "grok-4"],
  ])("%s is %s", (snapshot, id) => {
    expect(findModel(snapshot)?.id).toBe(id);
  });

  test.each(["gpt-9", "", "2026-03-05", "gpt-5.4-tuned", "GPT-5.4", "__proto__", "constructor"])(
    "%j is unknown",
    (id) => {
      expect(findModel(id)).toBeUndefined();
    },
  );
});

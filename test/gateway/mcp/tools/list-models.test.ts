import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allModels } from "../../../../gateway/catalog/lookup.ts";
import { listModelsTool } from "../../../../gateway/mcp/tools/list-models.ts";
import type { Tool } from "../../../../gateway/mcp/tool/tool.ts";
import { modelList } from "../../../support/mock-provider.ts";
import { KEY } from "../../../support/running-gateway.ts";
import { toolStage, type ToolStage } from "../../../support/tool-harness.ts";
import { useProvider } from "../../../support/use-gateway.ts";

const NARROW = "sk-test-narrow-key-of-0002";
const NOTHING = "sk-test-nothing-key-0003";

interface Listed {
  readonly models: readonly { id: string; provider: string; capabilities: string[]; pricing: string | null }[];
  readonly total: number;
  readonly next: number | null;
}

const provider = useProvider();
let stage: ToolStage;
let list: Tool;
beforeAll(async () => {
  const listed = allModels().flatMap(({ id, owner }) => (owner === "openai" ? [id] : []));
  provider.list = modelList([...listed, "provider-model"]);
  stage = await toolStage({
    provider,
    keys: [
      { key: NARROW, name: "narrow", models: ["gpt-4.1*"] },
      { key: NOTHING, name: "nothing", models: ["no-such-model"] },
    ],
  });
  list = listModelsTool(stage.deps);
});
afterAll(() => stage.close());

async function ask(args: Readonly<Record<string, unknown>> = {}, key = KEY): Promise<Listed & { text: string }> {
  const { response, receipt } = await stage.response(list, args, { key });
  expect(receipt).toBeNull();
  const [first] = response.content;
  return { ...(response.structured as unknown as Listed), text: first?.type === "text" ? first.text : "" };
}

describe("a model", () => {
  it("is reported with what it can do and what it costs, in one line", async () => {
    const { models, text } = await ask({ search: "GPT-4.1" });
    expect(models[0]).toEqual({
      id: "gpt-4.1",
      provider: "openai",
      capabilities: ["chat"],
      context_length: 1_047_576,
      pricing:
        "$2.00 per 1M input tokens, $0.50 per 1M cached input tokens, $8.00 per 1M output tokens, $0.025 per web search",
    });
    expect(text.split("\n")[0]).toBe(
      "gpt-4.1 (chat; openai; $2.00 per 1M input tokens, $0.50 per 1M cached input tokens, $8.00 per 1M output tokens, $0.025 per web search; context 1,047,576 tokens)",
    );
    expect(text.split("\n")).toHaveLength(models.length);
  });

  it("whose price no one knows says so", async () => {
    const { models, text } = await ask({ search: "provider-model" });
    expect(models).toMatchObject([{ id: "provider-model", pricing: null }]);
    expect(text).toContain("price unknown");
  });

  it("that the key may not use is not reported", async () => {
    const { models } = await ask({}, NARROW);
    expect(models.map(({ id }) => id)).toEqual(["gpt-4.1", "gpt-4.1-mini", "gpt-4.1-nano"]);
    expect((await ask({}, NOTHING)).text).toContain("allow this key more models");
  });
});

describe("the list", () => {
  it.each(["chat", "embedding", "speech", "image", "image_edit", "video"])("of models for %s", async (capability) => {
    const { models, total } = await ask({ capability, limit: 500 });
    expect(total).toBeGreaterThan(0);
    expect(models.filter((model) => !model.capabilities.includes(capability))).toEqual([]);
  });

  it("comes in pages, each model once", async () => {
    const whole = (await ask({ limit: 500 })).models.map(({ id }) => id);
    const paged: string[] = [];
    for (let next: number | null = 0; next !== null;) {
      const page: Listed = await ask({ limit: 7, offset: next });
      expect(page.total).toBe(whole.length);
      paged.push(...page.models.map(({ id }) => id));
      next = page.next;
    }
    expect(paged).toEqual(whole);
    expect(await ask({ offset: 100_000 })).toMatchObject({ models: [], next: null });
  });

  it("without a fitting model says what to do", async () => {
    expect(await ask({ search: "no such" })).toMatchObject({ models: [], total: 0, next: null });
    expect((await ask({ search: "no such" })).text).toContain("Ask again without search");
  });

  it("is the one that a key's models are named from without waiting", () => {
    const { listModels } = stage.deps;
    expect(listModels.getIds(stage.key(NARROW), "chat")).toEqual(["gpt-4.1", "gpt-4.1-mini", "gpt-4.1-nano"]);
    expect(listModels.getIds(stage.key(NARROW), "image")).toEqual([]);
  });
});

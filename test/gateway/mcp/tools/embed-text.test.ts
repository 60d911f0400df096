import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { embedTextTool } from "../../../../gateway/mcp/tools/embed-text.ts";
import type { Tool } from "../../../../gateway/mcp/tool/tool.ts";
import { embedAct, texts, vectorFor } from "../../../support/embedding-acts.ts";
import { toolStage, type ToolStage } from "../../../support/tool-harness.ts";
import { reply } from "../../../support/wire-provider.ts";
import { useWire } from "../../../support/use-gateway.ts";

const ROUTE = "POST /v1/embeddings";
const MODEL = "text-embedding-3-small";

const provider = useWire();
let stage: ToolStage;
let embed: Tool;
beforeAll(async () => {
  stage = await toolStage({
    env: { POSTERN_OPENAI_BASE_URL: `${provider.origin}/v1`, POSTERN_OPENAI_API_KEY: "sk-provider-key-0001" },
  });
  embed = embedTextTool(stage.deps);
});
beforeEach(() => {
  provider.reset();
  provider.on(ROUTE, embedAct());
});
afterAll(() => stage.close());

describe("vectors", () => {
  it("come in the structured result only, in the order of the texts", async () => {
    const { response, receipt, requestId } = await stage.response(embed, { model: MODEL, input: texts(3) });
    expect(response.structured).toEqual({
      embeddings: texts(3).map(vectorFor),
      count: 3,
      dimensions: 4,
      model: MODEL,
      usage: { input_tokens: 3 },
      cost_usd: 0.000_000_06,
      request_id: requestId,
      sandbox: false,
    });
    expect(response.content).toEqual([
      {
        type: "text",
        text: `3 vectors of 4 numbers by ${MODEL}, in the structured result. Cost: $0.000000060 (${MODEL}).`,
      },
    ]);
    expect(receipt).toMatchObject({ endpoint: "embeddings", outcome: "completed" });
  });

  it("of one text, in base64", async () => {
    const { response } = await stage.response(embed, { model: MODEL, input: "text 7", encoding_format: "base64" });
    const { embeddings, dimensions } = response.structured as { embeddings: string[]; dimensions: number };
    const bytes = Buffer.from(embeddings[0] ?? "", "base64");
    expect(Array.from({ length: 4 }, (_, index) => bytes.readFloatLE(4 * index))).toEqual(vectorFor("text 7"));
    expect(dimensions).toBe(4);
  });

  it("are asked for with the dimensions", async () => {
    await stage.response(embed, { model: MODEL, input: "a", dimensions: 4 });
    expect(provider.seen[0]?.json).toMatchObject({ model: MODEL, dimensions: 4 });
  });

  it("of a call that is cancelled are not paid for twice: it settles as at /v1", async () => {
    const cancel = new AbortController();
    provider.on(ROUTE, () => cancel.abort());
    const { receipt } = await stage.call(embed, { model: MODEL, input: "a" }, { signal: cancel.signal });
    expect(receipt).toMatchObject({ status: 499, code: "client_closed" });
  });
});

describe("what is refused", () => {
  it.each([
    ["no text", { input: [] }],
    ["an empty text", { input: ["a", ""] }],
    ["more texts than a result can hold", { input: texts(2_049) }],
    ["dimensions that the model does not have", { dimensions: 5_000 }],
  ])("%s", async (_, args) => {
    const { error } = await stage.call(embed, { model: MODEL, input: "a", ...args }).catch((thrown: unknown) => ({
      error: thrown as { code: string },
    }));
    expect(error?.code).toBe("invalid_value");
    expect(provider.seen).toEqual([]);
  });

  it("what the provider refuses", async () => {
    provider.on(ROUTE, reply(400, { error: { message: "too long", type: "invalid_request_error", code: null } }));
    const { error, receipt } = await stage.call(embed, { model: MODEL, input: "a" });
    expect(error).toMatchObject({ code: "invalid_value", status: 400 });
    expect(receipt).toMatchObject({ outcome: "failed", nano: 0 });
  });
});

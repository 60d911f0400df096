import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { responseOf, texts } from "../../support/embedding-acts.ts";
import { KEY } from "../../support/running-gateway.ts";
import { simulateEmbeddings, vectorOf } from "./simulators/embedding-providers.ts";
import { Simulated } from "./simulators/simulated.ts";
import { CLIENT_HEADERS } from "./simulators/strict.ts";

/** Embeddings against simulators of the providers that refuse whatever docs/providers does not have. */

const simulated = new Simulated();
beforeAll(async () => {
  await simulated.start();
  simulateEmbeddings(simulated);
});
afterEach(() => expect(simulated.deviations.splice(0).join("\n")).toBe(""));
afterAll(() => simulated.close());

/** Model, its own length, another one, how many texts its provider takes at once, whether it tells its usage. */
const MODELS = [
  ["text-embedding-v4", 1_024, 256, 10, true],
  ["zeta-embedding-001", 3_072, 768, 100, false],
  ["zeta-embedding-2-preview", 3_072, 768, 100, false],
  ["eta-4-large", 1_024, 2_048, 1_000, true],
  ["eta-4", 1_024, 512, 1_000, true],
  ["eta-4-lite", 1_024, 256, 1_000, true],
] as const;

const embed = (body: object): Promise<Response> => simulated.gateway.post("/embeddings", body, KEY, CLIENT_HEADERS);

/** Google's vectors are made to the length of one where they are cut; the others' are passed on. */
function directionOf(vector: readonly number[]): number[] {
  const length = Math.hypot(...vector);
  return vector.slice(0, 4).map((value) => Math.round((value / length) * 10_000));
}

describe.each(MODELS)("%s", (model, own, other, most, tells) => {
  it.each([
    ["one text", "hello"],
    ["an array of one", ["hello"]],
  ])("%s", async (_name, input) => {
    const response = await responseOf(await embed({ model, input, user: "user-1", encoding_format: "float" }));
    expect(response).toMatchObject({ object: "list", model, data: [{ object: "embedding", index: 0 }] });
    expect(response.data[0]?.embedding).toHaveLength(own);
    expect(directionOf(response.data[0]?.embedding ?? [])).toEqual(directionOf(vectorOf("hello", own)));
  });

  it(`another length`, async () => {
    const response = await responseOf(await embed({ model, input: ["hello"], dimensions: other }));
    expect(response.data[0]?.embedding).toHaveLength(other);
  });

  it("more texts than the provider takes at once, in the client's order", async () => {
    const input = texts(most + 3).map(
      (text, index) => `${String.fromCharCode(97 + (index % 26))}${"x".repeat(index % 7)} ${text}`,
    );
    const response = await responseOf(
      await embed({ model, input, ...(own > 1_024 ? { dimensions: 768 } : { dimensions: 256 }) }),
    );
    const length = own > 1_024 ? 768 : 256;
    expect(response.data.map(({ index }) => index)).toEqual(input.map((_, index) => index));
    for (const [index, { embedding }] of response.data.entries()) {
      expect(directionOf(embedding)).toEqual(directionOf(vectorOf(input[index] ?? "", length)));
    }
    expect(response.usage.prompt_tokens).toBe(response.usage.total_tokens);
    if (tells) expect(response.usage.total_tokens).toBe(input.length * 2);
    else expect(response.usage.total_tokens).toBeGreaterThan(input.length);
    expect(await simulated.gateway.receipt()).toMatchObject({ outcome: "completed", estimated: !tells });
  });

  it("base64, as the SDK asks for by itself", async () => {
    const { data } = await simulated.gateway.sdk().embeddings.create({ model, input: "hello" });
    expect(data[0]?.embedding).toHaveLength(own);
    expect(directionOf(data[0]?.embedding ?? [])).toEqual(directionOf(vectorOf("hello", own)));
  });
});

import { expect, it } from "vitest";
import { lacks, type Fit } from "../../../../gateway/core/routes/lacks.ts";
import { NO_FACTS, type RequestFacts } from "../../../../gateway/core/routes/request-facts.ts";

const UNKNOWN: Fit = { abilities: {}, takesAll: false, contextLength: null, maxOutput: null };

it.each<[string, Partial<Fit>, Partial<RequestFacts>, number, ReturnType<typeof lacks>]>([
  ["nothing known", {}, { needs: ["pictures", "tools"] }, 1e9, null],
  ["pictures", { abilities: { pictures: false } }, { needs: ["pictures"] }, 10, "pictures"],
  ["pictures that are not there", { abilities: { pictures: false } }, { needs: ["tools"] }, 10, null],
  ["files", { abilities: { files: false } }, { needs: ["files"] }, 10, "files"],
  ["tools", { abilities: { tools: false, pictures: true } }, { needs: ["pictures", "tools"] }, 10, "tools"],
  ["a schema", { abilities: { json_schema: false } }, { needs: ["json_schema"] }, 10, "json_schema"],
  ["web search, which is no bar", { abilities: { web_search: false } }, { needs: ["web_search"] }, 10, null],
  ["a long prompt", { contextLength: 1_000 }, { inputTokens: () => 1_001 }, 5_000, "context"],
  ["a prompt of a byte for each token", { contextLength: 1_000 }, { inputTokens: () => 1_001 }, 1_001, "context"],
  ["a prompt that fits", { contextLength: 1_000 }, { inputTokens: () => 1_000 }, 5_000, null],
  ["a long response", { maxOutput: 8_000 }, { outputTokens: 8_001 }, 10, "output"],
  ["a response that fits", { maxOutput: 8_000 }, { outputTokens: 8_000 }, 10, null],
  ["a response of any length", { maxOutput: 8_000 }, { outputTokens: null }, 10, null],
])("%s", (_name, fit, facts, bytes, reason) => {
  expect(lacks({ ...UNKNOWN, ...fit }, { ...NO_FACTS, ...facts }, bytes)).toBe(reason);
});

it.each<[string, object, object, ReturnType<typeof lacks>]>([
  ["pictures", { pictures: false }, { needs: ["pictures"] }, null],
  ["files", { files: false }, { needs: ["files"] }, null],
  ["tools", { tools: false }, { needs: ["tools"] }, "tools"],
])("words come into the place of %s only where they can", (_name, abilities, facts, reason) => {
  expect(lacks({ ...UNKNOWN, abilities }, { ...NO_FACTS, ...facts }, 10, true)).toBe(reason);
});

it("looks at no needs where a model takes everything, as far as is known", () => {
  const facts: Omit<RequestFacts, "needs"> = NO_FACTS;
  const unasked = Object.defineProperty({ ...facts }, "needs", {
    get: () => {
      throw new Error("looked at");
    },
  }) as RequestFacts;
  expect(lacks({ ...UNKNOWN, takesAll: true }, unasked, 1_000)).toBeNull();
});

it("counts no tokens of a prompt that is shorter than the context in bytes", () => {
  const inputTokens = (): number => {
    throw new Error("counted");
  };
  expect(lacks({ ...UNKNOWN, contextLength: 1_000 }, { ...NO_FACTS, inputTokens }, 1_000)).toBeNull();
});

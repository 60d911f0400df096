import { expect, it } from "vitest";
import { likelyModel, type Choice, type Slot } from "../../../gateway/contract/likely-models.ts";

const model = (id: string, usd: number | null, change: Partial<Choice> = {}): Choice => ({
  id,
  output_nano_per_million: usd === null ? null : usd * 1e9,
  abilities: { tools: true },
  ...change,
});
/** As OpenAI lists them, in November 2026. */
const OPENAI = [
  model("gpt-6.2-astra", 40),
  model("gpt-6.2-sol", 10),
  model("gpt-6-astra", 50),
  model("gpt-6.1-sol", 10),
  model("gpt-6.1-terra", 5),
  model("gpt-6-sol", 10, { abilities: {} }),
  model("gpt-6-luna", 0.5),
  model("gpt-5.6", 20),
  model("gpt-5.6-terra", 12),
  model("gpt-4.1-nano", 0.4),
];
const CLAUDE = [
  model("claude-opus-4-1", 75, { ends: { on: "2026-12-01", successor: null, apps: 0 } }),
  model("claude-opus-5-5", 25),
  model("claude-sonnet-5-5", 15),
  model("claude-haiku-5-5", 5),
];

it.each<[slot: Slot, choices: readonly Choice[], id: string]>([
  ["haiku", OPENAI, "gpt-6-luna"],
  ["sonnet", OPENAI, "gpt-6.2-sol"],
  ["opus", OPENAI, "gpt-6.2-sol"],
  ["main", OPENAI, "gpt-6.2-sol"],
  ["opus", CLAUDE, "claude-opus-5-5"],
  ["sonnet", CLAUDE, "claude-sonnet-5-5"],
  ["haiku", [...OPENAI, ...CLAUDE], "claude-haiku-5-5"],
  ["opus", CLAUDE.slice(0, 1), "claude-opus-4-1"],
  ["main", CLAUDE.slice(0, 1), "claude-opus-4-1"],
  ["haiku", [model("only", 3)], "only"],
  ["sonnet", [], ""],
])("%s of the models in %j", (slot, choices, id) => {
  expect(likelyModel(slot, choices)).toBe(id);
});

it("chooses by the words of ids where no price is known", () => {
  const unpriced = ["big-70b", "big-70b-mini"].map((id) => model(id, null, { abilities: {} }));
  expect(likelyModel("haiku", unpriced)).toBe("big-70b-mini");
  expect(likelyModel("opus", unpriced)).toBe("big-70b");
});

it("never prefers a model without tools where one with tools is there", () => {
  const choices = [model("plain", 1, { abilities: { tools: false } }), model("tools", 9)];
  for (const slot of ["main", "opus", "sonnet", "haiku"] as const) expect(likelyModel(slot, choices)).toBe("tools");
});

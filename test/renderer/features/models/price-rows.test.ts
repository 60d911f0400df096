import { describe, expect, it } from "vitest";
import {
  pastePrices,
  readRows,
  getUnits,
  getUnpriced,
  withZeros,
} from "../../../../renderer/features/models/price-rows.ts";
import { chatModelView, priceView } from "./model-view.ts";

const chat = chatModelView({ id: "maker/chat-1", other_names: ["Chat One"], name: "Chat 1" });
const film = chatModelView({ id: "film", capabilities: ["video"] });
const models = [chat, film];

it("asks for the prices of models whose calls are unpriced now", () => {
  const others = [
    chatModelView({ id: "priced", price: priceView({ input: 1 }) }),
    chatModelView({ id: "sandbox", sandbox: true }),
    chatModelView({ id: "away", served: false }),
  ];
  expect(getUnpriced([...models, ...others])).toEqual(models);
});

it("asks for what a model is sold by", () => {
  expect(getUnits(chat)).toEqual(["input", "output"]);
  expect(getUnits(film)).toEqual(["second"]);
  expect(getUnits(chatModelView({ capabilities: [] }))).toEqual(["input", "output"]);
});

describe("a pasted list", () => {
  it.each([
    ["maker/chat-1\t2.5\t10", { input: "2.5", output: "10" }],
    ["MAKER/CHAT-1, $2.50, $10", { input: "$2.50", output: "$10" }],
    ["| maker/chat-1 | 2.5 | 10 |", { input: "2.5", output: "10" }],
    ["maker/chat-1 USD 3", { input: "3" }],
  ])("fills a row by %j", (line, draft) => {
    expect(pastePrices(line, models, {})).toEqual({ drafts: { "maker/chat-1": draft }, filled: 1, unknown: [] });
  });

  it("says what it does not know, and keeps what was typed", () => {
    const before = { film: { second: "0.3" } };
    const pasted = pastePrices("model input output\nmaker/chat-1 1 2\n\nother 3 4\nfilm\n", models, before);
    expect(pasted.filled).toBe(1);
    expect(pasted.unknown).toEqual(["model", "other", "film"]);
    expect(pasted.drafts).toEqual({ ...before, "maker/chat-1": { input: "1", output: "2" } });
  });
});

it("reads the rows in which something is typed, in 10⁻⁹ USD per 10⁶ units", () => {
  const { prices, invalid } = readRows(models, {
    "maker/chat-1": { input: "2.5", output: "" },
    film: { second: "0.3" },
  });
  expect(prices.map(({ model, rates }) => [model.id, rates])).toEqual([
    ["maker/chat-1", { input: 2_500_000_000 }],
    ["film", { second: 300_000_000_000_000 }],
  ]);
  expect(invalid.size).toBe(0);
  expect(readRows(models, {}).prices).toEqual([]);
  expect(readRows(models, { film: { second: "a lot" } }).invalid).toEqual(new Set(["film"]));
});

it("makes the rest free, and nothing that is typed", () => {
  expect(withZeros(models, { film: { second: "0.3" } })).toEqual({
    "maker/chat-1": { input: "0", output: "0" },
    film: { second: "0.3" },
  });
});

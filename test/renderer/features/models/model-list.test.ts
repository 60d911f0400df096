import { describe, expect, it } from "vitest";
import { filterModels } from "../../../../renderer/features/models/model-filter.ts";
import {
  closedGroups,
  groupedRows,
  isGroup,
  formatRowKey,
  storedGroups,
} from "../../../../renderer/features/models/model-groups.ts";
import { chatModelView, priceView } from "./model-view.ts";

const models = [
  chatModelView({ id: "gpt-5.4", price: priceView({ input: 1 }), aliases: ["team/fast"] }),
  chatModelView({ id: "deepseek/r2", group: "OpenRouter", provider: "openai-compatible", connections: ["OpenRouter"] }),
  chatModelView({ id: "gpt-image-1", capabilities: ["image"], price: priceView({ image: 1 }), own_price: true }),
  chatModelView({ id: "claude-x", name: "Claude X", group: "Anthropic", provider: "sandbox", sandbox: true }),
  chatModelView({ id: "gone", group: "", provider: "", served: false }),
];

describe("the filter", () => {
  it.each([
    ["", ["gpt-5.4", "deepseek/r2", "gpt-image-1", "claude-x", "gone"]],
    ["q=GPT", ["gpt-5.4", "gpt-image-1"]],
    ["q=openrouter", ["deepseek/r2"]],
    ["q=open gpt image", ["gpt-image-1"]],
    ["q=team", ["gpt-5.4"]],
    ["q=claude x", ["claude-x"]],
    ["can=image", ["gpt-image-1"]],
    ["can=nonsense", ["gpt-5.4", "deepseek/r2", "gpt-image-1", "claude-x", "gone"]],
    ["price=priced", ["gpt-5.4", "gpt-image-1"]],
    ["price=unpriced", ["deepseek/r2", "claude-x", "gone"]],
    ["price=own", ["gpt-image-1"]],
    ["q=gpt&can=image&price=own", ["gpt-image-1"]],
  ])("%s", (query, ids) => {
    expect(filterModels(models, new URLSearchParams(query)).map(({ id }) => id)).toEqual(ids);
  });
});

describe("groups", () => {
  it("stand by name, the sandbox's after the real ones, what is not served at the end", () => {
    expect(groupedRows(models, new Set()).map(formatRowKey)).toEqual([
      "group real OpenAI",
      "gpt-5.4",
      "gpt-image-1",
      "group real OpenRouter",
      "deepseek/r2",
      "group sandbox Anthropic",
      "claude-x",
      "group away",
      "gone",
    ]);
  });

  it("hide their models while they are closed, and still count them", () => {
    const rows = groupedRows(models, new Set(["real OpenAI"]));
    expect(rows.map(formatRowKey).slice(0, 3)).toEqual(["group real OpenAI", "group real OpenRouter", "deepseek/r2"]);
    const [first] = rows;
    expect(first !== undefined && isGroup(first) && first.count).toBe(2);
  });

  it("leave a model's own row as it is, so that it is not drawn again", () => {
    expect(groupedRows(models, new Set())[1]).toBe(models[0]);
  });

  it("remember what is closed, whatever it is called, and forgive what is no list", () => {
    const closed = new Set(["real a,b", 'sandbox "x"']);
    expect(closedGroups(storedGroups(closed))).toEqual(closed);
    expect(storedGroups(new Set())).toBeNull();
    for (const damaged of ["{", "7", "null"]) expect(closedGroups(damaged).size).toBe(0);
  });
});

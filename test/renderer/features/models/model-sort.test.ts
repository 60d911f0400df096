import { describe, expect, it } from "vitest";
import { asksPrice, hasFilter } from "../../../../renderer/features/models/model-filter.ts";
import { countModels } from "../../../../renderer/features/models/model-groups.ts";
import { findNextSorting, getSorting, sortModels } from "../../../../renderer/features/models/model-sort.ts";
import { chatModelView } from "./model-view.ts";

const models = [
  chatModelView({ id: "m-10", context_length: 100, input_nano_per_million: 5 }),
  chatModelView({ id: "m-9", context_length: null, input_nano_per_million: null }),
  chatModelView({ id: "m-2", context_length: 300, input_nano_per_million: 0 }),
];
const params = (query: string): URLSearchParams => new URLSearchParams(query);

describe("models that are sorted", () => {
  it.each([
    ["sort=id", ["m-2", "m-9", "m-10"]],
    ["sort=id&order=desc", ["m-10", "m-9", "m-2"]],
    ["sort=context", ["m-10", "m-2", "m-9"]],
    ["sort=context&order=desc", ["m-2", "m-10", "m-9"]],
    ["sort=price", ["m-2", "m-10", "m-9"]],
    ["sort=price&order=desc", ["m-10", "m-2", "m-9"]],
  ])("stand by %s with what has no figure last", (query, ids) => {
    const sorted = getSorting(params(query));
    expect(sorted === null ? null : sortModels(models, sorted).map(({ id }) => id)).toEqual(ids);
  });

  it("stand in groups without a column that there is", () => {
    expect(getSorting(params(""))).toBeNull();
    expect(getSorting(params("sort=owner"))).toBeNull();
  });

  it("go from the least to the most and back to their groups", () => {
    expect(findNextSorting(null, "price")).toEqual({ sort: "price", order: null });
    expect(findNextSorting({ by: "price", order: "asc" }, "price")).toEqual({ sort: "price", order: "desc" });
    expect(findNextSorting({ by: "price", order: "desc" }, "price")).toEqual({ sort: null, order: null });
    expect(findNextSorting({ by: "price", order: "desc" }, "id")).toEqual({ sort: "id", order: null });
  });
});

it.each([
  ["model=a&price", true],
  ["model=a&price=set", true],
  ["model=a&price=unpriced", false],
  ["model=a", false],
  ["price", false],
])("an address with %s asks for a price: %s", (query, asks) => {
  expect(asksPrice(params(query))).toBe(asks);
  expect(hasFilter(params("model=a&price"))).toBe(false);
});

it("counts apart what is real, what the sandbox serves, and what no provider serves now", () => {
  const others = [chatModelView({ sandbox: true }), chatModelView({ served: false }), chatModelView({ sandbox: true })];
  expect(countModels([...models, ...others])).toEqual({ real: 3, sandbox: 2, away: 1 });
});

import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { listTasksSchema } from "../../../../gateway/contract/tasks.ts";
import {
  getFilter,
  filters,
  parseMinCost,
  listPart,
  nextSorting,
  getSorting,
} from "../../../../renderer/features/tasks/task-filter.ts";

const NOW = Date.UTC(2026, 10, 22, 12, 30, 15);
const DAY = 86_400_000;
const at = (text: string) => getFilter(new URLSearchParams(text), NOW);

describe("the filter of an address", () => {
  it.each([
    ["", {}],
    ["q=+red++fox+", { q: "red++fox".replace("++", "  ") }],
    ["status=failed&model=m&key=k", { status: "failed", model: "m", key: "k" }],
    ["status=gone&sort=name&min=much", {}],
    ["sort=cost", { sort: "nano", order: "desc" }],
    ["order=asc", { sort: "created_at", order: "asc" }],
    ["sort=finished&order=asc", { sort: "finished_at", order: "asc" }],
    ["min=0.50", { min_nano: 500_000_000 }],
    ["task=vt_1&panel=webhooks", {}],
  ])("%s asks for %o", (text, filter) => {
    expect(at(text)).toEqual(filter);
  });

  it("counts ranges back from now, in whole minutes", () => {
    const minute = NOW - 15_000;
    expect([at("range=24h"), at("range=7d"), at("range=30d"), at("range=1y")]).toEqual([
      { since: minute - DAY },
      { since: minute - 7 * DAY },
      { since: minute - 30 * DAY },
      {},
    ]);
  });

  it("takes days with their last moment, in the owner's own zone", () => {
    expect(at("from=2026-03-01&to=2026-03-01")).toEqual({
      since: new Date(2026, 2, 1).getTime(),
      until: new Date(2026, 2, 2).getTime(),
    });
    expect(at("from=2026-02-30&to=today")).toEqual({});
  });

  it("is always one that the gateway takes", () => {
    const names = ["q", "status", "model", "key", "range", "from", "to", "min", "sort", "order", "task"] as const;
    const values = fc.oneof(
      fc.string({ maxLength: 600 }),
      fc.constantFrom(
        "24h",
        "failed",
        "2026-02-29",
        "2024-02-29",
        "cost",
        "asc",
        "1950-01-01",
        "999999.999999999",
        "-1",
        "1e9",
      ),
    );
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), values), (params) => {
        const filter = getFilter(new URLSearchParams(params), NOW);
        expect(listTasksSchema.safeParse(filter).success).toBe(true);
        expect(filter.model).toBe(params["model"]?.trim().slice(0, 200).trim() || undefined);
      }),
    );
  });
});

it("takes a least cost above zero only", () => {
  expect(["$1", ".5", "0", "", "much", null].map(parseMinCost)).toEqual([1e9, 5e8, null, null, null, null]);
});

it("says the same list in the same words, whatever is open next to it", () => {
  const list = (text: string): string => listPart(new URLSearchParams(text));
  expect(list("task=vt_1&model=m&q=a&status=")).toBe(list("q=a&model=m&panel=webhooks"));
  expect(list("q=a")).not.toBe(list("q=b"));
  expect([
    filters.hasAny(new URLSearchParams("sort=cost&task=x&q=")),
    filters.hasAny(new URLSearchParams("min=1")),
  ]).toEqual([false, true]);
});

it("turns the sorting around at a second press, and keeps the usual one out of the address", () => {
  const press = (text: string, column: "created" | "finished" | "cost") =>
    nextSorting(new URLSearchParams(text), column);
  expect(press("", "cost")).toEqual({ sort: "cost", order: null });
  expect(press("sort=cost", "cost")).toEqual({ sort: "cost", order: "asc" });
  expect(press("sort=cost&order=asc", "cost")).toEqual({ sort: "cost", order: null });
  expect(press("sort=cost&order=asc", "created")).toEqual({ sort: null, order: null });
  expect(press("", "created")).toEqual({ sort: null, order: "asc" });
  expect(getSorting(new URLSearchParams("order=asc"))).toEqual({ by: "created", order: "asc" });
});

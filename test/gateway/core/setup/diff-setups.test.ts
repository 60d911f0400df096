import { describe, expect, it } from "vitest";
import type { Setup } from "../../../../gateway/contract/setup.ts";
import { diffSetups } from "../../../../gateway/core/setup/diff-setups.ts";

const connection = {
  name: "DeepSeek",
  provider: "deepseek" as const,
  base_url: "https://api.deepseek.com",
  keys: ["sk-deepseek-0001"],
  priority: 100,
  enabled: true,
  allow_http: false,
  stands_in: true,
  prompt_caching: false,
};
const key = { name: "app", models: null, limit_usd: null, reset: "never" as const, disabled: false };
const route = { name: "fast", models: ["gpt-5.5"], order: "listed" as const, sticky: false, rules: [], enabled: true };

const added = (setup: Setup) =>
  diffSetups({}, setup).map(({ action, fields }) => [action, fields.map(({ field, after }) => `${field} ${after}`)]);

describe("what is added", () => {
  it("is reported without defaults", () => {
    expect(added({ connections: [connection], keys: [key], routes: [route] })).toEqual([
      ["add", ["provider deepseek", "base_url https://api.deepseek.com", "keys sk-de…0001"]],
      ["add", []],
      ["add", ["models gpt-5.5"]],
    ]);
  });

  it.each([
    ["priority 99", { connections: [{ ...connection, priority: 99 }] }],
    ["enabled false", { connections: [{ ...connection, enabled: false }] }],
    ["allow_http true", { connections: [{ ...connection, allow_http: true }] }],
    ["stands_in false", { connections: [{ ...connection, stands_in: false }] }],
    ["prompt_caching true", { connections: [{ ...connection, prompt_caching: true }] }],
    ["reset daily", { keys: [{ ...key, reset: "daily" as const }] }],
    ["disabled true", { keys: [{ ...key, disabled: true }] }],
    ["order cheapest", { routes: [{ ...route, order: "cheapest" as const }] }],
    ["sticky true", { routes: [{ ...route, sticky: true }] }],
    ["enabled false", { routes: [{ ...route, enabled: false }] }],
  ])("is reported with %s", (reported, setup) => {
    expect(added(setup)[0]?.[1]).toContain(reported);
  });
});

it("tells what becomes usual again", () => {
  const before = { connections: [{ ...connection, priority: 5, enabled: false }] };
  expect(diffSetups(before, { connections: [connection] })).toEqual([
    {
      kind: "connection",
      name: "DeepSeek",
      action: "change",
      fields: [
        { field: "priority", before: "5", after: "100" },
        { field: "enabled", before: "false", after: "true" },
      ],
    },
  ]);
});

import { expect, it } from "vitest";
import type { ImportedField } from "../../../../gateway/contract/imports.ts";
import { settleFields } from "../../../../gateway/core/imports/settle-fields.ts";

const SETTLED = {
  conflicts: [
    { kind: "connection", name: "gone" },
    { kind: "route", name: "smart" },
    { kind: "key", name: "master" },
    { kind: "price", name: "gw-2/a" },
    { kind: "search_key", name: "brave" },
  ],
  nameConnection: (name: string) => (name === "gw" ? "gw 2" : name),
  nameModel: (id: string) => id.replace(/^gw\//, "gw-2/"),
  addresses: new Map([["gw 2", "https://gw.example/v1"]]),
} as const;

const settle = (becomes: string, more: Partial<ImportedField> = {}): string => {
  const field: ImportedField = { field: "a", value: "", fate: "taken", becomes, ...more };
  const [{ fate, becomes: now, reason }] = settleFields([field], SETTLED) as [ImportedField];
  return `${fate} ${now ?? ""}${reason === undefined ? "" : ` (${reason})`}`;
};

it.each([
  ['connection "gone"', "left  (refused)"],
  ['models of connection "gone"', "left  (refused)"],
  ["rule for background → gone/q, b", "left  (refused)"],
  ['chain of route "smart"', "left  (refused)"],
  ['limit of key "master"', "left  (refused)"],
  ['price of "gw/a"', "left  (refused)"],
  ['key of the search service "brave"', "left  (refused)"],
  ['connection "gw"', 'taken connection "gw 2"'],
  ['model "gw/b"', 'taken model "gw-2/b"'],
  ['route "free"', 'taken route "free"'],
])("says of %s what the plan makes of it", (becomes, text) => {
  expect(settle(becomes)).toBe(text);
});

it("says which address a connection gets", () => {
  expect(settle('connection "gw"', { fate: "changed", reason: "endpoint" })).toBe(
    'changed connection "gw 2" at https://gw.example/v1 (endpoint)',
  );
});

it("puts first what changes responses, money or access", () => {
  const left = (field: string, reason: ImportedField["reason"] = "not-supported"): ImportedField => ({
    field,
    value: "",
    fate: "left",
    reason,
  });
  const fields = [
    left("litellm_settings.set_verbose"),
    left("litellm_settings.drop_params", "default"),
    { field: "general_settings.master_key", value: "", fate: "taken", becomes: 'key "a"' } as const,
    left("general_settings.alerting"),
    left("litellm_settings.max_budget"),
    left("model_list[0].litellm_params.extra_headers.Authorization"),
    left("model_list[1].litellm_params.reasoning_effort"),
    left("model_list[2]"),
    left("model_list[3].model_info.id"),
  ];
  expect(settleFields(fields, SETTLED).map(({ field }) => field.replace(/^.*[.]/, ""))).toEqual([
    "max_budget",
    "Authorization",
    "reasoning_effort",
    "model_list[2]",
    "set_verbose",
    "drop_params",
    "master_key",
    "alerting",
    "id",
  ]);
});

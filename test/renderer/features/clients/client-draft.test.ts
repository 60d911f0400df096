import { describe, expect, it, test } from "vitest";
import type { ClientView } from "../../../../gateway/contract/clients.ts";
import { getDraft, createPlanInput, readLimit } from "../../../../renderer/components/clients/client-draft.ts";
import { getState } from "../../../../renderer/features/clients/client-card.tsx";

const file = {
  parts: ["models" as const],
  path: "/home/ada/.codex/config.toml",
  state: "written" as const,
  reason: null,
};
const connected: NonNullable<ClientView["connected"]> = {
  at: 0,
  parts: ["models"],
  models: { main: "mine" },
  key: { id: "key_1", name: "Codex", hint: "sk-ab…wxyz", state: "active" },
  nano: 0,
  sandbox_nano: 0,
  unpriced_requests: 0,
  requests: 0,
  checks: [],
  is_outdated: false,
};

function clientOf(change: Partial<ClientView> = {}): ClientView {
  return {
    id: "codex",
    name: "Codex",
    writes: ["models", "mcp"],
    slots: ["main"],
    has_picker: false,
    key_elsewhere: false,
    found: true,
    files: [file],
    calls: null,
    connected: null,
    loops: [],
    manual: [],
    ...change,
  };
}

const choice = (id: string, price: number | null = null) => ({ id, output_nano_per_million: price });

describe("the first choice", () => {
  it("is everything, with a model that bears the tier's name", () => {
    expect(getDraft(clientOf(), [choice("gpt-5.5"), choice("claude-opus-5-5")])).toMatchObject({
      parts: ["models", "mcp"],
      models: { main: "gpt-5.5" },
    });
    const claude = clientOf({ slots: ["opus", "sonnet", "haiku"] });
    expect(getDraft(claude, [choice("gpt-5.5"), choice("claude-opus-5-5")]).models).toEqual({
      opus: "claude-opus-5-5",
      sonnet: "gpt-5.5",
      haiku: "gpt-5.5",
    });
  });

  test.each([
    ["one", [choice("only")], { opus: "only", sonnet: "only", haiku: "only" }],
    [
      "dear, middling and small",
      [choice("dear", 50), choice("middling", 10), choice("small", 1)],
      { opus: "middling", sonnet: "middling", haiku: "small" },
    ],
    [
      "dear and middling",
      [choice("dear", 25), choice("flash", 10)],
      { opus: "flash", sonnet: "flash", haiku: "flash" },
    ],
    ["without a price", [choice("a"), choice("b")], { opus: "a", sonnet: "a", haiku: "a" }],
    ["none", [], { opus: "", sonnet: "", haiku: "" }],
  ])("is by price where no model bears the name: %s", (_name, choices, models) => {
    expect(getDraft(clientOf({ slots: ["opus", "sonnet", "haiku"] }), choices).models).toEqual(models);
  });

  it("is no provider's most expensive where a tool asks for one model", () => {
    const choices = [choice("dear", 50), choice("middling", 10)];
    expect(getDraft(clientOf(), choices).models).toEqual({ main: "middling" });
  });

  it("is what it has already", () => {
    expect(getDraft(clientOf({ connected }), [choice("gpt-5.5")])).toMatchObject({
      parts: ["models"],
      models: { main: "mine" },
    });
  });
});

describe("the plan that is asked for", () => {
  const draft = {
    parts: ["models", "mcp"] as const,
    models: { main: "a" },
    limit: "",
    onlyThese: false,
    offered: null,
  };
  test.each([
    [draft, { parts: ["models", "mcp"], models: { main: "a" } }],
    [{ ...draft, parts: [] }, null],
    [{ ...draft, models: {} }, null],
    [
      { ...draft, models: {}, parts: ["mcp"] as const },
      { parts: ["mcp"], models: {} },
    ],
  ])("%j", (given, expected) => {
    expect(createPlanInput(clientOf(), given)).toEqual(expected);
  });

  test.each([
    [draft, undefined],
    [{ ...draft, offered: ["b"] }, ["b"]],
    [{ ...draft, offered: [] }, []],
    // A key for these models alone is of no use for others.
    [{ ...draft, onlyThese: true }, []],
    [{ ...draft, offered: ["b"], parts: ["mcp"] as const }, undefined],
  ])("names the models of a picker: %j", (given, offered) => {
    expect(createPlanInput(clientOf({ has_picker: true }), given)?.models.offered).toEqual(offered);
    expect(createPlanInput(clientOf(), given)?.models.offered).toBeUndefined();
  });
});

test.each([
  ["", null],
  [" 20 ", 20],
  ["7.50", 7.5],
  ["0", 0],
  ["-1", undefined],
  ["1e3", undefined],
  ["ten", undefined],
  ["9999999999", undefined],
])("the limit %j", (text, expected) => {
  expect(readLimit(text)).toBe(expected);
});

describe("the state of a card", () => {
  test.each([
    ["manual", clientOf({ writes: [] })],
    ["found", clientOf()],
    ["absent", clientOf({ found: false })],
    ["refused", clientOf({ files: [{ ...file, state: "refused", reason: "It is read-only." }] })],
    ["connected", clientOf({ connected })],
    ["changed", clientOf({ connected, files: [{ ...file, state: "changed" }] })],
    ["gone", clientOf({ connected, files: [{ ...file, state: "gone" }] })],
    ["unwritten", clientOf({ connected, files: [{ ...file, state: "there" }] })],
    ["revoked", clientOf({ connected: { ...connected, key: null } })],
    ["connected", clientOf({ connected, files: [file, { ...file, parts: ["mcp"], state: "missing" }] })],
  ])("%s", (state, client) => {
    expect(getState(client).state).toBe(state);
  });
});

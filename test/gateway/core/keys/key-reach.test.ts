import { describe, expect, it } from "vitest";
import { GatewayError } from "../../../../gateway/core/errors.ts";
import { FieldRules, type KeyReach } from "../../../../gateway/core/keys/key-reach.ts";
import { checkReach } from "../../../../gateway/core/keys/key-reach.ts";

const RULES = new FieldRules({
  model: ["models[]", "messages[].model"],
  hosted_tool: ["search"],
  stored_object: ["thread", "messages[].file_id"],
});
const PLAIN: KeyReach = { name: "k", models: null, limit_nano: null };
const NARROW: KeyReach = { ...PLAIN, models: ["a"] };
const PAID: KeyReach = { ...PLAIN, limit_nano: 1 };

/** "costs" or "free" where it is allowed, else the error's code and field. */
function verdict(key: KeyReach, body: Readonly<Record<string, unknown>>): string {
  try {
    return checkReach(key, RULES, body, (name) => key.models?.includes(name) ?? true) ? "costs" : "free";
  } catch (error) {
    if (error instanceof GatewayError) return `${error.code} ${String(error.details.param)}`;
    throw error;
  }
}

const SEARCH = { search: {} };
const THREAD = { thread: "t" };
const FILE = { messages: [{}, { file_id: "f" }] };

describe.each<[string, KeyReach, Readonly<Record<string, unknown>>, string]>([
  ["an unlimited key", PLAIN, SEARCH, "costs"],
  ["an unlimited key", PLAIN, THREAD, "free"],
  ["an unlimited key", PLAIN, { models: ["b"] }, "free"],
  ["an unlimited key without tools", { ...PLAIN, hosted_tools: false }, SEARCH, "field_not_allowed search"],
  [
    "an unlimited key without objects",
    { ...PLAIN, stored_objects: false },
    FILE,
    "field_not_allowed messages[1].file_id",
  ],
  ["a key limited to models", NARROW, SEARCH, "field_not_allowed search"],
  ["a key limited to models", NARROW, THREAD, "field_not_allowed thread"],
  ["a key limited to models", NARROW, FILE, "field_not_allowed messages[1].file_id"],
  ["a key limited to models", NARROW, { models: ["a"] }, "free"],
  ["a key limited to models", NARROW, { models: ["a", "b"] }, "model_not_allowed models[1]"],
  ["a key limited to models", NARROW, { models: [{ id: "a" }] }, "model_not_allowed models[0]"],
  ["a key limited to models", NARROW, { other: 1, messages: [{ content: "x" }] }, "free"],
  ["a key limited in spend", PAID, SEARCH, "field_not_allowed search"],
  ["a key limited in spend", PAID, { models: ["b"] }, "free"],
  ["a limited key with tools", { ...NARROW, hosted_tools: true }, SEARCH, "costs"],
  ["a limited key with tools", { ...NARROW, hosted_tools: true }, THREAD, "field_not_allowed thread"],
  [
    "a key limited to models with all else",
    { ...NARROW, hosted_tools: true, stored_objects: true },
    { messages: [{ model: "b" }] },
    "model_not_allowed messages[0].model",
  ],
  ["a limited key with objects", { ...PAID, stored_objects: true }, THREAD, "free"],
])("%s", (_name, key, body, expected) => {
  it(`that asks for ${JSON.stringify(body)}: ${expected}`, () => expect(verdict(key, body)).toBe(expected));
});

describe("a field that reaches further", () => {
  const rules = new FieldRules({
    hosted_tool: [["tools[].type", /^(?:web|5|true)/]],
    stored_object: ["a.b[].c", "a.constructor", "messages[].file_id"],
  });
  it.each<[Record<string, unknown>, string[]]>([
    [
      { tools: [{ type: "function" }, { type: "web_search" }, { type: 5 }, { type: true }] },
      ["tools[1].type", "tools[2].type", "tools[3].type"],
    ],
    [{ tools: [{ type: ["web"] }, { type: { web: 1 } }, "web", null] }, []],
    [{ tools: { type: "web" } }, []],
    [
      { a: { b: [{ c: 1 }, {}, { c: false }, { c: [] }, { c: null }, { c: [0] }, { c: "" }] } },
      ["a.b[0].c", "a.b[5].c", "a.b[6].c"],
    ],
    [{ a: { b: { c: 1 } }, other: 1 }, []],
    [{ a: "text" }, []],
    [{ a: null }, []],
    [{ a: { b: null } }, []],
    [{ messages: [{ file_id: "f" }], a: { b: [{ c: 0 }] } }, ["a.b[0].c", "messages[0].file_id"]],
  ])("is found in %j at %j", (body, paths) => {
    expect(rules.find(body, true).map(({ path }) => path)).toEqual(paths);
    const quick = paths.filter((path) => !path.startsWith("messages"));
    expect(rules.find(body, false).map(({ path }) => path)).toEqual(quick);
  });

  it.each<[KeyReach, Record<string, unknown>, string]>([
    [NARROW, { models: ["b"] }, `may not use the model "b", which 'models[0]' names.`],
    [NARROW, { models: [{}] }, "may not use models, which 'models[0]' names."],
    [NARROW, { thread: "t" }, `'thread' ("t") reaches what is stored in the provider's account, and the key "k"`],
    [NARROW, { thread: "x".repeat(101) }, `'thread' ("${"x".repeat(100)}…") reaches`],
    [NARROW, { thread: "x".repeat(100) }, `'thread' ("${"x".repeat(100)}") reaches`],
    [NARROW, { search: {} }, "'search' asks the provider for what costs beside tokens"],
  ])("is named to its client: %j, %j", (key, body, message) => {
    expect(() => checkReach(key, RULES, body, () => false)).toThrow(message);
  });
});

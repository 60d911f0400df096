import { describe, expect, it } from "vitest";
import { GatewayError } from "../../../../gateway/core/errors.ts";
import { FieldRules } from "../../../../gateway/core/keys/key-reach.ts";
import { checkReach } from "../../../../gateway/core/keys/key-reach.ts";
import type { KeyReach } from "../../../../gateway/core/keys/key-reach.ts";

const RULES = new FieldRules({
  model: ["models[]"],
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
  ["a limited key with objects", { ...PAID, stored_objects: true }, THREAD, "free"],
])("%s", (_name, key, body, expected) => {
  it(`that asks for ${JSON.stringify(body)}: ${expected}`, () => expect(verdict(key, body)).toBe(expected));
});

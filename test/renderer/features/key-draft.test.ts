import { describe, expect, it } from "vitest";
import {
  getDraft,
  emptyDraft,
  getFieldNamed,
  readDraft,
  type KeyDraft,
} from "../../../renderer/features/keys/key-draft.ts";
import { filterKeys } from "../../../renderer/features/keys/filter-keys.ts";
import { keyView } from "../../support/views.ts";

const NOW = Date.parse("2026-11-20T12:00:00Z");
const named = (change: Partial<KeyDraft>): KeyDraft => ({ ...emptyDraft, name: "n", ...change });

it("an empty form but for the name is a key without limits", () => {
  expect(readDraft(named({}), NOW)).toEqual({
    ok: true,
    limits: {
      name: "n",
      limit_usd: null,
      reset: "never",
      models: null,
      expires_at: null,
      rpm: null,
      concurrency: null,
      hosted_tools: null,
      stored_objects: null,
      mask_secrets: null,
      mask_words: null,
      ollama_default: false,
    },
  });
});

it.each([
  ["limit", "$5", { limit_usd: 5 }],
  ["limit", " 0.50 ", { limit_usd: 0.5 }],
  ["limit", "0", { limit_usd: 0 }],
  ["models", "gpt-4o,  gpt-5* ,\n", { models: ["gpt-4o", "gpt-5*"] }],
  ["rpm", "120", { rpm: 120 }],
  ["hostedTools", "allow", { hosted_tools: true }],
  ["storedObjects", "refuse", { stored_objects: false }],
  ["masksSecrets", true, { mask_secrets: true }],
  ["maskWords", " Acme\nglobex.example ", { mask_words: "Acme\nglobex.example" }],
  ["ollamaDefault", true, { ollama_default: true }],
  ["expiry", "week", { expires_at: NOW + 7 * 86_400_000 }],
  ["expiry", "quarter", { expires_at: NOW + 90 * 86_400_000 }],
] as const)("%s %j is read as %o", (field, text, limits) => {
  expect(readDraft(named({ [field]: text }), NOW)).toMatchObject({ ok: true, limits });
});

it.each([
  ["name", "  ", "name"],
  ["limit", "five", "limit_usd"],
  ["limit", "-1", "limit_usd"],
  ["rpm", "0", "rpm"],
  ["rpm", "1.5", "rpm"],
  ["concurrency", "100001", "concurrency"],
  ["models", "x".repeat(201), "models"],
] as const)("%s %j is refused at %s", (field, text, at) => {
  const read = readDraft(named({ [field]: text }), NOW);
  expect(read.ok ? [] : [...read.invalid]).toEqual([at]);
});

describe("a chosen day", () => {
  it("is included whole", () => {
    const read = readDraft(named({ expiry: "date", date: "2026-12-24" }), NOW);
    expect(read.ok && read.limits.expires_at).toBe(new Date("2026-12-24T23:59:59.999").getTime());
  });

  it.each(["", "2026-11-01"])("%j is refused", (date) => {
    const read = readDraft(named({ expiry: "date", date }), NOW);
    expect(read.ok ? [] : [...read.invalid]).toEqual(["expires_at"]);
  });
});

it("a key goes through the form unchanged, its limit left as it is", () => {
  const key = keyView({
    limit_usd: 2.5,
    models: ["a", "b*"],
    expires_at: NOW + 5,
    rpm: 7,
    concurrency: 2,
    hosted_tools: true,
    stored_objects: false,
    mask_secrets: true,
    mask_words: "Acme\nglobex.example",
    reset: "daily",
  });
  expect(readDraft(getDraft(key), NOW, key)).toEqual({
    ok: true,
    limits: {
      name: key.name,
      reset: "daily",
      models: ["a", "b*"],
      expires_at: NOW + 5,
      rpm: 7,
      concurrency: 2,
      hosted_tools: true,
      stored_objects: false,
      mask_secrets: true,
      mask_words: "Acme\nglobex.example",
      ollama_default: false,
    },
  });
});

it("a key with a limit of before the bound can be renamed, and is refused another one above it", () => {
  const key = keyView({ limit_usd: 9_005_000 });
  const renamed = readDraft({ ...getDraft(key), name: "new" }, NOW, key);
  expect(renamed).toMatchObject({ ok: true, limits: { name: "new" } });
  expect(renamed.ok && renamed.limits.limit_usd).toBe(undefined);
  const raised = readDraft({ ...getDraft(key), limit: "9006000" }, NOW, key);
  expect(raised.ok ? [] : [...raised.invalid]).toEqual(["limit_usd"]);
  const lowered = readDraft({ ...getDraft(key), limit: "9" }, NOW, key);
  expect(lowered).toMatchObject({ ok: true, limits: { limit_usd: 9 } });
  expect(readDraft({ ...getDraft(key), limit: "" }, NOW, key)).toMatchObject({ ok: true, limits: { limit_usd: null } });
});

it("a key that has expired can be renamed and keeps its expiry", () => {
  const key = keyView({ expires_at: NOW - 5 });
  expect(readDraft({ ...getDraft(key), name: "new" }, NOW, key)).toMatchObject({ ok: true });
});

it.each([
  ["name", "name"],
  ["models[2]", "models"],
  ["limit_usd", "limit_usd"],
  ["other", undefined],
  [null, undefined],
])("a refusal at %s belongs to %s", (param, field) => {
  expect(getFieldNamed(param)).toBe(field);
});

it.each([
  ["", ["A", "B", "C"]],
  ["q=b", ["B"]],
  ["q=GPT", ["C"]],
  ["state=disabled", ["B"]],
  ["q=a&state=disabled", []],
])("the filter %s leaves %o", (query, names) => {
  const keys = [
    keyView({ name: "A", hint: "sk-11…1111" }),
    keyView({ name: "B", hint: "sk-22…2222", state: "disabled" }),
    keyView({ name: "C", hint: "sk-33…3333", models: ["gpt-4o"] }),
  ];
  expect(filterKeys(keys, new URLSearchParams(query)).map(({ name }) => name)).toEqual(names);
});

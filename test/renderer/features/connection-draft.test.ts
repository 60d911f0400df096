import { expect, it } from "vitest";
import type { Preset } from "../../../gateway/contract/control.ts";
import { draftOfPreset, isHttpUrl, readConnection } from "../../../renderer/features/connections/connection-draft.ts";

const openai: Preset = {
  id: "openai",
  label: "OpenAI",
  provider: "openai",
  base_url: "https://api.openai.com/v1",
  needs_key: true,
  keys_url: "https://platform.openai.com/api-keys",
  caches: false,
};
const other: Preset = {
  ...openai,
  id: "custom",
  label: "Another server",
  provider: "openai-compatible",
  base_url: "",
  needs_key: false,
  keys_url: null,
};

it("a known provider needs its key alone", () => {
  expect(readConnection({ ...draftOfPreset(openai), keys: [" sk-1 ", ""] })).toEqual({
    ok: true,
    body: { provider: "openai", name: "OpenAI", base_url: "https://api.openai.com/v1", keys: ["sk-1"] },
  });
});

it("another server starts empty, and needs no key", () => {
  const draft = draftOfPreset(other);
  expect([draft.name, draft.baseUrl]).toEqual(["", ""]);
  expect(readConnection({ ...draft, name: "Mine", baseUrl: "http://127.0.0.1:9/v1" })).toEqual({
    ok: true,
    body: { provider: "openai-compatible", name: "Mine", base_url: "http://127.0.0.1:9/v1" },
  });
});

it("prompts are marked for a cache where the provider has one and that is asked for", () => {
  const requestOf = (caches: boolean, promptCaching: boolean): unknown => {
    const read = readConnection({ ...draftOfPreset({ ...openai, caches }), keys: ["sk-1"], promptCaching });
    return read.ok ? read.body.prompt_caching : read.invalid;
  };
  expect(requestOf(true, true)).toBe(true);
  // Another provider was chosen since.
  expect(requestOf(false, true)).toBeUndefined();
  expect(requestOf(true, false)).toBeUndefined();
});

it.each([
  ["no key where one is needed", { ...draftOfPreset(openai) }, ["keys"]],
  ["nothing typed", draftOfPreset(other), ["base_url", "name"]],
  ["another scheme", { ...draftOfPreset(other), name: "x", baseUrl: "ftp://host" }, ["base_url"]],
])("%s is refused", (_what, draft, fields) => {
  const read = readConnection(draft);
  expect(read.ok ? [] : [...read.invalid]).toEqual(fields);
});

it.each([
  ["http://127.0.0.1:11434/v1", true],
  ["HTTPS://host", true],
  ["http://", false],
  ["http:///v1", false],
  ["127.0.0.1:11434", false],
  ["javascript:alert(1)", false],
])("%s is an address: %s", (text, is) => {
  expect(isHttpUrl(text)).toBe(is);
});

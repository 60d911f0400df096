import { describe, expect, it } from "vitest";
import { Fields } from "../../../../gateway/core/imports/fields.ts";

describe("what becomes of every field", () => {
  it("is reported in the order of the file, and what no one speaks of is left", () => {
    const fields = new Fields();
    const source = fields.source("", { a: 1, b: { c: "x", "d.e": [true, false] }, f: null, g: [] });
    source.recordTaken(["b", "c"], "something");
    source.noteChange(["b", "d.e", 1], "other", "renamed");
    expect(fields.list()).toEqual([
      { field: "a", value: "1", fate: "left", reason: "not-supported" },
      { field: "b.c", value: "x", fate: "taken", becomes: "something" },
      { field: 'b["d.e"][0]', value: "true", fate: "left", reason: "not-supported" },
      { field: 'b["d.e"][1]', value: "false", fate: "changed", becomes: "other", reason: "renamed" },
      { field: "g", value: "[]", fate: "left", reason: "not-supported" },
    ]);
  });

  it("is one line of a part that is marked as a whole, and a line each where parts of it are marked otherwise", () => {
    const fields = new Fields();
    const source = fields.source("file", { a: { b: 1, c: 2 }, d: { e: 1, f: 2 } });
    source.left(["a"], "login");
    source.recordTaken(["d"], "d");
    source.left(["d", "f"], "unused");
    expect(fields.list().map(({ field, fate }) => `${field} ${fate}`)).toEqual([
      "file.a left",
      "file.d.e taken",
      "file.d.f left",
    ]);
  });

  it("is one line of a large part of which no one speaks", () => {
    const fields = new Fields();
    fields.source("", { log: Array.from({ length: 1_000 }, (_, id) => ({ id })) });
    expect(fields.list()).toHaveLength(1);
  });
});

const SECRET = "sk-live-abcdefghijklmnop";

describe("secrets", () => {
  it.each([
    { api_key: SECRET },
    { apiKey: SECRET },
    { "x-api-key": SECRET },
    { ANTHROPIC_AUTH_TOKEN: "token-abcdefghijklmnop" },
    { password: "hunter2-hunter2-hunter2" },
    { headers: { "x-team": "abcdefghijklmnopqrst" } },
    { api_keys: ["abcdefghijklmnopqrst"] },
    { credentials: [{ secret: "abcdefghijklmnopqrst" }] },
    { text: `key = "${SECRET}"` },
    { text: 'experimental_bearer_token = "abcdefghijklmnopqrst"' },
    { url: "https://user:abcdefghijklmnopqrst@relay.example" },
    { url: "https://relay.example?usageApiKey=abcdefghijklmnopqrst" },
    { Authorization: "Bearer abcdefghijklmnopqrst" },
    { aws_secret_access_key: "abcdefghijklmnopqrst" },
  ])("are shown by their ends: %j", (data) => {
    const fields = new Fields();
    fields.source("", data);
    const shown = JSON.stringify(fields.list());
    for (const secret of [SECRET, "abcdefghijklmnopqrst", "token-abcdefghijklmnop", "hunter2-hunter2-hunter2"])
      expect(shown).not.toContain(secret);
  });

  it("that someone has named are shown nowhere", () => {
    const fields = new Fields();
    const source = fields.source("", { note: "my key is verysecretvalue, really", verysecretvalue: 1 });
    source.secret("verysecretvalue");
    source.recordTaken(["note"], "verysecretvalue");
    expect(JSON.stringify(fields.list())).not.toContain("verysecretvalue");
  });

  it("are not what only names a variable, or counts tokens", () => {
    const fields = new Fields();
    fields.source("", { api_key: "$OPENAI_API_KEY", other_key: "os.environ/OPENAI_API_KEY", max_tokens: 4096 });
    expect(fields.list().map(({ value }) => value)).toEqual(["$OPENAI_API_KEY", "os.environ/OPENAI_API_KEY", "4096"]);
  });

  it("are not cut in two", () => {
    const fields = new Fields();
    const source = fields.source("", { text: `${"x".repeat(150)} abcdefghijklmnopqrst` });
    source.secret("abcdefghijklmnopqrst");
    expect(fields.list()[0]?.value).not.toContain("abcdefgh");
  });
});

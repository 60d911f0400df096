import { afterEach, beforeEach, expect, it } from "vitest";
import { CHAT_MODEL, openHarness, type ClientHarness } from "./client-harness.ts";

/** Verifying says what is wrong, and what to do about it. */
let harness: ClientHarness;
beforeEach(async () => {
  harness = await openHarness();
});
afterEach(() => harness.close());

const SETTINGS = ".claude/settings.json";

async function connect(): Promise<void> {
  await harness.connect("claude-code", ["models"], { opus: CHAT_MODEL });
}

/** Writes the file anew with another text in it. */
async function replace(from: string | RegExp, to: string): Promise<void> {
  const text = (await harness.bytes(SETTINGS))?.toString() ?? "";
  await harness.put(SETTINGS, text.replace(from, to));
}

async function found(): Promise<{ ok: boolean | undefined; message: string | undefined }> {
  const [check] = await harness.check("claude-code");
  return { ok: check?.ok, message: check?.message };
}

it("asks the model that the client asks first", async () => {
  await connect();
  expect(await harness.check("claude-code")).toMatchObject([{ ok: true, model: CHAT_MODEL }]);
  expect((await harness.gateway.receipt()).client).toBe("Postern");
});

it("says that a key is refused", async () => {
  await connect();
  await replace(/sk-\w+/, "sk-somebody-elses");
  const { ok, message } = await found();
  expect(ok).toBe(false);
  expect(message).toMatch(/^The key in its file is refused: .*Connect Claude Code again/);
});

it("says that a model is not there", async () => {
  await connect();
  await replace(CHAT_MODEL, "no-such-model");
  const { ok, message } = await found();
  expect(ok).toBe(false);
  expect(message).toMatch(/no-such-model.*Choose another model for Claude Code/);
});

it("says that the file leads elsewhere", async () => {
  await connect();
  await replace(harness.gateway.url, "http://127.0.0.1:9");
  expect((await found()).message).toContain("calls http://127.0.0.1:9, which is not this Postern");
});

it("says that a second key would go along, which a call of its own would not show", async () => {
  await connect();
  await replace("{", '{ "apiKeyHelper": "pass show anthropic",');
  const { ok, message } = await found();
  expect(ok).toBe(false);
  expect(message).toContain("Take apiKeyHelper out of the file");
});

it("empties a provider's key in the file, and puts it back", async () => {
  const before = '{ "env": { "ANTHROPIC_API_KEY": "sk-ant-mine" } }';
  await harness.put(SETTINGS, before);
  await connect();
  expect((await harness.bytes(SETTINGS))?.toString()).toContain('"ANTHROPIC_API_KEY": ""');
  expect(await found()).toMatchObject({ ok: true });
  await harness.undo("claude-code");
  expect((await harness.bytes(SETTINGS))?.toString()).toBe(before);
});

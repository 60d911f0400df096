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

/** Writes the file again with another text in it. */
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

it.each(["CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY"])(
  "says that %s sends it to a cloud",
  async (flag) => {
    await harness.put(SETTINGS, `{ "env": { "${flag}": "1" } }`);
    expect((await harness.plan("claude-code", ["models"], { opus: CHAT_MODEL })).notes).toContain("elsewhere");
    await connect();
    expect(await found()).toMatchObject({ ok: false, message: expect.stringContaining(`sets ${flag}`) as string });
    await replace('"1"', '"0"');
    expect(await found()).toMatchObject({ ok: true });
  },
);

it.each([
  ["no-such-model", false, "no-such-model"],
  ["opus[1m]", true, CHAT_MODEL],
])("asks the model that its settings pin: %s", async (pinned, ok, model) => {
  await harness.put(SETTINGS, `{ "model": "${pinned}" }`);
  await connect();
  const check = await found();
  expect(check.ok).toBe(ok);
  if (!ok) expect(check.message).toContain(model);
});

it("says that a profile of Codex asks another provider, and asks its model otherwise", async () => {
  const config = ".codex/config.toml";
  await harness.put(config, 'profile = "x"\n\n[profiles.x]\nmodel_provider = "openai"\n');
  await harness.connect("codex", ["models"], { main: CHAT_MODEL });
  const [other] = await harness.check("codex");
  expect(other).toMatchObject({ ok: false, message: expect.stringContaining('model_provider = "openai"') as string });
  const text = (await harness.bytes(config))?.toString() ?? "";
  await harness.put(config, text.replace('model_provider = "openai"', 'model = "no-such-model"'));
  const [pinned] = await harness.check("codex");
  expect(pinned).toMatchObject({ ok: false, message: expect.stringContaining("no-such-model") as string });
});

it("names the profiles of Codex in files of their own that ask another provider", async () => {
  await harness.connect("codex", ["models"], { main: CHAT_MODEL });
  await harness.put(".codex/review.config.toml", 'model_provider = "azure"\n');
  await harness.put(".codex/fast.config.toml", 'model = "gpt-5.4-mini"\n');
  await harness.put(".codex/broken.config.toml", "model_provider =");
  const [check] = await harness.check("codex");
  expect(check?.ok).toBe(true);
  expect(check?.message.split("\n").slice(1)).toEqual([
    'Postern is not called by codex --profile review (it asks "azure").',
  ]);
});

it("writes opencode's file that wins, and says that another provider is chosen there", async () => {
  const [json, jsonc] = [".config/opencode/opencode.json", ".config/opencode/opencode.jsonc"];
  const before = '{\n  // mine\n  "model": "anthropic/claude-opus-5-5",\n}\n';
  await harness.put(jsonc, before);
  await harness.connect("opencode", ["models"], { main: CHAT_MODEL });
  expect(await harness.bytes(json)).toBeNull();
  expect(await harness.check("opencode")).toMatchObject([{ ok: true }]);
  const text = (await harness.bytes(jsonc))?.toString() ?? "";
  await harness.put(jsonc, text.replace(`postern/${CHAT_MODEL}`, "anthropic/claude-opus-5-5"));
  expect(await harness.check("opencode")).toMatchObject([
    { ok: false, message: expect.stringContaining("model = ") as string },
  ]);
  await harness.put(jsonc, text.replace("{", '{ "enabled_providers": ["anthropic"],'));
  expect(await harness.check("opencode")).toMatchObject([
    { ok: false, message: expect.stringContaining("enabled_providers") as string },
  ]);
  await harness.put(jsonc, text);
  await harness.undo("opencode");
  expect((await harness.bytes(jsonc))?.toString()).toBe(before);
});

it("says what to do about an inline table of Codex", async () => {
  const text = 'model = "a"\nmodel_providers = { mine = { base_url = "https://x.example" } }\n';
  await harness.put(".codex/config.toml", text);
  const refused = await harness.refusal("codex/plan", { parts: ["models"], models: { main: CHAT_MODEL } });
  expect(refused).toMatch(/Line 2 of this file has "model_providers" .*\[model_providers\.NAME\]/);
  expect((await harness.bytes(".codex/config.toml"))?.toString()).toBe(text);
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

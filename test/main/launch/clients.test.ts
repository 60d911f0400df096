import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { openHarness, type ClientHarness } from "../../gateway/services/clients/client-harness.ts";
import { postern, type Ended } from "./run.ts";

/** Connecting tools without a page, on a real gateway with the home folder of no one. */
let harness: ClientHarness;
beforeAll(async () => {
  harness = await openHarness();
});
beforeEach(() => harness.clear());
afterAll(() => harness.close());

const SETTINGS = ".claude/settings.json";
const BEFORE = '{\n  "theme": "dark"\n}\n';
const run = (...argv: string[]): Promise<Ended> => postern([...argv, "--data-dir", harness.gateway.dataDir]);

it("lists the tools, and how each of them is", async () => {
  await harness.put(SETTINGS, BEFORE);
  const { code, out } = await run("clients", "list");
  expect(code).toBe(0);
  expect(out).toMatch(/^claude-code +Claude Code +detected +\S*settings\.json, /m);
  expect(out).toMatch(/^copilot-cli +Copilot CLI +manual setup$/m);
});

it("shows what it would write, and writes it with --yes; undo goes the same way", async () => {
  await harness.put(SETTINGS, BEFORE);
  // The sandbox is asked for its models in the background.
  await expect.poll(async () => (await run("models")).out, { timeout: 20_000 }).toContain("claude-opus");
  const shown = await run("clients", "connect", "claude-code", "--haiku", "gpt-5.4-mini");
  expect(shown.code).toBe(0);
  expect(shown.out).toContain('+     "ANTHROPIC_AUTH_TOKEN": "sk-…"');
  expect(shown.out).toContain('+     "ANTHROPIC_DEFAULT_HAIKU_MODEL": "gpt-5.4-mini"');
  expect(shown.out).toContain('"ANTHROPIC_DEFAULT_OPUS_MODEL": "claude-opus');
  expect(shown.out).toMatch(/Add --yes to write it\.$/);
  expect((await harness.bytes(SETTINGS))?.toString()).toBe(BEFORE);

  const done = await run("clients", "connect", "claude code", "--limit", "5", "--yes");
  expect(done).toMatchObject({ code: 0, error: "" });
  expect(done.out).toMatch(/Claude Code is connected.*\nModels: works, \d+ ms, claude-opus[\s\S]*Tools \(MCP\): works/);
  expect((await harness.bytes(SETTINGS))?.toString()).toContain(harness.gateway.url);
  expect((await run("clients", "check", "claude-code")).out).toMatch(/^Models: works/);

  expect((await run("clients", "undo", "claude-code")).out).toMatch(/Add --yes to write it\.$/);
  expect((await harness.bytes(SETTINGS))?.toString()).not.toBe(BEFORE);
  expect((await run("clients", "undo", "claude-code", "--yes")).out).toMatch(/its key is revoked\.$/);
  expect((await harness.bytes(SETTINGS))?.toString()).toBe(BEFORE);
});

it("fails where the tool does not work, and says why", async () => {
  await run("clients", "connect", "claude-code", "--part", "models", "--yes");
  const text = (await harness.bytes(SETTINGS))?.toString() ?? "";
  await harness.put(SETTINGS, text.replace(/sk-\w+/, "sk-another"));
  const ended = await run("clients", "check", "claude-code");
  expect(ended.code).toBe(1);
  expect(ended.out).toContain("Models: does not work. The key in its file is refused");
});

it("names the tools for an invalid name, and says what to put in by hand", async () => {
  expect(await run("clients", "connect", "emacs")).toMatchObject({ code: 2 });
  const ended = await run("clients", "connect", "copilot-cli");
  expect(ended.code).toBe(1);
  expect(ended.error).toContain(`export COPILOT_PROVIDER_BASE_URL=${harness.gateway.url}/v1`);
  expect(await run("clients", "connect")).toMatchObject({
    code: 2,
    error: expect.stringContaining("an APP, or --all"),
  });
});

it("connects every detected app, says what became of each, renews their models and takes all back", async () => {
  await harness.put(SETTINGS, BEFORE);
  await run("clients", "undo", "--all", "--yes");
  await harness.put(SETTINGS, BEFORE);
  await harness.put(".config/opencode/opencode.json", "{}\n");
  await harness.put(".pi/agent/settings.json", '{ "theme": "dark" }\n');
  await harness.put(".qwen/settings.json", "{ broken\n");
  await expect.poll(async () => (await run("models")).out, { timeout: 20_000 }).toContain("claude-opus");
  const shown = await run("clients", "connect", "--all");
  expect(shown.out).toContain("Nothing is written yet.");
  expect((await harness.bytes(SETTINGS))?.toString()).toBe(BEFORE);

  const done = await run("clients", "connect", "--all", "--yes");
  expect(done.code).toBe(1);
  expect(done.error).toContain("Not done: Qwen Code.");
  expect(done.out).toMatch(/^Claude Code\n[\s\S]*\nopencode\n[\s\S]*\npi\n[\s\S]*\nQwen Code\n.*not valid JSON/m);
  const connected = async (): Promise<string[]> =>
    (await harness.list()).data.filter((one) => one.connected !== null).map(({ id }) => id);
  expect(await connected()).toEqual(["claude-code", "opencode", "pi"]);

  expect((await run("clients", "refresh")).out).toContain("those that are served now.");
  const list = async (): Promise<string> => (await harness.bytes(".config/opencode/opencode.json"))?.toString() ?? "";
  const one = await run("clients", "refresh", "opencode");
  expect(one).toMatchObject({ code: 0, error: "" });

  const back = await run("clients", "undo", "--all", "--yes");
  expect(back).toMatchObject({ code: 0, error: "" });
  expect(await connected()).toEqual([]);
  expect((await harness.bytes(SETTINGS))?.toString()).toBe(BEFORE);
  expect(await list()).toBe("{}\n");
  expect((await run("clients", "undo", "--all", "--yes")).out).toBe("No app is connected.");
});

import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Setup } from "../../../../gateway/contract/setup.ts";
import { readSetupFile, writeSetupFile } from "../../../../gateway/services/setup/setup-files.ts";
import { splitSecrets, secretsText, withoutSecrets, writeFile } from "../../../../gateway/core/setup/write-file.ts";
import { parseFile } from "../../../../gateway/core/setup/parse-file.ts";
import { readFile } from "../../../support/read-setup-file.ts";
import { anySetup } from "./any-setup.ts";
import { SetupWorld, WHOLE } from "./setup-world.ts";
import { dose } from "../../../support/dose.ts";

const SCHEMA = "http://127.0.0.1:6174/config.schema.json";

/** What a file says, its secrets in it as they are. Encrypting them is tried below. */
function through(setup: Setup): { text: string; read: Setup } {
  const { sections, secrets } = splitSecrets(setup);
  const text = writeFile(sections, [], null);
  const [parsed, opened] = [parseFile(text), parseFile(secretsText(secrets))];
  if (!("tree" in parsed) || !("tree" in opened)) throw new Error(JSON.stringify([parsed, opened]));
  const read = readFile(parsed, {}, opened.tree as Record<string, string>);
  if (Array.isArray(read)) throw new Error(JSON.stringify(read));
  return { text, read: read as Setup };
}

describe("a configuration file", () => {
  it("says everything: exported, imported where nothing is, and exported again it is the same", async () => {
    await fc.assert(
      fc.asyncProperty(anySetup, async (setup) => {
        const first = await SetupWorld.start();
        await first.apply(setup);
        const exported = through(first.setup.read());
        expect(exported.read).toEqual(first.setup.read());
        const second = await SetupWorld.start();
        await second.apply(exported.read);
        const again = through(second.setup.read());
        expect(again.text).toBe(exported.text);
        expect(second.setup.read()).toEqual(first.setup.read());
        // And nothing of it is to be changed, here or there.
        expect(await second.changes(exported.read, true)).toEqual([]);
        expect(await first.changes(again.read, true)).toEqual([]);
        await Promise.all([first.store.close(), second.store.close()]);
      }),
      { numRuns: Number(process.env["SETUP_RUNS"] ?? dose(5, 40)) },
    );
  }, 600_000);

  it("is taken where a chain names a model that a route is called by", async () => {
    const first = await SetupWorld.start();
    const port = "http://127.0.0.1:8099/v1";
    await first.apply({ connections: [{ name: "OpenAI", provider: "openai-compatible", base_url: port }] });
    await first.manageRoutes.set({ name: "uni/gpt", models: ["openai/gpt-4o", "gpt-5"] });
    await first.manageRoutes.set({ name: "openai/gpt-4o", models: ["groq/llama"] });
    await first.manageModels.setAlias("quick", "gpt-5");
    const { read } = through(first.setup.read());
    expect(read.route_models).toEqual(["openai/gpt-4o"]);
    // Earlier versions wrote no `route_models`.
    for (const setup of [read, { ...read, route_models: undefined }]) {
      const second = await SetupWorld.start();
      await second.apply(setup);
      expect(second.setup.read()).toEqual(first.setup.read());
    }
  });

  it("has no secret in it where they are left out, and changes none where it is read", async () => {
    await fc.assert(
      fc.asyncProperty(anySetup, async (setup) => {
        const world = await SetupWorld.start();
        await world.apply(setup);
        const read = world.setup.read();
        const text = writeFile(withoutSecrets(read).sections, [], null);
        for (const value of world.secrets) expect(text).not.toContain(value);
        const parsed = parseFile(text);
        const bare = "tree" in parsed ? readFile(parsed, {}, null) : parsed;
        expect(await world.changes(bare as Setup)).toEqual([]);
        await world.store.close();
      }),
      { numRuns: dose(3, 20) },
    );
  }, 300_000);

  it("opens its secrets with the passphrase alone", async () => {
    const world = await SetupWorld.start();
    await world.apply(WHOLE);
    const text = await writeSetupFile(world.setup.read(), "a passphrase", SCHEMA);
    expect(text).toMatch(/^# yaml-language-server: \$schema=http:\/\/127\.0\.0\.1:6174\/config\.schema\.json\n/);
    expect(text).toContain("-----BEGIN AGE ENCRYPTED FILE-----");
    for (const value of world.secrets) expect(text).not.toContain(value);
    expect((await readSetupFile({ text, passphrase: "a passphrase" })).setup).toEqual(world.setup.read());
    await expect(readSetupFile({ text, passphrase: "another" })).rejects.toThrow(/does not open/);
    await expect(readSetupFile({ text })).rejects.toThrow(/Line \d+: \$\{secret:openai-1\} is encrypted .* passphrase/);
  }, 600_000);
});

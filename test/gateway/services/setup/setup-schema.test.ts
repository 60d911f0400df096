import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Validator } from "@cfworker/json-schema";
import { parse } from "yaml";
import { describe, expect, it } from "vitest";
import { setupJsonSchema } from "../../../../gateway/services/setup/setup-schema.ts";
import { writeSetupFile } from "../../../../gateway/services/setup/setup-files.ts";
import { startGateway } from "../../../support/running-gateway.ts";
import { SetupWorld, WHOLE } from "./setup-world.ts";

const top = join(import.meta.dirname, "../../../..");
const validator = new Validator(setupJsonSchema(), "7");

describe("the schema of configuration files", () => {
  // `npx vitest run test/gateway/services/setup/setup-schema.test.ts --update` writes it.
  it("is the one in docs", async () => {
    const text = `${JSON.stringify(setupJsonSchema(), null, 2)}\n`;
    await expect(text).toMatchFileSnapshot(join(top, "docs/config.schema.json"));
  });

  it("is what a running Postern serves, without a key", async () => {
    await using gateway = Object.assign(await startGateway(), { [Symbol.asyncDispose]: () => gateway.close() });
    const response = await fetch(`${gateway.url}/config.schema.json`);
    expect(response.headers.get("content-type")).toMatch(/^application\/json/);
    expect(await response.json()).toEqual(setupJsonSchema());
    expect((await fetch(`${gateway.url}/config.schema.json`, { method: "POST" })).status).toBe(405);
  });

  it.each([null, "a passphrase"])(
    "takes what is exported, and what its references stand for: %s",
    async (passphrase) => {
      const world = await SetupWorld.start();
      await world.apply(WHOLE);
      const text = await writeSetupFile(world.setup.read(), passphrase, "http://127.0.0.1:6174/config.schema.json");
      expect(validator.validate(parse(text)).errors).toEqual([]);
    },
  );

  it("takes the examples of the guide and of deploy", async () => {
    const guide = await readFile(join(top, "docs/guide/configuration-file.md"), "utf8");
    const examples = [...guide.matchAll(/```yaml\n([^]*?)```/g)].map(([, text]) => text ?? "");
    expect(examples.length).toBeGreaterThan(0);
    examples.push(await readFile(join(top, "deploy/postern/postern.yaml"), "utf8"));
    for (const text of examples) expect(validator.validate(parse(text)).errors).toEqual([]);
  });

  it.each([
    ["a section that there is not", { connection: [] }],
    ["a provider that there is not", { connections: [{ name: "a", provider: "nobody" }] }],
    ["a setting of another kind", { settings: { backup_keep: "many" } }],
    ["a price of a unit that there is not", { prices: { "gpt-5": { words: 1 } } }],
  ])("refuses %s", (_what, file) => {
    expect(validator.validate(file).valid).toBe(false);
  });
});

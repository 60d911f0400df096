import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SetupResult } from "../../../gateway/contract/setup-operations.ts";
import { failure } from "../../support/acts.ts";
import { modelList, startProvider, type MockProvider } from "../../support/mock-provider.ts";
import { startGateway, type TestGateway } from "../../support/running-gateway.ts";
import { postern, type Ended } from "./run.ts";

let gateway: TestGateway;
let provider: MockProvider;
let folder: string;
beforeEach(async () => {
  [gateway, provider, folder] = await Promise.all([
    startGateway(),
    startProvider(),
    mkdtemp(join(tmpdir(), "postern-config-")),
  ]);
  provider.list = modelList(["house-model"]);
});
afterEach(async () => {
  await gateway.close();
  await provider.close();
  await rm(folder, { recursive: true });
});

const path = (name: string): string => join(folder, name);

/** The command, against the gateway of the test. */
const run = (argv: readonly string[], options: Parameters<typeof postern>[1] = {}): Promise<Ended> =>
  postern([...argv, "--data-dir", gateway.dataDir], options);

async function json<T>(argv: readonly string[], options: Parameters<typeof postern>[1] = {}): Promise<T> {
  const { code, out, error } = await run([...argv, "--json"], options);
  if (code !== 0) throw new Error(error);
  return JSON.parse(out) as T;
}

const file = () => `
connections:
  - name: House
    provider: openai-compatible
    base_url: ${provider.baseUrl}
    keys: ["\${HOUSE_KEY}", "\${file:${path("second")}}"]
keys:
  - name: laptop
    secret: \${LAPTOP}
  - name: made here
aliases:
  quick: house-model
clients: [claude-code]
`;
const environment = { HOUSE_KEY: "house-key-number-0001", LAPTOP: "sk-laptop-secret-0001" };

async function writeFiles(): Promise<string> {
  await writeFile(path("second"), "house-key-number-0002\n");
  await writeFile(path("config.yaml"), file());
  return path("config.yaml");
}

describe("postern config import", () => {
  it("shows what it would change, changes it with --yes, and nothing a second time", async () => {
    const config = await writeFiles();
    const shown = await run(["config", "import", config], { environment });
    expect(shown.code).toBe(0);
    expect(shown.out).toContain('+ connection "House"\n    provider: openai-compatible');
    expect(shown.out).toContain("    keys: house…0001, house…0002\n");
    expect(shown.out).toContain("postern clients connect claude-code");
    expect(shown.out).toMatch(/Nothing is changed yet\. Add --yes to do it\.$/);
    expect((await run(["config", "import", config, "--yes", "--dry-run"], { environment })).out).toMatch(/Add --yes/);
    expect((await gateway.ask<{ data: unknown[] }>("GET", "/connections")).data).toEqual([]);

    const done = await run(["config", "import", config, "--yes"], { environment });
    expect(done.code).toBe(0);
    expect(done.out).toContain("Key house…0001 of House: works.");
    const secret = /Key "made here", shown only now: (sk-\w+)/.exec(done.out)?.[1];
    for (const key of [secret, environment.LAPTOP])
      expect((await gateway.chat({ model: "quick", messages: [{ role: "user", content: "hi" }] }, key)).status).toBe(
        200,
      );
    expect(done.out).not.toContain(environment.LAPTOP);
    expect(done.out).not.toContain(environment.HOUSE_KEY);

    const again = await run(["config", "import", config, "--yes"], { environment });
    expect(again.out).toMatch(/Everything is as the file says\.$/);
    expect((await run(["config", "diff", config], { environment })).code).toBe(0);

    const undo = await run(["import", "undo", "--yes"]);
    expect(undo.out).toMatch(/- connection "House"[^]*Undone\.$/);
    expect((await gateway.ask<{ data: unknown[] }>("GET", "/connections")).data).toEqual([]);
    expect((await run(["import", "undo", "--yes"])).out).toBe("There is nothing to undo.");
  });

  it("takes no key that its provider refuses, unless it is ordered to", async () => {
    const config = await writeFiles();
    provider.list = failure(401, { code: "invalid_api_key", message: "Incorrect API key provided." });
    const { result } = await json<{ result: SetupResult }>(["config", "import", config, "--yes"], { environment });
    expect(result.tests.map(({ problem, taken }) => [problem, taken])).toEqual([
      ["refused", false],
      ["refused", false],
    ]);
    expect((await gateway.ask<{ data: unknown[] }>("GET", "/connections")).data).toEqual([]);
    await json(["config", "import", config, "--yes", "--keep-refused"], { environment });
    expect((await gateway.ask<{ data: unknown[] }>("GET", "/connections")).data).toHaveLength(1);
  });

  it("sends no request about keys with --no-test", async () => {
    const config = await writeFiles();
    const { result } = await json<{ result: SetupResult }>(["config", "import", config, "--yes", "--no-test"], {
      environment,
    });
    expect(result.tests).toEqual([]);
  });

  it.each<[string, string, RegExp]>([
    ["a broken file", "connections: [", /Line 1: /],
    ["a variable that is not set", "aliases: { a: '${NOT_SET}' }", /Line 1: \$\{NOT_SET\} stands for nothing here/],
    ["a file that is not there", "aliases: { a: '${file:/no/such/file}' }", /Line 1: \$\{file:\/no\/such\/file\}/],
  ])("refuses %s, and says why", async (_what, text, message) => {
    await writeFile(path("broken.yaml"), text);
    const { code, error } = await run(["config", "import", path("broken.yaml"), "--yes"]);
    expect(code).toBe(1);
    expect(error).toMatch(message);
  });

  it("changes nothing while something is in the way", async () => {
    await writeFile(path("config.yaml"), "aliases: { a: gpt-5 }\nroutes: [{ name: a, models: [gpt-5] }]\n");
    const { code, out, error } = await run(["config", "import", path("config.yaml"), "--yes"]);
    expect({ code, error }).toEqual({ code: 1, error: "Nothing was changed." });
    expect(out).toMatch(/! route "a": "a" is a name of your own/);
  });

  it.each([[[]], [["one", "two"]]])("needs one file: %j", async (files) => {
    expect(await run(["config", "import", ...files])).toMatchObject({ code: 2, error: "Name one FILE." });
  });
});

describe("postern config export", () => {
  it("writes a file that is readable for its owner alone, and that another Postern takes", async () => {
    const config = await writeFiles();
    await run(["config", "import", config, "--yes"], { environment });
    const out = path("export.yaml");
    const secret = { environment: { PHRASE: "a passphrase" } };
    const done = await run(["config", "export", "--out", out, "--passphrase-from", "PHRASE"], secret);
    expect(done.out).toBe(`Written to ${out}. Secrets are encrypted by the passphrase.`);
    if (process.platform !== "win32") expect((await stat(out)).mode & 0o777).toBe(0o600);
    await using other = Object.assign(await startGateway(), { [Symbol.asyncDispose]: () => other.close() });
    const imported = await postern(
      ["config", "import", out, "--yes", "--passphrase-from", "stdin", "--data-dir", other.dataDir],
      { input: "a passphrase\n" },
    );
    expect(imported.code).toBe(0);
    const chat = { model: "quick", messages: [{ role: "user", content: "hi" }] };
    expect((await other.chat(chat, environment.LAPTOP)).status).toBe(200);
    expect(provider.last.key).toBe(environment.HOUSE_KEY);
  });

  it("leaves secrets out without a passphrase, and says so in the file", async () => {
    await run(["config", "import", await writeFiles(), "--yes"], { environment });
    const { out } = await run(["config", "export"]);
    expect(out).toMatch(
      /^# yaml-language-server: \$schema=http:\/\/127\.0\.0\.1:\d+\/config\.schema\.json\n# Without secrets/,
    );
    expect(out).not.toContain("house-key");
    await run(["config", "export", "--no-secrets", "--out", path("bare.yaml")]);
    expect(await readFile(path("bare.yaml"), "utf8")).toBe(`${out}\n`);
  });

  it.each<[string[], Parameters<typeof postern>[1], RegExp]>([
    [["--passphrase-from", "NOT_SET"], {}, /no environment variable NOT_SET/],
    [["--passphrase-from", "stdin"], { input: "" }, /standard input has none/],
    [["--passphrase-from", "stdin", "--no-secrets"], { input: "x" }, /exclude each other/],
  ])("refuses %j", async (options, terminal, message) => {
    const { code, error } = await run(["config", "export", ...options], terminal);
    expect(code).toBe(2);
    expect(error).toMatch(message);
  });
});

describe("postern config diff", () => {
  it("says what a file would change, also what it would remove", async () => {
    const config = await writeFiles();
    await run(["config", "import", config, "--yes"], { environment });
    await gateway.ask("POST", "/models/alias", { name: "other", model: "gpt-5" });
    expect((await run(["config", "diff", config], { environment })).code).toBe(0);
    const pruned = await run(["config", "diff", config, "--prune"], { environment });
    expect(pruned).toMatchObject({
      code: 1,
      out: expect.stringContaining('- alias "other"') as string,
      error: "2 records differ.",
    });
  });
});

import { chmod, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { quoteForWindows } from "../../../main/launch/commands/run.ts";
import { needs } from "../../support/needs.ts";
import { startFakeControl, type FakeControl } from "./fake-control.ts";
import { postern, type Ended } from "./run.ts";
import { sampleKey, sampleModel } from "./samples.ts";

const SECRET = "sk-run-secret";

/** What a fake app was started with. */
interface Started {
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly settings: { readonly env: Readonly<Record<string, string>> } | null;
  readonly mode: number | null;
}

let bin = "";
let out = "";

beforeAll(async () => {
  bin = await mkdtemp(join(tmpdir(), "postern-apps-"));
  out = join(bin, "out.json");
  const app = `#!${process.execPath}
const { readFileSync, statSync, writeFileSync } = require("node:fs");
const words = process.argv.slice(2);
const at = words.indexOf("--settings");
const file = at === -1 ? null : words[at + 1];
writeFileSync(process.env.OUT, JSON.stringify({
  words, env: process.env,
  settings: file && JSON.parse(readFileSync(file, "utf8")),
  mode: file && statSync(file).mode & 0o777,
}));
process.exit(Number(process.env.EXIT ?? 0));
`;
  for (const name of ["claude", "codex", "opencode", "copilot", "anything"]) {
    await writeFile(join(bin, name), app);
    await chmod(join(bin, name), 0o755);
  }
});
afterAll(() => rm(bin, { recursive: true, force: true }));

const key = { ...sampleKey, id: "key_run", spent_nano: 30_000_000, sandbox_nano: 10_000_000 };
const control = (keys: readonly object[] = [key]): Promise<FakeControl> =>
  startFakeControl({
    "GET /control/models": { body: { data: [{ ...sampleModel, served: true }] } },
    "GET /control/keys": { body: { data: keys } },
    "POST /control/keys": { body: { key, secret: SECRET } },
    "DELETE /control/keys/key_run": { body: { ok: true } },
    "DELETE /control/keys/key_left": { body: { ok: true } },
  });

async function run(
  fake: FakeControl,
  words: readonly string[],
  more: NodeJS.ProcessEnv = {},
): Promise<Ended & { started: Started }> {
  const environment = { PATH: `${bin}${delimiter}${process.env["PATH"] ?? ""}`, OUT: out, ...more };
  const ended = await postern(["run", "--data-dir", fake.folder, ...words], { environment });
  return { ...ended, started: JSON.parse(await readFile(out, "utf8")) as Started };
}

describe.skipIf(process.platform === "win32")("an app that is run", needs("programs that are scripts"), () => {
  it("gets a key of its own, which ends with it, and its cost is reported next to its output", async () => {
    await using fake = await control();
    const {
      code,
      out: said,
      error,
      started,
    } = await run(fake, ["anything", "--limit-usd", "5", "--", "-p", "--help", "--json"], { EXIT: "3" });
    expect([code, said, error]).toEqual([3, "", "This run cost $0.02."]);
    expect(started.words).toEqual(["-p", "--help", "--json"]);
    expect(started.env).toMatchObject({
      OPENAI_BASE_URL: `${fake.url}/v1`,
      OPENAI_API_KEY: SECRET,
      ANTHROPIC_BASE_URL: fake.url,
      ANTHROPIC_AUTH_TOKEN: SECRET,
      OPENAI_MODEL: "gpt-5.2",
    });
    const made = fake.calls.find(({ method }) => method === "POST");
    expect(made?.body).toEqual({ name: `run anything (pid ${process.pid})`, limit_usd: 5 });
    expect(fake.calls.at(-1)).toMatchObject({ method: "DELETE", address: "/control/keys/key_run" });
  });

  it("is Claude Code with settings that win over the user's, and no key among its words", async () => {
    await using fake = await control();
    const { started } = await run(fake, ["claude", "--model", "own-model", "--", "-p", "hi"]);
    const [option, file, ...rest] = started.words;
    expect([option, rest]).toEqual(["--settings", ["-p", "hi"]]);
    expect(started.settings?.env).toMatchObject({
      ANTHROPIC_BASE_URL: fake.url,
      ANTHROPIC_AUTH_TOKEN: SECRET,
      ANTHROPIC_DEFAULT_SONNET_MODEL: "own-model",
    });
    expect(started.mode).toBe(0o600);
    expect(JSON.stringify(started.words)).not.toContain(SECRET);
    await expect(stat(file ?? "")).rejects.toThrow(/ENOENT/);
  });

  it("is Codex with a provider of its own, and the key in a variable", async () => {
    await using fake = await control();
    const { started } = await run(fake, ["codex"]);
    expect(started.words).toContain('model_provider="postern"');
    expect(started.words).toContain(`model_providers.postern.base_url="${fake.url}/v1"`);
    expect(started.words).toContain('model_providers.postern.env_key="POSTERN_RUN_KEY"');
    expect(started.env["POSTERN_RUN_KEY"]).toBe(SECRET);
    expect(JSON.stringify(started.words)).not.toContain(SECRET);
  });

  it("is opencode or Copilot by their variables", async () => {
    await using fake = await control();
    const { env } = (await run(fake, ["opencode"])).started;
    expect(JSON.parse(env["OPENCODE_CONFIG_CONTENT"] ?? "")).toMatchObject({
      model: "postern/gpt-5.2",
      provider: { postern: { options: { baseURL: `${fake.url}/v1`, apiKey: SECRET } } },
    });
    expect((await run(fake, ["copilot"])).started.env).toMatchObject({
      COPILOT_PROVIDER_BASE_URL: `${fake.url}/v1`,
      COPILOT_PROVIDER_API_KEY: SECRET,
      COPILOT_MODEL: "gpt-5.2",
    });
  });

  it("leaves no key where there is no such program, and ends the keys of runs that were killed", async () => {
    const left = { ...sampleKey, id: "key_left", name: "run claude (pid 2147483646)" };
    await using fake = await control([key, left]);
    const { code, error } = await postern(["run", "--data-dir", fake.folder, "no-such-program"], {
      environment: { PATH: bin },
    });
    expect([code, error]).toEqual([
      2,
      'There is no program "no-such-program" on this machine. Install it, or name another one.',
    ]);
    expect(fake.calls.filter(({ method }) => method === "DELETE").map(({ address }) => address)).toEqual([
      "/control/keys/key_left",
      "/control/keys/key_run",
    ]);
  });
});

describe("a word for an app on Windows", () => {
  it.each([
    ["plain", '"plain"'],
    ["two words", '"two words"'],
    ['say "hi"', String.raw`"say \"hi\""`],
    [String.raw`C:\a b\ `.trim(), String.raw`"C:\a b\\"`],
  ])("%s is quoted", (word, quoted) => expect(quoteForWindows(word)).toBe(quoted));

  it.each(["a & del", "%PATH%", "a|b", "a\nb", "x^y", "a>b"])("%j is refused", (word) =>
    expect(() => quoteForWindows(word)).toThrow(/would not pass on/),
  );
});

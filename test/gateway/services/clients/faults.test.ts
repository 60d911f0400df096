import { chmod, lstat, mkdir, readdir, readFile, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { nodeClientFs, type ClientFs } from "../../../../gateway/store/clients/client-fs.ts";
import { startGateway } from "../../../support/running-gateway.ts";
import { copyFolder } from "./copied-folder.ts";
import { CHAT_MODEL, ClientHarness, openHarness } from "./client-harness.ts";

/** What can go wrong with a file: it is refused with the reason, and everything is as it was. */
let harness: ClientHarness;
/** Calls of the disk that fail, by their names. */
let failing: Partial<Record<keyof ClientFs, string>>;
let meanwhile: (() => Promise<void>) | null;

const fs: ClientFs = Object.fromEntries(
  Object.entries(nodeClientFs).map(([name, work]) => [
    name,
    async (...given: unknown[]) => {
      const code = failing[name as keyof ClientFs];
      if (code !== undefined) throw Object.assign(new Error(code), { code });
      if (name === "create" && meanwhile !== null) await meanwhile();
      return (work as (...given: unknown[]) => Promise<unknown>)(...given);
    },
  ]),
) as unknown as ClientFs;

beforeEach(async () => {
  failing = {};
  meanwhile = null;
  harness = await openHarness({ clientFs: fs });
});
afterEach(() => harness.close());

const SETTINGS = ".claude/settings.json";
const BEFORE = '{\n  "theme": "dark"\n}\n';
const wanted = { parts: ["models", "mcp"] as const, models: { sonnet: CHAT_MODEL } };

async function refusedToConnect(reason: string): Promise<void> {
  failing = {};
  const { token } = await harness.plan("claude-code", wanted.parts, wanted.models);
  await refused(token, reason);
}

async function refused(token: string, reason: string): Promise<void> {
  const keys = await keyNames();
  expect(await harness.refusal("claude-code/connect", { ...wanted, token })).toContain(reason);
  expect(await keyNames()).toEqual(keys);
  expect((await harness.view("claude-code")).connected).toBeNull();
}

async function keyNames(): Promise<readonly string[]> {
  return (await harness.gateway.ask<{ data: { name: string }[] }>("GET", "/keys")).data.map(({ name }) => name);
}

/** What lies in a folder; temporary files would show. */
const names = (folder: string): Promise<string[]> => readdir(harness.path(folder)).then((found) => found.toSorted());

describe("a disk that refuses", () => {
  test.each([
    ["create", "ENOSPC", "no room on the disk"],
    ["create", "EDQUOT", "no room on the disk"],
    ["create", "EIO", "could not be written: EIO"],
    ["rename", "EACCES", "may not be written"],
    ["rename", "EBUSY", "held by another program"],
    ["rename", "EXDEV", "could not be written: EXDEV"],
    ["makeFolder", "EROFS", "may not be written"],
    ["syncFolder", "EIO", "could not be written: EIO"],
  ] as const)("%s: %s", async (call, code, reason) => {
    await harness.put(SETTINGS, BEFORE);
    const { token } = await harness.plan("claude-code", wanted.parts, wanted.models);
    failing = { [call]: code };
    await refused(token, reason);
    failing = {};
    if (call !== "syncFolder") expect((await harness.bytes(SETTINGS))?.toString()).toBe(BEFORE);
    expect(await harness.bytes(".claude.json")).toBeNull();
    expect(await names(".claude")).toEqual(["settings.json"]);
    // And it works afterwards, and is undone to the byte.
    await harness.put(SETTINGS, BEFORE);
    await harness.connect("claude-code", wanted.parts, wanted.models);
    await harness.undo("claude-code");
    expect((await harness.bytes(SETTINGS))?.toString()).toBe(BEFORE);
  });

  it("puts the first file back when the second cannot be written", async () => {
    await harness.put(SETTINGS, BEFORE);
    const { token } = await harness.plan("claude-code", wanted.parts, wanted.models);
    let created = 0;
    meanwhile = async () => {
      created += 1;
      if (created === 2) throw Object.assign(new Error("full"), { code: "ENOSPC" });
    };
    await refused(token, "no room on the disk");
    expect((await harness.bytes(SETTINGS))?.toString()).toBe(BEFORE);
    expect(await names(".")).toEqual([".claude"]);
  });
});

describe("a file that must not be touched", () => {
  const refusedPlan = (): Promise<string> => harness.refusal("claude-code/plan", wanted);

  it("is read-only", async () => {
    await harness.put(SETTINGS, BEFORE);
    await chmod(harness.path(SETTINGS), 0o444);
    expect(await refusedPlan()).toContain("is read-only");
    const view = await harness.view("claude-code");
    expect(view.files[0]).toMatchObject({ state: "refused", reason: expect.stringContaining("is read-only") });
    expect((await harness.bytes(SETTINGS))?.toString()).toBe(BEFORE);
  });

  it("is in a read-only folder", async () => {
    await harness.put(SETTINGS, BEFORE);
    await chmod(harness.path(".claude"), 0o555);
    expect(await refusedPlan()).toContain("is read-only");
    await chmod(harness.path(".claude"), 0o755);
  });

  it("is a folder, or lies below a file", async () => {
    await mkdir(harness.path(SETTINGS), { recursive: true });
    expect(await refusedPlan()).toContain("not a regular file");
    await harness.clear();
    await writeFile(harness.path(".claude"), "x");
    expect(await refusedPlan()).toContain("one of its folders is a file");
  });

  it("is huge", async () => {
    await harness.put(SETTINGS, `{"a":"${"x".repeat(5 * 1024 * 1024)}"}`);
    expect(await refusedPlan()).toContain("more than 5 MB");
  });

  it("is no text", async () => {
    await harness.put(SETTINGS, Buffer.from([0x7b, 0xff, 0xfe, 0x7d]));
    expect(await refusedPlan()).toContain("not UTF-8");
  });

  it("has no home folder any more", async () => {
    await harness.gateway.stop();
    await rm(harness.home, { recursive: true });
    harness = new ClientHarness(
      await startGateway({ dataDir: harness.gateway.dataDir, env: { HOME: harness.home, POSTERN_SANDBOX: "on" } }),
      harness.home,
    );
    expect(await refusedPlan()).toContain("is not there");
    await expect(stat(harness.home)).rejects.toThrow("ENOENT");
  });

  it("is being written by Claude Code", async () => {
    await harness.put(".claude.json", "{}");
    await mkdir(harness.path(".claude.json.lock"));
    await refusedToConnect("being written by its own program");
    expect((await harness.bytes(".claude.json"))?.toString()).toBe("{}");
    expect(await harness.bytes(SETTINGS)).toBeNull();
    // A lock that was left over long ago holds no one.
    await utimes(harness.path(".claude.json.lock"), 1, 1);
    await harness.connect("claude-code", wanted.parts, wanted.models);
    expect(await names(".")).toContain(".claude.json.lock");
  });

  it("was changed since it was shown, or while it is written", async () => {
    await harness.put(SETTINGS, BEFORE);
    const { token } = await harness.plan("claude-code", wanted.parts, wanted.models);
    await harness.put(SETTINGS, '{ "theme": "light" }');
    await refused(token, "changed since you saw the change");
    const next = await harness.plan("claude-code", wanted.parts, wanted.models);
    meanwhile = () => harness.put(SETTINGS, '{ "theme": "blue" }');
    await refused(next.token, "was changed just now");
    meanwhile = null;
    expect((await harness.bytes(SETTINGS))?.toString()).toBe('{ "theme": "blue" }');
    expect(await names(".claude")).toEqual(["settings.json"]);
  });
});

it("follows a link, says so, and leaves it a link", async () => {
  await harness.put("dotfiles/claude.json", BEFORE);
  await mkdir(harness.path(".claude"));
  await symlink("../dotfiles/claude.json", harness.path(SETTINGS));
  const plan = await harness.plan("claude-code", ["models"], wanted.models);
  expect(plan).toMatchObject({ notes: expect.arrayContaining(["linked"]) });
  expect(plan.files[0]?.target).toBe(harness.path("dotfiles/claude.json"));
  await harness.connect("claude-code", ["models"], wanted.models);
  expect((await lstat(harness.path(SETTINGS))).isSymbolicLink()).toBe(true);
  expect(await readFile(harness.path("dotfiles/claude.json"), "utf8")).toContain("ANTHROPIC_BASE_URL");
  await harness.undo("claude-code");
  expect((await lstat(harness.path(SETTINGS))).isSymbolicLink()).toBe(true);
  expect(await readFile(harness.path("dotfiles/claude.json"), "utf8")).toBe(BEFORE);
  await harness.clear();
  await mkdir(harness.path(".claude"));
  await symlink("nowhere", harness.path(SETTINGS));
  expect(await harness.refusal("claude-code/plan", wanted)).toContain("leads nowhere");
});

it("keeps mode and backup to their owner", async () => {
  await harness.put(SETTINGS, BEFORE);
  await chmod(harness.path(SETTINGS), 0o640);
  await harness.connect("claude-code", wanted.parts, wanted.models);
  expect((await stat(harness.path(SETTINGS))).mode & 0o777).toBe(0o640);
  expect((await stat(harness.path(".claude.json"))).mode & 0o777).toBe(0o600);
  const folder = `${harness.gateway.dataDir}/clients/claude-code`;
  const [backup = ""] = await readdir(folder);
  expect((await stat(`${folder}/${backup}`)).mode & 0o777).toBe(0o600);
  expect(await readFile(`${folder}/${backup}`, "utf8")).toBe(BEFORE);
  await harness.undo("claude-code");
  expect((await stat(harness.path(SETTINGS))).mode & 0o777).toBe(0o640);
});

it("lets no key into the data folder", async () => {
  await harness.connect("claude-code", wanted.parts, wanted.models);
  const text = (await harness.bytes(SETTINGS))?.toString() ?? "";
  const key = /"ANTHROPIC_AUTH_TOKEN": "(sk-\w+)"/.exec(text)?.[1] ?? "";
  expect(key).toHaveLength(51);
  await harness.connect("claude-code", ["models"], wanted.models);
  await harness.gateway.stop();
  const files = (await readdir(harness.gateway.dataDir, { recursive: true, withFileTypes: true })).filter((one) =>
    one.isFile(),
  );
  for (const file of files) expect(await readFile(`${file.parentPath}/${file.name}`, "latin1")).not.toContain(key);
});

describe("a stop in between", () => {
  test.each(["before the file", "after the file"])(
    "%s is written: undone to the byte after the next start",
    async (when) => {
      await harness.put(SETTINGS, BEFORE);
      const { token } = await harness.plan("claude-code", ["models"], wanted.models);
      // The process ends while the file is written: nothing after that moment happens.
      const begun = new Promise<void>((resolve) => {
        meanwhile = async () => {
          resolve();
          if (when === "before the file") await new Promise(() => undefined);
        };
      });
      const response = harness.refusal("claude-code/connect", { parts: ["models"], models: wanted.models, token });
      await begun;
      if (when === "after the file") await response;
      else response.catch(() => undefined);
      const dataDir = await copyFolder(harness.gateway.dataDir);
      const next = new ClientHarness(
        await startGateway({ dataDir, env: { HOME: harness.home, POSTERN_SANDBOX: "on" } }),
        harness.home,
      );
      const view = await next.view("claude-code");
      expect(view.connected).not.toBeNull();
      expect(view.files[0]?.state).toBe(when === "after the file" ? "written" : "there");
      await next.undo("claude-code");
      expect((await harness.bytes(SETTINGS))?.toString()).toBe(BEFORE);
      expect(await names(".claude")).toEqual(["settings.json"]);
      await next.gateway.close();
    },
  );
});

describe("loops", () => {
  it("are reported a connection that leads back here, straight or through another gateway", async () => {
    const { port } = new URL(harness.gateway.url);
    await harness.put(
      ".claude-code-router/config.json",
      JSON.stringify({ PORT: 3999, Providers: [{ api_base_url: `http://localhost:${port}/v1/chat/completions` }] }),
    );
    for (const [name, base_url] of [
      ["Mine", `http://localhost:${port}/v1`],
      ["Router", "http://127.0.0.1:3999/v1"],
    ])
      await harness.gateway.ask("POST", "/connections", { provider: "openai-compatible", name, base_url, keys: [] });
    expect((await harness.list()).loops).toEqual([
      { kind: "connection", name: "Mine", address: `http://localhost:${port}/v1` },
      { kind: "connection-relay", name: "Router", address: "http://127.0.0.1:3999/v1", relay: "Claude Code Router" },
    ]);
    await harness.put(SETTINGS, '{ "env": { "ANTHROPIC_BASE_URL": "http://127.0.0.1:3999" } }');
    expect(await harness.view("claude-code")).toMatchObject({
      calls: "http://127.0.0.1:3999",
      loops: [{ kind: "client-relay", address: "http://127.0.0.1:3999", relay: "Claude Code Router" }],
    });
  });
});

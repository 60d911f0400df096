import { chmod, lstat, mkdir, readdir, readFile, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { nodeClientFs } from "../../../../gateway/store/clients/client-fs.ts";
import type { ClientFs } from "../../../../gateway/store/clients/client-fs.ts";
import { startGateway } from "../../../support/running-gateway.ts";
import { copyFolder } from "./copied-folder.ts";
import { CHAT_MODEL, ClientDesk, openDesk } from "./client-desk.ts";

/** What can go wrong with a file: it is refused with the reason, and everything is as it was. */
let desk: ClientDesk;
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
  desk = await openDesk({ clientFs: fs });
});
afterEach(() => desk.close());

const SETTINGS = ".claude/settings.json";
const BEFORE = '{\n  "theme": "dark"\n}\n';
const wanted = { parts: ["models", "mcp"] as const, models: { sonnet: CHAT_MODEL } };

async function refusedToConnect(reason: string): Promise<void> {
  failing = {};
  const { token } = await desk.plan("claude-code", wanted.parts, wanted.models);
  await refused(token, reason);
}

async function refused(token: string, reason: string): Promise<void> {
  const keys = await keyNames();
  expect(await desk.refusal("claude-code/connect", { ...wanted, token })).toContain(reason);
  expect(await keyNames()).toEqual(keys);
  expect((await desk.view("claude-code")).connected).toBeNull();
}

async function keyNames(): Promise<readonly string[]> {
  return (await desk.gateway.ask<{ data: { name: string }[] }>("GET", "/keys")).data.map(({ name }) => name);
}

/** What lies in a folder; temporary files would show. */
const names = (folder: string): Promise<string[]> => readdir(desk.path(folder)).then((found) => found.toSorted());

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
    await desk.put(SETTINGS, BEFORE);
    const { token } = await desk.plan("claude-code", wanted.parts, wanted.models);
    failing = { [call]: code };
    await refused(token, reason);
    failing = {};
    if (call !== "syncFolder") expect((await desk.bytes(SETTINGS))?.toString()).toBe(BEFORE);
    expect(await desk.bytes(".claude.json")).toBeNull();
    expect(await names(".claude")).toEqual(["settings.json"]);
    // And it works afterwards, and is undone to the byte.
    await desk.put(SETTINGS, BEFORE);
    await desk.connect("claude-code", wanted.parts, wanted.models);
    await desk.undo("claude-code");
    expect((await desk.bytes(SETTINGS))?.toString()).toBe(BEFORE);
  });

  it("puts the first file back when the second cannot be written", async () => {
    await desk.put(SETTINGS, BEFORE);
    const { token } = await desk.plan("claude-code", wanted.parts, wanted.models);
    let created = 0;
    meanwhile = async () => {
      created += 1;
      if (created === 2) throw Object.assign(new Error("full"), { code: "ENOSPC" });
    };
    await refused(token, "no room on the disk");
    expect((await desk.bytes(SETTINGS))?.toString()).toBe(BEFORE);
    expect(await names(".")).toEqual([".claude"]);
  });
});

describe("a file that must not be touched", () => {
  const refusedPlan = (): Promise<string> => desk.refusal("claude-code/plan", wanted);

  it("is read-only", async () => {
    await desk.put(SETTINGS, BEFORE);
    await chmod(desk.path(SETTINGS), 0o444);
    expect(await refusedPlan()).toContain("is read-only");
    const view = await desk.view("claude-code");
    expect(view.files[0]).toMatchObject({ state: "refused", reason: expect.stringContaining("is read-only") });
    expect((await desk.bytes(SETTINGS))?.toString()).toBe(BEFORE);
  });

  it("is in a read-only folder", async () => {
    await desk.put(SETTINGS, BEFORE);
    await chmod(desk.path(".claude"), 0o555);
    expect(await refusedPlan()).toContain("is read-only");
    await chmod(desk.path(".claude"), 0o755);
  });

  it("is a folder, or lies below a file", async () => {
    await mkdir(desk.path(SETTINGS), { recursive: true });
    expect(await refusedPlan()).toContain("not a regular file");
    await desk.clear();
    await writeFile(desk.path(".claude"), "x");
    expect(await refusedPlan()).toContain("one of its folders is a file");
  });

  it("is huge", async () => {
    await desk.put(SETTINGS, `{"a":"${"x".repeat(5 * 1024 * 1024)}"}`);
    expect(await refusedPlan()).toContain("more than 5 MB");
  });

  it("is no text", async () => {
    await desk.put(SETTINGS, Buffer.from([0x7b, 0xff, 0xfe, 0x7d]));
    expect(await refusedPlan()).toContain("not UTF-8");
  });

  it("has no home folder any more", async () => {
    await desk.gateway.stop();
    await rm(desk.home, { recursive: true });
    desk = new ClientDesk(
      await startGateway({ dataDir: desk.gateway.dataDir, env: { HOME: desk.home, POSTERN_SANDBOX: "on" } }),
      desk.home,
    );
    expect(await refusedPlan()).toContain("is not there");
    await expect(stat(desk.home)).rejects.toThrow("ENOENT");
  });

  it("is being written by Claude Code", async () => {
    await desk.put(".claude.json", "{}");
    await mkdir(desk.path(".claude.json.lock"));
    await refusedToConnect("being written by its own program");
    expect((await desk.bytes(".claude.json"))?.toString()).toBe("{}");
    expect(await desk.bytes(SETTINGS)).toBeNull();
    // A lock that was left over long ago holds nobody.
    await utimes(desk.path(".claude.json.lock"), 1, 1);
    await desk.connect("claude-code", wanted.parts, wanted.models);
    expect(await names(".")).toContain(".claude.json.lock");
  });

  it("was changed since it was shown, or while it is written", async () => {
    await desk.put(SETTINGS, BEFORE);
    const { token } = await desk.plan("claude-code", wanted.parts, wanted.models);
    await desk.put(SETTINGS, '{ "theme": "light" }');
    await refused(token, "changed since you saw the change");
    const next = await desk.plan("claude-code", wanted.parts, wanted.models);
    meanwhile = () => desk.put(SETTINGS, '{ "theme": "blue" }');
    await refused(next.token, "was changed just now");
    meanwhile = null;
    expect((await desk.bytes(SETTINGS))?.toString()).toBe('{ "theme": "blue" }');
    expect(await names(".claude")).toEqual(["settings.json"]);
  });
});

it("follows a link, says so, and leaves it a link", async () => {
  await desk.put("dotfiles/claude.json", BEFORE);
  await mkdir(desk.path(".claude"));
  await symlink("../dotfiles/claude.json", desk.path(SETTINGS));
  const plan = await desk.plan("claude-code", ["models"], wanted.models);
  expect(plan).toMatchObject({ notes: expect.arrayContaining(["linked"]) });
  expect(plan.files[0]?.target).toBe(desk.path("dotfiles/claude.json"));
  await desk.connect("claude-code", ["models"], wanted.models);
  expect((await lstat(desk.path(SETTINGS))).isSymbolicLink()).toBe(true);
  expect(await readFile(desk.path("dotfiles/claude.json"), "utf8")).toContain("ANTHROPIC_BASE_URL");
  await desk.undo("claude-code");
  expect((await lstat(desk.path(SETTINGS))).isSymbolicLink()).toBe(true);
  expect(await readFile(desk.path("dotfiles/claude.json"), "utf8")).toBe(BEFORE);
  await desk.clear();
  await mkdir(desk.path(".claude"));
  await symlink("nowhere", desk.path(SETTINGS));
  expect(await desk.refusal("claude-code/plan", wanted)).toContain("leads nowhere");
});

it("keeps mode and backup to their owner", async () => {
  await desk.put(SETTINGS, BEFORE);
  await chmod(desk.path(SETTINGS), 0o640);
  await desk.connect("claude-code", wanted.parts, wanted.models);
  expect((await stat(desk.path(SETTINGS))).mode & 0o777).toBe(0o640);
  expect((await stat(desk.path(".claude.json"))).mode & 0o777).toBe(0o600);
  const folder = `${desk.gateway.dataDir}/clients/claude-code`;
  const [backup = ""] = await readdir(folder);
  expect((await stat(`${folder}/${backup}`)).mode & 0o777).toBe(0o600);
  expect(await readFile(`${folder}/${backup}`, "utf8")).toBe(BEFORE);
  await desk.undo("claude-code");
  expect((await stat(desk.path(SETTINGS))).mode & 0o777).toBe(0o640);
});

it("lets no key into the data folder", async () => {
  await desk.connect("claude-code", wanted.parts, wanted.models);
  const text = (await desk.bytes(SETTINGS))?.toString() ?? "";
  const key = /"ANTHROPIC_AUTH_TOKEN": "(sk-\w+)"/.exec(text)?.[1] ?? "";
  expect(key).toHaveLength(51);
  await desk.connect("claude-code", ["models"], wanted.models);
  await desk.gateway.stop();
  const files = (await readdir(desk.gateway.dataDir, { recursive: true, withFileTypes: true })).filter((one) =>
    one.isFile(),
  );
  for (const file of files) expect(await readFile(`${file.parentPath}/${file.name}`, "latin1")).not.toContain(key);
});

describe("a stop in between", () => {
  test.each(["before the file", "after the file"])(
    "%s is written: undone to the byte after the next start",
    async (when) => {
      await desk.put(SETTINGS, BEFORE);
      const { token } = await desk.plan("claude-code", ["models"], wanted.models);
      // The process ends while the file is written: nothing after that moment happens.
      const begun = new Promise<void>((resolve) => {
        meanwhile = async () => {
          resolve();
          if (when === "before the file") await new Promise(() => undefined);
        };
      });
      const answer = desk.refusal("claude-code/connect", { parts: ["models"], models: wanted.models, token });
      await begun;
      if (when === "after the file") await answer;
      else answer.catch(() => undefined);
      const dataDir = await copyFolder(desk.gateway.dataDir);
      const next = new ClientDesk(
        await startGateway({ dataDir, env: { HOME: desk.home, POSTERN_SANDBOX: "on" } }),
        desk.home,
      );
      const view = await next.view("claude-code");
      expect(view.connected).not.toBeNull();
      expect(view.files[0]?.state).toBe(when === "after the file" ? "written" : "there");
      await next.undo("claude-code");
      expect((await desk.bytes(SETTINGS))?.toString()).toBe(BEFORE);
      expect(await names(".claude")).toEqual(["settings.json"]);
      await next.gateway.close();
    },
  );
});

describe("loops", () => {
  it("are told of a connection that leads back here, straight or through another gateway", async () => {
    const { port } = new URL(desk.gateway.url);
    await desk.put(
      ".claude-code-router/config.json",
      JSON.stringify({ PORT: 3999, Providers: [{ api_base_url: `http://localhost:${port}/v1/chat/completions` }] }),
    );
    for (const [name, base_url] of [
      ["Mine", `http://localhost:${port}/v1`],
      ["Router", "http://127.0.0.1:3999/v1"],
    ])
      await desk.gateway.ask("POST", "/connections", { provider: "openai-compatible", name, base_url, keys: [] });
    expect((await desk.list()).loops).toEqual([
      { kind: "connection", name: "Mine", address: `http://localhost:${port}/v1` },
      { kind: "connection-relay", name: "Router", address: "http://127.0.0.1:3999/v1", relay: "Claude Code Router" },
    ]);
    await desk.put(SETTINGS, '{ "env": { "ANTHROPIC_BASE_URL": "http://127.0.0.1:3999" } }');
    expect(await desk.view("claude-code")).toMatchObject({
      calls: "http://127.0.0.1:3999",
      loops: [{ kind: "client-relay", address: "http://127.0.0.1:3999", relay: "Claude Code Router" }],
    });
  });
});

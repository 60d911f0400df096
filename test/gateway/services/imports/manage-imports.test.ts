import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PASTED } from "../../../../gateway/core/imports/importer.ts";
import type { Setup } from "../../../../gateway/contract/setup.ts";
import type { ManageImports } from "../../../../gateway/services/imports/manage-imports.ts";
import { SetupWorld } from "../setup/setup-world.ts";
import { importsAt } from "./json-program.ts";

const KEY = "sk-imported-provider-key-0001";
const BAD = "bad-imported-key-0000000002";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "postern-home-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const importsOf = (world: SetupWorld, env: Readonly<Record<string, string>> = {}): ManageImports =>
  importsAt(world, home, env);

const SETUP: Setup = {
  connections: [
    { name: "House", provider: "openai-compatible", base_url: "http://127.0.0.1:8080/v1/", keys: [KEY, BAD] },
    {
      name: "Open",
      provider: "openai-compatible",
      base_url: "http://93.184.216.34/v1",
      keys: ["sk-in-the-open-000001"],
      allow_http: true,
    },
  ],
  routes: [{ name: "work", models: ["house/big"] }],
  settings: { lan: true, record_keep_days: 5 },
};

const write = (setup: object, name = "program.json"): Promise<void> =>
  writeFile(join(home, name), JSON.stringify(setup));

describe("importing a program", () => {
  it("is offered with the files that are there", async () => {
    const imports = importsOf(await SetupWorld.start());
    expect(await imports.list()).toEqual([{ id: "opencode", label: "A program", files: [], applied: null }]);
    await write(SETUP, "other.json");
    expect(await imports.list()).toMatchObject([{ files: [join(home, "other.json")] }]);
  });

  it("shows every field and change with masked keys, and writes nothing", async () => {
    const world = await SetupWorld.start();
    await write(SETUP);
    const preview = await importsOf(world).preview({ program: "opencode" });
    expect(preview).toMatchObject({
      program: "opencode",
      files: [join(home, "program.json")],
      fields: [
        { field: "House.key", value: "sk-im…0001,bad-i…0002", becomes: "with sk-im…0001,bad-i…0002" },
        { field: "Open.key", value: "sk-in…0001" },
      ],
      keys: [
        { connection: "House", hint: "sk-im…0001", known: false },
        { connection: "House", hint: "bad-i…0002", known: false },
        { connection: "Open", hint: "sk-in…0001", known: false },
      ],
      conflicts: [{ kind: "connection", name: "Open", message: expect.stringMatching(/plain http/) as string }],
    });
    expect(preview.changes.map(({ action, kind, name }) => `${action} ${kind} ${name}`)).toEqual([
      "add connection House",
      "add route work",
      "change setting record_keep_days",
    ]);
    for (const secret of [KEY, BAD, "sk-in-the-open"]) expect(JSON.stringify(preview)).not.toContain(secret);
    expect(world.requests).toEqual([]);
    expect(world.secrets).toEqual([]);
    expect(await readdir(home)).toEqual(["program.json"]);
  });

  it("takes the keys that are confirmed, tested, adds nothing a second time, and is undone as one", async () => {
    const world = await SetupWorld.start();
    await write(SETUP);
    const imports = importsOf(world);
    const before = world.setup.read();
    const { token } = await imports.preview({ program: "opencode" });
    const result = await imports.apply({ program: "opencode", token, take_keys: "all" });
    expect(result.tests.map(({ hint, taken }) => [hint, taken])).toEqual([
      ["sk-im…0001", true],
      ["bad-i…0002", false],
    ]);
    expect(world.setup.read()).toMatchObject({
      connections: [{ name: "House", base_url: "http://127.0.0.1:8080/v1", keys: [KEY] }],
      routes: [{ name: "work" }],
      settings: { lan: false, record_keep_days: 5 },
    });
    expect(await imports.list()).toMatchObject([{ applied: { id: result.applied?.id } }]);

    const again = await imports.preview({ program: "opencode" });
    expect(again.keys.map(({ known }) => known)).toEqual([true, false, false]);
    // The key that was refused may be good by now; nothing else is new.
    expect(again.changes.map(({ name, fields }) => [name, fields.map(({ field }) => field)])).toEqual([
      ["House", ["keys"]],
    ]);
    const second = await imports.apply({ program: "opencode", token: again.token, take_keys: "all" });
    expect(second.applied).toBeNull();

    expect(await world.undoNewest()).toEqual([]);
    expect(world.setup.read()).toEqual(before);
    expect(world.secrets).toEqual([]);
    expect(await readFile(join(home, "program.json"), "utf8")).toBe(JSON.stringify(SETUP));
  });

  it("takes only the keys that were chosen, or none", async () => {
    const world = await SetupWorld.start();
    await write({ connections: [{ name: "Two", provider: "openai", keys: [KEY, "sk-another-key-000002"] }] });
    const imports = importsOf(world);
    const none = await imports.preview({ program: "opencode" });
    await imports.apply({ program: "opencode", token: none.token, take_keys: [] });
    expect(world.setup.read().connections).toMatchObject([{ name: "Two", keys: [] }]);
    expect(world.requests).toEqual([]);
    const { token, keys } = await imports.preview({ program: "opencode" });
    await imports.apply({ program: "opencode", token, take_keys: [keys[1]?.id ?? ""] });
    expect(world.setup.read().connections).toMatchObject([{ name: "Two", keys: ["sk-another-key-000002"] }]);
  });

  it("says which variables it has read, and where their values would go", async () => {
    const imports = importsOf(await SetupWorld.start(), {
      IMPORTED_KEY: KEY,
      HOST: "other.example",
      HOME: "/home",
      UNUSED: "x",
      MODEL: "secret-model",
      LOCAL: "sk-local-secret-01",
    });
    const text = JSON.stringify({
      connections: [{ name: "a", provider: "openai-compatible", base_url: "https://other.example/v1", keys: [KEY] }],
      routes: [{ name: "fast", models: ["a/secret-model"] }],
      keys: [{ name: "k", secret: "sk-local-secret-01" }],
      note: "HOST MODEL LOCAL",
    });
    expect((await imports.preview({ program: "opencode", text })).reads).toEqual([
      { name: "IMPORTED_KEY", goes_to: "https://other.example/v1" },
      { name: "HOST", goes_to: "https://other.example/v1" },
      { name: "MODEL", goes_to: "https://other.example/v1" },
      { name: "LOCAL", goes_to: "keys" },
    ]);
  });

  it("takes other addresses for its connections, as they are shown", async () => {
    const world = await SetupWorld.start();
    const imports = importsOf(world);
    const source = {
      program: "opencode" as const,
      text: JSON.stringify(SETUP),
      addresses: { Open: "http://127.0.0.1:9/v1/" },
    };
    const { token, addresses, conflicts } = await imports.preview(source);
    expect(addresses).toEqual([
      { connection: "House", base_url: "http://127.0.0.1:8080/v1" },
      { connection: "Open", base_url: "http://127.0.0.1:9/v1" },
    ]);
    expect(conflicts).toEqual([]);
    await expect(imports.apply({ ...source, addresses: {}, token, take_keys: "all" })).rejects.toThrow(
      /not as it was shown/,
    );
    await imports.apply({ ...source, token, take_keys: "all" });
    expect(world.setup.read().connections).toMatchObject([{}, { name: "Open", base_url: "http://127.0.0.1:9/v1" }]);
  });

  it("says which keys it leaves, as their names are others' here", async () => {
    const world = await SetupWorld.start();
    const imports = importsOf(world);
    const take = async (secret: string) => {
      const source = { program: "opencode" as const, text: JSON.stringify({ keys: [{ name: "master", secret }] }) };
      const { token, conflicts } = await imports.preview(source);
      await imports.apply({ ...source, token, take_keys: "all" });
      return conflicts.map(({ kind, name }) => `${kind} ${name}`);
    };
    expect(await take("sk-master-000001")).toEqual([]);
    expect(await take("sk-master-000001")).toEqual([]);
    expect(await take("sk-master-000002")).toEqual(["key master"]);
  });

  it("reads what its files name, in another folder, and what was pasted", async () => {
    const world = await SetupWorld.start();
    const imports = importsOf(world);
    const elsewhere = await mkdtemp(join(home, "elsewhere-"));
    await write({ aliases: { more: "gpt-5" }, more: [join(home, "more.json")] }, "more.json");
    await writeFile(
      join(elsewhere, "program.json"),
      JSON.stringify({ more: [join(home, "more.json"), "/no/such/file"] }),
    );
    const { files, changes } = await imports.preview({ program: "opencode", folder: elsewhere });
    expect(files).toEqual([join(elsewhere, "program.json"), join(home, "more.json")]);
    expect(changes).toMatchObject([{ kind: "alias", name: "more" }]);
    const pasted = await imports.preview({ program: "opencode", text: '{"aliases":{"pasted":"gpt-5"}}' });
    expect(pasted).toMatchObject({ files: [PASTED], changes: [{ name: "pasted" }] });
  });

  it("tells files that cannot be read as fields that are left", async () => {
    await write({ more: [home] });
    const { fields } = await importsOf(await SetupWorld.start()).preview({ program: "opencode" });
    expect(fields).toEqual([{ field: home, value: "It is not a regular file.", fate: "left", reason: "unreadable" }]);
  });

  it("is refused where the files or what is here are not as they were shown", async () => {
    const world = await SetupWorld.start();
    const imports = importsOf(world);
    await write(SETUP);
    const { token } = await imports.preview({ program: "opencode" });
    await write({ ...SETUP, aliases: { evil: "gpt-5" } });
    const apply = () => imports.apply({ program: "opencode", token, take_keys: "all" });
    await expect(apply()).rejects.toThrow(/not as it was shown/);
    await write(SETUP);
    await world.settings.update({ record_keep_days: 9 });
    await expect(apply()).rejects.toThrow(/not as it was shown/);
    expect(world.setup.list()).toEqual([]);
  });

  it.each<[string, Parameters<ManageImports["preview"]>[0], RegExp]>([
    ["where nothing of it is there", { program: "opencode" }, /No set-up of A program was found/],
    [
      "where the folder has nothing",
      { program: "opencode", folder: "/no/such/folder" },
      /no set-up of A program in \/no\/such/,
    ],
    ["for a folder that is not absolute", { program: "opencode", folder: "here" }, /not an absolute path/],
    [
      "for what was pasted and is nothing",
      { program: "opencode", text: '{"nothing":true}' },
      /What was pasted is no set-up/,
    ],
    ["for a program that nobody knows", { program: "zed" }, /cannot import zed/],
  ])("is refused %s", async (_what, source, message) => {
    const imports = importsOf(await SetupWorld.start());
    await expect(imports.preview(source)).rejects.toThrow(message);
  });
});

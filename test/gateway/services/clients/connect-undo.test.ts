import { readdir } from "node:fs/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import type { ClientId, ClientModels, ClientPart } from "../../../../gateway/contract/clients.ts";
import { KEY } from "../../../support/running-gateway.ts";
import { shapes, type Shape } from "../../core/clients/shapes.ts";
import { CHAT_MODEL, openHarness, type ClientHarness } from "./client-harness.ts";

let harness: ClientHarness;
beforeAll(async () => {
  harness = await openHarness();
});
beforeEach(() => harness.clear());
afterAll(() => harness.close());

const CLAUDE: ClientModels = { opus: CHAT_MODEL };

interface Case {
  readonly id: ClientId;
  readonly files: readonly string[];
  readonly parts: readonly ClientPart[];
  readonly models: ClientModels;
  readonly format: "json" | "toml" | "yaml";
}

const cases: readonly Case[] = [
  {
    id: "claude-code",
    files: [".claude/settings.json", ".claude.json"],
    parts: ["models", "mcp"],
    models: CLAUDE,
    format: "json",
  },
  {
    id: "codex",
    files: [".codex/config.toml"],
    parts: ["models", "mcp"],
    models: { main: CHAT_MODEL },
    format: "toml",
  },
  {
    id: "continue",
    files: [".continue/config.yaml"],
    parts: ["models", "mcp"],
    models: { main: CHAT_MODEL },
    format: "yaml",
  },
  {
    id: "opencode",
    files: [".config/opencode/opencode.json"],
    parts: ["models", "mcp"],
    models: { main: CHAT_MODEL },
    format: "json",
  },
  {
    id: "qwen-code",
    files: [".qwen/settings.json"],
    parts: ["models", "mcp"],
    models: { main: CHAT_MODEL },
    format: "json",
  },
  {
    id: "zed",
    files: [".config/zed/settings.json"],
    parts: ["models", "mcp"],
    models: { main: CHAT_MODEL },
    format: "json",
  },
  { id: "cursor", files: [".cursor/mcp.json"], parts: ["mcp"], models: {}, format: "json" },
];

/** A file that is not there, one that is edited and one that is refused: the pure editors are tested with all shapes. */
function shapesOverHttp(format: Case["format"]): readonly Shape[] {
  const all = shapes[format];
  const edited = all.findLast(({ text, refused }) => text !== null && refused === undefined);
  return [all.find(({ text }) => text === null), edited, all.find(({ refused }) => refused !== undefined)].filter(
    (shape) => shape !== undefined,
  );
}

describe.each(cases.map((one) => [one.id, one] as const))("%s", (id, { files, parts, models, format }) => {
  test.each(shapesOverHttp(format).map((shape) => [shape.name, shape] as const))(
    "undoes to the byte: %s",
    async (_name, shape) => {
      await harness.clear();
      const before = shape.text === null ? null : Buffer.from(shape.text);
      for (const file of files) if (before !== null) await harness.put(file, before);
      const keys = await keyCount();
      const refusal = await harness.refusal(`${id}/plan`, { parts, models });
      if (refusal !== "") {
        // Claude Code passes over a file with comments.
        const plain = id === "claude-code" && shape.refused === undefined;
        if (plain) expect(() => void JSON.parse(shape.text ?? "")).toThrow(/JSON/);
        expect(refusal).toMatch(/^409 /);
        expect(refusal).toContain(plain ? "comments or trailing commas" : shape.refused);
        expect(await harness.refusal(`${id}/connect`, { parts, models, token: "x" })).toBe(refusal);
        for (const file of files) expect(await harness.bytes(file)).toEqual(before);
        expect(await keyCount()).toBe(keys);
        return;
      }
      await harness.connect(id, parts, models);
      for (const file of files) expect(await harness.bytes(file)).not.toEqual(before);
      expect((await harness.view(id)).files.map(({ state }) => state)).toEqual(files.map(() => "written"));
      await harness.undo(id);
      for (const file of files) expect(await harness.bytes(file)).toEqual(before);
      expect(await keyCount()).toBe(keys);
      expect((await harness.view(id)).connected).toBeNull();
    },
  );

  it("is tried with a real call, distinguished by its key, and charged to it", async () => {
    await harness.connect(id, parts, models);
    const checks = await harness.check(id);
    expect(checks.map(({ ok, part, message }) => [ok, part, message])).toEqual(
      parts.map((part) => [true, part, expect.any(String)]),
    );
    const view = await harness.view(id);
    const key = view.connected?.key;
    expect(key).toMatchObject({ name: view.name, state: "active" });
    if (parts.includes("models")) {
      const receipt = (await harness.gateway.receipts()).find((one) => one.id === checks[0]?.request_id);
      expect(receipt).toMatchObject({ key: key?.id, model: CHAT_MODEL, sandbox: true });
      expect(checks[0]).toMatchObject({ nano: receipt?.nano, sandbox: true, model: CHAT_MODEL });
      expect(view.connected).toMatchObject({ requests: 1, nano: 0 });
      expect(view.connected?.sandbox_nano).toBeGreaterThan(0);
    }
    expect(view.connected?.checks).toEqual(checks);
    await harness.undo(id);
  });

  it("is connected a second time without a second key, and still undone to the byte", async () => {
    const empty = { json: "{}\n", toml: "", yaml: "name: A\n" }[format];
    for (const file of files) await harness.put(file, empty);
    await harness.connect(id, parts, models);
    const first = (await harness.view(id)).connected?.key?.id;
    const once = await Promise.all(files.map((file) => harness.bytes(file)));
    const keyInFile = id !== "zed";
    await harness.connect(id, parts, models);
    expect(await Promise.all(files.map((file) => harness.bytes(file)))).toEqual(once);
    if (keyInFile) expect((await harness.view(id)).connected?.key?.id).toBe(first);
    // One part less: its lines go, and its file with them where it was only for them.
    await harness.connect(id, ["mcp"], models);
    expect((await harness.check(id)).map(({ ok, part }) => [ok, part])).toEqual([[true, "mcp"]]);
    await harness.undo(id);
    for (const file of files) expect((await harness.bytes(file))?.toString()).toBe(empty);
  });

  it("tells a file as changed once its own settings differ, and takes out only these", async () => {
    const start = { json: '{\n  "theme": "dark"\n}\n', toml: "# mine\nx = 1\n", yaml: "# mine\nname: A\n" }[format];
    for (const file of files) await harness.put(file, start);
    await harness.connect(id, parts, models);
    const rewrite = async (edit: (text: string) => string): Promise<readonly string[]> => {
      for (const file of files) await harness.put(file, edit((await harness.bytes(file))?.toString() ?? ""));
      return (await harness.view(id)).files.map(({ state }) => state);
    };
    const changeOthers = (text: string): string =>
      ({
        json: text.replace("dark", "light"),
        toml: text.replace("x = 1", "x = 2"),
        yaml: text.replace("name: A", "name: B"),
      })[format];
    const { url } = harness.gateway;
    const elsewhere = "http://127.0.0.1:9";
    expect(await rewrite(changeOthers)).toEqual(files.map(() => "written"));
    expect(await rewrite((text) => text.replaceAll(url, elsewhere))).toEqual(files.map(() => "changed"));
    expect(await rewrite((text) => text.replaceAll(elsewhere, url))).toEqual(files.map(() => "written"));
    const plan = await harness.planUndo(id);
    expect(plan.files.map(({ action, kept }) => [action, kept])).toEqual(files.map(() => ["change", []]));
    await harness.undo(id);
    for (const file of files) expect((await harness.bytes(file))?.toString()).toBe(changeOthers(start));
    await harness.connect(id, parts, models);
    expect(await rewrite(() => `${start}\n`)).toEqual(files.map(() => "changed"));
    await harness.undo(id);
    for (const file of files) expect((await harness.bytes(file))?.toString()).toBe(`${start}\n`);
  });

  it("makes its folder where none exists, and removes it again", async () => {
    await harness.connect(id, parts, models);
    await harness.undo(id);
    for (const file of files) expect(await harness.bytes(file)).toBeNull();
    expect(await readdir(harness.home)).toEqual([]);
  });

  it("shows the change with line numbers, and no key", async () => {
    const { files: changes, key_name } = await harness.plan(id, parts, models);
    expect(changes.map(({ path, action }) => [path, action])).toEqual(
      files.map((file) => [harness.path(file), "create"]),
    );
    const lines = changes.flatMap(({ lines }) => lines);
    expect(lines.map(({ kind, before }) => [kind, before])).toEqual(lines.map(() => ["added", null]));
    expect(changes[0]?.lines.map(({ after }) => after)).toEqual(changes[0]?.lines.map((_, index) => index + 1));
    expect(lines.some(({ text }) => text.includes("sk-…"))).toBe(true);
    expect(key_name).toBe((await harness.view(id)).name);
    expect(await keyCount()).toBe(1);
  });
});

async function keyCount(): Promise<number> {
  const { data } = await harness.gateway.ask<{ data: { id: string }[] }>("GET", "/keys");
  return data.filter(({ id }) => id !== KEY && id !== "").length - firstKeys;
}
/** The key of every new data folder. */
const firstKeys = 1;

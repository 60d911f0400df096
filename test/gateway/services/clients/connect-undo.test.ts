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

interface Case {
  readonly id: ClientId;
  /** Below the home folder, in the order of the app's declaration. */
  readonly files: readonly string[];
  readonly parts?: readonly ClientPart[];
  readonly models?: ClientModels;
  /** The model that its check asks. */
  readonly asks?: string;
}

const LIBRARY = ".config/Claude-3p/configLibrary";
const BOTH = ["models", "mcp"] as const;
const MODELS = ["models"] as const;

const cases: readonly Case[] = [
  { id: "claude-code", files: [".claude/settings.json", ".claude.json"], models: { opus: CHAT_MODEL } },
  { id: "codex", files: [".codex/config.toml"] },
  {
    id: "claude-desktop",
    files: [
      `${LIBRARY}/7b0f6a1e-6174-4d5a-9c3b-706f73746572.json`,
      `${LIBRARY}/_meta.json`,
      ".config/Claude-3p/claude_desktop_config.json",
      ".config/Claude/claude_desktop_config.json",
    ],
    parts: MODELS,
    models: {},
    asks: "claude-opus-5-5",
  },
  { id: "vs-code", files: [".config/Code/User/chatLanguageModels.json", ".config/Code/User/mcp.json"] },
  { id: "cursor", files: [".cursor/mcp.json"], parts: ["mcp"], models: {} },
  { id: "opencode", files: [".config/opencode/opencode.json"] },
  { id: "openclaw", files: [".openclaw/openclaw.json"] },
  { id: "hermes", files: [".hermes/config.yaml"] },
  {
    id: "cline",
    files: ["providers", "models", "cline_mcp_settings"].map((name) => `.cline/data/settings/${name}.json`),
  },
  { id: "kilo-code", files: [".config/kilo/kilo.json"] },
  { id: "pi", files: [".pi/agent/models.json", ".pi/agent/settings.json"], parts: MODELS },
  { id: "factory-droid", files: [".factory/settings.json", ".factory/mcp.json"] },
  { id: "qwen-code", files: [".qwen/settings.json"] },
  { id: "gemini-cli", files: [".gemini/.env", ".gemini/settings.json"] },
  { id: "grok-build", files: [".grok/config.toml"] },
  { id: "goose", files: [".config/goose/custom_providers/postern.json", ".config/goose/config.yaml"] },
  { id: "junie", files: [".junie/models/postern.json"], parts: MODELS },
  { id: "zed", files: [".config/zed/settings.json"] },
  { id: "continue", files: [".continue/config.yaml"] },
  { id: "raycast", files: [".config/raycast/ai/providers.yaml"], parts: MODELS },
];

const readFormat = (file: string): "json" | "toml" | "yaml" | "env" => file.split(".").at(-1) as "json";
/** The text of a file of an object, as a file of a list has it. */
const adapt = (file: string, text: string | null): string | null =>
  text === null || !file.endsWith("chatLanguageModels.json") ? text : `[\n${text.trim()}\n]\n`;

/** A file that is not there, one that is edited and one that is refused: the pure editors are tested with all shapes. */
function pickShape(which: "missing" | "edited" | "refused", file: string): Shape {
  const all = shapes[readFormat(file)].filter(({ text }) => !/^\uFEFF?\s*model\s*=/.test(text ?? ""));
  const found = {
    missing: all.find(({ text }) => text === null),
    edited: all.findLast(({ text, refused }) => text !== null && refused === undefined),
    refused: all.find(({ refused }) => refused !== undefined),
  }[which];
  return { ...(found as Shape), text: adapt(file, found?.text ?? null) };
}

const byFormat = (texts: Readonly<Record<"json" | "toml" | "yaml" | "env", string>>, file: string): string =>
  adapt(file, texts[readFormat(file)]) ?? "";

describe.each(cases.map((one) => [one.id, one] as const))("%s", (id, { files, ...given }) => {
  const { parts = BOTH, models = { main: CHAT_MODEL }, asks = CHAT_MODEL } = given;

  test.each(["missing", "edited", "refused"] as const)("undoes to the byte: %s", async (which) => {
    await harness.clear();
    const before = files.map((file) => pickShape(which, file));
    const bytes = before.map(({ text }) => (text === null ? null : Buffer.from(text)));
    for (const [index, file] of files.entries()) if (bytes[index]) await harness.put(file, bytes[index]);
    const found = (): Promise<(Buffer | null)[]> => Promise.all(files.map((file) => harness.bytes(file)));
    const keys = await keyCount();
    const refusal = await harness.refusal(`${id}/plan`, { parts, models });
    if (which === "refused" || refusal !== "") {
      // Some apps pass over a file with comments.
      const plain = which !== "refused";
      if (plain) expect(() => before.forEach(({ text }) => void JSON.parse(text ?? ""))).toThrow(/JSON/);
      expect(refusal).toMatch(/^409 /);
      const words = before.map(({ refused }) => refused ?? "");
      expect(plain ? ["comments or trailing commas"] : words).toContainEqual(
        expect.toSatisfy((word: string) => word !== "" && refusal.includes(word)),
      );
      expect(await harness.refusal(`${id}/connect`, { parts, models, token: "x" })).toBe(refusal);
      expect(await found()).toEqual(bytes);
      expect(await keyCount()).toBe(keys);
      return;
    }
    await harness.connect(id, parts, models);
    for (const [index, now] of (await found()).entries()) expect(now).not.toEqual(bytes[index]);
    expect((await harness.view(id)).files.map(({ state }) => state)).toEqual(files.map(() => "written"));
    await harness.undo(id);
    expect(await found()).toEqual(bytes);
    expect(await keyCount()).toBe(keys);
    expect((await harness.view(id)).connected).toBeNull();
  });

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
      expect(receipt).toMatchObject({ key: key?.id, model: asks, sandbox: true });
      expect(checks[0]).toMatchObject({ nano: receipt?.nano, sandbox: true, model: asks });
      expect(view.connected).toMatchObject({ requests: 1, nano: 0 });
      expect(view.connected?.sandbox_nano).toBeGreaterThan(0);
    }
    expect(view.connected?.checks).toEqual(checks);
    await harness.undo(id);
  });

  it("is connected a second time without a second key, and still undone to the byte", async () => {
    const empty = (file: string): string => byFormat({ json: "{}\n", toml: "", yaml: "name: A\n", env: "" }, file);
    for (const file of files) await harness.put(file, empty(file));
    await harness.connect(id, parts, models);
    const first = (await harness.view(id)).connected?.key?.id;
    const once = await Promise.all(files.map((file) => harness.bytes(file)));
    const keyInFile = id !== "zed";
    await harness.connect(id, parts, models);
    expect(await Promise.all(files.map((file) => harness.bytes(file)))).toEqual(once);
    if (keyInFile) expect((await harness.view(id)).connected?.key?.id).toBe(first);
    if (parts.includes("mcp")) {
      // One part less: its lines go, and its file with them where it was only for them.
      await harness.connect(id, ["mcp"], models);
      expect((await harness.check(id)).map(({ ok, part }) => [ok, part])).toEqual([[true, "mcp"]]);
    }
    await harness.undo(id);
    for (const file of files) expect((await harness.bytes(file))?.toString()).toBe(empty(file));
  });

  it("tells a file as changed once its own settings differ, and takes out only these", async () => {
    const start = (file: string): string =>
      byFormat(
        { json: '{\n  "theme": "dark"\n}\n', toml: "# mine\nx = 1\n", yaml: "# mine\nname: A\n", env: "# mine\nA=1\n" },
        file,
      );
    for (const file of files) await harness.put(file, start(file));
    await harness.connect(id, parts, models);
    const rewrite = async (edit: (text: string, file: string) => string): Promise<readonly string[]> => {
      for (const file of files) await harness.put(file, edit((await harness.bytes(file))?.toString() ?? "", file));
      return (await harness.view(id)).files.map(({ state }) => state);
    };
    const changeOthers = (text: string, file: string): string =>
      ({
        json: text.replace("dark", "light"),
        toml: text.replace("x = 1", "x = 2"),
        yaml: text.replace("name: A", "name: B"),
        env: text.replace("A=1", "A=2"),
      })[readFormat(file)];
    const { url } = harness.gateway;
    const elsewhere = "http://127.0.0.1:9";
    const own = await Promise.all(files.map(async (file) => (await harness.bytes(file))?.includes(url) === true));
    expect(await rewrite(changeOthers)).toEqual(files.map(() => "written"));
    expect(await rewrite((text) => text.replaceAll(url, elsewhere))).toEqual(
      own.map((isAddressed) => (isAddressed ? "changed" : "written")),
    );
    expect(await rewrite((text) => text.replaceAll(elsewhere, url))).toEqual(files.map(() => "written"));
    const plan = await harness.planUndo(id);
    expect(plan.files.map(({ action, kept }) => [action, kept])).toEqual(files.map(() => ["change", []]));
    await harness.undo(id);
    for (const file of files) expect((await harness.bytes(file))?.toString()).toBe(changeOthers(start(file), file));
    await harness.connect(id, parts, models);
    expect(await rewrite((_text, file) => `${start(file)}\n`)).toEqual(files.map(() => "changed"));
    await harness.undo(id);
    for (const file of files) expect((await harness.bytes(file))?.toString()).toBe(`${start(file)}\n`);
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

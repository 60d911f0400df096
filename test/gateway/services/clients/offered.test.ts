import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { ClientView } from "../../../../gateway/contract/clients.ts";
import { CHAT_MODEL, openHarness, type ClientHarness } from "./client-harness.ts";

/** The models of an app's picker: all that are served or the chosen ones, and the same again when they change. */
let harness: ClientHarness;
beforeAll(async () => {
  harness = await openHarness({ env: { POSTERN_SANDBOX: "" } });
});
beforeEach(async () => {
  await harness.clear();
  await setSandbox("on");
});
afterAll(() => harness.close());

const FILE = ".config/opencode/opencode.json";

const setSandbox = (sandbox: "on" | "off"): Promise<unknown> => harness.gateway.ask("PATCH", "/settings", { sandbox });
const refresh = (id: string): Promise<ClientView> => harness.gateway.ask("POST", `/clients/${id}/refresh`, {});
const isOutdated = async (): Promise<boolean | undefined> => (await harness.view("opencode")).connected?.is_outdated;

interface Written {
  readonly model: string;
  readonly provider: { readonly postern: { readonly options: object; readonly models: Record<string, object> } };
}
const readFile = async (): Promise<Written> => JSON.parse((await harness.bytes(FILE))?.toString() ?? "") as Written;

it("are all chat models that are served, with their sizes, the chosen one first", async () => {
  await harness.connect("opencode", ["models"]);
  const { models } = (await readFile()).provider.postern;
  expect(Object.keys(models)[0]).toBe(CHAT_MODEL);
  expect(Object.keys(models).length).toBeGreaterThan(50);
  expect(models[CHAT_MODEL]).toMatchObject({ limit: { context: 400_000, output: 128_000 }, attachment: true });
  expect(models).not.toHaveProperty("text-embedding-3-small");
  expect(await isOutdated()).toBe(false);
});

it("are the chosen ones alone where some are chosen", async () => {
  const models = { main: CHAT_MODEL, offered: ["claude-haiku-5-5", "made-up"] };
  await harness.connect("opencode", ["models"], models, { only_these_models: true });
  const written = (await readFile()).provider.postern.models;
  expect(Object.keys(written)).toEqual([CHAT_MODEL, "claude-haiku-5-5", "made-up"]);
  // No one knows its sizes.
  expect(written["made-up"]).toMatchObject({ limit: { context: 128_000, output: 16_384 } });
  const { data } = await harness.gateway.ask<{ data: { name: string; models: string[] | null }[] }>("GET", "/keys");
  expect(data.find(({ name }) => name === "opencode")?.models).toEqual(Object.keys(written));
});

it("are written again with one call when others are served, with the same key, and undone to the byte", async () => {
  const before = '{\n  // mine\n  "theme": "dark"\n}\n';
  await harness.put(FILE, before);
  await harness.connect("opencode", ["models", "mcp"]);
  const key = (await harness.view("opencode")).connected?.key?.id;
  await setSandbox("off");
  expect(await isOutdated()).toBe(true);
  const view = await refresh("opencode");
  expect(view.connected).toMatchObject({ is_outdated: false, key: { id: key }, models: { main: CHAT_MODEL } });
  const text = (await harness.bytes(FILE))?.toString() ?? "";
  expect(text).toContain("// mine");
  expect(text).not.toContain("claude-haiku-5-5");
  expect(text).toContain('"mcp"');
  await harness.undo("opencode");
  expect((await harness.bytes(FILE))?.toString()).toBe(before);
});

it("keep the key of an app that holds it where no file shows it", async () => {
  await harness.connect("zed", ["models"]);
  const key = (await harness.view("zed")).connected?.key;
  await setSandbox("off");
  expect((await refresh("zed")).connected?.key).toEqual(key);
  await harness.undo("zed");
});

it("are not written for an app that is not connected", async () => {
  expect(await harness.refusal("kilo-code/refresh", {})).toBe("409 Kilo Code is not connected by Postern.");
});

it("are taken out of a file that the app wrote again in its own way, and the file with them where nothing else is in it", async () => {
  const file = ".cline/data/settings/providers.json";
  for (const [more, left] of [
    [{}, null],
    [{ telemetry: false }, { telemetry: false }],
  ] as const) {
    await harness.connect("cline", ["models"]);
    const written = JSON.parse((await harness.bytes(file))?.toString() ?? "") as { providers: Record<string, object> };
    const entry = { ...written.providers["openai-compatible"], updatedAt: "2026-11-29T23:38:36.293Z" };
    const again = { ...more, ...written, providers: { "openai-compatible": entry } };
    await harness.put(file, JSON.stringify(again));
    expect((await harness.view("cline")).files.map(({ state }) => state)).toEqual(["written", "written", "missing"]);
    const plan = await harness.planUndo("cline");
    expect(plan.files.flatMap(({ kept }) => kept)).toEqual([]);
    await harness.undo("cline");
    const now = await harness.bytes(file);
    expect(now === null ? null : JSON.parse(now.toString())).toEqual(left);
  }
});

it("go to Cherry Studio by a link with the address and a key of its own, which works and is revoked", async () => {
  const plan = await harness.plan("cherry-studio", ["models"]);
  expect(plan).toMatchObject({ files: [], key_name: "Cherry Studio" });
  const { link, secret } = await harness.connect("cherry-studio", ["models"]);
  const data = new URL(link ?? "").searchParams.get("data") ?? "";
  expect(JSON.parse(Buffer.from(data, "base64").toString("utf8"))).toEqual({
    id: "postern",
    name: "Postern",
    type: "openai",
    baseUrl: harness.gateway.url,
    apiKey: secret,
  });
  expect(await harness.check("cherry-studio")).toMatchObject([{ ok: true, model: CHAT_MODEL, sandbox: true }]);
  const view = await harness.undo("cherry-studio");
  expect(view.connected).toBeNull();
  const asked = await fetch(`${harness.gateway.url}/v1/models`, { headers: { authorization: `Bearer ${secret}` } });
  expect(asked.status).toBe(401);
});

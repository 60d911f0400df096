import { isRecord } from "../../../lib/records.ts";
import { folderFrom, joinPath } from "../../clients/place.ts";
import type { Spoken } from "../addresses.ts";
import { readJson } from "../documents.ts";
import { SetupBuilder } from "../setup-builder.ts";
import type { SourceFields } from "../fields.ts";
import { PASTED } from "../importer.ts";
import type { FileRead, RequestedFile, Imported, Importer, Places, Row } from "../importer.ts";
import type { Known } from "../known.ts";
import { isOn, readItems, readMembers, readNumber, readText } from "../values.ts";
import { addAccounts } from "./accounts.ts";
import type { Account, Builtin, Node } from "./accounts.ts";
import { addChains, addPrices, listNamedModels, findSteps } from "./chains.ts";
import type { Combo } from "./chains.ts";

/**
 * 9router (https://github.com/decolua/9router): `db/data.sqlite`, before 0.5 `db.json`. Tables and the registry of
 * providers as in 0.5.69, the file as in src/lib/localDb.js at b3fb20e, read on 2026-11-24.
 */
export const nineRouterImporter: Importer = { id: "9router", label: "9router", files, read };

const TABLES = ["providerConnections", "providerNodes", "combos", "apiKeys", "kv", "settings", "proxyPools"] as const;

function files(places: Places): readonly RequestedFile[] {
  const { folder, home, platform, env } = places;
  const usual =
    platform === "win32"
      ? joinPath(places, env["APPDATA"] ?? joinPath(places, home, "AppData", "Roaming"), "9router")
      : joinPath(places, home, ".9router");
  const where = folder ?? folderFrom(places, "DATA_DIR") ?? usual;
  return [
    { path: joinPath(places, where, "db", "data.sqlite"), tables: TABLES },
    // The folder itself, if given by the user.
    ...(folder === null ? [] : [{ path: joinPath(places, where, "data.sqlite"), tables: TABLES }]),
    { path: joinPath(places, where, "db.json") },
  ];
}

/** The program's data as in its file, of any version. */
interface Data {
  readonly data: Readonly<Record<string, unknown>>;
  readonly fields: SourceFields;
}

function read(found: readonly FileRead[], _places: Places, known: Known): Imported | null {
  const draft = new SetupBuilder(known);
  const all = found.flatMap((file) => readTables(draft, file) ?? readFile(draft, file) ?? []);
  const [used, ...others] = all;
  if (used === undefined) return null;
  // Older copies of its data are unused.
  for (const { fields } of others) fields.left([], "unused");
  const { data, fields } = used;
  const nodes = readItems(data["providerNodes"]).flatMap(
    (item, index) => readNode(readMembers(item), fields.below(["providerNodes", index])) ?? [],
  );
  const accounts = readItems(data["providerConnections"]).flatMap(
    (item, index) => readAccount(readMembers(item), fields.below(["providerConnections", index])) ?? [],
  );
  const combos = readItems(data["combos"]).flatMap(
    (item, index) => readCombo(readMembers(item), fields.below(["combos", index])) ?? [],
  );
  const aliases = { data: data["modelAliases"], fields: fields.below(["modelAliases"]) };
  const reached = addAccounts(draft, accounts, {
    nodes,
    builtin: BUILTIN,
    aliases: ALIASES,
    named: listNamedModels(combos, aliases),
  });
  addChains(draft, combos, aliases, reached);
  addPrices(draft, data["pricing"], fields.below(["pricing"]), reached);
  addKeys(draft, data["apiKeys"], fields.below(["apiKeys"]));
  for (const name of ["settings", "proxyPools", "customModels", "mitmAlias"]) fields.left([name], "not-supported");
  return draft.done();
}

function readFile(draft: SetupBuilder, { path, data }: FileRead): Data | null {
  if (!path.endsWith("db.json") && path !== PASTED) return null;
  const fields = draft.fields.source("", data);
  return isRecord(data) && data["providerConnections"] !== undefined ? { data, fields } : null;
}

/** Reads tables in the file's layout: most of a row is in its column `data`. */
function readTables(draft: SetupBuilder, { tables, otherTables }: FileRead): Data | null {
  if (!Object.hasOwn(tables, "providerConnections")) return null;
  const whole = (name: string): readonly Readonly<Record<string, unknown>>[] =>
    (tables[name] ?? []).map(({ data, ...row }) => ({ ...row, ...readMembers(parseColumn(data)) }));
  const kv = (scope: string): Readonly<Record<string, unknown>> =>
    Object.fromEntries(
      (tables["kv"] ?? []).flatMap((row) =>
        row["scope"] === scope ? [[String(row["key"]), parseColumn(row["value"])]] : [],
      ),
    );
  const scopes = new Set((tables["kv"] ?? []).map((row) => String(row["scope"])));
  const data = {
    providerConnections: whole("providerConnections"),
    providerNodes: whole("providerNodes"),
    combos: (tables["combos"] ?? []).map((row) => ({ ...row, models: parseColumn(row["models"]) })),
    apiKeys: tables["apiKeys"] ?? [],
    settings: whole("settings"),
    proxyPools: whole("proxyPools"),
    ...Object.fromEntries([...scopes].map((scope) => [scope, kv(scope)])),
  };
  return { data, fields: draft.fields.source("", { ...data, ...otherTables }) };
}

function parseColumn(value: Row[string] | undefined): unknown {
  return typeof value === "string" ? (readJson(value) ?? value) : value;
}

function readAccount(item: Readonly<Record<string, unknown>>, fields: SourceFields): Account | null {
  const provider = readText(item["provider"]);
  if (provider === null) return null;
  const key = readText(item["apiKey"]);
  return {
    provider,
    authType: readText(item["authType"]) ?? "oauth",
    isActive: item["isActive"] === undefined || isOn(item["isActive"]),
    priority: readNumber(item["priority"]) ?? 999,
    key,
    baseUrl: readText(readMembers(item["providerSpecificData"])["baseUrl"]),
    fields,
    keyPath: ["apiKey"],
  };
}

function readNode(item: Readonly<Record<string, unknown>>, fields: SourceFields): Node | null {
  const id = readText(item["id"]);
  const baseUrl = readText(item["baseUrl"]);
  if (id === null || baseUrl === null) return null;
  return {
    id,
    name: readText(item["name"]) ?? id,
    prefix: readText(item["prefix"]),
    spoken: chooseDialect(item["type"], item["apiType"]),
    baseUrl,
    fields,
  };
}

/** `type` is `openai-compatible`, `anthropic-compatible` or `custom-embedding`; `apiType` `chat` or `responses`. */
export function chooseDialect(type: unknown, apiType: unknown): Spoken {
  if (typeof type === "string" && type.startsWith("anthropic")) return "messages";
  return apiType === "responses" ? "responses" : "chat";
}

function readCombo(item: Readonly<Record<string, unknown>>, fields: SourceFields): Combo | null {
  const name = readText(item["name"]);
  if (name === null) return null;
  return { name, steps: findSteps(item["models"], ["models"]), isActive: true, isOrdered: true, fields };
}

function addKeys(draft: SetupBuilder, keys: unknown, fields: SourceFields): void {
  for (const [index, item] of readItems(keys).entries()) {
    const { key, name, isActive } = readMembers(item);
    const secret = readText(key);
    if (secret === null) continue;
    const isOff = isActive !== undefined && isActive !== null && !isOn(isActive);
    const added = draft.localKey(secret, { name: readText(name) ?? "9router", ...(isOff ? { disabled: true } : {}) });
    if ("reason" in added) fields.left([index], added.reason);
    else fields.recordTaken([index], `key "${added.name}"`);
  }
}

/** Providers with another address than usual, by its registry. */
const BUILTIN: Builtin = {
  alicode: ["https://coding.{dashscope-cn}/v1", "chat"],
  "alicode-intl": ["https://coding-intl.{dashscope-cn}/v1", "chat"],
  glm: ["https://api.z.ai/api/anthropic", "messages"],
  "glm-cn": ["https://open.bigmodel.cn/api/coding/paas/v4", "chat"],
  kimi: ["https://api.kimi.com/coding", "messages"],
  "kimi-coding": ["https://api.kimi.com/coding", "messages"],
  minimax: ["https://api.minimax.io/anthropic", "messages"],
  "minimax-cn": ["https://api.minimaxi.com/anthropic", "messages"],
  ollama: ["https://ollama.com/v1", "chat"],
  "ollama-local": ["http://localhost:11434/v1", "chat"],
  "volcengine-ark": ["https://{ark}/api/coding/v3", "chat"],
};

const ALIASES: Readonly<Record<string, string>> = {
  ark: "volcengine-ark",
  bpm: "byteplus",
  ch: "chutes",
  ds: "deepseek",
  hyp: "hyperbolic",
  kmc: "kimi-coding",
  nb: "nanobanana",
  ocg: "opencode-go",
  pplx: "perplexity",
};

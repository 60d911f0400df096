import type { SetupPrice } from "../../contract/setup.ts";
import { readHome } from "./addresses.ts";
import type { Home, Spoken } from "./addresses.ts";
import type { Seller } from "./chains.ts";
import { SetupBuilder } from "./setup-builder.ts";
import type { SourceFields } from "./fields.ts";
import { PASTED } from "./importer.ts";
import type { FileRead, RequestedFile, Imported, Importer, Places } from "./importer.ts";
import type { Known } from "./known.ts";
import { namedProvider } from "./named-provider.ts";
import { resolveReferences } from "./references.ts";
import { readMembers, readNumber, readText } from "./values.ts";

/**
 * opencode: `auth.json` has keys by provider, `opencode.json` the providers that the user has added, and models
 * (https://opencode.ai/docs/providers/, https://opencode.ai/docs/config/, read 2026-11-24). Names of providers are those
 * of https://models.dev.
 */
export const opencodeImporter: Importer = { id: "opencode", label: "opencode", files: readFiles, read };

const AUTH = "auth.json";
const CONFIGS = ["opencode.json", "opencode.jsonc", "config.json"] as const;

function readFiles({ home, env, folder }: Places): readonly RequestedFile[] {
  const data = env["XDG_DATA_HOME"] ?? `${home}/.local/share`;
  const config = env["XDG_CONFIG_HOME"] ?? `${home}/.config`;
  const auths = folder === null ? [`${data}/opencode/${AUTH}`] : [`${folder}/${AUTH}`];
  const own = env["OPENCODE_CONFIG"];
  const configs =
    folder === null
      ? [...CONFIGS.map((name) => `${config}/opencode/${name}`), ...(own === undefined ? [] : [own])]
      : CONFIGS.map((name) => `${folder}/${name}`);
  return [...auths, ...configs].map((path) => ({ path }));
}

/** Fields of one provider, collected from all files. */
interface Entry {
  readonly id: string;
  readonly auth: Source | null;
  readonly config: Source | null;
}

interface Source {
  readonly data: Readonly<Record<string, unknown>>;
  readonly fields: SourceFields;
}

/** Dialects by a provider's package (`npm`); others use chat. */
const DIALECTS: Readonly<Record<string, Spoken>> = {
  "@ai-sdk/anthropic": "messages",
  "@ai-sdk/google": "gemini",
  "@ai-sdk/openai": "responses",
};

function read(files: readonly FileRead[], { env }: Places, known: Known): Imported | null {
  const draft = new SetupBuilder(known);
  const auths = new Map<string, Source>();
  const configs = new Map<string, Source>();
  const models: { readonly name: string; readonly model: string; readonly fields: SourceFields }[] = [];
  for (const { path, data } of files) {
    const fields = draft.fields.source(files.length > 1 ? (path.split(/[\\/]/).at(-1) ?? path) : "", data);
    const isAuth = path.endsWith(AUTH) || (path === PASTED && readMembers(data)["provider"] === undefined);
    const found = isAuth ? auths : configs;
    const members = readMembers(isAuth ? data : readMembers(data)["provider"]);
    for (const [id, value] of Object.entries(members))
      found.set(id, { data: readMembers(value), fields: fields.below(isAuth ? [id] : ["provider", id]) });
    if (isAuth) continue;
    for (const name of ["model", "small_model"]) {
      const model = readText(readMembers(data)[name]);
      if (model !== null) models.push({ name, model, fields });
    }
  }
  const ids = [...new Set([...configs.keys(), ...auths.keys()])];
  const sellers = new Map<string, Seller>();
  for (const id of ids) {
    const entry = { id, auth: auths.get(id) ?? null, config: configs.get(id) ?? null };
    const seller = readEntry(draft, entry, env);
    if (seller !== null) sellers.set(id, seller);
  }
  for (const [id, seller] of sellers) readModels(draft, seller, configs.get(id));
  // The default model is opencode's own setting, and stays there.
  for (const { name, fields } of models) fields.left([name], "unused");
  return ids.length === 0 ? null : draft.done();
}

function readEntry(draft: SetupBuilder, { id, auth, config }: Entry, env: Places["env"]): Seller | null {
  const key = readKey(auth, config, env);
  const options = readMembers(config?.data["options"]);
  const address = readText(options["baseURL"]);
  const fields = config?.fields ?? auth?.fields;
  const home = address === null ? ownHome(draft.known, id) : getHome(draft.known, address, config, env);
  if (home === null || "reason" in home) {
    const reason = home?.reason ?? "unknown-provider";
    if (address !== null) config?.fields.left(["options", "baseURL"], reason);
    for (const one of [auth, config]) if (one !== null && one.data["type"] !== "oauth") one.fields.left([], reason);
    return null;
  }
  // A provider without an address and without a key here cannot be called.
  if (key === null && address === null) return null;
  const connection = draft.connection({
    name: id,
    home,
    keys: key === null ? [] : [key.value],
  });
  const becomes = `connection "${connection.name}"`;
  key?.fields.recordTaken(key.path, becomes);
  if (address !== null) {
    config?.fields.endpoint(["options", "baseURL"], becomes, home);
  }
  if (connection.name !== id) fields?.noteChange([], becomes, "renamed");
  for (const name of ["npm", "api"])
    if (config?.data[name] !== undefined) config.fields.noteChange([name], `provider "${home.provider}"`);
  if (config?.data["name"] !== undefined) config.fields.left(["name"], "unused");
  return connection;
}

interface Key {
  readonly value: string;
  readonly fields: SourceFields;
  readonly path: readonly string[];
}

/** Reads the key in opencode's order of precedence: its own file first. */
function readKey(auth: Source | null, config: Source | null, env: Places["env"]): Key | null {
  const stored = auth?.data["type"] === "api" ? readText(auth.data["key"]) : null;
  // Login tokens may have any name.
  for (const [name, value] of Object.entries(auth?.data ?? {}))
    if (name !== "type" && typeof value === "string") auth?.fields.secret(value);
  if (auth !== null && stored === null) auth.fields.left([], "login");
  const written = readText(readMembers(config?.data["options"])["apiKey"]);
  const path = ["options", "apiKey"];
  const value = written === null ? null : resolveReferences(written, env);
  if (config !== null && value !== null && "reason" in value) config.fields.left(path, value.reason);
  if (auth !== null && stored !== null) {
    if (value !== null && "value" in value) config?.fields.left(path, "unused");
    return { value: stored, fields: auth.fields, path: [] };
  }
  return config === null || value === null || "reason" in value
    ? null
    : { value: value.value, fields: config.fields, path };
}

function ownHome(known: Known, id: string): Home | null {
  const named = namedProvider(id, known);
  if (named === null || named.baseUrl === null) return null;
  return { provider: named.provider.id, baseUrl: named.baseUrl, changed: false };
}

function getHome(
  known: Known,
  address: string,
  config: Source | null,
  env: Places["env"],
): ReturnType<typeof readHome> {
  const value = resolveReferences(address, env);
  if ("reason" in value) return value;
  const npm = readText(config?.data["npm"]);
  const spoken = npm !== null && Object.hasOwn(DIALECTS, npm) ? (DIALECTS[npm] ?? null) : null;
  return readHome(value.value, spoken, known, [], true);
}

/** Reads the models that the user described; their costs become custom prices. */
function readModels(draft: SetupBuilder, seller: Seller, config: Source | undefined): void {
  for (const [model, value] of Object.entries(readMembers(config?.data["models"]))) {
    const fields = config?.fields.below(["models", model]);
    const id = draft.nameModel(seller, readText(readMembers(value)["id"]) ?? model);
    const rates = readRates(readMembers(value)["cost"]);
    if (rates !== null && draft.price(id, rates)) fields?.recordTaken(["cost"], `price of "${id}"`);
    for (const name of ["name", "limit", "tool_call", "reasoning", "attachment", "modalities"])
      if (readMembers(value)[name] !== undefined) fields?.left([name], "default");
  }
}

/** USD per million tokens, as opencode has them too. */
function readRates(cost: unknown): SetupPrice | null {
  const { input, output, cache_read: read, cache_write: write } = readMembers(cost);
  const [ins, outs, cached, written] = [input, output, read, write].map(readNumber);
  if (ins == null || outs == null) return null;
  return {
    input: ins,
    output: outs,
    ...(cached == null ? {} : { cached_input: cached }),
    ...(written == null ? {} : { cache_write: written }),
  };
}

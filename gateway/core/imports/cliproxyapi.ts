import { getSlug } from "../models/model-id.ts";
import { readHome } from "./addresses.ts";
import type { Found, Spoken } from "./addresses.ts";
import type { Seller } from "./chains.ts";
import { SetupBuilder } from "./setup-builder.ts";
import type { SourceFields } from "./fields.ts";
import type { FileRead, RequestedFile, Imported, Importer, Places } from "./importer.ts";
import type { Known } from "./known.ts";
import { readItems, readMembers, readText } from "./values.ts";

/**
 * CLIProxyAPI: `config.yaml` with the keys of its own clients, provider keys by kind, and compatible servers by name
 * (https://github.com/router-for-me/CLIProxyAPI, config.example.yaml, read at 000913a on 2026-11-24). Its `auth-dir`
 * contains logins, which only their own programs may use.
 */
export const cliProxyApiImporter: Importer = { id: "cliproxyapi", label: "CLIProxyAPI", files: readFiles, read };

function readFiles({ home, folder }: Places): readonly RequestedFile[] {
  const usual = [
    `${home}/.cli-proxy-api/config.yaml`,
    `${home}/cliproxyapi/config.yaml`,
    `${home}/CLIProxyAPI/config.yaml`,
  ];
  // Paths of Homebrew's service on Apple silicon, Intel and Linux.
  const brewed = ["/opt/homebrew/etc", "/usr/local/etc"].map((at) => `${at}/cliproxyapi.conf`);
  return (folder === null ? [...usual, ...brewed] : [`${folder}/config.yaml`]).map((path) => ({ path }));
}

/** Provider keys by kind: the connection's name, and its default base URL. */
const SECTIONS: readonly (readonly [section: string, label: string, provider: string, spoken: Spoken])[] = [
  ["claude-api-key", "Claude", "anthropic", "messages"],
  ["gemini-api-key", "Gemini", "gemini", "gemini"],
  ["codex-api-key", "Codex", "openai", "responses"],
  ["xai-api-key", "xAI", "xai", "responses"],
];

type Members = Readonly<Record<string, unknown>>;

function read(files: readonly FileRead[], _places: Places, known: Known): Imported | null {
  const [file, ...others] = files;
  if (file === undefined) return null;
  const draft = new SetupBuilder(known);
  const { data } = file;
  const fields = draft.fields.source("", data);
  for (const { path, data: other } of others) draft.fields.source(path, other).left([], "unused");
  const config = readMembers(data);
  const sets = [
    ...SECTIONS.flatMap((section) => readSection(draft, section, config[section[0]], fields.below([section[0]]))),
    ...readCompatible(draft, config["openai-compatibility"], fields.below(["openai-compatibility"])),
  ];
  nameModels(draft, sets);
  for (const [index, item] of readItems(config["api-keys"]).entries()) {
    const key = readText(item);
    if (key === null) continue;
    const added = draft.localKey(key, { name: `CLIProxyAPI ${index + 1}` });
    if ("reason" in added) fields.left(["api-keys", index], added.reason);
    else fields.recordTaken(["api-keys", index], `key "${added.name}"`);
  }
  if (config["auth-dir"] !== undefined) fields.left(["auth-dir"], "login");
  return [...SECTIONS.map(([section]) => section), "api-keys", "openai-compatibility"].some((name) => name in config)
    ? draft.done()
    : null;
}

/** A connection, with the places that name its models. */
interface ModelSet {
  readonly seller: Seller;
  readonly models: readonly { readonly name: string; readonly alias: string | null; readonly fields: SourceFields }[];
}

/** Entries with the same address and prefix are keys of one connection. */
function readSection(
  draft: SetupBuilder,
  [, label, provider, spoken]: (typeof SECTIONS)[number],
  entries: unknown,
  fields: SourceFields,
): readonly ModelSet[] {
  const groups = Map.groupBy(
    readItems(entries).map((item, index) => ({ entry: readMembers(item), own: fields.below([index]) })),
    ({ entry }) => `${readText(entry["base-url"]) ?? ""} ${readText(entry["prefix"]) ?? ""}`,
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const address = readText(first.entry["base-url"]);
    const home: Found =
      address === null ? { provider, baseUrl: undefined, changed: false } : readHome(address, spoken, draft.known);
    for (const { entry, own } of group) {
      const key = readText(entry["api-key"]);
      if (key !== null) own.secret(key);
      if ("reason" in home) own.left([], home.reason);
    }
    if ("reason" in home) return [];
    const keys = group.flatMap(({ entry }) => readText(entry["api-key"]) ?? []);
    const connection = draft.connection({
      name: readText(first.entry["prefix"]) ?? label,
      home,
      keys,
    });
    const becomes = `connection "${connection.name}"`;
    for (const { entry, own } of group) {
      own.recordTaken(["api-key"], becomes);
      const prefix = readText(entry["prefix"]);
      if (prefix !== null && getSlug(prefix) === getSlug(connection.name)) own.recordTaken(["prefix"], becomes);
      else if (prefix !== null) own.noteChange(["prefix"], becomes, "renamed");
      if (address === null) continue;
      own.endpoint(["base-url"], becomes, home);
    }
    return [{ seller: connection, models: group.flatMap(({ entry, own }) => findModels(entry, own)) }];
  });
}

function readCompatible(draft: SetupBuilder, entries: unknown, fields: SourceFields): readonly ModelSet[] {
  return readItems(entries).flatMap((item, index) => {
    const entry = readMembers(item);
    const own = fields.below([index]);
    const address = readText(entry["base-url"]);
    const home: Found = address === null ? { reason: "unreadable" } : readHome(address, "chat", draft.known, [], true);
    const keys = readKeys(entry);
    for (const { key } of keys) own.secret(key);
    if ("reason" in home) {
      own.left([], home.reason);
      return [];
    }
    const connection = draft.connection({
      name: entry["prefix"] ?? entry["name"],
      otherwise: readText(entry["name"]) ?? `CLIProxyAPI ${index + 1}`,
      home,
      keys: keys.map(({ key }) => key),
      ...(entry["disabled"] === true ? { enabled: false } : {}),
    });
    const becomes = `connection "${connection.name}"`;
    for (const { path } of keys) own.recordTaken(path, becomes);
    for (const name of ["name", "prefix"])
      if (entry[name] !== undefined) {
        if (entry[name] === connection.name) own.recordTaken([name], becomes);
        else own.noteChange([name], becomes, "renamed");
      }
    if (entry["disabled"] !== undefined) own.recordTaken(["disabled"], becomes);
    own.endpoint(["base-url"], becomes, home);
    return [{ seller: connection, models: findModels(entry, own) }];
  });
}

/** `api-key-entries[].api-key`, and before it `api-keys[]`. */
function readKeys(entry: Members): readonly { readonly key: string; readonly path: readonly (string | number)[] }[] {
  return [
    ...readItems(entry["api-key-entries"]).map((item, index) => ({
      key: readText(readMembers(item)["api-key"]),
      path: ["api-key-entries", index, "api-key"],
    })),
    ...readItems(entry["api-keys"]).map((item, index) => ({ key: readText(item), path: ["api-keys", index] })),
  ].flatMap(({ key, path }) => (key === null ? [] : [{ key, path }]));
}

function findModels(entry: Members, fields: SourceFields): ModelSet["models"] {
  return readItems(entry["models"]).flatMap((item, index) => {
    const model = readMembers(item);
    const name = readText(model["name"]);
    const alias = readText(model["alias"]);
    return name === null ? [] : [{ name, alias, fields: fields.below(["models", index]) }];
  });
}

/** A name that one model has becomes an alias, one that several have a route: any of them responds there. */
function nameModels(draft: SetupBuilder, sets: readonly ModelSet[]): void {
  const named = new Map<string, { readonly model: string; readonly fields: SourceFields }[]>();
  for (const { seller, models } of sets)
    for (const { name, alias, fields } of models) {
      fields.left(["name"], "default");
      if (alias === null || alias === name) {
        if (alias !== null) fields.left(["alias"], "default");
        continue;
      }
      const list = named.get(alias) ?? [];
      named.set(alias, list);
      list.push({ model: draft.nameModel(seller, name), fields });
    }
  for (const [alias, targets] of named) {
    const models = [...new Set(targets.map(({ model }) => model))];
    const [only] = models;
    const isRoute = models.length > 1;
    const name = isRoute ? draft.route(alias, { models }) : draft.alias(alias, only ?? "");
    for (const { fields } of targets) {
      if (name === null) fields.left(["alias"], "renamed");
      else fields.recordTaken(["alias"], `${isRoute ? "route" : "alias"} "${name}"`);
    }
  }
}

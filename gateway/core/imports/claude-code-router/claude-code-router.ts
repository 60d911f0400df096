import { joinPath } from "../../clients/place.ts";
import { readJson } from "../documents.ts";
import { SetupBuilder } from "../setup-builder.ts";
import type { SourceFields } from "../fields.ts";
import { PASTED } from "../importer.ts";
import type { FileRead, RequestedFile, Imported, Importer, Places, Row } from "../importer.ts";
import type { Known } from "../known.ts";
import { isRecord } from "../../../lib/records.ts";
import { readItems, readNumber } from "../values.ts";
import type { Config, Members } from "./config.ts";
import { readKeyRows, readLocalKeys } from "./local-keys.ts";
import { markModels, readProviders } from "./providers.ts";
import { addRoutes } from "./routes.ts";
import { readRouting } from "./routing.ts";

/**
 * Claude Code Router (https://github.com/musistudio/claude-code-router). Versions 1 and 2 keep `config.json`. Version 3
 * keeps `config.sqlite`, migrates the providers of an old file without its `Router`; the file itself is then in the
 * table `legacy_storage_backups`, and stays in place if it has comments (tried with 3.1.1 on 2026-11-24).
 */
export const claudeCodeRouterImporter: Importer = {
  id: "claude-code-router",
  label: "Claude Code Router",
  files,
  read,
};

const TABLES = ["app_config", "api_keys", "legacy_storage_backups"] as const;

function files(places: Places): readonly RequestedFile[] {
  return readFolders(places).flatMap((folder) => [
    { path: joinPath(places, folder, "config.sqlite"), tables: TABLES },
    { path: joinPath(places, folder, "config.json") },
  ]);
}

/** packages/core/src/runtime/app-paths.ts, and versions 1 and 2 below the home folder everywhere. */
function readFolders(places: Places): readonly string[] {
  const { folder, home, platform, env } = places;
  if (folder !== null) return [folder];
  const usual = joinPath(places, home, ".claude-code-router");
  if (platform !== "win32") return [usual];
  const roaming = env["APPDATA"] ?? joinPath(places, home, "AppData", "Roaming");
  return [joinPath(places, roaming, "claude-code-router"), joinPath(places, roaming, "Claude Code Router"), usual];
}

function read(found: readonly FileRead[], places: Places, known: Known): Imported | null {
  const draft = new SetupBuilder(known);
  const databases = found.flatMap((file) =>
    Object.hasOwn(file.tables, "app_config") ? [readDatabase(draft, file)] : [],
  );
  const files = found.flatMap((file) => readFile(draft, file) ?? []);
  // An old file that still exists is newer than its archived copy.
  const configs = [
    ...databases.flatMap(({ config }) => config ?? []),
    ...files,
    ...databases.flatMap(({ backups }) => backups),
  ];
  const used = configs.find(({ data }) => findProviders(data).length > 0) ?? configs.find(({ data }) => isConfig(data));
  if (used === undefined) return null;
  for (const config of configs) if (config !== used) leaveOld(config);
  const name = nameOfProviders(used.data);
  const providers = readProviders(draft, {
    providers: used.data[name],
    fields: used.fields.below([name]),
    env: used.isFile ? places.env : null,
    port: readPort(used.data),
  });
  for (const provider of providers)
    markModels(draft, readItems(used.data[name])[provider.index], used.fields.below([name, provider.index]), provider);
  addRoutes(draft, readRouting(draft, used, configs, providers));
  leaveRest(used);
  for (const { keys, fields } of databases) readKeyRows(draft, keys, fields);
  for (const config of configs) readLocalKeys(draft, config, places.env);
  return draft.done();
}

const nameOfProviders = (data: Members): "Providers" | "providers" =>
  data["Providers"] === undefined && data["providers"] !== undefined ? "providers" : "Providers";

const findProviders = (data: Members): readonly unknown[] => readItems(data[nameOfProviders(data)]);

const isConfig = (data: Members): boolean =>
  ["Providers", "providers", "Router", "APIKEY"].some((name) => data[name] !== undefined);

function readPort(data: Members): string | null {
  const port = readNumber(data["PORT"]);
  return port === null ? null : String(port);
}

/** Leaves a replaced configuration, except for its routing. */
function leaveOld({ data, fields }: Config): void {
  for (const name of Object.keys(data)) if (!ROUTING.has(name)) fields.left([name], "unused");
}

const ROUTING: ReadonlySet<string> = new Set(["Router", "fallback"]);

/** Leaves the router's own settings, in a line each. */
function leaveRest({ data, fields }: Config): void {
  for (const name of ["HOST", "PORT", "routerEndpoint", "gateway"]) fields.left([name], "own-address");
  for (const [name, value] of Object.entries(data))
    if (!READ.has(name) && typeof value === "object") fields.left([name], "not-supported");
}

const READ: ReadonlySet<string> = new Set([...ROUTING, "Providers", "providers", "APIKEYS", "profile", "gateway"]);

interface Database {
  readonly config: Config | null;
  readonly backups: readonly Config[];
  readonly keys: readonly Row[];
  readonly fields: SourceFields;
}

function readDatabase(draft: SetupBuilder, { tables, otherTables }: FileRead): Database {
  const settings = (tables["app_config"] ?? []).map(
    ({ key, value_json: value }) => [String(key), parseColumn(value)] as const,
  );
  const keys = tables["api_keys"] ?? [];
  const archived = (tables["legacy_storage_backups"] ?? []).toSorted((a, b) =>
    String(b["archived_at"]).localeCompare(String(a["archived_at"])),
  );
  const backups = archived.map((row) => ({
    ...row,
    content: row["source_kind"] === FILE ? parseColumn(row["content"]) : row["content"],
  }));
  const fields = draft.fields.source("", {
    app_config: Object.fromEntries(settings),
    api_keys: keys,
    legacy_storage_backups: backups,
    ...otherTables,
  });
  for (const index of backups.keys()) fields.left(["legacy_storage_backups", index], "unused");
  const data = settings.find(([key]) => key === "default")?.[1];
  return {
    config: isRecord(data) ? { data, fields: fields.below(["app_config", "default"]), isFile: false } : null,
    backups: backups.flatMap(({ content }, index) =>
      isRecord(content)
        ? [{ data: content, fields: fields.below(["legacy_storage_backups", index, "content"]), isFile: true }]
        : [],
    ),
    keys,
    fields: fields.below(["api_keys"]),
  };
}

const FILE = "legacy-json-config";

/** Parses a column with JSON; returns other text unchanged. */
function parseColumn(value: Row[string] | undefined): unknown {
  const text = value instanceof Uint8Array ? Buffer.from(value).toString("utf8") : value;
  return typeof text === "string" ? (readJson(text) ?? text) : text;
}

function readFile(draft: SetupBuilder, { path, data }: FileRead): Config | null {
  if (!path.endsWith("config.json") && path !== PASTED) return null;
  const fields = draft.fields.source("", data);
  return isRecord(data) ? { data, fields, isFile: true } : null;
}

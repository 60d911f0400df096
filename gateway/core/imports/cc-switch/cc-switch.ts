import { isRecord } from "../../../lib/records.ts";
import { joinPath } from "../../clients/place.ts";
import { SetupBuilder } from "../setup-builder.ts";
import { PASTED } from "../importer.ts";
import type { FileRead, RequestedFile, Imported, Importer, Places } from "../importer.ts";
import type { Known } from "../known.ts";
import { readItems, readMembers, readNumber, readText } from "../values.ts";
import { addConnections, markModels } from "./connections.ts";
import { linkRow } from "./link.ts";
import { addRoutes } from "./routes.ts";
import { findCurrent, failingOver, fileRows, markUniversal, parsedColumn, tableRows } from "./rows.ts";

/**
 * cc-switch (https://github.com/farion1231/cc-switch): `cc-switch.db` of version 3.8 and later, `config.json` before,
 * and links. Its folder may be elsewhere, as set in `app_paths.json` of its store.
 */
export const ccSwitchImporter: Importer = { id: "cc-switch", label: "cc-switch", files, more, read };

const TABLES = ["providers", "provider_endpoints", "settings", "proxy_config"] as const;
const DATABASE = "cc-switch.db";
const PATHS = "app_paths.json";
/** The usual port of its proxy. */
const PORT = "15721";

function files(places: Places): readonly RequestedFile[] {
  const { folder, home } = places;
  if (folder !== null) return findFiles(places, folder);
  return [
    ...findFiles(places, joinPath(places, home, ".cc-switch")),
    { path: joinPath(places, readStore(places), PATHS) },
  ];
}

function findFiles(places: Places, folder: string): readonly RequestedFile[] {
  return [
    { path: joinPath(places, folder, DATABASE), tables: TABLES },
    { path: joinPath(places, folder, "settings.json") },
    { path: joinPath(places, folder, "config.json") },
  ];
}

/** Returns Tauri's folder for an app's stores (https://v2.tauri.app/plugin/store/), by cc-switch's identifier. */
function readStore(places: Places): string {
  const { platform, home, env } = places;
  const id = "com.ccswitch.desktop";
  if (platform === "darwin") return joinPath(places, home, "Library", "Application Support", id);
  if (platform === "win32") return joinPath(places, env["APPDATA"] ?? joinPath(places, home, "AppData", "Roaming"), id);
  return joinPath(places, env["XDG_DATA_HOME"] ?? joinPath(places, home, ".local", "share"), id);
}

/** The folder that the owner of cc-switch has chosen. */
function more(found: readonly FileRead[], places: Places): readonly RequestedFile[] {
  return found.flatMap(({ path, data }) => {
    const chosen = path.endsWith(PATHS) ? readText(readMembers(data)["app_config_dir_override"]) : null;
    if (chosen === null) return [];
    return findFiles(places, chosen.replace(/^~(?=$|[/\\])/, places.home));
  });
}

function read(found: readonly FileRead[], places: Places, known: Known): Imported | null {
  const draft = new SetupBuilder(known);
  const pasted = found.find(({ path }) => path === PASTED);
  if (pasted !== undefined) return readPasted(draft, pasted.text);
  const current = new Map(found.flatMap((file) => [...readSettings(draft, file)]));
  // Databases in a chosen folder come after those in the usual one.
  const databases = found.filter(({ tables }) => Object.hasOwn(tables, "providers")).toReversed();
  const [newest, ...others] = databases.map((file) => readDatabase(draft, file, current));
  for (const { fields } of others) fields.left([], "unused");
  const old = found.flatMap((file) => readOld(draft, file) ?? []);
  if (newest !== undefined) for (const { fields } of old) fields.left([], "unused");
  const rows = newest?.rows ?? old.flatMap(({ rows: own }) => own);
  if (newest === undefined && old.length === 0) return null;
  const failsOver = newest?.failsOver ?? new Set<string>();
  const reached = addConnections(draft, rows, {
    env: places.env,
    ports: [PORT, ...(newest?.ports ?? [])],
    isUsed: ({ app, isCurrent, inQueue }) => isCurrent || (inQueue && failsOver.has(app)),
  });
  for (const each of reached) markModels(draft, each);
  addRoutes(draft, reached, failsOver);
  return draft.done();
}

/** Parses links, one per line. */
function readPasted(draft: SetupBuilder, text: string): Imported | null {
  const links = text.split(/\s+/).filter((each) => each.toLowerCase().startsWith("ccswitch://"));
  if (links.length === 0) return null;
  const rows = links.flatMap(
    (link, index) => linkRow(draft, link, links.length === 1 ? "" : `link ${index + 1}`) ?? [],
  );
  // A link may come from an attacker, so values of this environment must not be sent anywhere.
  const reached = addConnections(draft, rows, { env: null, ports: [PORT], isUsed: () => true });
  for (const each of reached) markModels(draft, each);
  addRoutes(draft, reached, new Set());
  return draft.done();
}

function readDatabase(
  draft: SetupBuilder,
  { path, tables, otherTables }: FileRead,
  current: ReadonlyMap<string, string>,
) {
  const providers = (tables["providers"] ?? []).map((row) => ({
    ...row,
    settings_config: parsedColumn(row["settings_config"]),
    meta: parsedColumn(row["meta"]),
  }));
  const settings = Object.fromEntries(
    (tables["settings"] ?? []).map(({ key, value }) => [String(key), key === UNIVERSAL ? parsedColumn(value) : value]),
  );
  const proxy = tables["proxy_config"] ?? [];
  const fields = draft.fields.source("", {
    providers,
    provider_endpoints: tables["provider_endpoints"] ?? [],
    settings,
    proxy_config: proxy,
    ...otherTables,
  });
  const rows = tableRows(providers, fields.below(["providers"]), current).toSorted(
    (a, b) => appOrder(a.app) - appOrder(b.app) || a.order - b.order,
  );
  markUniversal(settings[UNIVERSAL], fields.below(["settings", UNIVERSAL]), rows);
  fields.left(["proxy_config"], "own-address");
  const ports = proxy.flatMap(({ listen_port: port }) => {
    const number = readNumber(port);
    return number === null ? [] : [String(number)];
  });
  return { path, rows, fields, ports, failsOver: failingOver(readItems(proxy)) };
}

const UNIVERSAL = "universal_providers";

/** Names are given to Claude Code's providers first: it is what cc-switch began with. */
const appOrder = (app: string): number => ["claude", "codex", "gemini"].indexOf(app) + 1 || 9;

/** `settings.json`: which provider this machine uses. */
function readSettings(draft: SetupBuilder, { path, data }: FileRead): ReadonlyMap<string, string> {
  if (!path.endsWith("settings.json") && !path.endsWith(PATHS)) return new Map();
  const name = path.endsWith(PATHS) ? PATHS : "settings.json";
  const fields = draft.fields.source(name, data);
  for (const field of Object.keys(readMembers(data)))
    if (field.startsWith("currentProvider")) fields.recordTaken([field], "the provider that is asked first");
  return path.endsWith(PATHS) ? new Map() : findCurrent(readMembers(data));
}

function readOld(draft: SetupBuilder, { path, data }: FileRead) {
  if (!/[/\\]config\.json$/.test(path)) return null;
  const fields = draft.fields.source("config.json", data);
  return isRecord(data) ? { rows: fileRows(data, fields), fields } : null;
}

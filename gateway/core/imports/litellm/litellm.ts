import type { SetupKey } from "../../../contract/setup.ts";
import { parseDotenv } from "../../../lib/dotenv.ts";
import { isRecord } from "../../../lib/records.ts";
import { joinPath } from "../../clients/place.ts";
import { SetupBuilder } from "../setup-builder.ts";
import { PASTED } from "../importer.ts";
import type { FileRead, RequestedFile, Imported, Importer, Places } from "../importer.ts";
import type { Known } from "../known.ts";
import { findStrictest } from "../limits.ts";
import type { Budget } from "../limits.ts";
import { resolveReferences } from "../references.ts";
import { readItems, readMembers, readNumber, readText } from "../values.ts";
import { listItems, sections } from "./config.ts";
import type { Document } from "./config.ts";
import { readDeployments } from "./deployments.ts";
import { addRoutes } from "./routes.ts";

/**
 * LiteLLM's proxy (https://docs.litellm.ai/docs/proxy/configs): a YAML file that is named when it is started
 * (`litellm --config …`), files that it includes, and `.env` next to it. Keys that it has made are in its database.
 */
export const litellmImporter: Importer = { id: "litellm", label: "LiteLLM", files, more, read };

type Env = Readonly<Record<string, string | undefined>>;

const NAMES = ["litellm_config.yaml", "litellm-config.yaml", "litellm.yaml", "proxy_server_config.yaml"] as const;
const PLAIN = ["config.yaml", "config.yml"] as const;

function files(places: Places): readonly RequestedFile[] {
  const { folder, home, env } = places;
  const inside = (where: string, names: readonly string[]): readonly RequestedFile[] =>
    names.map((name) => ({ path: joinPath(places, where, name) }));
  // Docker Compose reads the `.env` of the parent folder, where projects store it.
  if (folder !== null)
    return [
      ...inside(folder, [...NAMES, ...PLAIN]),
      ...inside(findParent(folder), [".env"]),
      ...inside(folder, [".env"]),
    ];
  // CONFIG_FILE_PATH configures its container (https://docs.litellm.ai/docs/proxy/deploy).
  const named = env["CONFIG_FILE_PATH"];
  return [
    ...(named === undefined || named === "" ? [] : [{ path: named }]),
    ...inside(home, NAMES),
    ...[".litellm", "litellm", joinPath(places, ".config", "litellm")].flatMap((below) =>
      inside(joinPath(places, home, below), [...NAMES, ...PLAIN, ".env"]),
    ),
  ];
}

const findParent = (folder: string): string => folder.replace(/(?<![\\/])[\\/]+[^\\/]+[\\/]*$/, "") || folder;

/** Files that are included lie next to the one that names them. Those in buckets are not read. */
function more(found: readonly FileRead[]): readonly RequestedFile[] {
  return found.flatMap(({ path, data }) => {
    const names = isYaml(path) ? readItems(readMembers(data)["include"]) : [];
    return names.flatMap((item) => {
      const name = readText(item);
      return name === null || name.includes("://") ? [] : [{ path: resolvePath(path, name) }];
    });
  });
}

const isYaml = (path: string): boolean => /\.ya?ml$/i.test(path) || path === PASTED;

/** A path as a file names it, absolute or from its own folder, without steps back. */
function resolvePath(path: string, name: string): string {
  const isAbsolute = /^([A-Za-z]:)?[\\/]/.test(name);
  const whole = isAbsolute ? name : path.replace(/(?<![^\\/])[^\\/]*$/, "") + name;
  const parts: string[] = [];
  for (const [index, part] of whole.split(/[\\/]/).entries()) {
    if (part === ".." && parts.length > 1) parts.pop();
    else if (index === 0 || (part !== "." && part !== "" && part !== "..")) parts.push(part);
  }
  return parts.join(whole.includes("\\") ? "\\" : "/");
}

function read(found: readonly FileRead[], places: Places, known: Known): Imported | null {
  const draft = new SetupBuilder(known);
  const paths = new Set(found.map(({ path }) => path));
  const documents = found.flatMap((file, index) => readFile(draft, file, index === 0, paths) ?? []);
  const main = documents.find(({ data }) => SECTIONS.some((name) => data[name] !== undefined));
  if (main === undefined) return null;
  const used = [main, ...listIncluded(main, documents)];
  for (const document of documents) if (!used.includes(document)) document.fields.left([], "unused");
  const env = readEnvironment(used, found, places);
  const whole = used.map((document) => ({ ...document, data: readMembers(fillVariables(document.data, env)) }));
  const deployments = readDeployments(draft, whole, env);
  addRoutes(draft, whole, deployments);
  readKeys(draft, whole, env);
  return draft.done();
}

const SECTIONS = ["model_list", "litellm_settings", "router_settings", "general_settings", "include"] as const;

function readFile(
  draft: SetupBuilder,
  { path, text, data }: FileRead,
  isFirst: boolean,
  paths: ReadonlySet<string>,
): Document | null {
  if (!isYaml(path)) return null;
  const name = path.replace(/^.*[\\/]/, "");
  const fields =
    isFirst || path === PASTED
      ? draft.fields.source("", data ?? { [name]: text })
      : draft.fields.source(name, data ?? text);
  if (!isRecord(data)) {
    fields.left([], "unreadable");
    return null;
  }
  for (const [index, file] of readItems(data["include"]).entries()) {
    const name = readText(file);
    if (name === null || name.includes("://")) continue;
    if (paths.has(resolvePath(path, name))) fields.recordTaken(["include", index], "file that was read");
    else fields.left(["include", index], "unreadable");
  }
  return { path, data, fields };
}

/** Returns the files that a file includes, directly or not; each file once. */
function listIncluded(main: Document, documents: readonly Document[]): readonly Document[] {
  const seen = new Set([main]);
  for (const { path, data } of seen) {
    for (const name of readItems(data["include"])) {
      const included = readText(name) === null ? null : resolvePath(path, String(name));
      const document = documents.find((each) => each.path === included);
      if (document !== undefined) seen.add(document);
    }
  }
  return [...seen].slice(1);
}

/** LiteLLM reads `.env`, and sets the variables of `environment_variables`. */
function readEnvironment(documents: readonly Document[], found: readonly FileRead[], { env }: Places) {
  const dotenv = found.filter(({ path }) => /(^|[\\/])\.env$/.test(path)).map(({ text }) => parseDotenv(text));
  const given = sections(documents, "environment_variables").map(({ section, fields }) => {
    const values = Object.entries(section).flatMap(([name, value]) => {
      const text = readText(value);
      if (text === null) return [];
      if (/key|token|secret|password/i.test(name)) fields.secret(text);
      fields.recordTaken([name], "value of a variable");
      return [[name, text] as const];
    });
    return Object.fromEntries(values);
  });
  return Object.assign({}, ...dotenv, env, ...given) as Env;
}

/**
 * Replaces variable references by their values, as LiteLLM does in every field (`_check_for_os_environ_vars` of
 * litellm/proxy/proxy_server.py, read on 2026-11-29). Unresolved references stay, so that the missing variable can be
 * reported.
 */
function fillVariables(value: unknown, env: Env): unknown {
  if (typeof value === "string" && value.startsWith("os.environ/")) {
    const found = resolveReferences(value, env);
    return "value" in found ? found.value : value;
  }
  if (Array.isArray(value)) return value.map((item) => fillVariables(item, env));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, fillVariables(inner, env)]));
}

const SEARCH = ["brave", "tavily", "exa"] as const;

const listSections = (documents: readonly Document[]) =>
  ["general_settings", "litellm_settings", "router_settings"].flatMap((name) => sections(documents, name));

const PARALLEL = ["max_parallel_requests", "global_max_parallel_requests"] as const;

/**
 * Reads the limits of all calls, which become those of the single key: `max_budget` of the proxy and of providers,
 * requests at a time (https://docs.litellm.ai/docs/proxy/config_settings and /docs/proxy/provider_budget_routing, read
 * on 2026-11-29).
 * @returns undefined if a key here cannot have such a limit
 */
function readLimits(documents: readonly Document[]): Partial<SetupKey> | undefined {
  const budgets = listItems(documents, "model_list").flatMap(({ item }) =>
    readBudget(readMembers(item["litellm_params"])),
  );
  const most = { rpm: [] as number[], concurrency: [] as number[] };
  for (const { section } of listSections(documents)) {
    budgets.push(...readBudget(section));
    for (const budget of Object.values(readMembers(section["provider_budget_config"])).map(readMembers))
      budgets.push({
        usd: readNumber(budget["budget_limit"] ?? budget["max_budget"]),
        period: readText(budget["time_period"] ?? budget["budget_duration"]),
      });
    if (section["tpm_limit"] != null) return undefined;
    most.rpm.push(...[section["rpm_limit"]].flatMap(readCount));
    most.concurrency.push(...PARALLEL.map((name) => section[name]).flatMap(readCount));
  }
  const limit = findStrictest(budgets);
  const counts = Object.entries(most).filter(([, values]) => values.length > 0);
  if (limit === undefined || counts.some(([, values]) => !values.every((value) => value >= 1))) return undefined;
  return { ...limit, ...Object.fromEntries(counts.map(([name, values]) => [name, Math.floor(Math.min(...values))])) };
}

const readBudget = (section: Readonly<Record<string, unknown>>): readonly Budget[] =>
  section["max_budget"] == null
    ? []
    : [{ usd: readNumber(section["max_budget"]), period: readText(section["budget_duration"]) ?? "never" }];

/** A count that cannot be read is 0, which no key here can have. */
const readCount = (value: unknown): readonly number[] => (value == null ? [] : [readNumber(value) ?? 0]);

/** The key of its owner, and those of search services (`search_tools`). */
function readKeys(draft: SetupBuilder, documents: readonly Document[], env: Env): void {
  for (const { section, fields } of sections(documents, "general_settings")) {
    const secret = readText(section["master_key"]);
    if (secret !== null) {
      fields.secret(secret);
      const key = resolveReferences(secret, env);
      const limit = "value" in key ? readLimits(documents) : {};
      const added =
        limit === undefined
          ? { reason: "not-supported" as const }
          : "value" in key
            ? draft.localKey(key.value, { name: "LiteLLM master key", ...limit })
            : key;
      if ("reason" in added) fields.left(["master_key"], added.reason);
      else fields.recordTaken(["master_key"], `key "${added.name}"`);
      if ("reason" in added || Object.keys(limit ?? {}).length === 0) continue;
      for (const { fields: own, section } of listSections(documents))
        for (const name of ["max_budget", "budget_duration", "provider_budget_config", "rpm_limit", ...PARALLEL])
          if (section[name] !== undefined) own.noteChange([name], `limit of key "${added.name}"`);
    }
    // Keys of users, teams and their budgets are there.
    const database = readText(section["database_url"]);
    if (database !== null) fields.secret(database);
  }
  for (const { item, fields } of listItems(documents, "search_tools")) {
    const params = readMembers(item["litellm_params"]);
    const service = SEARCH.find((each) => each === readText(params["search_provider"]));
    const secret = readText(params["api_key"]);
    if (secret === null) continue;
    fields.secret(secret);
    const key = resolveReferences(secret, env);
    if (service === undefined) fields.left([], "not-supported");
    else if ("reason" in key) fields.left([], key.reason);
    else if (draft.searchKey(service, key.value)) fields.recordTaken([], `key of the search service "${service}"`);
    else fields.left([], "unused");
  }
}

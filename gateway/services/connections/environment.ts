import { resolve } from "node:path";
import * as z from "zod";
import { settingFromText, describeValues } from "../../contract/setting-text.ts";
import { settingNames, getSetting, type Settings } from "../../contract/settings.ts";
import { settingsSchema } from "../../contract/settings-schema.ts";
import { createConnectionSchema } from "../../contract/connection.ts";
import { createKeySchema } from "../../contract/key.ts";
import type { CreateKey } from "../../contract/key.ts";
import { cleanSecret, isPlainSecret, SECRET_FORM } from "../../contract/secret.ts";
import { describeProxyProblems } from "../../core/network/proxy-rules.ts";
import { allowedTarget } from "../../upstream/targets.ts";
import { providerIds, providers } from "../../providers/registry.ts";
import type { ProviderId } from "../../providers/registry.ts";
import { isWebhookSecret } from "../webhooks/webhook-secrets.ts";

/** Checked settings from the environment. Nothing of it is ever logged. */
export interface Environment {
  readonly keys: readonly { readonly secret: string; readonly input: CreateKey }[];
  readonly connections: readonly EnvironmentConnection[];
  readonly settings: Readonly<Partial<Settings>>;
  /** `host:port` pairs on private addresses that downloads and webhooks may reach, as `formatTarget` writes them. */
  readonly allowedTargets: ReadonlySet<string>;
  /** Secret for webhook signatures, replaces a generated one. */
  readonly webhookSecret: string | null;
  /** Configuration file that is applied at the start; null for none. */
  readonly config: EnvironmentConfig | null;
  /** The environment variables, read for proxy settings. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Entries that were ignored, as sentences for the owner, without their values. */
  readonly problems: readonly string[];
}

export interface EnvironmentConfig {
  /** Absolute. */
  readonly path: string;
  /** Whether it is followed when it changes. */
  readonly watch: boolean;
  /** Opens its secrets; null without one. */
  readonly passphrase: string | null;
  /** Environment variables that the configuration may refer to. */
  readonly variables: Readonly<Record<string, string | undefined>>;
}

export interface EnvironmentConnection {
  readonly provider: ProviderId;
  /** Prefix of its variables, such as `POSTERN_OPENAI`. */
  readonly prefix: string;
  readonly name: string;
  readonly keys: readonly string[];
  /** Base URL as given; null for the provider's own. */
  readonly baseUrl: string | null;
  /** It may be plain http on the open internet. */
  readonly allowHttp: boolean;
  /** Proxy of the connection; null: as in the settings. */
  readonly proxy: string | null;
}

/** Min characters after `sk-`; shorter values are not secrets. Our own keys have 48. */
const SHORTEST_KEY = 6;
/** Shorter keys can be guessed in time: they work, but the user is warned. */
const SAFE_KEY = 20;
const KEY_FORM = `a local key begins with sk- and has at least ${SHORTEST_KEY} characters after it`;
const isLocalKey = (secret: string): boolean =>
  isPlainSecret(secret) && secret.startsWith("sk-") && secret.length >= "sk-".length + SHORTEST_KEY;

const environmentKeySchema = createKeySchema
  .omit({ expires_at: true })
  .extend({
    key: z.string().overwrite(cleanSecret).max(500).refine(isLocalKey, KEY_FORM),
    /** ISO 8601, Unix seconds or Unix milliseconds. */
    expires_at: z.union([z.string(), z.number()]).nullish(),
  })
  .strip();

/**
 * Reads the variables of docs/guide/headless-and-environment.md. Bad entries are skipped and reported, never guessed
 * at.
 */
export function readEnvironment(env: Readonly<Record<string, string | undefined>>): Environment {
  const problems: string[] = [];
  return {
    keys: [...createSingleKey(env, problems), ...createKeyList(env, problems)],
    connections: providerIds.flatMap((id) => getConnection(id, env, problems)),
    settings: getSettings(env, problems),
    allowedTargets: getAllowedTargets(env["POSTERN_ALLOW_TARGETS"], problems),
    webhookSecret: getWebhookSecret(env["POSTERN_WEBHOOK_SECRET"], problems),
    config: getConfig(env, problems),
    variables: env,
    problems: [...problems, ...describeProxyProblems(env)],
  };
}

function createSingleKey(env: Readonly<Record<string, string | undefined>>, problems: string[]): Environment["keys"] {
  const secret = cleanSecret(env["POSTERN_API_KEY"] ?? "");
  if (secret === "") return [];
  if (!isLocalKey(secret)) {
    problems.push(`POSTERN_API_KEY was ignored: ${KEY_FORM}.`);
    return [];
  }
  warnOfShort(secret, "POSTERN_API_KEY", problems);
  return [{ secret, input: { name: "environment" } }];
}

function createKeyList(env: Readonly<Record<string, string | undefined>>, problems: string[]): Environment["keys"] {
  const text = env["POSTERN_KEYS"]?.trim();
  if (text === undefined || text === "") return [];
  let entries: unknown;
  try {
    entries = JSON.parse(text);
  } catch {
    entries = null;
  }
  if (!Array.isArray(entries)) {
    problems.push("POSTERN_KEYS was ignored: it must be a JSON array of keys.");
    return [];
  }
  return entries.flatMap((entry, index) => {
    const parsed = environmentKeySchema.safeParse(entry, { jitless: true });
    if (!parsed.success) {
      const issue = parsed.error.issues[0];
      const field = issue?.path.join(".") ?? "";
      const why =
        issue?.message === KEY_FORM
          ? KEY_FORM
          : field === ""
            ? "it is not a key"
            : `its "${field}" is not valid${formatExpected(issue)}`;
      problems.push(`Entry ${index} of POSTERN_KEYS was ignored: ${why}.`);
      return [];
    }
    const { key, expires_at, ...limits } = parsed.data;
    const expiry = expires_at == null ? null : getMoment(expires_at);
    if (expiry !== null && !Number.isSafeInteger(expiry)) {
      problems.push(`Entry ${index} of POSTERN_KEYS was ignored: its "expires_at" is not a moment.`);
      return [];
    }
    warnOfShort(key, `Entry ${index} of POSTERN_KEYS`, problems);
    return [{ secret: key, input: { ...limits, expires_at: expiry } }];
  });
}

/** Formats the accepted values if the schema names them. */
const formatExpected = (issue: z.core.$ZodIssue | undefined): string =>
  issue?.message.startsWith("expected ") === true ? ` (${issue.message})` : "";

function warnOfShort(secret: string, name: string, problems: string[]): void {
  if (secret.length >= "sk-".length + SAFE_KEY) return;
  problems.push(`${name} works, but is short enough to be guessed: give it at least ${SAFE_KEY} characters after sk-.`);
}

/** Unix milliseconds. Numbers below 10¹¹ are seconds: in milliseconds they would lie before 1973-03. */
function getMoment(value: string | number): number {
  if (typeof value === "string") return Date.parse(value);
  return value < 1e11 ? Math.round(value * 1_000) : Math.round(value);
}

function getConnection(
  id: ProviderId,
  env: Readonly<Record<string, string | undefined>>,
  problems: string[],
): readonly EnvironmentConnection[] {
  const { environment, defaultBaseUrl } = providers[id];
  const prefix = `POSTERN_${environment.name}`;
  const given = (env[`${prefix}_API_KEY`] ?? "")
    .split(",")
    .map(cleanSecret)
    .filter((key) => key !== "");
  const keys = given.filter(isPlainSecret);
  if (keys.length < given.length) problems.push(`A key of ${prefix}_API_KEY was ignored: ${SECRET_FORM}.`);
  const baseUrl = env[`${prefix}_BASE_URL`]?.trim() || null;
  if (keys.length === 0 && baseUrl === null) return [];
  if (defaultBaseUrl === null && baseUrl === null) {
    problems.push(`${prefix}_API_KEY was ignored: ${prefix}_BASE_URL must say where the server is.`);
    return [];
  }
  const allowHttp = getSwitch(`${prefix}_ALLOW_HTTP`, env, problems);
  const proxy = readProxyChoice(`${prefix}_PROXY`, env, problems);
  return [{ provider: id, prefix, name: environment.connection, keys, baseUrl, allowHttp, proxy }];
}

function getConfig(env: Readonly<Record<string, string | undefined>>, problems: string[]): EnvironmentConfig | null {
  const path = env["POSTERN_CONFIG"]?.trim() ?? "";
  if (path === "") return null;
  const watch = getSwitch("POSTERN_CONFIG_WATCH", env, problems);
  return { path: resolve(path), watch, passphrase: env["POSTERN_CONFIG_PASSPHRASE"] || null, variables: env };
}

function readProxyChoice(
  name: string,
  env: Readonly<Record<string, string | undefined>>,
  problems: string[],
): string | null {
  const value = env[name]?.trim() ?? "";
  if (value === "" || createConnectionSchema.shape.proxy.safeParse(value).success) return value || null;
  problems.push(`${name} was ignored: it must be default, direct or the address of a proxy.`);
  return null;
}

function getSwitch(name: string, env: Readonly<Record<string, string | undefined>>, problems: string[]): boolean {
  const value = env[name]?.trim().toLowerCase() ?? "";
  if (value !== "" && value !== "on" && value !== "off") problems.push(`${name} was ignored: it must be on or off.`);
  return value === "on";
}

/** Reads settings from environment variables, which override stored values. */
function getSettings(env: Readonly<Record<string, string | undefined>>, problems: string[]): Partial<Settings> {
  const entries = settingNames.flatMap((name) => {
    const setting = getSetting(name);
    const text = setting.environment === undefined ? "" : (env[setting.environment]?.trim() ?? "");
    if (text === "") return [];
    const value = settingFromText(
      setting,
      setting.kind === "url" || setting.kind === "proxy" ? text : text.toLowerCase(),
    );
    if (settingsSchema.shape[name].safeParse(value).success) return [[name, value]];
    problems.push(`${setting.environment} was ignored: it must be ${describeValues(setting)}.`);
    return [];
  });
  return Object.fromEntries(entries) as Partial<Settings>;
}

function getWebhookSecret(value: string | undefined, problems: string[]): string | null {
  const secret = value?.trim() ?? "";
  if (secret === "") return null;
  if (isWebhookSecret(secret)) return secret;
  problems.push("POSTERN_WEBHOOK_SECRET was ignored: it must be whsec_ and the base64 of 24 to 64 random bytes.");
  return null;
}

function getAllowedTargets(value: string | undefined, problems: string[]): ReadonlySet<string> {
  const targets = new Set<string>();
  for (const [index, entry] of (value ?? "").split(",").entries()) {
    if (entry.trim() === "") continue;
    const checked = allowedTarget(entry.trim());
    if ("target" in checked) targets.add(checked.target);
    else problems.push(`Entry ${index} of POSTERN_ALLOW_TARGETS was ignored: ${checked.problem}.`);
  }
  return targets;
}

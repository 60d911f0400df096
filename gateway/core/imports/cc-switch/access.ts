import type { Spoken } from "../addresses.ts";
import { readToml } from "../documents.ts";
import { readItems, readMembers, readText } from "../values.ts";

/**
 * Reads cc-switch's record of a provider: each app's own configuration lines (`settings_config`), and additions (`meta`).
 * Source: https://github.com/farion1231/cc-switch at 5ca9459, read 2026-11-24: src-tauri/src/provider.rs,
 * proxy/providers/{claude,codex,gemini}.rs, codex_config.rs, grok_config.rs, src/config/*ProviderPresets.ts.
 */

type Members = Readonly<Record<string, unknown>>;
type Path = readonly (string | number)[];

/** A text, and its path in `settings_config`. */
interface Written {
  readonly text: string;
  readonly path: Path;
}

export interface ListedModel extends Written {
  /** USD per million tokens, if given. */
  readonly cost: unknown;
}

/** An app's access to a provider. */
export interface Access {
  readonly address: Written | null;
  readonly key: Written | null;
  /** Environment variable with the key, if used instead. */
  readonly keyVariable: Written | null;
  readonly spoken: Spoken;
  /** Models that the app requests, by purpose; `main` is its default. */
  readonly requested: ReadonlyMap<"main" | "opus" | "sonnet" | "haiku" | "fable", Written>;
  readonly models: readonly ListedModel[];
  /** Paths of the settings that are understood. */
  readonly marked: readonly Path[];
}

const NOTHING: Access = {
  address: null,
  key: null,
  keyVariable: null,
  spoken: null,
  requested: new Map(),
  models: [],
  marked: [],
};

/** @returns null for an app that Postern does not support */
export function readAccess(app: string, settings: unknown, meta: Members): Access | null {
  const config = readMembers(settings);
  switch (app) {
    case "claude":
    case "claude-desktop":
      return claude(config, meta);
    case "codex":
      return codex(config, meta);
    case "gemini":
      return gemini(config);
    case "grokbuild":
      return grok(config);
    case "opencode":
      return opencode(config);
    case "openclaw":
    case "pi":
      return additive(config, { address: "baseUrl", key: "apiKey", dialect: "api" });
    case "hermes":
      return additive(config, { address: "base_url", key: "api_key", dialect: "api_mode" });
    default:
      return null;
  }
}

/** Returns the dialect for any app's name of it; undefined if Postern does not support it. */
export function dialectNamed(name: unknown): Spoken | undefined {
  const dialect = readText(name)?.toLowerCase().replaceAll("_", "-");
  if (dialect === undefined) return null;
  return DIALECTS.get(dialect);
}

const DIALECTS: ReadonlyMap<string, Spoken> = new Map([
  ["anthropic", "messages"],
  ["anthropic-messages", "messages"],
  ["messages", "messages"],
  ["@ai-sdk/anthropic", "messages"],
  ["chat", "chat"],
  ["chat-completions", "chat"],
  ["openai-chat", "chat"],
  ["openai-chat-completions", "chat"],
  ["openai-completions", "chat"],
  ["@ai-sdk/openai-compatible", "chat"],
  ["responses", "responses"],
  ["openai-responses", "responses"],
  ["codex-responses", "responses"],
  ["@ai-sdk/openai", "responses"],
  ["gemini-native", "gemini"],
  ["google-generative-ai", "gemini"],
  ["@ai-sdk/google", "gemini"],
]);

/** The first of some members that is a text. */
function first(config: Members, paths: readonly Path[]): Written | null {
  for (const path of paths) {
    let at: unknown = config;
    for (const step of path) at = readMembers(at)[step];
    const text = readText(at);
    if (text !== null) return { text, path };
  }
  return null;
}

const ASKED = {
  main: "ANTHROPIC_MODEL",
  opus: "ANTHROPIC_DEFAULT_OPUS_MODEL",
  sonnet: "ANTHROPIC_DEFAULT_SONNET_MODEL",
  haiku: "ANTHROPIC_DEFAULT_HAIKU_MODEL",
  fable: "ANTHROPIC_DEFAULT_FABLE_MODEL",
} as const;

/** Claude Code's own variables. Its earlier name for haiku's is read where the newer one is missing. */
function claude(config: Members, meta: Members): Access {
  const requested = new Map<keyof typeof ASKED, Written>();
  for (const [use, name] of Object.entries(ASKED)) {
    const paths = [["env", name], ...(use === "haiku" ? [["env", "ANTHROPIC_SMALL_FAST_MODEL"]] : [])];
    const model = first(config, paths);
    if (model !== null) requested.set(use as keyof typeof ASKED, { ...model, text: withoutWindow(model.text) });
  }
  const compatible = config["openrouter_compat_mode"];
  const format = meta["apiFormat"] ?? config["api_format"] ?? (isYes(compatible) ? "openai_chat" : "anthropic");
  return {
    ...NOTHING,
    address: first(config, [["env", "ANTHROPIC_BASE_URL"], ["base_url"], ["baseURL"], ["apiEndpoint"]]),
    key: first(config, [
      ["env", "ANTHROPIC_AUTH_TOKEN"],
      ["env", "ANTHROPIC_API_KEY"],
      ["env", "OPENROUTER_API_KEY"],
      ["env", "OPENAI_API_KEY"],
      ["env", "GEMINI_API_KEY"],
      ["env", "GOOGLE_API_KEY"],
      ["apiKey"],
      ["api_key"],
    ]),
    // An unknown dialect is Anthropic's, as in cc-switch.
    spoken: dialectNamed(format) ?? "messages",
    requested,
    marked: [["api_format"], ["openrouter_compat_mode"]],
  };
}

const isYes = (value: unknown): boolean =>
  value === true || (typeof value === "number" && value !== 0) || value === "true" || value === "1";

/**
 * Claude Code requests `glm-5[1m]` for models with a context of a million tokens; the suffix is not part of the name.
 */
const withoutWindow = (model: string): string => model.replace(/\[1m\]$/i, "");

/** Codex: `auth.json`, and `config.toml` as a text with the provider that is in use. */
function codex(config: Members, meta: Members): Access {
  const toml = readMembers(readToml(readText(config["config"]) ?? ""));
  const active = readText(toml["model_provider"]);
  const provider = active === null ? {} : readMembers(readMembers(toml["model_providers"])[active]);
  const path = ["config"];
  const written = (value: unknown): Written | null => {
    const text = readText(value);
    return text === null ? null : { text, path };
  };
  const model = written(toml["model"]);
  const format =
    meta["apiFormat"] ?? config["apiFormat"] ?? config["api_format"] ?? provider["wire_api"] ?? toml["wire_api"];
  return {
    ...NOTHING,
    address: written(provider["base_url"]) ?? written(toml["base_url"]),
    key: first(config, [["auth", "OPENAI_API_KEY"]]) ?? written(provider["experimental_bearer_token"]),
    keyVariable: written(provider["env_key"]),
    spoken: dialectNamed(format) ?? "responses",
    requested: new Map(model === null ? [] : [["main", model]]),
    models: readItems(readMembers(config["modelCatalog"])["models"] ?? config["modelCatalog"]).flatMap(
      (item, index) => {
        const id = readText(readMembers(item)["model"]);
        return id === null ? [] : [{ text: id, path: ["modelCatalog", index], cost: null }];
      },
    ),
    marked: [["apiFormat"], ["api_format"]],
  };
}

function gemini(config: Members): Access {
  const model = first(config, [["env", "GEMINI_MODEL"]]);
  return {
    ...NOTHING,
    address: first(config, [
      ["env", "GOOGLE_GEMINI_BASE_URL"],
      ["env", "GEMINI_BASE_URL"],
    ]),
    key: first(config, [
      ["env", "GEMINI_API_KEY"],
      ["env", "GOOGLE_API_KEY"],
    ]),
    spoken: "gemini",
    requested: new Map(model === null ? [] : [["main", model]]),
  };
}

/** Grok's `config.toml`: `[models] default` names one of `[model.…]`. */
function grok(config: Members): Access {
  const toml = readMembers(readToml(readText(config["config"]) ?? ""));
  const name = readText(readMembers(toml["models"])["default"]);
  const chosen = name === null ? {} : readMembers(readMembers(toml["model"])[name]);
  const written = (value: unknown): Written | null => {
    const text = readText(value);
    return text === null ? null : { text, path: ["config"] };
  };
  const model = written(chosen["model"]);
  return {
    ...NOTHING,
    address: written(chosen["base_url"]),
    key: written(chosen["api_key"]),
    keyVariable: written(chosen["env_key"]),
    spoken: dialectNamed(chosen["api_backend"]) ?? "responses",
    requested: new Map(model === null ? [] : [["main", model]]),
  };
}

function opencode(config: Members): Access {
  return {
    ...NOTHING,
    address: first(config, [["options", "baseURL"]]),
    key: first(config, [["options", "apiKey"]]),
    spoken: dialectNamed(config["npm"]) ?? "chat",
    models: Object.entries(readMembers(config["models"])).map(([id, model]) => ({
      text: id,
      path: ["models", id],
      cost: readMembers(model)["cost"],
    })),
    marked: [["npm"], ["name"]],
  };
}

/** OpenClaw, Pi and Hermes: flat, with a list of models, or an object of them. */
function additive(
  config: Members,
  names: { readonly address: string; readonly key: string; readonly dialect: string },
): Access {
  const list = config["models"];
  const models = Array.isArray(list)
    ? list.flatMap((item: unknown, index): readonly ListedModel[] => {
        const id = readText(readMembers(item)["id"]) ?? readText(item);
        return id === null ? [] : [{ text: id, path: ["models", index], cost: readMembers(item)["cost"] }];
      })
    : Object.entries(readMembers(list)).map(([id, model]) => ({
        text: id,
        path: ["models", id],
        cost: readMembers(model)["cost"],
      }));
  return {
    ...NOTHING,
    address: first(config, [[names.address]]),
    key: first(config, [[names.key]]),
    spoken: dialectNamed(config[names.dialect]) ?? "chat",
    models,
    marked: [[names.dialect], ["name"]],
  };
}

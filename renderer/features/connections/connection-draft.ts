import { createConnectionSchema, type CreateConnection } from "../../../gateway/contract/connection.ts";
import type { Preset } from "../../../gateway/contract/control.ts";

/** A connection in the form. */
export interface ConnectionDraft {
  readonly preset: Preset;
  readonly name: string;
  readonly baseUrl: string;
  readonly keys: readonly string[];
  /** Whether plain http to the internet is confirmed. */
  readonly allowHttp: boolean;
  /** Whether prompts are marked for its cache; only if the preset supports it. */
  readonly promptCaching: boolean;
}

export const connectionFields = [
  "name",
  "base_url",
  "keys",
  "priority",
  "allow_http",
  "proxy",
  "headers",
  "body",
  "rpm",
  "concurrency",
  "credit_notice",
  "models",
] as const;
export type ConnectionField = (typeof connectionFields)[number];

export type ReadConnection =
  | { readonly ok: true; readonly body: CreateConnection }
  | { readonly ok: false; readonly invalid: ReadonlySet<ConnectionField> };

/** The preset without a base URL is for any other server: nothing is prefilled. */
export function draftOfPreset(preset: Preset): ConnectionDraft {
  const known = preset.base_url !== "";
  return {
    preset,
    name: known ? preset.label : "",
    baseUrl: preset.base_url,
    keys: [""],
    allowHttp: false,
    promptCaching: false,
  };
}

/** Connection that a link from outside names. Never a key: the user types that. */
export interface LinkedConnection {
  readonly provider: string;
  /** Empty: the provider's own. */
  readonly baseUrl: string;
  readonly name: string;
}

/**
 * Returns the preset of a link, with the link's values; a foreign address is not shown under a provider's name. Links
 * to unknown providers are ignored.
 */
export function draftOfLink(link: LinkedConnection, presets: readonly Preset[], first: Preset): ConnectionDraft {
  const same = presets.filter(({ provider }) => provider === link.provider);
  if (same.length === 0) return draftOfPreset(first);
  const preset =
    (link.baseUrl === ""
      ? same.find(({ base_url }) => base_url !== "" && link.provider !== "openai-compatible")
      : same.find(({ base_url }) => base_url === link.baseUrl)) ??
    presets.find(({ base_url, provider }) => base_url === "" && provider === link.provider) ??
    same[0] ??
    first;
  const draft = draftOfPreset(preset);
  return {
    ...draft,
    name: link.name === "" ? draft.name : link.name,
    baseUrl: link.baseUrl === "" ? draft.baseUrl : link.baseUrl,
  };
}

/** The form's text as a new connection, by the contract's own bounds. */
export function readConnection(draft: ConnectionDraft): ReadConnection {
  const keys = draft.keys.map((key) => key.trim()).filter((key) => key !== "");
  const invalid = new Set<ConnectionField>();
  if (draft.preset.needs_key && keys.length === 0) invalid.add("keys");
  if (!isHttpUrl(draft.baseUrl)) invalid.add("base_url");
  const result = createConnectionSchema.safeParse({
    provider: draft.preset.provider,
    name: draft.name,
    base_url: draft.baseUrl,
    ...(keys.length > 0 && { keys }),
    ...(draft.allowHttp && { allow_http: true }),
    ...(draft.preset.caches && draft.promptCaching && { prompt_caching: true }),
  });
  for (const { path } of result.error?.issues ?? []) {
    const field = connectionFields.find((each) => each === path[0]);
    if (field !== undefined) invalid.add(field);
  }
  return result.success && invalid.size === 0 ? { ok: true, body: result.data } : { ok: false, invalid };
}

/** Returns the origin of a typed base URL; null while it is not a URL. */
export function getOrigin(text: string): string | null {
  return isHttpUrl(text) ? new URL(text.trim()).origin : null;
}

export function isHttpUrl(text: string): boolean {
  return /^https?:\/\/[^\s/]/i.test(text.trim()) && URL.canParse(text.trim());
}

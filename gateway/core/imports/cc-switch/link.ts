import { isRecord } from "../../../lib/records.ts";
import { readJson, readToml } from "../documents.ts";
import type { SetupBuilder } from "../setup-builder.ts";
import { readMembers, readText } from "../values.ts";
import { readAccess } from "./access.ts";
import type { ProviderRow } from "./rows.ts";

/**
 * `ccswitch://v1/import?resource=provider&app=…&name=…&endpoint=…&apiKey=…&model=…&config=<base64>`: parameters of the
 * link override `config` (src-tauri/src/deeplink/{parser,provider,utils}.rs at 5ca9459, read on 2026-11-24).
 */
export function linkRow(draft: SetupBuilder, link: string, name: string): ProviderRow | null {
  const url = URL.parse(link);
  const given = url === null ? {} : Object.fromEntries(url.searchParams);
  const config = decodeBase64(given["config"], given["configFormat"]);
  const fields = draft.fields.source(name, url === null ? link : { ...given, ...(config === null ? {} : { config }) });
  for (const secret of ["apiKey", "usageApiKey", "usageAccessToken"]) fields.secret(given[secret]?.trim() ?? "");
  if (url?.protocol !== "ccswitch:" || url.host !== "v1" || url.pathname !== "/import") {
    fields.left([], "unreadable");
    return null;
  }
  if (given["resource"] !== "provider") return null;
  const app = readText(given["app"]) ?? "";
  const [endpoint = "", ...others] = (given["endpoint"] ?? "").split(",").map((each) => each.trim());
  const settings = readSettings(app, { ...given, endpoint }, config);
  if (settings === null) {
    fields.left([], "unreadable");
    return null;
  }
  const label = readText(given["name"]) ?? "cc-switch";
  const becomes = `connection "${label}"`;
  for (const param of ["resource", "app", "name", "apiKey", "config", "configFormat"])
    if (given[param] !== undefined) fields.recordTaken([param], becomes);
  if (given["endpoint"] !== undefined) {
    // If there are several addresses, the first one is used.
    if (others.some((each) => each !== "")) fields.noteChange(["endpoint"], becomes, "not-supported");
    else fields.recordTaken(["endpoint"], becomes);
  }
  for (const param of MODELS) if (given[param] !== undefined) fields.recordTaken([param], `route of ${becomes}`);
  return {
    id: label,
    app,
    name: label,
    settings,
    meta: {},
    category: null,
    // A single link selects the provider to use.
    isCurrent: given["enabled"] !== "false",
    inQueue: false,
    order: 0,
    fields,
  };
}

const MODELS = ["model", "opusModel", "sonnetModel", "haikuModel", "enabled"] as const;

type Given = Readonly<Record<string, string | undefined>>;

/** Reads a provider's settings in an app's format; null for an unknown app. */
function readSettings(app: string, given: Given, config: unknown): unknown {
  const own = readAccess(app, config, {});
  if (own === null) return null;
  const address = readText(given["endpoint"]) ?? own.address?.text;
  const key = readText(given["apiKey"]) ?? own.key?.text;
  const model = readText(given["model"]) ?? own.requested.get("main")?.text;
  if (app === "claude") {
    return {
      env: {
        ...readMembers(readMembers(config)["env"]),
        ANTHROPIC_BASE_URL: address,
        ANTHROPIC_AUTH_TOKEN: key,
        ...(model === undefined ? {} : { ANTHROPIC_MODEL: model }),
        ...withText("ANTHROPIC_DEFAULT_OPUS_MODEL", given["opusModel"]),
        ...withText("ANTHROPIC_DEFAULT_SONNET_MODEL", given["sonnetModel"]),
        ...withText("ANTHROPIC_DEFAULT_HAIKU_MODEL", given["haikuModel"]),
      },
    };
  }
  if (app === "gemini") return { env: { GOOGLE_GEMINI_BASE_URL: address, GEMINI_API_KEY: key, GEMINI_MODEL: model } };
  if (app === "codex" || app === "grokbuild") {
    const text = (value: string | undefined): string => JSON.stringify(value ?? "");
    const toml =
      app === "codex"
        ? `model_provider = "custom"\nmodel = ${text(model)}\n[model_providers.custom]\nbase_url = ${text(address)}\n`
        : `[models]\ndefault = "custom"\n[model.custom]\nmodel = ${text(model)}\nbase_url = ${text(address)}\napi_key = ${text(key)}\n`;
    return { auth: { OPENAI_API_KEY: key }, config: toml };
  }
  const models = model === undefined ? [] : [{ id: model }];
  if (app === "opencode") {
    return {
      npm: readMembers(config)["npm"],
      options: { baseURL: address, apiKey: key },
      models: model === undefined ? readMembers(config)["models"] : { [model]: {} },
    };
  }
  return { ...readMembers(config), baseUrl: address, apiKey: key, base_url: address, api_key: key, models };
}

const withText = (name: string, value: string | undefined): Given =>
  readText(value) === null ? {} : { [name]: value };

/** Decodes base64 of a link, in either alphabet, with `+` that were decoded as spaces. */
function decodeBase64(text: string | undefined, format: string | undefined): unknown {
  if (readText(text) === null || text === undefined) return null;
  const plain = Buffer.from(text.trim().replaceAll(" ", "+"), "base64").toString("utf8");
  const data = format === "toml" ? readToml(plain) : readJson(plain);
  return isRecord(data) ? data : null;
}

import * as z from "zod";
import { clientIdSchema } from "../../contract/clients.ts";
import { settingNames, getSetting } from "../../contract/settings.ts";
import { setupFileSchema } from "../../contract/setup.ts";
import { isRecord } from "../../lib/records.ts";
import { providerIds, providers } from "../../providers/registry.ts";

type Json = Record<string, unknown>;

const TEXTS: Readonly<Record<string, string>> = {
  version: "Of this format.",
  connections: "Ways to providers, found again by their names.",
  keys: "Local keys that clients use, found again by sha256, else by their names.",
  route_models: "Names in chains of routes that mean models, although other routes have them too.",
  routes: "Names that clients use like a model, each with a fallback chain.",
  aliases: "Your own names of models: NAME: MODEL.",
  prices: "Your own prices, by model: USD per million tokens or characters, and per piece of everything else.",
  budgets: "Of clients and projects, of each day or month (UTC).",
  settings: "As on the Settings page and in `postern settings`.",
  search_keys: "Keys of search services.",
  webhook_secret: "What webhooks are signed with: whsec_ and base64.",
  telemetry_headers: "Header fields for the receiver of telemetry, as lines Name: value.",
  metrics_key: "Of /metrics, by its SHA-256.",
  clients: "Apps that were connected. An import names those that are not; it does not write their files.",
  secrets: "What ${secret:name} stands for, encrypted by a passphrase (age).",
  "connections.provider": "Which protocol it speaks.",
  "connections.base_url": "Without it the provider's own.",
  "connections.keys":
    "Keys of the provider: ${VARIABLE}, ${file:/path} or ${secret:name}. Left out, those that it has stay.",
  "connections.priority": "Lower is asked first; 100 unless said otherwise.",
  "connections.allow_http": "Plain http over the open internet is meant. Keys and prompts can be read on the way.",
  "connections.stands_in": "Whether a compatible server also answers for other providers' models by their own ids.",
  "connections.proxy":
    "How its requests leave this machine: default, direct, or the address of a proxy without a login.",
  "connections.prompt_caching": "Whether prompts are marked for the provider's cache where their client marks none.",
  "connections.models": "What you say of its models: ids that it does not list, and what a model is for.",
  "connections.headers":
    "Header fields of each request to it, as lines Name: value; *** keeps the value that is stored.",
  "connections.body": "Fields that its conversations get where a request has none of that name.",
  "connections.rpm": "Most requests per minute to it; null: no limit.",
  "connections.concurrency": "Most requests to it at the same time; null: no limit.",
  "connections.credit_notice": "Credit below which a notice says so, in the provider's currency; null: never.",
  "connections.local_server": "It was detected on this machine, and is asked while that program runs.",
  "keys.sha256": "SHA-256 of the whole key in hex: brings a key along that exists elsewhere.",
  "keys.secret": "The key itself, as ${VARIABLE}; instead of sha256.",
  "keys.models": "The only models that it may use, as ids or globs; null: all.",
  "keys.limit_usd": "Paid calls beyond this are refused; null: no limit.",
  "keys.reset": "When the limit resets (UTC).",
  "keys.expires_at": "Unix milliseconds; null: never.",
  "keys.rpm": "Requests per minute; null: no limit.",
  "keys.concurrency": "Max concurrent requests; null: no limit.",
  "routes.models": "The fallback chain: asked in this order.",
  "routes.order": "listed: as written; cheapest: by cost; fastest: by time to first token.",
  "routes.sticky": "A session stays with the model that responded to it last.",
  "routes.rules": "The first that holds decides which chain is asked.",
};

/** The JSON schema of the file, for editors: draft 7, which they all know. */
export function setupJsonSchema(): Json {
  const schema = z.toJSONSchema(setupFileSchema, { io: "input", target: "draft-7" }) as Json;
  for (const [path, text] of Object.entries(TEXTS)) describe(getField(schema, path), text);
  for (const name of settingNames) describe(getField(schema, `settings.${name}`), sentence(getSetting(name).about));
  const provider = getField(schema, "connections.provider");
  delete provider["pattern"];
  provider["enum"] = [...providerIds];
  provider["description"] =
    `${TEXTS["connections.provider"]} ${providerIds.map((id) => `${id}: ${providers[id].label}`).join("; ")}.`;
  // The field also accepts a reference.
  delete getField(schema, "keys.secret")["pattern"];
  delete getField(schema, "keys.secret")["minLength"];
  getField(schema, "clients")["items"] = { type: "string", enum: [...clientIdSchema.options] };
  return { ...schema, title: "Postern configuration" };
}

function describe(field: Json, text: string): void {
  field["description"] = text;
}

const sentence = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;

/** A field of the schema by its names, through lists. @throws Error for one that it does not have */
function getField(schema: Json, path: string): Json {
  let at = schema;
  for (const name of path.split(".")) {
    const inner = isRecord(at["items"]) ? at["items"] : at;
    const { properties } = inner;
    const next: unknown = isRecord(properties) ? properties[name] : undefined;
    if (!isRecord(next)) throw new Error(`the schema of the configuration has no field ${path}`);
    at = next;
  }
  return at;
}

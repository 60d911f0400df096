import type { FieldReason } from "../../../contract/imports.ts";
import { readHome } from "../addresses.ts";
import type { Home, Spoken } from "../addresses.ts";
import type { Seller } from "../chains.ts";
import type { SetupBuilder } from "../setup-builder.ts";
import type { SourceFields } from "../fields.ts";
import type { Known } from "../known.ts";
import { chooseName, namedProvider } from "../named-provider.ts";
import { resolveReferences, variable } from "../references.ts";
import { isOn, readMembers, readNumber, readText } from "../values.ts";
import { listItems } from "./config.ts";
import type { Document } from "./config.ts";

/**
 * `model_list` of LiteLLM (https://docs.litellm.ai/docs/proxy/configs, and litellm 1.109.1, read on 2026-11-24): entries
 * with the same `model_name` are deployments of one model, between which it chooses.
 */

type Members = Readonly<Record<string, unknown>>;
type Env = Readonly<Record<string, string | undefined>>;

export interface Deployment {
  /** The model name in clients' requests. */
  readonly group: string;
  /** The provider's model name; null: the requested one (`openai/*`). */
  readonly model: string | null;
  readonly seller: Seller;
  /** Lower values are tried first. */
  readonly order: number;
  readonly fields: SourceFields;
  readonly item: Members;
}

/** A deployment before it has a connection. */
interface Parsed {
  readonly group: string;
  /** Prefix of the model's name, or the provider implied without one. */
  readonly name: string;
  readonly model: string;
  readonly home: Home;
  readonly key: string | null;
  readonly item: Members;
  readonly fields: SourceFields;
}

/** The deployments of `model_list`. */
export interface Deployments {
  readonly usable: readonly Deployment[];
  /** Groups of which a deployment was left. */
  readonly broken: ReadonlySet<string>;
}

/** Adds connections, and returns the deployments' order. */
export function readDeployments(draft: SetupBuilder, documents: readonly Document[], env: Env): Deployments {
  const credentials = readCredentials(documents);
  const broken = new Set<string>();
  const parsed = listItems(documents, "model_list").flatMap(({ item, fields }): readonly Parsed[] => {
    const found = readDeployment(item, fields, { env, credentials, known: draft.known });
    if ("name" in found) return [found];
    fields.left([], found.reason);
    broken.add(readText(item["model_name"]) ?? "");
    return [];
  });
  for (const { name, model } of parsed) draft.sells(name, [model]);
  const sellers = addSellers(draft, parsed);
  const usable = parsed.map((deployment, index): Deployment => {
    const seller = sellers[index] as Seller;
    markDeployment(deployment, seller);
    return {
      group: deployment.group,
      model: deployment.model.includes("*") ? null : deployment.model,
      seller,
      order: readNumber(readMembers(deployment.item["litellm_params"])["order"]) ?? 0,
      fields: deployment.fields,
      item: deployment.item,
    };
  });
  return { usable, broken };
}

/** Deployments at one address share a connection if their keys are for the same models. */
function addSellers(draft: SetupBuilder, parsed: readonly Parsed[]): readonly Seller[] {
  const sellers = new Map<Parsed, Seller>();
  const byKey = Map.groupBy(parsed, ({ home, key }) => JSON.stringify([home.provider, home.baseUrl, key]));
  const byPlace = Map.groupBy(byKey.values(), (together) => {
    const { provider, baseUrl } = (together[0] as Parsed).home;
    return JSON.stringify([provider, baseUrl, [...new Set(together.map(({ model }) => model))].toSorted()]);
  });
  for (const groups of byPlace.values()) {
    const together = groups.flat();
    const { name, home } = together[0] as Parsed;
    const seller = draft.connection({ name, home, keys: together.flatMap(({ key }) => key ?? []) });
    for (const each of together) sellers.set(each, seller);
  }
  return parsed.map((each) => sellers.get(each) as Seller);
}

interface Context {
  readonly env: Env;
  readonly credentials: ReadonlyMap<string, Members>;
  readonly known: Known;
}

function readDeployment(
  item: Members,
  fields: SourceFields,
  { env, credentials, known }: Context,
): Parsed | { readonly reason: FieldReason } {
  const own = readMembers(item["litellm_params"]);
  const credential = credentials.get(readText(own["litellm_credential_name"]) ?? "") ?? {};
  const params = { ...credential, ...own };
  const given = readText(params["model"]);
  if (given === null) return { reason: "unreadable" };
  const written = resolveReferences(given, env);
  if ("reason" in written) {
    fields.left(["litellm_params", "model"], written.reason);
    return written;
  }
  const secret = readText(params["api_key"]);
  if (secret !== null) fields.secret(secret);
  // Mocked deployments ask no provider (https://docs.litellm.ai/docs/proxy/config_settings, read on 2026-11-29).
  if (params["mock_response"] !== undefined) return { reason: "not-supported" };
  const { name, model } = readModel(written.value, readText(params["custom_llm_provider"]), known);
  const address = readText(params["api_base"]) ?? readText(params["base_url"]);
  const base = address === null ? null : resolveReferences(address, env);
  if (base !== null && "reason" in base) {
    fields.left(["litellm_params", params["api_base"] === address ? "api_base" : "base_url"], base.reason);
    return base;
  }
  const home = findHome(name, base?.value ?? baseInEnv(name, env), known);
  if ("reason" in home) return home;
  const key = secret === null ? keyInEnv(name, env, known) : resolveKey(secret, env);
  if (key === null && secret !== null) fields.left(["litellm_params", "api_key"], "secret-missing");
  const group = readText(item["model_name"]) ?? written.value;
  // Models of `vllm/*` are called by the connection's name and theirs.
  const front = model === "*" ? /^([\w.-]+)\/\*$/.exec(group)?.[1] : undefined;
  return { group, name: front ?? chooseName(home, name, known), model, home, key, item, fields };
}

function resolveKey(secret: string, env: Env): string | null {
  const key = resolveReferences(secret, env);
  return "value" in key ? key.value : null;
}

/** `credential_list`: keys and addresses that deployments name. */
function readCredentials(documents: readonly Document[]): ReadonlyMap<string, Members> {
  return new Map(
    listItems(documents, "credential_list").flatMap(({ item, fields }) => {
      const name = readText(item["credential_name"]);
      const values = readMembers(item["credential_values"]);
      const secret = readText(values["api_key"]);
      if (secret !== null) fields.secret(secret);
      if (name === null) return [];
      fields.recordTaken([], `connections whose deployments name "${name}"`);
      return [[name, values]];
    }),
  );
}

/** Splits `openai/gpt-5` into provider and model; a name alone belongs to the provider that has it. */
function readModel(
  written: string,
  given: string | null,
  known: Known,
): { readonly name: string; readonly model: string } {
  if (given !== null)
    return { name: given, model: written.startsWith(`${given}/`) ? written.slice(given.length + 1) : written };
  const slash = written.indexOf("/");
  if (slash > 0) {
    const model = written.slice(slash + 1);
    // The prefix of `openai/responses/gpt-5` selects the API.
    return { name: written.slice(0, slash), model: model.replace(/^responses\//, "") };
  }
  const owner = known.providers.find(({ id }) => known.ownModel(id, written) !== null);
  return {
    name: owner?.id ?? (/^(gpt|o\d|text-|tts|whisper|dall)/.test(written) ? "openai" : written),
    model: written,
  };
}

/** Prefixes of servers that speak OpenAI's API wherever they are. */
const COMPATIBLE: ReadonlySet<string> = new Set([
  "aiohttp_openai",
  "custom_openai",
  "hosted_vllm",
  "infinity",
  "litellm_proxy",
  "llamafile",
  "lm_studio",
  "openai",
  "openai_like",
  "vllm",
  "xinference",
]);

/** Clouds with their own logins, and services without models. */
const NOT_OURS =
  /^(bedrock|sagemaker|vertex_ai|watsonx|oci|databricks|snowflake|cloudflare|azure_(ai|text)|github_copilot|chatgpt|auto_router|sap|triton|predibase|replicate|custom|dotprompt)/;

function findHome(name: string, base: string | null, known: Known): Home | { readonly reason: FieldReason } {
  if (NOT_OURS.test(name)) return { reason: "not-supported" };
  if (name === "azure" && base === null) return { reason: "unknown-provider" };
  const found = COMPATIBLE.has(name) && base !== null ? null : namedProvider(name, known);
  const spoken: Spoken = name === "anthropic" ? "messages" : name === "gemini" ? "gemini" : "chat";
  if (base !== null) {
    if (found === null && !COMPATIBLE.has(name) && name.includes(" ")) return { reason: "unknown-provider" };
    // Ollama's own API is replaced by its OpenAI-compatible one, which has the same models.
    return readHome(base, spoken, known, [PORT], COMPATIBLE.has(name));
  }
  if (found === null || found.baseUrl === null) return { reason: "unknown-provider" };
  if (found.baseUrl !== undefined) return readHome(found.baseUrl, spoken, known, [PORT]);
  return { provider: found.provider.id, baseUrl: undefined, changed: false };
}

/** LiteLLM's usual port. */
const PORT = "4000";

/** Returns LiteLLM's default key of a deployment: `GROQ_API_KEY`, like `GROQ_API_BASE` for addresses. */
function keyInEnv(name: string, env: Env, known: Known): string | null {
  const found = namedProvider(name, known);
  const variables = found?.provider.presets.flatMap(({ label, keyVariable }) =>
    label === found.label && keyVariable !== undefined ? [keyVariable] : [],
  );
  return (
    [`${variableName(name)}_API_KEY`, ...(variables ?? [])].flatMap((each) => variable(env, each) ?? [])[0] ?? null
  );
}

const baseInEnv = (name: string, env: Env): string | null => variable(env, `${variableName(name)}_API_BASE`);

const variableName = (name: string): string => name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, "_");

function markDeployment({ item, fields, home }: Parsed, { name }: Seller): void {
  const becomes = `connection "${name}"`;
  const params = fields.below(["litellm_params"]);
  const own = readMembers(item["litellm_params"]);
  params.recordTaken(["model"], becomes);
  if (own["custom_llm_provider"] !== undefined) params.recordTaken(["custom_llm_provider"], becomes);
  if (own["litellm_credential_name"] !== undefined) params.recordTaken(["litellm_credential_name"], becomes);
  const secret = readText(own["api_key"]);
  if (secret !== null && !params.isMarked(["api_key"])) params.recordTaken(["api_key"], becomes);
  for (const address of ["api_base", "base_url"]) {
    if (own[address] === undefined) continue;
    params.endpoint([address], becomes, home);
  }
  if (own["order"] !== undefined) params.recordTaken(["order"], "order of a chain");
  // Azure's version of the API is that of its newer one.
  if (own["api_version"] !== undefined) params.left(["api_version"], "default");
  if (own["drop_params"] !== undefined && isOn(own["drop_params"])) params.left(["drop_params"], "default");
}

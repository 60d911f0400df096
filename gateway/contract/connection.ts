import * as z from "zod";
import { creditReadingSchema } from "./credit.ts";
import { MOST_USD } from "./money.ts";
import { PROVIDER_ID } from "./provider-id.ts";
import { getSecretSchema } from "./secret.ts";
import { connectionProxyModes, parseProxy } from "./proxy.ts";
import { ownBodySchema, ownHeadersSchema, paceSchema } from "./own-fields.ts";

/** Id of a provider; the gateway knows the valid ones. */
export const providerIdSchema = z.string().regex(PROVIDER_ID, "expected the id of a provider");

const name = z.string().trim().min(1).max(100);
/** Presets leave in capitals what each account has another of. */
const UNFILLED = /\/(?:RESOURCE\.|ACCOUNT\/|GATEWAY\/)/;
const baseUrl = z
  .string()
  .trim()
  .min(1)
  .max(2_000)
  .refine((url) => !UNFILLED.test(url), "put your own names in the place of those in capitals");
const secret = getSecretSchema(4_000);
/** Priority of a connection without an explicit one. */
export const DEFAULT_PRIORITY = 100;
/** Lower values are tried first. */
const priority = z.number().int().min(0).max(1_000);

/**
 * Allows plain http to a host outside private networks, where keys and prompts can be intercepted. Applies to this
 * origin only.
 */
const allowHttp = z.boolean();

/**
 * Whether a compatible server also serves other providers' models by their own ids (`gpt-5.4`), as gateways do: then it
 * takes part in their failover. If false, it serves them as `name/gpt-5.4` only. Defaults to true; false for a detected
 * local server.
 */
const standsIn = z.boolean();

/**
 * Whether prompts are marked for the provider's cache (`cache_control`) if the client sets no marks. Cache writes cost
 * more than other input, cache reads a tenth or less. Defaults to false.
 */
const promptCaching = z.boolean();

/** Proxy for its requests: `default` (the setting), `direct`, or the URL of a separate proxy. */
const proxy = z
  .string()
  .trim()
  .max(2_048)
  .refine(
    (text) => connectionProxyModes.some((mode) => mode === text) || parseProxy(text) !== null,
    "expected default, direct or an address such as http://proxy:8080 or socks5://proxy:1080",
  );

/** Kinds of models. */
export const modelKindSchema = z.enum(["chat", "embedding", "speech", "transcription", "image", "video", "moderation"]);
export type ModelKind = z.infer<typeof modelKindSchema>;

/** A model declared by the user: one that the provider does not list, or lists without its kind. */
export const ownModelSchema = z
  .object({ id: z.string().trim().min(1).max(300), kind: modelKindSchema.optional() })
  .strict();
export type OwnModel = z.infer<typeof ownModelSchema>;

/** Reads a model as people write it: `id`, or `id = embedding`; the schema checks it. */
export function readOwnModel(line: string): { id: string; kind?: string } {
  const [, id, kind] = /^(.*\S)\s*=\s*(\S+)\s*$/.exec(line) ?? [];
  return id === undefined || kind === undefined ? { id: line.trim() } : { id: id.trim(), kind };
}

export const writeOwnModel = ({ id, kind }: OwnModel): string => (kind === undefined ? id : `${id} = ${kind}`);

/** Declared models override lists and guesses by name. */
const ownModels = z.array(ownModelSchema).max(1_000);

/** Fields that the owner adds to each request, and the pace that its provider allows. */
const extras = {
  headers: ownHeadersSchema.optional(),
  body: ownBodySchema.optional(),
  rpm: paceSchema.rpm.nullable().optional(),
  concurrency: paceSchema.concurrency.nullable().optional(),
  /** Credit below which the user is notified, in the currency that the provider reports; null: never. */
  credit_notice: z.number().min(0).max(MOST_USD).nullable().optional(),
};

/** Body of "add connection". Without `base_url` the provider's own is used; a server without keys takes none. */
export const createConnectionSchema = z
  .object({
    provider: providerIdSchema,
    name,
    base_url: baseUrl.optional(),
    keys: z.array(secret).max(20).optional(),
    priority: priority.optional(),
    allow_http: allowHttp.optional(),
    stands_in: standsIn.optional(),
    prompt_caching: promptCaching.optional(),
    proxy: proxy.optional(),
    models: ownModels.optional(),
    ...extras,
  })
  .strict();
export type CreateConnection = z.infer<typeof createConnectionSchema>;

/**
 * Body of "change connection". `keys`, if present, replaces all of them, and is required for a base URL at another
 * origin: a key is only used for the address it was given for.
 */
export const updateConnectionSchema = z
  .object({
    name: name.optional(),
    base_url: baseUrl.optional(),
    keys: z.array(secret).max(20).optional(),
    priority: priority.optional(),
    enabled: z.boolean().optional(),
    allow_http: allowHttp.optional(),
    stands_in: standsIn.optional(),
    prompt_caching: promptCaching.optional(),
    proxy: proxy.optional(),
    models: ownModels.optional(),
    ...extras,
  })
  .strict();
export type UpdateConnection = z.infer<typeof updateConnectionSchema>;

const healthSchema = z.object({
  /** `failed`: the last request or test failed, and no conclusion is drawn from it yet. */
  state: z.enum(["ready", "failed", "cooling", "open", "refused", "out_of_credit", "locked"]),
  /**
   * Time until which others are tried first, or it is not used at all (`refused`, `out_of_credit`); Unix milliseconds.
   */
  until: z.number().int().nullable(),
  /** Since when it is in this state; null while it is ready. */
  since: z.number().int().nullable(),
  /** Last message of the provider or the network, redacted. Only shown on the pages. */
  reason: z.string().nullable(),
  /** Whether the last request reached no server at all, as opposed to a failing one. */
  unreachable: z.boolean(),
});

/** Health of one provider key of a connection. */
export const credentialHealthSchema = healthSchema.extend({
  /** `sk-ab…wxyz`, or "no key". */
  hint: z.string(),
  /** Null: its provider does not report it, or was not asked yet. */
  credit: creditReadingSchema.nullable(),
  /** Models of it that are in trouble while others answer. */
  models: z.array(healthSchema.extend({ model: z.string() })),
});
export type CredentialHealth = z.infer<typeof credentialHealthSchema>;

/** A connection for the pages. Provider keys are never shown, only replaced. */
export const connectionViewSchema = z.object({
  id: z.string(),
  provider: providerIdSchema,
  name: z.string(),
  base_url: z.string(),
  priority: z.number().int(),
  enabled: z.boolean(),
  stands_in: z.boolean(),
  allow_http: z.boolean(),
  /** Null if none of its known models supports marked prompt caching. */
  prompt_caching: z.boolean().nullable(),
  /** The connection's proxy setting; a login is shown as `***`. */
  proxy: z.string(),
  own_models: ownModels,
  /** Lines `Name: ***`: values are never shown. */
  headers: z.string(),
  body: ownBodySchema,
  rpm: z.number().int().nullable(),
  concurrency: z.number().int().nullable(),
  /** Credit below which the user is notified; null: never. */
  credit_notice: z.number().nullable(),
  /** `environment`: from POSTERN_<PROVIDER>_*, made again at each start; `local`: a program found on this machine. */
  origin: z.enum(["created", "environment", "local"]),
  /** False for a found program that does not run now. */
  present: z.boolean(),
  created_at: z.number().int(),
  /** When a call or a test last went well, Unix milliseconds; null: never, as far as is known. */
  last_success_at: z.number().int().nullable(),
  credentials: z.array(credentialHealthSchema),
  /** Lessons from its refusals in the last week: the model, and what is sent differently since. Newest first. */
  learned: z.array(z.object({ model: z.string(), lesson: z.string(), at: z.number().int() })),
  /** Number of callable models, the time of the last list, and why listing fails now. */
  models: z.object({
    count: z.number().int().nonnegative(),
    checked_at: z.number().int().nullable(),
    error: z.string().nullable(),
  }),
});
export type ConnectionView = z.infer<typeof connectionViewSchema>;

/**
 * The problem that a test found. `failed`: the provider broke down, or off; `no_list`: it responds, but without a list of
 * models; `no_key`: no key that can be opened.
 */
const testProblemSchema = z.enum([
  "refused",
  "out_of_credit",
  "unreachable",
  "failed",
  "no_list",
  "no_key",
  "stopping",
]);
export type TestProblem = z.infer<typeof testProblemSchema>;

/** Answer of "test connection": one real call that costs nothing (the model list). */
export const connectionTestSchema = z.object({
  ok: z.boolean(),
  /** The result, and what to do about it. */
  message: z.string(),
  /** The problem; null when the test succeeded. */
  problem: testProblemSchema.nullable(),
  /** Message of the provider or the network, redacted. */
  said: z.string().nullable(),
  ms: z.number().nonnegative(),
  models: z.number().int().nonnegative(),
});
export type ConnectionTest = z.infer<typeof connectionTestSchema>;

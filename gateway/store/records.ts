import * as z from "zod";
import { budgetResetSchema, budgetScopeSchema } from "../contract/budgets.ts";
import { clientCheckSchema, clientIdSchema, clientModelsSchema, clientPartSchema } from "../contract/clients.ts";
import { modelKindSchema } from "../contract/connection.ts";
import { balanceSchema } from "../contract/credit.ts";
import { resetSchema } from "../contract/key.ts";
import { ownRatesSchema } from "../contract/model-view.ts";
import { noticeSchema } from "../contract/notice.ts";
import { onDemand } from "../contract/on-demand.ts";
import { routeOrderSchema, type Route } from "../contract/routes.ts";
import type { DiscoveredModel } from "../core/models/discovered-model.ts";
import { providerIds } from "../providers/registry.ts";

/**
 * Records of the document: one schema each, which validates stored data, and the type derived from it. Money is in nano
 * USD, times are Unix milliseconds. Unknown fields are kept: a later version may have written them.
 */

type Immutable<T> = T extends object ? { readonly [Name in keyof T]: Immutable<T[Name]> } : T;
/** A record in memory: immutable, and without `undefined` for missing fields. */
type Stored<T> = { readonly [Name in keyof T]: Immutable<Exclude<T[Name], undefined>> };
type StoredBy<Make extends () => z.ZodType> = Stored<z.infer<ReturnType<Make>>>;

const id = z.string().min(1);
const text = z.string();
const moment = z.number();
/** Wider than today's limits, because an earlier amount stays valid. */
export const amount = z.number().nonnegative().refine(Number.isInteger);
export const sha256Text = z.string().regex(/^[0-9a-f]{64}$/);

export const keySchema = onDemand(() =>
  z.object({
    id,
    /** SHA-256 of the whole key, hex. */
    hash: sha256Text,
    /** First five and last four characters, for display. */
    prefix: text,
    last4: text,
    name: text,
    models: z.array(text).nullable(),
    limit_nano: amount.nullable(),
    reset: resetSchema,
    expires_at: moment.nullable(),
    rpm: z.number().nullable(),
    concurrency: z.number().nullable(),
    /** Null or missing: depends on the limits (core/keys/key-reach.ts). */
    hosted_tools: z.boolean().nullish(),
    stored_objects: z.boolean().nullish(),
    mask_secrets: z.boolean().nullish(),
    mask_words: text.nullish(),
    /** Missing: false. */
    ollama_default: z.boolean().optional(),
    disabled: z.boolean(),
    origin: z.enum(["created", "first", "environment"]),
    created_at: moment,
  }),
);
export type StoredKey = StoredBy<typeof keySchema>;

/** A program of this machine that serves models, by the properties that identify it. */
const serverSchema = onDemand(() =>
  z.object({
    kind: id,
    port: z.number().int(),
    /** User of the program when it was accepted or dismissed; null if the system did not report it. */
    uid: z.number().int().nullable(),
  }),
);
export type StoredServer = StoredBy<typeof serverSchema>;

/** A found program that the owner does not want to use. */
export const refusalSchema = onDemand(() => serverSchema().extend({ id, at: moment }));
export type StoredRefusal = StoredBy<typeof refusalSchema>;

export const connectionSchema = onDemand(() =>
  z.object({
    id,
    provider: z.enum(providerIds),
    name: text,
    base_url: text,
    priority: z.number(),
    enabled: z.boolean(),
    /** Connections of the environment are created at each start and never stored. */
    origin: z.literal("created"),
    created_at: moment,
    /** Detected local program of this connection. It is used while it runs. */
    server: serverSchema().optional(),
    /** Whether its base URL may be plain http on the open internet. */
    allow_http: z.boolean().optional(),
    /** False: other providers' models are only served as `name/model`. Missing: true, except for local programs. */
    stands_in: z.boolean().optional(),
    /** True: prompts are marked for the provider's cache. */
    prompt_caching: z.boolean().optional(),
    /** `direct` or the address of its proxy without credentials; missing: the global setting. */
    proxy: text.nullish(),
    /** The address with its login: an id in the secrets file. */
    proxy_secret: text.nullish(),
    /** Header fields of its owner: values are ids in the secrets file, bound to the address. */
    headers: z.array(z.object({ name: text, id: text })).optional(),
    /** Body fields of its owner. */
    body: z.record(text, z.unknown()).optional(),
    /** The pace that its provider allows: requests per minute, and at the same time. */
    rpm: z.number().nullish(),
    concurrency: z.number().nullish(),
    /** Credit below which the user is notified, in 10⁻⁹ of the provider's currency. */
    credit_notice_nano: z.number().nullish(),
    /** Models declared by the user. */
    models: z.array(z.object({ id: text, kind: modelKindSchema.optional() })).optional(),
    /** Provider keys, by their names in the secrets file. Empty for a server that needs none. */
    secrets: z.array(z.object({ id: text, hint: text })),
  }),
);
export type StoredConnection = StoredBy<typeof connectionSchema>;

const priceTiers = z.array(z.object({ above: z.number(), rates: z.record(text, z.number()) })).min(1);

const abilities = z.object({
  pictures: z.boolean().optional(),
  files: z.boolean().optional(),
  tools: z.boolean().optional(),
  json_schema: z.boolean().optional(),
  web_search: z.boolean().optional(),
});

const discoveredModel = z.object({
  id: text,
  owned_by: text.nullable(),
  created: z.number().nullable(),
  context_length: z.number().nullable(),
  max_output: z.number().nullable(),
  // Missing in lists stored by an earlier version, which are fetched again at every start.
  price: z.object({ tiers: priceTiers }).nullish(),
  abilities: abilities.optional(),
  kinds: z.array(text).optional(),
});

/** The models that a connection listed, kept so that the list is there offline. Its id is the connection's. */
export const discoverySchema = onDemand(() =>
  z.object({
    id,
    at: moment,
    models: z.array(discoveredModel),
    /** Lessons learned from the server's refusals. */
    learned: z.array(z.object({ model: text, origin: text, lesson: text, at: moment })).optional(),
    /** Credit of its keys as reported last. */
    credit: z
      .array(z.object({ hint: text, balances: z.array(balanceSchema), used_up: z.boolean(), read_at: moment }))
      .optional(),
  }),
);
export type StoredDiscovery = Omit<StoredBy<typeof discoverySchema>, "models"> & {
  readonly models: readonly DiscoveredModel[];
};

export const storedNoticeSchema = onDemand(() => noticeSchema);
export type StoredNotice = StoredBy<typeof storedNoticeSchema>;

/** A receiver that responded with 410: nothing is sent there until the user enables it. Its id is its URL. */
export const receiverSchema = onDemand(() => z.object({ id, disabled_at: moment }));
export type StoredReceiver = StoredBy<typeof receiverSchema>;

/** A secret that webhooks are signed with. Its value stands in the secrets file, by the same id. */
export const webhookSecretSchema = onDemand(() =>
  z.object({
    id,
    created_at: moment,
    /** Rotated secrets also sign until then; null for the current one. */
    signs_until: moment.nullable(),
  }),
);
export type StoredWebhookSecret = StoredBy<typeof webhookSecretSchema>;

/** The owner's own name for a model, served now or not. Its id is the name. */
export const aliasSchema = onDemand(() => z.object({ id, model: id, created_at: moment }));
export type StoredAlias = StoredBy<typeof aliasSchema>;

/** A name that clients use like a model, with its fallback chain and rules (contract/routes.ts). Its id is the name. */
export const routeSchema = onDemand(() =>
  z.object({
    id,
    models: z.array(id).min(1),
    order: routeOrderSchema,
    sticky: z.boolean(),
    rules: z.array(z.object({ when: z.looseObject({}), models: z.array(id).min(1), enabled: z.boolean() })),
    enabled: z.boolean(),
    created_at: moment,
  }),
);
export type StoredRoute = Omit<StoredBy<typeof routeSchema>, keyof Route> & Omit<Route, "name">;

/**
 * The max cost of calls of a client or project in a day or a month. Its spend is in the daily rows, its id as
 * `daily|client|claude-*`: a scope has one of each period.
 */
export const budgetSchema = onDemand(() =>
  z.object({
    id,
    scope: z.object(budgetScopeSchema.shape),
    reset: budgetResetSchema,
    limit_nano: amount,
    created_at: moment,
  }),
);
export type StoredBudget = StoredBy<typeof budgetSchema>;

/** Custom price of a model, which replaces the catalog's price. `as_of` is the day it was set. */
export const priceSchema = onDemand(() => z.object({ id, rates: ownRatesSchema, as_of: text }));
export type StoredPrice = StoredBy<typeof priceSchema>;

/** A file of a client as it was written. The bytes before lie in `clients/`, under the name `backup`. */
const clientFileSchema = onDemand(() =>
  z.object({
    path: text,
    format: z.enum(["json", "toml", "yaml", "env"]),
    parts: z.array(clientPartSchema),
    /** SHA-256 of the bytes before; null when there was no file. */
    before: text.nullable(),
    /** SHA-256 of the written bytes. */
    after: text,
    /** SHA-256 of bytes that may be there already: a write that has started, and was not recorded as done. */
    pending: text.optional(),
    backup: text.nullable(),
    /** Folders that were made for it, outermost first. */
    made: z.array(text),
    /** The written values' paths and digests: the values hold a key. */
    marks: z.array(z.object({ kind: z.enum(["value", "item"]), path: z.array(text), digest: text })),
  }),
);
export type StoredClientFile = StoredClient["files"][number];

/** A client that Postern has connected. */
export const clientSchema = onDemand(() =>
  z.object({
    id: clientIdSchema,
    at: moment,
    key_id: text,
    parts: z.array(clientPartSchema),
    models: z.object(clientModelsSchema.shape),
    files: z.array(clientFileSchema()),
    checks: z.array(clientCheckSchema),
    /** Hash of the models and sizes in its picker; absent if it has none. */
    offered_hash: text.optional(),
  }),
);
export type StoredClient = StoredBy<typeof clientSchema>;

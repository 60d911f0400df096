import * as z from "zod";
import { isRecord } from "../lib/records.ts";
import { modelKindSchema } from "../contract/connection.ts";
import { budgetResetSchema, budgetScopeSchema } from "../contract/budgets.ts";
import { clientCheckSchema, clientIdSchema, clientModelsSchema, clientPartSchema } from "../contract/clients.ts";
import { noticeSchema } from "../contract/notice.ts";
import { onDemand } from "../contract/on-demand.ts";
import { resetSchema } from "../contract/key.ts";
import { routeOrderSchema } from "../contract/routes.ts";
import { ownRatesSchema } from "../contract/model-view.ts";
import { settingNames, settingOf, type Setting } from "../contract/settings.ts";
import type { Receipt } from "../contract/receipt.ts";
import { providerIds } from "../providers/registry.ts";
import { storedSettingName, type Change, type CollectionName, type Collections } from "./document.ts";
import type { OpenCall } from "./store.ts";
import { taskCheck } from "./tasks/task-check.ts";

/**
 * What a record must look like to be let into memory. Checksums say that a record is what was written; these say that
 * it is what the rest of the program relies on. Unknown fields are kept: a later version may have written them.
 */

const id = z.string().min(1);
const text = z.string();
const moment = z.number();
/** What was set once holds on, also where it is more than is taken now and than is counted to the last digit. */
const amount = z.number().nonnegative().refine(Number.isInteger);

const priceTiers = z.array(z.looseObject({ above: z.number(), rates: z.record(text, z.number()) })).min(1);

const abilities = z.looseObject({
  pictures: z.boolean().optional(),
  files: z.boolean().optional(),
  tools: z.boolean().optional(),
  json_schema: z.boolean().optional(),
  web_search: z.boolean().optional(),
});

const discoveredModel = z.looseObject({
  id: text,
  owned_by: text.nullable(),
  created: z.number().nullable(),
  context_length: z.number().nullable(),
  max_output: z.number().nullable(),
  // Missing in lists that an earlier version has kept, which are asked for again at every start.
  price: z.looseObject({ tiers: priceTiers }).nullish(),
  abilities: abilities.optional(),
  kinds: z.array(text).optional(),
});

const learned = z.looseObject({ model: text, origin: text, lesson: text, at: moment });

const server = z.looseObject({ kind: id, port: z.number().int(), uid: z.number().int().nullable() });

/**
 * Wider than what may be set, but for the maximum: whoever lowers one in the declaration has to bring along what folders
 * of earlier versions hold, or their settings count as damaged.
 */
function storedSetting(setting: Setting): z.ZodType {
  switch (setting.kind) {
    case "switch":
      return z.boolean();
    case "choice":
      return z.enum(setting.choices);
    case "list":
      return z.array(text);
    case "url":
    case "proxy":
    case "model":
      return text;
    case "usd":
      return amount;
    default: {
      const number = (setting.kind === "integer" ? z.number().int() : z.number()).max(setting.max);
      return setting.min > 0 ? number.positive() : number.nonnegative();
    }
  }
}

const sha256Text = z.string().regex(/^[0-9a-f]{64}$/);
const SETUP_COLLECTIONS = [
  "connections",
  "keys",
  "routes",
  "aliases",
  "prices",
  "budgets",
  "webhook_secrets",
  "settings",
] as const;

const recordTurn = z
  .looseObject({ in: z.enum(SETUP_COLLECTIONS), id: text, before: z.unknown(), after: z.unknown() })
  // Undoing puts it among the others.
  .refine((turn) => [turn.before, turn.after].every((record) => record === null || isRecordOf(turn.in, record)));

/** Made as records of the kind come: most folders hold a few kinds. */
const records: { readonly [C in CollectionName]: () => z.ZodType } = {
  keys: onDemand(() =>
    z.looseObject({
      id,
      hash: sha256Text,
      prefix: text,
      last4: text,
      name: text,
      models: z.array(text).nullable(),
      limit_nano: amount.nullable(),
      reset: resetSchema,
      expires_at: moment.nullable(),
      rpm: z.number().nullable(),
      concurrency: z.number().nullable(),
      hosted_tools: z.boolean().nullish(),
      stored_objects: z.boolean().nullish(),
      disabled: z.boolean(),
      origin: z.enum(["created", "first", "environment"]),
      created_at: moment,
    }),
  ),
  connections: onDemand(() =>
    z.looseObject({
      id,
      provider: z.enum(providerIds),
      name: text,
      base_url: text,
      priority: z.number(),
      enabled: z.boolean(),
      origin: z.literal("created"),
      created_at: moment,
      server: server.optional(),
      allow_http: z.boolean().optional(),
      stands_in: z.boolean().optional(),
      prompt_caching: z.boolean().optional(),
      proxy: text.nullish(),
      proxy_secret: text.nullish(),
      models: z.array(z.looseObject({ id: text, kind: modelKindSchema.optional() })).optional(),
      secrets: z.array(z.looseObject({ id: text, hint: text })),
    }),
  ),
  discoveries: onDemand(() =>
    z.looseObject({ id, at: moment, models: z.array(discoveredModel), learned: z.array(learned).optional() }),
  ),
  settings: onDemand(() =>
    z.looseObject({
      id: z.literal("settings"),
      search_keys: z.record(text, z.looseObject({ id: text, hint: text })).optional(),
      proxy_secret: text.nullish(),
      playground_secret: text.nullish(),
      otlp_headers: z.looseObject({ id: text, names: z.array(text) }).nullish(),
      metrics_key: z.looseObject({ hash: sha256Text, hint: text, created_at: moment }).nullish(),
      ...Object.fromEntries(
        settingNames.map((name) => [storedSettingName(name), storedSetting(settingOf(name)).nullish()]),
      ),
    }),
  ),
  notices: onDemand(() => noticeSchema.loose()),
  tasks: onDemand(() => taskCheck),
  receivers: onDemand(() => z.looseObject({ id, disabled_at: moment })),
  webhook_secrets: onDemand(() => z.looseObject({ id, created_at: moment, signs_until: moment.nullable() })),
  aliases: onDemand(() => z.looseObject({ id, model: id, created_at: moment })),
  routes: onDemand(() =>
    z.looseObject({
      id,
      models: z.array(id).min(1),
      order: routeOrderSchema,
      sticky: z.boolean(),
      rules: z.array(z.looseObject({ when: z.looseObject({}), models: z.array(id).min(1), enabled: z.boolean() })),
      enabled: z.boolean(),
      created_at: moment,
    }),
  ),
  budgets: onDemand(() =>
    z.looseObject({
      id,
      scope: budgetScopeSchema.loose(),
      reset: budgetResetSchema,
      limit_nano: amount,
      created_at: moment,
    }),
  ),
  prices: onDemand(() => z.looseObject({ id, rates: ownRatesSchema, as_of: text })),
  clients: onDemand(() =>
    z.looseObject({
      id: clientIdSchema,
      at: moment,
      key_id: text,
      parts: z.array(clientPartSchema),
      models: clientModelsSchema.loose(),
      files: z.array(
        z.looseObject({
          path: text,
          format: z.enum(["json", "toml", "yaml"]),
          parts: z.array(clientPartSchema),
          before: text.nullable(),
          after: text,
          pending: text.optional(),
          backup: text.nullable(),
          made: z.array(text),
          marks: z.array(z.looseObject({ kind: z.enum(["value", "item"]), path: z.array(text), digest: text })),
        }),
      ),
      checks: z.array(clientCheckSchema.loose()),
    }),
  ),
  refused_servers: onDemand(() => server.extend({ id, at: moment })),
  applied_setups: onDemand(() => z.looseObject({ id, at: moment, source: text, turns: z.array(recordTurn) })),
};

/** So many records of a kind are checked as they come. For more, zod writes a program first, which takes longer than these. */
const FEW = 20;
const checked = new Map<CollectionName, number>();

export function isRecordOf<C extends CollectionName>(collection: C, value: unknown): value is Collections[C] {
  const before = checked.get(collection) ?? 0;
  if (before === FEW) return records[collection]().safeParse(value).success;
  checked.set(collection, before + 1);
  return records[collection]().safeParse(value, { jitless: true }).success;
}

export const isCollection = (name: unknown): name is CollectionName =>
  typeof name === "string" && Object.hasOwn(records, name);

/** A change as the journal holds it. */
export function isChange(value: unknown): value is Change {
  if (!isRecord(value) || !isCollection(value["in"])) return false;
  if (value["op"] === "delete") return typeof value["id"] === "string";
  return value["op"] === "put" && isRecordOf(value["in"], value["record"]);
}

/**
 * By hand, not by zod: a start may have to look at a million of these. Only the fields that sums are made of are
 * looked at.
 */
export function isReceipt(value: unknown): value is Receipt {
  return (
    isRecord(value) &&
    typeof value["id"] === "string" &&
    Number.isSafeInteger(value["at"]) &&
    typeof value["key"] === "string" &&
    typeof value["model"] === "string" &&
    typeof value["client"] === "string" &&
    typeof value["sandbox"] === "boolean" &&
    (value["nano"] === null || Number.isSafeInteger(value["nano"])) &&
    Array.isArray(value["terms"]) &&
    Math.abs(value["at"] as number) <= LAST_MOMENT
  );
}

/** The last moment that a Date can hold. */
const LAST_MOMENT = 8.64e15;

export function isOpenCall(value: unknown): value is OpenCall {
  return (
    isRecord(value) &&
    typeof value["id"] === "string" &&
    Number.isSafeInteger(value["at"]) &&
    typeof value["key"] === "string" &&
    typeof value["model"] === "string" &&
    Number.isSafeInteger(value["hold_nano"]) &&
    (value["bill"] === undefined || isBill(value["bill"]))
  );
}

function isBill(value: unknown): boolean {
  return (
    isRecord(value) && Array.isArray(value["terms"]) && (value["nano"] === null || Number.isSafeInteger(value["nano"]))
  );
}

import * as z from "zod";
import { isRecord } from "../lib/records.ts";
import { onDemand } from "../contract/on-demand.ts";
import { settingNames, getSetting, type Setting } from "../contract/settings.ts";
import { storedSettingName, type Change, type CollectionName, type Collections } from "./document.ts";
import {
  aliasSchema,
  amount,
  budgetSchema,
  clientSchema,
  connectionSchema,
  discoverySchema,
  keySchema,
  priceSchema,
  receiverSchema,
  refusalSchema,
  routeSchema,
  sha256Text,
  storedNoticeSchema,
  webhookSecretSchema,
} from "./records.ts";
import { taskCheck } from "./tasks/task-check.ts";

/**
 * Checks that a record must pass to be loaded. Checksums prove that a record is unchanged; these checks prove that it
 * is valid. Unknown fields are kept, because a later version may have written them.
 */

const id = z.string().min(1);
const text = z.string();
const moment = z.number();

/**
 * Allows more than the declaration, except for the maximum: a change that lowers one has to migrate what folders of earlier
 * versions hold, or their settings count as damaged.
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

const recordChange = z
  .looseObject({ in: z.enum(SETUP_COLLECTIONS), id: text, before: z.unknown(), after: z.unknown() })
  // An undo restores the other settings.
  .refine((change) =>
    [change.before, change.after].every((record) => record === null || isValidRecord(change.in, record)),
  );

/** Created on first use per kind: most folders have few kinds. */
const records: { readonly [C in CollectionName]: () => z.ZodType } = {
  keys: keySchema,
  connections: connectionSchema,
  discoveries: discoverySchema,
  settings: onDemand(() =>
    z.looseObject({
      id: z.literal("settings"),
      search_keys: z.record(text, z.looseObject({ id: text, hint: text })).optional(),
      proxy_secret: text.nullish(),
      playground_secret: text.nullish(),
      webhook_url_secret: text.nullish(),
      otlp_headers: z.looseObject({ id: text, names: z.array(text) }).nullish(),
      metrics_key: z.looseObject({ hash: sha256Text, hint: text, created_at: moment }).nullish(),
      ...Object.fromEntries(
        settingNames.map((name) => [storedSettingName(name), storedSetting(getSetting(name)).nullish()]),
      ),
    }),
  ),
  notices: storedNoticeSchema,
  tasks: onDemand(() => taskCheck),
  receivers: receiverSchema,
  webhook_secrets: webhookSecretSchema,
  aliases: aliasSchema,
  routes: routeSchema,
  budgets: budgetSchema,
  prices: priceSchema,
  clients: clientSchema,
  refused_servers: refusalSchema,
  applied_setups: onDemand(() => z.looseObject({ id, at: moment, source: text, turns: z.array(recordChange) })),
};

/**
 * Max records of a kind that are checked without compilation; for more, zod generates code first, which takes longer
 * than checking these.
 */
const FEW = 20;
const checked = new Map<CollectionName, number>();

export function isValidRecord<C extends CollectionName>(collection: C, value: unknown): value is Collections[C] {
  const before = checked.get(collection) ?? 0;
  if (before === FEW) return records[collection]().safeParse(value).success;
  checked.set(collection, before + 1);
  return records[collection]().safeParse(value, { jitless: true }).success;
}

export const isCollection = (name: unknown): name is CollectionName =>
  typeof name === "string" && Object.hasOwn(records, name);

/** Tells whether a value is a change of the journal. */
export function isChange(value: unknown): value is Change {
  if (!isRecord(value) || !isCollection(value["in"])) return false;
  if (value["op"] === "delete") return typeof value["id"] === "string";
  return value["op"] === "put" && isValidRecord(value["in"], value["record"]);
}

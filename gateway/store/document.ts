import type { AppliedSetup } from "../contract/setup-operations.ts";
import type { SettingName, Settings } from "../contract/settings.ts";
import type { SpendRow } from "../core/usage/aggregate.ts";
import type { DailyRow } from "../core/usage/daily-rows.ts";
import type { TaskRecord } from "../core/tasks/task.ts";

import type {
  StoredAlias,
  StoredBudget,
  StoredClient,
  StoredConnection,
  StoredDiscovery,
  StoredKey,
  StoredNotice,
  StoredPrice,
  StoredReceiver,
  StoredRefusal,
  StoredRoute,
  StoredWebhookSecret,
} from "./records.ts";

export type * from "./records.ts";
export type { SpendRow } from "../core/usage/aggregate.ts";
export type { DailyRow } from "../core/usage/daily-rows.ts";

/** The document: everything small that must be there at once after a start. Money in nano USD, times in Unix ms. */

/** A sum of money is stored as an integer of 10⁻⁹ USD, under a name that says so. */
export type StoredSettingName<Name extends SettingName = SettingName> = Name extends `${infer Sum}_usd`
  ? `${Sum}_nano`
  : Name;

export function storedSettingName<Name extends SettingName>(name: Name): StoredSettingName<Name>;
export function storedSettingName(name: string): string {
  return name.endsWith("_usd") ? `${name.slice(0, -"usd".length)}nano` : name;
}

export interface StoredSearchKey {
  readonly id: string;
  readonly hint: string;
}

/** Changed settings (contract/settings.ts); a missing one has its initial value. */
export type StoredSettings = { readonly id: "settings" } & {
  /** Keys of search services, by service: ids in the secrets file, and how each key ends. */
  readonly search_keys?: Readonly<Record<string, StoredSearchKey>>;
  /** The proxy's address with its login: an id in the secrets file. */
  readonly proxy_secret?: string | null;
  /** The secret that encrypts the playground's conversations in the browser: an id in the secrets file. */
  readonly playground_secret?: string | null;
  /** The key that webhook URLs with a query are encrypted with: an id in the secrets file. */
  readonly webhook_url_secret?: string | null;
  /** Headers for the receiver of telemetry: an id in the secrets file, and their names. */
  readonly otlp_headers?: { readonly id: string; readonly names: readonly string[] } | null;
  /** Key of `/metrics`: its SHA-256, and its hint. */
  readonly metrics_key?: { readonly hash: string; readonly hint: string; readonly created_at: number } | null;
} & {
  readonly [Name in SettingName as StoredSettingName<Name>]?: Settings[Name] | null;
};

/** The parts of a set-up. */
interface SetupCollections {
  connections: StoredConnection;
  keys: StoredKey;
  routes: StoredRoute;
  aliases: StoredAlias;
  prices: StoredPrice;
  budgets: StoredBudget;
  webhook_secrets: StoredWebhookSecret;
  /** Changed settings only. */
  settings: StoredSettings;
}

/** A record as it was before a change and after it; null: it was not there. */
export type RecordChange = {
  [C in keyof SetupCollections]: {
    readonly in: C;
    readonly id: string;
    readonly before: SetupCollections[C] | null;
    readonly after: SetupCollections[C] | null;
  };
}[keyof SetupCollections];

/** An applied set-up, stored so that it can be undone. Provider keys that it replaced are kept until then. */
export interface StoredAppliedSetup {
  readonly id: string;
  readonly at: number;
  readonly source: AppliedSetup["source"];
  readonly turns: readonly RecordChange[];
}

/** The collections that are changed by `commit`; each maps a record's `id` to the record. Records are immutable. */
export interface Collections {
  keys: StoredKey;
  connections: StoredConnection;
  discoveries: StoredDiscovery;
  settings: StoredSettings;
  notices: StoredNotice;
  /** Live tasks and the newest finished ones; older ones are in the archive. */
  tasks: TaskRecord;
  receivers: StoredReceiver;
  webhook_secrets: StoredWebhookSecret;
  aliases: StoredAlias;
  prices: StoredPrice;
  routes: StoredRoute;
  budgets: StoredBudget;
  clients: StoredClient;
  refused_servers: StoredRefusal;
  applied_setups: StoredAppliedSetup;
}
export type CollectionName = keyof Collections;

export type Change = {
  [C in CollectionName]:
    | { readonly op: "put"; readonly in: C; readonly record: Collections[C] }
    | { readonly op: "delete"; readonly in: C; readonly id: string };
}[CollectionName];

export type Document = { readonly [C in CollectionName]: ReadonlyMap<string, Collections[C]> } & {
  readonly spend: ReadonlyMap<string, Readonly<SpendRow>>;
  readonly daily: ReadonlyMap<string, Readonly<DailyRow>>;
};

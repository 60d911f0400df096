import type { BudgetScope } from "../contract/budgets.ts";
import type { ClientCheck, ClientId, ClientModels, ClientPart } from "../contract/clients.ts";
import type { ProviderId } from "../providers/registry.ts";
import type { OwnModel } from "../contract/connection.ts";
import type { Reset } from "../contract/key.ts";
import type { Period } from "../contract/pace.ts";
import type { OwnRates } from "../contract/model-view.ts";
import type { Route } from "../contract/routes.ts";
import type { AppliedSetup } from "../contract/setup-operations.ts";
import type { SettingName, Settings } from "../contract/settings.ts";
import type { SpendRow } from "../core/usage/aggregate.ts";
import type { DailyRow } from "../core/usage/daily-rows.ts";
import type { TaskRecord } from "../core/tasks/task.ts";

export type { SpendRow } from "../core/usage/aggregate.ts";
export type { DailyRow } from "../core/usage/daily-rows.ts";
import type { DiscoveredModel } from "../core/models/discovered-model.ts";

/** The document: everything small that must be there at once after a start. Money in nano USD, times in Unix ms. */

export interface StoredKey {
  readonly id: string;
  /** SHA-256 of the whole key, hex. */
  readonly hash: string;
  /** First five and last four characters, for people to tell keys apart. */
  readonly prefix: string;
  readonly last4: string;
  readonly name: string;
  readonly models: readonly string[] | null;
  readonly limit_nano: number | null;
  readonly reset: Reset;
  readonly expires_at: number | null;
  readonly rpm: number | null;
  readonly concurrency: number | null;
  /** Null or missing: as the limits say (core/keys/key-reach.ts). */
  readonly hosted_tools?: boolean | null;
  readonly stored_objects?: boolean | null;
  readonly disabled: boolean;
  readonly origin: "created" | "first" | "environment";
  readonly created_at: number;
}

export interface StoredConnection {
  readonly id: string;
  readonly provider: ProviderId;
  readonly name: string;
  readonly base_url: string;
  readonly priority: number;
  readonly enabled: boolean;
  /** Those of the environment are made again at each start and never stored. */
  readonly origin: "created";
  readonly created_at: number;
  /** For a program of this machine that was found and that the owner uses: which one. It is asked while it runs. */
  readonly server?: StoredServer;
  /** Its base URL may be plain http on the open internet. */
  readonly allow_http?: boolean;
  /** False: other providers' models are served under its own name only. Missing: true, but for found programs. */
  readonly stands_in?: boolean;
  /** True: prompts are marked for the provider's cache. */
  readonly prompt_caching?: boolean;
  /** `direct` or the address of its proxy without a login; missing: what the setting says. */
  readonly proxy?: string | null;
  /** The address with its login: an id in the secrets file. */
  readonly proxy_secret?: string | null;
  /** Models as the user says them. */
  readonly models?: readonly OwnModel[];
  /** Provider keys, by their names in the secrets file. Empty for a server that needs none. */
  readonly secrets: readonly { readonly id: string; readonly hint: string }[];
}

/** A program of this machine that serves models, as far as it can be told from others. */
export interface StoredServer {
  readonly kind: string;
  readonly port: number;
  /** Whose program it was when the owner decided; null where the system did not say. */
  readonly uid: number | null;
}

/** A found program that the owner does not want to use. */
export interface StoredRefusal extends StoredServer {
  readonly id: string;
  readonly at: number;
}

/** What a connection said that it serves, kept so that the list is there offline. */
export interface StoredDiscovery {
  /** Id of the connection. */
  readonly id: string;
  readonly at: number;
  readonly models: readonly DiscoveredModel[];
  /** What the server's refusals have taught of it. */
  readonly learned?: readonly { model: string; origin: string; lesson: string; at: number }[];
}

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

/** What was changed (contract/settings.ts); what is missing has its initial value. */
export type StoredSettings = { readonly id: "settings" } & {
  /** Keys of search services, by service: ids in the secrets file, and how each key ends. */
  readonly search_keys?: Readonly<Record<string, StoredSearchKey>>;
  /** The proxy's address with its login: an id in the secrets file. */
  readonly proxy_secret?: string | null;
  /** What the playground's conversations are encrypted with in the browser: an id in the secrets file. */
  readonly playground_secret?: string | null;
  /** Headers for the receiver of telemetry: an id in the secrets file, and their names. */
  readonly otlp_headers?: { readonly id: string; readonly names: readonly string[] } | null;
  /** Of `/metrics`: its SHA-256, and how it begins and ends. */
  readonly metrics_key?: { readonly hash: string; readonly hint: string; readonly created_at: number } | null;
} & {
  readonly [Name in SettingName as StoredSettingName<Name>]?: Settings[Name] | null;
};

export interface StoredNotice {
  readonly id: string;
  readonly level: "info" | "warning" | "danger";
  readonly message: string;
  readonly at: number;
}

/** A receiver that answered 410: nothing is sent there until the owner allows it again. */
export interface StoredReceiver {
  /** Its whole address. */
  readonly id: string;
  readonly disabled_at: number;
}

/** A secret that webhooks are signed with. What it is stands in the secrets file, by the same id. */
export interface StoredWebhookSecret {
  readonly id: string;
  readonly created_at: number;
  /** It was rotated, and signs next to its successor until then; null for the one that holds. */
  readonly signs_until: number | null;
}

/** The owner's own name for a model. */
export interface StoredAlias {
  /** The name. */
  readonly id: string;
  /** Id of the model that it stands for, whether it is served now or not. */
  readonly model: string;
  readonly created_at: number;
}

/** A name that clients use like a model, with its fallback chain and rules (contract/routes.ts). */
export interface StoredRoute extends Omit<Route, "name"> {
  /** The name. */
  readonly id: string;
  readonly created_at: number;
}

/** What calls of a client or project may cost in a day or a month. Its spend is in the daily rows. */
export interface StoredBudget {
  /** `daily|client|claude-*`: a scope has one of each period. */
  readonly id: string;
  readonly scope: BudgetScope;
  readonly reset: Period;
  readonly limit_nano: number;
  readonly created_at: number;
}

/** What the owner says that a model costs, in the place of the catalog's price. */
export interface StoredPrice {
  /** Id of the model. */
  readonly id: string;
  readonly rates: OwnRates;
  /** The day it was set, `YYYY-MM-DD`. */
  readonly as_of: string;
}

/** One file of a client as it was written. The bytes before lie in `clients/`, under the name `backup`. */
export interface StoredClientFile {
  readonly path: string;
  readonly format: "json" | "toml" | "yaml";
  readonly parts: readonly ClientPart[];
  /** SHA-256 of the bytes before; null when there was no file. */
  readonly before: string | null;
  /** SHA-256 of the bytes that were written. */
  readonly after: string;
  /** SHA-256 of bytes that may stand there already: a write that was begun, and not told as done. */
  readonly pending?: string;
  readonly backup: string | null;
  /** Folders that were made for it, outermost first. */
  readonly made: readonly string[];
  /** What was written where, by its digest: the values hold a key. */
  readonly marks: readonly {
    readonly kind: "value" | "item";
    readonly path: readonly string[];
    readonly digest: string;
  }[];
}

/** A client that Postern has connected. */
export interface StoredClient {
  readonly id: ClientId;
  readonly at: number;
  readonly key_id: string;
  readonly parts: readonly ClientPart[];
  readonly models: ClientModels;
  readonly files: readonly StoredClientFile[];
  readonly checks: readonly ClientCheck[];
}

/** What a set-up is made of. */
interface SetupCollections {
  connections: StoredConnection;
  keys: StoredKey;
  routes: StoredRoute;
  aliases: StoredAlias;
  prices: StoredPrice;
  budgets: StoredBudget;
  webhook_secrets: StoredWebhookSecret;
  /** Of them only what was changed. */
  settings: StoredSettings;
}

/** A record as it was before a change and after it; null: it was not there. */
export type RecordTurn = {
  [C in keyof SetupCollections]: {
    readonly in: C;
    readonly id: string;
    readonly before: SetupCollections[C] | null;
    readonly after: SetupCollections[C] | null;
  };
}[keyof SetupCollections];

/** A set-up that was applied as one, kept so that it can be undone. Provider keys that it replaced stay until then. */
export interface StoredAppliedSetup {
  readonly id: string;
  readonly at: number;
  readonly source: AppliedSetup["source"];
  readonly turns: readonly RecordTurn[];
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

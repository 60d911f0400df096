import { FoundServers } from "../../../../gateway/services/connections/found-servers.ts";
import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { RemoveBudget } from "../../../../gateway/contract/budgets.ts";
import type { CreatedKey } from "../../../../gateway/contract/key.ts";
import { Budgets } from "../../../../gateway/services/budgets/budgets.ts";
import { Forecasts } from "../../../../gateway/services/budgets/forecasts.ts";
import { ManageBudgets } from "../../../../gateway/services/budgets/manage-budgets.ts";
import { Connections } from "../../../../gateway/services/connections/connections.ts";
import { ManageConnections } from "../../../../gateway/services/connections/manage-connections.ts";
import { Events } from "../../../../gateway/services/events.ts";
import { KeyRing } from "../../../../gateway/services/keys/key-ring.ts";
import { ManageKeys } from "../../../../gateway/services/keys/manage-keys.ts";
import type { Discovery } from "../../../../gateway/services/models/discovery.ts";
import { ManageModels } from "../../../../gateway/services/models/manage-models.ts";
import type { ModelIndex } from "../../../../gateway/services/models/model-index.ts";
import { ManageRoutes } from "../../../../gateway/services/routes/manage-routes.ts";
import { Notices } from "../../../../gateway/services/notices.ts";
import { AppSettings } from "../../../../gateway/services/settings.ts";
import { Receivers } from "../../../../gateway/services/webhooks/receivers.ts";
import { WebhookSecrets } from "../../../../gateway/services/webhooks/webhook-secrets.ts";
import { silentLog } from "../../../../gateway/lib/log.ts";
import { secretHint } from "../../../../gateway/lib/redact.ts";
import type { OpenedStore } from "../../../../gateway/store/open-store.ts";
import { FixedClock, open } from "../../store/fixtures.ts";
import { SimFs, type Disk } from "../../store/sim-fs.ts";
import { Registers } from "./registers.ts";

const DIR = "/data";
const EMPTY: Disk = { files: new Map(), folders: new Set([DIR]) };
const NOTICE = "notice_1";

/** The services that change records, on one disk, over starts and cuts; and what their callers know for certain. */
export class RecordWorld {
  readonly known = new Registers();
  /** Ids and secrets of keys that were made. */
  readonly #keys = new Map<string, string>();
  readonly #connections = new Set<string>();
  readonly #clock = new FixedClock();
  #fs = new SimFs(EMPTY);
  /** What an earlier start still has under way is not heard of any more. */
  #epoch = 0;
  #made = 0;
  store!: OpenedStore;
  #keyRing!: KeyRing;
  #manageKeys!: ManageKeys;
  #live!: Connections;
  #manageConnections!: ManageConnections;
  #settings!: AppSettings;
  #models!: ManageModels;
  #routes!: ManageRoutes;
  #budgets!: ManageBudgets;
  #receivers!: Receivers;
  #webhook!: WebhookSecrets;
  #notices!: Notices;

  async start(disk: Disk = EMPTY): Promise<void> {
    this.#epoch += 1;
    this.known.cut();
    this.#fs = new SimFs(disk);
    this.store = (await open({ dir: DIR, fs: this.#fs })).store;
    const [store, clock, events] = [this.store, this.#clock, new Events()];
    this.#keyRing = new KeyRing(store, clock);
    const forecasts = new Forecasts(store, clock);
    this.#manageKeys = new ManageKeys({ store, clock, keyRing: this.#keyRing, forecasts, events });
    const budgets = new Budgets(store, clock);
    this.#budgets = new ManageBudgets({ budgets, forecasts, store, clock, events });
    this.#live = new Connections();
    const discovery = { test: async () => undefined } as unknown as Discovery;
    this.#manageConnections = new ManageConnections({
      store,
      clock,
      connections: this.#live,
      discovery,
      credit: { read: async () => undefined },
      found: new FoundServers(),
    });
    this.#settings = new AppSettings(store, events, {}, new Set());
    const index = {
      find: () => undefined,
      findId: () => undefined,
      getTarget: () => undefined,
      invalidate: () => undefined,
    } as unknown as ModelIndex;
    this.#models = new ManageModels({ index, store, clock, events });
    this.#routes = new ManageRoutes({ index, store, clock, events, keyRing: { reload: () => undefined } });
    this.#notices = new Notices({ store, clock, log: silentLog, events });
    this.#receivers = new Receivers({ store, clock, notices: this.#notices });
    this.#webhook = new WebhookSecrets({ store, clock, notices: this.#notices, fromEnvironment: null });
  }

  async prepare(): Promise<void> {
    await this.start();
    const record = { id: NOTICE, level: "info", message: "Something was found.", at: 1 } as const;
    await this.#write({ [`notices/${NOTICE}`]: true }, () => this.store.commit([{ op: "put", in: "notices", record }]));
  }

  /** One of everything that an owner does. @param which of the records, @param what and which value, any whole numbers */
  act(what: number, which: number, value: number): Promise<unknown> {
    const acts: (() => Promise<unknown>)[] = [
      () => this.#createKey(`key ${value}`),
      () => this.#updateKey(which, { name: `name ${value}` }),
      () => this.#updateKey(which, { rpm: value + 1 }),
      () => this.#updateKey(which, { disabled: value % 2 === 0 }),
      () => this.#revokeKey(which),
      () => this.#connect(value),
      () => this.#updateConnection(which, { priority: value }),
      () => this.#updateConnection(which, { enabled: value % 2 === 0 }),
      () => this.#replaceKeys(which, `sk-provider-key-${value}-of-some-length`),
      () => this.#disconnect(which),
      () => this.#set("media_keep_days", value + 1),
      () => this.#set("record_max_mib", value + 1),
      () => this.#set("backup_keep", value + 1),
      () => this.#write({ [`aliases/a${which}`]: `m${value}` }, () => this.#models.setAlias(`a${which}`, `m${value}`)),
      () => this.#write({ [`aliases/a${which}`]: undefined }, () => this.#models.removeAlias(`a${which}`)),
      () =>
        this.#write({ [`prices/m${which}`]: value }, () =>
          this.#models.setPrice(`m${which}`, { input: value, output: value }),
        ),
      () => this.#write({ [`prices/m${which}`]: undefined }, () => this.#models.removePrice(`m${which}`)),
      () =>
        this.#write({ [`routes/r${which}`]: `m${value}` }, () =>
          this.#routes.set({ name: `r${which}`, models: [`m${value}`] }),
        ),
      () => this.#write({ [`routes/r${which}`]: undefined }, () => this.#routes.remove(`r${which}`, true)),
      () =>
        this.#write({ [`budgets/daily|client|c${which}`]: value }, () =>
          this.#budgets.set({ ...budgetOf(which), limit_usd: value }),
        ),
      () => this.#write({ [`budgets/daily|client|c${which}`]: undefined }, () => this.#budgets.remove(budgetOf(which))),
      () => this.#write({ [`receivers/${url(which)}`]: true }, () => this.#receivers.disable(url(which))),
      () => this.#write({ [`receivers/${url(which)}`]: undefined }, () => this.#receivers.enable(url(which))),
      () => this.#webhook.current().catch(() => undefined),
      () => this.#webhook.rotate().catch(() => undefined),
      () => this.#write({ [`notices/${NOTICE}`]: undefined }, () => this.#notices.dismiss(NOTICE)),
    ];
    return (acts[what % acts.length] as () => Promise<unknown>)();
  }

  /** What a power cut at this moment could leave. */
  cut(random: () => number): Disk {
    const disks = this.#fs.afterPowerCut(4, random);
    return disks[Math.floor(random() * disks.length)] as Disk;
  }

  kill(): Disk {
    return this.#fs.afterKill();
  }

  /** What is not as its callers know it, as sentences. */
  async wrong(): Promise<string[]> {
    const wrong: string[] = [];
    const found = this.#found();
    for (const name of this.known.names()) {
      const [, collection, id] = /^(keys|connections)\/([^/]+)\//.exec(name) ?? [];
      // Of what is gone nothing stands anywhere.
      if (collection !== undefined && !name.endsWith("/there") && found.get(`${collection}/${id}/there`) === undefined)
        continue;
      const possible = this.known.possible(name);
      const value = found.get(name);
      if (!possible.some((one) => isDeepStrictEqual(one, value)))
        wrong.push(`${name} is ${JSON.stringify(value)}, and may be ${JSON.stringify(possible)}`);
    }
    for (const [id, secret] of this.#keys) {
      const record = this.store.document.keys.get(id);
      const may = record !== undefined && !record.disabled;
      if (this.#authenticates(secret) !== may) wrong.push(`${id} ${may ? "does not authenticate" : "authenticates"}`);
    }
    for (const record of this.store.document.connections.values()) {
      const live = this.#live.get(record.id);
      const hints = live?.credentials.map(({ hint, secret }) => (secret === null ? null : hint));
      if (live?.priority !== record.priority || live.enabled !== record.enabled)
        wrong.push(`${record.id} is asked as ${live?.priority} ${live?.enabled}`);
      if (
        !isDeepStrictEqual(
          hints,
          record.secrets.map(({ hint }) => hint),
        )
      )
        wrong.push(`${record.id} lost a key`);
    }
    for (const { id } of this.#live.all()) {
      if (!this.store.document.connections.has(id)) wrong.push(`${id} is asked and was removed`);
    }
    const holding = [...this.store.document.webhook_secrets.values()].filter(
      ({ signs_until: until }) => until === null,
    );
    if (holding.length > 1) wrong.push(`${holding.length} webhook secrets hold`);
    for (const { id } of holding)
      if (this.store.secrets.get(id) === undefined) wrong.push("the webhook secret was lost");
    return wrong;
  }

  async #write(values: Readonly<Record<string, unknown>>, work: () => Promise<unknown>): Promise<boolean> {
    const epoch = this.#epoch;
    return this.known.write(values, async () => {
      try {
        await work();
      } catch (error) {
        if (this.#epoch !== epoch) return new Promise(() => undefined);
        throw error;
      }
      // A client of an instance that is gone has heard nothing.
      return this.#epoch === epoch ? undefined : new Promise(() => undefined);
    });
  }

  #found(): Map<string, unknown> {
    const { keys, connections, aliases, prices, routes, budgets, receivers, notices, settings } = this.store.document;
    const found = new Map<string, unknown>();
    for (const { id, name, rpm, disabled } of keys.values()) {
      for (const [field, value] of Object.entries({ name, rpm, disabled, there: true })) {
        found.set(`keys/${id}/${field}`, value);
      }
    }
    for (const { id, priority, enabled, secrets } of connections.values()) {
      const hint = secrets[0]?.hint;
      for (const [field, value] of Object.entries({ priority, enabled, hint, there: true })) {
        found.set(`connections/${id}/${field}`, value);
      }
    }
    for (const { id, model } of aliases.values()) found.set(`aliases/${id}`, model);
    for (const { id, rates } of prices.values()) found.set(`prices/${id}`, (rates as { input?: number }).input);
    for (const { id, models } of routes.values()) found.set(`routes/${id}`, models[0]);
    for (const { id, limit_nano: limit } of budgets.values()) found.set(`budgets/${id}`, limit / 1e9);
    for (const { id } of receivers.values()) found.set(`receivers/${id}`, true);
    for (const { id } of notices.values()) found.set(`notices/${id}`, true);
    for (const [field, value] of Object.entries(settings.get("settings") ?? {})) found.set(`settings/${field}`, value);
    return found;
  }

  #authenticates(secret: string): boolean {
    try {
      this.#keyRing.authenticate(secret);
      return true;
    } catch {
      return false;
    }
  }

  async #createKey(name: string): Promise<void> {
    let made: CreatedKey | null = null;
    const epoch = this.#epoch;
    made = await this.#manageKeys.create({ name });
    if (epoch !== this.#epoch) return;
    const { key, secret } = made;
    this.#keys.set(key.id, secret);
    const values = { name, rpm: null, disabled: false, there: true };
    const named = Object.entries(values).map(([field, value]) => [`keys/${key.id}/${field}`, value] as const);
    await this.known.write(Object.fromEntries(named), async () => undefined);
  }

  #updateKey(which: number, change: Parameters<ManageKeys["update"]>[1]): Promise<unknown> {
    const id = chosen(this.#keys.keys(), which);
    if (id === undefined) return Promise.resolve();
    const values = Object.entries(change).map(([field, value]) => [`keys/${id}/${field}`, value] as const);
    return this.#write(Object.fromEntries(values), () => this.#manageKeys.update(id, change));
  }

  #revokeKey(which: number): Promise<unknown> {
    const id = chosen(this.#keys.keys(), which);
    if (id === undefined) return Promise.resolve();
    return this.#write({ [`keys/${id}/there`]: undefined }, () => this.#manageKeys.revoke(id));
  }

  async #connect(value: number): Promise<void> {
    const epoch = this.#epoch;
    this.#made += 1;
    const secret = `sk-provider-first-${createHash("sha1").update(String(value)).digest("hex")}`;
    const { id } = await this.#manageConnections.create({
      provider: "openai",
      name: `connection ${this.#made}`,
      keys: [secret],
    });
    if (epoch !== this.#epoch) return;
    this.#connections.add(id);
    const values = { priority: 100, enabled: true, hint: secretHint(secret), there: true };
    const named = Object.entries(values).map(([field, one]) => [`connections/${id}/${field}`, one] as const);
    await this.known.write(Object.fromEntries(named), async () => undefined);
  }

  #updateConnection(which: number, change: { priority?: number; enabled?: boolean }): Promise<unknown> {
    const id = chosen(this.#connections, which);
    if (id === undefined) return Promise.resolve();
    const values = Object.entries(change).map(([field, value]) => [`connections/${id}/${field}`, value] as const);
    return this.#write(Object.fromEntries(values), () => this.#manageConnections.update(id, change));
  }

  #replaceKeys(which: number, secret: string): Promise<unknown> {
    const id = chosen(this.#connections, which);
    if (id === undefined) return Promise.resolve();
    return this.#write({ [`connections/${id}/hint`]: secretHint(secret) }, () =>
      this.#manageConnections.update(id, { keys: [secret] }),
    );
  }

  #disconnect(which: number): Promise<unknown> {
    const id = chosen(this.#connections, which);
    if (id === undefined) return Promise.resolve();
    return this.#write({ [`connections/${id}/there`]: undefined }, () => this.#manageConnections.remove(id));
  }

  #set(field: "media_keep_days" | "record_max_mib" | "backup_keep", value: number): Promise<unknown> {
    return this.#write({ [`settings/${field}`]: value }, () => this.#settings.update({ [field]: value }));
  }
}

const budgetOf = (which: number): RemoveBudget => ({ scope: { kind: "client", name: `c${which}` }, reset: "daily" });

const url = (which: number): string => `https://receiver-${which}.example/hook`;

function chosen(ids: Iterable<string>, which: number): string | undefined {
  const all = [...ids];
  return all[which % Math.max(1, all.length)];
}

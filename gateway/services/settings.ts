import type { Settings } from "../contract/control.ts";
import { nanoFromUsd, usdFromNano } from "../lib/money.ts";
import type { StoredSettings } from "../store/document.ts";
import type { Store } from "../store/store.ts";
import type { Events } from "./events.ts";

const DEFAULTS: StoredSettings = { id: "settings", monthly_budget_nano: null, sandbox: null };

/** The app's own settings. What the environment says goes before what is stored. */
export class AppSettings {
  readonly #store: Store;
  readonly #events: Events;
  readonly #sandboxFromEnvironment: Settings["sandbox"] | null;

  constructor(store: Store, events: Events, sandboxFromEnvironment: Settings["sandbox"] | null) {
    this.#store = store;
    this.#events = events;
    this.#sandboxFromEnvironment = sandboxFromEnvironment;
  }

  get stored(): StoredSettings {
    return this.#store.document.settings.get("settings") ?? DEFAULTS;
  }

  get sandbox(): Settings["sandbox"] {
    return this.#sandboxFromEnvironment ?? this.stored.sandbox ?? "auto";
  }

  view(): Settings {
    const budget = this.stored.monthly_budget_nano;
    return { monthly_budget_usd: budget === null ? null : usdFromNano(budget), sandbox: this.sandbox };
  }

  async update(change: Partial<{ [K in keyof Settings]: Settings[K] | undefined }>): Promise<Settings> {
    const budget = change.monthly_budget_usd;
    const record: StoredSettings = {
      ...this.stored,
      ...(budget === undefined ? {} : { monthly_budget_nano: budget === null ? null : nanoFromUsd(budget) }),
      ...(change.sandbox === undefined ? {} : { sandbox: change.sandbox }),
    };
    await this.#store.commit([{ op: "put", in: "settings", record }]);
    this.#events.emit({ type: "settings.changed" });
    return this.view();
  }
}

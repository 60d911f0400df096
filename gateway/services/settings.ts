import type { Settings } from "../contract/control.ts";
import { GatewayError } from "../core/errors.ts";
import { nanoFromUsd, usdFromNano } from "../lib/money.ts";
import type { StoredSettings } from "../store/document.ts";
import type { Store } from "../store/store.ts";
import { allowedTarget } from "../upstream/targets.ts";
import type { Events } from "./events.ts";

const RECORD_KEEP_DAYS = 7;
const RECORD_MAX_MIB = 512;
/** A week of daily ones. */
const BACKUP_KEEP = 7;
const DEFAULTS: StoredSettings = { id: "settings", monthly_budget_nano: null, sandbox: null };

/** The app's own settings. What the environment says goes before what is stored. */
export class AppSettings {
  readonly #store: Store;
  readonly #events: Events;
  readonly #sandboxFromEnvironment: Settings["sandbox"] | null;
  readonly #allowedByEnvironment: ReadonlySet<string>;
  #allowed: { readonly stored: readonly string[]; readonly all: ReadonlySet<string> } | null = null;

  /** @param allowedByEnvironment `host:port` pairs as `targetOf` writes them */
  constructor(
    store: Store,
    events: Events,
    sandboxFromEnvironment: Settings["sandbox"] | null,
    allowedByEnvironment: ReadonlySet<string>,
  ) {
    this.#store = store;
    this.#events = events;
    this.#sandboxFromEnvironment = sandboxFromEnvironment;
    this.#allowedByEnvironment = allowedByEnvironment;
  }

  get stored(): StoredSettings {
    return this.#store.document.settings.get("settings") ?? DEFAULTS;
  }

  get sandbox(): Settings["sandbox"] {
    return this.#sandboxFromEnvironment ?? this.stored.sandbox ?? "auto";
  }

  /** `host:port` pairs on private addresses that webhooks and downloads may reach, by the environment or the settings. */
  allowedTargets(): ReadonlySet<string> {
    const stored = this.stored.allow_targets ?? NO_TARGETS;
    if (this.#allowed?.stored !== stored) {
      this.#allowed = { stored, all: new Set([...this.#allowedByEnvironment, ...stored]) };
    }
    return this.#allowed.all;
  }

  /** How many automatic backups are kept; null: none is made. */
  get backupKeep(): number | null {
    const { backup_keep: keep } = this.stored;
    return keep === undefined ? BACKUP_KEEP : keep;
  }

  /** Where a price list is fetched from; null: nowhere. */
  get priceListUrl(): string | null {
    return this.stored.price_list_url ?? null;
  }

  get priceListDaily(): boolean {
    return this.stored.price_list_daily ?? false;
  }

  view(): Settings {
    const { monthly_budget_nano: budget, media_keep_days, media_max_gib, allow_targets } = this.stored;
    const { record_bodies, record_keep_days, record_max_mib } = this.stored;
    return {
      monthly_budget_usd: budget === null ? null : usdFromNano(budget),
      sandbox: this.sandbox,
      media_keep_days: media_keep_days ?? null,
      media_max_gib: media_max_gib ?? null,
      allow_targets: [...(allow_targets ?? NO_TARGETS)],
      record_bodies: record_bodies ?? false,
      record_keep_days: record_keep_days ?? RECORD_KEEP_DAYS,
      record_max_mib: record_max_mib ?? RECORD_MAX_MIB,
      port: this.stored.port ?? null,
      lan: this.stored.lan ?? false,
      backup_keep: this.backupKeep,
      price_list_url: this.priceListUrl,
      price_list_daily: this.priceListDaily,
    };
  }

  /** @throws GatewayError invalid_value for a target that may never be reached */
  async update(change: Partial<{ [K in keyof Settings]: Settings[K] | undefined }>): Promise<Settings> {
    const { monthly_budget_usd: budget, sandbox, media_keep_days, media_max_gib, allow_targets: targets } = change;
    const { record_bodies, record_keep_days, record_max_mib } = change;
    const given: Partial<StoredSettings> = {
      ...(budget === undefined ? {} : { monthly_budget_nano: budget === null ? null : nanoFromUsd(budget) }),
      ...(sandbox === undefined ? {} : { sandbox }),
      ...(media_keep_days === undefined ? {} : { media_keep_days }),
      ...(media_max_gib === undefined ? {} : { media_max_gib }),
      ...(record_bodies === undefined ? {} : { record_bodies }),
      ...(record_keep_days === undefined ? {} : { record_keep_days }),
      ...(record_max_mib === undefined ? {} : { record_max_mib }),
      ...(change.port === undefined ? {} : { port: change.port }),
      ...(change.backup_keep === undefined ? {} : { backup_keep: change.backup_keep }),
      ...(change.lan === undefined ? {} : { lan: change.lan }),
      ...(change.price_list_url === undefined ? {} : { price_list_url: change.price_list_url }),
      ...(change.price_list_daily === undefined ? {} : { price_list_daily: change.price_list_daily }),
      ...(targets === undefined ? {} : { allow_targets: [...new Set(targets.map(checkedTarget))] }),
    };
    await this.#store.change("settings", "settings", (newest) => ({ ...(newest ?? DEFAULTS), ...given }));
    this.#events.emit({ type: "settings.changed" });
    return this.view();
  }
}

const NO_TARGETS: readonly string[] = [];

function checkedTarget(entry: string, index: number): string {
  const checked = allowedTarget(entry.trim());
  if ("target" in checked) return checked.target;
  throw new GatewayError("invalid_value", `"${entry.slice(0, 100)}" cannot be allowed: ${checked.problem}.`, {
    param: `allow_targets[${index}]`,
  });
}

import { parseProxy, showProxy } from "../contract/proxy.ts";
import { initialSettings, settingNames, getSetting, type SettingName, type Settings } from "../contract/settings.ts";
import { GatewayError } from "../core/errors.ts";
import { holdsSecret, looksSecret } from "../lib/looks-secret.ts";
import { nanoFromUsd, usdFromNano } from "../lib/money.ts";
import { storedSettingName, type StoredSettings } from "../store/document.ts";
import type { Store } from "../store/store.ts";
import { getDownloadTarget } from "../upstream/download-target.ts";
import { UpstreamFailure } from "../upstream/failure.ts";
import { isPrivateHost } from "../upstream/private-host.ts";
import { allowedTarget, formatTarget } from "../upstream/targets.ts";
import type { Events } from "./events.ts";
import { openProxy, storeProxy } from "./proxy-choice.ts";

export const NOTHING_STORED: StoredSettings = { id: "settings", monthly_budget_nano: null, sandbox: null };
const NO_TARGETS: readonly string[] = [];

/** Checks beyond the schema: each throws, or returns the value to store. */
const checks: { readonly [Name in SettingName]?: (value: Settings[Name]) => Settings[Name] } = {
  allow_targets: (targets) => [...new Set(targets.map(checkedTarget))],
  otlp_endpoint: (address) => {
    const url = new URL(address ?? "http://localhost");
    if (url.search === "" && !holdsSecret(url) && !url.pathname.split("/").some(looksSecret)) return address;
    throw new GatewayError(
      "invalid_value",
      "The receiver's address must hold no user name, password, query, fragment or token: tokens go into its headers.",
      { param: "otlp_endpoint" },
    );
  },
  searxng_url: (address) => checkedAddress("searxng_url", address),
  price_list_url: (address) => checkedAddress("price_list_url", address),
};

/** Settings are stored in the clear. @throws GatewayError invalid_value for an address that carries a key */
function checkedAddress(param: SettingName, address: string | null): string | null {
  if (address === null || !holdsSecret(new URL(address))) return address;
  throw new GatewayError(
    "invalid_value",
    `'${param}' must hold no user name, password, token or fragment. Postern asks there without a login: give an address that needs none.`,
    { param },
  );
}

/**
 * Checks that requests may go to the addresses of a change: a setting that is taken must work.
 * @param allowed `host:port` pairs as `formatTarget` writes them
 * @throws GatewayError invalid_value
 */
export async function checkReach(change: SettingsChange, allowed: ReadonlySet<string>): Promise<void> {
  const all = new Set([...allowed, ...(change.allow_targets ?? [])]);
  for (const param of ["otlp_endpoint", "searxng_url"] as const) {
    const url = URL.parse(change[param] ?? "");
    if (url?.protocol !== "http:" || all.has(formatTarget(url)) || (await isPrivateHost(url.hostname)) !== false)
      continue;
    throw new GatewayError(
      "invalid_value",
      `${url.host} is not on a private network, and plain http can be read on the way. Use an https address.`,
      { param },
    );
  }
  if (change.price_list_url == null) return;
  try {
    getDownloadTarget(change.price_list_url, { allowed: all, ownPort: 0 }, false);
  } catch (error) {
    if (!(error instanceof UpstreamFailure)) throw error;
    throw new GatewayError(
      "invalid_value",
      "A price list is read from https addresses on the open internet only. Use one, or add its host:port to the allowed targets.",
      { param: "price_list_url", cause: error },
    );
  }
}

/** Settings of the app. Environment variables override stored values. */
export class AppSettings {
  readonly #store: Store;
  readonly #events: Events;
  readonly #environment: Readonly<Partial<Settings>>;
  readonly #allowedByEnvironment: ReadonlySet<string>;
  #allowed: { readonly stored: readonly string[]; readonly all: ReadonlySet<string> } | null = null;

  /** @param allowedByEnvironment `host:port` pairs as `formatTarget` writes them */
  constructor(
    store: Store,
    events: Events,
    environment: Readonly<Partial<Settings>>,
    allowedByEnvironment: ReadonlySet<string>,
  ) {
    this.#store = store;
    this.#events = events;
    this.#environment = environment;
    this.#allowedByEnvironment = allowedByEnvironment;
  }

  get stored(): StoredSettings {
    return this.#store.document.settings.get("settings") ?? NOTHING_STORED;
  }

  /** Returns the current value: from the environment, else as stored, else the default. */
  get<Name extends SettingName>(name: Name): Settings[Name] {
    return this.readSetting(this.stored, name);
  }

  /** Returns the value that would apply if this was stored; undefined: nothing is stored. */
  readSetting<Name extends SettingName>(stored: StoredSettings | undefined, name: Name): Settings[Name] {
    const given = this.#environment[name];
    return given === undefined ? findSetting(stored ?? NOTHING_STORED, name) : given;
  }

  /** `host:port` pairs on private addresses that webhooks and downloads may reach, by the environment or the settings. */
  allowedTargets(): ReadonlySet<string> {
    const stored = this.stored.allow_targets ?? NO_TARGETS;
    if (this.#allowed?.stored !== stored) {
      this.#allowed = { stored, all: new Set([...this.#allowedByEnvironment, ...stored]) };
    }
    return this.#allowed.all;
  }

  /** The choice of a proxy with its login. */
  proxyAddress(): string {
    return this.#environment.proxy ?? openProxy(this.stored, this.#store.secrets) ?? initialSettings.proxy;
  }

  /** The settings as pages show them, without logins. */
  view(): Settings {
    const values = Object.fromEntries(settingNames.map((name) => [name, this.get(name)])) as Settings;
    const proxy = parseProxy(values.proxy);
    return proxy?.login == null ? values : { ...values, proxy: showProxy(proxy) };
  }

  /** @throws GatewayError invalid_value for a forbidden target */
  async update(change: SettingsChange): Promise<Settings> {
    await checkReach(change, this.allowedTargets());
    const before = this.stored;
    const { secrets } = this.#store;
    const given = {
      ...storedSettings(change),
      ...(await storeProxy(change.proxy, before, (address) => secrets.add(address))),
    };
    await this.#store.change("settings", "settings", (newest) => ({ ...(newest ?? NOTHING_STORED), ...given }));
    if (given.proxy_secret !== undefined && before.proxy_secret != null)
      await secrets.remove([before.proxy_secret]).catch(() => undefined);
    this.#events.emit({ type: "settings.changed" });
    return this.view();
  }
}

export type SettingsChange = Partial<{ [K in keyof Settings]: Settings[K] | undefined }>;

/**
 * Checks changes and returns them as they are stored, without the proxy, which may contain credentials.
 * @throws GatewayError invalid_value for a forbidden target
 */
export function storedSettings(change: SettingsChange): Partial<StoredSettings> {
  const given = settingNames.flatMap((name) =>
    change[name] === undefined || name === "proxy" ? [] : [[storedSettingName(name), storedValue(name, change[name])]],
  );
  return Object.fromEntries(given) as Partial<StoredSettings>;
}

/** Returns the stored value of a setting, else the default. */
export function findSetting<Name extends SettingName>(stored: StoredSettings, name: Name): Settings[Name] {
  return getValue(name, stored[storedSettingName(name)]) as Settings[Name];
}

type StoredValue = StoredSettings[ReturnType<typeof storedSettingName>];

function getValue(name: SettingName, stored: StoredValue): StoredValue {
  const setting = getSetting(name);
  if (stored === undefined || (stored === null && !("none" in setting))) return setting.initial;
  return setting.kind === "usd" && typeof stored === "number" ? usdFromNano(stored) : stored;
}

function storedValue<Name extends SettingName>(name: Name, value: Settings[Name]): StoredValue {
  const checked = checks[name]?.(value) ?? value;
  return getSetting(name).kind === "usd" && typeof checked === "number" ? nanoFromUsd(checked) : checked;
}

function checkedTarget(entry: string, index: number): string {
  const checked = allowedTarget(entry.trim());
  if ("target" in checked) return checked.target;
  throw new GatewayError("invalid_value", `"${entry.slice(0, 100)}" cannot be allowed: ${checked.problem}.`, {
    param: `allow_targets[${index}]`,
  });
}

import { randomBytes, timingSafeEqual } from "node:crypto";
import type { TelemetryView } from "../../contract/telemetry.ts";
import type { Clock } from "../../lib/clock.ts";
import { randomBase62, sha256 } from "../../lib/ids.ts";
import { secretHint } from "../../lib/redact.ts";
import type { Store } from "../../store/store.ts";
import type { Events } from "../events.ts";
import type { AppSettings } from "../settings.ts";

export interface MetricsKeyDeps {
  readonly store: Pick<Store, "change">;
  readonly settings: AppSettings;
  readonly events: Pick<Events, "emit">;
  readonly clock: Clock;
}

/** A form that is taken out of logs, and that no local key has. */
const PREFIX = "tok-metrics-";
const RANDOM_CHARACTERS = 40;

/** The key of `/metrics`, which does not exist without one. Only its SHA-256 is stored. */
export class MetricsKey {
  readonly #deps: MetricsKeyDeps;

  constructor(deps: MetricsKeyDeps) {
    this.#deps = deps;
  }

  get set(): boolean {
    return this.#stored !== undefined;
  }

  view(): TelemetryView["metrics_key"] {
    const stored = this.#stored;
    return stored === undefined ? null : { hint: stored.hint, created_at: stored.created_at };
  }

  /** Whether this is the key. */
  opens(given: string): boolean {
    const stored = this.#stored;
    return stored !== undefined && timingSafeEqual(Buffer.from(sha256(given)), Buffer.from(stored.hash));
  }

  /** Creates a new key, shown only once; the earlier one is refused from now on. */
  async make(): Promise<string> {
    const secret = `${PREFIX}${randomBase62(RANDOM_CHARACTERS, randomBytes)}`;
    const created_at = this.#deps.clock.now();
    await this.#keep({ hash: sha256(secret), hint: secretHint(secret), created_at });
    return secret;
  }

  async remove(): Promise<void> {
    await this.#keep(null);
  }

  get #stored() {
    return this.#deps.settings.stored.metrics_key ?? undefined;
  }

  async #keep(metrics_key: { readonly hash: string; readonly hint: string; readonly created_at: number } | null) {
    const { store, settings, events } = this.#deps;
    await store.change("settings", "settings", (newest) => ({ ...(newest ?? settings.stored), metrics_key }));
    events.emit({ type: "settings.changed" });
  }
}

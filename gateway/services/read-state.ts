import { setTimeout } from "node:timers/promises";
import type { State } from "../contract/control.ts";
import type { Store } from "../store/store.ts";
import type { Forecasts } from "./budgets/forecasts.ts";
import type { Admission } from "./calls/admission.ts";
import type { Connections } from "./connections/connections.ts";
import type { Notices } from "./notices.ts";
import type { Pause } from "./pause.ts";
import type { QueryUsage } from "./query-usage.ts";
import type { SandboxSwitch } from "./connections/sandbox-switch.ts";
import type { AppSettings } from "./settings.ts";

/** Some ten thousand receipts of a day are read back by then. */
const WAIT_MS = 80;

export interface ReadStateDeps {
  readonly version: string;
  readonly dataDir: string;
  readonly pid: number;
  readonly startedAt: number;
  readonly url: () => string;
  readonly stopping: () => boolean;
  readonly store: Store;
  readonly admission: Admission;
  readonly connections: Connections;
  readonly notices: Notices;
  readonly usage: QueryUsage;
  readonly sandbox: SandboxSwitch;
  readonly settings: AppSettings;
  readonly pause: Pause;
  readonly forecasts: Forecasts;
}

/** Summary of the state for the overview, the sidebar and the tray. */
export class ReadState {
  readonly #deps: ReadStateDeps;

  constructor(deps: ReadStateDeps) {
    this.#deps = deps;
  }

  read(): State {
    const deps = this.#deps;
    const month = deps.usage.month();
    const budget = deps.settings.stored.monthly_budget_nano ?? null;
    return {
      version: deps.version,
      url: deps.url(),
      pid: deps.pid,
      data_dir: deps.dataDir,
      started_at: deps.startedAt,
      status: this.#status(),
      sandbox: { mode: deps.settings.get("sandbox"), active: deps.sandbox.active },
      connections: deps.connections.real().length,
      in_flight: deps.admission.inFlight,
      today: deps.usage.today(),
      month,
      monthly_budget_nano: budget,
      monthly_budget_ends_at: deps.forecasts.getMonthEnds(budget, month.nano),
      notices: [...deps.notices.list()],
    };
  }

  /** Reads the state including today's usage, if that is ready within the first-load limit. */
  async readSoon(): Promise<State> {
    const waited = new AbortController();
    const late = setTimeout(WAIT_MS, undefined, { signal: waited.signal }).catch(() => undefined);
    await Promise.race([this.#deps.usage.prepareToday().catch(() => undefined), late]);
    waited.abort();
    return this.read();
  }

  #status(): State["status"] {
    const { stopping, pause, store } = this.#deps;
    if (stopping()) return "stopping";
    // Before the disk's trouble: a pause that is not seen is not ended.
    if (pause.paused) return "paused";
    return store.writable ? "running" : "storage";
  }
}

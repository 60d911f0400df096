import type { Clock } from "../lib/clock.ts";
import type { Later } from "../lib/later.ts";
import type { Log } from "../lib/log.ts";
import { getMessage } from "../lib/message-of.ts";
import { parseJson } from "../lib/json.ts";
import { isRecord } from "../lib/records.ts";
import type { DownloadAttempt, Downloader } from "../upstream/download.ts";
import type { Notices } from "./notices.ts";
import { Scheduler } from "./scheduler.ts";
import type { AppSettings } from "./settings.ts";

/** The newest version, as npm has it (https://github.com/npm/registry/blob/main/docs/REGISTRY-API.md, 2026-11-30). */
export const NEWEST_VERSION_URL = "https://registry.npmjs.org/postern/latest";
/** Milliseconds after the start; a start has other work. */
const FIRST_MS = 2 * 60_000;
const DAY_MS = 24 * 60 * 60_000;
const LIMITS = { types: ["application/json"], maxBytes: 1024 * 1024, totalMs: 30_000, idleMs: 15_000 };

export interface UpdateNoticeDeps {
  readonly settings: Pick<AppSettings, "get">;
  readonly downloader: Pick<Downloader, "open">;
  readonly clock: Clock;
  readonly later: Later;
  readonly log: Log;
  readonly notices: Pick<Notices, "offer" | "takeBack">;
  readonly version: string;
}

/** Asks npm once a day for the newest version, for owners who have switched it on, and says so in a notice. */
export class UpdateNotice {
  readonly #deps: UpdateNoticeDeps;
  readonly #scheduler: Scheduler<"daily">;
  #attempt: DownloadAttempt | null = null;
  #offered: { readonly version: string; readonly notice: string } | null = null;

  constructor(deps: UpdateNoticeDeps) {
    this.#deps = deps;
    const { clock, later } = deps;
    this.#scheduler = new Scheduler({ clock, later, onDue: () => void this.look() });
  }

  start(): void {
    this.#scheduler.set("daily", this.#deps.clock.now() + FIRST_MS);
  }

  /** After the machine slept. */
  check(): void {
    this.#scheduler.check();
  }

  stop(): void {
    this.#scheduler.stop();
    this.#attempt?.abort();
  }

  /** Looks for a newer version. A failure is only logged: the next look is a day later. */
  async look(): Promise<void> {
    const { clock, settings, log } = this.#deps;
    this.#scheduler.set("daily", clock.now() + DAY_MS);
    if (!settings.get("update_check")) return;
    try {
      const newest = await this.#fetch();
      if (newest !== null) this.#offer(newest);
    } catch (error) {
      log.warn("update.failed", { message: getMessage(error) });
    }
  }

  /** Returns the newest version; null if the response names none. */
  async #fetch(): Promise<string | null> {
    this.#attempt = this.#deps.downloader.open(NEWEST_VERSION_URL, "", LIMITS);
    try {
      const latest = parseJson(await (await this.#attempt.response).collect());
      const version = isRecord(latest) ? latest["version"] : null;
      return typeof version === "string" && RELEASE.test(version) ? version : null;
    } finally {
      this.#attempt = null;
    }
  }

  #offer(newest: string): void {
    const { notices, version } = this.#deps;
    if (!isNewer(newest, version) || this.#offered?.version === newest) return;
    if (this.#offered !== null) notices.takeBack(this.#offered.notice);
    const sentence = `Postern ${newest} is available; this is ${version}. The guide's page "Upgrade and uninstall" says how to get it.`;
    this.#offered = { version: newest, notice: notices.offer("info", sentence) };
  }
}

/** A release; versions before one are not offered. */
const RELEASE = /^\d{1,6}\.\d{1,6}\.\d{1,6}$/;

/** Whether a release is newer than a version, which may be one before a release, such as `1.1.0-beta.1`. */
export function isNewer(release: string, version: string): boolean {
  const [numbers = "", before] = version.split("-", 2);
  const ours = numbers.split(".").map(Number);
  for (const [index, part] of release.split(".").map(Number).entries()) {
    const own = ours[index] ?? 0;
    if (part !== own) return part > own;
  }
  return before !== undefined;
}

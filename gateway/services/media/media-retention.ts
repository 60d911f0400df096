import type { Settings } from "../../contract/settings.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Later } from "../../lib/later.ts";
import type { Log } from "../../lib/log.ts";
import { getMessage } from "../../lib/message-of.ts";
import { Mutex } from "../../lib/mutex.ts";
import type { MediaStore } from "../../store/media/media-store.ts";
import { Scheduler } from "../scheduler.ts";
import type { ClockWatch } from "../clock-watch.ts";
import type { Notices } from "../notices.ts";

const GIB = 1024 ** 3;
const FIRST_MS = 60_000;
const EVERY_MS = 60 * 60_000;

export interface MediaRetentionDeps {
  readonly clock: Clock;
  readonly clockWatch: Pick<ClockWatch, "doubtful">;
  readonly later: Later;
  readonly log: Log;
  readonly notices: Pick<Notices, "add">;
  readonly store: () => Promise<MediaStore>;
  readonly settings: { view(): Pick<Settings, "media_keep_days" | "media_max_gib"> };
  /** Removes the files of deleted results. */
  readonly remove: (store: MediaStore) => void;
  /** The library's list is another one. */
  readonly changed: () => void;
}

/**
 * Removes results that exceed the age or size settings, immediately and without undo. It therefore ignores a clock that
 * was set recently or has jumped over a year.
 */
export class MediaRetention {
  readonly #deps: MediaRetentionDeps;
  readonly #scheduler: Scheduler<"sweep">;
  #isReported = false;
  readonly #mutex = new Mutex();

  constructor(deps: MediaRetentionDeps) {
    const { clock, later } = deps;
    this.#deps = deps;
    this.#scheduler = new Scheduler({ clock, later, onDue: () => this.#sweep() });
  }

  /** Sweeps a minute from now, and then every hour. */
  start(): void {
    this.#scheduler.set("sweep", this.#deps.clock.now() + FIRST_MS);
  }

  /** The settings are other ones: sweeps now. */
  soon(): void {
    this.#scheduler.set("sweep", this.#deps.clock.now());
  }

  /** After the machine slept. */
  check(): void {
    this.#scheduler.check();
  }

  /** Resolves when nothing is being removed. */
  async stop(): Promise<void> {
    this.#scheduler.stop();
    await this.#mutex.waitUntilSettled();
  }

  #sweep(): void {
    const { clock, log } = this.#deps;
    this.#scheduler.set("sweep", clock.now() + EVERY_MS);
    this.#mutex
      .run(() => this.#remove())
      .catch((error: unknown) => {
        log.warn("media.not_swept", { message: getMessage(error) });
      });
  }

  async #remove(): Promise<void> {
    const { clock, clockWatch, log, settings, remove, changed } = this.#deps;
    const { media_keep_days: keepDays, media_max_gib: maxGib } = settings.view();
    const maxBytes = maxGib === null ? null : maxGib * GIB;
    if (keepDays === null && maxBytes === null) return;
    const store = await this.#deps.store();
    const now = clock.now();
    const doubtful = clockWatch.doubtful && keepDays !== null;
    if (doubtful) log.warn("media.not_swept", { message: "The clock has just been set." });
    const found = await store.findOutdated({ keepDays: doubtful ? null : keepDays, maxBytes }, now);
    // While the index is rebuilt, nothing is removed.
    if (found === null) return;
    const { ids, retained, since } = found;
    if (keepDays !== null && since !== null) this.#reportRetained(retained, since, keepDays);
    if (ids.length === 0) return;
    const removed = await store.takeOut(ids, now);
    log.info("media.swept", { count: removed.length });
    changed();
    remove(store);
  }

  /** Once in a run. */
  #reportRetained(retained: number, since: number, keepDays: number): void {
    if (retained === 0 || this.#isReported) return;
    this.#isReported = true;
    const date = new Date(since).toISOString().slice(0, 10);
    this.#deps.notices.add(
      "warning",
      `${retained} results from before ${date} are kept although they are older than ${keepDays} days: nothing was made for a year after them, as if a clock had been wrong. If the dates are right, delete them in the library.`,
    );
  }
}

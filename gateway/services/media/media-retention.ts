import { outdatedMedia } from "../../core/media/media-retention.ts";
import type { MediaLimits } from "../../core/media/media-retention.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Later } from "../../lib/later.ts";
import type { Log } from "../../lib/log.ts";
import { messageOf } from "../../lib/message-of.ts";
import type { MediaStore } from "../../store/media/media-store.ts";
import { Agenda } from "../agenda.ts";

const FIRST_MS = 60_000;
const EVERY_MS = 60 * 60_000;
/** A wall clock that moved so much more or less than time passed is not believed before the next sweep. */
const JUMP_MS = 10 * 60_000;

export interface MediaRetentionDeps {
  readonly clock: Clock;
  readonly later: Later;
  readonly log: Log;
  readonly store: () => Promise<MediaStore>;
  readonly limits: () => MediaLimits;
  /** Sees to the files of what was taken out. */
  readonly remove: (store: MediaStore) => void;
  /** The library's list is another one. */
  readonly changed: () => void;
}

/** Removes what is too old or too much, as the settings say: at once and without a way back. */
export class MediaRetention {
  readonly #deps: MediaRetentionDeps;
  readonly #agenda: Agenda<"sweep">;
  #seen: { readonly wall: number; readonly monotonic: number };
  #sweeping: Promise<void> = Promise.resolve();

  constructor(deps: MediaRetentionDeps) {
    const { clock, later } = deps;
    this.#deps = deps;
    this.#seen = { wall: clock.now(), monotonic: clock.monotonic() };
    this.#agenda = new Agenda({ clock, later, onDue: () => this.#sweep() });
  }

  /** Sweeps a minute from now, and then every hour. */
  start(): void {
    this.#agenda.set("sweep", this.#deps.clock.now() + FIRST_MS);
  }

  /** The settings are other ones: sweeps now. */
  soon(): void {
    this.#agenda.set("sweep", this.#deps.clock.now());
  }

  /** After the machine slept. */
  look(): void {
    this.#agenda.look();
  }

  /** Resolves when nothing is being removed. */
  async stop(): Promise<void> {
    this.#agenda.stop();
    await this.#sweeping;
  }

  #sweep(): void {
    const { clock, log } = this.#deps;
    this.#agenda.set("sweep", clock.now() + EVERY_MS);
    if (this.#jumped()) return log.warn("media.not_swept", { message: "The clock has just been set." });
    this.#sweeping = this.#sweeping
      .then(() => this.#remove())
      .catch((error: unknown) => {
        log.warn("media.not_swept", { message: messageOf(error) });
      });
  }

  /** A clock that somebody sets wrong for a moment must not cost the whole library. */
  #jumped(): boolean {
    const { clock } = this.#deps;
    const before = this.#seen;
    this.#seen = { wall: clock.now(), monotonic: clock.monotonic() };
    const passed = this.#seen.monotonic - before.monotonic;
    return Math.abs(this.#seen.wall - before.wall - passed) > JUMP_MS;
  }

  async #remove(): Promise<void> {
    const { clock, log, limits, remove, changed } = this.#deps;
    const { keepDays, maxBytes } = limits();
    if (keepDays === null && maxBytes === null) return;
    const store = await this.#deps.store();
    const now = clock.now();
    const ids = outdatedMedia([...store.oldestFirst()], { keepDays, maxBytes }, now);
    if (ids.length === 0) return;
    const removed = await store.removal.takeOut(ids, now);
    log.info("media.swept", { count: removed.length });
    changed();
    remove(store);
  }
}

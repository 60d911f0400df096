import type { DeletedMedia } from "../../contract/media.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Later } from "../../lib/later.ts";
import type { Log } from "../../lib/log.ts";
import { getMessage } from "../../lib/message-of.ts";
import type { MediaStore } from "../../store/media/media-store.ts";
import { Scheduler } from "../scheduler.ts";

/** So long a deletion can be taken back. */
export const UNDO_MS = 10 * 60_000;
/** After the disk has refused to remove files. */
const AGAIN_MS = 10 * 60_000;

export interface MediaRemovalsDeps {
  readonly clock: Clock;
  readonly later: Later;
  readonly log: Log;
  readonly store: () => Promise<MediaStore>;
  /** The library's list is another one. */
  readonly changed: () => void;
}

/** Manual deletion with undo. Items deleted before a restart are removed when their undo time is over. */
export class MediaRemovals {
  readonly #deps: MediaRemovalsDeps;
  readonly #scheduler: Scheduler<"remove">;
  #removing: Promise<void> = Promise.resolve();

  constructor(deps: MediaRemovalsDeps) {
    this.#deps = deps;
    const { clock, later } = deps;
    this.#scheduler = new Scheduler({ clock, later, onDue: () => void this.#remove() });
  }

  /** @throws StoreWriteError, GatewayError storage_unavailable */
  async delete(ids: readonly string[]): Promise<DeletedMedia> {
    const store = await this.#deps.store();
    const until = this.#deps.clock.now() + UNDO_MS;
    const deleted = await store.takeOut(ids, until);
    this.plan(store);
    if (deleted.length > 0) this.#deps.changed();
    return { deleted, undo_until: until };
  }

  /** @throws StoreWriteError, GatewayError storage_unavailable */
  async restore(ids: readonly string[]): Promise<{ restored: string[] }> {
    const store = await this.#deps.store();
    const restored = await store.bringBack(ids, this.#deps.clock.now());
    if (restored.length > 0) this.#deps.changed();
    return { restored };
  }

  /** Schedules the next removal; also called after a start. */
  plan(store: MediaStore): void {
    const at = store.nextRemovalAt;
    if (at !== null) this.#scheduler.set("remove", at);
  }

  /** After the machine slept. */
  check(): void {
    this.#scheduler.check();
  }

  /** Resolves when no removal is running. The rest is removed after the next start. */
  async stop(): Promise<void> {
    this.#scheduler.stop();
    await this.#removing;
  }

  #remove(): Promise<void> {
    const { clock, log } = this.#deps;
    this.#removing = this.#deps
      .store()
      .then(async (store) => {
        const count = await store.removeDue(clock.now());
        if (count > 0) log.info("media.removed", { count });
        this.plan(store);
        return undefined;
      })
      .catch((error: unknown) => {
        log.warn("media.not_removed", { message: getMessage(error) });
        this.#scheduler.set("remove", clock.now() + AGAIN_MS);
      });
    return this.#removing;
  }
}

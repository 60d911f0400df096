import { GatewayError } from "../../core/errors.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import { messageOf } from "../../lib/message-of.ts";
import type { Store } from "../store.ts";
import type { StoreFs } from "../disk/store-fs.ts";
import { storeLogTo } from "../store-event.ts";
import { TaskArchive } from "./task-archive.ts";
import type { TaskIndex } from "./task-index.ts";

/** Takes what the owner should know. */
export interface OwnerNotices {
  add(level: "warning", message: string): void;
}

export interface ArchiveOpenerDeps {
  readonly dataDir: string;
  readonly store: Pick<Store, "frozen">;
  readonly clock: Clock;
  readonly log: Log;
  readonly notices: OwnerNotices;
  readonly fs?: StoreFs;
}

/** Opens the archive of tasks once, and enters what is in it. */
export class ArchiveOpener {
  readonly #deps: ArchiveOpenerDeps;
  readonly #index: TaskIndex;
  #opening: Promise<TaskArchive> | null = null;
  #opened = false;
  #told = false;
  #closed = false;

  constructor(deps: ArchiveOpenerDeps, index: TaskIndex) {
    this.#deps = deps;
    this.#index = index;
  }

  get opened(): boolean {
    return this.#opened;
  }

  /**
   * Waits until the archive is open and its tasks are known.
   * @throws GatewayError storage_unavailable when the disk does not let it be opened; the next call tries again
   */
  open(): Promise<TaskArchive> {
    if (this.#closed) return Promise.reject(unreadable("Postern is stopping"));
    this.#opening ??= this.#open();
    return this.#opening;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#opening?.then((archive) => archive.close()).catch(() => undefined);
  }

  async #open(): Promise<TaskArchive> {
    const { dataDir: dir, store, clock, log, notices, fs } = this.#deps;
    try {
      const archive = await TaskArchive.open({
        dir,
        clock,
        log: storeLogTo(log),
        readOnly: store.frozen,
        ...(fs === undefined ? {} : { fs }),
      });
      for (const problem of archive.problems) notices.add("warning", problem);
      await this.#index.addAll(getEntries(archive), clock);
      this.#opened = true;
      return archive;
    } catch (error) {
      this.#opening = null;
      const failure = unreadable(messageOf(error), error);
      if (!this.#told) notices.add("warning", failure.message);
      this.#told = true;
      throw failure;
    }
  }
}

function* getEntries(archive: TaskArchive) {
  for (const { entry } of archive.entries.values()) yield entry;
}

const unreadable = (why: string, cause?: unknown): GatewayError =>
  new GatewayError("storage_unavailable", `Older video tasks cannot be read: ${why}.`, { cause });

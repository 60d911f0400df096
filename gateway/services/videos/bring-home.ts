import { delivered, savedLate } from "../../core/tasks/task-changes.ts";
import type { TaskRecord } from "../../core/tasks/task.ts";
import { pause } from "../../lib/abortable.ts";
import { newId } from "../../lib/ids.ts";
import { messageOf } from "../../lib/message-of.ts";
import { StoreWriteError } from "../../store/store.ts";
import { FetchResult } from "./fetch-result.ts";
import type { FetchDeps } from "./fetch-result.ts";

export interface BringHomeDeps extends FetchDeps {
  /** Does it again later: what is in the way now may be gone by then. */
  readonly putOff: (id: string, error: unknown) => void;
}

/** A file that takes longer is shown by its provider's address meanwhile. */
const TIMEOUT_MS = 10 * 60_000;
/** What the disk refused is tried again. */
const AGAIN_MS = 5_000;

/** Fetches what a task made; the task ends when it is there, or when it takes too long to wait for. */
export class BringHome {
  readonly #deps: BringHomeDeps;
  readonly #fetch: FetchResult;
  readonly #fetching = new Set<string>();

  constructor(deps: BringHomeDeps) {
    this.#deps = deps;
    this.#fetch = new FetchResult(deps);
  }

  /** Never rejects. A task whose file is being fetched is left to that. @param resumed see `FetchResult.fetch` */
  async bring(task: TaskRecord, resumed: boolean): Promise<void> {
    const { id } = task;
    if (this.#fetching.has(id)) return;
    this.#fetching.add(id);
    const { background, putOff } = this.#deps;
    const here = new AbortController();
    background.run("video.not_ended", () => this.#endWithout(id, AbortSignal.any([here.signal, background.stopping])));
    try {
      const saved = await this.#fetch.fetch(task, resumed);
      if (saved === null) putOff(id, null);
      else await this.#arrived(id, saved, saved ? null : NO_FILE);
    } catch (error) {
      putOff(id, error);
    } finally {
      here.abort();
      this.#fetching.delete(id);
    }
  }

  /** Ends a task whose file takes too long, unless `here` is aborted before. */
  async #endWithout(id: string, here: AbortSignal): Promise<void> {
    const { later, log } = this.#deps;
    let open = await pause(later, TIMEOUT_MS, here);
    while (open) {
      try {
        await this.#arrived(id, null, SLOW_FILE);
        open = false;
      } catch (error) {
        if (!(error instanceof StoreWriteError)) log.warn("video.not_ended", { task: id, message: messageOf(error) });
        open = await pause(later, AGAIN_MS, here);
      }
    }
  }

  /** The file is there, or is not (false), or is not waited for any longer (null). @throws StoreWriteError */
  async #arrived(id: string, saved: boolean | null, note: string | null): Promise<void> {
    const { repository, clock } = this.#deps;
    await repository.change(id, (newest) => {
      const now = clock.now();
      const end = delivered(newest, saved, note, { at: now, eventId: newId("evt") });
      return end ?? (saved === null ? null : savedLate(newest, saved, now));
    });
  }
}

const SLOW_FILE = "The file takes long to fetch. Until it is here, the provider's address is all there is.";
const NO_FILE = "The file could not be fetched from the provider. Its address may still work for a while.";

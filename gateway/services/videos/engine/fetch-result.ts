import { GatewayError } from "../../../core/errors.ts";
import { replaceAddresses, deliverTask, savedLate } from "../../../core/tasks/task-changes.ts";
import { createStoredNative } from "../../../core/tasks/task-native.ts";
import { getSeed } from "../../../core/tasks/task.ts";
import type { TaskRecord } from "../../../core/tasks/task.ts";
import { unlessAborted, pause } from "../../../lib/abortable.ts";
import type { Background } from "../../../lib/background.ts";
import type { Clock } from "../../../lib/clock.ts";
import type { Later } from "../../../lib/later.ts";
import type { Log } from "../../../lib/log.ts";
import { getMessage } from "../../../lib/message-of.ts";
import { MediaRefused } from "../../../store/media/media-incoming.ts";
import { bodyChunks } from "../../../upstream/body-chunks.ts";
import { UpstreamFailure } from "../../../upstream/failure.ts";
import type { Connections } from "../../connections/connections.ts";
import type { TimeLimits } from "../../calls/time-limits.ts";
import { upstreamRequest } from "../../calls/upstream-request.ts";
import { Limiter } from "../../../lib/limiter.ts";
import type { MediaOrigin } from "../../media/keep-media.ts";
import type { MediaLibrary } from "../../media/media-library.ts";
import { askProvider, findState, getVideos, getAccount, getSecrets } from "../task-provider.ts";
import type { AskDeps, TaskAccount } from "../task-provider.ts";
import type { TaskRepository } from "../../../store/tasks/task-repository.ts";
import { newId } from "../../../lib/ids.ts";
import { StoreWriteError } from "../../../store/store.ts";

interface TaskResultsDeps extends FetchDeps {
  /** Schedules a retry, because the obstacle may be temporary. */
  readonly putOff: (id: string, error: unknown) => void;
}

/** Timeout in ms, after which the provider's URL is shown instead of a file. */
const TIMEOUT_MS = 10 * 60_000;
/** Milliseconds until the retry of a write that the disk refused. */
const AGAIN_MS = 5_000;

/** Fetches the result of a task; the task ends when it is stored, or when the fetch takes too long. */
export class TaskResults {
  readonly #deps: TaskResultsDeps;
  readonly #fetch: FetchResult;
  readonly #fetching = new Set<string>();

  constructor(deps: TaskResultsDeps) {
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
      else await this.#finishDelivery(id, saved, saved ? null : NO_FILE);
    } catch (error) {
      putOff(id, error);
    } finally {
      here.abort();
      this.#fetching.delete(id);
    }
  }

  /** Ends a task whose file takes too long, unless `here` is aborted first. */
  async #endWithout(id: string, here: AbortSignal): Promise<void> {
    const { later, log } = this.#deps;
    let open = await pause(later, TIMEOUT_MS, here);
    while (open) {
      try {
        await this.#finishDelivery(id, null, SLOW_FILE);
        open = false;
      } catch (error) {
        if (!(error instanceof StoreWriteError)) log.warn("video.not_ended", { task: id, message: getMessage(error) });
        open = await pause(later, AGAIN_MS, here);
      }
    }
  }

  /** The file is there, or is not (false), or is not waited for any longer (null). @throws StoreWriteError */
  async #finishDelivery(id: string, saved: boolean | null, note: string | null): Promise<void> {
    const { repository, clock } = this.#deps;
    await repository.change(id, (newest) => {
      const now = clock.now();
      const end = deliverTask(newest, saved, note, { at: now, eventId: newId("evt") });
      return end ?? (saved === null ? null : savedLate(newest, saved, now));
    });
  }
}

const SLOW_FILE = "The file takes long to fetch. Until it is here, the provider's address is all there is.";
const NO_FILE = "The file could not be fetched from the provider. Its address may still work for a while.";

export interface FetchDeps extends AskDeps {
  readonly repository: TaskRepository;
  readonly clock: Clock;
  readonly later: Later;
  readonly log: Log;
  readonly connections: Connections;
  readonly media: Pick<MediaLibrary, "fetchAs" | "saveAs" | "has">;
  readonly background: Background;
  readonly timeLimits: Pick<TimeLimits, "of">;
}

/** Max milliseconds, as for files at an address (services/media/media-fetches.ts). */
const LONGEST_MS = 30 * 60_000;
/** Max concurrent downloads per connection. */
const AT_ONCE = 4;
/** Pauses before retries for a file that needs the provider's own key. */
const PAUSES_MS = [1_000, 5_000, 30_000, 120_000, 600_000] as const;
/** Retries after the provider's retention time, because the network may need time after sleep. */
const LATE_TRIES = 5;

/** Brings what a task made into the library: through the library's own checked HTTP client, or with the provider's key. */
export class FetchResult {
  readonly #deps: FetchDeps;
  /** Limits downloads by connection. */
  readonly #downloads = new Limiter({ each: AT_ONCE });

  constructor(deps: FetchDeps) {
    this.#deps = deps;
  }

  /**
   * Fetches the video and its last frame. After a restart it continues with the same entries.
   * @param resumed whether it is from an earlier run, so that its provider is asked for a current URL first.
   * @returns whether the video is in the library; false: it never will be. Null: retry later; also if Postern stops,
   * when the library continues at the next start.
   */
  async fetch(task: TaskRecord, resumed: boolean): Promise<boolean | null> {
    try {
      return await unlessAborted(this.#fetch(task, resumed), this.#deps.background.stopping);
    } catch (error) {
      if (error instanceof GatewayError && error.code === "shutting_down") return null;
      throw error;
    }
  }

  async #fetch(made: TaskRecord, resumed: boolean): Promise<boolean | null> {
    const account = getAccount(made, this.#deps.connections);
    if (made.result === null) return false;
    if (await this.#deps.media.has(made.result.video_media)) return true;
    // Without its connection the provider's addresses are unknown; it may come back.
    if (typeof account === "string") return this.#deps.clock.now() < made.forgotten_at ? null : false;
    if (made.result.video_url === null) return this.#fetchContent(made, account);
    const task = resumed ? await this.#readdress(made, account) : made;
    this.#fetchLastFrame(task, account);
    if (await this.#fetchFrom(task, account)) return true;
    // URLs expire; the provider returns a fresh one when asked again.
    const again = await this.#readdress(task, account);
    return again.result?.video_url !== task.result?.video_url && this.#fetchFrom(again, account);
  }

  async #fetchFrom(task: TaskRecord, { connection }: TaskAccount): Promise<boolean> {
    const { result } = task;
    if (result === null || result.video_url === null) return false;
    return this.#deps.media.fetchAs(result.video_media, result.video_url, connection, getOrigin(task));
  }

  #fetchLastFrame({ result, ...task }: TaskRecord, { connection }: TaskAccount): void {
    if (result === null || result.last_frame_url === null || result.last_frame_media === null) return;
    const { last_frame_url: url, last_frame_media: id } = result;
    const { background, media } = this.#deps;
    background.run("video.last_frame", () =>
      unlessAborted(media.fetchAs(id, url, connection, getOrigin({ ...task, result })), background.stopping),
    );
  }

  /** @returns the task with its provider's current URL; unchanged if there is no new one */
  async #readdress(task: TaskRecord, account: TaskAccount): Promise<TaskRecord> {
    const { repository, clock } = this.#deps;
    if (task.operation === null) return task;
    const adapter = getVideos(account.connection.provider);
    const wire = adapter.toStatusRequest(task.operation, account.credential.secret);
    const response = await askProvider(this.#deps, account, wire);
    if (response.kind !== "answer") return task;
    const state = findState(adapter, task.operation, response);
    if (state?.state !== "succeeded" || state.result.url === null) return task;
    const addresses = { video_url: state.result.url, last_frame_url: state.result.lastFrameUrl };
    const native = createStoredNative(response.body, getSecrets(account));
    const changed = await repository.change(task.id, (known) =>
      replaceAddresses(known, addresses, native, clock.now()),
    );
    return changed?.task ?? task;
  }

  async #fetchContent(task: TaskRecord, account: TaskAccount): Promise<boolean | null> {
    let late = 0;
    for (let tries = 0; ; tries += 1) {
      const saved = await this.#downloads.run(account.connection.id, () => this.#tryContent(task, account));
      if (saved !== "later") return saved;
      if (this.#deps.clock.now() >= task.forgotten_at) late += 1;
      if (late >= LATE_TRIES) return false;
      const ms = PAUSES_MS[Math.min(late > 0 ? late - 1 : tries, PAUSES_MS.length - 1)] as number;
      if (!(await pause(this.#deps.later, ms, this.#deps.background.stopping))) return null;
    }
  }

  async #tryContent(task: TaskRecord, account: TaskAccount): Promise<boolean | "later"> {
    const { providerClient, instanceId, media, log } = this.#deps;
    const { connection, credential } = account;
    const toContent = getVideos(connection.provider).toContentRequest;
    if (task.operation === null || task.result === null || toContent === null) return false;
    if (this.#deps.background.stopping.aborted) return "later";
    let cancel = (): void => {};
    try {
      const wire = toContent(task.operation, credential.secret);
      const request = upstreamRequest(wire, connection, instanceId, this.#deps.timeLimits.of(true));
      const exchange = await providerClient.open(request).response;
      if (exchange.status !== 200) {
        exchange.abort();
        return exchange.status >= 500 || exchange.status === 429 ? "later" : false;
      }
      cancel = this.#deps.later(LONGEST_MS, () => exchange.abort());
      return await media.saveAs(task.result.video_media, bodyChunks(exchange), getOrigin(task));
    } catch (error) {
      log.warn("video.not_fetched", { task: task.id, message: getMessage(error) });
      if (error instanceof MediaRefused) return error.kind === "room" || error.kind === "disk" ? "later" : false;
      if (error instanceof UpstreamFailure) return "later";
      throw error;
    } finally {
      cancel();
    }
  }
}

/** Returns the metadata that the library stores with the file. */
function getOrigin(task: TaskRecord): MediaOrigin {
  return {
    requestId: task.request_id,
    keyId: task.key,
    endpoint: "videos",
    model: task.model,
    provider: task.provider,
    prompt: task.order.prompt,
    parameters: { ...task.order.parameters, duration: task.order.seconds, resolution: task.order.resolution },
    seed: getSeed(task),
    nano: task.bill?.receipt.nano ?? null,
    sandbox: task.sandbox,
  };
}

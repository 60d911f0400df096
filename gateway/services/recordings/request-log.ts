import { readGeminiAddress } from "../../contract/gemini-address.ts";
import type {
  ListRequests,
  Recording,
  RecordingsView,
  RequestActivity,
  RequestDetail,
  RequestPage,
  ResendObstacle,
  RunningPage,
} from "../../contract/requests.ts";
import type { RequestFilter } from "../../contract/list.ts";
import type { Receipt } from "../../contract/receipt.ts";
import { getSearch } from "../../contract/matches-request.ts";
import type { Search } from "../../contract/matches-request.ts";
import { GatewayError } from "../../core/errors.ts";
import { ActivityBuckets } from "../../core/usage/activity-buckets.ts";
import type { Clock } from "../../lib/clock.ts";
import type { TaskRecord } from "../../core/tasks/task.ts";
import type { Store } from "../../store/store.ts";
import type { RunningCalls } from "../calls/admission.ts";
import type { Connections } from "../connections/connections.ts";
import type { KeyRing } from "../keys/key-ring.ts";
import type { MediaLibrary } from "../media/media-library.ts";
import type { TaskRepository } from "../../store/tasks/task-repository.ts";
import { RECORDED_PATHS } from "./recorder.ts";
import type { Recorder } from "./recorder.ts";

const PAGE = 50;
/** Max bytes of recordings for one page and for one scan. */
const PAGE_BYTES = 16 * 1024 * 1024;
const SCAN_BYTES = 64 * 1024 * 1024;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Max milliseconds between a call's settlement and the save of its results. */
const SAVED_WITHIN_MS = 10 * 60_000;
const MOST_RESULTS = 100;
const MAKING_MEDIA: ReadonlySet<string> = new Set(["images", "edits", "speech"]);
const REPEATABLE: ReadonlySet<string> = new Set(Object.values(RECORDED_PATHS));

export interface RequestLogDeps {
  readonly clock: Clock;
  readonly store: Store;
  readonly recorder: Recorder;
  readonly keyRing: KeyRing;
  readonly media: Pick<MediaLibrary, "list">;
  readonly repository: Pick<TaskRepository, "search">;
  readonly connections: Pick<Connections, "all">;
  readonly running: Pick<RunningCalls, "list">;
}

/** The log of requests as the owner reads it: receipts, and what was recorded next to them. */
export class RequestLog {
  readonly #deps: RequestLogDeps;

  constructor(deps: RequestLogDeps) {
    this.#deps = deps;
  }

  async list({ by, order = "desc", limit = PAGE, before, ...filter }: ListRequests): Promise<RequestPage> {
    const sort = by === undefined ? null : { by, order };
    const { search, recordedFrom } = await this.#getSearch(filter, sort === null ? PAGE_BYTES : SCAN_BYTES);
    const searched = sort === null ? { recordedFrom } : { sort };
    const page = await this.#deps.store.usage.list({ ...search, ...searched, limit, before });
    const complete = sort === null || reaches(recordedFrom, filter.since ?? -Infinity);
    return { ...page, data: [...page.data], complete };
  }

  /** Lists the requests that are not over. */
  running(filter: Partial<RequestFilter>): RunningPage {
    return this.#deps.running.list(getSearch(filter, this.#deps.connections.all()));
  }

  /** Requests over time. */
  async activity(filter: Partial<RequestFilter>): Promise<RequestActivity> {
    const { store, clock } = this.#deps;
    const { until } = filter;
    // Includes requests that are settled during the count.
    const to = until ?? clock.now() + 1;
    const from = filter.since === undefined ? to - DAY_MS : Math.max(filter.since, await this.#beginning(to));
    const buckets = new ActivityBuckets(from, to);
    const { search, recordedFrom } = await this.#getSearch(filter, SCAN_BYTES);
    const within = { ...search, since: from, until: to };
    const { from: begins, length, size } = buckets;
    const question = { search: within, from: begins, length, buckets: size };
    const { counts, rebuilding } = await store.usage.countActivity(question);
    for (const count of counts) buckets.add(count);
    const list = buckets.list();
    const total = list.reduce((sum, { count }) => sum + count, 0);
    const failed = list.reduce((sum, bucket) => sum + bucket.failed, 0);
    const complete = reaches(recordedFrom, from);
    return { from, to, bucket_ms: buckets.length, buckets: list, total, failed, complete, rebuilding };
  }

  /** @param most max bytes of recordings to read */
  async #getSearch(filter: Partial<RequestFilter>, most: number): Promise<{ search: Search; recordedFrom: number }> {
    const { recorder, connections } = this.#deps;
    const search = getSearch(filter, connections.all());
    if (filter.q === undefined) return { search, recordedFrom: -Infinity };
    const { ids, from } = await recorder.search(filter.q, most);
    const nothing = ids.size === 0 && from === -Infinity;
    return { search: nothing ? search : { ...search, recorded: ids }, recordedFrom: from };
  }

  /** Nothing was settled before it. */
  async #beginning(to: number): Promise<number> {
    const oldest = await this.#deps.store.usage.oldest();
    return Math.min(oldest ?? to - DAY_MS, to);
  }

  /** @throws GatewayError not_found */
  async get(id: string): Promise<RequestDetail> {
    const { recorder } = this.#deps;
    const { receipt, task, recording } = await findRequest(this.#deps, id);
    return {
      receipt,
      recording,
      recording_on: recorder.on,
      resend_obstacle: getObstacle(recording, receipt, this.#deps.keyRing),
      media: task?.result?.saved === true ? [task.result.video_media] : await this.#getResults(receipt),
      task: task?.id ?? null,
    };
  }

  recordings(): Promise<RecordingsView> {
    return this.#deps.recorder.view();
  }

  deleteRecordings(): Promise<RecordingsView> {
    return this.#deps.recorder.clear();
  }

  async #getResults({ id, at, ms, key, endpoint }: Receipt): Promise<string[]> {
    if (!MAKING_MEDIA.has(endpoint)) return [];
    const since = Math.max(0, Math.floor(at - ms));
    const page = await this.#deps.media.list({ key, since, until: at + SAVED_WITHIN_MS, limit: MOST_RESULTS });
    return page.data.filter(({ origin }) => origin?.request_id === id).map((result) => result.id);
  }
}

/** Tells whether the searched recordings cover all calls settled since then, as no call takes an hour. */
const reaches = (recordedFrom: number, since: number): boolean => recordedFrom <= since - HOUR_MS;

export interface FindDeps {
  readonly store: Store;
  readonly recorder: Recorder;
  readonly repository: Pick<TaskRepository, "search">;
}

/** @throws GatewayError not_found */
export async function findRequest(
  { store, recorder, repository }: FindDeps,
  id: string,
): Promise<{ receipt: Receipt; task: TaskRecord | null; recording: Recording | null }> {
  const receipt = await store.usage.find(id);
  if (receipt === null) throw new GatewayError("not_found", `There is no receipt of a request ${id.slice(0, 100)}.`);
  const found = receipt.endpoint === "videos" ? (await repository.search({ q: id, limit: 1 })).tasks[0] : undefined;
  const task = found?.request_id === id ? found : null;
  // A video's receipt is written when it is finished, its recording when it was ordered.
  const startedAt = receipt.at - receipt.ms;
  const recording = await recorder.find(id, [receipt.at, startedAt, ...(task === null ? [] : [task.created_at])]);
  return { receipt, task, recording };
}

/** Returns why it cannot be resent; null if it can. */
export function getObstacle(recording: Recording | null, receipt: Receipt, keyRing: KeyRing): ResendObstacle | null {
  if (recording === null) return "not_recorded";
  const { cut, redacted, omitted, form } = recording.request;
  if (!REPEATABLE.has(recording.path) && readGeminiAddress(recording.path) === null) return "not_repeatable";
  if (cut || redacted || omitted > 0 || form) return "incomplete";
  return keyRing.get(receipt.key) === undefined ? "key_gone" : null;
}

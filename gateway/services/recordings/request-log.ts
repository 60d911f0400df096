import type {
  Recording,
  RecordingsView,
  RequestDetail,
  RequestFilter,
  RequestPage,
  ResendObstacle,
  RunningPage,
} from "../../contract/requests.ts";
import type { Receipt } from "../../contract/receipt.ts";
import { searchOf } from "../../contract/matches-request.ts";
import { GatewayError } from "../../core/errors.ts";
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
/** Results are saved within so long after their call was settled. */
const SAVED_WITHIN_MS = 10 * 60_000;
const MOST_RESULTS = 100;
const MAKING_MEDIA: ReadonlySet<string> = new Set(["images", "edits", "speech"]);
const REPEATABLE: ReadonlySet<string> = new Set(Object.values(RECORDED_PATHS));

export interface RequestLogDeps {
  readonly store: Store;
  readonly recorder: Recorder;
  readonly keyRing: KeyRing;
  readonly media: Pick<MediaLibrary, "list">;
  readonly repository: Pick<TaskRepository, "search">;
  readonly connections: Pick<Connections, "all">;
  readonly running: Pick<RunningCalls, "list">;
}

/** The log of requests as the owner reads it: receipts, and what was recorded beside them. */
export class RequestLog {
  readonly #deps: RequestLogDeps;

  constructor(deps: RequestLogDeps) {
    this.#deps = deps;
  }

  async list(
    query: Partial<RequestFilter> & { limit?: number | undefined; before?: string | undefined },
  ): Promise<RequestPage> {
    const { store, connections } = this.#deps;
    const search = searchOf(query, connections.all());
    const page = await store.usage.list({ ...search, limit: query.limit ?? PAGE, before: query.before });
    return { data: [...page.data], cursor: page.cursor };
  }

  /** Those that are not over. */
  running(filter: Partial<RequestFilter>): RunningPage {
    return this.#deps.running.list(searchOf(filter, this.#deps.connections.all()));
  }

  /** @throws GatewayError not_found */
  async get(id: string): Promise<RequestDetail> {
    const { recorder } = this.#deps;
    const { receipt, task, recording } = await findRequest(this.#deps, id);
    return {
      receipt,
      recording,
      recording_on: recorder.on,
      resend_obstacle: obstacleOf(recording, receipt, this.#deps.keyRing),
      media: task?.result?.saved === true ? [task.result.video_media] : await this.#resultsOf(receipt),
      task: task?.id ?? null,
    };
  }

  recordings(): Promise<RecordingsView> {
    return this.#deps.recorder.view();
  }

  deleteRecordings(): Promise<RecordingsView> {
    return this.#deps.recorder.clear();
  }

  async #resultsOf({ id, at, ms, key, endpoint }: Receipt): Promise<string[]> {
    if (!MAKING_MEDIA.has(endpoint)) return [];
    const since = Math.max(0, Math.floor(at - ms));
    const page = await this.#deps.media.list({ key, since, until: at + SAVED_WITHIN_MS, limit: MOST_RESULTS });
    return page.data.filter(({ origin }) => origin?.request_id === id).map((result) => result.id);
  }
}

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
  const begun = receipt.at - receipt.ms;
  const recording = await recorder.find(id, [receipt.at, begun, ...(task === null ? [] : [task.created_at])]);
  return { receipt, task, recording };
}

/** Why it cannot be sent again from here; null when it can. */
export function obstacleOf(recording: Recording | null, receipt: Receipt, keyRing: KeyRing): ResendObstacle | null {
  if (recording === null) return "not_recorded";
  const { cut, redacted, omitted, form } = recording.request;
  if (!REPEATABLE.has(recording.path)) return "not_repeatable";
  if (cut || redacted || omitted > 0 || form) return "incomplete";
  return keyRing.get(receipt.key) === undefined ? "key_gone" : null;
}

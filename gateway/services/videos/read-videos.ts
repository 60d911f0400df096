import { listVideosQuerySchema } from "../../contract/videos.ts";
import type { VideoTask, VideoTaskList } from "../../contract/videos.ts";
import { GatewayError } from "../../core/errors.ts";
import { markDeleted } from "../../core/tasks/task-changes.ts";
import { isOver, publicId } from "../../core/tasks/task.ts";
import type { TaskRecord } from "../../core/tasks/task.ts";
import { validate } from "../../core/validation.ts";
import type { Clock } from "../../lib/clock.ts";
import { redact } from "../../lib/redact.ts";
import type { RingKey } from "../keys/key-ring.ts";
import type { ResolveModel } from "../models/resolve-model.ts";
import type { TaskRepository } from "../../store/tasks/task-repository.ts";
import type { TaskViews } from "./task-views.ts";
import type { VideoEngine } from "./engine/video-engine.ts";

export interface ReadVideosDeps {
  readonly repository: TaskRepository;
  readonly engine: VideoEngine;
  readonly views: TaskViews;
  readonly clock: Clock;
  readonly resolveModel: Pick<ResolveModel, "getIds">;
}

const MOST_LISTED = 100;
const USUALLY_LISTED = 20;

/** A key's own tasks, read back: from the data folder, whatever the network does. */
export class ReadVideos {
  readonly #deps: ReadVideosDeps;

  constructor(deps: ReadVideosDeps) {
    this.#deps = deps;
  }

  /** @throws GatewayError not_found, also for the tasks of other keys */
  async find(key: RingKey, id: string): Promise<TaskRecord> {
    const task = await this.#deps.repository.find(id, key.record.id);
    if (task === null || task.deleted_at !== null) {
      throw new GatewayError(
        "not_found",
        `There is no video task ${redact(id.slice(0, 100))} of this key. GET /v1/videos/generations lists its tasks.`,
        { param: "id" },
      );
    }
    // A client that asks is waiting: the provider is polled more often for a while.
    this.#deps.engine.watch(task);
    return task;
  }

  async read(key: RingKey, id: string): Promise<VideoTask> {
    return this.#deps.views.task(await this.find(key, id));
  }

  /** @throws GatewayError for an invalid query */
  async list(key: RingKey, query: unknown): Promise<VideoTaskList> {
    const { after, status, model, limit } = validate(listVideosQuerySchema, query);
    const { tasks, hasMore } = await this.page(key, { limit: getLimit(limit), after, status, model });
    const data = await Promise.all(tasks.map((task) => this.#deps.views.task(task)));
    return {
      object: "list",
      data,
      has_more: hasMore,
      first_id: data[0]?.id ?? null,
      last_id: data.at(-1)?.id ?? null,
    };
  }

  /** @throws GatewayError invalid_value for an `after` that is no task of this key */
  async page(
    key: RingKey,
    query: {
      limit: number;
      after?: string | undefined;
      status?: VideoTask["status"] | undefined;
      model?: string | undefined;
      oldestFirst?: boolean | undefined;
    },
  ): Promise<{ tasks: readonly TaskRecord[]; hasMore: boolean }> {
    const { limit, after, status, model, oldestFirst } = query;
    if (after !== undefined && (await this.#deps.repository.find(after, key.record.id)) === null) {
      throw new GatewayError(
        "invalid_value",
        `Invalid value for 'after': ${redact(after.slice(0, 100))} is no task of this key. Use the last_id of the page before.`,
        { param: "after" },
      );
    }
    return this.#deps.repository.list({
      key: key.record.id,
      limit,
      ...(after === undefined ? {} : { after }),
      ...(status === undefined ? {} : { status }),
      ...(model === undefined ? {} : { models: this.#deps.resolveModel.getIds(model) }),
      ...(oldestFirst === undefined ? {} : { oldestFirst }),
    });
  }

  /** @throws GatewayError not_found, not_cancellable */
  async cancel(key: RingKey, id: string): Promise<VideoTask> {
    const { engine, views } = this.#deps;
    return views.task(await engine.cancel(await this.find(key, id)));
  }

  /**
   * Takes a task out of its client's sight; one that runs is cancelled first.
   * @returns the id that was deleted.
   * @throws GatewayError not_found, not_cancellable
   */
  async delete(key: RingKey, id: string): Promise<string> {
    const { engine, repository, clock } = this.#deps;
    const task = await this.find(key, id);
    if (!isOver(task)) await engine.cancel(task);
    await repository.change(task.id, (newest) => markDeleted(newest, clock.now()));
    return publicId(task);
  }
}

/** @throws GatewayError invalid_value */
export function getLimit(text: string | undefined): number {
  if (text === undefined || text === "") return USUALLY_LISTED;
  const limit = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= MOST_LISTED) return limit;
  throw new GatewayError(
    "invalid_value",
    `Invalid value for 'limit': ${JSON.stringify(text.slice(0, 20))}; expected a whole number from 1 to ${MOST_LISTED}.`,
    { param: "limit" },
  );
}

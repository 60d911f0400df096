import type { TaskStatus } from "../../contract/videos.ts";
import { searchText } from "../media/prompt-search.ts";
import { publicId, getStatus } from "./task.ts";
import type { TaskRecord } from "./task.ts";

/** The fields of a task that it is found, filtered and sorted by. */
export interface TaskEntry {
  readonly id: string;
  /** The id that clients know it by. */
  readonly publicId: string;
  /** Null until the provider returns one. */
  readonly providerId: string | null;
  readonly requestId: string;
  readonly key: string;
  readonly connection: string;
  readonly model: string;
  readonly status: TaskStatus;
  readonly createdAt: number;
  readonly finishedAt: number | null;
  readonly nano: number | null;
  /** `searchText` of it. */
  readonly prompt: string;
  readonly idempotency: string | null;
  /** Whether its client deleted it. */
  readonly deleted: boolean;
}

/** @param hasPrompt whether the prompt is looked at: with it, an entry takes a hundred times as long to make */
export function getEntry(task: TaskRecord, hasPrompt = true): TaskEntry {
  return {
    id: task.id,
    publicId: publicId(task),
    providerId: task.operation?.id ?? null,
    requestId: task.request_id,
    key: task.key,
    connection: task.connection,
    model: task.model,
    status: getStatus(task),
    createdAt: task.created_at,
    finishedAt: task.finished_at,
    nano: task.bill?.receipt.nano ?? null,
    prompt: hasPrompt ? searchText(task.order.prompt) : "",
    idempotency: task.idempotency?.key ?? null,
    deleted: task.deleted_at !== null,
  };
}

/** The position of a task's record in the archive. */
export interface TaskPlace {
  /** Number of the month's file. */
  readonly file: number;
  readonly offset: number;
  readonly length: number;
}

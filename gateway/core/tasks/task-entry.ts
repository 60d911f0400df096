import type { TaskStatus } from "../../contract/videos.ts";
import { searchText } from "../media/prompt-search.ts";
import { publicId, getStatus } from "./task.ts";
import type { TaskRecord } from "./task.ts";

/** The part of every task in memory, regardless of age: enough to find, filter and sort it. */
export interface TaskEntry {
  readonly id: string;
  /** The id that clients know it by. */
  readonly publicId: string;
  /** Null while the provider has said none. */
  readonly providerId: string | null;
  readonly requestId: string;
  readonly key: string;
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

export function getEntry(task: TaskRecord): TaskEntry {
  return {
    id: task.id,
    publicId: publicId(task),
    providerId: task.operation?.id ?? null,
    requestId: task.request_id,
    key: task.key,
    model: task.model,
    status: getStatus(task),
    createdAt: task.created_at,
    finishedAt: task.finished_at,
    nano: task.bill?.receipt.nano ?? null,
    prompt: searchText(task.order.prompt),
    idempotency: task.idempotency?.key ?? null,
    deleted: task.deleted_at !== null,
  };
}

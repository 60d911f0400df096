import type { TaskStatus } from "../../contract/videos.ts";
import type { TaskEntry } from "../../core/task-entry.ts";
import type { TaskIndex } from "./task-index.ts";

/** A page of `GET /v1/videos/generations`. */
export interface ListVideoTasks {
  /** Null: of all keys, and those too that their clients deleted. */
  readonly key: string | null;
  readonly limit: number;
  /** Id of the last task of the page before, ours or the vendor's. */
  readonly after?: string;
  readonly status?: TaskStatus;
  readonly model?: string;
}

/**
 * Newest first. A page begins where `after` stands, so tasks that come meanwhile move nothing.
 * @returns nothing for an `after` that is no task of the key
 */
export function pageOf(index: TaskIndex, query: ListVideoTasks): { ids: string[]; hasMore: boolean } {
  const { key, limit, after, status, model } = query;
  const { entries } = index.created;
  let at = entries.length;
  if (after !== undefined) {
    const last = index.find(after, key);
    at = last === undefined ? 0 : index.created.position(last);
  }
  const ids: string[] = [];
  while (at > 0) {
    at -= 1;
    const entry = entries[at] as TaskEntry;
    const matches =
      (key === null || (entry.key === key && !entry.deleted)) &&
      (status === undefined || entry.status === status) &&
      (model === undefined || entry.model === model);
    if (!matches) continue;
    if (ids.length === limit) return { ids, hasMore: true };
    ids.push(entry.id);
  }
  return { ids, hasMore: false };
}

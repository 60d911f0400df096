import type { TaskStatus } from "../../contract/videos.ts";
import type { TaskEntry } from "../../core/tasks/task-entry.ts";
import type { TaskIndex } from "./task-index.ts";

/** A page of `GET /v1/videos/generations`. */
export interface ListVideoTasks {
  /** Null: of all keys, and those too that their clients deleted. */
  readonly key: string | null;
  readonly limit: number;
  /** Id of the last task of the page before, ours or the provider's. */
  readonly after?: string;
  readonly status?: TaskStatus;
  /** Ids by which tasks may know the model. */
  readonly models?: readonly string[];
  /** OpenAI's `order=asc`. */
  readonly oldestFirst?: boolean;
}

/**
 * Newest first, or oldest first. A page begins where `after` stands, so tasks that come meanwhile move nothing.
 * @returns nothing for an `after` that is no task of the key
 */
export function pageOf(index: TaskIndex, query: ListVideoTasks): { ids: string[]; hasMore: boolean } {
  const { key, limit, after, oldestFirst = false } = query;
  const { entries } = index.created;
  const step = oldestFirst ? 1 : -1;
  // One before the first that is looked at.
  let at = oldestFirst ? -1 : entries.length;
  if (after !== undefined) {
    const last = index.find(after, key);
    if (last === undefined) return { ids: [], hasMore: false };
    at = index.created.position(last);
  }
  const ids: string[] = [];
  for (at += step; at >= 0 && at < entries.length; at += step) {
    const entry = entries[at] as TaskEntry;
    if (!matches(entry, query)) continue;
    if (ids.length === limit) return { ids, hasMore: true };
    ids.push(entry.id);
  }
  return { ids, hasMore: false };
}

function matches(entry: TaskEntry, { key, status, models }: ListVideoTasks): boolean {
  return (
    (key === null || (entry.key === key && !entry.deleted)) &&
    (status === undefined || entry.status === status) &&
    (models === undefined || models.includes(entry.model))
  );
}

import type { ListTasks } from "../../contract/tasks.ts";
import { searchWords } from "../../core/media/prompt-search.ts";
import type { TaskEntry } from "../../core/tasks/task-entry.ts";
import type { Clock } from "../../lib/clock.ts";
import { Slices } from "../../lib/slices.ts";
import type { TaskIndex } from "./task-index.ts";
import type { TaskStatus } from "../../contract/videos.ts";

const PAGE = 50;
/** Tasks between two looks at the clock. */
const LOOK_EVERY = 500;

/**
 * Looks through all tasks, some milliseconds at a time. Tasks that do not have the figure which they are sorted by come
 * last in either order, in the order of their submission.
 * @returns the ids of one page, and how many match on all pages
 */
export async function searchTasks(
  index: TaskIndex,
  query: ListTasks,
  clock: Clock,
): Promise<{ ids: string[]; total: number }> {
  const { limit = PAGE, offset = 0, order = "desc" } = query;
  const lists = listsOf(index, query);
  const matches = getMatcher(query);
  const slices = new Slices(clock);
  const ids: string[] = [];
  let total = 0;
  for (const { entries, has } of lists) {
    for (let count = 0; count < entries.length; count += 1) {
      if (count % LOOK_EVERY === 0 && slices.over) await slices.pause();
      const entry = entries[order === "asc" ? count : entries.length - 1 - count] as TaskEntry;
      if (!has(entry) || !matches(entry)) continue;
      if (total >= offset && ids.length < limit) ids.push(entry.id);
      total += 1;
    }
  }
  return { ids, total };
}

interface Part {
  readonly entries: readonly TaskEntry[];
  readonly has: (entry: TaskEntry) => boolean;
}

/** Copies, since tasks may come and change between two slices. */
function listsOf({ created, finished, charged }: TaskIndex, { sort = "created_at" }: ListTasks): Part[] {
  const all = created.entries.slice();
  if (sort === "created_at") return [{ entries: all, has: () => true }];
  const ranked = sort === "nano" ? charged : finished;
  const first = { entries: ranked.entries.slice(), has: () => true };
  return first.entries.length === all.length ? [first] : [first, { entries: all, has: (entry) => !ranked.has(entry) }];
}

function getMatcher(query: ListTasks): (entry: TaskEntry) => boolean {
  const { q = "", status, model, key, since = -Infinity, until = Infinity, min_nano: least } = query;
  const says = textMatcher(q.trim());
  return (entry) =>
    (status === undefined || entry.status === status) &&
    (model === undefined || entry.model === model) &&
    (key === undefined || entry.key === key) &&
    entry.createdAt >= since &&
    entry.createdAt < until &&
    (least === undefined || (entry.nano !== null && entry.nano >= least)) &&
    says(entry);
}

/** Whether a text is one of a task's ids, or all its words are in the prompt. */
function textMatcher(text: string): (entry: TaskEntry) => boolean {
  if (text === "") return () => true;
  const words = searchWords(text);
  return ({ id, publicId, providerId, requestId, prompt }) =>
    id === text ||
    publicId === text ||
    providerId === text ||
    requestId === text ||
    words.every((word) => prompt.includes(word));
}

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
export function getPage(index: TaskIndex, query: ListVideoTasks): { ids: string[]; hasMore: boolean } {
  const { key, limit, after, oldestFirst = false } = query;
  const { entries } = index.created;
  const step = oldestFirst ? 1 : -1;
  // The position before the first that is looked at.
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

import type { TaskPage, TaskRow } from "../../gateway/contract/tasks.ts";
import { PAGE_ROWS, type RowPage } from "./paged-rows.ts";
import type { TaskFilter } from "./query-names.ts";

/** A page of tasks as it is cached: see `RowPage`. */
export type CachedTaskPage = Omit<TaskPage, "data"> & RowPage<TaskRow>;
export type TaskPages = ReadonlyMap<number, CachedTaskPage>;

export interface ChangedPages {
  readonly pages: TaskPages;
  /** The change may have moved rows in a way that only the gateway knows: the pages have to be asked for again. */
  readonly stale: boolean;
}

const isOver = ({ status }: TaskRow): boolean =>
  status === "succeeded" || status === "failed" || status === "cancelled";

/**
 * Puts one changed or new task into the pages of a list that are here. A row changes in its place; a new one stands
 * on top of a list of the newest, and pushes the others down.
 */
export function withTask(pages: TaskPages, task: TaskRow, filter: TaskFilter): ChangedPages {
  for (const [number, page] of pages) {
    const index = page.data.findIndex((row) => row?.id === task.id);
    const before = page.data[index];
    if (before === undefined) continue;
    const active = Number(isOver(before)) - Number(isOver(task));
    const changed = new Map(pages).set(number, { ...page, data: page.data.with(index, task) });
    return { pages: counted(changed, 0, active), stale: moves(before, task, filter) };
  }
  // The position of an unknown task is only known at the top of a list of the newest.
  const first = pages.get(0);
  if (first === undefined || !byCreation(filter) || filter.order === "asc") return { pages, stale: true };
  const newest = first.data[0];
  const isNew = newest === undefined ? first.total === 0 : comesAfter(task, newest);
  if (!isNew) return { pages, stale: newest === undefined || isOver(task) || changes(filter) };
  // Each step of a task sends an event, but only its start and end change how many are active.
  if (!letsIn(task, filter)) return { pages, stale: task.status === "submitted" || isOver(task) };
  // Only the gateway knows whether every word is in the prompt: rows have its start.
  if (filter.q !== undefined) return { pages, stale: true };
  return { pages: counted(onTop(pages, task), 1, isOver(task) ? 0 : 1), stale: false };
}

const comesAfter = (task: TaskRow, other: TaskRow): boolean =>
  task.created_at > other.created_at || (task.created_at === other.created_at && task.id > other.id);

const byCreation = ({ sort }: TaskFilter): boolean => sort === undefined || sort === "created_at";

/** Whether tasks come into the list and leave it while they run. */
const changes = ({ status, min_nano }: TaskFilter): boolean => status !== undefined || min_nano !== undefined;

/** Whether a change of a row that is here can move it, or take it out of the list. */
function moves(before: TaskRow, after: TaskRow, filter: TaskFilter): boolean {
  if (!letsIn(after, filter)) return true;
  if (filter.sort === "finished_at") return before.finished_at !== after.finished_at;
  return filter.sort === "nano" && before.nano !== after.nano;
}

/** Whether a filter lets a task in, but for the words of its prompt. */
export function letsIn(task: TaskRow, filter: TaskFilter): boolean {
  const { status, model, key, since, until, min_nano } = filter;
  return (
    (status === undefined || task.status === status) &&
    (model === undefined || task.model === model) &&
    (key === undefined || task.key === key) &&
    (since === undefined || task.created_at >= Number(since)) &&
    (until === undefined || task.created_at < Number(until)) &&
    (min_nano === undefined || (task.nano !== null && task.nano >= Number(min_nano)))
  );
}

/** The last row of each page goes to the next; one whose page before is not here begins with a gap. */
function onTop(pages: TaskPages, task: TaskRow): TaskPages {
  return new Map(
    [...pages].map(([number, page]) => {
      const before = pages.get(number - 1)?.data;
      const isPastEnd = before !== undefined && before.length < PAGE_ROWS;
      if (isPastEnd) return [number, page];
      const pushed = number === 0 ? task : before?.[PAGE_ROWS - 1];
      return [number, { ...page, data: [pushed, ...page.data].slice(0, PAGE_ROWS) }];
    }),
  );
}

function counted(pages: TaskPages, rows: number, active: number): TaskPages {
  if (rows === 0 && active === 0) return pages;
  return new Map(
    [...pages].map(([number, page]) => [
      number,
      { ...page, total: page.total + rows, active: Math.max(0, page.active + active) },
    ]),
  );
}

import type { IncomingMessage, ServerResponse } from "node:http";
import type { GatewayEvent } from "../../../gateway/contract/events.ts";
import { listTasksSchema, type ListTasks, type TaskDetail, type TaskRow } from "../../../gateway/contract/tasks.ts";
import type { FakeControl } from "./fake-control.ts";
import { taskDetailOf, taskRowOf, webhooksOf } from "./task-fixtures.ts";

/** Video tasks behind a fake control server: listed, filtered and sorted as the gateway does. */
export interface FakeTasks {
  /** Newest first. */
  rows: readonly TaskRow[];
  /** What differs from the usual detail of a task. */
  readonly details: Map<string, Partial<TaskDetail>>;
  /** `id` or "enable" → bodies of what was posted, in order, as `action id`. */
  readonly posted: { readonly what: string; readonly body: unknown }[];
  /** Files under /media/. */
  readonly files: Map<string, { readonly type: string; readonly bytes: Uint8Array }>;
  /** The query strings of the lists that were asked for. */
  readonly requests: string[];
  /** Answers of lists wait for this. */
  ready: Promise<unknown>;
  /** Changes a task and tells the pages. */
  change(id: string, change: Partial<TaskRow>): void;
  /** Submits a task and tells the pages. */
  submit(row: TaskRow): void;
}

/** Rows by their number: a hundred thousand are not made again for each test. No one changes them in place. */
const made = new Map<number, readonly TaskRow[]>();

function madeRows(count: number): readonly TaskRow[] {
  const rows = made.get(count) ?? Array.from({ length: count }, (_, index) => taskRowOf(index));
  made.set(count, rows);
  return rows;
}

export function addFakeTasks(fake: FakeControl, count: number): FakeTasks {
  const tasks: FakeTasks = {
    rows: madeRows(count),
    details: new Map(),
    posted: [],
    files: new Map(),
    requests: [],
    ready: Promise.resolve(),
    change(id, change) {
      tasks.rows = tasks.rows.map((row) => (row.id === id ? { ...row, ...change } : row));
      fake.emit(changed(tasks.rows.find((row) => row.id === id)));
    },
    submit(row) {
      tasks.rows = [row, ...tasks.rows];
      fake.emit(changed(row));
    },
  };
  const usual = fake.serve;
  fake.serve = async (incoming, outgoing, address) =>
    (await serve(tasks, incoming, outgoing, address)) || ((await usual?.(incoming, outgoing, address)) ?? false);
  return tasks;
}

function changed(task: TaskRow | undefined): GatewayEvent {
  if (task === undefined) throw new Error("no such task");
  return { type: "task.changed", task };
}

async function serve(
  tasks: FakeTasks,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  address: URL,
): Promise<boolean> {
  const [, root = "", what = "", id = "", action = ""] = address.pathname.split("/");
  const response = (body: unknown, status = 200): true => {
    outgoing.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    return true;
  };
  if (root === "media") {
    const file = tasks.files.get(what);
    if (file === undefined) return false;
    outgoing.writeHead(200, { "content-type": file.type, "content-length": file.bytes.length }).end(file.bytes);
    return true;
  }
  if (root !== "control") return false;
  if (what === "webhooks") {
    if (incoming.method === "POST") tasks.posted.push({ what: id, body: await bodyOf(incoming) });
    const view = webhooksOf(tasks.rows.slice(0, 100));
    if (id === "rotate") return response({ ...view, secret: "whsec_new", previous_until: Date.now() + 86_400_000 });
    return response(tasks.posted.some((post) => post.what === "enable") ? { ...view, disabled: [] } : view);
  }
  if (what !== "tasks") return false;
  if (id === "") {
    tasks.requests.push(address.search);
    await tasks.ready;
    return response(pageOf(tasks.rows, listTasksSchema.parse(Object.fromEntries(address.searchParams))));
  }
  const row = tasks.rows.find((each) => each.id === id);
  if (row === undefined) {
    const message = `There is no task ${id}.`;
    return response({ error: { message, type: "invalid_request_error", param: null, code: "not_found" } }, 404);
  }
  const detail = taskDetailOf(row, tasks.details.get(id));
  if (incoming.method === "GET") return response(detail);
  tasks.posted.push({ what: `${action} ${id}`, body: await bodyOf(incoming) });
  if (action === "repeat") {
    const made = taskRowOf(0, { id: `${id}_again`, created_at: Date.now(), status: "submitted", prompt: row.prompt });
    tasks.rows = [made, ...tasks.rows];
    return response(taskDetailOf(made));
  }
  if (action === "cancel") return response({ ...detail, status: "cancelled", finished_at: Date.now() });
  return response(detail);
}

async function bodyOf(incoming: IncomingMessage): Promise<unknown> {
  let text = "";
  for await (const part of incoming) text += String(part);
  return text === "" ? {} : JSON.parse(text);
}

function pageOf(rows: readonly TaskRow[], query: ListTasks) {
  const words = (query.q ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const found = rows.filter(
    (row) =>
      words.every((word) => row.prompt.toLowerCase().includes(word) || row.id.toLowerCase() === word) &&
      (query.status === undefined || row.status === query.status) &&
      (query.model === undefined || row.model === query.model) &&
      (query.key === undefined || row.key === query.key) &&
      row.created_at >= (query.since ?? 0) &&
      row.created_at < (query.until ?? Number.POSITIVE_INFINITY) &&
      (query.min_nano === undefined || (row.nano ?? -1) >= query.min_nano),
  );
  const field = query.sort ?? "created_at";
  if (field !== "created_at") found.sort((a, b) => (b[field] ?? -1) - (a[field] ?? -1));
  if (query.order === "asc") found.reverse();
  const [offset, limit] = [query.offset ?? 0, query.limit ?? 50];
  return {
    data: found.slice(offset, offset + limit),
    total: found.length,
    complete: true,
    active: rows.filter(({ finished_at }) => finished_at === null).length,
  };
}

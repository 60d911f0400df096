import { requestIdOf } from "../multimodal.ts";
import { beijingDigits } from "./beijing.ts";
import { countIn, pageOf, type TaskBook } from "./book.ts";
import { wanStatus, wanTask } from "./dashscope-tasks.ts";
import { taskAt } from "./task.ts";

/** What no id has room for. */
export interface WanWords {
  readonly model: string;
  readonly prompt: string;
}

/**
 * `GET /api/v1/tasks/` (docs/providers/dashscope.md#tasks): what was submitted since the sandbox started, newest first.
 */
export function wanList(query: URLSearchParams, book: TaskBook<WanWords>, now: number): object {
  const size = countIn(query, "page_size", 10, 100);
  const page = countIn(query, "page_no", 1, 1_000_000);
  const rows = book.ids().flatMap((id) => rowOf(id, book, now));
  const fitting = rows.filter((row) => isAsked(row, query));
  return {
    total: fitting.length,
    data: pageOf(fitting, page, size),
    total_page: Math.ceil(fitting.length / size),
    page_no: page,
    page_size: size,
    request_id: requestIdOf(`list ${query.toString()}`),
  };
}

/** Times are Unix milliseconds: a guess. */
interface Row {
  readonly status: string;
  readonly model_name: string;
  readonly gmt_create: number;
  readonly [name: string]: unknown;
}

function rowOf(id: string, book: TaskBook<WanWords>, now: number): readonly Row[] {
  const figures = wanTask(id, now);
  if (figures === null) return [];
  const withdrawnAt = book.withdrawnAt(id);
  const { state, created, began, ended } = taskAt(figures, now);
  const over = state === "succeeded" || state === "failed";
  return [
    {
      api_key_id: "sandbox",
      caller_parent_id: "sandbox",
      caller_uid: "sandbox",
      gmt_create: created,
      ...(state !== "queued" && withdrawnAt === null && { start_time: began }),
      ...((over || withdrawnAt !== null) && { end_time: withdrawnAt ?? ended }),
      region: "sandbox",
      request_id: requestIdOf(id),
      status: wanStatus(figures, { now, withdrawnAt }),
      task_id: id,
      user_api_unique_key: "sandbox",
      model_name: book.wordsOf(id)?.model ?? "",
    },
  ];
}

function isAsked(row: Row, query: URLSearchParams): boolean {
  const at = beijingDigits(row.gmt_create);
  const [status, model] = [query.get("status"), query.get("model_name")];
  return (
    (status === null || status === row.status) &&
    (model === null || model === row.model_name) &&
    at >= (query.get("start_time") ?? "") &&
    at <= (query.get("end_time") ?? "9")
  );
}

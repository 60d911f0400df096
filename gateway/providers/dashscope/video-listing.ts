import { isRecord } from "../../lib/records.ts";
import { readMoment, readOperation, readText } from "../video-figures.ts";
import type { ListedTask } from "../../core/tasks/task-match.ts";
import type { VideoListing } from "../videos.ts";
import { buildNativeHeaders } from "./headers.ts";

const PAGE_SIZE = 10;
/** The time zone of the query is unknown; this margin covers any zone. */
const MARGIN_MS = 24 * 3_600_000;
/**
 * DashScope's times are in Beijing time without an offset (docs/providers/dashscope.md#tasks); that the list's are too
 * is a guess.
 */
const BEIJING_MS = 8 * 3_600_000;

/**
 * `GET /api/v1/tasks/` (docs/providers/dashscope.md#tasks): the tasks of an account, whichever of its keys made them.
 */
export const listing: VideoListing = {
  toRequest: ({ upstreamModel, from, to, page }, secret) => {
    const query = new URLSearchParams({
      start_time: readDigits(from - MARGIN_MS),
      end_time: readDigits(to + MARGIN_MS),
      page_no: page ?? "1",
      page_size: String(PAGE_SIZE),
      model_name: upstreamModel,
    });
    return {
      method: "GET",
      path: `/api/v1/tasks/?${query.toString()}`,
      headers: buildNativeHeaders(secret, false),
      body: null,
    };
  },
  fromResponse: (body, query) => {
    if (!isRecord(body) || !Array.isArray(body["data"])) return null;
    const rows: readonly unknown[] = body["data"];
    const page = Number(query.page ?? "1");
    return { tasks: rows.flatMap(readRow), next: isMore(body, rows.length) ? String(page + 1) : null };
  },
};

function readRow(row: unknown): readonly ListedTask[] {
  const operation = isRecord(row) ? readOperation(row["task_id"]) : null;
  if (!isRecord(row) || operation === null) return [];
  return [
    {
      id: operation.id,
      upstreamModel: readText(row["model_name"]),
      createdAt: parseTime(row["gmt_create"]) ?? parseTime(row["start_time"]),
      seconds: null,
      resolution: null,
      seed: null,
    },
  ];
}

/** Tells whether a page follows, by the number of pages if the list has it; else up to the first empty page. */
function isMore(body: Readonly<Record<string, unknown>>, rows: number): boolean {
  const { total_page, page_no } = body;
  return typeof total_page === "number" && typeof page_no === "number" ? page_no < total_page : rows > 0;
}

/** Milliseconds, as a figure or as `YYYY-MM-DD HH:mm:ss[.SSS]` in Beijing. */
function parseTime(value: unknown): number | null {
  if (typeof value !== "string" || !/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,3})?$/.test(value))
    return readMoment(value);
  const at = Date.parse(`${value.replace(" ", "T")}+08:00`);
  return Number.isNaN(at) ? null : at;
}

/** `YYYYMMDDhhmmss` in Beijing. */
function readDigits(at: number): string {
  return new Date(at + BEIJING_MS).toISOString().replaceAll(/\D/g, "").slice(0, 14);
}

import { isRecord } from "../../lib/records.ts";
import { taskStatusSchema } from "../../contract/videos.ts";
import type { TaskEntry } from "../../core/tasks/task-entry.ts";
import type { LinePlace } from "../disk/line-log.ts";

/** The position of a task's record in the archive. */
export interface TaskPlace extends LinePlace {
  /** UTC month of its submission, `YYYY-MM`. */
  readonly month: string;
}

/** A line of the archive's list. Without an entry: these bytes of the month's file are no task, and that was reported. */
export interface TaskIndexLine extends TaskPlace {
  readonly entry?: TaskEntry;
}

/** The archive is one file for each UTC month, `tasks/tasks-YYYY-MM.ndjson`, only ever appended to. */
export const taskLogName = (month: string): string => `tasks-${month}.ndjson`;

/** @returns the months of the files among these names, oldest first. */
export function taskMonths(names: readonly string[]): string[] {
  const months = names.map((name) => /^tasks-([+-]?\d{4,6}-\d\d)\.ndjson$/.exec(name)?.[1]);
  return months.filter((month) => month !== undefined).toSorted();
}

const STATUSES: ReadonlySet<unknown> = new Set(taskStatusSchema.options);

/** Checks without zod: a start looks at 100,000 of these. */
export function asTaskIndexLine(value: unknown): TaskIndexLine | undefined {
  if (!isRecord(value) || typeof value["month"] !== "string") return undefined;
  if (!Number.isSafeInteger(value["offset"]) || !Number.isSafeInteger(value["length"])) return undefined;
  return value["entry"] === undefined || isEntry(value["entry"]) ? (value as unknown as TaskIndexLine) : undefined;
}

function isEntry(value: unknown): value is TaskEntry {
  return (
    isRecord(value) &&
    typeof value["id"] === "string" &&
    typeof value["publicId"] === "string" &&
    isTextOrNull(value["providerId"]) &&
    typeof value["requestId"] === "string" &&
    typeof value["key"] === "string" &&
    typeof value["model"] === "string" &&
    STATUSES.has(value["status"]) &&
    Number.isSafeInteger(value["createdAt"]) &&
    isNumberOrNull(value["finishedAt"]) &&
    isNumberOrNull(value["nano"]) &&
    typeof value["prompt"] === "string" &&
    isTextOrNull(value["idempotency"]) &&
    typeof value["deleted"] === "boolean"
  );
}

const isTextOrNull = (value: unknown): boolean => value === null || typeof value === "string";
const isNumberOrNull = (value: unknown): boolean => value === null || typeof value === "number";

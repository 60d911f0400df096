import { isRecord } from "../lib/records.ts";
import { MOST_SECONDS } from "../core/videos/video-cost.ts";
import { LONGEST_URL } from "../upstream/download-target.ts";
import type { VideoOperation, VideoState } from "./videos.ts";

/** Reads values of providers' task responses, each in its own format, into our terms. Nothing here throws. */

/** Valid task ids: an id becomes one path segment, and must not lead to another path. */
const TASK_ID = /^(?!\.+$)[\x21-\x7e]{1,200}$/;
const LONGEST_MESSAGE = 2_000;
const LONGEST_CODE = 100;

/** @returns null if it is not a task id */
export function readOperation(id: unknown): VideoOperation | null {
  return typeof id === "string" && TASK_ID.test(id) ? { id } : null;
}

/** Returns the rows of a provider's list by task id; null for none. */
export function byId(rows: readonly unknown[] | null): ReadonlyMap<string, unknown> | null {
  if (rows === null) return null;
  return new Map(
    rows.flatMap((row) => {
      const operation = isRecord(row) ? readOperation(row["id"]) : null;
      return operation === null ? [] : [[operation.id, row] as const];
    }),
  );
}

/** Reads seconds, as a number or in digits; null for an invalid duration. */
export function readSeconds(value: unknown): number | null {
  const seconds = typeof value === "string" && /^\d{1,4}(\.\d+)?$/.test(value) ? Number(value) : value;
  return typeof seconds === "number" && seconds > 0 && seconds <= MOST_SECONDS ? seconds : null;
}

/** `720`, `"720"`, `"720P"` as `720p`, and `4K` as `4k`; null for anything else. */
export function readResolution(value: unknown): string | null {
  if (typeof value !== "string" && typeof value !== "number") return null;
  const text = String(value).toLowerCase();
  if (/^[1-9]\d{2,3}p?$/.test(text)) return text.endsWith("p") ? text : `${text}p`;
  return /^\dk$/.test(text) ? text : null;
}

/** Reads a percentage given as a number or as digits; null for any other value. */
export function readProgress(value: unknown): number | null {
  const percent = typeof value === "string" && /^\d{1,3}(\.\d+)?%?$/.test(value) ? Number.parseFloat(value) : value;
  return typeof percent === "number" && percent >= 0 && percent <= 100 ? percent : null;
}

export function readSeed(value: unknown): number | null {
  return Number.isSafeInteger(value) ? (value as number) : null;
}

/** Null if missing, empty or not a string. */
export function readText(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

/**
 * Reads the URL of a result: http or https. Null for anything else, because it could not be fetched, and pages and
 * clients must not be led elsewhere by links (`javascript:`, `data:`, `file:`).
 */
export function readAddress(value: unknown): string | null {
  if (typeof value !== "string" || value.length > LONGEST_URL || !/^https?:\/\/[^\s\p{Cc}]+$/iu.test(value))
    return null;
  return value.isWellFormed() && URL.canParse(value) ? value : null;
}

/** Reads a moment as Unix seconds or milliseconds, distinguished by size; returns milliseconds. Null for other values. */
export function readMoment(value: unknown): number | null {
  const figure = typeof value === "string" && /^\d{10,13}$/.test(value) ? Number(value) : value;
  if (typeof figure !== "number" || !(figure > 0 && figure < 1e14)) return null;
  return Math.round(figure < 1e11 ? figure * 1_000 : figure);
}

/** Creates a failure with the provider's message, if there is one. */
export function failedWith(code: unknown, message: unknown): VideoState {
  return {
    state: "failed",
    code: ((typeof code === "number" ? String(code) : readText(code)) ?? "failed").slice(0, LONGEST_CODE),
    message: (readText(message) ?? "The provider says that the task failed, and not why.").slice(0, LONGEST_MESSAGE),
  };
}

/** Creates the failure of a success without a video. */
export function nothingMade(provider: string): VideoState {
  return failedWith(
    "result_missing",
    `${provider} says that the task succeeded, but its response holds no address of a video. Look for it in the provider's console, or generate it again.`,
  );
}

/**
 * `toState` of providers that report a task's state in `status`. A missing task (404) is only accepted in their own
 * error envelope, not from a proxy.
 * @param stateOf returns the state for a lower-case status in a task body
 */
export const buildStateByStatus =
  (stateOf: (word: string, task: Readonly<Record<string, unknown>>) => VideoState) =>
  (status: number, body: unknown): VideoState | null => {
    if (!isRecord(body)) return null;
    if (status === 404) return isRecord(body["error"]) ? { state: "absent" } : null;
    const word = readText(body["status"]);
    return word === null ? null : stateOf(word.toLowerCase(), body);
  };

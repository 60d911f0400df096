import { FieldRules } from "../../core/keys/key-reach.ts";
import { isRecord } from "../../lib/records.ts";
import { buildBearerHeaders } from "../wire-request.ts";
import {
  readAddress,
  byId,
  failedWith,
  readMoment,
  nothingMade,
  readOperation,
  readResolution,
  readSeconds,
  readSeed,
  buildStateByStatus,
  readText,
} from "../video-figures.ts";
import type { ListedTask } from "../../core/tasks/task-match.ts";
import type { VideoBatch, VideoListing, VideoState, VideosAdapter } from "../videos.ts";
import { buildSeedanceOrder } from "./video-request.ts";

const TASKS = "/contents/generations/tasks";

const HOUR = 3_600_000;
/** Tasks per page; the max is 500 (BytePlus' reference of the list). */
const PAGE_SIZE = 100;
/** Ids of 25 characters in an address of some 5 KB; servers take 8. */
const MOST_IN_ONE = 100;

/**
 * List used to find a submission without a response (docs/providers/ark.md#video-tasks). It cannot filter by time: each
 * task has its start time.
 */
const listing: VideoListing = {
  toRequest: ({ upstreamModel, page }, secret) => {
    const query = new URLSearchParams({
      page_num: page ?? "1",
      page_size: String(PAGE_SIZE),
      "filter.model": upstreamModel,
    });
    return { method: "GET", path: `${TASKS}?${query.toString()}`, headers: buildBearerHeaders(secret), body: null };
  },
  fromResponse: (body, { page }) => {
    const items = readItems(body);
    if (items === null || !isRecord(body)) return null;
    const { total } = body;
    // Reads until the first empty page, so that servers with smaller pages are read completely.
    const whole = items.length === 0 || (typeof total === "number" && items.length >= total);
    return { tasks: items.flatMap(readItem), next: whole ? null : String(Number(page ?? "1") + 1) };
  },
};

/** The list accepts ids, and returns the same data as a query for one task (BytePlus' reference of the list). */
const batch: VideoBatch = {
  most: MOST_IN_ONE,
  toRequest: (operations, secret) => {
    const query = new URLSearchParams({ page_num: "1", page_size: String(MOST_IN_ONE) });
    for (const { id } of operations) query.append("filter.task_ids", id);
    return { method: "GET", path: `${TASKS}?${query.toString()}`, headers: buildBearerHeaders(secret), body: null };
  },
  fromResponse: (body) => byId(readItems(body)),
};

const readItems = (body: unknown): readonly unknown[] | null =>
  isRecord(body) && Array.isArray(body["items"]) ? body["items"] : null;

/** Drafts and assets of the account can be video sources; a model may also search the web. */
const reaches = new FieldRules({
  hosted_tool: ["tools[].type"],
  stored_object: [
    ["content[].type", /^draft_task$/],
    ["content[].image_url.url", /^asset:/i],
    ["content[].video_url.url", /^asset:/i],
    ["content[].audio_url.url", /^asset:/i],
  ],
});

/** Seedance (docs/providers/ark.md#videos and docs/providers/ark.md#video-tasks). */
export const videos: VideosAdapter = {
  families: { seedance: { order: buildSeedanceOrder, hasSeed: true } },
  unlisted: "seedance",
  reaches,
  // The days of `memory` are Ark's (docs/providers/ark.md#video-tasks); the rest is a guess.
  pace: { first: 5_000, watched: 3_000, usual: 10_000, gap: 250, timeouts: 3 * HOUR, memory: 7 * 24 * HOUR },
  toRequest: (call, secret) => ({
    method: "POST",
    path: TASKS,
    headers: buildBearerHeaders(secret),
    body: JSON.stringify({ ...call.body, model: call.upstreamModel }),
  }),
  fromResponse: (body) => (isRecord(body) ? readOperation(body["id"]) : null),
  toStatusRequest: ({ id }, secret) => ({
    method: "GET",
    path: getTaskPath(id),
    headers: buildBearerHeaders(secret),
    body: null,
  }),
  // A 404: deleted, or older than Ark remembers.
  toState: buildStateByStatus(readState),
  isAnother: ({ id }, body) => isRecord(body) && (readText(body["id"]) ?? id) !== id,
  /**
   * Cancels a queued task. A running one is refused; for an ended one the record is deleted with the same response, so
   * the caller checks the state first.
   */
  toCancelRequest: ({ id }, secret) => ({
    method: "DELETE",
    path: getTaskPath(id),
    headers: buildBearerHeaders(secret),
    body: null,
  }),
  listing,
  batch,
  toContentRequest: null,
};

const getTaskPath = (id: string): string => `${TASKS}/${encodeURIComponent(id)}`;

function readState(state: string, task: Readonly<Record<string, unknown>>): VideoState {
  const error = isRecord(task["error"]) ? task["error"] : {};
  switch (state) {
    case "queued":
      return { state: "queued", progress: null };
    case "succeeded":
      return readResult(task);
    case "failed":
      return failedWith(error["code"], error["message"]);
    case "cancelled":
    case "canceled":
      return { state: "cancelled" };
    case "expired":
      return { state: "expired" };
    default:
      return { state: "running", progress: null };
  }
}

function readResult(task: Readonly<Record<string, unknown>>): VideoState {
  const content = isRecord(task["content"]) ? task["content"] : {};
  const url = readAddress(content["video_url"]) ?? readAddress(content["file_url"]);
  if (url === null) return nothingMade("Ark");
  return {
    state: "succeeded",
    result: {
      url,
      lastFrameUrl: readAddress(content["last_frame_url"]),
      seconds: readLength(task),
      resolution: readResolution(task["resolution"]),
      seed: readSeed(task["seed"]),
      usage: isRecord(task["usage"]) ? task["usage"] : {},
    },
  };
}

/**
 * Reads seconds; computed from frames if the task was ordered that way (docs/providers/ark.md#video-tasks), in whole
 * ms.
 */
function readLength(task: Readonly<Record<string, unknown>>): number | null {
  const { duration, frames, framespersecond } = task;
  const seconds = readSeconds(duration);
  if (seconds !== null || typeof frames !== "number" || typeof framespersecond !== "number") return seconds;
  return readSeconds(Math.round((frames * 1_000) / framespersecond) / 1_000);
}

function readItem(item: unknown): readonly ListedTask[] {
  const operation = isRecord(item) ? readOperation(item["id"]) : null;
  if (!isRecord(item) || operation === null) return [];
  return [
    {
      id: operation.id,
      // The item names the model of an endpoint id (`ep-…`), not the requested id; the list is filtered by that.
      upstreamModel: null,
      createdAt: readMoment(item["created_at"]),
      seconds: readLength(item),
      resolution: readResolution(item["resolution"]),
      seed: readSeed(item["seed"]),
    },
  ];
}

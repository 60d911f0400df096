import { isRecord } from "../../lib/records.ts";
import { buildBearerHeaders } from "../wire-request.ts";
import {
  readAddress,
  failedWith,
  nothingMade,
  readOperation,
  readProgress,
  readSeconds,
  readText,
} from "../video-figures.ts";
import type { VideoState, VideosAdapter } from "../videos.ts";
import { grokOrder } from "./video-request.ts";

const HOUR = 3_600_000;

/** Grok Imagine video (docs/providers/xai.md#videos). */
export const videos: VideosAdapter = {
  families: { grok: { order: grokOrder, hasSeed: false } },
  unlisted: "grok",
  // All of it is a guess: xAI documents no figures. Its own SDK polls each task every second
  // (https://github.com/xai-org/xai-sdk-python/blob/main/src/xai_sdk/poll_timer.py).
  pace: { first: 3_000, watched: 2_000, usual: 5_000, gap: 60, timeouts: HOUR, memory: 24 * HOUR },
  toRequest: (call, secret) => ({
    method: "POST",
    path: getPath(call.body),
    headers: buildBearerHeaders(secret),
    body: JSON.stringify({ ...call.body, model: call.upstreamModel }),
  }),
  fromResponse: (body) => (isRecord(body) ? readOperation(body["request_id"]) : null),
  toStatusRequest: ({ id }, secret) => ({
    method: "GET",
    path: `/videos/${encodeURIComponent(id)}`,
    headers: buildBearerHeaders(secret),
    body: null,
  }),
  toState: (status, body) => {
    // While it waits, the response may be empty.
    if (!isRecord(body)) return status === 202 ? { state: "queued", progress: null } : null;
    // An error for an unknown task is a guess; the words are those of anything that is not known
    // (docs/providers/xai.md#errors).
    if (status === 404) return "error" in body ? { state: "absent" } : null;
    return readState(status, body);
  },
  // A response names no task: its `request_id` is that of the poll.
  isAnother: () => false,
  toCancelRequest: null,
  listing: null,
  batch: null,
  toContentRequest: null,
};

/**
 * Returns the path for a request with a source video: an extension if it has `duration`, else an edit, which takes no
 * duration.
 */
function getPath(body: Readonly<Record<string, unknown>>): string {
  if (body["video"] == null) return "/videos/generations";
  return body["duration"] == null ? "/videos/edits" : "/videos/extensions";
}

function readState(http: number, body: Readonly<Record<string, unknown>>): VideoState | null {
  const progress = readProgress(body["progress"]);
  const status = readText(body["status"])?.toLowerCase() ?? null;
  switch (status) {
    case "done":
      return readResult(body);
    case "failed":
      return findFailure(body["error"]);
    case "expired":
      return { state: "expired" };
    case null:
      // Older responses have no status once the video exists.
      if (isRecord(body["video"])) return readResult(body);
      return http === 202 || progress !== null ? { state: "running", progress } : null;
    default:
      return { state: "running", progress };
  }
}

function findFailure(error: unknown): VideoState {
  return isRecord(error) ? failedWith(error["code"], error["message"]) : failedWith(null, error);
}

function readResult(body: Readonly<Record<string, unknown>>): VideoState {
  const video = isRecord(body["video"]) ? body["video"] : {};
  if (video["respect_moderation"] === false) {
    return failedWith(
      "content_policy_violation",
      "The video was filtered by xAI's content moderation. Change the prompt or the pictures.",
    );
  }
  const url = readAddress(video["url"]);
  if (url === null) return nothingMade("xAI");
  return {
    state: "succeeded",
    result: {
      url,
      lastFrameUrl: null,
      seconds: readSeconds(video["duration"]),
      resolution: null,
      seed: null,
      usage: isRecord(body["usage"]) ? body["usage"] : {},
    },
  };
}

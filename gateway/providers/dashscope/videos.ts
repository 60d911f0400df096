import { isRecord } from "../../lib/records.ts";
import {
  readAddress,
  failedWith,
  nothingMade,
  readOperation,
  readResolution,
  readSeconds,
  readText,
} from "../video-figures.ts";
import type { VideoCall, VideoState, VideosAdapter } from "../videos.ts";
import { buildNativeHeaders } from "./headers.ts";
import { listing } from "./video-listing.ts";
import { legacyOrder } from "./video-legacy.ts";
import { betaOrder } from "./video-beta.ts";
import { alphaOrder } from "./video-alpha.ts";

const SYNTHESIS = "/api/v1/services/aigc/video-generation/video-synthesis";
/** Path for 2.1 and 2.2 models with first and last frame (docs/providers/dashscope.md#videos). */
const FROM_KEYFRAMES = "/api/v1/services/aigc/image2video/video-synthesis";

const HOUR = 3_600_000;

/**
 * Wan and HappyHorse by DashScope's task protocol (docs/providers/dashscope.md#tasks and
 * docs/providers/dashscope.md#videos): failed and unknown tasks are reported in responses with status 200.
 */
export const videos: VideosAdapter = {
  families: {
    "alpha-legacy": { order: legacyOrder, hasSeed: true },
    alpha: { order: alphaOrder, hasSeed: true },
    beta: { order: betaOrder, hasSeed: true },
  },
  unlisted: "alpha",
  // `usual` and `memory` are the provider's (docs/providers/dashscope.md#videos). Of the 20 questions a second that it allows an account, some are left for
  // others who use it (https://www.alibabacloud.com/help/en/model-studio/manage-asynchronous-tasks). The rest is a guess:
  // a typical video takes one to five minutes.
  pace: { first: 5_000, watched: 3_000, usual: 15_000, gap: 60, timeouts: 3 * HOUR, memory: 24 * HOUR },
  toRequest: (call, secret) => ({
    method: "POST",
    path: /-kf2v-/.test(call.upstreamModel) ? FROM_KEYFRAMES : SYNTHESIS,
    headers: buildSubmissionHeaders(call, secret),
    body: JSON.stringify({ ...call.body, model: call.upstreamModel }),
  }),
  fromResponse: (body) => readOperation(readOutput(body)?.["task_id"]),
  toStatusRequest: ({ id }, secret) => ({
    method: "GET",
    path: getTaskPath(id),
    headers: buildNativeHeaders(secret, false),
    body: null,
  }),
  toState: (_status, body) => {
    const output = readOutput(body);
    const status = readText(output?.["task_status"]);
    return output === null || status === null ? null : readState(status.toUpperCase(), output, body);
  },
  isAnother: ({ id }, body) => (readText(readOutput(body)?.["task_id"]) ?? id) !== id,
  // Only while the task is PENDING; later DashScope answers 400.
  toCancelRequest: ({ id }, secret) => ({
    method: "POST",
    path: `${getTaskPath(id)}/cancel`,
    headers: buildNativeHeaders(secret, false),
    body: null,
  }),
  listing,
  // The list has only each task's progress, ten to a page.
  batch: null,
  toContentRequest: null,
};

function buildSubmissionHeaders(call: VideoCall, secret: string | null): Readonly<Record<string, string>> {
  const headers = { ...buildNativeHeaders(secret, false), "x-dashscope-async": "enable" };
  return holdsUpload(call.body["input"]) ? { ...headers, "x-dashscope-ossresourceresolve": "enable" } : headers;
}

/** Whether any text in it is the address of a temporary upload. */
function holdsUpload(value: unknown): boolean {
  if (typeof value === "string") return value.startsWith("oss://");
  return typeof value === "object" && value !== null && Object.values(value).some(holdsUpload);
}

const getTaskPath = (id: string): string => `/api/v1/tasks/${encodeURIComponent(id)}`;

function readOutput(body: unknown): Readonly<Record<string, unknown>> | null {
  return isRecord(body) && isRecord(body["output"]) ? body["output"] : null;
}

function readState(status: string, output: Readonly<Record<string, unknown>>, body: unknown): VideoState {
  const document = isRecord(body) ? body : {};
  switch (status) {
    case "PENDING":
      return { state: "queued", progress: null };
    case "SUCCEEDED":
      return readResult(output, isRecord(document["usage"]) ? document["usage"] : {});
    case "FAILED":
      return failedWith(output["code"] ?? document["code"], output["message"] ?? document["message"]);
    case "CANCELED":
    case "CANCELLED":
      return { state: "cancelled" };
    case "UNKNOWN":
      return { state: "absent" };
    // RUNNING, SUSPENDED and any other unfinished status.
    default:
      return { state: "running", progress: null };
  }
}

function readResult(output: Readonly<Record<string, unknown>>, usage: Readonly<Record<string, unknown>>): VideoState {
  // Some services with the same protocol nest it one level deeper: a guess.
  const deeper = isRecord(output["results"]) ? output["results"] : {};
  const url = readAddress(output["video_url"]) ?? readAddress(deeper["video_url"]);
  if (url === null) return nothingMade("DashScope");
  return {
    state: "succeeded",
    result: {
      url,
      lastFrameUrl: null,
      // Input is billed with output; `video_duration` is the 2.1 models' word (docs/providers/dashscope.md#videos).
      seconds: readSeconds(usage["duration"]) ?? readSeconds(usage["video_duration"]),
      resolution: readResolution(usage["SR"]),
      seed: null,
      usage,
    },
  };
}

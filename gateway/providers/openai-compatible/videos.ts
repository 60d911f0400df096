import { isRecord } from "../../lib/records.ts";
import {
  failedWith,
  readOperation,
  readProgress,
  readSeconds,
  buildStateByStatus,
  readText,
} from "../video-figures.ts";
import type { VideoCall, VideoState, VideosAdapter } from "../videos.ts";
import { buildBearerHeaders } from "../wire-request.ts";
import type { WireRequest } from "../wire-request.ts";
import { encodeMultipart } from "./form.ts";
import type { FormFile } from "./form.ts";
import { videoReaches } from "./reaches.ts";
import { buildSoraOrder } from "./video-request.ts";

const HOUR = 3_600_000;

/** `/videos` as OpenAI made it and other servers follow it (docs/providers/openai.md#videos). */
export const videos: VideosAdapter = {
  families: { sora: { order: buildSoraOrder, hasSeed: false } },
  unlisted: "sora",
  reaches: videoReaches,
  // All of it is a guess: OpenAI documents no figures. With this gap each of a hundred tasks is polled every nine
  // seconds. The file is kept until the task's `expires_at`.
  pace: { first: 1_000, watched: 1_000, usual: 10_000, gap: 90, timeouts: 3 * HOUR, memory: 24 * HOUR },
  toRequest,
  // `task_id` comes in addition to `id` or instead of it, at servers that forward to others.
  fromResponse: (body) => (isRecord(body) ? (readOperation(body["id"]) ?? readOperation(body["task_id"])) : null),
  toStatusRequest: ({ id }, secret) => ({
    method: "GET",
    path: getTaskPath(id),
    headers: buildBearerHeaders(secret),
    body: null,
  }),
  // A 404 for a task which is deleted or expired is a guess; the envelope is that of anything not found
  // (docs/providers/openai.md#errors).
  toState: buildStateByStatus(readState),
  isAnother: ({ id }, body) => {
    // Relays return two ids, and it is unknown which one identifies the task.
    const named = isRecord(body) ? [body["id"], body["task_id"]].map(readText).filter((one) => one !== null) : [];
    return named.length > 0 && !named.includes(id);
  },
  // DELETE removes finished ones only.
  toCancelRequest: null,
  // It is unknown whether a compatible server has a list, and whether it is complete.
  listing: null,
  batch: null,
  toContentRequest: ({ id }, secret) => ({
    method: "GET",
    path: `${getTaskPath(id)}/content`,
    headers: { ...buildBearerHeaders(secret), accept: "*/*" },
    body: null,
  }),
};

const getTaskPath = (id: string): string => `/videos/${encodeURIComponent(id)}`;

/** JSON, or a form if the request contains an inline picture. */
function toRequest({ body, upstreamModel }: VideoCall, secret: string | null): WireRequest {
  const method = "POST";
  const path = "/videos";
  const headers = buildBearerHeaders(secret);
  const fields = { ...body, model: upstreamModel };
  const reference = readFile(body["input_reference"]);
  if (reference === null) return { method, path, headers, body: JSON.stringify({ ...fields, ...findAddress(body) }) };
  const form = encodeMultipart({ ...fields, input_reference: undefined }, [reference]);
  return { method, path, headers: { ...headers, ...form.headers }, body: form.body };
}

/** Returns a picture's address as JSON has it, in a field of an object (docs/providers/openai.md#videos). */
function findAddress({ input_reference: reference }: VideoCall["body"]): { input_reference?: { image_url: string } } {
  const isAddress = typeof reference === "string" && /^https?:/i.test(reference);
  return isAddress ? { input_reference: { image_url: reference } } : {};
}

/** Returns the file of a `data:` URL; null for anything else. */
function readFile(value: unknown): FormFile | null {
  if (typeof value !== "string") return null;
  const comma = value.indexOf(",");
  const [, mediaType, subtype] = /^data:(\w+\/([\w.+-]+));base64$/i.exec(value.slice(0, Math.max(comma, 0))) ?? [];
  if (mediaType === undefined || subtype === undefined) return null;
  return {
    name: "input_reference",
    fileName: `input_reference.${subtype}`,
    mediaType,
    bytes: Buffer.from(value.slice(comma + 1), "base64"),
  };
}

/** States of OpenAI and compatible servers (docs/providers/openai.md#videos). */
function readState(state: string, task: Readonly<Record<string, unknown>>): VideoState {
  const progress = readProgress(task["progress"]);
  const { error } = task;
  switch (state) {
    case "queued":
    case "pending":
    case "submitted":
      return { state: "queued", progress };
    case "completed":
    case "succeeded":
      return {
        state: "succeeded",
        result: {
          url: null,
          lastFrameUrl: null,
          seconds: readSeconds(task["seconds"]),
          // `size` is in pixels, not a billing tier.
          resolution: null,
          seed: null,
          usage: isRecord(task["usage"]) ? task["usage"] : {},
        },
      };
    case "failed":
      return isRecord(error) ? failedWith(error["code"], error["message"]) : failedWith(null, error);
    case "cancelled":
    case "canceled":
      return { state: "cancelled" };
    case "expired":
      return { state: "expired" };
    default:
      return { state: "running", progress };
  }
}

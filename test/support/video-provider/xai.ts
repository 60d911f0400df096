import { Complaint, isObject, numberOr, ok, onlyFields, textOr } from "./protocol.ts";
import type { SentRequest, Ordered, VideoProtocol } from "./protocol.ts";

const FIELDS = [
  "model",
  "prompt",
  "duration",
  "aspect_ratio",
  "resolution",
  "image",
  "reference_images",
  "reference_audios",
  "video",
  "user",
];
/** What an edit takes from its video. */
const KEPT = ["duration", "aspect_ratio", "resolution"];

/** xAI's videos (docs/providers/xai.md#videos). */
export const xai: VideoProtocol = {
  read: ({ method, path }) => {
    if (path === "/models" && method === "GET") return { operation: "models", id: "" };
    if (/^\/videos\/(generations|edits|extensions)$/.test(path) && method === "POST")
      return { operation: "submit", id: "" };
    const id = /^\/videos\/([^/]+)$/.exec(path)?.[1];
    return id !== undefined && method === "GET" ? { operation: "poll", id } : null;
  },
  newId: (number) => `d97415a1-5796-b7ec-379f-${String(number).padStart(12, "0")}`,
  order,
  accepted: ({ id }) => ok({ request_id: id }),
  reported: (task, files) => {
    const { model } = task.ordered;
    switch (task.state) {
      case "queued":
        return { status: 202 };
      case "running":
        return { status: 202, body: { status: "pending", progress: task.progress } };
      case "succeeded": {
        const url = task.filtered ? "" : files(task, "video.mp4");
        const video = { url, duration: task.seconds, respect_moderation: !task.filtered };
        const usage = { cost_in_usd_ticks: Math.round(task.seconds * 500_000_000) };
        return ok({ status: "done", model, progress: 100, video, usage });
      }
      case "failed":
        return ok({ status: "failed", model, error: task.error });
      case "expired":
        return ok({ status: "expired", model });
      case "cancelled":
      case "absent":
        return xai.absent(task.id);
    }
  },
  absent: (id) => xai.refused(404, "Some requested entity was not found", `Request ${id} was not found`),
  cancel: () => {
    throw new Complaint(405, "method", "there is no cancel at xAI");
  },
  list: () => {
    throw new Complaint(405, "method", "there is no list at xAI");
  },
  refused: (status, code, message) => ({ status, body: { code, error: message } }),
};

function order({ path, json }: SentRequest): Ordered {
  const code = "Client specified an invalid argument";
  if (!isObject(json)) throw new Complaint(422, code, "the body is no object");
  onlyFields(json, FIELDS, code);
  const { model, video } = json;
  if (typeof model !== "string") throw new Complaint(422, code, "model is missing");
  const source = isObject(video) && typeof video["url"] === "string";
  if (path === "/videos/generations" && source)
    throw new Complaint(400, code, "a video belongs to edits or extensions");
  if (path !== "/videos/generations" && !source) throw new Complaint(400, code, "video.url is missing");
  if (path === "/videos/edits" && KEPT.some((name) => json[name] !== undefined))
    throw new Complaint(400, code, "an edit keeps length, ratio and resolution of its video");
  if (path === "/videos/extensions" && !Number.isInteger(json["duration"]))
    throw new Complaint(400, code, "an extension needs its duration");
  return {
    model,
    prompt: textOr(json["prompt"], ""),
    seconds: numberOr(json["duration"], 6),
    resolution: textOr(json["resolution"], "480p"),
    seed: 0,
    lastFrame: false,
    fields: json,
  };
}

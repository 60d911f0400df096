import { Complaint, Refusal, digitsAt, isObject, numberOr, ok, onlyFields, pageOf, textOr } from "./protocol.ts";
import type { SentRequest, Ordered, VideoProtocol, ProviderTask } from "./protocol.ts";

const TASKS = "/contents/generations/tasks";

const FIELDS = [
  "model",
  "content",
  "resolution",
  "ratio",
  "duration",
  "frames",
  "seed",
  "camera_fixed",
  "watermark",
  "generate_audio",
  "draft",
  "return_last_frame",
  "service_tier",
  "execution_expires_after",
  "callback_url",
  "priority",
  "tools",
  "safety_identifier",
];

/** Ark's content generation tasks (docs/providers/ark.md#videos, docs/providers/ark.md#video-tasks). */
export const ark: VideoProtocol = {
  read: ({ method, path }) => {
    if (path === "/models" && method === "GET") return { operation: "models", id: "" };
    if (path === TASKS && method === "POST") return { operation: "submit", id: "" };
    if (path === TASKS && method === "GET") return { operation: "list", id: "" };
    const id = path.startsWith(`${TASKS}/`) ? path.slice(TASKS.length + 1) : "";
    if (id === "" || id.includes("/")) return null;
    if (method === "GET") return { operation: "poll", id };
    return method === "DELETE" ? { operation: "cancel", id } : null;
  },
  newId: (number, at) => `cgt-${digitsAt(at, 8)}-${number.toString(36).padStart(5, "a")}`,
  order,
  accepted: ({ id }) => ok({ id }),
  reported: (task, files) => (task.state === "absent" ? ark.absent(task.id) : ok(document(task, files))),
  absent: (id) => ark.refused(404, "NotFound.id", `The specified task ${id} is not found.`),
  cancel: (task) => {
    if (task.state === "running")
      throw new Refusal(403, "OperationDenied.InvalidState", "The running task cannot be cancelled.");
    // What is over is deleted, with the same response.
    task.state = task.state === "queued" ? "cancelled" : "absent";
    task.plan = [];
    return ok({});
  },
  list: (tasks, query, pageSize, files) => {
    const model = query.get("filter.model");
    const status = query.get("filter.status");
    const ids = query.getAll("filter.task_ids");
    const rows = tasks.filter(
      ({ id, ordered, state }) =>
        state !== "absent" &&
        (ids.length === 0 || ids.includes(id)) &&
        (model === null || ordered.model === model) &&
        (status === null || state === status),
    );
    const size = Number(query.get("page_size") ?? 10);
    if (!(size >= 1 && size <= 500)) throw new Complaint(400, "InvalidParameter", "page_size is beyond its bounds");
    const page = pageOf(rows, Number(query.get("page_num") ?? 1), Math.min(size, pageSize));
    return ok({ items: page.map((task) => document(task, files)), total: rows.length });
  },
  refused: (status, code, message) => ({
    status,
    body: { error: { code, message: `${message} Request id: 0217`, param: "", type: "BadRequest" } },
  }),
};

function order({ json }: SentRequest): Ordered {
  const code = "InvalidParameter";
  if (!isObject(json)) throw new Complaint(400, code, "the body is no object");
  onlyFields(json, FIELDS, code);
  const { model, content, duration } = json;
  if (typeof model !== "string") throw new Complaint(400, "MissingParameter.model", "model is missing");
  if (!Array.isArray(content) || content.length === 0)
    throw new Complaint(400, "MissingParameter.content", "content is missing");
  const blocks: readonly unknown[] = content;
  const texts = blocks.flatMap((block) => {
    if (!isObject(block) || typeof block["type"] !== "string" || block[block["type"]] === undefined)
      throw new Complaint(400, "InvalidParameter.content", "a block says no type, or holds nothing of it");
    return block["type"] === "text" ? [textOr(block["text"], "")] : [];
  });
  if (duration !== undefined && !Number.isInteger(duration))
    throw new Complaint(400, "InvalidParameter.duration", "duration is no integer");
  return {
    model,
    prompt: texts.join("\n"),
    seconds: duration === -1 ? 5 : numberOr(duration, 5),
    resolution: textOr(json["resolution"], "720p"),
    seed: numberOr(json["seed"], -1) < 0 ? 10 : numberOr(json["seed"], 10),
    lastFrame: json["return_last_frame"] === true,
    fields: json,
  };
}

function document(task: ProviderTask, files: (task: ProviderTask, name: string) => string): object {
  const { ordered, state } = task;
  const base = {
    id: task.id,
    model: ordered.model,
    status: state,
    created_at: Math.floor(task.createdAt / 1_000),
    updated_at: Math.floor(task.updatedAt / 1_000),
    service_tier: "default",
    execution_expires_after: numberOr(ordered.fields["execution_expires_after"], 172_800),
    seed: ordered.seed,
    resolution: task.resolution,
    ratio: textOr(ordered.fields["ratio"], "16:9"),
    duration: task.seconds,
    framespersecond: 24,
  };
  if (state === "failed") return { ...base, error: task.error };
  if (state !== "succeeded") return { ...base, error: null, content: null };
  const tokens = Math.round(task.seconds * 21_780);
  const lastFrame = task.lastFrame === null ? {} : { last_frame_url: files(task, "last.png") };
  return {
    ...base,
    error: null,
    content: { video_url: files(task, "video.mp4"), ...lastFrame },
    usage: { completion_tokens: tokens, total_tokens: tokens },
  };
}

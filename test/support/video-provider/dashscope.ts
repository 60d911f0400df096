import { Complaint, Refusal, digitsAt, isObject, numberOr, ok, onlyFields, pageOf, textOr } from "./protocol.ts";
import type { SentRequest, Ordered, ScriptedState, VideoProtocol, ProviderTask } from "./protocol.ts";

const WORDS: Readonly<Record<ScriptedState, string>> = {
  queued: "PENDING",
  running: "RUNNING",
  succeeded: "SUCCEEDED",
  failed: "FAILED",
  cancelled: "CANCELED",
  expired: "UNKNOWN",
  absent: "UNKNOWN",
};

/** Pixels of the legacy protocol's `size`, by what they cost. */
const TIERS: Readonly<Record<string, string>> = { "832*480": "480p", "1280*720": "720p", "1920*1080": "1080p" };

/** DashScope's tasks (docs/providers/dashscope.md#tasks, docs/providers/dashscope.md#videos). */
export const dashscope: VideoProtocol = {
  read: ({ method, path }) => {
    if (/^\/api\/v1\/services\/aigc\/(video-generation|image2video)\/video-synthesis$/.test(path) && method === "POST")
      return { operation: "submit", id: "" };
    if (/^\/api\/v1\/tasks\/?$/.test(path) && method === "GET") return { operation: "list", id: "" };
    const [, id = "", cancel] = /^\/api\/v1\/tasks\/([^/]+)(\/cancel)?$/.exec(path) ?? [];
    if (id !== "" && cancel === undefined && method === "GET") return { operation: "poll", id };
    if (id !== "" && cancel !== undefined && method === "POST") return { operation: "cancel", id };
    return path === "/compatible-mode/v1/models" && method === "GET" ? { operation: "models", id: "" } : null;
  },
  newId: (number) => `0385dc79-5ff8-4d82-bcb6-${String(number).padStart(12, "0")}`,
  order,
  accepted: ({ id }) => ok({ output: { task_status: "PENDING", task_id: id }, request_id: requestId(id) }),
  reported: (task, files) => {
    const status = { task_id: task.id, task_status: WORDS[task.state] };
    if (task.state === "expired" || task.state === "absent")
      return ok({ request_id: requestId(task.id), output: status });
    const times = { submit_time: timeOf(task.createdAt), scheduled_time: timeOf(task.createdAt + 38) };
    const output = { ...status, ...times, ...outcomeOf(task, files) };
    return ok({
      request_id: requestId(task.id),
      output,
      ...(task.state === "succeeded" ? { usage: usageOf(task) } : {}),
    });
  },
  absent: (id) => ok({ request_id: requestId(id), output: { task_id: id, task_status: "UNKNOWN" } }),
  cancel: (task) => {
    if (task.state !== "queued") {
      const message = "Failed to cancel the task, please confirm if the task is in PENDING status.";
      throw new Refusal(400, "UnsupportedOperation", message);
    }
    task.state = "cancelled";
    task.plan = [];
    return ok({ request_id: requestId(task.id) });
  },
  list: (tasks, query) => {
    for (const name of ["start_time", "end_time"])
      if (!/^\d{14}$/.test(query.get(name) ?? "")) throw new Complaint(400, "InvalidParameter", `${name} is no time`);
    const from = query.get("start_time") ?? "";
    const to = query.get("end_time") ?? "";
    const model = query.get("model_name");
    const rows = tasks.filter(({ createdAt, ordered }) => {
      const at = digitsAt(createdAt, 8);
      return at >= from && at <= to && (model === null || ordered.model === model);
    });
    const page = Number(query.get("page_no") ?? 1);
    const size = Number(query.get("page_size") ?? 10);
    return ok({
      total: rows.length,
      data: pageOf(rows, page, size).map((task) => ({
        task_id: task.id,
        status: WORDS[task.state],
        model_name: task.ordered.model,
        gmt_create: task.createdAt,
        region: "cn-beijing",
        request_id: requestId(task.id),
      })),
      total_page: Math.ceil(rows.length / size),
      page_no: page,
      page_size: size,
      request_id: requestId("list"),
    });
  },
  refused: (status, code, message) => ({ status, body: { code, message, request_id: requestId("refused") } }),
};

function order({ headers, json }: SentRequest): Ordered {
  const code = "InvalidParameter";
  if (headers["x-dashscope-async"] !== "enable")
    throw new Complaint(403, "AccessDenied", "current user api does not support synchronous calls");
  if (!isObject(json)) throw new Complaint(400, code, "the body is no object");
  onlyFields(json, ["model", "input", "parameters"], code);
  const { model, input } = json;
  if (typeof model !== "string") throw new Complaint(400, code, "Field required: model");
  if (!isObject(input)) throw new Complaint(400, code, "Field required: input");
  const parameters = json["parameters"] ?? {};
  if (!isObject(parameters)) throw new Complaint(400, code, "parameters is no object");
  if (/^wan2\.[56]-i2v/.test(model) && typeof input["img_url"] !== "string")
    throw new Refusal(400, code, "Field required: input.img_url");
  if (parameters["duration"] !== undefined && !Number.isInteger(parameters["duration"]))
    throw new Complaint(400, code, "duration must be an integer");
  if (JSON.stringify(input).includes('"oss://') && headers["x-dashscope-ossresourceresolve"] !== "enable")
    throw new Complaint(400, "InvalidURL", "an oss:// address without X-DashScope-OssResourceResolve");
  const request = parameters["resolution"] ?? TIERS[textOr(parameters["size"], "")] ?? "1080P";
  return {
    model,
    prompt: textOr(input["prompt"], ""),
    seconds: numberOr(parameters["duration"], 5),
    resolution: textOr(request, "1080P").toLowerCase(),
    seed: numberOr(parameters["seed"], 12_345),
    lastFrame: false,
    fields: json,
  };
}

function outcomeOf(task: ProviderTask, files: (task: ProviderTask, name: string) => string): object {
  if (task.state === "succeeded")
    return { end_time: timeOf(task.updatedAt), orig_prompt: task.ordered.prompt, video_url: files(task, "video.mp4") };
  return task.state === "failed" ? { end_time: timeOf(task.updatedAt), ...task.error } : {};
}

function usageOf({ seconds, resolution }: ProviderTask): object {
  return {
    duration: seconds,
    input_video_duration: 0,
    output_video_duration: seconds,
    video_count: 1,
    SR: Number.parseInt(resolution, 10),
    ratio: "16:9",
  };
}

const requestId = (id: string): string => `4909100c-${id.slice(-12)}`;

/** Beijing's, without saying so. */
function timeOf(at: number): string {
  return new Date(at + 8 * 3_600_000).toISOString().replace("T", " ").replace("Z", "");
}

import { Complaint, isObject, ok, onlyFields, pageOf, textOr } from "./protocol.ts";
import type { SentRequest, Ordered, VideoProtocol, ProviderTask } from "./protocol.ts";

const FIELDS = ["model", "prompt", "seconds", "size", "input_reference"];

const WORDS: Readonly<Record<string, string>> = {
  queued: "queued",
  running: "in_progress",
  succeeded: "completed",
  failed: "failed",
};

/** OpenAI's `/v1/videos` (docs/providers/openai.md#videos). */
export const openai = videoProtocol(["4", "8", "12"]);

/** The same at another server, which takes any number of seconds. */
export const compatible = videoProtocol(null);

function videoProtocol(seconds: readonly string[] | null): VideoProtocol {
  const self: VideoProtocol = {
    read: ({ method, path }) => {
      if (path === "/models" && method === "GET") return { operation: "models", id: "" };
      if (path === "/videos" && method === "POST") return { operation: "submit", id: "" };
      if (path === "/videos" && method === "GET") return { operation: "list", id: "" };
      const [, id = "", content] = /^\/videos\/([^/]+)(\/content)?$/.exec(path) ?? [];
      if (id === "" || method !== "GET") return null;
      return { operation: content === undefined ? "poll" : "content", id };
    },
    newId: (number) => `video_${number.toString(16).padStart(32, "0")}`,
    order: (request) => order(request, seconds),
    accepted: (task) => ok(document(task)),
    reported: (task) => (WORDS[task.state] === undefined ? self.absent(task.id) : ok(document(task))),
    absent: (id) => self.refused(404, "not_found", `Video with id '${id}' not found.`),
    cancel: () => {
      throw new Complaint(405, "method_not_allowed", "a video that is being made cannot be deleted");
    },
    list: (tasks, query, pageSize) => {
      const limit = Number(query.get("limit") ?? 20);
      if (!(limit >= 1 && limit <= 100)) throw new Complaint(400, "invalid_value", "limit is beyond its bounds");
      if ((query.get("order") ?? "desc") !== "desc") throw new Complaint(400, "invalid_value", "played newest first");
      const known = tasks.filter(({ state }) => WORDS[state] !== undefined);
      const from = known.findIndex(({ id }) => id === query.get("after")) + 1;
      const page = pageOf(known.slice(from), 1, Math.min(limit, pageSize));
      return ok({
        object: "list",
        data: page.map(document),
        first_id: page[0]?.id ?? null,
        last_id: page.at(-1)?.id ?? null,
        has_more: from + page.length < known.length,
      });
    },
    refused: (status, code, message) => ({
      status,
      body: { error: { message, type: "invalid_request_error", param: null, code } },
    }),
  };
  return self;
}

async function order(request: SentRequest, allowed: readonly string[] | null): Promise<Ordered> {
  const code = "invalid_value";
  const fields = await fieldsOf(request);
  onlyFields(fields, FIELDS, code);
  const { prompt, seconds, size, model, input_reference } = fields;
  if (typeof prompt !== "string") throw new Complaint(400, "missing_required_parameter", "prompt is missing");
  if (seconds !== undefined && (typeof seconds !== "string" || allowed?.includes(seconds) === false))
    throw new Complaint(400, code, `seconds is ${JSON.stringify(seconds)}`);
  if (size !== undefined && !/^\d{3,4}x\d{3,4}$/.test(textOr(size, ""))) throw new Complaint(400, code, "size is none");
  if (input_reference !== undefined && !Buffer.isBuffer(input_reference) && !isObject(input_reference))
    throw new Complaint(400, code, "input_reference is neither a file nor an object");
  const sides = textOr(size, "720x1280").split("x").map(Number);
  return {
    model: textOr(model, "sora-2"),
    prompt,
    seconds: Number(seconds ?? 4),
    resolution: `${Math.min(...sides)}p`,
    seed: 0,
    lastFrame: false,
    fields,
  };
}

/** JSON, or a form. */
async function fieldsOf({ headers, bytes, json }: SentRequest): Promise<Readonly<Record<string, unknown>>> {
  const type = headers["content-type"] ?? "";
  if (!type.startsWith("multipart/form-data")) {
    if (!isObject(json)) throw new Complaint(400, "invalid_value", "the body is no object");
    return json;
  }
  const form = await new Response(new Uint8Array(bytes), { headers: { "content-type": type } }).formData();
  const entries = [...form].map(async ([name, value]): Promise<readonly [string, unknown]> => [
    name,
    typeof value === "string" ? value : Buffer.from(await value.arrayBuffer()),
  ]);
  return Object.fromEntries(await Promise.all(entries));
}

function document(task: ProviderTask): object {
  const { fields, model, prompt } = task.ordered;
  const done = task.state === "succeeded";
  const at = Math.floor(task.createdAt / 1_000);
  return {
    id: task.id,
    object: "video",
    model,
    status: WORDS[task.state] ?? "queued",
    progress: done ? 100 : task.state === "running" ? task.progress : 0,
    created_at: at,
    completed_at: done ? Math.floor(task.updatedAt / 1_000) : null,
    expires_at: done ? at + 86_400 : null,
    prompt,
    size: textOr(fields["size"], "720x1280"),
    seconds: String(task.seconds),
    remixed_from_video_id: null,
    error: task.state === "failed" ? task.error : null,
  };
}

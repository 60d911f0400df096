import { readSides } from "../../core/images/image-rules.ts";
import { chatRoute } from "../../sandbox/chat/converse.ts";
import {
  getBody,
  EVENT_STREAM,
  type Exchange,
  getModel,
  prepare,
  type Protocol,
  providersId,
  sendJson,
  sendStream,
} from "../../sandbox/exchange.ts";
import { Failure } from "../../sandbox/failure.ts";
import { ownEntry, type Fields, getNumber, getRecord, getRecords, getText } from "../../sandbox/fields.ts";
import { buildAddress, imageFiles, planPictures, type PlannedPicture, shown } from "../../sandbox/images/picture.ts";
import { deriveCreated, createSeed } from "../../sandbox/seed.ts";
import { filmFiles } from "../../sandbox/videos/films.ts";
import { RATE, sizeByRatio } from "../../sandbox/videos/sizes.ts";
import {
  checkAddresses,
  getFilm,
  getPage,
  readTask,
  getSeconds,
  takeOrder,
  type Task,
  getView,
} from "../../sandbox/videos/tasks.ts";

const TASKS = "/api/v3/contents/generations/tasks";
const own = { failureBody: getArkFailureBody };

/** The sandbox as Ark: Seedream and Seedance next to the common chat API (docs/providers/ark.md). */
export const sandbox: Protocol = {
  routes: [
    chatRoute("/api/v3"),
    { ...own, method: "POST", path: "/api/v3/images/generations", handle: draw },
    imageFiles,
    { ...own, method: "POST", path: TASKS, handle: submit },
    { ...own, method: "GET", path: TASKS, handle: list },
    {
      ...own,
      method: "GET",
      path: `${TASKS}/:id`,
      handle: (exchange) => sendJson(exchange, shownTask(findTask(exchange), exchange)),
    },
    { ...own, method: "DELETE", path: `${TASKS}/:id`, handle: takeBack },
    filmFiles,
  ],
};

const SIDES: Readonly<Record<string, number>> = { "1K": 1_024, "2K": 2_048, "3K": 3_072, "4K": 4_096 };
const USUAL_SERIES = 4;

/** An address or base64, one picture or a series, whole or streamed (docs/providers/ark.md#images). */
async function draw(exchange: Exchange): Promise<void> {
  const body = getBody(exchange);
  const size = getText(body["size"]) ?? "2K";
  const [width, height] = readSides(size) ?? [ownEntry(SIDES, size) ?? 0, ownEntry(SIDES, size) ?? 0];
  const options = getRecord(body["sequential_image_generation_options"]);
  const count = body["sequential_image_generation"] === "auto" ? (getNumber(options["max_images"]) ?? USUAL_SERIES) : 1;
  const model = providersId(getModel(exchange, body["model"], "image"));
  const format = body["output_format"] === "png" ? "png" : "jpeg";
  const seed = createSeed(exchange.body);
  const pictures = planPictures(seed, { width, height, format }, count);
  const stream = body["stream"] === true;
  const manner = await prepare(exchange, String(body["prompt"]), stream);
  if (manner === null) return;
  const data: object[] = [];
  for (const picture of pictures) {
    data.push({
      ...shown(exchange, picture, body["response_format"] !== "b64_json"),
      size: `${width}x${height}`,
    });
  }
  const head = { model, created: deriveCreated(seed) };
  const usage = buildImageUsage(pictures);
  if (!stream) return sendJson(exchange, { ...head, data, usage });
  const events = data.map((item, index) =>
    getEvent("image_generation.partial_succeeded", { ...head, image_index: index, ...item }),
  );
  events.push(getEvent("image_generation.completed", { ...head, usage }), "data: [DONE]\n\n");
  await sendStream(exchange, EVENT_STREAM, events, manner, 1);
}

function getEvent(type: string, fields: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}

/** A token for each 256 pixels, as the provider's own figures have it. */
function buildImageUsage(pictures: readonly PlannedPicture[]): object {
  const tokens = pictures.reduce((sum, { width, height }) => sum + Math.ceil((width * height) / 256), 0);
  return { generated_images: pictures.length, output_tokens: tokens, total_tokens: tokens };
}

const PREFIX = "cgt-";
const USUAL_SECONDS = 5;
/** How long a record lives, in milliseconds; seven days is a guess (docs/providers/ark.md#video-tasks). */
const MEMORY_MS = 7 * 86_400_000;

/** `POST …/tasks` (docs/providers/ark.md#videos). */
function submit(exchange: Exchange): void {
  const body = getBody(exchange);
  const model = providersId(getModel(exchange, body["model"], "video"));
  const prompt = getRecords(body["content"])
    .flatMap(({ text }) => getText(text) ?? [])
    .join("\n");
  checkAddresses(
    getRecords(body["content"]).flatMap((part) => Object.values(part).map((place) => getRecord(place)["url"])),
  );
  const settings: Fields = { ...body, ...buildPromptSettings(prompt) };
  const frames = getNumber(settings["frames"]);
  const duration = getNumber(settings["duration"]) ?? USUAL_SECONDS;
  const seed = getNumber(settings["seed"]) ?? -1;
  const order = {
    model,
    prompt,
    size: sizeByRatio(settings["resolution"] ?? "720p", settings["ratio"]),
    // The duration may be left to the model.
    seconds: frames === undefined ? (duration > 0 ? duration : USUAL_SECONDS) : frames / RATE,
    extra: [seed, frames === undefined ? 0 : 1, settings["return_last_frame"] === true ? 1 : 0],
  };
  const task = takeOrder(exchange, PREFIX, order, exchange.body);
  if (task !== null) sendJson(exchange, { id: task.id });
}

/** Settings that may be at the end of a prompt, by both names (docs/providers/ark.md#videos). */
const NAMES: Readonly<Record<string, string>> = { rs: "resolution", rt: "ratio", dur: "duration" };
const PROMPT_SETTING = /--(resolution|rs|ratio|rt|duration|dur|seed)\s{1,4}(\S{1,20})/g;

/** `--rs 720p --dur 5` */
function buildPromptSettings(prompt: string): Fields {
  return Object.fromEntries(
    [...prompt.slice(-500).matchAll(PROMPT_SETTING)].map(([, name = "", value = ""]) => [
      NAMES[name] ?? name,
      /^-?\d+$/.test(value) ? Number(value) : value,
    ]),
  );
}

/** @throws Failure (404) for unknown and for expired ids */
function findTask({ id, clock }: Exchange): Task {
  const task = readTask(PREFIX, id);
  if (task !== null && clock.now() - task.created <= MEMORY_MS) return task;
  throw new Failure(404, `The specified task ${id.slice(0, 200)} is not found.`, { code: "NotFound.id", param: "id" });
}

/** Cancels a queued task and refuses for a running one; for an ended one only the record would be deleted. */
function takeBack(exchange: Exchange): void {
  const task = findTask(exchange);
  const { state } = getView(task, exchange);
  // Code and status are a guess.
  if (state === "running") {
    throw new Failure(403, `The task ${task.id} is running and cannot be deleted.`, {
      code: "OperationDenied.InvalidState",
    });
  }
  if (state === "queued") exchange.tasks.withdraw(task.id, exchange.clock.now());
  sendJson(exchange, {});
}

function list(exchange: Exchange): void {
  const { query, tasks } = exchange;
  const ids = query.getAll("filter.task_ids");
  const model = query.get("filter.model");
  const known = (ids.length > 0 ? ids : tasks.ids).flatMap((id) => readTask(PREFIX, id) ?? []);
  const items = known.filter((task) => model === null || task.model === model);
  const page = getPage(items, query.get("page_num"), query.get("page_size"));
  sendJson(exchange, { items: page.map((task) => shownTask(task, exchange)), total: items.length });
}

/** Responds to `GET …/tasks/{id}` (docs/providers/ark.md#video-tasks). Settings before the film is there are a guess. */
function shownTask(task: Task, exchange: Exchange): object {
  const { id, model, created, digits, size, frames, seconds, extra } = task;
  const { state, began, ended } = getView(task, exchange);
  const [seed = -1, byFrames, lastFrame] = extra;
  const changed = state === "queued" ? created : state === "running" ? began : ended;
  const head = {
    id,
    model,
    status: state,
    error:
      state === "failed" ? { code: "InternalServiceError", message: "The sandbox was asked to fail this task." } : null,
    created_at: getSeconds(created),
    updated_at: getSeconds(changed),
    // The provider chooses a seed if none is requested.
    seed: seed === -1 ? Number.parseInt(digits, 16) : seed,
    resolution: size.resolution,
    ratio: size.ratio,
    ...(byFrames === 1 ? { frames } : { duration: seconds }),
    framespersecond: RATE,
  };
  if (state !== "succeeded") return head;
  const picture = { ...size, digits: digits.padEnd(32, "0"), format: "png" } as const;
  const last = lastFrame === 1 ? { last_frame_url: buildAddress(exchange, picture) } : {};
  const tokens = filmTokens(task, byFrames === 1);
  return {
    ...head,
    content: { video_url: getFilm(task, exchange), ...last },
    usage: { completion_tokens: tokens, total_tokens: tokens },
  };
}

/**
 * Counts tokens by pixels of whole macroblocks and frames: the reference's 108,900 for five seconds of 720p and 246,840
 * of 1080p result from 121 frames. The provider's videos have one extra frame; these do not, but count it.
 */
function filmTokens({ size, frames }: Task, byFrames: boolean): number {
  const whole = (pixels: number): number => Math.ceil(pixels / 16) * 16;
  return Math.round((whole(size.width) * whole(size.height) * (frames + (byFrames ? 0 : 1))) / 1_024);
}

/** Ark's codes and types by status (docs/providers/ark.md#errors). */
const CODES: Readonly<Record<number, readonly [code: string, type: string]>> = {
  400: ["InvalidParameter", "BadRequest"],
  401: ["AuthenticationError", "Unauthorized"],
  403: ["AccessDenied", "Forbidden"],
  404: ["InvalidEndpointOrModel.NotFound", "NotFound"],
  429: ["ModelAccountRpmRateLimitExceeded", "TooManyRequests"],
  503: ["ServiceUnavailable", "ServiceUnavailable"],
};

/** `{error:{code,message,param,type}}`. */
function getArkFailureBody({ status, message, code, param }: Failure): string {
  const other = status < 500 ? ["InvalidParameter", "BadRequest"] : ["InternalServiceError", "InternalServerError"];
  const [usual, type] = CODES[status] ?? other;
  // Protocol-specific codes start with a capital letter.
  const exact = code !== null && /^[A-Z]/.test(code) ? code : usual;
  return JSON.stringify({ error: { code: exact, message, param: param ?? "", type } });
}

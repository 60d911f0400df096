import { readSides } from "../../core/images/image-rules.ts";
import { billedCharacters } from "../../core/speech/speech-units.ts";
import { chatRoute } from "../../sandbox/chat/converse.ts";
import { embeddingsRoute } from "../../sandbox/embeddings.ts";
import {
  getBody,
  type Exchange,
  getModel,
  prepare,
  type Protocol,
  providersId,
  sendJson,
  sendStream,
} from "../../sandbox/exchange.ts";
import { Failure, noSuchFile } from "../../sandbox/failure.ts";
import { type Fields, getNumber, getRecord, getRecords, getText } from "../../sandbox/fields.ts";
import { buildAddress, imageFiles, planPictures } from "../../sandbox/images/picture.ts";
import { createSeed } from "../../sandbox/seed.ts";
import { PIECE_SECONDS, PIECES_BEFORE_CUT, writeSound } from "../../sandbox/speech/sound.ts";
import { type Melody, composeMelody } from "../../sandbox/speech/tones.ts";
import { filmFiles } from "../../sandbox/videos/films.ts";
import { sizeByPixels, sizeByRatio } from "../../sandbox/videos/sizes.ts";
import {
  checkAddresses,
  getFilm,
  getPage,
  readTask,
  takeOrder,
  type Task,
  getView,
} from "../../sandbox/videos/tasks.ts";
import { asList } from "../../lib/records.ts";

const SPEECH_FILES = "/results/speech";
const native = { failureBody: getNativeFailureBody };

/** The sandbox as DashScope: Qwen's speech and pictures, and Wan, next to the common chat API (docs/providers/dashscope.md). */
export const sandbox: Protocol = {
  routes: [
    chatRoute("/compatible-mode/v1"),
    embeddingsRoute({ path: "/compatible-mode/v1/embeddings", usage: ["prompt_tokens", "total_tokens"] }),
    // Speech and pictures share one path: speech has a text, pictures have messages.
    {
      ...native,
      method: "POST",
      path: "/api/v1/services/aigc/multimodal-generation/generation",
      handle: (exchange) =>
        getRecord(getBody(exchange)["input"])["text"] === undefined ? draw(exchange) : speak(exchange),
    },
    { ...native, method: "GET", path: `${SPEECH_FILES}/:id`, keyless: true, handle: sendSpeech },
    imageFiles,
    { ...native, method: "POST", path: "/api/v1/services/aigc/video-generation/video-synthesis", handle: submit },
    { ...native, method: "GET", path: "/api/v1/tasks", handle: list },
    { ...native, method: "GET", path: "/api/v1/tasks/:id", handle: show },
    { ...native, method: "POST", path: "/api/v1/tasks/:id/cancel", handle: cancel },
    filmFiles,
  ],
};

/** Responses name PNG files (docs/providers/dashscope.md#images). */
async function draw(exchange: Exchange): Promise<void> {
  const { model, input, parameters } = getBody(exchange);
  const id = providersId(getModel(exchange, model, "image"));
  const content = getRecords(getRecords(getRecord(input)["messages"])[0]?.["content"]);
  const prompt = content.flatMap(({ text }) => getText(text) ?? []).join("\n");
  const { n, size } = getRecord(parameters);
  const usual = id.includes("-2.0") ? "2048*2048" : id.includes("-edit") ? "1024*1024" : "1664*928";
  const [width, height] = readSides(getText(size) ?? usual) ?? [0, 0];
  const pictures = planPictures(createSeed(exchange.body), { width, height, format: "png" }, getNumber(n) ?? 1);
  if ((await prepare(exchange, prompt)) === null) return;
  const images = pictures.map((picture) => ({ image: buildAddress(exchange, picture) }));
  sendJson(exchange, {
    output: { choices: [{ finish_reason: "stop", message: { role: "assistant", content: images } }] },
    usage: { height, image_count: images.length, width },
    request_id: readRequestId(exchange.body),
  });
}

/** The sandbox's files do not go away: they are made again from their address. */
const NEVER_EXPIRES = 4_102_444_800;

/** JSON that names a WAV file, or samples as events (docs/providers/dashscope.md#speech). */
async function speak(exchange: Exchange): Promise<void> {
  const { model, input } = getBody(exchange);
  const { text, voice } = getRecord(input);
  const ideographs = getModel(exchange, model, "speech").speech?.ideographCounts ?? 1;
  const words = String(text);
  const request_id = readRequestId(exchange.body);
  const usage = { input_tokens: 0, output_tokens: 0, characters: billedCharacters(words, ideographs) };
  const name = Buffer.from(JSON.stringify([words, String(voice)])).toString("base64url");
  const audio = {
    data: "",
    url: `${exchange.base}${SPEECH_FILES}/${name}.wav?Expires=${NEVER_EXPIRES}`,
    id: `audio_${request_id}`,
    expires_at: NEVER_EXPIRES,
  };
  const streams = exchange.headers["x-dashscope-sse"] === "enable";
  const manner = await prepare(exchange, words, streams);
  if (manner === null) return;
  if (!streams) {
    return sendJson(exchange, {
      request_id,
      output: { text: null, finish_reason: "stop", choices: null, audio },
      usage,
    });
  }
  const events = readEvents(composeMelody(words, String(voice)), audio, { usage, request_id });
  const headers = { "content-type": "text/event-stream;charset=UTF-8", "cache-control": "no-cache" };
  await sendStream(exchange, headers, events, manner, PIECES_BEFORE_CUT);
}

/** Writes lines without a space after the colon, a status comment, and `finish_reason` "null" until the last event. */
function* readEvents(melody: Melody, audio: object, rest: object): Generator<string, void, undefined> {
  let id = 0;
  const event = (output: object): string =>
    `id:${(id += 1)}\nevent:result\n:HTTP_STATUS/200\ndata:${JSON.stringify({ output, ...rest })}\n\n`;
  for (const samples of melody.samples(PIECE_SECONDS)) {
    yield event({ finish_reason: "null", audio: { ...audio, url: undefined, data: samples.toString("base64") } });
  }
  yield event({ finish_reason: "stop", audio });
}

/** The returned URLs encode text and voice; like the provider's, they need no key. */
async function sendSpeech(exchange: Exchange): Promise<void> {
  const [text, voice] = readSpeech(exchange.id);
  if (typeof text !== "string" || typeof voice !== "string") throw noSuchFile();
  const sound = writeSound(composeMelody(text, voice), "wav");
  await sendStream(exchange, { "content-type": "audio/wav" }, sound, { slowMs: null, cut: false }, 0);
}

function readSpeech(name: string): readonly unknown[] {
  try {
    return asList(JSON.parse(Buffer.from(name.replace(".wav", ""), "base64url").toString("utf8")));
  } catch {
    return [];
  }
}

const USUAL_SECONDS = 5;
/** Assumed seconds of an input video, which are billed too: the sandbox does not measure it. */
const SECONDS_IN = 5;
const DAY_MS = 86_400_000;

/** Wan and HappyHorse (docs/providers/dashscope.md#videos). */
function submit(exchange: Exchange): void {
  if (exchange.headers["x-dashscope-async"] !== "enable") {
    throw new Failure(403, "current user api does not support synchronous calls", { code: "AccessDenied" });
  }
  const { model, input, parameters } = getBody(exchange);
  const { size, resolution, ratio, duration } = getRecord(parameters);
  const fields = getRecord(input);
  const references = [...asList(fields["reference_urls"]), ...asList(fields["reference_video_urls"])];
  checkAddresses([fields["img_url"], ...getRecords(fields["media"]).map(({ url }) => url), ...references]);
  const bySize = getText(size)?.includes("*") === true && resolution === undefined;
  const order = {
    model: providersId(getModel(exchange, model, "video")),
    prompt: getText(fields["prompt"]) ?? "",
    size: bySize ? sizeByPixels(String(size)) : sizeByRatio(resolution ?? "1080P", ratio),
    // An edit has no duration field, because it keeps its source's.
    seconds: getNumber(duration) || USUAL_SECONDS,
    extra: [bySize ? 1 : 0, hasFilm(fields) ? SECONDS_IN : 0],
  };
  const task = takeOrder(exchange, "", order, exchange.body);
  if (task === null) return;
  sendJson(exchange, { output: { task_status: "PENDING", task_id: task.id }, request_id: readRequestId(task.id) });
}

/** Tells whether there is an input video; judged by its name if nothing else indicates it. */
function hasFilm({ media, reference_urls: urls, reference_video_urls: films }: Fields): boolean {
  const types = getRecords(media).map(({ type }) => type);
  const named = [...asList(urls), ...asList(films)].some((url) => /\.(mp4|mov)(\?|$)/i.test(String(url)));
  return named || types.includes("video") || types.includes("reference_video");
}

/** `GET /api/v1/tasks/{id}` (docs/providers/dashscope.md#tasks). */
function show(exchange: Exchange): void {
  const task = findTask(exchange.id, exchange);
  if (task === null) {
    const output = { task_id: exchange.id, task_status: "UNKNOWN" };
    return sendJson(exchange, { request_id: readRequestId(exchange.id), output });
  }
  const { state, began, ended } = getView(task, exchange);
  const status = STATUSES[state];
  const request_id = readRequestId(`${task.id} ${status}`);
  const head = {
    task_id: task.id,
    task_status: status,
    submit_time: beijingTime(task.created),
    ...(state !== "queued" && state !== "cancelled" && { scheduled_time: beijingTime(began) }),
    ...(state !== "queued" && state !== "running" && { end_time: beijingTime(ended) }),
  };
  if (state === "failed") {
    const failure = { code: "InternalError.Algo", message: "The sandbox was asked to fail this task." };
    return sendJson(exchange, { request_id, output: { ...head, ...failure } });
  }
  if (state !== "succeeded") return sendJson(exchange, { request_id, output: head });
  sendJson(exchange, { request_id, output: { ...head, video_url: getFilm(task, exchange) }, usage: readUsage(task) });
}

const STATUSES = {
  queued: "PENDING",
  running: "RUNNING",
  succeeded: "SUCCEEDED",
  failed: "FAILED",
  cancelled: "CANCELED",
} as const;

/** @returns null for unknown ids, and after the day for which the provider keeps them */
function findTask(id: string, { clock }: Exchange): Task | null {
  const task = readTask("", id);
  return task === null || clock.now() - task.created > DAY_MS ? null : task;
}

/** Returns the usage: input is billed with output (docs/providers/dashscope.md#wan-25-and-26). */
function readUsage({ seconds, size, extra: [bySize, secondsIn = 0] }: Task): object {
  return {
    duration: secondsIn + seconds,
    input_video_duration: secondsIn,
    output_video_duration: seconds,
    video_count: 1,
    SR: Number.parseInt(size.resolution, 10),
    ...(bySize === 1 ? { size: `${size.width}*${size.height}` } : { ratio: size.ratio }),
  };
}

/** Only for queued tasks; an unknown one is refused with the same message. */
function cancel(exchange: Exchange): void {
  const task = findTask(exchange.id, exchange);
  if (task === null || getView(task, exchange).state !== "queued") {
    throw new Failure(400, "Failed to cancel the task, please confirm if the task is in PENDING status.", {
      code: "UnsupportedOperation",
    });
  }
  exchange.tasks.withdraw(task.id, exchange.clock.now());
  sendJson(exchange, { request_id: readRequestId(`${task.id} cancel`) });
}

/** `GET /api/v1/tasks/` (docs/providers/dashscope.md#tasks): tasks since the sandbox started, newest first. */
function list(exchange: Exchange): void {
  const { query, tasks } = exchange;
  const known = tasks.ids.flatMap((id) => findTask(id, exchange) ?? []).filter((task) => matchesQuery(task, query));
  const [page, size] = [query.get("page_no") ?? "1", query.get("page_size") ?? "10"];
  // Times are Unix milliseconds: a guess.
  const rows = getPage(known, page, size).map((task) => ({
    task_id: task.id,
    model_name: task.model,
    status: STATUSES[getView(task, exchange).state],
    gmt_create: task.created,
  }));
  sendJson(exchange, {
    total: known.length,
    data: rows,
    total_page: Math.ceil(known.length / Number(size)),
    page_no: Number(page),
    page_size: Number(size),
    request_id: readRequestId(`list ${query.toString()}`),
  });
}

function matchesQuery({ model, created }: Task, query: URLSearchParams): boolean {
  const at = beijingTime(created).replaceAll(/\D/g, "").slice(0, 14);
  const modelName = query.get("model_name");
  return (
    (modelName ?? model) === model && at >= (query.get("start_time") ?? "") && at <= (query.get("end_time") ?? "9")
  );
}

const BEIJING_MS = 8 * 3_600_000;

/** Formats `YYYY-MM-DD HH:mm:ss.SSS` in Beijing time, like the provider. @param at Unix milliseconds */
function beijingTime(at: number): string {
  return new Date(at + BEIJING_MS).toISOString().replace("T", " ").replace("Z", "");
}

/** DashScope's codes by status (docs/providers/dashscope.md#errors). */
const CODES: Readonly<Record<number, string>> = {
  401: "InvalidApiKey",
  402: "Arrearage",
  403: "AccessDenied",
  404: "ModelNotFound",
  413: "RequestTooLarge",
  429: "Throttling.RateQuota",
  503: "ServiceUnavailable",
};

/** `{code,message,request_id}`: the native envelope. */
function getNativeFailureBody({ status, code, message }: Failure): string {
  const usual = CODES[status] ?? (status < 500 ? "InvalidParameter" : "InternalError");
  // Protocol-specific codes start with a capital letter.
  const exact = code !== null && /^[A-Z]/.test(code) ? code : usual;
  return JSON.stringify({ code: exact, message, request_id: readRequestId(message) });
}

/** Formats an id like DashScope's, derived from its content. */
function readRequestId(bytes: string | Uint8Array): string {
  return createSeed(bytes)
    .digits("request", 32)
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

import { readSides } from "../../core/images/image-rules.ts";
import { imageTokens } from "../../core/images/image-tokens.ts";
import { AUDIO_TOKENS_PER_SECOND } from "../../core/speech/speech-units.ts";
import { completionsToChat, buildChatForm } from "../../codecs/completions-to-chat/translate.ts";
import { chatRoute, converse } from "../../sandbox/chat/converse.ts";
import { translateExchange } from "../../sandbox/chat/translated.ts";
import { embeddingsRoute } from "../../sandbox/embeddings.ts";
import {
  getBody,
  EVENT_STREAM,
  type Exchange,
  getModel as readModel,
  prepare,
  type Protocol,
  providersId,
  sendJson,
  sendStream,
} from "../../sandbox/exchange.ts";
import { Failure, invalidValue } from "../../sandbox/failure.ts";
import { type Fields, getNumber, getRecord, getText } from "../../sandbox/fields.ts";
import { formOrJson } from "../../sandbox/form.ts";
import { drawPicture, imageFiles, type PictureFormat, planPictures, shown } from "../../sandbox/images/picture.ts";
import { deriveCreated, type Seed, createSeed } from "../../sandbox/seed.ts";
import { PIECES_BEFORE_CUT, SOUND_TYPES, type SoundFormat, writeSound } from "../../sandbox/speech/sound.ts";
import { type Melody, composeMelody } from "../../sandbox/speech/tones.ts";
import { OPENAI_MODERATION, moderationsRoute } from "../../sandbox/moderations.ts";
import { transcriptionRoutes } from "../../sandbox/transcription/openai.ts";
import { countTokens } from "../../sandbox/tokens.ts";
import { sendFilm } from "../../sandbox/videos/films.ts";
import { sizeByPixels } from "../../sandbox/videos/sizes.ts";
import { readTask, getSeconds, takeOrder, type Task, getView } from "../../sandbox/videos/tasks.ts";
import { asList } from "../../lib/records.ts";

/** The sandbox as a server that follows OpenAI (docs/providers/openai.md). */
export const sandbox: Protocol = {
  routes: [
    chatRoute("/v1"),
    { method: "POST", path: "/v1/completions", handle: complete },
    embeddingsRoute({ path: "/v1/embeddings", usage: ["prompt_tokens", "total_tokens"] }),
    { method: "POST", path: "/v1/audio/speech", handle: speak },
    ...transcriptionRoutes,
    moderationsRoute(OPENAI_MODERATION),
    { method: "POST", path: "/v1/images/generations", handle: generate },
    { method: "POST", path: "/v1/images/edits", handle: edit },
    imageFiles,
    { method: "POST", path: "/v1/videos", handle: submit },
    { method: "GET", path: "/v1/videos", handle: list },
    {
      method: "GET",
      path: "/v1/videos/:id",
      handle: (exchange) => sendJson(exchange, shownTask(findTask(exchange), exchange)),
    },
    { method: "GET", path: "/v1/videos/:id/content", handle: sendContent },
  ],
};

/** `POST /v1/audio/speech` (docs/providers/openai.md#speech), in the formats that can be made here. */
async function complete(exchange: Exchange): Promise<void> {
  const translation = translateExchange(exchange, completionsToChat, buildChatForm(getBody(exchange)));
  await converse(exchange, translation.body, { translation, hidesReasoning: true, units: () => ({}) });
}

async function speak(exchange: Exchange): Promise<void> {
  const { model, input, voice, response_format, speed, instructions, stream_format } = getBody(exchange);
  readModel(exchange, model, "speech");
  const format = getText(response_format) ?? "mp3";
  if (!isMade(format)) {
    throw invalidValue("response_format", `the sandbox makes ${Object.keys(SOUND_TYPES).join(", ")}.`);
  }
  const text = String(input);
  const manner = await prepare(exchange, text, true);
  if (manner === null) return;
  const melody = composeMelody(text, getText(voice) ?? String(getRecord(voice)["id"]), getNumber(speed));
  const sound = writeSound(melody, format);
  const isEvents = stream_format === "sse";
  const pieces = isEvents
    ? buildSoundEvents(sound, countTokens(text) + countTokens(getText(instructions) ?? ""), melody)
    : sound;
  await sendStream(
    exchange,
    isEvents ? EVENT_STREAM : { "content-type": SOUND_TYPES[format] },
    pieces,
    manner,
    PIECES_BEFORE_CUT,
  );
}

function isMade(format: string): format is SoundFormat {
  return Object.hasOwn(SOUND_TYPES, format);
}

async function* buildSoundEvents(
  sound: AsyncIterable<Buffer>,
  input_tokens: number,
  { seconds }: Melody,
): AsyncGenerator<string, void, undefined> {
  for await (const piece of sound) {
    yield `data: ${JSON.stringify({ type: "speech.audio.delta", audio: piece.toString("base64") })}\n\n`;
  }
  const output_tokens = Math.ceil(seconds * AUDIO_TOKENS_PER_SECOND);
  const usage = { input_tokens, output_tokens, total_tokens: input_tokens + output_tokens };
  yield `data: ${JSON.stringify({ type: "speech.audio.done", usage })}\n\n`;
}

function generate(exchange: Exchange): Promise<void> {
  return draw(exchange, "image_generation", getBody(exchange), 0, createSeed(exchange.body));
}

async function edit(exchange: Exchange): Promise<void> {
  const { fields, files, matter } = await formOrJson(exchange);
  const images = files + asList(fields["images"]).length + (fields["mask"] == null ? 0 : 1);
  await draw(exchange, "image_edit", fields, images, createSeed(matter));
}

/** Input tokens of a picture to edit. */
const TOKENS_PER_IMAGE = 323;

/**
 * Draws pictures like gpt-image, complete or streamed, and like dall-e, which echoes nothing and has no usage
 * (docs/providers/openai.md#images). In a form all values are strings.
 * @param images how many pictures the request refers to
 */
async function draw(exchange: Exchange, event: string, fields: Fields, images: number, seed: Seed): Promise<void> {
  const model = providersId(readModel(exchange, fields["model"], images > 0 ? "image_edit" : "image"));
  const isDallE = model.startsWith("dall-e");
  const prompt = String(fields["prompt"]);
  const format = (getText(fields["output_format"]) ?? "png") as PictureFormat;
  const [width, height] = readSides(String(fields["size"])) ?? [1_024, 1_024];
  const size = `${width}x${height}`;
  const requestedQuality = getText(fields["quality"]) ?? "auto";
  const quality = requestedQuality === "auto" ? "high" : requestedQuality;
  const transparent = fields["background"] === "transparent";
  const background = transparent ? "transparent" : "opaque";
  const stream = String(fields["stream"]) === "true";
  const partials = stream ? Number(fields["partial_images"] ?? 0) : 0;
  const count = Number(fields["n"] ?? 1);
  const pictures = planPictures(seed, { width, height, format, transparent }, count);
  const manner = await prepare(exchange, prompt, stream);
  if (manner === null) return;
  const created = deriveCreated(seed);
  const headers = { "x-request-id": `req_${seed.digits("request", 32)}` };
  const echo = isDallE ? {} : { background, output_format: format, quality, size };
  const usage = readUsage(countTokens(prompt), images * TOKENS_PER_IMAGE, count * imageTokens(size, quality, partials));
  if (!stream) {
    const revised = model === "dall-e-3" ? { revised_prompt: `${prompt} (drawn by the sandbox)` } : {};
    const asUrl = isDallE && fields["response_format"] !== "b64_json";
    const data: object[] = [];
    for (const picture of pictures) data.push({ ...revised, ...shown(exchange, picture, asUrl) });
    return sendJson(exchange, { created, ...echo, data, ...(isDallE ? {} : { usage }) }, headers);
  }
  const events: string[] = [];
  // Unfinished pictures are of other colours.
  const unfinished = planPictures(
    createSeed(seed.digits("partial", 32)),
    { width, height, format, transparent },
    partials,
  );
  for (const [index, picture] of [...unfinished, ...pictures].entries()) {
    const type = `${event}.${index < partials ? "partial_image" : "completed"}`;
    const place = index < partials ? { partial_image_index: index } : index === partials + count - 1 ? { usage } : {};
    const data = { type, b64_json: drawPicture(picture).toString("base64"), created_at: created, ...echo, ...place };
    events.push(`event: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
  }
  await sendStream(exchange, { ...EVENT_STREAM, ...headers }, events, manner, 1);
}

function readUsage(words: number, seen: number, output: number): object {
  return {
    total_tokens: words + seen + output,
    input_tokens: words + seen,
    output_tokens: output,
    input_tokens_details: { text_tokens: words, image_tokens: seen },
    output_tokens_details: { text_tokens: 0, image_tokens: output },
  };
}

const PREFIX = "video_";
const USUAL_SIZE = "720x1280";
const USUAL_SECONDS = 4;
/** How long a finished file can be fetched: a guess. */
const FILE_LIVES_MS = 86_400_000;

/** `POST /v1/videos` (docs/providers/openai.md#videos), without remixes and characters. */
async function submit(exchange: Exchange): Promise<void> {
  const { fields, matter } = await formOrJson(exchange);
  const order = {
    model: providersId(readModel(exchange, fields["model"], "video")),
    prompt: String(fields["prompt"]),
    size: sizeByPixels(getText(fields["size"]) ?? USUAL_SIZE),
    seconds: Number(fields["seconds"] ?? USUAL_SECONDS),
  };
  const task = takeOrder(exchange, PREFIX, order, matter);
  if (task !== null) sendJson(exchange, shownTask(task, exchange));
}

/** Newest first. */
function list(exchange: Exchange): void {
  const { query, tasks } = exchange;
  const from = tasks.ids.indexOf(query.get("after") ?? "") + 1;
  const ids = tasks.ids.slice(from, from + Number(query.get("limit") ?? 20));
  const data = ids.flatMap((id) => readTask(PREFIX, id) ?? []).map((task) => shownTask(task, exchange));
  sendJson(exchange, { object: "list", data, has_more: from + ids.length < tasks.ids.length });
}

async function sendContent(exchange: Exchange): Promise<void> {
  const task = findTask(exchange);
  const { state, ended } = getView(task, exchange);
  if (state !== "succeeded") {
    throw new Failure(404, "Video is not ready yet, use GET /v1/videos/{video_id} to check status.");
  }
  if (exchange.clock.now() > ended + FILE_LIVES_MS) throw new Failure(404, "The content of this video has expired.");
  await sendFilm(exchange, { ...task.size, frames: task.frames, digits: task.digits });
}

/** @throws Failure (404) for ids that were never given */
function findTask({ id }: Exchange): Task {
  const task = readTask(PREFIX, id);
  if (task === null) throw new Failure(404, `Video with id '${id.slice(0, 200)}' not found.`, { code: "not_found" });
  return task;
}

const STATUSES = {
  queued: "queued",
  running: "in_progress",
  succeeded: "completed",
  failed: "failed",
  cancelled: "failed",
};

function shownTask(task: Task, exchange: Exchange): object {
  const { state, progress, ended } = getView(task, exchange);
  const isDone = state === "succeeded";
  return {
    id: task.id,
    object: "video",
    model: task.model,
    status: STATUSES[state],
    progress: state === "failed" ? 0 : progress,
    created_at: getSeconds(task.created),
    completed_at: isDone ? getSeconds(ended) : null,
    expires_at: isDone ? getSeconds(ended + FILE_LIVES_MS) : null,
    size: `${task.size.width}x${task.size.height}`,
    seconds: String(task.seconds),
    remixed_from_video_id: null,
    error: state === "failed" ? { code: "internal_error", message: "The sandbox was asked to fail this video." } : null,
  };
}

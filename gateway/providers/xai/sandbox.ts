import { chatRoute } from "../../sandbox/chat/converse.ts";
import {
  getBody,
  type Exchange,
  getModel as readModel,
  prepare,
  type Protocol,
  providersId,
  type Route,
  send,
  sendJson,
} from "../../sandbox/exchange.ts";
import { Failure } from "../../sandbox/failure.ts";
import { getNumber, getRecord, getText } from "../../sandbox/fields.ts";
import { imageFiles, planPictures, shown, sidesOfRatio } from "../../sandbox/images/picture.ts";
import { createSeed } from "../../sandbox/seed.ts";
import { createSandboxTranscript } from "../../sandbox/transcription/sandbox-transcript.ts";
import { soundForm } from "../../sandbox/transcription/sound-form.ts";
import { filmFiles } from "../../sandbox/videos/films.ts";
import { sizeByRatio } from "../../sandbox/videos/sizes.ts";
import { checkAddresses, getFilm, readTask, takeOrder, getView } from "../../sandbox/videos/tasks.ts";

/** A tick is 10⁻¹⁰ USD: $0.02 an image, $0.05 a second of 480p; the others are a guess. */
const TICKS_PER_IMAGE = 200_000_000;
const TICKS_PER_SECOND: Readonly<Record<string, number>> = {
  "480p": 500_000_000,
  "720p": 700_000_000,
  "1080p": 1_000_000_000,
};
/** Default duration, also assumed for an edited video, which the sandbox does not measure. */
const USUAL_SECONDS = 6;

/** The sandbox as xAI: Grok Imagine next to the common chat API (docs/providers/xai.md). */
export const sandbox: Protocol = {
  routes: [
    chatRoute("/v1"),
    { method: "POST", path: "/v1/stt", handle: transcribe },
    { method: "POST", path: "/v1/images/generations", handle: draw },
    { method: "POST", path: "/v1/images/edits", handle: draw },
    imageFiles,
    ...["generations", "edits", "extensions"].map((operation): Route => ({
      method: "POST",
      path: `/v1/videos/${operation}`,
      failureBody: getVideoFailureBody,
      handle: submit,
    })),
    { method: "GET", path: "/v1/videos/:id", failureBody: getVideoFailureBody, handle: show },
    filmFiles,
  ],
};

/** `POST /stt` (docs/providers/xai.md#transcription). Sandbox behaviour is requested among the expected words. */
async function transcribe(exchange: Exchange): Promise<void> {
  const form = await soundForm(exchange);
  readModel(exchange, form.text("model"), "transcription");
  if ((await prepare(exchange, form.list("keyterm").join(" "))) === null) return;
  const { text, words } = createSandboxTranscript(form.seconds, form.seed);
  const named = form.text("diarize") === "true";
  sendJson(exchange, {
    text,
    language: form.text("language") ?? "",
    duration: Math.round(form.seconds * 100) / 100,
    words: words.map(({ word, start, end, speaker }) => ({
      text: word,
      start,
      end,
      ...(named ? { speaker: speaker === "B" ? 1 : 0 } : {}),
    })),
  });
}

/** Created or edited pictures are JPEG files (docs/providers/xai.md#images). */
async function draw(exchange: Exchange): Promise<void> {
  const { model, prompt, n, aspect_ratio: ratio, resolution, response_format: format } = getBody(exchange);
  readModel(exchange, model, "image");
  if ((await prepare(exchange, String(prompt))) === null) return;
  const sides = sidesOfRatio(ratio === "auto" ? "1:1" : (getText(ratio) ?? "1:1"), resolution === "2k" ? 2_048 : 1_024);
  const data: object[] = [];
  for (const picture of planPictures(createSeed(exchange.body), { ...sides, format: "jpeg" }, getNumber(n) ?? 1)) {
    const image = shown(exchange, picture, format !== "b64_json");
    data.push({ ...image, revised_prompt: "", respect_moderation: true, mime_type: "image/jpeg" });
  }
  sendJson(exchange, { data, usage: { cost_in_usd_ticks: TICKS_PER_IMAGE * data.length } });
}

function submit(exchange: Exchange): void {
  const { model, prompt, duration, resolution, aspect_ratio: ratio, image, video } = getBody(exchange);
  checkAddresses([getRecord(image)["url"], getRecord(video)["url"]]);
  const order = {
    model: providersId(readModel(exchange, model, "video")),
    prompt: getText(prompt) ?? "",
    size: sizeByRatio(resolution ?? "480p", ratio),
    seconds: getNumber(duration) ?? USUAL_SECONDS,
  };
  const task = takeOrder(exchange, "", order, exchange.body);
  if (task !== null) sendJson(exchange, { request_id: task.id });
}

function show(exchange: Exchange): void {
  const task = readTask("", exchange.id);
  if (task === null) throw new Failure(404, `The request ${exchange.id.slice(0, 200)} was not found.`);
  const { state, progress } = getView(task, exchange);
  // While it waits, the response may be empty.
  if (state === "queued") return send(exchange, 202, {}, "");
  if (state === "running") {
    return send(exchange, 202, { "content-type": "application/json" }, JSON.stringify({ status: "pending", progress }));
  }
  if (state === "failed") {
    const error = { code: "internal_error", message: "The sandbox was asked to fail this request." };
    return sendJson(exchange, { status: "failed", error });
  }
  const { model, seconds, size } = task;
  sendJson(exchange, {
    status: "done",
    model,
    progress: 100,
    video: { url: getFilm(task, exchange), duration: seconds, respect_moderation: true },
    usage: { cost_in_usd_ticks: seconds * (TICKS_PER_SECOND[size.resolution] ?? 0) },
  });
}

/** xAI's first sentence by status (docs/providers/xai.md#errors has that of 400; the others are a guess). */
const SENTENCES: Readonly<Record<number, string>> = {
  400: "Client specified an invalid argument",
  403: "The caller does not have permission to execute the specified operation",
  404: "Some requested entity was not found",
  429: "Some resource has been exhausted",
  503: "The service is currently unavailable",
};

/** `{code,error}`: one of xAI's three envelopes. */
function getVideoFailureBody({ status, message }: Failure): string {
  return JSON.stringify({ code: SENTENCES[status] ?? "Internal error", error: message });
}

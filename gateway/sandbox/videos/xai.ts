import type { ModelSpec } from "../../core/models/model.ts";
import { isRecord } from "../../lib/records.ts";
import { type Exchange, type Route, sendJson } from "../exchange.ts";
import { Failure, type Fields, parsedJson, textOf } from "../fields.ts";
import { filmAddress, filmFiles } from "./files.ts";
import { asUuid, type Figures, idCode, uuidDigits } from "./id-code.ts";
import { sizeByRatio } from "./sizes.ts";
import {
  filmPlanOf,
  framesOf,
  hashOf,
  modelByHash,
  newTask,
  ownModels,
  sizeOf,
  submit,
  TASK_FIGURES,
  taskAt,
  providersId,
  videoModel,
} from "./task.ts";

const MODEL_BITS = 10;
const FIGURES = { ...TASK_FIGURES, seconds: 6, model: MODEL_BITS } as const;
type GrokFigures = Figures<keyof typeof FIGURES>;
const code = idCode("xai", 32, FIGURES);

const OPERATIONS: readonly GrokOperation[] = ["generations", "edits", "extensions"];

/** Grok Imagine video (docs/providers/xai.md#videos) below `base`. */
export function xaiVideoRoutes(base: string, models: () => readonly ModelSpec[]): Route[] {
  const own = { failureBody: xaiFailureBody };
  return [
    ...OPERATIONS.map((operation): Route => ({
      ...own,
      method: "POST",
      path: `${base}/videos/${operation}`,
      handle: (exchange) => create(exchange, models(), operation),
    })),
    {
      ...own,
      method: "GET",
      path: new RegExp(`^${base}/videos/[^/]+$`),
      handle: (exchange) => show(exchange, models(), exchange.path.slice(`${base}/videos/`.length)),
    },
    filmFiles,
  ];
}

function create(exchange: Exchange, models: readonly ModelSpec[], operation: GrokOperation): void {
  const body = parsedJson(exchange.body);
  if (!isRecord(body)) throw unreadable("expected an object");
  if (typeof body["model"] !== "string") throw unreadable("missing field `model`");
  const model = videoModel(ownModels(models, "xai"), body["model"]);
  if (model === undefined) {
    throw new Failure(404, `The model ${body["model"].slice(0, 200)} does not exist or you do not have access to it.`);
  }
  const order = grokOrder(body, operation, providersId(model));
  const behaviour = submit(exchange, order.prompt);
  if (behaviour === null) return;
  const figures: GrokFigures = {
    ...newTask(exchange, exchange.body, order.size, behaviour),
    seconds: order.seconds,
    model: hashOf(providersId(model), MODEL_BITS),
  };
  sendJson(exchange.response, 200, JSON.stringify({ request_id: asUuid(code.write(figures)) }));
}

function show(exchange: Exchange, models: readonly ModelSpec[], id: string): void {
  const { response, clock } = exchange;
  const figures = code.read(uuidDigits(id));
  if (figures === null) throw new Failure(404, `The request ${id.slice(0, 200)} was not found.`);
  const { state, progress } = taskAt(figures, clock.now());
  if (state === "queued") {
    // The response may be empty.
    response.writeHead(202, { "content-length": 0 }).end();
    return;
  }
  if (state === "running") return sendJson(response, 202, JSON.stringify({ status: "pending", progress }));
  if (state === "failed") {
    const error = { code: "internal_error", message: "The sandbox was asked to fail this request." };
    return sendJson(response, 200, JSON.stringify({ status: "failed", error }));
  }
  const { seconds } = figures;
  const url = filmAddress(exchange, filmPlanOf(figures, framesOf(seconds)), "mp4");
  const body = {
    status: "done",
    model: modelByHash(ownModels(models, "xai"), figures.model, MODEL_BITS),
    progress: 100,
    video: { url, duration: seconds, respect_moderation: true },
    usage: { cost_in_usd_ticks: seconds * ticksOf(figures) },
  };
  sendJson(response, 200, JSON.stringify(body));
}

/** $0.05 a second of 480p; the others are a guess. A tick is 10⁻¹⁰ USD. */
const TICKS: Readonly<Record<string, number>> = { "480p": 500_000_000, "720p": 700_000_000, "1080p": 1_000_000_000 };

function ticksOf(figures: GrokFigures): number {
  return TICKS[sizeOf(figures).resolution] ?? 0;
}

/** What xAI says first, by status (docs/providers/xai.md#errors has that of 400; the others are a guess). */
const SENTENCES: Readonly<Record<number, string>> = {
  400: "Client specified an invalid argument",
  403: "The caller does not have permission to execute the specified operation",
  404: "Some requested entity was not found",
  422: "Client specified an invalid argument",
  429: "Some resource has been exhausted",
  503: "The service is currently unavailable",
};

/** `{code,error}`: one of xAI's three envelopes. */
function xaiFailureBody({ status, message }: Failure): string {
  return JSON.stringify({ code: SENTENCES[status] ?? "Internal error", error: message });
}

/** The three things that xAI does with a prompt, by the end of their paths. */
type GrokOperation = "generations" | "edits" | "extensions";

/** A checked body (docs/providers/xai.md#videos). */
interface GrokOrder {
  readonly prompt: string;
  readonly seconds: number;
  /** Place in `FILM_SIZES`. */
  readonly size: number;
}

const RATIOS = ["16:9", "9:16", "1:1", "4:3", "3:4", "3:2", "2:3"];
const RESOLUTIONS = ["480p", "720p", "1080p"];
const MOST_SECONDS = 15;
/** Unless asked for otherwise, and of a film that is edited, which nobody here looks into: a guess. */
const USUAL_SECONDS = 6;
const MOST_IMAGES = 7;
const MOST_AUDIOS = 3;

/** @throws Failure 422 for what is no such body, 400 for values that xAI does not take. */
function grokOrder(body: Fields, operation: GrokOperation, model: string): GrokOrder {
  const prompt = textOf(body["prompt"]);
  if (prompt === undefined) throw unreadable("missing field `prompt`");
  if (operation === "generations") return generation(body, prompt, model);
  addressIn(body, "video");
  if (operation === "edits") {
    for (const name of ["duration", "aspect_ratio", "resolution"]) {
      if (body[name] != null) throw invalidArgument(`Argument not supported: ${name}`);
    }
  }
  return { prompt, seconds: secondsIn(body), size: sizeByRatio("480p", "16:9") };
}

function generation(body: Fields, prompt: string, model: string): GrokOrder {
  if (body["image"] != null) addressIn(body, "image");
  const images = listIn(body, "reference_images", MOST_IMAGES);
  listIn(body, "reference_audios", MOST_AUDIOS);
  const resolution = wordIn(body, "resolution", RESOLUTIONS) ?? "480p";
  if (resolution === "1080p" && (images > 0 || !model.includes("1.5"))) {
    throw invalidArgument("Resolution 1080p is not supported for this request.");
  }
  return {
    prompt,
    seconds: secondsIn(body),
    size: sizeByRatio(resolution, wordIn(body, "aspect_ratio", RATIOS) ?? "16:9"),
  };
}

function secondsIn(body: Fields): number {
  const seconds = body["duration"] ?? USUAL_SECONDS;
  if (typeof seconds !== "number" || !Number.isInteger(seconds)) {
    throw unreadable("duration: invalid type, expected an integer");
  }
  if (seconds >= 1 && seconds <= MOST_SECONDS) return seconds;
  throw invalidArgument(`duration must be between 1 and ${MOST_SECONDS}`);
}

function wordIn(body: Fields, name: string, words: readonly string[]): string | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  const found = words.find((word) => word === value);
  if (found === undefined) throw unreadable(`${name}: unknown variant, expected one of ${words.join(", ")}`);
  return found;
}

function addressIn(body: Fields, name: string): void {
  const place = body[name];
  const url = isRecord(place) ? textOf(place["url"]) : undefined;
  if (url === undefined) throw unreadable(`missing field \`${name}.url\``);
  if (!/^(https?:\/\/|data:\w+\/)/i.test(url)) throw invalidArgument(`${name}.url is not a valid URL`);
}

function listIn(body: Fields, name: string, most: number): number {
  const list = body[name] ?? [];
  if (!Array.isArray(list)) throw unreadable(`${name}: invalid type, expected a sequence`);
  if (list.length > most) throw invalidArgument(`${name} takes at most ${most}`);
  return list.length;
}

function invalidArgument(sentence: string): Failure {
  return new Failure(400, sentence);
}

/** "422 body" (docs/providers/xai.md#errors); the words are a guess. */
function unreadable(sentence: string): Failure {
  return new Failure(422, `Failed to deserialize the JSON body into the target type: ${sentence}`);
}

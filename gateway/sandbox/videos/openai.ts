import type { ModelSpec } from "../../core/models/model.ts";
import { type Exchange, type Route, sendJson } from "../exchange.ts";
import { Failure, invalidValue } from "../fields.ts";
import { sendFilm, sendPicture } from "./files.ts";
import { type Figures, idCode } from "./id-code.ts";
import { soraOrder } from "./openai-order.ts";
import {
  countIn,
  filmPlanOf,
  framesOf,
  hashOf,
  modelByHash,
  newTask,
  queryOf,
  sizeOf,
  submit,
  TASK_FIGURES,
  taskAt,
  SandboxTasks,
  providersId,
} from "./task.ts";

/** A form with a picture. */
const LARGEST_BODY_BYTES = 64 * 1024 * 1024;

interface Context {
  readonly base: string;
  readonly models: () => readonly ModelSpec[];
  /** Prompts. */
  readonly tasks: SandboxTasks<string>;
}

/**
 * Sora, and servers that follow it: `/videos` below `base` (docs/providers/openai.md#videos), without remixes and
 * characters.
 */
export function openaiVideoRoutes(base: string, models: () => readonly ModelSpec[]): Route[] {
  const context: Context = { base: `${base}/videos`, models, tasks: new SandboxTasks() };
  const one = new RegExp(`^${context.base}/[^/]+$`);
  return [
    {
      method: "POST",
      path: context.base,
      largestBody: LARGEST_BODY_BYTES,
      handle: (exchange) => create(exchange, context),
    },
    { method: "GET", path: context.base, handle: (exchange) => list(exchange, context) },
    { method: "GET", path: one, handle: (exchange) => show(exchange, context) },
    { method: "DELETE", path: one, handle: (exchange) => remove(exchange, context) },
    {
      method: "GET",
      path: new RegExp(`^${context.base}/[^/]+/content$`),
      handle: (exchange) => sendContent(exchange, context),
    },
  ];
}

function create(exchange: Exchange, context: Context): void {
  const order = soraOrder(exchange, context.models());
  const behaviour = submit(exchange, order.prompt);
  if (behaviour === null) return;
  const figures: SoraFigures = {
    ...newTask(exchange, order.matter, order.size, behaviour),
    seconds: order.seconds,
    model: hashOf(providersId(order.model), SORA_MODEL_BITS),
  };
  const id = soraId(figures);
  context.tasks.add(id, order.prompt);
  sendJson(exchange.response, 200, JSON.stringify(responseOf(exchange, context, id, figures)));
}

function show(exchange: Exchange, context: Context): void {
  const { id, figures } = taskOf(exchange, context);
  sendJson(exchange.response, 200, JSON.stringify(responseOf(exchange, context, id, figures)));
}

/** Takes the record of a task that is over away; that a running one is refused so is a guess. */
function remove(exchange: Exchange, context: Context): void {
  const { id, figures } = taskOf(exchange, context);
  const { state } = taskAt(figures, exchange.clock.now());
  if (state === "queued" || state === "running") {
    throw new Failure(400, `The video ${id} is still being made and cannot be deleted.`);
  }
  context.tasks.erase(id);
  sendJson(exchange.response, 200, JSON.stringify({ id, object: "video.deleted", deleted: true }));
}

function list(exchange: Exchange, context: Context): void {
  const query = queryOf(exchange.request.url);
  const newestFirst = context.tasks.ids();
  const ids = query.get("order") === "asc" ? newestFirst.toReversed() : newestFirst;
  const from = ids.indexOf(query.get("after") ?? "") + 1;
  const page = ids.slice(from, from + countIn(query, "limit", 20, 100));
  const data = page.flatMap((id) => {
    const figures = soraTask(id);
    return figures === null ? [] : [responseOf(exchange, context, id, figures)];
  });
  const response = {
    object: "list",
    data,
    first_id: page[0] ?? null,
    last_id: page.at(-1) ?? null,
    has_more: from + page.length < ids.length,
  };
  sendJson(exchange.response, 200, JSON.stringify(response));
}

async function sendContent(exchange: Exchange, context: Context): Promise<void> {
  const { figures } = taskOf(exchange, context, "/content");
  const now = exchange.clock.now();
  const until = fetchableUntil(figures, now);
  if (until === null) throw new Failure(404, "Video is not ready yet, use GET /v1/videos/{video_id} to check status.");
  if (now > until) throw new Failure(404, "The content of this video has expired.");
  const plan = filmPlanOf(figures, framesOf(figures.seconds));
  const variant = queryOf(exchange.request.url).get("variant") ?? "video";
  // Of both pictures the type is OpenAI's.
  if (variant === "thumbnail") return sendPicture(exchange, plan, "webp");
  if (variant === "spritesheet") return sendPicture(exchange, plan, "jpeg");
  if (variant !== "video") throw invalidValue("variant", "expected video, thumbnail or spritesheet.");
  await sendFilm(exchange, plan);
}

function responseOf(exchange: Exchange, { models, tasks }: Context, id: string, figures: SoraFigures): object {
  const model = modelByHash(models(), figures.model, SORA_MODEL_BITS);
  return soraResponse(id, figures, exchange.clock.now(), model, tasks.wordsOf(id) ?? null);
}

function taskOf({ path }: Exchange, { base, tasks }: Context, end = ""): { id: string; figures: SoraFigures } {
  const id = path.slice(base.length + 1, path.length - end.length);
  const figures = tasks.isErased(id) ? null : soraTask(id);
  if (figures !== null) return { id, figures };
  throw new Failure(404, `Video with id '${id.slice(0, 200)}' not found.`, { code: "not_found" });
}

/** Bits of a model's hash. */
const SORA_MODEL_BITS = 16;

const FIGURES = { ...TASK_FIGURES, seconds: 6, model: SORA_MODEL_BITS } as const;
type SoraFigures = Figures<keyof typeof FIGURES>;
const code = idCode("openai", 48, FIGURES);

const PREFIX = "video_";
/** How long a finished file can be fetched: a guess. */
const FILE_LIVES_MS = 86_400_000;

function soraId(figures: SoraFigures): string {
  return PREFIX + code.write(figures);
}

/** @returns null for ids that were never given. */
function soraTask(id: string): SoraFigures | null {
  return id.startsWith(PREFIX) ? code.read(id.slice(PREFIX.length)) : null;
}

const STATUSES = { queued: "queued", running: "in_progress", succeeded: "completed", failed: "failed" } as const;

/** Until when a task's file can be fetched (Unix ms); null when there is none. */
function fetchableUntil(figures: SoraFigures, now: number): number | null {
  const { state, ended } = taskAt(figures, now);
  return state === "succeeded" ? ended + FILE_LIVES_MS : null;
}

/**
 * A task as OpenAI shows it (docs/providers/openai.md#videos).
 * @param prompt null after a restart: no id has room for it.
 */
function soraResponse(id: string, figures: SoraFigures, now: number, model: string, prompt: string | null): object {
  const { state, progress, created, ended } = taskAt(figures, now);
  const { width, height } = sizeOf(figures);
  const until = fetchableUntil(figures, now);
  return {
    id,
    object: "video",
    model,
    status: STATUSES[state],
    progress: state === "failed" ? 0 : progress,
    created_at: secondsOf(created),
    completed_at: state === "succeeded" ? secondsOf(ended) : null,
    expires_at: until === null ? null : secondsOf(until),
    prompt,
    size: `${width}x${height}`,
    seconds: String(figures.seconds),
    remixed_from_video_id: null,
    error: state === "failed" ? { code: "internal_error", message: "The sandbox was asked to fail this video." } : null,
  };
}

function secondsOf(ms: number): number {
  return Math.floor(ms / 1_000);
}

import type { ModelSpec } from "../../core/models/model.ts";
import { isRecord } from "../../lib/records.ts";
import { arkFailureBody, arkMissing, invalidParameter } from "../ark-failure.ts";
import { type Exchange, type Route, sendJson } from "../exchange.ts";
import { Failure, parsedJson } from "../fields.ts";
import { seedancePrompt, seedanceSettings } from "./ark-order.ts";
import { filmAddress, filmFiles } from "./files.ts";
import { type FilmPlan, RATE } from "./sizes.ts";
import { asLetters, type Figures, idCode, letterDigits } from "./id-code.ts";
import {
  beijingDigits,
  countIn,
  filmPlanOf,
  hashOf,
  modelByHash,
  newTask,
  ownModels,
  pageOf,
  queryOf,
  sizeOf,
  submit,
  TASK_FIGURES,
  taskAt,
  SandboxTasks,
  providersId,
  videoModel,
} from "./task.ts";

/** Where tasks are submitted and what is known of them. */
interface Context {
  readonly base: string;
  readonly models: () => readonly ModelSpec[];
  readonly tasks: SandboxTasks<SeedanceFigures>;
}

/** Seedance (docs/providers/ark.md#videos) below `base`. */
export function arkVideoRoutes(base: string, models: () => readonly ModelSpec[]): Route[] {
  const context: Context = { base: `${base}/contents/generations/tasks`, models, tasks: new SandboxTasks() };
  const one = new RegExp(`^${context.base}/[^/]+$`);
  const own = { failureBody: arkFailureBody };
  return [
    { ...own, method: "POST", path: context.base, handle: (exchange) => create(exchange, context) },
    { ...own, method: "GET", path: context.base, handle: (exchange) => list(exchange, context) },
    { ...own, method: "GET", path: one, handle: (exchange) => show(exchange, context) },
    { ...own, method: "DELETE", path: one, handle: (exchange) => remove(exchange, context) },
    filmFiles,
  ];
}

function create(exchange: Exchange, { models, tasks }: Context): void {
  const body = parsedJson(exchange.body);
  if (!isRecord(body)) throw invalidParameter("body", "expected an object.");
  if (typeof body["model"] !== "string" || body["model"] === "") throw arkMissing("model");
  const model = videoModel(ownModels(models(), "ark"), body["model"]);
  if (model === undefined) throw noModel(body["model"]);
  const prompt = seedancePrompt(body["content"]);
  const settings = seedanceSettings(body, providersId(model), prompt);
  const behaviour = submit(exchange, prompt);
  if (behaviour === null) return;
  const task = newTask(exchange, exchange.body, settings.size, behaviour);
  const figures: SeedanceFigures = {
    ...task,
    frames: settings.frames,
    model: hashOf(providersId(model), ARK_MODEL_BITS),
    seed: settings.seed ?? task.picture,
    byFrames: Number(settings.byFrames),
    lastFrame: Number(settings.lastFrame),
    audio: Number(settings.audio),
    draft: Number(settings.draft),
    flex: Number(settings.flex),
  };
  const id = seedanceId(figures);
  tasks.add(id, figures);
  sendJson(exchange.response, 200, JSON.stringify({ id }));
}

function show(exchange: Exchange, context: Context): void {
  const { id, figures } = taskOf(exchange, context);
  sendJson(exchange.response, 200, JSON.stringify(responseOf(exchange, context, id, figures)));
}

/**
 * Takes a queued task back, takes the record of an old one away, refuses for a running one
 * (docs/providers/ark.md#video-tasks).
 */
function remove(exchange: Exchange, context: Context): void {
  const { id, figures } = taskOf(exchange, context);
  const now = exchange.clock.now();
  const status = seedanceStatus(figures, { now, withdrawnAt: context.tasks.withdrawnAt(id) });
  // Code and status are a guess.
  if (status === "running") {
    throw new Failure(403, `The task ${id} is running and cannot be deleted.`, {
      code: "OperationDenied.InvalidState",
    });
  }
  if (status === "queued") context.tasks.withdraw(id, now);
  else context.tasks.erase(id);
  sendJson(exchange.response, 200, "{}");
}

function list(exchange: Exchange, context: Context): void {
  const query = queryOf(exchange.request.url);
  const now = exchange.clock.now();
  const items = context.tasks.ids().flatMap((id) => {
    const figures = seedanceTask(id, now);
    return figures === null ? [] : [responseOf(exchange, context, id, figures)];
  });
  const fitting = items.filter((item) => isAsked(item, query));
  const page = pageOf(fitting, countIn(query, "page_num", 1, 1_000_000), countIn(query, "page_size", 10, 500));
  sendJson(exchange.response, 200, JSON.stringify({ items: page, total: fitting.length }));
}

function isAsked(item: object, query: URLSearchParams): boolean {
  const { id, ...task } = item as Readonly<Record<string, unknown>>;
  const ids = query.getAll("filter.task_ids");
  return (
    (ids.length === 0 || ids.some((asked) => asked === id)) &&
    ["status", "model", "service_tier"].every((name) => {
      const asked = query.get(`filter.${name}`);
      return asked === null || asked === task[name];
    })
  );
}

function responseOf(exchange: Exchange, { tasks, models }: Context, id: string, figures: SeedanceFigures): object {
  return seedanceResponse(id, figures, {
    now: exchange.clock.now(),
    withdrawnAt: tasks.withdrawnAt(id),
    model: modelByHash(ownModels(models(), "ark"), figures.model, ARK_MODEL_BITS),
    addressOf: (plan, type) => filmAddress(exchange, plan, type),
  });
}

function taskOf(exchange: Exchange, { base, tasks }: Context): { id: string; figures: SeedanceFigures } {
  const id = exchange.path.slice(base.length + 1);
  const figures = tasks.isErased(id) ? null : seedanceTask(id, exchange.clock.now());
  if (figures !== null) return { id, figures };
  throw new Failure(404, `The specified task ${id.slice(0, 200)} is not found.`, { code: "NotFound.id", param: "id" });
}

function noModel(id: string): Failure {
  const name = id.slice(0, 200);
  return new Failure(404, `The model or endpoint ${name} does not exist or you do not have access to it.`, {
    code: "InvalidEndpointOrModel.NotFound",
    param: "model",
  });
}

/** Pixels on a side of a macroblock. */
const BLOCK = 16;
/** Bits of a model's hash. */
const ARK_MODEL_BITS = 16;

const FIGURES = {
  ...TASK_FIGURES,
  frames: 11,
  model: ARK_MODEL_BITS,
  seed: 32,
  byFrames: 1,
  lastFrame: 1,
  audio: 1,
  draft: 1,
  flex: 1,
} as const;
type SeedanceFigures = Figures<keyof typeof FIGURES>;
const DIGITS = 46;
const code = idCode("ark", DIGITS, FIGURES);

/** That a record lives seven days is a guess (docs/providers/ark.md#video-tasks). */
const MEMORY_MS = 7 * 86_400_000;

/** `cgt-YYYYMMDDHHMMSS-` and more characters than the provider's five: nothing else is kept of a task. */
function seedanceId(figures: SeedanceFigures): string {
  return `cgt-${beijingDigits(taskAt(figures, 0).created)}-${asLetters(code.write(figures))}`;
}

/** @returns null for ids that were never given, and for what is too old. */
function seedanceTask(id: string, now: number): SeedanceFigures | null {
  const figures = code.read(letterDigits(id.slice("cgt-YYYYMMDDHHMMSS-".length), DIGITS));
  if (figures === null || seedanceId(figures) !== id) return null;
  return now - taskAt(figures, now).created > MEMORY_MS ? null : figures;
}

/** What of a task's response no id holds. */
interface Surroundings {
  readonly now: number;
  /** When it was taken back; null when it was not. */
  readonly withdrawnAt: number | null;
  /** The provider's id of the model. */
  readonly model: string;
  readonly addressOf: (plan: FilmPlan, type: "mp4" | "png") => string;
}

/** The words of `GET …/tasks/{id}`. */
function seedanceStatus(
  figures: SeedanceFigures,
  { now, withdrawnAt }: Pick<Surroundings, "now" | "withdrawnAt">,
): string {
  return withdrawnAt === null ? taskAt(figures, now).state : "cancelled";
}

/**
 * `GET …/tasks/{id}` (docs/providers/ark.md#video-tasks). That settings are told before the film is there is a guess.
 */
function seedanceResponse(id: string, figures: SeedanceFigures, surroundings: Surroundings): object {
  const { now, withdrawnAt, model, addressOf } = surroundings;
  const status = seedanceStatus(figures, surroundings);
  const { created, changed } = taskAt(figures, now);
  const head = { id, model, status };
  const times = { created_at: secondsOf(created), updated_at: secondsOf(withdrawnAt ?? changed) };
  if (status === "failed") {
    const message = `The sandbox was asked to fail this task. Request id: ${id.slice(-32)}`;
    return { ...head, error: { code: "InternalServiceError", message }, ...times };
  }
  if (status !== "succeeded") return { ...head, error: null, ...times, ...settingsOf(figures) };
  const plan = filmPlanOf(figures, figures.frames);
  const last = figures.lastFrame === 1 ? { last_frame_url: addressOf(plan, "png") } : {};
  const tokens = tokensOf(figures);
  return {
    ...head,
    error: null,
    content: { video_url: addressOf(plan, "mp4"), ...last },
    usage: { completion_tokens: tokens, total_tokens: tokens },
    ...times,
    ...settingsOf(figures),
  };
}

function settingsOf(figures: SeedanceFigures): object {
  const { seed, frames, byFrames, audio, draft, flex } = figures;
  const { resolution, ratio } = sizeOf(figures);
  return {
    seed,
    resolution,
    ratio,
    ...(byFrames === 1 ? { frames } : { duration: frames / RATE }),
    framespersecond: RATE,
    service_tier: flex === 1 ? "flex" : "default",
    execution_expires_after: 172_800,
    generate_audio: audio === 1,
    draft: draft === 1,
    priority: 0,
  };
}

/**
 * By pixels of whole macroblocks and pictures: the reference's 108,900 for five seconds of 720p and 246,840 of 1080p
 * come out of 121 pictures. The provider's films have one more than their seconds; these do not, but count it.
 */
function tokensOf(figures: SeedanceFigures): number {
  const { width, height } = sizeOf(figures);
  const whole = (pixels: number): number => Math.ceil(pixels / BLOCK) * BLOCK;
  const pictures = figures.frames + (figures.byFrames === 1 ? 0 : 1);
  return Math.round((whole(width) * whole(height) * pictures) / 1_024);
}

function secondsOf(ms: number): number {
  return Math.floor(ms / 1_000);
}

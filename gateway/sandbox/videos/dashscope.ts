import type { ModelSpec } from "../../core/models/model.ts";
import { isRecord } from "../../lib/records.ts";
import { type Exchange, type Route, sendJson } from "../exchange.ts";
import { Failure, parsedJson } from "../fields.ts";
import { nativeFailureBody, requestIdOf } from "../multimodal.ts";
import { refused, requiredText, wanInput, wanParameters, wanRules, type WanRules } from "./dashscope-order.ts";
import { filmAddress, filmFiles } from "./files.ts";
import type { FilmPlan } from "./sizes.ts";
import { asUuid, type Figures, idCode, uuidDigits } from "./id-code.ts";
import {
  beijingDigits,
  beijingTime,
  countIn,
  filmPlanOf,
  framesOf,
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

const TASKS = "/api/v1/tasks";

/** Wan and HappyHorse by DashScope's task protocol (docs/providers/dashscope.md#videos). */
export function dashscopeVideoRoutes(models: () => readonly ModelSpec[]): Route[] {
  const tasks = new SandboxTasks<WanWords>();
  const native = { failureBody: nativeFailureBody };
  return [
    {
      ...native,
      method: "POST",
      path: "/api/v1/services/aigc/video-generation/video-synthesis",
      handle: (exchange) => create(exchange, models(), tasks),
    },
    { ...native, method: "GET", path: /^\/api\/v1\/tasks\/?$/, handle: (exchange) => list(exchange, tasks) },
    { ...native, method: "GET", path: /^\/api\/v1\/tasks\/[^/]+$/, handle: (exchange) => show(exchange, tasks) },
    {
      ...native,
      method: "POST",
      path: /^\/api\/v1\/tasks\/[^/]+\/cancel$/,
      handle: (exchange) => cancel(exchange, tasks),
    },
    filmFiles,
  ];
}

function create(exchange: Exchange, models: readonly ModelSpec[], tasks: SandboxTasks<WanWords>): void {
  if (exchange.request.headers["x-dashscope-async"]?.toString().toLowerCase() !== "enable") {
    throw new Failure(403, "current user api does not support synchronous calls", { code: "AccessDenied" });
  }
  const body = parsedJson(exchange.body);
  if (!isRecord(body)) throw refused("Input should be a valid dictionary", "body");
  const model = videoModel(ownModels(models, "dashscope"), requiredText(body, "model", "model"));
  if (model === undefined) throw new Failure(404, "Model not exist.", { code: "ModelNotFound" });
  if (!isRecord(body["input"])) throw refused("Field required", "input");
  const rules = wanRules(providersId(model));
  const input = wanInput(body["input"], rules);
  const parameters = wanParameters(isRecord(body["parameters"]) ? body["parameters"] : {}, rules, input);
  const behaviour = submit(exchange, input.prompt);
  if (behaviour === null) return;
  const id = wanId({
    ...newTask(exchange, exchange.body, parameters.size, behaviour),
    seconds: parameters.seconds,
    form: formOf(rules, parameters.byPixels),
    withVideo: input.withVideo ? 1 : 0,
  });
  tasks.add(id, { model: providersId(model), prompt: input.prompt });
  const response = { output: { task_status: "PENDING", task_id: id }, request_id: requestIdOf(id) };
  sendJson(exchange.response, 200, JSON.stringify(response));
}

function formOf({ media, version }: WanRules, byPixels: boolean): number {
  if (media) return USAGE_FORMS.ratio;
  if (version >= 2.6) return byPixels ? USAGE_FORMS.plainPixels : USAGE_FORMS.plain;
  return byPixels ? USAGE_FORMS.oldPixels : USAGE_FORMS.old;
}

function show(exchange: Exchange, tasks: SandboxTasks<WanWords>): void {
  const id = exchange.path.slice(TASKS.length + 1);
  const now = exchange.clock.now();
  const response = wanResponse(id, wanTask(id, now), {
    now,
    withdrawnAt: tasks.withdrawnAt(id),
    prompt: tasks.wordsOf(id)?.prompt,
    addressOf: (plan) => filmAddress(exchange, plan, "mp4"),
  });
  sendJson(exchange.response, 200, JSON.stringify(response));
}

function cancel(exchange: Exchange, tasks: SandboxTasks<WanWords>): void {
  const id = exchange.path.slice(TASKS.length + 1, -"/cancel".length);
  const now = exchange.clock.now();
  const figures = wanTask(id, now);
  // That a task which is not known is refused in the same words is a guess.
  if (figures === null || wanStatus(figures, { now, withdrawnAt: tasks.withdrawnAt(id) }) !== "PENDING") {
    throw new Failure(400, "Failed to cancel the task, please confirm if the task is in PENDING status.", {
      code: "UnsupportedOperation",
    });
  }
  tasks.withdraw(id, now);
  sendJson(exchange.response, 200, JSON.stringify({ request_id: requestIdOf(`${id} cancel`) }));
}

function list(exchange: Exchange, tasks: SandboxTasks<WanWords>): void {
  const response = wanList(queryOf(exchange.request.url), tasks, exchange.clock.now());
  sendJson(exchange.response, 200, JSON.stringify(response));
}

/** What a response's `usage` looks like, by the age of the model (docs/providers/dashscope.md#wan-25-and-26). */
const USAGE_FORMS = { ratio: 0, plain: 1, plainPixels: 2, old: 3, oldPixels: 4 } as const;

const FIGURES = {
  ...TASK_FIGURES,
  seconds: 6,
  /** One of `USAGE_FORMS`. */
  form: 3,
  /** Whether a film went in. */
  withVideo: 1,
} as const;
type WanFigures = Figures<keyof typeof FIGURES>;
const code = idCode("dashscope", 32, FIGURES);

const DAY_MS = 86_400_000;
/** Seconds of a film that went in: a guess of them, since nobody here looks into it. */
const SECONDS_IN = 5;

function wanId(figures: WanFigures): string {
  return asUuid(code.write(figures));
}

/** @returns null for ids that were never given, and after the day for which the provider knows them. */
function wanTask(id: string, now: number): WanFigures | null {
  const figures = code.read(uuidDigits(id));
  return figures === null || now - taskAt(figures, now).created > DAY_MS ? null : figures;
}

/** What of a task's response no id holds. */
interface Surroundings {
  readonly now: number;
  /** When it was taken back; null when it was not. */
  readonly withdrawnAt: number | null;
  /** Not known after a restart. */
  readonly prompt: string | undefined;
  readonly addressOf: (plan: FilmPlan) => string;
}

/** The words of `GET /api/v1/tasks/{id}`, and of its list. */
function wanStatus(figures: WanFigures, { now, withdrawnAt }: Pick<Surroundings, "now" | "withdrawnAt">): string {
  if (withdrawnAt !== null) return "CANCELED";
  return { queued: "PENDING", running: "RUNNING", succeeded: "SUCCEEDED", failed: "FAILED" }[
    taskAt(figures, now).state
  ];
}

/** `GET /api/v1/tasks/{id}` (docs/providers/dashscope.md#tasks). */
function wanResponse(id: string, figures: WanFigures | null, surroundings: Surroundings): object {
  if (figures === null) {
    return { request_id: requestIdOf(id), output: { task_id: id, task_status: "UNKNOWN" } };
  }
  const { now, withdrawnAt, prompt, addressOf } = surroundings;
  const task_status = wanStatus(figures, surroundings);
  const { created, began, ended } = taskAt(figures, now);
  const request_id = requestIdOf(`${id} ${task_status}`);
  const head = { task_id: id, task_status, submit_time: beijingTime(created) };
  if (task_status === "PENDING") return { request_id, output: head };
  if (withdrawnAt !== null) return { request_id, output: { ...head, end_time: beijingTime(withdrawnAt) } };
  const scheduled = { ...head, scheduled_time: beijingTime(began) };
  if (task_status === "RUNNING") return { request_id, output: scheduled };
  const output = { ...scheduled, end_time: beijingTime(ended) };
  if (task_status === "FAILED") {
    const message = "The sandbox was asked to fail this task.";
    return { request_id, output: { ...output, code: "InternalError.Algo", message } };
  }
  const video_url = addressOf(filmPlanOf(figures, framesOf(figures.seconds)));
  const words = prompt === undefined ? {} : { orig_prompt: prompt };
  return { request_id, output: { ...output, ...words, video_url }, usage: usageOf(figures) };
}

function usageOf(figures: WanFigures): object {
  const { seconds, withVideo, form } = figures;
  const { width, height, resolution, ratio } = sizeOf(figures);
  const SR = Number.parseInt(resolution, 10);
  const size = `${width}*${height}`;
  if (form === USAGE_FORMS.old) return { duration: seconds, SR, video_count: 1 };
  if (form === USAGE_FORMS.oldPixels) return { duration: seconds, SR, video_count: 1, size };
  const secondsIn = withVideo === 1 ? SECONDS_IN : 0;
  const usage = {
    duration: secondsIn + seconds,
    input_video_duration: secondsIn,
    output_video_duration: seconds,
    video_count: 1,
    SR,
  };
  if (form === USAGE_FORMS.plainPixels) return { ...usage, size };
  return form === USAGE_FORMS.ratio ? { ...usage, ratio } : usage;
}

/** What no id has room for. */
interface WanWords {
  readonly model: string;
  readonly prompt: string;
}

/**
 * `GET /api/v1/tasks/` (docs/providers/dashscope.md#tasks): what was submitted since the sandbox started, newest first.
 */
function wanList(query: URLSearchParams, tasks: SandboxTasks<WanWords>, now: number): object {
  const size = countIn(query, "page_size", 10, 100);
  const page = countIn(query, "page_no", 1, 1_000_000);
  const rows = tasks.ids().flatMap((id) => rowOf(id, tasks, now));
  const fitting = rows.filter((row) => isAsked(row, query));
  return {
    total: fitting.length,
    data: pageOf(fitting, page, size),
    total_page: Math.ceil(fitting.length / size),
    page_no: page,
    page_size: size,
    request_id: requestIdOf(`list ${query.toString()}`),
  };
}

/** Times are Unix milliseconds: a guess. */
interface Row {
  readonly status: string;
  readonly model_name: string;
  readonly gmt_create: number;
  readonly [name: string]: unknown;
}

function rowOf(id: string, tasks: SandboxTasks<WanWords>, now: number): readonly Row[] {
  const figures = wanTask(id, now);
  if (figures === null) return [];
  const withdrawnAt = tasks.withdrawnAt(id);
  const { state, created, began, ended } = taskAt(figures, now);
  const over = state === "succeeded" || state === "failed";
  return [
    {
      api_key_id: "sandbox",
      caller_parent_id: "sandbox",
      caller_uid: "sandbox",
      gmt_create: created,
      ...(state !== "queued" && withdrawnAt === null && { start_time: began }),
      ...((over || withdrawnAt !== null) && { end_time: withdrawnAt ?? ended }),
      region: "sandbox",
      request_id: requestIdOf(id),
      status: wanStatus(figures, { now, withdrawnAt }),
      task_id: id,
      user_api_unique_key: "sandbox",
      model_name: tasks.wordsOf(id)?.model ?? "",
    },
  ];
}

function isAsked(row: Row, query: URLSearchParams): boolean {
  const at = beijingDigits(row.gmt_create);
  const [status, model] = [query.get("status"), query.get("model_name")];
  return (
    (status === null || status === row.status) &&
    (model === null || model === row.model_name) &&
    at >= (query.get("start_time") ?? "") &&
    at <= (query.get("end_time") ?? "9")
  );
}

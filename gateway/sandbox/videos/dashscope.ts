import type { ModelSpec } from "../../core/models/model.ts";
import { isRecord } from "../../lib/records.ts";
import { parsedJson } from "../body.ts";
import { sendJson, type Exchange, type Route } from "../exchange.ts";
import { Failure } from "../failure.ts";
import { nativeFailureBody, requestIdOf } from "../multimodal.ts";
import { TaskBook, queryOf } from "./book.ts";
import { wanInput } from "./dashscope-input.ts";
import { wanList } from "./dashscope-list.ts";
import type { WanWords } from "./dashscope-list.ts";
import { wanRules, type WanRules } from "./dashscope-models.ts";
import { wanParameters } from "./dashscope-parameters.ts";
import { refused, requiredText } from "./dashscope-refusals.ts";
import { USAGE_FORMS, wanAnswer, wanId, wanStatus, wanTask } from "./dashscope-tasks.ts";
import { filmAddress, filmFiles } from "./files.ts";
import { newTask, ownModels, submit, providersId, videoModel } from "./order.ts";

const TASKS = "/api/v1/tasks";

/** Wan and HappyHorse by DashScope's task protocol (docs/providers/dashscope.md#videos). */
export function dashscopeVideoRoutes(models: () => readonly ModelSpec[]): Route[] {
  const book = new TaskBook<WanWords>();
  const native = { failureBody: nativeFailureBody };
  return [
    {
      ...native,
      method: "POST",
      path: "/api/v1/services/aigc/video-generation/video-synthesis",
      handle: (exchange) => create(exchange, models(), book),
    },
    { ...native, method: "GET", path: /^\/api\/v1\/tasks\/?$/, handle: (exchange) => list(exchange, book) },
    { ...native, method: "GET", path: /^\/api\/v1\/tasks\/[^/]+$/, handle: (exchange) => show(exchange, book) },
    {
      ...native,
      method: "POST",
      path: /^\/api\/v1\/tasks\/[^/]+\/cancel$/,
      handle: (exchange) => cancel(exchange, book),
    },
    filmFiles,
  ];
}

function create(exchange: Exchange, models: readonly ModelSpec[], book: TaskBook<WanWords>): void {
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
  book.add(id, { model: providersId(model), prompt: input.prompt });
  const answer = { output: { task_status: "PENDING", task_id: id }, request_id: requestIdOf(id) };
  sendJson(exchange.response, 200, JSON.stringify(answer));
}

function formOf({ media, version }: WanRules, byPixels: boolean): number {
  if (media) return USAGE_FORMS.ratio;
  if (version >= 2.6) return byPixels ? USAGE_FORMS.plainPixels : USAGE_FORMS.plain;
  return byPixels ? USAGE_FORMS.oldPixels : USAGE_FORMS.old;
}

function show(exchange: Exchange, book: TaskBook<WanWords>): void {
  const id = exchange.path.slice(TASKS.length + 1);
  const now = exchange.clock.now();
  const answer = wanAnswer(id, wanTask(id, now), {
    now,
    withdrawnAt: book.withdrawnAt(id),
    prompt: book.wordsOf(id)?.prompt,
    addressOf: (plan) => filmAddress(exchange, plan, "mp4"),
  });
  sendJson(exchange.response, 200, JSON.stringify(answer));
}

function cancel(exchange: Exchange, book: TaskBook<WanWords>): void {
  const id = exchange.path.slice(TASKS.length + 1, -"/cancel".length);
  const now = exchange.clock.now();
  const figures = wanTask(id, now);
  // That a task which is not known is refused in the same words is a guess.
  if (figures === null || wanStatus(figures, { now, withdrawnAt: book.withdrawnAt(id) }) !== "PENDING") {
    throw new Failure(400, "Failed to cancel the task, please confirm if the task is in PENDING status.", {
      code: "UnsupportedOperation",
    });
  }
  book.withdraw(id, now);
  sendJson(exchange.response, 200, JSON.stringify({ request_id: requestIdOf(`${id} cancel`) }));
}

function list(exchange: Exchange, book: TaskBook<WanWords>): void {
  const answer = wanList(queryOf(exchange.request.url), book, exchange.clock.now());
  sendJson(exchange.response, 200, JSON.stringify(answer));
}

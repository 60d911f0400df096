import type { ModelSpec } from "../../core/models/model.ts";
import { isRecord } from "../../lib/records.ts";
import { arkFailureBody, arkMissing, invalidParameter } from "../ark-failure.ts";
import { parsedJson } from "../body.ts";
import { sendJson, type Exchange, type Route } from "../exchange.ts";
import { Failure } from "../failure.ts";
import { seedancePrompt } from "./ark-input.ts";
import { seedanceSettings } from "./ark-settings.ts";
import { ARK_MODEL_BITS, seedanceAnswer, seedanceId, seedanceStatus, seedanceTask } from "./ark-tasks.ts";
import type { SeedanceFigures } from "./ark-tasks.ts";
import { TaskBook, countIn, pageOf, queryOf } from "./book.ts";
import { filmAddress, filmFiles } from "./files.ts";
import { hashOf, modelByHash, newTask, ownModels, submit, providersId, videoModel } from "./order.ts";

/** Where tasks are submitted and what is known of them. */
interface Desk {
  readonly base: string;
  readonly models: () => readonly ModelSpec[];
  readonly book: TaskBook<SeedanceFigures>;
}

/** Seedance (docs/providers/ark.md#videos) below `base`. */
export function arkVideoRoutes(base: string, models: () => readonly ModelSpec[]): Route[] {
  const desk: Desk = { base: `${base}/contents/generations/tasks`, models, book: new TaskBook() };
  const one = new RegExp(`^${desk.base}/[^/]+$`);
  const own = { failureBody: arkFailureBody };
  return [
    { ...own, method: "POST", path: desk.base, handle: (exchange) => create(exchange, desk) },
    { ...own, method: "GET", path: desk.base, handle: (exchange) => list(exchange, desk) },
    { ...own, method: "GET", path: one, handle: (exchange) => show(exchange, desk) },
    { ...own, method: "DELETE", path: one, handle: (exchange) => remove(exchange, desk) },
    filmFiles,
  ];
}

function create(exchange: Exchange, { models, book }: Desk): void {
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
  book.add(id, figures);
  sendJson(exchange.response, 200, JSON.stringify({ id }));
}

function show(exchange: Exchange, desk: Desk): void {
  const { id, figures } = taskOf(exchange, desk);
  sendJson(exchange.response, 200, JSON.stringify(answerOf(exchange, desk, id, figures)));
}

/**
 * Takes a queued task back, takes the record of an old one away, refuses for a running one
 * (docs/providers/ark.md#video-tasks).
 */
function remove(exchange: Exchange, desk: Desk): void {
  const { id, figures } = taskOf(exchange, desk);
  const now = exchange.clock.now();
  const status = seedanceStatus(figures, { now, withdrawnAt: desk.book.withdrawnAt(id) });
  // Code and status are a guess.
  if (status === "running") {
    throw new Failure(403, `The task ${id} is running and cannot be deleted.`, {
      code: "OperationDenied.InvalidState",
    });
  }
  if (status === "queued") desk.book.withdraw(id, now);
  else desk.book.erase(id);
  sendJson(exchange.response, 200, "{}");
}

function list(exchange: Exchange, desk: Desk): void {
  const query = queryOf(exchange.request.url);
  const now = exchange.clock.now();
  const items = desk.book.ids().flatMap((id) => {
    const figures = seedanceTask(id, now);
    return figures === null ? [] : [answerOf(exchange, desk, id, figures)];
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

function answerOf(exchange: Exchange, { book, models }: Desk, id: string, figures: SeedanceFigures): object {
  return seedanceAnswer(id, figures, {
    now: exchange.clock.now(),
    withdrawnAt: book.withdrawnAt(id),
    model: modelByHash(ownModels(models(), "ark"), figures.model, ARK_MODEL_BITS),
    addressOf: (plan, type) => filmAddress(exchange, plan, type),
  });
}

function taskOf(exchange: Exchange, { base, book }: Desk): { id: string; figures: SeedanceFigures } {
  const id = exchange.path.slice(base.length + 1);
  const figures = book.isErased(id) ? null : seedanceTask(id, exchange.clock.now());
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

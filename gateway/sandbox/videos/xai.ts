import type { ModelSpec } from "../../core/models/model.ts";
import { isRecord } from "../../lib/records.ts";
import { parsedJson } from "../body.ts";
import { sendJson, type Exchange, type Route } from "../exchange.ts";
import { Failure } from "../failure.ts";
import { filmAddress, filmFiles } from "./files.ts";
import { asUuid, idCode, uuidDigits, type Figures } from "./id-code.ts";
import { hashOf, modelByHash, newTask, ownModels, submit, providersId, videoModel } from "./order.ts";
import { TASK_FIGURES, filmPlanOf, framesOf, sizeOf, taskAt } from "./task.ts";
import { grokOrder, unreadable, type GrokOperation } from "./xai-order.ts";

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
    // The answer may be empty.
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
  const answer = {
    status: "done",
    model: modelByHash(ownModels(models, "xai"), figures.model, MODEL_BITS),
    progress: 100,
    video: { url, duration: seconds, respect_moderation: true },
    usage: { cost_in_usd_ticks: seconds * ticksOf(figures) },
  };
  sendJson(response, 200, JSON.stringify(answer));
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

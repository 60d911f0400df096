import type { ModelSpec } from "../../core/model.ts";
import { directivesOf, type Directives } from "../directives.ts";
import { cutConnection, sendFrames, sendJson, wait, type Exchange, type Route } from "../exchange.ts";
import { Failure, requestedFailure } from "../failure.ts";
import { findModel } from "../models.ts";
import { parsedJson } from "../body.ts";
import { seedOf } from "../seed.ts";
import { chunkCount, chunksOf } from "./chunks.ts";
import { completionOf } from "./completion.ts";
import { planOf, type ChatPlan } from "./plan.ts";
import { chatRequestOf, type ChatRequest } from "./request.ts";

/** Frames that leave before `sandbox:cut` breaks a stream: the role and the first words. */
const FRAMES_BEFORE_CUT = 3;
const SLOW_COUNT_GAP_MS = 50;

/** `POST …/chat/completions` below `base`, OpenAI's protocol. */
export function chatRoutes(base: string, models: () => readonly ModelSpec[]): Route[] {
  return [
    {
      method: "POST",
      path: `${base}/chat/completions`,
      handle: (exchange) => answerChat(exchange, chatModel(models)),
    },
  ];
}

function chatModel(models: () => readonly ModelSpec[]): (id: string) => ModelSpec {
  return (id) => {
    const model = findModel(models(), id);
    if (model.capabilities.includes("chat")) return model;
    throw new Failure(404, "This is not a chat model and thus not supported in the v1/chat/completions endpoint.", {
      param: "model",
    });
  };
}

async function answerChat(exchange: Exchange, model: (id: string) => ModelSpec): Promise<void> {
  const request = chatRequestOf(parsedJson(exchange.body), model);
  const prompt = request.messages.findLast((message) => message.role === "user")?.text ?? "";
  const directives = directivesOf(prompt);
  const { errorStatus, cut } = directives;
  if (errorStatus !== null) {
    await wait(exchange, directives.slowMs ?? 0);
    throw requestedFailure(errorStatus);
  }
  if (cut && !request.stream) {
    await wait(exchange, directives.slowMs ?? 0);
    return cutConnection(exchange);
  }
  const seed = seedOf(exchange.body);
  const headers = { "x-request-id": `req_${seed.digits("request", 32)}`, "openai-version": "2020-10-01" };
  const plan = planOf(request, directives, seed);
  const gapMs = gapOf(plan, request, directives);
  if (!request.stream) {
    await wait(exchange, directives.slowMs ?? gapMs * plan.usage.completion_tokens);
    return sendJson(exchange.response, 200, JSON.stringify(completionOf(plan)), headers);
  }
  await sendFrames(exchange, framesOf(plan, cut ? FRAMES_BEFORE_CUT : Infinity), gapMs, headers);
  if (cut) return cutConnection(exchange);
  exchange.response.end("data: [DONE]\n\n");
}

/** Milliseconds between two frames; between two tokens where nothing is streamed. */
function gapOf(plan: ChatPlan, request: ChatRequest, directives: Directives): number {
  if (directives.slowMs !== null) return directives.slowMs / Math.max(1, chunkCount(plan) - 1);
  const counting = directives.count?.slowly === true && plan.choices.every((choice) => choice.calls.length === 0);
  return counting && request.format.kind !== "json_schema" ? SLOW_COUNT_GAP_MS : 0;
}

function* framesOf(plan: ChatPlan, limit: number): Generator<string, void, undefined> {
  let made = 0;
  for (const chunk of chunksOf(plan)) {
    if (made >= limit) return;
    yield `data: ${JSON.stringify(chunk)}\n\n`;
    made += 1;
  }
}

import type { ModelSpec } from "../../core/models/model.ts";
import { chunkCount, chunksOf, completionOf, headOf, usageOf } from "./completion.ts";
import { type ChatRequest, chatRequestOf } from "./request.ts";
import { converse, type Delivery } from "../conversation/converse.ts";
import { checkContext } from "../conversation/openai-words.ts";
import type { Plan } from "../conversation/plan.ts";
import { type Exchange, findModel, type Route } from "../exchange.ts";
import { Failure, parsedJson } from "../fields.ts";
import type { Seed } from "../seed.ts";

/** The role, and the first words. */
const FRAMES_BEFORE_CUT = 3;

/** `POST …/chat/completions` below `base`, OpenAI's protocol. */
export function chatRoutes(base: string, models: () => readonly ModelSpec[]): Route[] {
  return [
    {
      method: "POST",
      path: `${base}/chat/completions`,
      handle: (exchange) => respondToChat(exchange, chatModel(models)),
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

async function respondToChat(exchange: Exchange, model: (id: string) => ModelSpec): Promise<void> {
  const request = chatRequestOf(parsedJson(exchange.body), model);
  await converse(exchange, request, request.stream, (plan, seed) => deliveryOf(request, plan, seed));
}

function deliveryOf(request: ChatRequest, plan: Plan, seed: Seed): Delivery {
  checkContext(request.spec, plan, "messages");
  const head = headOf(plan, seed);
  const usage = usageOf(plan.usage, request.spec);
  return {
    headers: { "x-request-id": `req_${seed.digits("request", 32)}`, "openai-version": "2020-10-01" },
    whole: () => JSON.stringify(completionOf(plan, head, usage)),
    frames: () =>
      chunksOf(plan, head, request.includeUsage ? usage : null).map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`),
    frameCount: () => chunkCount(plan, request.includeUsage),
    closing: "data: [DONE]\n\n",
    framesBeforeCut: FRAMES_BEFORE_CUT,
  };
}

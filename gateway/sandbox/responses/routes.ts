import type { ModelSpec } from "../../core/models/model.ts";
import { converse, type Delivery } from "../conversation/converse.ts";
import { checkContext } from "../conversation/openai-words.ts";
import type { Plan } from "../conversation/plan.ts";
import { findModel, type Route } from "../exchange.ts";
import { Failure, parsedJson } from "../fields.ts";
import { type ResponsesRequest, responsesRequestOf } from "./request.ts";
import { closedResponse, eventsOf, itemsOf, openResponse } from "./response.ts";
import type { Seed } from "../seed.ts";

/** The two events that open a response, the two that open its message, and the first words. */
const FRAMES_BEFORE_CUT = 6;

/** `POST …/responses` below `base`, OpenAI's protocol. */
export function responsesRoutes(base: string, models: () => readonly ModelSpec[]): Route[] {
  return [
    {
      method: "POST",
      path: `${base}/responses`,
      handle: async (exchange) => {
        const request = responsesRequestOf(parsedJson(exchange.body), conversationModel(models));
        await converse(exchange, request, request.stream, (plan, seed) => deliveryOf(request, plan, seed));
      },
    },
  ];
}

function conversationModel(models: () => readonly ModelSpec[]): (id: string) => ModelSpec {
  return (id) => {
    const model = findModel(models(), id);
    if (model.capabilities.includes("chat")) return model;
    throw new Failure(404, "This model is not supported in the v1/responses endpoint.", { param: "model" });
  };
}

function deliveryOf(request: ResponsesRequest, plan: Plan, seed: Seed): Delivery {
  checkContext(request.spec, plan, "input");
  const items = itemsOf(request, plan, seed);
  const open = openResponse(request, plan, seed);
  return {
    headers: { "x-request-id": `req_${seed.digits("request", 32)}`, "openai-version": "2020-10-01" },
    whole: () => JSON.stringify(closedResponse(open, plan, items)),
    frames: () =>
      eventsOf(open, plan, items).map((event) => `event: ${String(event["type"])}\ndata: ${JSON.stringify(event)}\n\n`),
    frameCount: () => eventsOf(open, plan, items).reduce((count) => count + 1, 0),
    closing: "",
    framesBeforeCut: FRAMES_BEFORE_CUT,
  };
}

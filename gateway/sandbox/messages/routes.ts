import type { ModelSpec } from "../../core/models/model.ts";
import { parsedJson } from "../body.ts";
import { converse, type Delivery } from "../conversation/converse.ts";
import type { Plan } from "../conversation/plan.ts";
import { promptTokens } from "../conversation/usage.ts";
import { sendJson, type Exchange, type Route } from "../exchange.ts";
import { Failure } from "../failure.ts";
import { seedOf, type Seed } from "../seed.ts";
import { eventsOf } from "./events.ts";
import { invalid, required, withRequestId } from "./failure.ts";
import { messageBody, messagePlanOf } from "./message.ts";
import { conversationModel } from "./models.ts";
import { messagesRequestOf, type MessagesRequest } from "./request.ts";

/** The start of the message and of its first block, a ping, and the first words. */
const FRAMES_BEFORE_CUT = 5;

/** `POST /v1/messages` and `POST /v1/messages/count_tokens`, Anthropic's protocol. */
export function messagesRoutes(models: () => readonly ModelSpec[]): Route[] {
  const read = (exchange: Exchange, counting: boolean): MessagesRequest => {
    if (exchange.request.headers["anthropic-version"] === undefined) throw required("anthropic-version");
    return messagesRequestOf(parsedJson(exchange.body), (id) => conversationModel(models, id), counting);
  };
  return [
    route("/v1/messages", async (exchange) => {
      const request = read(exchange, false);
      await converse(exchange, request, request.stream, (plan, seed) => deliveryOf(request, plan, seed));
    }),
    route("/v1/messages/count_tokens", (exchange) => {
      const body = JSON.stringify({ input_tokens: promptTokens(read(exchange, true)) });
      sendJson(exchange.response, 200, body, { "request-id": requestId(seedOf(exchange.body)) });
    }),
  ];
}

function route(path: string, handle: (exchange: Exchange) => void | Promise<void>): Route {
  return {
    method: "POST",
    path,
    handle: async (exchange) => {
      try {
        await handle(exchange);
      } catch (error) {
        throw error instanceof Failure ? withRequestId(error) : error;
      }
    },
  };
}

function requestId(seed: Seed): string {
  return `req_${seed.digits("request", 24)}`;
}

function deliveryOf(request: MessagesRequest, plan: Plan, seed: Seed): Delivery {
  const limit = request.spec.contextLength;
  if (limit !== null && plan.usage.prompt > limit) {
    throw invalid("prompt is too long", `${plan.usage.prompt} tokens > ${limit} maximum`);
  }
  const message = messagePlanOf(request, plan, seed);
  return {
    headers: { "request-id": requestId(seed) },
    whole: () => JSON.stringify(messageBody(message)),
    frames: () =>
      eventsOf(message).map((event) => `event: ${String(event["type"])}\ndata: ${JSON.stringify(event)}\n\n`),
    frameCount: () => eventsOf(message).reduce((count) => count + 1, 0),
    closing: "",
    framesBeforeCut: FRAMES_BEFORE_CUT,
  };
}

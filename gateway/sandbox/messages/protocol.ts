import type { IncomingHttpHeaders } from "node:http";
import type { ModelSpec } from "../../core/models/model.ts";
import { converse, type Delivery } from "../conversation/converse.ts";
import { type Plan, promptTokens } from "../conversation/plan.ts";
import {
  bearerKey,
  canAny,
  decoded,
  type Exchange,
  findModel,
  type Protocol,
  type Route,
  sendJson,
} from "../exchange.ts";
import { Failure, parsedJson } from "../fields.ts";
import { anthropicFailureBody, invalid, required, withRequestId } from "./failure.ts";
import { eventsOf, messageBody, messagePlanOf } from "./message.ts";
import { type MessagesRequest, messagesRequestOf } from "./request.ts";
import { type Seed, seedOf } from "../seed.ts";

/** Anthropic's own protocol (docs/providers/anthropic.md). */
export function anthropicProtocol(models: () => readonly ModelSpec[]): Protocol {
  return {
    provider: "anthropic",
    keyOf,
    routes: [...anthropicModelRoutes(models), ...messagesRoutes(models)],
    failureBody: anthropicFailureBody,
  };
}

/** `x-api-key`, or a bearer. */
function keyOf(headers: IncomingHttpHeaders): string | undefined {
  const key = headers["x-api-key"];
  return typeof key === "string" ? key : bearerKey(headers);
}

/** The start of the message and of its first block, a ping, and the first words. */
const FRAMES_BEFORE_CUT = 5;

/** `POST /v1/messages` and `POST /v1/messages/count_tokens`, Anthropic's protocol. */
function messagesRoutes(models: () => readonly ModelSpec[]): Route[] {
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

const DEFAULT_LIMIT = 20;
const HIGHEST_LIMIT = 1_000;

/** `GET /v1/models` and `GET /v1/models/{id}` in Anthropic's shape (docs/providers/anthropic.md#models). */
function anthropicModelRoutes(models: () => readonly ModelSpec[]): Route[] {
  return [
    {
      method: "GET",
      path: "/v1/models",
      handle: (exchange) => {
        const served = models().filter((model) => canAny(model, ["chat"]));
        sendJson(exchange.response, 200, JSON.stringify(pageOf(served, exchange)));
      },
    },
    {
      method: "GET",
      path: /^\/v1\/models\/.+$/,
      handle: (exchange) => {
        const model = conversationModel(models, decoded(exchange.path.slice("/v1/models/".length)));
        sendJson(exchange.response, 200, JSON.stringify(modelBody(model)));
      },
    },
  ];
}

/** @throws Failure (404) in Anthropic's words */
function conversationModel(models: () => readonly ModelSpec[], id: string): ModelSpec {
  const known = models().filter((model) => canAny(model, ["chat"]));
  try {
    return findModel(known, id);
  } catch {
    throw new Failure(404, `model: ${id.slice(0, 200)}`);
  }
}

function pageOf(models: readonly ModelSpec[], exchange: Exchange): object {
  const query = new URLSearchParams(exchange.request.url?.split("?")[1] ?? "");
  const limit = Number(query.get("limit") ?? DEFAULT_LIMIT);
  if (!Number.isInteger(limit) || limit < 1) throw invalid("limit", "Input should be greater than or equal to 1");
  if (limit > HIGHEST_LIMIT) throw invalid("limit", `Input should be less than or equal to ${HIGHEST_LIMIT}`);
  const after = query.get("after_id");
  const start = after === null ? 0 : models.findIndex((model) => model.id === after) + 1;
  const data = models.slice(start, start + limit).map(modelBody);
  return {
    data,
    has_more: start + limit < models.length,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
  };
}

function modelBody(model: ModelSpec) {
  return {
    type: "model",
    id: model.id,
    display_name: model.displayName,
    created_at: new Date(model.created * 1_000).toISOString().replace(".000Z", "Z"),
    max_input_tokens: model.contextLength,
    max_tokens: model.maxOutput,
  };
}
